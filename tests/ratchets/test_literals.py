"""General code knows no game: chapter ids, wager ids, commands and families stay out of it.

Read from the syntax tree of every module outside `law/` and `games/`. What is left is listed in
`literals.json`, file by file, with the reason why it stays; the list may only shrink.
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from pathlib import Path

import houseway
from houseway.law import CHAPTERS, chapter
from houseway.table.commands import COMMANDS

PACKAGE = Path(houseway.__file__).parent
KEPT = Path(__file__).with_name("literals.json")
#: the constants of `houseway.law` that name a chapter
NAMES = {"MD", "MA", "PRIME", "SAIGON", "DOWN_UNDER"}
#: words that are commands, options, phases or fields as well as wagers
COMMON = {"play", "double", "split", "progressive", "insurance", "bonus", "coupon"}


def forbidden() -> set[str]:
    """Every chapter id, every id of a wager or bonus and every command of one family.

    Words that are common to games are left out.
    """
    laws = [chapter(id) for id in CHAPTERS]
    ids = {one for law in laws for one in (*law.wagers, *law.bonuses)}
    entries = {wager.entry for law in laws for wager in law.wagers.values()}
    own = {name for name, kind in COMMANDS.items() if kind.__module__.startswith("houseway.games.")}
    return set(CHAPTERS) | (ids | entries | own) - COMMON


def literals(path: Path, words: set[str]) -> Counter[str]:
    """What a module says that it should ask the chapter's data for; citations do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    cited = {
        id(node)
        for mark in ast.walk(tree)
        if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "cites"
        for node in ast.walk(mark)
    }
    found: Counter[str] = Counter()
    for node in ast.walk(tree):
        if id(node) in cited:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in words:
            found[node.value] += 1
        elif isinstance(node, ast.Name) and node.id in NAMES and isinstance(node.ctx, ast.Load):
            found[node.id] += 1
    return found


def everything() -> dict[str, dict[str, int]]:
    words = forbidden()
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        if not place.startswith(("law/", "games/")) and (counts := literals(path, words)):
            found[place] = dict(sorted(counts.items()))
    return found


def test_general_code_names_no_game() -> None:
    found = everything()
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    assert all(one.pop("reason") for one in kept.values())
    assert found == kept, "ask the chapter's data or a part of the game instead"


def test_a_literal_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text('@cites(MD, "11.C")\ndef f(wager):\n    return wager == "pair_plus" or MA\n')
    assert literals(path, forbidden()) == {"pair_plus": 1, "MA": 1}
