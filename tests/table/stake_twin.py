"""A plain twin of every stake and every chip at a table, fed with nothing but its events.

It knows no rule of any game. A stake is placed, may be raised and ends once; a void round opens what
the house took, a corrected settlement opens the lines it replaces; chips move between players, layout
and tray and are never made or lost, meters and the cage apart.
"""

from __future__ import annotations

from typing import Any

from houseway.money import cents, signed
from houseway.table import Event, Table, evolve
from houseway.table import events as e

TAKEN = ("lose", "forfeit")
Stake = tuple[int, str]


def _chips(tray: dict[str, int]) -> int:
    return sum(cents(value) * count for value, count in tray.items())


class StakeTwin:
    """What is open and what has ended in the round, and whether the chips add up."""

    def __init__(self) -> None:
        self.table = Table()
        self.open: dict[Stake, int] = {}
        #: stakes that a line settled, and its result
        self.settled: dict[Stake, tuple[str, int]] = {}
        self.returned: set[Stake] = set()
        self.players = 0

    def take(self, event: Event) -> None:
        before = self._chips()
        self.table = evolve(self.table, event)
        if isinstance(event, e.TableOpened | e.TableClosed):
            return
        outside = self._move(event)
        assert self._chips() == before + outside, event

    def _chips(self) -> int:
        layout = sum(sum(box.layout.values()) for box in self.table.boxes)
        tray = sum(value * count for value, count in self.table.tray.items())
        return layout + tray + self.players

    def _which(self, seat: int, wager: str, hand: int) -> Stake:
        """A bet that was split is settled by hand, and lies there as one bet and one split."""
        name = f"{wager}@{hand}" if hand else wager
        known = {*self.open, *self.settled, *self.returned}
        return (seat, name) if (seat, name) in known else (seat, wager)

    def _ends(self, seat: int, wager: str, hand: int, amount: str, event: Event) -> Stake:
        stake = self._which(seat, wager, hand)
        assert self.open.pop(stake, None) == cents(amount), f"{stake} is not open: {event}"
        return stake

    def _move(self, event: Event) -> int:
        """Follow an event; the chips that came to the table from outside, or with a minus left."""
        match event:
            case e.WagerPlaced(seat=seat, wager=wager, hand=hand, amount=amount):
                assert self.table.boxes[seat - 1].player, f"nobody there: {event}"
                name = f"{wager}@{hand}" if hand else wager
                assert (seat, name) not in {*self.settled, *self.returned}, event
                self.open[seat, name] = self.open.get((seat, name), 0) + cents(amount)
                self.players -= cents(amount)
            case (
                e.WagerTakenBack(seat=seat, wager=wager, hand=hand, amount=amount)
                | e.ProgressiveStruck(seat=seat, wager=wager, hand=hand, amount=amount)
            ):
                self._ends(seat, wager, hand, amount, event)
                self.players += cents(amount)
            case e.WagerReturned(seat=seat, wager=wager, hand=hand, amount=amount):
                self.returned.add(self._ends(seat, wager, hand, amount, event))
                self.players += cents(amount)
            case e.WagerSettled(seat=seat, wager=wager, hand=hand, stake=amount, result=result):
                if cents(amount):
                    stake = self._ends(seat, wager, hand, amount, event)
                    self.settled[stake] = (result, cents(amount))
                if result not in TAKEN:
                    self.players += cents(amount) + signed(event.paid)
                return cents(event.from_meter or "0.00")
            case e.RoundVoided():
                for stake, (result, staked) in tuple(self.settled.items()):
                    del self.settled[stake]
                    if result in TAKEN:
                        self.open[stake] = staked
                    else:
                        self.returned.add(stake)
            case e.SettlementCorrected(lines=lines):
                self._corrected(lines)
            case e.PaymentCorrected(amount=amount):
                self.players += signed(amount)
            case e.ChipsSold(amount=amount):
                self.players += cents(amount)
            case e.TipGiven(amount=amount):
                self.players -= cents(amount)
                return -cents(amount)
            case e.TrayFilled(tray=tray) | e.TrayCredited(tray=tray):
                return _chips(tray)
            case e.RoundEnded():
                assert not self.open, f"never ended: {self.open}"
                self.settled, self.returned = {}, set()
        return 0

    def _corrected(self, lines: tuple[dict[str, Any], ...]) -> None:
        for stake, (_, staked) in self.settled.items():
            self.open[stake] = staked
        self.settled = {}
        for line in lines:
            if cents(line["stake"]):
                stake = self._which(line["seat"], line["wager"], line.get("hand", 0))
                if stake in self.returned:
                    continue  # what a meter has paid stands in a void round
                assert self.open.pop(stake) == cents(line["stake"])
                self.settled[stake] = (line["result"], cents(line["stake"]))


def check_stakes(record: list[Event]) -> None:
    """Every stake ended once, or is open in a round that is not over; every chip is somewhere."""
    twin = StakeTwin()
    for event in record:
        twin.take(event)
    for box in twin.table.boxes:
        still = {name: amount for (seat, name), amount in twin.open.items() if seat == box.seat}
        assert still == {
            name: amount for name, amount in box.wagers.items() if name not in box.ended
        }
