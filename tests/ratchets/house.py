"""A house over HTTP: people who sign in and play at its tables, as any program can."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any

PASSWORD = "a password for tests only"

#: what a player does when asked, in this order of preference
DECISIONS = ("set_hands", "play", "decline_insurance", "stand", "decline_cut")


class Person:
    """Somebody with a token: looks at tables and sends commands."""

    def __init__(self, address: str, name: str) -> None:
        self._address, self._headers = address, {"content-type": "application/json"}
        told = self.ask("/api/session", {"person": name, "password": PASSWORD})
        self._headers["authorization"] = f"Bearer {told['token']}"

    def ask(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._address + path, data, self._headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path} {body}: {error.read().decode()}") from None

    def send(self, table: str, command: str, **fields: Any) -> Any:
        return self.ask(f"/api/tables/{table}/commands", {"command": command, **fields})

    def view(self, table: str, role: str = "public") -> Any:
        return self.ask(f"/api/tables/{table}?role={role}")["view"]

    def decide(self, table: str) -> None:
        """Every decision that this player is asked for now."""
        while True:
            seen = self.view(table, "player")
            asked = [
                step["command"]
                for step in seen["next"]
                if step.get("kind", "next") == "next"
                and (step["role"], step.get("seat")) == ("player", seen["seat"])
            ]
            known = [one for one in DECISIONS if one in asked]
            if not known:
                return
            self.send(table, known[0], seat=seen["seat"])


def deal(table: str, dealer: Person, floor: Person) -> bool:
    """The next thing that is the house's to do, by the people who do it; False: players are awaited."""
    public = dealer.view(table)
    progressives = sum("progressive" in box.get("wagers", {}) for box in public["boxes"])
    fields: dict[str, dict[str, Any]] = {
        "count_progressive_chips": {"count": progressives},
        "count_stub": {"count": public.get("shoe", 0)},
        "validate_progressive": {"wager": "progressive"},
    }
    for step in dealer.ask(f"/api/tables/{table}/next")["next"]:
        if step.get("kind", "next") != "next" or step["role"] == "player":
            continue
        who = floor if step["role"] == "floorperson" else dealer
        seat = {"seat": step["seat"]} if step.get("seat") else {}
        who.send(
            table, step["command"], role=step["role"], **seat, **fields.get(step["command"], {})
        )
        return True
    return False


def until(condition: Callable[[], Any], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
