"""Mutants of data: one change in an entry of the chapter's files that names a clause."""

from __future__ import annotations

import copy
import difflib
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from houseway.law.library import chapter
from houseway.law.source import EditionFiles

#: at most this many of one clause that names a whole table
MOST = 8

Entry = dict[str, Any]


@dataclass(frozen=True)
class DataMutant:
    """One change in one entry."""

    chapter: str
    edition: str
    part: str
    #: what is changed, as in a clause's list of data: "paytables.toml: pair_plus A, straight"
    place: str
    kind: str
    #: the way to what is changed, and what it becomes; None: it goes away
    path: tuple[str | int, ...]
    value: Any
    diff: str

    @property
    def id(self) -> str:
        text = f"{self.chapter}\n{self.place}\n{self.path}\n{self.diff}"
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def apply(self) -> None:
        """Break the chapter in this process, which must not have read it yet."""
        read = EditionFiles.read

        def broken(files: EditionFiles, part: str) -> Any:
            found = read(files, part)
            if (
                part == self.part
                and files.edition == self.edition
                and files._chapter.name == self.chapter
            ):
                found = copy.deepcopy(found)
                _set(found, self.path, self.value)
            return found

        EditionFiles.read = broken  # type: ignore[method-assign]


def _set(thing: Any, path: tuple[str | int, ...], value: Any) -> None:
    for step in path[:-1]:
        thing = thing[step]
    if value is None:
        del thing[path[-1]]
    else:
        thing[path[-1]] = value


def _get(thing: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        thing = thing[step]
    return thing


def _plain(value: Any) -> str:
    """An entry as lines, without the words."""

    def bare(one: Any) -> Any:
        if isinstance(one, dict):
            return {name: bare(part) for name, part in one.items() if name != "says"}
        return [bare(part) for part in one] if isinstance(one, list) else one

    return json.dumps(bare(value), ensure_ascii=False)


_NUMBER = re.compile(r"\d+")


def _more(pays: str) -> str:
    return _NUMBER.sub(lambda found: str(int(found[0]) + 1), pays, count=1)


def _less(pays: str) -> str:
    """The amount less; an odds of nothing would be no payout, so one becomes a half."""
    first = _NUMBER.search(pays)
    if first is None:
        return pays
    if int(first[0]) > 1:
        return _NUMBER.sub(lambda found: str(int(found[0]) - 1), pays, count=1)
    return re.sub(r"1 (to|for) 1", r"1 \1 2", pays)


Found = tuple[str, str, tuple[str | int, ...], Any]


def _payouts(tables: list[Entry], clause: str) -> Iterator[Found]:
    for at, table in enumerate(tables):
        where = f"paytables.toml: {table['wager']} {table['id']}"
        for number, row in enumerate(table["rows"]):
            if row.get("clause", table["clause"]) != clause:
                continue
            place = f"{where}, {row['hand']}"
            for changed in dict.fromkeys((_more(row["pays"]), _less(row["pays"]))):
                if changed != row["pays"]:
                    yield place, "payout", (at, "rows", number, "pays"), changed
            yield place, "row", (at, "rows", number), None


_RANKS = "23456789TJQKA"


def _other_values(value: Any) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Other values of a fact: one more, one less, one fewer."""
    if isinstance(value, bool):
        yield (), not value
    elif isinstance(value, int):
        yield (), value + 1
        if value > 1:
            yield (), value - 1
    elif isinstance(value, str):
        if value in _RANKS:
            yield (), _RANKS[_RANKS.index(value) - 1]
        elif _NUMBER.search(value):
            yield (), _more(value)
        else:
            yield (), f"{value}_not"
    elif isinstance(value, list):
        yield (len(value) - 1,), None
        if len(value) > 1:
            yield (0,), None
    elif isinstance(value, dict):
        for name, one in list(value.items())[:3]:
            for path, other in _other_values(one):
                yield (name, *path), other
                break


def _facts(about: Entry, clause: str) -> Iterator[Found]:
    for name, fact in about["facts"].items():
        if fact["clause"] == clause:
            for path, other in _other_values(fact["value"]):
                yield f"chapter.toml: fact {name}", "fact", ("facts", name, "value", *path), other


_FOLD = {"forfeited": "stands", "stands": "forfeited"}


def _wagers(about: Entry, clause: str) -> Iterator[Found]:
    for at, wager in enumerate(about["wagers"]):
        where, way = f"chapter.toml: wager {wager['id']}", ("wagers", at)
        if wager.get("needs_clause", wager["clause"]) == clause and wager.get("needs"):
            yield where, "wager", (*way, "needs"), []
        for name in ("on_fold", "on_unseen_forfeit"):
            if wager.get(f"{name}_clause") == clause and wager.get(name):
                yield where, "wager", (*way, name), _FOLD[wager[name]]
        if wager["clause"] == clause:
            if wager.get("option"):
                yield where, "option", (*way, "option"), ""
            if wager.get("made", "before_deal") != "before_deal":
                yield where, "wager", (*way, "made"), "before_deal"
            yield where, "entry", way, None
    for at, bonus in enumerate(about.get("bonuses", [])):
        if bonus["clause"] == clause and "all_hands" in bonus:
            where = f"chapter.toml: bonus {bonus['id']}"
            yield where, "wager", ("bonuses", at, "all_hands"), not bonus["all_hands"]


def _furniture(about: Entry, clause: str) -> Iterator[Found]:
    for name, word in (
        ("areas", "area"),
        ("inscriptions", "inscription"),
        ("equipment", "equipment"),
        ("approvals", "approval"),
    ):
        for at, thing in enumerate(about.get(name, [])):
            if thing["clause"] != clause:
                continue
            where, way = f"chapter.toml: {word} {thing['id']}", (name, at)
            yield where, "entry", way, None
            if thing.get("words"):
                yield where, "words", (*way, "words"), f"{thing['words']} not"
            if "at" in thing:
                other = "table" if thing["at"] == "position" else "position"
                yield where, "fact", (*way, "at"), other
            if thing.get("when"):
                yield where, "option", (*way, "when"), ""
            if thing.get("needed"):
                yield where, "option", (*way, "needed"), {}
            if name == "approvals":
                yield where, "fact", (*way, "together"), not thing.get("together", True)


def _options(options: list[Entry], clause: str) -> Iterator[Found]:
    for at, option in enumerate(options):
        where = f"options.toml: {option['id']}"
        choices = option.get("choices", [])
        for number, choice in enumerate(choices):
            if choice.get("clause", option["clause"]) != clause:
                continue
            place, way = f"{where} {choice['value']}", (at, "choices", number)
            if number or len(choices) > 1:
                yield place, "option", way, None
            for name in ("needs", "takes"):
                if choice.get(name):
                    yield place, "condition", (*way, name), {}
        if option["clause"] == clause:
            for name in ("least", "stated", "accepts"):
                if option.get(name):
                    yield where, "condition", (at, name), ""


def _steps(steps: list[Entry], clause: str) -> Iterator[Found]:
    for at, step in enumerate(steps):
        where = f"procedure.toml: {step['id']}"
        if step["clause"] == clause:
            yield where, "step", (at,), None
            # of several steps of one name the last that applies is taken
            last = all(other["id"] != step["id"] for other in steps[at + 1 :])
            if step.get("when") and last:
                yield where, "condition", (at, "when"), {}
        for number, also in enumerate(step.get("also", [])):
            if also["clause"] == clause:
                yield where, "step", (at, "also", number), None


_WAYS: tuple[tuple[str, Callable[[Any, str], Iterator[Found]]], ...] = (
    ("paytables", _payouts),
    ("chapter", _facts),
    ("chapter", _wagers),
    ("chapter", _furniture),
    ("options", _options),
    ("procedure", _steps),
)


def _spread(found: list[Found]) -> list[Found]:
    """No more than `MOST` of a way: every so many, the kinds mixed as they come."""
    if len(found) <= MOST:
        return found
    return [found[number * len(found) // MOST] for number in range(MOST)]


@cache
def _entries(id: str, part: str) -> Any:
    return chapter(id)._source.read(part)


def mutants(id: str, clause: str) -> Iterator[DataMutant]:
    """Every mutant of the entries that name a clause of a chapter in its newest edition."""
    edition = chapter(id).about.edition
    for part, way in _WAYS:
        entries = _entries(id, part)
        for place, kind, path, value in _spread(list(way(entries, clause))):
            shown = _entry_path(part, path)
            before = _plain(_get(entries, shown))
            if value is None and shown == path:
                after = ""
            else:
                changed = copy.deepcopy(_get(entries, shown))
                _set(changed, path[len(shown) :], value)
                after = _plain(changed)
            lines = difflib.ndiff([before], [after] if after else [])
            diff = "\n".join(line for line in lines if line[0] in "-+")
            yield DataMutant(id, edition, part, place, kind, path, value, diff)


def _entry_path(part: str, path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """The way to what is shown of a change: a row, a choice, a fact, an entry."""
    if part == "paytables":
        return path[:3]
    if part == "options" and "choices" in path:
        return path[:3]
    if part == "procedure" and "also" in path:
        return path[:3]
    if part == "chapter":
        return path[:2]
    return path[:1]
