"""Some recorded mutants again: what was noticed once must be noticed still."""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from houseway.law.proof import Mutant
from proving import children, sessions
from proving.children import Child, Say
from proving.engine import AnyMutant
from proving.plan import Key, Plan

#: processor seconds for one test, and for all that a child does; one that takes longer has noticed
_TEST, _LIMIT = 10, 60


def recorded(plan: Plan) -> list[tuple[Key, Mutant, AnyMutant]]:
    """Every mutant of a proved clause whose result holds, with what was recorded of it."""
    from proving.main import fresh, kept

    found = []
    for key, goal in plan.goals.items():
        results = kept(key[0])
        one = results.clauses.get(key[1]) if results else None
        if one is None or one.state != "proved" or not fresh(plan, key):
            continue
        made: dict[str, AnyMutant] = {mutant.id: mutant for mutant in goal.data}
        for place in goal.code:
            made |= {mutant.id: mutant for mutant in plan.cited[place].mutants}
        found += [(key, told, made[told.id]) for told in one.mutants if told.id in made]
    return found


def sample(plan: Plan, seconds: float, seed: int, cache: Path) -> int:
    """Run recorded mutants in an order that the seed decides, until the time is up."""
    tests = plan.tests()
    found = recorded(plan)
    random.Random(seed).shuffle(found)
    ends = time.monotonic() + seconds
    done, missed = 0, []
    for key, told, mutant in found:
        nodes = [tests[told.test].node]
        noticed = _noticed(nodes, mutant, cache, ends)
        if noticed is False:
            # the one that noticed may draw other examples here than where it was recorded
            nodes = [test.node for test in plan.goals[key].tests]
            noticed = _noticed(nodes, mutant, cache, time.monotonic() + seconds)
        if noticed is False:
            missed.append(f"{key[0]} {key[1]}: {told.test} does not notice\n{mutant.diff}")
        done += noticed is not None
        if time.monotonic() > ends:
            break
    for one in missed:
        print(one, file=sys.stderr)
    print(f"{done} of {len(found)} recorded mutants again: {len(missed)} not noticed")
    return 1 if missed else 0


def _noticed(nodes: list[str], mutant: AnyMutant, cache: Path, ends: float) -> bool | None:
    """Whether a test notices; None where the time was up first, or the tests cannot be run here."""
    failed: list[str] = []
    passed: list[str] = []

    def done(node: str, _seconds: float, bad: bool) -> None:
        if not bad:
            passed.append(node)

    def work(say: Say) -> None:
        mutant.apply()
        chosen = sessions.Chosen(
            nodes, lambda _: not failed, failed.append, done=done, limit=lambda _: _TEST
        )
        sessions.run(chosen)
        say({"failed": bool(failed), "passed": bool(passed)})

    child: Child = children.start(work, _LIMIT, cache)
    while child.ended is None:
        if time.monotonic() > ends:
            children.stop(child)
            return None
        children.wait([child])
    told = {"failed": True} if not child.said else child.said[0]
    return bool(told.get("failed", True)) or (False if told.get("passed") else None)
