"""The hold that the agency printed for the bet, and which rules would explain it.

Changes are tried one at a time, then in twos and threes: the switches that the chapter declares, and
for which decks the figures are, which counts as a change too. Changes explain the range when the
hold of one number of decks is its low end and that of more decks its high end, to the last digit.

Doubling for less than the bet is not a switch: it never pays, so it changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations

import msgspec

from houseway.games.down_under.maths.figures import SOURCES, edge, games, named
from houseway.games.down_under.maths.solver.variant import Variant, variant_of
from houseway.law import Chapter, choose
from houseway.law.chapter import Hold
from houseway.law.switches import Switch
from houseway.maths.counting.cache import digest
from houseway.maths.counting.tallies import Tallies
from houseway.maths.counting.threads import side_by_side
from houseway.maths.game import Progress
from houseway.maths.reconcile import Finding, Switched, agrees, printed

#: how many changes are tried together
MOST = 3
#: how far off, as a share of the bet, a guess is given up, and a hold of four decks
FAR, NEAR = 0.006, 0.002


class Explanation(msgspec.Struct, frozen=True):
    """Ids of switches, and the decks of the low and of the high end where those are not all."""

    switches: tuple[str, ...]
    decks: tuple[int, int] | None


class Searched(msgspec.Struct, frozen=True):
    """The smallest explanations, and how many sets of changes were tried for them."""

    explanations: tuple[Explanation, ...]
    tried: int


class Holds:
    """Holds in doubles. Those with the same dealer are asked for together."""

    def __init__(self) -> None:
        self.found: dict[Variant, float] = {}

    def __call__(self, game: Variant) -> float:
        if game not in self.found:
            self.ask([game])
        return self.found[game]

    def ask(self, wanted: Iterable[Variant], progress: Progress | None = None) -> None:
        """Work these out, each dealer's ends once for all compositions that any of them asks for."""
        import numpy as np

        from houseway.games.down_under.maths.solver.game_arrays import Table
        from houseway.games.down_under.maths.solver.solve import best_play
        from houseway.games.down_under.maths.solver.states import cards_of, states

        groups: dict[tuple[object, ...], list[Variant]] = {}
        for game in dict.fromkeys(wanted):
            if game not in self.found:
                groups.setdefault(_same_ends(game), []).append(game)
        count, done = sum(map(len, groups.values())), 0

        def work_out(group: list[Variant]) -> None:
            nonlocal done
            every = [states(game) for game in group]
            cards = np.unique(np.concatenate([one.cards for one in every]))
            removed = cards_of(cards)
            first = Table(group[0], positions=replace(every[0], removed=removed))
            for game, mine in zip(group, every, strict=True):
                row = np.searchsorted(cards, mine.cards)
                table = Table(game, positions=replace(mine, removed=removed, row=row))
                table.left, table.all_ends = first.left, first.all_ends
                self.found[game] = -best_play(table).value
                done += 1
                if progress is not None:
                    progress(done, count)

        side_by_side(work_out, groups.values())


def _same_ends(game: Variant) -> tuple[object, ...]:
    """What decides where the dealer ends."""
    return game.decks, game.dealer_soft_22, game.soft_17, game.reader


def thrown(game: Variant, switches: Sequence[Switch]) -> Variant:
    """The game with these switches thrown."""
    changes = {name: value for switch in switches for name, value in switch.variant.items()}
    return game.but(
        **{name: frozenset(v) if isinstance(v, tuple) else v for name, v in changes.items()}
    )


def sets_of(switches: Sequence[Switch], size: int) -> Iterator[tuple[Switch, ...]]:
    """All sets of this many switches in which no two change the same rule."""
    for chosen in combinations(switches, size):
        turned = [name for switch in chosen for name in switch.variant]
        if len(set(turned)) == len(turned):
            yield chosen


def close_to(hold: float, figure: str) -> bool:
    """Whether a hold could be that figure; only what could be is worked out exactly."""
    return printed(Fraction(hold), figure) == printed(_figure(figure), figure)


def _figure(text: str) -> Fraction:
    return Fraction(text.removesuffix("%")) / 100


def search(
    law: Chapter, hold: Hold, most: int = MOST, progress: Progress | None = None
) -> Searched:
    """The smallest sets of changes that give both ends of a printed range."""
    from houseway.games.down_under.maths.solver.exact import exact_value
    from houseway.games.down_under.maths.solver.solve import solve

    decks = sorted(int(choice.value) for choice in law.options["decks"].choices)
    whole = (decks[0], decks[-1])
    ranges = (whole, *(pair for pair in combinations(decks, 2) if pair != whole))
    switches = [switch for switch in law.switches if switch.wager == hold.wager]
    base = variant_of(choose(law)).but(decks=whole[0])
    aim = float(_figure(hold.low))
    hold_of = Holds()
    tried = 0
    for size in range(1, most + 1):
        sets = [(ends, one) for ends in ranges for one in sets_of(switches, size - (ends != whole))]
        tried += len(sets)
        hold_of.ask((thrown(base, one) for _, one in sets if len(one) < 3), progress)
        near = [one for one in sets if abs(_guess(hold_of, base, one[1]) - aim) < FAR]
        hold_of.ask((thrown(base, chosen) for _, chosen in near), progress)
        # from four decks to eight a hold moves by a tenth of a percent: far off stays far off
        close = [
            (ends, chosen, game.but(decks=ends[0]), game.but(decks=ends[1]))
            for ends, chosen in near
            if abs(hold_of(game := thrown(base, chosen)) - aim) <= NEAR
        ]
        hold_of.ask((low for _, _, low, _ in close), progress)
        close = [one for one in close if close_to(hold_of(one[2]), hold.low)]
        hold_of.ask((high for _, _, _, high in close), progress)
        found = []
        for ends, chosen, low, high in close:
            if close_to(hold_of(high), hold.high):
                exact = side_by_side(lambda game: -exact_value(solve(game)), (low, high))
                if agrees(hold, exact):
                    names = tuple(switch.id for switch in chosen)
                    found.append(Explanation(names, ends if ends != whole else None))
        if found:
            return Searched(tuple(found), tried)
    return Searched((), tried)


def _guess(hold_of: Holds, game: Variant, chosen: tuple[Switch, ...]) -> float:
    """The hold of a set of changes: of one or two as it is, of three from those of two each.

    What three rules do that no two of them do is at most 0.42% of the bet here, so of sets of three
    only those are solved whose guess is near; smaller sets are all solved.
    """
    if len(chosen) < 3:
        return hold_of(thrown(game, chosen))
    twos = sum(hold_of(thrown(game, two)) for two in combinations(chosen, 2))
    ones = sum(hold_of(thrown(game, [one])) for one in chosen)
    return twos - ones + hold_of(game)


SEARCHES = Tallies("down_under", (*SOURCES, "houseway.games.down_under.maths.reconcile"))


def _inputs(law: Chapter, hold: Hold) -> str:
    """What a search depends on, in a name for a file."""
    decks = [choice.value for choice in law.options["decks"].choices]
    switches = [
        (switch.id, switch.variant) for switch in law.switches if switch.wager == hold.wager
    ]
    return digest(hold.low, hold.high, decks, named(variant_of(choose(law))), switches)


def searched(law: Chapter, hold: Hold, progress: Progress | None = None) -> Searched:
    """The search, from the cache or made now and kept."""
    make = partial(search, law, hold, MOST, progress)
    return SEARCHES.recall("reconciled", Searched, make, _inputs(law, hold))


def is_searched(law: Chapter, hold: Hold) -> bool:
    return SEARCHES.is_kept("reconciled", _inputs(law, hold))


def finding(law: Chapter, hold: Hold) -> Finding:
    """The printed hold of the bet beside the exact one, for the reading that is followed."""
    reading = variant_of(choose(law)).dealer_soft_22
    asked = sorted(
        (game for game in games(law) if game.dealer_soft_22 == reading), key=lambda game: game.decks
    )
    found = zip(asked, side_by_side(edge, asked), strict=True)
    edges = tuple((f"decks {game.decks}", hold) for game, hold in found)
    if agrees(hold, (edge for _, edge in edges)):
        return Finding(law, hold, edges, agrees=True)
    made = searched(law, hold)
    known = {switch.id: switch for switch in law.switches}
    explained = tuple(
        (
            *(Switched(known[id]) for id in one.switches),
            *([Switched(_decks(law, hold, one.decks))] if one.decks else []),
        )
        for one in made.explanations
    )
    return Finding(law, hold, edges, False, explained, made.tried)


def _decks(law: Chapter, hold: Hold, decks: tuple[int, int]) -> Switch:
    return Switch(
        id="decks",
        wager=hold.wager,
        clause=law.options["decks"].clause,
        kind="reading",
        says="The range is that of all numbers of decks.",
        instead=f"The range is that of {decks[0]} and {decks[1]} decks.",
    )
