"""Down Under Blackjack, 58 Pa. Code Ch. 685a: how each wager of a round is settled.

Settled in stages: Match-the-Dealer right after the deal; even money; insurance once the reader was
used; players' blackjacks from the dealer's left; at the end all other bets, in the order that the
Rules Submission names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

from houseway.cards import Card
from houseway.game_api.clause_numbers import renumbering
from houseway.game_api.payouts import pay_bonus, pay_wager
from houseway.game_api.round import (
    Line,
    Meters,
    Result,
    Round,
    Seat,
    Settlement,
    Wagers,
    hashable,
    settlement,
)
from houseway.games.down_under.hands import (
    both_large,
    dealer_total,
    is_blackjack,
    numbers,
    player_total,
)
from houseway.games.down_under.play import check, first_two
from houseway.games.down_under.seat import played, seat_fields
from houseway.law import DOWN_UNDER, Rules, cites
from houseway.money import Cents

__all__ = ["Step", "check", "matches", "outcome", "seat_fields", "settle", "steps"]
settled_wagers = ("bet", "double", "split", "insurance", "match_the_dealer")


class Step(NamedTuple):
    """One wager settled at one seat."""

    seat: int
    line: Line


@cites(DOWN_UNDER, "685a.7(n)", "685a.7(n)(1)", "685a.7(n)(2)", "685a.7(o)", "685a.7(o)(1)")
@cites(DOWN_UNDER, "685a.7(o)(2)", "685a.7(p)", "685a.7(q)", "685a.7(q)(1)", "685a.7(q)(2)")
def outcome(rules: Rules, mine: int, dealer: int, *, two_large: bool) -> tuple[Result, str]:
    """What becomes of a hand's wagers against the dealer's total, and the clause that says so."""
    known = numbers(rules)
    if mine > known.player_most:
        return "lose", "685a.7(q)(1)"
    if dealer == known.push_total:
        paid = two_large or mine == known.player_most
        return ("win" if paid else "push"), "685a.7(n)(1)"
    if dealer > known.dealer_most:
        return "win", "685a.7(o)(1)"
    if mine > dealer:
        return "win", "685a.7(o)(2)"
    return ("push", "685a.7(p)") if mine == dealer else ("lose", "685a.7(q)(2)")


@cites(DOWN_UNDER, "685a.7(f)")
def matches(up_card: Card, cards: Sequence[Card]) -> tuple[str, ...]:
    """For each card of the up card's rank, whether its suit matches too."""
    rank = up_card >> 2
    return tuple(
        [
            "suited_match" if card == up_card else "unsuited_match"
            for card in cards
            if card >> 2 == rank
        ]
    )


@cites(DOWN_UNDER, "685a.7(f)", "685a.11(c)")
def _match_the_dealer(rules: Rules, stake: Cents, found: tuple[str, ...]) -> Line:
    """Each of the first two cards is matched by itself; two matches are paid together."""
    wager = "match_the_dealer"
    table = rules.table(wager)
    pays = [pay for name in found if (pay := table.get(name))]
    if not pays:
        return Line(wager, stake, "lose", 0, "685a.7(f)")
    paid = sum(pay.odds.beside(stake) for pay in pays)
    together = sum((pay.odds.value for pay in pays), Fraction(0))
    odds = f"{together.numerator} to {together.denominator}"
    rows = " + ".join(pay.hand for pay in pays)
    return Line(wager, stake, "win", paid, pays[0].clause, odds, outcome=rows)


class Worth(NamedTuple):
    """What decides the wagers on a hand."""

    points: int
    two_large: bool
    #: whether it is one unless it comes from a split
    blackjack: bool


def _worth(rules: Rules, cards: tuple[Card, ...]) -> Worth:
    points = player_total(rules, cards).points
    return Worth(points, both_large(rules, cards), is_blackjack(rules, cards))


class Box(NamedTuple):
    """What decides the wagers of a seat."""

    wagers: Wagers
    #: with what was added to double each
    hands: tuple[tuple[Worth, Cents], ...]
    split: bool
    even_money: bool
    matches: tuple[str, ...]

    @property
    def blackjack(self) -> bool:
        """A split hand is never a blackjack."""
        return not self.split and self.hands[0][0].blackjack


def _box(rules: Rules, seat: Seat, up_card: Card) -> Box:
    mine, worth = played(seat), rules.remembering(_worth)
    return Box(
        hashable(seat.wagers),
        tuple([(worth(hand.cards), hand.doubled) for hand in mine.hands]),
        mine.split,
        mine.even_money,
        matches(up_card, first_two(seat)) if "match_the_dealer" in seat.wagers else (),
    )


def _insurance(rules: Rules, box: Box, *, wins: bool) -> Iterator[Line]:
    stake = box.wagers.get("insurance")
    if stake is not None:
        names = ("win",) if wins else ()
        yield pay_wager(
            rules, rules.table("insurance"), "insurance", stake, names, lost="685a.8(d)"
        )


def _even_money(rules: Rules, bet: Cents) -> Iterator[Line]:
    """The bet is returned with an equal amount, before the hole card is known."""
    bonus = pay_bonus(rules.table("even_money"), "even_money", bet, ("win",))
    if bonus is not None:
        yield Line("bet", bet, "returned", 0, bonus.clause)
        yield bonus


def _win(
    rules: Rules, wager: str, stake: Cents, clause: str, hand: int | None = None, name: str = "win"
) -> Line:
    odds = rules.table(wager)[name].odds
    paid = odds.beside(stake)
    return Line(wager, stake, "win", paid, clause, odds.text, hand, outcome=name)


def _stakes(box: Box) -> Iterator[tuple[str, Cents, Worth, int | None]]:
    """Every wager on the hands of a seat: the bet or what split it, and what doubled it."""
    for number, (hand, doubled) in enumerate(box.hands, 1):
        shown = number if box.split else None
        yield ("bet" if number == 1 else "split"), box.wagers["bet"], hand, shown
        if doubled:
            yield "double", doubled, hand, shown


@cites(DOWN_UNDER, "685a.7(h)(1)", "685a.7(h)(2)", "685a.9(b)", "685a.10(d)")
def _against_blackjack(box: Box) -> Iterator[Line]:
    """The dealer's blackjack takes a player's first bet and nothing that was added to it."""
    added = {"double": "685a.9(b)", "split": "685a.10(d)"}
    for wager, stake, _, number in _stakes(box):
        if wager in added:
            yield Line(wager, stake, "returned", 0, added[wager], hand=number)
        elif box.blackjack:
            yield Line(wager, stake, "push", 0, "685a.7(h)(1)", hand=number)
        else:
            yield Line(wager, stake, "lose", 0, "685a.7(h)(2)", hand=number)


@cites(DOWN_UNDER, "685a.7(n)", "685a.11(a)")
def _against_total(rules: Rules, box: Box, dealer: int) -> Iterator[Line]:
    """Each hand against the dealer's total; what doubled or split it shares its fate."""
    for wager, stake, hand, number in _stakes(box):
        two_large = hand.two_large and not box.split
        result, clause = outcome(rules, hand.points, dealer, two_large=two_large)
        if result == "win":
            yield _win(rules, wager, stake, clause, number)
        else:
            yield Line(wager, stake, result, 0, clause, hand=number)


class Stages(NamedTuple):
    """The wagers of one seat by the stage of the round at which they are settled."""

    match: tuple[Line, ...] = ()
    even_money: tuple[Line, ...] = ()
    insurance: tuple[Line, ...] = ()
    blackjack: tuple[Line, ...] = ()
    #: losing ones first
    last: tuple[Line, ...] = ()


@cites(DOWN_UNDER, "685a.7(f)", "685a.7(g)", "685a.7(i)(1)", "685a.8(c)", "685a.8(d)", "685a.11(a)")
def _stages(rules: Rules, box: Box, dealer: int | None) -> Stages:
    """Settle a seat against the dealer's total, or against a blackjack, which has none."""
    match: tuple[Line, ...] = ()
    if "match_the_dealer" in box.wagers:
        match = (_match_the_dealer(rules, box.wagers["match_the_dealer"], box.matches),)
    if box.even_money:
        return Stages(match, even_money=tuple(_even_money(rules, box.wagers["bet"])))
    if dealer is None:
        lines = (*_against_blackjack(box), *_insurance(rules, box, wins=True))
        return Stages(match, last=_losing_first(lines))
    insurance = tuple(_insurance(rules, box, wins=False))
    if box.blackjack:
        paid = _win(rules, "bet", box.wagers["bet"], "685a.7(i)(1)", name="blackjack")
        return Stages(match, insurance=insurance, blackjack=(paid,))
    lines = tuple(_against_total(rules, box, dealer))
    return Stages(match, insurance=insurance, last=_losing_first(lines))


@cites(DOWN_UNDER, "685a.7(r)(1)", "685a.7(r)(2)")
def _losing_first(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    return tuple(sorted(lines, key=_is_kept))


def _is_kept(line: Line) -> bool:
    return line.result != "lose"


def _by_seat(round: Round) -> list[tuple[int, Stages]]:
    """Every seat with its wagers, in the order of settlement."""
    rules, up_card = round.rules, round.dealer[0]
    stages = rules.remembering(_stages)
    blackjack = is_blackjack(rules, round.dealer)
    dealer = None if blackjack else dealer_total(rules, round.dealer).points
    return [
        (seat.seat, stages(_box(rules, seat, up_card), dealer))
        for seat in round.in_order_of_settlement()
    ]


@renumbering
@cites(DOWN_UNDER, "685a.7(f)", "685a.7(g)", "685a.7(i)(1)", "685a.7(r)", "685a.7(r)(1)")
@cites(DOWN_UNDER, "685a.7(r)(2)", "685a.8(c)")
def steps(round: Round) -> Iterator[Step]:
    """Every wager of a round that `check` has passed, in the order it is collected or paid."""
    seats = _by_seat(round)
    for early in ("match", "even_money", "insurance"):
        yield from (Step(seat, line) for seat, stages in seats for line in getattr(stages, early))
    yield from (Step(seat, line) for seat, stages in reversed(seats) for line in stages.blackjack)
    last = [Step(seat, line) for seat, stages in seats for line in stages.last]
    if round.rules["settlement"] == "losers_first":
        # of the whole table, not of each player in turn
        last.sort(key=lambda step: _is_kept(step.line))
    yield from last


def settle(round: Round) -> Settlement:
    """Settle a round that `check` has passed."""
    lines = {seat: tuple(chain(*stages)) for seat, stages in _by_seat(round)}
    return settlement(lines, Meters(round.rules, round.meters))
