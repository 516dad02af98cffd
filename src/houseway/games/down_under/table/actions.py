"""The actions of the commands that only Down Under has, or that it opens in phases of its own."""

from __future__ import annotations

from houseway.table.actions import Actions

ACTIONS = Actions()
