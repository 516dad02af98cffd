"""Signed appends: every writer signs the resulting heads of its streams.

The hashes of a stream prove its order, not its author: whoever can write to the database can add an
event that is well formed. Each append, over however many streams, is signed once, with the house's
key; the hash of a head stands for everything before it, so the last signature of a stream covers
all of it, and it is the one that is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from houseway.store.event import Head
from houseway.store.log import Log, SignedAppend
from houseway.store.verify import Fault

if TYPE_CHECKING:
    from houseway.store.security.anchor import Anchor
    from houseway.store.security.house_keys import HouseKeys

_encode = msgspec.json.Encoder().encode


def signed_append(keys: HouseKeys, heads: Mapping[str, Head]) -> SignedAppend:
    """The signature of an append that leaves its streams at these heads."""
    text = _encode([(name, head.version, head.hash.hex()) for name, head in heads.items()])
    return SignedAppend(text.decode(), keys.active.public, keys.active.sign(text))


class LastSignatures:
    """The signatures that one writer has made and that are still the last of some stream.

    The last signature of a stream covers all of it, so one that is the last of no stream goes.
    """

    def __init__(self) -> None:
        #: the number of the last signature of each stream, and how many streams each is the last of
        self._last: dict[str, int] = {}
        self._streams: dict[int, int] = {}

    def superseded(self, streams: Collection[str]) -> list[int]:
        """The signatures that go when these streams are signed again."""
        again = Counter(self._last[name] for name in streams if name in self._last)
        return [number for number, times in again.items() if self._streams[number] == times]

    def add(self, number: int, streams: Collection[str]) -> None:
        for name in streams:
            if (before := self._last.get(name)) is not None:
                self._streams[before] -= 1
                if not self._streams[before]:
                    del self._streams[before]
            self._last[name] = number
        self._streams[number] = len(streams)


def signed_within(
    signatures: Iterable[SignedAppend], heads: Mapping[str, Head]
) -> Iterator[SignedAppend]:
    """The signatures of appends that a record which ends at these heads has whole."""
    for one in signatures:
        signed = msgspec.json.decode(one.heads, type=list[tuple[str, int, str]])
        if all(name in heads and version <= heads[name].version for name, version, _ in signed):
            yield one


def signature_faults(log: Log, baseline: Anchor | None) -> Iterator[Fault]:
    """The streams whose head has no valid signature, or that were once longer than they are.

    `baseline` is where the record stood when its keys were made or rotated: what is older need not be
    signed, and what older keys sign after it does not count.
    """
    from houseway.store.security.house_keys import signed_by

    if log.keys is None or not log.signs:
        return
    # first the heads, then the signatures: others may be appending, and sign as they do
    heads_now = log.heads()
    last: dict[str, tuple[int, str, SignedAppend]] = {}
    for one in log.signatures():
        try:
            heads = msgspec.json.decode(one.heads, type=list[tuple[str, int, str]])
        except ValueError:
            continue
        for name, version, hash in heads:
            if name not in last or last[name][0] <= version:
                last[name] = version, hash, one
    if baseline is None and not last:
        return  # the keys were made for a bundle; no house has been opened with them
    good: dict[SignedAppend, bool] = {}
    before = baseline.heads if baseline is not None else {}
    known = log.keys.public
    counting = known
    if baseline is not None and baseline.key in known:
        counting = known[: known.index(baseline.key) + 1]  # the newest come first
    for name, head in sorted(heads_now.items()):
        version, hash, one = last.pop(name, (0, "", SignedAppend("", "", b"")))
        if version > head.version and (event := next(log.read(name, version - 1, version), None)):
            head = Head(event.version, event.hash)  # it was written meanwhile; more may follow
        if one.key and one not in good:
            good[one] = one.key in known and signed_by(one.key, one.signature, one.heads.encode())
        if version > head.version and good.get(one):
            yield Fault(
                "cut_off", f"{version} events were signed; the record ends after {head.version}",
                name, head.version + 1,
            )  # fmt: skip
            continue
        signs = good.get(one, False) and one.key in counting
        if (version, hash) != (head.version, head.hash.hex()) or not signs:
            old = before.get(name)
            if old is not None and (head.version, head.hash.hex()) == (old[0], old[1]):
                continue
            at = version + 1 if signs else head.version
            yield Fault("not_signed", "the house did not sign this event: it was added", name, at)
    for name, (version, _, one) in sorted(last.items()):
        if log.head(name).version >= version:
            continue  # it was begun meanwhile
        if one.key in known and signed_by(one.key, one.signature, one.heads.encode()):
            yield Fault("cut_off", f"{version} events were signed; none is there", name, 1)
