"""Three Card Poker in Massachusetts at the table: Cover All, envy, match play coupons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from houseway.cards import cards
from houseway.errors import Refused
from houseway.game_api.round import Seat
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.massachusetts import TAKES_COUPON, check_coupons
from houseway.games.three_card.seats import CouponSeat
from houseway.games.three_card.table.common import ThreeCardTable
from houseway.law import MA, cites
from houseway.law.chapter import Wager
from houseway.money import Cents, cents, dollars, spoken
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.actions import Actions
from houseway.table.evolve.registry import evolves, having, moved, with_box
from houseway.table.moment import Moment
from houseway.table.procedure.deciding import is_folded
from houseway.table.procedure.wagering import may_wager, of_all_hands, take_back
from houseway.table.round_building import Cards
from houseway.table.state import Box, OwnBox, Table, seat_pile

ACTIONS = Actions()


class CouponBox(msgspec.Struct, OwnBox, frozen=True, tag="three_card.coupons", tag_field="family"):
    """The match play coupons at a box, by the wager they stand beside."""

    coupons: Mapping[str, Cents] = {}

    def without(self, stake: str) -> OwnBox:
        return CouponBox(having(self.coupons, {stake: None})) if stake in self.coupons else self


def coupons(box: Box) -> Mapping[str, Cents]:
    """The match play coupons at a box, by the wager they stand beside."""
    return box.own.coupons if isinstance(box.own, CouponBox) else {}


@evolves(e.CouponPlaced)
def _placed(table: Table, event: e.CouponPlaced) -> Table:
    placed = {**coupons(table.boxes[event.seat - 1]), event.wager: cents(event.value)}
    return moved(table, event, boxes=with_box(table, event.seat, own=CouponBox(placed)))


@evolves(e.CouponReturned)
def _returned(table: Table, event: e.CouponReturned) -> Table:
    left = having(coupons(table.boxes[event.seat - 1]), {event.wager: None})
    return moved(table, event, boxes=with_box(table, event.seat, own=CouponBox(left)))


def _placed_already(now: Moment, beside: str, value: str = "") -> Refused:
    worth = f" of {value}" if value else ""
    return now.refuse(
        "coupon_placed",
        f"a coupon{worth} stands beside {beside} already; take the wager back to change it",
        "place_coupon",
        field="wager",
    )


def _may_place_coupon(now: Moment, seat: int) -> None:
    """Bets are open, and chips lie there beside which no coupon stands."""
    may_wager(now, seat)
    box = now.box(seat)
    beside = [name for name in TAKES_COUPON if name in box.layout]
    if not beside:
        says = "a match play coupon stands beside chips: wager first"
        raise now.refuse("coupon_not_accepted", says, "place_coupon")
    if all(name in coupons(box) for name in beside):
        raise _placed_already(now, "every wager that takes one")


@ACTIONS.action(c.PlaceCoupon, ("player", "dealer"), (), _may_place_coupon, unasked=True)
@cites(MA, "6(b)")
def place_coupon(now: Moment, command: c.PlaceCoupon) -> None:
    """A match play coupon beside chips of at least its value."""
    box, value = now.box(command.seat), cents(command.value)
    if command.wager in coupons(box):
        raise _placed_already(now, "that wager", spoken(coupons(box)[command.wager]))
    check_coupons(now.rules, box.wagers, {command.wager: value})
    now.emit(
        e.CouponPlaced,
        now.clause("place_coupon"),
        seat=command.seat,
        wager=command.wager,
        value=dollars(value),
    )


class MassachusettsTable(ThreeCardTable):
    """Cover All and envy look at the hands of all players."""

    actions: ClassVar[Actions] = ACTIONS
    names: ClassVar[Mapping[str, str]] = {"cover_all": "Cover All"}
    own_box: ClassVar[type[OwnBox] | None] = CouponBox

    def seat(self, now: Moment, box: Box, cards: Cards) -> Seat:
        held = super().seat(now, box, cards)
        return held.as_kind(CouponSeat, coupon=coupons(box)) if box.own else held

    def give_back_beside(self, now: Moment, seat: int, stake: str, clause: str) -> None:
        """A coupon goes back with the wager that it stands beside."""
        value = coupons(now.table.boxes[seat - 1]).get(stake)
        if value:
            now.emit(e.CouponReturned, clause, seat=seat, wager=stake, value=dollars(value))

    def box_view(self, box: Box) -> dict[str, Any]:
        return {"coupons": {name: dollars(value) for name, value in coupons(box).items()}}

    @cites(MA, "12(d)", "12(e)")
    def check_wager(self, now: Moment, wager: Wager) -> None:
        """Cover All needs the shuffler that counts the hands and shows what it pays."""
        if wager.settled_on != "all_hands":
            return
        device = now.table.devices.get("shuffler")
        if device is None or device.condition not in ("working", "jammed"):
            raise now.refuse(
                "device_out_of_order",
                "Cover All is not taken without the shuffler that shows what it pays",
                "show_cover_all",
            )

    @cites(MA, "12(d)", "12(e)")
    def device_stopped(self, now: Moment, device: str) -> None:
        """Cover All leaves the layout with its shuffler; in a round it is settled by the matrix."""
        if device != "shuffler" or now.table.hands:
            return
        for box in now.table.boxes:
            for name in of_all_hands(now.rules.chapter):
                if name in box.layout:
                    take_back(now, box.seat, name, "show_cover_all")

    @cites(MA, "12(h)", "12(i)", "13(e)(b)")
    def stays_exposed(self, now: Moment, seat: int) -> bool:
        """The highest hand so far stays for Cover All, and one that pays envy until envy is paid."""
        held = cards(now.table.piles[seat_pile(seat)])
        names = three_card.outcomes(held, three_card.value(held))
        rules = now.rules
        covered = any("cover_all" in box.wagers for box in now.table.boxes)
        if covered and any(rules.table("cover_all", "1").get(name) for name in names):
            others = (
                cards(pile)
                for name, pile in now.table.piles.items()
                if name in now.table.shown and name != seat_pile(seat)
            )
            if all(three_card.value(held) >= three_card.value(other) for other in others):
                return True
        mine = now.table.boxes[seat - 1]
        envied = not is_folded(mine) and any(
            "progressive" in box.wagers and box.player != mine.player for box in now.table.boxes
        )
        return envied and any(table.get(name) for table in rules.tables("envy") for name in names)

    def display(self, now: Moment) -> dict[str, str]:
        """What Cover All pays for the number of hands in this round."""
        device = now.table.devices.get("shuffler")
        shows = device is not None and device.condition in ("working", "jammed")
        if not now.rules.options.get("cover_all") or not shows:
            return {}
        pays = now.rules.table("cover_all", str(len(now.table.hands))).pays
        return {hand: pay.odds.text for hand, pay in pays.items()}
