"""Steps a second of the compiled environments beside Gymnasium's own Blackjack, in one process.

.venv/bin/python bench/environments.py
"""

from __future__ import annotations

from time import perf_counter

import gymnasium
import numpy as np

import houseway.environments

SEATS, STEPS = 8192, 100


def many(id: str) -> float:
    env = gymnasium.make_vec(id, num_envs=SEATS)
    _, info = env.reset(seed=1)
    actions = np.zeros(SEATS, np.int64)
    env.step(actions)  # compiled by now
    took = 0.0
    for _ in range(STEPS):
        if "action_mask" in info:  # the first legal move, or the last, from seat to seat
            actions = info["action_mask"].argmax(axis=1)
            last = info["action_mask"].shape[1] - 1 - info["action_mask"][:, ::-1].argmax(axis=1)
            actions[::2] = last[::2]
        began = perf_counter()
        *_, info = env.step(actions)
        took += perf_counter() - began
    env_steps = SEATS * STEPS / took
    env.close()
    return env_steps


def blackjack() -> float:
    env = gymnasium.make("Blackjack-v1")
    env.reset(seed=1)
    steps, began = 0, perf_counter()
    while perf_counter() - began < 2:
        for action in (1, 0):
            *_, done, _, _ = env.step(action)
            steps += 1
            if done:
                env.reset()
    return steps / (perf_counter() - began)


def main() -> None:
    peer = blackjack()
    print(f"{'Blackjack-v1':40} {peer:>14,.0f} steps/s")
    for id in houseway.environments.register_environments():
        rate = many(id)
        print(f"{id:40} {rate:>14,.0f} steps/s, {rate / peer:,.0f} times Blackjack")


if __name__ == "__main__":
    main()
