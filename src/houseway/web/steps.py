"""What the dealer and the floor are asked to do, as forms: the table's own steps with their fields."""

from __future__ import annotations

from typing import Any

import msgspec

from houseway.floor import clock
from houseway.floor.dealer import known_fields
from houseway.floor.live import Live
from houseway.table import NextStep, next_steps
from houseway.table.commands import COMMANDS, Command

_LABELS = {
    "deal": "Deal the next card", "settle_next": "Settle the next wager",
    "no_more_bets": "No more bets", "reveal_dealer": "Show the dealer's hand",
}  # fmt: skip
_COMMON = frozenset(Command.__struct_fields__) | {"seat"}


def steps(live: Live, role: str) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    """The step that leads on, if it is this role's, and what else is open to it."""
    leads, others = None, []
    for step in next_steps(live.state, at=clock.now()):
        if step.role != role or step.kind == "irregularity":
            continue
        if step.kind == "next" and leads is None:
            leads = _form(live, step, role, main=True)
        else:
            others.append(_form(live, step, role, main=False))
    return leads, others


def menu(live: Live, role: str) -> list[dict[str, Any]]:
    """Irregularities that this role may have to report, in plain words."""
    return [
        _form(live, step, role, main=False)
        for step in next_steps(live.state, irregularities=True)
        if step.kind == "irregularity" and step.role == role
    ]


def _form(live: Live, step: NextStep, role: str, *, main: bool) -> dict[str, Any]:
    kind = COMMANDS[step.command]
    known = known_fields(live.state, step) if step.command != "shuffle" else {}
    command: dict[str, Any] = {"command": step.command, "role": role}
    if "seat" in kind.__struct_fields__:
        command["seat"] = step.seat
    label = _LABELS.get(step.command, step.command.replace("_", " ").capitalize())
    if step.seat:
        label += f", seat {step.seat}"
    if step.command == "shuffle":
        # the system's shoe supplies the order; with real cards nobody knows it
        real = {"name": "real", "label": "Real cards, keyed in", "kind": "flag", "value": ""}
        return _made(step, command, label, [{**real, "options": (), "required": False}], main)
    fields = []
    for field in msgspec.structs.fields(kind):
        if field.name in _COMMON:
            continue
        if field.name == "deck" and "deck" in known:
            command["deck"] = known["deck"]
            continue
        fields.append(_field(field, known.get(field.name)))
    return _made(step, command, label, fields, main)


def _made(
    step: NextStep, command: dict[str, Any], label: str, fields: list[dict[str, Any]], main: bool
) -> dict[str, Any]:
    return {
        "says": step.says,
        "clause": step.clause,
        "also": step.also,
        "command": msgspec.json.encode(command).decode(),
        "label": label,
        "fields": fields,
        "main": main,
    }


def _field(field: msgspec.structs.FieldInfo, value: object) -> dict[str, Any]:
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
    return {
        "name": field.name,
        "label": field.name.replace("_", " ").capitalize(),
        "kind": kind,
        "value": "" if value is None else value,
        "required": field.required,
        "options": (),
        "size": 6 if kind == "number" else 14,
    }
