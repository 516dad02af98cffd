"""Investigation: find a round, step through it as each role saw it, prove it, take it away."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from houseway.cards import Card, card
from houseway.errors import Refused, printable
from houseway.floor import integrity
from houseway.floor.audit.export import bundle_zip
from houseway.floor.audit.projections import Projections, projections_path
from houseway.floor.audit.replay import Step, replay
from houseway.floor.audit.report import last_day, report
from houseway.floor.audit.rounds import Filters, find_round, search, tables_on_record
from houseway.floor.audit.verify_deal import verify_deal
from houseway.floor.casino import Casino
from houseway.floor.gaming_day import facility_time
from houseway.law import chapter
from houseway.law.hand_names import HAND_NAMES
from houseway.money import cents
from houseway.present import Viewer, table_view
from houseway.store import Log
from houseway.store.verify import verify
from houseway.table import rules_of
from houseway.untrusted import whole_number
from houseway.web.page_support import (
    MAY_INVESTIGATE,
    casino,
    download,
    form,
    looked,
    named,
    page,
    signed_in,
)
from houseway.web.pages.pagination import Turning, begins, turning
from houseway.web.table.felt import felt_of, operator_of, page_symbols

T = TypeVar("T")

MAY = MAY_INVESTIGATE


class Archive:
    """The searchable side of the record, asked in a thread of its own."""

    def __init__(self, log: Log, database: str | None) -> None:
        self._log = log
        self._path = projections_path(log, database)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="archive")
        self._projections: Projections | None = None
        #: streams that cannot be read to their end, and the event that is wrong
        self.unread: dict[str, int] = {}

    async def ask(self, question: Callable[[Projections, Log], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._ask, question)

    def _ask(self, question: Callable[[Projections, Log], T]) -> T:
        when = facility_time(self._log)
        if self._projections is None or self._projections.when != when:
            self._close()
            self._projections = Projections(self._path, when)
        self._projections.update(self._log)
        self.unread = {name: at for name, (at, _) in self._projections.unread.items()}
        return question(self._projections, self._log)

    def _close(self) -> None:
        if self._projections is not None:
            self._projections.close()
            self._projections = None

    def close(self) -> None:
        self._thread.submit(self._close).result()
        self._thread.shutdown()


def archive(request: Request) -> Archive:
    found: Archive = request.app.state.archive
    return found


def _filters(request: Request) -> Filters:
    given = {name: value.strip() for name, value in request.query_params.items() if value.strip()}
    return Filters(
        table=given.get("table"),
        player=_player(casino(request), given["player"]) if "player" in given else None,
        wager=given.get("wager"),
        outcome=given.get("outcome"),
        day=given.get("day"),
        since=given.get("since"),
        until=given.get("until"),
        seat=_seat(given["seat"]) if "seat" in given else None,
        before=begins(request) or None,
        cards=tuple(given.get("cards", "").split()),
        paid=cents(given["paid"]) if "paid" in given else None,
        voided="voided" in given,
    )


def _player(house: Casino, text: str) -> str:
    """Somebody by the user name, or by the name that is shown at the table."""
    if house.people.find(text) is not None:
        return text
    wanted = text.casefold()
    found = [one.id for one in house.people.everybody() if one.name.casefold() == wanted]
    if len(found) > 1:
        listed = ", ".join(found[:6]) + (", …" if len(found) > 6 else "")
        raise Refused(
            "not_one_person", f"{len(found)} people are called {text}: {listed}", field="player"
        )
    return found[0] if found else text


async def _listed(request: Request) -> dict[str, Any]:
    """The tables, wagers and outcomes to choose from: wagers and outcomes by id, with their names."""
    laws = {live.state.chapter for live in casino(request).tables.values()}
    wagers = {w.id: w.name for id in sorted(laws) for w in chapter(id).about.wagers}
    tables = await archive(request).ask(lambda projections, _: tables_on_record(projections))
    return {"tables": tables, "wagers": wagers, "outcomes": HAND_NAMES}


def _drawn(round: dict[str, Any]) -> dict[str, Any]:
    """A round with its cards as cards."""
    hands = [{**hand, "faces": faces(hand["cards"])} for hand in round["hands"]]
    return {**round, "hands": hands, "faces": faces(round["cards"])}


def faces(text: str) -> list[Card]:
    """The cards of a line of the record; anything else is left out."""
    return [card(one) for one in _CARD.findall(text)]


_CARD = re.compile(r"(?<!\w)(?:[2-9TJQKA][cdhs]|Jk)(?!\w)")


def _seat(text: str) -> int:
    seat = whole_number(text, 999)
    if seat is None:
        raise Refused("not_a_seat", f"{printable(text, 20)} is not a seat", field="seat")
    return seat


#: rounds on a page
MOST = 50


async def rounds_page(request: Request) -> Response:
    who = signed_in(request, *MAY)
    error, found = None, []
    given = {name: value for name, value in request.query_params.items() if name != "at"}
    asked = ", ".join(f"{name} {value}" for name, value in given.items() if value)
    await looked(request, who, "the rounds", f"with {asked}" if asked else "")
    try:
        filters = _filters(request)
        found = await archive(request).ask(lambda p, _: search(p, filters, MOST + 1))
    except Refused as refusal:
        error = refusal
    return page(
        request, "rounds.html", 422 if error else 200, rounds=[_drawn(one) for one in found[:MOST]], error=error,
        given=given, verdict=None, **await _listed(request), symbols=page_symbols(),
        turning=turning(request, given, found[MOST - 1]["id"] if len(found) > MOST else ""),
        unread=archive(request).unread,
    )  # fmt: skip


async def verify_page(request: Request) -> Response:
    """Recompute every hash of the record."""
    await form(request)
    await looked(request, signed_in(request, *MAY), "the proof of the whole record")
    verdict = await asyncio.to_thread(verify, casino(request).log)
    found = await archive(request).ask(lambda p, _: search(p, Filters(), MOST))
    return page(
        request, "rounds.html", rounds=[_drawn(one) for one in found], error=None, given={}, verdict=verdict,
        **await _listed(request), symbols=page_symbols(), turning=Turning(),
        unread=archive(request).unread,
    )  # fmt: skip


# one round


async def round_and_steps(request: Request) -> tuple[dict[str, Any], list[Step]]:
    id = request.path_params["round"]

    def both(projections: Projections, log: Log) -> tuple[dict[str, Any], list[Step]]:
        found = find_round(projections, id)
        return found, replay(log, found)

    return await archive(request).ask(both)


#: the eyes that a step can be looked at with, by name
def _lookers(steps: list[Step]) -> dict[str, Viewer]:
    table = steps[-1].table
    seats = {seat for step in steps for seat in step.table.hands}
    found = {"the record": Viewer("record"), "the public": Viewer()}
    for seat in sorted(seats):
        found[f"seat {seat}"] = Viewer("seat", seat)
    del table
    return found


async def round_page(request: Request) -> Response:
    who = signed_in(request, *MAY)
    round, steps = await round_and_steps(request)
    await looked(request, who, "round", round["id"])
    lookers = _lookers(steps)
    looker = request.query_params.get("eyes", "the record")
    if looker not in lookers:
        raise Refused("no_such_seat", f"{looker} did not take part", field="eyes")
    asked = request.query_params.get("step", "0")
    at = min(whole_number(asked) or 0, len(steps) - 1)
    step = steps[at]
    house = casino(request)
    names = {box.player: named(house, box.player) for box in step.table.boxes if box.player}
    seen = table_view(step.table, lookers[looker], names)
    return page(
        request,
        "round.html",
        round=round,
        steps=steps,
        at=at,
        lookers=lookers,
        looker=looker,
        felt=felt_of(rules_of(step.table), house=operator_of(house, step.table)).both(seen),
        symbols=page_symbols(),
        law=step.table.chapter,
        shown=_told(step, looker),
        told=[_told(one, looker) for one in steps],
        verdict=None,
    )


def _told(step: Step, looker: str) -> str:
    """The text of a step for this reader, without cards that the reader may not see."""
    return step.says if looker == "the record" else step.shown or step.says


async def deal_page(request: Request) -> Response:
    """Prove that a round was dealt from the order sealed before its bets."""
    await form(request)
    who = signed_in(request, *MAY)
    id = request.path_params["round"]
    verdict = await archive(request).ask(lambda p, log: verify_deal(log, find_round(p, id)))
    await looked(request, who, "the proof of round", id)
    return page(request, "deal.html", verdict=verdict, id=id)


async def bundle_file(request: Request) -> Response:
    """The dispute bundle as one file."""
    who = signed_in(request, *MAY)
    id = request.path_params["round"]

    def make(projections: Projections, log: Log) -> bytes:
        return bundle_zip(log, find_round(projections, id))

    data = await archive(request).ask(make)
    return await download(request, who, "dispute bundle", f"round {id}", data)


async def report_page(request: Request) -> Response:
    """Drop, win and hold beside what the mathematics expect."""
    day = request.query_params.get("day", "")
    await looked(request, signed_in(request, *MAY), "win and hold", day and f"of {day}")

    def ask(projections: Projections, _: Log) -> dict[str, Any]:
        return report(projections, day or last_day(projections))

    try:
        found: dict[str, Any] | None = await archive(request).ask(ask)
    except Refused as refusal:
        if refusal.code != "no_rounds":
            raise
        found = None
    return page(request, "report.html", report=found)


async def integrity_page(request: Request) -> Response:
    """What the checks of the record and of the software found, for the examiner."""
    who = signed_in(request, *MAY)
    keeper = request.app.state.keeper
    if request.method == "POST":
        await form(request)
        await asyncio.to_thread(keeper.check)
    await looked(request, who, "the checks of the record")
    log = casino(request).log
    return page(
        request, "integrity.html", last=keeper.last, trouble=keeper.trouble,
        checks=[(one.time, one.kind, one.data) for one in reversed(integrity.latest(log))],
        key=log.keys.active.public if log.keys is not None else "",
    )  # fmt: skip


ROUTES = [
    Route("/integrity", integrity_page, methods=["GET", "POST"]),
    Route("/rounds", rounds_page),
    Route("/rounds/verify", verify_page, methods=["POST"]),
    Route("/rounds/{round}", round_page),
    Route("/rounds/{round}/deal", deal_page, methods=["POST"]),
    Route("/rounds/{round}/bundle.zip", bundle_file),
    Route("/report", report_page),
]
