"""A house that is no demonstration, with its people and a table."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import pyotp
from argon2 import PasswordHasher

from houseway.floor.casino import Casino
from houseway.floor.people import directory
from houseway.law import MD, chapter, choose
from houseway.store import open_log
from houseway.table.procedure.opening import float_of

sys.path.append(str(Path(__file__).parents[1] / "web"))
from visiting import Visitor

PASSWORD = "violet harbor lamp"


@cache
def _hash() -> str:
    """One slow hash for everybody in these tests."""
    return PasswordHasher().hash(PASSWORD)


def staffed_casino() -> Casino:
    found = Casino(open_log(":memory:"))
    for id, roles in (
        ("ada", ["administrator"]), ("ben", ["administrator"]), ("flo", ["floorperson"]),
        ("fay", ["floorperson"]), ("dan", ["dealer", "player"]), ("pam", ["player"]),
    ):  # fmt: skip
        found.people.add(id, id.title(), roles, by="test")
        body = {"person": id, "argon2": _hash()}
        found.people._write(directory.CREDENTIALS, "password_set", "test", body)
    return found


def sign_in(visitor: Visitor, person: str, code: str = "") -> Any:
    visitor.get("/sign-in")
    answer = visitor.form("/sign-in", person=person, password=PASSWORD, code=code)
    visitor.get("/sign-in")
    return answer


def enrolled(casino: Casino, person: str) -> tuple[pyotp.TOTP, list[str]]:
    secret = pyotp.random_base32()
    codes = casino.people.set_second_factor(person, secret, pyotp.TOTP(secret).now())
    return pyotp.TOTP(secret), codes


class StaffedTable:
    """A table of a house that is no demonstration, with a player and two floorpersons."""

    def __init__(self, casino: Casino, house: Any, visitor: Visitor) -> None:
        self.casino, self.visitor = casino, visitor
        self.codes = {person: enrolled(casino, person)[1] for person in ("flo", "fay", "dan")}
        casino.give(casino.people.get("pam"), 100_000, by="test")
        rules = choose(chapter(MD), {})
        house.portal.call(lambda: casino.open("one", rules, float_of("50000.00"), by="flo"))
        sign_in(visitor, "pam")
        assert visitor.send("one", "sit_down", seat=1).status_code == 200
        assert visitor.send("one", "buy_in", amount="100.00").status_code == 200

    def enter(self, person: str) -> None:
        sign_in(self.visitor, person, self.codes[person].pop())

    def second(self, person: str = "fay") -> dict[str, str]:
        code = self.codes[person].pop()
        return {"second": person, "second_password": PASSWORD, "second_code": code}

    def recorded(self, kind: str) -> int:
        return sum(one.kind == kind for one in self.casino.log.read("table/one"))
