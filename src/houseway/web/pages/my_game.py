"""My game: my rounds to replay and verify, my results beside chance, and what my decisions cost."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from houseway.errors import Refused
from houseway.floor.audit.decisions import Decisions, Judged
from houseway.floor.audit.export import bundle_zip
from houseway.floor.audit.player_results import GameResults, results_of, rounds_of
from houseway.floor.audit.projections import Projections
from houseway.floor.audit.rounds import find_round
from houseway.floor.audit.verify_deal import verify_deal
from houseway.floor.people.directory import Person
from houseway.law import chapter
from houseway.maths.figures import decimal
from houseway.present import Viewer, table_view, visible_cards
from houseway.present.teaching import advise
from houseway.store import Log
from houseway.table import rules_of
from houseway.untrusted import whole_number
from houseway.web.page_support import Json, casino, download, form, named, page, signed_in
from houseway.web.pages.pagination import begins, turning
from houseway.web.pages.records.investigation import archive, faces, round_and_steps
from houseway.web.table.felt import felt_of, operator_of, page_symbols
from houseway.web.table.page import question

#: rounds on a page, and mistakes that are worth a look
MOST, WORST = 25, 8


class _Known:
    """The decisions of everybody at this house, read as the record grows."""

    decisions = Decisions()
    log: Log | None = None


def _decisions(log: Log) -> Decisions:
    if _Known.log is not log:
        _Known.log, _Known.decisions = log, Decisions()
    _Known.decisions.update(log)
    return _Known.decisions


async def my_game(request: Request) -> Response:
    who = signed_in(request)

    def ask(projections: Projections, log: Log) -> tuple[Any, ...]:
        rounds = rounds_of(projections, who.id, MOST + 1, begins(request))
        judged = _decisions(log).judged(who.id)
        mistakes = [_mistake(projections, one) for one in worst(judged)]
        return rounds, results_of(projections, who.id), judged, mistakes

    rounds, results, judged, mistakes = await archive(request).ask(ask)
    return page(
        request,
        "my_game.html",
        rounds=[{**one, "hand": faces(one["cards"]), "table_cards": faces(one["dealer"])}
                for one in rounds[:MOST]],
        turning=turning(request, {}, rounds[MOST - 1]["id"] if len(rounds) > MOST else ""),
        games=[_game(one, judged) for one in results],
        mistakes=mistakes,
        symbols=page_symbols(),
    )  # fmt: skip


def worst(judged: list[Judged]) -> list[Judged]:
    """The decisions that gave up most, the worst first."""
    return sorted((one for one in judged if one.cost > 0), key=lambda one: -one.cost)[:WORST]


def _game(results: GameResults, judged: list[Judged]) -> dict[str, Any]:
    law = chapter(results.chapter)
    mine = [one for one in judged if one.decision.before.chapter == results.chapter]
    right = sum(one.cost == 0 for one in mine)
    return {
        "law": law,
        "results": results,
        "chart": chart(results),
        "decisions": len(mine),
        "mistakes": len(mine) - right,
        "accuracy": f"{100 * right / len(mine):.1f}" if mine else "",
        "cost": sum(one.cents for one in mine),
        "apart": {law.line_name(wager): came for wager, came in results.apart.items()},
        "inside": results.low <= results.counted <= results.high,
    }


def chart(results: GameResults) -> str:
    """My results round by round as a line, in the band where nineteen of twenty end."""
    points = results.points
    if len(points) < 2:
        return ""
    wide, tall, left = 640.0, 190.0, 64.0
    low = min(min(p.low, p.net) for p in points)
    high = max(max(p.high, p.net) for p in points)
    span = (high - low) or 1.0

    def at(i: int, value: float) -> str:
        x = left + (wide - left - 8) * i / (len(points) - 1)
        return f"{x:.1f} {10 + (tall - 30) * (high - value) / span:.1f}"

    band = (
        " ".join(at(i, p.high) for i, p in enumerate(points))
        + " "
        + " ".join(at(i, p.low) for i, p in reversed(list(enumerate(points))))
    )
    net = "L".join(at(i, p.net) for i, p in enumerate(points))
    expected = "L".join(at(i, p.expected) for i, p in enumerate(points))
    zero = at(0, 0).split()[1]

    def money(cents: float) -> str:
        return f"{'−' if cents < 0 else ''}${abs(cents) / 100:,.0f}"

    labels = "".join(
        f'<text x="{left - 6}" y="{float(at(0, value).split()[1]) + 4:.1f}" text-anchor="end">{money(value)}</text>'
        for value in dict.fromkeys((high, 0.0, low))
    )
    return (
        f'<svg class="results" viewBox="0 0 {wide:.0f} {tall:.0f}" role="img" aria-label="My results '
        f"after {results.rounds} rounds: {money(results.counted)}, expected {money(results.expected)}, "
        f'95 of 100 end between {money(results.low)} and {money(results.high)}">'
        f'<polygon class="band" points="{band}"/><path class="zero" d="M{left} {zero}H{wide}"/>'
        f'<path class="expected" d="M{expected}"/><path class="net" d="M{net}"/>{labels}'
        f'<text x="{wide - 4:.0f}" y="{tall - 4:.0f}" text-anchor="end">round {results.rounds}</text></svg>'
    )


def _mistake(projections: Projections, one: Judged) -> dict[str, Any]:
    decision = one.decision
    seen = visible_cards(decision.before, Viewer("seat", decision.seat))
    hands = [pile for name, pile in seen.items() if name.split(".")[1:2] == [str(decision.seat)]]
    return {
        "game": rules_of(decision.before).chapter.about.game,
        "round": decision.round,
        # a round that is still played cannot be replayed yet
        "ended": bool(projections.rows("select id from rounds where id = ?", decision.round)),
        "cards": [card for pile in hands for card in pile],
        "up": [card for card in seen.get("dealer", ()) if card is not None][:1],
        "choice": decision.choice.replace("_", " "),
        "best": one.best.replace("_", " "),
        "cost": f"{one.cost:.4f}",
        "cents": one.cents,
    }


# one round of mine


async def _mine(request: Request, who: Person) -> tuple[dict[str, Any], int]:
    """A round in which I had a hand, and my seat; other rounds are refused."""
    id = request.path_params["round"]
    found = await archive(request).ask(lambda p, _: find_round(p, id))
    seat = next((hand["seat"] for hand in found["hands"] if hand["player"] == who.id), 0)
    if not seat:
        raise Refused("no_such_round", f"you had no hand in a round {id!r}")
    return found, seat


async def my_round(request: Request) -> Response:
    """One of my rounds, step by step, as I saw it from my seat."""
    who = signed_in(request)
    found, seat = await _mine(request, who)
    _, steps = await round_and_steps(request)
    asked = request.query_params.get("step", "0")
    at = min(whole_number(asked) or 0, len(steps) - 1)
    step, house = steps[at], casino(request)
    names = {box.player: named(house, box.player) for box in step.table.boxes if box.player}
    seen = table_view(step.table, Viewer("seat", seat), names)
    return page(
        request, "my_round.html", round=found, steps=steps, at=at, seat=seat,
        felt=felt_of(rules_of(step.table), house=operator_of(house, step.table)).mine(seen), symbols=page_symbols(),
        law=step.table.chapter, told=[one.shown or one.says for one in steps],
    )  # fmt: skip


async def my_deal(request: Request) -> Response:
    """Verify that one of my rounds was dealt from the order sealed before its bets."""
    await form(request)
    who = signed_in(request)
    found, _ = await _mine(request, who)
    verdict = await archive(request).ask(lambda _, log: verify_deal(log, found))
    return page(request, "deal.html", verdict=verdict, id=found["id"], back="/me/rounds")


# the coach


async def coach(request: Request) -> Response:
    """What each choice at my seat gives up, in words: the page shows the one that is made."""
    who = signed_in(request, "player")
    house, name = casino(request), request.path_params["table"]
    seat = house.seat_of(name, who.id)
    if not seat:
        raise Refused("nobody_there", "sit down first")
    table = house.table(name).state
    if (asked := request.query_params.get("ask")) and asked != question(table, seat):
        return Json({})  # it was about a hand that is decided
    unit, worth = await asyncio.to_thread(advise, table, seat)
    best, most = worth[0]
    return Json({choice: _said(choice, best, most - value, unit) for choice, value in worth})


def _said(choice: str, best: str, cost: Fraction, unit: str) -> dict[str, object]:
    mine, better = (name.replace("_", " ") for name in (choice, best))
    if not cost:
        return {"right": True, "says": f"{mine.capitalize()} is the best play."}
    says = (
        f"{better.capitalize()} was better: {mine} gives up {decimal(cost, 4)} {unit} on average."
    )
    return {"right": False, "says": says}


async def my_proof(request: Request) -> Response:
    """The proof of one of my rounds to take away; hands that nobody saw stay closed in it."""
    who = signed_in(request)
    found, _ = await _mine(request, who)
    id = found["id"]
    data = await archive(request).ask(lambda _, log: bundle_zip(log, found, public=True))
    return await download(request, who, "proof", f"round {id}", data)


async def verify_page(request: Request) -> Response:
    """The page that explains how anybody can check a round without the house."""
    keys = casino(request).log.keys
    return page(request, "verify.html", key=keys.active.public if keys is not None else "")


async def checker(_: Request) -> Response:
    """The one file that checks a proof with nothing but Python."""
    text = files("houseway.floor.audit").joinpath("check.py").read_text("utf-8")
    return PlainTextResponse(
        text, headers={"Content-Disposition": 'attachment; filename="check.py"'}
    )


ROUTES = [
    Route("/verify", verify_page),
    Route("/verify/check.py", checker),
    Route("/me/rounds/{round}/proof.zip", my_proof),
    Route("/me/game", my_game),
    Route("/me/rounds/{round}", my_round),
    Route("/me/rounds/{round}/deal", my_deal, methods=["POST"]),
    Route("/tables/{table}/coach", coach),
]
