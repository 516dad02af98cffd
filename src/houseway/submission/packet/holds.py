"""What the house keeps of each wager under these rules, from the exact mathematics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from houseway.law import Chapter, Rules
from houseway.maths.figures import percent
from houseway.maths.par import table_entries, wager_name
from houseway.maths.sheet import Entry, is_chosen
from houseway.money import cents, spoken


@dataclass(frozen=True)
class Hold:
    """The exact hold of one wager with its paytable, and what else it depends on."""

    wager: str
    name: str
    paytable: str
    columns: Mapping[str, Any]
    edge: Fraction
    #: for a progressive: at which meters
    at: str = ""
    #: columns that are options themselves: a change of them is a change of the hold
    chosen: tuple[str, ...] = ()

    @property
    def percent(self) -> str:
        return percent(self.edge, 4)

    @property
    def open_columns(self) -> dict[str, Any]:
        """What the hold depends on that the rules leave open: the stake, the players."""
        return {name: value for name, value in self.columns.items() if name not in self.chosen}

    @property
    def key(self) -> tuple[str, ...]:
        """What makes two holds comparable: wager, stake and players, but not what is chosen."""
        return (self.wager, *(f"{name} {value}" for name, value in self.open_columns.items()))


def name_of(rules: Rules, wager: str) -> str:
    """The name of a wager of a PAR sheet."""
    return wager_name(rules.chapter, wager)


def columns_text(law: Chapter, columns: Mapping[str, Any]) -> str:
    """What a hold depends on, in words: "at $5, 2 players"."""
    return ", ".join(column_text(law, name, value) for name, value in columns.items())


def column_text(law: Chapter, name: str, value: Any) -> str:
    if name == "stake":
        return f"at {spoken(cents(str(value)))}"
    if name in ("players", "decks"):
        return f"{value} {name.removesuffix('s') if str(value) == '1' else name}"
    option = law.options.get(name)
    chosen = next((c for c in option.choices if c.value == value), None) if option else None
    if chosen is not None and (name, value) not in law.paytables:
        return chosen.says
    return f"{name} {value}".replace("_", " ")


def hold_of(rules: Rules, entry: Entry) -> Hold | None:
    """The hold of an entry; a progressive's with its meters just reset."""
    # a column with the name of a bonus only says again which paytable it is
    bonuses = rules.chapter.bonuses
    columns = {key: value for key, value in entry.columns.items() if key not in bonuses}
    chosen = tuple(key for key in columns if key in rules.options)
    at = ""
    if entry.spread is not None:
        edge = entry.spread.edge
    elif entry.progressive is not None:
        terms = entry.progressive
        edge = terms.wager.edge(terms.meters)
        at = ", ".join(f"{name} {spoken(amount)}" for name, amount in terms.meters.items())
    else:
        return None
    name = name_of(rules, entry.wager)
    return Hold(entry.wager, name, entry.paytable, columns, edge, at, chosen)


def holds(rules: Rules) -> list[Hold]:
    """The hold of every wager offered, by the stake and the number of players where they matter."""
    entries = [e for e in table_entries(rules) if is_chosen(rules, e)]
    found = [hold for hold in (hold_of(rules, entry) for entry in entries) if hold is not None]
    edges: dict[tuple[str, ...], set[Fraction]] = {}
    for hold in found:
        edges.setdefault(_but_stake(hold).key, set()).add(hold.edge)
    told = (h if len(edges[_but_stake(h).key]) > 1 else _but_stake(h) for h in found)
    return list({hold.key: hold for hold in told}.values())


def _but_stake(hold: Hold) -> Hold:
    rest = {key: value for key, value in hold.columns.items() if key != "stake"}
    return replace(hold, columns=rest)


@dataclass(frozen=True)
class HoldChange:
    """One wager's hold before and after; None if it was not or is not offered."""

    old: Hold | None
    new: Hold | None

    @property
    def either(self) -> Hold:
        found = self.new or self.old
        assert found is not None
        return found

    @property
    def change(self) -> Fraction | None:
        return self.new.edge - self.old.edge if self.old and self.new else None


def hold_changes(old: Iterable[Hold], new: Iterable[Hold]) -> Iterator[HoldChange]:
    """Every wager whose hold changed, in the order of the new submission.

    Where it depends on the stake or the players on one side only, the other side has the same hold
    for all of them.
    """
    before, after = tuple(old), tuple(new)
    told = set()
    for hold in (*after, *before):
        if hold.key in told or any(_is_part(hold, one) for one in (*after, *before)):
            continue
        told.add(hold.key)
        change = HoldChange(_at(hold, before), _at(hold, after))
        if change.change != 0:
            yield change


def _is_part(whole: Hold, one: Hold) -> bool:
    """Whether a hold is that of another for one stake or number of players."""
    return whole.wager == one.wager and whole.open_columns.items() < one.open_columns.items()


def _at(hold: Hold, among: Iterable[Hold]) -> Hold | None:
    """The hold of the same wager for the same stake and players."""
    for one in among:
        if one.key == hold.key:
            return one
        if _is_part(one, hold):
            return replace(one, columns={**one.columns, **hold.open_columns})
    return None
