"""What linked meters hold now, for every table that feeds them, whichever table changed them last.

A table takes over its link's figures when something depends on them. Other tables of the link show
them at once all the same: what is shown is read from the link, once for each change.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from msgspec.structs import replace

from houseway.errors import Refused
from houseway.floor.links.operations import Link
from houseway.floor.links.record import Reading
from houseway.floor.live_table import Live
from houseway.store import Log
from houseway.table import Table


class CurrentMeters:
    """The links of a record as they were last read."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._links: dict[str, Link] = {}
        self._read: dict[str, Reading] = {}

    def moved(self, links: Iterable[str]) -> None:
        """Read these again when they are next looked at."""
        for name in links:
            self._read.pop(name, None)

    def tables(self, link: str) -> tuple[str, ...]:
        """The tables that feed a link, or once did."""
        return tuple(self._reading(link).standing.tables)

    def stamp(self, live: Live) -> str:
        """Where the links of a table stand, after a comma; nothing for a table without one."""
        found = ""
        for link in live.feeding.links.values():
            with suppress(Refused):
                reading = self._reading(link)
                found += f",link/{link}:{reading.version + sum(reading.versions.values())}"
        return found

    def table(self, live: Live) -> Table:
        """A table with its linked meters as they stand; what does not answer is left as it was."""
        holds: dict[str, str] = {}
        for link in live.feeding.links.values():
            with suppress(Refused):
                meters = self._reading(link).meters
                holds |= {name: str(one.holds) for name, one in meters.items()}
        if not holds:
            return live.state
        known = live.state.meters
        return replace(live.state, meters={name: holds.get(name, known[name]) for name in known})

    def _reading(self, name: str) -> Reading:
        if name not in self._read:
            if name not in self._links:
                self._links[name] = Link(self._log, name)
            self._read[name] = self._links[name].read()
        return self._read[name]
