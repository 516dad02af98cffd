"""Massachusetts' Three Card Poker: every payout and every branch of the settlement."""

from itertools import pairwise

import plain_massachusetts as plain
import pytest
from massachusetts_rounds import (
    ALL_WAGERS,
    EVERYTHING,
    HANDS,
    JACK_HIGH,
    QUEEN_HIGH,
    TIED,
    one,
    played,
    settled,
)

from houseway import cents
from houseway.law import MA, cites

# --- the ranking, Section 3 ---

DESCENDING = [
    "As Ks Qs", "Kd Qd Jd", "4c 3c 2c", "3h 2h Ah",  # (b)(1): A-K-Q highest, 3-2-A lowest
    "Ac Ad Ah", "2s 2d 2h",  # (b)(2)
    "Ac Kd Qh", "4c 3d 2h", "3c 2d Ah",  # (b)(3)
    "Ac Kc Jc", "Ac Kc Tc", "Ac Jc Tc", "Kc Qc Tc", "5c 3c 2c",  # (b)(4), then (c)
    "Ac Ad Kh", "Ac Ad 2h", "3c 3d 2h", "2c 2d Ah", "2c 2d 3h",  # (b)(5), then (c)
    "Ac Kd Jh", "Ac Kd Th", "Ac Qd Jh", "Kc Qd Th", "Qc 3d 2h",  # (c) alone
]  # fmt: skip


@cites(MA, "3(a)", "3(b)", "3(b)(1)", "3(b)(2)", "3(b)(3)", "3(b)(4)", "3(b)(5)", "3(c)")
@pytest.mark.parametrize(("higher", "lower"), list(pairwise(DESCENDING)))
def test_each_hand_beats_the_next(higher: str, lower: str) -> None:
    # the lower hand in other suits where the two would share a card; suits are equal in rank
    for turn in ("cdhs", "dhsc", "hscd", "scdh"):
        turned = " ".join(card[0] + turn["cdhs".index(card[1])] for card in lower.split())
        if not set(turned.split()) & set(higher.split()):
            break
    seats = {1: played(higher, ante="10.00")}
    assert one("ante", settled({}, turned, seats).seat(1).lines).result == "win"
    seats = {1: played(turned, ante="10.00")}
    assert one("ante", settled({}, higher, seats).seat(1).lines).result == "lose"


# --- ante and play, 11(a)(1) ---


@cites(MA, "6(a)(1)", "11(a)", "11(a)(1)")
def test_a_higher_hand_is_paid_even_money_twice() -> None:
    found = settled({}, QUEEN_HIGH, {1: played("Kc 8d 3h", ante="10.00")}).seat(1)
    assert [(line.wager, line.result, line.paid, line.clause) for line in found.lines] == [
        ("ante", "win", cents("10.00"), "11(a)(1)"),
        ("play", "win", cents("10.00"), "11(a)(1)"),
    ]
    assert found.net == cents("20.00")


@cites(MA, "11(a)(1)")
def test_a_lower_hand_loses_both() -> None:
    found = settled({}, QUEEN_HIGH, {1: played("Jc 8d 3h", ante="10.00")}).seat(1)
    assert [(line.wager, line.result) for line in found.lines] == [
        ("ante", "lose"),
        ("play", "lose"),
    ]
    assert found.net == -cents("20.00")


@cites(MA, "3(c)")
def test_equal_hands_are_a_draw_and_both_wagers_go_back() -> None:
    found = settled({}, "Kd 8h 3c", {1: played("Kc 8d 3h", ante="10.00")}).seat(1)
    assert [(line.result, line.clause) for line in found.lines] == [("push", "3(c)")] * 2
    assert found.net == 0


@cites(MA, "11(a)(1)")
@pytest.mark.parametrize("mine", ["Kc 8d 3h", "Tc 8d 3h"])
def test_below_queen_high_the_ante_is_paid_and_play_goes_back_whatever_the_player_holds(
    mine: str,
) -> None:
    found = settled({}, JACK_HIGH, {1: played(mine, ante="10.00")}).seat(1)
    assert [(line.wager, line.result, line.paid) for line in found.lines] == [
        ("ante", "win", cents("10.00")),
        ("play", "push", 0),
    ]


@cites(MA, "11(a)(1)")
def test_the_lowest_queen_high_plays_and_the_highest_jack_high_does_not() -> None:
    seats = {1: played("9c 8d 6h", ante="10.00")}
    assert one("ante", settled({}, "Qd 3h 2c", seats).seat(1).lines).result == "lose"
    assert one("ante", settled({}, "Jd Th 8c", seats).seat(1).lines).result == "win"


# --- the ante bonus, 11(a)(3) ---


def bonus_of(rules: dict, cards: str, dealer: str = QUEEN_HIGH) -> tuple[int, str]:
    wagers = {"ante": "10.00"} | ({"pair_plus": "10.00"} if rules.get("version") else {})
    lines = settled(rules, dealer, {1: played(cards, **wagers)}).seat(1).lines
    found = [line for line in lines if line.wager == "ante_bonus"]
    return (found[0].paid, found[0].clause) if found else (0, "")


@cites(MA, "11(a)(3)")
@pytest.mark.parametrize("called", HANDS)
def test_the_ante_bonus_of_the_plain_game(called: str) -> None:
    pays = plain.line_of(plain.ANTE_BONUS["standard"], called) or 0
    assert bonus_of({}, HANDS[called]) == (pays * cents("10.00"), "11(a)(3)" if pays else "")


@cites(MA, "11(a)(3)(i)")
@pytest.mark.parametrize("called", HANDS)
@pytest.mark.parametrize("table", "ABC")
@pytest.mark.parametrize("version", TIED)
def test_the_ante_bonus_of_the_other_versions(version: str, table: str, called: str) -> None:
    pays = plain.line_of(plain.ANTE_BONUS[table], called) or 0
    found = bonus_of({"version": version, "ante_bonus": table}, HANDS[called])
    assert found == (pays * cents("10.00"), "11(a)(3)(i)" if pays else "")


@cites(MA, "11(a)(3)(i)")
def test_table_b_pays_spades_as_any_other_suit() -> None:
    rules = {"version": "both_compulsory", "ante_bonus": "B"}
    assert bonus_of(rules, "As Ks Qs") == bonus_of(rules, "Ah Kh Qh")
    assert bonus_of({**rules, "ante_bonus": "A"}, "As Ks Qs") != bonus_of(
        {**rules, "ante_bonus": "A"}, "Ah Kh Qh"
    )


@cites(MA, "11(a)(3)")
@pytest.mark.parametrize(
    "dealer", ["Ts Td Th", "9s 8h 7d", JACK_HIGH], ids=["lost", "tied", "not qualified"]
)
def test_the_ante_bonus_is_paid_whatever_the_dealer_holds(dealer: str) -> None:
    assert bonus_of({}, "9c 8d 7h", dealer)[0] == cents("10.00")


@cites(MA, "11(a)(3)")
def test_a_folded_hand_has_no_ante_bonus() -> None:
    found = settled({}, QUEEN_HIGH, {1: played("9c 8d 7h", "fold", ante="10.00")}).seat(1)
    assert [line.wager for line in found.lines] == ["ante"]


# --- Pair Plus, 11(a)(2) ---


@cites(MA, "6(a)(2)", "11(a)(2)")
@pytest.mark.parametrize("called", HANDS)
def test_pair_plus_pays_the_printed_minimum(called: str) -> None:
    pays = plain.line_of(plain.PAIR_PLUS, called)
    seats = {1: played(HANDS[called], None, pair_plus="5.00")}
    (line,) = settled({}, "2s 2d 5s", seats).seat(1).lines
    assert (line.wager, line.clause) == ("pair_plus", "11(a)(2)")
    assert (line.result, line.paid) == (("win", pays * 500) if pays else ("lose", 0))


@cites(MA, "11(a)(2)")
def test_pair_plus_pays_a_table_of_the_houses_own() -> None:
    own = {
        "pair": "1 to 1", "flush": "4 to 1", "straight": "6 to 1", "three_of_a_kind": "30 to 1",
        "straight_flush": "40 to 1",
    }  # fmt: skip
    rules = {"paytables": {"pair_plus": own}}
    for called, pays in (("flush", 4), ("straight_flush", 40), ("mini_royal", 40)):
        seats = {1: played(HANDS[called], None, pair_plus="5.00")}
        assert one("pair_plus", settled(rules, "2s 2d 3s", seats).seat(1).lines).paid == pays * 500
    with_line = {"pair_plus": {**own, "mini_royal": "200 to 1"}}
    seats = {1: played("As Ks Qs", None, pair_plus="5.00")}
    found = settled({"paytables": with_line}, QUEEN_HIGH, seats).seat(1)
    assert one("pair_plus", found.lines).paid == 200 * 500


# --- giving up, 10(b) ---


@cites(MA, "10(b)", "6(g)(2)", "13(c)")
def test_a_fold_costs_the_ante_and_the_progressive_and_nothing_else() -> None:
    rules = {**EVERYTHING, "settlement": "by_player"}
    seats = {1: played("9c 8d 7h", "fold", **ALL_WAGERS)}
    found = settled(rules, "6s 5d Kc", seats).seat(1)
    assert [(line.wager, line.result, line.paid, line.clause) for line in found.lines] == [
        ("ante", "forfeit", 0, "10(b)"),
        ("pair_plus", "win", 5 * 500, "11(a)(2)"),
        ("six_card_bonus", "win", 10 * 200, "6(g)(4)"),
        ("progressive", "forfeit", 0, "13(c)"),
        ("cover_all", "win", 5 * 400, "12(k)"),
    ]


@cites(MA, "13(c)")
def test_where_the_house_says_so_a_folded_hand_wins_the_progressive() -> None:
    rules = {**EVERYTHING, "folded_hands_win_progressive": True}
    seats = {1: played("As Ks Qs", "fold", ante="10.00", progressive="1.00")}
    found = settled(rules, QUEEN_HIGH, seats, "5000.00")
    assert one("progressive", found.seat(1).lines).paid == cents("4999.00")
    assert found.meters["progressive"].paid == cents("5000.00")


@cites(MA, "10(b)", "12(g)")
@pytest.mark.parametrize("cards", ["9c 8c 7c", ""], ids=["known", "never looked at"])
def test_a_hand_given_up_unseen_takes_its_wagers_with_it(cards: str) -> None:
    rules = {**EVERYTHING, "folded_hands_win_progressive": True}
    seats = {1: played(cards, "forfeit", **ALL_WAGERS)}
    found = settled(rules, "Kc Kd Kh", seats).seat(1)
    assert {(line.wager, line.result, line.clause) for line in found.lines[:-1]} == {
        (wager, "forfeit", "10(b)") for wager in ALL_WAGERS if wager != "cover_all"
    }
    # the owner's Cover All stands, on the dealer's three kings and not on the hand given up
    last = found.lines[-1]
    assert (last.wager, last.result, last.paid) == ("cover_all", "win", 50 * 400)


# --- the order of settlement, 10(c) ---

#: a dealer's pair of tens; seat 1 loses to it with a pair, seat 2 has a mini royal
MIXED = (
    "Td Th 2s",
    {1: played("9c 9d 4h", **ALL_WAGERS), 2: played("Ah Kh Qh", ante="10.00")},
)


@cites(MA, "10(c)(1)", "10(c)(1)(ii)", "10(c)(1)(iii)", "12(j)", "13(c)", "13(e)(c)")
def test_by_procedure_losing_wagers_are_collected_before_winners_are_paid() -> None:
    found = settled({**EVERYTHING, "settlement": "by_procedure"}, *MIXED)
    assert [(line.wager, line.result) for line in found.seat(1).lines] == [
        ("ante", "lose"),
        ("play", "lose"),
        ("six_card_bonus", "lose"),
        ("progressive", "lose"),
        ("pair_plus", "win"),
        ("cover_all", "win"),
        ("envy", "bonus"),
    ]


@cites(MA, "10(c)(2)", "10(c)(2)(ii)", "12(j)", "13(c)", "13(e)(c)")
def test_by_player_each_wager_is_settled_in_its_turn() -> None:
    found = settled({**EVERYTHING, "settlement": "by_player"}, *MIXED)
    assert [(line.wager, line.result) for line in found.seat(1).lines] == [
        ("ante", "lose"),
        ("play", "lose"),
        ("pair_plus", "win"),
        ("six_card_bonus", "lose"),
        ("progressive", "lose"),
        ("cover_all", "win"),
        ("envy", "bonus"),
    ]


# --- match play coupons, 6(b) ---


def coupon(cards: str, dealer: str, decision: str = "play", on: str = "ante") -> tuple[str, int]:
    wagers = {"ante": "10.00", "pair_plus": "5.00"}
    seats = {1: {**played(cards, decision, **wagers), "coupon": {on: "5.00"}}}
    found = settled({"match_play": True}, dealer, seats).seat(1)
    line = one("coupon", found.lines)
    assert (line.stake, line.clause) == (0, "6(b)")
    assert found.net == sum(other.net for other in found.lines if other is not line) + line.paid
    return line.result, line.paid


@cites(MA, "6(b)")
def test_a_coupon_is_paid_even_money_once_if_its_wager_wins() -> None:
    assert coupon("Kc 8d 3h", QUEEN_HIGH) == ("bonus", 500)
    assert coupon("Tc 8d 3h", JACK_HIGH) == ("bonus", 500)
    # Pair Plus pays a straight flush 35 to 1 on the chips, the coupon 1 to 1
    assert coupon("9c 8c 7c", QUEEN_HIGH, on="pair_plus") == ("bonus", 500)


@cites(MA, "6(b)")
@pytest.mark.parametrize(
    ("cards", "dealer", "decision", "on"),
    [
        ("Jc 8d 3h", QUEEN_HIGH, "play", "ante"),
        ("Kc 8d 3h", "Kd 8h 3c", "play", "ante"),
        ("Kc 8d 3h", QUEEN_HIGH, "fold", "ante"),
        ("Kc 8d 3h", QUEEN_HIGH, "play", "pair_plus"),
        ("9c 8c 7c", QUEEN_HIGH, "forfeit", "pair_plus"),
    ],
    ids=["lost", "tied", "folded", "no pair", "given up unseen"],
)
def test_otherwise_it_is_collected(cards: str, dealer: str, decision: str, on: str) -> None:
    assert coupon(cards, dealer, decision, on) == ("lose", 0)


@cites(MA, "6(b)")
@pytest.mark.parametrize(("wager", "pays"), [("ante", 1), ("pair_plus", 1)])
def test_a_coupon_written_as_an_amount_lies_on_the_standard_wager(wager: str, pays: int) -> None:
    seat = played("9c 9d 4h", "play" if wager == "ante" else None, **{wager: "10.00"})
    found = settled({"match_play": True}, QUEEN_HIGH, {1: {**seat, "coupon": "5.00"}}).seat(1)
    assert one("coupon", found.lines).paid == pays * 500
