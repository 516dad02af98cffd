"""The aggregate payout limit: the most that one player is paid in a round.

It counts what is paid beyond the stakes, over all wagers and all boxes of one player, in the order
of settlement. Once it is reached, further payments are cut. An outcome that the chapter exempts is
paid in full and does not count toward the limit.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from houseway.errors import Refused
from houseway.game_api.round import Line
from houseway.law import PRIME, SAIGON, Rules, cites
from houseway.money import Cents, spoken


def covered(rules: Rules, line: Line) -> bool:
    """Whether a payment counts toward a limit under these rules."""
    spares = rules.chapter.about.facts.get("payout_limit_spares")
    return not (spares and isinstance(spares.value, tuple) and line.outcome in spares.value)


class PayoutLimit:
    """How much more each player of one round may be paid."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        most = rules["payout_limit"]
        self._most: Cents | None = None if most == "none" else most
        self._left: dict[str, Cents] = {}

    @cites(PRIME, "679a.12(h)")
    @cites(SAIGON, "680a.12(d)")
    def pay(self, player: str, line: Line) -> Line:
        """Return the line as it is paid; a line that is cut cites the clause of the limit."""
        if self._most is None or line.paid <= 0 or not covered(self._rules, line):
            return line
        left = self._left.get(player, self._most)
        paid = min(line.paid, left)
        self._left[player] = left - paid
        if paid == line.paid:
            return line
        clause = self._rules.chapter.options["payout_limit"].clause
        return msgspec.structs.replace(line, paid=paid, clause=clause)

    def pay_all(self, player: str, lines: tuple[Line, ...]) -> tuple[Line, ...]:
        """Return the lines of a player as they are paid, in their order."""
        return lines if self._most is None else tuple([self.pay(player, line) for line in lines])


def won(rules: Rules, lines: Iterable[Line]) -> Cents:
    """What the lines of one player pay, as a limit counts it."""
    return sum(line.paid for line in lines if line.paid > 0 and covered(rules, line))


def minimum(rules: Rules, wager: str) -> Cents:
    """The least that may be wagered: the posted minimum, or the smallest chip that can be paid."""
    limit = rules.limits.get(wager)
    return limit.min if limit and limit.min else rules.step(wager)


@cites(PRIME, "679a.12(h)")
@cites(SAIGON, "680a.12(d)")
def check_limit(rules: Rules, most_at_minimums: Cents) -> None:
    """Refuse a limit that could cut the winnings of a player with minimum wagers on one box."""
    limit = rules["payout_limit"]
    if limit != "none" and limit < most_at_minimums:
        raise Refused(
            "below_minimum",
            f"payout_limit is {spoken(limit)}, but the table minimums alone can win "
            f"{spoken(most_at_minimums)}",
            clause=rules.chapter.options["payout_limit"].clause,
            field="rules.payout_limit",
        )
