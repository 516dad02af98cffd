"""Chapters outside the package work in every command like the package's own.

Each of the five is copied under a new id, and nothing else is changed. The web casino has the same
in `tests/web/test_outside_web.py`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from houseway.cli import main
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter
from houseway.law.cross_references import problems
from outside import chapters_from, copied, edit

EXAMPLES = Path(__file__).parents[2] / "examples"


def round_file(id: str, folder: Path) -> str:
    """The example of the original, as a round of the copy."""
    data = json.loads((EXAMPLES / f"{id.removeprefix('our-')}.json").read_text("utf-8"))
    path = folder / "round.json"
    path.write_text(json.dumps({**data, "chapter": id}), "utf-8")
    return str(path)


def rules_file(id: str, folder: Path) -> str:
    path = folder / "rules.toml"
    path.write_text(f'chapter = "{id}"\n', "utf-8")
    return str(path)


def submission(id: str, folder: Path) -> str:
    path = folder / "submission.toml"
    if not path.exists():
        run("new", id, "--out", str(path), "--date", "2026-03-01")
    return str(path)


def nothing(folder: Path) -> str:
    path = folder / "nothing.jsonl"
    path.write_text("", "utf-8")
    return str(path)


#: how each command is called for a chapter
CALLS: dict[str, Callable[[str, Path], list[str]]] = {
    "chapters": lambda of, folder: ["chapters", "--json"],
    "clauses": lambda of, folder: ["clauses", of, "--check", "--json"],
    "errata": lambda of, folder: ["errata", of, "--json"],
    "options": lambda of, folder: ["options", of, "--json"],
    "new": lambda of, folder: ["new", of, "--json"],
    "check": lambda of, folder: ["check", submission(of, folder), "--json"],
    "settle": lambda of, folder: ["settle", round_file(of, folder), "--json"],
    "drive": lambda of, folder: ["drive", nothing(folder), "--rules", rules_file(of, folder)],
    "play": lambda of, folder: ["play", of, "--seed", "1", "--rounds", "1", "--json"],
    "audit trouble-table": lambda of, folder: [
        "audit", "trouble-table", of, "--shuffler", "none", "--json",
    ],
    "par": lambda of, folder: ["par", of, "--json"],
    "strategy": lambda of, folder: ["strategy", of, "--json"],
    "simulate": lambda of, folder: ["simulate", of, "--rounds", "1000", "--json"],
    "draw": lambda of, folder: ["draw", of, "--out", "-", "--json"],
    "draw --round": lambda of, folder: [
        "draw", of, "--round", round_file(of, folder), "--out", "-", "--json",
    ],
    "packet": lambda of, folder: [
        "packet", submission(of, folder), "--out", str(folder / "packet"), "--json",
    ],
}  # fmt: skip

#: those that compile, search or typeset
SLOW = ("strategy", "simulate", "packet", "audit trouble-table")


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("chapters")
    for id in CHAPTERS:
        copied(id, root, f"our-{id}")
    return root


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main([*arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in CALLS]
)
@pytest.mark.parametrize("id", CHAPTERS)
def test_a_copy_of_each_chapter_works(
    id: str, name: str, copies: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with chapters_from(copies):
        status = run(*CALLS[name](f"our-{id}", tmp_path))
    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    # a packet's answer names its files
    assert name == "packet" or f"our-{id}" in out


def test_a_copy_shows_what_it_inherits(copies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with chapters_from(copies):
        run("clauses", f"our-{MD}", "--json")
        (told,) = json.loads(capsys.readouterr().out)["chapters"]
        run("clauses", f"our-{MD}", "11.C(1)")
        places = capsys.readouterr().out
    run("clauses", MD, "--json")
    (original,) = json.loads(capsys.readouterr().out)["chapters"]
    assert (told["citations_of"], original["citations_of"]) == (MD, None)
    assert [entry["code"] for entry in told["list"]] == [
        entry["code"] for entry in original["list"]
    ]
    assert f"inherited from {MD}" in places


# finding them


def houseway(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "houseway", *arguments],
        capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, **environment},
    )  # fmt: skip


def ids(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert (done.returncode, done.stderr) == (0, "")
    return [one["chapter"] for one in json.loads(done.stdout)["chapters"]]


def test_the_folder_is_named_before_the_command_or_in_the_environment(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    copied(SAIGON, one, "one-game")
    copied(SAIGON, other, "another-game")
    known = list(CHAPTERS)
    listing = ("chapters", "--json")
    assert ids(houseway("--chapters", str(one), *listing)) == [*known, "one-game"]
    assert ids(houseway(f"--chapters={one}", *listing)) == [*known, "one-game"]
    both = os.pathsep.join((str(one), str(other)))
    assert ids(houseway(*listing, HOUSEWAY_CHAPTERS=both)) == [*known, "one-game", "another-game"]
    together = houseway("--chapters", str(other), *listing, HOUSEWAY_CHAPTERS=str(one))
    assert ids(together) == [*known, "one-game", "another-game"]


def refused(*arguments: str) -> str:
    """The one line on standard error."""
    from contextlib import redirect_stderr
    from io import StringIO

    said = StringIO()
    with redirect_stderr(said):
        assert run(*arguments) == 2
    (line,) = said.getvalue().splitlines()
    return line.removeprefix("houseway: ")


def test_what_is_wrong_with_a_folder_is_said_in_a_line(tmp_path: Path) -> None:
    assert refused("--chapters") == "--chapters needs a folder of chapters"
    missing = tmp_path / "missing"
    with chapters_from(missing):
        assert refused("chapters").startswith(f"the chapters in {missing} cannot be read")
    empty = tmp_path / "empty"
    empty.mkdir()
    with chapters_from(empty):
        assert refused("chapters").startswith(f"there is no chapter in {empty}")
    copied(MD, tmp_path / "twice", MD)
    with chapters_from(tmp_path / "twice"):
        line = refused("chapters")
        assert line.startswith(f"there are two chapters {MD}, in ")
        assert str(tmp_path / "twice") in line


def test_what_is_wrong_with_a_file_is_said_with_its_place(tmp_path: Path) -> None:
    folder = copied(SAIGON, tmp_path, "ours")
    text = (folder / "options.toml").read_text("utf-8")

    def line(*arguments: str) -> str:
        with chapters_from(tmp_path):
            return refused(*arguments)

    (folder / "options.toml").write_text(text + "\nid = \n", "utf-8")
    assert line("options", "ours") == (
        f"{folder}/options.toml: Invalid value (at line {text.count(chr(10)) + 2}, column 6)"
    )
    (folder / "options.toml").write_text(text + "\n[[option]]\nid = 5\n", "utf-8")
    said = line("options", "ours")
    number = len(chapter(SAIGON).options) + 1
    assert said.startswith(f"{folder}/options.toml, option {number}.id: ")
    (folder / "options.toml").write_text(text.replace('id = "dealing"', 'id = "dealt"'), "utf-8")
    assert line("options", "ours") == (
        f"{folder}/options.toml: there is no option dealing; every chapter has one"
    )
    (folder / "options.toml").unlink()
    assert line("options", "ours") == f"{folder}/options.toml is missing"
    edit(folder / "chapter.toml", lambda data: data.update(edition="another"))
    assert "its edition is 'another'" in line("options", "ours")
    edit(folder / "chapter.toml", lambda data: data["facts"].pop("hand_cards"))
    assert "there is no fact hand_cards" in line("options", "ours")
    edit(folder / "chapter.toml", lambda data: data["wagers"][0].update(kind="free"))
    assert "wagers.1.kind" in line("options", "ours")
    # a broken chapter leaves the others alone
    with chapters_from(tmp_path):
        assert run("options", SAIGON, "--json") == 0


def broken(folder: Path, part: str, change: Callable[[dict[str, Any]], Any]) -> str:
    """The refusal of the copy with this change, which is undone again."""
    path = folder / part
    kept = path.read_text("utf-8")
    edit(path, change)
    with chapters_from(folder.parents[1]):
        line = refused("options", folder.parent.name)
    path.write_text(kept, "utf-8")
    return line.removeprefix(f"{path}, ")


#: what may name something that is not there: the file, a change of it, and what is said
MISSPELLED: dict[str, tuple[str, Callable[[dict[str, Any]], Any], str]] = {
    "the option of a wager": (
        "chapter.toml", lambda data: data["wagers"][-1].update(option="bonsu"),
        "wager bonus: there is no option bonsu",
    ),
    "the wager beside it": (
        "chapter.toml", lambda data: data["wagers"][-1].update(needs=["anet"]),
        "wager bonus: there is no wager anet",
    ),
    "a second wager of one id": (
        "chapter.toml", lambda data: data["wagers"].append(data["wagers"][-1]),
        "wager bonus: it is listed twice",
    ),
    "the option of an area": (
        "chapter.toml", lambda data: data["areas"][0].update(when="bonsu"),
        "area ante: there is no option bonsu",
    ),
    "the option of a step": (
        "procedure.toml", lambda data: data["step"][0].update(when={"delaing": ["hand"]}),
        "step receive_decks: there is no option delaing",
    ),
    "the role of a step": (
        "procedure.toml", lambda data: data["step"][0].update(role="king"),
        "step 1.role: there is no role 'king'",
    ),
    "the option that a choice needs": (
        "options.toml", lambda data: data["option"][0]["choices"][0].update(needs={"x": ["y"]}),
        "option bonus, none: there is no option x",
    ),
    "an option without choices": (
        "options.toml", lambda data: data["option"][0].update(choices=[]),
        "option bonus: it has no choices; the first one is the default",
    ),
    "a count in words": (
        "options.toml",
        lambda data: option(data, "decks_in_play")["choices"][0].update(value="one"),
        "option decks_in_play: 'one' is not a whole number",
    ),
    "the wager of a paytable": (
        "paytables.toml", lambda data: data["paytable"][0].update(wager="anet"),
        "paytable anet standard: there is no wager or bonus anet",
    ),
    "odds": (
        "paytables.toml", lambda data: data["paytable"][0]["rows"][0].update(pays="2:1"),
        "paytable ante standard, ",
    ),
}  # fmt: skip


def option(data: dict[str, Any], id: str) -> dict[str, Any]:
    return next(one for one in data["option"] if one["id"] == id)


@pytest.mark.parametrize("what", MISSPELLED)
def test_files_that_do_not_fit_together_are_refused_with_the_entry(
    what: str, tmp_path: Path
) -> None:
    part, change, says = MISSPELLED[what]
    assert broken(copied(SAIGON, tmp_path, "ours"), part, change).startswith(says)


@pytest.mark.parametrize("id", CHAPTERS)
def test_the_files_of_the_package_fit_together(id: str) -> None:
    assert list(problems(chapter(id))) == []


def test_everything_that_does_not_fit_is_said_at_once(tmp_path: Path) -> None:
    def misspell(data: dict[str, Any]) -> None:
        for wager in data["wagers"]:
            wager["option"] = f"{wager['id']}s"

    line = broken(copied(SAIGON, tmp_path, "ours"), "chapter.toml", misspell)
    assert "wager ante: there is no option antes; also " in line
    assert "wager bonus: there is no option bonuss" in line


def renamed(wager: str, folder: Path) -> None:
    """A wager under another id, wherever the chapter's files name it."""
    for name in ("chapter.toml", "paytables.toml", "options.toml", "procedure.toml"):
        path = folder / name
        path.write_text(path.read_text("utf-8").replace(f'"{wager}"', '"main_bet"'), "utf-8")
        text = path.read_text("utf-8")
        path.write_text(re.sub(rf"\b{wager} = ", "main_bet = ", text), "utf-8")


@pytest.mark.parametrize(
    ("id", "wager"),
    [
        (MD, "pair_plus"),
        (MA, "cover_all"),
        (PRIME, "all_six"),
        (SAIGON, "ante"),
        (DOWN_UNDER, "match_the_dealer"),
    ],
)
def test_a_wager_that_the_game_does_not_settle_is_refused(
    id: str, wager: str, tmp_path: Path
) -> None:
    """Point 2 of issue 15: it must not be taken and then forgotten, nor end in a fault."""
    folder = copied(id, tmp_path, "ours")
    renamed(wager, folder)
    round = tmp_path / "round.json"
    seat = {"seat": 1, "wagers": {"ante": "10.00", "main_bet": "5.00"}, "cards": []}
    round.write_text(json.dumps({"chapter": "ours", "dealer": [], "seats": [seat]}), "utf-8")
    with chapters_from(tmp_path):
        for command in (("settle", str(round)), ("play", "ours", "--auto", "--rounds", "1")):
            assert "ours has the wager main_bet" in refused(*command)
        assert run("clauses", "ours", "--check", "--json") == 1


def test_what_a_game_needs_and_a_chapter_lacks_is_named(tmp_path: Path) -> None:
    """A fact and the row of a paytable that only this game asks for."""
    folder = copied(MD, tmp_path, "ours")
    round = tmp_path / "round.json"
    example = json.loads((EXAMPLES / f"{MD}.json").read_text("utf-8"))
    round.write_text(json.dumps({**example, "chapter": "ours"}), "utf-8")

    def line(part: str, change: Callable[[dict[str, Any]], Any]) -> str:
        path = folder / part
        kept = path.read_text("utf-8")
        edit(path, change)
        with chapters_from(tmp_path):
            said = refused("settle", str(round))
        path.write_text(kept, "utf-8")
        return said

    assert "the game needs a fact qualifies_with" in line(
        "chapter.toml", lambda data: data["facts"].pop("qualifies_with")
    )
    assert "has no row win" in line(
        "paytables.toml", lambda data: [t["rows"][0].update(hand="wins") for t in data["paytable"]]
    )


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
@pytest.mark.parametrize("name", ["play", "audit trouble-table", "packet"])
def test_a_table_may_be_small(id: str, name: str, tmp_path: Path) -> None:
    """No command expects players on a third or fourth seat."""
    folder = copied(id, tmp_path / "chapters", f"our-{id}")
    edit(folder / "chapter.toml", lambda data: data["facts"]["seats"].update(value=1))
    with chapters_from(tmp_path / "chapters"):
        assert run(*CALLS[name](f"our-{id}", tmp_path)) == 0


def test_a_sheet_without_figures_says_so_little(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A family that knows nothing of a wager has no entry for it."""
    folder = copied(SAIGON, tmp_path, "ours")
    edit(
        folder / "chapter.toml",
        lambda data: [wager.update(settled_on="the_weather") for wager in data["wagers"]],
    )
    with chapters_from(tmp_path):
        assert run("par", "ours") == 0
    assert "--wager" not in capsys.readouterr().out


@pytest.mark.parametrize("id", CHAPTERS)
def test_a_layout_without_a_place_for_the_dealer_is_drawn(id: str, tmp_path: Path) -> None:
    """A game may have no dealer's hand, and so no area for it."""
    ours = f"our-{id}"
    folder = copied(id, tmp_path / "chapters", ours)
    edit(
        folder / "chapter.toml",
        lambda data: data.update(areas=[one for one in data["areas"] if one["at"] == "position"]),
    )
    with chapters_from(tmp_path / "chapters"):
        given = ("--round", round_file(ours, tmp_path))
        assert run("draw", ours, *given, "--out", str(tmp_path / "felt.svg")) == 0
