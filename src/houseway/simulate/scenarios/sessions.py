"""Sessions: one player with a bankroll and a stake plan for a number of rounds, thousands of times.

There is no simple formula for what a player takes home after a session. Each session plays real
rounds from the game's kernel; the first position is the player's. A player is ruined when what is
left cannot cover a whole round at the smallest stake: the wagers and what a decision adds to them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from houseway.errors import Refused
from houseway.maths.counting.threads import cores
from houseway.money import Cents
from houseway.simulate.kernels.compiled import compiled
from houseway.simulate.kernels.counts import Ints
from houseway.simulate.kernels.kernel import payout_limit
from houseway.simulate.kernels.random_streams import start
from houseway.simulate.plan import Plan
from houseway.simulate.prepared import Playing, playing
from houseway.simulate.runner import Threads, Workers, in_order

#: flat: always the same; martingale: double after a loss, up to 256 base stakes; paroli: double
#: after a win, up to 8; proportional: as many base stakes as a hundredth of the bankroll covers
STAKE_PLANS = ("flat", "martingale", "paroli", "proportional")
FLAT, MARTINGALE, PAROLI, PROPORTIONAL = range(4)
_MOST = {MARTINGALE: 256, PAROLI: 8}
_SESSIONS = 1 << 10  # in a block; part of every result, since each block has its own stream
#: sessions whose results are kept, each by itself
KEPT = 100_000_000
_CHUNK = 1 << 16


@compiled
def follow(
    nets: Ints, rounds: int, bankroll: int, need: int, stake_plan: int, most: int, now: Ints,
    results: Ints,
) -> None:  # fmt: skip
    """Follow sessions through the nets of rounds; `now` carries the one that is not over yet.

    `now` is session, round, rounds played, net, peak, deepest fall, ruined, multiple of the stake.
    A row of `results` is net, deepest fall, rounds played, whether ruined.
    """
    session, number, played, net, peak, fall, ruined, times = now
    for amount in nets:
        if not ruined:
            net += amount * times
            played += 1
            peak = max(peak, net)
            fall = max(fall, peak - net)
            if stake_plan == MARTINGALE and amount:
                times = 1 if amount > 0 or times >= most else min(times * 2, most)
            elif stake_plan == PAROLI and amount:
                times = 1 if amount < 0 or times >= most else min(times * 2, most)
            elif stake_plan == PROPORTIONAL:
                times = (bankroll + net) // (100 * need)
            # no plan stakes more than is there, nor less than the least
            times = max(1, min(times, (bankroll + net) // need))
            ruined = bankroll + net < need
        number += 1
        if number == rounds:
            results[session, 0], results[session, 1] = net, fall
            results[session, 2], results[session, 3] = played, ruined
            session += 1
            number = played = net = peak = fall = ruined = 0
            times = max(1, bankroll // (100 * need)) if stake_plan == PROPORTIONAL else 1
    now[0], now[1], now[2], now[3] = session, number, played, net
    now[4], now[5], now[6], now[7] = peak, fall, ruined, times


@dataclass(frozen=True)
class Sessions:
    """The results of all sessions: a row each of net, maximum drawdown, rounds played, ruined."""

    rounds: int
    bankroll: Cents
    rows: Ints

    @property
    def count(self) -> int:
        return len(self.rows)

    def chance(self, happened: NDArray[np.bool_]) -> tuple[float, float, float]:
        """A share of the sessions with its 99% interval (Wilson)."""
        n, z = self.count, NormalDist().inv_cdf(0.995)
        p = float(happened.mean())
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return p, max(0.0, middle - half), min(1.0, middle + half)

    @cached_property
    def ruin(self) -> tuple[float, float, float]:
        return self.chance(self.rows[:, 3] > 0)

    @cached_property
    def ahead(self) -> tuple[float, float, float]:
        return self.chance(self.rows[:, 0] > 0)

    def quantiles(self, column: int, at: tuple[float, ...]) -> list[Cents]:
        """Amounts in cents that so large a share of sessions stays at or below."""
        ordered = np.sort(self.rows[:, column])
        return [int(ordered[min(self.count - 1, int(share * self.count))]) for share in at]


def _check(game: Playing, bankroll: Cents, stake_plan: str) -> None:
    need = game.family.needed(game)
    if bankroll < need:
        raise Refused(
            "bankroll_too_small",
            f"a round takes ${need / 100:,.2f}, more than the bankroll",
            field="bankroll",
        )
    if stake_plan not in STAKE_PLANS:
        raise Refused(
            "no_such_value", f"a stake plan is {', '.join(STAKE_PLANS)}", field="stake_plan"
        )
    if stake_plan == "flat":
        return
    fixed = game.rules.meter_names or payout_limit(game.rules)
    tables = [table for wager in game.plan.stakes[0] for table in game.rules.tables(wager)]
    if fixed or any(pay.odds.kind not in ("to", "for") for t in tables for pay in t.pays.values()):
        raise Refused(
            "no_such_value",
            "dollar awards, meters and payout limits do not grow with the stake; "
            "use flat stakes with them",
            field="stake_plan",
        )


def session_block(
    encoded: bytes, number: int, sessions: int, rounds: int, bankroll: Cents, stake_plan: int
) -> Ints:
    """The sessions of one block."""
    game = playing(encoded, round_by_round=True)
    count = min(_SESSIONS, sessions - number * _SESSIONS)
    results = np.zeros((count, 4), np.int64)
    need = game.family.needed(game)
    times = max(1, bankroll // (100 * need)) if stake_plan == PROPORTIONAL else 1
    now = np.array([0, 0, 0, 0, 0, 0, 0, times], np.int64)
    table, counts = game.new_table(), game.empty()
    stream = start(f"{game.plan.seed} sessions", number)
    left = count * rounds
    while left:
        nets = np.zeros((min(left, _CHUNK), game.positions), np.int64)
        counts.events[0, 0] = 0
        table.rounds(len(nets), stream, counts, nets)
        mine = np.ascontiguousarray(nets[:, 0])
        follow(mine, rounds, bankroll, need, stake_plan, _MOST.get(stake_plan, 1), now, results)
        left -= len(nets)
    return results


def play_sessions(
    plan: Plan,
    *,
    sessions: int,
    rounds: int,
    bankroll: Cents,
    stake_plan: str = "flat",
    workers: Workers | None = None,
    progress: Callable[[int], None] | None = None,
) -> Sessions:
    """Play a number of sessions; the result depends only on the plan and these numbers."""
    if sessions < 1 or rounds < 1:
        raise Refused(
            "no_rounds", "there must be at least one session of one round", field="sessions"
        )
    if sessions > KEPT:
        raise Refused("too_many_sessions", f"at most {KEPT:,} sessions are kept", field="sessions")
    encoded = plan.encode()
    _check(playing(encoded, round_by_round=True), bankroll, stake_plan)
    mine = workers is None
    players: Workers = Threads(cores()) if workers is None else workers
    try:
        parts = []
        for part in in_order(
            players, -(-sessions // _SESSIONS), session_block, encoded, sessions, rounds,
            bankroll, STAKE_PLANS.index(stake_plan),
        ):  # fmt: skip
            parts.append(part)
            if progress:
                progress(sum(map(len, parts)))
    finally:
        if mine:
            players.close()
    return Sessions(rounds, bankroll, np.concatenate(parts))
