"""A strategy as a picture's data: which high-card hands are played, what each setting is worth."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from houseway.cards import RANKS
from houseway.games.saigon.maths import ante as saigon_ante
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.maths import ante_play
from houseway.law import Rules
from houseway.maths import tallies
from houseway.maths.strategy_text import ranks_of


class Cell(msgspec.Struct, frozen=True):
    """Hands with these two highest cards: the third cards that are played, and some of the time."""

    high: str
    middle: str
    played: str
    sometimes: str
    folded: str

    @property
    def label(self) -> str:
        """For the picture: play, fold, or the lowest third card that is played."""
        if not self.folded and not self.sometimes:
            return "play"
        if not self.played and not self.sometimes:
            return "fold"
        lowest = (self.sometimes + self.played)[0]
        return f"{lowest}+" + ("*" if self.sometimes else "")


class Picture(msgspec.Struct, frozen=True):
    """A strategy to look at. One of `cells` and `worth` is there."""

    title: str
    says: str
    note: str
    #: high-card hands, from the highest
    cells: tuple[Cell, ...] = ()
    #: what each point count brings on average: label and value in units of the ante
    worth: tuple[tuple[str, Fraction], ...] = ()


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


def three_card_picture(rules: Rules, says: str) -> Picture:
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


def saigon_picture(rules: Rules, says: str) -> Picture:
    """What a hand brings on average when it is set to each point count."""
    pays = saigon_ante.payoffs(rules)
    tally = tallies.kinds()
    totals = [Fraction(0)] * 11
    hands = [0] * 11
    for counts, ways, dealer in zip(tally.counts, tally.ways, tally.dealer, strict=True):
        for state in counts or [0]:
            totals[state] += ways * saigon_ante.sumprod(pays.whole[state], dealer)
            hands[state] += ways
    scale = pays.part * saigon_ante.DEALER_HANDS
    worth = tuple(
        (
            "does not qualify" if state == 0 else f"point count {state}",
            totals[state] / hands[state] / scale,
        )
        for state in saigon_ante.STATES
    )
    return Picture(
        f"{rules.chapter.about.game}: what a setting brings",
        says,
        "On average over all hands that can be set so, per unit of ante.",
        worth=worth,
    )
