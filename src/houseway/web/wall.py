"""A wall of meters, for a screen that nobody touches."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from houseway.floor.casino import Casino
from houseway.money import dollars
from houseway.table import rules_of
from houseway.web import stream
from houseway.web.house import casino, page, render
from houseway.web.seeing import shows


class WallScreen:
    """Every meter of every open table."""

    key: tuple[object, ...] = ("wall",)

    def __init__(self, house: Casino) -> None:
        self.house = house
        self.tables = tuple(sorted(house.tables))

    def parts(self) -> dict[str, str]:
        return {"meters": self.meters()}

    def meters(self) -> str:
        found = []
        for name in self.tables:
            table = self.house.table(name).state
            about = rules_of(table).chapter.about
            for meter, holds in table.meters.items():
                wager, _, tier = meter.partition(".")
                found.append(
                    {
                        "id": f"{name}-{meter}".replace(".", "-"),
                        "name": f"{wager.replace('_', ' ').capitalize()}{f', {tier}' if tier else ''}",
                        "where": f"{about.game}, {about.jurisdiction}",
                        "amount": f"{shows(holds) // 100:,}.{dollars(shows(holds))[-2:]}",
                    }
                )
        return render("wall_meters.html", meters=found)


async def wall(request: Request) -> Response:
    screen = WallScreen(casino(request))
    return page(
        request,
        "wall.html",
        meters=screen.meters(),
        stamp=stream.stamp(screen.house, screen.tables),
    )


async def wall_stream(request: Request) -> Response:
    return stream.answer(request, WallScreen(casino(request)))


ROUTES = [Route("/wall", wall), Route("/wall/stream", wall_stream)]
