"""Saigon 5 Card compiled: five cards set and counted by one look into a table.

Every rank, and the joker, has a key such that five cards' keys add up to a number that no other five
ranks have. At that number a table holds how the hand is set and what its Bonus is; a flush has a
table of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.cards import JOKER, Card
from houseway.games.saigon import hands as saigon_hands
from houseway.games.saigon.hands import Setting, bonus_hand
from houseway.games.saigon.settlement import settle_ante, settle_bonus
from houseway.games.saigon.simulation.strategies import Choose
from houseway.law import Chapter, Rules
from houseway.money import Cents
from houseway.simulate.kernels.compiled import compiled, inlined
from houseway.simulate.kernels.counts import Counts, Ints, add_totals
from houseway.simulate.kernels.five_of_six import CARRY, FIVE_SUITED
from houseway.simulate.kernels.kernel import CodeValues, CompiledKernel, payout_limit
from houseway.simulate.kernels.random_streams import lay
from houseway.simulate.plan import Plan

WAGERS = ("ante", "bonus")
ANTE, BONUS = range(2)
SETTINGS = 11  # does not qualify, then a point count of 1 to 10
CODES = SETTINGS * SETTINGS

#: no two sets of five ranks, four of each at most, have the same sum; `sets` makes sure of it
_RANK_KEYS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
_MOST = 4 * _RANK_KEYS[12] + _RANK_KEYS[11]
KEYS = np.array([_RANK_KEYS[card >> 2] for card in range(52)] + [_MOST + 1], np.int64)
#: one for the card's suit, four bits a suit; the joker is of every suit
SUITS = np.array([1 << 4 * (card & 3) for card in range(52)] + [0x1111], np.int64)
_SUITS, _KEY = 32, (1 << 32) - 1  # a hand is one word: its key, and above it its suits
OF_CARD = KEYS | SUITS << _SUITS
_ONE, _TWO, _THREE, _FOUR = (np.uint64(number) for number in range(1, 5))
#: rounds that are dealt together
BATCH = 64
_FIVE_SUITED, _CARRY = FIVE_SUITED << _SUITS, CARRY << _SUITS

NAMES = (
    "nothing", "five_aces", "royal_flush", "royal_flush_joker", "straight_flush", "four_of_a_kind",
    "full_house", "flush", "straight", "three_of_a_kind", "two_pair",
)  # fmt: skip


class Table(NamedTuple):
    """One table as arrays."""

    #: by key: bonus * 16 + setting, of a player's hand and of the dealer's
    mine: NDArray[np.uint8]
    dealers: NDArray[np.uint8]
    #: by key: the bonus of a flush
    flushes: NDArray[np.uint8]
    with_bonus: bool
    #: [P, wager, code]
    net: Ints
    limited: Ints
    limit: int


@cache
def sets() -> tuple[tuple[int, tuple[Card, ...]], ...]:
    """Every five ranks with their key, as cards that are no flush unless they must be."""
    found = {}
    for ranks in combinations_with_replacement(range(14), 5):
        if any(ranks.count(rank) > (1 if rank == 13 else 4) for rank in ranks):
            continue
        seen = [ranks[:place].count(rank) for place, rank in enumerate(ranks)]
        suits = seen if len(set(ranks)) < 5 else [0, 1, 0, 0, 0]
        hand = tuple(
            JOKER if rank == 13 else Card(4 * rank + suit)
            for rank, suit in zip(ranks, suits, strict=True)
        )
        key = int(KEYS[list(hand)].sum())
        if key in found:
            raise AssertionError("two sets of ranks have one key")
        found[key] = hand
    return tuple(found.items())


def _bonus(hand: Sequence[Card]) -> int:
    name = bonus_hand(hand)
    return NAMES.index(name) if name in NAMES else 0


@cache
def _bonuses() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The bonus by key, for hands without and with a flush."""
    size = max(key for key, _ in sets()) + 1
    plain, flushes = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    for key, hand in sets():
        plain[key] = _bonus(hand)
        if len({card >> 2 for card in hand}) == 5:
            suited = tuple(card if card == JOKER else Card(card & ~3) for card in hand)
            flushes[key] = _bonus(suited)
    return plain, flushes


def settings(law: Chapter, choose: Choose) -> NDArray[np.uint8]:
    """How every hand is set when `choose` picks among the settings open to it."""
    plain, _ = _bonuses()
    found = plain * 16
    worth = saigon_hands.values(law)
    for key, hand in sets():
        chosen = choose(hand, worth.settings(hand))
        found[key] += chosen.point_count if chosen.qualifies else 0
    return found


def highest(_hand: tuple[Card, ...], open_: Sequence[Setting]) -> Setting:
    """The highest point count: the dealer's way."""
    return max(open_, key=lambda setting: setting.point_count)


def _as_setting(code: int) -> Setting:
    return Setting((), (), code > 0, code)


#: five cards of each bonus, so that the game itself says what it pays
_EXAMPLES = {_bonus(hand): hand for _, hand in sets()} | {
    _bonus(suited): suited
    for _, hand in sets()
    if len({card >> 2 for card in hand}) == 5
    for suited in [tuple(card if card == JOKER else Card(card & ~3) for card in hand)]
}


def build(
    rules: Rules,
    stakes: Sequence[Mapping[str, Cents]],
    choose: Choose = highest,
) -> tuple[Table, Ints]:
    """A table where these wagers are made, and what each code has staked."""
    values = CodeValues(rules, len(stakes), len(WAGERS), CODES)
    for position, made in enumerate(stakes):
        for mine in range(SETTINGS):
            for dealer in range(SETTINGS):
                line = settle_ante(rules, made["ante"], _as_setting(mine), _as_setting(dealer))
                values.put(position, ANTE, mine * SETTINGS + dealer, [line])
        if "bonus" in made:
            for code, hand in _EXAMPLES.items():
                values.put(position, BONUS, code, [settle_bonus(rules, made["bonus"], hand)])
    table = Table(
        mine=settings(rules.chapter, choose),
        dealers=settings(rules.chapter, highest),
        flushes=_bonuses()[1],
        with_bonus=any("bonus" in made for made in stakes),
        net=values.net,
        limited=values.limited,
        limit=payout_limit(rules),
    )
    return table, values.staked


class Room(NamedTuple):
    """What the rounds that are dealt together are written on."""

    #: their cards, one round after the other
    laid: Ints
    #: [round, P] the codes of both wagers, and what a position is up or down
    came: Ints
    total: Ints


def room_for(table: Table) -> Room:
    """Room for the rounds of a table."""
    positions = len(table.net)
    sizes = (BATCH * (5 + 5 * positions), (BATCH, positions), (BATCH, positions))
    return Room(*(np.zeros(size, np.int64) for size in sizes))


@inlined
def hand_at(laid: Ints, place: int) -> int:
    """The word of five cards: the sum of theirs."""
    here = np.uint64(place)
    return (  # type: ignore[no-any-return]
        laid[here]
        + laid[here + _ONE]
        + laid[here + _TWO]
        + laid[here + _THREE]
        + laid[here + _FOUR]
    )


@compiled
def play(
    table: Table,
    rounds: int,
    stream: NDArray[np.uint64],
    deck: Ints,
    given: Ints,
    counts: Counts,
    nets: Ints,
    lines: Ints,
    covariance: bool,
    room: Room,
) -> None:
    """Deal, set and settle a number of rounds: a `kernel.Play`.

    Cards lie in the deck as the dealer's five, then five for each position.
    """
    mine, dealers, flushes, net = table.mine, table.dealers, table.flushes, table.net
    limited, limit, with_bonus, codes = table.limited, table.limit, table.with_bonus, counts.codes
    laid, came, total = room
    positions = len(net)
    cards = 5 + 5 * positions
    at = stream[0]
    for begin in range(0, rounds, BATCH):
        count = min(BATCH, rounds - begin)
        at = lay(deck, OF_CARD, given, begin, count, cards, laid, at)
        for number in range(count):
            first = cards * number
            dealer = np.int64(dealers[np.uint64(hand_at(laid, first) & _KEY)]) & 15
            for position in range(positions):
                word = hand_at(laid, first + 5 + 5 * position)
                key = np.uint64(word & _KEY)
                hand = np.int64(mine[key])
                bonus: Any = hand >> 4
                if (word + _FIVE_SUITED) & _CARRY:
                    bonus = np.int64(flushes[key])
                came[number, position] = (hand & 15) * SETTINGS + dealer + (bonus << 8)
        for number in range(count):
            for position in range(positions):
                code = np.uint64(came[number, position] & 255)
                codes[position, ANTE, code] += 1
                ante, bonus = net[position, ANTE, code], 0
                counted = limited[position, ANTE, code] if limit else 0
                ante -= max(counted - limit, 0)
                if with_bonus:
                    code = np.uint64(came[number, position] >> 8)
                    codes[position, BONUS, code] += 1
                    bonus = net[position, BONUS, code]
                    if limit:
                        left = limit - min(counted, limit)
                        bonus -= max(limited[position, BONUS, code] - left, 0)
                total[number, position] = ante + bonus
                if len(lines):
                    lines[begin + number, position, ANTE] = ante
                    lines[begin + number, position, BONUS] = bonus
        add_totals(total, begin, count, counts, nets, covariance)
    stream[0] = at


def kernel(plan: Plan, rules: Rules, choose: Choose) -> CompiledKernel:
    """The kernel of a plan."""
    table, staked = build(rules, plan.stakes, choose)
    made = (True, table.with_bonus)
    return CompiledKernel(
        wagers=tuple((name, n) for n, name in enumerate(WAGERS) if made[n]),
        net=table.net,
        staked=staked,
        play=play,
        table=table,
        cards=OF_CARD,
        room_for=room_for,
        covariance=plan.covariance,
        round_cards=5 + 5 * len(table.net),
    )
