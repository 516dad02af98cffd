"""The table from a player's chair: what is where, how large, and that nothing lies on anything else."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path

import pytest
from every_table import fullest
from reading import by_id, ids, parsed, titles, words

import houseway
from houseway.cards import card
from houseway.drawing import draw_compact, draw_hero, lay_out
from houseway.drawing.hero import DEALERS, HEIGHT, MINE, WIDTH, placed_panels
from houseway.drawing.layout.geometry import Circle
from houseway.drawing.layout.inscriptions import payouts
from houseway.game_api.round_json import read_round
from houseway.game_api.settle import settle
from houseway.law import CHAPTERS, MD, Rules, choose, cites
from houseway.present import (
    CardView,
    ChipsView,
    HandView,
    MeterView,
    SeatView,
    TableView,
    round_view,
)

EXAMPLES = Path(__file__).parents[2] / "examples"
#: of a window of 1440 by 900 the felt has 634 pixels: what a unit of the drawing is there
PIXEL = 634 / HEIGHT


def settled_view(chapter_id: str):
    round = read_round((EXAMPLES / f"{chapter_id}.json").read_bytes())
    own = round.seats[0].seat
    return round.rules, round_view(round, settle(round), own=own), own


def test_my_cards_and_the_dealers_have_the_size_that_a_player_reads() -> None:
    assert MINE * PIXEL >= 110
    assert DEALERS * PIXEL >= 80


@pytest.mark.parametrize("chapter_id", CHAPTERS)
@pytest.mark.parametrize("seat", [1, 3, 6])
def test_my_bets_are_at_bottom_center_whatever_my_seat(chapter_id, seat) -> None:
    rules = fullest(chapter_id)
    root = parsed(draw_hero(rules, TableView(seats=(SeatView(seat, "Ada"),), own=seat)))
    layout = lay_out(rules)
    areas = [place.id for place in layout.position if isinstance(place.shape, Circle)]
    rings = []
    for area in areas:
        ring = next(e for e in by_id(root, f"seat-{seat}-{area}").iter() if "cx" in e.attrib)
        rings.append((float(ring.attrib["cx"]), float(ring.attrib["cy"])))
    assert all(y > HEIGHT * 0.8 for _, y in rings)
    assert all(WIDTH * 0.2 < x < WIDTH * 0.8 for x, _ in rings)
    for (x, _), (other, _) in combinations(rings, 2):
        assert abs(x - other) > 84, "two rings touch"
    # every other seat is there, smaller, and mine is not among them
    tiles = {id for id in ids(root) if id.startswith("seat-") and id.count("-") == 1}
    assert tiles == {f"seat-{n}" for n in range(1, layout.seats + 1) if n != seat}


@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_every_payout_is_there_in_type_that_can_be_read(chapter_id) -> None:
    rules = fullest(chapter_id)
    placed = placed_panels(rules)
    # a side of the table without payouts has the posted limits
    assert {one.panel for one in placed if one.panel.wager != "limits"} == set(payouts(rules)[1])
    for one in placed:
        assert one.size * PIXEL >= 12
        assert one.box.x - one.box.width / 2 >= 0
        assert one.box.x + one.box.width / 2 <= WIDTH
    for first, other in combinations(placed, 2):
        apart_x = abs(first.box.x - other.box.x) >= (first.box.width + other.box.width) / 2 - 0.1
        apart_y = abs(first.box.y - other.box.y) >= (first.box.height + other.box.height) / 2 - 0.1
        assert apart_x or apart_y
    said = words(parsed(draw_hero(rules)))
    for panel in payouts(rules)[1]:
        for row in panel.rows:
            assert {cell for cell in row if cell} <= set(said)


@pytest.mark.parametrize("chapter_id", CHAPTERS)
@pytest.mark.parametrize("own", [1, 4])
def test_the_others_lie_beside_my_bets_and_below_the_payouts(chapter_id, own) -> None:
    rules = fullest(chapter_id)
    layout = lay_out(rules)
    seats = tuple(SeatView(number, f"Player {number}") for number in range(1, layout.seats + 1))
    root = parsed(draw_hero(rules, TableView(seats=seats, own=own)))
    tiles, rings = [], []
    for number in range(1, layout.seats + 1):
        if number != own:
            frame = next(
                e for e in by_id(root, f"seat-{number}").iter() if e.get("class") == "fine"
            )
            x, y, wide, high = (float(frame.attrib[name]) for name in ("x", "y", "width", "height"))
            tiles.append((x, y, x + wide, y + high))
    for e in root.iter():
        if e.get("class") == "bet":
            x, y = float(e.attrib["cx"]), float(e.attrib["cy"])
            rings.append((x - 43, y - 43, x + 43, y + 43))
    boxes = [(b.x - b.width / 2, b.y - b.height / 2, b.x + b.width / 2, b.y + b.height / 2)
             for b in (one.box for one in placed_panels(rules))]  # fmt: skip
    assert rings
    for first, other in combinations(tiles + rings + boxes, 2):
        clear_x = first[2] <= other[0] + 0.1 or other[2] <= first[0] + 0.1
        assert clear_x or first[3] <= other[1] + 0.1 or other[3] <= first[1] + 0.1
    # the seat after mine is the first at my left, the one before it the first at my right
    place = dict(zip((n for n in range(1, layout.seats + 1) if n != own), tiles, strict=True))
    after, before = own % layout.seats + 1, (own - 2) % layout.seats + 1
    assert place[after] == max((t for t in tiles if t[0] < WIDTH / 2), key=lambda t: t[0])
    assert place[before] == min((t for t in tiles if t[0] > WIDTH / 2), key=lambda t: t[0])


@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_a_settled_round_shows_hands_amounts_and_my_total(chapter_id) -> None:
    rules, view, own = settled_view(chapter_id)
    root = parsed(draw_hero(rules, view))
    mine = next(seat for seat in view.seats if seat.seat == own)
    told = titles(root)
    assert f"This round: {mine.note}" in told
    assert mine.note in words(root)
    for hand in (*mine.hands, *view.table):
        if hand.says:
            assert hand.says in words(root)
        for one in hand.cards:
            assert one.face is not None
            assert one.face.name in told
    for pile in mine.chips:
        if pile.state == "paid":
            assert any("paid" in one for one in told)


def test_wagers_are_drawn_and_so_lit_in_the_order_of_their_settlement() -> None:
    """By 11.D, (3) before (4) and (5), and (8) last: the Six Card Bonus, though its area lies before."""
    round = houseway.deal(
        choose(MD, {"six_card_bonus": "A", "progressive": "A"}),
        dealer="Kc 9d 4h",
        seats={
            4: {
                "wagers": {
                    "ante": "10.00", "pair_plus": "5.00", "six_card_bonus": "5.00",
                    "progressive": "1.00",
                },
                "cards": "8s 8d Qh", "decision": "play",
            }
        },
    )  # fmt: skip
    root = parsed(draw_hero(round.rules, round_view(round, settle(round), own=4)))
    drawn = [e.attrib["id"] for e in root.iter() if e.attrib.get("id", "").endswith("-chips")]
    areas = [id.removeprefix("seat-4-").removesuffix("-chips") for id in drawn]
    assert areas.index("ante") < areas.index("play") < areas.index("pair_plus")
    assert areas.index("pair_plus") < areas.index("progressive") < areas.index("six_card_bonus")


def test_the_payout_that_i_was_paid_is_framed_in_its_table() -> None:
    """Maryland: a straight flush is paid 35 to 1 on Pair Plus, and one row of one table says so."""
    rules = choose("md-three-card-poker", {"pair_plus": "A"})
    placed = next(one for one in placed_panels(rules) if one.panel.wager == "pair_plus")
    row = next(at for at, cells in enumerate(placed.panel.rows) if cells[1] == "35 to 1")

    def frames(*won: tuple[str, str]) -> list[tuple[float, float]]:
        view = TableView(seats=(SeatView(2, "Ada", won=won),), own=2)
        shown = [
            e
            for e in parsed(draw_hero(rules, view)).iter()
            if e.get("class", "").split()[:1] == ["bid"]
        ]
        return [(float(e.attrib["y"]), float(e.attrib["height"])) for e in shown]

    assert frames() == []
    assert frames(("pair_plus", "2 to 1"), ("ante", "35 to 1")) == []
    ((top, high),) = frames(("pair_plus", "35 to 1"))
    # the words of the row lie in the frame, and those of no other
    texts = [
        float(e.attrib["y"])
        for e in by_id(parsed(draw_hero(rules)), "panel-pair_plus").iter()
        if e.text in {cells[0] for cells in placed.panel.rows}
    ]
    assert [at for at, y in enumerate(texts) if top < y < top + high] == [row]


def test_the_hands_of_a_split_lie_side_by_side_the_first_at_my_right() -> None:
    """Down Under: the first hand of a split is the one on the player's right, as on the felt."""
    rules = fullest("pa-down-under-blackjack")
    first = HandView(tuple(CardView(card(c)) for c in ("8s", "3h", "Td")), says="21", active=True)
    second = HandView(tuple(CardView(card(c)) for c in ("8d", "2c")), says="10")
    chips = tuple(ChipsView("bet", 2500, hand=hand, name="Bet") for hand in (1, 2))
    view = TableView(seats=(SeatView(2, "Ada", (first, second), chips, active=True),), own=2)
    root = parsed(draw_hero(rules, view))

    def left(id: str) -> float:
        group = next(e for e in by_id(root, id).iter() if "translate" in e.get("transform", ""))
        return float(group.attrib["transform"].split("(")[1].split()[0])

    assert left("seat-2-cards-1-hand") > left("seat-2-cards-2-hand")
    assert "Bet: $50" in titles(root)


def electronic(*wagers: str) -> Rules:
    """Maryland's electronic version, with these wagers beside ante and Pair Plus."""
    terms = {name: {"rate": "20%", "seed": "1000.00"} for name in ("progressive",)}
    return choose(
        MD, {"electronic": True, **dict.fromkeys(wagers, "A")}, meters=terms if "progressive" in wagers else {}
    )  # fmt: skip


@cites(MD, "11.F")
@pytest.mark.parametrize("wagers", [(), ("six_card_bonus",), ("six_card_bonus", "progressive")])
def test_each_hand_of_the_electronic_version_is_mine_with_its_own_bets(wagers) -> None:
    """The hands lie where my cards would, as large; under each are its rings, and none touches."""
    rules = electronic(*wagers)
    rows = ("Ah Ac Ad", "2c 3d 4h", "7s 7d 2h")
    dealer = HandView((CardView(), CardView(), CardView()), "dealer_cards")
    common = tuple(
        HandView(tuple(CardView(card(c)) for c in row.split()), f"electronic_community_{at}", says,
                 number=at, active=at == 2)
        for at, row, says in zip((1, 2, 3), rows, ("Three aces", "Straight", "Pair"), strict=True)
    )  # fmt: skip
    chips = (
        ChipsView("ante", 500, hand=1, name="Ante"), ChipsView("ante", 1500, hand=3, name="Ante")
    )  # fmt: skip
    mine = SeatView(1, "Ada", (), chips, open=("ante",), active=True)
    view = TableView(seats=(mine,), table=(dealer, *common), own=1)
    for drawn in (draw_hero(rules, view), draw_compact(rules, view)):
        root = parsed(drawn)
        assert {"Three aces", "Straight", "Pair", "Hand 1", "Hand 2", "Hand 3"} <= set(words(root))
        layout = lay_out(rules)
        areas = [place.id for place in layout.position if isinstance(place.shape, Circle)]
        rings = []
        for area in areas:
            for hand in (1, 2, 3):
                ring = next(
                    e for e in by_id(root, f"seat-1-{area}@{hand}").iter() if "cx" in e.attrib
                )
                rings.append(tuple(float(ring.attrib[name]) for name in ("cx", "cy", "r")))
        for (x, y, r), (other_x, other_y, other_r) in combinations(rings, 2):
            assert math.dist((x, y), (other_x, other_y)) >= r + other_r, "two rings touch"
    titled = titles(parsed(draw_hero(rules, view)))
    assert {"Ante, hand 1: $5", "Ante, hand 3: $15"} <= set(titled)
    # the hand that is asked about is framed: the second
    (frame,) = [e for e in parsed(draw_hero(rules, view)).iter() if e.get("class") == "glow"]
    left, wide = float(frame.attrib["x"]), float(frame.attrib["width"])
    assert left < WIDTH / 2 < left + wide
    assert wide < WIDTH / 3


def test_of_my_cards_and_one_that_lies_face_down_the_known_ones_decide() -> None:
    rules = fullest("pa-three-card-prime")
    three = HandView(tuple(CardView(card(c)) for c in ("3s", "3h", "Td")), says="Pair of threes")
    fourth = HandView((CardView(),), "fourth_card")
    view = TableView(seats=(SeatView(2, "Ada", (three, fourth), active=True),), own=2)
    (frame,) = [e for e in parsed(draw_hero(rules, view)).iter() if e.get("class") == "glow"]
    assert float(frame.attrib["width"]) > 3 * MINE


def test_amounts_of_bets_hide_no_meter() -> None:
    """As many bets as there are, all paid, beside four meters in the rail."""
    rules = fullest(MD)
    wagers = [place for place in lay_out(rules).position if isinstance(place.shape, Circle)]
    chips = [
        ChipsView(place.id, 10_000, state)
        for place in wagers
        for state in ("returned", "paid")
    ]  # fmt: skip
    meters = tuple(MeterView(name, 1_234_567) for name in rules.meter_names)
    view = TableView(seats=(SeatView(4, "Ada", (), tuple(chips)),), meters=meters, own=4)
    root = parsed(draw_hero(rules, view))
    plates = [box_of(e) for e in root.iter() if e.get("class") == "plate"]
    glasses = [box_of(e) for e in root.iter() if e.get("class") == "glass"]
    assert len(glasses) == 4
    for plate in plates:
        for glass in glasses:
            apart = plate[2] <= glass[0] or glass[2] <= plate[0] or plate[3] <= glass[1] or glass[3] <= plate[1]  # fmt: skip
            assert apart, (plate, glass)


def box_of(element) -> tuple[float, float, float, float]:
    x, y, wide, tall = (float(element.attrib[name]) for name in ("x", "y", "width", "height"))
    return x, y, x + wide, y + tall
