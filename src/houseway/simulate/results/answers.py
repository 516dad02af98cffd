"""What `simulate` and `rng-test` write as JSON. Nothing here needs NumPy."""

from __future__ import annotations

from typing import Any

import msgspec


class WagerEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """One wager of one seat, in units of its stake; `low` to `high` is the 99% interval."""

    seat: int
    wager: str
    stake: str
    mean: str
    standard_error: str
    standard_deviation: str
    low: str
    high: str
    exact: str | None
    exact_decimal: str | None
    z: str | None
    verdict: str


class SeatEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """All wagers of one seat together, in dollars a round."""

    seat: int
    net_per_round: str
    standard_error: str
    staked: str


class MeterGrowth(msgspec.Struct, frozen=True, kw_only=True):
    """One progressive meter over the run. A hit is any payment, as the PAR sheet counts; `mean_paid`
    and `most_paid` are of hits that won it whole.
    """

    meter: str
    hits: int
    mean_rounds_to_hit: str | None
    median_rounds_to_hit: int | None
    rounds_to_hit_95: int | None
    mean_hours_to_hit: str | None
    mean_paid: str | None
    most_paid: str | None
    partial_hits: int
    paid_in_part: str
    contributed: str
    shows: str
    whole_hits: int
    mean_rounds_to_whole_hit: str | None
    mean_hours_to_whole_hit: str | None


class CutCardEffect(msgspec.Struct, frozen=True, kw_only=True):
    """What dealing to the cover card changes, per unit staked; `low` to `high` is the 99% interval."""

    wager: str
    effect: str
    standard_error: str
    more_than_chance: bool
    low: str
    high: str


class LimitEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """What the payout limit takes from one seat, in dollars a round."""

    seat: int
    takes: str
    exact: str | None
    exact_decimal: str | None
    z: str | None
    verdict: str


class SimulationOut(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A run. Everything but `seconds` and `rate` depends on the plan and the rounds alone."""

    chapter: str
    rules: dict[str, Any]
    rules_hash: str
    strategy: str
    seed: str
    rounds: int
    positions: int
    confidence: str
    wagers: list[WagerEstimate]
    seats: list[SeatEstimate]
    verdict: str
    covariance: list[list[str]] | None = None
    correlation: list[list[str]] | None = None
    #: by seat, in dollars a round: `wagers` are before the limit, `seats` after it
    payout_limit_takes: list[str] | None = None
    payout_limit: list[LimitEstimate] | None = None
    progressives: list[MeterGrowth] | None = None
    fresh_shoes: dict[str, Any] | None = None
    cut_card_effect: list[CutCardEffect] | None = None
    seconds: float | None = None
    rate: int | None = None


class Chance(msgspec.Struct, frozen=True):
    """A share of the sessions with its 99% interval."""

    share: str
    low: str
    high: str


class SessionsOut(msgspec.Struct, frozen=True, kw_only=True):
    """Sessions of one player; `net` and `drawdown` are amounts by share of the sessions."""

    chapter: str
    seed: str
    strategy: str
    sessions: int
    rounds: int
    bankroll: str
    stake_plan: str
    risk_of_ruin: Chance
    chance_ahead: Chance
    mean_net: str
    net: dict[str, str]
    drawdown: dict[str, str]


class Band(msgspec.Struct, frozen=True, kw_only=True):
    """The range of a day's win and hold on 99 of 100 days.

    The bounds are estimated from this number of `days`; each lies between `from` and `to` with 99%
    confidence. A side is empty if there are too few days to bound it.
    """

    tables: str
    mean_win: str
    low: str
    high: str
    hold_percent: str
    hold_low_percent: str
    hold_high_percent: str
    losing_days: str
    low_from: str
    low_to: str
    high_from: str
    high_to: str
    days: int


class DaysOut(msgspec.Struct, frozen=True, kw_only=True):
    """A floor's days."""

    chapter: str
    seed: str
    days: int
    rounds_per_table: int
    wagered_per_table: str
    confidence: str
    bands: list[Band]


class FloorTableOut(msgspec.Struct, frozen=True, kw_only=True):
    """The tables of one kind on a floor."""

    name: str
    chapter: str
    tables: int
    rounds_per_table: int
    wagered_per_table: str
    one: Band
    all: Band | None


class LinkOut(msgspec.Struct, frozen=True, kw_only=True):
    """One meter that links tables, over all days."""

    link: str
    meter: str
    hits: int
    days_to_hit: str | None
    mean_paid: str | None
    most_paid: str | None
    partial_hits: int
    paid_in_part: str
    contributed: str
    shows: str
    whole_hits: int


class FloorOut(msgspec.Struct, frozen=True, kw_only=True):
    """Days of a floor of several kinds of tables."""

    floor: str
    seed: str
    days: int
    confidence: str
    tables: list[FloorTableOut]
    all: Band
    links: list[LinkOut]


class TestOut(msgspec.Struct, frozen=True, kw_only=True):
    """One test: the p-value of the whole sample, and of the p-values of its parts."""

    test: str
    of: str
    says: str
    sample_size: int
    p_value: str
    ks_p_value: str
    parts: int
    rejected: bool


class SourceOut(msgspec.Struct, frozen=True, kw_only=True):
    """One source and everything found about it."""

    source: str
    says: str
    verdict: str
    tests: list[TestOut]


class TrialOut(msgspec.Struct, frozen=True, kw_only=True):
    """A trial of one or more sources."""

    confidence: str
    control: str
    seed: str
    sources: list[SourceOut]
    verdict: str
