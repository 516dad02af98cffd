"""Clauses of several chapters that ask for the same thing: they are met in the same way.

`twins.toml` lists them. Where one of them is met in another way for a reason, it says so.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import msgspec

from houseway.law.coverage import Report


class Twins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule and the clauses that state it, by chapter."""

    says: str
    clauses: dict[str, tuple[str, ...]]
    #: why they are met in different ways, where they are
    differ: str = ""


@cache
def twins() -> tuple[Twins, ...]:
    text = files("houseway.law").joinpath("twins.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text)["twins"], tuple[Twins, ...])


def different(reports: Iterable[Report]) -> list[str]:
    """The twins that are met in different ways, without a reason."""
    met = {
        (one.chapter.id, one.chapter.numbering.cited(entry.clause.id)): entry.clause.disposition
        for one in reports
        for entry in one.clauses
    }
    problems = []
    for group in twins():
        ways: dict[str, list[str]] = {}
        for id, clauses in group.clauses.items():
            for clause in clauses:
                if (id, clause) in met:
                    ways.setdefault(met[id, clause], []).append(f"{id} {clause}")
        if len(ways) > 1 and not group.differ:
            told = "; ".join(f"{', '.join(listed)} {way}" for way, listed in ways.items())
            problems.append(f"twins are met in different ways: {told}")
    return problems
