"""What arithmetic alone finds wrong with a text: paytables that return more than they take."""

from __future__ import annotations

from fractions import Fraction

from houseway.law import Chapter
from houseway.law.chapter import Erratum
from houseway.maths.figures import percent
from houseway.maths.par import Asked, entries_of, quick_wagers
from houseway.maths.sheet import Entry


def returned(entry: Entry) -> Fraction:
    """What of one unit comes back: for a progressive before any meter and any envy is counted."""
    if entry.progressive is not None:
        return entry.progressive.wager.own_return
    assert entry.spread is not None
    return 1 - entry.spread.edge


def generous(law: Chapter) -> list[Erratum]:
    """Every printed paytable of a chapter that returns more than it takes, as an erratum.

    Wagers that take a long solution are left out.
    """
    found: dict[tuple[str, str], Erratum] = {}
    for wager in quick_wagers(law):
        for entry in entries_of(Asked(law), wager):
            back = returned(entry)
            if back > 1 and (wager, entry.paytable) not in found:
                found[wager, entry.paytable] = Erratum(
                    id=f"returns-more-than-it-takes-{wager}-{entry.paytable}",
                    clauses=(entry.clause,),
                    kind="arithmetic",
                    finds=f"Table {entry.paytable} of {wager.replace('_', ' ')} returns "
                    f"{percent(back, 4)}% of what is staked"
                    + (" before any meter is counted." if entry.progressive else "."),
                    reading="It is followed where it is chosen. Found by computing every table.",
                )
    return list(found.values())
