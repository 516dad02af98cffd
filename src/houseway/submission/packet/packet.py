"""`packet`: the documents to file and to post, and a bundle of all of it as JSON.

The same submission gives the same bytes, always: nothing here asks for the hour or the machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import msgspec

from houseway.documents import typeset
from houseway.drawing import Look, draw, sign
from houseway.drawing.clause_key import KeyEntry, entries
from houseway.drawing.dimensions import position_detail, spacing
from houseway.drawing.export import SCALE, size_of
from houseway.drawing.layout.geometry import BACK, FELT, RAIL
from houseway.drawing.layout.layout import lay_out
from houseway.drawing.layout.places import Layout
from houseway.drawing.outlines import outlined, words_of
from houseway.errors import Refused, choose_from
from houseway.submission.checks.run_checks import Checked
from houseway.submission.checks.unfinished import devices_of
from houseway.submission.file import Submission
from houseway.submission.packet.checklist import checklist, particulars
from houseway.submission.packet.clause_matrix import matrix
from houseway.submission.packet.letter import letter, signatures
from houseway.submission.packet.mathematics import mathematics
from houseway.submission.packet.procedure_card import procedure_card
from houseway.submission.packet.redline import redline

#: the scale of one position on paper, which is drawn larger than the layout
_DETAIL_SCALE = 2.5


def packet(
    checked: Checked, only: Iterable[str] = (), against: Checked | None = None
) -> dict[str, bytes]:
    """The files of the packet by name; `only` names the documents wanted, all where it is empty.

    `against` is an earlier submission, in force until now: with it the packet has a redline.
    """
    wanted = tuple(only) or (*DOCUMENTS, "bundle")
    for name in wanted:
        if name not in DOCUMENTS and name != "bundle":
            raise Refused(
                "no_such_document",
                f"there is no document {name!r}",
                remedy=choose_from(name, (*DOCUMENTS, "bundle")),
                field="only",
            )
    submission = checked.submission
    if submission is None or not checked.passes:
        raise Refused("submission_fails", "a packet is made of a submission that passes")
    if against is not None and against.submission is None:
        raise Refused("submission_fails", "the earlier submission cannot be read", field="against")
    files: dict[str, bytes] = {}
    contents: dict[str, Any] = {}
    for number, (name, make) in enumerate(DOCUMENTS.items()):
        if name == "redline" and against is None:
            if tuple(only) and name in wanted:
                raise Refused(
                    "no_earlier_submission", "a redline needs the earlier submission: --against FILE",
                    field="against",
                )  # fmt: skip
            continue
        if name in wanted or "bundle" in wanted:
            content = contents[name] = make(submission, checked, against)
            if name in wanted:
                files |= _files(checked, submission, f"{number}-{name}", name, content)
    if "bundle" in wanted:
        files["packet.json"] = _bundle(checked, submission, contents, files)
    return files


def _files(
    checked: Checked, submission: Submission, file: str, sheet: str, content: Any
) -> dict[str, bytes]:
    about, who = submission.chapter.about, submission.who
    reference = (who.reference, who.date.isoformat(), submission.hash[:16])
    pdf = typeset(
        f"packet_{sheet}",
        {
            "title": TITLES[sheet],
            "subtitle": f"{about.game}, {about.jurisdiction}",
            "reference": " · ".join(filter(None, reference)),
            "hash": submission.hash,
            "draft": bool(checked.empty),
            "operator": who.operator,
            "content": content,
        },
    )
    found = {f"{file}.pdf": pdf}
    if sheet == "layout":
        found[f"{file}.svg"] = content["svg"].encode()
    if sheet == "signs":
        for one in content["signs"]:
            found[f"{file}-{one['name']}.svg"] = one["svg"].encode()
    return found


def _bundle(
    checked: Checked, submission: Submission, contents: dict[str, Any], files: dict[str, bytes]
) -> bytes:
    """Everything in the packet as data, and the hash of each file beside it."""
    whole = {
        "submission": submission.as_file(),
        "hash": submission.hash,
        "rules_hash": submission.rules.hash,
        "chapter": submission.chapter.id,
        "edition": submission.chapter.about.edition,
        "edition_hash": submission.chapter.hash,
        "findings": [msgspec.to_builtins(finding) for finding in checked.findings],
        **contents,
        "par": msgspec.to_builtins(_par(submission)),
        "files": {name: hashlib.sha256(body).hexdigest() for name, body in sorted(files.items())},
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n"


def _par(submission: Submission) -> Any:
    from houseway.maths.par import par

    return par(submission.chapter, submission.rules).out()


def _letter(submission: Submission, checked: Checked, against: Checked | None) -> dict[str, Any]:
    made = [name for name in DOCUMENTS if name != "redline" or against is not None]
    return letter(submission, checked, TITLES, made)


def _redline(submission: Submission, checked: Checked, against: Checked | None) -> dict[str, Any]:
    del checked
    assert against is not None
    assert against.submission is not None
    return redline(against.submission, submission)


def _layout(submission: Submission, *_: Checked | None) -> dict[str, Any]:
    rules = submission.rules
    look = Look(
        theme="paper",
        measured=True,
        seats=submission.table.seats,
        house=submission.who.operator,
        signs=frozenset(submission.layout.sign) - frozenset(submission.layout.felt),
    )
    laid = lay_out(rules, look.seats, look.house, look.signs)
    drawn, detail = draw(rules, look=look), position_detail(laid)
    width, height = size_of(drawn)
    return {
        "svg": outlined(drawn),
        "words": words_of(drawn),
        "scale": f"1 : {SCALE}",
        "width_mm": width,
        "height_mm": height,
        "detail": {
            "svg": outlined(detail),
            "words": words_of(detail),
            "scale": f"1 : {_DETAIL_SCALE:g}",
            "width_mm": size_of(detail)[0] * SCALE / _DETAIL_SCALE,
        },
        "key": [
            [str(number), _keyed(submission, one), one.size, one.clause]
            for number, one in enumerate(entries(rules, laid), 1)
        ],
        "felt": [
            ["Felt", f"{2 * FELT:,.0f} wide, {FELT + BACK:,.0f} deep, color {submission.layout.color}"],
            ["Table with its rail", f"{2 * (FELT + RAIL):,.0f} wide, {FELT + RAIL + BACK:,.0f} deep"],
            *_between_positions(laid),
        ],
    }  # fmt: skip


def _between_positions(laid: Layout) -> list[list[str]]:
    apart = spacing(laid)
    many = f"{laid.seats}, {apart:,.0f} apart along the edge of the felt" if apart else "1"
    return [["Positions", many]]


#: the devices of a submission by what stands for them on the layout
_ON_LAYOUT = {
    "dealing_shoe": ("dealing_shoe", "automated_shoe", "continuous_shuffler"),
    "shuffler": ("shuffler",),
    "card_reader": ("reader",),
    "progressive_control": ("progressive_system",),
    "progressive_meter": ("progressive_system",),
}


def _keyed(submission: Submission, one: KeyEntry) -> str:
    """What a number of the key stands for; a device with its make, model and approval."""
    for id in _ON_LAYOUT.get(one.device, ()):
        device = submission.devices.get(id)
        if id in devices_of(submission.rules) and device is not None:
            made = " ".join(filter(None, (device.make, device.model)))
            approved = f"approval {device.approval}" if device.approval else ""
            told = ", ".join(filter(None, (made, approved)))
            return f"{one.name}. {told}" if told else one.name
    if one.device == "tip_box":
        usual, _, _ = one.name.partition("; ")
        if submission.table.tip_box == "elsewhere":
            return f"{usual.partition(':')[0]}: elsewhere, as approved; drawn at the usual place"
        return usual
    return one.name


#: devices that may be out of order, by option and value, and what the sign is for
_DEVICES = (
    ("shuffler", ("plain", "counting", "reshuffling"), "shuffler", "the card shuffler"),
    ("dealing", ("automated_shoe",), "shoe", "the automated dealing shoe"),
    ("dealing", ("continuous_shuffler",), "shuffler", "the continuous shuffler"),
)


_SIGNS = {
    "payouts": "Payouts",
    "payout_limit": "Payout limit",
    "limits": "Least and greatest wagers",
    "no_surrender": "No surrender",
    "out_of_order": "Out of order",
}


def _signs(submission: Submission, *_: Checked | None) -> dict[str, Any]:
    """The signs that stand at the table: what the layout leaves to a sign, and what devices need."""
    rules, law = submission.rules, submission.chapter
    posted = {item.id: item.clause for item in law.about.inscriptions}
    asked = [("payouts", "payouts", "for the table", posted["payouts"])]
    if rules.options.get("payout_limit", "none") != "none":
        asked.append(("payout_limit", "payout_limit", "for the table", posted["payout_limit"]))
    if rules.limits:
        asked.append(("limits", "limits", "for the table", posted.get("limits", "")))
    if "no_surrender" in submission.layout.sign:
        asked.append(("no_surrender", "no_surrender", "for the table", posted["no_surrender"]))
    fact = law.about.facts.get("out_of_order")
    for option, values, name, device in _DEVICES if fact else ():
        if rules[option] in values:
            assert fact is not None
            asked.append((f"out_of_order-{name}", "out_of_order", f"for {device}", fact.clause))
    house = submission.who.operator
    return {
        "signs": [
            {
                "name": name,
                "title": _SIGNS[kind]
                + (f": {device.removeprefix('for ')}" if kind == "out_of_order" else ""),
                "for": device,
                "clause": clause,
                "svg": outlined(drawn),
                "words": words_of(drawn),
            }
            for name, kind, device, clause in asked
            for drawn in (sign(rules, kind, house=house),)
        ]
    }


def _checklist(submission: Submission, *_: Checked | None) -> dict[str, Any]:
    return {**checklist(submission), "signatures": signatures(submission)}


def _procedure(submission: Submission, *_: Checked | None) -> dict[str, Any]:
    return {"particulars": particulars(submission)[:2], "parts": _card(submission)}


def _mathematics(submission: Submission, *_: Checked | None) -> dict[str, Any]:
    return mathematics(submission.rules)


def _clauses(submission: Submission, *_: Checked | None) -> dict[str, Any]:
    return {"rows": matrix(submission, _card(submission))}


@lru_cache(maxsize=8)
def _card(submission: Submission) -> list[dict[str, Any]]:
    """The procedure card, which the clause matrix refers to; a table is played through once."""
    return procedure_card(submission)


#: the documents in the order they are filed, and who makes each
DOCUMENTS: dict[str, Callable[[Submission, Checked, Checked | None], dict[str, Any]]] = {
    "letter": _letter,
    "checklist": _checklist,
    "layout": _layout,
    "signs": _signs,
    "procedure": _procedure,
    "mathematics": _mathematics,
    "clauses": _clauses,
    "redline": _redline,
}
TITLES = {
    "letter": "Cover letter",
    "checklist": "Rules Submission",
    "layout": "Table layout",
    "signs": "Signs",
    "procedure": "Dealer’s procedure card",
    "mathematics": "Mathematical report",
    "clauses": "Clause matrix",
    "redline": "Redline",
}
