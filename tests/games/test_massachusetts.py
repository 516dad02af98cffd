"""Massachusetts' Three Card Poker: every payout and every branch of the settlement."""

from itertools import combinations, pairwise
from math import comb

import plain_massachusetts as plain
import pytest
from massachusetts_rounds import TIED, one, settled
from plain_poker import DECK, THREE_CARD, three_card

from houseway import cents, chapter
from houseway.law import MA, cites

#: a hand for each name a table may have
HANDS = {
    "mini_royal_spades": "As Ks Qs",
    "mini_royal": "Ah Kh Qh",
    "straight_flush": "9c 8c 7c",
    "three_of_a_kind": "8c 8d 8h",
    "straight": "9c 8d 7h",
    "flush": "Kc 8c 3c",
    "pair": "9c 9d 4h",
    "high_card": "Kc 8d 3h",
}
QUEEN_HIGH = "Qd 5h 2c"
JACK_HIGH = "Jd 5h 2c"


def played(cards: str, decision: str | None = "play", **wagers: str) -> dict:
    return {"wagers": wagers, "cards": cards, "decision": decision}


def junk(hands: int, *, beside: str) -> list[str]:
    """So many hands below a straight from the rest of the deck."""
    rest = [card for card in DECK if card not in beside.split()]
    found = []
    while len(found) < hands:
        hand = next(
            hand
            for hand in combinations(rest[:: len(rest) // 5], 3)
            if three_card(list(hand))[0] < THREE_CARD.index("straight")
        )
        rest = [card for card in rest if card not in hand]
        found.append(" ".join(hand))
    return found


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

EVERYTHING = {
    "six_card_bonus": "TCP-6B1",
    "cover_all": True,
    "shuffler": "counting",
    "progressive": "1",
}
ALL_WAGERS = {
    "ante": "10.00",
    "pair_plus": "5.00",
    "six_card_bonus": "2.00",
    "cover_all": "4.00",
    "progressive": "1.00",
}


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


# --- the 6 Card Bonus, 6(g) ---

#: what the six cards are paid as, the player's three, the dealer's three
SIX = [
    ("royal_flush", "As Ks Qs", "Js Ts 2d"),
    ("royal_flush", "As Ks Qs", "Js Ts 9s"),  # six in a row have no line of their own here
    ("straight_flush", "9h 8h 7h", "6h 5h 2d"),
    ("straight_flush", "Ah 2h 3h", "4h 5h Kd"),
    ("four_of_a_kind", "9c 9d 9h", "9s 2d 3c"),
    ("full_house", "9c 9d 9h", "2s 2d 4c"),
    ("full_house", "9c 9d 9h", "2s 2d 2c"),
    ("flush", "Kc 8c 3c", "2c 9c Jd"),
    ("straight", "9c 8d 7h", "6s 5d Kc"),
    ("straight", "Ac Kd Qh", "Js Td 2c"),
    ("three_of_a_kind", "9c 9d 2h", "9s 4d Kc"),
    ("nothing paid", "9c 9d 2h", "2s 4d Kc"),
    ("nothing paid", "9c 9d 2h", "2s 4d 4c"),
    ("nothing paid", "Qc Kd Ah", "2s 3d 7c"),  # a straight does not go around the ace
]


@cites(MA, "6(g)", "6(g)(1)", "6(g)(4)")
@pytest.mark.parametrize(("called", "mine", "dealer"), SIX)
@pytest.mark.parametrize("table", plain.SIX_CARD)
def test_the_6_card_bonus_pays_the_best_five_of_six(
    table: str, called: str, mine: str, dealer: str
) -> None:
    pays = dict(zip(plain.SIX_CARD_HANDS, plain.SIX_CARD[table], strict=True)).get(called)
    seats = {1: played(mine, ante="10.00", six_card_bonus="5.00")}
    line = one("six_card_bonus", settled({"six_card_bonus": table}, dealer, seats).seat(1).lines)
    assert line.clause == "6(g)(4)"
    assert (line.result, line.paid) == (("win", pays * 500) if pays else ("lose", 0))


# --- Cover All, Section 12 ---


def cover_all(hands: list[str], dealer: str, decisions: dict[int, str] | None = None):
    """Seat 1 wagers $4 on Cover All; everyone antes."""
    seats = {
        number: played(hand, (decisions or {}).get(number, "play"), ante="10.00")
        for number, hand in enumerate(hands, start=1)
    }
    seats[1]["wagers"]["cover_all"] = "4.00"
    return one("cover_all", settled(EVERYTHING, dealer, seats).seat(1).lines)


@cites(MA, "12(b)", "12(c)", "12(f)", "12(k)")
@pytest.mark.parametrize("called", [*plain.COVER_ALL_HANDS, "flush", "pair"])
@pytest.mark.parametrize(
    ("players", "holder"),
    [
        (players, holder)
        for players in plain.COVER_ALL
        for holder in ("owner", "other", "dealer")
        if players > 1 or holder != "other"
    ],
)
def test_cover_all_pays_the_highest_hand_of_the_table(
    players: int, holder: str, called: str
) -> None:
    hands = junk(players + 1, beside=HANDS[called])
    hands[{"owner": 0, "other": players - 1, "dealer": players}[holder]] = HANDS[called]
    line = cover_all(hands[:players], hands[players])
    column = dict(zip(plain.COVER_ALL_HANDS, plain.COVER_ALL[players], strict=True))
    if called in column:
        assert (line.result, line.paid, line.clause) == ("win", column[called] * 400, "12(k)")
    else:
        assert (line.result, line.paid) == ("lose", 0)


@cites(MA, "12(f)", "12(k)")
def test_the_table_for_seven_players_is_the_first_column_of_the_matrix() -> None:
    printed = {"mini_royal": 40, "straight_flush": 12, "three_of_a_kind": 9, "straight": 1}
    table = chapter(MA).paytables["cover_all", "7"]
    assert {hand: pay.odds.value for hand, pay in table.pays.items()} == printed


@cites(MA, "12(g)")
def test_only_the_highest_hand_counts_as_in_the_texts_example() -> None:
    line = cover_all(["Kc 8d 3h", "6c 5c 4c"], "9c 9d 9h")
    assert line.paid == 40 * 400


@cites(MA, "12(b)", "12(g)")
def test_a_folded_hand_counts_for_cover_all_and_one_given_up_unseen_does_not() -> None:
    hands = ["Kc 8d 3h", "6c 5c 4c", "Th 7s 2d"]
    assert cover_all(hands, QUEEN_HIGH, {2: "fold"}).paid == 30 * 400
    given_up = cover_all(hands, QUEEN_HIGH, {2: "forfeit"})
    assert (given_up.result, given_up.clause) == ("lose", "12(b)")


@cites(MA, "12(c)")
def test_a_hand_given_up_unseen_was_dealt_and_counts_for_the_column() -> None:
    hands = ["9h 9s 9c", "6c 5c 4c", "Th 7s 2d"]
    assert cover_all(hands, QUEEN_HIGH, {2: "forfeit"}).paid == 25 * 400


# --- the progressive, Section 13 ---


@cites(MA, "13(d)", "13(d)(a)", "13(d)(b)")
@pytest.mark.parametrize("called", HANDS)
@pytest.mark.parametrize("table", plain.PROGRESSIVE)
def test_the_progressive_pays_its_table_for_one(table: str, called: str) -> None:
    seats = {1: played(HANDS[called], ante="10.00", progressive="5.00")}
    found = settled({"progressive": table}, "Qd 5h 2s", seats, "7000.01")
    line, meter = one("progressive", found.seat(1).lines), found.meters["progressive"]
    if called == "mini_royal_spades":
        # all of the meter, whatever the stake; it starts again at its reset amount
        assert (line.paid + line.stake, line.clause) == (cents("7000.01"), "13(d)(a)")
        assert (meter.paid, meter.shows) == (cents("7000.01"), cents("1000.00"))
        return
    pays = plain.PROGRESSIVE[table].get(called)
    assert (line.result, line.paid) == (("win", (pays - 1) * 500) if pays else ("lose", 0))
    assert line.clause == ("13(d)(b)" if pays else "13(d)")
    assert (meter.paid, meter.shows) == (0, cents("7000.01"))


@cites(MA, "13(d)(a)")
def test_the_meter_starts_again_at_the_reset_amount_of_the_submission() -> None:
    rules = {"progressive": "1", "meters": {"progressive": {"reset": "2500.00"}}}
    seats = {1: played("As Ks Qs", ante="10.00", progressive="1.00")}
    assert settled(rules, QUEEN_HIGH, seats, "9999.99").meters["progressive"].shows == 250_000


@cites(MA, "13(d)")
def test_table_3_returns_more_than_it_takes_before_the_meter() -> None:
    all_hands = comb(52, 3)
    runs = 12  # ace-two-three up to queen-king-ace
    hands = {
        "mini_royal": 3,  # the fourth, in spades, takes the meter
        "straight_flush": (runs - 1) * 4,
        "three_of_a_kind": 13 * comb(4, 3),
        "straight": runs * (4**3 - 4),
    }
    returned = {
        id: sum(
            count * (table.pays[hand].odds.value if hand in table.pays else 0)
            for hand, count in hands.items()
        )
        for (wager, id), table in chapter(MA).paytables.items()
        if wager == "progressive"
    }
    assert {id for id, paid in returned.items() if paid > all_hands} == {"3"}
    (erratum,) = [one for one in chapter(MA).errata if one.id == "progressive-table-3"]
    assert f"{int(returned['3']):,}" in erratum.finds
    assert f"{all_hands:,}" in erratum.finds


def envies(seats: dict, dealer: str = "Jd 5h 2c", **rules: object) -> dict[int, list[int]]:
    found = settled({"progressive": "1", "adjacent_boxes": 2, **rules}, dealer, seats)
    return {
        seat.seat: [line.paid for line in seat.lines if line.wager == "envy"]
        for seat in found.seats
    }


@cites(MA, "13(e)", "13(e)(a)", "13(e)(c)")
def test_envy_is_100_and_25_dollars_whatever_the_stake_once_for_each_hand() -> None:
    seats = {
        1: played("As Ks Qs", ante="10.00", progressive="1.00"),
        2: played("Ah Kh Qh", ante="10.00", progressive="5.00"),
        3: played("Kc 8d 3h", ante="10.00", progressive="1.00"),
        4: played("Tc 7d 4h", ante="10.00", progressive="25.00"),
        5: played("9c 6d 4c", ante="10.00"),
    }
    assert envies(seats) == {1: [2500], 2: [10000], 3: [2500, 10000], 4: [2500, 10000], 5: []}
    lines = settled({"progressive": "1"}, "Jd 5h 2c", seats).seat(3).lines
    assert {line.clause for line in lines if line.wager == "envy"} == {"13(e)(a)"}


@cites(MA, "13(e)(a)")
def test_no_envy_from_oneself_nor_from_a_second_box_nor_from_the_dealer() -> None:
    alone = {1: played("As Ks Qs", ante="10.00", progressive="1.00")}
    assert envies(alone) == {1: []}
    two_boxes = {
        1: {**alone[1], "player": "Ada"},
        2: {**played("Kc 8d 3h", ante="10.00", progressive="1.00"), "player": "Ada"},
    }
    assert envies(two_boxes) == {1: [], 2: []}
    watching = {1: played("Kc 8d 3h", ante="10.00", progressive="1.00")}
    assert envies(watching, dealer="As Ks Qs") == {1: []}


@cites(MA, "13(e)(a)")
@pytest.mark.parametrize(("decision", "paid"), [("play", [10000]), ("fold", []), ("forfeit", [])])
def test_a_hand_that_is_given_up_triggers_no_envy(decision: str, paid: list[int]) -> None:
    seats = {
        1: played("As Ks Qs", decision, ante="10.00", progressive="1.00"),
        2: played("Kc 8d 3h", ante="10.00", progressive="1.00"),
    }
    assert envies(seats, folded_hands_win_progressive=True)[2] == paid


@cites(MA, "13(e)(a)")
def test_the_holder_needs_no_progressive_wager_and_who_folded_still_earns() -> None:
    seats = {
        1: played("As Ks Qs", None, pair_plus="10.00"),
        2: played("Kc 8d 3h", "fold", ante="10.00", progressive="1.00"),
    }
    assert envies(seats) == {1: [], 2: [10000]}


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
