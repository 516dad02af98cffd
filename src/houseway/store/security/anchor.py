"""Anchors: where every stream stood at a moment, signed, to be kept away from the record.

Anybody who can write to the database can cut off the end of a stream, restore an old copy of the
whole file, or rewrite a stream with all its hashes. The chain alone cannot reveal that; an anchor
that was kept elsewhere can. It is a JSON file signed with Ed25519 over its canonical form.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from houseway.errors import Refused
from houseway.store.event import canonical
from houseway.store.log import Log
from houseway.store.security.saved_tail import otherwise
from houseway.store.verify import Fault
from houseway.untrusted import check_json, read_file

FORMAT = "houseway-anchor/1"
#: bytes of an anchor that are read: a line for each stream of a large house
_LARGEST = 1 << 28


class Anchor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The heads of all streams: `{"table/1": [57, "<hash>"]}`. Hashes and keys are hexadecimal."""

    format: str
    record: str
    made: str
    heads: dict[str, tuple[int, str]]
    key: str
    signature: str

    @property
    def signed(self) -> bytes:
        """The bytes that the signature covers: the anchor without it, in canonical JSON."""
        content: dict[str, Any] = msgspec.to_builtins(self)
        del content["signature"]
        return canonical(content).encode()

    def faults(self, log: Log) -> Iterator[Fault]:
        """Every place where the record is not the one that was anchored, or not its continuation."""
        if log.id != self.record:
            yield Fault("another_record", f"the anchor of {self.made} is of another record")
            return
        heads = log.heads()
        bases = log.bases() if log.archives is None else {}
        for stream, (version, hash) in sorted(self.heads.items()):
            if stream in bases and version < bases[stream].version:
                continue  # it was archived, and the archives are not here
            who = f"the anchor of {self.made}"
            yield from otherwise(log, heads, stream, version, hash, who)


def make_anchor(log: Log, key: Ed25519PrivateKey, made: str) -> Anchor:
    """Sign where all streams stand now."""
    heads = {name: (head.version, head.hash.hex()) for name, head in log.heads().items()}
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    unsigned = Anchor(FORMAT, log.id, made, heads, public.hex(), "")
    return msgspec.structs.replace(unsigned, signature=key.sign(unsigned.signed).hex())


def read_anchor(path: Path, trusted: Ed25519PublicKey | None = None) -> Anchor:
    """An anchor whose signature is valid, by the given key or else by the key it names."""
    try:
        data = read_file(path, _LARGEST)
        check_json(data, "not_an_anchor", _LARGEST)
        anchor = msgspec.json.decode(data, type=Anchor)
        named = bytes.fromhex(anchor.key)
        key = trusted or Ed25519PublicKey.from_public_bytes(named)
        signature = bytes.fromhex(anchor.signature)
    except ValueError as error:
        raise Refused("not_an_anchor", f"{path} is not an anchor: {error}") from None
    if anchor.format != FORMAT:
        raise Refused("not_an_anchor", f"{path} has the format {anchor.format!r}, not {FORMAT}")
    if key.public_bytes(Encoding.Raw, PublicFormat.Raw) != named:
        raise Refused("wrong_key", f"{path} was signed with another key than the one given")
    try:
        key.verify(signature, anchor.signed)
    except InvalidSignature:
        raise Refused("wrong_signature", f"the signature of {path} is not valid") from None
    return anchor


def new_key(path: Path) -> Ed25519PrivateKey:
    """Make a signing key, readable by its owner alone; its public half goes beside it, `.pub`."""
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secret)
        public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        path.with_name(path.name + ".pub").write_bytes(public)
    except OSError as error:
        raise Refused("cannot_write", f"{path}: {error.strerror}") from None
    return key


def read_key(path: Path) -> Ed25519PrivateKey:
    key = _pem(path, lambda content: load_pem_private_key(content, None))
    if not isinstance(key, Ed25519PrivateKey):
        raise Refused("not_a_key", f"{path} is not an Ed25519 key")
    return key


def read_public_key(path: Path) -> Ed25519PublicKey:
    key = _pem(path, load_pem_public_key)
    if not isinstance(key, Ed25519PublicKey):
        raise Refused("not_a_key", f"{path} is not an Ed25519 public key")
    return key


def _pem(path: Path, load: Any) -> Any:
    try:
        return load(read_file(path))
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise Refused("not_a_key", f"{path} is not a key in PEM form without a password") from None
