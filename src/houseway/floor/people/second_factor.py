"""The second factor of staff: a time-based code (RFC 6238), and recovery codes that work once."""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from typing import Any

from houseway.errors import Refused

#: a secret as `new_secret` makes it: no shorter one is taken into use
_SECRET = re.compile(r"[A-Z2-7]{32,128}")
#: how many recovery codes somebody gets
_CODES = 8


def new_secret() -> str:
    import pyotp

    return str(pyotp.random_base32())


def address(secret: str, person: str) -> str:
    """The address that an authenticator reads."""
    import pyotp

    return str(pyotp.TOTP(secret).provisioning_uri(person, issuer_name="Houseway"))


def this_step() -> int:
    """The current time step, by the time of day, as an authenticator counts it."""
    return int(time.time()) // 30


def is_used(step: int, last: int) -> bool:
    """Whether a code of this step may have been used when the last was of `last`.

    A last step in the future was used while the clock was wrong; it locks nobody out.
    """
    return step <= last <= this_step() + 1


def matching_step(secret: str, code: str) -> int | None:
    """The time step whose code this is, of the last, this and the next; none where it is wrong."""
    import pyotp

    if not _SECRET.fullmatch(secret) or not code.isascii():
        return None
    totp = pyotp.TOTP(secret)
    now = this_step()
    for step in (now, now - 1, now + 1):
        if secrets.compare_digest(totp.at(step * 30), code):
            return step
    return None


def recovery_codes() -> list[str]:
    """Recovery codes to keep on paper; each works once."""
    return [f"{secrets.token_hex(3)}-{secrets.token_hex(3)}" for _ in range(_CODES)]


def hashed(code: str) -> str:
    """A recovery code as it is kept: 48 random bits need no slow hash to stay unguessable here."""
    return hashlib.sha256(f"recovery:{code}".encode()).hexdigest()


def wrong_code() -> Refused:
    return Refused("wrong_code", "that code is wrong", field="code")


def cleaned(code: Any) -> str:
    return "".join(str(code).split()).lower()
