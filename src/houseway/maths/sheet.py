"""A PAR sheet: one entry for each wager and paytable, exact inside, the contract's JSON outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from houseway.errors import Refused, choose_from
from houseway.law import Chapter, Rules
from houseway.maths.confidence import ROUNDS, Interval
from houseway.maths.figures import Spread, decimal, exact, one_in, percent, root
from houseway.maths.volatility import HOLD, VolatilityOut, volatility
from houseway.money import Cents, cents, dollars, spoken
from houseway.shown import HasFigures, ShownAsPage

if TYPE_CHECKING:
    from houseway.maths.joint.at_stakes import JointPlay
    from houseway.maths.joint.covariance import Together
    from houseway.maths.progressive import Progressive


class OutcomeOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """One outcome of a wager: `combinations` of the entry's `deals` have it."""

    outcome: str
    pays: str
    probability: str
    combinations: str = ""
    #: net result per unit staked; nothing where a meter decides it
    net: str = ""
    clause: str = ""
    hand: str = ""
    #: what comes back of one unit, stake included, at the meters shown; all add up to the return
    back: str = msgspec.field(default="", name="return")
    #: one such outcome in this many deals
    one_in: str = ""
    #: an award for another player's hand: it comes beside any outcome of the player's
    envy: bool = False


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
    #: where no amount is the break-even: the wager pays more than it takes whatever the meter shows
    says: str = ""


class AtMetersOut(msgspec.Struct, frozen=True):
    """A progressive while its meters show these amounts."""

    meters: dict[str, str]
    house_edge: str
    house_edge_percent: str
    standard_deviation: str


class BesideAnteOut(msgspec.Struct, frozen=True):
    """A progressive beside an ante that is folded by its best strategy, which forfeits it."""

    fixed_return: str
    fixed_return_percent: str
    meters: dict[str, MeterOut]
    house_edge: str
    house_edge_percent: str
    says: str


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
    beside_ante: BesideAnteOut | None = None
    long_run: LongRunOut | None = None
    deals: str = ""
    outcomes: list[OutcomeOut] = []
    distribution: list[NetOut] = []
    strategy: StrategyOut | None = None
    notes: list[str] = []
    #: what comes back of one unit wagered, at the meters shown
    return_to_player: str = ""
    return_to_player_percent: str = ""
    #: in how many of the deals none of the outcomes comes and the wager is lost
    lost: str = ""
    volatility: VolatilityOut | None = None
    #: what else the figures depend on, where the game has more to choose than the columns above
    columns: dict[str, str | int | bool] = {}


class CovarianceOut(msgspec.Struct, frozen=True):
    """How two wagers move together."""

    wagers: list[str]
    covariance: str
    correlation: str


class TogetherOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """Wagers of one seat, one unit on each, or under a payout limit at these stakes."""

    wagers: dict[str, str]
    house_edge: str
    house_edge_percent: str
    variance: str
    standard_deviation: str
    if_independent: str
    covariances: list[CovarianceOut]
    leaves_out: list[str]
    says: str
    #: where a payout limit counts all of them together; deviations are then in dollars
    stakes: dict[str, str] = {}


class PlayedOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a round brings when it is played so; amounts in dollars."""

    says: str
    expected_loss: str
    expected_loss_dollars: str
    #: of all that is wagered before the deal
    house_edge: str
    house_edge_percent: str
    standard_deviation: str
    #: the edge of each wager, per unit of its own stake
    wagers: dict[str, str] = {}
    strategy: StrategyOut | None = None


class StakesOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """Wagers at these stakes, played each by its own best strategy and all of them jointly."""

    stakes: dict[str, str]
    wagered: str
    separately: PlayedOut
    jointly: PlayedOut | None = None
    #: what playing jointly gains a round, in dollars, and of what each stake that it concerns
    gain: str = ""
    gain_dollars: str = ""
    gain_percent: dict[str, str] = {}
    notes: list[str] = []


class SheetOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """`par --json`."""

    chapter: str
    wagers: list[WagerOut]
    edition: str = ""
    rules: dict[str, Any] = {}
    together: TogetherOut | None = None
    #: wagers at chosen stakes, with `--stakes`
    at_stakes: StakesOut | None = None
    #: how options that are no column enter the figures
    options: dict[str, str] = {}
    hold_says: str = ""
    #: how many entries a second program has recomputed, with a hash of what it checked
    checked: str = ""


class Outcome(msgspec.Struct, frozen=True, dict=True):
    """One outcome of a wager: what it pays, and in how many deals."""

    outcome: str
    pays: str
    ways: int
    net: Fraction | None = None
    clause: str = ""
    hand: str = ""
    #: where there is no one net result: its mean, of a meter at what it shows
    shown: Fraction | None = None
    #: paid for another player's hand: `ways` counts awards, and the wager itself is settled apart
    envy: bool = False

    @property
    def back(self) -> Fraction | None:
        """What comes back of one unit wagered when this happens; None where that is not known."""
        net = self.net if self.net is not None else self.shown
        return net if net is None or self.envy else net + 1


def lost(outcomes: Sequence[Outcome], deals: int) -> int:
    """In how many deals none of the outcomes comes: the wager is lost."""
    return deals - sum(one.ways for one in outcomes if not one.envy)


class Entry(msgspec.Struct, frozen=True, dict=True):
    """One wager with one paytable, exact.

    `columns` are what else the figures depend on: `players`, `stake`, `decks`, `ante_bonus`,
    `bad_beat`. A progressive has no `spread` of its own: its figures depend on its meters.
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

    @property
    def house_edge(self) -> Fraction:
        """The exact edge per unit staked; that of a progressive depends on its meters."""
        if self.spread is None:
            raise Refused("no_edge", f"the edge of {self.wager} depends on what its meters show")
        return self.spread.edge

    @property
    def shown_spread(self) -> Spread:
        """Net results of the wager; of a progressive at the meters shown."""
        if self.spread is not None:
            return self.spread
        assert self.progressive is not None
        return self.progressive.spread

    @cached_property
    def edge(self) -> Fraction:
        """The house edge; of a progressive at the meters shown."""
        if self.spread is not None:
            return self.spread.edge
        assert self.progressive is not None
        return self.progressive.wager.edge(self.progressive.meters)

    @cached_property
    def varies(self) -> bool:
        """Whether there is a hold to tell: not where the spread leaves envy out, or never varies."""
        return self.shown_spread.edge == self.edge and self.shown_spread.variance > 0

    def out(self, *, hold: Sequence[Interval] = (), brief: bool = False) -> WagerOut:
        """As JSON has it, with its hold over many rounds where that is given.

        `brief` leaves out outcomes, distribution and volatility, which take longest.
        """
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
                    "" if one.back is None else exact(Fraction(one.ways, self.deals) * one.back),
                    one_in(Fraction(one.ways, self.deals)),
                    one.envy,
                )
                for one in (() if brief else self.outcomes)
            ],
            "strategy": self.strategy,
            "notes": list(self.notes),
            "return_to_player": exact(1 - self.edge),
            "return_to_player_percent": percent(1 - self.edge),
            "lost": str(lost(self.outcomes, self.deals)) if self.deals else "",
            "volatility": None
            if brief
            else volatility(self.shown_spread, self.outcomes, self.deals, hold),
        }
        if self.spread is not None:
            shown |= _figures(self.spread, grows=self.strategy is not None, brief=brief)
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
        parts.append(spoken(cents(entry.stake)))
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


def _figures(spread: Spread, *, grows: bool, brief: bool = False) -> dict[str, Any]:
    """The figures of a wager; one that its player may add to is measured by all he stakes too."""
    found: dict[str, Any] = {
        "house_edge": exact(spread.edge),
        "house_edge_percent": percent(spread.edge),
        "hit_frequency": exact(spread.hit_frequency),
        "variance": exact(spread.variance),
        "standard_deviation": root(spread.variance),
        "distribution": []
        if brief
        else [NetOut(exact(net), exact(chance)) for net, chance in spread.distribution],
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
    #: the same wager beside an ante whose fold forfeits it
    beside: Progressive | None = None

    @cached_property
    def spread(self) -> Spread:
        """Net results at the meters shown, with the envy of others where that is counted."""
        return self.wager.spread_with_envy(self.meters)

    def out(self) -> dict[str, Any]:
        """What an entry's JSON has of it."""
        return dict(self._out)

    @cached_property
    def _out(self) -> dict[str, Any]:
        one, spread = self.wager, self.spread
        first = next(iter(one.hits), None)
        found: dict[str, Any] = {
            "fixed_return": exact(one.fixed_return),
            "fixed_return_percent": percent(one.fixed_return),
            "hit_frequency": exact(spread.hit_frequency),
            "meters": self._meters(one),
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
        if self.beside is not None:
            edge = self.beside.edge(self.meters)
            found["beside_ante"] = BesideAnteOut(
                exact(self.beside.fixed_return),
                percent(self.beside.fixed_return),
                self._meters(self.beside),
                exact(edge),
                percent(edge),
                "beside an ante that is folded by its best strategy: a fold forfeits the wager and "
                "keeps the envy bonus; house edge at the meters shown",
            )
        return found

    def _meters(self, one: Progressive) -> dict[str, MeterOut]:
        return {name: self._meter(one, name) for name in one.hits}

    def _meter(self, one: Progressive, name: str) -> MeterOut:
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
            "" if one.edge({**self.meters, name: 0}) >= 0 else MORE_THAN_IT_TAKES,
        )


#: said of a break-even where there is none
MORE_THAN_IT_TAKES = "pays more than it takes at any amount"


class Sheet(msgspec.Struct, ShownAsPage, HasFigures, frozen=True, dict=True):
    """Every wager of a chapter, or of the rules that were chosen."""

    chapter: Chapter
    rules: Rules | None
    entries: Sequence[Entry]
    together: Together | None = None
    together_tables: Mapping[str, str] = msgspec.field(default_factory=dict)
    left_out: Sequence[str] = ()
    at_stakes: JointPlay | None = None

    def find(self, wager: str, paytable: str | None = None, **columns: Any) -> Entry:
        """The first entry of a wager: `sheet.find("pair_plus", "A")`."""
        for entry in self.entries:
            if (
                entry.wager == wager
                and paytable in (None, entry.paytable)
                and all(entry.columns.get(name) == value for name, value in columns.items())
            ):
                return entry
        known = ", ".join(dict.fromkeys(f"{one.wager} {one.paytable}" for one in self.entries))
        asked = " ".join(filter(None, (wager, paytable)))
        raise Refused("no_such_entry", f"this sheet has no {asked}; it has {known}")

    def out(
        self, *, confidence: bool = False, rounds: Sequence[int] = (), brief: bool = False
    ) -> SheetOut:
        from houseway.maths.checked import statement
        from houseway.maths.option_notes import option_notes

        hold = self.holds(rounds or ROUNDS) if confidence else [[] for _ in self.entries]
        return SheetOut(
            self.chapter.id,
            [
                entry.out(hold=found, brief=brief)
                for entry, found in zip(self.entries, hold, strict=True)
            ],
            self.chapter.about.edition,
            self.rules.as_file() if self.rules is not None else {},
            self._together() if self.together is not None else None,
            self.at_stakes.out() if self.at_stakes is not None else None,
            option_notes(self.chapter),
            HOLD,
            statement(self, hold),
        )

    def holds(self, rounds: Sequence[int] = ROUNDS) -> list[list[Interval]]:
        """For each entry the intervals of its hold over these numbers of rounds; none if it has
        none.
        """
        from houseway.maths.confidence import holds

        found = iter(holds([one.shown_spread for one in self.entries if one.varies], rounds))
        return [next(found) if one.varies else [] for one in self.entries]

    def only(self, wager: str) -> Sheet:
        """The entries of one wager alone."""
        from houseway.maths.par import entry_of, wager_id

        wager = wager_id(self.chapter, wager)
        name = entry_of(self.chapter, wager)
        kept = [entry for entry in self.entries if entry.wager in (wager, name)]
        if not kept:
            there = dict.fromkeys(entry.wager for entry in self.entries)
            raise Refused(
                "no_such_wager",
                f"there is no wager {wager} here",
                remedy=choose_from(wager, there),
                field="wager",
            )
        return msgspec.structs.replace(self, entries=kept, together=None)

    def with_paytable(self, paytable: str) -> Sheet:
        """The entries with one paytable alone."""
        tables = {entry.paytable.lower(): entry.paytable for entry in self.entries}
        name = tables.get(paytable.lower(), paytable)
        kept = [entry for entry in self.entries if entry.paytable == name]
        if not kept:
            raise Refused(
                "no_such_paytable",
                f"there is no paytable {paytable} here",
                remedy=choose_from(paytable, tables.values()),
                field="paytable",
            )
        return msgspec.structs.replace(self, entries=kept, together=None)

    def _together(self) -> TogetherOut:
        whole = self.together
        assert whole is not None
        limit = self.rules.options.get("payout_limit") if self.rules is not None else None
        says = (
            f"At these stakes, cut by the payout limit of {spoken(int(limit or 0))} in the order of "
            "settlement; the deviation is that of the total result in dollars, covariances are in "
            "units of the stakes"
            if whole.stakes
            else "One unit on each wager; the deviation is that of the total net result"
        )
        return TogetherOut(
            dict(self.together_tables),
            exact(whole.edge),
            percent(whole.edge),
            exact(whole.variance),
            root(whole.variance),
            root(whole.if_independent),
            [
                CovarianceOut(list(pair), exact(value), _correlation(whole, pair, value))
                for pair, value in whole.covariances.items()
            ],
            list(self.left_out),
            f"{says}, the edge a share of everything wagered before the deal. The ante is played by its own "
            "best strategy.",
            {name: dollars(stake) for name, stake in whole.stakes.items()},
        )


def _correlation(whole: Together, pair: tuple[str, str], value: Fraction) -> str:
    square = value * value / (whole.variances[pair[0]] * whole.variances[pair[1]])
    return ("-" if value < 0 else "") + root(square)
