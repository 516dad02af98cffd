"""Blocks: events of one stream that were written together, compressed, as the databases keep them.

The text of a block has five lines for each event, time, actor, kind, schema and body, and after each
but the last a sixth: the first eight digits of its hash. It is compressed with raw deflate and a
dictionary of typical events; the first byte of a block is the number of that dictionary. The full
hash of the last event stands beside the block. Every other hash follows from the hash before the
block, and the eight digits say which event was changed where it does not.

`docs/reference/record.md` has the format with a test vector, and a reader in a dozen lines.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby, islice
from operator import attrgetter
from typing import NamedTuple

from houseway.store.event import NOTHING, Batch, Event, Head, Row, chained, digest
from houseway.store.log import Conflict, Content, Linked, Outcome

#: the dictionary of new blocks; older ones stay, since blocks name theirs
DICTIONARY = 1
#: a block has at most so many events, so that one of them is read quickly
_MOST = 64
#: and about so many characters, unless a single event has more
_LONG = 1 << 16
#: the same in an archive
_DENSE = 1000, 1 << 18
#: bytes to which a block may inflate: a single event of the longest body has fewer
_LARGEST = 1 << 27
#: bytes of the hash of an event inside a block
_SHORT = 4


class Block(NamedTuple):
    """Events `first` to `version` of a stream; `hash` is that of the last."""

    first: int
    version: int
    hash: bytes
    body: bytes


def lines_of(event: Event) -> tuple[str, ...]:
    """The five lines of an event."""
    return event.time, event.actor, event.kind, str(event.schema), event.body


@cache
def dictionary(number: int = DICTIONARY) -> bytes:
    """A dictionary of typical events, as the program has it."""
    return files("houseway.store").joinpath(f"dictionaries/{number}.txt").read_bytes()


def dictionary_entry() -> tuple[str, str]:
    """What a record says in `meta` of the dictionary, so that it can be read without the program."""
    return f"dictionary/{DICTIONARY}", dictionary().decode()


@cache
def _fresh() -> zlib._Compress:
    """A compressor that has read the dictionary; copies of it compress.

    A small block is most of what an append costs: a lower level finds nearly as much in half the
    time, and less memory is copied sooner.
    """
    return zlib.compressobj(5, zlib.DEFLATED, -15, 6, zdict=dictionary())


def pack(events: Iterable[Event], most: int = _MOST, longest: int = _LONG) -> Iterator[Block]:
    """Events that follow each other in one stream, as blocks."""
    part: list[Event] = []
    long = 0
    for event in events:
        if part and (len(part) == most or long + len(event.body) > longest):
            yield _packed(part)
            part, long = [], 0
        part.append(event)
        long += len(event.body)
    if part:
        yield _packed(part)


def _packed(events: list[Event]) -> Block:
    last = events[-1]
    lines: list[str] = []
    for event in events:
        lines += lines_of(event)
        if event is not last:
            lines.append(event.hash[:_SHORT].hex())
    press = _fresh().copy()
    text = "\n".join(lines).encode()
    body = bytes((DICTIONARY,)) + press.compress(text) + press.flush()
    return Block(events[0].version, last.version, last.hash, body)


def _text(body: bytes) -> str:
    """The text of a block; ValueError if it is not one."""
    try:
        press = zlib.decompressobj(-15, zdict=dictionary(body[0]))
        text = press.decompress(body[1:], _LARGEST)
    except (zlib.error, OSError, IndexError) as error:
        raise ValueError(str(error)) from None
    if not press.eof or press.unused_data:
        raise ValueError("it does not end where its events do")
    return text.decode()


def _lines(block: Block) -> list[str]:
    """The lines of a block; ValueError if they are not those of its events."""
    lines = _text(block.body).split("\n")
    if len(lines) != 6 * (block.version - block.first) + 5:
        raise ValueError("it has another number of events")
    return lines


def contents_of(block: Block) -> Iterator[Content]:
    """What the events of a block say; their hashes are not computed."""
    lines = _lines(block)
    versions = range(block.first, block.version + 1)
    return zip(versions, lines[::6], lines[2::6], lines[3::6], lines[4::6], strict=True)


def unpack(stream: str, block: Block, link: bytes) -> list[Linked]:
    """The events of a block after the hash `link`, each with the hash that it comes to.

    An event that is not as it was written comes to another hash than the one it has. A block that
    cannot be read is one such event.
    """
    first, last, hash, _ = block
    found: list[Linked] = []
    try:
        at = iter(_lines(block))
        for version in range(first, last):
            time, actor, kind, schema, said, short = islice(at, 6)
            told = digest(link, stream, version, time, actor, kind, schema, said)
            has = told if told[:_SHORT].hex() == short else bytes.fromhex(short).ljust(32, b"\0")
            found.append(((stream, version, time, actor, kind, int(schema), said, link, has), told))
            link = has
        time, actor, kind, schema, said = at
        told = digest(link, stream, last, time, actor, kind, schema, said)
        found.append(((stream, last, time, actor, kind, int(schema), said, link, hash), told))
    except (ValueError, TypeError):
        found.append(((stream, first + len(found), "", "", "", 0, "", link, hash), b""))
    return found


def read_block(
    stream: str, block: Block, link: bytes, after: int = 0, upto: int | None = None
) -> list[Event]:
    """The events of a block after the hash `link` with versions above `after`, up to `upto`."""
    found = unpack(stream, block, link)
    if block.first > after and (upto is None or block.version <= upto):
        return [Event(*row) for row, _ in found]
    return [Event(*row) for row, _ in found if after < row[1] and (upto is None or row[1] <= upto)]


def read_last(stream: str, block: Block, link: bytes) -> Event:
    """The last event of a block."""
    return read_block(stream, block, link)[-1]


def link_rows(rows: Iterable[Row]) -> Iterator[Linked]:
    """Events that are stored one by one, as versions before blocks did; each with the hash that it
    comes to.
    """
    stream, link = "", NOTHING
    for row in rows:
        name, version, time, actor, kind, schema, body, _, hash = row
        if name != stream:
            stream, link = name, NOTHING
        try:
            told = digest(link, name, version, time, actor, kind, schema, body)
        except (TypeError, ValueError, AttributeError):
            told = b""  # a column whose type is not the one that is written
        yield row, told
        link = hash


def decided(batches: Sequence[Batch], heads: dict[str, Head]) -> list[Outcome]:
    """What becomes of each batch where the streams stand at these heads, which are moved on."""
    return [_decided(batch, heads) for batch in batches]


def _decided(batch: Batch, heads: dict[str, Head]) -> Outcome:
    for write in batch.writes:
        version = heads[write.stream].version
        if version != write.expected:
            return Conflict(write.stream, write.expected, version)
    done: list[Event] = []
    for write, bodies in zip(*batch, strict=True):
        done += chained(write, bodies, heads[write.stream])
        heads[write.stream] = Head(done[-1].version, done[-1].hash)
    return tuple(done)


class Added(NamedTuple):
    """A block to be added after the hash `link`."""

    stream: str
    link: bytes
    block: Block


def to_add(outcomes: Iterable[Outcome]) -> list[Added]:
    """The blocks of what was decided; what one stream gets in several batches goes together."""
    streams: dict[str, list[Event]] = {}
    for done in outcomes:
        for event in done if isinstance(done, tuple) else ():
            streams.setdefault(event.stream, []).append(event)
    added: list[Added] = []
    for name, events in streams.items():
        link = events[0].previous
        for block in pack(events):
            added.append(Added(name, link, block))
            link = block.hash
    return added


def packed_streams(events: Iterable[Event], *, dense: bool = False) -> Iterator[tuple[str, Block]]:
    """Events sorted by stream, as blocks; with `dense` as few as can be read well."""
    for name, group in groupby(events, key=attrgetter("stream")):
        for block in pack(group, *(_DENSE if dense else (_MOST, _LONG))):
            yield name, block
