"""The exact figure beside each estimate, for the strategy that is played, or the reason for none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

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
from houseway.law import DOWN_UNDER, MA, MD, SAIGON, Rules
from houseway.maths.figures import Spread
from houseway.maths.par import Asked, entries_of
from houseway.maths.progressive import Progressive
from houseway.money import Cents, dollars
from houseway.simulate import strategies
from houseway.simulate.prepared import Playing


@dataclass(frozen=True)
class Exact:
    """A mean net result in units of the stake, and its variance where that is known."""

    mean: Fraction
    variance: Fraction | None = None


def exact(game: Playing, position: int, wager: str) -> Exact | None:
    """What one wager of one position is worth a round; None where mathematics has no one number.

    It is the wager's own, before a payout limit, which counts all wagers of a player together; and
    so are the estimates beside it. What the limit takes is measured by seat.
    """
    return _exact(game.plan.encode(), position, wager)


@lru_cache(maxsize=256)
def _exact(encoded: bytes, position: int, wager: str) -> Exact | None:
    from houseway.simulate.prepared import playing

    game = playing(encoded)
    stakes = game.plan.stakes[position]
    if wager == "ante_play" or (wager == "ante" and game.plan.chapter == SAIGON):
        return _of(_ante(game, position))
    if wager == "bet":
        from houseway.games.down_under.maths.exact import exact_value

        # only a fresh shoe has one composition; what the cover card changes is measured
        if game.table.cover:
            return None
        taken = _even_money(game) if game.plan.insures else Fraction(0)
        return Exact(exact_value(game.strategy) + taken)
    if wager == "coupon":
        return _coupon(game, position)
    if wager in ("envy", "five_card_envy"):
        return _envy(game, position, wager)
    if wager in ("pair_plus", "progressive", "five_card_progressive"):
        return _kept(game, position, wager)
    if wager in ("six_card_bonus", "cover_all") and not all(_rows(game, position, "play", "fold")):
        return None  # hands given up unseen take it with them, and nothing counts those deals
    if game.plan.chapter == DOWN_UNDER and game.table.cover:
        return None
    if wager == "insurance":
        return Exact(_insurance(game))
    asked = Asked(
        game.rules.chapter,
        without_limit(game.rules),
        (stakes[wager],),
        (game.table.dealt,) if wager == "cover_all" else (),
        game.plan.meters,
    )
    entries = entries_of(asked, wager)
    spreads = [entry.spread for entry in entries if entry.spread is not None]
    return _of(spreads[0]) if len(spreads) == 1 else None


def without_limit(rules: Rules) -> Rules:
    """The rules as each wager is posted: a limit is no wager's own (see `limit_exact`)."""
    if rules.options.get("payout_limit", "none") == "none":
        return rules
    return replace(rules, options={**rules.options, "payout_limit": "none"})


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


def _ante(game: Playing, position: int) -> Spread:
    """The standard game under the strategy that is played."""
    if game.plan.chapter == SAIGON:
        from houseway.games.saigon.maths.ante import DEALS
        from houseway.games.saigon.simulation_exact import deals

        net, stake = game.net[position, 0].tolist(), game.plan.stakes[position]["ante"]
        ways: dict[Fraction, int] = {}
        for (code, _), count in deals(game.plan.encode()).items():
            came = Fraction(net[code], stake)
            ways[came] = ways.get(came, 0) + count
        return Spread(ways, DEALS)
    played = strategies.played_rows(game.strategy)
    return Strategy(payoffs(game.rules), played).spread


def _kept(game: Playing, position: int, wager: str) -> Exact:
    """A wager on the player's own cards that a fold may take with it."""
    rules = game.rules
    stake, table = game.plan.stakes[position][wager], rules.table(wager)
    stands = ["play"]
    if rules.chapter.id == MA and (wager == "pair_plus" or rules["folded_hands_win_progressive"]):
        stands.append("fold")  # only a hand given up unseen loses it
    kept = _rows(game, position, *stands)
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
    played = Strategy(pays, strategies.played_rows(game.strategy))
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
    if not game.table.decides[position]:
        return (True,) * len(strategies.played_rows(game.strategy))
    return strategies.rows_where(game.strategy, decisions)


def _envy(game: Playing, position: int, wager: str) -> Exact | None:
    """What the hands of all others are worth to this player, each as likely as any and kept as its
    holder decides. How they go together is not worked out, so there is no variance.
    """
    plan, rules = game.plan, game.rules
    if plan.on_hand != plan.owners:
        # in the electronic version everybody is on every hand, so that nobody's is another's
        alike = bool(game.table.decides.all() or not game.table.decides.any())
        return Exact(Fraction(0), Fraction(0)) if alike else None
    qualifies = qualifying_value(rules)
    mean = Fraction(0)
    for other in range(game.positions):
        if other == position:
            continue
        kept = _rows(game, other, "play")
        if wager == "envy":
            stake = plan.stakes[position]["progressive"]
            table = rules.table("envy", dollars(stake) if plan.chapter == MD else "any")
            nets = {}
            for name in THREE_EXAMPLES:
                found = best_pay(table, three_names(name))
                nets[name] = (found.odds.value / stake if found else Fraction(0)) - 1
            mean += Three(qualifies, nets, kept).mean() + 1
        else:
            stake = plan.stakes[position]["five_card_progressive"]
            awards = game.table.five_envy[position].tolist()
            if any(awards[FIVE_PAID:]):
                return None  # nothing counts two pair and less among five cards
            five = [
                Fraction(awards[poker.NAMES.index(name)], stake) - 1 for name in FIVE[:FIVE_PAID]
            ]
            mean += Five(qualifies, five, kept).mean() + 1
    return Exact(mean)
