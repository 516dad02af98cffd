"""Arguments of the wrong type to a function of the Python API are refused in one sentence.

A call that works costs nothing extra. After a failure the arguments are compared with the
function's annotations; if they all fit, the failure is raised as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from houseway.errors import Refused

_P = ParamSpec("_P")
_R = TypeVar("_R")


def checked(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function, which refuses an argument whose type is the reason that it failed."""

    @wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return function(*args, **kwargs)
        except (Refused, ImportError):
            raise
        except Exception as error:
            wrong = _wrong_argument(function, args, kwargs)
            if wrong is None:
                raise
            raise wrong from error

    return call


def _wrong_argument(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Refused | None:
    from inspect import signature
    from typing import get_type_hints

    try:
        given = signature(function).bind(*args, **kwargs).arguments
    except TypeError:
        return None  # Python says which argument is missing or too many
    hints = get_type_hints(function)
    for name, value in given.items():
        if name in hints and not _fits(value, hints[name]):
            return Refused(
                "wrong_type", f"expected {_shown(hints[name])}, not {value!r:.60}", field=name
            )
    return None


def _shown(hint: Any) -> str:
    """An annotation as it is written, without the names of modules."""
    return hint.__name__ if type(hint) is type else re.sub(r"[\w.]+\.(\w)", r"\1", str(hint))


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value has the type that is annotated, as far as that can be seen."""
    from types import UnionType
    from typing import Union, get_args, get_origin

    kind, parts = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if kind in (Union, UnionType):
        return any(_fits(value, part) for part in parts)
    if not isinstance(value, kind or hint):
        return False
    if hint is str:
        return bool(value.encode(errors="replace").decode() == value)  # no half characters
    if isinstance(value, Mapping) and len(parts) == 2:
        return all(_fits(one, parts[0]) and _fits(other, parts[1]) for one, other in value.items())
    if kind is not None and issubclass(kind, Iterable) and isinstance(value, Collection):
        return all(_fits(one, parts[0]) for one in value)  # an iterator is used up
    return True
