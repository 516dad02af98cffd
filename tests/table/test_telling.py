"""One teller of events: every event has words, and in public they name no hidden card."""

from __future__ import annotations

import re

import pytest
from stories import whole_game
from tables import EVERY_GAME

from houseway.law import chapter
from houseway.table import EVENTS, fold
from houseway.table import events as e
from houseway.table.event_text import _TELL, describe, in_public, line
from houseway.table.evolve import evolve
from houseway.web.table import feed_text as words

CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b|\bJk\b")


def test_every_event_can_be_told():
    own = {kind for kind in EVENTS.values() if kind.text is not e.Event.text}
    assert set(_TELL) | own == set(EVENTS.values())
    assert not set(_TELL) & own


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game[0])
def test_in_public_no_card_is_named_before_it_lies_face_up(game):
    driver = whole_game(*game)
    table = fold([])
    named = 0
    for event in driver.record:
        table = evolve(table, event)
        up = {card for name in table.shown for card in table.piles.get(name, ())}
        told = CARD.findall(describe(in_public(event)))
        named += len(told)
        assert set(told) <= up, line(event)
    assert named > 0


@pytest.mark.parametrize("game", EVERY_GAME, ids=lambda game: game[0])
def test_the_page_says_what_matters_in_sentences_and_no_names(game):
    driver = whole_game(*game)
    said = words.said(driver.record, most=10_000)
    assert all(text[0] == text[0].upper() for text, _ in said)
    assert not any("player 1" in text for text, _ in said)
    lines = [event for event in driver.record if isinstance(event, e.WagerSettled)]
    assert len(lines) == sum(": " in text and " is " in text for text, _ in said)


def test_amounts_are_said_as_money():
    common = {"version": 1, "at": "", "role": "dealer"}
    paid = e.WagerSettled(
        **common, seat=2, wager="pair_plus", stake="5.00", result="win", paid="12.50",
        odds="5 to 2", outcome="flush",
    )  # fmt: skip
    assert describe(paid) == "seat 2: pair plus of $5 is paid $12.50 at 5 to 2 for flush"
    law = chapter("md-three-card-poker")
    assert describe(paid, law).startswith("seat 2: Pair Plus of $5 is paid $12.50")
    back = e.PaymentCorrected(**common, seat=2, amount="-7.50", reason="tape", tray={})
    assert describe(back) == "seat 2 gives back $7.50: tape"
    short = e.TableClosed(**common, count={}, difference="-5.00")
    assert describe(short) == "the table closes, $5 under the record"
