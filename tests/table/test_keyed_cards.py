"""Cards that a reading shoe names, or a dealer keys in: what cannot be there is refused."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import check_all, opened

from houseway.cards import deck_with_joker
from houseway.errors import Refused
from houseway.law import MA, MD, PRIME, SAIGON, cites
from houseway.table import Table, next_steps, rules_of
from houseway.table import events as e
from houseway.table.card_source import pack
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


# Saigon: what is turned is what decides


def saigon(order: tuple[str, ...] = (), bonus: tuple[int, ...] = ()) -> Driver:
    """Two players about to set their hands; without an order the cards are keyed in when turned."""
    driver = opened(SAIGON, {"bonus": "A"}, players=2)
    driver.send("order_reshuffle", "floorperson", reason="an order that is known, or none")
    driver.send("shuffle", "system" if order else "dealer", order=order)
    driver.send("cut", "dealer", depth=20)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00"} | ({"bonus": "5.00"} if seat in bonus else {}))
    driver.until("deciding")
    for seat in (1, 2):
        driver.send("set_hands", "player", seat=seat)
    return driver


def play_out(driver: Driver, told: Table) -> list[tuple[str, int, str]]:
    """The dealer's steps from the reveal on; unknown cards are keyed in as they lie at the other."""
    steps = []
    unknown = "?" in driver.table.piles["dealer"]
    while driver.table.hands:
        step = next(step for step in next_steps(driver.table) if step.kind == "next")
        fields = {}
        if unknown and step.command == "reveal_dealer":
            fields["cards"] = told.piles["dealer"]
        if unknown and step.command == "turn_hand":
            part = "three" if f"three.{step.seat}" not in driver.table.shown else "two"
            fields["cards"] = told.piles[f"{part}.{step.seat}"]
        driver.send(step.command, "dealer", seat=step.seat, **fields)
        steps.append((step.command, step.seat, step.clause))
    return steps


@cites(SAIGON, "680a.11(d)(1)(i)", "680a.11(d)(1)(ii)", "680a.11(d)(2)(i)", "680a.11(d)(2)(ii)")
@cites(SAIGON, "680a.11(d)", "680a.11(e)")
@settings(max_examples=25, deadline=None)
@given(
    order=st.permutations(pack(rules_of(opened(SAIGON).table))), bonus=st.sets(st.integers(1, 2))
)
def test_a_dealer_who_keys_saigon_in_is_led_as_one_whose_cards_are_known(order, bonus):
    """The same hands turned, the same wagers settled, in the same order and by the same clauses."""
    known = saigon(tuple(order), tuple(bonus))
    keyed = saigon((), tuple(bonus))
    told = known.table
    assert play_out(keyed, told) == play_out(known, told)
    settled = [
        [
            (event.seat, event.wager, event.result, event.paid)
            for event in driver.record
            if isinstance(event, e.WagerSettled)
        ]
        for driver in (keyed, known)
    ]
    assert settled[0] == settled[1]
    check_all(keyed)


@cites(SAIGON, "680a.11(d)(2)(i)", "680a.11(b)(1)", "680a.11(e)")
@pytest.mark.parametrize("bonus", [False, True])
def test_a_showdown_hand_that_decides_nothing_is_not_asked_for(bonus):
    driver = saigon((), (1,) if bonus else ())
    driver.send("reveal_dealer", "dealer", cards=("Ts", "Js", "Qs", "2c", "7c"))
    driver.send("turn_hand", "dealer", seat=2, cards=("Kc", "Kd", "Kh"))
    driver.send("turn_hand", "dealer", seat=2, cards=("9c", "Ac"))  # ten points against nine
    driver.send("settle_next", "dealer")
    # ace, two and three do not qualify; with a five and a seven they would
    driver.send("turn_hand", "dealer", seat=1, cards=("As", "2s", "3s"))
    driver.send("settle_next", "dealer")
    lost = driver.table.settled[-1]
    assert (lost.seat, lost.result, lost.clause) == (1, "lose", "680a.11(d)(2)(i)")
    if not bonus:
        assert driver.table.phase == "clearing"
        assert driver.table.piles["two.1"] == ("?", "?")
        return
    # seen for the Bonus, the hand is set as it must be: 1 + 2 + 7, and 3 + 5 lose to nine as well
    driver.send("turn_hand", "dealer", seat=1, cards=("5s", "7s"))
    assert driver.table.piles["three.1"] != ("As", "2s", "3s")
    driver.send("settle_next", "dealer")
    # a flush pays 15 to 1
    assert driver.table.settled[-1].paid == 7500
    assert driver.table.phase == "clearing"
    check_all(driver)
