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
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from houseway.errors import Refused
from houseway.law import Chapter, Rules
from houseway.law.meter_terms import MetersFile
from houseway.untrusted import parse_json, parse_toml, read_text

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
    #: the number of the operator's license or certificate
    license: str = ""
    #: the title of whoever submits it
    title: str = ""
    #: whom the agency may ask: a telephone number or an e-mail address
    contact: str = ""


class TablePart(Part, frozen=True, kw_only=True):
    """`[table]`: how many positions, and what stands at the table."""

    seats: int
    equipment: tuple[str, ...]
    tip_box: Literal["across", "elsewhere"] = "across"


class DevicePart(Part, frozen=True, kw_only=True):
    """An entry of `[devices]`: what identifies a device, and the number of its approval."""

    make: str = ""
    model: str = ""
    approval: str = ""


class LayoutPart(Part, frozen=True, kw_only=True):
    """`[layout]`: which inscriptions are on the felt, and which on a sign at the table."""

    felt: tuple[str, ...]
    sign: tuple[str, ...] = ()
    #: the color of the felt
    color: str = "green"


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
    devices: dict[str, DevicePart] = {}
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
    devices: Mapping[str, DevicePart]
    #: the file itself, to see what it says and what it leaves to a default
    given: Mapping[str, Any]
    #: identifies the document: see `document_hash`
    hash: str

    @property
    def chapter(self) -> Chapter:
        return self.rules.chapter

    def stated(self, *path: str) -> bool:
        """Whether the file states it, rather than a default."""
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
            "devices": dict(self.devices),
            "layout": self.layout,
            "approvals": dict(self.approvals),
        }
        whole = self.rules.as_file()
        for name, part in parts.items():
            plain = msgspec.json.decode(msgspec.json.encode(part))
            whole[name] = {k: v for k, v in plain.items() if v is not None}
        return {name: whole[name] for name in _ORDER if whole.get(name)}


_ORDER = tuple(SubmissionFile.__struct_fields__)
#: no submission is longer than this
_MOST = 1_000_000


def document_hash(text: str) -> str:
    """SHA-256 of a document as it was submitted, in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


_NO_SUCH_DAY = "there is no such day or time; write a day of the calendar, like 2026-03-01"
#: what the parser says, and what it means to whoever writes the file
_TOML_WORDS = (
    ("Cannot overwrite a value", "this name is given twice; leave one of the two out"),
    ("Cannot declare", "this part is given twice; join the two under one heading"),
    ("Illegal character '\\n'", 'the text has no closing quote; end it with "'),
    ("Illegal character", "a control character stands in the text; leave it out"),
    (
        "Found invalid character '\\r'",
        "a line ends without a line feed; save it with usual line ends",
    ),
    ("Unterminated string", 'the text has no closing quote; end it with "'),
    (
        "Invalid initial character",
        'a name is missing; write name = "value" or a heading in [brackets]',
    ),
    ("Invalid value", 'a value is missing, or a text stands without quotes; write it in "quotes"'),
    ("Expected '=' after a key", "an equals sign is missing after the name"),
    ("Expected ']' at the end", "a heading has no closing bracket; end it with ]"),
    ("Unclosed array", "a list has no closing bracket; end it with ]"),
    ("Unclosed inline table", "a table has no closing brace; end it with }"),
    ("Expected newline", "something stands after the value; leave it out or begin a new line"),
    ("Invalid date", _NO_SUCH_DAY),
    (
        "Invalid statement",
        'not a line of TOML; write name = "value" or a heading in [brackets]',
    ),
)


#: what stands at the place that the parser names, and what is meant by that
_TOML_VALUES = (
    (r"[“”„‘’«»]", 'a typographic quotation mark stands here; write straight ones, "like this"'),
    (r"(?i:true|false)\b", "write true or false in lowercase"),
    (r"-\d\d-\d\d\b", _NO_SUCH_DAY),
)


def _plainly(said: str, text: str) -> str:
    """What the parser says, in plain words after the place."""
    words, _, place = said.rpartition(" (at ")
    if not words:
        return said
    ours = next((ours for theirs, ours in _TOML_WORDS if words.startswith(theirs)), "")
    if at := re.match(r"line (\d+), column (\d+)", place):
        here = text.split("\n")[int(at[1]) - 1][int(at[2]) - 1 :]
        ours = next((our for found, our in _TOML_VALUES if re.match(found, here)), ours)
    return f"{place.rstrip(')')}: {ours or words[:1].lower() + words[1:]}"


def parse(text: str, name: str = "submission.toml") -> dict[str, Any]:
    """The file's own tables; `name` says whether it is TOML or JSON."""
    if len(text) > _MOST:
        raise Refused(
            "too_large", f"{name}: {len(text):,} characters; a submission has at most {_MOST:,}"
        )
    text = text.removeprefix("\ufeff")
    try:
        if name.endswith(".json"):
            found = parse_json(text, "not_json")
        else:
            found = parse_toml(text, "not_toml")
    except Refused as refusal:
        refusal.message = f"{name}: {_plainly(refusal.message, text)}"
        raise
    if not isinstance(found, dict):
        raise Refused("not_a_submission", f"{name}: a submission is a table of parts")
    return found


def read_submission(path: str | Path) -> dict[str, Any]:
    """The tables of a submission file; a name that ends in `.json` is JSON, all others TOML."""
    return parse(read_text(path), Path(path).name)
