"""Health checks and Prometheus metrics for the operator."""

from __future__ import annotations

import asyncio
import os
import resource
import time
from collections import Counter

import msgspec
from starlette.datastructures import State
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from houseway.errors import Refused
from houseway.floor.integrity import put_saved_again
from houseway.web.page_support import Json, body, casino, outward
from houseway.web.stream import Counts

_STARTED = time.time()
#: seconds between two looks for threads and tasks that died
_LOOK = 5.0


async def alive(request: Request) -> Response:
    """Whether this worker answers at all; a request body is read, checked and discarded."""
    if request.method == "POST":
        await body(request, msgspec.Raw)
    return Json({"alive": True})


def replace_dead(state: State) -> int:
    """Replace threads and tasks that died; how many were since the house opened."""
    tasks = (state.keeper, state.dealer, state.bot_players)
    state.casino.check_threads()
    for one in tasks:
        one.ensure()
    return int(state.casino.restarted + sum(one.restarted for one in tasks))


async def watch_over(state: State) -> None:
    """Replace what dies, whether or not anybody asks for the health of the house."""
    while True:
        await asyncio.sleep(_LOOK)
        replace_dead(state)


async def health(request: Request) -> Response:
    """Whether the record can be read and written, and the last check found no damage."""
    state = request.app.state
    house, keeper = casino(request), state.keeper
    restarted = replace_dead(state)
    try:
        house.log.heads(["people"])
        if house.log.failed is not None:
            await asyncio.to_thread(put_saved_again, house.log)
        if (trouble := keeper.trouble) is not None:
            raise trouble
        last = keeper.last
        if last is not None and not last.well:
            raise Refused("damaged", f"the record is damaged: {last}")
    except Refused as refusal:
        return Json({"well": False, "error": outward(refusal).as_dict()}, status_code=503)
    return Json(
        {
            "well": True,
            "checked": last.time if last else None,
            "restarted_threads": restarted,
            "tables": len(house.tables),
            "record": house.log.id,
            "worker": request.app.state.worker,
            "process": os.getpid(),
        }
    )


async def metrics(request: Request) -> Response:
    house = casino(request)
    phases = Counter(live.state.phase for live in house.all_tables().values())
    seated = sum(
        1 for live in house.all_tables().values() for box in live.state.boxes if box.player
    )
    lines: list[str] = []

    def give(name: str, kind: str, says: str, *values: tuple[str, float]) -> None:
        lines.append(f"# HELP houseway_{name} {says}")
        lines.append(f"# TYPE houseway_{name} {kind}")
        lines.extend(f"houseway_{name}{labels} {value}" for labels, value in values)

    give(
        "tables",
        "gauge",
        "Tables by phase.",
        *((f'{{phase="{p}"}}', n) for p, n in sorted(phases.items())),
    )
    give("players_seated", "gauge", "Boxes with a player.", ("", seated))
    give("people", "gauge", "People known to the house.", ("", len(house.people)))
    give("commands_total", "counter", "Commands received by this worker.", ("", house.commands))
    give("refusals_total", "counter", "Commands refused by this worker.", ("", house.refusals))
    give("streams_open", "gauge", "Event streams open at this worker.", ("", Counts.open))
    give(
        "stream_messages_total", "counter", "Messages sent on event streams.", ("", Counts.messages)
    )
    give("stream_bytes_total", "counter", "Bytes of compressed event streams.", ("", Counts.bytes))
    usage = resource.getrusage(resource.RUSAGE_SELF)
    give("memory_bytes", "gauge", "Largest resident size.", ("", usage.ru_maxrss * 1024))
    give(
        "cpu_seconds_total",
        "counter",
        "Processor time of this worker.",
        ("", usage.ru_utime + usage.ru_stime),
    )
    give("started_seconds", "gauge", "When this worker started.", ("", round(_STARTED, 3)))
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")


ROUTES = [
    Route("/alive", alive, methods=["GET", "POST"]),
    Route("/health", health),
    Route("/metrics", metrics),
]
