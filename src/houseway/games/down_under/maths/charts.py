"""The strategy to look at: one chart for each range, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from houseway.games.down_under.maths.solver.hands import ACE, TEN, VALUES

if TYPE_CHECKING:
    from houseway.games.down_under.maths.strategy import Chart

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
