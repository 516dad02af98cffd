"""The names that people see for the hands and results of paytables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from houseway.law.outcome import names_of

#: the hands and results of the paytables, as a player calls them
HAND_NAMES = {
    "super_royal": "Super royal",
    "super_royal_diamonds": "Super royal, diamonds",
    "six_card_royal": "Six-card royal",
    "six_card_royal_diamonds": "Six-card royal, diamonds",
    "royal_flush": "Royal flush",
    "royal_flush_joker": "Royal flush, joker",
    "five_aces": "Five aces",
    "straight_flush": "Straight flush",
    "four_of_a_kind": "Four of a kind",
    "full_house": "Full house",
    "flush": "Flush",
    "straight": "Straight",
    "three_of_a_kind": "Three of a kind",
    "two_pair": "Two pair",
    "pair": "Pair",
    "high_card": "High card",
    "mini_royal": "A-K-Q suited",
    "mini_royal_spades": "A-K-Q of spades",
    "same_color": "Your three one color",
    "same_color_both": "All six one color",
    "suited_match": "Suited match",
    "unsuited_match": "Unsuited match",
    "blackjack": "Blackjack",
    "point_count_5": "point count of 5",
    "win": "Win",
}
#: a hand that another of the same table sets apart: "the other suits"
_APART = {
    "super_royal": ("super_royal_diamonds", "Super royal, other suits"),
    "six_card_royal": ("six_card_royal_diamonds", "Six-card royal, other suits"),
    "mini_royal": ("mini_royal_spades", "A-K-Q of other suits"),
    "royal_flush": ("royal_flush_joker", "Royal flush, no joker"),
}


def hand_name(hand: str, beside: Iterable[str] = ()) -> str:
    """The name of a hand in a table that also pays these others."""
    apart = _APART.get(hand)
    if apart and apart[0] in beside:
        return apart[1]
    return HAND_NAMES.get(hand, hand.replace("_", " ").capitalize())


#: names that speak to the player, as a sentence about any seat says them
_OF_ANY_SEAT = {
    "same_color": "three cards of one color",
    "same_color_both": "six cards of one color",
}


def hand_words(hand: str, beside: Iterable[str] = ()) -> str:
    """The name of a hand inside a sentence: "straight flush", "A-K-Q of spades"."""
    name = _OF_ANY_SEAT.get(hand) or hand_name(hand, beside)
    return name if name[1:2] == "-" else name[:1].lower() + name[1:]


_ENVY = "envy_"


def outcome_words(outcome: str, beside: Iterable[str] = ()) -> str:
    """An outcome in a table that also has these others: "tie", "envy: A-K-Q of spades"."""
    if outcome.startswith(_ENVY):
        others = [other.removeprefix(_ENVY) for other in beside if other.startswith(_ENVY)]
        return f"envy: {hand_words(outcome.removeprefix(_ENVY), others)}"
    return " or ".join(
        " + ".join(hand_words(part, beside) for part in one.split("+"))
        for one in outcome.split(" or ")
    )


def listed_hands(
    listed: str,
    beside: Collection[str] = (),
    named: Callable[[str, Iterable[str]], str] = hand_words,
) -> str:
    """Hands separated by commas, in words; a hand is left out if a wider one is in the list.

    A hand that another row of the table, `beside` it, sets apart by suit is that of other suits.
    """
    parts = [part.strip() for part in listed.split(",")]
    kept = [part for part in parts if not any(wide in parts for wide in names_of(part)[1:])]
    others = [hand for hand in beside if hand not in parts]
    return ", ".join(named(part, others) if part in HAND_NAMES else part for part in kept)
