"""The table's tray, for the floorperson: the closing count, fills and credits, corrections.

Chips are counted by value beside what the record makes of them. The table closes with a count that
differs only if the floorperson confirms it, and the difference is recorded.
"""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from houseway.drawing.pieces.chips import CHIPS, chip_id
from houseway.errors import Refused
from houseway.floor.casino import command_of
from houseway.floor.live_table import Live
from houseway.floor.people.duties import FILL_LIMIT
from houseway.money import Cents, dollars, spoken
from houseway.table import rules_of
from houseway.table.procedure.tray import total
from houseway.untrusted import whole_number
from houseway.web.page_support import casino, form, page, signed_in, text
from houseway.web.table.command_routes import SECOND, Sent, check_duties, checked_key, note_refusal
from houseway.web.table.felt import page_symbols
from houseway.web.table.picture import names

_DRAWN = {chip.worth: chip for chip in CHIPS}
_MOST = 1_000_000
#: what the page asks for, as the table's command
_KINDS = {
    "close": "close_table", "correct": "correct_payment", "fill": "fill", "credit": "credit",
}  # fmt: skip


def _values(live: Live) -> list[Cents]:
    """Every chip value, in the tray or in the box of chips."""
    return sorted({*live.state.tray, *_DRAWN}, reverse=True)


def _shown(request: Request, given: dict[Cents, int], status: int = 200, **more: Any) -> Response:
    house, name = casino(request), request.path_params["table"]
    live = house.fresh(name)
    held = live.state.tray
    rows = [
        {
            "value": value,
            "chip": chip_id(_DRAWN[value]) if value in _DRAWN else "",
            "held": held.get(value, 0),
            "given": given.get(value, ""),
        }
        for value in _values(live)
    ]
    return page(
        request, "tray.html", status, name=name, about=rules_of(live.state).chapter.about,
        table=live.state, rows=rows, total=total(held), names=names(house, live),
        symbols=page_symbols(), difference=total(given) - total(held),
        fill_limit=FILL_LIMIT,
        **{"error": None, "sure": False, "done": "", "what": "", **more},
    )  # fmt: skip


async def tray_page(request: Request) -> Response:
    signed_in(request, "floorperson")
    return _shown(request, {}, done=request.query_params.get("done", ""))


def _counted(live: Live, fields: FormData) -> dict[Cents, int]:
    """The chips that were counted, by value; an empty field is none."""
    found: dict[Cents, int] = {}
    for value in _values(live):
        given = text(fields, f"chips-{value}")
        count = whole_number(given, _MOST)
        if given and count is None:
            raise Refused(
                "not_a_count",
                f"{given[:20]!r} is not a number of {spoken(value)} chips",
                field=f"chips-{value}",
            )
        if count is not None:
            found[value] = count
    return found


async def change_tray(request: Request) -> Response:
    fields = await form(request)
    who = signed_in(request, "floorperson")
    house, name = casino(request), request.path_params["table"]
    live, what = house.fresh(name), text(fields, "what")
    given: dict[Cents, int] = {}
    try:
        given = _counted(live, fields)
        chips = {dollars(value): count for value, count in given.items()}
        if what == "close":
            # what is counted by hand is compared before it is final
            if total(given) != total(live.state.tray) and not text(fields, "sure"):
                return _shown(request, given, 422, sure=True, what=what)
            sent: dict[str, Any] = {"count": chips}
        elif what == "correct":
            sent = {one: text(fields, one) for one in ("amount", "to", "reason")}
            seat = whole_number(text(fields, "seat"), 99)
            if seat is None:
                raise Refused("not_a_seat", "choose the seat", field="seat")
            sent["seat"] = seat
        else:
            sent = {"chips": chips}
        kind = _KINDS.get(what)
        if kind is None:
            raise Refused("no_such_command", "choose what to do with these chips", field="what")
        signed = msgspec.convert(
            {"command": kind, **{name: text(fields, name) for name in SECOND}}, Sent
        )
        check = await check_duties(request, live, who, "floorperson", signed, sent)
        key = checked_key(text(fields, "key"))
        made = command_of(kind, sent, role="floorperson", who=who.id)
        await house.act(name, made, key=f"{who.id}:{key}:{what}", check=check)
    except (Refused, ValueError) as error:
        refusal = error if isinstance(error, Refused) else Refused("not_a_seat", "choose a seat")
        await note_refusal(request, name, who, _KINDS.get(what, what), refusal)
        return _shown(request, given, 422, error=refusal, what=what)
    if what == "close":
        return RedirectResponse("/floor", status_code=303)
    return RedirectResponse(f"/tables/{name}/tray?done={what}", status_code=303)


ROUTES = [
    Route("/tables/{table}/tray", tray_page),
    Route("/tables/{table}/tray", change_tray, methods=["POST"]),
]
