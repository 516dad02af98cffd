"""What to write instead: for every finding a correction that was tried and passes.

A correction is one field with a value, or a field left out. Candidates come from the chapter: its
choices, what it requires at the table, its amounts. One is offered only if the finding is gone with
it and nothing else became wrong.
"""

from __future__ import annotations

import copy
import datetime as dt
import json
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

import msgspec

from houseway.errors import Refused
from houseway.game_api.settle import LIMITED_RULES
from houseway.law import Chapter, chapters, editions
from houseway.law.chapter import Option
from houseway.law.meter_terms import MeterTerms, by_full_name, percent
from houseway.law.required import in_force, required_equipment
from houseway.money import cents, dollars
from houseway.submission.checks.advisories import LOSES, that_lose
from houseway.submission.checks.run_checks import problems
from houseway.submission.checks.unfinished import EMPTY, devices_of, printable_text
from houseway.submission.file import (
    TOGETHER,
    Answers,
    LayoutPart,
    Submission,
    SubmissionFile,
    TablePart,
    Who,
)
from houseway.submission.finding import Finding
from houseway.submission.locate import Lines, line_of
from houseway.submission.reading import Reading

#: stands for leaving a field out
_OUT = object()
Path = tuple[str, ...]


class _Renamed:
    """A value that the file has under another name."""

    def __init__(self, old: Path, value: Any) -> None:
        self.old = old
        self.value = value


_MOST_TRIALS = 40


def with_corrections(
    given: Mapping[str, Any], findings: tuple[Finding, ...], lines: Lines, *, as_json: bool = False
) -> tuple[Finding, ...]:
    """The findings with their lines and with what to write: as TOML or as JSON."""
    written = _written_json if as_json else _written
    if not findings:
        return findings
    before = _keys(problems(given)) | _keys(findings)
    submission = Reading(given).read()
    return tuple(
        msgspec.structs.replace(
            finding,
            line=line_of(lines, finding.field),
            **written(*found) if (found := _correction(given, finding, submission, before)) else {},
        )
        for finding in findings
    )


def _keys(found: Iterable[Finding]) -> set[tuple[str, str]]:
    return {(one.code, one.field) for one in found}


def _correction(
    given: Mapping[str, Any], finding: Finding, submission: Submission | None, before: set[Any]
) -> tuple[Path, Any] | None:
    """The field to change and its value; None where only a person knows."""
    mine = (finding.code, finding.field)
    if finding.code == EMPTY or mine not in before:
        return None
    second: tuple[Path, Any] | None = None
    for number, (path, value) in enumerate(_candidates(given, finding, submission)):
        if number > _MOST_TRIALS:
            break
        changed = _with(given, path, value)
        after = problems(changed)
        if finding.code == LOSES and (read := Reading(changed).read()) is not None:
            after += that_lose(read)
        new = {(one.code, one.field) for one in after if one.severity == "error"} - before
        if mine not in _keys(after):
            if not new:
                return path, value
            if second is None and {code for code, _ in new} <= _LEFT_OVER:
                second = path, value
    return second


#: what is left on the layout or among the answers when an option is given up; each has a
#: correction of its own
_LEFT_OVER = {"no_such_inscription", "no_payout_limit"}


def _with(given: Mapping[str, Any], path: Path, value: Any) -> dict[str, Any]:
    tables = copy.deepcopy(dict(given))
    if isinstance(value, _Renamed):
        tables = _with(tables, value.old, _OUT)
        value = value.value
    if path[0] == "meters" and len(path) == 2 and isinstance(tables.get("meters"), dict):
        # tiers may be written by their full names as well
        own = [key for key in tables["meters"] if key.startswith(f"{path[1]}.")]
        for key in own if isinstance(value, Mapping) else ():
            del tables["meters"][key]
    here: Any = tables
    for key in path[:-1]:
        if not isinstance(here.get(key), dict):
            here[key] = {}
        here = here[key]
    if value is _OUT:
        here.pop(path[-1], None)
    else:
        here[path[-1]] = value
    return tables


#: parts whose entries have headings of their own
_PARTS_OF_PARTS = ("meters", "paytables", "devices")


def _fields(path: Path, value: Any) -> tuple[Path, Mapping[str, Any]]:
    """A correction as the part that it belongs to and the fields to write there."""
    if isinstance(value, _Renamed):
        value = value.value
    if isinstance(value, Mapping) and (len(path) == 1 or path[0] in _PARTS_OF_PARTS):
        return path, value
    return path[:-1], {} if value is _OUT else {path[-1]: value}


def _written(path: Path, value: Any) -> dict[str, str]:
    """The correction as lines of TOML under a heading."""
    part, fields = _fields(path, value)
    lines = [f"{_key(key)} = {_toml(one)}" for key, one in fields.items()]
    return {"under": ".".join(map(_key, part)), "write": "\n".join(lines)}


def _written_json(path: Path, value: Any) -> dict[str, str]:
    """The correction as members of a JSON object."""
    part, fields = _fields(path, value)
    lines = [f"{json.dumps(key)}: {json.dumps(one, default=str)}" for key, one in fields.items()]
    return {"under": ".".join(map(_key, part)), "write": ",\n".join(lines)}


def _key(key: str) -> str:
    plain = key.replace("_", "").replace("-", "").isalnum() and key.isascii()
    return key if plain else f'"{key}"'


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | dt.date):
        return str(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_toml(v)}" for k, v in value.items()) + " }"
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


# ---- what might be right ----------------------------------------------------------------------


def _candidates(
    given: Mapping[str, Any], finding: Finding, submission: Submission | None
) -> Iterator[tuple[Path, Any]]:
    part, _, rest = finding.field.partition(".")
    if part == "chapter":
        yield from ((("chapter",), id) for id in _near(given.get("chapter"), chapters()))
        return
    if part == "edition":
        yield from ((("edition",), one) for one in reversed(editions(str(given["chapter"]))))
    if submission is None:
        return
    law = submission.chapter
    if not rest:  # a part that is no part, or that nobody knows
        said = given.get(part)
        if isinstance(said, list) and said and isinstance(said[0], dict):
            yield (part,), said[0]
        elif said is not None:
            yield from _renamed(given, (part,), SubmissionFile.__struct_fields__)
            yield (part,), {}
            yield (part,), _OUT
        return
    yield from _misspelled(given, submission, law, part, rest)
    here = _KINDS.get(part)
    if here is not None:
        # a part that is no table has nothing in it
        tables = {name: said for name, said in given.items() if isinstance(said, Mapping)}
        yield from here(tables, finding, submission, law, rest)
    path = _path(given, part, rest)
    yield path, _OUT
    if len(path) > 2:
        yield path[:2], _OUT


def _renamed(given: Mapping[str, Any], path: Path, known: Any) -> Iterator[tuple[Path, Any]]:
    """The same value under the nearest valid name that is still unused."""
    here: Any = given
    for key in path:
        if not isinstance(here, Mapping) or key not in here:
            return
        here, inside = here[key], here
    for name in get_close_matches(path[-1], list(known), n=1):
        if name not in inside:
            yield (*path[:-1], name), _Renamed(path, here)


def _misspelled(
    given: Mapping[str, Any], submission: Submission, law: Chapter, part: str, rest: str
) -> Iterator[tuple[Path, Any]]:
    known: dict[str, Any] = {
        "rules": law.options, "limits": law.wagers, "submission": Who.__struct_fields__,
        "table": TablePart.__struct_fields__, "layout": LayoutPart.__struct_fields__,
        "approvals": [one.id for one in law.about.approvals],
        "devices": devices_of(submission.rules), "meters": submission.rules.meter_names,
        "answers": Answers.__struct_fields__, "paytables": law.options,
    }  # fmt: skip
    name = rest.split(".", maxsplit=1)[0] if part != "meters" else rest
    if part in known and name not in known[part]:
        yield from _renamed(given, (part, name), known[part])


def _path(given: Mapping[str, Any], part: str, rest: str) -> Path:
    """The keys of a field as the file writes them: a tier of a meter may be one key or two."""
    inside = given.get(part)
    if isinstance(inside, Mapping) and rest in inside:
        return part, rest
    return (part, *rest.split("."))


def _near(word: object, known: Any) -> list[str]:
    listed = list(known)
    close = get_close_matches(str(word), listed, n=3, cutoff=0.4)
    return [*close, *(one for one in listed if one not in close)]


def _submission(
    given: Mapping[str, Any], finding: Finding, submission: Submission, law: Chapter, rest: str
) -> Iterator[tuple[Path, Any]]:
    del finding, law
    said = given.get("submission", {})
    if rest in ("date", "in_force"):
        other = said.get("in_force" if rest == "date" else "date")
        for day in (_day(said.get(rest)), other, submission.who.date, dt.date(2026, 3, 1)):
            if isinstance(day, dt.date) and day.year > 1:
                yield ("submission", rest), day
        return
    text = said.get(rest)
    if isinstance(text, str | int | float) and not isinstance(text, bool):
        yield ("submission", rest), printable_text(str(text), rest)
    yield ("submission", rest), ""


#: how a day may be written instead
_DAYS = (
    "%Y%m%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%Y-%m-%d",
    "%m/%d/%Y",
    "%B %d, %Y",
    "%b %d, %Y",
    "%d %B %Y",
)


def _day(said: object) -> dt.date | None:
    """The day that was probably meant: "03/01/2026" is 2026-03-01."""
    if isinstance(said, dt.datetime):
        return said.date()
    for form in _DAYS:
        try:
            return dt.datetime.strptime(str(said).strip(), form).date()  # noqa: DTZ007
        except ValueError:
            continue
    return None


def _rules(
    given: Mapping[str, Any], finding: Finding, submission: Submission, law: Chapter, rest: str
) -> Iterator[tuple[Path, Any]]:
    id = rest.split(".", maxsplit=1)[0]
    said = given.get("rules", {})
    option = law.options.get(id)
    if option is None:
        return  # leave it out; the message names the nearest
    if finding.code == LOSES:
        yield from _lower_rates(given, submission, id)
    if id in submission.rules.own_tables:
        yield ("rules", id), "own"
    value = said.get(id)
    if isinstance(value, list) and len(value) == 1:  # one value, written as a list
        value = value[0]
        yield ("rules", id), value
    values = [choice.value for choice in option.choices]
    if isinstance(value, str):
        yield from ((("rules", id), one) for one in values if _plain(str(one)) == _plain(value))
    if isinstance(value, int | float) and not isinstance(value, bool):
        numbers = [one for one in values if isinstance(one, int) and not isinstance(one, bool)]
        yield from ((("rules", id), one) for one in sorted(numbers, key=lambda n: abs(n - value)))
    if option.accepts == "awards" and isinstance(value, Mapping):
        yield from ((("rules", id), awards) for awards in _awards(law, option, value))
    if option.accepts == "amount":
        if meant := _amount(value):
            yield ("rules", id), meant
        if id == "chip_unit":
            yield from ((("rules", id), unit) for unit in ("0.50", "0.25", "1.00"))
        fact = law.about.facts.get(f"{id}_least")
        if fact is not None:
            yield ("rules", id), dollars(cents(str(fact.value)))
        if id == "payout_limit":
            limited = LIMITED_RULES.of(law).most_at_minimums(submission.rules)
            yield ("rules", id), dollars(limited or 0)
            yield from ((("rules", id), f"{10**n}.00") for n in range(5, 9))
    near = _near(_YES_OR_NO.get(str(value).lower(), value), map(str, values))
    words = str(value).split()
    yield from ((("rules", id), one) for one in values if str(one) in words)
    yield from ((("rules", id), one) for text in near for one in values if str(one) == text)
    # or what it needs: the device that another option brings
    for choice in option.choices:
        if choice.value == value:
            for other, allowed in {**choice.needs, **choice.takes}.items():
                yield from ((("rules", other), one) for one in allowed)


def _plain(text: str) -> str:
    """A choice without what may be written otherwise: "Both-Compulsory " is `both_compulsory`."""
    return text.strip().lower().replace(" ", "_").replace("-", "_")


#: what may be written for an option that is offered or not
_YES_OR_NO = {"yes": "True", "on": "True", "1": "True", "true": "True",
              "no": "False", "off": "False", "0": "False", "false": "False"}  # fmt: skip


def _awards(law: Chapter, option: Option, said: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Awards by hand and stake with the nearest hands, and amounts as they are written."""
    hands = [row.hand for data in law.paytable_data if data.wager == option.hands_of
             for row in data.rows]  # fmt: skip
    fact = law.about.facts.get("progressive_stakes")
    stakes = list(map(str, fact.value)) if fact and isinstance(fact.value, tuple) else ["1.00"]
    found: dict[str, dict[str, str]] = {}
    for hand, by_stake in said.items():
        paid = by_stake.items() if isinstance(by_stake, Mapping) else [(stakes[0], by_stake)]
        amounts = {stake: _amount(award) for stake, award in paid if stake in stakes}
        amounts = {stake: award for stake, award in amounts.items() if award}
        for name in get_close_matches(hand, hands, n=1):
            if amounts:
                found.setdefault(name, amounts)
    if found:
        yield found
    yield {hands[0]: {stakes[0]: "1000.00"}}


def _limits(
    given: Mapping[str, Any], finding: Finding, submission: Submission, law: Chapter, rest: str
) -> Iterator[tuple[Path, Any]]:
    del finding
    wager = rest.split(".", maxsplit=1)[0]
    bounds = given.get("limits", {}).get(wager)
    if isinstance(bounds, Mapping):
        low, high = bounds.get("min"), bounds.get("max")
        if isinstance(low, str) and isinstance(high, str):
            yield ("limits", wager), {"min": high, "max": low}
        plain = {end: _amount(bounds.get(end)) for end in ("min", "max") if bounds.get(end)}
        if plain and all(plain.values()):
            yield ("limits", wager), plain
        if wager in law.wagers and submission.rules.offers(wager):
            step = submission.rules.step(wager)
            try:
                ends = {end: cents(str(text)) for end, text in bounds.items()}
            except Refused:  # not amounts
                ends = {}
            if ends and step > max(ends.values()):  # no such chip is played with here
                yield ("rules", "chip_unit"), law.options["chip_unit"].choices[0].value
            if ends:
                rounded = {end: dollars(max(-(-amount // step), 1) * step if end == "min" else
                                        max(amount // step, 1) * step)
                           for end, amount in ends.items()}  # fmt: skip
                yield ("limits", wager), rounded
    # limits that agree with those of the wager that it is tied to
    for other, bound in submission.rules.limits.items():
        if other != wager and None not in (bound.min, bound.max):
            yield (
                ("limits", wager),
                {"min": dollars(bound.min or 0), "max": dollars(bound.max or 0)},
            )
    for low, high in (
        ("5.00", "500.00"),
        ("1.00", "5.00"),
        ("5.00", "100.00"),
        ("10.00", "100.00"),
    ):
        yield ("limits", wager), {"min": low, "max": high}


def _amount(said: object) -> str:
    """The amount that was probably meant, as a submission writes it: "$5,000" is "5000.00"."""
    if isinstance(said, int | float) and not isinstance(said, bool) and said > 0:
        said = f"{said:.2f}"
    text = said.strip().lstrip("$") if isinstance(said, str) else ""
    if text[-3:-2] == "," and "." not in text:  # a decimal comma
        text = f"{text[:-3]}.{text[-2:]}"
    text = text.replace(",", "")
    if len(text.partition(".")[2]) == 1:
        text += "0"
    try:
        return dollars(cents(text))
    except Refused:
        return ""


def _meters(
    given: Mapping[str, Any], finding: Finding, submission: Submission, law: Chapter, rest: str
) -> Iterator[tuple[Path, Any]]:
    del law
    names = submission.rules.meter_names
    if finding.code in ("not_a_rate", "rates_do_not_add_up"):
        yield from _shared_out(given, submission, rest)
    name = next((one for one in names if rest == one or rest.startswith(f"{one}.")), "")
    if not name:
        return
    path = _path(given, "meters", name)
    terms: Any = given.get("meters", {})
    for key in path[1:]:
        terms = terms.get(key, {}) if isinstance(terms, Mapping) else {}
    kept = _texts(terms)
    kept |= {key: _amount(text) or text for key, text in kept.items() if key in ("seed", "reset")}
    tiers = sum(1 for one in names if one.partition(".")[0] == name.partition(".")[0])
    for rate in _rates(terms.get("rate") if isinstance(terms, Mapping) else None, tiers):
        start = {"rate": rate, "seed": "1000.00", "reset": "1000.00"}
        yield path, {**start, **kept, "rate": rate}
        yield path, start


def _lower_rates(
    given: Mapping[str, Any], submission: Submission, wager: str
) -> Iterator[tuple[Path, Any]]:
    """The meters of a wager that returns too much in the long run, one or all adding less."""
    rules = submission.rules
    meters = [name for name in rules.meter_names if name.partition(".")[0] == wager]
    for share in (2, 4, 8, 0):
        less = {name: _less(rules.meter(name), share) for name in meters}
        for name in meters:
            yield _path(given, "meters", name), less[name]
        if len(meters) > 1:
            yield ("meters", wager), {name.partition(".")[2]: less[name] for name in meters}


def _less(terms: MeterTerms, share: int) -> dict[str, str]:
    """The terms with the rate divided by a number, in whole percent; for 0 without the reserve."""
    if not share:
        return {**terms.as_file(), "reserve": "0%"}
    return {**terms.as_file(), "rate": percent(Fraction(int(terms.rate * 100 / share), 100))}


def _shared_out(
    given: Mapping[str, Any], submission: Submission, wager: str
) -> Iterator[tuple[Path, Any]]:
    """All tiers of a wager with rates that add up to less than the wager; amounts are unchanged."""
    tiers = [one for one in submission.rules.meter_names if one.partition(".")[0] == wager]
    if len(tiers) > 1:
        said = by_full_name(given.get("meters", {}), [])
        start = {"rate": f"{60 // len(tiers)}%", "seed": "1000.00", "reset": "1000.00"}
        told = {
            one.partition(".")[2]: {**start, **_texts(said.get(one)), "rate": start["rate"]}
            for one in tiers
        }
        yield ("meters", wager), told


def _texts(terms: object) -> dict[str, str]:
    found = terms.items() if isinstance(terms, Mapping) else ()
    return {str(key): value for key, value in found if isinstance(value, str)}


def _rates(said: object, tiers: int) -> Iterator[str]:
    if isinstance(said, float | int) and not isinstance(said, bool) and 0 < said < 1:
        yield f"{said * 100:g}%"
    elif isinstance(said, str) and said.strip("% ").replace(".", "", 1).isdigit():
        yield f"{said.strip('% ')}%"
    yield "14%" if tiers == 1 else f"{60 // (tiers + 1)}%"
    yield "20%"
    yield "10%"


def _table(
    given: Mapping[str, Any], finding: Finding, submission: Submission, law: Chapter, rest: str
) -> Iterator[tuple[Path, Any]]:
    del given, finding
    if rest == "seats":
        yield ("table", "seats"), law.number("seats")
    elif rest == "equipment":
        yield ("table", "equipment"), list(required_equipment(submission.rules))
    elif rest == "tip_box":
        yield ("table", "tip_box"), "across"


def _layout(
    given: Mapping[str, Any], finding: Finding, submission: Submission, law: Chapter, rest: str
) -> Iterator[tuple[Path, Any]]:
    del finding
    if rest == "color":
        said = given.get("layout", {}).get("color")
        if isinstance(said, str) and printable_text(said, rest):
            yield ("layout", "color"), printable_text(said, rest)
        yield ("layout", "color"), "green"
        return
    wanted = [i for i in law.about.inscriptions if in_force(submission.rules, i.when)]
    sign = [i.id for i in wanted if i.or_sign and i.id in submission.layout.sign]
    if rest.startswith("sign"):
        yield ("layout", "sign"), sign
    yield ("layout", "felt"), [i.id for i in wanted if i.id not in sign]


def _approvals(
    given: Mapping[str, Any], finding: Finding, submission: Submission, law: Chapter, rest: str
) -> Iterator[tuple[Path, Any]]:
    del given, finding
    approval = next(
        (one for one in law.about.approvals if one.id == rest.split(".", maxsplit=1)[0]), None
    )
    if approval is None:
        return
    day = submission.who.date if submission.who.date.year > 1 else dt.date(2026, 3, 1)
    if approval.together:
        yield ("approvals", approval.id), TOGETHER
    entry = submission.approvals.get(approval.id)
    said = "" if entry is None or isinstance(entry, str) else printable_text(entry.reference, "")
    yield ("approvals", approval.id), {"reference": said, "date": day}


def _answers(
    given: Mapping[str, Any], finding: Finding, submission: Submission, law: Chapter, rest: str
) -> Iterator[tuple[Path, Any]]:
    del given, finding, submission
    fact = law.about.facts.get(rest)
    if fact is not None and isinstance(fact.value, tuple):
        yield ("answers", rest), list(fact.value)


def _paytables(
    given: Mapping[str, Any], finding: Finding, submission: Submission, law: Chapter, rest: str
) -> Iterator[tuple[Path, Any]]:
    del given, finding, submission
    wager = rest.split(".", maxsplit=1)[0]
    option = law.options.get(wager)
    if option is not None and (wager, option.least) in law.paytables:
        rows = law.paytables[wager, option.least].pays
        yield ("paytables", wager), {hand: str(pay.odds) for hand, pay in rows.items()}


def _devices(
    given: Mapping[str, Any], finding: Finding, submission: Submission, law: Chapter, rest: str
) -> Iterator[tuple[Path, Any]]:
    del law, finding
    id, _, field = rest.partition(".")
    listed = given.get("devices", {}).get(id)
    if isinstance(listed, list) and listed and isinstance(listed[0], Mapping):
        yield ("devices", id), listed[0]
    if field and id in devices_of(submission.rules):
        entry = given.get("devices", {}).get(id)
        text = entry.get(field) if isinstance(entry, Mapping) else ""
        yield ("devices", id, field), printable_text(text, field) if isinstance(text, str) else ""
        yield ("devices", id, field), ""


_KINDS = {
    "submission": _submission, "rules": _rules, "limits": _limits, "meters": _meters,
    "table": _table, "layout": _layout, "approvals": _approvals, "answers": _answers,
    "paytables": _paytables, "devices": _devices,
}  # fmt: skip
