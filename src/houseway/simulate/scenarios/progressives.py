"""Progressive meters over a run: how they grow, how long until they are hit, what they pay then.

A run counts rounds in which meters are hit; here those hits are replayed in order, every round's
contributions before its payments, with the arithmetic of the meters themselves. Several tables
linked to one meter are one long sequence of rounds, so many an hour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from houseway.meters import Meter
from houseway.money import Cents
from houseway.simulate.prepared import Playing
from houseway.simulate.results.tally import Tally


@dataclass(frozen=True)
class Growth:
    """One meter over a run."""

    meter: str
    #: rounds of the run at which it was hit whole, and what it paid then
    hits: tuple[tuple[int, Cents], ...]
    #: hits of a part of it, and what those paid together
    parts: int
    parts_paid: Cents
    shows: Cents
    contributed: Fraction
    rounds: int
    #: rounds of the run at which it paid anything, as the PAR sheet counts its hits
    paid_at: tuple[int, ...] = ()

    @property
    def waits(self) -> list[int]:
        """Rounds from one payment to the next, the first from the start of the run."""
        return _waits(self.paid_at)

    @property
    def mean_wait(self) -> float | None:
        return sum(self.waits) / len(self.paid_at) if self.paid_at else None

    @property
    def mean_whole_wait(self) -> float | None:
        """The same until it is won whole."""
        whole = _waits([number for number, _ in self.hits])
        return sum(whole) / len(whole) if whole else None

    @property
    def mean_paid(self) -> float | None:
        return sum(paid for _, paid in self.hits) / len(self.hits) if self.hits else None


def _waits(ends: Sequence[int]) -> list[int]:
    return [end - before for before, end in zip([-1, *ends], ends, strict=False)]


def growth(game: Playing, tally: Tally) -> list[Growth]:
    """Replay the meters of a run from its hits."""
    rules, plan = game.rules, game.plan
    names = rules.meter_names
    terms = [rules.meter(name) for name in names]
    by_round = [sum(made.get(name.partition(".")[0], 0) for made in plan.stakes) for name in names]
    meters = [Meter(Fraction(one.seed), one.reset) for one in terms]
    last = [0] * len(names)
    whole: list[list[tuple[int, Cents]]] = [[] for _ in names]
    parts, paid_in_parts = [0] * len(names), [0] * len(names)
    paid_at: list[list[int]] = [[] for _ in names]
    # in a round the highest seat is paid first
    for number, meter, share, _ in sorted(tally.hits, key=lambda hit: (hit[0], -hit[3])):
        rounds = number + 1 - last[meter]
        grown = meters[meter].grown(by_round[meter] * rounds, terms[meter])
        last[meter] = number + 1
        paid, meters[meter] = grown.paid(Fraction(share, 100))
        paid_at[meter].append(number)
        if share == 100:
            whole[meter].append((number, paid))
        else:
            parts[meter] += 1
            paid_in_parts[meter] += paid
    return [
        Growth(
            name,
            tuple(whole[place]),
            parts[place],
            paid_in_parts[place],
            meters[place].grown(by_round[place] * (tally.rounds - last[place]), terms[place]).shows,
            by_round[place] * terms[place].takes * tally.rounds,
            tally.rounds,
            tuple(paid_at[place]),
        )
        for place, name in enumerate(names)
    ]
