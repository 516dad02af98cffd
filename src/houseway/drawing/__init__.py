"""The felt as SVG: one drawing of every table, from the empty layout to a round in play.

`draw(rules)` is the empty layout, `draw(rules, view)` a round on it, `draw_compact` the same for a
phone, `signs` the pages that stand at the table. A view says what is to be seen and nothing else.
"""

from houseway.drawing.export import FORMATS, export
from houseway.drawing.felt import Look, draw, symbols
from houseway.drawing.layout.layout import lay_out
from houseway.drawing.layout.places import Layout
from houseway.drawing.phone import draw_compact
from houseway.drawing.recorded_round import round_view
from houseway.drawing.signs import SIGNS, sign, signs
from houseway.drawing.theme import THEMES
from houseway.drawing.view import (
    CardView,
    ChipsView,
    DevicesView,
    HandView,
    MeterView,
    SeatView,
    TableView,
)

__all__ = [
    "FORMATS", "SIGNS", "THEMES", "CardView", "ChipsView", "DevicesView", "HandView", "Layout",
    "Look", "MeterView", "SeatView", "TableView", "draw", "draw_compact", "export", "lay_out",
    "round_view", "sign", "signs", "symbols",
]  # fmt: skip
