"""The best play of the ante as a picture: which high-card hands are played."""

from __future__ import annotations

from houseway.cards import RANKS
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.maths import ante_play
from houseway.games.three_card.maths.counting import tallies
from houseway.games.three_card.maths.hand_text import ranks_of
from houseway.law import Rules
from houseway.maths.strategy_view import Cell, Picture


def high_card_cells(best: ante_play.Strategy) -> tuple[Cell, ...]:
    """Every two highest cards of a hand without a pair, straight or flush."""
    tally = tallies.duel(best.pays.qualifies)
    seen: dict[tuple[int, int], dict[int, list[bool]]] = {}
    for row, value in enumerate(tally.value):
        if value // 13**3 == three_card.HIGH_CARD:
            high, middle, low = ranks_of(value)
            seen.setdefault((high, middle), {}).setdefault(low, []).append(best.played[row])
    found = []
    for (high, middle), lows in sorted(seen.items(), reverse=True):
        said = {low: (all(plays), any(plays)) for low, plays in sorted(lows.items())}
        found.append(
            Cell(
                RANKS[high],
                RANKS[middle],
                "".join(RANKS[low] for low, (every, _) in said.items() if every),
                "".join(RANKS[low] for low, (every, some) in said.items() if some and not every),
                "".join(RANKS[low] for low, (_, some) in said.items() if not some),
            )
        )
    return tuple(found)


def picture(rules: Rules, says: str) -> Picture:
    """The grid of high-card hands; every pair or better is played or the words say otherwise."""
    best = ante_play.strategy(ante_play.payoffs(rules))
    cells = high_card_cells(best)
    higher = all(
        best.played[row]
        for outcome, rows in tallies.groups(best.pays.qualifies)
        if outcome != "high_card"
        for row in rows
    )
    note = "Every pair, flush, straight or better is played." if higher else ""
    if any(cell.sometimes for cell in cells):
        note += " An asterisk: it depends on the suits."
    return Picture(f"{rules.chapter.about.game}: play or fold", says, note.strip(), cells)
