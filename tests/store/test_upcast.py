"""Old shapes of events stay readable, through steps that are written down."""

from __future__ import annotations

import pytest
from writing import NOON

from houseway.errors import Refused
from houseway.store import New, Write
from houseway.store.backends.memory import MemoryLog
from houseway.store.upcast import Schemas

SCHEMAS = Schemas()


@SCHEMAS.step("bet", 1)
def _(body):
    return {"cents": body["dollars"] * 100}


@SCHEMAS.step("bet", 2, renamed="wager_placed")
def _(body):
    return {**body, "wager": "ante"}


def _read(kind: str, body, schema: int):
    log = MemoryLog()
    (event,) = log.append(Write("t", 0, (New(kind, body, "x", NOON, schema),)))
    return SCHEMAS.read(event)


def test_every_older_shape_reads_as_the_newest() -> None:
    newest = ("wager_placed", {"cents": 500, "wager": "ante"})
    assert _read("bet", {"dollars": 5}, 1) == newest
    assert _read("bet", {"cents": 500}, 2) == newest
    assert _read("wager_placed", {"cents": 500, "wager": "ante"}, 3) == newest
    assert SCHEMAS.latest("wager_placed") == 3
    assert SCHEMAS.latest("never changed") == 1


def test_a_shape_from_the_future_is_refused_and_named() -> None:
    with pytest.raises(Refused) as caught:
        _read("wager_placed", {}, 4)
    assert caught.value.code == "schema_too_new"
    with pytest.raises(Refused):
        _read("never changed", {}, 2)


def test_two_steps_from_one_schema_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="two steps"):
        SCHEMAS.step("bet", 1)(lambda body: body)
