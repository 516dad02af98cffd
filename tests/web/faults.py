"""Serious faults of access on a page, found by axe."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

#: what is never painted where it stands: symbols for `use`, and pictures hidden from readers
_UNSEEN = [["svg.symbols"], [".mini"]]


def faults(page: Page) -> list[tuple[str, list[str]]]:
    axe: Any = pytest.importorskip("axe_playwright_python.sync_playwright")
    # only what is wrong is written out: the rest is most of the work on a page with a felt
    found = axe.Axe().run(
        page, context={"exclude": _UNSEEN}, options={"resultTypes": ["violations"]}
    )
    return [
        (one["id"], [node["html"][:120] for node in one["nodes"]][:3])
        for one in found.response["violations"]
        if one["impact"] in ("serious", "critical")
    ]
