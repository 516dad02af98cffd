"""Results as Parquet and as charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from houseway.refusal import Refused
from houseway.simulate.playing import Playing
from houseway.simulate.report import Figure, Pooled, Z
from houseway.simulate.tally import Tally

INK, QUIET, ACCENT, TROUBLE = "#1b1b1f", "#5a5f5c", "#80601a", "#b3202a"


def write_parquet(
    path: Path, columns: Mapping[str, Sequence[Any]], about: Mapping[str, str]
) -> None:
    """A table in Parquet; `about` goes into its metadata."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise Refused(
            "parquet_not_installed", "Parquet needs PyArrow: install houseway[simulate]"
        ) from None
    table = pa.table(dict(columns)).replace_schema_metadata(dict(about))
    try:
        pq.write_table(table, path)
    except OSError as error:
        raise Refused("cannot_write", f"{path}: {error}") from None


def counted(game: Playing, tally: Tally) -> dict[str, list[Any]]:
    """Every net result of every wager with how often it came: enough to work anything out anew."""
    columns: dict[str, list[Any]] = {
        "seat": [], "wager": [], "code": [], "net_cents": [], "staked_cents": [], "rounds": [],
    }  # fmt: skip
    for position in range(game.positions):
        for wager, column in game.wagers:
            counts = tally.codes[position, column].tolist()
            for code, count in enumerate(counts):
                if count:
                    row = (
                        position + 1, wager, code, int(game.net[position, column, code]),
                        int(game.staked[position, column, code]), count,
                    )  # fmt: skip
                    for name, value in zip(columns, row, strict=True):
                        columns[name].append(value)
    return columns


def _figure(rows: int) -> tuple[Any, Any]:
    try:
        import matplotlib as mpl
    except ImportError:
        raise Refused(
            "charts_not_installed", "charts need Matplotlib: install houseway[simulate]"
        ) from None
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
        raise Refused("cannot_write", f"{path}: {error.strerror}") from None
    finally:
        plt.close(chart)


def chart_figures(path: Path, title: str, rows: Sequence[Pooled]) -> None:
    """Each wager's estimate with its interval, and a mark where the exact mean lies."""
    chart, axes = _figure(len(rows))
    for place, row in enumerate(rows):
        trouble = row.verdict == "not within"
        axes.errorbar(
            row.mean, -place, xerr=Z * row.error, fmt="o", markersize=4, capsize=3,
            color=TROUBLE if trouble else INK,
        )  # fmt: skip
        if row.exact is not None:
            axes.plot(float(row.exact), -place, "|", markersize=18, color=ACCENT)
    axes.set_yticks([-place for place in range(len(rows))], [row.wager for row in rows])
    axes.set_xlabel("mean net result per unit staked; bars are 99% intervals, gold is exact")
    axes.set_title(title, loc="left", color=INK)
    axes.margins(y=0.25)
    _save(chart, path)


def chart_bands(path: Path, title: str, rows: Sequence[tuple[str, Mapping[str, str]]]) -> None:
    """The hold of each kind of table, and the band in which a day's lies."""
    chart, axes = _figure(len(rows))
    for place, (_, row) in enumerate(rows):
        low, mean, high = (
            float(row[name]) for name in ("hold_low_percent", "hold_percent", "hold_high_percent")
        )
        axes.plot([low, high], [-place, -place], color=ACCENT, linewidth=6, alpha=0.5)
        axes.plot(mean, -place, "o", color=INK, markersize=4)
        axes.annotate(
            f"{mean:.2f}%", (mean, -place), (0, 7), textcoords="offset points", ha="center",
            fontsize=8, color=INK,
        )  # fmt: skip
    axes.axvline(0, color=QUIET, linewidth=0.8)
    axes.set_yticks([-place for place in range(len(rows))], [name for name, _ in rows])
    axes.set_xlabel("a day's hold in per cent of what is wagered; 99 days of 100 lie on the bar")
    axes.set_title(title, loc="left", color=INK)
    axes.margins(y=0.25)
    _save(chart, path)


def chart_distribution(
    path: Path,
    title: str,
    amounts: Sequence[float],
    marks: Mapping[str, float],
    *,
    label: str,
    counted: str,
) -> None:
    """How results are spread: how many of what is counted came to each; marks name themselves."""
    chart, axes = _figure(6)
    axes.hist(amounts, bins=60, color=ACCENT, alpha=0.75)
    top = axes.get_ylim()[1]
    for place, (name, value) in enumerate(marks.items()):
        axes.axvline(value, color=INK, linewidth=0.8)
        # one below the other, since marks may be close
        axes.text(value, top * (1 - 0.07 * place), f" {name}", va="top", color=INK, fontsize=9)
    axes.set_xlabel(label)
    axes.set_ylabel(counted)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:,.0f}")
    axes.set_title(title, loc="left", color=INK)
    _save(chart, path)


__all__ = [
    "Figure",
    "chart_bands",
    "chart_distribution",
    "chart_figures",
    "counted",
    "write_parquet",
]
