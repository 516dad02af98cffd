"""The rules of Casino War: which rounds are possible, and how each wager is settled.

A seat has one card, and a second one after it went to war; so has the dealer. `decision` is `war` or
`surrender` where the first cards tie.
"""

from __future__ import annotations

from collections.abc import Iterator

from houseway.cards import Card
from houseway.errors import Refused
from houseway.game_api.payouts import pay_bonus, pay_wager
from houseway.game_api.round import Line, Meters, Round, Seat, Settlement, settlement
from houseway.game_api.wager_checks import (
    check_boxes,
    check_cards,
    check_fields,
    check_pack,
    check_wagers,
)
from houseway.law import Rules, cites
from houseway.money import Cents

WAR, SURRENDER = "war", "surrender"
settled_wagers = ("ante", "raise", "tie")


@cites("casino-war", "1(a)", "2(a)", "4(b)", "4(c)", "4(d)")
def check(round: Round) -> None:
    """Refuse a round that could not have been dealt or wagered under its rules."""
    rules = round.rules
    law = rules.chapter
    check_fields(round, "cards", "decision")
    check_boxes(rules, ((seat.seat, seat.player) for seat in round.seats))
    first, more = law.number("hand_cards"), law.number("war_cards")
    war = any(seat.decision == WAR for seat in round.seats)
    check_cards(
        round.dealer, first + more * war, "the dealer", clause=_dealt(rules, war), field="dealer"
    )
    for seat in round.seats:
        try:
            check_wagers(rules, seat.wagers)
            _check_raise(rules, seat)
            _check_decision(seat, round.dealer)
            at_war = seat.decision == WAR
            check_cards(
                seat.cards, first + more * at_war, "the player", clause=_dealt(rules, at_war)
            )
        except Refused as refusal:
            raise refusal.at(seat=seat.seat) from None
    check_pack(
        [
            *((card, None, "dealer") for card in round.dealer),
            *((card, seat.seat, "cards") for seat in round.seats for card in seat.cards),
        ],
        of_each=rules["decks"],
        joker=False,
        clause=law.fact("decks").clause,
    )


def _dealt(rules: Rules, war: bool) -> str:
    return rules.chapter.fact("war_cards" if war else "hand_cards").clause


def _check_raise(rules: Rules, seat: Seat) -> None:
    """The raise follows from the decision; it is not stated."""
    for wager in seat.wagers:
        known = rules.chapter.wagers[wager]
        if known.kind == "follows":
            raise Refused(
                "wager_follows",
                f"the {known.name} follows from going to war and is not stated",
                clause=known.clause,
                field=f"wagers.{wager}",
            )


@cites("casino-war", "6(a)")
def _check_decision(seat: Seat, dealer: tuple[Card, ...]) -> None:
    """Only a tie leaves a choice, and it must be made."""
    if not seat.cards:
        return  # refused for its cards
    if not is_tie(seat.cards[0], dealer[0]):
        if seat.decision is not None:
            raise Refused(
                "decision_not_open",
                f"{seat.decision} is not open: the cards do not tie",
                clause="6(a)",
                field="decision",
            )
    elif seat.decision not in (WAR, SURRENDER):
        said = "nothing" if seat.decision is None else repr(seat.decision)
        raise Refused(
            "no_decision",
            f"the cards tie: the decision is {WAR!r} or {SURRENDER!r}, not {said}",
            clause="6(a)",
            field="decision",
        )


@cites("casino-war", "5(b)")
def is_tie(mine: Card, dealer: Card) -> bool:
    """Whether two cards have the same rank; suits do not count."""
    return mine.rank == dealer.rank


@cites("casino-war", "7(a)")
def settle(round: Round) -> Settlement:
    """Settle a round that `check` has passed."""
    lines = {
        seat.seat: list(seat_lines(round.rules, seat, round.dealer))
        for seat in round.in_order_of_settlement()
    }
    return settlement(lines, Meters(round.rules, round.meters))


def seat_lines(rules: Rules, seat: Seat, dealer: tuple[Card, ...]) -> Iterator[Line]:
    """Every line of one seat, in the order of settlement."""
    ante, tie = seat.wagers["ante"], is_tie(seat.cards[0], dealer[0])
    if "tie" in seat.wagers:
        yield _tie_wager(rules, seat.wagers["tie"], tie)
    if not tie:
        yield _first_cards(rules, ante, seat.cards[0], dealer[0])
    elif seat.decision == SURRENDER:
        yield from _surrender(rules, ante)
    else:
        yield from _war(rules, ante, seat.cards[1], dealer[1])


@cites("casino-war", "5(d)")
def _tie_wager(rules: Rules, stake: Cents, tie: bool) -> Line:
    names = ("tie",) if tie else ()
    return pay_wager(rules, rules.table("tie"), "tie", stake, names, lost="5(d)")


@cites("casino-war", "5(c)")
def _first_cards(rules: Rules, ante: Cents, mine: Card, dealer: Card) -> Line:
    names = ("win",) if mine.rank > dealer.rank else ()
    return pay_wager(rules, rules.table("ante"), "ante", ante, names, lost="5(c)")


@cites("casino-war", "6(b)")
def _surrender(rules: Rules, ante: Cents) -> Iterator[Line]:
    """The ante is collected, and half of it is given back."""
    yield Line("ante", ante, "lose", 0, "6(b)")
    back = pay_bonus(rules.table("ante"), "half_ante", ante, ("surrender",))
    assert back is not None
    yield back


@cites("casino-war", "6(c)", "6(e)", "6(f)", "6(g)")
def _war(rules: Rules, ante: Cents, mine: Card, dealer: Card) -> Iterator[Line]:
    """The new cards decide: the raise is paid and the ante pushes, or both are lost."""
    if mine.rank < dealer.rank:
        yield Line("ante", ante, "lose", 0, "6(f)")
        yield Line("raise", ante, "lose", 0, "6(f)")
        return
    yield Line("ante", ante, "push", 0, "6(e)")
    yield pay_wager(rules, rules.table("raise"), "raise", ante, ("win",), lost="6(f)")
    if is_tie(mine, dealer) and rules["war_bonus"] != "none":
        bonus = pay_bonus(rules.table("war_bonus"), "war_bonus", ante, ("tie",))
        assert bonus is not None
        yield bonus
