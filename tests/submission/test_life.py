"""The life of a submission: from draft to superseded, on a record, with who and when."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from commands import run, run_apart
from drafts import changed, draft
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.errors import Refused
from houseway.floor.submissions import act, find, for_a_table, open_with, register_of, stream
from houseway.floor.submissions import draft as put
from houseway.law import MD, SAIGON, chapter, parse_rules
from houseway.store import Log, New, Write, open_log
from houseway.submission.checks.run_checks import check
from houseway.submission.lifecycle import ACTS
from houseway.submission.template import starting_file
from houseway.untrusted import read_text

FACILITY = "Harbor Point"


def text_of(id: str = MD, **parts: Any) -> str:
    who = {"facility": FACILITY, **parts.pop("submission", {})}
    submission = check(changed(id, submission=who, **parts)).submission
    assert submission is not None
    return json.dumps(submission.as_file())


def day(number: int) -> dt.date:
    return dt.date(2026, 3, 1) + dt.timedelta(days=number)


def moment(number: int) -> str:
    return f"{day(number)}T12:00:00.000Z"


def file(log: Log, text: str, at: int, upto: str = "approve", **more: Any) -> str:
    """Bring a submission as far as this; its hash."""
    hash = put(log, text, "s.json", who="ann", now=moment(at)).hash
    for what in ACTS:
        who = "ben" if what == "approve" else "ann"
        last = {"in_force": more.get("in_force")} if what == "approve" else {}
        act(log, hash, what, who=who, now=moment(at), **last)
        if what == upto:
            break
    return hash


def test_from_draft_to_superseded() -> None:
    log = open_log(":memory:")
    text = text_of(submission={"in_force": day(10)})
    hash = put(log, text, "s.json", who="ann", now=moment(0)).hash
    stages = []
    for what, who in (("check", "ann"), ("submit", "ann"), ("approve", "ben")):
        register, kept = find(log, hash)
        stages.append(register.stage_on(kept, day(0)))
        act(log, hash, what, who=who, now=moment(1))  # type: ignore[arg-type]
    register, kept = find(log, hash)
    assert stages == ["draft", "checked", "submitted"]
    assert [register.stage_on(kept, day(n)) for n in (1, 9, 10, 400)] == [
        "approved", "approved", "in_force", "in_force",
    ]  # fmt: skip
    assert [(m.stage, m.who, m.when) for m in kept.marks] == [
        ("draft", "ann", moment(0)), ("checked", "ann", moment(1)),
        ("submitted", "ann", moment(1)), ("approved", "ben", moment(1)),
    ]  # fmt: skip
    later = file(log, text_of(rules={"pair_plus": "B"}, submission={"in_force": day(20)}), 12)
    register, kept = find(log, hash)
    assert [register.stage_on(kept, day(n)) for n in (19, 20)] == ["in_force", "superseded"]
    assert for_a_table(log, MD, FACILITY, day(15)).hash == hash
    assert for_a_table(log, MD, FACILITY, day(25)).hash == later
    assert for_a_table(log, MD, FACILITY, day(15)).text == text


def test_a_table_opens_only_with_a_submission_in_force() -> None:
    log = open_log(":memory:")
    for upto in ("check", "submit"):
        file(log, text_of(rules={"pair_plus": "C" if upto == "check" else "D"}), 0, upto)
    with pytest.raises(Refused) as refused:
        for_a_table(log, MD, FACILITY, day(500))
    assert refused.value.code == "no_submission_in_force"
    file(log, text_of(submission={"in_force": day(10)}), 0)
    with pytest.raises(Refused):
        for_a_table(log, MD, FACILITY, day(9))
    assert for_a_table(log, MD, FACILITY, day(10))
    for other, facility in ((SAIGON, FACILITY), (MD, "Elsewhere")):
        with pytest.raises(Refused):
            for_a_table(log, other, facility, day(500))


def test_a_table_remembers_which_submission_it_was_opened_with() -> None:
    log = open_log(":memory:")
    with pytest.raises(Refused, match="no submission is in force"):
        open_with(log, "t1", MD, FACILITY, who="floor", now=moment(0))
    first = file(log, text_of(rules={"pair_plus": "B"}, submission={"in_force": day(5)}), 0)
    with pytest.raises(Refused, match="no submission is in force"):
        open_with(log, "t1", MD, FACILITY, who="floor", now=moment(4))
    rules, kept = open_with(log, "t1", MD, FACILITY, who="floor", now=moment(5))
    assert (rules["pair_plus"], kept.hash) == ("B", first)
    later = file(log, text_of(rules={"pair_plus": "C"}, submission={"in_force": day(9)}), 6)
    rules, kept = open_with(log, "t2", MD, FACILITY, who="floor", now=moment(9))
    assert (rules["pair_plus"], kept.hash) == ("C", later)
    register = register_of(log, MD, FACILITY)
    assert register.opened == (("t1", first, moment(5)), ("t2", later, moment(9)))
    assert [register.opened_with(t).hash for t in ("t1", "t2")] == [first, later]  # type: ignore[union-attr]
    assert register.opened_with("t3") is None


def test_every_act_has_its_turn() -> None:
    log = open_log(":memory:")
    hash = put(log, text_of(), "s.json", who="ann", now=moment(0)).hash
    for what in ("submit", "approve"):
        with pytest.raises(Refused, match="needs a submission that is"):
            act(log, hash, what, who="ben", now=moment(1))  # type: ignore[arg-type]
    act(log, hash, "check", who="ann", now=moment(1))
    act(log, hash, "submit", who="ann", now=moment(1))
    with pytest.raises(Refused, match="somebody else"):
        act(log, hash, "approve", who="ann", now=moment(2))
    with pytest.raises(Refused, match="can be in force from"):
        act(log, hash, "approve", who="ben", now=moment(2), in_force=day(0))
    kept = act(log, hash, "approve", who="ben", now=moment(400))
    # approved after the day it asked for: in force from the day of the approval
    assert kept.in_force == day(400)


def test_a_draft_may_have_findings_but_goes_no_further() -> None:
    log = open_log(":memory:")
    tables = changed(MD, table={"seats": 9}, submission={"facility": FACILITY})
    text = json.dumps(tables, default=str)
    hash = put(log, text, "s.json", who="ann", now=moment(0)).hash
    with pytest.raises(Refused) as refused:
        act(log, hash, "check", who="ann", now=moment(0))
    assert refused.value.clause == "2.A"
    for bad in (draft(MD) | {"chapter": "nothing"}, changed(MD, submission={"facility": None})):
        with pytest.raises(Refused):
            put(log, json.dumps(bad, default=str), "s.json", who="ann", now=moment(0))
    with pytest.raises(Refused, match="facility is empty; a record keeps the submissions of each"):
        put(log, starting_file(chapter(MD), day(0)), "new.toml", who="ann", now=moment(0))


def test_the_same_draft_is_on_record_once() -> None:
    log = open_log(":memory:")
    for _ in range(2):
        hash = put(log, text_of(), "s.json", who="ann", now=moment(0)).hash
    assert list(register_of(log, MD, FACILITY).kept) == [hash]
    assert find(log, hash[:10])[1].hash == hash
    for wrong in ("", "zz"):
        with pytest.raises(Refused, match="no submission"):
            find(log, wrong)


#: a mistake that the reader leaves out, and its correction; or two mistakes of the same kind
CORRECTED: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = (
    ({"limits": {"ante": {"min": "x"}}}, {"limits": {"ante": {"min": "y"}}}),
    ({"limits": {"antes": {"min": "5.00"}}}, {"limits": {"antes": {"min": "6.00"}}}),
    ({"rules": {"pair_plus": "Q"}}, {"rules": {"pair_plus": "A"}}),
    ({"rules": {"no_such_option": "1"}}, {"rules": {"no_such_option": None}}),
    ({"table": {"seats": "seven"}}, {"table": {"seats": 7}}),
    ({"layout": {"signs": ["x"]}}, {"layout": {"signs": ["y"]}}),
    ({"approvals": {"layout": "soon"}}, {"approvals": {"layout": "later"}}),
    ({"submission": {"date": "soon"}}, {"submission": {"date": "2026-02-30"}}),
    ({"notes": "first"}, {"notes": "second"}),
)


@pytest.mark.parametrize(("wrong", "right"), CORRECTED)
def test_a_corrected_draft_is_another_draft(wrong: dict[str, Any], right: dict[str, Any]) -> None:
    log = open_log(":memory:")
    hashes = []
    for parts in (wrong, right):
        who = {"facility": FACILITY, **parts.get("submission", {})}
        text = json.dumps(changed(MD, **{**parts, "submission": who}), default=str)
        kept = put(log, text, "s.json", who="ann", now=moment(0))
        assert kept.text == text
        assert find(log, kept.hash)[1].text == text
        hashes.append(kept.hash)
    assert len(set(hashes)) == 2
    assert list(register_of(log, MD, FACILITY).kept) == hashes


def test_a_document_is_all_of_its_bytes_and_its_rules_are_what_it_chooses(tmp_path: Path) -> None:
    """Comments and line ends make another document with the same rules."""
    named = f'facility = "{FACILITY}"'
    plain = "# one\n" + starting_file(chapter(MD), day(0)).replace('facility = ""', named)
    texts = (plain, plain.replace("# one", "# two"), plain.replace("\n", "\r\n"))
    log = open_log(":memory:")
    found = []
    for number, text in enumerate(texts):
        path = tmp_path / f"{number}.toml"
        path.write_bytes(text.encode())
        kept = put(log, read_text(path), path.name, who="ann", now=moment(0))
        assert kept.hash == hashlib.sha256(text.encode()).hexdigest()
        assert kept.rules_hash is None  # a draft may not pass, and then it chooses nothing
        found.append(act(log, kept.hash, "check", who="ann", now=moment(0)))
    assert len({kept.hash for kept in found}) == 3
    assert {kept.rules_hash for kept in found} == {parse_rules(plain).hash}


def test_a_submission_of_an_earlier_version_is_found_by_its_old_hash() -> None:
    log = open_log(":memory:")
    old, text = "0b5e" + "7" * 60, text_of(submission={"in_force": day(10)})
    body = {"hash": old, "chapter": MD, "facility": FACILITY, "name": "s.json", "text": text}
    events = [New("submission_drafted", body, "ann", moment(0))]
    for kind, more in (
        ("submission_checked", {"edition": "1", "edition_hash": "2", "warnings": 0}),
        ("submission_submitted", {}),
    ):
        events.append(New(kind, {"hash": old, **more}, "ann", moment(0)))
    log.append(Write(stream(MD, FACILITY), 0, tuple(events)))
    document = hashlib.sha256(text.encode()).hexdigest()
    for hash in (old, old[:4], document, document[:12]):
        assert find(log, hash)[1].hash == old
    # the same document again is the submission on record, not a second one
    assert put(log, text, "s.json", who="cay", now=moment(1)).hash == old
    assert len(register_of(log, MD, FACILITY).kept) == 1
    assert act(log, old[:4], "approve", who="ben", now=moment(1)).stage == "approved"
    assert open_with(log, "t1", MD, FACILITY, who="floor", now=moment(10))[1].hash == old
    # what the old hash left out makes a draft of its own now
    corrected = text.replace("{", '{"notes": "x", ', 1)
    assert put(log, corrected, "s.json", who="ann", now=moment(2)).hash != old
    assert find(log, old[:4])[1].text == text


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 60), st.integers(0, 60), st.sampled_from(list(ACTS))),
        min_size=1,
        max_size=5,
    ),
    st.integers(0, 130),
)
def test_at_most_one_is_in_force_and_it_is_the_latest_that_has_begun(
    filed: list[tuple[int, int, str]], look: int
) -> None:
    log = open_log(":memory:")
    begun = []
    for number, (at, wait, upto) in enumerate(sorted(filed)):
        text = text_of(submission={"reference": str(number), "date": day(0), "in_force": day(0)})
        start = day(at + wait)
        hash = file(log, text, at, upto, in_force=start)
        if upto == "approve" and start <= day(look):
            begun.append((start, at, number, hash))
    register = register_of(log, MD, FACILITY)
    in_force = [
        k.hash for k in register.kept.values() if register.stage_on(k, day(look)) == "in_force"
    ]
    assert len(in_force) == bool(begun)
    if begun:
        latest = max(start for start, *_ in begun)
        assert in_force[0] in {hash for start, _, _, hash in begun if start == latest}
    assert len(register.kept) == len(filed)


@pytest.mark.slow
def test_the_command_and_its_record(tmp_path: Path) -> None:
    path, database = tmp_path / "s.json", str(tmp_path / "record.db")
    path.write_text(text_of(submission={"in_force": dt.date(2020, 1, 1), "date": "2020-01-01"}))

    def go(*arguments: str) -> tuple[int, str, str]:
        done = run_apart("submissions", *arguments, "--database", database)
        return done.returncode, done.stdout, done.stderr

    status, out, err = go("draft", str(path), "--by", "ann", "--json")
    assert (status, err) == (0, "")
    hash = json.loads(out)["hash"]
    assert go("check", hash[:8], "--by", "ann")[0] == 0
    assert go("submit", hash[:8], "--by", "ann")[0] == 0
    assert go("approve", hash[:8], "--by", "ann")[0] == 2
    status, out, _ = go("approve", hash[:8], "--by", "ben", "--json")
    assert status == 0
    assert json.loads(out)["stage"] == "in_force"
    listed = json.loads(go("list", "--json", "--on", "2019-01-01")[1])["submissions"]
    assert [one["stage"] for one in listed] == ["approved"]
    # what `check` and `packet` print is what the record is searched by
    checked = json.loads(run("check", str(path), "--json").stdout)
    shown = json.loads(go("show", hash, "--json")[1])
    assert (shown["hash"], shown["rules_hash"]) == (checked["hash"], checked["rules_hash"])
    assert shown["text"] == path.read_text()
    assert [mark["who"] for mark in shown["history"]] == ["ann", "ann", "ann", "ben"]
    assert "in force" in go("list")[1]
    for wrong in (("draft", str(path)), ("draft", "nowhere", "--by", "x"), ("show", "zz"),
                  ("approve",), ("list", "--on", "soon")):  # fmt: skip
        status, out, err = go(*wrong)
        assert (status, out) == (2, ""), wrong
        assert len(err.strip().splitlines()) == 1
