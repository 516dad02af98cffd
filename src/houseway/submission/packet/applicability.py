"""Which clauses of a chapter apply to a table, and why the others do not.

The chapter says which of its clauses depend on options (`only_with` in `chapter.toml`); a choice
that is not taken and a wager that is not offered leave their own clauses out as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from houseway.law import Chapter
from houseway.law.chapter import OnlyWith, under
from houseway.law.choices import shown
from houseway.law.hand_names import hand_name
from houseway.law.required import in_force
from houseway.money import cents, spoken
from houseway.submission.file import Submission

_NOT_OFFERED = " is not offered"
#: what a submission says of its table, where it is no option of the chapter
_OF_THE_TABLE = {
    ("tip_box", "across"): "the tip box is across the dealer from the drop box",
    ("tip_box", "elsewhere"): "the tip box stands elsewhere",
}


def left_out(submission: Submission) -> dict[str, str]:
    """Every clause that does not apply to this table, with the reason in words."""
    law = submission.chapter
    listed = _listed(law)
    chosen, unchosen = _choices(submission)
    found: dict[str, str] = {}
    for clause in law.clauses:
        stem = next((one for one in _stems(clause) if one in listed), None)
        if stem is not None:
            # what the chapter itself says about a clause counts before what its choices say
            reasons = [_missing(submission, entry) for entry in listed[stem]]
            if all(reasons):
                found[clause] = _together(reasons)
            if all(reasons) or stem == clause:
                continue
        stem = next((one for one in _stems(clause) if one in unchosen), None)
        if stem is not None and stem not in chosen:
            found[clause] = unchosen[stem]
    return found


def _stems(clause: str) -> list[str]:
    """A clause and those that it is part of, the nearest first: 12.E(1)(a), 12.E(1), 12.E, 12."""
    found = [clause]
    while clause:
        cut = max(clause.rfind("("), clause.rfind("."), clause.rfind("#"), clause.rfind(' "'))
        clause = clause[: max(cut, 0)]
        if clause:
            found.append(clause)
    return found


def parents(clause: str) -> list[str]:
    """The clauses that a clause is part of, the nearest first, without its section."""
    return _stems(clause)[1:-1]


def _together(reasons: list[str]) -> str:
    """Several reasons as one; wagers that are not offered are listed."""
    found = list(dict.fromkeys(reasons))
    wagers = [one.removesuffix(_NOT_OFFERED) for one in found if one.endswith(_NOT_OFFERED)]
    if len(wagers) < 2:
        return found[0]
    return f"{', '.join(wagers[:-1])} and {wagers[-1]} are not offered"


def _listed(law: Chapter) -> dict[str, list[OnlyWith]]:
    found: dict[str, list[OnlyWith]] = {}
    for entry in law.about.only_with:
        for clause in entry.clauses:
            found.setdefault(clause, []).append(entry)
    return found


def _missing(submission: Submission, entry: OnlyWith) -> str:
    """What an entry requires and the submission does not choose; empty if nothing is missing."""
    law, choices = submission.chapter, submission.choices
    for option in entry.offered:
        if not in_force(submission.rules, option):
            wager = law.wagers.get(option)
            return f"{wager.name}{_NOT_OFFERED}" if wager else reason(law, choices, option)
    for option, values in entry.when.items():
        if choices[option] not in values:
            return reason(law, choices, option)
    return ""


def reason(law: Chapter, choices: Mapping[str, Any], option: str) -> str:
    """What is chosen, as a reason why something else does not apply."""
    value = choices[option]
    if (option, value) in law.paytables:
        name = law.line_name(option) if option in law.wagers or option in law.bonuses else ""
        which = table_name(law, option, value)
        return f"{name} has {which}" if name else f"{which} is chosen"
    if option in law.wagers and value in ("none", False):
        return f"{law.wagers[option].name}{_NOT_OFFERED}"
    if option not in law.options:
        return _OF_THE_TABLE[option, value]
    about = law.options[option].says.rstrip(".")
    offered = re.fullmatch(r"Whether (.+) is offered", about)
    if offered and value in ("none", False):
        return f"{offered[1]}{_NOT_OFFERED}"
    if offered and value is True:
        return f"{offered[1]} is offered"
    return f"{about[:1].lower()}{about[1:]}: {in_words(law, value, option, choices)}"


def table_name(law: Chapter, wager: str, table: str) -> str:
    """A paytable by its letter or number; by its clause where the text gives it none."""
    if not table.islower():
        return f"Paytable {table}"
    choices = law.options[wager].choices if wager in law.options else ()
    named = table not in ("standard", "minimum") and any(one.value == table for one in choices)
    return f"the table of {law.paytables[wager, table].clause}" if named else ""


def chosen_words(law: Chapter, choices: Mapping[str, Any], option: str) -> str:
    """An option and what is chosen, in words."""
    value = choices[option]
    name = law.options[option].says.rstrip(".")
    lettered = isinstance(value, str) and value not in ("standard", "minimum")
    if lettered and (option, value) in law.paytables:
        name = f"{law.line_name(option)}, {table_name(law, option, value)}"
    return f"{name}: {in_words(law, value, option, choices)}"


def in_words(
    law: Chapter, value: Any, option: str, choices: Mapping[str, Any] | None = None
) -> str:
    """A chosen value in words, which may depend on what else is chosen."""
    about = law.options.get(option)
    if about is None:
        return str(value).replace("_", " ")
    choice = next((one for one in about.choices if one.value == value), None)
    if choice is not None:
        return under(choice, choices or {}).says
    if about.accepts == "amount":
        return spoken(int(value))
    if isinstance(value, Mapping):
        return awards(value)
    return "the house's own" if value == "own" else shown(value)


def awards(amounts: Mapping[str, Mapping[str, str]]) -> str:
    """Amounts by hand and stake, in words."""
    return "; ".join(
        f"{hand_name(hand)} "
        + ", ".join(
            f"{spoken(cents(award.removeprefix('$')))} on {spoken(cents(stake))}"
            for stake, award in by.items()
        )
        for hand, by in amounts.items()
    )


def _choices(submission: Submission) -> tuple[set[str], dict[str, str]]:
    """The clauses of what is chosen, and those of what is not, with the reason."""
    law, rules = submission.chapter, submission.rules
    used: set[str] = {option.clause for option in law.options.values()}
    unused: dict[str, str] = {}
    for option in law.options.values():
        for choice in option.choices:
            if not choice.clause:
                continue
            if choice.value == rules[option.id]:
                used.add(choice.clause)
            else:
                wager = law.wagers.get(option.id)
                offered = wager is None or rules.offers(wager.id)
                why = reason(law, rules.options, option.id)
                unused[choice.clause] = why if offered or wager is None else (
                    f"{wager.name}{_NOT_OFFERED}"
                )  # fmt: skip
    for wager in law.about.wagers:
        if rules.offers(wager.id):
            used.add(wager.clause)
        else:
            unused[wager.clause] = f"{wager.name}{_NOT_OFFERED}"
    own = {clause for clause in unused if clause not in used}
    # a clause that something chosen stands below is not left out
    return used | {c for c in own if any(c in _stems(other) for other in used)}, unused
