"""What a page is told of a table: what changed, no more than its reader may see, never late twice."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from table_moments import moments

from houseway.cards import SeededSource
from houseway.floor import clock
from houseway.floor.casino import Casino
from houseway.floor.live_table import Live
from houseway.floor.people.directory import Person
from houseway.law import DOWN_UNDER, MD, PRIME, SAIGON
from houseway.present.teaching import rule_of_thumb
from houseway.store import open_log
from houseway.table.driver import Driver
from houseway.table.views import own_piles
from houseway.web import stream
from houseway.web.page_support import Kept
from houseway.web.table.page import DRAWINGS, TableScreen

PLAYERS = {1: "ann", 2: "ben", 3: "cho"}
WAGERS = {
    MD: {"ante": "10.00", "pair_plus": "5.00"},
    PRIME: {"ante": "10.00"},
    SAIGON: {"ante": "10.00"},
    DOWN_UNDER: {"bet": "10.00"},
}
_PIECES = st.lists(st.sampled_from("abcd"), max_size=8).map(tuple)


def applied(pieces: dict[str, list[str]], changes: dict[str, Any]) -> None:
    """What the page's script does with a message."""
    for id, change in changes.items():
        if isinstance(change, list):
            pieces[id] = list(change)
        elif "put" in change:
            pieces[id][change["at"] : change["at"] + change["gone"]] = change["put"]
        else:
            for at, piece in change.items():
                pieces[id][int(at)] = piece


@given(_PIECES, _PIECES)
def test_changes_make_the_new_pieces_of_the_old(old, new):
    pieces = {"part": list(old)}
    applied(pieces, json.loads(json.dumps({"part": stream.changed(old, new)})))
    assert tuple(pieces["part"]) == new


@pytest.fixture
def casino(monkeypatch) -> Iterator[Casino]:
    """A casino whose clock stands where that of its table does."""
    found = Casino(open_log(":memory:"))
    monkeypatch.setattr(clock, "now", lambda: found.tables["1"].said[0].at)
    yield found
    found.close()


def faces(markup: str) -> set[str]:
    return set(re.findall(r'href="#hw-([2-9TJQKA][cdhs])"', markup))


async def watched(casino: Casino, chapter: str, look: Any, *drawings: str) -> None:
    """A round of three players whose pages follow it; `look` sees each moment with what they show."""
    driver = Driver(chapter, source=SeededSource(5))
    for seat, who in PLAYERS.items():
        driver.seat_player(seat, who)
    driver.ready()
    for seat in PLAYERS:
        driver.wager(seat, WAGERS[chapter])
    driver.finish(lambda table, seat, _: rule_of_thumb(table, seat))
    stopping = asyncio.Event()
    shown: dict[int, dict[str, list[str]]] = {seat: {} for seat in PLAYERS}
    brought = dict.fromkeys(PLAYERS, "")

    async def read(seat: int, screen: TableScreen) -> None:
        async for message in stream.follow(casino, screen, "", stopping):
            brought[seat] += message.decode()
            for data in re.findall(rb"event: parts\nid: .*\ndata: (.*)\n\n", message):
                applied(shown[seat], json.loads(data))

    reading: list[asyncio.Task[None]] = []
    for live in moments(casino, driver.record):
        screens = {
            seat: TableScreen(
                casino, "1", Person(who, who, ("player",)), "player", "green",
                frozenset(drawings) or DRAWINGS,
            )
            for seat, who in PLAYERS.items()
        }  # fmt: skip
        if len(live.state.boxes) and not reading:
            reading = [asyncio.create_task(read(*one)) for one in screens.items()]
        casino.tell("1")
        for _ in range(12):
            await asyncio.sleep(0)
        look(live, screens, shown, brought)
    stopping.set()
    casino.wake()
    await asyncio.gather(*reading)


def at_rest(markup: str) -> str:
    """Markup without the seconds that a clock has left."""
    return re.sub(r' left="[\d.]+"', "", markup)


@pytest.mark.slow
@pytest.mark.parametrize("chapter", WAGERS)
def test_pages_show_what_they_would_if_loaded_now_and_no_card_of_another(casino, chapter):
    moments_seen, hidden = 0, 0

    def look(live: Live, screens: Any, shown: Any, brought: Any) -> None:
        nonlocal moments_seen, hidden
        moments_seen += 1
        table = live.state
        secret = {
            seat: {card for pile in own_piles(table, seat) for card in table.piles.get(pile, ())}
            for seat in PLAYERS
            if len(table.boxes)
        }
        face_up = {card for pile in table.shown for card in table.piles.get(pile, ())}
        for seat, screen in screens.items():
            fresh = {id: at_rest(markup) for id, markup in screen.parts().items()}
            assert {id: at_rest("".join(pieces)) for id, pieces in shown[seat].items()} == fresh
            others = set().union(*(cards for other, cards in secret.items() if other != seat))
            if not table.settled and table.hands:
                assert not faces(brought[seat]) & (others - face_up - secret[seat])
                hidden += len(others - face_up)

    asyncio.run(watched(casino, chapter, look))
    assert moments_seen > 20
    assert hidden or chapter == DOWN_UNDER  # where players' cards lie face up


def test_what_has_not_changed_is_not_sent_again(casino):
    sizes: list[int] = []

    def look(_live: Live, _screens: Any, shown: Any, brought: Any) -> None:
        sizes.append(len(brought[1]))

    asyncio.run(watched(casino, MD, look, "hero"))
    messages = sorted(after - before for before, after in pairwise(sizes))
    # the whole of it is what a page gets first
    assert messages[len(messages) // 2] < sizes[0] / 4
    assert sum(messages) / len(messages) < sizes[0] / 3


def test_who_sits_down_gets_a_drawing_of_their_own(casino):
    """Watchers share one drawing; whoever takes a seat has cards, and shares no longer."""
    driver = Driver(MD, source=SeededSource(5))
    driver.seat_player(1, "ann")
    list(moments(casino, driver.record))
    watching = [
        TableScreen(casino, "1", Person(who, who, ("player",)), "player", "green")
        for who in ("ann", "ben", "cho")
    ]
    ann, ben, cho = (screen.key for screen in watching)
    assert ann != ben == cho


def test_a_template_is_rendered_again_only_for_other_values():
    kept = Kept()
    values = {"dealer": "the system", "unused": object()}
    first = kept.render("beside_people.html", values)
    assert kept.render("beside_people.html", {**values, "unused": 1}) is first
    assert kept.render("beside_people.html", {"dealer": "Dana"}) != first
    with pytest.raises(UndefinedError):
        Kept().render("beside_people.html", {})


def test_readers_of_one_table_look_before_those_of_the_next_and_commands_come_between():
    seen: list[str] = []

    async def run() -> None:
        turns = stream.Turns()
        for table in ("a", "b", "a"):
            for reader in "12":
                turns.add(table, partial(seen.append, f"{table}{reader}"))
        while "b2" not in seen:
            await asyncio.sleep(0)
            seen.append("command")

    asyncio.run(run())
    assert seen[:4] == ["a1", "a2", "a1", "a2"]
    assert seen[4] == "command"
    assert [one for one in seen[4:] if one != "command"] == ["b1", "b2"]
