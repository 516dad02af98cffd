"""A chapter's procedure as data: what a person does, in our own words, with its clause.

`procedure.toml` lists steps. A step's id is the command that carries it out at the live table, or
the name of a rule that the table applies by itself. One id may stand several times, each under its
own `when`: Maryland closes the bets by three different clauses, one for each way of dealing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from houseway.law.identity import Words

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
    """What goes with a step and only a person can see to."""

    clause: str
    says: Words
    #: like a step's: the options under which it applies
    when: dict[str, tuple[str | int | bool, ...]] = {}


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One thing that somebody does."""

    id: str
    clause: str
    says: Words
    role: Role
    #: `next` leads the table on; `open` may be done now; `irregularity` answers a misfortune;
    #: `rule` is what the table itself applies, for its words and its clause
    kind: Literal["next", "open", "irregularity", "rule"] = "next"
    #: options and the values under which the step applies; empty: always
    when: dict[str, tuple[str | int | bool, ...]] = {}
    #: the thing without which nobody does it, whatever options bring it to the table
    only_with: Thing | None = None
    also: tuple[Also, ...] = ()


def applies(when: Mapping[str, tuple[Any, ...]], options: Mapping[str, Any]) -> bool:
    """Whether the options chosen are among those that a step or a prompt is for."""
    return all(options.get(option) in values for option, values in when.items())


def chosen(steps: Iterable[Step], options: Mapping[str, Any]) -> dict[str, Step]:
    """The steps that these options call for, by id, in the order of the file."""
    return {
        step.id: msgspec.structs.replace(
            step, also=tuple(also for also in step.also if applies(also.when, options))
        )
        for step in steps
        if applies(step.when, options)
    }
