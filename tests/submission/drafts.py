"""Submissions to test with: one that passes for each chapter, and how to change it."""

from __future__ import annotations

import datetime as dt
from copy import deepcopy
from typing import Any

from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter
from houseway.law.required import in_force, required_equipment
from houseway.submission.checks.run_checks import Checked, check
from houseway.submission.checks.unfinished import devices_of
from houseway.submission.file import TOGETHER, parse
from houseway.submission.finding import Finding
from houseway.submission.reading import Reading
from houseway.submission.template import starting_file

DAY = dt.date(2026, 3, 1)


#: what only a person knows, filled in
WHO = {
    "operator": "Harbor Casino", "license": "L-0042", "facility": "Harbor Point",
    "submitted_by": "Ann Lee", "title": "Director of Compliance", "contact": "ann@harbor.example",
    "reference": "TG-7",
}  # fmt: skip
DEVICE = {"make": "Northway", "model": "S-2", "approval": "GLI-11-204"}


def draft(id: str) -> dict[str, Any]:
    """The starting file's tables, names and numbers filled in."""
    return finished(parse(starting_file(chapter(id), DAY)))


def finished(tables: dict[str, Any]) -> dict[str, Any]:
    """The tables with every name and number that a starting file leaves empty."""
    tables["submission"] = {**tables["submission"], **WHO}
    tables["devices"] = {id: dict(DEVICE) for id in tables.get("devices", {})}
    return tables


def changed(id: str, **parts: Any) -> dict[str, Any]:
    """The starting file with fields of its parts changed; None takes a field out."""
    tables = draft(id)
    for part, fields in parts.items():
        if not isinstance(fields, dict):
            tables[part] = fields
            continue
        here = tables.setdefault(part, {})
        for key, value in fields.items():
            if value is None:
                here.pop(key, None)
            else:
                here[key] = deepcopy(value)
    return tables


def furnished(id: str, rules: dict[str, Any], **parts: Any) -> dict[str, Any]:
    """A submission with these options that has everything the table and the layout then need."""
    tables = changed(id, rules=rules, **parts)
    submission = Reading(tables).read()
    assert submission is not None
    law, chosen = submission.chapter, submission.rules
    tables["table"]["equipment"] = list(required_equipment(chosen))
    tables["layout"]["felt"] = [
        item.id for item in law.about.inscriptions if in_force(chosen, item.when)
    ]
    tables["approvals"] = {
        item.id: TOGETHER if item.together else {"reference": "L-1", "date": DAY}
        for item in law.about.approvals
        if all(submission.choices[key] in allowed for key, allowed in item.needed.items())
    }
    tables["devices"] = {id: dict(DEVICE) for id in devices_of(chosen)}
    for name in chosen.meter_names:
        tables.setdefault("meters", {}).setdefault(
            name, {"rate": "25%", "seed": "1000.00", "reset": "1000.00"}
        )
    if chosen.options.get("payout_limit", "none") != "none":
        spared = law.about.facts.get("payout_limit_spares")
        if spared and chosen["all_six"] == "E":
            tables["answers"] = {"payout_limit_spares": list(spared.value)}
    return tables


def errors(tables: dict[str, Any]) -> tuple[Finding, ...]:
    return check(tables).errors


def only(tables: dict[str, Any]) -> Finding:
    """The one error that this submission has."""
    found = errors(tables)
    assert len(found) == 1, found
    return found[0]


def warnings(tables: dict[str, Any]) -> dict[str, Finding]:
    """The warnings of a submission that passes, by code."""
    checked: Checked = check(tables)
    assert checked.passes, checked.errors
    return {finding.code: finding for finding in checked.warnings}


#: for each chapter everything it can offer
FULL: dict[str, dict[str, Any]] = {
    MD: {"six_card_bonus": "A", "progressive": "A", "five_card_progressive": "C",
         "shuffler": "counting", "decks_in_play": 2, "dealing": "hand"},
    MA: {"six_card_bonus": "TCP-6B1", "cover_all": True, "progressive": "1", "shuffler": "plain",
         "dealing": "automated_shoe"},
    PRIME: {"prime": True, "pair_bonus": "A", "all_six": "E", "payout_limit": "60000.00",
            "shuffler": "reshuffling", "dealing": "automated_shoe"},
    SAIGON: {"bonus": "A", "payout_limit": "75000.00"},
    DOWN_UNDER: {"match_the_dealer": True, "shuffler": "plain", "decks_in_play": 2},
}  # fmt: skip
