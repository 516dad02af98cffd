"""The decisions that people made, each with the table before it, for review."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from houseway.errors import Refused
from houseway.floor.editions import edition_of, learn_edition
from houseway.floor.recorded_table import table_event
from houseway.floor.streams import PREFIX
from houseway.money import Cents
from houseway.present.teaching import TEACHING, Worth, advise
from houseway.store import Log
from houseway.table import Event, Table, evolve, rules_of
from houseway.table import events as e

#: decisions remembered for each person, the latest last
MOST = 400


class Decision(NamedTuple):
    """One decision: who, where, what was chosen, and the table before it."""

    table: str
    #: as the record names it: `table.opening.round`
    round: str
    time: str
    seat: int
    choice: str
    before: Table
    #: the unit of the values of its choices
    stake: Cents


class Judged(NamedTuple):
    """A decision beside the best one, in exact values."""

    decision: Decision
    worth: Worth
    best: str
    #: what the decision cost compared with the best one, in units and in cents
    cost: float
    cents: Cents


class _Followed:
    """One table's stream, as far as it was read."""

    def __init__(self) -> None:
        self.version = 0
        self.openings = 0
        self.table = Table()
        self.before = Table()
        self.command: tuple[str, str] = ("", "")
        self.told = False


class Decisions:
    """Everybody's decisions, read from the record as it grows."""

    def __init__(self) -> None:
        self._followed: dict[str, _Followed] = {}
        self._of: dict[str, deque[Decision]] = {}
        self._judged: dict[tuple[str, str, int, str], Judged | None] = {}

    def update(self, log: Log) -> None:
        """Read what was written since the last call."""
        for name, head in log.heads(prefix=PREFIX).items():
            one = self._followed.setdefault(name, _Followed())
            if one.version >= head.version:
                continue
            for recorded in log.read(name, one.version):
                one.version = recorded.version
                event = table_event(recorded)
                if event is None:
                    continue
                if isinstance(event, e.TableOpened):
                    learn_edition(log, edition_of(event))
                    one.openings += 1
                standing = str(recorded.data.get("key", "")).startswith("standing instruction")
                self._take(name.removeprefix(PREFIX), one, event, standing=standing)

    def _take(self, name: str, one: _Followed, event: Event, *, standing: bool) -> None:
        command = (event.who, event.at)
        if command != one.command:
            one.command, one.before, one.told = command, one.table, standing
        seat = getattr(event, "seat", 0)
        if event.role == "player" and seat and not one.told and one.before.hands:
            rules = rules_of(one.before)
            choice = TEACHING.of(rules.chapter).choice(rules, event)
            if choice:
                one.told = True
                first = next(iter(rules.chapter.wagers))
                wagers = one.before.boxes[seat - 1].wagers
                stake = next((wagers[w] for w in wagers if w.partition("@")[0] == first), 0)
                round_ = f"{name}.{one.openings}.{one.before.round}"
                made = Decision(name, round_, event.at, seat, choice, one.before, stake)
                self._of.setdefault(event.who, deque(maxlen=MOST)).append(made)
        one.table = evolve(one.table, event)

    def of(self, person: str) -> list[Decision]:
        """Somebody's decisions, the latest first."""
        return list(reversed(self._of.get(person, ())))

    def judged(self, person: str) -> list[Judged]:
        """Somebody's decisions that the mathematics can judge, the latest first."""
        found = []
        for decision in self.of(person):
            key = decision.table, decision.round, decision.before.version, person
            if key not in self._judged:
                self._judged[key] = judge(decision)
            judgment = self._judged[key]
            if judgment is not None:
                found.append(judgment)
        return found


def judge(decision: Decision) -> Judged | None:
    """What a decision cost compared with the best one; None if the game has no advice."""
    try:
        _, worth = advise(decision.before, decision.seat)
    except Refused:
        return None
    values = dict(worth)
    if decision.choice not in values or len(values) < 2:
        return None
    best, most = worth[0]
    cost = most - values[decision.choice]
    return Judged(decision, worth, best, float(cost), round(cost * decision.stake))
