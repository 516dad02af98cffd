"""What a seat of a three-card game has of its own, by variant.

Maryland's electronic version has hands of community cards, Massachusetts has match play coupons, and
Three Card Prime has a fourth card.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from houseway.cards import Card
from houseway.errors import Refused
from houseway.game_api.round import Seat
from houseway.game_api.round_json import HandIn, amounts_out, read_amounts, read_cards
from houseway.game_api.rules import SeatFields
from houseway.law import MD, Rules, cites
from houseway.money import Cents

# Maryland


class ElectronicIn(msgspec.Struct, frozen=True):
    """The hands of the electronic version in JSON."""

    hands: list[HandIn] = []


class ElectronicHand(msgspec.Struct, frozen=True):
    """A hand of community cards that a player wagers on."""

    number: int
    wagers: Mapping[str, Cents] = {}
    decision: str | None = None


class ElectronicSeat(Seat, frozen=True):
    """A seat in Maryland, with the hands it wagers on in the electronic version."""

    hands: tuple[ElectronicHand, ...] = ()


def electronic_hands(seat: Seat) -> tuple[ElectronicHand, ...]:
    """The hands that a seat wagers on in the electronic version."""
    return seat.hands if isinstance(seat, ElectronicSeat) else ()


@cites(MD, "11.F(2)")
def _read_hands(given: ElectronicIn, _wagers: Mapping[str, Cents], rules: Rules) -> dict[str, Any]:
    if rules["electronic"] and any(
        hand.cards or hand.doubled or hand.split for hand in given.hands
    ):
        raise Refused(
            "not_in_this_game",
            "a hand of the electronic version has wagers and a decision; its cards are the "
            "community cards",
            clause=rules.chapter.printed("11.F(2)"),
            field="hands",
        )
    hands = (
        ElectronicHand(hand.hand, read_amounts(hand.wagers, None, "hands"), hand.decision)
        for hand in given.hands
    )
    return {"hands": tuple(hands)}


def _write_hands(seat: ElectronicSeat) -> dict[str, Any]:
    hands = [
        {"hand": hand.number, "wagers": amounts_out(hand.wagers)}
        | ({"decision": hand.decision} if hand.decision else {})
        for hand in seat.hands
    ]
    return {"hands": hands} if hands else {}


electronic_fields = SeatFields(ElectronicIn, ElectronicSeat, _read_hands, _write_hands)

# Massachusetts


class CouponIn(msgspec.Struct, frozen=True):
    """Match play coupons in JSON."""

    #: by wager; an amount alone lies on the ante, or on Pair Plus where there is none
    coupon: dict[str, str] | str = {}


class CouponSeat(Seat, frozen=True):
    """A seat in Massachusetts, with its match play coupons by the wager they stand beside."""

    coupon: Mapping[str, Cents] = {}


def coupons(seat: Seat) -> Mapping[str, Cents]:
    """The match play coupons of a seat, by the wager they stand beside."""
    return seat.coupon if isinstance(seat, CouponSeat) else {}


def _read_coupon(given: CouponIn, wagers: Mapping[str, Cents], _rules: Rules) -> dict[str, Any]:
    coupon = given.coupon
    if isinstance(coupon, str):
        coupon = {"ante" if "ante" in wagers else "pair_plus": coupon}
    return {"coupon": read_amounts(coupon, None, "coupon")}


def _write_coupon(seat: CouponSeat) -> dict[str, Any]:
    return {"coupon": amounts_out(seat.coupon)} if seat.coupon else {}


coupon_fields = SeatFields(CouponIn, CouponSeat, _read_coupon, _write_coupon)

# Three Card Prime


class FourthCardIn(msgspec.Struct, frozen=True):
    """The fourth card in JSON."""

    fourth: str | None = None


class FourthCardSeat(Seat, frozen=True):
    """A seat of Three Card Prime, with its fourth card if it has one."""

    fourth: Card | None = None


def fourth_card(seat: Seat) -> Card | None:
    """The fourth card of a seat, if it has one."""
    return seat.fourth if isinstance(seat, FourthCardSeat) else None


def _read_fourth(
    given: FourthCardIn, _wagers: Mapping[str, Cents], _rules: Rules
) -> dict[str, Any]:
    assert given.fourth is not None
    return {"fourth": read_cards([given.fourth], None, "fourth")[0]}


fourth_card_fields = SeatFields(FourthCardIn, FourthCardSeat, _read_fourth)
