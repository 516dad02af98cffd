"""The aggregate payout limit of 679a.12(h): what it counts, what it cuts, what it may not touch."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_three_card_prime import (
    ALL_SIX,
    BAD_BEAT,
    PAIR_NOT_2,
    PAIR_WITH_2,
    rounds,
    strength,
    verdicts,
)

from houseway.errors import Refused
from houseway.game_api.notation import deal
from houseway.game_api.settle import settle, settle_json
from houseway.games.three_card.prime import check, most_at_minimums, settle_exposed
from houseway.law import PRIME, choose, cites
from houseway.money import cents

LIMIT = "50000.00"
OFFERED = {"prime": True, "pair_bonus": "A", "all_six": "E", "adjacent_boxes": 6}


def paid(rules: dict[str, Any], seats: dict[int, dict[str, Any]], dealer: str) -> list[list[str]]:
    """What each line pays, seat by seat in ascending order."""
    settled = settle(deal(choose(PRIME, OFFERED | rules), dealer=dealer, seats=seats))
    return [[str(line.paid // 100) for line in seat.lines] for seat in settled.seats]


def box(cards: str, *, player: str = "", fourth: str = "", **wagers: str) -> dict[str, Any]:
    found = {"cards": cards, "decision": "play", "player": player, "wagers": wagers}
    return found | ({"fourth": fourth} if fourth else {})


@cites(PRIME, "679a.12(h)")
def test_what_goes_over_the_limit_is_cut_in_the_order_of_settlement() -> None:
    seats = {
        2: box("9c 9d 9h", player="Ada", ante="5000.00"),  # ante 5,000, play 25,000
        1: box("8c 8d 8h", player="Ada", ante="5000.00"),
        3: box("7c 7d 7h", player="Bo", ante="5000.00"),
    }
    assert paid({"payout_limit": LIMIT}, seats, "Qs 5s 3d") == [
        ["5000", "15000"],  # 30,000 went to seat 2, which is settled before seat 1
        ["5000", "25000"],
        ["5000", "25000"],
    ]
    assert paid({"payout_limit": "none"}, seats, "Qs 5s 3d")[0] == ["5000", "25000"]


@cites(PRIME, "679a.12(h)")
def test_a_line_that_is_cut_cites_the_limit_and_keeps_its_odds() -> None:
    rules = choose(PRIME, OFFERED | {"payout_limit": LIMIT})
    seats = {1: box("9c 9d 9h", ante="9000.00", all_six="9000.00")}
    ante, play, all_six = settle(deal(rules, dealer="Qs 5s 3d", seats=seats)).seats[0].lines
    assert (ante.paid, ante.clause) == (9_000_00, "679a.11(c)(3)(ii)")
    assert (play.paid, play.clause, play.odds) == (41_000_00, "679a.12(h)", "5 to 1")
    # nothing is left for three of a kind at 5 to 1: it is still a win, and its stake goes back
    assert (all_six.result, all_six.paid, all_six.clause) == ("win", 0, "679a.12(h)")


@cites(PRIME, "679a.12(h)")
@pytest.mark.parametrize(("suit", "times"), [("d", 200_000), ("s", 20_000)])
def test_the_six_card_royal_of_paytable_e_is_neither_cut_nor_counted(suit: str, times: int) -> None:
    mine, dealer = f"A{suit} K{suit} Q{suit}", f"J{suit} T{suit} 9{suit}"
    seats = {
        2: box(mine, player="Ada", ante="10.00", all_six="10.00"),
        1: box("9c 9h 5c", player="Ada", ante="10.00", pair_bonus="49990.00", fourth="3c"),
    }
    first, second = paid({"payout_limit": LIMIT}, seats, dealer)
    assert second == ["10", "100", str(10 * times)]
    # a pair loses to the dealer's straight flush; 50,000 less 110 is left for the Pair Bonus
    assert first == ["0", "0", "49890"]


@cites(PRIME, "679a.12(h)", "679a.12(g)")
@pytest.mark.parametrize("table", "ABCD")
def test_a_six_card_royal_paid_as_a_royal_flush_is_covered(table: str) -> None:
    seats = {1: box("Ad Kd Qd", ante="10.00", all_six="100.00")}
    rules = {"payout_limit": LIMIT, "all_six": table}
    assert paid(rules, seats, "Jd Td 9d") == [["10", "100", "49890"]]


@cites(PRIME, "679a.12(h)")
@given(rounds(), st.sampled_from(("50000.00", "50000.50", "123456.00")))
def test_nobody_is_paid_more_than_the_limit_and_nothing_is_cut_below_it(
    round: dict[str, Any], limit: str
) -> None:
    for seat in round["seats"]:
        seat["wagers"] = dict.fromkeys(seat["wagers"], "1000.00")
        seat["player"] = "Ada" if seat["seat"] < 4 else "Bo"
    round["rules"]["adjacent_boxes"] = 6
    numbers = sorted(seat["seat"] for seat in round["seats"])
    for place, number in enumerate(numbers, 1):  # side by side, so that boxes are adjacent
        next(seat for seat in round["seats"] if seat["seat"] == number)["seat"] = place
    free = settle_json(json.dumps(round))
    bound = settle_json(json.dumps(round | {"rules": round["rules"] | {"payout_limit": limit}}))
    spared = ("200000 to 1", "20000 to 1")
    for player in ("Ada", "Bo"):
        mine = [seat["seat"] for seat in round["seats"] if seat["player"] == player]
        sums = [
            sum(
                cents(line.paid)
                for seat in settled.seats
                if seat.seat in mine
                for line in seat.lines
                if line.odds not in spared
            )
            for settled in (free, bound)
        ]
        assert sums[1] == min(sums[0], cents(limit))
    for before, after in zip(free.seats, bound.seats, strict=True):
        for one, other in zip(before.lines, after.lines, strict=True):
            assert (one.wager, one.stake, one.result) == (other.wager, other.stake, other.result)
            assert cents(other.paid) <= cents(one.paid)
            assert (one.paid == other.paid) == (other.clause != "679a.12(h)")


@cites(PRIME, "679a.12(h)")
@pytest.mark.parametrize("limit", ["49999.99", "1.00"])
def test_a_limit_below_fifty_thousand_is_refused(limit: str) -> None:
    with pytest.raises(Refused) as refused:
        choose(PRIME, {"payout_limit": limit})
    assert (refused.value.code, refused.value.clause) == ("below_minimum", "679a.12(h)")
    assert refused.value.field == "rules.payout_limit"


@cites(PRIME, "679a.12(h)")
def test_a_limit_below_what_the_minimums_can_win_is_refused() -> None:
    minimums = {wager: {"min": "50.00"} for wager in ("ante", "prime", "pair_bonus", "all_six")}
    # ante 1, play 10, Prime 4, Pair Bonus 100, royal flush 1,000: each 50 times
    most = (1 + 10 + 4 + 100 + 1000) * 50
    seats = {1: box("9c 9h 5c", ante="50.00")}
    for limit, allowed in ((f"{most}.00", True), (f"{most - 1}.99", False)):
        rules = choose(PRIME, OFFERED | {"payout_limit": limit}, limits=minimums)
        round = deal(rules, dealer="Jd Td 9d", seats=seats)
        if allowed:
            check(round)
            continue
        with pytest.raises(Refused) as refused:
            check(round)
        assert (refused.value.code, refused.value.clause) == ("below_minimum", "679a.12(h)")


def _times(rules: dict[str, Any], mine: tuple[str, ...], dealer: tuple[str, ...]) -> list[int]:
    seat = {
        "cards": [*mine],
        "decision": "play",
        "fourth": "2c",
        "wagers": dict.fromkeys(("ante", "prime", "pair_bonus", "all_six"), "1.00"),
    }
    found = {wager: times for wager, _, times in verdicts(rules, seat, [*dealer])}
    game = found["ante"] + found["play"] + found.get("bad_beat", 0)
    six = 0 if found["all_six"] >= 20_000 else found["all_six"]
    return [game, found["prime"], found["pair_bonus"], six]


@cites(PRIME, "679a.12(h)")
@pytest.mark.parametrize("all_six", "AE")
def test_no_round_wins_more_at_the_minimums(all_six: str) -> None:
    """A mini-royal has the most of every wager (11 with the ante, 4, 100, 1,000) but one.

    Only a bad beat pays the play wager more, and only that of a straight flush: so every straight
    flush of a suit is tried against every hand that beats it.
    """
    royal = [11, 4, 100, 1000]
    rules = {"bad_beat": "A", "pair_bonus": "A", "all_six": all_six}
    assert _times(rules, ("Ah", "Kh", "Qh"), ("Jh", "Th", "8h")) == royal
    assert [row for row, times in BAD_BEAT["A"].items() if times > royal[0]] == ["straight_flush"]
    assert max(PAIR_WITH_2["A"].values()) == royal[2] >= max(PAIR_NOT_2.values())
    assert max(ALL_SIX[all_six][row] for row in ALL_SIX["A"]) == royal[3]
    sequences = ["A23", *("23456789TJQKA"[low : low + 3] for low in range(11))]
    suited = [tuple(rank + suit for rank in of) for of in sequences for suit in "cdhs"]
    reached = {
        tuple(_times(rules, mine, dealer))
        for mine in suited
        for dealer in suited
        if not {*mine} & {*dealer} and strength([*dealer]) > strength([*mine])
    }
    for least in ((1, 1, 1, 1), (10_000, 1, 1, 1), (100, 1, 20, 1), (1, 5, 100, 1), (3, 1, 1, 50)):
        limits = {
            wager: {"min": f"{amount}.00"}
            for wager, amount in zip(("ante", "prime", "pair_bonus", "all_six"), least, strict=True)
        }
        chosen = choose(PRIME, rules | {"prime": True}, limits=limits)
        most = max(
            sum(t * n for t, n in zip(times, least, strict=True)) for times in (*reached, royal)
        )
        assert most_at_minimums(chosen) == most * 100


@cites(PRIME, "679a.13(d)", "679a.11(d)")
def test_an_exposed_dealers_card_returns_ante_and_play_and_settles_the_rest() -> None:
    rules = choose(PRIME, OFFERED)
    seats = {
        1: box("9c 9h 5c", ante="10.00", pair_bonus="5.00", fourth="3c") | {"decision": "fold"},
        2: box("Kd 8h 4d", ante="10.00", prime="5.00", all_six="5.00"),
        3: box("Ks 8s 4c", ante="10.00") | {"decision": None},
    }
    settled = settle_exposed(deal(rules, dealer="Kh 8d 2h", seats=seats))
    shown = [
        [(line.wager, line.result, line.paid) for line in seat.lines] for seat in settled.seats
    ]
    assert shown == [
        [("ante", "returned", 0), ("pair_bonus", "win", 5_00)],
        [("ante", "returned", 0), ("play", "returned", 0), ("prime", "win", 20_00), ("all_six", "lose", 0)],
        [("ante", "returned", 0)],
    ]  # fmt: skip
    assert settled.house == -(5_00 + 20_00 - 5_00)
