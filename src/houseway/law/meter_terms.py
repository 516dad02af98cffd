"""The terms of progressive meters: rates, reserves, seeds and resets as a rules file writes them.

`[meters.<name>]` has `rate`, what of every wager the meter shows; `reserve`, what of it goes to a
part that nobody is shown, and which is added to the meter when it starts again; `seed` and `reset`.
`whole` under the wager's own name states the whole rate, and the tiers and their reserves must come
to it exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from typing import Annotated, TypeAlias

import msgspec

from houseway.errors import Refused
from houseway.money import Cents, cents, dollars

_RATE = re.compile(r"(\d{1,3}(?:\.\d{1,9})?)%", re.ASCII)
#: what `[meters.<name>]` may say, and what it means
TERMS = {
    "rate": "what each wager adds to the meter",
    "reserve": "what each wager adds to a part that nobody is shown until the meter starts again",
    "seed": "what it shows at first",
    "reset": "what it shows after it was won, beside its reserve",
}
#: and `[meters.<wager>]` for all tiers of the wager together
WHOLE = "the whole rate, to which the rates and reserves of all tiers come exactly"

#: `[meters]` of a rules file, with a description for its JSON Schema
MetersFile: TypeAlias = Annotated[
    dict[str, dict[str, str]],
    msgspec.Meta(
        description="By meter: "
        + "; ".join(f"{term}, {says}" for term, says in TERMS.items())
        + f". By wager: whole, {WHOLE}."
    ),
]


@dataclass(frozen=True, slots=True)
class MeterTerms:
    """How a progressive meter grows and where it starts again."""

    rate: Fraction = Fraction(0)
    seed: Cents = 100_000
    reset: Cents = 100_000
    #: of every wager, what goes to a part that nobody is shown until the meter starts again
    reserve: Fraction = Fraction(0)

    @property
    def takes(self) -> Fraction:
        """What of every wager goes to the meter, shown or not."""
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
    if found is None or (rate := Fraction(found[1]) / 100) > 1:
        raise Refused(
            "not_a_rate", f'{text!r} is not a rate; write a percentage like "14%"', field=field
        )
    return rate


def percent(rate: Fraction) -> str:
    """A rate as a percentage, exact: "14%", "12.5%", "2/3%"."""
    hundred = rate * 100
    if 10**9 % hundred.denominator:
        return f"{hundred}%"
    whole, rest = divmod(hundred.numerator * (10**9 // hundred.denominator), 10**9)
    return f"{whole}.{rest:09d}".rstrip("0").rstrip(".") + "%"


def read_meters(
    names: Iterable[str], given: Mapping[str, Mapping[str, str]]
) -> tuple[dict[str, MeterTerms], dict[str, Fraction]]:
    """The terms of each meter, and the whole rates that are stated, by wager."""
    names = tuple(names)
    wagers = {name.partition(".")[0] for name in names}
    meters: dict[str, MeterTerms] = {}
    whole: dict[str, Fraction] = {}
    for name, terms in given.items():
        place = f"meters.{name}"
        known = (*(TERMS if name in names else ()), *(("whole",) if name in wagers else ()))
        if not known:
            raise _no_such_meter(name, names)
        if not isinstance(terms, Mapping) or not set(terms) <= set(known):
            has = ", ".join(known[:-1]) + (" and " if known[1:] else "") + known[-1]
            raise Refused("not_a_meter", f"{name} has {has}", field=place)
        try:
            if "whole" in terms:
                whole[name] = read_rate(terms["whole"])
            if name in names:
                meters[name] = _terms(terms)
        except Refused as refusal:
            raise refusal.at(field=place) from None
    for wager in wagers:
        check_split(
            wager,
            whole.get(wager),
            {name: meters[name] for name in meters if name.partition(".")[0] == wager},
        )
    return meters, whole


def _terms(given: Mapping[str, str]) -> MeterTerms:
    reset = cents(given["reset"]) if "reset" in given else MeterTerms().reset
    return MeterTerms(
        rate=read_rate(given["rate"]) if "rate" in given else Fraction(0),
        reserve=read_rate(given["reserve"]) if "reserve" in given else Fraction(0),
        seed=cents(given["seed"]) if "seed" in given else reset,
        reset=reset,
    )


def _no_such_meter(name: str, names: tuple[str, ...]) -> Refused:
    there = f"there is {', '.join(names)}" if names else "no meter is in use"
    close = get_close_matches(name, names, n=1)
    meant = f"; did you mean {close[0]}?" if close else ""
    return Refused(
        "no_such_meter", f"these rules have no meter {name}{meant}; {there}", field=f"meters.{name}"
    )


def check_split(wager: str, whole: Fraction | None, tiers: Mapping[str, MeterTerms]) -> None:
    """The tiers and their reserves come to the whole rate to the last fraction, and to no more."""
    parts = sum((terms.takes for terms in tiers.values()), Fraction(0))
    if whole is not None and parts != whole:
        raise Refused(
            "rates_do_not_add_up",
            f"the tiers of {wager} and their reserves take {percent(parts)} of a wager,"
            f" the whole rate is {percent(whole)}",
            field=f"meters.{wager}",
        )
    if parts > 1:
        raise Refused(
            "not_a_rate",
            f"the meters of {wager} take {percent(parts)} of it, more than the wager",
            field=f"meters.{wager}",
        )
