"""Random rounds of every game by kernel and by the game's own `settle`, card for card.

The short form runs always; `pytest -m full tests/simulate/test_random_rounds.py` plays two million
rounds and more.
"""

from __future__ import annotations

import numpy as np
import own_strategies
import pytest
from plain_rounds import (
    MARYLAND,
    MASSACHUSETTS,
    OWN,
    THREE_CARD_PRIME,
    by_game,
    by_kernel,
    down_under_round,
    ready,
    saigon_round,
    settle,
    three_card_round,
)

from houseway.games.saigon.hands import values
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, choose

OPTIONS = {
    MD: MARYLAND,
    MA: MASSACHUSETTS,
    PRIME: THREE_CARD_PRIME,
    SAIGON: [{"bonus": "A"}, {}],
    DOWN_UNDER: [
        {"match_the_dealer": True},
        {"decks": 8, "match_the_dealer": True, "dealer_soft_22": "counts_as_12"},
        {"decks": 4},
    ],
}
CHUNK = 1000


def differences(chapter: str, options: dict, players: int, rounds: int, seed: int) -> list:
    """Decks on which a kernel and its game do not agree."""
    rules = choose(chapter, options)
    players = min(players, rules.chapter.number("seats"))
    name = {MA: "any_way", SAIGON: "set_any_way", DOWN_UNDER: "hit_or_whatever"}
    decide = getattr(own_strategies, name.get(chapter, "play_or_fold"))
    game = ready(rules, players=players, strategy=f"{OWN}:{decide.__name__}")
    law = values(rules.chapter) if chapter == SAIGON else None
    pack = np.tile(np.arange(53 if chapter == SAIGON else 52), int(rules.options.get("decks", 1)))
    chance = np.random.default_rng(seed)
    found = []
    for begin in range(0, rounds, CHUNK):
        decks = chance.permuted(np.tile(pack, (min(CHUNK, rounds - begin), 1)), axis=1)
        if chapter == DOWN_UNDER:
            decks = decks[:, :120]
        elif chapter == SAIGON:
            decks = decks[:, : 5 + 5 * players]
        else:
            decks = decks[:, : game.kernel.table.cards]
        for deck, mine in zip(decks.tolist(), by_kernel(game, decks), strict=True):
            if chapter == DOWN_UNDER:
                round = down_under_round(game, deck, decide, insures=False)[0]
            elif law is not None:
                round = saigon_round(game, deck, lambda hand: decide(hand, law.settings(hand)))
            else:
                round = three_card_round(game, deck, decide)
            if (mine != by_game(game, settle(round))).any():
                found.append(deck)
    return found


@pytest.mark.parametrize(
    ("alone", "full_tables"),
    [
        pytest.param(600, 150, marks=pytest.mark.slow),
        pytest.param(400_000, 40_000, marks=pytest.mark.full),
    ],
)
@pytest.mark.parametrize("chapter", OPTIONS)
def test_kernels_and_games_agree_on_random_rounds(chapter, alone, full_tables):
    choices = OPTIONS[chapter]
    for number, options in enumerate(choices):
        for players, rounds in ((1, alone), (7, full_tables)):
            assert differences(chapter, options, players, rounds // len(choices), number) == []
