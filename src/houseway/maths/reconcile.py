"""The holds that agencies published beside the exact ones, and what would explain a difference.

A hold is printed for a wager as one figure or as the lowest and highest over its paytables. Where
the text does not give those figures, changes are tried, one at a time and then in twos: a payout of
any table that bears on the wager raised or lowered, or a switch that the chapter declares (another
settlement, another reading). A change explains when every figure published for the wager comes out
to its last digit. The search knows the chapter's data and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import ceil, floor

from houseway.errors import Refused
from houseway.law import Chapter, choose
from houseway.law.chapter import Hold, Wager
from houseway.law.switches import Switch
from houseway.maths.figures import decimal
from houseway.maths.game import MATHS
from houseway.maths.par import Asked, base_wager, entries_of, entry_of
from houseway.money import odds
from houseway.shown import HasFigures, ShownAsPage

#: How far a payout is moved when two are moved at once.
REACH = 10


@dataclass(frozen=True)
class Payout:
    """One printed payout with another number in it."""

    wager: str
    table: str
    hand: str
    was: str
    becomes: str
    clause: str

    @property
    def size(self) -> tuple[int, Fraction]:
        """A switch is one step; a payout is as many as its odds move, and one at least."""
        return 1, abs(odds(self.becomes).value - odds(self.was).value)

    def __str__(self) -> str:
        table = "" if self.table == "standard" else f" table {self.table}"
        hand = self.hand.replace("_", " ")
        return f"{self.wager}{table}, {hand}: {self.becomes} instead of {self.was} [{self.clause}]"


@dataclass(frozen=True)
class Switched:
    """A declared switch, thrown."""

    switch: Switch

    @property
    def size(self) -> tuple[int, Fraction]:
        return 1, Fraction(0)

    def __str__(self) -> str:
        return f"{self.switch.instead} [{self.switch.clause}]"


Change = Payout | Switched


@dataclass(frozen=True)
class Finding(ShownAsPage, HasFigures):
    """A published hold beside the exact one."""

    chapter: Chapter
    hold: Hold
    #: the edge of each paytable, or of whatever else the wager's figures depend on
    edges: tuple[tuple[str, Fraction], ...]
    agrees: bool
    #: what would explain the difference, the smallest first; each is one or two changes
    explanations: tuple[tuple[Change, ...], ...] = ()
    searched: int = 0

    @cached_property
    def low(self) -> Fraction:
        return min(edge for _, edge in self.edges)

    @cached_property
    def high(self) -> Fraction:
        return max(edge for _, edge in self.edges)


def _places(figure: str) -> int:
    """How many decimals a percentage was printed with."""
    return len(figure.removesuffix("%").partition(".")[2])


def printed(edge: Fraction, like: str) -> str:
    """An edge as it would be printed with as many digits as `like`."""
    return decimal(edge * 100, _places(like))


def _same(edge: Fraction, figure: str) -> bool:
    return Fraction(printed(edge, figure)) == Fraction(figure.removesuffix("%"))


def agrees(hold: Hold, edges: Iterable[Fraction]) -> bool:
    """Whether the lowest and the highest edge are the figures that were printed."""
    found = list(edges)
    return _same(min(found), hold.low) and _same(max(found), hold.high)


def edges_of(
    law: Chapter, wager: Wager, switches: Sequence[Switch] = ()
) -> list[tuple[str, Fraction]]:
    """The edge of a wager under each of its paytables, with other numbers and options.

    Read off the paytables where they alone decide it, else from the entries of a PAR sheet.
    """
    law = with_facts(law, switches)
    options = {name: value for switch in switches for name, value in switch.options.items()}
    asked = Asked(law, choose(law, options) if options else None)
    read = MATHS.of(law).edge_reader(law, wager.id) if not options else None
    if read is not None:
        return [(table.id, read(table)) for table in asked.tables(wager.id)]
    found = entries_of(asked, wager.id)
    return [(_label(e.paytable, e.columns), e.spread.edge) for e in found if e.spread]


def with_facts(law: Chapter, switches: Sequence[Switch]) -> Chapter:
    """The chapter with the numbers that these switches change."""
    facts = {name: value for switch in switches for name, value in switch.facts.items()}
    return law.amended(facts=facts) if facts else law


def _label(paytable: str, columns: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in columns.items()) or paytable


def _payouts(law: Chapter, name: str) -> list[tuple[str, str, str, str, str]]:
    """Every printed payout that bears on an entry: wager, table, hand, odds, clause."""
    return [
        (data.wager, data.id, row.hand, row.pays, row.clause or data.clause)
        for data in law.paytable_data
        if entry_of(law, data.wager) == name
        for row in data.rows
        if odds(row.pays).kind in ("to", "for")
    ]


class _Search:
    """The search for what explains one hold."""

    def __init__(self, law: Chapter, hold: Hold) -> None:
        self.law, self.hold = law, hold
        self.tried = 0
        self.switches = [switch for switch in law.switches if switch.wager == hold.wager]
        self.payouts = _payouts(law, hold.wager)

    def edges(self, changes: Sequence[Change]) -> list[Fraction]:
        self.tried += 1
        moved = {
            (one.wager, one.table, one.hand): one.becomes
            for one in changes
            if isinstance(one, Payout)
        }
        law = self.law.amended(moved) if moved else self.law
        thrown = [one.switch for one in changes if isinstance(one, Switched)]
        return [edge for _, edge in edges(law, self.hold.wager, thrown)]

    def explains(self, changes: Sequence[Change]) -> bool:
        return agrees(self.hold, self.edges(changes))

    def ones(self, beside: Sequence[Change] = ()) -> Iterator[tuple[Change, ...]]:
        """One more change that explains, beside what is changed already."""
        for switch in self.switches:
            thrown = Switched(switch)
            if thrown not in beside and self.explains([*beside, thrown]):
                yield (*beside, thrown)
        for cell in self.payouts:
            if any(isinstance(one, Payout) and _cell(one) == cell[:3] for one in beside):
                continue
            for payout in self._solved(cell, beside):
                yield (*beside, payout)

    def _solved(
        self, cell: tuple[str, str, str, str, str], beside: Sequence[Change]
    ) -> Iterator[Payout]:
        """The nearest number for a payout that explains, if any does.

        An edge falls evenly as a payout grows (as long as the strategy stays), so two readings say
        where the published figures would be met; what is proposed is then tried exactly.
        """
        wager, table, hand, was, clause = cell
        value = odds(was).value
        unit = Fraction(1, value.denominator)

        def moved(steps: int) -> Payout:
            top = value.numerator + steps
            word = was.split()[1]
            return Payout(wager, table, hand, was, f"{top} {word} {value.denominator}", clause)

        now, next_up = self.edges(beside), self.edges([*beside, moved(1)])
        proposed: set[int] = set()
        for before, after in zip(now, next_up, strict=True):
            slope = (after - before) / unit
            if slope == 0:
                continue
            for figure in (self.hold.low, self.hold.high):
                aim = Fraction(figure.removesuffix("%")) / 100
                half = Fraction(1, 2 * 10 ** (_places(figure) + 2))
                ends = sorted((edge - before) / slope / unit for edge in (aim - half, aim + half))
                # where this table meets the figure, nearest to what is printed; and just beyond,
                # where it stands back so that another table meets it
                proposed.add(max(ceil(ends[0]), min(floor(ends[1]), 0)))
                proposed |= {near(end) for end in ends for near in (floor, ceil)}
        least = 0 if was.split()[1] == "to" else 1
        for steps in sorted(proposed - {0}, key=abs):
            if value.numerator + steps >= least and self.explains([*beside, moved(steps)]):
                yield moved(steps)
                return

    def twos(self) -> Iterator[tuple[Change, ...]]:
        """Two changes that explain together."""
        thrown = [Switched(switch) for switch in self.switches]
        for pair in combinations(thrown, 2):
            if self.explains(pair):
                yield pair
        for one in thrown:
            for found in self.ones([one]):
                if isinstance(found[-1], Payout):
                    yield found
        for place, cell in enumerate(self.payouts):
            wager, table, hand, was, clause = cell
            value = odds(was).value
            for steps in sorted((s for s in range(-REACH, REACH + 1) if s), key=abs):
                top = value.numerator + steps
                if top < 0:
                    continue
                becomes = f"{top} {was.split()[1]} {value.denominator}"
                first = Payout(wager, table, hand, was, becomes, clause)
                for other in self.payouts[place + 1 :]:
                    for second in self._solved(other, [first]):
                        yield first, second


def _cell(one: Payout) -> tuple[str, str, str]:
    return one.wager, one.table, one.hand


def _order(changes: tuple[Change, ...]) -> tuple[int, Fraction, str]:
    return (
        sum(one.size[0] for one in changes),
        sum((one.size[1] for one in changes), Fraction(0)),
        str(changes[0]),
    )


def reconcile(law: Chapter) -> list[Finding]:
    """Every hold that the agency published for a chapter, beside the exact one."""
    return [MATHS.of(law).finding(law, hold) for hold in law.about.holds]


def edges(law: Chapter, name: str, switches: Sequence[Switch] = ()) -> list[tuple[str, Fraction]]:
    """The edge of a wager under each of its paytables, with these switches thrown."""
    wager = base_wager(law, name)
    if wager is None:
        raise Refused("no_such_wager", f"{law.id} has no wager {name}", field="wager")
    return MATHS.of(law).edges(law, wager, switches)


def compare(law: Chapter, hold: Hold) -> Finding:
    """One hold beside the exact one, and what explains a difference."""
    found = tuple(edges(law, hold.wager))
    if agrees(hold, (edge for _, edge in found)):
        return Finding(law, hold, found, agrees=True)
    search = _Search(law, hold)
    explained = sorted(search.ones(), key=_order) or sorted(search.twos(), key=_order)
    return Finding(law, hold, found, False, tuple(explained), search.tried)
