"""The hold that the agency printed, beside the exact one, and which rules would explain it.

Changes are tried one at a time, then in twos and threes; what the range of decks is for counts as a
change too. A set of changes explains the range when the hold of one number of decks rounds to its low
end and that of another to its high end, to the last digit printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product

from houseway.law import DOWN_UNDER, chapter, choose
from houseway.maths.blackjack.exact import exact_value
from houseway.maths.blackjack.kernels import Floats
from houseway.maths.blackjack.solve import best_play, solve
from houseway.maths.blackjack.states import most_hands
from houseway.maths.blackjack.table import Table
from houseway.maths.blackjack.variant import Variant, variant_of

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Switch:
    """One rule switched to a natural alternative."""

    id: str
    clause: str
    says: str
    change: Mapping[str, object] = field(hash=False)


SWITCHES: tuple[Switch, ...] = (
    Switch("soft_22", "685a.3(d)(3)", "the dealer counts a soft 22 as 12", {"dealer_soft_22": "counts_as_12"}),
    Switch("soft_17", "685a.7(m)", "the dealer draws to a soft 17", {"soft_17": "hits"}),
    Switch("no_split", "685a.10(a)", "pairs are not split", {"split_hands": 1}),
    Switch("three_hands", "685a.10(c)", "pairs are split up to three hands", {"split_hands": 3}),
    Switch("four_hands", "685a.10(c)", "pairs are split up to four hands", {"split_hands": 4}),
    Switch("split_aces", "685a.10(e)", "split aces are played like other hands", {"split_aces": "as_others"}),
    Switch("like_tens", "685a.10(a)", "only tens of one rank are a pair", {"split_tens": "same_rank"}),
    Switch("after_split", "685a.9(a)", "a hand from a split is not doubled", {"double_after_split": False}),
    Switch("none_beats_22", "685a.7(n)(1)", "a dealer's 22 pays nobody", {"beats_22": frozenset[str]()}),
    Switch("21_beats_22", "685a.7(n)(1)", "a dealer's 22 pays a 21 only", {"beats_22": frozenset({"21"})}),
    Switch("large_beats_22", "685a.7(n)(1)", "a dealer's 22 pays two Large cards only", {"beats_22": frozenset({"two_large"})}),
    Switch(
        "split_large_beats_22",
        "685a.7(n)(1)",
        "a dealer's 22 pays two Large cards from a split too",
        {"beats_22": frozenset({"21", "two_large", "two_large_after_split"})},
    ),
    Switch("doubled_22", "685a.7(n)(1)", "of a doubled hand a dealer's 22 pays the bet alone", {"doubled_beats_22": "bet"}),
    Switch("22_busts", "685a.7(n)(1)", "a dealer's 22 is a bust", {"dealer_22": "busts"}),
    Switch("covered", "685a.7(h)", "the reader's light is not seen", {"reader": "covered"}),
)  # fmt: skip


class Holds:
    """Holds in doubles, one after the other; the dealer's ends are shared where they can be."""

    def __init__(self, keep: int = 12) -> None:
        self.keep = keep
        self.ends: dict[tuple[object, ...], Floats] = {}
        self.found: dict[Variant, float] = {}

    def __call__(self, rules: Variant) -> float:
        if rules not in self.found:
            table = Table(rules)
            same = (rules.decks, rules.dealer_soft_22, rules.soft_17, rules.reader,
                    *(most_hands(rules, card) for card in range(10)), rules.split_aces)  # fmt: skip
            if same not in self.ends:
                if len(self.ends) >= self.keep:
                    self.ends.pop(next(iter(self.ends)))
                self.ends[same] = table.all_ends
            table.all_ends = self.ends[same]
            self.found[rules] = -best_play(table).value
        return self.found[rules]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Changes under which both printed ends come out, and for which decks."""

    switches: tuple[Switch, ...]
    #: decks of the low and of the high end
    decks: tuple[int, int]
    #: whether those are other than the fewest and the most decks allowed
    other_decks: bool
    holds: tuple[Fraction, Fraction]

    @property
    def changes(self) -> int:
        return len(self.switches) + self.other_decks


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What was printed, what follows from the text, and the smallest changes between them."""

    low: str
    high: str
    #: exact holds by reading of a soft 22 and number of decks
    exact: Mapping[tuple[str, int], Fraction]
    agrees: bool
    explanations: tuple[Explanation, ...]
    tried: int


def printed(percentage: str) -> tuple[Fraction, int]:
    """A printed percentage like `.43%` as a number, and its digits after the point."""
    text = percentage.removesuffix("%")
    return Fraction(text if not text.startswith(".") else f"0{text}"), len(text.partition(".")[2])


def rounds_to(hold: Fraction | float, percentage: str) -> bool:
    """Whether a hold has this value when printed with as many digits, halves going up."""
    value, digits = printed(percentage)
    half = Fraction(1, 2 * 10**digits)
    return value - half <= Fraction(hold) * 100 < value + half


def sets_of(size: int, switches: Sequence[Switch] = SWITCHES) -> Iterator[tuple[Switch, ...]]:
    """All sets of so many switches of which no two turn the same rule."""
    for chosen in combinations(switches, size):
        turned = [name for switch in chosen for name in switch.change]
        if len(set(turned)) == len(turned):
            yield chosen


def explain(
    low: str,
    high: str,
    base: Variant,
    decks: Sequence[int],
    most: int,
    progress: Progress | None = None,
) -> tuple[list[Explanation], int]:
    """The smallest sets of changes that give both ends, and how many sets were tried."""
    hold = Holds()
    whole = (min(decks), max(decks))
    work = [
        (changes, switches, other)
        for changes in range(1, most + 1)
        for other in (False, True)
        for switches in sets_of(changes - other)
    ]
    found: list[Explanation] = []
    tried = 0
    for place, (changes, switches, other) in enumerate(work):
        if found and found[0].changes < changes:
            break
        if progress is not None:
            progress(place, len(work))
        tried += 1
        rules = base.but(**{name: to for one in switches for name, to in one.change.items()})
        # between four and eight decks a hold moves by a tenth of a percent, never by a whole one
        if abs(hold(rules.but(decks=whole[0])) * 100 - float(printed(low)[0])) > 1:
            continue
        for fewer, more in product(decks, decks):
            if ((fewer, more) != whole) != other or fewer >= more:
                continue
            if rounds_to(hold(rules.but(decks=fewer)), low) and rounds_to(
                hold(rules.but(decks=more)), high
            ):
                exact = tuple(-exact_value(solve(rules.but(decks=n))) for n in (fewer, more))
                if rounds_to(exact[0], low) and rounds_to(exact[1], high):
                    found.append(Explanation(switches, (fewer, more), other, (exact[0], exact[1])))
    return found, tried


def reconciled(most: int = 3, progress: Progress | None = None) -> Reconciled:
    """The chapter's printed hold of the bet beside the exact one."""
    law = chapter(DOWN_UNDER)
    hold = next(one for one in law.about.holds if one.wager == "bet")
    option = law.options["dealer_soft_22"]
    decks = sorted(int(choice.value) for choice in law.options["decks"].choices)
    base = variant_of(choose(law))
    exact = {
        (str(reading.value), count): -exact_value(
            solve(base.but(dealer_soft_22=reading.value, decks=count))
        )
        for reading in option.choices
        for count in decks
    }
    followed = [exact[base.dealer_soft_22, count] for count in decks]
    agrees = rounds_to(min(followed), hold.low) and rounds_to(max(followed), hold.high)
    found, tried = ([], 0) if agrees else explain(hold.low, hold.high, base, decks, most, progress)
    return Reconciled(hold.low, hold.high, exact, agrees, tuple(found), tried)
