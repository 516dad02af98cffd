"""The entries of a PAR sheet for the bet, with its strategy, for insurance and Match-the-Dealer."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

import msgspec

from houseway.games.down_under.maths import outcomes
from houseway.games.down_under.maths.figures import BetFigures, figures, games, is_known
from houseway.games.down_under.maths.solver.variant import Variant
from houseway.law import Chapter, Paytable, choose
from houseway.law.chapter import Wager
from houseway.maths import wagers
from houseway.maths.counting.threads import side_by_side
from houseway.maths.entries import alternative, rows_paid
from houseway.maths.figures import Spread, percent
from houseway.maths.par import Asked
from houseway.maths.sheet import Entry, Outcome, StrategyOut

NOTES = (
    (
        "Each hand of a split is played by its own cards, the up card and the range. Remembering "
        "the first hand's cards while playing the second would add less than 0.0001% of the bet."
    ),
    "Insurance is not part of the bet's figures: from a full shoe it loses on average.",
)

#: simpler ways to play, in the order of `_simpler_edges`
_SIMPLER = {
    "chart": "by the charts alone, whatever cards make a total",
    "without_the_light": "the best play for one who does not look at the reader's light, but sees "
    "an exposed hole card [685a.7(h)]",
    "ordinary_blackjack": "the basic strategy of ordinary blackjack (dealer stands on soft 17 and "
    "busts with 22, doubling after a split allowed), by the up card alone",
    "up_card_alone": "the best play for one who sees the up card alone, neither the light nor an "
    "exposed hole card",
    "mimic_the_dealer": "draw and stand as the dealer does; never double or split",
    "never_bust": "draw only to hands that cannot bust, short of a soft 18; never double or split",
}


def _simpler_edges(known: BetFigures) -> list[Fraction]:
    return [
        Fraction(edge)
        for edge in (
            known.chart_edge, known.unread_edge, known.ordinary_edge, known.covered_edge,
            known.mimic_edge, known.never_bust_edge,
        )
    ]  # fmt: skip


def bet(asked: Asked, wager: Wager) -> Iterator[Entry]:
    """One entry for each number of decks and each reading of a soft 22."""
    unknown = [game for game in games(asked.law, asked.rules) if not is_known(game)]
    # what both readings share is known when the second comes
    side_by_side(figures, sorted(unknown, key=lambda game: game.dealer_soft_22))
    return (bet_entry(asked, wager, game) for game in games(asked.law, asked.rules))


def bet_entry(asked: Asked, wager: Wager, game: Variant) -> Entry:
    """The entry of one game."""
    table = (asked.rules or choose(asked.law)).table(wager.id)
    known = figures(game)
    deals, rows = _outcomes(known, table, asked.law)
    columns = {"decks": game.decks, "dealer_soft_22": game.dealer_soft_22}
    return Entry(
        wager.entry, table.id, spread_of(known), rows, deals, table.clause, columns, strategy_of(known),
        notes=NOTES,
    )  # fmt: skip


def spread_of(known: BetFigures) -> Spread:
    """The net results of the bet with all that follows from it, in bets."""
    nets = {Fraction(won): Fraction(chance) for won, chance in known.nets}
    rounds = lcm(*(chance.denominator for chance in nets.values()))
    ways = {won: int(chance * rounds) for won, chance in nets.items()}
    return Spread(ways, rounds, Fraction(known.staked))


def _outcomes(known: BetFigures, table: Paytable, law: Chapter) -> tuple[int, list[Outcome]]:
    """How rounds end, as counts over a common denominator of all probabilities."""
    pays = {"blackjack": "blackjack", "win": "win", "doubled_win": "win"}
    chances = [(name, won, Fraction(chance)) for name, won, chance in known.outcomes]
    split = Fraction(known.split)
    if split:
        # what a split wins on average is what is missing to the whole
        rest = sum((Fraction(won) * chance for _, won, chance in chances), Fraction(0))
        chances.append(("split", str((-Fraction(known.edge) - rest) / split), split))
    deals = lcm(*(chance.denominator for _, _, chance in chances))
    rows, ended_by = [], _ended_by(law)
    for name, won, chance in chances:
        paid = table[pays[name]].odds.text if name in pays else _WORDS.get(name, "")
        # a split has many net results: no one net, but a mean
        net, mean = (None, Fraction(won)) if name == "split" else (Fraction(won), None)
        clause = ended_by.get(name, table.clause)
        rows.append(Outcome(name, paid, int(chance * deals), net, clause, shown=mean))
    return deals, rows


_WORDS = {
    "dealer_blackjack": "lost", "both_blackjack": "returned", "push": "returned", "lose": "lost",
    "doubled_push": "returned", "doubled_lose": "lost", "split": "two hands",
}  # fmt: skip


def _ended_by(law: Chapter) -> dict[str, str]:
    """The clause that ends a bet which no payout odds decide.

    Against a dealer's 22 a bet is returned by another clause, 685a.7(n)(1).
    """
    lost, returned = law.printed("685a.7(q)"), law.printed("685a.7(p)")
    return {
        "dealer_blackjack": law.printed("685a.7(h)(2)"),
        "both_blackjack": law.printed("685a.7(h)(1)"),
        "push": returned, "doubled_push": returned, "lose": lost, "doubled_lose": lost,
        "split": law.printed("685a.10(a)"),
    }  # fmt: skip


def strategy_of(known: BetFigures) -> StrategyOut:
    """The charts, the hands better played otherwise, and what simpler play costs."""
    edge, edges = Fraction(known.edge), _simpler_edges(known)
    says = (
        "Play by the chart of the range that the reader shows. A few hands are better played "
        "otherwise; each is listed with what that gains."
    )
    return StrategyOut(
        says,
        {
            "charts": known.chart,
            "departures": [msgspec.to_builtins(one) for one in known.departures],
        },
        [
            alternative(id, text, other, edge)
            for (id, text), other in zip(_SIMPLER.items(), edges, strict=True)
        ],
    )  # fmt: skip


def match_the_dealer(asked: Asked, wager: Wager) -> Iterator[Entry]:
    """Each of two cards that matches the dealer's up card is paid by itself."""
    by_decks = {data.id: data.decks for data in asked.law.paytable_data if data.decks}
    for table in asked.tables(wager.id):
        decks = by_decks.get(table.id) or (asked.rules["decks"] if asked.rules else 6)
        if asked.rules is not None and decks != asked.rules["decks"]:
            continue
        spread = outcomes.pay_matches(decks, table)
        rows = [
            Outcome(
                "+".join(names),
                " and ".join(table[name].odds.text for name in names),
                ways,
                sum((wagers.beside(table[name].odds, 100) for name in names), Fraction(0)),
                table.clause,
            )
            for names, ways in outcomes.match_the_dealer(decks)
            if names
        ]
        yield Entry(
            wager.entry, table.id, spread, rows, spread.total, table.clause, {"decks": decks}
        )


def insurance(asked: Asked, wager: Wager) -> Iterator[Entry]:
    """The hole card under the dealer's ace."""
    every = asked.law.fact("decks").value
    decks = (
        [asked.rules["decks"]] if asked.rules else list(every) if isinstance(every, tuple) else []
    )
    for table in asked.tables(wager.id):
        pays = wagers.beside(table["win"].odds, 100)
        for count in decks:
            found = outcomes.insurance(int(count))
            others = -outcomes.AceUp(int(count)).beside_other_hands(pays)
            yield Entry(
                wager.entry,
                table.id,
                wagers.pay(found, table, wagers.plain(100)),
                rows_paid(found, table),
                found.total,
                table.clause,
                {"decks": int(count)},
                notes=_insurance_notes(int(count), others),
            )


def _insurance_notes(decks: int, others: Fraction) -> list[str]:
    return [
        (
            "Per unit of insurance, the dealer's ace being the only card known. One who takes even money "
            "with a blackjack insures the other hands alone, as a simulation that insures every ace does."
        ),
        f"Insurance beside even money, {decks} decks: an edge of {percent(others, 4)}%.",
    ]
