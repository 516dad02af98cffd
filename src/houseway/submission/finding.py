"""A finding: what is wrong with a submission, where, under which clause, and what would be right."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from houseway.errors import printable

#: the parts of a submission in the order in which a person fills them in
PARTS = (
    "chapter", "edition", "submission", "rules", "paytables", "limits", "meters", "answers",
    "table", "devices", "layout", "approvals",
)  # fmt: skip


class Finding(msgspec.Struct, frozen=True):
    """An error keeps a submission from passing; a warning is allowed, but probably a mistake."""

    severity: Literal["error", "warning"]
    code: str
    #: where in the file: "limits.ante"
    field: str
    wrong: str
    right: str
    clause: str | None = None
    #: the line of the file, where it is known
    line: int | None = None
    #: what to write there instead, as TOML, or as JSON in a JSON file; empty: leave the line out; None: only a person knows
    write: str | None = None
    #: the heading under which it belongs
    under: str = ""


def error(code: str, field: str, wrong: str, right: str, clause: str | None = None) -> Finding:
    return _finding("error", code, field, wrong, right, clause=clause)


def warning(code: str, field: str, wrong: str, right: str, clause: str | None = None) -> Finding:
    return _finding("warning", code, field, wrong, right, clause=clause)


def _finding(
    severity: Literal["error", "warning"], code: str, *said: str, clause: str | None
) -> Finding:
    field, wrong, right = map(printable, said)
    return Finding(severity, code, field, wrong, right, clause or None)


def as_written(value: object) -> str:
    """A value as the file has it, shortened if it is long."""
    if isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
    elif isinstance(value, dt.date):
        text = value.isoformat()
    elif isinstance(value, Mapping):
        text = "{ " + ", ".join(f"{key} = {as_written(one)}" for key, one in value.items()) + " }"
    elif isinstance(value, list | tuple):
        text = "[" + ", ".join(map(as_written, value)) + "]"
    else:
        text = "null" if value is None else str(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def in_order(findings: Iterable[Finding], options: Sequence[str] = ()) -> tuple[Finding, ...]:
    """Errors before warnings, each in the order of the file, options in the chapter's order."""

    def place(finding: Finding) -> tuple[bool, int, int]:
        part, _, rest = finding.field.partition(".")
        option = rest.split(".")[0]
        return (
            finding.severity == "warning",
            PARTS.index(part) if part in PARTS else -1,
            options.index(option) if part == "rules" and option in options else -1,
        )

    return tuple(sorted(dict.fromkeys(findings), key=place))
