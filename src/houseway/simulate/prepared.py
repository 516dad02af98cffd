"""A plan made ready to be played: its arrays, its kernel, and the rounds of one block."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from houseway.errors import Refused
from houseway.games.down_under import simulation_kernel as down_under_kernel
from houseway.games.saigon import simulation_kernel as saigon_kernel
from houseway.games.three_card import duel_kernel
from houseway.games.three_card import simulation_codes as three_card_codes
from houseway.games.three_card import simulation_kernel as three_card_kernel
from houseway.games.three_card import simulation_tables as three_card_tables
from houseway.law import DOWN_UNDER, SAIGON, Rules
from houseway.simulate import strategies
from houseway.simulate.counts import Counts, Ints, empty
from houseway.simulate.plan import Plan, rules_of
from houseway.simulate.random_streams import start

#: Rounds of a block. The stream of a block begins anew, so these numbers are part of every result.
BLOCK = 1 << 20
DUEL_BLOCK = 1 << 24
_MOST_NET = 3_000_000_000  # a product of two nets must fit 63 bits
#: hits of meters are at most one in a few hundred hands; more than this would be a mistake
_HITS = 1 << 16
_NONE = np.zeros((0, 0), np.int64)
_NO_LINES = np.zeros((0, 0, 0), np.int64)


class Room(Protocol):
    """What a table carries from one call of its kernel to the next."""

    def rounds(
        self, count: int, stream: NDArray[np.uint64], counts: Counts, nets: Ints = ...
    ) -> None: ...


@dataclass(frozen=True)
class Playing:
    """A table of one plan, ready for its kernel."""

    plan: Plan
    rules: Rules
    #: names of the wagers that are made, as the PAR sheet has them, with their column
    wagers: tuple[tuple[str, int], ...]
    #: [P, wager, code] net and stake, in cents
    net: Ints
    staked: Ints
    #: the strategy as the exact mathematics wants it
    strategy: Any
    #: the kernel's arrays
    table: Any
    kind: str
    block: int

    @property
    def positions(self) -> int:
        return len(self.plan.stakes)

    def empty(self) -> Counts:
        hits = _HITS if self.rules.meter_names else 0
        return empty(self.positions, self.net.shape[1], self.net.shape[2], hits)

    def new_room(self) -> Room:
        """A table with a new deck or shoe."""
        if self.kind == "duel":
            return _Duel(self.table)
        if self.kind == "down_under":
            return _Shoe(self.table, self.rules["decks"], self.plan.covariance)
        shows = np.array([self.plan.meters[name] for name in self.rules.meter_names], np.int64)
        return _Deck(self.kind, self.table, shows, self.plan.covariance)


class _Deck:
    """A table with a deck of its own, for the three-card games and Saigon."""

    def __init__(self, kind: str, table: Any, shows: Ints, covariance: bool) -> None:
        self._table, self._covariance = table, covariance
        self._room: Any
        if kind == "saigon":
            self._deck, self._room = saigon_kernel.OF_CARD.copy(), saigon_kernel.room_for(table)
            self._shows = None
        else:
            self._deck = three_card_codes.OF_CARD.copy()
            self._room = three_card_kernel.room_for(table)
            self._shows = shows

    def rounds(
        self,
        count: int,
        stream: NDArray[np.uint64],
        counts: Counts,
        nets: Ints = _NONE,
        given: Ints = _NONE,
        lines: Ints = _NO_LINES,
    ) -> None:
        if self._shows is not None:
            three_card_kernel.play(
                self._table, count, stream, self._deck, given, self._shows, counts, nets, lines,
                self._covariance, self._room,
            )  # fmt: skip
        else:
            saigon_kernel.play(
                self._table, count, stream, self._deck, given, counts, nets, lines,
                self._covariance, self._room,
            )  # fmt: skip


class _Shoe:
    """A table with a shoe, which lasts for many rounds."""

    def __init__(self, table: Any, decks: int, covariance: bool) -> None:
        self._table, self._covariance = table, covariance
        self._shoe = np.tile(np.arange(52), decks)
        self._place = np.array([len(self._shoe), 0])  # the first round opens a shoe
        self._room = down_under_kernel.room_for(table)

    def rounds(
        self,
        count: int,
        stream: NDArray[np.uint64],
        counts: Counts,
        nets: Ints = _NONE,
        given: Ints = _NONE,
        lines: Ints = _NO_LINES,
    ) -> None:
        down_under_kernel.play(
            self._table, count, stream, self._shoe, self._place, given, counts, nets, lines,
            self._covariance, self._room,
        )  # fmt: skip


class _Duel:
    """One hand against the dealer's, where nothing but the two hands matters."""

    def __init__(self, table: Any) -> None:
        self._arrays = duel_kernel.arrays(table)

    def rounds(
        self, count: int, stream: NDArray[np.uint64], counts: Counts, nets: Ints = _NONE
    ) -> None:
        assert not len(nets)
        into = counts.codes[0, three_card_codes.ANTE_PLAY]
        duel_kernel.duel(count, stream, *self._arrays, duel_kernel.room(), into)


@lru_cache(maxsize=16)
def playing(encoded: bytes, round_by_round: bool = False) -> Playing:
    """Make a plan ready; `round_by_round` where the nets of single rounds will be wanted."""
    plan = msgspec.json.decode(encoded, type=Plan)
    rules = rules_of(plan)
    table: Any
    strategy: Any
    if plan.chapter == SAIGON:
        strategy = strategies.saigon(rules, plan.strategy)
        table, staked = saigon_kernel.build(rules, plan.stakes, strategy)
        names = ["ante", *(["bonus"] if table.with_bonus else [])]
        wagers = [(name, saigon_kernel.WAGERS.index(name)) for name in names]
        kind = "saigon"
    elif plan.chapter == DOWN_UNDER:
        strategy = strategies.down_under(rules, plan.strategy)
        insured = plan.insures
        table, staked = down_under_kernel.build(
            rules, plan.stakes, strategy, insures=insured, even_money=insured, cover=plan.cover
        )
        made = [True, insured, table.with_match]
        wagers = [(name, n) for n, name in enumerate(down_under_kernel.WAGERS) if made[n]]
        kind = "down_under"
    else:
        strategy = strategies.three_cards(rules, plan.strategy)
        table, staked = three_card_tables.build(
            rules,
            plan.stakes,
            strategy,
            owners=plan.owners,
            on_hand=plan.on_hand,
            coupons=plan.coupons,
        )
        by_column = three_card_tables.names_by_column(rules)
        wagers = [(by_column[int(n)], int(n)) for n in np.flatnonzero(table.made)]
        kind = "three_card"
        if not round_by_round and _is_duel(plan, table):
            kind = "duel"
    if np.abs(table.net).sum(axis=1).max() > _MOST_NET or max(plan.meters.values(), default=0) > (
        _MOST_NET
    ):
        raise Refused(
            "stakes_too_high",
            f"a round could win more than ${_MOST_NET // 100:,}: wager less to simulate it",
            field="wagers",
        )
    block = DUEL_BLOCK if kind == "duel" else BLOCK
    return Playing(plan, rules, tuple(wagers), table.net, staked, strategy, table, kind, block)


def _is_duel(plan: Plan, table: three_card_codes.Table) -> bool:
    """Whether the two hands alone decide everything: one position, played or folded."""
    beside = table.made.copy()
    beside[[three_card_codes.ANTE_PLAY, three_card_codes.PAIR_PLUS, three_card_codes.COUPON]] = (
        False
    )
    decisions = table.hands.astype(np.int64) >> three_card_codes.DECISION & 3
    forfeits = (decisions == three_card_codes.FORFEIT).any()
    alone = len(plan.stakes) == 1 and table.decides[0] and table.dealt == 1
    return bool(alone and not beside.any() and not forfeits and not table.limit)


def play_block(encoded: bytes, number: int, rounds: int) -> Counts:
    """The rounds of one block: the same on every machine."""
    game = playing(encoded)
    counts = game.empty()
    game.new_room().rounds(rounds, start(game.plan.seed, number), counts)
    return finished(game, counts, rounds)


def warm(plan: Plan) -> None:
    """Have the kernel of a plan compiled, or fetched from the cache, before a clock is started."""
    play_block(plan.encode(), 0, 1)


def finished(game: Playing, counts: Counts, rounds: int) -> Counts:
    """The counts of a block with what a kernel leaves to be worked out from others."""
    codes = counts.codes
    if game.kind in ("duel", "three_card"):
        # Pair Plus, the progressive and coupons come to the same codes as the ante
        shared = codes[:, three_card_codes.ANTE_PLAY].copy()
        for column in range(three_card_codes.TOGETHER):
            codes[:, column] = shared
        for column in range(codes.shape[1]):
            if not game.table.made[column]:
                codes[:, column] = 0
    if game.kind == "duel":
        net = game.net[0, : three_card_codes.TOGETHER].sum(axis=0)
        counts.totals[0] = (codes[0, 0] * net).sum()
        square = sum(int(n) * int(a) ** 2 for n, a in zip(codes[0, 0], net, strict=True))
        counts.low[0, 0], counts.high[0, 0] = square & 0xFFFFFFFF, square >> 32
    hits = int(counts.events[0, 0])
    if hits >= len(counts.events):
        raise OverflowError(f"more than {len(counts.events)} hits of meters in {rounds} rounds")
    # a block travels without the room that its hits did not need: it is most of its size
    return counts._replace(events=counts.events[: 1 + hits].copy())
