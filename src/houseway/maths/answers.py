"""The shapes in which `reconcile` and `strategy` answer."""

from __future__ import annotations

import msgspec

from houseway.maths.sheet import StakesOut, StrategyOut


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


class StrategySheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """The best way to play a wager."""

    chapter: str
    wager: str
    paytable: str
    strategy: StrategyOut
    high_card_hands: list[HighCardHands]
    worth: list[Worth]
    #: with `--stakes`: the best play of all wagers that a decision touches
    at_stakes: StakesOut | None = None


class CardGone(msgspec.Struct, frozen=True):
    """One card gone from a full shoe: what that changes per unit of each wager."""

    card: str
    bet: str
    bet_percent: str
    insurance: str
    insurance_percent: str
    match_the_dealer: str | None


class InsuranceWith(msgspec.Struct, frozen=True):
    """What a unit of insurance wins on average under an ace, with these two cards in hand."""

    cards: str
    value: str
    percent: str


class EvenMoney(msgspec.Struct, frozen=True):
    """A blackjack under an ace: even money, and waiting."""

    now: str
    waiting: str
    now_percent: str
    waiting_percent: str


class RemovalOut(msgspec.Struct, frozen=True):
    """What single cards are worth in Down Under Blackjack."""

    chapter: str
    decks: int
    dealer_soft_22: str
    removed: list[CardGone]
    insurance: list[InsuranceWith]
    even_money: EvenMoney
