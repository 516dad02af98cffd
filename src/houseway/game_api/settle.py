"""Settling a round of any chapter: check it, then let its game settle it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType

from houseway.game_api.round import Round, Settlement
from houseway.game_api.round_json import SettlementOut, read_round, settlement_out
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON

#: the module of each chapter's game; it has `check(round)` and `settle(round)`
GAMES = {
    MD: "three_card.maryland",
    MA: "three_card.massachusetts",
    PRIME: "three_card.prime",
    SAIGON: "saigon.rules",
    DOWN_UNDER: "down_under.rules",
}
assert set(GAMES) == set(CHAPTERS)

_loaded: dict[str, tuple[Callable[[Round], None], Callable[[Round], Settlement]]] = {}


def game(chapter_id: str) -> ModuleType:
    """The module of a chapter's game."""
    return import_module(f"houseway.games.{GAMES[chapter_id]}")


def settle(round: Round) -> Settlement:
    """Settle one round, or refuse it with the place and the clause."""
    id = round.rules.chapter.id
    functions = _loaded.get(id)
    if functions is None:
        module = game(id)
        functions = _loaded[id] = (module.check, module.settle)
    functions[0](round)
    return functions[1](round)


def settle_json(text: bytes | str) -> SettlementOut:
    """One round from JSON, settled, in the shape that is written as JSON."""
    round = read_round(text)
    return settlement_out(round.rules.chapter.id, settle(round))
