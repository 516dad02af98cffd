"""The expected hold of the recorded wagers, and its variance.

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
from typing import NamedTuple

import msgspec

from houseway.floor.audit.hold_rows import decided_for_all
from houseway.law import Rules, rules_from
from houseway.law.chapter import Wager
from houseway.law.library import EditionRef, edition_on_record
from houseway.maths.game import MATHS
from houseway.maths.par import Asked, base_wager, chosen_entry, entries_of
from houseway.money import Cents


class Exact(NamedTuple):
    """What one unit wagered brings the house, its variance, and its largest
    covariance with a unit at another seat of the same round.

    `meters` has what each meter adds to the expectation for each wager that was made, and `spread`
    what each, and the product of each two, adds to the variance, in cents squared. A progressive has
    its covariance with other seats in its variance already.
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
    """The exact figures of a wager as it was made; None if no PAR entry figures it, such as a coupon."""
    rules = rules_of(*played[:3], played.edition_hash)
    wager = base_wager(rules.chapter, played.wager)
    if wager is None:
        return None
    if wager.kind == "progressive":
        return _progressive(rules, wager, played)
    players: tuple[int, ...] = ()
    if wager.settled_on in MATHS.of(rules.chapter).decided_by_hands_dealt:
        players = (played.others + 1,)
    # where the figures depend on the stake an entry says so, and they are asked for again
    stakes: tuple[Cents, ...] = ()
    if _depends_on_stake(rules, wager.id, players):
        stakes = (played.stake,)
    return _of_entry(rules, wager.id, stakes, players)


@lru_cache(maxsize=1024)
def _of_entry(
    rules: Rules, wager: str, stakes: tuple[Cents, ...], players: tuple[int, ...]
) -> Exact | None:
    found = chosen_entry(Asked(rules.chapter, rules, stakes=stakes, players=players), wager)
    if found is None or found.spread is None:
        return None
    spread = found.spread
    if decided_for_all(rules.chapter, wager):
        return Exact(spread.edge, spread.variance)
    together = MATHS.of(rules.chapter).seat_covariance(rules, found)
    return Exact(spread.edge, spread.variance, together)


@lru_cache(maxsize=1024)
def _depends_on_stake(rules: Rules, wager: str, players: tuple[int, ...]) -> bool:
    asked = Asked(rules.chapter, rules, players=players)
    known = rules.chapter.wagers[wager]
    if known.settled_on in MATHS.of(rules.chapter).slow:
        return False
    return any("stake" in entry.columns for entry in entries_of(asked, wager))


def _progressive(rules: Rules, wager: Wager, played: Played) -> Exact:
    """The figures of a progressive without its meters, and what each meter adds.

    The variance is a polynomial of the second degree in what the meters show, so its value at one
    cent and at two gives all of its coefficients.
    """
    stake = played.stake
    one = MATHS.of(rules.chapter).progressive(
        rules, wager, stake, played.others, beside_fold=played.ante
    )

    def variance(**cents: int) -> Fraction:
        return one.variance_in_round({n: cents.get(n, 0) for n in one.hits}) * stake**2

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
