"""`houseway check`, `new`, `options`, `diff`: Rules Submissions."""

from __future__ import annotations

import datetime as dt
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import Parameter

from houseway.cli.chapter_choice import OUT, ChapterId
from houseway.cli.terminal.output import (
    GOLD,
    QUIET,
    RED,
    console,
    plain,
    print_beside,
    print_json,
    print_line,
    print_table,
    write_bytes,
)
from houseway.errors import Refused, file_problem
from houseway.law import chapter
from houseway.submission.checks.run_checks import Checked, check_text
from houseway.submission.file import Submission
from houseway.submission.finding import Finding
from houseway.untrusted import decoded, read_text

if TYPE_CHECKING:
    from houseway.submission.packet.holds import HoldChange

Flag = Annotated[bool, Parameter(negative="")]
#: a file, or `-` for standard input
File = Annotated[str, Parameter(allow_leading_hyphen=True)]


def checked_file(file: str) -> Checked:
    """A file, checked; `-` is standard input, JSON where it begins like JSON."""
    if file != "-":
        return check_text(read_text(file), Path(file).name)
    text = decoded(sys.stdin.buffer.read(), "standard input", "not_a_text")
    return check_text(text, f"standard input{'.json' if text.lstrip()[:1] == '{' else ''}")


def _passing(file: str) -> Submission:
    """A submission that has no errors; anything else is refused with its first finding."""
    checked = checked_file(file)
    if checked.submission is None or checked.errors:
        first = checked.errors[0]
        more = len(checked.errors) - 1
        raise Refused(
            "submission_fails",
            f"{file} does not pass: {first.field}: {first.wrong}"
            + (f" (and {more} more; see houseway check)" if more else ""),
            clause=first.clause,
        )
    return checked.submission


def check(file: File, /, *, json: Flag = False) -> int:
    """Check a Rules Submission against its chapter: every finding with its clause and what to do.

    Exit status 0 if it passes, with or without warnings, and 1 if it does not.

    Parameters
    ----------
    file
        The submission, TOML or JSON; - reads standard input.
    json
        As JSON.
    """
    checked = checked_file(file)
    if json:
        print_json(checked_out(checked))
    else:
        show_checked(file, checked)
    return 0 if checked.passes else 1


def checked_out(checked: Checked) -> dict[str, Any]:
    """What `check --json` writes."""
    found = checked.submission
    return {
        "chapter": found.chapter.id if found else None,
        "edition": found.chapter.about.edition if found else None,
        "passes": checked.passes,
        "errors": len(checked.errors),
        "warnings": len(checked.warnings),
        "hash": found.hash if found and checked.passes else None,
        "rules_hash": found.rules.hash if found and checked.passes else None,
        "findings": [msgspec.to_builtins(finding) for finding in checked.findings],
    }


def show_checked(file: str, checked: Checked) -> None:
    from rich.markup import escape

    out = console()
    found = checked.submission
    if found is not None:
        about = found.chapter.about
        out.print(f"[bold]{about.game}[/], {about.jurisdiction}  [{QUIET}]{about.citation}")
    for title, color, findings in (
        ("errors", RED, checked.errors),
        ("warnings", GOLD, checked.warnings),
    ):
        if findings:
            out.print(f"\n[bold {color}]{title}")
            for number, finding in enumerate(findings, 1):
                _show_finding(out, number, finding, file, escape)
    warned = len(checked.warnings)
    some = f", with {warned} warning{'s' if warned > 1 else ''}" if warned else ""
    if checked.passes and found is not None:
        if checked.empty:
            out.print(
                "\nIt cannot be filed while names or numbers are empty; its packet is a draft."
            )
        out.print(f"\n[bold]{escape(file)} passes{some}[/]  [{QUIET}]{found.hash[:16]}")
    else:
        count = len(checked.errors)
        out.print(
            f"\n[bold]{escape(file)} does not pass[/]: {count} error{'s' if count > 1 else ''}{some}"
        )


def _show_finding(out: Any, number: int, finding: Finding, file: str, escape: Any) -> None:
    clause = f"  [{QUIET}]{escape(finding.clause)}[/]" if finding.clause else ""
    place = f"  [{QUIET}]{escape(Path(file).name)}:{finding.line}[/]" if finding.line else ""
    out.print(f"{number:3}  [bold]{escape(finding.field)}[/]{place}{clause}")
    print_beside(out, " " * 5, escape(f"{finding.wrong}."))
    print_beside(out, " " * 5, f"[{QUIET}]Fix:[/] {escape(finding.right)}")
    if finding.write:
        under = f" under [{finding.under}]" if finding.under else ""
        if (
            under and finding.write.startswith('"') and '": ' in finding.write
        ):  # members of an object
            under = f' in "{finding.under}"'
            if '"' in finding.under:  # a name with a point in it
                names = re.findall(r'"[^"]*"|[^."]+', finding.under)
                under = " in " + ".".join(f'"{name.strip(chr(34))}"' for name in names)
        print_beside(out, " " * 5, f"[{QUIET}]Write{escape(under)}:[/]")
        for line in finding.write.split("\n"):
            print_line(out, f"{' ' * 9}[{GOLD}]{escape(line)}[/]")
    elif finding.write == "" and "leave it out" not in finding.right:
        print_beside(out, " " * 5, f"[{QUIET}]Or leave it out.[/]")


def new(
    id: ChapterId,
    /,
    *,
    edition: str | None = None,
    out: Annotated[Path | None, OUT] = None,
    date: str | None = None,
    json: Flag = False,
) -> int:
    """Write a starting file for a chapter: every choice explained, and it passes as it stands.

    Parameters
    ----------
    id
        The chapter.
    edition
        Its edition; the newest by default.
    out
        The file to write; defaults to standard output. An existing file is not overwritten.
    date
        The day it is submitted; today by default.
    json
        As JSON, without the comments.
    """
    from houseway.submission.template import starting_file

    try:
        day = dt.date.fromisoformat(date) if date else dt.date.today()  # noqa: DTZ011
    except ValueError:
        raise Refused(
            "not_a_date", f"{date!r} is not a date; write 2026-03-01", field="date"
        ) from None
    text = starting_file(chapter(id, edition), day)
    if json:
        found = check_text(text).submission
        assert found is not None
        print_json(found.as_file())
    elif out is None:
        sys.stdout.write(text)
    else:
        try:
            with out.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            raise Refused("cannot_write", f"{out} exists already; choose another name") from None
        except OSError as error:
            raise Refused("cannot_write", file_problem(out, error)) from None
        print(f"{out}: written. Edit it, then run: houseway check {out}")
    return 0


def options(id: ChapterId, /, *, edition: str | None = None, json: Flag = False) -> int:
    """List what a Rules Submission for a chapter can choose, and under which clause.

    Parameters
    ----------
    id
        The chapter.
    edition
        Its edition; the newest by default.
    json
        As JSON, with equipment, inscriptions and approvals too.
    """
    from houseway.submission.option_list import catalogue

    listed = catalogue(chapter(id, edition))
    if json:
        print_json(listed)
        return 0
    rows: list[tuple[str, ...] | None] = []

    def row(option: str, choice: str, says: str, clause: str) -> None:
        rows.append((f"[{GOLD}]{option}[/]", choice, says, f"[{QUIET}]{plain(clause)}[/]"))

    for option in listed["options"]:
        row(option["option"], "", f"[bold]{plain(option['says'])}[/]", option["clause"])
        for choice in option["choices"]:
            needs = "; ".join(
                f"{key} {' or '.join(str(v).lower() if isinstance(v, bool) else str(v) for v in allowed)}"
                for key, allowed in choice["needs"].items()
            )
            says = plain(choice["says"]) + (f"; [{QUIET}]needs {plain(needs)}[/]" if needs else "")
            value = choice["value"]
            shown = str(value).lower() if isinstance(value, bool) else str(value)
            row("", shown, says, choice["clause"] or "")
        if option["accepts"]:
            article = "an" if option["accepts"][0] == "a" else "a"
            row("", f"{article} {option['accepts']}", "of your own", "")
        rows.append(None)
    for number, term in enumerate(listed["meters"]):
        named = "[bold]for each meter of a progressive" if not number else ""
        if named:
            row(plain("[meters.NAME]"), "", named, "")
        row("", term["term"], plain(term["says"]), term["clause"])
    print_table(("option", "choice", "~meaning", "clause"), rows)
    return 0


def diff(old: File, new: File, /, *, json: Flag = False, xlsx: str | None = None) -> int:
    """Compare two submissions: what changed, under which clause, and what it does to each hold.

    Parameters
    ----------
    old
        The earlier submission.
    new
        The later one.
    json
        As JSON.
    xlsx
        Write the comparison as an Excel workbook to this file.
    """
    from houseway.submission.comparison import changes
    from houseway.submission.packet.holds import columns_text, hold_changes, holds
    from houseway.submission.packet.redline import value_words

    before, after = _passing(old), _passing(new)
    found = changes(before, after)
    moved = list(hold_changes(holds(before.rules), holds(after.rules)))
    answer = {
        "chapter": after.chapter.id,
        "old": before.hash,
        "new": after.hash,
        "old_rules": before.rules.hash,
        "new_rules": after.rules.hash,
        "changes": [
            {"field": one.field, "old": one.old, "new": one.new, "clause": one.clause}
            for one in found
        ],
        "holds": [_hold_out(one) for one in moved],
    }
    if xlsx is not None:
        write_bytes(xlsx, _workbook(answer), quiet=json)
    if json:
        print_json(answer)
    if json or xlsx is not None:
        return 0
    out = console()
    if not found:
        out.print("nothing changed")
        return 0
    print_table(
        ("field", "~old", "~new", "clause"),
        [
            (
                f"[{GOLD}]{plain(one.field)}[/]",
                plain(value_words(after.chapter, one.field, one.old) or "·"),
                f"[bold]{plain(value_words(after.chapter, one.field, one.new) or '·')}[/]",
                f"[{QUIET}]{plain(one.clause or '')}[/]",
            )
            for one in found
        ],
    )
    if not moved:
        out.print("no hold changes")
        return 0
    rows = []
    for move in moved:
        row = _hold_out(move)
        which = columns_text(after.chapter, move.either.open_columns)
        name = f"[{GOLD}]{move.either.name}[/]"
        rows.append(
            (
                f"{name} [{QUIET}]{plain(which)}[/]" if which else name,
                *(row[key] or "·" for key in ("old_percent", "new_percent", "change_percent")),
            )
        )
    print_table(
        ("wager", ">old", ">new", ">change"), rows, title="House edge, percent of the wager"
    )
    return 0


def _workbook(answer: dict[str, Any]) -> bytes:
    from houseway.documents.workbooks.results import HOLD_CHANGES, results_workbook

    about = {name: value for name, value in answer.items() if not isinstance(value, list)}
    tables = {"changes": (answer["changes"], ()), "holds": (answer["holds"], HOLD_CHANGES)}
    return results_workbook("Two submissions compared", answer["chapter"], about, tables)


def _hold_out(move: HoldChange) -> dict[str, Any]:
    from houseway.maths.figures import percent

    old, new, change = move.old, move.new, move.change
    return {
        "wager": move.either.wager,
        **move.either.columns,
        "old": str(old.edge) if old else None,
        "new": str(new.edge) if new else None,
        "old_percent": old.percent if old else None,
        "new_percent": new.percent if new else None,
        "change_percent": ("+" if change > 0 else "") + percent(change, 4) if change else None,
    }
