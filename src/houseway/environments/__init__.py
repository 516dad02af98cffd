"""Every chapter as a Gymnasium environment: one seat at a table, decision by decision.

    import gymnasium
    import houseway.environments

    env = gymnasium.make("houseway/md-three-card-poker-v0")
    many = gymnasium.make_vec("houseway/md-three-card-poker-v0", num_envs=4096)

Importing this package registers `houseway/<chapter id>-v0` for every chapter, those from outside
included. `make_vec` gives the compiled version where the game has one.
"""

from __future__ import annotations

from houseway.extras import naming_extras
from houseway.law.library import chapters

with naming_extras():
    import gymnasium

    from houseway.environments.seat import SeatEnvironment
    from houseway.environments.vector import VectorEnvironment

__all__ = ["SeatEnvironment", "VectorEnvironment", "register_environments"]


def register_environments() -> tuple[str, ...]:
    """Register an environment for every chapter; their ids."""
    ids = []
    for chapter in chapters():
        id = f"houseway/{chapter}-v0"
        ids.append(id)
        if id not in gymnasium.registry:
            gymnasium.register(
                id,
                entry_point="houseway.environments.seat:SeatEnvironment",
                vector_entry_point="houseway.environments.vector:VectorEnvironment",
                kwargs={"chapter": chapter},
                max_episode_steps=100,
            )
    return tuple(ids)


register_environments()
