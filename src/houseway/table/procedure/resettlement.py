"""What was settled by a card that proved wrong is recalculated, and the difference is paid or taken
back.

Nothing is rewritten: the settlement as the right card makes it is a new event, and each seat gets
or gives back what that makes of the wagers settled so far. Wagers still to come simply become due
as they now are; a bonus that only the right card pays is one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from houseway.errors import Refused
from houseway.game_api.round import LOST, Line
from houseway.money import Cents, dollars
from houseway.table import events as e
from houseway.table.moment import Moment
from houseway.table.money.settlement_lines import due_of, due_out
from houseway.table.procedure.progressive import at_the_meter
from houseway.table.procedure.tray import chips_in, chips_out
from houseway.table.round_building import decided_by_cards
from houseway.table.state import Due, is_open

#: seat, wager, hand, and which of several such lines
Which = tuple[int, str, int, int]


def _numbered(lines: Iterable[Due]) -> dict[Which, Due]:
    """Lines by what they are about; a seat may have two of a kind, as two hands pay it envy."""
    seen: Counter[tuple[int, str, int]] = Counter()
    found: dict[Which, Due] = {}
    for line in lines:
        about = (line.seat, line.wager, line.hand)
        found[*about, seen[about]] = line
        seen[about] += 1
    return found


def make_good(
    now: Moment, lines: Iterable[tuple[int, Line]], reason: str, clause: str = ""
) -> None:
    """Replace the wagers settled so far with these lines."""
    fresh = _numbered(due_of(seat, line) for seat, line in lines)
    done = _numbered(now.table.settled)
    # a chip that turns out to have won from a meter is in the tray, and stays the meter's business
    kept = {which: line for which, line in done.items() if not _meter_owes(line, fresh.get(which))}
    after: dict[Which, Due] = {}
    for which, line in kept.items():
        again = _again(now, line, fresh.get(which))
        if again is not None:
            after[which] = again
    if after != done:
        for seat in dict.fromkeys(line.seat for line in kept.values()):
            owed = _net(after, seat) - _net(kept, seat)
            if owed:
                compensate(now, seat, owed, reason, clause)
        now.emit(e.SettlementCorrected, clause, lines=tuple(map(due_out, after.values())))


def settle_again(now: Moment, lines: list[tuple[int, Line]], reason: str, clause: str = "") -> None:
    """Do the same, and make the lines that are not settled yet due."""
    make_good(now, lines, reason, clause)
    fresh = _numbered(due_of(seat, line) for seat, line in lines)
    done = _numbered(now.table.settled)
    validated = {which for which, line in _numbered(now.table.due).items() if line.validated}
    left = (
        replace(line, validated=which in validated)
        for which, line in fresh.items()
        if which not in done
        and line.result != "forfeit"
        and is_open(box := now.table.boxes[line.seat - 1], line)
        and not box.out
    )
    _become_due(now, left)


def _become_due(now: Moment, lines: Iterable[Due]) -> None:
    due = tuple(at_the_meter(now, lines))
    if due != now.table.due:
        now.emit(e.SettlementDue, lines=tuple(map(due_out, due)))


def _again(now: Moment, line: Due, fresh: Due | None) -> Due | None:
    """A settled line as it should have been; None for a bonus that should not have been paid.

    A stake that should not have been settled was given back: its line says so.
    """
    if not _decided_by_cards(now, line):
        if line.wager not in now.game.void_wagers(now):
            return line
        return _given_back(line)
    if line.meter:
        same = fresh is not None and (fresh.result, fresh.odds) == (line.result, line.odds)
        if not same or now.rules.options.get("several_meter_hits") == "shared":
            raise Refused(
                "meter_has_paid",
                f"the {line.meter} meter has paid seat {line.seat} already; what is to come back "
                "is agreed with the floor and recorded as a corrected payment",
            )
        return line
    return _given_back(line) if fresh is None and line.stake else fresh


def _decided_by_cards(now: Moment, line: Due) -> bool:
    """Whether the hand is known, and this was settled by it: not abandoned with the hand."""
    counts = any(box.seat == line.seat for box in now.game.hands_that_count(now))
    return counts and (line.seat, line.wager, line.hand) in decided_by_cards(now)


def _given_back(line: Due) -> Due:
    return replace(line, result="returned", paid=0, odds="", outcome="")


def _meter_owes(line: Due, fresh: Due | None) -> bool:
    """Whether a wager that was settled as lost has in fact won from a meter, and so becomes due."""
    return fresh is not None and bool(fresh.meter) and not line.meter


def _net(lines: dict[Which, Due], seat: int) -> Cents:
    """What a seat is up or down by lines that no meter pays."""
    return sum(
        -line.stake if line.result in LOST else line.paid
        for line in lines.values()
        if line.seat == seat and not line.meter
    )


def compensate(now: Moment, seat: int, amount: Cents, reason: str, clause: str = "") -> None:
    """Pay the difference to the player; if it is negative, take it back into the tray."""
    tray = chips_out(now.table, amount) if amount > 0 else chips_in(now.table, -amount)
    now.emit(
        e.PaymentCorrected, clause, seat=seat, amount=dollars(amount), reason=reason, tray=tray
    )
