"""The chapters' data against a second writing of what the texts say, clause by clause."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, Chapter, chapter, cites

TEXT = tomllib.loads(Path(__file__).with_name("entries.toml").read_text(encoding="utf-8"))
#: what is compared of an entry of each kind
FIELDS = {
    "fact": ("clause", "value"),
    "wager": (
        "clause", "option", "needs", "needs_clause", "made", "on_fold", "on_fold_clause",
        "on_unseen_forfeit", "on_unseen_forfeit_clause",
    ),
    "bonus": ("clause", "all_hands"),
    "area": ("clause", "at", "when"),
    "inscription": ("clause", "words", "or_sign", "when"),
    "equipment": ("clause", "when"),
    "approval": ("clause", "together", "needed"),
    "option": ("clause", "least", "stated", "accepts", "values"),
    "choice": ("option", "clause", "needs", "takes"),
}  # fmt: skip
#: how an entry says nothing of a field
NOTHING: tuple[Any, ...] = ("", [], {}, None)


def _plain(thing: Any) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(thing))
    return found


def _entries(law: Chapter) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    about = law.about
    named = {
        "wager": about.wagers, "bonus": about.bonuses, "area": about.areas,
        "inscription": about.inscriptions, "equipment": about.equipment,
        "approval": about.approvals, "option": law.options.values(),
    }  # fmt: skip
    for name, fact in about.facts.items():
        yield "fact", name, _plain(fact)
    for kind, things in named.items():
        for thing in things:
            yield kind, thing.id, _plain(thing)
    for option in law.options.values():
        for choice in option.choices:
            yield "choice", choice.value, _plain(choice) | {"option": option.id}


def _compared(kind: str, entry: dict[str, Any]) -> dict[str, Any]:
    if kind == "option":
        entry = entry | {"values": [choice["value"] for choice in entry["choices"]]}
    return {name: entry[name] for name in FIELDS[kind] if entry.get(name) not in NOTHING}


def check(id: str) -> None:
    """Every entry of the text is in the data, with these conditions and no others, and no more."""
    found = [(kind, name, _compared(kind, entry)) for kind, name, entry in _entries(chapter(id))]
    for told in TEXT[id]["entries"]:
        (kind, name), fields = _split(told)
        same = [have for of, known, have in found if (of, repr(known)) == (kind, repr(name))]
        assert fields in same, f"{kind} {name}: the text has {fields}, the data {same}"
    text = [(kind, repr(name), fields) for (kind, name), fields in map(_split, TEXT[id]["entries"])]
    for kind, name, have in found:
        # a choice that has neither clause nor condition is among the values of its option
        if kind != "choice" or set(have) != {"option"}:
            assert (kind, repr(name), have) in text, f"the text has no {kind} {name} with {have}"


def _split(told: dict[str, Any]) -> tuple[tuple[str, Any], dict[str, Any]]:
    (first, *fields) = told.items()
    return first, dict(fields)


@cites(MD, "2.A", "2.C(1)", "2.C(2)", "3.A(1)", "3.B", "3.C(1)", "3.C(2)", "5.A", "5.D(1)", "5.F")
@cites(MD, "7.A", "7.F(1)", "7.F(2)", "7.F(3)", "7.F(4)", "7.F(4)(a)", "7.F(5)", "7.F(5)(b)")
@cites(MD, "7.F(6)", "7.F(6)(a)", "7.G", "7.G(1)", "7.G(2)", "7.G(3)", "7.H", "8.E(1)", "8.E(2)")
@cites(MD, "8.F", "9.A(1)", "10.A", "10.B", "10.B(3)", "10.B(4)", "11.B", "11.C(1)", "11.C(2)")
@cites(MD, "11.C(3)", "11.D(3)(c)", "11.D(9)(g)", "11.F", "11.F(2)", "12.B", "12.B(1)", "12.B(2)")
@cites(MD, "12.B(3)", "12.C", "12.D", "12.D(1)", "12.D(2)", "12.D(3)", "12.D(4)", "12.D(5)")
@cites(MD, "12.E(1)(a)", "12.E(1)(b)", "12.E(1)(c)", "12.E(5)", "12.F(1)", "12.F(2)", "12.F(3)")
@cites(MD, "12.F(4)", "12.F(5)", "12.F(6)", "12.G(1)", "12.G(2)", "12.G(3)")
def test_the_entries_of_maryland() -> None:
    check(MD)


@cites(MA, "2(a)", "2(b)", "5(a)", "5(c)(1)(ii)", "6(a)", "6(a)(1)", "6(a)(2)", "6(b)", "6(e)")
@cites(MA, "6(f)", "6(f)(1)", "6(f)(2)", "6(f)(3)", "6(g)", "6(g)(3)", "6(g)(4)", "7(c)", "7(d)")
@cites(MA, "7(e)", "7(e)(1)", "7(f)", "8(b)(1)", "9(c)", "9(c)(1)", "9(c)(2)", "10(b)", "10(c)")
@cites(MA, "10(c)(1)", "10(c)(2)", "11(a)(1)", "11(a)(2)", "11(a)(3)", "11(a)(3)(i)", "12(a)")
@cites(MA, "12(c)", "12(k)", "13(a)", "13(c)", "13(d)", "13(d)(a)", "13(d)(c)", "13(e)", "14(a)")
@cites(MA, "6(g)(2)", "12(b)", "12(d)", "13(b)", "14(e)", "14(f)")
def test_the_entries_of_massachusetts() -> None:
    check(MA)


@cites(PRIME, "679a.2(a)", "679a.3(a)", "679a.3(b)", "679a.3(c)(1)", "679a.3(c)(2)", "679a.5(a)")
@cites(PRIME, "679a.5(b)", "679a.5(d)", "679a.7(a)", "679a.7(d)(1)", "679a.7(d)(2)")
@cites(PRIME, "679a.7(d)(3)", "679a.7(d)(4)", "679a.7(e)", "679a.8(c)", "679a.8(e)")
@cites(PRIME, "679a.9(a)(1)", "679a.10(a)", "679a.10(b)", "679a.10(g)", "679a.11(b)")
@cites(PRIME, "679a.11(c)(3)(iv)", "679a.11(d)(2)(ii)(B)", "679a.12(c)", "679a.12(d)")
@cites(PRIME, "679a.12(f)", "679a.12(g)", "679a.12(h)", "679a.13(a)", "679a.13(g)")
@cites(PRIME, "679a.5(g)")
def test_the_entries_of_prime() -> None:
    check(PRIME)


@cites(SAIGON, "680a.2(a)", "680a.3(a)", "680a.3(b)", "680a.3(c)(1)", "680a.3(c)(2)", "680a.5(a)")
@cites(SAIGON, "680a.5(b)", "680a.5(d)", "680a.6(a)", "680a.6(a)(4)", "680a.6(b)", "680a.7(a)")
@cites(SAIGON, "680a.7(d)(1)", "680a.7(d)(2)", "680a.7(e)", "680a.8(c)", "680a.8(e)")
@cites(SAIGON, "680a.9(a)(1)", "680a.10(a)", "680a.10(b)", "680a.11(b)", "680a.12(c)")
@cites(SAIGON, "680a.5(g)", "680a.12(d)", "680a.13(f)")
def test_the_entries_of_saigon() -> None:
    check(SAIGON)


@cites(DOWN_UNDER, "685a.2(a)", "685a.3(a)", "685a.3(b)", "685a.3(c)", "685a.3(d)")
@cites(DOWN_UNDER, "685a.3(d)(3)", "685a.3(d)#2", "685a.5(a)", "685a.5(d)", "685a.6(b)")
@cites(DOWN_UNDER, "685a.6(d)", "685a.6(e)", "685a.6(f)", "685a.7(c)", "685a.7(e)", "685a.7(g)")
@cites(DOWN_UNDER, "685a.7(k)", "685a.7(m)", "685a.7(n)(1)", "685a.7(o)(1)", "685a.7(r)")
@cites(DOWN_UNDER, "685a.7(r)(1)", "685a.7(r)(2)", "685a.8(a)", "685a.8(b)", "685a.9(a)")
@cites(DOWN_UNDER, "685a.10(a)", "685a.10(c)", "685a.12(k)", "685a.2(d)", "685a.5(h)")
def test_the_entries_of_down_under() -> None:
    check(DOWN_UNDER)
