"""Warnings: allowed, but probably a mistake.

Limits out of reach, chips that cannot pay, wagers that lose.
Whether a wager loses comes from the exact mathematics, which is asked only where the answer is
open: every printed table that one deal of one deck settles and no meter feeds keeps something (a
test goes through them all).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from houseway.game_api.settle import LIMITED_RULES
from houseway.law import DOWN_UNDER, Rules, cites
from houseway.law.rules import Limit
from houseway.money import Cents, cents, dollars, spoken
from houseway.submission.checks.equipment_checks import required_approvals
from houseway.submission.checks.rule_checks import least_rate_of
from houseway.submission.checks.unfinished import unfinished
from houseway.submission.file import Submission
from houseway.submission.finding import Finding, warning


def unwise(submission: Submission) -> Iterator[Finding]:
    """Every warning."""
    yield from at_a_glance(submission)
    yield from that_lose(submission)


#: the code of every warning that takes the exact mathematics
LOSES = "returns_more_than_it_takes"


def that_lose(submission: Submission) -> Iterator[Finding]:
    """The wagers that return more than they take; none if the mathematics is not installed."""
    for look in (own_tables_that_lose, progressives_that_lose, bets_that_lose):
        try:
            yield from list(look(submission))
        except ModuleNotFoundError:
            return


def at_a_glance(submission: Submission) -> Iterator[Finding]:
    """The warnings that need no exact mathematics."""
    for look in (
        unfinished, chips, limits, unlimited, versions, unreachable_payout_limit, meters, own_tables, boxes,
        unused_answers,
    ):  # fmt: skip
        yield from look(submission)


def chips(submission: Submission) -> Iterator[Finding]:
    """A chip unit that makes players wager in more than whole dollars to be paid exactly."""
    rules = submission.rules
    for wager in rules.chapter.wagers.values():
        step = rules.step(wager.id)
        if wager.kind == "follows" or not rules.offers(wager.id):
            continue
        if step > max(rules.chip_unit, 100):
            odds = next(
                pay.odds
                for table in rules.tables(wager.id)
                for pay in table.pays.values()
                if pay.odds.kind in ("to", "for") and pay.odds.value.denominator > 1
            )
            yield warning(
                "chips_cannot_pay",
                "rules.chip_unit",
                f"with chips of {spoken(rules.chip_unit)}, {odds} on the {wager.name} can be paid "
                f"only on multiples of {spoken(step)}",
                f"take a smaller chip, such as {dollars(min(50, rules.chip_unit // 2))}",
                rules.tables(wager.id)[0].clause,
            )


def limits(submission: Submission) -> Iterator[Finding]:
    """A posted amount that nobody can wager."""
    rules = submission.rules
    for id, limit in rules.limits.items():
        wager = rules.chapter.wagers[id]
        field = f"limits.{id}"
        if not rules.offers(id):
            continue  # an error already
        if wager.kind == "follows":
            yield warning(
                "limit_follows",
                field,
                f"{wager.name} follows from another wager, and so do its limits",
                "leave it out; a narrower limit would refuse wagers that the chapter allows",
                wager.clause,
            )
            continue
        step = rules.step(id)
        for name, bound in (("min", limit.min), ("max", limit.max)):
            if bound is not None and (bound % step or not bound):
                up = name == "min" or not bound
                near = (bound // step + up) * step
                yield warning(
                    "limit_out_of_reach",
                    field,
                    f"the {name} of {spoken(bound)} cannot be wagered: the chips come in "
                    f"{spoken(step)}",
                    f'{name} = "{dollars(near)}"',
                    rules.tables(id)[0].clause,
                )


def unlimited(submission: Submission) -> Iterator[Finding]:
    """A wager that is offered without a least or a greatest amount."""
    rules = submission.rules
    posted = any(item.id == "limits" for item in rules.chapter.about.inscriptions)
    for wager in rules.chapter.wagers.values():
        if wager.kind == "follows" or not rules.offers(wager.id) or rules.stakes(wager.id):
            continue
        if posted and wager.kind == "standard":
            continue  # an error already
        limit = rules.limits.get(wager.id, Limit())
        missing = [
            name for name, end in (("least", limit.min), ("greatest", limit.max)) if end is None
        ]
        if missing:
            yield warning(
                "wager_without_limits",
                f"limits.{wager.id}",
                f"{wager.name} is offered, and its {' and '.join(missing)} wager "
                f"{'is' if len(missing) == 1 else 'are'} not given",
                "give both",
                wager.clause,
            )


def versions(submission: Submission) -> Iterator[Finding]:
    """Limits under which the version's tie between ante and Pair Plus leaves nothing to wager."""
    rules = submission.rules
    version = rules.options.get("version", "independent")
    if version == "independent":
        return
    # the version ties the two standard wagers together: the ante, and Pair Plus
    tied = [wager.id for wager in rules.chapter.wagers.values() if wager.kind == "standard"]
    ante, pairs = (rules.limits.get(wager, Limit()) for wager in tied)
    clause = next(c.clause for c in rules.chapter.options["version"].choices if c.value == version)
    shares = rules.chapter.fact("version_least_ante").value
    if isinstance(shares, dict) and version in shares:
        share = Fraction(str(shares[version]))
        if ante.max is not None and pairs.min is not None and pairs.min * share > ante.max:
            yield warning(
                "limits_exclude",
                f"limits.{tied[1]}",
                f"the least Pair Plus needs an ante of {spoken(int(pairs.min * share))}, above the "
                f"greatest ante of {spoken(ante.max)}",
                "raise the greatest ante or lower the least Pair Plus",
                clause,
            )
        return
    most = rules.chapter.number("version_most_ratio")
    for low, high, name in zip((ante, pairs), (pairs, ante), tied, strict=True):
        if low.max is not None and high.min is not None and high.min > most * low.max:
            yield warning(
                "limits_exclude",
                f"limits.{name}",
                f"neither wager may be more than {most} times the other; one is at most "
                f"{spoken(low.max)} and the other at least {spoken(high.min)}",
                "bring the limits of the two wagers closer together",
                clause,
            )


def unreachable_payout_limit(submission: Submission) -> Iterator[Finding]:
    """A payout limit above what the greatest wagers on every box could ever win."""
    rules = submission.rules
    limit = rules.options.get("payout_limit", "none")
    if limit == "none":
        return
    most = _most_at_maximums(rules)
    if most is not None and most * int(rules["adjacent_boxes"]) < limit:
        reach = most * int(rules["adjacent_boxes"])
        yield warning(
            "limit_out_of_reach",
            "rules.payout_limit",
            f"no player can win more than {spoken(reach)} in a round, so a limit of {spoken(limit)} "
            "never applies",
            "lower it, or set none" if reach > _least_limit(rules) else "set none",
            rules.chapter.options["payout_limit"].clause,
        )


def _least_limit(rules: Rules) -> Cents:
    """The lowest payout limit that the chapter allows, where it names one."""
    fact = rules.chapter.about.facts.get("payout_limit_least")
    return cents(str(fact.value)) if fact else 0


def _most_at_maximums(rules: Rules) -> Cents | None:
    """The most that one box can win; None where a wager has no maximum."""
    offered = [
        wager.id
        for wager in rules.chapter.wagers.values()
        if wager.kind != "follows" and rules.offers(wager.id)
    ]
    highest = {}
    for wager in offered:
        limit = rules.limits.get(wager)
        if limit is None or limit.max is None:
            return None
        highest[wager] = Limit(limit.max, limit.max)
    return LIMITED_RULES.of(rules.chapter).most_at_minimums(replace(rules, limits=highest))


def meters(submission: Submission) -> Iterator[Finding]:
    """A meter that never grows, or whose tiers together take the whole wager."""
    rules = submission.rules
    by_wager: dict[str, Fraction] = {}
    for name in rules.meter_names:
        terms = rules.meter(name)
        wager = name.partition(".")[0]
        by_wager[wager] = by_wager.get(wager, Fraction(0)) + terms.takes
        if terms.rate == 0 and not _rate_is_an_error(submission, name):
            stated = submission.stated("meters", name, "rate")
            yield warning(
                "meter_stands_still",
                f"meters.{name}",
                f"the rate of progression is {'0%' if stated else 'not given'}, so this meter never "
                "grows",
                'give a rate, such as rate = "10%"',
                rules.chapter.wagers[wager].clause,
            )
    for wager, rate in by_wager.items():
        tiers = [name for name in rules.meter_names if name.partition(".")[0] == wager]
        for name in tiers if rate == 1 else ():  # more is an error
            if rules.meter(name).takes * len(tiers) >= 1:
                yield warning(
                    "meter_takes_all",
                    f"meters.{name}",
                    "the meters of this wager take all of it, and nothing is left for other awards",
                    "lower this rate",
                    rules.chapter.wagers[wager].clause,
                )


def _rate_is_an_error(submission: Submission, meter: str) -> bool:
    """Whether the chapter requires a rate here, so that a missing or low one is an error."""
    clause, least = least_rate_of(submission.rules, meter)
    return bool(least) or (bool(clause) and not submission.stated("meters", meter, "rate"))


def own_tables(submission: Submission) -> Iterator[Finding]:
    """A paytable of the house's own beside the name of a printed one: the house's own is used."""
    for wager in submission.rules.own_tables:
        if not submission.stated("rules", wager):
            continue
        said = submission.given["rules"][wager]
        if said not in (None, "own"):
            yield warning(
                "own_table_counts",
                f"rules.{wager}",
                f"{said} is chosen, and [paytables.{wager}] has a table of the house's own, which "
                "is the one that counts",
                f'{wager} = "own", or leave [paytables.{wager}] out',
                submission.chapter.options[wager].clause if wager in submission.chapter.options
                else None,
            )  # fmt: skip


def boxes(submission: Submission) -> Iterator[Finding]:
    """More boxes for one player than the table has."""
    allowed = submission.rules["adjacent_boxes"]
    if allowed > submission.table.seats >= 1:
        yield warning(
            "more_boxes_than_seats",
            "rules.adjacent_boxes",
            f"one player may wager on {allowed} boxes, and the table has {submission.table.seats}",
            f"allow {submission.table.seats} or fewer",
            submission.chapter.options["adjacent_boxes"].clause,
        )


def unused_answers(submission: Submission) -> Iterator[Finding]:
    """Answers to questions that these rules do not ask."""
    rules = submission.rules
    followed = any(
        wager.settled_on == "five_cards" and rules.offers(wager.id)
        for wager in rules.chapter.wagers.values()
    )
    if rules.options.get("five_card_envy", "none") != "none" and not followed:
        yield warning(
            "nothing_to_answer",
            "rules.five_card_envy",
            "there is no five-card progressive that an envy bonus could follow",
            'five_card_envy = "none"',
            rules.chapter.options["five_card_envy"].clause,
        )
    awards = rules.options.get("five_card_envy", "none")
    fact = rules.chapter.about.facts.get("progressive_stakes")
    if isinstance(awards, dict) and fact is not None and isinstance(fact.value, tuple):
        for hand, by_stake in awards.items():
            for stake in by_stake:
                if stake not in fact.value:
                    yield warning(
                        "nothing_to_answer",
                        f"rules.five_card_envy.{hand}",
                        f"nobody wagers ${stake}, so this award is never paid",
                        f"name {' and '.join(map(str, fact.value))}",
                        fact.clause,
                    )
    needed = {approval.id for approval in required_approvals(submission)}
    for id in submission.approvals:
        if id not in needed:
            yield warning(
                "nothing_to_answer",
                f"approvals.{id}",
                "nothing at this table needs this approval",
                "leave it out",
            )


def own_tables_that_lose(submission: Submission) -> Iterator[Finding]:
    """A paytable of the house's own that returns more than it takes."""
    rules = submission.rules
    for wager, table in rules.own_tables.items():
        from houseway.maths.figures import percent
        from houseway.maths.par import evaluate

        edge = evaluate(table, law=rules.chapter)
        if edge <= 0:
            yield warning(
                LOSES,
                f"paytables.{wager}",
                f"this table returns {percent(1 - edge, 2)}% of the wagers",
                "lower its payouts; the minimum table of the chapter keeps more",
                table.clause,
            )


def progressives_that_lose(submission: Submission) -> Iterator[Finding]:
    """A progressive that returns more than it takes, for sure or in the long run."""
    rules = submission.rules
    for wager in rules.chapter.wagers.values():
        if wager.kind != "progressive" or not rules.offers(wager.id):
            continue
        from houseway.maths.figures import percent
        from houseway.maths.par import Asked, entries_of

        for entry in entries_of(Asked(rules.chapter, rules, players=(1,)), wager.id):
            terms = entry.progressive
            assert terms is not None
            back, right = terms.wager.fixed_return, "choose another paytable"
            if back >= 1:
                says = f"Paytable {entry.paytable} returns {percent(back, 2)}% before any meter"
            elif terms.rates is not None and terms.wager.long_run(terms.rates, terms.resets) >= 1:
                back = terms.wager.long_run(terms.rates, terms.resets)
                says = f"at these rates and resets it returns {percent(back, 2)}% in the long run"
                right = "choose another paytable, or a lower rate and reset"
            else:
                continue
            yield warning(
                LOSES,
                f"rules.{wager.id}",
                f"{says}, at a stake of ${entry.columns['stake']}",
                right,
                entry.clause,
            )


@cites(DOWN_UNDER, "685a.3(d)(3)")
def bets_that_lose(submission: Submission) -> Iterator[Finding]:
    """The bet at blackjack, which depends on the decks and on how a soft 22 is read.

    Its exact figures take seconds to work out the first time; until they are kept, the solver's
    value says on which side of nothing it lies, being good to far more digits than that takes.
    """
    rules = submission.rules
    from houseway.maths.game import MATHS

    edge = MATHS.of(rules.chapter).quick_edge(rules)
    if edge is None:
        return
    if edge <= 0:
        from houseway.maths.figures import percent

        yield warning(
            LOSES,
            "rules.decks",
            f"with {rules['decks']} decks the bet returns {percent(1 - edge, 2)}% to a "
            "player with the best strategy",
            "choose more decks",
            rules.chapter.options["decks"].clause,
        )
