"""Events and phases in sentences for a page, without anything that is hidden."""

from __future__ import annotations

from collections.abc import Iterable

from houseway.law import Chapter
from houseway.table import events as e
from houseway.table.actions import PHASES as TOLD
from houseway.table.event_text import describe, in_public

#: in these phases a player may wager although the cards are not ready
_EARLY = ("shuffling", "cutting", "loading", "burning")


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


PHASES = {
    phase: sentence(told) + "." + (" You may wager already." if phase in _EARLY else "")
    for phase, told in TOLD.items()
} | {"betting": "Place your wagers."}

#: left out: moving cards, which everybody sees, and internal steps of the record
_UNSAID = (
    e.PhaseBegan, e.DeckPrepared, e.CutOffered, e.CoverCardPlaced, e.DeckTurn, e.SatOut,
    e.ProgressiveLocked, e.ProgressiveUnlocked, e.ProgressiveCollected, e.MeterMoved,
    e.CardsDealt, e.CardsMoved, e.CardsTurned, e.SettlementDue,
    e.SettlementCorrected, e.DeviceInspected, e.CardsSpread,
)  # fmt: skip


def said(
    events: Iterable[e.Event], law: Chapter | None = None, most: int = 12
) -> list[tuple[str, str]]:
    """The last events in words, each with its clause, without those that everybody sees."""
    found: list[tuple[str, str]] = []
    for event in events:
        if not event.unsaid and not isinstance(event, _UNSAID):
            found.append((sentence(describe(in_public(event), law)), event.clause))
            if len(found) == most:
                break
    return found
