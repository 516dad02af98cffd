"""What the solver can be told about the game: the chapter's options, and the switches around them.

The defaults are the chapter. The rest are the natural alternatives that `reconcile` searches and
that turn the game into the ordinary blackjack of the books.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from houseway.errors import Refused
from houseway.games.down_under.maths.solver.hands import ACE, TEN, Hand
from houseway.law import DOWN_UNDER, Rules, chapter

#: ranges of the Masque reader (685a.1), by index of value
RANGES: dict[str, frozenset[int]] = {
    "small": frozenset({1, 2, 3, 4}),
    "medium": frozenset({5, 6, 7, 8}),
    "large": frozenset({TEN, ACE}),
}


def _pays(wager: str, row: str = "win") -> Fraction:
    return chapter(DOWN_UNDER).paytables[wager, "standard"][row].odds.value


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to play. Hashable, so a result can be kept by it."""

    decks: int = 6
    #: 3(d)(3), 7(m): the dealer stands on a soft 22 and on two aces, or counts them as 12
    dealer_soft_22: Literal["stands", "counts_as_12"] = "stands"
    #: 7(m): the dealer stands on every 17
    soft_17: Literal["stands", "hits"] = "stands"
    #: 10(c): most hands from one box; 1 is no splitting
    split_hands: int = 2
    #: 10(e)
    split_aces: Literal["one_card", "as_others"] = "one_card"
    #: 10(a): tens and faces are alike, or only two of one rank are a pair, or none is split
    split_tens: Literal["any", "same_rank", "never"] = "any"
    #: 9(a)
    double_after_split: bool = True
    double_on: Literal["any", "nine_to_eleven", "ten_eleven"] = "any"
    #: 7(n)(1): a dealer's 22 returns what it does not pay, or is a bust like any other
    dealer_22: Literal["returns", "busts"] = "returns"
    #: 7(n)(1): which hands that are not bust a dealer's 22 pays
    beats_22: frozenset[Literal["21", "two_large", "two_large_after_split"]] = frozenset(
        {"21", "two_large"}
    )
    #: whether a doubled hand that beats a 22 is paid on all of it, or on the bet alone
    doubled_beats_22: Literal["whole", "bet"] = "whole"
    #: 7(h): the light is read; or it is not, and two Large cards are exposed all the same; or the
    #: players see the up card alone
    reader: Literal["shown", "unread", "covered"] = "shown"
    #: 11(a)
    blackjack_pays: Fraction = field(default_factory=lambda: _pays("bet", "blackjack"))
    #: 11(b), 7(g): they do not touch the bet's own figures
    insurance_pays: Fraction = field(default_factory=lambda: _pays("insurance"))
    even_money_pays: Fraction = field(default_factory=lambda: _pays("even_money"))

    def but(self, **changes: object) -> Variant:
        """The same rules with something changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    @property
    def shoe(self) -> Hand:
        """How many of each value are in a full shoe."""
        return (4 * self.decks,) * 9 + (16 * self.decks,)


@dataclass(frozen=True, slots=True)
class Case:
    """What a player knows of the dealer: the up card and which hole cards it leaves possible."""

    up: int
    range: str
    holes: frozenset[int]


Cases: TypeAlias = tuple[Case, ...]


def is_blackjack(up: int, hole: int) -> bool:
    return {up, hole} == {ACE, TEN}


def cases(rules: Variant) -> Cases:
    """Every case in which there is something to decide; a dealer's blackjack ends the round (7(h)).

    Two Large cards are exposed. As the two that make a blackjack end the round, an ace stays with
    an ace and a ten with a ten, and no case needs more than the range to tell it.
    """
    return tuple(
        Case(up, name, frozenset(hole for hole in holes if not is_blackjack(up, hole)))
        for up in range(10)
        for name, holes in _known(rules.reader, up).items()
    )


def _known(reader: str, up: int) -> dict[str, frozenset[int]]:
    """The sets of hole cards that a player who reads so can tell apart."""
    every, large = frozenset(range(10)), RANGES["large"]
    if reader == "shown":
        return RANGES
    if reader == "unread" and up in large:
        return {"unread": every - large, "large": large}
    return {reader: every}


def payoffs(rules: Variant) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """What a hand left standing wins for each end of the dealer: as dealt, and doubled.

    Rows are the player's total, 16 standing for all below 17, up to 21; then the same totals again
    for two Large cards that beat a 22. A bust loses what a 16 loses to a 17.
    """
    plain = []
    for two_large in (False, True):
        for total in range(16, 22):
            beats = two_large or (total == 21 and "21" in rules.beats_22)
            wins = int(beats or rules.dealer_22 == "busts")
            line = [(total > end) - (total < end) for end in range(17, 22)]
            plain.append((*line, wins, 1))
    bet_only = rules.dealer_22 == "returns" and rules.doubled_beats_22 == "bet"
    doubled = [
        (*(2 * won for won in line[:5]), line[5] * (1 if bet_only else 2), 2) for line in plain
    ]
    return tuple(plain), tuple(doubled)


def variant_of(rules: Rules) -> Variant:
    """The game that a table plays by these rules of the chapter."""
    table = rules.table("bet")
    if table["win"].odds.value != 1:
        raise Refused(
            "not_solved",
            f"the solution is for a bet that wins 1 to 1, not {table['win'].odds}",
            clause=table["win"].clause,
            field="paytables.bet",
        )
    return Variant(
        decks=rules["decks"],
        dealer_soft_22=rules["dealer_soft_22"],
        blackjack_pays=table["blackjack"].odds.value,
        insurance_pays=rules.table("insurance")["win"].odds.value,
        even_money_pays=rules.table("even_money")["win"].odds.value,
    )


def checked(rules: Variant, shoe: Hand | None = None) -> Hand:
    """The composition to play from, or a refusal that says what is wrong with it."""
    if rules.decks not in range(1, 9):
        raise Refused(
            "decks", f"{rules.decks} decks are not played; one to eight are", clause="685a.3(a)"
        )
    if rules.split_hands not in range(1, 5):
        raise Refused(
            "split_hands", "a hand can become one to four hands by splitting", clause="685a.10(c)"
        )
    if shoe is None:
        return rules.shoe
    if len(shoe) != 10 or any(
        not isinstance(left, int) or not 0 <= left <= full
        for left, full in zip(shoe, (32,) * 9 + (128,), strict=True)
    ):
        raise Refused(
            "composition",
            "a composition has ten counts, ace to ten, none below 0 or above that of eight decks",
            field="shoe",
        )
    if runs_out(shoe):
        raise Refused(
            "composition", "too few cards are left to complete every round", clause="685a.12(e)"
        )
    return shoe


def runs_out(shoe: Hand) -> bool:
    """Whether some round could need more cards than these.

    Two split hands that can still draw have at most 20 points each, the dealer at most 16; each of
    the three then takes one card more. If the smallest cards together stay within that, they could
    all be used up.
    """
    points, spare = 20 + 20 + 16, sum(shoe) - 3
    for value, copies in enumerate(shoe, 1):
        taken = min(copies, points // value)
        points, spare = points - taken * value, spare - taken
    return spare < 0
