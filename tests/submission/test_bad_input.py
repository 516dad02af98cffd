"""Files that nobody should have written: a finding or one clear line, never a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from commands import run_apart
from drafts import DAY, FULL, changed, draft, errors, furnished, only
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.errors import Refused
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, chapter, parse_rules
from houseway.submission.checks.corrections import with_corrections
from houseway.submission.checks.run_checks import check, check_text
from houseway.submission.file import parse
from houseway.submission.finding import PARTS
from houseway.submission.template import starting_file
from houseway.untrusted import read_text


@pytest.mark.parametrize(
    ("tables", "field", "says"),
    [
        (changed(MD, rules={"pair_pluss": "A"}), "rules.pair_pluss", "pair_plus"),
        (changed(MD, submision={"x": 1}), "submision", "submission"),
        (changed(MD, submission={"facilty": "x"}), "submission.facilty", "facility"),
        (changed(MD, table={"sets": 7}), "table.sets", "seats"),
        (changed(MD, layout={"signs": []}), "layout.signs", "sign"),
        (changed(MD, limits={"ant": {"min": "5.00"}}), "limits.ant", "ante"),
        (changed(MD, approvals={"shoe_locaton": "x"}), "approvals.shoe_locaton", "shoe_location"),
        (changed(PRIME, edition="2014-01-01"), "edition", "2015-12-12"),
        (changed(MD, table={"seats": "seven"}), "table.seats", "a whole number"),
        (changed(MD, table={"equipment": "rack"}), "table.equipment", "a list"),
        (changed(MD, table={"tip_box": "left"}), "table.tip_box", "across or elsewhere"),
        (changed(MD, submission={"operator": 7}), "submission.operator", "text"),
        (changed(MD, submission={"operator": "x" * 270}), "submission.operator", "60 characters"),
        (changed(MD, submission={"facility": "汉"}), "submission.facility", "letters"),
        (changed(MD, devices={"shufler": {"make": "x"}}), "devices.shufler", "leave it out"),
        (changed(MD, submission={"date": "2026-02-30"}), "submission.date", "2026-03-01"),
        (changed(MD, submission={"date": "soon"}), "submission.date", "2026-03-01"),
        (changed(MD, submission={"in_force": "2026-02-28"}), "submission.in_force", "2026-03-01"),
        (changed(MD, submission={"facility": None}), "submission.facility", "[submission]"),
        (changed(MD, limits={"ante": {"min": "5.005"}}), "limits.ante", "12.50"),
        (changed(MD, limits={"ante": {"min": 5.0}}), "limits.ante.min", "12.50"),
        (changed(MD, limits={"ante": {"min": "9.00", "max": "5.00"}}), "limits.ante", "smaller"),
        (changed(MD, limits={"ante": []}), "limits.ante", "min and max"),
        (changed(MD, rules={"chip_unit": "0.505"}), "rules.chip_unit", "12.50"),
        (changed(MD, rules={"pair_plus": ["A"]}), "rules.pair_plus", "quotes"),
        (changed(MD, meters={"progressive": {"rate": "14%"}}), "meters.progressive", "no meter"),
        (changed(MD, paytables={"pair_plus": {"pair": "2 to 1"}}), "paytables.pair_plus", "A, B"),
        (changed(MA, paytables={"pair_plus": 3}), "paytables.pair_plus", "35 to 1"),
        (changed(MD, table=7), "table", "[table]"),
        (changed(MD, rules=[]), "rules", "[rules]"),
        (changed(MD, approvals="yes"), "approvals", "[approvals]"),
    ],
)
def test_a_mistake_is_a_finding_at_its_place(tables: dict[str, Any], field: str, says: str) -> None:
    found = [finding for finding in errors(tables) if finding.field == field]
    assert found, errors(tables)
    assert says in found[0].right


def test_every_mistake_is_found_at_once_and_in_the_order_of_the_file() -> None:
    tables = changed(
        MD,
        approvals={"layout": None},
        table={"seats": 9},
        submission={"facility": None, "date": "x"},
        rules={"pair_plus": "F", "dealing": "hand", "adjacent_boxes": 12},
        limits={"ante": {"min": "x"}, "pair_plus": {"max": "1.005"}},
        layout={"felt": ["name"]},
    )
    found = check(tables).errors
    assert [finding.field for finding in found] == [
        "submission.facility", "submission.date", "rules.pair_plus", "rules.dealing",
        "rules.adjacent_boxes", "limits.ante", "limits.pair_plus", "table.seats", "layout.felt",
        "layout.felt", "approvals.layout",
    ]  # fmt: skip


def test_a_mistake_brings_no_others_with_it() -> None:
    """A misspelt option counts as the one that was meant, a low payout limit as a limit."""
    limits = {"pair_bonus": {"min": "5.00", "max": "100.00"}}
    checked = check(changed(PRIME, rules={"pair_bonos": "B", "pair_bonus": None}, limits=limits))
    assert [finding.field for finding in checked.findings] == ["rules.pair_bonos"]
    limits = {"all_six": {"min": "5.00", "max": "100.00"}}
    good = furnished(PRIME, {"all_six": "E", "payout_limit": "60000.00"}, limits=limits)
    for low in ("25000.00", "lots"):
        tables = {**good, "rules": {**good["rules"], "payout_limit": low}}
        assert [finding.field for finding in check(tables).findings] == ["rules.payout_limit"]


def test_warnings_come_after_errors() -> None:
    found = check(changed(MD, limits={"play": {"min": "5.00"}}, table={"seats": 9})).findings
    assert [finding.severity for finding in found] == ["error", "warning"]


def test_without_a_chapter_there_is_one_finding() -> None:
    for tables in ({}, {"chapter": "md"}, {"chapter": 7}, {"chapter": ["x"]}):
        assert only(tables).field == "chapter"
        assert all(id in only(tables).right for id in CHAPTERS)


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        ('chapter = "md"\n[rules\n', "x.toml", "line 2, column"),
        ("date = 2026-02-30", "x.toml", "line 1, column"),
        ('a = """', "x.toml", "line 1, column 8"),
        ('a = "b\x07"', "x.toml", "column 7: a control character .* leave it out"),
        ("# a\rb = 2", "x.toml", "line feed; save it"),
        ('{"chapter": }', "x.json", "line 1 column"),
        ("[1]", "x.json", "table of parts"),
        ("[" * 100_000, "x.json", "nested"),
    ],
)
def test_a_text_that_is_neither_says_where(text: str, name: str, says: str) -> None:
    with pytest.raises(Refused, match=says):
        check_text(text, name)


@pytest.mark.parametrize("id", CHAPTERS)
def test_json_says_the_same_as_toml(id: str) -> None:
    submission = check(draft(id)).submission
    assert submission is not None
    again = check_text(json.dumps(submission.as_file()), "x.json")
    assert again.passes
    assert again.submission is not None
    assert again.submission.as_file() == submission.as_file()
    assert again.submission.rules.hash == submission.rules.hash


@pytest.mark.parametrize("id", CHAPTERS)
def test_a_submission_is_a_rules_file_too(id: str) -> None:
    text = starting_file(chapter(id), DAY)
    submission = check_text(text).submission
    assert submission is not None
    assert parse_rules(text).hash == submission.rules.hash


def test_comments_do_not_change_the_rules_and_every_field_changes_the_document() -> None:
    text = starting_file(chapter(MD), DAY)
    bare = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    first = check_text(text).submission
    assert first is not None
    assert check_text(bare).submission.rules.hash == first.rules.hash  # type: ignore[union-attr]
    for part, fields in (
        ("submission", {"facility": "Another"}), ("rules", {"pair_plus": "B"}),
        ("table", {"seats": 6}), ("approvals", {"layout": {"reference": "1", "date": DAY}}),
        ("limits", {"ante": {"min": "10.00"}}), ("layout", {"felt": ["name"]}),
    ):  # fmt: skip
        other = check(changed(MD, **{part: fields})).submission
        assert other is not None
        assert other.hash != first.hash, part


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(data=st.data(), id=st.sampled_from(CHAPTERS))
def test_whatever_stands_in_a_field_is_a_finding_or_nothing(data: st.DataObject, id: str) -> None:
    tables = draft(id)
    part = data.draw(st.sampled_from([*PARTS, "other"]))
    value = data.draw(VALUES)
    inside = tables.get(part)
    if isinstance(inside, dict) and data.draw(st.booleans()):
        key = data.draw(st.sampled_from([*inside, "other"]))
        inside[key] = value
    else:
        tables[part] = value
    checked = check(tables)
    for finding in with_corrections(tables, checked.findings, {}):
        assert finding.field
        assert finding.wrong
        assert finding.right
        if finding.clause and checked.submission:
            assert finding.clause in checked.submission.chapter.clauses
    msgspec.json.encode(checked.findings)


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_is_no_table_is_a_finding_with_the_rest_looked_at(id: str, part: str) -> None:
    hands = ("mini_royal", "straight_flush", "three_of_a_kind", "straight", "flush", "pair")
    own = {"pair_plus": dict.fromkeys(hands, "50 to 1")}
    for value in (3, "x", [], [1]):
        tables = {**furnished(id, FULL[id]), "paytables": own, part: value}
        found = with_corrections(tables, check(tables).findings, {})
        assert any(one.field == part for one in found), (value, found)


@pytest.mark.slow
def test_the_commands_and_their_exit_statuses(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    assert run_apart("new", DOWN_UNDER, "--out", str(path)).returncode == 0
    assert run_apart("new", DOWN_UNDER, "--out", str(path)).returncode == 2
    done = run_apart("check", str(path), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["passes"] is True
    assert run_apart("check", str(path)).stdout.count("passes") == 1
    path.write_text(path.read_text().replace("seats = 6", "seats = 7"))
    done = run_apart("check", str(path), "--json")
    assert done.returncode == 1
    (finding,) = [f for f in json.loads(done.stdout)["findings"] if f["severity"] == "error"]
    assert finding["clause"] == "685a.2(a)"
    assert finding["write"] == "seats = 6"
    assert "685a.2(a)" in run_apart("check", str(path)).stdout
    for wrong in (("check", "nowhere.toml"), ("check", str(tmp_path)), ("new", "nothing"),
                  ("new", MD, "--date", "soon"), ("options", "nothing"),
                  ("diff", str(path), str(path))):  # fmt: skip
        done = run_apart(*wrong)
        assert (done.returncode, done.stdout) == (2, ""), wrong
        assert len(done.stderr.strip().splitlines()) == 1
        assert "Traceback" not in done.stderr
    assert run_apart("check", "-", stdin="a = ").returncode == 2
    path.write_bytes(b"\xff\xfe\x00")
    assert run_apart("check", str(path)).returncode == 2


def test_new_as_json_passes_from_standard_input() -> None:
    done = run_apart("new", MD, "--json")
    assert run_apart("check", "-", stdin=done.stdout).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_options_lists_every_option_and_choice(id: str) -> None:
    listed = json.loads(run_apart("options", id, "--json").stdout)
    law = chapter(id)
    assert [one["option"] for one in listed["options"]] == list(law.options)
    for one in listed["options"]:
        assert one["clause"] in law.clauses
        assert [c["value"] for c in one["choices"]] == [
            c.value for c in law.options[one["option"]].choices
        ]
    shown = run_apart("options", id).stdout
    assert all(option in shown for option in law.options)
    assert max(map(len, shown.splitlines())) <= 110


def test_parse_reads_toml_unless_the_name_says_json() -> None:
    assert parse("a = 1", "x") == {"a": 1} == parse('{"a": 1}', "x.json")


def test_what_is_not_in_the_file_yet_is_found_where_it_is_asked_for() -> None:
    """A meter at its wager, what the limit leaves out at the limit, a device at its option."""
    text = starting_file(chapter(MD), DAY)
    text = text.replace('progressive = "none"', 'progressive = "C"', 1)
    text = text.replace('shuffler = "none"', 'shuffler = "plain"')
    found = check_text(text, "md.toml")
    lines = text.split("\n")
    for finding in found.findings:
        assert finding.line is not None, finding
    at = {finding.field: lines[(finding.line or 0) - 1] for finding in found.findings}
    assert at["meters.progressive.major"] == 'progressive = "C"'
    assert at["devices.shuffler.make"] == 'shuffler = "plain"'
    prime = starting_file(chapter(PRIME), DAY).replace('all_six = "none"', 'all_six = "E"')
    prime = prime.replace('payout_limit = "none"', 'payout_limit = "500000.00"')
    spares = [f for f in check_text(prime, "p.toml").errors if f.field.startswith("answers")]
    assert spares
    for finding in spares:
        assert prime.split("\n")[(finding.line or 0) - 1].startswith("payout_limit = ")


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_a_file_in_another_encoding_is_to_be_saved_as_utf_8(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "s.toml"
    path.write_bytes('chapter = "x"\n# Café\n'.encode(encoding))
    line = 2 if encoding == "latin-1" else 1
    with pytest.raises(Refused, match=f"not UTF-8 text from line {line} on.*save it as UTF-8"):
        read_text(path)
