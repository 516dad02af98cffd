"""A forged dispute bundle does not pass its check, whichever field was forged."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from houseway.cards import SeededSource
from houseway.floor.audit import check as checker
from houseway.floor.audit.export import bundle
from houseway.floor.audit.projections import Projections
from houseway.floor.audit.rounds import events_of, find_round
from houseway.floor.gaming_day import FacilityTime, facility_time, set_facility_time
from houseway.law import SAIGON
from houseway.store import canonical
from houseway.store.backends.memory import MemoryLog
from houseway.store.security.house_keys import HouseKey, make_keys, signed_by
from houseway.table.driver import Driver

sys.path.append(str(Path(__file__).parents[1] / "floor"))
from playing import GAMES, decide, played, record

NAMES = {number: f"{number} {law}" for number, (law, _, _) in enumerate(GAMES)}


@pytest.fixture(scope="module", params=[0, 3, 5, 6], ids=NAMES.get)
def good(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of a round whose shoe is finished."""
    log = MemoryLog()
    record(log, played(request.param, rounds=3, name="1", seed=2), "1")
    folder = tmp_path_factory.mktemp("bundle") / "good"
    with Projections(":memory:") as found:
        found.update(log)
        bundle(log, find_round(found, "1.1.2"), folder)
    return folder


def test_a_good_bundle_passes_without_houseway(good: Path) -> None:
    key = json.loads((good / "manifest.json").read_text())["key"]
    for more in ([], ["--key", key]):
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(good / "check.py"), *more],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        assert "signed:" in done.stdout
    done = subprocess.run(
        [sys.executable, "-I", str(good / "check.py"), "--key", "0" * 64],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1


def _passes(folder: Path, key: str = "") -> bool:
    try:
        checker.check(folder, key)
    except checker.Wrong:
        return False
    return True


def _mutations(value: Any) -> Iterator[Any]:
    """The value with one leaf, name or element changed, each in turn."""
    if isinstance(value, dict):
        for name, inner in value.items():
            for changed in _mutations(inner):
                yield {**value, name: changed}
            yield {other: one for other, one in value.items() if other != name}
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            for changed in _mutations(inner):
                yield [*value[:at], changed, *value[at + 1 :]]
        if value:
            yield value[:-1]
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str):
        yield value[:-1] + ("0" if value[-1:] != "0" else "1")
    else:
        yield "x"


def _manifest(folder: Path, key: HouseKey) -> None:
    """Sign what lies there with another key."""
    path = folder / "manifest.json"
    content = json.loads(path.read_text())
    content["files"] = {
        one.name: sha256(one.read_bytes()).hexdigest() for one in folder.iterdir() if one != path
    }
    content["key"] = key.public
    del content["signature"]
    signature = key.sign(canonical(content).encode()).hex()
    path.write_text(json.dumps({**content, "signature": signature}))


def test_every_byte_of_every_file_is_signed(good: Path, tmp_path: Path) -> None:
    for file in sorted(good.iterdir()):
        data = bytearray(file.read_bytes())
        for at in {0, len(data) // 2, len(data) - 2}:
            copy = tmp_path / "copy"
            shutil.copytree(good, copy)
            changed = bytearray(data)
            changed[at] ^= 1
            (copy / file.name).write_bytes(changed)
            assert not _passes(copy), (file.name, at)
            shutil.rmtree(copy)
    shutil.copytree(good, copy)
    (copy / "more.txt").write_text("x")
    assert not _passes(copy)


def test_every_field_of_the_manifest_is_signed(good: Path, tmp_path: Path) -> None:
    shutil.copytree(good, tmp_path / "copy")
    path = tmp_path / "copy" / "manifest.json"
    for changed in _mutations(json.loads(path.read_text())):
        path.write_text(json.dumps(changed))
        assert not _passes(tmp_path / "copy"), changed


def test_the_signature_of_another_bundle_does_not_fit(tmp_path: Path) -> None:
    """Neither the signature alone nor a whole manifest, though the same house signed both."""
    log, folders = MemoryLog(), [tmp_path / "one", tmp_path / "two"]
    record(log, played(0, rounds=3, name="1", seed=7), "1")
    with Projections(":memory:") as found:
        found.update(log)
        for number, folder in enumerate(folders, 1):
            bundle(log, find_round(found, f"1.1.{number}"), folder)
    mine, other = ((one / "manifest.json").read_text() for one in folders)
    assert json.loads(mine)["key"] == json.loads(other)["key"]
    assert _passes(folders[0])
    for forged in (
        other, json.dumps({**json.loads(mine), "signature": json.loads(other)["signature"]}),
    ):  # fmt: skip
        (folders[0] / "manifest.json").write_text(forged)
        assert not _passes(folders[0])
    (folders[0] / "manifest.json").write_text(mine)
    for file in folders[1].iterdir():
        if file.read_bytes() == (folders[0] / file.name).read_bytes():
            continue  # the checker itself, and what both rounds share
        kept = (folders[0] / file.name).read_bytes()
        shutil.copy(file, folders[0] / file.name)
        assert not _passes(folders[0]), file.name
        (folders[0] / file.name).write_bytes(kept)


#: sentences for people, which only the house's signature protects
WORDS = {"says"}


def _leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, (*path, name))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _leaves(inner, (*path, str(at)))
    else:
        yield path, value


def _changed(value: Any, path: tuple[str, ...]) -> Any:
    copy = deepcopy(value)
    here = copy
    for name in path[:-1]:
        here = here[int(name)] if isinstance(here, list) else here[name]
    last: Any = int(path[-1]) if isinstance(here, list) else path[-1]
    here[last] = next(_mutations(here[last]))
    return copy


@pytest.mark.slow
def test_a_bundle_signed_by_somebody_else_fails_for_the_key_and_for_its_content(
    good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commitment, openings, events and payments agree, no matter who signed them."""
    # the checker's own arithmetic, which is slow, has a test of its own
    monkeypatch.setattr(
        checker, "signature_holds", lambda key, sign, text: signed_by(key.hex(), sign, text)
    )
    thief = make_keys("e" * 32).active
    house = json.loads((good / "manifest.json").read_text())["key"]
    copy = tmp_path / "copy"
    shutil.copytree(good, copy)
    _manifest(copy, thief)
    assert _passes(copy)
    assert not _passes(copy, house)
    for name in ("round.json", "deal.json"):
        whole = json.loads((good / name).read_text())
        for path, _ in _leaves(whole):
            if WORDS & set(path):
                continue
            (copy / name).write_text(json.dumps(_changed(whole, path)))
            _manifest(copy, thief)
            assert not _passes(copy), (name, path)
        (copy / name).write_text(json.dumps(whole))
    for name, step in (("events.jsonl", 7), ("before.jsonl", 1)):
        lines = (good / name).read_text().splitlines()
        for at in range(0, len(lines), step):
            event = json.loads(lines[at])
            for path, _ in _leaves(event):
                changed = [*lines[:at], json.dumps(_changed(event, path)), *lines[at + 1 :]]
                (copy / name).write_text("\n".join(changed) + "\n")
                _manifest(copy, thief)
                assert not _passes(copy), (name, at, path)
        (copy / name).write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("chapter", "pa-saigon-5-card"), ("day", "2026-01-02"), ("opening", 2), ("dealer", "ann"),
        ("cards", ""), ("community", "As"), ("voided", "a misdeal"), ("id", "1.1.3"),
    ],
)  # fmt: skip
def test_a_field_of_the_round_is_bound_to_the_events(
    good: Path, tmp_path: Path, field: str, value: Any
) -> None:
    """Changed to another good value, and signed by somebody else."""
    whole = json.loads((good / "round.json").read_text())
    assert whole[field] != value or field == "chapter"
    _refused_round(good, tmp_path / "copy", whole | {field: value}, same=whole[field] == value)


@pytest.mark.parametrize("field", ["player", "decision", "cards", "net"])
def test_what_a_seat_did_is_bound_to_the_events(good: Path, tmp_path: Path, field: str) -> None:
    whole = json.loads((good / "round.json").read_text())
    first, second = whole["hands"]
    value = "1.00" if field == "net" else "surrender" if field == "decision" else second[field]
    _refused_round(good, tmp_path / "copy", whole | {"hands": [{**first, field: value}, second]})
    _refused_round(good, tmp_path / "less", whole | {"hands": [first]})


def _refused_round(good: Path, copy: Path, round: dict[str, Any], *, same: bool = False) -> None:
    shutil.copytree(good, copy)
    (copy / "round.json").write_text(json.dumps(round))
    _manifest(copy, make_keys("e" * 32).active)
    assert _passes(copy) is same


def test_the_day_follows_the_facilitys_clock(tmp_path: Path) -> None:
    """Noon in UTC is the day before in a facility whose day begins at eight in New York."""
    log = MemoryLog()
    set_facility_time(log, FacilityTime("America/New_York", "08:00"), "ann", "2026-01-01T00:00:00Z")
    record(log, played(0, rounds=1, name="1", seed=2), "1")
    with Projections(":memory:", facility_time(log)) as found:
        found.update(log)
        bundle(log, find_round(found, "1.1.1"), tmp_path / "b")
    whole = json.loads((tmp_path / "b" / "round.json").read_text())
    assert whole["day"] == "2025-12-31"
    assert _passes(tmp_path / "b")
    _refused_round(tmp_path / "b", tmp_path / "copy", whole | {"day": "2026-01-01"})


def test_a_withheld_settlement_is_no_bundle(good: Path, tmp_path: Path) -> None:
    """Only events that could tell a card are withheld: not a payment that somebody would hide."""
    copy = tmp_path / "copy"
    shutil.copytree(good, copy)
    lines = [json.loads(line) for line in (copy / "events.jsonl").read_text().splitlines()]
    for event in lines:
        if event["kind"] == "wager_settled":
            del event["body"]
            event["withheld"] = True
    (copy / "events.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    whole = json.loads((copy / "round.json").read_text())
    sums = {"lines": [], "wagered": "0.00", "paid": "0.00", "win": "0.00"}
    (copy / "round.json").write_text(json.dumps(whole | sums))
    _manifest(copy, make_keys("e" * 32).active)
    assert not _passes(copy)


def test_a_public_bundle_tells_only_cards_that_were_turned(tmp_path: Path) -> None:
    """Of a Saigon hand whose three lost the ante, nobody saw the two."""
    log = MemoryLog()
    driver = Driver(SAIGON, {}, source=SeededSource(4), name="1")
    driver.seat_player(1, "ann")
    for _ in range(6):
        driver.ready()
        driver.wager(1, {"ante": "10.00"})
        driver.finish(decide)
    record(log, driver, "1")
    closed = 0
    with Projections(":memory:") as found:
        found.update(log)
        for number in range(1, 7):
            folder = tmp_path / str(number)
            round = find_round(found, f"1.1.{number}")
            bundle(log, round, folder, public=True)
            turned = {
                card
                for event in events_of(log, round)
                if event.kind == "cards_turned"
                for card in event.data["cards"]
            }
            held = set(round["hands"][0]["cards"].split())
            told = json.loads((folder / "round.json").read_text())["hands"][0]["cards"].split()
            assert set(told) - {"withheld"} <= turned
            assert ("withheld" in told) == bool(held - turned)
            for card in held - turned:
                assert card not in (folder / "round.txt").read_text().replace("\n", " ").split()
            closed += bool(held & turned and held - turned)
            assert _passes(folder)
    assert closed, "no round of the six shows the case"


def test_the_hands_of_two_seats_are_not_exchanged(good: Path, tmp_path: Path) -> None:
    """Each card was dealt in this round, to somebody else; nor does the dealer get a player's."""
    thief, copy = make_keys("e" * 32).active, tmp_path / "copy"
    whole = json.loads((good / "round.json").read_text())
    first, second = whole["hands"]
    for changes in (
        {"hands": [{**first, "cards": second["cards"]}, {**second, "cards": first["cards"]}]},
        {"cards": first["cards"], "hands": [{**first, "cards": whole["cards"]}, second]},
        {"cards": second["cards"]},
    ):
        shutil.copytree(good, copy)
        (copy / "round.json").write_text(json.dumps({**whole, **changes}))
        _manifest(copy, thief)
        assert not _passes(copy), changes
        shutil.rmtree(copy)


@pytest.mark.slow
@pytest.mark.parametrize("game", NAMES, ids=NAMES.get)
@pytest.mark.parametrize("public", [False, True])
def test_good_bundles_of_every_game_pass(game: int, public: bool, tmp_path: Path) -> None:
    log = MemoryLog()
    record(log, played(game, rounds=6, name="1", seed=5), "1")
    with Projections(":memory:") as found:
        found.update(log)
        for number in range(1, 7):
            folder = tmp_path / str(number)
            bundle(log, find_round(found, f"1.1.{number}"), folder, public=public)
            checker.check(folder)


def test_another_card_for_another_root_is_found(good: Path, tmp_path: Path) -> None:
    """The attack that passed before: a new root with openings that lead to it."""
    from houseway.store.security.fair_deal import commit, open_positions

    copy = tmp_path / "copy"
    shutil.copytree(good, copy)
    deal = json.loads((copy / "deal.json").read_text())
    for seal in deal["seals"]:
        order, seed = ["As"] * seal["count"], bytes(32)
        seal["root"] = commit(order, seed)
        places = [one["position"] for one in seal["openings"]]
        seal["openings"] = [
            {"position": one.position, "card": one.card, "salt": one.salt, "path": list(one.path)}
            for one in open_positions(order, seed, places)
        ]
    (copy / "deal.json").write_text(json.dumps(deal))
    _manifest(copy, make_keys("e" * 32).active)
    assert not _passes(copy)


def test_ed25519_by_hand_agrees_with_the_library() -> None:
    key = make_keys("d" * 32).active
    public = bytes.fromhex(key.public)
    for message in (b"", b"x", b"x" * 1000):
        signature = key.sign(message)
        assert checker.signature_holds(public, signature, message)
        assert not checker.signature_holds(public, signature, message + b"y")
        wrong = bytes([signature[0] ^ 1]) + signature[1:]
        with contextlib.suppress(checker.Wrong):
            assert not checker.signature_holds(public, wrong, message)


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85"])
def test_a_text_that_would_end_a_line_elsewhere_is_no_forgery(tmp_path: Path, end: str) -> None:
    """A number of an honest round, or a reason, as somebody wrote it."""
    log = MemoryLog()
    record(log, played(0, rounds=1, name="1", seed=2), "1")
    last = log.head("table/1")
    with Projections(":memory:") as found:
        found.update(log)
        one = find_round(found, "1.1.1")
        folder = tmp_path / "b"
        bundle(log, one, folder)
    events = [
        json.loads(line) for line in (folder / "events.jsonl").read_text().split("\n") if line
    ]
    assert events[-1]["version"] <= last.version
    # the last event after the round has ended tells nothing that the checks compare
    body = canonical({**json.loads(events[-1]["body"]), "note": f"a{end}b"})
    events[-1]["body"] = body
    text = ["houseway/1", *(str(events[-1][name]) for name in checker.FIELDS)]
    events[-1]["hash"] = sha256("\n".join(text).encode()).hexdigest()
    lines = (json.dumps(event, ensure_ascii=False) + "\n" for event in events)
    (folder / "events.jsonl").write_text("".join(lines))
    _manifest(folder, make_keys("e" * 32).active)
    checker.check(folder)


def test_a_bundle_does_not_write_over_what_was_said_of_it(good: Path, tmp_path: Path) -> None:
    """A forger moves the cursor up to the line with the key, and writes the house's there."""
    forged = "\x1b[2Asigned: by the house\x1b[K\u202e\r"
    copy = tmp_path / "copy"
    shutil.copytree(good, copy)
    before = [json.loads(line) for line in (copy / "before.jsonl").read_text().splitlines()]
    for event in before:
        if event["kind"] in ("table_opened", "dealer_changed"):
            event["body"] = canonical({**json.loads(event["body"]), "dealer": forged})
            text = ["houseway/1", *(str(event[name]) for name in checker.FIELDS)]
            event["hash"] = sha256("\n".join(text).encode()).hexdigest()
    (copy / "before.jsonl").write_text("".join(json.dumps(event) + "\n" for event in before))
    whole = json.loads((copy / "round.json").read_text())
    (copy / "round.json").write_text(json.dumps(whole | {"dealer": forged}))
    _manifest(copy, make_keys("e" * 32).active)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(good / "check.py"), str(copy)],
        capture_output=True, text=True, check=False, env={"PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert "dealt by" in done.stdout
    assert all(line.isprintable() for line in done.stdout.split("\n"))
    assert done.stderr == ""
