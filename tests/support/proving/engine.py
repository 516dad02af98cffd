"""Break, run, note, conclude."""

from __future__ import annotations

import builtins
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from houseway.law.proof import ENOUGH, KINDS, Mutant, Result, is_enough, results
from proving import children, code_mutants, sessions
from proving.children import Child, Say
from proving.code_mutants import CodeMutant
from proving.data_mutants import DataMutant
from proving.notes import Notes, caught_key, functions_seal, mutant_key, test_key
from proving.plan import Goal, Key, Plan, Test

AnyMutant = CodeMutant | DataMutant
#: processor seconds: of tests that take longer together than this, only the shortest are run
_PATIENCE = 40.0
#: a test may take as many times what it takes otherwise, and this many seconds; all together twice
_TIMES, _MORE = 3, 3


@dataclass
class Job:
    """One mutant, and tests with the clauses that they answer for.

    Of `wanted` every clause is to answer; `others` are asked until one of all tests has noticed.
    """

    mutant: AnyMutant
    wanted: dict[str, set[Key]]
    others: dict[str, set[Key]]
    seconds: float


def _hints(plan: Plan) -> dict[str, set[str]]:
    """The tests that noticed a mutant when it was run before, whether that still holds or not."""
    found: dict[str, set[str]] = defaultdict(set)
    for id in {key[0] for key in plan.goals}:
        kept = results(id)
        for one in kept.clauses.values() if kept else ():
            for mutant in one.mutants:
                if mutant.test:
                    found[mutant.id].add(mutant.test)
    return found


class Engine:
    """Everything that is known about a plan, and what is still to be run."""

    def __init__(self, plan: Plan, notes: Notes, cache: Path) -> None:
        self.plan, self.notes, self.cache = plan, notes, cache
        self.functions = functions_seal(plan)
        self.hashes = {place: one.hash[:16] for place, one in plan.cited.items()}
        if notes.get("functions", self.functions) is None:
            notes.keep(self.hashes, "functions", self.functions)
        self.hints = _hints(plan)
        self.all_tests = plan.tests()
        self._with_enough: set[Key] = set()
        self.places = {test.node: place for place, test in self.all_tests.items()}

    # what the tests do while nothing is broken

    def known(self, test: Test, places: Iterable[str] = ()) -> dict[str, Any] | None:
        """What is known of a test, if what it reaches of these functions is."""
        found: dict[str, Any] | None = self.notes.get(*test_key(test))
        if found is None:
            return None
        then = self.notes.get("functions", found["functions"]) or {}
        same = all(then.get(place) == self.hashes[place] for place in places)
        return found if same else None

    def unknown_tests(self, goals: Iterable[Goal]) -> dict[str, list[Test]]:
        """The tests of these clauses, and of those that share code with them, by file."""
        by_file: dict[str, dict[str, Test]] = defaultdict(dict)
        for goal in goals:
            for key in self._around(goal):
                for test in self.plan.goals[key].tests:
                    if self.known(test, goal.code) is None:
                        by_file[test.node.partition("::")[0]][test.place] = test
        return {file: list(tests.values()) for file, tests in sorted(by_file.items())}

    def _around(self, goal: Goal) -> set[Key]:
        found = {goal.key}
        for place in goal.code:
            found |= self.plan.cited[place].clauses
        return found

    def watch(self, tests: list[Test]) -> Callable[[Say], None]:
        """Run tests as they are, and say what each takes and reaches."""

        def work(say: Say) -> None:
            seen: set[tuple[str, str]] = set()
            setattr(builtins, code_mutants.PROBE, lambda *told: seen.add(told))
            for place, cited in self.plan.cited.items():
                for path, line in {(mutant.path, mutant.line) for mutant in cited.mutants}:
                    code_mutants.watch(place, path, line)
            lasted: dict[str, float] = defaultdict(float)
            reached: dict[str, set[tuple[str, str]]] = defaultdict(set)
            bad: set[str] = set()

            def done(node: str, seconds: float, failed: bool) -> None:
                lasted[node] += seconds
                reached[node] |= seen
                seen.clear()
                if failed:
                    bad.add(node)

            at_import: set[tuple[str, str]] = set()

            def began(_: str) -> None:
                if not lasted:  # what the module works out for all its tests
                    at_import.update(seen)

            nodes = [test.node for test in tests]
            sessions.run(sessions.Chosen(nodes, lambda _: True, bad.add, began, done))
            for test in tests:
                lines: dict[str, list[str]] = defaultdict(list)
                for place, line in sorted(reached[test.node] | at_import):
                    lines[place].append(line)
                say(
                    {
                        "place": test.place,
                        "seconds": round(lasted[test.node], 3),
                        "passes": test.node in lasted and test.node not in bad,
                        "reaches": lines,
                    }
                )

        return work

    def note_tests(self, tests: list[Test], child: Child) -> None:
        told = {one["place"]: one for one in child.said if "place" in one}
        for test in tests:
            found = told.get(test.place, {"seconds": 0.0, "passes": False, "reaches": {}})
            kept = {name: found[name] for name in ("seconds", "passes", "reaches")}
            self.notes.keep(kept | {"functions": self.functions}, *test_key(test))

    def _passing(self, key: Key) -> list[Test]:
        return [
            test
            for test in self.plan.goals[key].tests
            if (found := self.known(test)) is not None and found["passes"]
        ]

    def _reaches(self, test: Test, mutant: CodeMutant) -> bool:
        found = self.known(test, [mutant.place])
        if found is None or not found["passes"]:
            return False
        return mutant.statement in found["reaches"].get(mutant.place, ())

    def reached(self, key: Key, mutant: CodeMutant) -> bool:
        return any(self._reaches(test, mutant) for test in self.plan.goals[key].tests)

    # mutants

    def source(self, mutant: AnyMutant) -> str:
        if isinstance(mutant, CodeMutant):
            return self.plan.cited[mutant.place].hash[:16]
        return "data"

    def outcome(self, mutant: AnyMutant, key: Key) -> str | None:
        """The test of a clause that noticed a mutant; empty: none did; None: it was not run."""
        if isinstance(mutant, CodeMutant) and not self.reached(key, mutant):
            return ""
        goal, source = self.plan.goals[key], self.source(mutant)
        place, hash = self.notes.get(*caught_key(mutant.id, source, key)) or ("", "")
        if any((test.place, test.hash[:16]) == (place, hash) for test in goal.tests):
            return str(place)
        found: str | None = self.notes.get(*mutant_key(mutant.id, source, key, goal.seals["tests"]))
        return found

    def job(self, mutant: AnyMutant, scope: set[Key], home: Key) -> Job | None:
        """What is left to be run of a mutant."""
        if isinstance(mutant, DataMutant):
            keys, others = {home}, set[Key]()
            if self.outcome(mutant, home) is not None:
                return None
        else:
            belongs = {
                key: self.plan.belongs(mutant, key) for key in self.plan.cited[mutant.place].clauses
            }
            if belongs[home] == "other":
                return None
            left = {key for key in belongs if self.outcome(mutant, key) is None}
            # a clause with enough changes of its own needs no more that others answer for
            keys = {
                key
                for key in left & scope
                if belongs[key] == "own" or (belongs[key] == "shared" and not self._enough(key))
            }
            others = left - keys
            if not keys and (not others or self.helped(mutant)):
                return None
        likely = self.hints.get(mutant.id, ())
        wanted, seconds = self._quickest(self._answering(mutant, keys), likely)
        helping, more = self._quickest(self._answering(mutant, others), likely)
        helping = {place: keys for place, keys in helping.items() if place not in wanted}
        return Job(mutant, wanted, helping, seconds + more)

    def _answering(self, mutant: AnyMutant, keys: Iterable[Key]) -> dict[str, set[Key]]:
        """The tests that can notice a mutant for these clauses."""
        found: dict[str, set[Key]] = defaultdict(set)
        for key in keys:
            for test in self._passing(key):
                if isinstance(mutant, DataMutant) or self._reaches(test, mutant):
                    found[test.place].add(key)
        return found

    def _enough(self, key: Key) -> bool:
        """Whether the clause's own tests have noticed as many changes as a proof asks for."""
        if key not in self._with_enough:
            kinds = [mutant.kind for mutant in self.mutants(key) if self.outcome(mutant, key)]
            if len(kinds) >= ENOUGH and len(set(kinds)) >= KINDS:
                self._with_enough.add(key)
        return key in self._with_enough

    def _quickest(
        self, places: dict[str, set[Key]], likely: Collection[str]
    ) -> tuple[dict[str, set[Key]], float]:
        """The tests that are asked: those that noticed before, then the shortest."""
        took = sorted(
            (
                place not in likely,
                float((self.known(self.all_tests[place]) or {})["seconds"]),
                place,
            )
            for place in places
        )
        found: dict[str, set[Key]] = {}
        seconds = 0.0
        for _, lasted, place in took:
            if found and seconds + lasted > _PATIENCE:
                break
            found[place] = places[place]
            seconds += lasted
        return found, seconds

    def start(self, job: Job) -> Child:
        """Break it in a child and run the tests there."""
        nodes = {self.all_tests[place].node: keys for place, keys in job.wanted.items()}
        helping = {self.all_tests[place].node for place in job.others}

        def work(say: Say) -> None:
            job.mutant.apply()
            open_keys = set().union(*nodes.values()) if nodes else set()
            caught = False

            def needed(node: str) -> bool:
                if node in nodes:
                    return bool(nodes[node] & open_keys)
                return node in helping and not caught

            def failed(node: str) -> None:
                nonlocal caught
                caught = True
                open_keys.difference_update(nodes.get(node, ()))
                say({"failed": node})

            say({"began": ""})
            order = [*nodes, *(node for node in helping if node not in nodes)]
            sessions.run(
                sessions.Chosen(
                    order, needed, failed, lambda node: say({"began": node}), limit=self._limit
                )
            )
            say({"ended": True})

        return children.start(work, int(2 * _TIMES * job.seconds + 20), self.cache)

    def _limit(self, node: str) -> float:
        known = self.known(self.all_tests[self.places[node]]) or {"seconds": 0.0}
        return _TIMES * float(known["seconds"]) + _MORE

    def note(self, job: Job, child: Child) -> None:
        """What a child found. A test that did not come to its end has noticed, too."""
        failed = {one["failed"] for one in child.said if "failed" in one}
        if not any("ended" in one for one in child.said):
            began = [one["began"] for one in child.said if one.get("began")]
            if began:
                failed.add(began[-1])
            elif child.ended == "timeout":  # it did not even come to a test
                failed |= {self.all_tests[place].node for place in (*job.wanted, *job.others)}
            else:
                raise RuntimeError(f"{job.mutant.place}: {child.ended} {child.said[-1:]}")
        by_key: dict[Key, str] = {key: "" for keys in job.wanted.values() for key in keys}
        if not failed:  # then all of them were asked
            by_key |= {key: "" for keys in job.others.values() for key in keys}
        for place, keys in (job.wanted | job.others).items():
            if self.all_tests[place].node in failed:
                for key in keys:
                    by_key[key] = by_key.get(key) or place
        for key, test in by_key.items():
            self._keep(job.mutant, key, test)

    def _keep(self, mutant: AnyMutant, key: Key, test: str) -> None:
        source = self.source(mutant)
        if test:
            hash = self.all_tests[test].hash[:16]
            self.notes.keep([test, hash], *caught_key(mutant.id, source, key))
        else:
            tests = self.plan.goals[key].seals["tests"]
            self.notes.keep("", *mutant_key(mutant.id, source, key, tests))

    def helped(self, mutant: CodeMutant) -> bool:
        """Whether the tests of another clause that the function cites noticed."""
        return any(self.outcome(mutant, key) for key in self.plan.cited[mutant.place].clauses)

    # conclusions

    def mutants(self, key: Key) -> Iterator[AnyMutant]:
        goal = self.plan.goals[key]
        yield from goal.data
        for place in goal.code:
            yield from self.plan.cited[place].mutants

    def conclude(self, key: Key) -> Result:
        """What the outcomes of a clause's mutants come to."""
        goal = self.plan.goals[key]

        def result(state: str, mutants: Iterable[Mutant] = (), reason: str = "") -> Result:
            listed = tuple(sorted(mutants, key=lambda one: (one.place, one.kind, one.id)))
            return Result(state, **goal.seals, mutants=listed, reason=reason)  # type: ignore[arg-type]

        if key in self.plan.not_mutable:
            return result("not_mutable", reason=self.plan.not_mutable[key])
        failing = [test.place for test in goal.tests if not (self.known(test) or {}).get("passes")]
        if failing and not self._passing(key):
            return result("survived", reason=f"{failing[0]} does not pass by itself")
        caught, survived, there = [], [], []
        for mutant in self.mutants(key):
            found = self._found(mutant, key)
            if found is None:
                continue
            there.append(found)
            if found.test:
                caught.append(found)
            elif self._survives(mutant, key):
                survived.append(found)
        if not there:
            why = "no code cites it and no data names it"
            if goal.code:
                why = "no test that cites it reaches the code that cites it"
            return result("survived", reason=why)
        if survived:
            return result("survived", [*caught, *survived])
        if not is_enough(caught, there):
            why = f"its own tests notice {len(caught)} of {len(there)} changes"
            return result("survived", caught, why)
        return result("proved", caught)

    def _found(self, mutant: AnyMutant, key: Key) -> Mutant | None:
        """A mutant with what noticed it; none where it is not this clause's."""
        if isinstance(mutant, CodeMutant):
            belongs = self.plan.belongs(mutant, key)
            if belongs == "other":
                return None
            if belongs == "shared" and not self.reached(key, mutant):
                return None
        test = self.outcome(mutant, key) or ""
        return Mutant(mutant.id, mutant.kind, mutant.place, test, "" if test else mutant.diff)

    def _survives(self, mutant: AnyMutant, key: Key) -> bool:
        if isinstance(mutant, DataMutant) or self.plan.belongs(mutant, key) == "own":
            return True
        return not self.helped(mutant)
