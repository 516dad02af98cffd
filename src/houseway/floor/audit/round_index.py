"""An index of rounds as bitmaps: one bit per round for each card, seat, wager, result and outcome.

A search that asks for several of them is an AND of a few kilobytes, whatever the number of rounds,
and says at once how many rounds can fit. Pages of 32,768 rounds are kept in the projections.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

#: rounds on one page, and its bytes
PAGE = 1 << 15
_BYTES = PAGE >> 3


class Facets:
    """The bitmaps in a database of projections; what is added is written by `flush`."""

    def __init__(self, sql: sqlite3.Connection) -> None:
        self._sql = sql
        #: pages that were added to, and are not written yet
        self._added: dict[tuple[str, int], bytearray] = {}

    def add(self, number: int, names: Iterable[str]) -> None:
        """Round `number` has these facets."""
        page, at = divmod(number, PAGE)
        byte, bit = at >> 3, 1 << (at & 7)
        for name in names:
            bits = self._added.get((name, page))
            if bits is None:
                bits = self._added[name, page] = self._page(name, page)
            bits[byte] |= bit

    def flush(self) -> None:
        rows = [(*key, bits) for key, bits in self._added.items()]
        self._sql.executemany("insert or replace into facets values (?, ?, ?)", rows)
        self.drop()

    def drop(self) -> None:
        """Forget what was added and is not written."""
        self._added.clear()

    def _page(self, name: str, page: int) -> bytearray:
        row = self._sql.execute(
            "select rounds from facets where name = ? and page = ?", (name, page)
        ).fetchone()
        return bytearray(row[0] if row else _BYTES)

    def rounds(self, names: Iterable[str]) -> Found:
        """The rounds that have all of these."""
        pages: dict[int, int] | None = None
        for name in names:
            rows = self._sql.execute("select page, rounds from facets where name = ?", (name,))
            own = {page: int.from_bytes(bits, "little") for page, bits in rows}
            if pages is not None:
                own = {page: bits & pages[page] for page, bits in own.items() if page in pages}
            pages = {page: bits for page, bits in own.items() if bits}
        return Found(pages or {})


class Found:
    """A set of rounds by number."""

    def __init__(self, pages: dict[int, int]) -> None:
        self._pages = pages
        self._bytes = {page: bits.to_bytes(_BYTES, "little") for page, bits in pages.items()}

    def __len__(self) -> int:
        return sum(bits.bit_count() for bits in self._pages.values())

    def __iter__(self) -> Iterator[int]:
        for page, bits in self._pages.items():
            while bits:
                low = bits & -bits
                yield page * PAGE + low.bit_length() - 1
                bits ^= low

    def has(self, number: int) -> bool:
        bits = self._bytes.get(number >> 15)
        return bits is not None and bool(bits[(number & PAGE - 1) >> 3] >> (number & 7) & 1)
