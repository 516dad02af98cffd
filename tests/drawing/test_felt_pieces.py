"""Cards, chips, lettering, themes."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import CARD, SVG, faces_defined, ids, parsed, words

from houseway.cards import Card, deck_with_joker
from houseway.drawing import THEMES, symbols
from houseway.drawing.lettering import ems, fitted, width
from houseway.drawing.phone import mini_card
from houseway.drawing.pieces.cards import HEIGHT, WIDTH, Deck
from houseway.drawing.pieces.chips import CHIPS, MOST, stack, stack_of
from houseway.drawing.svg import NAMESPACE, num
from houseway.present import CardView

# ---- cards ----------------------------------------------------------------------------------


def test_a_card_is_poker_size() -> None:
    assert (WIDTH, round(HEIGHT, 1)) == (63.5, 88.9)
    assert pytest.approx(2.5 / 3.5) == WIDTH / HEIGHT


@pytest.mark.parametrize("four_color", [False, True])
def test_all_fifty_three_cards_are_drawn_each_in_its_own_way(four_color) -> None:
    root = parsed(symbols(four_color=four_color))
    assert faces_defined(root) == {str(card) for card in deck_with_joker()}
    drawn = {}
    for element in root.iter(f"{SVG}g"):
        match = CARD.match(element.attrib.get("id", ""))
        if match:
            drawn[match[1]] = "".join(sorted(str(e.attrib) for e in element.iter()))
    assert len(set(drawn.values())) == 53
    assert {"hw-back-red", "hw-back-blue", "hw-back-cover"} <= set(ids(root))


@pytest.mark.parametrize("rank", "23456789T")
def test_a_pip_card_has_as_many_pips_as_its_rank(rank) -> None:
    """Those of the upper half are drawn once and turned, those of the middle once."""
    deck = Deck()
    name = f"{rank}h"
    card = next(c for c in deck_with_joker() if str(c) == name)
    root = parsed(f'<svg xmlns="{NAMESPACE}">{deck.symbols([card])}</svg>')
    face = next(e for e in root.iter() if e.attrib.get("id") == f"hw-{name}")
    half = next(e for e in face if e.attrib.get("id") == f"hw-{name}-i")

    def pips(element) -> int:
        return sum(e.attrib.get("href") == "#hw-pip-h" for e in element)

    assert pips(face) + 2 * pips(half) == (10 if rank == "T" else int(rank))


def test_four_colors_are_four_and_two_are_two() -> None:
    assert len({Deck(four_color=True).color(suit) for suit in "cdhs"}) == 4
    assert len({Deck().color(suit) for suit in "cdhs"}) == 2
    assert Deck().color("h") == Deck().color("d") != Deck().color("s")


@given(st.integers(0, 52).map(Card))
def test_a_small_card_says_its_rank(card) -> None:
    root = parsed(f'<svg xmlns="{NAMESPACE}">{mini_card(CardView(card), 0, 0, 24, Deck())}</svg>')
    label = {"T": "10"}.get(str(card)[0], str(card)[0])
    assert words(root) == ["Jk" if card.is_joker else label]
    assert card.name in "".join(root.itertext())


def test_a_small_card_that_is_face_down_says_nothing() -> None:
    root = parsed(f'<svg xmlns="{NAMESPACE}">{mini_card(CardView(), 0, 0, 24, Deck())}</svg>')
    assert words(root) == []


# ---- chips ----------------------------------------------------------------------------------


def fewest(amount: int) -> int:
    """How few chips make an amount of half-dollars, by trying everything."""
    worths = [chip.worth // 50 for chip in CHIPS]
    best = [0] + [10**9] * amount
    for sum_ in range(1, amount + 1):
        best[sum_] = 1 + min(best[sum_ - w] for w in worths if w <= sum_)
    return best[amount]


@given(st.integers(0, 3000))
def test_a_stack_is_the_fewest_chips_that_make_the_amount(halves) -> None:
    chips = stack_of(halves * 50)
    if len(chips) <= MOST:
        assert sum(chip.worth for chip in chips) == halves * 50
        assert len(chips) == fewest(halves)
    assert [chip.worth for chip in chips] == sorted((c.worth for c in chips), reverse=True)


@given(st.integers(0, 10**9))
def test_no_stack_is_higher_than_it_may_be(amount) -> None:
    assert stack(amount, 0, 0).count("<use") <= MOST


def test_chips_differ_without_color_by_their_label() -> None:
    assert len({chip.label for chip in CHIPS}) == len({chip.color for chip in CHIPS}) == len(CHIPS)
    assert {chip.worth for chip in CHIPS} == {
        50, 100, 500, 2_500, 10_000, 50_000, 100_000, 500_000,
    }  # fmt: skip
    for one, other in itertools.pairwise(CHIPS):
        assert (one.spots, one.count) != (other.spots, other.count)


# ---- lettering ------------------------------------------------------------------------------


@given(st.text(min_size=1, max_size=40), st.floats(5, 60), st.floats(20, 400), st.booleans())
def test_a_fitted_text_has_room(text, size, room, bold) -> None:
    fit = fitted(text, size, room, bold=bold)
    assert fit <= size
    assert width(text, fit, bold=bold) <= room * 1.0001 or fit == size


@given(st.text(max_size=20), st.text(max_size=20))
def test_widths_add_up(one, other) -> None:
    assert ems(one + other) == pytest.approx(ems(one) + ems(other))


@given(st.floats(-5000, 5000))
def test_numbers_are_short_and_right_to_a_tenth(value) -> None:
    text = num(value)
    assert abs(float(text) - value) <= 0.0500001
    assert not text.endswith(".0")
    assert text != "-0"


# ---- themes ---------------------------------------------------------------------------------


def luminance(color: str) -> float:
    """Relative luminance by WCAG 2."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_every_ink_stands_out_from_its_ground(theme) -> None:
    for ink in (theme.ink, theme.line, theme.next):
        for ground in (theme.lamp, theme.edge):
            assert contrast(ink, ground) >= 4.5
    for ground in (theme.rail, theme.crown):
        assert contrast(theme.rail_ink, ground) >= 4.5
    for ink in (theme.plate_ink, theme.win, theme.lose, theme.next):
        assert contrast(ink, theme.plate) >= 4.5
    assert contrast(theme.device_ink, theme.device) >= 4.5
    assert contrast(theme.room_ink, theme.room) >= 4.5
    # an amount on the rail, a tile or a sign
    for ink in (theme.win, theme.lose):
        for ground in (theme.lamp, theme.crown):
            assert contrast(ink, ground) >= 3


def test_high_contrast_is_high() -> None:
    theme = THEMES["contrast"]
    for ink in (theme.ink, theme.line, theme.next, theme.win, theme.lose):
        assert contrast(ink, theme.lamp) >= 7


def test_card_inks_stand_out_from_the_face() -> None:
    for deck in (Deck(), Deck(four_color=True)):
        for suit in "cdhs":
            assert contrast(deck.color(suit), "#fdfbf4") >= 4.5
