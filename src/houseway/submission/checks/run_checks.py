"""`check`: a submission against its chapter, all findings at once, in an order to work through."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from houseway.law import Chapter
from houseway.submission.checks.advisories import at_a_glance, unwise
from houseway.submission.checks.rule_checks import lawful
from houseway.submission.checks.unfinished import EMPTY
from houseway.submission.file import Submission, document_hash, parse
from houseway.submission.finding import Finding, in_order
from houseway.submission.locate import lines_of
from houseway.submission.reading import Reading


@dataclass(frozen=True)
class Checked:
    """What was read and what was found; without a chapter there is no submission."""

    submission: Submission | None
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == "warning")

    @property
    def empty(self) -> tuple[Finding, ...]:
        """What only a person can fill in and nobody has; with any of it, it cannot be filed."""
        return tuple(finding for finding in self.findings if finding.code == EMPTY)

    @property
    def passes(self) -> bool:
        return not self.errors


def check(
    given: Mapping[str, Any], text: str | None = None, name: str = "submission.toml"
) -> Checked:
    """Check the tables of a submission file; `text` is the document that they were read from.

    Without a text the document is the tables themselves, written as JSON. With one, every finding
    has its line, and says what to write there.
    """
    reading = Reading(given)
    document = json.dumps(given, default=str) if text is None else text
    submission = reading.read(document_hash(document))
    found = list(reading.findings)
    if submission is not None:
        found += [*lawful(submission), *unwise(submission)]
        found = [_with_clause(submission.chapter, one) for one in _without_echoes(found)]
    options = list(submission.chapter.options) if submission else []
    findings = in_order(found, options)
    if text is not None:
        from houseway.submission.checks.corrections import with_corrections

        lines = lines_of(text, name)
        findings = with_corrections(given, findings, lines, as_json=name.endswith(".json"))
    return Checked(submission, findings)


def _without_echoes(found: list[Finding]) -> list[Finding]:
    """Without warnings about a field that is an error already: it was not read as it stands."""
    wrong = [one.field for one in found if one.severity == "error"]
    return [
        one for one in found
        if one.severity == "error" or not any(f"{field}.".startswith(f"{one.field}.") for field in wrong)
    ]  # fmt: skip


def _with_clause(law: Chapter, finding: Finding) -> Finding:
    """A finding that names no clause, with that of the option, wager or number that it is about."""
    part, _, rest = finding.field.partition(".")
    name = rest.partition(".")[0]
    found = None
    if part == "rules" and name in law.options:
        found = law.options[name].clause
    elif part in ("limits", "meters", "paytables") and name in law.wagers:
        found = law.wagers[name].clause
    elif finding.field == "table.seats":
        found = law.fact("seats").clause
    if finding.clause or not found:
        return finding
    return msgspec.structs.replace(finding, clause=found)


def check_text(text: str, name: str = "submission.toml") -> Checked:
    """Check the text of a submission; a text that is neither TOML nor JSON is refused."""
    return check(parse(text, name), text, name)


def problems(given: Mapping[str, Any]) -> list[Finding]:
    """Every error, and every warning that takes no mathematics: quick enough to try a correction."""
    reading = Reading(given)
    submission = reading.read()
    if submission is None:
        return reading.findings
    return [*reading.findings, *lawful(submission), *at_a_glance(submission)]
