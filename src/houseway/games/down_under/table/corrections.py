"""A card of Down Under that was keyed in wrongly: the procedure goes on from the right one.

Decisions stay as they were taken: a split, a double or a card that the right hand would not have
allowed is settled as it lies. A player who turns out to have had a decision left gets it while the
hole card is down; afterwards the hand stands. Cards that the dealer drew on a total that stands go
to the rack, and missing draws are made. Insurance made when the up card was not an ace is returned.
What cannot be recalculated is refused: a hand that was paid and cleared as a blackjack and was not
one, and a mistaken dealer's blackjack by which bets were settled.
"""

from __future__ import annotations

from houseway.cards import cards
from houseway.errors import Refused
from houseway.games.down_under.hands import dealer_draws, is_blackjack, light
from houseway.games.down_under.play import insurance_open
from houseway.games.down_under.table import events as own_events
from houseway.games.down_under.table.before_decisions import (
    after_matching,
    all_lines,
    become_due,
    has_blackjack,
    lines_of,
    up_card,
)
from houseway.games.down_under.table.hands import (
    CORRECTED,
    announce,
    current,
    dealer_cards,
    dealer_goes_on,
    figure_all,
    turn_goes_on,
)
from houseway.games.down_under.table.irregularities import after_trouble
from houseway.games.down_under.table.light import check_light, shown_early
from houseway.games.down_under.table.reader import after_reading
from houseway.games.down_under.table.state import own
from houseway.law import DOWN_UNDER, cites
from houseway.money import dollars
from houseway.table import events as e
from houseway.table.moment import Moment
from houseway.table.procedure.dealing import next_deal
from houseway.table.procedure.resettlement import make_good
from houseway.table.round_building import hands_in
from houseway.table.state import Table

#: the dealer's hand is complete, or being completed
DEALERS_TURN = ("drawing", "settling", "clearing")


def dealer_has_blackjack(now: Moment) -> bool:
    """Whether the dealer's two first cards, both seen, are a blackjack."""
    return "hole" in now.table.shown and is_blackjack(now.rules, cards(dealer_cards(now)[:2]))


def card_corrected(now: Moment, before: Table, reason: str) -> None:
    """From the phase in which the wrong card was found."""
    over = dealer_has_blackjack(Moment(before, now.role))
    phase = now.table.phase
    _check_blackjacks(now)
    _insurance_off(now)
    if not hands_in(now) or next_deal(now) is not None:
        # nothing goes on from here yet, or any more
        if now.table.settled:
            make_good(now, all_lines(now), reason)
        return
    if phase in DEALERS_TURN:
        if over and not dealer_has_blackjack(now):
            _decisions_after_all(now, reason)
        else:
            _dealer_again(now, CORRECTED)
        return
    make_good(now, all_lines(now), reason)
    if phase == "matching":
        become_due(now, lines_of(now, "match_the_dealer"))
        if not now.table.due:
            after_matching(now)
    elif phase in ("insuring", "reading"):
        if not any(box.seat in own(now.table).answered for box in hands_in(now)):
            after_matching(now)
        elif not insurance_open(now.rules, up_card(now)):
            now.begin("reading")
    elif dealer_has_blackjack(now):
        figure_all(now, CORRECTED)
    elif phase == "trouble":
        _trouble_again(now)
    elif _hole_to_be_shown(now):
        now.begin("reading")
    elif phase == "insurance":
        become_due(now, [])
        after_reading(now)
    elif phase == "deciding" or _somebody_acts(now):
        now.begin("deciding")
        become_due(now, [])
        turn_goes_on(now)


def _check_blackjacks(now: Moment) -> None:
    """A hand that was paid and cleared without a decision cannot be given its decisions back."""
    if dealer_has_blackjack(now):
        return
    for line in now.table.settled:
        box = now.table.boxes[line.seat - 1]
        if line.outcome == "blackjack" and not has_blackjack(now, box):
            raise Refused(
                "cannot_be_figured",
                f"seat {line.seat} was paid for a blackjack and its cards were cleared without a "
                "decision; agree with the player and correct the payment",
                seat=line.seat,
                clause=now.rules.chapter.printed("685a.7(i)(1)"),
            )


@cites(DOWN_UNDER, "685a.8(a)")
def _insurance_off(now: Moment) -> None:
    """Insurance is for an ace: what was placed on another card goes back."""
    for box in hands_in(now):
        amount = box.layout.get("insurance")
        if amount and not insurance_open(now.rules, up_card(now)):
            now.emit(
                e.WagerTakenBack, now.rules.chapter.printed("685a.8(a)"), seat=box.seat,
                wager="insurance", amount=dollars(amount),
            )  # fmt: skip


def _somebody_acts(now: Moment) -> bool:
    unpaid = (box for box in hands_in(now) if "bet" in box.layout and has_blackjack(now, box))
    return current(now) is not None or any(unpaid)


@cites(DOWN_UNDER, "685a.7(h)")
def _hole_to_be_shown(now: Moment) -> bool:
    """Whether the light says Large beside an up card that is Large after all."""
    return shown_early(now) and "hole" not in now.table.shown


def _trouble_again(now: Moment) -> None:
    """A light that was right after all needs no way out."""
    hole = now.table.piles["hole"]
    if "hole" in now.table.shown and now.table.devices["reader"].shows == light(
        now.rules, cards(hole)[0]
    ):
        for seat in own(now.table).light_seats:
            now.emit(own_events.LightSettled, now.clause("hand_goes_on"), seat=seat)
        after_trouble(now)


def _decisions_after_all(now: Moment, reason: str) -> None:
    """The dealer's blackjack was none: as long as no bet was settled by it the round goes on."""
    printed = now.rules.chapter.printed
    by_blackjack = (printed("685a.7(h)"), printed("685a.11(b)"))
    for line in now.table.settled:
        if line.wager in ("bet", "insurance") and line.clause.startswith(by_blackjack):
            raise Refused(
                "cannot_be_figured",
                "bets were settled by a blackjack that the dealer did not have, before anyone "
                "could decide; agree with the players and correct the payments",
                clause=printed("685a.7(h)"),
            )
    make_good(now, all_lines(now), reason)
    become_due(now, [])
    after_reading(now)
    check_light(now)


@cites(DOWN_UNDER, "685a.12(d)", "685a.7(m)")
def _dealer_again(now: Moment, reason: str) -> None:
    """The dealer's hand by the right cards: no draw too many, and none too few."""
    held = cards(dealer_cards(now))
    stands = next(
        (count for count in range(2, len(held)) if not dealer_draws(now.rules, held[:count])), 0
    )
    if stands:
        now.emit(
            e.CardsMoved, now.clause("dealer_drew_in_error"), source="dealer", to="discard",
            count=len(held) - stands,
        )  # fmt: skip
    announce(now)
    if not check_light(now):
        dealer_goes_on(now, reason)
