"""Positions, boxes, devices, inscriptions and approvals: one missing at a time."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from drafts import changed, draft, errors, furnished, only, warnings

from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter, choose, cites
from houseway.submission.checks.unfinished import devices_of
from houseway.submission.file import TOGETHER
from houseway.submission.packet.applicability import left_out
from houseway.submission.reading import Reading
from houseway.table.game import TABLE

#: options under which every device, inscription and approval of a chapter is asked for
EVERYTHING: dict[str, list[dict[str, Any]]] = {
    MD: [{}, {"progressive": "A", "five_card_progressive": "A"}, {"shuffler": "reshuffling"}],
    MA: [
        {},
        {"progressive": "1", "cover_all": True, "shuffler": "plain"},
        {"dealing": "automated_shoe"},
    ],
    PRIME: [{"payout_limit": "50000.00"}, {"shuffler": "reshuffling"}],
    SAIGON: [{"payout_limit": "50000.00"}, {"shuffler": "reshuffling"}],
    DOWN_UNDER: [
        {"match_the_dealer": True},
        {"shuffler": "reshuffling", "decks_in_play": 2},
        {"dealing": "continuous_shuffler"},
    ],
}
CASES = [(id, rules) for id, several in EVERYTHING.items() for rules in several]


@cites(MD, "2.A")
@cites(MA, "12(k)")
@cites(PRIME, "679a.2(a)")
@cites(SAIGON, "680a.2(a)")
@cites(DOWN_UNDER, "685a.2(a)")
@pytest.mark.parametrize("id", CHAPTERS)
def test_a_position_too_many(id: str) -> None:
    most = chapter(id).number("seats")
    assert errors(changed(id, table={"seats": most})) == ()
    for seats in (0, most + 1):
        finding = only(changed(id, table={"seats": seats}))
        assert finding.field == "table.seats"
        assert finding.clause == chapter(id).fact("seats").clause
    one = changed(id, table={"seats": 1}, rules={"adjacent_boxes": 2})
    assert "more_boxes_than_seats" in warnings(one)


@cites(MD, "2.C", "2.C(1)", "2.C(2)", "2.D(1)", "2.D(2)")
@cites(MA, "7(d)", "13(a)", "13(b)")
@cites(PRIME, "679a.2(c)", "679a.2(d)")
@cites(SAIGON, "680a.2(c)", "680a.2(d)")
@cites(DOWN_UNDER, "685a.2(c)", "685a.2(d)", "685a.2(e)")
@pytest.mark.parametrize(("id", "rules"), CASES)
def test_each_piece_of_equipment_missing(id: str, rules: dict[str, Any]) -> None:
    good = furnished(id, rules)
    assert errors(good) == ()
    clauses: dict[str, set[str]] = {}
    for piece in chapter(id).about.equipment:
        other = {one.clause for one in piece.instead}
        clauses.setdefault(piece.id, set()).update({piece.clause}, other)
    submission = Reading(good).read()
    assert submission is not None
    absent = left_out(submission)
    for item in good["table"]["equipment"]:
        rest = [other for other in good["table"]["equipment"] if other != item]
        finding = only({**good, "table": {**good["table"], "equipment": rest}})
        assert finding.code == "equipment_missing"
        assert finding.clause in clauses[item] - set(absent)
    strange = [*good["table"]["equipment"], "discard_rak"]
    finding = only({**good, "table": {**good["table"], "equipment": strange}})
    assert "discard_rack" in finding.right


@cites(MD, "2.B", "2.B(1)", "2.B(5)")
@cites(MA, "6(a)(1)", "11(a)(1)", "11(a)(2)")
@cites(PRIME, "679a.2(b)", "679a.2(b)(1)", "679a.2(b)(4)", "679a.2(b)(5)")
@cites(SAIGON, "680a.2(b)", "680a.2(b)(1)", "680a.2(b)(5)", "680a.2(b)(6)")
@cites(DOWN_UNDER, "685a.2(b)", "685a.2(b)(1)", "685a.2(b)(3)*", "685a.2(b)(4)*", "685a.2(b)(6)")
@pytest.mark.parametrize(("id", "rules"), CASES)
def test_each_inscription_missing_or_on_a_sign(id: str, rules: dict[str, Any]) -> None:
    good = furnished(id, rules)
    known = {item.id: item for item in chapter(id).about.inscriptions}
    felt = good["layout"]["felt"]
    for item in felt:
        rest = [other for other in felt if other != item]
        finding = only({**good, "layout": {"felt": rest}})
        assert (finding.code, finding.clause) == ("inscription_missing", known[item].clause)
        assert known[item].words in finding.right
        signed = {**good, "layout": {"felt": rest, "sign": [item]}}
        if known[item].or_sign:
            assert errors(signed) == ()
        else:
            assert only(signed).code == "must_be_on_the_felt"


@cites(MD, "2.B(1)", "2.C(1)", "2.C(2)")
@cites(MA, "11(a)(1)", "11(a)(2)", "12(d)", "13(a)", "13(b)")
@cites(PRIME, "679a.2(c)")
@cites(SAIGON, "680a.2(c)")
@cites(DOWN_UNDER, "685a.2(d)")
@pytest.mark.parametrize("id", CHAPTERS)
def test_nothing_is_listed_twice(id: str) -> None:
    for part, key in (("table", "equipment"), ("layout", "felt")):
        tables = draft(id)
        first = tables[part][key][0]
        tables[part][key].append(first)
        found = only(tables)
        assert (found.code, found.field) == ("listed_twice", f"{part}.{key}")
        assert f'"{first}" is listed 2 times' in found.wrong


def test_an_inscription_for_what_is_not_offered() -> None:
    felt = [*draft(PRIME)["layout"]["felt"], "payout_limit"]
    assert only(changed(PRIME, layout={"felt": felt})).code == "no_such_inscription"
    felt = [*draft(PRIME)["layout"]["felt"], "tyes"]
    assert "ties" in only(changed(PRIME, layout={"felt": felt})).right


@cites(MD, "2.B", "2.D(1)", "2.E", "5.I", "8.A")
@cites(MA, "2(a)", "7(a)", "9(a)", "14(e)", "14(f)")
@cites(PRIME, "679a.2(b)", "679a.2(c)", "679a.5(g)", "679a.8(a)")
@cites(SAIGON, "680a.2(b)", "680a.2(c)", "680a.5(g)", "680a.8(a)")
@cites(DOWN_UNDER, "685a.2(b)", "685a.2(c)", "685a.5(h)", "685a.7(a)")
@pytest.mark.parametrize(("id", "rules"), CASES)
def test_each_approval_missing_asked_for_or_too_late(id: str, rules: dict[str, Any]) -> None:
    good = furnished(id, rules)
    known = {item.id: item for item in chapter(id).about.approvals}
    assert good["approvals"]

    def with_(name: str, entry: Any) -> dict[str, Any]:
        rest = {key: value for key, value in good["approvals"].items() if key != name}
        return {**good, "approvals": rest if entry is None else {**rest, name: entry}}

    for name in good["approvals"]:
        clause = known[name].clause
        assert (only(with_(name, None)).code, only(with_(name, None)).clause) == (
            "approval_missing",
            clause,
        )
        in_force = good["submission"]["in_force"]
        assert errors(with_(name, {"reference": "X", "date": in_force})) == ()
        late = with_(name, {"reference": "X", "date": in_force + dt.timedelta(days=1)})
        assert (only(late).code, only(late).clause) == ("approved_too_late", clause)
        together = with_(name, TOGETHER)
        assert (errors(together) == ()) is known[name].together
        assert only(with_(name, "yes")).clause == clause
    assert "nothing_to_answer" in warnings(
        {**changed(id), "approvals": {**draft(id)["approvals"], _unneeded(id): TOGETHER}}
    )


@cites(DOWN_UNDER, "685a.5(h)")
@pytest.mark.parametrize(
    "rules", [{"shuffler": "reshuffling", "decks_in_play": 2}, {"dealing": "continuous_shuffler"}]
)
def test_a_device_that_reshuffles_by_itself_needs_the_laboratorys_approval_before(
    rules: dict[str, Any],
) -> None:
    good = furnished(DOWN_UNDER, rules)
    assert errors(good) == ()
    asked = {id: TOGETHER for id in ("layout", "boxes", "shoe_location") if id in good["approvals"]}
    finding = only({**good, "approvals": asked})
    assert (finding.code, finding.clause) == ("approval_missing", "685a.5(h)")
    assert "Laboratory" in finding.wrong


def _unneeded(id: str) -> str:
    needed = set(draft(id)["approvals"])
    return next(item.id for item in chapter(id).about.approvals if item.id not in needed)


@cites(MD, "2.E")
@cites(PRIME, "679a.2(c)")
@cites(SAIGON, "680a.2(c)")
@cites(DOWN_UNDER, "685a.2(c)")
@pytest.mark.parametrize("id", [MD, PRIME, SAIGON])
def test_the_tip_box_elsewhere_only_where_a_device_is_in_its_way(id: str) -> None:
    elsewhere = {"tip_box": "elsewhere"}
    assert errors(furnished(id, {"shuffler": "plain"}, table=elsewhere)) == ()
    finding = only(furnished(id, {"shuffler": "none"}, table=elsewhere))
    assert finding.code == "tip_box_elsewhere"
    without = furnished(id, {"shuffler": "plain"}, table=elsewhere)
    del without["approvals"]["tip_box_elsewhere"]
    assert only(without).clause == finding.clause
    # Down Under's card reader is always there
    assert errors(furnished(DOWN_UNDER, {}, table=elsewhere)) == ()


@cites(DOWN_UNDER, "685a.2(d)")
@pytest.mark.parametrize("id", CHAPTERS)
def test_a_submission_names_the_devices_that_only_the_live_table_of_a_game_has(id: str) -> None:
    law = chapter(id)
    stated = [item.device for item in law.about.equipment if item.device]
    assert tuple(stated) == TABLE.of(law).devices
    assert set(stated) <= set(devices_of(choose(law)))
