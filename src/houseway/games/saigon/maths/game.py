"""The mathematics of Saigon 5 Card."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial

from houseway.game_api.payouts import best_pay
from houseway.games.saigon.maths import entries, strategy_picture, tallies
from houseway.games.saigon.maths.ante import payoffs, settings
from houseway.games.saigon.maths.counts import BONUS
from houseway.games.saigon.maths.limited import limited
from houseway.games.saigon.maths.wager_models import Ante, Bonus
from houseway.law import Chapter, Paytable, Rules
from houseway.law.chapter import Wager
from houseway.law.switches import Switch
from houseway.maths import wagers
from houseway.maths.entries import by_table
from houseway.maths.game import Countable, EdgeReader, MathsGame
from houseway.maths.joint.covariance import Together, WagerModel
from houseway.maths.joint.limited import payout_limit
from houseway.maths.par import Asked
from houseway.maths.reconcile import edges_of
from houseway.maths.sheet import Entry
from houseway.maths.strategy_view import StrategyView, plain_remarks
from houseway.maths.wagers import Outcomes
from houseway.money import Cents


def _bonus(law: Chapter, wager: str) -> bool:
    """Whether it is the wager on the player's five cards."""
    return wager in law.wagers and law.wagers[wager].settled_on == "five_cards"


class Saigon(MathsGame):
    """Saigon 5 Card: the ante is settled on the hands as they are set, the bonus on five cards."""

    def entries(self, asked: Asked, wager: Wager) -> Iterable[Entry]:
        match wager.settled_on:
            case "set_hands":
                return entries.ante(asked, wager)
            case "five_cards":
                return by_table(asked, wager, entries.bonus_outcomes())
            case _:
                return ()

    def edge_reader(
        self, law: Chapter, wager: str, players: int | None = None, decks: int | None = None
    ) -> EdgeReader | None:
        return partial(wagers.edge, entries.bonus_outcomes()) if _bonus(law, wager) else None

    def row_names(self, law: Chapter, wager: str) -> Collection[str] | None:
        return BONUS if _bonus(law, wager) else None

    def models(
        self, rules: Rules, meters: Mapping[str, Cents]
    ) -> tuple[Mapping[str, WagerModel], Mapping[str, str]]:
        models: dict[str, WagerModel] = {}
        tables: dict[str, str] = {}
        for wager in rules.chapter.about.wagers:
            if not rules.offers(wager.id):
                continue
            if wager.settled_on == "set_hands":
                models[wager.entry] = Ante(settings(payoffs(rules)))
                tables[wager.entry] = rules.table(wager.id).id
            elif wager.settled_on == "five_cards":
                table = rules.table(wager.id)
                models[wager.entry] = Bonus([_net(table, name) for name in BONUS])
                tables[wager.entry] = table.id
        return models, tables

    def limited(self, rules: Rules, stakes: Mapping[str, Cents]) -> Together | None:
        limit = payout_limit(rules)
        assert limit is not None
        by_kind = {wager.settled_on: wager for wager in rules.chapter.about.wagers}
        ante, bonus = by_kind["set_hands"], by_kind["five_cards"]
        return limited(rules, {w.entry: stakes[w.entry] for w in (ante, bonus)}, limit)

    def seat_covariance(self, rules: Rules, entry: Entry) -> Fraction:
        from houseway.games.saigon.maths.seat_covariance import of_ante, of_bonus

        return of_bonus(entry) if _bonus(rules.chapter, entry.wager) else of_ante(rules, entry)

    def missing(self, law: Chapter, rules: Rules | None = None) -> list[Countable]:
        return [] if tallies.TALLIES.is_kept("kinds") else [("kinds", tallies.kinds)]

    def edges(
        self, law: Chapter, wager: Wager, switches: Sequence[Switch] = ()
    ) -> list[tuple[str, Fraction]]:
        counted = next((switch.counts for switch in switches if switch.counts), "")
        if not counted:
            return edges_of(law, wager, switches)
        counts = tallies.other_bonus(counted)
        outcomes = Outcomes(tuple(((hand,), counts[hand]) for hand in BONUS), sum(counts.values()))
        return [(t.id, wagers.edge(outcomes, t)) for t in Asked(law).tables(wager.id)]

    def strategy(self, rules: Rules) -> StrategyView:
        wager = next(w for w in rules.chapter.about.wagers if w.settled_on == "set_hands")
        # at the lowest stake shown, where a payout limit makes stakes differ
        entry, *_ = entries.ante(Asked(rules.chapter, rules), wager)
        assert entry.strategy is not None
        picture = strategy_picture.picture(rules, entry.strategy.says)
        return StrategyView(
            wager.id,
            entry.paytable,
            entry.strategy,
            picture,
            lead=f"\n{entry.strategy.says}",
            remarks=plain_remarks(picture, entry.strategy),
        )


def _net(table: Paytable, name: str) -> Fraction:
    found = best_pay(table, (name,))
    return wagers.LOSES if found is None else wagers.beside(found.odds, 100)


GAME: MathsGame = Saigon()
