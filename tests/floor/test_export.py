"""What leaves the house: all of it for analysis, one round for a dispute, and no hidden card."""

from __future__ import annotations

import csv
import json
import subprocess
import sys

import pytest
from playing import played, record
from pyarrow import parquet

from houseway.errors import Refused
from houseway.floor.audit.export import TABLES, bundle, export
from houseway.floor.audit.projections import Projections
from houseway.floor.audit.replay import page, replay
from houseway.floor.audit.rounds import events_of, find_round
from houseway.floor.people.directory import CREDENTIALS
from houseway.law import chapter
from houseway.money import spoken
from houseway.store import New, Write, digest
from houseway.store.backends.memory import MemoryLog

NOON = "2026-03-01T12:00:00Z"


@pytest.fixture(scope="module")
def house():
    log = MemoryLog()
    for name, game in (("1", 0), ("2", 3)):
        record(log, played(game, rounds=3, name=name, seed=game), name)
    with Projections(":memory:") as found:
        found.update(log)
        yield log, found


def read(path, format: str) -> list[dict]:
    if format == "parquet":
        return parquet.read_table(path).to_pylist()
    if format == "csv":
        with path.open(newline="") as file:
            return list(csv.DictReader(file))
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
def test_every_format_holds_every_row(house, tmp_path, format) -> None:
    log, found = house
    written = export(log, found, tmp_path, format)
    assert {path.name for path in tmp_path.iterdir()} == set(written)
    assert set(written) == {f"{name}.{format}" for name in ("events", *TABLES)}
    for name, rows in written.items():
        assert len(read(tmp_path / name, format)) == rows, name
    assert written[f"events.{format}"] == sum(1 for _ in log.scan())
    rounds = {row["id"]: row for row in read(tmp_path / f"rounds.{format}", format)}
    assert rounds["1.1.2"]["wagered"] == f"{find_round(found, '1.1.2')['wagered'] / 100:.2f}"


def test_the_hashes_of_an_export_can_be_recomputed(house, tmp_path) -> None:
    log, found = house
    export(log, found, tmp_path, "jsonl", everything=True)
    for event in read(tmp_path / "events.jsonl", "jsonl"):
        told = digest(
            bytes.fromhex(event["previous"]), event["stream"], event["version"], event["time"],
            event["actor"], event["kind"], event["schema"], event["body"],
        )  # fmt: skip
        assert told.hex() == event["hash"]


def secrets_in_play(log) -> tuple[list[str], list[str]]:
    """The order of the shoe that is still in play at table 1, and every seed not yet public."""
    events = list(log.read("table/1"))
    order = [one.data["cards"] for one in events if one.kind == "cards_shuffled"][-1]
    public = {one.data["seal"] for one in events if one.kind == "deal_finished"}
    seeds = [
        one.data["seed"]
        for one in events
        if one.kind == "deal_secret" and one.data["seal"] not in public
    ]
    return order, seeds


def test_credentials_are_never_exported(tmp_path, projections_of) -> None:
    log = MemoryLog()
    log.append(Write(CREDENTIALS, 0, (New("password_set", {"hash": "argon2"}, "ada", NOON),)))
    found = projections_of(log)
    export(log, found, tmp_path, "jsonl", everything=True)
    (event,) = read(tmp_path / "events.jsonl", "jsonl")
    assert event["withheld"] is True
    assert "argon2" not in (tmp_path / "events.jsonl").read_text()


def test_no_card_of_a_shoe_in_play_leaves_the_house(house, tmp_path) -> None:
    log, found = house
    order, seeds = secrets_in_play(log)
    (tmp_path / "a").mkdir()
    export(log, found, tmp_path / "a", "jsonl")
    bundle(log, find_round(found, "1.1.3"), tmp_path / "b")
    assert len(seeds) == 1
    for path in (tmp_path / "a" / "events.jsonl", *(tmp_path / "b").iterdir()):
        text = path.read_text()
        assert seeds[0] not in text
        assert ",".join(f'\\"{card}\\"' for card in order[:4]) not in text
    # the folded hand of the last round appears nowhere in its bundle
    hands = {hand["seat"]: hand for hand in find_round(found, "1.1.3")["hands"]}
    assert hands[2]["decision"] == "fold"
    round = json.loads((tmp_path / "b" / "round.json").read_text())
    assert [hand["cards"] == "withheld" for hand in round["hands"]] == [False, True]
    bodies = "".join(
        event.get("body", "") for event in read(tmp_path / "b" / "events.jsonl", "jsonl")
    )
    for card in hands[2]["cards"].split():
        assert f'"{card}"' not in bodies
        assert card not in (tmp_path / "b" / "round.txt").read_text().split()
    # nor among the hands of the whole record, where the hands of finished shoes are
    told = {
        (one["round"], one["seat"]): one["cards"]
        for one in read(tmp_path / "a" / "hands.jsonl", "jsonl")
    }
    assert told["1.1.3", 2] == "withheld"
    assert told["1.1.3", 1] == hands[1]["cards"]
    assert told["1.1.1", 2] == find_round(found, "1.1.1")["hands"][1]["cards"]
    (tmp_path / "e").mkdir()
    export(log, found, tmp_path / "e", "jsonl", everything=True)
    every = read(tmp_path / "e" / "hands.jsonl", "jsonl")
    assert hands[2]["cards"] in [one["cards"] for one in every if one["round"] == "1.1.3"]
    # the earlier shoe is finished, so that its round holds everything
    bundle(log, find_round(found, "1.1.1"), tmp_path / "c")
    assert "withheld" not in (tmp_path / "c" / "events.jsonl").read_text()


def check(folder) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", folder / "check.py"], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("id", ["1.1.1", "1.1.3", "2.1.2"])
def test_a_bundle_checks_itself_without_houseway(house, tmp_path, id) -> None:
    log, found = house
    files = bundle(log, find_round(found, id), tmp_path / "b")
    assert {path.name for path in (tmp_path / "b").iterdir()} == set(files)
    done = check(tmp_path / "b")
    assert (done.returncode, done.stderr) == (0, "")
    assert "as they were written" in done.stdout
    assert "lead to the sealed root" in done.stdout
    assert json.loads((tmp_path / "b" / "verification.json").read_text())["faults"] == []


def test_a_bundle_is_read_without_any_program(house, tmp_path) -> None:
    """Every hand, every line with its clause, every step: in words."""
    log, found = house
    round = find_round(found, "1.1.1")
    bundle(log, round, tmp_path / "b")
    text = (tmp_path / "b" / "round.txt").read_text()
    lines = text.splitlines()
    assert lines[0].startswith("Round 1.1.1: Three Card Poker, Maryland (md-three-card-poker)")
    for hand in round["hands"]:
        assert any(hand["player"] in line and hand["cards"] in line for line in lines)
    settled = [line.split() for line in lines[lines.index("Settlement") :]]
    law = chapter(round["chapter"])
    for line in round["lines"]:
        said = [
            str(line["seat"]),
            *law.line_name(line["wager"]).split(),
            spoken(line["stake"]),
            line["result"],
        ]
        assert any(words[: len(said)] == said and words[-1] == line["clause"] for words in settled)
    steps = lines[lines.index("Step by step") + 2 :]
    assert [int(step.split()[0]) for step in steps if step] == [
        event.version for event in events_of(log, round)
    ]
    assert "round.txt" in (tmp_path / "b" / "README.txt").read_text()


def test_a_changed_bundle_does_not_check(house, tmp_path) -> None:
    log, found = house
    for number, (name, old, new) in enumerate(
        (
            ("events.jsonl", "wager_placed", "wager_planned"),
            ("events.jsonl", "10.00", "90.00"),
            ("deal.json", '"position": ', '"position": 1'),
        )
    ):
        folder = tmp_path / str(number)
        bundle(log, find_round(found, "1.1.1"), folder)
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1))
        done = check(folder)
        assert done.returncode == 1
        assert "WRONG" in done.stdout


def test_an_export_does_not_mix_with_other_files(house, tmp_path) -> None:
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(Refused) as caught:
        export(*house, tmp_path, "csv")
    assert caught.value.code == "folder_not_empty"
    with pytest.raises(Refused) as caught:
        export(*house, tmp_path / "new", "xlsx")
    assert caught.value.code == "no_such_format"


def test_a_replay_tells_every_event_and_its_page_stands_alone(house) -> None:
    log, found = house
    round = find_round(found, "2.1.1")
    steps = replay(log, round)
    assert [step.version for step in steps] == list(range(round["first"], round["last"] + 2))
    assert steps[-1].kind == "deal_opened"
    assert steps[-2].table.round == 1
    assert all(step.says for step in steps)
    text = page(round, steps)
    for outside in ('src="', "@import", 'href="http', "url(http", "fetch("):
        assert outside not in text
    assert text.count("<li ") == len(steps)
    assert "<svg" in text
