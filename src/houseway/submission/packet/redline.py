"""The redline: what a submission changes against an earlier one, in words, and what that does."""

from __future__ import annotations

import re
from typing import Any

from houseway.law import Chapter
from houseway.law.choices import shown
from houseway.law.hand_names import HAND_NAMES, hand_name
from houseway.maths.figures import percent
from houseway.money import cents, spoken
from houseway.submission.checks.unfinished import device_name
from houseway.submission.comparison import changes
from houseway.submission.file import Submission
from houseway.submission.packet.applicability import table_name
from houseway.submission.packet.holds import columns_text, hold_changes, holds


def redline(old: Submission, new: Submission) -> dict[str, Any]:
    """Every field that differs and every hold that moves."""
    law = new.chapter
    moved = hold_changes(holds(old.rules), holds(new.rules))
    return {
        "particulars": [
            ["Earlier submission", _named(old)],
            ["This submission", _named(new)],
        ],
        "changes": [
            [_field(law, one.field), value_words(law, one.field, one.old), value_words(law, one.field, one.new),
             one.clause or ""]
            for one in changes(old, new)
        ],
        "holds": [
            [
                ", ".join(filter(None, (one.either.name, columns_text(law, one.either.open_columns)))),
                f"{one.old.percent}%" if one.old else "not offered",
                f"{one.new.percent}%" if one.new else "not offered",
                "" if one.change is None else f"{'+' if one.change > 0 else ''}{percent(one.change, 4)}%",
            ]
            for one in moved
        ],
    }  # fmt: skip


def _named(submission: Submission) -> str:
    who = submission.who
    number = who.reference or "without a number"
    return f"{number}, {who.date.isoformat()}, in force from {who.in_force.isoformat()}"


def _field(law: Chapter, field: str) -> str:
    """A field of the file as a person calls it."""
    part, _, rest = field.partition(".")
    first, _, last = rest.partition(".")
    if part == "rules" and first in law.options:
        says = law.options[first].says.rstrip(".")
        hand, _, stake = last.partition(".")  # an award
        return f"{says}: {hand_name(hand)} on {spoken(cents(stake))}" if stake else says
    if field in _INSCRIBED:
        return _INSCRIBED[field]
    if part in ("limits", "meters", "paytables"):
        name = law.line_name(first) if first in law.wagers else first.replace("_", " ")
        return f"{name}, {_part(last)}".rstrip(", ")
    if part == "devices":
        return f"{device_name(first)}, {last}"
    if part == "approvals":
        says = next((one.says for one in law.about.approvals if one.id == first), first)
        return f"Approval: {says}".replace("_", " ")
    return rest.replace("_", " ").replace(".", " ").capitalize() or part.capitalize()


def _part(last: str) -> str:
    """The last part of a field: a tier and its term, or a hand of a paytable."""
    return " ".join(hand_name(one) if one in HAND_NAMES else _TERMS.get(one, one.replace("_", " "))
                    for one in last.split("."))  # fmt: skip


_TERMS = {"min": "minimum", "max": "maximum", "rate": "rate of progression",
          "seed": "initial amount", "reset": "reset amount"}  # fmt: skip


def value_words(law: Chapter, field: str, value: str | None) -> str:
    """What a field of the file holds, in words; empty where it is not there."""
    if value is None:
        return ""
    part, _, rest = field.partition(".")
    option = law.options.get(rest) if part == "rules" else None
    if option is not None:
        found = next((one for one in option.choices if shown(one.value) == value), None)
        which = table_name(law, rest, value) if (rest, value) in law.paytables else ""
        if found is not None:
            return f"{which[:1].upper()}{which[1:]}: {found.says}" if which else found.says
    if field in _INSCRIBED:
        named = {one.id: f"“{one.words}”" if one.words else one.says
                 for one in law.about.inscriptions}  # fmt: skip
        return "; ".join(named.get(id, id) for id in value.split(", "))
    if part in ("rules", "table", "layout"):  # ids of the chapter's things
        words = value.replace("_", " ")
    else:
        words = value
    amount = _AMOUNT.fullmatch(value) if _is_money(law, field) else None
    return spoken(cents(amount[1])) if amount else words


_AMOUNT = re.compile(r"\$?(\d+(?:\.\d\d)?)")
#: lists of inscriptions
_INSCRIBED = {"layout.felt": "Inscriptions on the felt", "layout.sign": "Inscriptions on signs"}


def _is_money(law: Chapter, field: str) -> bool:
    """Whether a field of the file holds an amount: a limit, what a meter shows, an option's amount."""
    part, _, rest = field.partition(".")
    if part == "rules":
        option = law.options.get(rest.partition(".")[0])
        return option is not None and bool(option.accepts)
    return part == "limits" or (part == "meters" and rest.rpartition(".")[2] in ("seed", "reset"))
