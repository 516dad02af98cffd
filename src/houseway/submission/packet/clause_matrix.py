"""The clause matrix: each clause of the chapter, and how this table meets it."""

from __future__ import annotations

import re
from typing import Any

from houseway.drawing.layout.inscriptions import tables_in_force
from houseway.law.chapter import Clause
from houseway.submission.checks.equipment_checks import in_force, required_approvals
from houseway.submission.file import Submission
from houseway.submission.packet.applicability import chosen_words, left_out

#: who keeps a clause where the procedure card does not name it, by the kind of the clause
_KEPT = {
    "definition": "Definition. The term is used so throughout these documents",
    "layout": "Shown on the layout and the signs",
    "equipment": "At the table; see the equipment in the Rules Submission",
    "cards": "Kept by the dealer and the floorperson, who inspect and change the cards",
    "opening": "Kept by the dealer under the floorperson's supervision",
    "shuffle": "Kept by the dealer under the floorperson's supervision",
    "ranking": "Hands are ranked so; the payouts and the mathematics follow it",
    "wager": "Kept by the dealer, who accepts no other wager",
    "dealing": "Kept by the dealer under the floorperson's supervision",
    "decision": "Kept by the dealer, who asks each player in order",
    "settlement": "Kept by the dealer, who settles so",
    "payout": "Paid so; see the paytables in the Rules Submission",
    "progressive": "Kept by the dealer, the floorperson and the progressive system",
    "irregularity": "Kept by the dealer and the floorperson",
    "submission": "Answered in the Rules Submission",
}
_ABSENT = "not at this table"


def matrix(submission: Submission, card: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Every clause in the order of the text; `card` is the procedure card of this submission."""
    away = left_out(submission)
    answers = _answers(submission)
    places = _places(card)
    paid = dict.fromkeys(
        (pay.clause
         for tables in tables_in_force(submission.rules).values()
         for table in tables
         for pay in table.pays.values()),
        _KEPT["payout"],
    )  # fmt: skip
    return [
        {
            "clause": clause.id,
            "section": _section(clause.id),
            "says": clause.says,
            "met": _ABSENT if clause.id in away else clause.met,
            "how": away.get(clause.id)
            or _capital(
                answers.get(clause.id)
                or places.get(clause.id)
                or paid.get(clause.id)
                or _kept(clause)
            ),
        }
        for clause in submission.chapter.clauses.values()
    ]


def _section(clause: str) -> str:
    """The section that a clause is in: 12 of 12.E(1), 679a.12 of 679a.12(c)."""
    found = re.split(r"[(# ]", clause, maxsplit=1)[0]
    return re.sub(r"^(\d+)\.[A-Z]+$", r"\1", found)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _kept(clause: Clause) -> str:
    if clause.met == "outside":
        return f"Not a matter of this submission: {clause.why}".rstrip(".")
    return _KEPT[clause.kind]


def _places(card: list[dict[str, Any]]) -> dict[str, str]:
    """Where the procedure card carries a clause out: the step by its part and number, and its words."""
    found: dict[str, str] = {}
    beside: dict[str, str] = {}
    for part in card:
        for number, step in enumerate((*part["steps"], *part["may"]), 1):
            numbered = number <= len(part["steps"])
            where = f"{part['title']} {number}" if numbered else part["title"]
            who = step["who"] or "Dealer"
            said = f"{who}: {step['says']}".rstrip(".")
            found.setdefault(step["clause"], f"Procedure card, {where}. {said}")
            for also in step["also"]:
                words = also["says"].rstrip(".")
                beside.setdefault(also["clause"], f"Procedure card, {where}. {who}: {words}")
    return {**beside, **found}


def _answers(submission: Submission) -> dict[str, str]:
    """What this submission says to a clause."""
    law = submission.chapter
    found: dict[str, str] = {}
    for option in law.options.values():
        value = submission.rules[option.id]
        said = next((c for c in option.choices if c.value == value), None)
        clause = said.clause if said and said.clause else option.clause
        found.setdefault(clause, chosen_words(law, submission.choices, option.id))
    for approval in required_approvals(submission):
        entry = submission.approvals.get(approval.id)
        if entry is not None:
            given = "approval requested with this submission" if isinstance(entry, str) else (
                f"approved, {entry.reference}, {entry.date.isoformat()}"
            )  # fmt: skip
            found[approval.clause] = f"{approval.says}: {given}"
    for item in law.about.inscriptions:
        if in_force(submission.rules, item.when):
            where = "on the felt" if item.id in submission.layout.felt else "on a sign"
            words = f"“{item.words}”" if item.words else item.says.rstrip(".")
            found.setdefault(item.clause, f"{words}: {where}")
    for id in ("progressive_rate_least", "meter_least"):
        if fact := law.about.facts.get(id):
            found.setdefault(fact.clause, "See the progressive meters in the Rules Submission")
    found[law.fact("seats").clause] = f"{submission.table.seats} betting positions"
    return found
