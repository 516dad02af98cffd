"""A round as JSON: what `houseway settle` reads and writes.

Input is parsed into types once, unknown fields are refused, and every refusal names its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, TypeAlias, TypeVar, cast

import msgspec
from msgspec.structs import FieldInfo, astuple

from houseway.arguments import checked
from houseway.cards import Card, cards
from houseway.decode_errors import decode_error
from houseway.errors import Refused
from houseway.game_api.registry import families
from houseway.game_api.round import Line, MeterResult, Round, Seat, Settlement, Wagers, net
from houseway.game_api.rules import RULES, RulesWithSeatFields, SeatFields
from houseway.game_api.wager_checks import not_in_this_game
from houseway.law import MA, Rules, chapter, choose, cites
from houseway.money import Cents, cents, dollars
from houseway.untrusted import check_json, decode_json, is_rewritable

S = TypeVar("S", bound=msgspec.Struct)
_encode = msgspec.json.Encoder().encode

#: cards as a list or as one text: ["As", "Kd"] or "As Kd"
CardsIn: TypeAlias = list[str] | str


class HandIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A blackjack hand, or a wagered-on hand of Maryland's electronic version."""

    cards: CardsIn = []
    doubled: bool | str = False
    split: bool = False
    hand: int = 0
    wagers: dict[str, str] = {}
    decision: str | None = None


class SeatIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One position of the round."""

    seat: int
    wagers: dict[str, str] = {}
    cards: CardsIn = []
    decision: str | None = None
    player: str = ""


class RoundIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One round to settle."""

    chapter: str
    dealer: CardsIn
    seats: list[SeatIn]
    rules: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    community: CardsIn = []
    meters: dict[str, str] = {}
    #: if the winners of a meter share it: how many there are, over all tables that feed it
    winners: dict[str, int] = {}
    #: the edition of the chapter; the newest by default
    edition: str | None = None
    #: tables of the house's own, as in a rules file
    paytables: dict[str, dict[str, str]] = {}


class LineOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of one wager or bonus."""

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
    """Written in place of a round that was refused."""

    error: dict[str, str | int | list[dict[str, str | int]]]


#: the wagers of seats; those of a stream are much alike
_amounts: dict[tuple[tuple[str, str], ...], Wagers] = {}
_MOST_AMOUNTS = 4096
_rules: dict[tuple[str, str | None, bytes, bytes], Rules] = {}
_MOST_RULES = 100  # a stream uses few rules; a hostile one must not fill the memory


def rules_of(
    chapter_id: str,
    raw: bytes,
    edition: str | None = None,
    paytables: Mapping[str, Mapping[str, str]] | None = None,
) -> Rules:
    """The rules of a round; the same JSON is read only once."""
    key = (chapter_id, edition, raw, msgspec.json.encode(paytables) if paytables else b"")
    found = _rules.get(key)
    if found is None:
        try:
            options = msgspec.json.decode(raw, type=dict[str, Any])
        except msgspec.DecodeError as error:
            raise decode_error(error, "not_a_round", "table of rules", raw).at(
                field="rules"
            ) from None
        found = choose(chapter(chapter_id, edition), options, paytables=paytables or None)
        if len(_rules) >= _MOST_RULES:
            _rules.clear()
        _rules[key] = found
    return found


def read_amounts(
    given: Mapping[str, str], seat: int | None = None, field: str = "wagers"
) -> dict[str, Cents]:
    """Amounts of money by name; a refusal names the field."""
    amounts = {}
    for name, text in given.items():
        try:
            amounts[name] = cents(text)
        except Refused as refusal:
            raise refusal.at(seat=seat, field=f"{field}.{name}") from None
    return amounts


def read_cards(given: CardsIn, seat: int | None, field: str) -> tuple[Card, ...]:
    """Cards as they are written; a refusal names the field."""
    try:
        return cards(given)
    except Refused as refusal:
        raise refusal.at(seat=seat, field=field) from None


# the fields that games add to a seat


#: how many fields every seat has
_GENERAL = len(SeatIn.__struct_fields__)


class Shape:
    """A round as JSON, with the seat fields of every installed game."""

    def __init__(self) -> None:
        games = [game for game in RULES.all() if isinstance(game, RulesWithSeatFields)]
        own: dict[str, FieldInfo] = {}
        for game in games:
            for field in msgspec.structs.fields(game.seat_fields.given):
                if own.setdefault(field.name, field).type != field.type:
                    raise TypeError(f"two games read the field {field.name} of a seat differently")
        #: for every field that some game adds, the value that means that a seat does not use it
        unused = {name: _default(field) for name, field in own.items()}
        self.seat = _extended(
            SeatIn, [(name, field.type, unused[name]) for name, field in own.items()]
        )
        self.round = _extended(RoundIn, [("seats", list[self.seat])])  # type: ignore[name-defined]
        self.decoder: msgspec.json.Decoder[RoundIn] = msgspec.json.Decoder(self.round)
        self.rewritable = is_rewritable(self.round)
        self._nothing = tuple(unused.values())
        #: by what a game adds: the places of what only others add
        self._foreign: dict[type | None, tuple[int, ...]] = {None: tuple(range(len(own)))}
        for game in games:
            mine = game.seat_fields.given
            self._foreign[mine] = tuple(
                at for at, name in enumerate(own) if name not in mine.__struct_fields__
            )

    def read_seat(self, given: SeatIn, rules: Rules, fields: SeatFields[Any] | None) -> Seat:
        """A seat from its parsed form; a field of another game is refused."""
        number = given.seat
        wagers = _amounts.get(every := tuple(given.wagers.items()))
        if wagers is None:
            wagers = Wagers(read_amounts(given.wagers, number, "wagers"))
            if len(_amounts) < _MOST_AMOUNTS:
                _amounts[every] = wagers
        held = read_cards(given.cards, number, "cards") if given.cards else ()
        kind = fields.kind if fields is not None else Seat
        own: Mapping[str, Any] = {}
        if (used := astuple(given)[_GENERAL:]) != self._nothing:
            mine = fields.given if fields is not None else None
            for at in self._foreign[mine]:
                if used[at] != self._nothing[at]:
                    raise not_in_this_game(self.seat.__struct_fields__[_GENERAL + at], number)
            assert fields is not None
            try:
                # it has every field of the game's own type
                own = fields.read(given, wagers, rules)
            except Refused as refusal:
                raise refusal.at(seat=number) from None
        return kind(number, wagers, held, given.decision, given.player, **own)


def _default(field: FieldInfo) -> Any:
    made = field.default_factory
    return made() if made is not msgspec.NODEFAULT else field.default


def _extended(base: type[S], fields: list[Any]) -> type[S]:
    made = msgspec.defstruct(
        base.__name__, fields, bases=(base,), frozen=True, forbid_unknown_fields=True, omit_defaults=True,
        namespace={"__doc__": base.__doc__}, module=__name__,
    )  # fmt: skip
    return cast(type[S], made)


@cache
def _shape(_families: tuple[str, ...]) -> Shape:
    return Shape()


def shape() -> Shape:
    """The shape of a round with the seat fields of every installed game."""
    return _shape(tuple(families()))


def not_a_round(error: Exception, given: Any) -> Refused:
    """The refusal of JSON that is not a round, with its place."""
    names = {name for kind in (RoundIn, shape().seat, HandIn) for name in kind.__struct_fields__}
    return decode_error(error, "not_a_round", "round", given, names)


def parse_round(text: bytes | str) -> RoundIn:
    """One round from JSON, not yet read."""
    known = shape()
    found = decode_json(
        text, known.decoder.decode, "not_a_round", not_a_round, rewritable=known.rewritable
    )
    _check_rules(_raw_rules(found))
    return found


def _raw_rules(given: RoundIn) -> bytes:
    return b"{}" if given.rules is msgspec.UNSET else bytes(given.rules)


@lru_cache(maxsize=64)
def _check_rules(raw: bytes) -> None:
    """The rules as they came; the rounds of a stream have the same."""
    check_json(raw, "not_a_round")


@checked
def read_round(text: bytes | str | Mapping[str, Any]) -> Round:
    """One round from JSON: its text, or what `json.load` gives."""
    return round_in(text)


def round_in(text: bytes | str | Mapping[str, Any]) -> Round:
    """The same, for callers that name the argument in their own refusal."""
    if isinstance(text, Mapping):
        try:
            text = msgspec.json.encode(text)
        except (TypeError, ValueError, RecursionError) as error:
            raise Refused("not_a_round", f"this cannot be written as JSON: {error}") from None
    elif isinstance(text, str) and text.endswith((".json", ".jsonl")):
        raise Refused(
            "not_a_round", f"{text!r} is the name of a file, not a round",
            remedy="give its text, or what json.load returns",
        )  # fmt: skip
    given = parse_round(text)
    return round_of(given, given_rules(given))


def given_rules(given: RoundIn) -> Rules:
    """The rules that a round names."""
    return rules_of(given.chapter, _raw_rules(given), given.edition, given.paytables)


def round_of(given: RoundIn, rules: Rules) -> Round:
    """One round from its parsed form."""
    meters = read_amounts(given.meters, None, "meters")
    for part, names in (("meters", meters), ("winners", given.winners)):
        for name in names:
            if name not in rules.meter_names:
                raise Refused(
                    "no_such_meter", f"these rules have no meter {name}", field=f"{part}.{name}"
                )
    for name, amount in meters.items():
        if amount <= 0:
            raise Refused(
                "not_an_amount",
                "a meter must show more than $0.00",
                field=f"meters.{name}",
            )
    _check_winners(given, rules)
    if not given.seats:
        raise Refused("no_seats", "a round has at least one seat", field="seats")
    fields, read_seat = getattr(RULES.of(rules.chapter), "seat_fields", None), shape().read_seat
    return Round(
        rules=rules,
        dealer=read_cards(given.dealer, None, "dealer"),
        seats=tuple([read_seat(seat, rules, fields) for seat in given.seats]),
        community=read_cards(given.community, None, "community"),
        meters=meters,
        winners=given.winners,
    )


@cites(MA, "13(d)(c)")
def _check_winners(given: RoundIn, rules: Rules) -> None:
    """Winners are counted only if the submission lets them share, and there is at least one."""
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


def amounts_out(amounts: Mapping[str, Cents]) -> dict[str, str]:
    """Amounts of money by name, as they are written."""
    return {name: dollars(amount) for name, amount in amounts.items()}


def round_out(round: Round) -> dict[str, Any]:
    """A round as JSON, which `read_round` reads back."""
    file = round.rules.as_file()
    whole: dict[str, Any] = {
        **{name: file[name] for name in ("chapter", "edition", "rules") if name in file},
        "paytables": file.get("paytables", {}),
        "dealer": [str(one) for one in round.dealer],
        "community": [str(one) for one in round.community],
        "meters": amounts_out(round.meters),
        "winners": dict(round.winners),
        "seats": [_seat_out(seat, round.rules) for seat in round.seats],
    }
    return {name: part for name, part in whole.items() if part or name in ("dealer", "seats")}


def _seat_out(seat: Seat, rules: Rules) -> dict[str, Any]:
    fields: SeatFields[Any] | None = getattr(RULES.of(rules.chapter), "seat_fields", None)
    own: dict[str, Any] = {}
    if fields is not None and isinstance(seat, fields.kind):
        own = fields.write(seat) if fields.write is not None else _own_fields(seat, fields)
    general: dict[str, Any] = {
        "seat": seat.seat,
        "player": seat.player,
        "wagers": amounts_out(seat.wagers),
        "cards": [str(one) for one in seat.cards],
        "decision": seat.decision,
    }
    return {name: part for name, part in general.items() if part} | own


def _own_fields(seat: Seat, fields: SeatFields[Any]) -> dict[str, Any]:
    """What a game adds to a seat, where JSON has it under the same names: cards, or plain values."""
    found: dict[str, Any] = {}
    for field in msgspec.structs.fields(fields.given):
        value = getattr(seat, field.name)
        if isinstance(value, Card):
            value = str(value)
        elif isinstance(value, tuple):
            value = [str(one) if isinstance(one, Card) else one for one in value]
        if value is not None and value != _default(field):
            found[field.name] = value
    return found


def settlement_out(chapter_id: str, settled: Settlement) -> SettlementOut:
    """A settlement in the shape in which it is written."""
    return SettlementOut(
        chapter=chapter_id,
        seats=[
            SeatOut(seat.seat, [_line_out(line) for line in seat.lines], dollars(seat.net))
            for seat in settled.seats
        ],
        house=dollars(settled.house),
        meters=_meters_out(settled.meters),
    )


def settlement_text(chapter_id: str, settled: Settlement) -> bytes:
    """A settlement as `settlement_out` has it, written as JSON; seats of a stream are much alike."""
    house = sum([meter.paid for meter in settled.meters.values()])
    seats = []
    for seat in settled.seats:
        text, up = _seat_text(seat.lines)
        seats.append(b'{"seat":%d%b' % (seat.seat, text))
        house -= up
    meters = _meters_text(tuple(settled.meters.items()))
    return b'{"chapter":%b,"seats":[%b],"house":%b,"meters":%b}' % (
        _encode(chapter_id), b",".join(seats), _encode(dollars(house)), meters
    )  # fmt: skip


@lru_cache(maxsize=1 << 12)
def _seat_text(lines: tuple[Line, ...]) -> tuple[bytes, Cents]:
    """What follows the number of a seat with these lines, and its net."""
    up = net(lines)
    written = _encode(SeatOut(0, [_line_out(line) for line in lines], dollars(up)))
    return written.removeprefix(b'{"seat":0'), up


@lru_cache(maxsize=1 << 8)
def _meters_text(meters: tuple[tuple[str, MeterResult], ...]) -> bytes:
    return _encode(_meters_out(dict(meters)))


def _meters_out(meters: Mapping[str, MeterResult]) -> dict[str, MeterOut]:
    return {
        name: MeterOut(dollars(meter.paid), dollars(meter.shows)) for name, meter in meters.items()
    }


@lru_cache(maxsize=1 << 12)
def _line_out(line: Line) -> LineOut:
    stake, paid = dollars(line.stake), dollars(line.paid)
    return LineOut(line.wager, stake, line.result, paid, line.clause, line.odds, line.hand)
