"""Run chosen tests inside this process, and say which of them fail."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Sequence

import pytest
from hypothesis import Phase, settings

#: what of pytest is not needed, and what only warns because the parent has imported it already
ARGUMENTS = (
    "-p", "no:cacheprovider", "-p", "no:logging", "-p", "no:junitxml", "-p", "no:doctest",
    "-m", "not slow and not full", "--tb=no", "-W", "ignore::pytest.PytestAssertRewriteWarning",
)  # fmt: skip


class Chosen:
    """Runs the tests in the order given, as long as `needed` says that their answer is."""

    def __init__(
        self,
        order: Sequence[str],
        needed: Callable[[str], bool],
        failed: Callable[[str], None],
        began: Callable[[str], None] = lambda _: None,
        done: Callable[[str, float, bool], None] = lambda *_: None,
        limit: Callable[[str], float] = lambda _: 0.0,
    ) -> None:
        self.place = {node: number for number, node in enumerate(order)}
        self.needed, self.failed, self.began, self.done = needed, failed, began, done
        #: processor seconds after which a test fails; 0: never
        self.limit = limit
        self.fails: set[str] = set()

    def pytest_sessionstart(self) -> None:
        signal.signal(signal.SIGPROF, _too_long)
        # a failing example is enough; the smallest one is for people
        quick = [Phase.explicit, Phase.reuse, Phase.generate]
        settings.register_profile("prove", settings.default, phases=quick, database=None)
        settings.load_profile("prove")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self.place.get(node_of(item.nodeid), len(self.place)))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:  # the module cannot even be imported: all its tests fail
            for node in self.place:
                if node.startswith(f"{report.nodeid}::") or node == report.nodeid:
                    self.failed(node)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = session.items
        for number, item in enumerate(items):
            node = node_of(item.nodeid)
            if not self.needed(node):
                continue
            session._setupstate.teardown_exact(item)
            self.began(node)
            began = time.process_time()
            following = next(
                (one for one in items[number + 1 :] if self.needed(node_of(one.nodeid))), None
            )
            # once the time is up, again and again, should somebody catch it
            signal.setitimer(signal.ITIMER_PROF, self.limit(node), 1.0)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            signal.setitimer(signal.ITIMER_PROF, 0)
            self.done(node, time.process_time() - began, item.nodeid in self.fails)
        session._setupstate.teardown_exact(None)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # what a fixture of the whole session finds at its end is no matter of the last test
        if report.failed and report.when != "teardown":
            self.fails.add(report.nodeid)
            self.failed(node_of(report.nodeid))
        elif report.skipped:
            self.fails.add(report.nodeid)  # nor is a skipped test a proof


def _too_long(*_: object) -> None:
    pytest.fail("it takes too long")


def node_of(nodeid: str) -> str:
    """The test function of a test with its parameters."""
    return nodeid.partition("[")[0]


def run(chosen: Chosen) -> int:
    return int(pytest.main([*ARGUMENTS, *chosen.place], plugins=[chosen]))
