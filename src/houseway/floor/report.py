"""The report of a gaming day: what each table and wager held, beside what it should hold.

For each wager the exact edge and variance of the rules that were played give what the house was to
win and how far chance may take it: expectation and standard deviation in cents over the stakes that
were made. A table outside three standard deviations stands out. The edge is that of the best play:
people play worse, so a little more than expected is usual.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Any, NamedTuple

import msgspec

from houseway.floor.projections import Projections
from houseway.law import RulesFile, choose
from houseway.law import chapter as law_of
from houseway.refusal import Refused

#: beyond so many standard deviations a wager stands out; chance does that once in 370 times
UNUSUAL = 3


class Exact(NamedTuple):
    """What one unit wagered brings the house, and its variance."""

    edge: Fraction
    variance: Fraction


class WagerReport(msgspec.Struct, frozen=True, omit_defaults=True):
    """One wager over a period. Amounts in cents; the interval is 95% of what chance gives."""

    table: str
    wager: str
    rounds: int
    wagered: int
    win: int
    hold_percent: str
    expected: str = ""
    expected_percent: str = ""
    low: str = ""
    high: str = ""
    deviations: str = ""
    unusual: bool = False


class TableReport(msgspec.Struct, frozen=True):
    """A table over a period: chips sold for cash, fills, credits, the house's win."""

    table: str
    rounds: int
    drop: int
    fills: int
    credits: int
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
    return {
        "day": day,
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
        TableReport(
            name,
            found.get(name, (0, 0))[0],
            sums.get(name, {}).get("drop", 0),
            sums.get(name, {}).get("fill", 0),
            sums.get(name, {}).get("credit", 0),
            found.get(name, (0, 0))[1],
            _percent(found.get(name, (0, 0))[1], sums.get(name, {}).get("drop", 0)),
        )
        for name in sorted({*sums, *found})
    ]


def _wagers(
    projections: Projections, first: str, last: str, table: str | None
) -> list[WagerReport]:
    only, values = ('and "table" = ?', [table]) if table else ("", [])
    sums: dict[tuple[str, str], dict[str, Any]] = {}
    for row in projections.rows(
        f"""select "table", wager, h.rules, chapter, edition, file, sum(rounds) as rounds,
        sum(wagered) as wagered, sum(base) as base, sum(squares) as squares, sum(win) as win
        from holds h join rules on rules.hash = h.rules where day between ? and ? {only}
        group by "table", wager, h.rules""",
        first, last, *values,
    ):  # fmt: skip
        key = row["table"], row["wager"]
        into = sums.setdefault(
            key,
            {"rounds": 0, "wagered": 0, "win": 0, "expected": Fraction(0), "variance": Fraction(0)},
        )
        for name in ("rounds", "wagered", "win"):
            into[name] += row[name]
        exact = figures(row["chapter"], row["edition"], row["file"]).get(row["wager"])
        if exact is None or into["expected"] is None:
            into["expected"] = None
        else:
            into["expected"] += exact.edge * row["base"]
            into["variance"] += exact.variance * row["squares"]
    return [_line(table, wager, total) for (table, wager), total in sorted(sums.items())]


def _line(table: str, wager: str, total: dict[str, Any]) -> WagerReport:
    rounds, wagered, win = total["rounds"], total["wagered"], total["win"]
    hold = _percent(win, wagered)
    if total["expected"] is None:
        return WagerReport(table, wager, rounds, wagered, win, hold)
    expected: Fraction = total["expected"]
    # square roots are for people's eyes: the only floats here
    spread = sqrt(total["variance"])
    off = float(win - expected) / spread if spread else 0.0
    return WagerReport(
        table, wager, rounds, wagered, win, hold,
        expected=str(expected),
        expected_percent=_percent(expected, wagered),
        low=f"{float(expected) - 1.96 * spread:.0f}",
        high=f"{float(expected) + 1.96 * spread:.0f}",
        deviations=f"{off:+.2f}",
        unusual=abs(off) > UNUSUAL,
    )  # fmt: skip


def _percent(part: int | Fraction, whole: int) -> str:
    return f"{float(100 * Fraction(part) / whole):.2f}" if whole else ""


@lru_cache(maxsize=64)
def figures(chapter: str, edition: str, file: str) -> dict[str, Exact]:
    """The exact figures of each wager under recorded rules, by the names of the projections.

    Where the edge depends on more than the rules, as Cover All's does on the number of players, and
    where a meter pays, there is no one figure, and none is given.
    """
    from houseway.maths.par import Asked, entries_of, wager_ids

    given = msgspec.json.decode(file, type=RulesFile)
    law = law_of(chapter, edition)
    rules = choose(
        law, given.rules, limits=given.limits, meters=given.meters, paytables=given.paytables
    )
    found: dict[str, list[Exact]] = {}
    for wager in wager_ids(law):
        for entry in entries_of(Asked(law, rules), wager):
            out = entry.out()
            if out.house_edge and out.variance and out.players is None and not out.meters:
                exact = Exact(Fraction(out.house_edge), Fraction(out.variance))
                found.setdefault(out.wager, []).append(exact)
    return {name: every[0] for name, every in found.items() if len(every) == 1}
