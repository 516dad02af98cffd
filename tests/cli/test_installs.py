"""The wheel with each extra alone and with all of them, on every Python that is here."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from houseway.cli import build
from houseway.extras import _DISTRIBUTIONS, not_installed
from houseway.game_api.history_tables import write_parquet

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = ["", *(name for name in PROJECT["optional-dependencies"] if name != "test")]
#: every command but `serve` and `new`, and every option that asks for another library
COMMANDS = (
    "-V", "chapters", "clauses", "errata md", "options md", "completion bash", "schema",
    f"settle {ROOT / 'examples' / 'md-three-card-poker.json'}", "check new.toml",
    f"drive {ROOT / 'examples/drive/round.jsonl'} --rules {ROOT / 'examples/drive/prime.toml'}",
    "play md --auto --rounds 1 --seed 1", "play down-under --auto --rounds 1 --seed 1",
    "demo --rounds 2 --database d.db", "doctor --port 0", "clauses md --report law.html",
    "audit verify --database d.db", "audit history --database d.db --out h.jsonl",
    "audit history --database d.db --out h.parquet", "audit check h.jsonl",
    "audit check paid.parquet", "audit check paid.csv --rules meters.toml", "audit trouble-table md",
    "audit rounds --database d.db", "audit replay yesterday.1.1 --database d.db",
    "audit replay yesterday.1.1 --html round.html --database d.db",
    "audit verify-deal yesterday.1.2 --database d.db", "audit report --database d.db",
    "audit report --xlsx report.xlsx --database d.db",
    "audit irregularities --database d.db", "audit validations --database d.db",
    "audit devices --database d.db", "audit decks --database d.db",
    "audit meters --database d.db", "audit facility --database d.db",
    "audit keys --database d.db", "audit export --database d.db --out e",
    "audit export --database d.db --round yesterday.1.1 --out bundle",
    "audit export --database d.db --format parquet --out p",
    "audit anchor --database d.db --key k.pem --new-key --out a.json",
    "audit accept --who anne --reason restored --database d.db",
    "audit retention --live-days 30 --database d.db", "audit archive --database d.db",
    "audit backup b.db --database d.db", "audit restore b.db --database r.db",
    "audit backup sealed.db --encrypt --database d.db",
    "submissions --database d.db", "people list --database d.db",
    "people add anne --roles floorperson --database d.db",
    "people add ben --roles floorperson --database d.db",
    "people password anne --database d.db", "progressive list --database d.db",
    "progressive history --table yesterday --database d.db",
    "progressive open bay --rules meters.toml --by anne --database d.db",
    "progressive open pier --rules meters.toml --by anne --database d.db",
    "progressive join bay four --rules meters.toml --by anne --database d.db",
    "progressive leave bay four --by anne --database d.db",
    "progressive adjust bay progressive --amount 10.00 --by anne --second ben --reason count --database d.db",
    "progressive shut-down pier --by anne --second ben --reason moved --database d.db",
    "progressive take-over bay --from-link pier --by anne --second ben --reason moved --database d.db",
    "progressive history --table yesterday --svg meter.svg --database d.db",
    "progressive reconcile --database d.db",
    "rng-test --source seeded --shuffles 20000 --words 262144",
    "rng-test --source seeded --shuffles 20000 --words 262144 --report random.pdf",
    "par saigon", "par saigon --csv", "par saigon --pdf par.pdf", "par saigon --xlsx par.xlsx",
    "strategy saigon", "strategy saigon --out card.svg", "strategy down-under --pdf card.pdf",
    "reconcile saigon", "simulate saigon --rounds 500",
    "simulate saigon --rounds 500 --parquet run.parquet", "simulate saigon --rounds 500 --chart run.svg",
    "simulate saigon --rounds 500 --xlsx run.xlsx", "simulate saigon --rounds 500 --cluster local",
    "simulate saigon --sessions 5", "simulate saigon --days 1", "diff new.toml new.toml",
    "diff new.toml new.toml --xlsx diff.xlsx", "draw md --out felt.svg",
    "draw md --out felt.pdf", "draw md --out felt.png", "packet new.toml --out packet",
    "packet new.toml --out packet --only layout", "packet new.toml --out packet --only bundle",
)  # fmt: skip
#: options that write or read what a library of an extra is needed for
FORMATS = {
    "--chart", "--cluster", "--csv", "--encrypt", "--html", "--parquet", "--pdf", "--report",
    "--svg", "--xlsx",
}  # fmt: skip
PAID = """id,dealer,seat,cards,decision,wager.ante,paid.ante,paid.play
1,Qh 7d 2c,3,9s 8s 6d,fold,10.00,0.00,
"""
METERS = """chapter = "md-three-card-poker"
[rules]
progressive = "A"
[meters.progressive]
rate = "14%"
seed = "5000.00"
reset = "1000.00"
"""
SECRETS = dict.fromkeys(("HOUSEWAY_PASSWORD", "HOUSEWAY_SECOND_PASSWORD"), "a long password")
LACKS = re.compile(r"houseway: .* is not installed: install houseway\[(\w+)\]\n")


def interpreter(version: str) -> str | None:
    """A Python of this version: on the path, or one that pyenv has."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    candidates = [shutil.which(f"python{version}"), *map(str, kept)]
    for found in filter(None, candidates):
        done = subprocess.run([found, "-c", ""], capture_output=True, check=False)
        if done.returncode == 0:
            return found
    return None


def commands(app: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, set[str]]]:
    """Every command of the program with the options that it takes."""
    for name in app:
        if name.startswith("-"):
            continue
        yield from commands(app[name], (*words, name))
        if app[name].default_command is not None:
            options = app[name].assemble_argument_collection()
            yield " ".join((*words, name)), {typed for one in options for typed in one.names}


def test_every_command_and_format_is_in_the_matrix() -> None:
    """A command or an option that is added later is called in every installation too."""
    for name, options in commands(build()):
        calls = [one for one in COMMANDS if f"{one} ".startswith(f"{name} ")]
        assert calls or name in ("serve", "new"), name
        missing = options & FORMATS - {word for one in calls for word in one.split()}
        assert not missing, (name, missing)


def test_every_library_that_is_imported_is_one_that_the_project_requires() -> None:
    """So a library that is missing has an extra that can be named, also one that others bring."""
    imported = set()
    for path in (ROOT / "src" / "houseway").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                imported |= {one.name for one in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                imported.add(node.module)
    modules = {name.partition(".")[0] for name in imported}
    lines = [*PROJECT["dependencies"], *chain(*PROJECT["optional-dependencies"].values())]
    required = {re.split(r"[^\w-]", line)[0] for line in lines}
    outside = modules - sys.stdlib_module_names - {"houseway"}
    assert {_DISTRIBUTIONS.get(module, module) for module in outside} <= required


def test_a_library_of_no_extra_is_named_all_the_same() -> None:
    """A game of one's own may import what is not there: one sentence, no traceback."""
    said = not_installed(ModuleNotFoundError("No module named 'nowhere'", name="nowhere.deep"))
    assert str(said) == "this needs nowhere, which is not installed"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "-q", "wheel", "--no-deps", "-w", folder, ROOT],
        check=True, capture_output=True, timeout=600,
    )  # fmt: skip
    (found,) = folder.glob("houseway-*.whl")
    return found


@pytest.mark.full
@pytest.mark.parametrize("extra", EXTRAS)
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_every_command_works_or_names_the_extra_it_needs(
    wheel: Path, tmp_path: Path, version: str, extra: str
) -> None:
    """Warnings are errors, so that a connection left open is seen too."""
    base = interpreter(version)
    if base is None:
        pytest.skip(f"there is no Python {version} here")
    subprocess.run([base, "-m", "venv", tmp_path / "venv"], check=True, timeout=120)
    python = tmp_path / "venv" / "bin" / "python"
    target = f"{wheel}[{extra}]" if extra else str(wheel)
    done = subprocess.run(
        [python, "-m", "pip", "-q", "install", "--only-binary", ":all:",
         "-c", ROOT / "constraints.txt", target],
        capture_output=True, text=True, check=False, timeout=1200,
    )  # fmt: skip
    if done.returncode and version == "3.14":
        pytest.skip("a library has no wheel for it yet")
    assert done.returncode == 0, done.stderr
    home = {name: str(tmp_path) for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}

    def call(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [python, "-W", "error", "-P", "-m", "houseway", *words], cwd=tmp_path,
            capture_output=True, text=True, check=False, timeout=600, stdin=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], **SECRETS, **home},
        )  # fmt: skip

    (tmp_path / "meters.toml").write_text(METERS)
    (tmp_path / "paid.csv").write_text(PAID)
    round = json.loads((ROOT / "examples" / "pa-saigon-5-card.json").read_text())
    paid = [{"seat": seat["seat"], "net": "0.00"} for seat in round["seats"]]
    write_parquet(tmp_path / "paid.parquet", [{"id": "1", "round": round, "paid": paid}])
    new = call("new", "md-three-card-poker").stdout.replace('facility = ""', 'facility = "Bay"')
    (tmp_path / "new.toml").write_text(new)
    faults = []
    for command in COMMANDS:
        done = call(*command.split())
        lacks = LACKS.fullmatch(done.stderr)
        if lacks is None:
            right = done.returncode in (0, 1) and not done.stderr
        else:
            right = done.returncode == 2 and extra not in (lacks[1], "all")
        if not right:
            faults.append((command, done.returncode, done.stderr))
    assert not faults
    assert serve_says(python, tmp_path, home, extra)
    shutil.rmtree(tmp_path / "venv")  # a gigabyte with every extra


def serve_says(python: Path, folder: Path, home: dict[str, str], extra: str) -> bool:
    """Whether `serve` opens the house, or says in one sentence that it needs another extra."""
    with subprocess.Popen(
        [python, "-P", "-m", "houseway", "serve", "--port", "0", "--no-open", "--demo-rounds", "1"],
        cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={"PATH": os.environ["PATH"], **home},
    ) as house:  # fmt: skip
        assert house.stdout is not None
        assert house.stderr is not None
        first = house.stdout.readline()
        house.terminate()
        said = house.stderr.read()
    lacks = LACKS.fullmatch(said)
    if lacks is None:
        return first.startswith("The house is open at http://")
    return not first and extra not in (lacks[1], "all")
