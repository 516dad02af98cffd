"""What is lost between an earlier answer and a later one; what is added does not count."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any


def lost(then: Any, now: Any, where: str, *, prose: Collection[str] = ()) -> Iterator[str]:
    """Each name or value that the earlier answer had and the later one has not, with its place."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key, value in then.items():
            if key in prose:
                continue
            if key not in now:
                yield f"{where}: {key} is gone"
            else:
                yield from lost(value, now[key], f"{where}.{key}", prose=prose)
    elif isinstance(then, list) and isinstance(now, list):
        if len(then) != len(now):
            yield f"{where}: {len(then)} entries were there, now {len(now)}"
        for number, (one, other) in enumerate(zip(then, now, strict=False)):
            yield from lost(one, other, f"{where}[{number}]", prose=prose)
    elif then not in (now, ""):  # what was not known may be known now
        yield f"{where}: {then!r} became {now!r}"
