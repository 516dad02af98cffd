"""How players of three-card games decide: the best way, named alternatives, and custom strategies.

A custom function is called as `decide(cards)` for one hand of all that differ by the names of suits
alone; it answers `"play"` or `"fold"`, and `"forfeit"` where a hand can be given up unseen. A file has
`play_from = "Q64"`: that hand or better is played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from houseway.cards import RANKS, Card
from houseway.errors import Refused
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.maths.ante_play import payoffs, qualifying_value
from houseway.games.three_card.maths.ante_play import strategy as best_strategy
from houseway.games.three_card.maths.counting.duel import Patterns
from houseway.games.three_card.maths.counting.six_cards import Threes
from houseway.games.three_card.maths.counting.tallies import QUEEN_HIGH
from houseway.law import Rules
from houseway.simulate.strategies import answer, file_at, function_at, is_file, is_function, unknown

Decide = Callable[[tuple[Card, ...]], str]


def strategy(rules: Rules, name: str) -> Decide:
    """Play, fold or forfeit, for any three cards."""
    if is_file(name) or is_function(name):
        unseen = any(wager.on_unseen_forfeit for wager in rules.chapter.wagers.values())
        allowed = ("play", "fold", "forfeit") if unseen else ("play", "fold")
        ask = _from(name) if is_file(name) else function_at(name)
        return lambda hand: str(answer(name, ask, allowed, hand))
    if name == "optimal":
        played = best_strategy(payoffs(rules)).played
        return lambda hand: "play" if played[rows_of([hand])[0]] else "fold"
    least = {
        "always_play": 0,
        "play_any_queen": QUEEN_HIGH,
        "mimic_the_dealer": qualifying_value(rules),
    }.get(name)
    if least is None:
        raise unknown(rules, name)
    return lambda hand: "play" if three_card.value(hand) >= least else "fold"


def _from(name: str) -> Decide:
    """`play_from = "Q64"`: that hand or better."""
    given = file_at(name)
    text = str(given.get("play_from", ""))
    ranks = [RANKS.find(rank) for rank in text.upper().replace("10", "T") if rank.isalnum()]
    if set(given) != {"play_from"} or len(ranks) != 3 or min(ranks) < 0:
        raise Refused(
            "no_such_strategy", f'{name}: write play_from = "Q64"', field="strategy.play_from"
        )
    least = three_card.value([Card(4 * rank + suit) for suit, rank in enumerate(ranks)])
    return lambda hand: "play" if three_card.value(hand) >= least else "fold"


@cache
def rows() -> tuple[tuple[Card, ...], ...]:
    """A hand for each row of the exact mathematics' duel."""
    return tuple(tuple(map(Card, hand)) for hand in Patterns().cards.tolist())


@cache
def _threes() -> Any:
    return Threes()


def rows_of(hands: Sequence[Sequence[Card]]) -> list[int]:
    """The rows of hands in any order."""
    threes = _threes()
    found: list[int] = threes.row[threes.number(np.sort(np.array(hands), axis=1))].tolist()
    return found


def rows_where(decide: Decide, decisions: Sequence[str]) -> tuple[bool, ...]:
    """The rows of the duel on which one of these is decided; the last again, for spades."""
    every = rows()
    return tuple(decide(hand) in decisions for hand in (*every, every[-1]))
