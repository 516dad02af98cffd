"""Settle a round of any chapter by the rules of its game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from houseway.arguments import checked
from houseway.game_api.clause_numbers import renumbering
from houseway.game_api.round import Round, Settlement
from houseway.game_api.round_json import (
    SettlementOut,
    read_round,
    round_in,
    settlement_out,
    settlement_text,
)
from houseway.game_api.rules import (
    LIMITED_RULES,
    RULES,
    GameRules,
    LimitedRules,
    check_settled,
)

__all__ = [
    "LIMITED_RULES", "RULES", "GameRules", "LimitedRules", "settle", "settle_json",
    "settle_text", "settle_unchecked",
]  # fmt: skip


@checked
def settle(round: Round | Mapping[str, Any] | bytes | str) -> Settlement:
    """Settle one round, or refuse it with the place and the clause.

    A round is what `deal` or `read_round` returns, or JSON as `houseway settle` reads it: its text,
    or what `json.load` gives.
    """
    return _settle(round if isinstance(round, Round) else round_in(round))


@renumbering
def _settle(round: Round) -> Settlement:
    check_settled(round.rules.chapter)
    game = RULES.of(round.rules.chapter)
    game.check(round)
    return game.settle(round)


@renumbering
def settle_unchecked(round: Round) -> Settlement:
    """Settle a round that is known to be valid, or that has stand-ins for unknown cards."""
    return RULES.of(round.rules.chapter).settle(round)


def settle_json(text: bytes | str) -> SettlementOut:
    """One round from JSON, settled, in the shape that is written as JSON."""
    round = read_round(text)
    return settlement_out(round.rules.chapter.id, settle(round))


def settle_text(text: bytes) -> bytes:
    """One round from JSON, settled, as JSON."""
    round = round_in(text)
    return settlement_text(round.rules.chapter.id, _settle(round))
