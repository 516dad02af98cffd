"""What a player may put down and decide now: areas, wagers with their limits, choices as commands."""

from __future__ import annotations

from typing import Any

import msgspec

from houseway.drawing.pieces.chips import CHIPS, Chip
from houseway.floor.live_table import Live
from houseway.law import Rules
from houseway.money import Cents, dollars, spoken
from houseway.present import PRESENTATION
from houseway.table import legal, next_steps, rules_of
from houseway.table.commands import COMMANDS
from houseway.table.procedure.deciding import hand_asked
from houseway.table.state import key, wager_of


def open_areas(live: Live, seat: int) -> tuple[str, ...]:
    """The areas where a seat may wager now."""
    if "place_wager" not in legal(live.state, "player", seat):
        return ()
    rules = rules_of(live.state)
    mine = {wager_of(name)[0] for name in live.state.boxes[seat - 1].wagers}
    return tuple(
        wager.id
        for wager in rules.chapter.wagers.values()
        if wager.made == "before_deal"
        and rules.offers(wager.id)
        and (not wager.needs or any(other in mine for other in wager.needs))
    )


def useful_chips(rules: Rules) -> list[Chip]:
    """Chips that a wager at this table can be made of, the smallest first."""
    most = max((limit.max for limit in rules.limits.values() if limit.max), default=CHIPS[0].worth)
    return [chip for chip in reversed(CHIPS) if rules.chip_unit <= chip.worth <= most]


def wagers(live: Live, seat: int, opens: tuple[str, ...]) -> list[dict[str, Any]]:
    """Each wager that may be made or stands, with its limits and how it may change."""
    rules, box = rules_of(live.state), live.state.boxes[seat - 1]
    back = "take_back_wager" in legal(live.state, "player", seat)
    found = []
    hands = tuple(PRESENTATION.of(rules.chapter).common_hands(rules, {})) or (0,)
    for hand, wager in ((hand, wager) for hand in hands for wager in rules.chapter.wagers.values()):
        amount = sum(
            held
            for name, held in box.wagers.items()
            if wager_of(name)[0] == wager.id and hand in (0, wager_of(name)[1])
        )
        if not amount and (wager.made != "before_deal" or not rules.offers(wager.id)):
            continue
        limit = rules.limits.get(wager.id)
        stakes = _stakes(rules, wager)
        found.append(
            {
                "id": key(wager.id, hand),
                "hand": hand,
                "name": wager.name,
                "clause": wager.clause,
                "says": wager.says,
                "amount": amount,
                "open": wager.id in opens,
                "back": back and key(wager.id, hand) in box.layout,
                "least": dollars(limit.min) if limit and limit.min else "",
                "limits": _limits(limit.min, limit.max) if limit else "",
                "stakes": stakes,
            }
        )
    return found


def _limits(least: Cents | None, most: Cents | None) -> str:
    if least and most:
        return f"{spoken(least)} to {spoken(most)}"
    return f"from {spoken(least)}" if least else f"up to {spoken(most)}" if most else ""


def _stakes(rules: Rules, wager: Any) -> tuple[str, ...]:
    """The only amounts that a progressive wager may have, where the chapter names them."""
    fact = rules.chapter.about.facts.get("progressive_stakes")
    if wager.kind != "progressive" or fact is None or not isinstance(fact.value, tuple):
        return ()
    return tuple(str(value) for value in fact.value)


#: decisions of every game that are made with a button, after the game's own
_LABELS = {"cut": "Cut the cards", "decline_cut": "No cut"}


def choices(live: Live, seat: int) -> list[dict[str, Any]]:
    """The decisions open to a seat, each as the command that makes it."""
    table = live.state
    box, rules = table.boxes[seat - 1], rules_of(table)
    open_ = legal(table, "player", seat)
    says = {step.command: step for step in next_steps(table) if step.seat in (0, seat)}
    found = []
    game, hand = PRESENTATION.of(rules.chapter), hand_asked(table, seat)
    for name, label in {**game.decisions, **_LABELS}.items():
        if name not in open_:
            continue
        fields: dict[str, Any] = {"command": name, "seat": seat}
        if hand:
            label = f"{label} hand {hand}"
        cost = game.cost(rules, box, name, hand)
        if "amount" in COMMANDS[name].__struct_fields__:
            fields["amount"] = dollars(cost)
        if name == "cut":
            fields["depth"] = len(table.piles["shoe"]) // 2
        if cost:
            label = f"{label} ${dollars(cost)}" if not hand else f"{label} for ${dollars(cost)}"
        step = says.get(name)
        found.append(
            {
                "command": msgspec.json.encode(fields).decode(),
                "name": name,
                "label": label,
                "says": step.says if step else "",
                "clause": step.clause if step else "",
                "short": cost > live.racks.get(seat, 0),
            }
        )
    return found
