"""What is remembered while a stream is settled changes no answer."""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys

import msgspec
import pytest

from houseway.cards import JOKER, batch, deck_with_joker
from houseway.errors import Refused
from houseway.game_api import round_json
from houseway.game_api.round import hashable
from houseway.game_api.settle import settle_json, settle_text
from houseway.law import CHAPTERS, MD, choose


def seats_of(id: str, chance: random.Random) -> bytes:
    """A random round: few seats, random stakes; a chapter may refuse it."""
    rules = choose(id)
    size = rules.chapter.number("hand_cards")
    pack = deck_with_joker() if chance.random() < 0.5 else batch(1)
    shoe = [str(card) for card in chance.sample(pack, len(pack)) if card != JOKER or size == 5]
    hand = lambda: [shoe.pop() for _ in range(size)]  # noqa: E731
    offered = (one for one in rules.chapter.wagers.values() if rules.offers(one.id))
    wagers = [one.id for one in offered if one.kind != "follows" and one.id != "insurance"]
    seats = []
    for number in chance.sample(range(1, rules.chapter.number("seats") + 1), 3):
        made = [wager for wager in wagers if chance.random() < 0.6]
        seat = {"seat": number, "wagers": {wager: chance.choice(["5.00", "10"]) for wager in made}}
        if size == 2:
            seat["hands"] = [{"cards": hand()}]
        else:
            seat |= {"cards": hand()} | (
                {"decision": chance.choice(["play", "fold"])} if size == 3 else {}
            )
        seats.append(seat)
    dealer = ["Ts", "9h"] if size == 2 else hand()  # nothing to draw
    return msgspec.json.encode({"chapter": id, "dealer": dealer, "seats": seats})


def answer(text: bytes) -> bytes:
    try:
        return settle_text(text)
    except Refused as refusal:
        return msgspec.json.encode(refusal.as_dict())


@pytest.mark.parametrize("id", CHAPTERS)
def test_a_stream_is_answered_as_its_rounds_are_one_by_one(id: str, monkeypatch) -> None:
    chance = random.Random(id)
    rounds = [seats_of(id, chance) for _ in range(120)]
    together = [answer(text) for text in rounds]
    alone = []
    for text in rounds:
        # rules that remember nothing yet
        monkeypatch.setattr(round_json, "_rules", {})
        alone.append(answer(text))
    assert together == alone
    settled = [given for given, text in zip(rounds, alone, strict=True) if b'"lines"' in text]
    assert settled
    for given in settled:
        assert settle_text(given) == msgspec.json.encode(settle_json(given))


def test_each_answer_is_worked_out_once_for_each_set_of_rules() -> None:
    asked = []

    def longer(rules, text: str) -> str:
        asked.append((rules, text))
        return text + rules.chapter.id

    first, second = choose(CHAPTERS[0]), choose(CHAPTERS[1])
    for rules in (first, second, first):
        assert rules.remembering(longer)("a ") == "a " + rules.chapter.id
    assert asked == [(first, "a "), (second, "a ")]


def test_rules_that_remember_travel_to_another_process() -> None:
    rules = choose(CHAPTERS[0])
    rules.remembering(lambda of: of.chapter.id)()
    assert pickle.loads(pickle.dumps(rules)).as_file() == rules.as_file()


def test_a_refusal_is_not_remembered_and_an_order_of_wagers_decides_nothing() -> None:
    seat = {"seat": 1, "cards": ["As", "Kd", "7c"], "decision": "play"}
    given = {"chapter": MD, "dealer": ["2c", "5d", "9h"], "seats": []}

    def settled(wagers: dict[str, str]) -> bytes:
        return answer(msgspec.json.encode({**given, "seats": [{**seat, "wagers": wagers}]}))

    one = settled({"ante": "10.00", "pair_plus": "5.00"})
    assert b'"lines"' in one
    assert settled({"pair_plus": "5.00", "ante": "10.00"}) == one
    for _ in range(2):
        assert b"not a multiple" in settled({"ante": "10.01", "pair_plus": "5.00"})
    assert settled({"ante": "10.00", "pair_plus": "5.00"}) == one


def test_wagers_stay_a_key_in_another_process() -> None:
    """Where texts have other hashes."""
    wagers = hashable({"ante": 1000, "pair_plus": 500})
    code = (
        "import pickle, sys; from houseway.game_api.round import hashable; "
        "found = pickle.loads(sys.stdin.buffer.read()); "
        "print({hashable({'pair_plus': 500, 'ante': 1000}): 'found'}[found])"
    )
    env = {**os.environ, "PYTHONHASHSEED": "7"}
    run = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(wagers), env=env, capture_output=True, check=True
    )  # fmt: skip
    assert run.stdout.split() == [b"found"]
    assert hashable(wagers) is wagers
    assert hashable({}) == {}
