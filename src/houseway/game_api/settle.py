"""The rules part of a game, and settling a round of any chapter by it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from houseway.game_api.clause_numbers import renumbering
from houseway.game_api.registry import Part
from houseway.game_api.round import Round, Settlement
from houseway.game_api.round_json import SettlementOut, read_round, settlement_out
from houseway.law import Rules
from houseway.money import Cents


@runtime_checkable
class GameRules(Protocol):
    """What every game does: say whether a round could be, and settle it. A module will do."""

    def check(self, round: Round, /) -> None:
        """Refuse a round that could not have been dealt or wagered under its rules."""

    def settle(self, round: Round, /) -> Settlement:
        """Settle a round that `check` has passed."""


@runtime_checkable
class LimitedRules(GameRules, Protocol):
    """The rules of a game whose chapter knows a payout limit."""

    def most_at_minimums(self, rules: Rules, /) -> Cents:
        """The most that one box with every wager at its minimum can win."""


RULES = Part("rules", GameRules)
LIMITED_RULES = Part("rules", LimitedRules)


@renumbering
def settle(round: Round) -> Settlement:
    """Settle one round, or refuse it with the place and the clause."""
    game = RULES.of(round.rules.chapter)
    game.check(round)
    return game.settle(round)


@renumbering
def settle_unchecked(round: Round) -> Settlement:
    """Settle a round that is known to be in order, or in which unknown cards are stood in for."""
    return RULES.of(round.rules.chapter).settle(round)


def settle_json(text: bytes | str) -> SettlementOut:
    """One round from JSON, settled, in the shape that is written as JSON."""
    round = read_round(text)
    return settlement_out(round.rules.chapter.id, settle(round))
