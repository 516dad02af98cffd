"""The public surface as plain data: schemas, commands with their options, HTTP routes, Python names.

A schema becomes one entry for each place in it, such as `place_wager.amount`: its types, its values
where it has an enumeration, whether it must be given. Prose and the names of classes are left out.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args, get_origin

#: a place in a schema: what is said of it
Places = dict[str, dict[str, Any]]

_LIMITS = (
    "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "minLength", "maxLength", "minItems", "maxItems",
)  # fmt: skip


def places_of(schema: Mapping[str, Any], root: Mapping[str, Any] | None = None) -> Places:
    """A JSON Schema as its places."""
    found: Places = {}
    _walk(schema, schema if root is None else root, "", found, ())
    return {
        path: {key: sorted(x, key=str) if isinstance(x, set) else x for key, x in facts.items()}
        for path, facts in sorted(found.items())
    }


def _walk(
    schema: Any, root: Mapping[str, Any], path: str, found: Places, above: tuple[str, ...]
) -> None:
    facts = found.setdefault(path, {"types": set()})
    if not isinstance(schema, Mapping):
        return
    if "$ref" in schema:
        name = schema["$ref"]
        if name in above:
            facts["types"].add("as above")
            return
        target: Any = root
        for part in name.removeprefix("#/").split("/"):
            target = target[part]
        _walk(target, root, path, found, (*above, name))
        return
    for key in ("anyOf", "oneOf", "allOf"):
        for variant in schema.get(key, ()):
            tag = _tag(variant, root)
            _walk(variant, root, f"{path}.{tag}".strip(".") if tag else path, found, above)
    kinds = schema.get("type", ())
    facts["types"] |= {kinds} if isinstance(kinds, str) else set(kinds)
    values = [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else ())]
    if values:
        facts["values"] = facts.get("values", set()) | set(values)
    facts |= {key: schema[key] for key in _LIMITS if key in schema}
    if schema.get("additionalProperties") is False:
        facts["closed"] = True
    needed = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        place = f"{path}.{name}".strip(".")
        is_new = place not in found
        _walk(field, root, place, found, above)
        # of several shapes in one place a field is required if all that have it say so
        found[place]["required"] = name in needed and (is_new or found[place]["required"])
        if "default" in field:
            found[place]["default"] = field["default"]
    if isinstance(schema.get("additionalProperties"), Mapping):
        _walk(schema["additionalProperties"], root, f"{path}{{}}", found, above)
    if isinstance(schema.get("items"), Mapping):
        _walk(schema["items"], root, f"{path}[]", found, above)
    for number, item in enumerate(schema.get("prefixItems", ())):
        _walk(item, root, f"{path}[{number}]", found, above)


def _tag(schema: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    """What a struct of a union is known by: the one value of its tag."""
    target: Any = schema
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
    for name in ("command", "event", "kind", "type"):
        values = target.get("properties", {}).get(name, {}).get("enum", ())
        if len(values) == 1:
            return str(values[0])
    return ""


def narrowed(then: Places, now: Places, where: str, *, read: bool) -> Iterator[str]:
    """What a schema no longer has; `read` is for one that the program reads as well.

    What is read may ask for nothing more and must take all that it took. What is written must have
    all that it had, in the types that it had.
    """
    for path, old in then.items():
        place = f"{where}: {path or 'the whole'}"
        if path not in now:
            yield f"{place} is gone"
            continue
        new = now[path]
        gone = set(old["types"]) - set(new["types"])
        more = set(new["types"]) - set(old["types"])
        if gone or (more and not read):
            yield f"{place}: its types were {old['types']}, now {new['types']}"
        if (
            "values" in old
            and "values" in new
            and (less := set(old["values"]) - set(new["values"]))
        ):
            yield f"{place}: {', '.join(map(str, sorted(less, key=str)))} is no longer a value of it"
        if read and "values" in new and "values" not in old:
            yield f"{place} had any value, now only {new['values']}"
        if read and new.get("required") and not old.get("required"):
            yield f"{place} is newly required"
        if not read and old.get("required") and not new.get("required"):
            yield f"{place} was always there, now it may be left out"
        if read and new.get("closed") and not old.get("closed"):
            yield f"{place} takes no other fields any more"
        if "default" in old and old["default"] != new.get("default"):
            yield f"{place}: its default was {old['default']!r}, now {new.get('default')!r}"
        for limit in _LIMITS:
            if read and new.get(limit) != old.get(limit):
                yield f"{place}: {limit} was {old.get(limit)}, now {new.get(limit)}"
    if read:
        for path, new in now.items():
            if path in then or not new.get("required"):
                continue
            parent = path.rpartition(".")[0]
            if parent in then:
                yield f"{where}: {path} is newly required"


# the command line


def options_of(app: Any, words: tuple[str, ...] = ()) -> dict[str, dict[str, dict[str, Any]]]:
    """Every command with its arguments and options, by the name that is typed."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for name in app:
        if name.startswith("-"):
            continue
        command = app[name]
        inner = [one for one in command if not one.startswith("-")]
        if inner:
            found |= options_of(command, (*words, name))
        if command.default_command is not None:
            found[" ".join((*words, name))] = dict(_options(command))
    return found


def _options(command: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for one in command.assemble_argument_collection():
        if not one.parse or one.name == "*":
            continue
        told = {"type": _type(one.hint), "required": one.required}
        if choices := _choices(one.hint):
            told["choices"] = choices
        if one.index is not None:
            told["position"] = one.index
        for number, name in enumerate((*one.names, *one.negatives)):
            # of several names for one option only the first is needed
            yield name, {**told, "required": one.required and not number}


def _type(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return "choice"
    if get_args(hint):
        inner = [_type(one) for one in get_args(hint) if one is not type(None)]
        outer = getattr(get_origin(hint), "__name__", "")
        return f"{outer}[{', '.join(inner)}]" if outer in ("list", "tuple") else " | ".join(inner)
    return getattr(hint, "__name__", str(hint))


def _choices(hint: Any) -> list[str]:
    if get_origin(hint) is Literal:
        return sorted(map(str, get_args(hint)))
    return sorted(value for one in get_args(hint) for value in _choices(one))


def _by_what_is_typed(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options by name, and arguments by position: nobody types the CHAPTER of the help."""
    return {
        str(told["position"]) if name.isupper() and "position" in told else name: told
        for name, told in options.items()
    }


def fewer_options(then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """What can no longer be typed."""
    for command, listed in then.items():
        if command not in now:
            yield f"houseway {command} is gone"
            continue
        options, current = _by_what_is_typed(listed), _by_what_is_typed(now[command])
        for name, old in options.items():
            place = f"houseway {command} {name}"
            if name not in current:
                yield f"{place} is gone"
                continue
            new = current[name]
            if old["type"] != new["type"] or old.get("position") != new.get("position"):
                yield f"{place} was {old}, now {new}"
            if less := set(old.get("choices", ())) - set(new.get("choices", ())):
                yield f"{place} no longer takes {', '.join(sorted(less))}"
        for name, new in current.items():
            if new["required"] and not options.get(name, {}).get("required"):
                yield f"houseway {command} {name} is newly required"


# Python


def names_of(module: Any) -> dict[str, dict[str, str]]:
    """The names of a module: what each function takes, and what each class has."""
    found: dict[str, dict[str, str]] = {}
    for name in module.__all__:
        value = getattr(module, name)
        found[name] = {}
        if isinstance(value, type):
            has = set(dir(value)).union(*map(dir, _examples(module, value)))
            found[name] = {one: "has" for one in sorted(has) if not one.startswith("_")}
        elif callable(value):
            for one in inspect.signature(value).parameters.values():
                needed = one.default is one.empty and one.kind not in (
                    one.VAR_POSITIONAL, one.VAR_KEYWORD,
                )  # fmt: skip
                found[name][one.name] = "required" if needed else "optional"
    return found


def _examples(module: Any, kind: type) -> Iterator[Any]:
    """Seats of every game, which have fields of their own besides those of the class."""
    if kind is not module.Seat:
        return
    for chapter, seat in (
        ("md-three-card-poker", {"hands": [{"hand": 1}]}),
        ("ma-three-card-poker", {"coupon": "5.00"}),
        ("pa-three-card-prime", {"fourth": "2c"}),
        ("pa-saigon-5-card", {"three": "2c 3c 4c"}),
        ("pa-down-under-blackjack", {"hands": [{"cards": "2c 3c"}]}),
    ):
        yield module.deal(module.choose(chapter), dealer="", seats={1: seat}).seats[0]


def fewer_names(then: Mapping[str, Any], now: Mapping[str, Any], where: str) -> Iterator[str]:
    for name, parameters in then.items():
        if name not in now:
            yield f"{where}.{name} is gone"
            continue
        for one in parameters:
            if one not in now[name]:
                yield f"{where}.{name} no longer {'has' if parameters[one] == 'has' else 'takes'} {one}"
        for one, kind in now[name].items():
            if kind == "required" and parameters.get(one) != "required":
                yield f"{where}.{name} newly requires {one}"
