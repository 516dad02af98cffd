"""Down Under Blackjack settled: every payout, every branch, and the twin on random rounds."""

import json
from fractions import Fraction
from itertools import permutations, product

import plain_blackjack as plain
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.cards import cards
from houseway.game_api.notation import deal
from houseway.game_api.round_json import read_round
from houseway.game_api.settle import settle, settle_json
from houseway.games.down_under.play import insurance_most, insurance_open
from houseway.games.down_under.settlement import matches, outcome, steps
from houseway.law import DOWN_UNDER, chapter, choose, cites

LETTER = choose(DOWN_UNDER)
USUAL = choose(DOWN_UNDER, {"dealer_soft_22": "counts_as_12"})
MATCH_6 = choose(DOWN_UNDER, {"match_the_dealer": True})
MATCH_8 = choose(DOWN_UNDER, {"match_the_dealer": True, "decks": 8})


def one(dealer, *hands, rules=LETTER, wagers=None, **seat):
    """The lines of a single seat with a bet of ten dollars, each as a short tuple."""
    split = len(hands) > 1
    held = [
        {"split": split, **(hand if isinstance(hand, dict) else {"cards": hand})} for hand in hands
    ]
    given = {"wagers": {"bet": "10.00", **(wagers or {})}, "hands": held, **seat}
    settled = settle(deal(rules, dealer=dealer, seats={1: given}))
    return settled.seat(1).lines


def brief(lines):
    return [(line.wager, line.result, line.paid, line.clause) for line in lines]


# --- the bet


@pytest.mark.parametrize(
    ("dealer", "hand", "result", "clause"),
    [
        ("Ks 9d", "Th Qc", "win", "685a.7(o)(2)"),
        ("Ks 9d", "Th 9c", "push", "685a.7(p)"),
        ("Ks 9d", "Th 8c", "lose", "685a.7(q)(2)"),
        ("Ks 6d 7h", "Th 2c", "win", "685a.7(o)(1)"),
        ("Ks 6d 7h", "Th 2c Kd", "lose", "685a.7(q)(1)"),
        ("Ks 9d", "Th 2c Kd", "lose", "685a.7(q)(1)"),
        ("Ks 5d 6h", "7h 7c 7d", "push", "685a.7(p)"),
        ("Ks 5d 6h", "Th Jc", "lose", "685a.7(q)(2)"),
    ],
)
@cites(DOWN_UNDER, "685a.7(n)(2)", "685a.7(o)", "685a.7(o)(1)", "685a.7(o)(2)", "685a.7(p)")
@cites(DOWN_UNDER, "685a.7(q)", "685a.7(q)(1)", "685a.7(q)(2)", "685a.11(a)")
def test_a_bet_against_a_total_that_is_not_22(dealer, hand, result, clause):
    [line] = one(dealer, hand)
    assert (line.wager, line.stake, line.result, line.clause) == ("bet", 1000, result, clause)
    assert line.paid == (1000 if result == "win" else 0)
    assert line.odds == ("1 to 1" if result == "win" else None)
    assert line.hand is None


@pytest.mark.parametrize(
    ("hand", "result", "clause"),
    [
        ("7h 7c 7d", "win", "685a.7(n)(1)"),  # hard 21
        ("Ah 2c 8d", "win", "685a.7(n)(1)"),  # soft 21
        ("Kh Tc", "win", "685a.7(n)(1)"),  # two original large cards
        ("Ah Ac", "win", "685a.7(n)(1)"),  # two aces as well
        ("9h Tc", "push", "685a.7(n)(1)"),
        ("2h 3c", "push", "685a.7(n)(1)"),
        ("5h 5c Td", "push", "685a.7(n)(1)"),  # 20 in three cards
        ("Kh 6c 9d", "lose", "685a.7(q)(1)"),  # bust all the same
    ],
)
@cites(DOWN_UNDER, "685a.7(n)", "685a.7(n)(1)", "685a.7(q)(1)")
def test_a_dealers_22_pays_21_and_two_large_cards_and_returns_the_rest(hand, result, clause):
    for dealer in ("Ks 6d 6h", "As Ad", "As 5d 6h"):
        [line] = one(dealer, hand)
        assert (line.result, line.clause) == (result, clause)
        assert line.paid == (1000 if result == "win" else 0)


@cites(DOWN_UNDER, "685a.7(n)(1)")
def test_a_dealers_22_and_hands_from_a_split():
    lines = one("Ks 6d 6h", "Kh Td", "Kd Ac")
    # king and ten after a split are not two original cards; king and ace are 21
    assert [(line.wager, line.result) for line in lines] == [("bet", "push"), ("split", "win")]


@cites(DOWN_UNDER, "685a.7(n)(1)")
def test_a_dealers_22_pays_the_whole_wager_on_a_doubled_21():
    lines = one("Ks 6d 6h", {"cards": "6h 5c Td", "doubled": "7.50"})
    assert brief(lines) == [
        ("bet", "win", 1000, "685a.7(n)(1)"),
        ("double", "win", 750, "685a.7(n)(1)"),
    ]
    # two large cards that drew a third are no longer exactly two
    lines = one("Ks 6d 6h", {"cards": "Ah Ac 8d", "doubled": True})
    assert [line.result for line in lines] == ["push", "push"]


@cites(DOWN_UNDER, "685a.3(d)(3)", "685a.7(n)(1)")
def test_the_other_reading_makes_a_dealer_draw_on_two_aces():
    [line] = one("As Ad 5h", "Kh Tc", rules=USUAL)
    assert (line.result, line.clause) == ("win", "685a.7(o)(2)")  # 17, where the letter has 22
    [line] = one("As Ad Th Kd", "Kh Tc", rules=USUAL)
    assert (line.result, line.clause) == ("win", "685a.7(n)(1)")  # 1, 1, 10 and 10 are 22


# --- blackjack, insurance, even money


@cites(DOWN_UNDER, "685a.7(i)(1)", "685a.11(a)")
def test_a_blackjack_is_paid_three_to_two_whatever_the_dealer_draws_to():
    for dealer in ("9s 2d Th", "Ks 6d 6h", "Ks 9d", "9s 2d"):
        [line] = one(dealer, "Ah Kc")
        assert brief([line]) == [("bet", "win", 1500, "685a.7(i)(1)")]
        assert line.odds == "3 to 2"


@cites(DOWN_UNDER, "685a.7(h)(1)", "685a.7(h)(2)")
def test_a_dealers_blackjack():
    for dealer in ("As Kd", "Ks Ad"):
        assert brief(one(dealer, "Ah Kc")) == [("bet", "push", 0, "685a.7(h)(1)")]
        assert brief(one(dealer, "Th Kc")) == [("bet", "lose", 0, "685a.7(h)(2)")]


@cites(DOWN_UNDER, "685a.7(h)(1)", "685a.7(h)(2)", "685a.8(a)", "685a.8(c)", "685a.11(b)")
def test_insurance_wins_on_a_ten_under_the_ace():
    for hole in ("Td", "Jd", "Qd", "Kd"):
        lines = one(f"As {hole}", "Th 9c", wagers={"insurance": "5.00"})
        assert {line.wager: line.net for line in lines} == {"bet": -1000, "insurance": 1000}
        paid = next(line for line in lines if line.wager == "insurance")
        assert (paid.odds, paid.clause) == ("2 to 1", "685a.11(b)")
        lines = one(f"As {hole}", "Ah Kc", wagers={"insurance": "2.50"})
        assert {line.wager: line.net for line in lines} == {"bet": 0, "insurance": 500}


@cites(DOWN_UNDER, "685a.8(d)")
def test_losing_insurance_is_collected_before_the_bet():
    lines = one("As 7d", "Th 9c", wagers={"insurance": "5.00"})
    assert brief(lines) == [
        ("insurance", "lose", 0, "685a.8(d)"),
        ("bet", "win", 1000, "685a.7(o)(2)"),
    ]


@cites(DOWN_UNDER, "685a.7(g)")
def test_even_money_is_the_bet_again_whatever_the_hole_card():
    for dealer in ("As Kd", "As 9d", "As Ad", "As 5d"):
        lines = one(dealer, "Ah Kc", even_money=True)
        assert brief(lines) == [
            ("bet", "returned", 0, "685a.7(g)"),
            ("even_money", "bonus", 1000, "685a.7(g)"),
        ]
        assert lines[1].odds == "1 to 1"
        insured = one(dealer, "Ah Kc", wagers={"insurance": "5.00"})
        assert sum(line.net for line in insured) == sum(line.net for line in lines)


@cites(DOWN_UNDER, "685a.8(a)")
def test_insurance_is_open_on_an_ace_and_nothing_else():
    for card in cards("2c 9d Ts Kh"):
        assert not insurance_open(LETTER, card)
    for card in cards("Ac Ad Ah As"):
        assert insurance_open(LETTER, card)


@given(bet=st.integers(1, 10_000), unit=st.sampled_from(["0.50", "1.00", "2.50", "5.00"]))
@cites(DOWN_UNDER, "685a.8(b)")
def test_insurance_is_at_most_half_the_bet_or_the_next_chip(bet, unit):
    rules = choose(DOWN_UNDER, {"chip_unit": unit})
    size = rules.chip_unit
    most = insurance_most(rules, bet * size)
    assert most % size == 0
    assert 0 <= most - Fraction(bet * size, 2) < size


# --- double and split


@cites(DOWN_UNDER, "685a.9(a)", "685a.11(a)")
def test_a_double_shares_the_fate_of_its_bet():
    lines = one("Ks 9d", {"cards": "6h 5c Td", "doubled": True})
    assert [(line.wager, line.stake, line.paid) for line in lines] == [
        ("bet", 1000, 1000),
        ("double", 1000, 1000),
    ]
    lines = one("Ks 9d", {"cards": "6h 5c 2d", "doubled": "2.50"})
    assert [(line.wager, line.net) for line in lines] == [("bet", -1000), ("double", -250)]
    lines = one("Ks 9d", {"cards": "6h 5c 8d", "doubled": "2.50"})
    assert [(line.wager, line.result) for line in lines] == [("bet", "push"), ("double", "push")]


@cites(DOWN_UNDER, "685a.10(a)", "685a.10(c)")
def test_a_split_has_two_hands_with_a_bet_each():
    lines = one("Ks 9d", "8h Tc", {"cards": "8c 3d Kc", "doubled": True})
    assert [(line.wager, line.hand, line.net) for line in lines] == [
        ("bet", 1, -1000),
        ("split", 2, 1000),
        ("double", 2, 1000),
    ]


@cites(DOWN_UNDER, "685a.10(e)", '685a.1 "Blackjack"')
def test_split_aces_with_a_ten_are_21_and_no_blackjack():
    lines = one("Ks 9d", "Ah Tc", "Ac Kd")
    assert [(line.result, line.odds, line.paid) for line in lines] == [("win", "1 to 1", 1000)] * 2


@cites(DOWN_UNDER, "685a.9(b)", "685a.10(d)")
def test_a_dealers_blackjack_takes_no_more_than_the_first_bet():
    lines = one("Ks Ad", {"cards": "6h 5c Td", "doubled": True})
    assert brief(lines) == [
        ("bet", "lose", 0, "685a.7(h)(2)"),
        ("double", "returned", 0, "685a.9(b)"),
    ]
    lines = one("Ks Ad", {"cards": "8h 3c Td", "doubled": "5.00"}, "8c Td")
    assert {(line.wager, line.hand): (line.result, line.clause) for line in lines} == {
        ("bet", 1): ("lose", "685a.7(h)(2)"),
        ("double", 1): ("returned", "685a.9(b)"),
        ("split", 2): ("returned", "685a.10(d)"),
    }


# --- Match-the-Dealer


@pytest.mark.parametrize(
    ("hand", "outcomes"),
    [
        ("Kh 9c", []),
        ("7h 9c", ["unsuited_match"]),
        ("9c 7s", ["suited_match"]),
        ("7h 7c", ["unsuited_match", "unsuited_match"]),
        ("7s 7c", ["suited_match", "unsuited_match"]),
        ("7s 7s", ["suited_match", "suited_match"]),
    ],
)
@cites(DOWN_UNDER, "685a.7(f)", "685a.11(c)")
def test_match_the_dealer_pays_each_card_by_itself(hand, outcomes):
    printed = {
        6: {"suited_match": 11, "unsuited_match": 4},
        8: {"suited_match": 14, "unsuited_match": 3},
    }
    for rules in (MATCH_6, MATCH_8):
        times = sum(printed[rules["decks"]][name] for name in outcomes)
        lines = one("7s Kd", hand, rules=rules, wagers={"match_the_dealer": "2.50"})
        line = lines[0]
        assert (line.wager, line.stake) == ("match_the_dealer", 250)
        assert line.net == (250 * times if outcomes else -250)
        assert line.clause == ("685a.11(c)" if outcomes else "685a.7(f)")
        assert line.odds == (f"{times} to 1" if outcomes else None)


@cites(DOWN_UNDER, "685a.11(c)")
def test_the_match_tables_are_those_of_the_decks_in_play():
    for rules in (MATCH_6, MATCH_8):
        assert rules.table("match_the_dealer").id == str(rules["decks"])


@cites(DOWN_UNDER, "685a.7(f)")
def test_ten_jack_queen_and_king_match_only_themselves():
    for up, mine in product("TJQK", repeat=2):
        expected = ("unsuited_match",) if up == mine else ()
        [up_card], held = cards([up + "s"]), cards([mine + "h", "2c"])
        assert matches(up_card, held) == expected


@cites(DOWN_UNDER, "685a.7(f)")
def test_a_split_does_not_change_the_first_two_cards():
    lines = one("8s Kd", "8h 8s", "8c Td", rules=MATCH_6, wagers={"match_the_dealer": "1.00"})
    # the suited eight came after the split and does not count
    assert lines[0].paid == 2 * 400


@cites(DOWN_UNDER, "685a.11(a)", "685a.11(b)", "685a.11(c)")
def test_no_row_of_a_paytable_is_left_unpaid():
    """Each printed payout reaches a player in some round."""
    seen = set()
    rounds = [
        one("Ks 9d", "Th Qc"),
        one("Ks 9d", "Ah Qc"),
        one("As Kd", "Th 9c", wagers={"insurance": "5.00"}),
        one("As 9d", "Ah Qc", even_money=True),
        one("Ks 9d", {"cards": "6h 5c Td", "doubled": True}),
        one("Ks 9d", "8h Ac", "8c 4c 9d"),
    ]
    for rules, hand in product((MATCH_6, MATCH_8), ("7s 2c", "7h 2c")):
        rounds.append(one("7s Kd", hand, rules=rules, wagers={"match_the_dealer": "1.00"}))
    for lines in rounds:
        seen |= {(line.wager, line.odds) for line in lines if line.net > 0}
    printed = {
        (table.wager, row.pays) for table in chapter(DOWN_UNDER).paytable_data for row in table.rows
    }
    assert seen == printed


# --- order


def mixed_table(settlement):
    rules = choose(DOWN_UNDER, {"match_the_dealer": True, "settlement": settlement})
    return deal(
        rules,
        dealer="As 8d",
        seats={
            1: {"wagers": {"bet": "10.00"}, "hands": [{"cards": "Ad Kd"}]},
            2: {"wagers": {"bet": "10.00", "insurance": "5.00"}, "hands": [{"cards": "Td 7d"}]},
            3: {
                "wagers": {"bet": "10.00", "match_the_dealer": "1.00"},
                "hands": [{"cards": "9h Jd", "split": False}],
            },
            4: {"wagers": {"bet": "10.00"}, "hands": [{"cards": "Ah Qd"}], "even_money": True},
            5: {
                "wagers": {"bet": "10.00", "match_the_dealer": "1.00", "insurance": "1.00"},
                "hands": [
                    {"cards": "8h 3d Tc", "split": True},
                    {"cards": "8c 9c", "split": True},
                ],
            },
            6: {"wagers": {"bet": "10.00"}, "hands": [{"cards": "Ac Jc"}]},
        },
    )


BEFORE_THE_LAST = [
    (5, "match_the_dealer", None), (3, "match_the_dealer", None),  # 7(f), from the right
    (4, "bet", None), (4, "even_money", None),  # 7(g)
    (5, "insurance", None), (2, "insurance", None),  # 8(d)
    (1, "bet", None), (6, "bet", None),  # 7(i)(1): blackjacks from the left
]  # fmt: skip


@pytest.mark.parametrize(
    ("settlement", "last"),
    [
        ("losers_first", [(5, "split", 2), (2, "bet", None), (5, "bet", 1), (3, "bet", None)]),
        ("by_player", [(5, "split", 2), (5, "bet", 1), (3, "bet", None), (2, "bet", None)]),
    ],
)
@cites(DOWN_UNDER, "685a.7(f)", "685a.7(g)", "685a.7(i)(1)", "685a.8(d)")
@cites(DOWN_UNDER, "685a.7(r)", "685a.7(r)(1)", "685a.7(r)(2)")
def test_the_order_of_settlement(settlement, last):
    order = [
        (step.seat, step.line.wager, step.line.hand) for step in steps(mixed_table(settlement))
    ]
    assert order == BEFORE_THE_LAST + last


@cites(DOWN_UNDER, "685a.7(r)")
def test_the_order_changes_no_amount():
    first, second = (settle(mixed_table(order)) for order in ("losers_first", "by_player"))
    assert [seat.net for seat in first.seats] == [seat.net for seat in second.seats]


# --- what holds for every round


@st.composite
def games(draw):
    decks = draw(st.sampled_from([4, 5, 6, 8]))
    match = draw(st.booleans()) and decks in (6, 8)
    seats = draw(st.lists(st.integers(1, 6), min_size=1, max_size=6, unique=True))
    chance = draw(st.randoms(use_true_random=True))
    return plain.play(
        chance,
        decks=decks,
        match=match,
        dealer_most=draw(st.sampled_from([22, 21])),
        seats=sorted(seats),
    )


@pytest.mark.slow
@settings(max_examples=400)
@given(games(), st.sampled_from(["losers_first", "by_player"]))
@cites(DOWN_UNDER, "685a.7(h)(1)", "685a.7(h)(2)", "685a.7(n)(1)", "685a.7(n)(2)", "685a.11(a)")
def test_a_round_played_by_the_text_settles_as_the_twin_says(game, settlement):
    text = json.dumps(plain.as_round(game, settlement=settlement))
    settled = settle(read_round(text))
    for box in game.boxes:
        assert settled.seat(box.seat).net == plain.net(game, box)
    assert settled.house + sum(seat.net for seat in settled.seats) == 0
    written = settle_json(text)
    everything = [Fraction(seat.net) for seat in written.seats] + [Fraction(written.house)]
    assert sum(everything) == 0


@given(games(), st.randoms(use_true_random=False))
def test_the_order_in_which_seats_are_listed_does_not_matter(game, chance):
    given_order = plain.as_round(game)
    other = {**given_order, "seats": list(given_order["seats"])}
    chance.shuffle(other["seats"])
    assert settle_json(json.dumps(given_order)) == settle_json(json.dumps(other))


@given(games(), st.sampled_from(list(permutations("cdhs"))))
def test_suits_may_change_places(game, suits):
    changed = str.maketrans("cdhs", "".join(suits))

    def other(held):
        return [card[0] + card[1].translate(changed) for card in held]

    before = settle_json(json.dumps(plain.as_round(game)))
    game.dealer = other(game.dealer)
    for box in game.boxes:
        for hand in box.hands:
            hand.cards = other(hand.cards)
    assert settle_json(json.dumps(plain.as_round(game))) == before


@cites(DOWN_UNDER, "685a.7(n)(1)", "685a.7(o)(2)", "685a.7(q)(2)")
def test_a_higher_total_is_never_worse():
    worth = {"lose": -1, "push": 0, "win": 1}
    for dealer, two_large in product(range(17, 27), (False, True)):
        results = [
            worth[outcome(LETTER, mine, dealer, two_large=two_large)[0]] for mine in range(4, 22)
        ]
        assert results == sorted(results)


@settings(max_examples=200)
@given(games())
def test_every_wager_has_one_line_with_its_stake(game):
    settled = settle(read_round(json.dumps(plain.as_round(game))))
    for box in game.boxes:
        staked = box.match + box.insurance
        staked += sum(box.bet + hand.doubled for hand in box.hands)
        assert sum(line.stake for line in settled.seat(box.seat).lines) == staked
        for line in settled.seat(box.seat).lines:
            assert line.clause in chapter(DOWN_UNDER).clauses
            if line.odds is not None and line.stake:
                times, by = line.odds.split(" to ")
                assert line.paid * int(by) == line.stake * int(times)
