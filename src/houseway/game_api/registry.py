"""The registry of game families: which code plays a chapter.

`chapter.toml` names a `family` and, where a family has several games, a `variant`. A family offers
*parts*: rules, table, mathematics and so on. Each part is defined by the package that asks for it,
as a `Part` with the type it must have. A part is imported when it is first used and checked once.

The built-in families are listed here. Others are installed packages with an entry point in the
group `houseway.games`: its name is the family, its value a mapping like those below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, TypeVar

from houseway.errors import Refused
from houseway.law import Chapter, chapter, chapters

T = TypeVar("T")

#: the built-in families: part -> "module:object"; the object is the part, or a mapping of variants
FAMILIES: dict[str, Mapping[str, str]] = {
    "three_card": {
        "maths": "houseway.games.three_card.maths.game:GAMES",
        "rules": "houseway.games.three_card.rules:GAMES",
        "simulation": "houseway.games.three_card.simulation:GAME",
        "presentation": "houseway.games.three_card.presentation:GAME",
        "teaching": "houseway.games.three_card.teaching:GAME",
        "table": "houseway.games.three_card.table:GAMES",
    },
    "saigon": {
        "maths": "houseway.games.saigon.maths.game:GAME",
        "rules": "houseway.games.saigon.rules:GAME",
        "simulation": "houseway.games.saigon.simulation:GAME",
        "presentation": "houseway.games.saigon.presentation:GAME",
        "teaching": "houseway.games.saigon.teaching:GAME",
        "table": "houseway.games.saigon.table:GAME",
    },
    "down_under": {
        "maths": "houseway.games.down_under.maths.game:GAME",
        "rules": "houseway.games.down_under.rules:GAME",
        "simulation": "houseway.games.down_under.simulation:GAME",
        "presentation": "houseway.games.down_under.presentation:GAME",
        "teaching": "houseway.games.down_under.teaching:GAME",
        "table": "houseway.games.down_under.table:GAME",
    },
}
ENTRY_POINTS = "houseway.games"


@cache
def families() -> dict[str, Mapping[str, str]]:
    """Every family, built in or installed, with its parts by name."""
    from importlib.metadata import entry_points  # slow to import; a built-in game does without it

    found = dict(FAMILIES)
    for entry in entry_points(group=ENTRY_POINTS):
        if entry.name in FAMILIES:
            raise Refused(
                "family_twice", f"{entry.value} offers the family {entry.name}, which is built in"
            )
        found[entry.name] = entry.load()
    return found


def places(law: Chapter) -> tuple[Path, ...]:
    """The packages, and the files of single modules, of a family that is installed separately."""
    if law.about.family in FAMILIES:
        return ()
    parts = (_parts(law.about.family) or {}).values()
    found: dict[Path, None] = {}
    for name in dict.fromkeys(one.partition(":")[0].partition(".")[0] for one in parts):
        if (spec := find_spec(name)) is not None:
            of_a_module = [spec.origin] if spec.origin else []
            found |= dict.fromkeys(map(Path, spec.submodule_search_locations or of_a_module))
    return tuple(found)


def folder(law: Chapter) -> Path | None:
    """The package of a chapter's family if it is installed separately; otherwise None."""
    return next((place for place in places(law) if place.is_dir()), None)


class Part(Generic[T]):
    """One part of a game, such as its rules: a name in the registry and the type it must have."""

    def __init__(self, name: str, type: type[T]) -> None:
        self.name = name
        self.type = type
        self._loaded: dict[tuple[str, str], T] = {}

    def of(self, law: Chapter) -> T:
        """Return this part of the game that a chapter is played by."""
        key = law.about.family, law.about.variant
        found = self._loaded.get(key)
        if found is None:
            found = self._loaded[key] = self._load(law, *key)
        return found

    def load_all(self) -> None:
        """Import this part of every family that has it."""
        for parts in families().values():
            if self.name in parts:
                import_module(parts[self.name].partition(":")[0])

    def all(self) -> Iterator[T]:
        """Yield this part of every game that has it, variants included."""
        for parts in families().values():
            if self.name in parts:
                module, _, name = parts[self.name].partition(":")
                found: Any = getattr(import_module(module), name)
                yield from found.values() if isinstance(found, Mapping) else (found,)

    def is_offered(self, law: Chapter) -> bool:
        """Whether the chapter's family is installed and has this part."""
        return self.name in (_parts(law.about.family) or {})

    def chapters(self) -> tuple[str, ...]:
        """The ids of the chapters whose game has this part here."""
        return tuple(id for id in chapters() if self.is_offered(chapter(id)))

    def _load(self, law: Chapter, family: str, variant: str) -> T:
        place = _family(law).get(self.name)
        if place is None:
            raise Refused("no_such_part", f"the game family {family} has no {self.name} part")
        module, _, name = place.partition(":")
        found: Any = getattr(import_module(module), name)
        if isinstance(found, Mapping):
            if variant not in found:
                raise Refused(
                    "no_such_variant",
                    f"{law.id} names the variant {variant!r} of {family}; "
                    f"there are {', '.join(sorted(found))}",
                )
            found = found[variant]
        if not isinstance(found, self.type):
            raise TypeError(f"{place} is not a {self.type.__name__}")
        return found


def _parts(family: str) -> Mapping[str, str] | None:
    """The parts of a family by name; what is installed is looked at only for one not built in."""
    return FAMILIES.get(family) or families().get(family)


def _family(law: Chapter) -> Mapping[str, str]:
    parts = _parts(law.about.family)
    if parts is None:
        raise Refused(
            "no_such_family",
            f"{law.id} needs the game family {law.about.family!r}, which is not installed; "
            f"there are {', '.join(sorted(families()))}",
            remedy="install the package that brings it in this environment",
        )
    return parts
