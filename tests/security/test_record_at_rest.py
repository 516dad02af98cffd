"""A record in the hands of somebody who may write to its file: what is found, and what is hidden."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from casino_war_support import CHAPTERS as WAR_CHAPTERS
from casino_war_support import EXAMPLE, installed
from forging import add_event, forge

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.floor import integrity
from houseway.floor.audit.projections import Projections, projections_path
from houseway.floor.audit.rounds import find_round
from houseway.floor.audit.verify_deal import verify_deal
from houseway.floor.casino import Casino
from houseway.floor.demonstration_history import record_history
from houseway.floor.integrity import anchor_now, check_tail, check_whole, open_checked
from houseway.floor.live_table import Live
from houseway.floor.recorded_table import table_event
from houseway.game_api import registry
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, chapter, cites
from houseway.store import Log, New, Write, digest, open_log
from houseway.store.backup import backup, restore
from houseway.store.security import sealed_text
from houseway.store.security.house_keys import make_keys
from houseway.store.verify import verify
from houseway.table import legal, next_steps
from houseway.table.driver import Driver
from houseway.table.gaming_day import moment

sys.path.append(str(Path(__file__).parents[1] / "floor"))
from playing import played, record

from outside import chapters_from, copied

NOON = "2026-03-01T12:00:00Z"


@pytest.fixture
def keys_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOUSEWAY_KEYS", str(tmp_path / "keys"))
    return tmp_path / "keys"


@pytest.fixture
def path(tmp_path: Path, keys_here: Path) -> Path:
    """A record with three rounds on it, the last shoe still open."""
    path = tmp_path / "house.db"
    with open_log(path) as log:
        open_checked(log)
        record(log, played(0, rounds=3, name="1", seed=1), "1")
        live = Live(log, "1")
        live.take(())
        assert log.keys is not None
        anchor_now(log, log.keys)
    return path


@pytest.fixture
def _forget() -> Iterator[None]:
    kept = dict(sealed_text.RING)
    yield
    sealed_text.RING.update(kept)
    table_event.cache_clear()


def _sql(path: Path, *statements: str) -> None:
    """What the owner of the file can do: anything, past the triggers."""
    for statement in statements:
        if " events " in f"{statement} ":
            forge(path, statement)
            continue
        with sqlite3.connect(path) as sql:
            sql.execute(statement)
        sql.close()


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_files_are_their_owners_alone(path: Path, keys_here: Path, tmp_path: Path) -> None:
    with open_log(path) as log:
        log.append(Write("x", 0, (New("x", {}, "x", NOON),)))
        for one in path.parent.glob("house.db*"):
            assert _mode(one) == 0o600, one
        backup(log, tmp_path / "copy.db")
    assert _mode(tmp_path / "copy.db") == 0o600
    assert _mode(keys_here) == 0o700
    assert [_mode(one) for one in keys_here.glob("*.pem")] == [0o600]


def test_what_is_kept_beside_a_record_is_its_owners_alone(tmp_path: Path) -> None:
    """The projections too, also those that an earlier version left open to everybody."""
    path = tmp_path / "house.db"
    (tmp_path / "house.db.audit").touch()
    (tmp_path / "house.db.audit").chmod(0o644)
    with open_log(path) as log:
        record_history(log, 3, 1)
        for at in (projections_path(log, path), tmp_path / "new.audit"):
            with Projections(at) as projections:
                projections.update(log)
                modes = {one.name: oct(_mode(one)) for one in tmp_path.iterdir()}
                assert set(modes.values()) == {"0o600"}, modes


def _order_of_the_open_shoe(log: Log) -> tuple[str, ...]:
    shuffles = [event for event in log.read("table/1") if event.kind == "cards_shuffled"]
    event = table_event(shuffles[-1])
    assert event is not None
    cards: tuple[str, ...] = event.cards  # type: ignore[attr-defined]
    assert len(cards) == 52
    return cards


def test_the_order_of_an_open_shoe_is_nowhere_in_the_files(path: Path, tmp_path: Path) -> None:
    with open_log(path) as log:
        order = _order_of_the_open_shoe(log)
        seed = Live(log, "1")._opened.state.secrets[3].seed
        assert len(seed) == 64
        backup(log, tmp_path / "copy.db")
        with Projections(projections_path(log, path)) as projections:
            projections.update(log)
            files = (*path.parent.glob("house.db*"), tmp_path / "copy.db")
            assert path.with_name("house.db.audit") in files
            _check_hidden(files, order, seed)
    _check_hidden((*path.parent.glob("house.db*"), tmp_path / "copy.db"), order, seed)


def _check_hidden(files: tuple[Path, ...], order: tuple[str, ...], seed: str) -> None:
    for file in files:
        data = file.read_bytes()
        assert seed.encode() not in data, file
        for at in range(0, 45, 3):
            for joined in (
                ",".join(f'"{one}"' for one in order[at : at + 6]),
                "".join(order[at : at + 6]),
            ):
                assert joined.encode() not in data, file


def test_projections_of_an_earlier_version_leave_no_order_behind(path: Path) -> None:
    """They kept the shoe as the house knew it; what is dropped is overwritten."""
    with open_log(path, readonly=True) as log:
        order = "".join(_order_of_the_open_shoe(log))
    kept = path.with_name("house.db.audit")
    with closing(sqlite3.connect(kept)) as old, old:
        old.execute(
            "create table positions (stream text, version integer, hash blob, pending blob)"
        )
        old.execute("insert into positions values ('table/1', 1, x'00', ?)", (order * 100,))
    assert order.encode() in kept.read_bytes()
    with open_log(path, readonly=True) as log, Projections(kept) as projections:
        projections.update(log)
    assert order.encode() not in kept.read_bytes()


@pytest.mark.usefixtures("_forget")
def test_without_the_key_all_but_the_open_shoe_is_read_and_verified(
    path: Path, keys_here: Path
) -> None:
    for one in keys_here.glob("*.pem"):
        one.unlink()
    sealed_text.RING.clear()
    table_event.cache_clear()
    with open_log(path, readonly=True) as log, Projections(":memory:") as found:
        assert log.keys is None
        assert verify(log).unbroken
        found.update(log)
        assert not found.unread
        for id, proved in (("1.1.1", True), ("1.1.2", True), ("1.1.3", False)):
            assert verify_deal(log, find_round(found, id)).proved == proved
        live = Live(log, "1")
        assert live.shoe_is_lost


def reopened_without_keys(folder: Path, driver: Driver) -> Casino:
    """The house of a recorded table, opened again after its keys were lost."""
    with open_log(folder / "house.db") as log:
        open_checked(log)
        record(log, driver, "1")
    for one in (folder / "keys").glob("*.pem"):
        one.unlink()
    sealed_text.RING.clear()
    table_event.cache_clear()
    return Casino(open_log(folder / "house.db"))


@pytest.mark.usefixtures("_forget", "keys_here")
@pytest.mark.parametrize("chapter", [MD, MA])
def test_a_shoe_whose_key_is_lost_is_given_up(tmp_path: Path, chapter: str) -> None:
    """By the floor's word where it may order a shuffle, else with a fresh deck (MA 4(a))."""
    driver = Driver(chapter, source=SeededSource(1), name="1", start=NOON)
    driver.seat_player(1, "player 1")
    driver.ready()
    casino = reopened_without_keys(tmp_path, driver)
    try:
        assert casino.lost_shoes() == ["1"]
        asyncio.run(casino.give_up_lost_shoes())
        table = casino.tables["1"].table
        assert table.phase == ("shuffling" if chapter == MD else "opening")
    finally:
        casino.close()


@pytest.mark.usefixtures("_forget", "keys_here")
@cites(MD, "13.G")
@cites(MA, "14(f)")
@cites(PRIME, "679a.13(f)")
@cites(DOWN_UNDER, "685a.12(i)")
@pytest.mark.parametrize("phase", ["dealing", "dealt", "deciding", "revealing", "settling"])
@pytest.mark.parametrize(
    ("chapter", "clause"),
    [(MD, "13.G"), (MA, "14(f)"), (PRIME, "679a.13(f)"), (DOWN_UNDER, "685a.12(i)")],
)
def test_a_round_whose_cards_are_lost_has_a_lawful_end(
    tmp_path: Path, chapter: str, clause: str, phase: str
) -> None:
    """A shoe that fails to deal all cards voids the round; one that has dealt them does not."""
    driver = Driver(chapter, source=SeededSource(1), name="1", start=NOON)
    driver.seat_player(1, "player 1")
    driver.ready()
    wager = "bet" if chapter == DOWN_UNDER else "ante"
    driver.wager(1, {wager: "10.00"})
    if phase in ("dealing", "dealt"):
        driver.until("dealing")
        if phase == "dealt":
            driver.send("deal", "dealer")
    else:
        driver.until("deciding")
        if phase != "deciding":
            driver.send("stand" if chapter == DOWN_UNDER else "play", "player", seat=1)
            driver.until(phase)
    casino = reopened_without_keys(tmp_path, driver)
    try:
        lost = casino.tables["1"].table
        awaited = phase in ("dealing", "dealt") or (
            chapter == DOWN_UNDER and phase in ("deciding", "revealing")
        )
        first = next_steps(lost)[0]
        assert (first.command == "void_round") == awaited
        if awaited:
            assert (first.role, first.clause) == ("floorperson", clause)
            assert "deal" not in legal(lost, "dealer")
        asyncio.run(casino.give_up_lost_shoes())
        table = casino.tables["1"].table
        assert bool(table.hands) == (not awaited)
        if awaited:
            assert not table.boxes[0].layout
            assert table.phase in ("opening", "shuffling")
        driver.table, driver.clock = table, moment(table.at)
        if table.hands:
            driver.finish(lambda *_: ("play", {}))
        driver.until("betting")
        assert not driver.table.lost_decks
        driver.wager(1, {wager: "10.00"})
        driver.until("deciding")
    finally:
        casino.close()


@pytest.mark.usefixtures("_forget", "keys_here")
@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("wagered", [False, True])
def test_cards_that_are_lost_between_rounds_are_shuffled_or_changed(
    tmp_path: Path, chapter: str, wagered: bool
) -> None:
    """`next_steps` leads out by itself, and wagers on the layout stay there."""
    driver = Driver(chapter, source=SeededSource(1), name="1", start=NOON)
    driver.seat_player(1, "player 1")
    driver.ready()
    wager = "bet" if chapter == DOWN_UNDER else "ante"
    if wagered:
        driver.wager(1, {wager: "10.00"})
    casino = reopened_without_keys(tmp_path, driver)
    try:
        driver.table = casino.tables["1"].table
    finally:
        casino.close()
    first = next_steps(driver.table)[0]
    assert first.command == ("change_decks" if chapter == MA else "order_reshuffle")
    assert (first.kind, first.role) == ("next", "floorperson")
    assert "lost" in first.says
    driver.house()
    driver.until("betting")
    assert not driver.table.lost_decks
    if not wagered:
        driver.wager(1, {wager: "10.00"})
    assert driver.table.boxes[0].layout == {wager: 1000}
    driver.until("deciding")


def test_a_rotated_key_still_opens_what_the_old_one_sealed(path: Path) -> None:
    with open_log(path) as log:
        order = _order_of_the_open_shoe(log)
        old = log.keys
        log.keys = make_keys(log.id, rotate=True)
        assert old is not None
        assert log.keys.active.id != old.active.id
        log.append(Write("x", 0, (New("x", {}, "x", NOON),)))
    table_event.cache_clear()
    with open_log(path) as log:
        assert _order_of_the_open_shoe(log) == order
        assert check_whole(log).well


def _opens(path: Path) -> bool:
    with open_log(path) as log:
        try:
            open_checked(log)
        except Refused as refusal:
            assert refusal.code == "damaged"
            assert not check_whole(log).well
            return False
    return True


def test_a_sound_record_opens(path: Path) -> None:
    assert _opens(path)


CHANGES = {
    "an event changed": "update events set body = replace(body, '.00', '.50') where kind = 'wager_placed'",
    "an event changed with its hash": "update events set hash = zeroblob(32) where stream = 'table/1' and version = 30",
    "the end cut off": "delete from events where stream = 'table/1' and version > 100",
    "a stream gone": "delete from events where stream like 'chips/%'",
    "an event in the middle gone": "delete from events where stream = 'table/1' and version = 50",
    "the signatures gone": "delete from appends",
    "a signature changed": "update appends set signature = zeroblob(64)",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_house_does_not_open_on_a_record_that_was_tampered_with(path: Path, change: str) -> None:
    _sql(path, change)
    assert not _opens(path)


def test_a_well_formed_forged_append_is_found(path: Path) -> None:
    """The chain holds; only the house's signature is missing."""
    with open_log(path) as log:
        stream = next(name for name in log.heads() if name.startswith("chips/"))
        last = log.last([stream])[stream]
        body = json.dumps({**last.data, "purse": 10**9}, sort_keys=True, separators=(",", ":"))
        fields = (stream, last.version + 1, NOON, "system", last.kind, last.schema, body)
        hash = digest(last.hash, *fields)
    add_event(path, *fields, last.hash, hash)
    with open_log(path) as log:
        assert verify(log).unbroken
        assert [fault.reason for fault in check_tail(log).faults] == ["not_signed"]
    assert not _opens(path)
    # signed by somebody else it is no better
    with open_log(path) as log:
        other = make_keys("f" * 32)
        mine, log.keys = log.keys, other
        log.append(Write(stream, last.version + 1, (New("x", {}, "x", NOON),)))
        log.keys = mine
    assert not _opens(path)


def test_an_old_copy_put_back_is_found(path: Path, tmp_path: Path) -> None:
    with open_log(path) as log:
        backup(log, tmp_path / "old.db")
        log.append(Write("x", 0, (New("x", {}, "x", NOON),)))
        assert log.keys is not None
        anchor_now(log, log.keys)
    for one in path.parent.glob("house.db*"):
        one.unlink()
    (tmp_path / "old.db").rename(path)
    assert not _opens(path)


def test_a_damaged_write_ahead_log_is_found(path: Path) -> None:
    with open_log(path) as log:
        before = log.head("table/1").version
        log.append(Write("x", 0, (New("x", {}, "x", NOON),)))
        assert log.keys is not None
        anchor_now(log, log.keys)
        wal = path.with_name("house.db-wal").read_bytes()
        whole = path.read_bytes()
    assert before
    path.write_bytes(whole)
    path.with_name("house.db-wal").write_bytes(wal[: len(wal) // 2])
    assert not _opens(path)


def test_a_forged_snapshot_is_not_read_and_is_reported(path: Path) -> None:
    from hashlib import sha256

    from houseway.floor.live_table import live_folding
    from houseway.store.snapshots import _of_code, keep, open_at

    how = live_folding()
    with open_log(path) as log:
        opened = open_at(log, "table/1", how)
        keep(log, "table/1", how, opened)
        kept = log.snapshot("table/1", how.maker)
        assert kept is not None
        version, hash, sealed = kept
        assert b"shoe" not in sealed
        rich = how.pack(opened.state).replace(b'"racks":{', b'"racks":{"1":99999999,')
        forged = sha256(_of_code(how.code) + rich).digest() + rich
        log.save_snapshot("table/1", how.maker, version, hash, forged)
        assert Live(log, "1").racks == opened.state.racks
        assert [one.reason for one in check_whole(log).faults] == ["wrong_snapshot"]
        # a good one of another moment does not open here either
        log.save_snapshot("table/1", how.maker, version - 1, hash, sealed)
        assert not check_whole(log).well


def test_an_event_that_was_changed_is_not_folded(path: Path) -> None:
    with open_log(path) as log:
        live = Live(log, "1")
        at = live.version
    _sql(path, f"update events set actor = 'nobody' where stream = 'table/1' and version = {at}",
         "delete from snapshots")  # fmt: skip
    with open_log(path) as log, pytest.raises(Refused, match=f"event {at}"):
        Live(log, "1")


def test_a_restored_record_keeps_its_signatures(path: Path, tmp_path: Path) -> None:
    with open_log(path) as log:
        backup(log, tmp_path / "copy.db")
    with open_log(tmp_path / "new.db") as log:
        assert restore(tmp_path / "copy.db", log).unbroken
    assert _opens(tmp_path / "new.db")


def test_an_encrypted_backup_is_read_with_the_key_only(
    path: Path, tmp_path: Path, keys_here: Path
) -> None:
    copy = tmp_path / "copy.db"
    with open_log(path) as log:
        backup(log, tmp_path / "plain.db")
        assert log.keys is not None
        plain = (tmp_path / "plain.db").read_bytes()
        backup(log, copy, log.keys.active)
    data = copy.read_bytes()
    assert b"table/1" in plain
    assert b"table/1" not in data
    assert _mode(copy) == 0o600
    with open_log(tmp_path / "new.db") as log:
        assert restore(copy, log).unbroken
    for wrong in (data[:-30], data[:100] + b"x" + data[101:], data + b"x", data[:26]):
        copy.write_bytes(wrong)
        with open_log(":memory:") as log, pytest.raises(Refused):
            restore(copy, log)
    for one in keys_here.glob("*.pem"):
        one.unlink()
    copy.write_bytes(data)
    with open_log(":memory:") as log, pytest.raises(Refused, match="does not have"):
        restore(copy, log)


def test_nothing_plain_is_written_where_an_encrypted_backup_goes(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The place may be a disk that others read: not even a backup that fails leaves a plain part there."""
    (tmp_path / "target").mkdir()
    with open_log(path) as log:
        assert log.keys is not None

        def fails(*_: object) -> bytes:
            raise OSError("the disk is full")

        monkeypatch.setattr(type(log.keys.active), "encrypt", fails)
        with pytest.raises(OSError, match="full"):
            backup(log, tmp_path / "target" / "copy.db", log.keys.active)
    for one in (tmp_path / "target").iterdir():
        assert b"SQLite" not in one.read_bytes(), one.name


def test_an_anchor_goes_to_a_second_place(path: Path, tmp_path: Path) -> None:
    with open_log(path) as log:
        assert log.keys is not None
        anchor_now(log, log.keys, tmp_path / "second")
        (copy,) = (tmp_path / "second").iterdir()
        assert json.loads(copy.read_text())["heads"]["table/1"][0] == log.head("table/1").version


def test_the_software_is_hashed_and_recorded(path: Path) -> None:
    with open_log(path) as log:
        body = integrity.check_software(log)
        assert integrity.check_software(log)["software"] == body["software"]
        (first, second) = log.read(integrity.STREAM)
        assert first.data == second.data == body
        assert len(body["software"]) == len(body["law"]) == 64


def test_a_change_of_what_was_added_from_outside_is_reported(path: Path, tmp_path: Path) -> None:
    """A chapter that a folder brings, and the code of a family that an entry point brings."""
    package = tmp_path / "family" / "casino_war"
    shutil.copytree(EXAMPLE / "casino_war", package)
    chapters = tmp_path / "chapters"
    shutil.copytree(WAR_CHAPTERS, chapters)
    (war,) = (one.name for one in chapters.iterdir())
    copied(MD, chapters, "md-two")
    with open_log(path) as log, installed(tmp_path / "site"), chapters_from(chapters):
        places = registry.places(chapter(war))
        assert [place.name for place in places] == ["casino_war"]
        first = integrity.check_software(log)
        assert "changed" not in first
        assert "changed" not in integrity.check_software(log)
        for changed in (
            next((chapters / "md-two").rglob("chapter.toml")),
            next((chapters / war).rglob("*.toml")),
        ):
            changed.write_text(changed.read_text() + "\n# another\n")
            found = integrity.check_software(log)
            assert found["changed"] == ["outside"]
            assert found["law"] == first["law"]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(integrity, "places", lambda law: (package,) if law.id == war else ())
            integrity.check_software(log)
            (package / "rules.py").write_text("# another\n")
            assert integrity.check_software(log)["changed"] == ["outside"]
            # a family may be one file, and no package
            patch.setattr(integrity, "places", lambda _: (package / "rules.py",))
            integrity.check_software(log)
            (package / "rules.py").write_text("# and another\n")
            assert integrity.check_software(log)["changed"] == ["outside"]
    with open_log(path) as log:
        assert integrity.check_software(log)["changed"] == ["outside"]  # it is gone


def test_a_family_of_one_file_or_of_two_packages_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one_file_game.py").write_text("")
    (tmp_path / "its_table").mkdir()
    (tmp_path / "its_table" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    parts = {"rules": "one_file_game:GAME", "maths": "one_file_game:M", "table": "its_table.t:GAME"}
    monkeypatch.setattr(registry, "_parts", lambda _: parts)
    law: Any = SimpleNamespace(about=SimpleNamespace(family="elsewhere"))
    assert registry.places(law) == (tmp_path / "one_file_game.py", tmp_path / "its_table")
    assert registry.folder(law) == tmp_path / "its_table"
