"""Mistakes and broken devices, each at the edge of its clause, in every chapter that knows it."""

from __future__ import annotations

import pytest
from tables import bets, check_all, keyed, opened, refused, shoe, since

from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import events as e
from houseway.table import legal, next_steps
from houseway.table.driver import Driver

POKER = (MD, MA, PRIME, SAIGON)
FACE_UP = {MD: "13.A", MA: "14(a)", PRIME: "679a.13(a)", SAIGON: "680a.13(a)"} | {
    DOWN_UNDER: "685a.12(a)"
}
UNSEEN = {MD: "13.C", MA: "14(b)", PRIME: "679a.13(b)", SAIGON: "680a.13(b)"} | {
    DOWN_UNDER: "685a.12(b)"
}


def dealing(chapter: str) -> Driver:
    """Cards that nobody knows are dealt; what is seen is keyed in."""
    driver = keyed(chapter)
    driver.wager(1, {"bet" if chapter == DOWN_UNDER else "ante": "10.00"})
    if chapter != DOWN_UNDER:
        driver.send("no_more_bets", "dealer")
        driver.send("deal", "dealer")
    return driver


# cards


@cites(MD, "13.A", "13.B")
@cites(MA, "14(a)")
@cites(PRIME, "679a.13(a)")
@cites(SAIGON, "680a.13(a)")
@cites(DOWN_UNDER, "685a.12(a)")
@pytest.mark.parametrize("chapter", [*POKER, DOWN_UNDER])
def test_a_card_found_face_up_is_seen_by_everybody_and_only_put_away(chapter):
    driver = dealing(chapter)
    before = {name: len(pile) for name, pile in driver.table.piles.items()}
    assert refused(driver, "card_found_face_up", "dealer").code == "cards_not_known"
    events = driver.send("card_found_face_up", "dealer", card="As")
    assert {event.clause for event in events} == {FACE_UP[chapter]}
    after = {name: len(pile) for name, pile in driver.table.piles.items()}
    changed = {name for name in after if after[name] != before.get(name, 0)}
    assert changed == {"shoe", "discard"}
    assert driver.table.piles["discard"][-1] == "As"
    assert not since(driver, 0, e.RoundVoided)


@cites(DOWN_UNDER, "685a.12(a)", "685a.7(d)")
def test_a_cover_card_before_a_card_found_face_up_ends_the_shoe():
    driver = Driver(DOWN_UNDER)
    driver.seat_player(1, "player 1")
    driver.until("loading")
    size = len(driver.table.piles["shoe"])
    # behind the burn card and one more
    driver.send("place_cover_card", "dealer", depth=size - 2)
    driver.until("betting")
    bets(driver, 1)
    driver.send("deal", "dealer")
    assert not since(driver, 0, e.CoverCardReached)
    driver.send("card_found_face_up", "dealer")
    (reached,) = since(driver, 0, e.CoverCardReached)
    assert (reached.clause, reached.place) == ("685a.7(d)", "discard")
    # the hand is completed
    assert driver.table.phase == "dealing"


@cites(MD, "13.C")
@cites(MA, "14(b)")
@cites(PRIME, "679a.13(b)")
@cites(SAIGON, "680a.13(b)")
@cites(DOWN_UNDER, "685a.12(b)")
@pytest.mark.parametrize("chapter", [*POKER, DOWN_UNDER])
def test_a_card_drawn_unseen_is_told_and_stays_the_next_card(chapter):
    driver = dealing(chapter)
    before = driver.table.piles
    (told,) = driver.send("card_drawn_in_error", "dealer")
    assert (type(told), told.clause, told.card) == (e.DrawnInError, UNSEEN[chapter], "")
    assert driver.table.piles == before
    shown = {"cards": ("As",)} if chapter == DOWN_UNDER else {}
    driver.send("deal", "dealer", **shown)
    dealt = since(driver, told.version, e.CardsDealt)
    assert [len(event.cards) for event in dealt] == [1]


@cites(MD, "13.A", "13.C")
@cites(MA, "14(a)", "14(b)")
@cites(PRIME, "679a.13(a)", "679a.13(b)")
@cites(SAIGON, "680a.13(a)", "680a.13(b)")
@cites(DOWN_UNDER, "685a.12(a)", "685a.12(b)", "685a.12(c)")
@pytest.mark.parametrize("chapter", [*POKER, DOWN_UNDER])
def test_a_card_whose_face_was_seen_in_the_deal_is_not_the_next_card(chapter):
    """Only Down Under uses it, and only after everybody has two cards."""
    driver = dealing(chapter)
    error = refused(driver, "card_drawn_in_error", "dealer", exposed=True, card="As")
    assert (error.code, error.clause) == ("out_of_turn", FACE_UP[chapter])


@cites(DOWN_UNDER, "685a.12(c)")
def test_a_card_seen_after_the_deal_is_keyed_in_and_dealt_to_who_draws():
    driver = dealing(DOWN_UNDER)
    for card in ("6h", "9s", "5c"):
        driver.send("deal", "dealer", cards=(card,))
    driver.send("deal", "dealer")
    driver.send("read_hole_card", "device", light="red")
    assert refused(driver, "card_drawn_in_error", "dealer", exposed=True).code == "cards_not_known"
    # no joker is in these decks
    error = refused(driver, "card_drawn_in_error", "dealer", exposed=True, card="Jk")
    assert error.code == "card_not_in_deck"
    (told,) = driver.send("card_drawn_in_error", "dealer", exposed=True, card="As")
    assert (told.card, told.clause) == ("As", "685a.12(c)")
    driver.send("hit", "player", seat=1)
    assert driver.table.piles["seat.1"] == ("6h", "5c", "As")
    # what the system dealt is known: nobody says what it is
    known = shoe("9c 8d 6s 7h 6h Ts 4c")
    bets(known, 1)
    for _ in range(4):
        known.send("deal", "dealer")
    error = refused(known, "card_drawn_in_error", "dealer", exposed=True, card="6h")
    assert error.code == "cards_known"


def with_dealers_hand(chapter: str, role: str) -> Driver:
    """All cards are dealt, and the three of the dealer were read by somebody."""
    driver, hand = dealing(chapter), ["Ks", "8d", "3c"]
    while driver.table.phase == "dealing":
        mine = len(driver.table.piles.get("seat.1", ())) > len(driver.table.piles.get("dealer", ()))
        driver.send("deal", role, cards=(hand.pop(),) if mine else ())
    assert set(driver.table.piles["dealer"]) == {"Ks", "8d", "3c"}
    return driver


@cites(MD, "13.E")
@cites(MA, "14(d)")
@cites(PRIME, "679a.13(d)")
@pytest.mark.parametrize(
    ("chapter", "clause"), [(MD, "13.E"), (MA, "14(d)"), (PRIME, "679a.13(d)")]
)
def test_who_names_the_dealers_exposed_card_names_one_that_lies_there(chapter, clause):
    """Keyed in by the dealer it is named again; what only the system knows is not named at all."""
    driver = with_dealers_hand(chapter, "dealer")
    error = refused(driver, "dealer_card_exposed", "dealer", card="Qh")
    assert error.code == "not_these_cards"
    driver.send("dealer_card_exposed", "dealer", card="8d")
    (seen,) = since(driver, 0, e.CardExposed)
    assert (seen.place, seen.card, seen.clause) == ("dealer", "8d", clause)
    read = with_dealers_hand(chapter, "device")
    for card in ("8d", "Qh"):
        # a shoe that reads the cards tells nobody, by no answer to a guess either
        assert refused(read, "dealer_card_exposed", "dealer", card=card).code == "cards_known"
    known = opened(chapter)
    known.wager(1, {"ante": "10.00"})
    known.until("deciding")
    named = refused(known, "dealer_card_exposed", "dealer", card=known.table.piles["dealer"][0])
    assert named.code == "cards_known"
    known.send("dealer_card_exposed", "dealer")
    if chapter != PRIME:
        for table in (driver, known):
            assert [event.clause for event in since(table, 0, e.RoundVoided)] == [clause]
            assert [event.amount for event in since(table, 0, e.WagerReturned)] == ["10.00"]
            assert table.table.phase == "shuffling"


# devices


@cites(MA, "14(g)", "12(e)")
@cites(MD, "13.H")
@pytest.mark.parametrize("chapter", [MD, MA])
def test_with_a_shuffler_that_cannot_be_used_goes_what_needs_it(chapter):
    """Massachusetts shows on it what Cover All pays; every other wager stays."""
    more = {"cover_all": True} if chapter == MA else {}
    driver = opened(chapter, {"shuffler": "plain", **more})
    driver.wager(
        1, {"ante": "10.00", "pair_plus": "5.00"} | ({"cover_all": "2.00"} if more else {})
    )
    driver.send("device_breaks", "dealer", device="shuffler")
    taken = since(driver, 0, e.WagerTakenBack)
    assert [(event.wager, event.amount) for event in taken] == ([("cover_all", "2.00")] * len(more))
    assert driver.table.boxes[0].layout == {"ante": 1000, "pair_plus": 500}
    check_all(driver)


@cites(MD, "13.H", "2.C")
@cites(MA, "14(g)", "13(a)")
@pytest.mark.parametrize(("chapter", "table"), [(MD, "A"), (MA, "1")])
def test_only_the_progressive_system_gives_progressive_wagers_back(chapter, table):
    rules = {"progressive": table, "shuffler": "plain", "dealing": "automated_shoe"}
    driver = opened(chapter, rules)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", "progressive": "1.00"})
    for device in ("automated_shoe", "shuffler"):
        driver.send("device_breaks", "dealer", device=device)
        assert not since(driver, 0, e.WagerTakenBack)
    driver.send("device_breaks", "dealer", device="progressive")
    back = since(driver, 0, e.WagerTakenBack)
    assert [(event.seat, event.wager, event.amount) for event in back] == [
        (1, "progressive", "1.00"),
        (2, "progressive", "1.00"),
    ]


@cites(MA, "13(a)", "13(b)")
@cites(MD, "2.C")
@pytest.mark.parametrize(("chapter", "table"), [(MD, "A"), (MA, "1")])
def test_without_the_system_no_chips_are_awaited_before_the_deal(chapter, table):
    driver = opened(chapter, {"progressive": table})
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", "progressive": "1.00"})
    driver.until("chips")
    driver.send("device_breaks", "dealer", device="progressive")
    struck = since(driver, 0, e.ProgressiveStruck)
    assert [(event.seat, event.amount) for event in struck] == [(1, "1.00"), (2, "1.00")]
    assert driver.table.phase == "dealing"
    check_all(driver)


@cites(MD, "13.H", "3.B")
@cites(MA, "14(g)", "2(b)")
@pytest.mark.parametrize(("chapter", "how"), [(MD, "covered"), (MA, "removed")])
def test_two_decks_stay_as_long_as_the_shuffler_works(chapter, how):
    rules = {"dealing": "automated_shoe", "shuffler": "plain", "decks_in_play": 2}
    for device, left in (("automated_shoe", 2), ("shuffler", 1)):
        driver = opened(chapter, rules)
        driver.send("device_breaks", "dealer", device=device)
        driver.send("set_device_aside", "floorperson", device=device, how=how)
        assert len(driver.table.decks) == left
        check_all(driver)


@cites(DOWN_UNDER, "685a.12(k)")
def test_a_shuffler_that_is_covered_leaves_the_shoe_that_is_dealt_from():
    """The batch in the shoe was cut and has its cover card: nothing of that is done again."""
    driver = opened(DOWN_UNDER, {"shuffler": "plain", "decks": 4})
    driver.send("device_breaks", "dealer", device="shuffler")
    driver.send("set_device_aside", "floorperson", device="shuffler", how="covered")
    assert driver.table.phase == "betting"
    bets(driver, 1)
    driver.send("deal", "dealer")
    assert driver.table.phase == "dealing"


@cites(DOWN_UNDER, "685a.12(i)")
def test_a_reader_is_put_back_to_work_when_it_is_broken_and_not_before():
    driver = shoe("9c 8d 6s 7h 6h Ts 4c")
    assert refused(driver, "repair_device", "floorperson", device="reader").code == "out_of_turn"
    bets(driver, 1)
    driver.send("device_breaks", "dealer", device="reader")
    error = refused(driver, "deal", "dealer")
    assert (error.code, error.clause) == ("device_out_of_order", "685a.12(i)")
    assert refused(driver, "device_breaks", "dealer", device="reader").code == "out_of_turn"
    driver.send("repair_device", "floorperson", device="reader")
    changed = since(driver, 0, e.DeviceChanged)
    assert [(event.condition, event.clause) for event in changed] == [
        ("broken", "685a.12(i)"),
        ("working", "685a.12(i)"),
    ]
    driver.send("deal", "dealer")


@cites(DOWN_UNDER, "685a.12(i)")
def test_a_device_that_works_is_not_repaired_in_place_of_the_broken_one():
    driver = opened(DOWN_UNDER, {"shuffler": "plain", "decks": 4})
    driver.send("device_breaks", "dealer", device="reader")
    error = refused(driver, "repair_device", "floorperson", device="shuffler")
    assert (error.code, error.field) == ("out_of_turn", "device")
    assert driver.table.devices["reader"].condition == "broken"


@cites(DOWN_UNDER, "685a.12(j)")
@pytest.mark.parametrize(
    ("rules", "device"),
    [
        ({"shuffler": "plain", "decks": 4}, "shuffler"),
        ({"dealing": "continuous_shuffler"}, "continuous_shuffler"),
    ],
)
def test_a_jam_in_down_under_is_reported_and_over_by_its_clause(rules, device):
    driver = opened(DOWN_UNDER, rules)
    offered = {step.command: step.clause for step in next_steps(driver.table, irregularities=True)}
    assert offered["device_jams"] == "685a.12(j)"
    events = driver.send("device_jams", "dealer", device=device)
    assert {event.clause for event in events if event.clause} == {"685a.12(j)"}
    # the batch in the device is shuffled again, and the device works
    driver.send("shuffle", "device")
    changed = since(driver, 0, e.DeviceChanged)
    assert [(event.condition, event.clause) for event in changed] == [
        ("jammed", "685a.12(j)"),
        ("working", "685a.12(j)"),
    ]


@cites(DOWN_UNDER, "685a.12(j)")
def test_without_an_automated_shuffler_nothing_jams():
    driver = opened(DOWN_UNDER)
    assert "device_jams" not in legal(driver.table, "dealer")
    error = refused(driver, "device_jams", "dealer", device="shuffler")
    assert error.clause != "685a.12(j)"


@cites(DOWN_UNDER, "685a.12(c)", "685a.12(j)")
def test_an_exposed_card_stays_the_next_one_though_the_others_are_shuffled_again():
    driver = opened(DOWN_UNDER, {"dealing": "continuous_shuffler"}, players=1)
    bets(driver, 1)
    while driver.table.phase in ("betting", "dealing"):
        driver.send("deal", "dealer")
    seen = driver.table.piles["shoe"][0]
    driver.send("card_drawn_in_error", "dealer", exposed=True)
    left = len(driver.table.piles["shoe"])
    driver.send("device_jams", "dealer", device="continuous_shuffler")
    assert driver.table.phase == "shuffling"
    driver.house()
    assert driver.table.aside == driver.table.piles["shoe"][0] == seen
    assert len(driver.table.piles["shoe"]) == left


@cites(MD, "9.A(1)")
@cites(MA, "8(b)(1)")
@cites(PRIME, "679a.9(a)(1)")
@cites(SAIGON, "680a.9(a)(1)")
@pytest.mark.parametrize("chapter", POKER)
def test_cards_shuffled_by_hand_are_dealt_from_a_shoe_whatever_is_repaired(chapter):
    """Dealt from the hand they must come from the device; dealt from a shoe they need not."""
    how = "removed" if chapter == MA else "covered"
    for dealing_from, waits in (("manual_shoe", False), ("hand", True)):
        driver = opened(chapter, {"shuffler": "plain", "dealing": dealing_from})
        driver.send("device_breaks", "dealer", device="shuffler")
        driver.send("set_device_aside", "floorperson", device="shuffler", how=how)
        driver.ready()
        assert ("repair_device" in legal(driver.table, "floorperson")) == (not waits)
