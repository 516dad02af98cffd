"""A table's own meters: added up again from what it wagered and paid, and through time."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linked import BY, ROYAL, LinkedTable, open_link, rules

from houseway.cli import main
from houseway.errors import Refused
from houseway.floor.links.own_meters import points_of_table, reconcile_table, tables_with_own_meters
from houseway.law import MD, cites
from houseway.store import New, Write
from houseway.store.backends.memory import MemoryLog
from houseway.store.backends.sqlite import SQLiteLog

RATE, RESERVE, SEED, RESET = Fraction(147, 1000), Fraction(5, 1000), 250_000, 100_000
ROUNDS = st.lists(st.sampled_from(["win", "void", "1.00", "5.00"]), min_size=1, max_size=5)


@settings(max_examples=12, deadline=None)
@given(ROUNDS, st.integers(0, 99))
def test_the_parts_of_a_tables_own_meter_come_to_what_it_holds(rounds, seed) -> None:
    log = MemoryLog()
    table = LinkedTable(log, "alone", "hidden", seed=seed)
    table.sit()
    wagered = 0
    for kind in rounds:
        if kind == "void":
            table.void()
        elif kind == "win":
            table.round({1: ROYAL})
            wagered += 200
        else:
            table.round(stake=kind)
            wagered += 200 * int(kind[0])
        found = reconcile_table(log, "alone")
        assert found.departs == ()
        (one,) = found.meters
        assert one.comes_to == one.holds == table.table.meters["progressive"]
        assert (one.seed, one.wagers) == (str(SEED), str(wagered))
    wins = int(one.resets) // RESET
    # what is not shown was released with each whole win, and waits since the last
    assert Fraction(one.released) + Fraction(one.reserve) == wagered * RESERVE
    assert Fraction(one.holds) == (
        SEED + wagered * RATE + wins * RESET + Fraction(one.released) - int(one.paid)
    )


@cites(MD, "13.D", "12.E(4)")
def test_a_void_round_after_the_meter_has_paid_still_adds_up() -> None:
    log = MemoryLog()
    table = LinkedTable(log, "alone", "hidden")
    table.sit()
    table.up_to("settling", {1: ROYAL}, "5.00")
    while not any(line.meter for line in table.table.settled):
        table.house()
    table.send("wrong_number_of_cards", "dealer", seat=2, count=4)
    found = reconcile_table(log, "alone")
    assert found.departs == ()
    (one,) = found.meters
    assert one.wagers == "500"
    assert Fraction(one.holds) >= RESET
    assert one.reserve == "0"
    table.ready()
    table.round()
    assert reconcile_table(log, "alone").departs == ()


def test_a_table_that_opens_again_is_added_up_from_its_opening() -> None:
    log = MemoryLog()
    for _ in range(2):
        table = LinkedTable(log, "alone", "hidden")
        table.sit()
        table.round()
        for seat in (1, 2):
            table.send("leave_seat", "player", seat=seat)
        table.close()
    (one,) = reconcile_table(log, "alone").meters
    assert one.wagers == "200"


def test_where_it_departs_the_event_is_named() -> None:
    log = MemoryLog()
    table = LinkedTable(log, "alone", "hidden")
    table.sit()
    table.round()
    at = table.recorded.version
    body = {
        "event": "meter_moved", "version": table.table.version + 1, "at": "", "role": "dealer",
        "who": "thief", "clause": "", "meter": "progressive", "holds": "1", "shows": "0.01",
        "why": "paid", "reserve": "0",
    }  # fmt: skip
    log.append(Write("table/alone", at, (New("meter_moved", body, "thief", BY.at),)))
    found = reconcile_table(log, "alone")
    assert not found.exact
    assert found.departs[0].version == at + 1
    assert "not 1" in found.departs[0].says


def test_only_tables_with_meters_of_their_own_are_asked() -> None:
    log = MemoryLog()
    open_link(log).join("linked", rules(), BY)
    for name in ("linked", "alone"):
        table = LinkedTable(log, name)
        table.sit()
        table.round()
    assert tables_with_own_meters(log) == ["alone"]
    for name in ("linked", "nowhere"):
        for ask in (reconcile_table, points_of_table):
            with pytest.raises(Refused) as refused:
                ask(log, name)
            assert refused.value.code == "no_such_meter"


def test_history_and_sums_of_a_table_in_the_terminal(tmp_path, capsys) -> None:
    log = SQLiteLog(tmp_path / "r.db")
    table = LinkedTable(log, "alone", "hidden")
    table.sit()
    for _ in range(3):
        table.round()
    holds = table.table.meters["progressive"]
    log.close()

    def told(*arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main(["progressive", *arguments, "--database", str(tmp_path / "r.db")])
        return ended.value.code, capsys.readouterr().out

    status, out = told("history", "--table", "alone", "--points", "5", "--json")
    points = json.loads(out)["points"]
    assert (status, len(points)) == (0, 5)
    through = [Fraction(point["holds"]["progressive"]) for point in points]
    assert through == sorted(through)
    assert points[-1]["holds"]["progressive"] == holds
    chart = tmp_path / "c.svg"
    assert told("history", "--table", "alone", "--svg", str(chart))[0] == 0
    assert "table alone" in chart.read_text()
    status, out = told("reconcile", "--json")
    (one,) = json.loads(out)["tables"]
    assert (status, one["link"], one["exact"]) == (0, "table alone", True)
    assert one["meters"][0]["holds"] == holds
    status, out = told("reconcile", "--table", "alone")
    assert (status, "exact" in out) == (0, True)
    for wrong in (
        ("history",),
        ("history", "a", "--table", "alone"),
        ("history", "--table", "nowhere"),
        ("reconcile", "--table", "nowhere"),
    ):
        assert told(*wrong) == (2, "")
