"""Casino War compiled: millions of rounds a second.

A card is its rank. The first cards of a round are drawn for the dealer and every position, and the
second ones only when somebody goes to war. Every round is dealt from all the cards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casino_war.maths import OF_A_RANK, RANKS, results
from casino_war.settlement import seat_lines
from houseway.cards import Card
from houseway.game_api.round import Seat
from houseway.law import Rules
from houseway.simulate.kernels.compiled import compiled, inlined
from houseway.simulate.kernels.counts import Counts, Ints, add_totals
from houseway.simulate.kernels.kernel import CodeValues, CompiledKernel
from houseway.simulate.kernels.random_streams import draw
from houseway.simulate.plan import Plan

ANTE, TIE = range(2)
#: the codes of the ante: the results of the mathematics, by name
HIGHER, WAR_HIGHER, WAR_TIE, WAR_LOWER, SURRENDERED, LOWER = range(6)
_NAMES = ("higher", "war_higher", "war_tie", "war_lower", "surrender", "lower")
CODES = len(_NAMES)
#: rounds that are added up together
BATCH = 64
#: so many draws from eight decks at most fit one random word
_DRAWS = 6


class Table(NamedTuple):
    """One table as arrays."""

    #: whether a player goes to war, by the rank that ties
    wars: NDArray[np.bool_]
    with_tie: bool
    #: [P, wager, code]
    net: Ints


class Room(NamedTuple):
    """What rounds are written on."""

    #: the ranks of a round: the dealer's first card, the positions', then the second ones alike
    hand: Ints
    #: [round, P] what a position is up or down
    total: Ints


def room_for(table: Table) -> Room:
    """Room for the rounds of a table."""
    positions = len(table.net)
    return Room(np.zeros(2 + 2 * positions, np.int64), np.zeros((BATCH, positions), np.int64))


@inlined
def _take(deck: Ints, first: int, last: int, hand: Ints, at: np.uint64) -> np.uint64:
    """Draw the cards at these places."""
    place = first
    while place < last:
        count = min(_DRAWS, last - place)
        at = draw(deck, place, count, at)
        place += count
    for place in range(first, last):
        hand[place] = deck[place]
    return at


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
    """Deal, decide and settle so many rounds: a `kernel.Play`."""
    wars, with_tie, net, codes = table.wars, table.with_tie, table.net, counts.codes
    hand, total = room
    positions = len(net)
    each = 1 + positions
    at = stream[0]
    for begin in range(0, rounds, BATCH):
        count = min(BATCH, rounds - begin)
        for number in range(count):
            if len(given):
                for place in range(2 * each):
                    hand[place] = given[begin + number, place] >> 2
            else:
                at = _take(deck, 0, each, hand, at)
            dealer = hand[0]
            drawn = len(given) > 0
            for position in range(positions):
                mine = hand[1 + position]
                tie = 0
                if mine > dealer:
                    code = HIGHER
                elif mine < dealer:
                    code = LOWER
                else:
                    tie, code = 1, SURRENDERED
                    if wars[mine]:
                        if not drawn:
                            at = _take(deck, each, 2 * each, hand, at)
                            drawn = True
                        second, dealers = hand[each + 1 + position], hand[each]
                        code = (
                            WAR_HIGHER
                            if second > dealers
                            else WAR_LOWER
                            if second < dealers
                            else WAR_TIE
                        )
                codes[position, ANTE, code] += 1
                came = net[position, ANTE, code]
                if len(lines):
                    lines[begin + number, position, ANTE] = came
                if with_tie:
                    codes[position, TIE, tie] += 1
                    came += net[position, TIE, tie]
                    if len(lines):
                        lines[begin + number, position, TIE] = net[position, TIE, tie]
                total[number, position] = came
        add_totals(total, begin, count, counts, nets, covariance)
    stream[0] = at


def kernel(plan: Plan, rules: Rules, wars: tuple[bool, ...]) -> CompiledKernel:
    """The kernel of a plan; the game itself says what each code is worth."""
    values = CodeValues(rules, len(plan.stakes), 2, CODES)
    every = {
        result.name: result
        for count in (0, RANKS)  # who never goes to war, and who always does
        for result in results(rules["decks"], count)
    }
    for position, stakes in enumerate(plan.stakes):
        for code, name in enumerate(_NAMES):
            result = every[name]
            seat = Seat(1, stakes, result.cards, result.decision)
            for line in seat_lines(rules, seat, result.dealer):
                if line.wager != "tie":
                    values.put(position, ANTE, code, [line])
                elif name in ("surrender", "lower"):  # one example of a tie, and one of none
                    values.put(position, TIE, int(name == "surrender"), [line])
    table = Table(np.array(wars), any("tie" in stakes for stakes in plan.stakes), values.net)
    columns = [("ante_war", ANTE), ("tie", TIE)]
    deck = [Card(number).rank for number in range(RANKS * OF_A_RANK)] * rules["decks"]
    return CompiledKernel(
        wagers=tuple(columns if table.with_tie else columns[:1]),
        net=values.net,
        staked=values.staked,
        play=play,
        table=table,
        cards=np.array(deck, np.int64),
        room_for=room_for,
        covariance=plan.covariance,
    )
