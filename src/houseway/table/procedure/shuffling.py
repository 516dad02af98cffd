"""The shuffle, the cut and what may be ordered about them.

By hand or by a device; a counting device may find a deck short and send it off the table. What a
device shuffled is dealt as it is; what hands shuffled, or what came preshuffled, is cut first.
"""

from __future__ import annotations

from houseway.errors import Refused
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.actions import action
from houseway.table.card_source import (
    check_order,
    deck_piles,
    left_in_shoe,
    lost_between_rounds,
    pack,
    remove_deck,
)
from houseway.table.moment import Moment
from houseway.table.procedure.progressive import accepted
from houseway.table.procedure.shoe import collect_shoe
from houseway.table.procedure.voiding import void
from houseway.table.state import UNKNOWN, Deck, Device, exposed_cards


def by_device(now: Moment) -> bool:
    """Whether an automated device shuffles here: one is chosen, and it was not set aside."""
    device = shuffler_of(now)
    return device is not None and device.condition in ("working", "jammed")


def shuffler_of(now: Moment) -> Device | None:
    """The device that shuffles at this table, whether or not it works."""
    return now.table.devices.get("shuffler") or now.table.devices.get("continuous_shuffler")


def counts(now: Moment) -> bool:
    """Whether the device in use counts the cards after each shuffle."""
    return by_device(now) and (
        now.options["shuffler"] in ("counting", "reshuffling")
        or now.options["dealing"] == "continuous_shuffler"
    )


def _waiting(now: Moment) -> list[Deck]:
    """Decks that can be shuffled now: the waiting one at any time, the one in play in its turn.

    The one in play comes first.
    """
    played = now.table.in_play
    stacked = (deck for deck in now.table.decks.values() if deck.stage == "stacked")
    found = [
        deck for deck in stacked if now.table.phase == "shuffling" or (played and deck.id != played)
    ]
    return sorted(found, key=lambda deck: deck.id != played)


def _due(now: Moment, _seat: int) -> None:
    if not _waiting(now):
        raise now.refuse("out_of_turn", "no deck is waiting for its shuffle", "shuffle")
    device = shuffler_of(now)
    if device is not None and device.condition == "broken":
        raise now.refuse(
            "device_out_of_order",
            f"the {spoken_name(device.id)} is out of order: set it aside, or have it repaired",
            "set_device_aside",
        )
    if now.role == "device" and not by_device(now):
        why = (
            f"the {spoken_name(device.id)} is {device.condition}" if device else "no device is here"
        )
        raise now.refuse(
            "device_out_of_order" if device else "no_such_device",
            f"these cards are shuffled by hand: {why}",
            "set_device_aside" if device else "shuffle",
            "shuffle",
        )
    if now.role == "dealer" and by_device(now) and _device_required(now):
        raise now.refuse(
            "device_shuffles", "the automated device shuffles these cards", "hand_needs_device",
            "no_cut", "shuffle",
        )  # fmt: skip


def spoken_name(id: str) -> str:
    """The usual name of a device."""
    return id.replace("_", " ")


@cites(MD, "9.A", "9.A(1)", "5.J")
@cites(MA, "8(b)", "8(b)(1)")
@cites(PRIME, "679a.9(a)", "679a.9(a)(1)", "679a.5(g)")
@cites(SAIGON, "680a.9(a)", "680a.9(a)(1)", "680a.5(g)")
def _device_required(now: Moment) -> bool:
    """Cards dealt from the hand, and cards that are never cut, are shuffled by the device."""
    return now.options["dealing"] == "hand" or not now.has_step("cut")


@action(
    c.Shuffle,
    ("dealer", "device", "system"),
    (),
    _due,
    choices=lambda now, _: [{"deck": deck.id} for deck in _waiting(now)],
)
@cites(MD, "5.A", "5.A(1)", "5.A(2)", "5.A(3)", "5.D", "5.D(1)", "5.D(2)", "4.D", "3.B(3)")
@cites(MA, "5(a)", "7(f)", "2(b)(3)")
@cites(PRIME, "679a.5(a)", "679a.5(b)", "679a.3(b)(2)")
@cites(SAIGON, "680a.5(a)", "680a.5(b)", "680a.3(b)(2)")
@cites(DOWN_UNDER, "685a.12(c)")
def shuffle(now: Moment, command: c.Shuffle) -> None:
    """The cards of a deck into a new order, supplied by the system or known to nobody.

    What a dealer shuffles is cut, whatever device stands at the table.
    """
    waiting = _waiting(now)
    deck = next((deck for deck in waiting if deck.id == command.deck), None)
    if deck is None:
        if command.deck:
            raise now.refuse(
                "out_of_turn", f"deck {command.deck} is not waiting for a shuffle", "shuffle"
            )
        deck = waiting[0]
    by_hand = now.role == "dealer" or not by_device(now)
    counted = counts(now) and not by_hand
    # in a round the cards that are still to be dealt are shuffled again
    in_round = bool(now.table.hands) and deck.id == now.table.in_play
    gathered = ("shoe",) if in_round else deck_piles(now.table, deck.id)
    held = left_in_shoe(now.table) if in_round else pack(now.rules)
    aside = exposed_cards(now.table) if in_round else ()
    if command.order:
        check_order(now, command.order, held)
    if command.count is not None and not counted:
        raise now.refuse("no_counting_device", "no device here counts the cards", "shuffle")
    if command.count is not None and command.count != len(held):
        why = f"{command.count} cards counted where {len(held)} belong"
        if in_round:
            void(now, why, "remove_miscounted", deck_goes=True)
            return
        remove_deck(now, deck.id, why, now.clause("remove_miscounted"))
        if not now.table.hands:
            now.begin("opening")
        return
    plays = not now.table.in_play or deck.id == now.table.in_play
    # an order that the system supplies is the whole deck, counted
    count = len(held) if command.order and counted else command.count
    now.emit(
        e.CardsShuffled,
        now.clause("shuffle"),
        deck=deck.id,
        gathered=gathered,
        to="shoe" if plays else "shuffler",
        cards=(*aside, *(command.order or (UNKNOWN,) * len(held))),
        to_cut=now.has_step("cut") and (by_hand or now.has_step("offer_cut")),
        count=count,
    )
    for id, device in now.table.devices.items():
        if device.condition == "jammed":
            jam = "automated_shoe_jams" if id == "automated_shoe" else "shuffler_jams"
            now.emit(e.DeviceChanged, now.clause(jam), device=id, condition="working")
    if now.table.phase == "shuffling":
        after_shuffle(now)


@cites(MD, "5.E", "5.E(1)", "5.E(2)", "5.J", "4.F")
@cites(MA, "5(b)", "5(b)(1)", "5(b)(2)")
@cites(PRIME, "679a.5(c)", "679a.5(c)(1)", "679a.5(c)(2)", "679a.4(e)")
@cites(SAIGON, "680a.5(c)", "680a.5(c)(1)", "680a.5(c)(2)", "680a.4(e)")
def after_shuffle(now: Moment) -> None:
    """When every deck is shuffled: the cut, where one is due, or the wagers, or the round goes on."""
    decks = now.table.decks.values()
    if any(deck.stage == "stacked" for deck in decks):
        now.begin("shuffling")
        return
    if "shoe" not in now.table.piles:
        deck = now.table.decks.get(now.table.in_play) or next(iter(decks))
        place = next(name for name in (f"deck.{deck.id}", "shuffler") if name in now.table.piles)
        now.emit(
            e.CardsShuffled,
            now.clause("preshuffled", "shuffle"),
            deck=deck.id,
            gathered=(place,),
            to="shoe",
            cards=now.table.piles[place],
            to_cut=deck.to_cut and now.has_step("cut"),
            preshuffled=deck.preshuffled,
        )
    for deck in decks:
        stays = f"deck.{deck.id}"
        if deck.id != now.table.in_play and stays in now.table.piles:
            # a preshuffled second deck waits in the device
            count = len(now.table.piles[stays])
            now.emit(
                e.CardsMoved, now.clause("preshuffled"), source=stays, to="shuffler", count=count
            )
    cut_or_play(now)


def cut_or_play(now: Moment) -> None:
    """The cut, where these cards and this chapter call for one; else the cards are ready."""
    if now.table.decks[now.table.in_play].to_cut and now.has_step("cut"):
        begin_cut(now)
    else:
        ready(now)


def begin_cut(now: Moment) -> None:
    """The dealer cuts, or the cut is offered first where the chapter has players cut."""
    if now.has_step("offer_cut"):
        now.emit(e.CutOffered, now.clause("offer_cut"), seats=now.game.cut_offers(now))
    now.begin("cutting")


def resumed(now: Moment) -> str:
    """The phase that was interrupted, or an empty text."""
    return now.table.resume.partition(" ")[0]


def resume(now: Moment) -> None:
    """Go back to the interrupted phase; chips removed in the meantime are not awaited."""
    now.begin(resumed(now))
    if now.table.phase == "chips" and not accepted(now):
        now.begin("dealing")
    if now.table.dealt:
        now.game.round_resumes(now)


def ready(now: Moment) -> None:
    """The cards are ready: for the cover card and the burn card where the chapter has them."""
    if now.table.hands and resumed(now):
        resume(now)
    elif now.has_step("place_cover_card"):
        now.begin("loading")
    elif now.has_step("burn_card") and _burn_due(now):
        now.begin("burning")
    else:
        now.begin("betting")


@cites(DOWN_UNDER, "685a.7(c)")
def _burn_due(now: Moment) -> bool:
    """With each full batch in the shoe, and with each new dealer.

    A continuous shuffler takes back a round's cards only: no batch is placed anew.
    """
    whole = now.options["dealing"] != "continuous_shuffler" or now.table.shuffle_for != "round"
    return whole or now.table.new_dealer


def check_depth(now: Moment, depth: int, step: str = "cut") -> None:
    """How deep the stack may be cut: the chapter's least from the top, and from the bottom."""
    fact = now.rules.chapter.fact("cut_least")
    least = now.rules.chapter.number("cut_least")
    size = len(left_in_shoe(now.table))
    below = least if now.has_step("cut_from_either_end") else 1
    if not least <= depth <= size - below:
        raise Refused(
            "cut_too_shallow",
            f"cut {least} to {size - below} cards from the top of the {size}, not {depth}",
            clause=now.clause(step) or fact.clause,
            field="depth",
        )


@cites(DOWN_UNDER, "685a.5(b)")
def _may_cut(now: Moment, seat: int) -> None:
    offers = now.table.cut_offers
    if offers and seat != offers[0]:
        raise now.refuse(
            "not_your_turn", f"the cut is offered to seat {offers[0]}", "offer_cut", "cut"
        )
    if not offers and (seat or now.role == "player"):
        raise now.refuse("not_your_part", "the dealer cuts these cards", "cut")


@action(c.Cut, ("dealer", "player", "system"), ("cutting",), _may_cut)
@cites(MD, "5.F", "5.F(1)")
@cites(MA, "5(c)", "5(c)(1)(ii)", "5(c)(1)(iii)", "5(c)(2)")
@cites(PRIME, "679a.5(d)")
@cites(SAIGON, "680a.5(d)")
def cut(now: Moment, command: c.Cut) -> None:
    """The cards above the cut go to the bottom of the stack."""
    check_depth(now, command.depth)
    interrupts = bool(resumed(now))
    now.emit(e.CardsCut, now.clause("cut"), depth=command.depth, seat=command.seat)
    if interrupts:
        if now.table.dealt and now.table.shuffle_for != "in_round":
            now.game.after_cut_in_round(now)
        resume(now)
    else:
        ready(now)


def _may_recut(now: Moment, _seat: int) -> None:
    deck = now.table.decks.get(now.table.in_play)
    if not now.has_step("order_recut") or deck is None or not deck.was_cut:
        raise now.refuse("out_of_turn", "these cards were not cut", "order_recut")
    if now.table.dealt:
        raise now.refuse("out_of_turn", "cards have been dealt", "order_recut")
    if now.has_step("offer_cut") and now.table.phase != "loading":
        raise now.refuse("out_of_turn", "the cards are in the shoe", "order_recut")


@action(c.OrderRecut, ("floorperson",), ("loading", "betting", "chips", "dealing"), _may_recut)
@cites(MD, "5.G")
@cites(MA, "5(d)")
@cites(PRIME, "679a.5(e)")
@cites(SAIGON, "680a.5(e)")
@cites(DOWN_UNDER, "685a.5(e)")
def order_recut(now: Moment, command: c.OrderRecut) -> None:
    """Between the cut and the first card the floor may have the cards cut again."""
    seats = now.game.recut_offers(now) if now.has_step("offer_cut") else ()
    now.emit(e.CutOrdered, now.clause("order_recut"), reason=command.reason, seats=seats)
    now.begin("cutting")


def _may_reshuffle(now: Moment, _seat: int) -> None:
    if not now.table.in_play:
        raise now.refuse("out_of_turn", "there are no cards to shuffle", "order_reshuffle")
    if now.table.dealt:
        raise now.refuse("out_of_turn", "complete the round first", "order_reshuffle")


@action(
    c.OrderReshuffle,
    ("floorperson",),
    ("cutting", "loading", "burning", "betting", "chips", "dealing"),
    _may_reshuffle,
    pressing=lambda now: lost_between_rounds(now.table),
)
@cites(MD, "5.A(3)")
@cites(PRIME, "679a.5(a)")
@cites(SAIGON, "680a.5(a)")
@cites(DOWN_UNDER, "685a.5(f)", "685a.3(b)(4)")
def order_reshuffle(now: Moment, command: c.OrderReshuffle) -> None:
    """When the floorperson says so the cards are shuffled anew.

    A shoe that was dealt from is over with it: of two batches the other is used for the next.
    """
    from houseway.table.procedure.clearing import turn_or_shuffle

    reshuffle(now, now.clause("order_reshuffle"), command.reason)
    if now.has_step("shoe_goes_on") and now.table.shoe_rounds:
        collect_shoe(now)
        turn_or_shuffle(now)
    else:
        now.begin("shuffling")


def reshuffle(now: Moment, clause: str, reason: str) -> None:
    """Have the cards that are dealt next shuffled again; a pending cut is canceled."""
    if now.table.hands and now.table.phase == "cutting":
        now.begin(resumed(now))
    now.emit(e.ReshuffleOrdered, clause, reason=reason)
