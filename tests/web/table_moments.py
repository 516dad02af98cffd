"""A game that was played elsewhere, laid at a table of the casino command by command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from houseway.floor.casino import Casino
from houseway.floor.live_table import Live
from houseway.floor.recorded_table import news
from houseway.store import Write
from houseway.table import Event


def moments(casino: Casino, events: Sequence[Event]) -> Iterator[Live]:
    """A table of the casino after every command of a game that was played elsewhere."""
    live = Live(casino.log, "1")
    for _, of_a_command in groupby(events, attrgetter("at")):  # the driver's clock ticks with each
        told = tuple(news(live._opened.state, tuple(of_a_command), lambda: bytes(32)))
        live.take(casino.log.append(Write(live.stream, live.version, told)))
        casino.tables["1"] = live
        yield live
