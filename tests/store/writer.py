"""A writer to be killed: told `go`, it forks a child that appends until it dies.

The child says `pid N` first and `ack N` after each append that returned. Each append moves money
from the house to a meter and says so at the table: three streams, one amount, all or nothing.
"""

from __future__ import annotations

import os
import random
import sys
import time

from houseway.store import Conflict, Log, New, Unavailable, Write, open_log

NOON = "2026-03-01T12:00:00Z"
STREAMS = ("house", "meter", "table")


def move(log: Log, at: int, amount: int) -> None:
    moves = {"house": -amount, "meter": amount, "table": 0}
    log.append(
        *(
            Write(name, at, (New("moved", {"cents": cents, "pad": "x" * 200}, "x", NOON),))
            for name, cents in moves.items()
        )
    )


def work(database: str, seed: int) -> None:
    os.write(1, f"pid {os.getpid()}\n".encode())
    chance = random.Random(seed)
    log = open_log(database)
    while True:
        try:
            at = log.head("table").version
            while True:
                move(log, at, chance.randrange(1, 500))
                at += 1
                os.write(1, f"ack {at}\n".encode())
        except Conflict:
            # an append whose answer was lost had been written; go on from what is there
            continue
        except Unavailable:
            # the server is being killed under us: try until it is back
            time.sleep(0.05)


def main() -> None:
    database = sys.argv[1]
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            work(database, int(line))
        os.waitpid(child, 0)
        os.write(1, b"dead\n")


if __name__ == "__main__":
    main()
