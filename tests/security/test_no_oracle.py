"""Two houses that differ only in cards that nobody has seen answer alike, whatever is asked of them.

Every page and address of a table and of its round, and every refused command, in every role, by HTTP.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from houseway.cards import SeededSource, card, shuffled
from houseway.errors import Refused
from houseway.floor import clock
from houseway.floor.casino import Casino, command_of
from houseway.floor.people.directory import ROLES
from houseway.games.down_under.hands import light
from houseway.store import open_log
from houseway.table import COMMANDS, next_steps, rules_of, run
from houseway.web.app import build

#: where nothing of a table is: the law, the mathematics, files, and who one is oneself
ELSEWHERE = (
    "/docs", "/static", "/mathematics", "/law", "/felt", "/submissions", "/practice", "/verify",
    "/metrics", "/health", "/alive", "/second-factor", "/link", "/api/openapi", "/people", "/me",
    "/sign-in", "/logbook", "/integrity", "/deeds",
)  # fmt: skip
PLAYED = ("/me/game", "/me/rounds/{round}", "/me/rounds/{round}/proof.zip")
#: what differs between two evenings in one house: times, random names and numbers, and the hashes
CHANCE = re.compile(
    r"20\d\d-\d\d-\d\d[T ]\d\d(:|%3A)\d\d((:|%3A)\d\d)?(\.\d+)?Z?|\b\d\d:\d\d(:\d\d)?\b"
    r'|[0-9a-f]{8,}|[\w+/=-]{40,}|left="[\d.]+"|\d+ seconds left|guest-[0-9a-f]+|\d+ ms'
)


CUT = 20


class House:
    """A house on its own record, where a table is shuffled into one order."""

    def __init__(self, client: Any, casino: Casino, table: str) -> None:
        self.client, self.casino, self.table = client, casino, table
        self.order: tuple[str, ...] = ()
        self.tokens: dict[str, str] = {}

    def enter(self, id: str, *roles: str) -> None:
        person = self.casino.people.add(id, id.title(), roles, by="test")
        self.casino.give(person, 1_000_000, by="test")
        self.tokens[id] = self.casino.people.open_session(person, "api")

    def ask(self, who: str, method: str, path: str, body: Any = None) -> tuple[Any, ...]:
        headers = {"accept": "text/html" if body is None else "application/json"}
        if who:
            headers["authorization"] = f"Bearer {self.tokens[who]}"
        sent = self.client.request(method, path, json=body, headers=headers)
        said = sent.text
        if sent.content[:2] == b"PK":
            with zipfile.ZipFile(io.BytesIO(sent.content)) as pack:
                said = "".join(f"{name}: {pack.read(name)!r}" for name in pack.namelist())
        names = sorted(set(sent.headers) - {"content-length", "date"})
        return sent.status_code, names, CHANCE.sub("*", said)

    def send(self, who: str, command: str, **fields: Any) -> tuple[Any, ...]:
        body = {"command": command, **fields}
        return self.ask(who, "POST", f"/api/tables/{self.table}/commands", body)

    @property
    def state(self) -> Any:
        return self.casino.table(self.table).state


@contextmanager
def dealt(table: str, wager: str, order: tuple[str, ...] | None) -> Iterator[House]:
    """A round in which players have cards and have to decide; the house goes on by our hand only."""
    casino = Casino(open_log(":memory:"))
    app = build(casino, hosts=("localhost",), pace=0, database=":memory:")
    dealer = app.state.dealer
    plan = dealer.plan
    dealer.plan = lambda live: None if live.name == table else plan(live)
    with TestClient(app, base_url="http://localhost") as client:
        made = House(client, casino, table)

        async def step() -> bool:
            live = casino.table(table)
            for one in next_steps(live.state, at=clock.now()):
                if one.kind == "next" and one.role != "player":
                    command = dealer.command(live, one)
                    if one.command == "shuffle":
                        made.order = order or tuple(
                            shuffled(sorted(command.order), SeededSource(3))
                        )
                        command = replace(command, order=made.order)
                    elif one.command == "cut":
                        command = replace(command, depth=CUT)
                    await casino.act(table, command)
                    return True
            return False

        for role in ROLES:
            made.enter(f"a-{role}", role)
        for seat, player in ((1, "ann"), (2, "bob")):
            made.enter(player, "player")
            assert made.send(player, "sit_down", seat=seat)[0] == 200
            assert made.send(player, "buy_in", seat=seat, amount="500.00")[0] == 200
        while made.state.phase != "betting":
            for seat in made.state.cut_offers:
                made.send(("ann", "bob")[seat - 1], "decline_cut", seat=seat)
            client.portal.call(step)  # type: ignore[union-attr]
        for seat, player in ((1, "ann"), (2, "bob")):
            bet = made.send(player, "place_wager", seat=seat, wager=wager, amount="10.00")
            assert bet[0] == 200, bet
        while client.portal.call(step):  # type: ignore[union-attr]
            pass
        assert made.state.hands
        yield made
    casino.close()


def _unseen(table: Any) -> tuple[str, ...]:
    """The dealer's cards that lie face down."""
    piles = (table.piles.get(name, ()) for name in ("hole", "dealer") if name not in table.shown)
    return next(pile for pile in piles if pile)


def exchanged(house: House) -> tuple[str, ...]:
    """The same order, but for a card of the dealer that nobody has seen and one of another rank.

    The reader's light is for all to see (685a.7(h)): there the other is of the same range.
    """
    rules = rules_of(house.state)

    def kind(text: str) -> str:
        return light(rules, card(text)) if house.table == "down-under" else ""

    order = list(house.order)
    hidden = _unseen(house.state)[-1]
    held = {one for name, pile in house.state.piles.items() if name != "shoe" for one in pile}
    rest = house.state.piles.get("shoe") or house.state.piles["discard"]
    other = next(
        one
        for one in reversed(rest)
        if one[0] != hidden[0] and kind(one) == kind(hidden) and one not in held - {*rest}
    )
    # the cut brings these to the front: the first copy of a card from there on is the one dealt
    dealt_as = [*range(CUT, len(order)), *range(CUT)]
    at = next(place for place in dealt_as if order[place] == hidden)
    to = next(place for place in reversed(dealt_as) if order[place] == other)
    order[at], order[to] = order[to], order[at]
    return tuple(order)


def answers(
    house: House, who: tuple[str, ...], sent: list[tuple[Any, ...]]
) -> dict[Any, tuple[Any, ...]]:
    """What everybody hears. The commands are those that the first of two houses refuses."""
    paths = [
        route.path.replace("{table}", house.table).replace("{round}", f"{house.table}.1.1")
        for route in house.client.app.routes
        if "GET" in route.methods and "stream" not in route.path
        and (route.path in PLAYED or not route.path.startswith(ELSEWHERE))
    ]  # fmt: skip
    paths = [path for path in paths if "{" not in path]
    views = ("player", "dealer", "floorperson", "surveillance")
    paths += [f"/api/tables/{house.table}?role={role}" for role in views]
    paths += [f"/tables/{house.table}?as={role}" for role in views]
    found = {(one, path): house.ask(one, "GET", path) for one in who for path in paths}
    for one, command, fields in sent:
        found[one, command, str(fields)] = house.send(one, command, **fields)
    return found


def refused(
    house: House, senders: tuple[str, ...], guesses: tuple[str, ...]
) -> list[tuple[Any, ...]]:
    """Commands that everybody may try: none of them is carried out, so the table stays as it is."""
    found = []
    tried = {"reason": "x", "count": 3, "amount": "5.00", "depth": CUT, "chips": {"5.00": 1}}
    for who in filter(None, senders):
        role = "player" if who in ("ann", "bob") else who.removeprefix("a-")
        for name, kind in COMMANDS.items():
            known = set(kind.__struct_fields__)
            plain = {key: value for key, value in tried.items() if key in known}
            for more in ({"seat": 1}, {"seat": 1, "card": guesses[0]}, {"cards": list(guesses)}):
                fields = {**plain, **more}
                if not _is_done(house, name, role, fields):
                    found.append((who, name, {"role": role, **fields}))
    return found


def _is_done(house: House, name: str, role: str, fields: dict[str, Any]) -> bool:
    for acting, who in ((role, "ann"), (role, "x"), ("device", "x"), ("system", "x")):
        try:
            run(house.state, command_of(name, fields, role=acting, who=who))
        except Refused:
            continue
        return True
    return False


GAMES = {
    "down-under": "bet", "maryland": "ante", "massachusetts": "ante", "prime": "ante",
    "saigon": "ante",
}  # fmt: skip


def compare(table: str, *who: str) -> None:
    with dealt(table, GAMES[table], None) as house:
        order = exchanged(house)
        now = house.order
        guesses = next((one, other) for one, other in zip(now, order, strict=True) if one != other)
        sent = refused(house, who, guesses)
        first, moved = answers(house, who, sent), house.state.version
        unseen = _unseen(house.state)
    with dealt(table, GAMES[table], order) as house:
        assert _unseen(house.state) != unseen
        second = answers(house, who, sent)
        assert house.state.version == moved
    for what, said in first.items():
        assert said == second[what], what
    assert len(sent) > 60 * len(who)
    assert sum(status == 200 for status, *_ in first.values()) > 10 * len(who)


def test_a_hidden_card_changes_no_answer() -> None:
    compare("down-under", "ann", "a-floorperson")


@pytest.mark.full
@pytest.mark.parametrize("table", GAMES)
def test_a_hidden_card_changes_no_answer_in_any_game(table: str) -> None:
    compare(table, "", "ann", "bob", *(f"a-{role}" for role in ROLES))
