"""The rules a table plays by: a chapter and what its operator chose. `choices` reads them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from math import lcm
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from houseway.errors import Refused
from houseway.law.chapter import Chapter, Option, Paytable
from houseway.law.meter_terms import MeterTerms, percent
from houseway.money import Cents, Odds, cents, dollars
from houseway.shown import HasFigures, ShownAsPicture

T = TypeVar("T")
P = ParamSpec("P")
#: answers that are kept for one function of some rules; a hostile stream must not fill the memory
_MOST_KEPT = 4096
Value = Any  # a choice of an option: text, number, yes or no, or the awards an operator names


@dataclass(frozen=True, slots=True)
class Limit:
    """The posted minimum and maximum of a wager; None if not posted."""

    min: Cents | None = None
    max: Cents | None = None


@dataclass(frozen=True, eq=False)
class Rules(ShownAsPicture, HasFigures):
    """A chapter with every option settled."""

    chapter: Chapter
    options: Mapping[str, Value]
    limits: Mapping[str, Limit]
    meters: Mapping[str, MeterTerms]
    own_tables: Mapping[str, Paytable]
    #: the whole rate of progression of a wager, where it is stated
    whole_rates: Mapping[str, Fraction]

    def __getitem__(self, option: str) -> Value:
        try:
            return self.options[option]
        except KeyError:
            where = self.chapter.place("options")
            raise Refused(
                "no_such_option", f"{where}: the game needs an option {option}; there is none"
            ) from None

    def offers(self, wager: str) -> bool:
        """Whether the wager may be made under these rules."""
        found = self.chapter.wagers.get(wager)
        if found is None:
            return False
        return not found.option or self.options[found.option] not in ("none", False)

    def forfeited_by_fold(self, wager: str) -> bool:
        """Whether a folded hand loses this wager with its ante."""
        found = self.chapter.wagers[wager]
        stands = found.stands_with and self.options[found.stands_with]
        return found.on_fold == "forfeited" and not stands

    def table(self, wager: str, id: str | None = None) -> Paytable:
        """The paytable in force for a wager, or the named one."""
        found = self._found.get((wager, id))
        if found is None:
            found = self._found[wager, id] = self._table(wager, id)
        return found

    @cached_property
    def _found(self) -> dict[tuple[str, str | None], Paytable]:
        return {}

    def _table(self, wager: str, id: str | None) -> Paytable:
        if id is None:
            if wager in self.own_tables:
                return self.own_tables[wager]
            chosen = self.options.get(wager)
            id = chosen if isinstance(chosen, str) else self._unnamed(wager)
        try:
            return self.chapter.paytables[wager, id]
        except KeyError:
            raise Refused(
                "no_such_paytable", f"{self.chapter.id} has no paytable {id} for {wager}"
            ) from None

    def _unnamed(self, wager: str) -> str:
        """The table of a wager that has no choice of tables: the one for the decks in use, or the only one."""
        decks = str(self.options.get("decks"))
        return decks if (wager, decks) in self.chapter.paytables else "standard"

    def tables(self, wager: str) -> tuple[Paytable, ...]:
        """Every table that may pay a wager under these rules: one, or one for each column."""
        found = self._every.get(wager)
        if found is None:
            found = self._every[wager] = self._tables(wager)
        return found

    @cached_property
    def _every(self) -> dict[str, tuple[Paytable, ...]]:
        return {}

    def _tables(self, wager: str) -> tuple[Paytable, ...]:
        if wager in self.own_tables:
            return (self.own_tables[wager],)
        chosen = self.options.get(wager)
        every = {id: table for (name, id), table in self.chapter.paytables.items() if name == wager}
        if isinstance(chosen, str) and chosen in every:
            return (every[chosen],)
        return tuple(every.values())

    @cached_property
    def chip_unit(self) -> Cents:
        return int(self.options["chip_unit"])

    @cached_property
    def _steps(self) -> dict[str, Cents]:
        return {}

    @property
    def passed(self) -> set[tuple[object, ...]]:
        """Empty: `remembering` keeps what passed. For programs that were written for 0.6.0."""
        return set()

    def remembering(self, function: Callable[Concatenate[Rules, P], T]) -> Callable[P, T]:
        """Return a pure function of these rules that works out each answer once.

        Its arguments are hashable and positional. The seats of a long stream are alike in what
        decides them, so nearly all are answered before. A refusal is worked out anew each time.
        """
        found = self._remembering.get(function)
        if found is None:
            found = self._remembering[function] = lru_cache(_MOST_KEPT)(partial(function, self))
        return cast("Callable[P, T]", found)

    @cached_property
    def _remembering(self) -> dict[Callable[..., Any], Callable[..., Any]]:
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """What another process needs; it works out for itself what is kept here."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def step(self, wager: str) -> Cents:
        """The amounts of a wager are multiples of this, so that every payout can be made in chips."""
        found = self._steps.get(wager)
        if found is None:
            ratios = [
                pay.odds.value.denominator
                for table in self.tables(wager)
                for pay in table.pays.values()
                if pay.odds.kind in ("to", "for")
            ]
            found = self._steps[wager] = self.chip_unit * lcm(*ratios)
        return found

    def stakes(self, wager: str) -> tuple[Cents, ...]:
        """The only amounts that a progressive wager may have, where the chapter names them."""
        fact = self.chapter.about.facts.get("progressive_stakes")
        kind = self.chapter.wagers[wager].kind
        if kind != "progressive" or fact is None or not isinstance(fact.value, tuple):
            return ()
        return tuple(cents(str(value)) for value in fact.value)

    def meter(self, name: str) -> MeterTerms:
        return self.meters.get(name, MeterTerms())

    def meter_name(self, wager: str, pays: Odds) -> str:
        """The meter that a share is taken from: `progressive`, or `progressive.major`."""
        return wager if pays.meter == "meter" else f"{wager}.{pays.meter}"

    @cached_property
    def meter_names(self) -> tuple[str, ...]:
        """Every meter these rules use, in the order the paytables name them."""
        names = [
            self.meter_name(wager.id, pay.odds)
            for wager in self.chapter.wagers.values()
            if wager.kind == "progressive" and self.offers(wager.id)
            for pay in self.table(wager.id).pays.values()
            if pay.odds.kind == "meter"
        ]
        return tuple(dict.fromkeys(names))

    def as_file(self) -> dict[str, Any]:
        """These rules as a rules file, with every default written out."""
        shown = {
            key: dollars(value) if is_amount(self.chapter.options[key], value) else value
            for key, value in self.options.items()
        }
        limits = {
            wager: {
                name: dollars(bound)
                for name, bound in (("min", limit.min), ("max", limit.max))
                if bound is not None
            }
            for wager, limit in self.limits.items()
        }
        meters = {name: terms.as_file() for name, terms in self.meters.items()}
        for wager, rate in self.whole_rates.items():
            meters[wager] = {**meters.get(wager, {}), "whole": percent(rate)}
        own = {
            wager: {hand: str(pay.odds) for hand, pay in table.pays.items()}
            for wager, table in self.own_tables.items()
        }
        whole = {
            "chapter": self.chapter.id,
            "edition": self.chapter.about.edition,
            "rules": shown,
            "limits": limits,
            "meters": meters,
            "paytables": own,
        }
        return {key: value for key, value in whole.items() if value}

    @cached_property
    def as_cited(self) -> Rules:
        """The same rules with the numbers of clauses that the code cites."""
        from houseway.law.choices import rules_from

        law = self.chapter.as_cited
        return self if law is self.chapter else rules_from(self.as_file(), law, hypothetical=True)

    @cached_property
    def hash(self) -> str:
        """SHA-256 over the chapter's edition and everything chosen."""
        text = json.dumps([self.chapter.hash, self.as_file()], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


def is_amount(option: Option, value: Value) -> bool:
    return option.accepts == "amount" and isinstance(value, int) and not isinstance(value, bool)
