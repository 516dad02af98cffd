"""The floor's logbook on the investigation pages: the same rows as `houseway audit` has them."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from houseway.errors import Refused
from houseway.floor import clock
from houseway.floor.audit.logbook import BOOKS, When, decks, look
from houseway.floor.audit.projections import Projections
from houseway.floor.audit.rounds import tables_on_record
from houseway.store import Log
from houseway.web.page_support import looked, page, signed_in
from houseway.web.pages.pagination import begins, turning
from houseway.web.pages.records.investigation import MAY, archive

#: rows of each part on one page
MOST = 100


async def logbook_page(request: Request) -> Response:
    """Irregularities, validations, devices, decks and meters, for a table and a gaming day.

    The latest of each kind; if one kind is requested, all of it, page by page.
    """
    who = signed_in(request, *MAY)
    given = {name: value.strip() for name, value in request.query_params.items() if value.strip()}
    given.pop("at", None)
    asked = ", ".join(f"{name} {value}" for name, value in given.items())
    await looked(request, who, "the floor's logbook", f"of {asked}" if asked else "")
    only, error, books, skip = given.get("book", ""), None, None, 0
    tables: list[str] = []

    def ask(projections: Projections, _: Log) -> dict[str, list[dict[str, Any]]]:
        tables.extend(tables_on_record(projections))
        when = When(table=given.get("table"), day=given.get("day"), limit=MOST + 1, skip=skip)
        return {
            name: decks(projections, when, clock.now()) if name == "decks"
            else look(projections, name, when)
            for name in BOOKS if name == only or not only
        }  # fmt: skip

    try:
        skip = _skipped(begins(request), only)
        books = await archive(request).ask(ask)
    except Refused as refusal:
        error = refusal
    ends = {
        name: f"{skip + MOST}" if len(rows) > MOST else "" for name, rows in (books or {}).items()
    }
    return page(
        request, "logbook.html", 422 if error else 200, error=error, given=given, only=only,
        books={name: rows[:MOST] for name, rows in (books or {}).items()},
        turning={name: turning(request, {**given, "book": name}, end) for name, end in ends.items()},
        tables=tables, most=MOST,
    )  # fmt: skip


def _skipped(begins: str, only: str) -> int:
    if only and only not in BOOKS:
        raise Refused("no_such_book", f"there is no {only} in the logbook", field="book")
    if begins and not (only and begins.isdecimal() and len(begins) < 10):
        raise Refused("not_a_place", f"{begins!r} is not a place in the logbook", field="at")
    return int(begins or 0)


ROUTES = [Route("/logbook", logbook_page)]
