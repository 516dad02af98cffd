"""Massachusetts' side wagers: 6 Card Bonus, Cover All, the progressive and its envy bonus."""

from itertools import combinations
from math import comb

import plain_massachusetts as plain
import pytest
from hypothesis import given
from hypothesis import strategies as st
from massachusetts_rounds import EVERYTHING, HANDS, QUEEN_HIGH, one, played, settled
from plain_poker import DECK, THREE_CARD, three_card

from houseway import cents, chapter, choose, deal, settle
from houseway.errors import Refused
from houseway.law import MA, cites
from houseway.money import dollars


def junk(hands: int, *, beside: str) -> list[str]:
    """A number of hands below a straight from the rest of the deck."""
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


SHARED = {"progressive": "1", "several_meter_hits": "shared"}


@cites(MA, "13(d)(c)")
@given(st.integers(1, 10**9), st.integers(1, 12))
def test_winners_of_one_meter_share_it_equally_and_the_odd_cents_stay(shows, winners) -> None:
    """The others sit at other tables of the link: one deck holds the hand once."""
    found = settle(
        deal(
            choose(MA, SHARED),
            dealer=QUEEN_HIGH,
            seats={1: played("As Ks Qs", ante="10.00", progressive="1.00")},
            meters={"progressive": dollars(shows)},
            winners={"progressive": winners},
        )
    )
    meter = found.meters["progressive"]
    assert winners * meter.paid <= shows < winners * (meter.paid + 1)
    assert meter.shows == shows - winners * meter.paid + cents("1000.00")
    line = one("progressive", found.seat(1).lines)
    # the share is all that the player receives
    assert line.stake + line.paid == line.from_meter == meter.paid
    assert found.house + sum(seat.net for seat in found.seats) == meter.paid


def test_a_meter_that_shows_nothing_pays_nobody() -> None:
    with pytest.raises(Refused) as refused:
        deal(choose(MA, SHARED), dealer=QUEEN_HIGH, meters={"progressive": "0.00"},
             seats={1: played("As Ks Qs", ante="10.00", progressive="1.00")})  # fmt: skip
    assert (refused.value.code, refused.value.field) == ("not_an_amount", "meters.progressive")


@cites(MA, "13(d)(c)")
@pytest.mark.parametrize(
    ("rules", "winners", "code"),
    [
        ({"progressive": "1"}, {"progressive": 2}, "winners_do_not_share"),
        (SHARED, {"progressive": 0}, "not_a_number"),
        (SHARED, {"envy": 2}, "no_such_meter"),
    ],
)
def test_winners_are_counted_only_where_they_share(rules, winners, code) -> None:
    with pytest.raises(Refused) as refused:
        deal(choose(MA, rules), dealer=QUEEN_HIGH, winners=winners,
             seats={1: played("As Ks Qs", ante="10.00", progressive="1.00")})  # fmt: skip
    assert refused.value.code == code
    assert str(refused.value.field).startswith("winners")


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
