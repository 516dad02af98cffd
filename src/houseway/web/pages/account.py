"""Coming and going: sign in, sign out, the demonstration's open door, the one-time link, people."""

from __future__ import annotations

import asyncio
import secrets

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from houseway.errors import Refused
from houseway.floor.bots.players import is_system
from houseway.floor.people.accounts import ALLOWANCE
from houseway.floor.people.directory import LASTS, ROLES, Person
from houseway.web.page_support import casino, form, looked, page, person, signed_in, text
from houseway.web.server.security import SESSION, Attempts, cookie, secure

#: who is there in the demonstration, a person for each role
DEMONSTRATION = {
    "player": ("pat", "Pat Player"),
    "dealer": ("dana", "Dana Dealer"),
    "floorperson": ("frank", "Frank Floor"),
    "second floorperson": ("fiona", "Fiona Floor"),
    "surveillance": ("sam", "Sam Surveillance"),
    "investigator": ("ines", "Ines Investigator"),
    "compliance": ("carla", "Carla Compliance"),
    "second compliance": ("conrad", "Conrad Compliance"),
    "administrator": ("ada", "Ada Administrator"),
}

#: a name has five tries in five minutes, an address thirty
by_name, by_address = Attempts(5, 300), Attempts(30, 300)


def _address(request: Request) -> str:
    return request.client.host if request.client else "?"


def _inside(path: str) -> str:
    """Only a path of this house; never another's address."""
    good = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if good else "/"


def _enter(request: Request, who: Person, to: str) -> Response:
    token = casino(request).people.open_session(who)
    answer = RedirectResponse(_inside(to), status_code=303)
    answer.headers.append(
        "Set-Cookie",
        cookie(SESSION, token, secure=secure(request.scope), lasts=LASTS["browser"]),
    )
    return answer


async def sign_in_page(request: Request) -> Response:
    return page(request, "sign_in.html", next=request.query_params.get("next", "/"), error=None)


async def sign_in(request: Request) -> Response:
    fields = await form(request)
    name, to = text(fields, "person").lower(), text(fields, "next", "/")
    try:
        who = await check(request, name, text(fields, "password"))
    except Refused as refusal:
        return page(request, "sign_in.html", 401, next=to, error=refusal)
    return await asyncio.to_thread(_enter, request, who, to)


async def check(request: Request, name: str, password: str) -> Person:
    """The person whose name and password these are; too many tries are refused before a look."""
    by_name.check(name)
    by_address.check(_address(request))
    try:
        who = await asyncio.to_thread(casino(request).people.check_password, name, password)
    except Refused:
        by_name.failed(name)
        by_address.failed(_address(request))
        # a name that nobody has may be a password in the wrong field: it is not written down
        if casino(request).people.find(name) is not None:
            access = request.app.state.access
            await asyncio.to_thread(access.not_let_in, name, _address(request))
        raise
    by_name.forget(name)
    return who


async def proved(request: Request, name: str, password: str) -> Person:
    """Somebody who gives the password; in the demonstration nobody needs to have one."""
    people = casino(request).people
    if request.app.state.demonstration and not people.has_password(name):
        return people.get(name)
    return await check(request, name, password)


async def sign_out(request: Request) -> Response:
    await form(request)
    if request.state.session:
        await asyncio.to_thread(casino(request).people.close_session, request.state.session)
    answer = RedirectResponse("/", status_code=303)
    answer.headers.append("Set-Cookie", cookie(SESSION, "", secure=secure(request.scope), lasts=0))
    return answer


async def enter_demonstration(request: Request) -> Response:
    """Choose a role: everybody's door while nothing is at stake."""
    fields = await form(request)
    if not request.app.state.demonstration:
        raise Refused("no_such_page", "there is no such page")
    role, people = text(fields, "role"), casino(request).people
    if role == "guest":
        name = text(fields, "name") or "Guest"
        id = f"guest-{secrets.token_hex(3)}"
        who = await asyncio.to_thread(people.add, id, name, ["player"], by="demonstration")
        await asyncio.to_thread(casino(request).give, who, ALLOWANCE, by="demonstration")
    elif role in DEMONSTRATION:
        who = people.get(DEMONSTRATION[role][0])
    else:
        raise Refused("no_such_role", f"there is no role {role}", field="role")
    return await asyncio.to_thread(_enter, request, who, text(fields, "next", "/"))


# the one-time link


async def link_page(request: Request) -> Response:
    who = casino(request).people.holder(request.path_params["token"], "link")
    if who is None:
        raise Refused("no_such_page", "this link was used already, or its day is over")
    return page(request, "link.html", who=who, error=None)


async def use_link(request: Request) -> Response:
    fields = await form(request)
    people, token = casino(request).people, request.path_params["token"]
    who = people.holder(token, "link")
    if who is None:
        raise Refused("no_such_page", "this link was used already, or its day is over")
    password = text(fields, "password")
    try:
        if password != text(fields, "again"):
            raise Refused("not_the_same", "the two passwords differ", field="again")
        await asyncio.to_thread(people.set_password, who.id, password, by=who.id)
    except Refused as refusal:
        return page(request, "link.html", 422, who=who, error=refusal)
    await asyncio.to_thread(people.close_session, token)
    return await asyncio.to_thread(_enter, request, who, "/")


# people


async def people_page(request: Request) -> Response:
    await looked(request, signed_in(request, "administrator"), "people and their roles")
    link = ""
    everybody = _everybody(request)
    return page(request, "people.html", everybody=everybody, roles=ROLES, link=link, error=None)


def _everybody(request: Request) -> list[Person]:
    """Who signs in; the system's players never do."""
    return [one for one in casino(request).people.everybody() if not is_system(one.id)]


async def change_people(request: Request) -> Response:
    fields = await form(request)
    by = signed_in(request, "administrator").id
    house = casino(request)
    roles = [str(role) for role in fields.getlist("roles")]
    id, link, error = text(fields, "person"), "", None
    try:
        if text(fields, "what") == "add":
            who = await asyncio.to_thread(house.people.add, id, text(fields, "name"), roles, by=by)
            if who.may("player"):
                await asyncio.to_thread(house.give, who, ALLOWANCE, by=by)
            link = await asyncio.to_thread(house.people.open_session, who, "link")
        else:
            await asyncio.to_thread(house.people.change_roles, id, roles, by=by)
    except Refused as refusal:
        error = refusal
    everybody = _everybody(request)
    return page(
        request,
        "people.html",
        422 if error else 200,
        everybody=everybody,
        roles=ROLES,
        link=f"{request.base_url}link/{link}" if link else "",
        error=error,
    )


async def me(request: Request) -> Response:
    """Who I am: my purse, my roles, and a door for programs."""
    who = person(request) or signed_in(request)
    return page(request, "me.html", purse=casino(request).purse_of(who.id), roles=ROLES, token="")


async def make_token(request: Request) -> Response:
    await form(request)
    who = signed_in(request)
    token = await asyncio.to_thread(casino(request).people.open_session, who, "api")
    return page(
        request, "me.html", purse=casino(request).purse_of(who.id), roles=ROLES, token=token
    )


ROUTES = [
    Route("/sign-in", sign_in_page),
    Route("/sign-in", sign_in, methods=["POST"]),
    Route("/sign-out", sign_out, methods=["POST"]),
    Route("/demonstration", enter_demonstration, methods=["POST"]),
    Route("/link/{token}", link_page),
    Route("/link/{token}", use_link, methods=["POST"]),
    Route("/people", people_page),
    Route("/people", change_people, methods=["POST"]),
    Route("/me", me),
    Route("/me/token", make_token, methods=["POST"]),
]
