"""Editions on the record: what a table plays by is stored once, under its identity.

So a table finishes under the rules it was opened with, and a round of long ago can be shown,
whatever the installed text says by then.
"""

from __future__ import annotations

from collections.abc import Iterator

from houseway.law.library import EditionRef, edition_on_record, is_at_hand, learn
from houseway.store import Log, New, Write
from houseway.table import Table
from houseway.table import events as e

#: the stream of an edition begins with this; its identity follows
PREFIX = "edition/"


def edition_of(table: Table | e.TableOpened) -> EditionRef:
    """The edition that a table was opened under."""
    return EditionRef(table.chapter, table.edition, table.edition_hash)


def edition_writes(log: Log, opened: e.TableOpened, actor: str, time: str) -> Iterator[Write]:
    """What the record lacks of the edition that a table opens under."""
    ref = edition_of(opened)
    stream = PREFIX + ref.hash
    if log.head(stream).version:
        return
    law, _ = edition_on_record(ref)
    body = {"chapter": ref.chapter, "edition": ref.edition, "parts": law.as_record()}
    yield Write(stream, 0, (New("edition_recorded", body, actor, time),))


def learn_edition(log: Log, ref: EditionRef) -> None:
    """Read an edition from the record, unless it is known already."""
    if is_at_hand(ref):
        return
    for event in log.read(PREFIX + ref.hash, 0, 1):
        learn(ref, event.data["parts"])
