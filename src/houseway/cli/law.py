"""`houseway chapters`, `clauses` and `errata`: the law, and how it is met."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from houseway.cli.chapter_choice import OptionalChapter
from houseway.cli.terminal.output import (
    GOLD,
    QUIET,
    RED,
    console,
    plain,
    print_beside,
    print_json,
    print_table,
    write_bytes,
    write_text,
)
from houseway.errors import Refused
from houseway.game_api.registry import folder
from houseway.law import Chapter, chapter
from houseway.law import chapters as chapter_ids
from houseway.law.chapter import Erratum
from houseway.law.editions.numbering import is_below
from houseway.law.library import find_chapter

if TYPE_CHECKING:
    from houseway.law.coverage import Coverage, Report
    from houseway.law.proof import Mutant, Proof

#: how a proof stands, for people
WORDS = {
    "proved": "proved",
    "survived": "not proved",
    "not_mutable": "cannot be tested",
    "stale": "changed since",
    "not_run": "not run",
}

Flag = Annotated[bool, Parameter(negative="")]


def _chosen(id: str | None, edition: str | None) -> list[Chapter]:
    """The chapter in the edition that is asked for; all of them in their newest where none is."""
    if id is None:
        return [chapter(one) for one in chapter_ids()]
    return [chapter(id, edition)]


def chapters(id: OptionalChapter = None, /, *, json: Flag = False) -> int:
    """List the chapters with seats, decks and wagers.

    Parameters
    ----------
    id
        One chapter only.
    json
        As JSON.
    """
    laws = _chosen(id, None)
    if json:
        print_json({"chapters": [_chapter_out(law) for law in laws]})
        return 0
    rows: list[tuple[str, ...] | None] = []
    for law in laws:
        about = law.about
        wagers = ", ".join(
            wager.name if not wager.option else f"[{QUIET}]{wager.name}*[/]"
            for wager in about.wagers
        )
        rows += [
            None,
            (
                f"[{GOLD}]{about.id}[/]",
                f"[{GOLD}]{next((one for one in about.aliases if find_chapter(one) == about.id), '')}[/]",
                f"{about.game}\n[{QUIET}]{about.jurisdiction}, {about.citation}[/]",
                str(law.number("seats")),
                _decks(law),
                wagers,
            ),
        ]
    print_table(("chapter", "alias", "~game", ">seats", "decks", "~wagers"), rows[1:])
    console().print(f"[{QUIET}]* optional: offered if the Rules Submission selects it")
    return 0


def _decks(law: Chapter) -> str:
    value = law.fact("decks").value
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _chapter_out(law: Chapter) -> dict[str, Any]:
    about = law.about
    return {
        "chapter": about.id,
        "game": about.game,
        "jurisdiction": about.jurisdiction,
        "agency": about.agency,
        "citation": about.citation,
        "edition": about.edition,
        "dated": about.dated or None,
        "status": about.status,
        "hash": law.hash,
        "seats": law.number("seats"),
        "decks": law.fact("decks").value,
        "wagers": [
            {"wager": wager.id, "name": wager.name, "clause": wager.clause, "kind": wager.kind,
             "option": wager.option or None}
            for wager in about.wagers
        ],
    }  # fmt: skip


def clauses(
    id: OptionalChapter = None,
    clause: str | None = None,
    /,
    *,
    edition: str | None = None,
    check: Flag = False,
    report: str | None = None,
    json: Flag = False,
) -> int:
    """Show every clause, how it is met, the code and tests that meet it, and how that is proved.

    Without a chapter, the count for each. With one, all its clauses; with a clause too, that
    clause and what is below it.

    Parameters
    ----------
    id
        The chapter.
    clause
        A clause of it, such as 11.D(3).
    edition
        Its edition; the newest by default.
    check
        Say what is missing, and fail if anything is: a clause without a disposition, an enforced
        or computed clause without a test, a citation of a clause that is not there, a proof that
        contradicts itself, clauses of several chapters that ask for the same and are met
        differently. Proofs of what was changed since are listed as stale; they fail nothing.
    report
        Write a report for an examiner to this file, as HTML or PDF by its name: each clause, what
        it asks, how and where it is met, and what proves it.
    json
        As JSON.
    """
    from houseway.game_api.rules import RULES, unsettled
    from houseway.law.coverage import report as coverage
    from houseway.law.proof import inconsistent
    from houseway.law.twins import different

    reports = [coverage(law, family=folder(law)) for law in _chosen(id, edition)]
    problems = [problem for one in reports for problem in one.problems]
    if check:
        problems += [
            str(refusal)
            for one in reports
            if RULES.is_offered(one.chapter)
            for refusal in unsettled(one.chapter)
        ]
        problems += [problem for one in reports for problem in inconsistent(one)]
        problems += different(reports)
    ids = [entry.clause.id for one in reports for entry in one.clauses]
    if clause is not None and not any(is_below(one, clause) for one in ids):
        # 12(c) may be written for 679a.12(c)
        whole = f"{ids[0].partition('.')[0]}.{clause}"
        clause = whole if any(is_below(one, whole) for one in ids) else clause
    if clause is not None and not any(is_below(one, clause) for one in ids):
        near = get_close_matches(clause, ids, n=3)
        remedy = f"did you mean {' or '.join(near)}?" if near else f"see houseway clauses {id}"
        raise Refused("no_such_clause", f"{id} has no clause {clause}", remedy=remedy)
    if report is not None:
        _write_report(report, reports, clause)
        return 0
    if json:
        print_json(
            {
                "chapters": [
                    {
                        "chapter": one.chapter.id,
                        "edition": one.chapter.about.edition,
                        "citations_of": one.chapter.about.citations_of or None,
                        "clauses": len(one.clauses),
                        "met": one.counts(),
                        "problems": one.problems,
                        "list": [
                            {
                                "clause": entry.clause.id,
                                "says": entry.clause.says,
                                "kind": entry.clause.kind,
                                "disposition": entry.clause.disposition,
                                "met": entry.clause.met,
                                "why": entry.clause.why or None,
                                "pending": entry.clause.pending,
                                "data": entry.data,
                                "code": [cited.place for cited in entry.all_code],
                                "inherited": not entry.code and bool(entry.inherited),
                                "tests": [cited.place for cited in entry.tests],
                                "proof": _proof_out(one, entry),
                            }
                            for entry in one.clauses
                            if clause is None or is_below(entry.clause.id, clause)
                        ],
                    }
                    for one in reports
                ]
            }
        )
        return 1 if check and problems else 0
    if id is not None and not check:
        if clause is None:
            _show_clauses(reports[0])
        else:
            _show_places(reports[0], clause)
    if clause is None:
        _show_counts(reports)
    if check:
        out = console()
        _show_stale(reports)
        for problem in problems:
            out.print(f"[{RED}]{problem}")
        count = len(problems)
        found = f"{count} problem{'s' if count > 1 else ''}" if count else "nothing is missing"
        out.print(f"[bold]{found}")
    return 1 if check and problems else 0


def _proof_out(one: Report, entry: Coverage) -> dict[str, Any] | None:
    from houseway.law.proof import proof

    found = proof(one.chapter, entry)
    if found is None:
        return None
    return {"state": found.state, "mutants": len(found.mutants), "caught": found.caught}


def _write_report(path: str, reports: list[Report], under: str | None) -> None:
    """A report for an examiner, as HTML or PDF."""
    from houseway.documents.clause_report import as_html, as_pdf, clause_report

    if len(reports) != 1:
        raise Refused(
            "one_chapter", "a report is of one chapter: houseway clauses CHAPTER --report"
        )
    kind = Path(path).suffix.lower()
    if kind not in (".html", ".htm", ".pdf"):
        raise Refused(
            "cannot_write", f"{path}: a report is an .html or a .pdf file", field="report"
        )
    data = clause_report(reports[0], under or "")
    if kind == ".pdf":
        write_bytes(path, as_pdf(data))
    else:
        write_text(path, as_html(data))


def _show_stale(reports: list[Report]) -> None:
    """How many proofs stand, and the clauses whose proof is of something that has changed."""
    from houseway.law.proof import proof

    out = console()
    for one in reports:
        found = {entry.clause.id: proof(one.chapter, entry) for entry in one.clauses}
        counts: Counter[str] = Counter(this.state for this in found.values() if this is not None)
        told = ", ".join(f"{counts[state]} {WORDS[state]}" for state in WORDS if counts[state])
        out.print(f"[{GOLD}]{one.chapter.id}[/]  {told}")
        stale = [id for id, this in found.items() if this is not None and this.state == "stale"]
        if stale:
            out.print(f"  [{QUIET}]changed since they were proved: {', '.join(stale)}[/]")


def _show_clauses(one: Report) -> None:
    from houseway.law.proof import proof

    title = f"{one.chapter.about.game}, {one.chapter.about.citation}"
    rows = []
    for entry in one.clauses:
        found = entry.clause
        met = f"pending: {found.pending}" if found.pending else found.met
        says = f"{found.says} [{QUIET}]Outside: {found.why}[/]" if found.why else found.says
        numbers = (len(entry.data), len(entry.all_code), len(entry.tests))
        counts = (f"[{QUIET}]{number or '·'}[/]" for number in numbers)
        proved = proof(one.chapter, entry)
        told = f"{WORDS[proved.state]}" if proved is not None else f"[{QUIET}]·[/]"
        rows.append((f"[{GOLD}]{plain(found.id)}[/]", says, met, *counts, told))
    heads = ("clause", "~summary", "met", ">data", ">code", ">tests", "proof")
    print_table(heads, rows, title=title)
    out = console()
    shared = one.chapter.about.citations_of
    inherited = f" Code and tests are inherited from {shared}." if shared else ""
    out.print(
        f"[{QUIET}]houseway clauses {one.chapter.id} CLAUSE shows where each one is met.{inherited}"
    )


def _show_places(one: Report, under: str) -> None:
    """A clause and what is below it, each with where it is met."""
    from houseway.law.proof import proof

    out = console()
    for entry in one.clauses:
        found = entry.clause
        if not is_below(found.id, under):
            continue
        met = f"pending: {found.pending}" if found.pending else found.met
        out.print(f"[{GOLD}]{found.id}[/]  {met}")
        out.print(f"  {found.says}")
        if found.why:
            out.print(f"  Outside: {found.why}")
        places = (
            ("data", entry.data),
            ("code", [cited.place for cited in entry.all_code]),
            ("tests", [cited.place for cited in entry.tests]),
        )
        for kind, listed in places:
            shared = one.chapter.about.citations_of if kind != "data" else ""
            inherited = f"  [{QUIET}]inherited from {shared}[/]" if shared else ""
            if kind == "code" and not entry.code:
                inherited = f"  [{QUIET}]inherited from the clause above[/]"
            for place in dict.fromkeys(listed):
                out.print(f"  [{QUIET}]{kind:5}[/] {place}{inherited}", soft_wrap=True)
        _show_proof(proof(one.chapter, entry))
        out.print()


def _show_proof(found: Proof | None) -> None:
    """How a clause is proved: the changes that its tests noticed, and those that nothing did."""
    if found is None:
        return
    out = console()
    count = f", {found.caught} of {len(found.mutants)} changes noticed" if found.mutants else ""
    why = f": {found.reason}" if found.reason else ""
    out.print(f"  [{QUIET}]proof[/] {WORDS[found.state]}{count}{why}")
    groups: dict[tuple[str, str], list[Mutant]] = {}
    for mutant in found.mutants:
        groups.setdefault((mutant.place, mutant.test), []).append(mutant)
    for (place, test), mutants in groups.items():
        kinds = ", ".join(dict.fromkeys(mutant.kind for mutant in mutants))
        size = "1 change" if len(mutants) == 1 else f"{len(mutants)} changes"
        out.print(f"        [{QUIET}]{size}:[/] {kinds}{'' if test else ', noticed by nothing'}")
        # a path is never broken, so each has a line of its own
        out.print(f"          [{QUIET}]in[/] {plain(place)}", soft_wrap=True)
        if test:
            out.print(f"          [{QUIET}]by[/] {plain(test)}", soft_wrap=True)
        for diff in filter(None, (mutant.diff for mutant in mutants)):
            out.print(plain(diff), soft_wrap=True, highlight=False)


def _show_counts(reports: list[Report]) -> None:
    names = list(reports[0].counts())
    rows = [
        (
            f"[{GOLD}]{one.chapter.id}[/]",
            str(len(one.clauses)),
            *(str(one.counts()[name] or "") for name in names),
        )
        for one in reports
    ]
    heads = (f">{'terms' if name == 'definition' else name}" for name in ("all", *names))
    print_table(("chapter", *heads), rows)


def errata(id: OptionalChapter = None, /, *, edition: str | None = None, json: Flag = False) -> int:
    """Show where a text contradicts itself or is unclear, and the reading that is followed.

    Parameters
    ----------
    id
        The chapter; all of them by default.
    edition
        Its edition; the newest by default.
    json
        As JSON.
    """
    laws = _chosen(id, edition)
    if json:
        print_json(
            {
                "chapters": [
                    {
                        "chapter": law.id,
                        "errata": [
                            {
                                "id": entry.id,
                                "kind": entry.kind,
                                "clauses": list(entry.clauses),
                                "finds": entry.finds,
                                "reading": entry.reading,
                            }
                            for entry in _errata(law)
                        ],
                    }
                    for law in laws
                ]
            }
        )
        return 0
    out = console()
    for law in laws:
        out.print(f"\n[bold]{law.about.game}[/], {law.about.jurisdiction}  [{QUIET}]{law.id}")
        for entry in _errata(law):
            cited = ", ".join(entry.clauses)
            out.print()
            for text in (
                f"[{GOLD}]{cited}[/]  [{QUIET}]{entry.kind}[/]", plain(entry.finds),
                f"[bold]Read:[/] {plain(entry.reading)}",
            ):  # fmt: skip
                print_beside(out, "  ", text)
    return 0


def _errata(law: Chapter) -> tuple[Erratum, ...]:
    """What was read, and what arithmetic finds besides: tables that return more than they take."""
    from houseway.maths.paytables.player_edge import generous

    try:
        return (*law.errata, *generous(law))
    except ModuleNotFoundError:  # nothing to count with: what was read stands by itself
        return law.errata
