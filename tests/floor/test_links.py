"""One meter for many tables: contributions, wins, void rounds, adjustments, transfers, shut-down."""

from __future__ import annotations

from fractions import Fraction

import pytest
from linked import (
    BY,
    METERS,
    NOON,
    RATE,
    RESET,
    ROYAL,
    SEED,
    SIGNED,
    LinkedTable,
    cents_of,
    code,
    is_exact,
    open_link,
    rules,
    staff,
    two_tables,
)

from houseway.errors import Refused
from houseway.floor.audit.logbook import When, look
from houseway.floor.audit.projections import Projections
from houseway.floor.links.history import acts, points, wall
from houseway.floor.links.operations import Link
from houseway.floor.people.signing import By, Signed
from houseway.law import MA, MD, choose, cites
from houseway.store.backends.memory import MemoryLog
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.snapshots import wrong_snapshots
from houseway.store.verify import verify


def test_every_wager_of_every_table_is_in_the_meter_exactly() -> None:
    log = MemoryLog()
    link, a, b = two_tables(log)
    a.round(stake="5.00")
    b.round()
    a.round()
    # two seats: 10, 2 and 2 dollars
    wins = sum(
        event.data["amount"] for event in log.read("link/wide") if event.kind == "meter_paid"
    )
    assert cents_of(link) == SEED + 1400 * RATE - wins
    assert Fraction(b.table.meters["progressive"]) == SEED + 1200 * RATE - wins
    is_exact(log)
    assert verify(log).unbroken
    # no stream of its own for a meter that is linked
    assert not log.heads(prefix="meter/")


@cites(MD, "12.E(4)")
def test_a_win_is_paid_what_the_whole_link_shows_at_its_turn() -> None:
    log = MemoryLog()
    link, a, b = two_tables(log)
    a.up_to("settling", {1: ROYAL})
    b.round(stake="5.00")  # adds to the meter after a's win was figured
    held = SEED + (200 + 1000) * RATE
    assert cents_of(link) == held
    a.on_to("betting")
    (paid,) = [event.data for event in log.read("link/wide") if event.kind == "meter_paid"]
    assert paid["amount"] == int(held)
    assert (paid["table"], paid["seat"], paid["outcome"]) == ("a", 1, "mini_royal_spades")
    assert cents_of(link) == held - int(held) + RESET
    is_exact(log)


def test_the_second_of_two_simultaneous_wins_gets_what_the_first_has_left() -> None:
    log = MemoryLog()
    link, a, b = two_tables(log)
    a.up_to("settling", {1: ROYAL})
    b.up_to("settling", {2: ROYAL})
    held = SEED + 400 * RATE
    b.on_to("betting")
    a.on_to("betting")
    first, second = [event.data for event in log.read("link/wide") if event.kind == "meter_paid"]
    assert (first["table"], first["amount"]) == ("b", int(held))
    left = held - int(held) + RESET
    assert (second["table"], second["amount"]) == ("a", int(left))
    assert cents_of(link) == left - int(left) + RESET
    is_exact(log)


def test_of_two_wins_decided_at_one_moment_one_is_decided_again() -> None:
    """The append of the second fails on the link's version, whatever it had figured."""
    log = MemoryLog()
    link, a, b = two_tables(log)
    a.up_to("settling", {1: ROYAL})
    b.up_to("settling", {1: ROYAL})
    feeding = b.recorded.feeding
    plain, attempts = feeding.writes, []

    def writes(table, events, at):
        found = list(plain(table, events, at))
        if any(write.stream == "link/wide" for write in found):
            attempts.append(found)
            if len(attempts) == 1:
                a.on_to("betting")  # between b's decision and its append
        return found

    feeding.writes = writes
    b.on_to("betting")
    assert len(attempts) == 2
    amounts = [
        event.data["amount"] for event in log.read("link/wide") if event.kind == "meter_paid"
    ]
    held = SEED + 400 * RATE
    assert amounts == [int(held), RESET + int(held - int(held))]
    assert cents_of(link).denominator > 1
    is_exact(log)


@cites(MD, "13.B")
def test_a_void_round_takes_its_wagers_out_again() -> None:
    log = MemoryLog()
    link, a, b = two_tables(log)
    b.round()
    before = cents_of(link)
    a.up_to("dealing", {}, "5.00")
    assert cents_of(link) == before + 1000 * RATE
    for _ in range(2):
        a.send("card_found_face_up", "dealer")
    assert cents_of(link) == before
    assert [event.kind for event in log.read("feed/a/wide")] == [
        "feed_opened", "contributed", "taken_out",
    ]  # fmt: skip
    is_exact(log)


def _until_paid(table) -> None:
    while not any(line.meter for line in table.table.settled):
        table.house()


@cites(MD, "13.D", "12.E(4)")
@pytest.mark.parametrize("game", ["progressive", "hidden"])
def test_a_void_round_after_its_meter_has_paid_takes_out_the_returned_wagers_only(game) -> None:
    """The wager that won is settled; what the other added went with the payment."""
    log = MemoryLog()
    link, a, b = two_tables(log, game)
    b.round()
    a.up_to("settling", {1: ROYAL}, "5.00")
    _until_paid(a)
    after = cents_of(link)
    a.send("wrong_number_of_cards", "dealer", seat=2, count=4)
    feed = [(event.kind, event.data["stake"]) for event in log.read("feed/a/wide")]
    assert feed[1:] == [("contributed", 1000), ("taken_out", -500)]
    # never below the reset amount, and what the meter holds above that loses its share
    assert cents_of(link) == max(Fraction(RESET), after - 500 * RATE)
    assert link.read().reserve("progressive") == 0
    is_exact(log)
    a.ready()
    a.round()
    is_exact(log)


@cites(MD, "13.B", "12.E(4)")
def test_a_void_round_does_not_take_out_what_another_table_was_paid() -> None:
    log = MemoryLog()
    link, a, b = two_tables(log)
    b.up_to("settling", {1: ROYAL}, "1.00")
    a.up_to("dealing", {}, "5.00")
    b.on_to("betting")
    after = cents_of(link)
    assert RESET <= after < RESET + 1
    for _ in range(2):
        a.send("card_found_face_up", "dealer")
    assert cents_of(link) == RESET
    (kept,) = [event for event in log.read("link/wide") if event.kind == "contribution_kept"]
    assert Fraction(kept.data["amount"]) == RESET - (after - 1000 * RATE)
    assert any("stays in Three-Card Progressive" in act.says for act in acts(log, "wide"))
    is_exact(log)


def test_three_tiers_each_pay_their_own_and_a_reserve_waits_for_the_next() -> None:
    log = MemoryLog()
    mega, major, minor = rules("five_card_progressive").meter_names
    reserve = Fraction(1, 100)
    link, a, b = two_tables(log, "five_card_progressive")
    a.round()
    assert link.read().reserve(mega) == 200 * reserve
    b.round({1: ("As", "Ks", "Qs", "Js", "Ts")})
    paid = [event.data for event in log.read("link/wide") if event.kind == "meter_paid"]
    royal = next(one for one in paid if one["meter"] == mega)
    held = 2_000_000 + 400 * Fraction(9, 100)
    assert (royal["amount"], royal["outcome"]) == (int(held), "royal_flush")
    reading = link.read()
    # it starts at the reset amount and what the reserve had, which is empty now
    assert reading.meter(mega).holds == held - int(held) + 1_000_000 + 400 * reserve
    assert reading.reserve(mega) == 0
    others = {one["meter"] for one in paid} - {mega}
    if major not in others:
        assert reading.meter(major).holds == 500_000 + 400 * Fraction(41, 1000)
    if minor not in others:
        assert reading.meter(minor).holds == 150_000 + 400 * Fraction(3, 100)
    assert list(reading.meters) == [mega, major, minor]
    is_exact(log)


@cites(MD, "12.E(1)(a)", "12.E(1)(b)", "12.E(1)(c)", "12.G(1)", "12.G(2)", "12.G(3)")
@cites(MA, "13(d)")
@pytest.mark.parametrize(
    ("law", "wager", "table", "tiers"),
    [
        (MD, "progressive", "A", [""]),
        (MD, "progressive", "B", [""]),
        (MD, "progressive", "C", [".major", ".minor"]),
        (MD, "five_card_progressive", "A", [""]),
        (MD, "five_card_progressive", "B", [".major", ".minor"]),
        (MD, "five_card_progressive", "C", [".mega", ".major", ".minor"]),
        *((MA, "progressive", table, [""]) for table in "123"),
    ],
)
def test_every_progressive_of_the_chapters_can_be_linked(law, wager, table, tiers) -> None:
    log = MemoryLog()
    staff(log)
    names = [f"{wager}{tier}" for tier in tiers]
    terms = {"rate": "20%", "reserve": "2%", "seed": "5000.00", "reset": "1000.00"}
    meters = dict.fromkeys(names, terms)
    link = Link(log, "wide")
    reading = link.open(choose(law, {wager: table}, meters=meters), wager, BY)
    assert list(reading.meters) == names
    assert {meter.shows for meter in reading.meters.values()} == {500_000}
    assert reading.standing.rate == len(names) * Fraction(22, 100)
    is_exact(log)


@cites(MD, "12.E(3)(a)", "12.E(3)(b)")
def test_a_link_has_the_least_values_of_its_chapter() -> None:
    for meters, clause in (
        ({"rate": "13.9%", "seed": "1000.00", "reset": "1000.00"}, "12.E(3)(a)"),
        ({"rate": "14%", "seed": "999.99", "reset": "1000.00"}, "12.E(3)(b)"),
        ({"rate": "14%", "seed": "1000.00", "reset": "999.99"}, "12.E(3)(b)"),
    ):
        low = choose(MD, {"progressive": "A"}, meters={"progressive": meters})
        log = MemoryLog()
        staff(log)
        with pytest.raises(Refused) as refused:
            Link(log, "low").open(low, "progressive", BY)
        assert refused.value.clause == clause


def test_only_a_closed_table_that_plays_the_same_may_join_and_only_one_link() -> None:
    log = MemoryLog()
    link = open_link(log)
    link.join("a", rules(), BY)
    for table, played, wanted in (
        ("a", rules(), "joined"),
        ("b", choose(MD, {"progressive": "B"}, meters=METERS["progressive"]), "other_terms"),
        ("b", choose(MA, {"progressive": "1"}), "other_terms"),
        ("b", rules("five_card_progressive"), "other_terms"),
        ("b/c", rules(), "not_a_name"),
    ):
        with pytest.raises(Refused) as refused:
            link.join(table, played, BY)
        assert code(refused) == wanted
    with pytest.raises(Refused) as refused:
        open_link(log, "other").join("a", rules(), BY)
    assert code(refused) == "joined"
    LinkedTable(log, "c")
    with pytest.raises(Refused) as refused:
        link.join("c", rules(), BY)
    assert code(refused) == "table_open"
    with pytest.raises(Refused) as refused:
        open_link(log)
    assert code(refused) == "link_there"


def test_a_table_that_opens_under_other_terms_takes_no_progressive_wagers() -> None:
    log = MemoryLog()
    open_link(log).join("a", choose(MD, {"progressive": "A"}, meters=METERS["progressive"]), BY)
    table = LinkedTable(log, "a")
    table.close()
    changed = METERS["progressive"]["progressive"] | {"rate": "20%"}
    table.send(
        "open_table", "floorperson", table="a", chapter=MD, tray={"5.00": 100, "1.00": 100},
        rules={"progressive": "A", "shuffler": "counting"}, meters={"progressive": changed},
    )  # fmt: skip
    table.sit()
    table.ready()
    table.wager(1, {"ante": "10.00"})
    with pytest.raises(Refused) as refused:
        table.wager(1, {"progressive": "1.00"})
    assert code(refused) == "other_terms"


# two people


def test_adjustments_are_exact_and_signed_by_two_with_a_reason() -> None:
    log = MemoryLog()
    link, a, _ = two_tables(log)
    a.round()
    before = cents_of(link)
    link.adjust("progressive", Fraction(-1, 3), SIGNED)
    assert cents_of(link) == before - Fraction(1, 3)
    (event,) = [event for event in log.read("link/wide") if event.kind == "meter_adjusted"]
    assert event.data["by"] == "dealer dana"
    assert event.data["second"] == "floorperson frank"
    assert event.data["reason"] == SIGNED.reason
    is_exact(log)
    for signed, wanted in (
        (Signed("player", "dana", "frank", "why", NOON), "not_your_part"),
        (Signed("floorperson", "frank", "frank", "why", NOON), "two_people"),
        (Signed("floorperson", "frank", "", "why", NOON), "two_people"),
        (Signed("floorperson", "bo", "frank", " ", NOON), "no_reason"),
        (Signed("floorperson", "dana", "frank", "why", NOON), "not_your_part"),
        (Signed("dealer", "frank", "bo", "why", NOON), "not_your_part"),
        (Signed("floorperson", "frank", "dana", "why", NOON), "not_your_part"),
        (Signed("floorperson", "nobody", "frank", "why", NOON), "no_such_person"),
        (Signed("dealer", "dana", "nobody", "why", NOON), "no_such_person"),
    ):
        for act in (
            lambda signed=signed: link.adjust("progressive", Fraction(1), signed),
            lambda signed=signed: link.shut_down(signed),
            lambda signed=signed: link.take_over(link, signed),
            lambda signed=signed: link.take_over_table("a", signed),
        ):
            with pytest.raises(Refused) as refused:
                act()
            assert code(refused) == wanted
    for meter, amount, wanted in (
        ("progressive", Fraction(0), "not_an_adjustment"),
        ("progressive", Fraction(-(10**9)), "not_an_adjustment"),
        ("mega", Fraction(1), "no_such_meter"),
    ):
        with pytest.raises(Refused) as refused:
            link.adjust(meter, amount, SIGNED)
        assert code(refused) == wanted


def test_a_link_is_shut_down_between_rounds_and_its_meters_move_whole() -> None:
    log = MemoryLog()
    link, a, b = two_tables(log, "hidden")
    b.round()
    a.up_to("dealing", {})
    with pytest.raises(Refused) as refused:
        link.shut_down(SIGNED)
    assert code(refused) == "round_in_play"
    with pytest.raises(Refused) as refused:
        link.leave("a", BY)
    assert code(refused) == "round_in_play"
    for _ in range(2):
        a.send("card_found_face_up", "dealer")
    other = open_link(log, "new", "hidden")
    with pytest.raises(Refused) as refused:
        other.take_over(link, SIGNED)
    assert code(refused) == "not_shut_down"
    held, hidden = cents_of(link), link.read().reserve("progressive")
    link.shut_down(SIGNED)
    other.take_over(link, SIGNED)
    assert cents_of(link) == link.read().reserve("progressive") == 0
    assert cents_of(other) == SEED + held
    assert other.read().reserve("progressive") == hidden == 200 * Fraction(5, 1000)
    with pytest.raises(Refused) as refused:
        other.take_over(link, SIGNED)
    assert code(refused) == "moved_already"
    with pytest.raises(Refused) as refused:
        link.adjust("progressive", Fraction(1), SIGNED)
    assert code(refused) == "link_shut_down"
    for name in ("wide", "new"):
        is_exact(log, name)
    assert [one.link for one in wall(log)] == ["new"]


def test_a_wager_that_waits_when_the_link_shuts_down_is_not_taken_in() -> None:
    log = MemoryLog()
    link, a, _ = two_tables(log)
    a.ready()
    for seat in (1, 2):
        a.wager(seat, {"ante": "10.00", "progressive": "1.00"})
    a.send("no_more_bets", "dealer")
    assert a.table.phase == "chips"
    link.shut_down(SIGNED)
    before = cents_of(link)
    with pytest.raises(Refused) as refused:
        a.send("count_progressive_chips", "dealer", count=2)
    assert code(refused) == "feed_closed"
    for seat in (1, 2):
        a.send(
            "strike_progressive_wager", "floorperson", seat=seat, wager="progressive", reason="shut"
        )
    with Projections(":memory:") as projections:
        projections.update(log)
        says = [row["says"] for row in look(projections, "irregularities", When())]
    assert "seat 1: $1 struck from Three-Card Progressive: shut" in says
    a.on_to("betting")
    assert cents_of(link) == before
    a.wager(1, {"ante": "10.00"})
    with pytest.raises(Refused) as refused:
        a.wager(1, {"progressive": "1.00"})
    assert code(refused) == "feed_closed"
    # opened again it has a meter of its own, and the link stays as it was
    a.send("take_back_wager", "player", seat=1, wager="ante")
    a.close()
    again = LinkedTable(log, "a")
    again.sit()
    again.round()
    assert cents_of(link) == before
    assert Fraction(again.table.meters["progressive"]) == SEED + 200 * RATE
    assert log.head("meter/a/progressive").version == 1
    is_exact(log)


def test_only_a_floorperson_of_the_house_opens_a_link_and_changes_its_tables() -> None:
    log = MemoryLog()
    link, _a, _b = two_tables(log)
    for who, wanted in (("nobody", "no_such_person"), ("dana", "not_your_part")):
        by = By(who, NOON)
        for act in (
            lambda by=by: Link(log, "other").open(rules(), "progressive", by),
            lambda by=by: link.join("c", rules(), by),
            lambda by=by: link.leave("a", by),
        ):
            with pytest.raises(Refused) as refused:
                act()
            assert code(refused) == wanted


def test_the_meter_of_a_closed_table_moves_to_a_link_once() -> None:
    log = MemoryLog()
    alone = LinkedTable(log, "alone", "hidden")
    alone.sit()
    alone.round()
    held = Fraction(alone.table.meters["progressive"])
    hidden = 200 * Fraction(5, 1000)
    assert Fraction(alone.table.reserves["progressive"]) == hidden
    link = open_link(log, game="hidden")
    with pytest.raises(Refused) as refused:
        link.take_over_table("alone", SIGNED)
    assert code(refused) == "not_closed"
    alone.close()
    link.take_over_table("alone", SIGNED)
    assert cents_of(link) == SEED + held
    assert link.read().reserve("progressive") == hidden
    with pytest.raises(Refused) as refused:
        link.take_over_table("alone", SIGNED)
    assert code(refused) == "moved_already"
    assert [event.data["why"] for event in log.read("meter/alone/progressive")][-1] == "transferred"
    link.join("alone", rules("hidden"), BY)
    is_exact(log)


# seeing it


def test_history_says_what_was_done_and_what_the_meter_held() -> None:
    log = MemoryLog()
    link, a, b = two_tables(log)
    a.round({1: ROYAL})
    b.round()
    link.adjust("progressive", Fraction(100), SIGNED)
    kinds = [act.kind for act in acts(log, "wide")]
    assert kinds == ["link_opened", "table_joined", "table_joined", "meter_paid", "meter_adjusted"]
    assert "A-K-Q of spades" in [act.says for act in acts(log, "wide")][3]
    held = points(log, "wide", 5)
    assert Fraction(held[-1].holds["progressive"]) == cents_of(link)
    (shown,) = wall(log)
    assert shown.meters == held[-1].shows
    assert shown.wins[0]["table"] == "a"


def test_a_link_of_many_wins_opens_from_a_snapshot(tmp_path) -> None:
    from houseway.floor.links.record import FOLDING

    log = SQLiteLog(tmp_path / "r.db")
    link = open_link(log)
    for _ in range(120):
        link.adjust("progressive", Fraction(1, 7), SIGNED)
    assert log.snapshot("link/wide", FOLDING.maker) is not None
    assert not list(wrong_snapshots(log, FOLDING))
    assert cents_of(Link(log, "wide")) == SEED + Fraction(120, 7)
    log.close()
