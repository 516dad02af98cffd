"""The shapes that events of a table have had, and the steps from each to the next.

A field that an older record lacks, or that means something else there, is given here. The shape of
every kind is pinned in `tests/floor/shapes.json`: whoever changes one adds a step.
"""

from __future__ import annotations

from typing import Any

from houseway.floor.gaming_day import FacilityTime
from houseway.store.upcast import Schemas

SCHEMAS = Schemas()


@SCHEMAS.step("table_opened", 1)
def _gaming_day(body: dict[str, Any]) -> dict[str, Any]:
    """A table did not say by whose gaming day it plays; the facility's was the default."""
    usual = FacilityTime()
    return {"zone": usual.zone, "day_begins": usual.begins, **body}
