"""Cards: ivory faces, two backs, a joker and a cover card, drawn once and used again.

A card is drawn in 250 by 350 and set to its size on the table; whoever wants another size scales
it. `Deck` keeps the symbols: in two colors, or in
four (green clubs, blue diamonds).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from houseway.cards import Card
from houseway.drawing.pieces.face_cards import INK, IVORY, JOKER, court, shared
from houseway.drawing.pieces.suits import SUIT_PATHS

#: a card on the table, in millimeters: poker size
WIDTH, HEIGHT = 250 * 0.254, 350 * 0.254

RED = "#b3202a"
_BACKS = {"red": ("#8e1b24", "#c9616a"), "blue": ("#1c3a72", "#6f8cc4")}
COVER = "#e8b417"

_FOUR = {"c": "#1d6b3a", "d": "#1d4f9e", "h": RED, "s": INK}
_TWO = {"c": INK, "d": RED, "h": RED, "s": INK}

#: pips of the upper half and of the middle, column (0 left, 1 middle, 2 right) and height
_UPPER: dict[str, tuple[tuple[int, float], ...]] = {
    "2": ((1, 0),), "3": ((1, 0),), "4": ((0, 0), (2, 0)), "5": ((0, 0), (2, 0)),
    "6": ((0, 0), (2, 0)), "7": ((0, 0), (2, 0)), "8": ((0, 0), (2, 0), (1, 0.25)),
    "9": ((0, 0), (2, 0), (0, 1 / 3), (2, 1 / 3)),
    "T": ((0, 0), (2, 0), (0, 1 / 3), (2, 1 / 3), (1, 1 / 6)),
}  # fmt: skip
_MIDDLE: dict[str, tuple[tuple[int, float], ...]] = {
    "3": ((1, 0.5),), "5": ((1, 0.5),), "6": ((0, 0.5), (2, 0.5)),
    "7": ((0, 0.5), (2, 0.5), (1, 0.25)), "8": ((0, 0.5), (2, 0.5)), "9": ((1, 0.5),),
}  # fmt: skip
_COLUMNS = (88, 125, 162)
_TOP, _BOTTOM = 56, 294


@dataclass(frozen=True, slots=True)
class Deck:
    """How the suits are colored."""

    four_color: bool = False

    @property
    def prefix(self) -> str:
        """Symbols of the two decks have names of their own, so both may stand on one page."""
        return "hw4" if self.four_color else "hw"

    def color(self, suit: str) -> str:
        return (_FOUR if self.four_color else _TWO)[suit]

    def symbol_id(self, card: Card) -> str:
        return f"{self.prefix}-{card}"

    def symbols(self, faces: Iterable[Card], backs: Iterable[str] = ()) -> str:
        """The symbols of these cards, each once, in the order of the deck."""
        shown = sorted(set(faces))
        names = [str(card) for card in shown if not card.is_joker]
        courts = [name for name in names if name[0] in "KQJ"]
        return (
            _BLANK
            + MARK_SYMBOL
            + "".join(self._suit(suit) for suit in sorted({name[1] for name in names}))
            + shared({name[0] for name in courts}, {name[1] for name in courts}, self.prefix)
            + "".join(_face(self, card) for card in shown)
            + "".join(_back(name) for name in sorted(set(backs)))
        )

    def _suit(self, suit: str) -> str:
        return (
            f'<symbol id="{self.prefix}-{suit}" viewBox="0 0 100 100"><path fill="'
            f'{self.color(suit)}" d="{SUIT_PATHS[suit]}"/></symbol><use id="{self.prefix}-pip-'
            f'{suit}" href="#{self.prefix}-{suit}" x="-22" y="-22" width="44" height="44"/>'
        )


#: what is laid over a card that makes the hand
MARK = "hw-mark"
MARK_SYMBOL = f'<rect id="{MARK}" class="glow thin" width="{WIDTH}" height="{HEIGHT:.1f}" rx="4"/>'


def back_id(name: str) -> str:
    return f"hw-back-{name}"


#: the blank card, with the shade that it throws on the felt
_BLANK = (
    '<g id="hw-blank"><rect x="1" y="9" width="256" height="348" rx="20" fill-opacity=".14"/>'
    '<rect x="2" y="5" width="251" height="348" rx="17" fill-opacity=".2"/>'
    f'<rect x="1" y="1" width="248" height="348" rx="15" fill="{IVORY}" stroke="#000" '
    'stroke-opacity=".4" stroke-width="2"/></g>'
)
_EDGE = '<use href="#hw-blank"/>'
_SET = ' transform="scale(.254)"'


def _index(label: str, suit: str, deck: Deck) -> str:
    """A large rank over its suit."""
    narrow = ' textLength="47" lengthAdjust="spacingAndGlyphs"' if label in ("10", *"AKQ") else ""
    return (
        f'<text x="32" y="69" text-anchor="middle" font-size="78" font-weight="700" '
        f'fill="{deck.color(suit)}"{narrow}>{label}</text>'
        f'<use href="#{deck.prefix}-{suit}" x="11" y="79" width="42" height="42"/>'
    )


def _pips(places: tuple[tuple[int, float], ...], suit: str, deck: Deck) -> str:
    return "".join(
        f'<use href="#{deck.prefix}-pip-{suit}" x="{_COLUMNS[column]}" '
        f'y="{round(_TOP + (_BOTTOM - _TOP) * height)}"/>'
        for column, height in places
    )


@cache
def _face(deck: Deck, card: Card) -> str:
    name = deck.symbol_id(card)
    if card.is_joker:
        letters = "".join(
            f'<text x="30" y="{58 + 40 * at}" text-anchor="middle" font-size="44" '
            f'font-weight="700" fill="#7a2a8c">{letter}</text>'
            for at, letter in enumerate("JOKER")
        )
        twice = f'<use href="#{name}-i" transform="rotate(180 125 175)"/>'
        return f'<g id="{name}"{_SET}>{_EDGE}{JOKER}<g id="{name}-i">{letters}</g>{twice}</g>'
    rank, suit = str(card)[0], str(card)[1]
    label = "10" if rank == "T" else rank
    upper = _index(label, suit, deck)
    middle = ""
    if rank in "KQJ":
        middle = court(rank, suit, deck.color(suit), "#24457f" if card.is_red else RED, deck.prefix)
        upper += f'<use href="#{deck.prefix}-{suit}" x="64" y="26" width="26" height="26"/>'
    elif rank == "A":
        size = 118
        middle = (
            f'<use href="#{deck.prefix}-{suit}" x="{125 - size // 2}" y="{175 - size // 2}" '
            f'width="{size}" height="{size}"/>'
        )
    else:
        upper += _pips(_UPPER[rank], suit, deck)
        middle = _pips(_MIDDLE.get(rank, ()), suit, deck)
    return (
        f'<g id="{name}"{_SET}>{_EDGE}{middle}<g id="{name}-i">{upper}</g>'
        f'<use href="#{name}-i" transform="rotate(180 125 175)"/></g>'
    )


@cache
def _back(name: str) -> str:
    if name == "cover":
        return (
            f'<g id="{back_id(name)}"{_SET}><rect x="1" y="1" width="248" height="348" rx="15" '
            f'fill="{COVER}" stroke="#000" stroke-opacity=".4" stroke-width="2"/></g>'
        )
    dark, light = _BACKS[name]
    id = back_id(name)
    # a lattice of lozenges with a dot in each, a plain border, a rosette in the middle
    tile = (
        f'<pattern id="{id}-tile" width="26" height="26" patternUnits="userSpaceOnUse" '
        f'patternTransform="translate(125 175)rotate(45)"><rect width="26" height="26" '
        f'fill="{dark}"/><path d="M0 0H26M0 0V26" stroke="{light}" stroke-width="3"/>'
        f'<circle cx="13" cy="13" r="4.4" fill="{light}"/></pattern>'
    )
    petals = "".join(
        f'<ellipse cx="125" cy="151" rx="11" ry="24" transform="rotate({turn} 125 175)"/>'
        for turn in range(0, 180, 45)
    )
    rosette = (
        f'<circle cx="125" cy="175" r="56" fill="{dark}" stroke="{IVORY}" stroke-width="4"/>'
        f'<g id="{id}-p" fill="none" stroke="{light}" stroke-width="4">{petals}</g>'
        f'<use href="#{id}-p" transform="rotate(180 125 175)"/>'
        f'<circle cx="125" cy="175" r="10" fill="{IVORY}"/>'
    )
    return (
        f'{tile}<g id="{id}"{_SET}>{_EDGE}'
        f'<rect x="15" y="15" width="220" height="320" rx="8" fill="url(#{id}-tile)" '
        f'stroke="{dark}" stroke-width="5"/>{rosette}</g>'
    )
