"""The makers of a PAR sheet's entries: wagers that are settled by the cards of one deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from msgspec.structs import replace

from houseway.games.three_card.maths import ante_play as ante
from houseway.law import Paytable
from houseway.maths import strategy_text as words
from houseway.maths import tallies, wagers
from houseway.maths.figures import exact, percent
from houseway.maths.par import Asked
from houseway.maths.sheet import AlternativeOut, Entry, Outcome, StrategyOut
from houseway.maths.wagers import Outcomes, Worth
from houseway.money import Cents, Odds, dollars

#: At which stakes a wager is shown whose figures depend on the stake.
STAKES: tuple[Cents, ...] = (100, 500, 2500, 10000)


def _stakes(asked: Asked, wager: str, table: Paytable) -> Sequence[Cents | None]:
    """The stakes to show: one, without a name, where it does not matter."""
    limited = asked.rules is not None and asked.rules.options.get("payout_limit", "none") != "none"
    if not limited and all(pay.odds.kind in ("to", "for") for pay in table.pays.values()):
        return (None,)
    if asked.stakes:
        return asked.stakes
    limit = asked.rules.limits.get(wager) if asked.rules is not None else None
    bounds = [bound for bound in (limit.min, limit.max) if bound] if limit else []
    return tuple(dict.fromkeys(bounds)) or STAKES


def _worth(asked: Asked, stake: Cents | None) -> Worth:
    """What odds are worth beside one unit, cut where the rules have a payout limit."""
    plain = wagers.plain(stake or 100)
    limit = asked.rules.options.get("payout_limit", "none") if asked.rules is not None else "none"
    if limit == "none" or stake is None:
        return plain
    most = Fraction(int(limit), stake)
    return lambda odds: min(plain(odds), most)


def _rows(outcomes: Outcomes, table: Paytable, worth: Worth | None = None) -> list[Outcome]:
    worth = worth or wagers.plain(100)
    return [
        Outcome(pay.hand, pay.odds.text, ways, worth(pay.odds), pay.clause)
        for pay, ways in wagers.by_row(outcomes, table)
    ]


def by_table(asked: Asked, wager: str, outcomes: Outcomes) -> Iterator[Entry]:
    """A wager that one look at a paytable settles."""
    for table in asked.tables(wager):
        for stake in _stakes(asked, wager, table):
            worth = _spared(asked, table, stake)
            yield Entry(
                wager,
                table.id,
                wagers.pay(outcomes, table, worth),
                _rows(outcomes, table, worth),
                outcomes.total,
                table.clause,
                {} if stake is None else {"stake": dollars(stake)},
            )


def _spared(asked: Asked, table: Paytable, stake: Cents | None) -> Worth:
    """The same, outcomes that a payout limit spares being paid in full."""
    fact = asked.law.about.facts.get("payout_limit_spares")
    spares = fact.value if fact is not None and isinstance(fact.value, tuple) else ()
    cut, full = _worth(asked, stake), wagers.plain(stake or 100)
    spared = {table.pays[hand].odds for hand in table.pays if hand in spares}

    def worth(odds: Odds) -> Fraction:
        return full(odds) if odds in spared else cut(odds)

    return worth


def pair_plus(asked: Asked) -> Iterable[Entry]:
    return by_table(asked, "pair_plus", wagers.three_cards())


def six_card_bonus(asked: Asked) -> Iterable[Entry]:
    return by_table(asked, "six_card_bonus", wagers.six_cards("super_royal"))


def all_six(asked: Asked) -> Iterable[Entry]:
    return by_table(asked, "all_six", wagers.six_cards("six_card_royal"))


def prime(asked: Asked) -> Iterable[Entry]:
    return by_table(asked, "prime", wagers.prime())


def pair_bonus(asked: Asked) -> Iterator[Entry]:
    plain, with_two = wagers.pair_bonus()
    always = asked.law.paytables["pair_bonus", "not_2"]
    for table in asked.tables("pair_bonus"):
        for stake in _stakes(asked, "pair_bonus", table):
            worth = _worth(asked, stake)
            spread = wagers.together(
                [wagers.pay(plain, always, worth), wagers.pay(with_two, table, worth)]
            )
            rows = [
                Outcome(row.outcome, row.pays, row.ways, row.net, row.clause, "fourth card a two")
                for row in _rows(with_two, table, worth)
            ]
            yield Entry(
                "pair_bonus",
                table.id,
                spread,
                [*_rows(plain, always, worth), *rows],
                spread.total,
                table.clause,
                {} if stake is None else {"stake": dollars(stake)},
            )


def cover_all(asked: Asked) -> Iterator[Entry]:
    by_players = {data.id: data.players for data in asked.law.paytable_data if data.players}
    note = "Every hand dealt counts, the dealer's included; a hand given up unseen does not."
    for table in asked.tables("cover_all"):
        players = by_players.get(table.id)
        for count in [players] if players else asked.seats():
            if asked.players and count not in asked.players:
                continue
            outcomes = wagers.cover_all(count)
            yield Entry(
                "cover_all",
                table.id,
                wagers.pay(outcomes, table, wagers.plain(100)),
                _rows(outcomes, table),
                outcomes.total,
                table.clause,
                {"players": count},
                notes=[note],
            )


def match_the_dealer(asked: Asked) -> Iterator[Entry]:
    by_decks = {data.id: data.decks for data in asked.law.paytable_data if data.decks}
    for table in asked.tables("match_the_dealer"):
        decks = by_decks.get(table.id) or (asked.rules["decks"] if asked.rules else 6)
        if asked.rules is not None and decks != asked.rules["decks"]:
            continue
        spread = wagers.pay_matches(decks, table)
        rows = [
            Outcome(
                "+".join(names),
                " and ".join(table[name].odds.text for name in names),
                ways,
                sum((wagers.beside(table[name].odds, 100) for name in names), Fraction(0)),
                table.clause,
            )
            for names, ways in wagers.match_the_dealer(decks)
            if names
        ]
        yield Entry(
            "match_the_dealer", table.id, spread, rows, spread.total, table.clause, {"decks": decks}
        )


def insurance(asked: Asked) -> Iterator[Entry]:
    every = asked.law.fact("decks").value
    decks = (
        [asked.rules["decks"]] if asked.rules else list(every) if isinstance(every, tuple) else []
    )
    note = "Per unit of insurance, the dealer's ace being the only card known."
    for table in asked.tables("insurance"):
        for count in decks:
            outcomes = wagers.insurance(int(count))
            yield Entry(
                "insurance",
                table.id,
                wagers.pay(outcomes, table, wagers.plain(100)),
                _rows(outcomes, table),
                outcomes.total,
                table.clause,
                {"decks": int(count)},
                notes=[note],
            )


def ante_play(asked: Asked) -> Iterator[Entry]:
    """Ante and play under the best strategy, for each table that pays a bonus on them."""
    option = "ante_bonus" if "ante_bonus" in asked.law.options else "bad_beat"
    for id, rules in asked.variants(option):
        pays = ante.payoffs(rules)
        best = ante.strategy(pays)
        yield Entry(
            "ante_play",
            id,
            best.spread,
            _ante_play_rows(best),
            ante.DEALS,
            rules.table(option).clause,
            {option: id},
            _ante_play_strategy(best),
        )


_COLUMN_NAMES = ("dealer_does_not_qualify",) * 3 + ("win", "tie", "lose")


def _ante_play_rows(best: ante.Strategy) -> list[Outcome]:
    """What becomes of ante and play, and of which hand where that matters to the payout."""
    merged: dict[tuple[str, str], Outcome] = {}
    folded = 0
    for hand, columns in best.counts.items():
        folded += columns[-1]
        for column, ways in enumerate(columns[:-1]):
            if not ways:
                continue
            lines = best.pays.lines[hand, column]
            bad_beat = any(line.wager == "bad_beat" for line in lines)
            name = "bad_beat" if bad_beat else _COLUMN_NAMES[column]
            pays = ", ".join(f"{_words(line.wager)} {line.odds or line.result}" for line in lines)
            so_far = merged.get((name, pays))
            merged[name, pays] = Outcome(
                name,
                pays,
                ways + (so_far.ways if so_far else 0),
                best.pays.nets[hand][column],
                lines[-1].clause,
                ", ".join(dict.fromkeys([*(so_far.hand.split(", ") if so_far else ()), hand])),
            )
    names = [name for name, _ in merged]
    found = [
        # a result that pays every hand alike needs no list of hands
        row if names.count(row.outcome) > 1 else replace(row, hand="")
        for row in sorted(merged.values(), key=lambda row: _ORDER.index(row.outcome))
    ]
    forfeited = Outcome("fold", "ante forfeit", folded, best.pays.fold)
    return [*found, forfeited] if folded else found


_ORDER = ("win", "tie", "dealer_does_not_qualify", "bad_beat", "lose")


def _words(id: str) -> str:
    return id.replace("_", " ")


def _ante_play_strategy(best: ante.Strategy) -> StrategyOut:
    lowest = best.lowest
    says = f"Play {words.short(lowest)} ({words.spoken(lowest)}) or better; fold everything lower."
    data: dict[str, object] = {
        "lowest_hand_played": words.short(lowest),
        "hands_played": best.hands_played,
        "hands_folded": sum(tallies.duel(best.pays.qualifies).ways) - best.hands_played,
    }
    if best.exceptions:
        listed = [_exception(best, value) for value in best.exceptions]
        says = (
            f"Play {words.short(lowest)} ({words.spoken(lowest)}) or better, but fold "
            f"{'; '.join(listed[:6])}{' and more' if len(listed) > 6 else ''}; fold everything lower."
        )
        data["folded_at_or_above_it"] = [words.short(value) for value in best.exceptions]
        data["exceptions"] = listed
    simple = (
        ("always_play", "play every hand", lambda _: True),
        ("play_any_queen", "play every hand of queen high or better", _queen),
        ("mimic_the_dealer", "play what the dealer would qualify with", best.pays.qualifies.__le__),
    )
    edge = best.spread.edge
    return StrategyOut(
        says,
        data,
        [
            alternative(id, text, ante.strategy(best.pays, plays).spread.edge, edge)
            for id, text, plays in simple
        ],
    )


def _queen(value: int) -> bool:
    return value >= tallies.QUEEN_HIGH


def _exception(best: ante.Strategy, value: int) -> str:
    """Which hands of a value are folded, where their suits decide."""
    tally = tallies.duel(best.pays.qualifies)
    same = [
        (tally.ways[row], best.played[row]) for row, of in enumerate(tally.value) if of == value
    ]
    folded = sum(ways for ways, played in same if not played)
    whole = sum(ways for ways, _ in same)
    if folded == whole:
        return words.short(value)
    # of three different ranks 24 hands have three suits, 12 each have two of one suit
    kind = "two of one suit" if all(ways == 12 for ways, played in same if not played) else "some"
    return f"{words.short(value)} with {kind} ({folded} of its {whole} hands)"


def alternative(id: str, says: str, edge: Fraction, best: Fraction) -> AlternativeOut:
    cost = edge - best
    return AlternativeOut(id, says, exact(edge), percent(edge), exact(cost), percent(cost))
