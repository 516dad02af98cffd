"""Cover All: the highest of two to eight hands dealt from one deck, counted and not simulated.

Let S be a set of hands: the mini royals; all straight flushes; those and three of a kind; those
and all straights. The highest hand of a deal is in S exactly when some hand of it is. So it is
enough to count, for each S, the deals of m hands of which none is in S.

Write M(j) for the number of ways to choose j hands of S that share no card. The deals in which j
named places hold hands of S number j! M(j) times the deals of the other m - j hands from the cards
that are left, and inclusion and exclusion over the places gives

    none in S  =  sum over j of (-1)^j  m!/(m-j)!  M(j)  D(j) D(j+1) ... D(m-1)

where D(i) is the number of ways to deal three cards when 3i are gone. What remains is M.

*Mini royals* are four hands that share no card: M(j) is 4 over j.

*Straights and three of a kind*: go through the ranks from the ace (as a low card) to the ace (as a
high card). At each rank every straight that is under way takes a card, any of those left, so the
straights are given distinct cards in a falling factorial of ways; of the cards then left some start
a new straight, three may be three of a kind, the others are in no hand of S. The state is how many
straights still want one card and how many want two. The aces taken by A-2-3 are gone when the ace
comes back at the top.

*Straight flushes and three of a kind*: the same, but a straight flush under way takes the one card
of its own suit; the state is what each suit still wants, and the suits whose ace went to A-2-3.
"""

from __future__ import annotations

from collections import Counter
from math import comb, perm, prod

from houseway.games.three_card.maths.counting.counts import COVERED

MOST_HANDS = 8

#: How many ways there are to choose so many disjoint hands: index is the number of hands.
Matchings = list[int]


def matchings_of_straights(ranks: int = 13, suits: int = 4) -> Matchings:
    """Disjoint straights of any suits (straight flushes included) and three of a kind."""
    total: Counter[int] = Counter()
    for low in range(suits + 1):
        # state: (straights that want one more card, that want two more), then hands begun so far
        states: Counter[tuple[int, int, int]] = Counter({(0, low, low): comb(suits, low)})
        for rank in range(ranks):
            top = rank == ranks - 1
            cards = suits - low if top else suits
            after: Counter[tuple[int, int, int]] = Counter()
            for (one, two, hands), ways in states.items():
                left = cards - one - two
                if left < 0:
                    continue
                for begun in range(left + 1 if rank < ranks - 2 else 1):
                    for threes in range((left - begun) // 3 + 1):
                        after[two, begun, hands + begun + threes] += (
                            ways
                            * perm(cards, one + two)
                            * comb(left, begun)
                            * _ways_to_group(left - begun, threes)
                        )
            states = after
        for (one, two, hands), ways in states.items():
            if one == two == 0:
                total[hands] += ways
    return _as_list(total)


def matchings_of_straight_flushes(
    ranks: int = 13, suits: int = 4, *, threes: bool = False
) -> Matchings:
    """Disjoint straight flushes, with or without three of a kind."""
    total: Counter[int] = Counter()
    for low in range(suits + 1):
        # Suits that began with A-2-3 and suits that did not: how many want one, and two, more cards.
        states: Counter[tuple[int, int, int, int, int]] = Counter(
            {(0, low, 0, 0, low): comb(suits, low)}
        )
        for rank in range(ranks):
            top = rank == ranks - 1
            after: Counter[tuple[int, int, int, int, int]] = Counter()
            for (one, two, other_one, other_two, hands), ways in states.items():
                if top and one:
                    continue  # the ace of that suit is gone
                free = 0 if top else low - one - two
                other_free = suits - low - other_one - other_two
                may_begin = rank < ranks - 2
                for begun in range(free + 1 if may_begin else 1):
                    for other in range(other_free + 1 if may_begin else 1):
                        left = free + other_free - begun - other
                        for group in range(left // 3 + 1 if threes else 1):
                            after[two, begun, other_two, other, hands + begun + other + group] += (
                                ways
                                * comb(free, begun)
                                * comb(other_free, other)
                                * _ways_to_group(left, group)
                            )
            states = after
        for (one, two, other_one, other_two, hands), ways in states.items():
            if one == two == other_one == other_two == 0:
                total[hands] += ways
    return _as_list(total)


def _ways_to_group(cards: int, threes: int) -> int:
    """Sets of that many disjoint threes among cards of one rank."""
    ways = prod(comb(cards - 3 * group, 3) for group in range(threes))
    return ways // prod(range(1, threes + 1))


def _as_list(counts: Counter[int]) -> Matchings:
    return [counts[hands] for hands in range(max(counts) + 1)]


def deals(hands: int, deck: int = 52, start: int = 0) -> int:
    """Ways to deal three cards to each of the places `start` to `hands` in turn."""
    return prod(comb(deck - 3 * place, 3) for place in range(start, hands))


def none_of(matchings: Matchings, hands: int, deck: int = 52) -> int:
    """Deals of so many hands of which none is in the set that was matched."""
    return sum(
        (-1) ** j * perm(hands, j) * ways * deals(hands, deck, j)
        for j, ways in enumerate(matchings[: hands + 1])
    )


def cover_all() -> dict[str, dict[str, int]]:
    """For two to eight hands: in how many deals each outcome is the highest, and `nothing`."""
    sets = (
        [comb(4, royals) for royals in range(5)],
        matchings_of_straight_flushes(),
        matchings_of_straight_flushes(threes=True),
        matchings_of_straights(),
    )
    found = {}
    for hands in range(2, MOST_HANDS + 1):
        without = [deals(hands), *(none_of(matched, hands) for matched in sets)]
        counts = {
            outcome: without[place] - without[place + 1] for place, outcome in enumerate(COVERED)
        }
        found[str(hands)] = {**counts, "nothing": without[-1]}
    return found
