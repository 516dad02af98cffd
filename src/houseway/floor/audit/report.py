"""The report of a gaming day: what each table and wager held, beside what it should hold.

For each wager the exact edge and variance of the rules that were played give what the house was to
win and how far chance may take it: expectation and standard deviation in cents over the wagers that
were made. Seats that meet the same cards are correlated, and their
covariance is counted. A table outside three standard deviations is flagged.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import msgspec

from houseway.errors import Refused
from houseway.floor.audit.expected_hold import Exact, Played, exact
from houseway.floor.audit.projections import Projections
from houseway.floor.gaming_day import gaming_day
from houseway.law import chapter, chapters
from houseway.maths.par import wager_name

#: what the figures are measured by, for whoever reads the report
SAYS = (
    "Exact figures assume the best play; people play worse, so a somewhat higher hold is normal. "
    "Progressives are computed with the meters as they stood when the wagers were taken in, and what "
    "meters paid counts as paid. Intervals use the normal distribution, which sums of many wagers "
    "approach. A wager beyond three standard deviations is marked: chance alone does that once in 370 "
    "times, and more often where a rare hand pays most. The odds beside the mark assume no "
    "distribution."
)
#: a wager stands out beyond this number of standard deviations
UNUSUAL = 3


class WagerReport(msgspec.Struct, frozen=True, omit_defaults=True):
    """One wager over a period. Amounts in cents; the interval is 95% of what chance gives.

    Hold, expectation and deviation count everything that players wagered and were paid.
    """

    table: str
    wager: str
    rounds: int
    wagered: int
    #: the house's; what meters paid is not in it, and is counted as paid in the hold
    win: int
    from_meters: int
    hold_percent: str
    expected: str = ""
    expected_percent: str = ""
    low: str = ""
    high: str = ""
    deviations: str = ""
    unusual: bool = False
    #: if it stands out: chance takes it this far at most once in this many times, by Cantelli's
    #: inequality, which asks for nothing but the variance
    at_most_once_in: int = 0
    #: the wager as people know it
    name: str = ""


class TableReport(msgspec.Struct, frozen=True):
    """A table over a period, in cents: chips sold for cash, fills, credits, the house's win.

    The win includes corrections of payments; `difference` is what counts of the tray found above
    or below the record, and is in no other figure.
    """

    table: str
    rounds: int
    drop: int
    fills: int
    credits: int
    corrections: int
    difference: int
    win: int
    hold_percent: str


def periods(day: str) -> dict[str, tuple[str, str]]:
    """The day, the month and the year up to it."""
    return {"today": (day, day), "month": (day[:8] + "01", day), "year": (day[:5] + "01-01", day)}


def last_day(projections: Projections) -> str:
    (row,) = projections.rows("select max(day) as day from rounds")
    if row["day"] is None:
        raise Refused("no_rounds", "no round has been played on this record")
    return str(row["day"])


def report(projections: Projections, day: str, table: str | None = None) -> dict[str, Any]:
    """Day, month and year to date."""
    day = gaming_day(day)
    if table is not None and not projections.rows(
        'select 1 from rounds where "table" = ? union all select 1 from inventory'
        ' where "table" = ? limit 1',
        table,
        table,
    ):
        raise Refused("no_such_table", f"table {table} is not on this record", field="table")
    return {
        "day": day,
        "says": SAYS,
        **{
            name: {
                "from": first,
                "to": last,
                "tables": _tables(projections, first, last, table),
                "wagers": _wagers(projections, first, last, table),
            }
            for name, (first, last) in periods(day).items()
        },
    }


def _tables(
    projections: Projections, first: str, last: str, table: str | None
) -> list[TableReport]:
    only, values = ('and "table" = ?', [table]) if table else ("", [])
    sums: dict[str, dict[str, int]] = {}
    for row in projections.rows(
        f'select "table", what, sum(cents) as cents from inventory where day between ? and ? {only}'
        ' group by "table", what',
        first, last, *values,
    ):  # fmt: skip
        sums.setdefault(row["table"], {})[row["what"]] = row["cents"]
    played = projections.rows(
        f'select "table", count(*) as rounds, sum(win) as win from rounds'
        f' where day between ? and ? {only} group by "table"',
        first, last, *values,
    )  # fmt: skip
    found = {row["table"]: (row["rounds"], row["win"]) for row in played}
    return [
        _table(name, *found.get(name, (0, 0)), sums.get(name, {}))
        for name in sorted({*sums, *found})
    ]


def _table(name: str, rounds: int, settled: int, sums: dict[str, int]) -> TableReport:
    drop, corrections = sums.get("drop", 0), sums.get("correction", 0)
    win = settled + corrections
    return TableReport(
        name, rounds, drop, sums.get("fill", 0), sums.get("credit", 0), corrections,
        sums.get("difference", 0), win, _percent(win, drop),
    )  # fmt: skip


class _Sum:
    """The result of a wager over a period, and its expectation."""

    def __init__(self) -> None:
        self.rounds = self.wagered = self.win = self.from_meter = 0
        self.chapter = ""
        self.known = True
        self.expected = self.variance = Fraction(0)

    def add(self, row: dict[str, Any]) -> None:
        self.chapter = row["chapter"]
        self.rounds += row["rounds"]
        self.wagered += row["wagered"]
        self.win += row["win"]
        self.from_meter += row["from_meter"]
        found = exact(_played(row)) if row["base"] else Exact(Fraction(0), Fraction(0))
        if found is None:
            self.known = False
            return
        self.expected += found.edge * row["base"]
        self.variance += found.variance * row["squares"] + found.covariance * row["pairs"]

    def meter(self, row: dict[str, Any]) -> None:
        found = exact(_played(row))
        if found is None:
            return
        if row["what"] == "mean":
            self.expected += found.meters[row["meter"]] * int(row["amount"])
        else:
            self.variance += found.spread[row["meter"], row["other"]] * int(row["amount"])


def _played(row: dict[str, Any]) -> Played:
    return Played(
        row["chapter"], row["edition"], row["file"], row["wager"], row["stake"], row["others"],
        bool(row["ante"]), row["edition_hash"],
    )  # fmt: skip


_TERMS = '"table", wager, h.rules, chapter, edition, file, edition_hash, stake, others, ante'


def _wagers(
    projections: Projections, first: str, last: str, table: str | None
) -> list[WagerReport]:
    only, values = ('and "table" = ?', [table]) if table else ("", [])
    sums: dict[tuple[str, str], _Sum] = {}
    of = "join rules on rules.hash = h.rules where day between ? and ?"
    for row in projections.rows(
        f"""select {_TERMS}, sum(rounds) as rounds, sum(wagered) as wagered, sum(base) as base,
        sum(squares) as squares, sum(pairs) as pairs, sum(win) as win, sum(from_meter) as from_meter
        from holds h {of} {only} group by {_TERMS}""",
        first, last, *values,
    ):  # fmt: skip
        sums.setdefault((row["table"], row["wager"]), _Sum()).add(row)
    for row in projections.rows(
        f"select {_TERMS}, what, meter, other, amount from meter_sums h {of} {only}",
        first, last, *values,
    ):  # fmt: skip
        sums[row["table"], row["wager"]].meter(row)
    return [_line(table, wager, total) for (table, wager), total in sorted(sums.items())]


def _line(table: str, wager: str, total: _Sum) -> WagerReport:
    held = total.win - total.from_meter
    seen = (total.rounds, total.wagered, total.win, total.from_meter, _percent(held, total.wagered))
    if not total.known or not total.rounds:
        return WagerReport(table, wager, *seen, name=_name(total.chapter, wager))
    # square roots are for people's eyes: the only floats here
    expected, spread = total.expected, sqrt(total.variance)
    off = float(held - expected) / spread if spread else 0.0
    return WagerReport(
        table, wager, *seen,
        name=_name(total.chapter, wager),
        expected=str(expected),
        expected_percent=_percent(expected, total.wagered),
        low=f"{float(expected) - 1.96 * spread:.0f}",
        high=f"{float(expected) + 1.96 * spread:.0f}",
        deviations=f"{off:+.2f}",
        unusual=abs(off) > UNUSUAL,
        at_most_once_in=seldom(held - expected, total.variance) if abs(off) > UNUSUAL else 0,
    )  # fmt: skip


def _name(chapter_id: str, wager: str) -> str:
    if chapter_id not in chapters():
        return wager.replace("_", " ").capitalize()
    return wager_name(chapter(chapter_id), wager)


def seldom(off: Fraction, variance: Fraction) -> int:
    """The bound on how rarely chance goes this far to one side: once in so many times (Cantelli)."""
    return int(1 + off**2 / variance)


def _percent(part: int | Fraction, whole: int) -> str:
    return f"{float(100 * Fraction(part) / whole):.2f}" if whole else ""
