"""Which figures a second program has recomputed.

`tests/maths/second_program.py` works out the chapters' sheets by plain enumeration, with code of its
own. What agrees is recorded in `checked.json` by a hash of the figures, part by part, so that a
figure that changes is no longer called checked, and a sheet says exactly what was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from houseway.maths.figures import exact

if TYPE_CHECKING:
    from houseway.maths.confidence import Interval
    from houseway.maths.sheet import Entry, Sheet

#: the parts of an entry, and what a sheet prints of each
PARTS = {
    "edge": "house edge, return and average bet",
    "spread": "distribution of net results (deviation, hit rate, volatility, maximum payout)",
    "rows": "rows (combinations, probability, return)",
    "combinations": "combinations of each outcome (rows, edge and deviation are these times what is "
    "paid here)",
    "strategy": "costs of simpler play",
    "meters": "fixed returns, how often meters pay and what share (break-even amounts and long-run "
    "returns follow from these)",
    "hold": "hold over many rounds (within 1e-9)",
    "together": "the wagers together",
    "counts": "the counts of deals that joint figures, at any stakes, are added up from",
}


def parts_of(entry: Entry) -> dict[str, list[object]]:
    """The figures of an entry by part, those that it has; each simpler way to play by itself."""
    spread = entry.shown_spread
    found: dict[str, list[object]] = {
        "edge": [exact(entry.edge), exact(spread.staked)],
        "spread": [[exact(net), exact(chance)] for net, chance in spread.distribution],
        "rows": [
            [
                one.outcome,
                one.hand,
                exact(one.back or entry.edge * 0),
                str(one.ways),
                str(entry.deals),
            ]
            for one in entry.outcomes
        ],
        # whatever they are paid by
        "combinations": [
            *([one.outcome, one.hand, str(one.ways)] for one in entry.outcomes),
            str(entry.deals),
        ],
    }
    for other in entry.strategy.alternatives if entry.strategy is not None else ():
        found[f"strategy {other.strategy}"] = [other.house_edge]
    if entry.progressive is not None:
        out = entry.progressive.out()
        shown = [out, msgspec.to_builtins(out["beside_ante"])] if "beside_ante" in out else [out]
        # whatever the rates and resets of a table are
        found["meters"] = [
            [
                one["fixed_return"],
                {
                    name: [meter["probability"], meter["share"]]
                    for name, meter in msgspec.to_builtins(one["meters"]).items()
                },
            ]
            for one in shown
        ]
    return found


def hold_of(hold: Sequence[Interval]) -> list[object]:
    """The intervals of an entry's hold, without what the normal curve would say."""
    return [
        [one.rounds, one.confidence, one.hold_low_percent, one.hold_high_percent, one.covers,
         one.house_behind]
        for one in hold
    ]  # fmt: skip


def together_of(sheet: Sheet) -> list[object]:
    """The figures of the wagers of one seat together."""
    whole = sheet.together
    if whole is None:
        return []
    return [
        sorted(sheet.together_tables.items()),
        sorted((name, exact(mean)) for name, mean in whole.means.items()),
        sorted((name, exact(value)) for name, value in whole.variances.items()),
        sorted(([*pair], exact(value)) for pair, value in whole.covariances.items()),
        sorted(whole.stakes.items()),
    ]


def joint_counts(sheet: Sheet) -> dict[str, str]:
    """The hash of each count of deals that the sheet's joint figures are added up from.

    Those of the wagers together are left out where they are on record themselves.
    """
    from houseway.maths.game import MATHS
    from houseway.maths.joint.joint_wagers import everything

    entries = list(sheet.at_stakes.stakes) if sheet.at_stakes is not None else []
    if sheet.together is not None and hash_of("together", together_of(sheet)) not in recorded():
        entries += sheet.together_tables
    if not entries:
        return {}
    rules = sheet.rules or everything(sheet.chapter)
    counts = MATHS.of(sheet.chapter).joint_counts(rules, entries)
    return {
        name: hash_of(f"counts {name}", [msgspec.to_builtins(tally)])
        for name, tally in counts.items()
    }


def hash_of(part: str, values: list[object], entry: Entry | None = None) -> str:
    """A hash of a part of an entry, or of a sheet."""
    named: list[Any] = [part]
    if entry is not None and part == "combinations":
        named.append(entry.wager)
    elif entry is not None:
        columns = {name: str(value) for name, value in sorted(entry.columns.items())}
        named += [entry.wager, entry.paytable, columns]
    encoded = msgspec.json.encode([named, values], order="deterministic")
    return hashlib.sha256(encoded).hexdigest()[:16]


def hashes_of(entry: Entry, hold: Sequence[Interval] = ()) -> dict[str, str]:
    """The hash of each part of an entry, with its hold over many rounds where that is given."""
    found = parts_of(entry) | ({"hold": hold_of(hold)} if hold else {})
    return {part: hash_of(part, values, entry) for part, values in found.items()}


@cache
def recorded() -> frozenset[str]:
    """The hashes of all parts that the second program has agreed with."""
    text = files("houseway.maths").joinpath("checked.json").read_bytes()
    found = msgspec.json.decode(text, type=dict[str, list[str]])
    return frozenset(one for every in found.values() for one in every)


def limited(sheet: Sheet) -> bool:
    """Whether a payout limit may cut what is paid."""
    from houseway.maths.joint.limited import payout_limit

    return sheet.rules is not None and payout_limit(sheet.rules) is not None


def _said(hashes: dict[str, str]) -> dict[str, str]:
    """The parts that are said of an entry: its combinations only where another payout is new."""
    rows, combinations = hashes["rows"] in recorded(), hashes["combinations"] in recorded()
    follow = ("edge", "spread", "rows") if combinations and not rows else ("combinations",)
    return {part: value for part, value in hashes.items() if part not in follow}


def statement(sheet: Sheet, holds: Sequence[Sequence[Interval]] = ()) -> str:
    """Exactly what of a sheet a second program has recomputed, with a hash of that.

    `holds` are the intervals of each entry, where the sheet shows them.
    """
    parts: dict[str, list[str]] = {}
    for entry, hold in zip(sheet.entries, holds or [()] * len(sheet.entries), strict=True):
        for part, value in _said(hashes_of(entry, hold)).items():
            parts.setdefault(part.partition(" ")[0], []).append(value)
    if sheet.together is not None:
        parts["together"] = [hash_of("together", together_of(sheet))]
    if counts := joint_counts(sheet):
        parts["counts"] = list(counts.values())
        if set(counts.values()) <= recorded() and not set(parts.get("together", ())) <= recorded():
            del parts["together"]
    found = {part: [one for one in every if one in recorded()] for part, every in parts.items()}
    checked = [one for every in found.values() for one in every]
    if not checked:
        return (
            "No figure of this sheet is among those that a second program has recomputed: it covers "
            "the printed tables with the defaults of the chapter."
        )
    whole = hashlib.sha256("\n".join(checked).encode()).hexdigest()[:16]
    every = [PARTS[part] for part in parts if len(found[part]) == len(parts[part])]
    some = [
        f"{PARTS[part]}, {len(found[part])} of {len(parts[part])}"
        for part in parts
        if 0 < len(found[part]) < len(parts[part])
    ]
    none = [PARTS[part] for part in parts if not found[part]]
    if sheet.at_stakes is not None and not counts and limited(sheet):
        none.append("the figures at these stakes")
    says = f"Recomputed by a second program, exactly: {'; '.join([*every, *some])}."
    if none:
        says += f" Not recomputed: {'; '.join(none)}."
    return f"{says} What was checked has the hash {whole}."
