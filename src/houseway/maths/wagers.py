"""Wagers that one look at a paytable settles: their outcomes with the ways to come to each.

An outcome has the names that a paytable may call it by, the most particular first; they are the
names that the game itself gives to such a hand. Counting and paying meet only here: a tally says
how many deals come to an outcome, a paytable what it pays, and `pay` puts them together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from math import comb

import msgspec

from houseway.cards import cards
from houseway.errors import Refused
from houseway.game_api.payouts import best_pay
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.poker_settlement import six_card_names
from houseway.law import Pay, Paytable
from houseway.maths import tallies
from houseway.maths.counts import BONUS, COVERED, FIVE, SIX
from houseway.maths.figures import Spread
from houseway.money import Cents, Odds

LOSES = Fraction(-1)


class Outcomes(msgspec.Struct, frozen=True, dict=True):
    """What a wager can come to: names and ways of each outcome, of `total` deals."""

    rows: tuple[tuple[tuple[str, ...], int], ...]
    total: int


def beside(odds: Odds, stake: Cents) -> Fraction:
    """What odds pay beside the stake, in units of it; meters are not odds alone."""
    if odds.kind == "to":
        return odds.value
    if odds.kind == "for":
        return odds.value - 1
    if odds.kind == "dollars":
        return odds.value / stake
    raise Refused("not_odds", f"{odds.text} depends on the meter")


Worth = Callable[[Odds], Fraction]


def pay(outcomes: Outcomes, table: Paytable, worth: Worth) -> Spread:
    """The net results of a wager that this table pays."""
    ways: dict[Fraction, int] = {}
    for names, count in outcomes.rows:
        found = best_pay(table, names)
        net = LOSES if found is None else worth(found.odds)
        ways[net] = ways.get(net, 0) + count
    return Spread(ways, outcomes.total)


def edge(outcomes: Outcomes, table: Paytable) -> Fraction:
    """The house edge alone, fast: for tables that pay odds and nothing else."""
    taken = outcomes.total
    back, part = 0, 1  # what is given back over all deals, in parts of the stake
    pays = table.pays
    for names, count in outcomes.rows:
        for name in names:
            found = pays.get(name)
            if found is None:
                continue
            odds = found.odds
            top, bottom = odds.value.numerator, odds.value.denominator
            if odds.kind == "to":
                top += bottom
            elif odds.kind != "for":
                raise Refused("not_odds", f"{odds.text} depends on more than the paytable")
            if bottom == part:
                back += top * count
            else:
                back, part = back * bottom + top * count * part, part * bottom
            break
    return Fraction(taken * part - back, taken * part)


def by_row(outcomes: Outcomes, table: Paytable) -> list[tuple[Pay, int]]:
    """Each row of the table with the deals that it pays, in the order of the table."""
    counts = dict.fromkeys(table.pays, 0)
    for names, count in outcomes.rows:
        found = best_pay(table, names)
        if found is not None:
            counts[found.hand] += count
    return [(found, counts[hand]) for hand, found in table.pays.items()]


#: A hand of each three-card outcome, from which the game's own functions take its names.
THREE_EXAMPLES = {
    "high_card": "Ac Jd 9h", "pair": "9c 9d 4h", "flush": "Ac Jc 9c", "straight": "9c Td Jh",
    "three_of_a_kind": "9c 9d 9h", "straight_flush": "9c Tc Jc", "mini_royal": "Ac Kc Qc",
    "mini_royal_spades": "As Ks Qs",
}  # fmt: skip


@cache
def three_names(outcome: str) -> tuple[str, ...]:
    """What a paytable may call a three-card hand of this outcome."""
    hand = cards(THREE_EXAMPLES[outcome])
    return three_card.outcomes(hand, three_card.value(hand))


@cache
def six_names(outcome: str, royal: str) -> tuple[str, ...]:
    """What a paytable may call six cards of this outcome; `royal` is the chapter's word."""
    suits = {"six_card_royal_diamonds": "d", "six_card_royal": "c"}
    if outcome in suits:
        hand = cards(f"{rank}{suits[outcome]}" for rank in "AKQJT9")
        return six_card_names(hand[:3], hand[3:], royal)
    return (outcome,)


@cache
def three_cards() -> Outcomes:
    """The player's three cards: Pair Plus, the three-card progressive."""
    counts = tallies.three_card_hands()
    return Outcomes(
        tuple((three_names(name), ways) for name, ways in reversed(counts.items())), comb(52, 3)
    )


@cache
def six_cards(royal: str) -> Outcomes:
    """The player's three cards and the dealer's three."""
    counts = tallies.six_card_hands()
    return Outcomes(tuple((six_names(name, royal), counts[name]) for name in SIX), comb(52, 6))


@cache
def five_cards() -> Outcomes:
    """The player's three cards and the community's two."""
    counts = tallies.five_card_hands()
    return Outcomes(tuple(((name,), counts[name]) for name in FIVE), comb(52, 5))


@cache
def saigon_bonus() -> Outcomes:
    """Five cards of a deck with a joker."""
    tally = tallies.kinds()
    counts = [sum(kind[place] for kind in tally.bonus) for place in range(len(BONUS))]
    return Outcomes(
        tuple(((name,), ways) for name, ways in zip(BONUS, counts, strict=True)), comb(53, 5)
    )


@cache
def prime() -> Outcomes:
    """The colours of the player's three cards and of the dealer's."""
    total = comb(52, 3) * comb(49, 3)
    one = 2 * comb(26, 3) * comb(49, 3)
    both = 2 * comb(26, 3) * comb(23, 3)
    rows = (
        (("same_color_both", "same_color"), both),
        (("same_color",), one - both),
        ((), total - one),
    )
    return Outcomes(rows, total)


@cache
def cover_all(players: int) -> Outcomes:
    """The highest of the players' hands and the dealer's."""
    found = tallies.cover_all().get(players + 1)
    if found is None:
        raise Refused(
            "players_out_of_range",
            f"Cover All is for one to seven players, not {players}",
            field="players",
        )
    rows = tuple(((name,), found[name]) for name in COVERED)
    return Outcomes((*rows, ((), found["nothing"])), sum(found.values()))


@cache
def pair_bonus() -> tuple[Outcomes, Outcomes]:
    """The player's three cards where the fourth is not a two, and where it is."""
    tally, more = tallies.duel(tallies.QUEEN_HIGH), tallies.primes(tallies.QUEEN_HIGH)
    plain, with_two = dict.fromkeys(THREE_EXAMPLES, 0), dict.fromkeys(THREE_EXAMPLES, 0)
    for name, row in tallies.rows(tally):
        left = 4 - more.twos[row]
        with_two[name] += tally.ways[row] * left
        plain[name] += tally.ways[row] * (49 - left)
    total = comb(52, 3) * 49
    return tuple(  # type: ignore[return-value]
        Outcomes(tuple((three_names(name), ways) for name, ways in reversed(counts.items())), total)
        for counts in (plain, with_two)
    )


def together(spreads: Iterable[Spread]) -> Spread:
    """Parts of one whole, each counted among the same total, as one."""
    ways: dict[Fraction, int] = {}
    total = 0
    for part in spreads:
        total = part.total
        for net, count in part.ways.items():
            ways[net] = ways.get(net, 0) + count
    return Spread(ways, total)


@cache
def match_the_dealer(decks: int) -> tuple[tuple[tuple[str, ...], int], ...]:
    """How often none, one or both of two cards match the dealer's up card, suited or not.

    The up card is given: decks - 1 cards are the same card, 3 * decks are of its rank in other
    suits. The two cards are drawn without regard to order; the key names what each matches.
    """
    suited, unsuited = decks - 1, 3 * decks
    rest = 52 * decks - 1 - suited - unsuited
    return (
        (("suited_match", "suited_match"), comb(suited, 2)),
        (("suited_match", "unsuited_match"), suited * unsuited),
        (("unsuited_match", "unsuited_match"), comb(unsuited, 2)),
        (("suited_match",), suited * rest),
        (("unsuited_match",), unsuited * rest),
        ((), comb(rest, 2)),
    )


def pay_matches(decks: int, table: Paytable) -> Spread:
    """Each match is paid by itself; without one the wager is lost."""
    ways: dict[Fraction, int] = {}
    total = 0
    for names, count in match_the_dealer(decks):
        pays = [table[name].odds for name in names]
        net = sum((beside(odds, 1) for odds in pays), Fraction(0)) if pays else LOSES
        ways[net] = ways.get(net, 0) + count
        total += count
    return Spread(ways, total)


def insurance(decks: int) -> Outcomes:
    """The hole card under an ace, nothing else being known."""
    tens, others = 16 * decks, 36 * decks - 1
    return Outcomes(((("win",), tens), ((), others)), tens + others)


def plain(stake: Cents) -> Worth:
    """Odds alone, at this stake."""
    return lambda odds: beside(odds, stake)


def names_of(outcomes: Outcomes) -> Sequence[tuple[str, ...]]:
    return [names for names, _ in outcomes.rows]
