"""Down Under Blackjack written down a second time, slowly and straight from the clauses.

Nothing here uses the program's own counting, checking or settling: this is the twin that the
program is compared with. A round is played from a shoe as the text says, with decisions drawn at
random from those the text leaves open, and each player's result is worked out from the clauses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from random import Random

TENS = "TJQK"
LARGE = "TJQKA"


def totals(cards):
    """Every total that a hand can have, each ace being 1 or 11."""
    fixed = sum(10 if card[0] in TENS else int(card[0]) for card in cards if card[0] != "A")
    aces = sum(card[0] == "A" for card in cards)
    return {fixed + sum(choice) for choice in product((1, 11), repeat=aces)}


def best(cards, most):
    """The highest total that is not too high, or the lowest there is."""
    fitting = [total for total in totals(cards) if total <= most]
    return max(fitting) if fitting else min(totals(cards))


def blackjack(cards):
    return len(cards) == 2 and "A" in cards[0][0] + cards[1][0] and best(cards, 21) == 21


def alike(first, second):
    return first[0] == second[0] or (first[0] in TENS and second[0] in TENS)


@dataclass
class Hand:
    cards: list[str]
    split: bool = False
    doubled: int = 0


@dataclass
class Box:
    """One seat; amounts in cents."""

    seat: int
    bet: int
    match: int = 0
    insurance: int = 0
    even_money: bool = False
    hands: list[Hand] = field(default_factory=list)

    def first_two(self):
        if len(self.hands) == 2:
            return self.hands[0].cards[0], self.hands[1].cards[0]
        return tuple(self.hands[0].cards[:2])

    def has_blackjack(self):
        return len(self.hands) == 1 and blackjack(self.hands[0].cards)


@dataclass
class Game:
    decks: int
    match: bool
    dealer_most: int  # the most an ace may make of the dealer's hand: 22, or 21
    dealer: list[str]
    boxes: list[Box]


def play(chance: Random, *, decks: int, match: bool, dealer_most: int, seats) -> Game:
    """A round from the first card to the dealer's last."""
    shoe = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"] * decks
    chance.shuffle(shoe)
    if chance.random() < 0.5:
        # half the rounds begin with many pairs, aces and tens, where the rules are busiest
        busy = chance.choice(["AT", "A8", "TJ", "A56", "TK"])
        shoe.sort(key=lambda card: card[0] in busy and chance.random() < 0.3)
    boxes = [Box(seat, 200 * chance.randint(1, 30)) for seat in seats]
    for box in boxes:
        box.match = 50 * chance.randint(1, 9) if match and chance.random() < 0.5 else 0
        box.hands = [Hand([shoe.pop()])]
    dealer = [shoe.pop()]
    for box in boxes:
        box.hands[0].cards.append(shoe.pop())
    dealer.append(shoe.pop())
    if dealer[0][0] == "A":
        for box in boxes:
            if box.has_blackjack() and chance.random() < 0.3:
                box.even_money = True
            elif chance.random() < 0.5:
                box.insurance = 50 * chance.randint(1, box.bet // 100)
    if not blackjack(dealer):
        for box in boxes:
            if not box.has_blackjack():
                act(chance, box, shoe)
        if any(
            best(hand.cards, 21) <= 21
            for box in boxes
            if not box.has_blackjack()
            for hand in box.hands
        ):
            while best(dealer, dealer_most) < 17:
                dealer.append(shoe.pop())
    return Game(decks, match, dealer_most, dealer, boxes)


def act(chance: Random, box: Box, shoe) -> None:
    first = box.hands[0].cards
    if alike(*first) and chance.random() < 0.6:
        box.hands = [Hand([first[0]], split=True), Hand([first[1]], split=True)]
    for hand in box.hands:
        if len(hand.cards) == 1:
            hand.cards.append(shoe.pop())
            if hand.cards[0][0] == "A":
                continue
        if best(hand.cards, 21) < 21 and chance.random() < 0.3:
            hand.doubled = chance.choice([box.bet, 50 * chance.randint(1, box.bet // 50)])
            hand.cards.append(shoe.pop())
            continue
        while best(hand.cards, 21) < 21 and chance.random() < 0.5:
            hand.cards.append(shoe.pop())


def as_round(game: Game, **rules):
    """The same round in the shape of `settle`'s JSON."""

    def money(amount):
        return f"{amount // 100}.{amount % 100:02d}"

    seats = []
    for box in game.boxes:
        wagers = {"bet": money(box.bet)}
        if box.match:
            wagers["match_the_dealer"] = money(box.match)
        if box.insurance:
            wagers["insurance"] = money(box.insurance)
        hands = [
            {
                "cards": hand.cards,
                "split": hand.split,
                "doubled": True if hand.doubled == box.bet else money(hand.doubled),
            }
            if hand.doubled
            else {"cards": hand.cards, "split": hand.split}
            for hand in box.hands
        ]
        seats.append({"seat": box.seat, "wagers": wagers, "hands": hands})
        if box.even_money:
            seats[-1]["even_money"] = True
    return {
        "chapter": "pa-down-under-blackjack",
        "rules": {
            "decks": game.decks,
            "match_the_dealer": game.match,
            "dealer_soft_22": "stands" if game.dealer_most == 22 else "counts_as_12",
            **rules,
        },
        "dealer": game.dealer,
        "seats": seats,
    }


def net(game: Game, box: Box) -> Fraction:
    """What the player of a box is up or down, in cents."""
    dealer = best(game.dealer, game.dealer_most)
    up = game.dealer[0]
    result = Fraction(0)
    if box.match:
        suited, unsuited = {6: (11, 4), 8: (14, 3)}[game.decks]
        won = [suited if card == up else unsuited for card in box.first_two() if card[0] == up[0]]
        result += box.match * sum(won) if won else -box.match
    if box.even_money:
        return result + box.bet
    if box.insurance:
        result += 2 * box.insurance if game.dealer[1][0] in TENS else -box.insurance
    if blackjack(game.dealer):
        return result if box.has_blackjack() else result - box.bet
    if box.has_blackjack():
        return result + Fraction(3, 2) * box.bet
    for hand in box.hands:
        stake = box.bet + hand.doubled
        mine = best(hand.cards, 21)
        if mine > 21:
            result -= stake
        elif dealer == 22:
            original = len(hand.cards) == 2 and not hand.split
            large = original and all(card[0] in LARGE for card in hand.cards)
            result += stake if mine == 21 or large else 0
        elif dealer > 22 or mine > dealer:
            result += stake
        elif mine < dealer:
            result -= stake
    return result
