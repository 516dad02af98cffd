"""A shoe that is dealt from for several rounds: the cut, cover card, burn card, mid-shoe entry.

A shoe is dealt round after round until its cover card comes; then the round is completed, the rest
of the shoe goes to the rack so that no card can be missing, and the batch is shuffled. A device
that reshuffles by itself, or a continuous shuffler, has no cut and no cover card.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from houseway.errors import Refused
from houseway.law import DOWN_UNDER, cites
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.actions import action
from houseway.table.card_source import draw
from houseway.table.moment import Moment
from houseway.table.state import order_is_lost

# the cut


def _counterclockwise(now: Moment, first: int = 0) -> tuple[int, ...]:
    """The seats with a player, from one of them or from the dealer's right."""
    seated = [box.seat for box in reversed(now.table.boxes) if box.player]
    first = first or len(now.table.boxes)
    return tuple(sorted(seated, key=lambda seat: (seat > first, -seat)))


@cites(DOWN_UNDER, "685a.5(c)", "685a.5(c)(1)", "685a.5(c)(2)", "685a.5(c)(3)", "685a.5(c)(4)")
def cut_offers(now: Moment) -> tuple[int, ...]:
    """The seats that are offered the cut, in order; the dealer cuts when none will."""
    table = now.table
    if table.shuffle_for == "opening":
        return _counterclockwise(now, table.first_player)
    place, _, seat = table.cover_at.partition(".")
    if table.shuffle_for == "cover" and place == "seat":
        return _counterclockwise(now, int(seat.partition(".")[0]))
    return _counterclockwise(now)


@cites(DOWN_UNDER, "685a.5(e)")
def recut_offers(now: Moment) -> tuple[int, ...]:
    """A recut is the last cutter's, or the next one's in order; the dealer's if he cut last."""
    table = now.table
    entitled = (table.cut_by, *table.cut_next) if table.cut_by else ()
    return tuple(seat for seat in entitled if table.boxes[seat - 1].player)


def _offered(now: Moment, seat: int) -> None:
    offered = now.table.cut_offers
    if not offered or offered[0] != seat:
        raise now.refuse("not_your_turn", f"the cut is not offered to seat {seat}", "offer_cut")


@action(c.DeclineCut, ("player", "dealer"), ("cutting",), _offered)
@cites(DOWN_UNDER, "685a.5(b)", "685a.5(c)(3)", "685a.5(c)(4)")
def decline_cut(now: Moment, _command: c.DeclineCut) -> None:
    now.emit(e.CutOffered, now.clause("offer_cut"), seats=now.table.cut_offers[1:])


@action(c.PlaceCoverCard, ("dealer", "system"), ("loading",))
@cites(DOWN_UNDER, "685a.5(d)")
def place_cover_card(now: Moment, command: c.PlaceCoverCard) -> None:
    """At least a quarter of the stack lies behind the cover card."""
    fact = now.rules.chapter.fact("cover_card_least")
    size = len(now.table.piles["shoe"])
    least = ceil(size * Fraction(str(fact.value)))
    if not least <= command.depth < size:
        raise Refused(
            "cover_card_too_deep",
            f"the cover card goes in {least} to {size - 1} cards from the bottom of the {size}, "
            f"not {command.depth}",
            clause=fact.clause,
            field="depth",
        )
    now.emit(e.CoverCardPlaced, now.clause("place_cover_card"), depth=command.depth)
    now.begin("burning")


# the burn card


@action(c.BurnCard, ("dealer", "system"), ("burning",))
@cites(DOWN_UNDER, "685a.7(c)")
def burn_card(now: Moment, command: c.BurnCard) -> None:
    """The first card of a shoe, and one of each new dealer, goes to the rack unseen."""
    given = (command.card,) if command.card else ()
    for _ in range(now.rules.chapter.number("burn_cards")):
        cards = draw(now, 1, given)
        now.emit(e.CardsDealt, now.clause("burn_card"), to="discard", cards=cards, step=0)
        look_for_cover_card(now)
    now.begin("betting")


@cites(DOWN_UNDER, "685a.7(d)")
def look_for_cover_card(now: Moment, place: str = "") -> None:
    """The cover card came out just before the card that went to this place."""
    if 0 < now.table.cover_card > len(now.table.piles.get("shoe", ())):
        now.emit(e.CoverCardReached, now.clause("cover_card_reached"), place=place or "discard")


@cites(DOWN_UNDER, "685a.12(c)")
def unused_card(now: Moment) -> None:
    """Exposed cards that neither player nor dealer can use go to the rack."""
    while now.table.aside:
        taken = draw(now, 1, ())
        clause = now.clause("discard_exposed_card")
        now.emit(e.CardsDealt, clause, to="discard", cards=taken, step=0)
        look_for_cover_card(now)


# from round to round


@cites(DOWN_UNDER, "685a.5(f)", "685a.7(d)")
def shoe_is_over(now: Moment) -> bool:
    """Whether the cards are shuffled after this round: the cover card came, or there is none.

    So they are where their order is lost.
    """
    if not now.has_step("shoe_goes_on") or order_is_lost(now.table):
        return True
    return bool(now.table.cover_at) or not now.table.cover_card


@cites(DOWN_UNDER, "685a.7(d)(1)", "685a.7(d)(2)")
def collect_shoe(now: Moment) -> None:
    """What is left in the shoe goes into the rack: none may be missing."""
    left = now.table.piles.get("shoe", ())
    if left:
        clause = now.clause("collect_shoe")
        now.emit(e.CardsMoved, clause, source="shoe", to="discard", count=len(left))


# mid-shoe entry


@cites(DOWN_UNDER, "685a.6(b)")
def note_sat_out(now: Moment) -> None:
    """Who makes no wager in a round of the shoe is noted, where the house keeps such players out."""
    if not now.has_step("no_mid_shoe_entry"):
        return
    # who wagers on one box sits out with none
    wagering = {box.player for box in now.table.boxes if box.wagers}
    seats = tuple(
        box.seat
        for box in now.table.boxes
        if box.player and box.player not in wagering and not box.sat_out
    )
    if seats:
        now.emit(e.SatOut, now.clause("no_mid_shoe_entry"), seats=seats)


def _kept_out(now: Moment, seat: int) -> None:
    if not now.box(seat).sat_out:
        raise now.refuse("nobody_there", f"nobody is kept out at seat {seat}", "let_back_in")


@action(c.LetBackIn, ("floorperson",), (), _kept_out)
@cites(DOWN_UNDER, "685a.6(b)(1)")
def let_back_in(now: Moment, command: c.LetBackIn) -> None:
    now.emit(e.PlayerLetIn, now.clause("let_back_in"), seat=command.seat)
