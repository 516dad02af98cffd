"""Advice: what each choice at the table is worth, exactly, by what the player can see.

The figures come from the mathematics; here a hand on the table is only put into its words. Side
wagers are left out where they do not depend on the choice.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from houseway.cards import Card, card, standard_deck
from houseway.errors import Refused
from houseway.games.down_under.table.hands import current, pile_of
from houseway.games.three_card import hands as three_card
from houseway.law import DOWN_UNDER, SAIGON, Rules
from houseway.table import Table, rules_of
from houseway.table.engine import Moment
from houseway.table.procedure.deciding import hand_asked
from houseway.web.table.table_view import VisibleCards, common_hands, range_shown

#: a choice, its value in units of the wager
Worth = tuple[tuple[str, Fraction], ...]


def advise(table: Table, seat: int, seen: VisibleCards) -> tuple[str, Worth]:
    """The unit, and the choices of a seat with what each is worth, the best first."""
    rules = rules_of(table)
    if rules.chapter.id == DOWN_UNDER:
        return "bets", _best_first(_blackjack(rules, table, seat, seen))
    common = common_hands(rules, seen).get(hand_asked(table, seat))
    held = tuple(card(text) for text in common or seen.get(f"seat.{seat}", ()))
    if not held:
        raise Refused("no_advice", "there is no hand to advise on")
    if rules.chapter.id == SAIGON:
        return "antes", _best_first(saigon(rules, held))
    return "antes", _best_first(three(rules, held))


def _best_first(worth: Worth) -> Worth:
    return tuple(sorted(worth, key=lambda one: one[1], reverse=True))


@lru_cache(maxsize=512)
def _columns(hand: tuple[Card, ...], qualifies: int) -> tuple[int, ...]:
    """How many dealer's hands fall into each column of the duel against this hand."""
    mine = three_card.value(hand)
    left = [one for one in standard_deck() if one not in hand]
    counts: Counter[int] = Counter()
    for dealer in combinations(left, 3):
        other = three_card.value(dealer)
        counts[3 * (other >= qualifies) + (other >= mine) + (other > mine)] += 1
    return tuple(counts[column] for column in range(6))


def three(rules: Rules, hand: tuple[Card, ...]) -> Worth:
    """Play or fold three cards, over every dealer's hand that is left."""
    from houseway.games.three_card.maths.ante_play import payoffs

    pays = payoffs(rules)
    counts = _columns(tuple(sorted(hand)), pays.qualifies)
    outcome = three_card.outcomes(hand, three_card.value(hand))[0]
    nets = pays.nets[outcome]
    whole = sum((net * count for net, count in zip(nets, counts, strict=True)), Fraction(0))
    return (("play", whole / sum(counts)), ("fold", pays.fold))


def saigon(rules: Rules, hand: tuple[Card, ...]) -> Worth:
    """Every point count that a qualifying setting can have."""
    from houseway.games.saigon.maths import ante as saigon_ante
    from houseway.maths import tallies

    values = sorted(11 if one.is_joker else _points(one) for one in hand)
    tally = tallies.kinds()
    row = tally.values.index(values)
    dealer, counts = tally.dealer[row], tally.counts[row]
    pays = saigon_ante.payoffs(rules)
    scale = sum(dealer)
    if not counts:
        worth = sum((n * d for n, d in zip(pays.nets[0], dealer, strict=True)), Fraction(0))
        return (("the hand cannot qualify", worth / scale),)
    return tuple(
        (
            f"set to a point count of {state}",
            sum((n * d for n, d in zip(pays.nets[state], dealer, strict=True)), Fraction(0))
            / scale,
        )
        for state in counts
    )


def _points(one: Card) -> int:
    rank = str(one)[0]
    return 1 if rank == "A" else 10 if rank in "TJQK" else int(rank)


def _blackjack(rules: Rules, table: Table, seat: int, seen: VisibleCards) -> Worth:
    from houseway.games.down_under.maths.advise import advise as exactly
    from houseway.games.down_under.maths.variant import variant_of

    split = f"seat.{seat}.2" in seen
    name = _active(table, seat)
    held, up = seen.get(name, ()), seen.get("dealer", ("",))[0]
    light = range_shown(rules, table)
    if not held or not up or not light:
        raise Refused("no_advice", "there is advice once the reader has shown its light")
    found = exactly(held, up, light, rules=variant_of(rules), split=split)
    return tuple(found.values.items())


def _active(table: Table, seat: int) -> str:
    """The hand of a seat that acts: of a split the first is finished before the second."""
    acting = current(Moment(table, "player"))
    hand = acting[1] if acting is not None and acting[0] == seat else 1
    return pile_of(table.boxes[seat - 1], hand)
