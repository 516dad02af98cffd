"""The application: all routes and middleware of the casino."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from houseway.errors import Refused
from houseway.floor.bots.dealer import SystemDealer
from houseway.floor.bots.players import BotPlayers
from houseway.floor.casino import Casino
from houseway.floor.integrity import Checked
from houseway.floor.people.access import Access
from houseway.floor.people.attempts import Attempts
from houseway.floor.people.presence import GRACE, Presence
from houseway.floor.streams import home_of
from houseway.web.api import routes as api
from houseway.web.page_support import STATIC, broken, gone, lacking, lost, refused
from houseway.web.pages import (
    account,
    documentation,
    lobby,
    mathematics,
    my_game,
    par_sheets,
    practice,
    progressives,
    submissions,
    supervision,
    tray,
    wall,
)
from houseway.web.pages.records import activity_log, investigation, logbook
from houseway.web.server import background_compute, metrics
from houseway.web.server.access_log import AccessLog
from houseway.web.server.handover import number_of_homes, on_a_server
from houseway.web.server.keeper import Keeper
from houseway.web.server.security import LOOPBACK, Guard
from houseway.web.table import command_routes, page

#: every static file; a requested name is looked up here and never joined to a path
FILES = frozenset(path.name for path in STATIC.iterdir())


async def static_file(request: Request) -> Response:
    """A file of ours; its address changes with its content."""
    name = request.path_params["name"]
    if name not in FILES:
        raise Refused("no_such_page", "there is no such file")
    path = STATIC / name
    return FileResponse(path, headers={"Cache-Control": "public, max-age=31536000, immutable"})


async def _begin_history(
    casino: Casino, database: str | None, rounds: int
) -> asyncio.subprocess.Process | None:
    """Play the demonstration's recorded rounds in a separate process, so that no page waits for
    them.
    """
    from houseway.floor.demonstration_history import has_history

    if has_history(casino.log):
        return None
    where = ("--database", str(database)) if database else ()
    command = (sys.executable, "-m", "houseway", "demo", *where, "--rounds", str(rounds), "--json")
    quiet = asyncio.subprocess.DEVNULL
    return await asyncio.create_subprocess_exec(*command, stdout=quiet, stderr=quiet)


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
    history: int = 0,
    checked: Checked | None = None,
    anchors: str = "",
    access_log: AccessLog | None = None,
) -> Starlette:
    """The web casino over a casino; a demonstration gets `history` rounds that were played before."""
    homes = number_of_homes(database, workers)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.stopping = asyncio.Event()
        app.state.archive = investigation.Archive(casino.log, database)
        if demonstration and worker == 0:
            from houseway.floor.demonstration import furnish

            await furnish(casino)
            if history and database != ":memory:":
                app.state.history = await _begin_history(casino, database, history)
        casino.follow(
            asyncio.get_running_loop(),
            alone=workers == 1 and not on_a_server(database),
            home=lambda name: home_of(name, homes) == worker,
        )
        app.state.presence.start()
        app.state.dealer.start()
        app.state.bot_players.start()
        if worker == 0:
            await casino.give_up_lost_shoes()
            app.state.keeper.start()
        watching = asyncio.create_task(metrics.watch_over(app.state))
        if pace and worker == 0:
            await par_sheets.begin()
        try:
            yield
        finally:
            app.state.stopping.set()
            watching.cancel()
            if app.state.history is not None and app.state.history.returncode is None:
                app.state.history.terminate()
                await app.state.history.wait()
            await app.state.keeper.stop()
            await app.state.presence.stop()
            await app.state.bot_players.stop()
            await app.state.dealer.stop()
            background_compute.stop()
            app.state.archive.close()

    app = Starlette(
        routes=[
            # the most requested routes come first
            *api.ROUTES,
            *command_routes.ROUTES,
            *page.ROUTES,
            *lobby.ROUTES,
            *mathematics.ROUTES,
            *investigation.ROUTES,
            *logbook.ROUTES,
            *activity_log.ROUTES,
            *practice.ROUTES,
            *submissions.ROUTES,
            *supervision.ROUTES,
            *tray.ROUTES,
            *wall.ROUTES,
            *progressives.ROUTES,
            *my_game.ROUTES,
            *account.ROUTES,
            *metrics.ROUTES,
            *documentation.ROUTES,
            Route("/static/{mark}/{name:path}", static_file),
        ],
        # what a page repeats of a request helps nobody to guess its token by its length: a request
        # from another site brings no cookie (SameSite) and so gets no page of a person's
        middleware=[
            Middleware(GZipMiddleware, minimum_size=800, compresslevel=6),
            Middleware(
                Guard,
                people=casino.people,
                hosts=hosts,
                secure=secure,
                demonstration=demonstration,
                busy=casino.in_a_round,
                access_log=access_log,
            ),
        ],
        exception_handlers={
            Refused: refused,
            ClientDisconnect: gone,
            ModuleNotFoundError: lacking,
            404: lost,
            405: lost,
            Exception: broken,
        },
        lifespan=lifespan,
    )
    app.state.casino = casino
    app.state.history = None
    app.state.access = Access(casino.log, slow=bool(pace))
    app.state.attempts = Attempts(casino.log)
    app.state.keeper = Keeper(casino, checked, anchors)
    app.state.demonstration = demonstration
    app.state.worker = worker
    app.state.presence = Presence(casino, grace=GRACE if pace else 0.1)
    app.state.dealer = SystemDealer(
        casino,
        pace=pace,
        worker=worker,
        workers=homes,
        stalled=app.state.presence.is_stalled,
        idle=app.state.presence.is_idle,
    )
    app.state.bot_players = BotPlayers(casino, pace=pace, worker=worker, workers=homes)
    return app
