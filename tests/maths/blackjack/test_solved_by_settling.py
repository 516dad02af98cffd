"""The found strategy played through the game's own settlement, from fresh shoes."""

import random

import pytest

from houseway.cards import Card
from houseway.game_api.round import Round
from houseway.games.down_under.maths.solver.distribution import distribution
from houseway.games.down_under.maths.solver.hands import EMPTY, hand_of, player_hands, plus
from houseway.games.down_under.maths.solver.solve import solve
from houseway.games.down_under.maths.solver.states import AS_DEALT
from houseway.games.down_under.maths.solver.variant import variant_of
from houseway.games.down_under.seat import Hand, PlayedSeat
from houseway.games.down_under.settlement import check, settle
from houseway.law import DOWN_UNDER, chapter, choose, cites

BET = 200


class Shoe:
    """Cards drawn one by one from a full shoe, without replacement."""

    def __init__(self, decks, chance):
        self.decks, self.chance, self.gone = decks, chance, set()

    def draw(self):
        while (number := self.chance.randrange(52 * self.decks)) in self.gone:
            pass
        self.gone.add(number)
        return Card(number % 52)


def value(card):
    """The index of a card's value: ace 0, two 1, up to 9 for ten and faces."""
    return 0 if card.rank == 12 else min(card.rank + 1, 9)


class Player:
    """Plays by the solution, and the dealer by the law."""

    def __init__(self, rules):
        self.rules = rules
        self.play = solve(variant_of(rules))
        self.cases = {
            (case.up, hole): number
            for number, case in enumerate(self.play.table.cases)
            for hole in case.holes
        }

    def round(self, chance):
        shoe = Shoe(self.rules["decks"], chance)
        one, up, other, hole = (shoe.draw() for _ in range(4))
        case = self.cases.get((value(up), value(hole)))
        hands, split = [((one, other), False)], False
        if case is not None and {value(one), value(other)} != {0, 9}:
            split = value(one) == value(other) and self.play.hands[value(one), case] > 0
            if split:
                family = (value(one), 1)
                hands = [self.hand(shoe, (first,), family, case) for first in (one, other)]
            else:
                hands = [self.hand(shoe, (one, other), AS_DEALT, case)]
        dealer = [up, hole]
        while case is not None and self.draws(dealer):
            dealer.append(shoe.draw())
        seat = PlayedSeat(
            seat=1,
            wagers={"bet": BET},
            hands=tuple(Hand(cards, BET * twice) for cards, twice in hands),
            split=split,
        )
        return Round(rules=self.rules, dealer=tuple(dealer), seats=(seat,))

    def draws(self, dealer):
        from houseway.games.down_under.hands import dealer_draws

        return dealer_draws(self.rules, dealer)

    def hand(self, shoe, cards, family, case):
        graph, states = player_hands(), self.play.table.states
        while True:
            counts = EMPTY
            for card in cards:
                counts = plus(counts, value(card))
            position = states.first[family][graph.index[counts]]
            action = self.play.policy[position, case]
            if action == 0:
                return cards, False
            cards = (*cards, shoe.draw())
            if action == 2:
                return cards, True
            if hand_of(*map(value, cards)) not in graph.index:
                return cards, False


def mean_of(player, rounds, seed):
    chance = random.Random(seed)
    total = square = 0
    for number in range(rounds):
        round = player.round(chance)
        if number % 50 == 0:
            check(round)
        net = settle(round).seat(1).net / BET
        total += net
        square += net * net
    mean = total / rounds
    return mean, square / rounds - mean**2


@cites(DOWN_UNDER, "685a.7(i)(2)", "685a.7(m)", "685a.7(n)", "685a.10(b)")
@pytest.mark.parametrize("reading", ["stands", "counts_as_12"])
def test_some_rounds_are_legal_and_near_the_edge(reading):
    rules = choose(chapter(DOWN_UNDER), {"decks": 6, "dealer_soft_22": reading})
    player = Player(rules)
    mean, variance = mean_of(player, 4000, seed=685)
    assert abs(mean - player.play.value) < 4 * (variance / 4000) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [20_000, pytest.param(1_000_000, marks=pytest.mark.full)])
@pytest.mark.parametrize("reading", ["stands", "counts_as_12"])
def test_many_rounds_agree_within_three_standard_errors(reading, rounds):
    rules = choose(chapter(DOWN_UNDER), {"decks": 6, "dealer_soft_22": reading})
    player = Player(rules)
    mean, variance = mean_of(player, rounds, seed=20180911)
    exact = distribution(player.play)
    spread = sum(float(won) ** 2 * float(often) for won, often in exact.nets.items())
    expected = spread - float(exact.edge) ** 2
    error = (expected / rounds) ** 0.5
    assert abs(mean + float(exact.edge)) < 3 * error
    assert variance == pytest.approx(expected, rel=10 / rounds**0.5)
