"""Switches: alternative rules that a chapter declares.

They play no part in the game. The reconciliation of published holds tries them singly and in pairs,
to find the rule by which an agency's figure was computed.
"""

from __future__ import annotations

from typing import Literal

from msgspec import field

from houseway.law.chapter import Data


class Resettle(Data, frozen=True, kw_only=True):
    """Another result for one wager of the ante and play game, in some cases of it."""

    #: columns of the duel: `low_…` where the dealer does not qualify, and `below`, `level` or
    #: `above` as the dealer's hand is to the player's
    when: tuple[str, ...]
    wager: str
    result: Literal["win", "push", "lose"]
    #: the player's hands it is for; empty: all
    hands: tuple[str, ...] = ()
    #: the paytable of the wager that a win is paid by; empty: even money
    table: str = ""
    #: bonuses that are not paid then
    drops: tuple[str, ...] = ()


class Switch(Data, frozen=True, kw_only=True):
    """An alternative rule, for the reconciliation of published holds."""

    id: str
    wager: str
    clause: str
    kind: Literal["settlement", "reading"]
    #: what the text is followed to say, and what it might say instead
    says: str
    instead: str
    resettle: tuple[Resettle, ...] = ()
    options: dict[str, str | int | bool] = field(default_factory=dict)
    facts: dict[str, str | int] = field(default_factory=dict)
    #: another way of counting, by its name in the mathematics
    counts: str = ""
    #: rules of the blackjack that is solved, by their names in the mathematics
    variant: dict[str, str | int | bool | tuple[str, ...]] = field(default_factory=dict)
