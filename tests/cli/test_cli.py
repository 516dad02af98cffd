"""The command line as a user meets it: a process, its output, its exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from houseway.cli import main
from houseway.law import CHAPTERS

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "houseway", *arguments],
        input=stdin, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def answer(*arguments: str, stdin: str = "") -> dict:
    done = run(*arguments, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_help_names_every_command() -> None:
    from houseway.cli import COMMANDS

    done = run("--help")
    assert done.returncode == 0
    for commands in COMMANDS.values():
        for name, (_, line) in commands.items():
            assert name in done.stdout
            assert line.split()[0] in done.stdout


def here(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints, called in this process: a new one for each of many takes minutes."""
    with pytest.raises(SystemExit) as ended:
        main([*arguments])
    out, err = capsys.readouterr()
    assert (ended.value.code, err) == (0, ""), arguments
    return out


def test_every_command_has_help_of_its_own(capsys) -> None:
    from houseway.cli import COMMANDS

    for commands in COMMANDS.values():
        for name in commands:
            assert "Usage" in here(capsys, name, "--help")


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_the_example_of_each_chapter_settles(id: str) -> None:
    settled = answer("settle", str(EXAMPLES / f"{id}.json"), "--json")
    total = sum(round(float(seat["net"]) * 100) for seat in settled["seats"])
    total += round(float(settled["house"]) * 100)
    total -= sum(round(float(meter["paid"]) * 100) for meter in settled["meters"].values())
    assert total == 0
    shown = run("settle", str(EXAMPLES / f"{id}.json"))
    assert shown.returncode == 0
    for seat in settled["seats"]:
        net = float(seat["net"])
        assert f"{'-' if net < 0 else '+'}${abs(net):,.2f}" in shown.stdout


def test_lines_are_answered_in_order_and_a_wrong_one_in_its_place() -> None:
    good = json.dumps(json.loads((EXAMPLES / "md-three-card-poker.json").read_text()))
    wrong = json.dumps({**json.loads(good), "dealer": ["Qh", "Qh", "2c"]})
    done = run("settle", stdin=f"{good}\n{wrong}\nrubbish\n\n{good}\n")
    assert done.returncode == 2
    first, second, third, fourth = [json.loads(line) for line in done.stdout.splitlines()]
    assert first == fourth
    assert (second["error"]["code"], second["error"]["line"]) == ("card_twice", 2)
    assert third["error"]["code"] == "not_a_round"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (("settle", "no-such-file.json"), ""),
        (("settle",), "not json"),
        (("settle",), ""),
        (("settle",), "[]"),
        (("settle",), "{"),
        (("settle",), "\x00\x01"),
        (("settle", "--jsn"), ""),
        (("chapters", "too", "many"), ""),
        (("clauses", "no-such-chapter"), ""),
        (("clauses", "md-three-card-poker", "77.Z"), ""),
        (("errata", "no-such-chapter"), ""),
        (("schema", "nothing"), ""),
        (("simulate", "md-three-card-poker", "--players", "2.5"), ""),
        (("audit", "rounds", "--limit", "2.5"), ""),
        (("no-such-command",), ""),
    ],
)
def test_a_wrong_call_is_one_line_and_status_2(arguments: tuple[str, ...], stdin: str) -> None:
    done = run(*arguments, stdin=stdin)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stderr.startswith("houseway: ")
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_chapters_clauses_errata_and_schemas_as_json(capsys) -> None:
    assert [one["chapter"] for one in answer("chapters", "--json")["chapters"]] == list(CHAPTERS)
    (one,) = answer("chapters", "md", "--json")["chapters"]
    assert one["chapter"] == "md-three-card-poker"
    for one in answer("clauses", "--json")["chapters"]:
        assert sum(one["met"].values()) == one["clauses"] == len(one["list"])
    assert all(one["errata"] for one in answer("errata", "--json")["chapters"])
    for name in answer("schema", "--json"):
        assert json.loads(here(capsys, "schema", name))["$schema"].endswith("schema")


def test_one_clause_leads_to_its_code_and_its_tests() -> None:
    (one,) = answer("clauses", "md-three-card-poker", "11.C(1)", "--json")["chapters"]
    (found,) = one["list"]
    assert "games/three_card/maryland.py:settle" in found["code"]
    assert any(place.startswith("games/test_maryland") for place in found["tests"])


def test_a_section_is_shown_without_those_whose_number_begins_like_its_own() -> None:
    (one,) = answer("clauses", "prime", "679a.1", "--json")["chapters"]
    # seven terms are defined in it; 679a.10 to 679a.13 are other sections
    assert one["list"][0]["clause"] == "679a.1"
    assert [found["kind"] for found in one["list"]] == ["definition"] * 8


@pytest.mark.slow
def test_text_forms_are_worth_looking_at() -> None:
    for arguments in (("chapters",), ("clauses",), ("errata", "pa-saigon-5-card"), ("schema",)):
        done = run(*arguments)
        assert (done.returncode, done.stderr) == (0, "")
        assert len(done.stdout.splitlines()) > 3
        assert max(map(len, done.stdout.splitlines())) <= 110


def test_a_library_that_is_not_installed_is_named_with_its_extra(
    monkeypatch, capsys, tmp_path
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(SystemExit) as ended:
        main(["draw", "md-three-card-poker", "--out", str(tmp_path / "felt.pdf")])
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert err == (
        "houseway: this needs typst, which is not installed: install houseway[documents];"
        " in a clone: HOUSEWAY_EXTRAS=documents script/houseway\n"
    )
