"""`houseway reconcile`: the holds that agencies published beside the exact ones."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from houseway.cli.chapter_choice import OptionalChapter
from houseway.cli.precompute import count
from houseway.cli.terminal.output import GOLD, QUIET, console, plain, print_beside, print_json
from houseway.law import chapter
from houseway.maths.answers import ChangeOut, ExactOut, HoldOut, Published, ReconcileOut
from houseway.maths.figures import exact, percent
from houseway.maths.game import MATHS
from houseway.maths.par import wager_name
from houseway.maths.reconcile import Change, Finding, Payout, printed
from houseway.maths.reconcile import reconcile as reconciled


def reconcile(
    id: OptionalChapter = None, /, *, json: Annotated[bool, Parameter(negative="")] = False
) -> int:
    """Compare every published hold with the exact one, and explain what differs.

    If a figure does not follow from the text, changes of a payout or a rule are searched,
    alone and in pairs, that reproduce every published figure of that wager.

    Parameters
    ----------
    id
        The chapter; all of them by default.
    json
        As JSON.
    """
    ids = MATHS.chapters() if id is None else (chapter(id).id,)
    count(*(one for one in ids if chapter(one).about.holds), search=True)
    findings = [finding for one in ids for finding in reconciled(chapter(one))]
    if json:
        print_json(ReconcileOut([_out(finding) for finding in findings]))
        return 0
    screen = console()
    if not findings:
        screen.print("No hold was published for this chapter.")
    last = ""
    for finding in findings:
        if finding.chapter.id != last:
            last = finding.chapter.id
            screen.print(f"\n[bold]{finding.chapter.about.game}[/]  [{QUIET}]{last}")
        _show(finding)
    return 0


def _figures(finding: Finding) -> tuple[str, str]:
    """Published and exact, as one figure or as a range."""
    hold = finding.hold
    exactly = [f"{printed(finding.low, hold.low)}%", f"{printed(finding.high, hold.high)}%"]
    published = [hold.low, hold.high]
    return tuple(" to ".join(dict.fromkeys(pair)) for pair in (published, exactly))  # type: ignore[return-value]


def _show(finding: Finding) -> None:
    screen = console()
    published, exactly = _figures(finding)
    name = wager_name(finding.chapter, finding.hold.wager)
    screen.print(f"  [{GOLD}]{name}[/]  published {published}, exact {exactly}")
    if finding.agrees:
        screen.print("    agrees to every digit published")
        return
    if not finding.explanations:
        screen.print(
            f"    no change of one or two rules or payouts explains it ({finding.searched:,} tried)"
        )
        return
    smallest, *others = finding.explanations
    print_beside(screen, "    [bold]would follow from:[/] ", _text(smallest))
    for other in others[:3]:
        print_beside(screen, f"    [{QUIET}]also from:[/] ", f"[{QUIET}]{_text(other)}[/]")
    if len(others) > 3:
        more = len(others) - 3
        screen.print(f"    [{QUIET}]and from {more} more")


def _text(changes: tuple[Change, ...]) -> str:
    return " and ".join(plain(str(one)) for one in changes)


def _out(finding: Finding) -> HoldOut:
    hold = finding.hold
    published, exactly = _figures(finding)
    explained = [[_change(one) for one in changes] for changes in finding.explanations]
    return HoldOut(
        finding.chapter.id,
        hold.wager,
        Published(hold.low, hold.high, hold.where),
        [ExactOut(table, exact(edge), percent(edge)) for table, edge in finding.edges],
        f"{printed(finding.low, hold.low)}%",
        f"{printed(finding.high, hold.high)}%",
        finding.agrees,
        f"published {published}, exact {exactly}",
        explained[0] if explained else None,
        explained,
        finding.searched,
    )


def _change(one: Change) -> ChangeOut:
    if isinstance(one, Payout):
        return ChangeOut(
            "payout", one.was, one.becomes, one.clause, str(one), one.wager, one.table, one.hand
        )
    switch = one.switch
    return ChangeOut(
        switch.kind, switch.says, switch.instead, switch.clause, str(one), switch=switch.id
    )
