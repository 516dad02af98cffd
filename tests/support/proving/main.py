"""The command `script/prove`."""

from __future__ import annotations

import argparse
import gc
import hashlib
import importlib
import os
import pickle
import pkgutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from houseway.errors import Refused
from houseway.law.chapter import BUILT_IN
from houseway.law.editions.numbering import is_below
from houseway.law.library import find_chapter
from houseway.law.proof import METHOD, Result, Results, path
from proving import children, code_mutants, page
from proving import plan as plans
from proving.engine import Engine, Job
from proving.notes import Notes
from proving.plan import Key, Plan

ROOT = Path(__file__).resolve().parents[3]
NOTES = ROOT / ".venv" / "prove.jsonl"
UNFINISHED = ROOT / ".venv" / "prove-all"
T = TypeVar("T")
#: the kinds of clauses that are run before the others
_FIRST = {kind: number for number, kind in enumerate(("payout", "settlement", "ranking", "wager"))}


def warm() -> None:
    """Import everything and read no chapter, so that a child's changes are seen everywhere."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    import houseway

    importlib.import_module("playwright.sync_api")  # the settings of the tests import it
    for found in pkgutil.walk_packages(houseway.__path__, "houseway."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    code_mutants.learn(Path(houseway.__path__[0]).rglob("*.py"))
    gc.collect()
    gc.freeze()


def aside(work: Callable[[], T]) -> T:
    """What a child finds out, so that this process has read no chapter."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            with os.fdopen(writing, "wb") as pipe:
                pickle.dump(work(), pipe)
            os._exit(0)
        except SystemExit as end:
            os._exit(int(end.code or 0))
        except BaseException:  # noqa: BLE001 -- the child ends here
            import traceback

            traceback.print_exc()
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read()
    _, status = os.waitpid(pid, 0)
    if not text:
        raise SystemExit(os.waitstatus_to_exitcode(status))
    found: T = pickle.loads(text)
    return found


@cache
def kept(id: str) -> Results | None:
    file = path(id)
    if not file.is_file():
        return None
    found = msgspec.json.decode(file.read_bytes(), type=Results)
    return found if found.method == METHOD else None


def fresh(plan: Plan, key: Key) -> bool:
    """Whether a result holds for the code, the tests and the data as they are."""
    found = kept(key[0])
    one = found.clauses.get(key[1]) if found else None
    if one is None:
        return False
    if (one.state == "not_mutable") != (key in plan.not_mutable):
        return False
    made = {mutant.id for mutant in plan.goals[key].data}
    for place in plan.goals[key].code:
        made.update(mutant.id for mutant in plan.cited[place].mutants)
    if not made.issuperset(mutant.id for mutant in one.mutants):  # changes that are made no more
        return False
    return all(getattr(one, name) == seal for name, seal in plan.goals[key].seals.items())


def unchanged_since(began: float) -> None:
    """Stop where a source was changed meanwhile: what was run is not what stands there."""
    for folder in ("src", "tests"):
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in (".py", ".toml") and file.stat().st_mtime > began:
                raise SystemExit(f"{file.relative_to(ROOT)} was changed while this ran; run again")


def save(plan: Plan, editions: dict[str, str], new: dict[Key, Result], began: float) -> None:
    """Put results into the files of their chapters, in the order of the text."""
    unchanged_since(began)
    for id in {key[0] for key in new}:
        before = kept(id)
        clauses = dict(before.clauses) if before else {}
        clauses |= {key[1]: result for key, result in new.items() if key[0] == id}
        order = [key[1] for key in plan.goals if key[0] == id]
        ordered = {clause: clauses[clause] for clause in order if clause in clauses}
        text = msgspec.json.encode(Results(id, editions[id], METHOD, ordered))
        file = Path(path(id))
        file.parent.mkdir(exist_ok=True)
        part = file.with_suffix(".part")
        part.write_bytes(msgspec.json.format(text, indent=1) + b"\n")
        part.replace(file)
    kept.cache_clear()


class Bar:
    """How far it is: a bar in a terminal, else a line now and then."""

    def __init__(self, what: str, total: int) -> None:
        self.what, self.total, self.done, self.told = what, total, 0, time.monotonic()
        self.began = time.monotonic()
        self.bar: Progress | None = None
        if sys.stderr.isatty():
            self.bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
            )
            self.task = self.bar.add_task(what, total=total)
            self.bar.start()

    def step(self) -> None:
        self.done += 1
        if self.bar is not None:
            self.bar.advance(self.task)
        elif time.monotonic() - self.told > 60 or self.done == self.total:
            self.told = time.monotonic()
            spent = self.told - self.began
            print(f"{self.what}: {self.done} of {self.total} in {spent:.0f} s", file=sys.stderr)

    def stop(self) -> None:
        if self.bar is not None:
            self.bar.stop()


def in_parallel(
    processes: int, jobs: Iterator[tuple[Any, children.Child]], end: Callable[[Any, Any], None]
) -> None:
    """Keep as many children going as there are processes to be used."""
    running: dict[int, tuple[Any, children.Child]] = {}
    try:
        while True:
            while len(running) < processes:
                found = next(jobs, None)
                if found is None:
                    break
                running[found[1].pid] = found
            if not running:
                return
            for child in children.wait([child for _, child in running.values()]):
                job, _ = running.pop(child.pid)
                end(job, child)
    finally:
        for _, child in running.values():
            children.stop(child)


def prove(
    engine: Engine, wanted: list[Key], editions: dict[str, str], processes: int, began: float
) -> None:
    """Run what is left of these clauses, and save what comes out clause by clause."""
    plan = engine.plan
    files = engine.unknown_tests([plan.goals[key] for key in wanted])
    bar = Bar("tests as they are", len(files))

    def watched() -> Iterator[tuple[Any, children.Child]]:
        for tests in files.values():
            yield tests, children.start(engine.watch(tests), 1200, engine.cache)

    def after_watching(tests: Any, child: children.Child) -> None:
        engine.note_tests(tests, child)
        bar.step()

    in_parallel(processes, watched(), after_watching)
    bar.stop()
    scope = set(wanted)
    bar = Bar("clauses", len(wanted))
    new: dict[Key, Result] = {}
    saved = time.monotonic()
    open_jobs: dict[str, int] = {}

    def jobs() -> Iterator[tuple[Any, children.Child]]:
        nonlocal saved
        waiting: list[Key] = []
        for key in wanted:
            for mutant in engine.mutants(key):
                if mutant.id in open_jobs:
                    continue
                job = engine.job(mutant, scope, key)
                if job is not None:
                    open_jobs[mutant.id] = 1
                    yield job, engine.start(job)
            waiting.append(key)
            for one in list(waiting):
                if not any(mutant.id in open_jobs for mutant in engine.mutants(one)):
                    waiting.remove(one)
                    new[one] = engine.conclude(one)
                    bar.step()
            if time.monotonic() - saved > 30:
                save(plan, editions, new, began)
                saved = time.monotonic()

    def after(job: Job, child: children.Child) -> None:
        engine.note(job, child)
        del open_jobs[job.mutant.id]

    try:
        in_parallel(processes, jobs(), after)
        for key in wanted:
            if key not in new:
                new[key] = engine.conclude(key)
                bar.step()
    finally:
        save(plan, editions, new, began)
        bar.stop()


def chosen(plan: Plan, names: list[str]) -> list[Key]:
    """The clauses that are asked for: CHAPTER, or CHAPTER CLAUSE."""
    if not names:
        return list(plan.goals)
    id = aside(lambda: _chapter(names[0]))
    found = [key for key in plan.goals if key[0] == id]
    for name in names[1:]:
        if not any(is_below(key[1], name) for key in found):
            raise _wrong(f"{id} has no enforced or computed clause {name!r}")
    if len(names) > 1:
        found = [key for key in found if any(is_below(key[1], name) for name in names[1:])]
    return found


def _chapter(typed: str) -> str:
    try:
        return find_chapter(typed)
    except Refused as error:
        raise _wrong(error.message) from None


def _wrong(message: str) -> SystemExit:
    """The call is wrong: one line that says what, and the status for that."""
    print(f"script/prove: {message}", file=sys.stderr)
    return SystemExit(2)


def tree_hash() -> int:
    """A number that the commit's files decide."""
    told = subprocess.run(
        ["git", "rev-parse", "HEAD^{tree}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return int(hashlib.sha256(told.stdout.encode()).hexdigest(), 16)


def _editions() -> dict[str, str]:
    from houseway.law.library import chapter

    return {id: chapter(id).about.edition for id in BUILT_IN}


def summary(plan: Plan) -> None:
    for id in BUILT_IN:
        found, keys = kept(id), [key for key in plan.goals if key[0] == id]
        states: dict[str, int] = {}
        for key in keys:
            one = found.clauses.get(key[1]) if found else None
            state = "not_run" if one is None else one.state if fresh(plan, key) else "stale"
            states[state] = states.get(state, 0) + 1
        print(f"{id}: {', '.join(f'{count} {name}' for name, count in sorted(states.items()))}")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="script/prove",
        description="Break what meets a clause, in several ways, and see whether a test notices.",
    )
    parser.add_argument("names", nargs="*", metavar="CHAPTER [CLAUSE]", help="only these")
    parser.add_argument(
        "--changed", action="store_true", help="what has no result that holds (the default)"
    )
    parser.add_argument(
        "--all", action="store_true", help="everything again; goes on where it was stopped"
    )
    parser.add_argument(
        "--sample", type=float, metavar="SECONDS", help="some recorded mutants again"
    )
    parser.add_argument("--show", action="store_true", help="run nothing; show what survived")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # children end with it
    os.chdir(ROOT)
    began = time.time()
    warm()
    tallies = ROOT / ".venv" / "prove-tallies"
    tallies.mkdir(parents=True, exist_ok=True)
    plan = aside(plans.make)
    wanted = chosen(plan, given.names)
    if given.sample is not None:
        from proving.sample import sample

        return sample(plan, given.sample, tree_hash(), tallies)
    if given.show:
        for key in wanted:
            found = kept(key[0])
            one = found.clauses.get(key[1]) if found else None
            if one is not None and one.state == "survived":
                print(f"\n{key[0]} {key[1]}: {one.reason}")
                for mutant in one.mutants:
                    if not mutant.test:
                        print(f"  {mutant.id} {mutant.kind} {mutant.place}\n{mutant.diff}")
        summary(plan)
        return 0
    notes = Notes(NOTES)
    if given.all:
        if not UNFINISHED.exists():
            notes.forget()
            UNFINISHED.touch()
    else:
        wanted = [key for key in wanted if not fresh(plan, key)]
    wanted.sort(key=lambda key: _FIRST.get(plan.goals[key].kind, len(_FIRST)))
    engine = Engine(plan, notes, tallies)
    prove(engine, wanted, aside(_editions), max(1, given.processes), began)
    if given.all:
        UNFINISHED.unlink(missing_ok=True)
    aside(page.write)
    summary(plan)
    return 0
