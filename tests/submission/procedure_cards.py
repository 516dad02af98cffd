"""Procedure cards to test, and what is on them."""

from __future__ import annotations

from functools import cache
from typing import Any

from drafts import furnished

from houseway.submission.file import Submission
from houseway.submission.packet.procedure_card import procedure_card
from houseway.submission.reading import Reading

Card = list[dict[str, Any]]


def read(id: str, rules: dict[str, Any]) -> Submission:
    found = Reading(furnished(id, rules)).read()
    assert found is not None
    return found


@cache
def card_of(id: str, rules: tuple[tuple[str, Any], ...]) -> tuple[Submission, Card]:
    submission = read(id, dict(rules))
    return submission, procedure_card(submission)


def steps(card: Card) -> list[dict[str, Any]]:
    return [step for part in card for step in part["steps"]]


def numbered(card: Card) -> list[str]:
    """Every step in order, by the clause that it is done by."""
    return [step["clause"] for step in steps(card)]


def cited(card: Card) -> set[str]:
    """Every clause that is on the card."""
    every = [step for part in card for step in (*part["steps"], *part["may"])]
    return {one["clause"] for step in every for one in (step, *step["also"])} - {""}
