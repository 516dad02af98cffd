"""What was settled, as it is shown: results of hands, chips on the felt, what a seat is up or down.

A line of a settlement is read where the table keeps it, as a `Due`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Literal

from houseway.game_api.round import LOST
from houseway.law import Chapter
from houseway.money import Cents, spoken
from houseway.present.view import ChipsView, Result
from houseway.table.state import Due, wager_of

_RESULTS: dict[str, Result] = {
    "win": "win", "lose": "lose", "push": "push", "returned": "push", "forfeit": "lose",
}  # fmt: skip
_STATES: dict[str, Literal["collected", "returned"]] = {
    "lose": "collected", "forfeit": "collected", "push": "returned", "returned": "returned",
}  # fmt: skip


@cache
def main_wagers(law: Chapter) -> tuple[str, ...]:
    """The wagers that decide whether a hand won: the first one with what is figured in it.

    A wager that was made later stands first, and another standard wager last.
    """
    first = law.about.wagers[0]
    together = [one.id for one in law.about.wagers if one.entry == first.entry]
    others = [one.id for one in law.about.wagers if one.kind == "standard"]
    return tuple(dict.fromkeys((*reversed(together), *others)))


def result_of(law: Chapter, settled: Iterable[Due], seat: int, hand: int = 0) -> Result:
    """The result of a hand: that of the main wager on it."""
    found = {line.wager: line.result for line in settled if (line.seat, line.hand) == (seat, hand)}
    return next((_RESULTS.get(found[id], "") for id in main_wagers(law) if id in found), "")


def change(line: Due) -> Cents:
    """What the player is up or down by a line."""
    return line.paid - (line.stake if line.result in LOST else 0)


def net(lines: Iterable[Due]) -> Cents:
    """What a player is up or down over some lines."""
    return sum(map(change, lines))


def signed(amount: Cents) -> str:
    """A result as it stands beside a seat: "+$15", "−$5", "even"."""
    return "even" if amount == 0 else f"{'+' if amount > 0 else '−'}{spoken(abs(amount))}"


def area_of(law: Chapter, id: str) -> str:
    """The area where the chips of a wager or a bonus lie."""
    bonus = law.bonuses.get(id)
    wager = law.wagers.get(bonus.beside if bonus else id)
    return wager.area if wager else id


def chips(
    law: Chapter,
    laid: Mapping[str, Cents],
    settled: Iterable[Due],
    raises: Callable[[str], bool],
) -> Iterator[ChipsView]:
    """The chips on the felt, then each stake that was settled and what was paid beside it."""

    def pile(id: str, hand: int, amount: Cents, state: str = "placed") -> ChipsView:
        return ChipsView(
            area_of(law, id), amount, state, hand, id, law.line_name(id), raises(id)  # type: ignore[arg-type]
        )  # fmt: skip

    for key, amount in laid.items():
        if amount:
            yield pile(*wager_of(key), amount)
    staked: dict[tuple[str, int], list[Due]] = {}
    paid: dict[tuple[str, int], Cents] = {}
    for line in settled:
        # a bonus has no stake of its own: it is paid beside the wager that it belongs to
        bonus = law.bonuses.get(line.wager)
        spot = bonus.beside if bonus else line.wager, line.hand
        if line.stake:
            staked.setdefault(spot, []).append(line)
        if line.paid:
            paid[spot] = paid.get(spot, 0) + line.paid
    for spot in dict.fromkeys((*staked, *paid)):
        for line in staked.get(spot, ()):
            yield pile(*spot, line.stake, _STATES.get(line.result, "placed"))
        if spot in paid:
            yield pile(*spot, paid[spot], "paid")
