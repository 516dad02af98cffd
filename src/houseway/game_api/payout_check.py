"""Hand histories: rounds with what was paid, and every payout of them that differs from the rules.

A hand history is JSON: `round` as `settle` reads it, `paid` by seat as `settle` writes it, and where
and when it was played. A seat of `paid` has `lines`, each with its wager and what was paid beside
the stake, or only its `net`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import msgspec

from houseway.decode_errors import decode_error
from houseway.errors import Refused
from houseway.game_api.round import Line, SeatResult
from houseway.game_api.round_json import read_round, shape
from houseway.game_api.settle import settle
from houseway.money import Cents, dollars, signed
from houseway.untrusted import LONGEST, decode_json, whole_number


class PaidLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was paid for one wager or bonus, beside the stake."""

    wager: str
    paid: str
    hand: int | None = None
    #: win, lose, push, forfeit, returned or bonus, where it was recorded
    result: str | None = None
    #: what `settle` writes besides; nothing is checked by it
    stake: str | None = None
    odds: str | None = None
    clause: str | None = None


class PaidSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was paid at one seat."""

    seat: int
    lines: list[PaidLine] | None = None
    net: str | None = None


#: the version of the schema of hand histories; a newer one is refused
HISTORY_VERSION = 1


class PaidRound(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A hand history: a round with what was paid, and where and when."""

    round: msgspec.Raw
    paid: list[PaidSeat]
    #: the version of this schema
    version: int = HISTORY_VERSION
    id: str = ""
    table: str = ""
    #: when the round began and ended, in ISO 8601 and UTC, and its gaming day
    began: str = ""
    ended: str = ""
    day: str = ""
    #: places whose cards nobody saw: others stand in for them, and no payout depends on which
    unseen: list[str] = []


class Difference(msgspec.Struct, frozen=True, omit_defaults=True):
    """A payout that differs from the rules; `over` is what was paid too much, or with a minus short."""

    id: str
    seat: int
    wager: str
    paid: str
    due: str
    over: str
    clause: str = ""
    hand: int = 0
    says: str = ""
    chapter: str = ""


_DECODER = msgspec.json.Decoder(PaidRound)


def history_shape() -> type[PaidRound]:
    """A hand history with the round in full, for its schema; checks read the round by itself."""
    made = msgspec.defstruct(
        "HandHistory", [("round", shape().round)], bases=(PaidRound,), frozen=True,
        forbid_unknown_fields=True, namespace={"__doc__": PaidRound.__doc__}, module=__name__,
    )  # fmt: skip
    return cast(type[PaidRound], made)


def read_history(text: bytes) -> PaidRound:
    """One hand history from JSON."""
    given = decode_json(
        text, _DECODER.decode, "not_a_paid_round",
        lambda error, text: decode_error(error, "not_a_paid_round", "paid round", text),
        rewritable=True,  # what a line has besides is left out, and then looked at as a whole
    )  # fmt: skip
    if given.version != HISTORY_VERSION:
        raise Refused(
            "unknown_version",
            f"this Houseway reads version {HISTORY_VERSION} of hand histories, not {given.version}",
            field="version",
        )
    return given


def check_payouts(text: bytes, number: int = 0) -> list[Difference]:
    """Every payout of a paid round that differs from the rules; a round that cannot be is refused."""
    given = read_history(text)
    round = read_round(bytes(given.round))
    settled = settle(round)
    seats = {seat.seat: seat for seat in settled.seats}
    found: list[Difference] = []
    id = given.id or str(number)
    for paid in given.paid:
        if paid.seat not in seats:
            raise Refused(
                "no_such_seat", f"seat {paid.seat} was paid and is not in the round", seat=paid.seat
            )
        due = seats.pop(paid.seat)
        if not _is_as_due(paid, due):
            found += _seat(id, paid, due)
    for seat in seats.values():
        found += _seat(id, PaidSeat(seat.seat, []), seat)
    law = round.rules.chapter.id
    return [msgspec.structs.replace(one, chapter=law) for one in found] if found else found


def _is_as_due(paid: PaidSeat, due: SeatResult) -> bool:
    """Whether a seat was paid exactly what is due, line by line: the common case, checked first
    because it is quick.
    """
    return (
        paid.lines is not None
        and paid.net in (None, dollars(due.net))
        and len(paid.lines) == len(due.lines)
        and all(
            one.wager == line.wager
            and one.paid == dollars(line.paid)
            and one.hand == line.hand
            and one.result in (None, line.result)
            for one, line in zip(paid.lines, due.lines, strict=True)
        )
    )


def _seat(id: str, paid: PaidSeat, due: SeatResult) -> Iterator[Difference]:
    if paid.lines is None:
        if paid.net is None:
            raise Refused("nothing_paid", "a seat has lines or a net", seat=due.seat, field="paid")
        net = _amount(paid.net, due.seat)
        if net != due.net:
            yield _difference(id, due.seat, "net", net, due.net)
        return
    found = list(_lines(id, paid.lines, due))
    yield from found
    if not found and paid.net is not None and (net := _amount(paid.net, due.seat)) != due.net:
        says = "each line is right, but their sum is not"
        yield _difference(id, due.seat, "net", net, due.net, says=says)


def _lines(id: str, paid: list[PaidLine], due: SeatResult) -> Iterator[Difference]:
    lines = {(line.wager, line.hand or 0): line for line in due.lines}
    for one in paid:
        amount = _amount(one.paid, due.seat)
        line = lines.pop((one.wager, one.hand or 0), None)
        if line is None:
            if amount:
                says = "no such payment is due"
                yield _difference(id, due.seat, one.wager, amount, 0, hand=one.hand or 0, says=says)
        elif amount != line.paid:
            yield _difference(id, due.seat, line.wager, amount, line.paid, line)
        elif one.result is not None and one.result != line.result:
            says = f"recorded as {one.result}; by the rules it is {line.result}"
            yield _difference(id, due.seat, line.wager, amount, line.paid, line, says=says)
    for line in lines.values():
        if line.paid:
            yield _difference(id, due.seat, line.wager, 0, line.paid, line, says="not paid")


def _amount(text: str, seat: int) -> Cents:
    try:
        return signed(text)
    except Refused as refusal:
        raise refusal.at(seat=seat, field="paid") from None


def _difference(
    id: str,
    seat: int,
    wager: str,
    paid: Cents,
    due: Cents,
    line: Line | None = None,
    *,
    hand: int = 0,
    says: str = "",
) -> Difference:
    return Difference(
        id, seat, wager, dollars(paid), dollars(due), dollars(paid - due),
        line.clause if line else "", (line.hand or 0) if line else hand, says,
    )  # fmt: skip


# rounds in a table: a row for each seat


def paid_rounds(
    rows: Iterator[Mapping[str, str]], rules: Mapping[str, Any] | None
) -> Iterator[bytes]:
    """Rows of a CSV file as paid rounds; rows with one `id` that follow each other are one round.

    Columns: `id`, `dealer`, `community`, `seat`, `player`, `cards`, `decision`, further fields of a
    seat, `wager.<id>` and `paid.<id>` for each wager, and `net`. `rules` is a rules file as data.
    """
    last: str | None = None
    round: dict[str, Any] = {}
    paid: list[dict[str, Any]] = []
    size = 0
    for row in rows:
        filled = {
            name: text.strip() for name, text in row.items() if name and text and text.strip()
        }
        id = filled.pop("id", "")
        if last is not None and id != last:
            yield _paid_round(last, round, paid, size)
        if id != last:
            round, paid, last, size = _new_round(filled, rules), [], id, 0
        size += _LEAST_ROW + sum(map(len, filled.values()))
        if size > LONGEST:
            continue
        seat, result = _row(filled)
        round["seats"].append(seat)
        paid.append(result)
    if last is not None:
        yield _paid_round(last, round, paid, size)


def _paid_round(id: str, round: dict[str, Any], paid: list[dict[str, Any]], size: int) -> bytes:
    """A round as JSON; if its rows are too long, only enough of it that it is refused."""
    data = msgspec.json.encode({"id": id, "round": round, "paid": paid})
    return data if size <= LONGEST else data.ljust(LONGEST + 1)


def _new_round(filled: dict[str, str], rules: Mapping[str, Any] | None) -> dict[str, Any]:
    named = {"chapter": filled["chapter"]} if "chapter" in filled else {}
    file = {**(rules or {}), **named}
    found: dict[str, Any] = {
        name: file[name] for name in ("chapter", "edition", "rules", "paytables") if name in file
    }
    found |= {"dealer": filled.get("dealer", "").split(), "seats": []}
    if "community" in filled:
        found["community"] = filled["community"].split()
    meters = {n.removeprefix("meter."): t for n, t in filled.items() if n.startswith("meter.")}
    return found | ({"meters": meters} if meters else {})


_OF_ROUND = ("chapter", "dealer", "community", "net")
#: as how many bytes a row counts besides its values
_LEAST_ROW = 16


def _row(filled: dict[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """One seat as `settle` reads it, and what was paid there."""
    seat: dict[str, Any] = {}
    wagers: dict[str, str] = {}
    lines: list[dict[str, Any]] = []
    for name, text in filled.items():
        part, dot, wager = name.partition(".")
        if part == "wager" and dot:
            wagers[wager] = text
        elif part == "paid" and dot:
            lines.append({"wager": wager, "paid": text})
        elif name not in _OF_ROUND and not (part == "meter" and dot):
            seat[name] = _field(name, text)
    seat["wagers"] = wagers
    number = seat.get("seat", 0)
    if "net" in filled and not lines:
        return seat, {"seat": number, "net": filled["net"]}
    return seat, {"seat": number, "lines": lines}


def _field(name: str, text: str) -> Any:
    """A field of a seat: a number, a list of cards, true or false, JSON, or text."""
    if name == "seat" and (number := whole_number(text)) is not None:
        return number
    if name == "cards":
        return text.split()
    if text[:1] in "[{":
        try:
            msgspec.json.decode(text)
        except (ValueError, RecursionError):
            return text
        return msgspec.Raw(text.encode())  # a name that stands there twice is found by the reader
    return {"true": True, "false": False}.get(text.lower(), text)
