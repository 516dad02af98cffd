"""What is to be done next, by whom, in words and with its clause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from houseway.law.procedure import Also, Step
from houseway.table.actions import Action, Fields
from houseway.table.card_source import LOST_ORDER, lost_between_rounds, seen_too_often
from houseway.table.engine import SEAT_OPTIONAL, barred, is_open
from houseway.table.moment import Moment, Situation, situation
from houseway.table.state import Table, order_is_lost


class NextStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who must do what next, in words and with its clause."""

    command: str
    role: str
    says: str
    clause: str
    seat: int = 0
    kind: str = "next"
    also: tuple[Also, ...] = ()
    #: the fields with which the command is taken now, as far as the table knows them: which device,
    #: which deck, how many; the first is what is most likely meant
    choices: tuple[dict[str, str | int | bool], ...] = ()


def _seats(now: Moment, does: Action) -> Iterable[int]:
    """The seats that a command may apply to; 0 is no seat."""
    if not does.seated:
        return (0,)
    seats = range(1, len(now.table.boxes) + 1)
    if does.name not in SEAT_OPTIONAL:
        return seats
    if does.name != "wrong_number_of_cards" and is_open(now, does, 0):
        return (0,)
    return (0, *seats)


def _said(now: Moment, does: Action, step: Step, seat: int, kind: str) -> Iterator[NextStep]:
    """A step in words that fit the moment: both a hand and a fourth card are turned."""
    choices = tuple(does.choices(now, seat)) if does.choices is not None else ()
    names = does.words(now) if does.words is not None else ()
    by = does.by(now) if does.by is not None else ()
    if does.each is None or not choices:
        yield _in_words(now, step, seat, kind, names, by, choices)
        return
    apart: dict[str, NextStep] = {}
    for choice in choices:
        one = _in_words(now, step, seat, kind, *does.each(choice), (choice,))
        known = apart.setdefault(one.clause, one)
        if known is not one:
            apart[one.clause] = replace(known, choices=(*known.choices, choice))
    yield from apart.values()


def _in_words(
    now: Moment,
    step: Step,
    seat: int,
    kind: str,
    names: tuple[str, ...],
    by: tuple[str, ...],
    choices: tuple[Fields, ...],
) -> NextStep:
    words = next((now.steps[name] for name in names if name in now.steps), step)
    also = step.also if words is step else (*step.also, *words.also)
    clause = now.clause(*by) or words.clause
    return NextStep(step.id, now.role, words.says, clause, seat, kind, also, choices)


def _for_seat(now: Moment, does: Action, seat: int) -> Moment:
    """The role that acts for a seat: its player, or the dealer if the player left."""
    if now.role != "player" or not seat or now.table.boxes[seat - 1].player:
        return now
    sits = does.name == "sit_down" or "dealer" not in does.roles
    return now if sits else Moment(now.table, "dealer", at=now.at)


def _steps_here(table: Table, here: Situation) -> Iterable[Step]:
    """The chapter's steps; in every chapter a round whose cards are lost is voided first."""
    if order_is_lost(table):
        clause = next((here.steps[name].clause for name in LOST_ORDER if name in here.steps), "")
        yield Step(
            id="void_round",
            clause=clause,
            says="The order of the cards is lost: the round is void and every wager goes back.",
            role="floorperson",
        )
    if table.due and seen_too_often(Moment(table, "dealer")):
        yield Step(
            id="correct_card",
            clause="",
            says="A card was seen more often than the deck has it: correct the one misread.",
            role="floorperson",
        )
    lost = lost_between_rounds(table)
    for step in here.steps.values():
        if lost and step.id in _LOST:
            yield replace(step, says=_LOST[step.id])
        elif step.id != "void_round" or not order_is_lost(table):
            yield step


#: what leads on where the order is lost between two rounds
_LOST = {
    "order_reshuffle": "The order of the cards is lost: have them shuffled again.",
    "change_decks": "The order of the cards is lost: bring a fresh deck.",
}


def _walked_away(table: Table, here: Situation) -> Iterator[NextStep]:
    """Players who must stay seated but may be reported to have left."""
    player, floor = Moment(table, "player"), Moment(table, "floorperson")
    does = here.named["leave_seat"]
    clause = floor.clause("declare_abandoned", "stay_seated")
    for seat in table.hands:
        if is_open(floor, does, seat) and not is_open(player, does, seat):
            says = "A player with cards has left the table: the wagers stay where they are."
            yield NextStep("leave_seat", floor.role, says, clause, seat, "irregularity")


def next_steps(table: Table, *, irregularities: bool = False, at: str = "") -> tuple[NextStep, ...]:
    """What is to be done now, in the order of the chapter's procedure.

    What falls due by the clock, such as a deck change or the inspection of a gaming day, is
    included if a time is given.
    """
    if not table.chapter or table.phase == "closed":
        return ()
    found: list[NextStep] = []
    pressing: set[str] = set()
    moments: dict[str, Moment] = {}  # checks only look at a moment, so a role needs one
    here = situation(table)
    for step in _steps_here(table, here):
        does = here.named.get(step.id)
        if does is None or step.kind == "rule":
            continue
        kind = step.kind
        if does.pressing is None and kind == "irregularity" and not irregularities:
            continue
        now = moments.get(step.role) or moments.setdefault(
            step.role, Moment(table, step.role, at=at)
        )
        if does.pressing is not None and does.pressing(now):
            kind = "next"
            pressing.add(step.id)
        if kind == "irregularity" and not irregularities:
            continue
        if barred(now, does) == "out_of_turn":
            continue
        for seat in _seats(now, does):
            by = _for_seat(now, does, seat)
            if is_open(by, does, seat):
                found.extend(_said(by, does, step, seat, kind))
    if irregularities:
        found.extend(_walked_away(table, here))
    # what presses comes before the rest
    return (
        tuple(sorted(found, key=lambda step: step.command not in pressing))
        if pressing
        else (tuple(found))
    )
