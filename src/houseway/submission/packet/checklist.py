"""The checklist: everything that was chosen, with its clause, as it is filed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from houseway.drawing.layout.inscriptions import odds_text, tables_in_force
from houseway.law import Chapter, Paytable, Rules
from houseway.law.chapter import Option, under
from houseway.law.choices import shown
from houseway.law.hand_names import hand_name
from houseway.law.meter_terms import percent
from houseway.law.required import in_force, required_equipment
from houseway.money import cents, spoken
from houseway.present.game import PRESENTATION
from houseway.submission.checks.equipment_checks import required_approvals
from houseway.submission.checks.unfinished import devices_of
from houseway.submission.file import TOGETHER, Submission
from houseway.submission.packet.applicability import awards, left_out, reason, table_name


def checklist(submission: Submission) -> dict[str, Any]:
    """The rows of the checklist, part by part."""
    away = left_out(submission)
    return {
        "particulars": particulars(submission),
        "options": [
            *(_option(submission, option, away) for option in submission.chapter.options.values()),
            *_spared(submission),
        ],
        "paytables": _paytables(submission),
        "limits": _limits(submission),
        "meters": _meters(submission),
        "table": _table(submission),
        "devices": _devices(submission),
        "inscriptions": _inscriptions(submission),
        "approvals": approvals(submission),
    }


def particulars(submission: Submission, *, to: bool = True) -> list[list[str]]:
    """Who submits, for which facility, when, and under which chapter."""
    who, about = submission.who, submission.chapter.about
    edition = "undated edition" if about.edition == "undated" else f"edition {about.edition}"
    return [
        ["Operator", who.operator],
        ["License", who.license],
        ["Facility", who.facility],
        ["Submitted by", f"{who.submitted_by}, {who.title}".strip(", ")],
        ["Contact", who.contact],
        ["Reference", who.reference],
        ["Submitted", who.date.isoformat()],
        ["In force from", who.in_force.isoformat()],
        ["Game", f"{about.game}, {about.jurisdiction}"],
        ["Under", f"{about.citation}, {edition}; {about.status}"],
        *([["To", about.agency]] if to else []),
    ]


def _spared(submission: Submission) -> list[dict[str, str]]:
    """What the payout limit does not cover, if the submission says so."""
    spared = submission.answers.payout_limit_spares
    if not spared:
        return []
    clause = submission.chapter.options["payout_limit"].clause
    named = "; ".join(hand_name(hand, spared) for hand in spared)
    return [
        {"option": "payout_limit_spares", "says": "What the payout limit does not cover.",
         "value": ", ".join(spared), "named": "", "chosen": named, "clause": clause, "stated": ""}
    ]  # fmt: skip


def _devices(submission: Submission) -> list[list[str]]:
    """Make, model and approval of each device; what is empty is left to be filled in."""
    found = []
    for id, name in devices_of(submission.rules).items():
        entry = submission.devices.get(id)
        given = [entry.make, entry.model, entry.approval] if entry else ["", "", ""]
        found.append([name, *(text or "to be filled in" for text in given)])
    return found


def _option(submission: Submission, option: Option, away: Mapping[str, str]) -> dict[str, str]:
    """A row of the checklist; `away` names the clauses that do not apply, and why."""
    value = submission.rules[option.id]
    found = next((choice for choice in option.choices if choice.value == value), None)
    if found is not None:
        found = under(found, submission.rules.options)
        chosen, clause = found.says, found.clause
    elif value == "own":
        chosen, clause = "the house's own table, under What is paid", option.clause
    elif option.accepts == "amount":
        chosen, clause = spoken(int(value)), option.clause
    else:
        chosen, clause = awards(value), option.clause
    why = away.get(clause or option.clause, "")
    if why and option.id not in submission.chapter.wagers and why != reason(
        submission.chapter, submission.choices, option.id
    ):  # fmt: skip
        chosen = f"does not apply ({why})"
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
    """A paytable by its letter; other choices in words."""
    law = submission.chapter
    if value is True and (option.id, "standard") in law.paytables:
        return "Offered"
    if not isinstance(value, str) or (option.id, value) not in law.paytables:
        return ""
    if value == "standard":
        return "The chapter's table"
    return "" if value.islower() else table_name(law, option.id, value)


def _paytables(submission: Submission) -> list[list[dict[str, Any]]]:
    """The paytables in their order: narrow ones in pairs, one with several columns by itself."""
    groups: list[list[dict[str, Any]]] = []
    for wager, tables in tables_in_force(submission.rules).items():
        found = [_paytable(submission.rules, wager, table) for table in tables]
        if len(tables) > 2:
            found = [_side_by_side(submission.rules, wager, tables)]
        for one in found:
            wide = len(one["columns"]) > 1
            if groups and len(groups[-1]) == 1 and not wide and not groups[-1][0]["wide"]:
                groups[-1].append(one)
            else:
                groups.append([one])
    return groups


def _paytable(rules: Rules, wager: str, table: Paytable) -> dict[str, Any]:
    rows = [
        [_capital(hand_name(hand, table.pays)), odds_text(pay.odds), pay.clause]
        for hand, pay in table.pays.items()
    ]
    return {"wager": wager, "name": rules.chapter.line_name(wager), "paytable": table.id,
            "which": which_table(rules, wager, table.id), "columns": ["Pays"], "wide": False, "rows": rows}  # fmt: skip


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _side_by_side(rules: Rules, wager: str, tables: Sequence[Paytable]) -> dict[str, Any]:
    """One table for all the numbers of players, a column for each, the fewest first."""
    tables = sorted(tables, key=lambda one: (len(one.id), one.id))
    hands = dict.fromkeys(hand for table in tables for hand in table.pays)
    rows = []
    for hand in hands:
        pays = [table.pays.get(hand) for table in tables]
        clauses = dict.fromkeys(pay.clause for pay in pays if pay is not None)
        odds = [odds_text(pay.odds) if pay is not None else "" for pay in pays]
        rows.append([hand_name(hand, list(hands)), *odds, ", ".join(clauses)])
    return {"wager": wager, "name": rules.chapter.line_name(wager), "paytable": "",
            "which": "by the number of players", "columns": [one.id for one in tables],
            "wide": True, "rows": rows}  # fmt: skip


def which_table(rules: Rules, wager: str, table: str) -> str:
    """Which of several tables, such as the stake of an envy bonus; empty if there is one."""
    game = PRESENTATION.of(rules.chapter)
    case = game.cases.get((wager, table)) or game.columns.get((wager, table))
    if case:
        return case[:1].lower() + case[1:]
    if table == str(rules.options.get("decks")):
        return f"{table} decks"
    if "." in table:
        return f"on a {spoken(cents(table))} wager"
    printed = table_name(rules.chapter, wager, table)
    other = game.columns.get((wager, "*"), "")
    return ", ".join(filter(None, (printed, other)))


def meter_name(rules: Rules, meter: str) -> str:
    """A meter as it is called: "Five-Card Progressive, mega"."""
    return rules.chapter.meter_title(meter)


def _limits(submission: Submission) -> list[list[str]]:
    """The limits of every wager that is offered; one that follows another has none of its own."""
    rules = submission.rules
    rows = []
    for wager in rules.chapter.about.wagers:
        if not rules.offers(wager.id):
            continue
        limit = rules.limits.get(wager.id)
        low, high = (limit.min, limit.max) if limit else (None, None)
        none = "not limited"
        if wager.kind == "follows":
            none = f"set by the {rules.chapter.wagers[wager.needs[0]].name}"
        least, most = (spoken(end) if end is not None else none for end in (low, high))
        step = spoken(rules.step(wager.id))
        # where the chapter names the amounts, a limit can only leave some of them out
        allowed = [one for one in rules.stakes(wager.id) if (low or one) <= one <= (high or one)]
        if allowed:
            least, most = (spoken(end) for end in (min(allowed), max(allowed)))
            step = " or ".join(map(spoken, allowed)) + " only"
        rows.append([wager.name, least, most, step])
    return rows


def _meters(submission: Submission) -> list[list[str]]:
    fact = submission.chapter.about.facts.get("meter_least")
    found = []
    for name in submission.rules.meter_names:
        terms = submission.rules.meter(name)
        wager = submission.chapter.wagers[name.partition(".")[0]]
        clause = fact.clause if fact else wager.clause
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
        rows.append(
            [f"{_equipment_name(law, id)}: {said}", moved if said == "elsewhere" else clause]
        )
    return rows


def _equipment_name(law: Chapter, id: str) -> str:
    """What stands at the table, by its name; a wager in it by the name of the wager."""
    wager = next((one for one in law.wagers.values() if id.startswith(f"{one.id}_")), None)
    words = id.removeprefix(f"{wager.id}_" if wager else "").replace("_", " ")
    return f"{wager.name} {words}" if wager else _capital(words)


def _inscriptions(submission: Submission) -> list[list[str]]:
    found = []
    for item in submission.chapter.about.inscriptions:
        if in_force(submission.rules, item.when):
            where = "on the felt" if item.id in submission.layout.felt else "on a sign"
            words = f"“{item.words}”" if item.words else item.says
            found.append([words, where, item.clause])
    return found


def approvals(submission: Submission) -> list[list[str]]:
    """Every approval that the table needs, with its number or the request for it."""
    found = []
    for item in required_approvals(submission):
        entry = submission.approvals[item.id]
        given = "requested with this submission" if isinstance(entry, str) else ""
        if not isinstance(entry, str):
            given = f"{entry.reference}, {entry.date.isoformat()}"
        assert given or entry == TOGETHER
        found.append([f"{item.says}, by {item.by}", given, item.clause])
    return found
