"""Geometry: nothing overlaps, nothing leaves the felt, whatever the operator chooses."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from math import dist

import pytest
from every_table import OWN_PAIR_PLUS, every_device, every_table, fullest
from hypothesis import given
from hypothesis import strategies as st
from layout_faults import faults, on_felt
from overlaps import Piece, polygons_overlap, within_group

from houseway.drawing import lay_out
from houseway.drawing.layout.geometry import (
    BACK,
    FELT,
    Box,
    Circle,
    row_of_boxes,
    row_of_circles,
    seat_angle,
)
from houseway.errors import Refused
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, Rules, choose, cites
from houseway.law.chapter import under
from houseway.law.required import in_force


@pytest.mark.parametrize("chapter_id", CHAPTERS)
@pytest.mark.parametrize("seats", [6, 7])
def test_the_fullest_and_the_plainest_table_are_sound(chapter_id: str, seats: int) -> None:
    for rules in (fullest(chapter_id), choose(chapter_id)):
        if seats > rules.chapter.number("seats"):
            with pytest.raises(Refused) as refused:
                lay_out(rules, seats)
            assert refused.value.clause == rules.chapter.fact("seats").clause
        else:
            assert faults(lay_out(rules, seats)) == []


@pytest.mark.parametrize("chapter_id", CHAPTERS)
@pytest.mark.parametrize("seats", range(1, 6))
def test_a_table_may_have_fewer_positions(chapter_id: str, seats: int) -> None:
    layout = lay_out(fullest(chapter_id), seats)
    assert layout.seats == seats
    assert faults(layout) == []


@pytest.mark.parametrize("chapter_id", [MA, PRIME, SAIGON, DOWN_UNDER])
def test_every_combination_of_options_is_sound(chapter_id: str) -> None:
    assert list(unsound(every_table(chapter_id))) == []


@pytest.mark.slow
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.full)])
def test_every_combination_of_maryland_is_sound(step: int) -> None:
    assert list(unsound(itertools.islice(every_table(MD), 0, None, step))) == []


def unsound(tables: Iterable[Rules]) -> Iterator[tuple[list[str], object]]:
    """The faults of each layout that differs from those before it, with the options."""
    looked_at = set()
    for rules in tables:
        layout = lay_out(rules)
        if layout not in looked_at:
            looked_at.add(layout)
            if found := faults(layout):
                yield found, rules.options
    assert looked_at, "there was nothing to look at"


@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_every_way_to_shuffle_and_deal_has_room(chapter_id: str) -> None:
    tables = list(every_device(chapter_id))
    assert len(tables) >= 6
    for rules in tables:
        layout = lay_out(rules)
        assert faults(layout) == []
        # all devices on the dealer's strip, everything else on the other side of the line: so
        # the two may be looked at apart from each other
        devices = {place.id for place in layout.devices}
        for name, shape in layout.everything():
            beyond = [y > 0 for piece in shape.pieces() for _, y in piece]
            assert not any(beyond) if name in devices else all(beyond), name


def test_awards_and_tables_of_the_house_have_room() -> None:
    envy = {"royal_flush": {"1.00": "$1000", "5.00": "$5000"}, "straight_flush": {"1.00": "$300"}}
    md = fullest(MD, five_card_envy=envy)
    assert faults(lay_out(md)) == []
    ma = choose(
        MA,
        {"six_card_bonus": "TCP-6B1", "cover_all": True, "shuffler": "counting", "progressive": "3",
         "pair_plus": OWN_PAIR_PLUS},
    )  # fmt: skip
    assert faults(lay_out(ma)) == []


@given(name=st.text(st.characters(min_codepoint=33, max_codepoint=0x2FF), min_size=1, max_size=60))
def test_any_name_of_a_house_has_room(name: str) -> None:
    layout = lay_out(choose(SAIGON, {"bonus": "A"}), None, name)
    assert faults(layout) == []


@cites(MD, "2.B(2)", "2.B(3)", "2.B(4)")
@cites(PRIME, "679a.2(b)(2)", "679a.2(b)(3)")
@cites(SAIGON, "680a.2(b)(2)", "680a.2(b)(3)", "680a.2(b)(4)")
@cites(DOWN_UNDER, "685a.2(b)(2)", "685a.2(b)(3)", "685a.2(b)(5)")
@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_an_area_for_every_wager_offered_at_every_position(chapter_id: str) -> None:
    for rules in (fullest(chapter_id), choose(chapter_id)):
        layout = lay_out(rules)
        asked = {
            area.id
            for area in rules.chapter.about.areas
            if area.at == "position" and in_force(rules, area.when)
        }
        assert {place.id for place in layout.position if place.clause} == asked
        names = {name for name, _ in layout.everything()}
        for seat in range(1, rules.chapter.number("seats") + 1):
            assert {f"seat-{seat}-{area}" for area in asked} <= names


@cites(MD, "2.D", "2.D(2)")
@cites(PRIME, "679a.2(d)")
@cites(SAIGON, "680a.2(d)")
@cites(DOWN_UNDER, "685a.2(d)", "685a.2(e)")
@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_every_equipment_of_the_chapter_stands_at_the_table(chapter_id: str) -> None:
    rules = fullest(chapter_id)
    layout = lay_out(rules)
    standing = {place.id: place for place in layout.devices}
    for item in rules.chapter.about.equipment:
        if not in_force(rules, item.when):
            continue
        item = under(item, rules.options)
        if item.id == "progressive_sensors":
            assert any(place.kind == "sensor" for place in layout.position)
        elif item.id == "cover_all_shuffler":
            assert standing["shuffler"].clause == item.clause
        else:
            assert standing[item.id].clause == item.clause


@cites(DOWN_UNDER, "685a.3(a)", "685a.5(h)", "685a.7(a)")
def test_a_continuous_shuffler_stands_in_for_the_shoe_and_the_cover_card() -> None:
    """5(h) spares the cut and so the cover card; the place of 7(a) is that of a shoe."""
    places = {
        dealing: {
            place.id: place for place in lay_out(choose(DOWN_UNDER, {"dealing": dealing})).devices
        }
        for dealing in ("shoe", "continuous_shuffler")
    }
    assert "cover_card" in places["shoe"]
    assert "cover_card" not in places["continuous_shuffler"]
    assert places["shoe"]["dealing_shoe"].clause == "685a.7(a)"
    assert places["continuous_shuffler"]["dealing_shoe"].clause == "685a.3(a)"


@cites(MD, "2.D(1)")
@cites(PRIME, "679a.2(c)")
@cites(SAIGON, "680a.2(c)")
@cites(DOWN_UNDER, "685a.2(c)")
def test_drop_box_and_tip_box_are_on_the_dealers_side_and_on_either_hand() -> None:
    for chapter_id in CHAPTERS:
        standing = {place.id: place.shape for place in lay_out(fullest(chapter_id)).devices}
        drop, tip = standing["drop_box"], standing["tip_box"]
        assert isinstance(drop, Box)
        assert isinstance(tip, Box)
        assert drop.x < 0 < tip.x
        assert drop.y < -BACK
        assert tip.y < -BACK


def test_seat_one_is_farthest_to_the_dealers_left() -> None:
    """The dealer looks down the picture, so the dealer's left is the picture's right."""
    for seats in (6, 7):
        angles = [seat_angle(seats, seat) for seat in range(1, seats + 1)]
        assert angles == sorted(angles)
        assert 0 < angles[0] < 30
        assert 150 < angles[-1] < 180
        assert angles[0] + angles[-1] == pytest.approx(180)


def test_the_table_is_as_large_as_a_blackjack_table() -> None:
    from houseway.drawing.layout.geometry import RAIL

    assert 2 * (FELT + RAIL) == 1830
    assert BACK + FELT + RAIL == 1070


def test_lettering_can_be_read_at_the_table() -> None:
    """No payout is set smaller than 11 mm, no phrase smaller than 13."""
    for chapter_id in CHAPTERS:
        layout = lay_out(fullest(chapter_id))
        assert min(placed.size for placed in layout.panels) >= 11
        assert min(words.size for words in layout.words) >= 13


sizes = st.tuples(st.floats(20, 120), st.floats(20, 120))


@given(st.lists(sizes, min_size=1, max_size=4), st.floats(450, 800), st.floats(0.5, 30))
def test_boxes_in_a_row_do_not_touch(
    row: list[tuple[float, float]], inner: float, gap: float
) -> None:
    boxes = row_of_boxes(row, inner, gap)
    assert within_group([Piece(str(at), box.pieces()) for at, box in enumerate(boxes)]) == []
    assert [box.x for box in boxes] == sorted(box.x for box in boxes)


@given(st.lists(st.floats(10, 60), min_size=2, max_size=4), st.floats(450, 800))
def test_circles_in_a_row_do_not_touch(radii: list[float], center: float) -> None:
    circles = row_of_circles(radii, center, 1)
    for first, second in itertools.pairwise(circles):
        apart = dist((first.x, first.y), (second.x, second.y))
        assert apart >= first.radius + second.radius - 1e-6


def test_the_test_itself_sees_an_overlap() -> None:
    one, other = Circle(0, 300, 40), Box(50, 300, 30, 30)
    assert polygons_overlap(one.pieces()[0], other.pieces()[0])
    assert not polygons_overlap(one.pieces()[0], Box(70, 300, 30, 30).pieces()[0])
    assert not on_felt((0, FELT + 1))
    assert not on_felt((0, -BACK - 1))
