"""Cards, decks and shuffles."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards import (
    JOKER,
    RANKS,
    SUITS,
    Card,
    SeededSource,
    SystemSource,
    batch,
    card,
    cards,
    deck_with_joker,
    show,
    shuffled,
    standard_deck,
)
from houseway.errors import Refused


def test_a_card_is_its_rank_and_suit() -> None:
    assert [str(one) for one in standard_deck()] == [r + s for r in RANKS for s in SUITS]
    ace = card("As")
    assert (ace.rank, ace.suit, ace.name) == (12, 3, "ace of spades")
    assert JOKER.is_joker
    assert JOKER.name == "joker"
    assert card("Jk") == JOKER


@given(st.lists(st.sampled_from(deck_with_joker())))
def test_text_and_back(hand: list[Card]) -> None:
    assert cards(show(hand)) == tuple(hand)


@pytest.mark.parametrize("text", ["", "A", "as", "1s", "Ax", "10s", "A s", "Asd", "jk", "🂡"])
def test_what_is_not_a_card_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        card(text)
    assert refused.value.code == "no_such_card"


def test_packs() -> None:
    assert len(standard_deck()) == len(set(standard_deck())) == 52
    assert set(deck_with_joker()) - set(standard_deck()) == {JOKER}
    for decks in (4, 5, 6, 8):
        assert set(Counter(batch(decks)).values()) == {decks}
        assert len(batch(decks)) == 52 * decks


@pytest.mark.parametrize("source", [SystemSource(), SeededSource(1)])
def test_a_shuffle_keeps_the_cards(source: SystemSource | SeededSource) -> None:
    assert sorted(shuffled(standard_deck(), source)) == list(standard_deck())


def test_a_seed_is_a_shuffle_and_another_seed_another() -> None:
    first = shuffled(standard_deck(), SeededSource("monday"))
    assert first == shuffled(standard_deck(), SeededSource("monday"))
    assert first != shuffled(standard_deck(), SeededSource("tuesday"))


class Script:
    """A source with scripted answers that records what it was asked."""

    def __init__(self, answers: list[int]) -> None:
        self.answers = answers
        self.asked: list[int] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        return self.answers.pop(0)


def test_every_order_comes_from_exactly_one_run_of_choices() -> None:
    """Equally likely choices give equally likely orders: the map between them is one to one."""
    choices = [[a, b, c] for a in range(4) for b in range(3) for c in range(2)]
    orders = [tuple(shuffled("wxyz", Script(list(chosen)))) for chosen in choices]
    assert sorted(orders) == sorted(permutations("wxyz"))
    script = Script([0, 0, 0])
    shuffled("wxyz", script)
    assert script.asked == [4, 3, 2]


@given(st.integers(1, 70_000), st.integers(0, 1000))
def test_a_seeded_draw_is_below_its_bound(bound: int, seed: int) -> None:
    assert 0 <= SeededSource(seed).below(bound) < bound


def test_a_seeded_draw_is_uniform() -> None:
    """Six faces, 60,000 throws: a chi-square of 5 degrees stays below 25.7 but once in 10,000."""
    source = SeededSource("die")
    seen = Counter(source.below(6) for _ in range(60_000))
    assert sum((seen[face] - 10_000) ** 2 / 10_000 for face in range(6)) < 25.7
