"""Players add numbers to a shuffle: sealed by the house before them, dealt as both say."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import GAMES, decide

from houseway.cards import SeededSource
from houseway.errors import Refused
from houseway.floor.audit.export import bundle
from houseway.floor.audit.rounds import find_round
from houseway.floor.audit.verify_deal import DealVerdict, verify_deal
from houseway.floor.deal_proof import LONGEST_NUMBER
from houseway.floor.recorded_table import RecordedTable
from houseway.store import digest
from houseway.store.backends.memory import MemoryLog
from houseway.store.security.fair_deal import commit, permutation, rearranged, sealed_order
from houseway.table import Command, Event, Table
from houseway.table.driver import Driver

NUMBERS = ("7", "my dog's birthday, 3/14")


class Playing(Driver):
    """A driver whose table is on a record, with the next shuffle sealed ahead."""

    def __init__(self, log: MemoryLog, game: int, seed: int) -> None:
        self.recorded = RecordedTable(log, "1", source=SeededSource(seed))
        self.log = log
        chapter, rules, self.wagers = GAMES[game]
        super().__init__(chapter, rules, source=SeededSource(seed + 1), name="1")

    def carry_out(self, command: Command) -> tuple[tuple[Event, ...], Table]:
        ahead = self.recorded.next_shuffle
        if getattr(command, "order", ()) and ahead and len(command.order) == len(ahead.order):  # type: ignore[attr-defined]
            command = msgspec.structs.replace(command, order=ahead.order)
        return self.recorded.send(command), self.recorded.table

    def add(self, player: str, number: str) -> None:
        at = f"{self.clock.isoformat()}Z"
        self.log.append(self.recorded.number_added(player, number, at))
        self.recorded.read()

    def play(self, rounds: int, numbers: tuple[str, ...]) -> None:
        """Rounds before each of which every player adds a number to the shuffle."""
        for _ in range(rounds):
            while self.table.phase != "betting":
                ahead = self.recorded.next_shuffle
                if ahead and not ahead.people:
                    for seat, number in enumerate(numbers, 1):
                        self.add(f"player {seat}", number)
                self.house()
            for seat in (1, 2):
                self.wager(seat, self.wagers)
            self.finish(decide)


def played(game: int, rounds: int = 3, numbers: tuple[str, ...] = NUMBERS) -> MemoryLog:
    log = MemoryLog()
    driver = Playing(log, game, seed=3)
    for seat in (1, 2):
        driver.seat_player(seat, f"player {seat}")
    driver.play(rounds, numbers)
    driver.ready()
    return log


def kinds(log: MemoryLog, kind: str) -> list[dict[str, Any]]:
    return [one.data for one in log.read("table/1") if one.kind == kind]


def verdict_of(log: MemoryLog, found: Any, number: int = 1) -> DealVerdict:
    return verify_deal(log, find_round(found, f"1.1.{number}"))


@pytest.mark.parametrize("game", range(len(GAMES)))
def test_the_order_follows_from_the_sealed_one_and_every_number(
    game: int, projections_of: Any
) -> None:
    log = played(game)
    found = projections_of(log)
    says = []
    for number in (1, 2, 3):
        verdict = verdict_of(log, found, number)
        assert verdict.proved, verdict
        says += [one.says for one in verdict.checks if one.check == "players_numbers"]
    assert all("players added 2 numbers" in one for one in says)
    # of two decks one is shuffled while a round is played, before anybody adds to it here
    assert len(says) >= (1 if GAMES[game][1].get("decks_in_play") == 2 else 3)
    ahead = {one["shuffle"]: one for one in kinds(log, "shuffle_committed")}
    orders = [one["cards"] for one in kinds(log, "cards_shuffled") if "??" not in one["cards"]]
    secrets = {one["seal"]: one["seed"] for one in kinds(log, "deal_secret")}
    for seal in kinds(log, "deal_committed"):
        # the house sealed first, and what it sealed is what the players' numbers rearranged
        assert seal["root"] == ahead[seal["shuffle"]]["root"]
        added = [f"{seat}:{text}" for seat, text in enumerate(NUMBERS, 1)]
        assert seal["numbers"] in ([], added)
        seed = bytes.fromhex(secrets[seal["seal"]])
        assert any(
            commit(sealed_order(order, seal["root"], seal["numbers"]), seed) == seal["root"]
            for order in orders
        )


def test_without_numbers_the_sealed_order_is_dealt_and_proved(projections_of: Any) -> None:
    log = played(0, numbers=())
    verdict = verdict_of(log, projections_of(log))
    assert verdict.proved
    assert "players_numbers" not in {check.check for check in verdict.checks}
    assert all(one["numbers"] == [] for one in kinds(log, "deal_committed"))


def test_the_house_seals_before_a_number_and_says_nothing_of_its_order(
    projections_of: Any,
) -> None:
    log = played(0)
    where = [one.kind for one in log.read("table/1")]
    first = where.index("shuffle_committed")
    assert first < where.index("number_added") < where.index("cards_shuffled")
    # the shuffle after that is sealed with it: a player who sits down in between adds to that one
    shuffled = where.index("cards_shuffled")
    assert where.index("shuffle_committed", first + 1) > shuffled


def forge(log: MemoryLog, kind: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the first event of a kind and make all hashes after it anew."""
    events = log._streams["table/1"]
    first = next(at for at, one in enumerate(events) if one.kind == kind)
    link = events[first].previous
    for at in range(first, len(events)):
        one = events[at]
        data = one.data
        if at == first:
            change(data)
        body = msgspec.json.encode(data, order="sorted").decode() if at == first else one.body
        hash = digest(
            link, one.stream, one.version, one.time, one.actor, one.kind, one.schema, body
        )
        events[at] = msgspec.structs.replace(one, body=body, previous=link, hash=hash)
        link = hash


def test_a_number_left_out_or_changed_or_an_order_chosen_later_is_found(
    projections_of: Any,
) -> None:
    def another_number(data: dict[str, Any]) -> None:
        data["number"] += "!"

    def left_out(data: dict[str, Any]) -> None:
        del data["numbers"][0]

    def sealed_later(data: dict[str, Any]) -> None:
        data["root"] = "00" * 32

    def not_said(data: dict[str, Any]) -> None:
        del data["numbers"], data["shuffle"]

    for kind, change in (
        ("number_added", another_number),
        ("deal_committed", left_out),
        ("shuffle_committed", sealed_later),
        ("deal_committed", not_said),
    ):
        log = played(0, rounds=1)
        found = projections_of(log)
        forge(log, kind, change)
        verdict = verdict_of(log, found)
        wrong = {check.check for check in verdict.checks if not check.holds}
        assert "players_numbers" in wrong, (kind, verdict)


def test_a_house_that_shuffles_without_the_numbers_is_found(projections_of: Any) -> None:
    log = MemoryLog()
    driver = Playing(log, 0, seed=3)
    driver.seat_player(1, "player 1")
    driver.seat_player(2, "player 2")
    driver.add("player 1", "7")
    ignoring = driver.recorded.send
    driver.carry_out = lambda command: (ignoring(command), driver.recorded.table)  # type: ignore[method-assign]
    driver.play(1, ())
    verdict = verdict_of(log, projections_of(log))
    assert [check.check for check in verdict.checks if not check.holds] == ["players_numbers"]


def test_a_number_is_given_once_by_somebody_seated_in_signs_that_can_be_read() -> None:
    log = MemoryLog()
    driver = Playing(log, 0, seed=1)
    driver.seat_player(1, "player 1")
    for number in ("", "x" * (LONGEST_NUMBER + 1), "a\nb", "\x1b[2J", "ü"):
        with pytest.raises(Refused) as refused:
            driver.add("player 1", number)
        assert refused.value.code == "not_a_number"
    with pytest.raises(Refused) as refused:
        driver.add("nobody", "7")
    assert refused.value.code == "nobody_there"
    driver.add("player 1", "7")
    with pytest.raises(Refused) as refused:
        driver.add("player 1", "8")
    assert refused.value.code == "added_already"
    plain = RecordedTable(MemoryLog(), "2")
    assert plain.next_shuffle is None


@pytest.mark.parametrize("game", range(len(GAMES)))
def test_a_number_after_the_shuffle_changes_nothing_that_was_shuffled(game: int) -> None:
    """It goes to the next shuffle, under another seal; what is opened takes none any more."""
    log = MemoryLog()
    driver = Playing(log, game, seed=4)
    for seat in (1, 2):
        driver.seat_player(seat, f"player {seat}")
    while driver.table.phase != "betting":
        driver.house()
    made, ahead = kinds(log, "deal_committed"), driver.recorded.next_shuffle
    assert made
    assert ahead is not None
    assert ahead.root not in {one["root"] for one in made}
    before = [one.body for one in log.read("table/1")]
    driver.add("player 1", "too late for this one")
    events = list(log.read("table/1"))
    assert [one.body for one in events[:-1]] == before
    assert events[-1].data["shuffle"] == ahead.number
    assert ahead.number > max(one["shuffle"] for one in made)
    # somebody who has given a number does not give another one, having seen what became of it
    with pytest.raises(Refused) as refused:
        driver.add("player 1", "another")
    assert refused.value.code == "added_already"
    driver.play(1, ())
    opened = {one["shuffle"] for one in kinds(log, "deal_committed") if one["seal"] in
              {secret["seal"] for secret in kinds(log, "deal_secret")}}  # fmt: skip
    now = driver.recorded.next_shuffle
    assert now is not None
    assert now.number not in opened


@pytest.mark.slow
@pytest.mark.parametrize("game", [0, 3, 5, 6])
@pytest.mark.parametrize("public", [False, True])
def test_the_bundle_checks_the_numbers_without_houseway(
    game: int, public: bool, projections_of: Any, tmp_path: Path
) -> None:
    log = played(game)
    bundle(log, find_round(projections_of(log), "1.1.2"), tmp_path / "b", public=public)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(tmp_path / "b" / "check.py")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    for seat, number in enumerate(NUMBERS, 1):
        assert f"seat {seat}: {number}" in done.stdout


def test_a_bundle_never_tells_an_order_that_is_sealed_ahead(
    projections_of: Any, tmp_path: Path
) -> None:
    log = played(6)
    secret = kinds(log, "shuffle_secret")[-1]["secret"]
    bundle(log, find_round(projections_of(log), "1.1.1"), tmp_path / "b")
    told = "".join(path.read_text() for path in (tmp_path / "b").iterdir())
    _, seed = msgspec.json.decode(secret)
    assert secret not in told
    assert seed not in told


@given(
    st.integers(1, 60),
    st.lists(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1), max_size=4),
)
def test_numbers_rearrange_and_lose_nothing(count: int, numbers: list[str]) -> None:
    order = [f"c{at}" for at in range(count)]
    dealt = rearranged(order, "ab", numbers)
    assert sorted(dealt) == sorted(order)
    assert sealed_order(dealt, "ab", numbers) == tuple(order)
    if not numbers:
        assert dealt == tuple(order)


def test_the_permutation_is_the_one_that_the_documentation_describes() -> None:
    """Written again from docs/reference/record.md, step by step."""
    root, numbers, count = "ab" * 32, ["1:7", "4:x y"], 6
    seed = sha256(f"houseway-deal/1 numbers\n{root}\n1:7\n4:x y".encode()).digest()
    places = list(range(count))
    for last in (5, 4, 3, 2, 1):
        drawn = int(sha256(seed + bytes([0, 0, 0, last])).hexdigest(), 16) % (last + 1)
        places[last], places[drawn] = places[drawn], places[last]
    assert permutation(root, numbers, count) == tuple(places)
    assert permutation(root, ["1:8"], 52) != permutation(root, ["1:7"], 52)
