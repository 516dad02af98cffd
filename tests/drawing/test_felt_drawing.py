"""The picture: the same bytes for the same view, nothing that the view has not, all that is asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from every_table import OWN_PAIR_PLUS, fullest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import (
    SVG,
    by_id,
    faces_defined,
    faces_drawn,
    ids,
    parsed,
    references,
    titles,
    words,
)

from houseway.cards import Card
from houseway.drawing import (
    THEMES,
    Look,
    draw,
    draw_compact,
    draw_hero,
    lay_out,
    symbols,
)
from houseway.drawing.felt import _ground
from houseway.drawing.layout.inscription_layout import _largest
from houseway.drawing.layout.inscriptions import tables_in_force
from houseway.errors import Refused
from houseway.game_api.round_json import read_round
from houseway.game_api.settle import settle
from houseway.law import (
    CHAPTERS,
    DOWN_UNDER,
    MA,
    MD,
    PRIME,
    SAIGON,
    Rules,
    chapter,
    choose,
    cites,
)
from houseway.law.chapter import under
from houseway.law.hand_names import HAND_NAMES
from houseway.law.required import in_force
from houseway.money import spoken
from houseway.present import (
    CardView,
    ChipsView,
    DevicesView,
    HandView,
    MeterView,
    SeatView,
    TableView,
    round_view,
)

EXAMPLES = Path(__file__).parents[2] / "examples"


def played(chapter_id: str):
    return read_round((EXAMPLES / f"{chapter_id}.json").read_bytes())


# ---- views at random ------------------------------------------------------------------------

CARDS = st.builds(
    CardView,
    face=st.one_of(st.none(), st.integers(0, 52).map(Card)),
    back=st.sampled_from(["red", "blue"]),
    sideways=st.booleans(),
    squeezed=st.booleans(),
    marked=st.booleans(),
)


def hands(places: list[str]) -> st.SearchStrategy[HandView]:
    return st.builds(
        HandView,
        cards=st.lists(CARDS, max_size=5).map(tuple),
        place=st.sampled_from(places),
        says=st.sampled_from(["", "Pair of nines", "17", "25, bust", "A & B < C"]),
        result=st.sampled_from(["", "win", "lose", "push"]),
        folded=st.booleans(),
        active=st.booleans(),
    )


@st.composite
def views(draw_from: st.DrawFn, rules: Rules) -> TableView:
    layout = lay_out(rules)
    areas = [p.id for p in layout.position if p.kind in ("wager", "sensor")]
    places = [p.id for p in layout.position if p.cards or p.kind == "cards"]
    tables = [p.id for p in layout.table if p.id != "insurance"]
    numbers = draw_from(st.sets(st.integers(1, layout.seats), max_size=layout.seats))
    seats = tuple(
        SeatView(
            number,
            player=draw_from(st.sampled_from(["", "Ada", "B<o>"])),
            hands=tuple(draw_from(st.lists(hands(places), max_size=2))),
            chips=tuple(
                ChipsView(area, draw_from(st.integers(1, 40_000)) * 50, state)
                for area in draw_from(st.sets(st.sampled_from(areas)))
                for state in [draw_from(st.sampled_from(["placed", "collected", "returned"]))]
            ),
            open=tuple(sorted(draw_from(st.sets(st.sampled_from(areas))))),
            active=draw_from(st.booleans()),
        )
        for number in sorted(numbers)
    )
    return TableView(
        seats=seats,
        table=tuple(
            draw_from(hands([place]))
            for place in sorted(draw_from(st.sets(st.sampled_from(tables))))
        ),
        devices=DevicesView(
            stub=draw_from(st.one_of(st.none(), st.integers(0, 52))),
            discards=draw_from(st.integers(0, 52)),
            cover_card_out=draw_from(st.booleans()),
            light=draw_from(st.sampled_from(["", "small", "medium", "large"])),
            locked=draw_from(st.booleans()),
        ),
        own=draw_from(st.one_of(st.none(), st.integers(1, layout.seats))),
    )


PICTURES = (draw, draw_compact, draw_hero)


@pytest.mark.slow
@pytest.mark.parametrize("chapter_id", CHAPTERS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_drawing_shows_the_faces_of_its_view_and_no_others(chapter_id, data) -> None:
    rules = fullest(chapter_id)
    view = data.draw(views(rules))
    shown = {str(face) for face in view.faces()}
    for picture in PICTURES:
        root = parsed(picture(rules, view))
        # a squeezed card shows its corner only, so it may be missing from what is drawn whole
        assert faces_drawn(root) <= shown
        assert faces_defined(root) == shown
        named = {title.removesuffix(", being looked at") for title in titles(root)}
        hidden = {card.name for card in map(Card, range(53))} - {f.name for f in view.faces()}
        assert not named & hidden
    whole = {
        str(card.face)
        for hand in view.hands()
        for card in hand.cards
        if card.face is not None and not card.squeezed
    }
    assert faces_drawn(parsed(draw(rules, view))) == whole


@pytest.mark.parametrize("chapter_id", CHAPTERS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_a_drawing_names_the_amounts_of_its_view_and_no_others(chapter_id, data) -> None:
    rules = fullest(chapter_id)
    view = data.draw(views(rules))
    root = parsed(draw(rules, view))
    piles = [e for e in root.iter() if e.attrib.get("class") == "pile"]
    written = sorted(
        part.strip("+−")
        for pile in piles
        for text in words(pile)
        for part in text.removesuffix(" back").split(" ")
    )
    assert written == sorted(spoken(c.amount) for seat in view.seats for c in seat.chips)


@pytest.mark.slow
@pytest.mark.parametrize("chapter_id", CHAPTERS)
@settings(max_examples=15, deadline=None)
@given(data=st.data(), theme=st.sampled_from(sorted(THEMES)), four=st.booleans(), key=st.booleans())
def test_every_picture_is_sound_svg(chapter_id, data, theme, four, key) -> None:
    rules = fullest(chapter_id)
    view = data.draw(views(rules))
    look = Look(theme=theme, four_color=four, key=key, prefix="t1-")
    for picture in PICTURES:
        svg = picture(rules, view, look)
        root = parsed(svg)
        named = ids(root)
        assert [id for id, count in named.items() if count > 1] == []
        assert references(root) <= set(named)
        assert picture(rules, view, look) == svg
        for element in root.iter(f"{SVG}g"):
            if element.attrib.get("role") == "img":
                assert element[0].tag == f"{SVG}title"
                assert element[0].text


@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_the_same_view_is_the_same_bytes_without_what_was_kept(chapter_id) -> None:
    round = played(chapter_id)
    view = round_view(round, settle(round))
    first = draw(round.rules, view, Look(key=True))
    lay_out.cache_clear()
    _ground.cache_clear()
    _largest.cache_clear()
    again = played(chapter_id)
    assert draw(again.rules, round_view(again, settle(again)), Look(key=True)) == first


def test_ids_are_where_a_page_looks_for_them() -> None:
    round = played(MD)
    root = parsed(draw(round.rules, round_view(round, settle(round)), Look(prefix="a-")))
    named = ids(root)
    for seat in range(1, 8):
        for area in ("ante", "play", "pair_plus", "six_card_bonus", "progressive"):
            assert f"a-seat-{seat}-{area}" in named
    for id in ("dealer_cards-hand", "dealer_cards-card-1", "seat-3-cards-1-card-2",
               "seat-3-ante-chips", "discard_rack", "dealing_shoe", "inventory_container",
               "progressive_meter", "panel-pair_plus", "words-qualifies"):  # fmt: skip
        assert f"a-{id}" in named
    assert titles(by_id(root, "a-seat-3-ante")) == ["Seat 3, Ante"]


def test_a_page_may_keep_the_symbols_of_several_tables() -> None:
    round = played(PRIME)
    view = round_view(round, settle(round))
    bare = parsed(draw(round.rules, view, Look(page=True)))
    sprite = parsed(symbols())
    missing = references(bare) - set(ids(bare))
    assert missing
    assert missing <= set(ids(sprite))
    assert faces_defined(bare) == set()
    assert references(sprite) <= set(ids(sprite))
    four = parsed(symbols(four_color=True))
    assert {id for id in ids(four) if id.startswith("hw-")}.isdisjoint(faces_defined(sprite))


def full_house(chapter_id: str) -> tuple[Rules, TableView]:
    """Every seat with every wager and a hand that lies open, the first wagers paid."""
    rules = fullest(chapter_id)
    layout = lay_out(rules)
    areas = [p.id for p in layout.position if p.kind in ("wager", "sensor")]
    place = next(p.id for p in layout.position if p.kind in ("cards", "hand"))
    seats = tuple(
        SeatView(
            seat,
            player=f"Player {seat}",
            hands=(
                HandView(
                    tuple(CardView(Card(seat * 3 + at), marked=True) for at in range(3)),
                    place,
                    "Straight flush, nine high",
                    "win",
                ),
            ),
            chips=(
                *(ChipsView(area, 1500) for area in areas),
                *(ChipsView(area, 52_500, "paid") for area in areas[:3]),
            ),
            note="+$1,234.50",
        )
        for seat in range(1, layout.seats + 1)
    )
    return rules, TableView(seats=seats, meters=(MeterView("progressive", 123_456),))


@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_a_table_is_small(chapter_id) -> None:
    """Under 60 kB with everything on it; cards are symbols that a page needs once."""
    rules, view = full_house(chapter_id)
    assert len(draw(rules, view, Look(page=True)).encode()) < 60_000
    assert len(draw(rules).encode()) < 40_000


# ---- inscriptions ---------------------------------------------------------------------------


def everything_said(rules: Rules) -> list[str]:
    return words(parsed(draw(rules, look=Look(house="Rivers & Sons"))))


@cites(MD, "2.B", "2.B(1)", "2.B(5)")
@cites(PRIME, "679a.2(b)", "679a.2(b)(1)", "679a.2(b)(4)", "679a.2(b)(5)")
@cites(SAIGON, "680a.2(b)", "680a.2(b)(1)", "680a.2(b)(6)")
@cites(DOWN_UNDER, "685a.2(b)(1)", "685a.2(b)(3)(i)", "685a.2(b)(3)(ii)", "685a.2(b)(3)(iii)")
@cites(DOWN_UNDER, "685a.2(b)(4)", "685a.2(b)(4)(i)", "685a.2(b)(4)(ii)", "685a.2(b)(4)(iii)")
@cites(DOWN_UNDER, "685a.2(b)(4)(iv)")
@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_every_phrase_that_is_prescribed_stands_on_the_felt(chapter_id) -> None:
    for rules in (fullest(chapter_id), choose(chapter_id)):
        said = {text.casefold() for text in everything_said(rules)}
        asked = [i for i in rules.chapter.about.inscriptions if in_force(rules, i.when)]
        assert asked
        for inscription in asked:
            if inscription.words:
                assert any(inscription.words.casefold() in text for text in said), inscription.id
        if any(i.id == "name" for i in asked):
            assert "rivers & sons" in said
        limit = rules.options.get("payout_limit", "none")
        posted = [text for text in said if text.startswith("payout limit")]
        assert len(posted) == (limit != "none")
        if posted:
            assert spoken(limit) in posted[0]


def rows_of(root, wager: str) -> dict[str, list[str]]:
    """A panel's rows as they stand: what is left in a line, and what is right of it."""
    panel = by_id(root, f"panel-{wager}")
    headings = {id(t) for g in panel.iter(f"{SVG}g") if g.get("class") == "quiet" for t in g}
    lines: dict[str, list[tuple[float, str]]] = {}
    for text in panel.iter(f"{SVG}text"):
        if id(text) not in headings:
            cell = float(text.attrib["x"]), "".join(text.itertext())
            lines.setdefault(text.attrib["y"], []).append(cell)
    ordered = [[text for _, text in sorted(line)] for line in lines.values()]
    return {line[0]: line[1:] for line in ordered if len(line) > 1}


def posted(text: str) -> str:
    """Odds as the law writes them, from odds as they are posted."""
    return text.replace(",", "")


@cites(MD, "2.B(5)")
@cites(PRIME, "679a.2(b)(4)")
@cites(SAIGON, "680a.2(b)(5)")
@cites(DOWN_UNDER, "685a.2(b)(6)")
@pytest.mark.parametrize(
    ("chapter_id", "wager"),
    [
        (MD, "ante_bonus"), (MD, "pair_plus"), (MD, "six_card_bonus"), (MD, "progressive"),
        (MD, "five_card_progressive"), (MA, "ante_bonus"), (MA, "six_card_bonus"),
        (MA, "progressive"), (PRIME, "bad_beat"), (PRIME, "all_six"), (SAIGON, "bonus"),
    ],
)  # fmt: skip
def test_each_table_that_may_be_chosen_is_posted_with_its_own_odds(chapter_id, wager) -> None:
    law = chapter(chapter_id)
    for choice in law.options[wager].choices:
        if choice.value == "none":
            continue
        needs = {other: allowed[0] for other, allowed in choice.needs.items()}
        rules = choose(chapter_id, {wager: choice.value, **needs})
        root = parsed(draw(rules))
        printed = law.paytables[wager, choice.value]
        rows = rows_of(root, wager)
        odds = sorted(posted(cells[0]) for cells in rows.values())
        assert odds == sorted(str(pay.odds) for pay in printed.pays.values())
        for hand, pay in printed.pays.items():
            name = HAND_NAMES[hand]
            if name in rows:
                assert posted(rows[name][0]) == str(pay.odds)


@cites(PRIME, "679a.2(b)(4)")
def test_the_pair_bonus_is_posted_for_a_two_and_for_any_other_card() -> None:
    law = chapter(PRIME)
    for chosen in "ABCD":
        rows = rows_of(parsed(draw(choose(PRIME, {"pair_bonus": chosen}))), "pair_bonus")
        for hand, pay in law.paytables["pair_bonus", chosen].pays.items():
            other = law.paytables["pair_bonus", "not_2"][hand]
            assert rows[HAND_NAMES[hand]] == [str(other.odds), str(pay.odds)]


def test_cover_all_is_posted_for_every_number_of_hands() -> None:
    rules = choose(MA, {"cover_all": True, "shuffler": "counting"})
    rows = rows_of(parsed(draw(rules)), "cover_all")
    for hands_dealt in range(1, 8):
        table = rules.chapter.paytables["cover_all", str(hands_dealt)]
        assert rows[str(hands_dealt)] == [str(pay.odds) for pay in table.pays.values()]


@cites(DOWN_UNDER, "685a.2(b)(6)")
@pytest.mark.parametrize(
    ("decks", "suited", "unsuited"), [(6, "11 to 1", "4 to 1"), (8, "14 to 1", "3 to 1")]
)
def test_match_the_dealer_is_posted_for_the_decks_in_play(decks, suited, unsuited) -> None:
    """685a.11(c) has one table for six decks and one for eight."""
    root = parsed(draw(choose(DOWN_UNDER, {"decks": decks, "match_the_dealer": True})))
    assert rows_of(root, "match_the_dealer") == {
        "Suited match": [suited],
        "Unsuited match": [unsuited],
    }


@cites(SAIGON, "680a.2(b)(5)")
def test_the_antes_two_payouts_are_both_posted() -> None:
    said = everything_said(choose(SAIGON))
    assert "Ante pays 1 to 1; point count of 5 pays 1 to 2" in said


def test_envy_is_posted_beside_the_progressive() -> None:
    rows = rows_of(parsed(draw(choose(MD, {"progressive": "A"}))), "progressive")
    assert rows["A-K-Q of spades"] == ["100% of meter", "$100", "$500"]
    assert rows["A-K-Q of other suits"] == ["500 for 1", "$25", "$125"]
    assert rows["Straight flush"] == ["70 for 1"]
    awards = {"royal_flush": {"1.00": "1000.00", "5.00": "5000.00"}}
    five = rows_of(
        parsed(draw(choose(MD, {"five_card_progressive": "A", "five_card_envy": awards}))),
        "five_card_progressive",
    )
    assert five["Royal flush"] == ["100% of meter", "$1,000", "$5,000"]


def test_a_table_of_the_house_is_posted_as_it_is() -> None:
    rules = choose(MA, {"pair_plus": OWN_PAIR_PLUS})
    rows = rows_of(parsed(draw(rules)), "pair_plus")
    assert {name: cells[0] for name, cells in rows.items()} == {
        HAND_NAMES[hand]: pays for hand, pays in OWN_PAIR_PLUS.items()
    }


@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_every_payout_in_force_is_somewhere_on_the_felt(chapter_id) -> None:
    rules = fullest(chapter_id)
    said = " ".join(everything_said(rules)).replace(",", "").casefold()
    for tables in tables_in_force(rules).values():
        for table in tables:
            for pay in table.pays.values():
                assert str(pay.odds) in said


def test_what_is_not_offered_is_not_on_the_felt() -> None:
    root = parsed(draw(choose(MD)))
    assert not any(id.endswith(("six_card_bonus", "progressive")) for id in ids(root))
    assert "SIX CARD BONUS" not in words(root)


# ---- key, devices, refusals -----------------------------------------------------------------


@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_the_key_names_the_clause_of_everything_that_is_asked_for(chapter_id) -> None:
    rules = fullest(chapter_id)
    root = parsed(draw(rules, look=Look(theme="paper", key=True)))
    legend = words(by_id(root, "legend"))
    about = rules.chapter.about
    asked = {
        item.clause
        for item in (
            *(under(one, rules.options) for one in (*about.areas, *about.equipment)),
            *about.inscriptions,
        )
        if in_force(rules, item.when)
        and item.id not in ("progressive_sensors", "limits", "insurance")
    }
    listed = {part for text in legend for part in text.split(", ")}
    assert asked <= listed
    numbers = list(words(by_id(root, "key")))
    assert numbers == [str(at) for at in range(1, len(numbers) + 1)]
    assert set(numbers) <= set(legend)
    assert "“HOUSEWAY”" in legend


def test_every_place_for_the_dealers_cards_has_a_name() -> None:
    for chapter_id in CHAPTERS:
        places = [p for p in lay_out(fullest(chapter_id)).table if p.kind in ("hand", "cards")]
        assert all(place.label for place in places), chapter_id


def test_the_reader_shows_one_light_and_says_which() -> None:
    rules = choose(DOWN_UNDER)
    for light, color in (("small", "blue"), ("medium", "red"), ("large", "yellow")):
        root = parsed(draw(rules, TableView(devices=DevicesView(light=light))))
        lit = [e for e in root.iter() if e.attrib.get("class") == "light on"]
        assert [titles(e) for e in lit] == [[f"{light}: {color} light on"]]
    assert "light on" not in draw(rules)


def test_a_device_that_is_out_of_order_carries_its_sign() -> None:
    rules = fullest(MA)
    sign = "OUT OF ORDER"
    assert sign not in words(parsed(draw(rules)))
    view = TableView(devices=DevicesView(out_of_order=("shuffler",)))
    assert sign in words(by_id(parsed(draw(rules, view)), "shuffler"))


@cites(DOWN_UNDER, "685a.2(e)", "685a.2(e)(1)", "685a.2(e)(2)")
def test_the_discard_rack_has_a_mark_at_the_height_of_its_batch() -> None:
    def rack(decks: int, discards: int):
        rules = choose(DOWN_UNDER, {"decks": decks})
        view = TableView(devices=DevicesView(discards=discards))
        return by_id(parsed(draw(rules, view)), "discard_rack")

    def height(element) -> float:
        mark = next(e for e in element.iter(f"{SVG}path") if e.attrib.get("class") == "mark")
        return float(mark.attrib["d"].split()[1].split("h")[0])

    def pile(element) -> float:
        return min(
            float(e.attrib["y"])
            for e in element.iter(f"{SVG}rect")
            if e.attrib.get("class") == "pile"
        )

    for decks in (4, 5, 6, 8):
        full = rack(decks, 52 * decks)
        assert pile(full) == pytest.approx(height(full), abs=0.2)
        assert pile(rack(decks, 52)) > height(full)
    assert height(rack(8, 0)) < height(rack(4, 0))


def test_meters_show_what_the_view_says() -> None:
    rules = choose(MD, {"progressive": "C"})
    view = TableView(
        meters=(MeterView("progressive.major", 1_234_567), MeterView("progressive.minor", 200))
    )
    assert words(by_id(parsed(draw(rules, view)), "progressive_meter"))[:4] == [
        "Major", "$12,345.67", "Minor", "$2",
    ]  # fmt: skip


def test_limits_stand_at_the_table() -> None:
    rules = choose(SAIGON, limits={"ante": {"min": "5.00", "max": "1500.00"}})
    assert words(by_id(parsed(draw(rules)), "limits"))[:2] == ["Ante", "$5–$1,500"]
    assert "limits" not in ids(parsed(draw(choose(SAIGON))))


def test_a_theme_that_is_not_there_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        draw(choose(SAIGON), look=Look(theme="pink"))
    assert refused.value.code == "no_such_theme"
    assert "green" in str(refused.value)
