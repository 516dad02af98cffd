"""Who plays a simulation, and where its results go: shared by all that `houseway simulate` does."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houseway.cli.terminal.output import GOLD, print_json, write_bytes
from houseway.errors import Refused
from houseway.law import chapter

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

    from houseway.simulate.plan import Plan
    from houseway.simulate.runner import Workers


@dataclass(frozen=True)
class Output:
    """Who plays, and where the results go."""

    cores: int | None
    cluster: str | None
    chart: Path | None
    parquet: Path | None
    json: bool
    xlsx: Path | None = None

    def answer(self, result: dict[str, Any]) -> bool:
        """Write the workbook that was asked for; say whether JSON was asked for and printed."""
        if self.xlsx is not None:
            from houseway.documents.workbooks.results import ESTIMATES, results_workbook

            tables = {
                name: (rows, ESTIMATES if name == "wagers" else ())
                for name, rows in result.items()
                if isinstance(rows, list) and rows and isinstance(rows[0], dict)
            }
            about = {name: value for name, value in result.items() if not isinstance(value, list)}
            title = str(result.get("chapter") or result.get("floor"))
            made = results_workbook("Simulation", title, about, tables)
            write_bytes(self.xlsx, made, quiet=self.json)
        if self.json:
            print_json(result)
        return self.json

    @contextmanager
    def workers(self) -> Iterator[Workers]:
        """Threads of this machine, or a cluster; closed afterwards."""
        from houseway.maths.counting.threads import cores
        from houseway.simulate.runner import Threads

        players: Workers
        if self.cluster is not None:
            from houseway.simulate.cluster import Cluster

            players = Cluster(self.cluster)
        else:
            if self.cores is not None and self.cores < 1:
                raise Refused("no_cores", "at least one core is needed", field="cores")
            players = Threads(self.cores or cores())
        try:
            yield players
        finally:
            players.close()

    @contextmanager
    def bar(self, count: int, what: str) -> Iterator[Callable[[int], None] | None]:
        """A live bar on standard error of a terminal, told how many are done."""
        from rich.progress import TextColumn

        says = TextColumn("{task.completed:,.0f} of {task.total:,.0f} {task.description}")
        with self.live_bar(says) as bar:
            if bar is None:
                yield None
                return
            task = bar.add_task(what, total=count)
            yield lambda done: bar.update(task, completed=done)

    @contextmanager
    def live_bar(self, *columns: ProgressColumn) -> Iterator[Progress | None]:
        """A bar with these columns on standard error of a terminal; nothing anywhere else."""
        if self.json or not sys.stderr.isatty():
            yield None
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TimeRemainingColumn

        with Progress(
            BarColumn(complete_style=GOLD),
            *columns,
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        ) as bar:
            yield bar


@dataclass(frozen=True, kw_only=True)
class Asked(Output):
    """What every simulation of one chapter is asked with."""

    plan: Plan
    per_hour: int
    tables: int

    @property
    def game(self) -> str:
        """The name of the game."""
        return chapter(self.plan.chapter).about.game

    def about(self) -> dict[str, str]:
        """What a Parquet file says of itself."""
        return {"houseway.plan": self.plan.encode().decode()}
