"""Seats and wagers, up to the call that closes them.

Only the player at a box wagers there. A wager is chips on the layout, within its limits, along with
the wager that its chapter requires. Once bets are closed, nothing is added, raised or taken back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from houseway.errors import Refused
from houseway.game_api.wager_checks import check_amount, check_boxes, check_wagers
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, Chapter, cites
from houseway.law.chapter import Wager
from houseway.money import Cents, cents, dollars
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.actions import PHASES, action
from houseway.table.card_source import check_dealing_device
from houseway.table.moment import Moment
from houseway.table.procedure.opening import check_deck_age, check_edition
from houseway.table.procedure.tray import chips_out
from houseway.table.state import Box, key, wager_of

#: from the end of a round until bets are closed
OPEN = ("shuffling", "cutting", "loading", "burning", "betting")


@lru_cache(maxsize=64)
def of_all_hands(law: Chapter) -> tuple[str, ...]:
    """The wagers and bonuses that depend on the hands of all players, as the chapter lists them."""
    wagers = (wager.id for wager in law.wagers.values() if wager.settled_on == "all_hands")
    return (*wagers, *(bonus.id for bonus in law.about.bonuses if bonus.all_hands))


@lru_cache(maxsize=64)
def decision_wager(law: Chapter) -> Wager | None:
    """The wager that a player makes by deciding to go on, where the chapter has one."""
    return next((wager for wager in law.wagers.values() if wager.made == "on_decision"), None)


def _free(now: Moment, seat: int) -> None:
    box = now.box(seat)
    if box.player:
        raise Refused("seat_taken", f"{box.player} sits at seat {seat}")
    if box.wagers:
        raise Refused("seat_taken", "the round of the player who left is not over")


@action(c.SitDown, ("player", "dealer", "floorperson", "system"), (), _free, unasked=True)
def sit_down(now: Moment, command: c.SitDown) -> None:
    if not command.player:
        raise Refused("nobody_there", "a player has a name", field="player")
    now.emit(e.PlayerSat, now.clause("sit_down"), seat=command.seat, player=command.player)
    others = [box for box in now.table.boxes if box.player == command.player]
    playing = any(box.seat != command.seat and not box.sat_out for box in others)
    if now.table.shoe_rounds and now.has_step("no_mid_shoe_entry") and not playing:
        now.emit(e.SatOut, now.clause("no_mid_shoe_entry"), seats=(command.seat,))


def _sits(now: Moment, seat: int) -> None:
    if not now.box(seat).player:
        raise now.refuse("nobody_there", f"nobody sits at seat {seat}", "sit_down", seat=seat)


@cites(MD, "7.C(1)")
@cites(MA, "6(c)")
@cites(PRIME, "679a.7(b)")
@cites(SAIGON, "680a.7(b)")
def _may_leave(now: Moment, seat: int) -> None:
    """Where the chapter keeps players with cards seated, none leaves during a round."""
    _sits(now, seat)
    if now.role == "player" and now.has_step("stay_seated") and _received_cards(now, seat):
        raise now.refuse(
            "stay_seated", "players with cards must stay seated until the round ends", "stay_seated"
        )


def _received_cards(now: Moment, seat: int) -> bool:
    """Whether a seat was dealt cards in this round, even if they are gone."""
    being_dealt = now.place in ("chips", "dealing")
    lying = any(name in now.table.piles for name in now.game.hand_piles(seat))
    return seat in now.table.hands and (lying or not being_dealt)


@action(c.LeaveSeat, ("player", "dealer", "floorperson", "system"), (), _may_leave, unasked=True)
@cites(MA, "6(c)")
@cites(MD, "7.C(2)")
@cites(PRIME, "679a.7(b)")
@cites(SAIGON, "680a.7(b)")
def leave_seat(now: Moment, command: c.LeaveSeat) -> None:
    """Between rounds the chips go along. In a round a dealer or floorperson reports that a player
    walked away: the wagers stay, to be declared abandoned.
    """
    box = now.box(command.seat)
    if box.layout and not now.table.hands:
        for name in tuple(box.layout):
            take_back(now, command.seat, name)
    walked = ("declare_abandoned",) if command.seat in now.table.hands else ()
    now.emit(e.PlayerLeft, now.clause(*walked, "leave_seat"), seat=command.seat)
    if command.seat in now.table.cut_offers:
        others = tuple(seat for seat in now.table.cut_offers if seat != command.seat)
        now.emit(e.CutOffered, now.clause("offer_cut"), seats=others)


@cites(MD, "7.E")
@cites(MA, "6(d)")
@cites(PRIME, "679a.7(c)")
@cites(SAIGON, "680a.7(c)")
@cites(DOWN_UNDER, "685a.6(c)")
def _still_open(now: Moment, seat: int, *, before: tuple[str, ...] = ()) -> None:
    """Closed bets stay closed, even if the cards are recut or reshuffled.

    Wagers lie on the layout from the shuffle on; `before`: phases in which they do so too.
    """
    _sits(now, seat)
    if now.table.hands:
        # the clause until which a wager may be taken back is the one that closes the bets
        raise now.refuse(
            "out_of_turn", "bets are closed until the round is over", "take_back_wager"
        )
    if now.table.phase not in (*before, *OPEN):
        raise now.refuse(
            "out_of_turn", f"no wagers are open now: {PHASES[now.table.phase]}", "place_wager"
        )


def may_wager(now: Moment, seat: int) -> None:
    _still_open(now, seat)
    check_edition(now)
    if now.at:
        check_deck_age(now)
    if now.box(seat).sat_out and now.has_step("no_mid_shoe_entry"):
        raise now.refuse(
            "no_mid_shoe_entry",
            "a player who sat out a round may not wager until the next shuffle",
            "no_mid_shoe_entry",
            seat=seat,
        )
    _check_side_by_side(now, now.box(seat))


def _check_side_by_side(now: Moment, box: Box) -> None:
    """Refuse a first wager on a box that does not lie beside the player's others, or is too many."""
    if not box.wagers:
        mine = [one for one in now.table.boxes if one.player == box.player and one.wagers]
        if mine:
            check_boxes(now.rules, sorted((one.seat, one.player) for one in (*mine, box)))


@action(c.PlaceWager, ("player", "dealer"), (), may_wager, unasked=True)
@cites(MD, "7.A", "7.C", "7.D", "7.E", "7.H", "2.C(1)", "2.C(2)")
@cites(MA, "6(b)", "6(c)", "6(d)", "12(a)", "13(a)")
@cites(PRIME, "679a.7(b)", "679a.7(c)")
@cites(SAIGON, "680a.7(b)", "680a.7(c)")
@cites(DOWN_UNDER, "685a.6(a)")
def place_wager(now: Moment, command: c.PlaceWager) -> None:
    """Chips on an area of the layout, or onto the sensor of a progressive."""
    rules, box = now.rules, now.box(command.seat)
    if command.verbal:
        _check_spoken(now)
    wager = rules.chapter.wagers.get(command.wager)
    if wager is not None and wager.kind == "follows":
        raise Refused(
            "out_of_turn",
            f"{wager.name} is decided on after the deal",
            clause=wager.clause,
            field="wager",
        )
    now.game.check_hand(now, command.hand)
    name = key(command.wager, command.hand)
    amount = cents(command.amount)
    check_amount(rules, command.wager, box.wagers.get(name, 0) + amount)
    assert wager is not None
    mine = by_hand(box).get(command.hand, {})
    if wager.needs and not any(other in mine for other in wager.needs):
        names = " or ".join(rules.chapter.wagers[other].name for other in wager.needs)
        raise Refused(
            "standard_wager_missing",
            f"{wager.name} may be made only beside {names}",
            clause=wager.needs_clause or wager.clause,
            field="wager",
        )
    if wager.kind == "progressive":
        _sensor(now)
    now.game.check_wager(now, wager)
    if command.verbal:
        # the cash becomes chips before it is a wager
        tray = chips_out(now.table, amount)
        clause = now.clause("verbal_cash")
        now.emit(e.ChipsSold, clause, seat=command.seat, amount=dollars(amount), tray=tray)
    now.emit(
        e.WagerPlaced,
        wager.clause,
        seat=command.seat,
        wager=command.wager,
        amount=dollars(amount),
        hand=command.hand,
        verbal=command.verbal,
    )


@cites(MD, "7.B")
@cites(MA, "6(b)")
@cites(PRIME, "679a.7(a)")
@cites(SAIGON, "680a.7(a)")
@cites(DOWN_UNDER, "685a.6(a)")
def _check_spoken(now: Moment) -> None:
    """Words with cash beside them: no wager in most chapters, and nowhere without the dealer."""
    if not now.has_step("verbal_cash"):
        raise now.refuse(
            "verbal_wager", "a spoken wager with cash is not taken", "verbal_wager", "place_wager"
        )
    if now.role != "dealer":
        raise now.refuse(
            "verbal_wager", "a spoken wager counts once the dealer confirms it", "verbal_cash"
        )


def _sensor(now: Moment) -> None:
    from houseway.table.procedure.progressive import system_works

    if not system_works(now):
        raise now.refuse(
            "device_out_of_order", "the progressive system accepts no wager now",
            "progressive_breaks",
        )  # fmt: skip


def one_hand(hand: int) -> None:
    """Refuse a wager that names a hand where a seat has one."""
    if hand:
        raise Refused("no_such_hand", "a seat has one hand to wager on", field="hand")


def by_hand(box: Box) -> dict[int, dict[str, Cents]]:
    """A box's wagers by hand; a box with only one hand has it under 0."""
    found: dict[int, dict[str, Cents]] = {}
    for name, amount in box.wagers.items():
        wager, hand = wager_of(name)
        found.setdefault(hand, {})[wager] = amount
    return dict(sorted(found.items())) if len(found) > 1 else found


def _may_take_back(now: Moment, seat: int) -> None:
    _still_open(now, seat, before=("opening",))
    if seat and not now.box(seat).layout:
        raise now.refuse("no_wager", f"there is no wager at seat {seat}", "take_back_wager")


@action(c.TakeBackWager, ("player", "dealer"), (), _may_take_back, unasked=True)
@cites(MD, "7.E")
@cites(MA, "6(d)")
@cites(PRIME, "679a.7(c)")
@cites(SAIGON, "680a.7(c)")
def take_back_wager(now: Moment, command: c.TakeBackWager) -> None:
    name = key(command.wager, command.hand)
    if name not in now.box(command.seat).layout:
        raise Refused("no_wager", f"there is no {command.wager} at seat {command.seat}")
    take_back(now, command.seat, name)


def take_back(now: Moment, seat: int, name: str, *steps: str) -> None:
    """Take a wager off the layout while bets are open."""
    wager, hand = wager_of(name)
    amount = now.box(seat).layout[name]
    clause = now.clause(*steps, "take_back_wager", "no_more_bets")
    now.game.give_back_beside(now, seat, name, clause)
    now.emit(
        e.WagerTakenBack,
        clause,
        seat=seat,
        wager=wager,
        amount=dollars(amount),
        hand=hand,
    )


# closing the bets


def may_close_bets(now: Moment, _seat: int = 0) -> None:
    """Refuse to begin a round: nobody wagered, or these cards are not to be dealt."""
    check_dealing_device(now)
    if not any(box.wagers for box in now.table.boxes):
        raise now.refuse("no_wager", "no wager was made", "no_more_bets", "deal")
    check_standing(now)
    if now.at:
        check_deck_age(now)


def check_standing(now: Moment) -> None:
    """Every box has the wagers that its chapter and version ask for, a player's boxes side by side."""
    for box, wagers in _positions(now):
        try:
            check_wagers(now.rules, wagers)
            now.game.check_wagers(now.rules, wagers)
        except Refused as refusal:
            raise refusal.at(seat=box.seat) from None
    # one taken back may have left a gap between a player's boxes
    check_boxes(now.rules, [(box.seat, box.player) for box in now.table.boxes if box.wagers])


def _positions(now: Moment) -> Iterator[tuple[Box, Mapping[str, Cents]]]:
    for box in now.table.boxes:
        if box.wagers:
            for wagers in by_hand(box).values():
                yield box, wagers


def close_bets(now: Moment, step: str) -> None:
    """Close the bets: the wagers stand, and the round has begun."""
    seats = tuple(box.seat for box in now.table.boxes if box.wagers)
    now.emit(e.BetsClosed, now.clause(step), round=now.table.round + 1, seats=seats)


@action(c.NoMoreBets, ("dealer",), ("betting",), may_close_bets)
@cites(MD, "7.D", "8.C", "9.B", "10.A")
@cites(MA, "6(d)", "7(b)", "8(b)", "8(b)(3)", "9(b)", "9(b)(2)")
@cites(PRIME, "679a.7(c)", "679a.8(b)", "679a.9(a)", "679a.9(a)(3)")
@cites(PRIME, "679a.10(a)", "679a.10(a)(2)")
@cites(SAIGON, "680a.7(c)", "680a.8(b)", "680a.9(a)", "680a.9(a)(3)", "680a.10(a)")
@cites(SAIGON, "680a.10(a)(2)")
def no_more_bets(now: Moment, _command: c.NoMoreBets) -> None:
    """Announced before the first card; the progressive system is locked with it."""
    close_bets(now, "no_more_bets")
    from houseway.table.procedure.progressive import lock

    lock(now)
