"""A Maryland table for tests: seats in, settled seats out, through the JSON that users send."""

import json
from decimal import Decimal
from typing import Any

import maryland_text as text
import msgspec
import pytest

from houseway.errors import Refused
from houseway.game_api.settle import settle_json
from houseway.law import MD

#: a dealer who plays with the least hand that qualifies, and one who does not
QUEEN_HIGH, JACK_HIGH = "Qc 8s 3d", "Jc 8s 3d"

#: three cards of each name, none of them above
THREE = {
    "mini_royal_spades": "As Ks Qs",
    "mini_royal": "Ad Kd Qd",
    "straight_flush": "7h 8h 9h",
    "three_of_a_kind": "6c 6d 6h",
    "straight": "4c 5d 6s",
    "flush": "2h 8h Jh",
    "pair": "9c 9s 4d",
    "high_card": "2c 7d Ts",
}
#: the highest and the lowest of each
THREE_ENDS = {
    "mini_royal": ("Ah Kh Qh",),
    "straight_flush": ("Kh Qh Jh", "3s 2s As"),
    "three_of_a_kind": ("Ac Ad Ah", "2c 2d 2h"),
    "straight": ("Ac Kd Qh", "3c 2d Ah"),
    "flush": ("Ah Kh Jh", "5h 3h 2h"),
    "pair": ("Ah Ad Kc", "2c 2d 3h"),
}
#: what a hand is called where a table has no row of its own for it
LESS = {
    "mini_royal_spades": "mini_royal", "mini_royal": "straight_flush",
    "super_royal_diamonds": "super_royal", "super_royal": "royal_flush",
}  # fmt: skip
#: a player's three cards and the dealer's three, or the community's two
SIX = {
    "super_royal_diamonds": ("Ad Kd Qd", "Jd Td 9d"),
    "super_royal": ("As 9s Qs", "Js Ts Ks"),
    "royal_flush": ("Ah Kh Qh", "Jh Th 9c"),
    "straight_flush": ("5s 6s 7s", "8s 9s Kd"),
    "four_of_a_kind": ("4c 4d 4h", "4s Qd 2c"),
    "full_house": ("8c 8d 8h", "Jc Jd 3s"),
    "flush": ("2h 5h 9h", "Jh Kh 3c"),
    "straight": ("6c 7d 8h", "9s Tc 2d"),
    "three_of_a_kind": ("5c 5d 5h", "Ks 9d 2c"),
    "two_pair": ("5c 5d Th", "Ts 9d 2c"),
    "pair": ("5c 5d Th", "Js 9d 2c"),
    "high_card": ("5c 7d Th", "Js 9d 2c"),
}
FIVE = {
    "royal_flush": ("As Ks Qs", "Js Ts"),
    "straight_flush": ("5h 6h 7h", "8h 9h"),
    "four_of_a_kind": ("4c 4d 4h", "4s Td"),
    "full_house": ("8c 8d 8h", "Jc Jd"),
    "flush": ("2h 5h 9h", "Jh Kh"),
    "straight": ("6c 7d 8h", "9s Tc"),
    "three_of_a_kind": ("5c 5d 5h", "Ks 9d"),
    "two_pair": ("5c 5d Th", "Ts 9d"),
    "pair": ("5c 5d Th", "Js 9d"),
    "high_card": ("5c 7d Th", "Js 9d"),
}

Seat = dict[str, Any]


def seat(number: int, hand: str, decision: str | None = None, **wagers: str) -> Seat:
    """A seat with its cards and wagers; `player` among the wagers names who sits there."""
    found: Seat = {"seat": number, "cards": hand.split()}
    if (player := wagers.pop("player", None)) is not None:
        found["player"] = player
    if decision is not None:
        found["decision"] = decision
    return {**found, "wagers": wagers}


def as_round(
    *seats: Seat,
    dealer: str = QUEEN_HIGH,
    community: str = "",
    meters: dict[str, str] | None = None,
    terms: dict[str, dict[str, str]] | None = None,
    **rules: Any,
) -> dict[str, Any]:
    """A round as JSON: `meters` is what they show, `terms` their rates, seeds and resets."""
    return {
        "chapter": MD,
        "rules": {**rules, "meters": terms} if terms else rules,
        "dealer": dealer.split(),
        "community": community.split(),
        "meters": meters or {},
        "seats": list(seats),
    }


class Settled:
    """What came back, with the questions that tests ask of it."""

    def __init__(self, result: dict[str, Any]) -> None:
        self.result = result
        self.house = result["house"]
        self.meters = result["meters"]

    def seat(self, number: int) -> dict[str, Any]:
        return next(seat for seat in self.result["seats"] if seat["seat"] == number)

    def lines(self, number: int, wager: str | None = None) -> list[dict[str, Any]]:
        return [
            line for line in self.seat(number)["lines"] if wager is None or line["wager"] == wager
        ]

    def line(self, number: int, wager: str) -> dict[str, Any]:
        (found,) = self.lines(number, wager)
        return found

    def net(self, number: int) -> str:
        return self.seat(number)["net"]


def settle_round(given: dict[str, Any]) -> Settled:
    return Settled(msgspec.to_builtins(settle_json(json.dumps(given))))


def three_cards(wager: str, table: str, hand: str) -> list[str]:
    """Hands that a table pays by this row: one in the middle, its ends, and what has no own row."""
    found = [THREE[hand], *THREE_ENDS.get(hand, ())]
    return found + [THREE[one] for one in _without_row(wager, table, hand) if one in THREE]


def six_cards(table: str, hand: str) -> list[tuple[str, str]]:
    more = _without_row("six_card_bonus", table, hand)
    return [SIX[one] for one in (hand, *more) if one in SIX]


def _without_row(wager: str, table: str, hand: str) -> list[str]:
    """The higher hands that are paid as this one, since the table does not name them."""
    printed, found = text.TABLES[wager, table][2], [hand]
    for more, less in reversed(LESS.items()):
        if less in found and more not in printed:
            found.append(more)
    return found[1:]


def settled(*seats: Seat, **more: Any) -> Settled:
    return settle_round(as_round(*seats, **more))


def refused(*seats: Seat, **more: Any) -> Refused:
    """The refusal that a round meets; the test fails if it is settled."""
    with pytest.raises(Refused) as caught:
        settled(*seats, **more)
    return caught.value


def in_cents(text: str) -> int:
    return int(Decimal(text) * 100)


def in_dollars(amount: int) -> str:
    return f"{Decimal(amount) / 100:.2f}"


def owed(pays: str, stake: int, meter: int = 0) -> int:
    """What odds pay beside the stake, in cents."""
    number = int(pays.split(maxsplit=1)[0].strip("$%"))
    if pays.startswith("$"):
        return number * 100
    if "%" in pays:
        return meter * number // 100 - stake
    return number * stake if " to " in pays else (number - 1) * stake
