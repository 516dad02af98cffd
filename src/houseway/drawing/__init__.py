"""The felt as SVG: one drawing of every table, from the empty layout to a round in play.

`draw(rules)` is the empty layout, `draw(rules, view)` a round on it, `draw_compact` the same for a
phone, `draw_hero` from a player's own chair, `signs` the pages that stand at the table. `houseway.present` makes the view, which says what
is to be seen and nothing else.
"""

from houseway.drawing.export import FORMATS, export
from houseway.drawing.felt import Look, draw, layers, symbols
from houseway.drawing.hero import draw_hero, hero_layers
from houseway.drawing.layout.layout import lay_out
from houseway.drawing.layout.places import Layout
from houseway.drawing.phone import draw_compact
from houseway.drawing.signs import SIGNS, sign, signs
from houseway.drawing.theme import THEMES

__all__ = [
    "FORMATS", "SIGNS", "THEMES", "Layout", "Look", "draw", "draw_compact", "draw_hero", "export",
    "hero_layers", "lay_out", "layers", "sign", "signs", "symbols",
]  # fmt: skip
