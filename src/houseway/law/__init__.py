"""The chapters as data: clauses, paytables, options, readings, published holds."""

from typing import Any

from houseway.law.chapter import DOWN_UNDER, MA, MD, PRIME, SAIGON, Chapter, Pay, Paytable
from houseway.law.choices import RulesFile, choose, parse_rules, read_rules, rules_from
from houseway.law.citations import cites
from houseway.law.library import chapter, chapters, editions
from houseway.law.meter_terms import MeterTerms
from houseway.law.outcome import names_of
from houseway.law.rules import Limit, Rules

__all__ = [
    "CHAPTERS", "DOWN_UNDER", "MA", "MD", "PRIME", "SAIGON", "Chapter", "Limit", "MeterTerms",
    "Pay", "Paytable", "Rules", "RulesFile", "chapter", "chapters", "choose", "cites", "editions",
    "names_of", "parse_rules", "read_rules", "rules_from",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    # the list is a function, `chapters()`; the name stays for those who import it
    if name == "CHAPTERS":
        return chapters()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
