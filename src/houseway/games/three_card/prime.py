"""Three Card Prime, 58 Pa. Code Chapter 679a: which wagers stand and how each is settled.

Settled from the dealer's right, player by player: ante and play with the Bad Beat Bonus, then the
Prime Wager, the Pair Bonus and the All-Six Bonus. A folded hand keeps those three.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from houseway.cards import RANKS, Card, cards
from houseway.errors import Refused
from houseway.game_api.clause_numbers import renumbering
from houseway.game_api.payout_limit import PayoutLimit, check_limit, minimum, won
from houseway.game_api.payouts import best_pay, pay_bonus, pay_wager
from houseway.game_api.round import (
    Line,
    Meters,
    Round,
    Seat,
    Settlement,
    Wagers,
    hashable,
    player_of,
    settlement,
)
from houseway.game_api.wager_checks import check_boxes, check_cards, check_fields, check_hands
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.poker_settlement import (
    AnteClauses,
    check_position,
    qualifies,
    relation,
    six_card_names,
)
from houseway.games.three_card.seats import FourthCardSeat, fourth_card, fourth_card_fields
from houseway.law import PRIME, Paytable, Rules, cites
from houseway.money import Cents

CLAUSES = AnteClauses(
    folded="679a.11(b)",
    not_qualified="679a.11(c)(3)(i)",
    lower="679a.11(c)(3)(iii)",
    higher="679a.11(c)(3)(ii)",
    tie="679a.11(c)(3)(ii)",
)
BAD_BEAT = "679a.11(c)(3)(iv)"
EXPOSED = "679a.13(d)"
seat_fields = fourth_card_fields
settled_wagers = ("ante", "play", "prime", "pair_bonus", "all_six")


@cites(PRIME, "679a.2(a)", "679a.7(d)", "679a.7(d)(1)", "679a.7(e)", "679a.12(h)")
def check(round: Round) -> None:
    """Refuse a round that could not have been dealt or wagered under these rules."""
    rules = round.rules
    law = rules.chapter
    size = law.number("hand_cards")
    dealt = law.fact("hand_cards").clause
    if rules["payout_limit"] != "none":
        check_limit(rules, most_at_minimums(rules))
    check_fields(round, "cards", "decision")
    check_boxes(rules, ((seat.seat, seat.player) for seat in round.seats))
    check_cards(round.dealer, size, "the dealer", clause=dealt, field="dealer")
    for seat in round.seats:
        try:
            check_position(
                rules, seat.wagers, seat.decision, clauses=CLAUSES, equal_clause="679a.7(d)(1)"
            )
            check_cards(seat.cards, size, "the player", clause=dealt)
            _check_fourth(rules, seat)
        except Refused as refusal:
            raise refusal.at(seat=seat.seat) from None
    check_hands(
        [
            (round.dealer, None, "dealer"),
            *[(seat.cards, seat.seat, "cards") for seat in round.seats],
            *[
                ((fourth,), seat.seat, "fourth")
                for seat in round.seats
                if (fourth := fourth_card(seat)) is not None
            ],
        ],
        of_each=1,
        joker=False,
    )


@cites(PRIME, "679a.8(c)", "679a.9(b)", "679a.10(c)")
def _check_fourth(rules: Rules, seat: Seat) -> None:
    """A fourth card goes with a Pair Bonus wager, and with nothing else."""
    clause = rules.chapter.fact("fourth_card").clause
    fourth = fourth_card(seat)
    if "pair_bonus" in seat.wagers and fourth is None:
        why = "a Pair Bonus wager has a fourth card"
    elif "pair_bonus" not in seat.wagers and fourth is not None:
        why = "a fourth card is dealt only for a Pair Bonus wager"
    else:
        return
    raise Refused("wrong_number_of_cards", why, clause=clause, field="fourth")


@cites(PRIME, "679a.11(b)", "679a.11(c)(3)", "679a.11(c)(3)(i)", "679a.11(c)(3)(ii)", "679a.12(a)")
@cites(PRIME, "679a.11(c)(3)(iii)", "679a.11(c)(3)(iv)", "679a.12(b)", "679a.12(c)")
def ante_and_play(
    rules: Rules, ante: Cents, decision: str | None, mine: int, dealer: int, names: Sequence[str]
) -> Iterator[Line]:
    """The ante, and the play wager where one was made, against the dealer's hand."""
    if decision != "play":
        yield Line("ante", ante, "forfeit", 0, CLAUSES.folded)
    elif not qualifies(rules, dealer):
        yield Line("ante", ante, "push", 0, CLAUSES.not_qualified)
        yield _win(rules.table("play", "not_qualified"), ante, ("win",), CLAUSES.not_qualified)
    elif mine >= dealer:
        yield _win(rules.table("ante"), ante, ("win",), CLAUSES.higher)
        yield _win(rules.table("play"), ante, names, CLAUSES.higher)
    elif bonus := pay_bonus(rules.table("bad_beat"), "bad_beat", ante, names):
        yield Line("ante", ante, "lose", 0, BAD_BEAT)
        yield Line("play", ante, "push", 0, BAD_BEAT)
        yield bonus
    else:
        yield Line("ante", ante, "lose", 0, CLAUSES.lower)
        yield Line("play", ante, "lose", 0, CLAUSES.lower)


def _win(table: Paytable, stake: Cents, names: Sequence[str], clause: str) -> Line:
    pay = best_pay(table, names)
    assert pay is not None
    paid = pay.odds.beside(stake)
    return Line(table.wager, stake, "win", paid, clause, pay.odds.text, outcome=pay.hand)


@cites(PRIME, "679a.7(d)(2)", "679a.11(d)(1)(ii)")
def prime_names(mine: Sequence[Card], dealer: Sequence[Card]) -> tuple[str, ...]:
    """What the Prime Wager pays for: the player's color, and the dealer's if it is the same."""
    colors = {card.is_red for card in mine}
    if len(colors) > 1:
        return ()
    both = colors == {card.is_red for card in dealer}
    return ("same_color_both", "same_color") if both else ("same_color",)


@cites(PRIME, "679a.11(d)", "679a.11(d)(1)", "679a.11(d)(1)(i)", "679a.11(d)(1)(ii)", "679a.12(d)")
@cites(PRIME, "679a.11(d)(2)", "679a.11(d)(2)(i)", "679a.11(d)(2)(ii)", "679a.11(d)(2)(ii)(A)")
@cites(PRIME, "679a.11(d)(2)(ii)(B)", "679a.12(e)", "679a.12(f)", "679a.12(g)")
@cites(PRIME, "679a.11(d)(3)", "679a.11(d)(3)(i)", "679a.11(d)(3)(ii)")
def optional_wagers(rules: Rules, wagers: Mapping[str, Cents], names: Names) -> Iterator[Line]:
    """Prime, Pair Bonus and All-Six, however the ante was settled."""

    def settled(wager: str, names: Sequence[str], lost: str, id: str | None = None) -> Line:
        table = rules.table(wager, id)
        return pay_wager(rules, table, wager, wagers[wager], names, lost=lost)

    if "prime" in wagers:
        yield settled("prime", names.prime, "679a.11(d)(1)(i)")
    if "pair_bonus" in wagers:
        table = None if names.fourth_is_two else "not_2"
        yield settled("pair_bonus", names.three, "679a.11(d)(2)(i)", table)
    if "all_six" in wagers:
        yield settled("all_six", names.six, "679a.11(d)(3)(i)")


class Names(NamedTuple):
    """What the cards of a seat are called by the paytables of its wagers."""

    three: tuple[str, ...]
    prime: tuple[str, ...]
    six: tuple[str, ...]
    fourth_is_two: bool


def _names(rules: Rules, seat: Seat, mine: int, dealer: Sequence[Card]) -> Names:
    cards, wagers = seat.cards, seat.wagers
    return Names(
        three_card.outcomes(cards, mine),
        prime_names(cards, dealer) if "prime" in wagers else (),
        six_card_names(cards, dealer, "six_card_royal") if "all_six" in wagers else (),
        _fourth_is_two(rules, seat),
    )


@cites(PRIME, "679a.11(d)(2)(ii)(A)", "679a.11(d)(2)(ii)(B)")
def _fourth_is_two(rules: Rules, seat: Seat) -> bool:
    """Which table pays; the fourth card of a hand without a pair is never turned over and need
    not be known.
    """
    fourth = fourth_card(seat)
    return fourth is not None and RANKS[fourth.rank] == rules.chapter.fact("fourth_card_rank").value


def _in_turn(
    rules: Rules,
    wagers: Wagers,
    decision: str | None,
    values: tuple[int, int],
    names: Names,
) -> tuple[Line, ...]:
    """Everything of one seat in the order of settlement, before any payout limit."""
    return (
        *ante_and_play(rules, wagers["ante"], decision, *values, names.three),
        *optional_wagers(rules, wagers, names),
    )


def _lines(rules: Rules, seat: Seat, dealer: Sequence[Card]) -> tuple[Line, ...]:
    mine = three_card.value(seat.cards)
    values = mine, three_card.value(dealer)
    names = _names(rules, seat, mine, dealer)
    return _in_turn(rules, hashable(seat.wagers), seat.decision, values, names)


@cites(PRIME, "679a.11(c)", "679a.11(c)(2)", "679a.11(d)", "679a.12(h)")
def settle(round: Round) -> Settlement:
    """Settle a round that `check` has passed."""
    rules, limit = round.rules, PayoutLimit(round.rules)
    dealer, in_turn = three_card.value(round.dealer), rules.remembering(_in_turn)
    lines = {}
    qualified = qualifies(rules, dealer)
    for seat in round.in_order_of_settlement():
        mine = three_card.value(seat.cards)
        made = in_turn(
            hashable(seat.wagers), seat.decision, relation(mine, dealer, qualified=qualified),
            _names(rules, seat, mine, round.dealer),
        )  # fmt: skip
        lines[seat.seat] = limit.pay_all(player_of(seat), made)
    return settlement(lines, Meters(rules, round.meters))


#: the wagers that go back when a card of the dealer was seen too early
VOID_IF_EXPOSED = ("ante", "play")


@renumbering
@cites(PRIME, "679a.13(d)")
def settle_exposed(round: Round) -> Settlement:
    """A dealer's card was seen too early: ante and play go back, optional wagers are settled."""
    rules = round.rules
    limit = PayoutLimit(rules)
    lines: dict[int, list[Line]] = {}
    for seat in round.in_order_of_settlement():
        ante = seat.wagers["ante"]
        made = VOID_IF_EXPOSED if seat.decision == "play" else VOID_IF_EXPOSED[:1]
        mine = three_card.value(seat.cards)
        lines[seat.seat] = [
            *(Line(wager, ante, "returned", 0, EXPOSED) for wager in made),
            *(
                limit.pay(player_of(seat), line)
                for line in optional_wagers(
                    rules, seat.wagers, _names(rules, seat, mine, round.dealer)
                )
            ),
        ]
    return settlement(lines, Meters(rules, round.meters))


#: The player's and the dealer's cards in the rounds that win most. A mini-royal with the rest of a
#: royal flush wins the most of every wager but the play wager, where a straight flush that loses
#: may be paid more; the highest All-Six beside such a loss is a six-card royal, which is paid as a
#: royal flush or is spared by the limit, and then a straight flush.
RICHEST = (("Ah Kh Qh", "Jh Th 8h"), ("Jh Th 9h", "Ah Kh Qh"), ("9h 8h 7h", "Qh Jh Th"))


@lru_cache(maxsize=64)
@cites(PRIME, "679a.12(h)")
def most_at_minimums(rules: Rules) -> Cents:
    """The most that one box with every wager at its minimum can win, as a payout limit counts it."""
    wagers = {
        wager.id: minimum(rules, wager.id)
        for wager in rules.chapter.wagers.values()
        if wager.kind != "follows" and rules.offers(wager.id)
    }
    (two,) = cards("2c")
    seats = (
        (FourthCardSeat(1, wagers, cards(m), "play", fourth=two), cards(d)) for m, d in RICHEST
    )
    return max(won(rules, _lines(rules, seat, dealer)) for seat, dealer in seats)
