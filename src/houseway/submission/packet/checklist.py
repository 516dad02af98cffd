"""The checklist: everything that was chosen, with its clause, as it is filed."""

from __future__ import annotations

from typing import Any

from houseway.drawing.layout.inscriptions import hand_name, odds_text, tables_in_force
from houseway.law import Rules
from houseway.law.chapter import Option
from houseway.law.meter_terms import percent
from houseway.law.rules import shown
from houseway.money import spoken
from houseway.submission.checks.equipment_checks import (
    in_force,
    required_approvals,
    required_equipment,
)
from houseway.submission.file import TOGETHER, Submission
from houseway.submission.finding import Finding


def checklist(submission: Submission, warnings: tuple[Finding, ...] = ()) -> dict[str, Any]:
    """The rows of the checklist, part by part."""
    return {
        "particulars": particulars(submission),
        "options": [_option(submission, option) for option in submission.chapter.options.values()],
        "paytables": _paytables(submission),
        "limits": _limits(submission),
        "meters": _meters(submission),
        "table": _table(submission),
        "inscriptions": _inscriptions(submission),
        "approvals": _approvals(submission),
        "warnings": [
            {"field": one.field, "says": f"{one.field}: {one.wrong}.", "clause": one.clause or ""}
            for one in warnings
        ],
    }


def particulars(submission: Submission) -> list[list[str]]:
    """Who, where, when, under what."""
    who, about = submission.who, submission.chapter.about
    return [
        ["Operator", who.operator],
        ["Facility", who.facility],
        ["Submitted by", who.submitted_by],
        ["Reference", who.reference],
        ["Submitted", who.date.isoformat()],
        ["In force from", who.in_force.isoformat()],
        ["Game", f"{about.game}, {about.jurisdiction}"],
        ["Under", f"{about.citation}, edition {about.edition}; {about.status}"],
        ["To", about.agency],
        ["Submission", submission.hash],
        ["Chapter", submission.chapter.hash],
    ]


def _option(submission: Submission, option: Option) -> dict[str, str]:
    value = submission.rules[option.id]
    found = next((choice for choice in option.choices if choice.value == value), None)
    if found is not None:
        chosen, clause = found.says, found.clause
    elif value == "own":
        chosen, clause = "a table of the house's own", option.clause
    elif option.accepts == "amount":
        chosen, clause = spoken(int(value)), option.clause
    else:
        hands = [f"{hand_name(hand)}: " + ", ".join(f"{award} on ${stake}" for stake, award in by.items())
                 for hand, by in value.items()]  # fmt: skip
        chosen, clause = "; ".join(hands), option.clause
    return {
        "option": option.id,
        "says": option.says,
        "value": shown(value) if not isinstance(value, dict) else "amounts",
        "named": _named(submission, option, value),
        "chosen": chosen,
        "clause": clause or option.clause,
        "stated": "" if submission.stated("rules", option.id) else "by default",
    }


def _named(submission: Submission, option: Option, value: Any) -> str:
    """A paytable by its letter; other choices are said in words."""
    printed = isinstance(value, str) and (option.id, value) in submission.chapter.paytables
    return f"Paytable {value}" if printed else ""


def _paytables(submission: Submission) -> list[dict[str, Any]]:
    rules = submission.rules
    found = []
    for wager, tables in tables_in_force(rules).items():
        for table in tables:
            rows = [
                [hand_name(hand, table.pays), odds_text(pay.odds), pay.clause]
                for hand, pay in table.pays.items()
            ]
            found.append(
                {"wager": wager, "name": rules.chapter.line_name(wager), "paytable": table.id,
                 "which": _which(table.id), "rows": rows}
            )  # fmt: skip
    return found


def _which(table: str) -> str:
    """Which of several tables: nothing where there is one, the stake of an envy bonus."""
    if table in ("standard", "own", "any", "minimum"):
        return ""
    return f"on a ${table} wager" if "." in table else table.replace("_", " ")


def meter_name(rules: Rules, meter: str) -> str:
    """A meter as it is called: "Five-Card Progressive, mega"."""
    wager, _, tier = meter.partition(".")
    return rules.chapter.line_name(wager) + (f", {tier}" if tier else "")


def _limits(submission: Submission) -> list[list[str]]:
    rules = submission.rules
    return [
        [
            rules.chapter.line_name(wager),
            spoken(limit.min) if limit.min is not None else "none",
            spoken(limit.max) if limit.max is not None else "none",
            spoken(rules.step(wager)),
        ]
        for wager, limit in rules.limits.items()
    ]


def _meters(submission: Submission) -> list[list[str]]:
    fact = submission.chapter.about.facts.get("meter_least")
    found = []
    for name in submission.rules.meter_names:
        terms = submission.rules.meter(name)
        clause = fact.clause if fact else ""
        found.append(
            [
                meter_name(submission.rules, name),
                percent(terms.rate),
                percent(terms.reserve) if terms.reserve else "none",
                spoken(terms.seed),
                spoken(terms.reset),
                clause,
            ]
        )
    return found


def _table(submission: Submission) -> list[list[str]]:
    law, table = submission.chapter, submission.table
    place = "on the dealer's side, across the dealer from the drop box"
    moved = next((a.clause for a in law.about.approvals if "tip_box" in a.needed), "")
    rows = [[f"{table.seats} betting positions", law.fact("seats").clause]]
    for id, (says, clause) in required_equipment(submission.rules).items():
        said = says if id != "tip_box" else place if table.tip_box == "across" else "elsewhere"
        name = id.replace("_", " ").capitalize()
        rows.append([f"{name}: {said}", moved if said == "elsewhere" else clause])
    return rows


def _inscriptions(submission: Submission) -> list[list[str]]:
    found = []
    for item in submission.chapter.about.inscriptions:
        if in_force(submission.rules, item.when):
            where = "on the felt" if item.id in submission.layout.felt else "on a sign"
            words = f"“{item.words}”" if item.words else item.says
            found.append([words, where, item.clause])
    return found


def _approvals(submission: Submission) -> list[list[str]]:
    found = []
    for item in required_approvals(submission):
        entry = submission.approvals[item.id]
        given = "asked for with this submission" if isinstance(entry, str) else ""
        if not isinstance(entry, str):
            given = f"{entry.reference}, {entry.date.isoformat()}"
        assert given or entry == TOGETHER
        found.append([f"{item.says}, by {item.by}", given, item.clause])
    return found
