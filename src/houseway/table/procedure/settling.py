"""From the dealer's cards to the last wager: reveal, turn, settle wager by wager."""

from __future__ import annotations

from collections import Counter

from houseway.cards import card
from houseway.game_api.round import LOST, Line
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, Chapter, cites
from houseway.money import dollars, payout, spoken
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.actions import action
from houseway.table.card_source import seen_too_often, turned
from houseway.table.moment import Moment
from houseway.table.procedure.clearing import to_clear
from houseway.table.procedure.progressive import pay_from_meter, to_validate, validated_by
from houseway.table.procedure.resettlement import settle_again
from houseway.table.procedure.tray import chips_in, exchange
from houseway.table.procedure.wagering import of_all_hands
from houseway.table.round_building import hands_in, in_order
from houseway.table.state import UNKNOWN, Box, Due, stake_of

# revealing


@action(c.RevealDealer, ("dealer",), ("revealing",))
@cites(MD, "11.D(2)", "10.B(4)")
@cites(MA, "10(b)", "9(c)(2)")
@cites(PRIME, "679a.11(c)")
@cites(SAIGON, "680a.11(c)")
def reveal_dealer(now: Moment, command: c.RevealDealer) -> None:
    now.game.reveal(now, command.cards)


def reveal_hand(now: Moment, given: tuple[str, ...]) -> None:
    """The dealer's cards are shown, out of the shoe first where they waited there."""
    waiting = now.table.piles.get("dealer_stack")
    if waiting:
        clause = now.clause("deal_dealer_stack", "reveal_dealer")
        now.emit(e.CardsMoved, clause, source="dealer_stack", to="dealer", count=len(waiting))
    cards = now.game.arranged(now, turned(now, "dealer", given))
    now.emit(e.CardsTurned, now.clause("reveal_dealer"), place="dealer", cards=cards)
    now.begin("settling")
    figure(now)


def _unknown(now: Moment) -> list[str]:
    """The same, but only if nothing is due: wagers that are due are settled first."""
    return [] if now.table.due else unknown(now)


def unknown(now: Moment) -> list[str]:
    """Piles on the table that decide something and are to be keyed in when they are turned."""
    hands = hands_in(now)
    needed = [
        name
        for name in now.game.shared_piles
        if name in now.table.piles and any(_decided_by(now, box, name) for box in hands)
    ]
    for box in reversed(hands):
        needed += now.game.deciding_piles(now, box.seat)
    return [name for name in needed if UNKNOWN in now.table.piles.get(name, ())]


def _decided_by(now: Moment, box: Box, pile: str) -> bool:
    """Whether a box has a wager that these cards decide and that is not settled."""
    return any(
        now.game.pile_of_line(now, name, box.seat) == pile
        and not any(line.seat == box.seat and line.wager == name for line in now.table.settled)
        for name in box.wagers
    )


def figure(now: Moment) -> None:
    """Calculate the round as far as the cards that decide it are known."""
    lines = now.game.lines(now)
    if lines is None:
        return
    reason, clause = now.game.why_again(now)
    settle_again(now, lines, reason, clause)
    if not now.table.due and not unknown(now):
        now.begin("clearing")


def figured(now: Moment) -> list[tuple[int, Line]] | None:
    """The lines of the round in the order of settlement, up to the first that waits for a card.

    So a hand that is keyed in is settled before the next is turned. None: nothing can be settled
    yet, because all hands are turned first, or because a settled wager depends on a card that is
    not known now.
    """
    hidden = unknown(now)
    if hidden and _all_turned_first(now):
        return None
    blank = frozenset(seat for name in hidden if (seat := now.game.undecided_seat(now, name)))
    settlement = now.game.settlement(now, blank)
    if settlement is None:
        return None
    found = in_order(now, settlement)
    if not hidden:
        return found
    done = {(line.seat, line.wager, line.hand) for line in now.table.settled}
    lines = []
    of_all = of_all_hands(now.rules.chapter)
    waits = False
    for seat, line in found:
        settled_already = (seat, line.wager, line.hand or 0) in done
        if now.game.pile_of_line(now, line.wager, seat) in hidden:
            if settled_already:
                return None
            waits = True
        # hands are turned from the dealer's right; what all of them decide comes when all are seen
        waits |= seat <= max(blank, default=0) or bool(blank and line.wager in of_all)
        if settled_already or not waits:
            lines.append((seat, line))
    return lines


def _all_turned_first(now: Moment) -> bool:
    """Whether all hands are turned before any is settled: by procedure, or because winners share."""
    return now.has_step("turn_all_first") or now.rules.options.get("several_meter_hits") == "shared"


# turning the players' hands


def _face_down(now: Moment) -> list[int]:
    """Seats with a hand that still lies face down, from the dealer's right."""
    down = now.table.piles.keys() - now.table.shown
    return [
        seat
        for seat in reversed(now.table.hands)
        if not down.isdisjoint(now.game.first_piles(seat))
    ]


def cards_are_seen(now: Moment) -> bool:
    """Whether every card that decides the next wager lies face up."""
    table = now.table
    if not table.due or to_turn(now) is not None:
        return False
    return not _shared_to_turn(now)


def _shared_to_turn(now: Moment) -> str:
    """The cards that belong to no seat, decide the next wager and are not turned yet."""
    table = now.table
    if not table.due:
        return ""
    pile = now.game.pile_of_line(now, table.due[0].wager, table.due[0].seat)
    return pile if pile in now.game.shared_piles and pile not in table.shown else ""


def to_turn(now: Moment) -> tuple[int, str] | None:
    """The seat, and the part of its hand, that is to be turned up before the next wager."""
    table = now.table
    down = _face_down(now)
    hidden = _unknown(now)
    if down and (
        now.has_step("turn_all_first")
        or (hidden and _all_turned_first(now))
        # these depend on hands of others
        or (table.due and table.due[0].wager in of_all_hands(now.rules.chapter))
    ):
        return down[0], ""
    if hidden:
        return _to_key_in(now, hidden, down)
    if not table.due:
        return None
    line = table.due[0]
    if line.seat in down:
        return line.seat, ""
    part = now.game.part_to_turn(now, line)
    return (line.seat, part) if part else None


def _to_key_in(now: Moment, hidden: list[str], down: list[int]) -> tuple[int, str] | None:
    """The seat, and the part of its open hand, whose cards are to be keyed in first."""
    for name in hidden:
        part, _, seat = name.partition(".")
        if seat and int(seat) not in down:
            return int(seat), part
    if _shared_awaited(now, hidden, down):
        return None
    return (down[0], "") if down else None


def _shared_awaited(now: Moment, hidden: list[str], down: list[int]) -> str:
    """The common cards by which an open hand is to be settled next."""
    for name in hidden:
        if name in now.game.shared_piles and any(
            box.seat not in down and _decided_by(now, box, name) for box in hands_in(now)
        ):
            return name
    return ""


def _may_turn(now: Moment, seat: int) -> None:
    found = to_turn(now)
    if found is None or found[0] != seat:
        raise now.refuse("out_of_turn", "no hand of that seat is to be turned now", "turn_hand")
    _check_cleared(now, seat)


def _turned_by(now: Moment) -> tuple[str, ...]:
    """The steps by which the next hand, or part of one, is turned."""
    found = to_turn(now)
    if found is None or not found[1]:
        return ("turn_hand",)
    return (now.game.turn_step(now, *found), "turn_hand")


@action(c.TurnHand, ("dealer",), ("settling",), _may_turn, words=_turned_by)
@cites(MD, "11.D(3)(a)")
@cites(MA, "10(c)(1)(i)", "10(c)(2)(i)")
@cites(PRIME, "679a.11(c)(1)")
def turn_hand(now: Moment, command: c.TurnHand) -> None:
    """A player's cards are turned up, from the dealer's right."""
    found = to_turn(now)
    assert found is not None
    own = now.game.first_piles(command.seat)
    place = (
        f"{found[1]}.{command.seat}"
        if found[1]
        else next(name for name in own if name in now.table.piles)
    )
    cards = turned(now, place, command.cards)
    now.emit(e.CardsTurned, now.clause(*_turned_by(now)), place=place, cards=cards)
    if not now.table.due:
        figure(now)


def _may_expose(now: Moment, _seat: int) -> None:
    if not _to_expose(now):
        raise now.refuse("out_of_turn", "the community cards are not due", "expose_community")


def _to_expose(now: Moment) -> str:
    due = _shared_to_turn(now)
    return due or _shared_awaited(now, _unknown(now), _face_down(now))


@action(c.ExposeCommunity, ("dealer",), ("settling",), _may_expose)
@cites(MD, "11.D(9)(b)")
def expose_community(now: Moment, command: c.ExposeCommunity) -> None:
    """The community cards are turned for the first wager that they decide."""
    place = _to_expose(now)
    cards = turned(now, place, command.cards)
    now.emit(e.CardsTurned, now.clause("expose_community"), place=place, cards=cards)
    if not now.table.due:
        figure(now)


# settling


def may_settle(now: Moment, _seat: int) -> None:
    table = now.table
    found = to_turn(now)
    if found is not None:
        raise now.refuse("turn_first", f"turn the hand of seat {found[0]} first", "turn_hand")
    if not table.due:
        raise now.refuse("cards_not_known", "the cards are to be keyed in first", "turn_hand")
    line = table.due[0]
    twice = seen_too_often(now)
    if twice:
        raise now.refuse(
            "card_twice",
            f"the {card(twice).name} was seen more often than the deck has it: "
            "the floorperson corrects the card that was misread",
            "settle_won",
        )
    if _shared_to_turn(now):
        raise now.refuse("turn_first", "expose the community cards first", "expose_community")
    if to_validate(now, line):
        raise now.refuse(
            "not_validated",
            f"the progressive win of seat {line.seat} waits for the floorperson",
            *validated_by(now),
            "validate_progressive",
        )
    _check_cleared(now, line.seat)


def _check_cleared(now: Moment, seat: int) -> None:
    """Refuse to settle the next player before the last one is cleared, if the chapter asks for that."""
    waiting = to_clear(now) if now.has_step("clear_by_player") else 0
    if waiting and seat != waiting:
        raise now.refuse("clear_first", f"collect the cards of seat {waiting} first", "clear_hands")


def settled_by(now: Moment) -> tuple[str, ...]:
    """The steps by which the next wager is settled: its own, or that of wagers lost or won."""
    if not now.table.due:
        return ()
    line = now.table.due[0]
    void = ("return_void_wager",) if line.wager in now.game.void_wagers(now) else ()
    won = "settle_lost" if line.result in LOST else "settle_won"
    return (*void, f"settle_{line.wager}", won)


@action(c.SettleNext, ("dealer",), ("settling",), may_settle, words=settled_by)
@cites(MD, "11.D(7)", "11.D(9)(d)")
@cites(MA, "10(c)")
def settle_next(now: Moment, _command: c.SettleNext) -> None:
    """The next wager in the order of settlement: collected, paid or returned."""
    pay(now, now.table.due[0])
    if now.table.due:
        return
    if now.table.phase != "settling":
        now.game.settled_early(now)
    elif not unknown(now):
        now.begin("clearing")


def pay(now: Moment, line: Due) -> None:
    """Carry out one line: move chips between the layout, the tray and the player."""
    box = now.table.boxes[line.seat - 1]
    lying = box.layout.get(stake_of(box, line.wager, line.hand), 0) if line.stake else 0
    to_player = 0 if line.result in LOST else line.stake + line.paid
    now.emit(
        e.WagerSettled,
        line.clause,
        seat=line.seat,
        wager=line.wager,
        stake=dollars(line.stake),
        result=line.result,
        paid=dollars(line.paid),
        odds=line.odds,
        hand=line.hand,
        meter=line.meter,
        from_meter=dollars(line.from_meter) if line.meter else "",
        outcome=line.outcome,
        tray=exchange(now.table, lying, to_player - line.from_meter, _lost_chips(now)),
    )
    if line.meter:
        pay_from_meter(now, line)


@cites(DOWN_UNDER, "685a.7(r)(2)")
def _lost_chips(now: Moment) -> dict[str, int]:
    """The chips of this round's losing wagers, where they go into the tray and pay nobody."""
    if not now.has_step("lost_chips_pay_nobody"):
        return {}
    lost: Counter[str] = Counter()
    for line in now.table.settled:
        if line.result == "lose":
            lost.update(chips_in(now.table, line.stake))
    return dict(lost)


def describe(line: Due, law: Chapter) -> str:
    """A line that is due, in words for the dealer."""
    wager = law.line_name(line.wager)
    if line.result in LOST:
        return f"seat {line.seat}: collect {wager} of {spoken(line.stake)}"
    if line.result in ("push", "returned"):
        return f"seat {line.seat}: return {wager} of {spoken(line.stake)}"
    return f"seat {line.seat}: pay {spoken(payout(line.odds, line.stake, line.paid))} on {wager}"
