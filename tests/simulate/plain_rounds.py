"""The same cards settled twice: by a kernel, and by the game's own `settle`, line by line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from houseway.cards import Card, show
from houseway.game_api.round import Round, Seat, Settlement
from houseway.game_api.settle import settle
from houseway.games.down_under.hands import open_decisions
from houseway.games.down_under.seat import Hand, PlayedSeat
from houseway.games.saigon.seat import SaigonSeat
from houseway.games.three_card.seats import (
    CouponSeat,
    ElectronicHand,
    ElectronicSeat,
    FourthCardSeat,
)
from houseway.games.three_card.simulation.codes import ENVY, FIVE_ENVY
from houseway.law import DOWN_UNDER, MD, PRIME, SAIGON, Rules, choose
from houseway.simulate.kernels.random_streams import start
from houseway.simulate.plan import Plan, plan_of
from houseway.simulate.prepared import Playing, playing

OWN = Path(__file__).parent / "own_strategies.py"
WITH_ANTE = {"ante", "play", "ante_bonus", "bad_beat"}
WITH_BET = {"bet", "double", "split", "even_money"}

#: rules under which every paytable of a game is played
MARYLAND = [
    {"pair_plus": "A", "six_card_bonus": "A", "progressive": "A", "five_card_progressive": "A"},
    {"pair_plus": "B", "six_card_bonus": "B", "progressive": "B", "five_card_progressive": "B"},
    {"ante_bonus": "B", "pair_plus": "C", "six_card_bonus": "C", "progressive": "C",
     "five_card_progressive": "C",
     "five_card_envy": {"royal_flush": {"1.00": "1000.00"}, "three_of_a_kind": {"1.00": "7.00"}}},
    {"ante_bonus": "C", "pair_plus": "D", "six_card_bonus": "D", "progressive": "A"},
    {"version": "both_compulsory", "pair_plus": "E", "six_card_bonus": "E"},
    {"six_card_bonus": "F"},
    {"electronic": True, "progressive": "A", "six_card_bonus": "A"},
]  # fmt: skip
MASSACHUSETTS = [
    {"six_card_bonus": "TCP-6B1", "progressive": "1", "cover_all": True},
    {"six_card_bonus": "TCP-6B2", "progressive": "2", "cover_all": True,
     "folded_hands_win_progressive": True, "settlement": "by_player"},
    {"six_card_bonus": "TCP-6B3", "progressive": "3", "version": "both_compulsory",
     "ante_bonus": "B"},
    {"six_card_bonus": "TCP-6B4", "version": "ante_covers_pair_plus", "ante_bonus": "C"},
    {"version": "ante_covers_half_pair_plus", "ante_bonus": "A"},
]  # fmt: skip
THREE_CARD_PRIME = [
    {"bad_beat": "A", "prime": True, "pair_bonus": "A", "all_six": "A"},
    {"bad_beat": "B", "prime": True, "pair_bonus": "B", "all_six": "B"},
    {"pair_bonus": "C", "all_six": "C"},
    {"pair_bonus": "D", "all_six": "D"},
    {"all_six": "E", "prime": True, "payout_limit": "50000.00"},
]


def ready(rules: Rules, **given: Any) -> Playing:
    plan: Plan = plan_of(rules, hypothetical=True, **given)
    return playing(plan.encode(), round_by_round=True)


def by_kernel(game: Playing, decks: Sequence[Sequence[int]]) -> np.ndarray:
    """[round, position, column] nets for cards that are given."""
    given = np.array(decks, np.int64)
    lines = np.zeros((len(given), game.positions, game.net.shape[1]), np.int64)
    nets = np.zeros((len(given), game.positions), np.int64)
    counts = game.empty()
    room: Any = game.new_table()
    room.rounds(len(given), start("given", 0), counts, nets, given, lines)
    # the total is the sum of the lines, and the sums are sums of totals
    assert (lines.sum(axis=2) == nets).all()
    assert (counts.totals == nets.sum(axis=0)).all()
    for one in range(game.positions):
        squares = int(counts.low[one, one]) + (int(counts.high[one, one]) << 32)
        assert squares == sum(int(net) ** 2 for net in nets[:, one])
    if game.plan.chapter not in (SAIGON, DOWN_UNDER):
        # both kinds of envy are one line to the game
        lines[:, :, ENVY] += lines[:, :, FIVE_ENVY]
        lines[:, :, FIVE_ENVY] = 0
    return lines


def by_game(game: Playing, settled: Settlement) -> np.ndarray:
    """[position, column] nets of a settled round, envy of both kinds in one column."""
    column = columns_of(game)
    found = np.zeros((game.positions, game.net.shape[1]), np.int64)
    seats = {seat.seat: seat for seat in settled.seats}
    for position in range(game.positions):
        hand = game.plan.on_hand[position] + 1 if game.plan.on_hand != game.plan.owners else None
        for line in seats[game.plan.owners[position] + 1].lines:
            if hand is None or line.hand == hand:
                found[position, column[line.wager]] += line.net
    return found


def columns_of(game: Playing) -> dict[str, int]:
    """The kernel's column of every line that the game may settle."""
    if game.plan.chapter == DOWN_UNDER:
        return {"insurance": 1, "match_the_dealer": 2} | dict.fromkeys(WITH_BET, 0)
    if game.plan.chapter == SAIGON:
        return {"ante": 0, "bonus": 1}
    return dict(game.wagers) | dict.fromkeys(WITH_ANTE, 0) | {"envy": ENVY}


def three_card_round(
    game: Playing, deck: Sequence[int], decide: Callable[[tuple[Card, ...]], str]
) -> Round:
    plan, rules = game.plan, game.rules
    cards = [Card(card) for card in deck]
    dealt = game.kernel.table.dealt
    hands = [tuple(cards[3 + 3 * n : 6 + 3 * n]) for n in range(dealt)]
    rest = cards[3 + 3 * dealt :]

    def decision(position: int) -> str | None:
        return decide(hands[plan.on_hand[position]]) if "ante" in plan.stakes[position] else None

    def seat(position: int) -> Seat:
        made = plan.stakes[position]
        found = Seat(position + 1, made, hands[position], decision(position))
        if "pair_bonus" in made:
            return found.as_kind(FourthCardSeat, fourth=rest[position])
        if plan.coupons:
            return found.as_kind(CouponSeat, coupon=plan.coupons[position])
        return found

    if plan.on_hand != plan.owners:
        seats = tuple(
            ElectronicSeat(
                owner + 1,
                {},
                hands=tuple(
                    ElectronicHand(plan.on_hand[p] + 1, plan.stakes[p], decision(p))
                    for p in range(game.positions)
                    if plan.owners[p] == owner
                ),
            )
            for owner in sorted(set(plan.owners))
        )
        community = tuple(cards[3:12])
    else:
        seats = tuple(seat(position) for position in range(game.positions))
        five = any("five_card_progressive" in made for made in plan.stakes)
        community = tuple(rest[:2]) if five and rules.chapter.id == MD else ()
    return Round(rules, tuple(cards[:3]), seats, community, plan.meters)


def saigon_round(game: Playing, deck: Sequence[int], setting: Callable[..., Any]) -> Round:
    cards = [Card(card) for card in deck]
    seats = []
    for position, made in enumerate(game.plan.stakes):
        hand = tuple(cards[5 + 5 * position : 10 + 5 * position])
        chosen = setting(hand)
        seats.append(SaigonSeat(position + 1, made, hand, three=chosen.three, two=chosen.two))
    return Round(game.rules, tuple(cards[:5]), tuple(seats))


VALUES = "23456789TTTTA"
RANGE = dict.fromkeys(range(4), "small") | dict.fromkeys(range(4, 8), "medium")


def down_under_round(
    game: Playing, shoe: Sequence[int], decide: Callable[..., str], *, insures: bool
) -> tuple[Round, int]:
    """Play the cards of a shoe in the order of 685a.7(e) and after; and how many were used."""
    rules, plan = game.rules, game.plan
    cards = iter([Card(card) for card in shoe])
    used = 0

    def draw() -> Card:
        nonlocal used
        used += 1
        return next(cards)

    count = game.positions
    first = [draw() for _ in range(count)]
    up = draw()
    second = [draw() for _ in range(count)]
    hole = draw()
    dealer = [up, hole]
    range_ = RANGE.get(hole.rank, "large")
    blackjack = {VALUES[up.rank], VALUES[hole.rank]} == {"A", "T"}
    seats = []
    live = False
    for position, made in enumerate(plan.stakes):
        two = (first[position], second[position])
        mine = {VALUES[card.rank] for card in two} == {"A", "T"}
        hands = [Hand(two)]
        split = False
        if not blackjack and not mine:
            hands, split = _play(rules, two, VALUES[up.rank], range_, decide, draw, made["bet"])
            live = live or any(_points(hand.cards) <= 21 for hand in hands)
        wagers = dict(made)
        insured = insures and VALUES[up.rank] == "A"
        if insured and not mine:
            wagers["insurance"] = made["bet"] // 2
        seats.append(
            PlayedSeat(
                position + 1, wagers, hands=tuple(hands), split=split, even_money=insured and mine
            )
        )
    if live:
        most = 22 if rules["dealer_soft_22"] == "stands" else 21
        while _points(dealer, most) < 17:
            dealer.append(draw())
    return Round(rules, tuple(dealer), tuple(seats)), used


def _points(hand: Sequence[Card], most: int = 21) -> int:
    hard = sum("A23456789T".index(VALUES[card.rank]) + 1 for card in hand)
    for card in hand:
        if VALUES[card.rank] == "A" and hard + 10 <= most:
            hard += 10
    return hard


def _play(
    rules: Rules, two: tuple[Card, Card], up: str, range_: str, decide: Any, draw: Any, bet: int
) -> tuple[list[Hand], bool]:
    def text(hand: Sequence[Card]) -> str:
        return "".join(sorted((VALUES[card.rank] for card in hand), key="A23456789T".index))

    def ask(hand: Sequence[Card], from_split: bool) -> str:
        open_ = open_decisions(rules, hand, from_split=from_split)
        if not open_:
            return "stand"
        # in the order in which strategies are asked
        named = tuple(name for name in ("stand", "hit", "double", "split") if name in open_)
        return decide(("/" if from_split else "") + text(hand), up, range_, named)

    starts: list[list[Card]] = [list(two)]
    split = ask(two, False) == "split"
    hands = []
    if split:
        starts = [[two[0]], [two[1]]]
    for hand in starts:
        if split:
            hand.append(draw())
        doubled = 0
        while (does := ask(hand, split)) != "stand":
            hand.append(draw())
            if does == "double":
                doubled = bet
                break
        hands.append(Hand(tuple(hand), doubled))
    return hands, split


def chosen(chapter: str, **options: Any) -> Rules:
    return choose(chapter, options)


__all__ = ["DOWN_UNDER", "MD", "PRIME", "SAIGON", "settle", "show"]
