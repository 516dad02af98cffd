"""The felt on a page: the ground once, and what moves in layers that a stream can replace.

The drawing is the same as in the packet. Its style sheet comes from an address of its own, because
the page's policy allows no other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from houseway.drawing import THEMES, Look, draw, draw_compact, layers, symbols
from houseway.drawing.theme import style, theme_of
from houseway.law import Rules
from houseway.present import TableView

#: every card, back and chip, once for the page
page_symbols = symbols


@cache
def sheet(theme: str) -> str:
    """The style sheet of every felt in this theme.

    Its rules are not put under `.felt`: what `<use>` shows of a position has no ancestors there.
    """
    return style(theme_of(theme)).replace("}", "}\n")


@dataclass(frozen=True, slots=True)
class Felt:
    """The drawing of one table in one look."""

    rules: Rules
    look: Look

    def parts(self, view: TableView) -> dict[str, str]:
        """The layers that move, each as one group."""
        return layers(self.rules, view, self.look)

    def whole(self, view: TableView | None = None) -> str:
        """The table with everything on it, for the first paint; empty, as it is submitted."""
        return draw(self.rules, view, self.look)

    def compact(self, view: TableView) -> str:
        """The table for a phone."""
        return draw_compact(self.rules, view, replace(self.look, prefix="c-"))

    def both(self, view: TableView) -> str:
        """The whole table, and beside it the one for a phone; the page shows which fits."""
        return (
            f'<div class="wide-felt">{self.whole(view)}</div>'
            f'<div class="compact-felt">{self.compact(view)}</div>'
        )


def felt_of(rules: Rules, *, theme: str = "green", prefix: str = "") -> Felt:
    """The drawing for these rules on a page."""
    theme = theme if theme in THEMES else "green"
    return Felt(rules, Look(theme=theme, prefix=prefix, page=True))
