"""Rules of the table that hold in several chapters, one after the other, at the edges of each."""

from __future__ import annotations

from itertools import product

import pytest
from tables import opened, refused, to_shuffle

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.games.three_card.poker_settlement import check_version
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, choose, cites
from houseway.law.procedure import chosen
from houseway.table import events as e
from houseway.table import legal, next_steps, rules_of
from houseway.table.card_source import pack
from houseway.table.driver import Driver
from houseway.table.moment import Moment

POKER = (MD, MA, PRIME, SAIGON)
METHODS = ("manual_shoe", "hand", "automated_shoe")


def device_of(method: str) -> dict[str, str]:
    return {"dealing": method} | ({} if method == "manual_shoe" else {"shuffler": "plain"})


def first_of(chapter: str) -> str:
    return "bet" if chapter == DOWN_UNDER else "ante"


# wagers


@cites(MD, "7.A", "7.D", "2.C(1)", "2.C(2)")
@cites(MA, "6(b)", "12(a)", "13(a)")
@cites(PRIME, "679a.7(a)", "679a.7(c)")
@cites(SAIGON, "680a.7(a)", "680a.7(c)")
@pytest.mark.parametrize("chapter", POKER)
def test_a_wager_is_chips_on_an_area_of_the_game(chapter):
    driver = opened(chapter)
    place = {"seat": 1, "amount": "5.00"}
    for amount in ("5.25", "0.25", "0.00"):
        error = refused(driver, "place_wager", "player", seat=1, wager="ante", amount=amount)
        assert error.code in ("not_in_chips", "no_wager")
    assert refused(driver, "place_wager", "player", wager="tie", **place).code == (
        "wager_not_offered"
    )
    error = refused(driver, "place_wager", "player", wager="ante", hand=2, **place)
    assert error.code == "no_such_hand"
    if chapter != SAIGON:
        # the play wager is made when the cards are seen
        driver.send("place_wager", "player", wager="ante", **place)
        assert refused(driver, "place_wager", "player", wager="play", **place).code == "out_of_turn"
        driver.send("take_back_wager", "player", seat=1, wager="ante")
    driver.send("place_wager", "player", wager="ante", **place)
    error = refused(driver, "place_wager", "player", seat=1, wager="ante", amount="0.25")
    assert error.code == "not_in_chips"
    driver.send("place_wager", "player", seat=1, wager="ante", amount="1.00")
    assert driver.table.boxes[0].layout == {"ante": 600}


@cites(MD, "7.C", "7.E")
@cites(MA, "6(c)", "6(d)")
@cites(PRIME, "679a.7(b)", "679a.7(c)")
@cites(SAIGON, "680a.7(b)", "680a.7(c)")
@cites(DOWN_UNDER, "685a.6(c)")
@pytest.mark.parametrize("chapter", [*POKER, DOWN_UNDER])
def test_wagers_are_open_to_the_seated_from_the_shuffle_to_the_first_card(chapter):
    wager = first_of(chapter)
    driver = Driver(chapter, source=SeededSource(1))
    driver.seat_player(1, "player 1")
    placed = {"seat": 1, "wager": wager, "amount": "5.00"}
    assert driver.table.phase == "opening"
    assert refused(driver, "place_wager", "player", **placed).code == "out_of_turn"
    driver.ready()
    assert refused(driver, "place_wager", "player", **(placed | {"seat": 2})).code == "nobody_there"
    assert refused(driver, "take_back_wager", "player", seat=2, wager=wager).code == "nobody_there"
    driver.send("place_wager", "player", **placed)
    driver.send("take_back_wager", "player", seat=1, wager=wager)
    driver.send("place_wager", "player", **placed)
    driver.until("deciding" if chapter != DOWN_UNDER else "dealing")
    if chapter == DOWN_UNDER:
        driver.send("deal", "dealer")
    assert refused(driver, "place_wager", "player", **placed).code == "out_of_turn"
    assert refused(driver, "take_back_wager", "player", seat=1, wager=wager).code == "out_of_turn"


@cites(MD, "7.C(2)")
@cites(MA, "6(c)")
@cites(PRIME, "679a.7(b)")
@cites(SAIGON, "680a.7(b)")
@pytest.mark.parametrize("chapter", POKER)
def test_who_leaves_between_rounds_takes_his_chips_and_nothing_else_happens(chapter):
    driver = opened(chapter)
    driver.wager(2, {"ante": "5.00"})
    events = driver.send("leave_seat", "player", seat=2)
    assert [type(event) for event in events] == [e.WagerTakenBack, e.PlayerLeft]
    assert [type(event) for event in driver.send("leave_seat", "player", seat=1)] == [e.PlayerLeft]


@cites(MD, "7.C(2)")
@cites(PRIME, "679a.7(b)")
@cites(SAIGON, "680a.7(b)")
@pytest.mark.parametrize("chapter", [MD, PRIME, SAIGON])
def test_an_abandoned_hand_is_collected_and_the_round_goes_on(chapter):
    driver = opened(chapter)
    driver.wager(1, {"ante": "5.00"})
    driver.until("deciding")
    driver.send("leave_seat", "floorperson", seat=1)
    events = driver.send("declare_abandoned", "floorperson", seat=1)
    racked = [event.source for event in events if isinstance(event, e.CardsMoved)]
    assert racked == ["seat.1"]
    lost = [event for event in events if isinstance(event, e.WagerSettled)]
    assert [(line.wager, line.result, line.stake) for line in lost] == [("ante", "lose", "5.00")]
    # nobody is left to be asked
    assert driver.table.phase != "deciding"


# cards


@cites(MD, "3.B", "3.C", "4.D", "4.E", "4.F", "5.H(3)")
@cites(MA, "4(a)", "4(d)")
@cites(PRIME, "679a.3(c)", "679a.4(d)", "679a.4(e)")
@cites(SAIGON, "680a.3(c)", "680a.4(d)", "680a.4(e)")
@cites(DOWN_UNDER, "685a.4(d)")
@pytest.mark.parametrize("chapter", [MD, MA, PRIME, SAIGON, DOWN_UNDER])
def test_each_of_two_decks_goes_through_the_opening_by_itself(chapter):
    driver = Driver(chapter, {"shuffler": "plain", "decks_in_play": 2}, source=SeededSource(1))
    assert refused(driver, "receive_decks", "dealer", deck="3").code == "no_such_deck"
    driver.send("receive_decks", "dealer", deck="1")
    assert refused(driver, "receive_decks", "dealer", deck="1").code == "out_of_turn"
    driver.send("receive_decks", "dealer", deck="2")
    for step, role in (
        ("inspect_cards", "dealer"),
        ("verify_inspection", "floorperson"),
        ("spread_cards", "dealer"),
    ):
        driver.send(step, role, deck="1")
    driver.seat_player(1, "player 1")
    driver.send("let_player_inspect", "dealer", deck="1", seat=1)
    # the second deck was not even looked at
    assert refused(driver, "wash_cards", "dealer", deck="2").code == "out_of_turn"
    (washed,) = [
        event
        for event in driver.send("wash_cards", "dealer", deck="1")
        if isinstance(event, e.DeckPrepared)
    ]
    assert (washed.stage, washed.face_up) == ("stacked", False)
    driver.ready()
    assert refused(driver, "change_decks", "floorperson", deck="3").code == "no_such_deck"
    events = driver.send("change_decks", "floorperson", deck="2")
    assert [type(event) for event in events][:2] == [e.DeckRemoved, e.DecksReceived]


@cites(MD, "5.A", "5.A(1)", "5.A(2)", "5.A(3)", "5.D", "5.D(1)", "5.D(2)", "3.B(3)", "4.D")
@cites(MA, "5(a)", "7(f)", "2(b)(3)")
@cites(PRIME, "679a.5(a)", "679a.5(b)", "679a.3(b)(2)")
@cites(SAIGON, "680a.5(a)", "680a.5(b)", "680a.3(b)(2)")
@pytest.mark.parametrize("chapter", POKER)
def test_a_shuffle_is_of_the_whole_deck_and_only_a_counting_device_counts_it(chapter):
    for device in ("none", "plain", "counting"):
        driver = opened(chapter, {"shuffler": device})
        to_shuffle(driver)
        role = "dealer" if device == "none" else "device"
        whole = len(pack(rules_of(driver.table)))
        short = tuple(pack(rules_of(driver.table)))[1:]
        assert refused(driver, "shuffle", "system", order=short).code == "not_this_deck"
        if device != "counting":
            error = refused(driver, "shuffle", role, count=whole)
            assert error.code == "no_counting_device"
            continue
        good = driver.table
        driver.send("shuffle", role, count=whole)
        assert "1" in driver.table.decks
        driver.table, driver.record = good, driver.record[: good.version]
        driver.send("shuffle", role, count=whole - 1)
        assert "1" not in driver.table.decks
        assert driver.table.phase == "opening"


@cites(MD, "5.E", "5.E(1)", "5.F", "5.F(1)")
@cites(MA, "5(c)", "5(c)(1)(ii)", "5(c)(1)(iii)", "5(c)(2)")
@cites(PRIME, "679a.5(d)")
@cites(SAIGON, "680a.5(d)")
@pytest.mark.parametrize("chapter", POKER)
def test_what_lies_above_the_cut_goes_to_the_bottom_and_wagers_are_open(chapter):
    driver = opened(chapter)
    to_shuffle(driver)
    order = tuple(pack(rules_of(driver.table)))
    driver.send("shuffle", "system", order=order)
    assert driver.table.phase == "cutting"
    for depth in (0, 9, len(order)):
        assert refused(driver, "cut", "dealer", depth=depth).code == "cut_too_shallow"
    driver.send("cut", "dealer", depth=10)
    assert driver.table.piles["shoe"] == (*order[10:], *order[:10])
    assert driver.table.phase == "betting"


@cites(MD, "4.F", "5.E", "5.E(2)", "5.J")
@cites(PRIME, "679a.4(e)", "679a.5(c)", "679a.5(c)(2)")
@cites(SAIGON, "680a.4(e)", "680a.5(c)", "680a.5(c)(2)")
@pytest.mark.parametrize("shuffler", ["plain", "reshuffling"])
@pytest.mark.parametrize("chapter", [MD, PRIME, SAIGON])
def test_of_two_preshuffled_decks_one_is_played_and_one_waits_in_the_device(chapter, shuffler):
    rules = {"shuffler": shuffler, "decks_in_play": 2}
    driver = Driver(chapter, rules, source=SeededSource(1))
    clause = {MD: "4.F", PRIME: "679a.4(e)", SAIGON: "680a.4(e)"}[chapter]
    for deck in "12":
        events = driver.send("receive_decks", "dealer", deck=deck, preshuffled=True)
        assert events[0].clause == clause
    driver.seat_player(1, "player 1")
    driver.ready()
    size = 53 if chapter == SAIGON else 52
    assert [len(driver.table.piles[name]) for name in ("shoe", "shuffler")] == [size, size]
    assert {"deck.1", "deck.2"}.isdisjoint(driver.table.piles)
    moved = [event for event in driver.record if isinstance(event, e.CardsMoved)]
    assert [(event.to, event.count) for event in moved] == [("shuffler", size)]
    # a device that shuffles all the time spares the cut
    cut = any(isinstance(event, e.CardsCut) for event in driver.record)
    to_cut = [event.to_cut for event in driver.record if isinstance(event, e.CardsShuffled)]
    assert not cut or shuffler == "plain"
    assert not any(to_cut) or shuffler == "plain"


#: by chapter and way of dealing: the clauses of a right count, of a misdeal and of a wrong deck
STUB = {
    MD: [("8.G", "8.H(1)", "8.H(2)"), ("9.E", "9.G", "9.H"), ("10.D", "10.F", "10.G")],
    MA: [("7(e)(1)", "7(e)(2)", "7(e)(2)")] * 3,
    PRIME: [
        ("679a.8(f)", "679a.8(g)", "679a.8(g)"),
        ("679a.9(e)", "679a.9(f)", "679a.9(f)"),
        ("679a.10(e)", "679a.10(f)", "679a.10(f)"),
    ],
    SAIGON: [
        ("680a.8(f)", "680a.8(g)", "680a.8(g)"),
        ("680a.9(e)", "680a.9(f)", "680a.9(f)"),
        ("680a.10(e)", "680a.10(f)", "680a.10(f)"),
    ],
}


@cites(MD, "8.F", "8.G", "8.H", "8.H(1)", "8.H(2)", "9.D", "9.E", "9.F", "9.G", "9.H")
@cites(MD, "10.C", "10.D", "10.E", "10.F", "10.G")
@cites(MA, "7(e)", "7(e)(1)", "7(e)(2)", "8(e)", "9(e)")
@cites(PRIME, "679a.8(f)", "679a.8(g)", "679a.9(e)", "679a.9(f)", "679a.10(e)", "679a.10(f)")
@cites(SAIGON, "680a.8(f)", "680a.8(g)", "680a.9(e)", "680a.9(f)", "680a.10(e)", "680a.10(f)")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("chapter", POKER)
def test_a_stub_counted_right_or_wrong(chapter, method):
    """Right: to the rack, unseen, and the round goes on. Wrong: it is void, all wagers go back."""
    right, misdealt, wrong = STUB[chapter][METHODS.index(method)]
    driver = opened(chapter, device_of(method))
    driver.wager(1, {"ante": "10.00"})
    driver.until("stub")
    table, size = driver.table, len(driver.table.piles["shoe"])

    def counted(**fields):
        driver.table, driver.record = table, driver.record[: table.version]
        return driver.send("count_stub", "dealer", **fields)

    events = counted(count=size)
    assert [event.misdealt for event in events if isinstance(event, e.StubCounted)] == [None]
    assert [
        (event.clause, event.source, event.to, event.count)
        for event in events
        if isinstance(event, e.CardsMoved)
    ] == [(right, "shoe", "discard", size)]
    assert "discard" not in driver.table.shown
    assert driver.table.phase == "deciding"
    for more, (was_misdealt, clause) in product((-1, 1), ((True, misdealt), (False, wrong))):
        events = counted(count=size + more, misdealt=was_misdealt)
        told = [event.misdealt for event in events if isinstance(event, e.StubCounted)]
        assert told == [was_misdealt]
        back = [event for event in events if isinstance(event, e.WagerReturned)]
        assert [(event.seat, event.wager, event.amount, event.clause) for event in back] == [
            (1, "ante", "10.00", clause)
        ]
        assert ("1" in driver.table.decks) == was_misdealt
    driver.table, driver.record = table, driver.record[: table.version]
    assert refused(driver, "count_stub", "dealer", count=size, misdealt=True).code == "not_wrong"
    for count in (size - 1, size + 1):
        assert refused(driver, "count_stub", "dealer", count=count).code == "misdealt_or_not"


# settlement and the electronic version


@cites(
    MA, "10(c)", "10(c)(1)", "10(c)(1)(iv)", "10(c)(2)", "10(c)(2)(ii)", "10(c)(2)(iii)", "12(j)"
)
@pytest.mark.parametrize("settlement", ["by_procedure", "by_player"])
def test_massachusetts_clears_by_player_only_where_it_settles_so_and_covers_all_last(settlement):
    rules = {"settlement": settlement, "cover_all": True, "shuffler": "plain"}
    driver = opened(MA, rules, players=3)
    for seat in (1, 2, 3):
        driver.wager(seat, {"ante": "5.00", "pair_plus": "5.00", "cover_all": "2.00"})
    steps = chosen(rules_of(driver.table).chapter.procedure, rules_of(driver.table).options)
    by_player = settlement == "by_player"
    assert steps["settle_next"].clause == ("10(c)(2)" if by_player else "10(c)(1)")
    driver.until("deciding")
    for seat in (1, 2, 3):
        driver.send("play", "player", seat=seat)
    driver.until("settling")
    cleared = []
    while driver.table.due or driver.table.phase == "settling":
        due = driver.table.due[0] if driver.table.due else None
        cleared += [step.seat for step in driver.steps() if step.command == "clear_hands"]
        if due is not None and due.wager == "cover_all":
            left = {line.wager for line in driver.table.due}
            assert left == {"cover_all"}
        driver.house()
    assert [seat for seat in dict.fromkeys(cleared) if seat] == ([3, 2, 1] if by_player else [])


@cites(MD, "11.F", "11.F(1)", "11.F(2)")
def test_the_electronic_version_has_nine_common_cards_and_three_of_the_dealers():
    driver = opened(MD, {"electronic": True}, players=2)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00"}, hand=seat)
    driver.until("dealing")
    before = len(driver.record)
    driver.until("deciding")
    dealt = [event for event in driver.record[before:] if isinstance(event, e.CardsDealt)]
    assert [(event.to, event.face_up) for event in dealt if event.to == "community"] == (
        [("community", True)] * 9
    )
    assert [(event.to, event.face_up) for event in dealt if event.to == "dealer"] == (
        [("dealer", False)] * 3
    )
    assert len(dealt) == 12
    now = Moment(driver.table, "dealer")
    assert [now.game.hand_size(now, seat) for seat in (0, 1, 2)] == [3, 9, 9]
    plain = Moment(opened(MD).table, "dealer")
    assert [plain.game.hand_size(plain, seat) for seat in (0, 1)] == [3, 3]


@cites(DOWN_UNDER, "685a.6(a)")
def test_cash_becomes_chips_only_with_a_spoken_wager():
    driver = opened(DOWN_UNDER)
    spoken = driver.send("place_wager", "dealer", seat=1, wager="bet", amount="5.00", verbal=True)
    assert [type(event) for event in spoken] == [e.ChipsSold, e.WagerPlaced]
    laid = driver.send("place_wager", "player", seat=2, wager="bet", amount="5.00")
    assert [type(event) for event in laid] == [e.WagerPlaced]


@cites(MD, "7.G", "7.G(1)", "7.G(2)", "7.G(3)")
@cites(MA, "6(f)", "6(f)(1)", "6(f)(2)", "6(f)(3)")
@pytest.mark.parametrize("chapter", [MD, MA])
def test_the_versions_tie_the_two_wagers_together(chapter):
    bonus = {MD: "mini_royal", MA: "A"}[chapter]

    def outcome(version, ante, pair_plus):
        rules = choose(chapter, {"version": version, "ante_bonus": bonus})
        wagers = {"ante": ante * 100, "pair_plus": pair_plus * 100}
        try:
            check_version(rules, {name: amount for name, amount in wagers.items() if amount})
        except Refused as refusal:
            return refusal.code, refusal.field
        return None

    missing, apart = "standard_wager_missing", "wagers_out_of_proportion"
    assert outcome("both_compulsory", 10, 0) == (missing, "wagers.pair_plus")
    assert outcome("both_compulsory", 0, 10) == (missing, "wagers.ante")
    assert outcome("both_compulsory", 10, 50) is None
    assert outcome("both_compulsory", 50, 10) is None
    assert outcome("both_compulsory", 10, 51) == (apart, "wagers.pair_plus")
    assert outcome("both_compulsory", 51, 10) == (apart, "wagers.ante")
    for version, least in (("ante_covers_pair_plus", 10), ("ante_covers_half_pair_plus", 5)):
        assert outcome(version, least, 10) is None
        assert outcome(version, least, 0) is None
        assert outcome(version, least - 1, 10) == (apart, "wagers.pair_plus")
        assert outcome(version, 0, 10) == (apart, "wagers.pair_plus")


@cites(MD, "8.E(2)", "9.C(4)", "10.B(6)")
@pytest.mark.parametrize("method", METHODS)
def test_community_cards_are_dealt_only_for_a_wager_on_them(method):
    driver = opened(MD, device_of(method) | {"five_card_progressive": "A"})
    for wagers, count in (({}, 0), ({"five_card_progressive": "1.00"}, 2)):
        driver.until("betting")
        driver.wager(1, {"ante": "10.00", **wagers})
        before = len(driver.record)
        driver.finish(lambda *_: ("play", {}))
        dealt = [event for event in driver.record[before:] if isinstance(event, e.CardsDealt)]
        assert [event.to for event in dealt].count("community") == count


@cites(MD, "10.B(3)", "10.B(4)")
@pytest.mark.parametrize(
    ("way", "place"), [("delivered", "dealer"), ("left_in_shoe", "dealer_stack")]
)
def test_the_dealers_stack_is_delivered_or_waits(way, place):
    driver = opened(MD, device_of("automated_shoe") | {"dealer_stack": way})
    driver.wager(1, {"ante": "10.00"})
    driver.until("deciding")
    dealt = [event.to for event in driver.record if isinstance(event, e.CardsDealt)]
    assert dealt == ["seat.1", place]


@cites(MD, "5.F", "5.G", "5.J", "9.A(1)")
@pytest.mark.parametrize("shuffler", ["none", "plain", "reshuffling"])
def test_cards_of_a_device_that_shuffles_all_the_time_are_not_cut(shuffler):
    driver = opened(MD, {"shuffler": shuffler})
    never = shuffler == "reshuffling"
    assert ("order_recut" in legal(driver.table, "floorperson")) == (shuffler == "none")
    if shuffler != "none":
        recut = refused(driver, "order_recut", "floorperson", reason="a bad cut")
        assert recut.clause == ("5.J" if never else "5.G")
    if never:
        assert refused(driver, "spread_idle", "dealer").clause == "5.J"
    else:
        driver.send("spread_idle", "dealer")
        driver.ready()
    to_shuffle(driver)
    if never:
        error = refused(driver, "shuffle", "dealer")
        assert (error.code, error.clause) == ("device_shuffles", "5.J")
    else:
        driver.send("shuffle", "dealer")
        assert driver.table.phase == "cutting"


@cites(MD, "5.H(3)")
@cites(MA, "5(e)")
@cites(PRIME, "679a.5(f)")
@cites(SAIGON, "680a.5(f)")
@cites(DOWN_UNDER, "685a.5(g)")
@pytest.mark.parametrize(
    ("chapter", "clause"),
    [
        (MD, "5.H(3)"), (MA, "5(e)"), (PRIME, "679a.5(f)"), (SAIGON, "680a.5(f)"),
        (DOWN_UNDER, "685a.5(g)"),
    ],
)  # fmt: skip
def test_a_player_who_comes_to_idle_cards_may_look_at_them(chapter, clause):
    driver = opened(chapter)
    driver.send("spread_idle", "dealer")
    told = {step.command: step.clause for step in next_steps(driver.table)}
    assert told["let_player_inspect"] == clause
    driver.send("let_player_inspect", "dealer", seat=1)
    # only in Massachusetts cards that lie face down are turned up for it
    assert driver.table.decks["1"].face_up is (chapter == MA)


@cites(MD, "5.D", "5.D(1)", "13.F")
@cites(MA, "7(f)", "14(e)")
@cites(PRIME, "679a.5(b)", "679a.13(e)")
@cites(SAIGON, "680a.5(b)", "680a.13(d)")
@pytest.mark.parametrize(
    ("chapter", "miscounted", "jam"),
    [
        (MD, "5.D", "13.F"),
        (MA, "7(f)", "14(e)"),
        (PRIME, "679a.5(b)", "679a.13(e)"),
        (SAIGON, "680a.5(b)", "680a.13(d)"),
    ],
)
def test_a_deck_that_is_not_whole_goes_and_a_jam_is_over_with_the_shuffle(chapter, miscounted, jam):
    driver = opened(chapter, {"shuffler": "counting"})
    to_shuffle(driver)
    table, size = driver.table, len(pack(rules_of(driver.table)))
    for count in (size - 1, size + 1):
        events = driver.send("shuffle", "device", count=count)
        removed = [event.clause for event in events if isinstance(event, e.DeckRemoved)]
        assert removed == [miscounted]
        driver.table, driver.record = table, driver.record[: table.version]
    driver.send("device_jams", "dealer", device="shuffler")
    events = driver.send("shuffle", "device", count=size)
    changed = [event for event in events if isinstance(event, e.DeviceChanged)]
    assert [(event.clause, event.condition) for event in changed] == [(jam, "working")]
