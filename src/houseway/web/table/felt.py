"""The felt on a page: the ground once, and what moves in layers that a stream can replace.

The drawing is the same as in the packet. Here its style sheet comes from an address of its own, and
no style stands in an attribute, because the page's policy allows neither.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from functools import cache

from houseway.drawing import Look, TableView, draw, draw_compact, lay_out, symbols
from houseway.drawing.pieces.cards import Deck
from houseway.drawing.pieces.devices import devices
from houseway.drawing.round_layer import in_play
from houseway.drawing.theme import THEMES, style, theme_of
from houseway.law import Rules

_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_INLINE = re.compile(r' style="fill:([^";]+)"')
_OTHER = re.compile(r' style="[^"]*"')


def clean(markup: str) -> str:
    """Without style elements and attributes."""
    return _OTHER.sub("", _INLINE.sub(r' fill="\1"', _STYLE.sub("", markup)))


@cache
def sheet(theme: str) -> str:
    """The style sheet of every felt in this theme.

    Its rules are not put under `.felt`: what `<use>` shows of a position has no ancestors there.
    """
    return style(theme_of(theme)).replace("}", "}\n")


@cache
def page_symbols(four_colour: bool = False) -> str:
    """Every card, back and chip, once for the page."""
    return clean(symbols(four_colour=four_colour)).replace("<svg ", '<svg class="symbols" ', 1)


class Felt:
    """The drawing of one table in one look."""

    def __init__(self, rules: Rules, *, theme: str = "green", prefix: str = "") -> None:
        self.rules = rules
        self.look = Look(theme=theme if theme in THEMES else "green", prefix=prefix, symbols=False)
        self._layout = lay_out(rules, None, self.look.house)
        self._deck = Deck()
        self._theme = theme_of(self.look.theme)
        empty = TableView()
        still = devices(rules, self._layout, empty, prefix, self._theme)
        self._ground = clean(draw(rules, empty, self.look)).replace(
            clean(still), f'<g id="{prefix}layer-devices"></g><g id="{prefix}layer-play"></g>'
        )

    def parts(self, view: TableView) -> dict[str, str]:
        """The layers that move, each as one group."""
        prefix = self.look.prefix
        standing = devices(self.rules, self._layout, view, prefix, self._theme)
        moving = in_play(self._layout, view, prefix, self._deck, self._theme)[0]
        return {
            f"{prefix}layer-devices": clean(f'<g id="{prefix}layer-devices">{standing}</g>'),
            f"{prefix}layer-play": clean(f'<g id="{prefix}layer-play">{moving}</g>'),
        }

    def whole(self, view: TableView) -> str:
        """The table with everything on it, for the first paint."""
        found = self._ground
        for id, markup in self.parts(view).items():
            found = found.replace(f'<g id="{id}"></g>', markup)
        return found

    def whole_empty(self) -> str:
        """The empty table, as it is submitted."""
        return self.whole(TableView())

    def both(self, view: TableView) -> str:
        """The whole table, and beside it the one for a phone; the page shows which fits."""
        return (
            f'<div class="wide-felt">{clean(self.whole(view))}</div>'
            f'<div class="compact-felt">{self.compact(view)}</div>'
        )

    def compact(self, view: TableView) -> str:
        look = Look(theme=self.look.theme, prefix="c-", symbols=False)
        return clean(draw_compact(self.rules, view, look))


_felts: OrderedDict[tuple[str, str, str], Felt] = OrderedDict()


def felt_of(rules: Rules, *, theme: str = "green", prefix: str = "") -> Felt:
    """The drawing for these rules; made once."""
    key = (rules.hash, theme, prefix)
    found = _felts.get(key)
    if found is None:
        found = _felts[key] = Felt(rules, theme=theme, prefix=prefix)
        if len(_felts) > 512:
            _felts.popitem(last=False)
    return found
