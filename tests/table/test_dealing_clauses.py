"""How cards are shuffled and dealt in the poker chapters: each card by the clause of its place."""

from __future__ import annotations

import pytest
from tables import check_all, keyed, opened, refused, since, to_shuffle

from houseway.law import MA, MD, PRIME, SAIGON, cites
from houseway.table import events as e
from houseway.table import legal, next_steps, rules_of
from houseway.table.card_source import pack
from houseway.table.driver import Driver

POKER = (MD, MA, PRIME, SAIGON)


def stacked(chapter: str, rules: dict[str, object], hands: tuple[str, ...]) -> Driver:
    """A table whose automated shoe gives these hands: the seats', and the dealer's last."""
    driver = Driver(chapter, {"dealing": "automated_shoe", "shuffler": "plain", **rules})
    for seat in range(1, len(hands)):
        driver.seat_player(seat, f"player {seat}")
    driver.until("shuffling")
    top = " ".join(hands).split()
    rest = [card for card in pack(rules_of(driver.table)) if card not in top]
    driver.send("shuffle", "system", order=(*top, *rest))
    return driver


@cites(MD, "10.A", "10.B")
@cites(MA, "9(b)", "9(c)")
@cites(PRIME, "679a.10(a)", "679a.10(b)")
@cites(SAIGON, "680a.10(a)", "680a.10(a)(2)", "680a.10(b)")
@pytest.mark.parametrize("chapter", POKER)
def test_the_automated_shoe_gives_whole_stacks_once_the_bets_are_closed(chapter):
    driver = opened(chapter, {"dealing": "automated_shoe"}, players=3)
    for seat in (1, 3):
        driver.wager(seat, {"ante": "10.00"})
    assert refused(driver, "deal", "dealer").code == "bets_open"
    driver.send("no_more_bets", "dealer")
    (closed,) = since(driver, 0, e.BetsClosed)
    assert closed.seats == (1, 3)
    assert driver.table.phase == "dealing"
    driver.until("stub")
    dealt = since(driver, 0, e.CardsDealt)
    size = 5 if chapter == SAIGON else 3
    assert [(event.to, len(event.cards), event.face_up) for event in dealt] == [
        ("seat.1", size, False),
        ("seat.3", size, False),
        ("dealer", size, False),
    ]


@cites(PRIME, "679a.5(d)", "679a.5(e)", "679a.5(f)", "679a.5(g)", "679a.9(a)(1)")
@cites(SAIGON, "680a.5(d)", "680a.5(e)", "680a.5(f)", "680a.5(g)", "680a.9(a)(1)")
@pytest.mark.parametrize("dealing", ["manual_shoe", "hand"])
@pytest.mark.parametrize("chapter", [PRIME, SAIGON])
def test_a_device_that_reshuffles_by_itself_spares_cut_recut_and_spread(chapter, dealing):
    part = "679a" if chapter == PRIME else "680a"
    driver = opened(chapter, {"shuffler": "reshuffling", "dealing": dealing})
    assert not since(driver, 0, e.CardsCut)
    assert "order_recut" not in legal(driver.table, "floorperson")
    assert "spread_idle" not in legal(driver.table, "dealer")
    not_here = {f"{part}.5({letter})" for letter in "def"}
    assert refused(driver, "order_recut", "floorperson", reason="a doubt").clause not in not_here
    assert refused(driver, "cut", "dealer", depth=20).clause not in not_here
    to_shuffle(driver)
    error = refused(driver, "shuffle", "dealer")
    assert error.code == "device_shuffles"
    # from the hand the device is asked for by a clause of its own
    assert (error.clause == f"{part}.9(a)(1)") == (dealing == "hand")
    driver.send("shuffle", "device")
    assert driver.table.phase == "betting"
    # with any other way to shuffle the cards are cut, and a recut may be ordered
    driver = opened(chapter)
    assert [event.clause for event in since(driver, 0, e.CardsCut)] == [f"{part}.5(d)"]
    driver.send("order_recut", "floorperson", reason="a doubt")
    (ordered,) = since(driver, 0, e.CutOrdered)
    assert (ordered.clause, ordered.seats) == (f"{part}.5(e)", ())


@cites(PRIME, "679a.8(c)", "679a.9(b)", "679a.10(c)")
@pytest.mark.parametrize(
    ("rules", "clause"),
    [
        ({}, "679a.8(c)"),
        ({"dealing": "hand", "shuffler": "plain"}, "679a.9(b)"),
        ({"dealing": "automated_shoe"}, "679a.10(c)"),
    ],
)
def test_a_fourth_card_is_dealt_face_down_for_each_pair_bonus(rules, clause):
    driver = opened(PRIME, {**rules, "pair_bonus": "A"}, players=3)
    for seat in (1, 2, 3):
        driver.wager(seat, {"ante": "10.00"} | ({"pair_bonus": "5.00"} if seat != 2 else {}))
    driver.until("deciding")
    dealt = since(driver, 0, e.CardsDealt)
    fourth = [event for event in dealt if event.to.startswith("fourth")]
    assert [(event.to, len(event.cards), event.face_up) for event in fourth] == [
        ("fourth.1", 1, False),
        ("fourth.3", 1, False),
    ]
    assert {event.clause for event in fourth} == {clause}
    # after everybody has three cards; what is left is put away unseen
    assert dealt[-2:] == fourth
    left = 52 - 4 * 3 - 2
    moved = [event for event in since(driver, 0, e.CardsMoved) if event.source == "shoe"]
    assert [(event.to, event.count) for event in moved] == [("discard", left)]
    assert "discard" not in driver.table.shown
    check_all(driver)


@cites(PRIME, "679a.11(d)(2)", "679a.11(d)(2)(i)", "679a.11(d)(2)(ii)")
def test_the_fourth_card_is_revealed_for_a_pair_or_better_only():
    """Keyed in as they are turned: the three first, and then the fourth where it decides."""
    for cards, shown in ((("2c", "5d", "9h"), False), (("7c", "7d", "Ah"), True)):
        driver = keyed(PRIME, {"pair_bonus": "A"})
        driver.wager(1, {"ante": "10.00", "pair_bonus": "5.00"})
        driver.until("deciding")
        driver.send("play", "player", seat=1)
        driver.until("revealing")
        driver.send("reveal_dealer", "dealer", cards=("Qs", "8s", "3d"))
        asked = [step.seat for step in next_steps(driver.table) if step.command == "turn_hand"]
        assert asked == [1]
        driver.send("turn_hand", "dealer", seat=1, cards=cards)
        turned = []
        while driver.table.phase == "settling":
            step = next(step for step in next_steps(driver.table) if step.kind == "next")
            if step.command == "turn_hand":
                turned.append(step.seat)
                driver.send("turn_hand", "dealer", seat=1, cards=("Kd",))
            else:
                driver.send(step.command, step.role, seat=step.seat, **driver.fields_of(step))
        assert turned == [1] * shown
        (bonus,) = [line for line in driver.table.settled if line.wager == "pair_bonus"]
        assert bonus.result == ("win" if shown else "lose")


@cites(MA, "9(c)", "9(c)(1)", "9(c)(2)")
@pytest.mark.parametrize(("way", "clause"), [("delivered", "9(c)(1)"), ("left_in_shoe", "9(c)(2)")])
def test_massachusetts_delivers_the_dealers_stack_now_or_later(way, clause):
    driver = opened(MA, {"dealing": "automated_shoe", "dealer_stack": way})
    driver.wager(1, {"ante": "10.00"})
    driver.until("deciding")
    last = since(driver, 0, e.CardsDealt)[-1]
    assert (len(last.cards), last.face_up, last.clause) == (3, False, clause)
    assert ("dealer" in driver.table.piles) == (way == "delivered")


@cites(MA, "13(d)(a)")
def test_massachusetts_meter_grows_by_the_clause_that_pays_from_it():
    driver = opened(MA, {"progressive": "1"})
    before = driver.table.meters["progressive"]
    driver.wager(1, {"ante": "10.00", "progressive": "1.00"})
    driver.until("dealing")
    (grown,) = since(driver, 0, e.MeterMoved)
    assert (grown.why, grown.clause) == ("wagers", "13(d)(a)")
    assert driver.table.meters["progressive"] != before


@cites(MA, "13(e)(a)", "13(e)(c)")
def test_massachusetts_pays_envy_at_the_end_for_every_hand_of_others():
    """Two qualifying hands: who has neither is paid for both, who has one for the other's."""
    hands = ("As Ks Qs", "Ah Kh Qh", "2c 5d 9h", "3c 4d 8h")
    driver = stacked(MA, {"progressive": "1"}, hands)
    for seat in (1, 2, 3):
        driver.wager(seat, {"ante": "5.00", "progressive": "1.00"})
    driver.until("deciding")
    for seat in (1, 2, 3):
        driver.send("play", "player", seat=seat)
    told = set()
    while driver.table.phase != "clearing":
        for step in next_steps(driver.table):
            if step.command == "settle_next" and driver.table.due[0].wager == "envy":
                told.add(step.clause)
        driver.house()
    assert told == {"13(e)(c)"}
    wagers = [line.wager for line in driver.table.settled]
    assert wagers[wagers.index("envy") :] == ["envy"] * wagers.count("envy")
    envy: dict[int, list[int]] = {}
    for line in driver.table.settled:
        if line.wager == "envy":
            envy.setdefault(line.seat, []).append(line.paid)
    # $100 for spades, $25 for another suit; nobody is paid for his own
    assert {seat: sum(paid) for seat, paid in envy.items()} == {1: 2500, 2: 10_000, 3: 12_500}


@cites(SAIGON, "680a.11(b)", "680a.11(b)(1)")
def test_a_player_who_names_one_hand_only_is_not_set_another_way():
    driver = keyed(SAIGON)
    driver.wager(1, {"ante": "10.00"})
    driver.until("deciding")
    for hand in ({"three": ("As", "2s", "7s")}, {"two": ("As", "2s")}):
        error = refused(driver, "set_hands", "player", seat=1, **hand)
        assert error.code == "cards_not_known"
    known = opened(SAIGON)
    known.wager(1, {"ante": "10.00"})
    known.until("deciding")
    held = known.table.piles["seat.1"]
    for hand in ({"three": held[:3]}, {"two": held[3:]}):
        assert refused(known, "set_hands", "dealer", seat=1, **hand).code == "not_your_part"
    # three and two are the five cards that were dealt, and with the last hand set the round goes on
    other = next(card for card in pack(rules_of(known.table)) if card not in held)
    for three, two in ((held[:2], held[2:]), ((other, *held[1:3]), held[3:])):
        refused(known, "set_hands", "player", seat=1, three=three, two=two)
    known.send("set_hands", "player", seat=1)
    assert known.table.phase != "deciding"
