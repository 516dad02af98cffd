"""Snapshots are a cache: they save folding, and a wrong one is never believed."""

from __future__ import annotations

import msgspec
import pytest
from writing import fill, write

from houseway.errors import Refused
from houseway.store.backends.memory import MemoryLog
from houseway.store.background_snapshots import BackgroundSnapshots
from houseway.store.event import Event
from houseway.store.snapshots import Folding, keep, open_at, wrong_snapshots

SUM = Folding(
    maker="sum/1",
    start=int,
    step=lambda total, event: total + event.data["number"],
    pack=msgspec.json.encode,
    unpack=msgspec.json.decode,
)


def test_a_snapshot_saves_the_folding_and_changes_nothing_else(log) -> None:
    fill(log, "a", 100)
    opened = open_at(log, "a", SUM)
    assert (opened.state, opened.version, opened.folded) == (5050, 100, 100)
    keep(log, "a", SUM, opened)
    fill(log, "a", 1)
    opened = open_at(log, "a", SUM)
    assert (opened.state, opened.version, opened.folded) == (5151, 101, 1)
    assert opened.hash == log.head("a").hash
    assert list(wrong_snapshots(log, SUM)) == []


def test_an_earlier_moment_is_folded_without_a_later_snapshot(log) -> None:
    fill(log, "a", 10)
    keep(log, "a", SUM, open_at(log, "a", SUM))
    opened = open_at(log, "a", SUM, upto=4)
    assert (opened.state, opened.version, opened.folded) == (10, 4, 4)


def test_a_new_maker_does_not_read_the_snapshots_of_the_old(log) -> None:
    fill(log, "a", 3)
    keep(log, "a", SUM, open_at(log, "a", SUM))
    assert open_at(log, "a", SUM._replace(maker="sum/2")).folded == 3


@pytest.mark.parametrize("wrong", ["hash", "state", "beyond"])
def test_a_snapshot_that_is_not_of_this_log_is_ignored(log, wrong) -> None:
    fill(log, "a", 10)
    keep(log, "a", SUM, open_at(log, "a", SUM))
    version, hash, state = log.snapshot("a", SUM.maker)
    log.save_snapshot(
        "a",
        SUM.maker,
        99 if wrong == "beyond" else version,
        bytes(32) if wrong == "hash" else hash,
        state[:-1] + b"9" if wrong == "state" else state,
    )
    opened = open_at(log, "a", SUM)
    assert (opened.state, opened.folded) == (55, 10)
    assert list(wrong_snapshots(log, SUM)) == ["a"]


def test_a_sealed_snapshot_with_a_false_state_is_found_by_folding_again(log) -> None:
    log.append(write("a", 0, 1, 2))
    keep(log, "a", SUM, open_at(log, "a", SUM)._replace(state=4))
    assert open_at(log, "a", SUM).state == 4
    assert list(wrong_snapshots(log, SUM)) == ["a"]


def test_states_that_their_steps_change_are_folded_apart(log) -> None:
    """A state may be changed in place; that of one stream has nothing of another's."""

    def step(numbers: list[int], event: Event) -> list[int]:
        numbers.append(event.data["number"])
        return numbers

    how = Folding("list/1", list[int], step, msgspec.json.encode, msgspec.json.decode)
    for stream in ("a", "b"):
        fill(log, stream, 3)
        opened = open_at(log, stream, how)
        assert opened.state == [1, 2, 3]
        keep(log, stream, how, opened)
    assert not list(wrong_snapshots(log, how))


def test_what_is_kept_aside_is_kept_when_the_house_closes(log) -> None:
    """Without waiting for the disk; of several states of a stream the last one stays."""
    fill(log, "a", 3)
    aside = BackgroundSnapshots(log)
    for version in (1, 2, 3):
        keep(aside, "a", SUM, open_at(log, "a", SUM, upto=version))
    aside.close()
    assert log.snapshot("a", SUM.maker)[0] == 3
    assert open_at(log, "a", SUM).folded == 0
    assert not list(wrong_snapshots(log, SUM))


def test_a_record_that_takes_no_snapshot_hinders_nobody() -> None:
    class Full(MemoryLog):
        def save_snapshot(self, *kept):
            raise Refused("record_full", "the disk is full")

    log = Full()
    fill(log, "a", 1)
    aside = BackgroundSnapshots(log)
    keep(aside, "a", SUM, open_at(log, "a", SUM))
    aside.close()
    assert log.snapshot("a", SUM.maker) is None
    assert open_at(log, "a", SUM).state == 1
