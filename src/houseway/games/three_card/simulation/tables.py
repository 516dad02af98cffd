"""The arrays that the three-card kernel plays from, made by the games' own functions.

Each code of each wager is settled once, by the functions that settle a real round, and its net
written into the array. So an array cannot pay what the game would not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from houseway.cards import RANKS, Card, cards
from houseway.game_api import poker
from houseway.game_api.payouts import best_pay
from houseway.game_api.round import Line
from houseway.games.three_card import hands as three_card
from houseway.games.three_card import maryland, massachusetts
from houseway.games.three_card import prime as three_card_prime
from houseway.games.three_card.maths.ante_play import qualifying_value
from houseway.games.three_card.poker_settlement import ante_and_play, ante_bonus, six_card_names
from houseway.games.three_card.simulation import codes
from houseway.games.three_card.simulation.codes import (
    CODES,
    FIVE_CARDS,
    FOLD,
    FORFEIT,
    KINDS,
    PLAY,
    RELATIONS,
    WAGERS,
    Table,
)
from houseway.games.three_card.simulation.kernel import MARK
from houseway.games.three_card.simulation.strategies import rows, rows_of
from houseway.law import Paytable, Rules, names_of
from houseway.money import Cents, cents, dollars, odds
from houseway.simulate.kernels.counts import Ints
from houseway.simulate.kernels.five_of_six import THREE_RANKS, by_ranks
from houseway.simulate.kernels.kernel import CodeValues, payout_limit

DECISIONS = ("play", "fold", "forfeit")
#: a hand of each kind, with names that the game gives it
EXAMPLES = tuple(
    cards(text)
    for text in (
        "Ac Jd 9h", "9c 9d 4h", "Ac Jc 9c", "9c Td Jh", "9c 9d 9h", "9c Tc Jc", "Ac Kc Qc",
        "As Ks Qs",
    )
)  # fmt: skip
_SIX_ROYALS = tuple(cards(f"{rank}{suit}" for rank in "AKQJT9") for suit in "cd")
#: the column of a wager by what it is settled on; wagers on three cards have two columns
COLUMNS = {
    "duel": codes.ANTE_PLAY, "six_cards": codes.SIX_CARDS, "five_cards": codes.FIVE_CARDS,
    "all_hands": codes.COVER_ALL, "colors": codes.PRIME, "fourth_card": codes.PAIR_BONUS,
}  # fmt: skip


def columns(rules: Rules) -> dict[str, int]:
    """The kernel's column of each wager; what it does not know, or knows but once, has none."""
    found: dict[str, int] = {}
    taken: dict[int, str] = {}
    for wager in rules.chapter.about.wagers:
        column = COLUMNS.get(wager.settled_on)
        if wager.settled_on == "three_cards":
            column = codes.PROGRESSIVE if wager.kind == "progressive" else codes.PAIR_PLUS
        if column is not None and taken.setdefault(column, wager.entry) == wager.entry:
            found[wager.id] = column
    return found


#: the decision that a relation to the dealer's hand stands for, where it is not to play
_GIVEN_UP = {codes.FOLDED: "fold", codes.FORFEITED: "forfeit"}


def names_by_column(rules: Rules) -> dict[int, str]:
    """What the PAR sheet calls each column of the kernel."""
    wagers = rules.chapter.wagers
    return dict(enumerate(WAGERS)) | {
        column: wagers[id].entry for id, column in columns(rules).items()
    }


def envy_table(rules: Rules, stake: Cents) -> Paytable:
    """The envy bonus for a progressive wager: one table for each stake, or one for any."""
    by_stake = "envy", dollars(stake)
    return (
        rules.table(*by_stake)
        if by_stake in rules.chapter.paytables
        else rules.table("envy", "any")
    )


#: which of three cards have one suit: no two, the first two, the last two, the outer two, all
_SUITS = ((0, 1, 2), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 0))


@cache
def every_hand() -> tuple[tuple[int, tuple[Card, ...]], ...]:
    """A hand for each index of the kernel that three cards can have, in every order."""
    found = {}
    for ranks in product(range(13), repeat=3):
        for suits in _SUITS:
            hand = tuple(Card(4 * rank + suit) for rank, suit in zip(ranks, suits, strict=True))
            if len(set(hand)) == 3:
                found[codes.index_of(*hand)] = hand
    return tuple(found.items())


def hands(decide: Callable[[tuple[Card, ...]], str]) -> NDArray[np.uint32]:
    """`Table.hands`; `decide` is asked once about all hands that differ in order and suits' names
    alone, as it is for its exact worth.
    """
    found = np.zeros(codes.INDICES, np.uint32)
    place = {value: place for place, value in enumerate(_values())}
    numbers = {ranks: number for number, ranks in enumerate(THREE_RANKS)}
    decisions = [DECISIONS.index(decide(hand)) for hand in rows()]
    each = rows_of([hand for _, hand in every_hand()])
    for (index, hand), row in zip(every_hand(), each, strict=True):
        value = three_card.value(hand)
        kind = codes.MINI_ROYAL if value == three_card.MINI_ROYAL else three_card.rank(value)
        low, middle, high = sorted(card.rank for card in hand)
        found[index] = (
            place[value] << codes.VALUE
            | numbers[low, middle, high] << codes.RANKS
            | decisions[row] << codes.DECISION
            | kind
        )
    return found


def known(hands: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """`Table.known`: a hand by the sum of its keys, marked where that does not say enough of it."""
    found = np.zeros(2 * codes.SUITED, np.uint32)
    for index, hand in every_hand():
        place, word = codes.sum_of(*hand), hands[index]
        if found[place] not in (0, word) or word & codes.HAND_KIND == codes.MINI_ROYAL:
            word |= np.uint32(codes.CLOSER)
        found[place] = word
    return found


@cache
def _values() -> list[int]:
    return sorted({three_card.value(hand) for _, hand in every_hand()})


class _Seat:
    """The nets of one position, filled wager by wager."""

    def __init__(
        self,
        rules: Rules,
        position: int,
        stakes: Mapping[str, Cents],
        players: int,
        coupon: Mapping[str, Cents],
        values: CodeValues,
    ) -> None:
        self.rules, self.stakes, self.players, self.coupon = rules, stakes, players, coupon
        self._position, self._values = position, values
        self.net = values.net[position]
        self.meter = np.full((2, CODES), -1, np.int64)
        self.share = np.zeros((2, CODES), np.int64)
        self.five_envy = np.zeros(len(poker.NAMES), np.int64)
        self._columns = columns(rules)
        #: the wagers of the position by their columns
        self.made = {self._columns[id]: id for id in stakes if id in self._columns}

    def put(self, column: int, code: int, lines: Sequence[Line]) -> None:
        self._values.put(self._position, column, code, lines)
        for line in lines:
            if line.wager in self.coupon:
                beside = massachusetts.coupon_line(self.rules, self.coupon[line.wager], line)
                self.net[codes.COUPON, code] += beside.net

    def fill(self) -> None:
        prime = self.rules.chapter.about.variant == "prime"
        for column, wager in self.made.items():
            if column == codes.ANTE_PLAY:
                self._ante_play(self.stakes[wager], prime)
            elif column in (codes.PAIR_PLUS, codes.PROGRESSIVE):
                for kind in range(KINDS):
                    for relation in range(RELATIONS):
                        code = kind * RELATIONS + relation
                        self._pay(wager, code, self._three(kind), _GIVEN_UP.get(relation, "play"))
            elif column == codes.SIX_CARDS:
                royal = "six_card_royal" if prime else "super_royal"
                for decision, more in (("play", 0), ("forfeit", codes.SIXES)):
                    for code, name in enumerate(poker.NAMES):
                        self._pay(wager, code + more, names_of(name), decision)
                    for code, six in enumerate(_SIX_ROYALS, len(poker.NAMES)):
                        names = six_card_names(six[:3], six[3:], royal)
                        self._pay(wager, code + more, names, decision)
            elif column == codes.FIVE_CARDS:
                for decision, more in (("play", 0), ("fold", codes.FIVES)):
                    for code, name in enumerate(poker.NAMES):
                        self._pay(wager, code + more, (name,), decision, row=1)
            elif column == codes.COVER_ALL:
                table = self.rules.table(wager, str(self.players))
                for kind in range(KINDS):
                    self._table(wager, kind, table, self._three(kind))
            elif column == codes.PRIME:
                colors = ((), ("same_color",), ("same_color_both", "same_color"))
                for code, names in enumerate(colors):
                    self._table(wager, code, self.rules.table(wager), names)
            elif column == codes.PAIR_BONUS:
                for two in (False, True):
                    table = self.rules.table(wager, None if two else "not_2")
                    for kind in range(KINDS):
                        self._table(wager, kind + KINDS * two, table, self._three(kind))
        self._envy()

    def _three(self, kind: int) -> tuple[str, ...]:
        hand = EXAMPLES[kind]
        return three_card.outcomes(hand, three_card.value(hand))

    def _ante_play(self, ante: Cents, prime: bool) -> None:
        """Every kind in every relation; values stand in for hands, real or not."""
        rules = self.rules
        least = qualifying_value(rules)
        for kind, hand in enumerate(EXAMPLES):
            mine = three_card.value(hand)
            for relation in range(RELATIONS):
                dealer = {
                    codes.NOT_QUALIFIED: least - 1,
                    codes.LOWER: mine + 1,
                    codes.HIGHER: mine - 1,
                }.get(relation, mine)
                decision = _GIVEN_UP.get(relation, "play")
                lines: list[Line] = []
                if prime:
                    lines += three_card_prime.ante_and_play(
                        rules, ante, decision, mine, dealer, self._three(kind)
                    )
                else:
                    clauses = maryland.CLAUSES
                    lines += ante_and_play(rules, ante, decision, mine, dealer, clauses)
                    if decision == "play":
                        bonus = ante_bonus(rules, ante, self._three(kind))
                        lines += [bonus] if bonus else []
                self.put(codes.ANTE_PLAY, kind * RELATIONS + relation, lines)

    def _given_up(self, wager: str, decision: str) -> bool:
        """Whether a hand given up takes this wager with it; without an ante nothing is given up."""
        if codes.ANTE_PLAY not in self.made or decision == "play":
            return False
        if decision == "forfeit":
            return self.rules.chapter.wagers[wager].on_unseen_forfeit == "forfeited"
        return self.rules.forfeited_by_fold(wager)

    def _pay(
        self, wager: str, code: int, names: Sequence[str], decision: str, row: int = 0
    ) -> None:
        column, stake = self._columns[wager], self.stakes[wager]
        if self._given_up(wager, decision):
            self.put(column, code, [Line(wager, stake, "forfeit", 0, "")])
        else:
            self._table(wager, code, self.rules.table(wager), names, row)

    def _table(
        self, wager: str, code: int, table: Paytable, names: Sequence[str], row: int = 0
    ) -> None:
        column, stake = self._columns[wager], self.stakes[wager]
        pay = best_pay(table, names)
        if pay is None:
            line = Line(wager, stake, "lose", 0, "")
        elif pay.odds.kind == "meter":
            line = Line(wager, stake, "lose", 0, "")  # the meter's share is added when it is paid
            name = self.rules.meter_name(wager, pay.odds)
            self.meter[row, code] = self.rules.meter_names.index(name)
            self.share[row, code] = int(pay.odds.value * 100)
        else:
            line = Line(wager, stake, "win", pay.odds.beside(stake), "", outcome=pay.hand)
        self.put(column, code, [line])

    def _envy(self) -> None:
        if codes.PROGRESSIVE in self.made:
            table = envy_table(self.rules, self.stakes[self.made[codes.PROGRESSIVE]])
            spades, others = (best_pay(table, self._three(kind)) for kind in (7, 6))
            for code in range(2 * codes.OTHERS):
                each = ((spades, code // codes.OTHERS), (others, code % codes.OTHERS))
                self.net[codes.ENVY, code] = sum(
                    pay.odds.beside(0) * count for pay, count in each if pay
                )
        awards = self.rules.options.get("five_card_envy", "none")
        if FIVE_CARDS in self.made and isinstance(awards, dict):
            for place, name in enumerate(poker.NAMES):
                for stake, award in awards.get(name, {}).items():
                    if cents(stake) == self.stakes[self.made[FIVE_CARDS]]:
                        self.five_envy[place] = int(odds(award).value)


def build(
    rules: Rules,
    stakes: Sequence[Mapping[str, Cents]],
    decide: Callable[[tuple[Card, ...]], str],
    *,
    owners: Sequence[int] | None = None,
    on_hand: Sequence[int] | None = None,
    coupons: Sequence[Mapping[str, Cents]] = (),
    meters: Mapping[str, Cents] = {},
) -> tuple[Table, Ints]:
    """A table where these wagers are made, and what each code has staked.

    `coupons` stand beside them, one for each wager of a position; `on_hand` says which of the common
    hands a position is on, in the electronic version; `meters` show so much in every round.
    """
    on_hand = list(range(len(stakes))) if on_hand is None else list(on_hand)
    owners = list(range(len(stakes))) if owners is None else list(owners)
    electronic = rules.options.get("electronic", False)
    dealt = 3 if electronic else len(stakes)
    beside = coupons or [{}] * len(stakes)
    values = CodeValues(rules, len(stakes), len(WAGERS), CODES)
    seats = [
        _Seat(rules, position, made, dealt, coupon, values)
        for position, (made, coupon) in enumerate(zip(stakes, beside, strict=True))
    ]
    for seat in seats:
        seat.fill()
    made = {column for seat in seats for column in seat.made}
    if codes.PROGRESSIVE in made:
        made.add(codes.ENVY)
    if any(beside):
        made.add(codes.COUPON)
    if FIVE_CARDS in made and any(seat.five_envy.any() for seat in seats):
        made.add(codes.FIVE_ENVY)
    extra = 2 if FIVE_CARDS in made else len(stakes) if codes.PAIR_BONUS in made else 0
    meter = np.stack([seat.meter for seat in seats], axis=1)
    two = rules.chapter.about.facts.get("fourth_card_rank")
    sixes, fives = by_ranks()
    net = values.net
    paid = net.copy()
    paid[:, codes.ANTE_PLAY] = net[:, : codes.TOGETHER].sum(axis=1)
    for row, column in enumerate((codes.ANTE_PLAY, codes.FIVE_CARDS)):
        paid[:, column] += MARK * (meter[row] >= 0)
    if codes.ENVY in made:
        paid[:, codes.ANTE_PLAY, codes.MINI_ROYAL * RELATIONS :] += MARK
    every = hands(decide)
    decides = np.array([codes.ANTE_PLAY in seat.made for seat in seats])
    table = Table(
        known=known(every),
        hands=every,
        sixes=sixes,
        fives=fives,
        qualifies=bisect_left(_values(), qualifying_value(rules)) << codes.VALUE,
        cards=3 + 3 * dealt + extra,
        own=3 + 3 * np.array(on_hand, np.int64),
        owner=np.array(owners, np.int64),
        dealt=dealt,
        rest=3 + 3 * dealt,
        made=np.array([column in made for column in range(len(WAGERS))]),
        decides=decides,
        heeded=np.where(decides, -1, ~(codes.HAND_DECISION << codes.DECISION)),
        net=net,
        paid=paid.ravel(),
        limited=values.limited,
        limit=payout_limit(rules),
        meter=meter,
        share=np.stack([seat.share for seat in seats], axis=1),
        shows=np.array([meters.get(name, 0) for name in rules.meter_names], np.int64),
        resets=np.array([rules.meter(name).reset for name in rules.meter_names], np.int64),
        five_envy=np.stack([seat.five_envy for seat in seats]),
        two=RANKS.index(str(two.value)) if two else -1,
    )
    return table, values.staked


assert tuple(map(DECISIONS.index, DECISIONS)) == (PLAY, FOLD, FORFEIT)
