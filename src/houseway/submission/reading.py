"""From a file's tables to a `Submission`, with everything that cannot be read as findings.

Nothing stops at the first mistake: what cannot be read becomes a finding, and the rest is read.
"""

from __future__ import annotations

import copy
import typing
from collections.abc import Mapping
from typing import Any

import msgspec

from houseway.errors import Refused
from houseway.law import Chapter, Rules, chapter, editions
from houseway.law.meter_terms import by_full_name
from houseway.law.rules import read_choices, suggest
from houseway.submission.file import (
    TOGETHER,
    Answers,
    Approved,
    LayoutPart,
    Part,
    Submission,
    SubmissionFile,
    TablePart,
    Who,
)
from houseway.submission.finding import Finding, error

P = typing.TypeVar("P", bound=Part)

#: what msgspec calls a type, and what a person calls it
_KINDS = {"str": "text", "int": "a whole number", "array": "a list", "object": "a table"}
_RULES_PARTS = ("rules", "paytables", "limits", "meters")


class Reading:
    """One submission being read, and what was found on the way."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given
        self.findings: list[Finding] = []

    def read(self, document: str = "") -> Submission | None:
        """The submission with its document's hash; None where there is no chapter to read it by."""
        law = self._chapter()
        if law is None:
            return None
        for key in self.given:
            if key not in SubmissionFile.__struct_fields__:
                self._unknown(key, key, SubmissionFile.__struct_fields__)
        meters = self.given.get("meters")
        if isinstance(meters, Mapping):
            problems: list[Refused] = []
            self.given = {**self.given, "meters": by_full_name(meters, problems)}
            self._problems(problems)
        rules = self._rules(law)
        return Submission(
            rules,
            self._part("submission", Who, _blank(Who)),
            self._part("table", TablePart, {"seats": law.number("seats"), "equipment": ()}),
            self._part("layout", LayoutPart, {"felt": ()}),
            self._approvals(law),
            self._part("answers", Answers, {}),
            self.given,
            document,
        )

    # ---- the parts that are the submission's own ------------------------------------------

    def _chapter(self) -> Chapter | None:
        id, edition = self.given.get("chapter"), self.given.get("edition")
        try:
            kept = editions(str(id))
        except Refused as refusal:
            if refusal.code != "no_such_chapter":
                raise
            wrong = "the chapter is not named" if id is None else f"there is no chapter {id!r}"
            self.findings.append(error("no_such_chapter", "chapter", wrong, refusal.remedy))
            return None
        if edition is not None and edition not in kept:
            self.findings.append(
                error(
                    "no_such_edition",
                    "edition",
                    f"{id} has no edition {edition!r}",
                    f"there is {', '.join(kept)}",
                )
            )
            edition = None
        return chapter(str(id), edition)

    def _unknown(self, key: str, field: str, known: typing.Iterable[str]) -> None:
        self.findings.append(
            error("no_such_field", field, f"there is no {key} here", suggest(str(key), known))
        )

    def _part(self, name: str, kind: type[P], instead: Mapping[str, Any]) -> P:
        """A part field by field; `instead` stands in where a required field is missing or wrong."""
        given = self.given.get(name, {})
        if not isinstance(given, Mapping):
            self.findings.append(
                error("wrong_type", name, f"{given!r} is no part", f"write it as a table [{name}]")
            )
            given = {}
        fields = {field.name: field for field in msgspec.structs.fields(kind)}
        for key in given:
            if key not in fields:
                self._unknown(key, f"{name}.{key}", fields)
        values: dict[str, Any] = {}
        for key, field in fields.items():
            if key in given:
                try:
                    values[key] = msgspec.convert(given[key], field.type)
                    if isinstance(values[key], str) and not values[key].strip():
                        del values[key]
                        self._missing(name, key, field.type)
                except msgspec.ValidationError as problem:
                    self._wrong_type(f"{name}.{key}", given[key], field.type, problem)
            elif field.required:
                self._missing(name, key, field.type)
        kept = {key: value for key, value in instead.items() if key not in values}
        return kind(**kept, **values)

    def _missing(self, part: str, key: str, kind: Any) -> None:
        what = "a date like 2026-03-01" if "date" in str(kind) else "it"
        self.findings.append(
            error("missing", f"{part}.{key}", f"{key} is not given", f"write {what} under [{part}]")
        )

    def _wrong_type(
        self, field: str, given: Any, kind: Any, problem: msgspec.ValidationError
    ) -> None:
        if "date" in str(kind):
            wrong, right = f"{given!r} is no date", "write a day of the calendar, like 2026-03-01"
        else:
            wrong = f"{given!r} will not do"
            right = _wanted(kind, str(problem))
        self.findings.append(error("wrong_type", field, wrong, right))

    def _approvals(self, law: Chapter) -> dict[str, Any]:
        given = self.given.get("approvals", {})
        if not isinstance(given, Mapping):
            self.findings.append(
                error("wrong_type", "approvals", f"{given!r} is no part", "write [approvals]")
            )
            return {}
        known = {approval.id for approval in law.about.approvals}
        found: dict[str, Any] = {}
        for id, entry in given.items():
            field = f"approvals.{id}"
            if id not in known:
                self._unknown(id, field, sorted(known))
                continue
            if entry == TOGETHER:
                found[id] = TOGETHER
                continue
            try:
                found[id] = msgspec.convert(entry, Approved)
            except msgspec.ValidationError:
                self.findings.append(
                    error(
                        "not_an_approval",
                        field,
                        f"{entry!r} names no approval",
                        f'write {{ reference = "…", date = 2026-03-01 }} or "{TOGETHER}"',
                        next(a.clause for a in law.about.approvals if a.id == id),
                    )
                )
        return found

    # ---- the parts that are a rules file ---------------------------------------------------

    def _rules(self, law: Chapter) -> Rules:
        parts = {name: self._plain(name) for name in _RULES_PARTS}
        rules, problems = read_choices(
            law,
            parts["rules"],
            limits=parts["limits"],
            meters=parts["meters"],
            paytables=parts["paytables"],
        )
        self._problems(problems)
        return rules

    def _problems(self, problems: typing.Iterable[Refused]) -> None:
        self.findings += [
            error(one.code, one.field or "rules", one.fault, one.remedy, one.clause)
            for one in problems
        ]

    def _plain(self, name: str) -> dict[str, Any]:
        """A part of the rules with what is not text, number, yes or no taken out."""
        given = self.given.get(name, {})
        if not isinstance(given, Mapping):
            self.findings.append(
                error("wrong_type", name, f"{given!r} is no part", f"write it as a table [{name}]")
            )
            return {}
        kept: dict[str, Any] = copy.deepcopy(dict(given))
        for key, value in given.items():
            for path, leaf in _leaves((key,), value):
                wants_text = name != "rules" or len(path) > 1
                if isinstance(leaf, str) or (not wants_text and isinstance(leaf, int | None)):
                    continue
                self.findings.append(
                    error(
                        "wrong_type",
                        ".".join((name, *path)),
                        f"{leaf!r} will not do",
                        'write it as text, like "12.50"' if wants_text else "write it as text",
                    )
                )
                _delete(kept, path)
        return kept


def _blank(kind: type[Part]) -> dict[str, Any]:
    """Something to stand in for each required field, so that the rest can be checked."""
    import datetime as dt

    return {
        field.name: dt.date.min if "date" in str(field.type) else ""
        for field in msgspec.structs.fields(kind)
        if field.required
    }


def _wanted(kind: Any, problem: str) -> str:
    literal = typing.get_args(kind) if typing.get_origin(kind) is typing.Literal else ()
    if literal:
        return f"it is {' or '.join(map(str, literal))}"
    expected = problem.partition("Expected `")[2].partition("`")[0].partition(" ")[0]
    return f"write {_KINDS.get(expected, expected)}"


def _leaves(path: tuple[str, ...], value: Any) -> typing.Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves((*path, str(key)), inner)
    else:
        yield path, value


def _delete(tables: Any, path: tuple[str, ...]) -> None:
    for key in path[:-1]:
        tables = tables.get(key)
        if not isinstance(tables, dict):
            return
    tables.pop(path[-1], None)
