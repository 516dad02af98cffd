"""What was saved since the last anchor, noted outside the database.

An anchor is made every few minutes. In between, each append adds a line to a file beside the
anchors: where it left its streams. So a copy that is put back, a stream that is cut off or a damaged
write-ahead log is found though no anchor has seen what is missing. The file begins anew with each
anchor.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from houseway.store.event import Head
from houseway.store.open_log import anchors_folder, keys_folder
from houseway.store.verify import Fault

if TYPE_CHECKING:
    from houseway.store.log import Log, Outcome

_NAME = "saved"
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(list[tuple[str, int, str]]).decode


def note_saved(record: str, outcomes: Iterable[Outcome]) -> None:
    """Note appends that are on disk, if a house was opened on this record."""
    heads = {
        event.stream: [event.stream, event.version, event.hash.hex()]
        for done in outcomes
        if isinstance(done, tuple)
        for event in done
    }
    if not heads:
        return
    # where it cannot be written no anchor can, and that is reported
    with suppress(OSError):
        path = os.path.join(anchors_folder(record), _NAME)  # noqa: PTH118 - for each append
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, _encode([*heads.values()]) + b"\n")
        finally:
            os.close(file)


def lost_since_anchor(log: Log, heads: Mapping[str, Head]) -> Iterator[Fault]:
    """The streams that are shorter than they once were, or not the same."""
    saved: dict[str, tuple[int, str]] = {}
    for path in sorted(anchors_folder(log.id).glob(f"{_NAME}*")):
        for line in path.read_bytes().splitlines():
            # the machine may have stopped in the middle of a line
            with suppress(ValueError):
                saved |= {
                    stream: (version, hash)
                    for stream, version, hash in _decode(line)
                    if version > saved.get(stream, (0, ""))[0]
                }
    for stream, (version, hash) in sorted(saved.items()):
        yield from otherwise(log, heads, stream, version, hash, "the house")


def otherwise(
    log: Log, heads: Mapping[str, Head], stream: str, version: int, hash: str, who: str
) -> Iterator[Fault]:
    """The fault to report if `who` saw an event of this version and hash."""
    head = heads.get(stream, Head(0, b""))
    if (head.version, head.hash.hex()) == (version, hash):
        return
    event = next(log.read(stream, version - 1, version), None)
    if event is None:
        says = f"{who} saw {version} events; the record ends after {head.version}"
        yield Fault("cut_off", says, stream, head.version + 1)
    elif event.hash.hex() != hash:
        says = f"{who} saw another event here: the stream was rewritten"
        yield Fault("rewritten", says, stream, version)


def place_file(log: Log) -> Path:
    """The file that says which record a house was opened on in a place."""
    return keys_folder() / "places" / sha256(log.place.encode()).hexdigest()[:32]


def elsewhere(log: Log) -> Iterator[Fault]:
    """Another record in the place of the house's own: its keys and anchors say nothing of that one.

    An empty one is a new house.
    """
    path = place_file(log)
    if log.place and path.exists():
        known = path.read_text("utf-8").strip()
        if known != log.id and log.heads():
            says = f"the house had the record {known} here, and this is another, {log.id}"
            yield Fault("another_record", says)


@contextmanager
def anchored(record: str) -> Iterator[None]:
    """While an anchor is made of everything that is noted; afterwards the notes are not needed."""
    folder = anchors_folder(record)
    with suppress(FileNotFoundError):
        # what is saved from now on is noted in a new file
        (folder / _NAME).rename(folder / f"{_NAME}.{time.time_ns()}")
    noted = list(folder.glob(f"{_NAME}.*"))
    yield
    for path in noted:
        path.unlink(missing_ok=True)
