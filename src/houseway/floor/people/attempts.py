"""Attempts to sign in: reserved on the record before a password is looked at.

A reservation is an append at the version that was counted at, so two attempts at the same moment
cannot both be the last one allowed, whichever worker they reach; and the record can be counted
again after a restart. Names and addresses are kept as hashes: what was typed as a name may be a
password in the wrong field.
"""

from __future__ import annotations

import hashlib
import threading
from collections import deque
from datetime import datetime
from ipaddress import IPv6Address, ip_address, ip_network

from houseway.errors import Refused
from houseway.floor import clock
from houseway.store import Log, New, Write, retrying

ATTEMPTS = "attempts"
#: how many attempts are allowed for a name and from an address, and in how many seconds
BY_NAME, BY_ADDRESS, SECONDS = 5, 30, 300.0


class Attempts:
    """The attempts of the last minutes, from all workers."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._lock = threading.Lock()
        self._at = max(0, log.head(ATTEMPTS).version - 2000)
        self._tried: dict[str, deque[float]] = {}

    def reserve(self, name: str, address: str) -> None:
        """Count an attempt before it is made, and refuse it if there were too many."""
        keys = {_key("name", name): BY_NAME, _key("address", network_of(address)): BY_ADDRESS}

        def decide() -> list[Write]:
            self._catch_up()
            now = clock.now()
            for key, most in keys.items():
                self._check(key, most, _seconds(now))
            new = New("reserved", {"keys": list(keys)}, "system", now)
            return [Write(ATTEMPTS, self._at, (new,))]

        with self._lock:
            retrying(self._log, decide, attempts=50)

    def forget(self, name: str) -> None:
        """Clear the attempts of a name after a correct password."""
        body = {"key": _key("name", name)}

        def decide() -> list[Write]:
            self._catch_up()
            return [Write(ATTEMPTS, self._at, (New("cleared", body, "system", clock.now()),))]

        with self._lock:
            retrying(self._log, decide, attempts=50)

    def _catch_up(self) -> None:
        now = _seconds(clock.now())
        for event in self._log.read(ATTEMPTS, self._at):
            self._at = event.version
            if event.kind == "reserved":
                # one of the future was made while the clock was wrong, and locks nobody out till then
                at = min(_seconds(event.time), now)
                for key in event.data["keys"]:
                    self._tried.setdefault(key, deque()).append(at)
            else:
                self._tried.pop(event.data["key"], None)
        if len(self._tried) > 10_000:
            newest = _seconds(clock.now()) - SECONDS
            self._tried = {k: one for k, one in self._tried.items() if one[-1] > newest}

    def _check(self, key: str, most: int, now: float) -> None:
        tried = self._tried.get(key)
        while tried and tried[0] < now - SECONDS:
            tried.popleft()
        if tried and len(tried) >= most:
            minutes = max(1, round((tried[0] + SECONDS - now) / 60))
            raise Refused("too_many_attempts", f"too many attempts; try again in {minutes} minutes")


def network_of(address: str) -> str:
    """The address that limits count: for IPv6 the network, since one machine can use all of it."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address) and found.ipv4_mapped is None:
        return str(ip_network((found, 64), strict=False))
    return str(getattr(found, "ipv4_mapped", None) or found)


def _key(what: str, text: str) -> str:
    return hashlib.sha256(f"{what}:{text}".encode("utf-8", "replace")).hexdigest()[:24]


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()
