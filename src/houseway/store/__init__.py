"""The record: an append-only, tamper-evident log of events. It knows nothing of games."""

from houseway.store.event import EMPTY, NOTHING, Event, Head, New, Write, canonical, digest
from houseway.store.log import Conflict, Log, Unavailable, retrying
from houseway.store.open_log import default_path, open_log

__all__ = [
    "EMPTY", "NOTHING", "Conflict", "Event", "Head", "Log", "New", "Unavailable", "Write",
    "canonical", "default_path", "digest", "open_log", "retrying",
]  # fmt: skip
