"""What both databases share: reading a stream from its parts, of which there are up to three.

What earlier versions wrote stands one event a row; what was archived and removed is in files; the
rest is in blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import merge
from operator import itemgetter
from typing import NamedTuple, Protocol

import msgspec

from houseway.errors import Refused
from houseway.store.backends.blocks import (
    Block,
    contents_of,
    link_rows,
    read_block,
    read_last,
    unpack,
)
from houseway.store.event import NOTHING, Event, Head, Row
from houseway.store.log import Content, Linked, Log

PAGE = 1024
FOREVER = 2**62


class LastBlock(NamedTuple):
    """The last block of a stream, and the hash of the one before it if that is here."""

    stream: str
    block: Block
    link: bytes | None


class BlockLog(Log, Protocol):
    """A record whose events are in blocks."""

    #: whether the record has a table of blocks, and anything in the table of single events
    _has_blocks: bool
    _has_events: bool

    # what a database does

    def _old_page(self, stream: str, after: int, upto: int, most: int) -> list[Row]:
        """Events of earlier versions."""
        ...

    def _old_last(self, names: list[str]) -> list[Row]:
        """The last events of earlier versions."""
        ...

    def _page(self, stream: str, after: int, upto: int, most: int) -> list[Block]:
        """Blocks with versions above `after`, and the one before them if there is one."""
        ...

    def _last_blocks(self, names: list[str]) -> list[LastBlock]: ...

    # what follows is the same in all of them

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> Iterator[Event]:
        # a page at a time, so that no reader holds an old state of the record open
        last = FOREVER if upto is None else upto
        link = NOTHING
        while self._has_events:
            rows = self._old_page(stream, after, last, PAGE)
            for row in rows:
                yield Event(*row)
            if rows:
                after, link = rows[-1][1], rows[-1][8]
            if len(rows) < PAGE:
                break
        begun = False
        while self._has_blocks:
            found = self._page(stream, after, last, PAGE)
            if not begun and (not found or found[0].version > after):
                # nothing before it is here
                first = found[0].first if found else last + 1
                yield from self._archived(stream, after, first - 1)
                link = self._before(stream, first, link)
            begun = True
            for block in found:
                if block.version > after:
                    yield from read_block(stream, block, link, after, last)
                link = block.hash
            if len(found) < PAGE:
                return
            after = found[-1].version

    def contents(self, stream: str, after: int, upto: int) -> Iterator[Content]:
        if self._has_events or self.bases([stream]) or not self._has_blocks:
            yield from super().contents(stream, after, upto)
            return
        while after < upto:
            found = self._page(stream, after, upto, PAGE)
            for block in found:
                if block.first > after and block.version <= upto:
                    yield from contents_of(block)
                elif block.version > after:
                    for content in contents_of(block):
                        if after < content[0] <= upto:
                            yield content
            if len(found) < PAGE:
                return
            after = found[-1].version

    def _archived(self, stream: str, after: int, upto: int) -> Iterator[Event]:
        """Events that were archived and removed."""
        base = self.bases([stream]).get(stream) if after < upto else None
        if base is None or after >= base.version:
            return
        upto = min(upto, base.version)
        if self.archives is None:
            raise Refused(
                "archived", f"events {after + 1:,} to {upto:,} of {stream} are in an archive that is"
                " not here", remedy="name the folder of archives in HOUSEWAY_ARCHIVES",
            )  # fmt: skip
        yield from self.archives.read(stream, after, upto)

    def _before(self, stream: str, first: int, link: bytes) -> bytes:
        """The hash before the first block that is here."""
        if first == 1:
            return NOTHING
        base = self.bases([stream]).get(stream)
        if base is not None and base.version == first - 1:
            return base.hash
        old = self._old_last([stream]) if self._has_events else []
        return old[0][8] if old else link

    def last(self, streams: Iterable[str]) -> dict[str, Event]:
        names = list(dict.fromkeys(streams))
        found: dict[str, Event] = {}
        for name, block, link in self._last_blocks(names) if self._has_blocks else ():
            if link is None:
                link = self._before(name, block.first, NOTHING)
            found[name] = read_last(name, block, link)
        if self._has_events and (rest := [name for name in names if name not in found]):
            found |= {row[0]: Event(*row) for row in self._old_last(rest)}
        return found

    def _all_rows(self) -> Iterable[Row] | None:
        """Every event of earlier versions in the order of their keys; None if there is none."""
        ...

    def _all_blocks(self) -> Iterable[tuple[str, Block]]:
        """Every block with the name of its stream, by that name and in order."""
        ...

    def linked(self) -> Iterator[Linked]:
        stream, link = "", NOTHING
        bases = self.bases()
        items: Iterable[tuple[str, Linked | Block]] = self._all_blocks() if self._has_blocks else ()
        if (rows := self._all_rows()) is not None:
            old = ((linked[0][0], linked) for linked in link_rows(rows))
            items = merge(old, items, key=itemgetter(0))
        for name, item in items:
            if name != stream:
                stream, link = name, NOTHING
                if name in bases:
                    if self.archives is not None and self.manifest is None:
                        before = self.archives.read(name, 0, bases[name].version)
                        yield from link_rows(map(msgspec.structs.astuple, before))
                    link = bases[name].hash
            if isinstance(item, Block):
                yield from unpack(name, item, link)
                link = item.hash
            else:
                yield item
                link = item[0][8]

    def boundary(self, stream: str, upto: int) -> Head | None:
        """Where a stream may be cut after an archive: the end of a block, but not of the last one."""
        while upto > 0 and (found := self._page(stream, upto, upto, 1)):
            block = found[0]
            if block.version <= upto and block.version < self.head(stream).version:
                return Head(block.version, block.hash)
            upto = block.first - 1
        return None
