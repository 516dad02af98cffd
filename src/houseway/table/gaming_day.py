"""The gaming day: a facility's own day, which ends in the morning and not at midnight.

The day of a moment is found when something is decided, and recorded with what happened; replaying a
record needs no clock and no time zone.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from houseway.errors import Refused


class FacilityTime(msgspec.Struct, frozen=True, dict=True):
    """Where the facility is and when its gaming day begins, local time."""

    zone: str = "America/New_York"
    begins: str = "06:00"

    def __post_init__(self) -> None:
        try:
            self.__dict__["_zone"] = ZoneInfo(self.zone)
            begins = time.fromisoformat(self.begins)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise Refused(
                "not_a_gaming_day", f"{self.zone} {self.begins} is not a time zone and a time"
            ) from None
        self.__dict__["_begins"] = begins

    def local(self, at: str) -> datetime:
        """A moment in the facility's local time; one without a zone is taken as local."""
        zone: ZoneInfo = self.__dict__["_zone"]
        found = moment(at)
        return found.astimezone(zone) if found.tzinfo else found

    def day(self, at: str) -> str:
        """The gaming day of a moment: until the day begins it is still the day before."""
        local = self.local(at)
        begins: time = self.__dict__["_begins"]
        day = local.date()
        return (day if local.time() >= begins else day - timedelta(days=1)).isoformat()


@lru_cache(maxsize=64)
def moment(text: str) -> datetime:
    """A time in the format of commands."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise Refused(
            "not_a_time",
            f"{text!r} is not a time; write ISO 8601, like 2026-01-31T21:00:00",
            field="at",
        ) from None


@lru_cache(maxsize=256)
def day_of(zone: str, begins: str, at: str) -> str:
    """The gaming day of a moment at a facility."""
    return FacilityTime(zone, begins).day(at)
