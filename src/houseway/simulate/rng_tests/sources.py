"""The sources under test: those that tables and simulations use, and three bad ones that must fail.

A subject shuffles decks in the way it shuffles at a table, draws numbers below a bound, and gives
its words as they come.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from houseway.cards import SeededSource, Source, SystemSource, shuffled
from houseway.errors import Refused, choose_from
from houseway.simulate.kernels import random_streams as streams
from houseway.simulate.kernels.compiled import compiled

Decks = NDArray[np.uint8]
Words = NDArray[np.uint64]
_WORD = 1 << 64


class Subject(Protocol):
    """A random source on trial."""

    name: str
    says: str

    def shuffles(self, count: int) -> Decks:
        """Decks of 52, each shuffled from a new one."""
        ...

    def below(self, n: int, count: int) -> NDArray[np.int64]:
        """Numbers from 0 to n - 1."""
        ...

    def words(self, count: int) -> Words:
        """64 bits each, as they come."""
        ...


class FromSource:
    """A source of the tables: `cards.shuffled` with whatever answers `below`."""

    def __init__(
        self, name: str, says: str, source: Source, raw: Callable[[int], bytes] | None = None
    ) -> None:
        self.name, self.says = name, says
        self._source, self._raw = source, raw

    def shuffles(self, count: int) -> Decks:
        deck = range(52)
        return np.array([shuffled(deck, self._source) for _ in range(count)], np.uint8)

    def below(self, n: int, count: int) -> NDArray[np.int64]:
        return np.array([self._source.below(n) for _ in range(count)], np.int64)

    def words(self, count: int) -> Words:
        if self._raw is not None:
            return np.frombuffer(self._raw(8 * count), np.uint64)
        octets = [self._source.below(256) for _ in range(8 * count)]
        return np.frombuffer(bytes(octets), np.uint64)


@compiled
def _deal_decks(stream: Words, deck: NDArray[np.int64], decks: NDArray[np.int64]) -> None:
    """Decks one after the other, each dealt from a new one to its last card."""
    at = stream[0]
    for place in range(0, len(decks), 52):
        for card in range(52):
            deck[card] = card
        at = streams.deal(deck, np.uint64(51), decks, np.uint64(place), at)
        decks[place + 51] = deck[51]
    stream[0] = at


@compiled
def _draw_below(stream: Words, deck: NDArray[np.int64], into: NDArray[np.int64]) -> None:
    """The first card of a new deck, dealt as the kernels deal."""
    at = stream[0]
    for place in range(len(into)):
        at = streams.deal(deck, np.uint64(1), into, np.uint64(place), at)
        deck[into[place]], deck[0] = into[place], 0
    stream[0] = at


class Simulation:
    """The streams and deals of the simulation's kernels."""

    name = "simulation"
    says = "the simulation's streams (SplitMix64 on a counter) and its deals"

    def __init__(self, seed: str) -> None:
        self._stream = streams.start(f"trial {seed}", 0)

    def shuffles(self, count: int) -> Decks:
        decks = np.empty(52 * count, np.int64)
        _deal_decks(self._stream, np.arange(52), decks)
        return decks.reshape(count, 52).astype(np.uint8)

    def below(self, n: int, count: int) -> NDArray[np.int64]:
        found = np.empty(count, np.int64)
        _draw_below(self._stream, np.arange(n), found)
        return found

    def words(self, count: int) -> Words:
        found = np.empty(count, np.uint64)
        streams.words(self._stream, found)
        return found


class SwapWithAny(FromSource):
    """The classic mistake: every card swapped with any place of the deck, not with those left."""

    def __init__(self, seed: str) -> None:
        super().__init__(
            "swap-with-any", "a shuffle that swaps with any place of the deck", SeededSource(seed)
        )

    def shuffles(self, count: int) -> Decks:
        decks = []
        for _ in range(count):
            deck = list(range(52))
            for place in range(52):
                other = self._source.below(52)
                deck[place], deck[other] = deck[other], deck[place]
            decks.append(deck)
        return np.array(decks, np.uint8)


class Modulo:
    """Bytes taken modulo n: the lowest numbers come too often."""

    def __init__(self, seed: str) -> None:
        self._source = SeededSource(seed)

    def below(self, n: int) -> int:
        return self._source.below(256 if n <= 256 else 65536) % n


class ShortPeriod:
    """A linear congruential generator of 16 bits: it begins again after 65,536 numbers."""

    def __init__(self, seed: str) -> None:
        self._state = SeededSource(seed).below(1 << 16)

    def below(self, n: int) -> int:
        self._state = (self._state * 25173 + 13849) % (1 << 16)
        return self._state * n >> 16


SOURCES = ("system", "seeded", "simulation")
#: sources with a known fault, to see the battery catch them
FAULTY = ("swap-with-any", "modulo", "short-period")


def subject(name: str, seed: str) -> Subject:
    """A source by its name."""
    if name == "system":
        says = "the operating system's cryptographic generator, as at the tables"
        return FromSource(name, says, SystemSource(), os.urandom)
    if name == "seeded":
        says = "SHA-256 in counter mode from a seed, as in replays"
        source = SeededSource(f"trial {seed}")
        return FromSource(
            name,
            says,
            source,
            lambda size: b"".join(
                source.below(_WORD).to_bytes(8, "little") for _ in range(size // 8)
            ),
        )
    if name == "simulation":
        return Simulation(seed)
    if name == "swap-with-any":
        return SwapWithAny(seed)
    if name == "modulo":
        return FromSource(name, "bytes taken modulo the number of choices", Modulo(seed))
    if name == "short-period":
        return FromSource(name, "a generator of 16 bits", ShortPeriod(seed))
    raise Refused(
        "no_such_source",
        f"there is no source {name!r}",
        remedy=choose_from(name, (*SOURCES, *FAULTY)),
        field="source",
    )
