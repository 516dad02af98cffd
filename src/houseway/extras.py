"""Which extra of Houseway brings a library that is not installed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from houseway.errors import Refused

#: modules that are not named after the distribution that brings them
_DISTRIBUTIONS = {
    "argon2": "argon2-cffi",
    "dask": "distributed",
    "fontTools": "fonttools",
    "llvmlite": "numba",
    "python_multipart": "python-multipart",
}


def not_installed(missing: ModuleNotFoundError) -> Refused:
    """The refusal that names the smallest extra to install, or the library if no extra has it."""
    module = (missing.name or "").partition(".")[0]
    library = _DISTRIBUTIONS.get(module, module)
    having = [extra for extra, libraries in libraries_by_extra().items() if library in libraries]
    says = f"this needs {library}, which is not installed"
    if not having:
        return Refused("extra_missing", says)
    extra = min(having, key=lambda name: len(libraries_by_extra()[name]))
    return Refused(
        "extra_missing",
        f"{says}: install houseway[{extra}]",
        remedy=f"in a clone: HOUSEWAY_EXTRAS={extra} script/houseway" if _is_clone() else "",
    )


@contextmanager
def naming_extras() -> Iterator[None]:
    """Within it, and in a function that it decorates, an import that fails names the extra to install."""
    try:
        yield
    except ModuleNotFoundError as missing:
        said = not_installed(missing)
        raise ModuleNotFoundError(str(said), name=missing.name, path=missing.path) from missing


def _is_clone() -> bool:
    return (Path(__file__).parents[2] / "script" / "houseway").exists()


def libraries_by_extra() -> dict[str, set[str]]:
    """The extras with their libraries, as the installed package states them."""
    from importlib.metadata import PackageNotFoundError, requires  # slow to import

    found: dict[str, set[str]] = defaultdict(set)
    try:
        stated = requires("houseway") or []
    except PackageNotFoundError:
        stated = []
    for line in stated:
        name = re.match(r"[\w.-]+", line)
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", line)
        if name and extra:
            found[extra[1]].add(name[0])
    return found
