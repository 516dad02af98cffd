"""What the wagers on record were to bring the house, and how far chance may take it.

The yardstick is the best play of each wager by itself, under the rules that the table recorded when
it opened. Meters count as they stood when the chips were taken in: of a wager the house is to keep
the stake, less the fixed return, less each share of a meter times its chance. What a wager adds to
its meter is subtracted nowhere, for it is the meter's payments that it comes back as, and those are
counted when they are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from houseway.floor.audit.hold_rows import ALIKE
from houseway.law import Rules, rules_from
from houseway.law.library import EditionRef, edition_on_record
from houseway.money import Cents

if TYPE_CHECKING:
    from houseway.games.down_under.maths.variant import Variant
    from houseway.maths.sheet import Entry


class Exact(NamedTuple):
    """What one unit wagered brings the house, its variance, and how far it goes together with a unit
    at another seat of the same round, at most.

    `meters` has what each meter adds to the expectation for each wager that was made, and `spread`
    what each, and the product of each two, adds to the variance, in cents squared. A progressive has
    what goes together with other seats in its variance already.
    """

    edge: Fraction
    variance: Fraction
    covariance: Fraction = Fraction(0)
    meters: Mapping[str, Fraction] = {}
    spread: Mapping[tuple[str, str], Fraction] = {}


class Played(NamedTuple):
    """The rules on record, and what else the figures of a wager depend on."""

    chapter: str
    edition: str
    file: str
    wager: str
    stake: Cents = 0
    others: int = 0
    ante: bool = False
    edition_hash: str = ""


@lru_cache(maxsize=64)
def rules_of(chapter: str, edition: str, file: str, edition_hash: str = "") -> Rules:
    """The rules that a table recorded when it opened."""
    law, _ = edition_on_record(EditionRef(chapter, edition, edition_hash))
    return rules_from(msgspec.json.decode(file), law)


@lru_cache(maxsize=4096)
def exact(played: Played) -> Exact | None:
    """The exact figures of a wager as it was made; none for what no paper knows, as a coupon."""
    rules = rules_of(*played[:3], played.edition_hash)
    known = rules.chapter.wagers.get(played.wager)
    if known is not None and known.kind == "progressive":
        return _progressive(rules, played)
    if played.wager == "bet":
        return _bet(rules)
    # where the figures depend on the stake an entry says so, and they are asked for again
    players = (played.others + 1,) if played.wager == "cover_all" else ()
    stakes: tuple[Cents, ...] = ()
    if any("stake" in entry.columns for entry in _entries(rules, played.wager, (), players)):
        stakes = (played.stake,)
    return _of_entry(rules, played.wager, stakes, players)


@lru_cache(maxsize=1024)
def _of_entry(
    rules: Rules, wager: str, stakes: tuple[Cents, ...], players: tuple[int, ...]
) -> Exact | None:
    found = _entries(rules, wager, stakes, players)
    if len(found) != 1 or found[0].spread is None:
        return None
    spread = found[0].spread
    if wager in ALIKE:
        return Exact(spread.edge, spread.variance)
    from houseway.maths.seat_covariance import covariance

    return Exact(spread.edge, spread.variance, covariance(rules, found[0]))


@lru_cache(maxsize=1024)
def _entries(
    rules: Rules, wager: str, stakes: tuple[Cents, ...], players: tuple[int, ...]
) -> list[Entry]:
    from houseway.maths.par import Asked, entries_of

    name = "ante" if wager == "ante_play" and "play" not in rules.chapter.wagers else wager
    return entries_of(Asked(rules.chapter, rules, stakes=stakes, players=players), name)


@lru_cache(maxsize=64)
def _bet(rules: Rules) -> Exact:
    """The bet with its doubles and splits, for the decks and the reading that were chosen."""
    from houseway.games.down_under.maths.entries import spread_of
    from houseway.games.down_under.maths.figures import figures
    from houseway.games.down_under.maths.variant import variant_of

    game = variant_of(rules)
    spread = spread_of(figures(game))
    return Exact(spread.edge, spread.variance, _bets_together(rules, game))


#: rounds that two seats of Down Under play; what comes of them is right to half a per cent
_ROUNDS = 400_000
_PLAYED_BY = (
    *(f"simulate/{name}.py" for name in ("counts", "kernel", "plan", "prepared", "random_streams")),
    *(f"games/down_under/simulation/{name}.py" for name in ("kernel", "strategies")),
)


def _bets_together(rules: Rules, game: Variant) -> Fraction:
    """Two seats of Down Under, for which there is no formula: they are played once, and it is kept."""
    from houseway.games.down_under.maths.figures import SOURCES
    from houseway.maths.cache import recall

    def play() -> str:
        from houseway.simulate.plan import plan_of, usual_wagers
        from houseway.simulate.runner import run
        from houseway.simulate.tally import covariance

        bet = usual_wagers(rules)["bet"]
        plan = plan_of(rules, players=2, wagers={"bet": bet}, covariance=True)
        return str(covariance(run(plan, _ROUNDS), 0, 1) / bet**2)

    pays = game.blackjack_pays
    reading = game.dealer_soft_22.replace("_", "-")
    name = f"bets-together-{game.decks}-{reading}-{pays.numerator}-to-{pays.denominator}"
    return Fraction(recall(name, str, (*SOURCES, *_PLAYED_BY), play))


def _progressive(rules: Rules, played: Played) -> Exact:
    """A progressive apart from its meters, and what each meter adds.

    The variance is a polynomial of the second degree in what the meters show, so its value at one
    cent and at two gives all of its coefficients.
    """
    from houseway.maths.progressive_entries import at_table
    from houseway.maths.seat_covariance import of_progressive

    one = at_table(rules, played.wager, played.stake, played.others, ante=played.ante)
    stake = played.stake

    def variance(**cents: int) -> Fraction:
        return of_progressive(one, {name: cents.get(name, 0) for name in one.hits}) * stake**2

    nothing = variance()
    at_one = {name: variance(**{name: 1}) - nothing for name in one.hits}
    spread: dict[tuple[str, str], Fraction] = {}
    for name in one.hits:
        spread[name, name] = (variance(**{name: 2}) - nothing) / 2 - at_one[name]
        spread[name, ""] = at_one[name] - spread[name, name]
    for first, other in combinations(sorted(one.hits), 2):
        both = variance(**{first: 1, other: 1}) - nothing
        spread[first, other] = both - at_one[first] - at_one[other]
    return Exact(
        1 - one.fixed_return,
        nothing / stake**2,
        meters={name: -one.expected_share(name) for name in one.hits},
        spread=spread,
    )
