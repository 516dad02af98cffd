"""Down Under Blackjack, 58 Pa. Code Ch. 685a: how each wager of a round is settled.

Settled in stages: Match-the-Dealer right after the deal; even money; insurance once the reader was
used; players' blackjacks from the dealer's left; at the end all other bets, in the order that the
Rules Submission names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from houseway.cards import Card
from houseway.game_api.clause_numbers import renumbering
from houseway.game_api.payouts import pay_bonus, pay_wager
from houseway.game_api.round import Line, Meters, Result, Round, Seat, Settlement, settlement
from houseway.games.down_under.hands import (
    both_large,
    dealer_total,
    is_blackjack,
    numbers,
    player_total,
)
from houseway.games.down_under.play import check, first_two, has_blackjack
from houseway.games.down_under.seat import Hand, played, seat_fields
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


def _insurance(rules: Rules, seat: Seat, *, wins: bool) -> Iterator[Line]:
    stake = seat.wagers.get("insurance")
    if stake is not None:
        names = ("win",) if wins else ()
        yield pay_wager(
            rules, rules.table("insurance"), "insurance", stake, names, lost="685a.8(d)"
        )


def _even_money(rules: Rules, seat: Seat) -> Iterator[Line]:
    """The bet is returned with an equal amount, before the hole card is known."""
    bet = seat.wagers["bet"]
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


def _stakes(seat: Seat) -> Iterator[tuple[str, Cents, Hand, int | None]]:
    """Every wager on the hands of a seat: the bet or what split it, and what doubled it."""
    mine = played(seat)
    for number, hand in enumerate(mine.hands, 1):
        shown = number if mine.split else None
        yield ("bet" if number == 1 else "split"), seat.wagers["bet"], hand, shown
        if hand.doubled:
            yield "double", hand.doubled, hand, shown


@cites(DOWN_UNDER, "685a.7(h)(1)", "685a.7(h)(2)", "685a.9(b)", "685a.10(d)")
def _against_blackjack(round: Round, seat: Seat) -> Iterator[Line]:
    """The dealer's blackjack takes a player's first bet and nothing that was added to it."""
    added = {"double": "685a.9(b)", "split": "685a.10(d)"}
    for wager, stake, _, number in _stakes(seat):
        if wager in added:
            yield Line(wager, stake, "returned", 0, added[wager], hand=number)
        elif has_blackjack(round.rules, seat):
            yield Line(wager, stake, "push", 0, "685a.7(h)(1)", hand=number)
        else:
            yield Line(wager, stake, "lose", 0, "685a.7(h)(2)", hand=number)


@cites(DOWN_UNDER, "685a.7(n)", "685a.11(a)")
def _against_total(round: Round, seat: Seat, dealer: int) -> Iterator[Line]:
    """Each hand against the dealer's total; what doubled or split it shares its fate."""
    rules, split = round.rules, played(seat).split
    settled = rules.remembering(_hand_line)
    for wager, stake, hand, number in _stakes(seat):
        mine = player_total(rules, hand.cards).points
        two_large = not split and both_large(rules, hand.cards)
        yield settled(wager, stake, number, mine, dealer, two_large)


def _hand_line(
    rules: Rules,
    wager: str,
    stake: Cents,
    number: int | None,
    mine: int,
    dealer: int,
    two_large: bool,
) -> Line:
    result, clause = outcome(rules, mine, dealer, two_large=two_large)
    if result == "win":
        return _win(rules, wager, stake, clause, number)
    return Line(wager, stake, result, 0, clause, hand=number)


@cites(DOWN_UNDER, "685a.7(r)", "685a.7(r)(1)", "685a.7(r)(2)")
def _in_order(rules: Rules, last: list[Step]) -> list[Step]:
    """Losing wagers first, of the whole table or of each player in turn."""
    if rules["settlement"] == "losers_first":
        return sorted(last, key=lambda step: step.line.result != "lose")
    return sorted(last, key=lambda step: (-step.seat, step.line.result != "lose"))


@renumbering
@cites(DOWN_UNDER, "685a.7(f)", "685a.7(g)", "685a.7(i)(1)", "685a.8(c)", "685a.8(d)", "685a.11(a)")
def steps(round: Round) -> Iterator[Step]:
    """Every wager of a round that `check` has passed, in the order it is collected or paid."""
    rules = round.rules
    seats = round.in_order_of_settlement()
    dealer_blackjack = is_blackjack(rules, round.dealer)
    match = rules.remembering(_match_the_dealer)
    for seat in seats:
        if "match_the_dealer" in seat.wagers:
            found = matches(round.dealer[0], first_two(seat))
            yield Step(seat.seat, match(seat.wagers["match_the_dealer"], found))
    for seat in seats:
        if played(seat).even_money:
            yield from (Step(seat.seat, line) for line in _even_money(rules, seat))
    undecided = [seat for seat in seats if not played(seat).even_money]
    if not dealer_blackjack:
        for seat in undecided:
            yield from (Step(seat.seat, line) for line in _insurance(rules, seat, wins=False))
        paid_now = [seat for seat in undecided if has_blackjack(rules, seat)]
        for seat in reversed(paid_now):
            paid = _win(rules, "bet", seat.wagers["bet"], "685a.7(i)(1)", name="blackjack")
            yield Step(seat.seat, paid)
        if paid_now:
            undecided = [seat for seat in undecided if seat not in paid_now]
    total = dealer_total(rules, round.dealer).points
    last: list[Step] = []
    for seat in undecided:
        if dealer_blackjack:
            lines = [*_against_blackjack(round, seat), *_insurance(rules, seat, wins=True)]
        else:
            lines = list(_against_total(round, seat, total))
        last.extend(Step(seat.seat, line) for line in lines)
    yield from _in_order(rules, last)


def settle(round: Round) -> Settlement:
    """Settle a round that `check` has passed."""
    lines: dict[int, list[Line]] = {seat.seat: [] for seat in round.seats}
    for step in steps(round):
        lines[step.seat].append(step.line)
    return settlement(lines, Meters(round.rules, round.meters))
