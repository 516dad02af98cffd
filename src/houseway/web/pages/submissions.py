"""The Rules Submission on a page: choose, see every finding and hold at once, file, approve, open."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from houseway.errors import Refused
from houseway.floor import clock
from houseway.floor import submissions as filed
from houseway.floor.people.directory import Person
from houseway.law import Chapter, Rules, chapter, chapters, choose
from houseway.law.chapter import Choice, Option
from houseway.law.choices import shown
from houseway.law.required import in_force, required_equipment
from houseway.maths.par import base_wager
from houseway.submission import check, check_text
from houseway.submission.checks.equipment_checks import holds
from houseway.submission.checks.unfinished import devices_of
from houseway.submission.file import TOGETHER, Approved
from houseway.table.procedure.opening import float_of
from houseway.web.page_support import (
    Json,
    body,
    casino,
    download,
    form,
    page,
    person,
    render,
    signed_in,
    table_name,
)
from houseway.web.pages.mathematics import law_of
from houseway.web.pages.par_sheets import SheetSoFar, sheet_of
from houseway.web.pages.start import waiting_submission
from houseway.web.server.background_compute import Counting, counted
from houseway.web.table.felt import felt_of


def _today() -> dt.date:
    return dt.date.fromisoformat(clock.now()[:10])


# what a form says, as a file


class Draft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The form as it is being filled in; everything is text."""

    rules: dict[str, str] = {}
    who: dict[str, str] = {}
    limits: dict[str, dict[str, str]] = {}
    meters: dict[str, dict[str, str]] = {}
    seats: str = ""
    approvals: dict[str, dict[str, str]] = {}
    devices: dict[str, dict[str, str]] = {}


#: what the form is filled in with to begin with, beside names and dates
_HOUSE = {
    "license": "HW-1",
    "title": "Compliance officer",
    "contact": "compliance@houseway.example",
}
_DEVICE = {"make": "Houseway", "model": "System device", "approval": "HW-1"}


def as_file(law: Chapter, given: Draft) -> dict[str, Any]:
    """The submission that a form describes; what the chapter requires at the table is furnished."""
    try:
        rules = choose(law, {k: v for k, v in given.rules.items() if v})
    except Refused:
        rules = choose(law)
    inscribed = [i.id for i in law.about.inscriptions if in_force(rules, i.when)]
    needed = [
        one
        for one in law.about.approvals
        if holds(one.needed, {**rules.options, "tip_box": "across"})
    ]
    return {
        "chapter": law.id,
        "edition": law.about.edition,
        "submission": {**_HOUSE, **given.who},
        "rules": {k: v for k, v in given.rules.items() if v},
        "limits": {
            wager: kept
            for wager, limit in given.limits.items()
            if (rules.offers(wager) or wager not in law.wagers)
            and (kept := {end: amount for end, amount in limit.items() if amount})
        },
        "meters": {
            name: terms for name, terms in given.meters.items() if name in rules.meter_names
        },
        "table": {
            "seats": _seats(given.seats) if given.seats else law.number("seats"),
            "equipment": list(required_equipment(rules)),
            "tip_box": "across",
        },
        "devices": {id: given.devices.get(id, _DEVICE) for id in devices_of(rules)},
        "layout": {"felt": inscribed, "sign": []},
        "approvals": {
            one.id: (
                given.approvals[one.id]
                if given.approvals.get(one.id, {}).get("reference")
                else TOGETHER
            )
            for one in needed
        },
    }


def _seats(text: str) -> int | str:
    """A number of positions; text that is not a number stays as typed and becomes a finding."""
    return int(text) if text.isdecimal() and len(text) < 4 else text


def _starting(law: Chapter, who: str) -> Draft:
    rules = choose(law)
    today = _today().isoformat()
    return Draft(
        rules={id: _plain(rules, id) for id in law.options},
        who={
            "operator": "Houseway", "facility": "Main floor", "submitted_by": who,
            "reference": "1", "date": today, "in_force": today, **_HOUSE,
        },
        limits={
            wager.id: {"min": "5.00", "max": "500.00"}
            for wager in law.wagers.values()
            if wager.kind == "standard"
        },
        seats=str(law.number("seats")),
    )  # fmt: skip


def _plain(rules: Rules, id: str) -> str:
    value = rules.as_file()["rules"].get(id)
    return shown(value) if isinstance(value, bool) else str(value)


# the hold of every choice


def _holds(
    law: Chapter, sheet: SheetSoFar | None, given: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """What the house keeps with each choice of an option, where that follows from the choice."""
    found: dict[str, dict[str, str]] = {}
    for entry in sheet.wagers if sheet is not None else ():
        edge = entry.house_edge_percent or (entry.at.house_edge_percent if entry.at else "")
        if not edge:
            continue
        option, value = entry.wager, entry.paytable
        base = base_wager(law, entry.wager)
        if option not in law.options and base is not None and base.kind == "standard":
            # the main wager is chosen by what else its figures depend on
            columns = msgspec.structs.asdict(entry) | entry.columns
            chosen = {
                name: str(one) for name, one in columns.items() if name in law.options and one
            }
            option = next(iter(chosen), option)
            value = chosen.pop(option, value)
            # the figure is that of the game whose other options are as chosen
            if any(given.get(name, one) != one for name, one in chosen.items()):
                continue
        known = found.setdefault(option, {})
        known.setdefault(value, f"{float(edge):.2f}%")
    return found


def _options(
    law: Chapter, given: Mapping[str, str], sheet: SheetSoFar | None
) -> list[dict[str, Any]]:
    keeps = _holds(law, sheet, given)
    found = []
    for option in law.options.values():
        choices = [
            {
                "value": shown(choice.value),
                "label": _label(option, choice),
                "says": choice.says,
                "clause": choice.clause,
                "hold": keeps.get(option.id, {}).get(str(choice.value), ""),
                "chosen": given.get(option.id) == shown(choice.value),
            }
            for choice in option.choices
        ]
        known = [choice["value"] for choice in choices]
        found.append(
            {
                "option": option,
                "choices": choices,
                "amount": option.accepts == "amount",
                "other": given.get(option.id, "") if given.get(option.id) not in known else "",
            }
        )
    return found


def _label(option: Option, choice: Choice) -> str:
    """A choice in words: what is on or off by what that means."""
    if isinstance(choice.value, bool) or choice.value == "none":
        offered = any(one.says == "not offered" for one in option.choices)
        return "offered" if choice.value is True and offered else choice.says
    return str(choice.value).replace("_", " ")


# pages


async def contents(request: Request) -> Response:
    log = casino(request).log

    def look() -> list[dict[str, Any]]:
        return [
            {
                "kept": kept,
                "law": chapter(kept.chapter).about if kept.chapter in chapters() else None,
                "stage": register.stage_on(kept, _today()),
            }
            for register in filed.registers(log)
            for kept in register.kept.values()
        ]

    kept, who = await asyncio.to_thread(look), person(request)
    laws = [chapter(id) for id in chapters()]
    waiting = [
        one["kept"].hash
        for one in kept
        if one["stage"] == "submitted" and who and one["kept"].marks[-1].who != who.id
    ]
    if waiting and who and who.may("compliance"):
        start = waiting_submission(waiting[0])
        return page(request, "submissions.html", kept=kept, chapters=laws, start=start)
    return page(request, "submissions.html", kept=kept, chapters=laws)


async def new_page(request: Request) -> Response:
    law = law_of(request)
    who = person(request)
    draft = _starting(law, who.name if who else "")
    sheet = None
    with contextlib.suppress(Counting):
        sheet = await sheet_of(law.id, 3.0)
    options = _options(law, draft.rules, sheet)
    findings = await _findings(law, draft)
    return page(
        request, "submission_new.html", law=law, draft=draft, options=options,
        findings=findings, wagers=[w for w in law.wagers.values() if w.kind != "follows"],
    )  # fmt: skip


def _text(file: Mapping[str, Any]) -> str:
    return json.dumps(file, indent=1, ensure_ascii=False) + "\n"


async def _findings(law: Chapter, draft: Draft) -> str:
    """Findings, holds and the felt of a draft, as one fragment."""
    file = as_file(law, draft)
    keeps = await _keeps(_text(file))
    return await asyncio.to_thread(_fragment, law, draft, file, keeps)


def _fragment(
    law: Chapter, draft: Draft, file: Mapping[str, Any], keeps: list[tuple[str, str, str]]
) -> str:
    checked = check(file)
    submission = checked.submission
    felt, needed = "", []
    meters: tuple[str, ...] = ()
    if submission is not None:
        felt = felt_of(submission.rules, prefix="s-", house=submission.who.operator).whole()
        meters = submission.rules.meter_names
        needed = [
            one
            for one in law.about.approvals
            if holds(one.needed, {**submission.rules.options, "tip_box": "across"})
        ]
    return render(
        "findings.html", law=law, checked=checked, felt=felt, meters=meters, needed=needed,
        draft=draft, keeps=keeps, device=_DEVICE,
        devices=devices_of(submission.rules) if submission is not None else {},
    )  # fmt: skip


def kept_of(text: str) -> list[tuple[str, str, str]]:
    """What the house keeps of each wager under the rules of a file: wager, paytable, percent."""
    from houseway.submission.packet.holds import columns_text
    from houseway.submission.packet.holds import holds as exactly

    submission = check_text(text, "submission.json").submission
    if submission is None:
        return []
    found: dict[tuple[str, str], tuple[str, str, str]] = {}
    for one in exactly(submission.rules):
        depends = columns_text(submission.rules.chapter, one.columns)
        table = f"{one.paytable} ({depends})" if depends else one.paytable
        # where it depends on how many play, the first stands for all
        found.setdefault((one.name, one.paytable), (one.name, table, one.percent))
    return list(found.values())


async def _keeps(text: str, patience: float = 3.0) -> list[tuple[str, str, str]]:
    try:
        found: list[tuple[str, str, str]] = await counted(kept_of, text, patience=patience)
    except Counting:
        return [("Computing…", "", "")]
    return found


async def check_draft(request: Request) -> Response:
    """While somebody types: every finding with its clause, the holds, the felt."""
    law = law_of(request)
    draft: Draft = await body(request, Draft)
    return Json({"html": await _findings(law, draft)})


async def file_draft(request: Request) -> Response:
    """Put a submission on record: drafted, checked and submitted in one's own name."""
    law = law_of(request)
    draft: Draft = await body(request, Draft)
    who = signed_in(request, "compliance")
    whole = _text(as_file(law, draft))
    log = casino(request).log

    def file() -> str:
        kept = filed.draft(log, whole, "submission.json", who=who.id, now=clock.now())
        for act in ("check", "submit"):
            if kept.stage == {"check": "draft", "submit": "checked"}[act]:
                kept = filed.act(log, kept.hash, act, who=who.id, now=clock.now())
        return kept.hash

    return Json({"submission": await asyncio.to_thread(file)})


async def one_page(request: Request) -> Response:
    return await _one_page(request)


async def _one_page(request: Request, refusal: Refused | None = None) -> Response:
    hash = request.path_params["hash"]
    register, kept = await asyncio.to_thread(filed.find, casino(request).log, hash)
    checked = await asyncio.to_thread(check_text, kept.text, kept.name)
    assert checked.submission is not None
    return page(
        request,
        "submission.html",
        422 if refusal else 200,
        refusal=refusal,
        kept=kept,
        stage=register.stage_on(kept, _today()),
        checked=checked,
        rules=checked.submission.rules,
        law=checked.submission.chapter,
        felt=felt_of(
            checked.submission.rules, prefix="s-", house=checked.submission.who.operator
        ).whole(),
        filer=next((mark.who for mark in kept.marks if mark.stage == "submitted"), ""),
        keeps=await _keeps(kept.text) if kept.name.endswith(".json") else [],
        tables=sorted(casino(request).tables),
        approved=Approved,
    )


async def approve(request: Request) -> Response:
    """A second person approves; whoever filed it is refused."""
    await form(request)
    who = signed_in(request, "compliance")
    hash = request.path_params["hash"]
    try:
        await asyncio.to_thread(
            filed.act, casino(request).log, hash, "approve", who=who.id, now=clock.now()
        )
    except Refused as refusal:
        return await _one_page(request, refusal)
    return _back(hash)


def _back(hash: str) -> Response:
    return RedirectResponse(f"/submissions/{hash}", status_code=303)


async def open_table(request: Request) -> Response:
    """Open a table with the submission that is in force today."""
    fields = await form(request)
    who = signed_in(request, "floorperson")
    try:
        name = await _opened(request, table_name(fields, "name"), who)
    except Refused as refusal:
        return await _one_page(request, refusal)
    return RedirectResponse(f"/tables/{name}?as=floorperson", status_code=303)


async def _opened(request: Request, name: str, who: Person) -> str:
    house, hash = casino(request), request.path_params["hash"]
    if name in house.tables and house.table(name).state.phase != "closed":
        raise Refused("name_taken", f"there is an open table {name}", field="name")

    def look() -> Rules:
        register, kept = filed.find(house.log, hash)
        in_force_now = register.for_a_table(_today())
        if in_force_now.hash != kept.hash:
            raise Refused("not_in_force", "another submission is in force for this game")
        return filed.open_with(
            house.log, name, kept.chapter, kept.facility, who=who.id, now=clock.now()
        )[0]

    rules = await asyncio.to_thread(look)
    await house.open(name, rules, float_of("50000.00"), by=who.id)
    return name


async def packet_file(request: Request) -> Response:
    """The packet to file, as one archive."""
    who = signed_in(request, "compliance", "floorperson", "administrator")
    hash = request.path_params["hash"]
    register, kept = await asyncio.to_thread(filed.find, casino(request).log, hash)
    before = register.in_force_on(_today())

    def make() -> bytes:
        from houseway.submission.packet.packet import packet

        earlier = before is not None and before.hash != kept.hash
        against = check_text(before.text, before.name) if earlier and before else None
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in packet(check_text(kept.text, kept.name), against=against).items():
                archive.writestr(name, content)
        return whole.getvalue()

    data = await asyncio.to_thread(make)
    return await download(request, who, "packet", f"submission {kept.hash[:12]}", data)


ROUTES = [
    Route("/submissions", contents),
    Route("/submissions/new/{chapter}", new_page),
    Route("/submissions/new/{chapter}/check", check_draft, methods=["POST"]),
    Route("/submissions/new/{chapter}", file_draft, methods=["POST"]),
    Route("/submissions/{hash}", one_page),
    Route("/submissions/{hash}/approve", approve, methods=["POST"]),
    Route("/submissions/{hash}/open", open_table, methods=["POST"]),
    Route("/submissions/{hash}/packet.zip", packet_file),
]
