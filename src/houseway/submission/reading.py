"""From a file's tables to a `Submission`, with everything that cannot be read as findings.

Nothing stops at the first mistake. The law's own reader (`choose`) does, so it is asked again and
again: each refusal becomes a finding, what it refused is taken out, and the rest is read.
"""

from __future__ import annotations

import copy
import difflib
import typing
from collections.abc import Mapping
from typing import Any

import msgspec

from houseway.errors import Refused
from houseway.law import Chapter, Rules, chapter, choose, editions
from houseway.law.meter_terms import TERMS
from houseway.law.rules import nearest, shown
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
            wrong = "the chapter is not named" if id is None else f"there is no chapter {id!r}"
            right = refusal.message.partition("; ")[2]
            self.findings.append(error("no_such_chapter", "chapter", wrong, right))
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
        known = tuple(known)
        hint = nearest(str(key), known).removeprefix("; ")
        self.findings.append(
            error(
                "no_such_field",
                field,
                f"there is no {key} here",
                hint or f"there is {', '.join(known)}",
            )
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
        refused: set[str] = set()
        while True:
            try:
                return choose(
                    law,
                    parts["rules"],
                    limits=parts["limits"],
                    meters=parts["meters"],
                    paytables=parts["paytables"],
                )
            except Refused as refusal:
                field = refusal.field or "rules"
                if not (refusal.code == "pays_too_little" and field in refused):
                    self.findings.append(
                        error(
                            refusal.code, field, refusal.message.partition("; ")[0],
                            _right(law, refusal), refusal.clause,
                        )
                    )  # fmt: skip
                _take_out(law, parts, field, refusal.code, again=field in refused)
                refused.add(field)

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


def _take_out(law: Chapter, parts: dict[str, Any], field: str, code: str, *, again: bool) -> None:
    """Remove what was refused, or put what would be right in its place, so that the rest is read."""
    part, _, rest = field.partition(".")
    if part not in parts or not rest or again:
        # refused a second time, or nothing to point at: this part cannot be read further
        for name in [part] if part in parts else parts:
            parts[name] = {}
        return
    if code == "pays_too_little":
        wager, outcome = rest.split(".")
        for table in (parts["paytables"].get(wager), parts["rules"].get(wager)):
            if isinstance(table, dict):
                least = law.paytables[wager, law.options[wager].least]
                table[outcome] = str(least[outcome].odds)
        return
    if code == "rates_do_not_add_up":
        del parts["meters"][rest]["whole"]
        return
    first = rest.split(".")[0]
    if part == "rules" and _mended(law, parts["rules"], first):
        return
    if part == "paytables" and "." in rest:
        for table in (parts["paytables"].get(first), parts["rules"].get(first)):
            if isinstance(table, dict):
                table.pop(rest.partition(".")[2], None)
        return
    # a meter's name has a dot of its own
    parts[part].pop(rest if rest in parts[part] else first, None)
    if part != "rules" and isinstance(parts["rules"].get(part), dict):
        parts["rules"][part].pop(rest if rest in parts["rules"][part] else first, None)
    if part == "paytables" and isinstance(parts["rules"].get(first), dict):
        del parts["rules"][first]


def _mended(law: Chapter, rules: dict[str, Any], option: str) -> bool:
    """Put what was meant in the place of a mistake, so that nothing else seems wrong by it.

    An option that is misspelt is the nearest one, unless that is there too; an amount that has a
    least and was refused is that.
    """
    if option not in law.options:
        near = difflib.get_close_matches(option, law.options, n=1)
        if near and near[0] not in rules:
            rules[near[0]] = rules.pop(option)
            return True
    fact = law.about.facts.get(f"{option}_least")
    if fact is not None and option in rules:
        rules[option] = str(fact.value)
        return True
    return False


def _right(law: Chapter, refusal: Refused) -> str:
    """What would be right, from what the refusal says and what the chapter offers there."""
    tail = refusal.message.partition("; ")[2]
    if refusal.code == "options_do_not_go_together":
        return f"choose{refusal.message.partition(' needs')[2]}, or something else here"
    if tail:
        return tail
    if refusal.code == "pays_too_little":
        return "pay" + refusal.message.partition("at least")[2].replace(" is due", " or more")
    if refusal.code == "below_minimum":
        return "raise it to" + refusal.message.partition("at least")[2].partition(", not")[0]
    if refusal.code in ("no_such_paytable", "no_such_value"):
        option = law.options.get((refusal.field or "").split(".")[-1])
        if option and option.choices:
            return f"choose {', '.join(shown(choice.value) for choice in option.choices)}"
    return {
        "not_a_limit": "give min and max, the smaller first",
        "not_a_meter": f"give {', '.join(TERMS)}",
        "rates_do_not_add_up": "make the parts come to the whole, or change the whole",
        "not_a_rate": 'write a percentage like "14%", all tiers together no more than "100%"',
        "no_such_wager": f"there is {', '.join(law.wagers)}",
        "no_such_option": f"there is {', '.join(law.options)}",
        "no_such_paytable": "leave it out",
    }.get(refusal.code, "see the options of the chapter")
