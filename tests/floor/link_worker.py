"""A table of a link in a process of its own, to run beside others and to be killed.

For each line `rounds seed` on its input it forks a child that plays that many rounds, some void and
some with a win, and says `pid N`, after each round `ack WAGERED`, and `done`; then `dead`.
"""

from __future__ import annotations

import os
import random
import sys
import traceback

from linked import LinkedTable

from houseway.floor.links.record import feed_stream
from houseway.store import Log, open_log
from houseway.store.backends.sqlite import SQLiteLog


def say(text: str) -> None:
    os.write(1, f"{text}\n".encode())


def _patient(database: str) -> Log:
    """The record; on a busy machine a turn at the file can take longer than the default."""
    if database.startswith("postgres"):
        return open_log(database)
    return SQLiteLog(database, patience=60)


def work(database: str, name: str, game: str, rounds: int, seed: int) -> None:
    say(f"pid {os.getpid()}")
    chance = random.Random(seed)
    log = _patient(database)
    table = LinkedTable(log, name, game, seed=seed)
    stream = feed_stream(name, "wide")
    for _ in range(rounds):
        table.play_on(win=chance.random() < 0.4, void=chance.random() < 0.2)
        say(f"ack {log.last([stream])[stream].data['wagered']}")
    log.close()
    say("done")


def main() -> None:
    database, name, game = sys.argv[1:]
    for line in sys.stdin:
        rounds, seed = map(int, line.split())
        child = os.fork()
        if child == 0:
            try:
                work(database, name, game, rounds, seed)
            except BaseException:  # noqa: BLE001 - said before the child is gone
                traceback.print_exc()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        say("dead")


if __name__ == "__main__":
    main()
