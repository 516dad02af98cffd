"""Several workers on one record: any worker any table, and nobody is left when the house closes."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import signal
import time
from functools import partial
from pathlib import Path

import pytest
from desk import Desk, token, visitor
from forging import forge
from served import served

from houseway.store import New, Write, open_log
from houseway.store.verify import verify


@pytest.fixture
def desk():
    """Makes connections to workers, all closed at the end."""
    with contextlib.ExitStack() as stack:

        def make(address, worker, token=""):
            return stack.enter_context(contextlib.closing(Desk(address, worker, token)))

        yield make


pytestmark = pytest.mark.slow


def _until(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError("it did not happen")


def _workers(pid: int) -> set[int]:
    """The processes under the house that serve, by what they were started with."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return {
        int(child)
        for child in children
        if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text()
    }


def _is_answered(desk, address, worker, mine, name, fields) -> bool:
    """Whether a fold was acknowledged, now or before."""
    try:
        return "version" in desk(address, worker, mine).send(name, "fold", **fields)
    except (ConnectionError, http.client.HTTPException):
        return False


def _is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_house_with_open_streams_closes_whole(tmp_path, desk, how):
    """Ctrl-C reaches every process of the terminal; SIGTERM the house alone."""
    with served(tmp_path, "--workers", "2", pace=0) as one:
        desks = [desk(one.address, number) for number in (0, 1, 0, 1)]
        streams = [desk.follow("prime") for desk in desks]
        for stream in streams:
            next(stream)
        workers = _workers(one.process.pid)
        assert len(workers) == 2
        if how is signal.SIGINT:
            os.killpg(one.process.pid, how)
        else:
            one.process.send_signal(how)
        assert one.process.wait(15) == 0
        # the streams were ended, not torn: what still comes is whole
        assert all(view["table"] == "prime" for stream in streams for view in stream)
        assert all(map(_is_gone, workers))


def test_one_worker_with_a_stream_open_closes_too(tmp_path, desk):
    with served(tmp_path, pace=0) as one:
        stream = desk(one.address, 0).follow("prime")
        next(stream)
        one.process.send_signal(signal.SIGINT)
        assert one.process.wait(15) == 0
        assert all(view["table"] == "prime" for view in stream)


def test_workers_leave_when_the_house_is_killed(tmp_path, desk):
    with served(tmp_path, "--workers", "2", pace=0) as one:
        stream = desk(one.address, 1).follow("prime")
        next(stream)
        workers = _workers(one.process.pid)
        assert len(workers) == 2
        one.process.kill()
        assert _until(lambda: all(map(_is_gone, workers)))


def test_a_dead_worker_is_replaced(tmp_path, desk):
    with served(tmp_path, "--workers", "2", pace=0) as one:
        before = _workers(one.process.pid)
        victim = min(before)
        os.kill(victim, signal.SIGKILL)
        _until(lambda: len(_workers(one.process.pid) - {victim}) == 2)
        assert {desk(one.address, number).worker for number in (0, 1)} == {0, 1}


def test_figures_are_counted_at_a_worker_too(tmp_path, desk):
    """In processes of its own, which leave with it however it ends."""
    with served(tmp_path, "--workers", "2", pace=0) as one:
        worker = desk(one.address, 1)
        worker.page("/mathematics/pa-saigon-5-card")
        counting = _until(lambda: _workers(worker.process))
        assert worker.process not in counting
        os.kill(worker.process, signal.SIGKILL)
        assert _until(lambda: all(map(_is_gone, counting)))


def test_what_keeps_a_worker_from_opening_is_said_in_a_sentence(tmp_path):
    from houseway.errors import Refused
    from houseway.web.server.startup import Settings, run

    (tmp_path / "other.db").write_bytes(b"not a database at all, and long enough" * 100)
    settings = Settings(str(tmp_path / "other.db"), "127.0.0.1", 0, True, 0.0, False, 2, True)
    with pytest.raises(Refused, match="not a database"):
        run(settings)


def test_a_house_on_a_damaged_record_is_not_opened_and_names_the_event(tmp_path):
    from houseway.errors import Refused
    from houseway.web.server.startup import Settings, run

    path = tmp_path / "house.db"
    log = open_log(str(path))
    log.append(Write("table/1", 0, (New("table_opened", {}, "floor bo", "2026-03-01T12:00:00Z"),)))
    log.close()
    forge(path, "update events set body = '[' where stream = 'table/1'")
    with pytest.raises(Refused, match="damaged at table/1, event 1"):
        run(Settings(str(path), "127.0.0.1", 0, True, 0.0, False, 1, True))


def _phase(view):
    return view["view"].get("public", view["view"])["phase"]


def _until_at(seat, name, phase, round_):
    """Until a worker shows a table so."""

    def is_so():
        seen = seat.table(name)
        return _phase(seen) == phase and seen["view"]["public"]["round"] == round_

    _until(is_so)


def test_two_workers_on_postgresql_are_one_house(tmp_path, postgres, desk):
    """Commands to one, the stream from the other; stopped in mid-round; one killed in mid-round."""
    database = postgres.new_database()
    name = "prime"
    with served(tmp_path, "--workers", "2", pace=0, database=database) as one:
        mine = token(one.address, "guest")
        port = one.address.rpartition(":")[2]
        here, there = desk(one.address, 0, mine), desk(one.address, 1, mine)
        views = desk(one.address, 1, mine).follow(name)
        here.send(name, "sit_down", seat=1, player="me")
        there.send(name, "buy_in", seat=1, amount="100.00")
        next(view for view in views if _phase(view) == "betting")
        bet = {"seat": 1, "wager": "ante", "amount": "5.00", "key": "once"}
        done = here.send(name, "place_wager", **bet)
        again = there.send(name, "place_wager", **bet)
        assert (again["version"], again["again"]) == (done["version"], True)
        view = next(view for view in views if _phase(view) == "deciding")
        hand = view["view"]["public"]["boxes"][0]["cards"]
        assert "??" not in hand
    # the house was closed in mid-round: it opens again, and the hand lies where it lay
    with served(tmp_path, "--workers", "2", pace=0, database=database, port=port) as one:
        for number in (0, 1):
            seen = desk(one.address, number, mine).table(name)
            assert _phase(seen) == "deciding"
            assert seen["view"]["public"]["boxes"][0]["cards"] == hand
        views = desk(one.address, 1, mine).follow(name)
        desk(one.address, 0, mine).send(name, "fold", seat=1)
        next(v for v in views if _phase(v) == "betting" and v["view"]["public"]["round"] == 1)
        # two more rounds, and in the middle of each one of the workers is killed
        for number in (0, 1):
            desk(one.address, number, mine).send(name, "place_wager", **{**bet, "key": f"{number}"})
            _until_at(desk(one.address, 1 - number, mine), name, "deciding", 2 + number)
            victim = desk(one.address, number).process
            os.kill(victim, signal.SIGKILL)
            _until(partial(_is_gone, victim))
            # until its last thread has ended it may still be given a connection: what was not
            # answered is sent again with its key
            fold = {"seat": 1, "key": f"fold {number}"}
            _until(partial(_is_answered, desk, one.address, 1 - number, mine, name, fold))
            _until_at(desk(one.address, number, mine), name, "betting", 2 + number)
        chips = {desk(one.address, n, mine).table(name)["chips"] for n in (0, 1)}
        assert chips == {"85.00"}
    log = open_log(database)
    try:
        assert verify(log).unbroken
    finally:
        log.close()


def test_a_connection_goes_to_the_home_of_the_table_it_asks_for(tmp_path, postgres, desk):
    """A table has one home, wherever it is asked for; a page of no table is served where it is."""
    with served(tmp_path, "--workers", "2", pace=0, database=postgres.new_database()) as one:
        homes = {}
        for name in ("prime", "maryland", "saigon", "down-under"):
            for number in (0, 1):
                line = desk(one.address, number)
                assert line.table(name)["table"] == name
                homes.setdefault(name, set()).add(line.ask("GET", "/health")["worker"])
        assert all(len(found) == 1 for found in homes.values())
        assert len(set.union(*homes.values())) == 2
        away = desk(one.address, 0)
        away.page("/")
        assert away.ask("GET", "/health")["worker"] == 0


def test_what_another_worker_writes_to_a_table_is_seen_at_its_home_at_once(tmp_path, postgres):
    """The demonstration's door seats a visitor wherever it is; the table's page shows it next."""
    with served(tmp_path, "--workers", "2", pace=0, database=postgres.new_database()) as one:
        for _ in range(6):
            page = visitor(one.address, "guest")
            mark = re.search(r'name="token" content="(\w+)"', page("/"))[1]
            assert "seated from-my-chair" in page("/play", token=mark, table="prime")


def test_nothing_acknowledged_is_lost_when_the_home_of_a_table_is_killed(tmp_path, postgres, desk):
    """A player goes on through whoever answers, sending a command again until it is acknowledged."""
    database, name = postgres.new_database(), "prime"
    with served(tmp_path, "--workers", "2", pace=0, database=database) as one:
        mine = token(one.address, "guest")

        def sent(command, key, **fields):
            for _ in range(100):
                with contextlib.suppress(OSError, http.client.HTTPException, AssertionError):
                    line = desk(one.address, len(acknowledged) % 2, mine)
                    done = line.send(name, command, key=key, **fields)
                    if done.get("error", {}).get("code") != "busy":
                        return done
            raise AssertionError("nobody answers")

        acknowledged = {}
        sent("sit_down", "sit", seat=1, player="me")
        sent("buy_in", "buy", seat=1, amount="100.00")
        for number in range(12):
            done = sent("tip", f"tip-{number}", seat=1, amount="1.00")
            acknowledged[f"tip-{number}"] = done["version"]
            if number in (3, 7):
                home = desk(one.address, 0)
                home.table(name)
                os.kill(home.ask("GET", "/health")["process"], signal.SIGKILL)
    log = open_log(database)
    try:
        events = {event.version: event for event in log.read(f"table/{name}")}
        for key, version in acknowledged.items():
            assert events[version].data["key"].endswith(f":{key}")
        tips = [event for event in events.values() if event.kind == "tip_given"]
        assert len(tips) == 12
        assert verify(log).unbroken
    finally:
        log.close()
