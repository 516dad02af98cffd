"""Chapters outside the package in the web casino: their pages, practice, and a table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from playing_here import bet, live_table, seated, until

from houseway.cards import cards
from houseway.games.saigon.hands import values
from houseway.law import CHAPTERS, SAIGON, chapter, choose
from houseway.table import legal
from houseway.table.procedure.opening import float_of
from outside import chapters_from, copied, edit


def small_and_dear(data: dict[str, Any]) -> None:
    """Two positions, and no wager below $50."""
    data["facts"]["seats"]["value"] = 2
    wagers = [wager["id"] for wager in data["wagers"]]
    data["sample"]["limits"] = {id: {"min": "50.00", "max": "500.00"} for id in wagers}


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    root = tmp_path_factory.mktemp("chapters")
    for id in CHAPTERS:
        copied(id, root, f"our-{id}")
    edit(copied(SAIGON, root, "small") / "chapter.toml", small_and_dear)
    with chapters_from(root):
        yield


@pytest.mark.slow
@pytest.mark.usefixtures("copies")
@pytest.mark.parametrize("id", CHAPTERS)
def test_a_copy_of_each_chapter_is_shown_and_practiced(visitor: Any, id: str) -> None:
    ours = f"our-{id}"
    assert ours in visitor.get("/practice").text
    for path in (
        f"/law/{ours}", f"/practice/{ours}/pay?number=3", f"/practice/{ours}/find?number=4",
        f"/submissions/new/{ours}",
    ):  # fmt: skip
        answer = visitor.get(path)
        assert answer.status_code == 200, path
        assert "<h1" in answer.text
    assert f'href="/mathematics/{ours}"' in visitor.get("/mathematics").text


@pytest.mark.slow
@pytest.mark.usefixtures("copies")
@pytest.mark.parametrize("id", CHAPTERS)
def test_a_round_is_played_at_a_table_of_a_copy(house: Any, visitor: Any, id: str) -> None:
    rules = choose(f"our-{id}")
    house.portal.call(partial(house.casino.open, "ours", rules, float_of("50000.00"), by=""))
    standard = next(one.id for one in chapter(id).about.wagers if one.kind == "standard")
    seated(house, visitor, table="ours")
    assert bet(visitor, "ours", wager=standard).status_code == 200
    assert visitor.get("/tables/ours").status_code == 200

    def over() -> bool:
        """Whether the round is settled; a decision that is asked for is made."""
        live = live_table(house, "ours")
        open_now = legal(live.state, "player", 3)
        for command in ("decline_cut", "play", "stand", "decline_insurance"):
            if command in open_now:
                visitor.send("ours", command, seat=3)
        if "set_hands" in open_now:
            best = values(rules.chapter).best(cards(live.state.piles["seat.3"]))
            set_so = {"three": [*map(str, best.three)], "two": [*map(str, best.two)]}
            visitor.send("ours", "set_hands", seat=3, **set_so)
        return bool(live.state.settled) and not live.state.hands

    until(over)
    assert standard in {line.wager for line in live_table(house, "ours").state.settled}
    assert "<svg" in visitor.get("/tables/ours").text


@pytest.mark.slow
@pytest.mark.usefixtures("copies")
@pytest.mark.parametrize("kind", ["pay", "find"])
def test_practice_keeps_to_the_seats_and_limits_of_the_table(visitor: Any, kind: str) -> None:
    answer = visitor.get(f"/practice/small/{kind}?number=5")
    assert answer.status_code == 200
    assert "Seat 2" in answer.text
    assert "$50" in answer.text
