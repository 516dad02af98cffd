"""Values as a notebook shows them: pages, pictures, and tables of figures for Arrow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import singledispatch
from html import escape
from typing import Any

import msgspec

from houseway.documents.charts import picture_svg
from houseway.drawing import draw
from houseway.errors import Refused, choose_from
from houseway.game_api.round import Round, Settlement
from houseway.game_api.settle import settle
from houseway.law import Chapter, Paytable, Rules, chapter
from houseway.maths.par import wager_name
from houseway.maths.reconcile import Finding
from houseway.maths.sheet import Sheet, WagerOut, column_text
from houseway.maths.strategy_view import Removal, StrategyView
from houseway.money import dollars, spoken
from houseway.present import Viewer, round_view, table_view
from houseway.simulate import Simulation
from houseway.table import Table, rules_of

Cell = str | int | float | None


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]], caption: str = "") -> str:
    """A table; a column whose name begins with `>` is of numbers."""
    sides = ["right" if name.startswith(">") else "left" for name in columns]
    head = "".join(
        f'<th style="text-align:{side}">{escape(name.removeprefix(">"))}</th>'
        for name, side in zip(columns, sides, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<td style="text-align:{side}">{escape(str(cell))}</td>'
            for cell, side in zip(row, sides, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


# pages


@singledispatch
def html(value: Any) -> str:
    """A value as HTML."""
    raise TypeError(f"{type(value).__name__} has no page")


@html.register
def _(law: Chapter) -> str:
    about = law.about
    rows = [
        (one.name, one.id, one.made.replace("_", " "), one.clause) for one in law.wagers.values()
    ]
    caption = f"{about.game}, {about.jurisdiction} ({about.citation}, edition {about.edition})"
    return _table(("wager", "id", "made", "clause"), rows, caption)


@html.register
def _(settled: Settlement) -> str:
    rows = [
        (seat.seat, line.wager.replace("_", " ").capitalize(), line.result, line.odds or "",
         f"${dollars(line.stake)}", f"${dollars(line.paid)}", line.clause)
        for seat in settled.seats
        for line in seat.lines
    ]  # fmt: skip
    nets = ", ".join(f"seat {seat.seat} {_signed(seat.net)}" for seat in settled.seats)
    columns = (">seat", "wager", "result", "odds", ">stake", ">paid", "clause")
    return _table(columns, rows) + f"<p>{escape(nets)}; the house {_signed(settled.house)}</p>"


def _signed(cents: int) -> str:
    return f"+{spoken(cents)}" if cents > 0 else spoken(cents)


@html.register
def _(sheet: Sheet) -> str:
    about = sheet.chapter.about
    rows = [
        (wager_name(sheet.chapter, one.wager), one.paytable, column_text(one),
         _percent(one.house_edge or (one.at.house_edge if one.at else "")),
         one.standard_deviation or (one.at.standard_deviation if one.at else ""),
         _percent(one.hit_frequency))
        for one in sheet.out().wagers
    ]  # fmt: skip
    columns = ("wager", "paytable", "for", ">house edge", ">standard deviation", ">hit frequency")
    return _table(columns, rows, f"PAR sheet: {about.game}, {about.jurisdiction}")


def _percent(fraction: str) -> str:
    return f"{float(Fraction(fraction)):.4%}" if fraction else ""


@html.register
def _(view: StrategyView) -> str:
    said = "".join(f"<p>{escape(text.strip())}</p>" for text, _ in view.remarks)
    return f"<p>{escape(view.strategy.says)}</p>{picture_svg(view.picture)}{said}"


@html.register
def _(run: Simulation) -> str:
    law = chapter(run["chapter"])
    rows = [
        (one["seat"], wager_name(law, one["wager"]), one["mean"], one["low"], one["high"],
         one["exact_decimal"] or "", one["verdict"])
        for one in run["wagers"]
    ]  # fmt: skip
    columns = (">seat", "wager", ">mean", ">low", ">high", ">exact", "verdict")
    caption = f"{run['rounds']:,} rounds of {law.about.game}, {run['confidence']} intervals"
    return _table(columns, rows, caption) + _chart(run)


def _chart(run: Simulation) -> str:
    """The estimates beside the exact figures; nothing where the library that draws is missing."""
    from houseway.simulate.results.charts import Estimate, estimates_svg

    law = chapter(run["chapter"])
    rows = [
        Estimate(
            wager_name(law, one["wager"])
            + (f", seat {one['seat']}" if run["positions"] > 1 else ""),
            float(one["mean"]),
            float(one["standard_error"]),
            _fraction(one["exact"]),
            one["verdict"],
        )
        for one in run["wagers"]
    ]
    try:
        return estimates_svg(f"{law.about.game}: {run['rounds']:,} rounds", rows)
    except ModuleNotFoundError:
        return ""


@html.register
def _(table: Paytable) -> str:
    rows = [
        (outcome.replace("_", " ").capitalize(), pay.odds.text, pay.clause)
        for outcome, pay in table.pays.items()
    ]
    caption = f"{table.wager.replace('_', ' ').capitalize()}, paytable {table.id} ({table.clause})"
    return _table(("hand", "pays", "clause"), rows, caption)


@html.register
def _(finding: Finding) -> str:
    hold = finding.hold
    rows = [(table, _percent(str(edge)), str(edge)) for table, edge in finding.edges]
    published = " to ".join(dict.fromkeys((hold.low, hold.high)))
    name = wager_name(finding.chapter, hold.wager)
    said = "agrees to every digit published" if finding.agrees else "differs"
    why = "".join(
        f"<li>{escape(' and '.join(map(str, changes)))}</li>" for changes in finding.explanations
    )
    return (
        _table(("for", ">exact", ">as a fraction"), rows, f"{name}: published {published}, {said}")
        + (f"<p>It would follow from one of these:</p><ol>{why}</ol>" if why else "")
    )  # fmt: skip


@html.register
def _(removal: Removal) -> str:
    said = "".join(f"<p>{escape(text.strip())}</p>" for text, _ in removal.remarks)
    return _table(removal.columns, removal.rows, f"{removal.title}. {removal.says}") + said


# pictures


@singledispatch
def svg(value: Any) -> str:
    """A value as SVG."""
    raise TypeError(f"{type(value).__name__} has no picture")


@svg.register
def _(rules: Rules) -> str:
    return draw(rules)


@svg.register
def _(round: Round) -> str:
    """The felt with the round on it, settled if it can be."""
    try:
        settled = settle(round)
    except Refused:
        settled = None
    return draw(round.rules, round_view(round, settled))


@svg.register
def _(table: Table) -> str:
    """The felt as everybody may see it."""
    if not table.chapter:
        raise Refused("not_open", "this table is not open")
    return draw(rules_of(table), table_view(table, Viewer()))


# figures

#: the columns of a table by name
Figures = Mapping[str, Sequence[Cell]]


@singledispatch
def figures(value: Any) -> Mapping[str, Callable[[], Figures]]:
    """The tables of figures that a value has, by name; each is made when it is called for."""
    raise TypeError(f"{type(value).__name__} has no table of figures")


def _columns(rows: Sequence[Mapping[str, Any]]) -> Figures:
    """Rows as columns. An exact fraction has its rounding beside it, in a column `…_decimal`."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    found: dict[str, list[Cell]] = {}
    for name in names:
        column = [row.get(name) for row in rows]
        given = [one for one in column if one is not None]
        if given and all(isinstance(one, Fraction) for one in given):
            found[name] = [None if one is None else str(one) for one in column]
            found[f"{name}_decimal"] = [None if one is None else float(one) for one in column]
        else:
            found[name] = column
    return found


def _fraction(text: str | None) -> Fraction | None:
    return Fraction(text) if text else None


@figures.register
def _(settled: Settlement) -> Mapping[str, Callable[[], Figures]]:
    def lines() -> Figures:
        return _columns(
            [
                {
                    "seat": seat.seat, "wager": line.wager, "hand": line.hand,
                    "result": line.result, "odds": line.odds, "stake_cents": line.stake,
                    "paid_cents": line.paid, "net_cents": line.net, "clause": line.clause,
                }
                for seat in settled.seats
                for line in seat.lines
            ]
        )  # fmt: skip

    def seats() -> Figures:
        return _columns([{"seat": one.seat, "net_cents": one.net} for one in settled.seats])

    def meters() -> Figures:
        return _columns(
            [
                {"meter": name, "paid_cents": one.paid, "shows_cents": one.shows}
                for name, one in settled.meters.items()
            ]
        )

    return {"lines": lines, "seats": seats, "meters": meters}


@figures.register
def _(sheet: Sheet) -> Mapping[str, Callable[[], Figures]]:
    def about(entry: WagerOut) -> dict[str, Any]:
        return {"wager": entry.wager, "paytable": entry.paytable, "for": column_text(entry)}

    def outcomes() -> Figures:
        return _columns(
            [
                {
                    **about(entry), "outcome": one.outcome, "hand": one.hand, "pays": one.pays,
                    "combinations": one.combinations, "probability": _fraction(one.probability),
                    "clause": one.clause, "house_edge": _fraction(_edge(entry)),
                }
                for entry in sheet.out().wagers
                for one in entry.outcomes
            ]
        )  # fmt: skip

    def wagers() -> Figures:
        names = (
            "element_of_risk", "staked", "hit_frequency", "variance", "fixed_return",
            "return_to_player",
        )  # fmt: skip
        return _columns(
            [
                {
                    **about(entry),
                    "house_edge": _fraction(_edge(entry)),
                    **{name: _fraction(getattr(entry, name)) for name in names},
                }
                for entry in sheet.out().wagers
            ]
        )

    def distribution() -> Figures:
        return _columns(
            [
                {
                    **about(entry),
                    "net": _fraction(one.net),
                    "probability": _fraction(one.probability),
                }
                for entry in sheet.out().wagers
                for one in entry.distribution
            ]
        )

    def holds() -> Figures:
        return _columns(
            [
                {**about(entry), **msgspec.to_builtins(one)}
                for entry in sheet.out(confidence=True).wagers
                if entry.volatility is not None
                for one in entry.volatility.hold
            ]
        )

    return {"outcomes": outcomes, "wagers": wagers, "distribution": distribution, "holds": holds}


def _edge(entry: WagerOut) -> str:
    return entry.house_edge or (entry.at.house_edge if entry.at else "")


@figures.register
def _(run: Simulation) -> Mapping[str, Callable[[], Figures]]:
    numbers = ("mean", "standard_error", "standard_deviation", "low", "high", "exact_decimal", "z")
    return {
        "wagers": lambda: {
            name: [
                float(one[name]) if name in numbers and one[name] is not None else one[name]
                for one in run["wagers"]
            ]
            for name in run["wagers"][0]
        }
    }


def _payouts(tables: Iterable[Paytable]) -> Figures:
    return _columns(
        [
            {
                "wager": table.wager, "paytable": table.id, "outcome": outcome,
                "pays": pay.odds.text, "clause": pay.clause,
            }
            for table in tables
            for outcome, pay in table.pays.items()
        ]
    )  # fmt: skip


@figures.register
def _(law: Chapter) -> Mapping[str, Callable[[], Figures]]:
    return {"payouts": lambda: _payouts(law.paytables.values())}


@figures.register
def _(rules: Rules) -> Mapping[str, Callable[[], Figures]]:
    wagers = dict.fromkeys(wager for wager, _ in rules.chapter.paytables)
    return {"payouts": lambda: _payouts(table for one in wagers for table in rules.tables(one))}


@figures.register
def _(table: Paytable) -> Mapping[str, Callable[[], Figures]]:
    return {"payouts": lambda: _payouts([table])}


@figures.register
def _(view: StrategyView) -> Mapping[str, Callable[[], Figures]]:
    picture = view.picture

    def decisions() -> Figures:
        if picture.charts is not None:
            return _columns(
                [
                    {"chart": panel, "kind": kind, "hand": hand, "dealer": up, "decision": code}
                    for panel, chart in picture.charts.panels.items()
                    for kind, hands in chart.items()
                    for hand, cells in hands.items()
                    for up, code in cells.items()
                ]
            )
        if picture.worth:
            return _columns([{"decision": name, "worth": value} for name, value in picture.worth])
        return _columns(
            [
                {"high": cell.high, "second": cell.middle, "third": third, "decision": decision}
                for cell in picture.cells
                for decision, thirds in (
                    ("play", cell.played), ("depends on suits", cell.sometimes),
                    ("fold", cell.folded),
                )
                for third in thirds
            ]
        )  # fmt: skip

    def alternatives() -> Figures:
        return _columns(
            [
                {
                    "strategy": one.strategy, "says": one.says,
                    "house_edge": _fraction(one.house_edge), "cost": _fraction(one.cost),
                }
                for one in view.strategy.alternatives
            ]
        )  # fmt: skip

    return {"decisions": decisions, "alternatives": alternatives}


@figures.register
def _(removal: Removal) -> Mapping[str, Callable[[], Figures]]:
    out = removal.out
    return {
        "removed": lambda: _columns(
            [
                {
                    name: value if name == "card" else _fraction(value)
                    for name, value in msgspec.structs.asdict(one).items()
                    if not name.endswith("_percent")
                }
                for one in out.removed
            ]
        ),
        "insurance": lambda: _columns(
            [{"cards": one.cards, "worth": _fraction(one.value)} for one in out.insurance]
        ),
    }  # fmt: skip


@figures.register
def _(finding: Finding) -> Mapping[str, Callable[[], Figures]]:
    hold = finding.hold
    return {
        "edges": lambda: _columns(
            [
                {
                    "wager": hold.wager, "paytable": table, "published_low": hold.low,
                    "published_high": hold.high, "house_edge": edge, "agrees": finding.agrees,
                }
                for table, edge in finding.edges
            ]
        ),
        "explanations": lambda: _columns(
            [
                {"explanation": number, "change": str(change)}
                for number, changes in enumerate(finding.explanations, 1)
                for change in changes
            ]
        ),
    }  # fmt: skip


def arrow(value: Any, table: str = "") -> Any:
    """One table of figures of a value as a `pyarrow.Table`, the first by default."""
    import pyarrow as pa

    known = figures(value)
    name = table or next(iter(known))
    if name not in known:
        raise Refused(
            "no_such_table", f"there is no table {table!r} here", remedy=choose_from(table, known)
        )
    return pa.table(dict(known[name]()))
