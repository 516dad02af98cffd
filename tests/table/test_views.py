"""Secrecy: two tables that differ only in cards a role may not see are the same to that role."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tables import EVERY_GAME, opened

from houseway.law import MA, cites
from houseway.refusal import Refused
from houseway.table import Table
from houseway.table.engine import Moment
from houseway.table.lines import due_of
from houseway.table.rounds import in_order, settled
from houseway.table.views import (
    HIDDEN,
    dealer_view,
    floor_view,
    public_view,
    seat_view,
    surveillance_view,
)


def seen(table: Table, seat: int) -> list[str]:
    """The piles that a role sees: all that lie face up, and a player's own hand."""
    own = {f"seat.{seat}", f"three.{seat}", f"two.{seat}"} if seat else set()
    return [name for name in table.piles if name in table.shown or name in own]


def otherwise(table: Table, seat: int, rng: random.Random) -> Table:
    """The same table, with the cards that this role cannot see exchanged among themselves."""
    open_piles = seen(table, seat)
    visible = Counter(card for name in open_piles for card in table.piles[name])
    if table.aside:
        visible[table.aside] += 1
    # a hand that was settled lay face up before it went to the rack
    settled_seats = {line.seat for line in table.settled if line.result != "forfeit"}
    for name, pile in table.racked.items():
        if "." not in name or int(name.split(".")[1]) in settled_seats:
            visible.update(pile)
    hidden = [card for name, pile in table.piles.items() if name not in open_piles for card in pile]
    # one card of each kind is renamed; in a batch of decks the copies go along
    kinds = [card for card in sorted(set(hidden)) if card not in visible]
    mixed = kinds[:]
    rng.shuffle(mixed)
    other = dict(zip(kinds, mixed, strict=True))

    def renamed(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(other.get(card, card) for card in cards)

    changed = replace(
        table,
        piles={name: renamed(pile) for name, pile in table.piles.items()},
        racked={name: renamed(pile) for name, pile in table.racked.items()},
    )
    if table.due and table.phase == "settling" and "hole" not in table.piles:
        now = Moment(changed, "dealer")
        done = {(line.seat, line.wager, line.hand) for line in table.settled}
        validated = {(line.seat, line.wager, line.hand) for line in table.due if line.validated}
        try:
            lines = [due_of(at, line) for at, line in in_order(now, settled(now))]
        except Refused:
            return table  # a hand that nobody would have been allowed to set so
        changed = replace(
            changed,
            due=tuple(
                replace(line, validated=(line.seat, line.wager, line.hand) in validated)
                for line in lines
                if (line.seat, line.wager, line.hand) not in done and line.result != "forfeit"
            ),
        )
    return changed


def bytes_of(table: Table, seat: int) -> list[bytes]:
    views = [seat_view(table, seat)] if seat else [
        public_view(table), dealer_view(table), floor_view(table), surveillance_view(table),
    ]  # fmt: skip
    return [msgspec.json.encode(view) for view in views]


@pytest.mark.parametrize(("chapter", "rules", "wagers"), EVERY_GAME)
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_nobody_sees_what_is_hidden(chapter, rules, wagers, seed):
    """At every moment of a round, for every role."""
    rng = random.Random(seed)
    driver = opened(chapter, rules, seed=seed, players=3)
    for seat in (1, 2, 3):
        driver.wager(seat, wagers)
    moments = [driver.table]
    send = driver.send

    def noted(*arguments, **fields):
        events = send(*arguments, **fields)
        moments.append(driver.table)
        return events

    driver.send = noted

    def choose(_table, seat, steps):
        names = [step.command for step in steps if step.seat == seat]
        name = names[rng.randrange(len(names))]
        return name, {"amount": "5.00"} if name in ("insure", "double") else {}

    driver.finish(choose)
    hidden_somewhere = False
    for table in moments:
        for seat in (0, rng.choice((1, 2, 3))):
            another = otherwise(table, seat, rng)
            hidden_somewhere |= another != table
            assert bytes_of(another, seat) == bytes_of(table, seat), (table.phase, seat)
    assert hidden_somewhere


def test_a_player_sees_his_own_hand_and_nobody_elses():
    driver = opened("md-three-card-poker", players=2)
    driver.wager(1, {"ante": "5.00"})
    driver.wager(2, {"ante": "5.00"})
    driver.until("deciding")
    view = seat_view(driver.table, 1)
    assert view.public.boxes[0].cards == driver.table.piles["seat.1"]
    assert view.public.boxes[1].cards == (HIDDEN,) * 3
    assert view.public.dealer == (HIDDEN,) * 3
    assert set(view.legal) >= {"play", "fold"}
    assert "play" not in seat_view(driver.table, 2).legal


@cites(MA, "12(e)")
def test_the_shuffler_shows_what_cover_all_pays():
    driver = opened("ma-three-card-poker", {"cover_all": True, "shuffler": "plain"}, players=3)
    for seat in (1, 2, 3):
        driver.wager(seat, {"ante": "5.00", "cover_all": "5.00"})
    assert public_view(driver.table).cover_all == {}
    driver.until("deciding")
    shown = public_view(driver.table).cover_all
    # three players: the third column of the matrix from the right
    assert shown["straight"] == "2 to 1"
    assert shown["three_of_a_kind"] == "25 to 1"


def test_the_floor_is_warned_before_a_deck_is_due():
    driver = opened("md-three-card-poker", players=1, start="2026-01-01T12:00:00")
    assert floor_view(driver.table, "2026-01-01T19:00:00").change == {}
    assert list(floor_view(driver.table, "2026-01-01T19:45:00").change) == ["1"]
