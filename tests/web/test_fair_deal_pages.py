"""The deal in front of the player: sealed before the bets, checked afterward without the house."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from playing_here import played_round, until

from houseway.floor.integrity import check_software


@pytest.fixture
def round_(house: Any, visitor: Any) -> str:
    """A round of Maryland that the visitor played to its end."""
    return played_round(house, visitor.enter(name="Rosa"))


def test_the_commitment_is_shown_before_the_bets_close(house: Any, visitor: Any) -> None:
    visitor.enter()
    live = house.casino.table("maryland")
    visitor.send("maryland", "sit_down", seat=1)
    until(lambda: live.state.phase == "betting")
    root = live.noted.root
    assert len(root) == 64
    assert not live.state.hands
    assert root in visitor.get("/tables/maryland").text
    # to whoever asks, and in the stream that programs follow
    for role in ("player", "public"):
        seen = house.get("/api/tables/maryland", params={"role": role}).json()
        assert seen["commitment"] == root
        assert seen["next_commitment"] == live.next_shuffle.root != root
    recorded = [e for e in house.casino.log.read("table/maryland") if e.kind == "deal_committed"]
    assert recorded[-1].data["root"] == root


def test_a_player_takes_the_proof_of_an_own_round_and_checks_it_alone(
    house: Any, visitor: Any, another: Any, round_: str, tmp_path: Path
) -> None:
    assert "Download the proof" in visitor.form(f"/me/rounds/{round_}/deal").text
    answer = visitor.get(f"/me/rounds/{round_}/proof.zip")
    assert answer.status_code == 200
    with zipfile.ZipFile(io.BytesIO(answer.content)) as proof:
        proof.extractall(tmp_path)
    (tmp_path / "check.py").write_text(visitor.get("/verify/check.py").text)
    manifest = json.loads((tmp_path / round_ / "manifest.json").read_text())
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            str(tmp_path / "check.py"),
            str(tmp_path / round_),
            "--key",
            manifest["key"],
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    # no card that lay face down is in it, and nobody else gets it
    events = (tmp_path / round_ / "events.jsonl").read_text().splitlines()
    for line in map(json.loads, events):
        if line["kind"] == "cards_dealt" and "body" in line:
            assert json.loads(line["body"])["face_up"]
    assert another().enter().get(f"/me/rounds/{round_}/proof.zip").status_code == 404


def test_the_checker_and_its_page_are_open_to_everybody(house: Any, visitor: Any) -> None:
    assert "check.py" in visitor.get("/verify").text
    assert visitor.get("/verify/check.py").text.startswith('"""Check a bundle')


def test_the_examiner_sees_the_checks(
    house: Any, visitor: Any, another: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ines = another().enter("investigator")
    assert "Nothing was checked yet" in ines.get("/integrity").text
    done = ines.form("/integrity")
    assert "chain intact" in done.text.lower()
    # whether or not chapters or families from outside are installed
    hashes: dict[str, str] = {"software": "a" * 64, "law": "b" * 64}
    monkeypatch.setattr("houseway.floor.integrity._hashes", lambda: hashes)
    check_software(house.casino.log)
    assert "from outside <code>" not in ines.get("/integrity").text
    hashes["outside"] = "c" * 64
    check_software(house.casino.log)
    assert "from outside <code>" in ines.get("/integrity").text
    assert visitor.enter().get("/integrity").status_code == 403


def test_a_guest_sees_where_they_are_signed_in(visitor: Any) -> None:
    visitor.enter()
    assert "Where you are signed in" in visitor.get("/me").text


def test_a_player_adds_a_number_to_the_next_shuffle_and_checks_it(
    house: Any, visitor: Any, another: Any, tmp_path: Path
) -> None:
    visitor.enter(name="Rosa")
    visitor.send("maryland", "sit_down", seat=1)
    visitor.send("maryland", "buy_in", amount="100.00")
    live = house.casino.table("maryland")
    until(lambda: live.state.phase == "betting")
    sealed = live.next_shuffle
    page = visitor.get("/tables/maryland").text
    assert "Add your own number to the next shuffle" in page
    assert sealed.root in page
    assert visitor.send("maryland", "add_number", number="lucky 7", key="n1").status_code == 200
    # sent twice it is added once; another one is refused
    assert visitor.send("maryland", "add_number", number="lucky 7", key="n1").json()["again"]
    assert visitor.send("maryland", "add_number", number="8").status_code == 422
    assert "Your number is in it" in visitor.get("/tables/maryland").text
    bystander = another().enter()
    assert "Your number is in it" not in bystander.get("/tables/maryland").text
    assert bystander.send("maryland", "add_number", number="8").status_code == 422
    assert another().enter("dealer").send(
        "maryland", "add_number", number="8", role="dealer"
    ).status_code in (403, 422)  # fmt: skip
    for number in (1, 2):
        until(lambda: live.state.phase == "betting" and not live.state.hands)
        visitor.send("maryland", "place_wager", seat=1, wager="ante", amount="5.00")
        visitor.post("/tables/maryland/ready")
        until(lambda: live.state.phase != "betting")
        for _ in range(400):
            if live.state.settled or live.state.round > number:
                break
            visitor.send("maryland", "play", seat=1)
        until(lambda: live.state.phase == "betting" and not live.state.hands)
    seals = [e.data for e in house.casino.log.read("table/maryland") if e.kind == "deal_committed"]
    assert [one["numbers"] for one in seals][:2] == [[], ["1:lucky 7"]]
    assert seals[1]["root"] == sealed.root
    answer = visitor.get("/me/rounds/maryland.1.2/proof.zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as proof:
        proof.extractall(tmp_path)
    (tmp_path / "check.py").write_text(visitor.get("/verify/check.py").text)
    done = subprocess.run(
        [sys.executable, "-I", str(tmp_path / "check.py"), str(tmp_path / "maryland.1.2")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "seat 1: lucky 7" in done.stdout
