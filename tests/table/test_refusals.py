"""What a refusal tells: nothing about cards that the sender has not seen.

Two tables that differ only in cards hidden from a role must refuse the same commands of that role,
by the same code and in the same words. The commands are drawn from the schema of every command, and
the cards they name from the hidden ones above all: a refused guess must be worth nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import pytest
from hidden_cards import exchanged, seen_by
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from stories import GAMES
from tables import bets, deal_all, keyed, opened, shoe

from houseway.cards import cards
from houseway.errors import Refused
from houseway.games.saigon.hands import values
from houseway.law import DOWN_UNDER, MD, SAIGON
from houseway.table import COMMANDS, Command, Event, Table, legal, next_steps, rules_of, run
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.commands import ShoeRunsOut
from houseway.table.driver import Driver

#: who hears refusals: the house's people see what lies face up, a player sees their own hand too
HOUSE = ("dealer", "floorperson", "device", "surveillance", "system")
SEATS = (1, 2, 3)

#: what every command carries, or what opens and closes the table
_COMMON = {"role", "who", "at", "version"}
_NOT_TRIED = {"open_table", "close_table"}

Field = Callable[[random.Random, Table, list[str]], Any]


def _some_cards(rng: random.Random, _table: Table, guesses: list[str]) -> tuple[str, ...]:
    return tuple(rng.choice(guesses) for _ in range(rng.choice((1, 1, 2, 3, 5))))


#: a value for each field of each command, sensible or not; cards are guesses at hidden ones
FIELDS: dict[str, Field] = {
    "seat": lambda rng, table, guesses: rng.randint(0, 4),
    "hand": lambda rng, table, guesses: rng.choice((0, 0, 1, 2)),
    "number": lambda rng, table, guesses: rng.choice((0, 1, 2, 9)),
    "wager": lambda rng, table, guesses: rng.choice([*rules_of(table).chapter.wagers, "envy"]),
    "amount": lambda rng, table, guesses: rng.choice(("5.00", "10.00", "0.01", "99999.00")),
    "value": lambda rng, table, guesses: rng.choice(("5.00", "x")),
    "verbal": lambda rng, table, guesses: rng.random() < 0.5,
    "player": lambda rng, table, guesses: rng.choice(("ann", "")),
    "dealer": lambda rng, table, guesses: "another",
    "deck": lambda rng, table, guesses: rng.choice(("", "1", "2", "3")),
    "back": lambda rng, table, guesses: rng.choice(("", "red")),
    "preshuffled": lambda rng, table, guesses: rng.random() < 0.5,
    "face_up": lambda rng, table, guesses: rng.random() < 0.5,
    "depth": lambda rng, table, guesses: rng.choice((0, 9, 20, 26, 100)),
    "count": lambda rng, table, guesses: rng.choice((0, 2, 3, 5, 42, 52)),
    "misdealt": lambda rng, table, guesses: rng.choice((None, True, False)),
    "card": lambda rng, table, guesses: rng.choice(guesses),
    "cards": _some_cards,
    "three": lambda rng, table, guesses: tuple(rng.sample(guesses, 3)),
    "two": lambda rng, table, guesses: tuple(rng.sample(guesses, 2)),
    "order": _some_cards,
    "was": lambda rng, table, guesses: rng.choice(guesses),
    "place": lambda rng, table, guesses: rng.choice((*table.piles, *table.racked, "nowhere")),
    "part": lambda rng, table, guesses: rng.choice(("", "two", "fourth")),
    "reason": lambda rng, table, guesses: rng.choice(("", "because")),
    "device": lambda rng, table, guesses: rng.choice((*table.devices, "kettle")),
    "how": lambda rng, table, guesses: rng.choice(("covered", "removed")),
    "light": lambda rng, table, guesses: rng.choice(("", "blue", "red", "yellow", "mauve")),
    "cause": lambda rng, table, guesses: rng.choice(("light", "area", "x")),
    "area": lambda rng, table, guesses: rng.choice(("", "small", "medium", "large", "x")),
    "to": lambda rng, table, guesses: rng.choice(("player", "house", "x")),
    "exposed": lambda rng, table, guesses: rng.random() < 0.5,
    "late_card": lambda rng, table, guesses: rng.random() < 0.5,
    "second_card": lambda rng, table, guesses: rng.random() < 0.5,
    "chips": lambda rng, table, guesses: {rng.choice(("5.00", "3.00")): rng.randint(-1, 5)},
    "meters": lambda rng, table, guesses: {"progressive": rng.choice(("100", "x"))},
    "reserves": lambda rng, table, guesses: {},
    "shares": lambda rng, table, guesses: {},
}


def test_every_field_of_every_command_is_tried() -> None:
    kinds = [kind for name, kind in COMMANDS.items() if name not in _NOT_TRIED]
    fields = {field for kind in kinds for field in kind.__struct_fields__} - _COMMON
    assert fields == set(FIELDS)


def attempt(
    rng: random.Random, table: Table, role: str, seat: int, guesses: list[str], at: str
) -> Command:
    """A command of a role, most often one that is open to it, with random fields."""
    names: list[str] = [name for name in COMMANDS if name not in _NOT_TRIED]
    if rng.random() < 0.7:
        names = [name for name in legal(table, role, seat) if name not in _NOT_TRIED] or names
    kind = COMMANDS[rng.choice(names)]
    fields = {}
    for field in msgspec.structs.fields(kind):
        if field.name in _COMMON:
            continue
        # a command that is sound but for its cards is the best guess
        names_cards = field.name in ("card", "cards", "three", "two")
        if field.required or rng.random() < (0.8 if names_cards else 0.3):
            fields[field.name] = FIELDS[field.name](rng, table, guesses)
    if "seat" in fields and rng.random() < 0.8:
        fields["seat"] = seat
    who = f"player {seat}" if role == "player" else role
    return kind(role=role, who=who, at=at, **fields)  # type: ignore[arg-type]


def answer(table: Table, command: Command) -> tuple[object, ...] | None:
    """What a refused sender hears; None: the command is carried out."""
    try:
        run(table, command)
    except Refused as refusal:
        return (refusal.code, str(refusal), refusal.clause, refusal.seat, refusal.field)
    return None


# random play


class Moment(NamedTuple):
    table: Table
    events: tuple[Event, ...]


#: misfortunes that a walk may meet with
_TROUBLES = (
    "card_found_face_up", "card_drawn_in_error", "dealer_card_exposed", "wrong_light",
    "dealer_drew_in_error", "no_card_dealt", "refuse_card", "missed_hit", "correct_payment",
)  # fmt: skip


def walked(name: str, rng: random.Random) -> tuple[Table, list[Command]]:
    """The table before its shuffle, and the commands of a round with some misfortunes from there."""
    chapter, rules, wagers = GAMES[name]
    driver = opened(chapter, rules, seed=rng.randrange(10**6), players=3)
    first = next(at for at, one in enumerate(driver.commands) if isinstance(one, c.Shuffle))
    for seat in SEATS:
        driver.wager(seat, wagers, hand=seat if rules.get("electronic") else 0)
    begun = False
    for _ in range(120):
        begun |= bool(driver.table.hands)
        if (begun and not driver.table.hands) or driver.table.phase in ("shuffling", "cutting"):
            break
        if rng.random() < 0.04:
            _misfortune(driver, rng)
        elif not _decided(driver, rng) and not driver.house():
            break
    table = Table()
    for command in driver.commands[:first]:
        _, table = run(table, replace(command, version=None))
    kept = [replace(one, version=None) for one in driver.commands[first:]]
    # the order of a rack that is shuffled again hangs on every card before
    end = next((at for at, one in enumerate(kept) if isinstance(one, ShoeRunsOut)), len(kept))
    return table, kept[:end]


def _misfortune(driver: Driver, rng: random.Random) -> None:
    name = rng.choice(_TROUBLES)
    role = rng.choice(("dealer", "floorperson"))
    fields = {"amount": "5.00", "reason": "x"} if name == "correct_payment" else {}
    if name == "missed_hit":
        fields = {"late_card": rng.random() < 0.5}
    if name == "card_drawn_in_error":
        fields = {"exposed": rng.random() < 0.5}
    try:
        driver.send(name, role, seat=rng.choice(SEATS), **fields)
    except Refused:
        return


def _decided(driver: Driver, rng: random.Random) -> bool:
    steps = [step for step in next_steps(driver.table) if step.role == "player" and step.seat]
    steps = [step for step in steps if step.kind == "next"] if driver.table.hands else []
    if not steps:
        return False
    step = rng.choice(steps)
    fields: dict[str, Any] = {}
    if step.command in ("insure", "double"):
        fields = {"amount": "5.00"}
    if step.command == "set_hands":
        # named, so that the other table has the same cards in the same hand
        held = cards(driver.table.piles[f"seat.{step.seat}"])
        best = values(rules_of(driver.table).chapter).best(held)
        fields = {"three": tuple(map(str, best.three)), "two": tuple(map(str, best.two))}
    try:
        driver.send(step.command, "player", seat=step.seat, **fields)
    except Refused:
        return False
    return True


def again(table: Table, commands: list[Command]) -> list[Moment]:
    moments = []
    for command in commands:
        events, table = run(table, command)
        moments.append(Moment(table, events))
    return moments


def told(now: Moment, who: str | int) -> set[str]:
    """The cards that a role sees at a moment, those shown in passing among them."""
    shown = {
        event.card
        for event in now.events
        if isinstance(event, e.FaceUpFound | e.DrawnInError | e.CardExposed)
    }
    return seen_by(now.table, who) | shown


def read_by_a_shoe(table: Table, commands: list[Command]) -> list[Command]:
    """The same round with real cards: a shoe names each as it is dealt, face down or not."""
    known, found = table, list[Command]()
    for command in commands:
        events, known = run(known, command)
        dealt = tuple(
            card for event in events if isinstance(event, e.CardsDealt) for card in event.cards
        )
        seen = [event.card for event in events if isinstance(event, e.DrawnInError) and event.card]
        if isinstance(command, c.Shuffle):
            by_device = {"shuffler", "continuous_shuffler"} & table.devices.keys()
            command = replace(command, order=(), role="device" if by_device else "dealer")
        elif isinstance(command, c.Deal):
            command = replace(command, cards=dealt, role="device", who="shoe")
        elif "card" in command.__struct_fields__ and (seen or dealt):
            role = "dealer" if command.role == "player" else command.role
            command = replace(command, card=(*seen, *dealt)[0], who="shoe", role=role)
        try:
            _, table = run(table, command)
        except Refused:
            break
        found.append(command)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("order", ["known", "read"])
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_a_refusal_is_not_computed_from_hidden_cards(name: str, order: str, seed: int) -> None:
    rng = random.Random(seed)
    table, commands = walked(name, rng)
    shuffle = commands[0]
    assert isinstance(shuffle, c.Shuffle)
    if order == "read":
        commands = read_by_a_shoe(table, commands)
    moments = again(table, commands)
    compared = 0
    for who in ("house", *SEATS):
        seen: set[str] = set()
        sights = [frozenset(seen := seen | told(now, who)) for now in moments]
        for at in sorted(rng.sample(range(len(moments)), min(5, len(moments)))):
            hidden = sorted(set(shuffle.order) - sights[at])
            changed = exchanged(commands[: at + 1], hidden, rules_of(table), rng)
            try:
                other = again(table, changed)[-1].table
            except Refused:
                continue  # a hand that nobody would have been allowed to set so
            here = moments[at].table
            assert other.version == here.version
            guesses = _guesses(here, rng, shuffle.order)
            for role in HOUSE if who == "house" else ("player",):
                for _ in range(12 if who == "house" else 30):
                    seat = rng.choice(SEATS) if who == "house" else int(who)
                    tried = attempt(rng, here, role, seat, guesses, commands[at].at)
                    if role == "system" and getattr(tried, "order", ()):
                        continue  # the system supplies orders and knows them
                    one, two = answer(here, tried), answer(other, tried)
                    assert one == two, tried
                    compared += one is not None
    assert compared


def _guesses(table: Table, rng: random.Random, order: tuple[str, ...]) -> list[str]:
    """Cards to name: the next ones and hidden hands first, then any."""
    down = [card for name, pile in table.piles.items() for card in pile[:3] if name != "discard"]
    return [*down, *rng.sample(order, 5)]


# the attack, step by step


def whole_batch_tried(driver: Driver, name: str, role: str, **fields: Any) -> set[object]:
    """Every card is named in turn; what is answered."""
    guesses = sorted(set(driver.table.piles["shoe"]) | {"Jk"})
    answers = set()
    for card in guesses:
        named = (
            {"cards": (card,)} if "cards" in COMMANDS[name].__struct_fields__ else {"card": card}
        )
        with pytest.raises(Refused) as refused:
            driver.send(name, role, **fields, **named)
        answers.add((refused.value.code, str(refused.value)))
    return answers


@pytest.mark.parametrize(("name", "fields"), [("hit", {}), ("double", {"amount": "10.00"})])
@pytest.mark.parametrize("role", ["player", "dealer"])
def test_no_card_of_a_known_shoe_can_be_guessed(name: str, fields: Any, role: str) -> None:
    driver = shoe("5c 9d 6d 7s")
    bets(driver, 1)
    deal_all(driver)
    driver.until("deciding")
    assert {code for code, _ in whole_batch_tried(driver, name, role, seat=1, **fields)} == {
        "cards_known"
    }
    assert len(whole_batch_tried(driver, name, role, seat=1, **fields)) == 1
    driver.send(name, role, seat=1, **fields)


@pytest.mark.parametrize("role", ["dealer", "device", "system"])
def test_no_card_of_a_known_deck_can_be_guessed_as_it_is_dealt(role: str) -> None:
    driver = opened(MD)
    driver.wager(1, {"ante": "10.00"})
    driver.until("dealing")
    assert len(whole_batch_tried(driver, "deal", role)) == 1
    driver.send("deal", role)


def test_the_dealers_hole_card_cannot_be_guessed() -> None:
    driver = shoe("5c 9d 6d 7s")
    bets(driver, 1)
    deal_all(driver)
    driver.until("reading")
    assert len(whole_batch_tried(driver, "read_hole_card", "dealer")) == 1
    assert len(whole_batch_tried(driver, "dealer_card_exposed", "floorperson")) == 1
    driver.until("deciding")
    driver.send("stand", "player", seat=1)
    assert len(whole_batch_tried(driver, "reveal_dealer", "dealer")) == 1


def test_a_dealer_cannot_sound_out_a_hand_that_the_player_sets() -> None:
    driver = opened(SAIGON, players=1)
    driver.wager(1, {"ante": "10.00"})
    driver.until("deciding")
    held = driver.table.piles["seat.1"]
    other = driver.table.piles["discard"][:5]
    heard = set()
    for guess in (held, other):
        with pytest.raises(Refused) as refused:
            driver.send("set_hands", "dealer", seat=1, three=guess[:3], two=guess[3:])
        heard.add((refused.value.code, str(refused.value)))
    assert len(heard) == 1
    driver.send("set_hands", "dealer", seat=1)


def test_real_cards_are_still_keyed_in() -> None:
    driver = keyed(DOWN_UNDER)
    driver.wager(1, {"bet": "10.00"})
    for card in ("6c", "9d", "5c"):
        driver.send("deal", "dealer", cards=(card,))
    driver.send("deal", "dealer")
    driver.send("read_hole_card", "device", light="yellow")
    driver.send("hit", "dealer", seat=1, card="2h")
    driver.send("stand", "player", seat=1)
    driver.send("reveal_dealer", "dealer", cards=("Th",))
    driver.until("clearing")
    assert driver.table.settled[-1].result == "lose"  # 13 against 19
