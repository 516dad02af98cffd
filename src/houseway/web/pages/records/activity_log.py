"""The activity log, for those who may look into the record."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from houseway.errors import Refused
from houseway.floor.bots.players import is_system
from houseway.floor.people.activity_log import Page, Place, activities
from houseway.web.page_support import casino, looked, page, signed_in
from houseway.web.pages.pagination import begins, turning
from houseway.web.pages.records.investigation import MAY

#: activities on a page
MOST = 200


async def activity_page(request: Request) -> Response:
    """The latest activities, or those before a time or the end of another page."""
    who = signed_in(request, *MAY)
    house, given = casino(request), request.query_params
    asked, until = given.get("person", "").strip(), given.get("until", "").strip()
    await looked(request, who, "the activity log" if not asked else "what was done by", asked)
    error, found = None, Page([], None)
    try:
        start = begins(request) or until
        before = Place.read(start) if start else None
        found = await asyncio.to_thread(activities, house.log, asked, MOST, before)
    except Refused as refusal:
        error = refusal
    return page(
        request, "activity_log.html", 422 if error else 200, activities=found.activities, asked=asked, until=until,
        error=error, back_to=found.older.time if found.older else "",
        turning=turning(
            request, {"person": asked, "until": until}, str(found.older) if found.older else ""
        ),
        everybody=[one for one in house.people.everybody() if not is_system(one.id)],
    )  # fmt: skip


ROUTES = [Route("/deeds", activity_page)]
