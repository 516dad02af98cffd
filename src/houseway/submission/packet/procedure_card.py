"""The dealer's procedure card: the chapter's steps for exactly these options, part by part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from houseway.law import Rules
from houseway.law.procedure import Step, Thing, applies
from houseway.submission.file import Submission
from houseway.submission.packet.clause_matrix import below, not_chosen

#: the parts of the card by the kind of clause that a step carries out; a step of another kind
#: belongs to the part it stands in
_PARTS = {
    "Opening": "opening",
    "Shuffle and cut": "shuffle",
    "Wagers": "wager",
    "Dealing": "dealing",
    "The players decide": "decision",
    "Settlement": "settlement",
    "Irregularities": "irregularity",
}
_WHO = {"dealer": "", "system": "", "device": "Device", "floorperson": "Floorperson",
        "player": "Player", "surveillance": "Surveillance"}  # fmt: skip


def _there(rules: Rules) -> set[Thing]:
    """What is at this table of the things that steps may belong to."""
    options = rules.options
    five = any(
        wager.kind == "progressive" and wager.settled_on == "five_cards" and rules.offers(wager.id)
        for wager in rules.chapter.about.wagers
    )
    shuffles = options["shuffler"] != "none"
    automated = options["dealing"] in ("automated_shoe", "continuous_shuffler")
    found: dict[Thing, bool] = {
        "meter": bool(rules.meter_names),
        "five_card": five,
        "community": five or bool(options.get("electronic")),
        "two_decks": options["decks_in_play"] == 2,
        "counting": options["shuffler"] in ("counting", "reshuffling"),
        "shuffler": shuffles,
        "automated_shoe": automated,
        "device": shuffles or automated or bool(rules.meter_names),
    }
    return {thing for thing, there in found.items() if there}


def procedure_card(submission: Submission) -> list[dict[str, Any]]:
    """The parts of the card, each with its steps in the order of the procedure."""
    rules = submission.rules
    there = _there(rules)
    left_out = not_chosen(submission)
    parts: dict[str, list[Step]] = {title: [] for title in _PARTS}
    for step, title in _in_parts(submission):
        missing = step.only_with is not None and step.only_with not in there
        away = missing or below(left_out, step.clause)
        if not away and applies(step.when, rules.options):
            parts[title].append(step)
    told = {step.clause for step in parts["Irregularities"] if step.kind == "irregularity"}
    parts["Irregularities"] = [
        step
        for step in parts["Irregularities"]
        if step.kind == "irregularity" or step.clause not in told
    ]
    return [
        {"title": title, "steps": [_said(step, rules, left_out) for step in steps]}
        for title, steps in parts.items()
        if steps
    ]


def _said(step: Step, rules: Rules, left_out: dict[str, str]) -> dict[str, Any]:
    return {
        "who": _WHO[step.role],
        "says": step.says,
        "clause": step.clause,
        "also": [
            {"says": also.says, "clause": also.clause}
            for also in step.also
            if applies(also.when, rules.options) and not below(left_out, also.clause)
        ],
    }


def _in_parts(submission: Submission) -> Iterator[tuple[Step, str]]:
    """Each step with its part. A round goes on: what stands later in it stays there.

    A part begins where a step of its kind is followed by another of it or of a later one; a single
    step of a later kind, such as loading the shoe while the cards are cut, begins nothing.
    """
    titles = list(_PARTS)
    last = len(titles) - 1
    steps = [(step, _part(submission, step)) for step in submission.chapter.procedure]
    at = 0
    for number, (step, part) in enumerate(steps):
        if part == last:
            yield step, titles[last]
            continue
        after = [kind for _, kind in steps[number + 1 :] if kind is not None and kind != last]
        if part is not None and part > at and (not after or after[0] > at):
            at = part
        yield step, titles[at]


def _part(submission: Submission, step: Step) -> int | None:
    """The part that a step's own kind belongs to, where it says so."""
    clause = submission.chapter.clauses.get(step.clause)
    kind = "irregularity" if step.kind == "irregularity" else clause.kind if clause else ""
    kinds = list(_PARTS.values())
    return kinds.index(kind) if kind in kinds else None
