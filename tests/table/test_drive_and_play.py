"""`houseway drive` and `houseway play`: the table through the command line."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from houseway.table import fold, read_event

RULES = 'chapter = "md-three-card-poker"\n'


def call(*arguments, given=""):
    return subprocess.run(
        [sys.executable, "-m", "houseway", *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def rules(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text(RULES, encoding="utf-8")
    return str(path)


def line(command, role, **fields):
    return json.dumps({"command": command, "role": role, "at": "2026-01-01T10:00:00", **fields})


def test_commands_in_events_out(rules):
    given = "\n".join(
        [
            line("sit_down", "player", who="ann", seat=1, player="ann"),
            line("receive_decks", "dealer"),
            line("deal", "dealer"),
            "nonsense",
            line("inspect_cards", "dealer"),
        ]
    )
    done = call("drive", "--rules", rules, given=given)
    assert done.returncode == 2
    assert done.stderr == ""
    out = [json.loads(text) for text in done.stdout.splitlines()]
    kinds = [entry.get("event") or entry["refused"]["code"] for entry in out]
    assert kinds == [
        "table_opened", "player_sat", "decks_received", "out_of_turn", "not_a_command",
        "deck_prepared",
    ]  # fmt: skip
    assert out[3]["refused"]["line"] == 3
    table = fold(read_event(json.dumps(entry)) for entry in out if "event" in entry)
    assert table.decks["1"].stage == "inspected"


def test_a_record_is_driven_on(rules, tmp_path):
    first = call(
        "drive", "--rules", rules, given=line("sit_down", "player", who="a", seat=1, player="a")
    )
    assert first.returncode == 0
    record = tmp_path / "record.jsonl"
    record.write_text(first.stdout, encoding="utf-8")
    more = call(
        "drive", "--rules", rules, "--record", str(record), "--next",
        given=line("receive_decks", "dealer", version=2),
    )  # fmt: skip
    event, after = (json.loads(text) for text in more.stdout.splitlines())
    assert (event["event"], event["version"]) == ("decks_received", 3)
    assert after["next"][0]["command"] == "inspect_cards"
    stale = call(
        "drive", "--rules", rules, "--record", str(record),
        given=line("receive_decks", "dealer", version=1),
    )  # fmt: skip
    assert stale.returncode == 1
    assert json.loads(stale.stdout)["refused"]["code"] == "stale"


def test_a_round_in_the_terminal():
    words = "ante 10\nadvice\nplay\nquit\n"
    done = call("play", "md-three-card-poker", "--seed", "3", given=words)
    assert done.returncode == 0
    assert "dealer  ?? ?? ??" in done.stdout
    assert "this round" in done.stdout


def test_play_by_itself_as_json():
    done = call("play", "pa-down-under-blackjack", "--seed", "3", "--rounds", "2", "--json")
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["rounds"]) == 2
    wrong = call("play", "no-such-game")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("houseway: ")
