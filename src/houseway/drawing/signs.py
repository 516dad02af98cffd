"""Signs to stand at the table: payouts, payout limit, limits, no surrender, out of order.

Each is one page, A4 upright, drawn in tenths of a millimeter.
"""

from __future__ import annotations

from collections.abc import Callable

from houseway.drawing.layout.inscription_layout import two_lines
from houseway.drawing.layout.inscriptions import (
    Panel,
    limits_text,
    payouts,
    phrases,
    spared_by_limit,
)
from houseway.drawing.lettering import fitted, line, width
from houseway.drawing.svg import group, num, picture
from houseway.drawing.theme import Theme, style, theme_of
from houseway.errors import Refused, choose_from
from houseway.law import Rules
from houseway.money import spoken
from houseway.present.game import PRESENTATION

WIDTH, HEIGHT = 2100.0, 2970.0
_EDGE = 150.0
_ROOM = WIDTH - 2 * _EDGE
_SIZE = ' width="210mm" height="297mm"'


def signs(rules: Rules, *, theme: str = "paper", house: str = "Houseway") -> dict[str, str]:
    """Every sign that these rules call for, by name."""
    names = ["payouts", "out_of_order"]
    if rules.limits:
        names.append("limits")
    if rules.options.get("payout_limit", "none") != "none":
        names.append("payout_limit")
    if any(phrase.id == "no_surrender" for phrase in phrases(rules)):
        names.append("no_surrender")
    return {name: sign(rules, name, theme=theme, house=house) for name in names}


def sign(rules: Rules, name: str, *, theme: str = "paper", house: str = "Houseway") -> str:
    """One sign as a page."""
    if name not in _SIGNS:
        raise Refused(
            "no_such_sign", f"there is no sign {name!r}", remedy=choose_from(name, _SIGNS)
        )
    look = theme_of(theme)
    about = rules.chapter.about
    inside = _SIGNS[name](rules, look)
    head = _centered(house.upper(), 190, 62, bold=True, spacing=0.3)
    head += _centered(about.game, 300, 96, bold=True)
    foot = _centered(f"{about.jurisdiction} · {about.citation}", HEIGHT - 96, 34, cls="words quiet")
    edge = num(_EDGE / 2)
    frame = (
        f'<rect width="{num(WIDTH)}" height="{num(HEIGHT)}" fill="{look.lamp}"/>'
        f'<rect x="{edge}" y="{edge}" width="{num(WIDTH - _EDGE)}" height="{num(HEIGHT - _EDGE)}" '
        f'rx="30" fill="none" stroke="{look.line}" stroke-width="6"/>'
        f'<path d="M{num(WIDTH / 2 - 420)} 352h840" stroke="{look.line}" stroke-width="3"/>'
    )
    return picture(
        WIDTH,
        HEIGHT,
        f"<style>{style(look)}</style>{frame}{head}{inside}{foot}",
        title=f"{about.game}: {name.replace('_', ' ')}",
        size=_SIZE,
        cls=f"sign {look.name}",
        id=f"sign-{name}",
    )


def _centered(
    words: str, y: float, size: float, *, bold: bool = False, spacing: float = 0, cls: str = "words"
) -> str:
    fit = fitted(words, size, _ROOM, bold=bold, spacing=spacing)
    return line(words, WIDTH / 2, y, fit, cls=cls, anchor="middle", bold=bold, spacing=spacing)


# ---- payouts --------------------------------------------------------------------------------


def _payouts(rules: Rules, theme: Theme) -> str:
    """Every payout in force, in two columns of tables, and the chapter's phrases."""
    lines, panels = payouts(rules)
    ranges = {light.range for light in PRESENTATION.of(rules.chapter).lights(rules)}
    said = [phrase.words for phrase in phrases(rules) if phrase.id not in ranges]
    words = (*said, *(phrase.words for phrase in lines))
    least = 64.0 if len(words) < 4 else 54.0
    tables = _table_size(panels, _free(words, least))
    # the phrases as large as the tables leave them room
    size = next(
        size for size in (120.0, 104.0, 90.0, 76.0, 64.0, least)
        if size == least or _columns(panels, tables, _free(words, size)) is not None
    )  # fmt: skip
    size = min([size, *(fitted(line, size, _ROOM) for line in words)])
    free = _free(words, size)
    parts = "".join(
        _centered(line, 386 + size + size * 1.45 * at, size) for at, line in enumerate(words)
    )
    placed = _columns(panels, tables, free)
    assert placed is not None
    used = max((y + _tall(panel, tables) for panel, _, _, y in placed), default=0)
    top = HEIGHT - 170 - free + min((free - used) / 3, 160)
    return parts + "".join(
        _table(panel, x, top + y, wide, tables, theme) for panel, x, wide, y in placed
    )


def _free(words: tuple[str, ...], size: float) -> float:
    """The height that phrases of this size leave to the tables."""
    return HEIGHT - 170 - (386 + size * (1 + 1.45 * len(words)))


def _table_size(panels: tuple[Panel, ...], free: float) -> float:
    """The largest lettering with which all tables have room."""
    for size in range(104, 21, -2):
        if _columns(panels, float(size), free) is not None:
            return float(size)
    raise ValueError("the payout sign has no room")


def _columns(
    panels: tuple[Panel, ...], size: float, free: float
) -> list[tuple[Panel, float, float, float]] | None:
    """Panels in two columns, the emptier one first; one that is too wide has a row of its own."""
    gutter, gap = 70.0, size * 1.1
    half = (_ROOM - gutter) / 2
    tops = [0.0, 0.0]
    placed = []
    for panel in panels:
        needs, tall = _needs(panel, size), _tall(panel, size)
        if needs > _ROOM:
            return None
        if needs > half or len(panels) == 1:
            wide = min(_ROOM, max(needs * 1.15, half))
            top = max(tops)
            placed.append((panel, (WIDTH - wide) / 2, wide, top))
            tops = [top + tall + gap] * 2
        else:
            column = 0 if tops[0] <= tops[1] else 1
            placed.append((panel, _EDGE + column * (half + gutter), half, tops[column]))
            tops[column] += tall + gap
    return placed if max(tops) - gap <= free else None


def _stops(panel: Panel, size: float) -> list[float]:
    """The width of each column of a table."""
    widths = []
    for column in range(max(len(row) for row in panel.rows)):
        cells = [row[column] for row in panel.rows if column < len(row)]
        widest = max(width(cell, size, bold=column > 0) for cell in cells)
        if panel.head:
            widest = max(
                widest, *(width(part, size * 0.7) for part in two_lines(panel.head[column]))
            )
        widths.append(widest)
    return widths


def _needs(panel: Panel, size: float) -> float:
    widths = _stops(panel, size)
    return sum(widths) + size * 0.8 * (len(widths) - 1)


def _tall(panel: Panel, size: float) -> float:
    return size * (2.0 + 1.36 * len(panel.rows) + (1.7 if panel.head else 0))


def _table(panel: Panel, x: float, y: float, wide: float, size: float, theme: Theme) -> str:
    title = fitted(panel.title.upper(), size * 1.1, wide, bold=True, spacing=0.05)
    parts = line(
        panel.title.upper(), x, y + size * 1.1, title, cls="words", bold=True, spacing=0.05
    )
    y += size * 1.5
    parts += f'<path d="M{num(x)} {num(y)}h{num(wide)}" stroke="{theme.line}" stroke-width="3"/>'
    widths = _stops(panel, size)
    stops = []
    right = x + wide
    for column in reversed(widths[1:]):
        stops.append(right)
        right -= column + size * 0.8
    stops.reverse()
    if panel.head:
        for at, heading in enumerate(panel.head):
            for row, part in enumerate(two_lines(heading)):
                if part:
                    parts += line(
                        part, stops[at - 1] if at else x, y + size * (0.9 + 0.72 * row), size * 0.7,
                        cls="words quiet", anchor="end" if at else "",
                    )  # fmt: skip
        y += size * 1.7
    for cells in panel.rows:
        y += size * 1.36
        parts += line(cells[0], x, y - size * 0.3, size, cls="words")
        for at, cell in enumerate(cells[1:]):
            if cell:
                stop = stops[at] if len(cells) > 2 else stops[-1]
                parts += line(
                    cell, stop, y - size * 0.3, size, cls="words", anchor="end", bold=True
                )
        parts += f'<path class="rule" d="M{num(x)} {num(y + size * 0.06)}h{num(wide)}"/>'
    return group(parts, id=f"sign-{panel.wager}", title=f"{panel.title} pays")


# ---- the others -----------------------------------------------------------------------------


def _payout_limit(rules: Rules, theme: Theme) -> str:
    del theme
    limit = rules.options.get("payout_limit", "none")
    if limit == "none":
        raise Refused("no_payout_limit", "these rules set no payout limit", field="payout_limit")
    return (
        _centered("PAYOUT LIMIT", 1000, 150, bold=True, spacing=0.1)
        + _centered(spoken(int(limit)), 1420, 380, bold=True)
        + _centered("is the most that one player is paid", 1640, 84)
        + _centered("for all wagers in one round of play", 1750, 84)
        + "".join(
            _centered(f"{name} is paid beside it", 1960 + 100 * at, 66)
            for at, name in enumerate(spared_by_limit(rules).values())
        )
    )


def _limits(rules: Rules, theme: Theme) -> str:
    rows = limits_text(rules)
    if not rows:
        raise Refused("no_limits", "these rules post no limits", field="limits")
    parts = _centered("TABLE LIMITS", 560, 120, bold=True, spacing=0.1)
    tall = min(300.0, 1900 / len(rows))
    y = 760.0
    parts += line("Minimum", _EDGE + _ROOM * 0.66, y - 40, 54, cls="words quiet", anchor="end")
    parts += line("Maximum", _EDGE + _ROOM, y - 40, 54, cls="words quiet", anchor="end")
    for name, least, most in rows:
        parts += f'<path d="M{num(_EDGE)} {num(y)}h{num(_ROOM)}" stroke="{theme.line}" stroke-width="3"/>'
        base = y + tall * 0.62
        size = min(110.0, tall * 0.5)
        parts += line(name, _EDGE, base, fitted(name, size * 0.86, _ROOM * 0.42), cls="words")
        for amount, stop in ((least, 0.66), (most, 1.0)):
            if amount:
                fit = fitted(amount, size, _ROOM * 0.3, bold=True)
                parts += line(
                    amount, _EDGE + _ROOM * stop, base, fit, cls="words", anchor="end", bold=True
                )
        y += tall
    return parts


def _out_of_order(rules: Rules, theme: Theme) -> str:
    del rules
    return (
        f'<rect x="300" y="900" width="1500" height="900" rx="40" fill="none" stroke="{theme.lose}" '
        'stroke-width="24"/>'
        + line("OUT OF", WIDTH / 2, 1290, 330, cls="lose", anchor="middle", bold=True)
        + line("ORDER", WIDTH / 2, 1640, 330, cls="lose", anchor="middle", bold=True)
        + _centered("This device is not in use.", 1990, 84)
        + _centered("The cards are shuffled or dealt another way.", 2100, 84)
    )


def _no_surrender(rules: Rules, theme: Theme) -> str:
    del theme
    words = next((p.words for p in phrases(rules) if p.id == "no_surrender"), "")
    if not words:
        raise Refused("no_such_sign", "this game has no rule on surrender", field="sign")
    return _centered("NO SURRENDER", 1300, 210, bold=True, spacing=0.06) + _centered(
        words, 1520, 80
    )


_SIGNS: dict[str, Callable[[Rules, Theme], str]] = {
    "payouts": _payouts,
    "payout_limit": _payout_limit,
    "limits": _limits,
    "no_surrender": _no_surrender,
    "out_of_order": _out_of_order,
}
SIGNS = tuple(_SIGNS)
