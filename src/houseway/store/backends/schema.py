"""The database schema, as numbered SQL files: each is applied once, in order, and never edited."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from houseway.errors import Refused


@cache
def steps(engine: str) -> tuple[str, ...]:
    """The SQL of every step for `sqlite` or `postgres`; step n leads to schema version n."""
    folder = files("houseway.store").joinpath(f"{engine}_schema")
    found = sorted(
        (one.name, one.read_text("utf-8")) for one in folder.iterdir() if one.name.endswith(".sql")
    )
    return tuple(text for _, text in found)


def missing(engine: str, version: int) -> tuple[tuple[int, str], ...]:
    """The steps from a schema version to the present one."""
    known = steps(engine)
    if version > len(known):
        raise Refused(
            "record_too_new",
            f"this record has schema {version} and this Houseway knows up to {len(known)};"
            " open it with the newer Houseway",
        )
    return tuple(enumerate(known, 1))[version:]
