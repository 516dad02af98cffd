"""Who is asking, from where, and how often.

Every answer carries a strict content security policy. A cookie proves nothing on a POST: its origin
must be this house and it must carry the page's token, unless a program names itself with a bearer
token and uses no cookie at all. A host name that is not ours is refused, so that no page elsewhere
can reach a casino on somebody's own machine by a name of its own.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import secrets
import time
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, PlainTextResponse

from houseway.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from houseway.floor.people.directory import People
    from houseway.web.server.access_log import AccessLog

SESSION, VISIT = "houseway", "houseway_visit"
SAFE = ("GET", "HEAD", "OPTIONS")
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

#: bytes of a request's body: a file of rules, and the form around it
LARGEST = 2 << 20
#: seconds that a client has to send it
SLOWEST = 60.0
#: a host's name or address, and its port
_HOST = re.compile(r"([\w.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?", re.ASCII)
#: a browser that came by https never comes otherwise again, for a year
_HSTS = (b"strict-transport-security", b"max-age=31536000")
_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


class Guard:
    """Middleware that checks host, origin and session, and sets the security headers."""

    def __init__(
        self,
        app: ASGIApp,
        people: People,
        hosts: tuple[str, ...],
        *,
        secure: bool = False,
        demonstration: bool = True,
        busy: Callable[[str], bool] = lambda _: False,
        access_log: AccessLog | None = None,
    ) -> None:
        self.app = app
        self.people = people
        self.hosts = hosts
        #: people come by https only, through the proxy
        self.secure = secure
        self.demonstration = demonstration
        #: whether somebody is in the middle of a round, and so never idle
        self.busy = busy
        self.access_log = access_log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if self.secure:
            scope["scheme"] = "https"
        if self.access_log is None:
            await self._answer(scope, receive, send)
            return
        send, written = self.access_log.around(scope, send)
        try:
            await self._answer(scope, receive, send)
        finally:
            # a stream whose reader went away has its line too
            written()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        problem = self._problem(scope, headers)
        if problem is not None:
            await problem(scope, receive, self._with_headers(scope, send, ""))
            return
        fresh = self._identify(scope, headers)
        await self.app(scope, _bounded(receive), self._with_headers(scope, send, fresh))

    def _problem(self, scope: Scope, headers: Headers) -> ASGIApp | None:
        hosts = headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else ""
        found = _HOST.fullmatch(host)
        if found is None or (self.hosts and found[1].lower() not in self.hosts):
            return PlainTextResponse(
                "This server does not answer to that host name.\n", status_code=421
            )
        if scope["method"] in SAFE or _is_program(scope, headers):
            return None
        origin = headers.get("origin", "")
        if origin.partition("://")[2] != host or headers.get("sec-fetch-site") == "cross-site":
            refusal = Refused("wrong_origin", "this must be sent from a page of this house")
            return JSONResponse({"error": refusal.as_dict()}, status_code=403)
        return None

    def _identify(self, scope: Scope, headers: Headers) -> str:
        """Who holds the session; a visitor without a cookie gets one."""
        state: dict[str, Any] = scope.setdefault("state", {})
        if _is_program(scope, headers):
            token = headers.get("authorization", "").removeprefix("Bearer ").strip()
            person = self.people.holder(token, "api") if token else None
            state.update(person=person, csrf="", session=token, bearer=True, enrolling=None)
            return ""
        cookies = cookie_parser(headers.get("cookie", ""))
        session, visit = (
            cookies.get(cookie_name(one, secure=secure(scope)), "") for one in (SESSION, VISIT)
        )
        fresh = "" if visit else secrets.token_urlsafe(18)
        person = self.people.holder(session, "browser") if session else None
        enrolling = None
        if person is not None:
            used = not _by_itself(scope, headers)
            if self.people.is_idle(session, person, busy=self.busy, used=used):
                self.people.close_session(session)
                person = None
            elif used and self.people.use_is_due(session, person):
                loop = asyncio.get_running_loop()
                loop.run_in_executor(None, self.people.note_use, session, person)
        bare = person is not None and person.is_staff and not self.demonstration
        if person is not None and bare and not self.people.has_second_factor(person.id):
            # until there is a second factor, this session is good for nothing else
            person, enrolling = None, person
        csrf = hashlib.sha256(f"csrf:{visit or fresh}:{session}".encode()).hexdigest()[:40]
        state.update(person=person, csrf=csrf, session=session, bearer=False, enrolling=enrolling)
        return fresh

    def _with_headers(self, scope: Scope, send: Send, fresh: str) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = message["headers"] = list(message["headers"])
                given += _HEADERS
                if secure(scope):
                    given.append(_HSTS)
                if not any(name == b"cache-control" for name, _ in given):
                    given.append((b"cache-control", b"no-store"))
                if fresh:
                    own = cookie(VISIT, fresh, secure=secure(scope))
                    given.append((b"set-cookie", own.encode()))
            await send(message)

        return sending


def _bounded(receive: Receive) -> Receive:
    """What a request sends, within limits, so that no body fills memory or disk or takes forever."""
    left, more, end = LARGEST, True, time.monotonic() + SLOWEST

    async def receiving() -> Message:
        nonlocal left, more
        if not more:
            return await receive()  # the end of the connection may be a long way off
        try:
            async with asyncio.timeout(end - time.monotonic()):
                message = await receive()
        except TimeoutError:
            raise Refused(
                "too_slow", f"a request must arrive within {SLOWEST:.0f} seconds"
            ) from None
        more = bool(message.get("more_body", False))
        left -= len(message.get("body", b""))
        if left < 0:
            raise Refused("too_long", f"a request may have up to {LARGEST >> 20} MiB")
        return message

    return receiving


def _by_itself(scope: Scope, headers: Headers) -> bool:
    """Whether a page sends this by itself, as it does for its stream and its sign of life."""
    path: str = scope["path"]
    return "text/event-stream" in headers.get("accept", "") or path.endswith("/here")


def _is_program(scope: Scope, headers: Headers) -> bool:
    """Whether no page sends this: it names itself by a token, or it has no cookie and no origin.

    A browser sends its cookies by itself, and an origin with every POST to another site.
    """
    if "authorization" in headers:
        return True
    path: str = scope["path"]
    return path.startswith("/api/") and "cookie" not in headers and "origin" not in headers


def secure(scope: Scope) -> bool:
    return bool(scope.get("scheme") == "https")


def cookie_name(name: str, *, secure: bool) -> str:
    """Over HTTPS, a name that the browser accepts only from this exact host, not from a neighboring
    one.
    """
    return f"__Host-{name}" if secure else name


def cookie(name: str, value: str, *, secure: bool, lasts: int | None = None) -> str:
    age = "" if lasts is None else f"; Max-Age={lasts}"
    name = cookie_name(name, secure=secure)
    return f"{name}={value}; Path=/; HttpOnly; SameSite=Lax{age}{'; Secure' if secure else ''}"


def check_token(request: Request, given: str | None) -> None:
    """The token of the page that a POST comes from."""
    if request.state.bearer:
        return
    if not given or not hmac.compare_digest(given.encode(), request.state.csrf.encode()):
        raise Refused("wrong_token", "this page is out of date; load it again")
