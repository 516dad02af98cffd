"""Train a simple agent to play Three Card Poker, and compare it with the exact optimum.

The agent tries play and fold at random, averages what each brings for every kind of hand, and then
plays whatever has brought more. After each stage the exact house edge of what it has learned is
counted, over all hands.

    python examples/environments/train_three_card_poker.py curve.svg
"""

from __future__ import annotations

import sys

import gymnasium
import numpy as np

import houseway.environments
from houseway import choose
from houseway.games.three_card.maths.ante_play import Strategy, payoffs, strategy
from houseway.games.three_card.simulation.strategies import rows

ID = "houseway/md-three-card-poker-v0"
SEATS = 8192
ANTE = 10


def kinds(hands: np.ndarray) -> np.ndarray:
    """The kind of each hand: its three ranks, and whether it is of one suit."""
    ranks, suits = hands // 4, hands % 4
    flush = (suits == suits[:, :1]).all(axis=1)
    return ((ranks[:, 2] * 13 + ranks[:, 1]) * 13 + ranks[:, 0]) * 2 + flush


def train(stages: int, steps: int, seed: int = 1) -> list[tuple[int, float]]:
    """Learn in stages; the rounds played and the exact edge in per cent after each."""
    env = gymnasium.make_vec(ID, num_envs=SEATS, wagers={"ante": f"{ANTE}.00"})
    rng = np.random.default_rng(seed)
    total = np.zeros((2, 13**3 * 2))
    count = np.zeros_like(total)
    hands, _ = env.reset(seed=seed)
    curve = []
    for stage in range(1, stages + 1):
        for _ in range(steps):
            here, action = kinds(hands), rng.integers(2, size=SEATS)
            hands, reward, *_ = env.step(action)
            np.add.at(total, (action, here), reward / ANTE)
            np.add.at(count, (action, here), 1)
        worth = total / np.maximum(count, 1)
        curve.append((stage * steps * SEATS, exact_edge(worth[0] > worth[1])))
    env.close()
    return curve


def exact_edge(plays: np.ndarray) -> float:
    """The exact house edge of playing these kinds of hands, in per cent of the ante."""
    every = np.sort(np.array([[int(one) for one in hand] for hand in rows()]), axis=1)
    decided = [bool(one) for one in plays[kinds(every)]]
    # the last row again: ace, king and queen of spades are counted apart
    learned = Strategy(payoffs(choose("md-three-card-poker")), (*decided, decided[-1]))
    return float(100 * learned.spread.edge)


def main() -> None:
    assert houseway.environments.register_environments()
    best = float(100 * strategy(payoffs(choose("md-three-card-poker"))).spread.edge)
    curve = train(stages=20, steps=100)
    for played, edge in curve:
        print(f"{played:>12,} rounds: edge {edge:.4f}%, {edge - best:+.4f} above the optimum")
    if len(sys.argv) > 1:
        from matplotlib import pyplot as plt

        figure, axes = plt.subplots(figsize=(7, 4))
        axes.plot(*zip(*curve, strict=True), color="#0e6b45")
        axes.axhline(best, color="#b8963e", linestyle="--")
        axes.annotate(f"optimum {best:.4f}%", (curve[-1][0], best), ha="right", va="bottom")
        axes.set(xlabel="rounds played", ylabel="exact house edge, %", xscale="log")
        figure.tight_layout()
        figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()
