"""`houseway strategy`: the optimal strategy as a picture, in the terminal or as SVG."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from houseway.cli.output import GOLD, QUIET, console, print_json
from houseway.cli.precompute import count
from houseway.errors import Refused
from houseway.law import DOWN_UNDER, Rules, chapter, choose, read_rules
from houseway.maths.answers import HighCardHands, StrategySheet, Worth
from houseway.maths.figures import decimal, exact
from houseway.maths.par import Asked, entries_of, wager_ids
from houseway.maths.sheet import StrategyOut
from houseway.maths.strategy_picture import Picture, saigon_picture, three_card_picture

#: How the strategy of a wager is drawn.
PICTURES = {"ante_play": three_card_picture, "ante": saigon_picture}


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
        Write the charts of Down Under Blackjack as a document to this file.
    removal
        Down Under Blackjack: what each card that is gone changes, insurance by one's own cards, and
        even money.
    json
        As JSON.
    """
    law = chapter(id)
    chosen = read_rules(rules, hypothetical=True) if rules is not None else choose(law)
    if chosen.chapter.id == id:
        law = chosen.chapter
    count(law.id, rules=chosen)
    if removal:
        if law.id != DOWN_UNDER:
            raise Refused("not_in_this_game", f"{law.id} has no shoe that cards go out of")
        from houseway.cli.strategy.removal import removal as show_removal

        return show_removal(chosen, json=json)
    if law.id == DOWN_UNDER:
        from houseway.cli.strategy.charts import charts

        return charts(chosen, out=out, pdf=pdf, json=json)
    if pdf is not None:
        raise Refused("no_document", f"the strategy of {law.id} is drawn as SVG, with --out")
    wager = next(one for one in wager_ids(law) if one in PICTURES)
    entry = entries_of(Asked(law, chosen), wager)[0]
    found = entry.strategy
    assert found is not None
    picture = PICTURES[wager](chosen, found.says)
    if out is not None:
        try:
            Path(out).write_text(svg(picture), encoding="utf-8")
        except OSError as error:
            raise Refused("cannot_write", f"{out}: {error.strerror}") from None
    if json:
        print_json(_out(chosen, wager, entry.paytable, found, picture))
    elif out is None:
        _show(found, picture)
    return 0


def svg(picture: Picture) -> str:
    """The picture as SVG."""
    from houseway.documents.charts import bars, strategy_grid

    if picture.cells:
        cells = [(cell.high, cell.middle, cell.label) for cell in picture.cells]
        return strategy_grid(picture.title, picture.says, picture.note, cells)
    return bars(picture.title, picture.says, picture.note, picture.worth)


def _out(
    rules: Rules, wager: str, paytable: str, found: StrategyOut, picture: Picture
) -> StrategySheet:
    return StrategySheet(
        rules.chapter.id,
        wager,
        paytable,
        found,
        [
            HighCardHands(
                cell.high, cell.middle, list(cell.played), list(cell.sometimes), list(cell.folded)
            )
            for cell in picture.cells
        ],
        [Worth(label, exact(value)) for label, value in picture.worth],
    )


def _show(found: StrategyOut, picture: Picture) -> None:
    screen = console()
    screen.print(f"\n[bold]{picture.title}[/]\n{found.says}\n")
    if picture.cells:
        _grid(picture)
    for label, value in picture.worth:
        shown = decimal(value, 4)
        bar = "█" * max(1, round(abs(float(value)) * 40))
        colour = QUIET if value < 0 else GOLD
        screen.print(f"  {label:18} {shown:>8}  [{colour}]{bar}")
    screen.print(f"\n[{QUIET}]{picture.note}")
    for other in found.alternatives:
        screen.print(f"[{QUIET}]{other.says}: costs {float(other.cost_percent):.4f}% of the ante")


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
