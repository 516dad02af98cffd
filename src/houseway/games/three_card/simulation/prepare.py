"""The kernel of a plan: seven seats with every wager, or the duel of two hands where it will do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.games.three_card.simulation import codes, duel
from houseway.games.three_card.simulation.kernel import play, room_for
from houseway.games.three_card.simulation.strategies import Decide
from houseway.games.three_card.simulation.tables import build, names_by_column
from houseway.law import Rules
from houseway.simulate.kernels.counts import Counts, Ints
from houseway.simulate.kernels.kernel import NONE, CompiledKernel, LiveTable
from houseway.simulate.plan import Plan


@dataclass(frozen=True, kw_only=True)
class ThreeCardKernel(CompiledKernel):
    """Up to seven seats with every wager."""

    table: codes.Table

    def finish(self, counts: Counts) -> None:
        # Pair Plus, the progressive and coupons come to the same codes as the ante
        counts.codes[:, : codes.TOGETHER] = counts.codes[:, codes.ANTE_PLAY, None].copy()
        counts.codes[:, ~self.table.made] = 0


@dataclass(frozen=True, kw_only=True)
class DuelKernel(ThreeCardKernel):
    """One hand against the dealer's; it keeps no net results of single rounds."""

    def new_table(self) -> LiveTable:
        return _DuelTable(self.table)

    def finish(self, counts: Counts) -> None:
        super().finish(counts)
        met, net = counts.codes[0, 0], self.net[0, : codes.TOGETHER].sum(axis=0)
        counts.totals[0] = (met * net).sum()
        square = sum(int(n) * int(a) ** 2 for n, a in zip(met, net, strict=True))
        counts.low[0, 0], counts.high[0, 0] = square & 0xFFFFFFFF, square >> 32


class _DuelTable:
    """A table where nothing but the two hands matters."""

    def __init__(self, table: codes.Table) -> None:
        self._arrays = duel.arrays(table)

    def rounds(
        self, count: int, stream: NDArray[np.uint64], counts: Counts, nets: Ints = NONE
    ) -> None:
        assert not len(nets)
        duel.duel(count, stream, *self._arrays, duel.room(), counts.codes[0, codes.ANTE_PLAY])


def kernel(plan: Plan, rules: Rules, strategy: Decide, round_by_round: bool) -> CompiledKernel:
    """The kernel of a plan."""
    table, staked = build(
        rules,
        plan.stakes,
        strategy,
        owners=plan.owners,
        on_hand=plan.on_hand,
        coupons=plan.coupons,
        meters=plan.meters,
    )
    by_column = names_by_column(rules)
    alone = not round_by_round and _is_duel(table)
    made: type[ThreeCardKernel] = DuelKernel if alone else ThreeCardKernel
    given: Any = {"block": duel.BLOCK} if alone else {}
    return made(
        wagers=tuple((by_column[int(n)], int(n)) for n in np.flatnonzero(table.made)),
        net=table.net,
        staked=staked,
        play=play,
        table=table,
        cards=codes.OF_CARD,
        room_for=room_for,
        covariance=plan.covariance,
        round_cards=table.cards,
        **given,
    )


def _is_duel(table: codes.Table) -> bool:
    """Whether the two hands alone decide everything: one position, played or folded."""
    beside = table.made.copy()
    beside[[codes.ANTE_PLAY, codes.PAIR_PLUS, codes.COUPON]] = False
    decisions = table.hands.astype(np.int64) >> codes.DECISION & codes.HAND_DECISION
    forfeits = (decisions == codes.FORFEIT).any()
    alone = len(table.own) == 1 and table.decides[0] and table.dealt == 1
    return bool(alone and not beside.any() and not forfeits and not table.limit)
