"""Progressives: what is fixed, what the meter adds, where it is fair, and envy counted whole."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_deals import deck, hands, pattern

from houseway.cards import cards
from houseway.errors import Refused
from houseway.game_api import poker
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.maths import outcomes
from houseway.games.three_card.maths.counting import tallies
from houseway.games.three_card.maths.counting.cover_all import deals
from houseway.games.three_card.maths.counting.envy import held_by_others
from houseway.games.three_card.maths.progressives import FiveCardProgressive, ThreeCardProgressive
from houseway.law import MA, MD, chapter, choose, cites
from houseway.maths.figures import percent
from houseway.maths.par import par
from houseway.maths.paytables.player_edge import generous
from houseway.simulate.plan import plan_of
from houseway.simulate.prepared import playing
from houseway.simulate.results.exact import exact

LAW = chapter(MD)
TABLES = [(MD, "A"), (MD, "B"), (MD, "C"), (MA, "1"), (MA, "2"), (MA, "3")]


def three_card_progressive(id, table, others=0, stake=100):
    law = chapter(id)
    envy = law.paytables["envy", "1.00" if id == MD else "any"]
    return ThreeCardProgressive(
        "progressive",
        law.paytables["progressive", table],
        stake,
        outcomes.three_cards(),
        others,
        envy,
    )


@cites(MD, "12.E(1)(a)", "12.E(1)(b)", "12.E(1)(c)")
@cites(MA, "13(d)(a)", "13(d)(b)")
@pytest.mark.parametrize(
    ("id", "table", "fixed"),
    [
        (MD, "A", 3 * 500 + 44 * 70 + 52 * 60 + 720 * 6),
        (MD, "B", 3 * 500 + 44 * 100 + 52 * 90),
        (MD, "C", 44 * 70 + 52 * 60 + 720 * 6),
        (MA, "1", 3 * 500 + 44 * 70 + 52 * 60 + 720 * 6),
        (MA, "2", 3 * 500 + 44 * 100 + 52 * 90),
        (MA, "3", 3 * 500 + 44 * 400 + 52 * 30 + 720 * 6),
    ],
)
def test_what_comes_back_for_sure(id, table, fixed):
    assert three_card_progressive(id, table).fixed_return == Fraction(fixed, 22_100)


@cites(MD, "12.G(1)", "12.G(2)", "12.G(3)")
def test_five_cards():
    fixed = 624 * 300 + 3744 * 50 + 5108 * 40 + 10200 * 30 + 54912 * 9
    for table, less in (("A", 0), ("B", 0), ("C", 624 * 300)):
        one = FiveCardProgressive(
            "five_card_progressive",
            LAW.paytables["five_card_progressive", table],
            100,
            outcomes.five_cards(),
        )
        assert one.fixed_return == Fraction(fixed - less, comb(52, 5))
    one = FiveCardProgressive(
        "five_card_progressive",
        LAW.paytables["five_card_progressive", "A"],
        100,
        outcomes.five_cards(),
    )
    assert one.expected_share("five_card_progressive") == Fraction(
        4 * 100 + 36 * 10, 100 * comb(52, 5)
    )
    assert one.chance("five_card_progressive") == Fraction(40, comb(52, 5))


@given(
    st.sampled_from(TABLES), st.integers(0, 6), st.integers(1, 10**8), st.sampled_from([100, 500])
)
def test_the_wager_is_fair_where_it_breaks_even(which, others, amount, stake):
    one = three_card_progressive(*which, others, stake)
    meters = dict.fromkeys(one.hits, amount)
    for name in one.hits:
        even = one.break_even(name, meters)
        at = one.edge({**meters, name: even})
        assert at == 0 or (even == 0 and at < 0)


@given(st.sampled_from(TABLES), st.integers(0, 6), st.integers(0, 10**8))
def test_net_results_with_envy_have_the_edge_that_is_added_up(which, others, amount):
    one = three_card_progressive(*which, others)
    meters = dict.fromkeys(one.hits, amount)
    spread = one.spread_with_envy(meters)
    assert spread.edge == one.edge(meters)
    assert spread.total == comb(52, 3) * (deals(others + 1, start=1))


@cites(MD, "12.E(5)(a)", "11.D(7)(e)(i)", "11.D(7)(e)(iii)")
@cites(MA, "13(e)(a)")
def test_envy_of_one_other_player_hand_by_hand(monkeypatch):
    """Every hand of one's own beside every mini royal of the other, and all his other hands."""
    pack = deck()
    royals = {
        suit: {card for card in pack if card.suit == suit and card.rank >= 10} for suit in range(4)
    }
    counted = {}
    for mine in hands(pack):
        outcome = three_card.outcomes(mine, three_card.value(mine))[0]
        free = [suit for suit in royals if not royals[suit] & set(mine)]
        spades = int(3 in free)
        for key, ways in (((1, 0), spades), ((0, 1), len(free) - spades)):
            counted[outcome, key] = counted.get((outcome, key), 0) + ways
        counted[outcome, (0, 0)] = counted.get((outcome, (0, 0)), 0) + comb(49, 3) - len(free)
    found = {}
    for outcome, rows in tallies.own_hands_and_envy().items():
        for spades, rest, ways in rows:
            for key, ways_of in held_by_others(1, spades, rest).items():
                found[outcome, key] = found.get((outcome, key), 0) + ways * ways_of
    assert {k: v for k, v in found.items() if v} == {k: v for k, v in counted.items() if v}


def test_envy_of_two_others_pair_by_pair():
    """With nothing of one's own in the way: every two disjoint hands of the other 49 cards."""
    pack = [card for card in deck() if card not in deck()[:3]]
    royals = [
        frozenset(card for card in pack if card.suit == suit and card.rank >= 10)
        for suit in range(4)
    ]
    both = one_spade = one_other = two_others = 0
    for first in range(4):
        for second in range(4):
            if first != second and not royals[first] & royals[second]:
                both += {first, second} >= {3}
                two_others += 3 not in (first, second)
    rest = comb(46, 3) - 3  # hands of the one who holds none, when one royal is gone
    one_spade = 2 * rest
    one_other = 3 * 2 * rest
    found = held_by_others(2, 1, 3)
    assert found[1, 1] == both
    assert found[0, 2] == two_others
    assert found[1, 0] == one_spade
    assert found[0, 1] == one_other
    assert sum(found.values()) == comb(49, 3) * comb(46, 3)


def test_one_hand_in_four_suits():
    mine = [
        hand for hand in combinations(deck(), 3) if three_card.value(hand) == three_card.MINI_ROYAL
    ]
    assert len(mine) == 4


@cites(MD, "12.E(3)(a)", "12.E(3)(b)")
def test_the_long_run_at_the_least_rate_and_reset():
    """A meter pays what is put into it: the rate, and the reset amount each time it is won."""
    sheet = par(MD).out()
    (entry,) = (
        w
        for w in sheet.wagers
        if (w.wager, w.paytable, w.players, w.stake) == ("progressive", "A", 1, "1.00")
    )
    fixed = Fraction(entry.fixed_return)
    assert Fraction(entry.long_run.long_run_return) == fixed + Fraction(14, 100) + Fraction(
        1000, 22_100
    )
    (other,) = (
        w
        for w in sheet.wagers
        if (w.wager, w.paytable, w.players, w.stake) == ("progressive", "C", 1, "1.00")
    )
    assert other.long_run is None, "the text sets no least rate for C"


def test_the_long_run_played_out():
    """A small meter followed wager by wager until its average is plain: exact, in expectation.

    Let it pay whole with chance p, grow by g a wager, start again at r. What it shows on average
    before a wager solves m = (1 - p) m + p r + g - p g ... so p m = g + p r, which is what it pays.
    """
    one = three_card_progressive(MD, "A")
    (name,) = one.hits
    p, rate, reset = one.chance(name), Fraction(1, 5), 250_000
    mean = (rate * one.stake + p * reset) / p
    assert one.long_run({name: rate}, {name: reset}) == 1 - one.edge({name: mean})


def test_rules_of_ones_own_set_the_terms():
    rules = choose(
        MD, {"progressive": "A"}, meters={"progressive": {"rate": "25%", "reset": "5000.00"}}
    )
    entry = next(w for w in par(MD, rules).out().wagers if w.wager == "progressive")
    assert entry.at.meters == {"progressive": "5000.00"}
    assert Fraction(entry.long_run.long_run_return) == Fraction(entry.fixed_return) + Fraction(
        1, 4
    ) + Fraction(5000, 22_100)


def test_a_reserve_comes_to_the_players_in_the_long_run_and_moves_no_edge_of_this_moment():
    found = {}
    for rate, reserve in (("25%", "0%"), ("20%", "5%")):
        meters = {"progressive": {"rate": rate, "reserve": reserve, "reset": "5000.00"}}
        rules = choose(MD, {"progressive": "A"}, meters=meters)
        found[rate] = next(w for w in par(MD, rules).out().wagers if w.wager == "progressive")
    shown, hidden = found["25%"], found["20%"]
    assert hidden.long_run.long_run_return == shown.long_run.long_run_return
    assert (hidden.break_even, hidden.at) == (shown.break_even, shown.at)


def test_a_meter_that_is_asked_for():
    entry = par(MD, meters={"progressive": 1_008_000}).find("progressive", "A").out()
    assert entry.at.house_edge == "0"
    with pytest.raises(Refused):
        par(MD, meters={"progressive.mega": 100})


@cites(MA, "13(d)")
def test_a_table_that_returns_more_than_it_takes_is_found():
    """Only Table 3 of Massachusetts does, of all tables of all chapters."""
    found = {id: [e.id for e in generous(chapter(id))] for id in (MD, MA)}
    assert found == {MD: [], MA: ["returns-more-than-it-takes-progressive-3"]}
    (entry,) = generous(chapter(MA))
    assert entry.kind == "arithmetic"
    assert "113.03" in entry.finds
    generous_law = chapter(MA).amended({("pair_plus", "minimum", "pair"): "3 to 1"})
    assert "returns-more-than-it-takes-pair_plus-minimum" in [e.id for e in generous(generous_law)]


def five_card_sets(*wanted):
    """Every set of five cards of these outcomes, found by looking at all that could be one."""
    pack = deck()
    sets = []
    if "straight_flush" in wanted or "royal_flush" in wanted:
        for suit in range(4):
            one = [card for card in pack if card.suit == suit]
            sets += [five for five in combinations(one, 5) if poker.best_five(five) in wanted]
    if "straight" in wanted:
        for top in range(3, 13):
            ranks = {12 if rank < 0 else rank for rank in range(top - 4, top + 1)}
            by_rank = [[card for card in pack if card.rank == rank] for rank in ranks]
            sets += [five for five in product(*by_rank) if len({c.suit for c in five}) > 1]
    if "two_pair" in wanted:
        for low, high in combinations(range(13), 2):
            for pair in combinations([c for c in pack if c.rank == low], 2):
                for other in combinations([c for c in pack if c.rank == high], 2):
                    sets += [(*pair, *other, c) for c in pack if c.rank not in (low, high)]
    return sets


def kept_of(sets, lowest="Qc 6d 4h"):
    """Of all partings of these sets into hand and community, those whose hand is not folded."""
    least = three_card.value(cards(lowest))
    return Counter(
        poker.best_five(five)
        for five in sets
        for hand in combinations(five, 3)
        if three_card.value(hand) >= least
    )


ENVY = {
    "royal_flush": {"1.00": "$1000", "5.00": "$5000"},
    "straight_flush": {"1.00": "$300"},
    "straight": {"1.00": "$10"},
}


@cites(MD, "11.C(2)", "11.D(9)(g)", "11.D(9)(h)")
def test_a_folded_five_card_hand_brings_no_envy_and_a_fold_keeps_the_right_to_it():
    rules = choose(MD, {"five_card_progressive": "B", "five_card_envy": ENVY})
    kept = kept_of(five_card_sets(*ENVY))
    deals = comb(52, 3) * comb(49, 2)
    each = Fraction(
        1000 * kept["royal_flush"] + 300 * kept["straight_flush"] + 10 * kept["straight"], deals
    )
    assert kept["straight"] < 10_200 * 10, "some of them are folded"
    entries = [
        entry
        for entry in par(MD, rules).entries
        if entry.wager == "five_card_progressive" and entry.columns["stake"] == "1.00"
    ]
    assert [entry.columns["players"] for entry in entries] == list(range(1, 8))
    for entry in entries:
        others = entry.columns["players"] - 1
        one, beside = entry.progressive.wager, entry.progressive.beside
        assert one.fixed_return == one.own_return + others * each
        assert beside.fixed_return == beside.own_return + others * each
        assert beside.own_return < one.own_return
        out = entry.out()
        assert Fraction(out.beside_ante.fixed_return) == beside.fixed_return
        assert any(percent(beside.fixed_return, 4) in note for note in out.notes)
        assert (
            Fraction(out.beside_ante.meters["five_card_progressive.major"].break_even)
            == beside.break_even("five_card_progressive.major", entry.progressive.meters) / 100
        )
        # the rows add up: the wager's own, and the awards for the hands of others
        back = sum(Fraction(row.back) for row in out.outcomes)
        assert back == 1 - Fraction(out.at.house_edge)
        awards = [row for row in out.outcomes if row.outcome.startswith("envy_")]
        assert sum(Fraction(row.back) for row in awards) == others * each


@cites(MD, "11.C(2)", "11.D(9)(g)")
@pytest.mark.parametrize("strategy", ["optimal", "always_play"])
def test_sheet_and_simulation_have_one_figure_of_envy(strategy):
    rules = choose(MD, {"five_card_progressive": "B", "five_card_envy": ENVY})
    wagers = {"ante": 1000, "five_card_progressive": 100}
    plan = plan_of(rules, players=3, wagers=wagers, strategy=strategy)
    found = exact(playing(plan.encode()), 0, "five_card_envy")
    kept = kept_of(five_card_sets(*ENVY), "Qc 6d 4h" if strategy == "optimal" else "5c 3d 2h")
    amounts = {hand: int(by["1.00"][1:]) for hand, by in ENVY.items()}
    each = Fraction(
        sum(amounts[hand] * ways for hand, ways in kept.items()), comb(52, 3) * comb(49, 2)
    )
    assert found.mean == 2 * each
    if strategy == "optimal":
        entry = par(MD, rules, players=(3,), stakes=(100,)).find("five_card_progressive")
        assert entry.progressive.wager.envy_return == 2 * each


@pytest.mark.slow
@pytest.mark.parametrize(
    "hand", ["5c 3d 2h", "5c 3c 2h", "Kc 7c 2c", "9c Td Jh", "9c 9d 4h", "2c 2d 3c", "8c 8d 8h"]
)
def test_five_cards_around_one_hand_community_by_community(hand):
    """A row of the duel is kept alone: its hands beside every two cards, all outcomes counted."""
    mine = cards(hand)
    tally = tallies.duel(tallies.QUEEN_HIGH)
    ways = sum(pattern(other) == pattern(mine) for other in hands(deck()))
    left = [card for card in deck() if card not in mine]
    plain = Counter(poker.best_five((*mine, *two)) for two in combinations(left, 2))
    same = [
        row
        for row, value in enumerate(tally.value)
        if value == three_card.value(mine) and tally.ways[row] == ways
    ]
    # hands with two suited cards have three rows of a value, one for each two
    found = outcomes.five_cards_kept(
        tallies.QUEEN_HIGH, tuple(row == same[0] for row in range(len(tally.ways)))
    )
    counted = {names[0]: count for names, count in found.rows[:-1] if count}
    shown = plain if len(same) == 1 else {n: plain[n] for n in ("two_pair", "pair")}
    assert {name: counted[name] for name in shown} == {n: w * ways for n, w in shown.items()}
    assert sum(ways for _, ways in found.rows) == found.total == comb(52, 3) * comb(49, 2)


@cites(MD, "12.E(5)(a)")
@cites(MA, "13(e)(a)")
@pytest.mark.parametrize("id", [MD, MA])
def test_rows_of_a_progressive_add_up_with_envy(id):
    for entry in par(id).entries:
        if entry.progressive is not None:
            out = entry.out()
            assert sum(Fraction(row.back) for row in out.outcomes) == 1 - Fraction(
                out.at.house_edge
            )
            assert all(int(row.combinations) >= 0 for row in out.outcomes)


@cites(MD, "12.G(1)", "12.G(2)", "12.G(3)")
@pytest.mark.parametrize(
    ("hand", "community", "first", "second"),
    [
        ("straight_flush", "6h 7h", "8h 9h Th", "3h 4h 5h"),
        ("four_of_a_kind", "9c 5c", "9d 9h 9s", "5d 5h 5s"),
    ],
)
def test_a_sheet_says_which_meters_two_players_can_win_of(hand, community, first, second):
    """Two hands with the same community cards show that it can happen; royal flushes cannot."""
    for own in (first, second):
        assert poker.best_five(cards(f"{own} {community}")) == hand
    for table in "ABC":
        entry = par(choose(LAW, {"five_card_progressive": table})).find("five_card_progressive")
        for name, hits in entry.progressive.wager.hits.items():
            meter = f"{name.partition('.')[2]} meter".strip()
            alone = [hit.outcome for hit in hits] == ["royal_flush"]
            says = "Nobody else can win the" if alone else "Another player can win from the"
            assert any(note.startswith(f"{says} {meter} ") for note in entry.notes)
            if hand in [hit.outcome for hit in hits]:
                assert not alone
