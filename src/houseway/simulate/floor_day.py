"""A casino floor's day: what each table wins, and how far from the expected a hold may lie."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from houseway.money import Cents
from houseway.refusal import Refused
from houseway.simulate.counts import Ints
from houseway.simulate.plan import Plan
from houseway.simulate.playing import Playing, finished, playing
from houseway.simulate.runner import Threads, Workers, cores, in_order
from houseway.simulate.streams import start
from houseway.simulate.tally import Tally, staked

_DAYS = 1 << 6  # of one table, in a block; part of every result
_CHUNK = 1 << 16


@dataclass(frozen=True)
class Group:
    """Tables of one kind: so many, each open for so many rounds a day."""

    name: str
    plan: Plan
    tables: int
    rounds: int


@dataclass(frozen=True)
class Days:
    """What the tables of a group won: [day, table] in cents, and what was wagered in all."""

    group: Group
    wins: Ints
    wagered: Fraction

    @property
    def handle(self) -> Fraction:
        """What is wagered at one table on one day, on average."""
        return self.wagered / self.wins.size

    def band(self, tables: int, low: float = 0.005, high: float = 0.995) -> tuple[Cents, Cents]:
        """Where the day's win of so many tables together lies, but for one day in a hundred."""
        days = len(self.wins)
        many = self.wins[:, :tables].sum(axis=1)
        ordered = np.sort(many)
        return int(ordered[int(low * days)]), int(ordered[min(days - 1, int(high * days))])


def day_block(encoded: bytes, number: int, days: int, rounds: int) -> tuple[Ints, int]:
    """The house's win on each day of a block, and what was wagered."""
    game = playing(encoded, round_by_round=True)
    count = min(_DAYS, days - number * _DAYS)
    stream = start(f"{game.plan.seed} days", number)
    wins = np.zeros(count, np.int64)
    tally = Tally.none(game)
    for day in range(count):
        room = game.new_room()  # a table opens with new cards
        left = rounds
        while left:
            nets = np.zeros((min(left, _CHUNK), game.positions), np.int64)
            counts = game.empty()
            room.rounds(len(nets), stream, counts, nets)
            tally.add(finished(game, counts, len(nets)), len(nets))
            wins[day] += -nets.sum() + _by_meters(game, counts.events)
            left -= len(nets)
    wagered = sum(
        staked(game, tally, position, column)
        for position in range(game.positions)
        for _, column in game.wagers
    )
    return wins, wagered


def _by_meters(game: Playing, events: Ints) -> Cents:
    """What meters paid: that is not the house's money."""
    names = game.rules.meter_names
    return sum(
        game.plan.meters[names[meter]] * share // 100
        for _, meter, share, _ in events[1 : 1 + int(events[0, 0])].tolist()
    )


def play_days(group: Group, days: int, workers: Workers | None = None) -> Days:
    """So many days of every table of a group."""
    if days < 1 or group.tables < 1 or group.rounds < 1:
        raise Refused("no_rounds", "there is at least one day of one table and one round")
    mine = workers is None
    players: Workers = Threads(cores()) if workers is None else workers
    every = days * group.tables
    wins, wagered = [], 0
    try:
        for won, put_up in in_order(
            players, -(-every // _DAYS), day_block, group.plan.encode(), every, group.rounds
        ):
            wins.append(won)
            wagered += put_up
    finally:
        if mine:
            players.close()
    return Days(group, np.concatenate(wins).reshape(days, group.tables), Fraction(wagered))
