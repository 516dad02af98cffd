"""Casino War from `examples/`, installed for a test: its package, its entry point, its chapters."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from houseway.game_api.registry import families
from houseway.table.commands import COMMANDS, _decoder
from outside import chapters_from

EXAMPLE = Path(__file__).parents[2] / "examples" / "casino-war"
CHAPTERS = EXAMPLE / "chapters"


def write_metadata(site: Path) -> None:
    """What an installer writes for the example: its name and its entry points."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    folder = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    folder.mkdir(parents=True)
    lines = [f"Name: {project['name']}", f"Version: {project['version']}"]
    (folder / "METADATA").write_text("\n".join(["Metadata-Version: 2.1", *lines, ""]), "utf-8")
    lines = []
    for group, entries in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (folder / "entry_points.txt").write_text("\n".join([*lines, ""]), "utf-8")


@contextmanager
def installed(site: Path) -> Iterator[None]:
    """As in a process where the example is installed and its chapters are named."""
    write_metadata(site)
    paths = [str(site), str(EXAMPLE)]
    sys.path[:0] = paths
    families.cache_clear()
    from casino_war.table import ACTIONS

    own = {action.name: kind for kind, action in ACTIONS.items()}
    COMMANDS.update(own)
    _decoder.cache_clear()
    try:
        with chapters_from(CHAPTERS):
            yield
    finally:
        for path in paths:
            sys.path.remove(path)
        families.cache_clear()
        for name in own:
            del COMMANDS[name]
        _decoder.cache_clear()
