"""Counting what is not in the cache yet, with a progress bar where a person is watching."""

from __future__ import annotations

import sys

from houseway.law import MA, MD, PRIME, SAIGON
from houseway.maths import tallies

_PARTS = {
    MD: ("three", "five"),
    MA: ("three", "cover_all"),
    PRIME: ("three", "prime"),
    SAIGON: ("saigon",),
}


def count(*chapters: str) -> None:
    """Make sure that every tally of these chapters has been counted."""
    wanted = dict(one for id in chapters for one in tallies.missing(*_PARTS.get(id, ())))
    if not wanted or not sys.stderr.isatty():
        return  # whoever asks for a tally counts it
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Counting hands, once", total=len(wanted))
        for make in wanted.values():
            make()
            bar.advance(task)
