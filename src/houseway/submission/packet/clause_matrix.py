"""The clause matrix: each clause of the chapter, and how this table meets it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from houseway.drawing.layout.inscriptions import odds_text, tables_in_force
from houseway.law.chapter import Chapter, Clause
from houseway.law.required import in_force
from houseway.submission.checks.equipment_checks import required_approvals
from houseway.submission.file import Submission
from houseway.submission.packet.applicability import chosen_words, left_out, parents

#: how a clause is met that neither an option, an approval, a payout nor the procedure card answers
_KEPT = {
    "definition": "Used in this sense throughout these documents",
    "layout": "Shown on the layout and the signs",
    "equipment": "At the table; see the equipment in the Rules Submission",
    "cards": "Ensured by the dealer and the floorperson, who inspect and change the cards",
    "opening": "Done by the dealer under the floorperson's supervision",
    "shuffle": "Done by the dealer under the floorperson's supervision",
    "ranking": "Hands are ranked this way in the payouts and the mathematical report",
    "wager": "Ensured by the dealer, who accepts no other wager",
    "dealing": "Done by the dealer under the floorperson's supervision",
    "decision": "Ensured by the dealer, who asks each player in order",
    "settlement": "Settled this way by the dealer",
    "payout": "Paid this way; see the paytables in the Rules Submission",
    "progressive": "Ensured by the dealer, the floorperson and the progressive system",
    "irregularity": "Handled by the dealer and the floorperson",
    "submission": "Answered in the Rules Submission",
}
_CARD = "Procedure card"
_ABSENT = "not at this table"


def matrix(submission: Submission, card: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Every clause in the order of the text; `card` is the procedure card of this submission."""
    away = left_out(submission)
    answers = {id: said for id, said in _answers(submission).items() if id not in away}
    places = _places(card)
    paid = _paid(submission)
    rows = []
    for clause in submission.chapter.clauses.values():
        how = away.get(clause.id)
        if how is None:
            place = places.get(clause.id)
            answer = answers.get(clause.id)
            if answer and place and place.numbered:
                answer = f"{answer}. {place.where}"
            how = answer or (place and place.text) or paid.get(clause.id)
            how = _capital(
                how or _near(clause, places, answers) or _kept(clause, submission.chapter)
            )
        rows.append(
            {
                "clause": clause.id,
                "section": _section(clause.id),
                "says": clause.says,
                "met": _ABSENT if clause.id in away else clause.met,
                "how": how,
            }
        )
    return rows


def _section(clause: str) -> str:
    """The section that a clause is in: 12 of 12.E(1), 679a.12 of 679a.12(c)."""
    found = re.split(r"[(# ]", clause, maxsplit=1)[0]
    return re.sub(r"^(\d+)\.[A-Z]+$", r"\1", found)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _kept(clause: Clause, law: Chapter) -> str:
    if clause.met == "outside":
        return f"Not a matter of this submission: {clause.why}".rstrip(".")
    heads = any(clause.id in parents(other) for other in law.clauses)
    return "See its paragraphs below" if heads and clause.kind != "wager" else _KEPT[clause.kind]


def _paid(submission: Submission) -> dict[str, str]:
    """What the paytables in force pay by each clause that names one payout; else where to look."""
    odds: dict[str, set[str]] = {}
    for tables in tables_in_force(submission.rules).values():
        for table in tables:
            for pay in table.pays.values():
                odds.setdefault(pay.clause, set()).add(odds_text(pay.odds))
    see = "see the paytables in the Rules Submission"
    return {
        clause: f"Paid {next(iter(found))}; {see}" if len(found) == 1 else _KEPT["payout"]
        for clause, found in odds.items()
    }


class _Place(NamedTuple):
    """Where the procedure card implements a clause."""

    #: the step by its part and number, and its words
    text: str
    #: the parts of the card with the numbers of the steps
    where: str
    numbers: tuple[tuple[str, int], ...]

    @property
    def numbered(self) -> bool:
        return bool(self.numbers)


def _places(card: list[dict[str, Any]]) -> dict[str, _Place]:
    """Where the card carries each clause out.

    The steps that are done by it come first, then what goes with a step, then what may be done
    besides.
    """
    steps: dict[str, list[tuple[str, int, str]]] = {}
    beside: dict[str, _Place] = {}
    open_: dict[str, _Place] = {}
    for part in card:
        title = part["title"]
        for step in part["steps"]:
            number = step["number"]
            said = f"{step['who'] or 'Dealer'}: {step['says']}".rstrip(".")
            steps.setdefault(step["clause"], []).append((title, number, said))
            at = ((title, number),)
            for also in step["also"]:
                words = f"{_referred(at)}: {also['says']}".rstrip(".:")
                beside.setdefault(also["clause"], _Place(words, _referred(at), at))
        for step in part["may"]:
            said = f"{step['who'] or 'Dealer'}: {step['says']}".rstrip(".")
            before = open_.get(step["clause"])
            said = f"{before.text}. {said}" if before else f"{_CARD}, {title}. {said}"
            open_[step["clause"]] = _Place(said, f"{_CARD}, {title}", ())
        for step in part["may"]:
            for also in step["also"]:
                words = f"{_CARD}, {title}: {also['says']}".rstrip(".:")
                open_.setdefault(also["clause"], _Place(words, f"{_CARD}, {title}", ()))
    done: dict[str, _Place] = {}
    for clause, found in steps.items():
        every = tuple((title, number) for title, number, _ in found)
        words = ". ".join(f"{title} {number}. {said}" for title, number, said in found)
        done[clause] = _Place(f"{_CARD}, {words}", _referred(every), every)
    return {**open_, **beside, **done}


def _referred(steps: Sequence[tuple[str, int]]) -> str:
    """Steps by the part of the card and their numbers: "Procedure card, Dealing 1 to 3 and 5"."""
    parts: dict[str, list[int]] = {}
    for title, number in dict.fromkeys(steps):
        parts.setdefault(title, []).append(number)
    named = [f"{title} {_numbers(sorted(found))}" for title, found in parts.items()]
    return f"{_CARD}, {'; '.join(named)}"


def _numbers(numbers: list[int]) -> str:
    """Numbers in words, three or more in a row by the first and the last."""
    said: list[str] = []
    for _, group in groupby(enumerate(numbers), key=lambda one: one[1] - one[0]):
        row = [number for _, number in group]
        said += [f"{row[0]} to {row[-1]}"] if len(row) > 2 else map(str, row)
    return " and ".join(filter(None, (", ".join(said[:-1]), said[-1])))


def _near(clause: Clause, places: Mapping[str, _Place], answers: Mapping[str, str]) -> str:
    """The steps of the paragraphs below a clause, or of the clause that it is a paragraph of."""
    if clause.kind == "definition":
        return ""
    below = [id for id in (*places, *answers) if clause.id in parents(id)]
    if any(id in answers for id in below):
        return ""  # the Rules Submission answers them
    steps = [at for id in below for at in places[id].numbers]
    if steps:
        return _referred(steps)
    above = next((places[one] for one in parents(clause.id) if one in places), None)
    return above.where if above and above.numbered else ""


def _answers(submission: Submission) -> dict[str, str]:
    """How this submission answers a clause."""
    law = submission.chapter
    found: dict[str, str] = {}
    for option in law.options.values():
        value = submission.rules[option.id]
        said = next((c for c in option.choices if c.value == value), None)
        clause = said.clause if said and said.clause else option.clause
        words = chosen_words(law, submission.choices, option.id)
        found.setdefault(clause, f"Rules Submission. {words}")
    for approval in required_approvals(submission):
        entry = submission.approvals.get(approval.id)
        if entry is not None:
            given = "approval requested with this submission" if isinstance(entry, str) else (
                f"approved, {entry.reference}, {entry.date.isoformat()}"
            )  # fmt: skip
            found[approval.clause] = f"{approval.says}: {given}"
    inscribed: dict[str, list[str]] = {}
    for item in law.about.inscriptions:
        if in_force(submission.rules, item.when):
            where = "on the felt" if item.id in submission.layout.felt else "on a sign"
            words = f"“{item.words}”" if item.words else _capital(item.says.rstrip("."))
            inscribed.setdefault(item.clause, []).append(f"{words}: {where}")
    for clause, lines in inscribed.items():
        found.setdefault(clause, ". ".join(lines))
    for id in ("progressive_rate_least", "meter_least"):
        if fact := law.about.facts.get(id):
            found.setdefault(fact.clause, "See the progressive meters in the Rules Submission")
    found[law.fact("seats").clause] = f"{submission.table.seats} betting positions"
    return found
