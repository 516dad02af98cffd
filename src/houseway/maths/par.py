"""The PAR sheet: every wager of a chapter with every paytable, or with the rules that were chosen.

`par("md-three-card-poker")` has all paytables; `par(chapter, rules)` what a table offers. Each
wager has a maker that yields its entries; a maker is imported when its wager is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import import_module

import msgspec

from houseway.errors import Refused
from houseway.law import Chapter, Paytable, Rules, chapter, choose, names_of
from houseway.maths.sheet import Entry, Sheet
from houseway.money import Cents

#: Where the entries of a wager are made: a module of this room and a function in it that takes an
#: `Asked` and yields `Entry`s. A wager solved elsewhere is added here, with `Entry.made`.
MAKERS = {
    "ante_play": "houseway.maths.entries:ante_play",
    "ante": "houseway.games.saigon.maths.entries:ante",
    "pair_plus": "houseway.maths.entries:pair_plus",
    "six_card_bonus": "houseway.maths.entries:six_card_bonus",
    "all_six": "houseway.maths.entries:all_six",
    "prime": "houseway.maths.entries:prime",
    "pair_bonus": "houseway.maths.entries:pair_bonus",
    "bonus": "houseway.games.saigon.maths.entries:bonus",
    "cover_all": "houseway.maths.entries:cover_all",
    "progressive": "houseway.maths.progressive_entries:three_card",
    "five_card_progressive": "houseway.maths.progressive_entries:five_card",
    "match_the_dealer": "houseway.maths.entries:match_the_dealer",
    "insurance": "houseway.maths.entries:insurance",
    "bet": "houseway.games.down_under.maths.entries:bet",
}


class Asked(msgspec.Struct, frozen=True, dict=True):
    """What the figures are wanted for. Nothing said: everything the chapter has."""

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
    """The wagers of a PAR sheet: the ante and what follows from it are one."""
    found = []
    for wager in law.about.wagers:
        if wager.kind == "follows" and wager.id not in MAKERS:
            continue
        found.append("ante_play" if wager.id == "ante" and "play" in law.wagers else wager.id)
    return found


def wager_name(law: Chapter, wager: str) -> str:
    """What a person calls a wager of a PAR sheet."""
    if wager == "ante_play":
        return "Ante and Play" if "play" in law.wagers else law.wagers["ante"].name
    known = law.wagers.get(wager)
    return known.name if known else wager.replace("_", " ").capitalize()


def par(
    law: Chapter | str,
    rules: Rules | None = None,
    *,
    stakes: Iterable[Cents] = (),
    players: Iterable[int] = (),
    meters: Mapping[str, Cents] | None = None,
) -> Sheet:
    """The PAR sheet of a chapter; with `rules`, of a table that plays by them."""
    law = chapter(law) if isinstance(law, str) else law
    asked = Asked(law, rules, tuple(stakes), tuple(players), dict(meters or {}))
    _check(asked)
    entries = [entry for wager in wager_ids(law) for entry in entries_of(asked, wager)]
    from houseway.maths.joint_wagers import taken_together

    together, tables, left_out = taken_together(asked)
    return Sheet(law, rules, entries, together, tables, left_out)


def entries_of(asked: Asked, wager: str) -> list[Entry]:
    """The entries of one wager, none where it is not offered or has no maker."""
    own = "ante" if wager == "ante_play" else wager
    if wager not in MAKERS or not asked.offered(own):
        return []
    module, _, function = MAKERS[wager].partition(":")
    made: Iterable[Entry] = getattr(import_module(module), function)(asked)
    return list(made)


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
                "no_such_meter", f"there is no meter {name} here; there is {there}", field="meter"
            )
    for stake in asked.stakes:
        if stake <= 0:
            raise Refused("no_wager", "a stake of nothing has no edge", field="stake")
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
    """A table of one's own has every row that all printed ones have, and no row that cannot come."""
    from houseway.maths.paytable_rows import possible, rows_of

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
    from houseway.maths.paytable_edge import edge_of

    return edge_of(table, law, players, decks)
