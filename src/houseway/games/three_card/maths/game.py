"""The mathematics of the three-card games."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from houseway.games.three_card.maths import (
    entries,
    joint,
    limited,
    outcomes,
    progressives,
    strategy_picture,
)
from houseway.games.three_card.maths.ante_play import Designer, bonus_option, qualifying_value
from houseway.games.three_card.maths.counting import tallies
from houseway.games.three_card.maths.counting.counts import COVERED, FIVE
from houseway.games.three_card.maths.entries import NOT_TWO
from houseway.games.three_card.maths.outcomes import THREE_EXAMPLES, three_names
from houseway.games.three_card.maths.reconcile import duel_edges
from houseway.law import Chapter, Paytable, Rules, choose
from houseway.law.chapter import Wager
from houseway.law.switches import Switch
from houseway.maths import wagers
from houseway.maths.entries import by_table
from houseway.maths.game import Countable, EdgeReader, MathsGame
from houseway.maths.joint.at_stakes import JointPlay
from houseway.maths.joint.covariance import Together, WagerModel
from houseway.maths.par import Asked, base_wager
from houseway.maths.progressive import Progressive
from houseway.maths.reconcile import edges_of
from houseway.maths.sheet import Entry
from houseway.maths.strategy_view import StrategyView, plain_remarks
from houseway.maths.wagers import Outcomes
from houseway.money import Cents


def _settled_on(law: Chapter, id: str) -> str:
    """What decides a wager, or the wager that a bonus is paid beside."""
    bonus = law.bonuses.get(id)
    wager = law.wagers.get(bonus.beside if bonus else id)
    return wager.settled_on if wager else ""


class ThreeCard(MathsGame):
    """A three-card game; `royal` is its chapter's word for nine to ace of one suit."""

    fixed_tables = ("not_qualified", NOT_TWO)
    decided_for_all = ("all_hands",)
    decided_by_hands_dealt = ("all_hands",)

    def __init__(self, royal: str) -> None:
        self._royal = royal

    def _outcomes(self, settled_on: str) -> Outcomes | None:
        """The outcomes of a wager settled by a single paytable lookup."""
        match settled_on:
            case "three_cards":
                return outcomes.three_cards()
            case "six_cards":
                return outcomes.six_cards(self._royal)
            case "colors":
                return outcomes.prime()
            case _:
                return None

    def entries(self, asked: Asked, wager: Wager) -> Iterable[Entry]:
        if wager.kind == "progressive":
            return progressives.entries(asked, wager)
        match wager.settled_on:
            case "duel":
                return entries.duel(asked, wager)
            case "fourth_card":
                return entries.fourth_card(asked, wager)
            case "all_hands":
                return entries.all_hands(asked, wager)
            case other:
                found = self._outcomes(other)
                return () if found is None else by_table(asked, wager, found)

    def edge_reader(
        self, law: Chapter, wager: str, players: int | None = None, decks: int | None = None
    ) -> EdgeReader | None:
        known = law.wagers.get(wager)
        if known is not None and known.kind == "progressive":
            return None
        on = _settled_on(law, wager)
        if on == "duel":
            return _designer(law, wager)
        if on == "fourth_card":
            plain, with_two = outcomes.pair_bonus()
            always = wagers.edge(plain, law.paytables[wager, NOT_TWO]) - 1
            return lambda table: always + wagers.edge(with_two, table)
        if on == "all_hands":
            return lambda table: wagers.edge(outcomes.cover_all(_players(table, players)), table)
        found = self._outcomes(on)
        return None if found is None else partial(wagers.edge, found)

    def row_names(self, law: Chapter, wager: str) -> Collection[str] | None:
        match _settled_on(law, wager):
            case "duel" | "three_cards" | "fourth_card":
                return {name for outcome in THREE_EXAMPLES for name in three_names(outcome)}
            case "five_cards":
                return FIVE
            case "all_hands":
                return COVERED
            case _:
                return None

    def progressive(
        self, rules: Rules, wager: Wager, stake: Cents, others: int, *, beside_fold: bool
    ) -> Progressive:
        return progressives.at_table(rules, wager, stake, others, beside_fold=beside_fold)

    def models(
        self, rules: Rules, meters: Mapping[str, Cents]
    ) -> tuple[Mapping[str, WagerModel], Mapping[str, str]]:
        return joint.models_of(rules, meters, self._royal)

    def limited(self, rules: Rules, stakes: Mapping[str, Cents]) -> Together | None:
        return limited.together(rules, stakes, self._royal)

    def joint_play(
        self, rules: Rules, stakes: Mapping[str, Cents], meters: Mapping[str, Cents]
    ) -> JointPlay:
        return joint.at_stakes(rules, stakes, meters, self._royal)

    def joint_counts(self, rules: Rules, entries: Iterable[str]) -> Mapping[str, Any]:
        on = {base.settled_on for name in entries if (base := base_wager(rules.chapter, name))}
        qualifies = qualifying_value(rules)
        found: dict[str, Any] = {"duel": tallies.duel(qualifies)}
        if "six_cards" in on:
            found["splits"] = tallies.splits(qualifies)
        if "five_cards" in on:
            found["five_cards"] = tallies.five_cards(qualifies)
        if on & {"colors", "fourth_card"}:
            found["primes"] = tallies.primes(qualifies)
        return found

    def option_notes(self, law: Chapter) -> Mapping[str, str]:
        return OPTION_NOTES | (BESIDE_ENVY if "envy" in law.bonuses else {})

    def left_out(self, rules: Rules) -> list[str]:
        law = rules.chapter
        offered = {wager.id: wager for wager in law.about.wagers if rules.offers(wager.id)}
        found = [
            *(wager.name for wager in offered.values() if wager.settled_on == "all_hands"),
            *(
                f"the {b.name.lower()}"
                for b in law.about.bonuses
                if b.all_hands and b.beside in offered
            ),
        ]
        return [f"{name} looks at other seats' hands" for name in found]

    def seat_covariance(self, rules: Rules, entry: Entry) -> Fraction:
        from houseway.games.three_card.maths.seat_covariance import covariance

        wager = base_wager(rules.chapter, entry.wager)
        assert wager is not None
        return covariance(rules, wager, entry, self._royal)

    def missing(self, law: Chapter, rules: Rules | None = None) -> list[Countable]:
        # the rows of a duel are counted with the dealer's qualifying hand
        qualifies = qualifying_value(choose(law))
        on = {wager.settled_on for wager in law.about.wagers}
        kept = tallies.TALLIES.is_kept
        needed = [
            ("duel", tallies.duel, (qualifies,)),
            ("six", tallies.six_card_hands, ()),
            ("splits", tallies.splits, (qualifies,)),
            ("envy", tallies.own_hands_and_envy, ()),
        ]
        if "five_cards" in on:
            needed.append(("five", tallies.five_card_hands, ()))
            needed.append(("five_cards", tallies.five_cards, (qualifies,)))
        if "all_hands" in on:
            needed.append(("cover_all", tallies.cover_all, ()))
        if on & {"colors", "fourth_card"}:
            needed.append(("primes", tallies.primes, (qualifies,)))
        return [
            (name, partial(count, *given))
            for name, count, given in needed
            if not kept(name, *given)
        ]

    def edges(
        self, law: Chapter, wager: Wager, switches: Sequence[Switch] = ()
    ) -> list[tuple[str, Fraction]]:
        if wager.settled_on == "duel":
            return duel_edges(law, switches)
        return edges_of(law, wager, switches)

    def strategy(self, rules: Rules) -> StrategyView:
        wager = next(w for w in rules.chapter.about.wagers if w.settled_on == "duel")
        # at the lowest stake shown, where a payout limit makes stakes differ
        entry, *_ = entries.duel(Asked(rules.chapter, rules), wager)
        assert entry.strategy is not None
        picture = strategy_picture.picture(rules, entry.strategy.says)
        return StrategyView(
            entry.wager,
            entry.paytable,
            entry.strategy,
            picture,
            lead=f"\n{entry.strategy.says}",
            remarks=plain_remarks(picture, entry.strategy),
        )


#: how options that are no column of the sheet enter the figures
OPTION_NOTES = {
    "version": "Decides which table pays the ante bonus; each is an entry of ante and play. Which "
    "wagers must be made together changes no edge, and all of them together are in Together.",
    "five_card_envy": "The amounts that are named are rows of the five-card progressive, by number of "
    "players.",
    "electronic": "Each hand is settled as an ordinary one, so every entry holds for one hand. Two or "
    "three hands of a player meet the same dealer: no entry, since their deviation depends on how many "
    "are wagered on. Everybody is on every hand, so no hand brings another player envy.",
    "folded_hands_win_progressive": "Changes no figure at the best play: no hand that a progressive "
    "pays is ever folded.",
    "several_meter_hits": "Changes what the second winner of a meter in one round receives. The entry "
    "is for a wager that wins alone; how seldom another one wins with it is in its notes.",
    "match_play": "A coupon is no wager of its own: what one is worth beside a wager is exact in "
    "`houseway simulate --coupon`.",
}
#: where a hand brings other players something
BESIDE_ENVY = {
    "adjacent_boxes": "Changes the figures of no wager. Two boxes of one player meet the same dealer: "
    "their results are correlated, and envy is not paid for a player's own second box.",
}


def _designer(law: Chapter, wager: str) -> EdgeReader | None:
    """Ante and play with one table left open: one that pays a bonus, or the play by the hand."""
    rows = {row.hand for data in law.paytable_data if data.wager == wager for row in data.rows}
    if wager == bonus_option(law) or rows - {"win"}:
        return Designer(choose(law), wager).edge
    return None


def _players(table: Paytable, players: int | None) -> int:
    return players or (int(table.id) if table.id.isdigit() else 0)


GAMES: dict[str, MathsGame] = {
    "maryland": ThreeCard("super_royal"),
    "massachusetts": ThreeCard("super_royal"),
    "prime": ThreeCard("six_card_royal"),
}
