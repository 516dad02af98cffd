"""Two seats of one table: how far what they win goes together.

They meet the same dealer, and neither can hold a card of the other. Let D be the cards that they
share and f what one of them wins. Then

    covariance = Var(E[f | D]) + E[Cov(f(first hand), f(second hand) | D)]

The first part is counted here. For the second: given D the hands are two sets of k of the n cards
left that have none in common. To take the mean of f over the hands that share no card with a given
one is to average over its neighbours in the Kneser graph of n and k, which has the eigenvalues
(-1)^j C(n-k-j, k-j) / C(n-k, k). Without the mean itself, j = 0, the greatest is that of j = 2, so
the second part is at most that much of what is left of the variance, a per cent or less, and mostly
it is negative. What is given here is that bound.

One suit of a mini royal or of a six-card royal may be paid better. It is counted as the mean of its
suits, which does not lower the bound: no two hands are royal in one suit, so what the suits differ
by goes against itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from houseway.game_api.payouts import best_pay
from houseway.games.three_card.maths import ante_play
from houseway.games.three_card.maths.ante_play import DEALER_HANDS
from houseway.games.three_card.maths.duel import Dealer, Patterns
from houseway.law import Rules
from houseway.maths import tallies
from houseway.maths import wager_models as faces
from houseway.maths.cache import recall
from houseway.maths.counts import COLUMNS, FIVE, SIX, SIX_PAID
from houseway.maths.hands import Ints, best_five, masks_of
from houseway.maths.progressive import Progressive
from houseway.maths.sheet import Entry
from houseway.maths.wager_models import HANDS
from houseway.maths.wagers import LOSES, six_names
from houseway.money import Cents

if TYPE_CHECKING:
    from houseway.games.saigon.maths.ante import Settings


def together(size: int, left: int) -> Fraction:
    """The most that two hands of so many of the cards left go together, as a part of the variance."""
    return Fraction(comb(left - size - 2, size - 2), comb(left - size, size))


def bound(variance: Fraction, between: Fraction, size: int, left: int) -> Fraction:
    """The most that two seats go together, `between` being what the shared cards account for."""
    return between + together(size, left) * (variance - between)


def covariance(rules: Rules, entry: Entry) -> Fraction:
    """The most that this wager at two seats goes together, in units of both stakes."""
    assert entry.spread is not None
    size, left, between = _SHARED[_name(rules, entry)](rules, entry)
    return bound(entry.spread.variance, between, size, left)


def _name(rules: Rules, entry: Entry) -> str:
    return (
        "saigon"
        if entry.wager == "ante_play" and "play" not in rules.chapter.wagers
        else entry.wager
    )


#: cards in a hand, cards left beside those that are shared, and the variance that these account for
Shared = tuple[int, int, Fraction]


def _nothing(size: int, left: int) -> Callable[[Rules, Entry], Shared]:
    """Only the hand itself matters, or the shared cards are alike to it, whatever they are."""
    return lambda _rules, _entry: (size, left, Fraction(0))


def _match(rules: Rules, _entry: Entry) -> Shared:
    # every up card is matched as often as any other
    return 2, 52 * int(rules["decks"]) - 1, Fraction(0)


def _duel(rules: Rules, _entry: Entry) -> Shared:
    return 3, 49, _between_duels(ante_play.strategy(ante_play.payoffs(rules)))


def _between_duels(best: ante_play.Strategy) -> Fraction:
    face = faces.Duel(best)
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


def _six(rules: Rules, entry: Entry) -> Shared:
    """Six cards are what they are whoever holds which three: the dealer's go by the player's rows."""
    royal = "super_royal" if entry.wager == "six_card_bonus" else "six_card_royal"
    nets = _nets(rules, entry, [six_names(name, royal) for name in SIX[:SIX_PAID]])
    face = faces.Six(ante_play.qualifying_value(rules), nets)
    ways = tallies.duel(ante_play.qualifying_value(rules)).ways
    back = [0] * len(ways)
    for row, deals, each in zip(face.splits.row, face.splits.deals, face.entry, strict=True):
        back[row] += deals * each
    squares = sum((Fraction(b * b, w) for b, w in zip(back, ways, strict=True)), Fraction(0))
    between = squares / (HANDS * (DEALER_HANDS * face.part) ** 2) - face.mean_back() ** 2
    return 3, 49, between


def _nets(rules: Rules, entry: Entry, names: Sequence[tuple[str, ...]]) -> list[Fraction]:
    """What the entry pays on each of these outcomes, at its stake and within its payout limit."""
    pays = {row.outcome: row.net for row in entry.outcomes}
    found = [best_pay(rules.table(entry.wager), name) for name in names]
    nets = [LOSES if pay is None else pays[pay.hand] for pay in found]
    return [LOSES if net is None else net for net in nets]


def _colours(rules: Rules, entry: Entry) -> Shared:
    """By the red cards of the dealer's three."""
    one, both = _nets(rules, entry, [("same_color",), ("same_color_both", "same_color")])
    mean = square = Fraction(0)
    for reds in range(4):
        chance = Fraction(comb(26, reds) * comb(26, 3 - reds), HANDS)
        red, black = (Fraction(comb(26 - held, 3), DEALER_HANDS) for held in (reds, 3 - reds))
        brings = LOSES * (1 - red - black)
        brings += red * (both if reds == 3 else one) + black * (both if reds == 0 else one)
        mean, square = mean + chance * brings, square + chance * brings**2
    return 3, 49, square - mean**2


def _saigon(rules: Rules, _entry: Entry) -> Shared:
    from houseway.games.saigon.maths import ante as saigon_ante

    return 5, 48, _between_settings(saigon_ante.settings(saigon_ante.payoffs(rules)))


def _between_settings(best: Settings) -> Fraction:
    """The players' settings beside each kind of hand that the dealer may have."""
    from houseway.games.saigon.maths.ante import DEALER_HANDS as LEFT
    from houseway.games.saigon.maths.ante import DEALS
    from houseway.games.saigon.maths.hand_kinds import IN_DECK, JOKER, beside_kinds

    tally = tallies.kinds()
    held = np.array([[five.count(value) for value in range(1, JOKER + 1)] for five in tally.values])
    players = beside_kinds(held, np.array(best.state), IN_DECK)
    # the dealer sets the highest count that qualifies
    dealer = [counts[0] if counts else 0 for counts in tally.counts]
    nets = np.array(best.pays.whole).T[dealer]
    brought = (players * nets).sum(axis=1).tolist()
    squares = sum(w * b * b for w, b in zip(tally.ways, brought, strict=True))
    return Fraction(squares, DEALS * LEFT * best.pays.part**2) - best.spread.mean**2


# progressives


def of_progressive(one: Progressive, meters: Mapping[str, Cents]) -> Fraction:
    """What a wager on a progressive adds at most to the variance of all of them in the round.

    A hand that hits brings its own player the meter and every other player the envy bonus, so what
    a round pays is a sum over its hands: of what the hand itself wins, and the envy of all others.
    Five-card hands share the community cards too; what is forfeited with a fold is left in there.
    """

    def brings(names: tuple[str, ...]) -> Fraction:
        envied = best_pay(one.envy, names) if one.envy is not None else None
        own = one.net(names, meters)
        return own + one.others * envied.odds.value / one.stake if envied else own

    nets = [(brings(names), Fraction(n, one.outcomes.total)) for names, n in one.outcomes.rows]
    mean = sum((net * chance for net, chance in nets), Fraction(0))
    variance = sum((net**2 * chance for net, chance in nets), Fraction(0)) - mean**2
    if one.wager == "progressive" or not one.others:
        return variance + one.others * bound(variance, Fraction(0), 3, 52)
    back = [brings((name,)) + 1 for name in FIVE]
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
    sources = ("maths/hands.py", "maths/seat_covariance.py")
    return recall("beside-community", Beside, sources, _count_beside_community)


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


_SHARED: dict[str, Callable[[Rules, Entry], Shared]] = {
    "ante_play": _duel,
    "saigon": _saigon,
    "bonus": _nothing(5, 53),
    "pair_plus": _nothing(3, 52),
    # three cards and a fourth: which of four is the fourth is chance of each seat's own
    "pair_bonus": _nothing(4, 52),
    "six_card_bonus": _six,
    "all_six": _six,
    "prime": _colours,
    "match_the_dealer": _match,
}
