"""A link on the record of a house, and a table elsewhere that feeds it."""

from __future__ import annotations

from houseway.floor.links.operations import Link
from houseway.floor.links.record import Feed, feed_stream, read_feed
from houseway.floor.people.directory import People
from houseway.floor.people.signing import By
from houseway.law import MD, choose
from houseway.store import Log, New, Write

NOON = "2026-03-01T12:00:00Z"
RULES = choose(
    MD,
    {"shuffler": "counting", "progressive": "C"},
    meters={
        "progressive": {"whole": "15%"},
        "progressive.major": {
            "rate": "10%", "reserve": "1%", "seed": "25000.00", "reset": "10000.00",
        },
        "progressive.minor": {"rate": "4%", "seed": "2500.00", "reset": "1000.00"},
    },
)  # fmt: skip


def linked(log: Log, name: str = "high-road") -> Link:
    people = People(log)
    if people.find("boss") is None:
        people.add("boss", "", ["floorperson"], by="test")
    link = Link(log, name)
    link.open(RULES, "progressive", By("boss", NOON))
    link.join(f"{name}-1", RULES, By("boss", NOON))
    return link


def contribute(log: Log, cents: int, time: str = NOON, name: str = "high-road") -> None:
    """As a table on another machine does it: its own append to its own feed."""
    stream = feed_stream(f"{name}-1", name)
    last = log.last([stream])[stream]
    feed = read_feed(last)
    after = Feed(
        feed.table, feed.link, feed.wager, cents, feed.wagered + cents, 0, open=True, at=feed.at
    )
    log.append(Write(stream, last.version, (New("contributed", after, "dealer dana", time),)))
