"""What a player may put down and decide now: areas, wagers with their limits, choices as commands."""

from __future__ import annotations

from typing import Any

import msgspec

from houseway.drawing.pieces.chips import CHIPS, Chip
from houseway.floor.live_table import Live
from houseway.law import Rules
from houseway.money import Cents, dollars, spoken
from houseway.table import legal, next_steps, rules_of
from houseway.table.procedure.deciding import hand_asked
from houseway.table.state import key, wager_of
from houseway.web.table.table_view import common_hands


def open_areas(live: Live, seat: int) -> tuple[str, ...]:
    """The areas where a seat may wager now."""
    if "place_wager" not in legal(live.state, "player", seat):
        return ()
    rules = rules_of(live.state)
    mine = {wager_of(name)[0] for name in live.state.boxes[seat - 1].wagers}
    return tuple(
        wager.id
        for wager in rules.chapter.wagers.values()
        if wager.kind != "follows"
        and wager.id not in LATER
        and rules.offers(wager.id)
        and (not wager.needs or any(other in mine for other in wager.needs))
    )


#: wagers that are made only when they are offered during a hand
LATER = ("double", "split", "insurance")


def useful_chips(rules: Rules) -> list[Chip]:
    """Chips that a wager at this table can be made of, the smallest first."""
    most = max((limit.max for limit in rules.limits.values() if limit.max), default=CHIPS[0].worth)
    return [chip for chip in reversed(CHIPS) if rules.chip_unit <= chip.worth <= most]


def wagers(live: Live, seat: int, opens: tuple[str, ...]) -> list[dict[str, Any]]:
    """Each wager that may be made or stands, with its limits and how it may change."""
    rules, box = rules_of(live.state), live.state.boxes[seat - 1]
    back = "take_back_wager" in legal(live.state, "player", seat)
    found = []
    hands = tuple(common_hands(rules, {})) or (0,)
    for hand, wager in ((hand, wager) for hand in hands for wager in rules.chapter.wagers.values()):
        amount = sum(
            held
            for name, held in box.wagers.items()
            if wager_of(name)[0] == wager.id and hand in (0, wager_of(name)[1])
        )
        if not amount and (
            wager.kind == "follows" or wager.id in LATER or not rules.offers(wager.id)
        ):
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


#: the decisions that are made with a button, in the order of the buttons
_LABELS = {
    "play": "Play", "fold": "Fold", "forfeit_unseen": "Give up unseen", "hit": "Hit",
    "stand": "Stand", "double": "Double", "split": "Split", "insure": "Insure",
    "decline_insurance": "No insurance", "take_even_money": "Even money",
    "refuse_card": "Refuse the card", "cut": "Cut the cards", "decline_cut": "No cut",
}  # fmt: skip


def choices(live: Live, seat: int) -> list[dict[str, Any]]:
    """The decisions open to a seat, each as the command that makes it."""
    table = live.state
    box, rules = table.boxes[seat - 1], rules_of(table)
    open_ = legal(table, "player", seat)
    says = {step.command: step for step in next_steps(table) if step.seat in (0, seat)}
    found = []
    for name, label in _LABELS.items():
        if name not in open_:
            continue
        fields: dict[str, Any] = {"command": name, "seat": seat}
        cost = 0
        hand = hand_asked(table, seat)
        if hand:
            label = f"{label} hand {hand}"
        if name == "play":
            cost = box.wagers.get(key("ante", hand), 0)
        elif name in ("double", "split"):
            cost = box.wagers.get("bet", 0)
            if name == "double":
                fields["amount"] = dollars(cost)
        elif name == "insure":
            cost = insurance(rules, box.wagers.get("bet", 0))
            fields["amount"] = dollars(cost)
        elif name == "cut":
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


def insurance(rules: Rules, bet: Cents) -> Cents:
    """Half the bet, up to the next chip."""
    unit = rules.chip_unit
    return -(-bet // 2 // unit) * unit if bet % 2 == 0 else -(-bet // (2 * unit)) * unit
