"""A table as a role sees it: one shape for every role.

Every field is always there. What a role may not see is null; new fields may be added, and those that
are there keep their name and place.
"""

from __future__ import annotations

from typing import Any

from houseway.table import NextStep, Table
from houseway.table.views import (
    DealerView,
    FloorView,
    PublicView,
    SeatView,
    SurveillanceView,
    dealer_view,
    floor_view,
    public_view,
    seat_view,
    surveillance_view,
)


class View(PublicView, frozen=True, kw_only=True):
    """A table as one role sees it.

    `public` is the felt as everybody sees it; the same fields stand beside it at the top. What the
    role may not see is null.
    """

    #: the dealer's cards; in a floorperson's view the dealer's view
    dealer: tuple[str, ...] | DealerView = ()  # type: ignore[assignment]
    public: PublicView
    #: the player's own seat
    seat: int | None
    #: the commands that this role may send now
    legal: tuple[str, ...]
    #: what this role has to do, or for the house what anybody has to do
    next: tuple[NextStep, ...]
    tray: dict[str, int] | None
    tray_total: str | None
    #: the wager to settle next, in words
    due: str | None
    irregularities: tuple[NextStep, ...] | None
    drop: str | None
    tips: str | None
    #: the decks of the table and where they are
    decks: dict[str, str] | None
    #: decks to be changed soon, or overdue: when
    change: dict[str, str] | None
    rounds_since_count: int | None


def view_as(table: Table, role: str, seat: int, at: str) -> View:
    """The table as a role sees it at a time; a player without a seat sees what everybody sees."""
    if seat:
        return _view(seat_view(table, seat))
    if role == "dealer":
        return _view(dealer_view(table, at))
    if role == "floorperson":
        found = floor_view(table, at)
        return _view(found.dealer, found)
    if role == "surveillance":
        return _view(surveillance_view(table, at))
    return _view(public_view(table))


_PUBLIC = PublicView.__struct_fields__
_OWN = tuple(name for name in View.__struct_fields__ if name not in _PUBLIC and name != "public")


def _view(
    *seen: PublicView | SeatView | DealerView | FloorView | SurveillanceView,
) -> View:
    """Merge views into one; if several have a field, the last one wins."""
    first = seen[0]
    public = first if isinstance(first, PublicView) else first.public  # type: ignore[union-attr]
    fields: dict[str, Any] = {name: getattr(public, name) for name in _PUBLIC}
    fields |= dict.fromkeys(_OWN) | {"legal": (), "next": (), "public": public}
    for part in seen:
        if not isinstance(part, PublicView):
            fields |= {n: getattr(part, n) for n in part.__struct_fields__}
    return View(**fields)
