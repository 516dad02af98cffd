"""A card: a small integer that prints as `As`, `Td`, `7c`, or `Jk` for the joker.

The number is `rank * 4 + suit`, so kernels can use it as an index; ranks run from the two (0) to
the ace (12), suits are clubs, diamonds, hearts, spades (0 to 3), the joker is 52.
"""

from __future__ import annotations

from collections.abc import Iterable

from houseway.errors import Refused

RANKS = "23456789TJQKA"
SUITS = "cdhs"

RANK_NAMES = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")

TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(13)
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


class Card(int):
    """One playing card. Equal cards are equal integers; text comes from `str(card)`."""

    __slots__ = ()

    @property
    def rank(self) -> int:
        """0 for a two up to 12 for an ace; the joker has 13, which is not a rank."""
        return self >> 2

    @property
    def suit(self) -> int:
        return self & 3

    @property
    def is_joker(self) -> bool:
        return self == 52

    @property
    def is_red(self) -> bool:
        return self & 3 in (DIAMONDS, HEARTS)

    @property
    def name(self) -> str:
        """For a person or a screen reader: "ace of spades"."""
        return "joker" if self == 52 else f"{RANK_NAMES[self >> 2]} of {SUIT_NAMES[self & 3]}"

    def __str__(self) -> str:
        return _TEXT[self]

    def __repr__(self) -> str:
        return _TEXT[self]


_TEXT = (*(rank + suit for rank in RANKS for suit in SUITS), "Jk")
_ALL = tuple(Card(number) for number in range(53))
_BY_TEXT = dict(zip(_TEXT, _ALL, strict=True))
_card = _BY_TEXT.__getitem__

JOKER = _ALL[52]


def card(text: str) -> Card:
    """The card that a text names, or a refusal that says what a card looks like."""
    try:
        return _BY_TEXT[text]
    except (KeyError, TypeError):
        raise Refused(
            "no_such_card",
            f"{text!r} is not a card; a card is a rank of {RANKS} and a suit of {SUITS}, such as Td,"
            " or Jk",
        ) from None


def cards(text: str | Iterable[str]) -> tuple[Card, ...]:
    """Several cards: `cards("As Kd 7c")` or `cards(["As", "Kd", "7c"])`."""
    parts = text.split() if isinstance(text, str) else tuple(text)
    try:
        return tuple(map(_card, parts))
    except (KeyError, TypeError):
        return tuple([card(part) for part in parts])


def show(hand: Iterable[Card]) -> str:
    """The inverse of `cards`: "As Kd 7c"."""
    return " ".join(map(str, hand))


def standard_deck() -> tuple[Card, ...]:
    return _ALL[:52]


def deck_with_joker() -> tuple[Card, ...]:
    return _ALL


def batch(decks: int) -> tuple[Card, ...]:
    """Several 52-card decks put together, as in a blackjack shoe."""
    return _ALL[:52] * decks
