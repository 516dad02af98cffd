"""Proofs of clauses: the tool that makes them, and what is made of its results."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from proving import code_mutants, data_mutants, page, plan

from houseway.law import CHAPTERS, MD, chapter
from houseway.law import proof as proofs
from houseway.law.coverage import report
from houseway.law.proof import Mutant, Result, inconsistent, is_enough, proof, results, seals
from houseway.law.twins import Twins, different, twins

SUPPORT = Path(plan.__file__).parents[1]

#: a function, a test that knows what it is to do, and one that only calls it
TINY = """
def pay(stake: int, limit: int) -> int:
    if stake > limit:
        raise ValueError(stake)
    return stake * 2
"""
TESTS = """
import pytest
from tiny import pay

def test_good():
    assert pay(5, 5) == 10
    assert pay(4, 5) == 8
    with pytest.raises(ValueError):
        pay(6, 5)

def test_bad():
    pay(1, 5)
"""
RUN = """
import json, os, sys
from pathlib import Path
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
import tiny
from proving import children, code_mutants, sessions
path = Path(tiny.__file__)
code_mutants.learn([path])
found = {}
for mutant in code_mutants.mutants("tiny.py:pay", path, 2):
    failed = []
    def work(say):
        mutant.apply()
        nodes = ["test_tiny.py::test_good", "test_tiny.py::test_bad"]
        sessions.run(sessions.Chosen(nodes, lambda _: True, failed.append))
        say(failed)
    found[mutant.diff] = [mutant.kind, children.run(work, 60).said[0]]
print(json.dumps(found))
"""


def test_a_test_that_asserts_nothing_is_found_out(tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text(TINY)
    (tmp_path / "test_tiny.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  slow\n  full\n")
    ran = subprocess.run(
        [sys.executable, "-c", RUN],
        cwd=tmp_path, env={"PYTHONPATH": f"{tmp_path}:{SUPPORT}", "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    found = json.loads(ran.stdout)
    kinds = [kind for kind, _ in found.values()]
    assert sorted(kinds) == ["amount", "amount", "boundary", "condition", "refusal", "result"]
    assert all("test_tiny.py::test_good" in failed for _, failed in found.values())
    noticed = {kind for kind, failed in found.values() if "test_tiny.py::test_bad" in failed}
    assert noticed == {"condition"}  # it only notices that it is refused


def test_a_changed_payout_is_read_by_everything() -> None:
    """In a process of its own, as the tool does it."""
    (mutant, *_) = [one for one in data_mutants.mutants(MD, "12.B(1)(a)") if one.kind == "payout"]
    assert '"5 to 1"' in mutant.diff
    code = (
        "from proving import data_mutants\n"
        f"one = next(m for m in data_mutants.mutants({MD!r}, '12.B(1)(a)') if m.kind == 'payout')\n"
        "from houseway.law import library\n"
        "one.apply(); library.forget()\n"
        f"print(library.chapter({MD!r}).paytables['ante_bonus', 'A']['straight_flush'].odds)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(SUPPORT)},
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    assert ran.stdout.strip() == "6 to 1"
    assert str(chapter(MD).paytables["ante_bonus", "A"]["straight_flush"].odds) == "5 to 1"


def test_every_kind_of_change_is_made() -> None:
    root = Path(proofs.__file__).parents[1]
    file = root / "table" / "procedure" / "dealing.py"
    line = next(
        number for number, text in enumerate(file.read_text().splitlines(), 1)
        if text.startswith("def count_stub(")
    )  # fmt: skip
    found = list(code_mutants.mutants("count_stub", file, line))
    assert {one.kind for one in found} >= {"condition", "refusal", "deletion"}
    assert len({one.id for one in found}) == len(found)


def entry_of(id: str, clause: str):
    return next(entry for entry in report(id).clauses if entry.clause.id == clause)


def with_result(monkeypatch: pytest.MonkeyPatch, clause: str, **fields) -> None:
    """The results of Maryland with another one for a clause."""
    entry = entry_of(MD, clause)
    told = {"state": "proved", "mutants": (Mutant("1", "payout", "x", "test"),)} | seals(entry)
    one = Result(**(told | fields))
    kept = proofs.Results(MD, chapter(MD).about.edition, proofs.METHOD, {clause: one})
    monkeypatch.setattr(proofs, "results", lambda _: kept)


def test_a_proof_holds_for_what_it_was_made_with(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = entry_of(MD, "11.C(1)")
    with_result(monkeypatch, "11.C(1)")
    found = proof(chapter(MD), entry)
    assert found is not None
    assert (found.state, found.caught) == ("proved", 1)
    for name in ("code", "tests", "data"):
        with_result(monkeypatch, "11.C(1)", **{name: "0" * 16})
        stale = proof(chapter(MD), entry)
        assert stale is not None
        assert stale.state == "stale"
    other = proof(chapter(MD), entry_of(MD, "11.B"))
    assert other is not None
    assert other.state == "not_run"


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"mutants": ()}, "is proved"),
        ({"mutants": (Mutant("1", "payout", "x", diff="-"),)}, "is proved"),
        ({"state": "survived"}, "no mutant of it did"),
        ({"state": "not_mutable", "mutants": ()}, "without a reason"),
    ],
)
def test_a_proof_that_contradicts_itself_is_a_problem(
    monkeypatch: pytest.MonkeyPatch, fields: dict[str, object], says: str
) -> None:
    with_result(monkeypatch, "11.C(1)", **fields)
    (problem,) = inconsistent(report(MD))
    assert says in problem


def test_three_of_two_kinds_or_all_that_exist() -> None:
    a, b, c, d = (Mutant(str(n), kind, "x", "test") for n, kind in enumerate("kkkl"))
    assert is_enough([a, b, d], [a, b, c, d])
    assert not is_enough([a, b, c], [a, b, c, d])
    assert not is_enough([a, d], [a, b, c, d])
    assert is_enough([a, b], [a, b])


@pytest.mark.parametrize("id", CHAPTERS)
def test_what_is_kept_is_consistent(id: str) -> None:
    assert inconsistent(report(id)) == []
    kept = results(id)
    states = [one.state for one in kept.clauses.values()] if kept else []
    assert states.count("not_mutable") <= 10


def test_the_page_of_proofs_is_up_to_date() -> None:
    """Write it anew with `script/prove`, or `python -c 'from proving import page; page.write()'`."""
    assert page.PAGE.read_text(encoding="utf-8") == page.written()


def test_twins_are_met_in_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    reports = [report(id) for id in CHAPTERS]
    known = {(one.chapter.id, entry.clause.id) for one in reports for entry in one.clauses}
    for group in twins():
        assert known.issuperset((id, key) for id, keys in group.clauses.items() for key in keys)
    assert different(reports) == []
    odd = Twins("A rule.", {MD: ("11.C(1)", "11.A(1)")})
    monkeypatch.setattr("houseway.law.twins.twins", lambda: (odd, replace(odd, differ="so it is")))
    (problem,) = different(reports)
    assert problem == (
        f"twins are met in different ways: {MD} 11.C(1) enforced; {MD} 11.A(1) prompted"
    )


SLEEPS = """
import json, sys, time
from proving import children, sessions
children.IDLE = 5.0
def sleeps(say):
    say("asleep")
    while True:
        time.sleep(0.05)
def works(say):
    began = time.process_time()
    while time.process_time() - began < 3:
        pass
    say("done")
def loops(say):
    failed = []
    nodes = ["test_loop.py::test_loop", "test_loop.py::test_after"]
    sessions.run(sessions.Chosen(nodes, lambda _: True, failed.append, limit=lambda _: 0.5))
    say(failed)
print(json.dumps([[one.ended, one.said] for one in map(children.run, (sleeps, works, loops))]))
"""
LOOP = """
def test_loop():
    while True:
        pass

def test_after():
    assert False
"""


@pytest.mark.slow
def test_what_sleeps_or_runs_on_is_ended_and_what_works_is_not(tmp_path: Path) -> None:
    (tmp_path / "test_loop.py").write_text(LOOP)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  slow\n  full\n")
    ran = subprocess.run(
        [sys.executable, "-c", SLEEPS],
        cwd=tmp_path, env={"PYTHONPATH": str(SUPPORT), "PATH": "/usr/bin:/bin",
                           "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True, text=True, check=True, timeout=600,
    )  # fmt: skip
    slept, worked, looped = json.loads(ran.stdout)
    assert slept == ["timeout", ["asleep"]]
    assert worked == [0, ["done"]]
    assert looped == [0, [["test_loop.py::test_loop", "test_loop.py::test_after"]]]


def test_no_change_is_made_in_words_or_in_turns_that_do_not_depend_on_each_other(
    tmp_path: Path,
) -> None:
    file = tmp_path / "told.py"
    file.write_text(
        "def told(seats: list[int], lines: dict[int, list[int]]) -> str:\n"
        "    for seat in seats:\n"
        "        lines[seat].append(1)\n"
        "    what = 'one of them' if seats == [1] else 'all of them'\n"
        "    return f'it was {what} of {len(seats) - 1}'\n"
        "def emitted(seats: list[int], now: list[int]) -> None:\n"
        "    for seat in seats:\n"
        "        now.append(seat)\n"
    )
    assert {one.kind for one in code_mutants.mutants("told", file, 1)} == {"deletion", "result"}
    assert "order" in {one.kind for one in code_mutants.mutants("emitted", file, 6)}
