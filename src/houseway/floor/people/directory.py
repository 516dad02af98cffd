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
import time
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from houseway.errors import Refused, printable
from houseway.floor import clock
from houseway.floor.people import second_factor
from houseway.floor.people.passwords import check_password
from houseway.store import Event, Log, New, Write, retrying
from houseway.store.event import check_event
from houseway.store.security.sealed_text import is_sealed, open_text

PEOPLE, CREDENTIALS = "people", "credentials"

#: what somebody may do in the house, in the words of the page
ROLES = {
    "player": "sit down and wager",
    "dealer": "deal at a table",
    "floorperson": "supervise tables, verify, open and close them",
    "surveillance": "see everything, change nothing",
    "investigator": "read the record of every round, watch every table, change nothing",
    "compliance": "file and approve Rules Submissions",
    "administrator": "manage people and their roles",
}

#: the roles that may watch every table and act at none
WATCHERS = ("surveillance", "investigator")

_ID = re.compile(r"[a-z0-9][a-z0-9-]{1,31}", re.ASCII)
#: names under which the program itself stands on the record
_PROGRAM = re.compile(r"(system|terminal|demonstration|device|house)(-.*)?")
#: a browser's session lasts a shift, a program's token a month, a one-time link a day; by the last a
#: browser knows its guest again
LASTS = {"browser": 12 * 3600, "api": 30 * 86400, "link": 86400, "guest": 30 * 86400}
#: seconds after which a session that nobody uses ends, by role; with several, the shortest
IDLE = {
    "player": 1800.0, "dealer": 3600.0, "floorperson": 1800.0, "surveillance": 3600.0,
    "investigator": 1800.0, "compliance": 1800.0, "administrator": 900.0,
}  # fmt: skip
#: how often within that time it is noted on record that a session is in use
_NOTES = 15
#: who needs a second factor outside the demonstration
STAFF = frozenset(IDLE) - {"player"}


class Person(msgspec.Struct, frozen=True):
    id: str
    name: str
    roles: tuple[str, ...]

    def may(self, role: str) -> bool:
        return role in self.roles

    @property
    def is_staff(self) -> bool:
        return not STAFF.isdisjoint(self.roles)

    @property
    def idle_after(self) -> float:
        """Seconds after which an unused session of this person ends."""
        return min((IDLE[role] for role in self.roles), default=IDLE["player"])

    @property
    def watches(self) -> bool:
        """Whether this person sees every table as surveillance does."""
        return any(map(self.may, WATCHERS))


class Session(msgspec.Struct, frozen=True):
    """An open session; `kind` is browser, api or link (a one-time link to set a password)."""

    person: str
    kind: str
    expires: str
    #: SHA-256 of its token, which names it, and when it was opened
    token: str = ""
    opened: str = ""

    @property
    def id(self) -> str:
        return self.token[:16]


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class People:
    """All people, folded from the record; any worker may add to it."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._lock = threading.RLock()
        self._at = {PEOPLE: 0, CREDENTIALS: 0}
        self._persons: dict[str, Person] = {}
        self._sessions: dict[str, Session] = {}
        self._passwords: dict[str, str] = {}
        #: whose password was reset, and who have not set another
        self._reset: set[str] = set()
        self._disabled: set[str] = set()
        #: who has or had a role of the staff
        self._ever_staff: set[str] = set()
        #: whether these are the people of the demonstration, or of a house with passwords
        self._kinds: set[str] = set()
        #: the secrets of authenticators, sealed where the house has keys; hashes of recovery codes
        self._factors: dict[str, str] = {}
        self._recovery: dict[str, set[str]] = {}
        #: the last time step whose code was used: a code works once
        self._steps: dict[str, int] = {}
        #: when each session was last used here (monotonic), so that an idle one ends
        self._used: dict[str, float] = {}
        #: when that was last put on record, by any worker
        self._noted: dict[str, float] = {}
        #: players whose pages of a table are all closed: the table, the person
        self.away: frozenset[tuple[str, str]] = frozenset()
        self._away_since: dict[tuple[str, str], str] = {}
        self._instructions: dict[str, str] = {}
        self.catch_up()

    # reading

    def catch_up(self) -> None:
        """Fold what other workers wrote."""
        with self._lock:
            for stream in (PEOPLE, CREDENTIALS):
                for event in self._log.read(stream, self._at[stream]):
                    check_event(event)
                    self._apply(event)
                    self._at[stream] = event.version

    def _apply(self, event: Event) -> None:
        said: dict[str, Any] = event.data
        match event.kind:
            case "person_added" | "roles_changed":
                person = msgspec.convert(said, Person)
                self._persons[person.id] = person
                self._end_sessions(person.id)
                if person.is_staff:
                    self._ever_staff.add(person.id)
                if event.kind == "person_added" and not _PROGRAM.fullmatch(person.id):
                    self._kinds.add(event.actor)
            case "session_opened":
                opened = msgspec.convert({"opened": event.time, **said}, Session)
                self._sessions[said["token"]] = opened
                self._note_used(said["token"], monotonic_of(event.time))
            case "session_used":
                self._note_used(said["token"], monotonic_of(event.time))
            case "person_disabled":
                self._disabled.add(said["person"])
                self._end_sessions(said["person"], links=True)
            case "password_reset":
                self._end_sessions(said["person"], links=True)
            case "person_enabled":
                self._disabled.discard(said["person"])
            case "second_factor_set":
                self._factors[said["person"]] = said["secret"]
                self._recovery[said["person"]] = set(said["recovery"])
                self._steps[said["person"]] = said.get("step", 0)
            case "second_factor_removed":
                self._factors.pop(said["person"], None)
                self._recovery.pop(said["person"], None)
            case "recovery_used":
                self._recovery.get(said["person"], set()).discard(said["code"])
            case "code_used":
                self._steps[said["person"]] = said["step"]
            case "session_closed":
                self._end_session(said["token"])
            case "went_away":
                self.away |= {(said["table"], said["person"])}
                self._away_since[said["table"], said["person"]] = event.time
            case "came_back":
                self.away -= {(said["table"], said["person"])}
            case "standing_instruction_given":
                self._instructions[said["person"]] = said["instruction"]
            case "password_set":
                self._passwords[said["person"]] = said["argon2"]
                self._reset.discard(said["person"])
            case "password_removed":
                self._passwords.pop(said["person"], None)
                self._reset.add(said["person"])

    def _end_session(self, key: str) -> None:
        for kept in (self._sessions, self._used, self._noted):
            kept.pop(key, None)

    def _end_sessions(self, id: str, *, links: bool = False) -> None:
        """End sessions that were opened before: a person with a new role must sign in again."""
        for key, session in tuple(self._sessions.items()):
            if session.person == id and (links or session.kind != "link"):
                self._end_session(key)

    def check_kind(self, *, demonstration: bool) -> None:
        """Refuse the people of the demonstration in a house with passwords, and the other way.

        Whoever was let in without a password, or made others there, has no place in a real house.
        """
        if not demonstration and "demonstration" in self._kinds:
            raise Refused(
                "demonstrations_record",
                "this is the record of a demonstration, where nobody needs a password; name another"
                " with --database",
                field="database",
            )
        if (
            demonstration
            and "demonstration" not in self._kinds
            and ("system" in self._kinds or self._factors)
        ):
            raise Refused(
                "not_the_demonstrations",
                "the people of this record have passwords, and the demonstration needs none; open"
                " it with --no-demo",
                field="database",
            )

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

    def name(self, id: str) -> str:
        """Somebody by the name the person gave; an id that is not known stays as it is."""
        found = self._persons.get(id)
        return found.name if found else id

    def away_since(self, table: str, id: str) -> str:
        """When somebody who is away closed the last page of a table."""
        return self._away_since[table, id]

    def instruction(self, id: str, default: str) -> str:
        """What to do with somebody's hand while that person is away."""
        return self._instructions.get(id, default)

    def instruct(self, id: str, instruction: str) -> None:
        """Set somebody's standing instruction."""
        body = {"person": id, "instruction": instruction}
        self._write(PEOPLE, "standing_instruction_given", id, body)

    def holder(self, token: str, *kinds: str) -> Person | None:
        """Who holds an open session of one of these kinds."""
        session = self._session(token)
        if session is None or session.kind not in kinds or session.expires <= clock.now():
            return None
        if session.person in self._disabled:
            return None
        return self._persons.get(session.person)

    def is_disabled(self, id: str) -> bool:
        return id in self._disabled

    def sessions_of(self, id: str) -> list[Session]:
        """The open sessions and tokens of somebody, the latest first."""
        now = clock.now()
        found = [one for one in self._sessions.values() if one.person == id and one.expires > now]
        return sorted(found, key=lambda one: one.opened, reverse=True)

    def is_idle(
        self, token: str, person: Person, *, busy: Callable[[str], bool], used: bool = True
    ) -> bool:
        """Whether a session was idle for too long; what a person does resets the time.

        Somebody `busy` in the middle of a round is never idle. Automatic requests of a page do not
        count.
        """
        now, key = time.monotonic(), digest(token)
        longest = person.idle_after
        if now - self._used.get(key, now) > longest:
            self.catch_up()  # it may have been used at another worker
            if now - self._used.get(key, now) > longest and not busy(person.id):
                return True
        if used:
            self._mark_used(key, now)
        return False

    def _mark_used(self, key: str, at: float) -> None:
        self._used[key] = max(at, self._used.get(key, at))

    def _note_used(self, key: str, at: float) -> None:
        self._mark_used(key, at)
        self._noted[key] = at

    def note_use(self, token: str, person: Person) -> None:
        """Let the other workers know from time to time that a session is in use."""
        now, key = time.monotonic(), digest(token)
        with self._lock:
            if not self.use_is_due(token, person):
                return
            self._noted[key] = now
        self._write(PEOPLE, "session_used", person.id, {"token": key})

    def use_is_due(self, token: str, person: Person) -> bool:
        """Whether the others have not heard of this session for a while."""
        at = self._noted.get(digest(token))
        return at is None or time.monotonic() - at >= person.idle_after / _NOTES

    def has_second_factor(self, id: str) -> bool:
        self.catch_up()
        return id in self._factors

    def _session(self, token: str) -> Session | None:
        key = digest(token)
        found = self._sessions.get(key)
        if found is None:
            # another worker may have opened it
            self.catch_up()
            found = self._sessions.get(key)
        return found

    # writing

    def _write(
        self,
        stream: str,
        kind: str,
        by: str,
        body: dict[str, Any],
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Write an event if the check passes on all that is written before it, by any worker."""
        self._write_all([(stream, kind, body)], by, check)

    def _write_all(
        self,
        told: list[tuple[str, str, dict[str, Any]]],
        by: str,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Write several at once: nothing comes between them."""

        def decide() -> list[Write]:
            self.catch_up()
            check()
            news: dict[str, tuple[New, ...]] = {}
            for stream, kind, body in told:
                news[stream] = (*news.get(stream, ()), New(kind, body, by, clock.now()))
            return [Write(stream, self._at[stream], new) for stream, new in news.items()]

        with self._lock:
            for event in retrying(self._log, decide):
                self._apply(event)
                self._at[event.stream] = event.version

    def check_new(self, id: str, roles: Iterable[str], by: str = "") -> tuple[str, ...]:
        """The roles as they are recorded, or a refusal of a user name or role that cannot be."""
        if not _ID.fullmatch(id):
            raise Refused(
                "not_a_name",
                "a user name is 2 to 32 lowercase letters, digits and hyphens",
                field="person",
            )
        if by != "system" and _PROGRAM.fullmatch(id):
            raise Refused("not_a_name", f"{id} is a name of the program's own", field="person")
        self._check_free(id)
        return _known(roles)

    def _check_free(self, id: str) -> None:
        if self.find(id) is not None:
            raise Refused("name_taken", f"there is already somebody called {id}", field="person")

    def add(self, id: str, name: str, roles: Iterable[str], *, by: str) -> Person:
        """A new person, without a password yet."""
        person = Person(id, _one_line(name) or id, self.check_new(id, roles, by))
        body = msgspec.to_builtins(person)
        self._write(PEOPLE, "person_added", by, body, lambda: self._check_free(id))
        return person

    def change_roles(self, id: str, roles: Iterable[str], *, by: str) -> Person:
        person = msgspec.structs.replace(self.get(id), roles=_known(roles))
        if set(person.roles) == set(self.get(id).roles):
            return person
        if id == by:
            raise Refused(
                "own_roles", "you cannot change your own roles; another administrator can"
            )
        self._write(PEOPLE, "roles_changed", by, msgspec.to_builtins(person))
        return person

    def set_password(self, id: str, password: str, *, by: str) -> None:
        self._write(CREDENTIALS, "password_set", by, self._hashed(id, password))

    def _hashed(self, id: str, password: str) -> dict[str, Any]:
        """What the record says of a password, if it may be one."""
        from argon2 import PasswordHasher

        check_password(password, id)
        return {"person": self.get(id).id, "argon2": PasswordHasher().hash(password)}

    def has_password(self, id: str) -> bool:
        self.catch_up()
        return id in self._passwords

    def has_staff_beside(self, *these: str) -> bool:
        """Whether anybody else with a password was ever staff, even if the role was taken away
        since.
        """
        self.catch_up()
        return not self._ever_staff.isdisjoint({*self._passwords, *self._reset}.difference(these))

    def check_password(self, id: str, password: str) -> Person:
        """The person; a wrong name and a wrong password give the same refusal and take the same
        time.
        """
        from argon2 import PasswordHasher
        from argon2.exceptions import VerificationError

        self.catch_up()
        known = self._passwords.get(id)
        try:
            PasswordHasher().verify(known or _nobody(), password)
        except VerificationError:
            known = None
        if known is None or id in self._disabled:
            raise Refused("wrong_password", "wrong name or password")
        return self.get(id)

    # the second factor

    def set_second_factor(self, id: str, secret: str, code: str) -> list[str]:
        """Take an authenticator into use once it gives the right code; the recovery codes."""
        step = second_factor.matching_step(secret, second_factor.cleaned(code))
        if step is None:
            raise second_factor.wrong_code()
        codes = second_factor.recovery_codes()
        kept = secret
        if self._log.keys is not None:
            kept = self._log.keys.seal_text(secret, f"second factor {id}")
        hashes = [second_factor.hashed(one) for one in codes]
        # the code that proved it is used with that
        body = {"person": self.get(id).id, "secret": kept, "recovery": hashes, "step": step}
        self._write(CREDENTIALS, "second_factor_set", id, body)
        return codes

    def check_second_factor(self, id: str, code: str) -> None:
        """Refuse anything but the current code or a recovery code; each works once."""
        self.catch_up()
        code = second_factor.cleaned(code)
        secret = self._factors.get(id, "")
        if is_sealed(secret):
            secret = open_text(secret, f"second factor {id}") or ""
        step = second_factor.matching_step(secret, code) if secret else None
        hashed = second_factor.hashed(code)

        def is_new() -> None:
            if step is not None and second_factor.is_used(step, self._steps.get(id, 0)):
                raise second_factor.wrong_code()

        def is_left() -> None:
            if hashed not in self._recovery.get(id, ()):
                raise second_factor.wrong_code()

        if step is not None:
            self._write(CREDENTIALS, "code_used", id, {"person": id, "step": step}, is_new)
        else:
            used = {"person": id, "code": hashed}
            self._write(CREDENTIALS, "recovery_used", id, used, is_left)

    # what an administrator does

    def disable(self, id: str, *, by: str) -> None:
        """Disable a name, which ends all of its sessions."""
        if id == by:
            raise Refused("last_key", "you cannot disable your own account")
        self._write(PEOPLE, "person_disabled", by, {"person": self.get(id).id})

    def enable(self, id: str, *, by: str) -> None:
        self._write(PEOPLE, "person_enabled", by, {"person": self.get(id).id})

    def revoke(self, person: str, session: str, *, by: str) -> None:
        """End one session or token of somebody."""
        for one in self.sessions_of(person):
            if one.id == session:
                self._write(PEOPLE, "session_closed", by, {"token": one.token})
                return
        raise Refused("no_such_session", "that session has already ended", field="session")

    def reset(self, id: str, *, by: str, second: str) -> str:
        """The token of a password-reset link, which two people sign for.

        Until it is used nobody gets in: the old password, its second factor and all sessions end.
        """
        if not second or second in (by, id) or by == id:
            raise Refused("two_people", "two other people must sign for a new password")
        told: list[tuple[str, str, dict[str, Any]]] = [
            (CREDENTIALS, "password_removed", {"person": self.get(id).id}),
            (PEOPLE, "password_reset", {"person": id, "second": second}),
        ]
        if self.has_second_factor(id):
            told.append((CREDENTIALS, "second_factor_removed", {"person": id}))
        self._write_all(told, by)
        return self.open_session(self.get(id), "link")

    def set_away(self, table: str, id: str, *, away: bool) -> None:
        """Record that somebody is away (closed the last page of a table) or back."""
        if ((table, id) in self.away) != away:
            kind = "went_away" if away else "came_back"
            self._write(PEOPLE, kind, id, {"person": id, "table": table})

    def open_session(self, person: Person, kind: str = "browser") -> str:
        """The token of a new session. Only its hash is kept.

        None is opened for somebody who was disabled, reset or given another role while signing in.
        """

        def is_same() -> None:
            shut = person.id in self._disabled or (kind != "link" and person.id in self._reset)
            if shut or self.find(person.id) != person:
                raise Refused("not_signed_in", "this account was changed just now; sign in again")

        token = secrets.token_urlsafe(32)
        body = {
            "token": digest(token),
            "person": person.id,
            "kind": kind,
            "expires": clock.later(LASTS[kind]),
        }
        self._write(PEOPLE, "session_opened", person.id, body, is_same)
        return token

    def close_session(self, token: str) -> None:
        session = self._session(token)
        if session is not None:
            self._write(PEOPLE, "session_closed", session.person, {"token": digest(token)})

    def use_link(self, token: str, password: str) -> Person:
        """Set the password of the person that a one-time link is for, and end the link with it: a
        reset that comes meanwhile is not undone by an older link.
        """
        who = self.holder(token, "link")

        def is_open() -> None:
            if who is None or self.holder(token, "link") is None:
                raise Refused("no_such_page", "this link was already used or has expired")

        is_open()
        assert who is not None
        told = [
            (PEOPLE, "session_closed", {"token": digest(token)}),
            (CREDENTIALS, "password_set", self._hashed(who.id, password)),
        ]
        self._write_all(told, who.id, is_open)
        return who


def _known(roles: Iterable[str]) -> tuple[str, ...]:
    given = set(roles)
    unknown = given - ROLES.keys()
    if unknown:
        raise Refused("no_such_role", f"there is no role {min(unknown)}", field="roles")
    return tuple(role for role in ROLES if role in given)


def monotonic_of(at: str) -> float:
    """A time on the record by this process's own clock; one that is still to come is now."""
    return time.monotonic() - max(0.0, clock.steady(clock.now()) - clock.steady(at))


def _one_line(text: str) -> str:
    return printable(" ".join(text.split())[:60])


_NOBODY: list[str] = []


def _nobody() -> str:
    """A hash that no password matches, so that checking an unknown name takes as long as a known one."""
    from argon2 import PasswordHasher

    if not _NOBODY:
        _NOBODY.append(PasswordHasher().hash(secrets.token_urlsafe(16)))
    return _NOBODY[0]
