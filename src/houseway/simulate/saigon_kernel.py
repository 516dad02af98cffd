"""Saigon 5 Card compiled: five cards set and counted by one look into a table.

Every rank, and the joker, has a key such that five cards' keys add up to a number that no other five
ranks have. At that number a table holds how the hand is set and what its Bonus is; a flush has a
table of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.cards import JOKER, Card
from houseway.games.payout_limit import covered
from houseway.games.round import Line
from houseway.games.saigon import settle_ante, settle_bonus
from houseway.games.saigon_hands import Setting, bonus_hand, values
from houseway.law import Chapter, Rules
from houseway.money import Cents
from houseway.simulate.compiled import compiled
from houseway.simulate.counts import Counts, Ints, add_totals, cut
from houseway.simulate.streams import deal

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
_FIVE_SUITED, _CARRY = 0x3333, 0x8888

NAMES = (
    "nothing", "five_aces", "royal_flush", "royal_flush_joker", "straight_flush", "four_of_a_kind",
    "full_house", "flush", "straight", "three_of_a_kind", "two_pair",
)  # fmt: skip

Choose = Callable[[tuple[Card, ...], Sequence[Setting]], Setting]


class Table(NamedTuple):
    """One table as arrays."""

    #: by key: bonus * 16 + setting, of a player's hand and of the dealer's
    mine: NDArray[np.uint8]
    dealers: NDArray[np.uint8]
    #: by key: the bonus of a flush
    flushes: NDArray[np.uint8]
    owner: Ints
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
    """The bonus by key, of a hand that is no flush and of one that is."""
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
    worth = values(law)
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
    *,
    owners: Sequence[int] | None = None,
) -> tuple[Table, Ints]:
    """A table where these wagers are made, and what each code has staked."""
    net = np.zeros((len(stakes), 2, CODES), np.int64)
    limited, staked = np.zeros_like(net), np.zeros_like(net)

    def put(position: int, wager: int, code: int, line: Line) -> None:
        net[position, wager, code] = line.net
        staked[position, wager, code] = line.stake
        if line.paid > 0 and covered(rules, line):
            limited[position, wager, code] = line.paid

    for position, made in enumerate(stakes):
        for mine in range(SETTINGS):
            for dealer in range(SETTINGS):
                line = settle_ante(rules, made["ante"], _as_setting(mine), _as_setting(dealer))
                put(position, ANTE, mine * SETTINGS + dealer, line)
        if "bonus" in made:
            for code, hand in _EXAMPLES.items():
                put(position, BONUS, code, settle_bonus(rules, made["bonus"], hand))
    limit = rules["payout_limit"]
    table = Table(
        mine=settings(rules.chapter, choose),
        dealers=settings(rules.chapter, highest),
        flushes=_bonuses()[1],
        owner=np.array(range(len(stakes)) if owners is None else owners, np.int64),
        with_bonus=any("bonus" in made for made in stakes),
        net=net,
        limited=limited,
        limit=0 if limit == "none" else int(limit),
    )
    return table, staked


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
) -> None:
    """Deal, set and settle so many rounds; see `three_card_kernel.play` for the arguments.

    Cards lie in the deck as the dealer's five, then five for each position.
    """
    mine, dealers, flushes = table.mine, table.dealers, table.flushes
    net, limited, limit, owner = table.net, table.limited, table.limit, table.owner
    codes, totals, low, high = counts.codes, counts.totals, counts.low, counts.high
    positions = len(owner)
    cards = 5 + 5 * positions
    total = np.zeros(positions, np.int64)
    left = np.zeros(positions, np.int64)
    at = stream[0]
    for number in range(rounds):
        if len(given):
            for place in range(cards):
                deck[place] = given[number, place]
        elif cards == 10:  # one hand and the dealer's: a number that the compiler knows
            at = deal(deck, 0, 10, at)
        else:
            at = deal(deck, 0, cards, at)
        key = KEYS[deck[0]] + KEYS[deck[1]] + KEYS[deck[2]] + KEYS[deck[3]] + KEYS[deck[4]]
        dealer = dealers[key] & 15
        if limit:
            for position in range(positions):
                left[position] = limit
        for position in range(positions - 1, -1, -1):
            first = 5 + 5 * position
            key = suits = 0
            for place in range(first, first + 5):
                key += KEYS[deck[place]]
                suits += SUITS[deck[place]]
            known = mine[key]
            code = (known & 15) * SETTINGS + dealer
            codes[position, ANTE, code] += 1
            amount = net[position, ANTE, code]
            if limit:
                amount -= cut(limited[position, ANTE, code], left, owner[position])
            up = amount
            if len(lines):
                lines[number, position, ANTE] = amount
            if table.with_bonus:
                code = known >> 4
                if (suits + _FIVE_SUITED) & _CARRY:
                    code = flushes[key]
                codes[position, BONUS, code] += 1
                amount = net[position, BONUS, code]
                if limit:
                    amount -= cut(limited[position, BONUS, code], left, owner[position])
                up += amount
                if len(lines):
                    lines[number, position, BONUS] = amount
            total[position] = up
        add_totals(total, totals, low, high, covariance)
        if len(nets):
            for position in range(positions):
                nets[number, position] = total[position]
    stream[0] = at
