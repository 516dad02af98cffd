"""What the chapter forbids: every clause that a submission can break beyond its options.

`choose` has already refused what the options themselves forbid. Each function here looks at one
thing and cites the clauses it keeps; which numbers, inscriptions, devices and approvals a chapter
asks for stands in the chapter's own files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from houseway.errors import Refused
from houseway.game_api.payout_limit import check_limit
from houseway.game_api.settle import LIMITED_RULES
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, Rules, cites
from houseway.law.chapter import Choice
from houseway.law.choices import nearest, shown
from houseway.law.required import in_force
from houseway.law.rules import Limit
from houseway.money import cents, spoken
from houseway.submission.checks.equipment_checks import (
    approvals,
    equipment,
    inscriptions,
    seats,
    tip_box,
)
from houseway.submission.checks.unfinished import devices, names
from houseway.submission.file import Submission
from houseway.submission.finding import Finding, error


def lawful(submission: Submission) -> Iterator[Finding]:
    """Every finding that keeps the submission from passing."""
    for look in (
        names, dates, must_be_stated, what_choices_take, payout_limit, limits, meters, seats,
        tip_box, equipment, devices, inscriptions, approvals,
    ):  # fmt: skip
        yield from look(submission)


def dates(submission: Submission) -> Iterator[Finding]:
    """Dates are in this century, and a submission is in force no earlier than it is submitted."""
    who = submission.who
    said = submission.given.get("submission")
    for field in ("date", "in_force"):
        day = getattr(who, field)
        written = str(said.get(field)) if isinstance(said, Mapping) else ""
        if written == day.isoformat() and day.year < 2000:
            yield error(
                "too_early", f"submission.{field}", f"{written} is before the year 2000",
                "write the day with its year in four digits, like 2026-03-01",
            )  # fmt: skip
    given = submission.stated("submission", "date") and submission.stated("submission", "in_force")
    if given and who.in_force < who.date:
        yield error(
            "in_force_too_early",
            "submission.in_force",
            f"it would be in force on {who.in_force}, before its date of {who.date}",
            f"name {who.date} or a later day",
        )


@cites(MD, "7.H", "12.B", "12.D")
@cites(MA, "10(c)", "13(d)(c)")
@cites(PRIME, "679a.7(e)", "679a.12(c)")
@cites(SAIGON, "680a.7(e)")
@cites(DOWN_UNDER, "685a.6(f)", "685a.7(r)")
def must_be_stated(submission: Submission) -> Iterator[Finding]:
    """If the chapter requires the submission to state an option, the default does not count."""
    for option in submission.chapter.options.values():
        needed = option.stated == "always" or (
            option.stated and in_force(submission.rules, option.stated)
        )
        own_table = option.id in submission.rules.own_tables
        if needed and not own_table and not submission.stated("rules", option.id):
            choices = ", ".join(shown(choice.value) for choice in option.choices)
            yield error(
                "not_stated",
                f"rules.{option.id}",
                f"the file does not say, and the chapter leaves it to the submission: {option.says}".rstrip(
                    "."
                ),
                f"choose {choices}",
                option.clause,
            )


def _chosen(submission: Submission) -> Iterator[tuple[str, Choice]]:
    for option in submission.chapter.options.values():
        for choice in option.choices:
            if choice.value == submission.rules[option.id]:
                yield option.id, choice


@cites(MA, "12(d)")
def what_choices_take(submission: Submission) -> Iterator[Finding]:
    """A choice may take something at the table: Cover All takes the shuffler that shows it."""
    for option, choice in _chosen(submission):
        for other, allowed in choice.takes.items():
            if submission.rules[other] not in allowed:
                yield error(
                    "takes_what_is_not_there",
                    f"rules.{option}",
                    f"{submission.chapter.line_name(option)} takes a device that is not at this "
                    f"table: {other} is {shown(submission.rules[other])}",
                    f"choose {other} {' or '.join(map(shown, allowed))}, or do not offer {option}",
                    choice.clause or None,
                )


@cites(PRIME, "679a.12(h)")
@cites(SAIGON, "680a.12(d)")
def payout_limit(submission: Submission) -> Iterator[Finding]:
    """No less than the table minimums can win, and it spares what the chapter spares."""
    rules = submission.rules
    field = "rules.payout_limit"
    if rules.options.get("payout_limit", "none") == "none":
        if submission.answers.payout_limit_spares is not None:
            yield error(
                "no_payout_limit",
                "answers.payout_limit_spares",
                "there is no payout limit that could spare anything",
                "leave it out, or set a payout limit",
            )
        return
    most = LIMITED_RULES.of(rules.chapter).most_at_minimums(rules)
    try:
        check_limit(rules, most)
    except Refused as refusal:
        yield error(
            refusal.code,
            field,
            refusal.message,
            f"raise the limit to {spoken(most)}, lower the minimums, or set no limit",
            refusal.clause,
        )
    yield from _spared(submission)


def _spared(submission: Submission) -> Iterator[Finding]:
    """What the limit must leave out: the six-card royal of a paytable that has one."""
    rules, said = submission.rules, submission.answers.payout_limit_spares
    fact = rules.chapter.about.facts.get("payout_limit_spares")
    listed = fact.value if fact and isinstance(fact.value, tuple) else ()
    paid = {
        hand
        for wager in rules.chapter.wagers
        if rules.offers(wager) and wager in rules.chapter.options
        for table in rules.tables(wager)
        for hand in table.pays
    }
    must = [str(hand) for hand in listed if hand in paid]
    clause = rules.chapter.options["payout_limit"].clause
    for hand in must:
        if said is None or hand not in said:
            yield error(
                "limit_covers_too_much",
                "answers.payout_limit_spares",
                f'the payout limit does not leave out "{hand}"',
                f"payout_limit_spares = {must}".replace("'", '"'),
                clause,
            )
    for hand in said or ():
        if hand not in must:
            yield error(
                "limit_covers_too_little",
                "answers.payout_limit_spares",
                f"the payout limit is said to leave out the {hand.replace('_', ' ')}, which it may not"
                + (nearest(hand, must) if must else ""),
                f"payout_limit_spares = {must}".replace("'", '"') if must else "leave it out",
                clause,
            )


def limits(submission: Submission) -> Iterator[Finding]:
    """Minimum and maximum wagers are posted where the chapter requires it, and can be made."""
    rules, law = submission.rules, submission.chapter
    posted = next((i for i in law.about.inscriptions if i.id == "limits"), None)
    for wager in law.wagers.values():
        if not rules.offers(wager.id):
            continue
        limit = rules.limits.get(wager.id)
        if posted and wager.kind == "standard" and (not limit or None in (limit.min, limit.max)):
            yield error(
                "not_stated",
                f"limits.{wager.id}",
                f"the posted limits of {wager.name} are not given",
                "give both",
                wager.clause,
            )
        if limit is None or wager.kind == "follows":
            continue
        step = rules.step(wager.id)
        least = max(limit.min or step, step)
        first = -(-least // step) * step
        stakes = rules.stakes(wager.id)
        possible = (
            any(least <= stake <= (limit.max or stake) for stake in stakes)
            if stakes
            else limit.max is None or first <= limit.max
        )
        if not possible:
            allowed = (
                " or ".join(map(spoken, stakes)) if stakes else f"a multiple of {spoken(step)}"
            )
            yield error(
                "no_wager_fits",
                f"limits.{wager.id}",
                f"no {wager.name} wager fits limits of {_range(limit)}",
                f"let them take in {allowed}",
                wager.clause,
            )


def _range(limit: Limit) -> str:
    """The limits of a wager in words."""
    low, high = (spoken(end) if end is not None else "any amount" for end in (limit.min, limit.max))
    return f"{low} to {high}"


@cites(MD, "12.E(3)", "12.E(3)(a)", "12.E(3)(b)")
def meters(submission: Submission) -> Iterator[Finding]:
    """Every meter has its rate, seed and reset, and none below what the chapter sets."""
    rules, facts = submission.rules, submission.chapter.about.facts
    amount = facts.get("meter_least")
    if amount is None:
        return  # this chapter sets none; a meter without terms is unwise
    least = cents(str(amount.value))
    for name in rules.meter_names:
        if submission.stated("meters", name) and name not in rules.meters:
            continue  # it could not be read, which is a finding of its own
        field = f"meters.{name}"
        rate_clause, least_rate = least_rate_of(rules, name)
        for key, clause, example in (
            ("rate", rate_clause, least_rate or "10%"),
            ("seed", amount.clause, amount.value),
            ("reset", amount.clause, amount.value),
        ):
            if not clause:
                continue  # no clause asks for the rate of these meters; without one they stand still
            if not submission.stated("meters", name, key):
                yield error(
                    "not_stated", field, f"the {key} of this meter is not given",
                    f'{key} = "{example}"', clause,
                )  # fmt: skip
            elif not isinstance(submission.given["meters"][name][key], str):
                continue  # it could not be read, which is a finding of its own
            elif key == "rate":
                rate = rules.meter(name).rate
                if least_rate and rate < Fraction(least_rate.removesuffix("%")) / 100:
                    yield error(
                        "below_minimum", field,
                        f"the rate of progression is {float(rate * 100):g}%",
                        f"it is at least {least_rate} with Paytable {rules['progressive']}", clause,
                    )  # fmt: skip
            elif getattr(rules.meter(name), key) < least:
                yield error(
                    "below_minimum", field,
                    f"the {key} is {spoken(getattr(rules.meter(name), key))}",
                    f"it is at least {spoken(least)}", clause,
                )  # fmt: skip


def least_rate_of(rules: Rules, meter: str) -> tuple[str, str]:
    """The clause and the least rate of a meter, where its paytable has one.

    The chapter sets it for the three-card progressive, by its paytable.
    """
    fact = rules.chapter.about.facts.get("progressive_rate_least")
    if fact is None or not isinstance(fact.value, dict):
        return "", ""
    if meter.partition(".")[0] != "progressive":
        return "", ""
    return fact.clause, str(fact.value.get(str(rules["progressive"]), ""))
