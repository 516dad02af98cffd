"""A package as an installer leaves it, without an installer: its name and its entry points."""

from __future__ import annotations

import tomllib
from pathlib import Path


def write_metadata(package: Path, site: Path) -> None:
    """Write what an installer would for the project in a folder, so that its entry points are found."""
    project = tomllib.loads((package / "pyproject.toml").read_text("utf-8"))["project"]
    folder = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    folder.mkdir(parents=True)
    about = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (folder / "METADATA").write_text(about, "utf-8")
    lines = []
    for group, entries in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (folder / "entry_points.txt").write_text("\n".join([*lines, ""]), "utf-8")
