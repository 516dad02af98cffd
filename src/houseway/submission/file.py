"""A Rules Submission as it is written down, and as it is used.

The file is a rules file (`houseway.law.RulesFile`) with who, where and when: TOML, or JSON of the
same shape. `read_submission` parses the text and says at which line and column it breaks; what the
text says is read, and checked, by `houseway.submission.check`.

A submission has two identities. `Submission.hash` identifies the document: every byte counts,
whether it can be read or not. `Submission.rules.hash` identifies the rules that the document
chooses: two documents that differ only in comments or names have the same rules.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from houseway.errors import Refused
from houseway.law import Chapter, Rules
from houseway.law.meter_terms import MetersFile

Date = dt.date

#: stands in place of an approval that is asked for together with the submission
TOGETHER = "with this submission"


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the file: what it may hold, and what it must."""


class Who(Part, frozen=True, kw_only=True):
    """`[submission]`: who submits, for which facility, when, and from when it is to be in force."""

    operator: str
    facility: str
    submitted_by: str
    date: Date
    in_force: Date
    #: the operator's own number for it
    reference: str


class TablePart(Part, frozen=True, kw_only=True):
    """`[table]`: how many positions, and what stands at the table."""

    seats: int
    equipment: tuple[str, ...]
    tip_box: Literal["across", "elsewhere"] = "across"


class LayoutPart(Part, frozen=True, kw_only=True):
    """`[layout]`: which inscriptions are on the felt, and which on a sign at the table."""

    felt: tuple[str, ...]
    sign: tuple[str, ...] = ()


class Approved(Part, frozen=True, kw_only=True):
    """An entry of `[approvals]`: the approval's own number and its date."""

    reference: str
    date: Date


class Answers(Part, frozen=True, kw_only=True):
    """`[answers]`: what the house says where the chapter leaves it to the submission."""

    #: the outcomes that the payout limit neither cuts nor counts
    payout_limit_spares: tuple[str, ...] | None = None


class SubmissionFile(Part, frozen=True, kw_only=True):
    """The whole file, for its JSON Schema."""

    chapter: str
    submission: Who
    table: TablePart
    layout: LayoutPart
    edition: str | None = None
    rules: dict[str, Any] = {}
    paytables: dict[str, dict[str, str]] = {}
    limits: dict[str, dict[str, str]] = {}
    meters: MetersFile = {}
    answers: Answers = Answers()
    approvals: dict[str, Approved | Literal["with this submission"]] = {}


@dataclass(frozen=True, eq=False)
class Submission:
    """A submission whose rules are settled and whose parts are typed."""

    rules: Rules
    who: Who
    table: TablePart
    layout: LayoutPart
    approvals: Mapping[str, Approved | Literal["with this submission"]]
    answers: Answers
    #: the file itself, to see what it says and what it leaves to a default
    given: Mapping[str, Any]
    #: identifies the document: see `document_hash`
    hash: str

    @property
    def chapter(self) -> Chapter:
        return self.rules.chapter

    def stated(self, *path: str) -> bool:
        """Whether the file itself says it, rather than a default."""
        here: Any = self.given
        for key in path:
            if not isinstance(here, Mapping) or key not in here:
                return False
            here = here[key]
        return True

    @cached_property
    def choices(self) -> dict[str, Any]:
        """Every option's value and the choices made outside `[rules]` that clauses look at."""
        return {**self.rules.options, "tip_box": self.table.tip_box}

    def as_file(self) -> dict[str, Any]:
        """The submission in the shape of its file, every default written out."""
        parts = {
            "submission": self.who,
            "answers": self.answers,
            "table": self.table,
            "layout": self.layout,
            "approvals": dict(self.approvals),
        }
        whole = self.rules.as_file()
        for name, part in parts.items():
            plain = msgspec.json.decode(msgspec.json.encode(part))
            whole[name] = {k: v for k, v in plain.items() if v is not None}
        return {name: whole[name] for name in _ORDER if whole.get(name)}


_ORDER = tuple(SubmissionFile.__struct_fields__)


def document_hash(text: str) -> str:
    """SHA-256 of a document as it was submitted, in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def _toml_place(error: tomllib.TOMLDecodeError, text: str) -> str:
    """The parser's own words, with a line and a column even at the end of the text."""
    lines = text.split("\n")
    end = f"at line {len(lines)}, column {len(lines[-1]) + 1}, the end of the text"
    return str(error).replace("at end of document", end)


def parse(text: str, name: str = "submission.toml") -> dict[str, Any]:
    """The file's own tables; `name` says whether it is TOML or JSON."""
    try:
        found = json.loads(text) if name.endswith(".json") else tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refused("not_toml", f"{name}: {_toml_place(error, text)}") from None
    except RecursionError:
        raise Refused("not_a_submission", f"{name}: nested too deeply") from None
    except ValueError as error:
        raise Refused("not_json", f"{name}: {error}") from None
    if not isinstance(found, dict):
        raise Refused("not_a_submission", f"{name}: a submission is a table of parts")
    return found


def read_text(path: str | Path) -> str:
    """The text of a file, byte for byte: line ends are not translated."""
    try:
        return Path(path).read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file"
        raise Refused("no_such_file", f"{path}: {reason}") from None


def read_submission(path: str | Path) -> dict[str, Any]:
    """The tables of a submission file; a name that ends in `.json` is JSON, all others TOML."""
    return parse(read_text(path), Path(path).name)
