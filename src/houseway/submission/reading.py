"""From a file's tables to a `Submission`, with everything that cannot be read as findings.

Nothing stops at the first mistake: what cannot be read becomes a finding, and the rest is read.
"""

from __future__ import annotations

import copy
import typing
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Any

import msgspec

from houseway.errors import Refused
from houseway.law import Chapter, Rules, chapter, chapters, editions
from houseway.law.choices import read_choices, suggest
from houseway.law.meter_terms import by_full_name
from houseway.submission.file import (
    TOGETHER,
    Answers,
    Approved,
    DevicePart,
    LayoutPart,
    Part,
    Submission,
    SubmissionFile,
    TablePart,
    Who,
)
from houseway.submission.finding import Finding, as_written, error

P = typing.TypeVar("P", bound=Part)

#: what msgspec calls a type, and what a person calls it
_KINDS = {"str": "text", "int": "a whole number", "array": "a list", "object": "a table"}
_RULES_PARTS = ("rules", "paytables", "limits", "meters")


class Reading:
    """One submission being read, and the findings so far."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given
        self.findings: list[Finding] = []
        self.law: Chapter | None = None

    def read(self, document: str = "") -> Submission | None:
        """The submission with its document's hash; None if its chapter is not known."""
        self.law = law = self._chapter()
        if law is None:
            return None
        self._put_right()
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
            self._devices(),
            self.given,
            document,
        )

    def _put_right(self) -> None:
        """Continue with what was meant: a part whose name is misspelled, or that is written as a list.

        So one mistake does not cause others.
        """
        known = SubmissionFile.__struct_fields__
        parts = dict(self.given)
        for key, value in self.given.items():
            if key not in known:
                self._unknown(key, key, known)
                meant = get_close_matches(str(key).lower(), known, n=1)
                if meant and meant[0] not in self.given and isinstance(value, Mapping):
                    parts[meant[0]] = value
            elif _is_list_of_tables(value):
                self.findings.append(
                    error(
                        "wrong_type", key, f"[[{key}]] begins a list of tables, and there is one",
                        f"write [{key}] in single brackets",
                    )
                )  # fmt: skip
                parts[key] = value[0]
        self.given = parts

    # ---- the parts that are the submission's own ------------------------------------------

    def _chapter(self) -> Chapter | None:
        id, edition = self.given.get("chapter"), self.given.get("edition")
        try:
            kept = editions(str(id))
        except Refused as refusal:
            if refusal.code != "no_such_chapter":
                raise
            wrong = "the chapter is not named"
            if id is not None:
                wrong = f"there is no chapter {as_written(id)}"
            close = get_close_matches(str(id), chapters(), n=1, cutoff=0.5)
            right = f"did you mean {close[0]}?" if close else refusal.remedy
            self.findings.append(error("no_such_chapter", "chapter", wrong, right))
            return None
        if edition is not None and edition not in kept:
            self.findings.append(
                error(
                    "no_such_edition",
                    "edition",
                    f"{id} has no edition {as_written(edition)}"
                    if str(edition) not in kept
                    else f"{edition} is not text",
                    "choose from " + ", ".join(f'"{one}"' for one in kept),
                )
            )
            edition = None
        return chapter(str(id), edition)

    def _unknown(self, key: str, field: str, known: typing.Iterable[str]) -> None:
        elsewhere = self._at_home(str(key)) if field != key else ""
        right = f"it belongs under [{elsewhere}]" if elsewhere else suggest(str(key), known)
        self.findings.append(
            error("no_such_field", field, f'there is no field "{key}" here', right)
        )

    def _at_home(self, key: str) -> str:
        """The part that a field of another part belongs to, if it has that name in one."""
        law = self.law
        homes: dict[str, Collection[str]] = {
            "rules": law.options if law else (), "limits": law.wagers if law else (),
            "submission": Who.__struct_fields__, "table": TablePart.__struct_fields__,
            "layout": LayoutPart.__struct_fields__,
        }  # fmt: skip
        return next((part for part, names in homes.items() if key in names), "")

    def _part(
        self, part: str, kind: type[P], instead: Mapping[str, Any], entry: str = "", of: Any = None
    ) -> P:
        """A part field by field; `instead` stands in where a required field is missing or wrong.

        With `entry` it is one entry of the part, and `of` what the file says of it.
        """
        name = f"{part}.{entry}" if entry else part
        given = of if entry else self.given.get(part, {})
        if not isinstance(given, Mapping):
            self.findings.append(
                error(
                    "wrong_type", name, f"{as_written(given)} is not a table",
                    f"write it as a table [{name}]",
                )
            )  # fmt: skip
            return kind(**instead)
        fields = {field.name: field for field in msgspec.structs.fields(kind)}
        for key in given:
            if key not in fields:
                self._unknown(key, f"{name}.{key}", fields)
        values: dict[str, Any] = {}
        for key, field in fields.items():
            if key in given:
                try:
                    values[key] = msgspec.convert(given[key], field.type)
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
            wrong, right = (
                f"{as_written(given)} is not a date",
                "write a day of the calendar, like 2026-03-01",
            )
        else:
            wrong = f"{as_written(given)} is not valid here"
            right = _wanted(kind, str(problem))
        self.findings.append(error("wrong_type", field, wrong, right))

    def _devices(self) -> dict[str, DevicePart]:
        given = self.given.get("devices", {})
        if not isinstance(given, Mapping):
            self.findings.append(
                error(
                    "wrong_type",
                    "devices",
                    f"{as_written(given)} is not a table",
                    "write a table for each device, such as [devices.shuffler]",
                )
            )
            return {}
        return {
            str(id): self._part("devices", DevicePart, {}, str(id), entry)
            for id, entry in given.items()
        }

    def _approvals(self, law: Chapter) -> dict[str, Any]:
        given = self.given.get("approvals", {})
        if not isinstance(given, Mapping):
            self.findings.append(
                error(
                    "wrong_type",
                    "approvals",
                    f"{as_written(given)} is not a table",
                    "write it as a table [approvals]",
                )
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
                        f"{as_written(entry)} names no approval",
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
                error(
                    "wrong_type", name, f"{as_written(given)} is not a table",
                    f"write it as a table [{name}]",
                )
            )  # fmt: skip
            return {}
        kept: dict[str, Any] = copy.deepcopy(dict(given))
        options = self.law.options if name == "rules" and self.law else {}
        for key, value in given.items():
            if options and key not in options and isinstance(value, Mapping):
                self._unknown(str(key), f"{name}.{key}", options)
                del kept[key]
                continue
            for path, leaf in _leaves((key,), value):
                wants_text = name != "rules" or len(path) > 1
                if isinstance(leaf, str) or (not wants_text and isinstance(leaf, int | None)):
                    continue
                self.findings.append(
                    error(
                        "wrong_type",
                        ".".join((name, *path)),
                        f"{as_written(leaf)} is not valid here",
                        _text_like(name, path, leaf),
                    )
                )
                # of awards that are not all amounts none are read
                _delete(kept, path[:1] if name == "rules" else path)
        return kept


def _is_list_of_tables(value: object) -> bool:
    return isinstance(value, list) and len(value) == 1 and isinstance(value[0], Mapping)


def _text_like(part: str, path: tuple[str, ...], given: object) -> str:
    """What to write in place of something that is not text."""
    last = path[-1]
    if part == "limits" and len(path) == 1:
        return "give the least and the greatest wager: min and max"
    if part == "meters":
        if last in ("rate", "reserve", "whole"):
            return 'write a percentage in quotes, like "14%"'
        if len(path) == 1:
            return f"write its terms under [meters.{last}]"
    if part == "paytables":
        return 'write odds in quotes, like "35 to 1"'
    if part == "rules" and len(path) == 1 and last != "chip_unit":
        return (
            "write one value, in quotes" if isinstance(given, list) else "write one of its choices"
        )
    return 'write an amount in quotes, like "12.50"'


def _blank(kind: type[Part]) -> dict[str, Any]:
    """Stand-ins for the required fields, so that the rest can be checked."""
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
