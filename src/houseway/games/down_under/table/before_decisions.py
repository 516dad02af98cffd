"""A round of Down Under up to the decisions: the deal, Match-the-Dealer, insurance, the reader.

The first card closes the bets. Match-the-Dealer is settled before insurance is offered, insurance
before the reader is used, losing insurance is collected before anyone draws.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from houseway.cards import Card, card, cards
from houseway.errors import Refused
from houseway.game_api.round import Line, Seat
from houseway.game_api.wager_checks import check_amount
from houseway.games.down_under.hands import is_blackjack, numbers
from houseway.games.down_under.play import insurance_most, insurance_open
from houseway.games.down_under.seat import Hand, PlayedSeat
from houseway.games.down_under.settlement import Step, steps
from houseway.games.down_under.table import commands as own_commands
from houseway.games.down_under.table import events as own_events
from houseway.games.down_under.table.actions import ACTIONS
from houseway.games.down_under.table.state import own, played
from houseway.law import DOWN_UNDER, cites
from houseway.money import cents, dollars, spoken
from houseway.table import events as e
from houseway.table.card_source import known_already
from houseway.table.gaming_day import day_of
from houseway.table.moment import Moment
from houseway.table.money.settlement_lines import due_of, due_out
from houseway.table.money.stakes import check_seated
from houseway.table.procedure.dealing import Deal
from houseway.table.procedure.settling import pay
from houseway.table.procedure.shoe import note_sat_out
from houseway.table.procedure.wagering import close_bets
from houseway.table.round_building import Cards, decided_by_cards, hands_in, round_of
from houseway.table.state import DEAD, UNKNOWN, Box, is_open, seat_pile

# the deal


@lru_cache(maxsize=256)
@cites(DOWN_UNDER, "685a.7(e)", "685a.7(e)(1)", "685a.7(e)(2)", "685a.7(e)(3)", "685a.7(e)(4)")
def deal_plan(
    seats: tuple[int, ...], late: tuple[int, ...] = (), last: tuple[int, ...] = ()
) -> tuple[Deal, ...]:
    """Twice around; a seat that was passed over the second time comes after the others.

    One that is found when the hole card lies comes after that.
    """

    def one_each(seats: Iterable[int]) -> list[Deal]:
        return [Deal(seat_pile(seat), face_up=True) for seat in seats]

    in_turn = (seat for seat in seats if seat not in late + last)
    second = (*one_each(in_turn), *one_each(late), Deal("hole"), *one_each(last))
    return (*one_each(seats), Deal("dealer", face_up=True), *second)


def late_seats(now: Moment) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The seats whose second card comes after the others', and those for whom the hole card lay first."""
    late, piles = own(now.table).dealt_late, now.table.piles
    last = tuple(x for x in late if "hole" in piles and len(piles.get(seat_pile(x), ())) < 2)
    return tuple(seat for seat in late if seat not in last), last


@cites(DOWN_UNDER, "685a.6(b)", "685a.6(c)")
def first_card(now: Moment) -> None:
    """The first card closes the bets."""
    close_bets(now, "close_bets")
    note_sat_out(now)
    now.begin("dealing")


@cites(DOWN_UNDER, "685a.2(d)", "685a.12(i)")
def check_reader(now: Moment) -> None:
    """Nothing is dealt without the reader, nor in a gaming day before it is inspected."""
    reader_works(now)
    if not now.table.hands and _inspection_due(now):
        day = f": this is the gaming day of {_day(now)}" if now.at else ""
        raise now.refuse(
            "not_inspected", f"the floorperson inspects the reader first{day}", "inspect_reader"
        )


def _day(now: Moment) -> str:
    return day_of(now.table.zone, now.table.day_begins, now.at)


def _inspection_due(now: Moment) -> bool:
    """Whether the reader waits for this gaming day's inspection; unasked for a time, its first."""
    inspected = now.table.devices["reader"].inspected
    return inspected != _day(now) if now.at else not inspected


def _inspectable(now: Moment, _seat: int) -> None:
    if now.table.hands:
        raise now.refuse("out_of_turn", "the reader is inspected between rounds", "inspect_reader")
    if not _inspection_due(now):
        raise now.refuse("out_of_turn", "the reader was inspected today", "inspect_reader")
    # what is found in working order works
    reader_works(now)


@ACTIONS.action(own_commands.InspectReader, ("floorperson",), (), _inspectable)
@cites(DOWN_UNDER, "685a.2(d)")
def inspect_reader(now: Moment, _command: own_commands.InspectReader) -> None:
    """At the start of each gaming day."""
    now.emit(e.DeviceInspected, now.clause("inspect_reader"), device="reader", day=_day(now))


def seat_of(box: Box, cards: Cards) -> Seat:
    """A box as the games settle it."""
    placed = ("bet", "match_the_dealer", "insurance")
    mine = played(box)
    first = Hand(cards(seat_pile(box.seat)), mine.doubled.get(1, 0))
    second = Hand(cards(seat_pile(box.seat, 2)), mine.doubled.get(2, 0))
    hands = (first, second) if mine.split else (first,)
    return PlayedSeat(
        box.seat,
        {name: box.wagers[name] for name in placed if name in box.wagers},
        player=box.player,
        hands=hands,
        split=mine.split,
        even_money=mine.even_money,
    )


def dealer_hand(now: Moment, cards: Cards) -> tuple[Card, ...]:
    """Up card, hole card, draws; a hole card that was not shown is left out."""
    up = cards("dealer")
    hole = cards("hole") if "hole" in now.table.shown else ()
    return (*up[:1], *hole, *up[1:])


# what is settled before the decisions


def up_card(now: Moment) -> Card:
    return card(now.table.piles["dealer"][0])


def has_blackjack(now: Moment, box: Box) -> bool:
    lying = held(now, seat_pile(box.seat))
    return len(lying) == 2 and not played(box).split and is_blackjack(now.rules, cards(lying))


def has_two(now: Moment, box: Box) -> bool:
    """Whether a box has its first two cards, in one hand or in two."""
    return sum(len(held(now, name)) for name in now.game.hand_piles(box.seat)) > 1


def held(now: Moment, place: str) -> tuple[str, ...]:
    """The cards of a hand, on the table or in the rack."""
    return now.table.racked.get(place, ()) + now.table.piles.get(place, ())


def all_lines(now: Moment) -> list[tuple[int, Line]]:
    """Every line, as the round stands, in the order of settlement."""
    ace = insurance_open(now.rules, up_card(now))
    done = decided_by_cards(now)
    return [
        (step.seat, step.line)
        for step in steps(round_of(now))
        # insurance that was taken before the up card was corrected is off
        if (ace or step.line.wager != "insurance") and not _dead(now, step, done)
    ]


def _dead(now: Moment, step: Step, done: set[tuple[int, str, int]]) -> bool:
    """Whether this is about a hand that was called dead: what was not settled went back."""
    box, hand = now.box(step.seat), step.line.hand or 0
    if box.out:
        return (box.seat, step.line.wager, hand) not in done
    return box.decisions.get(hand) == DEAD


def lines_of(now: Moment, *wagers: str) -> list[tuple[int, Line]]:
    """The lines of these wagers that are not settled yet."""
    done = {(line.seat, line.wager) for line in now.table.settled}
    return [
        (seat, line)
        for seat, line in all_lines(now)
        if line.wager in wagers and (seat, line.wager) not in done
    ]


def become_due(now: Moment, lines: list[tuple[int, Line]]) -> None:
    due = (due_of(seat, line) for seat, line in lines)
    open_lines = (line for line in due if is_open(now.table.boxes[line.seat - 1], line))
    now.emit(e.SettlementDue, lines=tuple(map(due_out, open_lines)))


@cites(DOWN_UNDER, "685a.7(f)")
def after_first_cards(now: Moment) -> None:
    """Match-the-Dealer first, from the dealer's right."""
    if any("match_the_dealer" in box.layout for box in hands_in(now)):
        become_due(now, lines_of(now, "match_the_dealer"))
        now.begin("matching")
    else:
        after_matching(now)


@cites(DOWN_UNDER, "685a.7(g)")
def after_matching(now: Moment) -> None:
    """An ace up: insurance or even money is offered before the reader is used."""
    now.begin("insuring" if insurance_open(now.rules, up_card(now)) else "reading")


def _may_insure(now: Moment, seat: int) -> None:
    box = now.box(seat)
    if seat not in now.table.hands or box.out:
        raise now.refuse("no_wager", f"there is no hand at seat {seat}", "insure")
    if seat in own(now.table).answered:
        raise now.refuse("not_your_turn", f"seat {seat} has answered", "insure")


def _may_place_insurance(now: Moment, seat: int) -> None:
    _may_insure(now, seat)
    check_seated(now.box(seat), now.clause("insure"))


@ACTIONS.action(own_commands.Insure, ("player", "dealer"), ("insuring",), _may_place_insurance)
@cites(DOWN_UNDER, "685a.8(a)", "685a.8(b)")
def insure(now: Moment, command: own_commands.Insure) -> None:
    """Up to half the bet, or the next amount above it that chips can make."""
    amount, most = (
        cents(command.amount),
        insurance_most(now.rules, now.box(command.seat).wagers["bet"]),
    )
    check_amount(now.rules, "insurance", amount)
    if amount > most:
        raise now.refuse(
            "insurance_above_half",
            f"insurance is at most {spoken(most)} here, not {spoken(amount)}",
            "close_insurance",
            field="amount",
        )
    clause = now.clause("insure")
    now.emit(e.WagerPlaced, clause, seat=command.seat, wager="insurance", amount=dollars(amount))
    now.emit(own_events.InsuranceAnswered, clause, seat=command.seat)


@ACTIONS.action(own_commands.DeclineInsurance, ("player", "dealer"), ("insuring",), _may_insure)
def decline_insurance(now: Moment, command: own_commands.DeclineInsurance) -> None:
    clause = now.clause("decline_insurance")
    now.emit(own_events.InsuranceAnswered, clause, seat=command.seat, declined=True)


def _may_take_even_money(now: Moment, seat: int) -> None:
    _may_place_insurance(now, seat)
    if not has_blackjack(now, now.box(seat)):
        raise now.refuse("decision_not_open", "even money is for a blackjack", "take_even_money")


@ACTIONS.action(
    own_commands.TakeEvenMoney, ("player", "dealer"), ("insuring",), _may_take_even_money
)
@cites(DOWN_UNDER, "685a.7(g)")
def take_even_money(now: Moment, command: own_commands.TakeEvenMoney) -> None:
    """Paid at once, before the hole card is known."""
    now.emit(
        own_events.InsuranceAnswered,
        now.clause("take_even_money"),
        seat=command.seat,
        even_money=True,
    )
    for seat, line in lines_of(now, "bet", "even_money"):
        if seat == command.seat:
            pay(now, due_of(seat, line))


@ACTIONS.action(own_commands.CloseInsurance, ("dealer",), ("insuring",))
@cites(DOWN_UNDER, "685a.8(b)")
def close_insurance(now: Moment, _command: own_commands.CloseInsurance) -> None:
    """Insurance is placed before the hole card goes into the reader, or not at all."""
    now.begin("reading")


# the reader


@cites(DOWN_UNDER, "685a.12(i)")
def reader_works(now: Moment) -> None:
    """Nothing goes on without the reader."""
    if now.table.devices["reader"].condition != "working":
        raise now.refuse("device_out_of_order", "the reader does not work", "device_breaks")


def no_such_area(now: Moment) -> Refused:
    areas = ", ".join(numbers(now.rules).lights)
    return now.refuse("no_such_area", f"the areas are {areas}", "wrong_light", field="area")


def check_hole_unknown(now: Moment, field: str) -> None:
    """A hole card that the table knows is not named, right or wrong: it is hidden from everybody."""
    if field and UNKNOWN not in now.table.piles["hole"]:
        raise known_already(field)


def check_double(now: Moment, amount: int, most: int) -> None:
    check_amount(now.rules, "double", amount)
    if amount > most:
        raise Refused(
            "double_above_bet",
            f"a double of {spoken(amount)} is more than the bet of {spoken(most)}",
            clause=now.rules.chapter.fact("double_most").clause,
            field="amount",
        )
