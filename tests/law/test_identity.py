"""An edition is identified by what it decides: its words, and how they are written, do not count."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from houseway.errors import Refused
from houseway.law import CHAPTERS, MD, SAIGON, Chapter, chapter
from houseway.law.source import EditionFiles, RecordedEdition
from outside import copied, edit, reordered, write

#: what people read, what is only reconciled, and what tells the program where to look
WORDS = {
    "says", "name", "game", "jurisdiction", "agency", "citation", "dated", "dated_note", "status",
    "holds", "only_with", "citations_of", "aliases", "family", "variant", "settled_on", "lies_on", "figured_in", "bonuses", "sample",
    "card", "card_says", "device", "instead",
}  # fmt: skip


def hash_of(folder: Path) -> str:
    return Chapter(EditionFiles(folder.parent, folder.name)).hash


def each_says(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "says" in value:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from each_says(one)


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_words_comments_errata_and_the_order_of_keys_do_not_count(id: str, tmp_path: Path) -> None:
    folder = copied(id, tmp_path, "copy")
    before = hash_of(folder)
    for path in sorted(folder.iterdir()):
        path.write_text("# a comment\n" + path.read_text("utf-8"), "utf-8")
        assert hash_of(folder) == before

        def reword(data: dict[str, Any]) -> None:
            for one in each_says(data):
                one["says"] += " In other words."

        edit(path, reword)
        assert hash_of(folder) == before
        write(path, reordered(tomllib.loads(path.read_text("utf-8"))))
        assert hash_of(folder) == before
    edit(folder / "errata.toml", lambda data: data["erratum"][0].update(reading="Otherwise."))
    edit(folder / "errata.toml", lambda data: data["erratum"].pop())
    edit(folder / "chapter.toml", lambda data: data["wagers"][0].update(name="Otherwise"))
    assert hash_of(folder) == before


CHANGES: dict[str, tuple[str, Callable[[dict[str, Any]], Any]]] = {
    "a payout": ("paytables", lambda data: data["paytable"][0]["rows"][0].update(pays="7 to 1")),
    "a number": ("chapter", lambda data: data["facts"]["seats"].update(value=5)),
    "a default": ("options", lambda data: data["option"][0]["choices"].reverse()),
    "who does a step": ("procedure", lambda data: data["step"][0].update(role="floorperson")),
    "the order of steps": ("procedure", lambda data: data["step"].reverse()),
    "a wager's condition": ("chapter", lambda data: data["wagers"][0].update(needs=["other"])),
    "an area of the layout": ("chapter", lambda data: data["areas"].pop()),
    "the clause of a fact": ("chapter", lambda data: data["facts"]["seats"].update(clause="1")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_decides_counts(change: str, tmp_path: Path) -> None:
    folder = copied(MD, tmp_path, "copy")
    before = hash_of(folder)
    part, how = CHANGES[change]
    edit(folder / f"{part}.toml", how)
    assert hash_of(folder) != before


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield from leaves(one, (*path, name))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from leaves(one, (*path, number))
    else:
        yield path


def test_every_statement_that_is_not_words_counts() -> None:
    """Each value of Saigon's edition is changed by itself; a value that cannot be, is no choice."""
    law = chapter(SAIGON)
    parts = law.as_record()
    unchanged = set()
    for path in leaves(parts):
        here = parts
        for name in path[:-1]:
            here = here[name]
        kept = here[path[-1]]
        here[path[-1]] = (
            not kept if isinstance(kept, bool) else kept + (1 if isinstance(kept, int) else "x")
        )
        try:
            if Chapter(RecordedEdition(parts)).hash == law.hash:
                unchanged.add(next(name for name in path if name in WORDS))
        except Refused as refusal:
            assert refusal.code == "not_a_chapter"
        here[path[-1]] = kept
    assert unchanged <= WORDS


def test_a_recorded_edition_is_the_same_edition() -> None:
    for id in CHAPTERS:
        law = chapter(id)
        recorded = Chapter(RecordedEdition(law.as_record()))
        assert recorded.hash == law.hash
        assert recorded.about == law.about
        assert recorded.procedure == law.procedure
        assert recorded.options == law.options
        assert recorded.paytable_data == law.paytable_data
