"""Cards that a reading shoe names, or a dealer keys in: what cannot be there is refused."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import check_all, opened

from houseway.cards import deck_with_joker
from houseway.law import MA, MD, PRIME, SAIGON
from houseway.refusal import Refused
from houseway.table import rules_of
from houseway.table.chance import pack
from houseway.table.driver import Driver

ANY = st.sampled_from([*map(str, deck_with_joker())])


def by_hand(chapter: str) -> Driver:
    """Two hands about to be dealt from a stack whose order nobody knows."""
    driver = opened(chapter, players=2)
    driver.send("order_reshuffle", "floorperson", reason="the dealer keys the cards in")
    driver.send("shuffle", "dealer")
    driver.until("betting")
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00"})
    return driver


@pytest.mark.parametrize("chapter", [MD, MA, PRIME, SAIGON])
@settings(max_examples=30, deadline=None)
@given(cards=st.lists(ANY, min_size=12, max_size=40))
def test_a_card_is_refused_exactly_when_the_deck_has_it_no_more(chapter, cards):
    driver = by_hand(chapter)
    driver.until("dealing")
    left = Counter(pack(rules_of(driver.table)))
    for card in cards:
        if driver.table.phase != "dealing":
            break
        table = driver.table
        try:
            driver.send("deal", "dealer", cards=(card,))
        except Refused as refusal:
            whole = Counter(pack(rules_of(driver.table)))
            assert left[card] == 0
            assert refusal.code == ("card_seen_already" if whole[card] else "card_not_in_deck")
            assert driver.table == table
        else:
            assert left[card] > 0
            left[card] -= 1
        check_all(driver)
