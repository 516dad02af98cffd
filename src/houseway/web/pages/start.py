"""Where each role starts, and what it does first."""

from __future__ import annotations

from typing import NamedTuple

from houseway.floor.people.directory import Person


class Start(NamedTuple):
    path: str
    #: the next step, in a sentence
    says: str
    #: a link to it, where it is on another page
    link: str = ""
    label: str = ""


#: the table that the demonstration's dealer starts at, and how many computer players wait there
DEALER_TABLE, COMPUTER_PLAYERS = "saigon", 2

_START = {
    "dealer": Start(
        "/", "Open a table and press “Take the table over”. You are then led through every step."
    ),
    "floorperson": Start(
        "/floor", "Each table shows what it waits for. Do the step that is yours, or open a tray."
    ),
    "surveillance": Start(
        "/floor", "Watch a table live from here, or search past rounds.", "/rounds", "Past rounds"
    ),
    "investigator": Start(
        "/rounds", "Open a round to replay it step by step, or read what went wrong.",
        "/logbook", "Irregularities",
    ),
    "compliance": Start(
        "/submissions", "Start a submission for a game, or open one that waits for approval."
    ),
    "administrator": Start("/people", "Add the people who work here and give them their roles."),
    "player": Start("/", "Pick a table and sit down. The first chips are on the house."),
}  # fmt: skip
_DEALER_HERE = Start(
    f"/tables/{DEALER_TABLE}",
    "Press “Take the table over”: two computer players sit down. After that, the large button is "
    "always your next step.",
)


def waiting_submission(hash: str) -> Start:
    """The next step of somebody who may approve a submission that another person filed."""
    says = "A submission waits for your approval."
    return Start("/submissions", says, f"/submissions/{hash}", "Open it")


def start_of(person: Person | None, *, demonstration: bool = False) -> Start | None:
    """The page that somebody starts on, with the next step."""
    if person is None:
        return None
    role = next((one for one in _START if one in person.roles), None)
    if role == "dealer" and demonstration:
        return _DEALER_HERE
    return _START[role] if role else None
