"""Results as Parquet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from houseway.errors import Refused
from houseway.simulate.prepared import Playing
from houseway.simulate.results.tally import Tally


def write_parquet(
    path: Path, columns: Mapping[str, Sequence[Any]], about: Mapping[str, str]
) -> None:
    """A table in Parquet; `about` goes into its metadata."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table(dict(columns)).replace_schema_metadata(dict(about))
    try:
        pq.write_table(table, path)
    except OSError as error:
        raise Refused("cannot_write", f"{path}: {error}") from None


def counted(game: Playing, tally: Tally) -> dict[str, list[Any]]:
    """Every net result of every wager with its count: enough to compute any other figure."""
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
