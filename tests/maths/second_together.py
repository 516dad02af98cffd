"""The wagers of one seat together, by a second program: every player's hand against every dealer's.

For each of the 22,100 hands all 18,424 dealer's hands are looked at, ranked by code of this module.
What the community cards or a fourth card add is averaged over all that are left.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb, lcm
from typing import Any

import numpy as np
import second_down_under
import second_saigon
from numba import njit
from second_program import (
    DECK,
    POKER,
    back,
    best_of,
    duel,
    paid_rows,
    three,
    three_cards,
)

from houseway.maths.joint.joint_wagers import everything

SIX = (*POKER, "six_card_royal", "six_card_royal_diamonds")


@njit(cache=False)
def six_kind(cards):  # type: ignore[no-untyped-def]
    """The place in `SIX` of six cards."""
    ranks = np.zeros(13, np.int64)
    suits = np.zeros(4, np.int64)
    in_suit = np.zeros(4, np.int64)
    held = 0
    for card in cards:
        ranks[card >> 2] += 1
        suits[card & 3] += 1
        in_suit[card & 3] |= 1 << (card >> 2)
        held |= 1 << (card >> 2)
    straight = flush = straight_flush = royal = False
    for suit in range(4):
        if suits[suit] == 6 and in_suit[suit] == 0b1111110000000:
            return 11 if suit == 1 else 10
        flush = flush or suits[suit] >= 5
    for low in range(-1, 9):
        run = 0b1000000001111 if low < 0 else 0b11111 << low
        straight = straight or held & run == run
        for suit in range(4):
            if in_suit[suit] & run == run:
                straight_flush = True
                royal = royal or low == 8
    fours = threes = pairs = 0
    for count in ranks:
        fours += count == 4
        threes += count == 3
        pairs += count == 2
    if royal:
        return 0
    if straight_flush:
        return 1
    if fours:
        return 2
    if threes == 2 or (threes and pairs):
        return 3
    if flush:
        return 4
    if straight:
        return 5
    if threes:
        return 6
    if pairs >= 2:
        return 7
    return 8 if pairs else 9


@njit(cache=False)
def against(hand, hands, level, low, play, six, colors):  # type: ignore[no-untyped-def]
    """One player's hand against every dealer's: sums of what the wagers bring, and of products.

    `play` is what ante and play bring where the dealer does not qualify, is lower, level, higher.
    Of ante and play and of six cards: over all dealer's hands, over those with a card, and with two.
    """
    mine = 0
    for place in range(len(hands)):
        if hands[place, 0] == hand[0] and hands[place, 1] == hand[1] and hands[place, 2] == hand[2]:
            mine = place
    red = 0
    for card in hand:
        red += (card & 3) in (1, 2)
    one_color = red in (0, 3)
    cards = np.empty(6, np.int64)
    cards[:3] = hand
    # deals, play, six, color; play x six, play x color, six x color; squares of each
    sums = np.zeros(10, np.int64)
    with_one = np.zeros((2, 52), np.int64)
    with_two = np.zeros((2, 52, 52), np.int64)
    # what each brings, times the dealer's twos
    twos = np.zeros(4, np.int64)
    for place in range(len(hands)):
        a, b, c = hands[place]
        if a in hand or b in hand or c in hand:
            continue
        cards[3], cards[4], cards[5] = a, b, c
        if low[place]:
            won = play[0]
        elif level[place] < level[mine]:
            won = play[1]
        elif level[place] == level[mine]:
            won = play[2]
        else:
            won = play[3]
        paid = six[six_kind(cards)]
        color = colors[0]
        if one_color:
            reds = ((a & 3) in (1, 2)) + ((b & 3) in (1, 2)) + ((c & 3) in (1, 2))
            color = colors[2] if reds == red else colors[1]
        sums[0] += 1
        sums[1] += won
        sums[2] += paid
        sums[3] += color
        sums[4] += won * paid
        sums[5] += won * color
        sums[6] += paid * color
        sums[7] += won * won
        sums[8] += paid * paid
        sums[9] += color * color
        held = (a < 4) + (b < 4) + (c < 4)
        twos[0] += held
        twos[1] += held * won
        twos[2] += held * paid
        twos[3] += held * color
        for card in (a, b, c):
            with_one[0, card] += won
            with_one[1, card] += paid
        for first, second in ((a, b), (a, c), (b, c)):
            with_two[0, first, second] += won
            with_two[1, first, second] += paid
    return sums, with_one, with_two, twos


def whole(nets: list[Fraction]) -> tuple[list[int], int]:
    part = lcm(*(net.denominator for net in nets))
    return [int(net * part) for net in nets], part


class Seat:
    """What each wager of a sheet's joint figures brings, by what it is settled on."""

    def __init__(self, sheet: Any) -> None:
        self.law = sheet.chapter
        self.rules = sheet.rules or everything(self.law)
        self.entries = {
            entry: next(w for w in self.law.about.wagers if w.entry == entry)
            for entry in sheet.together_tables
        }
        self.tables = sheet.together_tables

    def of(self, on: str) -> list[str]:
        return [entry for entry, wager in self.entries.items() if wager.settled_on == on]

    def back(self, entry: str, names: list[str]) -> Fraction:
        """What comes back of one dollar; meters show their reset."""
        wager = self.entries[entry]
        table = self.law.paytables[wager.id, self.tables[entry]]
        row = paid_rows(table, names, 100)
        if row is None:
            return Fraction(0)
        odds = table[row].odds
        if odds.kind != "meter":
            return back(odds, 100)
        name = wager.id if odds.meter == "meter" else f"{wager.id}.{odds.meter}"
        return odds.value * self.rules.meter(name).reset / 100

    def play(self, names: list[str]) -> list[Fraction]:
        """Ante and play against a dealer who does not qualify, is lower, level or higher."""
        (entry,) = self.of("duel")
        tables = self.law.paytables
        if "bad_beat" in self.law.options:
            paid = tables["play", "standard"][paid_rows(tables["play", "standard"], names, 100)]
            bad_beat = tables["bad_beat", self.tables[entry]]
            row = paid_rows(bad_beat, names, 100)
            lost = Fraction(-2) if row is None else bad_beat[row].odds.value - 1
            return [Fraction(1), 1 + paid.odds.value, 1 + paid.odds.value, lost]
        bonus = tables["ante_bonus", self.tables[entry]]
        row = paid_rows(bonus, names, 100)
        more = bonus[row].odds.value if row is not None else Fraction(0)
        return [1 + more, 2 + more, more, more - 2]


def three_card_game(sheet: Any) -> tuple[dict[str, Fraction], dict[tuple[str, str], Fraction]]:
    """Means, and means of products of two net results, a wager with itself among them."""
    seat = Seat(sheet)
    hands = np.array(list(combinations(range(52), 3)))
    values = [three(tuple(DECK[card] for card in hand)) for hand in hands]
    order = {value: place for place, value in enumerate(sorted(set(values)))}
    level = np.array([order[value] for value in values])
    low = level < min(order[value] for value in values if value >= (0, 10))
    (ante,) = seat.of("duel")
    sixes, fives, colored = seat.of("six_cards"), seat.of("five_cards"), seat.of("colors")
    fourth, own = seat.of("fourth_card"), seat.of("three_cards")
    royal = {"six_card_royal": ["super_royal", "six_card_royal", "royal_flush"]}
    royal["six_card_royal_diamonds"] = [
        "super_royal_diamonds", "six_card_royal_diamonds", *royal["six_card_royal"],
    ]  # fmt: skip
    six_nets = [
        seat.back(sixes[0], royal.get(name, [name])) - 1 if sixes else Fraction(0) for name in SIX
    ]
    six, six_part = whole(six_nets)
    color_nets = [Fraction(0)] * 3
    if colored:
        both = ["same_color_both", "same_color"]
        color_nets = [
            Fraction(-1), *(seat.back(colored[0], names) - 1 for names in (["same_color"], both)),
        ]  # fmt: skip
    color, color_part = whole(color_nets)
    five_back, five_part = whole(
        [seat.back(fives[0], [name]) if fives else Fraction(0) for name in POKER]
    )
    total = {name: Fraction(0) for name in seat.entries}
    products: dict[tuple[str, str], Fraction] = {}

    def add(first: str, second: str, value: Fraction) -> None:
        key = (first, second) if (first, second) in products else (second, first)
        if key not in products:
            key = (first, second)
        products[key] = products.get(key, Fraction(0)) + value

    deals = comb(49, 3)
    pairs = np.array(list(combinations(range(52), 2)))
    for (hand, names), cards, counts in zip(three_cards(), hands, duel(), strict=True):
        nets = seat.play(names)
        worth = sum(n * net for n, net in zip(counts, nets, strict=True))
        is_played = worth > -deals
        play, part = whole(nets if is_played else [Fraction(-1)] * 4)
        sums, one, two, twos = against(
            cards, hands, level, low, np.array(play), np.array(six), np.array(color)
        )
        # means over all dealer's hands
        of = {ante: Fraction(int(sums[1]), part * deals)}
        if sixes:
            of[sixes[0]] = Fraction(int(sums[2]), six_part * deals)
        if colored:
            of[colored[0]] = Fraction(int(sums[3]), color_part * deals)
        squares = {
            (ante, ante): Fraction(int(sums[7]), part * part * deals),
        }
        if sixes:
            squares[sixes[0], sixes[0]] = Fraction(int(sums[8]), six_part**2 * deals)
            squares[ante, sixes[0]] = Fraction(int(sums[4]), part * six_part * deals)
        if colored:
            squares[colored[0], colored[0]] = Fraction(int(sums[9]), color_part**2 * deals)
            squares[ante, colored[0]] = Fraction(int(sums[5]), part * color_part * deals)
        if colored and sixes:
            squares[colored[0], sixes[0]] = Fraction(int(sums[6]), six_part * color_part * deals)
        alone = {}
        for entry in own:
            forfeited = not is_played and seat.rules.forfeited_by_fold(seat.entries[entry].id)
            alone[entry] = Fraction(-1) if forfeited else seat.back(entry, names) - 1
        for entry, net in alone.items():
            of[entry] = net
            squares[entry, entry] = net * net
        for place, (entry, net) in enumerate(alone.items()):
            for other in [ante, *sixes, *colored, *list(alone)[place + 1 :]]:
                squares[entry, other] = net * of[other]
        if fourth:
            _fourth(
                seat, fourth[0], hand, names, of, squares, sums, twos, (part, six_part, color_part)
            )
        if fives:
            _five(
                seat, fives[0], cards, is_played, of, squares, (sums, one, two), pairs,
                (five_back, five_part), (ante, part), (sixes[0] if sixes else "", six_part),
            )  # fmt: skip
        for entry, value in of.items():
            total[entry] += value
        for (first, second), value in squares.items():
            add(first, second, value)
    every = comb(52, 3)
    return (
        {name: value / every for name, value in total.items()},
        {pair: value / every for pair, value in products.items()},
    )


def _fourth(seat, entry, hand, names, of, squares, sums, twos, parts):  # type: ignore[no-untyped-def]
    """A fourth card of the 46 that are left is a two or not; the dealer's twos are not left."""
    tables = seat.law.paytables
    id = seat.entries[entry].id
    with_two, plain = (
        back(table[row].odds, 100) - 1 if (row := paid_rows(table, names, 100)) else Fraction(-1)
        for table in (tables[id, seat.tables[entry]], tables[id, "not_2"])
    )
    mine = 4 - sum(rank == 0 for rank, _ in hand)
    deals = comb(49, 3)
    of[entry] = (mine * with_two + (49 - mine) * plain) / 49
    squares[entry, entry] = (mine * with_two**2 + (49 - mine) * plain**2) / 49
    for place, (other, value) in enumerate(list(of.items())):
        if other == entry:
            continue
        # the mean of the other's net times the chance that the fourth is a two
        number = {0: 1, 1: 2, 2: 3}.get(place)
        if number is None:
            raise AssertionError(other)
        scale = parts[number - 1]
        weighed = Fraction(mine * int(sums[number]) - int(twos[number]), 46 * deals * scale)
        squares[other, entry] = plain * value + (with_two - plain) * weighed


def _five(seat, entry, cards, played, of, squares, counted, pairs, five, ante, six):  # type: ignore[no-untyped-def]
    """The two community cards are none of the dealer's: dealer's hands without them are counted."""
    five_back, five_part = five
    apart = pairs[(pairs[:, :, None] != cards).all(axis=(1, 2))]
    kind = best_of(
        np.column_stack([np.tile(cards, (len(apart), 1)), apart]) // 4,
        np.column_stack([np.tile(cards, (len(apart), 1)), apart]) % 4,
    )
    forfeited = not played and seat.rules.forfeited_by_fold(seat.entries[entry].id)
    came = np.zeros(len(apart), np.int64) if forfeited else np.array(five_back)[kind]
    every = comb(49, 2)
    mean = Fraction(int(came.sum()), every * five_part) - 1
    of[entry] = mean
    square = Fraction(int((came * came).sum()), every * five_part**2)
    squares[entry, entry] = square - 2 * (mean + 1) + 1
    sums, one, two = counted
    for place, (other, part) in enumerate((ante, six)):
        if not other:
            continue
        rest = (
            int(sums[place + 1])
            - one[place][apart[:, 0]]
            - one[place][apart[:, 1]]
            + two[place][apart[:, 0], apart[:, 1]]
        )
        met = sum(int(c) * int(r) for c, r in zip(came, rest, strict=True) if c)
        squares[other, entry] = Fraction(met, every * comb(47, 3) * five_part * part) - of[other]
    for other, value in of.items():
        if other not in (entry, ante[0], six[0]):
            squares[other, entry] = value * mean


def saigon(sheet: Any) -> tuple[dict[str, Fraction], dict[tuple[str, str], Fraction]]:
    """The ante by kinds of hands, and the Bonus of each hand of a kind."""
    seat = Seat(sheet)
    (ante,), (bonus,) = seat.of("set_hands"), seat.of("five_cards")
    table = seat.law.paytables["ante", "standard"]
    hands, _, _ = second_saigon.kinds()
    chosen = second_saigon.chosen(table, "best")
    cards, named = second_saigon.bonus_hands()
    worth = np.array([*(min(r + 2, 10) for r in range(12) for _ in range(4)), *(1,) * 4, 0])
    sorted_values = np.sort(worth[cards], axis=1)
    key = (sorted_values * (11 ** np.arange(5))).sum(axis=1)
    kind_of = {sum(v * 11**p for p, v in enumerate(hand)): at for at, hand in enumerate(hands)}
    net = [seat.back(bonus, [name]) - 1 if name else Fraction(-1) for name in second_saigon.BONUS]
    dealers, deals = second_saigon.dealers(), comb(48, 5)
    mean = {ante: Fraction(0), bonus: Fraction(0)}
    products = {(ante, ante): Fraction(0), (ante, bonus): Fraction(0), (bonus, bonus): Fraction(0)}
    pairs, counts = np.unique(np.stack([key, named], axis=1), axis=0, return_counts=True)
    for (kind, place), count in zip(pairs.tolist(), counts.tolist(), strict=True):
        at = kind_of[kind]
        came = second_saigon.results(table, chosen[at], dealers[at])
        first = sum((ways * won for _, ways, won in came), Fraction(0)) / deals
        square = sum((ways * won * won for _, ways, won in came), Fraction(0)) / deals
        mean[ante] += count * first
        mean[bonus] += count * net[place]
        products[ante, ante] += count * square
        products[ante, bonus] += count * first * net[place]
        products[bonus, bonus] += count * net[place] ** 2
    every = comb(53, 5)
    return (
        {name: value / every for name, value in mean.items()},
        {pair: value / every for pair, value in products.items()},
    )


def agrees(sheet: Any) -> bool:
    """Compare the joint figures of a sheet; whether there was anything to compare."""
    on = {wager.settled_on for wager in sheet.chapter.about.wagers}
    if "duel" in on:
        means, products = three_card_game(sheet)
    elif "set_hands" in on:
        means, products = saigon(sheet)
    elif "matched_cards" in on:
        return second_down_under.together_agrees(sheet)
    else:
        return False
    whole = sheet.together
    assert means == dict(whole.means)
    for (first, second), product in products.items():
        covariance = product - means[first] * means[second]
        if first == second:
            assert covariance == whole.variances[first], first
        else:
            known = whole.covariances.get((first, second)) or whole.covariances[second, first]
            assert covariance == known, (first, second)
    assert len(products) == len(whole.means) + len(whole.covariances)
    return True
