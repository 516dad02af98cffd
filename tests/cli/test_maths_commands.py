"""par, reconcile and strategy on the command line."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET

import pypdf
import pytest

from houseway.cli import main
from houseway.law import CHAPTERS, MD, PRIME, SAIGON


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    out, err = capsys.readouterr()
    return ended.value.code, out, err


@pytest.mark.parametrize("id", CHAPTERS)
def test_par_as_json(capsys, id):
    status, out, err = run(capsys, "par", id, "--json")
    assert (status, err) == (0, "")
    sheet = json.loads(out)
    assert sheet["chapter"] == id
    for entry in sheet["wagers"]:
        assert ("house_edge" in entry) != ("fixed_return" in entry)


def test_par_for_people_fits_a_terminal(capsys):
    for id in CHAPTERS:
        status, out, _ = run(capsys, "par", id)
        assert status == 0
        assert max(map(len, out.splitlines())) <= 110
    _, out, _ = run(capsys, "par", MD, "--wager", "pair_plus")
    assert "Straight flush" in out
    assert "4.5792%" in out


def test_par_of_a_progressive_details_each_paytable_once(capsys):
    """Entries that differ in players and stake alone are in the summary; a flag gets their details."""
    _, out, _ = run(capsys, "par", MD, "--wager", "progressive")
    assert re.findall(r"^Three-Card Progressive (\w), (.*)$", out, re.MULTILINE) == [
        (table, "1 player, $1") for table in "ABC"
    ]
    _, out, _ = run(capsys, "par", MD, "--wager", "progressive", "--players", "3", "--stake", "5")
    assert (
        re.findall(r"^Three-Card Progressive \w, (.*)$", out, re.MULTILINE) == ["3 players, $5"] * 3
    )


def test_par_as_csv(capsys):
    _, out, _ = run(capsys, "par", PRIME, "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert {row["wager"] for row in rows} == {"ante_play", "prime", "pair_bonus", "all_six"}
    prime = [row for row in rows if row["wager"] == "prime"]
    assert {row["outcome"] for row in prime} == {"same_color", "same_color_both"}
    assert {row["house_edge_percent"] for row in prime} == {"3.620597"}


def test_par_as_a_document(capsys, tmp_path):
    file = tmp_path / "sheet.pdf"
    status, out, _ = run(capsys, "par", SAIGON, "--pdf", str(file))
    assert (status, out) == (0, f"{file}: {len(file.read_bytes()):,} bytes\n")
    text = "\n".join(page.extract_text() for page in pypdf.PdfReader(file).pages)
    for words in (
        "PAR sheet",
        "Saigon 5 Card",
        "five aces",
        "5000 to 1",
        "Strategy",
        "Distribution",
        "2,869,685",
    ):
        assert words in text


@pytest.mark.slow
def test_a_document_has_no_raw_names(capsys, tmp_path):
    file = tmp_path / "sheet.pdf"
    assert run(capsys, "par", MD, "--pdf", str(file))[0] == 0
    text = "\n".join(page.extract_text() for page in pypdf.PdfReader(file).pages)
    assert "Ante and Play, A-K-Q suited" in text
    assert not re.findall(r"[a-z]+_[a-z]+", text)


def test_par_of_a_rules_file(capsys, tmp_path):
    file = tmp_path / "rules.toml"
    file.write_text('chapter = "md-three-card-poker"\n[rules]\npair_plus = "E"\n[paytables.ante_bonus]\n'
                    'straight_flush = "6 to 1"\nthree_of_a_kind = "4 to 1"\nstraight = "1 to 1"\n')  # fmt: skip
    _, out, _ = run(capsys, "par", MD, "--rules", str(file), "--json")
    wagers = {entry["wager"]: entry for entry in json.loads(out)["wagers"]}
    assert wagers["pair_plus"]["paytable"] == "E"
    assert wagers["ante_play"]["paytable"] == "own"


@pytest.mark.parametrize(
    "arguments",
    [
        ("par", "nowhere"),
        ("par", MD, "--rules", "no-such-file.toml"),
        ("par", MD, "--stake", "0"),
        ("par", MD, "--stake", "-5"),
        ("par", MD, "--players", "8"),
        ("par", MD, "--players", "many"),
        ("par", MD, "--meter", "progressive"),
        ("par", MD, "--meter", "progressive=-1000.00"),
        ("par", MD, "--meter", "jackpot=1.00"),
        ("par", MD, "--wager", "roulette"),
        ("par", MD, "--pdf", "/no/such/place/sheet.pdf"),
        ("par",),
        ("reconcile", "nowhere"),
        ("strategy", "nowhere"),
        ("strategy", MD, "--out", "/no/such/place/picture.svg"),
    ],
)
def test_bad_input_is_one_line_and_exit_status_two(capsys, arguments):
    status, out, err = run(capsys, *arguments)
    assert status == 2
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in err


def test_reconcile(capsys):
    status, out, _ = run(capsys, "reconcile", "--json")
    assert status == 0
    holds = {(one["chapter"], one["wager"]): one for one in json.loads(out)["holds"]}
    assert holds[PRIME, "prime"]["agrees"]
    assert holds[SAIGON, "bonus"]["smallest"][0]["becomes"] == "9 to 1"
    assert holds[PRIME, "ante_play"]["smallest"][0]["switch"] == "not_qualified_play_by_table"
    status, out, _ = run(capsys, "reconcile", SAIGON)
    assert "9 to 1 instead of 8 to 1" in out
    _, out, _ = run(capsys, "reconcile", MD)
    assert "No hold" in out


@pytest.mark.parametrize(
    ("id", "says"), [(MD, "Q-6-4"), (PRIME, "Q-6-3"), (SAIGON, "highest point count")]
)
def test_strategy(capsys, tmp_path, id, says):
    status, out, _ = run(capsys, "strategy", id)
    assert status == 0
    assert says in out
    _, out, _ = run(capsys, "strategy", id, "--json")
    assert says in json.loads(out)["strategy"]["says"]
    picture = tmp_path / "strategy.svg"
    assert run(capsys, "strategy", id, "--out", str(picture))[0] == 0
    root = ET.parse(picture).getroot()
    words = " ".join(node.text or "" for node in root.iter() if node.tag.endswith("text"))
    assert says in words


def test_errata_gain_what_arithmetic_finds(capsys):
    _, out, _ = run(capsys, "errata", "ma-three-card-poker", "--json")
    entries = json.loads(out)["chapters"][0]["errata"]
    found = [one for one in entries if one["id"].startswith("returns-more-than-it-takes")]
    assert [one["clauses"] for one in found] == [["13(d)"]]
    assert found[0]["kind"] == "arithmetic"


@pytest.mark.parametrize("name", ["par", "reconcile", "strategy"])
def test_what_is_answered_fits_its_schema(capsys, name):
    _, out, _ = run(capsys, "schema", name)
    schema = json.loads(out)
    _, out, _ = run(capsys, name, PRIME, "--json")
    answer = json.loads(out)
    top = schema["$defs"][schema["$ref"].rpartition("/")[2]]
    assert set(answer) <= set(top["properties"])
    assert set(top.get("required", ())) <= set(answer)
