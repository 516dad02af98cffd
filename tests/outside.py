"""Chapters outside the package: copies of the package's own, changed by a test."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any
from unittest.mock import patch

from houseway.floor.audit import expected_hold
from houseway.game_api import round_json
from houseway.law import chapter, library
from houseway.table import moment


def copied(id: str, root: Path, new_id: str) -> Path:
    """A copy of a chapter of the package under a new id: the folder of its one edition."""
    edition = chapter(id).about.edition
    folder = root / new_id / edition
    shutil.copytree(str(files("houseway.law").joinpath("chapters", id, edition)), folder)
    edit(folder / "chapter.toml", lambda data: data.update(id=new_id, citations_of=id))
    return folder


def edit(path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Change the data of a TOML file; its comments are lost."""
    data = tomllib.loads(path.read_text("utf-8"))
    change(data)
    write(path, data)


def write(path: Path, data: dict[str, Any]) -> None:
    lines = [f"{_toml(name)} = {_toml(value)}\n" for name, value in data.items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), "utf-8")


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(name)} = {_toml(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def reordered(value: Any) -> Any:
    """The same data with the keys of every table in the opposite order."""
    if isinstance(value, dict):
        return {name: reordered(value[name]) for name in reversed(value)}
    return [reordered(one) for one in value] if isinstance(value, list) else value


@contextmanager
def chapters_from(root: Path) -> Iterator[None]:
    """As in a process that was started with these chapters: nothing of another text is known."""
    with patch.dict("os.environ", {library.ENVIRONMENT: str(root)}):
        _forget()
        try:
            yield
        finally:
            _forget()
    _forget()


def _forget() -> None:
    library.forget()
    moment._situations.clear()
    round_json._rules.clear()
    expected_hold.rules_of.cache_clear()


def moved_on(clause: str) -> str:
    """A clause in an edition that has one more section before all others."""
    return re.sub(r"^(\d+a\.)?(\d+)", lambda found: f"{found[1] or ''}{int(found[2]) + 1}", clause)


def renumbered(id: str, root: Path) -> None:
    """A chapter under its own id with a newer edition in which every section has another number."""
    kept = chapter(id).about.edition
    shutil.copytree(str(files("houseway.law").joinpath("chapters", id, kept)), root / id / kept)
    sections = {re.match(r"(\d+a\.)?\d+", clause)[0] for clause in chapter(id).clauses}
    moved = {moved_on(section): section for section in sections}
    about = {"amends": kept, "edition": f"{kept} renumbered", "renumbered": moved}
    write(root / id / f"{kept} renumbered" / "chapter.toml", about)


@contextmanager
def only_chapters_from(root: Path) -> Iterator[None]:
    """As in a program whose own chapters are these."""
    _forget()
    with patch.object(library, "_roots", lambda: (root,)):
        try:
            yield
        finally:
            _forget()
