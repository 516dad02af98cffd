"""Commands: what somebody at the table wants to do.

A command says who, in which role, when, and against which version of the table it was made: a stale
one is refused; without a version it is meant for the table as it stands. Money is text, `"12.50"`;
cards are `As`. Each is named in the dealer's own words, and its JSON tag is that name.
"""

from __future__ import annotations

import re
from functools import cache, reduce
from operator import or_
from typing import Any

import msgspec

from houseway.decode_errors import decode_error
from houseway.errors import Refused
from houseway.law.meter_terms import MetersFile
from houseway.law.procedure import Role
from houseway.table.gaming_day import FacilityTime
from houseway.untrusted import decode_json

_WORDS = re.compile(r"(?<!^)(?=[A-Z])")


def snake(name: str) -> str:
    """`PlaceWager` as `place_wager`."""
    return _WORDS.sub("_", name).lower()


class Command(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    tag_field="command",
    tag=snake,
):
    """What every command carries."""

    role: Role
    who: str = ""
    #: ISO 8601
    at: str
    version: int | None = None


# opening and closing


class OpenTable(Command, frozen=True, kw_only=True):
    """Open a table under a rules file, with its float of chips by value."""

    table: str
    chapter: str
    edition: str | None = None
    rules: dict[str, Any] = {}
    limits: dict[str, dict[str, str]] = {}
    meters: MetersFile = {}
    paytables: dict[str, dict[str, str]] = {}
    tray: dict[str, int] = {}
    dealer: str = ""
    #: the facility's time zone, and when its gaming day begins there
    zone: str = FacilityTime().zone
    day_begins: str = FacilityTime().begins


class ReceiveDecks(Command, frozen=True, kw_only=True):
    """Bring a deck (or batch) to the table; preshuffled cards may have their order with them."""

    deck: str = "1"
    back: str = ""
    preshuffled: bool = False
    order: tuple[str, ...] = ()


class ChangeDecks(Command, frozen=True, kw_only=True):
    """Replace a deck (or batch) at the table with a fresh one."""

    deck: str = "1"
    back: str = ""
    preshuffled: bool = False
    order: tuple[str, ...] = ()


class InspectCards(Command, frozen=True, kw_only=True):
    deck: str = "1"


class VerifyInspection(Command, frozen=True, kw_only=True):
    deck: str = "1"


class SpreadCards(Command, frozen=True, kw_only=True):
    """Fan the cards out; at an idle table face down unless a player asks."""

    deck: str = "1"
    face_up: bool = True


class LetPlayerInspect(Command, frozen=True, kw_only=True):
    deck: str = "1"
    seat: int


class WashCards(Command, frozen=True, kw_only=True):
    """Turn the cards down, wash and stack them."""

    deck: str = "1"


class Shuffle(Command, frozen=True, kw_only=True):
    """Shuffle a deck. The system's shoe supplies the order; a counting device its count."""

    deck: str = ""
    order: tuple[str, ...] = ()
    count: int | None = None


class ShoeRunsOut(Command, frozen=True, kw_only=True):
    """Shuffle and cut the discards to complete the round, because the shoe ran out."""

    order: tuple[str, ...] = ()


class Cut(Command, frozen=True, kw_only=True):
    """Cut the stack at `depth` cards from the top."""

    depth: int
    seat: int = 0


class DeclineCut(Command, frozen=True, kw_only=True):
    seat: int


class PlaceCoverCard(Command, frozen=True, kw_only=True):
    """Insert the cover card `depth` cards from the bottom, and put the stack into the shoe."""

    depth: int


class BurnCard(Command, frozen=True, kw_only=True):
    card: str = ""


class OrderRecut(Command, frozen=True, kw_only=True):
    reason: str


class OrderReshuffle(Command, frozen=True, kw_only=True):
    reason: str


class SpreadIdle(Command, frozen=True, kw_only=True):
    """Spread the cards of shoe and rack, because the table is idle."""

    face_up: bool = False


class ChangeDealer(Command, frozen=True, kw_only=True):
    dealer: str


class CloseTable(Command, frozen=True, kw_only=True):
    """Close the table with a count of the tray, by value."""

    count: dict[str, int]


# players and their wagers


class SitDown(Command, frozen=True, kw_only=True):
    seat: int
    player: str


class LeaveSeat(Command, frozen=True, kw_only=True):
    seat: int


class DeclareAbandoned(Command, frozen=True, kw_only=True):
    """Treat the wagers of a player who left as lost."""

    seat: int


class LetBackIn(Command, frozen=True, kw_only=True):
    """Let a player who sat out a round of the shoe wager again."""

    seat: int


class PlaceWager(Command, frozen=True, kw_only=True):
    seat: int
    wager: str
    amount: str
    hand: int = 0
    #: said aloud with cash beside it
    verbal: bool = False


class TakeBackWager(Command, frozen=True, kw_only=True):
    seat: int
    wager: str
    hand: int = 0


class PlaceCoupon(Command, frozen=True, kw_only=True):
    seat: int
    wager: str
    value: str


class NoMoreBets(Command, frozen=True, kw_only=True):
    pass


class CountProgressiveChips(Command, frozen=True, kw_only=True):
    """Report how many chips were collected from the progressive sensors."""

    count: int


class StrikeProgressiveWager(Command, frozen=True, kw_only=True):
    """Remove a wager that the system shows without a chip, or the reverse."""

    seat: int
    wager: str
    reason: str
    hand: int = 0


# the deal


class Deal(Command, frozen=True, kw_only=True):
    """Deal the next card, or deliver the next stack; a reading shoe says which cards."""

    cards: tuple[str, ...] = ()


class RemoveStub(Command, frozen=True, kw_only=True):
    pass


class CountStub(Command, frozen=True, kw_only=True):
    """Report the count of the stub and, if it is wrong, whether the cards were misdealt."""

    count: int
    misdealt: bool | None = None


# decisions


class Play(Command, frozen=True, kw_only=True):
    seat: int
    hand: int = 0


class Fold(Command, frozen=True, kw_only=True):
    seat: int
    hand: int = 0


class ForfeitUnseen(Command, frozen=True, kw_only=True):
    seat: int


# the end of the round


class CollectForfeited(Command, frozen=True, kw_only=True):
    pass


class RevealDealer(Command, frozen=True, kw_only=True):
    """Turn the dealer's cards; keyed in where nobody knew them."""

    cards: tuple[str, ...] = ()


class TurnHand(Command, frozen=True, kw_only=True):
    """Turn a player's cards up; keyed in where nobody knew them."""

    seat: int
    cards: tuple[str, ...] = ()
    #: a fourth card, or a showdown hand
    part: str = ""


class ExposeCommunity(Command, frozen=True, kw_only=True):
    cards: tuple[str, ...] = ()


class SettleNext(Command, frozen=True, kw_only=True):
    pass


class ValidateProgressive(Command, frozen=True, kw_only=True):
    seat: int
    wager: str
    hand: int = 0


class ClearHands(Command, frozen=True, kw_only=True):
    """Put the cards into the discard rack: one seat's, if the chapter clears player by player."""

    seat: int = 0


# irregularities


class CardFoundFaceUp(Command, frozen=True, kw_only=True):
    card: str = ""


class CardDrawnInError(Command, frozen=True, kw_only=True):
    """Report a card drawn in error, and whether the players saw it."""

    exposed: bool = False
    card: str = ""


class WrongNumberOfCards(Command, frozen=True, kw_only=True):
    """Report how many cards a seat (0: the dealer) has."""

    seat: int
    count: int
    #: `community`: the cards of no seat have a wrong number
    place: str = ""


class DealerCardExposed(Command, frozen=True, kw_only=True):
    card: str = ""


class VoidRound(Command, frozen=True, kw_only=True):
    """Void a round that cannot be completed; every wager is returned."""

    reason: str


class DeviceJams(Command, frozen=True, kw_only=True):
    device: str


class DeviceBreaks(Command, frozen=True, kw_only=True):
    device: str


class SetDeviceAside(Command, frozen=True, kw_only=True):
    """Cover a broken device, mark it out of order, or remove it."""

    device: str
    how: str


class RepairDevice(Command, frozen=True, kw_only=True):
    device: str


class StartGame(Command, frozen=True, kw_only=True):
    pass


class EndGame(Command, frozen=True, kw_only=True):
    pass


# the tray and corrections


class BuyIn(Command, frozen=True, kw_only=True):
    """Exchange cash for chips; the cash goes into the drop box."""

    seat: int
    amount: str


class Tip(Command, frozen=True, kw_only=True):
    seat: int
    amount: str


class Fill(Command, frozen=True, kw_only=True):
    chips: dict[str, int]


class Credit(Command, frozen=True, kw_only=True):
    chips: dict[str, int]


class ReadMeters(Command, frozen=True, kw_only=True):
    """What linked meters hold at this moment, exactly, in cents: `{"progressive": "123456/5"}`;
    `reserves` has their hidden reserves, if any.

    Where winners share a meter `shares` has what each receives, and how many they are: 0 once the
    meter has paid the first of them and set the others' shares aside.
    """

    meters: dict[str, str] = {}
    reserves: dict[str, str] = {}
    shares: dict[str, tuple[str, int]] = {}


class CorrectCard(Command, frozen=True, kw_only=True):
    """Correct a card that was keyed in wrongly: its place, and the right card."""

    place: str
    was: str
    card: str
    reason: str
    #: which card of the place, from 1, where two are alike
    number: int = 0


class CorrectPayment(Command, frozen=True, kw_only=True):
    """Correct a payment found wrong on review: the player gets the amount, or gives it back."""

    seat: int
    amount: str
    to: str = "player"
    reason: str = ""


#: every command, by its JSON tag; those of a family are added with their actions
COMMANDS: dict[str, type[Command]] = {
    snake(kind.__name__): kind for kind in Command.__subclasses__()
}


def read_command(data: bytes | str) -> Command:
    """A command from its JSON."""
    return decode_json(data, _decoder().decode, "not_a_command", not_a_command)


def not_a_command(error: Exception, given: Any) -> Refused:
    """The refusal of data that are not a command, with the field that is wrong."""
    fields = {name for kind in COMMANDS.values() for name in kind.__struct_fields__}
    return decode_error(error, "not_a_command", "command", given, (*COMMANDS, *sorted(fields)))


@cache
def _decoder() -> msgspec.json.Decoder[Command]:
    """Reads the commands of every family; it is made when all are loaded."""
    return msgspec.json.Decoder(reduce(or_, COMMANDS.values()))
