"""Files that only their owner may read: a record and everything kept beside it."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path


def create_private(path: Path) -> None:
    """Create an empty file that only its owner may read; an existing file is kept."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def close_to_others(path: Path) -> None:
    """Take the access of all other users from a file; access given to its group alone stays."""
    if stat.S_IMODE(path.stat().st_mode) & stat.S_IRWXO:
        with suppress(PermissionError):  # another user's file
            path.chmod(0o600)
