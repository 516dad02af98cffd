"""`--stakes`: wagers of one seat at chosen stakes, each played alone and all jointly."""

from __future__ import annotations

from houseway.cli.terminal.output import QUIET, console, print_table
from houseway.law import Chapter
from houseway.maths.par import wager_name
from houseway.maths.sheet import StakesOut
from houseway.maths.sheet_text import STAKES_HEAD, stakes_lines, stakes_rows, stakes_text


def show_stakes(law: Chapter, out: StakesOut) -> None:
    """Print what a round of these wagers brings, and what playing them jointly gains."""
    screen = console()
    names = {name: wager_name(law, name) for name in out.stakes}
    screen.print(f"\n[bold]At these stakes[/]: {stakes_text(out, names)}")
    first, *others = (title.lower() for title in STAKES_HEAD)
    print_table((first, *(f">{title}" for title in others)), stakes_rows(out))
    for line in stakes_lines(out, names):
        screen.print(f"[{QUIET}]{line.replace('[', chr(92) + '[')}")
