"""`houseway packet`: the documents of a submission."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from houseway.cli.chapter_choice import OUT
from houseway.cli.submission.files import File, Flag, checked_file, checked_out, show_checked
from houseway.cli.terminal.output import GOLD, QUIET, console, print_json
from houseway.errors import Refused, file_problem
from houseway.submission.packet.packet import packet as make_packet


def packet(
    file: File,
    /,
    *,
    out: Annotated[Path, OUT],
    only: Annotated[tuple[str, ...], Parameter(negative="")] = (),
    against: str | None = None,
    json: Flag = False,
) -> int:
    """Write the documents to file and to post: PDFs, drawings as SVG, a bundle as JSON.

    The same submission gives the same bytes. One that does not pass gives its findings and exit
    status 1. While names or numbers are empty, every page is marked as a draft.

    Parameters
    ----------
    file
        The submission; - reads standard input.
    out
        The folder to write to; created if it does not exist.
    only
        One document: letter, checklist, layout, signs, procedure, mathematics, clauses, redline or
        bundle; may be given several times.
    against
        The submission in force until now: the packet then has a redline against it.
    json
        What was written, as JSON.
    """
    checked = checked_file(file)
    if not checked.passes or checked.submission is None:
        if json:
            print_json(checked_out(checked))
        else:
            show_checked(file, checked)
        return 1
    files = make_packet(checked, only, checked_file(against) if against else None)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (out / name).write_bytes(content)
    except OSError as error:
        raise Refused("cannot_write", file_problem(out, error), field="out") from None
    if json:
        print_json(
            {
                "hash": checked.submission.hash,
                "rules_hash": checked.submission.rules.hash,
                "folder": str(out),
                "files": {
                    name: {"bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
                    for name, body in files.items()
                },
            }
        )
        return 0
    shown = console()
    for name, body in files.items():
        shown.print(f"[{GOLD}]{name}[/]  [{QUIET}]{len(body):,} bytes")
    if checked.empty:
        shown.print(
            "\nEvery page is marked as a draft: names or numbers are empty (houseway check)."
        )
    return 0
