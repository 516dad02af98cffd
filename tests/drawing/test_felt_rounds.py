"""From a round to a view: what lies where, what became of it, and what nobody may see."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import parsed

from houseway.cards import Card, cards, standard_deck
from houseway.drawing import draw, draw_compact, lay_out
from houseway.game_api.notation import deal
from houseway.game_api.round_json import read_round
from houseway.game_api.settle import settle
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, choose
from houseway.money import spoken
from houseway.present import round_view

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(chapter_id: str):
    return read_round((EXAMPLES / f"{chapter_id}.json").read_bytes())


@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_every_wager_lies_in_an_area_of_the_layout(chapter_id) -> None:
    round = example(chapter_id)
    view = round_view(round, settle(round))
    layout = lay_out(round.rules)
    known = {place.id for place in (*layout.position, *layout.table)}
    for seat in view.seats:
        assert {pile.area for pile in seat.chips} <= known
        assert {hand.place for hand in seat.hands} <= known
    assert {hand.place for hand in view.table} <= known


@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_chips_on_the_felt_are_the_lines_of_the_settlement(chapter_id) -> None:
    round = example(chapter_id)
    settled = settle(round)
    view = round_view(round, settled)
    for seat in view.seats:
        lines = settled.seat(seat.seat).lines
        staked = [pile.amount for pile in seat.chips if pile.state != "paid"]
        assert sorted(staked) == sorted(line.stake for line in lines if line.stake)
        paid = sum(pile.amount for pile in seat.chips if pile.state == "paid")
        assert paid == sum(line.paid for line in lines)
        lost = sum(pile.amount for pile in seat.chips if pile.state == "collected")
        assert paid - lost == settled.seat(seat.seat).net
        net = settled.seat(seat.seat).net
        assert seat.note == ("even" if net == 0 else f"{'+' if net > 0 else '−'}{spoken(abs(net))}")


def test_maryland_as_it_is_settled() -> None:
    rules = choose(MD, {"five_card_progressive": "A"})
    round = deal(
        rules,
        dealer="Qh 7d 2c",
        community="9s Ts",
        seats={
            1: {"wagers": {"ante": "10.00"}, "cards": "Ah Kh 2d", "decision": "fold"},
            3: {"wagers": {"ante": "10.00", "five_card_progressive": "1.00"}, "cards": "8c 8h 3s", "decision": "play"},
        },
    )  # fmt: skip
    view = round_view(round, settle(round))
    folded, pair = view.seats
    assert folded.hands[0].folded
    assert [c.state for c in folded.chips] == ["collected"]
    assert pair.hands[0].says == "Pair of eights"
    assert pair.hands[0].result == "win"
    assert [card.marked for card in pair.hands[0].cards] == [True, True, False]
    assert {hand.place: len(hand.cards) for hand in view.table} == {
        "dealer_cards": 3, "five_card_community": 2,
    }  # fmt: skip
    # the stub went to the rack: 52 less two hands, the dealer's and two community cards
    assert view.devices.discards == 52 - 3 * 3 - 2


def test_a_hand_given_up_unseen_stays_unseen() -> None:
    round = deal(
        choose(MA),
        dealer="Qh 7d 2c",
        seats={2: {"wagers": {"ante": "10.00"}, "decision": "forfeit"}},
    )
    (seat,) = round_view(round, settle(round)).seats
    assert [card.face for card in seat.hands[0].cards] == [None] * 3
    assert seat.hands[0].folded


def test_the_fourth_card_lies_in_its_own_area() -> None:
    round = example(PRIME)
    view = round_view(round, settle(round))
    fourth = {seat.seat: h for seat in view.seats for h in seat.hands if h.place == "fourth_card"}
    assert {seat: h.cards[0].face for seat, h in fourth.items()} == {
        1: cards("2s")[0], 4: cards("Td")[0],
    }  # fmt: skip


def test_saigon_lies_as_it_is_set() -> None:
    """680a.11(b)(1) gives the example: joker, 5 and 6 make 20, and 8 and 2 count 10."""
    round = example(SAIGON)
    view = round_view(round, settle(round))
    three, two = view.seats[0].hands
    assert {card.face for card in three.cards} == set(cards("Jk 5c 6d"))
    assert {card.face for card in two.cards} == set(cards("8s 2h"))
    assert three.says == "Qualifies"
    assert two.says == "Count 10"


def test_down_under_lies_in_the_area_of_its_hole_card() -> None:
    round = example(DOWN_UNDER)
    view = round_view(round, settle(round))
    (dealer,) = view.table
    assert dealer.place == view.devices.light == "small"  # the hole card is a five
    doubled, other = view.seats[2].hands
    assert [card.sideways for card in doubled.cards] == [False, False, True]
    assert not any(card.sideways for card in other.cards)
    assert doubled.says == "21"
    assert {(c.area, c.id, c.hand) for c in view.seats[2].chips if c.area != "match_the_dealer"} == {
        ("bet", "bet", 1), ("bet", "double", 1), ("bet", "split", 2),
    }  # fmt: skip
    before = round_view(round)
    assert before.devices.light == ""
    assert [card.face for card in before.table[0].cards] == [cards("As")[0], None]


def test_the_electronic_version_shows_three_hands() -> None:
    rules = choose(MD, {"electronic": True})
    round = deal(
        rules,
        dealer="Qh 7d 2c",
        community="Ah Kh 2d 8c 8h 3s Ts 9s 8s",
        seats={1: {"wagers": {}, "hands": [{"hand": 2, "wagers": {"ante": "5.00"}, "decision": "play"}]}},
    )  # fmt: skip
    view = round_view(round, settle(round))
    assert [hand.says for hand in view.table] == [
        "Queen high", "Ace high", "Pair of eights", "Straight flush, ten high",
    ]  # fmt: skip
    assert draw(rules, view).count("<svg") == 1


def test_who_sees_what_before_the_cards_are_turned() -> None:
    round = example(PRIME)
    everything = {c.face for h in round_view(round, settle(round)).hands() for c in h.cards}
    for role in ("public", "dealer", "floor"):
        view = round_view(round, seen_by=role)
        assert view.faces() == frozenset()
        assert [bool(seat.player) for seat in view.seats].count(True) == (
            0 if role == "public" else 3
        )
    mine = round_view(round, seen_by="seat", own=4)
    assert mine.faces() == set(cards("Ac Kc Qc"))
    assert mine.faces() < everything
    assert next(seat.note for seat in round_view(round, seen_by="floor").seats) == "$21 at stake"


@st.composite
def hidden_apart(draw_from: st.DrawFn) -> tuple[list[Card], list[Card]]:
    """Two deals of fifteen cards that agree in the first three."""
    first = draw_from(st.permutations(standard_deck()))[:15]
    rest = [card for card in standard_deck() if card not in first[:3]]
    return first, [*first[:3], *draw_from(st.permutations(rest))[:12]]


@settings(max_examples=30, deadline=None)
@given(hidden_apart(), st.sampled_from(["public", "dealer", "floor", "seat"]))
def test_what_a_reader_may_not_see_changes_nothing(deals, role) -> None:
    """Two rounds that differ only in cards hidden from the reader are drawn with the same bytes."""
    base = example(PRIME)
    pictures = []
    for dealt in deals:
        seats = tuple(
            msgspec.structs.replace(
                seat,
                cards=tuple(dealt[at * 3 : at * 3 + 3]),
                fourth=dealt[14 - at] if seat.fourth is not None else None,
            )
            for at, seat in enumerate(base.seats)
        )
        round = msgspec.structs.replace(base, seats=seats, dealer=tuple(dealt[12:15]))
        own = base.seats[0].seat if role == "seat" else None
        view = round_view(round, seen_by=role, own=own)
        pictures.append((draw(base.rules, view), draw_compact(base.rules, view)))
        if role == "seat":
            assert view.faces() == frozenset(dealt[:3])
    assert pictures[0] == pictures[1]


def test_the_phone_shows_the_readers_seat() -> None:
    round = example(MD)
    view = round_view(round, settle(round), seen_by="seat", own=6)
    assert "seat 6</title>" in draw_compact(round.rules, view)
    nobody = replace(view, own=None)
    assert "seat 1</title>" in draw_compact(round.rules, nobody)


# against 21 the hands tie or lose; against 25 each pile is paid, and has a second amount below
@pytest.mark.parametrize(("dealer", "tall"), [("6c Td 5s", 60), ("6c Td 9s", 82)])
@pytest.mark.parametrize("seat", range(1, 7))
def test_the_piles_of_split_and_doubled_hands_lie_apart(seat: int, dealer: str, tall: int) -> None:
    """Each pile of a split has a cell of its own in the position, cards have the whole width."""
    rules = choose(DOWN_UNDER, {})
    round = deal(
        rules, dealer=dealer,
        seats={seat: {"wagers": {"bet": "25.00"}, "hands": [
            {"cards": "8s 3h Td", "split": True, "doubled": True},
            {"cards": "8d 2c 9h 2s", "split": True, "doubled": False}]}},
    )  # fmt: skip
    root = parsed(draw(rules, round_view(round, settle(round))))
    piles = [e for e in root.iter() if e.get("class") == "pile"]
    assert len(piles) == 3
    at = []
    for pile in piles:
        x, y, scale = re.fullmatch(  # type: ignore[union-attr]
            r"translate\((\S+) (\S+)\) scale\((\S+)\)", pile.attrib["transform"]
        ).groups()
        at.append((float(x), float(y), float(scale)))
    for (x1, y1, s1), (x2, y2, _) in combinations(at, 2):
        # a pile with its amount is up to 72 wide and so tall before it is scaled
        assert abs(x1 - x2) >= 72 * s1 or abs(y1 - y2) >= tall * s1
    for hand in ("1", "2"):
        cards = [e for e in root.iter() if (e.get("id") or "").startswith(f"seat-{seat}-cards-{hand}-card-")]  # fmt: skip
        lefts = [float(next(c.attrib["x"] for c in e if c.get("x"))) for e in cards]
        # the index in a card's corner stays in view
        assert all(b - a >= 14 for a, b in pairwise(lefts)), lefts
