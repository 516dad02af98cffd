"""Checks of a round of Down Under Blackjack before it is settled: could it have been played so?

Hands are read in the order their cards came, so every draw, double and split is checked against
what was open at that moment; and the dealer must have drawn exactly as 685a.7(m) says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil

from houseway.cards import RANKS, Card
from houseway.errors import Refused
from houseway.game_api.round import Round, Seat, Wagers, hashable
from houseway.game_api.wager_checks import (
    check_amount,
    check_boxes,
    check_fields,
    check_hands,
    check_wagers,
)
from houseway.games.down_under.hands import (
    dealer_draws,
    dealer_total,
    is_blackjack,
    numbers,
    open_decisions,
    player_total,
)
from houseway.games.down_under.seat import Hand, PlayedSeat, played
from houseway.law import DOWN_UNDER, Rules, cites
from houseway.money import Cents, spoken


def _share(rules: Rules, fact: str) -> Fraction:
    return Fraction(str(rules.chapter.fact(fact).value))


@cites(DOWN_UNDER, "685a.7(g)", "685a.8(a)")
def insurance_open(rules: Rules, up_card: Card) -> bool:
    """Whether the dealer's first card lets players insure, or take even money on a blackjack."""
    return RANKS[up_card.rank] == rules.chapter.fact("insurance_up_card").value


@cites(DOWN_UNDER, "685a.8(b)")
def insurance_most(rules: Rules, bet: Cents) -> Cents:
    """Half the bet, or the next amount above it that chips can make."""
    return ceil(bet * _share(rules, "insurance_most") / rules.chip_unit) * rules.chip_unit


@cites(DOWN_UNDER, "685a.9(a)")
def double_most(rules: Rules, bet: Cents) -> Cents:
    """The most that may be added when doubling down; any smaller amount in chips is allowed."""
    return int(bet * _share(rules, "double_most"))


def first_two(seat: Seat) -> tuple[Card, Card]:
    """The two cards that the seat was dealt, before any split."""
    mine = played(seat)
    first = mine.hands[0].cards[0]
    return first, mine.hands[1].cards[0] if mine.split else mine.hands[0].cards[1]


def has_blackjack(rules: Rules, seat: Seat) -> bool:
    """A split hand is never a blackjack."""
    mine = played(seat)
    return not mine.split and is_blackjack(rules, mine.hands[0].cards)


def check(round: Round) -> None:
    """Refuse a round that could not have been dealt, wagered or played under these rules."""
    rules = round.rules
    check_boxes(rules, ((seat.seat, seat.player) for seat in round.seats))
    check_fields(round, "decision")
    _check_dealer_cards(round)
    check_hands(
        [
            (round.dealer, None, "dealer"),
            *[
                (hand.cards, seat.seat, f"hands.{number}.cards")
                for seat in round.seats
                for number, hand in enumerate(played(seat).hands, 1)
            ],
        ],
        of_each=rules["decks"],
        joker=False,
        clause=rules.chapter.fact("decks").clause,
    )
    dealer_blackjack = is_blackjack(rules, round.dealer)
    check_box = rules.remembering(_check_box)
    for seat in round.seats:
        mine = played(seat)
        try:
            check_box(hashable(mine.wagers), mine.hands, mine.split, mine.decision)
            _check_insurance(round, seat)
            if dealer_blackjack:
                _check_nothing_drawn(seat)
        except Refused as refusal:
            raise refusal.at(seat=seat.seat) from None
    _check_dealer_draws(round)


def _check_box(
    rules: Rules,
    wagers: Wagers,
    hands: tuple[Hand, ...],
    split: bool,
    decision: str | None,
) -> None:
    """The wagers and hands of one seat by themselves."""
    mine = PlayedSeat(0, wagers, decision=decision, hands=hands, split=split)
    _check_wagers(rules, mine)
    _check_hands(rules, mine)


@cites(DOWN_UNDER, "685a.6(d)", "685a.6(e)")
def _check_wagers(rules: Rules, mine: PlayedSeat) -> None:
    """The wagers of the deal; what doubles or splits follows from the hands."""
    implied = {"double": sum(hand.doubled for hand in mine.hands)}
    implied["split"] = mine.wagers.get("bet", 0) if mine.split else 0
    check_wagers(rules, mine.wagers)
    for wager, amount in implied.items():
        if wager in mine.wagers and mine.wagers[wager] != amount:
            known = rules.chapter.wagers[wager]
            raise Refused(
                "wager_not_as_played",
                f"{known.name} of {spoken(mine.wagers[wager])} where the hands make it "
                f"{spoken(amount)}",
                clause=known.clause,
                field=f"wagers.{wager}",
            )


@cites(DOWN_UNDER, "685a.10(a)", "685a.10(c)", "685a.10(e)")
def _check_hands(rules: Rules, mine: PlayedSeat) -> None:
    """One hand, or two from one split, each played as its cards allowed."""
    if mine.decision is not None:
        raise Refused(
            "decision_not_open",
            f"{mine.decision} is not possible here: the hands show what was decided",
            clause="685a.7(i)(2)",
            field="decision",
        )
    most = rules.chapter.fact("hands_most")
    count = len(mine.hands)
    if not 1 <= count <= rules.chapter.number("hands_most"):
        raise Refused(
            "wrong_number_of_hands",
            f"{count} hands where a player has one, or {most.value} after a split",
            clause=most.clause,
            field="hands",
        )
    if mine.split != (count > 1):
        raise Refused(
            "wrong_number_of_hands",
            "a split makes two hands" if mine.split else "two hands are one that was split",
            clause="685a.10(a)",
            field="hands",
        )
    for number, hand in enumerate(mine.hands, 1):
        if len(hand.cards) < rules.chapter.number("hand_cards"):
            raise Refused(
                "wrong_number_of_cards",
                f"hand {number} has {len(hand.cards)} cards where 2 are dealt",
                clause=rules.chapter.fact("hand_cards").clause,
                field=f"hands.{number}.cards",
            )
    if mine.split and "split" not in open_decisions(rules, first_two(mine)):
        first, second = first_two(mine)
        raise Refused(
            "decision_not_open",
            f"the {first.name} and the {second.name} are not alike in value and cannot be split",
            clause="685a.10(a)",
            field="hands",
        )
    for number, hand in enumerate(mine.hands, 1):
        if hand.doubled:
            _check_double(rules, hand, number, mine.wagers["bet"], from_split=mine.split)
        else:
            _check_draws(rules, hand.cards, number, from_split=mine.split)


@cites(DOWN_UNDER, "685a.7(k)(2)", "685a.9(a)")
def _check_double(rules: Rules, hand: Hand, number: int, bet: Cents, *, from_split: bool) -> None:
    first = hand.cards[:2]
    if "double" not in open_decisions(rules, first, from_split=from_split):
        raise Refused(
            "decision_not_open",
            f"hand {number} cannot be doubled on {player_total(rules, first)}",
            clause=finished_by(rules, first, from_split=from_split),
            field=f"hands.{number}.doubled",
        )
    if len(hand.cards) != 3:
        raise Refused(
            "wrong_number_of_cards",
            f"hand {number} was doubled and has {len(hand.cards)} cards where one is drawn to two",
            clause="685a.7(k)(2)",
            field=f"hands.{number}.cards",
        )
    if hand.doubled > double_most(rules, bet):
        raise Refused(
            "double_above_bet",
            f"a double of {spoken(hand.doubled)} is more than the bet of {spoken(bet)}",
            clause=rules.chapter.fact("double_most").clause,
            field=f"hands.{number}.doubled",
        )
    try:
        check_amount(rules, "double", hand.doubled)
    except Refused as refusal:
        refusal.field = f"hands.{number}.doubled"
        raise


@cites(DOWN_UNDER, "685a.7(k)", "685a.7(k)(1)", "685a.10(e)")
def _check_draws(rules: Rules, cards: tuple[Card, ...], number: int, *, from_split: bool) -> None:
    for held in range(2, len(cards)):
        before = cards[:held]
        if "hit" not in open_decisions(rules, before, from_split=from_split):
            raise Refused(
                "decision_not_open",
                f"hand {number} may not draw on {player_total(rules, before)}",
                clause=finished_by(rules, before, from_split=from_split),
                field=f"hands.{number}.cards",
            )


#: why nothing is open on a hand, by the clause that ends it
FINISHED = {
    "685a.7(i)(1)": "a blackjack is paid",
    "685a.7(k)(1)": "a total of 21 draws no card",
    "685a.7(k)": "it is over 21",
    "685a.10(e)": "a split ace gets one card",
}


def finished_by(rules: Rules, cards: Sequence[Card], *, from_split: bool) -> str:
    """The clause that ends a hand on which nothing is open."""
    points = player_total(rules, cards).points
    if not from_split and is_blackjack(rules, cards):
        return "685a.7(i)(1)"
    if points == numbers(rules).player_most:
        return "685a.7(k)(1)"
    return "685a.7(k)" if points > numbers(rules).player_most else "685a.10(e)"


@cites(DOWN_UNDER, "685a.7(g)", "685a.8(a)", "685a.8(b)")
def _check_insurance(round: Round, seat: Seat) -> None:
    rules = round.rules
    stake = seat.wagers.get("insurance")
    even_money = played(seat).even_money
    if stake is None and not even_money:
        return
    field = "even_money" if even_money else "wagers.insurance"
    if not insurance_open(rules, round.dealer[0]):
        raise Refused(
            "decision_not_open",
            f"the dealer shows the {round.dealer[0].name}; insurance and even money are offered "
            "on an ace",
            clause="685a.8(a)",
            field=field,
        )
    if even_money:
        if not has_blackjack(rules, seat):
            raise Refused(
                "decision_not_open",
                "even money is for a player with a blackjack",
                clause="685a.7(g)",
                field=field,
            )
        if stake is not None:
            raise Refused(
                "decision_not_open",
                "even money stands in place of insurance",
                clause="685a.7(g)",
                field=field,
            )
    elif stake is not None and stake > insurance_most(rules, seat.wagers["bet"]):
        raise Refused(
            "insurance_above_half",
            f"insurance of {spoken(stake)} is more than half the bet of "
            f"{spoken(seat.wagers['bet'])}",
            clause="685a.8(b)",
            field=field,
        )


@cites(DOWN_UNDER, "685a.7(h)")
def _check_nothing_drawn(seat: Seat) -> None:
    """Nobody draws against a dealer's blackjack; a double or split is still settled by 9(b) and 10(d)."""
    mine = played(seat)
    hand = mine.hands[0]
    if len(hand.cards) > 2 and not hand.doubled and not mine.split:
        raise Refused(
            "decision_not_open",
            "no card is drawn against a dealer's blackjack",
            clause="685a.7(h)",
            field="hands.1.cards",
        )


def _check_dealer_cards(round: Round) -> None:
    if len(round.dealer) < round.rules.chapter.number("hand_cards"):
        raise Refused(
            "wrong_number_of_cards",
            f"the dealer has {len(round.dealer)} cards where 2 are dealt: up card, hole card, draws",
            clause=round.rules.chapter.fact("hand_cards").clause,
            field="dealer",
        )


@cites(DOWN_UNDER, "685a.7(h)", "685a.7(l)", "685a.7(m)")
def _check_dealer_draws(round: Round) -> None:
    """The dealer drew as 7(m) says; the draws may be left out if no hand is left to decide."""
    rules, dealer = round.rules, round.dealer
    for held in range(2, len(dealer)):
        before = dealer[:held]
        if not dealer_draws(rules, before):
            blackjack = is_blackjack(rules, before)
            on = "a blackjack" if blackjack else str(dealer_total(rules, before))
            raise Refused(
                "dealer_drew_too_many",
                f"the dealer draws no card on {on}",
                clause="685a.7(h)" if blackjack else "685a.7(m)",
                field="dealer",
            )
    drew_none = len(dealer) == 2
    if dealer_draws(rules, dealer) and not (drew_none and not any(_live(round))):
        raise Refused(
            "dealer_drew_too_few",
            f"the dealer draws on {dealer_total(rules, dealer)}",
            clause="685a.7(m)",
            field="dealer",
        )


def _live(round: Round) -> Iterator[Hand]:
    """The hands that the dealer's total decides: neither bust nor paid."""
    rules = round.rules
    for seat in round.seats:
        if not has_blackjack(rules, seat):
            for hand in played(seat).hands:
                if player_total(rules, hand.cards).points <= numbers(rules).player_most:
                    yield hand
