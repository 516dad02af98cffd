"""The OpenAPI description of the interface for programs, made from the types that it reads."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from houseway.floor.casino import Done
from houseway.table.commands import COMMANDS
from houseway.table.views import DealerView, FloorView, PublicView, SeatView, SurveillanceView

_HIDDEN = ("role", "who", "at", "version")
_EXAMPLES: dict[str, dict[str, Any]] = {
    "sit_down": {"command": "sit_down", "seat": 3, "player": "me", "key": "8f1c"},
    "place_wager": {
        "command": "place_wager", "seat": 3, "wager": "ante", "amount": "10.00", "version": 42,
        "key": "8f1d",
    },
    "deal": {"command": "deal", "role": "dealer", "cards": ["As"], "version": 57, "key": "shoe-12"},
}  # fmt: skip


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """Beside every command's own fields."""

    #: the command, as `houseway drive` has it
    command: str
    #: one of your roles; the player's where you are one
    role: str = ""
    #: the version of the table that you saw
    version: int | None = None
    #: of your own making; the same key again is the same command, done once
    key: str = ""


class Said(msgspec.Struct, frozen=True):
    """A refusal."""

    code: str
    message: str
    clause: str = ""
    seat: int = 0
    field: str = ""


class ErrorOut(msgspec.Struct, frozen=True):
    error: Said


@cache
def described(base: str) -> dict[str, Any]:
    """The whole description."""
    views = (PublicView, SeatView, DealerView, FloorView, SurveillanceView, Done, ErrorOut)
    _, components = msgspec.json.schema_components(
        views, ref_template="#/components/schemas/{name}"
    )
    schemas: dict[str, Any] = {**components}
    for name in COMMANDS:
        schemas[f"command.{name}"] = _command(name)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Houseway",
            "version": "1",
            "description": "Tables as JSON, the commands of `houseway drive`, and one event stream.",
        },
        "servers": [{"url": base}],
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "responses": {"refused": _json("A refusal", "ErrorOut")},
            "parameters": {
                "table": {"name": "table", "in": "path", "required": True, "schema": {"type": "string"}},
                "role": {
                    "name": "role", "in": "query", "required": False,
                    "schema": {
                        "type": "string",
                        "enum": ["public", "player", "dealer", "floorperson", "surveillance"],
                    },
                },
            },
        },
        "paths": _paths(),
    }  # fmt: skip


def _command(name: str) -> dict[str, Any]:
    kind = COMMANDS[name]
    (_,), parts = msgspec.json.schema_components((kind,), ref_template="#/{name}")
    found = dict(parts[kind.__name__])
    found["properties"] = {
        **{k: v for k, v in found["properties"].items() if k not in _HIDDEN},
        "role": {"type": "string"},
        "version": {"type": ["integer", "null"]},
        "key": {"type": "string", "maxLength": 80},
    }
    found["required"] = [one for one in found.get("required", []) if one not in _HIDDEN]
    found["required"] = sorted({*found["required"], "command"})
    return found


def _json(says: str, name: str) -> dict[str, Any]:
    return {
        "description": says,
        "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}},
    }


_REFUSED = {"$ref": "#/components/responses/refused"}
_TABLE = {"$ref": "#/components/parameters/table"}
_ROLE = {"$ref": "#/components/parameters/role"}


def _object(says: str, **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": sorted(properties)}
    return {"description": says, "content": {"application/json": {"schema": schema}}}


def _paths() -> dict[str, Any]:
    text, number = {"type": "string"}, {"type": "integer"}
    commands = {
        "oneOf": [{"$ref": f"#/components/schemas/command.{name}"} for name in COMMANDS],
        "discriminator": {
            "propertyName": "command",
            "mapping": {name: f"#/components/schemas/command.{name}" for name in COMMANDS},
        },
    }
    return {
        "/api/session": {
            "post": {
                "operationId": "signIn",
                "summary": "A token for a name and a password",
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "properties": {"person": text, "password": text},
                                "required": ["person", "password"],
                                "additionalProperties": False,
                            }
                        }
                    },
                },
                "responses": {
                    "200": _object(
                        "A token", token=text, person=text, roles={"type": "array", "items": text}
                    ),
                    "default": _REFUSED,
                },
            }
        },
        "/api/tables": {
            "get": {
                "operationId": "tables",
                "summary": "Every table",
                "responses": {
                    "200": _object(
                        "The tables", tables={"type": "array", "items": {"type": "object"}}
                    ),
                    "default": _REFUSED,
                },
            }
        },
        "/api/tables/{table}": {
            "parameters": [_TABLE, _ROLE],
            "get": {
                "operationId": "view",
                "summary": "A table as one of your roles sees it",
                "responses": {
                    "200": _object(
                        "A view", table=text, version=number, role=text, view={"type": "object"}
                    ),
                    "default": _REFUSED,
                },
            },
        },
        "/api/tables/{table}/next": {
            "parameters": [_TABLE],
            "get": {
                "operationId": "next",
                "summary": "What is to be done now, by whom, with its clause",
                "responses": {
                    "200": _object(
                        "Steps", version=number, next={"type": "array", "items": {"type": "object"}}
                    ),
                    "default": _REFUSED,
                },
            },
        },
        "/api/tables/{table}/stream": {
            "parameters": [_TABLE, _ROLE],
            "get": {
                "operationId": "follow",
                "summary": "Views as they change, as server-sent events; resumes by Last-Event-ID",
                "responses": {
                    "200": {
                        "description": "event: view",
                        "content": {"text/event-stream": {"schema": text}},
                    },
                    "default": _REFUSED,
                },
            },
        },
        "/api/tables/{table}/commands": {
            "parameters": [_TABLE],
            "post": {
                "operationId": "send",
                "summary": "A command: decided, on disk, then acknowledged; once for each key",
                "security": [{"token": []}],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": commands,
                            "examples": {k: {"value": v} for k, v in _EXAMPLES.items()},
                        }
                    },
                },
                "responses": {"200": _json("Done", "Done"), "default": _REFUSED},
            },
        },
    }
