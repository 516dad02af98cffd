"""The strategy of Down Under Blackjack to be shown: its charts, exceptions, and cards removed."""

from __future__ import annotations

from fractions import Fraction

from houseway.games.down_under.maths import side_wagers
from houseway.games.down_under.maths.charts import TITLES, Data
from houseway.games.down_under.maths.entries import NOTES, strategy_of
from houseway.games.down_under.maths.figures import BetFigures, figures
from houseway.games.down_under.maths.solver.hands import VALUES
from houseway.games.down_under.maths.solver.variant import Variant, variant_of
from houseway.law import Rules
from houseway.law.chapter import Wager
from houseway.maths.answers import CardGone, EvenMoney, InsuranceWith, RemovalOut
from houseway.maths.figures import exact, percent
from houseway.maths.strategy_view import (
    Charts,
    Code,
    Document,
    Picture,
    Remark,
    Removal,
    StrategyView,
)

CODES = {
    "H": Code("hit", "#fdfbf4", "quiet"),
    "S": Code("stand", "#e4c77a", "gold"),
    "D": Code("double, or hit", "#9fcfb4", "green"),
    "Ds": Code("double, or stand", "#c6dca3", "green"),
    "P": Code("split", "#b9c7e0", "cyan"),
}

READINGS = {
    "stands": "the dealer stands on a soft 22",
    "counts_as_12": "the dealer counts a soft 22 as 12",
}
#: how many hands better played otherwise are shown in a terminal
_SHOWN = 8


def as_charts(data: Data) -> Charts:
    """The charts with their titles and what their codes mean."""
    return Charts({TITLES[id]: panel for id, panel in data.items()}, CODES)


def view(rules: Rules, wager: Wager) -> StrategyView:
    """The charts for the rules of a table."""
    game = variant_of(rules)
    known = figures(game)
    picture = Picture(
        _title(rules, game),
        f"Best play by total, up card and range; {READINGS[game.dealer_soft_22]}.",
        charts=as_charts(known.chart),
        reading="Look at the light, find the chart of its range, then the dealer's up card.",
    )
    return StrategyView(
        wager.id,
        rules.table(wager.id).id,
        strategy_of(known),
        picture,
        lead=f", {READINGS[game.dealer_soft_22]}",
        remarks=tuple(_remarks(known)),
        document=_document(rules, game, known),
    )


def _title(rules: Rules, game: Variant) -> str:
    return f"{rules.chapter.about.game}, {game.decks} decks"


def _remarks(known: BetFigures) -> list[Remark]:
    found = [(f"\nEdge {percent(Fraction(known.edge))}% at best play of every hand.", False)]
    for other in strategy_of(known).alternatives:
        costs = f"{other.house_edge_percent}%, costs {other.cost_percent}%"
        found.append((f"  {other.says}: {costs}", True))
    shown = f"{_SHOWN} of {len(known.departures)}"
    found.append((f"\nHands better played otherwise, {shown}:", False))
    for one in known.departures[:_SHOWN]:
        cards = f"{one.cards}{' from a split' if one.from_split else ''}"
        instead = f"{one.better}, not {one.chart}; gains {one.gain} of the bet"
        found.append((f"  {cards} against {one.up}, {one.range}: {instead}", True))
    return found


def _document(rules: Rules, game: Variant, known: BetFigures) -> Document:
    reading = game.dealer_soft_22.replace("_", " ")
    return Document(
        f"{rules.chapter.about.game}, {game.decks} decks, soft 22 {reading}",
        [
            ["Edge at best play", f"{percent(Fraction(known.edge))}% = {known.edge}"],
            *(
                [one.says.capitalize(), f"{one.house_edge_percent}%, costs {one.cost_percent}%"]
                for one in strategy_of(known).alternatives
            ),
        ],
        [
            [
                one.cards + (" (split)" if one.from_split else ""),
                one.up,
                one.range,
                one.chart,
                one.better,
                one.gain,
                one.often,
            ]
            for one in known.departures
        ],
        list(NOTES[:1]),
    )


def removal(rules: Rules) -> Removal:
    """The effect of removal, insurance by hand and even money for the rules of a table."""
    from houseway.games.down_under.maths.removal import bet_removed

    game = variant_of(rules)
    matched = next(w for w in rules.chapter.about.wagers if w.settled_on == "matched_cards")
    match = None
    if rules.offers(matched.id):
        match = side_wagers.match_removed(rules.table(matched.id), game.decks)
    bets, insured = bet_removed(game), side_wagers.insurance_removed(game)
    cards = [
        CardGone(
            card,
            exact(bet),
            percent(bet),
            exact(insurance),
            percent(insurance),
            exact(match) if match is not None else None,
        )
        for card, bet, insurance in zip(VALUES, bets, insured, strict=True)
    ]
    hands = [
        InsuranceWith(VALUES[low] + VALUES[high], exact(worth), percent(worth))
        for (low, high), worth in side_wagers.insurance_by_hand(game).items()
    ]
    now, waiting = side_wagers.even_money(game)
    by_tens = {one.cards.count("T"): one.percent for one in hands}
    numbers = ("no ten", "one", "two")
    said = ", ".join(f"{by_tens[tens]}% with {number}" for tens, number in enumerate(numbers))
    either = f"even money {percent(now)}%, waiting {percent(waiting)}%"
    remarks = [
        f"Insurance under an ace, all cards but tens in your hand being alike: {said}.",
        f"A blackjack under an ace: {either} of the bet.",
    ]
    if match is not None:
        remarks.insert(0, f"{matched.name}: {percent(match)}, whichever card it is.\n")
    return Removal(
        RemovalOut(
            rules.chapter.id,
            game.decks,
            game.dealer_soft_22,
            cards,
            hands,
            EvenMoney(exact(now), exact(waiting), percent(now), percent(waiting)),
        ),
        _title(rules, game),
        lead=f", {READINGS[game.dealer_soft_22]}",
        says="One card gone from a full shoe: what it changes, in per cent of the wager; plus is "
        "good for the player, and the bet is played the best way before and after.",
        columns=("card", "bet", "insurance"),
        rows=[[one.card, one.bet_percent, one.insurance_percent] for one in cards],
        remarks=tuple((text, False) for text in remarks),
    )
