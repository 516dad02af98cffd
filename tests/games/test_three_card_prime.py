"""Three Card Prime, 58 Pa. Code Chapter 679a, through `settle`."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_three_card_prime import (
    ALL_SIX,
    BAD_BEAT,
    PAIR_NOT_2,
    PAIR_WITH_2,
    PLAY,
    PRIME_PAYS,
    SIX,
    kind,
    rounds,
    strength,
    verdicts,
)

from houseway.cards import cards, standard_deck
from houseway.errors import Refused
from houseway.game_api.round_json import LineOut
from houseway.game_api.settle import settle_json
from houseway.games.three_card import hands as three_card
from houseway.law import PRIME, chapter, choose, cites
from houseway.money import cents

ALL_OFFERED = {"prime": True, "pair_bonus": "A", "all_six": "A"}


def one(
    mine: str,
    dealer: str,
    decision: str = "play",
    *,
    fourth: str | None = None,
    rules: dict[str, Any] | None = None,
    **wagers: str,
) -> dict[str, LineOut]:
    """One seat with an ante of 10.00 against a dealer; its lines by wager, in order."""
    seat: dict[str, Any] = {
        "seat": 1,
        "wagers": {"ante": "10.00", **wagers},
        "cards": mine.split(),
        "decision": decision,
    }
    if fourth:
        seat["fourth"] = fourth
    settled = settle_json(
        json.dumps(
            {
                "chapter": PRIME,
                "rules": ALL_OFFERED | (rules or {}),
                "dealer": dealer.split(),
                "seats": [seat],
            }
        )
    )
    return {line.wager: line for line in settled.seats[0].lines}


def said(line: LineOut) -> tuple[str, str, str]:
    return line.result, line.paid, line.clause


# ranking


@cites(PRIME, "679a.6(a)", "679a.6(b)*", "679a.11(c)(2)")
def test_every_three_card_hand_falls_into_its_rank() -> None:
    found: Counter[str] = Counter()
    for hand in combinations(standard_deck(), 3):
        names = three_card.outcomes(hand, three_card.value(hand))
        found[next(name for name in names if name in PLAY)] += 1
    sequences = 12  # ace-two-three up to ace-king-queen
    assert found == {
        "mini_royal": 4,
        "straight_flush": (sequences - 1) * 4,
        "three_of_a_kind": 13 * comb(4, 3),
        "straight": sequences * (4**3 - 4),
        "flush": 4 * (comb(13, 3) - sequences),
        "pair": 13 * comb(4, 2) * 48,
        "high_card": (comb(13, 3) - sequences) * (4**3 - 4),
    }


three = st.lists(st.sampled_from([str(card) for card in standard_deck()]), min_size=3, max_size=3)


@pytest.mark.slow
@cites(PRIME, "679a.6(a)", "679a.6(b)*", "679a.6(c)", "679a.11(c)(2)")
@settings(max_examples=500)
@given(three.filter(lambda h: len(set(h)) == 3), three.filter(lambda h: len(set(h)) == 3))
def test_hands_are_ordered_as_the_plain_reading_orders_them(
    first: list[str], second: list[str]
) -> None:
    one_value, other_value = three_card.value(cards(first)), three_card.value(cards(second))
    assert (one_value < other_value) == (strength(first) < strength(second))
    assert (one_value == other_value) == (strength(first) == strength(second))


@cites(PRIME, "679a.6(a)", "679a.6(b)(2)", "679a.6(b)(4)", "679a.6(b)(6)", "679a.6(c)")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Ah Kh Qh", "Ks Qs Js"),
        ("Ks Qs Js", "As 2s 3s"),
        ("As 2s 3s", "Ah Ad Ac"),
        ("2s 2h 2d", "Ac Kd Qh"),
        ("2c 3d 4h", "As 2d 3h"),
        ("As 2d 3h", "Ah Kh Jh"),
        ("2h 3h 5h", "As Ad Kc"),
        ("3s 3d 2c", "2s 2h Ac"),
        ("2s 2h 4c", "2c 2d 3c"),
        ("2s 2h 3c", "Kc As 2c"),  # king, ace and two are no sequence
    ],
)
def test_the_order_the_text_prints(better: str, worse: str) -> None:
    assert three_card.value(cards(better)) > three_card.value(cards(worse))


# ante and play


@cites(PRIME, "679a.11(c)(3)", "679a.11(c)(3)(i)", "679a.12(a)", '679a.1 "Qualify"')
@pytest.mark.parametrize("mine", ["As Ks Qs", "8s 8d 8h", "7c 5d 2h"])
def test_dealer_below_queen_high_returns_the_ante_and_pays_play_even(mine: str) -> None:
    lines = one(mine, "Jc Td 8c")
    assert said(lines["ante"]) == ("push", "0.00", "679a.11(c)(3)(i)")
    assert said(lines["play"]) == ("win", "10.00", "679a.11(c)(3)(i)")
    assert set(lines) == {"ante", "play"}


@cites(PRIME, '679a.1 "Qualify"', "679a.11(c)(3)(iii)")
@pytest.mark.parametrize("dealer", ["Qc 3d 2h", "2c 2d 3h", "2c 3c 5c"])
def test_queen_three_two_and_any_listed_hand_qualify(dealer: str) -> None:
    lines = one("Jd 9s 8s", dealer)
    for wager in ("ante", "play"):
        assert said(lines[wager]) == ("lose", "0.00", "679a.11(c)(3)(iii)")


PLAY_HANDS = {
    "mini_royal": "Ac Kc Qc",
    "straight_flush": "6d 5d 4d",
    "three_of_a_kind": "5c 5d 5h",
    "straight": "6d 5d 4c",
    "flush": "Kd 8d 2d",
    "pair": "5c 5d 9h",
    "high_card": "Kd 8d 2c",
}


@cites(PRIME, "679a.7(d)(1)", "679a.11(c)(3)(ii)", "679a.12(a)", "679a.12(b)")
@pytest.mark.parametrize("hand", PLAY)
def test_a_higher_hand_wins_the_ante_and_play_by_its_rank(hand: str) -> None:
    lines = one(PLAY_HANDS[hand], "Qs 8s 3h")
    assert said(lines["ante"]) == ("win", "10.00", "679a.11(c)(3)(ii)")
    assert said(lines["play"]) == ("win", f"{10 * PLAY[hand]}.00", "679a.11(c)(3)(ii)")
    assert lines["play"].odds == f"{PLAY[hand]} to 1"


@cites(PRIME, "679a.6(c)", "679a.11(c)(3)(ii)", "679a.12(b)")
@pytest.mark.parametrize(
    ("mine", "dealer", "times"),
    [
        ("Ac Kc Qc", "Ad Kd Qd", 10),
        ("9c 8c 7c", "9d 8d 7d", 6),
        ("9c 8c 7d", "9d 8d 7c", 2),
        ("9c 9d 4d", "9h 9s 4c", 1),
        ("Qc 8d 4d", "Qd 8s 4c", 1),
    ],
)
def test_a_tie_is_won(mine: str, dealer: str, times: int) -> None:
    lines = one(mine, dealer)
    assert said(lines["ante"]) == ("win", "10.00", "679a.11(c)(3)(ii)")
    assert said(lines["play"]) == ("win", f"{10 * times}.00", "679a.11(c)(3)(ii)")


@cites(PRIME, "679a.11(c)(3)(iii)")
@pytest.mark.parametrize(
    ("mine", "dealer"),
    [("Kd 8d 2d", "Ad 9d 3d"), ("9c 9d 4d", "Th Ts 2c"), ("Kd 8d 2c", "Ks 8s 3c")],
)
def test_a_flush_or_less_that_is_beaten_loses_both(mine: str, dealer: str) -> None:
    lines = one(mine, dealer)
    assert [line.result for line in lines.values()] == ["lose", "lose"]


@cites(PRIME, "679a.11(c)(3)(iv)", "679a.12(c)")
@pytest.mark.parametrize("table", BAD_BEAT)
@pytest.mark.parametrize(
    ("mine", "dealer"),
    [("6d 5d 4d", "Kc Qc Jc"), ("5c 5d 5h", "8c 8d 8h"), ("6d 5d 4c", "8c 7d 6h")],
)
def test_a_straight_or_better_that_is_beaten_earns_the_bad_beat(
    mine: str, dealer: str, table: str
) -> None:
    lines = one(mine, dealer, rules={"bad_beat": table})
    times = BAD_BEAT[table][kind(mine.split())]
    assert said(lines["ante"]) == ("lose", "0.00", "679a.11(c)(3)(iv)")
    assert said(lines["play"]) == ("push", "0.00", "679a.11(c)(3)(iv)")
    assert said(lines["bad_beat"]) == ("bonus", f"{10 * times}.00", "679a.12(c)")
    assert lines["bad_beat"].stake == "0.00"


@cites(PRIME, "679a.11(b)", "679a.11(d)")
def test_a_fold_costs_the_ante_and_nothing_else() -> None:
    wagers = {"prime": "5.00", "pair_bonus": "5.00", "all_six": "5.00"}
    folded = one("9h 9d 4h", "Kh Qd 9c", "fold", fourth="2c", rules={"pair_bonus": "B"}, **wagers)
    assert said(folded["ante"]) == ("forfeit", "0.00", "679a.11(b)")
    assert "play" not in folded
    played = one("9h 9d 4h", "Kh Qd 9c", fourth="2c", rules={"pair_bonus": "B"}, **wagers)
    for wager, times in (("prime", 3), ("pair_bonus", 2), ("all_six", 5)):
        assert folded[wager] == played[wager]
        assert folded[wager].paid == f"{5 * times}.00"


# optional wagers


@cites(PRIME, "679a.7(d)(2)", "679a.11(d)(1)*", "679a.12(d)")
@pytest.mark.parametrize(
    ("mine", "dealer", "outcome"),
    [
        ("9h 5d 2h", "Kh 8d 4d", "same_color_both"),
        ("9s 5c 2s", "Kc 8s 4s", "same_color_both"),
        ("9h 5d 2h", "Ks 8c 4s", "same_color"),
        ("9h 5d 2h", "Kh 8d 4s", "same_color"),
        ("9h 5d 2s", "Kh 8d 4d", None),
    ],
)
def test_prime_goes_by_color(mine: str, dealer: str, outcome: str | None) -> None:
    line = one(mine, dealer, prime="2.50")["prime"]
    if outcome is None:
        assert said(line) == ("lose", "0.00", "679a.11(d)(1)(i)")
    else:
        assert line.odds == f"{PRIME_PAYS[outcome]} to 1"
        assert said(line) == ("win", f"{PRIME_PAYS[outcome] * 5 // 2}.{'50' if PRIME_PAYS[outcome] % 2 else '00'}", "679a.12(d)")  # fmt: skip


@cites(PRIME, "679a.7(d)(3)", "679a.11(d)(2)*", "679a.12(e)", "679a.12(f)")
@pytest.mark.parametrize("table", PAIR_WITH_2)
@pytest.mark.parametrize("hand", PLAY)
def test_pair_bonus_goes_by_the_hand_and_the_fourth_card(hand: str, table: str) -> None:
    for fourth, pays, clause in (
        ("2s", PAIR_WITH_2[table], "679a.12(f)"),
        ("As", PAIR_NOT_2, "679a.12(e)"),
    ):
        line = one(
            PLAY_HANDS[hand], "Qs 8s 3h", fourth=fourth, pair_bonus="1.00",
            rules={"pair_bonus": table},
        )["pair_bonus"]  # fmt: skip
        if hand in pays:
            assert said(line) == ("win", f"{pays[hand]}.00", clause)
        else:
            assert said(line) == ("lose", "0.00", "679a.11(d)(2)(i)")


SIX_HANDS = {
    "six_card_royal_diamonds": ("Ad Kd Qd", "Jd Td 9d"),
    "six_card_royal": ("Ac Kc Qc", "Jc Tc 9c"),
    "royal_flush": ("Ac Kc 2d", "Qc Jc Tc"),
    "straight_flush": ("As 2s 3s", "4s 5s Kd"),
    "four_of_a_kind": ("8c 8d 8h", "8s Kd Kc"),
    "full_house": ("8c 8d 8h", "Ks Kd Kc"),
    "flush": ("2d 5d 9d", "Jd Kd Ks"),
    "straight": ("Ac 2d 3h", "4s 5d Kc"),
    "three_of_a_kind": ("7c 7d As", "7h Jd 2c"),
    "two_pair": ("7c 7d As", "Ah Jd 2c"),
    "high_card": ("7c 9d As", "Kh Jd 2c"),
}


@cites(PRIME, "679a.6(d)*", "679a.7(d)(4)", "679a.11(d)(3)*", "679a.12(g)")
@pytest.mark.parametrize("table", ALL_SIX)
@pytest.mark.parametrize("hand", SIX_HANDS)
def test_all_six_goes_by_the_best_of_six_cards(hand: str, table: str) -> None:
    mine, dealer = SIX_HANDS[hand]
    line = one(mine, dealer, all_six="1.00", rules={"all_six": table})["all_six"]
    paid_as = hand
    if hand.startswith("six_card") and table != "E":
        paid_as = "royal_flush"
    if paid_as in SIX or paid_as in ALL_SIX["E"]:
        assert said(line) == ("win", f"{ALL_SIX[table][paid_as]}.00", "679a.12(g)")
        assert line.odds == f"{ALL_SIX[table][paid_as]} to 1"
    else:
        assert said(line) == ("lose", "0.00", "679a.11(d)(3)(i)")


# whole rounds


@pytest.mark.slow
@cites(PRIME, "679a.7(d)*", "679a.11(b)", "679a.11(c)(3)*", "679a.11(d)*")
@cites(PRIME, "679a.12(a)", "679a.12(b)", "679a.12(c)", "679a.12(d)", "679a.12(e)", "679a.12(f)")
@cites(PRIME, "679a.12(g)")
@settings(max_examples=400)
@given(rounds())
def test_a_round_settles_as_the_plain_reading_settles_it(round: dict[str, Any]) -> None:
    settled = settle_json(json.dumps(round))
    for seat in round["seats"]:
        result = next(found for found in settled.seats if found.seat == seat["seat"])
        expected = []
        for wager, verdict, times in verdicts(round["rules"], seat, round["dealer"]):
            ante = cents(seat["wagers"]["ante"])
            base = cents(seat["wagers"][wager]) if wager in seat["wagers"] else ante
            stake = 0 if wager == "bad_beat" else base
            expected.append((wager, verdict, stake, base * times))
        assert [
            (line.wager, line.result, cents(line.stake), cents(line.paid)) for line in result.lines
        ] == expected


@given(rounds())
def test_money_is_conserved_and_the_order_of_seats_in_the_list_is_irrelevant(
    round: dict[str, Any],
) -> None:
    settled = settle_json(json.dumps(round))
    turned = settle_json(json.dumps(round | {"seats": round["seats"][::-1]}))
    assert settled == turned
    assert sum(signed(seat.net) for seat in settled.seats) + signed(settled.house) == 0
    assert settled.meters == {}


def signed(text: str) -> int:
    return -cents(text[1:]) if text.startswith("-") else cents(text)


def recolored(round: dict[str, Any], suits: dict[str, str]) -> dict[str, Any]:
    text = json.dumps(round["dealer"]), json.dumps(round["seats"])
    table = {card: card[0] + suits[card[1]] for card in map(str, standard_deck())}
    dealer, seats = json.loads(text[0]), json.loads(text[1])
    for seat in seats:
        seat["cards"] = [table[card] for card in seat["cards"]]
        if "fourth" in seat:
            seat["fourth"] = table[seat["fourth"]]
    return round | {"dealer": [table[card] for card in dealer], "seats": seats}


@cites(PRIME, "679a.6(a)")
@given(rounds(), st.permutations("cdhs"))
def test_suits_are_equal(round: dict[str, Any], order: list[str]) -> None:
    """Any suits may change places, but for two payouts that name a color or diamonds."""
    for seat in round["seats"]:
        seat["wagers"].pop("prime", None)
    if round["rules"]["all_six"] == "E":
        round["rules"]["all_six"] = "A"
    changed = recolored(round, dict(zip("cdhs", order, strict=True)))
    assert settle_json(json.dumps(round)) == settle_json(json.dumps(changed))


@cites(PRIME, "679a.6(a)", "679a.12(d)")
@given(rounds())
def test_prime_sees_colors_only(round: dict[str, Any]) -> None:
    if round["rules"]["all_six"] == "E":
        round["rules"]["all_six"] = "A"
    for suits in ({"c": "s", "s": "c", "d": "h", "h": "d"}, {"c": "d", "d": "c", "h": "s", "s": "h"}):  # fmt: skip
        assert settle_json(json.dumps(round)) == settle_json(json.dumps(recolored(round, suits)))


nine = st.lists(
    st.sampled_from([str(card) for card in standard_deck()]), min_size=9, max_size=9, unique=True
)


@cites(PRIME, "679a.6(c)", "679a.11(c)(3)(ii)", "679a.11(c)(3)(iii)")
@given(nine)
def test_a_better_hand_is_never_worth_less_bad_beats_aside(dealt: list[str]) -> None:
    dealer, hands = dealt[:3], sorted((dealt[3:6], dealt[6:]), key=strength)
    worse, better = (one(" ".join(hand), " ".join(dealer)) for hand in hands)
    if "bad_beat" not in worse | better:
        assert _net(worse) <= _net(better)


def _net(lines: dict[str, LineOut]) -> int:
    return sum(
        -cents(line.stake) if line.result in ("lose", "forfeit") else cents(line.paid)
        for line in lines.values()
    )


def test_the_example_file_settles() -> None:
    from pathlib import Path

    example = Path(__file__).parents[2] / "examples" / f"{PRIME}.json"
    round = json.loads(example.read_text(encoding="utf-8"))
    settled = settle_json(example.read_bytes())
    assert len(settled.seats) == len(round["seats"])
    for seat in settled.seats:
        assert {line.wager for line in seat.lines} >= set(
            next(given for given in round["seats"] if given["seat"] == seat.seat)["wagers"]
        )


# rules


@cites(PRIME, "679a.3(b)", "679a.9(a)(1)", "679a.10(g)")
@pytest.mark.parametrize(
    ("options", "clause", "field"),
    [
        ({"decks_in_play": 2}, "679a.3(b)", "rules.decks_in_play"),
        ({"dealing": "hand"}, "679a.9(a)(1)", "rules.dealing"),
        ({"stacks_of_four": True}, "679a.10(g)", "rules.stacks_of_four"),
        (
            {"stacks_of_four": True, "dealing": "automated_shoe", "shuffler": "counting"},
            "679a.10(g)",
            "rules.stacks_of_four",
        ),
    ],
)
def test_options_that_do_not_go_together(options: dict[str, Any], clause: str, field: str) -> None:
    with pytest.raises(Refused) as refused:
        choose(PRIME, options)
    assert refused.value.code == "options_do_not_go_together"
    assert (refused.value.clause, refused.value.field) == (clause, field)


@cites(PRIME, "679a.3(b)", "679a.9(a)(1)", "679a.10(g)")
def test_they_go_together_with_the_right_device() -> None:
    rules = choose(PRIME, {"decks_in_play": 2, "dealing": "hand", "shuffler": "plain"})
    assert (rules["decks_in_play"], rules["dealing"]) == (2, "hand")
    shoe = {"stacks_of_four": True, "dealing": "automated_shoe", "shuffler": "reshuffling"}
    assert choose(PRIME, shoe)["stacks_of_four"] is True


@cites(PRIME, "679a.12(c)", "679a.12(f)", "679a.12(g)")
@pytest.mark.parametrize(
    ("option", "value"),
    [("bad_beat", "C"), ("bad_beat", "none"), ("pair_bonus", "E"), ("all_six", "F")],
)
def test_a_paytable_that_is_not_printed_is_refused(option: str, value: str) -> None:
    with pytest.raises(Refused) as refused:
        choose(PRIME, {option: value})
    assert refused.value.code == "no_such_value"
    assert refused.value.field == f"rules.{option}"
    assert refused.value.clause in chapter(PRIME).clauses


@cites(PRIME, "679a.12(a)", "679a.12(b)")
def test_no_table_of_the_houses_own() -> None:
    with pytest.raises(Refused) as refused:
        choose(PRIME, paytables={"play": {"pair": "2 to 1"}})
    assert refused.value.code == "no_such_paytable"
