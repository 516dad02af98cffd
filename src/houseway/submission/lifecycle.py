"""The life of a submission: draft, checked, submitted, approved, in force from a date, superseded.

Pure functions: `decide` returns what an act leads to or refuses it, `evolve` folds what happened
into the register of one game at one facility. Being in force is not an event but a matter of dates:
of the approved submissions the one with the latest day not after today is in force, and it
supersedes those before it. Nothing is ever removed, so any day can be looked up.

A submission is identified by its document, every byte of it, so that a corrected draft is another
draft. The rules that it chooses are identified when it is checked (`rules_hash`), since a draft
that does not pass chooses none. Earlier versions recorded a hash of what could be read instead;
those submissions keep that hash and are found by it as well as by their document.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from houseway.errors import Refused
from houseway.submission.checks.run_checks import check_text
from houseway.submission.checks.unfinished import is_empty
from houseway.submission.file import document_hash

Stage = Literal["draft", "checked", "submitted", "approved", "in_force", "superseded"]
Act = Literal["check", "submit", "approve"]
#: the stage that an act needs and the kind of event it leads to
ACTS: dict[Act, tuple[Stage, str]] = {
    "check": ("draft", "submission_checked"),
    "submit": ("checked", "submission_submitted"),
    "approve": ("submitted", "submission_approved"),
}
_STAGES: dict[str, Stage] = {
    "submission_drafted": "draft",
    "submission_checked": "checked",
    "submission_submitted": "submitted",
    "submission_approved": "approved",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """Who brought a submission to a stage, and when."""

    stage: Stage
    who: str
    when: str


@dataclass(frozen=True)
class Kept:
    """One submission as filed, and its history."""

    #: the hash it was recorded with
    hash: str
    chapter: str
    facility: str
    #: the file itself, word for word, and its name
    text: str
    name: str
    marks: tuple[Mark, ...]
    #: the day from which it is in force, once it is approved
    in_force: dt.date | None = None
    #: the rules that it chooses, once it has been checked
    rules_hash: str | None = None

    @cached_property
    def document(self) -> str:
        """The hash of the text; the same as `hash`, except on records of earlier versions."""
        return document_hash(self.text)

    @property
    def stage(self) -> Stage:
        """The last stage reached; whether it is in force depends on the day."""
        return self.marks[-1].stage


@dataclass(frozen=True, slots=True)
class Register:
    """Every submission for one game at one facility, in the order they were drafted."""

    kept: Mapping[str, Kept] = field(default_factory=dict)
    #: every table that was opened, with the submission it was opened with and when
    opened: tuple[tuple[str, str, str], ...] = ()

    def matching(self, hash: str) -> list[Kept]:
        """The submissions whose recorded hash or document hash is this one or begins with it."""
        return [
            kept
            for kept in self.kept.values()
            if hash and (kept.hash.startswith(hash) or kept.document.startswith(hash))
        ]

    def with_document(self, document: str) -> Kept | None:
        """The submission with exactly this document; the last one if there are several."""
        found = [kept for kept in self.kept.values() if kept.document == document]
        return found[-1] if found else None

    def in_force_on(self, day: dt.date) -> Kept | None:
        """The submission in force on a day; of two from the same day the one approved later."""
        approved = [
            (kept.in_force, kept.marks[-1].when, kept)
            for kept in self.kept.values()
            if kept.in_force is not None and kept.in_force <= day
        ]
        return max(approved, key=lambda entry: entry[:2])[2] if approved else None

    def stage_on(self, kept: Kept, day: dt.date) -> Stage:
        """The stage of a submission on a day, dates considered."""
        if kept.in_force is None or kept.in_force > day:
            return kept.stage
        current = self.in_force_on(day)
        return "in_force" if current and current.hash == kept.hash else "superseded"

    def opened_with(self, table: str) -> Kept | None:
        """The submission that a table was last opened with."""
        last = [hash for name, hash, _ in self.opened if name == table]
        return self.kept[last[-1]] if last else None

    def for_a_table(self, day: dt.date) -> Kept:
        """The submission that a table opens with on a day; without one no table opens."""
        found = self.in_force_on(day)
        if found is None:
            raise Refused("no_submission_in_force", f"no submission is in force on {day}")
        return found


def opened(register: Register, table: str, day: dt.date) -> tuple[str, dict[str, Any]]:
    """The event of a table that opens with the submission in force on a day."""
    return "table_opened_with", {"hash": register.for_a_table(day).hash, "table": table}


def drafted(text: str, name: str) -> tuple[str, dict[str, Any]]:
    """The event of a new draft. It may have findings, but it must name its chapter and facility."""
    checked = check_text(text, name)
    submission = checked.submission
    if submission is None or is_empty(submission.who.facility):
        first = next(f for f in checked.findings if f.field in ("chapter", "submission.facility"))
        why = "; a record keeps the submissions of each facility together" if submission else ""
        raise Refused("submission_fails", f"{first.wrong}{why}", field=first.field)
    return "submission_drafted", {
        "hash": document_hash(text),
        "chapter": submission.chapter.id,
        "facility": submission.who.facility,
        "name": name,
        "text": text,
    }


def decide(
    kept: Kept,
    act: Act,
    *,
    who: str,
    today: dt.date,
    in_force: dt.date | None = None,
) -> tuple[str, dict[str, Any]]:
    """The event that an act on a submission leads to."""
    needed, kind = ACTS[act]
    if kept.stage != needed:
        raise Refused(
            "wrong_stage",
            f"{act} needs a submission that is {needed}; this one is {kept.stage}",
            field="submission",
        )
    checked = check_text(kept.text, kept.name)
    submission = checked.submission
    if submission is None or not checked.passes:
        first = checked.errors[0]
        raise Refused(
            "submission_fails",
            f"it does not pass: {first.field}: {first.wrong}",
            clause=first.clause,
            field=first.field,
        )
    if act == "submit" and checked.empty:
        fields = ", ".join(finding.field for finding in checked.empty)
        raise Refused(
            "unfinished",
            f"it cannot be filed while this is empty: {fields}",
            field=checked.empty[0].field,
        )
    body: dict[str, Any] = {"hash": kept.hash}
    if act == "check":
        return kind, {
            **body,
            "edition": submission.chapter.about.edition,
            "edition_hash": submission.chapter.hash,
            "rules_hash": submission.rules.hash,
            "warnings": len(checked.warnings),
        }
    if act == "approve":
        submitted = next(mark for mark in kept.marks if mark.stage == "submitted")
        if submitted.who == who:
            raise Refused(
                "second_person", f"{who} submitted it; somebody else must approve it", field="who"
            )
        least = max(submission.who.in_force, today)
        day = in_force or least
        if day < least:
            raise Refused(
                "in_force_too_early", f"it can be in force from {least} on, not from {day}",
                field="in_force",
            )  # fmt: skip
        body["in_force"] = day.isoformat()
    return kind, body


def evolve(register: Register, kind: str, body: Mapping[str, Any], who: str, when: str) -> Register:
    """The register after an event; events of other kinds change nothing."""
    if kind == "table_opened_with":
        return replace(register, opened=(*register.opened, (body["table"], body["hash"], when)))
    if kind not in _STAGES:
        return register
    mark = Mark(_STAGES[kind], who, when)
    hash = body["hash"]
    if kind == "submission_drafted":
        if hash in register.kept:
            return register
        kept = Kept(hash, body["chapter"], body["facility"], body["text"], body["name"], (mark,))
    else:
        before = register.kept[hash]
        day = body.get("in_force")
        kept = replace(
            before,
            marks=(*before.marks, mark),
            in_force=dt.date.fromisoformat(day) if day else before.in_force,
            rules_hash=body.get("rules_hash", before.rules_hash),
        )
    return replace(register, kept={**register.kept, hash: kept})
