"""The exact figure beside each estimate, for the strategy that is played, or the reason for none."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

from houseway.games.paying import best_pay
from houseway.law import DOWN_UNDER, MD, SAIGON
from houseway.maths import tallies
from houseway.maths.ante_play import Strategy, payoffs, qualifying_value
from houseway.maths.counts import FIVE, FIVE_PAID
from houseway.maths.faces import Five, Three
from houseway.maths.figures import Spread
from houseway.maths.par import Asked, entries_of
from houseway.maths.progressive import Progressive
from houseway.maths.wagers import (
    THREE_EXAMPLES,
    five_cards,
    three_cards,
    three_names,
)
from houseway.money import dollars
from houseway.simulate import strategies
from houseway.simulate.plan import one_hand
from houseway.simulate.playing import Playing


@dataclass(frozen=True)
class Exact:
    """A mean net result in units of the stake, and its variance where that is known."""

    mean: Fraction
    variance: Fraction | None = None


def exact(game: Playing, position: int, wager: str) -> Exact | None:
    """What one wager of one position is worth a round; None where mathematics has no one number.

    A payout limit counts all wagers of a player together, so with a limit that can be reached there
    is none.
    """
    limit = game.rules.options.get("payout_limit", "none")
    if limit != "none" and int(game.table.limited[position].max(axis=1).sum()) > int(limit):
        return None
    return _exact(game.plan.encode(), position, wager)


@lru_cache(maxsize=256)
def _exact(encoded: bytes, position: int, wager: str) -> Exact | None:
    from houseway.simulate.playing import playing

    game = playing(encoded)
    stakes = game.plan.stakes[position]
    if wager == "ante_play" or (wager == "ante" and game.plan.chapter == SAIGON):
        return _of(_ante(game))
    if wager == "bet":
        from houseway.maths.blackjack.exact import exact_value

        # only a fresh shoe has one composition; what the cover card changes is measured
        if game.table.cover:
            return None
        taken = _even_money(game) if game.plan.insures else Fraction(0)
        return Exact(exact_value(game.strategy) + taken)
    if wager in ("envy", "five_card_envy"):
        return _envy(game, position) if wager == "envy" else None
    if wager in ("pair_plus", "progressive", "five_card_progressive") and (
        game.plan.chapter == MD or wager != "pair_plus"
    ):
        return _kept(game, position, wager)
    if game.plan.chapter == DOWN_UNDER and game.table.cover:
        return None
    if wager == "insurance":
        return Exact(_insurance(game))
    asked = Asked(
        game.rules.chapter,
        game.rules,
        (stakes[wager],),
        (game.table.dealt,) if wager == "cover_all" else (),
        game.plan.meters,
    )
    entries = entries_of(asked, wager)
    spreads = [entry.spread for entry in entries if entry.spread is not None]
    return _of(spreads[0]) if len(spreads) == 1 else None


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


def _of(spread: Spread) -> Exact:
    return Exact(spread.mean, spread.variance)


def _ante(game: Playing) -> Spread:
    """The standard game under the strategy that is played."""
    if game.plan.chapter == SAIGON:
        from houseway.games.saigon_hands import values
        from houseway.maths import saigon_ante
        from houseway.simulate.saigon_kernel import sets

        worth = strategies._saigon_values(game.rules)  # noqa: SLF001
        law = values(game.rules.chapter)
        chosen = {}
        for _, hand in sets():
            setting = game.strategy(hand, law.settings(hand))
            state = setting.point_count if setting.qualifies else 0
            chosen[tuple(sorted(worth[card] for card in hand))] = state
        states = tuple(chosen[tuple(kind)] for kind in tallies.kinds().values)
        return saigon_ante.Settings(saigon_ante.payoffs(game.rules), states).spread
    played = strategies.played_rows(game.strategy)
    return Strategy(payoffs(one_hand(game.rules)), played).spread


def _kept(game: Playing, position: int, wager: str) -> Exact:
    """A wager on the player's own cards that a fold may take with it."""
    rules = game.rules
    stake, table = game.plan.stakes[position][wager], rules.table(wager)
    folds = (
        rules.chapter.id == MD or not rules.options.get("folded_hands_win_progressive", True)
    ) and bool(game.table.decides[position])
    kept = strategies.played_rows(game.strategy) if folds else None
    qualifies = qualifying_value(rules)
    outcomes = five_cards() if wager == "five_card_progressive" else three_cards()
    one = Progressive(wager, table, stake, outcomes)
    if wager == "five_card_progressive":
        nets = [one.net((name,), game.plan.meters) for name in FIVE[:FIVE_PAID]]
        face: Five | Three = Five(qualifies, nets, kept)
    else:
        by_name = {name: one.net(three_names(name), game.plan.meters) for name in THREE_EXAMPLES}
        face = Three(qualifies, by_name, kept)
    mean = face.mean()
    return Exact(mean, face.square() - mean**2)


def _envy(game: Playing, position: int) -> Exact | None:
    """Each other player's hand is as likely a mini royal as any."""
    plan = game.plan
    if plan.owners != list(range(len(plan.stakes))) or plan.on_hand != plan.owners:
        return None
    stake = plan.stakes[position]["progressive"]
    table = game.rules.table("envy", dollars(stake) if plan.chapter == MD else "any")
    mean = Fraction(0)
    counts = tallies.three_card_hands()
    for name, ways in counts.items():
        found = best_pay(table, three_names(name))
        if found is not None:
            mean += Fraction(ways, comb(52, 3)) * found.odds.value / stake
    return Exact(mean * (len(plan.stakes) - 1))
