"""What is to be broken for each clause, and which tests are to notice."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from houseway.law.chapter import BUILT_IN
from houseway.law.coverage import TESTED, Citation, Coverage, package_root, report, tests_root
from houseway.law.proof import seals
from proving import code_mutants, data_mutants
from proving.code_mutants import CodeMutant
from proving.data_mutants import DataMutant

#: a chapter and one of its clauses
Key = tuple[str, str]
REASONS = Path(__file__).with_name("reasons.toml")


@dataclass(frozen=True)
class Test:
    """A test function that cites something."""

    #: as in a citation: "games/test_saigon.py:test_x"
    place: str
    #: as pytest names it
    node: str
    hash: str


@dataclass
class Cited:
    """A function, or a class, that cites clauses."""

    place: str
    hash: str
    mutants: list[CodeMutant]
    clauses: set[Key] = field(default_factory=set)


@dataclass
class Goal:
    """A clause, what is broken for it, and the tests that are to notice."""

    key: Key
    seals: dict[str, str]
    tests: list[Test]
    data: list[DataMutant]
    #: the places of the functions that cite it
    code: list[str]
    #: what kind of clause it is; money comes first
    kind: str


@dataclass
class Plan:
    goals: dict[Key, Goal]
    cited: dict[str, Cited]
    not_mutable: dict[Key, str]

    def tests(self) -> dict[str, Test]:
        return {test.place: test for goal in self.goals.values() for test in goal.tests}

    def belongs(self, mutant: CodeMutant, key: Key) -> str:
        """`own`: only the clause's own tests count. `shared`: those of the other clauses that the
        function cites may notice instead. `other`: it is a matter of another clause.
        """
        cited = self.cited[mutant.place]
        named = {one for one in cited.clauses if one[0] == key[0] and one[1] in mutant.names}
        if key in named or cited.clauses == {key}:
            return "own"
        return "other" if named else "shared"


def makes_no_difference(mutant: CodeMutant | DataMutant) -> bool:
    """Whether a reason says so of the mutant, or of all of its kind in its place."""
    return any(
        mutant.id in listed or mutant.kind in listed
        for place, listed in reasons().get("equivalent", {}).items()
        if mutant.place == place or (place.endswith("*") and mutant.place.startswith(place[:-1]))
    )


@cache
def reasons() -> dict[str, dict[str, dict[str, str]]]:
    return tomllib.loads(REASONS.read_text(encoding="utf-8"))


def _test(cited: Citation, root: Path) -> Test:
    file, _, name = cited.place.partition(":")
    inside = f"{cited.owner}::{name}" if cited.owner else name
    return Test(cited.place, f"{root.name}/{file}::{inside}", cited.hash)


#: tests that count or play for seconds; they are asked only where no others cite the clause
_LONG = (
    "maths/", "simulate/", "web/", "cli/", "environments/", "documents/", "security/", "notebook/",
    "submission/test_packet.py",
)  # fmt: skip


def _tests(entry: Coverage, root: Path) -> list[Test]:
    found = {
        cited.place: _test(cited, root)
        for cited in entry.tests
        if cited.place.rpartition(":")[2].startswith("test")
    }
    short = [test for place, test in found.items() if not place.startswith(_LONG)]
    return short or list(found.values())


def make(chapters: tuple[str, ...] = BUILT_IN) -> Plan:
    """The plan for all clauses that the engine meets by itself."""
    root, tests = package_root(), tests_root()
    assert tests is not None
    goals: dict[Key, Goal] = {}
    cited: dict[str, Cited] = {}
    for id in chapters:
        for entry in report(id).clauses:
            if entry.clause.disposition not in TESTED:
                continue
            key = id, entry.clause.id
            data = [one for one in data_mutants.mutants(*key) if not makes_no_difference(one)]
            places = list(dict.fromkeys(one.place for one in entry.code))
            goals[key] = Goal(
                key, seals(entry), _tests(entry, tests), data, places, entry.clause.kind
            )
            for one in entry.code:
                if one.place not in cited:
                    file = root / one.place.partition(":")[0]
                    found = code_mutants.mutants(one.place, file, one.line)
                    kept = [mutant for mutant in found if not makes_no_difference(mutant)]
                    cited[one.place] = Cited(one.place, one.hash, kept)
                cited[one.place].clauses.add(key)
    excused = {
        (id, clause): reason
        for id, listed in reasons().get("not_mutable", {}).items()
        for clause, reason in listed.items()
    }
    return Plan(goals, cited, excused)
