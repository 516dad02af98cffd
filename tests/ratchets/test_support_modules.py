"""What tests share lives in support modules: a test file is imported by nobody."""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]


def test_no_module_imports_from_a_test_file() -> None:
    for path in sorted(TESTS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            taken = [name for name in names if name.rpartition(".")[2].startswith("test_")]
            assert not taken, f"{path.relative_to(TESTS)} imports {taken[0]}"


def test_support_modules_have_names_of_their_own() -> None:
    """Test folders share one path: of two modules with one name only the first is found.

    Modules of a package have its name before their own.
    """
    seen: dict[str, Path] = {}
    for path in sorted(TESTS.rglob("*.py")):
        if path.stem != "conftest" and not (path.parent / "__init__.py").exists():
            assert path.stem not in seen, f"{path} and {seen[path.stem]}"
            seen[path.stem] = path
