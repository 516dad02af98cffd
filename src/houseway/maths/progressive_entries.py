"""The entries of a PAR sheet for a progressive wager: by stake and by number of players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm

from houseway.law import MeterTerms, Pay, Paytable
from houseway.law.chapter import Wager
from houseway.maths import wagers
from houseway.maths.figures import percent
from houseway.maths.par import Asked
from houseway.maths.progressive import Progressive
from houseway.maths.sheet import Entry, Outcome, ProgressiveTerms
from houseway.money import Cents, cents, dollars, spoken


def _stakes(asked: Asked, wager: str) -> Sequence[Cents]:
    if asked.stakes:
        return asked.stakes
    fact = asked.law.about.facts.get("progressive_stakes")
    if fact is not None and isinstance(fact.value, tuple):
        return [cents(str(text)) for text in fact.value]
    limit = asked.rules.limits.get(wager) if asked.rules is not None else None
    return [limit.min if limit and limit.min else 100]


def progressive_entries(
    asked: Asked,
    wager: Wager,
    make: Callable[[Paytable, Cents, int], Progressive],
    notes: Callable[[Progressive, Progressive | None], Iterable[str]] = lambda _one, _beside: (),
    beside_ante: Callable[[Progressive], Progressive | None] = lambda _one: None,
) -> Iterator[Entry]:
    """An entry for each table and stake, and for each number of players where there is envy.

    `make` gives the wager with a table, at a stake, with a number of other players. Where a fold of
    the ante forfeits it, `beside_ante` gives the same wager beside an ante played the best way.
    """
    for table in asked.tables(wager.id):
        for stake in _stakes(asked, wager.id):
            envied = make(table, stake, 0).envy is not None
            for players in asked.seats() if envied else (None,):
                one = make(table, stake, (players or 1) - 1)
                columns: dict[str, object] = {"stake": dollars(stake)}
                if players is not None:
                    columns["players"] = players
                beside = beside_ante(one)
                terms = _terms(asked, one, beside)
                deals, rows = _rows(one, terms.meters)
                yield Entry(
                    wager.entry,
                    table.id,
                    None,
                    rows,
                    deals,
                    table.clause,
                    columns,
                    progressive=terms,
                    notes=[*_notes(asked, one), *notes(one, beside)],
                )


def _rows(one: Progressive, meters: Mapping[str, Cents]) -> tuple[int, list[Outcome]]:
    """Each row of the table, then each award for another player's hand; of how many deals."""
    deals = one.outcomes.total
    awards: list[tuple[Pay, int]] = []
    if one.envy is not None and one.others:
        hands = one.envied or one.outcomes
        awards = [(pay, ways) for pay, ways in wagers.by_row(hands, one.envy) if ways]
        deals = lcm(deals, hands.total)
        awards = [(pay, ways * deals // hands.total) for pay, ways in awards]
    times = deals // one.outcomes.total
    rows = [
        Outcome(
            pay.hand,
            pay.odds.text,
            ways * times,
            None if pay.odds.kind == "meter" else wagers.beside(pay.odds, one.stake),
            pay.clause,
            shown=one.net((pay.hand,), meters) if pay.odds.kind == "meter" else None,
        )
        for pay, ways in wagers.by_row(one.outcomes, one.table)
    ]
    others = f"held by one of {one.others} others" if one.others > 1 else "held by the other"
    rows += [
        Outcome(
            f"envy_{pay.hand}",
            pay.odds.text,
            ways * one.others,
            pay.odds.value / one.stake,
            pay.clause,
            others,
            envy=True,
        )
        for pay, ways in awards
    ]
    return deals, rows


def _terms(asked: Asked, one: Progressive, beside: Progressive | None) -> ProgressiveTerms:
    """The meters as they are asked for, else at their reset; the rates as chosen, else the least."""
    terms = {name: asked.rules.meter(name) if asked.rules else MeterTerms() for name in one.hits}
    resets = {name: term.reset for name, term in terms.items()}
    meters = {name: asked.meters.get(name, resets[name]) for name in one.hits}
    rates, says = _rates(asked, one, terms)
    return ProgressiveTerms(one, meters, rates, resets, says, beside)


def _rates(
    asked: Asked, one: Progressive, terms: Mapping[str, MeterTerms]
) -> tuple[dict[str, Fraction] | None, str]:
    if any(term.takes for term in terms.values()):
        # a reserve comes to the players too, when the meter starts again
        return {name: term.takes for name, term in terms.items()}, "at the rates of the rules"
    fact = asked.law.about.facts.get(f"{one.wager}_rate_least")
    least = fact.value.get(one.table.id) if fact and isinstance(fact.value, dict) else None
    if fact is None or least is None or len(one.hits) != 1:
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
    return found
