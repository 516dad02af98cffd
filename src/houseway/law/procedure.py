"""A chapter's procedure as data: what a person does, in our own words, with its clause.

`procedure.toml` lists steps. A step's id is the command that carries it out at the live table, or
the name of a rule that the table applies itself. One id may appear several times, each with its own
`when`: Maryland closes the bets by three different clauses, one for each way of dealing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec

from houseway.law.editions.identity import NOT_DECISIVE, Words

Role = Literal["dealer", "floorperson", "player", "device", "surveillance", "system"]
#: what is not at every table and steps may belong to
Thing = Literal[
    "meter",
    "five_card",
    "community",
    "two_decks",
    "counting",
    "shuffler",
    "automated_shoe",
    "device",
]


class Also(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something that goes with a step and that only a person can take care of."""

    clause: str
    says: Words
    #: like a step's: the options under which it applies
    when: dict[str, tuple[str | int | bool, ...]] = {}
    #: options under which, all together, it does not apply
    unless: dict[str, tuple[str | int | bool, ...]] = {}
    #: on the procedure card: only where the step is about this wager
    wager: Words = ""
    #: these words stand in place of the step's own, and of what goes with it
    instead: bool = False


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One thing that somebody does."""

    id: str
    clause: str
    says: Words
    role: Role
    #: `next` leads the table on; `open` may be done now; `irregularity` answers a mistake or failure;
    #: `rule` is what the table itself applies, for its words and its clause
    kind: Literal["next", "open", "irregularity", "rule"] = "next"
    #: options and the values under which the step applies; empty: always
    when: dict[str, tuple[str | int | bool, ...]] = {}
    #: the equipment that it needs, whichever options bring that to the table
    only_with: Thing | None = None
    also: tuple[Also, ...] = ()
    #: on the procedure card: other words than at the live table, and rules to state with the step
    card_says: Words = ""
    card: Annotated[tuple[Also, ...], NOT_DECISIVE] = ()


def applies(when: Mapping[str, tuple[Any, ...]], options: Mapping[str, Any]) -> bool:
    """Whether the options chosen are among those that a step or a prompt is for."""
    return all(options.get(option) in values for option, values in when.items())


def chosen(steps: Iterable[Step], options: Mapping[str, Any]) -> dict[str, Step]:
    """The steps that these options call for, by id, in the order of the file."""
    return {step.id: _under(step, options) for step in steps if applies(step.when, options)}


def _goes_with(note: Also, options: Mapping[str, Any]) -> bool:
    barred = note.unless and applies(note.unless, options)
    return applies(note.when, options) and not barred


def _under(step: Step, options: Mapping[str, Any]) -> Step:
    """A step in the words of these options, with what goes with it under them."""
    also = tuple(note for note in step.also if _goes_with(note, options))
    card = tuple(note for note in step.card if _goes_with(note, options))
    for other in (note for note in card if note.instead):
        card = tuple(note for note in card if note is not other)
        step = msgspec.structs.replace(step, says=other.says, card_says=other.says)
        also = ()
    return msgspec.structs.replace(step, also=also, card=card)
