"""Writes the records that later versions must open, verify, replay and play on.

They were made with the commit named in `records/MADE_BY`. Making them anew with later code would
defeat their purpose: add a record beside them instead.

    python tests/ratchets/make_records.py FOLDER

- `stories.sqlite.xz`: every golden playthrough on one record, each at a table of its own.
- `house.sqlite.xz`: a house served over HTTP. Each of the five chapters has a table with rounds that
  were settled, a payment that was corrected, and a round in the middle: dealt, decisions pending, in
  the hands of a person who deals. Submissions are drafted, filed and approved; a link is fed, and a
  meter of it was adjusted.
- `house.anchor.json` and its public key: the heads of the house's streams, signed.
- `bundles.tar.xz`: a round of each chapter as a bundle for a dispute, with the check inside.
- `export.tar.xz`: the rows that `audit export` wrote of the house, but for the events themselves.
- `*.answers.json.xz`: what the commands said of the records when they were made.
"""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
import tarfile
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TESTS = HERE.parent
sys.path += [str(HERE), *(str(TESTS / name) for name in ("support", "table", "floor"))]

from answers import ANSWERS, TABLES, asked  # noqa: E402
from desk import token  # noqa: E402
from house import PASSWORD, Person, deal, until  # noqa: E402
from served import served  # noqa: E402

ROUNDS = 3

#: The house's day. It is past on every machine, whose clock must not run behind the record's.
DAY = datetime(2025, 3, 3, 15, tzinfo=UTC)
CLOCK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t id, struct timespec *at) {
    int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int done = real(id, at);
    if (id == CLOCK_REALTIME) at->tv_sec -= atol(getenv("SECONDS_BACK"));
    return done;
}
"""


def set_clocks_back(folder: Path) -> None:
    """Every process started from here on lives on the house's day."""
    library = folder / "clock.so"
    (folder / "clock.c").write_text(CLOCK)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, folder / "clock.c"], check=True)
    back = int((datetime.now(UTC) - DAY).total_seconds())
    os.environ |= {"LD_PRELOAD": str(library), "SECONDS_BACK": str(back)}


def houseway(*arguments: object) -> Any:
    """What a command answers as JSON, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "houseway", *map(str, arguments), "--json"],
        capture_output=True, text=True, check=False,
        env={**os.environ, "HOUSEWAY_PASSWORD": PASSWORD, "HOUSEWAY_SECOND_PASSWORD": PASSWORD},
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{arguments}: {done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def write_stories(database: Path) -> None:
    import msgspec
    from houseway.store.sqlite import SQLiteLog
    from playing import record
    from stories import STORIES

    log = SQLiteLog(database)
    for name, story in STORIES.items():
        driver = story()
        table = "".join(c if c.isalnum() else "-" for c in name.lower())
        driver.commands[0] = msgspec.structs.replace(driver.commands[0], table=table)
        record(log, driver, table)
    log.close()


def play_a_round(table: str, wagers: dict[str, str], people: dict[str, Person], last: bool) -> None:
    dana, players = people["dana"], [people["pat"], people["guest"]]

    def betting() -> bool:
        for player in players:
            player.decide(table)  # somebody may be offered the cut
        return dana.view(table)["phase"] == "betting"

    until(betting)
    dana.send(table, "change_dealer", role="dealer")
    for seat, player in enumerate(players, 1):
        for wager, amount in wagers.items():
            player.send(table, "place_wager", seat=seat, wager=wager, amount=amount)
    if last:
        while dana.view(table)["phase"] not in ("insuring", "deciding"):
            deal(table, dana, people["frank"])
        return
    dana.send(table, "change_dealer", role="dealer", dealer="system")

    def over() -> bool:
        for player in players:
            player.decide(table)
        public = dana.view(table)
        return not any(box.get("cards") or box.get("wagers") for box in public["boxes"])

    until(over)


def play(address: str, guest: str) -> None:
    people = {name: Person(address, name) for name in ("pat", guest, "dana", "frank")}
    people["guest"] = people.pop(guest)
    for table, wagers in TABLES.items():
        for seat, name in enumerate(("pat", "guest"), 1):
            people[name].send(table, "sit_down", seat=seat)
            people[name].send(table, "buy_in", seat=seat, amount="500.00")
        for number in range(ROUNDS):
            play_a_round(table, wagers, people, last=False)
            if number == 0:
                people["frank"].send(table, "correct_payment", role="floorperson", seat=1,
                                     amount="2.50", reason="paid short")  # fmt: skip
        play_a_round(table, wagers, people, last=True)


def write_submissions(database: Path, folder: Path) -> None:
    def kept(what: str, which: object, by: str) -> str:
        return houseway("submissions", what, which, "--by", by, "--database", database)["hash"]

    for chapter, acts in (
        ("md-three-card-poker", ("check", "submit", "approve")),
        ("pa-saigon-5-card", ("check", "submit")),
        ("pa-down-under-blackjack", ()),
    ):
        file = folder / f"{chapter}.toml"
        subprocess.run(
            [sys.executable, "-m", "houseway", "new", chapter, "--out", file], check=True
        )
        hash = kept("draft", file, "carla")
        for what in acts:
            kept(what, hash, "conrad" if what == "approve" else "carla")


def write_house(database: Path, folder: Path) -> None:
    with served(folder, pace=0, database=str(database)) as house:
        token(house.address, "guest")  # comes with money, beside the demonstration's people
    where = ("--database", database)
    everybody = [one["id"] for one in houseway("people", "list", *where)["people"]]
    (guest,) = [one for one in everybody if one.startswith("guest-")]
    for name in ("pat", guest, "dana", "frank", "fiona"):
        houseway("people", "password", name, *where)
    with served(folder, pace=0, database=str(database)) as house:
        play(house.address, guest)
    houseway("progressive", "adjust", "chesapeake", "progressive", "--amount", "12.50", "--by", "frank",
             "--second", "fiona", "--reason", "a contribution was missed", *where)  # fmt: skip
    write_submissions(database, folder)


def pack(source: Path, out: Path) -> None:
    """A record as one compressed file, its journal written back first."""
    import sqlite3

    with sqlite3.connect(source) as line:
        line.execute("pragma wal_checkpoint(truncate)")
        line.execute("pragma journal_mode = delete")
    line.close()
    out.write_bytes(lzma.compress(source.read_bytes(), preset=9 | lzma.PRESET_EXTREME))


def main(out: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        stories, house = folder / "stories.db", folder / "house.db"
        write_stories(stories)
        set_clocks_back(folder)
        write_house(house, folder)
        for database in (stories, house):
            kept = {word: houseway(*asked(word, database)) for word in ANSWERS}
            text = json.dumps(kept, separators=(",", ":"), sort_keys=True)
            (out / f"{database.stem}.answers.json.xz").write_bytes(
                lzma.compress(text.encode(), preset=9)
            )
        houseway("audit", "anchor", "--database", house, "--key", folder / "key.pem", "--new-key",
                 "--out", out / "house.anchor.json")  # fmt: skip
        (out / "house.pub.pem").write_bytes((folder / "key.pem.pub").read_bytes())
        with tarfile.open(out / "bundles.tar.xz", "w:xz") as tar:
            for table in TABLES:
                bundle = folder / "bundles" / table
                houseway("audit", "export", "--database", house, "--round", f"{table}.1.1",
                         "--out", bundle)  # fmt: skip
                tar.add(bundle, table)
        houseway("audit", "export", "--database", house, "--out", folder / "export")
        with tarfile.open(out / "export.tar.xz", "w:xz") as tar:
            for file in sorted((folder / "export").iterdir()):
                if file.stem != "events":  # these are the record itself
                    tar.add(file, file.name)
        for database in (stories, house):
            pack(database, out / f"{database.stem}.sqlite.xz")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
