"""The floor's logbook: what was out of order, how old the decks are, who validated, what went wrong."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import pytest
from auditing import answer, run
from hypothesis import given
from hypothesis import strategies as st
from playing import lived_through, played, record

from houseway.errors import Refused
from houseway.floor.audit.logbook import BOOKS, When, decks, look
from houseway.floor.audit.projections import Projections
from houseway.law import MD, SAIGON, chapter, cites
from houseway.money import cents
from houseway.store.backends.memory import MemoryLog
from houseway.store.backends.sqlite import SQLiteLog
from houseway.table import events as e
from houseway.table.driver import Driver
from houseway.table.event_text import describe


@pytest.fixture(scope="module")
def driver() -> Driver:
    return lived_through()


@pytest.fixture(scope="module")
def found(driver):
    """A table that lived through much, one that was closed, one with nothing to tell."""
    log = MemoryLog()
    record(log, driver)
    closed = played(5, rounds=1, name="2")
    closed.send("close_table", "floorperson", count={})
    record(log, closed, "2")
    record(log, played(0, rounds=1, name="3"), "3")
    with Projections(":memory:") as projections:
        projections.update(log)
        yield projections


@pytest.fixture(scope="module")
def database(tmp_path_factory, driver):
    path = tmp_path_factory.mktemp("record") / "houseway.db"
    log = SQLiteLog(path)
    record(log, driver)
    log.close()
    return path


def test_a_device_is_out_of_order_until_it_changes(found, driver) -> None:
    changes = [one for one in driver.record if isinstance(one, e.DeviceChanged)]
    assert [one.condition for one in changes] == ["jammed", "working", "broken", "covered"]
    rows = look(found, "devices", When())
    # the latest first; working is no fault
    assert [(row["condition"], row["next"]) for row in rows] == [
        ("covered", ""), ("broken", "covered"), ("jammed", "working"),
    ]  # fmt: skip
    assert [row["time"] for row in rows] == [f"{changes[n].at}Z" for n in (3, 2, 0)]
    assert [row["until"] for row in rows] == ["", f"{changes[3].at}Z", f"{changes[1].at}Z"]
    assert {row["clause"] for row in rows} == {changes[0].clause, changes[2].clause}
    (still,) = look(found, "devices", When(), {"next": ""})
    assert still == rows[0]


@cites(MD, "3.C(2)")
@cites(SAIGON, "680a.3(c)(2)")
def test_decks_have_an_age_and_are_to_be_changed_after_the_chapters_hours(found) -> None:
    begun = datetime.fromisoformat("2026-01-01T12:00:00")
    at = (begun + timedelta(hours=9)).isoformat() + "Z"
    on_table = {row["table"]: row for row in decks(found, When(), at)}
    old = on_table["1"]
    received = datetime.fromisoformat(old["received"]).replace(tzinfo=None)
    assert old["age_minutes"] == (begun + timedelta(hours=9) - received) // timedelta(minutes=1)
    # a deck dealt from a shoe is changed every eight hours
    assert old["change_by"] == (received + timedelta(hours=8)).isoformat() + "Z"
    assert (old["overdue"], old["chapter"], old["clause"]) == (True, MD, "3.C(2)")
    early = decks(found, When(table="1"), (begun + timedelta(hours=7)).isoformat() + "Z")
    assert [row["overdue"] for row in early] == [False]
    # with the table its decks go, and are not older after that
    gone = on_table["2"]
    assert (gone["why"], gone["overdue"], gone["clause"]) == (
        "the table closed", False, "680a.3(c)(2)",
    )  # fmt: skip
    assert 0 <= gone["age_minutes"] < 60
    assert {row["table"] for row in decks(found, When(), at, in_use=True)} == {"1", "3"}


@cites(MD, "11.D(7)(c)", "12.E(1)(a)(iii)")
def test_a_validation_has_what_was_paid_for_it(found, driver) -> None:
    (row,) = look(found, "validations", When())
    (paid,) = [
        one
        for one in driver.record
        if isinstance(one, e.WagerSettled) and one.wager == row["wager"]
    ]
    (valid,) = [one for one in driver.record if isinstance(one, e.PayoutValidated)]
    # 70 for 1: $70 for a chip that was taken in before the deal, $69 more than it
    assert (paid.stake, row["payout"], row["paid"]) == ("1.00", 7_000, 6_900)
    assert row["paid"] == cents(paid.paid)
    assert describe(paid, chapter(MD)).endswith("is paid $70 at 70 for 1 for straight flush")
    assert (row["outcome"], row["round"]) == ("straight_flush", "1.1.1")
    assert (row["who"], row["clause"]) == (valid.who, valid.clause)


def test_irregularities_are_told_in_words_and_meters_add_up(found) -> None:
    row, ordered = look(found, "irregularities", When())
    assert ordered["says"] == "a reshuffle is ordered: the shuffler jammed"
    assert row["says"] == "seat 1 gets $2.50: paid [/] short"
    rows = look(found, "meters", When(table="1"))[::-1]
    assert rows[0]["change"] is None
    assert rows[0]["shows"] + sum(row["change"] for row in rows[1:]) == rows[-1]["shows"]


times = ["2026-01-01", "2026-01-01T12:00:05", "2026-01-01T12:00:29Z", "2026-01-02"]


@given(
    name=st.sampled_from(sorted(set(BOOKS) - {"decks"})),
    table=st.none() | st.sampled_from(["1", "2", "3", "9"]),
    since=st.none() | st.sampled_from(times),
    until=st.none() | st.sampled_from(times),
    day=st.none() | st.sampled_from(["2026-01-01", "2026-01-02"]),
    limit=st.integers(1, 5),
    skip=st.integers(0, 5),
    pick=st.integers(0, 3),
)
def test_filters_leave_what_looking_at_every_row_leaves(
    found, name, table, since, until, day, limit, skip, pick
) -> None:
    every = look(found, name, When(limit=1000))
    column = BOOKS[name].asks[pick % len(BOOKS[name].asks)]
    asked = {column: every[pick % len(every)][column]} if every and pick else {}
    wanted = [
        row
        for row in every
        if table in (None, row["table"])
        and (since is None or row["time"] >= since)
        and (until is None or row["time"] < until)
        and day in (None, "2026-01-01")  # everything happened at noon
        and all(row[name] == value for name, value in asked.items())
    ]
    page = look(found, name, When(table, since, until, day, limit, skip), asked)
    assert page == wanted[skip : skip + limit]


@pytest.mark.parametrize(
    ("when", "asked", "code"),
    [
        (When(since="yesterday"), {}, "not_a_time"),
        (When(until="25:00"), {}, "not_a_time"),
        (When(day="2026-13-45"), {}, "not_a_day"),
        (When(limit=0), {}, "not_a_limit"),
        (When(), {"says": "x"}, "no_such_filter"),
    ],
)
def test_rubbish_is_refused(found, when, asked, code) -> None:
    with pytest.raises(Refused) as caught:
        look(found, "irregularities", when, asked)
    assert caught.value.code == code
    assert caught.value.field


COMMANDS = {
    "devices": ("shuffler", "13.F", "still"),
    "decks": ("red", "3.C(2)", "in use"),
    "validations": ("straight flush", "$70.00", "11.D(7)(c)"),
    "irregularities": ("seat 1 gets $2.50: paid [/] short",),
    "meters": ("Three-Card Progressive", "$1,000.14", "0.14", "wagers"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_each_page_has_a_command(database, name) -> None:
    told = answer(name, "--database", database)[name]
    assert told
    shown = run(name, "--database", database)
    assert (shown.returncode, shown.stderr) == (0, "")
    for words in COMMANDS[name]:
        assert words in shown.stdout
    assert max(len(line) for line in shown.stdout.splitlines()) <= 110
    nothing = run(name, "--database", database, "--table", "77")
    assert (nothing.returncode, nothing.stdout) == (0, f"no {name} match\n")
    wrong = run(name, "--database", database, "--since", "yesterday")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "houseway: since: 'yesterday' is not an ISO time\n"


def test_a_record_on_which_nothing_happened_says_so(tmp_path) -> None:
    path = tmp_path / "empty.db"
    SQLiteLog(path).close()
    for name in ("rounds", *COMMANDS):
        done = run(name, "--database", path)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("no ")
        assert json.loads(run(name, "--database", path, "--json").stdout)[name] == []
    report = run("report", "--database", path)
    assert (report.returncode, report.stdout) == (0, "no round has been played on this record\n")
    assert answer("report", "--database", path)["day"] is None
