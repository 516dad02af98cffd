"""Proofs of clauses: which mutants of the code and data of a clause the tests caught.

The results are data, one file a chapter in `proofs/`. A result holds for the code, the tests and
the data that it was made with; it names their hashes. If one of them has changed since, the result
is stale.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec

from houseway.law.chapter import Chapter
from houseway.law.coverage import TESTED, Citation, Coverage, Report
from houseway.law.editions.identity import stated

#: what kinds of mutants are made, and what a proof asks for; another number makes all proofs stale
METHOD = 1
#: a proof needs as many mutants caught, of as many kinds, or all that there are
ENOUGH, KINDS = 3, 2

State = Literal["proved", "survived", "not_mutable", "stale", "not_run"]


class Mutant(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One change, and the test that noticed it; of one that nothing noticed, the change itself."""

    id: str
    kind: str
    #: what was changed: a function, or an entry of the chapter's files
    place: str
    test: str = ""
    diff: str = ""


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The mutants of one clause and their fates."""

    state: Literal["proved", "survived", "not_mutable"]
    code: str
    tests: str
    data: str
    mutants: tuple[Mutant, ...] = ()
    reason: str = ""


class Results(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file of a chapter."""

    chapter: str
    edition: str
    method: int
    clauses: dict[str, Result]


class Proof(msgspec.Struct, frozen=True):
    """How a clause stands now."""

    state: State
    mutants: tuple[Mutant, ...] = ()
    reason: str = ""

    @property
    def caught(self) -> int:
        return sum(bool(mutant.test) for mutant in self.mutants)

    @property
    def survivors(self) -> tuple[Mutant, ...]:
        return tuple(mutant for mutant in self.mutants if not mutant.test)


def _short(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:16]


def _of(cited: Iterable[Citation]) -> str:
    return _short({f"{one.place} {one.hash}" for one in cited})


def seals(entry: Coverage) -> dict[str, str]:
    """The hashes of the code, the tests and the data of a clause."""
    data = [
        f"{where} {msgspec.json.encode(stated(thing, decisive=True), order='sorted').decode()}"
        for where, thing in zip(entry.data, entry.entries, strict=True)
        if thing is not None
    ]
    return {"code": _of(entry.code), "tests": _of(entry.tests), "data": _short(data)}


def path(id: str) -> Any:
    """The file with the results of a chapter."""
    return files("houseway.law").joinpath("proofs", f"{id}.json")


@cache
def results(id: str) -> Results | None:
    """What was found for a chapter; none where nothing was run."""
    file = path(id)
    return msgspec.json.decode(file.read_bytes(), type=Results) if file.is_file() else None


def proof(law: Chapter, entry: Coverage) -> Proof | None:
    """How a clause stands; none where the engine does not meet it by itself."""
    if entry.clause.disposition not in TESTED:
        return None
    kept = results(law.id)
    if kept is None or kept.edition != law.about.edition:
        return Proof("not_run")
    found = kept.clauses.get(entry.clause.id)
    if found is None:
        return Proof("not_run")
    now = seals(entry)
    if not entry.tests:  # an installed package has no tests to compare with
        now["tests"] = found.tests
    fresh = kept.method == METHOD and now == {name: getattr(found, name) for name in now}
    return Proof(found.state if fresh else "stale", found.mutants, found.reason)


def is_enough(caught: Iterable[Mutant], available: Iterable[Mutant]) -> bool:
    """Whether as many mutants were caught as a proof asks for."""
    got, there = list(caught), list(available)
    kinds = {mutant.kind for mutant in got}
    return len(got) >= min(ENOUGH, len(there)) and len(kinds) >= min(
        KINDS, len({mutant.kind for mutant in there})
    )


def inconsistent(report: Report) -> list[str]:
    """What is wrong with the results of a chapter, apart from being stale or of another edition."""
    kept = results(report.chapter.id)
    if kept is None or kept.edition != report.chapter.about.edition:
        return []
    problems = []
    met = {entry.clause.id: entry.clause for entry in report.clauses}
    for id, found in kept.clauses.items():
        survivors = [mutant for mutant in found.mutants if not mutant.test]
        if id not in met:
            problems.append(f"the proof of {id} is of a clause that is not there")
        elif met[id].disposition not in TESTED:
            problems.append(f"{id} is {met[id].disposition}, and there is a proof of it")
        elif found.state == "proved" and (survivors or not found.mutants):
            problems.append(f"{id} is proved, and {len(survivors)} of its mutants survived")
        elif found.state == "survived" and not survivors and not found.reason:
            problems.append(f"{id} survived, and no mutant of it did")
        elif found.state == "not_mutable" and not found.reason:
            problems.append(f"{id} is not mutable, without a reason")
    return problems
