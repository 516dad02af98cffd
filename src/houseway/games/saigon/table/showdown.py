"""Saigon's two hands when they are shown: which is turned, by which clause, and how it is set."""

from __future__ import annotations

from houseway.cards import cards
from houseway.games.saigon.hands import values
from houseway.games.saigon.table.events import HandsSet
from houseway.law import SAIGON, cites
from houseway.table.moment import Moment
from houseway.table.round_building import hands_in
from houseway.table.state import UNKNOWN, Due


def three_qualify(now: Moment, seat: int) -> bool:
    """Whether a three-card hand that lies open qualifies."""
    return values(now.rules.chapter).qualifies(cards(now.table.piles[f"three.{seat}"]))


@cites(SAIGON, "680a.11(d)(1)(i)", "680a.11(d)(2)(i)", "680a.11(e)")
def two_decides(now: Moment, seat: int) -> bool:
    """A showdown hand is turned for three cards that qualify, and for a Bonus that is open.

    Where nobody knew the cards when they were set, it shows too whether they were set rightly.
    """
    if UNKNOWN in now.table.piles[f"three.{seat}"]:
        return False
    return three_qualify(now, seat) or _bonus_open(now, seat) or setting_unseen(now, seat)


@cites(SAIGON, "680a.11(b)(1)")
def setting_unseen(now: Moment, seat: int) -> bool:
    """Whether three of the cards may qualify that were not set so: the other two are not known."""
    unknown = UNKNOWN in now.table.piles.get(f"two.{seat}", ())
    return unknown and "ante" not in now.box(seat).ended


def _bonus_open(now: Moment, seat: int) -> bool:
    done = any(line.seat == seat and line.wager == "bonus" for line in now.table.settled)
    return "bonus" in now.box(seat).wagers and not done


@cites(SAIGON, "680a.11(d)(1)(i)", "680a.11(d)(1)(ii)", "680a.11(d)(2)(i)", "680a.11(e)")
def decides(now: Moment, line: Due) -> bool:
    """The showdown hand is turned only when it decides: a qualifying hand's, or for the Bonus."""
    return line.wager != "ante" or three_qualify(now, line.seat)


@cites(SAIGON, "680a.11(d)(1)(ii)", "680a.11(d)(2)(ii)", "680a.11(e)")
def why_two(now: Moment, seat: int) -> str:
    """The step by which a showdown hand is turned: it decides alone, it is compared, or the Bonus."""
    if not three_qualify(now, seat):
        return "turn_two_to_check" if setting_unseen(now, seat) else "turn_two_for_bonus"
    size = now.rules.chapter.number("three_cards")
    beats = values(now.rules.chapter).qualifies(cards(now.table.piles["dealer"][:size]))
    return "turn_two_against_qualified" if beats else "turn_two"


@cites(SAIGON, "680a.11(c)", "680a.11(c)(1)", "680a.11(c)(2)")
def arranged(now: Moment, dealt: tuple[str, ...]) -> tuple[str, ...]:
    """The dealer's cards as they are laid out: the three, and then the showdown hand."""
    best = values(now.rules.chapter).best(cards(dealt))
    return tuple(map(str, (*best.three, *best.two)))


@cites(SAIGON, "680a.11(b)(1)")
def set_right(now: Moment) -> None:
    """Cards that nobody knew when they were set, and that qualify, are set so when they are seen."""
    known = values(now.rules.chapter)
    for box in hands_in(now):
        three = now.table.piles.get(f"three.{box.seat}", ())
        two = now.table.piles.get(f"two.{box.seat}", ())
        if not three or UNKNOWN in (*three, *two):
            continue
        held = cards((*three, *two))
        if known.qualifies(held[: len(three)]):
            continue
        best = known.best(held)
        if known.qualifies(best.three):
            now.emit(
                HandsSet,
                now.clause("set_hands"),
                seat=box.seat,
                three=tuple(map(str, best.three)),
                two=tuple(map(str, best.two)),
            )
