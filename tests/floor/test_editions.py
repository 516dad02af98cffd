"""A table plays by the edition that it was opened under, whatever becomes of the installed text.

The chapter is a copy outside the package. A table of it is in the middle of a round when the house
is started again with a changed text.
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from linked import BY, staff
from playing import decide

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.floor.audit.expected_hold import rules_of as recorded_rules
from houseway.floor.audit.export import bundle, export
from houseway.floor.audit.logbook import When, decks
from houseway.floor.audit.projections import Projections
from houseway.floor.audit.replay import page, replay
from houseway.floor.audit.rounds import find_round
from houseway.floor.editions import PREFIX
from houseway.floor.links.operations import Link
from houseway.floor.links.terms import check_terms
from houseway.floor.recorded_table import RecordedTable
from houseway.law import MD, SAIGON, Rules, chapter, choose
from houseway.law.editions.byte_hashes import BYTE_HASHES
from houseway.store import Log
from houseway.store.backends.memory import MemoryLog
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.verify import verify
from houseway.table import Command, legal, next_steps, rules_of
from houseway.table.commands import CloseTable, PlaceWager
from houseway.table.driver import Driver
from houseway.table.events import TableOpened, WagerSettled
from houseway.table.views import floor_view, public_view
from outside import chapters_from, copied, edit, reordered, write

COPY = "our-three-card-poker"


def played(id: str = COPY) -> list[Command]:
    """Three rounds of two players, command by command."""
    driver = Driver(id, source=SeededSource(5))
    for seat in (1, 2):
        driver.seat_player(seat, f"player {seat}")
    for _ in range(3):
        driver.ready()
        for seat in (1, 2):
            driver.wager(seat, {"ante": "10.00"})
        driver.finish(decide)
    return driver.commands


class House:
    """A record, and the chapters that the house is started with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "chapters"
        self.edition = copied(MD, self.root, COPY)
        self.path = folder / "house.db"

    def changed(self, change: Callable[[Path], Any], name: str = "changed") -> Path:
        """The same chapter in another folder, with its text changed."""
        root = self.folder / name
        shutil.copytree(self.root, root)
        change(root / self.edition.relative_to(self.root))
        return root

    @contextmanager
    def log(self) -> Iterator[Log]:
        with closing(SQLiteLog(self.path)) as log:
            yield log


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.fixture
def commands(house: House) -> list[Command]:
    with chapters_from(house.root):
        return played()


def send(log: Log, commands: list[Command]) -> list[Any]:
    table = RecordedTable(log, "1")
    return [event for command in commands for event in table.send(command)]


def halfway(house: House, commands: list[Command]) -> int:
    """Record the table until the players of the second round decide; how many commands that takes."""
    with chapters_from(house.root), house.log() as log:
        table = RecordedTable(log, "1")
        for number, command in enumerate(commands, 1):
            table.send(command)
            if (table.table.round, table.table.phase) == (2, "deciding"):
                return number
    raise AssertionError


def say_otherwise(value: Any) -> Iterator[None]:
    if isinstance(value, dict):
        if "says" in value:
            value["says"] = "In other words."
        value = list(value.values())
    for one in value if isinstance(value, list) else ():
        yield from say_otherwise(one)
    yield


def comment(edition: Path) -> None:
    for path in edition.iterdir():
        path.write_text("# A comment.\n" + path.read_text("utf-8") + "\n# Another.\n", "utf-8")


def reword(edition: Path) -> None:
    for path in edition.iterdir():
        edit(path, lambda data: list(say_otherwise(data)))
    edit(edition / "errata.toml", lambda data: data["erratum"].pop())


def reorder(edition: Path) -> None:
    for path in edition.iterdir():
        write(path, reordered(tomllib.loads(path.read_text("utf-8"))))


def ante_pays_double(edition: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        for table in data["paytable"]:
            if table["wager"] == "ante":
                table["rows"] = [{"hand": "win", "pays": "2 to 1"}]

    edit(edition / "paytables.toml", change)


def break_paytables(edition: Path) -> None:
    (edition / "paytables.toml").write_text("[[paytable]\n", "utf-8")


@pytest.mark.parametrize("change", [comment, reword, reorder])
def test_other_words_change_nothing(house: House, commands: list[Command], change: Any) -> None:
    at = halfway(house, commands)
    with chapters_from(house.changed(change)), house.log() as log:
        table = RecordedTable(log, "1")
        told = [event for command in commands[at:] for event in table.send(command)]
        assert table.table.round == 3
        assert verify(log).unbroken
        # an opening under these words is under the same edition and the same rules
        opened = next(log.read("table/1")).data
        rules = rules_of(table.table)
        assert (opened["edition_hash"], opened["rules_hash"]) == (rules.chapter.hash, rules.hash)
        assert len(log.heads(prefix=PREFIX)) == 1
    with chapters_from(house.root):
        alone = RecordedTable(MemoryLog(), "1")
        assert [event for command in commands for event in alone.send(command)][
            -len(told) :
        ] == told


def test_a_round_is_finished_by_the_payouts_it_began_with(
    house: House, commands: list[Command]
) -> None:
    at = halfway(house, commands)
    with chapters_from(house.changed(ante_pays_double)), house.log() as log:
        assert chapter(COPY).paytables["ante", "standard"]["win"].odds.text == "2 to 1"
        table = RecordedTable(log, "1")
        left = iter(commands[at:])
        told: list[Any] = []
        while table.table.hands:
            told += table.send(next(left))
        won = [one for one in told if isinstance(one, WagerSettled) and one.result == "win"]
        assert "ante" in {one.wager for one in won}, "an ante wins in this round"
        assert all(one.paid == one.stake for one in won)

        # the cards are made ready as ever, but no new round begins, and one sentence says why
        for command in left:
            if isinstance(command, PlaceWager):
                break
            table.send(command)
        with pytest.raises(Refused) as caught:
            table.send(command)
        assert caught.value.code == "edition_changed"
        assert COPY in caught.value.message
        assert "place_wager" not in legal(table.table, command.role, command.seat)
        assert "close_table" in legal(table.table, "floorperson")
        table.send(CloseTable(role="floorperson", who="floor", at=commands[-1].at, count={}))
        assert table.table.phase == "closed"

        # opened again it plays by the new text, and both editions are on the record
        # some time after it was closed
        last = commands[-1].at
        send(
            log,
            [msgspec.structs.replace(command, version=None, at=last) for command in commands[:at]],
        )
        again = RecordedTable(log, "1").table
        assert rules_of(again).table("ante")["win"].odds.text == "2 to 1"
        assert len(log.heads(prefix=PREFIX)) == 2
        assert verify(log).unbroken


def test_what_was_played_is_shown_by_the_rules_of_its_time(
    house: House, commands: list[Command], tmp_path: Path
) -> None:
    halfway(house, commands)
    roots = {
        "otherwise": house.changed(ante_pays_double, "otherwise"),
        "unreadable": house.changed(break_paytables, "unreadable"),
        "gone": only_another(tmp_path),
    }
    for name, root in roots.items():
        with chapters_from(root), house.log() as log:
            table = RecordedTable(log, "1").table
            assert public_view(table).phase == "deciding"
            assert floor_view(table, at=commands[-1].at).legal
            assert next_steps(table)
            found = Projections(":memory:")
            found.update(log)
            round = find_round(found, "1.1.1")
            steps = replay(log, round)
            assert "<svg" in page(round, steps)
            out = tmp_path / f"out of {name}"
            assert "replay.html" in bundle(log, round, out / "bundle")
            assert export(log, found, out / "export", "jsonl")["rounds.jsonl"] == 1
            assert decks(found, When(), commands[-1].at)[0]["change_by"]
            (row,) = found.rows("select chapter, edition, file, edition_hash from rules")
            assert recorded_rules(**row).table("ante")["win"].odds.text == "1 to 1"
            found.close()


def only_another(folder: Path) -> Path:
    root = folder / "another"
    copied(SAIGON, root, "another-game")
    return root


def test_an_edition_is_stored_once_however_many_tables_play_by_it(
    house: House, commands: list[Command]
) -> None:
    with chapters_from(house.root), house.log() as log:
        for name in ("1", "2", "3"):
            RecordedTable(log, name).send(commands[0])
        (stream,) = log.heads(prefix=PREFIX)
        (event,) = log.read(stream)
        assert stream == PREFIX + chapter(COPY).hash
        assert (event.kind, event.data["chapter"]) == ("edition_recorded", COPY)
        assert 20_000 < len(event.body) < 60_000


class Earlier(RecordedTable):
    """A table as a version of the program recorded it that named editions by their bytes."""

    hash = ""

    def decide(self, command: Command) -> tuple[Any, ...]:
        events = super().decide(command)
        if isinstance(events[0], TableOpened):
            opened = msgspec.structs.replace(events[0], edition_hash=self.hash)
            return (opened, *events[1:])
        return events

    def _moves(self, events: Any) -> Any:
        return () if isinstance(events[0], TableOpened) else super()._moves(events)


def test_a_table_of_an_earlier_version_plays_on() -> None:
    commands = played(MD)
    log = MemoryLog()
    table = Earlier(log, "1")
    table.hash = next(hash for hash, (id, _) in BYTE_HASHES.items() if id == MD)
    table.send(commands[0])
    assert not log.heads(prefix=PREFIX)
    send(log, commands[1:])
    assert RecordedTable(log, "1").table.round == 3


def test_a_table_of_a_text_that_nobody_knows_is_shown_and_closed() -> None:
    commands = played(MD)
    log = MemoryLog()
    table = Earlier(log, "1")
    table.hash = "0" * 64
    table.send(commands[0])
    table = RecordedTable(log, "1")
    assert public_view(table.table).phase == "opening"
    with pytest.raises(Refused) as caught:
        table.send(commands[1])
    assert caught.value.code == "edition_changed"
    table.send(CloseTable(role="floorperson", who="floor", at=commands[-1].at, count={}))
    assert table.table.phase == "closed"


def test_a_link_is_fed_by_an_edition_that_pays_its_wager_alike(tmp_path: Path) -> None:
    """Maryland's progressive wager by table A: all tables that feed one meter have the same odds."""
    copied(MD, tmp_path, COPY)

    def amend(edition: str, wager: str, rows: list[dict[str, str]]) -> None:
        folder = tmp_path / COPY / edition
        write(folder / "chapter.toml", {"amends": "1.4", "edition": edition})
        table = {"wager": wager, "id": "A", "rows": rows}
        write(folder / "paytables.toml", {"paytable": [table]})

    amend("2.0", "pair_plus", [{"hand": "flush", "pays": "3 to 1"}])
    amend("3.0", "progressive", [{"hand": "straight", "pays": "7 for 1"}])
    with chapters_from(tmp_path):
        log = MemoryLog()
        staff(log)
        offered = {"shuffler": "counting", "progressive": "A"}
        meters = {"progressive": {"rate": "20%", "seed": "5000.00", "reset": "5000.00"}}

        def rules(edition: str) -> Rules:
            return choose(chapter(COPY, edition), offered, meters=meters)

        link = Link(log, "wide")
        link.open(rules("1.4"), "progressive", BY)
        check_terms(rules("2.0"), link.read().standing)
        with pytest.raises(Refused) as caught:
            check_terms(rules("3.0"), link.read().standing)
        assert caught.value.code == "other_terms"
