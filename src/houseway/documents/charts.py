"""Charts as SVG: light, directly labeled, the same on a page and in a PDF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from math import log10
from textwrap import wrap

from houseway.maths.strategy_view import Chart, Charts, Code, Picture

INK, QUIET, ACCENT, RULE = "#1b1b1f", "#5a5f5c", "#80601a", "#d9dcd8"
_FONT = "Libertinus Serif, Georgia, serif"
#: More net results than this are put into groups, so that a chart stays one.
_MOST_BARS = 14
#: characters in a line above a chart: more would leave the picture
_LINE = 100


def _text(x: float, y: float, words: str, anchor: str = "start", fill: str = INK) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{fill}" '
        f'font-family="{_FONT}" font-size="11">{escape(words)}</text>'
    )


def _heading(words: str) -> str:
    return (
        f'<text x="20" y="28" fill="{INK}" font-family="{_FONT}" font-size="18">'
        f"{escape(words)}</text>"
    )


def _open(width: int, height: int, says: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(says)}">'
    )


def _chance(chance: Fraction) -> str:
    """For a label: a percentage, or "1 in x" where that says more."""
    if chance >= Fraction(1, 1000):
        return f"{float(chance) * 100:.2f}%"
    return f"1 in {round(1 / chance):,}"


def _net(net: Fraction) -> str:
    sign = "+" if net > 0 else "−" if net < 0 else ""
    whole = abs(net)
    shown = f"{whole.numerator:,}" if whole.denominator == 1 else f"{float(whole):,.2f}".rstrip("0")
    return f"{sign}{shown}"


def distribution(results: Sequence[tuple[Fraction, Fraction]], title: str = "") -> str:
    """Net results and their chances, one bar each; the length is the chance on a scale of tens."""
    rows = [(_net(net), chance) for net, chance in _grouped(results)]
    top, step, left, width = 26, 19, 96, 360
    least = min(chance for _, chance in rows)
    decades = max(1, -int(log10(least) // 1))
    height = top + step * len(rows) + 24
    parts = [
        _open(560, height, title or "distribution of net results"),
        _text(left - 10, 14, "net result", "end", QUIET),
        _text(left, 14, "chance, each line a tenth of the one before", fill=QUIET),
    ]
    for decade in range(decades + 1):
        x = left + width * (1 - decade / decades)
        parts.append(
            f'<path d="M{x:g} {top - 4}V{height - 20}" stroke="{RULE}" stroke-width="0.6"/>'
        )
    for place, (label, chance) in enumerate(rows):
        y = top + step * place
        length = max(1.5, width * (1 + log10(chance) / decades))
        fill = QUIET if label.startswith("−") else ACCENT
        parts.append(_text(left - 10, y + 11, label, "end"))
        parts.append(
            f'<rect x="{left}" y="{y + 2}" width="{length:.2f}" height="11" rx="1.5" fill="{fill}"/>'
        )
        parts.append(_text(left + length + 6, y + 11, _chance(chance)))
    parts.append("</svg>")
    return "".join(parts)


def _grouped(results: Sequence[tuple[Fraction, Fraction]]) -> list[tuple[Fraction, Fraction]]:
    """As many bars as can be read: the rarest results are joined to their neighbors."""
    rows = [list(pair) for pair in sorted(results)]
    while len(rows) > _MOST_BARS:
        rarest = min(range(len(rows)), key=lambda place: rows[place][1])
        other = rarest - 1 if rarest and rows[rarest - 1][0] > 0 else rarest + 1
        other = min(other, len(rows) - 1) if other != rarest else rarest - 1
        kept, gone = rows[other], rows[rarest]
        mean = (kept[0] * kept[1] + gone[0] * gone[1]) / (kept[1] + gone[1])
        rows[other] = [mean, kept[1] + gone[1]]
        del rows[rarest]
    return [(net, chance) for net, chance in rows]


def strategy_grid(title: str, says: str, note: str, cells: Sequence[tuple[str, str, str]]) -> str:
    """Play or fold by the two highest cards: high card down, second card across, words in each."""
    highs = list(dict.fromkeys(high for high, _, _ in cells))
    middles = list(dict.fromkeys(middle for _, middle, _ in cells))
    middles.sort(key="AKQJT98765432".index)
    lines = wrap(says, _LINE)
    size, left, top = 40, 64, 77 + 15 * len(lines)
    width = max(left + size * len(middles) + 20, 680)
    height = top + size * len(highs) + 40
    parts = [
        _open(width, height, says),
        f'<path d="M0 0H{width}V{height}H0Z" fill="#fffdf8"/>',
        _heading(title),
        *(_text(20, 48 + 15 * place, line, fill=QUIET) for place, line in enumerate(lines)),
        _text(left - 34, top - 14, "high", "middle", QUIET),
        _text(left + size * len(middles) / 2, top - 28, "second card", "middle", QUIET),
    ]
    parts += [
        _text(left + size * (place + 0.5), top - 10, middle.replace("T", "10"), "middle")
        for place, middle in enumerate(middles)
    ]
    parts += [
        _text(left - 34, top + size * (place + 0.5) + 4, high.replace("T", "10"), "middle")
        for place, high in enumerate(highs)
    ]
    for high, middle, label in cells:
        x, y = left + size * middles.index(middle), top + size * highs.index(high)
        fill, ink = {"play": (ACCENT, "#ffffff"), "fold": ("#f1f0ea", QUIET)}.get(
            label, ("#e4c77a", INK)
        )
        parts.append(
            f'<rect x="{x + 1}" y="{y + 1}" width="{size - 2}" height="{size - 2}" rx="3" fill="{fill}"/>'
        )
        parts.append(_text(x + size / 2, y + size / 2 + 4, label.replace("T", "10"), "middle", ink))
    parts.append(_text(20, height - 14, note, fill=QUIET))
    parts.append("</svg>")
    return "".join(parts)


def bars(title: str, says: str, note: str, rows: Sequence[tuple[str, Fraction]]) -> str:
    """Values around zero: bars to the right for gain, to the left for loss, with their numbers."""
    lines = wrap(says, _LINE)
    left, middle, top, step, width = 150, 360, 69 + 15 * len(lines), 22, 180
    most = max(abs(value) for _, value in rows)
    height = top + step * len(rows) + 40
    parts = [
        _open(680, height, says),
        f'<path d="M0 0H680V{height}H0Z" fill="#fffdf8"/>',
        _heading(title),
        *(_text(20, 48 + 15 * place, line, fill=QUIET) for place, line in enumerate(lines)),
        f'<path d="M{middle} {top - 8}V{height - 34}" stroke="{INK}" stroke-width="0.8"/>',
    ]
    for place, (label, value) in enumerate(rows):
        y = top + step * place
        length = float(width * abs(value) / most)
        x = middle if value >= 0 else middle - length
        fill = ACCENT if value >= 0 else QUIET
        parts.append(_text(left, y + 11, label, "end"))
        parts.append(
            f'<rect x="{x:.2f}" y="{y + 1}" width="{length:.2f}" height="13" rx="1.5" fill="{fill}"/>'
        )
        at = middle + length + 6 if value >= 0 else middle - length - 6
        sign = "+" if value > 0 else "−" if value < 0 else ""
        words = f"{sign}{abs(float(value)):.4f}"
        parts.append(_text(at, y + 11, words, "start" if value >= 0 else "end"))
    parts.append(_text(20, height - 14, note, fill=QUIET))
    parts.append("</svg>")
    return "".join(parts)


def _shown(amount: Fraction) -> str:
    """Dollars as a meter shows them: whole cents, rounded down."""
    whole = int(amount * 100)
    return f"${whole // 100:,}.{whole % 100:02d}"


def through_time(
    title: str, says: str, ends: tuple[str, str], rows: Sequence[tuple[str, Sequence[Fraction]]]
) -> str:
    """Amounts at even moments, a line each on its own scale, with the first, last, least and most."""
    left, top, each, width = 20, 84, 110, 500
    height = top + each * len(rows) + 24
    parts = [_open(680, height, says), _heading(title), _text(20, 48, says, fill=QUIET)]
    for place, (label, amounts) in enumerate(rows):
        floor = top + each * place + 84
        low, high = min(amounts), max(amounts)
        span = high - low or Fraction(1)
        step = width / max(len(amounts) - 1, 1)
        path = "L".join(
            f"{left + step * at:.1f} {floor - float((amount - low) / span) * 60:.1f}"
            for at, amount in enumerate(amounts)
        )
        parts += [
            _text(left, floor - 70, label),
            f'<path d="M{left} {floor}H{left + width}" stroke="{RULE}" stroke-width="0.8"/>',
            f'<path d="M{path}" fill="none" stroke="{ACCENT}" stroke-width="1.6"/>',
            _text(left + width + 10, floor - 56, f"most {_shown(high)}", fill=QUIET),
            _text(left + width + 10, floor - 26, f"now {_shown(amounts[-1])}"),
            _text(left + width + 10, floor, f"least {_shown(low)}", fill=QUIET),
        ]
    parts += [
        _text(left, height - 10, ends[0], fill=QUIET),
        _text(left + width, height - 10, ends[1], "end", QUIET),
        "</svg>",
    ]
    return "".join(parts)


_WIDE, _HIGH, _LABEL, _GAP, _TOP = 27, 17, 40, 26, 78


def chart_panels(title: str, says: str, charts: Charts) -> str:
    """The charts beside each other. Every cell has its letter: no color says anything alone."""
    panels = charts.panels
    width = sum(_LABEL + _WIDE * len(columns(panel)) + _GAP for panel in panels.values()) + _GAP
    # a narrow last chart has room for its title
    width += max(
        0, 9 * len(list(panels)[-1]) - _LABEL - _WIDE * len(columns(list(panels.values())[-1]))
    )
    rows = max(sum(map(len, panel.values())) for panel in panels.values())
    height = _TOP + _HIGH * (rows + 3) + 56
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            f'aria-label="{escape(title)}" font-family="Libertinus Serif, Georgia, serif" '
            f'font-size="11"><title>{escape(title)}</title>'
            f'<rect width="{width}" height="{height}" fill="#fffdf8"/>'
        ),
        _words(_GAP, 26, title, size=17),
        _words(_GAP, 44, says, fill=QUIET),
    ]
    left = _GAP
    for name, panel in panels.items():
        parts.append(_panel(name, panel, charts.codes, left))
        left += _LABEL + _WIDE * len(columns(panel)) + _GAP
    legend = " · ".join(f"{letter} {code.says}" for letter, code in charts.codes.items())
    parts += [_words(_GAP, height - 16, legend, fill=QUIET), "</svg>"]
    return "".join(parts)


def columns(panel: Chart) -> list[str]:
    """The columns of a chart: the dealer's cards."""
    rows = next(iter(panel.values()))
    return list(next(iter(rows.values())))


def _panel(title: str, panel: Chart, codes: Mapping[str, Code], left: int) -> str:
    parts = [_words(left, _TOP - 4, title, size=13)]
    y = _TOP
    for kind, rows in panel.items():
        y += _HIGH + 4
        parts.append(_words(left, y - 4, kind, fill=QUIET))
        for place, up in enumerate(columns(panel)):
            parts.append(_words(left + _LABEL + _WIDE * (place + 0.5), y - 4, up, "middle"))
        for row, letters in rows.items():
            parts.append(_words(left + _LABEL - 6, y + 12.5, row, "end"))
            for place, letter in enumerate(letters.values()):
                x = left + _LABEL + _WIDE * place
                parts.append(
                    f'<rect x="{x}" y="{y}" width="{_WIDE}" height="{_HIGH}" '
                    f'fill="{codes[letter].fill}" stroke="{RULE}" stroke-width="0.6"/>'
                )
                parts.append(_words(x + _WIDE / 2, y + 12.5, letter, "middle"))
            y += _HIGH
    return "".join(parts)


def _words(
    x: float, y: float, words: str, anchor: str = "start", fill: str = INK, size: int = 11
) -> str:
    sized = f' font-size="{size}"' if size != 11 else ""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{fill}"{sized}>'
        f"{escape(words)}</text>"
    )


def picture_svg(picture: Picture) -> str:
    """The picture of a strategy."""
    if picture.charts is not None:
        return chart_panels(picture.title, picture.says, picture.charts)
    if picture.cells:
        cells = [(cell.high, cell.middle, cell.label) for cell in picture.cells]
        return strategy_grid(picture.title, picture.says, picture.note, cells)
    return bars(picture.title, picture.says, picture.note, picture.worth)
