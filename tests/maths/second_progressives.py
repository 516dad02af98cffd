"""Progressives by a second program: the meters, the envy of others, and folds that forfeit."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, perm
from typing import Any

import numpy as np
from second_program import (
    POKER,
    Worked,
    back,
    best_of,
    duel,
    five_cards,
    of_nets,
    paid_rows,
    three_cards,
)

from houseway.law import Chapter
from houseway.law.chapter import Wager

ROYALS = [frozenset((rank, suit) for rank in (10, 11, 12)) for suit in range(4)]


@cache
def held(others: int, free: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """Deals to so many others by which of the mini royals of these suits they hold."""

    def at_least(size: int) -> int:
        found = perm(others, size)
        for place in range(size, others):
            found *= comb(49 - 3 * place, 3)
        return found

    return {
        some: sum(
            (-1) ** (len(more) - len(some)) * at_least(len(more))
            for size in range(len(some), min(others, len(free)) + 1)
            for more in combinations(free, size)
            if set(some) <= set(more)
        )
        for size in range(min(others, len(free)) + 1)
        for some in combinations(free, size)
    }


@cache
def hands_and_free() -> Counter[tuple[tuple[str, ...], tuple[int, ...]]]:
    """One's own hands by their names and by the suits whose mini royal is left to others."""
    found: Counter[tuple[tuple[str, ...], tuple[int, ...]]] = Counter()
    for hand, names in three_cards():
        free = tuple(suit for suit in range(4) if not ROYALS[suit] & set(hand))
        found[tuple(names), free] += 1
    return found


def come(entry: Any, table: Any, names: tuple[str, ...], stake: int) -> tuple[str | None, Fraction]:
    """The row that pays, and what comes back: a share of a meter includes the stake."""
    row = paid_rows(table, list(names), stake)
    if row is None:
        return None, Fraction(0)
    odds = table[row].odds
    if odds.kind == "meter":
        return row, odds.value * entry.progressive.meters[meter_of(entry, odds)] / stake
    return row, back(odds, stake)


def meter_of(entry: Any, odds: Any) -> str:
    return entry.wager if odds.meter == "meter" else f"{entry.wager}.{odds.meter}"


def on_three_cards(entry: Any, table: Any, stake: int, envy: Any) -> tuple[Worked, Counter]:
    players = entry.columns.get("players", 1)
    others, total = players - 1, comb(52, 3)
    deals = 1
    for place in range(others):
        deals *= comb(49 - 3 * place, 3)
    nets: Counter[Fraction] = Counter()
    rows: Counter[tuple[str, Fraction]] = Counter()
    own: Counter[tuple[str, ...]] = Counter()
    for (names, free), hands in hands_and_free().items():
        own[names] += hands
        row, came = come(entry, table, names, stake)
        if row:
            rows[row, came] += hands * deals
        for suits, ways in held(others, free).items():
            more = Fraction(0)
            for suit in suits:
                name = "mini_royal_spades" if suit == 3 else "mini_royal"
                paid = name if name in envy.pays else "mini_royal"
                won = envy[paid].odds.value / stake
                more += won
                rows[f"envy_{paid}", won] += hands * ways
            nets[came - 1 + more] += hands * ways
    found = of_nets(nets, total * deals)
    found.rows = {row: Fraction(ways, total * deals) for row, ways in rows.items()}
    return found, own


def figures_of_meters(entry: Any, table: Any, stake: int, own: Counter, total: int, envy: Fraction):
    """Fixed return, and for each meter its chance, mean share and break-even in dollars."""
    fixed, meters = envy, {}
    for names, hands in own.items():
        row = paid_rows(table, list(names), stake)
        if row is None:
            continue
        odds = table[row].odds
        chance = Fraction(hands, total)
        if odds.kind == "meter":
            pays = meters.setdefault(meter_of(entry, odds), [Fraction(0), Fraction(0)])
            pays[0] += chance
            pays[1] += chance * odds.value
        else:
            fixed += chance * back(odds, stake)
    found: dict[str, Any] = {"fixed_return": fixed}
    shown = entry.progressive.meters
    for name, (chance, share) in meters.items():
        others = sum(
            (part * shown[other] / stake for other, (_, part) in meters.items() if other != name),
            Fraction(0),
        )
        even = max(1 - fixed - others, Fraction(0)) * stake / share / 100
        found[name] = (chance, share / chance, even)
    found["edge"] = (
        1
        - fixed
        - sum((part * shown[name] / stake for name, (_, part) in meters.items()), Fraction(0))
    )
    return found


@cache
def five_cards_kept(played: tuple[bool, ...]) -> Counter[tuple[str, ...]]:
    """Three cards that are played with every two of the community's, by their name."""
    found: Counter[tuple[str, ...]] = Counter()
    hands = list(combinations(range(52), 3))
    pairs = np.array(list(combinations(range(52), 2)))
    for hand, is_played in zip(hands, played, strict=True):
        if not is_played:
            continue
        apart = (pairs[:, :, None] != np.array(hand)).all(axis=(1, 2))
        sets = np.column_stack([np.tile(hand, (int(apart.sum()), 1)), pairs[apart]])
        for place, count in enumerate(np.bincount(best_of(sets // 4, sets % 4), minlength=10)):
            found[POKER[place],] += int(count)
    return found


def plays(law: Chapter) -> tuple[bool, ...]:
    """Which hands the best strategy of the ante plays, with the first bonus table."""
    bonus = law.paytables["ante_bonus", str(law.options["ante_bonus"].choices[0].value)]
    found = []
    for (_, names), (weak, lower, level, higher) in zip(three_cards(), duel(), strict=True):
        row = paid_rows(bonus, names, 100)
        more = bonus[row].odds.value if row is not None else Fraction(0)
        worth = weak * (1 + more) + lower * (2 + more) + level * more + higher * (more - 2)
        found.append(worth > -comb(49, 3))
    return tuple(found)


def work_out(law: Chapter, wager: Wager, entry: Any, stake: int) -> Worked:
    table = law.paytables[wager.id, entry.paytable]
    if wager.settled_on == "three_cards":
        envy = law.paytables.get(("envy", entry.columns["stake"])) or law.paytables["envy", "any"]
        found, own = on_three_cards(entry, table, stake, envy)
        envied = sum(
            (Fraction(came) * chance for (name, came), chance in found.rows.items()
             if name.startswith("envy_")), Fraction(0)
        )  # fmt: skip
        found.meters = figures_of_meters(entry, table, stake, own, comb(52, 3), envied)
    else:
        own = Counter({(name,): ways for name, ways in five_cards().items()})
        nets: Counter[Fraction] = Counter()
        rows = {}
        for names, ways in own.items():
            row, came = come(entry, table, names, stake)
            nets[came - 1] += ways
            if row:
                rows[row, came] = Fraction(ways, comb(52, 5))
        found = of_nets(nets, comb(52, 5))
        found.rows = rows
        found.meters = figures_of_meters(entry, table, stake, own, comb(52, 5), Fraction(0))
        kept = five_cards_kept(plays(law))
        every = comb(52, 3) * comb(49, 2)
        found.meters["beside"] = figures_of_meters(entry, table, stake, kept, every, Fraction(0))
    rate = law.about.facts.get(f"{wager.id}_rate_least")
    least = rate.value.get(entry.paytable) if rate and isinstance(rate.value, dict) else None
    metered = [odds for odds in (pay.odds for pay in table.pays.values()) if odds.kind == "meter"]
    if least is not None and len({meter_of(entry, odds) for odds in metered}) == 1:
        reset = Fraction(1000)
        whole = sum(
            (chance for row, chance in _by_row(table, own, stake).items()
             if table[row].odds.kind == "meter" and table[row].odds.value == 1), Fraction(0)
        )  # fmt: skip
        taken = Fraction(str(least).removesuffix("%")) / 100
        found.meters["long_run"] = (
            found.meters["fixed_return"] + taken + whole * reset / Fraction(stake, 100)
        )
    return found


def _by_row(table: Any, own: Counter, stake: int) -> dict[str, Fraction]:
    total = sum(own.values())
    found: dict[str, Fraction] = {}
    for names, hands in own.items():
        row = paid_rows(table, list(names), stake)
        if row:
            found[row] = found.get(row, Fraction(0)) + Fraction(hands, total)
    return found
