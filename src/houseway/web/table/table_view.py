"""A table as somebody sees it, ready to be drawn.

The cards come from one place only: `sight`, which knows a card by `?` unless this reader may see
it. Everything else that is drawn is public at a table: chips, names, whose turn it is, devices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from houseway.cards import Card, card
from houseway.drawing import (
    CardView,
    ChipsView,
    DevicesView,
    HandView,
    MeterView,
    SeatView,
    TableView,
)
from houseway.drawing.hand_names import dealer_words, hand_words
from houseway.games.down_under import hands as blackjack
from houseway.law import DOWN_UNDER, SAIGON, Rules
from houseway.money import Cents, spoken
from houseway.table import Table, awaited, rules_of
from houseway.table.round_building import shows
from houseway.table.state import UNKNOWN, Box, Due, wager_of
from houseway.table.views import HIDDEN, public_view, seat_view

VisibleCards = Mapping[str, tuple[str, ...]]


class Viewer(msgspec.Struct, frozen=True):
    """Who looks: a role at the table, and the seat of a player."""

    role: str = "public"
    seat: int = 0


def visible_cards(table: Table, eyes: Viewer) -> VisibleCards:
    """Every pile on the table, card by card as this reader may see it: what the table's views say.

    Only the record knows more: there whoever investigates sees each hand as it lay.
    """
    if eyes.role == "record":
        hidden = ("deck.", "shoe", "shuffler", "discard")
        return {name: held for name, held in table.piles.items() if not name.startswith(hidden)}
    felt = seat_view(table, eyes.seat).public if eyes.seat else public_view(table)
    seen = {"dealer": felt.dealer, "hole": felt.hole, "community": felt.community}
    for box in felt.boxes:
        seen[f"seat.{box.seat}"] = box.cards
        seen[f"seat.{box.seat}.2"] = box.second_hand
        seen[f"three.{box.seat}"] = box.three
        seen[f"two.{box.seat}"] = box.two
        seen[f"fourth.{box.seat}"] = box.fourth
    return {
        name: tuple(UNKNOWN if text == HIDDEN else text for text in held)
        for name, held in seen.items()
        if held
    }


def cards_of(pile: tuple[str, ...]) -> tuple[Card | None, ...]:
    return tuple(None if text == UNKNOWN else card(text) for text in pile)


def _views(pile: tuple[str, ...], back: str, **more: Any) -> tuple[CardView, ...]:
    return tuple(CardView(face, back=back, **more) for face in cards_of(pile))  # type: ignore[arg-type]


def view(table: Table, eyes: Viewer, names: Mapping[str, str], opens: tuple[str, ...]) -> TableView:
    """The whole table for the drawing; `opens` are the areas where this reader may wager."""
    rules, seen = rules_of(table), visible_cards(table, eyes)
    back = _back(table)
    due, waiting = {line.seat for line in table.due[:1]}, awaited(table)
    seats = tuple(
        SeatView(
            box.seat,
            player=names.get(box.player, box.player),
            hands=tuple(_hands(rules, table, box, seen, back)),
            chips=tuple(_chips(table, box)),
            open=opens if box.seat == eyes.seat else (),
            sensed=tuple(w for w in box.wagers if w.endswith("progressive") and table.locked),
            active=box.seat in due or box.seat in waiting,
            note=_note(table, box),
        )
        for box in table.boxes
        if box.player or box.wagers or any(_mine(name, box.seat) for name in seen)
    )
    return TableView(
        seats=seats,
        table=tuple(_table_hands(rules, table, seen, back)),
        devices=_devices(table, back),
        meters=tuple(MeterView(name, shows(holds)) for name, holds in table.meters.items()),
        notice="",
        seen_by="seat" if eyes.seat else "public",
        own=eyes.seat or None,
    )


def _back(table: Table) -> str:
    found = table.decks.get(table.in_play)
    return "blue" if found is not None and found.back == "blue" else "red"


def _mine(name: str, seat: int) -> bool:
    return name.split(".")[1:2] == [str(seat)]


# hands


def _hands(
    rules: Rules, table: Table, box: Box, seen: VisibleCards, back: str
) -> Iterator[HandView]:
    seat = box.seat
    result = _result(table, seat)
    folded = box.decisions.get(0) in ("fold", "forfeit") or bool(box.out)
    if rules.chapter.id == SAIGON:
        yield from _saigon(rules, seat, seen, back, result)
        return
    for name in (f"seat.{seat}", f"seat.{seat}.1", f"seat.{seat}.2"):
        pile = seen.get(name)
        if pile:
            number = int(name.split(".")[2]) if name.count(".") == 2 else 0
            if rules.chapter.id == DOWN_UNDER:
                split = f"seat.{seat}.2" in seen
                yield HandView(
                    _blackjack_cards(pile, bool(box.doubled.get(number)), back),
                    says=seen_words(rules, pile, split=split),
                    result=_result(table, seat, number),  # type: ignore[arg-type]
                )
            else:
                yield HandView(
                    _views(pile, back),
                    says="Folded" if folded else seen_words(rules, pile),
                    result="" if folded else result,  # type: ignore[arg-type]
                    folded=folded,
                )
    fourth = seen.get(f"fourth.{seat}")
    if fourth:
        yield HandView(_views(fourth, back), place="fourth_card")


def common_hands(rules: Rules, seen: VisibleCards) -> dict[int, tuple[str, ...]]:
    """The hands that the community cards make in the electronic version, by number."""
    if not rules.options.get("electronic"):
        return {}
    size, common = rules.chapter.number("hand_cards"), seen.get("community", ())
    return {
        at // size + 1: common[at : at + size]
        for at in range(0, rules.chapter.number("electronic_community"), size)
    }


def showdown(table: Table, eyes: Viewer) -> list[tuple[str, tuple[str, ...], str]]:
    """The hands that a seat was settled by, as that seat saw them: whose, the cards, their name."""
    rules, seen, back = rules_of(table), visible_cards(table, eyes), _back(table)
    box = table.boxes[eyes.seat - 1]
    shown = [("You", hand) for hand in _hands(rules, table, box, seen, back)]
    for hand in _table_hands(rules, table, seen, back):
        common = hand.place.rpartition("electronic_community_")[2] if hand.place else ""
        shown.append((f"Hand {common}" if common.isdecimal() else "Dealer", hand))
    return [
        (whose, tuple(UNKNOWN if one.face is None else str(one.face) for one in hand.cards), hand.says)
        for whose, hand in shown
    ]  # fmt: skip


def _blackjack_cards(pile: tuple[str, ...], doubled: bool, back: str) -> tuple[CardView, ...]:
    return tuple(
        CardView(face, back=back, sideways=doubled and at == 2)  # type: ignore[arg-type]
        for at, face in enumerate(cards_of(pile))
    )


def _saigon(
    rules: Rules, seat: int, seen: VisibleCards, back: str, result: str
) -> Iterator[HandView]:
    held = seen.get(f"seat.{seat}")
    if held:
        size = rules.chapter.number("three_cards")
        yield HandView(_views(held[:size], back), place="three_card_hand")
        if held[size:]:
            yield HandView(_views(held[size:], back), place="showdown_hand")
    three, two = seen.get(f"three.{seat}"), seen.get(f"two.{seat}")
    if three:
        yield HandView(_views(three, back), "three_card_hand", seen_words(rules, three))
    if two:
        says = seen_words(rules, two)
        yield HandView(_views(two, back), "showdown_hand", says, result)  # type: ignore[arg-type]


def _all(pile: tuple[str, ...]) -> tuple[Card, ...]:
    return tuple(card(text) for text in pile)


def seen_words(rules: Rules, pile: tuple[str, ...], *, split: bool = False) -> str:
    """What a player's cards come to; nothing unless all of them are seen."""
    return "" if UNKNOWN in pile else hand_words(rules, _all(pile), split=split)


def _table_hands(rules: Rules, table: Table, seen: VisibleCards, back: str) -> Iterator[HandView]:
    if rules.chapter.id == DOWN_UNDER:
        yield from _dealers_blackjack(rules, seen, back, range_shown(rules, table))
    else:
        dealer = seen.get("dealer", ())
        if dealer:
            says = "" if UNKNOWN in dealer else dealer_words(rules, _all(dealer))
            yield HandView(_views(dealer, back), "dealer_cards", says)
    common = seen.get("community", ())
    for number, part in common_hands(rules, seen).items():
        if part:
            yield HandView(
                _views(part, back), f"electronic_community_{number}", seen_words(rules, part)
            )
    if common and not rules.options.get("electronic"):
        yield HandView(_views(common, back), "five_card_community")


def range_shown(rules: Rules, table: Table) -> str:
    """The range of the hole card, once the reader has shown its light."""
    reader = table.devices.get("reader")
    lights = blackjack.numbers(rules).lights
    return next((name for name, light in lights.items() if reader and reader.shows == light), "")


def _dealers_blackjack(
    rules: Rules, seen: VisibleCards, back: str, range_: str
) -> Iterator[HandView]:
    """Up card and hole card; read, the hole card lies in the area of its range."""
    up, hole = seen.get("dealer", ()), seen.get("hole", ())
    pile = (*up[:1], *hole, *up[1:])
    if not pile:
        return
    if range_ and hole and UNKNOWN in hole:
        yield HandView(_views(up, back), "dealer_cards")
        yield HandView(_views(hole, back), range_, says=range_.capitalize())
        return
    says = "" if UNKNOWN in pile else dealer_words(rules, _all(pile))
    yield HandView(_views(pile, back), range_ or "dealer_cards", says)


# chips


def _result(table: Table, seat: int, hand: int = 0) -> str:
    for wager in ("play", "ante", "bet", "split", "pair_plus"):
        for line in table.settled:
            if line.seat == seat and line.wager == wager and line.hand == hand:
                return _RESULTS.get(line.result, "")
    return ""


_RESULTS = {"win": "win", "lose": "lose", "forfeit": "lose", "push": "push", "returned": "push"}
_STATES = {"lose": "collected", "forfeit": "collected", "push": "returned", "returned": "returned"}
#: where the chips of a bonus are laid that has no stake of its own
_LAID_ON = {
    "ante_bonus": "ante", "coupon": "ante", "bad_beat": "play", "envy": "progressive",
    "even_money": "bet",
}  # fmt: skip


def _chips(table: Table, box: Box) -> Iterator[ChipsView]:
    for name, amount in box.layout.items():
        wager, hand = wager_of(name)
        yield ChipsView(wager, amount, hand=hand)
    if not table.hands:
        return
    for line in _latest(table.settled):
        if line.seat == box.seat:
            yield from _settled_chips(line)


def _latest(settled: tuple[Due, ...]) -> tuple[Due, ...]:
    return settled


def _settled_chips(line: Due) -> Iterator[ChipsView]:
    area = _LAID_ON.get(line.wager, line.wager)
    if line.stake:
        state = _STATES.get(line.result, "placed")
        yield ChipsView(area, line.stake, state, line.hand)  # type: ignore[arg-type]
    if line.paid:
        yield ChipsView(area, line.paid, "paid", line.hand)


def net(lines: tuple[Due, ...], seat: int) -> Cents:
    """What a seat is up or down over the lines settled so far."""
    change = 0
    for line in lines:
        if line.seat == seat:
            change += line.paid
            if line.result in ("lose", "forfeit"):
                change -= line.stake
    return change


def _note(table: Table, box: Box) -> str:
    if box.out:
        return box.out
    if not any(line.seat == box.seat for line in table.settled):
        return ""
    if not table.hands and table.holders.get(box.seat) != box.player:
        return ""  # somebody else's result
    up = net(table.settled, box.seat)
    return "even" if up == 0 else f"{'+' if up > 0 else '−'}{spoken(abs(up))}"


# devices


def _devices(table: Table, back: str) -> DevicesView:
    rules = rules_of(table)
    light = range_shown(rules, table) if rules.chapter.id == DOWN_UNDER else ""
    return DevicesView(
        stub=len(table.piles.get("shoe", ())),
        discards=len(table.piles.get("discard", ())),
        back=back,  # type: ignore[arg-type]
        cover_card_out=bool(table.cover_at),
        light=light,  # type: ignore[arg-type]
        shuffling=table.phase == "shuffling",
        locked=table.locked,
        out_of_order=tuple(d.id for d in table.devices.values() if d.condition != "working"),
    )
