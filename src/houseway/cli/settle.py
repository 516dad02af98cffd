"""`houseway settle`: one round, or JSON Lines of rounds, settled."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from houseway.cli.output import GOLD, QUIET, RED, console, print_json, read_input
from houseway.errors import Refused
from houseway.game_api.round_json import ErrorOut, SettlementOut
from houseway.game_api.settle import settle_json


def settle(
    file: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    /,
    *,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Settle a round, or JSON Lines of rounds.

    Reads FILE, or standard input. A file with one JSON object is one round and is shown as a
    table; JSON Lines are answered line by line in the same order, and a line that is wrong gets an
    error object in its place.

    Parameters
    ----------
    file
        The rounds; standard input where none is named.
    json
        One JSON object, or JSON Lines, instead of a table.
    """
    with read_input(file) as source:
        return _settle(source, json=json)


def _settle(source: Any, *, json: bool) -> int:
    first = source.readline()
    if _whole(first):
        second = _next_line(source)
        if second is None:
            return _one(first, json=json)
        return _lines(_chain(first, second, source))
    if not first.strip():
        rest = source.read()
        if not rest.strip():
            raise Refused("no_input", "there is no round to settle")
        first += rest
        return _one(first, json=json)
    return _one(first + source.read(), json=json)


def _whole(line: bytes) -> bool:
    """Whether a line is JSON by itself: then the input is JSON Lines or one compact round."""
    try:
        msgspec.json.decode(line)
    except msgspec.DecodeError:
        return line.strip()[-1:] == b"}" and line.strip()[:1] == b"{"
    return True


def _next_line(source: Any) -> bytes | None:
    for line in source:
        if line.strip():
            return bytes(line)
    return None


def _chain(first: bytes, second: bytes, source: Any) -> Iterator[bytes]:
    yield first
    yield second
    yield from source


def _one(text: bytes, *, json: bool) -> int:
    settled = settle_json(text)
    if json:
        print_json(settled)
    else:
        _show(settled)
    return 0


def _lines(lines: Iterator[bytes]) -> int:
    write = sys.stdout.buffer.write
    encode = msgspec.json.Encoder().encode
    status = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            write(encode(settle_json(line)) + b"\n")
        except Refused as refusal:
            status = 2
            write(encode(ErrorOut({"line": number, **refusal.as_dict()})) + b"\n")
    sys.stdout.buffer.flush()
    return status


def _show(settled: SettlementOut) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title=settled.chapter, title_style="bold")
    table.add_column("seat", justify="right")
    table.add_column("wager")
    for name in ("stake", "paid"):
        table.add_column(name, justify="right")
    table.add_column("result")
    table.add_column("odds")
    table.add_column("clause", style=QUIET)
    colours = {"win": GOLD, "bonus": GOLD, "lose": RED, "forfeit": RED}
    for seat in settled.seats:
        for index, line in enumerate(seat.lines):
            hand = f" (hand {line.hand})" if line.hand else ""
            table.add_row(
                "" if index else str(seat.seat),
                line.wager + hand,
                line.stake,
                line.paid,
                f"[{colours.get(line.result, 'default')}]{line.result}",
                line.odds or "",
                line.clause,
            )
        sign = "" if seat.net.startswith("-") else "+"
        table.add_row("", "[bold]net", "", f"[bold]{sign}{seat.net}", "", "", "", end_section=True)
    out = console()
    out.print(table)
    out.print(f"the house {settled.house}")
    for name, meter in settled.meters.items():
        out.print(f"meter {name}: paid {meter.paid}, shows {meter.shows}")
