"""What the wagers of Down Under Blackjack are worth exactly, dealt from fresh shoes."""

from __future__ import annotations

from fractions import Fraction

from houseway.games.down_under.maths.exact import exact_value
from houseway.games.down_under.simulation.kernel import Table
from houseway.simulate.exact import Exact, of_par_sheet
from houseway.simulate.kernel import CompiledKernel
from houseway.simulate.prepared import Playing


def cover_of(game: Playing) -> int:
    """How many cards lie before the cover card; 0 for a fresh shoe every round."""
    assert isinstance(game.kernel, CompiledKernel)
    table = game.kernel.table
    assert isinstance(table, Table)
    return table.cover


def exact(game: Playing, position: int, wager: str) -> Exact | None:
    """What a wager is worth in units of its stake; None from a shoe that lasts for many rounds."""
    # only a fresh shoe has one composition; what the cover card changes is measured
    if cover_of(game):
        return None
    if wager == "bet":
        taken = _even_money(game) if game.plan.insures else Fraction(0)
        return Exact(exact_value(game.strategy) + taken)
    if wager == "insurance":
        return Exact(_insurance(game))
    return of_par_sheet(game, position, wager)


class _Shoe:
    """Chances in a whole shoe: the player's blackjack under an ace, and a ten beneath it."""

    def __init__(self, decks: int) -> None:
        cards, aces, tens = 52 * decks, 4 * decks, 16 * decks
        self.ten = Fraction(tens, cards - 1)
        self.blackjack = Fraction(2 * aces * tens * (aces - 1), cards * (cards - 1) * (cards - 2))
        self.ten_then = Fraction(tens - 1, cards - 3)


def _even_money(game: Playing) -> Fraction:
    """What even money changes: a blackjack under an ace is paid at once, whatever lies there."""
    shoe = _Shoe(game.rules["decks"])
    now = game.rules.table("even_money")["win"].odds.value
    waits = game.rules.table("bet")["blackjack"].odds.value * (1 - shoe.ten_then)
    return shoe.blackjack * (now - waits)


def _insurance(game: Playing) -> Fraction:
    """Under every ace, an ace being up in one round of thirteen, but for blackjacks: those take
    even money.
    """
    shoe = _Shoe(game.rules["decks"])
    pays = game.rules.table("insurance")["win"].odds.value

    def worth(ten: Fraction) -> Fraction:
        return ten * pays - (1 - ten)

    return worth(shoe.ten) / 13 - shoe.blackjack * worth(shoe.ten_then)
