"""Ordinary blackjack, reproduced: the light ignored, a dealer's 22 a bust, the usual rules.

Source: Michael Shackleford, The Wizard of Odds, Blackjack Appendix 9, "expected returns for each
initial hand" (pages 1ds17r4, 1dh17r4, 2dh17r4, 5ds17r4, 5dh17r4; updated October 2019): hands split
up to four, aces once and for one card, dealer looks under aces and tens. Those tables consider every
hand's composition; in splits they look at how many hands were split but not at what came to them,
so the returns of the whole game may differ from ours in the fifth decimal, never the hands'.
"""

import re
from pathlib import Path

import pytest

from houseway.games.down_under.maths.solver.hands import ACE, hand_of
from houseway.games.down_under.maths.solver.solve import solve
from houseway.games.down_under.maths.solver.states import AS_DEALT
from houseway.games.down_under.maths.solver.variant import Variant

USUAL = Variant(dealer_soft_22="counts_as_12", dealer_22="busts", reader="covered", split_hands=4)


@pytest.mark.parametrize(
    ("decks", "soft_17", "after_split", "published"),
    [
        (1, "stands", True, 0.001839),
        (1, "stands", False, 0.000423),
        (1, "hits", True, -0.000072),
        (1, "hits", False, -0.001513),
        (2, "hits", True, -0.003797),
        (2, "hits", False, -0.005252),
        (5, "stands", True, -0.003804),
        (5, "stands", False, -0.005225),
        (5, "hits", True, -0.005918),
        (5, "hits", False, -0.007366),
    ],
)
def test_the_return_of_the_whole_game(decks, soft_17, after_split, published):
    game = USUAL.but(decks=decks, soft_17=soft_17, double_after_split=after_split)
    assert solve(game).value == pytest.approx(published, abs=1e-5)


@pytest.mark.parametrize(
    ("decks", "soft_17", "hand", "stand", "hit", "double"),
    [
        (1, "stands", "2A", -0.661732, -0.067808, -0.593281),
        (1, "stands", "54", -0.654533, -0.070215, -0.395771),
        (1, "stands", "65", -0.634013, 0.172946, 0.240259),
        (1, "stands", "7A", -0.101015, -0.108386, -0.357778),
        (1, "hits", "2A", -0.589084, -0.107929, -0.552040),
        (1, "hits", "65", -0.575374, 0.143003, 0.234296),
        (2, "hits", "64", -0.587412, 0.038312, -0.003909),
        (5, "stands", "3A", -0.665793, -0.095965, -0.618937),
        (5, "stands", "62", -0.661865, -0.202601, -0.808633),
        (5, "stands", "65", -0.660850, 0.148532, 0.133896),
        (5, "hits", "72", -0.593988, -0.127340, -0.453585),
        (5, "hits", "6A", -0.513982, -0.221727, -0.547853),
    ],
)
def test_two_cards_against_an_ace(decks, soft_17, hand, stand, hit, double):
    play = solve(USUAL.but(decks=decks, soft_17=soft_17, split_hands=1))
    position = play.table.states.at(AS_DEALT, hand_of(*("A23456789T".index(card) for card in hand)))
    case = next(number for number, case in enumerate(play.table.cases) if case.up == ACE)
    found = play.values[position, case, :3]
    assert found == pytest.approx([stand, hit, double], abs=5.1e-7)


def test_the_edges_in_the_documentation_are_the_solutions():
    page = (Path(__file__).parents[3] / "docs" / "reference" / "down-under.md").read_text(
        encoding="utf-8"
    )
    rows = re.findall(r"^\| (\d) \| (-?[\d.]+)% \| (-?[\d.]+)% \|$", page, re.MULTILINE)
    assert [int(decks) for decks, _, _ in rows] == [4, 5, 6, 8]
    for decks, *edges in rows:
        for reading, edge in zip(("stands", "counts_as_12"), edges, strict=True):
            value = solve(Variant(decks=int(decks), dealer_soft_22=reading)).value
            assert f"{-value * 100:.4f}" == edge
