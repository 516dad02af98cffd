"""Input that is wrong, hostile or endless: one sentence, exit status 2, the rest is answered."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from houseway import Refused, choose
from houseway.cli import main
from houseway.errors import printable
from houseway.game_api.round_json import shape
from houseway.law import DOWN_UNDER, MD, cites
from houseway.store import open_log
from houseway.table import read_command
from houseway.untrusted import DEEPEST, LONGEST, check_json, is_rewritable, parse_toml

ROUND = {
    "chapter": MD,
    "dealer": ["Ts", "7d", "2c"],
    "seats": [
        {"seat": 1, "wagers": {"ante": "5.00"}, "cards": ["As", "Kd", "Qs"], "decision": "play"}
    ],
}
GOOD = json.dumps(ROUND).encode()
BLACKJACK: dict[str, Any] = {
    "chapter": DOWN_UNDER,
    "dealer": ["Ts", "7d"],
    "seats": [{"seat": 1, "wagers": {"bet": "10.00"}, "hands": [{"cards": ["5s", "6d", "9c"]}]}],
}


class _Stdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)

    def isatty(self) -> bool:
        return False


class _Run:
    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
    ) -> None:
        self._patch, self._out = monkeypatch, capfdbinary

    def __call__(self, *arguments: str, stdin: bytes = b"") -> tuple[int, bytes, bytes]:
        self._patch.setattr(sys, "stdin", _Stdin(stdin))
        with pytest.raises(SystemExit) as ended:
            main([*arguments])
        sys.stdout.flush()
        out, err = self._out.readouterr()
        assert isinstance(ended.value.code, int)
        assert b"Traceback" not in err
        return ended.value.code, out, err


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> _Run:
    return _Run(monkeypatch, capfdbinary)


WRONG = {
    "not UTF-8": b'{"chapter": "\xff"}',
    "nested objects": b'{"rules":' * 5000 + b"1" + b"}" * 5000,
    "nested lists": b'{"rules":' + b"[" * 5000 + b"]" * 5000 + b"}",
    "a name twice": GOOD.replace(b'"chapter"', b'"chapter": "x", "chapter"'),
    "a name twice, escaped": GOOD.replace(b'"chapter"', b'"chap\\u0074er": "x", "chapter"'),
    "a name twice in a seat": GOOD.replace(b'"ante"', b'"ante": "1.00", "ante"'),
    "a name twice, the second as if it were not there": GOOD.replace(
        b'"decision"', b'"player": "x", "player": "", "decision"'
    ),
    "a name twice in the rules": GOOD.replace(
        b'"dealer"', b'"rules": {"electronic": false, "electronic": false}, "dealer"'
    ),
    "not UTF-8 in the rules": GOOD.replace(b'"dealer"', b'"rules": {"\xff": 1}, "dealer"'),
    "a name twice behind a colon in a text": GOOD.replace(
        b'"chapter"', b'"chapter": "\\u003a\\u003a", "chapter"'
    ),
    "too long": b'{"chapter": "' + b"x" * (LONGEST + 10) + b'"}',
    "a number without end": b'{"seats": ' + b"1" * 20000 + b"}",
    "a number out of range": b'{"seats": 1e999}',
    "half a surrogate": b'{"chapter": "\\ud800"}',
    "a byte order mark": b"\xef\xbb\xbf" + GOOD,
    "broken off": GOOD[:-5] + b"}",
    "a list": b"[" + GOOD + b"]",
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_wrong_line_is_answered_in_its_place_and_the_others_are_settled(
    run: _Run, wrong: bytes
) -> None:
    for lines in ([wrong, GOOD], [GOOD, wrong, GOOD], [b"", wrong, b" ", GOOD]):
        status, out, err = run("settle", stdin=b"\n".join(lines) + b"\n")
        answers = [json.loads(line) for line in out.splitlines()]
        assert (status, err) == (2, b"")
        assert len(answers) == sum(bool(line.strip()) for line in lines)
        for answer, (number, line) in zip(
            answers, ((n, one) for n, one in enumerate(lines, 1) if one.strip()), strict=True
        ):
            assert ("error" in answer) == (line == wrong)
            if line == wrong:
                assert answer["error"]["line"] == number
                assert len(answer["error"]["message"]) < 1000


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_wrong_round_alone_is_one_sentence(run: _Run, wrong: bytes) -> None:
    status, out, err = run("settle", stdin=wrong)
    assert (status, out) == (2, b"")
    assert err.startswith(b"houseway: ")
    assert err.count(b"\n") == 1
    assert len(err) < 1200


def test_a_round_over_several_lines_is_still_one_round(run: _Run) -> None:
    for indent in (1, 4):
        status, out, err = run("settle", "--json", stdin=json.dumps(ROUND, indent=indent).encode())
        assert (status, err) == (0, b"")
        assert json.loads(out)["chapter"] == MD
    seat = json.dumps(ROUND["seats"]).strip("[]")
    text = f'{{"chapter": "{MD}", "dealer": ["Ts", "7d", "2c"], "seats": [\n{seat}\n]}}'
    assert run("settle", "--json", stdin=text.encode())[0] == 0


def test_an_endless_line_does_not_fill_the_memory(run: _Run) -> None:
    status, out, _ = run("settle", stdin=GOOD + b"\n" + b"[" * (5 * LONGEST) + b"\n" + GOOD)
    assert status == 2
    assert ["error" in json.loads(line) for line in out.splitlines()] == [False, True, False]


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_wrong_command_is_answered_and_the_table_goes_on(
    run: _Run, wrong: bytes, tmp_path: Path
) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text(f'chapter = "{MD}"\n')
    status, out, err = run("drive", "--rules", str(rules), stdin=wrong + b"\nnope\n")
    answers = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (2, b"")
    assert [one["refused"]["line"] for one in answers if "refused" in one] == [1, 2]


def test_a_command_with_a_name_twice_is_refused() -> None:
    text = b'{"command": "sit_down", "seat": 1, "seat": 2, "role": "player", "at": ""}'
    with pytest.raises(Refused, match=r"seat.*twice"):
        read_command(text)


def test_a_record_of_events_says_which_line_is_wrong(run: _Run, tmp_path: Path) -> None:
    rules, record = tmp_path / "rules.toml", tmp_path / "events.jsonl"
    rules.write_text(f'chapter = "{MD}"\n')
    record.write_bytes(b'\n{"event": "\xff"}\n')
    status, _, err = run("drive", "--rules", str(rules), "--record", str(record))
    assert status == 2
    assert b"line 2" in err


@pytest.mark.parametrize("name", ["rules.toml", "rules.json"])
@pytest.mark.parametrize("command", ["par", "check", "simulate", "drive"])
def test_a_rules_file_that_cannot_be_read_is_one_sentence(
    run: _Run, tmp_path: Path, name: str, command: str
) -> None:
    path = tmp_path / name
    texts = [b"\xff", b"[" * 100_000, b"a=" + b"[" * 5000, b'{"a":1,"a":2}', b"a=1\na=2",
             b"x" * (LONGEST + 1), b"a=" + b"9" * 10_000, b"\x00", b"", b"a = 2020-99-99"]  # fmt: skip
    for text in texts:
        path.write_bytes(text)
        how = {
            "par": ("par", MD, "--rules", str(path)),
            "simulate": ("simulate", MD, "--rounds", "1", "--rules", str(path)),
            "drive": ("drive", "--rules", str(path)),
            "check": ("check", str(path)),
        }[command]
        status, _, err = run(*how)
        assert status in ((1, 2) if command == "check" else (2,)), text[:20]
        assert err.count(b"\n") <= 1
        assert len(err) < 1200


def test_control_characters_never_reach_the_terminal_and_echoes_are_short(
    run: _Run, tmp_path: Path
) -> None:
    evil = "\x1b[2J\x9b31m\u202e\u2028"
    path = tmp_path / "rules.json"
    path.write_text(json.dumps({"chapter": MD, "rules": {evil: evil, "y" * 50_000: 1}}))
    for how in (("check", str(path)), ("par", MD, "--rules", str(path)), ("par", evil),
                (evil,), ("settle", evil), ("settle", "--" + evil)):  # fmt: skip
        status, out, err = run(*how)
        assert status in (1, 2)
        for one in ("\x1b", "\x9b", "\u202e", "\u2028"):
            assert one.encode() not in out + err, how
        assert len(out + err) < 20_000
    status, out, err = run("settle", stdin=json.dumps({**ROUND, "chapter": evil * 100}).encode())
    assert b"\x1b" not in out + err
    assert len(err) < 1200


def test_a_text_for_the_terminal_keeps_what_people_write() -> None:
    assert printable("Žofie O’Neil \u00a0 東京") == "Žofie O’Neil \u00a0 東京"
    assert printable("a\nb\x00\udc80") == r"a\nb\x00\udc80"
    assert len(printable("x" * 10_000)) <= 600


def test_a_full_disk_is_said_and_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    rounds = tmp_path / "rounds.jsonl"
    rounds.write_bytes((GOOD + b"\n") * 3000)
    command = [sys.executable, "-m", "houseway", "settle", str(rounds)]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"No space left" in done.stderr
    piped = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert piped.stdout is not None
    assert piped.stderr is not None
    piped.stdout.readline()
    piped.stdout.close()
    assert piped.stderr.read() == b""
    piped.stderr.close()
    piped.wait(20)


def test_limits_are_kept_while_reading() -> None:
    check_json(b"[" * DEEPEST + b"]" * DEEPEST, "x")
    check_json(json.dumps([{"a:b": ":", "c": {"a:b": "::"}}] * 100).encode(), "x")
    for wrong in (b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1), b"1" * (LONGEST + 1)):
        with pytest.raises(Refused):
            check_json(wrong, "x")
    with pytest.raises(Refused, match="nested"):
        parse_toml("a = " + "[" * 70 + "]" * 70, "x")
    for dotted in (".".join("a" * 70), ".".join("a" * 300_000), " . ".join(['"a"', "'b'"] * 50)):
        for text in (f"[{dotted}]", f"{dotted} = 1", f"x = {{{dotted} = 1}}"):
            with pytest.raises(Refused, match="nested"):
                parse_toml(text, "x")
    for fine in ("a" * 500_000, '"' * 500_001, "." * 500_000, "- " * 250_000, "a." * 250_000):
        with pytest.raises(Refused):
            parse_toml(fine, "x")
    assert parse_toml('x = "one. two. three."', "x")


# what would be ignored, or could never be


@cites(DOWN_UNDER, "685a.9(a)")
@pytest.mark.parametrize("doubled", [True, "0.00"])
def test_a_double_without_an_amount_is_refused(run: _Run, doubled: object) -> None:
    hand = {**BLACKJACK["seats"][0]["hands"][0], "doubled": doubled}
    wagers = {} if doubled is True else {"bet": "10.00"}
    round = {**BLACKJACK, "seats": [{"seat": 1, "wagers": wagers, "hands": [hand]}]}
    status, _, err = run("settle", stdin=json.dumps(round).encode())
    assert status == 2
    assert b"double needs an amount" in err


@cites(MD, "11.F(2)")
@pytest.mark.parametrize("doubled", [True, "0.00", "5.00"])
def test_an_electronic_hand_is_not_doubled(run: _Run, doubled: object) -> None:
    hand = {"hand": 1, "wagers": {"ante": "5.00"}, "decision": "play", "doubled": doubled}
    round = {
        "chapter": MD, "rules": {"electronic": True}, "dealer": ["Ts", "7d", "2c"],
        "community": ["2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "Js"],
        "seats": [{"seat": 1, "hands": [hand]}],
    }  # fmt: skip
    assert run("settle", stdin=json.dumps(round).encode())[0] == 2
    fine = {**hand, "doubled": False}
    round = {**round, "seats": [{"seat": 1, "hands": [fine]}]}
    assert run("settle", stdin=json.dumps(round).encode())[0] == 0


def test_a_meter_of_nothing_is_refused(run: _Run) -> None:
    seat = {"seat": 1, "wagers": {"ante": "5.00", "progressive": "1.00"},
            "cards": ["As", "Ks", "Qs"], "decision": "play"}  # fmt: skip
    for shown, status in (("0.00", 2), ("0.01", 0)):
        round = {**ROUND, "rules": {"progressive": "A"}, "meters": {"progressive": shown},
                 "seats": [seat]}  # fmt: skip
        assert run("settle", stdin=json.dumps(round).encode())[0] == status


def test_limits_and_awards_that_mean_nothing_are_refused() -> None:
    with pytest.raises(Refused, match="not offered") as refused:
        choose(MD, {"six_card_bonus": "none"}, limits={"six_card_bonus": {"min": "1.00"}})
    assert refused.value.field == "limits.six_card_bonus"
    choose(MD, {"six_card_bonus": "A"}, limits={"six_card_bonus": {"min": "1.00"}})
    with pytest.raises(Refused, match=r"more than \$0") as refused:
        choose(MD, limits={"ante": {"max": "0.00"}})
    assert refused.value.field == "limits.ante"
    for seed, reset in (("0.00", "0.00"), ("5.00", "0.00")):
        empty = {"progressive": {"rate": "0%", "seed": seed, "reset": reset}}
        with pytest.raises(Refused, match="never hold anything"):
            choose(MD, {"progressive": "A"}, meters=empty)
    for stake in ("0.00", "0.25", "7.77"):
        awards = {"royal_flush": {stake: "1000.00"}}
        with pytest.raises(Refused, match="nobody can wager"):
            choose(MD, {"five_card_progressive": "A", "five_card_envy": awards})


class WithDefaults(msgspec.Struct, forbid_unknown_fields=True):
    number: int = 0


class Around(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    inner: list[WithDefaults] = []


class Anything(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    value: Any = None


def test_a_type_is_read_once_only_if_it_is_written_as_it_came() -> None:
    """A round with the seat fields of every game is; one that writes its defaults is not."""
    assert is_rewritable(shape().round)
    for kind in (WithDefaults, Around, Anything, dict[str, Any]):
        assert not is_rewritable(kind)


@pytest.mark.parametrize("command", [("settle",), ("audit", "check")])
@pytest.mark.parametrize(
    "table",
    [b"", b"id,dealer,id\n1,2,3\n", b"id,\xff\n", b"id\n" + b"x" * 200_000, b'id\n"' + b"x,\n" * 99_999],
    ids=["empty", "a column twice", "not UTF-8", "a long field", "a quote without end"],
)  # fmt: skip
def test_a_csv_file_that_cannot_be_read_is_one_sentence(
    run: _Run, tmp_path: Path, command: tuple[str, ...], table: bytes
) -> None:
    path = tmp_path / "rounds.csv"
    path.write_bytes(table)
    status, out, err = run(*command, str(path))
    assert (status, out) == (2, b"")
    assert err.count(b"\n") == 1
    assert len(err) < 1200


@pytest.mark.parametrize("proxy", ["*", "nonsense", "10.0.0.0/99", ""])
def test_only_an_address_is_a_proxy(run: _Run, proxy: str) -> None:
    status, _, err = run("serve", "--no-demo", "--port", "0", "--proxy", proxy)
    assert status == 2
    assert b"proxy" in err


@pytest.mark.parametrize("rows", [1, 1000])
def test_a_small_parquet_file_that_unpacks_to_gigabytes_is_refused(
    run: _Run, rows: int, tmp_path: Path
) -> None:
    """A text of a megabyte, named thousands of times: in one round's list or in every round."""
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    count = 4000
    places = pa.array([0] * count, pa.int32())
    texts = pa.DictionaryArray.from_arrays(places, pa.array(["A" * 1_000_000]))
    starts = pa.array(range(0, count + 1, count // rows), pa.int32())
    seats = pa.array([[{"seat": 1}]] * rows)
    path = tmp_path / "rounds.parquet"
    table = pa.table({"dealer": pa.ListArray.from_arrays(starts, texts), "seats": seats})
    parquet.write_table(table, path, compression="zstd")
    assert path.stat().st_size < 50_000
    status, out, err = run("settle", str(path))
    assert (status, out) == (2, b"")
    assert err == b"houseway: 1000 rounds have more than 64 MiB when unpacked\n"


@pytest.mark.parametrize("command", [("settle",), ("audit", "check")])
def test_a_rules_file_that_nothing_is_read_from_is_refused(
    run: _Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "round.json").write_bytes(GOOD)
    status, out, err = run(*command, str(tmp_path / "round.json"), "--rules", "mine.toml")
    assert (status, out) == (2, b"")
    assert b"--rules is for rounds in a CSV file" in err


@pytest.mark.parametrize("what", ["directory", "endless", "binary", "nothing", "forbidden"])
def test_what_is_no_file_for_a_reader_is_one_sentence(run: _Run, tmp_path: Path, what: str) -> None:
    path = tmp_path / what
    if what == "directory":
        path.mkdir()
    elif what == "endless":
        path = Path("/dev/zero")
    elif what != "nothing":
        path.write_bytes(b"\xff\xfe\x00\x01" * 1000)
        path.chmod(0 if what == "forbidden" else 0o600)
    record = tmp_path / "record.db"
    with open_log(str(record)):
        pass
    for command in (
        ("drive", "--rules", path), ("par", "md", "--rules", path),
        ("simulate", "md", "--rules", path), ("audit", "verify", "--database", path),
        ("audit", "rounds", "--database", path), ("people", "list", "--database", path),
        ("audit", "backup", tmp_path / "new", "--database", path),
        ("audit", "restore", path, "--database", tmp_path / "new.db"),
        ("audit", "verify", "--database", record, "--anchor", path, "--public-key", path),
    ):  # fmt: skip
        status, out, err = run(*map(str, command))
        assert (status, out) == (2, b""), command
        assert err.count(b"\n") == 1, command
        assert len(err) < 400, command


def test_a_link_that_leads_to_itself_is_no_record(run: _Run, tmp_path: Path) -> None:
    loop = tmp_path / "loop.db"
    loop.symlink_to(loop)
    for command in (["audit", "verify"], ["serve", "--no-open", "--port", "0"], ["people", "list"]):
        status, _, said = run(*command, "--database", str(loop))
        assert (status, said.count(b"\n")) == (2, 1), said
