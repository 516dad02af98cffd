"""What a submission leaves empty and only a person can fill in: names, numbers, devices.

Such a file passes, so that work on it can begin; its packet is a draft, and it cannot be filed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from difflib import get_close_matches

from houseway.law import Rules
from houseway.submission.file import Submission
from houseway.submission.finding import Finding, error, warning

#: the fields of `[submission]` that name somebody or something, and what each asks for
NAMES = {
    "operator": "the operator's name, as it stands on the felt",
    "license": "the number of the operator's license or certificate",
    "facility": "the facility",
    "submitted_by": "the name of whoever signs",
    "title": "the title of whoever signs",
    "contact": "a telephone number or an e-mail address for questions",
    "reference": "the operator's own number for this submission",
}
#: what earlier versions wrote into a starting file
_SAMPLES = (
    "The operator's name, as it stands on the felt",
    "The facility",
    "Name and office of whoever signs",
    "…",
)
_DEVICE_NAMES = {
    "dealing_shoe": "Dealing shoe",
    "automated_shoe": "Automated dealing shoe",
    "continuous_shuffler": "Continuous shuffler",
    "shuffler": "Card shuffler",
    "progressive_system": "Progressive system",
    "reader": "Card reader",
}
_DEVICE_FIELDS = {"make": "the maker", "model": "the model", "approval": "the approval number"}
#: on the felt a longer name would be a hairline
_MOST = {"operator": 60, "color": 40}
_MOST_OTHER = 200
EMPTY = "empty"


def is_empty(text: str) -> bool:
    return not text.strip() or text.strip() in _SAMPLES


def devices_of(rules: Rules) -> dict[str, str]:
    """The devices that cards and progressive wagers go through at this table, with their names."""
    options = rules.options
    found = []
    if options["dealing"] in ("manual_shoe", "shoe"):
        found.append("dealing_shoe")
    elif options["dealing"] != "hand":
        found.append(str(options["dealing"]))
    if options["shuffler"] != "none":
        found.append("shuffler")
    found += [item.device for item in rules.chapter.about.equipment if item.device]
    if rules.meter_names:
        found.append("progressive_system")
    return {id: device_name(id) for id in found}


def device_name(id: str) -> str:
    return _DEVICE_NAMES.get(id) or id.replace("_", " ").capitalize()


def unfinished(submission: Submission) -> Iterator[Finding]:
    """A warning for every name and number that is still empty."""
    for field, says in NAMES.items():
        given = getattr(submission.who, field)
        if is_empty(given) and (submission.stated("submission", field) or field in _LATER):
            yield warning(
                EMPTY, f"submission.{field}", f"{field.replace('_', ' ')} is empty", f"give {says}"
            )
    for id, name in devices_of(submission.rules).items():
        entry = submission.devices.get(id)
        for field, says in _DEVICE_FIELDS.items():
            if entry is None or is_empty(getattr(entry, field)):
                yield warning(
                    EMPTY,
                    f"devices.{id}.{field}",
                    f"{name}: {says} is empty",
                    f"give {says}, as its approval states it",
                )
    for id, approval in submission.approvals.items():
        if not isinstance(approval, str) and is_empty(approval.reference):
            yield warning(
                EMPTY, f"approvals.{id}", "the approval has no number", "give the approval's number"
            )


#: files of earlier versions have no such field
_LATER = ("license", "title", "contact")


def names(submission: Submission) -> Iterator[Finding]:
    """Names that can be printed: no longer than there is room, of characters that the fonts have."""
    texts = {f"submission.{field}": getattr(submission.who, field) for field in NAMES}
    for id, entry in submission.devices.items():
        texts |= {f"devices.{id}.{field}": getattr(entry, field) for field in _DEVICE_FIELDS}
    for id, approval in submission.approvals.items():
        if not isinstance(approval, str):
            texts[f"approvals.{id}"] = approval.reference
    texts["layout.color"] = submission.layout.color
    if is_empty(submission.layout.color):
        yield error(
            "missing", "layout.color", "the color of the felt is empty", 'color = "green"'
        )  # fmt: skip
    for field, text in texts.items():
        most = _MOST.get(field.rpartition(".")[2], _MOST_OTHER)
        if len(text) > most:
            yield error(
                "too_long", field, f"{len(text):,} characters; there is room for {most}",
                f"shorten it to {most} characters",
            )  # fmt: skip
        elif strange := _unprintable(text):
            shown = ", ".join(_character(one) for one in strange[:3])
            yield error(
                "no_such_character", field, f"it cannot be printed: {shown}",
                "write it in letters that the documents' fonts have: Latin, Greek or Cyrillic",
            )  # fmt: skip


def printable_text(text: str, field: str) -> str:
    """As much of a name as can be printed."""
    whole = " ".join(unicodedata.normalize("NFC", text).split())
    kept = "".join(one for one in whole if not _unprintable(one))
    words = " ".join(kept.split())
    most = _MOST.get(field, _MOST_OTHER)
    if len(words) <= most:
        return words
    # cut before the word that has no room, unless it is the first
    return words[: most + 1].rpartition(" ")[0].rstrip(" ,;:-") or words[:most]


def _character(one: str) -> str:
    named = {"\n": "a line break", "\t": "a tab"}.get(one)
    return named or (f"{one} (U+{ord(one):04X})" if one.isprintable() else f"U+{ord(one):04X}")


def _unprintable(text: str) -> list[str]:
    """The characters that the fonts of the documents do not have: Latin, Greek and Cyrillic are there."""
    return [
        one
        for one in dict.fromkeys(text)
        if not (" " <= one <= "~" or "\u00a0" <= one <= "\u024f" or "\u0370" <= one <= "\u03ff"
                or "\u0400" <= one <= "\u045f" or one in "–—‘’“”…•€™№")
    ]  # fmt: skip


def devices(submission: Submission) -> Iterator[Finding]:
    """Only devices that stand at this table are described."""
    known = devices_of(submission.rules)
    for id in submission.devices:
        if id not in known:
            close = get_close_matches(id, known, n=1)
            yield error(
                "no_such_device",
                f"devices.{id}",
                f"no {device_name(id).lower()} stands at this table under these rules",
                f"did you mean {close[0]}?" if close else "leave it out",
            )
