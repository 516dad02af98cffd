"""The strategy to look at: one chart for each range, as data, as text and as SVG."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, TypeAlias

from houseway.games.down_under.maths.hands import ACE, TEN, VALUES

if TYPE_CHECKING:
    from houseway.games.down_under.maths.strategy import Chart

WORDS = {
    "H": "hit",
    "S": "stand",
    "D": "double, or hit",
    "Ds": "double, or stand",
    "P": "split",
}
#: chart id and title, in the order they are shown
TITLES = {
    "small": "Small (2 to 5)",
    "medium": "Medium (6 to 9)",
    "large": "Large (10 to ace)",
    "in_view": "Hole card in view",
    "covered": "Reader covered",
}
#: from the deuce up, the ace last, as charts are read
_UPS = [*range(1, 10), ACE]

#: chart, kind (hard, soft, pairs), row, up card -> what to do
Data: TypeAlias = dict[str, dict[str, dict[str, dict[str, str]]]]


def as_data(chart: Chart) -> Data:
    """A chart for each range, and one for the two cases whose hole card lies open (685a.7(h))."""
    data: Data = {id: {} for id in TITLES}
    for up in _UPS:
        for case in chart.cases:
            if case.up != up:
                continue
            in_view = case.range == "large" and up in (ACE, TEN)
            panel = data["in_view" if in_view else case.range]
            column = VALUES[up] * (2 if in_view else 1)

            def put(kind: str, row: str, code: str) -> None:
                panel.setdefault(kind, {}).setdefault(row, {})[column] = code  # noqa: B023

            for total in range(20, 4, -1):
                put("hard", str(total), chart.code(total, False, case))
            for total in range(20, 12, -1):
                put("soft", f"A,{VALUES[total - 12]}", chart.code(total, True, case))
            for card in (ACE, *range(9, 0, -1)):
                put("pairs", f"{VALUES[card]},{VALUES[card]}", chart.pair_code(card, case))
    return {id: panel for id, panel in data.items() if panel}


def ups(panel: dict[str, dict[str, dict[str, str]]]) -> list[str]:
    """The columns of one chart."""
    return list(panel["hard"]["20"])


def legend() -> str:
    return " · ".join(f"{letter} {word}" for letter, word in WORDS.items())


_FILL = {"H": "#fdfbf4", "S": "#e4c77a", "D": "#9fcfb4", "Ds": "#c6dca3", "P": "#b9c7e0"}
_INK, _QUIET, _RULE = "#1b1b1f", "#5a5f5c", "#d9dcd8"
_WIDE, _HIGH, _LABEL, _GAP, _TOP = 27, 17, 40, 26, 78


def as_svg(data: Data, title: str, says: str) -> str:
    """The charts beside each other. Every cell has its letter: no colour says anything alone."""
    width = sum(_LABEL + _WIDE * len(ups(panel)) + _GAP for panel in data.values()) + _GAP
    rows = max(sum(map(len, panel.values())) for panel in data.values())
    height = _TOP + _HIGH * (rows + 3) + 56
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            f'aria-label="{escape(title)}" font-family="Libertinus Serif, Georgia, serif" '
            f'font-size="11"><title>{escape(title)}</title>'
            f'<rect width="{width}" height="{height}" fill="#fffdf8"/>'
        ),
        _words(_GAP, 26, title, size=17),
        _words(_GAP, 44, says, fill=_QUIET),
    ]
    left = _GAP
    for id, panel in data.items():
        parts.append(_panel(TITLES[id], panel, left))
        left += _LABEL + _WIDE * len(ups(panel)) + _GAP
    parts += [_words(_GAP, height - 16, legend(), fill=_QUIET), "</svg>"]
    return "".join(parts)


def _panel(title: str, panel: dict[str, dict[str, dict[str, str]]], left: int) -> str:
    parts = [_words(left, _TOP - 4, title, size=13)]
    y = _TOP
    for kind, rows in panel.items():
        y += _HIGH + 4
        parts.append(_words(left, y - 4, kind, fill=_QUIET))
        for place, up in enumerate(ups(panel)):
            parts.append(_words(left + _LABEL + _WIDE * (place + 0.5), y - 4, up, "middle"))
        for row, codes in rows.items():
            parts.append(_words(left + _LABEL - 6, y + 12.5, row, "end"))
            for place, letter in enumerate(codes.values()):
                x = left + _LABEL + _WIDE * place
                parts.append(
                    f'<rect x="{x}" y="{y}" width="{_WIDE}" height="{_HIGH}" '
                    f'fill="{_FILL[letter]}" stroke="{_RULE}" stroke-width="0.6"/>'
                )
                parts.append(_words(x + _WIDE / 2, y + 12.5, letter, "middle"))
            y += _HIGH
    return "".join(parts)


def _words(
    x: float, y: float, words: str, anchor: str = "start", fill: str = _INK, size: int = 11
) -> str:
    sized = f' font-size="{size}"' if size != 11 else ""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{fill}"{sized}>'
        f"{escape(words)}</text>"
    )
