"""The card reader: the hole card's light, and what follows from it."""

from __future__ import annotations

from houseway.cards import card, cards
from houseway.errors import Refused
from houseway.games.down_under.hands import both_large, is_blackjack, light, numbers
from houseway.games.down_under.table import commands as own_commands
from houseway.games.down_under.table import events as own_events
from houseway.games.down_under.table.actions import ACTIONS
from houseway.games.down_under.table.before_decisions import (
    after_first_cards,
    all_lines,
    become_due,
    check_hole_unknown,
    lines_of,
    no_such_area,
    reader_works,
    up_card,
)
from houseway.games.down_under.table.hands import figure_all, turn_goes_on
from houseway.games.down_under.table.light import check_light, note_wrong_light
from houseway.law import DOWN_UNDER, cites
from houseway.table import events as e
from houseway.table.card_source import turned
from houseway.table.moment import Moment
from houseway.table.procedure.resettlement import make_good
from houseway.table.round_building import hands_in
from houseway.table.state import UNKNOWN


@ACTIONS.action(
    own_commands.ReadHoleCard, ("dealer", "device"), ("reading",), lambda now, _: reader_works(now)
)
@cites(DOWN_UNDER, "685a.3(d)#2", "685a.7(h)", "685a.12(h)")
def read_hole_card(now: Moment, command: own_commands.ReadHoleCard) -> None:
    """The light gives the hole card its range; two Large cards are shown at once.

    The dealer has only the light to go by, right or wrong: a card that it hides stays down, and one
    that it shows by mistake proves the light wrong before anyone acts.
    """
    check_hole_unknown(now, "card" if command.card else "")
    hole = now.table.piles["hole"]
    lights = numbers(now.rules).lights
    shown = command.light
    if hole[0] != UNKNOWN:
        shown = shown or light(now.rules, card(hole[0]))
    if shown not in lights.values():
        raise now.refuse(
            "no_such_light",
            f"the reader shows {', '.join(lights.values())}",
            "read_hole_card",
            field="light",
        )
    range_ = next(name for name, color in lights.items() if color == shown)
    if command.area and command.area not in lights:
        raise no_such_area(now)
    shows = both_large(now.rules, (up_card(now),) * 2) and range_ == "large"
    if command.card and not shows:
        raise Refused(
            "cards_not_known",
            "with this light the hole card stays face down; key it in when it is turned",
            field="card",
        )
    laid = command.area if command.area != range_ else ""
    clause = now.clause("read_hole_card")
    now.emit(own_events.LightShown, clause, light=shown, range=range_, area=laid)
    if shows:
        seen = turned(now, "hole", (command.card,) if command.card else ())
        now.emit(e.CardsTurned, now.clause("show_hole_card"), place="hole", cards=seen)
    after_reading(now)
    if now.table.phase not in ("insurance", "deciding"):
        return
    if laid:
        note_wrong_light(now, "area", laid)
    elif "hole" in now.table.shown:
        check_light(now)


@cites(DOWN_UNDER, "685a.7(h)", "685a.7(h)(1)", "685a.7(h)(2)", "685a.8(d)")
def after_reading(now: Moment) -> None:
    """On a dealer's blackjack the round is over; else losing insurance is collected first."""
    if "hole" in now.table.shown and is_blackjack(
        now.rules, cards((*now.table.piles["dealer"], *now.table.piles["hole"]))
    ):
        figure_all(now)
        return
    lost = (
        [(seat, line) for seat, line in lines_of(now, "insurance") if line.result == "lose"]
        if any("insurance" in box.layout for box in hands_in(now))
        else []
    )
    if lost:
        become_due(now, lost)
        now.begin("insurance")
    else:
        after_insurance(now)


def after_insurance(now: Moment) -> None:
    now.begin("deciding")
    turn_goes_on(now)


@cites(DOWN_UNDER, "685a.12(f)", "685a.7(f)")
def first_cards_lie(now: Moment) -> None:
    """All boxes have their first two cards: the round goes on from where it stands.

    A second card that came late is settled as if it had been there in time.
    """
    if now.table.settled:
        clause = now.clause("no_card_dealt")
        make_good(now, all_lines(now), "the second card came late", clause)
    if now.table.devices["reader"].shows:
        after_reading(now)
    else:
        after_first_cards(now)
