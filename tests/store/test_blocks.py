"""How events are stored: read by the program of the documentation, compressed, and found if damaged."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing
from pathlib import Path

import pytest
from forging import forge
from hypothesis import given
from hypothesis import strategies as st
from writing import NOON, fill

from houseway.errors import Refused
from houseway.store import NOTHING, Event, New, Write, digest
from houseway.store.backends.blocks import Block, pack, unpack
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.event import canonical, check_event
from houseway.store.verify import verify

ROOT = Path(__file__).parents[2]


def documented_reader() -> str:
    text = (ROOT / "docs/reference/record.md").read_text("utf-8")
    found = re.search(r"<!-- reader -->\n+```python\n(.*?)```", text, re.DOTALL)
    assert found
    return found[1]


def told(path: Path) -> list[list[str]]:
    """What the documented program prints, in a Python that knows nothing of Houseway."""
    command = [sys.executable, "-I", "-S", "-c", documented_reader(), str(path)]
    done = subprocess.run(command, capture_output=True, check=True, encoding="utf-8")
    return [line.split("\t") for line in done.stdout.splitlines()]


def test_an_inspector_reads_the_record_with_the_documented_program(tmp_path) -> None:
    path = tmp_path / "r.db"
    with SQLiteLog(path) as log:
        fill(log, "tisch/ü", 3)
        fill(log, "tisch/ü", 1)
        log.append(Write("b", 0, tuple(New("said", {"é": "“"}, "ann", NOON) for _ in range(200))))
        events = list(log.scan())
    assert told(path) == [
        [one.stream, str(one.version), one.time, one.actor, one.kind, str(one.schema), one.body,
         one.hash.hex()]
        for one in events
    ]  # fmt: skip
    forge(path, "update events set actor = 'x' where stream = 'tisch/ü' and version = 2")
    (first, *_) = [line for line in told(path) if "NOT AS" in line[-1]]
    assert first[:2] == ["tisch/ü", "2"]


names = st.text(
    st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="\u2028\u2029"), min_size=1
)
bodies = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@given(
    st.lists(st.tuples(names, names, bodies), min_size=1, max_size=150),
    st.binary(min_size=32, max_size=32),
)
def test_what_is_packed_is_unpacked(parts, link) -> None:
    events: list[Event] = []
    before = link
    for number, (actor, kind, body) in enumerate(parts, 7):
        text = canonical(body)
        hash = digest(before, "s", number, NOON, actor, kind, 1, text)
        events.append(Event("s", number, NOON, actor, kind, 1, text, before, hash))
        before = hash
    found, at = [], link
    for block in pack(events):
        assert block.version - block.first < 64
        for row, comes_to in unpack("s", block, at):
            assert comes_to == row[8]
            found.append(Event(*row))
        at = block.hash
    assert found == events


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda body: b"\x09" + body[1:],  # a dictionary that nobody has
        lambda body: body[:-3],
        lambda body: body[:1] + bytes(len(body) - 1),
        lambda body: body[:1] + b"\xff" * 20,
        lambda body: body[:20] + bytes([body[20] ^ 4]) + body[21:],
    ],
)
def test_a_damaged_block_is_told_and_not_a_crash(tmp_path, damage) -> None:
    path = tmp_path / "r.db"
    with SQLiteLog(path) as log:
        fill(log, "a", 4)
        fill(log, "a", 5)
        fill(log, "a", 1)
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("drop trigger blocks_are_not_changed")
        (body,) = file.execute("select body from blocks where first = 5").fetchone()
        file.execute("update blocks set body = ? where first = 5", (damage(body),))
    with SQLiteLog(path, readonly=True) as log:
        (fault,) = verify(log).faults
        assert (fault.reason, fault.stream) == ("changed", "a")
        assert 5 <= fault.version <= 9
        found = list(log.read("a"))
        assert [one.version for one in found][:5] == [1, 2, 3, 4, 5]
        with pytest.raises(Refused, match=f"event {fault.version}:"):
            list(map(check_event, found))
        # what comes after the block is sound again
        check_event(found[-1])


def test_a_block_that_would_fill_the_memory_is_not_read() -> None:
    press = zlib.compressobj(9, zlib.DEFLATED, -15)
    huge = b"".join(press.compress(b"\n" * 2**20) for _ in range(200))
    block = Block(1, 1, NOTHING, b"\x01" + huge + press.flush())
    ((row, comes_to),) = unpack("s", block, NOTHING)
    assert (row[1], row[6]) == (1, "")
    assert comes_to != NOTHING  # whatever hash stands beside it, it is not that


def test_no_statement_numbers_its_parameters():
    """Python before 3.12.4 warns of `?1` as of a name, and of warnings the tests make errors."""
    found = [
        f"{path.name}: {line.strip()}"
        for path in (ROOT / "src" / "houseway").rglob("*")
        if path.suffix in (".py", ".sql")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"[\s(=]\?[1-9]", line)
    ]
    assert not found
