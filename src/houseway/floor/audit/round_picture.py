"""A recorded table as the felt draws it, for whoever may see the record."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from houseway.cards import card
from houseway.drawing.view import (
    CardView,
    ChipsView,
    DevicesView,
    HandView,
    MeterView,
    SeatView,
    TableView,
)
from houseway.table.state import UNKNOWN, Box, Table, wager_of

#: where a seat's piles lie on the layout
_OWN = {
    "seat": "cards", "three": "three_card_hand", "two": "showdown_hand", "fourth": "fourth_card",
}  # fmt: skip


def picture(table: Table, *, notice: str = "", reveal: bool = True) -> TableView:
    """The table at one moment; with `reveal` also the cards that lie face down, where known."""
    return TableView(
        seats=tuple(_seat(table, box, reveal) for box in table.boxes if _is_used(table, box)),
        table=tuple(_common(table, reveal)),
        devices=DevicesView(
            stub=len(table.piles.get("shoe", ())),
            discards=len(table.piles.get("discard", ())),
            shuffling=table.phase == "shuffling",
            locked=table.locked,
            out_of_order=tuple(
                device.id for device in table.devices.values() if device.condition == "broken"
            ),
        ),
        meters=tuple(MeterView(name, int(Fraction(holds))) for name, holds in table.meters.items()),
        notice=notice,
        seen_by="floor",
    )


def _is_used(table: Table, box: Box) -> bool:
    return bool(box.player or box.layout or box.seat in table.hands)


def _cards(table: Table, name: str, reveal: bool) -> tuple[CardView, ...]:
    seen = reveal or name in table.shown
    return tuple(
        CardView(card(text)) if seen and text != UNKNOWN else CardView()
        for text in table.piles[name]
    )


def _seat(table: Table, box: Box, reveal: bool) -> SeatView:
    hands = []
    for name in table.piles:
        kind, _, rest = name.partition(".")
        if kind in _OWN and rest.partition(".")[0] == str(box.seat):
            hands.append(HandView(_cards(table, name, reveal), _OWN[kind]))
    return SeatView(
        box.seat,
        player=box.player,
        hands=tuple(hands),
        chips=tuple(
            ChipsView(wager_of(name)[0], amount, hand=wager_of(name)[1])
            for name, amount in box.layout.items()
            if amount
        ),
        note=box.out,
    )


def _common(table: Table, reveal: bool) -> Iterator[HandView]:
    dealer = [name for name in ("dealer", "dealer_stack", "hole") if name in table.piles]
    if dealer:
        cards = tuple(view for name in dealer for view in _cards(table, name, reveal))
        yield HandView(cards, "dealer_cards")
    if "community" in table.piles:
        cards = _cards(table, "community", reveal)
        if len(cards) > 2:
            for hand in range(0, len(cards), 3):
                yield HandView(cards[hand : hand + 3], f"electronic_community_{hand // 3 + 1}")
        else:
            yield HandView(cards, "five_card_community")
