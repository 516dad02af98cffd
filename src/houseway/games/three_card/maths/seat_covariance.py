"""Two seats of a three-card table: the largest covariance of their results.

One suit of a mini royal or of a six-card royal may be paid better. It is counted as the mean of its
suits, which does not lower the bound: no two hands are royal in one suit, so what the suits differ
by goes against itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np

from houseway.game_api.payouts import best_pay
from houseway.games.three_card.maths import ante_play
from houseway.games.three_card.maths import wager_models as models
from houseway.games.three_card.maths.ante_play import DEALER_HANDS
from houseway.games.three_card.maths.counting import tallies
from houseway.games.three_card.maths.counting.counts import COLUMNS, FIVE, SIX, SIX_PAID
from houseway.games.three_card.maths.counting.duel import Dealer, Patterns
from houseway.games.three_card.maths.outcomes import six_names
from houseway.games.three_card.maths.wager_models import HANDS
from houseway.law import Rules
from houseway.law.chapter import Wager
from houseway.maths.counting.bulk_hands import Ints, best_five, masks_of
from houseway.maths.counting.tallies import Tallies
from houseway.maths.joint.seat_covariance import bound
from houseway.maths.progressive import Progressive
from houseway.maths.sheet import Entry
from houseway.maths.wagers import LOSES
from houseway.money import Cents

#: cards in a hand, cards left beside those that are shared, and the variance that these account for
Shared = tuple[int, int, Fraction]


def covariance(rules: Rules, wager: Wager, entry: Entry, royal: str) -> Fraction:
    """The largest covariance of this wager at two seats, in units of both stakes."""
    assert entry.spread is not None
    size, left, between = _shared(rules, wager, entry, royal)
    return bound(entry.spread.variance, between, size, left)


def _shared(rules: Rules, wager: Wager, entry: Entry, royal: str) -> Shared:
    match wager.settled_on:
        case "duel":
            return 3, 49, _between_duels(ante_play.strategy(ante_play.payoffs(rules)))
        case "six_cards":
            return 3, 49, _between_sixes(rules, wager, entry, royal)
        case "colors":
            return 3, 49, _between_colors(rules, wager, entry)
        case "fourth_card":
            # three cards and a fourth: which of four is the fourth is chance of each seat's own
            return 4, 52, Fraction(0)
        case "three_cards":
            return 3, 52, Fraction(0)  # only the hand itself matters
        case other:
            raise AssertionError(other)


def _between_duels(best: ante_play.Strategy) -> Fraction:
    face = models.Duel(best)
    deck = Patterns()
    nets = np.array(face.nets)
    # the mini royal of spades has a row of its own in a duel, and none among the patterns
    nets = np.vstack([4 * nets[:-2], 3 * nets[-2:-1] + nets[-1:]])
    brought = by_dealer(deck, nets, face.qualifies)
    squares = sum(w * b * b for w, b in zip(deck.ways.tolist(), brought.tolist(), strict=True))
    return Fraction(squares, HANDS * (DEALER_HANDS * 4 * face.part) ** 2) - face.mean() ** 2


def by_dealer(deck: Patterns, nets: Ints, qualifies: int) -> Ints:
    """For one dealer's hand of each pattern, what all hands that a player can hold bring together.

    `nets` has for each pattern of the player's hand what it brings in each column of a duel.
    """
    values, removed = deck.values, deck.cards
    top = np.full(len(values), values.max() + 1)

    def players(column: str, bound: Ints) -> Ints:
        """What the hands below a bound bring in a column."""
        weights = nets[:, COLUMNS.index(column)]
        return Dealer(deck, lambda _hands: weights).low(bound, removed)

    def against(below: str, level: str, above: str) -> Ints:
        return (
            players(above, values)
            + players(level, values + 1)
            - players(level, values)
            + players(below, top)
            - players(below, values + 1)
        )

    low = against("low_below", "low_level", "low_above")
    return np.where(values < qualifies, low, against("below", "level", "above"))


def _between_sixes(rules: Rules, wager: Wager, entry: Entry, royal: str) -> Fraction:
    """Six cards are what they are whoever holds which three: the dealer's go by the player's rows."""
    nets = _nets(rules, wager, entry, [six_names(name, royal) for name in SIX[:SIX_PAID]])
    face = models.Six(ante_play.qualifying_value(rules), nets)
    ways = tallies.duel(ante_play.qualifying_value(rules)).ways
    back = [0] * len(ways)
    for row, deals, each in zip(face.splits.row, face.splits.deals, face.entry, strict=True):
        back[row] += deals * each
    squares = sum((Fraction(b * b, w) for b, w in zip(back, ways, strict=True)), Fraction(0))
    return squares / (HANDS * (DEALER_HANDS * face.part) ** 2) - face.mean_back() ** 2


def _nets(
    rules: Rules, wager: Wager, entry: Entry, names: Sequence[tuple[str, ...]]
) -> list[Fraction]:
    """What the entry pays on each of these outcomes, at its stake and within its payout limit."""
    pays = {row.outcome: row.net for row in entry.outcomes}
    found = [best_pay(rules.table(wager.id), name) for name in names]
    nets = [LOSES if pay is None else pays[pay.hand] for pay in found]
    return [LOSES if net is None else net for net in nets]


def _between_colors(rules: Rules, wager: Wager, entry: Entry) -> Fraction:
    """By the red cards of the dealer's three."""
    one, both = _nets(rules, wager, entry, [("same_color",), ("same_color_both", "same_color")])
    mean = square = Fraction(0)
    for reds in range(4):
        chance = Fraction(comb(26, reds) * comb(26, 3 - reds), HANDS)
        red, black = (Fraction(comb(26 - held, 3), DEALER_HANDS) for held in (reds, 3 - reds))
        brings = LOSES * (1 - red - black)
        brings += red * (both if reds == 3 else one) + black * (both if reds == 0 else one)
        mean, square = mean + chance * brings, square + chance * brings**2
    return square - mean**2


# Progressives. A hand that hits brings its own player the meter and every other player the envy
# bonus, so what a round pays is a sum over its hands: of what the hand itself wins, and the envy of
# all others.


def _brings(one: Progressive, names: tuple[str, ...], meters: Mapping[str, Cents]) -> Fraction:
    envied = best_pay(one.envy, names) if one.envy is not None else None
    own = one.net(names, meters)
    return own + one.others * envied.odds.value / one.stake if envied else own


def _moments(one: Progressive, meters: Mapping[str, Cents]) -> tuple[Fraction, Fraction]:
    """The mean and the variance of what one hand brings."""
    nets = [
        (_brings(one, names, meters), Fraction(n, one.outcomes.total))
        for names, n in one.outcomes.rows
    ]
    mean = sum((net * chance for net, chance in nets), Fraction(0))
    return mean, sum((net**2 * chance for net, chance in nets), Fraction(0)) - mean**2


def of_three_cards(one: Progressive, meters: Mapping[str, Cents]) -> Fraction:
    """What a wager on three cards adds at most to the variance of all of them in the round."""
    _, variance = _moments(one, meters)
    return variance + one.others * bound(variance, Fraction(0), 3, 52)


def of_five_cards(one: Progressive, meters: Mapping[str, Cents]) -> Fraction:
    """The same on five cards, of which the seats share the community's two.

    What is forfeited with a fold is left in there.
    """
    mean, variance = _moments(one, meters)
    if not one.others:
        return variance
    back = [_brings(one, (name,), meters) + 1 for name in FIVE]
    square = Fraction(0)
    for ways, counts in beside_community():
        given = sum((n * b for n, b in zip(counts, back, strict=True) if n), Fraction(0))
        square += ways * given**2
    between = square / (comb(52, 2) * comb(50, 3) ** 2) - (mean + 1) ** 2
    return variance + one.others * bound(variance, between, 3, 50)


Beside = list[tuple[int, list[int]]]


@cache
def beside_community() -> Beside:
    """How many pairs of community cards have each pattern, and the five-card hands beside one."""
    sources = (
        "houseway.maths.counting.bulk_hands",
        "houseway.games.three_card.maths.seat_covariance",
    )
    kept = Tallies("three_card", sources)
    return kept.recall("beside_community", Beside, _count_beside_community)


def _count_beside_community() -> Beside:
    threes = np.array(list(combinations(range(50), 3)))
    found = []
    for low, high in combinations_with_replacement(range(13), 2):
        patterns = [((0, 1), 6)] if low == high else [((0, 0), 4), ((0, 1), 12)]
        for (first, second), ways in patterns:
            two = [low * 4 + first, high * 4 + second]
            left = np.array([card for card in range(52) if card not in two])
            three = left[threes]
            five = np.hstack([three, np.tile(two, (len(three), 1))])
            counts = np.bincount(best_five(masks_of(five)), minlength=len(FIVE))
            found.append((ways, counts.tolist()))
    return found
