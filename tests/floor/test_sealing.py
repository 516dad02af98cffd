"""The fair-deal proof at real tables: every exposed card and no other, and no way around it."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from playing import GAMES, played, record

from houseway.cards import SeededSource
from houseway.floor.audit.rounds import find_round
from houseway.floor.audit.verify_deal import verify_deal
from houseway.floor.deal_proof import COMMITTED
from houseway.floor.recorded_table import RecordedTable
from houseway.law import DOWN_UNDER, cites
from houseway.store import New, Write, digest
from houseway.store.backends.memory import MemoryLog
from houseway.store.security.fair_deal import commit
from houseway.table import driver as driving
from houseway.table import rules_of
from houseway.table.card_source import pack
from houseway.table.driver import Driver


@pytest.fixture
def recorded(projections_of):
    """Plays a game, and gives its record with the projections."""

    def made(game: int, rounds: int = 3, seed: int = 1):
        log = MemoryLog()
        record(log, played(game, rounds, seed=seed))
        return log, projections_of(log)

    return made


@pytest.mark.parametrize("game", range(len(GAMES)))
@pytest.mark.parametrize("seed", [1, 2])
def test_every_round_is_proved(game, seed, recorded) -> None:
    log, found = recorded(game, seed=seed)
    for number in (1, 2, 3):
        verdict = verify_deal(log, find_round(found, f"1.1.{number}"))
        assert verdict.proved, verdict
        assert verdict.exposed == verdict.sealed > 0
        names = {check.check for check in verdict.checks}
        # the whole order is opened once its cards were gathered for another shuffle; a blackjack
        # shoe is played on
        if number != 2:
            assert ("whole_order" in names) == (number == 1 and game != 6)


def openings(log, number: int) -> Counter[str]:
    (event,) = [
        one
        for one in log.read("table/1")
        if one.kind == "deal_opened" and one.data["round"] == number
    ]
    return Counter(card["card"] for part in event.data["seals"] for card in part["openings"])


@pytest.mark.parametrize("game", [0, 1, 2])
def test_a_hand_that_was_folded_stays_sealed(game, recorded) -> None:
    log, found = recorded(game)
    round = find_round(found, "1.1.1")
    (folded,) = [hand for hand in round["hands"] if hand["seat"] == 2]
    (shown,) = [hand for hand in round["hands"] if hand["seat"] == 1]
    opened = openings(log, 1)
    assert folded["decision"] == "fold"
    assert not set(folded["cards"].split()[:3]) & opened.keys()
    assert set(shown["cards"].split()[:3]) <= opened.keys()
    assert set(round["cards"].split()) <= opened.keys()


def test_a_seed_is_public_only_when_its_shoe_is_finished(recorded) -> None:
    log, _ = recorded(0)
    events = list(log.read("table/1"))
    secret = {one.data["seal"]: one.data["seed"] for one in events if one.kind == "deal_secret"}
    public = {one.data["seal"]: one.data["seed"] for one in events if one.kind == "deal_finished"}
    assert set(secret) == {1, 2, 3}
    assert public == {seal: secret[seal] for seal in (1, 2)}
    assert len(set(secret.values())) == 3
    said = "".join(one.body for one in events if one.kind not in ("deal_secret", "deal_finished"))
    assert not any(seed in said for seed in secret.values())
    for one in events:
        if one.kind == "deal_committed":
            shuffle = events[one.version - 2 - (one.data["seal"] > 1)]
            assert shuffle.kind == "cards_shuffled"
            order = shuffle.data["cards"]
            assert commit(order, bytes.fromhex(secret[one.data["seal"]])) == one.data["root"]


def forge(log: MemoryLog, version: int, change) -> None:
    """Change one event's body and recompute all later hashes, as a patient forger would."""
    events = log._streams["table/1"]
    link = events[version - 1].previous
    for at in range(version - 1, len(events)):
        one = events[at]
        body = one.body
        if one.version == version:
            data = one.data
            change(data)
            body = msgspec.json.encode(data, order="sorted").decode()
        hash = digest(
            link, one.stream, one.version, one.time, one.actor, one.kind, one.schema, body
        )
        events[at] = msgspec.structs.replace(one, body=body, previous=link, hash=hash)
        link = hash


def failed(log, found, number: int = 2) -> set[str]:
    verdict = verify_deal(log, find_round(found, f"1.1.{number}"))
    assert not verdict.proved
    return {check.check for check in verdict.checks if not check.holds}


def version_of(log, kind: str, nth: int) -> int:
    return [one.version for one in log.read("table/1") if one.kind == kind][nth]


def test_another_order_does_not_fit_the_seal(recorded) -> None:
    log, found = recorded(0)

    def swap(data):
        data["cards"][40], data["cards"][41] = data["cards"][41], data["cards"][40]

    forge(log, version_of(log, "cards_shuffled", 1), swap)
    assert "whole_order" in failed(log, found)


def test_another_card_or_a_missing_or_an_added_opening_is_found(recorded) -> None:
    def other_card(data):
        one = data["seals"][0]["openings"][0]
        one["card"] = "2c" if one["card"] != "2c" else "3c"

    def one_less(data):
        del data["seals"][0]["openings"][0]

    def one_twice(data):
        data["seals"][0]["openings"].append(data["seals"][0]["openings"][0])

    def another_root(data):
        data["root"] = "00" * 32

    for kind, change, expected in (
        ("deal_opened", other_card, {"opened", "leads_to_root"}),
        ("deal_opened", one_less, {"opened"}),
        ("deal_opened", one_twice, {"opened"}),
        ("deal_committed", another_root, {"leads_to_root", "whole_order"}),
    ):
        log, found = recorded(0)
        forge(log, version_of(log, kind, 1), change)
        assert failed(log, found) == expected


def test_a_changed_event_shows_in_the_chain(recorded) -> None:
    log, found = recorded(0)
    events = log._streams["table/1"]
    at = version_of(log, "wager_placed", 5) - 1
    events[at] = msgspec.structs.replace(events[at], actor="nobody")
    assert failed(log, found) == {"chain"}


def test_wagers_before_the_shuffle_are_not_called_proved(projections_of) -> None:
    """Someone who knows the wagers could choose the order: the seal must come first."""
    driver = played(0, rounds=1)
    driver.wager(1, {"ante": "10.00"})
    driver.finish(lambda *_: ("play", {}))
    log = MemoryLog()
    record(log, driver)
    found = projections_of(log)
    assert failed(log, found) == {"sealed_before_bets"}


def test_cards_whose_order_nobody_knew_are_not_sealed(monkeypatch) -> None:
    monkeypatch.setitem(driving._FIELDS, "shuffle", lambda _: {})
    log = MemoryLog()
    driver = played(0, rounds=0)
    driver.ready()
    record(log, driver)
    kinds = {one.kind for one in log.read("table/1")}
    assert "cards_shuffled" in kinds
    assert not any(kind.startswith("deal_") for kind in kinds)


def test_a_table_that_somebody_recorded_without_seals_is_said_to_have_no_proof(
    projections_of,
) -> None:
    driver, log = played(0, rounds=2), MemoryLog()
    news = tuple(
        New(event.__struct_config__.tag, msgspec.to_builtins(event), event.role, event.at + "Z")
        for event in driver.record
    )
    log.append(Write("table/1", 0, news))
    found = projections_of(log)
    assert failed(log, found) == {"sealed"}
    # who goes on with it seals what comes, and proves only that
    table = RecordedTable(log, "1")
    assert table.table == driver.table
    before = len(driver.commands)
    driver.ready()
    driver.wager(1, {"ante": "10.00"})
    driver.finish(lambda *_: ("play", {}))
    for command in driver.commands[before:]:
        table.send(command)
    found.update(log)
    assert verify_deal(log, find_round(found, "1.1.3")).proved
    assert failed(log, found) == {"sealed"}


@cites(DOWN_UNDER, "685a.12(e)")
def test_a_shoe_that_runs_out_is_proved_and_its_hole_card_stays_sealed(projections_of) -> None:
    """The discards are made a shoe in the middle of a round: two seals, and none opened early."""
    driver = Driver(DOWN_UNDER, {"decks": 4}, source=SeededSource(7))
    driver.seat_player(1, "ann")
    driver.until("betting")
    driver.wager(1, {"bet": "10.00"})
    while driver.table.phase in ("betting", "dealing"):
        driver.send("deal", "dealer")
    driver.until("deciding")
    assert "hole" not in driver.table.shown
    while "shoe" in driver.table.piles:
        driver.send("card_found_face_up", "dealer")
    order = tuple(reversed(driver.table.piles["discard"]))
    driver.send("shoe_runs_out", "system", order=order)
    driver.send("cut", "player", seat=1, depth=20)
    ran_out = driver.clock
    driver.finish(lambda *_: ("stand", {}))
    driver.ready()
    log = MemoryLog()
    record(log, driver)
    found = projections_of(log)
    verdict = verify_deal(log, find_round(found, "1.1.1"))
    assert verdict.proved, verdict
    over = [one for one in log.read("table/1") if one.kind == "deal_finished"]
    assert [one.data["seal"] for one in over] == [1, 2]
    assert all(one.time > ran_out.isoformat() for one in over)


@cites(DOWN_UNDER, "685a.12(e)", "685a.12(j)")
def test_cards_that_are_shuffled_again_in_a_round_are_proved(projections_of) -> None:
    """A continuous shuffler jams in the round: what is left in it is shuffled, and nothing else."""
    driver = Driver(DOWN_UNDER, {"dealing": "continuous_shuffler"}, source=SeededSource(3))
    driver.seat_player(1, "ann")
    driver.until("betting")
    driver.wager(1, {"bet": "10.00"})
    while driver.table.phase in ("betting", "dealing"):
        driver.send("deal", "dealer")
    driver.until("deciding")
    driver.send("device_jams", "dealer", device="continuous_shuffler")
    assert driver.table.phase == "shuffling"
    driver.until("deciding")
    driver.send("hit", "player", seat=1)
    driver.finish(lambda *_: ("stand", {}))
    driver.ready()
    driver.wager(1, {"bet": "10.00"})
    driver.finish(lambda *_: ("stand", {}))
    driver.ready()
    log = MemoryLog()
    record(log, driver)
    verdict = verify_deal(log, find_round(projections_of(log), "1.1.1"))
    assert verdict.proved, verdict
    # six decks, and what is left of them without the burn card and the four cards that were dealt
    sealed = [one.data["count"] for one in log.read("table/1") if one.kind == COMMITTED]
    assert sealed[:2] == [312, 307]
    whole = [check.says for check in verdict.checks if check.check == "whole_deck"]
    assert whole == ["it is the deck that was received", "it is the cards that were left"]


@cites(DOWN_UNDER, "685a.12(e)", "685a.12(j)")
def test_a_batch_that_is_shuffled_while_another_is_played_is_the_whole_batch(
    projections_of,
) -> None:
    driver = Driver(DOWN_UNDER, {"shuffler": "plain"}, source=SeededSource(3))
    driver.seat_player(1, "ann")
    driver.until("betting")
    for number in (1, 2, 3, 4):
        driver.wager(1, {"bet": "10.00"})
        while driver.table.phase in ("betting", "dealing"):
            driver.send("deal", "dealer")
        waiting = [deck.id for deck in driver.table.decks.values() if deck.stage == "stacked"]
        assert len(waiting) == (number > 1)
        for deck in waiting:
            order = tuple(reversed(pack(rules_of(driver.table))))
            driver.send("shuffle", "system", deck=deck, order=order)
        driver.finish(lambda *_: ("stand", {}))
        driver.send("order_reshuffle", "floorperson", reason="the shoe is over")
        driver.send("cut", "player", seat=1, depth=60)
        driver.send("place_cover_card", "dealer", depth=100)
        driver.send("burn_card", "dealer")
    driver.ready()
    log = MemoryLog()
    record(log, driver)
    found = projections_of(log)
    told = []
    for number in (1, 2, 3):
        verdict = verify_deal(log, find_round(found, f"1.1.{number}"))
        assert verdict.proved, verdict
        told += [check.says for check in verdict.checks if check.check == "whole_deck"]
    assert told == ["it is the deck that was received"] * 3
