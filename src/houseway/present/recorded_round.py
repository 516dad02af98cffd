"""A round as `settle` reads it, on the table: what `houseway draw --round` shows.

With a settlement everything lies open, as when the dealer pays. Without one the cards lie as they
were dealt: a player sees their own hand, everybody else sees backs. The public is told no names; the floor
is told what each seat has at stake.
"""

from __future__ import annotations

from dataclasses import replace

from houseway.game_api.round import Round, Seat, Settlement
from houseway.money import spoken
from houseway.present.game import PRESENTATION, PresentationGame
from houseway.present.scene import Scene
from houseway.present.table_view import view_of
from houseway.present.view import Role, TableView
from houseway.present.visible_cards import Viewer, visible_cards
from houseway.table.game import TABLE
from houseway.table.money.settlement_lines import due_of
from houseway.table.state import UNKNOWN, Box, Table


def round_view(
    round: Round,
    settled: Settlement | None = None,
    *,
    seen_by: Role = "public",
    own: int | None = None,
) -> TableView:
    """The table as one reader sees it: before anyone has acted, or when everything is settled."""
    game = PRESENTATION.of(round.rules.chapter)
    viewer = Viewer("record" if settled else seen_by, own or 0)
    table = _table(game, round, settled)
    # a seat sees only its own hand, even if its player holds other seats too
    mine = TABLE.of(round.rules.chapter).own_piles(own) if own else ()
    seen = visible_cards(table, viewer, mine)
    scene = Scene(round.rules, table, seen)
    told = {} if seen_by != "public" else {seat.player: "" for seat in round.seats}
    view = view_of(scene, viewer, told)
    if not game.discards_stub:
        # how many cards are left in the shoe, a round does not say
        view = replace(view, devices=replace(view.devices, stub=None))
    if settled is None and seen_by == "floor":
        staked = {box.seat: f"{spoken(sum(box.wagers.values()))} at stake" for box in table.boxes}
        view = replace(view, seats=tuple(replace(s, note=staked[s.seat]) for s in view.seats))
    return view


def _table(game: PresentationGame, round: Round, settled: Settlement | None) -> Table:
    """The round as it lies on a table."""
    hands = game.piles(round, dealt=settled is None)
    piles = {
        name: tuple(UNKNOWN if face is None else str(face) for face in cards)
        for name, cards in hands.items()
        if cards
    }
    shown = frozenset(name for name in piles if settled or game.is_dealt_face_up(name))
    if game.discards_stub:
        left = round.rules.chapter.number("deck_cards") - sum(map(len, piles.values()))
        piles["discard"] = (UNKNOWN,) * left
    seats = sorted(round.seats, key=lambda seat: seat.seat)
    meters = dict(round.meters)
    if settled:
        meters |= {name: settled.meters[name].shows for name in meters if name in settled.meters}
    return Table(
        piles=piles,
        shown=shown,
        boxes=tuple(_box(game, seat, is_settled=settled is not None) for seat in seats),
        hands=tuple(seat.seat for seat in seats),
        settled=tuple(
            due_of(seat.seat, line) for seat in (settled.seats if settled else ()) for line in seat.lines
        ),
        meters={name: str(amount) for name, amount in meters.items()},
        locked=True,
        devices=game.devices(round) if settled else {},
    )  # fmt: skip


def _box(game: PresentationGame, seat: Seat, *, is_settled: bool) -> Box:
    wagers = game.wagers(seat)
    # a hand without cards was given up before they were looked at
    decided = seat.decision if is_settled or not seat.cards else None
    return Box(
        seat.seat,
        seat.player,
        wagers,
        layout={} if is_settled else wagers,
        decisions={0: decided} if decided else {},
        own=game.own_box(seat) if is_settled else None,
    )
