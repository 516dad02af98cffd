"""What time it is. The only place that asks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def now() -> str:
    """The moment in UTC, as the record writes it: `2026-01-31T21:05:09.250Z`."""
    return _text(datetime.now(UTC))


def later(seconds: float) -> str:
    """The moment so many seconds from now."""
    return _text(datetime.now(UTC) + timedelta(seconds=seconds))


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
