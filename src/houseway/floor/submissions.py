"""Submissions on the record: one stream for each game at each facility, never deleted."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from houseway.errors import Refused
from houseway.law import Rules
from houseway.store import Log, New, Write, retrying
from houseway.submission.checks.run_checks import check_text
from houseway.submission.lifecycle import Act, Kept, Register, decide, drafted, evolve, opened

PREFIX = "submission."


def stream(chapter: str, facility: str) -> str:
    return f"{PREFIX}{chapter}.{facility}"


def _read(log: Log, name: str) -> tuple[Register, int]:
    register, version = Register(), 0
    for event in log.read(name):
        register = evolve(register, event.kind, event.data, event.actor, event.time)
        version = event.version
    return register, version


def register_of(log: Log, chapter: str, facility: str) -> Register:
    """Every submission for a game at a facility."""
    return _read(log, stream(chapter, facility))[0]


def registers(log: Log) -> Iterator[Register]:
    """Every register on the record."""
    for name in sorted(log.heads(prefix=PREFIX)):
        yield _read(log, name)[0]


def find(log: Log, hash: str) -> tuple[Register, Kept]:
    """A submission by its hash or the beginning of it, and the register it is in."""
    found = [(register, kept) for register in registers(log) for kept in register.matching(hash)]
    if len(found) != 1:
        many = "more than one submission" if found else "no submission"
        raise Refused("no_such_submission", f"there is {many} {hash!r}", field="submission")
    return found[0]


def draft(log: Log, text: str, name: str, *, who: str, now: str) -> Kept:
    """Put a submission on record as a draft; the same document is not written twice."""
    kind, body = drafted(text, name)
    place = stream(body["chapter"], body["facility"])

    def write() -> list[Write]:
        register, version = _read(log, place)
        if register.with_document(body["hash"]) is not None:
            return []
        return [Write(place, version, (New(kind, body, who, now),))]

    retrying(log, write)
    kept = _read(log, place)[0].with_document(body["hash"])
    assert kept is not None
    return kept


def act(
    log: Log, hash: str, what: Act, *, who: str, now: str, in_force: dt.date | None = None
) -> Kept:
    """Check, submit or approve a submission on record."""
    _, kept = find(log, hash)
    place = stream(kept.chapter, kept.facility)

    def write() -> list[Write]:
        register, version = _read(log, place)
        today = dt.date.fromisoformat(now[:10])
        kind, body = decide(register.kept[kept.hash], what, who=who, today=today, in_force=in_force)
        return [Write(place, version, (New(kind, body, who, now),))]

    retrying(log, write)
    return _read(log, place)[0].kept[kept.hash]


def for_a_table(log: Log, chapter: str, facility: str, day: dt.date) -> Kept:
    """The submission that a table of this game opens with on a day, or a refusal."""
    return register_of(log, chapter, facility).for_a_table(day)


def open_with(
    log: Log, table: str, chapter: str, facility: str, *, who: str, now: str
) -> tuple[Rules, Kept]:
    """The rules that a table opens under today; that it did, and with which, is on the record."""
    place = stream(chapter, facility)

    def write() -> list[Write]:
        register, version = _read(log, place)
        kind, body = opened(register, table, dt.date.fromisoformat(now[:10]))
        return [Write(place, version, (New(kind, body, who, now),))]

    retrying(log, write)
    kept = _read(log, place)[0].opened_with(table)
    assert kept is not None
    submission = check_text(kept.text, kept.name).submission
    assert submission is not None  # it passed when it was checked
    return submission.rules, kept
