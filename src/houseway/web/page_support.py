"""Helpers for every page: the casino, the templates, answers as pages or JSON."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import jinja2
import msgspec
from jinja2 import meta
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
from houseway.floor.people.directory import WATCHERS, Person
from houseway.law import chapter, chapters
from houseway.law.hand_names import hand_name
from houseway.money import Cents, dollars, spoken
from houseway.store import Unavailable
from houseway.untrusted import decode_json
from houseway.web.pages.help_pages import help_address
from houseway.web.pages.start import start_of
from houseway.web.server.security import check_token

STATIC = Path(str(files("houseway.web").joinpath("static")))

#: HTTP status by the code of a refusal; 422 by default
STATUS = {
    "not_signed_in": 401, "wrong_password": 401, "wrong_code": 401, "code_needed": 401,
    "no_second_factor": 403, "not_with_a_token": 403, "two_duties": 403, "two_people": 403, "own_roles": 403, "not_your_part": 403, "wrong_token": 403,
    "wrong_origin": 403, "not_your_role": 403, "no_such_table": 404, "no_such_page": 404,
    "no_such_person": 404, "no_such_chapter": 404, "no_such_round": 404, "wrong_method": 405, "stale": 409,
    "conflict": 409, "busy": 409, "too_long": 413, "too_slow": 408, "too_many_attempts": 429,
    "too_many_streams": 429, "record_full": 503,
    "extra_missing": 501, "record_busy": 503, "record_unreachable": 503, "record_read_only": 503,
    "damaged": 503,
}  # fmt: skip


class Json(Response):
    """JSON by msgspec, which knows our types."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return msgspec.json.encode(content)


@cache
def _fingerprint() -> str:
    """One fingerprint for all files, so that scripts find each other."""
    whole = hashlib.sha256()
    for path in sorted(STATIC.iterdir()):
        whole.update(path.read_bytes())
    return whole.hexdigest()[:10]


def static(name: str) -> str:
    """The address of a file of ours; it changes with the files, so it may be kept forever."""
    return f"/static/{_fingerprint()}/{name}"


def interval(one: Any) -> str:
    """The expected interval as a line, with a mark for the actual value; numbers are in the row."""
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
    """Money as people read it: 5332450 as $53,324.50."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}${whole:,}.{rest:02d}"


def card_name(face: Card | None) -> str:
    return "face down" if face is None else face.name


def plainly(text: str) -> str:
    """A finding for somebody who fills in a form: no notation of the file that it is about."""
    text = re.sub(r"\b\w+ = \{ reference = [^}]*\}", "its number and its date", text)
    text = re.sub(r"\b(true|false)\b", lambda at: _OFFERED[at[1]], text)
    return re.sub(r"(?<=[a-z0-9])_(?=[a-z0-9])", " ", text)


_OFFERED = {"true": "offered", "false": "not offered"}


@cache
def templates() -> jinja2.Environment:
    found = jinja2.Environment(
        loader=jinja2.PackageLoader("houseway.web"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals.update(static=static, chapter=chapter, interval=interval)
    found.filters.update(
        dollars=dollars,
        amount=amount,
        spoken=spoken,
        called=lambda wager, law: chapter(law).line_name(wager),
        meter=lambda meter, law: chapter(law).meter_title(meter),
        words=lambda text: str(text).replace("_", " "),
        plainly=plainly,
        sentence=lambda words: words[:1].upper() + words[1:],
        card_name=card_name,
        hand=lambda outcome, beside=(): hand_name(str(outcome), beside),
        ratio=lambda text: float(Fraction(text)),
        clause_anchor=lambda clause: quote(str(clause), safe=""),
    )
    found.globals["card_scale"] = 250 / WIDTH
    return found


def render(template: str, **values: Any) -> str:
    return templates().get_template(template).render(**values)


Made = TypeVar("Made")


@cache
def _names_in(template: str) -> frozenset[str]:
    """The values that a template asks for, and those that it includes."""
    loader, environment = templates().loader, templates()
    assert loader is not None
    source = environment.parse(loader.get_source(environment, template)[0])
    found = meta.find_undeclared_variables(source) - environment.globals.keys()
    included = (name for name in meta.find_referenced_templates(source) if name)
    return frozenset(found).union(*map(_names_in, included))


class Kept:
    """A cache of markup: a template whose values are unchanged is not rendered again.

    Values are compared and kept, so they must not be changed in place.
    """

    def __init__(self) -> None:
        self._last: dict[tuple[str, object], tuple[dict[str, Any], str]] = {}
        self._made: dict[object, tuple[str, Any]] = {}

    def render(self, template: str, values: Mapping[str, Any], key: object = None) -> str:
        """The template with those of the values that it asks for; `key` tells its uses apart."""
        asked = {name: values[name] for name in _names_in(template) if name in values}
        last = self._last.get((template, key))
        if last is not None and last[0] == asked:
            return last[1]
        markup = render(template, **asked)
        self._last[template, key] = asked, markup
        return markup

    def made(self, key: object, when: str, make: Callable[[], Made]) -> Made:
        """The value kept under this key, or a new one if it was made for another `when`."""
        last = self._made.get(key)
        if last is None or last[0] != when:
            last = self._made[key] = when, make()
        return last[1]


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
    return house.people.name(id)


def signed_in(request: Request, *roles: str) -> Person:
    """The person who sent the request, if signed in and in one of these roles."""
    found = person(request)
    if found is None:
        if request.state.enrolling is not None:
            raise Refused("no_second_factor", "add an authenticator first")
        raise Refused("not_signed_in", "sign in first")
    if roles and not any(found.may(role) for role in roles):
        raise Refused("not_your_role", f"this is for the {' or the '.join(roles)}")
    return found


async def looked(request: Request, who: Person, what: str, of: str = "") -> None:
    """Record that somebody looked at restricted information, at most once every few minutes."""
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


#: who may look into the record
MAY_INVESTIGATE = (*WATCHERS, "floorperson", "compliance", "administrator")


def menu(who: Person | None) -> list[tuple[str, str]]:
    """The menu entries that are open to a person."""
    looks = who is not None and any(map(who.may, MAY_INVESTIGATE))
    plays = who is not None and who.may("player")
    return [
        ("/", "Tables"),
        *([("/me/game", "My game")] if plays else []),
        ("/mathematics", "Mathematics"),
        ("/submissions", "Submissions"),
        *([("/rounds", "Investigation")] if looks else []),
        ("/practice", "Practice"),
        ("/progressives", "Meters"),
    ]


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page with the shell around it."""
    who, shown = person(request), request.app.state.demonstration
    values.setdefault("start", start_of(who, demonstration=shown))
    return HTMLResponse(
        render(
            template,
            person=who,
            menu=menu(who),
            csrf=request.state.csrf,
            demonstration=shown,
            path=request.url.path,
            help=help_address(request.url.path, who),
            named=partial(named, casino(request)),
            **values,
        ),
        status_code=status,
    )


def wants_html(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "")


#: what outsiders are told of a record that fails; where it lies and why is the operator's to know
_OUTWARD = {
    "record_full": "the disk of the record is full",
    "record_busy": "the record is busy; try again",
    "damaged": "a check of the record found damage; Integrity, under Investigation, says where",
    "not_checked": "the record could not be checked or anchored; Integrity, under Investigation, "
    "says why",
}


def outward(error: Refused) -> Refused:
    """A refusal as anybody may read it: no path, no server's name, no person."""
    if not isinstance(error, Unavailable) and error.code not in _OUTWARD:
        return error
    logging.getLogger("houseway").warning("%s", error.message)
    code = error.code if error.code in _OUTWARD or error.code in STATUS else "record_unreachable"
    return Refused(code, _OUTWARD.get(code, "the record cannot be reached or written just now"))


async def refused(request: Request, error: Exception) -> Response:
    """A refusal as JSON for programs and scripts, as a page for people."""
    assert isinstance(error, Refused)
    error = outward(error)
    status = STATUS.get(error.code, 422)
    if wants_html(request):
        if error.code == "no_second_factor":
            return RedirectResponse("/second-factor", status_code=303)
        if error.code == "not_signed_in":
            return RedirectResponse(f"/sign-in?next={request.url.path}", status_code=303)
        return page(request, "refused.html", status, error=error, law=_law_here(request))
    return Json({"error": error.as_dict()}, status_code=status)


def _law_here(request: Request) -> str:
    """The chapter that an address is about: its own, or that of its table; or nothing."""
    named_here = request.path_params.get("chapter", "")
    if named_here in chapters():
        return str(named_here)
    live = casino(request).tables.get(request.path_params.get("table", ""))
    return live.state.chapter if live else ""


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


async def gone(_request: Request, _error: Exception) -> Response:
    """The client left before the request was complete; the answer goes nowhere."""
    return Response(status_code=400)


async def broken(request: Request, _error: Exception) -> Response:
    """An unexpected error: logged on the server, not shown in the browser."""
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
    """The name of a table, which need not exist yet."""
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
            raise Refused("too_long", "the request is too large")
    return decode_json(
        bytes(data),
        partial(msgspec.json.decode, type=kind),
        "not_understood",
        lambda error, given: decode_error(error, "not_understood", "message", given),
    )
