"""What a seat of Down Under Blackjack has of its own: hands that were split, doubled, paid early."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from houseway.cards import Card
from houseway.errors import Refused
from houseway.game_api.round import Seat
from houseway.game_api.round_json import HandIn, read_amounts, read_cards
from houseway.game_api.rules import SeatFields
from houseway.law import Rules
from houseway.money import Cents, dollars


class PlayedIn(msgspec.Struct, frozen=True):
    """The hands of a seat in JSON."""

    hands: list[HandIn] = []
    even_money: bool = False


class Hand(msgspec.Struct, frozen=True, cache_hash=True):
    """One hand: its cards in the order they came, and what was added to double it."""

    cards: tuple[Card, ...] = ()
    doubled: Cents = 0


class PlayedSeat(Seat, frozen=True):
    """A seat with its hands as they were played."""

    hands: tuple[Hand, ...] = ()
    split: bool = False
    even_money: bool = False


def played(seat: Seat) -> PlayedSeat:
    """The seat with its hands; a seat of another kind has none."""
    return seat if isinstance(seat, PlayedSeat) else seat.as_kind(PlayedSeat)


def _read(given: PlayedIn, wagers: Mapping[str, Cents], _rules: Rules) -> dict[str, Any]:
    bet = wagers.get("bet", 0)
    hands = tuple([_hand(hand, number, bet) for number, hand in enumerate(given.hands, 1)])
    split = any(hand.split for hand in given.hands)
    return {"hands": hands, "split": split, "even_money": given.even_money}


def _hand(given: HandIn, number: int, bet: Cents) -> Hand:
    if given.wagers or given.decision or given.hand not in (0, number):
        raise Refused(
            "not_in_this_game",
            f"hand {number} has cards, doubled and split; wagers belong to the seat",
            field=f"hands.{number}",
        )
    doubled = bet if given.doubled is True else 0
    if isinstance(given.doubled, str):
        (doubled,) = read_amounts({"doubled": given.doubled}, None, "hands").values()
    if given.doubled is not False and not doubled:
        raise Refused(
            "no_wager",
            "a double needs an amount; write false where the hand was not doubled",
            field="hands.doubled",
        )
    return Hand(read_cards(given.cards, None, "hands"), doubled)


def _write(seat: PlayedSeat) -> dict[str, Any]:
    hands = [
        {"cards": [str(one) for one in hand.cards]}
        | ({"doubled": dollars(hand.doubled)} if hand.doubled else {})
        | ({"split": True} if seat.split else {})
        for hand in seat.hands
    ]
    return {"hands": hands} | ({"even_money": True} if seat.even_money else {})


seat_fields = SeatFields(PlayedIn, PlayedSeat, _read, _write)
