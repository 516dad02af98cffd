"""Reading what comes from outside: JSON, JSON Lines and TOML, with limits kept while reading.

Every reader of outside data goes through here. A text that is too long, nested too deeply, not
UTF-8 or not JSON is refused in one sentence; so is an object that has a name twice, since two
readers may differ about which of the two counts.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from houseway.errors import Refused, file_problem

T = TypeVar("T")

#: bytes of one JSON line or of one file, and how deeply values may be nested
LONGEST, DEEPEST = 1 << 20, 64
#: bytes that are read past in search of the next line: a device that never ends is not a file
ENDLESS = 1 << 28
#: as how many of them a blank line counts, since it takes as long to read
_BLANK = 256

_TOKENS = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{DEEPEST},}}", re.ASCII)
_decode, _encode = msgspec.json.Decoder().decode, msgspec.json.Encoder().encode


def check_json(data: bytes, code: str, longest: int = LONGEST) -> None:
    """Refuse JSON that is not text, not JSON, too long, too deep, or has a name twice."""
    if len(data) > longest:
        raise too_long(code, longest)
    try:
        if data.count(b"[") + data.count(b"{") > DEEPEST and _depth(data) > DEEPEST:
            raise _too_deep(code)
        whole = _decode(data)
    except UnicodeDecodeError:
        raise Refused(code, "not valid UTF-8 text") from None
    except msgspec.ValidationError as error:
        raise Refused(code, f"not valid JSON: {str(error).partition(' - at')[0].lower()}") from None
    except ValueError as error:
        # malformed, or a number with more digits than Python converts
        raise Refused(code, f"not valid JSON: {_malformed(str(error), data)}") from None
    if not _names_once(data, whole):
        json.loads(data, parse_int=str, object_pairs_hook=lambda pairs: _once(pairs, code))


def whole_number(text: str, most: int = 10**9) -> int | None:
    """A number written in digits; None if the text is not a number, or is more than `most`."""
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most))):
        return None
    number = int(text)
    return number if number <= most else None


def _names_once(data: bytes, found: Any) -> bool:
    """Whether it is certain that no object in a text has a name twice.

    Decoding keeps the last of two equal names, so the text has more colons than what was kept. An
    escape could hide a colon; then nothing is certain.
    """
    return b"\\" not in data and data.count(b":") == _encode(found).count(b":")


def _once(pairs: list[tuple[str, Any]], code: str) -> None:
    seen = set()
    for name, _ in pairs:
        if name in seen:
            raise Refused(code, f"the name `{name}` appears twice in one object", field=name)
        seen.add(name)


def _depth(data: bytes) -> int:
    depth = deepest = 0
    for token in _TOKENS.finditer(data):
        byte = token[0][:1]
        if byte in b"[{":
            depth += 1
            if depth > deepest:
                deepest = depth
                if deepest > DEEPEST:
                    break
        elif byte in b"]}":
            depth -= 1
    return deepest


def _malformed(text: str, data: bytes) -> str:
    if "truncated" in text:
        return "it ends too early"

    def place(found: re.Match[str]) -> str:
        before = data[: int(found[1])]
        line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
        return f"at line {line} column {column}"

    return re.sub(r"\(byte (\d+)\)", place, text.removeprefix("JSON is malformed: "))


def too_long(code: str, longest: int = LONGEST) -> Refused:
    size = f"{longest >> 20} MiB" if longest >= 1 << 20 else f"{longest >> 10} KiB"
    return Refused(code, f"too long: at most {size} are read")


def decode_json(
    data: bytes | str,
    decode: Callable[[bytes], T],
    code: str,
    refuse: Callable[[msgspec.ValidationError, bytes], Refused],
    longest: int = LONGEST,
    *,
    rewritable: bool = False,
) -> T:
    """JSON from outside as `decode` makes it; `refuse` puts a value of a wrong type in words.

    If what `decode` makes is `rewritable`, a text without faults is read only once.
    """
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    if rewritable and len(data) <= longest:
        try:
            found = decode(data)
        except (ValueError, RecursionError):
            pass  # the check says what is wrong
        else:
            if not _names_once(data, found):
                check_json(data, code, longest)
            return found
    check_json(data, code, longest)
    try:
        return decode(data)
    except msgspec.ValidationError as error:
        raise refuse(error, data) from None


def is_rewritable(kind: Any) -> bool:
    """Whether a value of a type is written with no name that the JSON it came from lacked.

    Its structs omit defaults, and its types bound its depth. A `msgspec.Raw` is left to the caller,
    who checks it before reading it.
    """
    return _rewritable(msgspec.inspect.type_info(kind))


def _rewritable(info: msgspec.inspect.Type) -> bool:
    match info:
        case msgspec.inspect.StructType():
            return (
                info.cls.__struct_config__.omit_defaults
                and info.cls.__struct_config__.forbid_unknown_fields
                and info.tag is None
                and all(
                    field.default_factory in (msgspec.NODEFAULT, list, dict)
                    and _rewritable(field.type)
                    for field in info.fields
                )
            )
        case msgspec.inspect.ListType():
            return _rewritable(info.item_type)
        case msgspec.inspect.DictType():
            return _rewritable(info.key_type) and _rewritable(info.value_type)
        case msgspec.inspect.UnionType():
            return all(map(_rewritable, info.types))
    plain = "StrType", "IntType", "BoolType", "NoneType", "RawType"
    return type(info).__name__ in plain


def parse_json(data: bytes | str, code: str, longest: int = LONGEST) -> Any:
    """JSON from outside as plain data."""
    return decode_json(data, _decode, code, lambda error, _: Refused(code, str(error)), longest)


def parse_toml(text: str, code: str, longest: int = LONGEST) -> dict[str, Any]:
    """TOML from outside as plain data."""
    if len(text) > longest:
        raise too_long(code, longest)
    if text.count(".") >= DEEPEST and _LONG_KEY.search(text):
        # a reader keeps every beginning of a dotted key
        raise _too_deep(code)
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        lines = text.split("\n")
        end = f"at line {len(lines)}, column {len(lines[-1]) + 1}, the end of the text"
        raise Refused(code, str(error).replace("at end of document", end)) from None
    except RecursionError:
        raise _too_deep(code) from None
    except ValueError as error:
        # a number that Python does not convert, a date that is not in the calendar
        raise Refused(code, f"not valid TOML: {_too_many_digits(str(error))}") from None
    _check_levels(found, code)
    return found


def _check_levels(value: Any, code: str) -> None:
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return
    raise _too_deep(code)


def _too_many_digits(said: str) -> str:
    return "a number has too many digits" if "digits" in said else said


def _too_deep(code: str) -> Refused:
    return Refused(code, f"nested too deeply: at most {DEEPEST} levels are read")


def read_file(path: str | Path, longest: int = LONGEST, code: str = "no_such_file") -> bytes:
    """The bytes of a file that is not longer than may be read."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(longest + 1)
    except (OSError, ValueError) as error:
        # a path with a null byte is a ValueError
        bad = (
            file_problem(path, error) if isinstance(error, OSError) else f"{path}: not a file name"
        )
        raise Refused(code, bad) from None
    if len(data) > longest:
        refusal = too_long(code, longest)
        refusal.message = f"{path}: {refusal.message}"
        raise refusal
    return data


def read_text(path: str | Path, longest: int = LONGEST, code: str = "no_such_file") -> str:
    """The text of a file, byte for byte: line ends are not translated."""
    return decoded(read_file(path, longest, code), str(path), code)


def decoded(data: bytes, name: str, code: str) -> str:
    """Bytes as the text that they are in UTF-8; a refusal names the line that is not."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Refused(
            code, f"{name}: not UTF-8 text from line {line} on", remedy="save it as UTF-8"
        ) from None


def read_toml(path: str | Path, code: str, missing: str = "no_such_file") -> dict[str, Any]:
    """The data of a TOML file; a refusal names the file."""
    text = read_text(path, code=missing)
    try:
        return parse_toml(text, code)
    except Refused as refusal:
        refusal.message = f"{path}: {refusal.message}"
        raise


def lines_of(source: Any, start: int = 1, longest: int = LONGEST) -> Iterator[tuple[int, bytes]]:
    """The lines of a binary file with their numbers; blank ones are left out.

    Of a line that is too long only the beginning is kept, one byte too many, so that it is refused
    where it is read and the lines after it are answered. An input that goes on and on without a
    line to answer is refused.
    """
    number, skipped = start, 0
    while line := source.readline(longest + 1):
        rest = line
        while len(rest) > longest and not rest.endswith(b"\n"):
            skipped = _skipped(skipped + len(rest), number)
            rest = source.readline(longest + 1)
        if line.strip():
            yield number, line
            skipped = 0
        else:
            skipped = _skipped(skipped + max(len(line), _BLANK), number)
        number += 1


def _skipped(size: int, line: int) -> int:
    if size > ENDLESS:
        what = f"{ENDLESS >> 20} MiB without a line that could be read"
        raise Refused("endless", f"line {line}: {what}; nothing after them is read")
    return size
