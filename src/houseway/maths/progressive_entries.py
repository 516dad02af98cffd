"""The makers of a PAR sheet's entries for progressive wagers: by stake and by number of players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache

from houseway.game_api.payouts import best_pay
from houseway.games.three_card.maths.ante_play import payoffs, strategy
from houseway.law import MD, MeterTerms, Pay, Paytable, Rules, choose
from houseway.maths import tallies, wagers
from houseway.maths.counts import FIVE, FIVE_PAID
from houseway.maths.figures import percent
from houseway.maths.par import Asked
from houseway.maths.progressive import Progressive
from houseway.maths.sheet import Entry, Outcome, ProgressiveTerms
from houseway.maths.wager_models import WITH_COMMUNITY
from houseway.maths.wagers import Outcomes
from houseway.money import Cents, cents, dollars, odds, spoken


def three_card(asked: Asked) -> Iterable[Entry]:
    """The three-card progressive with its envy bonus."""
    return _entries(asked, "progressive", wagers.three_cards())


def five_card(asked: Asked) -> Iterable[Entry]:
    """The five-card progressive; where an ante is folded it is forfeited with it."""
    return _entries(asked, "five_card_progressive", wagers.five_cards())


def _stakes(asked: Asked, wager: str) -> Sequence[Cents]:
    if asked.stakes:
        return asked.stakes
    fact = asked.law.about.facts.get("progressive_stakes")
    if fact is not None and isinstance(fact.value, tuple):
        return [cents(str(text)) for text in fact.value]
    limit = asked.rules.limits.get(wager) if asked.rules is not None else None
    return [limit.min if limit and limit.min else 100]


def _entries(asked: Asked, wager: str, outcomes: Outcomes) -> Iterator[Entry]:
    for table in asked.tables(wager):
        for stake in _stakes(asked, wager):
            envy = _envy(asked, wager, stake)
            for players in asked.seats() if envy is not None else (None,):
                one = Progressive(wager, table, stake, outcomes, (players or 1) - 1, envy)
                columns: dict[str, object] = {"stake": dollars(stake)}
                if players is not None:
                    columns["players"] = players
                yield Entry(
                    wager,
                    table.id,
                    None,
                    [
                        Outcome(pay.hand, pay.odds.text, ways, _net(pay, stake), pay.clause)
                        for pay, ways in wagers.by_row(outcomes, table)
                    ],
                    outcomes.total,
                    table.clause,
                    columns,
                    progressive=_terms(asked, one),
                    notes=_notes(asked, one),
                )


def at_table(rules: Rules, wager: str, stake: Cents, others: int, *, ante: bool) -> Progressive:
    """A progressive as it is wagered at a table, so many other hands being dealt to others.

    Beside an `ante` a hand of five cards is forfeited when the ante is folded, by its best strategy.
    """
    three = wager == "progressive"
    hands = wagers.three_cards() if three else _kept() if ante else wagers.five_cards()
    envy = _envy(Asked(rules.chapter, rules), wager, stake)
    return Progressive(wager, rules.table(wager), stake, hands, others, envy)


@cache
def _kept() -> Outcomes:
    """Five-card hands of those who do not fold; the rest come to nothing."""
    kept = tuple(((name,), deals) for name, deals in zip(FIVE, _not_folded(), strict=False))
    return Outcomes((*kept, ((), WITH_COMMUNITY - sum(_not_folded()))), WITH_COMMUNITY)


def _net(pay: Pay, stake: Cents) -> Fraction | None:
    return None if pay.odds.kind == "meter" else wagers.beside(pay.odds, stake)


def _envy(asked: Asked, wager: str, stake: Cents) -> Paytable | None:
    """What another player's hand brings to this wager at this stake."""
    if wager == "progressive":
        tables = {id: t for (name, id), t in asked.law.paytables.items() if name == "envy"}
        return tables.get(dollars(stake)) or tables.get("any")
    awards = asked.rules.options.get("five_card_envy") if asked.rules is not None else None
    if not isinstance(awards, Mapping):
        return None
    pays = {
        hand: Pay(odds(amount), "", hand)
        for hand, by_stake in awards.items()
        for text, amount in by_stake.items()
        if cents(text) == stake
    }
    return Paytable("envy", "five_card", "", pays) if pays else None


def _terms(asked: Asked, one: Progressive) -> ProgressiveTerms:
    """The meters as they are asked for, else at their reset; the rates as chosen, else the least."""
    terms = {name: asked.rules.meter(name) if asked.rules else MeterTerms() for name in one.hits}
    resets = {name: term.reset for name, term in terms.items()}
    meters = {name: asked.meters.get(name, resets[name]) for name in one.hits}
    rates, says = _rates(asked, one, terms)
    return ProgressiveTerms(one, meters, rates, resets, says)


def _rates(
    asked: Asked, one: Progressive, terms: Mapping[str, MeterTerms]
) -> tuple[dict[str, Fraction] | None, str]:
    if any(term.takes for term in terms.values()):
        # a reserve comes to the players too, when the meter starts again
        return {name: term.takes for name, term in terms.items()}, "at the rates of the rules"
    fact = asked.law.about.facts.get("progressive_rate_least")
    least = fact.value.get(one.table.id) if fact and isinstance(fact.value, dict) else None
    if fact is None or least is None or len(one.hits) != 1 or one.wager != "progressive":
        return None, ""
    rate = Fraction(str(least).removesuffix("%")) / 100
    return dict.fromkeys(one.hits, rate), f"at the least rate and reset, {fact.clause}"


def _notes(asked: Asked, one: Progressive) -> list[str]:
    found = []
    least = asked.law.about.facts.get("meter_least")
    if least is not None:
        found.append(
            f"Least initial and reset amount {spoken(cents(str(least.value)))} [{least.clause}]."
        )
    if len(one.hits) > 1:
        found.append("Break-even of each meter, the others showing what they show.")
    if one.fixed_return > 1:
        found.append(
            f"Returns {percent(one.fixed_return, 2)}% before any meter is counted: "
            "more than it takes."
        )
    if one.wager == "five_card_progressive" and one.envy is not None and one.others:
        found.append("The envy bonus is in the return and the edge, not in the deviation.")
    if one.wager == "five_card_progressive":
        found.append(_if_folded(one))
    return found


def _if_folded(one: Progressive) -> str:
    """What is left of the fixed return when the ante is folded by its best strategy too."""
    total = Fraction(0)
    for name, deals in zip(FIVE, _not_folded(), strict=False):
        pay = best_pay(one.table, (name,))
        if pay is not None and pay.odds.kind != "meter":
            total += deals * (1 + wagers.beside(pay.odds, one.stake))
    kept = total / WITH_COMMUNITY
    return (
        f"Beside an ante that is folded by its best strategy the fixed return is "
        f"{percent(kept, 4)}%: a fold forfeits this wager [11.C(2)]."
    )


@cache
def _not_folded() -> tuple[int, ...]:
    """Deals of three and two cards by five-card outcome, where the three are not folded."""
    best = strategy(payoffs(choose(MD)))
    tally = tallies.five_cards(best.pays.qualifies)
    found = [0] * FIVE_PAID
    for row, five, deals in zip(tally.row, tally.five, tally.deals, strict=True):
        found[five] += deals * best.played[row]
    return tuple(found)
