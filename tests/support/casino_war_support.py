"""Casino War from `examples/`, installed for a test: its package, its entry point, its chapters."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from installing import write_metadata

from houseway.game_api.registry import families
from houseway.table.commands import COMMANDS, _decoder
from outside import chapters_from

EXAMPLE = Path(__file__).parents[2] / "examples" / "casino-war"
CHAPTERS = EXAMPLE / "chapters"


@contextmanager
def installed(site: Path) -> Iterator[None]:
    """As in a process where the example is installed and its chapters are named."""
    write_metadata(EXAMPLE, site)
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
