"""Money: whole cents inside, `"12.50"` outside, never a float."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from houseway.arguments import checked
from houseway.errors import Refused

Cents: TypeAlias = int

_AMOUNT = re.compile(r"(\d{1,12})(?:\.(\d\d))?", re.ASCII)
_TOO_LARGE = re.compile(r"\d{13,}(?:\.\d\d)?", re.ASCII)


def cents(text: str) -> Cents:
    """`"12.50"` as 1250. Dollars alone are read too; three decimals, signs and floats are not."""
    amount = _cents(text) if isinstance(text, str) else None
    if amount is None:
        below = isinstance(text, str) and text[:1] == "-" and _cents(text[1:]) is not None
        above = isinstance(text, str) and _TOO_LARGE.fullmatch(text)
        fault = "is negative" if below else "is too large" if above else "is not an amount"
        said = repr(text) if isinstance(text, str) else str(text).lower()
        raise Refused(
            "not_an_amount",
            f"{said} {fault}",
            remedy='write dollars and cents, like "12.50"',
        )
    return amount


@lru_cache(maxsize=1 << 14)
def _cents(text: str) -> Cents | None:
    found = _AMOUNT.fullmatch(text)
    return int(found[1]) * 100 + int(found[2] or 0) if found else None


def signed(text: str) -> Cents:
    """An amount that may be negative, as a meter's share less the stake may be."""
    return -cents(text[1:]) if text.startswith("-") else cents(text)


@checked
@lru_cache(maxsize=1 << 14)
def dollars(amount: Cents) -> str:
    """1250 as `"12.50"`, and -5 as `"-0.05"`."""
    whole, rest = divmod(abs(amount), 100)
    return f"{'-' if amount < 0 else ''}{whole}.{rest:02d}"


def spoken(amount: Cents) -> str:
    """For a sentence: "$1,250" or "$12.50"."""
    whole, rest = divmod(abs(amount), 100)
    sign = "-" if amount < 0 else ""
    return f"{sign}${whole:,}" + (f".{rest:02d}" if rest else "")


def exactly(amount: Fraction) -> str:
    """Exact cents as dollars, with every decimal, or with the last fraction of a cent in words."""
    sign, value = ("-" if amount < 0 else ""), abs(amount)
    places = next((n for n in range(13) if 10**n % value.denominator == 0), None)
    if places is None:
        whole, rest = divmod(value, 1)
        return f"{sign}{dollars(int(whole))} and {rest} of a cent"
    digits = f"{int(value * 10**places):0{places + 3}d}"
    return f"{sign}{digits[: -places - 2]}.{digits[-places - 2 :]}"
