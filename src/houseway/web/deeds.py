"""What people did in the house, for those who may look into the record."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from houseway.floor.company import is_system
from houseway.floor.deeds import deeds
from houseway.web.house import casino, looked, page, signed_in
from houseway.web.investigation import MAY

MOST = 200


async def deeds_page(request: Request) -> Response:
    who = signed_in(request, *MAY)
    house, asked = casino(request), request.query_params.get("person", "").strip()
    await looked(request, who, "what people did" if not asked else "what was done by", asked)
    found = await asyncio.to_thread(deeds, house.log, asked, MOST)
    return page(
        request, "deeds.html", deeds=found, asked=asked, most=MOST,
        everybody=[one for one in house.people.everybody() if not is_system(one.id)],
    )  # fmt: skip


ROUTES = [Route("/deeds", deeds_page)]
