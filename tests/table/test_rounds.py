"""Whole rounds through the table: they settle exactly as `settle` does, in the prescribed order."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tables import EVERY_GAME, GAMES, check_all, keyed, nets, opened, stands

import houseway
from houseway.games.saigon.table.events import HandsSet
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.money import cents
from houseway.table import events as e
from houseway.table import rules_of


def played(driver, choose):
    """Play a round; returns its events."""
    before = len(driver.record)
    driver.finish(choose)
    return driver.record[before:]


def rebuilt(driver, events):
    """The round as an onlooker would write it down from the record, and have it settled."""
    rules = rules_of(driver.table)
    hands, dealer, community, decisions, wagers = {}, (), (), {}, {}
    fourth, setting, players = {}, {}, {}
    for event in driver.record:
        if isinstance(event, e.PlayerSat):
            players[event.seat] = event.player
        if isinstance(event, e.BetsClosed):
            meters = {}
        if isinstance(event, e.MeterMoved) and event.why == "wagers":
            meters[event.meter] = event.shows
    for event in events:
        match event:
            case e.CardsDealt(to=to, cards=cards):
                place, _, seat = to.partition(".")
                if place == "seat":
                    hands[int(seat)] = hands.get(int(seat), ()) + cards
                elif place == "fourth":
                    fourth[int(seat)] = cards[0]
                elif place == "community":
                    community += cards
                else:
                    dealer += cards
            case e.CardsMoved(to=to, count=1) if to.startswith("fourth."):
                seat = int(to.partition(".")[2])
                fourth[seat] = hands[seat][3]
            case e.Decided(seat=seat, decision=decision):
                decisions[seat] = decision
            case HandsSet(seat=seat, three=three, two=two):
                setting[seat] = (three, two)
    for event in driver.record:
        if isinstance(event, e.BetsClosed):
            last = event.version
    for event in driver.record:
        if isinstance(event, e.RoundEnded) and event.version < last:
            wagers = {}
        if isinstance(event, e.WagerPlaced) and event.wager != "play" and event.version < last:
            wagers.setdefault(event.seat, {})[event.wager] = event.amount
    size = 5 if rules.chapter.id == SAIGON else 3
    seats = {}
    for seat, placed in wagers.items():
        seats[seat] = {
            "wagers": placed,
            "cards": " ".join(hands[seat][:size]),
            "player": players[seat],
        }
        if seat in decisions:
            seats[seat]["decision"] = decisions[seat]
        if seat in fourth:
            seats[seat]["fourth"] = fourth[seat]
        if seat in setting:
            seats[seat]["three"], seats[seat]["two"] = (" ".join(part) for part in setting[seat])
    return houseway.settle(
        houseway.deal(
            rules,
            dealer=" ".join(dealer[:size]),
            seats=seats,
            community=" ".join(community),
            meters=meters,
        )
    )


@pytest.mark.slow
@pytest.mark.parametrize(("chapter", "rules", "wagers"), GAMES)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_a_round_through_the_table_is_settled_as_settle_does(chapter, rules, wagers, data):
    """The table pays what the games say, wager by wager, and the money and cards add up."""
    seed = data.draw(st.integers(0, 10_000))
    folds = data.draw(st.lists(st.booleans(), min_size=3, max_size=3))
    driver = opened(chapter, rules, seed=seed, players=3)
    for seat in (1, 2, 3):
        driver.wager(seat, wagers)

    def choose(_table, seat, steps):
        names = [step.command for step in steps]
        if "fold" in names and folds[seat - 1]:
            return ("forfeit_unseen" if "forfeit_unseen" in names and seat == 2 else "fold"), {}
        return names[0], {}

    tray_before = sum(value * count for value, count in driver.table.tray.items())
    events = played(driver, choose)
    expected = rebuilt(driver, events)
    got = {seat: [] for seat in (1, 2, 3)}
    for event in events:
        if isinstance(event, e.WagerSettled):
            got[event.seat].append(
                (event.wager, event.stake, event.result, event.paid, event.clause)
            )
    for seat in expected.seats:
        lines = [
            (
                line.wager,
                houseway.dollars(line.stake),
                line.result,
                houseway.dollars(line.paid),
                line.clause,
            )
            for line in seat.lines
        ]
        assert sorted(got[seat.seat]) == sorted(lines)
    tray_after = sum(value * count for value, count in driver.table.tray.items())
    assert tray_after - tray_before == expected.house
    check_all(driver)


@cites(MD, "8.E", "8.E(1)", "8.E(2)", "8.E(3)")
def test_one_card_at_a_time_from_the_dealers_left():
    driver = opened(MD, {"five_card_progressive": "A"}, players=3)
    for seat in (1, 3):
        driver.wager(seat, {"ante": "5.00"})
    driver.wager(3, {"five_card_progressive": "1.00"})
    events = played(driver, lambda *_: ("play", {}))
    order = [(event.to, event.face_up) for event in events if isinstance(event, e.CardsDealt)]
    around = [("seat.1", False), ("seat.3", False), ("dealer", False)]
    assert order == around * 3 + [("community", False)] * 2
    stub = next(event for event in events if isinstance(event, e.CardsMoved))
    assert (stub.source, stub.to, stub.count) == ("shoe", "discard", 52 - 11)


@cites(MD, "10.B", "10.B(1)", "10.B(2)", "10.B(4)", "10.B(5)", "10.B(6)", "11.D(2)")
def test_stacks_go_clockwise_and_the_dealers_waits_in_the_shoe():
    rules = {
        "dealing": "automated_shoe",
        "dealer_stack": "left_in_shoe",
        "five_card_progressive": "A",
    }
    driver = opened(MD, rules, players=2)
    driver.wager(1, {"ante": "5.00", "five_card_progressive": "1.00"})
    driver.wager(2, {"pair_plus": "5.00"})
    events = played(driver, lambda *_: ("play", {}))
    order = [(event.to, len(event.cards)) for event in events if isinstance(event, e.CardsDealt)]
    assert order == [
        ("seat.1", 3), ("seat.2", 3), ("dealer_stack", 3), ("community", 1), ("community", 1),
    ]  # fmt: skip
    decided = next(event.version for event in events if isinstance(event, e.Decided))
    out = next(
        event.version
        for event in events
        if isinstance(event, e.CardsMoved) and event.source == "dealer_stack"
    )
    assert out > decided


@cites(MD, "11.D(3)")
def test_settled_from_the_dealers_right():
    driver = opened(MD, players=3)
    for seat in (1, 2, 3):
        driver.wager(seat, {"ante": "5.00", "pair_plus": "5.00"})
    events = played(driver, lambda *_: ("play", {}))
    seats = [event.seat for event in events if isinstance(event, e.WagerSettled)]
    assert list(dict.fromkeys(seats)) == [3, 2, 1]
    assert seats == sorted(seats, reverse=True)


@cites(MA, "10(c)(1)(i)", "10(c)(1)(iv)", "10(c)")
def test_massachusetts_by_procedure_collects_all_losers_first():
    driver = opened(MA, {"progressive": "1"}, players=3, seed=4)
    for seat in (1, 2, 3):
        driver.wager(seat, {"ante": "5.00", "pair_plus": "5.00", "progressive": "1.00"})
    events = played(driver, lambda *_: ("play", {}))
    turned = [
        event.version
        for event in events
        if isinstance(event, e.CardsTurned) and event.place != "dealer"
    ]
    lines = [event for event in events if isinstance(event, e.WagerSettled)]
    assert max(turned) < lines[0].version
    lost = [line.result in ("lose", "forfeit") for line in lines if line.wager != "envy"]
    assert lost == sorted(lost, reverse=True)
    racked = [
        event.source
        for event in events
        if isinstance(event, e.CardsMoved) and event.to == "discard" and event.source != "shoe"
    ]
    assert racked == ["seat.3", "seat.2", "seat.1", "dealer"]


@cites(MA, "10(c)(2)(i)", "10(c)(2)(iii)")
def test_massachusetts_by_player_clears_each_before_the_next():
    driver = opened(MA, {"settlement": "by_player"}, players=3)
    for seat in (1, 2, 3):
        driver.wager(seat, {"ante": "5.00", "pair_plus": "5.00"})
    events = played(driver, lambda *_: ("play", {}))
    story = []
    for event in events:
        match event:
            case e.CardsTurned(place=place) if place.startswith("seat"):
                story.append(f"turn {place}")
            case e.WagerSettled(seat=seat):
                story.append(f"settle seat.{seat}")
            case e.CardsMoved(source=source) if source.startswith("seat"):
                story.append(f"clear {source}")
    assert list(dict.fromkeys(story)) == [
        f"{what} seat.{seat}" for seat in (3, 2, 1) for what in ("turn", "settle", "clear")
    ]


@cites(PRIME, "679a.11(c)", "679a.8(c)", "679a.11(d)(2)(ii)")
def test_a_fourth_card_is_turned_only_for_a_pair_or_better():
    turned = set()
    for seed in range(12):
        driver = opened(PRIME, {"pair_bonus": "A"}, players=2, seed=seed)
        for seat in (1, 2):
            driver.wager(seat, {"ante": "5.00", "pair_bonus": "5.00"})
        events = played(driver, lambda *_: ("play", {}))
        dealt = [event.to for event in events if isinstance(event, e.CardsDealt)]
        assert dealt[-2:] == ["fourth.1", "fourth.2"]
        for seat in (1, 2):
            hand = next(
                event.cards
                for event in events
                if isinstance(event, e.CardsTurned) and event.place == f"seat.{seat}"
            )
            line = next(
                event
                for event in events
                if isinstance(event, e.WagerSettled)
                and (event.seat, event.wager) == (seat, "pair_bonus")
            )
            shown = any(
                isinstance(event, e.CardsTurned) and event.place == f"fourth.{seat}"
                for event in events
            )
            assert shown == (line.result == "win"), hand
            turned.add(shown)
    assert turned == {True, False}


@cites(SAIGON, "680a.11(c)", "680a.11(d)(1)(i)", "680a.11(d)(1)(ii)", "680a.11(d)(2)(i)")
@cites(SAIGON, "680a.11(d)(2)(ii)")
def test_a_showdown_hand_is_turned_only_when_it_decides():
    seen = set()
    for seed in range(10):
        driver = opened(SAIGON, players=1, seed=seed)
        driver.wager(1, {"ante": "5.00"})
        events = played(driver, lambda *_: ("set_hands", {}))
        setting = next(event for event in events if isinstance(event, HandsSet))
        shown = any(isinstance(event, e.CardsTurned) and event.place == "two.1" for event in events)
        points = [sum(values) for values in _values(setting.three)]
        qualifies = any(total in (10, 20, 30) for total in points)
        assert shown == qualifies
        seen.add(shown)
    assert seen == {True, False}


def _values(cards):
    """Every way to count cards: tens and faces 10, aces 1, the joker 3, 6 or 9."""
    ways = [()]
    for card in cards:
        worths = (3, 6, 9) if card == "Jk" else ({"A": 1}.get(card[0]) or _face(card),)
        ways = [(*way, worth) for way in ways for worth in worths]
    return ways


def _face(card):
    return 10 if card[0] in "TJQK" else int(card[0])


@cites(PRIME, "679a.10(g)", "679a.10(g)(1)", "679a.10(g)(2)")
def test_stacks_of_four():
    rules = {
        "dealing": "automated_shoe",
        "shuffler": "reshuffling",
        "stacks_of_four": True,
        "pair_bonus": "A",
    }
    driver = opened(PRIME, rules, players=2)
    driver.wager(1, {"ante": "5.00", "pair_bonus": "5.00"})
    driver.wager(2, {"ante": "5.00"})
    events = played(driver, lambda *_: ("play", {}))
    stacks = [(event.to, len(event.cards)) for event in events if isinstance(event, e.CardsDealt)]
    assert stacks == [("seat.1", 4), ("seat.2", 4), ("dealer", 4)]
    tops = [
        (event.source, event.to)
        for event in events
        if isinstance(event, e.CardsMoved) and event.count == 1
    ]
    assert tops[:3] == [("seat.1", "fourth.1"), ("seat.2", "discard"), ("dealer", "discard")]


def test_net_of_a_round_and_the_house_add_up():
    driver = opened(MD, players=2)
    driver.wager(1, {"ante": "5.00"})
    events = played(driver, lambda *_: ("fold", {}))
    line = next(event for event in events if isinstance(event, e.WagerSettled))
    assert (line.result, line.stake, line.clause) == ("forfeit", "5.00", "11.B")
    assert cents(line.paid) == 0


@pytest.mark.slow
@pytest.mark.parametrize(("chapter", "rules", "wagers"), EVERY_GAME)
def test_the_state_does_not_grow_with_the_rounds(chapter, rules, wagers):
    """Between rounds a table holds its decks, its boxes and its tray, however many it has played."""
    driver = opened(chapter, rules, players=2)
    sizes = []
    for _ in range(24):
        if driver.table.phase != "betting":
            driver.until("betting")
        sizes.append(len(msgspec.json.encode(replace(driver.table, racked={}, settled=()))))
        for seat in (1, 2):
            driver.wager(seat, wagers)
        driver.finish(lambda _t, _s, steps: (quiet(steps), {}))
        assert len(msgspec.json.encode(driver.table)) < 100_000
    # cards wander between piles and counters gain digits; nothing else
    assert max(sizes[12:]) <= max(sizes[:12]) + 40


def quiet(steps):
    names = [step.command for step in steps]
    return next(
        name for name in ("play", "set_hands", "stand", "decline_insurance") if name in names
    )


def test_what_a_player_wins_in_a_round_ends_at_the_payout_limit():
    """A royal flush on the Bonus, beside a winning ante: the ante is paid, the Bonus up to the rest."""
    limit = "50000.00"
    rules = {"bonus": "A", "payout_limit": limit}
    driver = keyed(SAIGON, rules, limits={"bonus": {"min": "5.00", "max": "1000.00"}})
    driver.send("fill", "floorperson", chips={"5000.00": 20})
    driver.wager(1, {"ante": "100.00", "bonus": "1000.00"})
    driver.until("deciding")
    driver.send("set_hands", "player", seat=1)
    driver.send("reveal_dealer", "dealer", cards=("2c", "2d", "4h", "5s", "9c"))
    driver.send("turn_hand", "dealer", seat=1, cards=("Ks", "Qs", "Js"))
    driver.send("turn_hand", "dealer", seat=1, cards=("As", "Ts"))
    driver.until("clearing")
    odds = rules_of(driver.table).table("bonus").pays["royal_flush"].odds
    assert odds.beside(100_000) + 10_000 > cents(limit)
    assert nets(driver) == {1: cents(limit)}
    check_all(driver)


@cites(MD, "11.E")
@cites(MA, "10(d)")
@cites(PRIME, "679a.11(e)")
@cites(SAIGON, "680a.11(f)")
@cites(DOWN_UNDER, "685a.7(s)")
@pytest.mark.parametrize("chapter", [MD, MA, PRIME, SAIGON, DOWN_UNDER])
def test_every_hand_can_be_rebuilt_from_the_rack(chapter):
    """Each hand lies in the rack together, from the dealer's right to the left, the dealer's last."""
    driver = opened(chapter, players=3)
    for seat in (1, 2, 3):
        driver.wager(seat, {"bet" if chapter == DOWN_UNDER else "ante": "5.00"})
    events = played(driver, stands)
    hands = {}
    for event in events:
        if isinstance(event, e.CardsDealt):
            owner = "dealer" if event.to == "hole" else event.to
            hands.setdefault(owner, []).extend(event.cards)
    racked = [
        event
        for event in events
        if isinstance(event, e.CardsMoved) and event.to == "discard" and event.source != "shoe"
    ]
    # a hand may lie in two piles by then, as in Saigon
    owners = [
        event.source.replace("three", "seat").replace("two", "seat").replace("hole", "dealer")
        for event in racked
    ]
    assert {event.clause for event in racked} <= {
        "11.E", "10(c)", "10(c)(1)(iv)", "679a.11(e)", "680a.11(f)", "685a.7(s)",
    }  # fmt: skip
    assert list(dict.fromkeys(owners)) == ["seat.3", "seat.2", "seat.1", "dealer"]
    assert owners == sorted(owners, key=list(dict.fromkeys(owners)).index)
    sizes = {SAIGON: {5}, DOWN_UNDER: {2, 3, 4, 5}}.get(chapter, {3})
    hands.pop("discard", None)  # a burn card
    for place, cards in hands.items():
        moved = [one.count for one, owner in zip(racked, owners, strict=True) if owner == place]
        assert sum(moved) == len(cards)
        assert len(cards) in sizes
