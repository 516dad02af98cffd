"""At no width is an id, a clause or a number cut: columns move, shrink and stack instead."""

from __future__ import annotations

import io
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import run, run_apart
from cyclopts import App
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from houseway.cli import build, main
from houseway.cli.terminal.table_layout import table_lines

ROOT = Path(__file__).parents[2]
WIDTHS = (80, 100, 160)
#: rules of tables and frames of help
_RULE = re.compile(r"^[─╭╮╰╯│]+$")


def _leaves(app: App, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The commands that do something, below those that only have others."""
    names = [name for name in app if not name.startswith("-")]
    for name in names:
        yield from _leaves(app[name], (*path, name))
    if not names:
        yield path


LEAVES = tuple(_leaves(build()))

#: commands that need no record
COMMANDS = (
    ("chapters",),
    ("clauses",),
    ("clauses", "md-three-card-poker"),
    ("clauses", "pa-down-under-blackjack", "685a.7(n)"),
    ("errata",),
    ("settle", "examples/md-three-card-poker.json"),
    ("settle", "examples/pa-down-under-blackjack.json"),
    ("options", "md-three-card-poker"),
    ("options", "pa-saigon-5-card"),
    ("par", "pa-saigon-5-card"),
    ("par", "pa-three-card-prime"),
    ("par", "md-three-card-poker"),
    ("strategy", "md-three-card-poker"),
    ("reconcile", "pa-saigon-5-card"),
    ("schema",),
    ("diff", "examples/submissions/prime.toml", "examples/submissions/prime-later.toml"),
    ("check", "examples/submissions/prime.toml"),
    ("strategy", "pa-saigon-5-card"),
    ("simulate", "pa-saigon-5-card", "--rounds", "1000", "--seed", "1"),
    ("simulate", "pa-saigon-5-card", "--sessions", "50", "--seed", "1"),
    ("simulate", "pa-saigon-5-card", "--days", "5", "--tables", "2", "--seed", "1"),
    ("rng-test", "--shuffles", "20000", "--words", "262144", "--source", "seeded"),
    ("doctor", "--port", "0"),
    ("audit", "trouble-table", "pa-saigon-5-card", "--dealing", "hand", "--shuffler", "plain"),
)  # fmt: skip

#: commands that look at a record
RECORDED = (
    ("audit", "verify"), ("audit", "verify-deal", "yesterday.1.2"), ("audit", "rounds"),
    ("audit", "replay", "yesterday.1.1"), ("audit", "report"), ("audit", "irregularities"),
    ("audit", "validations"), ("audit", "devices"), ("audit", "decks"), ("audit", "meters"),
    ("audit", "keys"), ("audit", "facility"), ("submissions",), ("progressive", "list"),
    ("progressive", "history", "--table", "yesterday"), ("progressive", "history", "harbor"),
    ("progressive", "reconcile"), ("people", "list"), ("doctor", "--port", "0"),
)  # fmt: skip
#: commands that write files or change a record, each in a fresh copy of a folder with a record
WRITING = (
    ("demo", "--rounds", "2", "--database", "new.db"),
    ("draw", "md", "--out", "md.svg"),
    ("new", "prime", "--out", "new.toml"),
    ("packet", "prime.toml", "--out", "packet", "--only", "letter"),
    ("par", "pa-three-card-prime", "--xlsx", "par.xlsx"),
    ("audit", "anchor", "--key", "key.pem", "--out", "anchor.json"),
    ("audit", "accept", "--who", "anne", "--reason", "a backup was restored"),
    ("audit", "export", "--out", "all"),
    ("audit", "export", "--round", "yesterday.1.1", "--out", "bundle"),
    ("audit", "history", "--out", "history.jsonl"),
    ("audit", "check", "paid.jsonl"),
    ("audit", "archive"), ("audit", "retention", "--live-days", "30"),
    ("audit", "backup", "copy.db"),
    ("audit", "restore", "backup.db", "--database", "restored.db"),
    ("progressive", "open", "bay", "--rules", "rules.toml", "--by", "anne"),
    ("progressive", "join", "harbor", "t-9", "--rules", "rules.toml", "--by", "anne"),
    ("progressive", "leave", "harbor", "t-8", "--by", "anne"),
    ("progressive", "adjust", "harbor", "progressive", "--amount", "12.50", "--by", "anne",
     "--second", "bea", "--reason", "the display was read wrongly"),
    ("progressive", "shut-down", "cove", "--by", "anne", "--second", "bea", "--reason", "moved"),
    ("progressive", "take-over", "harbor", "--from-link", "closed", "--by", "anne", "--second",
     "bea", "--reason", "the bank of tables was moved to the other side of the floor"),
    ("people", "add", "cleo", "--roles", "dealer", "--roles", "surveillance"),
    ("people", "password", "anne"),
    ("submissions", "draft", "prime.toml", "--by", "anne"),
)  # fmt: skip
#: commands that ask: what is typed
ASKING = (
    (("play", "md", "--seed", "3"), "help\npays\nante 10 prog 1\nadvice\nplay\nquit\n"),
    (("play", "down-under", "--seed", "5"), "help\n10\nadvice\ndecline\nadvice\nstand\nquit\n"),
    (("play", "saigon", "--seed", "5"), "10 \nadvice\nbest\nquit\n"),
)  # fmt: skip
#: commands whose lines have a form of their own: addresses, JSON Lines or a script for a shell
OWN_LINES = {("serve",), ("drive",), ("completion",)}


def test_every_command_is_looked_at() -> None:
    calls = (*COMMANDS, *RECORDED, *WRITING, *(call for call, _ in ASKING))
    looked_at = {path for path in LEAVES for call in calls if call[: len(path)] == path}
    assert looked_at | OWN_LINES == set(LEAVES)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A record with rounds, a link and a person."""
    folder = tmp_path_factory.mktemp("widths")
    file, rules = str(folder / "house.db"), folder / "rules.toml"
    rules.write_text(
        'chapter = "md-three-card-poker"\n[rules]\nprogressive = "A"\n'
        '[meters.progressive]\nrate = "14%"\nseed = "5000.00"\nreset = "1000.00"\n',
        encoding="utf-8",
    )
    name = "anne-marie-of-the-harbor"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOUSEWAY_PASSWORD", "a long password for a test")
        for call in (
            ("demo", "--rounds", "4"),
            ("people", "add", name, "--roles", "dealer", "--roles", "floorperson"),
            ("progressive", "open", "harbor", "--rules", rules, "--by", name),
        ):
            done = run(*call, "--database", file)
            assert done.returncode == 0, done.stderr
    return file


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("arguments", RECORDED, ids=" ".join)
def test_nothing_of_a_record_is_cut_and_lines_fit(
    arguments: tuple[str, ...],
    width: int,
    house: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert_fits((*arguments, "--database", house), width, monkeypatch, capsys)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a record, links in every state, and the files that commands read."""
    folder = tmp_path_factory.mktemp("writing")
    rules = (
        'chapter = "md-three-card-poker"\n[rules]\nprogressive = "A"\n'
        '[meters.progressive]\nrate = "14%"\nseed = "5000.00"\nreset = "1000.00"\n'
    )
    (folder / "rules.toml").write_text(rules, encoding="utf-8")
    signed = ("--by", "anne", "--second", "bea", "--reason", "moved")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in ("HOUSEWAY_PASSWORD", "HOUSEWAY_SECOND_PASSWORD"):
            patch.setenv(name, "a long password for a test")
        for call in (
            ("demo", "--rounds", "2"),
            ("people", "add", "anne", "--roles", "dealer", "--roles", "floorperson"),
            ("people", "add", "bea", "--roles", "floorperson"),
            *(
                ("progressive", "open", link, "--rules", "rules.toml", "--by", "anne")
                for link in ("harbor", "cove", "closed")
            ),
            ("progressive", "join", "harbor", "t-8", "--rules", "rules.toml", "--by", "anne"),
            ("progressive", "shut-down", "closed", *signed),
            ("audit", "backup", "backup.db"),
            ("audit", "anchor", "--key", "key.pem", "--new-key", "--out", "first.json"),
            ("audit", "history", "--out", "paid.jsonl"),
        ):
            done = run(*call, "--database", "house.db")
            assert done.returncode == 0, (call, done.stderr)
    shutil.copy(ROOT / "examples" / "submissions" / "prime.toml", folder)
    # payouts of five dollars, paid as six
    paid = (folder / "paid.jsonl").read_text(encoding="utf-8")
    (folder / "paid.jsonl").write_text(paid.replace('"5.00"}', '"6.00"}'), encoding="utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("arguments", WRITING, ids=" ".join)
def test_commands_that_write_cut_nothing(
    arguments: tuple[str, ...],
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    takes_a_record = arguments[0] in ("audit", "progressive", "people", "submissions")
    if takes_a_record and "--database" not in arguments and arguments[1] != "check":
        arguments = (*arguments, "--database", "house.db")
    for name in ("HOUSEWAY_PASSWORD", "HOUSEWAY_SECOND_PASSWORD"):
        monkeypatch.setenv(name, "a long password for a test")
    shown = {}
    for columns in (400, *WIDTHS):
        copy = tmp_path / str(columns)
        shutil.copytree(folder, copy)
        monkeypatch.chdir(copy)
        shown[columns] = printed(arguments, columns, monkeypatch, capsys)
    assert shown[400].strip()
    for width in WIDTHS:
        assert_nothing_cut(shown[width], shown[400])
        assert_lines_fit(shown[width], width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("arguments", "typed"), ASKING, ids=lambda one: "-".join(one[:2]))
def test_a_game_at_the_terminal_fits(
    arguments: tuple[str, ...],
    typed: str,
    width: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = []
    for columns in (400, width):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        shown.append(printed(arguments, columns, monkeypatch, capsys))
    wide, narrow = shown
    assert "You leave with" in narrow
    assert not words(wide) - words(narrow)
    assert_lines_fit(narrow, width)


@pytest.mark.slow
def test_a_pipe_is_as_wide_as_columns_says() -> None:
    """Piped through a process of its own, and without any terminal."""
    for width in (80, 160):
        done = run_apart("clauses", "md", environment={"COLUMNS": str(width)})
        longest = max(map(len, done.stdout.splitlines()))
        assert width - 20 < longest <= width


#: what a command prints where there is room, by its arguments
_WIDE: dict[tuple[str, ...], str] = {}


def printed(
    arguments: tuple[str, ...],
    width: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> str:
    monkeypatch.setenv("COLUMNS", str(width))
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    shown = capsys.readouterr()
    assert stopped.value.code in (0, 1), shown.err
    return shown.out


def words(text: str) -> Counter[str]:
    # when it was, and how long it took
    text = re.sub(r"in [\d.]+ s, [\d.,]+ million a second|\dT[\d:.]+Z", "", text)
    return Counter(word for word in text.split() if not _RULE.match(word))


def assert_nothing_cut(narrow: str, wide: str) -> None:
    # prose below its row has no heading
    without_headings = re.sub(r"^.*\n *─+$", "", wide, flags=re.MULTILINE)
    missing = words(without_headings) - words(narrow)
    assert not missing, missing


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_nothing_is_cut_and_lines_fit(
    arguments: tuple[str, ...],
    width: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert_fits(arguments, width, monkeypatch, capsys)


def assert_fits(
    arguments: tuple[str, ...],
    width: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if arguments not in _WIDE:
        _WIDE[arguments] = printed(arguments, 400, monkeypatch, capsys)
    narrow = printed(arguments, width, monkeypatch, capsys)
    assert_nothing_cut(narrow, _WIDE[arguments])
    assert_lines_fit(narrow, width)


def assert_lines_fit(narrow: str, width: int) -> None:
    # a path is longer than some lines, and is never broken
    too_long = [line for line in narrow.splitlines() if len(line) > width and len(line.split()) > 2]
    assert not too_long


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["--help", "audit --help", "simulate --help", "people add --help"]
)
def test_help_fits(command: str) -> None:
    for width in (80, 100):
        shown = run_apart(*command.split(), environment={"COLUMNS": str(width)}).stdout
        assert 40 < max(map(len, shown.splitlines())) <= width


_cell = st.text("ab1. ", max_size=30).map(lambda text: " ".join(text.split()))


@given(
    names=st.lists(st.sampled_from(("id", ">edge", "~what it says", "", "> of risk")), min_size=1, max_size=7),
    data=st.data(),
    width=st.integers(10, 200),
)  # fmt: skip
def test_a_table_of_any_width_holds_every_word_of_every_cell(
    names: list[str], data: st.DataObject, width: int
) -> None:
    rows = data.draw(st.lists(st.tuples(*(_cell for _ in names)) | st.none(), max_size=6))
    out = Console(width=width, color_system=None)
    lines = [line.plain for line in table_lines(names, rows, out)]
    given_words = words(" ".join(cell for row in rows if row for cell in row))
    assert not given_words - words(" ".join(lines))
    longest = max(map(len, given_words), default=0)
    narrowest = max(24, longest + 4 + max(len(name) for name in names))
    assert all(len(line) <= max(width, narrowest) or _is_atomic(line) for line in lines), lines


def _is_atomic(line: str) -> bool:
    """A number of several words is never broken, even where it alone is wider than the console."""
    return len(line) <= 30 + 4 + len("what it says")
