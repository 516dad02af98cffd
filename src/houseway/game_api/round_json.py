"""A round as JSON: what `houseway settle` reads and writes (CONTRACT, `settle`).

Input is parsed into types once, unknown fields are refused, and every refusal names its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from houseway.cards import Card, card
from houseway.decode_errors import decode_error
from houseway.errors import Refused
from houseway.game_api.round import Hand, Round, Seat, Settlement
from houseway.law import MA, Rules, chapter, choose, cites
from houseway.money import Cents, cents, dollars


class HandIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A blackjack hand, or a wagered-on hand of Maryland's electronic version."""

    cards: list[str] = []
    doubled: bool | str = False
    split: bool = False
    hand: int = 0
    wagers: dict[str, str] = {}
    decision: str | None = None


class SeatIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One position of the round."""

    seat: int
    wagers: dict[str, str] = {}
    cards: list[str] = []
    decision: str | None = None
    player: str = ""
    fourth: str | None = None
    three: list[str] | None = None
    two: list[str] | None = None
    hands: list[HandIn] = []
    even_money: bool = False
    #: by wager; an amount alone lies on the ante, or on Pair Plus where there is none
    coupon: dict[str, str] | str = {}


class RoundIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One round to settle."""

    chapter: str
    dealer: list[str]
    seats: list[SeatIn]
    rules: msgspec.Raw = msgspec.field(default_factory=lambda: msgspec.Raw(b"{}"))
    community: list[str] = []
    meters: dict[str, str] = {}
    #: where the winners of a meter share it: how many there are over all tables that feed it
    winners: dict[str, int] = {}
    #: the edition of the chapter; the newest where none is named
    edition: str | None = None


class LineOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one wager or bonus."""

    wager: str
    stake: str
    result: str
    paid: str
    clause: str
    odds: str | None = None
    hand: int | None = None


class SeatOut(msgspec.Struct, frozen=True):
    seat: int
    lines: list[LineOut]
    net: str


class MeterOut(msgspec.Struct, frozen=True):
    paid: str
    shows: str


class SettlementOut(msgspec.Struct, frozen=True):
    """A settled round: all `net`, `house` and the negative of what meters paid add up to 0.00."""

    chapter: str
    seats: list[SeatOut]
    house: str
    meters: dict[str, MeterOut]


class ErrorOut(msgspec.Struct, frozen=True):
    """In the place of a round that was refused."""

    error: dict[str, str | int | list[dict[str, str | int]]]


_decoder = msgspec.json.Decoder(RoundIn)
_rules: dict[tuple[str, str | None, bytes], Rules] = {}
_MOST_RULES = 1000  # a stream plays by a few rules; a hostile one must not fill the memory


def rules_of(chapter_id: str, raw: bytes, edition: str | None = None) -> Rules:
    """The rules of a round; the same JSON is chosen from once."""
    key = (chapter_id, edition, raw)
    found = _rules.get(key)
    if found is None:
        try:
            options = msgspec.json.decode(raw, type=dict[str, Any])
        except msgspec.DecodeError as error:
            raise decode_error(error, "not_a_round", "table of rules", raw).at(
                field="rules"
            ) from None
        found = choose(chapter(chapter_id, edition), options)
        if len(_rules) >= _MOST_RULES:
            _rules.clear()
        _rules[key] = found
    return found


def _amounts(given: Mapping[str, str], seat: int | None, field: str) -> dict[str, Cents]:
    amounts = {}
    for name, text in given.items():
        try:
            amounts[name] = cents(text)
        except Refused as refusal:
            raise refusal.at(seat=seat, field=f"{field}.{name}") from None
    return amounts


def _cards(given: list[str], seat: int | None, field: str) -> tuple[Card, ...]:
    try:
        return tuple([card(text) for text in given])
    except Refused as refusal:
        raise refusal.at(seat=seat, field=field) from None


def _hand(given: HandIn, bet: Cents, seat: int) -> Hand:
    doubled = given.doubled
    if isinstance(doubled, str):
        amount = _amounts({"doubled": doubled}, seat, "hands")["doubled"]
    else:
        amount = bet if doubled else 0
    return Hand(
        cards=_cards(given.cards, seat, "hands"),
        doubled=amount,
        number=given.hand,
        wagers=_amounts(given.wagers, seat, "hands"),
        decision=given.decision,
    )


def _coupon(given: SeatIn) -> Mapping[str, str]:
    if isinstance(given.coupon, str):
        return {"ante" if "ante" in given.wagers else "pair_plus": given.coupon}
    return given.coupon


def _seat(given: SeatIn) -> Seat:
    number = given.seat
    wagers = _amounts(given.wagers, number, "wagers")
    return Seat(
        seat=number,
        wagers=wagers,
        cards=_cards(given.cards, number, "cards"),
        decision=given.decision,
        player=given.player,
        fourth=_cards([given.fourth], number, "fourth")[0] if given.fourth is not None else None,
        three=_cards(given.three, number, "three") if given.three is not None else None,
        two=_cards(given.two, number, "two") if given.two is not None else None,
        hands=tuple([_hand(hand, wagers.get("bet", 0), number) for hand in given.hands]),
        split=any(hand.split for hand in given.hands),
        even_money=given.even_money,
        coupon=_amounts(_coupon(given), number, "coupon"),
    )


def not_a_round(error: Exception, given: Any) -> Refused:
    """The refusal of JSON that is no round, with its place."""
    names = {name for kind in (RoundIn, SeatIn, HandIn) for name in kind.__struct_fields__}
    return decode_error(error, "not_a_round", "round", given, names)


def read_round(text: bytes | str) -> Round:
    """One round from JSON."""
    try:
        given = _decoder.decode(text)
    except msgspec.DecodeError as error:
        raise not_a_round(error, text) from None
    return round_of(given, rules_of(given.chapter, bytes(given.rules), given.edition))


def round_of(given: RoundIn, rules: Rules) -> Round:
    """One round from its parsed form."""
    meters = _amounts(given.meters, None, "meters")
    for part, names in (("meters", meters), ("winners", given.winners)):
        for name in names:
            if name not in rules.meter_names:
                raise Refused(
                    "no_such_meter", f"these rules have no meter {name}", field=f"{part}.{name}"
                )
    _check_winners(given, rules)
    if not given.seats:
        raise Refused("no_seats", "a round has at least one seat", field="seats")
    return Round(
        rules=rules,
        dealer=_cards(given.dealer, None, "dealer"),
        seats=tuple([_seat(seat) for seat in given.seats]),
        community=_cards(given.community, None, "community"),
        meters=meters,
        winners=given.winners,
    )


@cites(MA, "13(d)(c)")
def _check_winners(given: RoundIn, rules: Rules) -> None:
    """Winners are counted only where the submission lets them share, and are one at least."""
    option = rules.chapter.options.get("several_meter_hits")
    if given.winners and rules.options.get("several_meter_hits") != "shared":
        raise Refused(
            "winners_do_not_share", "under these rules the winners of a meter do not share it",
            clause=option.clause if option else None, field="winners",
        )  # fmt: skip
    for name, count in given.winners.items():
        if count < 1:
            raise Refused(
                "not_a_number", f"{count} is not a number of winners", field=f"winners.{name}"
            )


def settlement_out(chapter_id: str, settled: Settlement) -> SettlementOut:
    """A settlement in the shape that is written."""
    return SettlementOut(
        chapter=chapter_id,
        seats=[
            SeatOut(
                seat.seat,
                [
                    LineOut(
                        line.wager,
                        dollars(line.stake),
                        line.result,
                        dollars(line.paid),
                        line.clause,
                        line.odds,
                        line.hand,
                    )
                    for line in seat.lines
                ],
                dollars(seat.net),
            )
            for seat in settled.seats
        ],
        house=dollars(settled.house),
        meters={
            name: MeterOut(dollars(meter.paid), dollars(meter.shows))
            for name, meter in settled.meters.items()
        },
    )
