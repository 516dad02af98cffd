"""How kernels are compiled: without the interpreter's lock, and kept on disk where that can be done.

A cache that cannot be written, or cannot be read back, costs the time of compiling and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar, cast

from numba import njit

P = ParamSpec("P")
T = TypeVar("T")


def compiled(function: Callable[P, T]) -> Callable[P, T]:
    """Compile when first called; the machine code is kept for the next process."""
    dispatcher: Any = njit(nogil=True, error_model="numpy")(function)
    with suppress(RuntimeError):  # Numba found no folder to keep it in
        dispatcher.enable_caching()
        _forgive(dispatcher._cache)  # noqa: SLF001
    return cast("Callable[P, T]", dispatcher)


def inlined(function: Callable[P, T]) -> Callable[P, T]:
    """A part of a kernel: compiled into whoever calls it, never by itself."""
    return cast("Callable[P, T]", njit(nogil=True, error_model="numpy", inline="always")(function))


def _forgive(cache: Any) -> None:
    """A full disk or a damaged file must not stop a run."""
    save, load = cache.save_overload, cache.load_overload

    def save_overload(*given: Any) -> None:
        with suppress(OSError):
            save(*given)

    def load_overload(*given: Any) -> Any:
        try:
            return load(*given)
        except Exception:  # noqa: BLE001  whatever is wrong with the file, compiling mends it
            with suppress(OSError):
                cache.flush()
            return None

    cache.save_overload, cache.load_overload = save_overload, load_overload
