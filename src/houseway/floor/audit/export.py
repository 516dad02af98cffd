"""The record for analysis, and one round of it for a dispute.

What is exported can leave the house, so it holds no card that was not exposed while its shoe is
still in play: the bodies of such events are withheld, their hashes stay.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from houseway.errors import Refused, file_problem
from houseway.floor import clock
from houseway.floor.audit.check import DEALER, told_by
from houseway.floor.audit.projections import Projections
from houseway.floor.audit.replay import in_words, page, replay
from houseway.floor.audit.rounds import events_of, find_round
from houseway.floor.audit.verify_deal import verify_deal
from houseway.floor.deal_proof import (
    COMMITTED,
    FINISHED,
    NEXT_COMMITTED,
    NEXT_SECRET,
    NUMBER_ADDED,
    OPENED,
    SECRET,
)
from houseway.floor.gaming_day import FACILITY
from houseway.floor.people.directory import CREDENTIALS
from houseway.floor.streams import PREFIX, stream
from houseway.money import dollars
from houseway.store import Event, Log, canonical
from houseway.store.security.private_file import create_private
from houseway.store.verify import verify

#: tables of the projections that are exported, beside the events themselves
TABLES = (
    "rounds", "hands", "lines", "holds", "meter_sums", "inventory", "meters", "faults", "decks",
    "validations",
    "irregularities",
)  # fmt: skip
FORMATS = ("jsonl", "csv", "parquet")
_CENTS = {
    "wagered", "paid", "win", "net", "stake", "from_meter", "cents", "shows", "base",
}  # fmt: skip


def in_play(log: Log, name: str) -> int:
    """The version of the earliest shuffle that is still in play; 0 if none is."""
    sealed: dict[int, int] = {}
    shuffled = 0
    for event in log.read(name):
        if event.kind == "table_opened":
            sealed.clear()
        elif event.kind == "cards_shuffled":
            shuffled = event.version
        elif event.kind == COMMITTED:
            sealed[event.data["seal"]] = shuffled
        elif event.kind == FINISHED:
            sealed.pop(event.data["seal"], None)
    return min(sealed.values(), default=0)


def withheld(event: Event, since: int) -> bool:
    """Whether an event may reveal a card that is still secret, or a credential."""
    if event.stream == CREDENTIALS or event.kind == NEXT_SECRET:
        return True
    if not since or event.version < since:
        return False
    if event.kind in ("cards_shuffled", "hands_set", SECRET):
        return True
    return event.kind == "cards_dealt" and not event.data.get("face_up", False)


def event_out(event: Event, since: int = 0) -> dict[str, Any]:
    """An event as it is exported."""
    out: dict[str, Any] = {
        "stream": event.stream, "version": event.version, "time": event.time,
        "actor": event.actor, "kind": event.kind, "schema": event.schema,
        "previous": event.previous.hex(), "hash": event.hash.hex(),
    }  # fmt: skip
    if withheld(event, since):
        return {**out, "withheld": True}
    return {**out, "body": event.body}


def export(
    log: Log, projections: Projections, folder: Path, format: str, *, everything: bool = False
) -> dict[str, int]:
    """Every event and every table of the projections, a file each; the rows in each file."""
    if format not in FORMATS:
        raise Refused("no_such_format", f"{format!r} is not one of {', '.join(FORMATS)}")
    _make(folder)
    since = {} if everything else {name: in_play(log, name) for name in log.heads(prefix=PREFIX)}
    events = (event_out(event, since.get(event.stream, 0)) for event in log.scan())
    columns = ["stream", "version", "time", "actor", "kind", "schema", "previous", "hash",
               "withheld", "body"]  # fmt: skip
    written = {f"events.{format}": _write(folder / f"events.{format}", format, columns, events)}
    hidden = _in_play_rounds(log, projections, since)
    for table in TABLES:
        columns = [row["name"] for row in projections.rows(f"pragma table_info({table})")]
        if table == "rounds":
            columns.remove("number")  # of the bitmaps, and of nobody else
        names = ", ".join(f'"{name}"' for name in columns)
        found = projections.rows(f"select {names} from {table}")
        rows = (_in_dollars({**row, **hidden.get(_named(table, row), {})}) for row in found)
        written[f"{table}.{format}"] = _write(folder / f"{table}.{format}", format, columns, rows)
    return written


def _in_play_rounds(
    log: Log, projections: Projections, since: dict[str, int]
) -> dict[tuple[str, int], dict[str, Any]]:
    """The cards of rounds and hands of shoes still in play as they may be told, by round and seat."""
    hidden: dict[tuple[str, int], dict[str, Any]] = {}
    for name, first in since.items():
        table = name.removeprefix(PREFIX)
        for row in projections.rows(
            'select id from rounds where "table" = ? and last >= ? and ? > 0', table, first, first
        ):
            round = find_round(projections, row["id"])
            told = _round_out(round, [event_out(one, first) for one in events_of(log, round)])
            hidden[told["id"], 0] = {name: told[name] for name in ("cards", "community")}
            for hand in told["hands"]:
                hidden[told["id"], hand["seat"]] = {"cards": hand["cards"]}
    return hidden


def _named(table: str, row: dict[str, Any]) -> tuple[str, int]:
    if table == "rounds":
        return row["id"], 0
    return (row["round"], row["seat"]) if table == "hands" else ("", 0)


def _in_dollars(row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: dollars(value) if name in _CENTS and isinstance(value, int) else value
        for name, value in row.items()
    }


def _write(path: Path, format: str, columns: list[str], rows: Iterable[dict[str, Any]]) -> int:
    create_private(path)
    if format == "parquet":
        return _parquet(path, columns, rows)
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns) if format == "csv" else None
        if table:
            table.writeheader()
        for row in rows:
            count += 1
            if table:
                table.writerow({name: _cell(value) for name, value in row.items()})
            else:
                file.write(msgspec.json.encode(row).decode() + "\n")
    return count


def _cell(value: Any) -> Any:
    """A cell's text; text that begins like a formula is marked, so that a spreadsheet does not run it."""
    if isinstance(value, str) and value[:1] in _FORMULA and not _NUMBER.fullmatch(value):
        return f"'{value}"
    return value


#: how a formula begins, in one spreadsheet or another
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_NUMBER = re.compile(r"[-+]?\d+(?:[./]\d+)?", re.ASCII)


def _parquet(path: Path, columns: list[str], rows: Iterable[dict[str, Any]]) -> int:
    import pyarrow as pa
    from pyarrow import parquet

    whole = {"version", "schema", "seat", "number", "hand", "rounds", "opening", "first", "last",
             "others", "ante"}  # fmt: skip
    schema = pa.schema(
        [
            (
                name,
                pa.int64() if name in whole else pa.bool_() if name == "withheld" else pa.string(),
            )
            for name in columns
        ]
    )
    count = 0
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for chunk in _chunks(rows, 20_000):
            count += len(chunk)
            wide = [
                {
                    name: value
                    if name in whole or name == "withheld" or value is None
                    else str(value)
                    for name, value in ((name, row.get(name)) for name in columns)
                }
                for row in chunk
            ]
            writer.write_table(pa.Table.from_pylist(wide, schema))
    return count


def _chunks(rows: Iterable[dict[str, Any]], size: int) -> Iterator[list[dict[str, Any]]]:
    chunk: list[dict[str, Any]] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


# one round, for a dispute

_README = """Round {id}, {chapter}, table {table}
{began} to {ended} (UTC)

round.txt          the round in words: who held what, every payment with its clause, step by step
replay.html        the same with the table drawn at each step; open it in a browser
events.jsonl       every event of the round, with the hash of each and of the one before it
before.jsonl       the events before it that say how the table was opened, who dealt and who sat
round.json         cards, decisions, payments and collections, as data
deal.json          the seal of the shuffle, made before the bets, and the cards opened under it
verification.json  what a check of the whole record found when this bundle was made
manifest.json      the hash of every file, signed by the house
check.py           checks all of it by itself, with nothing but Python: python3 check.py

A card is its rank and suit: As is the ace of spades, Td the ten of diamonds, Jk the joker. Amounts
are in dollars; what is paid comes beside the stake; of a meter's share that is all. In round.json
"dealer" is who dealt and "cards" are the dealer's cards, "hands" are the seats', "lines" what was
settled, in its order; "win" is the house's, "net" the player's.

The hash of an event is the SHA-256 of nine lines: houseway/1, previous, stream, version, time,
actor, kind, schema, body. Where a body is withheld, it could tell cards of a shoe that was still in
play; its hash stands. The last hash of the round can be compared with the house's signed anchors.
"""


def bundle_zip(log: Log, round: dict[str, Any], *, public: bool = False) -> bytes:
    """A bundle as one file."""
    with TemporaryDirectory() as folder:
        names = bundle(log, round, Path(folder), public=public)
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in names:
                archive.write(Path(folder) / name, f"{round['id']}/{name}")
        return whole.getvalue()


def bundle(log: Log, round: dict[str, Any], folder: Path, *, public: bool = False) -> list[str]:
    """Write everything about one round for someone without Houseway; returns the files written.

    A `public` bundle reveals no card that was not shown at the table, even after the shoe is finished.
    """
    _empty(folder)
    since = in_play(log, stream(round["table"]))
    if public:
        since = round["opening"]
    reveal = not since or round["last"] < since
    events = list(events_of(log, round))
    told = [event_out(event, since) for event in events]
    verdict = verify_deal(log, round)
    steps = replay(log, round)
    out = _round_out(round, told)
    # a family from outside may move cards by events of its own, which the checker does not know
    out["retold"] = told_by([event_out(event) for event in events]).same_cards(round)
    written = {
        "README.txt": _README.format(**round),
        "round.txt": in_words(out, steps, reveal=reveal),
        "events.jsonl": _lines(told),
        "before.jsonl": _lines(map(event_out, _before(log, round))),
        "round.json": _json(out),
        "deal.json": _json({"verdict": verdict, "seals": _seals(log, round, events)}),
        "verification.json": _json(verify(log)),
        "replay.html": page(round, steps, reveal=reveal),
        "check.py": files("houseway.floor.audit").joinpath("check.py").read_text("utf-8"),
    }
    written["manifest.json"] = _manifest(log, round["id"], written)
    # write only when all of it is ready
    _make(folder)
    for name, text in written.items():
        create_private(folder / name)
        (folder / name).write_text(text, "utf-8")
    return list(written)


def _manifest(log: Log, round: str, written: dict[str, str]) -> str:
    """The hash of every file, signed with the house's key."""
    from houseway.store.security.house_keys import make_keys

    key = make_keys(log.id).active
    content = {
        "format": "houseway-bundle/2", "record": log.id, "round": round, "made": clock.now(),
        "files": {name: sha256(text.encode()).hexdigest() for name, text in written.items()},
        "key": key.public,
    }  # fmt: skip
    return _json({**content, "signature": key.sign(canonical(content).encode()).hex()})


def _lines(rows: Iterable[dict[str, Any]]) -> str:
    return "".join(msgspec.json.encode(row).decode() + "\n" for row in rows)


def _before(log: Log, round: dict[str, Any]) -> Iterator[Event]:
    """The events that say how the facility counts its days, how the table was opened, who dealt and who sat."""
    for event in log.read(FACILITY, log.head(FACILITY).version - 1):
        yield event
    latest: dict[Any, Event] = {}
    for event in log.read(stream(round["table"]), round["opening"] - 1, round["first"] - 1):
        if event.kind in ("table_opened", "dealer_changed"):
            latest[event.kind] = event
        elif event.kind == "player_sat":
            latest[event.data["seat"]] = event
        elif event.kind == "player_left":
            latest.pop(event.data["seat"], None)
    yield from sorted(latest.values(), key=lambda event: event.version)


def _round_out(round: dict[str, Any], events: list[dict[str, Any]]) -> dict[str, Any]:
    """A round as it is exported; where deals are withheld, with the cards that the rest tells."""
    out = _in_dollars(round)
    out["hands"] = [_in_dollars(hand) for hand in round["hands"]]
    out["lines"] = [_in_dollars(line) for line in round["lines"]]
    told = told_by(events)
    if told.withheld:
        for hand in out["hands"]:
            hand["cards"] = told.cards(seat=hand["seat"])
        out["cards"] = told.cards(*DEALER)
        out["community"] = told.cards("community")
    return out


def _seals(log: Log, round: dict[str, Any], events: list[Event]) -> list[dict[str, Any]]:
    """The commitments under which the round's cards were opened, with the openings."""
    opened = {
        part["seal"]: part["openings"]
        for event in events
        if event.kind == OPENED
        for part in event.data["seals"]
    }
    seals, ahead = [], []
    for event in log.read(stream(round["table"]), round["opening"] - 1, round["last"]):
        if event.kind == NEXT_COMMITTED:
            ahead = [event]
        elif event.kind == NUMBER_ADDED:
            ahead.append(event)
        elif event.kind == COMMITTED:
            body = event.data
            seal = {
                "committed": event_out(event), "root": body["root"], "count": body["count"],
                "openings": opened.get(body["seal"]),
            }  # fmt: skip
            if "shuffle" in body:
                # what was sealed before the shuffle, and each player's number
                seal |= {"ahead": [event_out(one) for one in ahead]}
                ahead = []
            if body["seal"] in opened:
                seals.append(seal)
    return seals


def _json(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n"


def _empty(folder: Path) -> None:
    """A folder that does not exist yet or is empty."""
    try:
        if folder.exists() and any(folder.iterdir()):
            raise Refused(
                "folder_not_empty", f"{folder} is not empty; choose another folder", field="out"
            )
    except OSError as error:
        raise Refused("cannot_write", file_problem(folder, error), field="out") from None


def _make(folder: Path) -> None:
    _empty(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused("cannot_write", file_problem(folder, error), field="out") from None
