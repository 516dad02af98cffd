"""Charts: well-formed, labeled in words, and no more bars than can be read."""

import re
import xml.etree.ElementTree as ET
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from houseway.documents.charts import bars, distribution, strategy_grid


def parts(svg, tag):
    return [node for node in ET.fromstring(svg).iter() if node.tag.endswith(tag)]


@given(st.dictionaries(st.fractions(-2, 5000), st.integers(1, 10**12), min_size=1, max_size=60))
def test_a_distribution_of_any_size(ways):
    total = sum(ways.values())
    results = [(net, Fraction(count, total)) for net, count in ways.items()]
    svg = distribution(results, 'a "title" & more')
    drawn = parts(svg, "rect")
    assert 1 <= len(drawn) <= min(len(ways), 14)
    assert all(float(node.get("width")) > 0 for node in drawn)
    # each bar has its net result and its chance beside it
    assert len(parts(svg, "text")) == 2 * len(drawn) + 2


def test_a_bar_is_longer_where_the_chance_is_larger():
    svg = distribution(
        [
            (Fraction(-1), Fraction(3, 4)),
            (Fraction(1), Fraction(1, 5)),
            (Fraction(9), Fraction(1, 20)),
        ]
    )
    widths = [float(node.get("width")) for node in parts(svg, "rect")]
    assert widths == sorted(widths, reverse=True)
    words = [node.text for node in parts(svg, "text")]
    assert "−1" in words
    assert "75.00%" in words


def test_every_cell_of_a_grid_says_what_to_do():
    cells = [("A", "K", "play"), ("Q", "6", "4+"), ("J", "T", "fold")]
    svg = strategy_grid("a title", "words < and >", "a note", cells)
    words = [node.text for node in parts(svg, "text")]
    for label in ("play", "4+", "fold", "10", "words < and >"):
        assert label in words
    assert len(parts(svg, "rect")) == 3


def test_bars_to_both_sides():
    svg = bars("t", "s", "n", [("lose", Fraction(-1, 2)), ("win", Fraction(1, 4))])
    left, right = (float(node.get("x")) for node in parts(svg, "rect"))
    assert left < right
    words = [node.text for node in parts(svg, "text")]
    assert {"−0.5000", "+0.2500"} <= set(words)


def test_a_long_sentence_above_a_chart_stays_inside_it() -> None:
    says = "Set the three that leave the highest count, " * 6
    for drawn in (
        bars("Title", says, "note", [("one", Fraction(1, 2)), ("two", Fraction(-1, 3))]),
        strategy_grid("Title", says, "note", [("A", "K", "play"), ("K", "Q", "fold")]),
    ):
        lines = re.findall(r">([^<>]{40,})</text>", drawn)
        assert len(lines) >= 3
        assert all(len(line) <= 100 for line in lines)
        assert 'fill="#fffdf8"' in drawn
