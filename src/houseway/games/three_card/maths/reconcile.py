"""The edge of ante and play with some of its results changed: for the published holds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from houseway.games.three_card.maths import ante_play
from houseway.games.three_card.maths.counting.counts import COLUMNS
from houseway.games.three_card.maths.outcomes import three_names
from houseway.law import Chapter
from houseway.law.switches import Resettle, Switch
from houseway.maths.par import Asked
from houseway.maths.reconcile import with_facts
from houseway.maths.wagers import beside


def duel_edges(law: Chapter, switches: Sequence[Switch]) -> list[tuple[str, Fraction]]:
    """The edge of ante and play with each table of its bonus, these switches being thrown."""
    law = with_facts(law, switches)
    changes = [change for switch in switches for change in switch.resettle]
    return [
        (id, ante_play.edge(_resettled(ante_play.payoffs(rules), law, changes)))
        for id, rules in Asked(law).variants(ante_play.bonus_option(law))
    ]


def _resettled(
    pays: ante_play.Payoffs, law: Chapter, changes: Sequence[Resettle]
) -> ante_play.Payoffs:
    """What the game would pay with other results for some of its lines."""
    if not changes:
        return pays
    nets = {outcome: list(line) for outcome, line in pays.nets.items()}
    for change in changes:
        for (outcome, column), lines in pays.lines.items():
            if COLUMNS[column] not in change.when or (change.hands and outcome not in change.hands):
                continue
            gone = [one for one in lines if one.wager == change.wager or one.wager in change.drops]
            new = {"push": Fraction(0), "lose": Fraction(-1), "win": Fraction(1)}[change.result]
            if change.result == "win" and change.table:
                table = law.paytables[change.wager, change.table]
                names = three_names(outcome)
                pay = next(table.pays[name] for name in names if name in table.pays)
                new = beside(pay.odds, pays.stake)
            old = Fraction(sum(one.net for one in gone), pays.stake)
            nets[outcome][column] += new - old
    return msgspec.structs.replace(
        pays, nets={outcome: tuple(line) for outcome, line in nets.items()}
    )
