"""Blackjack hands: what they count, what a player may still do, whether the dealer draws.

An ace is 11 unless that would take the hand over its limit, then 1. The limit is 21 for a player; for
the dealer it is 22 by the letter of 685a.3(d)(3) and 21 by the other reading. All numbers
are the chapter's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from houseway.cards import ACE, RANKS, Card
from houseway.law import DOWN_UNDER, Chapter, Rules, cites


class Total(NamedTuple):
    """A point count; soft while an ace in it counts 11."""

    points: int
    soft: bool

    def __str__(self) -> str:
        return f"{'soft' if self.soft else 'hard'} {self.points}"


class Numbers(NamedTuple):
    """What a chapter says about totals, under one reading of the dealer's soft 22."""

    #: by rank, the ace at its lowest
    points: tuple[int, ...]
    ace_extra: int
    player_most: int
    draw_below: int
    dealer_most: int
    dealer_ace_most: int
    dealer_stands_from: int
    push_total: int
    #: the value range of each rank
    ranges: tuple[str, ...]
    lights: dict[str, str]


@cache
def _numbers(law: Chapter, reading: str) -> Numbers:
    def by_name(fact: str) -> dict[str, int | str]:
        value = law.fact(fact).value
        assert isinstance(value, dict)
        return value

    values = by_name("card_values")
    ranges = by_name("hole_card_range")
    return Numbers(
        points=tuple(int(values[rank]) for rank in RANKS),
        ace_extra=law.number("ace_extra"),
        player_most=law.number("player_most"),
        draw_below=law.number("draw_below"),
        dealer_most=law.number("dealer_most"),
        dealer_ace_most=int(by_name("dealer_ace_most")[reading]),
        dealer_stands_from=law.number("dealer_stands_from"),
        push_total=law.number("push_total"),
        ranges=tuple(
            next(name for name, ranks in ranges.items() if rank in str(ranks)) for rank in RANKS
        ),
        lights={name: str(light) for name, light in by_name("hole_card_light").items()},
    )


@lru_cache(maxsize=256)
def numbers(rules: Rules) -> Numbers:
    """The numbers by which these rules count."""
    return _numbers(rules.chapter, rules["dealer_soft_22"])


def _total(known: Numbers, cards: Sequence[Card], ace_most: int) -> Total:
    points = aces = 0
    for card in cards:
        rank = card >> 2
        points += known.points[rank]
        aces += rank == ACE
    soft = False
    while aces and points + known.ace_extra <= ace_most:
        points += known.ace_extra
        aces -= 1
        soft = True
    return Total(points, soft)


@cites(DOWN_UNDER, "685a.3(d)", "685a.3(d)(1)", "685a.3(d)(2)", "685a.3(d)(3)")
def player_total(rules: Rules, cards: Sequence[Card]) -> Total:
    """What a player's hand counts."""
    known = numbers(rules)
    return _total(known, cards, known.player_most)


@cites(DOWN_UNDER, "685a.3(d)", "685a.3(d)(3)")
def dealer_total(rules: Rules, cards: Sequence[Card]) -> Total:
    """What the dealer's hand counts, by the reading that the rules choose."""
    known = numbers(rules)
    return _total(known, cards, known.dealer_ace_most)


@cites(DOWN_UNDER, "685a.7(m)")
def dealer_draws(rules: Rules, cards: Sequence[Card]) -> bool:
    """Whether the dealer takes another card: below 17, hard or soft."""
    return dealer_total(rules, cards).points < numbers(rules).dealer_stands_from


@cites(DOWN_UNDER, '685a.1 "Blackjack"')
def is_blackjack(rules: Rules, cards: Sequence[Card]) -> bool:
    """An ace and a card worth ten, and nothing else; the caller knows whether they were dealt so."""
    return len(cards) == 2 and player_total(rules, cards).points == numbers(rules).player_most


@cites(DOWN_UNDER, "685a.3(d)#2(1)", "685a.3(d)#2(2)", "685a.3(d)#2(3)")
@cites(DOWN_UNDER, '685a.1 "Small"', '685a.1 "Medium"', '685a.1 "Large"')
def value_range(rules: Rules, card: Card) -> str:
    """The range of a hole card: small, medium or large."""
    return numbers(rules).ranges[card >> 2]


@cites(DOWN_UNDER, "685a.3(d)#2(1)", "685a.3(d)#2(2)", "685a.3(d)#2(3)")
def light(rules: Rules, card: Card) -> str:
    """The light that the reader shows for a hole card."""
    return numbers(rules).lights[value_range(rules, card)]


def both_large(rules: Rules, cards: Sequence[Card]) -> bool:
    """Whether a hand is exactly two cards of the large range."""
    return len(cards) == 2 and all(value_range(rules, card) == "large" for card in cards)


@cites(DOWN_UNDER, "685a.7(i)(2)", "685a.7(k)", "685a.7(k)(1)", "685a.7(k)(2)", "685a.9(a)")
@cites(DOWN_UNDER, "685a.10(a)", "685a.10(c)", "685a.10(e)")
def open_decisions(
    rules: Rules, cards: Sequence[Card], *, from_split: bool = False
) -> tuple[str, ...]:
    """What a player may decide on a hand as it lies; nothing where the hand is finished."""
    if len(cards) < 2:
        return ()
    if from_split and cards[0].rank == ACE:
        return ()
    known = numbers(rules)
    if _total(known, cards, known.player_most).points >= known.draw_below:
        return ()
    if len(cards) > 2:
        return ("hit", "stand")
    alike = known.points[cards[0] >> 2] == known.points[cards[1] >> 2]
    if alike and not from_split:
        return ("hit", "stand", "double", "split")
    return ("hit", "stand", "double")
