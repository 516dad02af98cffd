"""From the dealer's cards to the last wager: reveal, turn, settle wager by wager."""

from __future__ import annotations

from collections import Counter

from houseway.game_api.round import Line, Settlement
from houseway.game_api.settle import settle, settle_unchecked
from houseway.games.saigon.table_showdown import (
    arranged,
    set_right,
    showdown,
    three_qualify,
    two_decides,
    why_two,
)
from houseway.games.three_card import hands as three_card
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.money import dollars, spoken
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.card_source import turned
from houseway.table.engine import WAYS, Moment, action, way
from houseway.table.procedure.clearing import to_clear
from houseway.table.procedure.progressive import pay_from_meter, to_validate
from houseway.table.procedure.resettlement import settle_again
from houseway.table.procedure.tray import chips_in, exchange
from houseway.table.round_building import hands_in, in_order, round_of
from houseway.table.state import TAKEN, UNKNOWN, Box, Due, seat_pile, stake_of

# revealing


@action(c.RevealDealer, ("dealer",), ("revealing",))
@cites(MD, "11.D(2)", "10.B(4)")
@cites(MA, "10(b)", "9(c)(2)")
@cites(PRIME, "679a.11(c)")
@cites(SAIGON, "680a.11(c)")
def reveal_dealer(now: Moment, command: c.RevealDealer) -> None:
    """The dealer's cards are shown, out of the shoe first where they waited there."""
    if now.has_step("deal_hole_card"):
        WAYS["reveal"](now, command.cards)
        return
    waiting = now.table.piles.get("dealer_stack")
    if waiting:
        clause = now.clause("deal_dealer_stack", "reveal_dealer")
        now.emit(e.CardsMoved, clause, source="dealer_stack", to="dealer", count=len(waiting))
    cards = turned(now, "dealer", command.cards)
    if now.has_step("set_hands"):
        cards = arranged(now, cards)
    now.emit(e.CardsTurned, now.clause("reveal_dealer"), place="dealer", cards=cards)
    now.begin("settling")
    figure(now)


def _unknown(now: Moment) -> list[str]:
    """The same, when nothing is due: what is due is settled before more is turned."""
    return [] if now.table.due else unknown(now)


def unknown(now: Moment) -> list[str]:
    """Piles on the table that decide something and are to be keyed in when they are turned."""
    waits = any(_five_card_open(now, box) for box in hands_in(now))
    needed = ["community"] if waits and "community" in now.table.piles else []
    for box in reversed(hands_in(now)):
        own = (seat_pile(box.seat), f"three.{box.seat}")
        needed += [name for name in own if name in now.table.piles]
        if f"two.{box.seat}" in now.table.piles and two_decides(now, box.seat):
            needed.append(f"two.{box.seat}")
        if f"fourth.{box.seat}" in now.table.piles and fourth_decides(now, box.seat):
            needed.append(f"fourth.{box.seat}")
    return [name for name in needed if UNKNOWN in now.table.piles[name]]


def _five_card_open(now: Moment, box: Box) -> bool:
    """Whether a box has a five-card progressive wager that is not settled."""
    name = "five_card_progressive"
    done = any(line.seat == box.seat and line.wager == name for line in now.table.settled)
    return name in box.wagers and not done


@cites(PRIME, "679a.11(d)(2)(i)", "679a.11(d)(2)(ii)")
def fourth_decides(now: Moment, seat: int) -> bool:
    """A fourth card is turned for a pair or better, and for nothing less."""
    from houseway.cards import cards

    held = now.table.piles.get(seat_pile(seat), ())
    if UNKNOWN in held:
        return False
    hand = cards(held)
    return three_card.outcomes(hand, three_card.value(hand))[-1] != "high_card"


def figure(now: Moment) -> None:
    """What the round comes to, as far as the cards that decide it are known."""
    again = now.has_step("set_hands") and set_right(now)
    lines = figured(now)
    if lines is None:
        return
    if again:
        settle_again(now, lines, "three of the cards qualify", now.clause("set_hands"))
    elif now.table.trouble == "exposed":
        # an ante that was folded before goes back as well
        step = now.clause("dealer_card_exposed")
        settle_again(now, lines, "a dealer's card was seen too early", step)
    else:
        settle_again(now, lines, "a card was corrected")
    if not now.table.due and not unknown(now):
        now.begin("clearing")


@cites(MD, "11.D(3)")
@cites(MA, "10(c)(2)")
@cites(PRIME, "679a.11(c)")
@cites(SAIGON, "680a.11(d)")
def figured(now: Moment) -> list[tuple[int, Line]] | None:
    """The lines of the round in the order of settlement, up to the first that waits for a card.

    So a hand that is keyed in is settled before the next is turned. None: nothing can be said yet,
    all hands being turned first, or a settled wager hanging on a card that is not known now.
    """
    hidden = unknown(now)
    if hidden and _all_turned_first(now):
        return None
    if now.has_step("set_hands"):
        set_right(now)
    blank = frozenset(seat for name in hidden if (seat := _undecided(now, name)))
    if now.has_step("set_hands") and any(line.seat in blank for line in now.table.settled):
        return None
    found = in_order(now, _settlement(now, blank))
    if not hidden:
        return found
    done = {(line.seat, line.wager, line.hand) for line in now.table.settled}
    lines = []
    waits = False
    for seat, line in found:
        settled_already = (seat, line.wager, line.hand or 0) in done
        card = {
            "pair_bonus": f"fourth.{seat}", "five_card_progressive": "community",
            "bonus": f"two.{seat}",
        }  # fmt: skip
        if card.get(line.wager) in hidden:
            if settled_already:
                return None
            waits = True
        # hands are turned from the dealer's right; what all of them decide comes when all are seen
        waits |= seat <= max(blank, default=0) or bool(
            blank and line.wager in ("envy", "cover_all")
        )
        if settled_already or not waits:
            lines.append((seat, line))
    return lines


def _undecided(now: Moment, name: str) -> int:
    """The seat of which nothing can be said before this pile is known; 0: some of it can."""
    part, _, seat = name.partition(".")
    if part not in ("seat", "three", "two"):
        return 0
    # a hand that does not qualify is decided by its three cards; the other two are for the Bonus
    return 0 if part == "two" and not three_qualify(now, int(seat)) else int(seat)


def _all_turned_first(now: Moment) -> bool:
    """By procedure all hands are turned before any is settled; so they are where winners share."""
    return now.has_step("turn_all_first") or now.rules.options.get("several_meter_hits") == "shared"


@cites(PRIME, "679a.13(d)")
def _settlement(now: Moment, blank: frozenset[int]) -> Settlement:
    """A dealer's card seen too early sends ante and play back, and optional wagers are settled."""
    from houseway.games.three_card.prime import settle_exposed

    # other cards may stand in for unknown ones, but not in hands that were set by what they are
    round_ = round_of(now, blank if now.has_step("set_hands") else frozenset())
    if now.table.trouble == "exposed":
        return settle_exposed(round_)
    if now.has_step("set_hands") and any(
        UNKNOWN in now.table.piles.get(f"two.{seat.seat}", ()) for seat in round_.seats
    ):
        # a showdown hand that was not turned: what stands in for it need not be well set
        return settle_unchecked(round_)
    return settle(round_)


# turning the players' hands


def _face_down(now: Moment) -> list[int]:
    """Seats with a hand that still lies face down, from the dealer's right."""
    return [
        seat
        for seat in reversed(now.table.hands)
        if any(
            name in now.table.piles and name not in now.table.shown
            for name in (seat_pile(seat), f"three.{seat}")
        )
    ]


@way("cards_are_seen")
def cards_are_seen(now: Moment) -> bool:
    """Whether every card that decides the next wager lies face up."""
    table = now.table
    if not table.due or to_turn(now) is not None:
        return False
    return table.due[0].wager != "five_card_progressive" or "community" in table.shown


def to_turn(now: Moment) -> tuple[int, str] | None:
    """The seat, and the part of its hand, that is to be turned up before the next wager."""
    table = now.table
    down = _face_down(now)
    hidden = _unknown(now)
    if down and (
        now.has_step("turn_all_first")
        or (hidden and _all_turned_first(now))
        # these depend on hands of others
        or (table.due and table.due[0].wager in ("envy", "cover_all"))
    ):
        return down[0], ""
    if hidden:
        return _to_key_in(now, hidden, down)
    if not table.due:
        return None
    line = table.due[0]
    if line.seat in down:
        return line.seat, ""
    if line.wager == "pair_bonus" and line.result == "win":
        fourth = f"fourth.{line.seat}"
        waits = fourth in table.piles and fourth not in table.shown
        return (line.seat, "fourth") if waits else None
    if now.has_step("set_hands") and f"two.{line.seat}" in table.piles:
        shown = f"two.{line.seat}" in table.shown
        return None if shown or not showdown(now, line) else (line.seat, "two")
    return None


def _to_key_in(now: Moment, hidden: list[str], down: list[int]) -> tuple[int, str] | None:
    """What an open hand still waits for comes before the next hand is turned."""
    for name in hidden:
        part, _, seat = name.partition(".")
        if seat and int(seat) not in down:
            return int(seat), part
    if _community_awaited(now, hidden, down):
        return None
    return (down[0], "") if down else None


def _community_awaited(now: Moment, hidden: list[str], down: list[int]) -> bool:
    """Whether a hand that lies open has its five-card wager to be settled next."""
    return "community" in hidden and any(
        box.seat not in down and _five_card_open(now, box) for box in hands_in(now)
    )


def _may_turn(now: Moment, seat: int) -> None:
    found = to_turn(now)
    if found is None or found[0] != seat:
        raise now.refuse("out_of_turn", "no hand of that seat is to be turned now", "turn_hand")
    _check_cleared(now, seat)


def _turned_by(now: Moment) -> tuple[str, ...]:
    """The steps by which the next hand, or part of one, is turned."""
    found = to_turn(now)
    if found is None or not found[1]:
        return ("turn_hand",)
    seat, part = found
    return (why_two(now, seat) if part == "two" else f"turn_{part}", "turn_hand")


@action(c.TurnHand, ("dealer",), ("settling",), _may_turn, words=_turned_by)
@cites(MA, "10(c)(1)(i)", "10(c)(2)(i)")
def turn_hand(now: Moment, command: c.TurnHand) -> None:
    """A player's cards are turned up, from the dealer's right."""
    found = to_turn(now)
    assert found is not None
    part = found[1]
    own = seat_pile(command.seat)
    if not part:
        part = "three" if own not in now.table.piles else ""
    place = f"{part}.{command.seat}" if part else own
    cards = turned(now, place, command.cards)
    now.emit(e.CardsTurned, now.clause(*_turned_by(now)), place=place, cards=cards)
    if not now.table.due:
        figure(now)


def _may_expose(now: Moment, _seat: int) -> None:
    table = now.table
    due = table.due and table.due[0].wager == "five_card_progressive"
    waits = "community" in table.piles and "community" not in table.shown
    if not waits or not (due or _community_awaited(now, _unknown(now), _face_down(now))):
        raise now.refuse("out_of_turn", "the community cards are not due", "expose_community")


@action(c.ExposeCommunity, ("dealer",), ("settling",), _may_expose)
@cites(MD, "11.D(9)(b)")
def expose_community(now: Moment, command: c.ExposeCommunity) -> None:
    """The two community cards are turned for the first five-card progressive."""
    cards = turned(now, "community", command.cards)
    now.emit(e.CardsTurned, now.clause("expose_community"), place="community", cards=cards)
    if not now.table.due:
        figure(now)


# settling


def _may_settle(now: Moment, _seat: int) -> None:
    table = now.table
    found = to_turn(now)
    if found is not None:
        raise now.refuse("turn_first", f"turn the hand of seat {found[0]} first", "turn_hand")
    if not table.due:
        raise now.refuse("cards_not_known", "the cards are to be keyed in first", "turn_hand")
    line = table.due[0]
    if line.wager == "five_card_progressive" and "community" not in table.shown:
        raise now.refuse("turn_first", "expose the community cards first", "expose_community")
    if to_validate(now, line):
        raise now.refuse(
            "not_validated",
            f"the progressive win of seat {line.seat} waits for the floorperson",
            "validate_progressive",
        )
    _check_cleared(now, line.seat)


def _check_cleared(now: Moment, seat: int) -> None:
    """Where the chapter clears player by player, one is cleared before the next is begun."""
    waiting = to_clear(now) if now.has_step("clear_by_player") else 0
    if waiting and seat != waiting:
        raise now.refuse("clear_first", f"collect the cards of seat {waiting} first", "clear_hands")


#: what is settled before the dealer's hand is complete
_EARLY = {
    "matching": ("settle_match_the_dealer",),
    "insurance": ("collect_insurance",),
    "deciding": ("pay_blackjack",),
}


@action(
    c.SettleNext,
    ("dealer",),
    ("settling", "matching", "insurance", "deciding"),
    _may_settle,
    words=lambda now: _EARLY.get(now.table.phase, ()),
)
@cites(MD, "11.D(7)", "11.D(9)(d)")
@cites(MA, "10(c)")
def settle_next(now: Moment, _command: c.SettleNext) -> None:
    """The next wager in the order of settlement: collected, paid or returned."""
    pay(now, now.table.due[0])
    if not now.table.due:
        if now.table.phase == "settling":
            if not unknown(now):
                now.begin("clearing")
        else:
            WAYS[AFTER[now.table.phase]](now)


#: what follows when the last wager of an earlier stage is settled
AFTER = {
    "matching": "after_matching",
    "insurance": "after_insurance",
    "deciding": "turn_goes_on",
}


def pay(now: Moment, line: Due) -> None:
    """One line carried out: chips between the layout, the tray and the player."""
    box = now.table.boxes[line.seat - 1]
    lying = box.layout.get(stake_of(box, line.wager, line.hand), 0) if line.stake else 0
    to_player = 0 if line.result in TAKEN else line.stake + line.paid
    now.emit(
        e.WagerSettled,
        line.clause,
        seat=line.seat,
        wager=line.wager,
        stake=dollars(line.stake),
        result=line.result,
        paid=dollars(line.paid),
        odds=line.odds,
        hand=line.hand,
        meter=line.meter,
        from_meter=dollars(line.from_meter) if line.meter else "",
        outcome=line.outcome,
        tray=exchange(now.table, lying, to_player - line.from_meter, _lost_chips(now)),
    )
    if line.meter:
        pay_from_meter(now, line)


@cites(DOWN_UNDER, "685a.7(r)(2)")
def _lost_chips(now: Moment) -> dict[str, int]:
    """The chips of this round's losing wagers, where they go into the tray and pay nobody."""
    if not now.has_step("lost_chips_pay_nobody"):
        return {}
    lost: Counter[str] = Counter()
    for line in now.table.settled:
        if line.result == "lose":
            lost.update(chips_in(now.table, line.stake))
    return dict(lost)


def describe(line: Due) -> str:
    """A due line in words, for the dealer."""
    if line.result in ("lose", "forfeit"):
        return f"seat {line.seat}: collect {line.wager} of {spoken(line.stake)}"
    if line.result in ("push", "returned"):
        return f"seat {line.seat}: return {line.wager} of {spoken(line.stake)}"
    return f"seat {line.seat}: pay {spoken(line.paid)} on {line.wager}"
