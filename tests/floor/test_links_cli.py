"""`houseway progressive` on a record with a link, and the exact figures beside it."""

from __future__ import annotations

import json
from datetime import datetime
from fractions import Fraction

import msgspec
import pytest
from linked import BY, NOON, ROYAL, LinkedTable, open_link, rules, staff

from houseway.cli import main
from houseway.errors import Refused
from houseway.floor.links.figures import figures
from houseway.floor.links.list import History, Listed, Sums
from houseway.floor.links.record import Feed
from houseway.floor.people.directory import People
from houseway.law import MD
from houseway.store import New, Write
from houseway.store.backends.sqlite import SQLiteLog


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "r.db"
    log = SQLiteLog(path)
    link = open_link(log)
    link.join("a", rules(), BY)
    table = LinkedTable(log, "a")
    table.sit()
    table.round({1: ROYAL})
    log.close()
    return str(path)


def told(capsys, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["progressive", *arguments])
    out, err = capsys.readouterr()
    return ended.value.code, out, err


def test_list_shows_the_meters_and_what_the_wager_is_worth(database, capsys) -> None:
    status, out, _ = told(capsys, "list", "--database", database, "--pace", "120", "--json")
    (link,) = json.loads(out)["links"]
    assert status == 0
    held = Fraction(250_000) + 200 * Fraction(147, 1000)
    assert Fraction(link["holds"]["progressive"]) == held - int(held) + 100_000
    assert link["meters"] == {"progressive": "1000.00"}
    assert link["wins"][0]["amount"] == "2500.29"
    (meter,) = link["figures"]["meters"]
    # one hand of three in C(52, 3), at 120 wagers an hour
    assert meter["whole_chance"] == "1/22100"
    assert meter["hours_to_whole"] == "184.2"
    status, out, _ = told(capsys, "list", "--database", database)
    assert (status, "$1,000.00" in out, "not known" in out) == (0, True, True)


def test_the_return_at_the_meter_is_the_fixed_one_and_the_meters_chance(tmp_path) -> None:
    log = SQLiteLog(tmp_path / "r.db")
    link = open_link(log)
    reading = link.read()
    at_seed = Fraction(figures(log, reading).returns)
    link.adjust("progressive", Fraction(22_100), _signed())
    grown = figures(log, link.read())
    # $221 more, won once in 22,100 wagers of $1
    assert Fraction(grown.returns) == at_seed + Fraction(221, 22_100)
    # at the break-even point the wager returns itself
    even = Fraction(grown.meters[0].break_even)
    shows = Fraction(grown.meters[0].shows)
    assert Fraction(grown.returns) + (even - shows) / 22_100 == 1
    log.close()


def _signed():
    from linked import SIGNED

    return SIGNED


def test_a_table_with_meters_of_its_own_is_listed_with_its_figures(tmp_path, capsys) -> None:
    log = SQLiteLog(tmp_path / "r.db")
    table = LinkedTable(log, "alone", "hidden")
    table.sit()
    for _ in range(3):
        table.round()
    log.close()
    status, out, _ = told(capsys, "list", "--database", str(tmp_path / "r.db"), "--json")
    (one,) = json.loads(out)["tables"]
    assert (status, one["table"], one["wager"]) == (0, "alone", "progressive")
    assert Fraction(one["holds"]["progressive"]) == 250_000 + 600 * Fraction(147, 1000)
    assert Fraction(one["reserves"]["progressive"]) == 600 * Fraction(5, 1000)
    # two wagers of a dollar a round, the rounds one command a second
    with SQLiteLog(tmp_path / "r.db", readonly=True) as log:
        first, *_, last = [
            event.time
            for event in log.read("meter/alone/progressive")
            if event.data["why"] == "wagers"
        ]
    seconds = (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()
    pace = Fraction(one["figures"]["wagers_an_hour"])
    assert abs(pace - Fraction(4 * 3600) / Fraction(seconds)) < Fraction(1, 10)
    assert told(capsys, "list", "--database", str(tmp_path / "r.db"))[0] == 0


@pytest.mark.parametrize(
    ("arguments", "schema", "kind"),
    [
        (("list",), "links", Listed),
        (("history", "wide"), "link-history", History),
        (("reconcile",), "link-sums", Sums),
    ],
)
def test_what_is_written_is_what_its_schema_says(database, capsys, arguments, schema, kind) -> None:
    _, out, _ = told(capsys, *arguments, "--database", database, "--json")
    assert msgspec.json.decode(out, type=kind, strict=True)
    with pytest.raises(SystemExit) as ended:
        main(["schema", schema])
    described = json.loads(capsys.readouterr().out)
    assert ended.value.code == 0
    fields = described["$defs"][kind.__name__]["properties"]
    assert fields.keys() == json.loads(out).keys()


def test_history_and_reconcile(database, capsys) -> None:
    status, out, _ = told(capsys, "history", "wide", "--database", database, "--json")
    found = json.loads(out)
    assert status == 0
    assert [act["kind"] for act in found["acts"]] == ["link_opened", "table_joined", "meter_paid"]
    assert found["points"][-1]["shows"] == {"progressive": "1000.00"}
    assert told(capsys, "history", "wide", "--database", database)[0] == 0
    status, out, _ = told(capsys, "reconcile", "--database", database)
    assert (status, "exact" in out) == (0, True)
    status, out, _ = told(capsys, "reconcile", "wide", "--database", database, "--json")
    (meter,) = json.loads(out)["links"][0]["meters"]
    assert (meter["seed"], meter["wagers"], meter["paid"]) == ("250000", "200", "250029")
    assert meter["comes_to"] == meter["holds"]


def test_history_as_a_chart(database, tmp_path, capsys) -> None:
    from xml.etree import ElementTree as ET

    file = tmp_path / "chart.svg"
    arguments = ("history", "wide", "--database", database, "--points", "7")
    assert told(capsys, *arguments, "--svg", str(file))[0] == 0
    drawn = ET.fromstring(file.read_text("utf-8"))
    (line,) = [path for path in drawn.iter() if path.get("fill") == "none"]
    heights = [float(point.split()[1]) for point in line.get("d")[1:].split("L")]
    assert len(heights) == 7
    # it stood at the seed and was won: the last is the lowest point of the line
    assert heights[-1] == max(heights) > heights[0]
    words = " ".join(text.text for text in drawn.iter() if text.text)
    assert "now $1,000.00" in words
    status, out, err = told(capsys, *arguments, "--svg", "/proc/nowhere/x.svg")
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_reconcile_says_no_where_it_departs(database, capsys) -> None:
    log = SQLiteLog(database)
    at = log.head("feed/a/wide").version
    wrong = Feed("a", "wide", "progressive", stake=1, wagered=201, open=True)
    log.append(Write("feed/a/wide", at, (New("contributed", wrong, "thief", NOON),)))
    log.close()
    status, out, _ = told(capsys, "reconcile", "--database", database)
    assert (status, "differs" in out) == (1, True)


@pytest.mark.parametrize(
    "arguments",
    [
        ("history", "nowhere"),
        ("history", "Not A Name"),
        ("reconcile", "nowhere"),
        ("history", "wide", "--points", "1"),
        ("list", "--pace", "none"),
        ("list", "--stake", "1.234"),
        ("list", "--players", "0"),
        ("list", "--players", "8"),
    ],
)
def test_bad_calls_get_one_line(database, capsys, arguments) -> None:
    status, out, err = told(capsys, *arguments, "--database", database)
    assert (status, out) == (2, "")
    assert err.startswith("houseway: ")
    assert err.count("\n") == 1


@pytest.mark.slow
def test_the_floors_acts_from_the_terminal(tmp_path, capsys, monkeypatch) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(
        f"""chapter = "{MD}"
[rules]
five_card_progressive = "C"
[meters."five_card_progressive.mega"]
rate = "9%"
reserve = "0.9%"
seed = "20000.00"
reset = "10000.00"
[meters."five_card_progressive.major"]
rate = "4.1%"
[meters."five_card_progressive.minor"]
rate = "3%"
"""
    )
    log = SQLiteLog(tmp_path / "r.db")
    staff(log, passwords=True)
    log.close()
    base = ("--database", str(tmp_path / "r.db"), "--json")
    two = ("--by", "dana", "--second", "frank", "--reason", "moved house")

    def words(first: str, second: str) -> None:
        monkeypatch.setenv("HOUSEWAY_PASSWORD", f"the word of {first}")
        monkeypatch.setenv("HOUSEWAY_SECOND_PASSWORD", f"the word of {second}")

    opening = ("--rules", str(file), "--wager", "five_card_progressive", "--by", "bo")
    mega = "five_card_progressive.mega"

    def ask(*arguments: str) -> dict:
        status, out, err = told(capsys, *arguments, *base)
        assert (status, err) == (0, "")
        return json.loads(out)

    words("bo", "nobody")
    assert ask("open", "old", *opening)["meters"][mega] == "20000.00"
    assert ask("join", "old", "t1", "--rules", str(file), "--by", "bo")["tables"] == ["t1"]
    words("dana", "frank")
    assert ask("adjust", "old", mega, "--amount=-0.005", *two)["meters"][mega] == "19999.99"
    # what people write is not markup
    odd = (*two[:-1], "[/] [bold")
    assert ask("adjust", "old", mega, "--amount", "0.001", *odd)["meters"][mega] == "19999.99"
    assert "[/] [bold" in told(capsys, "history", "old", *base[:2])[1]
    assert ask("adjust", "old", mega, "--amount=-0.001", *two)["meters"][mega] == "19999.99"
    words("bo", "nobody")
    assert ask("leave", "old", "t1", "--by", "bo")["tables"] == []
    ask("open", "new", *opening)
    words("dana", "frank")
    assert ask("shut-down", "old", *two)["shut"] == "moved house"
    moved = ask("take-over", "new", "--from-link", "old", *two)
    assert moved["meters"][mega] == "39999.99"
    assert ask("reconcile")["exact"]
    for arguments in (
        ("open", "new", *opening),
        ("adjust", "new", mega, "--amount", "one", *two),
        ("adjust", "new", mega, "--amount", "1", *two[:-2], "--reason", ""),
        ("take-over", "new", *two),
        ("take-over", "new", "--from-table", "t1", *two),
        ("shut-down", "new", "--by", "bo", "--second", "bo", "--reason", "why"),
        ("shut-down", "new", "--by", "frank", "--second", "dana", "--reason", "why"),
        ("shut-down", "new", "--by", "dana", "--second", "nobody", "--reason", "why"),
    ):
        status, out, err = told(capsys, *arguments, *base)
        assert (status, out, err.count("\n")) == (2, "", 1)


@pytest.mark.slow
def test_both_who_sign_give_their_own_password(tmp_path, capsys, monkeypatch) -> None:
    """Neither a wrong one nor none at all; nothing is on the record of the attempt."""
    log = SQLiteLog(tmp_path / "r.db")
    staff(log, passwords=True)
    open_link(log)
    log.close()
    call = (
        "adjust", "wide", "progressive", "--amount", "1", "--by", "dana", "--second", "frank",
        "--reason", "why", "--database", str(tmp_path / "r.db"),
    )  # fmt: skip
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    for first, second, said in (
        (None, None, "a password is needed for dana"),
        ("the word of dana", None, "a password is needed for frank"),
        ("the word of frank", "the word of frank", "wrong name or password"),
        ("the word of dana", "the word of dana", "wrong name or password"),
        ("the word of dana", "", "wrong name or password"),
    ):
        for variable, word in (("HOUSEWAY_PASSWORD", first), ("HOUSEWAY_SECOND_PASSWORD", second)):
            if word is None:
                monkeypatch.delenv(variable, raising=False)
            else:
                monkeypatch.setenv(variable, word)
        status, out, err = told(capsys, *call)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert said in err
    log = SQLiteLog(tmp_path / "r.db")
    assert [event.kind for event in log.read("link/wide")] == ["link_opened"]
    log.close()


def test_people_are_added_and_listed_and_may_then_sign(tmp_path, capsys, monkeypatch) -> None:
    base = ("--database", str(tmp_path / "r.db"), "--json")

    def people(*arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main(["people", *arguments, *base])
        return ended.value.code, capsys.readouterr().out

    monkeypatch.setenv("HOUSEWAY_PASSWORD", "long enough")
    assert people("add", "bo", "--roles", "floorperson", "--name", "Bo")[0] == 0
    for arguments in (
        ("add", "bo", "--roles", "dealer"),
        ("add", "cy", "--roles", "king"),
        ("add", "C Y", "--roles", "dealer"),
        ("password", "nobody"),
    ):
        assert people(*arguments) == (2, "")
    monkeypatch.setenv("HOUSEWAY_PASSWORD", "short")
    assert people("add", "cy", "--roles", "dealer") == (2, "")
    assert people("password", "bo") == (2, "")
    _, out = people("list")
    assert json.loads(out)["people"] == [{"id": "bo", "name": "Bo", "roles": ["floorperson"]}]
    monkeypatch.setenv("HOUSEWAY_PASSWORD", "another word")
    assert people("password", "bo")[0] == 0
    log = SQLiteLog(tmp_path / "r.db")
    assert People(log).check_password("bo", "another word").id == "bo"
    with pytest.raises(Refused):
        People(log).check_password("bo", "long enough")
    log.close()
