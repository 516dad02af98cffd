"""The entries of a PAR sheet for a progressive wager: by stake and by number of players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

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
    notes: Callable[[Progressive], Iterable[str]] = lambda _one: (),
) -> Iterator[Entry]:
    """An entry for each table and stake, and for each number of players where there is envy.

    `make` gives the wager with a table, at a stake, beside so many other players.
    """
    for table in asked.tables(wager.id):
        for stake in _stakes(asked, wager.id):
            envied = make(table, stake, 0).envy is not None
            for players in asked.seats() if envied else (None,):
                one = make(table, stake, (players or 1) - 1)
                columns: dict[str, object] = {"stake": dollars(stake)}
                if players is not None:
                    columns["players"] = players
                yield Entry(
                    wager.entry,
                    table.id,
                    None,
                    [
                        Outcome(pay.hand, pay.odds.text, ways, _net(pay, stake), pay.clause)
                        for pay, ways in wagers.by_row(one.outcomes, table)
                    ],
                    one.outcomes.total,
                    table.clause,
                    columns,
                    progressive=_terms(asked, one),
                    notes=[*_notes(asked, one), *notes(one)],
                )


def _net(pay: Pay, stake: Cents) -> Fraction | None:
    return None if pay.odds.kind == "meter" else wagers.beside(pay.odds, stake)


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
