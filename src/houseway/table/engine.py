"""The engine of every table: commands in, events out, nothing else.

Whether a command is open is asked by the same check that `decide` passes: the role, the game, the
phase and the action's own `when`. So `legal` and `next_steps` cannot promise what `decide` would
refuse for being out of turn; `decide` may still refuse an amount or a card.
"""

from __future__ import annotations

from collections.abc import Collection

from houseway.errors import Refused
from houseway.table import events as e
from houseway.table.actions import DECLARED, GENERAL, PHASES, Action
from houseway.table.card_source import known_already
from houseway.table.commands import Command, OpenTable
from houseway.table.gaming_day import moment
from houseway.table.moment import Moment, box_at, situation
from houseway.table.state import Table, cards_known


def barred(now: Moment, found: Action) -> str:
    """Why a command is not possible for any seat: a code, or nothing."""
    if now.role not in found.roles:
        return "not_your_part"
    if not found.anywhere and found.name not in now.steps:
        return "not_in_this_chapter"
    if found.phases and (now.place if found.span else now.table.phase) not in found.phases:
        return "out_of_turn"
    return ""


def _check(now: Moment, found: Action, seat: int) -> None:
    """The check that `decide`, `legal` and `next_steps` share."""
    code = barred(now, found)
    if code == "not_your_part":
        raise _not_for(now.table, found, now.role)
    if code == "not_in_this_chapter":
        raise _not_here(now, found)
    if code:
        why = f"is not possible now: {PHASES[now.table.phase]}"
        raise now.refuse(code, f"{found.name.replace('_', ' ')} {why}", found.name)
    if found.when is not None:
        found.when(now, seat)


def _not_here(now: Moment, found: Action) -> Refused:
    says = f"{found.name.replace('_', ' ')} is not part of this game under its rules"
    return now.refuse("not_in_this_chapter", says, found.name, f"no_{found.name}")


def authorize(table: Table, command: Command) -> None:
    """Refuse a command that is not the sender's to give: by role, by seat, by what it names.

    `run` asks this before anything else. Code that carries out a command in another role must ask
    it for the sender first.
    """
    here = situation(table).actions if table.chapter else GENERAL
    _authorize(table, command, here.get(type(command)) or DECLARED[type(command)])


def _authorize(table: Table, command: Command, found: Action) -> None:
    if command.role not in found.roles:
        raise _not_for(table, found, command.role)
    if getattr(command, "order", ()) and command.role != "system":
        raise Refused(
            "not_your_part",
            f"the order comes from the system's shoe, not from a {command.role}",
            field="order",
        )
    seat: int = getattr(command, "seat", 0)
    if command.role != "player" or not table.chapter or not seat:
        return
    _own_seat(table, command, seat, sits=found.name == "sit_down")


def _not_for(table: Table, found: Action, role: str) -> Refused:
    roles = " or the ".join(sorted(found.roles))
    says = f"{found.name.replace('_', ' ')} is for the {roles}, not the {role}"
    step = situation(table).steps.get(found.name) if table.chapter else None
    return Refused("not_your_part", says, clause=step.clause if step else None)


def _own_seat(table: Table, command: Command, seat: int, *, sits: bool) -> None:
    """A player acts only for their own box; the dealer acts for a box whose player has left."""
    holder = box_at(table, seat).player
    if holder != command.who and (holder or not sits):
        says = f"{holder or 'nobody'} sits at seat {seat}"
        raise Refused("not_your_seat" if holder else "nobody_there", says, seat=seat)
    if sits and command.who and getattr(command, "player", "") not in ("", command.who):
        raise Refused("not_your_part", "players sit down for themselves", seat=seat, field="player")


def _check_names(table: Table, command: Command, fields: tuple[str, ...]) -> None:
    """Refuse named cards at a table where no real cards are keyed in: a name would be a free guess."""
    for field in fields:
        if getattr(command, field) and cards_known(table):
            raise known_already(field)


def _check_clock(table: Table, at: str) -> None:
    """Refuse a command dated before the last event, so that no deadline is escaped."""
    when = moment(at)
    if not table.at:
        return
    try:
        back = when < moment(table.at)
    except TypeError:
        raise Refused(
            "not_a_time", "times at one table have a zone, or none has", field="at"
        ) from None
    if back:
        raise Refused(
            "clock_runs_back",
            f"this is stamped {at}, earlier than the table's last event at {table.at}",
            field="at",
        )


def _check_reason(command: Command) -> None:
    """Refuse a command that lacks a required reason; it must have a letter or a digit."""
    if not any(map(str.isalnum, command.reason)):  # type: ignore[attr-defined]
        raise Refused("no_reason", "give a reason", field="reason")


def _check_count(command: Command) -> None:
    """Refuse a negative count."""
    count = command.count  # type: ignore[attr-defined]
    if isinstance(count, int) and count < 0:
        raise Refused("not_a_count", "counts must not be negative", field="count")


def run(table: Table, command: Command) -> tuple[tuple[e.Event, ...], Table]:
    """Decide and evolve in one step: the events, and the table after them."""
    events, tables = run_through(table, command)
    return events, tables[-1] if tables else table


def run_through(table: Table, command: Command) -> tuple[tuple[e.Event, ...], tuple[Table, ...]]:
    """Decide and evolve in one step: the events, and the table after each of them."""
    now = Moment(table, command.role, command.who, command.at)
    kind = type(command)
    found = (now.actions if table.chapter else GENERAL).get(kind) or DECLARED[kind]
    _authorize(table, command, found)
    if command.version is not None and command.version != table.version:
        raise Refused(
            "stale",
            f"this was decided at version {command.version}; the table is at {table.version}",
            field="version",
        )
    if not table.chapter and found.name != "open_table":
        raise Refused("not_open", "this table is not open")
    if command.at != table.at or not table.at:
        _check_clock(table, command.at)
    seat: int = command.seat if found.seated else 0  # type: ignore[attr-defined]
    if seat:
        now.box(seat)
    if table.chapter and now.standing == "unknown" and found.name != "close_table":
        raise Refused(
            "edition_changed",
            f"this table was opened under a text of {table.chapter}, edition {table.edition}, that "
            "is not known here; its record can be shown, but it cannot be played on",
        )
    try:
        if table.chapter and kind not in now.actions:
            raise _not_here(now, found)
        _check(now, found, seat)
        if found.names_cards:
            _check_names(table, command, found.names_cards)
        if found.has_reason:
            _check_reason(command)
        if found.has_count:
            _check_count(command)
        found.do(now, command)
    except Refused as refusal:
        raise refusal.at(seat=seat or None) from None
    return tuple(now.events), tuple(now.tables)


def decide(table: Table, command: Command) -> tuple[e.Event, ...]:
    """What a command makes happen, or a refusal."""
    return run(table, command)[0]


def is_open(now: Moment, found: Action, seat: int) -> bool:
    """Whether `_check` passes."""
    if barred(now, found):
        return False
    if found.when is not None:
        try:
            found.when(now, seat)
        except Refused:
            return False
    return True


def legal(
    table: Table, role: str, seat: int = 0, *, at: str = "", of: Collection[str] = ()
) -> tuple[str, ...]:
    """The commands open to a role; with a seat, those for that seat too; at a time, if one is
    given.

    With `of`, only these commands are looked at.
    """
    if not table.chapter:
        opens = GENERAL[OpenTable]
        return (opens.name,) if role in opens.roles else ()
    now = Moment(table, role, at=at)
    known = situation(table).named
    looked_at = [known[name] for name in of if name in known] if of else now.actions.values()
    # an empty seat belongs to no player; one may only sit down there
    empty = role == "player" and 1 <= seat <= len(table.boxes) and not table.boxes[seat - 1].player
    return tuple(
        found.name
        for found in looked_at
        if (seat or not found.seated or found.name in SEAT_OPTIONAL)
        and not (empty and found.seated and found.name != "sit_down")
        and is_open(now, found, seat if found.seated else 0)
    )


#: commands whose seat may be omitted: they apply to no seat, or to the dealer's own hand
SEAT_OPTIONAL = frozenset(("cut", "clear_hands", "wrong_number_of_cards"))


def awaited(table: Table) -> tuple[int, ...]:
    """The seats that have a decision to make now, in the order of their numbers.

    Every command of a player counts as a decision unless its action is `unasked`, so that a new one is
    waited for without being named anywhere.
    """
    if not table.chapter or table.phase == "closed":
        return ()
    now = Moment(table, "player")
    decisions = [
        found
        for found in now.actions.values()
        if found.seated and not found.unasked and not barred(now, found)
    ]
    if not decisions:
        return ()
    seats = range(1, len(table.boxes) + 1)
    return tuple(seat for seat in seats if any(is_open(now, found, seat) for found in decisions))
