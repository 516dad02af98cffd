"""`houseway audit trouble-table`: what the table does with every irregularity at every moment."""

from __future__ import annotations

import sys
import textwrap
from typing import TYPE_CHECKING, Any

from houseway.cli.chapter_choice import ChapterId
from houseway.cli.record_options import Flag
from houseway.cli.terminal.output import GOLD, QUIET, console, plain, print_json, print_line
from houseway.errors import Refused
from houseway.law import Chapter, chapter, choose
from houseway.law.procedure import chosen

if TYPE_CHECKING:
    from houseway.table.trouble_table import Cell, Outcome, Report

#: the words for the three times in a round
_WHEN = {
    "early": "before a wager is settled",
    "late": "a wager is settled",
    "meter": "a meter has paid",
}
Options = tuple[tuple[str, Any], ...]


def trouble_table(
    of: ChapterId,
    /,
    *,
    dealing: str | None = None,
    shuffler: str | None = None,
    json: Flag = False,
) -> int:
    """Show how the table handles every irregularity, in every phase of a round.

    Rounds are played with every wager that the chapter has, under each way of dealing, shuffler and
    number of decks; each report is then tried at each moment. It is refused, with the reason why it
    cannot happen then, or it ends as shown: money, cards, devices and the next step.

    Parameters
    ----------
    of
        The chapter.
    dealing
        Only this way of dealing.
    shuffler
        Only this shuffler.
    json
        Every cell as JSON.
    """
    law = chapter(of)
    tried = _tried(law, {"dealing": dealing, "shuffler": shuffler}, quiet=json)
    if json:
        print_json(
            {
                "chapter": law.id,
                "edition": law.about.edition,
                "cells": [_cell_out(options, cell) for options, cells in tried for cell in cells],
            }
        )
        return 0
    _print(law, tried)
    return 0


def _tried(
    law: Chapter, wanted: dict[str, str | None], *, quiet: bool
) -> list[tuple[Options, list[Cell]]]:
    from rich.console import Console
    from rich.progress import Progress

    from houseway.table.trouble_table import equipment, every_wager
    from houseway.table.trouble_table import trouble_table as made

    kinds = [
        rules
        for rules in equipment(law)
        if all(value in (None, rules.get(name)) for name, value in wanted.items())
    ]
    if not kinds:
        given = " and ".join(f"{name} {value}" for name, value in wanted.items() if value)
        raise Refused(
            "no_such_choice",
            f"{law.id} has no table with {given}; `houseway options {law.id}` lists the choices",
        )
    hidden = quiet or not sys.stderr.isatty()
    with Progress(console=Console(stderr=True), transient=True, disable=hidden) as bar:
        return [
            (tuple(rules.items()), made(law.id, every_wager(law, rules)))
            for rules in bar.track(kinds, description="Rounds are played")
        ]


def _cell_out(options: Options, cell: Cell) -> dict[str, Any]:
    return {
        "options": dict(options),
        "command": cell.report.command,
        "role": cell.report.role,
        "fields": dict(cell.report.fields),
        "phase": cell.phase,
        "when": cell.when,
        **({"after": cell.after.said()} if cell.after else {}),
        "outcomes": [
            {
                "accepted": outcome.accepted,
                "clause": outcome.clause or None,
                "says": outcome.says,
                "next": list(dict.fromkeys(step.command for step in outcome.next)),
            }
            for outcome in cell.outcomes
        ],
    }


# for people


def _print(law: Chapter, tried: list[tuple[Options, list[Cell]]]) -> None:
    out = console()
    about = law.about
    ways = "one way" if len(tried) == 1 else f"{len(tried)} ways"
    out.print(f"[bold]{plain(about.game)}, {plain(about.jurisdiction)}[/] [{QUIET}]{law.id}[/]")
    _paragraph(
        f"What the table does with each report, under {ways} to shuffle and deal, with "
        "every wager of the chapter. A phase without a note is alike early and late in the round.",
        0,
        QUIET,
    )
    line = _line(law)
    for report in dict.fromkeys(cell.report for _, cells in tried for cell in cells):
        groups: dict[tuple[tuple[str, str], ...], list[Options]] = {}
        for options, cells in tried:
            told = _told([cell for cell in cells if cell.report == report], line)
            if told:
                groups.setdefault(told, []).append(options)
        out.print()
        print_line(out, f"[bold {GOLD}]{plain(report.said())}[/]")
        _paragraph(_by(law, report, [kinds[0] for kinds in groups.values()]), 2)
        for told, kinds in groups.items():
            if len(kinds) < len(tried):
                _paragraph(_with(kinds, tried), 2, QUIET)
            for phases, says in told:
                _paragraph(f"{phases}: {says}", 4)


def _paragraph(text: str, indent: int, style: str = "") -> None:
    """Words between the margins; nothing is broken but between words."""
    out = console()
    lines = textwrap.wrap(
        text, out.width, initial_indent=" " * indent, subsequent_indent=" " * (indent + 2),
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    for line in lines:
        print_line(out, f"[{style}]{plain(line)}[/]" if style else plain(line))


def _line(law: Chapter) -> tuple[str, ...]:
    """The phases of the chapter's table in order."""
    from houseway.table.game import TABLE

    return (*_BEFORE, *(phase for phase in TABLE.of(law).round_line if phase not in _BEFORE))


_BEFORE = ("opening", "idle", "shuffling", "cutting", "loading", "burning", "betting")


def _by(law: Chapter, report: Report, kinds: list[Options]) -> str:
    """What the procedure says of a report, under the first of these options that has it."""
    from houseway.table.trouble_table import every_wager

    every = [chosen(law.procedure, choose(law, every_wager(law, dict(x))).options) for x in kinds]
    step = next((one[x] for x in report.steps() for one in every if x in one), None)
    clause = f", {step.clause}" if step else ""
    return f"{step.says if step else ''} By the {report.role}{clause}.".strip()


def _with(kinds: list[Options], tried: list[tuple[Options, list[Cell]]]) -> str:
    """The equipment of a group, by the options in which it differs from the rest."""
    everything = [dict(options) for options, _ in tried]
    blocks = _blocks([dict(options) for options in kinds], everything, tuple(everything[0]))
    return f"With {'; or '.join(filter(None, blocks)) or 'any equipment'}:"


def _blocks(
    ours: list[dict[str, Any]], everything: list[dict[str, Any]], names: tuple[str, ...]
) -> list[str]:
    """Choices that together name these combinations and no others, by the options left."""
    if not names or len(ours) == len(everything):
        return [""]
    name, rest = names[0], names[1:]
    alike: dict[tuple[str, ...], list[Any]] = {}
    for value in dict.fromkeys(one[name] for one in ours):
        mine, there = ([x for x in of if x[name] == value] for of in (ours, everything))
        alike.setdefault(tuple(_blocks(mine, there, rest)), []).append(value)
    found = []
    for parts, values in alike.items():
        listed = " or ".join(str(value).replace("_", " ") for value in values)
        chosen = f"{name.replace('_', ' ')} {listed}"
        if len(values) == len({one[name] for one in everything}):
            chosen = ""
        found += [", ".join(filter(None, (chosen, part))) for part in parts]
    return found


def _told(cells: list[Cell], line: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """What happens, and in which phases, in the order of the round; what is refused comes last."""
    found: dict[tuple[bool, str, str], list[tuple[str, str]]] = {}
    steps: dict[tuple[bool, str, str], set[tuple[str, ...]]] = {}
    whens: dict[tuple[str, str], set[str]] = {}
    for cell in cells:
        first = cell.after.said() if cell.after else ""
        whens.setdefault((first, cell.phase), set()).add(cell.when)
        refused = all(not one.accepted for one in cell.outcomes)
        for one in cell.outcomes:
            if one.accepted or refused:
                about = (one.accepted, _reason(one), first)
                found.setdefault(about, []).append((cell.phase, cell.when))
                next_ = dict.fromkeys(step.command.replace("_", " ") for step in one.next)
                steps.setdefault(about, set()).add(tuple(next_))
    told = []
    for about, at in sorted(found.items(), key=lambda item: not item[0][0]):
        accepted, says, first = about
        phases = _phases(at, {phase: of for (x, phase), of in whens.items() if x == first}, line)
        if first:
            phases = f"{phases}, after {first}"
        if says == _NOT_THEN:
            told.append(("otherwise", says))
        elif not accepted:
            told.append((phases, f"refused, {says}"))
        else:
            told.append((phases, f"{says}. {_then(steps[about])}"))
    return tuple(sorted(told, key=lambda row: row[1] == _NOT_THEN))


def _then(steps: set[tuple[str, ...]]) -> str:
    """What is next wherever this is the outcome, and whether more is, by phase."""
    first, *others = sorted(steps)
    found = [name for name in first if all(name in one for one in others)]
    if any(len(one) > len(found) for one in steps):
        found.append("as the phase asks")
    return f"Next: {', '.join(found)}."


def _phases(at: list[tuple[str, str]], whens: dict[str, set[str]], line: tuple[str, ...]) -> str:
    """Phases in order; when in the round only where it matters."""

    def place(phase: str) -> int:
        return line.index(phase) if phase in line else len(line)

    names = []
    for phase in sorted(dict.fromkeys(phase for phase, _ in at), key=place):
        ours = {when for one, when in at if one == phase}
        if ours == whens[phase]:
            names.append(phase)
        else:
            names.extend(f"{phase} ({_WHEN[when]})" for when in _WHEN if when in ours)
    return ", ".join(names)


#: in phases in which it cannot happen
_NOT_THEN = "refused, it cannot happen then"


def _reason(one: Outcome) -> str:
    if not one.accepted and " is not possible now: " in one.says:
        return _NOT_THEN
    return one.says + (f" [{one.clause}]" if one.clause else "")
