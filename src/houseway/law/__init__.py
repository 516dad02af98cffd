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
from houseway.law.citations import cites
from houseway.law.meter_terms import MeterTerms
from houseway.law.outcome import names_of
from houseway.law.rules import (
    Limit,
    Rules,
    RulesFile,
    choose,
    parse_rules,
    read_rules,
)

__all__ = [
    "CHAPTERS", "DOWN_UNDER", "MA", "MD", "PRIME", "SAIGON", "Chapter", "Limit", "MeterTerms",
    "Pay", "Paytable", "Rules", "RulesFile", "chapter", "choose", "cites", "editions",
    "names_of", "parse_rules", "read_rules",
]  # fmt: skip
