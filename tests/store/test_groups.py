"""Appends in groups against the obvious twin: the same appends one after another, in memory."""

from __future__ import annotations

from itertools import count

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from houseway.store import Conflict, New, Write
from houseway.store.backends.memory import MemoryLog
from houseway.store.event import checked
from houseway.store.verify import verify

NOON = "2026-03-01T12:00:00Z"
#: for each stream of an append: how far off the version expected is, and how many events
BATCH = st.dictionaries(
    st.integers(0, 3),
    st.tuples(st.sampled_from([0, 0, 0, 0, 1, -1]), st.integers(1, 3)),
    min_size=1,
)
TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=12)
_examples = count()


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.lists(BATCH, min_size=1, max_size=5), max_size=4), TEXTS)
def test_a_group_is_what_its_appends_are_one_after_another(log, groups, words) -> None:
    example, twin = next(_examples), MemoryLog()
    for group in groups:
        batches, expected = [], []
        for batch in group:
            writes = []
            for number, (off, events) in batch.items():
                stream = f"s{example}/{number}"
                new = tuple(New("said", {"n": n, "words": words}, "x", NOON) for n in range(events))
                writes.append(Write(stream, max(0, twin.head(stream).version + off), new))
            batches.append(checked(*writes))
            try:
                expected.append(twin.append(*writes))
            except Conflict as conflict:
                expected.append(conflict)
        found = log.append_all(batches)
        for one, other in zip(found, expected, strict=True):
            if isinstance(other, Conflict):
                assert isinstance(one, Conflict)
                assert (one.stream, one.expected, one.actual) == (
                    other.stream, other.expected, other.actual,
                )  # fmt: skip
            else:
                assert one == other
    prefix = f"s{example}/"
    assert log.heads(prefix=prefix) == twin.heads(prefix=prefix)
    for stream in twin.heads():
        assert list(log.read(stream)) == list(twin.read(stream))


def test_the_chain_of_many_groups_is_unbroken(log) -> None:
    for version in range(5):
        log.append_all(
            [
                checked(Write(f"t{n}", version, (New("said", {"n": n}, "x", NOON),)))
                for n in range(20)
            ]
        )
    assert verify(log).unbroken
    assert {head.version for head in log.heads(prefix="t").values()} == {5}
