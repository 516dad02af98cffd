"""`new`: a starting file for a chapter, with every choice explained and every part filled in.

It passes `check` as it stands, so that whoever edits it sees at once what a change breaks; names and
numbers that only a person knows are empty, and each is a warning.
"""

from __future__ import annotations

import datetime as dt
import textwrap
from typing import Any

from houseway.law import Chapter, Rules, choose
from houseway.law.chapter import Choice, Option
from houseway.law.choices import shown
from houseway.law.lawful_meters import EXAMPLE_TERMS
from houseway.law.meter_terms import TERMS
from houseway.law.required import in_force, required_equipment
from houseway.submission.checks.equipment_checks import holds
from houseway.submission.checks.unfinished import NAMES, devices_of
from houseway.submission.file import TOGETHER

_WIDTH = 100
#: terms of a meter to start from


def starting_file(law: Chapter, today: dt.date) -> str:
    """A commented submission for this chapter, dated today, in force a month later."""
    rules = choose(law)
    about = law.about
    later = today + dt.timedelta(days=30)
    lines = [
        f"# Rules Submission: {about.game}, {about.jurisdiction}",
        f"# {about.citation}. Status of the text: {about.status}.",
        "#",
        "# Change what you need and run `houseway check` on this file: it says what is wrong, under",
        "# which clause, and what would be right. Money is text, dollars and cents.",
        "",
        f'chapter = "{about.id}"',
        f'edition = "{about.edition}"',
        "",
        "[submission]",
        "# What is still empty is a warning of `houseway check`. Until it is filled in, the packet is a",
        "# draft, and the submission cannot be filed.",
        *(f'{field} = ""'.ljust(32) + f"# {says}" for field, says in NAMES.items()),
        f"date = {today.isoformat()}",
        f"in_force = {later.isoformat()}            # from when it is to be in force",
        "",
        "[rules]",
    ]
    for option in law.options.values():
        lines += _option(option, rules[option.id])
    lines += ["", "[limits]", "# the least and the greatest wager that are posted"]
    lines += [
        f'{wager.id} = {{ min = "5.00", max = "500.00" }}'
        for wager in law.wagers.values()
        if wager.kind == "standard"
    ]
    side = [wager for wager in law.wagers.values() if wager.kind in ("side", "progressive")]
    limited = [wager.id for wager in side if not rules.stakes(wager.id)]
    lines += _comment("with each of these wagers that is offered:") if limited else []
    lines += [f'# {id} = {{ min = "5.00", max = "100.00" }}' for id in limited]
    lines += [*_later(law), ""]
    lines += [
        "[table]",
        *_comment(f"1 to {law.number('seats')} positions", law.fact("seats").clause),
        f"seats = {law.number('seats')}",
        *_comment("what stands at the table; each is listed with its place"),
        *(_item(id, says, clause) for id, (says, clause) in required_equipment(rules).items()),
        f"equipment = {_list(required_equipment(rules))}",
        *_comment('"across" the dealer from the drop box, or "elsewhere" with an approval'),
        'tip_box = "across"',
        "",
        *_devices(rules),
        "[layout]",
        *_comment("every inscription on the felt; those marked so may stand on a sign instead"),
    ]
    wanted = [i for i in about.inscriptions if in_force(rules, i.when)]
    for item in wanted:
        says = item.words or item.says
        lines.append(
            _item(item.id, f"{says}{' (or on a sign)' if item.or_sign else ''}", item.clause)
        )
    lines += [f"felt = {_list(i.id for i in wanted)}", "sign = []", "", "[approvals]"]
    lines += _comment(
        f'the approval\'s own number and date, or "{TOGETHER}" where it is asked for together with it'
    )
    for approval in about.approvals:
        if not holds(approval.needed, {**rules.options, "tip_box": "across"}):
            when = " and ".join(
                f"{key} {' or '.join(map(shown, allowed))}"
                for key, allowed in approval.needed.items()
            )
            lines += _comment(f"with {when}: {approval.says}, by {approval.by}", approval.clause)
            lines.append(f'# {approval.id} = {{ reference = "", date = {today.isoformat()} }}')
        else:
            lines += _comment(f"{approval.says}, by {approval.by}", approval.clause)
            lines.append(f'{approval.id} = "{TOGETHER}"')
    return "\n".join(lines) + "\n"


def _devices(rules: Rules) -> list[str]:
    lines = _comment("make and model of each device, and the number of its approval")
    for id, name in devices_of(rules).items():
        lines += [f"[devices.{id}]".ljust(32) + f"# {name}"]
        lines += ['make = ""', 'model = ""', 'approval = ""', ""]
    return lines


def _list(ids: Any) -> str:
    return "[" + ", ".join(f'"{id}"' for id in ids) + "]"


def _item(id: str, says: str, clause: str) -> str:
    return "\n".join(_comment(f"  {id}: {says}", clause))


def _comment(text: str, clause: str = "") -> list[str]:
    whole = f"{text} [{clause}]" if clause else text
    indent = " " * (len(whole) - len(whole.lstrip()))
    wrapped = textwrap.wrap(whole.strip(), _WIDTH - 2 - len(indent), break_on_hyphens=False)
    return [f"# {indent}{line}" for line in wrapped]


def _value(value: Any) -> str:
    return shown(value) if isinstance(value, bool | int) else f'"{value}"'


def _option(option: Option, chosen: Any) -> list[str]:
    lines = ["", *_comment(option.says, option.clause)]
    for choice in option.choices:
        lines += _comment(f"  {_value(choice.value)}: {_says(choice)}", choice.clause)
    more = {
        "amount": '  or an amount, such as "1.00"',
        "paytable": "  or a table of the house's own, under [paytables]",
        "awards": '  or amounts by hand and stake: { royal_flush = { "1.00" = "1000.00" } }',
    }.get(option.accepts)
    if more:
        lines += _comment(more)
    default = option.choices[0].value if option.accepts == "amount" else chosen
    lines.append(f"{option.id} = {_value(default)}")
    return lines


def _says(choice: Choice) -> str:
    wants = {**choice.needs, **choice.takes}
    if not wants:
        return choice.says
    needs = ", ".join(f"{key} {' or '.join(map(shown, allowed))}" for key, allowed in wants.items())
    return f"{choice.says}; needs {needs}"


def _meters(law: Chapter) -> list[str]:
    """Every meter of the progressives, with the paytables that have it, as a comment."""
    paytables: dict[str, dict[str, list[str]]] = {}
    for wager in law.wagers.values():
        for choice in law.options[wager.id].choices if wager.kind == "progressive" else ():
            for meter in choose(law, {**_needed(choice), wager.id: choice.value}).meter_names:
                found = paytables.setdefault(meter, {}).setdefault(wager.id, [])
                found.append(shown(choice.value))
    lines: list[str] = []
    for number, (meter, wanted) in enumerate(paytables.items()):
        when = "; ".join(f"{wager} {' or '.join(values)}" for wager, values in wanted.items())
        lines += ["", *_comment(f"with {when}:"), f"# [meters.{meter}]"]
        for term, value in EXAMPLE_TERMS.items():
            # each term is explained once
            lines.append(f'# {term} = "{value}"'.ljust(36) + f"# {TERMS[term]}" if not number else
                         f'# {term} = "{value}"')  # fmt: skip
    return lines


def _needed(choice: Choice) -> dict[str, Any]:
    return {other: allowed[0] for other, allowed in choice.needs.items()}


def _later(law: Chapter) -> list[str]:
    """Parts that a choice requires: what to write then, as a comment."""
    lines = _meters(law)
    own = [o.id for o in law.options.values() if o.accepts == "paytable"]
    if own:
        table = law.paytables[own[0], law.options[own[0]].least]
        lines += ["", *_comment(f"with a table of the house's own for {own[0]}:")]
        lines.append(f"# [paytables.{own[0]}]")
        lines += [f'# {hand} = "{pay.odds}"' for hand, pay in table.pays.items()]
    spares = law.about.facts.get("payout_limit_spares")
    if spares and isinstance(spares.value, tuple):
        lines += [
            "",
            *_comment("with a payout limit and a six-card royal that is paid:", spares.clause),
        ]
        lines += ["# [answers]", f"# payout_limit_spares = {_list(spares.value)}"]
    return lines
