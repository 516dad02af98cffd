"""Playing over HTTP at a house in this process: sit down, bet, and wait for what follows."""

from __future__ import annotations

import time

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
    until(lambda: live_table(house, table).state.phase == "betting")
    return visitor


def bet(visitor, table=TABLE, seat=3, wager="ante", amount="10.00", **more):
    return visitor.send(table, "place_wager", seat=seat, wager=wager, amount=amount, **more)
