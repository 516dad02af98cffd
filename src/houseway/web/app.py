"""The application: rooms of the house put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from houseway.errors import Refused
from houseway.floor.bots.dealer import SystemDealer
from houseway.floor.bots.players import Company
from houseway.floor.casino import Casino
from houseway.floor.people.access import Access
from houseway.floor.people.presence import GRACE, Presence
from houseway.web.api import routes as api
from houseway.web.page_support import STATIC, broken, lacking, lost, refused
from houseway.web.pages import (
    account,
    investigation,
    lobby,
    logbook,
    mathematics,
    practice,
    progressives,
    submissions,
    tray,
    wall,
)
from houseway.web.pages import activity_log as deeds
from houseway.web.pages import par_sheets as sheets
from houseway.web.pages import supervision as supervising
from houseway.web.server import background_compute as counting
from houseway.web.server import metrics
from houseway.web.server.security import LOOPBACK, Guard
from houseway.web.table import command_routes as acting
from houseway.web.table import page as table

#: every file there is: what a browser asks for is looked up and never put together to a path
FILES = frozenset(path.name for path in STATIC.iterdir())


async def static_file(request: Request) -> Response:
    """A file of ours; its address changes with its content."""
    name = request.path_params["name"]
    if name not in FILES:
        raise Refused("no_such_page", "there is no such file")
    path = STATIC / name
    return FileResponse(path, headers={"Cache-Control": "public, max-age=31536000, immutable"})


def build(
    casino: Casino,
    *,
    demonstration: bool = True,
    hosts: tuple[str, ...] = LOOPBACK,
    pace: float = 1.0,
    database: str | None = None,
    worker: int = 0,
    workers: int = 1,
    secure: bool = False,
) -> Starlette:
    """The web casino over a casino."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.stopping = asyncio.Event()
        app.state.archive = investigation.Archive(casino.log, database)
        if demonstration and worker == 0:
            from houseway.floor.demonstration import furnish

            await furnish(casino)
        shared = workers > 1 or str(database).startswith("postgres")
        casino.follow(asyncio.get_running_loop(), alone=not shared)
        app.state.presence.start()
        app.state.dealer.start()
        app.state.company.start()
        if pace and worker == 0:
            await sheets.begin()
        try:
            yield
        finally:
            app.state.stopping.set()
            await app.state.presence.stop()
            await app.state.company.stop()
            await app.state.dealer.stop()
            counting.stop()
            app.state.archive.close()

    app = Starlette(
        routes=[
            # what is asked for most stands first
            *api.ROUTES,
            *acting.ROUTES,
            *table.ROUTES,
            *lobby.ROUTES,
            *mathematics.ROUTES,
            *investigation.ROUTES,
            *logbook.ROUTES,
            *deeds.ROUTES,
            *practice.ROUTES,
            *submissions.ROUTES,
            *supervising.ROUTES,
            *tray.ROUTES,
            *wall.ROUTES,
            *progressives.ROUTES,
            *account.ROUTES,
            *metrics.ROUTES,
            Route("/static/{mark}/{name:path}", static_file),
        ],
        middleware=[Middleware(Guard, people=casino.people, hosts=hosts, secure=secure)],
        exception_handlers={
            Refused: refused,
            ModuleNotFoundError: lacking,
            404: lost,
            405: lost,
            Exception: broken,
        },
        lifespan=lifespan,
    )
    app.state.casino = casino
    app.state.access = Access(casino.log)
    app.state.demonstration = demonstration
    app.state.worker = worker
    app.state.presence = Presence(casino, grace=GRACE if pace else 0.1)
    app.state.dealer = SystemDealer(casino, pace=pace, worker=worker, workers=workers)
    app.state.company = Company(casino, pace=pace, worker=worker, workers=workers)
    return app
