"""Archives: the events of closed days in files of their own, from which they can be read and proved.

An archive is a SQLite file with the tables of a record, densely packed. It has, for each stream that
moved, the events from where the archive before it ended; `meta` holds a manifest with where each
stream begins and ends, signed where the house has keys. So the chain runs from one file to the next
and on into the record.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import msgspec

from houseway.errors import Refused
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.event import EMPTY, Event, Head, canonical
from houseway.store.log import Log
from houseway.store.verify import Fault, verify

FORMAT = "houseway-archive/1"
SUFFIX = ".archive.db"


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an archive has: each stream from the event after `begins` up to `ends`."""

    format: str
    record: str
    day: str
    made: str
    events: int
    begins: dict[str, tuple[int, str]]
    ends: dict[str, tuple[int, str]]
    key: str = ""
    signature: str = ""

    @property
    def signed(self) -> bytes:
        """The bytes that the signature covers: the manifest without it, in canonical JSON."""
        content: dict[str, Any] = msgspec.to_builtins(self)
        del content["signature"]
        return canonical(content).encode()


def archive_path(folder: Path, day: str) -> Path:
    return folder / f"{day}{SUFFIX}"


def write_archive(
    log: Log, path: Path, day: str, made: str, parts: Mapping[str, tuple[Head, Head]]
) -> Manifest:
    """Write the events of each stream between two heads to a new file, and verify it."""
    manifest = Manifest(
        FORMAT, log.id, day, made, sum(end.version - begin.version for begin, end in parts.values()),
        {name: (begin.version, begin.hash.hex()) for name, (begin, _) in parts.items()},
        {name: (end.version, end.hash.hex()) for name, (_, end) in parts.items()},
    )  # fmt: skip
    if path.exists():
        with SQLiteLog(path, readonly=True) as there:
            found = manifest_of(there)
        if found is None or (found.record, found.begins, found.ends) != (
            manifest.record, manifest.begins, manifest.ends,
        ):  # fmt: skip
            raise Refused("file_exists", f"{path} exists; an archive is not overwritten")
        return found  # written before, and not put on record: the program was ended in between
    if log.keys is not None:
        key = log.keys.active
        manifest = msgspec.structs.replace(manifest, key=key.public)
        signature = key.sign(manifest.signed).hex()
        manifest = msgspec.structs.replace(manifest, signature=signature)
    draft = path.with_name(path.name + ".part")
    draft.unlink(missing_ok=True)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise Refused("cannot_write", f"{path.parent}: {error.strerror}") from None
    events = (
        event
        for name, (begin, end) in sorted(parts.items())
        for event in log.read(name, begin.version, end.version)
    )
    begins = {name: begin for name, (begin, _) in parts.items() if begin.version}
    with SQLiteLog(draft) as copy:
        copy.load(events, log.id, begins, manifest=msgspec.json.encode(manifest).decode())
        faults = list(_faults(copy, manifest))
        faults += verify(copy).faults
        copy.settle()
    # no files beside it: it is read where nothing can be written
    with contextlib.closing(sqlite3.connect(draft)) as file:
        file.execute("pragma journal_mode = delete")
    if faults:
        draft.unlink()
        raise Refused("damaged", f"the archive of {day} would not hold: {faults[0].says}")
    draft.rename(path)
    return manifest


def manifest_of(log: Log) -> Manifest | None:
    """The manifest of a record that is an archive."""
    try:
        return msgspec.json.decode(log.manifest, type=Manifest) if log.manifest else None
    except ValueError as error:
        raise Refused("not_an_archive", f"this is not an archive: {error}") from None


def _faults(log: SQLiteLog, manifest: Manifest) -> Iterator[Fault]:
    """Where an archive is not what its manifest says."""
    begins = {name: (at.version, at.hash.hex()) for name, at in log.bases().items()}
    ends = {name: (at.version, at.hash.hex()) for name, at in log.heads().items()}
    for name in sorted({*ends, *manifest.ends, *begins}):
        if ends.get(name) != manifest.ends.get(name):
            yield Fault("cut_off", "it does not end where the manifest says", name)
        elif begins.get(name, (0, EMPTY.hash.hex())) != manifest.begins.get(name):
            yield Fault("rewritten", "it does not begin where the manifest says", name)


def archive_faults(log: Log, manifest: Manifest) -> Iterator[Fault]:
    """What is wrong with an archive beside its chain: its manifest, and the signature of that."""
    assert isinstance(log, SQLiteLog)
    if manifest.record != log.id:
        yield Fault("another_record", "the manifest is of another record")
    if manifest.key:
        from houseway.store.security.house_keys import signed_by

        try:
            good = signed_by(manifest.key, bytes.fromhex(manifest.signature), manifest.signed)
        except ValueError:
            good = False
        if not good:
            yield Fault("not_signed", "the signature of the manifest does not hold")
        elif log.keys is not None and manifest.key not in log.keys.public:
            yield Fault("not_signed", "the manifest was signed by somebody else, not by this house")
    yield from _faults(log, manifest)


class Archives:
    """The archives of a record in a folder, by day."""

    def __init__(self, folder: Path, record: str) -> None:
        self.folder = folder
        self._record = record
        self._opened: dict[Path, SQLiteLog] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def days(self) -> list[str]:
        return [path.name.removesuffix(SUFFIX) for path in self._paths()]

    def _paths(self) -> list[Path]:
        return sorted(self.folder.glob(f"*{SUFFIX}"))

    def logs(self) -> Iterator[SQLiteLog]:
        """Every archive of this record, the oldest first."""
        for path in self._paths():
            if path not in self._opened:
                self._opened[path] = SQLiteLog(path, readonly=True)
            if self._opened[path].id == self._record:
                yield self._opened[path]

    def read(self, stream: str, after: int, upto: int) -> Iterator[Event]:
        """Events of a stream, from as many files as it takes."""
        for log in self.logs():
            ends = log.head(stream).version
            begins = log.bases([stream]).get(stream, EMPTY).version
            if ends <= after or after >= upto:
                continue
            if begins > after:
                break
            yield from log.read(stream, after, min(upto, ends))
            after = min(upto, ends)
        if after < upto:
            raise Refused(
                "archive_missing",
                f"events {after + 1:,} to {upto:,} of {stream} are in an archive that is not in"
                f" {self.folder}",
            )

    def faults(self) -> Iterator[Fault]:
        """What is wrong with the archives, each by itself."""
        for log in self.logs():
            manifest = manifest_of(log)
            day = manifest.day if manifest else ""
            if manifest is None:
                yield Fault("not_an_archive", f"a file in {self.folder} has no manifest")
                continue
            for fault in (*verify(log).faults, *archive_faults(log, manifest)):
                yield msgspec.structs.replace(fault, says=f"archive of {day}: {fault.says}")

    def close(self) -> None:
        for log in self._opened.values():
            with contextlib.suppress(Refused):
                log.close()
        self._opened.clear()
