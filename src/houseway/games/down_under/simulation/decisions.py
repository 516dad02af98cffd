"""Down Under Blackjack decision by decision, at many seats at once, compiled.

Every round is dealt from a fresh shoe. A seat sees how many cards of each value its hand has, the
dealer's up card, the reader's light and, of a split pair, which hand it plays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.cards import RANKS, standard_deck
from houseway.games.down_under.hands import numbers
from houseway.games.down_under.settlement import outcome
from houseway.games.down_under.simulation.kernel import (
    BET,
    BLACKJACK,
    BOTH_BLACKJACK,
    DEALER_BLACKJACK,
    DOUBLED,
    EVEN_MONEY,
    INSURANCE,
    INSURED,
    LOSE,
    MATCH,
    NOT_INSURED,
    PUSH,
    SPLIT,
    WIN,
    dealer_machine,
    nets_of,
)
from houseway.law import Rules
from houseway.money import Cents
from houseway.simulate.kernels.compiled import compiled, step
from houseway.simulate.kernels.counts import Ints
from houseway.simulate.kernels.decision_kernel import DecisionKernel
from houseway.simulate.kernels.random_streams import GAMMA, high, mix

#: columns of what a seat sees, after the ten values: ace first, tens and faces last
UP, LIGHT, HAND, COLUMNS = 10, 11, 12, 13
#: the moves, in the order of `Shoe.moves`
MOVES = (
    "continue", "insure", "decline_insurance", "take_even_money", "hit", "stand", "double", "split",
)  # fmt: skip
CONTINUE, INSURE, DECLINE, EVEN, HIT, STAND, DOUBLE, SPLITS = range(8)
#: two split hands, the dealer's, and what is over
_MOST_CARDS = 96


class Shoe(NamedTuple):
    """What a round is played by. Values are 0 for the ace, 1 for a two, up to 9 for tens."""

    #: by place in the shoe: the card; by card: its value and the number of its light
    cards: Ints
    value: Ints
    light: Ints
    #: by move: its number among the actions
    moves: Ints
    #: [total * 14 + end * 2 + two large] lost, returned or won; a total above the most is a bust
    result: NDArray[np.int8]
    dealer_dealt: NDArray[np.int16]
    dealer_next: NDArray[np.int16]
    #: [wager, code]
    net: Ints
    with_match: bool
    #: the value of the up card that opens insurance
    insurance_up: int
    draw_below: int
    most: int
    ace_extra: int
    #: by value, whether it is of the large range
    large: NDArray[np.bool_]


class Seats(NamedTuple):
    """Where the round of every seat stands."""

    #: [seat, card] the places in the shoe that were drawn, and how many
    drawn: NDArray[np.int16]
    out: Ints
    up: Ints
    hole: Ints
    #: what insurance and Match-the-Dealer bring
    beside: Ints
    insured: NDArray[np.bool_]
    #: of the hand in play: the points with aces as one, its aces and cards
    points: Ints
    aces: Ints
    cards: Ints
    doubled: Ints
    #: the pair that was split, and of its first hand the total and whether it was doubled
    pair: Ints
    first_total: Ints
    first_doubled: Ints
    #: what a blackjack decides: a code, or -1
    ended: Ints
    seen: NDArray[np.int8]
    mask: NDArray[np.int8]
    nets: NDArray[np.int64]
    ends: NDArray[np.bool_]


class DownUnderSeats(DecisionKernel):
    """Seats of Down Under Blackjack, each alone against the dealer."""

    def __init__(
        self,
        rules: Rules,
        wagers: Mapping[str, Cents],
        seats: int,
        moves: Sequence[str],
        hints: Sequence[str],
    ) -> None:
        self._shoe = _shoe(rules, wagers, moves, hints)
        ints = [np.zeros(seats, np.int64) for _ in range(12)]
        count, up, hole, beside, points, aces, cards, doubled, pair, total, first, ended = ints
        self.seen = np.zeros((seats, COLUMNS), np.int8)
        self.mask = np.zeros((seats, len(moves)), np.int8)
        self.nets = np.zeros(seats, np.int64)
        self.ends = np.zeros(seats, np.bool_)
        self.least = np.zeros(COLUMNS, np.int8)
        most = rules.chapter.number("player_most")
        self.most = np.array([most + 1] * 10 + [9, len(hints) - 1, 2], np.int8)
        self._seats = Seats(
            drawn=np.zeros((seats, _MOST_CARDS), np.int16), out=count, up=up, hole=hole,
            beside=beside, insured=np.zeros(seats, np.bool_), points=points, aces=aces, cards=cards,
            doubled=doubled, pair=pair, first_total=total, first_doubled=first, ended=ended,
            seen=self.seen, mask=self.mask, nets=self.nets, ends=self.ends,
        )  # fmt: skip

    def begin(self, stream: NDArray[np.uint64]) -> None:
        _begin(self._shoe, self._seats, stream)

    def step(self, moves: NDArray[np.int64], stream: NDArray[np.uint64]) -> None:
        _step(self._shoe, self._seats, moves, stream)


def _shoe(
    rules: Rules, wagers: Mapping[str, Cents], moves: Sequence[str], hints: Sequence[str]
) -> Shoe:
    known = numbers(rules)
    dealer_dealt, dealer_next = dealer_machine(rules)
    results = {"lose": LOSE, "push": PUSH, "win": WIN}
    result = np.zeros((known.player_most + 2, 7, 2), np.int8)
    for total in range(known.player_most + 2):
        for end in range(7):
            for large in (False, True):
                ended, _ = outcome(rules, total, known.dealer_stands_from + end, two_large=large)
                result[total, end, int(large)] = results[ended]
    by_value = {known.points[rank] - 1: rank for rank in range(len(RANKS))}
    up = RANKS.index(str(rules.chapter.fact("insurance_up_card").value))
    deck = [int(card) for card in standard_deck()]
    return Shoe(
        cards=np.tile(np.array(deck, np.int64), int(rules["decks"])),
        value=np.array([known.points[card >> 2] - 1 for card in range(52)], np.int64),
        light=np.array(
            [list(hints).index(known.lights[known.ranges[card >> 2]]) for card in range(52)],
            np.int64,
        ),
        moves=np.array([list(moves).index(name) for name in MOVES], np.int64),
        result=result.ravel(),
        dealer_dealt=dealer_dealt,
        dealer_next=dealer_next,
        net=nets_of(rules, [wagers])[0][0],
        with_match="match_the_dealer" in wagers,
        insurance_up=known.points[up] - 1,
        draw_below=known.draw_below,
        most=known.player_most,
        ace_extra=known.ace_extra,
        large=np.array([known.ranges[by_value[value]] == "large" for value in range(10)]),
    )


@step
def _draw(shoe: Shoe, seats: Seats, row: int, at: np.uint64) -> tuple[Any, np.uint64]:
    """One of the cards that this seat's round has not drawn yet, each equally likely."""
    size = np.uint64(len(shoe.cards))
    floor = (np.uint64(0) - size) % size
    drawn, count = seats.drawn, seats.out[row]
    while True:
        at += GAMMA
        word = mix(at)
        if word * size < floor:  # a remainder that would favor some cards
            continue
        place = np.int64(high(word, size))
        is_new = True
        for one in range(count):
            is_new = is_new and drawn[row, one] != place
        if is_new:
            break
    drawn[row, count] = place
    seats.out[row] = count + 1
    return shoe.cards[place], at


@step
def _take(seats: Seats, row: int, value: int) -> None:
    """Put a card of this value to the hand in play."""
    seats.points[row] += value + 1
    seats.aces[row] += value == 0
    seats.cards[row] += 1
    seats.seen[row, value] += 1


@step
def _total(shoe: Shoe, seats: Seats, row: int) -> Any:
    points = seats.points[row]
    if seats.aces[row] and points + shoe.ace_extra <= shoe.most:
        points += shoe.ace_extra
    return points if points <= shoe.most else shoe.most + 1


@step
def _clear_hand(seats: Seats, row: int) -> None:
    seats.points[row] = seats.aces[row] = seats.cards[row] = seats.doubled[row] = 0
    for value in range(10):
        seats.seen[row, value] = 0


@step
def _clear_mask(seats: Seats, row: int) -> None:
    for move in range(seats.mask.shape[1]):
        seats.mask[row, move] = 0


@step
def _ask(shoe: Shoe, seats: Seats, row: int) -> bool:
    """Open the decisions on the hand in play; False if it is finished (685a.7(k), 10(c), 10(e))."""
    split = seats.seen[row, HAND] > 0
    if _total(shoe, seats, row) >= shoe.draw_below or (split and seats.pair[row] == 0):
        return False
    _clear_mask(seats, row)
    seats.mask[row, shoe.moves[HIT]] = 1
    seats.mask[row, shoe.moves[STAND]] = 1
    if seats.cards[row] == 2:
        seats.mask[row, shoe.moves[DOUBLE]] = 1
        if not split:
            for value in range(10):
                if seats.seen[row, value] == 2:
                    seats.mask[row, shoe.moves[SPLITS]] = 1
    return True


@step
def _deal(shoe: Shoe, seats: Seats, row: int, at: np.uint64) -> np.uint64:
    """Two cards to the seat and two to the dealer; open what the seat may do first."""
    _clear_hand(seats, row)
    _clear_mask(seats, row)
    seats.out[row] = 0
    seats.insured[row] = False
    seats.ended[row] = -1
    seats.pair[row] = -1
    seats.seen[row, LIGHT] = seats.seen[row, HAND] = 0
    first, at = _draw(shoe, seats, row, at)
    up, at = _draw(shoe, seats, row, at)
    second, at = _draw(shoe, seats, row, at)
    hole, at = _draw(shoe, seats, row, at)
    seats.up[row], seats.hole[row] = up, hole
    seats.seen[row, UP] = shoe.value[up]
    _take(seats, row, shoe.value[first])
    _take(seats, row, shoe.value[second])
    seats.beside[row] = 0
    if shoe.with_match:
        code = 3 * ((first >> 2 == up >> 2) + (first == up))
        code += (second >> 2 == up >> 2) + (second == up)
        seats.beside[row] = shoe.net[MATCH, code]
    if shoe.value[up] == shoe.insurance_up:
        seats.mask[row, shoe.moves[INSURE]] = 1
        seats.mask[row, shoe.moves[DECLINE]] = 1
        if _total(shoe, seats, row) == shoe.most:
            seats.mask[row, shoe.moves[EVEN]] = 1
    elif not _read(shoe, seats, row):
        _clear_mask(seats, row)
        seats.mask[row, shoe.moves[CONTINUE]] = 1
    return at


@step
def _read(shoe: Shoe, seats: Seats, row: int) -> bool:
    """The reader shows its light; False if the round has nothing to decide (685a.7(h), 7(i))."""
    one, other = shoe.value[seats.up[row]], shoe.value[seats.hole[row]]
    dealer = (one == 0 and other == 9) or (one == 9 and other == 0)
    mine = _total(shoe, seats, row) == shoe.most
    seats.seen[row, LIGHT] = shoe.light[seats.hole[row]]
    if seats.insured[row]:
        seats.beside[row] += shoe.net[INSURANCE, INSURED if dealer else NOT_INSURED]
    if dealer:
        seats.ended[row] = BOTH_BLACKJACK if mine else DEALER_BLACKJACK
        return False
    if mine:
        seats.ended[row] = BLACKJACK
        return False
    return _ask(shoe, seats, row)


@step
def _code(shoe: Shoe, total: int, doubled: int, end: int, large: int) -> Any:
    return np.int64(shoe.result[total * 14 + end * 2 + large]) + DOUBLED * doubled


@step
def _settle(shoe: Shoe, seats: Seats, row: int, at: np.uint64) -> np.uint64:
    """The dealer draws, and the round is paid; then the next one is dealt."""
    code = seats.ended[row]
    if code < 0:
        total, split = _total(shoe, seats, row), seats.seen[row, HAND] > 0
        end: Any = 0
        if total <= shoe.most or (split and seats.first_total[row] <= shoe.most):
            node = np.int64(
                shoe.dealer_dealt[shoe.value[seats.up[row]], shoe.value[seats.hole[row]]]
            )
            while node >= 0:
                card, at = _draw(shoe, seats, row, at)
                node = np.int64(shoe.dealer_next[node * 10 + shoe.value[card]])
            end = -1 - node
        large = 0
        if not split and seats.cards[row] == 2:
            count = 0
            for value in range(10):
                if shoe.large[value]:
                    count += seats.seen[row, value]
            large = 1 if count == 2 else 0
        code = _code(shoe, total, seats.doubled[row], end, large)
        if split:
            first = _code(shoe, seats.first_total[row], seats.first_doubled[row], end, 0)
            code = SPLIT + first * 6 + code
    seats.nets[row] = shoe.net[BET, code] + seats.beside[row]
    seats.ends[row] = True
    return _deal(shoe, seats, row, at)


@step
def _finish(shoe: Shoe, seats: Seats, row: int, at: np.uint64) -> np.uint64:
    """The hand in play is done: go on with the second of a pair, or settle."""
    if seats.seen[row, HAND] == 1:
        seats.first_total[row] = _total(shoe, seats, row)
        seats.first_doubled[row] = seats.doubled[row]
        at = _split_hand(shoe, seats, row, 2, at)
        if _ask(shoe, seats, row):
            return at
    return _settle(shoe, seats, row, at)


@step
def _split_hand(shoe: Shoe, seats: Seats, row: int, number: int, at: np.uint64) -> np.uint64:
    """Begin a hand of the pair: its card, and a second one when its turn comes (685a.10(b))."""
    _clear_hand(seats, row)
    seats.seen[row, HAND] = number
    _take(seats, row, seats.pair[row])
    card, at = _draw(shoe, seats, row, at)
    _take(seats, row, shoe.value[card])
    return at


@step
def _move(shoe: Shoe, seats: Seats, row: int, move: int, at: np.uint64) -> np.uint64:
    if move == shoe.moves[CONTINUE]:
        return _settle(shoe, seats, row, at)
    if move == shoe.moves[EVEN]:
        seats.ended[row] = EVEN_MONEY
        return _settle(shoe, seats, row, at)
    if move == shoe.moves[INSURE] or move == shoe.moves[DECLINE]:
        seats.insured[row] = move == shoe.moves[INSURE]
        return at if _read(shoe, seats, row) else _settle(shoe, seats, row, at)
    if move == shoe.moves[STAND]:
        return _finish(shoe, seats, row, at)
    if move == shoe.moves[SPLITS]:
        for value in range(10):
            if seats.seen[row, value] == 2:
                seats.pair[row] = value
        at = _split_hand(shoe, seats, row, 1, at)
        return at if _ask(shoe, seats, row) else _finish(shoe, seats, row, at)
    card, at = _draw(shoe, seats, row, at)
    _take(seats, row, shoe.value[card])
    if move == shoe.moves[DOUBLE]:
        seats.doubled[row] = 1
        return _finish(shoe, seats, row, at)
    return at if _ask(shoe, seats, row) else _finish(shoe, seats, row, at)


@compiled
def _begin(shoe: Shoe, seats: Seats, stream: NDArray[np.uint64]) -> None:
    at = stream[0]
    for row in range(len(seats.out)):
        at = _deal(shoe, seats, row, at)
    stream[0] = at


@compiled
def _step(shoe: Shoe, seats: Seats, moves: Ints, stream: NDArray[np.uint64]) -> None:
    at = stream[0]
    for row in range(len(seats.out)):
        seats.nets[row] = 0
        seats.ends[row] = False
        if seats.mask[row, moves[row]]:
            at = _move(shoe, seats, row, moves[row], at)
    stream[0] = at
