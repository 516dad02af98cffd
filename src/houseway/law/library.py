"""The available chapters: those installed, and editions known from the record of a table.

Chapters are found by one scan of roots: the package's own folder, and those that the environment
variable `HOUSEWAY_CHAPTERS` names. Each root has the layout `<chapter id>/<edition>/*.toml`.

Several editions can be installed; the newest is the default. A table names the edition it was
opened under by its identity. If the installed text has another identity by now, the table plays by
the edition that was stored in its record.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal, NamedTuple

from houseway.arguments import checked
from houseway.errors import Refused
from houseway.law.chapter import BUILT_IN, Chapter
from houseway.law.cross_references import check
from houseway.law.editions.byte_hashes import BYTE_HASHES
from houseway.law.editions.identity import completed
from houseway.law.source import EditionFiles, RecordedEdition

#: names folders with chapters of their own, separated like the folders of PATH
ENVIRONMENT = "HOUSEWAY_CHAPTERS"
_LAYOUT = "<chapter id>/<edition>/chapter.toml"


def _roots() -> tuple[Traversable, ...]:
    own = files("houseway.law").joinpath("chapters")
    named = os.environ.get(ENVIRONMENT, "").split(os.pathsep)
    return (own, *(Path(name).absolute() for name in named if name))


def outside_roots() -> tuple[str, ...]:
    """The folders of chapters that are not the package's own."""
    return tuple(str(root) for root in _roots()[1:])


def _folders(root: Traversable) -> dict[str, dict[str, EditionFiles]]:
    """The editions in a root by chapter; a folder without `chapter.toml` is not an edition."""
    try:
        found = {
            one.name: {
                edition.name: EditionFiles(one, edition.name)
                for edition in sorted(one.iterdir(), key=lambda folder: folder.name)
                if edition.joinpath("chapter.toml").is_file()
            }
            for one in sorted(root.iterdir(), key=lambda folder: folder.name)
            if one.is_dir()
        }
    except OSError as error:
        raise Refused(
            "no_such_folder", f"the chapters in {root} cannot be read: {error.strerror}"
        ) from None
    kept = {id: editions for id, editions in found.items() if editions}
    if not kept:
        raise Refused("no_such_chapter", f"there is no chapter in {root}; one is {_LAYOUT} there")
    return kept


@cache
def _library() -> dict[str, dict[str, EditionFiles]]:
    """Every edition of every chapter, the package's own first."""
    found: dict[str, dict[str, EditionFiles]] = {}
    roots: dict[str, Traversable] = {}
    for root in dict.fromkeys(_roots()):
        folders = _folders(root)
        for id in sorted(folders, key=_place):
            if id in found:
                raise Refused(
                    "chapter_twice",
                    f"there are two chapters {id}, in {roots[id]} and in {root}; rename one",
                )
            found[id], roots[id] = folders[id], root
    return found


def _place(id: str) -> tuple[int, str]:
    return (BUILT_IN.index(id) if id in BUILT_IN else len(BUILT_IN)), id


def chapters() -> tuple[str, ...]:
    """The ids of all chapters, the package's own first."""
    return tuple(_library())


def find_chapter(name: str) -> str:
    """Return the id of the one chapter that a person means: by id, alias or unique beginning."""
    known = {id: id for id in chapters()}
    if name in known:
        return name
    typed, name = name, re.sub(r"[\s_]+", "-", name.strip().lower())
    if name in known:
        return name
    for id in chapters():
        for alias in _aliases(id):
            if known.setdefault(alias, id) == id and alias == name:
                return id
    meant = sorted({id for one, id in known.items() if name and one.startswith(name)})
    # "three-card" begins one alias, but names three games
    inside = [id for id in chapters() if name and f"-{name}" in id]
    if len(meant) == 1 and set(inside) <= {*meant}:
        return meant[0]
    if len(meant) > 1:
        raise Refused("ambiguous_chapter", f"{typed!r} could be {' or '.join(meant)}")
    raise _no_such_chapter(typed, known, sorted(id for id in chapters() if name and name in id))


def _aliases(id: str) -> tuple[str, ...]:
    return chapter(id).about.aliases


def _no_such_chapter(name: str, known: Mapping[str, str], holding: Sequence[str] = ()) -> Refused:
    """The refusal of a name; `holding` are the ids that have it in them."""
    near = holding or [
        known[one] for one in get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    ]
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    aliases = {meant: one for one, meant in reversed([*known.items()]) if one != meant}
    listed = (f"{id} ({aliases[id]})" if id in aliases else id for id in chapters())
    remedy = f"{hint}there are {', '.join(listed)}"
    return Refused("no_such_chapter", f"there is no chapter {name!r}", remedy=remedy)


def _numbers(name: str) -> tuple[tuple[int, str], ...]:
    """A name as its numbers are counted: 1.10 comes after 1.9."""
    return tuple(
        (int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)
    )


@cache
def editions(id: str) -> tuple[str, ...]:
    """The editions kept of a chapter, oldest first."""
    try:
        kept = _library()[id]
    except KeyError:
        known = {alias: one for one in chapters() for alias in (one, *_aliases(one))}
        raise _no_such_chapter(id, known) from None
    if len(kept) == 1:
        return tuple(kept)

    def age(name: str) -> tuple[Any, ...]:
        return chapter(id, name).about.dated, kept[name].changes, _numbers(name)

    return tuple(sorted(kept, key=age))


@checked
def chapter(id: str, edition: str | None = None) -> Chapter:
    """Load a chapter: `chapter("md-three-card-poker")`; the newest edition unless one is named."""
    if edition is None:
        edition = editions(id)[-1]
    return _chapter(id, edition)


@cache
def _chapter(id: str, edition: str) -> Chapter:
    kept = _library().get(id)
    if kept is None or edition not in kept:
        raise Refused(
            "no_such_edition",
            f"{id} has no edition {edition!r}",
            remedy=f"there are {', '.join(editions(id))}",
        )
    law = Chapter(kept[edition])
    about = law.about
    for name, folder, told in (("id", id, about.id), ("edition", edition, about.edition)):
        if told != folder:
            raise Refused(
                "not_a_chapter",
                f"{kept[edition].place('chapter')}: its {name} is {told!r}, its folder {folder!r}",
                field=name,
            )
    if id not in BUILT_IN:  # a test checks the package's own
        check(law)
    return law


def forget() -> None:
    """Scan for chapters again, for example after a change of `HOUSEWAY_CHAPTERS`."""
    for kept in (_library, editions, _chapter):
        kept.cache_clear()
    _recorded.clear()


class EditionRef(NamedTuple):
    """An edition as a record names it. `hash` is its identity, or a hash of its bytes."""

    chapter: str
    edition: str
    hash: str


#: editions that were read from records, by the hash that the record names them by
_recorded: dict[str, Chapter] = {}


def _installed(ref: EditionRef) -> Chapter | None:
    """The installed edition of that name; None if it is missing or cannot be read."""
    try:
        law = chapter(ref.chapter, ref.edition)
        _ = law.hash
    except Refused:
        return None
    return law


def _is_current(ref: EditionRef, law: Chapter) -> bool:
    """Whether the installed edition decides what the one on record decided."""
    if BYTE_HASHES.get(ref.hash) == (ref.chapter, ref.edition) or law.hash == ref.hash:
        return True
    # another version of the program may have computed the identity differently
    found = _recorded.get(ref.hash)
    return found is not None and found.hash == law.hash


def is_at_hand(ref: EditionRef) -> bool:
    """Whether the edition is known, so that the record's own copy need not be read."""
    law = _installed(ref)
    return ref.hash in _recorded or (law is not None and _is_current(ref, law))


def learn(ref: EditionRef, parts: Mapping[str, Any]) -> None:
    """Take in an edition from a record, as `Chapter.as_record` wrote it.

    Fields that decide nothing and that the record lacks, because they were added later, are taken
    from the installed text.
    """
    recorded, law = Chapter(RecordedEdition(parts)), _installed(ref)
    if law is not None:
        recorded.about = completed(recorded.about, law.about)
    _recorded[ref.hash] = recorded


#: `current`: the installed text decides what was recorded; `superseded`: it decides otherwise, and
#: the recorded edition holds; `unknown`: it decides otherwise, and no copy of the other is known
Standing = Literal["current", "superseded", "unknown"]


def edition_on_record(ref: EditionRef) -> tuple[Chapter, Standing]:
    """The edition that a record names, and how it stands to the installed text.

    If the edition is not known, as in the record of an unreleased version, the installed text is used
    instead, so that what happened can still be shown.
    """
    law = _installed(ref)
    if law is not None and _is_current(ref, law):
        return law, "current"
    found = _recorded.get(ref.hash)
    if found is not None:
        return found, "superseded"
    return law or chapter(ref.chapter, ref.edition), "unknown"
