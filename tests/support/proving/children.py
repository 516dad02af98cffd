"""Children of a warm process: each begins where the parent stands, does one thing and is gone.

The parent has imported everything and read no chapter, so what a child changes is seen by
everything that the child does, and by nothing else.
"""

from __future__ import annotations

import json
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: what a child says, one JSON value at a time
Say = Callable[[Any], None]

#: memory that a broken function may ask for
_MEMORY = 6 << 30
#: seconds in which a child may do nothing at all, although a processor is free for it: one that
#: sleeps or waits for ever uses no processor time
IDLE = 30.0
#: the same where the system does not tell how long a process waits for a processor
_IDLE_UNTOLD = 900.0


class Idle:
    """How long a process and all that it started did nothing, though they could have.

    Time in which one of them runs, or waits for a processor that others use, does not count, so a
    loaded machine makes nobody idle.
    """

    def __init__(self, session: int) -> None:
        self.session, self.seconds = session, 0.0
        self.limit = IDLE if Path("/proc/self/schedstat").exists() else _IDLE_UNTOLD
        self.looked, self.used = time.monotonic(), dict[str, float]()

    def is_over(self) -> bool:
        """Whether the time is up; looks at the processes once a second at most."""
        passed = time.monotonic() - self.looked
        if passed >= 1:
            now = dict(self._use()) if self.limit == IDLE else {}
            busy = sum(seconds - self.used.get(task, 0.0) for task, seconds in now.items())
            self.seconds += max(0.0, passed - busy)
            self.looked, self.used = self.looked + passed, now
        return self.seconds > self.limit

    def _use(self) -> Iterator[tuple[str, float]]:
        """Of every thread of the session, the seconds that it ran or waited for a processor."""
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError, ValueError, IndexError):
                told = (process / "stat").read_text(errors="replace").rpartition(")")[2].split()
                if int(told[3]) != self.session:
                    continue
                for task in (process / "task").iterdir():
                    ran, waited, _ = (task / "schedstat").read_text().split()
                    yield str(task), (int(ran) + int(waited)) / 1e9


@dataclass
class Child:
    """A running child, what it said so far, and where it keeps its files."""

    pid: int
    pipe: int
    scratch: Path
    idle: Idle
    text: bytes = b""
    said: list[Any] = field(default_factory=list)
    #: how it ended: its exit code, or "timeout"
    ended: int | str | None = None


def start(work: Callable[[Say], None], cpu: int, cache: Path | None = None) -> Child:
    """Begin a child; `cpu` is the processor time that it may use, in seconds.

    One that uses no processor time ends after `IDLE` seconds.
    """
    scratch = Path(tempfile.mkdtemp(prefix="prove-"))
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        _be_child(work, writing, cpu, scratch, cache)
    os.close(writing)
    return Child(pid, reading, scratch, Idle(pid))


def _be_child(
    work: Callable[[Say], None], pipe: int, cpu: int, scratch: Path, cache: Path | None
) -> None:
    code = 1
    try:
        os.setsid()
        quiet = os.open(scratch / "output", os.O_CREAT | os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        os.environ["TMPDIR"] = str(scratch)
        tempfile.tempdir = str(scratch)
        if cache is not None:
            # tallies are moved to their place when they are whole, so links are never written to
            own = scratch / "tallies"
            own.mkdir()
            for file in cache.glob("*.json"):
                os.link(file, own / file.name)
            os.environ["HOUSEWAY_CACHE"] = str(own)

        def say(value: Any) -> None:
            os.write(pipe, json.dumps(value).encode() + b"\n")

        work(say)
        code = 0
    except BaseException:  # noqa: BLE001 -- whatever it is, the child ends here
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def wait(children: list[Child], seconds: float = 1.0) -> list[Child]:
    """Read what children say for a while, and return those that have ended."""
    found, _, _ = select.select([child.pipe for child in children], [], [], seconds)
    ended = []
    for child in children:
        if child.pipe in found:
            part = os.read(child.pipe, 1 << 16)
            child.text += part
            if not part:
                _reap(child)
                ended.append(child)
                continue
        if child.idle.is_over():
            child.ended = "timeout"
            _reap(child)
            ended.append(child)
    return ended


def _reap(child: Child) -> None:
    """The end of a child, and of everything that it started."""
    if child.ended is None:
        _, status = os.waitpid(child.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        child.ended = "timeout" if code in (-signal.SIGXCPU, -signal.SIGKILL) else code
    _kill_group(child.pid)
    if child.ended == "timeout":
        with suppress(ChildProcessError):
            os.waitpid(child.pid, 0)
    os.close(child.pipe)
    child.said = [json.loads(line) for line in child.text.splitlines()]
    if child.ended not in (0, "timeout"):
        output = child.scratch / "output"
        child.said.append({"output": output.read_text(errors="replace")[-2000:]})
    shutil.rmtree(child.scratch, ignore_errors=True)


def stop(child: Child) -> None:
    """End a child before its time."""
    child.ended = "timeout"
    _reap(child)


def _kill_group(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def run(work: Callable[[Say], None], cpu: int = 3600) -> Child:
    """One child to its end."""
    child = start(work, cpu)
    while child.ended is None:
        wait([child])
    return child
