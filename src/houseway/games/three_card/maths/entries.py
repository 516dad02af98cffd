"""The entries of a PAR sheet for the wagers of the three-card games."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from houseway.game_api.round import Line
from houseway.games.three_card.maths import ante_play as ante
from houseway.games.three_card.maths import hand_text as words
from houseway.games.three_card.maths import outcomes
from houseway.games.three_card.maths.ante_play import bonus_option
from houseway.games.three_card.maths.counting import tallies
from houseway.law.chapter import Wager
from houseway.maths import wagers
from houseway.maths.entries import CUT, alternative, rows_paid, stakes_shown, worth_at
from houseway.maths.par import Asked
from houseway.maths.sheet import Entry, Outcome, StrategyOut
from houseway.money import dollars, spoken

#: the printed table of Pair Bonus that pays where the fourth card is not a two
NOT_TWO = "not_2"


def fourth_card(asked: Asked, wager: Wager) -> Iterator[Entry]:
    """A wager on three cards that pays by another table when a fourth is a two."""
    plain, with_two = outcomes.pair_bonus()
    always = asked.law.paytables[wager.id, NOT_TWO]
    for table in asked.tables(wager.id):
        for stake in stakes_shown(asked, wager.id, table):
            worth = worth_at(asked, stake)
            spread = wagers.together(
                [wagers.pay(plain, always, worth), wagers.pay(with_two, table, worth)]
            )
            rows = [
                Outcome(row.outcome, row.pays, row.ways, row.net, row.clause, "fourth card a two")
                for row in rows_paid(with_two, table, worth, stake)
            ]
            yield Entry(
                wager.entry,
                table.id,
                spread,
                [*rows_paid(plain, always, worth, stake), *rows],
                spread.total,
                table.clause,
                {} if stake is None else {"stake": dollars(stake)},
            )


def all_hands(asked: Asked, wager: Wager) -> Iterator[Entry]:
    """A wager on the highest of all hands dealt."""
    by_players = {data.id: data.players for data in asked.law.paytable_data if data.players}
    note = "Every hand dealt counts, the dealer's included; a hand given up unseen does not."
    for table in asked.tables(wager.id):
        players = by_players.get(table.id)
        for count in [players] if players else asked.seats():
            if asked.players and count not in asked.players:
                continue
            found = outcomes.cover_all(count)
            yield Entry(
                wager.entry,
                table.id,
                wagers.pay(found, table, wagers.plain(100)),
                rows_paid(found, table),
                found.total,
                table.clause,
                {"players": count},
                notes=[note],
            )


def duel(asked: Asked, wager: Wager) -> Iterator[Entry]:
    """Ante and play under the best strategy, for each table that pays a bonus on them."""
    option = bonus_option(asked.law)
    for id, rules in asked.variants(option):
        for stake in stakes_shown(asked, wager.id, rules.table(option)):
            pays = ante.payoffs(rules, stake)
            best = ante.strategy(pays)
            plain = pays if stake is None else ante.payoffs(rules)
            yield Entry(
                wager.entry,
                id,
                best.spread,
                _ante_play_rows(best, plain, wager.on_fold_clause),
                ante.DEALS,
                rules.table(option).clause,
                {option: id, **({} if stake is None else {"stake": dollars(stake)})},
                duel_strategy(best),
            )


_COLUMN_NAMES = ("dealer_does_not_qualify",) * 3 + ("win", "tie", "lose")


def _ante_play_rows(best: ante.Strategy, plain: ante.Payoffs, folding: str) -> list[Outcome]:
    """The outcomes of ante and play, by hand where the payout depends on it.

    `plain` is what the game pays without a limit, `folding` the clause of a fold.
    """
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
            # a limit has cut what pays less than it does without one
            cut = [
                line.paid * plain.stake < full.paid * best.pays.stake
                for line, full in zip(lines, plain.lines[hand, column], strict=True)
            ]
            pays = ", ".join(map(_paid, lines, cut))
            if any(cut):
                pays += f", {CUT}"
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
    forfeited = Outcome("fold", "ante forfeit", folded, best.pays.fold, folding)
    return [*found, forfeited] if folded else found


_ORDER = ("win", "tie", "dealer_does_not_qualify", "bad_beat", "lose")


def _paid(line: Line, is_cut: bool) -> str:
    return f"{_words(line.wager)} {spoken(line.paid) if is_cut else line.odds or line.result}"


def _words(id: str) -> str:
    return id.replace("_", " ")


def rule(best: ante.Strategy) -> tuple[str, dict[str, object]]:
    """Which hands are played, in words and as data."""
    if not any(best.played):
        return "Fold every hand.", {"hands_played": 0}
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
    return says, data


def duel_strategy(best: ante.Strategy) -> StrategyOut:
    says, data = rule(best)
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
