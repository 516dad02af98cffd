"""Ante and play: what every hand is worth played and folded, and the best of both.

How a round is settled is not written here again. The game's own `settle` is asked once for each
three-card outcome of the player and each column of the duel, with one example of each; what it
pays there it pays in every such round. A fold is asked for too. The optimal strategy is then found
by comparing play and fold for every suit pattern of a player's hand against all dealer's hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from math import comb, lcm

import msgspec

from houseway.cards import RANKS, Card, cards
from houseway.game_api.payouts import best_pay
from houseway.game_api.round import Line, Round, Seat
from houseway.game_api.settle import RULES
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.maths.counting import tallies
from houseway.games.three_card.maths.counting.counts import COLUMNS
from houseway.games.three_card.maths.outcomes import THREE_EXAMPLES, three_names
from houseway.law import Chapter, Pay, Paytable, Rules
from houseway.maths.figures import Spread
from houseway.maths.paytables.rows import rows_of
from houseway.maths.wagers import beside
from houseway.money import Cents, odds

DEALER_HANDS = comb(49, 3)
DEALS = comb(52, 3) * DEALER_HANDS

#: Hands of every outcome, low and high, in suits enough that any two outcomes can meet.
_EXAMPLES = (
    "5c 3d 2h", "Jc 9d 7h", "Jd 9h 7s", "Qc 8d 6h", "Ac Jd 9h", "Ad Jh 9s",
    "2c 2d 3h", "9c 9d 4h", "9h 9s 4d", "Ac Ad Kh",
    "5c 3c 2c", "Ac Jc 9c", "Ad Jd 9d",
    "2c 3d 4h", "9c Td Jh", "9d Th Js", "Qc Kd Ah",
    "2c 2d 2h", "9c 9d 9h", "Ac Ad Ah",
    "2c 3c 4c", "9c Tc Jc", "9d Td Jd", "Jc Qc Kc",
    "Ac Kc Qc", "Ad Kd Qd", "As Ks Qs",
)  # fmt: skip


def qualifying_value(rules: Rules) -> int:
    """The least value with which the dealer qualifies."""
    return three_card.least(RANKS.index(str(rules.chapter.fact("qualifies_with").value)))


def bonus_option(law: Chapter) -> str:
    """The option that chooses what is paid as a bonus on ante and play."""
    duel = [wager.id for wager in law.about.wagers if wager.settled_on == "duel"]
    return next(
        bonus.option
        for bonus in law.about.bonuses
        if bonus.beside in duel and bonus.option == bonus.id
    )


@cache
def _meetings(qualifies: int) -> dict[tuple[str, int], tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """An example of player's and dealer's hand for each outcome and column that can meet."""
    found: dict[tuple[str, int], tuple[tuple[Card, ...], tuple[Card, ...]]] = {}
    hands = [cards(text) for text in _EXAMPLES]
    for mine in hands:
        value = three_card.value(mine)
        outcome = three_card.outcomes(mine, value)[0]
        for dealer in hands:
            other = three_card.value(dealer)
            column = 3 * (other >= qualifies) + (other >= value) + (other > value)
            if not set(mine) & set(dealer):
                found.setdefault((outcome, column), (mine, dealer))
    return found


class Payoffs(msgspec.Struct, frozen=True, dict=True):
    """What the game pays, in units of the ante, and how it says so.

    `nets` has a line for each three-card outcome and a place for each column of the duel; `lines`
    has the result of each wager there.
    """

    nets: Mapping[str, tuple[Fraction, ...]]
    fold: Fraction
    lines: Mapping[tuple[str, int], tuple[Line, ...]]
    stake: int
    qualifies: int


def payoffs(rules: Rules, at: Cents | None = None) -> Payoffs:
    """Ask the game what it pays in every case, a hand by itself.

    So without a payout limit; with a stake, `at`, the limit cuts what that wins. In the electronic
    version each hand is settled as an ordinary one.
    """
    alone: dict[str, object] = {"electronic": False}
    if at is None:
        alone["payout_limit"] = "none"
    alone = {name: value for name, value in alone.items() if name in rules.options}
    rules = replace(rules, options={**rules.options, **alone})
    tables = [table for wager in _TABLES for table in rules.tables(wager)]
    parts = (p.odds.value.denominator for table in tables for p in table.pays.values())
    stake = at or 100 * lcm(*parts)
    settle = RULES.of(rules.chapter).settle

    def lines(mine: tuple[Card, ...], dealer: tuple[Card, ...], decision: str) -> tuple[Line, ...]:
        seat = Seat(1, {"ante": stake}, mine, decision)
        found: tuple[Line, ...] = settle(Round(rules, dealer, (seat,))).seats[0].lines
        return found

    qualifies = qualifying_value(rules)
    settled = {
        place: lines(mine, dealer, "play") for place, (mine, dealer) in _meetings(qualifies).items()
    }
    nets = {
        outcome: tuple(
            Fraction(sum(line.net for line in settled.get((outcome, column), ())), stake)
            for column in range(len(COLUMNS))
        )
        for outcome in THREE_EXAMPLES
    }
    fold = lines(cards("5c 3d 2h"), cards("Ac Ad Ah"), "fold")
    return Payoffs(nets, Fraction(sum(line.net for line in fold), stake), settled, stake, qualifies)


#: The tables that pay a part of the ante and play game.
_TABLES = ("ante", "play", "ante_bonus", "bad_beat")


@cache
def _in_all(
    qualifies: int, outcome: str
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """For all hands of an outcome: deals in each column; the least and the most for one hand."""
    tally = tallies.duel(qualifies)
    rows = dict(tallies.groups(qualifies))[outcome]
    columns = list(zip(*(tally.dealer[row] for row in rows), strict=True))
    ways = [tally.ways[row] for row in rows]
    whole = tuple(sum(w * n for w, n in zip(ways, column, strict=True)) for column in columns)
    return whole, tuple(map(min, columns)), tuple(map(max, columns))


def _bound(nets: Sequence[Fraction], least: Sequence[int], most: Sequence[int]) -> Fraction:
    """No hand of the outcome brings less than this when it is played."""
    terms = zip(nets, least, most, strict=True)
    return sum((net * (low if net > 0 else high) for net, low, high in terms), Fraction(0))


@lru_cache(maxsize=4096)
def _worth(qualifies: int, outcome: str, nets: tuple[Fraction, ...], fold: Fraction) -> Fraction:
    """What all hands of an outcome bring together, each played or folded as is better."""
    whole, least, most = _in_all(qualifies, outcome)
    if _bound(nets, least, most) >= fold * DEALER_HANDS:
        return sum((net * n for net, n in zip(nets, whole, strict=True)), Fraction(0))
    tally = tallies.duel(qualifies)
    pays, folded, scale = _whole(nets, fold)
    total = 0
    for row in dict(tallies.groups(qualifies))[outcome]:
        total += tally.ways[row] * max(_dot(pays, tally.dealer[row]), folded)
    return Fraction(total, scale)


def _whole(nets: Sequence[Fraction], fold: Fraction) -> tuple[list[int], int, int]:
    """Payoffs as whole numbers of a common part: played, folded against all hands, the part."""
    scale = lcm(*(net.denominator for net in nets), fold.denominator)
    return [int(net * scale) for net in nets], int(fold * scale) * DEALER_HANDS, scale


def _dot(pays: Sequence[int], n: Sequence[int]) -> int:
    a, b, c, d, e, f = pays
    return a * n[0] + b * n[1] + c * n[2] + d * n[3] + e * n[4] + f * n[5]


def edge(pays: Payoffs) -> Fraction:
    """The house edge of one unit of ante under the best strategy."""
    total = sum(
        (_worth(pays.qualifies, outcome, nets, pays.fold) for outcome, nets in pays.nets.items()),
        Fraction(0),
    )
    return -total / DEALS


class Designer:
    """The ante and play game with one of its paytables left open.

    The game is asked what it pays with every row of the table there, and with no more than the
    rows that every such table has; a new table is then a matter of adding up. Where no hand of an
    outcome is better folded although its row pays nothing, none is when it pays more, and what the
    row adds is the payout times the deals that it is paid in.
    """

    def __init__(self, rules: Rules, wager: str) -> None:
        every, always = rows_of(rules.chapter, wager)
        self._with = payoffs(_with_table(rules, wager, every))
        self._without = payoffs(_with_table(rules, wager, always))
        qualifies, fold = self._with.qualifies, self._with.fold
        self._cases = []
        self._base = Fraction(0)
        for outcome in THREE_EXAMPLES:
            names = three_names(outcome)
            paid = tuple(
                any(line.wager == wager and line.outcome in names for line in lines)
                for lines in (self._with.lines.get((outcome, c), ()) for c in range(len(COLUMNS)))
            )
            bare = _worth(qualifies, outcome, self._without.nets[outcome], fold)
            if not any(paid):
                self._base += bare
                continue
            nets = self._with.nets[outcome]
            whole, least, most = _in_all(qualifies, outcome)
            never_folded = _bound(nets, least, most) >= fold * DEALER_HANDS
            deals = sum(n for n, p in zip(whole, paid, strict=True) if p) if never_folded else None
            worth = _worth(qualifies, outcome, nets, fold)
            self._cases.append((outcome, names, paid, bare, worth, deals))

    def edge(self, table: Paytable) -> Fraction:
        """The house edge when this table pays."""
        numerator, denominator = self._base.numerator, self._base.denominator
        for outcome, names, paid, bare, worth, deals in self._cases:
            found = best_pay(table, names)
            if found is None:
                add = bare
            else:
                more = beside(found.odds, 100)
                if deals is not None:
                    add = worth
                    numerator = numerator * more.denominator + more.numerator * deals * denominator
                    denominator *= more.denominator
                else:
                    nets = zip(
                        self._with.nets[outcome], self._without.nets[outcome], paid, strict=True
                    )
                    changed = tuple(net + more if p else other for net, other, p in nets)
                    add = _worth(self._with.qualifies, outcome, changed, self._with.fold)
            numerator = numerator * add.denominator + add.numerator * denominator
            denominator *= add.denominator
        return Fraction(-numerator, denominator * DEALS)


def _with_table(rules: Rules, wager: str, hands: Iterable[str]) -> Rules:
    """The same rules with a table that only gives stakes back."""
    pays = {hand: Pay(odds("0 to 1"), "", hand) for hand in hands}
    return replace(rules, own_tables={**rules.own_tables, wager: Paytable(wager, "own", "", pays)})


class Strategy(msgspec.Struct, frozen=True, dict=True):
    """Which rows of the duel are played, and the expected result."""

    pays: Payoffs
    played: tuple[bool, ...]

    @property
    def counts(self) -> Mapping[str, tuple[int, ...]]:
        """For each outcome the deals played in each column, and last those folded."""
        return _counts(self.pays.qualifies, self.played)

    @cached_property
    def spread(self) -> Spread:
        """Net results in units of the ante."""
        ways: dict[Fraction, int] = {}
        staked = 0
        for outcome, counts in self.counts.items():
            staked += 2 * sum(counts) - counts[-1]
            nets = (*self.pays.nets[outcome], self.pays.fold)
            for net, count in zip(nets, counts, strict=True):
                if count:
                    ways[net] = ways.get(net, 0) + count
        return Spread(ways, DEALS, Fraction(staked, DEALS))

    @cached_property
    def hands_played(self) -> int:
        tally = tallies.duel(self.pays.qualifies)
        return sum(w for w, played in zip(tally.ways, self.played, strict=True) if played)

    @cached_property
    def lowest(self) -> int:
        """The value of the lowest hand that is played."""
        values = tallies.duel(self.pays.qualifies).value
        return next(v for v, played in zip(values, self.played, strict=True) if played)

    @cached_property
    def exceptions(self) -> tuple[int, ...]:
        """Values at or above the lowest played of which some hand is folded."""
        values = tallies.duel(self.pays.qualifies).value
        return tuple(
            dict.fromkeys(
                v
                for v, played in zip(values, self.played, strict=True)
                if v >= self.lowest and not played
            )
        )


@lru_cache(maxsize=64)
def _counts(qualifies: int, played: tuple[bool, ...]) -> dict[str, tuple[int, ...]]:
    tally = tallies.duel(qualifies)
    found = {}
    for outcome, rows in tallies.groups(qualifies):
        counts = [0] * (len(COLUMNS) + 1)
        for row in rows:
            times = tally.ways[row]
            if played[row]:
                for column, count in enumerate(tally.dealer[row]):
                    counts[column] += times * count
            else:
                counts[-1] += times * DEALER_HANDS
        found[outcome] = tuple(counts)
    return found


def value_of_play(pays: Payoffs) -> list[Fraction]:
    """What each row of the duel is worth when it is played, in units of the ante."""
    tally = tallies.duel(pays.qualifies)
    return [
        sum(
            (net * count for net, count in zip(pays.nets[outcome], tally.dealer[row], strict=True)),
            Fraction(0),
        )
        / DEALER_HANDS
        for outcome, rows in tallies.groups(pays.qualifies)
        for row in rows
    ]


def strategy(pays: Payoffs, plays: Callable[[int], bool] | None = None) -> Strategy:
    """The optimal strategy; or the one that plays the values that `plays` says."""
    tally = tallies.duel(pays.qualifies)
    if plays is not None:
        return Strategy(pays, tuple(plays(value) for value in tally.value))
    played: list[bool] = []
    for outcome, rows in tallies.groups(pays.qualifies):
        whole, folded, _ = _whole(pays.nets[outcome], pays.fold)
        played.extend(_dot(whole, tally.dealer[row]) > folded for row in rows)
    return Strategy(pays, tuple(played))
