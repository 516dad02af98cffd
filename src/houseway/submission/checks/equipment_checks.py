"""What stands at the table and on its layout: positions, boxes, devices, inscriptions, approvals.

The second half of what a chapter forbids; which of these a chapter asks for stands in its files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.law.chapter import Approval
from houseway.law.choices import nearest, suggest
from houseway.law.required import in_force, required_equipment
from houseway.submission.file import TOGETHER, Approved, Submission
from houseway.submission.finding import Finding, error


def holds(wanted: Mapping[str, tuple[Any, ...]], choices: Mapping[str, Any]) -> bool:
    return all(choices[name] in allowed for name, allowed in wanted.items())


@cites(MD, "2.A")
@cites(MA, "12(k)")
@cites(PRIME, "679a.2(a)")
@cites(SAIGON, "680a.2(a)")
@cites(DOWN_UNDER, "685a.2(a)")
def seats(submission: Submission) -> Iterator[Finding]:
    """A table has no more positions than the chapter allows."""
    most = submission.chapter.number("seats")
    if not 1 <= submission.table.seats <= most:
        yield error(
            "too_many_seats",
            "table.seats",
            f"the table would have {submission.table.seats} positions",
            f"it has 1 to {most}",
            submission.chapter.fact("seats").clause,
        )


@cites(MD, "2.E")
@cites(PRIME, "679a.2(c)")
@cites(SAIGON, "680a.2(c)")
@cites(DOWN_UNDER, "685a.2(c)")
def tip_box(submission: Submission) -> Iterator[Finding]:
    """The tip box is elsewhere only where a device keeps it from its place."""
    if submission.table.tip_box == "across":
        return
    rule = next((a for a in submission.chapter.about.approvals if "tip_box" in a.needed), None)
    if rule is None:
        return
    rules = submission.rules
    in_the_way = (
        rules["shuffler"] != "none"
        or rules["dealing"] in ("automated_shoe", "continuous_shuffler")
        or {"card_reader", "progressive_control"} & set(submission.table.equipment)
    )
    if not in_the_way:
        yield error(
            "tip_box_elsewhere",
            "table.tip_box",
            "the tip box is elsewhere, and no device is in its way",
            'tip_box = "across", on the dealer\'s side across from the drop box',
            rule.clause,
        )


@cites(MD, "2.C", "2.C(1)", "2.C(2)", "2.D", "2.D(1)", "2.D(2)")
@cites(MA, "12(d)", "13(a)", "13(b)")
@cites(PRIME, "679a.2(c)", "679a.2(d)")
@cites(SAIGON, "680a.2(c)", "680a.2(d)")
@cites(DOWN_UNDER, "685a.2(c)", "685a.2(d)", "685a.2(e)", "685a.7(a)")
def equipment(submission: Submission) -> Iterator[Finding]:
    """What must stand at the table is listed, and nothing that the chapter does not know."""
    wanted = required_equipment(submission.rules)
    known = {item.id for item in submission.chapter.about.equipment}
    given = submission.table.equipment
    for id, (says, clause) in wanted.items():
        if id not in given:
            yield error(
                "equipment_missing", "table.equipment",
                f"the table has no {id.replace('_', ' ')}", f'add "{id}": {says}', clause,
            )  # fmt: skip
    for id in given:
        if id not in known:
            yield error(
                "no_such_equipment",
                "table.equipment",
                f'the chapter has no "{id}"',
                suggest(id, sorted(known)),
            )
    yield from _twice("table.equipment", given)


def _twice(field: str, ids: Sequence[str]) -> Iterator[Finding]:
    """A list that names the same thing more than once."""
    for id, times in Counter(ids).items():
        if times > 1:
            yield error("listed_twice", field, f'"{id}" is listed {times} times', "list it once")


@cites(MD, "2.B", "2.B(1)", "2.B(5)")
@cites(MA, "11(a)(1)", "11(a)(2)")
@cites(PRIME, "679a.2(b)", "679a.2(b)(1)", "679a.2(b)(4)", "679a.2(b)(5)")
@cites(SAIGON, "680a.2(b)", "680a.2(b)(1)", "680a.2(b)(5)", "680a.2(b)(6)")
@cites(DOWN_UNDER, "685a.2(b)", "685a.2(b)(1)", "685a.2(b)(4)", "685a.2(b)(6)")
def inscriptions(submission: Submission) -> Iterator[Finding]:
    """Every inscription is on the felt, or on a sign where a sign will do."""
    law, layout = submission.chapter, submission.layout
    wanted = {i.id: i for i in law.about.inscriptions if in_force(submission.rules, i.when)}
    for id, item in wanted.items():
        if id in layout.felt:
            continue
        where = "on the felt or on a sign" if item.or_sign else "on the felt"
        words = f': "{item.words}"' if item.words else f": {item.says}"
        if id not in layout.sign:
            yield error(
                "inscription_missing", "layout.felt",
                f'the inscription "{id}" is neither on the felt nor on a sign',
                f"put it {where}{words}", item.clause,
            )  # fmt: skip
        elif not item.or_sign:
            yield error(
                "must_be_on_the_felt", "layout.sign", f'a sign is not enough for "{id}"',
                f"put it {where}{words}", item.clause,
            )  # fmt: skip
    known = {item.id for item in law.about.inscriptions}
    for part, ids in (("felt", layout.felt), ("sign", layout.sign)):
        for id in ids:
            if id not in wanted:
                hint = nearest(id, known).removeprefix("; ") if id not in known else "leave it out"
                yield error(
                    "no_such_inscription",
                    f"layout.{part}",
                    f'there is no inscription "{id}" under these rules',
                    hint or f"choose from {', '.join(wanted)}",
                )
        yield from _twice(f"layout.{part}", ids)


def required_approvals(submission: Submission) -> list[Approval]:
    """The approvals that this table requires."""
    return [
        approval
        for approval in submission.chapter.about.approvals
        if holds(approval.needed, submission.choices)
    ]


@cites(MD, "2.B", "2.D(1)", "2.E", "5.I", "8.A")
@cites(MA, "2(a)", "7(a)", "8(a)", "9(a)", "14(e)", "14(f)")
@cites(PRIME, "679a.2(b)", "679a.2(c)", "679a.5(g)", "679a.8(a)")
@cites(SAIGON, "680a.2(b)", "680a.2(c)", "680a.5(g)", "680a.8(a)")
@cites(DOWN_UNDER, "685a.2(b)", "685a.2(c)", "685a.5(h)", "685a.7(a)")
def approvals(submission: Submission) -> Iterator[Finding]:
    """What needs an approval has it, or asks for it here where that will do."""
    given = submission.given.get("approvals", {})
    for approval in required_approvals(submission):
        field = f"approvals.{approval.id}"
        entry = submission.approvals.get(approval.id)
        example = '{ reference = "…", date = 2026-03-01 }'
        if entry is None:
            if not isinstance(given, Mapping) or approval.id not in given:
                ask = f', or "{TOGETHER}"' if approval.together else ""
                yield error(
                    "approval_missing",
                    field,
                    f"{approval.says}: no approval by {approval.by} is named",
                    f"{approval.id} = {example}{ask}",
                    approval.clause,
                )
        elif entry == TOGETHER:
            if not approval.together:
                yield error(
                    "approval_missing",
                    field,
                    f"{approval.says}: {approval.by} gives it apart from a submission",
                    f"{approval.id} = {example}",
                    approval.clause,
                )
        elif (
            isinstance(entry, Approved)
            and submission.stated("submission", "in_force")
            and entry.date > submission.who.in_force
        ):
            yield error(
                "approved_too_late",
                field,
                f"{approval.says}: approved on {entry.date}, after the day it is to be in force",
                f"be in force from {entry.date} or later",
                approval.clause,
            )
