"""The bet on a PAR sheet: its edge, its results, its strategy and what simpler play costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

import msgspec

from houseway.law import DOWN_UNDER, Rules, chapter, choose
from houseway.maths.blackjack.variant import Variant, variant_of

Progress = Callable[[int, int], None]


class Apart(msgspec.Struct, frozen=True):
    """A hand better played otherwise than its total says."""

    cards: str
    from_split: bool
    up: str
    range: str
    chart: str
    better: str
    gain: str
    often: str


class BetFigures(msgspec.Struct, frozen=True):
    """All that is known of the bet for one number of decks and one reading: text, to be kept."""

    edge: str
    staked: str
    #: how a round ends without a split: outcome, net in bets, exact probability
    outcomes: list[tuple[str, str, str]]
    split: str
    #: net in bets and probability to twelve digits, splits included
    nets: list[tuple[str, str]]
    deviation: str
    hit_frequency: str
    chart: dict[str, dict[str, dict[str, dict[str, str]]]]
    chart_edge: str
    departures: list[Apart]
    #: the best play when the reader is covered, and ordinary basic strategy in this game
    covered_edge: str
    ordinary_edge: str


def figures(game: Variant) -> BetFigures:
    """The figures of one game."""
    return work_out(game)


def ordinary(game: Variant) -> Variant:
    """The same table with the rules that books on blackjack are written for."""
    return game.but(dealer_soft_22="counts_as_12", dealer_22="busts", reader="covered")


def work_out(game: Variant) -> BetFigures:
    """Everything from the beginning."""
    from houseway.maths.blackjack import charts, strategy
    from houseway.maths.blackjack.distribution import distribution
    from houseway.maths.blackjack.exact import decided, exact_value
    from houseway.maths.blackjack.hands import VALUES
    from houseway.maths.blackjack.solve import solve

    best = decided(solve(game))
    chart = strategy.chart_of(best)
    books = strategy.chart_of(solve(ordinary(game)))
    results = distribution(best)
    return BetFigures(
        edge=str(results.edge),
        staked=str(results.staked),
        outcomes=[(name, str(won), str(chance)) for name, (won, chance) in results.exact.items()],
        split=str(results.split),
        nets=[(str(won), f"{often:.12f}") for won, often in results.nets.items()],
        deviation=f"{results.deviation:.4f}",
        hit_frequency=f"{results.hit_frequency:.12f}",
        chart=charts.as_data(chart),
        chart_edge=str(-exact_value(chart.on(best.table))),
        departures=[
            Apart(
                one.cards, one.from_split, VALUES[one.case.up], one.case.range, one.chart,
                one.better, f"{one.gain:.6f}", f"{one.often:.9f}",
            )
            for one in strategy.departures(best, chart)
        ],
        covered_edge=str(-exact_value(decided(solve(game.but(reader="covered"))))),
        ordinary_edge=str(-exact_value(books.on(best.table))),
    )  # fmt: skip


def percent(number: Fraction, places: int = 6) -> str:
    """A fraction as a percentage without its sign, halves away from zero."""
    scaled = Decimal(round(number * 10 ** (places + 12))) / Decimal(10 ** (places + 10))
    return str(scaled.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def games(rules: Rules | None) -> Iterator[Variant]:
    """The chosen decks, or all of them; both readings of a soft 22 are on every sheet."""
    law = chapter(DOWN_UNDER)
    base = rules or choose(law)
    decks = [rules["decks"]] if rules else [choice.value for choice in law.options["decks"].choices]
    for count in decks:
        for reading in law.options["dealer_soft_22"].choices:
            yield variant_of(base).but(decks=count, dealer_soft_22=reading.value)


def par_wagers(
    rules: Rules | None = None, progress: Progress = lambda done, all: None
) -> list[dict[str, Any]]:
    """The entries of the bet on a PAR sheet, as `par --json` has them."""
    wanted = list(games(rules))
    found = []
    for place, game in enumerate(wanted):
        progress(place, len(wanted))
        found.append(entry(game, figures(game), rules or choose(chapter(DOWN_UNDER))))
    progress(len(wanted), len(wanted))
    return found


_SAYS = {
    "chart": "by the charts alone, whatever the cards that make a total",
    "covered": "the best play without looking at the reader's light",
    "ordinary": "the basic strategy of ordinary blackjack",
}
_NOTES = (
    "Each hand of a split is played by its own cards, the up card and the range. Remembering the "
    "first hand's cards while playing the second would add less than 0.0001% of the bet.",
    "Hit frequency, deviation and distribution count both hands of a split together, in double "
    "precision; edge, element of risk and outcomes are exact.",
    "Insurance is not part of these figures: from a full shoe it always loses on average.",
)


def entry(game: Variant, known: BetFigures, rules: Rules) -> dict[str, Any]:
    """One line of the sheet."""
    table = rules.table("bet")
    edge, staked = Fraction(known.edge), Fraction(known.staked)
    win, blackjack = table["win"].odds.text, table["blackjack"].odds.text
    pays = {"blackjack": blackjack, "win": win, "doubled_win": win}
    alternatives = {
        "chart": known.chart_edge,
        "covered": known.covered_edge,
        "ordinary": known.ordinary_edge,
    }
    return {
        "wager": "bet",
        "paytable": table.id,
        "clause": table.clause,
        "decks": game.decks,
        "dealer_soft_22": game.dealer_soft_22,
        "house_edge": known.edge,
        "house_edge_percent": percent(edge),
        "element_of_risk": str(edge / staked),
        "element_of_risk_percent": percent(edge / staked),
        "staked": known.staked,
        "hit_frequency": known.hit_frequency,
        "standard_deviation": known.deviation,
        "outcomes": [
            {"outcome": name, "pays": pays.get(name, ""), "net": won, "probability": chance}
            for name, won, chance in known.outcomes
        ]
        + [{"outcome": "split", "pays": "", "net": "", "probability": known.split}],
        "distribution": [{"net": won, "probability": often} for won, often in known.nets],
        "strategy": {
            "says": "Play by the chart of the range that the reader shows, up card by up card. "
            f"That costs {percent(Fraction(known.chart_edge) - edge)}% of the bet against the best "
            f"play of every single hand; {len(known.departures)} hands are better played otherwise.",
            "data": {
                "charts": known.chart,
                "departures": [msgspec.to_builtins(one) for one in known.departures],
            },
            "alternatives": [
                {
                    "strategy": name,
                    "says": _SAYS[name],
                    "house_edge": other,
                    "house_edge_percent": percent(Fraction(other)),
                    "cost": str(Fraction(other) - edge),
                    "cost_percent": percent(Fraction(other) - edge),
                }
                for name, other in alternatives.items()
            ],
        },
        "notes": list(_NOTES),
    }
