"""The facility's time zone and gaming day, as they are configured on the record."""

from __future__ import annotations

from datetime import date

from houseway.errors import Refused
from houseway.floor import clock
from houseway.floor.clock import Step
from houseway.store import Log, New, Write, retrying
from houseway.table.gaming_day import FacilityTime

__all__ = ["FACILITY", "FacilityTime", "facility_time", "set_facility_time"]

#: the stream of the configuration
FACILITY = "config/facility"
#: the stream of steps of the wall clock
CLOCK = "config/clock"


def gaming_day(text: str) -> str:
    """A gaming day as it is written: 2026-03-01."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise Refused(
            "not_a_day", f"{text!r} is not a day; write 2026-03-01", field="day"
        ) from None


def record_clock_step(log: Log, step: Step) -> None:
    """The machine's wall clock was set: put it on the record."""

    def decide() -> list[Write]:
        body = {"expected": step.expected, "shown": step.shown}
        new = New("clock_stepped", body, "system", clock.now())
        return [Write(CLOCK, log.head(CLOCK).version, (new,))]

    retrying(log, decide)


def facility_time(log: Log) -> FacilityTime:
    """The facility's time zone and gaming day as they are configured on the record."""
    last = log.head(FACILITY).version
    for event in log.read(FACILITY, last - 1):
        return FacilityTime(event.data["zone"], event.data["begins"])
    return FacilityTime()


def set_facility_time(log: Log, when: FacilityTime, actor: str, at: str) -> None:
    """Record new settings, and who set them and when."""
    body = {"zone": when.zone, "begins": when.begins}
    new = New("facility_time_set", body, actor, at)
    log.append(Write(FACILITY, log.head(FACILITY).version, (new,)))
