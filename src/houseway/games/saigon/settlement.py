"""Saigon 5 Card, Chapter 680a: which wagers and settings stand, and how each wager is settled.

Settled from the dealer's right, player by player: the ante against the dealer, then the Bonus
against its paytable.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from houseway.cards import Card, cards, show
from houseway.errors import Refused
from houseway.game_api.payout_limit import PayoutLimit, check_limit, minimum, won
from houseway.game_api.payouts import best_pay, pay_wager
from houseway.game_api.round import (
    Line,
    Meters,
    Round,
    Seat,
    Settlement,
    Wagers,
    hashable,
    player_of,
    settlement,
)
from houseway.game_api.wager_checks import (
    check_boxes,
    check_cards,
    check_fields,
    check_hands,
    check_wagers,
)
from houseway.games.saigon.hands import Setting, Standing, Values, bonus_hand, values
from houseway.games.saigon.seat import SaigonSeat, is_set, seat_fields
from houseway.law import SAIGON, Chapter, Rules, cites
from houseway.money import Cents

__all__ = ["check", "check_setting", "most_at_minimums", "seat_fields", "setting", "settle"]
settled_wagers = ("ante", "bonus")


@cites(SAIGON, "680a.2(a)", "680a.3(a)", "680a.7(d)", "680a.7(e)", "680a.11(b)", "680a.12(d)")
def check(round: Round) -> None:
    """Refuse a round that could not have been dealt, wagered or set under these rules."""
    rules = round.rules
    law = rules.chapter
    size = law.number("hand_cards")
    dealt = law.fact("hand_cards").clause
    if rules["payout_limit"] != "none":
        check_limit(rules, most_at_minimums(rules))
    check_fields(round, "cards", "decision")
    check_boxes(rules, ((seat.seat, seat.player) for seat in round.seats))
    check_cards(round.dealer, size, "the dealer", clause=dealt, field="dealer")
    for seat in round.seats:
        try:
            _check_decision(seat)
            check_wagers(rules, seat.wagers)
            check_cards(seat.cards, size, "the player", clause=dealt)
            check_setting(law, seat)
        except Refused as refusal:
            raise refusal.at(seat=seat.seat) from None
    check_hands(
        [
            (round.dealer, None, "dealer"),
            *[(seat.cards, seat.seat, "cards") for seat in round.seats],
        ],
        of_each=law.number("decks"),
        joker=True,
    )


def _check_decision(seat: Seat) -> None:
    """Refuse a decision: the ante stands, and the player only sets the cards."""
    if seat.decision is not None:
        raise Refused(
            "decision_not_open",
            f"{seat.decision} is not possible: the player only sets the cards as three and two",
            clause="680a.11(b)",
            field="decision",
        )


@cites(SAIGON, "680a.11(b)", "680a.11(b)(1)", "680a.11(b)(2)")
def check_setting(law: Chapter, seat: Seat) -> None:
    """Cards that can qualify must be set to qualify; otherwise any three and two are allowed."""
    if not is_set(seat):
        return
    three, two = _both(seat)
    for hand, fact, field in ((three, "three_cards", "three"), (two, "showdown_cards", "two")):
        check_cards(hand, law.number(fact), "the setting", clause="680a.11(b)", field=field)
    if sorted((*three, *two)) != sorted(seat.cards):
        raise Refused(
            "not_the_cards_dealt",
            f"{show(three)} and {show(two)} are not the five cards dealt, {show(seat.cards)}",
            clause="680a.11(b)",
            field="three",
        )
    worth = values(law)
    best = worth.best(seat.cards)
    if best.qualifies and not worth.qualifies(three):
        raise Refused(
            "not_set_to_qualify",
            f"{show(three)} do not qualify and {show(best.three)} would; "
            "cards that can qualify must be set so",
            clause="680a.11(b)(1)",
            field="three",
        )


def _both(seat: SaigonSeat) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The two hands as the player set them; one of them names the other."""
    three, two = seat.three, seat.two
    if three is None:
        three = tuple(card for card in seat.cards if card not in (two or ()))
    if two is None:
        two = tuple(card for card in seat.cards if card not in three)
    return three, two


def setting(law: Chapter, seat: Seat) -> Setting:
    """How a seat is set: as its player said, or the best way by default."""
    if not is_set(seat):
        return values(law).best(seat.cards)
    return values(law).as_set(*_both(seat))


@cites(SAIGON, "680a.11(d)", "680a.11(e)", "680a.12(d)")
def settle(round: Round) -> Settlement:
    """Settle a round that `check` has passed."""
    rules = round.rules
    worth = values(rules.chapter)
    dealer = worth.best_standing(round.dealer)
    limit = PayoutLimit(rules)
    lines = {
        seat.seat: limit.pay_all(player_of(seat), _lines(rules, worth, seat, dealer))
        for seat in round.in_order_of_settlement()
    }
    return settlement(lines, Meters(rules, round.meters))


def _lines(rules: Rules, worth: Values, seat: Seat, dealer: Standing) -> tuple[Line, ...]:
    """Everything of one seat in the order of settlement, before any payout limit."""
    mine = (
        setting(rules.chapter, seat).standing if is_set(seat) else worth.best_standing(seat.cards)
    )
    called = (bonus_hand(seat.cards),) if "bonus" in seat.wagers else ()
    return rules.remembering(_in_turn)(hashable(seat.wagers), mine, dealer, called)


def _in_turn(
    rules: Rules,
    wagers: Wagers,
    mine: Standing,
    dealer: Standing,
    called: tuple[str, ...],
) -> tuple[Line, ...]:
    ante = settle_ante(rules, wagers["ante"], mine, dealer)
    return (ante, _bonus(rules, wagers["bonus"], called)) if "bonus" in wagers else (ante,)


@cites(SAIGON, "680a.11(d)(1)", "680a.11(d)(1)(i)", "680a.11(d)(1)(ii)")
@cites(SAIGON, "680a.11(d)(1)(ii)(A)", "680a.11(d)(1)(ii)(B)")
@cites(SAIGON, "680a.11(d)(2)", "680a.11(d)(2)(i)", "680a.11(d)(2)(ii)", "680a.11(d)(2)(ii)(A)")
@cites(SAIGON, "680a.11(d)(2)(ii)(B)", "680a.11(d)(2)(ii)(C)", "680a.12(a)", "680a.12(b)")
def settle_ante(
    rules: Rules, ante: Cents, mine: Setting | Standing, dealer: Setting | Standing
) -> Line:
    """The ante: decided by who qualifies, and if both do, by the point counts."""
    if not mine.qualifies:
        if dealer.qualifies:
            return Line("ante", ante, "lose", 0, "680a.11(d)(2)(i)")
        return Line("ante", ante, "push", 0, "680a.11(d)(1)(i)")
    if dealer.qualifies and mine.point_count < dealer.point_count:
        return Line("ante", ante, "lose", 0, "680a.11(d)(2)(ii)(A)")
    if dealer.qualifies and mine.point_count == dealer.point_count:
        return Line("ante", ante, "push", 0, "680a.11(d)(2)(ii)(C)")
    table = rules.table("ante")
    pay = best_pay(table, (f"point_count_{mine.point_count}", "win"))
    assert pay is not None
    if dealer.qualifies:
        clause = "680a.11(d)(2)(ii)(B)"
    elif pay is table["win"]:
        clause = "680a.11(d)(1)(ii)(A)"
    else:
        clause = "680a.11(d)(1)(ii)(B)"
    paid = pay.odds.beside(ante)
    return Line("ante", ante, "win", paid, clause, pay.odds.text, outcome=pay.hand)


@cites(SAIGON, "680a.7(d)(2)", "680a.11(e)", "680a.11(e)(1)", "680a.11(e)(2)", "680a.12(c)")
def settle_bonus(rules: Rules, stake: Cents, hand: Sequence[Card]) -> Line:
    """The Bonus: two pair or better in the player's five cards."""
    return _bonus(rules, stake, (bonus_hand(hand),))


@cites(SAIGON, "680a.11(e)", "680a.11(e)(1)", "680a.11(e)(2)")
def _bonus(rules: Rules, stake: Cents, names: tuple[str, ...]) -> Line:
    return pay_wager(rules, rules.table("bonus"), "bonus", stake, names, lost="680a.11(e)(1)")


#: The hands that win most: five aces never qualify, so their Bonus comes without a winning ante;
#: a royal flush without the joker does, and against such a dealer its ante wins as well.
RICHEST = ("Ac Ad Ah As Jk", "Ah Kh Qh Jh Th")
NOT_QUALIFIED = "2c 2d 2s 3c 3d"


@lru_cache(maxsize=64)
@cites(SAIGON, "680a.12(d)")
def most_at_minimums(rules: Rules) -> Cents:
    """The most that one box with every wager at its minimum can win."""
    wagers = {wager: minimum(rules, wager) for wager in rules.chapter.wagers if rules.offers(wager)}
    worth = values(rules.chapter)
    dealer = worth.best_standing(cards(NOT_QUALIFIED))
    seats = (Seat(1, wagers, cards(hand)) for hand in RICHEST)
    return max(won(rules, _lines(rules, worth, seat, dealer)) for seat in seats)
