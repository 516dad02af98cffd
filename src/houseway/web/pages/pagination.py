"""Turning pages of what is listed newest first.

An address remembers the ends of the pages that led to it, so that older and newer are exact however
much is written in between; where they are very many, the first are forgotten and the newest is next.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request

_AT, _BACK = "at", 60


class Turning(NamedTuple):
    """The addresses of other pages; empty where there is none."""

    newest: str = ""
    newer: str = ""
    older: str = ""


def begins(request: Request) -> str:
    """Where the page that is asked for begins: the end of the one before it."""
    way = _way(request)
    return way[-1] if way else ""


def turning(request: Request, asked: Mapping[str, str], end: str) -> Turning:
    """The pages around the one that is asked for; `end` is empty on the last."""
    way, plain = _way(request), [(name, value) for name, value in asked.items() if value]

    def address(ends: list[str]) -> str:
        return f"{request.url.path}?{urlencode([*plain, *((_AT, end) for end in ends)])}"

    return Turning(
        address([]) if way else "",
        address(way[:-1]) if way else "",
        address([*way, end][-_BACK:]) if end else "",
    )


def _way(request: Request) -> list[str]:
    return [end for end in request.query_params.getlist(_AT) if end]
