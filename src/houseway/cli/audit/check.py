"""`houseway audit check`: rounds that were paid elsewhere, held to the rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated, Any

from cyclopts import Parameter

from houseway.cli.in_parallel import in_parallel
from houseway.cli.record_options import Flag
from houseway.cli.round_files import rounds_of
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
from houseway.game_api.payout_check import Difference, check_payouts
from houseway.law import chapter
from houseway.money import dollars, signed


def check(
    file: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    /,
    *,
    rules: str | None = None,
    cores: int = 1,
    json: Flag = False,
) -> int:
    """Check rounds that were paid elsewhere: every payout that differs, with its clause.

    Reads FILE, or standard input: hand histories as JSON Lines, as a JSON list (.json) or as Parquet
    (.parquet), each with `round` as `settle` reads it, `paid` by seat as `settle` writes it, and an
    `id`; or a CSV file (.csv) with a row for each seat and the columns id, dealer, seat, cards,
    decision, wager.ante, paid.ante and so on, or net, where the rows of a round have one id. Exit
    status 1 says that a payout differs.

    Parameters
    ----------
    file
        The rounds; defaults to standard input.
    rules
        A rules file, for rounds in a CSV file.
    cores
        Processes that check rounds at the same time.
    json
        As JSON: every difference, every line that could not be read, and the sums.
    """
    with read_input(file) as source:
        found, wrong, rounds = _checked(rounds_of(file, source, rules), cores)
    if not rounds and not wrong:
        raise Refused("no_input", "there is no round to check")
    over = [signed(one.over) for one in found]
    if json:
        print_json(
            {"rounds": rounds, "differences": found, "errors": wrong,
             "overpaid": dollars(sum(one for one in over if one > 0)),
             "short": dollars(-sum(one for one in over if one < 0))}
        )  # fmt: skip
    else:
        is_csv = bool(file) and str(file).lower().endswith(".csv")
        _show(found, wrong, rounds, "round" if is_csv else "line")
    return 2 if wrong else 1 if found else 0


def _checked(
    lines: Iterator[tuple[int, bytes]], cores: int
) -> tuple[list[Difference], list[dict[str, Any]], int]:
    found: list[Difference] = []
    wrong: list[dict[str, Any]] = []
    rounds = 0
    try:
        for differences, errors, count in in_parallel(check_chunk, lines, cores):
            found += differences
            wrong += errors
            rounds += count
    except Refused as refusal:
        # what was read before is answered
        if not rounds and not wrong:
            raise
        wrong.append({"line": rounds + len(wrong) + 1, **refusal.as_dict()})
    return found, wrong, rounds


def check_chunk(
    lines: list[tuple[int, bytes]],
) -> tuple[list[Difference], list[dict[str, Any]], int]:
    """The differences of some rounds, the lines that could not be checked, and how many could."""
    found: list[Difference] = []
    wrong: list[dict[str, Any]] = []
    for number, line in lines:
        try:
            found += check_payouts(line, number)
        except Refused as refusal:
            wrong.append({"line": number, **refusal.as_dict()})
    return found, wrong, len(lines) - len(wrong)


def _show(found: list[Difference], wrong: list[dict[str, Any]], rounds: int, each: str) -> None:
    out = console()
    if found:
        print_table(
            ("round", ">seat", "wager", ">paid", ">due", ">over", "clause", ""),
            [
                (one.id, str(one.seat), _name(one) + (f" (hand {one.hand})" if one.hand else ""),
                 amount(one.paid), amount(one.due), f"[{RED}]{amount(one.over)}[/]", one.clause,
                 f"[{QUIET}]{one.says}[/]")
                for one in found
            ],
        )  # fmt: skip
    for one in wrong:
        sys.stderr.write(f"houseway: {each} {one['line']}: {one['message']}\n")
    color = RED if found else GOLD
    says = "payout differs" if len(found) == 1 else "payouts differ"
    out.print(
        f"{rounds:,} round{'' if rounds == 1 else 's'} checked; [{color}]{len(found):,} {says}[/]"
    )
    over = sum(max(signed(one.over), 0) for one in found)
    short = sum(max(-signed(one.over), 0) for one in found)
    if found:
        out.print(f"overpaid {amount(dollars(over))}, short {amount(dollars(short))}")


def _name(one: Difference) -> str:
    """The wager as people call it; `net` is what the seat is up or down over the round."""
    return "net of the seat" if one.wager == "net" else chapter(one.chapter).line_name(one.wager)
