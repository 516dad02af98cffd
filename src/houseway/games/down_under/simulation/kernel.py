"""Down Under Blackjack compiled: dealt from a shoe to the cover card, played by a strategy's tables.

A shoe is never shuffled whole. Cards are drawn to their places when they are wanted, a few at a
time, and a new shoe is the old one drawn again from the start: Fisher and Yates' shuffle does not
care in what order it finds the cards. Hands are states of a small machine (`machine`): a card leads
from one to the next, and each says what its player does in each case of up card and range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.cards import ACE, RANKS, Card
from houseway.games.down_under.hands import dealer_draws, dealer_total, numbers
from houseway.games.down_under.maths.solver.hands import hand_of, player_hands
from houseway.games.down_under.maths.solver.solve import Play
from houseway.games.down_under.maths.solver.states import AS_DEALT
from houseway.games.down_under.maths.solver.variant import RANGES
from houseway.games.down_under.play import insurance_most
from houseway.games.down_under.settlement import outcome
from houseway.law import Rules
from houseway.money import Cents
from houseway.simulate.kernels.compiled import compiled, inlined
from houseway.simulate.kernels.counts import Counts, Ints, add_totals
from houseway.simulate.kernels.kernel import CompiledKernel
from houseway.simulate.kernels.random_streams import draw
from houseway.simulate.plan import Plan

WAGERS = ("bet", "insurance", "match_the_dealer")
BET, INSURANCE, MATCH = range(3)
#: a hand: lost, returned or won; three more where it was doubled
LOSE, PUSH, WIN, DOUBLED = 0, 1, 2, 3
#: codes of a bet: one hand; two hands from a split; and what a blackjack ends
SPLIT, BLACKJACK, BOTH_BLACKJACK, DEALER_BLACKJACK, EVEN_MONEY = 6, 42, 43, 44, 45
CODES = 46
#: codes of insurance
NOT_TAKEN, INSURED, NOT_INSURED = range(3)
STAND, HIT, DOUBLE, SPLITS = range(4)
BUST = 0
_AHEAD = 6  # cards drawn to their places at a time: 416 ** 6 is below 2 ** 53


class Table(NamedTuple):
    """One table as arrays. Values are 0 for the ace, 1 for a two, up to 9 for tens and faces."""

    #: by card: its value, and the range of a hole card
    value: Ints
    range: Ints
    #: [value, value] the state of two cards dealt; [value] of one card of a split pair
    dealt: NDArray[np.int16]
    split: NDArray[np.int16]
    #: [state * 10 + value] the state with one more card; state 0 is bust
    next: NDArray[np.int16]
    #: [state * 30 + case] what the player does
    action: NDArray[np.int8]
    #: [state * 8 + dealer's end] lost, returned or won
    result: NDArray[np.int8]
    #: [value, value] and [node * 10 + value]: a node where the dealer draws, or -1 - end
    dealer_dealt: NDArray[np.int16]
    dealer_next: NDArray[np.int16]
    insures: bool
    even_money: bool
    with_match: bool
    #: [P, wager, code]
    net: Ints
    #: cards before the cover card; 0 for a fresh shoe every round
    cover: int
    burn: int


def machine(play: Play) -> tuple[NDArray[np.int64], dict[str, NDArray[np.int64]]]:
    """The positions of a strategy, those that nobody can tell apart taken as one.

    Returns the state of each position (the last is for a bust hand) and, for each state, what it
    does, leads to and counts.
    """
    at, graph = play.table.states, player_hands()
    count = len(at.row)
    totals = np.append(np.array(graph.totals)[at.hand], 0)
    hands = np.array(graph.hands)[at.hand]
    two = hands.sum(axis=1) == 2
    large = two & (hands[:, [0, 9]].sum(axis=1) == 2)
    dealt = np.zeros(count, bool)
    dealt[at.first[AS_DEALT][at.first[AS_DEALT] >= 0]] = True
    action = np.append(play.policy, np.zeros((1, play.policy.shape[1]), np.int8), axis=0)
    action = np.maximum(action, STAND).astype(np.int64)
    for card in range(10):
        pair = at.at(AS_DEALT, hand_of(card, card))
        action[pair] = np.where(play.hands[card] > 0, SPLITS, action[pair])
    child = np.append(np.where(at.child < 0, count, at.child), np.full((1, 10), count), axis=0)
    flags = np.append(large & dealt, False)
    seen = np.column_stack([action, totals, flags])
    _, state = np.unique(seen, axis=0, return_inverse=True)
    while True:
        # two positions are one state while they do the same and lead to the same states
        _, finer = np.unique(np.column_stack([state, state[child]]), axis=0, return_inverse=True)
        if finer.max() == state.max():
            break
        state = finer
    state = state.ravel()
    # the bust hand first
    state = np.where(state == state[-1], 0, np.where(state < state[-1], state + 1, state))
    one_of = np.unique(state, return_index=True)[1]
    return state, {
        "action": action[one_of],
        "next": state[child[one_of]],
        "total": totals[one_of],
        "large": flags[one_of],
    }


def dealer_machine(rules: Rules) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """The dealer's hands by what their cards count and how many aces they hold, as 7(m) draws."""
    known = numbers(rules)
    cards = [Card(4 * RANKS.index(rank)) for rank in "A23456789T"]
    nodes: dict[tuple[int, int], int] = {}
    to: list[list[int]] = []

    def leads(hand: tuple[Card, ...]) -> int:
        if not dealer_draws(rules, hand):
            total = dealer_total(rules, hand).points
            return -1 - min(total, known.dealer_most + 1) + known.dealer_stands_from
        aces = sum(card.rank == ACE for card in hand)
        key = (sum(known.points[card.rank] for card in hand), min(aces, 2))
        if key not in nodes:
            nodes[key] = len(nodes)
            to.append([])
            to[nodes[key]] += [leads((*hand, card)) for card in cards]
        return nodes[key]

    dealt = [[leads((up, hole)) for hole in cards] for up in cards]
    return np.array(dealt, np.int16), np.array(to, np.int16).ravel()


def build(
    rules: Rules,
    stakes: Sequence[Mapping[str, Cents]],
    play: Play,
    *,
    insures: bool = False,
    even_money: bool = False,
    cover: int | None = None,
) -> tuple[Table, Ints]:
    """A table where these wagers are made, and what each code has staked.

    `cover` is how many cards lie before the cover card, by default as many as 685a.5(d) allows; 0
    deals every round from a fresh shoe, as a continuous shuffler nearly does.
    """
    known = numbers(rules)
    state, is_ = machine(play)
    at = play.table.states
    value = [known.points[card >> 2] - 1 for card in range(52)]
    dealt = [
        [state[at.at(AS_DEALT, hand_of(one, other))] for other in range(10)] for one in range(10)
    ]
    split = [
        state[at.at((card, 1), hand_of(card))] if (card, 1) in at.first else BUST
        for card in range(10)
    ]
    dealer_dealt, dealer_next = dealer_machine(rules)
    results = {"lose": LOSE, "push": PUSH, "win": WIN}
    result = np.zeros((len(is_["total"]), 8), np.int8)
    for number, (total, large) in enumerate(zip(is_["total"], is_["large"], strict=True)):
        for end in range(7):
            mine = int(total) if number else known.player_most + 1
            paid, _ = outcome(rules, mine, known.dealer_stands_from + end, two_large=bool(large))
            result[number, end] = results[paid]
    net, staked = nets_of(rules, stakes)
    if cover is None:
        cover = 0 if rules["dealing"] == "continuous_shuffler" else cover_most(rules)
    table = Table(
        value=np.array(value, np.int64),
        range=np.array([list(RANGES).index(known.ranges[card >> 2]) for card in range(52)]),
        dealt=np.array(dealt, np.int16),
        split=np.array(split, np.int16),
        next=is_["next"].astype(np.int16).ravel(),
        action=is_["action"].astype(np.int8).ravel(),
        result=result.ravel(),
        dealer_dealt=dealer_dealt,
        dealer_next=dealer_next,
        insures=insures,
        even_money=even_money,
        with_match=any("match_the_dealer" in made for made in stakes),
        net=net,
        cover=cover,
        burn=rules.chapter.number("burn_cards"),
    )
    return table, staked


def cover_most(rules: Rules) -> int:
    """The most cards that may lie before the cover card: it goes in so far from the bottom."""
    cards = rules.chapter.number("deck_cards") * int(rules["decks"])
    below = Fraction(str(rules.chapter.fact("cover_card_least").value))
    return cards - ceil(cards * below)


def nets_of(rules: Rules, stakes: Sequence[Mapping[str, Cents]]) -> tuple[Ints, Ints]:
    """What every code is worth, from the chapter's odds, and what it has staked."""
    net = np.zeros((len(stakes), len(WAGERS), CODES), np.int64)
    staked = np.zeros_like(net)
    for position, made in enumerate(stakes):
        bet = made["bet"]
        pays = {
            wager: rules.table(wager)["win"].odds.beside(bet)
            for wager in ("bet", "double", "split", "even_money")
        }

        def hand(code: int, first: str, pays: Mapping[str, Cents] = pays, bet: Cents = bet) -> int:
            doubled, end = divmod(code, DOUBLED)
            won = pays[first] + doubled * pays["double"]
            return (-bet * (1 + doubled), 0, won)[end]

        for one in range(6):
            net[position, BET, one] = hand(one, "bet")
            staked[position, BET, one] = bet * (1 + one // DOUBLED)
            for other in range(6):
                code = SPLIT + one * 6 + other
                net[position, BET, code] = hand(one, "bet") + hand(other, "split")
                staked[position, BET, code] = bet * (2 + one // DOUBLED + other // DOUBLED)
        net[position, BET, BLACKJACK] = rules.table("bet")["blackjack"].odds.beside(bet)
        net[position, BET, DEALER_BLACKJACK] = -bet
        net[position, BET, EVEN_MONEY] = pays["even_money"]
        staked[position, BET, BLACKJACK:] = bet
        insurance = insurance_most(rules, bet)
        net[position, INSURANCE, INSURED] = rules.table("insurance")["win"].odds.beside(insurance)
        net[position, INSURANCE, NOT_INSURED] = -insurance
        staked[position, INSURANCE, [INSURED, NOT_INSURED]] = insurance
        if "match_the_dealer" in made:
            stake, table = made["match_the_dealer"], rules.table("match_the_dealer")
            each = [table[name].odds.beside(stake) for name in ("unsuited_match", "suited_match")]
            for code in range(9):
                matched = [each[which - 1] for which in divmod(code, 3) if which]
                net[position, MATCH, code] = sum(matched) if matched else -stake
                staked[position, MATCH, code] = stake
    return net, staked


class Room(NamedTuple):
    """What a round is written on, by position."""

    #: the first two cards
    first: Ints
    second: Ints
    #: by hand its state, and whether it is doubled
    state: Ints
    doubled: Ints
    #: how many hands, or none and the code where it is already decided
    hands: Ints
    ended: Ints
    #: [1, P] what a position is up or down
    total: Ints
    #: how many cards are out of the shoe, and how many are drawn to their places
    place: Ints


def room_for(table: Table) -> Room:
    """Room for the rounds of a table."""
    positions = len(table.net)
    one, two = (positions,), (positions, 2)
    sizes = (one, one, two, two, one, one, (1, positions), (2,))
    room = Room(*(np.zeros(size, np.int64) for size in sizes))
    room.place[0] = table.cover  # the first round opens a shoe
    return room


@inlined
def another(shoe: Ints, out: int, ready: int, at: np.uint64) -> tuple[int, int, np.uint64]:
    """Make sure that the next card is drawn to its place: where the shoe is, how far it is drawn,
    and the stream. When the shoe is empty everything is shuffled again.
    """
    if ready == out:
        if out > len(shoe) - _AHEAD:
            out = ready = 0
        at = draw(shoe, ready, _AHEAD, at)
        ready += _AHEAD
    return out, ready, at


@compiled
def play(
    table: Table,
    rounds: int,
    stream: NDArray[np.uint64],
    shoe: Ints,
    given: Ints,
    counts: Counts,
    nets: Ints,
    lines: Ints,
    covariance: bool,
    room: Room,
) -> None:
    """Deal, play and settle a number of rounds: a `kernel.Play`.

    A row of `given` is the shoe of one round from its first card.
    """
    value, range_of, dealt, split = table.value, table.range, table.dealt, table.split
    next_, action, result = table.next, table.action, table.result
    dealer_dealt, dealer_next = table.dealer_dealt, table.dealer_next
    net, cover, with_match = table.net, table.cover, table.with_match
    codes = counts.codes
    positions = len(net)
    first, second, state, doubled, hands, ended, total, place = room
    out, ready = place[0], place[1]
    at = stream[0]
    for number in range(rounds):
        if len(given):
            out, ready = 0, len(shoe)
            for card in range(given.shape[1]):
                shoe[card] = given[number, card]
        elif out >= cover:
            out, ready = 0, 0
            if cover:
                at = draw(shoe, ready, _AHEAD, at)
                ready, out = _AHEAD, table.burn
        # one card to each box and the dealer's up card, then again and the hole card
        while ready < out + 2 * positions + 2:
            at = draw(shoe, ready, _AHEAD, at)
            ready += _AHEAD
        up, hole = shoe[out + positions], shoe[out + 2 * positions + 1]
        for position in range(positions):
            first[position] = shoe[out + position]
            second[position] = shoe[out + positions + 1 + position]
        out += 2 * positions + 2
        up_value, hole_value = value[up], value[hole]
        case = up_value * 3 + range_of[hole]
        dealer_blackjack = (up_value == 0 and hole_value == 9) or (
            up_value == 9 and hole_value == 0
        )
        live = 0
        for position in range(positions):
            one, other = value[first[position]], value[second[position]]
            blackjack = (one == 0 and other == 9) or (one == 9 and other == 0)
            hands[position] = 0
            if blackjack and up_value == 0 and table.even_money:
                ended[position] = EVEN_MONEY
            elif dealer_blackjack:
                ended[position] = BOTH_BLACKJACK if blackjack else DEALER_BLACKJACK
            elif blackjack:
                ended[position] = BLACKJACK
            else:
                now = np.int64(dealt[one, other])
                splits = action[now * 30 + case] == SPLITS
                hands[position] = 2 if splits else 1
                for hand in range(hands[position]):
                    if splits:
                        out, ready, at = another(shoe, out, ready, at)
                        now = np.int64(next_[split[one] * 10 + value[shoe[out]]])
                        out += 1
                    doubles = 0
                    does = action[now * 30 + case]
                    while does != STAND:
                        out, ready, at = another(shoe, out, ready, at)
                        now = np.int64(next_[now * 10 + value[shoe[out]]])
                        out += 1
                        if does == DOUBLE:
                            doubles = 1
                            break
                        does = action[now * 30 + case]
                    state[position, hand] = now
                    doubled[position, hand] = doubles
                    live += now != BUST
        end: Any = 0
        if live:
            node = np.int64(dealer_dealt[up_value, hole_value])
            while node >= 0:
                out, ready, at = another(shoe, out, ready, at)
                node = np.int64(dealer_next[node * 10 + value[shoe[out]]])
                out += 1
            end = -1 - node
        for position in range(positions):
            code = ended[position]
            if hands[position]:
                code = result[state[position, 0] * 8 + end] + DOUBLED * doubled[position, 0]
                if hands[position] == 2:
                    other = result[state[position, 1] * 8 + end] + DOUBLED * doubled[position, 1]
                    code = SPLIT + code * 6 + other
            codes[position, BET, code] += 1
            amount = net[position, BET, code]
            if len(lines):
                lines[number, position, BET] = amount
            if table.insures:
                code = NOT_TAKEN
                if up_value == 0 and not (ended[position] == EVEN_MONEY and hands[position] == 0):
                    code = INSURED if dealer_blackjack else NOT_INSURED
                codes[position, INSURANCE, code] += 1
                amount += net[position, INSURANCE, code]
                if len(lines):
                    lines[number, position, INSURANCE] = net[position, INSURANCE, code]
            if with_match:
                one, other = first[position], second[position]
                code = 3 * ((one >> 2 == up >> 2) + (one == up))
                code += (other >> 2 == up >> 2) + (other == up)
                codes[position, MATCH, code] += 1
                amount += net[position, MATCH, code]
                if len(lines):
                    lines[number, position, MATCH] = net[position, MATCH, code]
            total[0, position] = amount
        add_totals(total, number, 1, counts, nets, covariance)
    place[0], place[1] = out, ready
    stream[0] = at


def kernel(plan: Plan, rules: Rules, strategy: Play) -> CompiledKernel:
    """The kernel of a plan."""
    insured = plan.insures
    table, staked = build(
        rules, plan.stakes, strategy, insures=insured, even_money=insured, cover=plan.cover
    )
    made = (True, insured, table.with_match)
    return CompiledKernel(
        wagers=tuple((name, n) for n, name in enumerate(WAGERS) if made[n]),
        net=table.net,
        staked=staked,
        play=play,
        table=table,
        cards=np.tile(np.arange(52), int(rules["decks"])),
        room_for=room_for,
        covariance=plan.covariance,
    )
