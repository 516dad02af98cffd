"""Counting what is not in the cache yet, with a progress bar where a person is watching."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from houseway.law import Rules, chapter
from houseway.maths.game import MATHS

if TYPE_CHECKING:
    from rich.progress import TaskID


def count(*chapters: str, rules: Rules | None = None, search: bool = False) -> None:
    """Make sure that all that these chapters need has been counted, once for all.

    For some games that is the solution of every game, or of those of some rules. With `search` it
    is the searches for what explains a published hold, which count only what they need.
    """
    if not sys.stderr.isatty():
        return  # whoever asks for a tally counts it
    laws = [chapter(id) for id in chapters]
    wanted = {
        (law.about.family, name): make
        for law in laws
        if not search
        for name, make in MATHS.of(law).missing(law, rules)
    }
    searches = [one for law in laws if search for one in MATHS.of(law).missing_searches(law)]
    if not wanted and not searches:
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        if wanted:
            task = bar.add_task("Counting hands (only once)", total=len(wanted))
            for make in wanted.values():
                make()
                bar.advance(task)
        for _, search_for in searches:
            task = bar.add_task("Trying other rules (only once)")

            def progress(done: int, of: int, task: TaskID = task) -> None:
                bar.update(task, completed=done, total=of)

            search_for(progress)
