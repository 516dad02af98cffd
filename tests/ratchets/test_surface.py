"""The public surface only grows: `surface.json` has all that others may rely on.

What is added is put there with `HOUSEWAY_WRITE=1 pytest tests/ratchets/test_surface.py`, which
refuses to write while anything is lost.
"""

from __future__ import annotations

import copy
import json
import os
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import answer, run
from served import served
from surface import fewer_names, fewer_options, names_of, narrowed, options_of, places_of

import houseway
from houseway.cli import build

KEPT = Path(__file__).parent / "surface.json"

#: schemas of what the program reads; events are read again from every record
READ = ("round", "rules", "command", "event", "floor", "submission")


def schemas() -> dict[str, Any]:
    return {
        name: places_of(json.loads(run("schema", name).stdout)) for name in sorted(answer("schema"))
    }


def http(folder: Path) -> dict[str, Any]:
    """Each operation of the interface for programs: what it takes, what it answers."""
    with (
        served(folder, pace=0) as house,
        urllib.request.urlopen(house.address + "/api/openapi.json", timeout=60) as told,
    ):
        described = json.loads(told.read())
    found: dict[str, Any] = {}
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            if method == "parameters":
                continue
            given = operation.get("requestBody", {}).get("content", {})
            takes = given.get("application/json", {}).get("schema", {})
            answers = {
                status: places_of(body["schema"], described)
                for status, reply in operation["responses"].items()
                for kind, body in reply.get("content", {}).items()
                if kind == "application/json"
            }
            parameters = [
                _resolved(one, described)["name"]
                for one in (*methods.get("parameters", ()), *operation.get("parameters", ()))
            ]
            found[f"{method.upper()} {path}"] = {
                "takes": places_of(takes, described),
                "parameters": sorted(parameters),
                "answers": answers,
            }
    return found


def _resolved(value: Any, root: Any) -> Any:
    if "$ref" not in value:
        return value
    for part in value["$ref"].removeprefix("#/").split("/"):
        root = root[part]
    return root


@pytest.fixture(scope="module")
def surface(tmp_path_factory) -> dict[str, Any]:
    """As it is now."""
    return {
        "schemas": schemas(),
        "commands": options_of(build()),
        "http": http(tmp_path_factory.mktemp("house")),
        "python": names_of(houseway),
    }


def lost(then: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """All that the surface had and has no longer."""
    for name, places in then["schemas"].items():
        if name not in now["schemas"]:
            yield f"the schema {name} is gone"
        else:
            yield from narrowed(places, now["schemas"][name], f"schema {name}", read=name in READ)
    yield from fewer_options(then["commands"], now["commands"])
    yield from fewer_names(then["python"], now["python"], "houseway")
    for route, old in then["http"].items():
        new = now["http"].get(route)
        if new is None:
            yield f"{route} is gone"
            continue
        yield from narrowed(old["takes"], new["takes"], route, read=True)
        for name in set(old["parameters"]) - set(new["parameters"]):
            yield f"{route} no longer takes {name}"
        for status, places in old["answers"].items():
            where = f"{route} {status}"
            if status not in new["answers"]:
                yield f"{where} is gone"
            else:
                yield from narrowed(places, new["answers"][status], where, read=False)


def test_nothing_is_lost(surface) -> None:
    if KEPT.exists() or not os.environ.get("HOUSEWAY_WRITE"):
        assert not list(lost(json.loads(KEPT.read_text()), surface))
    if os.environ.get("HOUSEWAY_WRITE"):
        KEPT.write_text(_text(surface))


def _text(surface: dict[str, Any]) -> str:
    """A line for each place, so that a difference can be read."""

    def lines(value: Any, depth: int) -> str:
        if not isinstance(value, dict) or depth == 0 or not value:
            return json.dumps(value, sort_keys=True)
        if not any(isinstance(one, dict) for one in value.values()):
            return json.dumps(value, sort_keys=True)
        inner = ",\n".join(
            f"{json.dumps(k)}: {lines(v, depth - 1)}" for k, v in sorted(value.items())
        )
        return f"{{\n{inner}\n}}"

    return lines(surface, 6) + "\n"


# the ratchet itself: each kind of loss is noticed and named


def change(surface: dict[str, Any], *path: str, to: Any = None) -> dict[str, Any]:
    """The surface with one thing changed, or taken away."""
    changed = copy.deepcopy(surface)
    here = changed
    for part in path[:-1]:
        here = here[part]
    if to is None:
        del here[path[-1]]
    else:
        here[path[-1]] = to
    return changed


@pytest.mark.parametrize(
    ("path", "to", "said"),
    [
        (("schemas", "round"), None, "the schema round is gone"),
        (("schemas", "command", "place_wager.amount"), None, "place_wager.amount is gone"),
        (("schemas", "command", "place_wager.hand", "required"), True, "hand is newly required"),
        (("schemas", "command", "new.field"), None, ""),
        (("schemas", "event", "wager_placed.amount", "types"), ["integer"], "its types were"),
        (("schemas", "settlement", "house", "required"), False, "may be left out"),
        (("commands", "par"), None, "houseway par is gone"),
        (("commands", "par", "--rules"), None, "houseway par --rules is gone"),
        (("commands", "par", "--rules", "required"), True, "--rules is newly required"),
        (("commands", "submissions", "WHAT", "choices"), ["list"], "no longer takes approve"),
        (("python", "settle"), None, "houseway.settle is gone"),
        (("python", "deal", "seats"), None, "houseway.deal no longer takes seats"),
        (("http", "GET /api/tables/{table}"), None, "GET /api/tables/{table} is gone"),
        (("http", "GET /api/tables/{table}", "parameters"), [], "no longer takes role"),
    ],
)  # fmt: skip
def test_a_loss_is_named(surface, path, to, said) -> None:
    if not said:
        now = change(surface, *path, to={"types": ["string"], "required": False})
        assert not list(lost(surface, now))
        return
    if path[-1] == "required":
        assert surface[path[0]][path[1]][path[2]]["required"] is not to
    told = list(lost(surface, change(surface, *path, to=to)))
    assert any(said in line for line in told), told


@pytest.mark.parametrize("schema", READ)
def test_a_value_taken_from_an_enumeration_is_named(surface, schema) -> None:
    places = surface["schemas"][schema]
    for path, facts in places.items():
        if len(facts.get("values", ())) > 1:
            less = change(surface, "schemas", schema, path, "values", to=facts["values"][1:])
            (told,) = lost(surface, less)
            assert (
                told == f"schema {schema}: {path}: {facts['values'][0]} is no longer a value of it"
            )
            return


def test_a_new_field_that_must_be_given_is_named(surface) -> None:
    new = {"types": ["string"], "required": True}
    now = change(surface, "schemas", "command", "place_wager.color", to=new)
    assert list(lost(surface, now)) == ["schema command: place_wager.color is newly required"]
    now = change(surface, "schemas", "par", "color", to=new)
    assert not list(lost(surface, now))
