"""Where cards come from: the one place where randomness enters the table.

Three shoes look alike from here. The system's own supplies the order with the shuffle, and cards
come off that stack. A reading shoe leaves the stack unknown and names each card as it is dealt. And
a dealer at a plain table deals cards that nobody knows, face down, and keys them in when they are
turned. Whatever is named must be possible: in the deck, and not seen elsewhere already. Face-down
cards are not considered, whoever read them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from houseway.cards import batch, card, deck_with_joker, standard_deck
from houseway.errors import Refused
from houseway.law import Rules
from houseway.table import events as e
from houseway.table.moment import Moment, rules_of
from houseway.table.state import UNKNOWN, Table, cards_known, exposed_cards, order_is_lost

#: the steps under whose clause a round is void when the order of its cards is lost: an automated
#: shoe that fails to deal all cards, or what the chapter says of a round that cannot go on
LOST_ORDER = ("automated_shoe_jams", "void_round")


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
    """Remove a deck from the table with all its cards."""
    piles = deck_piles(now.table, deck)
    now.emit(e.DeckRemoved, clause, deck=deck, why=why, piles=piles)


def check_order(now: Moment, order: Sequence[str], held: tuple[str, ...] = ()) -> None:
    """Refuse an order from the system that lacks a card of the deck, or of what is left of it."""
    whole = held or pack(now.rules)
    known = Counter(order) == counted(whole) if UNKNOWN not in whole else _fits(order, whole)
    if not known:
        for text in order:
            card(text)
        raise Refused(
            "not_this_deck",
            f"the order supplied has {len(order)} cards and is not the deck of {len(whole)}",
            field="order",
        )


def _fits(order: Sequence[str], held: Sequence[str]) -> bool:
    """Whether these can be the cards held, of which some are unknown."""
    seen = Counter(text for text in held if text != UNKNOWN)
    return len(order) == len(held) and not seen - Counter(order)


def cards_to_shuffle(table: Table) -> tuple[str, ...]:
    """The cards of the next shuffle: a whole deck, or in mid-round those that are still in the shoe.

    The deck in play comes before the one that waits, which is shuffled whole.
    """
    in_round = table.hands and table.phase == "shuffling"
    if in_round and table.decks[table.in_play].stage == "stacked":
        return left_in_shoe(table)
    return pack(rules_of(table))


def left_in_shoe(table: Table) -> tuple[str, ...]:
    """The cards that are still to be drawn: one that everybody has seen is out of the shoe."""
    return table.piles.get("shoe", ())[len(exposed_cards(table)) :]


def lost_between_rounds(table: Table) -> bool:
    """Whether the order of the next round's shuffled cards can no longer be read by anybody."""
    deck = table.decks.get(table.in_play)
    shuffled = deck is not None and deck.stage == "shuffled"
    return shuffled and not table.hands and order_is_lost(table)


def check_dealing_device(now: Moment) -> None:
    """Refuse to take a card from a shoe that jammed, broke or lost its order."""
    if order_is_lost(now.table):
        raise now.refuse(
            "order_lost",
            "the order of these cards is lost: nothing is dealt before they are shuffled",
            *LOST_ORDER,
        )
    for id in ("automated_shoe", "continuous_shuffler"):
        device = now.table.devices.get(id)
        if device is not None and device.condition in ("jammed", "broken"):
            jam = ("automated_shoe_jams",) if id == "automated_shoe" else ("shuffler_jams",)
            steps = ("set_device_aside", *jam) if device.condition == "broken" else jam
            raise now.refuse(
                "device_out_of_order",
                f"the {id.replace('_', ' ')} is {device.condition}: nothing is dealt from it",
                *steps,
                "device_jams",
            )


def known_already(field: str) -> Refused:
    """The refusal of a named card that the table already knows, right or wrong."""
    return Refused(
        "cards_known", "the table knows these cards already; send the command without them",
        field=field,
    )  # fmt: skip


def seen_in(table: Table, place: str, who: str) -> Counter[str]:
    """The cards of a pile that somebody, or everybody, has seen."""
    if place in table.shown:
        return Counter(text for text in table.piles[place] if text != UNKNOWN)
    own, all_saw = table.seen.get(who, {}), table.seen.get("", {})
    return Counter(own.get(place, ())) | Counter(all_saw.get(place, ()))


def seen_cards(table: Table, who: str = "", instead_of: str = "") -> Counter[str]:
    """The cards of the deck in play that somebody, or everybody, has seen, except in one pile."""
    seen: Counter[str] = Counter()
    for name in deck_piles(table, table.in_play):
        if name != instead_of:
            seen += seen_in(table, name, who)
    if table.aside:
        seen.update(exposed_cards(table))
    return seen


def seen_too_often(now: Moment) -> str:
    """A card that lies face up more often than the deck has it: one of them was misread."""
    if cards_known(now.table):
        return ""
    more = seen_cards(now.table) - counted(pack(now.rules))
    return min(more, default="")


def named(now: Moment, cards: Sequence[str], instead_of: str = "") -> None:
    """Refuse a card that cannot be there: not in the deck, or seen already by whoever names it.

    What others named and lies face down does not count: a refusal would tell that it lies there. A
    card that was read twice is found when both are turned, before it pays anything. Cards that are
    turned over are named instead of the pile that they lie in.
    """
    seen = seen_cards(now.table, now.who, instead_of)
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
    now: Moment, count: int, given: Sequence[str], *, face_up: bool = False, behind: int = 0
) -> tuple[str, ...]:
    """The next cards of the shoe: off a known stack, as a reading shoe names them, or unknown.

    A card that everybody sees must be named where the stack is not known. `behind` so many cards that
    lie seen outside the shoe, the one that comes out of it.
    """
    if behind or not now.table.aside:
        check_dealing_device(now)
    top = now.table.piles.get("shoe", ())[behind : behind + count]
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
    if now.table.aside and not behind and top == (now.table.aside,):
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
    seen = seen_in(now.table, place, now.who)
    if UNKNOWN not in held and Counter(held) - seen:
        raise known_already("cards")
    if seen - Counter(given):
        raise Refused("not_these_cards", "other cards lie there", field="cards")
    if UNKNOWN not in held:
        return held
    named(now, tuple(given), place)
    return tuple(given)


def unseen(now: Moment) -> tuple[str, ...]:
    """Possible cards for the unknown ones, used where the result does not depend on them."""
    left = counted(pack(now.rules)).copy()
    for name in deck_piles(now.table, now.table.in_play):
        left.subtract(text for text in now.table.piles[name] if text != UNKNOWN)
    return tuple(text for text, count in left.items() for _ in range(max(0, count)))
