"""A dealer with real cards, for examples of a shoe that reads them."""

from __future__ import annotations

from desk import token

from houseway.web.client import House


def ready_to_deal(address: str, name: str) -> House:
    """A dealer with real cards, up to the first card of a round."""
    dealer, player = (
        House(address, token(address, "dealer")),
        House(address, token(address, "guest")),
    )
    dealer.send(name, "change_dealer", role="dealer", dealer="me")
    player.send(name, "sit_down", seat=1)
    player.send(name, "buy_in", seat=1, amount="100.00")
    given = {"shuffle": {"real": True}, "cut": {"depth": 20}}
    for _ in range(30):
        if dealer.table(name)["view"]["phase"] == "betting":
            player.send(name, "place_wager", seat=1, wager="ante", amount="10.00")
        steps = dealer._ask(f"/api/tables/{name}/next")["next"]
        step = next(s for s in steps if s["role"] == "dealer" and "kind" not in s)
        if step["command"] == "deal":
            return dealer
        fields = dict(given.get(step["command"], {}))
        if step.get("seat"):
            fields["seat"] = step["seat"]
        dealer.send(name, step["command"], role="dealer", **fields)
    raise AssertionError("no card came to be dealt")
