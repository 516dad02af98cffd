"""Files of rounds that are meant to hurt: endless, folded, doubled, or broken in the middle."""

import io
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from houseway import untrusted
from houseway.cli import main
from houseway.errors import Refused
from houseway.law import SAIGON
from houseway.law.source import EditionFiles
from houseway.untrusted import LONGEST, lines_of

EXAMPLE = Path(__file__).parents[2] / "examples" / "md-three-card-poker.json"
HEAD = "id,chapter,dealer,seat,cards,decision,wager.ante"
ROW = "1,md-three-card-poker,2c 3c 4d,1,Ah Kh Qh,play,5.00"
BOTH = pytest.mark.parametrize("command", [("settle",), ("audit", "check")])


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """A command's exit status and what it printed."""

    def running(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main([str(one) for one in arguments])
        sys.stdout.flush()
        out, err = capfd.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    return running


class _Endless(io.RawIOBase):
    """A file of one piece without end; it counts what was taken of it."""

    def __init__(self, piece: bytes, first: bytes = b"") -> None:
        self._piece, self._first, self.taken = piece, first, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._first:
            data, self._first = self._first, b""
        else:
            data = (self._piece * (len(buffer) // len(self._piece) + 1))[: len(buffer)]
        buffer[: len(data)] = data
        self.taken += len(data)
        return len(data)


@pytest.mark.parametrize("piece", [b"\0", b"x", b"\n", b" \n", b"[" * 100])
def test_lines_without_end_are_given_up(piece: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that never ends, and blank lines that never end; what stood before is answered."""
    monkeypatch.setattr(untrusted, "ENDLESS", 8 << 20)
    endless = _Endless(piece, b"{}\n\n[]\n")
    lines = lines_of(io.BufferedReader(endless))
    assert [next(lines), next(lines)] == [(1, b"{}\n"), (3, b"[]\n")]
    with pytest.raises(Refused, match=r"line \d+: 8 MiB without a line that could be read"):
        next(lines)
    assert endless.taken < 16 << 20


def test_long_lines_among_short_ones_are_read_past(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is on what is read past in one go, not on the file."""
    monkeypatch.setattr(untrusted, "ENDLESS", 4 << 20)
    long = b"x" * (3 << 20) + b"\n"
    found = list(lines_of(io.BytesIO((long + b"{}\n") * 5)))
    assert [number for number, line in found if line == b"{}\n"] == [2, 4, 6, 8, 10]


@BOTH
@pytest.mark.parametrize("name", ["rounds.jsonl", "rounds.csv", "rounds.json", "rounds.parquet"])
def test_a_device_without_end_is_one_sentence(
    run: Run, tmp_path: Path, command: tuple[str, ...], name: str
) -> None:
    (tmp_path / name).symlink_to("/dev/zero")
    status, out, err = run(*command, tmp_path / name)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert len(err) < 200


CELLS = {
    "a number without end": (HEAD, ROW.replace(",1,Ah", f",{'9' * 5000},Ah"), "whole number"),
    "nested without end": (HEAD + ",hands", ROW + "," + "[" * 50_000, "must be a list"),
    "a name twice": (HEAD + ",hands", ROW + ',"[{""a"": 1, ""a"": 2}]"', "appears twice"),
}


@BOTH
@pytest.mark.parametrize(("head", "row", "says"), CELLS.values(), ids=CELLS)
def test_a_cell_that_cannot_be_read_is_answered_and_so_are_the_others(
    run: Run, tmp_path: Path, command: tuple[str, ...], head: str, row: str, says: str
) -> None:
    good = ROW + "," * (head.count(",") - HEAD.count(","))
    path = tmp_path / "rounds.csv"
    path.write_text("\n".join((head, good, row.replace("1", "2", 1), good.replace("1", "3", 1))))
    status, out, err = run(*command, path)
    assert status == 2
    assert says in out + err
    if command == ("settle",):
        answers = [json.loads(line) for line in out.splitlines()]
        assert ["error" in one for one in answers] == [False, True, False]
    else:
        assert "2 rounds checked" in out


@BOTH
@pytest.mark.parametrize("cores", [1, 2])
def test_rounds_before_a_row_that_ends_the_file_are_answered(
    run: Run, tmp_path: Path, command: tuple[str, ...], cores: int
) -> None:
    """More cells than columns, and bytes that are no text: what stands before is not lost."""
    path = tmp_path / "rounds.csv"
    rows = [ROW.replace("1", str(number), 1) for number in range(1, 4)]
    for last in (ROW + ",5.00", "9," + "x" * (LONGEST + 1)):
        path.write_text("\n".join((HEAD, *rows, last)))
        status, out, err = run(*command, path, "--cores", cores)
        assert status == 2
        assert "row 4" in err
        if command == ("settle",):
            # rows of one id are a round; the third is not known to be whole
            assert len(out.splitlines()) == 2
        else:
            assert "2 rounds checked" in out


def test_rows_of_one_round_without_end_are_not_kept() -> None:
    from houseway.game_api.payout_check import paid_rounds

    rows = 100_000

    def table() -> Iterator[dict[str, str]]:
        names = HEAD.split(",")
        for number in (1, *(2,) * rows, 3):
            yield dict(zip(names, ROW.replace("1", str(number), 1).split(","), strict=True))

    sizes = [len(one) for one in paid_rounds(table(), None)]
    assert len(sizes) == 3
    assert LONGEST < sizes[1] < 8 * LONGEST
    assert max(sizes[0], sizes[2]) < 1000


def _parquet(path: Path, **changes: Any) -> Path:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    from houseway.game_api.history_tables import _row, _schema

    round = json.loads(EXAMPLE.read_text())
    rows = [_row({"id": str(number), "round": round, "paid": []}) for number in range(3)]
    for name, value in changes.items():
        if name in rows[1]["seats"][0]:
            rows[1]["seats"][0][name] = value
        else:
            rows[1][name] = value
    parquet.write_table(pa.Table.from_pylist(rows, _schema()), path)
    return path


@pytest.mark.parametrize(
    "changes",
    [
        {"wagers": [{"name": "ante", "amount": 5}, {"name": "ante", "amount": 50}]},
        {"more": '{"wagers": {"ante": "50.00"}}'},
        {"more": '{"seat": 2}'},
        {"more": "[" * 50_000},
        {"more": "[1]"},
        {"more": '{"a": 1}, "wagers": {}'},
        {"rules": '{"electronic": false, "electronic": true}'},
        {"rules": '{"electronic": ' + "1" * 5000 + "}"},
        {"rules": "{" * 50_000},
        {"meters": [{"name": "x", "amount": 1}, {"name": "x", "amount": 2}]},
    ],
    ids=str,
)
def test_a_row_of_parquet_says_nothing_twice(
    run: Run, tmp_path: Path, changes: dict[str, Any]
) -> None:
    """Never the last of two; the row is refused, and the others are settled."""
    status, out, _ = run("settle", _parquet(tmp_path / "rounds.parquet", **changes))
    assert status == 2
    assert ["error" in json.loads(line) for line in out.splitlines()] == [False, True, False]


def test_a_sound_parquet_file_is_settled(run: Run, tmp_path: Path) -> None:
    status, out, _ = run("settle", _parquet(tmp_path / "rounds.parquet"))
    assert (status, out.count("\n")) == (0, 3)


# chapters from outside


@pytest.fixture
def edition(tmp_path: Path) -> Path:
    """A folder with the files of an edition that somebody else wrote."""
    shutil.copytree(str(files("houseway.law") / "chapters" / SAIGON), tmp_path / "mine")
    return next(iter((tmp_path / "mine").iterdir()))


def _errata(edition: Path) -> Any:
    return EditionFiles(edition.parent, edition.name).read("errata")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"a = " + b"[" * 200_000 + b"]" * 200_000, "nested too deeply"),
        (b"#" * (2 << 20), "too long"),
        (b"\xff\xfe", "utf-8"),
        (b"[[erratum]]\nid = 1\nid = 2", "overwrite"),
    ],
    ids=["deep", "long", "not text", "name twice"],
)
def test_a_chapters_file_is_read_within_limits(edition: Path, content: bytes, says: str) -> None:
    assert _errata(edition)
    (edition / "errata.toml").write_bytes(content)
    with pytest.raises(Refused, match=says) as refused:
        _errata(edition)
    assert str(edition / "errata.toml") in refused.value.message


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_chapters_file_is_a_file(edition: Path, kind: str) -> None:
    """A pipe would be waited for, a device read until the memory is full."""
    path = edition / "errata.toml"
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(Refused, match="not a file"):
        _errata(edition)


def test_an_edition_amends_one_of_its_own_chapter(edition: Path) -> None:
    chapter = edition / "chapter.toml"
    chapter.write_text(f'amends = "../mine/{edition.name}"\n' + chapter.read_text())
    with pytest.raises(Refused, match="which is not there"):
        _errata(edition)
