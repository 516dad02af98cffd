"""Tallies: counts that no paytable changes, from the cache or counted now and kept.

A family of games names its tallies and the modules whose code counts them. A tally is kept under the
family, its name and what it was counted for, and under the code: a chapter that is copied needs no
second count, and a change of the code is never answered with an old one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from houseway.maths.counting.cache import is_kept, recall

T = TypeVar("T")


class Tallies:
    """The tallies of one family of games, all with one key: the code of all of its kernels."""

    def __init__(self, family: str, sources: tuple[str, ...]) -> None:
        self.family = family
        #: the modules that count, such as `houseway.games.three_card.maths.counting.duel`
        self.sources = sources

    def recall(self, name: str, kind: type[T], count: Callable[[], T], *inputs: object) -> T:
        """The tally of that name for these inputs; `count` imports its kernel when it is called."""
        return recall(self._full(name, inputs), kind, self.sources, count)

    def is_kept(self, name: str, *inputs: object) -> bool:
        """Whether the tally has been counted by this code."""
        return is_kept(self._full(name, inputs), self.sources)

    def _full(self, name: str, inputs: tuple[object, ...]) -> str:
        return "-".join([self.family, name, *map(str, inputs)])
