"""Who is asking, from where, and how often.

Every answer carries a strict content security policy. A cookie proves nothing on a POST: its origin
must be this house and it must carry the page's token, unless a program names itself with a bearer
token and uses no cookie at all. A host name that is not ours is refused, so that no page elsewhere
can reach a casino on somebody's own machine by a name of its own.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, PlainTextResponse

from houseway.errors import Refused

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from houseway.floor.people.directory import People

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

_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


class Guard:
    """Stands before the application: host, origin, session, headers."""

    def __init__(
        self, app: ASGIApp, people: People, hosts: tuple[str, ...], *, secure: bool = False
    ) -> None:
        self.app = app
        self.people = people
        self.hosts = hosts
        #: people come by https only, through the proxy
        self.secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if self.secure:
            scope["scheme"] = "https"
        headers = Headers(scope=scope)
        problem = self._problem(scope, headers)
        if problem is not None:
            await problem(scope, receive, self._with_headers(scope, send, ""))
            return
        fresh = self._identify(scope, headers)
        await self.app(scope, receive, self._with_headers(scope, send, fresh))

    def _problem(self, scope: Scope, headers: Headers) -> ASGIApp | None:
        host = headers.get("host", "")
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        if self.hosts and name not in self.hosts:
            return PlainTextResponse("This house does not go by that name.\n", status_code=421)
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
            state.update(person=person, csrf="", session=token, bearer=True)
            return ""
        cookies = cookie_parser(headers.get("cookie", ""))
        session, visit = cookies.get(SESSION, ""), cookies.get(VISIT, "")
        fresh = "" if visit else secrets.token_urlsafe(18)
        person = self.people.holder(session, "browser") if session else None
        csrf = hashlib.sha256(f"csrf:{visit or fresh}:{session}".encode()).hexdigest()[:40]
        state.update(person=person, csrf=csrf, session=session, bearer=False)
        return fresh

    def _with_headers(self, scope: Scope, send: Send, fresh: str) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = message["headers"] = list(message["headers"])
                given += _HEADERS
                if not any(name == b"cache-control" for name, _ in given):
                    given.append((b"cache-control", b"no-store"))
                if fresh:
                    own = cookie(VISIT, fresh, secure=secure(scope))
                    given.append((b"set-cookie", own.encode()))
            await send(message)

        return sending


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


def cookie(name: str, value: str, *, secure: bool, lasts: int | None = None) -> str:
    age = "" if lasts is None else f"; Max-Age={lasts}"
    return f"{name}={value}; Path=/; HttpOnly; SameSite=Lax{age}{'; Secure' if secure else ''}"


def check_token(request: Request, given: str | None) -> None:
    """The token of the page that a POST comes from."""
    if request.state.bearer:
        return
    if not given or not hmac.compare_digest(given, request.state.csrf):
        raise Refused("wrong_token", "this page is out of date; load it again")


class Attempts:
    """How often somebody tried: so many in so many seconds, then no more for a while."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._tried: dict[str, deque[float]] = {}

    def check(self, who: str) -> None:
        now = time.monotonic()
        tried = self._tried.get(who)
        while tried and tried[0] < now - self._seconds:
            tried.popleft()
        if tried is not None and len(tried) >= self._most:
            minutes = max(1, round((tried[0] + self._seconds - now) / 60))
            raise Refused("too_many_attempts", f"too many attempts; try again in {minutes} minutes")

    def failed(self, who: str) -> None:
        if len(self._tried) > 10_000:
            self._tried.clear()
        self._tried.setdefault(who, deque()).append(time.monotonic())

    def forget(self, who: str) -> None:
        self._tried.pop(who, None)
