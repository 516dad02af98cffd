"""The solver's numbers are the chapter's: totals, payoffs and ranges against the game's own."""

from itertools import product

import pytest

from houseway.cards import Card, cards
from houseway.errors import Refused
from houseway.games.down_under import hands as blackjack
from houseway.games.down_under.maths.solver.hands import (
    END_BUST,
    VALUES,
    dealer_end,
    dealer_hands,
    dealer_total,
    hand_of,
    player_hands,
    plus,
)
from houseway.games.down_under.maths.solver.variant import (
    RANGES,
    Variant,
    cases,
    payoffs,
    variant_of,
)
from houseway.games.down_under.settlement import outcome
from houseway.law import DOWN_UNDER, chapter, choose, cites

READINGS = ("stands", "counts_as_12")
RULES = {reading: choose(chapter(DOWN_UNDER), {"dealer_soft_22": reading}) for reading in READINGS}


def dealt(hand):
    """A hand of values as cards, a ten standing for every face."""
    return tuple(
        card for value, copies in enumerate(hand) for card in cards([f"{VALUES[value]}c"] * copies)
    )


@cites(DOWN_UNDER, "685a.3(d)(1)", "685a.3(d)(2)", "685a.3(d)(3)")
def test_every_player_hand_counts_what_the_game_counts():
    graph = player_hands()
    for hand, total, soft in zip(graph.hands, graph.totals, graph.soft, strict=True):
        assert blackjack.player_total(RULES["stands"], dealt(hand)) == (total, soft)


@cites(DOWN_UNDER, "685a.3(d)(3)", "685a.7(m)")
@pytest.mark.parametrize("reading", READINGS)
def test_every_dealer_hand_counts_and_draws_as_in_the_game(reading):
    stands = reading == "stands"
    known = cases(Variant(dealer_soft_22=reading, reader="covered"))
    found = [dealer_hands(stands, False, case.up, case.holes).hands[1:] for case in known]
    assert {hand for some in found for hand in some} >= {hand_of(1, 1, 1), hand_of(5, 9)}
    for hand in sorted({hand for some in found for hand in some}):
        assert blackjack.dealer_draws(RULES[reading], dealt(hand))
        for card in range(10):
            after = plus(hand, card)
            total, _ = dealer_total(after, stands)
            assert blackjack.dealer_total(RULES[reading], dealt(after)).points == total
            done = dealer_end(after, stands, False) is not None
            assert blackjack.dealer_draws(RULES[reading], dealt(after)) != done


@cites(DOWN_UNDER, "685a.3(d)(3)", "685a.7(m)")
def test_two_aces_are_22_to_the_letter_and_12_by_the_other_reading():
    assert dealer_total(hand_of(0, 0), True) == (22, True)
    assert dealer_total(hand_of(0, 0), False) == (12, True)
    assert dealer_end(hand_of(0, 0), True, False) == 22 - 17
    assert dealer_end(hand_of(0, 0), False, False) is None


@cites(DOWN_UNDER, "685a.7(n)(1)", "685a.7(o)", "685a.7(p)", "685a.7(q)(2)")
def test_what_a_standing_hand_wins_is_what_the_game_pays():
    plain, doubled = payoffs(Variant())
    bets = {"win": 1, "push": 0, "lose": -1}
    for large, total, end in product((False, True), range(16, 22), range(END_BUST + 1)):
        dealer = 17 + end if end < END_BUST else 23
        result, _ = outcome(RULES["stands"], total, dealer, two_large=large)
        row = total - 16 + 6 * large
        assert plain[row][end] == bets[result]
        assert doubled[row][end] == 2 * bets[result]


@cites(DOWN_UNDER, "685a.7(q)(1)")
def test_a_bust_loses_whatever_the_dealer_has():
    plain, doubled = payoffs(Variant())
    for dealer in range(17, 24):
        assert outcome(RULES["stands"], 22, dealer, two_large=False)[0] == "lose"
    assert plain[0][0] == -1
    assert doubled[0][0] == -2


@cites(DOWN_UNDER, '685a.1 "Small"', '685a.1 "Medium"', '685a.1 "Large"', "685a.3(d)#2")
def test_the_ranges_are_the_readers():
    for rank in range(13):
        name = blackjack.value_range(RULES["stands"], Card(rank * 4))
        text = "23456789TJQKA"[rank]
        value = VALUES.index("T" if text in "TJQK" else text)
        assert value in RANGES[name]
    assert sorted(value for held in RANGES.values() for value in held) == list(range(10))


@cites(DOWN_UNDER, "685a.7(h)")
def test_cases_leave_out_nothing_but_a_blackjack():
    seen = [(case.up, hole) for case in cases(Variant()) for hole in case.holes]
    assert len(seen) == len(set(seen)) == 98
    assert {(0, 9), (9, 0)}.isdisjoint(seen)
    assert len(cases(Variant(reader="covered"))) == 10


def test_a_variant_is_what_the_rules_say():
    rules = choose(chapter(DOWN_UNDER), {"decks": 8, "dealer_soft_22": "counts_as_12"})
    game = variant_of(rules)
    assert (game.decks, game.dealer_soft_22) == (8, "counts_as_12")
    assert game.blackjack_pays == rules.table("bet")["blackjack"].odds.value
    assert sum(game.shoe) == 8 * 52


def test_a_bet_that_wins_other_odds_is_not_solved():
    rules = choose(
        chapter(DOWN_UNDER),
        paytables={"bet": {"win": "2 to 1", "blackjack": "3 to 2"}},
        hypothetical=True,
    )
    with pytest.raises(Refused, match="1 to 1"):
        variant_of(rules)
