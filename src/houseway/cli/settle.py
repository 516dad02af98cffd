"""`houseway settle`: one round, or JSON Lines of rounds, settled."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Annotated, Any, TypeVar

import msgspec
from cyclopts import Parameter

from houseway.cli.in_parallel import in_parallel
from houseway.cli.round_files import check_rules_given, is_table, rounds_of
from houseway.cli.terminal.output import (
    GOLD,
    QUIET,
    RED,
    amount,
    console,
    print_json,
    print_table,
    read_input,
)
from houseway.errors import Refused
from houseway.game_api.round_json import ErrorOut, SettlementOut
from houseway.game_api.settle import settle_json, settle_text
from houseway.law import Chapter, chapter
from houseway.untrusted import LONGEST, lines_of

T = TypeVar("T")


def settle(
    file: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    /,
    *,
    json: Annotated[bool, Parameter(negative="")] = False,
    cores: int = 1,
    rules: str | None = None,
) -> int:
    """Settle a round, or JSON Lines of rounds.

    Reads FILE, or standard input. A file with one JSON object is one round and is shown as a
    table; JSON Lines are answered line by line in the same order, and a line that is wrong gets an
    error object in its place. Rounds may also be a JSON list (.json), a CSV file (.csv) with a row
    for each seat, or Parquet (.parquet). A hand history is settled again.

    Parameters
    ----------
    file
        The rounds; defaults to stdin.
    json
        One JSON object, or JSON Lines, instead of a table.
    cores
        Processes that settle JSON Lines at the same time.
    rules
        A rules file, for rounds in a CSV file.
    """
    check_rules_given(file, rules)
    with read_input(file) as source:
        if is_table(file, source):
            return _lines(rounds_of(file, source, rules), cores)
        try:
            return _settle(source, json=json, cores=cores)
        except Refused as refusal:
            raise refusal.at(file=file) from None


def _settle(source: Any, *, json: bool, cores: int) -> int:
    lines = lines_of(source)
    first = next(lines, None)
    if first is None:
        raise Refused("no_input", "there is no round to settle")
    if _whole(first[1]):
        second = next(lines, None)
        if second is None:
            return _one(first[1], json=json)
        return _lines(chain((first, second), lines), cores)
    # One round over several lines, or JSON Lines whose first line is wrong: no more than the
    # longest round is kept to find out.
    head, size = [first], len(first[1])
    for line in lines:
        head.append(line)
        size += len(line[1])
        if size > LONGEST:
            break
    text = b"".join(line for _, line in head)
    in_lines = len(head) > 1 and (first[1].strip()[:1] != b"{" or any(map(_is_round, head[1:])))
    if in_lines and not _is_json(text):
        return _lines(chain(head, lines), cores)
    return _one(text, json=json)


def _is_json(text: bytes) -> bool:
    try:
        msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return False
    return True


def _whole(line: bytes) -> bool:
    """Whether a line is an object by itself: then the input is JSON Lines or one compact round."""
    return line.strip()[-1:] == b"}" and line.strip()[:1] == b"{"


def _is_round(line: tuple[int, bytes]) -> bool:
    return _whole(line[1]) and b'"chapter"' in line[1]


def _one(text: bytes, *, json: bool) -> int:
    settled = _settled(text, settle_json)
    if json:
        print_json(settled)
    else:
        _show(settled)
    return 0


def _lines(lines: Iterable[tuple[int, bytes]], cores: int) -> int:
    status = 0
    with _seldom_collecting():
        for answers, wrong in in_parallel(settle_chunk, lines, cores):
            sys.stdout.buffer.write(answers)
            status = 2 if wrong else status
    sys.stdout.buffer.flush()
    return status


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Look for cycles of objects seldom: a settled round leaves none, only refusals may."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _settled(text: bytes, settle: Callable[[bytes], T]) -> T:
    """A round settled; of a hand history, its round."""
    try:
        return settle(text)
    except Refused as refusal:
        if refusal.code != "not_a_round" or not _HISTORY.search(text):
            raise
        from houseway.game_api.payout_check import read_history

        return settle(bytes(read_history(text).round))


_HISTORY = re.compile(rb'"round"\s*:\s*\{')


def settle_chunk(lines: list[tuple[int, bytes]]) -> tuple[bytes, bool]:
    """The answers to some lines, and whether any of them was wrong."""
    answers, wrong = [], False
    for number, line in lines:
        try:
            answers.append(_settled(line, settle_text))
        except Refused as refusal:
            wrong = True
            error = ErrorOut({"line": number, **refusal.as_dict()})
            answers.append(msgspec.json.encode(error))
    return b"".join(answer + b"\n" for answer in answers), wrong


def _show(settled: SettlementOut) -> None:
    law = chapter(settled.chapter)
    rows: list[tuple[str, ...] | None] = []
    colors = {"win": GOLD, "bonus": GOLD, "lose": RED, "forfeit": RED}
    for seat in settled.seats:
        for index, line in enumerate(seat.lines):
            hand = f" (hand {line.hand})" if line.hand else ""
            rows.append(
                (
                    "" if index else str(seat.seat),
                    _wager_name(law, line.wager) + hand,
                    amount(line.stake),
                    amount(line.paid),
                    f"[{colors.get(line.result, 'default')}]{line.result}[/]",
                    line.odds or "",
                    f"[{QUIET}]{line.clause}[/]",
                )
            )
        rows += [
            ("", "[bold]net[/]", "", f"[bold]{amount(seat.net, sign=True)}[/]", "", "", ""),
            None,
        ]
    about = law.about
    print_table(
        (">seat", "wager", ">stake", ">paid", "result", "odds", "clause"), rows[:-1],
        title=f"{about.game}, {about.jurisdiction}  [{QUIET}]{law.id}[/]",
    )  # fmt: skip
    out = console()
    out.print(f"the house: {amount(settled.house, sign=True)}")
    for name, meter in settled.meters.items():
        paid, shows = amount(meter.paid), amount(meter.shows)
        out.print(f"meter {law.meter_title(name)}: paid {paid}, shows {shows}")


def _wager_name(law: Chapter, id: str) -> str:
    """The wager's name on the felt; a line without a wager of its own, such as envy, in words."""
    wager = law.wagers.get(id)
    return wager.name if wager else id.replace("_", " ").capitalize()
