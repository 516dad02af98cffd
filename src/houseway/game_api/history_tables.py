"""Hand histories as Parquet: one row for each round, amounts as decimals, seats and lines nested."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from houseway.errors import Refused
from houseway.game_api.payout_check import HISTORY_VERSION

#: fields of a history and of its round that are columns of their own, as text
_ABOUT = ("id", "table", "began", "ended", "day")
_OF_ROUND = ("chapter", "edition")
_CARDS = ("dealer", "community")
#: fields of a seat; what only some games have stands in `more`, as JSON
_OF_SEAT = ("seat", "player", "cards", "decision", "wagers")
_ROWS = 5000
#: rows read at a time and their bytes with every text written out; bytes of a row group, unpacked
_READ, _LARGEST, _LARGEST_GROUP = 1000, 64 << 20, 512 << 20
#: what a value takes besides its text
_VALUE = 16


def _schema() -> Any:
    import pyarrow as pa

    money, texts = pa.decimal128(18, 2), pa.list_(pa.string())
    amounts = pa.list_(pa.struct([("name", pa.string()), ("amount", money)]))
    seat = pa.struct(
        [
            ("seat", pa.int32()), ("player", pa.string()), ("cards", texts),
            ("decision", pa.string()), ("wagers", amounts), ("more", pa.string()),
        ]
    )  # fmt: skip
    line = pa.struct(
        [
            ("wager", pa.string()), ("hand", pa.int32()), ("stake", money), ("result", pa.string()),
            ("paid", money), ("odds", pa.string()), ("clause", pa.string()),
        ]
    )  # fmt: skip
    paid = pa.struct([("seat", pa.int32()), ("net", money), ("lines", pa.list_(line))])
    return pa.schema(
        [
            ("version", pa.int32()),
            *((name, pa.string()) for name in (*_ABOUT, *_OF_ROUND)),
            ("rules", pa.string()), ("paytables", pa.string()),
            *((name, texts) for name in _CARDS),
            ("meters", amounts), ("winners", pa.string()),
            ("seats", pa.list_(seat)), ("paid", pa.list_(paid)), ("unseen", texts),
        ],
        metadata={"houseway.history": str(HISTORY_VERSION)},
    )  # fmt: skip


def write_parquet(path: Path, histories: Iterable[Mapping[str, Any]]) -> int:
    """Write hand histories as Parquet; how many there were."""
    import pyarrow as pa
    from pyarrow import parquet

    schema, count, rest = _schema(), 0, iter(histories)
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while rows := [_row(one) for one in islice(rest, _ROWS)]:
            count += len(rows)
            writer.write_table(pa.Table.from_pylist(rows, schema))
    return count


def read_parquet(source: Any) -> Iterator[bytes]:
    """The hand histories of a Parquet file, each as JSON."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        # texts are kept once each, however often they stand there, until their sum is known
        first = parquet.ParquetFile(source)
        file = parquet.ParquetFile(
            source, metadata=first.metadata, read_dictionary=_text_paths(first)
        )
        there = set(file.schema_arrow.names)
        missing = sorted({"dealer", "seats"} - there)
        if missing:
            raise Refused(
                "not_a_table", f"the columns {' and '.join(missing)} of a hand history are missing"
            )
        groups = (file.metadata.row_group(at) for at in range(file.num_row_groups))
        if any(one.total_byte_size > _LARGEST_GROUP for one in groups):
            raise Refused("not_a_table", f"a row group has more than {_LARGEST_GROUP >> 20} MiB")
        for batch in file.iter_batches(
            _READ, columns=[one for one in _schema().names if one in there]
        ):
            if sum(map(_written_out, batch.columns)) > _LARGEST:
                raise Refused(
                    "not_a_table",
                    f"{_READ} rounds have more than {_LARGEST >> 20} MiB when unpacked",
                )
            for row in batch.to_pylist():
                yield msgspec.json.encode(_history(row))
    except (pa.ArrowException, AttributeError, TypeError, KeyError, ValueError) as error:
        raise Refused(
            "not_a_table", f"this is not a Parquet file of hand histories: {error}"
        ) from None


def _text_paths(file: Any) -> list[str]:
    columns = (file.schema.column(at) for at in range(len(file.schema)))
    return [one.path for one in columns if one.logical_type.type == "STRING"]


def _written_out(values: Any) -> int:
    """The bytes of an array's values, where a repeated text counts each time."""
    import pyarrow as pa
    from pyarrow import compute

    kind = values.type
    if pa.types.is_struct(kind):
        return sum(map(_written_out, values.flatten()))
    if pa.types.is_list(kind):
        return _written_out(values.flatten())
    size = len(values) * _VALUE
    if pa.types.is_dictionary(kind):
        lengths = compute.binary_length(values.dictionary).cast(pa.int64())
        return size + (compute.sum(lengths.take(values.indices)).as_py() or 0)
    return size + int(values.nbytes)


def _row(history: Mapping[str, Any]) -> dict[str, Any]:
    round = history["round"]
    seats = [
        {name: seat.get(name) for name in ("seat", "player", "cards", "decision")}
        | {"wagers": _amounts(seat.get("wagers")), "more": _json(seat, _OF_SEAT)}
        for seat in round["seats"]
    ]
    paid = [
        {
            "seat": seat["seat"],
            "net": _decimal(seat.get("net")),
            "lines": [
                {**line, "stake": _decimal(line.get("stake")), "paid": _decimal(line["paid"])}
                for line in seat.get("lines", ())
            ],
        }
        for seat in history["paid"]
    ]
    return {
        "version": HISTORY_VERSION,
        **{name: history.get(name) for name in (*_ABOUT, "unseen")},
        **{name: round.get(name) for name in (*_OF_ROUND, *_CARDS)},
        **{name: _text(round.get(name)) for name in ("rules", "paytables", "winners")},
        "meters": _amounts(round.get("meters")),
        "seats": seats,
        "paid": paid,
    }


def _history(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as a history; a name that stands there twice is kept twice, for the reader to refuse."""
    seats = [
        _joined(
            _kept(
                {name: seat.get(name) for name in ("seat", "player", "cards", "decision")}
                | {"wagers": _texts(seat.get("wagers"))}
            ),
            seat.get("more"),
        )
        for seat in row["seats"] or ()
    ]
    round = {name: row.get(name) for name in (*_OF_ROUND, *_CARDS)}
    for name in ("rules", "paytables", "winners"):
        round[name] = _raw(row[name]) if row.get(name) else None
    round |= {"meters": _texts(row.get("meters"))}
    paid = [
        _kept({"seat": seat["seat"], "net": _written(seat.get("net"))})
        | ({"lines": [_line(line) for line in seat["lines"]]} if seat.get("lines") else {})
        for seat in row.get("paid") or ()
    ]
    about = _kept({name: row.get(name) for name in ("version", *_ABOUT, "unseen")})
    return about | {"round": _kept(round) | {"seats": seats}, "paid": paid}


def _raw(text: str) -> msgspec.Raw | str:
    """Valid JSON as it stands; anything else stays text."""
    try:
        msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return text
    return msgspec.Raw(text.encode())


def _joined(seat: dict[str, Any], more: str | None) -> Any:
    """A seat with the fields that only some games have."""
    if not more:
        return seat
    found = _raw(more)
    if isinstance(found, str) or not (inner := bytes(found).strip()).startswith(b"{"):
        return seat | {"more": more}
    first, rest = msgspec.json.encode(seat)[:-1], inner[1:]
    comma = b"" if first == b"{" or rest.lstrip() == b"}" else b","
    return msgspec.Raw(first + comma + rest)


def _line(line: Mapping[str, Any]) -> dict[str, Any]:
    return _kept({**line, "stake": _written(line.get("stake")), "paid": _written(line.get("paid"))})


def _kept(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def _json(seat: Mapping[str, Any], without: tuple[str, ...]) -> str | None:
    return _text({name: value for name, value in seat.items() if name not in without})


def _text(value: Any) -> str | None:
    return msgspec.json.encode(value).decode() if value else None


def _decimal(amount: str | None) -> Decimal | None:
    return None if amount is None else Decimal(amount)


def _written(amount: Any) -> str | None:
    return None if amount is None else str(amount)


def _amounts(amounts: Mapping[str, str] | None) -> list[dict[str, Any]]:
    return [{"name": name, "amount": Decimal(text)} for name, text in (amounts or {}).items()]


def _texts(amounts: list[dict[str, Any]] | None) -> msgspec.Raw | None:
    encode = msgspec.json.encode
    pairs = [encode(one["name"]) + b":" + encode(str(one["amount"])) for one in amounts or ()]
    return msgspec.Raw(b"{" + b",".join(pairs) + b"}") if pairs else None
