"""The tallies by name: from the cache, or counted now and kept.

Nothing here needs NumPy while a tally is in the cache; the kernels are imported when one must be
counted. All tallies have one key, the code of all kernels together: a change of any counts all
anew, which is a matter of seconds and never of doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from itertools import groupby
from typing import TypeVar

from houseway.games.three_card.maths.envy import Own, own_hands
from houseway.maths.cache import is_kept, recall
from houseway.maths.counts import THREE, Duel, FiveCards, Kinds, Primes, Splits

T = TypeVar("T")

#: The code that counts. `tests/maths` makes sure that it uses no other code of the package.
KERNELS = (
    "maths/counts.py", "maths/hands.py", "games/three_card/maths/duel.py", "games/three_card/maths/six_cards.py", "games/three_card/maths/five_cards.py",
    "games/three_card/maths/prime.py", "games/saigon/maths/hand_kinds.py", "games/three_card/maths/cover_all.py", "games/three_card/maths/envy.py",
    "cards/card.py", "games/three_card/hands.py",
)  # fmt: skip


def _tally(name: str, kind: type[T], kernel: str, *given: int) -> T:
    def make() -> T:
        module, _, function = kernel.partition(":")
        made: T = getattr(import_module(f"houseway.games.{module}"), function)(*given)
        return made

    return recall("-".join([name, *map(str, given)]), kind, KERNELS, make)


@cache
def duel(qualifies: int) -> Duel:
    """Three cards against three; the dealer qualifies from that value on."""
    return _tally("duel", Duel, "three_card.maths.duel:duel", qualifies)


@cache
def splits(qualifies: int) -> Splits:
    """Three and three cards whose six pay."""
    return _tally("splits", Splits, "three_card.maths.six_cards:splits", qualifies)


@cache
def five_cards(qualifies: int) -> FiveCards:
    """Three and two cards whose five pay."""
    return _tally("five_cards", FiveCards, "three_card.maths.five_cards:five_cards", qualifies)


@cache
def primes(qualifies: int) -> Primes:
    """Colours and twos."""
    return _tally("primes", Primes, "three_card.maths.prime:primes", qualifies)


@cache
def kinds() -> Kinds:
    """Saigon hands."""
    return _tally("saigon", Kinds, "saigon.maths.hand_kinds:kinds")


@cache
def saigon_bonus(joker: str) -> dict[str, int]:
    """Saigon bonus hands by outcome with another joker than the text's."""
    return recall(
        f"saigon_{joker}",
        dict[str, int],
        KERNELS,
        lambda: import_module("houseway.games.saigon.maths.hand_kinds").other_bonus(joker),
    )


@cache
def six_card_hands() -> dict[str, int]:
    """Sets of six cards by outcome."""
    return _tally("six", dict[str, int], "three_card.maths.six_cards:six_card_hands")


@cache
def five_card_hands() -> dict[str, int]:
    """Sets of five cards by outcome."""
    return _tally("five", dict[str, int], "three_card.maths.five_cards:five_card_hands")


@cache
def cover_all() -> dict[int, dict[str, int]]:
    """Deals of two to eight hands by the highest."""
    kept = _tally("cover_all", dict[str, dict[str, int]], "three_card.maths.cover_all:cover_all")
    return {int(hands): counts for hands, counts in kept.items()}


@cache
def three_card_hands() -> dict[str, int]:
    """Three-card hands by outcome, from the rows of any duel."""
    found = dict.fromkeys(THREE, 0)
    tally = duel(QUEEN_HIGH)
    for name, row in rows(tally):
        found[name] += tally.ways[row]
    return found


@cache
def own_hands_and_envy() -> Own:
    """One's own hands by outcome and the mini royals they leave to others."""
    return recall("envy", Own, KERNELS, lambda: own_hands(three_card_hands()))


#: The least value of a queen-high hand.
QUEEN_HIGH = 10 * 169


def rows(tally: Duel) -> Iterator[tuple[str, int]]:
    """The rows of a duel with their three-card outcome."""
    last = len(tally.value) - 1
    for row, value in enumerate(tally.value):
        kind = value // 13**3
        if kind == 5 and value % 13**3 == 12:
            yield ("mini_royal_spades" if row == last else "mini_royal"), row
        else:
            yield THREE[kind], row


@cache
def groups(qualifies: int) -> tuple[tuple[str, range], ...]:
    """The rows of a duel by outcome: they stand together."""
    found = []
    for name, members in groupby(rows(duel(qualifies)), key=lambda pair: pair[0]):
        numbers = [row for _, row in members]
        found.append((name, range(numbers[0], numbers[-1] + 1)))
    return tuple(found)


#: What a chapter needs, in the order it is counted: for a progress bar.
NEEDS: dict[str, tuple[tuple[str, Callable[[], object]], ...]] = {
    "three": (
        (f"duel-{QUEEN_HIGH}", lambda: duel(QUEEN_HIGH)),
        ("six", six_card_hands),
        (f"splits-{QUEEN_HIGH}", lambda: splits(QUEEN_HIGH)),
        ("envy", own_hands_and_envy),
    ),
    "five": (
        ("five", five_card_hands),
        (f"five_cards-{QUEEN_HIGH}", lambda: five_cards(QUEEN_HIGH)),
    ),
    "cover_all": (("cover_all", cover_all),),
    "prime": ((f"primes-{QUEEN_HIGH}", lambda: primes(QUEEN_HIGH)),),
    "saigon": (("saigon", kinds),),
}


def missing(*parts: str) -> list[tuple[str, Callable[[], object]]]:
    """Which tallies would have to be counted now."""
    return [
        (name, count) for part in parts for name, count in NEEDS[part] if not is_kept(name, KERNELS)
    ]
