"""The OpenAPI description of the HTTP API, made from the types that it reads and writes."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from houseway.floor.casino import Done
from houseway.floor.deal_proof import LONGEST_NUMBER
from houseway.table import NextStep
from houseway.table.commands import COMMANDS
from houseway.web.api.views import View

#: the roles that a view can be asked for; an investigator sees what surveillance sees
VIEWS = ("public", "player", "dealer", "floorperson", "surveillance")

LONGEST_KEY = 80

#: a player's number for the next shuffle: not a command of the table, but sent like one
ADD_NUMBER = "add_number"

_HIDDEN = ("role", "who", "at", "version")
_EXAMPLES: dict[str, dict[str, Any]] = {
    "sit_down": {"command": "sit_down", "seat": 3, "player": "me", "key": "8f1c"},
    "place_wager": {
        "command": "place_wager", "seat": 3, "wager": "ante", "amount": "10.00", "version": 42,
        "key": "8f1d",
    },
    "deal": {"command": "deal", "role": "dealer", "cards": ["As"], "version": 57, "key": "shoe-12"},
}  # fmt: skip


class SignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    person: str
    password: str
    #: of an authenticator, for staff
    code: str = ""


class Token(msgspec.Struct, frozen=True):
    """What a program sends as `Authorization: Bearer …`."""

    token: str
    person: str
    roles: tuple[str, ...]


class TableLine(msgspec.Struct, frozen=True):
    """A table in a list."""

    table: str
    chapter: str
    game: str
    phase: str
    round: int
    seats: int
    free: int
    version: int


class Tables(msgspec.Struct, frozen=True):
    tables: list[TableLine]


class ViewOut(msgspec.Struct, frozen=True):
    """A table as a role sees it; `version` goes into the next command."""

    table: str
    version: int
    role: str
    view: View
    #: the chips in the player's rack
    chips: str | None = None
    #: the sealed order of the cards in play, and of the next shuffle, to which players add numbers;
    #: nothing where real cards are dealt
    commitment: str | None = None
    next_commitment: str | None = None


class Steps(msgspec.Struct, frozen=True):
    version: int
    next: tuple[NextStep, ...]


class Said(msgspec.Struct, frozen=True):
    """A refusal."""

    code: str
    message: str
    clause: str = ""
    seat: int = 0
    field: str = ""
    problems: list[dict[str, str | int]] = []


class ErrorOut(msgspec.Struct, frozen=True):
    error: Said


def described(base: str) -> dict[str, Any]:
    """The whole description."""
    # the address is as the sender names it, so it is no key of a cache
    return {**_described(), "servers": [{"url": base}]}


@cache
def _described() -> dict[str, Any]:
    types = (SignIn, Token, Tables, ViewOut, Steps, Done, ErrorOut)
    _, components = msgspec.json.schema_components(
        types, ref_template="#/components/schemas/{name}"
    )
    schemas: dict[str, Any] = {**components}
    for name in ("ViewOut", "View", "PublicView", "BoxView", "LineView"):
        schemas[name]["required"] = sorted(schemas[name]["properties"])  # always there, or null
    for name in COMMANDS:
        schemas[f"command.{name}"] = _command(name)
    schemas[f"command.{ADD_NUMBER}"] = {
        "title": "AddNumber", "type": "object", "required": ["command", "number"],
        "description": "Add your own number, or any short text, to the table's next shuffle.",
        "properties": {
            "command": {"enum": [ADD_NUMBER]},
            "number": {"type": "string", "minLength": 1, "maxLength": LONGEST_NUMBER},
            **_SENT,
        },
    }  # fmt: skip
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Houseway",
            "version": "1",
            "description": "Tables as JSON, the commands of `houseway drive`, and one event stream.",
        },
        "servers": [],
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "responses": {
                str(status): _json(says, _ref(ErrorOut)) for status, says in _SAYS.items()
            },
            "parameters": {
                "table": {"name": "table", "in": "path", "required": True, "schema": {"type": "string"}},
                "role": {
                    "name": "role", "in": "query", "required": False,
                    "schema": {
                        "type": "string",
                        "enum": ["", *VIEWS],
                    },
                },
            },
        },
        "paths": _paths(),
    }  # fmt: skip


#: the fields that every command has in addition to its own
_SENT: dict[str, Any] = {
    "role": {"type": "string"},
    "version": {"type": ["integer", "null"]},
    "key": {"type": "string", "maxLength": LONGEST_KEY},
}


def _command(name: str) -> dict[str, Any]:
    kind = COMMANDS[name]
    (_,), parts = msgspec.json.schema_components((kind,), ref_template="#/{name}")
    found = dict(parts[kind.__name__])
    found["properties"] = {
        **{k: v for k, v in found["properties"].items() if k not in _HIDDEN},
        **_SENT,
    }
    # the person who sits down or takes the table over is the sender
    filled = (*_HIDDEN, "player" if name == "sit_down" else "", "dealer")
    found["required"] = [one for one in found.get("required", []) if one not in filled]
    found["required"] = sorted({*found["required"], "command"})
    return found


def _json(says: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": says, "content": {"application/json": {"schema": schema}}}


def _ref(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


#: what a refusal's status means
_SAYS = {
    400: "Not JSON, or not a request at all",
    401: "Not signed in, or a wrong name or password",
    403: "Not your role, your seat or your part; or a page's POST without its token",
    404: "No such table",
    405: "Not a method of this address",
    409: "The table has moved on since the version that you saw",
    422: "Understood, but not allowed: the rules forbid it, or a field is invalid",
    429: "Too many attempts to sign in, or too many streams open in one name",
    503: "The record cannot be reached just now; send it again with the same key",
}


def _refusals(*statuses: int) -> dict[str, Any]:
    return {str(status): {"$ref": f"#/components/responses/{status}"} for status in statuses}


_TABLE = {"$ref": "#/components/parameters/table"}
_ROLE = {"$ref": "#/components/parameters/role"}


def _body(schema: dict[str, Any], **examples: Any) -> dict[str, Any]:
    told: dict[str, Any] = {"schema": schema}
    if examples:
        told["examples"] = {name: {"value": value} for name, value in examples.items()}
    return {"required": True, "content": {"application/json": told}}


def _get(id: str, says: str, answer: dict[str, Any], *refusals: int) -> dict[str, Any]:
    responses = {"200": answer, **_refusals(*refusals)}
    return {"operationId": id, "summary": says, "responses": responses, "security": [{}, _TOKEN]}


_TOKEN: dict[str, list[str]] = {"token": []}


def _paths() -> dict[str, Any]:
    names = {name: f"#/components/schemas/command.{name}" for name in (*COMMANDS, ADD_NUMBER)}
    commands = {
        "oneOf": [{"$ref": place} for place in names.values()],
        "discriminator": {"propertyName": "command", "mapping": names},
    }
    stream = {
        "description": "Messages `event: view`, each with a view as its data and its version as id",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
    table = "/api/tables/{table}"
    return {
        "/api/session": {
            "post": {
                "operationId": "signIn",
                "summary": "A token for a name and a password",
                "requestBody": _body(
                    _ref(SignIn), signIn={"person": "rosa", "password": "correct horse battery"}
                ),
                "responses": {"200": _json("A token", _ref(Token)), **_refusals(401, 403, 422, 429)},
            }
        },
        "/api/tables": {
            "get": _get("tables", "Every table", _json("The tables", _ref(Tables))),
        },
        table: {
            "parameters": [_TABLE, _ROLE],
            "get": _get(
                "view", "A table as one of your roles sees it", _json("A view", _ref(ViewOut)),
                403, 404, 422,
            ),
        },
        f"{table}/next": {
            "parameters": [_TABLE],
            "get": _get(
                "next", "What is to be done now, by whom, with its clause",
                _json("Steps", _ref(Steps)), 404,
            ),
        },
        f"{table}/stream": {
            "parameters": [_TABLE, _ROLE],
            "get": _get(
                "follow", "Views as they change, as server-sent events; resumes by Last-Event-ID",
                stream, 403, 404, 422, 429,
            ),
        },
        f"{table}/commands": {
            "parameters": [_TABLE],
            "post": {
                "operationId": "send",
                "summary": "A command: decided, on disk, then acknowledged; once for each key",
                "security": [_TOKEN],
                "requestBody": _body(commands, **_EXAMPLES),
                "responses": {
                    "200": _json("Done", _ref(Done)), **_refusals(401, 403, 404, 409, 422, 503),
                },
            },
        },
    }  # fmt: skip
