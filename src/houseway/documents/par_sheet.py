"""The PAR sheet as a document: rules, combinations, pays, returns, strategy and distributions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from houseway.documents.charts import distribution
from houseway.documents.typesetting import typeset
from houseway.maths.figures import chance_text, decimal
from houseway.maths.par import wager_name
from houseway.maths.sheet import Sheet, SheetOut, WagerOut, column_text
from houseway.maths.sheet_text import (
    HIT_RATE,
    HOLD_HEAD,
    STAKES_HEAD,
    fair,
    fixed,
    hold_notes,
    hold_rows,
    outcome_rows,
    spread_rows,
    stakes_lines,
    stakes_rows,
    stakes_text,
    together_figures,
    together_text,
    words,
)
from houseway.money import spoken


def par_sheet(sheet: Sheet, rounds: Sequence[int] = ()) -> bytes:
    """The PDF of a PAR sheet, with the hold over these numbers of rounds."""
    about = sheet.chapter.about
    out = sheet.out(confidence=True, rounds=rounds)
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
        "summary": [_summary(sheet, one) for one in out.wagers if one.house_edge],
        "progressives": [_progressive(sheet, one) for one in out.wagers if one.fixed_return],
        "together": _together(sheet, out),
        "stakes": _stakes(sheet, out),
        "notes": [HIT_RATE, out.hold_says, *hold_notes(out.wagers), out.checked],
        "options": [[words(name).capitalize(), says] for name, says in out.options.items()],
        "hold_head": list(HOLD_HEAD),
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
    return [["Chosen", ", ".join(f"{law.line_name(k)} {_choice(k, v)}" for k, v in chosen.items())]]


def _choice(option: str, value: object) -> str:
    """What was chosen, in words."""
    if isinstance(value, bool):
        return "offered" if value else "not offered"
    if option == "payout_limit" and value != "none":
        return spoken(int(str(value)))
    if isinstance(value, dict):
        return "as named"
    return {"none": "not offered"}.get(str(value), words(str(value)))


#: options that are told besides those of wagers and bonuses
_TOLD = ("version", "decks", "dealer_soft_22", "payout_limit")


def _name(sheet: Sheet, wager: str) -> str:
    return wager_name(sheet.chapter, wager)


def _summary(sheet: Sheet, one: WagerOut) -> list[str]:
    return [
        _name(sheet, one.wager),
        words(one.paytable),
        column_text(one),
        fixed(one.house_edge),
        fixed(one.element_of_risk) if one.element_of_risk else "",
        one.standard_deviation,
        chance_text(Fraction(one.hit_frequency)),
    ]


def _progressive(sheet: Sheet, one: WagerOut) -> list[str]:
    shown = "\n".join(
        f"{name.partition('.')[2]} {fair(meter)}".strip() for name, meter in one.meters.items()
    )
    beside = one.beside_ante.meters if one.beside_ante else {}
    beside_ante = "\n".join(fair(meter) for meter in beside.values())
    long_run = fixed(one.long_run.long_run_return) if one.long_run else ""
    return [
        _name(sheet, one.wager), words(one.paytable), column_text(one), fixed(one.fixed_return), shown,
        beside_ante, long_run,
    ]  # fmt: skip


def _together(sheet: Sheet, whole: SheetOut) -> dict[str, Any] | None:
    out = whole.together
    if out is None:
        return None
    said = together_text(out, {name: _name(sheet, name) for name in out.wagers})
    return {
        "says": f"{said[:1].upper()}{said[1:]}: {together_figures(out)}. {out.says}",
        "rows": [
            [
                " and ".join(_name(sheet, wager) for wager in one.wagers),
                decimal(Fraction(one.covariance), 6),
                one.correlation,
            ]
            for one in out.covariances
        ],
        "left_out": out.leaves_out,
    }


def _stakes(sheet: Sheet, whole: SheetOut) -> dict[str, Any] | None:
    out = whole.at_stakes
    if out is None:
        return None
    names = {name: _name(sheet, name) for name in out.stakes}
    return {
        "says": stakes_text(out, names),
        "head": list(STAKES_HEAD),
        "rows": [list(row) for row in stakes_rows(out)],
        "notes": stakes_lines(out, names),
    }


def _entry(sheet: Sheet, one: WagerOut) -> dict[str, Any]:
    extra = f" ({column_text(one)})" if column_text(one) else ""
    figures = [["Paytable", f"{words(one.paytable)} [{one.clause}]"]]
    if one.deals:
        figures.append(["Deals", f"{int(one.deals):,}"])
    if one.house_edge:
        figures += [
            ["House edge", f"{fixed(one.house_edge, 6)} = {_short(one.house_edge)}"],
            ["Standard deviation", one.standard_deviation],
            ["Hit frequency", f"{fixed(one.hit_frequency)} = {_short(one.hit_frequency)}"],
        ]
    if one.element_of_risk:
        risk = f"{fixed(one.element_of_risk, 6)} of all that is staked"
        figures.append(["Element of risk", risk])
    figures += map(list, spread_rows(one))
    if one.fixed_return:
        figures.append(["Fixed return", f"{fixed(one.fixed_return, 6)} = {one.fixed_return}"])
        for name, meter in one.meters.items():
            at = meter.says or f"break-even at {fair(meter)}"
            chance = f"chance {meter.probability}, share {meter.share}"
            figures.append([words(name.partition(".")[2] or "meter"), f"{chance}, {at}"])
    results = [(Fraction(each.net), Fraction(each.probability)) for each in one.distribution]
    strategy = None
    if one.strategy is not None:
        strategy = {
            "says": one.strategy.says,
            "rows": [
                [other.says, fixed(other.house_edge), fixed(other.cost)]
                for other in one.strategy.alternatives
            ],
        }
    return {
        "title": f"{_name(sheet, one.wager)}, {words(one.paytable)}{extra}",
        "particulars": figures,
        "strategy": strategy,
        "rows": [list(row) for row in outcome_rows(one, 6)],
        "hold": [list(row) for row in hold_rows(one)],
        "notes": one.notes,
        "chart": distribution(results) if results else "",
    }


def _short(fraction: str) -> str:
    """A fraction that fits a line; one with hundreds of digits is in the JSON."""
    return fraction if len(fraction) <= 60 else "an exact fraction, in the data"
