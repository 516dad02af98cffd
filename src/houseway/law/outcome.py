"""Which general outcome a specific one falls under if a paytable has no row for it."""

from __future__ import annotations

FALLS_UNDER = {
    "mini_royal_spades": "mini_royal",
    "mini_royal": "straight_flush",
    "super_royal_diamonds": "super_royal",
    "super_royal": "royal_flush",
    "six_card_royal_diamonds": "six_card_royal",
    "six_card_royal": "royal_flush",
}


def names_of(outcome: str) -> tuple[str, ...]:
    """Everything a paytable may call an outcome, the most specific name first."""
    wider = FALLS_UNDER.get(outcome)
    return (outcome, *names_of(wider)) if wider else (outcome,)
