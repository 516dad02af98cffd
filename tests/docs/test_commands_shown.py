"""Every command that a page names is one, and those that a page tells to type work."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import answer, run
from cyclopts import CycloptsError

from houseway.cli import build

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "examples" / "casino-war" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]  # fmt: skip
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: a command in a sentence
INLINE = re.compile(r"`((?:script/)?houseway [^`]+)`")
#: the chapters of readers, and other words that stand for theirs
_STANDS_FOR = {
    "CHAPTER": "prime", "my-prime": "prime", "casino-war": "prime", "CLAUSE": "679a.12(c)",
    "DIR": "packet", "N": "1", "K": "1",
}  # fmt: skip


def blocks(page: Path, *kinds: str) -> str:
    """The lines of a page's blocks of these kinds."""
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return "\n".join(text for kind, text in found if kind in kinds and "\nUsage: " not in text)


def typed(text: str) -> Iterator[list[str]]:
    """The words of each command in lines: without what it pipes to, and what is said beside it.

    A word in capitals stands for one of the reader's own.
    """
    for line in text.splitlines():
        found = re.match(r"^(?:\$ )?((?:script/)?houseway .*)", line)
        if found is None or "…" in line:
            continue
        command = re.split(r" {2,}| [|>] ", found[1])[0]
        words = shlex.split(command, comments=True)[1:]
        while words[:1] == ["--chapters"]:
            words = words[2:]
        if words[:1] not in (["COMMAND"], ["help"], ["--help"]):
            yield [_STANDS_FOR.get(word, word) for word in words]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_of_a_page_can_be_called(page: Path) -> None:
    """Names and options are known."""
    text = page.read_text(encoding="utf-8")
    inline = "\n".join(one for one in INLINE.findall(text) if not re.search(r"[\[|…]", one))
    for words in [*typed(blocks(page, "sh", "console", "")), *typed(inline)]:
        try:
            build(words[0]).parse_args(words, exit_on_error=False, print_error=False)
        except CycloptsError as error:
            # a sentence may name a command without what it needs
            assert "requires an argument" in str(error), f"{' '.join(words)}: {error}"


#: a run to play and a server to stop are other tests' matter
_APART = ("serve", "play", "simulate", "rng-test")


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    ["for-compliance", "for-investigators", "reference/felt", "reference/mathematics",
     "reference/record", "reference/submission"],
)  # fmt: skip
def test_what_a_page_tells_to_type_works(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One after the other in a folder of the reader's own, with the files that the page names."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    made = ROOT / "examples" / "submissions"
    for name, source in {"old": "prime", "new": "prime-later", "rules": "prime"}.items():
        shutil.copy(made / f"{source}.toml", f"{name}.toml")
    record = "houseway-demo.db"
    if page != "for-investigators":
        assert run("demo", "--rounds", "3").returncode == 0
    done = 0
    for given in typed(blocks(ROOT / "docs" / f"{page}.md", "sh", "")):
        if given[0] in _APART or (page == "reference/mathematics" and "table.toml" in given):
            continue
        words = list(given)
        if words[0] in ("audit", "submissions") and "--database" not in words:
            given += ["--database", record]
        if "HASH" in given:
            kept = answer("submissions", "list", "--database", record)["submissions"]
            given[given.index("HASH")] = kept[-1]["hash"]
        if words[0] == "demo":
            given += ["--rounds", "3"]
        if words[0] == "new" and "-o" not in words:
            given += ["-o", "table.toml"]
        if words[:2] == ["submissions", "draft"]:
            shutil.copy(made / "prime.toml", "table.toml")
        if words[0] == "draw" and "--rules" in words:
            given[1] = "prime"
        shown = run(*given)
        assert shown.returncode == 0, f"{' '.join(given)}: {shown.stdout[-500:]}{shown.stderr}"
        done += 1
    assert done
