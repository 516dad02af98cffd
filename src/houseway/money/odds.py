"""Payout odds of every kind the chapters use, exact.

- `35 to 1`, `3 to 2`: paid beside the stake. - `500 for 1`: the stake is part of it, so 499 are
paid beside the stake. - `100% of meter`, `10% of meter`, `100% of major`: a share of a progressive
meter. The player receives exactly that share; the wager was dropped before the deal, as with "for".
- `$100000`: this many dollars in addition to the stake, whatever the stake.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from houseway.errors import Refused
from houseway.money.amount import Cents, dollars, spoken

Kind = Literal["to", "for", "meter", "dollars"]

_TO = re.compile(r"(\d{1,9}) (to|for) (\d{1,9})", re.ASCII)
_METER = re.compile(r"(\d{1,3})% of ([a-z]+)", re.ASCII)
_DOLLARS = re.compile(r"\$(\d{1,12})(?:\.(\d\d))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Odds:
    """One payout. `value` is the ratio, the share of the meter, or the award in cents."""

    text: str
    kind: Kind
    value: Fraction
    meter: str = ""

    def beside(self, stake: Cents) -> Cents:
        """What is paid beside the stake, to the cent; meters are paid by the meter itself."""
        if self.kind == "dollars":
            return int(self.value)
        top, bottom = self.value.as_integer_ratio()
        paid, rest = divmod(stake * top, bottom)
        if rest or self.kind == "meter":
            raise Refused(
                "not_payable", f"{dollars(stake)} at {self.text} cannot be paid to the cent"
            )
        return paid - stake if self.kind == "for" else paid

    def exactly(self, stake: Cents) -> Fraction:
        """What is paid beside the stake, exactly, in fractions of a cent."""
        if self.kind == "to":
            return stake * self.value
        if self.kind == "for":
            return stake * (self.value - 1)
        if self.kind == "dollars":
            return self.value
        raise ValueError(f"{self.text} depends on the meter")

    def __str__(self) -> str:
        return self.text


def odds(text: str) -> Odds:
    """Read odds as the law writes them. Thousands separators are accepted and ignored."""
    found = _odds(text.replace(",", "").strip()) if isinstance(text, str) else None
    if found is None:
        raise Refused(
            "not_odds",
            f"{text!r} is not a payout",
            remedy="write '35 to 1', '500 for 1', '100% of meter' or '$100000'",
        )
    return found


def payout(text: str, stake: Cents, paid: Cents) -> Cents:
    """What the dealer hands a winner who is paid this much beside the stake, at these odds.

    Odds "for 1" and shares of a meter include the stake, which was collected before the deal; all
    others leave it on the layout.
    """
    found = odds(text) if text else None
    return paid + stake if found and found.kind in ("for", "meter") else paid


@lru_cache(maxsize=1 << 12)
def _odds(plain: str) -> Odds | None:
    if found := _TO.fullmatch(plain):
        top, bottom = int(found[1]), int(found[3])
        if found[2] == "to" and bottom:
            return Odds(plain, "to", Fraction(top, bottom))
        if found[2] == "for" and bottom == 1 and top:
            return Odds(plain, "for", Fraction(top))
    if (found := _METER.fullmatch(plain)) and 0 < int(found[1]) <= 100:
        return Odds(plain, "meter", Fraction(int(found[1]), 100), found[2])
    if found := _DOLLARS.fullmatch(plain):
        award = int(found[1]) * 100 + int(found[2] or 0)
        return Odds(spoken(award).replace(",", ""), "dollars", Fraction(award))
    return None
