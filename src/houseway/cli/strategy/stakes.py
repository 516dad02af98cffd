"""`--stakes`: wagers of one seat at stakes of one's own, each played alone and all jointly."""

from __future__ import annotations

from fractions import Fraction

from houseway.cli.terminal.output import GOLD, QUIET, console, print_table
from houseway.law import Chapter
from houseway.maths.figures import percent
from houseway.maths.par import wager_name
from houseway.maths.sheet import PlayedOut, StakesOut


def show_stakes(law: Chapter, out: StakesOut) -> None:
    """Print what a round of these wagers brings, and what playing them jointly gains."""
    screen = console()
    made = ", ".join(
        f"{wager_name(law, name)} ${float(stake):,.2f}" for name, stake in out.stakes.items()
    )
    screen.print(f"\n[bold]At these stakes[/]: {made}")
    rows = [_row("each wager alone", out.separately)]
    if out.jointly is not None:
        rows.append(_row("all jointly", out.jointly))
    print_table(("played", ">loses a round", ">of all wagered", ">std. dev."), rows)
    if out.jointly is not None:
        screen.print(f"[{GOLD}]Jointly[/]: {out.jointly.says}")
        shares = ", ".join(
            f"{float(share):.4f}% of {wager_name(law, name)}"
            for name, share in out.gain_percent.items()
        )
        screen.print(f"That gains ${float(out.gain_dollars):,.4f} a round: {shares}.")
    for note in out.notes:
        screen.print(f"[{QUIET}]{note.replace('[', chr(92) + '[')}")


def _row(name: str, played: PlayedOut) -> tuple[str, ...]:
    return (
        name,
        f"${float(played.expected_loss_dollars):,.4f}",
        f"{percent(Fraction(played.house_edge), 4)}%",
        f"${float(played.standard_deviation):,.2f}",
    )
