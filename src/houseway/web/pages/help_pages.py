"""Which page of the documentation explains a page of the casino."""

from __future__ import annotations

from houseway.floor.people.directory import Person

#: the beginning of an address, and the page that explains it; the first that fits counts
_HELP = {
    "/mathematics": "reference/mathematics",
    "/law": "reference/rounds",
    "/submissions": "reference/submission",
    "/rounds": "reference/record",
    "/report": "reference/record",
    "/deeds": "reference/record",
    "/logbook": "reference/record",
    "/verify": "reference/record",
    "/integrity": "reference/security",
    "/people": "for-administrators",
    "/me/": "for-players",
    "/me": "reference/security",
    "/second-factor": "reference/security",
    "/progressives": "reference/progressives",
    "/wall": "reference/progressives",
    "/practice": "for-dealers",
    "/floor": "reference/casino",
    "/api": "for-integrators",
}
#: the page for a role, at the tables and where nothing else fits
_GUIDES = {
    "dealer": "for-dealers",
    "floorperson": "for-dealers",
    "surveillance": "for-investigators",
    "investigator": "for-investigators",
    "compliance": "for-compliance",
    "administrator": "for-administrators",
    "player": "for-players",
}
HELP_PAGES = frozenset({*_HELP.values(), *_GUIDES.values()})


def help_address(path: str, who: Person | None) -> str:
    """The address of the documentation that explains a page to somebody."""
    found = next((name for start, name in _HELP.items() if path.startswith(start)), "")
    if not found and who is not None:
        found = next((name for role, name in _GUIDES.items() if role in who.roles), "")
    if not found and path.startswith("/tables"):
        found = "for-players"
    return f"/docs/{found}.html" if found else "/docs/"
