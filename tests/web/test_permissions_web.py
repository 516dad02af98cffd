"""Commands over the web: nobody gets more rights by the way a command is carried out."""

from __future__ import annotations

import time
from typing import Any

import pytest

from houseway.table import COMMANDS

#: what a player may send at all; everything else is the house's
PLAYERS = {
    "sit_down", "leave_seat", "place_wager", "take_back_wager", "place_coupon", "play", "fold",
    "forfeit_unseen", "set_hands", "insure", "decline_insurance", "take_even_money", "hit", "stand",
    "double", "split", "refuse_card", "cut", "decline_cut", "buy_in", "tip",
}  # fmt: skip
#: what the floor may not do itself: the dealer's, the players' and the system's part
NOT_THE_FLOORS = {"shuffle", "cut", "deal", "place_wager", "hit", "settle_next", "read_meters"}

#: fields without which a command is not understood
FIELDS: dict[str, dict[str, Any]] = {
    "let_player_inspect": {"seat": 1}, "place_cover_card": {"depth": 20},
    "order_recut": {"reason": "x"}, "order_reshuffle": {"reason": "x"},
    "change_dealer": {"dealer": "me"}, "close_table": {"count": {}},
    "declare_abandoned": {"seat": 1}, "let_back_in": {"seat": 1},
    "count_progressive_chips": {"count": 1}, "count_stub": {"count": 1},
    "strike_progressive_wager": {"seat": 1, "wager": "progressive", "reason": "x"},
    "turn_hand": {"seat": 1}, "validate_progressive": {"seat": 1, "wager": "progressive"},
    "wrong_number_of_cards": {"seat": 1, "count": 4}, "no_card_dealt": {"seat": 1},
    "missed_hit": {"seat": 1, "late_card": True}, "hand_goes_on": {"seat": 1},
    "call_hand_dead": {"seat": 1}, "device_jams": {"device": "shuffler"},
    "device_breaks": {"device": "shuffler"}, "repair_device": {"device": "shuffler"},
    "set_device_aside": {"device": "shuffler", "how": "covered"}, "void_round": {"reason": "x"},
    "fill": {"chips": {"5.00": 1}}, "credit": {"chips": {"5.00": 1}},
    "correct_card": {"place": "dealer", "was": "As", "card": "Ks", "reason": "x"},
    "correct_payment": {"seat": 1, "amount": "5.00"}, "cut": {"depth": 20},
    "place_wager": {"seat": 1, "wager": "ante", "amount": "5.00"}, "hit": {"seat": 1},
}  # fmt: skip


def refused(visitor: Any, table: str, name: str, **more: Any) -> str:
    answer = visitor.send(table, name, **FIELDS.get(name, {}), **more)
    assert answer.status_code != 200, (name, answer.text)
    return str(answer.json()["error"]["code"])


@pytest.mark.parametrize("seated", [False, True])
@pytest.mark.parametrize("table", ["maryland", "down-under"])
def test_a_player_sends_nothing_of_the_houses(
    house: Any, visitor: Any, table: str, seated: bool
) -> None:
    visitor.enter()
    if seated:
        assert visitor.send(table, "sit_down", seat=1).status_code == 200
    for name in sorted(set(COMMANDS) - PLAYERS):
        for more in ({}, {"real": True} if name in ("shuffle", "shoe_runs_out") else {}):
            assert refused(visitor, table, name, **more) == "not_your_part", (name, more)


@pytest.mark.parametrize("role", ["system", "device", "dealer", "floorperson", "surveillance"])
def test_a_player_does_not_act_in_another_role(house: Any, visitor: Any, role: str) -> None:
    visitor.enter()
    assert refused(visitor, "maryland", "shuffle", role=role) == "not_your_part"


def test_the_floor_does_not_do_the_dealers_part(house: Any, visitor: Any) -> None:
    visitor.enter("floorperson")
    for name in sorted(NOT_THE_FLOORS):
        heard = refused(visitor, "maryland", name, role="floorperson")
        assert heard == "not_your_part", name


def test_a_dealer_acts_only_at_the_table_taken_over(house: Any, visitor: Any) -> None:
    visitor.enter("dealer")
    for name in ("shuffle", "shoe_runs_out", "deal", "receive_decks"):
        assert refused(visitor, "maryland", name, role="dealer") == "not_your_part"


def test_a_player_names_no_card_where_real_ones_are_keyed_in(house: Any, visitor: Any) -> None:
    visitor.enter()
    assert visitor.send("down-under", "sit_down", seat=1).status_code == 200
    assert refused(visitor, "down-under", "hit", card="As") == "not_your_part"


def test_a_dealer_supplies_no_order(house: Any, visitor: Any) -> None:
    visitor.enter("dealer")
    taken = None
    for _ in range(50):
        taken = visitor.send("maryland", "change_dealer", role="dealer", dealer="me")
        if taken.status_code == 200:
            break
        time.sleep(0.1)
    assert taken is not None
    assert taken.status_code == 200, taken.text
    for name in ("shuffle", "change_decks", "receive_decks"):
        fields = {"preshuffled": True} if name != "shuffle" else {}
        heard = refused(visitor, "maryland", name, role="dealer", order=["As"] * 52, **fields)
        assert heard == "not_your_part", name
