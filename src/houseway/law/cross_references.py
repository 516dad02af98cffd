"""What the files of a chapter say of each other: every name must be one that the chapter has.

A misspelled option, wager or paytable would otherwise show only when somebody wagers on it. The
clauses that the files name are checked by `coverage`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from houseway.errors import Refused, refuse_any
from houseway.law.chapter import Area, Chapter, Equipment, Inscription
from houseway.money import cents, odds

#: what a condition may name besides options: where the tip box stands
_BESIDE_OPTIONS = ("tip_box",)
#: options whose every choice is counted with
_NUMBERS = ("decks_in_play", "adjacent_boxes")


class Problem(NamedTuple):
    """Something that does not fit: the part of the chapter, the entry, and what is wrong with it."""

    part: str
    entry: str
    says: str


def problems(law: Chapter) -> Iterator[Problem]:
    """Everything in a chapter's files that names what is not there, or is there twice."""
    yield from _twice(law)
    yield from _wagers(law)
    yield from _conditions(law)
    yield from _options(law)
    yield from _paytables(law)


def check(law: Chapter) -> None:
    """Refuse a chapter whose files do not fit together, with everything that does not."""
    refuse_any(
        [
            Refused("not_a_chapter", f"{law.place(part)}, {entry}: {says}")
            for part, entry, says in problems(law)
        ]
    )


def _twice(law: Chapter) -> Iterator[Problem]:
    lists: tuple[tuple[str, str, Iterable[str]], ...] = (
        ("chapter", "wager", (one.id for one in law.about.wagers)),
        ("chapter", "bonus", (one.id for one in law.about.bonuses)),
        ("paytables", "paytable", (f"{one.wager} {one.id}" for one in law.paytable_data)),
    )
    for part, kind, ids in lists:
        for id, count in Counter(ids).items():
            if count > 1:
                yield Problem(part, f"{kind} {id}", "it is listed twice")


def _missing(kind: str, name: str, known: Iterable[str]) -> str | None:
    """What to say of a name that is not known; an empty one means none."""
    if not name or name in known:
        return None
    return f"there is no {kind} {name}"


def _wagers(law: Chapter) -> Iterator[Problem]:
    options, wagers = law.options, law.wagers
    for wager in wagers.values():
        found = [_missing("option", one, options) for one in (wager.option, wager.stands_with)]
        found += [_missing("wager", one, wagers) for one in wager.needs]
        for says in filter(None, found):
            yield Problem("chapter", f"wager {wager.id}", says)
    for bonus in law.bonuses.values():
        found = [_missing("option", bonus.option, options), _missing("wager", bonus.beside, wagers)]
        for says in filter(None, found):
            yield Problem("chapter", f"bonus {bonus.id}", says)


def _conditions(law: Chapter) -> Iterator[Problem]:
    """What applies only under certain options."""
    about, options = law.about, law.options
    felt: tuple[tuple[str, tuple[Area | Inscription | Equipment, ...]], ...] = (
        ("area", about.areas),
        ("inscription", about.inscriptions),
        ("equipment", about.equipment),
    )
    for kind, found in felt:
        for one in found:
            if says := _missing("option", one.when, options):
                yield Problem("chapter", f"{kind} {one.id}", says)
    conditions: list[tuple[str, str, Mapping[str, Any]]] = [
        ("chapter", f"approval {approval.id}", approval.needed) for approval in about.approvals
    ]
    conditions += [
        ("chapter", f"only_with {', '.join(only.clauses)}", only.when) for only in about.only_with
    ]
    for step in law.procedure:
        notes = (*step.also, *step.card)
        conditions += [
            ("procedure", f"step {step.id}", condition)
            for condition in (
                step.when,
                *(when for note in notes for when in (note.when, note.unless)),
            )
        ]
    for option in law.options.values():
        for choice in option.choices:
            entry = f"option {option.id}, {choice.value}"
            conditions += [("options", entry, choice.needs), ("options", entry, choice.takes)]
    for part, entry, when in conditions:
        for name in when:
            if says := _missing("option", name, (*options, *_BESIDE_OPTIONS)):
                yield Problem(part, entry, says)


def _options(law: Chapter) -> Iterator[Problem]:
    for option in law.options.values():
        entry = f"option {option.id}"
        if not option.choices:
            yield Problem("options", entry, "it has no choices; the first one is the default")
        if says := _missing("wager", option.hands_of, law.wagers):
            yield Problem("options", entry, says)
        tables = [table.id for table in law.paytable_data if table.wager == option.id]
        if says := _missing("paytable", option.least, tables):
            yield Problem("options", entry, says)
        for choice in option.choices:
            if option.id in _NUMBERS and type(choice.value) is not int:
                yield Problem("options", entry, f"{choice.value!r} is not a whole number")
            if option.accepts == "amount" and choice.value != "none":
                try:
                    cents(str(choice.value))
                except Refused as refusal:
                    yield Problem("options", entry, refusal.message)


def _paytables(law: Chapter) -> Iterator[Problem]:
    known = (*law.wagers, *law.bonuses, *law.options)
    for table in law.paytable_data:
        entry = f"paytable {table.wager} {table.id}"
        if says := _missing("wager or bonus", table.wager, known):
            yield Problem("paytables", entry, says)
        for row in table.rows:
            try:
                odds(row.pays)
            except Refused as refusal:
                yield Problem("paytables", f"{entry}, {row.hand}", refusal.message)
