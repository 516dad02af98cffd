"""Practice: decide and learn what it cost, exactly; pay a hand; find the mistake in a payment.

A question is made from a number, so nothing has to be stored until the answer: the same number
makes the same question. Rounds for the dealer's questions are played by the table itself.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from houseway.cards import SeededSource, Source
from houseway.errors import Refused
from houseway.floor.demonstration import sample_rules
from houseway.game_api.round import LOST
from houseway.game_api.wager_checks import check_wagers
from houseway.law import Rules, chapter
from houseway.maths.figures import decimal, exact
from houseway.money import Cents, cents, dollars
from houseway.present import PRESENTATION, Viewer, showdown, table_view
from houseway.present.scene import Hand
from houseway.present.teaching import TEACHING, Question, rule_of_thumb
from houseway.present.visible_cards import is_on_felt
from houseway.table import Event, NextStep, Table, evolve, rules_of
from houseway.table import events as e
from houseway.table.commands import COMMANDS
from houseway.table.driver import Driver, Player, least_wagers
from houseway.table.game import TABLE
from houseway.table.state import Due, key
from houseway.web.page_support import form, page, text
from houseway.web.pages.mathematics import law_of
from houseway.web.table.felt import felt_of, page_symbols


@lru_cache(maxsize=8)
def rules_for(id: str) -> Rules:
    """The rules of the demonstration's table of a chapter: they offer every wager worth paying."""
    return sample_rules(chapter(id))


# deciding


def asked(id: str, number: int) -> Question:
    """The question of this number."""
    rules = rules_for(id)
    return TEACHING.of(rules.chapter).question(rules, SeededSource(number))


async def contents(request: Request) -> Response:
    found = [chapter(id) for id in TEACHING.chapters()]
    asking = {law.id for law in found if TEACHING.of(law).asks_questions}
    return page(request, "practice.html", chapters=found, asking=asking)


async def deciding_page(request: Request) -> Response:
    law = law_of(request)
    number = _number(request.query_params.get("number"))
    question = await asyncio.to_thread(asked, law.id, number)
    return page(
        request, "practice_decide.html", law=law, number=number, question=question, answer=None,
        rows=(), symbols=page_symbols(), score=Score.read(request.query_params),
    )  # fmt: skip


async def decide(request: Request) -> Response:
    law = law_of(request)
    fields = await form(request)
    number = _number(text(fields, "number"))
    question = await asyncio.to_thread(asked, law.id, number)
    chosen = text(fields, "choice")
    worth = dict(question.worth)
    if chosen not in worth:
        raise Refused("no_such_choice", f"{chosen or 'nothing'} is not a choice here")
    cost = question.best[1] - worth[chosen]
    score = Score.read({name: text(fields, name) for name in Score._fields}).after(cost)
    rows = sorted(question.worth, key=lambda one: one[1], reverse=True)
    return page(
        request,
        "practice_decide.html",
        law=law,
        number=number,
        question=question,
        symbols=page_symbols(),
        answer={
            "chosen": chosen,
            "cost": decimal(cost, 4),
            "exact": exact(cost),
            "right": cost == 0,
        },
        rows=[(name, decimal(value, 4), exact(value)) for name, value in rows],
        score=score,
    )


class Score(NamedTuple):
    """The score of a drill: hands decided, best decisions, the current run, and what was given up."""

    asked: int = 0
    right: int = 0
    streak: int = 0
    best: int = 0
    #: in ten-thousandths of the wager
    lost: int = 0

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Score:
        """A score that a page carries from hand to hand."""
        numbers = (given.get(name, "") for name in cls._fields)
        return cls(*(int(one) if one.isdecimal() and len(one) < _DIGITS else 0 for one in numbers))

    def after(self, cost: Fraction) -> Score:
        streak = 0 if cost else self.streak + 1
        return Score(
            self.asked + 1, self.right + (not cost), streak, max(self.best, streak),
            self.lost + round(cost * 10_000),
        )  # fmt: skip


#: a score with more digits is not plausible
_DIGITS = 8


def _number(given: str | None) -> int:
    if given and given.isdecimal() and len(given) < 12:
        return int(given)
    return secrets.randbelow(10**9)


# paying

#: where the player of a question sits; at a smaller table on its last seat
_SEAT = 4


def _seat(table: Table) -> int:
    return min(_SEAT, len(table.boxes))


@lru_cache(maxsize=256)
def played(id: str, number: int) -> tuple[Table, tuple[Due, ...]]:
    """A round with one player, up to its settlement, and the lines it came to."""
    rules = rules_for(id)
    source = SeededSource(number)
    file = rules.as_file()
    # without terms of its own a meter grows by lawful ones
    parts = {name: file[name] for name in ("limits", "meters") if file.get(name)}
    driver = Driver(id, file.get("rules"), source=source, edition=file["edition"], **parts)
    seat = _seat(driver.table)
    driver.seat_player(seat, "player")
    driver.ready()
    for wager, amount in _wagers(rules, source).items():
        driver.wager(seat, {wager: dollars(amount)})
    driver.finish(_player(source))
    return _before_any_payment(driver.record, driver.table), driver.table.settled


def _wagers(rules: Rules, source: Source) -> dict[str, Cents]:
    """Something on every wager; only what must be wagered where the game does not take that."""
    found = {
        wager.id: 500 if wager.kind == "progressive" else 1000 + 500 * source.below(4)
        for wager in rules.chapter.wagers.values()
        if wager.made == "before_deal" and rules.offers(wager.id)
    }
    try:
        check_wagers(rules, found)
        TABLE.of(rules.chapter).check_wagers(rules, found)
    except Refused:
        return least_wagers(rules)
    return found


def _before_any_payment(record: Sequence[Event], end: Table) -> Table:
    """The table with every hand as it went to the rack, and every wager, as if none were settled.

    A hand that is over is taken from the table, often before the dealer's is complete.
    """
    table = last = Table()
    for event in record:
        table = evolve(table, event)
        if isinstance(event, e.WagerSettled):
            last = table
    away = {name: pile for name, pile in last.piles.items() if not is_on_felt(name)}
    chips = {key(line.wager, line.hand): line.stake for line in end.settled if line.stake}
    return msgspec.structs.replace(
        last,
        piles={**away, **end.racked},
        boxes=tuple(
            msgspec.structs.replace(box, layout=chips) if box.seat == _seat(last) else box
            for box in last.boxes
        ),
        settled=(),
    )


def _player(source: Source) -> Player:
    """A player who decides by rule of thumb, and every other time takes a rare offer."""

    def decides(table: Table, seat: int, steps: tuple[NextStep, ...]) -> tuple[str, dict[str, Any]]:
        rules = rules_of(table)
        game = PRESENTATION.of(rules.chapter)
        for name in game.rare_decisions:
            if any(step.command == name for step in steps) and source.below(2):
                cost = game.cost(rules, table.boxes[seat - 1], name)
                takes = "amount" in COMMANDS[name].__struct_fields__
                return name, {"amount": dollars(cost)} if takes else {}
        return rule_of_thumb(table, seat)

    return decides


_WAYS = {"win": "paid", "bonus": "paid", "lose": "collected", "forfeit": "collected"}


def _picture(table: Table) -> str:
    felt = felt_of(rules_for(table.chapter), prefix="q-")
    return felt.both(table_view(table, Viewer("record"), {"player": f"Seat {_seat(table)}"}))


def _hands(table: Table) -> list[tuple[str, Hand, str]]:
    """The hands at a readable size, each with its owner and its name."""
    whose = {"You": "Player"}
    return [
        (whose.get(who, who), pile, says)
        for who, pile, says in showdown(table, Viewer("record", _seat(table)))
    ]


async def paying_page(request: Request) -> Response:
    law = law_of(request)
    number = _number(request.query_params.get("number"))
    table, lines = await asyncio.to_thread(played, law.id, number)
    wrong, shown = _with_a_mistake(lines, number) if "find" in request.url.path else (-1, lines)
    del wrong
    template = "practice_find.html" if "find" in request.url.path else "practice_pay.html"
    return page(
        request, template, law=law, number=number, lines=shown, felt=_picture(table), hands=_hands(table), given={},
        answer=None, symbols=page_symbols(),
    )  # fmt: skip


async def pay(request: Request) -> Response:
    """Line by line: what was to be paid beside the stake, and under which clause."""
    law = law_of(request)
    fields = await form(request)
    number = _number(text(fields, "number"))
    table, lines = await asyncio.to_thread(played, law.id, number)
    given, answer = {}, []
    for at, line in enumerate(lines):
        way, amount = text(fields, f"way-{at}"), text(fields, f"paid-{at}")
        given[at] = (way, amount)
        right_way = _WAYS.get(line.result, "returned")
        try:
            right = way == right_way and (way != "paid" or cents(amount or "0") == line.paid)
        except Refused:
            right = False
        answer.append(right)
    return page(
        request, "practice_pay.html", law=law, number=number, lines=lines, felt=_picture(table), hands=_hands(table),
        given=given, answer=answer, symbols=page_symbols(),
    )  # fmt: skip


def _with_a_mistake(lines: tuple[Due, ...], number: int) -> tuple[int, tuple[Due, ...]]:
    """The same lines with one of them settled wrongly, or, one time in four, none."""
    source = SeededSource(number + 1)
    if source.below(4) == 0:
        return -1, lines
    at = source.below(len(lines))
    line = lines[at]
    if line.result in ("win", "bonus"):
        # the stake counted as a payment; a bonus has none, and is paid twice
        wrong = msgspec.structs.replace(line, paid=line.paid + (line.stake or line.paid))
    elif line.result in LOST:
        wrong = msgspec.structs.replace(line, result="push")
    else:
        wrong = msgspec.structs.replace(line, result="lose")
    return at, (*lines[:at], wrong, *lines[at + 1 :])


async def find(request: Request) -> Response:
    """Which line was settled wrongly?"""
    law = law_of(request)
    fields = await form(request)
    number = _number(text(fields, "number"))
    table, lines = await asyncio.to_thread(played, law.id, number)
    wrong, shown = _with_a_mistake(lines, number)
    given = text(fields, "line")
    chosen = int(given) if given.isdecimal() and len(given) < 4 else -1
    return page(
        request, "practice_find.html", law=law, number=number, lines=shown, felt=_picture(table), hands=_hands(table),
        given={}, symbols=page_symbols(),
        answer={"right": chosen == wrong, "wrong": wrong, "line": lines[wrong] if wrong >= 0 else None},
    )  # fmt: skip


ROUTES = [
    Route("/practice", contents),
    Route("/practice/{chapter}", deciding_page),
    Route("/practice/{chapter}", decide, methods=["POST"]),
    Route("/practice/{chapter}/pay", paying_page),
    Route("/practice/{chapter}/pay", pay, methods=["POST"]),
    Route("/practice/{chapter}/find", paying_page),
    Route("/practice/{chapter}/find", find, methods=["POST"]),
]
