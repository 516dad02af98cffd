"""All figures of the bet for one game, worked out once and kept in the cache of tallies.

Nothing heavy is imported while they are in the cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING

import msgspec

from houseway.games.down_under.maths.solver.variant import Variant, variant_of
from houseway.law import Chapter, Rules, choose
from houseway.maths.counting.tallies import Tallies
from houseway.maths.game import Countable

if TYPE_CHECKING:
    from houseway.games.down_under.maths.strategy import Chart

_HERE = "houseway.games.down_under.maths"
#: the code that makes the figures
SOURCES = (
    *(f"{_HERE}.{name}" for name in ("charts", "figures", "strategy")),
    *(
        f"{_HERE}.solver.{name}"
        for name in (
            "arrays", "dealer", "distribution", "exact", "game_arrays", "hands", "kernels",
            "one_hand", "quantities", "solve", "splits", "states", "variant",
        )
    ),
)  # fmt: skip


class Apart(msgspec.Struct, frozen=True):
    """A hand whose best play differs from that of its total."""

    cards: str
    from_split: bool
    up: str
    range: str
    chart: str
    better: str
    #: in bets, when it happens
    gain: str
    #: in hands a round
    often: str


class BetFigures(msgspec.Struct, frozen=True):
    """What is known of the bet for one number of decks and one reading. Fractions are text."""

    edge: str
    staked: str
    #: how a round ends without a split: outcome, net in bets, exact probability
    outcomes: list[tuple[str, str, str]]
    split: str
    #: net in bets and its exact probability, splits included
    nets: list[tuple[str, str]]
    chart: dict[str, dict[str, dict[str, dict[str, str]]]]
    chart_edge: str
    departures: list[Apart]
    #: the best play of one who sees the up card alone
    covered_edge: str
    #: ordinary basic strategy in this game
    ordinary_edge: str
    #: the best play without the light, for a player who sees exposed cards (7(h))
    unread_edge: str
    #: drawing and standing as the dealer does, and never drawing to a hand that could bust
    mimic_edge: str
    never_bust_edge: str
    #: the mean of the net result times the suited matches of the up card, times the unsuited ones,
    #: and over rounds without a match (11(c)): for the covariance of the bet and Match-the-Dealer
    by_matches: list[str]


TALLIES = Tallies("down_under", SOURCES)


def games(law: Chapter, rules: Rules | None = None) -> Iterator[Variant]:
    """The chosen decks, or all that may be; both readings of a soft 22 are on every sheet."""
    base = variant_of(rules or choose(law))
    decks = [rules["decks"]] if rules else [choice.value for choice in law.options["decks"].choices]
    for count in decks:
        for reading in law.options["dealer_soft_22"].choices:
            yield base.but(decks=count, dealer_soft_22=reading.value)


def named(game: Variant) -> str:
    """A game of the chapter in a name for a file."""
    pays = game.blackjack_pays
    reading = game.dealer_soft_22.replace("_", "-")
    return f"{game.decks}-{reading}-{pays.numerator}-to-{pays.denominator}"


def figures(game: Variant) -> BetFigures:
    """The figures of one game of the chapter: from the cache, or worked out now and kept."""
    return TALLIES.recall("bet", BetFigures, lambda: work_out(game), named(game))


def edge(game: Variant) -> Fraction:
    """The exact house edge of one game; without its other figures, where they are not known."""
    if is_known(game):
        return Fraction(figures(game).edge)
    return Fraction(TALLIES.recall("edge", str, lambda: str(_edge(game)), named(game)))


def _edge(game: Variant) -> Fraction:
    from houseway.games.down_under.maths.solver.exact import decided, exact_value
    from houseway.games.down_under.maths.solver.solve import solve

    return -exact_value(decided(solve(game)))


def is_known(game: Variant) -> bool:
    """Whether the figures of a game have been worked out."""
    return TALLIES.is_kept("bet", named(game))


def missing(law: Chapter, rules: Rules | None = None) -> list[Countable]:
    """The games whose figures would have to be worked out now."""
    return [
        (named(game), partial(figures, game)) for game in games(law, rules) if not is_known(game)
    ]


def ordinary(game: Variant) -> Variant:
    """The same table with the rules that books on blackjack are written for."""
    return game.but(dealer_soft_22="counts_as_12", dealer_22="busts", reader="covered")


@cache
def _chart_of_books(game: Variant) -> Chart:
    """Basic strategy, the same for both readings of a soft 22."""
    from houseway.games.down_under.maths import strategy
    from houseway.games.down_under.maths.solver.solve import solve

    return strategy.chart_of(solve(game))


def work_out(game: Variant) -> BetFigures:
    """Everything from the beginning."""
    from houseway.games.down_under.maths import charts, strategy
    from houseway.games.down_under.maths.solver.distribution import counts, distribution
    from houseway.games.down_under.maths.solver.exact import decided, exactly
    from houseway.games.down_under.maths.solver.hands import VALUES
    from houseway.games.down_under.maths.solver.quantities import net, net_by_matches
    from houseway.games.down_under.maths.solver.solve import solve

    best = decided(solve(game))
    chart = strategy.chart_of(best)
    books = _chart_of_books(ordinary(game))
    covered, unread = (
        strategy.followed(decided(solve(game.but(reader=reader))), best.table)
        for reader in ("covered", "unread")
    )
    simpler = (
        chart.on(best.table), books.on(best.table), covered, unread,
        strategy.by_total(best.table, strategy.mimics_the_dealer),
        strategy.by_total(best.table, strategy.never_busts),
    )  # fmt: skip
    counted, matched = counts(game), net_by_matches(game)
    averages, *others = exactly(
        (best, [*counted, *matched]), *((play, [net(game)]) for play in simpler)
    )
    edges = [str(-mean) for (mean,) in others]
    results = distribution(best, averages[: len(counted)])
    return BetFigures(
        edge=str(results.edge),
        staked=str(results.staked),
        outcomes=[(name, str(won), str(chance)) for name, (won, chance) in results.outcomes.items()],
        split=str(results.split),
        nets=[(str(won), str(chance)) for won, chance in results.nets.items()],
        chart=charts.as_data(chart),
        chart_edge=edges[0],
        departures=[
            Apart(
                one.cards, one.from_split, VALUES[one.case.up], one.case.range, one.chart,
                one.better, f"{one.gain:.6f}", f"{one.often:.9f}",
            )
            for one in strategy.departures(best, chart)
        ],
        ordinary_edge=edges[1],
        covered_edge=edges[2],
        unread_edge=edges[3],
        mimic_edge=edges[4],
        never_bust_edge=edges[5],
        by_matches=[str(mean) for mean in averages[len(counted) :]],
    )  # fmt: skip
