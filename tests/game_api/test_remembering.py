"""What is remembered while a stream is settled changes no answer."""

from __future__ import annotations

import pickle
import random

import msgspec
import pytest

from houseway.cards import JOKER, batch, deck_with_joker
from houseway.errors import Refused
from houseway.game_api import round_json
from houseway.game_api.settle import settle_json
from houseway.law import CHAPTERS, choose


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
        return msgspec.json.encode(settle_json(text))
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
    assert any(b'"lines"' in text for text in alone)


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
