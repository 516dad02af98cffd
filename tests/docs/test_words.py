"""Plain American English in help, messages, templates and documentation."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from houseway.cards import standard_deck

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "houseway"
#: words of names that others rely on, and a person of the demonstration
KEPT = "maths,colour,catalogue,roundin,ines,seatin"
#: phrasings that readers stumbled over
BANNED = (
    "where none is named", "said for likeness", "is made where it is not there",
    "what went otherwise", "deepest fall", "source on trial", "ask for company", "in the purse",
    "to the purse", "what people did", "interface for programs", "give up unseen",
    "of all staked*", "a quiet wager", "nothing at all is the same again",
    "a player of the system's plays", "no count below nothing", "this is no json", "will not do",
    "returns fixed", "round is figured", "(system)", "what is lawful but unwise",
    "more than nothing", "do not go together", "who plays at a table", "at most so many",
    "where none is given", "was not let in",
    "everything that is given must hold", "tell it for people", "nothing said: everything", "so that nobody misses the own", "the own last",
    "every door is open", "comes back by itself", "text stumbles", "put by and not shown",
    "knows no rounding", "done anew", "counted anew",
    "touch nothing. a card", "dollars more, with a minus", "whatever became of",
    "players of the system",
    "is not open now", "is not open:", "open are", "small letters", "its day is over", "is there twice", "touch nothing",
    "fair at", "loses a round", "what becomes of", "nothing any more", "turned round", "took away",
    "as it stands, and why", "disables oneself", "from nothing up", "noughts", "the chapter knows no", "not paid at all",
    "let it be otherwise", "none of the whole", "say the reason", "is not said whether", "whoever plays it best",
)  # fmt: skip
#: phrasings that docstrings and comments of the program avoid too
BANNED_IN_CODE = (
    "otherwise than", "out of the question", "misfortune", "in the middle of things",
    "above nothing", "below nothing", "whatever becomes of", "what became of", "nobody's",
    "is told to people", "are told to people", "people are told of",
    "of one's own", "results go together", "seats go together", "goes together with", "an affair of", "'s whim",
)  # fmt: skip


@cache
def texts() -> dict[str, str]:
    """What people read, by its file: documents, templates, data, and the strings of the program.

    Of Python only strings count, and of the command line docstrings too, which are its help.
    """
    found = {}
    for place, kinds in ((ROOT, "md"), (ROOT / "docs", "md"), (SOURCE, "html typ toml js")):
        for kind in kinds.split():
            paths = place.glob(f"*.{kind}") if place == ROOT else place.rglob(f"*.{kind}")
            # the pages that `script/site` made are these texts once more
            found |= {
                _name(path): path.read_text(encoding="utf-8")
                for path in sorted(paths)
                if SOURCE / "web" / "site" not in path.parents
            }
    for path in sorted(SOURCE.rglob("*.py")):
        found[_name(path)] = "\n".join(strings(path))
    return found


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def strings(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = path.is_relative_to(SOURCE / "cli")
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and not inside:
            node.value.value = None  # a docstring
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.value


@pytest.mark.slow
def test_everything_that_people_read_is_looked_at() -> None:
    """A help text, a message, a template, a page and a clause's summary are among the texts."""
    found = texts()
    assert "Show the best way to play" in found["src/houseway/cli/strategy/command.py"]
    assert "is not an amount" in found["src/houseway/money/amount.py"]
    assert "<h1>HTTP API</h1>" in found["src/houseway/web/templates/api.html"]
    assert "# Houseway" in found["README.md"]
    assert "docs/reference/table.md" in found
    assert any(name.endswith("chapter.toml") for name in found)


def test_spelling_is_american(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text(
        "\n".join(
            f"{name}: {line}" for name, text in texts().items() for line in text.splitlines()
        ),
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "codespell_lib", "--builtin", "clear,en-GB_to_en-US",
         "--ignore-words-list", KEPT, "--context", "0", str(words)],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


@pytest.mark.parametrize("phrase", BANNED)
def test_no_banned_phrasing(phrase: str) -> None:
    assert not [name for name, text in texts().items() if phrase in " ".join(text.lower().split())]


@cache
def code() -> dict[str, str]:
    """Docstrings and comments of the program, and its strings, by file."""
    return {
        _name(path): " ".join(path.read_text(encoding="utf-8").lower().replace("#", " ").split())
        for path in sorted(SOURCE.rglob("*.py"))
    }


@pytest.mark.parametrize("phrase", BANNED_IN_CODE)
def test_no_phrasing_in_the_code_that_a_stranger_stumbles_over(phrase: str) -> None:
    assert not [name for name, text in code().items() if phrase in text]


def test_the_strategy_that_the_documentation_shows_is_not_a_losing_one() -> None:
    """Queen, six and four or better, and every pair, straight and flush: the optimal play."""
    page = (ROOT / "docs" / "reference" / "simulation.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    exec(re.search(r"```python\n(def decide.*?)```", page, re.DOTALL)[1], names)
    decide = names["decide"]
    played = sum(decide(hand) == "play" for hand in combinations(standard_deck(), 3))
    by_hand = sum(_is_played(hand) for hand in combinations(standard_deck(), 3))
    assert played == by_hand


def _is_played(hand: tuple) -> bool:
    ranks = sorted((card.rank for card in hand), reverse=True)
    if len({card.suit for card in hand}) == 1 or len(set(ranks)) < 3:
        return True
    if ranks[0] - ranks[2] == 2 or ranks == [12, 1, 0]:
        return True
    return ranks >= ["23456789TJQKA".index(rank) for rank in "Q64"]
