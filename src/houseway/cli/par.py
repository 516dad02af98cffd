"""`houseway par`: the PAR sheet of a chapter or of the rules a table plays by."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from houseway.cli.output import GOLD, QUIET, RED, console, print_json
from houseway.cli.precompute import count
from houseway.errors import Refused
from houseway.law import Rules, chapter, read_rules
from houseway.maths.par import par as sheet_of
from houseway.maths.sheet import COLUMNS, Sheet, SheetOut, WagerOut, column_text
from houseway.money import Cents, cents

if TYPE_CHECKING:
    from rich.table import Table

Flag = Annotated[bool, Parameter(negative="")]


def par(
    id: str,
    /,
    *,
    rules: str | None = None,
    wager: str | None = None,
    players: int | None = None,
    stake: str | None = None,
    meter: Annotated[tuple[str, ...], Parameter(negative="", consume_multiple=False)] = (),
    json: Flag = False,
    csv: Flag = False,
    pdf: str | None = None,
) -> int:
    """Show the PAR sheet: every wager with every paytable, exact.

    Parameters
    ----------
    id
        The chapter.
    rules
        A rules file: only what it chooses, with tables of its own where it has them.
    wager
        Only this wager, with all its outcomes.
    players
        Only for so many players, where that matters.
    stake
        At this stake, where that matters.
    meter
        What a meter shows, as progressive=12500.00; once for each meter.
    json
        As JSON.
    csv
        As comma-separated values, a line for each outcome.
    pdf
        Write a sheet for a laboratory to this file.
    """
    chosen = read_rules(rules, hypothetical=True) if rules is not None else None
    law = chapter(id, _edition(id, chosen))
    amounts = dict(_meter(text) for text in meter)
    count(law.id, rules=chosen)
    sheet = sheet_of(
        law,
        chosen,
        stakes=() if stake is None else (_stake(stake),),
        players=() if players is None else (players,),
        meters=amounts,
    )
    out = _only(sheet.out(), wager)
    if pdf is not None:
        from houseway.documents.par_sheet import par_sheet

        _write(pdf, par_sheet(sheet))
    if json:
        print_json(out)
    elif csv:
        _csv(out)
    elif pdf is None:
        _show(sheet, out, detailed=chosen is not None or wager is not None)
    return 0


def _edition(id: str, chosen: Rules | None) -> str | None:
    """The edition that a rules file names, if it is of this chapter."""
    return chosen.chapter.about.edition if chosen and chosen.chapter.id == id else None


def _stake(text: str) -> Cents:
    amount = cents(text)
    if amount == 0:
        raise Refused("no_wager", "a stake of nothing has no edge", field="stake")
    return amount


def _meter(text: str) -> tuple[str, Cents]:
    name, equals, amount = text.partition("=")
    if not equals:
        raise Refused(
            "not_a_meter", f"{text!r} is not a meter; write progressive=12500.00", field="meter"
        )
    try:
        return name, cents(amount)
    except Refused as refusal:
        raise refusal.at(field=f"meter {name}") from None


def _only(out: SheetOut, wager: str | None) -> SheetOut:
    if wager is None:
        return out
    from msgspec.structs import replace

    kept = [entry for entry in out.wagers if entry.wager == wager]
    if not kept:
        there = ", ".join(dict.fromkeys(entry.wager for entry in out.wagers))
        raise Refused("no_such_wager", f"there is no {wager} here; there is {there}", field="wager")
    return replace(out, wagers=kept, together=None)


def _write(path: str, content: bytes) -> None:
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise Refused("cannot_write", f"{path}: {error.strerror}") from None


def _csv(out: SheetOut) -> None:
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(
        ["chapter", "wager", "paytable", *COLUMNS, "house_edge", "house_edge_percent",
         "fixed_return", "standard_deviation", "hit_frequency", "outcome", "hand", "pays",
         "combinations", "probability"]
    )  # fmt: skip
    for entry in out.wagers:
        columns = [getattr(entry, name) for name in COLUMNS]
        for one in entry.outcomes:
            writer.writerow(
                [out.chapter, entry.wager, entry.paytable, *columns, entry.house_edge,
                 entry.house_edge_percent, entry.fixed_return, entry.standard_deviation,
                 entry.hit_frequency, one.outcome, one.hand, one.pays, one.combinations,
                 one.probability]
            )  # fmt: skip


def _table(title: str = "") -> Table:
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", title_style="bold")


def _show(sheet: Sheet, out: SheetOut, *, detailed: bool) -> None:
    screen = console()
    about = sheet.chapter.about
    screen.print(f"\n[bold]{about.game}[/], {about.jurisdiction}  [{QUIET}]{about.citation}")
    _summary(out)
    _progressives(out)
    seen: list[str] = []
    for entry in out.wagers:
        if entry.strategy is not None and entry.strategy.says not in seen:
            seen.append(entry.strategy.says)
            _strategy(entry)
    if detailed:
        for entry in out.wagers:
            _outcomes(entry)
    for note in dict.fromkeys(note for entry in out.wagers for note in entry.notes):
        screen.print(f"[{QUIET}]{note}")
    _together(out)


def _summary(out: SheetOut) -> None:
    plain = [entry for entry in out.wagers if entry.house_edge]
    if not plain:
        return
    table = _table()
    for name, justify in (("wager", "left"), ("table", "left"), ("for", "left"), ("edge", "right"),
                          ("of all staked", "right"), ("deviation", "right"), ("wins", "right")):  # fmt: skip
        table.add_column(name, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    last = ""
    for entry in plain:
        if last and entry.wager != last:
            table.add_section()
        shown = entry.wager if entry.wager != last else ""
        last = entry.wager
        edge = f"{_round(entry.house_edge_percent)}%"
        if entry.house_edge.startswith("-"):
            edge = f"[{RED}]{edge}[/]"
        risk = f"{_round(entry.element_of_risk_percent)}%" if entry.element_of_risk_percent else ""
        table.add_row(
            f"[{GOLD}]{shown}", entry.paytable, column_text(entry), edge, risk, entry.standard_deviation,
            _percent(entry.hit_frequency),
        )  # fmt: skip
    console().print(table)


def _round(percent: str) -> str:
    return f"{float(percent):.4f}"


def _percent(fraction: str) -> str:
    from fractions import Fraction

    return f"{float(Fraction(fraction)) * 100:.2f}%"


def _progressives(out: SheetOut) -> None:
    entries = [entry for entry in out.wagers if entry.fixed_return]
    if not entries:
        return
    table = _table("Progressive wagers")
    for name, justify in (("wager", "left"), ("table", "left"), ("for", "left"),
                          ("returns fixed", "right"), ("fair at", "right"),
                          ("in the long run", "right")):  # fmt: skip
        table.add_column(name, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    last = ("", "")
    for entry in entries:
        # the first and the last number of players tell the rest: envy is even
        if entry.players not in (None, 1, max(e.players or 0 for e in entries)):
            continue
        key = (entry.wager, entry.paytable)
        shown = key if key != last else ("", "")
        last = key
        long_run = entry.long_run
        table.add_row(
            f"[{GOLD}]{shown[0]}",
            shown[1],
            column_text(entry),
            f"{_round(entry.fixed_return_percent)}%",
            "\n".join(
                f"{name.partition('.')[2] or 'meter'} ${float(one.break_even_dollars):,.2f}"
                for name, one in entry.meters.items()
            ),
            f"{_round(long_run.long_run_return_percent)}%" if long_run else "",
        )
    console().print(table)


def _strategy(entry: WagerOut) -> None:
    assert entry.strategy is not None
    screen = console()
    screen.print(f"[{GOLD}]{entry.wager} {entry.paytable}[/]  {entry.strategy.says}")
    for other in entry.strategy.alternatives:
        screen.print(
            f"  [{QUIET}]{other.says}: {_round(other.house_edge_percent)}%, "
            f"costs {_round(other.cost_percent)}%"
        )


def _outcomes(entry: WagerOut) -> None:
    table = _table(
        f"{entry.wager} {entry.paytable}{', ' + column_text(entry) if column_text(entry) else ''}"
    )
    for name, justify in (("outcome", "left"), ("hand", "left"), ("pays", "left"),
                          ("combinations", "right"), ("chance", "right")):  # fmt: skip
        table.add_column(name, justify=justify, overflow="fold")  # type: ignore[arg-type]
    for one in entry.outcomes:
        ways = f"{int(one.combinations):,}" if one.combinations else ""
        hand = one.hand.replace("_", " ")
        table.add_row(one.outcome, hand, one.pays, ways, _percent(one.probability))
    console().print(table)


def _together(out: SheetOut) -> None:
    whole = out.together
    if whole is None:
        return
    names = ", ".join(f"{wager} {table}" for wager, table in whole.wagers.items())
    screen = console()
    screen.print(
        f"\n[bold]Together[/], one unit on each of {names}: edge {_round(whole.house_edge_percent)}%, "
        f"deviation {whole.standard_deviation} (it would be {whole.if_independent} if they did not "
        "share cards)."
    )
    if whole.leaves_out:
        screen.print(f"[{QUIET}]Left out: {'; '.join(whole.leaves_out)}.")
