"""How kernels are compiled: without the interpreter's lock, and kept on disk where that can be done.

A cache that cannot be written or read only costs the time of compiling.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

from numba import njit

from houseway.game_api.registry import families

P = ParamSpec("P")
T = TypeVar("T")


def _uncounted() -> dict[str, Any]:
    """The option not to count who holds an array, which takes a fifth off the rounds of a full
    table; a kernel makes no arrays and is given the room it needs. Numba calls it by a name of its
    own, so a Numba that has it no more is asked for nothing.
    """
    try:
        from numba.core.cpu import CPUTargetOptions
    except ImportError:
        return {}
    return {"_nrt": False} if hasattr(CPUTargetOptions, "_nrt") else {}


#: without the interpreter's lock, and dividing as C does
_ALONE: Any = {"nogil": True, "error_model": "numpy", **_uncounted()}


def compiled(function: Callable[P, T]) -> Callable[P, T]:
    """Compile when first called; the machine code is kept for the next process."""
    dispatcher: Any = njit(**_ALONE)(function)
    with suppress(RuntimeError):  # Numba found no folder to keep it in
        dispatcher.enable_caching()
        # Numba looks at the file of the function alone, and not at those of its parts
        dispatcher._cache._cache_file._source_stamp = sources()  # noqa: SLF001
        _forgive(dispatcher._cache)  # noqa: SLF001
    return cast("Callable[P, T]", dispatcher)


@cache
def sources() -> str:
    """A hash of all that kernels are compiled from: the packages below, and every family with a
    simulation part. Machine code made from other sources is not used.
    """
    found = hashlib.sha256()
    with suppress(OSError):
        for path in [*_files("houseway.cards"), *_files("houseway.simulate"), *_family_files()]:
            found.update(path.read_bytes())
    return found.hexdigest()


def _family_files() -> list[Path]:
    """The code of every family that is simulated: of the package that its simulation part is in."""
    places = [parts.get("simulation", "") for _, parts in sorted(families().items())]
    modules = [place.partition(":")[0] for place in places if place]
    packages = dict.fromkeys(module.rpartition(".")[0] or module for module in modules)
    return [path for package in packages for path in _files(package)]


def _files(package: str) -> list[Path]:
    spec = find_spec(package)
    if spec is None:
        return []
    folders = spec.submodule_search_locations
    if folders is None:  # a module by itself
        return [Path(spec.origin)] if spec.origin else []
    return sorted(path for folder in folders for path in Path(folder).rglob("*.py"))


def step(function: Callable[P, T], *, inline: bool = False) -> Callable[P, T]:
    """A part of a kernel, by itself in its machine code; without what Python would need to call it,
    which takes longer to compile than the part does.
    """
    part: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": inline}
    return cast("Callable[P, T]", njit(**_ALONE, **part)(function))


def inlined(function: Callable[P, T]) -> Callable[P, T]:
    """A part of a kernel that is inlined into its callers."""
    return step(function, inline=True)


def _forgive(cache: Any) -> None:
    """A full disk or a damaged file must not stop a run."""
    save, load = cache.save_overload, cache.load_overload

    def save_overload(*given: Any) -> None:
        with suppress(OSError):
            save(*given)

    def load_overload(*given: Any) -> Any:
        try:
            return load(*given)
        except Exception:  # noqa: BLE001  whatever is wrong with the file, compiling again repairs it
            with suppress(OSError):
                cache.flush()
            return None

    cache.save_overload, cache.load_overload = save_overload, load_overload
