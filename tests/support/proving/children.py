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
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: what a child says, one JSON value at a time
Say = Callable[[Any], None]

#: memory that a broken function may ask for
_MEMORY = 6 << 30
#: a child that waits for ever uses no processor time; this many seconds of the clock end it too
_CLOCK = 600


@dataclass
class Child:
    """A running child, what it said so far, and where it keeps its files."""

    pid: int
    pipe: int
    scratch: Path
    ends: float
    text: bytes = b""
    said: list[Any] = field(default_factory=list)
    #: how it ended: its exit code, or "timeout"
    ended: int | str | None = None


def start(work: Callable[[Say], None], cpu: int, cache: Path | None = None) -> Child:
    """Begin a child; `cpu` is the processor time that it may use, in seconds."""
    scratch = Path(tempfile.mkdtemp(prefix="prove-"))
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        _be_child(work, writing, cpu, scratch, cache)
    os.close(writing)
    return Child(pid, reading, scratch, time.monotonic() + _CLOCK + cpu)


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
        if time.monotonic() > child.ends:
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
