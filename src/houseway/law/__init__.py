"""The chapters as data: clauses, paytables, options, readings, published holds."""

from houseway.law.chapter import (
    CHAPTERS,
    DOWN_UNDER,
    MA,
    MD,
    PRIME,
    SAIGON,
    Chapter,
    Pay,
    Paytable,
    chapter,
    editions,
)
from houseway.law.citing import cites

__all__ = [
    "CHAPTERS", "DOWN_UNDER", "MA", "MD", "PRIME", "SAIGON", "Chapter", "Pay", "Paytable",
    "chapter", "cites", "editions",
]  # fmt: skip
