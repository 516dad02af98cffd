"""Ciphertext inside events, `sealed:<key>:<base64>`, opened with the keys that this process has."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from houseway.store.security.house_keys import HouseKey

_MARK = "sealed:"
#: the keys that were read, by their id
RING: dict[str, HouseKey] = {}


def is_sealed(text: object) -> bool:
    """Whether a value of an event is ciphertext."""
    return isinstance(text, str) and text.startswith(_MARK)


def seal_text(key: HouseKey, text: str, about: str) -> str:
    """A text as ciphertext that may stand in an event; it opens for the same `about` only."""
    return (
        f"{_MARK}{key.id}:{base64.b64encode(key.encrypt(text.encode(), about.encode())).decode()}"
    )


def open_text(sealed: str, about: str) -> str | None:
    """The text, or None if no key here opens it."""
    try:
        _, id, data = sealed.split(":", 2)
        opened = RING[id].decrypt(base64.b64decode(data), about.encode())
    except (KeyError, ValueError):
        return None
    return None if opened is None else opened.decode()
