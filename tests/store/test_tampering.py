"""A change of the record past the database's rules is detected, at the right event."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from forging import forge
from writing import NOON, fill, write

from houseway.errors import Refused
from houseway.store import Log, digest
from houseway.store.backends.postgres import PostgresLog
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.security.anchor import (
    make_anchor,
    new_key,
    read_anchor,
    read_key,
    read_public_key,
)
from houseway.store.verify import verify


@dataclass
class Victim:
    """A record, and a way to its events past the rules."""

    log: Log
    place: str

    def sql(self, text: str, *values: object) -> None:
        forge(self.place, text, values=values)


@pytest.fixture(params=["sqlite", "postgres"])
def victim(request, tmp_path):
    if request.param == "sqlite":
        place = str(tmp_path / "r.db")
        made: Log = SQLiteLog(place)
    else:
        place = request.getfixturevalue("shared_server").new_database()
        made = PostgresLog(place)
    with made as log:
        fill(log, "a", 6)
        for number in (3, 1, 2, 4):  # events of one append stand in one block
            fill(log, "table/1", number)
        fill(log, "z", 3)
        yield Victim(log, place)


def _first(log: Log, *anchors) -> tuple[str, str | None, int | None]:
    fault = verify(log, anchors).faults[0]
    return fault.reason, fault.stream, fault.version


def test_an_untouched_record_is_unbroken(victim) -> None:
    verdict = verify(victim.log)
    assert (verdict.unbroken, verdict.streams, verdict.events) == (True, 3, 19)
    assert verdict.record == victim.log.id


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("time", "2026-03-01T12:00:01Z"),
        ("actor", "dealer bob"),
        ("kind", "discounted"),
        ("schema", 2),
        ("body", '{"number":6}'),
        ("hash", b"\x01" * 32),
    ],
)
def test_a_changed_field_is_found_at_its_event(victim, column, value) -> None:
    victim.sql(f"update events set {column} = ? where stream = 'table/1' and version = 5", value)
    assert _first(victim.log) == ("changed", "table/1", 5)


@pytest.mark.parametrize("version", [1, 5])
def test_a_removed_event_is_found(victim, version) -> None:
    victim.sql("delete from events where stream = 'table/1' and version = ?", version)
    assert _first(victim.log) == ("missing", "table/1", version)


def test_removed_and_renumbered_is_found(victim) -> None:
    victim.sql("delete from events where stream = 'table/1' and version = 5")
    for version in range(6, 11):
        victim.sql(
            "update events set version = ? where stream = 'table/1' and version = ?",
            version - 1, version,
        )  # fmt: skip
    assert _first(victim.log) == ("changed", "table/1", 5)


def test_an_inserted_event_with_a_hash_of_its_own_is_found(victim) -> None:
    for version in range(10, 4, -1):
        victim.sql(
            "update events set version = ? where stream = 'table/1' and version = ?",
            version + 1, version,
        )  # fmt: skip
    before = next(victim.log.read("table/1", 3, 4))
    body = '{"number":99}'
    hash = digest(before.hash, "table/1", 5, NOON, "x", "counted", 1, body)
    victim.sql(
        "insert into events values ('table/1', 5, ?, 'x', 'counted', 1, ?, ?, ?)",
        NOON, body, before.hash, hash,
    )  # fmt: skip
    # the false event is sound by itself; the true one after it no longer stands where it stood
    assert _first(victim.log) == ("changed", "table/1", 6)


def test_two_events_that_changed_places_are_found_at_the_first(victim) -> None:
    for old, new in ((4, 99), (7, 4), (99, 7)):
        victim.sql(
            "update events set version = ? where stream = 'table/1' and version = ?", new, old
        )
    assert _first(victim.log) == ("changed", "table/1", 4)


def test_a_changed_event_with_a_new_hash_breaks_the_link_after_it(victim) -> None:
    event = next(victim.log.read("table/1", 4))
    hash = digest(event.previous, "table/1", 5, NOON, event.actor, event.kind, 1, '{"number":0}')
    victim.sql(
        "update events set body = ?, hash = ? where stream = 'table/1' and version = 5",
        '{"number":0}', hash,
    )  # fmt: skip
    # the event itself is sound; what comes after it was not written after this
    assert _first(victim.log) == ("changed", "table/1", 6)


def _rewrite(victim: Victim, start: int) -> None:
    """What a patient forger does: change an event and recompute all later hashes."""
    events = list(victim.log.read("table/1"))
    link = events[start - 1].previous
    for event in events[start - 1 :]:
        body = '{"number":0}' if event.version == start else event.body
        hash = digest(
            link, "table/1", event.version, event.time, event.actor, event.kind, event.schema, body
        )
        victim.sql(
            "update events set body = ?, previous = ?, hash = ?"
            " where stream = 'table/1' and version = ?",
            body, link, hash, event.version,
        )  # fmt: skip
        link = hash


def test_a_whole_stream_made_anew_is_found_by_an_anchor_alone(victim, tmp_path) -> None:
    anchor = make_anchor(victim.log, new_key(tmp_path / "key"), NOON)
    fill(victim.log, "table/1", 2)
    assert verify(victim.log, [anchor]).unbroken
    _rewrite(victim, 5)
    assert verify(victim.log).unbroken
    assert _first(victim.log, anchor) == ("rewritten", "table/1", 10)


def test_a_cut_off_end_is_found_by_an_anchor(victim, tmp_path) -> None:
    anchor = make_anchor(victim.log, new_key(tmp_path / "key"), NOON)
    victim.sql("delete from events where stream = 'table/1' and version > 7")
    assert verify(victim.log).unbroken
    assert _first(victim.log, anchor) == ("cut_off", "table/1", 8)


def test_a_stream_removed_whole_is_found_by_an_anchor(victim, tmp_path) -> None:
    anchor = make_anchor(victim.log, new_key(tmp_path / "key"), NOON)
    victim.sql("delete from events where stream = 'z'")
    assert verify(victim.log).unbroken
    assert _first(victim.log, anchor) == ("cut_off", "z", 1)


def test_an_old_copy_put_back_is_found_by_an_anchor(tmp_path) -> None:
    log = SQLiteLog(tmp_path / "r.db")
    fill(log, "table/1", 4)
    log.copy_to(tmp_path / "old.db")
    fill(log, "table/1", 3)
    anchor = make_anchor(log, new_key(tmp_path / "key"), NOON)
    log.close()
    old = SQLiteLog(tmp_path / "old.db")
    assert verify(old).unbroken
    assert _first(old, anchor) == ("cut_off", "table/1", 5)
    # and also after the old copy has grown on by itself
    fill(old, "table/1", 2)
    old.append(write("table/1", 6, 70))
    assert _first(old, anchor) == ("rewritten", "table/1", 7)
    old.close()


def test_an_anchor_of_another_record_is_said_to_be_that(tmp_path) -> None:
    one, other = SQLiteLog(tmp_path / "1.db"), SQLiteLog(tmp_path / "2.db")
    anchor = make_anchor(one, new_key(tmp_path / "key"), NOON)
    assert verify(other, [anchor]).faults[0].reason == "another_record"
    one.close()
    other.close()


def test_an_anchor_survives_its_file_and_nothing_else(tmp_path) -> None:
    import msgspec

    log = SQLiteLog(tmp_path / "r.db")
    fill(log, "tisch/ü", 4)
    key = new_key(tmp_path / "key")
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0
    anchor = make_anchor(log, read_key(tmp_path / "key"), NOON)
    log.close()
    path = tmp_path / "anchor.json"
    path.write_bytes(msgspec.json.format(msgspec.json.encode(anchor)))
    assert read_anchor(path) == anchor
    assert read_anchor(path, read_public_key(tmp_path / "key.pub")) == anchor
    new_key(tmp_path / "other")
    with pytest.raises(Refused) as caught:
        read_anchor(path, read_public_key(tmp_path / "other.pub"))
    assert caught.value.code == "wrong_key"
    changed = msgspec.structs.replace(anchor, heads={"tisch/ü": (3, anchor.heads["tisch/ü"][1])})
    path.write_bytes(msgspec.json.encode(changed))
    with pytest.raises(Refused) as caught:
        read_anchor(path, key.public_key())
    assert caught.value.code == "wrong_signature"
    for rubbish in (b"", b"[]", b'{"format":"x"}', b"\xff"):
        path.write_bytes(rubbish)
        with pytest.raises(Refused) as caught:
            read_anchor(path)
        assert caught.value.code == "not_an_anchor"
    with pytest.raises(Refused):
        new_key(tmp_path / "key")
    with pytest.raises(Refused):
        read_key(tmp_path / "key.pub")
