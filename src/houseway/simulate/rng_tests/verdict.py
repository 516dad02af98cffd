"""The trial: all tests on one source, and one verdict on all of them together at 99%.

Every p-value is looked at from both sides, since numbers that are too even are no better than
numbers that are too uneven. Holm's method keeps the chance of a false alarm, over all tests of a
trial, at one in a hundred.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from houseway.errors import Refused
from houseway.simulate.rng_tests.battery import (
    RAW,
    SHUFFLES,
    Finding,
    examine,
    examine_draws,
)
from houseway.simulate.rng_tests.sources import Subject
from houseway.simulate.rng_tests.statistics import holm

LEVEL = 0.01
SHUFFLED, WORDS, DRAWS = 60_000, 1 << 20, 200_000
LEAST_SHUFFLES, LEAST_WORDS = 20_000, 1 << 18


@dataclass(frozen=True)
class Judged:
    """A finding with what all tests together make of it."""

    finding: Finding
    rejected: bool
    parts_rejected: bool


@dataclass(frozen=True)
class Trial:
    """A source and all that was found about it."""

    source: str
    says: str
    judged: tuple[Judged, ...]

    @property
    def passed(self) -> bool:
        return not any(one.rejected or one.parts_rejected for one in self.judged)

    def as_json(self) -> dict[str, Any]:
        return {
            "source": self.source,
            "says": self.says,
            "verdict": "no fault found" if self.passed else "fault found",
            "tests": [
                {
                    "test": one.finding.test,
                    "of": one.finding.of,
                    "says": one.finding.says,
                    "sample_size": one.finding.size,
                    "p_value": f"{one.finding.p:.6g}",
                    "ks_p_value": f"{one.finding.parts_p:.6g}",
                    "parts": len(one.finding.parts),
                    "rejected": one.rejected or one.parts_rejected,
                }
                for one in self.judged
            ],
        }


def two_sided(p: float) -> float:
    return min(1.0, 2 * min(p, 1 - p))


def try_source(
    subject: Subject, *, shuffles: int = SHUFFLED, words: int = WORDS, draws: int = DRAWS
) -> Trial:
    """Put one source on trial."""
    if shuffles < LEAST_SHUFFLES or words < LEAST_WORDS:
        raise Refused(
            "sample_too_small",
            f"the tests need at least {LEAST_SHUFFLES:,} shuffles and {LEAST_WORDS:,} words",
            field="shuffles" if shuffles < LEAST_SHUFFLES else "words",
        )
    findings = [
        *examine(SHUFFLES, subject.shuffles(shuffles)),
        *examine(RAW, subject.words(words)),
        *examine_draws(subject.below, draws),
    ]
    # p-values of counts or normal values already look both ways; the rest are doubled
    both = [two_sided(finding.p) for finding in findings]
    both += [finding.parts_p for finding in findings]
    rejected = holm(both, LEVEL)
    half = len(findings)
    return Trial(
        subject.name,
        subject.says,
        tuple(
            Judged(finding, rejected[place], rejected[half + place])
            for place, finding in enumerate(findings)
        ),
    )
