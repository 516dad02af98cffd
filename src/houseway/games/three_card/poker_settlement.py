"""What Three Card Poker in both states shares: an ante, a play wager, and side paytables.

Maryland and Massachusetts differ in what a fold costs, in the order of settlement and in the side
wagers; each has a module of its own that uses these pieces and brings its own clauses. Three Card
Prime uses the checks of an ante from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from typing import NamedTuple

from houseway.cards import DIAMONDS, RANKS, Card
from houseway.errors import Refused
from houseway.game_api import poker
from houseway.game_api.payouts import pay_bonus
from houseway.game_api.round import Line, Wagers, hashable
from houseway.game_api.wager_checks import check_amount, check_wagers
from houseway.games.three_card import hands as three_card
from houseway.law import MA, MD, Paytable, Rules, cites, names_of
from houseway.money import Cents, spoken


class AnteClauses(NamedTuple):
    """The clauses by which the ante and the play wager are decided."""

    folded: str
    not_qualified: str
    lower: str
    higher: str
    tie: str


class Position(NamedTuple):
    """One hand that one player wagers on: a seat's own, or one of the electronic version's three."""

    seat: int
    player: str
    hand: int | None
    wagers: Mapping[str, Cents]
    cards: tuple[Card, ...]
    decision: str | None
    value: int
    #: what the three cards are called, and what they make with the two community cards
    names: tuple[str, ...]
    five_names: tuple[str, ...] = ()

    @property
    def folded(self) -> bool:
        """Whether the ante was given up, the cards seen or not."""
        return "ante" in self.wagers and self.decision != "play"


def qualifies(rules: Rules, dealer: int) -> bool:
    """Whether a dealer's hand of this value is high enough to play."""
    return dealer >= three_card.least(RANKS.index(str(rules.chapter.fact("qualifies_with").value)))


@cites(MD, "11.D(3)(c)", "11.D(3)(d)*", "12.A")
@cites(MA, "10(b)", "11(a)(1)")
def ante_and_play(
    rules: Rules,
    ante: Cents,
    decision: str,
    mine: int,
    dealer: int,
    clauses: AnteClauses,
    hand: int | None = None,
) -> Iterator[Line]:
    """The ante, and the play wager where one was made, against the dealer's hand."""
    if decision != "play":
        yield Line("ante", ante, "forfeit", 0, clauses.folded, hand=hand)
        return
    if not qualifies(rules, dealer):
        yield _win(rules, "ante", ante, clauses.not_qualified, hand)
        yield Line("play", ante, "push", 0, clauses.not_qualified, hand=hand)
        return
    for wager in ("ante", "play"):
        if mine > dealer:
            yield _win(rules, wager, ante, clauses.higher, hand)
        elif mine < dealer:
            yield Line(wager, ante, "lose", 0, clauses.lower, hand=hand)
        else:
            yield Line(wager, ante, "push", 0, clauses.tie, hand=hand)


def relation(mine: int, dealer: int, *, qualified: bool) -> tuple[int, int]:
    """Two values that are settled as these are: the fewest that stand for all others."""
    if not qualified:
        return 0, 0
    return (mine > dealer) - (mine < dealer) + three_card.MINI_ROYAL, three_card.MINI_ROYAL


def _win(rules: Rules, wager: str, stake: Cents, clause: str, hand: int | None) -> Line:
    odds = rules.table(wager, "standard")["win"].odds
    return Line(wager, stake, "win", odds.beside(stake), clause, odds.text, hand)


@cites(MD, "12.B", "12.C")
@cites(MA, "11(a)(3)", "11(a)(3)(i)")
def ante_bonus(
    rules: Rules, ante: Cents, names: Sequence[str], hand: int | None = None
) -> Line | None:
    """Paid for a play wager, whatever the dealer holds."""
    return pay_bonus(rules.table("ante_bonus"), "ante_bonus", ante, names, hand=hand)


def six_card_names(
    mine: Sequence[Card], dealer: Sequence[Card], royal: str = "super_royal"
) -> tuple[str, ...]:
    """What the player's three cards and the dealer's three make together.

    `royal` is what the chapter calls nine to ace of one suit.
    """
    together = (*mine, *dealer)
    best = poker.best_five(together)
    if best == "royal_flush" and (suit := poker.six_card_royal(together)) is not None:
        best = f"{royal}_diamonds" if suit == DIAMONDS else royal
    return names_of(best)


def open_decisions(wagers: Mapping[str, Cents], *, unseen: bool = False) -> tuple[str, ...]:
    """What a player may decide after looking at the cards: only an ante leaves a choice."""
    if "ante" not in wagers:
        return ()
    return ("play", "fold", "forfeit") if unseen else ("play", "fold")


@cites(MD, "7.G", "7.G(1)", "7.G(2)", "7.G(3)")
@cites(MA, "6(f)", "6(f)(1)", "6(f)(2)", "6(f)(3)")
def check_version(rules: Rules, wagers: Mapping[str, Cents]) -> None:
    """How the version that is played ties the ante and Pair Plus together."""
    version = rules.options.get("version", "independent")
    if version == "independent":
        return
    ante, pair_plus = wagers.get("ante", 0), wagers.get("pair_plus", 0)
    choices = rules.chapter.options["version"].choices
    clause = next(choice.clause for choice in choices if choice.value == version)
    if version == "both_compulsory":
        most = rules.chapter.number("version_most_ratio")
        if not ante or not pair_plus:
            missing = "pair_plus" if ante else "ante"
            raise Refused(
                "standard_wager_missing",
                "this version asks for both an ante and Pair Plus",
                clause=clause,
                field=f"wagers.{missing}",
            )
        if max(ante, pair_plus) > most * min(ante, pair_plus):
            raise Refused(
                "wagers_out_of_proportion",
                f"{spoken(ante)} and {spoken(pair_plus)}: neither the ante nor Pair Plus "
                f"may be more than {most} times the other",
                clause=clause,
                field="wagers.pair_plus" if pair_plus > ante else "wagers.ante",
            )
        return
    shares = rules.chapter.fact("version_least_ante").value
    assert isinstance(shares, dict)
    share = Fraction(shares[version])
    if pair_plus and ante < share * pair_plus:
        much = "at least as large" if share == 1 else "at least half as large"
        raise Refused(
            "wagers_out_of_proportion",
            f"Pair Plus of {spoken(pair_plus)} needs an ante {much}, not {spoken(ante)}",
            clause=clause,
            field="wagers.pair_plus",
        )


def check_position(
    rules: Rules,
    wagers: Mapping[str, Cents],
    decision: str | None,
    *,
    clauses: AnteClauses,
    equal_clause: str,
    unseen: bool = False,
) -> None:
    """The wagers of one hand and the decision on it."""
    check = rules.remembering(_check_position)
    check(hashable(wagers), decision, clauses, equal_clause, unseen)


def _check_position(
    rules: Rules,
    wagers: Wagers,
    decision: str | None,
    clauses: AnteClauses,
    equal_clause: str,
    unseen: bool,
) -> None:
    before = {wager: amount for wager, amount in wagers.items() if wager != "play"}
    check_wagers(rules, before)
    check_version(rules, before)
    open_now = open_decisions(before, unseen=unseen)
    if open_now and decision is None:
        raise Refused(
            "decision_missing",
            f"a player with an ante must decide: {' or '.join(open_now)}",
            clause=clauses.folded,
            field="decision",
        )
    if decision is not None and decision not in open_now:
        choice = f"; choose {' or '.join(open_now)}" if open_now else " without an ante"
        raise Refused(
            "decision_not_open",
            f"{decision} is not possible{choice}",
            clause=clauses.folded,
            field="decision",
        )
    if "play" in wagers:
        check_amount(rules, "play", wagers["play"])
        if decision != "play":
            raise Refused(
                "decision_not_open",
                "a play wager stands with the decision to play",
                clause=clauses.folded,
                field="wagers.play",
            )
        if wagers["play"] != before["ante"]:
            raise Refused(
                "play_not_equal_to_ante",
                f"the play wager of {spoken(wagers['play'])} must equal the ante of "
                f"{spoken(before['ante'])}",
                clause=equal_clause,
                field="wagers.play",
            )


class Held(NamedTuple):
    """A hand that pays an envy bonus, and the players who hold it."""

    names: tuple[str, ...]
    players: frozenset[str]


def held_hands(
    hands: list[Position], names: Callable[[Position], tuple[str, ...]], pays: AbstractSet[str]
) -> list[Held]:
    """The hands that pay envy: a folded hand does not count, and a shared hand counts once."""
    together: dict[tuple[Card, ...], Held] = {}
    if not pays:
        return []
    for position in hands:
        called = names(position)
        if not pays.isdisjoint(called) and not position.folded:
            before = together.get(position.cards)
            players = {position.player} | (before.players if before else frozenset())
            together[position.cards] = Held(called, frozenset(players))
    return list(together.values())


@cites(MD, "11.D(7)(e)(i)", "11.D(7)(e)(ii)", "11.D(7)(e)(iii)", "12.E(5)", "12.E(5)(a)")
@cites(MD, "12.E(5)(b)")
@cites(MD, "11.D(9)(g)", "11.D(9)(h)", "11.D(9)(i)", "11.D(9)(j)")
@cites(MA, "13(e)", "13(e)(a)", "13(e)(c)")
def envy(table: Paytable, position: Position, held: list[Held]) -> Iterator[Line]:
    """One bonus for each qualifying hand that somebody else holds."""
    for other in held:
        if position.player not in other.players:
            line = pay_bonus(table, "envy", 0, other.names, hand=position.hand)
            if line is not None:
                yield line
