"""Backup while tables keep playing, and restore, both verified.

A backup of any record, PostgreSQL's too, is one SQLite file that is a record itself: it can be
verified, read and audited where it lies, and restored into either kind of database.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from houseway.errors import Refused
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.event import Head
from houseway.store.log import Log
from houseway.store.security.signing import signed_within
from houseway.store.verify import Verdict, verify

if TYPE_CHECKING:
    from houseway.store.security.anchor import Anchor
    from houseway.store.security.house_keys import HouseKey


def backup(log: Log, path: Path, key: HouseKey | None = None) -> Verdict:
    """Copy a record to a new file, as it stands at one moment, and verify the copy.

    With a key it is encrypted, and no plain part of it is ever written beside the file.
    """
    if path.exists():
        raise Refused("file_exists", f"{path} exists; a backup does not overwrite")
    draft = path.with_name(path.name + ".part")
    draft.unlink(missing_ok=True)
    if key is None:
        verdict = _copy(log, draft)
    else:
        with TemporaryDirectory() as folder:
            plain = Path(folder) / "backup.db"
            verdict = _copy(log, plain)
            _encrypt(plain, draft, key)
    draft.rename(path)
    return verdict


def _copy(log: Log, draft: Path) -> Verdict:
    if isinstance(log, SQLiteLog):
        log.copy_to(draft)
    with SQLiteLog(draft) as copy:
        if not isinstance(log, SQLiteLog):
            copy.load(log.scan(), log.id, _bases(log))
            # what was appended since the copy was read is not in it
            copy.load_signatures(signed_within(log.signatures(), copy.heads()))
        verdict = verify(copy)
        copy.settle()
    return verdict


def _bases(log: Log) -> dict[str, Head]:
    """Where streams begin in a copy: where they do in the record, unless its archives are read too."""
    return log.bases() if log.archives is None else {}


#: how an encrypted backup begins, and how much of it is encrypted at a time
_HEADER, _CHUNK = b"houseway-backup/1\n", 1 << 20


def _encrypt(path: Path, to: Path, key: HouseKey) -> None:
    with path.open("rb") as plain, os.fdopen(_private(to), "wb") as sealed:
        sealed.write(_HEADER + bytes.fromhex(key.id))
        number = 0
        while True:
            data = plain.read(_CHUNK)
            part = key.encrypt(data, _about(number, last=not data))
            sealed.write(len(part).to_bytes(4, "big") + part)
            number += 1
            if not data:
                break


def _private(path: Path) -> int:
    path.unlink(missing_ok=True)
    return os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)


def _about(number: int, *, last: bool) -> bytes:
    """The place of a part, so that none is left out, moved or cut off."""
    return f"backup {number}{' last' if last else ''}".encode()


def decrypted(path: Path, folder: Path) -> Path:
    """A backup that can be opened: itself, or what it decrypts to in a folder."""
    with path.open("rb") as sealed:
        if sealed.read(len(_HEADER)) != _HEADER:
            return path
        from houseway.store.security.house_keys import all_keys

        key = all_keys().get(sealed.read(8).hex())
        if key is None:
            raise Refused(
                "no_key", f"{path} is encrypted with a key that this machine does not have"
            )
        plain = folder / "backup.db"
        number, data = 0, b"x"
        with os.fdopen(_private(plain), "wb") as out:
            while data:
                part = sealed.read(int.from_bytes(sealed.read(4), "big"))
                found = key.decrypt(part, _about(number, last=False))
                if found is None:
                    found = key.decrypt(part, _about(number, last=True))
                    if found is None or found or sealed.read(1):
                        raise Refused("damaged", f"{path} is damaged and cannot be decrypted")
                data, number = found, number + 1
                out.write(data)
    return plain


def restore(path: Path, target: Log, anchors: Iterable[Anchor] = ()) -> Verdict:
    """Fill an empty record from a backup; a backup that is broken is not restored."""
    with (
        TemporaryDirectory() as folder,
        SQLiteLog(decrypted(path, Path(folder)), readonly=True) as source,
    ):
        verdict = verify(source, anchors)
        if not verdict.unbroken:
            return verdict
        target.load(source.scan(), source.id, _bases(source))
        target.load_signatures(source.signatures())
    return verify(target)
