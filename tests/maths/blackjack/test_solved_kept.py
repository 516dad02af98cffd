"""What is kept in the cache is keyed by all the code that makes it, and is what was worked out."""

import ast
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import houseway
from houseway.games.down_under.maths.entries import bet
from houseway.games.down_under.maths.figures import SOURCES, BetFigures, figures, games, missing
from houseway.games.down_under.maths.solver.exact import exact_value
from houseway.games.down_under.maths.solver.solve import solve
from houseway.games.down_under.maths.solver.variant import Variant
from houseway.law import DOWN_UNDER, chapter, choose
from houseway.maths.par import Asked

PACKAGE = Path(houseway.__file__).parent
ROOM = "houseway.games.down_under.maths"
LAW = chapter(DOWN_UNDER)


def file_of(module):
    return PACKAGE.joinpath(*module.split(".")[1:]).with_suffix(".py")


def imported_by(module):
    """Modules of this package that a module imports, at its top or inside a function."""
    for node in ast.walk(ast.parse(file_of(module).read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith(ROOM):
            continue
        if file_of(node.module).exists():
            yield node.module
        else:
            yield from (f"{node.module}.{one.name}" for one in node.names)


def test_the_key_covers_all_code_that_makes_the_figures():
    seen, waiting = set(), [f"{ROOM}.figures"]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += imported_by(name)
    assert seen == set(SOURCES)


@pytest.mark.slow
def test_figures_are_kept_and_read_back(tmp_path, monkeypatch):
    monkeypatch.setenv("HOUSEWAY_CACHE", str(tmp_path))
    game = Variant(decks=4, dealer_soft_22="counts_as_12")
    assert len(missing(LAW)) == 8
    made = figures(game)
    assert len(missing(LAW)) == 7
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr("houseway.games.down_under.maths.figures.work_out", _never)
    assert figures(game) == made
    assert Fraction(made.edge) == -exact_value(solve(game))
    _adds_up(made)
    monkeypatch.setattr("houseway.games.down_under.maths.entries.figures", lambda game: made)
    _is_an_entry(made)


def _never(game):
    raise AssertionError("worked out again")


def _adds_up(made: BetFigures):
    chances = [Fraction(chance) for _, _, chance in made.outcomes] + [Fraction(made.split)]
    assert sum(chances) == 1
    nets = {Fraction(won): Fraction(chance) for won, chance in made.nets}
    assert sum(nets.values()) == 1
    assert sum(won * chance for won, chance in nets.items()) == -Fraction(made.edge)
    edges = (made.edge, made.chart_edge, made.covered_edge, made.ordinary_edge)
    assert sorted(edges, key=Fraction) == list(edges)


def _is_an_entry(made):
    rules = choose(LAW, {"decks": 4})
    first, second = bet(Asked(LAW, rules), LAW.wagers["bet"])
    assert (first.columns["dealer_soft_22"], second.columns["decks"]) == ("stands", 4)
    out = second.out()
    assert Fraction(out.house_edge) == Fraction(made.edge)
    assert Fraction(out.element_of_risk) == Fraction(made.edge) / Fraction(made.staked)
    assert out.outcomes[0].outcome == "blackjack"
    assert out.outcomes[0].pays == rules.table("bet")["blackjack"].odds.text
    assert [one.strategy for one in out.strategy.alternatives] == [
        "chart", "without_the_light", "ordinary_blackjack", "up_card_alone",
        "mimic_the_dealer", "never_bust",
    ]  # fmt: skip
    assert out.strategy.data["charts"]["small"]["hard"]["20"]["A"] == "S"


def test_both_readings_are_on_every_sheet():
    assert {(game.decks, game.dealer_soft_22) for game in games(LAW)} == {
        (decks, reading) for decks in (4, 5, 6, 8) for reading in ("stands", "counts_as_12")
    }
    chosen = list(games(LAW, choose(LAW, {"decks": 8})))
    assert [(game.decks, game.dealer_soft_22) for game in chosen] == [
        (8, "stands"), (8, "counts_as_12"),
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a place that cannot be written")
def test_kernels_compile_where_their_code_cannot_be_kept():
    program = (
        "from houseway.games.down_under.maths.solver.solve import solve\n"
        "from houseway.games.down_under.maths.solver.variant import Variant\n"
        "print(solve(Variant(decks=1)).value)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "NUMBA_CACHE_DIR": "/proc/nowhere"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) == solve(Variant(decks=1)).value
