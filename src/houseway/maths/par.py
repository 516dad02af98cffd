"""The PAR sheet: every wager of a chapter with every paytable, or with the rules that were chosen.

`par(chapter)` has all paytables; `par(chapter, rules)` what a table offers. The
entries come from the mathematics part of the chapter's game. Wagers that are figured together are
one entry, with the name that `chapter.toml` gives it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec

from houseway.arguments import checked
from houseway.errors import Refused
from houseway.extras import naming_extras
from houseway.law import Chapter, Paytable, Rules, chapter, choose, names_of
from houseway.law.chapter import Wager
from houseway.law.choices import letters
from houseway.maths.game import MATHS
from houseway.maths.paytables.edge import edge_of
from houseway.maths.paytables.rows import possible, rows_of
from houseway.maths.sheet import Entry, Sheet
from houseway.money import Cents


class Asked(msgspec.Struct, frozen=True, dict=True):
    """What the figures are wanted for. Defaults to everything in the chapter."""

    law: Chapter
    rules: Rules | None = None
    stakes: tuple[Cents, ...] = ()
    players: tuple[int, ...] = ()
    meters: Mapping[str, Cents] = msgspec.field(default_factory=dict)

    def offered(self, wager: str) -> bool:
        return self.rules is None or self.rules.offers(wager)

    def tables(self, wager: str) -> Sequence[Paytable]:
        """The paytables of a wager: the chosen one, or all that may be chosen."""
        if self.rules is not None:
            return self.rules.tables(wager)
        every = {id: t for (name, id), t in self.law.paytables.items() if name == wager}
        option = self.law.options.get(wager)
        chosen = [choice.value for choice in option.choices] if option else []
        return [every[id] for id in every if id in chosen] or list(every.values())

    def variants(self, option: str) -> Iterator[tuple[str, Rules]]:
        """The chosen rules, or rules for each choice of an option with what it needs."""
        if self.rules is not None:
            yield str(self.rules[option]), self.rules
            return
        for choice in self.law.options[option].choices:
            needs = {other: allowed[0] for other, allowed in choice.needs.items()}
            yield str(choice.value), choose(self.law, {option: choice.value, **needs})

    def seats(self) -> Sequence[int]:
        """For how many players a wager that looks at other seats is shown."""
        return self.players or tuple(range(1, self.law.number("seats") + 1))


def wager_ids(law: Chapter) -> list[str]:
    """The entries of a PAR sheet by name: wagers that are figured together are one."""
    return list(dict.fromkeys(wager.entry for wager in law.about.wagers))


def quick_wagers(law: Chapter) -> list[str]:
    """Those that take no long solution."""
    slow = MATHS.of(law).slow
    return [
        name
        for name in wager_ids(law)
        if (wager := base_wager(law, name)) is not None and wager.settled_on not in slow
    ]


def base_wager(law: Chapter, name: str) -> Wager | None:
    """The wager that an entry's figures are per unit of: the first that is figured in it.

    `name` is that of the entry or of any wager in it.
    """
    entry = law.wagers[name].entry if name in law.wagers else name
    return next((wager for wager in law.about.wagers if wager.entry == entry), None)


def entry_of(law: Chapter, id: str) -> str:
    """The name of the entry in which a wager or a bonus is figured."""
    if id in law.wagers:
        return law.wagers[id].entry
    bonus = law.bonuses.get(id)
    return id if bonus is None else bonus.figured_in or law.wagers[bonus.beside].entry


def wager_id(law: Chapter, wager: str) -> str:
    """The id of a wager or an entry that is given by its id or its name, in letters of any case."""
    names = {letters(name): one.id for one in law.about.wagers for name in (one.id, one.name)}
    for one in law.about.wagers:
        names |= dict.fromkeys(map(letters, (one.entry, wager_name(law, one.entry))), one.entry)
    return names.get(letters(wager), wager)


def wager_name(law: Chapter, wager: str) -> str:
    """What a person calls an entry of a PAR sheet: its wager's name, or those of all in it."""
    known = law.wagers.get(wager)
    if known is not None:
        return known.name
    names = [one.name for one in law.about.wagers if one.entry == wager]
    return " and ".join(names) or wager.replace("_", " ").capitalize()


@naming_extras()
@checked
def par(
    law: Chapter | Rules | str,
    rules: Rules | None = None,
    *,
    stakes: Iterable[Cents] = (),
    players: Iterable[int] = (),
    meters: Mapping[str, Cents] | None = None,
    at_stakes: Mapping[str, Cents] | None = None,
) -> Sheet:
    """Return the PAR sheet of a chapter or, with `rules`, of a table that plays by them.

    `at_stakes` are wagers of one seat with their stakes, to be played jointly.
    """
    if isinstance(law, Rules):
        rules = law
        law = rules.chapter
    law = chapter(law) if isinstance(law, str) else law
    asked = Asked(law, rules, tuple(stakes), tuple(players), dict(meters or {}))
    _check(asked)
    entries = _entries(asked)
    from houseway.maths.joint.joint_wagers import played_at_stakes, taken_together

    together, tables, left_out = taken_together(asked)
    joint = played_at_stakes(asked, at_stakes) if at_stakes else None
    return Sheet(law, rules, entries, together, tables, left_out, joint)


def table_entries(rules: Rules) -> list[Entry]:
    """The entries of a table's PAR sheet, without the figures of several wagers together."""
    asked = Asked(rules.chapter, rules, (), (), {})
    _check(asked)
    return _entries(asked)


def _entries(asked: Asked) -> list[Entry]:
    return [entry for wager in wager_ids(asked.law) for entry in entries_of(asked, wager)]


def entries_of(asked: Asked, name: str) -> list[Entry]:
    """The entries of one wager or entry, none where it is not offered or nothing is known of it."""
    wager = base_wager(asked.law, name)
    if wager is None or not asked.offered(wager.id):
        return []
    return list(MATHS.of(asked.law).entries(asked, wager))


def chosen_entry(asked: Asked, name: str) -> Entry | None:
    """The entry of a wager for the rules as they are chosen; None where there is not just one."""
    wager = base_wager(asked.law, name)
    if wager is None or not asked.offered(wager.id):
        return None
    return MATHS.of(asked.law).chosen_entry(asked, wager)


def _check(asked: Asked) -> None:
    from houseway.maths.progressive import meter_name

    if asked.rules is not None:
        if asked.rules.chapter.id != asked.law.id:
            raise Refused(
                "another_chapter",
                f"these are rules for {asked.rules.chapter.id}, not for {asked.law.id}",
                field="chapter",
            )
        for table in asked.rules.own_tables.values():
            check_rows(asked.law, table)
    known = [
        meter_name(wager.id, pay.odds)
        for wager in asked.law.about.wagers
        if wager.kind == "progressive" and asked.offered(wager.id)
        for table in asked.tables(wager.id)
        for pay in table.pays.values()
        if pay.odds.kind == "meter"
    ]
    for name in asked.meters:
        if name not in known:
            there = ", ".join(dict.fromkeys(known)) or "none"
            raise Refused(
                "no_such_meter",
                f"there is no meter {name} here; choose from {there}",
                field="meter",
            )
    for stake in asked.stakes:
        if stake <= 0:
            raise Refused("no_wager", "the stake must be greater than zero", field="stake")
    seats = asked.law.number("seats")
    for players in asked.players:
        if not 1 <= players <= seats:
            raise Refused(
                "players_out_of_range",
                f"{asked.law.id} has one to {seats} players, not {players}",
                clause=asked.law.fact("seats").clause,
                field="players",
            )


def check_rows(law: Chapter, table: Paytable) -> None:
    """A custom table has every row that all printed ones have, and no row that cannot come."""
    _, always = rows_of(law, table.wager)
    for hand in always:
        # a mini royal without a row of its own is paid as the straight flush it is
        if not any(name in table.pays for name in names_of(hand)):
            raise Refused(
                "row_missing",
                f"the table for {table.wager} has no row {hand}, which every printed one has",
                field=f"paytables.{table.wager}",
            )
    can = possible(law, table.wager)
    for hand in table.pays:
        if hand not in can:
            raise Refused(
                "row_impossible",
                f"{table.wager} is never paid for {hand}; it may be {', '.join(can)}",
                field=f"paytables.{table.wager}.{hand}",
            )


def evaluate(
    table: Paytable,
    *,
    law: Chapter | str | None = None,
    players: int | None = None,
    decks: int | None = None,
) -> Fraction:
    """The house edge of a paytable, in microseconds: change a payout, read the edge.

    The wager and what it may come to are known from the table; `law` decides between chapters that
    share a wager's name, `players` and `decks` are for the tables that depend on them.
    """
    return edge_of(table, law, players, decks)
