"""A finding: what is wrong with a submission, where, under which clause, and what would be right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

#: the parts of a submission in the order in which a person fills them in
PARTS = (
    "chapter", "edition", "submission", "rules", "paytables", "limits", "meters", "answers",
    "table", "layout", "approvals",
)  # fmt: skip


class Finding(msgspec.Struct, frozen=True):
    """An error keeps a submission from passing; a warning is lawful but unwise."""

    severity: Literal["error", "warning"]
    code: str
    #: where in the file: "limits.ante"
    field: str
    wrong: str
    right: str
    clause: str | None = None


def error(code: str, field: str, wrong: str, right: str, clause: str | None = None) -> Finding:
    return Finding("error", code, field, wrong, right, clause or None)


def warning(code: str, field: str, wrong: str, right: str, clause: str | None = None) -> Finding:
    return Finding("warning", code, field, wrong, right, clause or None)


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
