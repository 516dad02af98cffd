"""What people see of a table: one path from a live table or a recorded round to a `TableView`.

`table_view` shows a table as somebody may see it, `round_view` a round as `settle` reads it. What
only one game shows, such as the names of its hands, is the presentation part of its family.
"""

from houseway.present.game import PRESENTATION, Light, PresentationGame
from houseway.present.recorded_round import round_view
from houseway.present.scene import Scene
from houseway.present.settled import net
from houseway.present.table_view import own_view, showdown, table_view
from houseway.present.view import (
    CardView,
    ChipsView,
    DevicesView,
    HandView,
    MeterView,
    SeatView,
    TableView,
)
from houseway.present.visible_cards import Viewer, VisibleCards, visible_cards

__all__ = [
    "PRESENTATION", "CardView", "ChipsView", "DevicesView", "HandView", "Light", "MeterView",
    "PresentationGame", "Scene", "SeatView", "TableView", "Viewer", "VisibleCards", "net",
    "own_view", "round_view", "showdown", "table_view", "visible_cards",
]  # fmt: skip
