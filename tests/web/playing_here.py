"""Playing over HTTP at a house in this process: sit down, bet, and wait for what follows."""

from __future__ import annotations

import time
from typing import Any

from houseway.table import legal

TABLE = "maryland"


def until(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("it did not happen")


def live_table(house, table=TABLE):
    return house.casino.table(table)


def seated(house, visitor, seat=3, table=TABLE, chips="500.00"):
    visitor.enter()
    assert visitor.send(table, "sit_down", seat=seat).status_code == 200
    assert visitor.send(table, "buy_in", seat=seat, amount=chips).status_code == 200

    def ready():
        """Whether bets are open; a cut that is offered is declined, or the house would wait for it."""
        state = live_table(house, table).state
        if "decline_cut" in legal(state, "player", seat):
            visitor.send(table, "decline_cut", seat=seat)
        return state.phase == "betting"

    until(ready)
    return visitor


def bet(visitor, table=TABLE, seat=3, wager="ante", amount="10.00", **more):
    return visitor.send(table, "place_wager", seat=seat, wager=wager, amount=amount, **more)


def played_round(house: Any, player: Any) -> str:
    """The id of a round of Maryland that a player has just played to its end."""
    player.send("maryland", "sit_down", seat=1)
    player.send("maryland", "buy_in", amount="100.00")
    player.send("maryland", "place_wager", seat=1, wager="ante", amount="5.00")
    player.post("/tables/maryland/ready")
    live = house.casino.table("maryland")
    for _ in range(400):
        if live.state.settled:
            break
        player.send("maryland", "play", seat=1)
    assert live.state.settled
    return "maryland.1.1"
