"""The package as somebody else installs it: a wheel with its data, away from the source."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_a_wheel_works_when_installed_somewhere_else(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, ROOT],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("houseway-*.whl")
    venv.create(tmp_path / "elsewhere", with_pip=False)
    python = tmp_path / "elsewhere" / "bin" / "python"
    # the dependencies are borrowed from this environment, houseway comes from the wheel alone
    site = next((tmp_path / "elsewhere" / "lib").glob("python*/site-packages"))
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", site, wheel],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    import msgspec

    (site / "borrowed.pth").write_text(str(Path(msgspec.__file__).parents[1]) + "\n")
    example = ROOT / "examples" / "md-three-card-poker.json"
    done = subprocess.run(
        [python, "-P", "-m", "houseway", "settle", example, "--json"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert '"12.B(1)(a)"' in done.stdout
    where = subprocess.run(
        [python, "-P", "-c", "import houseway; print(houseway.__file__)"],
        cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert str(site) in where.stdout
