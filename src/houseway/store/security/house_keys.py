"""The keys of a house, kept apart from its record.

One Ed25519 key for each record signs appends, anchors and bundles; keys for sealing snapshots and
encrypting what is not dealt yet are derived from it. `serve` makes the file on its first start,
readable by its owner alone. Whoever has the record and not this file reads every finished shoe and
no open one, and cannot add an event that passes verification.

To rotate, `houseway audit keys --rotate` makes a new file; older files stay beside it, since what
they sealed or signed until then is checked with them.
"""

from __future__ import annotations

import hmac
import secrets
from functools import cached_property

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from houseway.errors import Refused, file_problem
from houseway.store.open_log import key_files, keys_folder
from houseway.store.security.anchor import new_key, read_key
from houseway.store.security.sealed_text import RING, seal_text


class HouseKey:
    """One key: signs, seals and encrypts."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        raw = private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        self._encrypting = ChaCha20Poly1305(hmac.digest(raw, b"houseway encrypt", "sha256"))

    @property
    def private(self) -> Ed25519PrivateKey:
        return self._private

    @cached_property
    def public(self) -> str:
        """The public half, raw, hexadecimal."""
        return self._private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    @property
    def id(self) -> str:
        return self.public[:16]

    def sign(self, data: bytes) -> bytes:
        return self._private.sign(data)

    def encrypt(self, data: bytes, about: bytes) -> bytes:
        """Ciphertext that opens with this key and the same `about` only."""
        nonce = secrets.token_bytes(12)
        return nonce + self._encrypting.encrypt(nonce, data, about)

    def decrypt(self, data: bytes, about: bytes) -> bytes | None:
        try:
            return self._encrypting.decrypt(data[:12], data[12:], about)
        except (InvalidTag, ValueError):
            return None


class HouseKeys:
    """The active key of a record and the older ones, by their id."""

    def __init__(self, active: HouseKey, older: tuple[HouseKey, ...] = ()) -> None:
        self.active = active
        self._by_id = {one.id: one for one in (active, *older)}
        RING.update(self._by_id)

    @property
    def public(self) -> tuple[str, ...]:
        return tuple(one.public for one in self._by_id.values())

    def seal_text(self, text: str, about: str) -> str:
        """A text as ciphertext that may stand in an event."""
        return seal_text(self.active, text, about)

    def seal_state(self, state: bytes, about: bytes) -> bytes:
        """Encrypt a snapshot under the active key, so that only the house can read or make one."""
        return bytes.fromhex(self.active.id) + self.active.encrypt(state, about)

    def made_now(self, sealed: bytes) -> bool:
        """Whether a snapshot is under the active key: one under an older key is not relied on."""
        return sealed[:8].hex() == self.active.id

    def open_state(self, sealed: bytes, about: bytes) -> bytes | None:
        key = self._by_id.get(sealed[:8].hex())
        return None if key is None else key.decrypt(sealed[8:], about)


def signed_by(public: str, signature: bytes, data: bytes) -> bool:
    """Whether a signature is of this public key, in hexadecimal."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True


def find_keys(record: str) -> HouseKeys | None:
    """The keys of a record, where this machine has them."""
    found = [HouseKey(read_key(path)) for path in key_files(record)]
    return HouseKeys(found[0], tuple(found[1:])) if found else None


def all_keys() -> dict[str, HouseKey]:
    """Every key that this machine has, of whichever record, by its id."""
    found = (HouseKey(read_key(path)) for path in keys_folder().glob("*.pem"))
    return {key.id: key for key in found}


def make_keys(record: str, *, rotate: bool = False) -> HouseKeys:
    """The keys of a record; created if there are none, or if they are rotated."""
    found = find_keys(record)
    if found is not None and not rotate:
        return found
    folder = keys_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise Refused("cannot_write", file_problem(folder, error)) from None
    new_key(folder / f"{record}.{len(key_files(record)) + 1:04d}.pem")
    made = find_keys(record)
    assert made is not None
    return made
