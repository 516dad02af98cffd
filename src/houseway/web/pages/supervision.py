"""The floorperson's page: every table, what it waits for, and what is due soon."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from houseway.floor import clock
from houseway.floor.casino import Casino
from houseway.floor.live_table import Live
from houseway.floor.people.directory import WATCHERS
from houseway.table import events as e
from houseway.table import rules_of
from houseway.table.procedure.tray import total
from houseway.web import stream
from houseway.web.page_support import Kept, casino, looked, named, page, render, signed_in
from houseway.web.table import feed_text as words
from houseway.web.table.dealer_forms import menu, steps, waits
from houseway.web.table.picture import names


class FloorScreen:
    """All tables as the floor sees them."""

    def __init__(self, house: Casino, *, acts: bool, demonstration: bool) -> None:
        self.house = house
        #: the floorperson acts; surveillance and the investigator look on
        self.acts = acts
        #: where one person may do what otherwise takes two
        self.demonstration = demonstration
        self.tables = tuple(sorted(house.tables))
        self.key: tuple[object, ...] = ("floor", acts, self.tables)

    def pieces(self, kept: Kept) -> dict[str, stream.Pieces]:
        # how long a deck has been at a table is said by the minute
        minute = clock.now()[:16]
        return {
            f"floor-{name}": (
                kept.made(name, f"{self.house.stamp(name)} {minute}", partial(self.table, name)),
            )
            for name in self.tables
        }

    def table(self, name: str) -> str:
        live = self.house.table(name)
        leads, others = steps(live, "floorperson") if self.acts else (None, [])
        return render(
            "floor_table.html",
            demonstration=self.demonstration,
            name=name,
            version=live.version,
            table=live.state,
            rules=rules_of(live.state),
            phase=words.PHASES.get(live.state.phase, live.state.phase),
            waits=waits(live),
            leads=leads,
            others=others,
            menu=menu(live, "floorperson") if self.acts else [],
            part="floorperson" if self.acts else "surveillance",
            names=names(self.house, live),
            dealer=named(self.house, live.state.dealer),
            tray=total(live.state.tray),
            decks=_decks(live),
            due=_due(live),
            irregular=_irregular(live),
            broken=[one for one in live.state.devices.values() if one.condition != "working"],
        )


#: what the floor is shown until the next bets are closed
_IRREGULAR = (
    e.RoundVoided, e.CardExposed, e.FaceUpFound, e.DrawnInError, e.DeviceChanged, e.HandOut,
    e.ProgressiveStruck, e.PaymentCorrected, e.CardCorrected,
)  # fmt: skip


def _irregular(live: Live) -> list[tuple[str, str]]:
    """What went wrong in this round, newest first, in words and with its clause."""
    since = itertools.takewhile(lambda event: not isinstance(event, e.BetsClosed), live.said)
    wrong = [event for event in since if isinstance(event, _IRREGULAR)]
    return words.said(wrong, rules_of(live.state).chapter)


def _decks(live: Live) -> list[dict[str, Any]]:
    """How long each deck has been at the table, and how long it may be."""
    rules = rules_of(live.state)
    facts = rules.chapter.about.facts
    by_hand = rules.options.get("dealing") == "hand"
    fact = facts.get("change_hours_hand" if by_hand else "change_hours_shoe")
    found = []
    for deck in live.state.decks.values():
        hours = (datetime.now(UTC) - _moment(deck.received)).total_seconds() / 3600
        most = int(str(fact.value)) if fact is not None else 0
        found.append(
            {
                "id": deck.id,
                "stage": deck.stage,
                "hours": f"{hours:.1f}",
                "most": most,
                "late": bool(most) and hours > most * 0.9,
                "clause": fact.clause if fact else "",
            }
        )
    return found


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _due(live: Live) -> str:
    """When the stub is to be counted."""
    fact = rules_of(live.state).chapter.about.facts.get("stub_count_rounds")
    if fact is None:
        return ""
    left = int(str(fact.value)) - live.state.rounds_since_count
    if left <= 0:
        return "stub to be counted now"
    return f"stub to be counted within {left} round{'s' if left > 1 else ''}"


def _screen(request: Request) -> FloorScreen:
    who = signed_in(request, "floorperson", *WATCHERS)
    return FloorScreen(
        casino(request), acts=who.may("floorperson"), demonstration=request.app.state.demonstration
    )


async def floor_page(request: Request) -> Response:
    screen = _screen(request)
    if not screen.acts:
        await looked(request, signed_in(request), "the floor")
    return page(
        request, "floor.html", screen=screen, stamp=stream.stamp(screen.house, screen.tables)
    )


async def floor_stream(request: Request) -> Response:
    return stream.answer(request, _screen(request))


ROUTES = [Route("/floor", floor_page), Route("/floor/stream", floor_stream)]
