"""The payouts of a PAR entry as cells that can be changed, and each outcome's net result by them.

An outcome is paid as its row says: `35 to 1`, or `ante 1 to 1, play 1 to 1, ante bonus 4 to 1`. Each
payout becomes one cell. What is not a payout (`play push`) is a constant of the outcome.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from houseway.maths.sheet import MeterOut, OutcomeOut

_PART = re.compile(r"(?:(.*) )?(\$[\d,.]+|\d+(?:\.\d+)? (?:to|for) \d+|[\d.]+% of .+)")
_METER = re.compile(r"([\d.]+)% of (.+)")


@dataclass(frozen=True)
class Payout:
    """One payout that can be changed: `kind` is `to`, `for`, `dollars` or `meter`."""

    says: str
    odds: str
    kind: str
    value: Fraction
    clause: str = ""


@dataclass
class Net:
    """An outcome's net result: a constant and payouts, each with its weight."""

    constant: Fraction = Fraction(0)
    payouts: list[tuple[int, Fraction]] = field(default_factory=list)
    #: the share of a meter, and its name
    meter: tuple[str, Fraction] | None = None


def _parsed(text: str) -> tuple[list[tuple[str, str]], bool]:
    """The payouts in a text by name, and whether anything else is in it."""
    parts = [part for piece in text.split(", ") for part in piece.split(" and ")]
    found = [_PART.fullmatch(part) for part in parts]
    return [(one[1] or "", one[2]) for one in found if one], not all(found)


def _value(odds: str) -> tuple[str, Fraction]:
    if odds.startswith("$"):
        return "dollars", Fraction(odds[1:].replace(",", ""))
    first, how, second = odds.split()
    return how, Fraction(first) / Fraction(second)


def net_of(payout: Payout, stake: Fraction) -> Fraction:
    """What a payout brings beside one unit staked."""
    if payout.kind == "dollars":
        return payout.value / stake
    return payout.value - 1 if payout.kind == "for" else payout.value


def payouts_of(
    rows: Sequence[OutcomeOut], names: Sequence[str], meters: dict[str, MeterOut], stake: Fraction
) -> tuple[list[Payout], list[Net | None]]:
    """The payouts of an entry, and each outcome's net result; None where no payout tells it."""
    parsed = [_parsed(row.pays) for row in rows]
    odds_of = defaultdict(set)
    for parts, _ in parsed:
        for name, odds in parts:
            odds_of[name].add(odds)
    several = any(sum(not name for name, _ in parts) > 1 for parts, _ in parsed)
    found: dict[tuple[str, str, str], int] = {}
    payouts: list[Payout] = []
    nets: list[Net | None] = []
    for row, label, (parts, others) in zip(rows, names, parsed, strict=True):
        share = _METER.fullmatch(row.pays)
        if share and row.net == "" and meters:
            meter = share[2] if share[2] in meters else _nearest(share[2], meters)
            nets.append(Net(Fraction(-1), meter=(meter, Fraction(share[1]) / 100)))
            continue
        if row.net == "":
            nets.append(None)
            continue
        net = Net()
        for name, odds in parts:
            by_hand = len(odds_of[name]) > 1 if name else not several
            what = (row.hand.replace("_", " ") if name and row.hand else label) if by_hand else ""
            key = (name, odds, what)
            if key not in found:
                found[key] = len(payouts)
                kind, value = _value(odds)
                says = ", ".join(filter(None, (name.capitalize(), what)))
                payouts.append(Payout(says or f"Paid {odds}", odds, kind, value, row.clause))
            net.payouts.append((found[key], Fraction(1)))
        paid = sum((net_of(payouts[at], stake) for at, _ in net.payouts), Fraction(0))
        result = Fraction(row.net)
        if len(parts) == 1 and not others and paid:
            net.payouts = [(net.payouts[0][0], result / paid)]
        else:
            net.constant = result - paid
        nets.append(net)
    return payouts, nets


def _nearest(tier: str, meters: dict[str, MeterOut]) -> str:
    """The meter that a share is taken of: the one tier, or the only meter."""
    return next((name for name in meters if name.endswith(f".{tier}")), next(iter(meters)))
