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
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from pathlib import Path
from typing import Any

import msgspec

from houseway.decode_errors import decode_error
from houseway.errors import Refused
from houseway.law.chapter import Chapter, Choice, Option, Pay, Paytable
from houseway.law.library import chapter
from houseway.law.meter_terms import MetersFile, MeterTerms, percent, read_meters
from houseway.law.minimum_paytable import check_least
from houseway.money import Cents, Odds, cents, dollars, odds, spoken

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
            "rules": shown,
            "limits": limits,
            "meters": meters,
            "paytables": own,
        }
        return {key: value for key, value in whole.items() if value}

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


def _least(law: Chapter, option: Option, amount: Cents) -> None:
    """An amount has the least that the chapter prints for it, as the fact `<option>_least`."""
    fact = law.about.facts.get(f"{option.id}_least")
    if fact is not None and amount < cents(str(fact.value)):
        raise Refused(
            "below_minimum",
            f"{option.id} is at least {spoken(cents(str(fact.value)))}, not {spoken(amount)}",
            clause=fact.clause,
            field=f"rules.{option.id}",
        )


def _read(law: Chapter, option: Option, given: Value) -> Value:
    """A value for an option, or a refusal that lists what there is."""
    for choice in option.choices:
        if not isinstance(given, dict) and _is(choice, given):
            return _value(option, choice)
    if option.accepts == "amount":
        try:
            amount = cents(given)
        except Refused as refusal:
            raise refusal.at(field=f"rules.{option.id}") from None
        if amount == 0:
            raise Refused(
                "no_such_value",
                f"{option.id} cannot be nothing",
                clause=option.clause,
                field=f"rules.{option.id}",
            )
        _least(law, option, amount)
        return amount
    if option.accepts == "awards" and isinstance(given, dict):
        return _read_awards(law, option, given)
    known = ", ".join(shown(choice.value) for choice in option.choices)
    more = {
        "amount": ", or an amount",
        "paytable": ", or a table of the house's own",
        "awards": ", or the awards by hand and stake",
    }.get(option.accepts, "")
    raise Refused(
        "no_such_value",
        f"{option.id} cannot be {given!r}; it is {known}{more}",
        clause=option.clause,
        field=f"rules.{option.id}",
    )


def _read_awards(
    law: Chapter, option: Option, given: Mapping[str, Any]
) -> dict[str, dict[str, str]]:
    """Dollars by hand and stake: `{royal_flush = {"1.00" = "1000.00"}}`, or `"$1000"`."""
    known = {row.hand for data in law.paytable_data for row in data.rows}
    awards: dict[str, dict[str, str]] = {}
    for hand, by_stake in given.items():
        place = f"rules.{option.id}.{hand}"
        if hand not in known:
            raise Refused(
                "no_such_outcome", f"there is no hand {hand}{nearest(hand, known)}", field=place
            )
        if not isinstance(by_stake, Mapping) or not by_stake:
            raise Refused(
                "no_such_value",
                'an award names the stake and the dollars: {"1.00" = "1000.00"}',
                clause=option.clause,
                field=place,
            )
        awards[hand] = {}
        for stake, award in by_stake.items():
            try:
                amount = cents(award.removeprefix("$") if isinstance(award, str) else award)
                awards[hand][dollars(cents(stake))] = odds(f"${dollars(amount)}").text
            except Refused as refusal:
                raise refusal.at(field=place) from None
    return awards


def _value(option: Option, choice: Choice) -> Value:
    """What a choice stands for: an amount in cents where the option takes amounts."""
    value = choice.value
    is_amount = option.accepts == "amount" and isinstance(value, str) and value != "none"
    return cents(str(value)) if is_amount else value


def _open(choice: Choice, values: Mapping[str, Value]) -> bool:
    return all(values[other] in allowed for other, allowed in choice.needs.items())


def _settle_options(law: Chapter, given: Mapping[str, Value]) -> dict[str, Value]:
    values = {
        id: _read(law, option, given[id]) if id in given else _value(option, option.choices[0])
        for id, option in law.options.items()
    }
    for id, option in law.options.items():
        if id not in given and option.choices:
            # the first choice that goes with the others is the default
            values[id] = next(
                (_value(option, choice) for choice in option.choices if _open(choice, values)),
                values[id],
            )
    for id, option in law.options.items():
        for choice in option.choices:
            if choice.value == values[id] and not _open(choice, values):
                wants = "; ".join(
                    f"{other} {' or '.join(map(shown, allowed))}"
                    for other, allowed in choice.needs.items()
                    if values[other] not in allowed
                )
                raise Refused(
                    "options_do_not_go_together",
                    f"{id} {shown(choice.value)} needs {wants}",
                    clause=choice.clause or option.clause,
                    field=f"rules.{id}",
                )
    return values


def own_table(law: Chapter, wager: str, rows: Mapping[str, str], clause: str) -> Paytable:
    """A paytable of the house's own, its rows checked against what the wager can come to."""
    known = {row.hand for data in law.paytable_data if data.wager == wager for row in data.rows}
    if not known:
        raise Refused(
            "no_such_wager",
            f"{law.id} has no paytable for {wager}{nearest(wager, law.wagers)}",
            field=f"paytables.{wager}",
        )
    if not isinstance(rows, Mapping) or not rows:
        raise Refused(
            "no_such_paytable",
            f"a table for {wager} lists outcomes with their odds",
            field=f"paytables.{wager}",
        )
    pays: dict[str, Pay] = {}
    for hand, text in rows.items():
        if hand not in known:
            raise Refused(
                "no_such_outcome",
                f"{wager} has no outcome {hand}{nearest(hand, known)}; "
                f"it has {', '.join(sorted(known))}",
                field=f"paytables.{wager}.{hand}",
            )
        try:
            pays[hand] = Pay(odds(text), clause, hand)
        except Refused as refusal:
            raise refusal.at(field=f"paytables.{wager}.{hand}") from None
    return Paytable(wager, "own", clause, pays)


def _limits(law: Chapter, given: Mapping[str, Mapping[str, str]]) -> dict[str, Limit]:
    limits = {}
    for wager, bounds in given.items():
        place = f"limits.{wager}"
        if wager not in law.wagers:
            raise Refused(
                "no_such_wager",
                f"{law.id} has no wager {wager}{nearest(wager, law.wagers)}",
                field=place,
            )
        if not isinstance(bounds, Mapping) or not set(bounds) <= {"min", "max"}:
            raise Refused("not_a_limit", "a limit has min and max", field=place)
        try:
            limit = Limit(
                *(cents(bounds[end]) if end in bounds else None for end in ("min", "max"))
            )
        except Refused as refusal:
            raise refusal.at(field=place) from None
        if limit.min is not None and limit.max is not None and limit.min > limit.max:
            raise Refused("not_a_limit", "the minimum is above the maximum", field=place)
        limits[wager] = limit
    return limits


def _part(given: dict[str, Value], name: str) -> dict[str, Any]:
    """A part of a rules file that was written among the options."""
    part = given.pop(name, {})
    if not isinstance(part, dict):
        raise Refused("not_a_rules_file", f"{name} are listed by name", field=f"rules.{name}")
    return part


def choose(
    law: Chapter | str,
    options: Mapping[str, Value] | None = None,
    *,
    limits: Mapping[str, Mapping[str, str]] | None = None,
    meters: Mapping[str, Mapping[str, str]] | None = None,
    paytables: Mapping[str, Mapping[str, str]] | None = None,
    hypothetical: bool = False,
) -> Rules:
    """Rules for a table: `choose("md-three-card-poker", {"pair_plus": "B"})`.

    A paytable of the house's own is refused where the chapter prints the only ones allowed, unless
    the rules are hypothetical: a designer may ask what any table would return.
    """
    law = chapter(law) if isinstance(law, str) else law
    given = dict(options or {})
    limits = {**_part(given, "limits"), **(limits or {})}
    meters = {**_part(given, "meters"), **(meters or {})}
    paytables = {**_part(given, "paytables"), **(paytables or {})}
    for id in given:
        if id not in law.options:
            raise Refused(
                "no_such_option",
                f"{law.id} has no option {id}{nearest(id, law.options)}",
                field=f"rules.{id}",
            )
    for id, option in law.options.items():
        # a table may be written where it is chosen, or under [paytables]
        if option.accepts == "paytable" and isinstance(given.get(id), dict):
            paytables[id] = given.pop(id)
        if given.get(id) == "own" and id in paytables:
            del given[id]
    values = _settle_options(law, given)
    own = {}
    for wager, rows in paytables.items():
        option_ = law.options.get(wager)
        if not hypothetical and (option_ is None or option_.accepts != "paytable"):
            raise Refused(
                "no_such_paytable",
                f"{law.id} does not allow a table of the house's own for {wager}",
                clause=option_.clause if option_ else None,
                field=f"paytables.{wager}",
            )
        own[wager] = own_table(law, wager, rows, option_.clause if option_ else "")
        if option_ is not None:
            if option_.least and not hypothetical:
                check_least(own[wager], law.paytables[wager, option_.least])
            values[wager] = "own"
    plain = Rules(law, values, _limits(law, limits), {}, own, {})
    terms, whole = read_meters(plain.meter_names, meters)
    return Rules(law, values, plain.limits, terms, own, whole)


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
