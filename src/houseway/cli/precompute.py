"""Counting what is not in the cache yet, with a progress bar where a person is watching."""

from __future__ import annotations

import sys

from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, Rules, chapter
from houseway.maths import tallies

_PARTS = {
    MD: ("three", "five"),
    MA: ("three", "cover_all"),
    PRIME: ("three", "prime"),
    SAIGON: ("saigon",),
}


def count(*chapters: str, rules: Rules | None = None, search: bool = False) -> None:
    """Make sure that every tally of these chapters has been counted.

    For Down Under Blackjack that is the solution of every game, or of those of some rules, and with
    `search` what explains the published hold.
    """
    if not sys.stderr.isatty():
        return  # whoever asks for a tally counts it
    wanted = dict(one for id in chapters for one in tallies.missing(*_PARTS.get(id, ())))
    if DOWN_UNDER in chapters:
        from houseway.games.down_under.maths import figures, reconcile

        wanted |= dict(figures.missing(rules))
        search = search and not reconcile.is_searched()
    else:
        search = False
    if not wanted and not search:
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        if wanted:
            task = bar.add_task("Counting hands, once", total=len(wanted))
            for make in wanted.values():
                make()
                bar.advance(task)
        if search:
            task = bar.add_task("Trying other rules, once")
            law = chapter(DOWN_UNDER)
            hold = next(hold for hold in law.about.holds if hold.wager == "bet")
            reconcile.searched(
                law, hold, lambda done, of: bar.update(task, completed=done, total=of)
            )
