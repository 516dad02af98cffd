"""The wagers of one seat by what they depend on, for the joint figures of a PAR sheet.

The ante is played by its own best strategy. What a fold forfeits in the chapter is forfeited.
Cover All and envy look at other seats and are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb

import msgspec

from houseway.errors import Refused
from houseway.game_api.payouts import best_pay
from houseway.games.three_card.maths import ante_play
from houseway.games.three_card.maths.ante_play import Strategy
from houseway.games.three_card.maths.counting import tallies
from houseway.games.three_card.maths.counting.counts import FIVE, FIVE_PAID, SIX, SIX_PAID
from houseway.games.three_card.maths.entries import NOT_TWO, rule
from houseway.games.three_card.maths.limited import together as limited
from houseway.games.three_card.maths.outcomes import THREE_EXAMPLES, six_names, three_names
from houseway.games.three_card.maths.progressives import at_table, meter_text
from houseway.games.three_card.maths.wager_models import Colors, Duel, Five, Fourth, Six, Three
from houseway.law import Paytable, Rules
from houseway.law.chapter import Wager
from houseway.maths.joint.at_stakes import LIMITED, JointPlay, Played
from houseway.maths.joint.covariance import WagerModel, together
from houseway.maths.joint.limited import payout_limit
from houseway.maths.progressive import Progressive
from houseway.maths.sheet import StrategyOut
from houseway.maths.wagers import LOSES, beside
from houseway.money import spoken

_STAKE = 100


def models_of(
    rules: Rules,
    meters: Mapping[str, int],
    royal: str,
    stakes: Mapping[str, int] | None = None,
    played: ante_play.Strategy | None = None,
) -> tuple[dict[str, WagerModel], dict[str, str]]:
    """Each wager of these rules by what it depends on, and its paytable.

    With `stakes` only the entries that have one, at that stake; `played` is another way to play the
    ante than its own best strategy.
    """
    models: dict[str, WagerModel] = {}
    tables: dict[str, str] = {}
    best: ante_play.Strategy | None = None
    for wager in rules.chapter.about.wagers:
        if wager.entry in models or not rules.offers(wager.id):
            continue
        if stakes is not None and wager.entry not in stakes:
            continue
        if wager.settled_on == "duel":
            best = played or ante_play.strategy(ante_play.payoffs(rules))
            models[wager.entry] = Duel(best)
            tables[wager.entry] = str(rules.options[ante_play.bonus_option(rules.chapter)])
            continue
        folds = best is not None and rules.forfeited_by_fold(wager.id)
        kept = best.played if best is not None and folds else None
        stake = _STAKE if stakes is None else stakes[wager.entry]
        model = _model(_Wager(rules, wager, kept, meters, stake), royal)
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
    stake: int = _STAKE

    @property
    def table(self) -> Paytable:
        return self.rules.table(self.wager.id)

    @property
    def qualifies(self) -> int:
        return ante_play.qualifying_value(self.rules)

    def net(self, names: tuple[str, ...]) -> Fraction:
        """What an outcome brings; meters show what was asked, or their reset."""
        if self.wager.kind != "progressive":
            return _net(self.table, names, self.stake)
        paid, shown = self._progressive
        return paid.net(names, shown)

    @cached_property
    def _progressive(self) -> tuple[Progressive, dict[str, int]]:
        paid = at_table(self.rules, self.wager, self.stake, 0, beside_fold=False)
        return paid, {n: self.meters.get(n, self.rules.meter(n).reset) for n in paid.hits}


def _net(table: Paytable, names: tuple[str, ...], stake: int) -> Fraction:
    found = best_pay(table, names)
    return LOSES if found is None else beside(found.odds, stake)


def at_stakes(
    rules: Rules, stakes: Mapping[str, int], meters: Mapping[str, int], royal: str
) -> JointPlay:
    """The wagers at these stakes, and the best folding rule for all that a fold forfeits."""
    law = rules.chapter
    pays = ante_play.payoffs(rules)
    best = ante_play.strategy(pays)
    models, _ = models_of(rules, meters, royal, stakes)
    for name in stakes:
        if name not in models:
            raise Refused(
                "no_figures",
                f"there are no joint figures with {name}: it looks at other seats' hands",
                field=f"stakes.{name}",
            )
    duel = next(w for w in law.about.wagers if w.settled_on == "duel")
    forfeited = [
        w for w in law.about.wagers
        if w.id != duel.id and w.entry in stakes and w.entry != duel.entry
        and rules.forfeited_by_fold(w.id)
    ]  # fmt: skip
    # played by every hand, what each row brings back of the wagers that a fold forfeits
    every = Strategy(pays, (True,) * len(best.played))
    standing, _ = models_of(rules, meters, royal, stakes, every)
    ante = stakes[duel.entry]
    played = tuple(
        ante * brings + more > ante * pays.fold
        for brings, more in zip(
            ante_play.value_of_play(pays),
            _back_by_row(pays.qualifies, [(stakes[w.entry], standing[w.entry]) for w in forfeited]),
            strict=True,
        )
    )
    whole = together(models) if payout_limit(rules) is None else limited(rules, stakes, royal)
    separately = Played(whole, f"the ante by its own best strategy: {rule(best)[0]}")
    notes = _notes(rules, meters, forfeited, stakes)
    if not forfeited:
        return JointPlay(stakes, separately, notes=("A fold touches none of these wagers.", *notes))
    joint = Strategy(pays, played)
    jointly, _ = models_of(rules, meters, royal, stakes, joint)
    says, data = rule(joint)
    return JointPlay(
        stakes,
        separately,
        Played(together(jointly), says, StrategyOut(says, data)),
        tuple(w.entry for w in forfeited),
        notes,
    )


def _notes(
    rules: Rules, meters: Mapping[str, int], forfeited: Sequence[Wager], stakes: Mapping[str, int]
) -> tuple[str, ...]:
    found = []
    if forfeited:
        clauses = ", ".join(dict.fromkeys(w.on_fold_clause for w in forfeited))
        names = " and ".join(w.name for w in forfeited)
        found.append(f"A fold forfeits {names} [{clauses}].")
    made = [w for w in rules.chapter.about.wagers if w.kind == "progressive" and w.entry in stakes]
    for wager in made:
        paid = [name for name in rules.meter_names if name.partition(".")[0] == wager.id]
        shown = ", ".join(
            f"the {meter_text(name)} shows {spoken(meters.get(name, rules.meter(name).reset))}"
            for name in paid
        )
        found.append(f"{wager.name}: {shown}; no envy bonus is counted.")
    if payout_limit(rules) is not None:
        found.append(LIMITED)
    return tuple(found)


def _back_by_row(qualifies: int, wagers: Sequence[tuple[int, WagerModel]]) -> list[Fraction]:
    """What one hand of each row of the duel gets back of these wagers on average, in cents."""
    ways = tallies.duel(qualifies).ways
    found = [Fraction(0)] * len(ways)
    for stake, model in wagers:
        if isinstance(model, Three):
            for row, net in enumerate(model.nets):
                found[row] += stake * (Fraction(net, model.part) + 1)
        elif isinstance(model, Five):
            tally = model.tally
            for row, deals, back in zip(tally.row, tally.deals, model.entry, strict=True):
                found[row] += stake * Fraction(deals * back, ways[row] * comb(49, 2) * model.part)
    return found


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
            return Colors(one.qualifies, LOSES, own, both)
        case "fourth_card":
            plain, two = (
                {name: _net(table, three_names(name), one.stake) for name in THREE_EXAMPLES}
                for table in (one.rules.table(one.wager.id, NOT_TWO), one.table)
            )
            return Fourth(one.qualifies, plain, two)
        case _:
            return None
