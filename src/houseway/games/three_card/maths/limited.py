"""Three Card Prime under a payout limit: every deal by what all wagers of a seat come to.

Rows of the duel, colors, twos and six-card hands are counted by `tallies`; here they are put together
as one deal, so that the limit can cut the sum of what is paid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from houseway.game_api.payouts import best_pay
from houseway.games.three_card.maths import ante_play
from houseway.games.three_card.maths.counting import tallies
from houseway.games.three_card.maths.counting.counts import COLUMNS, SIX
from houseway.games.three_card.maths.entries import NOT_TWO
from houseway.games.three_card.maths.outcomes import six_names, three_names
from houseway.games.three_card.maths.wager_models import UNSEEN
from houseway.law import Paytable, Rules
from houseway.maths.joint.covariance import Together
from houseway.maths.joint.limited import LimitedDeals, Settled, payout_limit, spared
from houseway.maths.wagers import beside
from houseway.money import Cents

#: what the Prime Wager may be paid for, by how many hands are of the player's color
_COLORS: tuple[tuple[str, ...], ...] = ((), ("same_color",), ("same_color_both", "same_color"))


class _Deal(NamedTuple):
    """Deals that are alike to every wager of Three Card Prime."""

    row: int
    column: int
    #: 0: the player's cards are of two colors; 1: of one; 2: the dealer's are of that color too
    colors: int
    #: the place in `SIX`; None: the six cards are nothing
    six: int | None
    two: bool
    ways: int


def _deals(qualifies: int) -> Iterator[_Deal]:
    """Every deal of both hands and a fourth card."""
    duel, more, splits = (
        tallies.duel(qualifies),
        tallies.primes(qualifies),
        tallies.splits(qualifies),
    )
    # for each color: deals, and the twos that the dealer holds in them
    rest = {}
    for row, ways in enumerate(duel.ways):
        one = more.one_color[row]
        for column in range(len(COLUMNS)):
            same, same_twos = more.same_color[row][column], more.same_color_twos[row][column]
            every, twos = duel.dealer[row][column], more.dealer_twos[row][column]
            rest[row, column] = [
                [(ways - one) * every, (ways - one) * twos],
                [one * (every - same), one * (twos - same_twos)],
                [one * same, one * same_twos],
            ]
    found: dict[tuple[int, int, int, int | None], tuple[int, int]] = {}
    for row, column, six, deals, twos, one, both, one_twos, both_twos in zip(
        splits.row, splits.column, splits.six, splits.deals, splits.twos, splits.one_color,
        splits.both_one_color, splits.one_color_twos, splits.both_one_color_twos, strict=True,
    ):  # fmt: skip
        parts = (
            (deals - one, twos - one_twos),
            (one - both, one_twos - both_twos),
            (both, both_twos),
        )
        for colors, (ways, held) in enumerate(parts):
            found[row, column, colors, six] = (ways, held)
            rest[row, column][colors][0] -= ways
            rest[row, column][colors][1] -= held
    for (row, column), by_color in rest.items():
        for colors, (ways, held) in enumerate(by_color):
            found[row, column, colors, None] = (ways, held)
    for (row, column, colors, at), (ways, held) in found.items():
        twos = (4 - more.twos[row]) * ways - held
        for two, count in ((True, twos), (False, UNSEEN * ways - twos)):
            if count:
                yield _Deal(row, column, colors, at, two, count)


def together(rules: Rules, stakes: Mapping[str, Cents], royal: str) -> Together:
    """The wagers at these stakes, by entry, as they are paid under the limit of the rules."""
    law, limit = rules.chapter, payout_limit(rules)
    assert limit is not None
    made = {wager.settled_on: wager for wager in law.about.wagers if wager.entry in stakes}
    duel = made["duel"]
    ante = stakes[duel.entry]
    best = ante_play.strategy(ante_play.payoffs(rules, ante))
    pays = ante_play.payoffs(rules)
    names = [name for name, rows in tallies.groups(pays.qualifies) for _ in rows]

    def paid(table: Paytable, hand: tuple[str, ...], stake: Cents) -> Settled:
        pay = best_pay(table, hand)
        if pay is None:
            return Settled(Fraction(stake), Fraction(0))
        return Settled(Fraction(0), stake * beside(pay.odds, stake), pay.hand not in spared(rules))

    def lines(deal: tuple[str, bool, int, int, int | None, bool]) -> list[Settled]:
        hand, played, column, colors, six, two = deal
        if played:
            settled = pays.lines[hand, column]
            won = Fraction(sum(line.paid for line in settled) * ante, pays.stake)
            found = [Settled(won - pays.nets[hand][column] * ante, won)]
        else:
            found = [Settled(-pays.fold * ante, Fraction(0))]
        for on, wager in made.items():
            stake = stakes[wager.entry]
            if on == "colors":
                found.append(paid(rules.table(wager.id), _COLORS[colors], stake))
            elif on == "fourth_card":
                table = rules.table(wager.id, None if two else NOT_TWO)
                found.append(paid(table, three_names(hand), stake))
            elif on == "six_cards":
                of_six = () if six is None else six_names(SIX[six], royal)
                found.append(paid(rules.table(wager.id), of_six, stake))
        return found

    alike: dict[tuple[str, bool, int, int, int | None, bool], int] = defaultdict(int)
    for row, column, colors, six, two, ways in _deals(pays.qualifies):
        alike[names[row], best.played[row], column, colors, six, two] += ways
    deals = LimitedDeals({wager.entry: stakes[wager.entry] for wager in made.values()}, limit)
    for deal, ways in alike.items():
        deals.add(ways, lines(deal))
    return deals.together()
