"""The felt on a page: the ground once, and what moves in layers that a stream can replace.

The drawing is the same as in the packet. Its style sheet comes from an address of its own, because
the page's policy allows no other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from houseway.drawing import (
    THEMES,
    Look,
    draw,
    draw_compact,
    draw_hero,
    hero_layers,
    layers,
    symbols,
)
from houseway.drawing.theme import style, theme_of
from houseway.floor.casino import Casino
from houseway.floor.submissions import registers
from houseway.law import Rules
from houseway.present import TableView
from houseway.submission import check_text
from houseway.table import Table

#: every card, back and chip, once for the page
page_symbols = symbols


@cache
def sheet(theme: str) -> str:
    """The style sheet of every felt in this theme, and the colors that its page takes from it.

    Its rules are not put under `.felt`: what `<use>` shows of a position has no ancestors there.
    """
    t = theme_of(theme)
    colors = f":root{{--felt:{t.lamp};--leather:{t.rail};--crown:{t.crown};--seam:{t.seam}}}\n"
    return colors + style(t).replace("}", "}\n")


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

    def hero(self, view: TableView) -> str:
        """The table from the reader's chair."""
        return draw_hero(self.rules, view, self._from_my_chair)

    def hero_parts(self, view: TableView) -> dict[str, tuple[str, ...]]:
        """The layers of the table from the reader's chair."""
        return hero_layers(self.rules, view, self._from_my_chair)

    @property
    def _from_my_chair(self) -> Look:
        return replace(self.look, prefix="h-")

    def mine(self, view: TableView) -> str:
        """The table from the reader's chair, and beside it the one for a phone."""
        return (
            f'<div class="wide-felt">{self.hero(view)}</div>'
            f'<div class="compact-felt">{self.compact(view)}</div>'
        )

    def both(self, view: TableView) -> str:
        """The whole table, and beside it the one for a phone; the page shows which fits."""
        return (
            f'<div class="wide-felt">{self.whole(view)}</div>'
            f'<div class="compact-felt">{self.compact(view)}</div>'
        )


def felt_of(rules: Rules, *, theme: str = "green", prefix: str = "", house: str = "") -> Felt:
    """The drawing for these rules on a page; `house` is the operator's name, as it was submitted."""
    theme = theme if theme in THEMES else "green"
    look = Look(theme=theme, prefix=prefix, page=True)
    return Felt(rules, replace(look, house=house) if house else look)


_operators: dict[tuple[str, str], str] = {}


def operator_of(casino: Casino, table: Table) -> str:
    """The operator's name on the felt of a table, from the submission that it was opened with.

    The table may be one of the record that this house does not run.
    """
    key = table.name, table.rules_hash
    if key not in _operators:
        _operators[key] = ""
        for register in registers(casino.log):
            kept = register.opened_with(table.name)
            submission = check_text(kept.text, kept.name).submission if kept is not None else None
            if submission is not None:
                _operators[key] = submission.who.operator
    return _operators[key]
