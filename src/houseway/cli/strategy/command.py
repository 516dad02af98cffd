"""`houseway strategy`: the optimal strategy as a picture, in the terminal or as SVG."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from houseway.cli.output import GOLD, QUIET, console, print_json
from houseway.cli.precompute import count
from houseway.errors import Refused
from houseway.law import chapter, choose, read_rules
from houseway.maths.figures import decimal
from houseway.maths.game import MATHS
from houseway.maths.strategy_view import Charts, Picture, StrategyView

#: styles of a chart's codes in a terminal, besides plain colors
_STYLES = {"quiet": QUIET, "gold": GOLD}


def strategy(
    id: str,
    /,
    *,
    rules: str | None = None,
    out: str | None = None,
    pdf: str | None = None,
    removal: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Show the best way to play a chapter's main wager, and what simpler ways cost.

    Parameters
    ----------
    id
        The chapter.
    rules
        A rules file; the chapter's first choices where there is none.
    out
        Write the picture as SVG to this file.
    pdf
        Write the charts as a document to this file, where the game has charts.
    removal
        For a game with a shoe: what each card that is gone changes, insurance by one's own cards,
        and even money.
    json
        As JSON.
    """
    law = chapter(id)
    chosen = read_rules(rules, hypothetical=True) if rules is not None else choose(law)
    if chosen.chapter.id == id:
        law = chosen.chapter
    count(law.id, rules=chosen)
    if removal:
        from houseway.cli.strategy.removal import removal as show_removal

        return show_removal(chosen, json=json)
    view = MATHS.of(law).strategy(chosen)
    if pdf is not None:
        from houseway.documents.strategy_sheet import strategy_sheet

        document = strategy_sheet(chosen, view)
    if out is not None:
        from houseway.documents.charts import picture_svg

        _write(out, picture_svg(view.picture).encode())
    if pdf is not None:
        _write(pdf, document)
    if json:
        print_json(view.out(law.id))
    elif out is None and pdf is None:
        _show(view)
    return 0


def _write(path: str, content: bytes) -> None:
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise Refused("cannot_write", f"{path}: {error.strerror}") from None


def _show(view: StrategyView) -> None:
    screen, picture = console(), view.picture
    screen.print(f"\n[bold]{picture.title}[/]{view.lead}\n")
    if picture.cells:
        _grid(picture)
    if picture.charts is not None:
        _charts(picture.charts)
    for label, value in picture.worth:
        shown = decimal(value, 4)
        bar = "█" * max(1, round(abs(float(value)) * 40))
        color = QUIET if value < 0 else GOLD
        screen.print(f"  {label:18} {shown:>8}  [{color}]{bar}")
    for text, aside in view.remarks:
        screen.print(f"[{QUIET}]{text}" if aside else text)


def _charts(charts: Charts) -> None:
    from rich.columns import Columns
    from rich.table import Table

    from houseway.documents.charts import columns

    styles = {letter: _STYLES.get(code.style, code.style) for letter, code in charts.codes.items()}
    tables = []
    for title, panel in charts.panels.items():
        table = Table(
            title=title, title_justify="left", title_style="bold", box=None, padding=(0, 0)
        )
        table.add_column("", justify="right", style="bold")
        for column in columns(panel):
            table.add_column(column, justify="right", min_width=3)
        for kind, rows in panel.items():
            table.add_row(f"[{QUIET}]{kind}[/]", *[""] * len(columns(panel)))
            for row, codes in rows.items():
                table.add_row(row, *(f"[{styles[code]}]{code}[/]" for code in codes.values()))
        tables.append(table)
    console().print(Columns(tables, padding=(0, 3)))
    legend = (f"[{styles[letter]}]{letter}[/] {code.says}" for letter, code in charts.codes.items())
    console().print("   ".join(legend))


def _grid(picture: Picture) -> None:
    from rich import box
    from rich.table import Table

    middles = sorted({cell.middle for cell in picture.cells}, key="AKQJT98765432".index)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), show_edge=False)
    table.add_column("high", style="bold")
    for middle in middles:
        table.add_column(middle, justify="center", no_wrap=True)
    by_high: dict[str, dict[str, str]] = {}
    for cell in picture.cells:
        by_high.setdefault(cell.high, {})[cell.middle] = cell.label
    for high, row in by_high.items():
        shown = [row.get(middle, "") for middle in middles]
        table.add_row(
            high, *(f"[{QUIET}]fold[/]" if s == "fold" else f"[{GOLD}]{s}[/]" for s in shown)
        )
    console().print(table)
