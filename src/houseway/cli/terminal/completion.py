"""`houseway completion`: a completion script for a shell."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal
from unittest.mock import patch

from cyclopts import Argument


def completion(shell: Literal["bash", "zsh", "fish"], /) -> int:
    """Print a completion script: `houseway completion bash >> ~/.bashrc`.

    Parameters
    ----------
    shell
        Your shell.
    """
    from houseway.cli import build

    with _completing_chapters():
        sys.stdout.write(build().generate_completion(prog_name="houseway", shell=shell))
    return 0


@contextmanager
def _completing_chapters() -> Iterator[None]:
    """Let scripts that are made meanwhile complete the ids of chapters.

    A chapter is text to the command line, which also takes an alias or the beginning of an id.
    """
    from houseway.cli.chapter_choice import read_chapter
    from houseway.law.library import chapters

    plain = Argument.get_choices

    def with_chapters(one: Argument, *given: Any, **named: Any) -> tuple[str, ...] | None:
        if one.parameter.converter is read_chapter:
            return chapters()
        return plain(one, *given, **named)

    with patch.object(Argument, "get_choices", with_chapters):
        yield
