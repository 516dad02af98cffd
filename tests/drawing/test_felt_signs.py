"""Signs, the exported formats and the command."""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path

import pytest
from every_table import OWN_PAIR_PLUS, every_table, fullest
from reading import by_id, ids, parsed, words

from houseway.cli import main
from houseway.drawing import SIGNS, THEMES, draw, export, sign, signs
from houseway.drawing.layout.inscriptions import phrases, tables_in_force
from houseway.drawing.pieces.devices import meters_shown
from houseway.errors import Refused
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, choose, cites
from houseway.law.hand_names import HAND_NAMES
from houseway.present.view import TableView

EXAMPLES = Path(__file__).parents[2] / "examples"


@cites(MD, "2.B(5)")
@cites(PRIME, "679a.2(b)(4)")
@cites(SAIGON, "680a.2(b)(5)")
@cites(DOWN_UNDER, "685a.2(b)(6)")
@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_the_payout_sign_has_every_payout_in_force(chapter_id) -> None:
    rules = fullest(chapter_id)
    root = parsed(sign(rules, "payouts"))
    said = " ".join(words(root)).replace(",", "").casefold()
    for tables in tables_in_force(rules).values():
        for table in tables:
            for pay in table.pays.values():
                assert str(pay.odds) in said


@pytest.mark.parametrize("chapter_id", [MA, PRIME, SAIGON, DOWN_UNDER])
def test_every_payout_sign_has_room(chapter_id) -> None:
    for rules in every_table(chapter_id):
        assert sign(rules, "payouts").startswith("<svg")


def test_a_table_of_the_house_is_on_the_sign() -> None:
    root = parsed(sign(choose(MA, {"pair_plus": OWN_PAIR_PLUS}), "payouts"))
    said = words(by_id(root, "sign-pair_plus"))
    for hand, pays in OWN_PAIR_PLUS.items():
        assert said[said.index(HAND_NAMES[hand]) + 1] == pays


@cites(PRIME, "679a.2(b)(5)")
@cites(SAIGON, "680a.2(b)(6)")
@pytest.mark.parametrize("chapter_id", [PRIME, SAIGON])
def test_the_payout_limit_has_a_sign(chapter_id) -> None:
    assert "$75,000" in words(
        parsed(sign(choose(chapter_id, {"payout_limit": "75000.00"}), "payout_limit"))
    )
    with pytest.raises(Refused) as refused:
        sign(choose(chapter_id), "payout_limit")
    assert refused.value.code == "no_payout_limit"


def test_limits_have_a_sign() -> None:
    limits = {"ante": {"min": "5.00", "max": "500.00"}, "pair_plus": {"min": "1.00"}}
    said = words(parsed(sign(choose(MD, limits=limits), "limits")))
    assert said[said.index("Ante") :][:3] == ["Ante", "$5", "$500"]
    assert said[said.index("Pair Plus") :][:2] == ["Pair Plus", "$1"]
    with pytest.raises(Refused):
        sign(choose(MD), "limits")


@cites(DOWN_UNDER, "685a.2(b)(4)(iv)")
def test_no_surrender_has_a_sign_where_the_game_says_so() -> None:
    said = " ".join(words(parsed(sign(choose(DOWN_UNDER), "no_surrender"))))
    assert "Surrender is not available" in said
    assert "no_surrender" not in signs(choose(MD))


@pytest.mark.parametrize("chapter_id", CHAPTERS)
@pytest.mark.parametrize("theme", THEMES)
def test_every_sign_is_a_page_of_its_own(chapter_id, theme) -> None:
    made = signs(fullest(chapter_id), theme=theme, house="Rivers & Sons")
    assert {"payouts", "limits", "out_of_order"} <= set(made) <= set(SIGNS)
    for name, svg in made.items():
        root = parsed(svg)
        assert root.attrib["width"] == "210mm"
        assert root.attrib["height"] == "297mm"
        assert "RIVERS & SONS" in words(root)
        assert f"sign-{name}" in ids(root)


def test_a_sign_that_is_not_there_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        sign(choose(MD), "exit")
    assert refused.value.code == "no_such_sign"


# ---- PDF and PNG ----------------------------------------------------------------------------


def test_a_table_as_pdf_is_a_fifth_of_its_size() -> None:
    pypdf = pytest.importorskip("pypdf")
    pytest.importorskip("typst")
    page = pypdf.PdfReader(BytesIO(export(draw(choose(MD)), "pdf"))).pages[0]
    assert float(page.mediabox.width) / 72 * 25.4 == pytest.approx(1882 / 5, abs=0.5)
    assert "Straight flush" in page.extract_text()


def test_a_sign_as_pdf_is_a4() -> None:
    pypdf = pytest.importorskip("pypdf")
    pytest.importorskip("typst")
    page = pypdf.PdfReader(BytesIO(export(sign(choose(MD), "payouts"), "pdf"))).pages[0]
    assert float(page.mediabox.width) / 72 * 25.4 == pytest.approx(210, abs=0.5)
    assert float(page.mediabox.height) / 72 * 25.4 == pytest.approx(297, abs=0.5)


def test_a_format_that_is_not_there_is_refused() -> None:
    for format in ("jpg", ""):
        with pytest.raises(Refused) as refused:
            export("<svg/>", format)
        assert refused.value.code == "no_such_format"


# ---- the command ----------------------------------------------------------------------------


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["draw", *arguments])
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def test_draw_writes_the_layout(capsys, tmp_path) -> None:
    out = tmp_path / "felt.svg"
    status, said, err = run(capsys, MD, "--out", str(out), "--theme", "paper", "--key")
    assert (status, err) == (0, "")
    assert "felt.svg" in said
    root = parsed(out.read_text(encoding="utf-8"))
    assert root.attrib["class"] == "felt paper"
    assert "legend" in ids(root)


def test_draw_says_what_it_wrote_as_json(capsys, tmp_path) -> None:
    out = tmp_path / "felt.svg"
    status, said, _ = run(capsys, SAIGON, "--out", str(out), "--json")
    found = json.loads(said)
    assert status == 0
    assert found["format"] == "svg"
    assert found["bytes"] == out.stat().st_size
    _, said, _ = run(capsys, SAIGON, "--out", "-", "--json")
    assert json.loads(said)["svg"] + "\n" == run(capsys, SAIGON, "--out", "-")[1]


@pytest.mark.parametrize("chapter_id", CHAPTERS)
def test_draw_shows_a_round(capsys, tmp_path, chapter_id) -> None:
    out = tmp_path / "round.svg"
    round = str(EXAMPLES / f"{chapter_id}.json")
    status, _, err = run(capsys, chapter_id, "--round", round, "--out", str(out))
    assert (status, err) == (0, "")
    faces = re.findall(
        r'class="card" role="img"><title>([a-z ]+) of', out.read_text(encoding="utf-8")
    )
    assert len(faces) > 5
    status, svg, _ = run(capsys, chapter_id, "--round", round, "--out", "-", "--dealt", "--phone")
    assert status == 0
    assert "face down" in svg


def test_draw_takes_a_rules_file(capsys, tmp_path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text(
        'chapter = "md-three-card-poker"\n[rules]\npair_plus = "B"\n', encoding="utf-8"
    )
    status, svg, _ = run(capsys, MD, "--rules", str(rules), "--out", "-")
    assert status == 0
    assert "40 to 1" in svg
    status, svg, _ = run(capsys, MD, "--rules", str(rules), "--sign", "payouts", "--out", "-")
    assert status == 0
    assert "40 to 1" in svg


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["no-such-chapter", "--out", "-"], "no-such-chapter"),
        ([MD, "--out", "felt.gif"], "svg, pdf, png"),
        ([MD, "--out", "-", "--theme", "pink"], "pink"),
        ([MD, "--out", "-", "--seats", "9"], "1 to 7"),
        ([MD, "--out", "-", "--rules", "missing.toml"], "missing.toml"),
        ([MD, "--out", "-", "--round", "missing.json"], "missing.json"),
        ([PRIME, "--out", "-", "--round", str(EXAMPLES / f"{MD}.json")], MD),
        ([MD, "--out", "-", "--round", str(EXAMPLES / f"{MD}.json"), "--seen-by", "2"], "nobody"),
        ([MD, "--out", "-", "--sign", "exit"], "exit"),
        ([MD, "--out", "no/such/folder/felt.svg"], "no/such/folder"),
        ([MD], "--out"),
    ],
)  # fmt: skip
def test_draw_refuses_with_one_line(capsys, arguments, says) -> None:
    status, out, err = run(capsys, *arguments)
    assert status == 2
    assert out == ""
    assert says in err
    assert err.count("\n") == 1


@cites(MD, "12.E(5)", "7.F(4)")
def test_the_limits_sign_has_the_amounts_of_a_progressive_that_the_chapter_names() -> None:
    """12.E(5) knows $1 and $5 alone."""
    limits = {"ante": {"min": "10.00", "max": "300.00"}}
    said = words(parsed(sign(choose(MD, {"progressive": "A"}, limits=limits), "limits")))
    at = said.index("Three-Card Progressive")
    assert said[at : at + 3] == ["Three-Card Progressive", "$1", "$5"]
    assert "Five-Card Progressive" not in said


@cites(PRIME, "679a.2(b)(5)", "679a.12(h)")
@pytest.mark.parametrize(("table", "spared"), [("E", True), ("A", False)])
def test_the_felt_says_what_the_payout_limit_does_not_cover(table: str, spared: bool) -> None:
    """With Paytable E the limit may not include a six-card royal."""
    rules = choose(PRIME, {"payout_limit": "75000.00", "all_six": table})
    (posted,) = [one.words for one in phrases(rules) if one.id == "payout_limit"]
    assert "$75,000" in posted
    assert ("except a six-card royal" in posted) is spared


@cites(MD, "12.E(1)(c)", "12.G(3)")
def test_the_display_tells_the_tiers_of_two_progressives_apart() -> None:
    rules = choose(MD, {"progressive": "C", "five_card_progressive": "C"})
    names = [name for name, _ in meters_shown(rules, TableView())]
    assert len(set(names)) == len(names) == 5
