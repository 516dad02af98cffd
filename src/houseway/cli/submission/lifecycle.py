"""`houseway submissions`: the life of submissions on the record."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from houseway.cli.record_options import record
from houseway.cli.terminal.output import GOLD, QUIET, console, plain, print_json, print_table
from houseway.errors import Refused
from houseway.floor.submissions import act, draft, find, registers
from houseway.law import chapter
from houseway.store import Log
from houseway.submission.lifecycle import Kept, Register
from houseway.untrusted import read_text

Flag = Annotated[bool, Parameter(negative="")]


def submissions(
    what: Literal["list", "draft", "check", "submit", "approve", "show"] = "list",
    which: str | None = None,
    /,
    *,
    by: str = "",
    on: str | None = None,
    in_force: str | None = None,
    database: str | None = None,
    json: Flag = False,
) -> int:
    """Keep submissions on the record: draft, check, submit, approve; list and show them.

    A submission is in force from its day until the next one of the same game and facility is. All
    of them stay on the record with who and when.

    Parameters
    ----------
    what
        draft a file; check, submit or approve a submission; list them; show one.
    which
        The file to draft, or the submission's hash or the beginning of it.
    by
        Who does it. Whoever submitted it cannot approve it.
    on
        The day to look at in a list; today by default.
    in_force
        The day from which an approved submission is in force; its own by default.
    database
        The record: a file, or a postgresql:// URL.
    json
        As JSON.
    """
    now = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    day = _day(on, "on") or dt.date.fromisoformat(now[:10])
    reading = what in ("list", "show")
    if not reading and not by:
        raise Refused("who", f"say who does it with --by NAME ({what})", field="by")
    if what != "list" and which is None:
        raise Refused(
            "which", f"say which submission: houseway submissions {what} …", field="which"
        )
    with record(database, readonly=reading, new=True) as log:
        if what == "list":
            return _list(log, day, json)
        assert which is not None
        if what == "draft":
            kept = draft(log, read_text(which), Path(which).name, who=by, now=now)
        elif what == "show":
            kept = find(log, which)[1]
        else:
            kept = act(log, which, what, who=by, now=now, in_force=_day(in_force, "in_force"))
        register = find(log, kept.hash)[0]
    if json:
        print_json({**_out(register, kept, day), "name": kept.name, "text": kept.text})
    else:
        _show(register, kept, day, whole=what == "show")
    return 0


def _day(text: str | None, field: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text) if text else None
    except ValueError:
        raise Refused(
            "not_a_date", f"{text!r} is not a date; write 2026-03-01", field=field
        ) from None


def _out(register: Register, kept: Kept, day: dt.date) -> dict[str, Any]:
    return {
        "hash": kept.hash,
        "document_hash": kept.document,
        "rules_hash": kept.rules_hash,
        "chapter": kept.chapter,
        "facility": kept.facility,
        "stage": register.stage_on(kept, day),
        "in_force": kept.in_force.isoformat() if kept.in_force else None,
        "history": [{"stage": m.stage, "who": m.who, "when": m.when} for m in kept.marks],
    }


def _game(id: str) -> str:
    """A chapter by the name of its game; by its id where it is not installed any more."""
    try:
        about = chapter(id).about
    except Refused:
        return id
    return f"{about.game}, {about.jurisdiction}"


def _list(log: Log, day: dt.date, json: bool) -> int:
    found = [(register, kept) for register in registers(log) for kept in register.kept.values()]
    if json:
        listed = [_out(register, kept, day) for register, kept in found]
        print_json({"on": day.isoformat(), "submissions": listed})
        return 0
    out = console()
    if not found:
        out.print("there are no submissions on this record")
        return 0
    rows = []
    for register, kept in found:
        last = kept.marks[-1]
        rows.append(
            (
                f"[{GOLD}]{kept.hash[:12]}[/]",
                plain(_game(kept.chapter)),
                plain(kept.facility),
                register.stage_on(kept, day).replace("_", " "),
                str(kept.in_force or ""),
                plain(f"{last.who}, {last.when[:10]}"),
            )
        )
    print_table(
        ("submission", "~game", "~facility", "stage", "in force", "last change"),
        rows,
        title=f"Submissions on {day}",
    )
    return 0


def _show(register: Register, kept: Kept, day: dt.date, *, whole: bool) -> None:
    from rich.markup import escape

    out = console()
    stage = register.stage_on(kept, day).replace("_", " ")
    since = f" from {kept.in_force}" if kept.in_force else ""
    out.print(
        f"[{GOLD}]{kept.hash[:12]}[/]  {escape(_game(kept.chapter))}, {escape(kept.facility)}:"
        f" [bold]{stage}[/]{since}"
    )
    if kept.rules_hash:
        out.print(f"  [{QUIET}]rules {kept.rules_hash[:16]}")
    for mark in kept.marks:
        out.print(f"  [{QUIET}]{mark.when}[/]  {mark.stage} by {escape(mark.who)}")
    if whole:
        out.print(f"\n{escape(kept.text)}")
