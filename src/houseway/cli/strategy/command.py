"""`houseway strategy`: the optimal strategy as a picture, in the terminal or as SVG."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Annotated

from cyclopts import Parameter
from msgspec.structs import replace
from rich.text import Text

from houseway.cli.chapter_choice import OUT, ChapterId
from houseway.cli.precompute import count
from houseway.cli.terminal.output import (
    GOLD,
    QUIET,
    console,
    print_beside,
    print_json,
    print_line,
    print_table,
    write_bytes,
    write_text,
)
from houseway.law import chapter, choose, read_rules
from houseway.maths.figures import decimal
from houseway.maths.game import MATHS
from houseway.maths.strategy_view import Chart, Charts, Picture, StrategyView

#: styles of a chart's codes in a terminal, besides plain colors
_STYLES = {"quiet": QUIET, "gold": GOLD}
#: columns between two charts
_GAP = 4


def strategy(
    id: ChapterId,
    /,
    *,
    rules: str | None = None,
    out: Annotated[str | None, OUT] = None,
    pdf: str | None = None,
    removal: Annotated[bool, Parameter(negative="")] = False,
    stakes: str = "",
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Show the best way to play a chapter's main wager, and what simpler ways cost.

    Parameters
    ----------
    id
        The chapter.
    rules
        A rules file; the chapter's first choices without one.
    out
        Write the picture as SVG to this file.
    pdf
        Write the charts as a PDF to this file, if the game has charts.
    removal
        For a game with a shoe: what each removed card changes, insurance by your own cards,
        and even money.
    stakes
        Wagers of one seat, as ante=10,five_card_progressive=1: the best play of them together,
        and what it gains.
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
    joint = None
    if stakes:
        from houseway.maths.joint.at_stakes import stakes_by_entry
        from houseway.maths.joint.joint_wagers import everything
        from houseway.simulate.plan import read_wagers

        # without a rules file every wager is offered, each with its first table
        offered = chosen if rules is not None else everything(law)
        by_entry = stakes_by_entry(offered, read_wagers(stakes, "stakes"))
        joint = MATHS.of(law).joint_play(offered, by_entry, {}).out()
    if pdf is not None:
        from houseway.documents.strategy_sheet import strategy_sheet

        document = strategy_sheet(chosen, view)
    if out is not None:
        from houseway.documents.charts import picture_svg

        write_text(out, picture_svg(view.picture), quiet=json)
    if pdf is not None:
        write_bytes(pdf, document, quiet=json)
    if json:
        print_json(replace(view.out(law.id), at_stakes=joint))
    elif out is None and pdf is None:
        _show(view)
        if joint is not None:
            from houseway.cli.strategy.stakes import show_stakes

            show_stakes(law, joint)
    return 0


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
    """The charts beside each other, as many as the console holds, and the legend."""
    screen = console()
    styles = {letter: _STYLES.get(code.style, code.style) for letter, code in charts.codes.items()}
    drawn = [_chart(title, panel, styles) for title, panel in charts.panels.items()]
    wide = max(line.cell_len for lines in drawn for line in lines)
    many = max(1, (screen.width + _GAP) // (wide + _GAP))
    for first in range(0, len(drawn), many):
        for lines in zip_longest(*drawn[first : first + many], fillvalue=Text()):
            row = Text()
            for place, line in enumerate(lines):
                row.append(" " * (place * (wide + _GAP) - row.cell_len))
                row.append_text(line)
            print_line(screen, row)
        screen.print()
    for letter, code in charts.codes.items():
        print_beside(screen, f"  [{styles[letter]}]{letter:2}[/]  ", code.says)
    screen.print()


def _chart(title: str, panel: Chart, styles: Mapping[str, str]) -> list[Text]:
    """The lines of one chart: the dealer's cards across, the player's hands down."""
    from houseway.documents.charts import columns

    left = max(len(name) for kind, rows in panel.items() for name in (kind, *rows))
    lines = [Text(title, "bold"), Text(" " * left + "".join(f"{one:>3}" for one in columns(panel)))]
    for kind, rows in panel.items():
        lines.append(Text(f"{kind:>{left}}", QUIET))
        for row, codes in rows.items():
            line = Text(f"{row:>{left}}", "bold")
            for code in codes.values():
                line.append(f"{code:>3}", styles[code])
            lines.append(line)
    return lines


def _grid(picture: Picture) -> None:
    middles = sorted({cell.middle for cell in picture.cells}, key="AKQJT98765432".index)
    by_high: dict[str, dict[str, str]] = {}
    for cell in picture.cells:
        by_high.setdefault(cell.high, {})[cell.middle] = cell.label
    rows = []
    for high, row in by_high.items():
        shown = [row.get(middle, "") for middle in middles]
        rows.append(
            (high, *(f"[{QUIET}]fold[/]" if s == "fold" else f"[{GOLD}]{s}[/]" for s in shown))
        )
    print_table(("high", *middles), rows)
