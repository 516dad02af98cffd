"""What is to be simulated: a table, its wagers, how it is played, and the seed.

A plan is all that a block of rounds depends on besides its number, so it travels to other machines
as JSON, and its hash says whether a checkpoint belongs to it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

import msgspec

from houseway.errors import Refused
from houseway.game_api.round import Seat
from houseway.game_api.wager_checks import check_wagers
from houseway.games.three_card.massachusetts import check_coupon
from houseway.law import DOWN_UNDER, MA, MD, Rules, rules_from
from houseway.money import Cents, cents

#: what a player wagers where nothing is said, by kind of wager
USUAL: Mapping[str, Cents] = {"standard": 1000, "side": 500, "progressive": 100}


class Plan(msgspec.Struct, frozen=True):
    """A table to be played, as it is written down."""

    chapter: str
    #: the parts of a rules file, every default written out
    rules: dict[str, Any]
    #: wagers in cents, one for each position in the order of the seats
    stakes: list[dict[str, int]]
    #: whose each position is, and in the electronic version the common hand it is on
    owners: list[int]
    on_hand: list[int]
    strategy: str = "optimal"
    seed: str = "1"
    #: Massachusetts: match play coupons in cents, by the wager they stand beside, for each position
    coupons: list[dict[str, int]] = []
    #: what meters show in every round, in cents
    meters: dict[str, int] = {}
    #: Down Under: cards before the cover card, 0 for a fresh shoe every round, none for the table's
    cover: int | None = None
    #: Down Under: whether players insure against an ace and take even money
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
        wager, _, amount = part.partition("=")
        try:
            found[wager.strip()] = cents(amount.strip())
        except Refused as refusal:
            raise refusal.at(field=f"{field}.{wager.strip()}") from None
    return found


def cover_most(rules: Rules) -> int:
    """The most cards that may lie before the cover card: it goes in so far from the bottom."""
    cards = rules.chapter.number("deck_cards") * int(rules["decks"])
    below = Fraction(str(rules.chapter.fact("cover_card_least").value))
    return cards - ceil(cards * below)


def _check_cover(rules: Rules, cover: int) -> None:
    if not 0 <= cover <= cover_most(rules):
        fact = rules.chapter.fact("cover_card_least")
        raise Refused(
            "cover_card_too_deep",
            f"at most {cover_most(rules)} cards lie before the cover card, not {cover}",
            clause=fact.clause,
            field="cover",
        )


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
    """A plan for so many players with the same wagers, or for `seats` with their own.

    `coupon` is what each puts beside a wager in every round, in Massachusetts.
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
                f"{law.wagers[follows[0]].name} follows from what is decided and is not chosen",
                clause=law.wagers[follows[0]].clause,
                seat=number,
                field=f"wagers.{follows[0]}",
            )
        try:
            check_wagers(rules, seat)
        except Refused as refusal:
            raise refusal.at(seat=number) from None
    owners, on_hand = list(range(len(stakes))), list(range(len(stakes)))
    if law.id == MD and rules["electronic"]:
        # every player wagers on each of the three common hands
        if any("five_card_progressive" in seat for seat in stakes):
            raise Refused(
                "wager_not_offered",
                "the electronic version has no community cards for a five-card hand",
                clause=law.printed("11.F"),
                field="wagers.five_card_progressive",
            )
        owners = [owner for owner in owners for _ in range(3)]
        on_hand = [hand for _ in stakes for hand in range(3)]
        stakes = [seat for seat in stakes for _ in range(3)]
    if coupon:
        if law.id != MA:
            raise Refused("not_in_this_game", f"{law.id} has no match play coupon", field="coupon")
        for number, seat in enumerate(stakes, 1):
            try:
                check_coupon(rules, Seat(number, seat, coupon=coupon))
            except Refused as refusal:
                raise refusal.at(seat=number) from None
    for name in meters or {}:
        if name not in rules.meter_names:
            raise Refused(
                "no_such_meter", f"these rules have no meter {name}", field=f"meters.{name}"
            )
    if (cover is not None or insures) and law.id != DOWN_UNDER:
        what, field = ("insurance", "insure") if insures else ("shoe with a cover card", "cover")
        raise Refused("not_in_this_game", f"{law.id} has no {what}", field=field)
    if cover is not None:
        _check_cover(rules, cover)
    shown = {name: rules.meter(name).seed for name in rules.meter_names} | dict(meters or {})
    return Plan(
        chapter=law.id,
        rules=rules.as_file(),
        stakes=stakes,
        owners=owners,
        on_hand=on_hand,
        strategy=strategy,
        seed=str(seed),
        coupons=[dict(coupon)] * len(stakes) if coupon else [],
        meters=shown,
        cover=cover,
        insures=insures,
        covariance=covariance,
        hypothetical=hypothetical,
    )
