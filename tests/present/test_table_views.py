"""What people see of a table: live, recorded and copied under another id it is the same."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from commands import run

from houseway.cards import SeededSource, cards
from houseway.drawing import draw, draw_compact, layers
from houseway.drawing.felt import Look
from houseway.game_api.round_json import read_round
from houseway.game_api.settle import settle
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.present import PRESENTATION, TableView, Viewer, round_view, table_view
from houseway.present.teaching import TEACHING, rule_of_thumb
from houseway.table import Table, evolve, rules_of
from houseway.table import events as e
from houseway.table.card_source import pack
from houseway.table.driver import Driver
from houseway.table.state import seat_pile
from houseway.web.pages import practice
from outside import chapters_from, copied

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    (MD, {"six_card_bonus": "C"}, {"ante": "10.00", "pair_plus": "5.00", "six_card_bonus": "5.00"}),
    (MD, {"electronic": True, "shuffler": "plain"}, {"ante@1": "10.00", "ante@3": "5.00"}),
    (MA, {}, {"ante": "10.00", "pair_plus": "5.00"}),
    (PRIME, {"prime": True, "pair_bonus": "A"}, {"ante": "10.00", "prime": "5.00", "pair_bonus": "5.00"}),
    (SAIGON, {"bonus": "A"}, {"ante": "10.00", "bonus": "5.00"}),
    (DOWN_UNDER, {"match_the_dealer": True}, {"bet": "10.00", "match_the_dealer": "5.00"}),
]  # fmt: skip


def tables(record: list[e.Event]) -> Iterator[tuple[e.Event, Table]]:
    """The table after each event."""
    table = Table()
    for event in record:
        table = evolve(table, event)
        yield event, table


def played(chapter: str, rules: dict[str, Any], wagers: dict[str, str], seed: int) -> list[e.Event]:
    """A round of three players who decide by rule of thumb."""
    driver = Driver(chapter, rules, source=SeededSource(seed))
    for seat in (1, 2, 3):
        driver.seat_player(seat, f"player {seat}")
    driver.ready()
    for seat in (1, 2, 3):
        driver.wager(seat, wagers)
    driver.finish(lambda table, seat, _: rule_of_thumb(table, seat))
    return driver.record


@pytest.mark.parametrize(("chapter", "rules", "wagers"), GAMES)
def test_the_felt_shows_what_was_settled(chapter, rules, wagers) -> None:
    """Each stake, each payment with the bonuses beside it, and what a seat is up or down."""
    for seed in range(6):
        for event, table in tables(played(chapter, rules, wagers, seed)):
            if not isinstance(event, e.WagerSettled):
                continue
            view = table_view(table, Viewer("record"))
            for seat in view.seats:
                lines = [line for line in table.settled if line.seat == seat.seat]
                paid = [pile for pile in seat.chips if pile.state == "paid"]
                assert sum(pile.amount for pile in paid) == sum(line.paid for line in lines)
                laid = [pile.amount for pile in seat.chips if pile.state != "paid"]
                unsettled = table.boxes[seat.seat - 1].layout.values()
                staked = [line.stake for line in lines if line.stake]
                assert Counter(laid) == Counter([*unsettled, *staked])
                # a pile has a stake and a payment, and both are drawn
                piles = Counter((pile.id, pile.hand) for pile in seat.chips)
                assert max(piles.values(), default=0) <= 2


@pytest.mark.parametrize(("chapter", "rules", "wagers"), GAMES)
def test_a_hand_is_named_once_its_cards_are_seen(chapter, rules, wagers) -> None:
    for _, table in tables(played(chapter, rules, wagers, 3)):
        if not table.hands or table.phase in ("dealing", "betting"):
            continue
        for viewer in (Viewer("record"), Viewer(), Viewer("seat", 2)):
            for hand in table_view(table, viewer).hands():
                faces = [card.face for card in hand.cards]
                if None in faces:
                    assert hand.says in ("", "Folded", "Forfeited", "Small", "Medium", "Large")
                    assert not any(card.marked for card in hand.cards)


def makes_ten(three: tuple[Any, ...]) -> bool:
    """Whether three cards total 10, 20 or 30; the joker can be what is wanted."""
    worth = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}
    texts = [str(card) for card in three]
    return "Jk" in texts or sum(worth.get(t[0]) or int(t[0]) for t in texts) % 10 == 0


@cites(SAIGON, "680a.11(b)")
def test_the_live_table_highlights_three_cards_that_qualify() -> None:
    """The dealer's once they are shown, a player's once they are settled; nobody else's."""
    met = set()
    for seed in range(8):
        for event, table in tables(played(*GAMES[4], seed)):
            if not isinstance(event, e.WagerSettled):
                continue
            view = table_view(table, Viewer())
            for hand in (*view.table, *(h for s in view.seats for h in s.hands)):
                faces = [card.face for card in hand.cards if card.face is not None]
                marked = tuple(card.face for card in hand.cards if card.marked)
                if marked:
                    assert len(marked) == 3
                    assert makes_ten(marked)
                    met.add(hand.place)
                elif hand.place == "dealer_cards":
                    assert not any(makes_ten(three) for three in combinations(faces, 3))
                    met.add("none")
    assert met == {"dealer_cards", "three_card_hand", "none"}


def stacked(top: str) -> Driver:
    """A table of Down Under whose cards come in this order, after the burn card."""
    driver = Driver(DOWN_UNDER, source=SeededSource(1))
    driver.seat_player(1, "Ada")
    driver.until("shuffling")
    rest, first = list(pack(rules_of(driver.table))), ["2c", *top.split()]
    for card in first:
        rest.remove(card)
    driver.send("shuffle", "system", order=(*rest[:100], *first, *rest[100:]))
    driver.send("cut", "player", seat=1, depth=100)
    driver.until("betting")
    driver.wager(1, {"bet": "10.00"})
    driver.until("deciding")
    return driver


@cites(DOWN_UNDER, "685a.9(a)", "685a.10(a)")
def test_a_split_lies_as_two_hands_and_the_card_of_a_double_across() -> None:
    driver = stacked("8c 6d 8d Ts 3h 9c Th 7h")
    driver.send("split", "player", seat=1)
    driver.until("deciding")
    driver.house()
    (seat,) = table_view(driver.table, Viewer("seat", 1)).seats
    assert [hand.active for hand in seat.hands] == [True, False]
    driver.send("double", "player", seat=1, amount="10.00")
    view = table_view(driver.table, Viewer("seat", 1))
    first, second = view.seats[0].hands
    assert [card.sideways for card in first.cards] == [False, False, True]
    assert [str(card.face) for card in first.cards] == ["8c", "3h", "9c"]
    assert not any(card.sideways for card in second.cards)
    assert {(chips.area, chips.id, chips.hand, chips.raises) for chips in view.seats[0].chips} == {
        ("bet", "bet", 1, False), ("bet", "split", 2, False), ("bet", "double", 1, True),
    }  # fmt: skip


def test_a_card_doubled_on_lies_across_in_play_too() -> None:
    driver = stacked("5c 6d 6h Ts 9h")
    driver.send("double", "player", seat=1, amount="10.00")
    (hand,) = table_view(driver.table, Viewer()).seats[0].hands
    assert [card.sideways for card in hand.cards] == [False, False, True]


# pictures for a page


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_picture_leaves_the_drawing_ready_for_a_page(chapter) -> None:
    """The page's policy allows no style in it; what moves is in groups that can be replaced."""
    round = read_round((EXAMPLES / f"{chapter}.json").read_bytes())
    view, look = round_view(round, settle(round)), Look(prefix="t-", page=True)
    whole = draw(round.rules, view, look)
    for markup in (whole, draw_compact(round.rules, view, look)):
        assert "style" not in markup
    moving = layers(round.rules, view, look)
    assert set(moving) == {"t-layer-devices", "t-layer-play"}
    empty = draw(round.rules, TableView(), look)
    for id, markup in moving.items():
        assert markup.startswith(f'<g id="{id}">')
        assert markup in whole
        assert markup not in empty


# copied chapters


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_copied_chapter_is_drawn_and_taught_under_its_new_id(chapter, tmp_path) -> None:
    id = f"copy-of-{chapter}"
    copied(chapter, tmp_path, id)
    text = (EXAMPLES / f"{chapter}.json").read_text()
    (tmp_path / "round.json").write_text(json.dumps({**json.loads(text), "chapter": id}))
    seen = run("draw", chapter, "--round", EXAMPLES / f"{chapter}.json", "--out", "-").stdout
    original = read_round(text)
    with chapters_from(tmp_path):
        done = run("draw", id, "--round", tmp_path / "round.json", "--out", "-")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == seen
        round = read_round((tmp_path / "round.json").read_bytes())
        assert round_view(round, settle(round)) == round_view(original, settle(original))
        law = round.rules.chapter
        question = TEACHING.of(law).question(round.rules, SeededSource(1))
        assert len(question.worth) > 1
        table, lines = practice.played(id, 7)
        assert {line.seat for line in lines} == {4}
        assert all(hand.cards for hand in table_view(table, Viewer("record")).hands())
        played = run("play", id, "--rounds", 2, "--seed", 5, "--json")
        assert (played.returncode, played.stderr) == (0, "")
        assert len(json.loads(played.stdout)["rounds"]) == 2


def test_a_seat_sees_only_its_own_piles() -> None:
    """A player with two boxes sees both; nobody sees another's, the fourth card or the shoe."""
    driver = Driver(PRIME, {"pair_bonus": "A", "adjacent_boxes": 2}, source=SeededSource(4))
    for seat, player in ((1, "Ada"), (2, "Ada"), (3, "Bo")):
        driver.seat_player(seat, player)
    driver.ready()
    for seat in (1, 2, 3):
        driver.wager(seat, {"ante": "10.00", "pair_bonus": "5.00"})
    driver.until("deciding")
    piles = driver.table.piles
    for viewer, own in ((Viewer(), ()), (Viewer("seat", 1), (1, 2)), (Viewer("seat", 3), (3,))):
        faces = table_view(driver.table, viewer).faces()
        assert faces == {card for seat in own for card in cards(piles[seat_pile(seat)])}


def test_every_area_where_hands_lie_is_on_the_layout() -> None:
    for chapter in CHAPTERS:
        rules = read_round((EXAMPLES / f"{chapter}.json").read_bytes()).rules
        areas = {area.id for area in rules.chapter.about.areas} | {"cards"}
        game = PRESENTATION.of(rules.chapter)
        assert {id for id, _ in game.hand_areas(rules)} <= areas | {"fourth_card"}
        assert {light.range for light in game.lights(rules)} <= areas
