"""`houseway demo`: a record with rounds to explore."""

from __future__ import annotations

from houseway.cli.record_options import Flag, record
from houseway.cli.terminal.output import GOLD, console, plain, print_json


def demo(
    *, database: str = "houseway-demo.db", rounds: int = 300, seed: int = 7, json: Flag = False
) -> int:
    """Make a record to explore: 300 rounds with a jackpot and a jammed shuffler, and a submission.

    Parameters
    ----------
    database
        The record to write to: a file, created if it doesn't exist, or postgresql://….
    rounds
        How many rounds to play.
    seed
        Deal the same cards again for the same seed.
    json
        Print what was made as JSON.
    """
    from houseway.floor.demonstration_history import record_history

    with record(database, readonly=False, new=True) as log:
        made = record_history(log, rounds, seed)
    if json:
        print_json(made)
        return 0
    out, where = console(), plain(database)
    out.print(f"{where}: {made.rounds:,} rounds at table {made.table}, {made.events:,} events.")
    out.print("Try:")
    for command in (
        f"houseway audit rounds --database {where}",
        f"houseway audit replay {made.table}.1.1 --database {where}",
        f"houseway audit irregularities --database {where}",
        f"houseway audit verify --database {where}",
        f"houseway submissions list --database {where}",
        f"houseway serve --database {where}",
    ):
        out.print(f"  [{GOLD}]{command}[/]", soft_wrap=True)
    return 0
