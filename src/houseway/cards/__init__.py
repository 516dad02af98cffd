"""Cards, decks and shuffles."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import ModuleType

from houseway.arguments import checked
from houseway.cards.card import (
    ACE,
    CLUBS,
    DIAMONDS,
    EIGHT,
    FIVE,
    FOUR,
    HEARTS,
    JACK,
    JOKER,
    KING,
    NINE,
    QUEEN,
    RANK_NAMES,
    RANKS,
    SEVEN,
    SIX,
    SPADES,
    SUIT_NAMES,
    SUITS,
    TEN,
    THREE,
    TWO,
    Card,
    batch,
    card,
    cards,
    deck_with_joker,
    show,
    standard_deck,
)
from houseway.cards.shuffle import SeededSource, Source, SystemSource, shuffled

__all__ = [
    "ACE", "CLUBS", "DIAMONDS", "EIGHT", "FIVE", "FOUR", "HEARTS", "JACK", "JOKER", "KING",
    "NINE", "QUEEN", "RANKS", "RANK_NAMES", "SEVEN", "SIX", "SPADES", "SUITS", "SUIT_NAMES",
    "TEN", "THREE", "TWO", "Card", "SeededSource", "Source", "SystemSource", "batch", "card",
    "cards", "deck_with_joker", "show", "shuffled", "standard_deck",
]  # fmt: skip


class _Cards(ModuleType):
    """The package, which reads cards when it is called: `houseway.cards("As Kd")`."""

    @checked
    def __call__(self, text: str | Iterable[str]) -> tuple[Card, ...]:
        return cards(text)


sys.modules[__name__].__class__ = _Cards
