"""What the wagers of Down Under Blackjack are worth exactly, dealt from fresh shoes."""

from __future__ import annotations

from fractions import Fraction

from houseway.games.down_under.maths.outcomes import AceUp
from houseway.games.down_under.maths.solver.exact import exact_value
from houseway.games.down_under.simulation.kernel import Table
from houseway.simulate.kernels.kernel import CompiledKernel
from houseway.simulate.prepared import Playing
from houseway.simulate.results.exact import Exact, of_par_sheet


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


def _even_money(game: Playing) -> Fraction:
    """What even money changes: a blackjack under an ace is paid at once, whatever lies there."""
    shoe = AceUp(game.rules["decks"])
    now = game.rules.table("even_money")["win"].odds.value
    waits = game.rules.table("bet")["blackjack"].odds.value * (1 - shoe.ten_then)
    return shoe.blackjack * (now - waits)


def insured_in(game: Playing) -> Fraction:
    """In what part of the rounds insurance is made: an ace is up, and the hand is no blackjack."""
    return AceUp(game.rules["decks"]).insured


def _insurance(game: Playing) -> Fraction:
    """Under every ace, an ace being up in one round of thirteen, but for blackjacks: those take
    even money.
    """
    shoe = AceUp(game.rules["decks"])
    return shoe.insured * shoe.beside_other_hands(game.rules.table("insurance")["win"].odds.value)
