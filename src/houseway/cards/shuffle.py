"""Shuffles: every order equally likely, from a cryptographic source or from a seed.

A source answers one question, a whole number below `n` with every answer equally likely. The
shuffle (Fisher and Yates) is the same whichever source answers it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Source(Protocol):
    """Where chance comes from."""

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely."""
        ...


class SystemSource:
    """The operating system's cryptographic generator."""

    def below(self, n: int) -> int:
        return secrets.randbelow(n)


class SeededSource:
    """The same stream for the same seed, on every machine and every version of Python.

    SHA-256 in counter mode; a draw that would be biased by the remainder is thrown away and drawn
    again, so the numbers are exactly uniform whenever the bytes are.
    """

    def __init__(self, seed: int | str) -> None:
        self._key = hashlib.sha256(f"houseway:{seed}".encode()).digest()
        self._block = 0
        self._bytes = b""

    def _take(self, count: int) -> int:
        while len(self._bytes) < count:
            counter = self._block.to_bytes(8, "big")
            self._bytes += hashlib.sha256(self._key + counter).digest()
            self._block += 1
        taken, self._bytes = self._bytes[:count], self._bytes[count:]
        return int.from_bytes(taken, "big")

    def below(self, n: int) -> int:
        width = max(1, (n.bit_length() + 7) // 8)
        limit = 256**width - 256**width % n
        while (value := self._take(width)) >= limit:
            pass
        return value % n


def shuffled(pack: Sequence[T], source: Source) -> list[T]:
    """A new list with the same cards in an order drawn from `source`."""
    order = list(pack)
    for last in range(len(order) - 1, 0, -1):
        chosen = source.below(last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order
