"""Figures of a measurement beside their goals: printed, and put into the documentation."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "benchmarks.md"


@dataclass(frozen=True)
class Figure:
    """One measured value, and the least or the most that it is to be."""

    says: str
    value: float
    unit: str
    least: float | None = None
    most: float | None = None

    @property
    def goal(self) -> str:
        if self.least is not None:
            return f"at least {_number(self.least)} {self.unit}".strip()
        return f"at most {_number(self.most)} {self.unit}".strip() if self.most is not None else ""

    @property
    def met(self) -> bool:
        return (self.least is None or self.value >= self.least) and (
            self.most is None or self.value <= self.most
        )

    @property
    def cells(self) -> tuple[str, str, str]:
        mark = ("yes" if self.met else "NO") if self.goal else ""
        return f"{_number(self.value)} {self.unit}".strip(), self.goal, mark


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}"


def show(figures: list[Figure]) -> None:
    wide = max(len(one.says) for one in figures)
    for one in figures:
        value, goal, mark = one.cells
        print(f"{one.says:{wide}}  {value:>14}  {goal:>20}  {mark}")


def write(name: str, figures: list[Figure]) -> None:
    """Put a table between the marks of this name in the documentation."""
    begin, end = f"<!-- bench: {name} -->", f"<!-- bench: {name} end -->"
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    rows = [f"| {one.says} | {' | '.join(one.cells)} |" for one in figures]
    table = "\n".join(["| | measured | goal | met |", "| --- | --: | --: | --- |", *rows])
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    if not rest or not after:
        raise SystemExit(f"{PAGE} has no place for {name}")
    program = name if Path(__file__).with_name(name).exists() else f"{name}.py"
    made = (
        f"{before}{begin}\nMeasured with `python bench/{program}` on {machine}.\n\n{table}\n{end}"
    )
    PAGE.write_text(made + after, "utf-8")
