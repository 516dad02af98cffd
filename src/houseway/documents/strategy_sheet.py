"""The strategy of Down Under Blackjack as a document: charts, what they cost, and exceptions."""

from __future__ import annotations

from fractions import Fraction

from houseway.documents.typesetting import typeset
from houseway.games.down_under.maths.entries import NOTES, strategy_of
from houseway.games.down_under.maths.figures import BetFigures
from houseway.games.down_under.maths.variant import Variant
from houseway.law import Rules
from houseway.maths.figures import percent


def strategy_sheet(rules: Rules, game: Variant, known: BetFigures, svg: str) -> bytes:
    """The PDF for one number of decks and one reading."""
    about = rules.chapter.about
    edge = Fraction(known.edge)
    reading = game.dealer_soft_22.replace("_", " ")
    data = {
        "title": "Strategy",
        "subtitle": f"{about.game}, {game.decks} decks, soft 22 {reading}",
        "reference": rules.hash[:16],
        "particulars": [
            ["Rules", about.citation],
            ["Edge at best play", f"{percent(edge)}% = {known.edge}"],
            *(
                [one.says.capitalize(), f"{one.house_edge_percent}%, costs {one.cost_percent}%"]
                for one in strategy_of(known).alternatives
            ),
        ],
        "chart": svg,
        "rows": [
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
        "notes": list(NOTES[:1]),
    }
    return typeset("strategy_sheet", data)
