"""The table page: the felt, and beside it what this reader may do, as the table says it."""

from __future__ import annotations

import contextlib
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from houseway.drawing.pieces.chips import chip_id
from houseway.errors import Refused
from houseway.floor.bots import dealer as house_dealer
from houseway.floor.bots.dealer import SYSTEM
from houseway.floor.casino import Casino
from houseway.floor.live_table import Live
from houseway.floor.people.directory import Person
from houseway.games.down_under.table.hands import current, pile_of
from houseway.money import Cents, cents
from houseway.table import Table, awaited, legal, next_steps, rules_of
from houseway.table import events as e
from houseway.table.engine import Moment
from houseway.table.procedure.deciding import hand_asked
from houseway.table.procedure.tray import total as tray_total
from houseway.table.procedure.wagering import by_hand
from houseway.table.state import Box
from houseway.table.views import surveillance_view
from houseway.web import stream
from houseway.web.page_support import casino, looked, named, page, person, render
from houseway.web.table import feed_text as words
from houseway.web.table.felt import felt_of, page_symbols
from houseway.web.table.player_choices import choices, open_areas, useful_chips, wagers
from houseway.web.table.table_view import (
    Viewer,
    VisibleCards,
    common_hands,
    seen_words,
    showdown,
    view,
    visible_cards,
)

_PLACING = ("place_wager",)


class TableScreen:
    """One table as one person sees it, in one part."""

    def __init__(self, house: Casino, name: str, who: Person | None, part: str, theme: str) -> None:
        self.house = house
        self.name = name
        self.who = who
        self.part = part
        self.theme = theme
        self.tables: tuple[str, ...] = (name,)

    @property
    def live(self) -> Live:
        return self.house.table(self.name)

    @property
    def seat(self) -> int:
        return self.house.seat_of(self.name, self.who.id) if self.who else 0

    @property
    def key(self) -> tuple[object, ...]:
        # whoever has no seat and no part sees what everybody sees
        alone = self.seat or self.part not in ("player", "public")
        who = self.who.id if self.who and alone else bool(self.who)
        return ("table", self.name, who, self.part, self.theme)

    @property
    def eyes(self) -> Viewer:
        if self.part == "player":
            return Viewer("seat", self.seat) if self.seat else Viewer()
        return Viewer(self.part)

    def view(self) -> Any:
        table, seat = self.house.shown(self.name), self.seat if self.part == "player" else 0
        opens = open_areas(self.live, seat) if seat else ()
        return view(table, self.eyes, names(self.house, self.live), opens)

    def parts(self) -> dict[str, str]:
        seen = self.view()
        drawing = felt_of(rules_of(self.live.state), theme=self.theme)
        found = drawing.parts(seen)
        found["compact"] = f'<div id="compact" class="compact-felt">{drawing.compact(seen)}</div>'
        found["panel"] = self.panel()
        return found

    def felt(self) -> str:
        return felt_of(rules_of(self.live.state), theme=self.theme).whole(self.view())

    def compact(self) -> str:
        return felt_of(rules_of(self.live.state), theme=self.theme).compact(self.view())

    def panel(self) -> str:
        return render("panel.html", **panel(self))


def names(house: Casino, live: Live) -> dict[str, str]:
    """The people at a table by the names they gave."""
    return {box.player: named(house, box.player) for box in live.state.boxes if box.player}


def panel(screen: TableScreen) -> dict[str, Any]:
    """Everything the panel shows, in plain values."""
    house, live, who = screen.house, screen.live, screen.who
    table = live.state
    rules = rules_of(table)
    seat = screen.seat if screen.part == "player" else 0
    box = table.boxes[seat - 1] if seat else None
    opens = open_areas(live, seat) if seat else ()
    waiting = awaited(table)
    clock = house_dealer.deadline(live, seat, house.people.away)
    called = names(house, live)
    values: dict[str, Any] = {
        "name": screen.name,
        "version": live.version,
        "part": screen.part,
        "person": who,
        "rules": rules,
        "table": table,
        "phase": words.PHASES.get(table.phase, table.phase),
        "seat": seat,
        "names": called,
        "waiting": waiting,
        "clock": clock,
        "dealer": named(house, live.state.dealer),
        "said": words.said(live.said),
        "boxes": table.boxes,
        "hold": live.racks,
        "chips": useful_chips(rules),
        "chip_id": chip_id,
        "open": opens,
        "choices": (),
        "leads": None,
        "others": (),
        "menu": (),
        "my_turn": False,
    }
    if seat and box is not None:
        seen = visible_cards(table, screen.eyes)
        my_turn = seat in waiting
        lines = live.lines_of(box.player)
        acts = _acting(table, box) if my_turn else ""
        values.update(
            rack=live.racks.get(seat, 0),
            purse=house.purse_of(box.player),
            wagers=wagers(live, seat, opens),
            cards=_my_cards(table, box, seen, acts),
            showdown=_last_hands(live, lines),
            my_turn=my_turn,
            choices=choices(live, seat) if my_turn else (),
            set_says=next((s.says for s in next_steps(table) if s.command == "set_hands"), ""),
            set_cards=seen.get(f"seat.{seat}", ()) if my_turn else (),
            lines=lines,
            net=sum(map(_change, lines)),
            again=live.last_bets.get(seat, {}),
            may_deal=bool(box.wagers) and table.dealer in ("", SYSTEM),
            total=sum(box.wagers.values()),
            legal=legal(table, "player", seat),
        )
    elif screen.part in ("dealer", "floorperson"):
        from houseway.table.views import due_in_words
        from houseway.web.table.dealer_forms import due_chips, menu, steps

        leads, others = steps(live, screen.part)
        values["due"] = due_in_words(table) if table.due else ""
        values["due_chips"] = []
        if values["due"]:
            # a tray that is short is said when the dealer pays
            with contextlib.suppress(Refused):
                values["due_chips"] = due_chips(table)
        values.update(leads=leads, others=others, menu=menu(live, screen.part))
    elif screen.part == "surveillance":
        from houseway.web.table.dealer_forms import waits

        values["seen"] = surveillance_view(table)
        values["tray"] = tray_total(table.tray)
        values["waits"] = waits(live)
    return values


def _my_cards(
    table: Table, box: Box, seen: VisibleCards, acts: str
) -> list[tuple[tuple[str, ...], str, bool]]:
    """The hands that a seat plays: the cards, what they come to, whether it decides on them now."""
    rules = rules_of(table)
    asked_now = hand_asked(table, box.seat)
    common = common_hands(rules, seen)
    return [
        (pile, seen_words(rules, pile, split=box.split), name == acts)
        for name, pile in seen.items()
        if _own(name, box.seat)
    ] + [
        (
            common[hand],
            f"Hand {hand}, {seen_words(rules, common[hand]).lower()}".rstrip(", "),
            hand == asked_now,
        )
        for hand in sorted(by_hand(box))
        if common.get(hand)
    ]


def _acting(table: Table, box: Box) -> str:
    """The pile of the hand that a player of two hands decides on."""
    if not box.split:
        return ""
    found = current(Moment(table, "player"))
    return pile_of(box, found[1]) if found and found[0] == box.seat else ""


def _last_hands(live: Live, lines: list[e.WagerSettled]) -> list[tuple[str, tuple[str, ...], str]]:
    """The hands that a person's lines of the last round are about, once they are cleared away."""
    if live.state.hands:
        return []
    found: list[tuple[str, tuple[str, ...], str]] = []
    for seat in dict.fromkeys(line.seat for line in lines):
        table = live.showdowns.get(seat)
        if table is not None:
            shown = showdown(table, Viewer("seat", seat))
            found = [hand for hand in found if hand[0] == "You"] + shown
    return found


def _own(name: str, seat: int) -> bool:
    return name.split(".")[1:2] == [str(seat)]


def _change(line: Any) -> Cents:
    lost = cents(line.stake) if line.result in ("lose", "forfeit") else 0
    return cents(line.paid) - lost


# the page


def part_of(request: Request) -> str:
    """In which part somebody looks at a table: as asked, if that is one of the person's roles."""
    who = person(request)
    if who is None:
        return "public"
    wanted = request.query_params.get("as", "")
    mine = [role for role in ("player", "dealer", "floorperson") if who.may(role)]
    if who.watches:
        mine.append("surveillance")
    return wanted if wanted in mine else mine[0] if mine else "public"


def screen_of(request: Request) -> TableScreen:
    house, name = casino(request), request.path_params["table"]
    house.fresh(name)
    theme = request.query_params.get("theme") or request.cookies.get("houseway_theme", "green")
    return TableScreen(house, name, person(request), part_of(request), theme)


async def _watched(request: Request, screen: TableScreen) -> None:
    """Whoever sees a table as surveillance does is on record with it."""
    if screen.part == "surveillance" and screen.who is not None:
        await looked(request, screen.who, "table", screen.name)


async def table_page(request: Request) -> Response:
    screen = screen_of(request)
    await _watched(request, screen)
    return page(
        request,
        "table.html",
        screen=screen,
        name=screen.name,
        about=rules_of(screen.live.state).chapter.about,
        stamp=stream.stamp(screen.house, screen.tables),
        symbols=page_symbols(),
        felt=screen.felt(),
        compact=screen.compact(),
        panel=screen.panel(),
        part=screen.part,
        theme=screen.theme,
    )


async def table_stream(request: Request) -> Response:
    screen = screen_of(request)
    await _watched(request, screen)
    present = screen.who.id if screen.who and screen.part == "player" else ""
    return stream.answer(request, screen, present)


ROUTES = [
    Route("/tables/{table}", table_page),
    Route("/tables/{table}/stream", table_stream),
]
