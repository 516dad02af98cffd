"""A seeded past for the demonstration: rounds to investigate and a submission to approve.

The first round pays the progressive meter, and the shuffler jams before it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import msgspec

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.floor import clock
from houseway.floor.demonstration import sample_rules
from houseway.floor.recorded_table import RecordedTable
from houseway.floor.streams import stream
from houseway.floor.submissions import act, draft
from houseway.law import Rules, chapter, chapters
from houseway.money import dollars
from houseway.present.teaching import rule_of_thumb
from houseway.simulate.plan import usual_wagers
from houseway.store import Log, New, Write
from houseway.store.backends.memory import MemoryLog
from houseway.store.security.fair_deal import SEED_BYTES
from houseway.submission.template import starting_file
from houseway.table import Event, Table
from houseway.table.commands import Command
from houseway.table.driver import Driver

#: the table that was played, and by whom
TABLE, PLAYER, SEAT = "yesterday", "paula", 3
ROUNDS = 300


class Made(msgspec.Struct, frozen=True):
    """What was put on the record."""

    table: str
    rounds: int
    events: int
    submission: str


class _RecordingDriver(Driver):
    """A driver whose table is on a record."""

    def __init__(self, log: Log, chapter: str, rules: Any, seed: int, **parts: Any) -> None:
        source = SeededSource(seed)
        self._recorded = RecordedTable(
            log, TABLE, seed=lambda: bytes(source.below(256) for _ in range(SEED_BYTES))
        )
        super().__init__(chapter, rules, source=source, name=TABLE, **parts)

    def carry_out(self, command: Command) -> tuple[tuple[Event, ...], Table]:
        events = self._recorded.send(command)
        return events, self._recorded.table


def has_history(log: Log) -> bool:
    """Whether the record has the demonstration's past already."""
    return bool(log.head(stream(TABLE)).version)


def record_history(log: Log, rounds: int = ROUNDS, seed: int = 7) -> Made:
    """Play the past in memory, put it on the record at once, and file a submission."""
    if has_history(log):
        raise Refused(
            "history_there",
            f"the record already has a table {TABLE!r}",
            remedy="choose another file with --database",
        )
    if rounds < 1:
        raise Refused("rounds", "there must be at least one round", field="rounds")
    memory = MemoryLog()
    _play(memory, rounds, seed)
    streams: dict[str, list[New]] = {}
    for one in memory.scan():
        body = msgspec.json.decode(one.body)
        new = New(one.kind, body, one.actor, one.time, one.schema)
        streams.setdefault(one.stream, []).append(new)
    log.append(
        *(
            Write(name, 0, tuple(news))
            for name, news in streams.items()
            if not log.head(name).version  # an edition may be there already
        )
    )
    events = sum(map(len, streams.values()))
    return Made(TABLE, rounds, events, _submission(log))


def _play(log: Log, rounds: int, seed: int) -> None:
    law = next(law for law in map(chapter, chapters()) if law.about.sample.jackpot)
    rules = sample_rules(law)
    file, wagers = rules.as_file(), _wagers(rules)
    start = datetime.fromisoformat(clock.now()) - timedelta(days=1)
    table = _RecordingDriver(
        log, law.id, {**file["rules"], "shuffler": "counting"}, seed, edition=file["edition"],
        limits=file.get("limits", {}), meters=file.get("meters", {}),
        start=start.replace(microsecond=0).isoformat(),
    )  # fmt: skip
    table.seat_player(SEAT, PLAYER)
    _jackpot(table, wagers, law.about.sample.jackpot)
    for _ in range(rounds - 1):
        table.ready()
        table.wager(SEAT, wagers)
        table.finish(lambda now, seat, _: rule_of_thumb(now, seat))
    table.send("leave_seat", "player", seat=SEAT)
    counted = {dollars(value): count for value, count in table.table.tray.items()}
    table.send("close_table", "floorperson", count=counted)


def _wagers(rules: Rules) -> dict[str, str]:
    """What the player wagers in every round: each wager that is offered before the deal."""
    made = rules.chapter.wagers
    return {
        id: dollars(amount)
        for id, amount in usual_wagers(rules).items()
        if made[id].made == "before_deal"
    }


def _jackpot(table: Driver, wagers: Mapping[str, str], laid: Mapping[str, tuple[str, ...]]) -> None:
    """The first round: the shuffler jams and is repaired; real cards are keyed in, and win."""
    _keyed_in(table)
    table.send("device_jams", "dealer", device="shuffler")
    table.send("repair_device", "floorperson", device="shuffler")
    _keyed_in(table)
    table.wager(SEAT, wagers)
    table.until("deciding")
    table.send("play", "player", seat=SEAT)
    table.send("reveal_dealer", "dealer", cards=laid["dealer"])
    table.send("turn_hand", "dealer", seat=SEAT, cards=laid["player"])
    while table.table.hands:
        table.house()


def _keyed_in(table: Driver) -> None:
    """Up to the wagers, with cards whose order nobody knows."""
    while table.table.phase != "betting":
        if table.table.phase == "shuffling":
            table.send("shuffle", "device")
        else:
            table.house()


def _submission(log: Log) -> str:
    """A submission that one compliance officer filed and another has to approve."""
    now = clock.now()
    others = [law for law in map(chapter, chapters()) if not law.about.sample.jackpot]
    text = starting_file(others[0], dt.date.fromisoformat(now[:10]))
    for name, value in (
        ("operator", "Harbor Point Casino"), ("facility", "Harbor Point"),
        ("submitted_by", "Carla Compliance"), ("reference", "TG-014"),
    ):  # fmt: skip
        text = re.sub(rf'^{name} = "[^"]*"', f'{name} = "{value}"', text, flags=re.MULTILINE)
    text = re.sub(r'^(\w+) = ""', r'\1 = "HP-1"', text, flags=re.MULTILINE)
    kept = draft(log, text, "submission.toml", who="carla", now=now)
    for what in ("check", "submit"):
        with suppress(Refused):
            kept = act(log, kept.hash, what, who="carla", now=now)
    return kept.hash
