"""The shapes in which `reconcile` and `strategy` answer."""

from __future__ import annotations

import msgspec

from houseway.maths.sheet import StrategyOut


class Published(msgspec.Struct, frozen=True):
    """A hold as the agency printed it, lowest and highest."""

    low: str
    high: str
    where: str


class ExactOut(msgspec.Struct, frozen=True):
    """The edge of one paytable under the text."""

    paytable: str
    house_edge: str
    house_edge_percent: str


class ChangeOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """One change: a payout moved, another settlement, another reading."""

    change: str
    was: str
    becomes: str
    clause: str
    says: str
    wager: str = ""
    paytable: str = ""
    outcome: str = ""
    switch: str = ""


class HoldOut(msgspec.Struct, frozen=True):
    """A published hold beside the exact one, and what would explain a difference."""

    chapter: str
    wager: str
    published: Published
    exact: list[ExactOut]
    #: the lowest and highest exact edge with as many digits as were published
    low: str
    high: str
    agrees: bool
    says: str
    smallest: list[ChangeOut] | None
    explanations: list[list[ChangeOut]]
    tried: int


class ReconcileOut(msgspec.Struct, frozen=True):
    """Every hold that was published."""

    holds: list[HoldOut]


class HighCardHands(msgspec.Struct, frozen=True):
    """Hands with these two highest cards and no pair, by their third card."""

    high: str
    second: str
    play_with: list[str]
    depends_on_suits: list[str]
    fold_with: list[str]


class Worth(msgspec.Struct, frozen=True):
    """What a setting brings on average, per unit of ante."""

    set_to: str
    value: str


class StrategySheet(msgspec.Struct, frozen=True):
    """The best way to play a wager."""

    chapter: str
    wager: str
    paytable: str
    strategy: StrategyOut
    high_card_hands: list[HighCardHands]
    worth: list[Worth]
