"""What the texts order in trouble, read from `trouble.toml` and held against a table.

An entry says which report it is about and how it ends. `judge` compares that with what the table did:
the chips that moved, the cards, the meters and what is announced next. It knows no code of the table
but its state and its events.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from random_play import driver_at, finish
from tables import check_cards, in_tray, on_layout

from houseway.cards import card
from houseway.errors import Refused
from houseway.game_api.round import LOST
from houseway.games.down_under.hands import dealer_draws, open_decisions
from houseway.games.down_under.table.state import played
from houseway.law import chapter as law_of
from houseway.money import cents
from houseway.table import COMMANDS, Event, Table, legal, next_steps, rules_of, run
from houseway.table import events as e
from houseway.table.card_source import left_in_shoe
from houseway.table.state import open_stakes
from houseway.table.trouble_table import EQUIPMENT, equipment, every_wager

Entry = dict[str, Any]
DATA = tomllib.loads((Path(__file__).parent / "trouble.toml").read_text("utf-8"))
#: the phases of each chapter in order
LINE: dict[str, list[str]] = DATA["line"]
ROLES = ("dealer", "floorperson", "player", "device", "system")
#: the commands by which a card leaves the shoe
DRAWS = ("deal", "hit", "double", "split", "dealer_draws", "read_hole_card")


def kinds(id: str) -> list[dict[str, Any]]:
    """Every equipment that a chapter allows, with every wager."""
    found = law_of(id)
    return [every_wager(found, rules) for rules in equipment(found)]


def show(id: str, rules: dict[str, Any]) -> str:
    """The name of a test under this equipment."""
    return f"{id} {' '.join(str(rules.get(name, '')) for name in EQUIPMENT)}"


def entries(chapter: str, rules: dict[str, Any]) -> Iterator[Entry]:
    """The entries that can happen under these rules."""
    options = {"decks_in_play": 1, **rules}
    for entry in DATA[chapter]:
        if all(options.get(name, "none") in of for name, of in entry.get("when", {}).items()):
            yield entry


def send(table: Table, name: str, role: str, **fields: Any) -> tuple[tuple[Event, ...], Table]:
    kind = COMMANDS[name]
    if "order" in kind.__struct_fields__ and role == "system":
        fields.setdefault("order", table.piles.get("discard", ()))
    command = kind(role=role, who="somebody", at="2027-01-01T12:00:00", **fields)  # type: ignore[arg-type]
    return run(table, command)


def report(table: Table, entry: Entry) -> tuple[Table, tuple[Event, ...], Table]:
    """The table before the report, what it made happen, and the table after it."""
    for earlier in (entry["after"],) if "after" in entry else ():
        table = send(table, earlier["command"], "dealer", **earlier["given"])[1]
    role = entry.get("role", "dealer")
    if entry.get("twice"):
        table = send(table, entry["command"], role, **entry.get("given", {}))[1]
    events, after = send(table, entry["command"], role, **entry.get("given", {}))
    return table, events, after


# the moments of which an entry speaks


def _stack(table: Table) -> bool:
    """Cards are in the shoe behind those that lie seen outside it."""
    return bool(left_in_shoe(table))


def _hole_open(table: Table) -> bool:
    return "hole" in table.shown


def _dealer_stands(table: Table) -> bool:
    if not _hole_open(table) or "shoe" not in table.piles:
        return False
    held = (table.piles["dealer"][0], *table.piles["hole"], *table.piles["dealer"][1:])
    return not dealer_draws(rules_of(table), [card(text) for text in held])


def _stood(table: Table) -> bool:
    """Seat 1 has one hand, which stood where it could have drawn and whose bet is open."""
    box = table.boxes[0]
    lies = table.piles.get("seat.1", ())
    open_ = open_decisions(rules_of(table), [card(text) for text in lies]) if lies else ()
    return (
        not box.out and not played(box).split and box.decisions.get(1) == "stand"
        and "hit" in open_ and "bet" in open_stakes(box)
    )  # fmt: skip


def _read(table: Table) -> bool:
    bets = any({"bet", "split"} & set(open_stakes(box)) for box in table.boxes)
    return bets and bool(table.devices["reader"].shows) and not table.trouble


def _not_acted(table: Table) -> bool:
    """Seat 1 has a bet that is open, and no more than its first two cards."""
    box = table.boxes[0]
    return (
        1 in table.hands and not box.out and not box.decisions and not played(box).split
        and "bet" in open_stakes(box) and len(table.piles.get("seat.1", ())) < 3
        and ("seat.1" in table.piles or not table.dealt)
    )  # fmt: skip


_NEEDS: dict[str, Callable[[Table], bool]] = {
    "the dealer has a card on the table": lambda table: bool(
        {"dealer", "dealer_stack"} & table.piles.keys()
    ),
    "the seat has a hand and a stake that is open": lambda table: (
        1 in table.hands and bool(open_stakes(table.boxes[0]))
    ),
    "a card is in the shoe": _stack,
    "the dealer's two cards lie open and the dealer stands": _dealer_stands,
    "no card is left in the shoe": lambda table: "shoe" not in table.piles,
    "the hand has its first card, its second was its turn, and it has not acted": lambda table: (
        _not_acted(table)
        and "dealer" in table.piles
        and (len(table.piles["seat.1"]) == 2 or table.phase == "dealing")
    ),
    "a hand of the seat has been decided and could draw; the hole card is hidden, or shown under 685a.7(h)": _stood,
    "a hand of the seat has been decided and could draw, and its bet is open": _stood,
    "the hole card has been read, and a bet is open": _read,
    "the hand has not acted and its bet is open": _not_acted,
    "the hole card is on the table and hidden": lambda table: (
        "hole" in table.piles and "hole" not in table.shown
    ),
}


def span(entry: Entry, chapter: str, rules: dict[str, Any]) -> list[str]:
    """The phases in which the text lets it be discovered."""
    line = LINE[chapter]
    last = entry["last"]
    for option, later in entry.get("also_until", {}).items():
        name, _, value = option.partition("=")
        if rules.get(name) == value:
            last = later
    return line[line.index(entry["first"]) : line.index(last) + 1]


def expected(entry: Entry, chapter: str, rules: dict[str, Any], table: Table, when: str) -> str:
    """`refused`, `either`, or the outcome that the text orders at this moment."""
    if "needs" in entry and not _NEEDS[entry["needs"]](table):
        return "either"
    if table.phase in span(entry, chapter, rules):
        late = entry.get("late", entry["early"])
        return {"early": entry["early"], "late": late, "meter": entry.get("meter", late)}[when]
    if table.phase in entry.get("open", ()) or table.phase not in LINE[chapter]:
        return "either"
    return "refused"


# how it must end


def chips(table: Table) -> int:
    return in_tray(table) + on_layout(table)


def _to_players(before: Table, after: Table) -> int:
    """What left the table for the players, in cents."""
    return chips(before) - chips(after)


def _void_is_worth(table: Table) -> int:
    """What goes to the players when a round is void: every stake, less what they were paid."""
    open_ = sum(box.wagers[name] for box in table.boxes for name in open_stakes(box))
    ours = [line for line in table.settled if not line.meter]
    taken = sum(line.stake for line in ours if line.result in LOST)
    return open_ + taken - sum(line.paid for line in ours if line.result not in LOST)


def _nothing_moves(before: Table, after: Table) -> None:
    assert _to_players(before, after) == 0
    assert [open_stakes(box) for box in before.boxes] == [open_stakes(box) for box in after.boxes]


def _no_card_moves(before: Table, after: Table) -> None:
    assert after.piles == before.piles


def _void(before: Table, events: tuple[Event, ...], after: Table) -> None:
    assert any(isinstance(event, e.RoundVoided) for event in events)
    assert _to_players(before, after) == _void_is_worth(before)
    assert not after.hands
    assert not any(box.layout for box in after.boxes)


def _void_shuffled(before: Table, events: tuple[Event, ...], after: Table) -> None:
    _void(before, events, after)
    assert not any(line.meter for line in before.settled)
    deck = after.decks.get(before.in_play)
    assert deck is None or deck.stage != "shuffled", "the cards go to the shuffle"


def _void_meter_stands(before: Table, events: tuple[Event, ...], after: Table) -> None:
    _void(before, events, after)
    voided = next(event for event in events if isinstance(event, e.RoundVoided))
    paid = [line for line in before.settled if line.meter]
    assert [(line["seat"], line["wager"]) for line in voided.stands] == [
        (line.seat, line.wager) for line in paid
    ]
    gone = {(x.seat, x.wager) for x in events if isinstance(x, e.WagerReturned)}
    assert not gone & {(line.seat, line.wager) for line in paid}


def _void_deck_removed(before: Table, events: tuple[Event, ...], after: Table) -> None:
    _void(before, events, after)
    assert any(x.deck == before.in_play for x in events if isinstance(x, e.DeckRemoved))


def _rack(before: Table, _events: tuple[Event, ...], after: Table) -> None:
    _nothing_moves(before, after)
    assert len(after.piles.get("discard", ())) == len(before.piles.get("discard", ())) + 1
    assert len(after.piles.get("shoe", ())) == len(before.piles["shoe"]) - 1


def _next_card(before: Table, _events: tuple[Event, ...], after: Table) -> None:
    _nothing_moves(before, after)
    _no_card_moves(before, after)


def _offered(before: Table, _events: tuple[Event, ...], after: Table) -> None:
    _next_card(before, _events, after)
    assert after.aside == after.piles["shoe"][0]


def _late(before: Table, _events: tuple[Event, ...], after: Table) -> None:
    _nothing_moves(before, after)


def _late_second(before: Table, _events: tuple[Event, ...], after: Table) -> None:
    """Its second card is dealt once every other box in the round has two."""
    _nothing_moves(before, after)
    while len(after.piles["seat.1"]) < 2:
        others = [len(after.piles.get(f"seat.{seat}", "??")) for seat in after.hands if seat != 1]
        events, after = send(after, "deal", "dealer")
        dealt = next(event for event in events if isinstance(event, e.CardsDealt))
        assert dealt.to != "seat.1" or (
            min(others, default=2) >= 2 and dealt.clause == "685a.12(f)"
        )


def _dead(before: Table, events: tuple[Event, ...], after: Table) -> None:
    gone = {x.seat for x in events if isinstance(x, e.WagerReturned)}
    assert gone == {1}
    box = before.boxes[0]
    assert _to_players(before, after) == sum(box.wagers[name] for name in open_stakes(box))
    assert not open_stakes(after.boxes[0])
    assert not {"seat.1", "seat.1.2"} & after.piles.keys()


def _choice(before: Table, _events: tuple[Event, ...], after: Table) -> None:
    _nothing_moves(before, after)
    seats = [box.seat for box in before.boxes if {"bet", "split"} & set(open_stakes(box))]
    for seat in seats:
        for command in ("hand_goes_on", "call_hand_dead"):
            assert command in legal(after, "dealer", seat)
    dead = send(after, "call_hand_dead", "dealer", seat=seats[0])[1]
    box = before.boxes[seats[0] - 1]
    assert _to_players(after, dead) == sum(box.wagers[name] for name in open_stakes(box))


def _draws_open(table: Table) -> set[str]:
    seats = (0, *table.hands)
    return {
        name
        for role in ROLES
        for seat in seats
        for name in legal(table, role, seat)
        if name in DRAWS
    }


def _stopped(before: Table, _events: tuple[Event, ...], after: Table) -> None:
    _nothing_moves(before, after)
    _no_card_moves(before, after)
    assert not _draws_open(after)
    for name in DRAWS:
        for seat in (0, *after.hands):
            fields = {"seat": seat} if "seat" in COMMANDS[name].__struct_fields__ else {}
            if "amount" in COMMANDS[name].__struct_fields__:
                fields["amount"] = "5.00"
            try:
                send(after, name, "dealer", **fields)
            except Refused:
                continue
            raise AssertionError(f"{name} is dealt on")


def _stopped_shuffler(before: Table, events: tuple[Event, ...], after: Table) -> None:
    _nothing_moves(before, after)
    if _draws_open(before) - {"read_hole_card"}:
        assert not _draws_open(after) - {"read_hole_card"}


def _reshuffle(before: Table, _events: tuple[Event, ...], after: Table) -> None:
    _nothing_moves(before, after)
    if "shuffler" in before.piles:
        inside = next(
            id
            for id, deck in before.decks.items()
            if id != before.in_play and f"deck.{id}" not in before.piles
        )
        assert after.decks[inside].stage == "stacked", "what was in the device is shuffled again"
        assert after.piles.get("shoe") == before.piles.get("shoe")


def _only_goes_back(before: Table, events: tuple[Event, ...], after: Table, *wagers: str) -> None:
    """Before the first card these wagers may go back, and nothing else moves."""
    gone = [
        x for x in events if isinstance(x, e.WagerReturned | e.WagerTakenBack | e.ProgressiveStruck)
    ]
    assert not before.dealt or not gone
    assert {x.wager for x in gone} <= set(wagers)
    assert _to_players(before, after) == sum(cents(x.amount) for x in gone)


def _set_aside(before: Table, events: tuple[Event, ...], after: Table) -> None:
    _only_goes_back(before, events, after, "cover_all")


def _abandoned(before: Table, _events: tuple[Event, ...], after: Table) -> None:
    _nothing_moves(before, after)
    _no_card_moves(before, after)


def _deck_removed(before: Table, events: tuple[Event, ...], after: Table) -> None:
    _nothing_moves(before, after)
    assert any(isinstance(event, e.DeckRemoved) for event in events)


def _no_wager(before: Table, events: tuple[Event, ...], after: Table) -> None:
    _only_goes_back(before, events, after, "progressive", "five_card_progressive")
    _no_card_moves(before, after)
    if after.phase == "betting":
        for seat in (1, 2, 3):
            try:
                send(after, "place_wager", "dealer", seat=seat, wager="progressive", amount="1.00")
            except Refused:
                continue
            raise AssertionError("a broken system takes a wager")


def _duel_void(before: Table, _events: tuple[Event, ...], after: Table) -> None:
    """Played on, ante and play come back and what is optional is settled."""
    driver = driver_at(after)
    finish(driver)
    record = [*_events, *driver.record]
    ended: dict[tuple[int, str], str] = {}
    for event in record:
        if isinstance(event, e.WagerReturned):
            ended[event.seat, event.wager] = "returned"
        elif isinstance(event, e.WagerSettled):
            ended[event.seat, event.wager] = event.result
        elif isinstance(event, e.SettlementCorrected):
            ended.update({(x["seat"], x["wager"]): x["result"] for x in event.lines})
    assert ended
    for (seat, wager), how in ended.items():
        if wager in ("ante", "play"):
            assert how == "returned", (seat, wager, how)
        else:
            assert how in ("win", "lose"), (seat, wager, how)


def _new_shoe(before: Table, _events: tuple[Event, ...], after: Table) -> None:
    _nothing_moves(before, after)
    assert sorted(after.piles["shoe"]) == sorted(before.piles["discard"])


_JUDGES: dict[str, Callable[[Table, tuple[Event, ...], Table], None]] = {
    "void": _void_shuffled, "void_meter_stands": _void_meter_stands,
    "void_deck_removed": _void_deck_removed, "void_shoe_stays": _void, "duel_void": _duel_void,
    "rack": _rack, "next_card": _next_card, "offered": _offered, "late_second": _late_second,
    "late_card": _late, "dead": _dead, "choice": _choice, "stands": _next_card,
    "reshuffle": _reshuffle, "new_shoe": _new_shoe, "stopped": _stopped,
    "stopped_shuffler": _stopped_shuffler, "set_aside": _set_aside, "deck_removed": _deck_removed,
    "no_wager": _no_wager, "abandoned": _abandoned,
}  # fmt: skip
assert _JUDGES.keys() == DATA["outcomes"].keys()


def judge(
    entry: Entry, chapter: str, rules: dict[str, Any], table: Table, when: str, *, to_the_end: bool
) -> str:
    """What is wrong with this cell; nothing if it is as the text has it."""
    wanted = expected(entry, chapter, rules, table, when)
    try:
        before, events, after = report(table, entry)
    except Refused as refusal:
        if not refusal.message or not refusal.code:
            return "refused without a reason"
        return (
            "" if wanted in ("refused", "either") else f"not {wanted}: refused, {refusal.message}"
        )
    if wanted == "refused":
        return f"accepted, where the text knows of nothing: {[type(x).__name__ for x in events]}"
    try:
        check_cards(after)
        if wanted != "either":
            _JUDGES[wanted](before, events, after)
            _announced(entry, after)
            if wanted != "abandoned":  # the clause is that of the declaration which may follow
                _cited(entry, rules, events)
        elif "outside" in entry:
            _only_goes_back(before, events, after, "cover_all")
        assert next_steps(after, irregularities=True), "nothing is announced"
        if to_the_end:
            driver = driver_at(after)
            finish(driver)
            check_cards(driver.table)
    except AssertionError as wrong:
        return f"{wanted}: {wrong}"
    except Refused as refusal:
        return f"{wanted}: later refused, {refusal.message} [{refusal.code}]"
    return ""


def _announced(entry: Entry, after: Table) -> None:
    if "next" in entry:
        steps = {step.command for step in next_steps(after, irregularities=True)}
        assert steps & set(entry["next"]), f"{entry['next']} not among {sorted(steps)}"


def _cited(entry: Entry, rules: dict[str, Any], events: tuple[Event, ...]) -> None:
    clause = entry.get("clauses", {}).get(rules.get("dealing"), entry["clause"])
    cited = [event.clause for event in events if event.clause]
    assert any(found.startswith(clause) for found in cited), f"{clause} not among {cited}"
