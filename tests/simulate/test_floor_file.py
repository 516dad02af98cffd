"""Days of a floor of several chapters: read from a file, played, and its linked meters replayed."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import groupby
from pathlib import Path

import msgspec
import pytest

from houseway.cli import main
from houseway.errors import Refused
from houseway.meters import Meter
from houseway.simulate.results.answers import FloorOut
from houseway.simulate.runner import Threads
from houseway.simulate.scenarios.floor_day import linked, play_days
from houseway.simulate.scenarios.floor_file import read_floor

FLOOR = """
name = "Saturday"
[[table]]
name = "poker"
tables = 2
chapter = "md-three-card-poker"
rules = { progressive = "C" }
meters = { "progressive.major" = { rate = "14%", seed = "2000.00", reset = "1000.00" } }
hours = 2
per_hour = 40
players = 7
wagers = { ante = "10.00", progressive = "1.00" }
link = "royal"
[[table]]
chapter = "md-three-card-poker"
rules = { progressive = "C" }
meters = { "progressive.major" = { rate = "14%", seed = "2000.00", reset = "1000.00" } }
hours = 3
per_hour = 50
players = 3
wagers = { ante = "10.00", progressive = "5.00" }
link = "royal"
[[table]]
name = "saigon"
file = "saigon.toml"
hours = 1.5
strategy = "avoid_five"
"""


LINKED = """
[[table]]
chapter = "md-three-card-poker"
rules = { progressive = "A" }
meters = { progressive = { rate = "14%", seed = "1000.00", reset = "1000.00" } }
link = "x"
"""


@pytest.fixture
def floor(tmp_path):
    path = tmp_path / "floor.toml"
    path.write_text(FLOOR)
    (tmp_path / "saigon.toml").write_text('chapter = "pa-saigon-5-card"\nrules = {bonus = "A"}\n')
    return path


def test_tables_of_several_chapters_are_played_as_each_by_itself(floor):
    read = read_floor(floor, "7")
    assert [group.name for group in read.groups] == ["poker", "table 2", "saigon"]
    assert [group.rounds for group in read.groups] == [80, 150, 60]
    assert read.links == {"royal": (0, 1)}
    seeds = {group.plan.seed for group in read.groups}
    assert len(seeds) == 3, "no two kinds of tables see the same cards"
    one, two = (play_days(read.groups[2], 70, Threads(cores)) for cores in (1, 2))
    assert (one.wins == two.wins).all()
    assert one.wins.shape == (70, 1)


@pytest.mark.slow
def test_linked_meters_are_those_of_rounds_played_one_after_the_other(floor):
    """Every round of every table in the order in which they end, on one meter."""
    read = read_floor(floor, "7")
    days = 40
    found = [play_days(group, days, Threads(1)) for group in read.groups[:2]]
    assert sum(len(one.hits) for one in found) > 3
    for place, linked_meter in enumerate(linked(found)):
        terms = read.groups[0].rules.meter(linked_meter.meter)
        meter, paid, parts = Meter(Fraction(terms.seed), terms.reset), [], 0
        for day in range(days):
            ends = sorted(
                (Fraction(number + 1, one.group.per_hour), which, table, number)
                for which, one in enumerate(found)
                for table in range(one.group.tables)
                for number in range(one.group.rounds)
            )
            for _, together in groupby(ends, key=lambda end: end[0]):
                now = list(together)
                for _, which, _, _ in now:
                    for made in found[which].group.plan.stakes:
                        meter = meter.grown(made["progressive"], terms)
                for _, which, table, number in now:
                    at = day * found[which].group.tables + table
                    hits = [h for h in found[which].hits if h[:3] == (at, number, place)]
                    for hit in sorted(hits, key=lambda hit: -hit[4]):
                        amount, meter = meter.paid(Fraction(hit[3], 100))
                        parts += hit[3] != 100
                        paid += [(day, amount)] if hit[3] == 100 else []
        assert list(linked_meter.hits) == paid
        assert linked_meter.parts == parts
        assert linked_meter.shows == meter.shows


def called(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        main([*words])
    out, err = capsys.readouterr()
    return ended.value.code, out, err


def test_the_command_plays_a_floor(capsys, floor, tmp_path):
    import pyarrow.parquet

    words = ("simulate", str(floor), "--days", "5", "--seed", "7")
    status, out, err = called(capsys, *words, "--json", "--cores", "1")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert msgspec.to_builtins(msgspec.convert(found, FloorOut)) == found
    table, chart = tmp_path / "days.parquet", tmp_path / "days.svg"
    _, again, _ = called(
        capsys, *words, "--json", "--cores", "2", "--parquet", str(table), "--chart", str(chart)
    )
    assert json.loads(again) == found
    rows = pyarrow.parquet.read_table(table).to_pydict()
    by_name = {
        name: sum(w for w, n in zip(rows["win_cents"], rows["name"], strict=True) if n == name)
        for name in rows["name"]
    }
    for row in found["tables"]:
        mean = Fraction(by_name[row["name"]], 5 * row["tables"])
        assert round(mean) == round(Fraction(row["one"]["mean_win"]) * 100)
    whole = sum(by_name.values()) / 5
    assert round(whole) == round(Fraction(found["all"]["mean_win"]) * 100)
    assert chart.read_text().startswith("<?xml")
    status, out, _ = called(capsys, *words)
    assert status == 0
    assert "link royal" in out


def test_the_example_is_a_floor():
    read = read_floor(Path(__file__).parents[2] / "examples" / "floors" / "saturday.toml")
    assert len({group.plan.chapter for group in read.groups}) == 4


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("", "not_a_floor_file", "table"),
        ("table = []", "not_a_floor_file", "at least one"),
        ("[[table]]\nrounds = 5", "not_a_floor_file", "rounds"),
        ("[[table]]\nhours = 5", "not_a_floor_file", "a file, or a chapter"),
        ('[[table]]\nchapter = "nowhere"', "no_such_chapter", "table 1"),
        ('[[table]]\nfile = "missing.toml"', "no_such_file", "missing.toml"),
        ('[[table]]\nchapter = "md-three-card-poker"\nhours = 0', "no_rounds", "one round"),
        ('[[table]]\nchapter = "md-three-card-poker"\nplayers = 9', "players_out_of_range", "9"),
        (
            '[[table]]\nchapter = "md-three-card-poker"\nwagers = {ante = "lots"}',
            "not_an_amount",
            "lots",
        ),
        ('[[table]]\nchapter = "md-three-card-poker"\nlink = "x"', "no_such_meter", "no meter"),
        ("[[table", "not_a_floor_file", "floor.toml"),
        (
            '[[table]]\nname="a"\nchapter="pa-saigon-5-card"\n' * 2,
            "not_a_floor_file",
            "two tables are called a",
        ),
        (LINKED + LINKED.replace("1000.00", "2000.00"), "link_differs", "table 2"),
    ],
)
def test_what_is_no_floor_is_refused_with_its_place(tmp_path, text, code, said):
    path = tmp_path / "floor.toml"
    path.write_text(text)
    with pytest.raises(Refused) as refusal:
        read_floor(path)
    assert refusal.value.code == code
    assert said in str(refusal.value.message)
