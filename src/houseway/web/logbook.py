"""The floor's logbook on the investigation pages: the same rows as `houseway audit` has them."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from houseway.floor import clock
from houseway.floor.logbook import BOOKS, When, decks, look
from houseway.floor.projections import Projections
from houseway.refusal import Refused
from houseway.store import Log
from houseway.web.house import casino, looked, page, signed_in
from houseway.web.investigation import MAY, archive

#: rows of each part on one page
_MOST = 100


async def logbook_page(request: Request) -> Response:
    """Irregularities, validations, devices, decks and meters, for a table and a gaming day."""
    who = signed_in(request, *MAY)
    given = {name: value.strip() for name, value in request.query_params.items() if value.strip()}
    asked = ", ".join(f"{name} {value}" for name, value in given.items())
    await looked(request, who, "the floor's logbook", f"of {asked}" if asked else "")
    when = When(table=given.get("table"), day=given.get("day"), limit=_MOST)

    def ask(projections: Projections, _: Log) -> dict[str, list[dict[str, Any]]]:
        found = {name: look(projections, name, when) for name in BOOKS if name != "decks"}
        return {**found, "decks": decks(projections, when, clock.now())}

    error, books = None, None
    try:
        books = await archive(request).ask(ask)
    except Refused as refusal:
        error = refusal
    return page(
        request, "logbook.html", 422 if error else 200, books=books, error=error, given=given,
        tables=sorted(casino(request).tables), most=_MOST,
    )  # fmt: skip


ROUTES = [Route("/logbook", logbook_page)]
