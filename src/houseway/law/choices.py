"""Read what an operator chose: options, limits, meters and paytables become `Rules`.

`choose` fills in defaults, refuses what the chapter does not have or does not allow together, and
returns `Rules` in which every payout is resolved. A rules file, TOML or JSON, is read by
`read_rules`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from houseway.arguments import checked
from houseway.decode_errors import decode_error
from houseway.errors import Refused, refuse_any
from houseway.law.chapter import Chapter, Choice, Option, Pay, Paytable
from houseway.law.library import chapter
from houseway.law.meter_terms import MetersFile, by_full_name, read_meters
from houseway.law.minimum_paytable import raised_to
from houseway.law.rules import Limit, Rules, Value
from houseway.money import Cents, cents, dollars, odds, spoken
from houseway.untrusted import parse_json, parse_toml, read_text

T = TypeVar("T")


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
    devices: dict[str, Any] = {}
    layout: dict[str, Any] = {}
    approvals: dict[str, Any] = {}
    answers: dict[str, Any] = {}


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a sentence about a word that is not known: "; did you mean …?", or nothing."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def suggest(word: str, known: Iterable[str]) -> str:
    """What to write in place of a word that is not known: the nearest one, or any of them."""
    known = tuple(known)
    return nearest(word, known).removeprefix("; ") or f"choose from {', '.join(known)}"


def letters(name: str) -> str:
    """A name without its case, spaces, hyphens and underscores, as people compare names."""
    return re.sub(r"[\s_-]", "", name.casefold())


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

    def __init__(self, law: Chapter, *, hypothetical: bool = False, recorded: bool = False) -> None:
        self.law = law
        #: rules that are on the record: what would mean nothing is left standing
        self.recorded = recorded
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
        if not self.recorded:
            self.unused_limits(plain)
            self.unused_awards(plain)
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
        """A value for an option; None if only the default is left."""
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
            f"{option.id} cannot be {shown(given)!r}" + (" without a table" if own else ""),
            f"list its payouts under [paytables.{option.id}]"
            if own
            else f"choose from {known}{more}",
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
                "no_such_value", f"{option.id} cannot be zero",
                f"choose {known}, or an amount", field, option.clause,
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
        whose = "" if self.recorded else option.hands_of
        known = [row.hand for data in self.law.paytable_data for row in data.rows
                 if whose in ("", data.wager)]  # fmt: skip
        awards: dict[str, dict[str, str]] = {}
        before = len(self.problems)
        for hand, by_stake in given.items():
            place = f"rules.{option.id}.{hand}"
            if hand not in known:
                self.problem(
                    "no_such_outcome", f"there is no hand {hand} to name an award for",
                    suggest(hand, dict.fromkeys(known)), place, option.clause,
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
        """The rows of a table, checked against the outcomes of the wager."""
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
                f"choose from {', '.join(known)}", place,
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
                    "not_a_limit",
                    f"the minimum of {spoken(limit.min)} is above the maximum of {spoken(limit.max)}",
                    "give min and max, the smaller first", place,
                )  # fmt: skip
            elif limit.max == 0:
                self.problem(
                    "not_a_limit", "the maximum must be more than $0",
                    "give a maximum, or leave it out", place,
                )  # fmt: skip
            elif None not in read.values():
                limits[wager] = limit
        return limits

    def unused_limits(self, rules: Rules) -> None:
        """Refuse a limit that could never apply."""
        for id in rules.limits:
            if not rules.offers(id):
                name = self.law.wagers[id].name
                self.problem(
                    "limit_without_wager", f"{name} is not offered", "leave it out", f"limits.{id}"
                )

    def unused_awards(self, rules: Rules) -> None:
        """Refuse awards for a stake that nobody can wager."""
        for id, option in self.law.options.items():
            awards = rules.options.get(id)
            if option.accepts != "awards" or not isinstance(awards, dict):
                continue
            for hand, stake in ((hand, stake) for hand, row in awards.items() for stake in row):
                if cents(stake) <= 0 or cents(stake) % rules.chip_unit:
                    self.problem(
                        "stake_never_made",
                        f"nobody can wager {spoken(cents(stake))} with chips of"
                        f" {spoken(rules.chip_unit)}, so this award is never paid",
                        "name a stake in chips",
                        f"rules.{id}.{hand}",
                        option.clause,
                    )


def own_table(law: Chapter, wager: str, rows: Mapping[str, str], clause: str) -> Paytable:
    """A paytable of the house's own, its rows checked against the outcomes of the wager."""
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
    recorded: bool = False,
) -> tuple[Rules, list[Refused]]:
    """The rules as far as they can be read, and everything that is wrong with what was chosen."""
    reader = _Reader(law, hypothetical=hypothetical, recorded=recorded)
    parts = {"limits": limits, "meters": meters, "paytables": paytables}
    return reader.rules(dict(options), parts), reader.problems


@checked
def choose(
    law: Chapter | str,
    options: Mapping[str, Value] | None = None,
    *,
    limits: Mapping[str, Mapping[str, str]] | None = None,
    meters: Mapping[str, Mapping[str, Any]] | None = None,
    paytables: Mapping[str, Mapping[str, str]] | None = None,
    hypothetical: bool = False,
    recorded: bool = False,
) -> Rules:
    """Rules for a table: `choose("md-three-card-poker", {"pair_plus": "B"})`.

    A refusal carries everything that is wrong (`Refused.problems`). A paytable of the house's own
    is refused where the chapter allows only printed ones, unless the rules are hypothetical: a
    designer may ask what any table would return.
    """
    rules, problems = read_choices(
        chapter(law) if isinstance(law, str) else law,
        options or {},
        limits=limits or {},
        meters=meters or {},
        paytables=paytables or {},
        hypothetical=hypothetical,
        recorded=recorded,
    )
    refuse_any(problems)
    return rules


def rules_from(
    file: Mapping[str, Any], law: Chapter | None = None, *, hypothetical: bool = False
) -> Rules:
    """Rules from the data of a rules file on the record, by the edition it names or by another."""
    return choose(
        law or chapter(file["chapter"], file.get("edition")),
        file.get("rules"),
        limits=file.get("limits"),
        meters=file.get("meters"),
        paytables=file.get("paytables"),
        hypothetical=hypothetical,
        recorded=True,
    )


def parse_rules(content: str, name: str = "rules.toml", *, hypothetical: bool = False) -> Rules:
    """Rules from the text of a rules file; `name` says whether it is TOML or JSON."""
    code = "not_a_rules_file"
    try:
        read = parse_json if name.endswith(".json") else parse_toml
        data = read(content, code)
        try:
            parsed = msgspec.convert(data, RulesFile)
        except msgspec.ValidationError as error:
            known = RulesFile.__struct_fields__
            raise decode_error(error, code, "rules file", data, known) from None
    except Refused as refusal:
        refusal.message = f"{name}: {refusal.message}"
        raise
    return choose(
        chapter(parsed.chapter, parsed.edition),
        parsed.rules,
        limits=parsed.limits,
        meters=parsed.meters,
        paytables=parsed.paytables,
        hypothetical=hypothetical,
    )


@checked
def read_rules(path: str | Path, *, hypothetical: bool = False) -> Rules:
    """Rules from a file."""
    return parse_rules(read_text(path), Path(path).name, hypothetical=hypothetical)
