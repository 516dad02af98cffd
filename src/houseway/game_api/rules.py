"""The rules part of a game: what every family provides, and what it may add to a seat."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable
from weakref import WeakSet

import msgspec

from houseway.errors import Refused, refuse_any
from houseway.game_api.registry import Part
from houseway.game_api.round import Round, Seat, Settlement
from houseway.law import Chapter, Rules
from houseway.money import Cents

G = TypeVar("G", bound=msgspec.Struct)


@runtime_checkable
class GameRules(Protocol):
    """What every game does: check that a round is possible, and settle it. A module is enough."""

    def check(self, round: Round, /) -> None:
        """Refuse a round that could not have been dealt or wagered under its rules."""

    def settle(self, round: Round, /) -> Settlement:
        """Settle a round that `check` has passed."""


@runtime_checkable
class LimitedRules(GameRules, Protocol):
    """The rules of a game whose chapter allows a payout limit."""

    def most_at_minimums(self, rules: Rules, /) -> Cents:
        """The most that one box with every wager at its minimum can win."""


@dataclass(frozen=True, slots=True)
class SeatFields(Generic[G]):
    """What a game adds to a seat of a round: its fields in JSON, and its own kind of seat.

    Every field of `given` has a default, which means that the seat does not use it. `read` returns
    the fields of `kind` that `Seat` does not have, from those of `given`, the wagers and the rules.
    `write` returns the fields of `given` from a seat of `kind`, as JSON; without it, each is written
    under its own name.
    """

    given: type[G]
    kind: type[Seat]
    read: Callable[[G, Mapping[str, Cents], Rules], dict[str, Any]]
    write: Callable[[Any], dict[str, Any]] | None = None


@runtime_checkable
class RulesWithSeatFields(GameRules, Protocol):
    """The rules of a game whose seats have fields of their own."""

    @property
    def seat_fields(self) -> SeatFields[Any]:
        """The fields that this game adds to a seat."""


@runtime_checkable
class RulesWithWagers(GameRules, Protocol):
    """The rules of a game that say which wagers they settle; a chapter with another is refused."""

    @property
    def settled_wagers(self) -> Collection[str]:
        """The ids of the wagers that this game settles."""


RULES = Part("rules", GameRules)
LIMITED_RULES = Part("rules", LimitedRules)


def unsettled(law: Chapter) -> list[Refused]:
    """What to say of the wagers of a chapter that its game does not settle."""
    game = RULES.of(law)
    if not isinstance(game, RulesWithWagers):
        return []
    known = game.settled_wagers
    return [
        Refused(
            "no_such_wager",
            f"{law.id} has the wager {wager.id} ({wager.name}), which its game does not settle",
            remedy=f"the ids of wagers are those of the game: {', '.join(known)}",
        )
        for wager in law.wagers.values()
        if wager.id not in known
    ]


_checked: WeakSet[Chapter] = WeakSet()


def check_settled(law: Chapter) -> None:
    """Refuse a chapter with wagers that its game does not settle; each is looked at once."""
    if law not in _checked:
        refuse_any(unsettled(law))
        _checked.add(law)
