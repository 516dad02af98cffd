"""Insurance, even money and Match-the-Dealer for any composition, and what each card removed does.

Insurance is offered before the reader is used (685a.8(b)), so all that a player knows is the up card
and his own cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from houseway.cards import RANKS
from houseway.errors import Refused
from houseway.games.down_under.maths.solver.hands import ACE, TEN, Hand, hand_of
from houseway.games.down_under.maths.solver.variant import Variant, checked
from houseway.law import Paytable


def _unseen(rules: Variant, seen: Sequence[int], shoe: Hand | None) -> Hand:
    whole = checked(rules, shoe)
    left = tuple(n - gone for n, gone in zip(whole, hand_of(*seen), strict=True))
    if min(left) < 0:
        raise Refused("composition", "these cards cannot all have come from this shoe")
    return left


def insurance(rules: Variant, player: Sequence[int] = (), shoe: Hand | None = None) -> Fraction:
    """What one unit of insurance wins on average against an ace, given one's own cards."""
    left = _unseen(rules, [ACE, *player], shoe)
    ten = Fraction(left[TEN], sum(left))
    return ten * rules.insurance_pays - (1 - ten)


def even_money(rules: Variant, shoe: Hand | None = None) -> tuple[Fraction, Fraction]:
    """A blackjack against an ace: what even money gives, and what waiting gives on average."""
    left = _unseen(rules, [ACE, ACE, TEN], shoe)
    ten = Fraction(left[TEN], sum(left))
    return rules.even_money_pays, (1 - ten) * rules.blackjack_pays


def insurance_by_hand(rules: Variant) -> dict[tuple[int, int], Fraction]:
    """Insurance for every two cards of the player."""
    return {
        (low, high): insurance(rules, [low, high]) for low in range(10) for high in range(low, 10)
    }


def match_the_dealer(table: Paytable, left: Sequence[Sequence[int]]) -> Fraction:
    """What one unit of Match-the-Dealer wins on average (685a.11(c)).

    `left[rank][suit]` counts the cards of the shoe. Two of the player's cards are matched each by
    itself, so the average is twice that of one card, less what a wager without a match loses.
    """
    cards = sum(map(sum, left))
    pairs = cards * (cards - 1)
    suited = sum(n * (n - 1) for rank in left for n in rank)
    same_rank = sum(sum(rank) * (sum(rank) - 1) for rank in left)
    # a wager without a match is lost: neither of two cards is of the up card's rank
    none = sum(sum(rank) * (cards - sum(rank)) * (cards - sum(rank) - 1) for rank in left)
    won = 2 * (
        suited * table["suited_match"].odds.value
        + (same_rank - suited) * table["unsuited_match"].odds.value
    )
    return Fraction(won, pairs) - Fraction(none, pairs * (cards - 2))


def full(decks: int) -> list[list[int]]:
    return [[decks] * 4 for _ in RANKS]


def match_removed(table: Paytable, decks: int) -> Fraction:
    """How Match-the-Dealer's value changes when one card, any card, is gone from a full shoe."""
    whole, less = full(decks), full(decks)
    less[0][0] -= 1
    return match_the_dealer(table, less) - match_the_dealer(table, whole)


def insurance_removed(rules: Variant) -> list[Fraction]:
    """How insurance's value changes when a card of each value is gone, ace first."""
    whole = insurance(rules)
    return [insurance(rules, [card]) - whole for card in range(10)]
