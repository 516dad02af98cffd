"""A floor file: the tables of a casino, of any chapters, and the meters that link them.

Each `[[table]]` is a rules file of its own, or names one, and says how many such tables there are,
how long they are open, how fast they are dealt, who plays and what is wagered. Tables with the same
`link` feed and win one set of meters, and must agree about them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from houseway.errors import Refused
from houseway.law import Rules, choose, read_rules
from houseway.law.meter_terms import MetersFile
from houseway.money import Cents, cents
from houseway.simulate.plan import plan_of
from houseway.untrusted import read_toml

if TYPE_CHECKING:
    from houseway.simulate.scenarios.floor_day import Group


class FloorTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[table]]`."""

    name: str = ""
    #: how many tables of this kind there are
    tables: int = 1
    #: a rules file, from where the floor file is; or the parts of one
    file: str = ""
    chapter: str = ""
    rules: dict[str, Any] = {}
    limits: dict[str, dict[str, str]] = {}
    meters: MetersFile = {}
    paytables: dict[str, dict[str, str]] = {}
    hours: float = 8
    per_hour: int = 40
    players: int = 1
    #: in dollars; left out, everything that is offered
    wagers: dict[str, str] = {}
    strategy: str = "optimal"
    link: str = ""


class FloorFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A floor as it is written down."""

    name: str = ""
    table: list[FloorTable]


@dataclass(frozen=True)
class Floor:
    """A floor ready to be played: groups of tables, and which of them each meter links."""

    name: str
    groups: tuple[Group, ...]
    links: dict[str, tuple[int, ...]]


def read_floor(path: Path, seed: str = "1") -> Floor:
    """A floor from its file."""
    given = read_toml(path, "not_a_floor_file")
    if "chapter" in given:
        raise Refused(
            "not_a_floor_file", f"{path} is a rules file, not a floor file",
            remedy=f"write --rules {path}",
        )  # fmt: skip
    try:
        parsed = msgspec.convert(given, FloorFile)
    except msgspec.ValidationError as error:
        raise Refused("not_a_floor_file", f"{path}: {error}") from None
    if not parsed.table:
        raise Refused("not_a_floor_file", f"{path}: a floor has at least one [[table]]")
    groups: list[Group] = []
    links: dict[str, list[int]] = {}
    for number, table in enumerate(parsed.table, 1):
        name = table.name or f"table {number}"
        if name in {group.name for group in groups}:
            raise Refused("not_a_floor_file", f"{path}: two tables are called {name}", field="name")
        try:
            groups.append(_group(name, table, path.parent, seed))
        except Refused as refusal:
            refusal.message = f"{path.name}, {name}: {refusal.message}"
            raise refusal from None
        if table.link:
            links.setdefault(table.link, []).append(number - 1)
    for link, members in links.items():
        _check_link(link, [groups[place] for place in members])
    return Floor(
        parsed.name or path.stem, tuple(groups), {name: tuple(of) for name, of in links.items()}
    )


def _group(name: str, table: FloorTable, folder: Path, seed: str) -> Group:
    from houseway.simulate.scenarios.floor_day import Group

    rounds = round(table.hours * table.per_hour)
    if table.tables < 1 or rounds < 1 or table.per_hour < 1:
        raise Refused("no_rounds", "there must be at least one table, and one round in its hours")
    wagers: dict[str, Cents] = {}
    for wager, amount in table.wagers.items():
        try:
            wagers[wager] = cents(amount)
        except Refused as refusal:
            raise refusal.at(field=f"wagers.{wager}") from None
    rules = _rules(table, folder)
    strategy = table.strategy
    own = folder / strategy.partition(":")[0]
    if strategy.partition(":")[0].endswith((".py", ".toml")) and own.exists():
        strategy = str(folder / strategy)
    plan = plan_of(
        rules,
        players=table.players,
        wagers=wagers or None,
        strategy=strategy,
        # every kind of table has cards of its own
        seed=f"{seed} {name}",
    )
    return Group(name, plan, table.tables, rounds, table.per_hour)


def _rules(table: FloorTable, folder: Path) -> Rules:
    inline = table.chapter or table.rules or table.limits or table.meters or table.paytables
    if bool(table.file) == bool(inline):
        raise Refused("not_a_floor_file", "a table has a file, or a chapter and its rules")
    if table.file:
        return read_rules(folder / table.file)
    return choose(
        table.chapter,
        table.rules,
        limits=table.limits,
        meters=table.meters,
        paytables=table.paytables,
    )


def _check_link(link: str, groups: list[Group]) -> None:
    """Tables on one set of meters have the same ones, on the same terms."""
    first = groups[0].rules
    if not first.meter_names:
        raise Refused("no_such_meter", f"{groups[0].name} has no meter to link as {link}")
    for group in groups[1:]:
        rules = group.rules
        names = rules.chapter.id, rules.meter_names
        if names != (first.chapter.id, first.meter_names) or any(
            rules.meter(name) != first.meter(name) for name in first.meter_names
        ):
            raise Refused(
                "link_differs",
                f"{group.name} and {groups[0].name} do not have the same meters, so {link} cannot "
                "link them",
                field="link",
            )
