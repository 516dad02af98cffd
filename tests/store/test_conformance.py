"""What every record does, in memory, on SQLite and on PostgreSQL: one suite for the three."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest
from writing import NOON, fill, new, write

from houseway.errors import Refused
from houseway.store import NOTHING, Conflict, New, Write, retrying
from houseway.store.event import checked
from houseway.store.group_commit import GroupCommitter
from houseway.store.verify import verify


def test_what_is_appended_is_read_back_in_order(log) -> None:
    done = log.append(write("table/1", 0, 10, 20))
    done += log.append(write("table/1", 2, 30))
    assert [event.version for event in done] == [1, 2, 3]
    assert list(log.read("table/1")) == list(done)
    assert [event.data["number"] for event in log.read("table/1")] == [10, 20, 30]
    assert [event.version for event in log.read("table/1", 1)] == [2, 3]
    assert [event.version for event in log.read("table/1", 1, 2)] == [2]
    assert list(log.read("table/2")) == []


def test_contents_are_what_the_events_say(log) -> None:
    """From any version to any other, inside a block or over several."""
    log.append(write("table/1", 0, 10, 20, 30))
    log.append(write("table/1", 3, 40, 50))
    log.append(write("table/1", 5, 60))
    said = [(one.version, one.time, one.kind, "1", one.body) for one in log.read("table/1")]
    for after in range(8):
        for upto in range(8):
            assert list(log.contents("table/1", after, upto)) == said[after:upto]
    assert list(log.contents("table/2", 0, 9)) == []
    assert log.at("table/1", 4).data == {"number": 40}
    with pytest.raises(LookupError):
        log.at("table/1", 7)


def test_the_chain_is_the_documented_one(log) -> None:
    log.append(Write("table/1", 0, (New("opened", {"b": 1, "a": "é\n"}, "floor bo", NOON, 3),)))
    log.append(write("table/1", 1, 7))
    first, second = log.read("table/1")
    text = f'houseway/1\n{"00" * 32}\ntable/1\n1\n{NOON}\nfloor bo\nopened\n3\n{{"a":"é\\n","b":1}}'
    assert first.previous == NOTHING
    assert first.hash == sha256(text.encode()).digest()
    text = f'houseway/1\n{first.hash.hex()}\ntable/1\n2\n{NOON}\ndealer ann\ncounted\n1\n{{"number":7}}'
    assert second.previous == first.hash
    assert second.hash == sha256(text.encode()).digest()


def test_an_append_at_the_wrong_version_conflicts_and_writes_nothing(log) -> None:
    fill(log, "table/1", 3)
    for expected in (0, 2, 4):
        with pytest.raises(Conflict) as caught:
            log.append(write("table/1", expected, 9))
        assert (caught.value.expected, caught.value.actual) == (expected, 3)
        assert caught.value.code == "conflict"
    assert log.head("table/1").version == 3
    with pytest.raises(Conflict):
        log.append(write("never", 5, 1))
    assert "never" not in log.heads()
    log.append(write("never", 0, 1))


def test_several_streams_move_together_or_not_at_all(log) -> None:
    fill(log, "meter/progressive", 2)
    with pytest.raises(Conflict) as caught:
        log.append(write("table/1", 0, 1, 2), write("meter/progressive", 1, 3), write("z", 0, 1))
    assert caught.value.stream == "meter/progressive"
    assert log.heads().keys() == {"meter/progressive"}
    done = log.append(write("table/1", 0, 1, 2), write("meter/progressive", 2, 3))
    assert [(one.stream, one.version) for one in done] == [
        ("table/1", 1), ("table/1", 2), ("meter/progressive", 3),
    ]  # fmt: skip
    assert done[2].previous == next(log.read("meter/progressive", 1)).hash


def test_in_a_group_a_conflict_is_its_own(log) -> None:
    first, second, third, fourth = log.append_all(
        [
            checked(write("a", 0, 1)),
            checked(write("a", 0, 2), write("b", 0, 1)),
            checked(write("b", 0, 5, 6)),
            checked(write("a", 1, 3)),
        ]
    )
    assert isinstance(second, Conflict)
    assert (second.stream, second.actual) == ("a", 1)
    assert [one.data["number"] for one in log.read("a")] == [1, 3]
    assert [one.data["number"] for one in log.read("b")] == [5, 6]
    assert (*first, *fourth) == tuple(log.read("a"))
    assert third == tuple(log.read("b"))


def test_heads_by_name_by_prefix_and_of_nothing(log) -> None:
    for name in ("table/1", "table/10", "table/2", "meter/x", "tablf"):
        fill(log, name, 2)
    assert set(log.heads(prefix="table/")) == {"table/1", "table/10", "table/2"}
    assert set(log.heads(["table/2", "no such"])) == {"table/2"}
    assert len(log.heads()) == 5
    assert log.heads(prefix="zzz") == {}
    last = list(log.read("table/1"))[-1]
    assert log.head("table/1").hash == last.hash
    assert (log.head("nothing").version, log.head("nothing").hash) == (0, NOTHING)


def test_a_scan_gives_every_event_stream_by_stream(log) -> None:
    for name, count in (("b", 2), ("a", 3), ("B", 1)):
        fill(log, name, count)
    assert [(one.stream, one.version) for one in log.scan()] == [
        ("B", 1), ("a", 1), ("a", 2), ("a", 3), ("b", 1), ("b", 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (Write("", 0, (new(),)), "not_a_name"),
        (Write("a\nb", 0, (new(),)), "not_a_name"),
        (Write("x" * 201, 0, (new(),)), "not_a_name"),
        (Write("a", -1, (new(),)), "not_a_version"),
        (Write("a", 0, ()), "nothing_to_write"),
        (Write("a", 0, (New("k\x00", {}, "x", NOON),)), "not_a_name"),
        (Write("a", 0, (New("k", {}, "", NOON),)), "not_a_name"),
        (Write("a", 0, (New("k", {}, "x", "2026-03-01 12:00"),)), "not_a_time"),
        (Write("a", 0, (New("k", {}, "x", "2026-03-01T12:00:00+01:00"),)), "not_a_time"),
        (Write("a", 0, (New("k", {}, "x", NOON, 0),)), "not_a_schema"),
        (Write("a", 0, (New("k", {"amount": 1.5}, "x", NOON),)), "not_plain_data"),
        (Write("a", 0, (New("k", {"amount": 2**53}, "x", NOON),)), "not_plain_data"),
        (Write("a", 0, (New("k", {"text": "\ud800"}, "x", NOON),)), "not_plain_data"),
        (Write("a", 0, (New("k", {"what": object()}, "x", NOON),)), "not_plain_data"),
    ],
)
def test_what_cannot_go_on_record_is_refused_and_leaves_no_trace(log, bad, code) -> None:
    with pytest.raises(Refused) as caught:
        log.append(write("good", 0, 1), bad)
    assert caught.value.code == code
    assert log.heads() == {}


def test_one_stream_twice_in_an_append_is_refused(log) -> None:
    with pytest.raises(Refused) as caught:
        log.append(write("a", 0, 1), write("a", 1, 2))
    assert caught.value.code == "stream_twice"


def test_any_text_survives(log) -> None:
    body = {"text": '“quotes” \\ " / \x00 \x1f \x7f  ünï 🂡 \r\n\t', "🂡": [None, True, {"": ""}]}
    log.append(Write("tisch/ä 🂡", 0, (New("räumt'%s", body, "O'Brien \\ %", NOON),)))
    (event,) = log.read("tisch/ä 🂡")
    assert event.data == body
    assert (event.kind, event.actor) == ("räumt'%s", "O'Brien \\ %")


def test_of_many_writers_at_one_version_exactly_one_wins(log) -> None:
    ready = threading.Barrier(8)

    def attempt(number: int) -> int:
        ready.wait()
        try:
            log.append(write("table/1", 0, number))
        except Conflict:
            return 0
        return number

    with ThreadPoolExecutor(8) as pool:
        won = [number for number in pool.map(attempt, range(1, 9)) if number]
    (event,) = log.read("table/1")
    assert [event.data["number"]] == won


def test_writers_that_decide_again_all_get_through(log) -> None:
    def add(number: int) -> None:
        for _ in range(5):
            retrying(
                log,
                lambda: [write("shared", log.head("shared").version, number),
                         write(f"own/{number}", log.head(f"own/{number}").version, 1)],
                attempts=200,
            )  # fmt: skip

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(4)))
    numbers = [event.data["number"] for event in log.read("shared")]
    assert sorted(numbers) == sorted(list(range(4)) * 5)
    assert {name: head.version for name, head in log.heads(prefix="own/").items()} == {
        f"own/{number}": 5 for number in range(4)
    }


def test_appends_over_streams_in_opposite_orders_do_not_stand_in_each_others_way(log) -> None:
    def add(names: tuple[str, str]) -> None:
        for _ in range(10):
            retrying(log, lambda: [write(name, log.head(name).version, 1) for name in names], 500)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(add, [("a", "b"), ("b", "a")]))
    assert [head.version for head in log.heads().values()] == [20, 20]


def test_what_another_process_wrote_is_noticed_whatever_is_remembered(open_again) -> None:
    """Each opening remembers where it left a stream; the record moves on without it."""
    one, other = open_again(), open_again()
    for version in range(0, 6, 2):
        one.append(write("a", version, version))
        other.append(write("a", version + 1, version + 1))
        with pytest.raises(Conflict) as caught:
            one.append(write("a", version + 1, -1))
        assert (caught.value.expected, caught.value.actual) == (version + 1, version + 2)
    assert [event.data["number"] for event in one.read("a")] == list(range(6))
    # several streams at once, one of which moved
    other.append(write("b", 0, 0))
    with pytest.raises(Conflict) as caught:
        one.append(write("a", 6, 6), write("b", 0, 0))
    assert caught.value.stream == "b"
    assert other.head("a").version == 6
    assert verify(one).unbroken


def test_a_name_is_no_time(log) -> None:
    log.append(Write("a", 0, (New("noon", {}, "ann", NOON),)))
    with pytest.raises(Refused):
        log.append(Write("a", 1, (New("noon", {}, "ann", "noon"),)))
    assert log.head("a").version == 1


def test_group_commit_keeps_every_append_apart(log) -> None:
    together = GroupCommitter(log)
    futures = [together.submit(write(f"table/{n % 10}", n // 10, n)) for n in range(200)]
    late = together.submit(write("table/0", 3, 99))
    for future in futures:
        assert len(future.result(timeout=30)) == 1
    with pytest.raises(Conflict):
        late.result(timeout=30)
    with pytest.raises(Refused):
        together.append(Write("a", 0, (New("k", 0.5, "x", NOON),)))
    together.close()
    for table in range(10):
        numbers = [event.data["number"] for event in log.read(f"table/{table}")]
        assert numbers == list(range(table, 200, 10))


def test_a_long_stream_is_read_across_pages(log) -> None:
    fill(log, "long", 9000)
    assert [event.version for event in log.read("long", 10)] == list(range(11, 9001))
    assert sum(1 for _ in log.scan()) == 9000
