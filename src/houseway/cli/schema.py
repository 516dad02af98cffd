"""`houseway schema`: the JSON Schemas of what goes in and comes out."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from houseway.cli.terminal.output import print_json
from houseway.errors import Refused, choose_from
from houseway.floor.links.history import Shown
from houseway.floor.links.list import History, Listed, Sums
from houseway.game_api.payout_check import PaidRound, history_shape
from houseway.game_api.round_json import ErrorOut, SettlementOut, shape
from houseway.law import RulesFile
from houseway.maths.answers import ReconcileOut, RemovalOut, StrategySheet
from houseway.maths.sheet import SheetOut
from houseway.simulate.results.answers import (
    DaysOut,
    FloorOut,
    SessionsOut,
    SimulationOut,
    TrialOut,
)
from houseway.simulate.scenarios.floor_file import FloorFile
from houseway.submission.file import SubmissionFile
from houseway.submission.finding import Finding
from houseway.table.commands import COMMANDS
from houseway.table.events import EVENTS

SCHEMAS: dict[str, tuple[Any, str]] = {
    "round": (shape().round, "one round, as `settle` reads it"),
    "settlement": (SettlementOut, "one settled round, as `settle` writes it"),
    "paid-round": (PaidRound, "a round with what was paid, as `audit check` reads it"),
    "hand-history": (
        history_shape(),
        "a hand history, as `audit history` writes it",
    ),
    "error": (ErrorOut, "what is written in place of a round that was refused"),
    "rules": (RulesFile, "a rules file"),
    "command": (
        reduce(or_, COMMANDS.values()),
        "a command to a live table, as `drive` reads it",
    ),
    "event": (reduce(or_, EVENTS.values()), "an event of a live table, as `drive` writes it"),
    "par": (SheetOut, "a PAR sheet, as `par` writes it"),
    "reconcile": (
        ReconcileOut,
        "published holds beside the exact ones, as `reconcile` writes them",
    ),
    "strategy": (StrategySheet, "a strategy, as `strategy` writes it"),
    "removal": (RemovalOut, "what single cards are worth, as `strategy --removal` writes it"),
    "simulation": (SimulationOut, "a run, as `simulate` writes it"),
    "sessions": (SessionsOut, "sessions of a player, as `simulate --sessions` writes them"),
    "days": (DaysOut, "a floor's days, as `simulate --days` writes them"),
    "floor": (FloorFile, "a floor file, as `simulate` reads it"),
    "floor-days": (FloorOut, "days of a floor, as `simulate FLOOR.toml` writes them"),
    "rng-test": (TrialOut, "tests of a random number generator, as `rng-test` writes it"),
    "links": (Listed, "progressive meters, as `progressive list` writes them"),
    "link": (Shown, "a link, as `progressive open`, `join` and others write it"),
    "link-history": (History, "the history of a link, as `progressive history` writes it"),
    "link-sums": (
        Sums,
        "links recomputed, as `progressive reconcile` writes them",
    ),
    "submission": (SubmissionFile, "a Rules Submission, as `check` reads it"),
    "finding": (Finding, "one finding of `check`"),
}


def schema(
    name: str | None = None, /, *, json: Annotated[bool, Parameter(negative="")] = False
) -> int:
    """Print the JSON Schema of an input or output; without a name, list them.

    Parameters
    ----------
    name
        Which schema.
    json
        The list as JSON too; a schema is always JSON.
    """
    if name is None:
        if json:
            print_json({key: line for key, (_, line) in SCHEMAS.items()})
        else:
            for key, (_, line) in SCHEMAS.items():
                print(f"{key:12} {line}")
        return 0
    if name not in SCHEMAS:
        raise Refused(
            "no_such_schema",
            f"there is no schema {name!r}",
            remedy=choose_from(name, SCHEMAS),
        )
    print_json(schema_of(name))
    return 0


def schema_of(name: str) -> dict[str, Any]:
    """The schema as a value; `rules` inside a round is the `[rules]` table of a rules file."""
    kind, line = SCHEMAS[name]
    made = msgspec.json.schema(kind)
    if name == "round":
        rules = msgspec.json.schema(RulesFile)["$defs"]["RulesFile"]["properties"]["rules"]
        made["$defs"]["RoundIn"]["properties"]["rules"] = rules
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": line, **made}
