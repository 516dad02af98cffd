"""`diff`: what changed between two submissions, under which clause, and what it does to the holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from houseway.errors import Refused
from houseway.law import Chapter
from houseway.law.choices import shown
from houseway.submission.file import Submission


@dataclass(frozen=True, slots=True)
class Change:
    """One field that differs; None where it is not there."""

    field: str
    old: str | None
    new: str | None
    clause: str | None


def changes(old: Submission, new: Submission) -> list[Change]:
    """Every field that differs, in the order of the file, defaults included."""
    if old.chapter.id != new.chapter.id:
        raise Refused(
            "not_the_same_chapter",
            f"one is for {old.chapter.id}, the other for {new.chapter.id}",
            field="chapter",
        )
    before, after = dict(_leaves(old.as_file())), dict(_leaves(new.as_file()))
    return [
        Change(field, before.get(field), after.get(field), clause_of(new.chapter, field))
        for field in dict.fromkeys((*before, *after))
        if before.get(field) != after.get(field)
    ]


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        yield path, ", ".join(map(str, value))
    else:
        yield path, shown(value)


def clause_of(law: Chapter, field: str) -> str | None:
    """The clause that a field of a submission answers, if there is one."""
    part, _, rest = field.partition(".")
    first = rest.split(".")[0]
    about = law.about
    if part in ("rules", "paytables") and first in law.options:
        return law.options[first].clause
    if part == "answers":
        return law.options["payout_limit"].clause if "payout_limit" in law.options else None
    if part in ("limits", "meters") and first in law.wagers:
        least = "progressive_rate_least" if rest.endswith(".rate") else "meter_least"
        fact = about.facts.get(least if part == "meters" else "")
        return fact.clause if fact else law.wagers[first].clause
    if part == "layout":
        return next((a.clause for a in about.approvals if a.id == part), None)
    if part == "table":
        wanted = {"seats": law.fact("seats").clause} | {
            "tip_box": next((a.clause for a in about.approvals if "tip_box" in a.needed), None)
        }
        return wanted.get(first)
    if part == "approvals":
        return next((a.clause for a in about.approvals if a.id == first), None)
    return None
