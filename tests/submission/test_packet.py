"""The packet: its PDFs are opened and read, its bytes are compared, its bundle is checked."""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import re
import shutil
import subprocess
import sys
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from commands import run_apart
from drafts import FULL, changed, furnished
from PIL import Image, ImageChops
from playwright.sync_api import sync_playwright
from pypdf import PdfReader

from houseway.drawing import export, sign
from houseway.drawing.dimensions import height_numbers, touches
from houseway.drawing.layout.geometry import Circle
from houseway.drawing.layout.inscriptions import odds_text, tables_in_force
from houseway.drawing.layout.layout import lay_out
from houseway.errors import Refused
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter, cites
from houseway.submission.checks.run_checks import Checked, check, check_text
from houseway.submission.checks.unfinished import devices_of
from houseway.submission.packet.checklist import checklist
from houseway.submission.packet.mathematics import mathematics
from houseway.submission.packet.packet import DOCUMENTS, TITLES, packet
from houseway.submission.packet.redline import redline
from houseway.submission.reading import Reading

WHO = {"operator": "Harbor Casino", "facility": "Harbor Point"}
#: without an earlier submission there is no redline
MADE = [name for name in DOCUMENTS if name != "redline"]


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


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_seven_documents_and_a_bundle(id: str) -> None:
    made = files(id)
    for number, name in enumerate(MADE):
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
    assert set(MADE) <= set(bundle)
    assert bundle["par"]["chapter"] == id


@pytest.mark.slow
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
                assert submission.who.reference in text
                assert "DRAFT" not in text
                assert f"{number} of {len(texts)}" in text
    # the drawing on one sheet, a position in detail and the key on the other
    assert len(pages(files(id)["2-layout.pdf"])) == 2


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_the_payout_sign_has_every_payout_on_one_page(id: str) -> None:
    submission = full(id).submission
    assert submission is not None
    first = pages(files(id)["3-signs.pdf"])[0]
    for tables in tables_in_force(submission.rules).values():
        for table in tables:
            for pay in table.pays.values():
                assert odds_text(pay.odds) in first


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_the_payout_sign_can_be_read_from_two_metres(id: str) -> None:
    """A capital of five minutes of arc: what normal sight tells apart. Times' capitals are 0.66
    of the size; a sign is drawn in tenths of a millimeter, 297 mm high, and set into its page."""
    page = PdfReader(io.BytesIO(files(id)["3-signs.pdf"])).pages[0]
    height = float(page.mediabox.height) / 72 * 25.4 - 13 - 12
    submission = full(id).submission
    assert submission is not None
    drawn = sign(submission.rules, "payouts", house=submission.who.operator)
    sizes = [
        float(size) / 10 * height / 297
        for size, words in re.findall(r'font-size="([0-9.]+)"[^>]*>([^<]+)<', drawn)
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
    options = [row["option"] for row in listed["options"] if row["option"] != "payout_limit_spares"]
    assert options == list(submission.chapter.options)
    for row in listed["options"]:
        assert squeezed(row["says"]) in text
        assert squeezed(row["chosen"]) in text
        assert squeezed(row["clause"]) in text
        assert row["clause"] in submission.chapter.clauses
    for approval in submission.approvals:
        (says,) = [a.says for a in submission.chapter.about.approvals if a.id == approval]
        assert squeezed(says) in text


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_the_report_has_every_wager_with_its_odds(id: str) -> None:
    bundle = json.loads(files(id)["packet.json"])
    text = squeezed(" ".join(pages(files(id)["5-mathematics.pdf"])))
    reported = {one["wager"] for one in bundle["mathematics"]["wagers"]}
    assert reported == {one["wager"] for one in bundle["par"]["wagers"]}
    for one in bundle["mathematics"]["wagers"]:
        assert squeezed(one["name"]) in text
        for table in one["tables"]:
            for _, pays, ways, chance, true_odds, back, _ in table["rows"]:
                for shown in (pays, ways, chance, true_odds, back):
                    assert squeezed(shown) in text
        # what the outcomes return on balance, meters included, is what the house loses
        (edge,) = [value for name, value in one["figures"] if name == "House advantage"]
        first = [Decimal(row[5].removesuffix("%")) for row in one["tables"][0]["rows"]]
        rounding = Decimal("0.0001") * len(first)
        assert abs(sum(first) + Decimal(edge.removesuffix("%"))) <= rounding, one["name"]
    for hold in chapter(id).about.holds:
        if any(row["published"].startswith(hold.low) for row in bundle["mathematics"]["published"]):
            assert squeezed(hold.low) in text


@pytest.mark.parametrize("id", CHAPTERS)
def test_the_matrix_has_every_clause_in_order(id: str) -> None:
    rows = json.loads(files(id)["packet.json"])["clauses"]["rows"]
    assert [row["clause"] for row in rows] == list(chapter(id).clauses)
    assert all(row["how"] for row in rows)
    text = squeezed(" ".join(pages(files(id)["6-clauses.pdf"])))
    for row in rows:
        assert squeezed(row["clause"]) + squeezed(row["says"])[:20] in text, row["clause"]


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
    for name in MADE:
        made = packet(full(SAIGON), [name])
        assert {file.split("-")[1].split(".")[0] for file in made} == {name}
    assert set(packet(full(SAIGON), ["bundle"])) == {"packet.json"}
    with pytest.raises(Refused, match="no document"):
        packet(full(SAIGON), ["everything"])
    with pytest.raises(Refused, match="passes"):
        packet(check(changed(SAIGON, table={"seats": 9})))


@pytest.mark.parametrize("id", CHAPTERS)
def test_the_letter_names_everybody_and_every_exhibit(id: str) -> None:
    submission = full(id).submission
    assert submission is not None
    text = squeezed(" ".join(pages(files(id)["0-letter.pdf"])))
    who = submission.who
    for said in (who.operator, who.license, who.facility, who.submitted_by, who.title, who.contact,
                 who.reference, submission.chapter.about.agency, "I attest", "Signature"):  # fmt: skip
        assert squeezed(said) in text, said
    for name in MADE[1:]:
        assert squeezed(TITLES[name]) in text


@pytest.mark.parametrize("id", CHAPTERS)
def test_the_checklist_has_devices_and_limits_of_every_wager(id: str) -> None:
    submission = full(id).submission
    assert submission is not None
    text = squeezed(" ".join(pages(files(id)["1-checklist.pdf"])))
    for device in submission.devices.values():
        assert squeezed(device.make + device.model + device.approval) in text
    listed = json.loads(files(id)["packet.json"])["checklist"]["limits"]
    law = submission.chapter
    assert [row[0] for row in listed] == [
        w.name for w in law.about.wagers if submission.rules.offers(w.id)
    ]
    if id == PRIME:
        assert squeezed("What the payout limit does not cover") in text


@pytest.mark.parametrize("id", CHAPTERS)
def test_the_documents_are_tagged_with_metadata_bookmarks_and_embedded_fonts(id: str) -> None:
    for name, body in files(id).items():
        if not name.endswith(".pdf"):
            continue
        pdf = PdfReader(io.BytesIO(body))
        assert pdf.metadata is not None
        assert pdf.metadata.author == WHO["operator"]
        assert pdf.metadata.title
        root = pdf.trailer["/Root"]
        assert root["/MarkInfo"]["/Marked"]
        assert root["/Lang"] == "en-US"
        if name[0] in "015":
            assert pdf.outline, name
        for page in pdf.pages:
            for font in page["/Resources"].get("/Font", {}).values():
                inner = font.get_object()["/DescendantFonts"][0].get_object()
                described = inner["/FontDescriptor"].get_object()
                assert {"/FontFile2", "/FontFile3"} & set(described), name


def test_the_catalog_has_no_entry_that_readers_report() -> None:
    """`Suspects` is false unless it is given; pdfinfo calls a false one a syntax error."""
    for name, body in files(SAIGON).items():
        if name.endswith(".pdf"):
            catalog = PdfReader(io.BytesIO(body), strict=True).trailer["/Root"]
            assert catalog["/MarkInfo"] == {"/Marked": True}, name


def test_a_draft_says_so_on_every_page_and_what_is_missing() -> None:
    tables = furnished(SAIGON, {})
    tables["submission"] = {**tables["submission"], "operator": "", "license": ""}
    checked = check(tables)
    assert checked.passes
    made = packet(checked)
    for name, body in made.items():
        if name.endswith(".pdf"):
            for text in pages(body):
                assert "DRAFT" in text, name
    letter = " ".join(pages(made["0-letter.pdf"]))
    assert "operator is empty" in letter
    assert "license is empty" in letter


def test_a_redline_against_the_earlier_submission() -> None:
    old, new = (
        check(furnished(PRIME, {"pair_bonus": "B"})),
        check(furnished(PRIME, {"pair_bonus": "C"})),
    )
    made = packet(new, ["redline"], against=old)
    text = " ".join(pages(made["7-redline.pdf"]))
    assert "Pair Bonus" in text
    assert "Paytable B" in text
    assert "Paytable C" in text
    assert "679a.7(d)(3)" in text
    with pytest.raises(Refused, match="against"):
        packet(new, ["redline"])


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_no_raw_identifier_and_no_advice_is_filed(id: str) -> None:
    for name, body in files(id).items():
        if name.endswith(".pdf"):
            text = " ".join(pages(body))
            assert not re.search(r"\b[a-z]+_[a-z_]+\b", text), (
                name,
                re.findall(r"\b[a-z]+_[a-z_]+\b", text)[:5],
            )
            assert "houseway" not in text.lower().replace("houseway house", ""), name


@cites(MA, "12(k)")
def test_cover_all_is_posted_by_players() -> None:
    assert "Players" in files(MA)["3-signs-payouts.svg"].decode()


def bundle(id: str) -> Any:
    return json.loads(files(id)["packet.json"])


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_the_layout_is_dimensioned(id: str) -> None:
    """Overall size, spacing and lettering on the layout; every circle and area in the detail."""
    submission = full(id).submission
    assert submission is not None
    layout = bundle(id)["layout"]
    drawn, detail = layout["words"], layout["detail"]["words"]
    # a table of 1,830 by 1,070 mm with a rail of 93 mm
    for size in ("1,830", "1,070", f"{1830 - 2 * 93:,}", f"{1070 - 93:,}"):
        assert size in drawn, size
    seats = submission.table.seats
    # the positions share the half turn but for 4.5 degrees at each end
    edge = (1830 / 2 - 93) * math.radians((180 - 9) / seats)
    assert f"{edge:,.0f} along the felt" in drawn
    laid = lay_out(submission.rules, seats, submission.who.operator)
    for place in laid.position:
        assert (place.label or "Cards").split()[0] in detail
        shape = place.shape
        size = f"Ø {2 * shape.radius:.0f}" if isinstance(shape, Circle) else f"{shape.width:.0f} ×"
        assert size in detail, place
    heights = {f"{words.size * 0.662:.0f}" for words in laid.words}
    assert heights <= set(drawn.split())
    # the heights of the lettering are written clear of the payout tables
    for words, _, _, box in height_numbers(laid):
        assert not any(touches(box, placed.box) for placed in laid.panels), words.words
    sheet = pages(files(id)["2-layout.pdf"])[1]
    assert all(row[1].split("“")[-1].split("”")[0] in sheet for row in layout["key"])


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_device_is_in_the_key_with_its_approval(id: str) -> None:
    submission = full(id).submission
    assert submission is not None
    told = [row[1] for row in bundle(id)["layout"]["key"]]
    on_layout = {
        "dealing_shoe": "Shoe", "automated_shoe": "Dealing shoe", "shuffler": "Shuffler",
        "reader": "Reader", "progressive_system": "Progressive",
    }  # fmt: skip
    for device in devices_of(submission.rules):
        entry = submission.devices[device]
        lines = [one for one in told if one.startswith(on_layout[device])]
        made = f"{entry.make} {entry.model}, approval {entry.approval}"
        assert any(made in line for line in lines), (device, told)


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_the_report_states_volatility(id: str) -> None:
    """The index is the standard deviation times the quantile of the normal curve."""
    text = " ".join(pages(files(id)["5-mathematics.pdf"]))
    for wager in bundle(id)["mathematics"]["wagers"]:
        figures = dict(wager["figures"])
        if "Standard deviation" not in figures:
            continue
        deviation = float(figures["Standard deviation"])
        index = dict(part.split(" at ")[::-1] for part in figures["Volatility index"].split(", "))
        for level, quantile in (("90%", 1.645), ("95%", 1.960), ("99%", 2.576)):
            assert float(index[level]) == pytest.approx(deviation * quantile, rel=2e-3)
        if wager["volatility"] is None:  # a progressive, whose meters move
            continue
        assert wager["volatility"]["title"] in text
        assert [row[0] for row in wager["volatility"]["rows"]] == [
            "1,000", "10,000", "100,000", "1,000,000",
        ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_every_table_of_the_packet_has_a_caption(id: str) -> None:
    """Tables are numbered from 1 in each document, and none is cut where it could stay whole."""
    for name in ("0-letter", "1-checklist", "5-mathematics", "6-clauses"):
        text = " ".join(pages(files(id)[f"{name}.pdf"]))
        numbers = [int(n) for n in re.findall(r"Table (\d+)\. ", text)]
        assert numbers == list(range(1, len(numbers) + 1)), name
        assert numbers


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="poppler-utils is not installed")
@pytest.mark.parametrize("id", [PRIME, MD])
def test_the_layout_is_the_same_picture_as_pdf_and_as_svg(id: str, tmp_path: Path) -> None:
    """Both are rasterized, by two programs, and differ in less than half a percent of the pixels."""
    svg = files(id)["2-layout.svg"].decode()
    assert "<text" not in svg, "the lettering is outlines"
    _, _, wide, high = map(float, re.search(r'viewBox="([^"]+)"', svg)[1].split())  # type: ignore[index]
    width, height = 1600, round(1600 * high / wide)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_content(
            f"<style>body{{margin:0}}svg{{width:{width}px;height:{height}px;display:block}}</style>{svg}"
        )
        (tmp_path / "svg.png").write_bytes(page.screenshot())
        browser.close()
    (tmp_path / "a.pdf").write_bytes(export(svg, "pdf"))
    subprocess.run(
        ["pdftoppm", "-png", "-singlefile", "-scale-to-x", str(width), "-scale-to-y", str(height),
         str(tmp_path / "a.pdf"), str(tmp_path / "pdf")], check=True, capture_output=True,
    )  # fmt: skip
    one, two = (Image.open(tmp_path / name).convert("L") for name in ("svg.png", "pdf.png"))
    assert one.size == two.size
    differ = sum(ImageChops.difference(one, two).histogram()[97:])
    assert differ < 0.005 * width * height


@pytest.mark.slow
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


@pytest.mark.slow
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


def test_a_redline_shows_as_money_what_is_money() -> None:
    """Numbers of seats, licenses and devices are none."""
    old = check(furnished(PRIME, {"payout_limit": "60000.00"}, table={"seats": 5}))
    after = furnished(
        PRIME, {"payout_limit": "75000.00"}, submission={"license": "4711", "reference": "88"}
    )
    after["devices"]["dealing_shoe"] = {"make": "Northway", "model": "500", "approval": "12_7"}
    after["limits"]["ante"] = {"min": "10.00", "max": "1000.00"}
    new = check(after)
    assert old.submission is not None
    assert new.submission is not None
    rows = {row[0]: row[1:3] for row in redline(old.submission, new.submission)["changes"]}
    assert rows["Seats"] == ["5", "6"]
    assert rows["License"][1] == "4711"
    assert rows["Dealing shoe, model"][1] == "500"
    assert rows["Dealing shoe, approval"][1] == "12_7"
    assert rows["Ante, minimum"] == ["$5", "$10"]
    assert ["$60,000", "$75,000"] in rows.values()


@cites(MD, "2.B", "11.D(9)(g)", "12.E(3)(a)", "12.E(3)(b)")
def test_a_redline_names_awards_and_inscriptions_and_what_stays_on_offer() -> None:
    """An award by hand and stake, inscriptions in words; a bonus that stays is not "not offered"."""
    envy = {"royal_flush": {"1.00": "1000.00", "5.00": "5000.00"}}
    first = {"five_card_progressive": "C", "five_card_envy": envy, "six_card_bonus": "A"}
    limits = {"six_card_bonus": {"min": "1.00", "max": "100.00"}}
    old = check(furnished(MD, first, limits=limits))
    after = furnished(MD, {"five_card_progressive": "C", "six_card_bonus": "E"}, limits=limits)
    after["meters"]["five_card_progressive.mega"]["rate"] = "10%"
    after["layout"] = {"felt": ["name", "qualifies"], "sign": ["payouts"]}
    new = check(after)
    assert old.submission is not None
    assert new.submission is not None
    found = redline(old.submission, new.submission)
    rows = {row[0]: row[1:] for row in found["changes"]}
    awards = {name.partition(": ")[2]: row[0] for name, row in rows.items() if ": " in name}
    assert awards == {"Royal flush on $1": "$1,000", "Royal flush on $5": "$5,000"}
    felt = rows["Inscriptions on the felt"]
    assert felt[1] == "name or logo of the operator; “Dealer Plays with Queen High or Better”"
    assert felt[2] == "2.B"
    assert rows["Five-Card Progressive, mega rate of progression"][2] == "12.E(3)(a)"
    holds = {row[0]: row[1:3] for row in found["holds"]}
    six = {name: row for name, row in holds.items() if name.startswith("Six Card")}
    assert set(six) == {"Six Card Bonus, at $1", "Six Card Bonus, at $100"}
    assert not [row for row in six.values() if "not offered" in row]
    assert six["Six Card Bonus, at $1"][1] == six["Six Card Bonus, at $100"][1]


@cites(MA, "11(a)(3)(i)", "13(a)")
def test_a_hand_of_other_suits_is_called_so_beside_the_one_in_spades() -> None:
    """Table A of 11(a)(3)(i) pays ace-king-queen of spades apart from the other suits."""
    rules = {"version": "ante_covers_pair_plus", "ante_bonus": "A", "progressive": "1"}
    found = Reading(furnished(MA, rules)).read()
    assert found is not None
    told = next(
        part for part in mathematics(found.rules)["wagers"] if part["name"] == "Ante and Play"
    )
    hands = {row[0].partition(": ")[2] for table in told["tables"] for row in table["rows"]}
    assert {"A-K-Q of spades", "A-K-Q of other suits"} <= hands
    assert "A-K-Q suited" not in hands
    listed = checklist(found)
    assert [row[-1] for row in listed["meters"]] == ["13(a)"]
    assert not [
        row for row in listed["options"] if row["named"] and row["named"].endswith("allowed")
    ]


@cites(MD, "2.D(1)", "2.E")
def test_the_key_says_where_the_tip_box_stands() -> None:
    """Across from the drop box, or elsewhere with an approval: never both."""
    for where, told, approved in (("across", "across the dealer", False), ("elsewhere", "", True)):
        checked = check(furnished(MD, {"shuffler": "plain"}, table={"tip_box": where}))
        assert checked.passes
        key = json.loads(packet(checked, ["layout", "bundle"])["packet.json"])["layout"]["key"]
        (tips,) = (row[1] for row in key if row[1].startswith("Tips: "))
        assert told in tips
        assert ("elsewhere, as approved" in tips) is approved


@cites(MA, "12(d)")
def test_what_a_submission_does_not_have_is_not_announced() -> None:
    """Meters in the letter where there are any; devices by the names of their wagers."""
    for id, metered in ((MA, True), (SAIGON, False)):
        assert ("meters" in " ".join(pages(files(id)["0-letter.pdf"]))) is metered
    assert "Cover All shuffler" in " ".join(pages(files(MA)["1-checklist.pdf"]))
