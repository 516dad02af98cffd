"""Mathematics as readable pages: PAR sheets, strategies, a paytable editor, reconciliation, errata."""

from __future__ import annotations

import asyncio
import contextlib
from fractions import Fraction
from functools import lru_cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from houseway.errors import Refused
from houseway.game_api.registry import folder
from houseway.law import Chapter, chapter, chapters, choose
from houseway.law.choices import own_table
from houseway.maths import sheet_text
from houseway.maths.figures import chance_text, decimal, exact, percent
from houseway.maths.game import MATHS
from houseway.maths.option_notes import option_notes
from houseway.maths.par import wager_name
from houseway.maths.sheet import StrategyOut, WagerOut, column_text
from houseway.maths.volatility import HOLD
from houseway.web.page_support import Json, body, casino, page, render, signed_in
from houseway.web.pages.par_sheets import SheetSoFar, games, sheet_of, usual_game
from houseway.web.server.background_compute import Counting, counted


def law_of(request: Request) -> Chapter:
    id = request.path_params["chapter"]
    if id not in chapters():
        raise Refused("no_such_chapter", f"there is no chapter {id}")
    return chapter(id)


@lru_cache(maxsize=16)
def strategy_of(id: str) -> tuple[str, StrategyOut] | None:
    """The picture of the best play as SVG and the rule in words; None: the game has none."""
    from houseway.documents.charts import picture_svg

    law = chapter(id)
    try:
        view = MATHS.of(law).strategy(choose(law))
    except Refused as refusal:
        if refusal.code != "no_strategy":
            raise
        return None
    picture = msgspec.structs.replace(view.picture, says=view.picture.reading or view.picture.says)
    return picture_svg(picture), view.strategy


def _charts(law: Chapter, sheet: SheetSoFar) -> dict[str, tuple[str, str]]:
    """The distribution of the first paytable of each wager, after the words that say which it is."""
    from houseway.documents.charts import distribution

    found: dict[str, tuple[str, str]] = {}
    for entry in sheet.wagers:
        if entry.wager not in found and entry.distribution:
            results = [(Fraction(one.net), Fraction(one.probability)) for one in entry.distribution]
            table = f"paytable {sheet_text.words(entry.paytable)}"
            parts = (wager_name(law, entry.wager), table, column_text(entry))
            title = f"Distribution of net results: {', '.join(filter(None, parts))}"
            found[entry.wager] = title, distribution(results, title)
    return found


def reconciled(id: str) -> list[dict[str, Any]]:
    """Published holds beside the exact ones, in plain values."""
    from houseway.maths.reconcile import printed, reconcile

    return [
        {
            "hold": one.hold,
            "low": printed(one.low, one.hold.low),
            "high": printed(one.high, one.hold.high),
            "agrees": one.agrees,
            "searched": one.searched,
            "explanations": [
                [str(change) for change in changes] for changes in one.explanations[:6]
            ],
        }
        for one in reconcile(chapter(id))
    ]


async def contents(request: Request) -> Response:
    """Every chapter with the edge of its main wager."""
    listed = []
    for id in MATHS.chapters():
        first = None
        with contextlib.suppress(Counting):
            if games(id):
                first = await usual_game(id, 0.3)
            else:
                sheet = await sheet_of(id)
                first = next((one for one in sheet.wagers if one.house_edge), None)
        listed.append({"law": chapter(id), "first": first})
    return page(request, "mathematics.html", chapters=listed)


class SheetText:
    """What the page of a PAR sheet says of an entry: the words of every other PAR sheet."""

    words = staticmethod(sheet_text.words)
    hold_head = sheet_text.HOLD_HEAD
    columns = staticmethod(column_text)
    fair = staticmethod(sheet_text.fair)
    spread = staticmethod(sheet_text.spread_rows)
    hold = staticmethod(sheet_text.hold_rows)
    together_text = staticmethod(sheet_text.together_text)
    together_figures = staticmethod(sheet_text.together_figures)

    @staticmethod
    def rows(entry: WagerOut) -> list[tuple[str, ...]]:
        return sheet_text.outcome_rows(entry, 4)

    @staticmethod
    def chance(fraction: str) -> str:
        return chance_text(Fraction(fraction), 4) if fraction else ""

    @staticmethod
    def most(entry: WagerOut) -> str:
        return sheet_text.most_paid(entry)

    @staticmethod
    def counted(entry: WagerOut) -> bool:
        """Whether combinations are numbers that a person can read."""
        return len(entry.deals) <= sheet_text.MOST_DIGITS

    @staticmethod
    def detailed(entry: WagerOut, entries: list[WagerOut]) -> bool:
        """The first and the last number of players tell the rest."""
        return entry.players in (None, 1, max(one.players or 0 for one in entries))


async def sheet_page(request: Request) -> Response:
    law = law_of(request)
    try:
        sheet = await sheet_of(law.id, 1.5)
    except Counting:
        return page(request, "counting.html", 202, law=law)
    charts = await asyncio.to_thread(_charts, law, sheet)
    grouped: dict[str, list[Any]] = {}
    for entry in sheet.wagers:
        grouped.setdefault(entry.wager, []).append(entry)
    joint = sheet.together.wagers if sheet.together is not None else ()
    names = {name: wager_name(law, name) for name in (*grouped, *joint)}
    designable = await asyncio.to_thread(_designable, law.id)
    return page(
        request, "par.html", 200 if sheet.done == sheet.of else 202, law=law, grouped=grouped,
        names=names, charts=charts, designable=designable, sheet=sheet, text=SheetText,
        together=sheet.together, options=option_notes(law),
        notes=[sheet_text.HIT_RATE, HOLD, *sheet_text.hold_notes(sheet.wagers), *sheet.checked],
    )  # fmt: skip


def workbook_of(id: str) -> bytes:
    """The PAR sheet of a chapter as an Excel workbook."""
    from houseway.documents.workbooks.par import par_workbook
    from houseway.maths.par import par

    return par_workbook(par(id))


async def workbook(request: Request) -> Response:
    """The PAR sheet as a file for a spreadsheet."""
    law = law_of(request)
    try:
        data = await counted(workbook_of, law.id, patience=5.0)
    except Counting:
        return page(request, "counting.html", 202, law=law)
    return Response(
        data,
        media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        headers={"Content-Disposition": f'attachment; filename="{law.id}.xlsx"'},
    )


async def strategy_page(request: Request) -> Response:
    law = law_of(request)
    try:
        found = await counted(strategy_of, law.id, patience=5.0)
    except Counting:
        return page(request, "counting.html", 202, law=law)
    picture, strategy = found or ("", None)
    return page(request, "strategy.html", law=law, picture=picture, strategy=strategy)


async def reconciliation_page(request: Request) -> Response:
    law = law_of(request)
    findings: list[dict[str, Any]] = []
    if law.about.holds:
        try:
            findings = await counted(reconciled, law.id, patience=5.0)
        except Counting:
            return page(request, "counting.html", 202, law=law)
    return page(request, "reconcile.html", law=law, findings=findings)


async def law_page(request: Request) -> Response:
    """Every clause in our own words, how and where it is met, and proved by what."""
    law = law_of(request)
    report = await asyncio.to_thread(_clauses, law.id)
    return page(request, "law.html", law=law, report=report)


@lru_cache(maxsize=16)
def _clauses(chapter_id: str) -> dict[str, Any]:
    """What `houseway clauses CHAPTER --report` says."""
    from houseway.documents.clause_report import clause_report
    from houseway.law.coverage import report

    law = chapter(chapter_id)
    return clause_report(report(law, family=folder(law)))


# the paytable editor


@lru_cache(maxsize=16)
def _designable(chapter_id: str) -> list[tuple[str, str]]:
    """Paytables whose edge follows from the table alone."""
    from houseway.maths.paytables.edge import edge_of

    found, law = [], chapter(chapter_id)
    for (wager, id), table in law.paytables.items():
        try:
            edge_of(table, law, None, None)
        except (Refused, KeyError, StopIteration, ValueError, TypeError):
            continue
        found.append((wager, id))
    return found


async def design_page(request: Request) -> Response:
    law = law_of(request)
    wager, id = request.path_params["wager"], request.path_params["table"]
    table = law.paytables.get((wager, id))
    if table is None:
        raise Refused("no_such_page", f"there is no paytable {id} for {wager}")
    others = [key for key in await asyncio.to_thread(_designable, law.id) if key[0] == wager]
    start = await asyncio.to_thread(
        _edge, law, wager, id, {h: str(p.odds) for h, p in table.pays.items()}
    )
    return page(
        request,
        "design.html",
        law=law,
        wager=wager,
        id=id,
        table=table,
        others=others,
        edge=start,
        table_name=sheet_text.words,
    )


class Design(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A paytable as it is being typed."""

    rows: dict[str, str]


async def design(request: Request) -> Response:
    """The edge of a table as it is typed."""
    law = law_of(request)
    wager, id = request.path_params["wager"], request.path_params["table"]
    sent: Design = await body(request, Design)
    return Json(await asyncio.to_thread(_edge, law, wager, id, sent.rows))


def _edge(law: Chapter, wager: str, id: str, rows: dict[str, str]) -> dict[str, str]:
    from houseway.maths.paytables.edge import edge_of

    kept = {hand: odds for hand, odds in rows.items() if odds.strip()}
    table = own_table(law, wager, kept, "")
    printed = next(one for one in law.paytable_data if (one.wager, one.id) == (wager, id))
    edge = edge_of(table, law, printed.players, printed.decks)
    return {
        "house_edge": exact(edge),
        "house_edge_percent": percent(edge),
        "return_percent": percent(1 - edge),
        "per_hundred": decimal(edge * 100, 2),
    }


# advice at the table


async def advice(request: Request) -> Response:
    """What each choice of the reader's seat is worth."""
    from houseway.present.teaching import advise

    who = signed_in(request, "player")
    house, name = casino(request), request.path_params["table"]
    seat = house.seat_of(name, who.id)
    if not seat:
        raise Refused("nobody_there", "sit down first")
    table = house.table(name).state
    unit, worth = await asyncio.to_thread(advise, table, seat)
    rows = [(choice, decimal(value, 4), exact(value)) for choice, value in worth]
    if "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(render("advice.html", unit=unit, rows=rows))
    return Json(
        {"unit": unit, "choices": [{"choice": c, "value": e, "about": d} for c, d, e in rows]}
    )


ROUTES = [
    Route("/mathematics", contents),
    Route("/mathematics/{chapter}", sheet_page),
    Route("/mathematics/{chapter}/strategy", strategy_page),
    Route("/mathematics/{chapter}/workbook", workbook),
    Route("/mathematics/{chapter}/published", reconciliation_page),
    Route("/mathematics/{chapter}/design/{wager}/{table}", design_page),
    Route("/mathematics/{chapter}/design/{wager}/{table}", design, methods=["POST"]),
    Route("/law/{chapter}", law_page),
    Route("/tables/{table}/advice", advice),
]
