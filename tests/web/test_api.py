"""The interface for programs, through the client that integrators are given."""

from __future__ import annotations

import json
import threading

import pytest
from desk import token
from served import served

from houseway.table.commands import COMMANDS
from houseway.web.client import House, Refused


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with served(tmp_path_factory.mktemp("api"), pace=0) as one:
        yield one.address


@pytest.fixture
def player(address):
    return House(address, token(address, "guest"))


def test_the_description_names_every_command(address):
    import urllib.request

    with urllib.request.urlopen(f"{address}/api/openapi.json", timeout=10) as answer:
        found = json.load(answer)
    assert {f"command.{name}" for name in COMMANDS} <= found["components"]["schemas"].keys()
    assert found["openapi"].startswith("3.1")


def test_a_program_plays_a_hand(player):
    names = [line["table"] for line in player.tables()]
    assert "prime" in names
    player.send("prime", "sit_down", seat=2, player="me")
    player.send("prime", "buy_in", seat=2, amount="100.00")
    views = player.follow("prime")
    view = next(v for v in views if v["view"]["public"]["phase"] == "betting")
    player.send("prime", "place_wager", seat=2, wager="ante", amount="10.00")
    view = next(v for v in views if "play" in v["view"].get("legal", ()))
    assert view["chips"] == "90.00"
    assert len(view["view"]["public"]["boxes"][1]["cards"]) == 3
    assert "??" not in view["view"]["public"]["boxes"][1]["cards"]
    assert set(view["view"]["public"]["dealer"]) == {"??"}
    player.send("prime", "play", seat=2, version=view["version"])
    view = next(v for v in views if v["view"]["public"].get("settled"))
    assert view["view"]["public"]["settled"][0]["clause"].startswith("679a.")


def test_a_refusal_reaches_the_program(player):
    with pytest.raises(Refused) as refused:
        player.send("saigon", "place_wager", seat=1, wager="ante", amount="10.00")
    assert refused.value.code in ("nobody_there", "out_of_turn")
    with pytest.raises(Refused) as refused:
        player.table("saigon", role="dealer")
    assert refused.value.code == "not_your_role"
    with pytest.raises(Refused) as refused:
        House(player.address, "no such token").send("saigon", "sit_down", seat=1, player="me")
    assert refused.value.code == "not_signed_in"


def test_a_shoe_names_the_cards_and_cannot_name_one_twice(address):
    dealer, guest = (
        House(address, token(address, "dealer")),
        House(address, token(address, "guest")),
    )
    name = "massachusetts"
    dealer.send(name, "change_dealer", role="dealer", dealer="me")
    guest.send(name, "sit_down", seat=1, player="me")
    guest.send(name, "buy_in", seat=1, amount="100.00")

    def lead(**fields):
        """Do what the table says the dealer does next."""
        steps = dealer._ask(f"/api/tables/{name}/next")["next"]
        step = next(s for s in steps if s.get("kind", "next") == "next" and s["role"] == "dealer")
        given = dict(fields.get(step["command"], {}))
        if step.get("seat"):
            given["seat"] = step["seat"]
        dealer.send(name, step["command"], role="dealer", **given)
        return step["command"]

    for _ in range(12):
        if dealer.table(name)["view"]["phase"] == "betting":
            break
        lead(shuffle={"real": True}, cut={"depth": 20})
    guest.send(name, "place_wager", seat=1, wager="ante", amount="10.00")
    while lead() != "no_more_bets":
        pass
    before = dealer.table(name)["version"]
    dealer.send(name, "deal", role="dealer", cards=["As"], version=before, key="shoe-1-0")
    again = dealer.send(name, "deal", role="dealer", cards=["As"], version=before, key="shoe-1-0")
    assert again["again"]
    with pytest.raises(Refused, match="seen already"):
        dealer.send(name, "deal", role="dealer", cards=["As"])


@pytest.mark.slow
def test_several_workers_serve_the_same_tables(tmp_path):
    """What one worker did the others know, whichever answers; nobody's chips are counted twice."""
    with served(tmp_path, "--workers", "3", pace=0) as one:
        guest, watcher = House(one.address, token(one.address, "guest")), House(one.address)
        guest.send("prime", "sit_down", seat=1, player="me")
        guest.send("prime", "buy_in", seat=1, amount="100.00")
        views = watcher.follow("prime")
        next(v for v in views if v["view"]["phase"] == "betting")
        done = guest.send("prime", "place_wager", seat=1, wager="ante", amount="5.00", key="once")
        for _ in range(6):
            again = guest.send(
                "prime", "place_wager", seat=1, wager="ante", amount="5.00", key="once"
            )
            assert (again["version"], again["again"]) == (done["version"], True)
        next(v for v in views if v["view"]["phase"] == "deciding")
        guest.send("prime", "fold", seat=1)
        next(v for v in views if v["view"]["phase"] == "betting" and v["view"]["round"] == 1)
        assert {guest.table("prime")["chips"] for _ in range(6)} == {"95.00"}


@pytest.mark.slow
def test_many_programs_at_one_table_lose_nothing(address):
    """Seven sit down and wager at once; every chip is where it belongs."""
    guests = [House(address, token(address, "guest")) for _ in range(5)]
    name = "down-under"

    def play(seat, guest):
        guest.send(name, "sit_down", seat=seat, player="me")
        guest.send(name, "buy_in", seat=seat, amount="200.00")

    threads = [threading.Thread(target=play, args=(s, g)) for s, g in enumerate(guests, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seat, guest in enumerate(guests, 1):
        view = guest.table(name)
        assert view["chips"] == "200.00", seat
