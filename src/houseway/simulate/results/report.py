"""The report of a run: estimates with intervals beside the exact figures, and a verdict for each.

A verdict compares every wager of every position with its exact mean, all of them together at 99%:
if the simulation is right, one run in a hundred has a verdict of "not within". Where mathematics
knows the variance too, that is used; rare awards make the variance of a sample too small.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Any

from houseway.maths.figures import decimal
from houseway.maths.figures import exact as written
from houseway.money import Cents, dollars
from houseway.simulate.kernels.kernel import payout_limit
from houseway.simulate.prepared import Playing
from houseway.simulate.results.exact import Exact, exact, taken_by_limit
from houseway.simulate.results.tally import (
    Estimate,
    Tally,
    covariance,
    of_position,
    of_wager,
    staked,
)
from houseway.simulate.scenarios.progressives import Growth, growth

CONFIDENCE = 0.99
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


#: a figure's distance from the exact one in standard errors, where it has any, and its verdict
Judged = tuple[float | None, str]


@dataclass(frozen=True)
class Figure:
    """One wager of one position: what was found, what is exact, in units of the stake."""

    position: int
    wager: str
    stake: Cents
    mean: float
    error: float
    deviation: float
    exact: Fraction | None
    z: float | None
    verdict: str

    @property
    def low(self) -> float:
        return self.mean - Z * self.error

    @property
    def high(self) -> float:
        return self.mean + Z * self.error


def figures(game: Playing, tally: Tally) -> list[Figure]:
    """Every wager of every position, with verdicts that hold for all of them together."""
    found = []
    for position in range(game.positions):
        for wager, column in game.wagers:
            stake = game.stake_of(position, wager)
            if stake:
                found.append((position, wager, stake, of_wager(game, tally, position, column)))
    most = _most(game)
    return [_figure(game, *one, most) for one in found]


def _most(game: Playing) -> float:
    """How many standard errors from its exact mean a figure may be, all of them judged together."""
    tests = sum(taken_by_limit(game, position) is not None for position in range(game.positions))
    for position in range(game.positions):
        for wager, _ in game.wagers:
            if game.stake_of(position, wager):
                tests += exact(game, position, wager) is not None
    return NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2 / max(1, tests))


def _verdict(estimate: Fraction, rounds: int, known: Exact, error: float, most: float) -> Judged:
    """How far an estimate is from its exact mean, in standard errors, and whether that is within."""
    deviation = error if known.variance is None else sqrt(float(known.variance) / rounds)
    if not deviation:
        return None, "within" if estimate == known.mean else "not within"
    z = float(estimate - known.mean) / deviation
    return z, "within" if abs(z) <= most else "not within"


def _figure(
    game: Playing, position: int, wager: str, stake: Cents, estimate: Estimate, most: float
) -> Figure:
    known = exact(game, position, wager)
    # a wager that is not made in every round is reported per wager made, as on the PAR sheet
    made = game.family.made_in(game, wager)
    mean = float(estimate.mean / stake / made)
    error = estimate.error / stake / float(made)
    square = (estimate.variance + estimate.mean**2) / stake**2 / made
    z, verdict = None, "no exact figure"
    if known is not None:
        of_round = estimate.error / stake
        z, verdict = _verdict(estimate.mean / stake, estimate.rounds, known, of_round, most)
    return Figure(
        position,
        wager,
        stake,
        mean,
        error,
        sqrt(float(square - (estimate.mean / stake / made) ** 2)),
        known.mean / made if known else None,
        z,
        verdict,
    )


@dataclass(frozen=True)
class Pooled:
    """One wager over all positions that made it with one stake."""

    wager: str
    stake: Cents
    positions: int
    mean: float
    #: of the mean over positions, as large as if they all won and lost together
    error: float
    exact: Fraction | None
    worst: float | None
    verdict: str


def pooled(found: list[Figure]) -> list[Pooled]:
    """Figures by wager and stake; positions share the dealer's hand, so errors are not divided."""
    groups: dict[tuple[str, Cents], list[Figure]] = {}
    for figure in found:
        groups.setdefault((figure.wager, figure.stake), []).append(figure)
    rows = []
    for (wager, stake), members in groups.items():
        zs = [figure.z for figure in members if figure.z is not None]
        verdicts = {figure.verdict for figure in members}
        rows.append(
            Pooled(
                wager,
                stake,
                len(members),
                sum(figure.mean for figure in members) / len(members),
                sum(figure.error for figure in members) / len(members),
                members[0].exact,
                max(zs, key=abs) if zs else None,
                "not within" if "not within" in verdicts else members[0].verdict,
            )
        )
    return rows


def _number(value: float | None, places: int = 6) -> str | None:
    return None if value is None else f"{value:.{places}f}"


def figure_json(figure: Figure) -> dict[str, Any]:
    """A figure as the program writes it: decimals as text, the exact one as a fraction too."""
    return {
        "seat": figure.position + 1,
        "wager": figure.wager,
        "stake": dollars(figure.stake),
        "mean": _number(figure.mean, 8),
        "standard_error": _number(figure.error, 8),
        "standard_deviation": _number(figure.deviation, 4),
        "low": _number(figure.low, 8),
        "high": _number(figure.high, 8),
        "exact": written(figure.exact) if figure.exact is not None else None,
        "exact_decimal": decimal(figure.exact, 8) if figure.exact is not None else None,
        "z": _number(figure.z, 3),
        "verdict": figure.verdict,
    }


def growth_json(one: Growth, per_hour: int, tables: int) -> dict[str, Any]:
    hourly = per_hour * tables
    waits = sorted(one.waits)

    def at(share: float) -> int | None:
        return waits[min(len(waits) - 1, int(share * len(waits)))] if waits else None

    wait, whole = one.mean_wait, one.mean_whole_wait
    return {
        "meter": one.meter,
        "hits": len(one.paid_at),
        "mean_rounds_to_hit": _number(wait, 1),
        "median_rounds_to_hit": at(0.5),
        "rounds_to_hit_95": at(0.95),
        "mean_hours_to_hit": _number(wait / hourly if wait else None, 2),
        "mean_paid": dollars(round(one.mean_paid)) if one.mean_paid is not None else None,
        "most_paid": dollars(max(paid for _, paid in one.hits)) if one.hits else None,
        "partial_hits": one.parts,
        "paid_in_part": dollars(one.parts_paid),
        "contributed": dollars(int(one.contributed)),
        "shows": dollars(one.shows),
        "whole_hits": len(one.hits),
        "mean_rounds_to_whole_hit": _number(whole, 1),
        "mean_hours_to_whole_hit": _number(whole / hourly if whole else None, 2),
    }


def result_json(
    game: Playing,
    tally: Tally,
    *,
    seconds: float | None = None,
    per_hour: int = 40,
    tables: int = 1,
) -> dict[str, Any]:
    """All of a run. Everything but `seconds` and `rate` depends on plan and rounds alone."""
    found = figures(game, tally)
    plan = game.plan
    whole: dict[str, Any] = {
        "chapter": plan.chapter,
        "rules": plan.rules,
        "rules_hash": game.rules.hash,
        "strategy": plan.strategy,
        "seed": plan.seed,
        "rounds": tally.rounds,
        "positions": game.positions,
        "confidence": "99%",
        "wagers": [figure_json(figure) for figure in found],
        "seats": [
            {
                "seat": position + 1,
                "net_per_round": _number(float(of_position(tally, position).mean) / 100, 6),
                "standard_error": _number(of_position(tally, position).error / 100, 6),
                "staked": dollars(
                    sum(staked(game, tally, position, column) for _, column in game.wagers)
                ),
            }
            for position in range(game.positions)
        ],
        "verdict": "not within"
        if any(figure.verdict == "not within" for figure in found)
        else "within",
    }
    if plan.covariance and game.positions > 1:
        whole["covariance"] = [
            [_number(float(covariance(tally, a, b)) / 10_000, 4) for b in range(game.positions)]
            for a in range(game.positions)
        ]
        whole["correlation"] = [
            [_number(correlation(tally, a, b), 5) for b in range(game.positions)]
            for a in range(game.positions)
        ]
    if payout_limit(game.rules):
        limits = [limit_json(game, tally, position) for position in range(game.positions)]
        whole["payout_limit_takes"] = [one["takes"] for one in limits]
        whole["payout_limit"] = limits
        if any(one["verdict"] == "not within" for one in limits):
            whole["verdict"] = "not within"
    if game.rules.meter_names:
        whole["progressives"] = [growth_json(one, per_hour, tables) for one in growth(game, tally)]
    if seconds is not None:
        whole["seconds"] = round(seconds, 3)
        whole["rate"] = round(tally.rounds / seconds) if seconds else None
    return whole


def limit_takes(game: Playing, tally: Tally, position: int) -> Fraction:
    """What the payout limit keeps from a seat in a round, in cents: its wagers by themselves, less
    what it was paid.
    """
    wagers = (of_wager(game, tally, position, column).mean for _, column in game.wagers)
    return sum(wagers, Fraction(0)) - of_position(tally, position).mean


def limit_json(game: Playing, tally: Tally, position: int) -> dict[str, Any]:
    """What the payout limit takes from a seat, in dollars a round, beside the exact figure."""
    takes, known = limit_takes(game, tally, position), taken_by_limit(game, position)
    z, verdict = None, "no exact figure"
    if known is not None:
        z, verdict = _verdict(takes, tally.rounds, known, 0.0, _most(game))
    return {
        "seat": position + 1,
        "takes": _number(float(takes) / 100, 6),
        "exact": written(known.mean / 100) if known else None,
        "exact_decimal": decimal(known.mean / 100, 6) if known else None,
        "z": _number(z, 3),
        "verdict": verdict,
    }


def correlation(tally: Tally, one: int, other: int) -> float:
    """From -1 to 1; None if a position never wins or loses."""
    spread = float(covariance(tally, one, one) * covariance(tally, other, other))
    return float(covariance(tally, one, other)) / sqrt(spread) if spread else 0.0


@dataclass(frozen=True)
class CutCard:
    """What dealing to the cover card changes: the mean of a wager, dealt so and from fresh shoes."""

    wager: str
    to_the_cover_card: float
    fresh: float
    error: float

    @property
    def effect(self) -> float:
        return self.to_the_cover_card - self.fresh

    @property
    def shown(self) -> bool:
        """Whether the difference is more than chance, at 99%."""
        return abs(self.effect) > Z * self.error


def cut_card_effect(dealt: list[Figure], fresh: list[Figure]) -> list[CutCard]:
    """The cut-card effect of each wager. It favors no strategy: rounds with many small cards are
    long, so fewer of them fit before the cover card.
    """
    shoes, news = pooled(dealt), pooled(fresh)
    return [
        CutCard(
            shoe.wager,
            shoe.mean,
            float(new.exact) if new.exact is not None else new.mean,
            shoe.error if new.exact is not None else sqrt(shoe.error**2 + new.error**2),
        )
        for shoe, new in zip(shoes, news, strict=True)
    ]
