"""Every progressive on a record: links, and tables with meters of their own, with exact figures."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from houseway.floor.links.figures import Figures, figures, figures_of_table
from houseway.floor.links.history import Act, Point, Shown, shown
from houseway.floor.links.operations import links, recorded_table
from houseway.floor.links.own_meters import own_meters
from houseway.floor.links.reconcile import Reconciled
from houseway.floor.streams import PREFIX
from houseway.money import Cents, dollars
from houseway.store import Log


class ListedLink(Shown, frozen=True):
    """A link as `progressive list` writes it; what is exact is in cents."""

    holds: dict[str, str]
    reserves: dict[str, str]
    wagered: str
    figures: Figures


class ListedTable(msgspec.Struct, frozen=True):
    """A wager of a table with meters of its own."""

    table: str
    wager: str
    meters: dict[str, str]
    holds: dict[str, str]
    reserves: dict[str, str]
    figures: Figures


class Listed(msgspec.Struct, frozen=True):
    links: tuple[ListedLink, ...]
    tables: tuple[ListedTable, ...]


class History(msgspec.Struct, frozen=True):
    """The past of a link or of a table's own meters, as `progressive history` writes it."""

    link: str | None
    table: str | None
    acts: tuple[Act, ...]
    points: tuple[Point, ...]


class Sums(msgspec.Struct, frozen=True):
    """Links and tables with meters of their own added up again, as `progressive reconcile` writes them."""

    exact: bool
    links: tuple[Reconciled, ...]
    tables: tuple[Reconciled, ...]


def listed(
    log: Log, *, stake: Cents | None = None, players: int = 1,
    wagers_an_hour: Fraction | None = None,
) -> Listed:  # fmt: skip
    """Everything, as it stands now."""
    asked: dict[str, Any] = {
        "stake": stake, "players": players, "wagers_an_hour": wagers_an_hour,
    }  # fmt: skip
    return Listed(
        tuple(_link(log, link.name, asked) for link in links(log)),
        tuple(
            one
            for stream in sorted(log.heads(prefix=PREFIX))
            for one in _table(log, stream.removeprefix(PREFIX), asked)
        ),
    )


def _link(log: Log, name: str, asked: dict[str, Any]) -> ListedLink:
    from houseway.floor.links.operations import Link

    reading = Link(log, name).read()
    return ListedLink(
        **msgspec.structs.asdict(shown(reading)),
        holds={meter: str(one.holds) for meter, one in reading.meters.items()},
        reserves={meter: str(one.reserve) for meter, one in reading.meters.items()},
        wagered=dollars(reading.wagered),
        figures=figures(log, reading, **asked),
    )


def _table(log: Log, name: str, asked: dict[str, Any]) -> list[ListedTable]:
    table = recorded_table(log, name).table
    if table.phase == "closed":
        return []
    own = {meter: Fraction(table.meters[meter]) for meter in own_meters(log, name)}
    found = []
    for wager in dict.fromkeys(meter.partition(".")[0] for meter in own):
        held = {n: holds for n, holds in own.items() if n.partition(".")[0] == wager}
        found.append(
            ListedTable(
                name, wager, {n: dollars(int(holds)) for n, holds in held.items()},
                {n: str(holds) for n, holds in held.items()},
                {n: table.reserves.get(n, "0") for n in held},
                figures_of_table(log, table, wager, **asked),
            )
        )  # fmt: skip
    return found
