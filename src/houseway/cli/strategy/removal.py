"""`houseway strategy pa-down-under-blackjack --removal`: what single cards are worth.

Exact values of the shoe's composition: what each card that is gone does to every wager, insurance
by the player's own two cards, and even money beside waiting.
"""

from __future__ import annotations

from houseway.cli.output import console, print_json
from houseway.cli.strategy.charts import READINGS, title
from houseway.games.down_under.maths import removal as removed
from houseway.games.down_under.maths import side_wagers
from houseway.games.down_under.maths.variant import variant_of
from houseway.law import Rules
from houseway.maths.answers import CardGone, EvenMoney, InsuranceWith, RemovalOut
from houseway.maths.figures import exact, percent

VALUES = "A23456789T"


def removal(rules: Rules, *, json: bool) -> int:
    """Show the effect of removal, insurance by hand and even money for the rules of a table."""
    game = variant_of(rules)
    match = None
    if rules.offers("match_the_dealer"):
        match = side_wagers.match_removed(rules.table("match_the_dealer"), game.decks)
    bets, insured = removed.bet_removed(game), side_wagers.insurance_removed(game)
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
    found = RemovalOut(
        rules.chapter.id,
        game.decks,
        game.dealer_soft_22,
        cards,
        hands,
        EvenMoney(exact(now), exact(waiting), percent(now), percent(waiting)),
    )
    if json:
        print_json(found)
        return 0
    from rich import box
    from rich.table import Table

    screen = console()
    screen.print(f"\n[bold]{title(rules, game)}[/], {READINGS[game.dealer_soft_22]}\n")
    screen.print("One card gone from a full shoe: what it changes, in per cent of the wager.")
    table = Table(box=box.SIMPLE_HEAD)
    for name in ("card", "bet", "insurance"):
        table.add_column(name, justify="right")
    for one in cards:
        table.add_row(one.card, f"{one.bet_percent}", f"{one.insurance_percent}")
    screen.print(table)
    if match is not None:
        screen.print(f"Match-the-Dealer: {percent(match)}, whichever card it is.\n")
    by_tens = {one.cards.count("T"): one.percent for one in hands}
    said = ", ".join(
        f"{worth}% with {number}"
        for worth, number in zip(
            (by_tens[tens] for tens in range(3)), ("no ten", "one", "two"), strict=True
        )
    )
    screen.print(f"Insurance under an ace, all cards but tens in your hand being alike: {said}.")
    screen.print(
        f"A blackjack under an ace: even money {percent(now)}%, waiting {percent(waiting)}% of the "
        "bet."
    )
    return 0
