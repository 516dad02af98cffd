"""Advice for one hand: the exact value of every legal action, from any composition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from houseway.errors import Refused
from houseway.games.down_under.maths.solver import one_hand
from houseway.games.down_under.maths.solver.arrays import DOUBLE, HIT, STAND
from houseway.games.down_under.maths.solver.dealer import Ways, chances
from houseway.games.down_under.maths.solver.exact import again, all_cards, part_of, parts_sums
from houseway.games.down_under.maths.solver.game_arrays import Table
from houseway.games.down_under.maths.solver.hands import (
    ACE,
    VALUES,
    Hand,
    hand_of,
    hard,
    player_hands,
    player_total,
)
from houseway.games.down_under.maths.solver.quantities import net
from houseway.games.down_under.maths.solver.solve import pair_split
from houseway.games.down_under.maths.solver.states import (
    AS_DEALT,
    cards_of,
    families,
    most_hands,
    states,
)
from houseway.games.down_under.maths.solver.variant import (
    RANGES,
    Case,
    Variant,
    cases,
    is_blackjack,
)

NAMES = {STAND: "stand", HIT: "hit", DOUBLE: "double"}


@dataclass(frozen=True, slots=True)
class Advice:
    """What each legal action is worth in bets. The best is advised, the first of equals."""

    values: dict[str, Fraction]

    @property
    def best(self) -> str:
        return max(self.values, key=self.values.__getitem__)

    def as_dict(self) -> dict[str, object]:
        actions = {
            action: {
                "value": f"{value.numerator}/{value.denominator}",
                "about": f"{float(value):.6f}",
            }
            for action, value in self.values.items()
        }
        return {"advice": self.best, "actions": actions}


def value_of(text: str) -> int:
    """`"A"`, `"7"`, `"T"`, or a whole card like `"Kd"`, as the index of its value."""
    rank = "T" if text[:1] in {"J", "Q", "K"} or text == "10" else text[:1]
    if len(text) > 2 or not rank or rank not in VALUES:
        raise Refused("no_such_card", f"{text!r} is not a card; values are {' '.join(VALUES)}")
    return VALUES.index(rank)


def the_case(up: int, seen: str, rules: Variant) -> Case:
    """What is known of the dealer, or why that cannot be: a range, or a hole card in full view."""
    by_range = {case.range: case for case in cases(rules) if case.up == up}
    if seen in by_range:
        return by_range[seen]
    if rules.reader == "covered" or len(seen) > 2:
        raise Refused(
            "range", f"{seen!r} is not a range here; there are {', '.join(by_range)}", field="range"
        )
    hole = value_of(seen)
    if not {up, hole} <= RANGES["large"]:
        raise Refused(
            "range",
            "a hole card is in full view only where it and the up card are both Large",
            clause="685a.7(h)",
            field="range",
        )
    if is_blackjack(up, hole):
        raise Refused(
            "settled", "the dealer has a blackjack, nothing is left to decide", clause="685a.7(h)"
        )
    return by_range["large"]


def the_hand(cards: Sequence[str], split: bool, rules: Variant) -> Hand:
    """The player's cards, if there is something left to decide on them."""
    values = [value_of(card) for card in cards]
    hand = hand_of(*values)
    if len(values) < 2:
        raise Refused("hand", "a hand has at least two cards", field="player")
    if hard(hand) > 21:
        raise Refused("settled", "this hand is bust", clause="685a.7(q)(1)", field="player")
    if is_blackjack(*values[:2]) and len(values) == 2 and not split:
        raise Refused("settled", "a blackjack is paid at once", clause="685a.7(i)(1)")
    if player_total(hand)[0] == 21:
        raise Refused("settled", "no card is drawn to a 21", clause="685a.7(k)(1)")
    if split and values[0] == ACE and rules.split_aces == "one_card":
        raise Refused("settled", "a split ace gets one card", clause="685a.10(e)")
    return hand


def with_seen(left: Hand, hand: Hand, up: int, pair: int) -> Hand:
    """The whole shoe: what nobody has seen, the hand, the up card, and a split hand's other card."""
    if len(left) != 10 or any(not isinstance(count, int) or count < 0 for count in left):
        raise Refused(
            "composition", "the cards left are ten counts, ace to ten, none negative", field="left"
        )
    seen = hand_of(up) if pair < 0 else hand_of(up, pair)
    return tuple(map(sum, zip(left, hand, seen, strict=True)))


def advise(
    player: Sequence[str],
    up: str,
    range: str,
    *,
    rules: Variant | None = None,
    left: Hand | None = None,
    split: bool = False,
) -> Advice:
    """What to do with these cards, and what everything else would be worth.

    `range` is what the reader shows, or the hole card where it lies in full view. `left` counts the
    cards nobody has seen, ace to ten, the hole card among them; without it this is the first round
    of a full shoe. With `split` the hand comes from a split pair of its first card; it may not be
    split again here.
    """
    rules = rules or Variant()
    hand = the_hand(player, split, rules)
    pair = value_of(player[0]) if len(player) == 2 and max(hand) == 2 and not split else -1
    if pair >= 0 and most_hands(rules, pair) < 2:
        pair = -1
    case = the_case(value_of(up), range.lower() if len(range) > 2 else range, rules)
    family = (value_of(player[0]), 1) if split else AS_DEALT
    shoe = None if left is None else with_seen(left, hand, case.up, family[0])

    every = states(rules)
    hands = np.array(player_hands().hands)
    mine = np.zeros(len(every.row), dtype=np.bool_)
    grown = every.first[family]
    mine[grown[(grown >= 0) & np.all(hands >= hand, axis=1)]] = True
    for other in families(rules):
        if other[0] == pair >= 0:
            mine[every.first[other][every.first[other] >= 0]] = True
    table = Table(rules, shoe, positions=every.only(mine))
    number, position = table.cases.index(case), table.states.at(family, hand)
    gone = table.states.removed[table.states.row[position]]
    seen = np.array(table.shoe) - gone
    holes = sum(int(seen[hole]) - (hole == case.up) for hole in case.holes)
    if seen.min() < 0 or seen[case.up] < 1 or holes < 1:
        raise Refused(
            "composition", "these cards cannot all have come from this shoe", field="left"
        )

    # the best play in doubles, then the exact value of each action on what it can come to
    ends = chances(rules, case, table.left, compiled=False)
    policy, worth = one_hand.best_play(table, number, ends)
    counted = [net(rules)]
    names, parts = [], []
    for action, name in NAMES.items():
        if table.states.may[position] & (1 << action):
            first = policy.copy()
            first[position] = action
            parts.append(part_of(table.states, first, {position: 1}, counted, compiled=False))
            names.append(name)
    resplit = None
    if pair >= 0:
        most = 2 + int(np.argmax(pair_split(table, worth[:, None], pair, [number])))
        if most > 2:
            resplit = again(table.states, policy, pair, most, counted, compiled=False)
            parts += resplit.parts
        else:
            two = {table.states.at((pair, 1), hand_of(pair)): 2}
            parts.append(part_of(table.states, policy, two, counted, compiled=False))
        names.append("split")
    cards = all_cards(parts)
    ways = Ways(rules, table.shoe, case, cards_of(cards), tuple(gone.tolist()))
    sums = parts_sums(ways, table.states, parts, cards, compiled=False)
    whole = ways.to(gone)
    values = {name: Fraction(count, whole) for name, (count,) in zip(names, sums, strict=False)}
    if resplit is not None:
        (values["split"],) = resplit.worth(table, number, ways, sums[len(names) - 1 :])
    return Advice(values)
