"""What the tests of the floor share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from houseway.floor.audit.projections import Projections
from houseway.store import Log


@pytest.fixture
def projections_of() -> Iterator[Callable[[Log], Projections]]:
    """Makes the projections of a record; they are closed after the test."""
    with ExitStack() as opened:

        def made(log: Log) -> Projections:
            found = opened.enter_context(Projections(":memory:"))
            found.update(log)
            return found

        yield made
