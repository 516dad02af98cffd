"""The lobby: every table as a small live felt."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from houseway.drawing.theme import THEMES
from houseway.errors import Refused
from houseway.floor.casino import Casino
from houseway.money import spoken
from houseway.present import Viewer, table_view
from houseway.table import rules_of
from houseway.table.round_building import shows
from houseway.web import stream
from houseway.web.page_support import Kept, casino, page, render
from houseway.web.table.felt import Felt, felt_of, operator_of, page_symbols, sheet
from houseway.web.table.picture import names


class LobbyScreen:
    """All open tables, as everybody sees them."""

    def __init__(self, house: Casino) -> None:
        self.house = house
        closed = {name for name, live in house.all_tables().items() if live.state.phase == "closed"}
        self.tables = tuple(sorted(house.tables, key=lambda name: (name in closed, name)))
        self.key: tuple[object, ...] = ("lobby", self.tables)

    def pieces(self, kept: Kept) -> dict[str, stream.Pieces]:
        found: dict[str, stream.Pieces] = {}
        for name in self.tables:
            found |= kept.made(name, self.house.stamp(name), partial(self._parts, name))
        return found

    def _parts(self, name: str) -> dict[str, stream.Pieces]:
        moving = {id: stream.split(markup) for id, markup in self._moving(name).items()}
        return {**moving, f"about-{name}": (self.about(name),)}

    def _has_a_twin(self, name: str) -> bool:
        """Whether another table plays the same game; then both show their names."""
        game = self.house.table(name).state.chapter
        return sum(live.state.chapter == game for live in self.house.tables.values()) > 1

    def _prefix(self, name: str) -> str:
        return f"{name}-"

    def _drawing(self, name: str) -> Felt:
        table = self.house.table(name).state
        house = operator_of(self.house, table)
        return felt_of(rules_of(table), prefix=self._prefix(name), house=house)

    def _moving(self, name: str) -> dict[str, str]:
        table = self.house.shown(name)
        drawing = self._drawing(name)
        return drawing.parts(table_view(table, Viewer(), names(self.house, self.house.table(name))))

    def felt(self, name: str) -> str:
        live = self.house.table(name)
        drawing = self._drawing(name)
        return drawing.whole(table_view(self.house.shown(name), Viewer(), names(self.house, live)))

    def plays(self, name: str) -> bool:
        """Whether somebody can sit down there."""
        table = self.house.table(name).state
        return table.phase != "closed" and any(not box.player for box in table.boxes)

    def about(self, name: str) -> str:
        live = self.house.table(name)
        table, rules = self.house.shown(name), rules_of(live.state)
        main = next(iter(rules.chapter.wagers.values()))
        limit = rules.limits.get(main.id)
        links = live.feeding.links
        meters = [
            (
                rules.chapter.meter_title(meter),
                spoken(shows(holds)),
                links.get(meter.partition(".")[0], ""),
            )
            for meter, holds in table.meters.items()
        ]
        return render(
            "lobby_table.html",
            name=name,
            twin=self._has_a_twin(name),
            about=rules.chapter.about,
            table=table,
            free=sum(not box.player for box in table.boxes),
            seats=len(table.boxes),
            limit=limit,
            main=main,
            meters=meters,
        )


async def lobby(request: Request) -> Response:
    screen = LobbyScreen(casino(request))
    return page(
        request,
        "lobby.html",
        screen=screen,
        stamp=stream.stamp(screen.house, screen.tables),
        symbols=page_symbols(),
    )


async def lobby_stream(request: Request) -> Response:
    return stream.answer(request, LobbyScreen(casino(request)))


async def felt_sheet(request: Request) -> Response:
    theme = request.path_params["theme"]
    if theme not in THEMES:
        raise Refused("no_such_page", "there is no such felt")
    return PlainTextResponse(
        sheet(theme), media_type="text/css", headers={"Cache-Control": "public, max-age=3600"}
    )


ROUTES = [
    Route("/", lobby),
    Route("/stream", lobby_stream),
    Route("/felt/{theme}.css", felt_sheet),
]
