"""What the wagers of three-card games are worth exactly, as they are played."""

from __future__ import annotations

from fractions import Fraction

from houseway.game_api import poker
from houseway.game_api.payouts import best_pay
from houseway.games.three_card.maths.ante_play import Strategy, payoffs, qualifying_value
from houseway.games.three_card.maths.counts import FIVE, FIVE_PAID
from houseway.games.three_card.maths.outcomes import (
    THREE_EXAMPLES,
    five_cards,
    three_cards,
    three_names,
)
from houseway.games.three_card.maths.wager_models import Five, Three
from houseway.games.three_card.simulation.codes import Table
from houseway.games.three_card.simulation.prepare import ThreeCardKernel
from houseway.games.three_card.simulation.strategies import rows, rows_where
from houseway.games.three_card.simulation.tables import envy_table
from houseway.maths.progressive import Progressive
from houseway.money import Cents
from houseway.simulate.exact import Exact, of_par_sheet
from houseway.simulate.prepared import Playing


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
    stake, table = game.plan.stakes[position][wager], rules.table(wager)
    stands = ["play"]
    if not rules.forfeited_by_fold(wager):
        stands.append("fold")  # only a hand given up unseen loses it
    kept = _rows(game, position, *stands)
    qualifies = qualifying_value(rules)
    one = Progressive(wager, table, stake, five_cards() if five else three_cards())
    if five:
        nets = [one.net((name,), game.plan.meters) for name in FIVE[:FIVE_PAID]]
        face: Five | Three = Five(qualifies, nets, kept)
    else:
        by_name = {name: one.net(three_names(name), game.plan.meters) for name in THREE_EXAMPLES}
        face = Three(qualifies, by_name, kept)
    mean = face.mean()
    return Exact(mean, face.square() - mean**2)


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
    holder decides. How they go together is not worked out, so there is no variance.
    """
    plan, rules = game.plan, game.rules
    if plan.on_hand != plan.owners:
        # in the electronic version everybody is on every hand, so that nobody's is another's
        decides = _table(game).decides
        alike = bool(decides.all() or not decides.any())
        return Exact(Fraction(0), Fraction(0)) if alike else None
    qualifies = qualifying_value(rules)
    mean = Fraction(0)
    for other in range(game.positions):
        if other == position:
            continue
        kept = _rows(game, other, "play")
        if wager == "envy":
            stake = plan.stakes[position]["progressive"]
            table = envy_table(rules, stake)
            nets = {}
            for name in THREE_EXAMPLES:
                found = best_pay(table, three_names(name))
                nets[name] = (found.odds.value / stake if found else Fraction(0)) - 1
            mean += Three(qualifies, nets, kept).mean() + 1
        else:
            stake = plan.stakes[position]["five_card_progressive"]
            awards = _table(game).five_envy[position].tolist()
            if any(awards[FIVE_PAID:]):
                return None  # nothing counts two pair and less among five cards
            five = [
                Fraction(awards[poker.NAMES.index(name)], stake) - 1 for name in FIVE[:FIVE_PAID]
            ]
            mean += Five(qualifies, five, kept).mean() + 1
    return Exact(mean)
