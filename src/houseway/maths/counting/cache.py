"""The cache of tallies: counts that no paytable changes, kept between runs.

A tally is kept under its name, which says what it was counted for, and a key, the SHA-256 of the
source code that makes it, so that a change of the code is never answered with an old count. A file
is one line with the SHA-256 of the rest, then the tally as JSON. It is written beside its place and
moved there in one step; a file that does not verify is counted again, with a one-line warning.
Where the folder cannot be used the tally is simply counted: the cache may be missing, but it is
never wrong.

`HOUSEWAY_CACHE` names another folder, or turns the cache off with `off`.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")


def folder() -> Path | None:
    """Where tallies are kept: the user's cache directory, or nowhere."""
    chosen = os.environ.get("HOUSEWAY_CACHE", "")
    if chosen:
        return None if chosen == "off" else Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        base = str(Path("~/Library/Caches").expanduser())
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
    root = Path(base) if base else Path("~/.cache").expanduser()
    # `~` stays as it is where there is no home; then there is no cache either.
    return root / "houseway" if root.is_absolute() else None


@cache
def key(sources: tuple[str, ...]) -> str:
    """The hash of the code of these modules, such as `houseway.games.three_card.maths.counting.duel`."""
    whole = hashlib.sha256()
    for name in sources:
        package, _, module = name.rpartition(".")
        code = files(package).joinpath(f"{module}.py").read_bytes()
        whole.update(f"{name} {len(code)}\n".encode() + code)
    return whole.hexdigest()


def digest(*inputs: object) -> str:
    """A short name for what a tally is counted for, where that is more than a few numbers."""
    return hashlib.sha256(msgspec.json.encode(inputs, order="deterministic")).hexdigest()[:16]


def recall(name: str, kind: type[T], sources: Iterable[str], make: Callable[[], T]) -> T:
    """The tally of that name: from the cache when it is there and verifies, else made and kept."""
    kept = folder()
    if kept is None:
        return make()
    path = kept / f"{name}-{key(tuple(sources))[:24]}.json"
    found = _read(path, kind)
    if found is not None:
        return found
    made = make()
    _write(path, name, made)
    return made


def is_kept(name: str, sources: Iterable[str]) -> bool:
    """Whether a tally of this code has been kept; whether it verifies is seen when it is read."""
    kept = folder()
    return kept is not None and (kept / f"{name}-{key(tuple(sources))[:24]}.json").exists()


def _read(path: Path, kind: type[T]) -> T | None:
    try:
        content = path.read_bytes()
    except OSError:
        return None
    seal, _, body = content.partition(b"\n")
    if seal.decode("ascii", "replace") == hashlib.sha256(body).hexdigest():
        with suppress(msgspec.MsgspecError, UnicodeDecodeError):
            return msgspec.json.decode(body, type=kind)
    import logging  # without any set-up it prints the one line on standard error

    logging.getLogger("houseway").warning(
        "houseway: the cached tally %s was damaged and is counted again", path.name
    )
    return None


def _write(path: Path, name: str, tally: object) -> None:
    import tempfile

    body = msgspec.json.encode(tally)
    seal = hashlib.sha256(body).hexdigest().encode()
    with suppress(OSError):  # a full or forbidden disk costs time, not correctness
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{name}-", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(seal + b"\n" + body)
            Path(beside).replace(path)
        except OSError:
            Path(beside).unlink(missing_ok=True)
            raise
        for old in path.parent.glob(f"{name}-*.json"):
            # the hash is 24 characters, so `six-…` never takes `six-splits-…` with it
            if old != path and len(old.stem) == len(path.stem):
                old.unlink(missing_ok=True)
