"""The packet: its PDFs are opened and read, its bytes are compared, its bundle is checked."""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from commands import run_apart
from drafts import FULL, changed, furnished
from pypdf import PdfReader

from houseway.drawing.layout.inscriptions import odds_text, tables_in_force
from houseway.errors import Refused
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter, cites
from houseway.submission.checks.run_checks import Checked, check, check_text
from houseway.submission.packet.clause_matrix import matrix
from houseway.submission.packet.packet import DOCUMENTS, packet
from houseway.submission.packet.procedure_card import procedure_card

WHO = {"operator": "Harbor Casino", "facility": "Harbor Point"}


@cache
def full(id: str) -> Checked:
    found = check(furnished(id, FULL[id], submission=WHO))
    assert found.passes, found.errors
    return found


@cache
def files(id: str) -> dict[str, bytes]:
    return packet(full(id))


def pages(pdf: bytes) -> list[str]:
    """The text of each page, its spaces made single."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(pdf)).pages]


def squeezed(text: str) -> str:
    """Letters and digits alone: lettering on an arc has its spaces anywhere."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def lettering(svg: bytes) -> str:
    """Every text of a drawing."""
    return squeezed(" ".join(re.findall(r">([^<>]+)<", svg.decode())).replace("&amp;", "&"))


@pytest.mark.parametrize("id", CHAPTERS)
def test_six_documents_and_a_bundle(id: str) -> None:
    made = files(id)
    for number, name in enumerate(DOCUMENTS, 1):
        assert made[f"{number}-{name}.pdf"].startswith(b"%PDF")
    bundle = json.loads(made["packet.json"])
    submission = full(id).submission
    assert submission is not None
    assert bundle["hash"] == submission.hash
    assert bundle["submission"] == submission.as_file()
    again = check(bundle["submission"]).submission
    assert again is not None
    assert again.as_file() == submission.as_file()
    assert again.rules.hash == submission.rules.hash
    assert bundle["files"] == {
        name: hashlib.sha256(body).hexdigest()
        for name, body in made.items()
        if name != "packet.json"
    }
    assert set(DOCUMENTS) <= set(bundle)
    assert bundle["par"]["chapter"] == id


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_page_has_hash_date_and_number(id: str) -> None:
    submission = full(id).submission
    assert submission is not None
    for name, body in files(id).items():
        if name.endswith(".pdf"):
            texts = pages(body)
            for number, text in enumerate(texts, 1):
                assert submission.hash in text, (name, number)
                assert submission.who.date.isoformat() in text
                assert f"{number} of {len(texts)}" in text
    assert len(pages(files(id)["2-layout.pdf"])) == 1


@cites(MD, "2.B(1)", "2.B(5)")
@cites(MA, "11(a)(1)", "11(a)(2)")
@cites(PRIME, "679a.2(b)(1)", "679a.2(b)(4)", "679a.2(b)(5)")
@cites(SAIGON, "680a.2(b)(1)", "680a.2(b)(5)", "680a.2(b)(6)")
@cites(DOWN_UNDER, "685a.2(b)(1)", "685a.2(b)(3)*", "685a.2(b)(4)*", "685a.2(b)(6)")
@pytest.mark.parametrize("id", CHAPTERS)
def test_every_inscription_is_on_the_layout(id: str) -> None:
    submission = full(id).submission
    assert submission is not None
    drawn = lettering(files(id)["2-layout.svg"])
    printed = squeezed(" ".join(pages(files(id)["2-layout.pdf"])))
    assert squeezed(WHO["operator"]) in drawn
    for item in submission.chapter.about.inscriptions:
        if item.id in submission.layout.felt and item.words:
            assert squeezed(item.words) in drawn, item.id
            assert squeezed(item.words) in printed, item.id
    for tables in tables_in_force(submission.rules).values():
        for table in tables:
            for pay in table.pays.values():
                assert squeezed(odds_text(pay.odds)) in drawn


@pytest.mark.parametrize("id", CHAPTERS)
def test_what_is_on_a_sign_is_not_on_the_felt(id: str) -> None:
    tables = furnished(id, FULL[id], submission=WHO)
    movable = [i.id for i in chapter(id).about.inscriptions if i.or_sign]
    felt = [item for item in tables["layout"]["felt"] if item not in movable]
    tables["layout"] = {"felt": felt, "sign": [i for i in tables["layout"]["felt"] if i in movable]}
    made = packet(check(tables), ["layout", "signs"])
    drawn = lettering(made["2-layout.svg"])
    posted = squeezed(" ".join(pages(made["3-signs.pdf"])))
    for item in chapter(id).about.inscriptions:
        if item.words:
            assert (squeezed(item.words) in drawn) is (item.id in felt), item.id
        if item.id in tables["layout"]["sign"]:
            assert squeezed(item.words) in posted
    assert "straightflush" not in drawn


@pytest.mark.parametrize("id", CHAPTERS)
def test_the_payout_sign_has_every_payout_on_one_page(id: str) -> None:
    submission = full(id).submission
    assert submission is not None
    first = pages(files(id)["3-signs.pdf"])[0]
    for tables in tables_in_force(submission.rules).values():
        for table in tables:
            for pay in table.pays.values():
                assert odds_text(pay.odds) in first


@pytest.mark.parametrize("id", CHAPTERS)
def test_the_payout_sign_can_be_read_from_two_metres(id: str) -> None:
    """A capital of five minutes of arc: what normal sight tells apart. Times' capitals are 0.66
    of the size; a sign is drawn in tenths of a millimetre, 297 mm high, and set into its page."""
    page = PdfReader(io.BytesIO(files(id)["3-signs.pdf"])).pages[0]
    height = float(page.mediabox.height) / 72 * 25.4 - 13 - 12
    sizes = [
        float(size) / 10 * height / 297
        for size, words in re.findall(
            r'font-size="([0-9.]+)"[^>]*>([^<]+)<', files(id)["3-signs-payouts.svg"].decode()
        )
        if chapter(id).about.jurisdiction not in words  # the citation at the foot
    ]
    assert sizes
    assert min(sizes) * 0.66 >= 2000 * math.tan(math.radians(5 / 60))


@cites(PRIME, "679a.2(b)(5)", "679a.12(h)", "679a.13(g)")
@cites(MD, "13.H(2)")
@cites(SAIGON, "680a.2(b)(6)")
@cites(DOWN_UNDER, "685a.12(k)")
def test_the_other_signs() -> None:
    def names(id: str) -> set[str]:
        return {
            n.removeprefix("3-signs-").removesuffix(".svg") for n in files(id) if "3-signs-" in n
        }

    assert names(PRIME) == {
        "payouts", "payout_limit", "limits", "out_of_order-shuffler", "out_of_order-shoe",
    }  # fmt: skip
    assert names(SAIGON) == {"payouts", "payout_limit", "limits"}
    assert names(MD) == names(DOWN_UNDER) == {"payouts", "limits", "out_of_order-shuffler"}
    # Massachusetts has a device removed, not marked
    assert names(MA) == {"payouts", "limits"}
    limit = lettering(files(PRIME)["3-signs-payout_limit.svg"])
    assert "60000" in limit
    assert "sixcardroyal" in limit


@pytest.mark.parametrize("id", CHAPTERS)
def test_the_checklist_has_every_option_with_clause_and_choice(id: str) -> None:
    submission = full(id).submission
    assert submission is not None
    text = squeezed(" ".join(pages(files(id)["1-checklist.pdf"])))
    listed = json.loads(files(id)["packet.json"])["checklist"]
    assert [row["option"] for row in listed["options"]] == list(submission.chapter.options)
    for row in listed["options"]:
        assert squeezed(row["says"]) in text
        assert squeezed(row["chosen"]) in text
        assert squeezed(row["clause"]) in text
        assert row["clause"] in submission.chapter.clauses
    for approval in submission.approvals:
        (says,) = [a.says for a in submission.chapter.about.approvals if a.id == approval]
        assert squeezed(says) in text


@pytest.mark.parametrize("id", CHAPTERS)
def test_the_report_has_every_wager_with_its_odds(id: str) -> None:
    bundle = json.loads(files(id)["packet.json"])
    text = squeezed(" ".join(pages(files(id)["5-mathematics.pdf"])))
    reported = {one["wager"] for one in bundle["mathematics"]["wagers"]}
    assert reported == {one["wager"] for one in bundle["par"]["wagers"]}
    for one in bundle["mathematics"]["wagers"]:
        assert squeezed(one["name"]) in text
        for table in one["tables"]:
            for _, pays, ways, true_odds, _ in table["rows"]:
                for shown in (pays, ways, true_odds):
                    assert squeezed(shown) in text
    for hold in chapter(id).about.holds:
        if any(row["published"].startswith(hold.low) for row in bundle["mathematics"]["published"]):
            assert squeezed(hold.low) in text


@pytest.mark.parametrize("id", CHAPTERS)
def test_the_matrix_has_every_clause_in_order(id: str) -> None:
    submission = full(id).submission
    assert submission is not None
    rows = matrix(submission)
    assert [row["clause"] for row in rows] == list(chapter(id).clauses)
    assert all(row["how"] for row in rows)
    text = squeezed(" ".join(pages(files(id)["6-clauses.pdf"])))
    for row in rows:
        assert squeezed(row["clause"]) + squeezed(row["says"])[:20] in text, row["clause"]


@cites(MD, "4.C(2)")
def test_the_matrix_says_what_somebody_is_told() -> None:
    submission = full(MD).submission
    assert submission is not None
    how = {row["clause"]: row["how"] for row in matrix(submission)}
    washing = next(s for s in chapter(MD).procedure if s.clause == "4.C(2)")
    assert how["4.C(2)"] == f"the {washing.role} is told: {washing.says}".rstrip(".")


def test_the_matrix_says_what_is_not_at_this_table() -> None:
    def away(**rules: Any) -> set[str]:
        submission = check(furnished(MD, rules)).submission
        assert submission is not None
        return {row["clause"] for row in matrix(submission) if row["met"] == "not at this table"}

    plain = away()
    assert {"9.A", "10.A", "7.F(4)", "7.F(5)", "12.D(2)(a)", "12.E(1)(a)(i)"} <= plain
    assert not {"8.A", "8.E(1)", "7.F(1)", "12.D(1)(a)", "2.A"} & plain
    other = away(progressive="B", pair_plus="B", dealing="automated_shoe")
    assert {"8.A", "9.A", "12.D(1)(a)", "12.E(1)(a)"} <= other
    assert not {"10.A", "7.F(4)", "12.D(2)(a)", "12.E(1)(b)", "2.C(1)"} & other


@pytest.mark.parametrize("id", CHAPTERS)
def test_the_card_has_the_steps_of_these_options_and_no_others(id: str) -> None:
    submission = full(id).submission
    assert submission is not None
    parts = procedure_card(submission)
    titles = [part["title"] for part in parts]
    assert titles[:2] == ["Opening", "Shuffle and cut"]
    assert {"Dealing", "Settlement", "Irregularities"} <= set(titles)
    text = squeezed(" ".join(pages(files(id)["4-procedure.pdf"])))
    for part in parts:
        for step in part["steps"]:
            assert step["clause"] in chapter(id).clauses
            assert squeezed(step["says"]) in text
            for also in step["also"]:
                assert squeezed(also["says"]) in text


@cites(MD, "8.E(1)", "9.C(2)", "10.B(2)")
def test_the_card_follows_the_way_of_dealing() -> None:
    def cited(**rules: Any) -> set[str]:
        submission = check(furnished(MD, rules)).submission
        assert submission is not None
        return {step["clause"] for part in procedure_card(submission) for step in part["steps"]} | {
            also["clause"]
            for part in procedure_card(submission)
            for step in part["steps"]
            for also in step["also"]
        }

    shoe = cited()
    hand = cited(dealing="hand", shuffler="plain")
    stacks = cited(dealing="automated_shoe")
    for clause, where in (("8.E(1)", shoe), ("9.C(2)", hand), ("10.B(2)", stacks)):
        assert [clause in found for found in (shoe, hand, stacks)] == [
            found is where for found in (shoe, hand, stacks)
        ]
    assert not any(clause.startswith(("8.C(1)", "11.D(7)")) for clause in shoe)
    assert "11.D(7)(c)" in cited(progressive="A")


@cites(MA, "11(a)(2)")
def test_a_table_of_the_houses_own_is_posted_and_counted() -> None:
    """Without a row for the mini royal, which is then paid as the straight flush that it is."""
    own = {"pair": "1 to 1", "flush": "4 to 1", "straight": "6 to 1", "three_of_a_kind": "30 to 1",
           "straight_flush": "41 to 1"}  # fmt: skip
    checked = check(changed(MA, paytables={"pair_plus": own}))
    assert checked.passes
    made = packet(checked, ["signs", "mathematics"])
    assert "41 to 1" in pages(made["3-signs.pdf"])[0]
    text = " ".join(pages(made["5-mathematics.pdf"]))
    assert re.search(r"Straight flush 41 to 1 48 ", text)


def test_one_document_alone() -> None:
    for name in DOCUMENTS:
        made = packet(full(SAIGON), [name])
        assert {file.split("-")[1].split(".")[0] for file in made} == {name}
    assert set(packet(full(SAIGON), ["bundle"])) == {"packet.json"}
    with pytest.raises(Refused, match="no document"):
        packet(full(SAIGON), ["everything"])
    with pytest.raises(Refused, match="passes"):
        packet(check(changed(SAIGON, table={"seats": 9})))


def test_the_same_submission_gives_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    path = tmp_path / "submission.json"
    submission = full(PRIME).submission
    assert submission is not None
    path.write_text(json.dumps(submission.as_file()))
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-m", "houseway", "packet", str(path), "--out", str(tmp_path / seed)],
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo" if seed == "1" else "UTC"},
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    first = {p.name: p.read_bytes() for p in (tmp_path / "1").iterdir()}
    second = {p.name: p.read_bytes() for p in (tmp_path / "2").iterdir()}
    assert first == second
    assert first == packet(check_text(path.read_text(), path.name))


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    assert run_apart("new", SAIGON, "--out", str(path)).returncode == 0
    done = run_apart("packet", str(path), "--out", str(tmp_path / "p"), "--only", "signs", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    listed = json.loads(done.stdout)["files"]
    assert set(listed) == {p.name for p in (tmp_path / "p").iterdir()}
    path.write_text(path.read_text().replace("seats = 6", "seats = 8"))
    done = run_apart("packet", str(path), "--out", str(tmp_path / "q"))
    assert done.returncode == 1
    assert "680a.2(a)" in done.stdout
    assert not (tmp_path / "q").exists()
    assert (
        json.loads(run_apart("packet", str(path), "--out", "q", "--json").stdout)["passes"] is False
    )
    for wrong in (("packet", str(path)), ("packet", "nowhere", "--out", "x")):
        done = run_apart(*wrong)
        assert (done.returncode, len(done.stderr.strip().splitlines())) == (2, 1)
