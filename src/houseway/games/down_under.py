"""Down Under Blackjack, 58 Pa. Code Ch. 685a: which rounds can have been played, and their end.

A round is settled in stages. Match-the-Dealer right after the deal; even money; insurance once the
reader was used; players' blackjacks from the dealer's left; at the end all other bets, in the order
that the Rules Submission names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from houseway.cards import RANKS, Card
from houseway.games.blackjack import (
    both_large,
    dealer_draws,
    dealer_total,
    is_blackjack,
    numbers,
    open_decisions,
    player_total,
)
from houseway.games.paying import pay_bonus, pay_wager
from houseway.games.round import Hand, Line, Meters, Result, Round, Seat, Settlement, settlement
from houseway.games.wagers import check_amount, check_boxes, check_fields, check_pack, check_wagers
from houseway.law import DOWN_UNDER, Rules, cites
from houseway.money import Cents, spoken
from houseway.refusal import Refused


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
    """The most that may be added when doubling down; anything less in chips will do as well."""
    return int(bet * _share(rules, "double_most"))


def first_two(seat: Seat) -> tuple[Card, Card]:
    """The two cards that the seat was dealt, before any split."""
    first = seat.hands[0].cards[0]
    return first, seat.hands[1].cards[0] if seat.split else seat.hands[0].cards[1]


def has_blackjack(rules: Rules, seat: Seat) -> bool:
    """A split hand is never a blackjack."""
    return not seat.split and is_blackjack(rules, seat.hands[0].cards)


# --- what can have happened


def check(round: Round) -> None:
    """Refuse a round that could not have been dealt, wagered or played under these rules."""
    rules = round.rules
    check_boxes(rules, ((seat.seat, seat.player) for seat in round.seats))
    check_fields(round, "hands", "even_money")
    _check_dealer_cards(round)
    for seat in round.seats:
        try:
            _check_wagers(round, seat)
            _check_hands(rules, seat)
            _check_insurance(round, seat)
            if is_blackjack(rules, round.dealer):
                _check_nothing_drawn(seat)
        except Refused as refusal:
            raise refusal.at(seat=seat.seat) from None
    _check_dealer_draws(round)
    check_pack(
        [
            *((card, None, "dealer") for card in round.dealer),
            *(
                (card, seat.seat, f"hands.{number}.cards")
                for seat in round.seats
                for number, hand in enumerate(seat.hands, 1)
                for card in hand.cards
            ),
        ],
        of_each=rules["decks"],
        joker=False,
    )


@cites(DOWN_UNDER, "685a.6(d)", "685a.6(e)")
def _check_wagers(round: Round, seat: Seat) -> None:
    """The wagers of the deal; what doubles or splits follows from the hands."""
    implied = {"double": sum(hand.doubled for hand in seat.hands)}
    implied["split"] = seat.wagers.get("bet", 0) if seat.split else 0
    check_wagers(round.rules, seat.wagers)
    for wager, amount in implied.items():
        if wager in seat.wagers and seat.wagers[wager] != amount:
            known = round.rules.chapter.wagers[wager]
            raise Refused(
                "wager_not_as_played",
                f"{known.name} of {spoken(seat.wagers[wager])} where the hands make it "
                f"{spoken(amount)}",
                clause=known.clause,
                field=f"wagers.{wager}",
            )


@cites(DOWN_UNDER, "685a.10(a)", "685a.10(c)", "685a.10(e)")
def _check_hands(rules: Rules, seat: Seat) -> None:
    """One hand, or two from one split, each played as its cards allowed."""
    most = rules.chapter.fact("hands_most")
    count = len(seat.hands)
    if not 1 <= count <= rules.chapter.number("hands_most"):
        raise Refused(
            "wrong_number_of_hands",
            f"{count} hands where a player has one, or {most.value} after a split",
            clause=most.clause,
            field="hands",
        )
    if seat.split != (count > 1):
        raise Refused(
            "wrong_number_of_hands",
            "a split makes two hands" if seat.split else "two hands are one that was split",
            clause="685a.10(a)",
            field="hands",
        )
    for number, hand in enumerate(seat.hands, 1):
        if len(hand.cards) < rules.chapter.number("hand_cards"):
            raise Refused(
                "wrong_number_of_cards",
                f"hand {number} has {len(hand.cards)} cards where 2 are dealt",
                clause=rules.chapter.fact("hand_cards").clause,
                field=f"hands.{number}.cards",
            )
    if seat.split and "split" not in open_decisions(rules, first_two(seat)):
        first, second = first_two(seat)
        raise Refused(
            "decision_not_open",
            f"the {first.name} and the {second.name} are not alike in value and cannot be split",
            clause="685a.10(a)",
            field="hands",
        )
    for number, hand in enumerate(seat.hands, 1):
        if hand.doubled:
            _check_double(rules, hand, number, seat)
        else:
            _check_draws(rules, hand.cards, number, from_split=seat.split)


@cites(DOWN_UNDER, "685a.7(k)(2)", "685a.9(a)")
def _check_double(rules: Rules, hand: Hand, number: int, seat: Seat) -> None:
    first = hand.cards[:2]
    if "double" not in open_decisions(rules, first, from_split=seat.split):
        raise Refused(
            "decision_not_open",
            f"hand {number} cannot be doubled on {player_total(rules, first)}",
            clause=_finished_by(rules, first, from_split=seat.split),
            field=f"hands.{number}.doubled",
        )
    if len(hand.cards) != 3:
        raise Refused(
            "wrong_number_of_cards",
            f"hand {number} was doubled and has {len(hand.cards)} cards where one is drawn to two",
            clause="685a.7(k)(2)",
            field=f"hands.{number}.cards",
        )
    bet = seat.wagers["bet"]
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
                clause=_finished_by(rules, before, from_split=from_split),
                field=f"hands.{number}.cards",
            )


def _finished_by(rules: Rules, cards: Sequence[Card], *, from_split: bool) -> str:
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
    if stake is None and not seat.even_money:
        return
    field = "even_money" if seat.even_money else "wagers.insurance"
    if not insurance_open(rules, round.dealer[0]):
        raise Refused(
            "decision_not_open",
            f"the dealer shows the {round.dealer[0].name}; insurance and even money are offered "
            "on an ace",
            clause="685a.8(a)",
            field=field,
        )
    if seat.even_money:
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
    """With a dealer's blackjack nobody draws; 9(b) and 10(d) settle a double or split even so."""
    hand = seat.hands[0]
    if len(hand.cards) > 2 and not hand.doubled and not seat.split:
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
    """The dealer drew as 7(m) says; without a hand left to decide the draws may be left out."""
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
            for hand in seat.hands:
                if player_total(rules, hand.cards).points <= numbers(rules).player_most:
                    yield hand


# --- what it comes to


class Step(NamedTuple):
    """One wager settled at one seat."""

    seat: int
    line: Line


@cites(DOWN_UNDER, "685a.7(n)", "685a.7(n)(1)", "685a.7(n)(2)", "685a.7(o)", "685a.7(o)(1)")
@cites(DOWN_UNDER, "685a.7(o)(2)", "685a.7(p)", "685a.7(q)", "685a.7(q)(1)", "685a.7(q)(2)")
def outcome(rules: Rules, mine: int, dealer: int, *, two_large: bool) -> tuple[Result, str]:
    """What becomes of a hand's wagers against the dealer's total, and the clause that says so."""
    known = numbers(rules)
    if mine > known.player_most:
        return "lose", "685a.7(q)(1)"
    if dealer == known.push_total:
        paid = two_large or mine == known.player_most
        return ("win" if paid else "push"), "685a.7(n)(1)"
    if dealer > known.dealer_most:
        return "win", "685a.7(o)(1)"
    if mine > dealer:
        return "win", "685a.7(o)(2)"
    return ("push", "685a.7(p)") if mine == dealer else ("lose", "685a.7(q)(2)")


@cites(DOWN_UNDER, "685a.7(f)")
def matches(up_card: Card, cards: Sequence[Card]) -> tuple[str, ...]:
    """For each card of the up card's rank, whether its suit matches too."""
    return tuple(
        "suited_match" if card == up_card else "unsuited_match"
        for card in cards
        if card.rank == up_card.rank
    )


@cites(DOWN_UNDER, "685a.7(f)", "685a.11(c)")
def _match_the_dealer(round: Round, seat: Seat) -> Line:
    """Each of the first two cards is matched by itself; two matches are paid together."""
    wager, stake = "match_the_dealer", seat.wagers["match_the_dealer"]
    table = round.rules.table(wager)
    pays = [pay for name in matches(round.dealer[0], first_two(seat)) if (pay := table.get(name))]
    if not pays:
        return Line(wager, stake, "lose", 0, "685a.7(f)")
    paid = sum(pay.odds.beside(stake) for pay in pays)
    together = sum((pay.odds.value for pay in pays), Fraction(0))
    odds = f"{together.numerator} to {together.denominator}"
    return Line(wager, stake, "win", paid, pays[0].clause, odds)


def _insurance(rules: Rules, seat: Seat, *, wins: bool) -> Iterator[Line]:
    stake = seat.wagers.get("insurance")
    if stake is not None:
        names = ("win",) if wins else ()
        yield pay_wager(
            rules, rules.table("insurance"), "insurance", stake, names, lost="685a.8(d)"
        )


def _even_money(rules: Rules, seat: Seat) -> Iterator[Line]:
    """The bet goes back with as much again, before the hole card is known."""
    bet = seat.wagers["bet"]
    bonus = pay_bonus(rules.table("even_money"), "even_money", bet, ("win",))
    if bonus is not None:
        yield Line("bet", bet, "returned", 0, bonus.clause)
        yield bonus


def _win(rules: Rules, wager: str, stake: Cents, name: str, clause: str, hand: int | None) -> Line:
    odds = rules.table(wager)[name].odds
    return Line(wager, stake, "win", odds.beside(stake), clause, odds.text, hand)


def _stakes(seat: Seat) -> Iterator[tuple[str, Cents, Hand, int | None]]:
    """Every wager on the hands of a seat: the bet or what split it, and what doubled it."""
    for number, hand in enumerate(seat.hands, 1):
        shown = number if seat.split else None
        yield ("bet" if number == 1 else "split"), seat.wagers["bet"], hand, shown
        if hand.doubled:
            yield "double", hand.doubled, hand, shown


@cites(DOWN_UNDER, "685a.7(h)(1)", "685a.7(h)(2)", "685a.9(b)", "685a.10(d)")
def _against_blackjack(round: Round, seat: Seat) -> Iterator[Line]:
    """The dealer's blackjack takes a player's first bet and nothing that was added to it."""
    added = {"double": "685a.9(b)", "split": "685a.10(d)"}
    for wager, stake, _, number in _stakes(seat):
        if wager in added:
            yield Line(wager, stake, "returned", 0, added[wager], hand=number)
        elif has_blackjack(round.rules, seat):
            yield Line(wager, stake, "push", 0, "685a.7(h)(1)", hand=number)
        else:
            yield Line(wager, stake, "lose", 0, "685a.7(h)(2)", hand=number)


@cites(DOWN_UNDER, "685a.7(n)", "685a.11(a)")
def _against_total(round: Round, seat: Seat, dealer: int) -> Iterator[Line]:
    """Each hand against the dealer's total; what doubled or split it shares its fate."""
    rules = round.rules
    for wager, stake, hand, number in _stakes(seat):
        mine = player_total(rules, hand.cards).points
        two_large = not seat.split and both_large(rules, hand.cards)
        result, clause = outcome(rules, mine, dealer, two_large=two_large)
        if result == "win":
            yield _win(rules, wager, stake, "win", clause, number)
        else:
            yield Line(wager, stake, result, 0, clause, hand=number)


@cites(DOWN_UNDER, "685a.7(r)", "685a.7(r)(1)", "685a.7(r)(2)")
def _in_order(rules: Rules, last: list[Step]) -> list[Step]:
    """Losing wagers first, of the whole table or of each player in turn."""
    if rules["settlement"] == "losers_first":
        return sorted(last, key=lambda step: step.line.result != "lose")
    return sorted(last, key=lambda step: (-step.seat, step.line.result != "lose"))


@cites(DOWN_UNDER, "685a.7(f)", "685a.7(g)", "685a.7(i)(1)", "685a.8(c)", "685a.8(d)", "685a.11(a)")
def steps(round: Round) -> Iterator[Step]:
    """Every wager of a round that `check` has passed, in the order it is collected or paid."""
    rules = round.rules
    seats = round.in_order_of_settlement()
    dealer_blackjack = is_blackjack(rules, round.dealer)
    for seat in seats:
        if "match_the_dealer" in seat.wagers:
            yield Step(seat.seat, _match_the_dealer(round, seat))
    for seat in seats:
        if seat.even_money:
            yield from (Step(seat.seat, line) for line in _even_money(rules, seat))
    undecided = [seat for seat in seats if not seat.even_money]
    if not dealer_blackjack:
        for seat in undecided:
            yield from (Step(seat.seat, line) for line in _insurance(rules, seat, wins=False))
        for seat in reversed(undecided):
            if has_blackjack(rules, seat):
                bet = seat.wagers["bet"]
                paid = _win(rules, "bet", bet, "blackjack", "685a.7(i)(1)", None)
                yield Step(seat.seat, paid)
        undecided = [seat for seat in undecided if not has_blackjack(rules, seat)]
    total = dealer_total(rules, round.dealer).points
    last: list[Step] = []
    for seat in undecided:
        if dealer_blackjack:
            lines = [*_against_blackjack(round, seat), *_insurance(rules, seat, wins=True)]
        else:
            lines = list(_against_total(round, seat, total))
        last.extend(Step(seat.seat, line) for line in lines)
    yield from _in_order(rules, last)


def settle(round: Round) -> Settlement:
    """Settle a round that `check` has passed."""
    lines: dict[int, list[Line]] = {seat.seat: [] for seat in round.seats}
    for step in steps(round):
        lines[step.seat].append(step.line)
    return settlement(lines, Meters(round.rules, round.meters))
