"""An edition that states only its differences from another.

`amends = "1.4"` in `chapter.toml` names the edition that it changes. A file that is missing is that
of the other edition. A file that is there has only what differs:

- a value in `chapter.toml`, or a fact, replaces the one of that name;
- an entry of a list changes the entry with the same key, field by field; the rows of a paytable and
  the choices of an option are changed one by one in the same way;
- an entry with another key is added, at the end or after the entry whose id `after` names;
- an entry with `repealed = true` is taken out.
"""

from __future__ import annotations

from typing import Any

#: what tells one entry of a list from another
_KEYS = {
    "paytables": ("wager", "id"), "procedure": ("id", "when"), "equipment": ("id", "when"),
    "holds": ("wager", "where"),
    "rows": ("hand",), "choices": ("value",),
}  # fmt: skip
#: lists of entries inside `chapter.toml` and inside other entries
_LISTS = (
    "wagers", "bonuses", "areas", "inscriptions", "equipment", "approvals", "holds", "rows", "choices",
)  # fmt: skip


def amended(part: str, base: Any, changes: Any) -> Any:
    """A part of an edition with the changes of another edition made to it.

    A change that has nothing to change raises ValueError.
    """
    return _table(base, changes) if part == "chapter" else _list(part, base, changes)


def _table(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    found = dict(base)
    for name, value in changes.items():
        if name in _LISTS and isinstance(value, list):
            found[name] = _list(name, base.get(name, []), value)
        elif name == "facts" and isinstance(value, dict):
            found[name] = _facts(base.get(name, {}), value)
        else:
            found[name] = value
    return found


def _facts(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    found = dict(base)
    for name, fact in changes.items():
        if isinstance(fact, dict) and fact.get("repealed") is True:
            if name not in found:
                raise ValueError(f"there is no fact {name} to repeal")
            del found[name]
        else:
            found[name] = {**base.get(name, {}), **fact} if isinstance(fact, dict) else fact
    return found


def _list(name: str, base: list[Any], changes: list[Any]) -> list[Any]:
    keys = _KEYS.get(name, ("id",))
    found = list(base)
    for change in changes:
        key = _key(change, keys)
        at = next((at for at, one in enumerate(found) if _key(one, keys) == key), None)
        if isinstance(change, dict) and change.get("repealed") is True:
            if at is None:
                raise ValueError(f"there is no entry {_told(change, keys)} to repeal")
            del found[at]
        elif at is not None:
            found[at] = _table(found[at], change)
        else:
            _add(found, change)
    return found


def _key(entry: Any, keys: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(entry.get(key) for key in keys) if isinstance(entry, dict) else (entry,)


def _told(entry: Any, keys: tuple[str, ...]) -> str:
    return " ".join(str(value) for value in _key(entry, keys) if value is not None)


def _add(found: list[Any], entry: Any) -> None:
    """Put a new entry after the one that it names, or at the end."""
    if not isinstance(entry, dict) or "after" not in entry:
        found.append(entry)
        return
    ids = [one.get("id") for one in found]
    if entry["after"] not in ids:
        raise ValueError(f"there is no entry {entry['after']} after which another could stand")
    place = len(ids) - ids[::-1].index(entry["after"])
    found.insert(place, {name: value for name, value in entry.items() if name != "after"})
