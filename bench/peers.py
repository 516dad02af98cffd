"""One peer measured by itself, in the peers' own environment: `peers.py NAME SECONDS`.

Prints one JSON object: the peer's version, what it did, how often a second. The work is the peer's
own way of doing it: its cards, its loop, its API, everything made ready before the clock starts.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from importlib.metadata import version
from time import process_time

SIX = 6
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def rate(work: Callable[[], int], seconds: float) -> float:
    """How many units a second: `work` does some and says how many."""
    work()
    done, began = 0, process_time()
    while process_time() - began < seconds:
        done += work()
    return done / (process_time() - began)


def hands(count: int = 2000) -> list[list[str]]:
    source = random.Random(1)
    return [source.sample(CARDS, SIX) for _ in range(count)]


def treys() -> Callable[[], int]:
    from treys import Card, Evaluator

    evaluator = Evaluator()
    made = [[Card.new(card) for card in hand] for hand in hands()]

    def work() -> int:
        for hand in made:
            evaluator.evaluate(hand[:2], hand[2:])
        return len(made)

    return work


def eval7() -> Callable[[], int]:
    import eval7

    made = [[eval7.Card(card) for card in hand] for hand in hands()]

    def work() -> int:
        for hand in made:
            eval7.evaluate(hand)
        return len(made)

    return work


def phevaluator() -> Callable[[], int]:
    from phevaluator import Card, evaluate_cards

    made = [[Card(card).id_ for card in hand] for hand in hands()]

    def work() -> int:
        for hand in made:
            evaluate_cards(*hand)
        return len(made)

    return work


def pokerkit_evaluator() -> Callable[[], int]:
    from pokerkit import Card, StandardHighHand

    made = [tuple(Card.parse("".join(hand))) for hand in hands(50)]

    def work() -> int:
        for hand in made:
            StandardHighHand.from_game(hand)
        return len(made)

    return work


def pokerkit() -> Callable[[], int]:
    """Two players, fixed limit, checked and called to a showdown."""
    from pokerkit import Automation, FixedLimitTexasHoldem

    def work() -> int:
        for _ in range(5):
            state = FixedLimitTexasHoldem.create_state(
                tuple(Automation), True, 0, (1, 2), 2, 4, 200, 2
            )
            while state.status:
                state.check_or_call()
        return 5

    return work


def rlcard() -> Callable[[], int]:
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("blackjack")
    env.set_agents([RandomAgent(env.num_actions)])

    def work() -> int:
        for _ in range(50):
            env.run()
        return 50

    return work


def gymnasium() -> Callable[[], int]:
    import gymnasium

    env = gymnasium.make("Blackjack-v1")
    env.reset(seed=1)

    def work() -> int:
        for _ in range(50):
            (total, _, _), _ = env.reset()
            over = False
            while not over:
                (total, _, _), _, over, _, _ = env.step(1 if total < 17 else 0)
        return 50

    return work


def open_spiel() -> Callable[[], int]:
    """A round played at random. Every card left is equally likely, so that one of the outcomes is
    picked without looking at its chance: the quickest way there is.
    """
    import pyspiel

    game = pyspiel.load_game("blackjack")
    source = random.Random(1).random

    def work() -> int:
        for _ in range(200):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(source() * len(actions))])
        return 200

    return work


PEERS = {
    "treys": (treys, "treys"),
    "eval7": (eval7, "eval7"),
    "phevaluator": (phevaluator, "phevaluator"),
    "pokerkit evaluator": (pokerkit_evaluator, "pokerkit"),
    "pokerkit": (pokerkit, "pokerkit"),
    "rlcard": (rlcard, "rlcard"),
    "gymnasium": (gymnasium, "gymnasium"),
    "open_spiel": (open_spiel, "open_spiel"),
}

if __name__ == "__main__":
    make, package = PEERS[sys.argv[1]]
    found = rate(make(), float(sys.argv[2]))
    print(json.dumps({"version": version(package), "rate": found}))
