"""`options`: what can be chosen under a chapter, with the clause of each choice."""

from __future__ import annotations

from typing import Any

from houseway.law import Chapter
from houseway.law.chapter import Choice
from houseway.law.meter_terms import TERMS, WHOLE


def catalogue(law: Chapter) -> dict[str, Any]:
    """Every option, and what else a submission for this chapter says, as plain data."""
    about = law.about
    return {
        "chapter": law.id,
        "edition": about.edition,
        "options": [
            {
                "option": option.id,
                "says": option.says,
                "clause": option.clause,
                "must_be_stated": option.stated or None,
                "accepts": option.accepts or None,
                "choices": [_choice(choice) for choice in option.choices],
            }
            for option in law.options.values()
        ],
        "wagers": [
            {"wager": wager.id, "name": wager.name, "clause": wager.clause, "kind": wager.kind}
            for wager in about.wagers
        ],
        "meters": _meters(law),
        "seats": {"most": law.number("seats"), "clause": law.fact("seats").clause},
        "equipment": [
            {"equipment": item.id, "says": item.says, "clause": item.clause,
             "with": item.when or None}
            for item in about.equipment
        ],
        "inscriptions": [
            {"inscription": item.id, "says": item.words or item.says, "clause": item.clause,
             "or_sign": item.or_sign, "with": item.when or None}
            for item in about.inscriptions
        ],
        "approvals": [
            {"approval": item.id, "says": item.says, "clause": item.clause, "by": item.by,
             "together": item.together, "with": {k: list(v) for k, v in item.needed.items()}}
            for item in about.approvals
        ],
    }  # fmt: skip


def _meters(law: Chapter) -> list[dict[str, Any]]:
    """What a submission says of each meter, where the chapter has a progressive."""
    facts = law.about.facts
    wager = next((one for one in law.about.wagers if one.kind == "progressive"), None)
    if wager is None:
        return []
    least = {"rate": "progressive_rate_least", "seed": "meter_least", "reset": "meter_least"}
    return [
        {"term": term, "says": says, "clause": facts[least[term]].clause
         if least.get(term) in facts else wager.clause}
        for term, says in {**TERMS, "whole": WHOLE}.items()
    ]  # fmt: skip


def _choice(choice: Choice) -> dict[str, Any]:
    needs = {key: list(allowed) for key, allowed in {**choice.needs, **choice.takes}.items()}
    return {
        "value": choice.value,
        "says": choice.says,
        "clause": choice.clause or None,
        "needs": needs,
    }
