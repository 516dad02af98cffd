"""The last event of each of many streams, at one moment: how sums over streams are read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from houseway.store import New, Write
from houseway.store.backends.memory import MemoryLog

NOON = "2026-03-01T12:00:00Z"


def some(log, stream: str, count: int) -> None:
    for at in range(count):
        log.append(Write(stream, at, (New("added", {"sum": at + 1}, "x", NOON),)))


def test_the_last_event_of_each_stream(log) -> None:
    for stream, count in (("b", 3), ("a", 1), ("ab", 2), ("%", 2), ("é", 1)):
        some(log, stream, count)
    asked = ["a", "b", "b", "nothing", "%", "é"]
    found = log.last(asked)
    assert {name: event.data["sum"] for name, event in found.items()} == {
        "a": 1, "b": 3, "%": 2, "é": 1,
    }  # fmt: skip
    for name, event in found.items():
        assert event == list(log.read(name))[-1]
        assert event.hash == log.head(name).hash
    assert log.last([]) == {}


def test_an_append_over_streams_is_seen_whole(open_again) -> None:
    """Two sums move together; a reader of both sees them equal."""
    import threading

    log, reader = open_again(), open_again()
    stop = threading.Event()

    def write() -> None:
        at = 0
        while not stop.is_set():
            new = (New("added", {"sum": at}, "x", NOON),)
            log.append(Write("one", at, new), Write("two", at, new))
            at += 1

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(150):
            found = reader.last(["one", "two"])
            assert len({event.version for event in found.values()}) <= 1
    finally:
        stop.set()
        thread.join()


@given(
    st.dictionaries(st.sampled_from("abcd"), st.integers(1, 4)), st.sets(st.sampled_from("abcde"))
)
def test_it_is_what_reading_them_all_would_give(counts, asked) -> None:
    log = MemoryLog()
    for stream, count in counts.items():
        some(log, stream, count)
    assert log.last(asked) == {
        name: events[-1] for name in asked if (events := list(log.read(name)))
    }
