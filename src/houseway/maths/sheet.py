"""A PAR sheet: one entry for each wager and paytable, exact inside, the contract's JSON outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from houseway.law import Chapter, Rules
from houseway.maths.figures import Spread, decimal, exact, percent, root
from houseway.money import Cents, dollars

if TYPE_CHECKING:
    from houseway.maths.covariance import Together
    from houseway.maths.progressive import Progressive


class OutcomeOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a wager may come to. `combinations` of the entry's `deals` come to it."""

    outcome: str
    pays: str
    probability: str
    combinations: str = ""
    #: net result per unit staked; nothing where a meter decides it
    net: str = ""
    clause: str = ""
    hand: str = ""


class NetOut(msgspec.Struct, frozen=True):
    """A net result in units of the stake, with its probability."""

    net: str
    probability: str


class AlternativeOut(msgspec.Struct, frozen=True):
    """A simpler way to play, and what it costs against the best one."""

    strategy: str
    says: str
    house_edge: str
    house_edge_percent: str
    cost: str
    cost_percent: str


class StrategyOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """The optimal rule in words and as data."""

    says: str
    data: dict[str, Any] = {}
    alternatives: list[AlternativeOut] = []


class HitOut(msgspec.Struct, frozen=True):
    """One row of the paytable that pays a share of a meter."""

    outcome: str
    probability: str
    share: str


class MeterOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """How often a meter pays and what share on average; probability x share x meter is expected."""

    probability: str
    share: str
    hits: list[HitOut] = []
    break_even: str = ""
    break_even_dollars: str = ""


class AtMetersOut(msgspec.Struct, frozen=True):
    """A progressive while its meters show these amounts."""

    meters: dict[str, str]
    house_edge: str
    house_edge_percent: str
    standard_deviation: str


class LongRunOut(msgspec.Struct, frozen=True):
    """What a progressive returns in the long run at these terms."""

    rates: dict[str, str]
    resets: dict[str, str]
    long_run_return: str
    long_run_return_percent: str
    says: str


class WagerOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """One wager with one paytable."""

    wager: str
    paytable: str
    clause: str = ""
    ante_bonus: str | None = None
    bad_beat: str | None = None
    players: int | None = None
    stake: str | None = None
    decks: int | None = None
    dealer_soft_22: str | None = None
    house_edge: str = ""
    house_edge_percent: str = ""
    element_of_risk: str = ""
    element_of_risk_percent: str = ""
    #: what is put up on average, in units of the stake
    staked: str = ""
    hit_frequency: str = ""
    variance: str = ""
    standard_deviation: str = ""
    fixed_return: str = ""
    fixed_return_percent: str = ""
    meters: dict[str, MeterOut] = {}
    break_even: str = ""
    break_even_dollars: str = ""
    at: AtMetersOut | None = None
    long_run: LongRunOut | None = None
    deals: str = ""
    outcomes: list[OutcomeOut] = []
    distribution: list[NetOut] = []
    strategy: StrategyOut | None = None
    notes: list[str] = []
    #: what else the figures depend on, where the game has more to choose than the columns above
    columns: dict[str, str | int | bool] = {}


class CovarianceOut(msgspec.Struct, frozen=True):
    """How two wagers move together."""

    wagers: list[str]
    covariance: str
    correlation: str


class TogetherOut(msgspec.Struct, frozen=True):
    """Wagers of one seat, one unit on each."""

    wagers: dict[str, str]
    house_edge: str
    house_edge_percent: str
    variance: str
    standard_deviation: str
    if_independent: str
    covariances: list[CovarianceOut]
    leaves_out: list[str]
    says: str


class SheetOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """`par --json`."""

    chapter: str
    wagers: list[WagerOut]
    edition: str = ""
    rules: dict[str, Any] = {}
    together: TogetherOut | None = None


class Outcome(msgspec.Struct, frozen=True, dict=True):
    """What a wager may come to: what it pays, and in how many deals."""

    outcome: str
    pays: str
    ways: int
    net: Fraction | None = None
    clause: str = ""
    hand: str = ""


class Entry(msgspec.Struct, frozen=True, dict=True):
    """One wager with one paytable, exact.

    `columns` are what else the figures depend on: `players`, `stake`, `decks`, `ante_bonus`,
    `bad_beat`. A progressive has no `spread` of its own: its figures depend on its meters. An entry
    that was worked out elsewhere is `made` already and has nothing else.
    """

    wager: str
    paytable: str
    spread: Spread | None
    outcomes: Sequence[Outcome] = ()
    deals: int = 0
    clause: str = ""
    columns: Mapping[str, Any] = msgspec.field(default_factory=dict)
    strategy: StrategyOut | None = None
    progressive: ProgressiveTerms | None = None
    notes: Sequence[str] = ()
    made: WagerOut | None = None

    def out(self) -> WagerOut:
        if self.made is not None:
            return self.made
        shown: dict[str, Any] = {
            "wager": self.wager,
            "paytable": self.paytable,
            "clause": self.clause,
            **{name: value for name, value in self.columns.items() if name in COLUMNS},
            "columns": {name: value for name, value in self.columns.items() if name not in COLUMNS},
            "deals": str(self.deals) if self.deals else "",
            "outcomes": [
                OutcomeOut(
                    one.outcome,
                    one.pays,
                    exact(Fraction(one.ways, self.deals)),
                    str(one.ways),
                    "" if one.net is None else exact(one.net),
                    one.clause,
                    one.hand,
                )
                for one in self.outcomes
            ],
            "strategy": self.strategy,
            "notes": list(self.notes),
        }
        if self.spread is not None:
            shown |= _figures(self.spread, grows=self.strategy is not None)
        if self.progressive is not None:
            shown |= self.progressive.out()
        return WagerOut(**shown)


_FIELDS = WagerOut.__struct_fields__
#: the columns that an entry's JSON has a name for
COLUMNS = _FIELDS[_FIELDS.index("clause") + 1 : _FIELDS.index("house_edge")]


def column_text(entry: WagerOut) -> str:
    """What the figures of an entry are for, besides wager and table."""
    parts = []
    if entry.players is not None:
        parts.append(f"{entry.players} player{'s' if entry.players > 1 else ''}")
    if entry.stake is not None:
        parts.append(f"${entry.stake.removesuffix('.00')}")
    if entry.decks is not None:
        parts.append(f"{entry.decks} deck{'s' if entry.decks > 1 else ''}")
    if entry.dealer_soft_22 is not None:
        parts.append(f"soft 22 {entry.dealer_soft_22.replace('_', ' ')}")
    parts += [f"{name} {value}".replace("_", " ") for name, value in entry.columns.items()]
    return ", ".join(parts)


def is_chosen(rules: Rules, entry: Entry) -> bool:
    """Whether an entry is for the options chosen: a sheet has other readings beside them."""
    return all(
        rules.options[name] == value
        for name, value in entry.columns.items()
        if name in rules.options
    )


def _figures(spread: Spread, *, grows: bool) -> dict[str, Any]:
    """The figures of a wager; one that its player may add to is measured by all he stakes too."""
    found: dict[str, Any] = {
        "house_edge": exact(spread.edge),
        "house_edge_percent": percent(spread.edge),
        "hit_frequency": exact(spread.hit_frequency),
        "variance": exact(spread.variance),
        "standard_deviation": root(spread.variance),
        "distribution": [NetOut(exact(net), exact(chance)) for net, chance in spread.distribution],
    }
    if grows or spread.staked != 1:
        found["staked"] = exact(spread.staked)
        found["element_of_risk"] = exact(spread.element_of_risk)
        found["element_of_risk_percent"] = percent(spread.element_of_risk)
    return found


class ProgressiveTerms(msgspec.Struct, frozen=True, dict=True):
    """A progressive with the meters it is looked at with, and the terms of its long run."""

    wager: Progressive
    #: what the meters show
    meters: Mapping[str, Cents]
    rates: Mapping[str, Fraction] | None
    resets: Mapping[str, Cents]
    says: str

    def out(self) -> dict[str, Any]:
        one = self.wager
        first = next(iter(one.hits), None)
        spread = one.spread_with_envy(self.meters)
        found: dict[str, Any] = {
            "fixed_return": exact(one.fixed_return),
            "fixed_return_percent": percent(one.fixed_return),
            "hit_frequency": exact(spread.hit_frequency),
            "meters": {name: self._meter(name) for name in one.hits},
            "at": AtMetersOut(
                {name: dollars(amount) for name, amount in self.meters.items()},
                exact(one.edge(self.meters)),
                percent(one.edge(self.meters)),
                root(spread.variance),
            ),
        }
        if first is not None:
            even = one.break_even(first, self.meters) / 100
            found["break_even"] = exact(even)
            found["break_even_dollars"] = decimal(even, 2)
        if self.rates is not None:
            back = one.long_run(self.rates, self.resets)
            found["long_run"] = LongRunOut(
                {name: f"{decimal(rate * 100, 2)}%" for name, rate in self.rates.items()},
                {name: dollars(self.resets[name]) for name in one.hits},
                exact(back),
                percent(back),
                self.says,
            )
        return found

    def _meter(self, name: str) -> MeterOut:
        one = self.wager
        even = one.break_even(name, self.meters) / 100
        return MeterOut(
            exact(one.chance(name)),
            exact(one.expected_share(name) / one.chance(name)),
            [
                HitOut(hit.outcome, exact(hit.probability), exact(hit.share))
                for hit in one.hits[name]
            ],
            exact(even),
            decimal(even, 2),
        )


class Sheet(msgspec.Struct, frozen=True, dict=True):
    """Every wager of a chapter, or of the rules that were chosen."""

    chapter: Chapter
    rules: Rules | None
    entries: Sequence[Entry]
    together: Together | None = None
    together_tables: Mapping[str, str] = msgspec.field(default_factory=dict)
    left_out: Sequence[str] = ()

    def find(self, wager: str, paytable: str | None = None, **columns: Any) -> Entry:
        """The first entry of a wager: `sheet.find("pair_plus", "A")`."""
        return next(
            entry
            for entry in self.entries
            if entry.wager == wager
            and paytable in (None, entry.paytable)
            and all(entry.columns.get(name) == value for name, value in columns.items())
        )

    def out(self) -> SheetOut:
        return SheetOut(
            self.chapter.id,
            [entry.out() for entry in self.entries],
            self.chapter.about.edition,
            self.rules.as_file() if self.rules is not None else {},
            self._together() if self.together is not None else None,
        )

    def _together(self) -> TogetherOut:
        whole = self.together
        assert whole is not None
        alone = sum(whole.variances.values(), Fraction(0))
        return TogetherOut(
            dict(self.together_tables),
            exact(whole.edge),
            percent(whole.edge),
            exact(whole.variance),
            root(whole.variance),
            root(alone),
            [
                CovarianceOut(list(pair), exact(value), _correlation(whole, pair, value))
                for pair, value in whole.covariances.items()
            ],
            list(self.left_out),
            "One unit on each wager; the deviation is of the sum of their net results, the edge of "
            "all that is wagered before the deal. The ante is played by its own best strategy.",
        )


def _correlation(whole: Together, pair: tuple[str, str], value: Fraction) -> str:
    square = value * value / (whole.variances[pair[0]] * whole.variances[pair[1]])
    return ("-" if value < 0 else "") + root(square)
