"""The mathematics of Down Under Blackjack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial

from houseway.games.down_under.maths import entries, figures, outcomes, reconcile, strategy_view
from houseway.games.down_under.maths.solver.variant import Variant, variant_of
from houseway.games.down_under.maths.wager_models import Bet, Match
from houseway.law import Chapter, Paytable, Rules, choose
from houseway.law.chapter import Hold, Wager
from houseway.maths import wagers
from houseway.maths.game import Countable, EdgeReader, MathsGame, Progress, Search
from houseway.maths.joint.covariance import WagerModel
from houseway.maths.joint.seat_covariance import bound
from houseway.maths.par import Asked, base_wager
from houseway.maths.reconcile import Finding, compare
from houseway.maths.sheet import Entry
from houseway.maths.strategy_view import Removal, StrategyView
from houseway.money import Cents

#: what the bet with its doubles and splits is settled on
_BET = "blackjack"


def _bet(law: Chapter) -> Wager:
    return next(wager for wager in law.about.wagers if wager.settled_on == _BET)


class DownUnder(MathsGame):
    """Down Under Blackjack: the bet is solved; the other wagers are counted from a full shoe."""

    decided_for_all = ("dealer_blackjack",)
    slow = (_BET,)

    def entries(self, asked: Asked, wager: Wager) -> Iterable[Entry]:
        match wager.settled_on:
            case "blackjack":
                return entries.bet(asked, wager)
            case "dealer_blackjack":
                return entries.insurance(asked, wager)
            case "matched_cards":
                return entries.match_the_dealer(asked, wager)
            case _:
                return ()

    def chosen_entry(self, asked: Asked, wager: Wager) -> Entry | None:
        if wager.settled_on != _BET:
            return super().chosen_entry(asked, wager)
        assert asked.rules is not None
        # the other reading is not worked out
        return entries.bet_entry(asked, wager, variant_of(asked.rules))

    def separate_entries(self, law: Chapter) -> int:
        return len(self._usual_first(law))

    def separate_entry(self, law: Chapter, number: int) -> Entry:
        return entries.bet_entry(Asked(law), _bet(law), self._usual_first(law)[number])

    def _usual_first(self, law: Chapter) -> list[Variant]:
        usual = variant_of(choose(law))
        return sorted(figures.games(law), key=lambda game: game != usual)

    def edge_reader(
        self, law: Chapter, wager: str, players: int | None = None, decks: int | None = None
    ) -> EdgeReader | None:
        known = law.wagers.get(wager)
        match known.settled_on if known else "":
            case "dealer_blackjack":
                return partial(wagers.edge, outcomes.insurance(decks or 6))
            case "matched_cards":
                return lambda table: outcomes.pay_matches(_decks(table, decks), table).edge
            case _:
                return None

    def models(
        self, rules: Rules, meters: Mapping[str, Cents]
    ) -> tuple[Mapping[str, WagerModel], Mapping[str, str]]:
        models: dict[str, WagerModel] = {}
        for wager in rules.chapter.about.wagers:
            if not rules.offers(wager.id):
                continue
            if wager.settled_on == _BET and wager.entry not in models:
                models[wager.entry] = Bet(figures.figures(variant_of(rules)))
            elif wager.settled_on == "matched_cards":
                models[wager.entry] = Match(rules["decks"], rules.table(wager.id))
        return models, {id: rules.table(id).id for id in models}

    def option_notes(self, law: Chapter) -> Mapping[str, str]:
        return {
            "dealing": "The figures are for a full shoe, which a continuous shuffler deals from in "
            "every round. Dealt to a cover card the average over a shoe differs by the cut-card effect: "
            "no exact entry, since it depends on where the card is put; `houseway simulate --cover` "
            "measures it.",
            "mid_shoe_entry": "Changes no figure of a round from a full shoe; it matters only to players "
            "who wait for a rich shoe.",
        }

    def left_out(self, rules: Rules) -> list[str]:
        return [
            f"{wager.name} is made after the deal, when the dealer shows an ace"
            for wager in rules.chapter.about.wagers
            if wager.settled_on == "dealer_blackjack" and rules.offers(wager.id)
        ]

    def seat_covariance(self, rules: Rules, entry: Entry) -> Fraction:
        wager = base_wager(rules.chapter, entry.wager)
        assert wager is not None
        if wager.settled_on == _BET:
            from houseway.games.down_under.maths.seat_covariance import bets_together

            return bets_together(rules, wager)
        assert entry.spread is not None
        # every up card is matched as often as any other
        return bound(entry.spread.variance, Fraction(0), 2, 52 * int(rules["decks"]) - 1)

    def missing(self, law: Chapter, rules: Rules | None = None) -> list[Countable]:
        return figures.missing(law, rules)

    def missing_searches(self, law: Chapter) -> list[Search]:
        def search(hold: Hold, progress: Progress) -> object:
            return reconcile.searched(law, hold, progress)

        return [
            (hold.wager, partial(search, hold))
            for hold in self._searched(law)
            if not reconcile.is_searched(law, hold)
        ]

    def _searched(self, law: Chapter) -> list[Hold]:
        bet = _bet(law).entry
        return [hold for hold in law.about.holds if hold.wager == bet]

    def finding(self, law: Chapter, hold: Hold) -> Finding:
        if hold in self._searched(law):
            return reconcile.finding(law, hold)
        return compare(law, hold)

    def strategy(self, rules: Rules) -> StrategyView:
        return strategy_view.view(rules, _bet(rules.chapter))

    def removal(self, rules: Rules) -> Removal:
        return strategy_view.removal(rules)

    def quick_edge(self, rules: Rules) -> Fraction | None:
        game = variant_of(rules)
        if figures.is_known(game):
            return Fraction(figures.figures(game).edge)
        from houseway.games.down_under.maths.solver.solve import solve

        return Fraction(-solve(game).value)


def _decks(table: Paytable, decks: int | None) -> int:
    return decks or (int(table.id) if table.id.isdigit() else 6)


GAME: MathsGame = DownUnder()
