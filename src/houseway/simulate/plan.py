"""What is to be simulated: a table, its wagers, how it is played, and the seed.

A plan is all that a block of rounds depends on besides its number, so it travels to other machines
as JSON, and its hash says whether a checkpoint belongs to it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from houseway.errors import Refused
from houseway.game_api.wager_checks import check_wagers
from houseway.law import Rules, rules_from
from houseway.money import Cents, cents
from houseway.simulate.game import SIMULATION
from houseway.simulate.strategies import named

#: the default wagers of a player, by kind of wager
USUAL: Mapping[str, Cents] = {"standard": 1000, "side": 500, "progressive": 100}


class Plan(msgspec.Struct, frozen=True):
    """A table to be played, as it is written down."""

    chapter: str
    #: the parts of a rules file, every default written out
    rules: dict[str, Any]
    #: wagers in cents, one for each position in the order of the seats
    stakes: list[dict[str, int]]
    #: whose each position is, and the number of the hand it is on, where hands are common to all
    owners: list[int]
    on_hand: list[int]
    strategy: str = "optimal"
    seed: str = "1"
    #: match play coupons in cents, by the wager they stand beside, for each position
    coupons: list[dict[str, int]] = []
    #: what meters show in every round, in cents
    meters: dict[str, int] = {}
    #: cards before a shoe's cover card, 0 for a fresh shoe every round, none for the table's own
    cover: int | None = None
    #: whether players insure against an ace and take even money
    insures: bool = False
    covariance: bool = False
    hypothetical: bool = False

    def encode(self) -> bytes:
        return msgspec.json.encode(self)

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.encode()).hexdigest()


def rules_of(plan: Plan) -> Rules:
    """The rules a plan plays by."""
    return rules_from({**plan.rules, "chapter": plan.chapter}, hypothetical=plan.hypothetical)


def usual_wagers(rules: Rules) -> dict[str, Cents]:
    """Every wager offered, at the posted minimum or a usual amount that can be paid exactly."""
    found = {}
    for wager in rules.chapter.about.wagers:
        if wager.kind == "follows" or not rules.offers(wager.id):
            continue
        limit = rules.limits.get(wager.id)
        least = limit.min if limit and limit.min else USUAL[wager.kind]
        step = rules.step(wager.id)
        found[wager.id] = -(-least // step) * step
    return found


def read_wagers(text: str, field: str = "wagers") -> dict[str, Cents]:
    """`ante=10.00,pair_plus=5.00` as amounts."""
    found: dict[str, Cents] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        wager, _, amount = (one.strip() for one in part.partition("="))
        if wager in found:
            raise Refused("named_twice", f"{wager} is given twice", field=f"{field}.{wager}")
        try:
            found[wager] = cents(amount)
        except Refused as refusal:
            raise refusal.at(field=f"{field}.{wager}") from None
    return found


def plan_of(
    rules: Rules,
    *,
    players: int = 1,
    wagers: Mapping[str, Cents] | None = None,
    seats: Sequence[Mapping[str, Cents]] = (),
    strategy: str = "optimal",
    seed: int | str = 1,
    coupon: Mapping[str, Cents] | None = None,
    meters: Mapping[str, Cents] | None = None,
    cover: int | None = None,
    insures: bool = False,
    covariance: bool = False,
    hypothetical: bool = False,
) -> Plan:
    """A plan for a number of players with the same wagers, or for `seats` with their own.

    `coupon` is what each puts beside a wager in every round, where the game has coupons.
    """
    law = rules.chapter
    stakes = [dict(seat) for seat in seats] or [dict(wagers or usual_wagers(rules))] * players
    if not 1 <= len(stakes) <= law.number("seats"):
        raise Refused(
            "players_out_of_range",
            f"{law.id} has one to {law.number('seats')} players, not {len(stakes)}",
            clause=law.fact("seats").clause,
            field="players",
        )
    for number, seat in enumerate(stakes, 1):
        follows = [id for id in seat if id in law.wagers and law.wagers[id].kind == "follows"]
        if follows:
            raise Refused(
                "wager_follows",
                f"{law.wagers[follows[0]].name} follows from the decision and cannot be chosen",
                clause=law.wagers[follows[0]].clause,
                seat=number,
                field=f"wagers.{follows[0]}",
            )
        try:
            check_wagers(rules, seat)
        except Refused as refusal:
            raise refusal.at(seat=number) from None
    game = SIMULATION.of(law)
    positions = game.positions(rules, stakes)
    if coupon:
        game.check_coupon(rules, positions.stakes, coupon)
    for name in meters or {}:
        if name not in rules.meter_names:
            raise Refused(
                "no_such_meter", f"these rules have no meter {name}", field=f"meters.{name}"
            )
    if insures:
        game.check_insures(rules)
    if cover is not None:
        game.check_cover(rules, cover)
    shown = {name: rules.meter(name).seed for name in rules.meter_names} | dict(meters or {})
    return Plan(
        chapter=law.id,
        rules=rules.as_file(),
        stakes=positions.stakes,
        owners=positions.owners,
        on_hand=positions.on_hand,
        strategy=named(rules, strategy),
        seed=str(seed),
        coupons=[dict(coupon)] * len(positions.stakes) if coupon else [],
        meters=shown,
        cover=cover,
        insures=insures,
        covariance=covariance,
        hypothetical=hypothetical,
    )
