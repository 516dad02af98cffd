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
from houseway.simulate.batch import BATCH, NUMBER, Batch, begin_batch, end_batch, new_batch, pay
from houseway.simulate.compiled import compiled, step
from houseway.simulate.counts import Counts, Ints
from houseway.simulate.five_of_six import CARRY, FIVE_SUITED

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
_OF_CARD = KEYS | SUITS << _SUITS
_FIVE_SUITED, _CARRY = FIVE_SUITED << _SUITS, CARRY << _SUITS

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
        with_bonus=any("bonus" in made for made in stakes),
        net=net,
        limited=limited,
        limit=0 if limit == "none" else int(limit),
    )
    return table, staked


@step
def look(batch: Batch, count: int) -> None:
    """Make a word of every hand: its key, and how many of its cards are of each suit."""
    cards, words = batch.cards, batch.words
    for hand in range(len(words)):
        for number in range(count):
            word = 0
            for place in range(5 * hand, 5 * hand + 5):
                word += _OF_CARD[cards[number, place]]
            words[hand, number] = word


@step
def relate(table: Table, batch: Batch, count: int) -> None:
    """Codes of the ante: how both hands are set."""
    words, codes, mine, dealers = batch.words, batch.code, table.mine, table.dealers
    for position in range(len(codes)):
        for number in range(count):
            dealer = dealers[np.uint64(words[0, number] & _KEY)] & 15
            hand = mine[np.uint64(words[1 + position, number] & _KEY)] & 15
            codes[position, number] = hand * SETTINGS + dealer


@step
def see_bonus(table: Table, batch: Batch, count: int) -> None:
    """Codes of the Bonus."""
    words, codes, mine, flushes = batch.words, batch.code, table.mine, table.flushes
    for position in range(len(codes)):
        for number in range(count):
            word = words[1 + position, number]
            key = np.uint64(word & _KEY)
            code = mine[key] >> 4
            if (word + _FIVE_SUITED) & _CARRY:
                code = flushes[key]
            codes[position, number] = code


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
    net, limited, limit = table.net, table.limited, table.limit
    positions = len(net)
    batch = new_batch(5 + 5 * positions, 1 + positions, positions)
    at = stream[0]
    for begin in range(0, rounds, BATCH):
        count = min(BATCH, rounds - begin)
        at = begin_batch(batch, count, deck, given, begin, limit, at)
        look(batch, count)
        relate(table, batch, count)
        pay(batch, count, NUMBER[ANTE], net, limited, limit, counts, begin, lines)
        if table.with_bonus:
            see_bonus(table, batch, count)
            pay(batch, count, NUMBER[BONUS], net, limited, limit, counts, begin, lines)
        end_batch(batch, count, counts, begin, nets, covariance)
    stream[0] = at
