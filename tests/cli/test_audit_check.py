"""`houseway audit check`: rounds paid elsewhere, each payout that differs from the rules."""

import json
from pathlib import Path

import pytest
from commands import answer, run, run_apart

from houseway.law import CHAPTERS

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(chapter):
    """A round of the examples with what `settle` says of it: paid as the rules order."""
    round = json.loads((EXAMPLES / f"{chapter}.json").read_text())
    done = answer("settle", EXAMPLES / f"{chapter}.json")
    return {"id": chapter, "round": round, "paid": done["seats"]}


def written(path, *rounds):
    path.write_text("".join(json.dumps(one) + "\n" for one in rounds))
    return path


def test_rounds_paid_by_the_rules_pass(tmp_path):
    file = written(tmp_path / "paid.jsonl", *map(example, CHAPTERS))
    found = answer("audit", "check", file)
    assert (found["rounds"], found["differences"], found["errors"]) == (len(CHAPTERS), [], [])


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_payout_that_is_changed_is_found(tmp_path, chapter):
    right = example(chapter)
    rounds, changed = [], []
    for place, seat in enumerate(right["paid"]):
        for number, line in enumerate(seat["lines"]):
            other = json.loads(json.dumps(right))
            cents = round(float(line["paid"]) * 100) + 150
            other["id"] = f"{place}.{number}"
            other["paid"][place]["lines"][number]["paid"] = f"{cents // 100}.{cents % 100:02d}"
            rounds.append(other)
            changed.append((other["id"], seat["seat"], line["wager"], line["clause"]))
    found = answer("audit", "check", written(tmp_path / "paid.jsonl", *rounds), status=1)
    told = [(one["id"], one["seat"], one["wager"], one["clause"]) for one in found["differences"]]
    assert told == changed
    assert {one["over"] for one in found["differences"]} == {"1.50"}


def test_a_missing_an_invented_and_a_misnamed_line_are_found(tmp_path):
    paid = example("md-three-card-poker")
    seat = paid["paid"][0]
    winning = next(line for line in seat["lines"] if line["paid"] != "0.00")
    seat["lines"].remove(winning)
    seat["lines"].append({"wager": "tip", "paid": "5.00"})
    other = seat["lines"][0]
    other["result"] = "push" if other["result"] != "push" else "win"
    found = answer("audit", "check", written(tmp_path / "p.jsonl", paid), status=1)["differences"]
    by_wager = {one["wager"]: one for one in found}
    assert by_wager[winning["wager"]]["says"] == "not paid"
    assert by_wager["tip"]["over"] == "5.00"
    assert other["wager"] in by_wager


def test_a_net_is_enough(tmp_path):
    paid = example("pa-saigon-5-card")
    paid["paid"] = [{"seat": seat["seat"], "net": seat["net"]} for seat in paid["paid"]]
    assert answer("audit", "check", written(tmp_path / "a.jsonl", paid))["differences"] == []
    paid["paid"][0]["net"] = "1.00"
    (one,) = answer("audit", "check", written(tmp_path / "b.jsonl", paid), status=1)["differences"]
    assert (one["wager"], one["paid"]) == ("net", "1.00")


def test_a_csv_file_with_a_rules_file(tmp_path):
    """12.D(1) and 12.B(1): Pair Plus A pays a straight flush 35 to 1; the ante bonus A pays it 5."""
    rules = tmp_path / "rules.toml"
    rules.write_text('chapter = "md-three-card-poker"\n')
    file = tmp_path / "day.csv"
    file.write_text(
        "id,dealer,seat,cards,decision,wager.ante,wager.pair_plus,"
        "paid.ante,paid.play,paid.ante_bonus,paid.pair_plus\n"
        "r1,Qh 7d 2c,3,9s 8s 7s,play,10.00,5.00,10.00,10.00,50.00,175.00\n"
        "r2,Qh 7d 2c,3,9s 8s 7s,play,10.00,5.00,10.00,10.00,50.00,150.00\n"
        "r2,Qh 7d 2c,4,4h 3d 2s,fold,10.00,,0.00,,,\n"
    )
    found = answer("audit", "check", file, "--rules", rules, status=1)
    assert found["rounds"] == 2
    (one,) = found["differences"]
    assert (one["id"], one["seat"], one["wager"]) == ("r2", 3, "pair_plus")
    assert (one["paid"], one["due"], one["over"]) == ("150.00", "175.00", "-25.00")
    assert found["short"] == "25.00"


def test_lines_that_are_wrong_are_said_and_the_rest_is_checked(tmp_path):
    file = tmp_path / "mixed.jsonl"
    good = json.dumps(example("pa-saigon-5-card"))
    file.write_text(f"{good}\nnonsense\n{{}}\n{good}\n")
    found = answer("audit", "check", file, status=2)
    assert found["rounds"] == 2
    assert [one["line"] for one in found["errors"]] == [2, 3]
    done = run("audit", "check", file)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 2


def test_nothing_to_check_is_said(tmp_path):
    (tmp_path / "empty.jsonl").write_text("\n")
    done = run("audit", "check", tmp_path / "empty.jsonl")
    assert (done.returncode, done.stderr) == (2, "houseway: there is no round to check\n")


@pytest.mark.slow
def test_several_processes_say_the_same(tmp_path):
    rounds = [example(chapter) for chapter in CHAPTERS]
    rounds[2]["paid"][0]["lines"][0]["paid"] = "123.00"
    file = written(tmp_path / "many.jsonl", *rounds * 150)
    one, two = (answer("audit", "check", file, "--cores", n, status=1) for n in (1, 2))
    assert one == two
    assert len(one["differences"]) == 150
    lines = tmp_path / "rounds.jsonl"
    lines.write_text("".join(json.dumps(one["round"]) + "\n" for one in rounds * 150))
    told = [run_apart("settle", str(lines), "--cores", n).stdout for n in ("1", "3")]
    assert told[0] == told[1]
    assert told[0].count("\n") == 750


@pytest.mark.parametrize(
    "text",
    [
        "ID;Dealer;Seat;Cards;Decision;wager.ante;net\n1;Qh 7d 2c;1;9s 9d 6h;play;10.00;20.00\n",
        'id,dealer,seat,cards,decision,wager.ante,net\n1,"QH,7D,2C",1,9S9D6H,Play,$10,$20\n',
        "id\tdealer\tseat\tcards\tdecision\twager.ante\tnet\n1\tQ♥ 7♦ 2♣\t1\t9♠/9♦/6♥\tPLAY\t10\t20\n",
    ],
    ids=["semicolons", "joined and in capitals", "tabs and signs"],
)
def test_a_table_of_rounds_is_read_as_other_programs_write_it(text: str, tmp_path: Path) -> None:
    """A pair of nines against queen high wins ante and play, 10 each; the other columns say so."""
    file, rules = tmp_path / "rounds.csv", tmp_path / "rules.toml"
    file.write_text(text, encoding="utf-8")
    rules.write_text('chapter = "md-three-card-poker"\n')
    found = answer("audit", "check", file, "--rules", rules)
    assert (found["rounds"], found["differences"], found["errors"]) == (1, [], [])
    without = run("audit", "check", file)
    assert (without.returncode, "--rules" in without.stderr) == (2, True)


def test_the_ten_of_a_table_may_be_written_with_its_number(tmp_path: Path) -> None:
    file, rules = tmp_path / "rounds.csv", tmp_path / "rules.toml"
    file.write_text(
        "id,dealer,seat,cards,decision,wager.ante,net\n1,Qh 7d 2c,1,10s 9d 6h,play,10.00,20.00\n"
    )
    rules.write_text('chapter = "md-three-card-poker"\n')
    (wrong,) = answer("audit", "check", file, "--rules", rules, status=1)["differences"]
    # ten high loses to queen high
    assert (wrong["paid"], wrong["due"]) == ("20.00", "-20.00")
