"""`packet`: the documents to file and to post, and a bundle of all of it as JSON.

The same submission gives the same bytes, always: nothing here asks for the hour or the machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from houseway.documents import typeset
from houseway.drawing import Look, draw, sign
from houseway.drawing.export import size_of
from houseway.errors import Refused
from houseway.submission.checks.run_checks import Checked
from houseway.submission.file import Submission
from houseway.submission.packet.checklist import checklist, particulars
from houseway.submission.packet.clause_matrix import matrix
from houseway.submission.packet.mathematics import mathematics
from houseway.submission.packet.procedure_card import procedure_card

#: the scale of the layout on paper
SCALE = 6


def packet(checked: Checked, only: Iterable[str] = ()) -> dict[str, bytes]:
    """The files of the packet by name; `only` names the documents wanted, all where it is empty."""
    wanted = tuple(only) or (*DOCUMENTS, "bundle")
    for name in wanted:
        if name not in DOCUMENTS and name != "bundle":
            raise Refused(
                "no_such_document",
                f"there is no document {name!r}; there are {', '.join(DOCUMENTS)} and bundle",
                field="only",
            )
    submission = checked.submission
    if submission is None or not checked.passes:
        raise Refused("submission_fails", "a packet is made of a submission that passes")
    files: dict[str, bytes] = {}
    contents: dict[str, Any] = {}
    for number, (name, make) in enumerate(DOCUMENTS.items(), 1):
        if name in wanted or "bundle" in wanted:
            content = contents[name] = make(submission, checked)
            if name in wanted:
                files |= _files(submission, f"{number}-{name}", name, content)
    if "bundle" in wanted:
        files["packet.json"] = _bundle(checked, submission, contents, files)
    return files


def _files(submission: Submission, file: str, sheet: str, content: Any) -> dict[str, bytes]:
    about = submission.chapter.about
    pdf = typeset(
        f"packet_{sheet}",
        {
            "title": TITLES[sheet],
            "subtitle": f"{about.game}, {about.jurisdiction}",
            "reference": f"{submission.who.date.isoformat()}  {submission.hash}",
            "operator": submission.who.operator,
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


def _layout(submission: Submission, checked: Checked) -> dict[str, Any]:
    del checked
    svg = draw(
        submission.rules,
        look=Look(
            theme="paper",
            key=True,
            seats=submission.table.seats,
            house=submission.who.operator,
            signs=frozenset(submission.layout.sign) - frozenset(submission.layout.felt),
        ),
    )
    from houseway.drawing.export import SCALE as DRAWN

    width, height = (side * DRAWN / SCALE for side in size_of(svg))
    return {"svg": svg, "scale": f"1 : {SCALE}", "width_mm": width, "height_mm": height}


#: devices that may be out of order, by option and value, and what the sign is for
_DEVICES = (
    ("shuffler", ("plain", "counting", "reshuffling"), "shuffler", "the card shuffler"),
    ("dealing", ("automated_shoe",), "shoe", "the automated dealing shoe"),
    ("dealing", ("continuous_shuffler",), "shuffler", "the continuous shuffler"),
)


def _signs(submission: Submission, checked: Checked) -> dict[str, Any]:
    """The signs that stand at the table: what the layout leaves to a sign, and what devices need."""
    del checked
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
            {"name": name, "for": device, "clause": clause, "svg": sign(rules, kind, house=house)}
            for name, kind, device, clause in asked
        ]
    }


def _checklist(submission: Submission, checked: Checked) -> dict[str, Any]:
    return checklist(submission, checked.warnings)


def _procedure(submission: Submission, checked: Checked) -> dict[str, Any]:
    del checked
    return {"particulars": particulars(submission)[:2], "parts": procedure_card(submission)}


def _mathematics(submission: Submission, checked: Checked) -> dict[str, Any]:
    del checked
    return mathematics(submission.rules)


def _clauses(submission: Submission, checked: Checked) -> dict[str, Any]:
    del checked
    return {"rows": matrix(submission)}


#: the documents in the order they are filed, and who makes each
DOCUMENTS: dict[str, Callable[[Submission, Checked], dict[str, Any]]] = {
    "checklist": _checklist,
    "layout": _layout,
    "signs": _signs,
    "procedure": _procedure,
    "mathematics": _mathematics,
    "clauses": _clauses,
}
TITLES = {
    "checklist": "Rules Submission",
    "layout": "Table layout",
    "signs": "Signs",
    "procedure": "Dealer’s procedure card",
    "mathematics": "Mathematical report",
    "clauses": "Clause matrix",
}
