"""The table page: the felt, and beside it what this reader may do, as the table says it."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from houseway.drawing.pieces.chips import chip_id
from houseway.errors import Refused
from houseway.floor.bots import dealer as house_dealer
from houseway.floor.bots.dealer import SYSTEM
from houseway.floor.bots.players import is_system
from houseway.floor.bots.standing import INSTRUCTIONS
from houseway.floor.casino import Casino
from houseway.floor.deal_proof import LONGEST_NUMBER
from houseway.floor.live_table import Live
from houseway.floor.people.directory import Person
from houseway.law import Rules
from houseway.law.hand_names import hand_name
from houseway.money import dollars, spoken
from houseway.present import (
    PRESENTATION,
    TableView,
    Viewer,
    net,
    own_view,
    showdown,
)
from houseway.present.scene import Hand, Scene
from houseway.present.table_view import scene_of
from houseway.present.visible_cards import known
from houseway.table import Table, awaited, rules_of
from houseway.table.procedure.deciding import hand_asked
from houseway.table.procedure.tray import total as tray_total
from houseway.table.procedure.wagering import by_hand
from houseway.table.state import Box, Due, seat_pile
from houseway.table.views import due_in_words, surveillance_view
from houseway.web import stream
from houseway.web.page_support import Kept, casino, looked, page, person
from houseway.web.table import feed_text
from houseway.web.table.dealer_forms import due_chips, menu, steps
from houseway.web.table.felt import Felt, felt_of, operator_of, page_symbols
from houseway.web.table.how_to_play import how_to_play
from houseway.web.table.picture import Picture, picture_of
from houseway.web.table.player_choices import (
    again_bets,
    arrangement,
    choices,
    key_list,
    open_areas,
    slots,
    useful_chips,
    wagers,
)

#: the whole table, the table from my chair, the table on a phone
DRAWINGS = frozenset({"whole", "hero", "phone"})


class TableScreen:
    """One table as one person sees it, in one role."""

    def __init__(
        self,
        house: Casino,
        name: str,
        who: Person | None,
        part: str,
        theme: str,
        drawings: frozenset[str] = DRAWINGS,
        demonstration: bool = True,
    ) -> None:
        self.house = house
        self.name = name
        self.who = who
        self.part = part
        self.theme = theme
        #: the drawings of the table that the reader's window shows
        self.drawings = drawings
        #: whether one person may do what otherwise takes two
        self.demonstration = demonstration
        self.tables: tuple[str, ...] = (name,)
        self._scene: tuple[Picture, Scene] | None = None
        self._opens: tuple[Picture, tuple[str, ...]] | None = None

    @property
    def live(self) -> Live:
        return self.house.table(self.name)

    @property
    def seat(self) -> int:
        return self.house.seat_of(self.name, self.who.id) if self.who else 0

    @property
    def key(self) -> tuple[object, ...]:
        # without a seat or a role, the public view
        alone = self.seat or self.part not in ("player", "public")
        who = self.who.id if self.who and alone else bool(self.who)
        return ("table", self.name, who, self.part, self.theme, self.drawings)

    @property
    def eyes(self) -> Viewer:
        if self.part == "player":
            return Viewer("seat", self.seat) if self.seat else Viewer()
        return Viewer(self.part)

    def own_scene(self, picture: Picture) -> Scene:
        """The table with the cards that this reader may see."""
        if self._scene is None or self._scene[0] is not picture:
            self._scene = picture, scene_of(picture.shown, self.eyes)
        return self._scene[1]

    def opens(self, picture: Picture) -> tuple[str, ...]:
        """The areas where this reader may wager."""
        if self._opens is None or self._opens[0] is not picture:
            self._opens = picture, open_areas(picture.live, self.seat)
        return self._opens[1]

    def view(self) -> TableView:
        """The table; between rounds the result stays on it until the reader wagers again."""
        picture = picture_of(self.house, self.name)
        seat = self.seat if self.part == "player" else 0
        if not seat:
            return picture.view
        table, opens = picture.shown, self.opens(picture)
        wagers = table.boxes[seat - 1].wagers
        last = picture.last_table
        if last is not None and self.who is not None:
            mine = table.holders.get(seat) == self.who.id and not wagers
            if mine and any(line.seat == seat for line in table.settled):
                return own_view(picture.last_view, scene_of(last, self.eyes), seat, opens)
        seen = own_view(picture.view, self.own_scene(picture), seat, opens)
        if wagers:
            # a new wager ends the display of the last round; a round shows its sum when it is over
            seats = tuple(
                dataclasses.replace(one, note="") if one.seat == seat else one for one in seen.seats
            )
            seen = dataclasses.replace(seen, seats=seats)
        void = self.live.void
        if void and not wagers and (back := void.returned.get(table.boxes[seat - 1].player)):
            told = f"Round {void.round} is void: {spoken(back)} came back"
            seen = dataclasses.replace(seen, notice=told)
        return seen

    def parts(self) -> dict[str, str]:
        """What the page shows, by the id of its element."""
        return {id: "".join(pieces) for id, pieces in self.pieces(Kept()).items()}

    def pieces(self, kept: Kept) -> dict[str, stream.Pieces]:
        seen = self.view()
        drawing = self.drawing
        found: dict[str, stream.Pieces] = {}
        if "whole" in self.drawings:
            found |= {id: stream.split(markup) for id, markup in drawing.parts(seen).items()}
        if "hero" in self.drawings and self.part == "player":
            found |= drawing.hero_parts(seen)
        if "phone" in self.drawings:
            compact = drawing.compact(seen)
            found["compact"] = stream.split(
                f'<div id="compact" class="compact-felt">{compact}</div>'
            )
        return found | self.words(kept)

    def words(self, kept: Kept) -> dict[str, stream.Pieces]:
        """The panel and what stands beside the table."""
        picture, values = picture_of(self.house, self.name), panel(self)
        seat = values["seat"]
        bodies = ("panel_told.html", "panel_player.html") if seat else ("panel.html",)
        seats = picture.seats
        if seat:
            seats = seats | {seat: picture.seat(seat, mine=True)}
        beside = list(_with_version(kept, "beside_head.html", values))
        if seat:
            beside.append(kept.render("beside_mine.html", values))
        beside += [
            picture.people,
            *seats.values(),
            kept.render("beside_clock.html", values),
            picture.log,
        ]
        if self.part in ("player", "public"):
            beside.append(kept.render("commitment.html", values))
        head = _with_version(kept, "panel_head.html", values)
        return {
            "panel": (*head, *(kept.render(one, values) for one in bodies), "</div></div>"),
            "beside": (*beside, "</div>"),
        }

    @property
    def drawing(self) -> Felt:
        house = operator_of(self.house, self.live.state)
        return felt_of(rules_of(self.live.state), theme=self.theme, house=house)


def _with_version(kept: Kept, template: str, values: Mapping[str, Any]) -> stream.Pieces:
    """A template around the table's version, which is a piece of its own: it always changes."""
    before, after = kept.render(template, {**values, "version": "\0"}).split("\0")
    return before, str(values["version"]), after


def panel(screen: TableScreen) -> dict[str, Any]:
    """Everything the panel shows, in plain values."""
    house, live, who = screen.house, screen.live, screen.who
    picture = picture_of(house, screen.name)
    table, rules, waiting = picture.table, picture.rules, picture.waiting
    seat = screen.seat if screen.part == "player" else 0
    box = table.boxes[seat - 1] if seat else None
    opens = screen.opens(picture) if seat else ()
    clock = house_dealer.deadline(live, seat, house.people.away)
    values: dict[str, Any] = {
        "name": screen.name,
        "demonstration": screen.demonstration,
        "commitment": live.noted.root,
        # where real cards are dealt nothing is sealed, and nobody can add to it
        "adds_to": live.next_shuffle if live.noted.root else None,
        "longest_number": LONGEST_NUMBER,
        "version": live.version,
        "part": screen.part,
        "person": who,
        "law": rules.chapter.id,
        "phase": feed_text.PHASES.get(table.phase, table.phase),
        "phase_id": table.phase,
        "round": table.round,
        "hands": bool(table.hands),
        "seat": seat,
        "waiting": waiting,
        "clock": clock,
        "dealer": picture.dealer,
        "seats": tuple(box.seat for box in table.boxes if box.player),
        "open": opens,
        "my_turn": False,
        "arrangement": None,
        "result": None,
    }
    if seat and box is not None:
        my_turn = seat in waiting
        # the person's lines of the last round, wherever they sit now
        lines = [line for line in table.settled if table.holders.get(line.seat) == box.player]
        scene = screen.own_scene(picture)
        mine = scene.pile(seat_pile(seat)) if my_turn else ()
        # as a result does, it stays until the next wager
        void = live.void if live.void and not box.wagers else None
        if void and box.player not in void.returned:
            void = None
        values.update(
            rack=live.racks.get(seat, 0),
            purse=house.purse_of(box.player, known=True),
            chips=useful_chips(rules),
            chip_id=chip_id,
            wagers=wagers(live, seat, opens),
            cards=_my_cards(scene, box, my_turn=my_turn),
            showdown=_last_hands(live, lines),
            my_turn=my_turn,
            choices=choices(live, seat) if my_turn else (),
            slots=max(slots(rules).values()),
            arrangement=arrangement(live, seat, mine, picture.steps) if my_turn else None,
            lines=lines,
            net=net(lines),
            result=_result(lines, rules, live) if lines else None,
            again=sum(again_bets(live, seat).values()),
            layout={name: dollars(amount) for name, amount in box.layout.items()},
            asked=question(table, seat) if my_turn else "",
            void=void and {**msgspec.structs.asdict(void), "returned": void.returned[box.player]},
            holders=[picture.names.get(table.boxes[other - 1].player, "") for other in waiting],
            light=_light(rules, table),
            instructions=INSTRUCTIONS,
            instruction=house.people.instruction(box.player, "best"),
            human=table.dealer not in ("", SYSTEM),
            awaits=picture.waits if table.dealer not in ("", SYSTEM) else "",
            yet=_may_still_wager(picture, seat),
            may_deal=bool(box.wagers) and table.dealer in ("", SYSTEM),
            total=sum(box.wagers.values()),
        )
        return values
    values |= {"table": table, "boxes": table.boxes}
    if screen.part in ("dealer", "floorperson"):
        leads, others = steps(live, screen.part)
        values["due"] = due_in_words(table) if table.due else ""
        values["due_chips"] = []
        if values["due"]:
            # a tray that is short is said when the dealer pays
            with contextlib.suppress(Refused):
                values["due_chips"] = due_chips(table)
        values.update(leads=leads, others=others, menu=menu(live, screen.part))
    elif screen.part == "surveillance":
        values["seen"] = surveillance_view(table)
        values["tray"] = tray_total(table.tray)
        values["waits"] = picture.waits
    return values


def _may_still_wager(picture: Picture, mine: int) -> list[str]:
    """The others at a table for whose wagers the deal waits."""
    return [
        f"{picture.names[box.player]} (seat {box.seat})"
        for box in picture.table.boxes
        if box.player
        and box.seat != mine
        and not box.wagers
        and (picture.live.name, box.player) not in picture.away
        and not is_system(box.player)
    ]


def _light(rules: Rules, table: Table) -> str:
    """What the reader's light says of the dealer's hole card, in words."""
    game = PRESENTATION.of(rules.chapter)
    lit = game.light(rules, table)
    for light in game.lights(rules):
        if light.range == lit and table.hands:
            *most, last = (_RANKS.get(rank, rank) for rank in light.ranks)
            ranks = f"{', '.join(most)} or {last}" if most else last
            return f"The reader's {light.color} light: the hole card is {light.range} ({ranks})."
    return ""


_RANKS = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}


def _result(lines: list[Due], rules: Rules, live: Live) -> dict[str, Any]:
    """A person's result of a round in words, and what a meter paid, if one did."""
    total = net(lines)
    words = f"{'you win' if total > 0 else 'you lose'} {spoken(abs(total))}" if total else "even"
    found: dict[str, Any] = {"says": words, "jackpot": None}
    hits = [line for line in lines if line.meter and line.from_meter]
    if hits:
        most = max(hits, key=lambda line: line.from_meter)
        table = live.showdowns.get(most.seat)
        mine = showdown(table, Viewer("seat", most.seat)) if table is not None else []
        found["jackpot"] = {
            "cards": [str(card) for who, pile, _ in mine if who == "You" for card in pile],
            "name": rules.chapter.line_name(most.wager),
            "cents": most.from_meter,
            "hand": hand_name(most.outcome),
        }
    return found


def question(table: Table, seat: int) -> str:
    """A key for the question put to a seat; when it changes, a new answer is wanted."""
    if seat not in awaited(table):
        return ""
    held = sum(len(pile) for name, pile in table.piles.items() if f".{seat}" in name)
    return f"{table.round}-{table.phase}-{hand_asked(table, seat)}-{held}"


def _my_cards(scene: Scene, box: Box, *, my_turn: bool) -> list[tuple[Hand, str, bool]]:
    """The hands that a seat plays: the cards, what they come to, whether it decides on them now."""
    game, asked = PRESENTATION.of(scene.rules.chapter), hand_asked(scene.table, box.seat)
    found = [
        (tuple(one.face for one in hand.cards), hand.says, my_turn and hand.active)
        for hand in game.seat_hands(scene, box)
    ]
    common = game.common_hands(scene.rules, scene.cards)
    for number in sorted(by_hand(box)):
        if cards := common.get(number):
            whole = known(cards)
            name = game.hand_name(scene.rules, whole).lower() if whole else ""
            found.append((cards, f"Hand {number}, {name}".rstrip(", "), number == asked))
    return found


def _last_hands(live: Live, lines: list[Due]) -> list[tuple[str, Hand, str]]:
    """The hands that a person's lines of the last round are about, once they are cleared away."""
    if live.state.hands:
        return []
    found: list[tuple[str, Hand, str]] = []
    for seat in dict.fromkeys(line.seat for line in lines):
        table = live.showdowns.get(seat)
        if table is not None:
            shown = showdown(table, Viewer("seat", seat))
            found = [hand for hand in found if hand[0] == "You"] + shown
    return found


# the page


def part_of(request: Request) -> str:
    """The role in which a person sees a table: the requested one, if it is theirs."""
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
    drawn = frozenset(request.query_params.get("drawings", "").split(",")) & DRAWINGS
    return TableScreen(
        house, name, person(request), part_of(request), theme, drawn or DRAWINGS,
        request.app.state.demonstration,
    )  # fmt: skip


async def _watched(request: Request, screen: TableScreen) -> None:
    """Record that a person watched a table as surveillance does."""
    if screen.part == "surveillance" and screen.who is not None:
        await looked(request, screen.who, "table", screen.name)


async def table_page(request: Request) -> Response:
    screen = screen_of(request)
    await _watched(request, screen)
    seen, drawing = screen.view(), screen.drawing
    words = {id: "".join(pieces) for id, pieces in screen.words(Kept()).items()}
    return page(
        request,
        "table.html",
        screen=screen,
        name=screen.name,
        about=rules_of(screen.live.state).chapter.about,
        stamp=stream.stamp(screen.house, screen.tables),
        symbols=page_symbols(),
        felt=drawing.whole(seen),
        hero=drawing.hero(seen) if screen.part == "player" else "",
        compact=drawing.compact(seen),
        panel=words["panel"],
        beside=words["beside"],
        part=screen.part,
        theme=screen.theme,
        seated=screen.part == "player" and bool(screen.seat),
        how=how_to_play(rules_of(screen.live.state)),
        keys=key_list(rules_of(screen.live.state)),
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
