"""People: who they are, what they may do, when they came and went.

Two streams. `people` says who was added, with which roles, and which sessions were opened and
closed; of a session only the SHA-256 of its token is written, so the record lets nobody in.
`credentials` holds the argon2 hashes alone, so that an export can leave it out.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
from collections.abc import Iterable
from typing import Any

import msgspec

from houseway.errors import Refused
from houseway.floor import clock
from houseway.store import Event, Log, New, Write, retrying

PEOPLE, CREDENTIALS = "people", "credentials"

#: what somebody may do in the house, in the words of the page
ROLES = {
    "player": "sit down and wager",
    "dealer": "deal at a table",
    "floorperson": "supervise tables, verify, open and close them",
    "surveillance": "see everything, touch nothing",
    "investigator": "read the record of every round, watch every table, touch nothing",
    "compliance": "file and approve Rules Submissions",
    "administrator": "say who may do what",
}

#: who looks on everywhere and acts nowhere
WATCHERS = ("surveillance", "investigator")

_ID = re.compile(r"[a-z0-9][a-z0-9-]{1,31}", re.ASCII)
#: a browser's session lasts a shift, a program's token a month, a one-time link a day
LASTS = {"browser": 12 * 3600, "api": 30 * 86400, "link": 86400}
_SHORTEST = 10


class Person(msgspec.Struct, frozen=True):
    id: str
    name: str
    roles: tuple[str, ...]

    def may(self, role: str) -> bool:
        return role in self.roles

    @property
    def watches(self) -> bool:
        """Whether this person sees every table as surveillance does."""
        return any(map(self.may, WATCHERS))


class Session(msgspec.Struct, frozen=True):
    """An open session; `kind` is browser, api or link (a one-time link to set a password)."""

    person: str
    kind: str
    expires: str


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class People:
    """Everybody, as folded from the record; any worker may add to it."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._lock = threading.RLock()
        self._at = {PEOPLE: 0, CREDENTIALS: 0}
        self._persons: dict[str, Person] = {}
        self._sessions: dict[str, Session] = {}
        self._passwords: dict[str, str] = {}
        #: players whose pages of a table are all closed: the table, the person
        self.away: frozenset[tuple[str, str]] = frozenset()
        self.catch_up()

    # reading

    def catch_up(self) -> None:
        """Fold what other workers wrote."""
        with self._lock:
            for stream in (PEOPLE, CREDENTIALS):
                for event in self._log.read(stream, self._at[stream]):
                    self._apply(event)
                    self._at[stream] = event.version

    def _apply(self, event: Event) -> None:
        said: dict[str, Any] = event.data
        match event.kind:
            case "person_added" | "roles_changed":
                person = msgspec.convert(said, Person)
                self._persons[person.id] = person
            case "session_opened":
                self._sessions[said["token"]] = msgspec.convert(said, Session)
            case "session_closed":
                self._sessions.pop(said["token"], None)
            case "went_away":
                self.away |= {(said["table"], said["person"])}
            case "came_back":
                self.away -= {(said["table"], said["person"])}
            case "password_set":
                self._passwords[said["person"]] = said["argon2"]

    @property
    def version(self) -> int:
        """How far the stream of people was read."""
        return self._at[PEOPLE]

    def everybody(self) -> list[Person]:
        return sorted(self._persons.values(), key=lambda person: person.id)

    def __len__(self) -> int:
        return len(self._persons)

    def get(self, id: str) -> Person:
        found = self._persons.get(id)
        if found is None:
            raise Refused("no_such_person", f"there is nobody called {id}", field="person")
        return found

    def find(self, id: str) -> Person | None:
        return self._persons.get(id)

    def holder(self, token: str, *kinds: str) -> Person | None:
        """Who holds an open session of one of these kinds."""
        session = self._session(token)
        if session is None or session.kind not in kinds or session.expires <= clock.now():
            return None
        return self._persons.get(session.person)

    def _session(self, token: str) -> Session | None:
        key = digest(token)
        found = self._sessions.get(key)
        if found is None:
            # another worker may have opened it
            self.catch_up()
            found = self._sessions.get(key)
        return found

    # writing

    def _write(self, stream: str, kind: str, by: str, body: dict[str, Any]) -> None:
        def decide() -> list[Write]:
            self.catch_up()
            new = New(kind, body, by, clock.now())
            return [Write(stream, self._at[stream], (new,))]

        with self._lock:
            for event in retrying(self._log, decide):
                self._apply(event)
                self._at[stream] = event.version

    def add(self, id: str, name: str, roles: Iterable[str], *, by: str) -> Person:
        """A new person, without a password yet."""
        if not _ID.fullmatch(id):
            raise Refused(
                "not_a_name",
                "a user name is 2 to 32 small letters, digits and hyphens",
                field="person",
            )
        if self.find(id) is not None:
            raise Refused("name_taken", f"there is already somebody called {id}", field="person")
        person = Person(id, _one_line(name) or id, _known(roles))
        self._write(PEOPLE, "person_added", by, msgspec.to_builtins(person))
        return person

    def change_roles(self, id: str, roles: Iterable[str], *, by: str) -> Person:
        person = msgspec.structs.replace(self.get(id), roles=_known(roles))
        if id == by and "administrator" not in person.roles:
            raise Refused("last_key", "nobody takes the administrator's role from oneself")
        self._write(PEOPLE, "roles_changed", by, msgspec.to_builtins(person))
        return person

    def set_password(self, id: str, password: str, *, by: str) -> None:
        from argon2 import PasswordHasher

        check_length(password)
        body = {"person": self.get(id).id, "argon2": PasswordHasher().hash(password)}
        self._write(CREDENTIALS, "password_set", by, body)

    def has_password(self, id: str) -> bool:
        self.catch_up()
        return id in self._passwords

    def check_password(self, id: str, password: str) -> Person:
        """The person, or the same refusal after the same work whether name or password is wrong."""
        from argon2 import PasswordHasher
        from argon2.exceptions import VerificationError

        self.catch_up()
        known = self._passwords.get(id)
        try:
            PasswordHasher().verify(known or _nobody(), password)
        except VerificationError:
            known = None
        if known is None:
            raise Refused("wrong_password", "that name and password do not go together")
        return self.get(id)

    def set_away(self, table: str, id: str, *, away: bool) -> None:
        """Somebody closed the last page of a table, or is back."""
        if ((table, id) in self.away) != away:
            kind = "went_away" if away else "came_back"
            self._write(PEOPLE, kind, id, {"person": id, "table": table})

    def open_session(self, person: Person, kind: str = "browser") -> str:
        """The token of a new session. Only its hash is kept."""
        token = secrets.token_urlsafe(32)
        body = {
            "token": digest(token),
            "person": person.id,
            "kind": kind,
            "expires": clock.later(LASTS[kind]),
        }
        self._write(PEOPLE, "session_opened", person.id, body)
        return token

    def close_session(self, token: str) -> None:
        session = self._session(token)
        if session is not None:
            self._write(PEOPLE, "session_closed", session.person, {"token": digest(token)})


def check_length(password: str) -> None:
    if len(password) < _SHORTEST:
        raise Refused(
            "password_short", f"a password has {_SHORTEST} characters or more", field="password"
        )


def _known(roles: Iterable[str]) -> tuple[str, ...]:
    given = set(roles)
    unknown = given - ROLES.keys()
    if unknown:
        raise Refused("no_such_role", f"there is no role {min(unknown)}", field="roles")
    return tuple(role for role in ROLES if role in given)


def _one_line(text: str) -> str:
    return " ".join(text.split())[:60]


_NOBODY: list[str] = []


def _nobody() -> str:
    """A hash that nothing matches, made once, so that an unknown name takes as long as a known."""
    from argon2 import PasswordHasher

    if not _NOBODY:
        _NOBODY.append(PasswordHasher().hash(secrets.token_urlsafe(16)))
    return _NOBODY[0]
