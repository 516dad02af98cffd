"""Three Card Poker in Massachusetts at the table: Cover All, envy, match play coupons."""

from __future__ import annotations

from typing import ClassVar

from houseway.cards import cards
from houseway.game_api.round import Seat
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.massachusetts import check_coupon
from houseway.games.three_card.table.common import ThreeCardTable
from houseway.law import MA, cites
from houseway.law.chapter import Wager
from houseway.money import cents, dollars, spoken
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.engine import Actions, Moment
from houseway.table.procedure.wagering import OPEN, may_wager
from houseway.table.state import seat_pile

ACTIONS = Actions()


@ACTIONS.action(c.PlaceCoupon, ("player", "dealer"), OPEN, may_wager, unasked=True)
@cites(MA, "6(b)")
def place_coupon(now: Moment, command: c.PlaceCoupon) -> None:
    """A match play coupon beside chips of at least its value."""
    box, value = now.box(command.seat), cents(command.value)
    if command.wager in box.coupons:
        raise now.refuse(
            "coupon_placed",
            f"a coupon of {spoken(box.coupons[command.wager])} stands beside that wager already; "
            "take the wager back to change it",
            "place_coupon",
            field="wager",
        )
    check_coupon(now.rules, Seat(box.seat, box.wagers, coupon={command.wager: value}))
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
        mine = now.table.boxes[seat - 1].player
        envied = any("progressive" in box.wagers and box.player != mine for box in now.table.boxes)
        return envied and any(table.get(name) for table in rules.tables("envy") for name in names)

    def display(self, now: Moment) -> dict[str, str]:
        """What Cover All pays for the number of hands in this round."""
        if not now.rules.options.get("cover_all"):
            return {}
        pays = now.rules.table("cover_all", str(len(now.table.hands))).pays
        return {hand: pay.odds.text for hand, pay in pays.items()}
