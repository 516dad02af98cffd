"""Hand histories: the rounds of a record as files, read back and held to the rules."""

from __future__ import annotations

import json

import msgspec
import pyarrow.parquet
import pytest
from auditing import answer, run
from commands import answer as answered
from commands import run_apart as ran
from linked import BY, ROYAL, LinkedTable, open_link
from linked import rules as linked_rules
from playing import GAMES, decide, lived_through, played, record

from houseway.cards import SeededSource
from houseway.cli.schema import SCHEMAS
from houseway.law import MA, PRIME, cites
from houseway.store import open_log
from houseway.table.driver import Driver

ROUNDS = 4


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A record with a table of every kind."""
    path = tmp_path_factory.mktemp("record") / "house.db"
    with open_log(str(path)) as log:
        for number in range(len(GAMES)):
            name = f"t{number}"
            record(log, played(number, ROUNDS, name=name, seed=number + 1), name)
    return path


def written(house, file, *more):
    answer("history", "--database", house, "--out", file, *more)
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_every_round_on_record_is_paid_by_the_rules(house, tmp_path):
    """A recorded round, settled again from its history, comes to what was paid at the table."""
    found = written(house, tmp_path / "all.jsonl", "--everything")
    assert [one["id"] for one in found] == [
        f"t{table}.1.{round}" for table in range(len(GAMES)) for round in range(1, ROUNDS + 1)
    ]
    for one in found:
        msgspec.json.decode(json.dumps(one), type=SCHEMAS["hand-history"][0])
    checked = answer("check", tmp_path / "all.jsonl")
    assert (checked["rounds"], checked["differences"], checked["errors"]) == (len(found), [], [])


def test_a_payout_changed_in_the_history_is_found(house, tmp_path):
    found = written(house, tmp_path / "all.jsonl", "--everything")
    line = found[3]["paid"][0]["lines"][0]
    line["paid"] = f"{float(line['paid']) + 2:.2f}"
    found[5]["paid"][1]["net"] = "777.00"
    changed = tmp_path / "changed.jsonl"
    changed.write_text("".join(json.dumps(one) + "\n" for one in found))
    first, second = answer("check", changed, status=1)["differences"]
    assert (first["id"], first["wager"], first["over"]) == (found[3]["id"], line["wager"], "2.00")
    assert (second["id"], second["wager"], second["paid"]) == (found[5]["id"], "net", "777.00")


@pytest.mark.slow
def test_parquet_holds_the_same_histories_with_amounts_as_decimals(house, tmp_path):
    lines = written(house, tmp_path / "all.jsonl", "--everything")
    file = tmp_path / "all.parquet"
    assert answer("history", "--database", house, "--out", file, "--everything")["rounds"] == len(
        lines
    )
    table = pyarrow.parquet.read_table(file)
    assert table.schema.metadata[b"houseway.history"] == b"1"
    stake = table.column("paid").to_pylist()[0][0]["lines"][0]["stake"]
    assert str(stake) == lines[0]["paid"][0]["lines"][0]["stake"]
    assert answer("check", file)["rounds"] == len(lines)
    settled = [ran("settle", one) for one in (file, tmp_path / "all.jsonl")]
    assert [one.returncode for one in settled] == [0, 0]
    assert settled[0].stdout == settled[1].stdout


def test_the_history_of_a_shoe_in_play_stays_in_the_house(house, tmp_path):
    """A round of a shoe that is still dealt from could tell cards that are not to be known yet."""
    told = {one["table"] for one in written(house, tmp_path / "told.jsonl")}
    everything = {one["table"] for one in written(house, tmp_path / "all.jsonl", "--everything")}
    shoe = next(n for n, (chapter, *_) in enumerate(GAMES) if chapter == "pa-down-under-blackjack")
    assert f"t{shoe}" not in told
    assert f"t{shoe}" in everything


def test_one_table_or_one_day_is_asked_for(house, tmp_path):
    one = written(house, tmp_path / "one.jsonl", "--table", "t1", "--everything")
    assert {history["table"] for history in one} == {"t1"}
    day = one[0]["day"]
    assert (
        written(house, tmp_path / "day.jsonl", "--table", "t1", "--day", day, "--everything") == one
    )
    assert written(house, tmp_path / "other.jsonl", "--day", "2020-01-01", "--everything") == []


def test_cards_that_nobody_saw_are_named(tmp_path):
    """A round whose cards people keyed in, with a payment that was corrected afterwards."""
    path = tmp_path / "house.db"
    with open_log(str(path)) as log:
        driver = lived_through()
        record(log, driver)
    found = written(path, tmp_path / "all.jsonl", "--everything")
    for one in found:
        places = {f"seat.{seat['seat']}" for seat in one["round"]["seats"]} | {"dealer"}
        assert set(one.get("unseen", ())) <= places


@cites(PRIME, "679a.7(b)", "679a.13(d)")
@pytest.mark.parametrize("trouble", ["abandoned", "exposed"])
def test_a_round_that_lost_a_hand_or_a_wager_is_left_out(tmp_path, trouble):
    """What is left of it is no round that could be wagered, and `settle` would refuse it."""
    rules = {"adjacent_boxes": 3, "prime": True}
    driver = Driver(PRIME, rules, source=SeededSource(1), name="1")
    for seat in (1, 2, 3):
        driver.seat_player(seat, "ann")
    for round in (1, 2):
        driver.ready()
        for seat in (1, 2, 3):
            driver.wager(seat, {"ante": "10.00", "prime": "5.00"})
        driver.until("deciding")
        if round == 2 and trouble == "exposed":
            driver.send("dealer_card_exposed", "dealer")
        elif round == 2:
            driver.send("leave_seat", "floorperson", seat=2)
            driver.send("declare_abandoned", "floorperson", seat=2)
        driver.finish(decide)
    with open_log(str(tmp_path / "house.db")) as log:
        record(log, driver)
    found = written(tmp_path / "house.db", tmp_path / "all.jsonl", "--everything")
    assert [one["id"] for one in found] == ["1.1.1"]
    assert answer("check", tmp_path / "all.jsonl")["errors"] == []


def test_a_file_of_another_kind_or_version_is_refused(house, tmp_path):
    done = run("history", "--database", house, "--out", tmp_path / "all.xml")
    assert (done.returncode, done.stderr) == (
        2, "houseway: all.xml: a hand history ends in .jsonl or .parquet\n",
    )  # fmt: skip
    first = written(house, tmp_path / "all.jsonl", "--everything")[0]
    newer = tmp_path / "newer.jsonl"
    newer.write_text(json.dumps({**first, "version": 2}) + "\n")
    (error,) = answer("check", newer, status=2)["errors"]
    assert error["message"] == "this Houseway reads version 1 of hand histories, not 2"
    (tmp_path / "no.parquet").write_bytes(b"PAR1 nonsense")
    done = run("check", tmp_path / "no.parquet")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "not a Parquet file of hand histories" in done.stderr


def test_rounds_of_elsewhere_are_settled_from_csv_and_from_a_json_list(tmp_path):
    """12.D(1): Pair Plus A pays a straight flush 35 to 1."""
    rules = tmp_path / "rules.toml"
    rules.write_text('chapter = "md-three-card-poker"\n')
    table = tmp_path / "day.csv"
    table.write_text(
        "id,dealer,seat,cards,decision,wager.ante,wager.pair_plus\n"
        "r1,Qh 7d 2c,3,9s 8s 7s,play,10.00,5.00\n"
        "r2,Qh 7d 2c,3,9s 8s 7s,play,10.00,\n"
    )
    done = ran("settle", table, "--rules", rules)
    assert (done.returncode, done.stderr) == (0, "")
    one, two = map(json.loads, done.stdout.splitlines())
    paid = {line["wager"]: line["paid"] for line in one["seats"][0]["lines"]}
    assert paid["pair_plus"] == "175.00"
    assert "pair_plus" not in {line["wager"] for line in two["seats"][0]["lines"]}
    seat = {"seat": 3, "cards": "9s 8s 7s", "wagers": {"ante": "10.00"}, "decision": "play"}
    round = {"chapter": "md-three-card-poker", "dealer": "Qh 7d 2c", "seats": [seat]}
    listed = tmp_path / "day.json"
    listed.write_text(json.dumps([round, round], indent=1))
    assert len(ran("settle", listed).stdout.splitlines()) == 2
    paid_too = [{"round": round, "paid": [{"seat": 3, "net": "70.00"}]}] * 3
    listed.write_text(json.dumps(paid_too))
    assert answered("audit", "check", listed)["rounds"] == 3


@cites(MA, "13(d)(c)")
def test_a_shared_meter_has_its_winners_in_the_history(tmp_path):
    """Three tables win one linked meter; each history settles to the share that was paid."""
    path = tmp_path / "linked.db"
    with open_log(str(path)) as log:
        link = open_link(log, game="shared")
        tables = []
        for number in range(4):
            link.join(f"t{number}", linked_rules("shared"), BY)
            tables.append(LinkedTable(log, f"t{number}", "shared", seed=number))
            tables[-1].sit()
        *hitting, other = tables
        for table in hitting:
            table.up_to("settling", {1: ROYAL})
        other.round()  # feeds the meter after the wins were seen
        for table in hitting:
            table.on_to("betting")
    found = written(path, tmp_path / "all.jsonl", "--everything")
    won = [one for one in found if one["table"] != "t3"]
    winners = [one["round"].get("winners") for one in won]
    # the first to be paid shares what the meter shows; the other shares were set aside then
    assert winners == [{"progressive": 3}, None, None]
    shares = [line["paid"] for one in won for seat in one["paid"] for line in seat["lines"]
              if "meter" in line.get("odds", "")]  # fmt: skip
    assert len(shares) == 3
    assert len(set(shares)) == 1
    checked = answer("check", tmp_path / "all.jsonl")
    assert (checked["rounds"], checked["differences"], checked["errors"]) == (4, [], [])
