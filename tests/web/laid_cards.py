"""A house in the test's own process whose shuffles come out as the test wants them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence

from served import served_here
from starlette.applications import Starlette

from houseway.floor.casino import Casino
from houseway.store import open_log
from houseway.table import rules_of
from houseway.table.card_source import pack
from houseway.web.app import build


def lay(app: Starlette, laid: Mapping[str, Sequence[str]]) -> None:
    """These cards of a table come first, whenever it is shuffled.

    A table that burns a card first is told by an empty name in front of its cards.
    """
    house = app.state.dealer._house
    plain = house.fields

    def fields(table, step):
        wanted = list(laid.get(table.name, ()))
        if not wanted or step.command not in ("shuffle", "cut"):
            return plain(table, step)
        burned = wanted[0] == ""
        rest, wanted = list(pack(rules_of(table))), [card for card in wanted if card]
        for card in wanted:
            rest.remove(card)
        # the cut brings them to the front, behind the card that is burned
        first = rest[:1] if burned else []
        rest = rest[len(first) :]
        cut = len(rest) // 2
        order = rest[:cut] + first + wanted + rest[cut:]
        return {"order": order} if step.command == "shuffle" else {"depth": cut}

    house.fields = fields


@contextlib.contextmanager
def laid_house(laid: Mapping[str, Sequence[str]], pace: float = 0.15) -> Iterator[str]:
    """The address of a house where these cards of a table come first, whenever it is shuffled."""
    casino = Casino(open_log(":memory:"))
    app = build(casino, pace=pace, database=":memory:")
    lay(app, laid)
    try:
        with served_here(app) as address:
            yield address
    finally:
        casino.close()
