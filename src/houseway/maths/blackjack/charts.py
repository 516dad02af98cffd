"""The strategy to look at: one chart for each range, as data, as text and as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TypeAlias

from houseway.maths.blackjack.hands import ACE, TEN, VALUES
from houseway.maths.blackjack.strategy import Chart
from houseway.maths.blackjack.variant import Case

WORDS = {
    "H": "hit",
    "S": "stand",
    "D": "double, or hit",
    "Ds": "double, or stand",
    "P": "split",
}
#: chart id, its title, what the reader shows
TITLES = {
    "small": "Small (2 to 5)",
    "medium": "Medium (6 to 9)",
    "large": "Large (10 to ace)",
    "in_view": "Hole card in view",
    "covered": "Reader covered",
}
#: from the deuce up, the ace last, as charts are read
_UPS = [*range(1, 10), ACE]

Data: TypeAlias = dict[str, dict[str, dict[str, dict[str, str]]]]


@dataclass(frozen=True, slots=True)
class Panel:
    """One chart: its columns are up cards, its rows totals and pairs."""

    id: str
    columns: tuple[tuple[str, Case], ...]

    @property
    def title(self) -> str:
        return TITLES[self.id]


def panels(chart: Chart) -> tuple[Panel, ...]:
    """A chart for each range, and one for the two hands whose hole card lies open (7(h))."""
    found: dict[str, list[tuple[str, Case]]] = {}
    for up in _UPS:
        for case in chart.cases:
            if case.up == up:
                in_view = case.range == "large" and up in (ACE, TEN)
                name = VALUES[up] * (2 if in_view else 1)
                found.setdefault("in_view" if in_view else case.range, []).append((name, case))
    return tuple(Panel(id, tuple(found[id])) for id in TITLES if id in found)


def rows() -> list[tuple[str, str, int]]:
    """Kind, label and total or value of every row, as charts are read."""
    hard = [("hard", str(total), total) for total in range(20, 4, -1)]
    soft = [("soft", f"A,{VALUES[total - 12]}", total) for total in range(20, 12, -1)]
    pairs = [("pairs", f"{VALUES[card]},{VALUES[card]}", card) for card in [ACE, *range(9, 0, -1)]]
    return hard + soft + pairs


def code(chart: Chart, kind: str, number: int, case: Case) -> str:
    if kind == "pairs":
        return chart.pair_code(number, case)
    return chart.code(number, kind == "soft", case)


def as_data(chart: Chart) -> Data:
    """By chart, kind, row and up card."""
    data: Data = {}
    for panel in panels(chart):
        for kind, label, number in rows():
            line = {up: code(chart, kind, number, case) for up, case in panel.columns}
            data.setdefault(panel.id, {}).setdefault(kind, {})[label] = line
    return data


def as_text(chart: Chart) -> str:
    """All charts below each other for a terminal, plain text."""
    lines = []
    for panel in panels(chart):
        lines += [panel.title, "       " + "".join(f"{up:>4}" for up, _ in panel.columns)]
        last = ""
        for kind, label, number in rows():
            if kind != last:
                lines.append(f"  {kind}")
                last = kind
            codes = "".join(f"{code(chart, kind, number, case):>4}" for _, case in panel.columns)
            lines.append(f"  {label:>5}{codes}")
        lines.append("")
    return "\n".join([*lines, _legend()])


def _legend() -> str:
    return " · ".join(f"{letter} {word}" for letter, word in WORDS.items())


_FILL = {"H": "#fdfbf4", "S": "#e4c77a", "D": "#9fcfb4", "Ds": "#c6dca3", "P": "#b9c7e0"}
_INK, _QUIET, _RULE = "#1b1b1f", "#5a5f5c", "#d9dcd8"
_WIDE, _HIGH, _LABEL, _GAP, _TOP = 27, 17, 40, 26, 78


def as_svg(chart: Chart, title: str, says: str) -> str:
    """The charts beside each other. Every cell has its letter: no colour says anything alone."""
    shown = panels(chart)
    width = sum(_LABEL + _WIDE * len(panel.columns) + _GAP for panel in shown) + _GAP
    height = _TOP + _HIGH * (len(rows()) + 4) + 44
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
    for panel in shown:
        parts.append(_panel(chart, panel, left))
        left += _LABEL + _WIDE * len(panel.columns) + _GAP
    parts += [_words(_GAP, height - 16, _legend(), fill=_QUIET), "</svg>"]
    return "".join(parts)


def _panel(chart: Chart, panel: Panel, left: int) -> str:
    parts = [_words(left, _TOP - 4, panel.title, size=13)]
    y, last = _TOP, ""
    for kind, label, number in rows():
        if kind != last:
            y += _HIGH + (4 if last else 0)
            last = kind
            parts.append(_words(left, y - 4, kind, fill=_QUIET))
            parts += [
                _words(left + _LABEL + _WIDE * (place + 0.5), y - 4, up, "middle")
                for place, (up, _) in enumerate(panel.columns)
            ]
        parts.append(_words(left + _LABEL - 6, y + 12.5, label, "end"))
        for place, (_, case) in enumerate(panel.columns):
            letter = code(chart, kind, number, case)
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
