"""How values show themselves in a notebook.

A value asks `houseway.notebook` when it is shown, so that the packages below know nothing of
pictures and pages.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from houseway.extras import naming_extras


class ShownAsPage:
    """A value that a notebook shows as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(import_module("houseway.notebook").html(self))


class ShownAsPicture:
    """A value that a notebook shows as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(import_module("houseway.notebook").svg(self))


class HasFigures:
    """A value with tables of figures, for pandas, polars and whatever else reads Arrow."""

    __slots__ = ()

    @naming_extras()
    def to_arrow(self, table: str = "") -> Any:
        """One of the value's tables as a `pyarrow.Table`; by default the first of `arrow_tables`."""
        return import_module("houseway.notebook").arrow(self, table)

    @property
    def arrow_tables(self) -> tuple[str, ...]:
        """The names of the tables of figures that this value has."""
        return tuple(import_module("houseway.notebook").figures(self))
