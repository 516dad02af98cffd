"""Opening a table and making its cards ready, up to the shuffle.

A deck goes through stages: received, inspected, verified, spread, seen, stacked, shuffled. Cards
that arrive preshuffled skip what their chapter lets them skip. A deck that was at the table too
long lets no new round begin.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from houseway.errors import Refused
from houseway.game_api.rules import check_settled
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, Rules, chapter, choose, cites
from houseway.law.lawful_meters import unlawful_terms
from houseway.money import cents, dollars
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.actions import Fields, action
from houseway.table.card_source import (
    check_order,
    deck_piles,
    lost_between_rounds,
    pack,
    remove_deck,
)
from houseway.table.gaming_day import FacilityTime, moment
from houseway.table.moment import Moment
from houseway.table.procedure.tray import read_chips
from houseway.table.state import Deck, Table

BETWEEN_ROUNDS = ("opening", "idle", "shuffling", "cutting", "betting")


def _devices(rules: Rules) -> tuple[str, ...]:
    """The machines that stand at a table under these rules."""
    from houseway.table.game import TABLE

    found = []
    if rules["shuffler"] != "none":
        found.append("shuffler")
    if rules["dealing"] in ("automated_shoe", "continuous_shuffler"):
        found.append(str(rules["dealing"]))
    found += TABLE.of(rules.chapter).devices
    if rules.meter_names:
        found.append("progressive")
    return tuple(found)


@action(c.OpenTable, ("floorperson", "system"), ("closed",), anywhere=True)
@cites(MD, "12.E(3)", "12.E(3)(a)", "12.E(3)(b)")
def open_table(now: Moment, command: c.OpenTable) -> None:
    """Only with lawful meters. The opening records the edition and the rules by hash, so that the record stays readable."""
    when = FacilityTime(command.zone, command.day_begins)
    law = chapter(command.chapter, command.edition)
    check_settled(law)
    rules = choose(
        law,
        command.rules,
        limits=command.limits,
        meters=command.meters,
        paytables=command.paytables,
    )
    for problem in unlawful_terms(rules):
        raise problem
    file = rules.as_file()
    del file["edition"]  # the event has it
    now.emit(
        e.TableOpened,
        table=command.table,
        chapter=law.id,
        edition=law.about.edition,
        edition_hash=law.hash,
        rules=file,
        rules_hash=rules.hash,
        seats=law.number("seats"),
        tray=read_chips(command.tray, "tray"),
        meters={name: str(rules.meter(name).seed) for name in rules.meter_names},
        devices=_devices(rules),
        dealer=command.dealer,
        zone=when.zone,
        day_begins=when.begins,
    )


def check_edition(now: Moment) -> None:
    """No new round by rules that are no longer the installed ones; one that has begun goes on."""
    if now.standing != "current" and not any(box.wagers for box in now.table.boxes):
        raise Refused(
            "edition_changed",
            f"the rules of {now.table.chapter}, edition {now.table.edition}, have changed since "
            "this table was opened; no new round begins: close the table and open it again",
        )


# the age of a deck


def deck_hours(rules: Rules) -> tuple[int, str] | None:
    """For how many hours a deck may be used and by which clause, where the chapter says so."""
    law = rules.chapter
    method = "hand" if rules["dealing"] == "hand" else "shoe"
    for name in ("change_hours", f"change_hours_{method}"):
        if name in law.about.facts:
            return law.number(name), law.about.facts[name].clause
    return None


def change_due(rules: Rules, deck: Deck) -> datetime | None:
    """When a deck must be off the table, where the chapter says so."""
    found = deck_hours(rules)
    return moment(deck.received) + timedelta(hours=found[0]) if found else None


@cites(MD, "3.C", "3.C(1)", "3.C(2)")
@cites(PRIME, "679a.3(c)", "679a.3(c)(1)", "679a.3(c)(2)")
@cites(SAIGON, "680a.3(c)", "680a.3(c)(1)", "680a.3(c)(2)")
def check_deck_age(now: Moment) -> None:
    """No new round with a deck whose time is up."""
    for deck in now.table.decks.values():
        due, hours = change_due(now.rules, deck), deck_hours(now.rules)
        if due is not None and hours is not None and _after(now.at, due):
            raise Refused(
                "deck_overdue",
                f"deck {deck.id} was to be changed by {due.isoformat(timespec='minutes')}; "
                "no new round until it is",
                clause=hours[1],
            )


def _after(at: str, due: datetime) -> bool:
    try:
        return moment(at) > due
    except TypeError:
        raise Refused("not_a_time", "times at one table have a zone, or none has") from None


def decks_due(table: Table, rules: Rules, at: str, ahead: timedelta) -> list[tuple[str, datetime]]:
    """The decks to be changed within a time from now, for a warning."""
    return [
        (deck.id, due)
        for deck in table.decks.values()
        if (due := change_due(rules, deck)) is not None and _after(at, due - ahead)
    ]


# the stages of a deck


def _deck(now: Moment, id: str, stage: str, step: str) -> Deck:
    deck = now.table.decks.get(id)
    if deck is None:
        raise now.refuse("no_such_deck", f"there is no deck {id} at the table", step)
    if deck.stage != stage:
        raise now.refuse(
            "out_of_turn", f"deck {id} is {deck.stage}; it is to be {stage} first", step
        )
    return deck


def _some(now: Moment, stage: str, step: str) -> None:
    if not _decks_at(now, stage):
        raise now.refuse("out_of_turn", f"no deck at the table is {stage}", step)


def _decks_at(now: Moment, stage: str) -> list[Fields]:
    """The decks at this stage, as values for a command's field."""
    return _named(deck.id for deck in now.table.decks.values() if deck.stage == stage)


def _named(decks: Iterable[str]) -> list[Fields]:
    return [{"deck": id} for id in decks]


def _may_receive(now: Moment, _seat: int) -> None:
    if not missing_decks(now):
        raise now.refuse("out_of_turn", "all decks are at the table", "receive_decks")
    _check_between_rounds(now, "receive_decks")


def _check_between_rounds(now: Moment, step: str) -> None:
    """A round whose cards are cut or shuffled once more goes on with the same deck."""
    if now.table.hands:
        raise now.refuse("out_of_turn", "complete the round first", step)


def _may_change(now: Moment, _seat: int) -> None:
    if missing_decks(now):
        raise now.refuse("out_of_turn", "decks are still to be received", "receive_decks")
    _check_between_rounds(now, "change_decks")


def _to_change(now: Moment) -> list[str]:
    """The decks that must be changed before the next round, the one with the oldest cards first.

    Their time is over, or their order is lost where nobody may order a shuffle.
    """
    lost = lost_between_rounds(now.table) and not now.has_step("order_reshuffle")
    found = [now.table.in_play] if lost else []
    if not now.at:
        return found
    due = decks_due(now.table, now.rules, now.at, timedelta())
    return found + [deck for deck, _ in sorted(due, key=lambda one: one[1])]


def missing_decks(now: Moment) -> list[str]:
    """Decks that the rules call for and that are not at the table; of two, either may be left."""
    ids = [str(number + 1) for number in range(now.rules.options["decks_in_play"])]
    lacking = max(0, now.options["decks_in_play"] - len(now.table.decks))
    return [id for id in ids if id not in now.table.decks][:lacking]


@action(
    c.ReceiveDecks,
    ("dealer", "floorperson", "system"),
    BETWEEN_ROUNDS,
    _may_receive,
    choices=lambda now, _: _named(missing_decks(now)),
)
@cites(MD, "4.E", "4.F", "3.B")
@cites(MA, "4(a)", "4(d)")
@cites(PRIME, "679a.3(a)", "679a.4(d)", "679a.4(e)")
@cites(SAIGON, "680a.4(d)", "680a.4(e)")
@cites(DOWN_UNDER, "685a.4(d)")
def receive_decks(now: Moment, command: c.ReceiveDecks) -> None:
    """A deck comes to the table."""
    if command.deck in now.table.decks:
        raise now.refuse(
            "out_of_turn", f"deck {command.deck} is already at the table", "receive_decks"
        )
    _check_deck(now, command.deck, missing_decks(now), "awaited")
    # once play has begun, the deck that is missing while none is in play is the one to be played
    turn = bool(now.table.round and now.table.decks and not now.table.in_play)
    _bring(now, command, turn=turn)


@action(
    c.ChangeDecks,
    ("dealer", "floorperson", "system"),
    BETWEEN_ROUNDS,
    _may_change,
    pressing=lambda now: bool(_to_change(now)),
    choices=lambda now, _: _named(dict.fromkeys((*_to_change(now), *now.table.decks))),
)
@cites(MD, "3.C")
@cites(PRIME, "679a.3(c)")
@cites(SAIGON, "680a.3(c)")
def change_decks(now: Moment, command: c.ChangeDecks) -> None:
    """A fresh deck in place of one that goes off the table."""
    _check_deck(now, command.deck, now.table.decks, "at the table")
    turn = command.deck == now.table.in_play
    remove_deck(now, command.deck, "changed", now.clause("change_decks"))
    _bring(now, command, turn=turn)


def _check_deck(now: Moment, deck: str, known: Iterable[str], where: str) -> None:
    if deck not in known:
        says = f"deck {' or '.join(known)} is {where}, not {deck or 'one without a name'}"
        raise now.refuse("no_such_deck", says, "receive_decks", field="deck")


@cites(DOWN_UNDER, "685a.3(b)(1)")
def _bring(now: Moment, command: c.ReceiveDecks | c.ChangeDecks, *, turn: bool) -> None:
    """A deck is put on the table; `turn`: it is the one to be played next."""
    others = [deck.back for deck in now.table.decks.values() if deck.id != command.deck]
    back = command.back or next(color for color in ("red", "blue") if color not in others)
    if back in others:
        raise now.refuse(
            "same_back", f"the other deck has {back} backs too; the two must differ",
            "same_backs", "receive_decks", field="back",
        )  # fmt: skip
    cards = pack(now.rules)
    if command.order:
        if not command.preshuffled:
            raise Refused("not_preshuffled", "only preshuffled cards bring an order", field="order")
        check_order(now, command.order)
        cards = command.order
    elif command.preshuffled:
        cards = ("?",) * len(cards)
    step = "preshuffled" if command.preshuffled else "receive_decks"
    now.emit(
        e.DecksReceived,
        now.clause(step, "receive_decks"),
        deck=command.deck,
        back=back,
        cards=cards,
        preshuffled=command.preshuffled,
        replaces=turn,
    )
    if command.preshuffled and now.has_step("spread_preshuffled"):
        now.emit(
            e.DeckPrepared,
            now.clause("spread_preshuffled"),
            deck=command.deck,
            stage="verified",
            how="preinspected",
        )
    opening_goes_on(now)


def _stage(
    now: Moment, step: str, deck: str, before: str, after: str, seat: int = 0, by: str = ""
) -> None:
    found = _deck(now, deck, before, step)
    up = found.face_up or now.has_step("turn_up_for_first_player")
    now.emit(e.DeckPrepared, now.clause(by, step), deck=deck, stage=after, face_up=up, seat=seat)


@action(
    c.InspectCards,
    ("dealer",),
    ("opening",),
    lambda now, _: _some(now, "received", "inspect_cards"),
    choices=lambda now, _: _decks_at(now, "received"),
)
def inspect_cards(now: Moment, command: c.InspectCards) -> None:
    _stage(now, "inspect_cards", command.deck, "received", "inspected")


@action(
    c.VerifyInspection,
    ("floorperson",),
    ("opening",),
    lambda now, _: _some(now, "inspected", "verify_inspection"),
    choices=lambda now, _: _decks_at(now, "inspected"),
)
@cites(MD, "4.A")
@cites(MA, "4(b)")
@cites(PRIME, "679a.4(a)")
@cites(SAIGON, "680a.4(a)")
def verify_inspection(now: Moment, command: c.VerifyInspection) -> None:
    """The inspection is verified by somebody else than who inspected."""
    deck = now.table.decks.get(command.deck)
    if deck is not None and now.who and deck.inspected_by == now.who:
        raise now.refuse(
            "same_person", f"{now.who} inspected these cards; somebody else verifies that",
            "verify_inspection",
        )  # fmt: skip
    _stage(now, "verify_inspection", command.deck, "inspected", "verified")


@action(
    c.SpreadCards,
    ("dealer",),
    ("opening",),
    lambda now, _: _some(now, "verified", "spread_cards"),
    choices=lambda now, _: _decks_at(now, "verified"),
)
def spread_cards(now: Moment, command: c.SpreadCards) -> None:
    _stage(now, "spread_cards", command.deck, "verified", "spread")


def _may_look(now: Moment, seat: int) -> None:
    _some(now, "spread", "let_player_inspect")
    if not now.box(seat).player:
        raise now.refuse("nobody_there", f"nobody sits at seat {seat}", "let_player_inspect")
    # a record of an earlier version may not say who came first; at an idle table it is the dealer
    # who sees who comes up to it
    first = next(iter(now.table.arrived), seat)
    if now.table.phase == "opening" and now.box(seat).player != now.box(first).player:
        raise now.refuse(
            "not_the_first", f"the player at seat {first} came first and looks at the cards",
            "let_player_inspect",
        )  # fmt: skip


def _looked_at(now: Moment) -> tuple[str, ...]:
    """The step by which cards are inspected: those of an idle table have a clause of their own."""
    return ("let_player_inspect_idle",) if now.table.phase == "idle" else ()


@action(
    c.LetPlayerInspect,
    ("dealer",),
    ("opening", "idle"),
    _may_look,
    words=_looked_at,
    choices=lambda now, _: _decks_at(now, "spread"),
)
def let_player_inspect(now: Moment, command: c.LetPlayerInspect) -> None:
    came = _deck(now, command.deck, "spread", "let_player_inspect")
    fresh = "let_player_inspect_preshuffled" if came.preshuffled else ""
    by = next(iter(_looked_at(now)), fresh)
    _stage(now, "let_player_inspect", command.deck, "spread", "seen", command.seat, by)
    deck = now.table.decks[command.deck]
    if deck.preshuffled and now.table.phase == "opening":
        now.emit(e.DeckPrepared, now.clause("preshuffled"), deck=deck.id, stage="shuffled")
        opening_goes_on(now)


@action(
    c.WashCards,
    ("dealer",),
    ("opening", "idle"),
    lambda now, _: _some(now, "seen", "wash_cards"),
    choices=lambda now, _: _decks_at(now, "seen"),
)
@cites(MD, "4.D", "5.H(3)")
@cites(MA, "5(e)")
@cites(PRIME, "679a.5(f)")
@cites(SAIGON, "680a.5(f)")
@cites(DOWN_UNDER, "685a.5(g)")
def wash_cards(now: Moment, command: c.WashCards) -> None:
    _deck(now, command.deck, "seen", "wash_cards")
    now.emit(
        e.DeckPrepared,
        now.clause("wash_cards"),
        deck=command.deck,
        stage="stacked",
        face_up=False,
    )
    opening_goes_on(now)


def opening_goes_on(now: Moment) -> None:
    """Go on to the shuffle or the cut once every deck is stacked or preshuffled."""
    from houseway.table.procedure.shuffling import after_shuffle

    if missing_decks(now):
        now.begin("opening")
        return
    stages = {deck.stage for deck in now.table.decks.values()}
    if stages <= {"stacked", "shuffled"}:
        if "stacked" in stages:
            now.begin("shuffling")
        else:
            after_shuffle(now)
    elif now.table.phase != "idle" or stages & {"received", "inspected", "verified"}:
        now.begin("opening")


# the idle table


def _idle(now: Moment, _seat: int) -> None:
    if now.table.hands or any(box.layout for box in now.table.boxes):
        raise now.refuse("out_of_turn", "there is gaming activity: wagers are down", "spread_idle")
    if not now.table.in_play:
        raise now.refuse("out_of_turn", "there are no cards in the shoe or the rack", "spread_idle")


def _empty(now: Moment) -> bool:
    return not any(box.player for box in now.table.boxes)


@action(
    c.SpreadIdle,
    ("dealer",),
    ("shuffling", "cutting", "loading", "burning", "betting"),
    _idle,
    pressing=_empty,
)
@cites(MD, "5.H", "5.H(1)", "5.H(2)")
@cites(MA, "5(e)")
@cites(PRIME, "679a.5(f)")
@cites(SAIGON, "680a.5(f)")
@cites(DOWN_UNDER, "685a.5(g)")
def spread_idle(now: Moment, command: c.SpreadIdle) -> None:
    """Cards out of shoe and rack, spread face down unless a player asks for them face up."""
    deck = now.table.in_play
    gathered = deck_piles(now.table, deck)
    now.emit(
        e.CardsSpread,
        now.clause("spread_idle"),
        deck=deck,
        gathered=gathered,
        cards=tuple(text for name in gathered for text in now.table.piles[name]),
        face_up=command.face_up,
    )
    now.begin("idle")


# dealers


def _between(now: Moment, _seat: int) -> None:
    if now.table.hands:
        raise Refused("out_of_turn", "the dealer is relieved between rounds")


@action(c.ChangeDealer, ("dealer", "floorperson", "system"), (), _between, anywhere=True)
def change_dealer(now: Moment, command: c.ChangeDealer) -> None:
    now.emit(e.DealerChanged, now.clause("change_dealer"), dealer=command.dealer)
    if now.table.phase == "betting" and now.has_step("new_dealer_burns"):
        now.begin("burning")


def float_of(amount: str) -> dict[str, int]:
    """A float of about this much, for a table that is opened without a count of its own."""
    worth = cents(amount)
    shares = (("500.00", 4), ("100.00", 3), ("25.00", 2), ("5.00", 1), ("1.00", 1), ("0.50", 1))
    return {value: max(40, worth * share // 12 // cents(value)) for value, share in shares} | {
        dollars(1): 200
    }
