"""`houseway strategy` for Down Under Blackjack: the charts, in the terminal, as SVG and as PDF."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from houseway.cli.output import GOLD, QUIET, console, print_json
from houseway.errors import Refused
from houseway.games.down_under.maths.charts import TITLES, WORDS, as_svg, ups
from houseway.games.down_under.maths.entries import strategy_of
from houseway.games.down_under.maths.figures import BetFigures, figures
from houseway.games.down_under.maths.variant import Variant, variant_of
from houseway.law import Rules
from houseway.maths.answers import StrategySheet
from houseway.maths.figures import percent

if TYPE_CHECKING:
    from rich.table import Table

READINGS = {
    "stands": "the dealer stands on a soft 22",
    "counts_as_12": "the dealer counts a soft 22 as 12",
}
_STYLE = {"H": QUIET, "S": GOLD, "D": "green", "Ds": "green", "P": "cyan"}
#: how many hands better played otherwise are shown in a terminal
_SHOWN = 8


def charts(rules: Rules, *, out: str | None, pdf: str | None, json: bool) -> int:
    """Show or write the charts for the rules of a table."""
    game = variant_of(rules)
    known = figures(game)
    if out is not None:
        _write(out, svg(rules, game, known).encode())
    if pdf is not None:
        from houseway.documents.strategy_sheet import strategy_sheet

        _write(pdf, strategy_sheet(rules, game, known, svg(rules, game, known)))
    if json:
        print_json(
            StrategySheet(
                rules.chapter.id, "bet", rules.table("bet").id, strategy_of(known), [], []
            )
        )
    elif out is None and pdf is None:
        _show(rules, game, known)
    return 0


def title(rules: Rules, game: Variant) -> str:
    return f"{rules.chapter.about.game}, {game.decks} decks"


def svg(rules: Rules, game: Variant, known: BetFigures) -> str:
    """The charts as one drawing."""
    says = f"Best play by total, up card and range; {READINGS[game.dealer_soft_22]}."
    return as_svg(known.chart, title(rules, game), says)


def _write(path: str, content: bytes) -> None:
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise Refused("cannot_write", f"{path}: {error.strerror}") from None


def _show(rules: Rules, game: Variant, known: BetFigures) -> None:
    from rich.columns import Columns

    screen = console()
    screen.print(f"\n[bold]{title(rules, game)}[/], {READINGS[game.dealer_soft_22]}\n")
    screen.print(Columns([_panel(known, id) for id in known.chart], padding=(0, 3)))
    screen.print(
        "   ".join(f"[{_STYLE[letter]}]{letter}[/] {word}" for letter, word in WORDS.items())
    )
    edge = Fraction(known.edge)
    screen.print(f"\nEdge {percent(edge)}% at best play of every hand.")
    for other in strategy_of(known).alternatives:
        screen.print(
            f"  [{QUIET}]{other.says}: {other.house_edge_percent}%, costs {other.cost_percent}%"
        )
    screen.print(f"\nHands better played otherwise, {_SHOWN} of {len(known.departures)}:")
    for one in known.departures[:_SHOWN]:
        split = " from a split" if one.from_split else ""
        screen.print(
            f"  [{QUIET}]{one.cards}{split} against {one.up}, {one.range}: {one.better}, not "
            f"{one.chart}; gains {one.gain} of the bet"
        )


def _panel(known: BetFigures, id: str) -> Table:
    from rich.table import Table

    panel = known.chart[id]
    table = Table(
        title=TITLES[id], title_justify="left", title_style="bold", box=None, padding=(0, 0)
    )
    table.add_column("", justify="right", style="bold")
    for up in ups(panel):
        table.add_column(up, justify="right", min_width=3)
    for kind, rows in panel.items():
        table.add_row(f"[{QUIET}]{kind}[/]", *[""] * len(ups(panel)))
        for row, codes in rows.items():
            table.add_row(row, *(f"[{_STYLE[code]}]{code}[/]" for code in codes.values()))
    return table
