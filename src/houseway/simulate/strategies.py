"""Custom strategies: a TOML file or a Python function.

A function is named as `file.py`, `file.py:function` or `module:function`. It is asked once for every
situation before the first round is dealt, never during play, so it may be as slow as it likes. What
it is given, and what it may answer, is documented by each family (`strategies` in its `simulation`).
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from houseway.errors import Refused, choose_from
from houseway.law import Rules
from houseway.simulate.game import SIMULATION
from houseway.untrusted import read_toml


def unknown(rules: Rules, name: str) -> Refused:
    """The refusal of a name that no strategy has."""
    names = SIMULATION.of(rules.chapter).strategies
    return Refused(
        "no_such_strategy",
        f"there is no strategy {name!r}",
        remedy=f"{choose_from(name, names)}, a TOML file, or a function as file.py:name or "
        "module:name",
        field="strategy",
    )


def named(rules: Rules, name: str) -> str:
    """A strategy by its name; `optimal` is the first of a game that has none of that name."""
    names = SIMULATION.of(rules.chapter).strategies
    if name in names or is_file(name) or is_function(name):
        return name
    if name == "optimal":
        return names[0]
    raise unknown(rules, name)


def is_file(name: str) -> bool:
    """Whether a strategy is a TOML file."""
    return name.endswith(".toml")


def is_function(name: str) -> bool:
    """Whether a strategy is a Python function, in a file or a module."""
    return not is_file(name) and (name.endswith(".py") or ":" in name)


def function_at(name: str) -> Callable[..., Any]:
    """A Python function by file or module."""
    place, _, attribute = name.partition(":")
    try:
        if place.endswith(".py"):
            spec = importlib.util.spec_from_file_location(Path(place).stem, place)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            module = importlib.import_module(place)
        found = getattr(module, attribute or "decide")
    except (ImportError, OSError, AttributeError, SyntaxError) as error:
        raise Refused("no_such_strategy", f"{name}: {error}", field="strategy") from None
    if not callable(found):
        raise Refused("no_such_strategy", f"{name} is not a function", field="strategy")
    return found  # type: ignore[no-any-return]


def file_at(name: str) -> dict[str, Any]:
    """The data of a TOML file."""
    code = "no_such_strategy"
    try:
        return read_toml(name, code, missing=code)
    except Refused as refusal:
        raise refusal.at(field="strategy") from None


def answer(name: str, ask: Callable[..., Any], allowed: Sequence[Any], *given: Any) -> Any:
    """What a function of the user's answers, or a refusal that says what it should have."""
    try:
        found = ask(*given)
    except Exception as error:  # noqa: BLE001  it is the user's code
        raise Refused(
            "strategy_failed", f"{name}: {type(error).__name__}: {error}", field="strategy"
        ) from None
    if found not in allowed:
        raise Refused(
            "strategy_failed",
            f"{name} returned {found!r} for {' '.join(map(str, given[:1]))}; choose from "
            f"{', '.join(map(str, allowed))}",
            field="strategy",
        )
    return found
