"""The slow, obvious versions of the rankings, written straight from Chapter 6 of Maryland.

They know cards only by their text and share nothing with the program.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, combinations_with_replacement, product
from math import comb, factorial, prod

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = [rank + suit for rank in RANKS for suit in SUITS]

#: 6.D from the lowest to the highest
THREE_CARD = ["high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush"]
#: 6.F and 6.G from the highest to the lowest, and below them what they do not pay
FIVE_CARD = [
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
    "three_of_a_kind", "two_pair", "pair", "high_card",
]  # fmt: skip


def three_card(hand: Sequence[str]) -> tuple[int, list[int]]:
    """A three-card hand as something that compares: its rank, then what breaks ties."""
    high = sorted((RANKS.index(card[0]) for card in hand), reverse=True)
    suited = len({card[1] for card in hand}) == 1
    sequences = {(top, top - 1, top - 2): top for top in range(2, 13)} | {(12, 1, 0): 1}
    top = sequences.get(tuple(high))
    times = Counter(high)
    if top is not None:
        return THREE_CARD.index("straight_flush" if suited else "straight"), [top]
    if len(times) == 1:
        return THREE_CARD.index("three_of_a_kind"), high[:1]
    if suited:
        return THREE_CARD.index("flush"), high
    if len(times) == 2:
        return THREE_CARD.index("pair"), sorted(times, key=lambda rank: -times[rank])
    return THREE_CARD.index("high_card"), high


def five_card(hand: Sequence[str]) -> str:
    """What exactly five cards are called."""
    ranks = {card[0] for card in hand}
    suited = len({card[1] for card in hand}) == 1
    runs = [set("A2345"), *(set(RANKS[low : low + 5]) for low in range(9))]
    shape = sorted(Counter(card[0] for card in hand).values(), reverse=True)
    if suited and ranks == set("TJQKA"):
        return "royal_flush"
    if suited and ranks in runs:
        return "straight_flush"
    if shape[0] == 4:
        return "four_of_a_kind"
    if shape == [3, 2]:
        return "full_house"
    if suited:
        return "flush"
    if ranks in runs:
        return "straight"
    if shape[0] == 3:
        return "three_of_a_kind"
    if shape[:2] == [2, 2]:
        return "two_pair"
    return "pair" if shape[0] == 2 else "high_card"


def best_five(hand: Sequence[str]) -> str:
    """The best that any five of the cards make."""
    return min((five_card(five) for five in combinations(hand, 5)), key=FIVE_CARD.index)


def _sizes(cards: int, most: int, suits: int) -> Iterator[list[int]]:
    """The ways to spread a number of cards over the suits, largest suit first."""
    if suits == 0:
        if cards == 0:
            yield []
        return
    for size in range(min(cards, most), -1, -1):
        for rest in _sizes(cards - size, size, suits - 1):
            yield [size, *rest]


def suit_classes(cards: int) -> Iterator[tuple[list[int], int]]:
    """Every hand of a given size, up to renaming its suits, with the number of hands that it stands for.

    A hand is four sets of ranks, one a suit. Taking the sets in a fixed order picks one hand of
    each class; the class has 4! hands, fewer by the renamings that only swap equal sets. Cards
    are numbered as `rank * 4 + suit`.
    """
    for sizes in _sizes(cards, 13, 4):
        spread = Counter(sizes)
        groups = [
            combinations_with_replacement(list(combinations(range(13), size)), suits)
            for size, suits in spread.items()
        ]
        for chosen in product(*groups):
            sets = list(chain.from_iterable(chosen))
            numbers = [rank * 4 + suit for suit, ranks in enumerate(sets) for rank in ranks]
            same = prod(factorial(times) for times in Counter(sets).values())
            yield numbers, factorial(4) // same


RUNS = 10  # ace-to-five up to ten-to-ace


def six_card_counts() -> dict[str, int]:
    """How many of all six-card hands have which best five, by combinatorics."""
    five, six = comb(13, 5), comb(13, 6)
    # Sets of six ranks with a run in them, told apart by their highest run: ten-to-ace takes any
    # of the eight other ranks, the rest any but the one that would lengthen the run upwards.
    six_in_run = 8 + (RUNS - 1) * 7
    # Ways to suit six different ranks, less those with five or six of one suit.
    mixed_six = 4**6 - 4 * (1 + 6 * 3)
    # Ways to suit five ranks of which a given one is paired, less those with five of one suit.
    mixed_five = comb(4, 2) * 4**4 - 4 * 3
    return {
        "royal_flush": 4 * 47,
        "straight_flush": 4 * (RUNS - 1) * 46,  # any sixth card but the one for a higher run
        "four_of_a_kind": 13 * comb(48, 2),
        "full_house": (
            comb(13, 2) * comb(4, 3) ** 2  # two threes of a kind
            + 13 * comb(4, 3) * 12 * comb(4, 2) * 44
        ),
        "flush": 4 * (six - six_in_run) + 4 * (five - RUNS) * 39,
        "straight": six_in_run * mixed_six + RUNS * 5 * mixed_five,
        "three_of_a_kind": 13 * comb(4, 3) * comb(12, 3) * 4**3,
        "two_pair": (
            comb(13, 3) * comb(4, 2) ** 3  # three pairs
            + comb(13, 2) * comb(4, 2) ** 2 * comb(11, 2) * 4**2
        ),
        "pair": (five - RUNS) * 5 * mixed_five,
        "high_card": (six - six_in_run) * mixed_six,
    }
