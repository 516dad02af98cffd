"""A light of the reader that proves wrong."""

from __future__ import annotations

from houseway.cards import card
from houseway.games.down_under.hands import both_large, light
from houseway.games.down_under.table import events as own_events
from houseway.games.down_under.table.state import own
from houseway.law import DOWN_UNDER, cites
from houseway.table.moment import Moment
from houseway.table.round_building import hands_in
from houseway.table.state import open_stakes


@cites(DOWN_UNDER, "685a.12(h)")
def check_light(now: Moment) -> bool:
    """Once the hole card is turned, a light that was wrong is found out."""
    shown = now.table.devices["reader"].shows
    hole = now.table.piles["hole"][0]
    if not shown or shown == light(now.rules, card(hole)) or "light" in own(now.table).light_causes:
        return False
    note_wrong_light(now, "light")
    return bool(own(now.table).light_seats)


@cites(DOWN_UNDER, "685a.7(h)")
def shown_early(now: Moment) -> bool:
    """Whether the light, right or wrong, has the hole card shown before the decisions."""
    up = card(now.table.piles["dealer"][0])
    large = both_large(now.rules, (up, up))
    return large and now.table.devices["reader"].shows == light(now.rules, up)


def note_wrong_light(now: Moment, cause: str, area: str = "") -> None:
    """The dealer chooses for every hand whose bet is open, one over 21 included."""
    seats = tuple(box.seat for box in hands_in(now) if {"bet", "split"} & set(open_stakes(box)))
    clause = now.clause("wrong_light")
    now.emit(own_events.LightWrong, clause, cause=cause, seats=seats, area=area)
    if seats:
        now.begin("trouble")
