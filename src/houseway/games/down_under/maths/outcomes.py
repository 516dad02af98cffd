"""What insurance and Match-the-Dealer can come to from a full shoe, with the ways to each outcome."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

from houseway.law import Paytable
from houseway.maths.figures import Spread
from houseway.maths.wagers import LOSES, Outcomes, beside


@cache
def match_the_dealer(decks: int) -> tuple[tuple[tuple[str, ...], int], ...]:
    """How often none, one or both of two cards match the dealer's up card, suited or not.

    The up card is given: decks - 1 cards are the same card, 3 * decks are of its rank in other
    suits. The two cards are drawn without regard to order; the key names what each matches.
    """
    suited, unsuited = decks - 1, 3 * decks
    rest = 52 * decks - 1 - suited - unsuited
    return (
        (("suited_match", "suited_match"), comb(suited, 2)),
        (("suited_match", "unsuited_match"), suited * unsuited),
        (("unsuited_match", "unsuited_match"), comb(unsuited, 2)),
        (("suited_match",), suited * rest),
        (("unsuited_match",), unsuited * rest),
        ((), comb(rest, 2)),
    )


def pay_matches(decks: int, table: Paytable) -> Spread:
    """Each match is paid by itself; without one the wager is lost."""
    ways: dict[Fraction, int] = {}
    total = 0
    for names, count in match_the_dealer(decks):
        pays = [table[name].odds for name in names]
        net = sum((beside(odds, 1) for odds in pays), Fraction(0)) if pays else LOSES
        ways[net] = ways.get(net, 0) + count
        total += count
    return Spread(ways, total)


def insurance(decks: int) -> Outcomes:
    """The hole card under an ace, nothing else being known."""
    tens, others = 16 * decks, 36 * decks - 1
    return Outcomes(((("win",), tens), ((), others)), tens + others)


class AceUp:
    """Chances in a whole shoe when the dealer shows an ace, one round of thirteen."""

    def __init__(self, decks: int) -> None:
        cards, aces, tens = 52 * decks, 4 * decks, 16 * decks
        #: a ten under the ace, with nothing else known and beside a player's blackjack
        self.ten, self.ten_then = Fraction(tens, cards - 1), Fraction(tens - 1, cards - 3)
        #: in what part of all rounds the player has a blackjack then
        self.blackjack = Fraction(2 * aces * tens * (aces - 1), cards * (cards - 1) * (cards - 2))

    @property
    def insured(self) -> Fraction:
        """In what part of all rounds insurance is made by one who takes even money on blackjacks."""
        return Fraction(1, 13) - self.blackjack

    def beside_other_hands(self, pays: Fraction) -> Fraction:
        """What a unit of such insurance brings on average."""
        ten = (self.ten / 13 - self.blackjack * self.ten_then) / self.insured
        return ten * pays - (1 - ten)
