"""What the house does for a player who is not there: the person's standing instruction.

`best` plays the hand by the exact strategy for the cards that the player sees; `plain` folds or
stands. An instruction never makes a `personal_decision` of the game, such as insurance, and never
puts down more chips than lie in front of the player. It exists where the system deals, not where a person does.
"""

from __future__ import annotations

from typing import Any

from houseway.errors import Refused
from houseway.money import Cents, dollars
from houseway.present import PRESENTATION
from houseway.present.teaching import Decision, advise, rule_of_thumb
from houseway.table import Table, legal, rules_of
from houseway.table.commands import COMMANDS
from houseway.table.procedure.deciding import hand_asked

#: instructions as a page names them; the first is in force until another is chosen
INSTRUCTIONS = {
    "best": "play my hand by the best strategy",
    "plain": "fold or stand",
}


def best_decision(table: Table, seat: int, rack: Cents) -> Decision | None:
    """The best decision at a seat that its chips allow; None if nothing can be decided for it."""
    rules = rules_of(table)
    game, box, hand = PRESENTATION.of(rules.chapter), table.boxes[seat - 1], hand_asked(table, seat)
    never = game.personal_decisions
    choices = [name for name in legal(table, "player", seat) if name not in never]
    if any(name.startswith("decline_") for name in choices):
        return rule_of_thumb(table, seat)
    costs = {name: game.cost(rules, box, name, hand) for name in choices}
    try:
        _, worth = advise(table, seat)
    except Refused:
        worth = ()
    for name, _ in worth:
        if name in costs and costs[name] <= rack:
            fields: dict[str, Any] = {}
            if "amount" in COMMANDS[name].__struct_fields__:
                fields["amount"] = dollars(costs[name])
            return name, fields
    # a game that values no single commands: its own way, such as setting the hands for the best count
    name, fields = rule_of_thumb(table, seat)
    return (name, fields) if name not in never and costs.get(name, 0) <= rack else None
