"""Projections: the same from nothing as step by step, and what they say is what was played."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from playing import GAMES, lived_through, played, record

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.floor.audit import project_events as projecting
from houseway.floor.audit import projections as projections_module
from houseway.floor.audit import rounds
from houseway.floor.audit.project_events import Pending
from houseway.floor.audit.projections import Projections
from houseway.floor.audit.round_index import PAGE, Facets
from houseway.floor.audit.rounds import Filters, find_round, search
from houseway.floor.gaming_day import FacilityTime
from houseway.law import MD
from houseway.store.backends.memory import MemoryLog
from houseway.store.backends.sqlite import SQLiteLog
from houseway.table import Table
from houseway.table import events as e
from houseway.table.driver import Driver

TABLES = (
    "rounds", "hands", "lines", "holds", "meter_sums", "rules", "inventory", "meters", "faults", "decks",
    "validations", "irregularities",
)  # fmt: skip


def everything(projections: Projections) -> dict[str, list]:
    """All there is, and for every facet the rounds that have it; their numbers are of no account."""
    found = {name: projections.rows(f"select * from {name} order by 1, 2") for name in TABLES}
    ids = {row.pop("number"): row["id"] for row in found["rounds"]}
    found["rounds"].sort(key=lambda row: row["id"])
    names = projections.rows("select distinct name from facets order by name")
    found["facets"] = [
        (row["name"], sorted(ids[number] for number in projections.facets.rounds([row["name"]])))
        for row in names
    ]
    return found


@pytest.fixture(scope="module")
def house():
    """Every game at a table of its own, on one record, with its projections."""
    log, drivers = MemoryLog(), {}
    for number in range(len(GAMES)):
        name = str(number + 1)
        drivers[name] = played(number, rounds=4, name=name, seed=number)
        record(log, drivers[name], name)
    with Projections(":memory:") as found:
        found.update(log)
        yield log, drivers, found


def test_step_by_step_and_from_nothing_give_the_same(house, projections_of) -> None:
    log, _, found = house
    fresh, slow = projections_of(log), projections_of(MemoryLog())
    assert everything(fresh) == everything(found)
    # a copy of the record that grows in pieces
    growing = MemoryLog()
    events = list(log.scan())
    for start in range(0, len(events), 37):
        for event in events[start : start + 37]:
            growing._streams.setdefault(event.stream, []).append(event)
        slow.update(growing)
    assert everything(slow) == everything(found)
    assert found.update(log) == 0
    fresh.forget()
    assert fresh.rows("select * from rounds") == []
    fresh.update(log)
    assert everything(fresh) == everything(found)


def test_no_row_depends_on_the_events_that_are_not_read(house, monkeypatch) -> None:
    """Where every event is read, in every game and at a table with all kinds of trouble."""
    log, _, found = house
    troubled = MemoryLog()
    record(troubled, lived_through())
    with Projections(":memory:") as quick:
        quick.update(troubled)
        monkeypatch.setattr(projections_module, "SILENT", frozenset())
        for record_of, usual in ((log, found), (troubled, quick)):
            with Projections(":memory:") as slow:
                slow.update(record_of)
                assert everything(slow) == everything(usual)


def test_a_record_in_blocks_gives_the_same_as_one_in_memory(house, tmp_path) -> None:
    log, _, found = house
    with SQLiteLog(tmp_path / "r.db") as blocks, Projections(tmp_path / "r.audit") as other:
        blocks.load(log.scan(), log.id)
        other.update(blocks)
        assert everything(other) == everything(found)
        heads = blocks.heads(prefix="table/")
        assert {
            row["stream"]: (row["version"], row["hash"])
            for row in other.rows("select * from positions")
        } == {name: (head.version, head.hash) for name, head in heads.items()}


def test_what_another_process_added_meanwhile_is_not_added_again(house, tmp_path) -> None:
    log, _, found = house
    with Projections(tmp_path / "r.audit") as one, Projections(tmp_path / "r.audit") as other:
        heads = log.heads(prefix="table/")
        one.update(log)
        # it looked before the other wrote
        assert other._take_some(log, list(heads), heads) == 0
        assert everything(other) == everything(found)
        # where there is nothing new nobody waits for a writer
        one.sql.execute("begin immediate")
        assert other.update(log) == 0
        one.sql.execute("rollback")


def test_another_history_is_noticed_and_made_anew(house, projections_of) -> None:
    log, _, _ = house
    found = projections_of(log)
    other = MemoryLog()
    record(other, played(0, rounds=1, seed=99))
    found.update(other)
    assert {row["table"] for row in found.rows('select "table" from rounds')} == {"1"}
    assert len(found.rows("select * from rounds")) == 1


def test_a_round_holds_what_was_played(house) -> None:
    _, drivers, found = house
    for name, driver in drivers.items():
        assert len(found.rows('select * from rounds where "table" = ?', name)) == 4
        settled = [one for one in driver.record if isinstance(one, e.WagerSettled)]
        lines = found.rows(
            "select l.* from lines l join rounds r on r.id = l.round"
            ' where r."table" = ? order by r.began, l.number',
            name,
        )
        assert [(one["seat"], one["wager"], one["result"], one["clause"]) for one in lines] == [
            (one.seat, one.wager, one.result, one.clause) for one in settled
        ]
        round = find_round(found, f"{name}.1.2")
        # players, house and meters add up to nothing
        nets = sum(hand["net"] for hand in round["hands"])
        meters = sum(line["from_meter"] for line in round["lines"])
        assert nets + round["win"] - meters == 0
        for hand in round["hands"]:
            dealt = " ".join(
                card
                for one in driver.record
                if isinstance(one, e.CardsDealt) and one.to == f"seat.{hand['seat']}"
                for card in one.cards
            )
            assert set(hand["cards"].split()) & set(dealt.split())


def test_holds_are_the_sums_of_the_lines(house) -> None:
    _, _, found = house
    lines = found.rows("select sum(stake) as wagered, count(*) as n from lines")[0]
    holds = found.rows("select sum(wagered) as wagered, sum(win) as win from holds")[0]
    assert holds["wagered"] == lines["wagered"]
    assert holds["win"] == found.rows("select sum(win) as win from rounds")[0]["win"]


def test_decks_meters_and_their_age(house) -> None:
    _, _, found = house
    assert found.rows('select rounds from decks where "table" = ?', "1") == [{"rounds": 4}]
    both = found.rows('select deck, rounds from decks where "table" = ? order by deck', "3")
    assert both == [{"deck": "1", "rounds": 2}, {"deck": "2", "rounds": 2}]
    names = {row["meter"] for row in found.rows('select meter from meters where "table" = ?', "2")}
    assert {"progressive"} <= names
    assert len(names) > 1


def test_times_are_compared_as_moments(house) -> None:
    _, _, found = house
    (first,) = found.rows("select id, began from rounds order by began, id limit 1")
    began = first["began"].removesuffix("Z")
    for since in (began, f"{began}Z", f"{began}+00:00", began[:10]):
        assert first["id"] in [row["id"] for row in search(found, Filters(since=since), 1000)]
    assert search(found, Filters(until=began), 1000) == []
    # five hours later in New York is the same evening
    assert first["id"] in [
        row["id"] for row in search(found, Filters(until=f"{began[:10]}T23:59:59-05:00"), 1000)
    ]


def brute(found: Projections, filters: Filters) -> list[str]:
    """The same search, the plain way: look at every round."""
    fits = []
    for row in found.rows("select id from rounds order by began desc, id desc"):
        round = find_round(found, row["id"])
        hands, lines = round["hands"], round["lines"]
        shown = (round["cards"], round["community"], *(hand["cards"] for hand in hands))
        dealt = set(" ".join(shown).split())
        tests = [
            filters.table in (None, round["table"]),
            filters.since is None or round["began"] >= filters.since,
            filters.until is None or round["began"] < filters.until,
            filters.win is None or round["win"] >= filters.win,
            filters.loss is None or -round["win"] >= filters.loss,
            set(filters.cards) <= dealt,
            any(
                filters.seat in (None, hand["seat"]) and filters.player in (None, hand["player"])
                for hand in hands
            ),
            (filters.wager, filters.result, filters.outcome, filters.paid) == (None,) * 4
            or any(
                filters.seat in (None, line["seat"])
                and filters.wager in (None, line["wager"])
                and filters.result in (None, line["result"])
                and filters.outcome in (None, line["outcome"])
                and (filters.paid is None or line["paid"] >= filters.paid)
                for line in lines
            ),
        ]
        if all(tests):
            fits.append(row["id"])
    return fits


some = st.none
filters = st.builds(
    Filters,
    table=some() | st.sampled_from(["1", "2", "9"]),
    since=some() | st.sampled_from(["2026-01-01T12:00:30Z", "2027-01-01"]),
    until=some() | st.sampled_from(["2026-01-01T12:01:00Z"]),
    seat=some() | st.integers(1, 3),
    player=some() | st.sampled_from(["player 1", "player 2", "nobody"]),
    cards=st.lists(st.sampled_from(["As", "Kd", "7c", "2h"]), max_size=2).map(tuple),
    wager=some() | st.sampled_from(["ante", "play", "pair_plus"]),
    result=some() | st.sampled_from(["win", "lose", "forfeit"]),
    outcome=some() | st.sampled_from(["pair", "flush", "no_such"]),
    win=some() | st.integers(0, 5000),
    loss=some() | st.integers(0, 5000),
    paid=some() | st.integers(1, 3000),
)


@settings(max_examples=80)
@given(filters=filters, few=st.sampled_from([0, 3, 5000]))
def test_a_search_finds_what_looking_at_every_round_finds(house, filters, few) -> None:
    """Whichever way is gone: by the rounds that can fit, or backwards in time."""
    _, _, found = house
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds, "_FEW", few)
        assert [row["id"] for row in search(found, filters, 1000)] == brute(found, filters)
        # two at a time, each search where the one before ended
        got, page = [], search(found, filters, 2)
        while page:
            got += [row["id"] for row in page]
            page = search(found, replace(filters, before=got[-1]), 2)
        assert got == brute(found, filters)


@given(st.lists(st.tuples(st.integers(0, 3 * PAGE), st.sets(st.sampled_from("abc"))), max_size=30))
def test_bitmaps_are_sets_of_rounds(given_rounds) -> None:
    with closing(sqlite3.connect(":memory:")) as sql:
        sql.execute("create table facets (name, page, rounds, primary key (name, page))")
        facets, plain = Facets(sql), {name: set() for name in "abc"}
        for number, (round, names) in enumerate(given_rounds):
            facets.add(round, names)
            for name in names:
                plain[name].add(round)
            if number % 7 == 0:
                facets.flush()
        facets.flush()
        for asked in ("a", "ab", "abc"):
            wanted = set.intersection(*(plain[name] for name in asked))
            found = facets.rounds(asked)
            assert (set(found), len(found)) == (wanted, len(wanted))
            assert all(found.has(round) == (round in wanted) for round, _ in given_rounds)


@pytest.mark.parametrize(
    "rubbish",
    [
        {"cards": ("XX",)}, {"since": "yesterday"}, {"until": "25:00"}, {"day": "2026-13-45"},
        {"seat": 0}, {"seat": 99}, {"result": "winn"}, {"before": "1.1.99"},
    ],
)  # fmt: skip
def test_a_search_by_rubbish_is_refused(house, rubbish) -> None:
    with pytest.raises(Refused):
        search(house[2], Filters(**rubbish))


def test_a_search_gives_some_rounds_and_a_round_that_is_not_there_is_refused(house) -> None:
    for limit in (0, -5, 10**20):
        with pytest.raises(Refused):
            search(house[2], Filters(), limit)
    with pytest.raises(Refused) as caught:
        find_round(house[2], "1.1.999")
    assert caught.value.code == "no_such_round"


# the gaming day


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-01-02T10:59:59Z", "2026-01-01"),  # 05:59:59 in the morning
        ("2026-01-02T11:00:00Z", "2026-01-02"),
        ("2026-07-02T09:59:59Z", "2026-07-01"),  # summer time
        ("2026-07-02T10:00:00Z", "2026-07-02"),
        ("2026-03-08T10:30:00Z", "2026-03-08"),  # the morning the clocks go forward
        ("2026-11-01T10:30:00Z", "2026-10-31"),  # and the morning they go back
    ],
)
def test_the_gaming_day_ends_in_the_morning(at, day) -> None:
    assert FacilityTime().day(at) == day


def test_a_facility_has_its_own_day() -> None:
    assert FacilityTime("America/Los_Angeles", "04:30").day("2026-01-02T12:29:00Z") == "2026-01-01"
    assert FacilityTime("America/Los_Angeles", "04:30").day("2026-01-02T12:30:00Z") == "2026-01-02"
    for zone, begins in (("Mars/Olympus", "06:00"), ("UTC", "25:00"), ("UTC", "six")):
        with pytest.raises(Refused):
            FacilityTime(zone, begins)


def test_cash_fills_credits_faults_and_irregularities_have_their_rows() -> None:
    said = {"version": 9, "at": "2026-01-02T10:00:00", "role": "floorperson", "who": "bo"}
    before = Pending(table=Table(name="7"))
    wanted = [
        (e.ChipsSold(**said, seat=1, amount="100.00", tray={}), "inventory", "what", "drop"),
        (e.TrayFilled(**said, tray={"25.00": 20}), "inventory", "cents", 50000),
        (e.TrayCredited(**said, tray={"5.00": -20}), "inventory", "cents", 10000),
        (e.TableClosed(**said, count={}, difference="-5.00"), "inventory", "cents", -500),
        (e.DeviceChanged(**said, device="x", condition="jammed"), "faults", "device", "x"),
        (e.PayoutValidated(**said, seat=2, wager="progressive"), "validations", "who", "bo"),
        (
            e.RoundVoided(**said, why="misdeal"),
            "irregularities",
            "says",
            "the round is void: misdeal",
        ),
        (
            e.CardCorrected(**said, place="dealer", was="As", card="Ks", reason="misread"),
            "irregularities",
            "says",
            "the dealer: As was Ks: misread",
        ),
    ]
    for event, table, column, value in wanted:
        (row,) = projecting._rows(before, 9, "2026-01-02T10:00:00Z", event, FacilityTime())
        assert (row.table, row.values[column]) == (table, value)
        assert (row.values["table"], row.values["version"]) == ("7", 9)
        if table == "inventory":
            assert row.values["day"] == "2026-01-01"
    over = e.TroubleNoted(**said)
    assert list(projecting._rows(before, 9, "2026-01-02T10:00:00Z", over, FacilityTime())) == []


def test_what_a_table_lived_through_has_its_rows(projections_of) -> None:
    """Each where it happened, by whom and when."""
    driver = lived_through()
    jam = next(one for one in driver.record if isinstance(one, e.DeviceChanged))
    log = MemoryLog()
    record(log, driver)
    found = projections_of(log)
    faults = found.rows("select device, condition, time from faults order by version")
    assert [(row["device"], row["condition"]) for row in faults] == [
        ("shuffler", "jammed"), ("shuffler", "working"), ("shuffler", "broken"),
        ("shuffler", "covered"),
    ]  # fmt: skip
    assert faults[0]["time"] == f"{jam.at}Z"
    (deck,) = found.rows("select deck, received, removed, rounds from decks")
    received = next(one for one in driver.record if isinstance(one, e.DecksReceived))
    assert deck == {"deck": "1", "received": f"{received.at}Z", "removed": "", "rounds": 1}
    (valid,) = found.rows("select who, round, seat, wager from validations")
    assert valid == {"who": "floor", "round": "1.1.1", "seat": 1, "wager": "progressive"}
    _, irregular = found.rows("select kind, says from irregularities order by time")
    assert irregular == {
        "kind": "payment_corrected", "says": "seat 1 gets $2.50: paid [/] short",
    }  # fmt: skip
    # fourteen cents of the dollar; a straight flush takes its share, or is paid by the table alone
    meters = found.rows("select why, shows from meters order by version")
    assert [(row["why"], row["shows"]) for row in meters[:2]] == [
        ("opened", 100_000), ("wagers", 100_014),
    ]  # fmt: skip
    paid = found.rows("select from_meter from lines where wager = 'progressive'")[0]["from_meter"]
    assert meters[-1]["shows"] == 100_014 - paid


def test_a_round_voided_after_payments_has_cost_and_won_nothing(projections_of) -> None:
    """The players' chips, the tray and the books agree: nothing was wagered, won or corrected."""
    driver = Driver(MD, source=SeededSource(3))
    for seat in (1, 2, 3):
        driver.seat_player(seat, f"player {seat}")
    driver.ready()
    tray = dict(driver.table.tray)
    for seat in (1, 2, 3):
        driver.wager(seat, {"ante": "10.00", "pair_plus": "5.00"})
    driver.until("deciding")
    for seat in (1, 2, 3):
        driver.send("fold" if seat == 1 else "play", "player", seat=seat)
    while len(driver.table.settled) < 6:
        driver.house()
    assert {line.result for line in driver.table.settled} >= {"forfeit", "win"}
    driver.send("wrong_number_of_cards", "dealer", seat=2, count=4)
    log = MemoryLog()
    record(log, driver)
    found = projections_of(log)
    (round_,) = found.rows("select wagered, paid, win from rounds")
    assert round_ == {"wagered": 0, "paid": 0, "win": 0}
    assert {row["net"] for row in found.rows("select net from hands")} == {0}
    (corrected,) = found.rows("select sum(cents) as cents from inventory where what = 'correction'")
    assert corrected["cents"] in (0, None)
    assert sum(value * count for value, count in driver.table.tray.items()) == sum(
        value * count for value, count in tray.items()
    )
