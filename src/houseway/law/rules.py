"""The rules a table plays by: a chapter and what its operator chose.

`choose` fills in defaults, refuses what the chapter does not have or does not allow together, and
returns `Rules` in which every payout is resolved. A rules file, TOML or JSON, is read by
`read_rules`.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from houseway.decode_errors import decode_error
from houseway.errors import Refused, refuse_any
from houseway.law.chapter import Chapter, Choice, Option, Pay, Paytable
from houseway.law.library import chapter
from houseway.law.meter_terms import MetersFile, MeterTerms, by_full_name, percent, read_meters
from houseway.law.minimum_paytable import raised_to
from houseway.money import Cents, Odds, cents, dollars, odds, spoken

T = TypeVar("T")
Value = Any  # a choice of an option: text, number, yes or no, or the awards an operator names


@dataclass(frozen=True, slots=True)
class Limit:
    """The posted minimum and maximum of a wager; None where none is posted."""

    min: Cents | None = None
    max: Cents | None = None


class RulesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rules file as it is written down.

    The last parts are those of a Rules Submission, which is a rules file with who, where and when;
    a table plays by the first ones alone.
    """

    chapter: str
    rules: dict[str, Any] = {}
    limits: dict[str, dict[str, str]] = {}
    meters: MetersFile = {}
    paytables: dict[str, dict[str, str]] = {}
    edition: str | None = None
    submission: dict[str, Any] = {}
    table: dict[str, Any] = {}
    layout: dict[str, Any] = {}
    approvals: dict[str, Any] = {}
    answers: dict[str, Any] = {}


@dataclass(frozen=True, eq=False)
class Rules:
    """A chapter with every option settled."""

    chapter: Chapter
    options: Mapping[str, Value]
    limits: Mapping[str, Limit]
    meters: Mapping[str, MeterTerms]
    own_tables: Mapping[str, Paytable]
    #: the whole rate of progression of a wager, where it is stated
    whole_rates: Mapping[str, Fraction]

    def __getitem__(self, option: str) -> Value:
        return self.options[option]

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
        """The table of a wager that is only offered or not: the one for the decks, or the one."""
        decks = str(self.options.get("decks"))
        return decks if (wager, decks) in self.chapter.paytables else "standard"

    def tables(self, wager: str) -> tuple[Paytable, ...]:
        """Every table that may come to pay a wager under these rules: one, or a column each."""
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

    @cached_property
    def passed(self) -> set[tuple[str, Cents]]:
        """Wagers and amounts already found to be in order, so that a stream checks them once."""
        return set()

    def step(self, wager: str) -> Cents:
        """The amounts a wager may have are multiples of this: chips that every payout fits."""
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
        """These rules in the shape of a rules file, every default written out."""
        shown = {
            key: dollars(value) if _is_amount(self.chapter.options[key], value) else value
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
        law = self.chapter.as_cited
        return self if law is self.chapter else rules_from(self.as_file(), law, hypothetical=True)

    @cached_property
    def hash(self) -> str:
        """SHA-256 over the chapter's edition and everything chosen."""
        text = json.dumps([self.chapter.hash, self.as_file()], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


def _is_amount(option: Option, value: Value) -> bool:
    return option.accepts == "amount" and isinstance(value, int) and not isinstance(value, bool)


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a sentence about a word that is not known: "; did you mean …?", or nothing."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def suggest(word: str, known: Iterable[str]) -> str:
    """What to write in place of a word that is not known: the nearest one, or any of them."""
    known = tuple(known)
    return nearest(word, known).removeprefix("; ") or f"there is {', '.join(known)}"


def shown(value: Value) -> str:
    """A value as it is written in a file: yes and no are true and false."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is(choice: Choice, given: Value) -> bool:
    """Whether what was given names this choice; numbers and yes or no may stand as text."""
    if given is None:
        given = "none"
    if choice.value is False and given == "none":
        return True
    return str(choice.value).lower() == str(given).lower()


def _value(option: Option, choice: Choice) -> Value:
    """What a choice stands for: an amount in cents where the option takes amounts."""
    value = choice.value
    is_amount = option.accepts == "amount" and isinstance(value, str) and value != "none"
    return cents(str(value)) if is_amount else value


def _open(choice: Choice, values: Mapping[str, Value]) -> bool:
    return all(values[other] in allowed for other, allowed in choice.needs.items())


class _Reader:
    """Reads what an operator chose.

    What cannot be read, or is not allowed, becomes a problem. Reading then goes on with what was
    probably meant, or with the default, so that one mistake does not bring others with it.
    """

    def __init__(self, law: Chapter, *, hypothetical: bool = False) -> None:
        self.law = law
        self.hypothetical = hypothetical
        self.problems: list[Refused] = []

    def problem(
        self, code: str, fault: str, remedy: str, field: str, clause: str | None = None
    ) -> None:
        self.problems.append(Refused(code, fault, remedy=remedy, clause=clause, field=field))

    def attempt(self, read: Callable[[Any], T], given: Any, field: str) -> T | None:
        """What is read, or None and a problem at this field."""
        try:
            return read(given)
        except Refused as refusal:
            self.problems.append(refusal.at(field=field))
            return None

    def rules(self, given: dict[str, Value], parts: Mapping[str, Mapping[str, Any]]) -> Rules:
        """The rules; `given` has the options and `parts` what was given beside them."""
        limits = {**self.part(given, "limits"), **parts["limits"]}
        meters = {
            **by_full_name(self.part(given, "meters"), self.problems),
            **by_full_name(parts["meters"], self.problems),
        }
        paytables = {**self.part(given, "paytables"), **parts["paytables"]}
        self.known_options(given)
        for id, option in self.law.options.items():
            # a table may be written where it is chosen, or under [paytables]
            if option.accepts == "paytable" and isinstance(given.get(id), dict):
                paytables[id] = given.pop(id)
            if given.get(id) == "own" and id in paytables:
                del given[id]
        values = self.options(given)
        own = {
            wager: table
            for wager, rows in paytables.items()
            if (table := self.paytable(wager, rows)) is not None
        }
        values |= {wager: "own" for wager in own if wager in self.law.options}
        plain = Rules(self.law, values, self.limits(limits), {}, own, {})
        terms, whole = read_meters(plain.meter_names, meters, self.problems)
        return Rules(self.law, values, plain.limits, terms, own, whole)

    def part(self, given: dict[str, Value], name: str) -> dict[str, Any]:
        """A part of a rules file that was written among the options."""
        part = given.pop(name, {})
        if isinstance(part, dict):
            return part
        self.problem(
            "not_a_rules_file", f"{name} are listed by name", f"write [{name}]", f"rules.{name}"
        )
        return {}

    def known_options(self, given: dict[str, Value]) -> None:
        """Only options of the chapter; one that is misspelled counts as the nearest."""
        options = self.law.options
        for id in [id for id in given if id not in options]:
            self.problem(
                "no_such_option", f"{self.law.id} has no option {id}", suggest(id, options),
                f"rules.{id}",
            )  # fmt: skip
            value = given.pop(id)
            for near in difflib.get_close_matches(id, options, n=1):
                given.setdefault(near, value)

    def options(self, given: Mapping[str, Value]) -> dict[str, Value]:
        """The value of every option, each allowed together with the others."""
        read: dict[str, Value] = {}
        for id, option in self.law.options.items():
            if id in given and (value := self.option(option, given[id])) is not None:
                read[id] = value
        refused: set[str] = set()
        while True:
            values = self.with_defaults(read)
            found = next(
                (
                    (option, choice)
                    for id, option in self.law.options.items()
                    for choice in option.choices
                    if id not in refused
                    and choice.value == values[id]
                    and not _open(choice, values)
                ),
                None,
            )
            if found is None:
                return values
            option, choice = found
            wants = "; ".join(
                f"{other} {' or '.join(map(shown, allowed))}"
                for other, allowed in choice.needs.items()
                if values[other] not in allowed
            )
            self.problem(
                "options_do_not_go_together",
                f"{option.id} {shown(choice.value)} needs {wants}",
                f"choose {wants}, or something else here",
                f"rules.{option.id}",
                choice.clause or option.clause,
            )
            refused.add(option.id)
            read.pop(option.id, None)

    def with_defaults(self, read: Mapping[str, Value]) -> dict[str, Value]:
        """What was chosen, and for every other option the first choice that goes with it."""
        values = {
            id: read[id] if id in read else _value(option, option.choices[0])
            for id, option in self.law.options.items()
        }
        for id, option in self.law.options.items():
            if id not in read:
                values[id] = next(
                    (_value(option, choice) for choice in option.choices if _open(choice, values)),
                    values[id],
                )
        return values

    def option(self, option: Option, given: Value) -> Value:
        """A value for an option; None where there is nothing to go on with but the default."""
        for choice in option.choices:
            if not isinstance(given, dict) and _is(choice, given):
                return _value(option, choice)
        if option.accepts == "amount":
            return self.amount(option, given)
        if option.accepts == "awards" and isinstance(given, dict):
            return self.awards(option, given)
        known = ", ".join(shown(choice.value) for choice in option.choices)
        more = {
            "paytable": ", or a table of the house's own",
            "awards": ", or the awards by hand and stake",
        }.get(option.accepts, "")
        own = given == "own" and option.accepts == "paytable"
        self.problem(
            "no_such_value",
            f"{option.id} cannot be {given!r}" + (" without a table" if own else ""),
            f"list its payouts under [paytables.{option.id}]" if own else f"it is {known}{more}",
            f"rules.{option.id}",
            option.clause,
        )
        return None

    def amount(self, option: Option, given: Value) -> Cents | None:
        """An amount that is no less than what the chapter prints as the fact `<option>_least`."""
        field = f"rules.{option.id}"
        fact = self.law.about.facts.get(f"{option.id}_least")
        least = cents(str(fact.value)) if fact else None
        amount = self.attempt(cents, given, field)
        if amount == 0:
            known = ", ".join(shown(choice.value) for choice in option.choices)
            self.problem(
                "no_such_value", f"{option.id} cannot be nothing",
                f"it is {known}, or an amount", field, option.clause,
            )  # fmt: skip
        elif fact and least and amount and amount < least:
            self.problem(
                "below_minimum",
                f"{option.id} is at least {spoken(least)}, not {spoken(amount)}",
                f"raise it to {spoken(least)}",
                field,
                fact.clause,
            )
        return max(amount or 0, least or 0) or None

    def awards(self, option: Option, given: Mapping[str, Any]) -> dict[str, dict[str, str]] | None:
        """Dollars by hand and stake: `{royal_flush = {"1.00" = "1000.00"}}`, or `"$1000"`."""
        known = {row.hand for data in self.law.paytable_data for row in data.rows}
        awards: dict[str, dict[str, str]] = {}
        before = len(self.problems)
        for hand, by_stake in given.items():
            place = f"rules.{option.id}.{hand}"
            if hand not in known:
                self.problem(
                    "no_such_outcome", f"there is no hand {hand}", suggest(hand, sorted(known)),
                    place,
                )  # fmt: skip
                continue
            if not isinstance(by_stake, Mapping) or not by_stake:
                self.problem(
                    "no_such_value",
                    "an award names the stake and the dollars",
                    'write {"1.00" = "1000.00"}',
                    place,
                    option.clause,
                )
                continue
            awards[hand] = {}
            for stake, award in by_stake.items():
                plain = award.removeprefix("$") if isinstance(award, str) else award
                amount = self.attempt(cents, plain, place)
                on = self.attempt(cents, stake, place)
                if amount is not None and on is not None:
                    awards[hand][dollars(on)] = odds(f"${dollars(amount)}").text
        return awards if len(self.problems) == before else None

    def paytable(self, wager: str, rows: Mapping[str, str]) -> Paytable | None:
        """A table of the house's own that the chapter allows, each row at least the least."""
        option = self.law.options.get(wager)
        if not self.hypothetical and (option is None or option.accepts != "paytable"):
            choices = ", ".join(shown(choice.value) for choice in option.choices) if option else ""
            self.problem(
                "no_such_paytable",
                f"{self.law.id} does not allow a table of the house's own for {wager}",
                f"choose {choices}" if choices else "leave it out",
                f"paytables.{wager}",
                option.clause if option else None,
            )
            return None
        clause = option.clause if option else ""
        before = len(self.problems)
        table = self.rows(wager, rows, clause)
        if table is None or option is None or not option.least or self.hypothetical:
            return table
        table, low = raised_to(self.law.paytables[wager, option.least], table)
        unread = {problem.field for problem in self.problems[before:]}
        self.problems += [problem for problem in low if problem.field not in unread]
        return table

    def rows(self, wager: str, rows: Mapping[str, str], clause: str) -> Paytable | None:
        """The rows of a table, checked against what the wager can come to."""
        data = [data for data in self.law.paytable_data if data.wager == wager]
        known = sorted({row.hand for one in data for row in one.rows})
        place = f"paytables.{wager}"
        if not known:
            self.problem(
                "no_such_wager", f"{self.law.id} has no paytable for {wager}",
                suggest(wager, self.law.wagers), place,
            )  # fmt: skip
            return None
        if not isinstance(rows, Mapping) or not rows:
            self.problem(
                "no_such_paytable", f"a table for {wager} lists outcomes with their odds",
                f"there is {', '.join(known)}", place,
            )  # fmt: skip
            return None
        pays: dict[str, Pay] = {}
        for hand, text in rows.items():
            if hand not in known:
                self.problem(
                    "no_such_outcome", f"{wager} has no outcome {hand}", suggest(hand, known),
                    f"{place}.{hand}",
                )  # fmt: skip
            elif (read := self.attempt(odds, text, f"{place}.{hand}")) is not None:
                pays[hand] = Pay(read, clause, hand)
        return Paytable(wager, "own", clause, pays) if pays else None

    def limits(self, given: Mapping[str, Mapping[str, str]]) -> dict[str, Limit]:
        limits = {}
        for wager, bounds in given.items():
            place = f"limits.{wager}"
            if wager not in self.law.wagers:
                self.problem(
                    "no_such_wager", f"{self.law.id} has no wager {wager}",
                    suggest(wager, self.law.wagers), place,
                )  # fmt: skip
                continue
            if not isinstance(bounds, Mapping) or not set(bounds) <= {"min", "max"}:
                self.problem(
                    "not_a_limit", "a limit has min and max",
                    "give min and max, the smaller first", place,
                )  # fmt: skip
                continue
            read = {end: self.attempt(cents, text, place) for end, text in bounds.items()}
            limit = Limit(**read)
            if limit.min is not None and limit.max is not None and limit.min > limit.max:
                self.problem(
                    "not_a_limit", "the minimum is above the maximum",
                    "give min and max, the smaller first", place,
                )  # fmt: skip
            elif None not in read.values():
                limits[wager] = limit
        return limits


def own_table(law: Chapter, wager: str, rows: Mapping[str, str], clause: str) -> Paytable:
    """A paytable of the house's own, its rows checked against what the wager can come to."""
    reader = _Reader(law)
    table = reader.rows(wager, rows, clause)
    refuse_any(reader.problems)
    assert table is not None
    return table


def read_choices(
    law: Chapter,
    options: Mapping[str, Value],
    *,
    limits: Mapping[str, Mapping[str, str]],
    meters: Mapping[str, Mapping[str, Any]],
    paytables: Mapping[str, Mapping[str, str]],
    hypothetical: bool = False,
) -> tuple[Rules, list[Refused]]:
    """The rules as far as they can be read, and everything that is wrong with what was chosen."""
    reader = _Reader(law, hypothetical=hypothetical)
    parts = {"limits": limits, "meters": meters, "paytables": paytables}
    return reader.rules(dict(options), parts), reader.problems


def choose(
    law: Chapter | str,
    options: Mapping[str, Value] | None = None,
    *,
    limits: Mapping[str, Mapping[str, str]] | None = None,
    meters: Mapping[str, Mapping[str, Any]] | None = None,
    paytables: Mapping[str, Mapping[str, str]] | None = None,
    hypothetical: bool = False,
) -> Rules:
    """Rules for a table: `choose("md-three-card-poker", {"pair_plus": "B"})`.

    A refusal carries everything that is wrong (`Refused.problems`). A paytable of the house's own
    is refused where the chapter prints the only ones allowed, unless the rules are hypothetical: a
    designer may ask what any table would return.
    """
    rules, problems = read_choices(
        chapter(law) if isinstance(law, str) else law,
        options or {},
        limits=limits or {},
        meters=meters or {},
        paytables=paytables or {},
        hypothetical=hypothetical,
    )
    refuse_any(problems)
    return rules


def rules_from(
    file: Mapping[str, Any], law: Chapter | None = None, *, hypothetical: bool = False
) -> Rules:
    """Rules from the data of a rules file, by the edition it names or by another."""
    return choose(
        law or chapter(file["chapter"], file.get("edition")),
        file.get("rules"),
        limits=file.get("limits"),
        meters=file.get("meters"),
        paytables=file.get("paytables"),
        hypothetical=hypothetical,
    )


def parse_rules(content: str, name: str = "rules.toml", *, hypothetical: bool = False) -> Rules:
    """Rules from the text of a rules file; `name` says whether it is TOML or JSON."""
    try:
        data = json.loads(content) if name.endswith(".json") else tomllib.loads(content)
        parsed = msgspec.convert(data, RulesFile)
    except msgspec.ValidationError as error:
        refusal = decode_error(
            error, "not_a_rules_file", "rules file", data, RulesFile.__struct_fields__
        )
        refusal.message = f"{name}: {refusal.message}"
        raise refusal from None
    except ValueError as error:
        raise Refused("not_a_rules_file", f"{name}: {error}") from None
    return choose(
        chapter(parsed.chapter, parsed.edition),
        parsed.rules,
        limits=parsed.limits,
        meters=parsed.meters,
        paytables=parsed.paytables,
        hypothetical=hypothetical,
    )


def read_rules(path: str | Path, *, hypothetical: bool = False) -> Rules:
    """Rules from a file."""
    try:
        content = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file"
        raise Refused("no_such_file", f"{path}: {reason}") from None
    return parse_rules(content, Path(path).name, hypothetical=hypothetical)
