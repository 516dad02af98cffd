"""How widely a wager's results are spread: what a test laboratory asks of a PAR sheet besides the edge."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import msgspec

from houseway.maths.confidence import ERROR, LEVELS, Interval
from houseway.maths.figures import Spread, decimal, exact, one_in

if TYPE_CHECKING:
    from houseway.maths.sheet import Outcome

SAYS = (
    "The volatility index is the standard deviation times 1.644854, 1.959964 and 2.575829: over n "
    "rounds the hold lies within the edge plus or minus the index divided by the square root of n "
    "with 90%, 95% and 99% confidence, where the normal curve holds. The intervals are exact: the "
    "distribution of the sum of all rounds, by convolution."
)
HOLD = (
    "Hold against edge: the edge is what the house keeps of the initial wagers on average; the hold "
    "on this sheet is the share that it kept over that many rounds. A floor's hold percentage divides "
    "the win by the drop, the chips that players bought. They are wagered several times over: at an "
    "edge of 2%, a drop that is wagered ten times holds 20%."
)


class TopAwardOut(msgspec.Struct, frozen=True):
    """The highest award of a wager, or one that a meter pays."""

    outcome: str
    pays: str
    probability: str
    odds_against: str
    #: it comes once in this many rounds on average
    cycle: str


class VolatilityOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """How widely the net results of one unit wagered are spread."""

    index: dict[str, str]
    skewness: str
    excess_kurtosis: str
    #: the most that one unit can win beside the stake, in units of it
    maximum_payout: str
    #: what is put up on average for one unit of the initial wager
    average_bet_multiplier: str
    top_awards: list[TopAwardOut]
    hold: list[Interval] = []
    hold_error: str = ""
    says: str = ""
    #: up to how many rounds the normal curve misleads, and what it would say
    normal_says: str = ""


def volatility(
    spread: Spread, outcomes: Sequence[Outcome], deals: int, hold: Sequence[Interval] = ()
) -> VolatilityOut:
    """The figures of a wager, with the intervals of its hold where they are given."""
    deviation = sqrt(float(spread.variance))
    third, fourth = (_moment(spread, power) for power in (3, 4))
    return VolatilityOut(
        {f"{level}%": f"{NormalDist().inv_cdf(0.5 + level / 200) * deviation:.4f}" for level in LEVELS},
        decimal(Fraction(third / deviation**3), 4) if deviation else "0.0000",
        decimal(Fraction(fourth / deviation**4 - 3), 4) if deviation else "0.0000",
        exact(max(net for net, ways in spread.ways.items() if ways)),
        decimal(spread.staked, 6),
        [
            TopAwardOut(
                one.outcome,
                one.pays,
                exact(chance),
                f"{exact((1 - chance) / chance)} to 1",
                one_in(chance),
            )
            for one, chance in _top(spread, outcomes, deals)
        ],
        list(hold),
        ERROR if hold else "",
        SAYS if hold else "",
        _normal_says(hold),
    )  # fmt: skip


def _normal_says(hold: Sequence[Interval]) -> str:
    """Where a bound of the normal curve is off by more than a tenth of the interval's width."""
    found = [one for one in hold if one.confidence == "95%" and _misleads(one)]
    if not found:
        return ""
    last = max(found, key=lambda one: one.rounds)
    return (
        f"misleads up to {last.rounds:,} rounds, where it would say "
        f"{decimal(Fraction(last.normal_low_percent), 2)}% to "
        f"{decimal(Fraction(last.normal_high_percent), 2)}% at 95%"
    )


def _misleads(one: Interval) -> bool:
    low, high = float(one.hold_low_percent), float(one.hold_high_percent)
    off = max(abs(low - float(one.normal_low_percent)), abs(high - float(one.normal_high_percent)))
    return off > (high - low) / 10


def _moment(spread: Spread, power: int) -> float:
    """A central moment."""
    nets, part = spread.parts
    mean = spread.mean * part
    over, under = mean.numerator, mean.denominator
    total = sum(
        ways * (net * under - over) ** power
        for net, ways in zip(nets, spread.ways.values(), strict=True)
    )
    return float(Fraction(total, spread.total * (under * part) ** power))


def _top(spread: Spread, outcomes: Sequence[Outcome], deals: int) -> list[tuple[Outcome, Fraction]]:
    """Every award that a meter pays, else the highest net result of all; with its chance."""
    own = [one for one in outcomes if one.ways and not one.envy]
    metered = [one for one in own if "% of" in one.pays]
    if metered:
        most = max(one.back or 0 for one in own)
        return [
            (one, Fraction(one.ways, deals)) for one in own if one in metered or one.back == most
        ]
    most = max(net for net, ways in spread.ways.items() if ways)
    same = [one for one in own if one.net == most]
    # a row of several net results, as a split's, has no one net: the highest of all is among them
    named = " or ".join(
        dict.fromkeys(one.outcome for one in same or own if same or one.net is None)
    )
    pays = {one.pays for one in same}
    shown = pays.pop() if len(pays) == 1 else f"{decimal(most, 2).removesuffix('.00')} to 1"
    chance = Fraction(spread.ways[most], spread.total)
    return [(msgspec.structs.replace(own[0], outcome=named, pays=shown), chance)] if own else []
