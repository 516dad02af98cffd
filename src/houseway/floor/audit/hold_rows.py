"""What the wagers of a round took and won, kept apart by what their exact figures depend on.

That is the stake, and for some wagers the other hands at the table (Cover All, envy), an ante beside
them that may be folded, and what their meters showed. A meter's amount is another in every round, so
its sum is kept, and the sum of its squares and products: expectation and variance need no more. Seats
of one round are correlated, so the products of their stakes are kept too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from houseway.game_api.round import LOST
from houseway.law import Chapter
from houseway.maths.game import MATHS
from houseway.maths.par import base_wager, entry_of
from houseway.money import Cents
from houseway.table import Table, rules_of
from houseway.table.state import Due, wager_of


class Row(NamedTuple):
    """A row for a table of the projections; `adds` are sums and stand last, `replaces` are overwritten."""

    table: str
    values: dict[str, Any]
    adds: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()


def paid(line: Due) -> Cents:
    return 0 if line.result in LOST else line.paid


def win(line: Due) -> Cents:
    """What the house wins by a line; meter payouts are not the house's money."""
    return line.stake if line.result in LOST else line.from_meter - line.paid


def holds(
    table: Table, day: str, lines: tuple[Due, ...], shown: Mapping[str, Cents]
) -> Iterator[Row]:
    """The rows of a round; `shown` is what the meters of its progressive wagers showed."""
    law = rules_of(table).chapter
    metered = {meter.partition(".")[0] for meter in shown}
    stakes = {(line.seat, line.hand, line.wager): line.stake for line in lines}
    made = [(line, *_base(law, line, stakes, metered)) for line in lines]
    #: what was wagered on the same cards, and all of it; and by how many
    on_cards: Counter[tuple[str, int]] = Counter()
    in_all: Counter[str] = Counter()
    wagers: Counter[tuple[str, int]] = Counter()
    for line, _, wager, base in made:
        cards = wager, _cards(table, law, line, wager)
        on_cards[cards] += base
        in_all[wager] += base
        wagers[cards] += bool(base)
    for line, on, wager, base in made:
        key = {
            "table": table.name, "day": day, "rules": table.rules_hash, "wager": wager,
            **_terms(table, law, line, on, stakes, metered),
        }  # fmt: skip
        cards = wager, _cards(table, law, line, wager)
        sums = {
            "rounds": 1 if base else 0, "wagered": line.stake, "base": base,
            "squares": base * on_cards[cards], "pairs": base * (in_all[wager] - on_cards[cards]),
            "win": win(line), "from_meter": line.from_meter,
        }  # fmt: skip
        yield Row("holds", {**key, **sums}, adds=tuple(sums))
        if base and wager in metered:
            yield from _meters(key, wager, shown, wagers[cards])


def _base(
    law: Chapter, line: Due, stakes: Mapping[tuple[int, int, str], Cents], metered: set[str]
) -> tuple[str, str, Cents]:
    """The wager that a line belongs to, the name that it is figured under, and on which stake."""
    on = _wager(law, line, stakes, metered)
    return on, entry_of(law, on), line.stake if line.wager == _counted_on(law, on) else 0


@cache
def _counted_on(law: Chapter, id: str) -> str:
    """The wager on whose stake the edge of a wager or bonus is counted."""
    base = base_wager(law, entry_of(law, id))
    return base.id if base is not None else id


@cache
def decided_for_all(law: Chapter, name: str) -> bool:
    """Whether one hand decides the wagers of all players, so that their stakes count as one."""
    base = base_wager(law, name)
    return base is not None and base.settled_on in MATHS.of(law).decided_for_all


def _cards(table: Table, law: Chapter, line: Due, wager: str) -> int:
    """The cards that decide: the seat's, everybody's, or in the electronic version a numbered hand."""
    if decided_for_all(law, wager):
        return 0
    return line.hand if table.rules["rules"].get("electronic") else line.seat


def _wager(
    law: Chapter, line: Due, stakes: Mapping[tuple[int, int, str], Cents], metered: set[str]
) -> str:
    """The wager that a line belongs to: envy comes with a progressive, by the hand that is envied."""
    bonus = law.bonuses.get(line.wager)
    if bonus is None or not bonus.all_hands:
        return line.wager
    own = [name for name in sorted(metered) if (line.seat, line.hand, name) in stakes]
    if len(own) > 1:
        # the printed table is for the wager that it is paid beside, the house's own for the other
        tables = [data for data in law.paytable_data if data.wager == bonus.id]
        printed = any(row.hand == line.outcome for data in tables for row in data.rows)
        return next(name for name in own if (name == bonus.beside) == printed)
    return own[0] if own else line.wager


def _terms(
    table: Table, law: Chapter, line: Due, wager: str,
    stakes: Mapping[tuple[int, int, str], Cents], metered: set[str],
) -> dict[str, int]:  # fmt: skip
    """The other terms that the exact figures of a wager depend on."""
    base = _counted_on(law, wager)
    # a wager that follows a bet may belong to another hand than the bet
    own = (stakes.get((line.seat, hand, base)) for hand in (line.hand, 0, 1))
    stake = next((amount for amount in own if amount), line.stake)
    found = {"stake": stake, "others": 0, "ante": 0}
    known = law.wagers.get(wager)
    if known is not None and known.settled_on in MATHS.of(law).decided_by_hands_dealt:
        found["others"] = len(table.hands) - 1
    if wager in metered:
        found["others"] = _hands_of_others(table, line.seat)
        found["ante"] = int(_may_be_folded(law, line, stakes))
    return found


def _may_be_folded(law: Chapter, line: Due, stakes: Mapping[tuple[int, int, str], Cents]) -> bool:
    """Whether the same hand has a wager that its player decides on after the deal."""
    decided = {_counted_on(law, one.id) for one in law.about.wagers if one.made == "on_decision"}
    return any((line.seat, line.hand, id) in stakes for id in decided)


def _hands_of_others(table: Table, seat: int) -> int:
    """Hands at the table that the player of this seat does not hold.

    A seat has a hand of its own; in the electronic version players wager on hands by number.
    """
    held: dict[tuple[int, int], set[str]] = {}
    for other in table.hands:
        box = table.boxes[other - 1]
        for name in box.wagers:
            hand = wager_of(name)[1]
            held.setdefault((0, hand) if hand else (other, 0), set()).add(_player(table, other))
    mine = _player(table, seat)
    return sum(1 for players in held.values() if mine not in players)


def _player(table: Table, seat: int) -> str:
    return table.holders.get(seat) or table.boxes[seat - 1].player or str(seat)


def _meters(
    key: dict[str, Any], wager: str, shown: Mapping[str, Cents], alike: int
) -> Iterator[Row]:
    """What the meters showed, once for the expectation and, for the variance, once for each of the
    wagers that are `alike`: so many on one hand vary by its square together.
    """
    own = {name: amount for name, amount in shown.items() if name.partition(".")[0] == wager}
    for name, amount in own.items():
        yield _sum(key, "mean", name, "", amount)
        yield _sum(key, "spread", name, "", amount * alike)
    for one, other in combinations_with_replacement(sorted(own), 2):
        yield _sum(key, "spread", one, other, own[one] * own[other] * alike)


def _sum(key: dict[str, Any], what: str, meter: str, other: str, amount: int) -> Row:
    # as text: the squares of large meters exceed the integers of the database
    values = {**key, "what": what, "meter": meter, "other": other, "amount": str(amount)}
    return Row("meter_sums", values, adds=("amount",))
