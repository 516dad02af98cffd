"""`houseway audit` as a user meets it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import openpyxl
import pytest
from auditing import answer, run
from forging import forge
from playing import played, record
from rich.console import Console

from houseway.cli.record_options import searchable
from houseway.money import signed
from houseway.store.backends.sqlite import SQLiteLog


@pytest.fixture(scope="module")
def database(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("record") / "houseway.db"
    log = SQLiteLog(path)
    record(log, played(0, rounds=3))
    record(log, played(3, rounds=2, name="2"), "2")
    log.close()
    return path


def test_verify_anchor_backup_restore(database, tmp_path) -> None:
    where = ("--database", database)
    verdict = answer("verify", *where)
    assert verdict["unbroken"] is True
    assert verdict["faults"] == []
    key, anchor = tmp_path / "house.pem", tmp_path / "a.json"
    made = answer("anchor", *where, "--key", key, "--new-key", "--out", anchor)
    assert made == json.loads(anchor.read_text())
    public = ("--anchor", anchor, "--public-key", tmp_path / "house.pem.pub")
    assert answer("verify", *where, *public)["unbroken"]
    copy, new = tmp_path / "copy.db", tmp_path / "new.db"
    assert answer("backup", copy, *where)["events"] == verdict["events"]
    assert answer("restore", copy, "--database", new, *public)["events"] == verdict["events"]
    assert answer("verify", "--database", new, *public)["record"] == verdict["record"]


@pytest.fixture(params=["sqlite", "postgres"])
def damage(request, database, tmp_path, monkeypatch):
    """Makes a copy of the record in which somebody who owns the database did something."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def make(sql: str, *values: object) -> str:
        copy = tmp_path / "copy.db"
        answer("backup", copy, "--database", database)
        if request.param == "sqlite":
            forge(copy, sql, values=values)
            return str(copy)
        url = request.getfixturevalue("postgres").new_database()
        answer("restore", copy, "--database", url)
        forge(url, sql, values=values)
        return url

    return make


@pytest.mark.slow
def test_a_broken_record_is_status_1_and_names_the_event(damage, tmp_path) -> None:
    copy = damage("update events set actor = 'x' where stream = 'table/1' and version = 20")
    verdict = answer("verify", "--database", copy, status=1)
    (fault,) = verdict["faults"]
    assert (fault["stream"], fault["version"], fault["reason"]) == ("table/1", 20, "changed")
    done = run("verify", "--database", copy)
    assert done.returncode == 1
    assert "table/1, event 20" in done.stdout
    if copy.endswith(".db"):
        assert answer("restore", copy, "--database", tmp_path / "n.db", status=1)["faults"]


@pytest.mark.parametrize("how", ["unreadable", "missing"])
def test_what_can_be_read_of_a_damaged_record_is_searched(database, damage, how) -> None:
    second = answer("replay", "1.1.2", "--database", database)
    wrong = second["steps"][0]["version"] + 2
    sql = {
        "unreadable": """update events set body = '{"event":' where stream = ? and version = ?""",
        "missing": "delete from events where stream = ? and version = ?",
    }[how]
    copy = damage(sql, "table/1", wrong)
    fault = f"houseway: the record is damaged at table/1, event {wrong}: "
    for name in ("rounds", "report"):
        done = run(name, "--database", copy, "--json")
        assert done.returncode == 0
        (line,) = done.stderr.splitlines()
        assert line.startswith(fault)
        assert line.endswith(f"; searched up to event {wrong - 1}")
        if name == "rounds":
            told = json.loads(done.stdout)["rounds"]
            assert {one["id"] for one in told} == {"1.1.1", "2.1.1", "2.1.2"}
    # a table that nobody touched is shown and proved as ever
    assert run("replay", "2.1.1", "--database", copy).returncode == 0
    assert run("verify-deal", "2.1.1", "--database", copy).returncode == 0
    lost = run("replay", "1.1.2", "--database", copy)
    assert (lost.returncode, lost.stdout) == (2, "")
    # what needs the table as a whole is refused with the event
    meters = run("list", "--database", copy, command="progressive")
    (line,) = meters.stderr.splitlines()
    assert (meters.returncode, line.startswith(fault)) == (2, True)


def test_a_replay_names_the_event_that_was_changed(database, damage, tmp_path) -> None:
    steps = answer("replay", "1.1.2", "--database", database)["steps"]
    assert all(step["sound"] for step in steps)
    placed = steps[0]["version"]
    log = SQLiteLog(database, readonly=True)
    (event,) = log.read("table/1", placed - 1, placed)
    log.close()
    more = event.body.replace('"10.00"', '"20.00"')
    assert more != event.body
    copy = damage(
        "update events set body = ? where stream = 'table/1' and version = ?", more, placed
    )
    page = tmp_path / "r.html"
    done = run("replay", "1.1.2", "--database", copy, "--html", page)
    assert done.returncode == 1
    assert f"broken: event {placed} of this round is not as it was written" in done.stdout
    assert "not as it was written" in page.read_text()
    changed = answer("replay", "1.1.2", "--database", copy, status=1)["steps"]
    wrong = [step["version"] for step in changed if not step["sound"]]
    assert wrong[0] == placed
    # what comes after it in the same block cannot be told to be sound
    assert wrong == list(range(placed, placed + len(wrong)))
    assert len(wrong) < 64


def test_an_error_of_ours_is_not_blamed_on_the_record(database, monkeypatch) -> None:
    def breaks(*_args: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr("houseway.floor.audit.projections.project", breaks)
    with (
        pytest.raises(KeyError, match="ours"),
        searchable(str(damaged_not_at_all(database))),
    ):
        pass


def damaged_not_at_all(database: Path) -> Path:
    copy = database.with_name("sound.db")
    answer("backup", copy, "--database", database)
    return copy


def test_rounds_replay_and_the_deal(database, tmp_path) -> None:
    where = ("--database", database)
    every = answer("rounds", *where)["rounds"]
    assert {one["id"] for one in every} == {"1.1.1", "1.1.2", "1.1.3", "2.1.1", "2.1.2"}
    some = answer("rounds", *where, "--table", 1, "--seat", 2, "--result", "forfeit")["rounds"]
    assert [one["id"] for one in some] == ["1.1.3", "1.1.1"]
    card = some[0]["hands"][0]["cards"].split()[0]
    assert some[0] in answer("rounds", *where, "--card", card)["rounds"]
    assert answer("rounds", *where, "--paid", "100000")["rounds"] == []
    page = tmp_path / "r.html"
    told = answer("replay", "1.1.2", *where, "--html", page)
    assert told["steps"][0]["says"].startswith("seat 1: $10 on ")
    shown = {hand["cards"] for hand in told["hands"]} | {told["cards"]}
    exposed = sum(len(cards.split()) for cards in shown)
    opened = f"{exposed} cards are opened under the seal of the shuffle"
    assert told["steps"][-1]["says"] == opened
    drawn = page.read_text()
    assert "<svg" in drawn
    settlement = drawn[drawn.index("<h2>Settlement") :]
    for line in told["lines"]:
        assert f"<td>{line['clause']}</td>" in settlement
    verdict = answer("verify-deal", "1.1.2", *where)
    assert verdict["proved"] is True
    for arguments in (("rounds",), ("replay", "2.1.1"), ("verify-deal", "2.1.1"), ("report",)):
        done = run(*arguments, *where)
        assert (done.returncode, done.stderr) == (0, "")
        assert len(done.stdout.splitlines()) > 4


def test_export_and_report(database, tmp_path) -> None:
    where = ("--database", database)
    written = answer("export", *where, "--out", tmp_path / "all", "--format", "csv")
    assert written["rows"]["rounds.csv"] == 5
    written = answer("export", *where, "--out", tmp_path / "one", "--round", "1.1.1")
    assert "check.py" in written["files"]
    made = answer("report", *where)
    assert made["day"] == "2026-01-01"
    assert {one["wager"] for one in made["today"]["wagers"]} >= {"ante_play", "pair_plus"}
    rounds = answer("rounds", *where, "--table", 1)["rounds"]
    (table,) = [one for one in made["today"]["tables"] if one["table"] == "1"]
    # dollars and cents, as everywhere
    assert signed(table["win"]) == sum(signed(one["win"]) for one in rounds)
    (ante,) = [o for o in made["today"]["wagers"] if (o["table"], o["wager"]) == ("1", "ante_play")]
    assert Fraction(ante["expected"]) == 6 * 10 * Fraction(686689, 20358520)
    done = run("report", *where)
    lines = done.stdout.splitlines()
    assert "…" not in "".join(line for line in lines if "ante and play" in line)


def test_the_report_as_a_workbook(database, tmp_path) -> None:
    """A hold is a formula: what was won and not paid by meters, of what was wagered."""
    out = tmp_path / "report.xlsx"
    done = run("report", "--database", database, "--xlsx", out)
    assert (done.returncode, done.stdout.split(":")[0]) == (0, str(out))
    rows = openpyxl.load_workbook(out, data_only=True)["Today by wager"].iter_rows(values_only=True)
    names = next(rows)
    told = answer("report", "--database", database)["today"]["wagers"]
    for one, values in zip(told, rows, strict=True):
        row = dict(zip(names, values, strict=True))
        assert (row["table"], row["wager"]) == (one["table"], one["wager"])
        held = signed(one["win"]) - signed(one["from_meters"])
        assert row["hold"] == pytest.approx(held / signed(one["wagered"]))
    formulas = openpyxl.load_workbook(out)["Today by wager"]
    assert str(formulas.cell(2, names.index("hold") + 1).value).startswith("=")


@pytest.mark.parametrize("width", [80, 110])
def test_the_report_is_whole_on_a_terminal_of_any_width(database, monkeypatch, width) -> None:
    out = io.StringIO()
    audit_report = import_module("houseway.cli.audit.report")
    for module in (import_module("houseway.cli.terminal.output"), audit_report):
        monkeypatch.setattr(module, "console", lambda: Console(width=width, file=out))
    assert audit_report.report(database=str(database)) == 0
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    tables = lines[: next(n for n, line in enumerate(lines) if line.startswith("From … to"))]
    assert not any("…" in line for line in tables)
    # in one row of a table, or where it is too narrow in a list of names and values
    assert any("ante and play" in line.lower() for line in tables)


def test_the_gaming_day_is_configured_on_the_record(tmp_path) -> None:
    path = tmp_path / "r.db"
    log = SQLiteLog(path)
    record(log, played(0, rounds=1))
    log.close()
    where = ("--database", path)
    assert answer("facility", *where) == {"zone": "America/New_York", "begins": "06:00"}
    assert answer("report", *where)["day"] == "2026-01-01"
    # noon in UTC is two in the morning in Honolulu
    answer("facility", *where, "--zone", "Pacific/Honolulu", "--who", "the manager")
    assert answer("report", *where)["day"] == "2025-12-31"
    assert [one["id"] for one in answer("rounds", *where, "--day", "2025-12-31")["rounds"]] == [
        "1.1.1"
    ]
    log = SQLiteLog(path, readonly=True)
    (event,) = log.read("config/facility")
    assert (event.kind, event.actor) == ("facility_time_set", "the manager")
    log.close()


def test_the_record_is_only_read(database) -> None:
    before = database.read_bytes()
    answer("rounds", "--database", database)
    assert database.read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", "--database", "no-such.db"),
        ("verify", "--database", "postgresql://nobody@127.0.0.1:1/none"),
        ("verify", "--anchor", "no-such.json"),
        ("replay", "9.9.9"),
        ("replay",),
        ("rounds", "--card", "XX"),
        ("rounds", "--paid", "lots"),
        ("facility", "--zone", "Mars"),
        ("facility", "--begins", "late"),
        ("export", "--out", "/proc/nowhere"),
        ("backup", "/proc/nowhere/x.db"),
        ("restore", "no-such.db", "--database", "x.db"),
        ("anchor", "--key", "no-such.pem", "--out", "a.json"),
        ("nothing",),
    ],
)
def test_a_wrong_call_is_one_line_and_status_2(database, tmp_path, arguments) -> None:
    given = list(arguments)
    if "--database" not in given and given != ["nothing"]:
        given += ["--database", database]
    done = subprocess.run(
        [sys.executable, "-m", "houseway", "audit", *map(str, given)],
        capture_output=True, text=True, check=False, timeout=60, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stderr.startswith("houseway: ")
    assert list(tmp_path.iterdir()) == []
