"""`houseway rng-test`: statistical tests of the random number generator and the shuffles."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from houseway.cli.terminal.output import GOLD, QUIET, RED, console, print_json, print_table
from houseway.errors import Refused, file_problem

if TYPE_CHECKING:
    from houseway.simulate.rng_tests.verdict import Trial

_CHUNK = 1 << 16


def rng_test(
    *,
    source: list[str] | None = None,
    seed: str = "1",
    shuffles: int | None = None,
    words: int | None = None,
    report: Path | None = None,
    raw: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    size: int = 1 << 26,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Run statistical tests of the random number generator and the shuffles.

    Shuffles, deals, draws and raw words go through a battery of statistical tests, all of them
    judged together at 99%: a fair source is wrongly accused once in a hundred trials.

    Parameters
    ----------
    source
        system (the tables' own), seeded, simulation; or one with a known fault, to see it caught:
        swap-with-any, modulo, short-period. By default the first three.
    seed
        For the sources that have one.
    shuffles
        Decks to shuffle.
    words
        Raw words of 64 bits to take.
    report
        Write the report as PDF.
    raw
        Write the raw stream of one source to this file (- for standard output) and test nothing:
        for an external battery such as PractRand or dieharder.
    size
        Bytes to write with --raw.
    json
        One JSON object instead of tables.
    """
    from houseway.simulate.rng_tests.sources import SOURCES, subject
    from houseway.simulate.rng_tests.verdict import SHUFFLED, WORDS, try_source

    chosen = source or list(SOURCES)
    if raw is not None:
        return _write_raw(raw, chosen[0], seed, size)
    trials = [
        try_source(
            subject(name, seed),
            shuffles=SHUFFLED if shuffles is None else shuffles,
            words=WORDS if words is None else words,
        )
        for name in chosen
    ]
    passed = all(trial.passed for trial in trials)
    result = {
        "confidence": "99%",
        "control": "Holm, over all tests of a source",
        "seed": seed,
        "sources": [trial.as_json() for trial in trials],
        "verdict": "no fault found" if passed else "fault found",
    }
    if report is not None:
        _write_report(report, result)
    if json:
        print_json(result)
    else:
        for trial in trials:
            _show(trial)
    return 0 if passed else 1


def _write_raw(path: str, name: str, seed: str, size: int) -> int:
    from houseway.simulate.rng_tests.sources import subject

    if size < 1:
        raise Refused("no_bytes", "the size must be at least one byte", field="size")
    found = subject(name, seed)
    try:
        # standard output stays open: it is not ours to close
        with nullcontext(sys.stdout.buffer) if path == "-" else Path(path).open("wb") as file:
            left = size
            while left:
                part = found.words(min(_CHUNK, -(-left // 8))).tobytes()[:left]
                file.write(part)
                left -= len(part)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Refused("cannot_write", file_problem(path, error), field="raw") from None
    return 0


def _write_report(path: Path, result: dict[str, Any]) -> None:
    from houseway.documents import typeset

    made = typeset("rng_trial", result)
    try:
        path.write_bytes(made)
    except OSError as error:
        raise Refused("cannot_write", file_problem(path, error), field="report") from None


def _show(trial: Trial) -> None:
    rows = []
    for one in trial.judged:
        found = one.finding
        bad = one.rejected or one.parts_rejected
        rows.append(
            (
                found.of,
                found.test,
                f"[{QUIET}]{found.says}[/]",
                f"{found.size:,}",
                f"{found.p:.4g}",
                f"{found.parts_p:.4g}",
                f"[{RED}]rejected[/]" if bad else "",
            )
        )
    print_table(
        ("of", "test", "~", ">sample", ">p", ">p of parts (KS)", ""),
        rows,
        title=f"{trial.source}: {trial.says}",
    )
    out = console()
    color, word = (GOLD, "no fault found") if trial.passed else (RED, "fault found")
    out.print(f"[{color}]{word}[/] in {trial.source} (all tests together at 99%, Holm)\n")
