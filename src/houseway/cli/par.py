"""`houseway par`: the PAR sheet of a chapter or of the rules a table plays by."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Annotated

from cyclopts import Parameter

from houseway.cli.chapter_choice import ChapterId
from houseway.cli.precompute import count
from houseway.cli.terminal.output import (
    GOLD,
    QUIET,
    RED,
    console,
    print_json,
    print_table,
    read_amount,
    write_bytes,
)
from houseway.errors import Refused
from houseway.law import Rules, chapter, read_rules
from houseway.maths.figures import chance_text
from houseway.maths.par import par as sheet_of
from houseway.maths.par import wager_name
from houseway.maths.sheet import COLUMNS, Sheet, SheetOut, WagerOut, column_text
from houseway.maths.sheet_text import (
    HIT_RATE,
    HOLD_HEAD,
    fair,
    fixed,
    hold_notes,
    hold_rows,
    outcome_rows,
    spread_rows,
    together_figures,
    together_text,
    words,
)
from houseway.money import Cents

#: over more rounds than these the hold is the edge
MOST_ROUNDS = 100_000_000

Flag = Annotated[bool, Parameter(negative="")]


def par(
    id: ChapterId,
    /,
    *,
    rules: str | None = None,
    wager: str | None = None,
    paytable: Annotated[str | None, Parameter(name=("--paytable", "--table"))] = None,
    players: int | None = None,
    stake: str | None = None,
    meter: Annotated[tuple[str, ...], Parameter(negative="", consume_multiple=False)] = (),
    stakes: str = "",
    rounds: Annotated[tuple[int, ...], Parameter(negative="", consume_multiple=False)] = (),
    json: Flag = False,
    csv: Flag = False,
    pdf: str | None = None,
    xlsx: str | None = None,
) -> int:
    """Show the PAR sheet: every wager with every paytable, exact.

    Parameters
    ----------
    id
        The chapter.
    rules
        A rules file: only the wagers and paytables that it chooses.
    wager
        Only this wager, with all its outcomes.
    paytable
        Only this paytable: A, B, …
    players
        Only for this many players, if that matters.
    stake
        At this stake, if that matters.
    meter
        What a meter shows, as progressive=12500.00; once for each meter.
    stakes
        Wagers of one seat, as ante=10,five_card_progressive=1: the expected result of a round, and
        the best play of them together.
    rounds
        The hold over this many rounds, instead of 1,000 to 1,000,000; once for each number.
    json
        As JSON.
    csv
        As comma-separated values, a line for each outcome.
    pdf
        Write a sheet for a laboratory to this file.
    xlsx
        Write an Excel workbook with live formulas to this file.
    """
    chosen = read_rules(rules, hypothetical=True) if rules is not None else None
    law = chapter(id, _edition(id, chosen))
    amounts = _meters(meter)
    count(law.id, rules=chosen)
    sheet = sheet_of(
        law,
        chosen,
        stakes=() if stake is None else (_stake(stake),),
        players=() if players is None else (players,),
        meters=amounts,
        at_stakes=_stakes(stakes),
    )
    _check_rounds(rounds)
    sheet = sheet if wager is None else sheet.only(wager)
    sheet = sheet if paytable is None else sheet.with_paytable(paytable)
    if pdf is not None:
        from houseway.documents.par_sheet import par_sheet

        write_bytes(pdf, par_sheet(sheet, rounds), quiet=json or csv)
    if xlsx is not None:
        from houseway.documents.workbooks.par import par_workbook

        write_bytes(xlsx, par_workbook(sheet, rounds), quiet=json or csv)
    if json:
        print_json(sheet.out(confidence=True, rounds=rounds))
    elif csv:
        _csv(sheet.out())
    elif pdf is None and xlsx is None:
        detailed = bool(chosen or wager or paytable or rounds)
        out = sheet.out(confidence=detailed, rounds=rounds, brief=not detailed)
        _show(sheet, out, detailed=detailed)
    return 0


def _check_rounds(rounds: tuple[int, ...]) -> None:
    for number in rounds:
        if not 1 <= number <= MOST_ROUNDS:
            raise Refused(
                "not_a_number", f"rounds are 1 to {MOST_ROUNDS:,}, not {number}", field="rounds"
            )


def _edition(id: str, chosen: Rules | None) -> str | None:
    """The edition that a rules file names, if it is of this chapter."""
    return chosen.chapter.about.edition if chosen and chosen.chapter.id == id else None


def _stake(text: str) -> Cents:
    amount = read_amount(text, "stake")
    if amount == 0:
        raise Refused("no_wager", "the stake must be greater than zero", field="stake")
    return amount


def _stakes(text: str) -> dict[str, Cents] | None:
    if not text:
        return None
    from houseway.simulate.plan import read_wagers

    return read_wagers(text, "stakes")


def _meters(given: tuple[str, ...]) -> dict[str, Cents]:
    """What meters show, each as progressive=12500.00."""
    if not given:
        return {}
    from houseway.simulate.plan import read_wagers

    for text in given:
        if "=" not in text:
            raise Refused(
                "not_a_meter", f"{text!r} is not a meter; write progressive=12500.00", field="meter"
            )
    return read_wagers(",".join(given), "meter")


def _csv(out: SheetOut) -> None:
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(
        ["chapter", "wager", "paytable", *COLUMNS, "house_edge", "house_edge_percent",
         "fixed_return", "standard_deviation", "hit_frequency", "outcome", "hand", "pays",
         "combinations", "probability", "return"]
    )  # fmt: skip
    for entry in out.wagers:
        columns = [getattr(entry, name) for name in COLUMNS]
        for one in entry.outcomes:
            writer.writerow(
                [out.chapter, entry.wager, entry.paytable, *columns, entry.house_edge,
                 entry.house_edge_percent, entry.fixed_return, entry.standard_deviation,
                 entry.hit_frequency, one.outcome, one.hand, one.pays, one.combinations,
                 one.probability, one.back]
            )  # fmt: skip


def _show(sheet: Sheet, out: SheetOut, *, detailed: bool) -> None:
    screen = console()
    about = sheet.chapter.about
    screen.print(f"\n[bold]{about.game}[/], {about.jurisdiction}  [{QUIET}]{about.citation}")
    _summary(sheet, out)
    _progressives(sheet, out)
    seen: list[str] = []
    for entry in out.wagers:
        if entry.strategy is not None and entry.strategy.says not in seen:
            seen.append(entry.strategy.says)
            _strategy(sheet, entry)
    if detailed:
        for entry in (shown := _one_of_each(out.wagers)):
            _outcomes(sheet, entry)
            _volatility(entry)
        if len(shown) < len(out.wagers):
            screen.print("The same for others: --players 7 or --stake 5.00\n")
    told = [entry for entry in out.wagers if _told(entry, out)]
    for note in dict.fromkeys(note for entry in told for note in entry.notes):
        screen.print(f"[{QUIET}]{_escaped(note)}")
    if sheet.rules is not None:
        for option, says in out.options.items():
            screen.print(f"[{QUIET}]{option.replace('_', ' ').capitalize()}: {_escaped(says)}")
    if detailed:
        for says in (out.hold_says, *hold_notes(out.wagers)):
            screen.print(f"[{QUIET}]{says}")
    _together(sheet, out)
    _at_stakes(sheet, out)
    screen.print(f"[{QUIET}]{HIT_RATE} {out.checked}")
    if out.wagers and not detailed:
        screen.print(
            f"[{QUIET}]All rows of a wager, its volatility and the hold over many rounds: houseway par "
            f"{sheet.chapter.id} --wager {out.wagers[0].wager}"
        )


def _one_of_each(entries: list[WagerOut]) -> list[WagerOut]:
    """Each paytable once, where entries differ in the number of players or the stake alone."""
    found: dict[tuple[object, ...], WagerOut] = {}
    rest = [name for name in COLUMNS if name not in ("players", "stake")]
    for entry in entries:
        key = (entry.wager, entry.paytable, *(getattr(entry, name) for name in rest))
        found.setdefault(key, entry)
    return list(found.values())


def _escaped(text: str) -> str:
    """Text with clauses in brackets, which are no markup."""
    return text.replace("[", "\\[")


def _name(sheet: Sheet, entry: WagerOut) -> str:
    return wager_name(sheet.chapter, entry.wager)


def _summary(sheet: Sheet, out: SheetOut) -> None:
    plain = [entry for entry in out.wagers if entry.house_edge]
    if not plain:
        return
    rows: list[tuple[str, ...] | None] = []
    last = ""
    for entry in plain:
        if last and entry.wager != last:
            rows.append(None)
        shown = _name(sheet, entry) if entry.wager != last else ""
        last = entry.wager
        edge = fixed(entry.house_edge)
        if entry.house_edge.startswith("-"):
            edge = f"[{RED}]{edge}[/]"
        risk = fixed(entry.element_of_risk) if entry.element_of_risk else ""
        rows.append(
            (f"[{GOLD}]{shown}[/]", words(entry.paytable), column_text(entry), edge, risk,
             entry.standard_deviation, _percent(entry.hit_frequency))
        )  # fmt: skip
    print_table(
        ("wager", "table", "for", ">edge", ">element of risk", ">std. dev.", ">hit rate"), rows
    )


def _percent(fraction: str) -> str:
    return chance_text(Fraction(fraction))


def _told(entry: WagerOut, out: SheetOut) -> bool:
    """The first and the last number of players tell the rest: envy is even."""
    most = max(one.players or 0 for one in out.wagers if one.wager == entry.wager)
    return not entry.fixed_return or entry.players in (None, 1, most)


def _progressives(sheet: Sheet, out: SheetOut) -> None:
    found: dict[str, list[tuple[str, ...]]] = {}
    last = ("", "")
    for entry in out.wagers:
        if not entry.fixed_return or not _told(entry, out):
            continue
        shown = words(entry.paytable) if (entry.wager, entry.paytable) != last else ""
        last = (entry.wager, entry.paytable)
        beside = entry.beside_ante.meters if entry.beside_ante else {}
        long_run = entry.long_run
        lines = [
            (words(name.partition(".")[2] or "meter"), fair(one), fair(beside.get(name)))
            for name, one in entry.meters.items()
        ]
        returns = fixed(long_run.long_run_return) if long_run else ""
        rows = found.setdefault(_name(sheet, entry), [])
        rows.append((shown, column_text(entry), fixed(entry.fixed_return), *lines[0], returns))
        rows += [("", "", "", *line, "") for line in lines[1:]]
    for name, rows in found.items():
        print_table(
            ("table", "for", ">fixed return", "meter", ">break-even", ">beside an ante",
             ">long-run return"),
            rows,
            title=f"[{GOLD}]{name}[/]",
        )  # fmt: skip
    if found:
        beside_ante = any(entry.beside_ante for entry in out.wagers)
        console().print(
            f"[{QUIET}]Break-even: what the meter must show for a wager that no fold forfeits."
            + (" Beside an ante: where the ante is folded by its best strategy, and this wager with it."
               if beside_ante else "")
            + "\n"
        )  # fmt: skip


def _strategy(sheet: Sheet, entry: WagerOut) -> None:
    assert entry.strategy is not None
    screen = console()
    screen.print(f"[{GOLD}]{_name(sheet, entry)}[/]  {_escaped(entry.strategy.says)}")
    if entry.strategy.alternatives:
        screen.print("Skill sensitivity: what simpler play costs")
    for other in entry.strategy.alternatives:
        screen.print(
            f"  [{QUIET}]{_escaped(other.says)}: {fixed(other.house_edge)}, "
            f"costs {fixed(other.cost)}"
        )
    screen.print()


def _outcomes(sheet: Sheet, entry: WagerOut) -> None:
    extra = f", {column_text(entry)}" if column_text(entry) else ""
    *rows, (name, *rest, back) = outcome_rows(entry)
    print_table(
        ("outcome", "~pays", ">combinations", ">probability", ">return"),
        [*map(_escaped_row, rows), (f"[bold]{name}[/]", *rest, f"[bold]{back}[/]")],
        title=f"{_name(sheet, entry)} {words(entry.paytable)}{extra}",
    )


def _escaped_row(row: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(_escaped, row))


def _volatility(entry: WagerOut) -> None:
    screen = console()
    for name, value in spread_rows(entry)[1:]:
        screen.print(f"[{QUIET}]{name}:[/] {_escaped(value)}")
    rows = hold_rows(entry)
    if rows:
        print_table([f">{name}" for name in HOLD_HEAD], rows)
    screen.print()


def _together(sheet: Sheet, out: SheetOut) -> None:
    whole = out.together
    if whole is None:
        return
    names = {name: wager_name(sheet.chapter, name) for name in whole.wagers}
    screen = console()
    screen.print(
        f"\n[bold]Together[/], {together_text(whole, names)}: {together_figures(whole)}."
        f"{f' [{QUIET}]{whole.says}[/]' if whole.stakes else ''}"
    )
    if whole.leaves_out:
        screen.print(f"[{QUIET}]Left out: {'; '.join(whole.leaves_out)}.")


def _at_stakes(sheet: Sheet, out: SheetOut) -> None:
    """Wagers at chosen stakes, played separately and jointly."""
    from houseway.cli.strategy.stakes import show_stakes

    if out.at_stakes is not None:
        show_stakes(sheet.chapter, out.at_stakes)
