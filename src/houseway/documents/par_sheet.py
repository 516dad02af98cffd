"""The PAR sheet as a document: rules, combinations, pays, returns, strategy and distributions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from houseway.documents.charts import distribution
from houseway.documents.typesetting import typeset
from houseway.maths.figures import decimal
from houseway.maths.par import wager_name
from houseway.maths.sheet import OutcomeOut, Sheet, SheetOut, WagerOut, column_text


def par_sheet(sheet: Sheet) -> bytes:
    """The PDF of a PAR sheet."""
    about = sheet.chapter.about
    out = sheet.out()
    reference = (sheet.rules.hash if sheet.rules is not None else sheet.chapter.hash)[:16]
    chosen = "the rules of the submission" if sheet.rules is not None else "every printed paytable"
    data = {
        "title": "PAR sheet",
        "subtitle": f"{about.game}, {about.jurisdiction}",
        "reference": reference,
        "particulars": [
            ["Rules", about.citation],
            ["Edition", about.edition],
            ["Chapter", sheet.chapter.id],
            ["Covers", chosen],
            ["Method", "exact enumeration; no simulation. Fractions are in lowest terms."],
            *(_rules(sheet)),
        ],
        "summary": [_summary(one) for one in out.wagers if one.house_edge],
        "progressives": [_progressive(one) for one in out.wagers if one.fixed_return],
        "together": _together(out),
        "entries": [_entry(sheet, one) for one in out.wagers if _shown(one)],
    }
    return typeset("par_sheet", data)


def _shown(one: WagerOut) -> bool:
    """A progressive that stands for several stakes and numbers of players has one page, its first."""
    return not one.fixed_return or (one.players in (None, 1) and one.stake in (None, "1.00"))


def _rules(sheet: Sheet) -> list[list[str]]:
    if sheet.rules is None:
        return []
    law = sheet.chapter
    told = {*law.wagers, *law.bonuses, *_TOLD}
    chosen = {k: v for k, v in sheet.rules.options.items() if k in told}
    return [["Chosen", ", ".join(f"{_words(k)} {v}" for k, v in chosen.items())]]


#: options that are told besides those of wagers and bonuses
_TOLD = ("version", "decks", "dealer_soft_22", "payout_limit")


def _words(id: str) -> str:
    return id.replace("_", " ")


def _name(sheet: Sheet, wager: str) -> str:
    return wager_name(sheet.chapter, wager)


def _percent(fraction: str, places: int = 4) -> str:
    return f"{decimal(Fraction(fraction) * 100, places)}%"


def _summary(one: WagerOut) -> list[str]:
    return [
        _words(one.wager),
        one.paytable,
        column_text(one),
        _percent(one.house_edge),
        _percent(one.element_of_risk) if one.element_of_risk else "",
        one.standard_deviation,
        _percent(one.hit_frequency, 2),
    ]


def _progressive(one: WagerOut) -> list[str]:
    fair = "\n".join(
        f"{name.partition('.')[2] or 'meter'} ${float(meter.break_even_dollars):,.2f}"
        for name, meter in one.meters.items()
    )
    long_run = _percent(one.long_run.long_run_return) if one.long_run else ""
    return [
        _words(one.wager), one.paytable, column_text(one), _percent(one.fixed_return), fair, long_run,
    ]  # fmt: skip


def _together(sheet: SheetOut) -> dict[str, Any] | None:
    out = sheet.together
    if out is None:
        return None
    names = ", ".join(f"{_words(wager)} {table}" for wager, table in out.wagers.items())
    return {
        "says": f"{names}. {out.says} House edge {_percent(out.house_edge)}, standard deviation "
        f"{out.standard_deviation}; {out.if_independent} if they did not share the cards.",
        "rows": [
            [
                " and ".join(map(_words, one.wagers)),
                decimal(Fraction(one.covariance), 6),
                one.correlation,
            ]
            for one in out.covariances
        ],
        "left_out": out.leaves_out,
    }


def _entry(sheet: Sheet, one: WagerOut) -> dict[str, Any]:
    extra = f" ({column_text(one)})" if column_text(one) else ""
    figures = [["Paytable", f"{one.paytable} [{one.clause}]"]]
    if one.deals:
        figures.append(["Deals", f"{int(one.deals):,}"])
    if one.house_edge:
        figures += [
            ["House edge", f"{_percent(one.house_edge, 6)} = {_short(one.house_edge)}"],
            ["Standard deviation", one.standard_deviation],
            ["Hit frequency", f"{_percent(one.hit_frequency)} = {_short(one.hit_frequency)}"],
        ]
    if one.element_of_risk:
        risk = f"{_percent(one.element_of_risk, 6)} of all that is staked"
        figures.append(["Element of risk", risk])
    if one.fixed_return:
        figures.append(["Fixed return", f"{_percent(one.fixed_return, 6)} = {one.fixed_return}"])
        for name, meter in one.meters.items():
            fair = f"fair at ${float(meter.break_even_dollars):,.2f}"
            chance = f"chance {meter.probability}, share {meter.share}"
            figures.append([_words(name), f"{chance}, {fair}"])
    results = [(Fraction(each.net), Fraction(each.probability)) for each in one.distribution]
    strategy = None
    if one.strategy is not None:
        strategy = {
            "says": one.strategy.says,
            "rows": [
                [other.says, _percent(other.house_edge), _percent(other.cost)]
                for other in one.strategy.alternatives
            ],
        }
    return {
        "title": f"{_name(sheet, one.wager)}, {one.paytable}{extra}",
        "particulars": figures,
        "strategy": strategy,
        "rows": _rows(one),
        "notes": one.notes,
        "chart": distribution(results) if results else "",
    }


def _short(fraction: str) -> str:
    """A fraction that fits a line; one with hundreds of digits is in the JSON."""
    return fraction if len(fraction) <= 60 else "an exact fraction, in the data"


def _rows(one: WagerOut) -> list[list[str]]:
    """Every outcome, and last what is lost without any."""
    lost = 1 - sum((Fraction(row.probability) for row in one.outcomes), Fraction(0))
    rows = list(one.outcomes)
    if lost > 0:
        deals = str(int(lost * int(one.deals))) if one.deals else ""
        rows.append(OutcomeOut("nothing", "lost", str(lost), deals, "-1"))
    return [_row(row) for row in rows]


def _row(row: OutcomeOut) -> list[str]:
    chance = Fraction(row.probability)
    name = _words(row.outcome) + (f" ({_words(row.hand)})" if row.hand else "")
    back = f"{decimal(chance * Fraction(row.net) * 100, 4)}%" if row.net else ""
    combinations = f"{int(row.combinations):,}" if row.combinations else ""
    return [name, row.pays, combinations, f"{decimal(chance * 100, 6)}%", back]
