"""A PAR sheet as a workbook: change a payout, and return, edge, deviation and volatility follow.

Every formula carries the value that it has for the printed payouts. Where the player decides, the
strategy stays as it is: the sheet says so, since another payout may call for another strategy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import sqrt
from typing import Any

from msgspec.structs import replace

from houseway.documents.workbooks.book import Book, Page, Value, area, cell, flattened
from houseway.documents.workbooks.payouts import Net, Payout, net_of, payouts_of
from houseway.maths.par import wager_name
from houseway.maths.sheet import Sheet, WagerOut, column_text
from houseway.maths.sheet_text import (
    HIT_RATE,
    hands_of,
    hold_notes,
    outcome_name,
    spread_rows,
    stakes_lines,
    stakes_text,
    words,
)

#: standard deviations on either side of the mean that hold nine rounds of ten
_NINETY = "1.6448536269514722"
_COLUMNS = (
    "Outcome", "Hand", "Combinations", "Probability", "Pays", "Net result", "Return", "Clause",
    "Net squared", "Ahead",
)  # fmt: skip
_WIDTHS = (34, 26, 22, 17, 40, 17, 17, 20, 17, 9)
#: their places
_COUNT, _CHANCE, _NET, _RETURN, _SQUARE, _AHEAD = 2, 3, 5, 6, 8, 9


@dataclass
class _Row:
    """One row of an entry; `square` and `ahead` where several net results are in one row."""

    label: str
    hand: str
    count: int
    pays: str
    clause: str
    net: Net | None
    mean: Fraction
    square: Fraction | None = None
    ahead: Fraction | None = None


@dataclass(frozen=True)
class _Block:
    """Where the figures of an entry stand: for the summary."""

    entry: WagerOut
    page: str
    cells: dict[str, tuple[str, float]]


def par_workbook(sheet: Sheet, rounds: Sequence[int] = ()) -> bytes:
    """The workbook of a PAR sheet, as the bytes of an .xlsx file; with the hold over these numbers
    of rounds.
    """
    about, out = sheet.chapter.about, sheet.out(confidence=True, rounds=rounds)
    book = Book(f"PAR sheet, {about.game}", f"{about.jurisdiction}, {about.citation}")
    summary = book.sheet("Summary")
    blocks: list[_Block] = []
    for (wager, paytable), entries in groupby(out.wagers, lambda one: (one.wager, one.paytable)):
        name = wager_name(sheet.chapter, wager)
        titled = name if paytable == "standard" else f"{name} {words(paytable)}"
        page = book.sheet(titled)
        page.widths(*_WIDTHS)
        page.line(titled, style="title")
        page.line(f"{about.game}, {about.jurisdiction} ({about.citation})", style="quiet")
        page.line("Blue cells can be changed; every figure below them follows.", style="quiet")
        page.skip()
        blocks += [_block(page, one) for one in entries]
    _summary(sheet, summary, blocks, out)
    _strategy(sheet, book, out.wagers)
    _options(sheet, book, out.rules)
    return book.done()


def _rows(entry: WagerOut, nets: Sequence[Net | None], payouts: Sequence[Payout]) -> list[_Row]:
    """The outcomes, and what is left of the deals as a last row that loses."""
    stake = _stake(entry)
    rows = []
    for one, net in zip(entry.outcomes, nets, strict=True):
        mean = Fraction(0)
        if net is not None and net.meter is None:
            mean = net.constant + sum(
                (net_of(payouts[at], stake) * weight for at, weight in net.payouts), Fraction(0)
            )
        elif net is not None and net.meter is not None:
            mean = net.meter[1] * _shown(entry, net.meter[0]) / stake - 1
        rows.append(
            _Row(outcome_name(one.outcome, entry.outcomes), hands_of(one, entry.outcomes), int(one.combinations),
                 one.pays, one.clause, net, mean)
        )  # fmt: skip
    left = int(entry.deals) - sum(row.count for row in rows)
    if left:
        rows.append(_Row("Every other hand", "", left, "lost", "", Net(Fraction(-1)), Fraction(-1)))
    _fill_in(entry, rows)
    return [*rows, *_of_others(entry, rows)]


def _sums(entry: WagerOut, rows: Sequence[_Row]) -> tuple[Fraction, Fraction, Fraction]:
    """The mean net result, its mean square, and how often it is ahead, by the rows."""
    mean, square, ahead = Fraction(0), Fraction(0), Fraction(0)
    for row in rows:
        chance = Fraction(row.count, int(entry.deals)) if row.count else Fraction(1)
        mean += chance * row.mean
        square += chance * (row.mean**2 if row.square is None else row.square)
        ahead += chance * (Fraction(row.mean > 0) if row.ahead is None else row.ahead)
    return mean, square, ahead


def _of_others(entry: WagerOut, rows: Sequence[_Row]) -> list[_Row]:
    """Envy bonuses come beside any outcome of the player's hand: a row of averages for all of them."""
    edge = entry.house_edge or (entry.at.house_edge if entry.at else "")
    mean, square, ahead = _sums(entry, rows)
    if not edge or not entry.players or -Fraction(edge) == mean:
        return []
    # a deviation at the meters is a rounded decimal; an entry without meters has the exact variance
    variance = Fraction(entry.variance) if entry.variance else _variance_at(entry)
    return [
        _Row(
            "Hands of other players", "", 0, "on average, beside one's own hand", "", None,
            -Fraction(edge) - mean,
            variance + Fraction(edge) ** 2 - square,
            Fraction(entry.hit_frequency) - ahead,
        )
    ]  # fmt: skip


def _variance_at(entry: WagerOut) -> Fraction:
    return Fraction(entry.at.standard_deviation) ** 2 if entry.at else Fraction(0)


def _fill_in(entry: WagerOut, rows: list[_Row]) -> None:
    """A row of several net results, as a split pair's: what the rest leaves of the exact figures."""
    open = [row for row in rows if row.net is None]
    if len(open) != 1 or not entry.house_edge:
        return
    mean, square, ahead = _sums(entry, [row for row in rows if row.net is not None])
    edge, chance = Fraction(entry.house_edge), Fraction(open[0].count, int(entry.deals))
    open[0].mean = (-edge - mean) / chance
    open[0].square = (Fraction(entry.variance) + edge**2 - square) / chance
    open[0].ahead = (Fraction(entry.hit_frequency) - ahead) / chance
    open[0].net = Net(open[0].mean)


def _stake(entry: WagerOut) -> Fraction:
    return Fraction(entry.stake) if entry.stake else Fraction(1)


def _shown(entry: WagerOut, meter: str) -> Fraction:
    """What a meter shows, in dollars."""
    return Fraction(entry.at.meters.get(meter, "0")) if entry.at else Fraction(0)


def _block(page: Page, entry: WagerOut) -> _Block:
    """One entry: its payouts, its outcomes and its figures."""
    # awards for other players' hands come beside any outcome of the player's: `_of_others`
    entry = replace(entry, outcomes=[one for one in entry.outcomes if not one.envy])
    title = column_text(entry) or "Payouts"
    page.line(title[:1].upper() + title[1:], style="heading")
    listed = entry.outcomes
    named = [", ".join(filter(None, (outcome_name(one.outcome, listed), hands_of(one, listed))))
             for one in listed]  # fmt: skip
    payouts, nets = payouts_of(entry.outcomes, named, entry.meters, _stake(entry))
    inputs, meters, stake = _inputs(page, entry, payouts)
    page.skip()
    deals = page.row
    page.put(deals, 0, "Deals, all equally likely")
    page.put(deals, _COUNT, int(entry.deals), "whole")
    page.row += 1
    first, last, rows = _outcomes(page, entry, payouts, nets, (inputs, meters, stake), deals)
    cells = _figures(page, entry, rows, first, last)
    _volatility(page, entry)
    for note in (*entry.notes, *_assumptions(entry)):
        page.line(note, style="quiet")
    page.skip(2)
    return _Block(entry, page.name, cells)


def _inputs(
    page: Page, entry: WagerOut, payouts: Sequence[Payout]
) -> tuple[list[str], dict[str, str], str]:
    """The cells that can be changed: payouts, meters and the stake."""
    page.header(("Payout", "As printed", "Pays"), (2,))
    cells = []
    units = {"to": "to 1, beside the stake", "for": "for 1, the stake included", "dollars": ""}
    for one in payouts:
        page.put(page.row, 0, one.says)
        page.put(page.row, 1, one.odds)
        page.put(page.row, 2, one.value, "money_input" if one.kind == "dollars" else "input")
        page.put(page.row, 3, units[one.kind], "quiet")
        page.put(page.row, 7, one.clause, "quiet")
        cells.append(cell(page.row, 2))
        page.row += 1
    meters = {}
    for name in entry.meters:
        page.put(page.row, 0, f"Meter {name} shows")
        page.put(page.row, 2, _shown(entry, name), "money_input")
        meters[name] = cell(page.row, 2)
        page.row += 1
    page.put(page.row, 0, "Stake")
    page.put(page.row, 2, _stake(entry), "money_input" if entry.stake else "whole")
    page.put(page.row, 3, "" if entry.stake else "one unit", "quiet")
    page.row += 1
    return cells, meters, cell(page.row - 1, 2)


def _outcomes(
    page: Page,
    entry: WagerOut,
    payouts: Sequence[Payout],
    nets: Sequence[Net | None],
    inputs: tuple[list[str], dict[str, str], str],
    deals: int,
) -> tuple[int, int, list[_Row]]:
    page.header(_COLUMNS, (_COUNT, _CHANCE, _NET, _RETURN, _SQUARE, _AHEAD))
    first = page.row
    rows = _rows(entry, nets, payouts)
    for row in rows:
        if not row.count:
            _beside(page, row)
            continue
        at, chance = page.row, Fraction(row.count, int(entry.deals))
        for column, text in ((0, row.label), (1, row.hand), (4, row.pays), (7, row.clause)):
            page.put(at, column, text, "quiet" if column == 7 else "text")
        page.put(at, _COUNT, row.count, "whole")
        page.formula(
            at, _CHANCE, f"={cell(at, _COUNT)}/{cell(deals, _COUNT)}", chance, "probability"
        )
        _net(page, at, row, payouts, inputs)
        net = cell(at, _NET)
        page.formula(
            at, _RETURN, f"={cell(at, _CHANCE)}*(1+{net})", chance * (1 + row.mean), "long"
        )
        if row.square is None:
            page.formula(at, _SQUARE, f"={net}^2", row.mean**2, "quiet")
            page.formula(at, _AHEAD, f"=IF({net}>0,1,0)", int(row.mean > 0), "quiet")
        else:
            page.put(at, _SQUARE, row.square, "quiet")
            page.put(at, _AHEAD, row.ahead, "quiet")
        page.row += 1
    return first, page.row - 1, rows


def _beside(page: Page, row: _Row) -> None:
    """What is paid beside every outcome, on average: constants that add to the sums."""
    page.put(page.row, 0, row.label)
    page.put(page.row, 4, row.pays)
    page.put(page.row, _CHANCE, 1, "probability")
    page.put(page.row, _NET, row.mean, "long")
    page.put(page.row, _RETURN, row.mean, "long")
    page.put(page.row, _SQUARE, row.square, "quiet")
    page.put(page.row, _AHEAD, row.ahead, "quiet")
    page.row += 1


def _net(
    page: Page,
    at: int,
    row: _Row,
    payouts: Sequence[Payout],
    inputs: tuple[list[str], dict[str, str], str],
) -> None:
    cells, meters, stake = inputs
    net = row.net
    if net is None or (not net.payouts and net.meter is None):
        page.put(at, _NET, row.mean, "long")
        return
    if net.meter is not None:
        name, share = net.meter
        page.formula(at, _NET, f"={_number(share)}*{meters[name]}/{stake}-1", row.mean, "long")
        return
    parts = []
    for number, weight in net.payouts:
        one, address = payouts[number], cells[number]
        part = {"to": address, "for": f"({address}-1)", "dollars": f"{address}/{stake}"}[one.kind]
        parts.append(part if weight == 1 else f"{_number(weight)}*{part}")
    if net.constant:
        parts.append(_number(net.constant))
    page.formula(at, _NET, "=" + "+".join(parts).replace("+-", "-"), row.mean, "long")


def _number(value: Fraction) -> str:
    """A fraction in a formula."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"({value.numerator}/{value.denominator})"


def _figures(
    page: Page, entry: WagerOut, rows: Sequence[_Row], first: int, last: int
) -> dict[str, tuple[str, float]]:
    """The figures by formula, beside the exact ones that were counted."""
    chance, net = area(first, last, _CHANCE), area(first, last, _NET)
    mean, square, ahead = _sums(entry, rows)
    variance = square - mean**2
    page.skip()
    page.header(("Figure", "", "By the cells above", "", "As counted, exactly"), (2,))
    cells: dict[str, tuple[str, float]] = {}

    def figure(id: str, says: str, formula: str, value: float, style: str, counted: str) -> None:
        page.put(page.row, 0, says)
        page.formula(page.row, 2, formula, value, style)
        page.put(page.row, 4, counted, "quiet")
        cells[id] = (cell(page.row, 2), value)
        page.row += 1

    edge = entry.house_edge or (entry.at.house_edge if entry.at else "")
    figure("return", "Return to player", f"=SUM({area(first, last, _RETURN)})", float(1 + mean),
           "percent", str(1 - Fraction(edge)) if edge else "")  # fmt: skip
    figure("edge", "House edge", f"=1-{cells['return'][0]}", float(-mean), "percent", edge)
    figure("variance", "Variance",
           f"=SUMPRODUCT({chance},{area(first, last, _SQUARE)})-SUMPRODUCT({chance},{net})^2",
           float(variance), "long", entry.variance)  # fmt: skip
    figure("deviation", "Standard deviation", f"=SQRT({cells['variance'][0]})",
           sqrt(variance), "long", "")  # fmt: skip
    figure("volatility", "Volatility index (90%)", f"={_NINETY}*{cells['deviation'][0]}",
           float(_NINETY) * sqrt(variance), "long", "")  # fmt: skip
    figure("hits", "Hit frequency", f"=SUMPRODUCT({chance},{area(first, last, _AHEAD)})",
           float(ahead), "percent", entry.hit_frequency)  # fmt: skip
    if entry.staked:
        page.put(page.row, 0, "Staked on average, in units")
        page.put(page.row, 2, Fraction(entry.staked), "long")
        page.put(page.row, 4, entry.staked, "quiet")
        staked = cell(page.row, 2)
        page.row += 1
        figure("risk", "Element of risk", f"={cells['edge'][0]}/{staked}",
               float(-mean / Fraction(entry.staked)), "percent", entry.element_of_risk)  # fmt: skip
    return cells


def _volatility(page: Page, entry: WagerOut) -> None:
    """How widely the results are spread, and the hold over many rounds, as they were counted."""
    page.skip()
    page.line(
        "As counted for the printed payouts; these do not follow changed cells.", style="quiet"
    )
    for name, value in spread_rows(entry)[1:]:
        page.put(page.row, 0, name)
        page.put(page.row, 2, value)
        page.row += 1
    if not (entry.volatility and entry.volatility.hold):
        return
    page.skip()
    page.header(("Rounds", "Confidence", "Hold from", "Hold to", "House behind"), (0, 2, 3, 4))
    for one in entry.volatility.hold:
        page.put(page.row, 0, one.rounds, "whole")
        page.put(page.row, 1, one.confidence)
        page.put(page.row, 2, Fraction(one.hold_low_percent) / 100, "percent")
        page.put(page.row, 3, Fraction(one.hold_high_percent) / 100, "percent")
        page.put(page.row, 4, Fraction(one.house_behind), "probability")
        page.row += 1


def _assumptions(entry: WagerOut) -> list[str]:
    said = [f"Counted over all {int(entry.deals):,} deals; nothing is simulated or rounded."]
    if entry.strategy is not None:
        said.append(
            "The strategy is held fixed: it is the best one for the printed payouts, and other "
            "payouts may call for another."
        )
    return said


def _summary(sheet: Sheet, page: Page, blocks: Sequence[_Block], out: Any) -> None:
    about = sheet.chapter.about
    page.widths(38, 16, 26, 18, 18, 18, 18, 18)
    page.line(f"PAR sheet: {about.game}", style="title")
    page.line(f"{about.jurisdiction}, {about.citation}, edition {about.edition}", style="quiet")
    covers = "The rules that were chosen (see Options)" if sheet.rules else "Every printed paytable"
    reference = (sheet.rules.hash if sheet.rules is not None else sheet.chapter.hash)[:16]
    page.line(f"{covers}; reference {reference}", style="quiet")
    page.skip()
    page.header(("Wager", "Paytable", "For", "Return to player", "House edge",
                 "Standard deviation", "Volatility index", "Hit frequency"), range(3, 8))  # fmt: skip
    page.freeze(page.row)
    for block in blocks:
        entry = block.entry
        page.link(page.row, 0, block.page, wager_name(sheet.chapter, entry.wager))
        page.put(page.row, 1, words(entry.paytable))
        page.put(page.row, 2, column_text(entry))
        for column, (id, style) in enumerate(
            (("return", "percent"), ("edge", "percent"), ("deviation", "number"),
             ("volatility", "number"), ("hits", "percent")), 3
        ):  # fmt: skip
            address, value = block.cells[id]
            page.formula(page.row, column, f"='{block.page}'!{address}", value, style)
        page.row += 1
    page.skip()
    page.line("A progressive is figured at what its meters show on its sheet.", style="quiet")
    for line in (HIT_RATE, out.hold_says, *hold_notes(out.wagers), out.checked):
        page.line(line, style="quiet")
    if out.together is not None:
        page.skip()
        page.line("Wagers of one seat together", style="heading")
        page.table(
            (("Wagers", "text"), ("House edge", "percent"), ("Standard deviation", "number")),
            [(", ".join(wager_name(sheet.chapter, name) for name in out.together.wagers),
              Fraction(out.together.house_edge), sqrt(Fraction(out.together.variance)))],
        )  # fmt: skip
        page.line(out.together.says, style="quiet")
    if out.at_stakes is not None:
        names = {name: wager_name(sheet.chapter, name) for name in out.at_stakes.stakes}
        page.skip()
        page.line("At these stakes", style="heading")
        page.line(stakes_text(out.at_stakes, names))
        page.table(
            (("Played", "text"), ("Loss per round, $", "number"), ("Share of all wagers", "percent"),
             ("Std. dev., $", "number")),
            [(name, Fraction(one.expected_loss), Fraction(one.house_edge),
              Fraction(one.standard_deviation))
             for name, one in (("each wager alone", out.at_stakes.separately),
                               ("all jointly", out.at_stakes.jointly)) if one is not None],
        )  # fmt: skip
        for line in stakes_lines(out.at_stakes, names):
            page.line(line, style="quiet")


def _strategy(sheet: Sheet, book: Book, entries: Sequence[WagerOut]) -> None:
    decided = [entry for entry in entries if entry.strategy is not None]
    if not decided:
        return
    page = book.sheet("Strategy")
    page.widths(60, 18, 18, 18)
    page.line("Strategy", style="title")
    for entry in decided:
        assert entry.strategy is not None
        page.skip()
        about = ", ".join(filter(None, (words(entry.paytable), column_text(entry))))
        page.line(f"{wager_name(sheet.chapter, entry.wager)}: {about}", style="heading")
        page.line(entry.strategy.says)
        if entry.strategy.alternatives:
            rows: list[tuple[Value, ...]] = [
                (one.says, Fraction(one.house_edge), Fraction(one.cost))
                for one in entry.strategy.alternatives
            ]
            page.table(
                (("Simpler strategy", "text"), ("House edge", "percent"), ("Costs", "percent")),
                rows,
            )


def _options(sheet: Sheet, book: Book, rules: dict[str, Any]) -> None:
    page = book.sheet("Options")
    page.widths(40, 40, 24)
    page.line("Options in force", style="title")
    if sheet.rules is None:
        page.line("No rules were chosen: the workbook has every printed paytable.")
        return
    law = sheet.chapter
    clauses = {name: option.clause for name, option in law.options.items()}

    def show(value: Any) -> str:
        return (
            {True: "offered", False: "not offered"}.get(value, str(value))
            if isinstance(value, bool)
            else str(value)
        )

    page.table(
        (("Option", "text"), ("Chosen", "text"), ("Clause", "text")),
        [
            (name.removeprefix("rules.").replace("_", " "), text,
             clauses.get(name.removeprefix("rules."), ""))
            for name, text in flattened(rules, show)
        ],
    )  # fmt: skip
