"""Down Under Blackjack solved the slow and obvious way, straight from the clauses, in fractions.

Cards are numbers: 1 for an ace, 2 to 9, 10 for a ten or a face. A shoe is a sorted tuple of cards.
Nothing here is shared with the solver under test, and nothing is clever: the dealer's cards are
drawn one by one, the hole card is any card of its range that nobody has seen, and the two hands of
a split are really played one after the other from one shoe.
"""

from collections import Counter
from fractions import Fraction
from functools import cache

SMALL, MEDIUM, LARGE = {2, 3, 4, 5}, {6, 7, 8, 9}, {10, 1}
RANGES = {"small": SMALL, "medium": MEDIUM, "large": LARGE}


def without(shoe, *cards):
    left = list(shoe)
    for card in cards:
        left.remove(card)
    return tuple(left)


def player_total(hand):
    """3(d): an ace is 11 unless the player would have more than 21."""
    total = sum(hand)
    return total + 10 if 1 in hand and total + 10 <= 21 else total


class Plain:
    def __init__(
        self,
        shoe,
        *,
        stands_on_soft_22=True,
        hits_soft_17=False,
        das=True,
        hit_split_aces=False,
        beats_22=("21", "two_large"),
        busts_22=False,
        doubled_bet_only=False,
        covered=False,
        unread=False,
        most_hands=2,
        doubles=lambda total: True,
    ):
        self.shoe = tuple(sorted(shoe))
        self.stands_on_soft_22 = stands_on_soft_22
        self.hits_soft_17 = hits_soft_17
        self.das = das
        self.hit_split_aces = hit_split_aces
        self.beats_22 = beats_22
        self.busts_22 = busts_22
        self.doubled_bet_only = doubled_bet_only
        self.ranges = {"covered": set(range(1, 11))} if covered else RANGES
        self.unread = unread
        if unread:
            self.ranges = {"unread": set(range(1, 11)), "large": RANGES["large"]}
        self.most_hands = most_hands
        self.doubles = doubles
        self.dealer = cache(self.dealer)
        self.best = cache(self.best)
        self.rest_of_split = cache(self.rest_of_split)

    # the dealer

    def dealer_total(self, hand):
        """3(d)(3): every ace is 11 unless that would make more than 22 (21 in the other reading)."""
        most = 22 if self.stands_on_soft_22 else 21
        total, soft = sum(hand), False
        for card in hand:
            if card == 1 and total + 10 <= most:
                total, soft = total + 10, True
        return total, soft

    def dealer(self, hand, shoe):
        """7(m): the chance of each total the dealer stands on; 23 is any bust."""
        total, soft = self.dealer_total(hand)
        if total >= 17 and not (total == 17 and soft and self.hits_soft_17):
            return {min(total, 23): Fraction(1)}
        ends = Counter()
        for card, copies in Counter(shoe).items():
            drawn = self.dealer(tuple(sorted((*hand, card))), without(shoe, card))
            for end, chance in drawn.items():
                ends[end] += Fraction(copies, len(shoe)) * chance
        return dict(ends)

    def holes(self, up, name):
        """Hole cards that leave something to play for: 7(h) ends the round on a blackjack."""
        inside = self.ranges[name]
        if self.unread:  # two Large cards are exposed, and told apart so; no light is looked at
            large = RANGES["large"] if up in RANGES["large"] else set()
            inside = large if name == "large" else inside - large
        return {hole for hole in inside if {up, hole} != {1, 10}}

    def hole_chances(self, up, name, unseen):
        inside = [card for card in unseen if card in self.holes(up, name)]
        return {hole: Fraction(copies, len(inside)) for hole, copies in Counter(inside).items()}

    # one hand

    def won(self, hand, dealer, doubled, from_split):
        """7(n) to 7(q), for one hand."""
        total, stake = player_total(hand), 2 if doubled else 1
        if total > 21:
            return -stake
        if dealer == 22 and not self.busts_22:
            large = "two_large_after_split" if from_split else "two_large"
            two = len(hand) == 2 and set(hand) <= LARGE and large in self.beats_22
            if two or (total == 21 and "21" in self.beats_22):
                return 1 if self.doubled_bet_only else stake
            return 0
        if dealer >= 22 or total > dealer:
            return stake
        return 0 if total == dealer else -stake

    def standing(self, hand, up, name, unseen, doubled=False, from_split=False):
        return sum(
            chance * ways * self.won(hand, end, doubled, from_split)
            for hole, chance in self.hole_chances(up, name, unseen).items()
            for end, ways in self.dealer(tuple(sorted((up, hole))), without(unseen, hole)).items()
        )

    def next_cards(self, up, name, unseen):
        """The next card is not the hole card, whichever that is."""
        chances = Counter()
        for hole, chance in self.hole_chances(up, name, unseen).items():
            left = without(unseen, hole)
            for card, copies in Counter(left).items():
                chances[card] += chance * Fraction(copies, len(left))
        return chances

    def actions(self, hand, up, name, unseen, from_split):
        """Each legal action and its value; `unseen` is the shoe and the hole card."""
        if len(hand) == 1:
            return {"hit": self.hit(hand, up, name, unseen, from_split)}
        found = {"stand": self.standing(hand, up, name, unseen, False, from_split)}
        # 10(e); `from_split` is the value of the pair that was split, or 0
        one_card = from_split == 1 and not self.hit_split_aces
        if player_total(hand) >= 21 or one_card:
            return found
        found["hit"] = self.hit(hand, up, name, unseen, from_split)
        if len(hand) == 2 and (self.das or not from_split) and self.doubles(player_total(hand)):
            found["double"] = sum(
                chance
                * (
                    self.standing(
                        tuple(sorted((*hand, card))), up, name, without(unseen, card), True,
                        from_split,
                    )
                    if sum(hand) + card <= 21
                    else -2
                )
                for card, chance in self.next_cards(up, name, unseen).items()
            )  # fmt: skip
        return found

    def hit(self, hand, up, name, unseen, from_split):
        value = Fraction(0)
        for card, chance in self.next_cards(up, name, unseen).items():
            new = tuple(sorted((*hand, card)))
            if sum(new) > 21:
                value -= chance
            else:
                left = without(unseen, card)
                value += chance * max(self.best(new, up, name, left, from_split).values())
        return value

    def best(self, hand, up, name, unseen, from_split):
        return self.actions(hand, up, name, unseen, from_split)

    def choice(self, hand, up, name, unseen, from_split):
        """The best action; stand before hit before double where they are worth the same."""
        found = self.best(hand, up, name, unseen, from_split)
        return max(found, key=lambda action: (found[action], -len(action)))

    # a split, both hands from one shoe

    def split(self, card, up, name, most):
        """Each hand played as if the other one's cards had not been seen, one after the other."""
        unseen = without(self.shoe, card, card, up)
        return self.rest_of_split(card, up, name, unseen, (), (card,), 1, most)

    def rest_of_split(self, card, up, name, unseen, finished, hand, waiting, most):
        """What all hands win: some finished, one in play, `waiting` cards not yet dealt to."""
        hands = len(finished) + 1 + waiting

        def go_on(new, left):
            return self.rest_of_split(card, up, name, left, finished, new, waiting, most)

        def finish(new, left, doubled):
            # in an order of their own, so that equal sets of hands are computed once
            done = tuple(sorted((*finished, (new, doubled))))
            if not waiting:
                return self.pay(done, up, name, left)
            return self.rest_of_split(card, up, name, left, done, (card,), waiting - 1, most)

        def draw(then):
            return sum(
                chance * then(drawn, without(unseen, drawn))
                for drawn, chance in self.next_cards(up, name, unseen).items()
            )

        aces_once = card == 1 and not self.hit_split_aces
        if len(hand) == 1:

            def second(drawn, left):
                if drawn == card and hands < most and not aces_once:
                    return self.rest_of_split(
                        card, up, name, left, finished, (card,), waiting + 1, most
                    )
                return go_on(tuple(sorted((*hand, drawn))), left)

            return draw(second)
        if sum(hand) > 21:
            return finish(hand, unseen, False)
        # the decision knows the pair and this hand, as after one split
        seen = without(self.shoe, card, up, *hand)
        action = self.choice(hand, up, name, seen, card)
        if action == "stand":
            return finish(hand, unseen, False)
        if action == "hit":
            return draw(lambda drawn, left: go_on(tuple(sorted((*hand, drawn))), left))
        return draw(lambda drawn, left: finish(tuple(sorted((*hand, drawn))), left, True))

    def split_remembering(self, card, up, name):
        """The best that two hands can win when the second is played knowing the first's cards."""

        def second(unseen):
            return self.hit((card,), up, name, unseen, card)

        def draw(unseen, then):
            return sum(
                chance * then(drawn, without(unseen, drawn))
                for drawn, chance in self.next_cards(up, name, unseen).items()
            )

        @cache
        def first(hand, unseen):
            def stand(new, left, doubled):
                over = sum(new) > 21
                alone = (
                    -(1 + doubled)
                    if over
                    else self.standing(new, up, name, left, doubled, from_split=card)
                )
                return alone + second(left)

            def hit(drawn, left):
                new = tuple(sorted((*hand, drawn)))
                return stand(new, left, False) if sum(new) > 21 else first(new, left)

            def double(drawn, left):
                return stand(tuple(sorted((*hand, drawn))), left, True)

            open_ = self.best(hand, up, name, unseen, card)
            then = {
                "stand": lambda: stand(hand, unseen, False),
                "hit": lambda: draw(unseen, hit),
                "double": lambda: draw(unseen, double),
            }
            return max(then[action]() for action in open_)

        return first((card,), without(self.shoe, card, card, up))

    def pay(self, done, up, name, unseen):
        return sum(
            chance * ways * self.won(hand, end, doubled, True)
            for hole, chance in self.hole_chances(up, name, unseen).items()
            for end, ways in self.dealer(tuple(sorted((up, hole))), without(unseen, hole)).items()
            for hand, doubled in done
        )

    # the bet

    def deals(self):
        """Two cards, the up card and the range, with their chance; not where anyone has blackjack."""
        cards = len(self.shoe)
        for (low, high), pairs in Counter(
            tuple(sorted((self.shoe[i], self.shoe[j])))
            for i in range(cards)
            for j in range(cards)
            if i != j
        ).items():
            left = without(self.shoe, low, high)
            for up, ups in Counter(left).items():
                unseen = without(left, up)
                for name in self.ranges:
                    holes = sum(card in self.holes(up, name) for card in unseen)
                    if holes and {low, high} != {1, 10}:
                        ways = pairs * ups * holes
                        total = cards * (cards - 1) * (cards - 2) * (cards - 3)
                        yield (low, high), up, name, unseen, Fraction(ways, total)

    def options(self, hand, up, name, unseen):
        found = dict(self.best(hand, up, name, unseen, 0))
        if hand[0] == hand[1] and self.most_hands > 1:
            most = 2 if hand[0] == 1 and not self.hit_split_aces else self.most_hands
            found["split"] = max(
                self.split(hand[0], up, name, hands) for hands in range(2, most + 1)
            )
        return found

    def value(self, blackjack=Fraction(3, 2)):
        total = Fraction(0)
        for hand, up, name, unseen, chance in self.deals():
            total += chance * max(self.options(hand, up, name, unseen).values())
        aces, tens = self.shoe.count(1), self.shoe.count(10)
        cards = len(self.shoe)
        one = Fraction(2 * aces * tens, cards * (cards - 1))
        other = Fraction(2 * (aces - 1) * (tens - 1), (cards - 2) * (cards - 3)) if one else 0
        return total + one * (1 - other) * (blackjack - 1)
