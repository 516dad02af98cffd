"""The solver against the plain one, as fractions; small shoes, every rule that can be switched."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_down_under import Plain, without
from remembering import all_remembered

from houseway.games.down_under.maths.advise import advise
from houseway.games.down_under.maths.solver import kernels, one_hand
from houseway.games.down_under.maths.solver.dealer import Ways, chances, dealer_of
from houseway.games.down_under.maths.solver.distribution import distribution, split_results
from houseway.games.down_under.maths.solver.exact import (
    decided,
    exact_value,
    from_residues,
    is_prime,
    near_ties,
    prime,
)
from houseway.games.down_under.maths.solver.game_arrays import Table
from houseway.games.down_under.maths.solver.hands import EMPTY, VALUES, hand_of
from houseway.games.down_under.maths.solver.solve import Play, solve
from houseway.games.down_under.maths.solver.split_memory import gain, remembered
from houseway.games.down_under.maths.solver.states import MAY_HIT
from houseway.games.down_under.maths.solver.variant import Variant, runs_out
from houseway.law import DOWN_UNDER, cites

#: aces, fives, eights and tens: a card of every range, pairs to split, hands to double
SMALL = (2, 0, 0, 0, 3, 0, 0, 3, 0, 7)
LARGER = [
    (2, 0, 0, 0, 4, 4, 0, 0, 4, 8),
    (3, 0, 0, 3, 0, 4, 0, 3, 0, 9),
    (2, 2, 0, 0, 3, 0, 3, 0, 3, 6),
]


def cards(counts):
    return [value for value, copies in enumerate(counts, 1) for _ in range(copies)]


def case_of(play, up, seen):
    """Which case it is to see this up card and range."""
    return next(
        number
        for number, case in enumerate(play.table.cases)
        if case.up == up - 1 and case.range == seen
    )


#: how the two solvers are told the same thing
GAMES = {
    "the chapter": ({}, {}),
    "soft 22 is 12, soft 17 draws": (
        {"dealer_soft_22": "counts_as_12", "soft_17": "hits"},
        {"stands_on_soft_22": False, "hits_soft_17": True},
    ),
    "split otherwise": (
        {"double_after_split": False, "split_aces": "as_others"},
        {"das": False, "hit_split_aces": True},
    ),
    "22 pays others": (
        {"beats_22": frozenset({"two_large", "two_large_after_split"})},
        {"beats_22": ("two_large", "two_large_after_split")},
    ),
    "22 pays nobody": ({"beats_22": frozenset()}, {"beats_22": ()}),
    "doubled for the bet alone": ({"doubled_beats_22": "bet"}, {"doubled_bet_only": True}),
    "ordinary blackjack": (
        {"dealer_soft_22": "counts_as_12", "dealer_22": "busts", "reader": "covered"},
        {"stands_on_soft_22": False, "busts_22": True, "covered": True},
    ),
    "the light not read": ({"reader": "unread"}, {"unread": True}),
    "no splitting": ({"split_hands": 1}, {"most_hands": 1}),
    "ten and eleven doubled": (
        {"double_on": "ten_eleven"},
        {"doubles": lambda total: total in (10, 11)},
    ),
}


@pytest.mark.slow
@cites(DOWN_UNDER, "685a.7(h)", "685a.7(k)", "685a.7(m)", "685a.7(n)(1)", "685a.9(a)", "685a.10(c)")
@pytest.mark.parametrize("game", GAMES)
def test_the_value_of_the_game_is_the_plain_one(game):
    ours, plain = GAMES[game]
    assert exact_value(solve(Variant(**ours), SMALL)) == Plain(cards(SMALL), **plain).value()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "shoe"),
    [
        # every game from one larger shoe, the chapter's own from two
        pytest.param(game, shoe, marks=() if short else pytest.mark.full)
        for game in GAMES
        for shoe, short in zip(LARGER, (game == "the chapter", True, False), strict=True)
    ],
)
def test_the_value_of_the_game_is_the_plain_one_from_other_shoes(game, shoe):
    ours, plain = GAMES[game]
    assert exact_value(solve(Variant(**ours), shoe)) == Plain(cards(shoe), **plain).value()


@cites(DOWN_UNDER, "685a.10(c)")
@pytest.mark.parametrize(
    ("hands", "card", "up", "seen"), [(3, 5, 8, "medium"), (3, 8, 5, "large"), (4, 8, 5, "small")]
)
def test_splitting_again_is_worth_what_playing_all_the_hands_is(hands, card, up, seen):
    """Inclusion and exclusion on our side; there every hand is dealt, one after the other."""
    play = solve(Variant(split_hands=hands), SMALL)
    case = case_of(play, up, seen)
    plain = Plain(cards(SMALL), most_hands=hands).split(card, up, seen, hands)
    assert play.splits[card - 1, case, hands - 2] == pytest.approx(float(plain), abs=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("hands", [3, 4])
def test_splitting_again_from_the_whole_shoe(hands):
    plain = Plain(cards(SMALL), most_hands=hands).value()
    assert exact_value(solve(Variant(split_hands=hands), SMALL)) == plain


@st.composite
def shoes(draw):
    """Up to 25 cards: aces, tens, and two or three other values that are not too small."""
    counts = [draw(st.integers(1, 2)), *[0] * 8, draw(st.integers(5, 9))]
    for value in draw(st.lists(st.integers(3, 8), min_size=2, max_size=3, unique=True)):
        counts[value] = draw(st.integers(2, 4))
    return tuple(counts)


@settings(max_examples=8, deadline=None)
@given(shoes(), st.booleans())
def test_one_hand_from_any_shoe_is_played_as_the_plain_solver_plays_it(shoe, stands):
    """Without splits, which take the plain solver long."""
    assume(not runs_out(shoe))
    rules = Variant(split_hands=1, dealer_soft_22="stands" if stands else "counts_as_12")
    plain = Plain(cards(shoe), most_hands=1, stands_on_soft_22=stands).value()
    assert exact_value(solve(rules, shoe)) == plain


@pytest.mark.slow
def test_a_whole_deck_against_a_six_is_played_as_the_plain_solver_plays_it():
    """One deck, dealer's six: the value of every two cards in every range."""
    deck = (4,) * 9 + (16,)
    play = solve(Variant(decks=1, split_hands=1))
    plain = Plain(cards(deck), most_hands=1)
    for number, case in enumerate(play.table.cases):
        if case.up != 5 or case.range != "large":
            continue
        for deal in play.table.deals:
            if deal.case != number:
                continue
            hand = next(
                tuple(sorted((low + 1, high + 1)))
                for low in range(10)
                for high in range(low, 10)
                if play.table.states.at((-1, 0), _two(low, high)) == deal.position
            )
            unseen = without(plain.shoe, *hand, 6)
            best = max(plain.best(hand, 6, case.range, unseen, 0).values())
            assert play.by_itself(deal) == pytest.approx(float(best), abs=1e-13)


def _two(low, high):
    return tuple((value == low) + (value == high) for value in range(10))


def test_advice_is_exact():
    """Every action, splitting too, from a composition of one's own."""
    plain = Plain(cards(SMALL))
    for hand, up, seen in [
        ((5, 5), 8, "large"), ((8, 8), 5, "medium"), ((1, 5), 10, "medium"),
        ((8, 10), 10, "large"), ((1, 1), 8, "large"), ((1, 1, 5), 8, "small"),
    ]:  # fmt: skip
        unseen = without(plain.shoe, *hand, up)
        expected = (
            plain.options(hand, up, seen, unseen)
            if len(hand) == 2
            else plain.best(hand, up, seen, unseen, 0)
        )
        left = tuple(unseen.count(value) for value in range(1, 11))
        found = advise([VALUES[card - 1] for card in hand], VALUES[up - 1], seen, left=left)
        assert found.values == expected
        assert found.values[found.best] == max(expected.values())


def test_advice_on_a_hand_from_a_split_knows_the_pair():
    plain = Plain(cards(SMALL))
    unseen = without(plain.shoe, 5, 5, 1, 8)  # the pair, the hand's second card, the up card
    left = tuple(unseen.count(value) for value in range(1, 11))
    found = advise(["5", "A"], "8", "medium", left=left, split=True)
    assert found.values == plain.best((1, 5), 8, "medium", unseen, 5)


@pytest.mark.slow
def test_memory_is_worth_what_the_plain_solver_gains_by_it():
    play = solve(Variant(), SMALL)
    plain = Plain(cards(SMALL))
    for pair, up, seen in [(5, 8, "large"), (8, 5, "large"), (5, 5, "large"), (8, 8, "small")]:
        found = remembered(play, pair - 1, case_of(play, up, seen), margin=float("inf"))
        best = plain.split_remembering(pair, up, seen)
        assert found.remembering == pytest.approx(float(best), abs=1e-13)
        assert found.by_itself == pytest.approx(float(plain.split(pair, up, seen, 2)), abs=1e-13)
        assert found.remembering >= found.by_itself - 1e-13


@pytest.mark.slow
def test_who_remembers_but_plays_the_same_gains_nothing():
    """With no margin the strategy is the one without memory: what is seen is not used."""
    play = solve(Variant(), LARGER[0])
    found = list(all_remembered(play, margin=0.0))
    assert len(found) > 20
    assert all(one.remembering == pytest.approx(one.by_itself, abs=1e-13) for one in found)
    assert gain(play, found) == pytest.approx(0, abs=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("reading", ["stands", "counts_as_12"])
def test_how_rounds_end_adds_up(reading):
    """Probabilities to one, and the mean of the results to the exact edge."""
    play = solve(Variant(dealer_soft_22=reading), SMALL)
    found = distribution(play)
    assert sum(chance for _, chance in found.outcomes.values()) + found.split == 1
    assert sum(found.nets.values()) == 1
    assert sum(won * chance for won, chance in found.nets.items()) == -found.edge
    assert found.edge == -exact_value(play)
    assert found.staked > 1


def test_results_of_both_split_hands_go_together_as_dealt():
    """The mean and the mean square of a split, against both hands dealt one after the other."""
    play = solve(Variant(), SMALL)
    plain, square = Plain(cards(SMALL)), Plain(cards(SMALL))
    square.pay = partial(_mean_square, square)
    for pair, up, seen in [(8, 5, "large"), (5, 8, "large"), (1, 5, "large"), (5, 8, "small")]:
        found = split_results(play, pair - 1, case_of(play, up, seen))
        assert sum(found.values()) == 1
        mean = sum(won * chance for won, chance in found.items())
        assert mean == plain.split(pair, up, seen, 2)
        squares = sum(won**2 * chance for won, chance in found.items())
        assert squares == square.split(pair, up, seen, 2)


def _mean_square(game, done, up, name, unseen):
    return sum(
        chance * ways * sum(game.won(hand, end, doubled, True) for hand, doubled in done) ** 2
        for hole, chance in game.hole_chances(up, name, unseen).items()
        for end, ways in game.dealer(tuple(sorted((up, hole))), without(unseen, hole)).items()
    )


@cites(DOWN_UNDER, "685a.7(m)")
def test_readings_that_do_not_differ_make_one_dealer():
    """An ace is counted otherwise only with two aces, or with eleven points beside it."""
    by_case = {(case.up + 1, case.range): case for case in Table(Variant()).cases}

    def one_dealer(up, range):
        stands, draws = (
            dealer_of((soft_22, False), by_case[up, range]) for soft_22 in (True, False)
        )
        return stands is draws

    assert one_dealer(10, "small")  # 12 and more: an ace counts 1
    assert one_dealer(7, "medium")
    assert one_dealer(6, "large")  # 16, or a soft 17
    assert not one_dealer(1, "large")  # two aces
    assert not one_dealer(6, "small")  # 6 and 5, then an ace
    assert not one_dealer(1, "small")  # ace and 2, then a 9: 12, or 22 with the ace as 11


def test_a_kernel_is_compiled_once_however_a_policy_lies_in_memory():
    best = solve(Variant())
    turned = Play(best.table, np.asfortranarray(best.policy), best.hands)
    assert turned.value == pytest.approx(best.value, abs=1e-13)
    assert np.array_equal(turned.came, best.came)
    assert len(kernels.play.signatures) == len(kernels.orders.signatures) == 1


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(4, 32), min_size=9, max_size=9), st.integers(10, 128), st.booleans())
def test_the_dealer_ends_somewhere_for_sure(small, tens, stands):
    """685a.7(m) from any composition: the chances of all ends add up to one."""
    shoe = (*small, tens)
    rules = Variant(dealer_soft_22="stands" if stands else "counts_as_12")
    ends = Table(rules, shoe).ends(np.array([shoe]))[0]
    assert np.allclose(ends.sum(axis=0), 1, atol=1e-12)
    assert ends.min() > -1e-12


@cites(DOWN_UNDER, "685a.7(m)")
@settings(max_examples=20, deadline=None)
@given(shoes(), st.booleans(), st.data())
def test_whole_numbers_of_ways_are_the_plain_chances(shoe, stands, data):
    """Compiled and plain, modulo two primes: the ways of an end are its chance times all ways."""
    assume(not runs_out(shoe))
    rules = Variant(dealer_soft_22="stands" if stands else "counts_as_12")
    plain = Plain(cards(shoe), stands_on_soft_22=stands)
    case = data.draw(st.sampled_from([case for case in Table(rules, shoe).cases if shoe[case.up]]))
    pair = data.draw(st.sampled_from([value for value in range(10) if shoe[value] > 1]))
    gone = np.array([[0] * 10, hand_of(pair), hand_of(pair, pair)])
    ways = Ways(rules, shoe, case, gone, EMPTY)
    primes = [prime(0), prime(1)]
    found = ways.ends(primes)
    assert np.array_equal(found, ways.ends(primes, compiled=False))
    for row, residues in zip(gone, found.tolist(), strict=True):
        removed = [value + 1 for value in range(10) for _ in range(row[value])]
        if (np.array(shoe) - row)[case.up] < 1 or ways.to(row) == 0:
            assert not np.any(residues)
            continue
        unseen = without(without(plain.shoe, *removed), case.up + 1)
        expected = dict.fromkeys(range(17, 24), Fraction(0))
        for hole, chance in plain.hole_chances(case.up + 1, case.range, unseen).items():
            dealt = tuple(sorted((case.up + 1, hole)))
            for end, share in plain.dealer(dealt, without(unseen, hole)).items():
                expected[end] += chance * share
        for modulus, line in zip(primes, residues, strict=True):
            whole = [share * ways.to(row) for share in expected.values()]
            assert all(one.denominator == 1 for one in whole)
            assert line == [int(one) % modulus for one in whole]


@pytest.mark.parametrize("rules", [Variant(), Variant(split_hands=4, reader="unread")])
def test_the_compiled_play_is_the_plain_one(rules):
    """Both decide alike, come to the same values, and to every hand in as many orders."""
    play = solve(rules, LARGER[1])
    table = play.table
    states = table.states
    for number, case in enumerate(table.cases):
        ends = chances(rules, case, table.left, compiled=False)
        assert ends == pytest.approx(table.all_ends[:, :, number], abs=1e-13)
        _, worth = one_hand.best_play(table, number, ends)
        # hands that can come, the dealer's two cards being what they are
        comes = (table.chance[states.row, number] > 0) & (states.may > 0)
        assert worth[comes] == pytest.approx(play.worth[comes, number], abs=1e-12)
        starts = (states.may == MAY_HIT) * 1.0
        compiled = kernels.orders(states.child, play.policy[:, [number]], starts[:, None])
        plain = one_hand.orders(states.child, play.policy[:, number], starts)
        assert all(np.array_equal(a[:, 0], b) for a, b in zip(compiled, plain, strict=True))


@pytest.mark.parametrize("stands", [True, False])
def test_where_the_dealer_ends_is_what_drawing_card_by_card_gives(stands):
    shoe = (2, 3, 1, 2, 2, 3, 2, 1, 2, 6)
    rules = Variant(dealer_soft_22="stands" if stands else "counts_as_12")
    table = Table(rules, shoe)
    plain = Plain(cards(shoe), stands_on_soft_22=stands)
    ends = table.ends(np.array([shoe]))[0]
    for number, case in enumerate(table.cases):
        unseen = without(plain.shoe, case.up + 1)
        expected = dict.fromkeys(range(17, 24), Fraction(0))
        for hole, chance in plain.hole_chances(case.up + 1, case.range, unseen).items():
            pair = tuple(sorted((case.up + 1, hole)))
            for end, ways in plain.dealer(pair, without(unseen, hole)).items():
                expected[end] += chance * ways
        assert ends[:, number] == pytest.approx(
            [float(one) for one in expected.values()], abs=1e-14
        )


def test_whole_numbers_come_back_from_their_residues():
    numbers = [0, 7, -7, 10**60 + 3, -(10**60)]
    back = from_residues(lambda modulus: [n % modulus for n in numbers], [10**61] * len(numbers))
    assert back == numbers
    calls = []

    def wrong_at_last(modulus):
        calls.append(modulus)
        return [(5 if len(calls) < 3 else 6) % modulus]

    with pytest.raises(ArithmeticError):
        from_residues(wrong_at_last, [10**20])
    assert len(calls) == 3  # two primes hold the number, the third checks it


def test_the_primes_are_prime_and_small_enough():
    assert [n for n in range(60) if is_prime(n)] == [
        n for n in range(2, 60) if all(n % d for d in range(2, n))
    ]
    assert all(is_prime(prime(which)) and 2**42 < prime(which) < 2**43 for which in range(12))
    assert len({prime(which) for which in range(12)}) == 12


def test_near_ties_are_decided_by_the_exact_game():
    """A worse choice put into the play is found again when all within a wide margin are tried."""
    best = solve(Variant(), SMALL)
    table = best.table
    position, case, other = next(
        (deal.position, deal.case, action)
        for deal in table.deals
        for action in (0, 1)
        if deal.pair < 0
        and best.policy[deal.position, deal.case] in (0, 1)
        and action != best.policy[deal.position, deal.case]
        and 1e-6 < best.by_itself(deal) - best.values[deal.position, deal.case, action] < 0.02
    )
    policy = best.policy.copy()
    policy[position, case] = other
    worse = Play(table, policy, best.hands)
    assert exact_value(worse) < exact_value(best)
    assert near_ties(worse, within=1e-12) != []
    again = decided(worse, within=1e-12)
    assert exact_value(again) == exact_value(best)
