"""Every finding says where it is and what to write there: each correction is pasted, and passes."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from commands import run_apart
from drafts import DAY, finished

from houseway.errors import Refused
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter, cites
from houseway.submission.checks.run_checks import Checked, check_text
from houseway.submission.checks.unfinished import EMPTY, NAMES, devices_of
from houseway.submission.file import parse
from houseway.submission.finding import Finding
from houseway.submission.locate import lines_of
from houseway.submission.template import starting_file


def full(id: str) -> str:
    """A starting file in which every name and number is filled in."""
    text = starting_file(chapter(id), DAY)
    tables = finished(parse(text))
    for field in NAMES:
        text = text.replace(f'{field} = ""', f'{field} = "{tables["submission"][field]}"', 1)
    for field, value in (("make", "Northway"), ("model", "S-2"), ("approval", "GLI-1")):
        text = text.replace(f'{field} = ""', f'{field} = "{value}"')
    return text


def pasted(text: str, finding: Finding) -> str:
    """The text with the correction in the place of the field, or under its heading."""
    assert finding.write is not None
    lines, places = text.split("\n"), lines_of(text, "s.toml")
    heading = finding.under.replace('"', "")
    names = [line.partition(" = ")[0].strip('"') for line in finding.write.split("\n")]
    fields = [f"{heading}.{name}".removeprefix(".") for name in names]
    first = places.get(finding.field, (0, 0))[0]
    if first and lines[first - 1].startswith("[["):  # the brackets are all that is wrong
        lines[first - 1] = f"[{finding.under}]"
        return "\n".join(lines)
    if finding.write == "" and first and lines[first - 1].startswith("["):
        after = next((n for n in range(first, len(lines)) if lines[n].startswith("[")), len(lines))
        return "\n".join(lines[: first - 1] + lines[after:])
    if len(names) > 1:  # a whole part: what stands there goes, headings of its own parts too
        fields = [f for f in places if f == heading or f.startswith(f"{heading}.")]
        gone = {n for f in fields for n in range(places[f][0], places[f][1] + 1)}
        if finding.field in places and finding.field not in fields:  # it had another name
            old = finding.field
            gone |= {n for f in places if f == old or f.startswith(f"{old}.")
                     for n in range(places[f][0], places[f][1] + 1)}  # fmt: skip
        kept = [line for n, line in enumerate(lines, 1) if n not in gone]
        return "\n".join([*kept, f"[{finding.under}]", finding.write, ""])
    at = next((places[f] for f in (*fields, finding.field) if f in places), None)
    if at is not None and not lines[at[0] - 1].lstrip().startswith("["):
        return "\n".join([*lines[: at[0] - 1], finding.write, *lines[at[1] :]])
    if heading in places:
        lines.insert(places[heading][0], finding.write)
        return "\n".join(lines)
    if not finding.under:
        return f"{finding.write}\n{text}"
    return f"{text}\n[{finding.under}]\n{finding.write}\n"


def put(text: str, field: str, line: str) -> str:
    """The text with one line changed: the field's own, or a new one under its heading."""
    places, lines = lines_of(text, "s.toml"), text.split("\n")
    if field in places:
        first, last = places[field]
        return "\n".join([*lines[: first - 1], *([line] if line else []), *lines[last:]])
    part = field.rpartition(".")[0]
    if part in places:
        return "\n".join([*lines[: places[part][0]], line, *lines[places[part][0] :]])
    return f"{text}\n[{part}]\n{line}\n"


#: chapter, field, the line to write there, the field of the finding
BROKEN: list[tuple[str, str, str, str]] = [
    (MD, "chapter", 'chapter = "md-tree-card-poker"', "chapter"),
    (MD, "edition", 'edition = "1.3"', "edition"),
    (MD, "submission.operator", "operator = 7", "submission.operator"),
    (MD, "submission.operator", f'operator = "{"x" * 270}"', "submission.operator"),
    (MD, "submission.operator", 'operator = "Palace 汉"', "submission.operator"),
    (MD, "submission.facility", "", "submission.facility"),
    (MD, "submission.facilty", 'facilty = "x"', "submission.facilty"),
    (MD, "submission.date", 'date = "soon"', "submission.date"),
    (MD, "submission.in_force", "in_force = 2020-01-01", "submission.in_force"),
    (MD, "rules.pair_pluss", 'pair_pluss = "B"', "rules.pair_pluss"),
    (MD, "rules.pair_plus", 'pair_plus = "G"', "rules.pair_plus"),
    (MD, "rules.pair_plus", "", "rules.pair_plus"),
    (MD, "rules.dealing", 'dealing = "hand"', "rules.dealing"),
    (MD, "rules.decks_in_play", "decks_in_play = 2", "rules.decks_in_play"),
    (MD, "rules.electronic", 'electronic = "maybe"', "rules.electronic"),
    (MD, "rules.chip_unit", 'chip_unit = "0.505"', "rules.chip_unit"),
    (MD, "limits.ante", 'ante = { min = "500.00", max = "5.00" }', "limits.ante"),
    (MD, "limits.ante", "ante = { min = 5.0 }", "limits.ante.min"),
    (MD, "limits.ant", 'ant = { min = "5.00" }', "limits.ant"),
    (MD, "limits.ante", 'ante = { min = "5.10", max = "5.20" }', "limits.ante"),
    (MD, "table.seats", "seats = 12", "table.seats"),
    (MD, "table.seats", 'seats = "seven"', "table.seats"),
    (MD, "table.equipment", "equipment = []", "table.equipment"),
    (MD, "table.equipment", 'equipment = ["drop_box", "tip_box", "discard_rack", "kettle"]',
     "table.equipment"),
    (MD, "table.tip_box", 'tip_box = "left"', "table.tip_box"),
    (MD, "layout.felt", "felt = []", "layout.felt"),
    (MD, "layout.sign", 'sign = ["nme"]', "layout.sign"),
    (MD, "approvals.layout", "", "approvals.layout"),
    (MD, "approvals.layout", 'layout = "yes"', "approvals.layout"),
    (MD, "devices.shufler.make", 'make = "x"', "devices.shufler"),
    (MD, "meters.progressive.rate", 'rate = "14%"', "meters.progressive"),
    (MD, "rules.five_card_envy", 'five_card_envy = { royal = { "1.00" = "1000.00" } }',
     "rules.five_card_envy.royal"),
    (MD, "rules.five_card_envy", 'five_card_envy = { royal_flush = { "1.00" = 1000 } }',
     "rules.five_card_envy.royal_flush.1.00"),
    (MD, "rules.five_card_envy", 'five_card_envy = { royal_flush = "1000.00" }',
     "rules.five_card_envy.royal_flush"),
    (MA, "limits.ante", "", "limits.ante"),
    (MA, "rules.pair_plus", 'pair_plus = "own"', "rules.pair_plus"),
    (MA, "rules.settlement", "", "rules.settlement"),
    (MA, "rules.cover_all", "cover_all = true", "rules.cover_all"),
    (PRIME, "rules.payout_limit", 'payout_limit = "25000.00"', "rules.payout_limit"),
    (PRIME, "rules.payout_limit", "payout_limit = 60000", "rules.payout_limit"),
    (SAIGON, "rules.bonus", 'bonus = "B"', "rules.bonus"),
    (SAIGON, "layout.felt", 'felt = ["name", "payouts", "payout_limit"]', "layout.felt"),
    (DOWN_UNDER, "rules.shuffler", 'shuffler = "plain"', "rules.decks_in_play"),
    (DOWN_UNDER, "rules.decks", "decks = 7", "rules.decks"),
    (DOWN_UNDER, "rules.decks_in_play", "decks_in_play = 2", "rules.decks_in_play"),
    (DOWN_UNDER, "approvals.shoe_locaton", 'shoe_locaton = "x"', "approvals.shoe_locaton"),
    (MD, "submission.operator", 'operator = "Harbor\\nCasino"', "submission.operator"),
    (MD, "submission.operator", "operator = 2026-01-01", "submission.operator"),
    (MD, "submission.date", "date = 0001-01-01", "submission.date"),
    (MD, "layout.color", 'color = "绿"', "layout.color"),
    (MD, "layout.color", 'color = ""', "layout.color"),
    (MD, "layout.color", f'color = "{"g" * 300}"', "layout.color"),
    (MD, "devices.dealing_shoe.make", 'make = "Nörd 🎲"', "devices.dealing_shoe.make"),
    (MD, "approvals.layout", 'layout = { reference = "認可", date = 2026-01-01 }', "approvals.layout"),
    (MD, "limits.ante", "ante = []", "limits.ante"),
    (MD, "limits.ante", 'ante = { min = "-5.00" }', "limits.ante"),
    (MD, "rules.pair_plus", "pair_plus = true", "rules.pair_plus"),
    (MD, "rules.chip_unit", "chip_unit = 0.5", "rules.chip_unit"),
]  # fmt: skip
METER = '[meters.progressive]\nrate = {}\nseed = "{}"\nreset = "{}"\n'


@pytest.mark.parametrize("broken", BROKEN, ids=lambda one: f"{one[3]}-{one[2][:24]}")
def test_each_correction_passes_when_it_is_pasted(broken: tuple[str, str, str, str]) -> None:
    id, field, line, at = broken
    text = put(full(id), field, line)
    checked = check_text(text)
    found = [finding for finding in checked.errors if finding.field == at]
    assert found, checked.errors
    finding = found[0]
    assert finding.right
    if field in lines_of(text, "s.toml"):
        assert finding.line == lines_of(text, "s.toml")[field][0] or finding.line is not None
    again = _all_pasted(text)
    assert not [one for one in again.findings if one.code != EMPTY], (finding, again.findings)


def _all_pasted(text: str) -> Checked:
    """Every correction pasted, one after another, until nothing is wrong or unwise."""
    for _ in range(12):
        checked = check_text(text)
        left = [finding for finding in checked.findings if finding.code != EMPTY]
        if not left:
            return checked
        finding = left[0]
        assert finding.write is not None, finding
        text = pasted(text, finding)
    return checked


@pytest.mark.parametrize(
    ("rate", "seed", "reset"),
    [
        ('"5%"', "1000.00", "1000.00"),
        ("0.14", "1000.00", "1000.00"),
        ('"140%"', "1000.00", "1000.00"),
        ('"14"', "1000.00", "1000.00"),
        ('"14%"', "-5.00", "1000.00"),
        ('"14%"', "1000.00", "10.00"),
    ],
)
def test_the_terms_of_a_meter_are_corrected(rate: str, seed: str, reset: str) -> None:
    text = put(full(MD), "rules.progressive", 'progressive = "A"')
    text += "\n" + METER.format(rate, seed, reset)
    checked = check_text(text)
    assert any(finding.field.startswith("meters.progressive") for finding in checked.errors)
    assert _all_pasted(text).passes


TIERS = "".join(
    f'[meters.five_card_progressive.{tier}]\nrate = "{{0}}%"\nseed = "1000.00"\nreset = "1000.00"\n'
    for tier in ("mega", "major", "minor")
)
VERSION = 'version = "{}"\nante_bonus = "mini_royal"'
OWN = "".join(
    f'{hand} = "{odds} to 1"\n'
    for hand, odds in (("mini_royal", 500), ("straight_flush", 400), ("three_of_a_kind", 300),
                       ("straight", 60), ("flush", 40), ("pair", 10))
)  # fmt: skip
#: chapter, lines by field, what is added at the end, the code of the warning, where it is
UNWISE: list[tuple[str, dict[str, str], str, str, str]] = [
    (MD, {"limits.play": 'play = { min = "5.00" }'}, "", "limit_follows", "limits.play"),
    (SAIGON, {"rules.bonus": 'bonus = "A"'}, "", "wager_without_limits", "limits.bonus"),
    (MD, {"limits.ante": 'ante = { min = "5.00" }'}, "", "wager_without_limits", "limits.ante"),
    (MD, {"limits.ante": 'ante = { min = "5.25", max = "500.00" }'}, "", "limit_out_of_reach",
     "limits.ante"),
    (MD, {"rules.version": VERSION.format("both_compulsory"), "rules.ante_bonus": "",
          "limits.ante": 'ante = { min = "100.00", max = "500.00" }',
          "limits.pair_plus": 'pair_plus = { min = "1.00", max = "5.00" }'}, "", "limits_exclude",
     "limits.pair_plus"),
    (MD, {"rules.version": VERSION.format("both_compulsory"), "rules.ante_bonus": "",
          "limits.ante": 'ante = { min = "1.00", max = "5.00" }',
          "limits.pair_plus": 'pair_plus = { min = "100.00", max = "500.00" }'}, "",
     "limits_exclude", "limits.ante"),
    (MD, {"rules.version": VERSION.format("ante_covers_pair_plus"), "rules.ante_bonus": "",
          "limits.ante": 'ante = { min = "5.00", max = "50.00" }',
          "limits.pair_plus": 'pair_plus = { min = "100.00", max = "500.00" }'}, "",
     "limits_exclude", "limits.pair_plus"),
    (MD, {"rules.adjacent_boxes": "adjacent_boxes = 3", "table.seats": "seats = 2"}, "",
     "more_boxes_than_seats", "rules.adjacent_boxes"),
    (MD, {"rules.chip_unit": 'chip_unit = "7.00"'}, "", "limit_out_of_reach", "limits.ante"),
    (MA, {"rules.progressive": 'progressive = "1"'}, METER.format('"0%"', "1000.00", "1000.00"),
     "meter_stands_still", "meters.progressive"),
    (MD, {"rules.progressive": 'progressive = "A"'}, METER.format('"100%"', "1000.00", "1000.00"),
     "meter_takes_all", "meters.progressive"),
    (MD, {"rules.progressive": 'progressive = "A"'}, METER.format('"60%"', "1000.00", "1000.00"),
     "returns_more_than_it_takes", "rules.progressive"),
    (MD, {"rules.five_card_progressive": 'five_card_progressive = "C"'}, TIERS.format(15),
     "returns_more_than_it_takes", "rules.five_card_progressive"),
    (MD, {"rules.five_card_progressive": 'five_card_progressive = "C"'}, TIERS.format(50),
     "not_a_rate", "meters.five_card_progressive"),
    (MA, {}, f"[paytables.pair_plus]\n{OWN}", "own_table_counts", "rules.pair_plus"),
    (MA, {"rules.pair_plus": 'pair_plus = "own"'}, f"[paytables.pair_plus]\n{OWN}",
     "returns_more_than_it_takes", "paytables.pair_plus"),
    (MA, {"rules.progressive": 'progressive = "3"'}, METER.format('"10%"', "1000.00", "1000.00"),
     "returns_more_than_it_takes", "rules.progressive"),
    (PRIME, {"rules.payout_limit": 'payout_limit = "90000000.00"'}, "", "limit_out_of_reach",
     "rules.payout_limit"),
    (DOWN_UNDER, {"rules.decks": "decks = 4"}, "", "returns_more_than_it_takes", "rules.decks"),
]  # fmt: skip


@pytest.mark.parametrize("unwise", UNWISE, ids=lambda one: f"{one[3]}-{one[4]}")
def test_each_warning_has_a_correction_that_passes_when_it_is_pasted(
    unwise: tuple[str, dict[str, str], str, str, str],
) -> None:
    id, changed, added, code, field = unwise
    text = full(id)
    for place, line in changed.items():
        text = put(text, place, line)
    text += f"\n{added}"
    found = [one for one in check_text(text).findings if one.code == code]
    assert [one.field for one in found][:1] == [field], check_text(text).findings
    assert found[0].line is not None or field not in lines_of(text, "s.toml")
    assert found[0].write is not None, found[0]
    left = [one for one in _all_pasted(text).findings if one.code != EMPTY]
    assert not left


@pytest.mark.parametrize("heading", ["[[rules]]", "[Rules]", "[rule]"])
def test_one_wrong_heading_is_one_finding(heading: str) -> None:
    text = full(MD).replace("[rules]", heading)
    assert len(check_text(text).errors) == 1
    assert _all_pasted(text).passes


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("rate = 0.14", "percentage"),
        ('rate = "140%"', "140%"),
        ('rate = "-5%"', "negative"),
        ('seed = "-1000.00"', "-1000.00"),
    ],
)
def test_what_is_wrong_with_a_meter_names_the_value_and_says_what_to_write(
    line: str, says: str
) -> None:
    text = put(full(MD), "rules.progressive", 'progressive = "A"')
    text += METER.format('"14%"', "1000.00", "1000.00")
    text = put(text, f"meters.progressive.{line.partition(' ')[0]}", line)
    found = [one for one in check_text(text).errors if one.field.startswith("meters")]
    assert len(found) == 1
    assert says in f"{found[0].wrong}; {found[0].right}"


def test_every_finding_has_its_line() -> None:
    text = full(MD).replace("seats = 7", "seats = 70").replace('pair_plus = "A"', 'pair_plus = "Q"')
    found = {finding.field: finding.line for finding in check_text(text).errors}
    lines = text.split("\n")
    assert lines[(found["table.seats"] or 0) - 1] == "seats = 70"
    assert lines[(found["rules.pair_plus"] or 0) - 1] == 'pair_plus = "Q"'
    text = text.replace('chapter = "md-three-card-poker"\n', "")
    (chapter_missing,) = check_text(text).errors
    assert (chapter_missing.field, chapter_missing.line) == ("chapter", 1)
    as_json = '{\n "chapter": "md-three-card-poker",\n "table": {\n  "seats": 70\n }\n}'
    (seats,) = [f for f in check_text(as_json, "s.json").errors if f.code == "too_many_seats"]
    assert seats.line == 4


@pytest.mark.parametrize("id", CHAPTERS)
def test_a_starting_file_has_one_warning_for_each_empty_field(id: str) -> None:
    checked = check_text(starting_file(chapter(id), DAY))
    assert checked.passes
    assert checked.submission is not None
    wanted = {f"submission.{field}" for field in NAMES}
    wanted |= {
        f"devices.{device}.{field}"
        for device in devices_of(checked.submission.rules)
        for field in ("make", "model", "approval")
    }
    assert sorted(finding.field for finding in checked.empty) == sorted(wanted)
    assert [finding for finding in checked.warnings if finding.code != "empty"] == []
    assert check_text(full(id)).warnings == ()


def test_the_correction_of_a_long_name_ends_with_a_whole_word() -> None:
    name = "The Grand Harbor Casino, Hotel, Conference Center and Marina of Maryland"
    text = re.sub(r'operator = "[^"]*"', f'operator = "{name}"', full(MD))
    (found,) = check_text(text).errors
    assert (
        found.write == 'operator = "The Grand Harbor Casino, Hotel, Conference Center and Marina"'
    )


def test_sample_texts_of_earlier_versions_count_as_empty() -> None:
    text = full(MD)
    for field, sample in (("operator", "The operator's name, as it stands on the felt"),
                          ("submitted_by", "Name and office of whoever signs")):  # fmt: skip
        text = re.sub(rf'{field} = "[^"]*"', f'{field} = "{sample}"', text)
    assert {f.field for f in check_text(text).empty} == {
        "submission.operator", "submission.submitted_by",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('chapter = "md-three-card-poker', "closing quote"),
        ('chapter = "a"\nchapter = "b"', "line 2"),
        ('[rules]\npair_plus = "A"\npair_plus = "B"', "given twice"),
        ("[rules]\n[rules]\n", "given twice"),
        ("chapter = md", "quotes"),
        ("chapter = “md”", "typographic"),
        ("[rules]\nprime = True", "line 2, column 9: write true or false in lowercase"),
        ("[submission]\ndate = 2026-13-01", "no such day"),
        ("[]\n", "a name is missing"),
        ("x" * 1_100_000, "at most 1,000,000"),
    ],
)
def test_what_is_no_toml_is_one_sentence_with_its_line(text: str, says: str) -> None:
    with pytest.raises(Refused, match=says):
        check_text(text)


def test_a_byte_order_mark_does_no_harm() -> None:
    text = full(MD)
    marked = check_text("\ufeff" + text)
    assert marked.passes
    assert marked.submission is not None
    assert marked.submission.rules.hash == check_text(text).submission.rules.hash  # type: ignore[union-attr]


def test_a_list_of_parts_is_corrected() -> None:
    text = full(MD).replace("[rules]", "[[rules]]")
    finding: Any = next(f for f in check_text(text).errors if f.field == "rules")
    assert finding.line == text.split("\n").index("[[rules]]") + 1
    assert finding.write is not None


def test_the_command_shows_the_place_and_what_to_write(tmp_path: Any) -> None:
    path = tmp_path / "table.toml"
    path.write_text(full(SAIGON).replace("seats = 6", "seats = 8"))
    done = run_apart("check", str(path))
    line = path.read_text().split("\n").index("seats = 8") + 1
    assert f"table.toml:{line}" in done.stdout
    assert "seats = 6" in done.stdout
    assert "680a.2(a)" in done.stdout


@pytest.mark.parametrize("broken", BROKEN[::9], ids=lambda one: f"{one[0]}-{one[1]}")
def test_a_correction_for_a_json_file_is_json(broken: tuple[str, str, str, str]) -> None:
    """The members that a finding has one write are pasted into the object that it names."""
    id, field, line, _ = broken
    tables = json.loads(json.dumps(parse(put(full(id), field, line)), default=str))
    for _ in range(12):
        found = [
            one for one in check_text(json.dumps(tables), "s.json").errors if one.write is not None
        ]
        if not found:
            break
        finding = found[0]
        path = re.findall(r'"([^"]+)"|([\w-]+)', finding.under)
        here = tables
        for quoted, plain in path:
            if not isinstance(here.get(quoted or plain), dict):
                here[quoted or plain] = {}
            here = here[quoted or plain]
        here.update(json.loads(f"{{{finding.write}}}"))
        if not finding.write:
            here.pop(finding.field.rpartition(".")[2], None)
    assert not check_text(json.dumps(tables), "s.json").errors


@pytest.mark.parametrize(
    ("field", "line", "clause"),
    [
        ("limits.ante", 'ante = { min = "500.00", max = "5.00" }', "7.F(1)"),
        ("limits.ante", 'ante = "5.00"', "7.F(1)"),
        ("rules.adjacent_boxes", "adjacent_boxes = 1.5", "7.H"),
        ("table.seats", 'seats = "seven"', "2.A"),
    ],
)
def test_a_mistake_is_one_finding_with_the_clause_of_its_field(
    field: str, line: str, clause: str
) -> None:
    """Nothing else is said of a field that could not be read as it stands."""
    (found,) = check_text(put(full(MD), field, line)).findings
    assert (found.field, found.clause, found.severity) == (field, clause, "error")
    assert found.write is not None


@cites(SAIGON, "680a.12(d)")
def test_more_boxes_than_the_table_has_are_lowered_to_those_it_has() -> None:
    text = put(
        put(full(MD), "rules.adjacent_boxes", "adjacent_boxes = 7"), "table.seats", "seats = 5"
    )
    (found,) = check_text(text).warnings
    assert found.write == "adjacent_boxes = 5"


@cites(PRIME, "679a.12(h)")
def test_a_payout_limit_is_raised_to_what_the_minimums_can_win() -> None:
    """J-T-9 under the dealer's A-K-Q of the suit: $100 at 1,000 to 1, and $5 at 12 to 1."""
    text = put(full(PRIME), "rules.payout_limit", 'payout_limit = "50000.00"')
    text = put(text, "rules.all_six", 'all_six = "D"')
    text = put(text, "limits.all_six", 'all_six = { min = "100.00", max = "500.00" }')
    found = next(one for one in check_text(text).errors if one.field == "rules.payout_limit")
    assert found.write == f'payout_limit = "{100 * 1_000 + 5 * 12}.00"'
    assert "raise the limit to $100,060" in found.right


@cites(SAIGON, "680a.12(b)")
def test_the_smaller_chip_is_smaller() -> None:
    """A chip of 50 cents that cannot pay is not to be exchanged for one of 50 cents."""
    text = full(MA).replace('pair_plus = "minimum"', 'pair_plus = "own"')
    text += "\n[paytables.pair_plus]\n" + OWN.replace('"60 to 1"', '"61 to 3"')
    found = next(one for one in check_text(text).warnings if one.code == "chips_cannot_pay")
    assert "0.25" in found.right
    dollar = put(full(SAIGON), "rules.chip_unit", 'chip_unit = "1.00"')
    found = next(one for one in check_text(dollar).warnings if one.code == "chips_cannot_pay")
    assert found.wrong == "with chips of $1, 1 to 2 on the Ante can be paid only on multiples of $2"


@cites(MA, "13(d)")
def test_a_table_that_returns_too_much_before_its_meter_is_not_helped_by_a_lower_rate() -> None:
    text = put(full(MA), "rules.progressive", 'progressive = "3"')
    text += METER.format('"10%"', "1000.00", "1000.00")
    found = next(one for one in check_text(text).warnings if one.field == "rules.progressive")
    assert found.right == "choose another paytable"


def test_a_minimum_of_nothing_is_no_minimum() -> None:
    text = put(full(MD), "limits.ante", 'ante = { min = "0.00", max = "500.00" }')
    (found,) = check_text(text).warnings
    assert found.wrong.startswith("the min of $0 cannot be wagered")
    assert found.write == 'ante = { min = "0.50", max = "500.00" }'


def test_a_device_in_double_brackets_keeps_its_make_and_model() -> None:
    text = full(DOWN_UNDER).replace("[devices.reader]", "[[devices.reader]]")
    (found,) = check_text(text).errors
    assert found.under == "devices.reader"
    assert (found.write or "").split("\n")[:2] == ['make = "Northway"', 'model = "S-2"']


def test_a_field_in_another_part_is_told_where_it_belongs() -> None:
    text = full(PRIME).replace("[rules]\n", "")
    found = [one for one in check_text(text).errors if one.field.startswith("submission.")]
    assert {one.right for one in found} == {"it belongs under [rules]"}
    nested = check_text(full(PRIME).replace("[rules]", "[rules.options]")).errors
    assert [one.field for one in nested if one.field.startswith("rules.options")] == [
        "rules.options"
    ]
    below = f'{full(SAIGON)}\nrules.bonus = "A"\n'
    (found_below,) = check_text(below).errors
    assert found_below.line == below.count("\n")


def test_an_amount_without_end_is_too_large() -> None:
    text = put(full(MD), "limits.ante", 'ante = { max = "99999999999999.00" }')
    assert "too large" in check_text(text).errors[0].wrong
    true = put(full(PRIME), "rules.payout_limit", "payout_limit = true")
    assert check_text(true).errors[0].wrong == "true is not an amount"


def test_a_payout_limit_is_not_to_be_lowered_below_the_least_allowed() -> None:
    text = put(full(SAIGON), "rules.payout_limit", 'payout_limit = "50000.00"')
    (found,) = [one for one in check_text(text).warnings if one.code == "limit_out_of_reach"]
    assert "lower" not in found.right


@pytest.mark.parametrize(
    ("id", "field", "line", "meant"),
    [
        (MD, "limits.ante", 'ante = { min = "$5.00", max = "$5,000.00" }',
         'ante = { min = "5.00", max = "5000.00" }'),
        (MD, "rules.chip_unit", 'chip_unit = "$5"', 'chip_unit = "5.00"'),
        (MD, "rules.chip_unit", 'chip_unit = "2.5"', 'chip_unit = "2.50"'),
        (MA, "rules.match_play", 'match_play = "yes"', "match_play = true"),
        (DOWN_UNDER, "rules.mid_shoe_entry", 'mid_shoe_entry = "no"', "mid_shoe_entry = false"),
        (DOWN_UNDER, "rules.decks", 'decks = "8 decks"', "decks = 8"),
        (MD, "submission.reference", "reference = 2026", 'reference = "2026"'),
        (MD, "rules.adjacent_boxes", "adjacent_boxes = 8", "adjacent_boxes = 7"),
        (MA, "rules.adjacent_boxes", "adjacent_boxes = 4", "adjacent_boxes = 3"),
        (DOWN_UNDER, "rules.decks", "decks = 3", "decks = 4"),
        (MA, "rules.settlement", 'settlement = "By Player "', 'settlement = "by_player"'),
        (PRIME, "rules.all_six", 'all_six = "none "', 'all_six = "none"'),
        (MD, "limits.ante", 'ante = { min = "5,00", max = "1.000,00" }',
         'ante = { min = "5.00", max = "500.00" }'),
        (MD, "limits.ante", 'ante = { min = "5,00", max = "500,00" }',
         'ante = { min = "5.00", max = "500.00" }'),
        (MD, "submission.date", "date = 2026-03-01T10:00:00", "date = 2026-03-01"),
        (MD, "submission.date", 'date = "03/01/2026"', "date = 2026-03-01"),
        (MD, "submission.date", "date = 20260301", "date = 2026-03-01"),
        (SAIGON, "edition", "edition = 2015-12-12", 'edition = "2015-12-12"'),
    ],
)  # fmt: skip
def test_a_correction_keeps_what_was_meant(id: str, field: str, line: str, meant: str) -> None:
    """What is pasted unread must not turn $5,000 into $500, nor a yes into a no."""
    found = check_text(put(full(id), field, line), "s.toml").findings
    assert {one.write for one in found if one.field.startswith(field)} == {meant}
