"""Three Card Poker in Maryland and Massachusetts, clause by clause: what each orders in trouble."""

from __future__ import annotations

from typing import Any

import pytest
from tables import check_all, opened, refused, since

from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.money import cents
from houseway.table import events as e
from houseway.table import next_steps
from houseway.table.driver import Driver

BOTH = (MD, MA)


def ways_on(driver: Driver, **more: Any) -> dict[str, str]:
    """What leads on, and by which clause."""
    return {step.command: step.clause for step in next_steps(driver.table, **more) if step.kind == "next"}  # fmt: skip


# wagers


@cites(MD, "7.D", "7.E")
@cites(MA, "6(d)")
@cites(PRIME, "679a.7(c)")
@cites(SAIGON, "680a.7(c)")
@cites(DOWN_UNDER, "685a.6(c)")
@pytest.mark.parametrize(
    ("id", "clause"),
    [
        (MD, "7.E"), (MA, "6(d)"), (PRIME, "679a.7(c)"), (SAIGON, "680a.7(c)"),
        (DOWN_UNDER, "685a.6(c)"),
    ],
)  # fmt: skip
def test_a_wager_after_the_bets_are_closed_is_refused_by_the_clause_that_closes_them(
    id: str, clause: str
) -> None:
    driver = opened(id)
    wager = "bet" if id == DOWN_UNDER else "ante"
    driver.wager(1, {wager: "10.00"})
    driver.send(*(("deal", "dealer") if id == DOWN_UNDER else ("no_more_bets", "dealer")))
    for seat in (1, 2):
        made = {"seat": seat, "wager": wager, "amount": "10.00"}
        assert refused(driver, "place_wager", "player", **made).clause == clause
    assert refused(driver, "take_back_wager", "player", seat=1, wager=wager).clause == clause
    if id != DOWN_UNDER:
        driver.send("order_recut", "floorperson", reason="a loose cut")
        made = {"seat": 1, "wager": wager, "amount": "10.00"}
        assert refused(driver, "place_wager", "player", **made).clause == clause


@cites(MA, "6(b)", "6(d)")
def test_a_coupon_after_no_more_bets_is_refused_by_the_clause_that_closes_the_bets() -> None:
    driver = opened(MA, {"match_play": True})
    driver.wager(1, {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")
    coupon = {"seat": 1, "wager": "ante", "value": "10.00"}
    assert refused(driver, "place_coupon", "player", **coupon).clause == "6(d)"


# people


@cites(MD, "7.C(1)", "7.C(2)")
@cites(MA, "6(c)")
@pytest.mark.parametrize(("id", "in_round", "between"), [(MD, "7.C(2)", "7.C(1)"), (MA, "6(c)", "6(c)")])  # fmt: skip
def test_a_player_who_walks_away_in_a_round_is_recorded_by_the_clause_for_that(
    id: str, in_round: str, between: str
) -> None:
    driver = opened(id)
    driver.wager(1, {"ante": "10.00"})
    driver.until("deciding")
    driver.send("leave_seat", "floorperson", seat=1)
    driver.send("leave_seat", "player", seat=2)
    left = since(driver, 0, e.PlayerLeft)
    assert [event.clause for event in left] == [in_round, between]


@cites(MA, "6(c)")
def test_massachusetts_declares_nothing_abandoned() -> None:
    driver = opened(MA)
    driver.wager(1, {"ante": "10.00", "pair_plus": "5.00"})
    driver.until("deciding")
    driver.send("leave_seat", "floorperson", seat=1)
    error = refused(driver, "declare_abandoned", "floorperson", seat=1)
    assert (error.code, error.clause) == ("not_in_this_chapter", "6(c)")
    assert ways_on(driver) == {"fold": "10(b)"}


# devices


@cites(MD, "2.C")
@cites(MA, "13(a)")
@pytest.mark.parametrize(("id", "rules", "clause"), [(MD, {"progressive": "A"}, "2.C"), (MA, {"progressive": "1"}, "13(a)")])  # fmt: skip
def test_the_progressive_system_has_its_own_clause_and_not_that_of_shufflers(
    id: str, rules: dict[str, str], clause: str
) -> None:
    driver = opened(id, rules)
    offered = {step.command: step.clause for step in next_steps(driver.table, irregularities=True)}
    assert offered["device_breaks"] == clause
    driver.send("device_breaks", "dealer", device="progressive")
    offered = {step.command: step.clause for step in next_steps(driver.table)}
    assert offered["repair_device"] == clause
    driver.send("repair_device", "floorperson", device="progressive")
    assert [event.clause for event in since(driver, 0, e.DeviceChanged)] == [clause, clause]


@cites(MD, "13.H", "2.C")
@cites(MA, "14(g)", "13(a)")
@pytest.mark.parametrize(
    ("id", "rules", "aside", "system"),
    [(MD, {"progressive": "A"}, "13.H", "2.C"), (MA, {"progressive": "1"}, "14(g)", "13(a)")],
)
def test_a_device_in_the_wrong_condition_is_refused_by_its_clause_and_by_its_name(
    id: str, rules: dict[str, str], aside: str, system: str
) -> None:
    driver = opened(id, {**rules, "dealing": "automated_shoe"})
    shoe, meter = {"device": "automated_shoe"}, {"device": "progressive"}
    error = refused(driver, "set_device_aside", "floorperson", **shoe, how="covered")
    assert (error.code, error.clause) == ("out_of_turn", aside)
    driver.send("device_breaks", "dealer", **shoe)
    error = refused(driver, "device_breaks", "dealer", **shoe)
    assert (error.clause, "automated shoe is broken" in str(error)) == (aside, True)
    assert refused(driver, "device_jams", "dealer", **meter).code == "out_of_turn"
    # no other method takes the place of the progressive system: it is repaired
    driver.send("device_breaks", "dealer", **meter)
    error = refused(driver, "set_device_aside", "floorperson", **meter, how="covered")
    assert (error.code, error.clause) == ("out_of_turn", system)


# counts


@cites(MD, "8.F", "8.H", "13.D", "8.C(2)(b)", "5.D")
@cites(MA, "7(e)", "7(f)", "14(c)")
@pytest.mark.parametrize("id", BOTH)
def test_nobody_counts_less_than_nothing(id: str) -> None:
    driver = opened(id, {"shuffler": "counting"})
    driver.wager(1, {"ante": "10.00"})
    driver.until("stub")
    assert refused(driver, "count_stub", "dealer", count=-1, misdealt=True).code == "not_a_count"
    less = {"seat": 1, "count": -1}
    assert refused(driver, "wrong_number_of_cards", "dealer", **less).code == "not_a_count"
    driver.send("wrong_number_of_cards", "dealer", seat=1, count=2)
    assert refused(driver, "shuffle", "device", count=-1).code == "not_a_count"


@cites(MD, "8.G", "8.H", "9.E", "10.D", "13.D")
@cites(MA, "7(e)(1)", "7(e)(2)", "14(c)")
@pytest.mark.parametrize(
    ("id", "rules", "clause"),
    [
        (MD, {}, "8.G"), (MD, {"dealing": "hand", "shuffler": "plain"}, "9.E"),
        (MD, {"dealing": "automated_shoe"}, "10.D"), (MA, {}, "7(e)(1)"),
    ],
)  # fmt: skip
def test_a_right_count_of_the_stub_shows_no_misdeal(
    id: str, rules: dict[str, str], clause: str
) -> None:
    """Two hands may be wrong and the stub right: that is a wrong number of cards, not a count."""
    driver = opened(id, rules)
    driver.wager(1, {"ante": "10.00"})
    driver.until("stub")
    count = len(driver.table.piles["shoe"])
    error = refused(driver, "count_stub", "dealer", count=count, misdealt=True)
    assert (error.code, error.clause) == ("not_wrong", clause)
    driver.send("count_stub", "dealer", count=count)
    assert since(driver, 0, e.StubCounted)[-1].misdealt is None


# shuffle and cut


@cites(MD, "5.A(3)", "7.E")
@pytest.mark.parametrize("rules", [{}, {"shuffler": "plain"}, {"progressive": "A"}])
@pytest.mark.parametrize("recut", [False, True])
def test_the_floor_has_the_cards_shuffled_until_the_first_card(
    rules: dict[str, str], recut: bool
) -> None:
    driver = opened(MD, rules)
    driver.wager(1, {"ante": "10.00"} | ({"progressive": "1.00"} if "progressive" in rules else {}))
    driver.send("no_more_bets", "dealer")
    closed = driver.table.phase
    if recut and "shuffler" not in rules:
        driver.send("order_recut", "floorperson", reason="a doubt")
    driver.send("order_reshuffle", "floorperson", reason="a doubt")
    driver.house()
    assert since(driver, 0, e.CardsShuffled)[-1].clause == "5.A"
    # a hand shuffle is followed by a cut, the device's shuffle is not
    assert driver.table.phase == (closed if "shuffler" in rules else "cutting")
    if driver.table.phase == "cutting":
        driver.house()
    assert driver.table.phase == closed
    assert not driver.table.resume
    driver.until("dealing")
    driver.send("deal", "dealer")
    error = refused(driver, "order_reshuffle", "floorperson", reason="a doubt")
    assert (error.code, error.clause) == ("out_of_turn", "5.A(3)")
    check_all(driver)


# the idle table


@cites(MD, "5.H", "5.H(1)")
@cites(MA, "5(e)")
@pytest.mark.parametrize(("id", "clause"), [(MD, "5.H"), (MA, "5(e)")])
def test_at_a_table_that_nobody_sits_at_the_dealer_is_led_to_spread_the_cards(
    id: str, clause: str
) -> None:
    driver = opened(id, players=1)
    assert "spread_idle" not in ways_on(driver)
    driver.send("leave_seat", "player", seat=1)
    assert ways_on(driver)["spread_idle"] == clause
    driver.send("spread_idle", "dealer")
    assert driver.table.phase == "idle"
    driver.seat_player(5, "player 5")
    assert "let_player_inspect" in ways_on(driver)


# clauses of the moment

METHODS = {
    "manual_shoe": {},
    "hand": {"dealing": "hand", "shuffler": "plain"},
    "automated_shoe": {"dealing": "automated_shoe"},
}


@cites(MD, "7.B")
@cites(MA, "6(b)")
@pytest.mark.parametrize(("id", "clause"), [(MD, "7.B"), (MA, "6(b)")])
@pytest.mark.parametrize("role", ["player", "dealer"])
def test_a_spoken_wager_with_cash_is_not_taken_from_anybody(
    id: str, clause: str, role: str
) -> None:
    driver = opened(id)
    error = refused(
        driver, "place_wager", role, seat=1, wager="ante", amount="10.00", verbal=True
    )  # fmt: skip
    assert (error.code, error.clause) == ("verbal_wager", clause)


@cites(MD, "3.B(2)")
@cites(MA, "2(b)(2)")
@pytest.mark.parametrize(("id", "clause"), [(MD, "3.B(2)"), (MA, "2(b)(2)")])
def test_the_backs_of_two_decks_differ(id: str, clause: str) -> None:
    driver = Driver(id, {"shuffler": "plain", "decks_in_play": 2})
    driver.send("receive_decks", "dealer", deck="1", back="blue")
    error = refused(driver, "receive_decks", "dealer", deck="2", back="blue")
    assert (error.code, error.clause) == ("same_back", clause)
    driver.send("receive_decks", "dealer", deck="2", back="red")


@cites(MD, "4.F")
@cites(MA, "4(a)")
@pytest.mark.parametrize("id", BOTH)
@pytest.mark.parametrize("role", ["dealer", "floorperson"])
def test_nobody_at_the_table_dictates_the_order_of_a_preshuffled_deck(id: str, role: str) -> None:
    from houseway.table import rules_of
    from houseway.table.card_source import pack

    driver = Driver(id)
    order = pack(rules_of(driver.table))
    error = refused(driver, "receive_decks", role, preshuffled=True, order=order)
    assert (error.code, error.field) == ("not_your_part", "order")
    driver.send("receive_decks", "system", preshuffled=True, order=order)


@cites(MD, "8.C(2)(b)", "9.B(2)(b)", "10.A(3)(b)", "8.C(1)", "9.B(1)", "10.A(2)")
@pytest.mark.parametrize(
    ("method", "locked", "counted"),
    [
        ("manual_shoe", "8.C(1)", "8.C(2)(b)"),
        ("hand", "9.B(1)", "9.B(2)(b)"),
        ("automated_shoe", "10.A(2)", "10.A(3)(b)"),
    ],
)
def test_chips_that_do_not_match_are_put_right_by_the_clause_of_the_dealing_method(
    method: str, locked: str, counted: str
) -> None:
    driver = opened(MD, {**METHODS[method], "progressive": "A"})
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", "progressive": "1.00"})
    driver.send("no_more_bets", "dealer")
    assert since(driver, 0, e.ProgressiveLocked)[-1].clause == locked
    assert refused(driver, "count_progressive_chips", "dealer", count=1).clause == counted
    driver.send(
        "strike_progressive_wager", "floorperson", seat=2, wager="progressive", reason="no chip"
    )
    assert since(driver, 0, e.ProgressiveStruck)[-1].clause == counted
    driver.send("count_progressive_chips", "dealer", count=1)
    assert since(driver, 0, e.ProgressiveCollected)[-1].clause == counted


@cites(MD, "12.E(3)(a)", "12.G")
def test_each_meter_grows_by_its_own_clause() -> None:
    driver = opened(MD, {"progressive": "A", "five_card_progressive": "B"})
    driver.wager(1, {"ante": "10.00", "progressive": "1.00", "five_card_progressive": "1.00"})
    driver.until("dealing")
    grown = {event.meter: event.clause for event in since(driver, 0, e.MeterMoved)}
    assert grown["progressive"] == "12.E(3)(a)"
    assert {clause for meter, clause in grown.items() if meter.startswith("five_card")} == {"12.G"}


@cites(MD, "8.E(1)", "8.E(2)", "9.C(2)", "9.C(4)", "10.B(1)", "10.B(2)", "10.B(3)", "10.B(6)")
@pytest.mark.parametrize(
    ("method", "clauses"),
    [
        ("manual_shoe", {"seat": "8.E(1)", "dealer": "8.E(1)", "community": "8.E(2)"}),
        ("hand", {"seat": "9.C(2)", "dealer": "9.C(2)", "community": "9.C(4)"}),
        ("automated_shoe", {"seat": "10.B(2)", "dealer": "10.B(3)", "community": "10.B(6)"}),
    ],
)
def test_each_card_is_announced_and_dealt_by_the_clause_of_its_place(
    method: str, clauses: dict[str, str]
) -> None:
    driver = opened(MD, {**METHODS[method], "five_card_progressive": "A"})
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", "five_card_progressive": "1.00"})
    driver.until("dealing")
    announced = []
    while driver.table.phase == "dealing":
        announced.append(ways_on(driver)["deal"])
        driver.send("deal", "dealer")
    dealt = since(driver, 0, e.CardsDealt)
    assert [event.clause for event in dealt] == announced
    first, *others = dealt
    assert first.clause == ("10.B(1)" if method == "automated_shoe" else clauses["seat"])
    assert {(event.to.partition(".")[0], event.clause) for event in others} == set(clauses.items())


@cites(MD, "13.F", "13.G", "13.H")
@cites(MA, "14(e)", "14(f)", "14(g)", "12(e)")
@pytest.mark.parametrize(("id", "how", "clause"), [(MD, "signed", "13.H"), (MA, "removed", "14(g)")])  # fmt: skip
@pytest.mark.parametrize("device", ["shuffler", "automated_shoe"])
def test_a_jammed_device_that_cannot_be_used_is_set_aside_at_once(
    id: str, how: str, clause: str, device: str
) -> None:
    cover = {"cover_all": True} if id == MA else {}
    driver = opened(id, {"dealing": "automated_shoe", "shuffler": "plain", **cover})
    driver.wager(1, {"ante": "10.00"} | ({"cover_all": "2.00"} if cover else {}))
    driver.send("device_jams", "dealer", device=device)
    driver.send("set_device_aside", "floorperson", device=device, how=how)
    assert since(driver, 0, e.DeviceChanged)[-1].clause == clause
    # Cover All needs the shuffler, which shows what it pays
    stays = {"ante"} | ({"cover_all"} if cover and device != "shuffler" else set())
    assert driver.table.boxes[0].layout.keys() == stays
    driver.ready()
    cuts = since(driver, 0, e.CardsCut)
    assert len(cuts) == (device == "shuffler")
    driver.until("dealing")
    driver.send("deal", "dealer")
    assert len(driver.table.piles["seat.1"]) == (3 if device == "shuffler" else 1)
    check_all(driver)


# trouble while the cards of a round are cut or shuffled once more


def recut(id: str, rules: dict[str, Any], *, chips: bool = True) -> Driver:
    """Bets are closed, the progressive chips still on their sensors, and a recut is ordered."""
    driver = Driver(id, rules)
    driver.seat_player(1, "player 1")
    for deck in range(rules.get("decks_in_play", 1)):
        driver.send("receive_decks", "dealer", deck=str(deck + 1), preshuffled=True)
    driver.ready()
    driver.wager(1, {"ante": "10.00"} | ({"progressive": "1.00"} if chips else {}))
    driver.send("no_more_bets", "dealer")
    driver.send("order_recut", "floorperson", reason="a loose cut")
    return driver


PROGRESSIVE = [(MD, {"progressive": "A"}), (MA, {"progressive": "1"})]


@cites(MD, "3.C", "5.G")
@cites(MA, "4(a)", "5(d)")
@pytest.mark.parametrize(("id", "rules"), PROGRESSIVE)
def test_no_deck_is_changed_in_a_round_whose_cards_are_cut_again(
    id: str, rules: dict[str, Any]
) -> None:
    driver = recut(id, rules)
    error = refused(driver, "change_decks", "floorperson", deck="1")
    assert (error.code, "complete the round" in str(error)) == ("out_of_turn", True)
    assert "change_decks" not in {step.command for step in next_steps(driver.table)}
    driver.send("cut", "dealer", depth=20)
    assert driver.table.phase == "chips"


@cites(MD, "2.C", "8.C(2)(b)")
@cites(MA, "13(a)", "13(b)")
@pytest.mark.parametrize(("id", "rules"), PROGRESSIVE)
def test_wagers_that_a_system_has_not_taken_in_go_back_though_the_cards_are_cut_meanwhile(
    id: str, rules: dict[str, Any]
) -> None:
    driver = recut(id, rules)
    driver.send("device_breaks", "dealer", device="progressive")
    struck = since(driver, 0, e.ProgressiveStruck)
    assert [(event.seat, event.amount) for event in struck] == [(1, "1.00")]
    driver.send("cut", "dealer", depth=20)
    assert driver.table.phase == "dealing"
    check_all(driver)


@cites(MD, "13.G", "12.E(3)(a)")
@cites(MA, "14(f)", "13(d)(a)")
@pytest.mark.parametrize(("id", "rules"), PROGRESSIVE)
def test_a_void_takes_nothing_out_of_a_meter_that_got_nothing(
    id: str, rules: dict[str, Any]
) -> None:
    driver = recut(id, {**rules, "dealing": "automated_shoe"})
    before = driver.table.meters
    driver.send("device_jams", "dealer", device="automated_shoe")
    assert not driver.table.hands
    assert driver.table.meters == before
    assert sum(cents(event.amount) for event in since(driver, 0, e.WagerReturned)) == 1100
    check_all(driver)


@cites(MD, "13.A", "13.C")
@cites(MA, "14(a)", "14(b)")
@pytest.mark.parametrize(("id", "rules"), PROGRESSIVE)
@pytest.mark.parametrize("name", ["card_found_face_up", "card_drawn_in_error"])
def test_no_card_is_drawn_from_a_stack_that_is_being_cut(
    id: str, rules: dict[str, Any], name: str
) -> None:
    driver = recut(id, rules, chips=False)
    card = {"card": "As"} if name == "card_found_face_up" else {}
    assert refused(driver, name, "dealer", **card).code == "out_of_turn"
    driver.send("cut", "dealer", depth=20)
    driver.send(name, "dealer", **card)


@cites(MD, "13.H", "5.A(3)", "9.A(1)")
def test_a_shuffler_that_breaks_over_the_cards_of_a_round_leaves_a_way_on() -> None:
    driver = opened(MD, {"dealing": "hand", "shuffler": "plain", "decks_in_play": 2})
    driver.wager(1, {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")
    driver.send("order_reshuffle", "floorperson", reason="a doubt")
    driver.send("device_breaks", "dealer", device="shuffler")
    assert set(ways_on(driver)) == {"set_device_aside", "repair_device"}
    driver.send("set_device_aside", "floorperson", device="shuffler", how="covered")
    driver.send("shuffle", "dealer")
    driver.send("cut", "dealer", depth=20)
    # without the device the cards are dealt from a shoe
    assert driver.table.phase == "dealing"
    assert ways_on(driver)["deal"] == "8.E(1)"
    check_all(driver)


# settlement


def stacked(id: str, rules: dict[str, Any], first: str, players: int = 1) -> Driver:
    """A table whose shuffler puts these cards on top, ready for wagers."""
    from houseway.table import rules_of
    from houseway.table.card_source import pack

    driver = Driver(id, {"shuffler": "plain", **rules})
    for seat in range(1, players + 1):
        driver.seat_player(seat, f"player {seat}")
    driver.until("shuffling")
    top = first.split()
    rest = [card for card in pack(rules_of(driver.table)) if card not in top]
    driver.send("shuffle", "system", order=(*top, *rest))
    return driver


@cites(MD, "11.D(7)(c)", "11.D(9)(e)")
def test_each_progressive_win_is_validated_by_its_own_clause() -> None:
    # the player gets the ace, king and queen of spades, the community cards are jack and ten
    driver = stacked(MD, {"progressive": "A", "five_card_progressive": "A"}, "As 4d Ks 5d Qs 8c Js Ts")  # fmt: skip
    driver.wager(1, {"ante": "10.00", "progressive": "1.00", "five_card_progressive": "1.00"})
    asked, refusals = [], []
    while not driver.table.round or driver.table.hands:
        here = ways_on(driver)
        if "validate_progressive" in here:
            asked.append(here["validate_progressive"])
            refusals.append(refused(driver, "settle_next", "dealer").clause)
        if "play" in here:
            driver.send("play", "player", seat=1)
        else:
            driver.house()
    assert asked == refusals == ["11.D(7)(c)", "11.D(9)(e)"]
    assert [event.clause for event in since(driver, 0, e.PayoutValidated)] == asked


@cites(MA, "10(c)(1)(i)", "10(c)(1)(ii)", "10(c)(1)(iii)", "10(c)(2)(i)", "10(c)(2)(ii)")
@pytest.mark.parametrize(
    ("settlement", "clauses"),
    [
        # all hands are turned, all losers collected, then the winners paid
        ("by_procedure", ["10(c)(1)(i)"] * 2 + ["10(c)(1)(ii)"] * 3 + ["10(c)(1)(iii)"] * 4),
        # seat 2 is finished before seat 1 is turned
        ("by_player", ["10(c)(2)(i)"] + ["10(c)(2)(ii)"] * 3 + ["10(c)(2)(i)"] + ["10(c)(2)(ii)"] * 4),
    ],
)  # fmt: skip
def test_massachusetts_prompts_each_step_of_the_settlement_by_its_clause(
    settlement: str, clauses: list[str]
) -> None:
    """Seat 1 has a straight; seat 2 has nothing and loses ante, play and Pair Plus."""
    driver = stacked(MA, {"settlement": settlement}, "4c 2h Kd 5d 7s Qc 6h 9d 3s", players=2)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", "pair_plus": "5.00"})
    asked = []
    while not driver.table.round or driver.table.hands:
        here = ways_on(driver)
        asked += [here[name] for name in ("turn_hand", "settle_next") if name in here][:1]
        if "play" in here:
            driver.send("play", "player", seat=len(since(driver, 0, e.Decided)) + 1)
        else:
            driver.house()
    assert asked == clauses


@cites(MA, "6(b)", "13(a)")
@pytest.mark.parametrize("progressive", ["none", "1"])
def test_a_sensor_is_spoken_of_where_a_progressive_is_offered(progressive: str) -> None:
    driver = opened(MA, {"progressive": progressive})
    step = next(step for step in next_steps(driver.table) if step.command == "place_wager")
    assert (step.clause, "sensor" in step.says) == ("6(b)", False)
    assert [one.clause for one in step.also] == ([] if progressive == "none" else ["13(a)"])
