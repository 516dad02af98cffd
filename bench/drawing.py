"""What a command costs at a watched table, in processor time: `python bench/drawing.py [--rounds 6]`.

One table of Three Card Poker with seven players whose pages are open, in this process, without HTTP.
After every command each reader's picture is drawn, compared with the last and compressed, and no
version is skipped. `bench/web.py` measures the whole house; there a busy worker skips versions, so
its processor time for a command says less about the work.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
import zlib
from collections import Counter

from figures import Figure, show

from web import prepare, script

SEATS = range(1, 8)
#: commands before anything is counted, so that what is kept between versions is there
FIRST = 100


async def measure(rounds: int) -> list[Figure]:
    from houseway.floor.casino import Casino, command_of
    from houseway.store import open_log
    from houseway.web import stream
    from houseway.web.table.page import TableScreen

    commands, first = script(rounds)
    with tempfile.TemporaryDirectory() as folder:
        await prepare(f"{folder}/bench.db", 1, commands[:first])
        casino = Casino(open_log(f"{folder}/bench.db"))
        people = {person.id: person for person in casino.people.everybody()}
        screens = [
            TableScreen(casino, "bench-0", people[f"bench-0-{seat}"], "player", "light", frozenset({"hero"}))
            for seat in SEATS
        ]  # fmt: skip
        drawings = [stream.Drawing() for _ in screens]
        shown = [
            drawing.now(casino, screen) for drawing, screen in zip(drawings, screens, strict=True)
        ]
        packing = [zlib.compressobj(5, wbits=16 + 14, memLevel=7) for _ in screens]
        spent: Counter[str] = Counter()
        for number, (who, sent) in enumerate(commands[first:]):
            if number == FIRST:
                spent.clear()
            id = f"bench-0-{who}" if who.isdecimal() else who
            fields = {k: v for k, v in sent.items() if k not in ("command", "role", "real")}
            command = command_of(sent["command"], fields, role=sent["role"], who=id)
            began = time.process_time()
            await casino.act("bench-0", command)
            spent["act"] += time.process_time() - began
            for at, (drawing, screen) in enumerate(zip(drawings, screens, strict=True)):
                times = [time.process_time()]
                now = drawing.now(casino, screen)
                times.append(time.process_time())
                message = drawing.message(shown[at])
                times.append(time.process_time())
                packed = packing[at].compress(message) + packing[at].flush(zlib.Z_SYNC_FLUSH)
                times.append(time.process_time())
                shown[at] = now
                for what, start, end in zip(
                    ("draw", "compare", "pack"), times, times[1:], strict=False
                ):
                    spent[what] += end - start
                spent["bytes"] += len(packed)
        casino.close()
    count = len(commands) - first - FIRST
    each = {what: 1000 * spent[what] / count for what in ("act", "draw", "compare", "pack")}
    return [
        Figure("a command decided and on the record", each["act"], "ms"),
        Figure(f"drawn for {len(SEATS)} readers", each["draw"], "ms"),
        Figure("  compared with what they have", each["compare"], "ms"),
        Figure("  compressed", each["pack"], "ms"),
        Figure("bytes to a reader for a command", spent["bytes"] / count / len(SEATS), "B"),
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    show(asyncio.run(measure(parser.parse_args().rounds)))
