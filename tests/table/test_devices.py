"""Devices in every state: who shuffles, what a broken device stops, and the lawful way on."""

from __future__ import annotations

import pytest
from offers import check_offers, lead_out
from tables import opened, refused, to_shuffle

from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import events as e
from houseway.table import legal, next_steps
from houseway.table.driver import Driver

PLAIN = {"shuffler": "plain"}
SHOE = {"dealing": "automated_shoe"}


def plays(_table, _seat, steps):
    return next(step.command for step in steps if step.command in ("play", "set_hands")), {}


def ways_on(driver: Driver) -> set[str]:
    return {step.command for step in next_steps(driver.table) if step.kind == "next"}


@cites(MD, "5.E(2)", "5.A")
@cites(MA, "5(b)(2)")
@cites(PRIME, "679a.5(c)(2)")
@cites(SAIGON, "680a.5(c)(2)")
@pytest.mark.parametrize("id", [MD, MA, PRIME, SAIGON])
def test_what_a_dealer_shuffles_is_cut_whatever_device_is_there(id: str) -> None:
    driver = opened(id, {"shuffler": "counting"})
    to_shuffle(driver)
    driver.send("shuffle", "dealer")
    assert driver.table.phase == "cutting"
    assert not driver.table.decks["1"].counted
    driver = opened(id, {"shuffler": "counting"})
    to_shuffle(driver)
    driver.send("shuffle", "device")
    assert driver.table.phase == "betting"


@cites(MD, "9.A", "9.A(1)")
@cites(MA, "8(b)", "8(b)(1)")
@cites(PRIME, "679a.9(a)", "679a.9(a)(1)", "679a.5(g)")
@cites(SAIGON, "680a.9(a)", "680a.9(a)(1)", "680a.5(g)")
@pytest.mark.parametrize(
    ("id", "clause"),
    [(MD, "9.A(1)"), (MA, "8(b)(1)"), (PRIME, "679a.9(a)(1)"), (SAIGON, "680a.9(a)(1)")],
)
def test_cards_dealt_from_the_hand_are_shuffled_by_the_device(id: str, clause: str) -> None:
    driver = opened(id, {"dealing": "hand", "shuffler": "plain"})
    to_shuffle(driver)
    error = refused(driver, "shuffle", "dealer")
    assert (error.code, error.clause) == ("device_shuffles", clause)
    # from a manual shoe cards may be dealt that the dealer shuffled, though a device stands there
    other = opened(id, {"dealing": "manual_shoe", "shuffler": "plain"})
    to_shuffle(other)
    other.send("shuffle", "dealer")


@cites(MD, "5.F", "5.I", "5.J")
@cites(PRIME, "679a.5(g)")
@cites(SAIGON, "680a.5(g)")
@pytest.mark.parametrize("id", [MD, PRIME, SAIGON])
def test_cards_that_are_never_cut_are_shuffled_by_the_device(id: str) -> None:
    driver = opened(id, {"shuffler": "reshuffling"})
    to_shuffle(driver)
    assert refused(driver, "shuffle", "dealer").code == "device_shuffles"


@cites(MA, "5(b)(2)", "5(d)")
def test_massachusetts_knows_no_device_that_spares_the_cut() -> None:
    """Its text has no clause like Maryland's 5.J: preshuffled cards are cut, and may be cut again."""
    driver = Driver(MA, {"shuffler": "reshuffling"})
    driver.seat_player(1, "player 1")
    driver.send("receive_decks", "dealer", deck="1", preshuffled=True)
    assert driver.table.phase == "cutting"
    driver.send("cut", "dealer", depth=20)
    driver.send("order_recut", "floorperson", reason="the cut was uneven")
    assert driver.table.phase == "cutting"


@cites(MD, "5.J")
@pytest.mark.parametrize(
    ("name", "role", "fields"),
    [
        ("cut", "dealer", {"depth": 20}),
        ("order_recut", "floorperson", {"reason": "a doubt"}),
        ("spread_idle", "dealer", {}),
    ],
)
def test_the_approved_device_spares_cut_recut_and_spread(
    name: str, role: str, fields: dict[str, object]
) -> None:
    driver = opened(MD, {"shuffler": "reshuffling"})
    error = refused(driver, name, role, **fields)
    assert (error.code, error.clause) == ("not_in_this_chapter", "5.J")


@cites(MD, "13.H")
@cites(MA, "14(g)")
@cites(PRIME, "679a.13(g)")
@cites(SAIGON, "680a.13(f)")
@pytest.mark.parametrize(("id", "how"), [(MD, "covered"), (MA, "removed"), (PRIME, "signed"), (SAIGON, "covered")])  # fmt: skip
def test_a_device_that_was_set_aside_shuffles_nothing(id: str, how: str) -> None:
    driver = opened(id, PLAIN)
    driver.send("device_breaks", "dealer", device="shuffler")
    driver.send("set_device_aside", "floorperson", device="shuffler", how=how)
    assert refused(driver, "shuffle", "device").code == "device_out_of_order"
    driver.send("shuffle", "dealer")
    assert driver.table.phase == "cutting"


@cites(MD, "5.A")
@cites(MA, "5(a)")
@pytest.mark.parametrize("id", [MD, MA, PRIME, SAIGON])
def test_a_table_without_a_shuffler_refuses_its_shuffle(id: str) -> None:
    driver = opened(id)
    to_shuffle(driver)
    assert refused(driver, "shuffle", "device").code == "no_such_device"
    assert "shuffle" not in legal(driver.table, "device")


@cites(MD, "13.G", "13.H")
@cites(MA, "14(f)", "14(g)")
@cites(PRIME, "679a.13(f)", "679a.13(g)")
@cites(SAIGON, "680a.13(e)", "680a.13(f)")
@pytest.mark.parametrize(("id", "how"), [(MD, "covered"), (MA, "removed"), (PRIME, "covered"), (SAIGON, "signed")])  # fmt: skip
@pytest.mark.parametrize("when", ["between rounds", "bets closed", "first stack"])
def test_a_broken_automated_shoe_always_leaves_a_way_on(id: str, how: str, when: str) -> None:
    driver = opened(id, SHOE)
    driver.wager(1, {"ante": "10.00"})
    if when != "between rounds":
        driver.send("no_more_bets", "dealer")
    if when == "first stack":
        driver.send("deal", "dealer")
    driver.send("device_breaks", "dealer", device="automated_shoe")
    # within a round it is void; in either case the cards come out and are shuffled again
    assert driver.table.phase == "shuffling"
    assert not driver.table.hands
    assert bool(driver.table.boxes[0].layout) == (when == "between rounds")
    assert {"set_device_aside", "repair_device"} <= ways_on(driver)
    driver.send("shuffle", "system", order=_order(driver))
    driver.send("cut", "dealer", depth=20)
    if not driver.table.boxes[0].layout:
        driver.wager(1, {"ante": "10.00"})
    # another way of dealing only when it was set aside
    error = refused(driver, "no_more_bets", "dealer")
    assert error.code == "device_out_of_order"
    assert {"set_device_aside", "repair_device"} <= ways_on(driver)
    driver.send("set_device_aside", "floorperson", device="automated_shoe", how=how)
    driver.finish(plays)
    assert driver.table.round >= 1


def _order(driver: Driver) -> tuple[str, ...]:
    from houseway.table.card_source import cards_to_shuffle

    return cards_to_shuffle(driver.table)


@cites(MD, "13.F", "13.G")
@pytest.mark.parametrize("device", ["shuffler", "automated_shoe"])
@pytest.mark.parametrize("event", ["device_jams", "device_breaks"])
def test_a_device_that_stops_before_the_bets_are_closed_has_its_cards_reshuffled(
    device: str, event: str
) -> None:
    driver = opened(MD, {**PLAIN, **SHOE})
    driver.wager(1, {"ante": "10.00"})
    driver.send(event, "dealer", device=device)
    assert driver.table.phase == "shuffling"
    assert driver.table.boxes[0].layout == {"ante": 1000}


@cites(MA, "12(d)")
@pytest.mark.parametrize("in_round", [False, True])
def test_cover_all_stays_when_another_device_breaks_or_its_round_has_begun(in_round: bool) -> None:
    rules = {**PLAIN, "cover_all": True, "dealing": "automated_shoe"}
    driver = opened(MA, rules)
    driver.wager(1, {"ante": "10.00", "cover_all": "2.00"})
    if in_round:
        driver.until("deciding")
    driver.send("device_breaks", "dealer", device="shuffler" if in_round else "automated_shoe")
    assert driver.table.boxes[0].layout["cover_all"] == 200


@cites(MA, "12(d)", "12(e)")
def test_cover_all_leaves_the_layout_with_its_shuffler() -> None:
    driver = opened(MA, {**PLAIN, "cover_all": True})
    driver.wager(1, {"ante": "10.00", "cover_all": "2.00"})
    driver.send("device_breaks", "dealer", device="shuffler")
    assert driver.table.boxes[0].layout == {"ante": 1000}
    back = [event for event in driver.record if isinstance(event, e.WagerTakenBack)]
    assert [(event.wager, event.amount, event.clause) for event in back] == [
        ("cover_all", "2.00", "12(e)")
    ]
    driver.send("set_device_aside", "floorperson", device="shuffler", how="removed")
    driver.ready()
    error = refused(driver, "place_wager", "player", seat=1, wager="cover_all", amount="2.00")
    assert (error.code, error.clause) == ("device_out_of_order", "12(e)")


PROGRESSIVE = [
    (MD, {"progressive": "A"}, "2.C"),
    (MA, {"progressive": "1"}, "13(a)"),
]


@cites(MD, "2.C", "8.C(1)", "7.F(4)(b)")
@cites(MA, "13(a)", "13(b)")
@pytest.mark.parametrize(("id", "rules", "clause"), PROGRESSIVE)
def test_a_broken_progressive_system_accepts_and_locks_nothing(
    id: str, rules: dict, clause: str
) -> None:
    driver = opened(id, rules)
    driver.wager(1, {"ante": "10.00", "progressive": "1.00"})
    driver.send("device_breaks", "dealer", device="progressive")
    assert driver.record[-2].clause == clause
    assert driver.table.boxes[0].layout == {"ante": 1000}
    error = refused(driver, "place_wager", "player", seat=1, wager="progressive", amount="1.00")
    assert (error.code, error.clause) == ("device_out_of_order", clause)
    events = driver.send("no_more_bets", "dealer")
    assert not any(isinstance(event, e.ProgressiveLocked) for event in events)
    driver.finish(plays)


@cites(MD, "8.C(2)(b)")
@cites(MA, "13(b)")
@pytest.mark.parametrize(("id", "rules", "clause"), PROGRESSIVE)
def test_wagers_that_a_broken_system_cannot_vouch_for_go_back(
    id: str, rules: dict, clause: str
) -> None:
    driver = opened(id, rules)
    before = dict(driver.table.meters)
    driver.wager(1, {"ante": "10.00", "progressive": "1.00"})
    driver.send("no_more_bets", "dealer")
    driver.send("device_breaks", "dealer", device="progressive")
    assert driver.table.phase == "dealing"
    assert driver.table.boxes[0].wagers == {"ante": 1000}
    assert driver.table.meters == before
    driver.finish(plays)


@cites(MD, "11.D(7)(c)")
@cites(MA, "13(d)(f)")
@pytest.mark.parametrize(("id", "rules", "clause"), PROGRESSIVE)
def test_a_broken_system_validates_no_win(id: str, rules: dict, clause: str) -> None:
    driver = opened(id, {**rules, "shuffler": "plain"}, players=1)
    to_shuffle(driver)
    # one by one to the player and the dealer: ace, king and queen of spades for the player
    first = ["As", "2c", "Ks", "3d", "Qs", "5h"]
    rest = [card for card in _order(driver) if card not in first]
    driver.send("shuffle", "system", order=(*first, *rest))
    driver.wager(1, {"ante": "10.00", "progressive": "1.00"})
    driver.until("deciding")
    driver.send("play", "player", seat=1)
    while "validate_progressive" not in legal(driver.table, "floorperson", 1):
        driver.house()
    driver.send("device_breaks", "dealer", device="progressive")
    due = driver.table.due[0]
    win = {"seat": 1, "wager": due.wager}
    error = refused(driver, "validate_progressive", "floorperson", **win)
    assert (error.code, error.clause) == ("device_out_of_order", clause)
    assert "repair_device" in ways_on(driver)
    driver.send("repair_device", "floorperson", device="progressive")
    driver.send("validate_progressive", "floorperson", **win)
    driver.until("betting")


@cites(DOWN_UNDER, "685a.12(j)", "685a.12(k)")
@pytest.mark.parametrize("event", ["device_jams", "device_breaks"])
def test_a_continuous_shuffler_that_stops_deals_no_card_until_the_rest_is_reshuffled(
    event: str,
) -> None:
    driver = opened(DOWN_UNDER, {"dealing": "continuous_shuffler"}, players=1)
    driver.wager(1, {"bet": "10.00"})
    driver.send("deal", "dealer")
    held = len(driver.table.piles["shoe"])
    driver.send(event, "dealer", device="continuous_shuffler")
    assert driver.table.phase == "shuffling"
    assert "deal" not in legal(driver.table, "dealer")
    if event == "device_breaks":
        assert refused(driver, "shuffle", "dealer").code == "device_out_of_order"
        assert "set_device_aside" in ways_on(driver)
        driver.send("set_device_aside", "floorperson", device="continuous_shuffler", how="covered")
        driver.send("shuffle", "system", order=_order(driver))
        while driver.table.phase == "cutting":
            driver.house()
    else:
        driver.send("shuffle", "system", order=_order(driver))
    assert driver.table.phase == "dealing"
    assert len(driver.table.piles["shoe"]) == held
    driver.finish(lambda _t, _s, steps: ("stand", {}))


@cites(MD, "13.F")
@cites(MA, "14(e)")
@cites(PRIME, "679a.13(e)")
@cites(SAIGON, "680a.13(d)")
@pytest.mark.parametrize("id", [MD, MA, PRIME, SAIGON])
@pytest.mark.parametrize("report", ["device_jams", "device_breaks"])
@pytest.mark.parametrize("decks", [1, 2])
def test_a_shuffler_that_stops_does_not_touch_a_round_whose_bets_are_closed(
    id: str, report: str, decks: int
) -> None:
    driver = opened(id, {**PLAIN, "decks_in_play": decks})
    driver.wager(1, {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")
    before = driver.table
    driver.send(report, "dealer", device="shuffler")
    assert driver.table.piles["shoe"] == before.piles["shoe"]
    assert driver.table.phase == before.phase == "dealing"
    driver.finish(plays)
    assert not driver.table.boxes[0].layout


@cites(MD, "13.F", "13.H")
@cites(MA, "14(e)", "14(g)")
@cites(PRIME, "679a.13(e)", "679a.13(g)")
@cites(SAIGON, "680a.13(d)", "680a.13(f)")
@cites(DOWN_UNDER, "685a.12(j)", "685a.12(k)")
@pytest.mark.parametrize("id", [MD, MA, PRIME, SAIGON, DOWN_UNDER])
@pytest.mark.parametrize("shuffler", ["plain", "counting", "reshuffling"])
@pytest.mark.parametrize("reports", [("device_breaks",), ("device_jams", "device_breaks")])
def test_of_two_decks_only_the_one_in_the_device_is_shuffled_again(
    id: str, shuffler: str, reports: tuple[str, ...]
) -> None:
    """A jam that turns out to be a breakdown ends as the breakdown does that is seen at once."""
    driver = opened(id, {"shuffler": shuffler, "decks_in_play": 2})
    before = driver.table
    for report in reports:
        driver.send(report, "dealer", device="shuffler")
    assert driver.table.phase == "betting"
    assert driver.table.piles["shoe"] == before.piles["shoe"]
    waiting = next(deck for name, deck in driver.table.decks.items() if name != before.in_play)
    assert waiting.stage == "stacked"


@cites(MD, "13.H", "2.C")
@cites(MA, "14(g)")
@cites(PRIME, "679a.13(g)")
@cites(SAIGON, "680a.13(f)")
@cites(DOWN_UNDER, "685a.12(i)", "685a.12(k)")
@pytest.mark.parametrize(
    ("id", "rules", "first", "second"),
    [
        (MD, {**PLAIN, **SHOE, "progressive": "A"}, "progressive", "shuffler"),
        (MD, {**PLAIN, **SHOE}, "shuffler", "automated_shoe"),
        (MA, {**PLAIN, **SHOE, "progressive": "1"}, "automated_shoe", "shuffler"),
        (PRIME, {**PLAIN, **SHOE}, "automated_shoe", "shuffler"),
        (SAIGON, {**PLAIN, **SHOE}, "shuffler", "automated_shoe"),
        (DOWN_UNDER, {**PLAIN, "decks_in_play": 2}, "reader", "shuffler"),
        (DOWN_UNDER, {**PLAIN, "decks_in_play": 2}, "shuffler", "reader"),
        (DOWN_UNDER, {"dealing": "continuous_shuffler"}, "reader", "continuous_shuffler"),
    ],
)
@pytest.mark.parametrize("faults", [("breaks", "breaks"), ("breaks", "jams"), ("jams", "breaks")])
def test_with_two_devices_out_of_order_every_step_names_one_that_it_is_open_for(
    id: str, rules: dict[str, object], first: str, second: str, faults: tuple[str, str]
) -> None:
    driver = opened(id, rules)
    for device, fault in zip((first, second), faults, strict=True):
        jams = fault == "jams" and device not in ("reader", "progressive")
        driver.send("device_jams" if jams else "device_breaks", "dealer", device=device)
    check_offers(driver)
    steps = next_steps(driver.table)
    named = {
        command: [
            way["device"] for step in steps if step.command == command for way in step.choices
        ]
        for command in ("set_device_aside", "repair_device")
    }
    assert {*named["set_device_aside"]} <= {first, second} - {"reader", "progressive"}
    assert sorted(named["repair_device"]) == sorted((first, second))
    lead_out(driver)


@cites(MD, "13.F", "13.G", "13.H", "2.C")
@cites(MA, "14(e)", "14(f)", "14(g)", "13(a)")
@cites(PRIME, "679a.13(e)", "679a.13(f)", "679a.13(g)")
@cites(SAIGON, "680a.13(d)", "680a.13(e)", "680a.13(f)")
@cites(DOWN_UNDER, "685a.12(i)", "685a.12(j)", "685a.12(k)")
@pytest.mark.parametrize(
    ("id", "rules", "jams", "breaks"),
    [
        (
            MD, {**PLAIN, **SHOE, "progressive": "A"},
            {"shuffler": "13.F", "automated_shoe": "13.G"},
            {"shuffler": "13.H", "automated_shoe": "13.H", "progressive": "2.C"},
        ),
        (
            MA, {**PLAIN, **SHOE, "progressive": "1"},
            {"shuffler": "14(e)", "automated_shoe": "14(f)"},
            {"shuffler": "14(g)", "automated_shoe": "14(g)", "progressive": "13(a)"},
        ),
        (
            PRIME, {**PLAIN, **SHOE},
            {"shuffler": "679a.13(e)", "automated_shoe": "679a.13(f)"},
            {"shuffler": "679a.13(g)", "automated_shoe": "679a.13(g)"},
        ),
        (
            SAIGON, {**PLAIN, **SHOE},
            {"shuffler": "680a.13(d)", "automated_shoe": "680a.13(e)"},
            {"shuffler": "680a.13(f)", "automated_shoe": "680a.13(f)"},
        ),
        (
            DOWN_UNDER, {**PLAIN, "decks_in_play": 2},
            {"shuffler": "685a.12(j)"},
            {"shuffler": "685a.12(k)", "reader": "685a.12(i)"},
        ),
        (
            DOWN_UNDER, {"dealing": "continuous_shuffler"},
            {"continuous_shuffler": "685a.12(j)"},
            {"continuous_shuffler": "685a.12(k)", "reader": "685a.12(i)"},
        ),
    ],
)  # fmt: skip
def test_each_device_is_announced_by_its_own_clause(
    id: str, rules: dict[str, object], jams: dict[str, str], breaks: dict[str, str]
) -> None:
    """What is offered, what happens then, and the repair: every time the clause of this device."""
    driver = opened(id, rules)

    def offered(command: str) -> dict[object, str]:
        steps = next_steps(driver.table, irregularities=True)
        ways = [(step, way) for step in steps if step.command == command for way in step.choices]
        return {way["device"]: step.clause for step, way in ways}

    assert offered("device_jams") == jams
    assert offered("device_breaks") == breaks
    for device, clause in breaks.items():
        driver.send("device_breaks", "dealer", device=device)
        changed = next(x for x in driver.record[::-1] if isinstance(x, e.DeviceChanged))
        assert (changed.device, changed.clause) == (device, clause)
    assert offered("repair_device") == breaks


@cites(MD, "7.C(1)", "7.C(2)")
@cites(MA, "6(c)")
@cites(PRIME, "679a.7(b)")
@cites(SAIGON, "680a.7(b)")
@pytest.mark.parametrize("id", [MD, MA, PRIME, SAIGON])
def test_who_leaves_before_the_first_card_leaves_the_wagers_behind(id: str) -> None:
    """The bets are closed: the chips stay, the hand is dealt, and who has cards does not leave."""
    driver = opened(id, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")
    assert refused(driver, "leave_seat", "player", seat=3).code == "nobody_there"
    driver.send("leave_seat", "player", seat=1)
    assert driver.table.boxes[0].layout == {"ante": 1000}
    driver.send("deal", "dealer")
    assert driver.table.piles["seat.1"]
    driver.send("deal", "dealer")
    assert refused(driver, "leave_seat", "player", seat=2).code == "stay_seated"
    reports = [
        x
        for x in next_steps(driver.table, irregularities=True)
        if x.seat and x.role == "floorperson"
    ]
    walked = [(x.seat, x.kind) for x in reports if x.command == "leave_seat"]
    assert walked == [(2, "irregularity")], "the floor may report that a player walked away"
    if id != MA:
        driver.send("declare_abandoned", "floorperson", seat=1)
        assert not driver.table.boxes[0].layout
    lead_out(driver)
    assert not driver.table.hands


@cites(DOWN_UNDER, "685a.2(d)", "685a.12(i)")
def test_a_broken_reader_is_not_found_in_working_order() -> None:
    driver = Driver(DOWN_UNDER)
    driver.send("device_breaks", "dealer", device="reader")
    error = refused(driver, "inspect_reader", "floorperson")
    assert (error.code, error.clause) == ("device_out_of_order", "685a.12(i)")
    assert next_steps(driver.table)[0].command == "repair_device"
    driver.send("repair_device", "floorperson", device="reader")
    driver.send("inspect_reader", "floorperson")
    assert driver.table.devices["reader"].inspected


@cites(DOWN_UNDER, "685a.12(k)")
@cites(MD, "13.H")
@pytest.mark.parametrize(
    ("id", "rules", "device", "clause"),
    [
        (DOWN_UNDER, {"dealing": "continuous_shuffler"}, "continuous_shuffler", "685a.12(k)"),
        (DOWN_UNDER, {"shuffler": "plain"}, "shuffler", "685a.12(k)"),
        (MD, {"shuffler": "plain"}, "shuffler", "13.H"),
    ],
)
def test_a_device_that_was_set_aside_breaks_no_more(id, rules, device, clause):
    """The clause is that of the device, not that of the reader."""
    driver = opened(id, rules)
    driver.send("device_breaks", "dealer", device=device)
    assert refused(driver, "device_breaks", "dealer", device=device).clause == clause
    driver.send("set_device_aside", "floorperson", device=device, how="signed")
    assert refused(driver, "device_breaks", "dealer", device=device).clause == clause
