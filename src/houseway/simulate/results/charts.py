"""Results as charts, SVG or PDF: the same bytes for the same data.

Every chart says in words what its axes and marks are, and no meaning is in a color alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from io import StringIO
from math import ceil, floor, log10
from pathlib import Path
from typing import Any

from houseway.errors import Refused, file_problem
from houseway.simulate.results.report import Z

INK, QUIET, ACCENT, TROUBLE = "#1b1b1f", "#5a5f5c", "#80601a", "#b3202a"


@dataclass(frozen=True)
class Estimate:
    """A mean per unit staked with its standard error, and the exact figure it is held against."""

    name: str
    mean: float
    error: float
    exact: Fraction | None
    verdict: str


def _figure(rows: int) -> tuple[Any, Any]:
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    # the same bytes for the same data: no date, no random identifiers
    mpl.rcParams["svg.hashsalt"] = "houseway"
    plt.rcParams.update(
        {
            "font.family": "serif", "font.size": 10, "axes.edgecolor": QUIET,
            "axes.labelcolor": INK, "xtick.color": QUIET, "ytick.color": INK,
            "axes.spines.top": False, "axes.spines.right": False,
        }
    )  # fmt: skip
    return plt.subplots(figsize=(7.5, max(2.2, 0.5 * rows + 1.4)))


def _save(chart: Any, path: Path) -> None:
    import matplotlib.pyplot as plt

    kind = path.suffix.lstrip(".")
    if kind not in ("svg", "pdf"):
        raise Refused("no_such_format", f"{path}: a chart is .svg or .pdf", field="chart")
    nothing = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}[kind]
    try:
        chart.savefig(path, format=kind, metadata=nothing, bbox_inches="tight")
    except OSError as error:
        raise Refused("cannot_write", file_problem(path, error)) from None
    finally:
        plt.close(chart)


def _rows(axes: Any, names: Sequence[str], columns: Mapping[str, Sequence[str]]) -> None:
    """One line for each name from the top, with its figures in columns at the right."""
    axes.set_yticks([-place for place in range(len(names))], names)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.set_ylim(0.6 - len(names), 0.6)
    right = 1.0
    for heading, figures in columns.items():
        right += 0.04 + 0.0145 * max(map(len, (heading, *figures)))
        column: dict[str, Any] = {"ha": "right", "fontsize": 9, "annotation_clip": False}
        axes.annotate(
            heading, (right, 1), xycoords="axes fraction", va="bottom", color=QUIET, **column
        )
        for place, figure in enumerate(figures):
            axes.annotate(
                figure, (right, -place), xycoords=axes.get_yaxis_transform(), va="center",
                color=INK, **column,
            )  # fmt: skip


def _signed(value: float, places: int) -> str:
    return f"{value:+.{places}f}".replace("-", "−")


def chart_estimates(path: Path, title: str, rows: Sequence[Estimate], of: str = "") -> None:
    """Draw `_estimates` into a file."""
    _save(_estimates(title, rows, of), path)


def estimates_svg(title: str, rows: Sequence[Estimate]) -> str:
    """Return `_estimates` as an SVG element, to stand in a page."""
    import matplotlib.pyplot as plt

    chart = _estimates(title, rows)
    drawn = StringIO()
    try:
        chart.savefig(drawn, format="svg", metadata={"Date": None}, bbox_inches="tight")
    finally:
        plt.close(chart)
    says = escape(f"{title}: each estimate less its exact figure, with its interval")
    return f'<svg role="img" aria-label="{says}"' + drawn.getvalue().partition("<svg")[2]


def _estimates(title: str, rows: Sequence[Estimate], of: str = "") -> Any:
    """How far each estimate lies from its exact figure, with its interval.

    Means of wagers differ more than the errors of a run, so differences are drawn, with the figures
    beside them. `of` names the exact figure if that is not obvious.
    """
    chart, axes = _figure(len(rows))
    columns: dict[str, list[str]] = {"estimate": [], f"exact{of}": [], "": []}
    for place, row in enumerate(rows):
        out = row.verdict == "not within"
        if row.exact is not None:
            axes.errorbar(
                100 * (row.mean - float(row.exact)), -place, xerr=100 * Z * row.error, capsize=3,
                fmt="X" if out else "o", markersize=8 if out else 4, color=TROUBLE if out else INK,
            )  # fmt: skip
        exact = "none" if row.exact is None else f"{_signed(100 * float(row.exact), 4)}%"
        figures = (f"{_signed(100 * row.mean, 4)}%", exact, "not within" if out else "")
        for column, figure in zip(columns.values(), figures, strict=True):
            column.append(figure)
    axes.axvline(0, color=ACCENT, linewidth=1.2, zorder=0)
    axes.set_xlabel(f"estimate less exact figure{of}, in % of the stake; bars are 99% intervals")
    if not any(row.exact is not None for row in rows):
        axes.set_xticks([])
        axes.set_xlabel("no exact figure to compare with")
    _rows(axes, [row.name for row in rows], columns)
    axes.set_title(title, loc="left", color=INK)
    return chart


def chart_bands(path: Path, title: str, rows: Sequence[tuple[str, Mapping[str, str]]]) -> None:
    """The hold of each kind of table, and the band in which a day's lies."""
    chart, axes = _figure(len(rows))
    columns: dict[str, list[str]] = {"mean": [], "from": [], "to": []}
    for place, (_, row) in enumerate(rows):
        low, mean, high = (
            float(row[name]) for name in ("hold_low_percent", "hold_percent", "hold_high_percent")
        )
        axes.plot(
            [low, high], [-place, -place], color=ACCENT, linewidth=6, alpha=0.5,
            solid_capstyle="butt",
        )  # fmt: skip
        axes.plot(mean, -place, "o", color=INK, markersize=4)
        for column, value in zip(columns.values(), (mean, low, high), strict=True):
            column.append(f"{_signed(value, 2)}%")
    axes.axvline(0, color=QUIET, linewidth=0.8, zorder=0)
    axes.set_xlabel("a day's hold, in % of what is wagered; 99 days of 100 lie on the bar")
    _rows(axes, [name for name, _ in rows], columns)
    axes.set_title(title, loc="left", color=INK)
    _save(chart, path)


def chart_distribution(
    path: Path,
    title: str,
    dollars: Sequence[float],
    marks: Mapping[str, float],
    label: str,
    of: str,
) -> None:
    """How amounts are spread: the share of all `of` in steps of a round number of dollars, with
    marks that name themselves.
    """
    chart, axes = _figure(6)
    least, most = min(*dollars, *marks.values()), max(*dollars, *marks.values())
    step = _round_step((most - least) / 50)
    first, last = floor(least / step), ceil(most / step) + 1
    axes.hist(
        dollars, bins=[step * place for place in range(first, last + 1)], color=ACCENT, alpha=0.75,
        weights=[100 / len(dollars)] * len(dollars),
    )  # fmt: skip
    top = axes.get_ylim()[1]
    axes.set_ylim(0, top * 1.18)  # room for the names of marks, one above the other
    for place, (name, value) in enumerate(sorted(marks.items(), key=lambda mark: mark[1])):
        height = 1 - 0.06 * place
        says = f" {name} {_dollars(value)}" if value else f" {name}"
        axes.axvline(value, ymax=height, color=INK, linewidth=0.8)
        axes.annotate(
            says, (value, height), va="top", fontsize=9, color=INK,
            xycoords=axes.get_xaxis_transform(),
        )  # fmt: skip
    axes.xaxis.set_major_formatter(lambda value, _: _dollars(value))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}%")
    axes.set_xlabel(label)
    axes.set_ylabel(f"share of {of} in each {_dollars(step)}")
    axes.set_title(title, loc="left", color=INK)
    _save(chart, path)


def _round_step(about: float) -> float:
    """The next of 1, 2, 5, 10, 20 and so on."""
    power = 10.0 ** floor(log10(max(about, 0.01)))
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= about)


def _dollars(value: float) -> str:
    cents = 0 if value == int(value) else 2
    return f"{'−' if value < 0 else ''}${abs(value):,.{cents}f}"
