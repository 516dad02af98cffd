"""All figures of the bet for one game, worked out once and kept in the cache of tallies.

Nothing heavy is imported while they are in the cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import msgspec

from houseway.games.down_under.maths.variant import Variant, variant_of
from houseway.law import Chapter, Rules, choose
from houseway.maths.game import Countable
from houseway.maths.tallies import Tallies

#: the code that makes the figures
SOURCES = tuple(
    f"houseway.games.down_under.maths.{name}"
    for name in (
        "charts", "quantities", "distribution", "exact", "figures", "hands", "kernels",
        "pair_kernels", "solve", "splits", "states", "strategy", "game_arrays", "variant",
    )
)  # fmt: skip


class Apart(msgspec.Struct, frozen=True):
    """A hand better played otherwise than its total says."""

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
    #: the best play when the reader is covered
    covered_edge: str
    #: ordinary basic strategy in this game
    ordinary_edge: str


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


def work_out(game: Variant) -> BetFigures:
    """Everything from the beginning."""
    from houseway.games.down_under.maths import charts, strategy
    from houseway.games.down_under.maths.distribution import counts, distribution
    from houseway.games.down_under.maths.exact import decided, exact_value, exactly
    from houseway.games.down_under.maths.hands import VALUES
    from houseway.games.down_under.maths.quantities import net
    from houseway.games.down_under.maths.solve import solve

    best = decided(solve(game))
    chart = strategy.chart_of(best)
    books = strategy.chart_of(solve(ordinary(game)))
    averages, charted, by_books = exactly(
        (best, counts(game)),
        (chart.on(best.table), [net(game)]),
        (books.on(best.table), [net(game)]),
    )
    results = distribution(best, averages)
    return BetFigures(
        edge=str(results.edge),
        staked=str(results.staked),
        outcomes=[(name, str(won), str(chance)) for name, (won, chance) in results.outcomes.items()],
        split=str(results.split),
        nets=[(str(won), str(chance)) for won, chance in results.nets.items()],
        chart=charts.as_data(chart),
        chart_edge=str(-charted[0]),
        departures=[
            Apart(
                one.cards, one.from_split, VALUES[one.case.up], one.case.range, one.chart,
                one.better, f"{one.gain:.6f}", f"{one.often:.9f}",
            )
            for one in strategy.departures(best, chart)
        ],
        covered_edge=str(-exact_value(decided(solve(game.but(reader="covered"))))),
        ordinary_edge=str(-by_books[0]),
    )  # fmt: skip
