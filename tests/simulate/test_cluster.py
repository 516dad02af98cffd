"""A real scheduler and two real workers, one of them killed in the middle of a run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from houseway.errors import Refused
from houseway.law import SAIGON, choose
from houseway.simulate.plan import plan_of
from houseway.simulate.runner import Threads, run

pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


def _scheduler(tmp_path):
    """`dask scheduler` and two `dask worker` processes, as an operator would start them."""
    where = tmp_path / "scheduler.json"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def started(*command):
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli." + command[0], *command[1:]],
            env=environment,
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    scheduler = started(
        "dask_scheduler", "--scheduler-file", str(where), "--port", "0", "--no-dashboard",
        "--host", "127.0.0.1",
    )  # fmt: skip
    workers = [
        started(
            "dask_worker", "--scheduler-file", str(where), "--nthreads", "1", "--no-nanny",
            "--no-dashboard", "--host", "127.0.0.1",
        )
        for _ in range(2)
    ]  # fmt: skip
    return scheduler, workers, where


def test_a_worker_that_dies_loses_nothing_but_its_block(tmp_path):
    import json

    from houseway.simulate.cluster import Cluster

    plan = plan_of(choose(SAIGON, {"bonus": "A"}), players=6)
    rounds = 9 * (1 << 20) + 123
    scheduler, workers, where = _scheduler(tmp_path)
    cluster = None
    try:
        deadline = time.monotonic() + 60
        while not where.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        cluster = Cluster(json.loads(where.read_text())["address"])
        while cluster.count < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert cluster.count == 2
        killed = []

        def kill_one(progress):
            if not killed:
                workers[0].send_signal(signal.SIGKILL)
                workers[0].wait()
                killed.append(progress.rounds)

        tally = run(plan, rounds, workers=cluster, progress=kill_one)
        assert killed
        assert killed[0] < rounds
        assert workers[0].returncode == -signal.SIGKILL
    finally:
        if cluster is not None:
            cluster.close()
        for process in (*workers, scheduler):
            if process.poll() is None:
                process.terminate()
                process.wait(20)
    assert tally.encode() == run(plan, rounds, workers=Threads(2)).encode()


def test_no_scheduler_is_one_sentence():
    from houseway.simulate import cluster

    with pytest.raises(Refused) as refusal:
        cluster.Cluster("tcp://127.0.0.1:1", wait=1)
    assert refusal.value.code == "no_such_cluster"
