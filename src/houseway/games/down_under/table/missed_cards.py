"""Cards that a box did not get: none of the first two, one of them, or one that it asked for."""

from __future__ import annotations

from houseway.errors import Refused
from houseway.games.down_under.table import commands as own_commands
from houseway.games.down_under.table import events as own_events
from houseway.games.down_under.table.actions import ACTIONS
from houseway.games.down_under.table.before_decisions import become_due, reader_works
from houseway.games.down_under.table.irregularities import HAND_OF, go_on, hand_is_over
from houseway.games.down_under.table.light import shown_early
from houseway.games.down_under.table.state import own, played
from houseway.law import DOWN_UNDER, cites
from houseway.table.actions import Fields
from houseway.table.moment import Moment
from houseway.table.procedure.dealing import Deal, next_deal
from houseway.table.spans import Span
from houseway.table.state import Box, open_stakes, seat_pile

#: the ways in which both are reported, by command
REPORTS: dict[str, tuple[dict[str, bool], ...]] = {
    "no_card_dealt": ({}, {"second_card": True}),
    "missed_hit": ({"late_card": True}, {"late_card": False}),
}

# a box that was passed over


def _may_come_late(now: Moment, seat: int) -> bool:
    """Whether the second card of a box may come after the others'."""
    held = len(now.table.piles.get(seat_pile(seat), ()))
    if _waits_for_second(now, seat) or "dealer" not in now.table.piles:
        return False
    return held > 1 or (held == 1 and _next_to(now, seat))


def _waits_for_second(now: Moment, seat: int) -> bool:
    """Whether the second card of a box is already to come after the others'."""
    held = len(now.table.piles.get(seat_pile(seat), ()))
    return held < 2 and seat in own(now.table).dealt_late


def _passed_over_how(now: Moment, seat: int) -> list[Fields]:
    ways = (True, False) if _may_come_late(now, seat) else (False,)
    return [{"second_card": way} for way in ways]


def _next_to(now: Moment, seat: int) -> bool:
    """Whether the next card of the deal is this box's."""
    step = next_deal(now)
    return step is not None and step.to == seat_pile(seat)


def _passed_over(now: Moment, seat: int) -> None:
    box = now.box(seat)
    mine, held = played(box), now.table.piles.get(seat_pile(seat), ())
    acted = mine.split or mine.even_money or box.decisions or len(held) > 2
    if seat not in now.table.hands or box.out or acted or "bet" not in open_stakes(box):
        raise now.refuse("no_wager", f"no hand at seat {seat} waits for cards", "no_card_dealt")
    dealing = now.place == "dealing" and not _next_to(now, seat)
    if dealing and seat_pile(seat) not in now.table.piles:
        raise now.refuse("out_of_turn", f"it is not seat {seat}'s turn yet", "no_card_dealt")


@ACTIONS.action(
    own_commands.NoCardDealt,
    ("dealer", "floorperson"),
    when=_passed_over,
    span=Span("first_card", "deciding"),
    choices=_passed_over_how,
)
@cites(DOWN_UNDER, "685a.12(f)")
def no_card_dealt(now: Moment, command: own_commands.NoCardDealt) -> None:
    """No card: the hand is dead. One card: the second after the others, if the player wishes.

    It may be found some cards too late: then those cards lie one place farther on than they were
    dealt by the record, and the record says so. Once the hole card lies, all other hands are as
    everybody sees them.
    """
    seat = command.seat
    if command.second_card:
        _second_card_late(now, seat)
    else:
        # who was promised a second card after the others has one card, and no other is out of place
        known = _next_to(now, seat) or seat in own(now.table).dealt_late
        if "hole" not in now.table.piles and not known:
            _lie_farther_on(now, seat, now.game.deal_plan(now), frozenset((seat_pile(seat),)))
        hand_is_over(now, seat, "not dealt", now.clause("no_card_dealt"))
    go_on(now)


def _second_card_late(now: Moment, seat: int) -> None:
    """The second card comes after the others', at the player's option."""
    held = len(now.table.piles.get(seat_pile(seat), ()))
    if "dealer" not in now.table.piles or not held:
        why = "the hand has no first card" if not held else "no second card is being dealt"
        raise now.refuse("decision_not_open", why, "no_card_dealt")
    if _waits_for_second(now, seat):
        raise now.refuse("out_of_turn", f"the card of seat {seat} comes last", "no_card_dealt")
    if held == 1 and not _next_to(now, seat):
        raise now.refuse("out_of_turn", f"it is not seat {seat}'s turn yet", "no_card_dealt")
    before, all_dealt = now.game.deal_plan(now), "hole" in now.table.piles
    now.emit(own_events.DealtLate, now.clause("no_card_dealt"), seat=seat, recorded=all_dealt)
    if held == 2 and not all_dealt:
        # its card went to the next box
        _lie_farther_on(now, seat, before)


def _lie_farther_on(
    now: Moment, seat: int, before: tuple[Deal, ...], gets_none: frozenset[str] = frozenset()
) -> None:
    """The cards dealt by one plan, in the order they came, in the places where they lie in truth."""
    after = now.game.deal_plan(now)
    dead = {seat_pile(box.seat) for box in now.table.boxes if box.out}
    piles = {place: list(now.table.piles.get(place, ())) for place in {step.to for step in after}}
    came = [
        piles[step.to].pop(0)
        for step in before[: now.table.dealt]
        if step.to not in dead and piles[step.to]
    ]
    places = [(at, s.to) for at, s in enumerate(after, 1) if s.to not in dead | gets_none]
    if len(came) >= len(places):
        return  # more cards lie there than such a deal has: nothing can be said about their places
    found: dict[str, tuple[str, ...]] = {}
    dealt = 0
    for (at, place), card in zip(places, came, strict=False):
        found[place] = (*found.get(place, ()), card)
        dealt = at
    clause = now.clause("no_card_dealt")
    now.emit(own_events.BoxPassedOver, clause, seat=seat, places=found, dealt=dealt)


# a card that was asked for


def _stood(box: Box) -> list[int]:
    """The hands that were taken to stand and whose wager is not settled."""
    settled = {HAND_OF.get(name) for name in box.ended}
    return [x for x, decided in box.decisions.items() if decided == "stand" and x not in settled]


def _was_missed(now: Moment, seat: int) -> None:
    box = now.box(seat)
    if seat not in now.table.hands or box.out or not _stood(box):
        raise now.refuse("out_of_turn", f"no card was missed at seat {seat}", "missed_hit")


def _late_card_possible(now: Moment) -> bool:
    """Before the hole card is turned; it does not count if the light had it shown before the decisions."""
    if "hole" not in now.table.shown:
        return True
    return shown_early(now) and len(now.table.piles["dealer"]) == 1


def _missed_how(now: Moment, seat: int) -> list[Fields]:
    """A late card as long as one can be dealt, or a dead hand; for each hand that stands."""
    working = now.table.devices["reader"].condition == "working"
    ways = (True, False) if working and _late_card_possible(now) else (False,)
    return [{"late_card": way, "hand": hand} for way in ways for hand in _stood(now.box(seat))]


@ACTIONS.action(
    own_commands.MissedHit,
    ("dealer", "floorperson"),
    when=_was_missed,
    span=Span("deciding", "settlement"),
    choices=_missed_how,
)
@cites(DOWN_UNDER, "685a.12(g)")
def missed_hit(now: Moment, command: own_commands.MissedHit) -> None:
    """At the player's option a late card, before the hole card is turned, or a dead hand."""
    clause = now.clause("missed_hit")
    hand = _missed_hand(now, command)
    if command.late_card:
        if not _late_card_possible(now):
            raise now.refuse(
                "decision_not_open",
                "the hole card has been turned: the hand stands as it lies, or is dead",
                "missed_hit",
                field="late_card",
            )
        reader_works(now)
        now.emit(own_events.LateCardDue, clause, seat=command.seat, hand=hand)
        if now.table.due and now.place != "deciding":
            become_due(now, [])
    else:
        hand_is_over(now, command.seat, "missed", clause, hand)
    go_on(now)


def _missed_hand(now: Moment, command: own_commands.MissedHit) -> int:
    """The hand that was taken to stand; of two that stand it is named."""
    box = now.box(command.seat)
    stood = _stood(box)
    if command.hand:
        stood = [hand for hand in stood if hand == command.hand]
    if len(stood) != 1:
        raise Refused(
            "which_hand",
            "say which hand of the split was missed" if stood else "no card was missed there",
            field="hand",
        )
    return stood[0] if played(box).split else 0
