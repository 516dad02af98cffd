"""`houseway completion`: a completion script for a shell."""

from __future__ import annotations

import sys
from typing import Literal


def completion(shell: Literal["bash", "zsh", "fish"], /) -> int:
    """Print a completion script: `houseway completion bash >> ~/.bashrc`.

    Parameters
    ----------
    shell
        Your shell.
    """
    from houseway.cli import build

    sys.stdout.write(build().generate_completion(prog_name="houseway", shell=shell))
    return 0
