"""What people type first: aliases, beginnings, wrong names, missing arguments, short options."""

from __future__ import annotations

import io
import json
import os
import pty
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from commands import answer, run

from houseway.errors import Refused
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter, cites
from houseway.law.library import find_chapter

ROOT = Path(__file__).parents[2]
PRIME_FILE = str(ROOT / "examples" / "submissions" / "prime.toml")


@pytest.mark.parametrize(
    ("typed", "id"),
    [
        ("md", MD), ("ma", MA), ("prime", PRIME), ("saigon", SAIGON), ("down-under", DOWN_UNDER),
        ("down", DOWN_UNDER), ("pa-s", SAIGON), ("md-three", MD), ("MD", MD), (" Down Under ", DOWN_UNDER), ("maryland", MD),
        ("Massachusetts", MA), ("679a", PRIME), ("Three Card Prime", PRIME), ("680a", SAIGON), ("685a", DOWN_UNDER), *((id, id) for id in CHAPTERS),
    ],
)  # fmt: skip
def test_a_chapter_is_known_by_id_alias_and_unique_beginning(typed: str, id: str) -> None:
    assert find_chapter(typed) == id


@pytest.mark.parametrize(
    ("typed", "code", "says"),
    [
        ("pa", "ambiguous_chapter", f"could be {DOWN_UNDER} or {SAIGON} or {PRIME}"),
        ("m", "ambiguous_chapter", f"could be {MA} or {MD}"),
        ("pa-tree-card-prime", "no_such_chapter", f"did you mean {PRIME}"),
        ("siagon", "no_such_chapter", f"did you mean {SAIGON}"),
        ("", "no_such_chapter", "there are md-three-card-poker .md., "),
        ("zz", "no_such_chapter", "pa-down-under-blackjack .down-under"),
        ("poker", "no_such_chapter", f"did you mean {MA} or {MD}"),
        ("three-card", "no_such_chapter", f"did you mean {MA} or {MD} or {PRIME}"),
    ],
)
def test_what_is_no_chapter_is_refused_with_those_that_are_near(
    typed: str, code: str, says: str
) -> None:
    with pytest.raises(Refused, match=says) as refused:
        find_chapter(typed)
    assert refused.value.code == code


def test_an_alias_decides_nothing_about_an_edition_and_files_have_the_whole_id() -> None:
    assert answer("par", "saigon")["chapter"] == SAIGON
    assert f'chapter = "{PRIME}"' in run("new", "prime").stdout
    with pytest.raises(Refused, match="no chapter"):
        chapter("md")


def test_a_rules_file_names_the_chapter() -> None:
    assert answer("par", "--rules", PRIME_FILE)["chapter"] == PRIME
    assert answer("strategy", f"--rules={PRIME_FILE}")["chapter"] == PRIME
    assert answer("play", "--rules", PRIME_FILE, "--seed", "1")["chapter"] == PRIME


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("par",), "houseway: par needs CHAPTER"),
        (("packet", PRIME_FILE), "houseway: packet needs --out"),
        (("packet", PRIME_FILE, "--out"), "houseway: packet --out needs a value after it"),
        (("serve", "--no-demoo"), "Did you mean --no-demo?"),
        (("settel",), "Did you mean"),
        (("schema", "ruond"), "did you mean round"),
        (("serve", "--port", "99999"), "--port"),
        (("doctor", "--port", "-1"), "--port"),
        (("serve", "--port", "abc"), "is not a whole number"),
        (("audit", "verify", "somewhere"), "audit verify: unexpected argument somewhere"),
    ],
)
def test_what_a_call_lacks_is_said_in_one_line(given: tuple[str, ...], says: str) -> None:
    done = run(*given)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("par md --wager antee", "did you mean ante_play? choose from ante_play, pair_plus"),
        ("draw md --theme gren --out x.svg", "did you mean green? choose from green, blue"),
        ("draw md --sign payout --out x.svg", "did you mean payouts?"),
        ("rng-test --source sytem", "did you mean system?"),
        ("simulate md --rounds 10 --strategy optimla", "did you mean optimal?"),
        ("simulate md --rounds 1x", "'1x' is not a number of rounds; write 500000 or 20M"),
        ("schema evnt", "did you mean event?"),
        ("play md --chips abc", "chips: 'abc' is not an amount"),
        ("play md --rounds 0", "rounds must be at least 1"),
        ("par md --stake x", "stake: 'x' is not an amount"),
        ("clauses md 12.E5", "did you mean 12.E"),
        ("strategy md --stakes pair=1", "did you mean pair_plus?"),
        ("--versoin", "Did you mean --version?"),
        ("serve --no-dem", "Did you mean --no-demo?"),
        ("audit rounds --database none.db", "or make one with houseway demo"),
        ("people add bob --roles deler --database none.db", "there is no role deler"),
        ("simulate md 1000", "unexpected argument 1000; did you mean --rounds 1000?"),
        ("play three card poker", f"did you mean {MA} or {MD}?"),
        ("par three card prime", f"did you mean {PRIME}?"),
        ("paar md", 'Did you mean "par"? (see houseway --help)'),
        ("info", "did you mean houseway chapters?"),
        ("version", "Did you mean --version?"),
        ("-v", "did you mean houseway --version?"),
        ("zzzz", 'Unknown command "zzzz" (see houseway --help)'),
        ("audit verify a.db", "did you mean --database a.db?"),
        ("par md --csv a.csv", "--csv writes to standard output: put > before the file"),
        ("check prime", "prime is a chapter: make a file with houseway new prime -o prime.toml"),
        ("diff prime md", "prime is a chapter: make a file with"),
        ("par --rules md", "md is a chapter: make a file with houseway new md -o md.toml"),
        (f"settle {PRIME_FILE}", "rounds are JSON Lines, JSON, CSV or Parquet, not TOML"),
        ("par rules.toml", "a rules file is given with --rules rules.toml"),
        ("settle none.json", "there is no file none.json"),
        ("settle .", ". is a folder, not a file"),
        ("settle notes.json", "notes.json: not valid JSON"),
        ("new md -o none/x.toml", "there is no folder none"),
        (f"packet {PRIME_FILE} -o notes.json", "notes.json is a file, not a folder"),
        (
            f"simulate {PRIME_FILE}",
            f"is a rules file, not a floor file; write --rules {PRIME_FILE}",
        ),
        ("audit verify --database .", "there is no record at ., which is a folder"),
    ],
)
def test_a_wrong_name_is_answered_with_what_is_near(
    given: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.json").write_text("a note")
    done = run(*given.split())
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert says in done.stderr


@pytest.mark.parametrize(
    "given", ["play prime --seed 1 --rounds 1 --auto", "errata prime", "doctor"]
)
def test_a_terminal_without_unicode_gets_characters_that_look_alike(
    given: str, tmp_path: Path
) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "HOME": str(tmp_path)}
    command = [sys.executable, "-m", "houseway", *given.split()]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()


def test_json_is_utf_8_in_every_terminal() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "houseway", "errata", "prime", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert json.loads(done.stdout) == answer("errata", "prime")


def test_help_that_is_cut_off_is_no_error() -> None:
    command = f"{sys.executable} -m houseway help | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("games", "chapters"), ("edge", "par"), ("rules", "options"), ("web", "serve"),
     ("verify", "audit verify"), ("replay", "audit replay")],
)  # fmt: skip
def test_another_name_for_a_command_is_answered_with_its_own(typed: str, meant: str) -> None:
    done = run(typed, "md")
    assert done.returncode == 2
    assert done.stderr.endswith(f"did you mean houseway {meant}?\n")


@pytest.mark.parametrize("option", ["--format", "--out", "--n"])
def test_an_option_that_is_like_no_other_is_answered_with_the_help(option: str) -> None:
    done = run("par", "md", option, "x")
    assert (done.returncode, "Did you mean" in done.stderr) == (2, False)
    assert done.stderr.endswith("(see houseway par --help)\n")


def test_one_paytable_of_a_sheet_can_be_asked_for() -> None:
    found = answer("par", "prime", "--table", "b")["wagers"]
    assert {entry["paytable"] for entry in found} == {"B"}
    assert {entry["wager"] for entry in found} == {"ante_play", "pair_bonus", "all_six"}
    wrong = run("par", "prime", "--paytable", "Z")
    assert (wrong.returncode, "choose from A, B" in wrong.stderr) == (2, True)


def test_a_clause_is_found_without_the_number_of_its_chapter() -> None:
    assert run("clauses", "prime", "12(c)").stdout.startswith("679a.12(c)")
    assert run("clauses", "prime", "12").stdout.startswith("679a.12(a)")
    assert run("clauses", "prime", "99").returncode == 2


def test_a_paytable_that_the_chapter_forbids_can_be_simulated() -> None:
    """`par` computes it, so `simulate` plays it; a table is not opened with it."""
    rules = str(ROOT / "examples" / "rules" / "generous-pair-plus.toml")
    done = run("simulate", "--rules", rules, "--rounds", "1000", "--cores", "1")
    assert (done.returncode, "Pair Plus" in done.stdout) == (0, True), done.stderr
    assert "[12.D]" in run("play", "--rules", rules, "--auto", "--rounds", "1").stderr


@pytest.mark.parametrize(
    ("round", "says"),
    [
        ({"chapter": "prime", "dealer": "As Kd 2c", "seats": []}, f"did you mean {PRIME}?"),
        ({"chapter": PRIME, "dealer": "As Kd 2c", "seat": []}, "did you mean `seats`?"),
    ],
)
def test_a_round_with_a_name_that_is_nearly_right(round: dict, says: str, tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(round))
    done = run("settle", file)
    assert (done.returncode, says in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize("command", ["par", "serve", "simulate", "draw", "audit export"])
def test_help_has_no_defaults_that_say_nothing(command: str) -> None:
    shown = run(*command.split(), "--help").stdout
    assert "[default: " in shown or command == "par"
    for nothing in ("False", '""', "()", "None", "True", "('"):
        assert f"[default: {nothing}" not in " ".join(shown.split())


def test_a_wager_goes_by_its_name_or_its_id() -> None:
    by_id = answer("par", "md", "--wager", "pair_plus")
    assert answer("par", "md", "--wager", "Pair Plus") == by_id
    both = answer("par", "md", "--wager", "ante_play")
    assert answer("par", "md", "--wager", "ante and play") == both
    assert answer("par", "md", "--wager", "Ante") == both


def test_a_reader_that_leaves_early_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "houseway", "chapters"], stdout=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        running.stdout.close()
        assert running.wait(60) == 0


def test_a_file_that_was_asked_for_is_named_and_one_that_is_there_stays(tmp_path: Path) -> None:
    file = tmp_path / "prime.toml"
    done = run("new", "prime", "-o", file)
    assert done.stdout == f"{file}: written. Edit it, then run: houseway check {file}\n"
    again = run("new", "saigon", "-o", file)
    assert (again.returncode, "exists already" in again.stderr) == (2, True)
    assert PRIME in file.read_text(encoding="utf-8")
    done = run("par", "prime", "--xlsx", tmp_path / "prime.xlsx")
    assert done.stdout.startswith(f"{tmp_path / 'prime.xlsx'}: ")


def _typed(*arguments: str, stdin: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
    return run("play", *arguments).stdout


def test_play_shows_what_each_wager_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = _typed("md", stdin="help\n", monkeypatch=monkeypatch)
    assert "Ante $5 to $500, Pair Plus $5 to $200, Six Card Bonus from $0.50" in shown
    assert "Three-Card Progressive $1 or $5" in " ".join(shown.split())
    shown = _typed("down-under", stdin="help\n", monkeypatch=monkeypatch)
    assert "for example: bet 10 match-the-dealer 5" in shown


def test_without_its_library_advice_says_so_and_the_round_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(*_: object) -> None:
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")

    monkeypatch.setattr("houseway.cli.table.play.advise", missing)
    shown = _typed("md", stdin="ante 10\nadvice\nfold\nquit\n", monkeypatch=monkeypatch)
    assert "install houseway[maths]" in shown
    assert "You leave with $490." in shown


@cites(DOWN_UNDER, "685a.8(a)", "685a.8(b)")
def test_advice_on_insurance_counts_the_tens_that_are_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of six decks 309 cards are unseen with an ace up and 8 Q in hand, 95 of them tens."""
    shown = _typed("down-under", "--seed", "5", stdin="10\nadvice\n", monkeypatch=monkeypatch)
    assert all(card in shown for card in ("A♠", "8♥", "Q♦"))
    worth = (Fraction(95, 309) * 2 - Fraction(214, 309)) / 2
    assert "best decline insurance          0.000000 bets" in shown
    assert f"     insure {float(worth):>28.6f} bets" in shown


def test_help_is_a_word_too() -> None:
    assert run("help").stdout == run("--help").stdout
    assert run("help", "settle").stdout == run("settle", "--help").stdout


def test_an_unforeseen_error_is_one_line_with_its_traceback_in_a_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> None:
        raise OverflowError("too much")

    monkeypatch.setattr("houseway.cli.law.chapters", fails)
    done = run("chapters")
    assert (done.returncode, done.stdout) == (70, "")
    assert done.stderr.count("\n") == 1
    assert "OverflowError: too much" in done.stderr
    log = Path(done.stderr.split()[-1])
    assert "in fails" in log.read_text(encoding="utf-8")
    log.unlink()


def test_short_options(tmp_path: Path) -> None:
    assert run("-V").stdout == run("--version").stdout
    out = tmp_path / "prime.toml"
    assert run("new", "prime", "-o", out).returncode == 0
    assert run("check", out).returncode == 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_names_every_command(shell: str) -> None:
    script = run("completion", shell).stdout
    assert all(name in script for name in ("settle", "doctor", "audit"))


#: what a shell is asked to complete, with the script in the file "$0"
_COMPLETE = {
    "bash": """source "$0"; COMP_WORDS=(houseway par pa-s); COMP_CWORD=2
        _houseway houseway pa-s par; echo "${COMPREPLY[@]}\"""",
    "fish": """source $argv[1]; complete -C "houseway par pa-s\"""",
}


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_a_shell_completes_a_chapter(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_text(run("completion", shell).stdout, encoding="utf-8")
    done = subprocess.run(
        [shell, "-c", _COMPLETE[shell], script],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("pa-saigon-5-card\n", "")


def test_zsh_is_given_the_chapters() -> None:
    assert run("completion", "zsh").stdout.count("pa-saigon-5-card") > 3


def test_doctor_finds_what_is_there_and_what_is_not(tmp_path: Path) -> None:
    found = {one["check"]: one for one in answer("doctor", "--port", "0")["checks"]}
    assert found["python"]["ok"]
    assert MD in found["chapters"]["says"]
    assert found["extra web"]["says"] == "installed"
    broken = tmp_path / "broken.db"
    broken.write_text("this is not a record", encoding="utf-8")
    done = run("doctor", "--port", "0", "--database", broken, "--json")
    assert done.returncode == 1
    assert [one["check"] for one in json.loads(done.stdout)["checks"] if not one["ok"]] == [
        "record"
    ]


def test_a_chapter_that_is_missing_is_asked_for_at_a_terminal() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "houseway", "options"],
        stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "dumb"},
    )  # fmt: skip
    os.close(theirs)
    os.write(ours, b"pa\nsaigon\n")
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert process.wait(60) == 0
    assert b"Which chapter?" in shown
    assert b"could be" in shown
    assert b"680a.12(d)" in shown
