"""`check`: a submission against its chapter, all findings at once, in an order to work through."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from houseway.submission.checks.advisories import unwise
from houseway.submission.checks.rule_checks import lawful
from houseway.submission.file import Submission, document_hash, parse
from houseway.submission.finding import Finding, in_order
from houseway.submission.reading import Reading


@dataclass(frozen=True)
class Checked:
    """What was read and what was found. There is no submission where no chapter was named."""

    submission: Submission | None
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == "warning")

    @property
    def passes(self) -> bool:
        return not self.errors


def check(given: Mapping[str, Any], text: str | None = None) -> Checked:
    """Check the tables of a submission file; `text` is the document that they were read from.

    Without a text the document is the tables themselves, written as JSON.
    """
    reading = Reading(given)
    document = json.dumps(given, default=str) if text is None else text
    submission = reading.read(document_hash(document))
    if submission is None:
        return Checked(None, in_order(reading.findings))
    found = [*reading.findings, *lawful(submission), *unwise(submission)]
    return Checked(submission, in_order(found, list(submission.chapter.options)))


def check_text(text: str, name: str = "submission.toml") -> Checked:
    """Check the text of a submission; a text that is neither TOML nor JSON is refused."""
    return check(parse(text, name), text)
