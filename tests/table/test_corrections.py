"""A card keyed in wrongly but plausibly: payouts are calculated by the right one, and money follows."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tables import DOWN_UNDER_GAMES, GAMES, check_all, in_tray, key_in, keyed, nets, opened, refused

from houseway.errors import Refused
from houseway.game_api.settle import settle
from houseway.games.down_under.settlement import settle as settle_down_under
from houseway.games.down_under.table.state import own
from houseway.law import DOWN_UNDER, MD, cites
from houseway.money import cents
from houseway.table import events as e
from houseway.table import next_steps
from houseway.table.card_source import pack, unseen
from houseway.table.moment import Moment
from houseway.table.round_building import round_of


def asked(driver):
    """What the players in the round may decide now."""
    return [
        step
        for step in next_steps(driver.table)
        if step.role == "player" and step.kind == "next" and step.seat in driver.table.hands
    ]


def correct(driver, place, was, card, **more):
    return driver.send(
        "correct_card", "floorperson", place=place, was=was, card=card, reason="misread", **more
    )


# the poker chapters


def ace_high_against_nothing(wagers):
    driver = keyed(MD)
    driver.wager(1, wagers)
    driver.until("deciding")
    driver.send("play", "player", seat=1)
    driver.send("reveal_dealer", "dealer", cards=("Ac", "Kd", "9h"))
    driver.send("turn_hand", "dealer", seat=1, cards=("2c", "3d", "8h"))
    return driver


@pytest.mark.parametrize("settled_before", [0, 1, 2, 3])
def test_a_correction_is_figured_again_whenever_it_comes(settled_before):
    """A pair that was read as nothing beats ace high: ante, play and Pair Plus win, 10 + 10 + 5."""
    driver = ace_high_against_nothing({"ante": "10.00", "pair_plus": "5.00"})
    for _ in range(settled_before):
        driver.send("settle_next", "dealer")
    tray = in_tray(driver.table)
    change = {"place": "seat.1", "was": "3d", "reason": "misread"}
    seen = refused(driver, "correct_card", "floorperson", card="Kd", **change)
    assert seen.code == "card_seen_already"
    correct(driver, "seat.1", "3d", "2d")
    # each wager that was taken comes back with its win
    order = (1000, 1000, 500)
    assert in_tray(driver.table) == tray - 2 * sum(order[:settled_before])
    driver.until("shuffling")
    assert nets(driver) == {1: 2500}
    check_all(driver)
    over = refused(driver, "correct_card", "floorperson", card="3d", **{**change, "was": "2d"})
    assert over.code == "out_of_turn"
    driver.send("correct_payment", "floorperson", seat=1, amount="5.00", to="house", reason="tape")
    assert nets(driver) == {1: 2000}


def test_corrections_follow_one_another():
    """Each makes good what differs from the one before, not from the first."""
    driver = ace_high_against_nothing({"ante": "10.00", "pair_plus": "5.00"})
    for _ in range(3):
        driver.send("settle_next", "dealer")
    correct(driver, "seat.1", "3d", "2d")
    correct(driver, "seat.1", "2d", "3d")
    correct(driver, "dealer", "Kd", "Qd")
    correct(driver, "seat.1", "3d", "2d")
    driver.until("shuffling")
    assert nets(driver) == {1: 2500}


@cites(MD, "12.B(1)(c)")
def test_a_bonus_that_only_the_right_card_pays_becomes_due_and_is_paid():
    driver = ace_high_against_nothing({"ante": "10.00"})
    for _ in range(2):
        driver.send("settle_next", "dealer")
    assert driver.table.phase == "clearing"
    correct(driver, "seat.1", "8h", "4h")
    # a straight beats ace high, and pays the ante bonus at 1 to 1 beside
    assert driver.table.phase == "settling"
    assert [(line.wager, line.result, line.paid) for line in driver.table.due] == [
        ("ante_bonus", "bonus", 1000)
    ]
    driver.send("settle_next", "dealer")
    assert nets(driver) == {1: 3000}
    # and taken back where a second look takes it away
    correct(driver, "seat.1", "4h", "8h")
    assert nets(driver) == {1: -2000}
    driver.until("shuffling")
    check_all(driver)


def with_meter(cards):
    driver = keyed(MD, {"progressive": "A"}, meters={"progressive": {"rate": "14%"}})
    driver.wager(1, {"ante": "10.00", "progressive": "1.00"})
    driver.until("deciding")
    driver.send("play", "player", seat=1)
    driver.send("reveal_dealer", "dealer", cards=("Ac", "Kd", "9h"))
    driver.send("turn_hand", "dealer", seat=1, cards=cards)
    driver.until("clearing")
    return driver


@cites(MD, "12.E(1)(a)(i)", "12.E(4)")
def test_what_a_meter_owes_by_the_right_card_is_validated_and_paid():
    driver = with_meter(("As", "Ks", "Jd"))
    assert nets(driver) == {1: 2000 - 100}
    correct(driver, "seat.1", "Jd", "Qs")
    assert [(line.wager, line.result) for line in driver.table.due] == [
        ("ante_bonus", "bonus"), ("progressive", "win"),
    ]  # fmt: skip
    driver.send("settle_next", "dealer")
    assert refused(driver, "settle_next", "dealer").code == "not_validated"
    driver.until("shuffling")
    # the seed of 1,000 and 14 cents of this wager, the whole meter; a straight flush's bonus, 5 to 1
    assert nets(driver) == {1: 2000 + 5000 + 100_014 - 100}
    assert driver.table.meters["progressive"] == "100000"
    check_all(driver)


def test_what_a_meter_has_paid_is_not_taken_back_by_itself():
    driver = with_meter(("As", "Ks", "Qs"))
    before = nets(driver)
    # another card of the dealer changes nothing at the meter
    correct(driver, "dealer", "9h", "8h")
    assert nets(driver) == before
    change = {"place": "seat.1", "was": "Qs", "card": "Jd", "reason": "misread"}
    assert refused(driver, "correct_card", "floorperson", **change).code == "meter_has_paid"


def test_hidden_cards_cannot_be_sounded_out():
    driver = opened(MD, players=1)
    driver.wager(1, {"ante": "10.00"})
    driver.until("deciding")
    dealers = driver.table.piles["dealer"][0]
    spare = driver.table.piles["discard"][0]
    for was in (dealers, "?"):
        change = {"place": "dealer", "was": was, "card": spare, "reason": "x"}
        assert refused(driver, "correct_card", "floorperson", **change).code == "cards_known"


@pytest.mark.parametrize(("chapter", "rules", "wagers"), GAMES)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=8, deadline=None)
def test_everybody_ends_with_what_the_right_cards_pay(chapter, rules, wagers, seed):
    rng = random.Random(seed)
    driver = keyed(chapter, rules, players=3)
    for seat in (1, 2, 3):
        driver.wager(seat, wagers)
    tries = 6
    while driver.table.phase != "clearing" or tries:
        if driver.table.phase == "deciding":
            step = rng.choice(asked(driver))
            driver.send(step.command, "player", seat=step.seat)
        elif tries and driver.table.phase in ("settling", "clearing") and rng.random() < 0.4:
            tries -= 1
            try_to_correct(driver, rng)
        elif driver.table.phase != "clearing":
            key_in(driver, rng.choice)
    now = Moment(driver.table, "dealer")
    assume(not any(line.meter for line in driver.table.settled))
    expected = {seat.seat: seat.net for seat in settle(round_of(now)).seats}
    assert nets(driver) == expected
    check_all(driver)


def try_to_correct(driver, rng):
    """Some card that lies face up was another one."""
    table = driver.table
    places = [name for name in table.piles if name in table.shown]
    places += [name for name in table.racked if name.startswith("seat.")]
    place = rng.choice(places)
    held = table.piles.get(place) or table.racked[place]
    number = rng.randrange(len(held)) + 1
    known = {card for pile in table.piles.values() for card in pile}
    rules = Moment(table, "dealer").rules
    spare = [card for card in pack(rules) if rules.options.get("decks") or card not in known]
    try:
        correct(driver, place, held[number - 1], rng.choice(spare), number=number)
    except Refused as refusal:
        assert refusal.code in (
            "card_seen_already",
            "not_these_cards",
            "cannot_be_figured",
            "not_wrong",
        )


# Down Under


def blackjack(first, rules=None, bets=("10.00",), **wagers):
    """Hands dealt card by card as they are keyed in; the hole card stays unknown."""
    driver = keyed(DOWN_UNDER, rules, players=len(bets))
    for seat, bet in enumerate(bets, 1):
        driver.wager(seat, {"bet": bet, **wagers})
    for card in first.split():
        driver.send("deal", "dealer", cards=(card,))
    driver.send("deal", "dealer")
    return driver


def read(driver, light, **more):
    driver.send("read_hole_card", "device", light=light, **more)


def settle_all(driver):
    driver.until("clearing")
    return nets(driver)


@cites(DOWN_UNDER, "685a.7(f)", "685a.11(c)")
def test_match_the_dealer_is_paid_by_the_right_card():
    """A nine read as a six: the match of the nine up was collected, and is paid 4 to 1 instead."""
    driver = blackjack("6c 9d Kc", {"match_the_dealer": True}, match_the_dealer="5.00")
    driver.send("settle_next", "dealer")
    assert nets(driver) == {1: -1500}
    read(driver, "blue")
    correct(driver, "seat.1", "6c", "9c")
    # six decks: an unsuited match pays 4 to 1, beside the stake that comes back
    assert nets(driver) == {1: -1000 + 4 * 500}
    assert driver.table.phase == "deciding"
    driver.send("stand", "player", seat=1)
    driver.send("reveal_dealer", "dealer", cards=("5h",))
    driver.send("dealer_draws", "dealer", card="5d")
    # 19 against 19
    assert settle_all(driver) == {1: 2000}
    check_all(driver)


@cites(DOWN_UNDER, "685a.7(o)(2)", "685a.7(q)(1)", "685a.9(a)")
def test_a_hand_counts_as_corrected_with_its_double():
    """11 doubled and drawn to 20; the card was a three and made 14."""
    driver = blackjack("6c 9d 5c")
    read(driver, "yellow")
    driver.send("double", "player", seat=1, amount="10.00", card="9h")
    driver.send("reveal_dealer", "dealer", cards=("Th",))
    driver.send("settle_next", "dealer")
    assert driver.table.settled[-1].result == "win"
    correct(driver, "seat.1", "9h", "3h")
    # dealer's 19 beats 14: bet and double are lost
    assert settle_all(driver) == {1: -2000}


@cites(DOWN_UNDER, "685a.7(k)")
def test_who_was_thought_bust_decides_again_while_the_hole_card_is_down():
    driver = blackjack("6c Tc 9d Tc 8d", bets=("10.00", "10.00"))
    read(driver, "blue")
    driver.send("hit", "player", seat=1, card="Kh")
    driver.send("stand", "player", seat=2)
    assert driver.table.phase == "revealing"
    correct(driver, "seat.1", "Kh", "3h")
    assert driver.table.phase == "deciding"
    driver.send("hit", "player", seat=1, card="2h")
    # 6 + 10 + 3 + 2
    driver.send("reveal_dealer", "dealer", cards=("5h",))
    driver.send("dealer_draws", "dealer", card="4d")
    assert settle_all(driver) == {1: 1000, 2: 0}


@cites(DOWN_UNDER, "685a.7(k)")
def test_a_card_that_was_too_much_ends_the_hand():
    driver = blackjack("6c 9d Tc")
    read(driver, "blue")
    driver.send("hit", "player", seat=1, card="2h")
    correct(driver, "seat.1", "2h", "Qh")
    assert driver.table.phase == "revealing"
    driver.send("reveal_dealer", "dealer", cards=("5h",))
    assert settle_all(driver) == {1: -1000}


@cites(DOWN_UNDER, "685a.7(k)")
def test_after_the_hole_card_a_hand_stands_as_it_lies():
    """The bust hand was 19; nobody was left to play for, so the dealer draws after all."""
    driver = blackjack("6c 9d Tc")
    read(driver, "blue")
    driver.send("hit", "player", seat=1, card="Kh")
    driver.send("reveal_dealer", "dealer", cards=("5h",))
    driver.send("settle_next", "dealer")
    assert driver.table.phase == "clearing"
    correct(driver, "seat.1", "Kh", "3h")
    assert driver.table.phase == "drawing"
    driver.send("dealer_draws", "dealer", card="4d")
    # 9 + 5 + 4 is 18 against 19
    assert settle_all(driver) == {1: 1000}
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(d)", "685a.7(m)")
def test_what_the_dealer_drew_on_seventeen_goes_to_the_rack():
    driver = blackjack("Tc 9d 8c")
    read(driver, "red")
    driver.send("stand", "player", seat=1)
    driver.send("reveal_dealer", "dealer", cards=("6h",))
    driver.send("dealer_draws", "dealer", card="5s")
    assert driver.table.due[0].result == "lose"
    correct(driver, "hole", "6h", "8h")
    assert driver.table.piles["dealer"] == ("9d",)
    assert driver.table.piles["discard"][-1] == "5s"
    # 17 against 18
    assert settle_all(driver) == {1: 1000}


@cites(DOWN_UNDER, "685a.7(h)(1)", "685a.7(h)(2)", "685a.8(c)", "685a.9(b)")
def test_a_dealers_blackjack_that_comes_to_light_late():
    """The ace's ten was read as a nine: only first bets are lost, and insurance wins after all."""
    driver = blackjack("Kc 5c 9h As Ac 6c 9c", bets=("10.00", "10.00", "10.00"))
    driver.send("decline_insurance", "player", seat=1)
    driver.send("insure", "player", seat=2, amount="5.00")
    driver.send("decline_insurance", "player", seat=3)
    driver.send("close_insurance", "dealer")
    read(driver, "red")
    driver.send("settle_next", "dealer")
    driver.send("settle_next", "dealer")
    assert nets(driver) == {1: 1500, 2: -1500, 3: -1000}
    driver.send("double", "player", seat=2, amount="10.00", card="9d")
    driver.send("stand", "player", seat=3)
    driver.send("reveal_dealer", "dealer", cards=("9s",))
    assert driver.table.phase == "settling"
    correct(driver, "hole", "9s", "Ts")
    # the light was wrong as well: the dealer lets every hand go on
    assert driver.table.phase == "trouble"
    for seat in own(driver.table).light_seats:
        driver.send("hand_goes_on", "dealer", seat=seat)
    # blackjack against blackjack is a tie; insurance pays 2 to 1; the double comes back
    assert settle_all(driver) == {1: 0, 2: -1000 + 1000, 3: -1000}
    check_all(driver)


@cites(DOWN_UNDER, "685a.7(h)")
def test_a_dealers_blackjack_that_was_none():
    """Before a bet is settled by it the round goes on; afterwards it cannot be figured."""
    driver = blackjack("9c As 8c")
    driver.send("close_insurance", "dealer")
    read(driver, "yellow", card="Ks")
    assert driver.table.phase == "settling"
    correct(driver, "hole", "Ks", "Ah")
    assert driver.table.phase == "deciding"
    driver.send("stand", "player", seat=1)
    # two aces are 22 by the letter: no two Large cards, no 21, so the bet is returned
    driver.send("reveal_dealer", "dealer")
    assert settle_all(driver) == {1: 0}
    late = blackjack("9c As 8c")
    late.send("close_insurance", "dealer")
    read(late, "yellow", card="Ks")
    late.send("settle_next", "dealer")
    change = {"place": "hole", "was": "Ks", "card": "Ah", "reason": "misread"}
    assert refused(late, "correct_card", "floorperson", **change).code == "cannot_be_figured"


@cites(DOWN_UNDER, "685a.7(i)(1)")
def test_a_blackjack_paid_and_cleared_that_was_none_is_not_figured():
    driver = blackjack("Ac 5c 9d Kc 6c", bets=("10.00", "10.00"))
    read(driver, "blue")
    driver.send("settle_next", "dealer")
    assert "seat.1" in driver.table.racked
    change = {"place": "seat.1", "was": "Kc", "card": "9h", "reason": "misread"}
    assert refused(driver, "correct_card", "floorperson", **change).code == "cannot_be_figured"
    # another ten is a blackjack as well, and changes nothing
    correct(driver, "seat.1", "Kc", "Qc")
    assert driver.table.racked["seat.1"] == ("Ac", "Qc")
    assert nets(driver) == {1: 1500, 2: -1000}
    check_all(driver)


@cites(DOWN_UNDER, "685a.7(i)(1)", "685a.11(a)")
def test_a_blackjack_found_late_is_paid_three_to_two():
    driver = blackjack("Ac 9d 9c")
    read(driver, "blue")
    driver.send("stand", "player", seat=1)
    correct(driver, "seat.1", "9c", "Jc")
    driver.send("settle_next", "dealer")
    assert nets(driver) == {1: 1500}


@cites(DOWN_UNDER, "685a.8(a)")
def test_insurance_on_what_was_no_ace_is_off():
    driver = blackjack("9c As 8c")
    driver.send("insure", "player", seat=1, amount="5.00")
    correct(driver, "dealer", "As", "4s")
    assert driver.table.phase == "reading"
    assert nets(driver) == {1: -1000}
    read(driver, "yellow")
    driver.send("stand", "player", seat=1)
    driver.send("reveal_dealer", "dealer", cards=("Ks",))
    driver.send("dealer_draws", "dealer", card="7d")
    assert settle_all(driver) == {1: -1000}
    collected = blackjack("9c As 8c")
    collected.send("insure", "player", seat=1, amount="5.00")
    collected.send("close_insurance", "dealer")
    read(collected, "blue")
    collected.send("settle_next", "dealer")
    correct(collected, "dealer", "As", "4s")
    assert nets(collected) == {1: -1000}


@cites(DOWN_UNDER, "685a.7(g)", "685a.8(b)")
def test_an_ace_that_was_read_as_another_card_still_brings_insurance():
    driver = blackjack("9c 4s 8c")
    assert driver.table.phase == "reading"
    correct(driver, "dealer", "4s", "As")
    assert driver.table.phase == "insuring"


@cites(DOWN_UNDER, "685a.12(h)")
def test_a_light_that_was_right_after_all_needs_no_way_out():
    driver = blackjack("9c 6d Kc")
    read(driver, "blue")
    driver.send("stand", "player", seat=1)
    driver.send("reveal_dealer", "dealer", cards=("7h",))
    assert driver.table.phase == "trouble"
    correct(driver, "hole", "7h", "2h")
    assert driver.table.phase == "drawing"


def test_of_two_like_cards_the_right_one_is_named():
    driver = blackjack("8c 6d 8c")
    read(driver, "blue")
    change = {"place": "seat.1", "was": "8c", "card": "9c", "reason": "misread"}
    assert refused(driver, "correct_card", "floorperson", **change).code == "which_card"
    correct(driver, "seat.1", "8c", "9c", number=2)
    assert driver.table.piles["seat.1"] == ("8c", "9c")


# few cards, so that hands meet the same ones, as long as the decks have them
DRAWN = ("2c", "5d", "9h", "Ks", "As")


@pytest.mark.slow
@pytest.mark.parametrize(("chapter", "rules", "wagers"), DOWN_UNDER_GAMES)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_everybody_at_a_blackjack_table_ends_with_what_the_right_cards_pay(
    chapter, rules, wagers, seed
):
    """Whatever was keyed in wrongly and whenever it is found, decisions as they were taken."""
    rng = random.Random(seed)
    driver = keyed(chapter, rules, players=3)
    for seat in (1, 2, 3):
        driver.wager(seat, wagers)
    driver.send("deal", "dealer", cards=("7c",))
    for _ in range(400):
        phase = driver.table.phase
        if driver.table.dealt > 3 and rng.random() < 0.15:
            try_to_correct(driver, rng)
            check_all(driver)
        elif phase == "clearing":
            if rng.random() < 0.5:
                break
        elif phase == "trouble":
            driver.send("hand_goes_on", "dealer", seat=own(driver.table).light_seats[0])
        elif phase in ("deciding", "insuring") and asked(driver):
            step = rng.choice(asked(driver))
            fields = {"amount": "5.00"} if step.command in ("insure", "double") else {}
            if step.command in ("hit", "double"):
                left = set(unseen(Moment(driver.table, "dealer")))
                fields["card"] = rng.choice([one for one in DRAWN if one in left])
            driver.send(step.command, "player", seat=step.seat, **fields)
        else:
            key_in(driver, rng.choice)
    else:
        raise AssertionError(f"no end in {phase}")
    lines = {(line.seat, line.wager) for line in driver.table.settled if line.result != "returned"}
    round = round_of(Moment(driver.table, "dealer"))
    expected = {seat.seat: seat.net for seat in settle_down_under(round).seats}
    for seat in round.seats:
        # insurance taken on a card that was no ace is off
        if "insurance" in seat.wagers and (seat.seat, "insurance") not in lines:
            taken = next(
                line
                for line in settle_down_under(round).seat(seat.seat).lines
                if line.wager == "insurance"
            )
            expected[seat.seat] -= taken.net
    assert nets(driver) == expected
    check_all(driver)


@cites(DOWN_UNDER, "685a.8(a)", "685a.7(h)")
def test_a_card_corrected_before_the_dealer_draws_is_no_late_blackjack():
    """The ace under which insurance was lost was a four: insurance goes back, and the dealer draws."""
    driver = blackjack("9c As 8c", bets=("10.00",))
    driver.send("insure", "player", seat=1, amount="5.00")
    driver.send("close_insurance", "dealer")
    read(driver, "red")
    driver.until("deciding")
    driver.send("stand", "player", seat=1)
    driver.send("reveal_dealer", "dealer", cards=("9h",))
    correct(driver, "dealer", "As", "4c")
    driver.send("dealer_draws", "dealer", card="Tc")
    (made_good,) = (x for x in driver.record if isinstance(x, e.PaymentCorrected))
    assert (made_good.amount, made_good.reason, made_good.clause) == (
        "5.00", "a card was corrected", "",
    )  # fmt: skip


def test_a_void_of_insurance_returns_exactly_what_was_placed():
    driver = blackjack("9c As 8c", bets=("25.00",))
    driver.send("insure", "player", seat=1, amount="12.50")
    correct(driver, "dealer", "As", "Ks")
    back = [event for event in driver.record if isinstance(event, e.WagerTakenBack)]
    assert [(event.seat, cents(event.amount)) for event in back] == [(1, 1250)]
