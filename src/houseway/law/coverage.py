"""The proof of coverage: every clause joined with the code and the tests that cite it.

Citations are read from the source, not from running it: `@cites(MD, "11.C(1)")` on a function, a
class or a test. `"12.D(1)*"` cites the clause and everything below it, for a test that goes through
a whole table.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

from houseway.law.chapter import (
    DOWN_UNDER,
    MA,
    MD,
    PRIME,
    SAIGON,
    Chapter,
    Clause,
)
from houseway.law.editions.numbering import is_below
from houseway.law.library import chapter, chapters, editions

#: a clause that is met this way, and no longer pending, must have a test
TESTED = ("enforced", "computed")
#: the names that citations use for the chapters
NAMES = {"MD": MD, "MA": MA, "PRIME": PRIME, "SAIGON": SAIGON, "DOWN_UNDER": DOWN_UNDER}


@dataclass(frozen=True, slots=True)
class Citation:
    """One place in the source that names a clause."""

    chapter: str
    clause: str
    #: "games/three_card/maryland.py:settle", relative to the package or to the tests
    place: str
    line: int
    #: the class that a method belongs to, or empty
    owner: str = ""
    #: SHA-256 of the source without its citations
    hash: str = ""


@dataclass(slots=True)
class Coverage:
    """One clause with what meets it."""

    clause: Clause
    #: where the chapter's own files use it: "paytables.toml: pair_plus A, straight_flush"
    data: list[str] = field(default_factory=list)
    #: those entries themselves
    entries: list[Any] = field(default_factory=list)
    code: list[Citation] = field(default_factory=list)
    #: the code of the nearest clause above it, where it cites none of its own
    inherited: list[Citation] = field(default_factory=list)
    tests: list[Citation] = field(default_factory=list)

    @property
    def all_code(self) -> list[Citation]:
        return self.code or self.inherited


@dataclass(slots=True)
class Report:
    """All of one chapter, and what is wrong with it."""

    chapter: Chapter
    clauses: list[Coverage]
    problems: list[str]

    def counts(self) -> dict[str, int]:
        """How many clauses are met in each way; pending ones are counted apart."""
        order = (
            "enforced", "computed", "checked", "displayed", "prompted", "definition", "outside",
            "pending",
        )  # fmt: skip
        found = [entry.clause.disposition for entry in self.clauses]
        return {name: found.count(name) for name in order}


Cited: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class UnreadableCitationError(ValueError):
    """A citation that is not made of plain names and texts."""


def _argument(node: ast.expr, place: str) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name) and node.id in NAMES:
        return NAMES[node.id]
    raise UnreadableCitationError(f"{place}: a citation is a chapter and the clauses as texts")


def _is_citation(mark: ast.expr) -> TypeGuard[ast.Call]:
    return (
        isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "cites"
    )


def _hash(lines: list[str], node: Cited) -> str:
    """What a function, a class or a test says, apart from the clauses that it cites."""
    whole = hashlib.sha256()
    for mark in node.decorator_list:
        if not _is_citation(mark):
            whole.update("".join(lines[mark.lineno - 1 : mark.end_lineno]).encode())
    whole.update("".join(lines[node.lineno - 1 : node.end_lineno]).encode())
    return whole.hexdigest()


def _cited(node: ast.AST, owner: str = "") -> Iterator[tuple[Cited, str]]:
    """The functions, classes and methods below a node, with the class that a method belongs to."""
    for below in ast.iter_child_nodes(node):
        if isinstance(below, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield below, owner
        name = below.name if isinstance(below, ast.ClassDef) else owner
        yield from _cited(below, name)


def _in_file(path: Path, root: Path) -> Iterator[Citation]:
    text = path.read_text(encoding="utf-8")
    if "cites(" not in text:
        return
    where, lines = path.relative_to(root).as_posix(), text.splitlines(keepends=True)
    for node, owner in _cited(ast.parse(text)):
        marks = [mark for mark in node.decorator_list if _is_citation(mark)]
        if not marks:
            continue
        place, hash = f"{where}:{node.name}", _hash(lines, node)
        for mark in marks:
            id, *clauses = [_argument(argument, place) for argument in mark.args]
            for clause in clauses:
                yield Citation(id, clause, place, node.lineno, owner, hash)


@cache
def citations(root: Path) -> tuple[Citation, ...]:
    """Every citation in the Python files below a folder."""
    return tuple(found for path in sorted(root.rglob("*.py")) for found in _in_file(path, root))


def package_root() -> Path:
    return Path(__file__).resolve().parents[1]


def tests_root() -> Path | None:
    """The tests beside a source checkout; an installed package has none."""
    beside = package_root().parents[1] / "tests"
    return beside if beside.is_dir() else None


def _matches(cited: str, clause: str) -> bool:
    if not cited.endswith("*"):
        return cited == clause
    return is_below(clause, cited[:-1])


def _above(clause: str) -> Iterator[str]:
    """The clauses that a clause is part of, the nearest first: 12.D(1)(a), 12.D(1), 12.D."""
    while clause.endswith(")") and "(" in clause:
        clause = clause[: clause.rindex("(")]
        yield clause


def _clauses_in_data(law: Chapter) -> Iterator[tuple[str, str, Any]]:
    """Every clause that the chapter's other files name, with where, and the entry that names it."""
    about = law.about
    for wager in about.wagers:
        named = (
            wager.clause,
            wager.needs_clause,
            wager.on_fold_clause,
            wager.on_unseen_forfeit_clause,
        )
        for clause in dict.fromkeys(filter(None, named)):
            yield clause, f"chapter.toml: wager {wager.id}", wager
    for bonus in about.bonuses:
        yield bonus.clause, f"chapter.toml: bonus {bonus.id}", bonus
    for name, fact in about.facts.items():
        yield fact.clause, f"chapter.toml: fact {name}", fact
    for area in about.areas:
        for clause in (area.clause, *(other.clause for other in area.instead)):
            yield clause, f"chapter.toml: area {area.id}", area
    for inscription in about.inscriptions:
        yield inscription.clause, f"chapter.toml: inscription {inscription.id}", inscription
    for equipment in about.equipment:
        for clause in (equipment.clause, *(other.clause for other in equipment.instead)):
            if clause:
                yield clause, f"chapter.toml: equipment {equipment.id}", equipment
    for approval in about.approvals:
        yield approval.clause, f"chapter.toml: approval {approval.id}", approval
    for table in law.paytable_data:
        where = f"paytables.toml: {table.wager} {table.id}"
        yield table.clause, where, [row for row in table.rows if not row.clause]
        for row in table.rows:
            if row.clause:
                yield row.clause, f"{where}, {row.hand}", row
    for option in law.options.values():
        where = f"options.toml: {option.id}"
        yield option.clause, where, option
        for choice in option.choices:
            for clause in (choice.clause, *(other.clause for other in choice.instead)):
                if clause:
                    yield clause, f"{where} {choice.value}", choice
    for erratum in law.errata:
        for clause in erratum.clauses:
            yield clause, f"errata.toml: {erratum.id}", None
    for step in law.procedure:
        for clause in dict.fromkeys((step.clause, *(also.clause for also in step.also))):
            yield clause, f"procedure.toml: {step.id}", step


def _elsewhere(law: Chapter, cited: str) -> bool:
    """Whether another edition of the chapter has a clause that is cited."""
    others = (chapter(law.id, name) for name in editions(law.id) if name != law.about.edition)
    return any(_matches(cited, key) for other in others for key in other.as_cited.clauses)


def report(
    law: Chapter | str,
    package: Path | None = None,
    tests: Path | None = None,
    family: Path | None = None,
) -> Report:
    """Join a chapter's clauses with the code and the tests, and find what does not fit.

    `family` is the package of a game family that is installed separately. Its tests are beside it, in
    a folder `tests`.

    A copy of a chapter shares the citations of the other. Citations are of clauses as the code
    numbers them, whatever number an edition gives them.
    """
    law = chapter(law) if isinstance(law, str) else law
    entries = {clause.id: Coverage(clause) for clause in law.clauses.values()}
    cited_as = {law.numbering.cited(id) if law.numbering else id: id for id in entries}
    problems = []
    tests = tests or tests_root()
    of = law.about.citations_of or law.id
    if of not in chapters():
        problems.append(f"citations_of names {of}, which is not there")
    places = [("code", package or package_root()), ("tests", tests), ("code", family)]
    if family is not None and (beside := family.parent / "tests").is_dir():
        tests = tests or beside
        places.append(("tests", beside))
    for kind, root in places:
        for cited in citations(root) if root else ():
            if cited.chapter != of:
                continue
            matching = [entries[id] for key, id in cited_as.items() if _matches(cited.clause, key)]
            if not matching and of == law.id and not _elsewhere(law, cited.clause):
                problems.append(f"{cited.place} cites {cited.clause}, which {of} does not have")
            for entry in matching:
                getattr(entry, kind).append(cited)
    for named, where, thing in _clauses_in_data(law):
        if named in entries:
            entries[named].data.append(where)
            entries[named].entries.append(thing)
        elif named:
            problems.append(f"{where} names clause {named}, which {law.id} does not have")
    for entry in entries.values():
        clause = entry.clause
        if clause.met == "outside" and not clause.why:
            problems.append(f"{clause.id} is outside, without a reason")
        if tests and not clause.pending and clause.met in TESTED and not entry.tests:
            problems.append(f"{clause.id} is {clause.met}, and no test cites it")
        told = entry.code or any(where.startswith("procedure.toml") for where in entry.data)
        if clause.disposition == "prompted" and not told:
            problems.append(f"{clause.id} is prompted, and nothing prompts it")
        if not entry.code:
            # a row of a table is met by what meets the table
            above = (entries[up].code for up in _above(clause.id) if up in entries)
            entry.inherited.extend(next(filter(None, above), []))
    return Report(law, list(entries.values()), problems)
