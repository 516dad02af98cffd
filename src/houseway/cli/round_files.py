"""Files of rounds: JSON Lines, a JSON list, CSV and Parquet, each round as JSON with its number."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from houseway.errors import Refused, printable
from houseway.game_api.payout_check import paid_rounds
from houseway.law import read_rules
from houseway.untrusted import LONGEST, check_json, lines_of, too_long

#: bytes of a JSON list of rounds; more of them stand in JSON Lines, which are read one by one
_LONGEST_LIST = 64 << 20


def is_table(file: str | None, source: Any) -> bool:
    """Whether a file holds rounds in another form than one round or JSON Lines."""
    kind = Path(file).suffix.lower() if file else ""
    if kind == ".toml":
        raise Refused(
            "not_a_round", f"{file}: rounds are JSON Lines, JSON, CSV or Parquet, not TOML",
            remedy="houseway schema round shows what a round is",
        )  # fmt: skip
    return kind in (".csv", ".parquet") or (
        kind == ".json" and source.peek(64).lstrip()[:1] == b"["
    )


def check_rules_given(file: str | None, rules: str | None) -> None:
    """Refuse a rules file that nothing would be read from."""
    if rules is not None and (not file or Path(file).suffix.lower() != ".csv"):
        raise Refused(
            "rules_given_twice", "--rules is for rounds in a CSV file; other rounds name their own"
        )


def rounds_of(file: str | None, source: Any, rules: str | None) -> Iterator[tuple[int, bytes]]:
    """The rounds of an open file; `rules` is a rules file, for rounds in a CSV file."""
    check_rules_given(file, rules)
    if not is_table(file, source):
        return lines_of(source)
    assert file is not None
    kind = Path(file).suffix.lower()
    if kind == ".csv":
        return _rows(source, rules)
    if kind == ".parquet":
        from houseway.game_api.history_tables import read_parquet

        return enumerate(read_parquet(source), 1)
    return _list(source)


def _rows(source: Any, rules: str | None) -> Iterator[tuple[int, bytes]]:
    file = read_rules(rules).as_file() if rules is not None else None
    text = io.TextIOWrapper(source, "utf-8-sig", newline="")
    try:
        lines = _Bounded(text)
        every = iter(lines)
        first = next(every, "")
        table = csv.DictReader(chain([first], every), delimiter=max(",;\t", key=first.count))
        columns = [name.strip().lower() for name in table.fieldnames or ()]
        if not columns:
            raise Refused("not_a_table", "the CSV file is empty")
        if file is None and "chapter" not in columns:
            raise Refused(
                "no_rules", "these rounds do not name their rules",
                remedy="name a rules file with --rules, or add a column chapter",
            )  # fmt: skip
        table.fieldnames = columns
        twice = next((one for one in columns if columns.count(one) > 1), None)
        if twice is not None:
            raise Refused("not_a_table", f"the column {printable(twice, 60)} appears twice")
        yield from enumerate(paid_rounds(lines.rows(table), file), 1)
    except (UnicodeDecodeError, csv.Error) as error:
        raise Refused("not_a_table", f"this is not a CSV file: {error}") from None
    finally:
        if not source.closed:
            text.detach()  # the file is closed by whoever opened it


class _Bounded:
    """The lines of a CSV file; a row over however many of them has no more than may be read."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self._text = text
        self._size = self._row = 0

    def __iter__(self) -> Iterator[str]:
        while line := self._text.readline(LONGEST + 1):
            self._size += len(line)
            if self._size > LONGEST:
                raise Refused("not_a_table", f"row {self._row + 1}: {too_long('').message}")
            yield line

    def rows(self, table: csv.DictReader[str]) -> Iterator[dict[str, str]]:
        for row in table:
            self._row += 1
            self._size = 0
            if None in row:
                raise Refused(
                    "not_a_table", f"row {self._row} has more cells than there are columns"
                )
            yield {name: _plain(name, text) for name, text in row.items()}


#: columns of cards
_CARDS = ("dealer", "community", "cards", "three", "two", "fourth")
_SUITS = str.maketrans("♣♦♥♠", "cdhs")
_ONE_CARD = re.compile(r"joker|jk|(?:10|[2-9tjqka])[cdhs♣♦♥♠]", re.IGNORECASE)


def _plain(column: str, text: str | None) -> str:
    """A cell as the record writes it: `$1,250`, `10H` and `PLAY` are 1250, Th and play."""
    if not text:
        return ""
    if column in _CARDS:
        apart = re.sub(r"[\s,;/]+", " ", text.strip())
        found = _ONE_CARD.findall(apart)
        return " ".join(
            map(_card, found if "".join(found) == "".join(apart.split()) else apart.split())
        )
    if column == "net" or column.startswith(("wager.", "paid.", "meter.")):
        return re.sub(r"[$,\s]", "", text)
    return text.strip().lower() if column == "decision" else text


def _card(text: str) -> str:
    plain = text.translate(_SUITS).replace("10", "T")
    if plain.lower() in ("jk", "joker"):
        return "Jk"
    return plain[:-1].upper() + plain[-1:].lower()


def _list(source: Any) -> Iterator[tuple[int, bytes]]:
    data = source.read(_LONGEST_LIST + 1)
    check_json(data, "not_a_table", _LONGEST_LIST)
    for number, one in enumerate(msgspec.json.decode(data, type=list[msgspec.Raw]), 1):
        yield number, bytes(one)
