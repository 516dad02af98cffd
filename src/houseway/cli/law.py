"""`houseway chapters`, `clauses` and `errata`: the law, and how it is met."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from houseway.cli.output import GOLD, QUIET, RED, console, print_json
from houseway.game_api.registry import folder
from houseway.law import Chapter, chapter
from houseway.law import chapters as chapter_ids
from houseway.law.chapter import Erratum

if TYPE_CHECKING:
    from houseway.law.coverage import Report

Flag = Annotated[bool, Parameter(negative="")]


def _chosen(id: str | None, edition: str | None) -> list[Chapter]:
    """The chapter in the edition that is asked for; all of them in their newest where none is."""
    if id is None:
        return [chapter(one) for one in chapter_ids()]
    return [chapter(id, edition)]


def chapters(*, json: Flag = False) -> int:
    """List the chapters with seats, decks and wagers.

    Parameters
    ----------
    json
        As JSON.
    """
    laws = [chapter(id) for id in chapter_ids()]
    if json:
        print_json({"chapters": [_chapter_out(law) for law in laws]})
        return 0
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for name in ("chapter", "game", "seats", "decks", "wagers"):
        table.add_column(name, justify="right" if name == "seats" else "left")
    for law in laws:
        about = law.about
        wagers = ", ".join(
            wager.name if not wager.option else f"[{QUIET}]{wager.name}[/]"
            for wager in about.wagers
        )
        table.add_row(
            f"[{GOLD}]{about.id}",
            f"{about.game}\n[{QUIET}]{about.jurisdiction}, {about.citation}[/]",
            str(law.number("seats")),
            _decks(law),
            wagers,
        )
        table.add_section()
    out = console()
    out.print(table)
    out.print(f"[{QUIET}]A quiet wager is offered where the Rules Submission says so.")
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
    id: str | None = None,
    clause: str | None = None,
    /,
    *,
    edition: str | None = None,
    check: Flag = False,
    json: Flag = False,
) -> int:
    """Show every clause, how it is met, and the code and tests that meet it.

    Without a chapter, the count for each. With one, all its clauses; with a clause too, that
    clause and what is below it.

    Parameters
    ----------
    id
        The chapter.
    clause
        A clause of it, such as 11.D(3).
    edition
        Its edition; the newest where none is named.
    check
        Say what is missing, and fail if anything is: a clause without a disposition, an enforced
        or computed clause without a test, a citation of a clause that is not there.
    json
        As JSON.
    """
    from houseway.law.coverage import report

    reports = [report(law, family=folder(law)) for law in _chosen(id, edition)]
    problems = [problem for one in reports for problem in one.problems]
    if clause is not None and not any(
        entry.clause.id.startswith(clause) for one in reports for entry in one.clauses
    ):
        from houseway.errors import Refused

        raise Refused("no_such_clause", f"{id} has no clause {clause}")
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
                                "code": [cited.place for cited in entry.code],
                                "tests": [cited.place for cited in entry.tests],
                            }
                            for entry in one.clauses
                            if clause is None or entry.clause.id.startswith(clause)
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
        for problem in problems:
            out.print(f"[{RED}]{problem}")
        out.print("[bold]nothing is missing" if not problems else f"[bold]{len(problems)} problems")
    return 1 if check and problems else 0


def _show_clauses(one: Report) -> None:
    from rich import box
    from rich.table import Table

    title = f"{one.chapter.about.game}, {one.chapter.about.citation}"
    table = Table(box=box.SIMPLE_HEAD, title=title)
    table.add_column("clause", style=GOLD, no_wrap=True)
    table.add_column("says")
    table.add_column("met", no_wrap=True)
    for name in ("data", "code", "tests"):
        table.add_column(name, justify="right", style=QUIET)
    for entry in one.clauses:
        found = entry.clause
        met = f"pending: {found.pending}" if found.pending else found.met
        says = f"{found.says} [{QUIET}]Outside: {found.why}[/]" if found.why else found.says
        numbers = (len(entry.data), len(entry.code), len(entry.tests))
        table.add_row(found.id, says, met, *(str(number or "·") for number in numbers))
    out = console()
    out.print(table)
    shared = one.chapter.about.citations_of
    inherited = f" Code and tests are inherited from {shared}." if shared else ""
    out.print(f"[{QUIET}]houseway clauses {one.chapter.id} CLAUSE names the places.{inherited}")


def _show_places(one: Report, under: str) -> None:
    """A clause and what is below it, each with where it is met."""
    out = console()
    for entry in one.clauses:
        found = entry.clause
        if not found.id.startswith(under):
            continue
        met = f"pending: {found.pending}" if found.pending else found.met
        out.print(f"[{GOLD}]{found.id}[/]  {met}")
        out.print(f"  {found.says}")
        if found.why:
            out.print(f"  Outside: {found.why}")
        places = (
            ("data", entry.data),
            ("code", [cited.place for cited in entry.code]),
            ("tests", [cited.place for cited in entry.tests]),
        )
        for kind, listed in places:
            shared = one.chapter.about.citations_of if kind != "data" else ""
            inherited = f"  [{QUIET}]inherited from {shared}[/]" if shared else ""
            for place in dict.fromkeys(listed):
                out.print(f"  [{QUIET}]{kind:5}[/] {place}{inherited}", soft_wrap=True)
        out.print()


def _show_counts(reports: list[Report]) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), collapse_padding=True, pad_edge=False)
    table.add_column("chapter", style=GOLD, no_wrap=True)
    names = list(reports[0].counts())
    for name in ("all", *names):
        table.add_column(name, justify="right")
    for one in reports:
        counts = one.counts()
        table.add_row(
            one.chapter.id, str(len(one.clauses)), *(str(counts[name] or "·") for name in names)
        )
    console().print(table)


def errata(id: str | None = None, /, *, edition: str | None = None, json: Flag = False) -> int:
    """Show where a text contradicts itself or points nowhere, and the reading that is followed.

    Parameters
    ----------
    id
        The chapter; all of them where none is named.
    edition
        Its edition; the newest where none is named.
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
    from rich.padding import Padding

    out = console()
    for law in laws:
        out.print(f"\n[bold]{law.about.game}[/], {law.about.jurisdiction}  [{QUIET}]{law.id}")
        for entry in _errata(law):
            cited = ", ".join(entry.clauses)
            out.print(Padding(f"\n[{GOLD}]{cited}[/]  [{QUIET}]{entry.kind}", (0, 2)))
            out.print(Padding(entry.finds, (0, 2)))
            out.print(Padding(f"[bold]Read:[/] {entry.reading}", (0, 2)))
    return 0


def _errata(law: Chapter) -> tuple[Erratum, ...]:
    """What was read, and what arithmetic finds besides: tables that return more than they take."""
    from houseway.maths.player_edge_tables import generous

    try:
        return (*law.errata, *generous(law))
    except ModuleNotFoundError:  # nothing to count with: what was read stands by itself
        return law.errata
