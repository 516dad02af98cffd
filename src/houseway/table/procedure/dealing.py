"""The deal, card by card or stack by stack, in the one order the chapter allows; then the stub.

A plan lists every step of a round's deal: where the next cards go, how many, face up or down. A
`deal` is the next of them and nothing else.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.actions import action
from houseway.table.card_source import check_dealing_device, draw, pack
from houseway.table.moment import Moment
from houseway.table.state import seat_pile


class Deal(NamedTuple):
    """One step of the deal: a number of cards to a place."""

    to: str
    cards: int = 1
    face_up: bool = False
    #: where the top card of the stack goes at once: a fourth card, or the rack
    top_to: str = ""


@lru_cache(maxsize=1024)
@cites(MD, "8.E", "8.E(1)", "8.E(2)", "9.C", "9.C(2)", "9.C(3)", "9.C(4)")
@cites(MA, "7(c)", "8(c)")
@cites(PRIME, "679a.8(c)", "679a.9(b)")
@cites(SAIGON, "680a.8(c)", "680a.9(b)")
def one_at_a_time(seats: tuple[int, ...], size: int) -> tuple[Deal, ...]:
    """From the dealer's far left clockwise, the dealer last."""
    return (*(Deal(seat_pile(seat)) for seat in seats), Deal("dealer")) * size


@lru_cache(maxsize=1024)
@cites(MD, "10.B", "10.B(1)", "10.B(2)", "10.B(3)", "10.B(4)", "10.B(6)")
@cites(MA, "9(b)", "9(c)", "9(c)(1)", "9(c)(2)")
@cites(PRIME, "679a.10(a)", "679a.10(b)")
@cites(SAIGON, "680a.10(a)", "680a.10(b)")
def in_stacks(seats: tuple[int, ...], size: int, dealer: str) -> tuple[Deal, ...]:
    """Stacks clockwise, the dealer's last."""
    return (*(Deal(seat_pile(seat), size) for seat in seats), Deal(dealer, size))


def deals_in_stacks(now: Moment) -> bool:
    """Whether the automated shoe deals: it is chosen, and was not set aside."""
    shoe = now.table.devices.get("automated_shoe")
    return shoe is not None and shoe.condition == "working"


def next_deal(now: Moment) -> Deal | None:
    return _next(now)[0]


def _next(now: Moment) -> tuple[Deal | None, int]:
    """The next step of the deal, and how many steps ahead it is, since dead hands are skipped."""
    steps, at = now.game.deal_plan(now), now.table.dealt
    out = [box.seat for box in now.table.boxes if box.out]
    if out:
        dead = [name for seat in out for name in now.game.hand_piles(seat)]
        while at < len(steps) and steps[at].to in dead:
            at += 1
    return (steps[at] if at < len(steps) else None), at + 1 - now.table.dealt


def _may_deal(now: Moment, _seat: int) -> None:
    if now.table.phase == "betting":
        if now.has_step("no_more_bets"):
            raise now.refuse(
                "bets_open", "bets are closed aloud before the first card", "no_more_bets"
            )
        from houseway.table.procedure.wagering import may_close_bets

        may_close_bets(now)
    if now.table.phase == "deciding" and not now.game.waits_for_card(now):
        raise now.refuse("out_of_turn", "the players are deciding", "deal")
    if "shoe" not in now.table.piles and now.has_step("shoe_runs_out"):
        raise now.refuse("shoe_empty", "there is no card left in the shoe", "shoe_runs_out")
    now.game.check_deal(now)
    check_dealing_device(now)


def _steps_of(now: Moment) -> tuple[str, ...]:
    """The steps by which this card or stack is dealt, the most specific first."""
    if now.table.phase == "deciding":
        return now.game.deal_in_turn(now)
    step = next_deal(now) if now.table.hands else None
    return now.game.deal_steps(now, step) if step is not None else ("deal",)


def steps_of_deal(now: Moment, step: Deal) -> tuple[str, ...]:
    """The first stack, and a box's second card, have clauses of their own in some chapters."""
    place = step.to.partition(".")[0]
    first = ("deal_first",) if place == "seat" and not now.table.dealt else ()
    second = ("deal_second",) if place == "seat" and step.to in now.table.piles else ()
    return (*first, *second, f"deal_{place}", "deal")


@action(
    c.Deal,
    ("dealer", "device", "system"),
    ("betting", "dealing", "deciding"),
    _may_deal,
    words=_steps_of,
)
@cites(MD, "8.E", "9.C", "10.B")
@cites(PRIME, "679a.10(g)(1)", "679a.10(g)(2)")
@cites(DOWN_UNDER, "685a.7(d)", "685a.7(e)")
def deal(now: Moment, command: c.Deal) -> None:
    """The next card, or the next stack."""
    if now.table.phase == "deciding":
        now.game.deal_awaited(now, command.cards)
        return
    if now.table.phase == "betting":
        now.game.before_deal(now)
    step, steps = _next(now)
    assert step is not None
    taken = draw(now, step.cards, command.cards, face_up=step.face_up)
    now.emit(
        e.CardsDealt, now.clause(*now.game.deal_steps(now, step)),
        to=step.to, cards=taken, face_up=step.face_up, step=steps,
    )  # fmt: skip
    if step.top_to:
        clause = now.clause("top_card_to_rack" if step.top_to == "discard" else "top_card_aside")
        now.emit(e.CardsMoved, clause, source=step.to, to=step.top_to, count=1)
    now.game.after_card(now, step.to)
    if next_deal(now) is None:
        now.game.after_deal(now)


# the stub


@cites(MD, "8.F", "9.D", "10.C")
@cites(MA, "7(e)", "7(f)", "8(e)", "9(e)")
@cites(PRIME, "679a.8(e)", "679a.9(d)", "679a.10(d)")
@cites(SAIGON, "680a.8(e)", "680a.9(d)", "680a.10(d)")
def count_is_due(now: Moment) -> bool:
    """Whether the stub must be counted this round: every fifth, unless a device counted the deck."""
    if now.table.decks[now.table.in_play].counted:
        return False
    return now.table.rounds_since_count >= now.rules.chapter.number("stub_count_rounds")


def _may_remove(now: Moment, _seat: int) -> None:
    if count_is_due(now):
        raise now.refuse("count_due", "the stub is to be counted this round", "count_stub")


@action(c.RemoveStub, ("dealer",), ("stub",), _may_remove)
@cites(MD, "8.E(3)", "9.C(5)", "10.B(5)")
@cites(MA, "7(d)", "8(d)", "9(d)")
@cites(PRIME, "679a.8(d)", "679a.9(c)", "679a.10(c)")
@cites(SAIGON, "680a.8(d)", "680a.9(c)", "680a.10(c)")
def remove_stub(now: Moment, _command: c.RemoveStub) -> None:
    """Out of the shoe and into the rack, unseen."""
    stub_to_rack(now, "remove_stub")
    _after_stub(now)


def stub_to_rack(now: Moment, step: str) -> None:
    stub = now.table.piles.get("shoe", ())
    if stub:
        now.emit(e.CardsMoved, now.clause(step), source="shoe", to="discard", count=len(stub))


def _after_stub(now: Moment) -> None:
    from houseway.table.procedure.deciding import begin_decisions

    begin_decisions(now)


@action(
    c.CountStub,
    ("dealer",),
    ("stub",),
    choices=lambda now, _: [{"count": len(now.table.piles.get("shoe", ()))}],
)
@cites(MD, "8.F", "8.G", "8.H", "8.H(1)", "8.H(2)", "9.D", "9.E", "9.F", "9.G", "9.H")
@cites(MD, "10.C", "10.D", "10.E", "10.F", "10.G")
@cites(MA, "7(e)", "7(e)(1)", "7(e)(2)", "8(e)", "9(e)")
@cites(PRIME, "679a.8(f)", "679a.8(g)", "679a.9(e)", "679a.9(f)", "679a.10(e)", "679a.10(f)")
@cites(SAIGON, "680a.8(f)", "680a.8(g)", "680a.9(e)", "680a.9(f)", "680a.10(e)", "680a.10(f)")
def count_stub(now: Moment, command: c.CountStub) -> None:
    """A right count goes to the rack; a wrong one voids the round, and may take the deck away."""
    from houseway.table.procedure.voiding import void

    expected = len(now.table.piles.get("shoe", ()))
    wrong = command.count != expected
    if wrong and command.misdealt is None:
        raise now.refuse(
            "misdealt_or_not",
            f"{command.count} cards where {expected} of {len(pack(now.rules))} are left: "
            "say whether the cards were misdealt",
            "stub_wrong",
            field="misdealt",
        )
    if not wrong and command.misdealt:
        raise now.refuse(
            "not_wrong",
            f"{expected} cards are the right number; report the hand that has a wrong number",
            "stub_right",
            field="misdealt",
        )
    now.emit(
        e.StubCounted,
        now.clause("count_stub"),
        count=command.count,
        expected=expected,
        misdealt=command.misdealt if wrong else None,
    )
    if not wrong:
        stub_to_rack(now, "stub_right")
        _after_stub(now)
    elif command.misdealt:
        void(now, "the stub shows a misdeal", "stub_misdealt")
    else:
        void(now, "the stub shows a wrong number of cards", "stub_wrong", deck_goes=True)
