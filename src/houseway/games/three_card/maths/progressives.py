"""The progressive wagers of the three-card games: on three cards, and on five with the community's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from math import lcm

from houseway.game_api.payouts import best_pay
from houseway.games.three_card.maths import outcomes
from houseway.games.three_card.maths.ante_play import payoffs, strategy
from houseway.games.three_card.maths.counting import tallies
from houseway.games.three_card.maths.counting.counts import THREE
from houseway.games.three_card.maths.counting.envy import held_by_others
from houseway.games.three_card.maths.outcomes import three_names
from houseway.law import Pay, Paytable, Rules, choose
from houseway.law.chapter import Wager
from houseway.maths.figures import Spread, one_in, percent
from houseway.maths.par import Asked
from houseway.maths.progressive import Progressive
from houseway.maths.progressive_entries import progressive_entries
from houseway.maths.sheet import Entry
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
    rules = asked.rules or choose(asked.law)

    def make(table: Paytable, stake: Cents, others: int) -> Progressive:
        return _made(rules, wager, table, stake, others, beside_fold=False)

    def beside_ante(one: Progressive) -> Progressive | None:
        if wager.settled_on != "five_cards":
            return None
        return _made(rules, wager, one.table, one.stake, one.others, beside_fold=True)

    def notes(one: Progressive, beside: Progressive | None) -> Iterable[str]:
        yield from _second_winner(one)
        if beside is not None:
            if one.envy is not None and one.others:
                yield (
                    "The envy bonus is in the return and the edge, not in the deviation: hands of "
                    "several players share the community cards and are not counted together. So there "
                    "is no hold over many rounds; one player's has it."
                )
                yield (
                    "Envy: every other player has an ante and folds by its best strategy; a folded "
                    "hand brings no envy."
                )
            yield _if_folded(wager, beside)

    return progressive_entries(asked, wager, make, notes, beside_ante)


def at_table(
    rules: Rules, wager: Wager, stake: Cents, others: int, *, beside_fold: bool
) -> Progressive:
    """A progressive as it is wagered at a table with this number of other hands.

    Beside an ante a hand of five cards is forfeited when the ante is folded, by its best strategy.
    """
    table = rules.table(wager.id)
    return _made(rules, wager, table, stake, others, beside_fold=beside_fold)


def _made(
    rules: Rules, wager: Wager, table: Paytable, stake: Cents, others: int, *, beside_fold: bool
) -> Progressive:
    """Other players fold by the best strategy of the ante; this one does where it has an ante."""
    envy = envy_table(rules, wager, stake)
    if wager.settled_on == "three_cards":
        return ThreeCardProgressive(wager.id, table, stake, outcomes.three_cards(), others, envy)
    kept = outcomes.five_cards_kept(*_played(rules))
    hands = kept if beside_fold else outcomes.five_cards()
    return FiveCardProgressive(wager.id, table, stake, hands, others, envy, kept)


@lru_cache(maxsize=64)
def _played(rules: Rules) -> tuple[int, tuple[bool, ...]]:
    """The dealer's qualifying value, and the rows of the duel that the best strategy plays."""
    best = strategy(payoffs(rules))
    return best.pays.qualifies, best.played


def envy_table(rules: Rules, wager: Wager, stake: Cents) -> Paytable | None:
    """What another player's hand brings to this wager at this stake."""
    if wager.settled_on == "three_cards":
        printed = [id for name, id in rules.chapter.paytables if name == "envy"]
        found = next((id for id in (dollars(stake), "any") if id in printed), None)
        return None if found is None else rules.table("envy", found)
    awards = rules.options.get("five_card_envy")
    if not isinstance(awards, Mapping):
        return None
    pays = {
        hand: Pay(odds(amount), "", hand)
        for hand, by_stake in awards.items()
        for text, amount in by_stake.items()
        if cents(text) == stake
    }
    return Paytable("envy", "five_card", "", pays) if pays else None


def _second_winner(one: Progressive) -> Iterator[str]:
    """How seldom another player wins from the same meter in the same round."""
    shares: dict[str, list[str]] = {}
    for name, hits in one.hits.items():
        shares[name] = [hit.outcome for hit in hits]
    if not isinstance(one, ThreeCardProgressive):
        for name, hands in shares.items():
            yield (
                f"Nobody else can win the {meter_text(name)} in the same round: two royal flushes "
                "cannot share the two community cards."
                if hands == ["royal_flush"]
                else f"Another player can win from the {meter_text(name)} in the same round; whoever "
                "is paid second is paid from what the first has left. The entry is for a wager that "
                "wins alone."
            )
        return
    if not one.others:
        return
    for name, hands in shares.items():
        mine = next(h for h in ("mini_royal", "mini_royal_spades") if h in hands)
        # of the four mini royals: which others are paid from the same meter as one's own
        suits = ("mini_royal_spades" in hands) + 3 * ("mini_royal" in hands)
        if suits < 2:
            yield f"Nobody else can win the {meter_text(name)} in the same round: one hand does."
            continue
        spades = "mini_royal_spades" in hands and mine != "mini_royal_spades"
        held = held_by_others(one.others, int(spades), 2)
        none = held[0, 0]
        chance = 1 - Fraction(none, sum(held.values()))
        yield (
            f"When a wager wins from the {meter_text(name)}, another of {one.others + 1} players wins "
            f"from it too 1 time in {int(one_in(chance)):,}; the entry is for a wager that wins alone."
        )


def meter_text(meter: str) -> str:
    """A meter's name for people: "major meter", or "meter" where there is one."""
    return f"{meter.partition('.')[2]} meter".strip()


def _if_folded(wager: Wager, kept: Progressive) -> str:
    """The fixed return beside an ante that is folded by its best strategy; a fold keeps the envy."""
    envy = ", envy included, which a fold keeps" if kept.envy_return else ""
    return (
        f"Beside an ante that is folded by its best strategy the fixed return is "
        f"{percent(kept.fixed_return, 4)}%{envy}: a fold forfeits this wager "
        f"[{wager.on_fold_clause}]."
    )
