"""What every page shares: the casino, the templates, and the two ways of answering."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from fractions import Fraction
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
import msgspec
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from houseway.cards import Card
from houseway.decode_errors import decode_error
from houseway.drawing.pieces.cards import WIDTH
from houseway.errors import Refused
from houseway.extras import not_installed
from houseway.floor.bots.dealer import SYSTEM
from houseway.floor.casino import Casino
from houseway.floor.people.directory import Person
from houseway.law import chapter
from houseway.money import Cents, dollars, spoken
from houseway.web.server.security import check_token

STATIC = Path(str(files("houseway.web").joinpath("static")))

#: status for a refusal; what is not here is 422: understood, and not allowed
STATUS = {
    "not_signed_in": 401, "wrong_password": 401, "not_your_part": 403, "wrong_token": 403,
    "wrong_origin": 403, "not_your_role": 403, "no_such_table": 404, "no_such_page": 404,
    "no_such_person": 404, "no_such_chapter": 404, "no_such_round": 404, "wrong_method": 405, "stale": 409,
    "conflict": 409, "busy": 409, "too_many_attempts": 429, "record_full": 503,
    "extra_missing": 501, "record_busy": 503, "record_unreachable": 503, "record_read_only": 503,
}  # fmt: skip


class Json(Response):
    """JSON by msgspec, which knows our types."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return msgspec.json.encode(content)


@cache
def _fingerprint() -> str:
    """One mark for all files, so that a script finds the others beside it."""
    whole = hashlib.sha256()
    for path in sorted(STATIC.iterdir()):
        whole.update(path.read_bytes())
    return whole.hexdigest()[:10]


def static(name: str) -> str:
    """The address of a file of ours; it changes with the files, so it may be kept forever."""
    return f"/static/{_fingerprint()}/{name}"


def interval(one: Any) -> str:
    """What chance gives as a line, with a mark for what happened; numbers are in the row."""
    low, high, win = float(one.low), float(one.high), float(one.win)
    left, right = min(low, win), max(high, win)
    span = (right - left) or 1.0

    def x(value: float) -> str:
        return f"{6 + 168 * (value - left) / span:.1f}"

    return (
        '<svg class="interval" viewBox="0 0 180 18" role="img" aria-label="'
        f'{dollars(int(low))} to {dollars(int(high))}">'
        f'<path d="M{x(low)} 9H{x(high)}" stroke="#8a8f8b" stroke-width="2"/>'
        f'<path d="M{x(low)} 5v8M{x(high)} 5v8" stroke="#8a8f8b"/>'
        f'<circle cx="{x(win)}" cy="9" r="4" fill="{"#9c1d25" if one.unusual else "#7a5a08"}"/></svg>'
    )


def amount(cents: Cents) -> str:
    """Money for the eye: 5332450 as 53,324.50."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}{whole:,}.{rest:02d}"


def card_name(face: Card | None) -> str:
    return "face down" if face is None else face.name


@cache
def templates() -> jinja2.Environment:
    found = jinja2.Environment(
        loader=jinja2.PackageLoader("houseway.web"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals.update(static=static, chapter=chapter, interval=interval)
    found.filters.update(
        dollars=dollars,
        amount=amount,
        spoken=spoken,
        called=lambda wager, law: chapter(law).line_name(wager),
        words=lambda text: str(text).replace("_", " "),
        sentence=lambda words: words[:1].upper() + words[1:],
        card_name=card_name,
        ratio=lambda text: float(Fraction(text)),
        clause_anchor=lambda clause: quote(str(clause), safe=""),
    )
    found.globals["card_scale"] = 250 / WIDTH
    return found


def render(template: str, **values: Any) -> str:
    return templates().get_template(template).render(**values)


def casino(request: Request) -> Casino:
    found: Casino = request.app.state.casino
    return found


def person(request: Request) -> Person | None:
    found: Person | None = request.state.person
    return found


def named(house: Casino, id: str) -> str:
    """Somebody by the name the person gave; the system by its own."""
    if id in ("", SYSTEM):
        return "the system"
    found = house.people.find(id)
    return found.name if found else id


def signed_in(request: Request, *roles: str) -> Person:
    """Whoever asks, if signed in and in one of these roles."""
    found = person(request)
    if found is None:
        raise Refused("not_signed_in", "sign in first")
    if roles and not any(found.may(role) for role in roles):
        raise Refused("not_your_role", f"this is for the {' or the '.join(roles)}")
    return found


async def looked(request: Request, who: Person, what: str, of: str = "") -> None:
    """Put on record that somebody looks at what not everybody may see; once in a while."""
    access = request.app.state.access
    if access.is_new(who.id, what, of):
        await asyncio.to_thread(access.looked, who.id, what, of)


async def download(request: Request, who: Person, what: str, of: str, data: bytes) -> Response:
    """A file to take away, on record before it goes out."""
    await asyncio.to_thread(request.app.state.access.taken, who.id, what, of)
    name = f"{what}-{of}.zip".replace(" ", "-")
    return Response(
        data,
        media_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page with the shell around it."""
    return HTMLResponse(
        render(
            template,
            person=person(request),
            csrf=request.state.csrf,
            demonstration=request.app.state.demonstration,
            path=request.url.path,
            named=partial(named, casino(request)),
            **values,
        ),
        status_code=status,
    )


def wants_html(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "")


async def refused(request: Request, error: Exception) -> Response:
    """A refusal as JSON for programs and scripts, as a page for people."""
    assert isinstance(error, Refused)
    status = STATUS.get(error.code, 422)
    if wants_html(request):
        if error.code == "not_signed_in":
            return RedirectResponse(f"/sign-in?next={request.url.path}", status_code=303)
        return page(request, "refused.html", status, error=error)
    return Json({"error": error.as_dict()}, status_code=status)


async def lacking(request: Request, error: Exception) -> Response:
    """A library is not installed: the refusal names the extra that brings it."""
    assert isinstance(error, ModuleNotFoundError)
    return await refused(request, not_installed(error))


async def lost(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException) and error.status_code == 405:
        said = Refused("wrong_method", f"{request.method} is not for this address")
        answer = await refused(request, said)
        answer.headers.update(error.headers or {})
        return answer
    return await refused(request, Refused("no_such_page", "there is no such page"))


async def broken(request: Request, _error: Exception) -> Response:
    """Something that should not happen did; the server's log has it, the browser does not."""
    said = Refused("our_fault", "something went wrong on our side; it was noted")
    if wants_html(request):
        return HTMLResponse(render("broken.html", error=said), status_code=500)
    return Json({"error": said.as_dict()}, status_code=500)


async def form(request: Request) -> FormData:
    """The fields of a form that one of our pages sent."""
    fields = await request.form(max_files=1, max_fields=500)
    token = fields.get("token")
    check_token(request, token if isinstance(token, str) else None)
    return fields


def text(fields: FormData, name: str, default: str = "") -> str:
    found = fields.get(name, default)
    return found.strip() if isinstance(found, str) else default


def table_name(fields: FormData, field: str) -> str:
    """The name of a table, there already or not."""
    name = text(fields, field).lower()
    if not name.replace("-", "").isalnum() or not name.isascii() or len(name) > 40:
        raise Refused("not_a_name", "a table's name has letters, digits and hyphens", field=field)
    return name


_MOST = 64 * 1024


async def body(request: Request, kind: type[Any]) -> Any:
    """JSON that one of our scripts or a program sent, as a type of its own."""
    check_token(request, request.headers.get("x-houseway-token"))
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > _MOST:
            raise Refused("too_long", "that is more than anybody needs to say")
    try:
        return msgspec.json.decode(bytes(data), type=kind)
    except msgspec.MsgspecError as error:
        raise decode_error(error, "not_understood", "message", bytes(data)) from None


Handler = Callable[[Request], Awaitable[Response]]
