"""What the wagers of three-card games are worth exactly, as they are played."""

from __future__ import annotations

from fractions import Fraction

from houseway.game_api.payouts import best_pay
from houseway.games.three_card.maths.ante_play import Strategy, payoffs, qualifying_value
from houseway.games.three_card.maths.outcomes import (
    five_cards_kept,
    three_cards_kept,
    three_names,
)
from houseway.games.three_card.maths.progressives import envy_table
from houseway.games.three_card.simulation.codes import Table
from houseway.games.three_card.simulation.prepare import ThreeCardKernel
from houseway.games.three_card.simulation.strategies import rows, rows_where
from houseway.law import Rules
from houseway.maths.progressive import Progressive
from houseway.maths.wagers import Outcomes
from houseway.money import Cents
from houseway.simulate.prepared import Playing
from houseway.simulate.results.exact import Exact, of_par_sheet


def exact(game: Playing, position: int, wager: str) -> Exact | None:
    """What a wager is worth in units of its stake; None where nothing counts it."""
    if wager == "coupon":
        return _coupon(game, position)
    if wager in ("envy", "five_card_envy"):
        return _envy(game, position, wager)
    settled_on = {one.entry: one.settled_on for one in game.rules.chapter.wagers.values()}[wager]
    if settled_on == "duel":
        played = rows_where(game.strategy, ("play",))
        return Exact.of(Strategy(payoffs(game.rules), played).spread)
    if settled_on in ("three_cards", "five_cards"):
        return _kept(game, position, wager, five=settled_on == "five_cards")
    if settled_on in ("six_cards", "all_hands") and not all(_rows(game, position, "play", "fold")):
        return None  # hands given up unseen take it with them, and nothing counts those deals
    players = (_table(game).dealt,) if settled_on == "all_hands" else ()
    return of_par_sheet(game, position, wager, players)


def _table(game: Playing) -> Table:
    assert isinstance(game.kernel, ThreeCardKernel)
    return game.kernel.table


def _kept(game: Playing, position: int, wager: str, *, five: bool) -> Exact:
    """A wager on the player's own cards that a fold may take with it."""
    rules = game.rules
    stands = ["play"]
    if not rules.forfeited_by_fold(wager):
        stands.append("fold")  # only a hand given up unseen loses it
    hands = _hands(rules, _rows(game, position, *stands), five=five)
    stake = game.plan.stakes[position][wager]
    one = Progressive(wager, rules.table(wager), stake, hands)
    return Exact.of(one.spread(game.plan.meters))


def _hands(rules: Rules, kept: tuple[bool, ...], *, five: bool) -> Outcomes:
    """What hands come to that are kept in these rows of the duel: the sheet's own count."""
    count = five_cards_kept if five else three_cards_kept
    return count(qualifying_value(rules), kept)


def _coupon(game: Playing, position: int) -> Exact:
    """A coupon beside a wager is paid when that wins; in every deal that may come."""
    rules, plan = game.rules, game.plan
    pays = payoffs(rules)
    beside = plan.coupons[position]
    ways: dict[Cents, int] = {}
    value = sum(beside.values())
    pair_plus = rules.table("pair_plus")
    worth = rules.table("coupon", "match_play")["win"].odds.value
    seen = Strategy(pays, _rows(game, position, "play", "fold"))
    played = Strategy(pays, rows_where(game.strategy, ("play",)))
    for outcome, counts in played.counts.items():
        pair = beside.get("pair_plus", 0) if best_pay(pair_plus, three_names(outcome)) else 0
        for column, count in enumerate(counts[:-1]):
            lines = pays.lines.get((outcome, column), ())
            won = any(line.wager == "ante" and line.result == "win" for line in lines)
            amount = pair + (beside.get("ante", 0) if won else 0)
            ways[amount] = ways.get(amount, 0) + count
        forfeited = seen.counts[outcome][-1]
        for amount, count in ((pair, counts[-1] - forfeited), (0, forfeited)):
            ways[amount] = ways.get(amount, 0) + count
    every = sum(ways.values())
    mean = sum(Fraction(n * amount, every) for amount, n in ways.items()) * worth / value
    square = sum(Fraction(n * amount**2, every) for amount, n in ways.items())
    return Exact(mean, square * worth**2 / value**2 - mean**2)


def _rows(game: Playing, position: int, *decisions: str) -> tuple[bool, ...]:
    """Rows of the duel on which one of these is decided; without an ante nothing is given up."""
    if not _table(game).decides[position]:
        return (True,) * (len(rows()) + 1)
    return rows_where(game.strategy, decisions)


def _envy(game: Playing, position: int, wager: str) -> Exact | None:
    """What the hands of all others are worth to this player, each as likely as any and kept as its
    holder decides. Their covariance is not computed, so there is no variance.
    """
    plan, rules = game.plan, game.rules
    if plan.on_hand != plan.owners:
        # in the electronic version everybody is on every hand, so no hand belongs to one player
        decides = _table(game).decides
        alike = bool(decides.all() or not decides.any())
        return Exact(Fraction(0), Fraction(0)) if alike else None
    five = wager == "five_card_envy"
    made = rules.chapter.wagers["five_card_progressive" if five else "progressive"]
    stake = plan.stakes[position][made.id]
    table = envy_table(rules, made, stake)
    mean = Fraction(0)
    for other in range(game.positions):
        if other != position and table is not None:
            hands = _hands(rules, _rows(game, other, "play"), five=five)
            mean += Progressive(
                made.id, rules.table(made.id), stake, hands, envy=table
            ).envy_moment()
    return Exact(mean)
