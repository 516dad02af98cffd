"""The gaming day: a facility's own day, which ends in the morning and not at midnight."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from houseway.refusal import Refused
from houseway.store import Log, New, Write

#: the stream of the configuration
FACILITY = "config/facility"


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
        """A time of the record (UTC) by the facility's clock."""
        zone: ZoneInfo = self.__dict__["_zone"]
        return datetime.fromisoformat(at).astimezone(zone)

    def day(self, at: str) -> str:
        """The gaming day of a time: until the day begins it is still the day before."""
        local = self.local(at)
        begins: time = self.__dict__["_begins"]
        day = local.date()
        return (day if local.time() >= begins else day - timedelta(days=1)).isoformat()


def facility_time(log: Log) -> FacilityTime:
    """The facility's time zone and gaming day as they are configured on the record."""
    last = log.head(FACILITY).version
    for event in log.read(FACILITY, last - 1):
        return FacilityTime(event.data["zone"], event.data["begins"])
    return FacilityTime()


def set_facility_time(log: Log, when: FacilityTime, actor: str, at: str) -> None:
    """Configure it: an event like any other, so that it is known who changed it and when."""
    body = {"zone": when.zone, "begins": when.begins}
    new = New("facility_time_set", body, actor, at)
    log.append(Write(FACILITY, log.head(FACILITY).version, (new,)))
