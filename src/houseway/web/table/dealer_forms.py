"""Forms for the dealer and the floor: the table's next steps with their fields."""

from __future__ import annotations

from typing import Any

import msgspec

from houseway.drawing.pieces.chips import CHIPS, chip_id
from houseway.floor import clock
from houseway.floor.bots.dealer import known_fields
from houseway.floor.live_table import Live
from houseway.floor.people.duties import needs_second
from houseway.money import Cents, cents
from houseway.table import NextStep, Table, next_steps, rules_of
from houseway.table.commands import COMMANDS, Command
from houseway.table.driver import BY_SYSTEM
from houseway.table.moment import Moment, situation
from houseway.table.procedure.shuffling import counts
from houseway.table.procedure.tray import chips_out
from houseway.table.state import cards_known

_LABELS = {
    "deal": "Deal the next card", "settle_next": "Settle the next wager",
    "no_more_bets": "No more bets", "reveal_dealer": "Show the dealer's hand",
}  # fmt: skip
_COMMON = frozenset(Command.__struct_fields__) | {"seat"}


def steps(live: Live, role: str) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """The step that leads on, if it is this role's, and what else is open to it."""
    found = next_steps(live.state, at=clock.now())
    # the dealer starts a device that does not report by itself
    roles = (role, "device") if role == "dealer" else (role,)
    mine = [
        step
        for step in found
        if step.role in roles
        and step.kind != "irregularity"
        and (step.role == role or step.kind == "next")
    ]
    leads = next((step for step in mine if step.kind == "next"), None)
    others = [step for step in mine if step is not leads]
    return (
        _form(live, [leads], role, main=True) if leads else None,
        [_form(live, group, role, main=False) for group in _by_command(live, others)],
    )


def starts_device(live: Live, command: str) -> bool:
    """Whether a dealer who gives this command starts the device that does it."""
    step = situation(live.state).steps.get(command) if live.state.chapter else None
    if step is None or step.role != "device":
        return False
    return any(
        step.kind == "next" and step.command == command and step.role == "device"
        for step in next_steps(live.state, at=clock.now())
    )


def menu(live: Live, role: str) -> list[dict[str, Any]]:
    """Irregularities that this role may have to report, in plain words."""
    found = [
        step
        for step in next_steps(live.state, irregularities=True)
        if step.kind == "irregularity" and step.role == role
    ]
    return [_form(live, group, role, main=False) for group in _by_command(live, found)]


def waits(live: Live) -> str:
    """Whose turn it is, in words."""
    for step in next_steps(live.state, at=clock.now()):
        if step.kind == "next" and (step.role != "player" or live.state.hands):
            who = f"seat {step.seat}" if step.role == "player" else f"the {step.role}"
            return f"{who}: {step.says}"
    return "players to wager" if live.state.phase != "closed" else ""


def due_chips(table: Table) -> list[tuple[str, int, Cents]]:
    """The chips that the next payment is made of, from the tray as it stands: drawing, count, value."""
    line = table.due[0]
    if not line.paid:
        return []
    drawn = {chip.worth: chip_id(chip) for chip in CHIPS}
    made = {cents(value): -count for value, count in chips_out(table, line.paid).items()}
    return [(drawn.get(value, ""), count, value) for value, count in made.items()]


def _by_command(live: Live, steps: list[NextStep]) -> list[list[NextStep]]:
    """One form for a command, whichever of several seats it is for; empty seats have no part."""
    found: dict[tuple[str, str], list[NextStep]] = {}
    for step in steps:
        box = live.state.boxes[step.seat - 1] if step.seat else None
        if box is None or box.player or box.wagers:
            found.setdefault((step.command, step.clause), []).append(step)
    return list(found.values())


def _form(live: Live, group: list[NextStep], role: str, *, main: bool) -> dict[str, Any]:
    step = group[0]
    kind = COMMANDS[step.command]
    known = known_fields(live.state, step) if step.command not in BY_SYSTEM else {}
    command: dict[str, Any] = {"command": step.command, "role": role}
    label = _LABELS.get(step.command, step.command.replace("_", " ").capitalize())
    fields: list[dict[str, Any]] = []
    if len(group) > 1:
        seats = tuple(str(one.seat) for one in group)
        fields.append(_made_field("seat", "number", options=seats))
    elif "seat" in kind.__struct_fields__:
        command["seat"] = step.seat
        label += f", seat {step.seat}" if step.seat else ""
    if step.command in BY_SYSTEM:
        # the system's shoe supplies the order; with real cards nobody knows it
        fields.append({**_made_field("real", "flag"), "label": "Real cards, keyed in"})
        if step.command == "shuffle" and counts(Moment(live.state, role)):
            # a deck that the device counts wrongly is taken out of play
            fields.append({**_made_field("count", "number"), "label": "Cards the device counted"})
    else:
        for field in msgspec.structs.fields(kind):
            if field.name in _COMMON:
                continue
            options = _options(live.state, step, field.name)
            if field.name == "deck" and len(options) == 1:
                command["deck"] = options[0]
                continue
            if field.name in ("card", "cards") and not field.required and cards_known(live.state):
                continue  # nobody keys in what the shoe knows
            value = None if field.name == "reason" else known.get(field.name)
            fields.append(_field(field, value, options))
    real = "real" if step.command in BY_SYSTEM else ""
    if "preshuffled" in kind.__struct_fields__:
        real = "preshuffled"
    return {
        "says": step.says,
        "clause": step.clause,
        "also": step.also,
        "command": msgspec.json.encode(command).decode(),
        "label": label,
        "fields": fields,
        "main": main,
        # what two people do together; a shuffle or a new deck only where real cards are dealt
        "second": needs_second(live.state, "", role, step.command, dict.fromkeys(_REAL, real)),
        "second_if": {"real": "real cards", "preshuffled": "cards that came preshuffled"}.get(
            real, ""
        ),
    }


#: the fields by which cards come to the table whose order nobody knows
_REAL = ("real", "preshuffled")


def _options(table: Table, step: NextStep, field: str) -> tuple[str, ...]:
    """The values a field may have, if the table knows them: words, not counts."""
    named = dict.fromkeys(way[field] for way in step.choices if isinstance(way.get(field), str))
    if named:
        return tuple(map(str, named))
    if field == "cause":
        return ("light", "area")
    if field == "wager":
        return tuple(
            wager.id
            for wager in rules_of(table).chapter.wagers.values()
            if wager.kind == "progressive" and rules_of(table).offers(wager.id)
        )
    return ()


def _field(
    field: msgspec.structs.FieldInfo, value: object, options: tuple[str, ...]
) -> dict[str, Any]:
    shown = str(field.type)
    kind = "text"
    if field.type is bool or "bool" in shown:
        kind = "flag"
    elif "int" in shown and "dict" not in shown:
        kind = "number"
    elif "tuple[str" in shown:
        kind = "cards"
    elif field.name == "card":
        kind = "card"
    return _made_field(field.name, kind, value=value, required=field.required, options=options)


def _made_field(
    name: str,
    kind: str,
    *,
    value: object = None,
    required: bool = False,
    options: tuple[str, ...] = (),
) -> dict[str, Any]:
    return {
        "name": name,
        "label": name.replace("_", " ").capitalize(),
        "kind": kind,
        "value": "" if value is None else value,
        "required": required,
        "options": options,
        "size": 6 if kind == "number" else 14,
    }
