"""A table as somebody sees it.

Cards come from `visible_cards` alone. Everything else that is shown is public at a table: chips,
names, whose turn it is, devices.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from houseway.cards import Card
from houseway.present.game import PRESENTATION
from houseway.present.scene import Scene
from houseway.present.settled import chips, net, signed
from houseway.present.view import DevicesView, HandView, MeterView, SeatView, TableView
from houseway.present.visible_cards import Viewer, visible_cards
from houseway.table import Table, awaited, rules_of
from houseway.table.procedure.deciding import hand_asked
from houseway.table.round_building import shows
from houseway.table.state import Box, Due, wager_of


def table_view(
    table: Table,
    viewer: Viewer,
    names: Mapping[str, str] | None = None,
    opens: tuple[str, ...] = (),
) -> TableView:
    """A live table, or one step of a recorded round, as this reader sees it.

    `names` are those of the people at the table; `opens` the areas where the reader may wager.
    """
    scene = scene_of(table, viewer)
    acting = {*awaited(table), *(line.seat for line in table.due[:1])}
    return view_of(scene, viewer, names or {}, acting, opens)


def own_view(shared: TableView, scene: Scene, own: int, opens: tuple[str, ...] = ()) -> TableView:
    """A table as the player at a seat sees it: what everybody sees, and the player's own boxes.

    The scene is the player's own; the areas in `opens` are those where the player may wager.
    """
    boxes = scene.table.boxes
    player = boxes[own - 1].player
    game = PRESENTATION.of(scene.rules.chapter)
    seats = list(shared.seats)
    for at, seat in enumerate(seats):
        box = boxes[seat.seat - 1]
        if box.seat == own or (player and box.player == player):
            open_ = opens if box.seat == own else ()
            seats[at] = replace(seat, hands=tuple(game.seat_hands(scene, box)), open=open_)
    asked = any(seat.active for seat in seats if seat.seat == own)
    common = _common(scene, shared.table, own, asked)
    return replace(shared, seats=tuple(seats), table=common, own=own)


def scene_of(table: Table, viewer: Viewer) -> Scene:
    deck = table.decks.get(table.in_play)
    blue = deck is not None and deck.back == "blue"
    return Scene(
        rules_of(table), table, visible_cards(table, viewer), "blue" if blue else "red"
    )  # fmt: skip


def view_of(
    scene: Scene,
    viewer: Viewer,
    names: Mapping[str, str],
    acting: Collection[int] = (),
    opens: tuple[str, ...] = (),
) -> TableView:
    """The view of a scene."""
    table, law = scene.table, scene.rules.chapter
    game = PRESENTATION.of(law)
    here = {name.split(".")[1] for name in scene.cards if "." in name}
    seats = tuple(
        SeatView(
            box.seat,
            player=names.get(box.player, box.player),
            hands=tuple(game.seat_hands(scene, box)),
            chips=tuple(chips(law, game.laid(box), _settled(table, box), game.raises)),
            open=opens if box.seat == viewer.seat else (),
            sensed=_sensed(scene, box),
            active=box.seat in acting,
            note=_note(table, box),
            won=tuple((d.wager, d.odds) for d in _settled(table, box) if d.paid and d.odds),
        )
        for box in table.boxes
        if box.player or box.wagers or str(box.seat) in here
    )
    return TableView(
        seats=seats,
        table=_common(scene, tuple(game.table_hands(scene)), viewer.seat, viewer.seat in acting),
        devices=_devices(scene),
        meters=tuple(MeterView(name, shows(holds)) for name, holds in table.meters.items()),
        own=viewer.seat or None,
    )


def _common(
    scene: Scene, hands: tuple[HandView, ...], own: int, asked: bool
) -> tuple[HandView, ...]:
    """What lies before the dealer; hands that players wager on as the player of a seat sees them."""
    box = next((box for box in scene.table.boxes if own and box.seat == own), None)
    if box is None or not any(hand.number for hand in hands):
        return hands
    game = PRESENTATION.of(scene.rules.chapter)
    now = hand_asked(scene.table, own) if asked else 0
    return tuple(
        replace(game.common_hand(scene, box, hand), active=hand.number == now)
        if hand.number
        else hand
        for hand in hands
    )


def _settled(table: Table, box: Box) -> list[Due]:
    """What was settled at a box, as long as the round is on the table."""
    return [line for line in table.settled if line.seat == box.seat and table.hands]


def _sensed(scene: Scene, box: Box) -> tuple[str, ...]:
    """The progressive wagers that a box's sensors have seen; they do so when bets are locked."""
    if not scene.table.locked:
        return ()
    wagers = scene.rules.chapter.wagers
    seen = [name for name in box.wagers if wagers[wager_of(name)[0]].kind == "progressive"]
    # of a wager on one of several hands: the area, and which hand it is
    return tuple(dict.fromkeys((*(wager_of(name)[0] for name in seen), *seen)))


def _note(table: Table, box: Box) -> str:
    if box.out:
        return box.out
    mine = [line for line in table.settled if line.seat == box.seat]
    if not mine or (not table.hands and (box.wagers or table.holders.get(box.seat) != box.player)):
        return ""  # somebody else's result, or that of a round before this wager
    return signed(net(mine))


def _devices(scene: Scene) -> DevicesView:
    table = scene.table
    return DevicesView(
        stub=len(table.piles.get("shoe", ())),
        discards=len(table.piles.get("discard", ())),
        back=scene.back,
        cover_card_out=bool(table.cover_at),
        light=PRESENTATION.of(scene.rules.chapter).light(scene.rules, table),
        shuffling=table.phase == "shuffling",
        locked=table.locked,
        out_of_order=tuple(d.id for d in table.devices.values() if d.condition != "working"),
    )


def showdown(table: Table, viewer: Viewer) -> list[tuple[str, tuple[Card | None, ...], str]]:
    """The hands that a seat was settled by, as that seat saw them: whose, the cards, their name."""
    scene = scene_of(table, viewer)
    game = PRESENTATION.of(scene.rules.chapter)
    shown = [("You", hand) for hand in game.seat_hands(scene, table.boxes[viewer.seat - 1])]
    common = len(game.common_hands(scene.rules, scene.cards))
    for at, hand in enumerate(game.table_hands(scene)):
        # common hands come after the dealer's, in the order of their numbers
        shown.append((f"Hand {at}" if common and at else "Dealer", hand))
    return [(whose, tuple(one.face for one in hand.cards), hand.says) for whose, hand in shown]
