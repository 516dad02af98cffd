"""A second program for the figures of the sheets: plain enumeration, with rankings of its own.

Nothing here is shared with `houseway.games`: hands are ranked independently from the definitions of the
chapters, every deal that matters is looked at, and the payouts are read from the chapter. What it
works out is compared with the sheet figure by figure; `houseway.maths.checked` has the hashes of the
entries that agree. Slow on purpose where that is plainer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from houseway.law import Paytable, chapter
from houseway.money import Odds

#: rank 0 is the two, 12 the ace; suits clubs, diamonds, hearts, spades
DECK = [(rank, suit) for rank in range(13) for suit in range(4)]
Hand = tuple[tuple[int, int], ...]


@dataclass
class Worked:
    """What was worked out of an entry; a part that is empty was not."""

    edge: Fraction
    staked: Fraction = Fraction(1)
    #: net results, each with its probability
    nets: dict[Fraction, Fraction] = field(default_factory=dict)
    #: by outcome and what comes back of one unit: how often
    rows: dict[tuple[str, Fraction], Fraction] = field(default_factory=dict)
    #: the edge of each simpler way to play
    simpler: dict[str, Fraction] = field(default_factory=dict)
    #: fixed return, long-run return, and by meter: chance, mean share, break-even in dollars
    meters: dict[str, Any] = field(default_factory=dict)


def back(odds: Odds, stake: int) -> Fraction:
    """What comes back of one unit, the stake included; "for" includes it, "to" does not."""
    if odds.kind == "to":
        return odds.value + 1
    if odds.kind == "for":
        return odds.value
    assert odds.kind == "dollars"
    return odds.value / stake + 1


def worked(counts: Counter[str], total: int, backs: dict[str, Fraction]) -> Worked:
    """The figures of a wager that comes to `counts`, where `backs` says what comes back."""
    nets: Counter[Fraction] = Counter()
    for name, ways in counts.items():
        nets[backs.get(name, Fraction(0)) - 1] += ways
    found = of_nets(nets, total)
    found.rows = {(name, backs[name]): Fraction(counts[name], total) for name in backs}
    return found


def paid_rows(table: Paytable, names: list[str], stake: int) -> str | None:
    """The row of a table that pays a hand with these names, the most particular first."""
    return next((name for name in names if name in table.pays), None)


# three cards


def three(hand: Hand) -> tuple[int, ...]:
    """Category and tie-breakers of three cards; a higher tuple is a higher hand."""
    ranks = sorted((rank for rank, _ in hand), reverse=True)
    flush = len({suit for _, suit in hand}) == 1
    top = 1 if ranks == [12, 1, 0] else ranks[0]
    run = ranks == [12, 1, 0] or (ranks[0] - 1 == ranks[1] and ranks[1] - 1 == ranks[2])
    if run and flush:
        return (5, top)
    if ranks[0] == ranks[2]:
        return (4, ranks[0])
    if run:
        return (3, top)
    if flush:
        return (2, *ranks)
    if ranks[0] == ranks[1]:
        return (1, ranks[0], ranks[2])
    if ranks[1] == ranks[2]:
        return (1, ranks[1], ranks[0])
    return (0, *ranks)


THREE_NAMES = ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush")


def three_names(hand: Hand) -> list[str]:
    value = three(hand)
    names = [THREE_NAMES[value[0]]]
    if value == (5, 12):
        names.insert(0, "mini_royal")
        if hand[0][1] == 3:
            names.insert(0, "mini_royal_spades")
    return names


@cache
def three_cards() -> list[tuple[Hand, list[str]]]:
    return [(hand, three_names(hand)) for hand in combinations(DECK, 3)]


def on_three_cards(table: Paytable, stake: int) -> Worked:
    counts: Counter[str] = Counter()
    for _, names in three_cards():
        counts[paid_rows(table, names, stake) or ""] += 1
    return worked(counts, comb(52, 3), {h: back(p.odds, stake) for h, p in table.pays.items()})


@cache
def duel() -> list[list[int]]:
    """For each hand of three: dealer's hands that do not qualify, are lower, level and higher."""
    hands = list(combinations(range(52), 3))
    values = [three(tuple(DECK[card] for card in hand)) for hand in hands]
    order = {value: place for place, value in enumerate(sorted(set(values)))}
    level = np.array([order[value] for value in values])
    masks = np.array([sum(1 << card for card in hand) for hand in hands])
    queen = min(order[value] for value in values if value >= (0, 10))
    low = level < queen
    found = []
    for mask, mine in zip(masks.tolist(), level.tolist(), strict=True):
        apart = (masks & mask) == 0
        theirs, weak = level[apart], low[apart]
        strong = theirs[~weak]
        found.append(
            [int(weak.sum()), int((strong < mine).sum()), int((strong == mine).sum()),
             int((strong > mine).sum())]
        )  # fmt: skip
    return found


#: what becomes of a hand: its name on the sheet, deals, and net result in antes
Results = list[tuple[str, int, Fraction]]


def play_or_fold(results: Iterable[tuple[tuple[int, ...], Results]]) -> Worked:
    """Every hand played or folded as is better; and by three rules that are simpler."""
    hands = list(results)
    every = comb(52, 3) * comb(49, 3)
    queen = (0, 10)

    def followed(plays: Callable[[tuple[int, ...], Results], bool]) -> Worked:
        nets: Counter[Fraction] = Counter()
        rows: Counter[tuple[str, Fraction]] = Counter()
        staked = 0
        for value, came in hands:
            if plays(value, came):
                staked += 2 * comb(49, 3)
                for name, ways, net in came:
                    nets[net] += ways
                    rows[name, net + 1] += ways
            else:
                staked += comb(49, 3)
                nets[Fraction(-1)] += comb(49, 3)
                rows["fold", Fraction(0)] += comb(49, 3)
        found = of_nets(nets, every, staked)
        found.rows = {row: Fraction(ways, every) for row, ways in rows.items() if ways}
        return found

    best = followed(lambda _, came: sum(ways * net for _, ways, net in came) > -comb(49, 3))
    best.simpler = {
        "always_play": followed(lambda *_: True).edge,
        "play_any_queen": followed(lambda value, _: value >= queen).edge,
        "mimic_the_dealer": followed(lambda value, _: value >= queen).edge,
    }
    return best


def ante_and_play(bonus: Paytable) -> Worked:
    """Maryland and Massachusetts.

    Not qualified: ante 1 to 1, play returned. Higher: both 1 to 1. Level: both returned. The bonus
    is paid to every hand that is played.
    """

    def results() -> Iterator[tuple[tuple[int, ...], Results]]:
        for (hand, names), (weak, lower, level, higher) in zip(three_cards(), duel(), strict=True):
            row = paid_rows(bonus, names, 100)
            more = bonus[row].odds.value if row is not None else Fraction(0)
            yield (
                three(hand),
                [
                    ("dealer_does_not_qualify", weak, 1 + more),
                    ("win", lower, 2 + more),
                    ("tie", level, more),
                    ("lose", higher, more - 2),
                ],
            )

    return play_or_fold(results())


def prime(play: Paytable, bad_beat: Paytable) -> Worked:
    """Three Card Prime. Not qualified: ante returned, play 1 to 1. Higher or level: ante 1 to 1, play
    by the hand. Lower: both lost, or with a bad beat the ante alone, and the play paid the bonus.
    """

    def results() -> Iterator[tuple[tuple[int, ...], Results]]:
        for (hand, names), (weak, lower, level, higher) in zip(three_cards(), duel(), strict=True):
            paid = play[paid_rows(play, names, 100) or ""].odds.value
            row = paid_rows(bad_beat, names, 100)
            lost = ("lose", higher, Fraction(-2))
            if row is not None:
                lost = ("bad_beat", higher, bad_beat[row].odds.value - 1)
            yield (
                three(hand),
                [
                    ("dealer_does_not_qualify", weak, Fraction(1)),
                    ("win", lower, 1 + paid),
                    ("tie", level, 1 + paid),
                    lost,
                ],
            )

    return play_or_fold(results())


def of_nets(nets: Counter[Fraction], total: int, staked: int | None = None) -> Worked:
    chances = {net: Fraction(ways, total) for net, ways in nets.items() if ways}
    mean = sum((net * chance for net, chance in chances.items()), Fraction(0))
    return Worked(-mean, Fraction(1) if staked is None else Fraction(staked, total), chances)


def on_colors(table: Paytable) -> Worked:
    """Three cards of one color, and the dealer's of the same color too."""
    counts: Counter[str] = Counter()
    for hand, _ in three_cards():
        reds = sum(suit in (1, 2) for _, suit in hand)
        if reds in (0, 3):
            counts["same_color_both"] += comb(23, 3)
            counts["same_color"] += comb(49, 3) - comb(23, 3)
        else:
            counts[""] += comb(49, 3)
    backs = {hand: back(pay.odds, 100) for hand, pay in table.pays.items()}
    return worked(counts, comb(52, 3) * comb(49, 3), backs)


def on_a_fourth_card(table: Paytable, otherwise: Paytable) -> Worked:
    """Three cards, paid by one table when the fourth card is a two and by another when not."""
    nets: Counter[Fraction] = Counter()
    rows: Counter[tuple[str, Fraction]] = Counter()
    total = comb(52, 3) * 49
    for hand, names in three_cards():
        twos = 4 - sum(rank == 0 for rank, _ in hand)
        for paid, ways in ((table, twos), (otherwise, 49 - twos)):
            row = paid_rows(paid, names, 100)
            came = back(paid[row].odds, 100) if row else Fraction(0)
            nets[came - 1] += ways
            if row:
                rows[row, came] += ways
    found = of_nets(nets, total)
    found.rows = {row: Fraction(ways, total) for row, ways in rows.items()}
    return found


# five and six cards


def best_of(ranks: np.ndarray, suits: np.ndarray) -> np.ndarray:
    """The category of five or six cards, 0 a royal flush to 9 a high card, best five counted."""
    size = ranks.shape[1]
    by_rank = np.zeros((len(ranks), 13), np.int8)
    by_suit = np.zeros((len(ranks), 4), np.int8)
    in_suit = np.zeros((len(ranks), 4), np.int32)
    rows = np.arange(len(ranks))
    for place in range(size):
        by_rank[rows, ranks[:, place]] += 1
        by_suit[rows, suits[:, place]] += 1
        in_suit[rows, suits[:, place]] |= 1 << ranks[:, place]
    any_suit = in_suit[:, 0] | in_suit[:, 1] | in_suit[:, 2] | in_suit[:, 3]
    runs = [0b11111 << low for low in range(8, -1, -1)] + [0b1000000001111]
    straight = np.zeros(len(ranks), bool)
    straight_flush, royal = straight.copy(), straight.copy()
    for run in runs:
        straight |= (any_suit & run) == run
        for suit in range(4):
            held = (in_suit[:, suit] & run) == run
            straight_flush |= held
            if run == runs[0]:
                royal |= held
    most = np.sort(by_rank, axis=1)[:, ::-1]
    conditions = [
        royal, straight_flush, most[:, 0] == 4, (most[:, 0] == 3) & (most[:, 1] >= 2),
        by_suit.max(axis=1) >= 5, straight, most[:, 0] == 3, (most[:, 0] == 2) & (most[:, 1] == 2),
        most[:, 0] == 2,
    ]  # fmt: skip
    return np.select(conditions, range(9), 9)


POKER = (
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
    "three_of_a_kind", "two_pair", "pair", "high_card",
)  # fmt: skip


@cache
def six_cards() -> Counter[str]:
    """All 20,358,520 sets of six cards by their best name; six to the ace of one suit apart."""
    found = np.zeros(10, np.int64)
    fives = np.array(list(combinations(range(52), 5)))
    for last in range(5, 52):  # sets whose highest card is this one
        lower = fives[fives[:, 4] < last]
        if not len(lower):
            continue
        sets = np.column_stack([lower, np.full(len(lower), last)])
        found += np.bincount(best_of(sets // 4, sets % 4), minlength=10)
    counts = Counter(dict(zip(POKER, found.tolist(), strict=True)))
    # nine to ace of one suit: one set in each suit, royal flushes all
    counts["royal_flush"] -= 4
    counts["six_card_royal_diamonds"], counts["six_card_royal"] = 1, 3
    return counts


@cache
def five_cards() -> Counter[str]:
    sets = np.array(list(combinations(range(52), 5)))
    found = np.bincount(best_of(sets // 4, sets % 4), minlength=10)
    return Counter(dict(zip(POKER, found.tolist(), strict=True)))


def on_six_cards(table: Paytable, stake: int) -> Worked:
    names = {
        "six_card_royal_diamonds": ["super_royal_diamonds", "six_card_royal_diamonds",
                                    "super_royal", "six_card_royal", "royal_flush"],
        "six_card_royal": ["super_royal", "six_card_royal", "royal_flush"],
    }  # fmt: skip
    counts: Counter[str] = Counter()
    for name, ways in six_cards().items():
        counts[paid_rows(table, names.get(name, [name]), stake) or ""] += ways
    return worked(counts, comb(52, 6), {h: back(p.odds, stake) for h, p in table.pays.items()})


# a shoe


def on_matches(decks: int, table: Paytable) -> Worked:
    """Two cards beside an up card, card by card; all up cards are alike."""
    pack = [card for card in DECK for _ in range(decks)]
    up = pack.pop()
    kinds = Counter((card == up, card[0] == up[0]) for card in pack)
    nets: Counter[Fraction] = Counter()
    rows: Counter[tuple[str, Fraction]] = Counter()
    listed = list(kinds.items())
    for place, ((suited, ranked), ways) in enumerate(listed):
        for (other_suited, other_ranked), others in listed[place:]:
            same = (suited, ranked) == (other_suited, other_ranked)
            pairs = ways * (ways - 1) // 2 if same else ways * others
            won, names = Fraction(0), []
            for is_suited, is_ranked in ((suited, ranked), (other_suited, other_ranked)):
                name = "suited_match" if is_suited else "unsuited_match" if is_ranked else ""
                if name:
                    won += table[name].odds.value
                    names.append(name)
            nets[won if names else Fraction(-1)] += pairs
            if names:
                rows["+".join(sorted(names)), won + 1] += pairs
    total = comb(52 * decks - 1, 2)
    found = of_nets(nets, total)
    found.rows = {row: Fraction(ways, total) for row, ways in rows.items()}
    return found


def on_insurance(decks: int, table: Paytable) -> Worked:
    """The card under an ace is one of ten, jack, queen and king, or is not."""
    pack = [card for card in DECK for _ in range(decks)]
    pack.remove((12, 3))
    tens = sum(8 <= rank <= 11 for rank, _ in pack)
    pays = table["win"].odds.value
    found = of_nets(Counter({pays: tens, Fraction(-1): len(pack) - tens}), len(pack))
    found.rows = {("win", pays + 1): Fraction(tens, len(pack))}
    return found


def work_out(id: str, entry: Any) -> Worked | None:
    """An entry of a chapter's sheet, recomputed; None for those that need another method."""
    import second_cover_all
    import second_down_under
    import second_progressives
    import second_saigon

    law = chapter(id)
    wager = next(one for one in law.about.wagers if one.entry == entry.wager)
    stake = int(Fraction(entry.columns["stake"]) * 100) if "stake" in entry.columns else 100
    on = wager.settled_on
    table = law.paytables.get((wager.id, entry.paytable))
    if on == "duel" and "bad_beat" in entry.columns:
        return prime(law.paytables["play", "standard"], law.paytables["bad_beat", entry.paytable])
    if on == "duel":
        return ante_and_play(law.paytables["ante_bonus", entry.paytable])
    if entry.progressive is not None:
        return second_progressives.work_out(law, wager, entry, stake)
    if on == "blackjack":
        return second_down_under.work_out(entry)
    if on == "set_hands":
        return second_saigon.ante(law.paytables["ante", "standard"])
    if table is None:
        return None
    match on:
        case "three_cards":
            return on_three_cards(table, stake)
        case "five_cards":
            return second_saigon.bonus(table)
        case "six_cards":
            return on_six_cards(table, stake)
        case "all_hands":
            return second_cover_all.cover_all(table, entry.columns["players"])
        case "colors":
            return on_colors(table)
        case "fourth_card":
            return on_a_fourth_card(table, law.paytables[wager.id, "not_2"])
        case "matched_cards":
            return on_matches(entry.columns["decks"], table)
        case "dealer_blackjack":
            return on_insurance(entry.columns["decks"], table)
        case _:
            return None
