"""The clause matrix: each clause of the chapter, and how this table meets it."""

from __future__ import annotations

from typing import Any

from houseway.law import Chapter
from houseway.law.chapter import Area, Clause, Equipment, Inscription
from houseway.law.procedure import applies
from houseway.law.rules import shown
from houseway.money import spoken
from houseway.submission.checks.equipment_checks import in_force, required_approvals
from houseway.submission.file import Submission

#: how a clause is met, for whoever reads the matrix and knows nothing of the program
MET = {
    "enforced": "kept by the table itself: what breaks it is refused",
    "computed": "computed to the cent by the settlement",
    "checked": "checked in this submission",
    "displayed": "on the layout or a sign of this packet",
    "prompted": "the dealer or floorperson is told at that step",
    "definition": "a definition; the program uses the word so",
    "outside": "outside the program",
}
_DEALING = ("manual_shoe", "hand", "automated_shoe")


def matrix(submission: Submission) -> list[dict[str, str]]:
    """Every clause in the order of the text."""
    left_out = not_chosen(submission)
    answers = _answers(submission)
    told = prompts(submission)
    rows = []
    for clause in submission.chapter.clauses.values():
        reason = below(left_out, clause.id)
        rows.append(
            {
                "clause": clause.id,
                "says": clause.says,
                "met": "not at this table" if reason else clause.met,
                "how": reason or answers.get(clause.id) or _told(told, clause) or _how(clause),
            }
        )
    return rows


def prompts(submission: Submission) -> dict[str, str]:
    """What somebody is told at the table, by the clause that it is told for."""
    options = submission.rules.options
    found: dict[str, str] = {}
    for step in submission.chapter.procedure:
        if applies(step.when, options):
            told = [(step.clause, step.says)]
            told += [(a.clause, a.says) for a in step.also if applies(a.when, options)]
            for clause, says in told:
                found.setdefault(clause, f"the {step.role} is told: {says}".rstrip("."))
    return found


def _told(told: dict[str, str], clause: Clause) -> str:
    return told.get(clause.id, "") if clause.met == "prompted" else ""


def _how(clause: Clause) -> str:
    if clause.met == "outside":
        return f"outside the program: {clause.why}"
    if clause.pending:
        return f"not met yet: {clause.pending}"
    return MET[clause.met]


def below(reasons: dict[str, str], clause: str) -> str:
    """The reason that stands for a clause or for one it is part of."""
    for stem, reason in reasons.items():
        if clause == stem or (clause.startswith(stem) and clause[len(stem)] in "(.# "):
            return reason
    return ""


def not_chosen(submission: Submission) -> dict[str, str]:
    """Clauses of what these rules do not use, with the reason: other choices and other tables."""
    law, rules = submission.chapter, submission.rules
    used: set[str] = set()
    unused: dict[str, str] = {}
    for option in law.options.values():
        value = rules[option.id]
        for choice in option.choices:
            if choice.clause and choice.clause != option.clause:
                if choice.value == value:
                    used.add(choice.clause)
                else:
                    unused[choice.clause] = f"{option.id} is {shown(value)}"
    for wager in law.about.wagers:
        if rules.offers(wager.id):
            used.add(wager.clause)
        else:
            unused[wager.clause] = f"{wager.name} is not offered"
    asked: list[Area | Inscription | Equipment] = [
        *law.about.areas, *law.about.inscriptions, *law.about.equipment,
    ]  # fmt: skip
    for item in asked:
        if in_force(rules, item.when):
            used.add(item.clause)
        else:
            unused[item.clause] = f"{item.when} is {shown(rules[item.when])}"
    unused |= _other_dealing(law, str(rules["dealing"]))
    required = {approval.id for approval in required_approvals(submission)}
    for approval in law.about.approvals:
        if approval.id in required:
            used.add(approval.clause)
    return {
        clause: reason
        for clause, reason in unused.items()
        if not any(other == clause or other.startswith(f"{clause}(") for other in used)
    }


def _other_dealing(law: Chapter, dealing: str) -> dict[str, str]:
    """Whole sections on ways of dealing that are not used."""
    if dealing not in _DEALING:
        return {}
    found = {}
    for choice in law.options["dealing"].choices:
        if choice.value != dealing:
            section = _section(choice.clause)
            found[section] = f"the cards are dealt otherwise: {dealing.replace('_', ' ')}"
    return found


def _section(clause: str) -> str:
    """The section a clause is in: "8" of "8.A", "679a.8" of "679a.8(a)", "7" of "7(a)"."""
    head = clause.partition("(")[0]
    first, dot, rest = head.partition(".")
    return f"{first}.{rest}" if dot and not rest.isalpha() else first


def _answers(submission: Submission) -> dict[str, Any]:
    """What this submission says to a clause."""
    law = submission.chapter
    found: dict[str, str] = {}
    for option in law.options.values():
        value = submission.rules[option.id]
        said = next((c for c in option.choices if c.value == value), None)
        clause = said.clause if said and said.clause else option.clause
        amount = option.accepts == "amount" and isinstance(value, int)
        text = said.says if said else spoken(value) if amount else shown(value)
        found.setdefault(clause, f"{option.id}: {text}")
    for approval in required_approvals(submission):
        entry = submission.approvals[approval.id]
        given = "asked for with this submission" if isinstance(entry, str) else (
            f"approved, {entry.reference}, {entry.date.isoformat()}"
        )  # fmt: skip
        found[approval.clause] = f"{approval.says}: {given}"
    for item in law.about.inscriptions:
        if in_force(submission.rules, item.when):
            where = "on the felt" if item.id in submission.layout.felt else "on a sign"
            found.setdefault(item.clause, f"{item.says}: {where}")
    found[law.fact("seats").clause] = f"{submission.table.seats} positions"
    return found
