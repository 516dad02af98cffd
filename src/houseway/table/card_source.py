"""Where cards come from: the port through which chance reaches the table.

Three shoes look alike from here. The system's own supplies the order with the shuffle, and cards
come off that stack. A reading shoe leaves the stack unknown and names each card as it is dealt. And
a dealer at a plain table deals cards that nobody knows, face down, and keys them in when they are
turned. Whatever is named must be possible: in the deck, and not seen elsewhere already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from houseway.cards import batch, card, deck_with_joker, standard_deck
from houseway.errors import Refused
from houseway.law import Rules
from houseway.table import events as e
from houseway.table.engine import Moment, known_already
from houseway.table.state import UNKNOWN, Table


@lru_cache(maxsize=16)
def _pack(decks: int, size: int) -> tuple[str, ...]:
    whole = deck_with_joker() if size > len(standard_deck()) else standard_deck()
    return tuple(map(str, whole if decks == 1 else batch(decks)))


def pack(rules: Rules) -> tuple[str, ...]:
    """Every card of one deck, or of one batch of decks, that these rules play with."""
    decks = rules.options.get("decks")
    return _pack(decks if isinstance(decks, int) else 1, rules.chapter.number("deck_cards"))


@lru_cache(maxsize=16)
def counted(cards: tuple[str, ...]) -> Counter[str]:
    return Counter(cards)


def deck_piles(table: Table, deck: str) -> tuple[str, ...]:
    """The piles that hold cards of a deck."""
    own = f"deck.{deck}"
    if deck == table.in_play:
        return tuple(
            name
            for name in table.piles
            if name == own or (name != "shuffler" and not name.startswith("deck."))
        )
    return (own,) if own in table.piles else ("shuffler",)


def remove_deck(now: Moment, deck: str, why: str, clause: str) -> None:
    """A deck leaves the table with all its cards."""
    piles = deck_piles(now.table, deck)
    now.emit(e.DeckRemoved, clause, deck=deck, why=why, piles=piles)


def check_order(now: Moment, order: Sequence[str]) -> None:
    """An order that the system supplies is the whole deck, each card as often as it is there."""
    whole = pack(now.rules)
    if Counter(order) != counted(whole):
        for text in order:
            card(text)
        raise Refused(
            "not_this_deck",
            f"the order supplied has {len(order)} cards and is not the deck of {len(whole)}",
            field="order",
        )


def named(now: Moment, cards: Sequence[str], instead_of: str = "") -> None:
    """Refuse a card that cannot be there: not in the deck, or seen already.

    Cards that are turned over are named instead of the pile that they lie in.
    """
    seen = Counter(
        text
        for name in deck_piles(now.table, now.table.in_play)
        if name != instead_of
        for text in now.table.piles[name]
    )
    whole = counted(pack(now.rules))
    for text in cards:
        found = card(text)
        if not whole[text]:
            raise Refused(
                "card_not_in_deck", f"the {found.name} is not in this deck", field="cards"
            )
        seen[text] += 1
        if seen[text] > whole[text]:
            raise Refused(
                "card_seen_already",
                f"the {found.name} was seen already in this deck",
                field="cards",
            )


def draw(
    now: Moment, count: int, given: Sequence[str], *, face_up: bool = False
) -> tuple[str, ...]:
    """The next cards of the shoe: off a known stack, as a reading shoe names them, or unknown.

    A card that everybody sees must be named where the stack is not known.
    """
    top = now.table.piles.get("shoe", ())[:count]
    if len(top) < count:
        raise now.refuse(
            "shoe_empty", "there are not enough cards left to deal from", "shoe_runs_out", "deal"
        )
    if not given:
        if face_up and UNKNOWN in top:
            raise Refused("cards_not_known", "key in the card that is dealt face up", field="cards")
        return top
    if len(given) != count:
        raise Refused(
            "wrong_number_of_cards",
            f"{len(given)} cards were named where {count} are dealt",
            field="cards",
        )
    if now.table.aside and top == (now.table.aside,):
        # everybody has seen this card
        if tuple(given) != top:
            raise Refused(
                "not_the_next_card", f"the next card is the {card(top[0]).name}", field="cards"
            )
        return top
    if set(top) != {UNKNOWN}:
        raise known_already("cards")
    named(now, given)
    return tuple(given)


def turned(now: Moment, place: str, given: Sequence[str]) -> tuple[str, ...]:
    """The cards of a pile as it is turned up; those that nobody knew must be named now."""
    held = now.table.piles.get(place, ())
    if not given:
        if UNKNOWN in held:
            raise Refused(
                "cards_not_known", "key in the cards as they are turned over", field="cards"
            )
        return held
    if len(given) != len(held):
        raise Refused(
            "wrong_number_of_cards",
            f"{len(given)} cards were named where {len(held)} lie",
            field="cards",
        )
    if UNKNOWN not in held:
        if sorted(given) != sorted(held):
            raise Refused("not_these_cards", "other cards lie there", field="cards")
        return held
    kept = Counter(text for text in held if text != UNKNOWN)
    if kept - Counter(given):
        raise Refused("not_these_cards", "other cards lie there", field="cards")
    named(now, tuple(given), place)
    return tuple(given)


def unseen(now: Moment) -> tuple[str, ...]:
    """Cards that could be any of the unknown ones: to stand in where nothing depends on them."""
    left = counted(pack(now.rules)).copy()
    for name in deck_piles(now.table, now.table.in_play):
        left.subtract(text for text in now.table.piles[name] if text != UNKNOWN)
    return tuple(text for text, count in left.items() for _ in range(max(0, count)))
