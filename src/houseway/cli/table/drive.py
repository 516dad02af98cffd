"""`houseway drive`: the live table on standard input and output, as JSON Lines."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from houseway.cli.terminal.output import read_input
from houseway.errors import Refused
from houseway.law import Chapter, read_rules
from houseway.table import Event, Table, event_text, fold, next_steps, read_command, read_event, run
from houseway.table.commands import OpenTable
from houseway.table.gaming_day import FacilityTime
from houseway.table.procedure.opening import float_of
from houseway.untrusted import check_json, lines_of


def drive(
    file: str | None = None,
    /,
    *,
    rules: str,
    record: str | None = None,
    at: str = "2026-01-01T00:00:00",
    zone: str = FacilityTime().zone,
    day_begins: str = FacilityTime().begins,
    next: Annotated[bool, Parameter(negative="")] = False,
    words: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Drive a live table: commands as JSON Lines in, events as JSON Lines out.

    The table is opened under RULES before the first command, unless a RECORD of events is given
    to go on from. A command that is refused gets {"refused": ...} instead of events and
    changes nothing.

    Parameters
    ----------
    file
        The commands; defaults to stdin.
    rules
        The rules file the table plays by.
    record
        JSON Lines of events; the table continues where they end.
    at
        When the table is opened.
    zone
        The facility's time zone; times without one are by the facility's clock.
    day_begins
        When its gaming day begins.
    next
        After each command, add who must do what next.
    words
        Print a line of text for people instead of each line of JSON.
    json
        Accepted for consistency; output is always JSON Lines.
    """
    if words and json:
        raise Refused("words_or_json", "choose --words or --json", field="words")
    write = partial(_tell, read_rules(rules).chapter) if words else _write
    table = Table()
    if record is not None:
        with read_input(record) as source:
            table = fold(_recorded(source))
    else:
        events, table = run(table, _opening(rules, at, zone, day_begins))
        write(events)
    status = 0
    with read_input(file) as source:
        for number, line in lines_of(source):
            try:
                command = read_command(line)
                at = command.at
                events, table = run(table, command)
                write(events)
            except Refused as refusal:
                status = max(status, 2 if refusal.code == "not_a_command" else 1)
                write([{"refused": {"line": number, **refusal.as_dict()}}])
            if next:
                write([{"next": next_steps(table, at=at)}])
    return status


def _recorded(source: Any) -> Iterator[Event]:
    for number, line in lines_of(source):
        try:
            check_json(line, "not_an_event")
            yield read_event(line)
        except Refused as refusal:
            refusal.message = f"line {number}: {refusal.message}"
            raise


def _opening(rules: str, at: str, zone: str, day_begins: str) -> OpenTable:
    chosen = read_rules(rules).as_file()
    return OpenTable(
        role="system",
        at=at,
        table="1",
        chapter=chosen["chapter"],
        edition=chosen["edition"],
        rules=chosen.get("rules", {}),
        limits=chosen.get("limits", {}),
        meters=chosen.get("meters", {}),
        paytables=chosen.get("paytables", {}),
        tray=float_of("50000.00"),
        zone=zone,
        day_begins=day_begins,
    )


_encoder = msgspec.json.Encoder()


def _tell(law: Chapter, lines: Iterable[Any]) -> None:
    for line in lines:
        if isinstance(line, Event):
            text = event_text.line(line, law)
        elif "refused" in line:
            refused = line["refused"]
            clause = f" [{refused['clause']}]" if refused.get("clause") else ""
            text = f"{'refused':<12} line {refused['line']}: {refused['message']}{clause}"
        else:
            asked = [step for step in line["next"] if step.kind == "next"]
            who = (f"seat {step.seat}" if step.role == "player" else step.role for step in asked)
            text = "\n".join(
                f"{'next':<12} {one}: {step.says} [{step.clause}]"
                for one, step in zip(who, asked, strict=True)
            )
        sys.stdout.write(text + "\n" if text else "")
    sys.stdout.flush()


def _write(lines: Iterable[Any]) -> None:
    for line in lines:
        sys.stdout.buffer.write(_encoder.encode(line) + b"\n")
    sys.stdout.buffer.flush()
