"""Cards that a reading shoe names, or a dealer keys in: what cannot be there is refused."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import bets, check_all, keyed, opened, refused

from houseway.cards import deck_with_joker
from houseway.errors import Refused
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import Table, evolve, next_steps, rules_of
from houseway.table import events as e
from houseway.table.card_source import pack
from houseway.table.driver import Driver

ANY = st.sampled_from([*map(str, deck_with_joker())])


def by_hand(chapter: str) -> Driver:
    """Two hands about to be dealt from a stack whose order nobody knows."""
    driver = keyed(chapter, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00"})
    return driver


@pytest.mark.slow
@pytest.mark.parametrize("chapter", [MD, MA, PRIME, SAIGON])
@settings(max_examples=30, deadline=None)
@given(cards=st.lists(ANY, min_size=12, max_size=40), by=st.lists(st.sampled_from("ab")))
def test_a_card_is_refused_exactly_when_its_sender_has_named_it(chapter, cards, by):
    """What others have named lies face down, and is nobody's business."""
    driver = by_hand(chapter)
    driver.until("dealing")
    whole = Counter(pack(rules_of(driver.table)))
    named: Counter[tuple[str, str]] = Counter()
    for number, card in enumerate(cards):
        who = by[number] if number < len(by) else "a"
        if driver.table.phase != "dealing":
            break
        table = driver.table
        try:
            driver.send("deal", "dealer", who=who, cards=(card,))
        except Refused as refusal:
            assert refusal.code == ("card_seen_already" if whole[card] else "card_not_in_deck")
            assert named[who, card] == whole[card]
            assert driver.table == table
        else:
            named[who, card] += 1
            assert named[who, card] <= whole[card]


@settings(max_examples=30, deadline=None)
@given(
    decks=st.sampled_from((4, 6, 8)),
    cards=st.lists(st.sampled_from(("As", "Kd", "Jk")), min_size=20, max_size=60),
)
def test_a_card_is_refused_exactly_when_the_deck_was_seen_to_have_it_no_more(decks, cards):
    """Hits of a hand that lies open, over several rounds of one shoe."""
    driver = keyed(DOWN_UNDER, {"decks": decks})
    seen: Counter[str] = Counter()
    for card in cards:
        if driver.table.phase == "betting":
            bets(driver, 1)
        if driver.table.phase in ("betting", "dealing") and driver.table.dealt == 3:
            driver.send("deal", "dealer")  # the hole card, which nobody sees
        if driver.table.phase not in ("betting", "dealing"):
            break
        try:
            driver.send("deal", "dealer", cards=(card,))
        except Refused as refusal:
            assert refusal.code == ("card_not_in_deck" if card == "Jk" else "card_seen_already")
            assert card == "Jk" or seen[card] == decks
        else:
            seen[card] += 1
            assert seen[card] <= decks


@pytest.mark.parametrize("chapter", [MD, MA, PRIME, SAIGON])
def test_a_card_that_was_read_twice_is_found_when_both_lie_open(chapter: str) -> None:
    """It pays nothing before the floorperson has said which of the two it was."""
    driver = by_hand(chapter)
    driver.until("dealing")
    deck = iter([card for card in pack(rules_of(driver.table)) if card not in ("As", "Jk")])
    aces = {0: "dora", 2: "the dealer who relieves her"}  # seat 1, seat 2, the dealer
    for number in range(40):
        if driver.table.phase != "dealing":
            break
        card = "As" if number in aces else next(deck)
        driver.send("deal", "dealer", who=aces.get(number, "dora"), cards=(card,))
    assert "As" in driver.table.piles["seat.1"]
    assert "As" in driver.table.piles["dealer"]
    driver.until("deciding")
    for seat in (1, 2):
        names = [step.command for step in next_steps(driver.table) if step.seat == seat]
        driver.send("play" if "play" in names else "set_hands", "player", seat=seat)
    heard = ""
    for _ in range(40):
        if heard:
            break
        step = next(step for step in next_steps(driver.table) if step.kind == "next")
        if step.command == "correct_card":
            heard = refused(driver, "settle_next", "dealer").code
        else:
            driver.send(step.command, step.role, seat=step.seat)
    assert heard == "card_twice"
    place = next(
        name for name in driver.table.shown
        if name != "dealer" and "As" in driver.table.piles.get(name, ())
    )  # fmt: skip
    spare = next(deck)
    driver.send("correct_card", "floorperson", place=place, was="As", card=spare, reason="misread")
    while driver.table.hands:
        step = next(step for step in next_steps(driver.table) if step.kind == "next")
        driver.send(step.command, step.role, seat=step.seat)
    assert driver.table.round == 1
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
    """The same wagers settled, in the same order and by the same clauses.

    Showdown hands that nobody knew are turned earlier: they show whether the cards were set rightly.
    """
    known = saigon(tuple(order), tuple(bonus))
    keyed = saigon((), tuple(bonus))
    told = known.table
    early = ("680a.11(b)(1)", "680a.11(e)")
    led = [
        [step for step in play_out(driver, told) if step[0] != "turn_hand" or step[2] not in early]
        for driver in (keyed, known)
    ]
    assert led[0] == led[1]
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
def test_a_hand_that_lies_mis_set_is_put_right_for_every_player(bonus):
    """Three cards that qualify are the three-card hand, with or without a Bonus wager."""
    driver = saigon((), (1,) if bonus else ())
    driver.send("reveal_dealer", "dealer", cards=("Ts", "Js", "Qs", "2c", "3c"))
    driver.send("turn_hand", "dealer", seat=2, cards=("Kc", "Kd", "Kh"))
    driver.send("turn_hand", "dealer", seat=2, cards=("9c", "Ac"))  # ten points against five
    driver.send("settle_next", "dealer")
    # ace, two and three do not qualify; with a five and a seven they would
    driver.send("turn_hand", "dealer", seat=1, cards=("As", "2s", "3s"))
    assert refused(driver, "settle_next", "dealer").code == "turn_first"
    step = next(step for step in next_steps(driver.table) if step.command == "turn_hand")
    assert (step.seat, step.clause) == (1, "680a.11(b)(1)")
    driver.send("turn_hand", "dealer", seat=1, cards=("5s", "7s"))
    # 1 + 2 + 7 qualify; 3 + 5 are eight points against the dealer's five
    assert set(driver.table.piles["three.1"]) == {"As", "2s", "7s"}
    driver.send("settle_next", "dealer")
    won = driver.table.settled[-1]
    assert (won.seat, won.result, won.clause) == (1, "win", "680a.11(d)(2)(ii)(B)")
    if bonus:
        driver.send("settle_next", "dealer")
        # a flush pays 15 to 1
        assert driver.table.settled[-1].paid == 7500
    assert driver.table.phase == "clearing"
    check_all(driver)


@cites(SAIGON, "680a.11(b)(1)")
def test_a_hand_whose_ante_is_settled_is_not_asked_for_any_more() -> None:
    """As on records from before a hand that does not qualify was looked at for how it was set."""
    driver = saigon((), ())
    driver.send("reveal_dealer", "dealer", cards=("Ts", "Js", "Qs", "2c", "3c"))
    driver.send("turn_hand", "dealer", seat=2, cards=("As", "2s", "3s"))
    lost = e.WagerSettled(
        version=driver.table.version + 1, at=driver.record[-1].at, role="dealer", seat=2, wager="ante",
        stake="10.00", result="lose", paid="0.00", clause="680a.11(d)(2)(i)",
    )  # fmt: skip
    assert refused(driver, "turn_hand", "dealer", seat=1).code == "out_of_turn"
    driver.table = evolve(driver.table, lost)
    step = next(step for step in next_steps(driver.table) if step.command == "turn_hand")
    assert step.seat == 1


# what was seen of the dealer's cards and named is what lies there


@cites(PRIME, "679a.13(d)", "679a.11(c)")
@pytest.mark.parametrize("dealt", [False, True], ids=["while dealing", "while deciding"])
def test_a_named_card_of_the_dealer_is_among_those_revealed(dealt: bool) -> None:
    driver = keyed(PRIME, {"prime": True})
    driver.wager(1, {"ante": "10.00", "prime": "5.00"})
    driver.until("dealing")
    while "dealer" not in driver.table.piles:
        driver.send("deal", "dealer")
    if dealt:
        driver.until("deciding")
    driver.send("dealer_card_exposed", "dealer", card="As")
    # no other place has it, and it is named again without becoming a second card
    if dealt:
        assert refused(driver, "dealer_card_exposed", "dealer", card="1s").code == "no_such_card"
        driver.send("dealer_card_exposed", "dealer", card="As")
    assert driver.table.piles["dealer"].count("As") == 1
    driver.until("revealing")
    other = refused(driver, "reveal_dealer", "dealer", cards=("Kd", "7c", "2h"))
    assert (other.code, other.field) == ("not_these_cards", "cards")
    driver.send("reveal_dealer", "dealer", cards=("Kd", "As", "2h"))
    seen = refused(driver, "turn_hand", "dealer", seat=1, cards=("As", "9c", "8c"))
    assert seen.code == "card_seen_already"
    check_all(driver)


@cites(DOWN_UNDER, "685a.7(h)", "685a.7(l)", "685a.12(h)")
@pytest.mark.parametrize("when", ["before the reader", "after it"])
def test_a_named_hole_card_is_the_one_that_is_turned(when: str) -> None:
    """The five that everybody saw; a yellow light beside it is a wrong light, as 12(h) has it."""
    driver = keyed(DOWN_UNDER)
    bets(driver, 1)
    for card in ("9c", "Kc", "9h"):
        driver.send("deal", "dealer", cards=(card,))
    driver.send("deal", "dealer")
    if when == "after it":
        driver.send("read_hole_card", "dealer", light="blue")
    exposed = driver.send("dealer_card_exposed", "dealer", card="5s")
    assert isinstance(exposed[0], e.CardExposed)
    if when == "before the reader":
        assert refused(driver, "read_hole_card", "dealer", light="yellow", card="Ks").code == (
            "cards_known"
        )
        driver.send("read_hole_card", "dealer", light="yellow")
        assert driver.table.piles["hole"] == ("5s",)
        assert driver.table.phase == "trouble"
    else:
        driver.send("stand", "player", seat=1)
        assert refused(driver, "reveal_dealer", "dealer", cards=("Ks",)).code == "cards_known"
        driver.send("reveal_dealer", "dealer")
        assert driver.table.piles["hole"] == ("5s",)
    check_all(driver)


@cites(DOWN_UNDER, "685a.7(h)")
def test_a_hole_card_that_stays_down_is_not_named() -> None:
    """A name that nothing came of could be contradicted later."""
    driver = keyed(DOWN_UNDER)
    bets(driver, 1)
    for card in ("9c", "Kc", "9h"):
        driver.send("deal", "dealer", cards=(card,))
    driver.send("deal", "dealer")
    named = refused(driver, "read_hole_card", "dealer", light="blue", card="5s")
    assert (named.code, named.field) == ("cards_not_known", "card")
    driver.send("read_hole_card", "dealer", light="blue")
    assert driver.table.phase == "deciding"
    check_all(driver)
