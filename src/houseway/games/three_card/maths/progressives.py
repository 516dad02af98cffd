"""The progressive wagers of the three-card games: on three cards, and on five with the community's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from math import lcm

from houseway.game_api.payouts import best_pay
from houseway.games.three_card.maths import outcomes, tallies
from houseway.games.three_card.maths.ante_play import payoffs, strategy
from houseway.games.three_card.maths.counts import FIVE, FIVE_PAID, THREE
from houseway.games.three_card.maths.envy import held_by_others
from houseway.games.three_card.maths.outcomes import three_names
from houseway.games.three_card.maths.wager_models import WITH_COMMUNITY
from houseway.law import Chapter, Pay, Paytable, Rules, choose
from houseway.law.chapter import Wager
from houseway.maths import wagers
from houseway.maths.figures import Spread, percent
from houseway.maths.par import Asked
from houseway.maths.progressive import Progressive
from houseway.maths.progressive_entries import progressive_entries
from houseway.maths.sheet import Entry
from houseway.maths.wagers import Outcomes
from houseway.money import Cents, cents, dollars, odds


class ThreeCardProgressive(Progressive, frozen=True):
    """A progressive on the player's three cards, with the mini royals of other players."""

    def variance(self, meters: Mapping[str, Cents]) -> Fraction:
        """The variance with envy."""
        return self.spread_with_envy(meters).variance

    def spread_with_envy(self, meters: Mapping[str, Cents]) -> Spread:
        """The spread with the mini royals of the other players."""
        if self.envy is None or not self.others:
            return self.spread(meters)
        spades, rest = (
            found.odds.value / self.stake
            if (found := best_pay(self.envy, three_names(name)))
            else 0
            for name in ("mini_royal_spades", "mini_royal")
        )
        nets = {name: self.net(three_names(name), meters) for name in THREE}
        # in whole numbers of a common part: fractions are made once for each net, not for each deal
        part = lcm(*(Fraction(net).denominator for net in (*nets.values(), spades, rest)))
        mine = {name: int(net * part) for name, net in nets.items()}
        for_spades, for_rest = int(spades * part), int(rest * part)
        ways: dict[int, int] = {}
        for (outcome, of_spades, of_rest), deals in _beside_others(self.others).items():
            net = mine[outcome] + of_spades * for_spades + of_rest * for_rest
            ways[net] = ways.get(net, 0) + deals
        return Spread({Fraction(net, part): n for net, n in ways.items()}, sum(ways.values()))

    def variance_in_round(self, meters: Mapping[str, Cents]) -> Fraction:
        from houseway.games.three_card.maths.seat_covariance import of_three_cards

        return of_three_cards(self, meters)


class FiveCardProgressive(Progressive, frozen=True):
    """A progressive on the player's three cards and the community's two.

    Five-card hands of several players share the community cards and are not counted together: the
    envy bonus is in the edge, and not in the spread.
    """

    def variance_in_round(self, meters: Mapping[str, Cents]) -> Fraction:
        from houseway.games.three_card.maths.seat_covariance import of_five_cards

        return of_five_cards(self, meters)


@cache
def _beside_others(others: int) -> dict[tuple[str, int, int], int]:
    """Deals by one's own outcome and the mini royals of others: of spades, of other suits."""
    found: dict[tuple[str, int, int], int] = {}
    for outcome, free in tallies.own_hands_and_envy().items():
        for spades_free, rest_free, hands in free:
            for held, deals in held_by_others(others, spades_free, rest_free).items():
                if deals:
                    key = (outcome, *held)
                    found[key] = found.get(key, 0) + hands * deals
    return found


def entries(asked: Asked, wager: Wager) -> Iterator[Entry]:
    """The entries of a progressive; where an ante is folded one on five cards is forfeited."""

    def make(table: Paytable, stake: Cents, others: int) -> Progressive:
        return _made(asked.law, asked.rules, wager, table, stake, others, _hands(wager))

    def notes(one: Progressive) -> Iterable[str]:
        if wager.settled_on == "five_cards":
            if one.envy is not None and one.others:
                yield "The envy bonus is in the return and the edge, not in the deviation."
            yield _if_folded(asked.law, wager, one)

    return progressive_entries(asked, wager, make, notes)


def at_table(
    rules: Rules, wager: Wager, stake: Cents, others: int, *, beside_fold: bool
) -> Progressive:
    """A progressive as it is wagered at a table, so many other hands being dealt to others.

    Beside an ante a hand of five cards is forfeited when the ante is folded, by its best strategy.
    """
    folds = beside_fold and wager.settled_on == "five_cards"
    hands = _kept(rules.chapter) if folds else _hands(wager)
    return _made(rules.chapter, rules, wager, rules.table(wager.id), stake, others, hands)


def _hands(wager: Wager) -> Outcomes:
    on_three = wager.settled_on == "three_cards"
    return outcomes.three_cards() if on_three else outcomes.five_cards()


def _made(
    law: Chapter, rules: Rules | None, wager: Wager, table: Paytable, stake: Cents, others: int,
    hands: Outcomes,
) -> Progressive:  # fmt: skip
    envy = _envy(law, rules, wager, stake)
    on_three = wager.settled_on == "three_cards"
    kind = ThreeCardProgressive if on_three else FiveCardProgressive
    return kind(wager.id, table, stake, hands, others, envy)


def _envy(law: Chapter, rules: Rules | None, wager: Wager, stake: Cents) -> Paytable | None:
    """What another player's hand brings to this wager at this stake."""
    if wager.settled_on == "three_cards":
        tables = {id: t for (name, id), t in law.paytables.items() if name == "envy"}
        return tables.get(dollars(stake)) or tables.get("any")
    awards = rules.options.get("five_card_envy") if rules is not None else None
    if not isinstance(awards, Mapping):
        return None
    pays = {
        hand: Pay(odds(amount), "", hand)
        for hand, by_stake in awards.items()
        for text, amount in by_stake.items()
        if cents(text) == stake
    }
    return Paytable("envy", "five_card", "", pays) if pays else None


def _if_folded(law: Chapter, wager: Wager, one: Progressive) -> str:
    """What is left of the fixed return when the ante is folded by its best strategy too."""
    total = Fraction(0)
    for name, deals in zip(FIVE, _not_folded(law), strict=False):
        pay = best_pay(one.table, (name,))
        if pay is not None and pay.odds.kind != "meter":
            total += deals * (1 + wagers.beside(pay.odds, one.stake))
    kept = total / WITH_COMMUNITY
    return (
        f"Beside an ante that is folded by its best strategy the fixed return is "
        f"{percent(kept, 4)}%: a fold forfeits this wager [{wager.on_fold_clause}]."
    )


@lru_cache(maxsize=16)
def _kept(law: Chapter) -> Outcomes:
    """Five-card hands of those who do not fold; the rest come to nothing."""
    deals = _not_folded(law)
    kept = tuple(((name,), count) for name, count in zip(FIVE, deals, strict=False))
    return Outcomes((*kept, ((), WITH_COMMUNITY - sum(deals))), WITH_COMMUNITY)


@lru_cache(maxsize=16)
def _not_folded(law: Chapter) -> tuple[int, ...]:
    """Deals of three and two cards by five-card outcome, where the three are not folded."""
    best = strategy(payoffs(choose(law)))
    tally = tallies.five_cards(best.pays.qualifies)
    found = [0] * FIVE_PAID
    for row, five, deals in zip(tally.row, tally.five, tally.deals, strict=True):
        found[five] += deals * best.played[row]
    return tuple(found)
