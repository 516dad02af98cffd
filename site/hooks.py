"""What MkDocs is told by the project itself: the navigation, the reference and the search index."""

from __future__ import annotations

import inspect
import posixpath
import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import houseway

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "houseway"
#: the look of the web casino, which the pages share
LOOK = ("house.css", "icon.svg")
#: packages of the reference; the command line and the web have pages of their own
WITHOUT = ("cli", "games", "web")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s#:]+)(#[^)\s]*)?\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Take the navigation from the lists of docs/index.md, section by section."""
    docs = Path(config.docs_dir)
    nav: list[dict[str, Any]] = [{"Start": "index.md"}]
    listed = {"index.md"}
    written = {page.relative_to(docs).as_posix() for page in docs.rglob("*.md")}
    for section in (docs / "index.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        title, _, text = section.partition("\n")
        pages = dict.fromkeys(target for _, target, _ in LINK.findall(text))
        found = [page for page in pages if page in written and page not in listed]
        if found:
            nav.append({title.partition(",")[0].strip(): found})
            listed.update(found)
    if others := sorted(written - listed):
        nav.append({"More": others})
    first, second, *folders = _generated()
    nav.append({"Reference from the code": [first, second, {"Packages": folders}]})
    config.nav = nav
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the reference, made from docstrings and from the help of each command."""
    for name, text in _generated().items():
        files.append(File.generated(config, name, content=text))
    for name in LOOK:
        static = PACKAGE / "web" / "static" / name
        files.append(File.generated(config, f"look/{name}", abs_src_path=str(static)))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Name a file of the repository that is no page, instead of a link that leads nowhere."""

    def shown(found: re.Match[str]) -> str:
        words, target, _ = found.groups()
        folder = posixpath.dirname(page.file.src_uri)
        place = posixpath.normpath(posixpath.join("docs", folder, target))
        if place.startswith("docs/") or not (ROOT / place).exists():
            return found[0]  # MkDocs follows it
        return f"{words} (`{place}`)" if place not in words else words

    return LINK.sub(shown, markdown)


def on_post_build(config: MkDocsConfig) -> None:
    """Keep the search index as a script, which pages on a disk can load too."""
    index = Path(config.site_dir) / "search" / "search_index.json"
    docs = msgspec.json.decode(index.read_bytes())["docs"]
    entries = [[one["location"], one["title"], " ".join(one["text"].split())] for one in docs]
    (index.parent / "index.js").write_bytes(b"window.searchIndex = " + msgspec.json.encode(entries))
    index.unlink()


@cache
def _generated() -> dict[str, str]:
    """The pages of the reference: the commands, the package's own names, and each folder of code."""
    folders = sorted({path.parent for path in PACKAGE.rglob("*.py")} - {PACKAGE})
    names = [folder.relative_to(PACKAGE).parts for folder in folders]
    return {
        "commands.md": _commands(),
        "api.md": _names(),
        **{
            f"api/{'.'.join(parts)}.md": _folder(parts)
            for parts in names
            if parts[0] not in WITHOUT
        },
    }


def _names() -> str:
    """The page of the package's own names, each documented where it is defined."""
    parts = ["# Python", inspect.getdoc(houseway) or ""]
    for name in sorted(houseway.__all__, key=str.lower):
        value = getattr(houseway, name)
        if inspect.ismodule(value):
            place, members = value.__name__, "members: false"
        elif callable(value):
            members = ""
            place = f"{value.__module__}.{value.__qualname__}"
        else:
            continue
        options = (f"heading: houseway.{name}", f"toc_label: houseway.{name}", members)
        parts.append(f"::: {place}\n    options:\n      " + "\n      ".join(filter(None, options)))
    return "\n\n".join(parts)


def _folder(parts: tuple[str, ...]) -> str:
    """The page of a folder of code: each module with what it has."""
    package = ".".join(("houseway", *parts))
    modules = sorted(path.stem for path in PACKAGE.joinpath(*parts).glob("[!_]*.py"))
    directives = [package, *(f"{package}.{module}" for module in modules)]
    return f"# {package}\n\n" + "\n\n".join(f"::: {name}" for name in directives) + "\n"


def _commands() -> str:
    """The page of the command line, from the help of every command."""
    from houseway.cli import COMMANDS, build

    parts = ["# Commands", "`houseway COMMAND --help` prints the same in a terminal."]
    for title, commands in COMMANDS.items():
        parts.append(f"## {title}")
        for name in commands:
            text = build(name)[name].generate_docs(
                output_format="markdown", heading_level=3, usage_name=f"houseway {name}"
            )
            # the commands of a group are listed by subject below it
            parts.append(re.sub(r"## Table of Contents\n\n(- .*\n)+", "", text))
    return "\n\n".join(parts)
