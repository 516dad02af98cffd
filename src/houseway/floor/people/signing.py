"""Who may act on a meter: a floorperson, or two people who sign together.

An adjustment, a transfer and a shut-down take a dealer or floorperson and a second floorperson, two
different people of the house, and a reason. Each proves who they are with a password; what goes on
the record is who they were and what they were then.
"""

from __future__ import annotations

from typing import Any

import msgspec

from houseway.errors import Refused
from houseway.floor.people.directory import People, Person
from houseway.store import New

#: who may sign first; the second is a floorperson
FIRST = ("floorperson", "dealer")


class Signed(msgspec.Struct, frozen=True):
    """The two people behind an act on a meter: a dealer or floorperson, and a second floorperson."""

    role: str
    who: str
    second: str
    reason: str
    at: str

    def check(self, people: People) -> None:
        """Refuse an act whose signatures are not those of two people who may give them."""
        if self.role not in FIRST:
            raise Refused(
                "not_your_part", f"a dealer or a floorperson does this, not the {self.role}"
            )
        if not self.who or not self.second or self.who == self.second:
            raise Refused("two_people", "a second floorperson signs with the first person")
        if not self.reason.strip():
            raise Refused("no_reason", "say why", field="reason")
        _known(people, self.who, self.role, "by")
        _known(people, self.second, "floorperson", "second")

    def new(self, kind: str, **body: Any) -> New:
        about = {"by": f"{self.role} {self.who}", "second": f"floorperson {self.second}"}
        return New(
            kind, {**about, "reason": self.reason, **body}, f"{self.role} {self.who}", self.at
        )


class By(msgspec.Struct, frozen=True):
    """The floorperson who opens a link or changes its tables, and when."""

    who: str
    at: str

    def check(self, people: People) -> None:
        _known(people, self.who, "floorperson", "by")

    def new(self, kind: str, **body: Any) -> New:
        return New(kind, body, f"floorperson {self.who}", self.at)


def sign(first: Person, second: Person, reason: str, at: str) -> Signed:
    """The signature of two people who have proved who they are."""
    role = next((role for role in FIRST if first.may(role)), "")
    if not role:
        raise Refused("not_your_part", f"{first.id} is neither a floorperson nor a dealer")
    return Signed(role, first.id, second.id, " ".join(reason.split()), at)


def _known(people: People, id: str, role: str, field: str) -> None:
    person = people.find(id)
    if person is None:
        raise Refused("no_such_person", f"there is nobody called {id}", field=field)
    if not person.may(role):
        raise Refused("not_your_part", f"{id} is not a {role}", field=field)
