"""The terms of progressive meters: rates, reserves, seeds and resets as a rules file writes them.

`[meters.<name>]` has `rate`, what of every wager the meter shows; `reserve`, what of it goes to a
part that nobody is shown, and which is added to the meter when it starts again; `seed` and `reset`.
`whole` under the wager's own name states the whole rate, and the tiers and their reserves must come
to it exactly. The meter of a tier is named `[meters.progressive.major]` or, with the same meaning,
`[meters."progressive.major"]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from typing import Annotated, Any, TypeAlias

import msgspec

from houseway.errors import Refused
from houseway.money import Cents, cents, dollars

_RATE = re.compile(r"(\d{1,3}(?:\.\d{1,9})?)%", re.ASCII)
#: what `[meters.<name>]` may say, and what it means
TERMS = {
    "rate": "what each wager adds to the meter",
    "reserve": "what each wager adds to a hidden reserve until the meter restarts",
    "seed": "what it shows at first",
    "reset": "what it shows after it was won, in addition to its reserve",
}
#: and `[meters.<wager>]` for all tiers of the wager together
WHOLE = "the whole rate, to which the rates and reserves of all tiers come exactly"

#: `[meters]` of a rules file, with a description for its JSON Schema
MetersFile: TypeAlias = Annotated[
    dict[str, dict[str, str | dict[str, str]]],
    msgspec.Meta(
        description="By meter: "
        + "; ".join(f"{term}, {says}" for term, says in TERMS.items())
        + f". By wager: whole, {WHOLE}. A tier may stand inside its wager."
    ),
]


@dataclass(frozen=True, slots=True)
class MeterTerms:
    """How a progressive meter grows and at which amount it restarts."""

    rate: Fraction = Fraction(0)
    seed: Cents = 100_000
    reset: Cents = 100_000
    #: the share of every wager that goes to a hidden reserve until the meter restarts
    reserve: Fraction = Fraction(0)

    @property
    def takes(self) -> Fraction:
        """The share of every wager that goes to the meter, shown or hidden."""
        return self.rate + self.reserve

    def as_file(self) -> dict[str, str]:
        reserve = {"reserve": percent(self.reserve)} if self.reserve else {}
        return {
            "rate": percent(self.rate), **reserve,
            "seed": dollars(self.seed), "reset": dollars(self.reset),
        }  # fmt: skip


def read_rate(text: object, field: str | None = None) -> Fraction:
    """Read "14%" or "0.5%" as a fraction."""
    found = _RATE.fullmatch(text) if isinstance(text, str) else None
    rate = Fraction(found[1]) / 100 if found else Fraction(0)
    if found is None or rate > 1:
        fault, remedy = f"{text!r} is not a rate", 'write a percentage like "14%"'
        if rate > 1:
            fault = f"a rate of {text} is more than the whole wager"
            remedy = 'write at most "100%"'
        elif isinstance(text, str) and _RATE.fullmatch(text.lstrip("-")):
            fault, remedy = f"a rate of {text} is negative", 'write "0%" or more'
        raise Refused("not_a_rate", fault, remedy=remedy, field=field)
    return rate


def percent(rate: Fraction) -> str:
    """A rate as a percentage, exact: "14%", "12.5%", "2/3%"."""
    hundred = rate * 100
    if 10**9 % hundred.denominator:
        return f"{hundred}%"
    whole, rest = divmod(hundred.numerator * (10**9 // hundred.denominator), 10**9)
    return f"{whole}.{rest:09d}".rstrip("0").rstrip(".") + "%"


def by_full_name(given: Mapping[str, Any], problems: list[Refused]) -> dict[str, Any]:
    """`[meters]` with each meter under its full name, wherever a tier was written.

    A term that is written both ways for one meter is a problem; the first one counts.
    """
    found: dict[str, Any] = {}
    for wager, terms in given.items():
        if not isinstance(terms, Mapping):
            found[wager] = terms
            continue
        tiers = {f"{wager}.{key}": of for key, of in terms.items() if isinstance(of, Mapping)}
        own = {key: value for key, value in terms.items() if not isinstance(value, Mapping)}
        for name, part in ({wager: own} | tiers if own or not tiers else tiers).items():
            before = found.get(name, {})
            twice = [key for key in part if key in before]
            if twice:
                problems.append(
                    Refused(
                        "given_twice",
                        f"{' and '.join(twice)} of this meter {'stand' if len(twice) > 1 else 'stands'} under [meters.{name}] and"
                        f' under [meters."{name}"]',
                        remedy="leave one of them out",
                        field=f"meters.{name}",
                    )
                )
            found[name] = {**part, **before}
    return found


def read_meters(
    names: Iterable[str], given: Mapping[str, Mapping[str, str]], problems: list[Refused]
) -> tuple[dict[str, MeterTerms], dict[str, Fraction]]:
    """The terms of each meter, and the whole rates that are stated, by wager.

    A meter that cannot be read is left out, and what is wrong with it is added to `problems`.
    """
    names = tuple(names)
    tiers: dict[str, list[str]] = {}
    for name in names:
        tiers.setdefault(name.partition(".")[0], []).append(name)
    meters: dict[str, MeterTerms] = {}
    whole: dict[str, Fraction] = {}
    for name, terms in given.items():
        known = (*(TERMS if name in names else ()), *(("whole",) if name in tiers else ()))
        wrong = _not_a_meter(name, terms, known, names)
        read: dict[str, Any] = {}
        for term, text in terms.items() if not wrong else ():
            try:
                read[term] = cents(text) if term in ("seed", "reset") else read_rate(text)
            except Refused as refusal:
                wrong.append(refusal.at(field=f"meters.{name}"))
        if wrong:
            problems += wrong
            tiers.pop(name.partition(".")[0], None)  # the sum of its rates is not known
            continue
        if "whole" in read:
            whole[name] = read.pop("whole")
        if name in names:
            reset = read.setdefault("reset", MeterTerms().reset)
            made = meters[name] = MeterTerms(**{"seed": reset, **read})
            if not (made.seed or made.rate) or not (made.reset or made.rate):
                problems.append(
                    Refused(
                        "empty_meter", "this meter would never hold anything",
                        remedy='give a rate, or a seed and a reset, such as rate = "20%"',
                        field=f"meters.{name}",
                    )
                )  # fmt: skip
    for wager, parts in tiers.items():
        try:
            check_split(wager, whole.get(wager), [meters[name] for name in parts if name in meters])
        except Refused as refusal:
            problems.append(refusal)
    return meters, whole


def _not_a_meter(
    name: str, terms: object, known: tuple[str, ...], names: tuple[str, ...]
) -> list[Refused]:
    """What is wrong with a part of `[meters]` before its terms are read: one problem or none."""
    place = f"meters.{name}"
    if not known:
        close = get_close_matches(name, names, n=1)
        there = (
            f"choose from {', '.join(names)}" if names else "no meter is in use, so leave it out"
        )
        remedy = f"did you mean {close[0]}?" if close else there
        fault = f"these rules have no meter {name}"
        return [Refused("no_such_meter", fault, remedy=remedy, field=place)]
    if not isinstance(terms, Mapping) or not set(terms) <= set(known):
        has = ", ".join(known[:-1]) + (" or " if known[1:] else "") + known[-1]
        fault = "the terms of this meter are not a table"
        if isinstance(terms, Mapping):
            strange = ", ".join(sorted(map(str, set(terms) - set(known))))
            fault = f"a meter has no {strange}"
        return [Refused("not_a_meter", fault, remedy=f"it has {has}", field=place)]
    return []


def check_split(wager: str, whole: Fraction | None, tiers: Iterable[MeterTerms]) -> None:
    """Refuse tiers and reserves that do not add up exactly to the whole rate."""
    parts = sum((terms.takes for terms in tiers), Fraction(0))
    if whole is not None and parts != whole:
        raise Refused(
            "rates_do_not_add_up",
            f"the tiers of {wager} and their reserves take {percent(parts)} of a wager,"
            f" the whole rate is {percent(whole)}",
            remedy="make the parts add up to the whole, or change the whole",
            field=f"meters.{wager}",
        )
    if parts > 1:
        raise Refused(
            "not_a_rate",
            f"the meters of {wager} take {percent(parts)} of it, more than the wager",
            remedy='lower the rates; together they are at most "100%"',
            field=f"meters.{wager}",
        )
