"""Which cards a role has seen, and the same commands with the hidden ones exchanged."""

from __future__ import annotations

import random

from msgspec.structs import replace

from houseway.cards import card
from houseway.games.down_under.hands import light
from houseway.law import DOWN_UNDER, Rules
from houseway.table import Command, Table

#: fields that name several cards
_LISTS = ("order", "cards", "three", "two")


def seen_by(table: Table, who: str | int) -> set[str]:
    """The cards that lie in a role's sight."""
    own = {f"seat.{who}", f"three.{who}", f"two.{who}"} if who != "house" else set()
    piles = [pile for name, pile in table.piles.items() if name in table.shown or name in own]
    return {card for pile in piles for card in pile} | {table.aside}


def exchanged(
    commands: list[Command], hidden: list[str], rules: Rules, rng: random.Random
) -> list[Command]:
    """The commands with a shuffle in which hidden cards have changed places, and who set them too.

    The reader's light is for all to see: in Down Under cards change places within their range.
    """
    other: dict[str, str] = {}
    for kind in dict.fromkeys(_range(rules, text) for text in hidden):
        alike = [text for text in hidden if _range(rules, text) == kind]
        other |= zip(alike, rng.sample(alike, len(alike)), strict=True)

    def named(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(other.get(text, text) for text in texts)

    return [
        replace(
            one,
            **{name: named(getattr(one, name)) for name in _LISTS if hasattr(one, name)},
            **({"card": other.get(one.card, one.card)} if hasattr(one, "card") else {}),
        )
        for one in commands
    ]


def _range(rules: Rules, text: str) -> str:
    return light(rules, card(text)) if rules.chapter.id == DOWN_UNDER else ""
