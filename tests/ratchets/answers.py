"""Which questions are asked of the kept records, when they are made and ever after."""

from __future__ import annotations

from pathlib import Path

#: the tables of the house's record, and what is wagered there
TABLES: dict[str, dict[str, str]] = {
    "maryland": {"ante": "10.00", "pair_plus": "5.00", "progressive": "1.00"},
    "massachusetts": {"ante": "10.00", "pair_plus": "5.00", "progressive": "1.00"},
    "prime": {"ante": "10.00", "prime": "5.00", "pair_bonus": "5.00"},
    "saigon": {"ante": "10.00", "bonus": "5.00"},
    "down-under": {"bet": "10.00", "match_the_dealer": "5.00"},
}

#: each question by its words on the command line
ANSWERS = (
    "audit rounds --limit 1000",
    "audit irregularities --limit 1000",
    "audit validations --limit 1000",
    "audit devices --limit 1000",
    "audit decks --limit 1000",
    "audit meters --limit 1000",
    "progressive reconcile",
    "submissions list --on 2026-01-01",
    "people list",
)


def asked(words: str, database: Path) -> tuple[str, ...]:
    """A question as a call."""
    return (*words.split(), "--database", str(database))
