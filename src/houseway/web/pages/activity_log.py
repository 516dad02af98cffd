"""What people did in the house, for those who may look into the record."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from houseway.errors import Refused
from houseway.floor.bots.players import is_system
from houseway.floor.people.activity_log import Page, Place, deeds
from houseway.web.page_support import casino, looked, page, signed_in
from houseway.web.pages.investigation import MAY
from houseway.web.pages.pagination import begins, turning

#: deeds on a page
MOST = 200


async def deeds_page(request: Request) -> Response:
    """The latest deeds, or those before a time or the end of another page."""
    who = signed_in(request, *MAY)
    house, given = casino(request), request.query_params
    asked, until = given.get("person", "").strip(), given.get("until", "").strip()
    await looked(request, who, "what people did" if not asked else "what was done by", asked)
    error, found = None, Page([], None)
    try:
        start = begins(request) or until
        before = Place.read(start) if start else None
        found = await asyncio.to_thread(deeds, house.log, asked, MOST, before)
    except Refused as refusal:
        error = refusal
    return page(
        request, "deeds.html", 422 if error else 200, deeds=found.deeds, asked=asked, until=until,
        error=error, back_to=found.older.time if found.older else "",
        turning=turning(
            request, {"person": asked, "until": until}, str(found.older) if found.older else ""
        ),
        everybody=[one for one in house.people.everybody() if not is_system(one.id)],
    )  # fmt: skip


ROUTES = [Route("/deeds", deeds_page)]
