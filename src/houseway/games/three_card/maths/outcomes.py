"""The outcomes of the wagers of the three-card games, with the number of deals for each."""

from __future__ import annotations

from functools import cache, lru_cache
from math import comb

from houseway.cards import cards
from houseway.errors import Refused
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.maths.counting import tallies
from houseway.games.three_card.maths.counting.counts import COVERED, FIVE, FIVE_PAID, SIX, THREE
from houseway.games.three_card.poker_settlement import six_card_names
from houseway.maths.wagers import Outcomes

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


#: In how many of the 1,176 pairs of community cards a hand of three becomes two pair, and a pair:
#: by what the hand is itself. Two more of a hand's own ranks, or a pair beside it, make two pair.
_COMMUNITY = comb(49, 2)
_TWO_PAIR_AND_PAIR = {
    "three_of_a_kind": (0, 0),
    "pair": (3 * 44 + 11 * comb(4, 2), comb(11, 2) * 4**2),
}
_OF_THREE_RANKS = (3 * 3**2, 3 * 3 * 40 + 10 * comb(4, 2))


@lru_cache(maxsize=64)
def three_cards_kept(qualifies: int, kept: tuple[bool, ...]) -> Outcomes:
    """The player's three cards where only some rows of the duel are kept; the rest is nothing."""
    tally = tallies.duel(qualifies)
    counts = dict.fromkeys(THREE, 0)
    for name, row in tallies.rows(tally):
        counts[name] += tally.ways[row] * kept[row]
    rows = tuple((three_names(name), ways) for name, ways in reversed(counts.items()))
    return Outcomes((*rows, ((), comb(52, 3) - sum(counts.values()))), comb(52, 3))


@lru_cache(maxsize=64)
def five_cards_kept(qualifies: int, kept: tuple[bool, ...]) -> Outcomes:
    """The player's three cards and the community's two where only some rows are kept."""
    duel, tally = tallies.duel(qualifies), tallies.five_cards(qualifies)
    counts = [0] * len(FIVE)
    for row, five, deals in zip(tally.row, tally.five, tally.deals, strict=True):
        counts[five] += deals * kept[row]
    deals_kept = 0
    for name, row in tallies.rows(duel):
        ways = duel.ways[row] * kept[row]
        two_pair, pair = _TWO_PAIR_AND_PAIR.get(name, _OF_THREE_RANKS)
        deals_kept += ways * _COMMUNITY
        counts[FIVE_PAID] += ways * two_pair
        counts[FIVE_PAID + 1] += ways * pair
    counts[-1] = deals_kept - sum(counts)
    total = comb(52, 3) * _COMMUNITY
    rows = tuple(((name,), count) for name, count in zip(FIVE, counts, strict=True))
    return Outcomes((*rows, ((), total - deals_kept)), total)


@cache
def prime() -> Outcomes:
    """The colors of the player's three cards and of the dealer's."""
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
