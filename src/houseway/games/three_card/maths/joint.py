"""The wagers of one seat by what they depend on, for the joint figures of a PAR sheet.

The ante is played by its own best strategy. What a fold forfeits in the chapter is forfeited.
Cover All and envy look at other seats and are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

import msgspec

from houseway.game_api.payouts import best_pay
from houseway.games.three_card.maths import ante_play
from houseway.games.three_card.maths.counts import FIVE, FIVE_PAID, SIX, SIX_PAID
from houseway.games.three_card.maths.entries import NOT_TWO
from houseway.games.three_card.maths.outcomes import THREE_EXAMPLES, six_names, three_names
from houseway.games.three_card.maths.progressives import at_table
from houseway.games.three_card.maths.wager_models import Colours, Duel, Five, Fourth, Six, Three
from houseway.law import Paytable, Rules
from houseway.law.chapter import Wager
from houseway.maths.covariance import WagerModel
from houseway.maths.progressive import Progressive
from houseway.maths.wagers import LOSES, beside

_STAKE = 100


def models_of(
    rules: Rules, meters: Mapping[str, int], royal: str
) -> tuple[dict[str, WagerModel], dict[str, str]]:
    """Each wager of these rules by what it depends on, and its paytable."""
    models: dict[str, WagerModel] = {}
    tables: dict[str, str] = {}
    best: ante_play.Strategy | None = None
    for wager in rules.chapter.about.wagers:
        if wager.entry in models or not rules.offers(wager.id):
            continue
        if wager.settled_on == "duel":
            best = ante_play.strategy(ante_play.payoffs(rules))
            models[wager.entry] = Duel(best)
            tables[wager.entry] = str(rules.options[ante_play.bonus_option(rules.chapter)])
            continue
        folds = best is not None and rules.forfeited_by_fold(wager.id)
        kept = best.played if best is not None and folds else None
        model = _model(_Wager(rules, wager, kept, meters), royal)
        if model is not None:
            models[wager.entry] = model
            tables[wager.entry] = rules.table(wager.id).id
    return models, tables


class _Wager(msgspec.Struct, frozen=True, dict=True):
    """A wager under some rules; a fold leaves it standing in the rows that are `kept`."""

    rules: Rules
    wager: Wager
    kept: Sequence[bool] | None
    meters: Mapping[str, int]

    @property
    def table(self) -> Paytable:
        return self.rules.table(self.wager.id)

    @property
    def qualifies(self) -> int:
        return ante_play.qualifying_value(self.rules)

    def net(self, names: tuple[str, ...]) -> Fraction:
        """What an outcome brings; meters show what was asked, or their reset."""
        if self.wager.kind != "progressive":
            return _net(self.table, names)
        paid, shown = self._progressive
        return paid.net(names, shown)

    @cached_property
    def _progressive(self) -> tuple[Progressive, dict[str, int]]:
        paid = at_table(self.rules, self.wager, _STAKE, 0, beside_fold=False)
        return paid, {n: self.meters.get(n, self.rules.meter(n).reset) for n in paid.hits}


def _net(table: Paytable, names: tuple[str, ...]) -> Fraction:
    found = best_pay(table, names)
    return LOSES if found is None else beside(found.odds, _STAKE)


def _model(one: _Wager, royal: str) -> WagerModel | None:
    match one.wager.settled_on:
        case "three_cards":
            nets = {name: one.net(three_names(name)) for name in THREE_EXAMPLES}
            return Three(one.qualifies, nets, one.kept)
        case "five_cards":
            return Five(one.qualifies, [one.net((n,)) for n in FIVE[:FIVE_PAID]], one.kept)
        case "six_cards":
            names = [six_names(name, royal) for name in SIX[:SIX_PAID]]
            return Six(one.qualifies, [one.net(name) for name in names])
        case "colors":
            own, both = (one.net((name,)) for name in ("same_color", "same_color_both"))
            return Colours(one.qualifies, LOSES, own, both)
        case "fourth_card":
            plain, two = (
                {name: _net(table, three_names(name)) for name in THREE_EXAMPLES}
                for table in (one.rules.table(one.wager.id, NOT_TWO), one.table)
            )
            return Fourth(one.qualifies, plain, two)
        case _:
            return None
