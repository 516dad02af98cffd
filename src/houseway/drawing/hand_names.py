"""What cards come to, in the words that stand beside them: one place for every picture and page."""

from __future__ import annotations

from collections.abc import Sequence

from houseway.cards import Card
from houseway.games.down_under import hands as blackjack
from houseway.games.saigon.hands import values
from houseway.games.three_card import hands as three_card
from houseway.law import DOWN_UNDER, SAIGON, Rules


def hand_words(rules: Rules, hand: Sequence[Card], *, split: bool = False) -> str:
    """A player's hand, or one of two set from it; nothing while it is not whole."""
    if rules.chapter.id == DOWN_UNDER:
        return _count(rules, hand, split)
    if rules.chapter.id == SAIGON:
        return _set_hand(rules, hand)
    return three_card.name(hand).capitalize() if len(hand) == 3 else ""


def dealer_words(rules: Rules, hand: Sequence[Card]) -> str:
    """The dealer's hand, with a hole card turned; nothing while it is not whole."""
    law = rules.chapter
    if law.id == DOWN_UNDER:
        if len(hand) < 2:
            return ""
        if blackjack.is_blackjack(rules, hand):
            return "Blackjack"
        return str(blackjack.dealer_total(rules, hand).points)
    if law.id != SAIGON:
        return hand_words(rules, hand)
    if len(hand) != law.number("hand_cards"):
        return ""
    best = values(law).best(hand)
    return f"Qualifies, count {best.point_count}" if best.qualifies else "Does not qualify"


def _set_hand(rules: Rules, hand: Sequence[Card]) -> str:
    """Saigon's three cards or its showdown hand; five that are not set yet are neither."""
    law = rules.chapter
    if len(hand) == law.number("three_cards"):
        return "Qualifies" if values(law).qualifies(hand) else "No qualifier"
    if len(hand) == law.number("showdown_cards"):
        return f"Count {values(law).point_count(hand)}"
    return ""


def _count(rules: Rules, hand: Sequence[Card], split: bool) -> str:
    if not split and blackjack.is_blackjack(rules, hand):
        return "Blackjack"
    total = blackjack.player_total(rules, hand)
    most = rules.chapter.number("player_most")
    if total.points > most:
        return f"{total.points}, bust"
    return f"{'Soft ' if total.soft and total.points < most else ''}{total.points}"
