"""Tables for the tests: opened, seated and ready, and what must hold at every moment of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from stake_twin import check_stakes

from houseway.cards import SeededSource
from houseway.cards import card as read_card
from houseway.errors import Refused
from houseway.games.down_under.hands import both_large, light
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON
from houseway.money import cents, signed
from houseway.table import Event, Table, fold, legal, next_steps, rules_of
from houseway.table import events as e
from houseway.table.card_source import pack, unseen
from houseway.table.driver import Driver
from houseway.table.moment import Moment
from houseway.table.procedure.dealing import next_deal
from houseway.table.state import UNKNOWN

#: rules under which every chapter is driven: every dealing method and every extra is among them
GAMES: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    (MD, {}, {"ante": "10.00", "pair_plus": "5.00"}),
    (
        MD,
        {"shuffler": "counting", "progressive": "A", "five_card_progressive": "B"},
        {"ante": "10.00", "progressive": "1.00", "five_card_progressive": "5.00"},
    ),
    (
        MD,
        {
            "dealing": "automated_shoe", "dealer_stack": "left_in_shoe", "shuffler": "plain",
            "decks_in_play": 2, "six_card_bonus": "A", "progressive": "C",
        },
        {"ante": "10.00", "pair_plus": "5.00", "six_card_bonus": "5.00", "progressive": "5.00"},
    ),
    (
        MD,
        {"dealing": "hand", "shuffler": "reshuffling", "version": "both_compulsory"},
        {"ante": "10.00", "pair_plus": "5.00"},
    ),
    (
        MA,
        {"shuffler": "counting", "cover_all": True, "progressive": "1"},
        {"ante": "10.00", "pair_plus": "5.00", "cover_all": "2.00", "progressive": "1.00"},
    ),
    (
        MA,
        {
            "settlement": "by_player", "shuffler": "plain", "dealing": "automated_shoe",
            "dealer_stack": "left_in_shoe", "cover_all": True, "progressive": "2",
            "folded_hands_win_progressive": True, "six_card_bonus": "TCP-6B1",
        },
        {"ante": "10.00", "cover_all": "2.00", "progressive": "1.00", "six_card_bonus": "1.00"},
    ),
    (
        PRIME,
        {"prime": True, "pair_bonus": "A", "all_six": "E"},
        {"ante": "10.00", "prime": "5.00", "pair_bonus": "5.00", "all_six": "5.00"},
    ),
    (
        PRIME,
        {
            "dealing": "automated_shoe", "shuffler": "reshuffling", "stacks_of_four": True,
            "pair_bonus": "B", "decks_in_play": 2,
        },
        {"ante": "10.00", "pair_bonus": "5.00"},
    ),
    (SAIGON, {"bonus": "A"}, {"ante": "10.00", "bonus": "5.00"}),
    (
        SAIGON,
        {"bonus": "A", "dealing": "hand", "shuffler": "plain", "decks_in_play": 2},
        {"ante": "10.00", "bonus": "5.00"},
    ),
]  # fmt: skip

#: Down Under, which is driven by its own tests
DOWN_UNDER_GAMES: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    (DOWN_UNDER, {"match_the_dealer": True}, {"bet": "10.00", "match_the_dealer": "5.00"}),
    (
        DOWN_UNDER,
        {"shuffler": "plain", "settlement": "by_player", "mid_shoe_entry": False, "decks": 4},
        {"bet": "10.00"},
    ),
    (DOWN_UNDER, {"dealing": "continuous_shuffler", "decks": 8}, {"bet": "10.00"}),
]
EVERY_GAME = GAMES + DOWN_UNDER_GAMES


def opened(
    chapter: str,
    rules: dict[str, Any] | None = None,
    *,
    seed: int = 1,
    players: int = 2,
    **parts: Any,
) -> Driver:
    """A table with players at seats 1, 2, …, ready for wagers."""
    driver = Driver(chapter, rules, source=SeededSource(seed), **parts)
    for seat in range(1, players + 1):
        driver.seat_player(seat, f"player {seat}")
    driver.ready()
    return driver


def on_layout(table: Table) -> int:
    return sum(sum(box.layout.values()) for box in table.boxes)


def in_tray(table: Table) -> int:
    return sum(value * count for value, count in table.tray.items())


def check_cards(table: Table) -> None:
    """Every card of every deck is in exactly one place; unknown ones are as many as are missing."""
    rules = rules_of(table)
    decks = len(table.decks)
    held = Counter(card for pile in table.piles.values() for card in pile)
    whole = Counter(pack(rules))
    assert sum(held.values()) == decks * sum(whole.values())
    for card, count in held.items():
        assert card == UNKNOWN or count <= decks * whole[card]
    assert all(table.piles.values()), "no pile is empty"


def check_money(record: list[Event], table: Table) -> None:
    """Chips are where the record says: what left the players is on the layout or in the tray."""
    tray = 0
    for event in record:
        for value, count in getattr(event, "tray", {}).items():
            tray += cents(value) * count
    assert tray == in_tray(table)
    assert all(count >= 0 for count in table.tray.values())


def check_all(driver: Driver) -> None:
    check_cards(driver.table)
    check_money(driver.record, driver.table)
    check_stakes(driver.record)
    assert fold(driver.record) == driver.table


def nets(driver: Driver, since: int = 0) -> dict[int, int]:
    """What each seat is up or down by the record, chip by chip."""
    found: dict[int, int] = {}
    for event in driver.record[since:]:
        match event:
            case e.WagerPlaced(seat=seat, amount=amount):
                moved = -cents(amount)
            case (
                e.WagerTakenBack(seat=seat, amount=amount)
                | e.WagerReturned(seat=seat, amount=amount)
            ):
                moved = cents(amount)
            case e.WagerSettled(seat=seat, result=result, stake=stake, paid=paid):
                lost = result in ("lose", "forfeit")
                moved = 0 if lost else cents(stake) + signed(paid)
            case e.PaymentCorrected(seat=seat, amount=amount):
                moved = signed(amount)
            case _:
                continue
        found[seat] = found.get(seat, 0) + moved
    return found


def key_in(driver: Driver, pick: Callable[[tuple[str, ...]], str] = lambda cards: cards[0]) -> None:
    """The next step of the house, with cards made up where nobody knows them."""
    table = driver.table

    def some_unseen(count: int) -> tuple[str, ...]:
        left = list(unseen(Moment(table, "dealer")))
        taken = []
        for _ in range(count):
            taken.append(pick(tuple(left)))
            left.remove(taken[-1])
        return tuple(taken)

    for step in next_steps(table, at=driver.clock.isoformat()):
        if step.kind != "next" or step.role == "player":
            continue
        fields = driver.fields_of(step)
        place = {"reveal_dealer": "dealer", "expose_community": "community"}.get(step.command)
        if step.command == "reveal_dealer" and "hole" in table.piles:
            place = "hole"
        if step.command == "reveal_dealer" and "dealer_stack" in table.piles:
            place = "dealer_stack"
        if step.command == "turn_hand":
            names = [
                f"{part}{step.seat}"
                for part in ("seat.", "three.", "two.", "fourth.")
                if f"{part}{step.seat}" in table.piles
            ]
            place = next((name for name in names if name not in table.shown), None)
        held = table.piles.get(place or "", ())
        if "?" in held:
            made = iter(some_unseen(held.count("?")))
            fields["cards"] = tuple(next(made) if card == "?" else card for card in held)
        if step.command == "deal":
            dealt = next_deal(Moment(table, "dealer"))
            on_top = table.piles.get("shoe", ())[: dealt.cards] if dealt else ()
            if dealt is None and "reader" in table.devices:
                on_top = table.piles.get("shoe", ())[:1]
            if (dealt is None or dealt.face_up) and "?" in on_top:
                made = iter(some_unseen(on_top.count("?")))
                fields["cards"] = tuple(next(made) if card == "?" else card for card in on_top)
        if step.command == "dealer_draws" and table.piles["shoe"][0] == "?":
            fields["card"] = some_unseen(1)[0]
        if step.command == "read_hole_card" and "?" in table.piles["hole"]:
            hole = some_unseen(1)[0]
            rules = rules_of(table)
            fields["light"] = light(rules, read_card(hole))
            if both_large(rules, (read_card(table.piles["dealer"][0]), read_card(hole))):
                fields["card"] = hole
        role = "system" if step.command == "shuffle" else step.role
        driver.send(step.command, role, seat=step.seat, **fields)
        return
    raise AssertionError(f"nobody can act in {driver.table.phase}")


def stands(_table, seat, steps):
    """A player who stands, declines, plays or sets."""
    names = [step.command for step in steps if step.seat == seat]
    return next((name for name in ("stand", "decline_insurance") if name in names), names[0]), {}


def since(driver, version, kind):
    """The events of a kind after a version."""
    return [event for event in driver.record if event.version > version and isinstance(event, kind)]


def to_shuffle(driver: Driver) -> None:
    """Go on to the next shuffle: at the floor's word, or after a round where it has no such right."""
    if "order_reshuffle" in legal(driver.table, "floorperson"):
        driver.send("order_reshuffle", "floorperson", reason="a doubt")
    else:
        driver.wager(1, {"ante": "10.00"})
        driver.finish(lambda _table, _seat, steps: (steps[0].command, {}))


def refused(driver, *arguments, **fields):
    before = driver.table
    with pytest.raises(Refused) as found:
        driver.send(*arguments, **fields)
    assert driver.table is before
    return found.value


def keyed(chapter, rules=None, players=1, **parts):
    """A table at which nobody knows the order of the cards: each is keyed in as it is seen."""
    driver = Driver(chapter, rules, source=SeededSource(1), **parts)
    for seat in range(1, players + 1):
        driver.seat_player(seat, f"player {seat}")
    while driver.table.phase != "betting":
        if driver.table.phase == "shuffling":
            device = any(
                name in driver.table.devices for name in ("shuffler", "continuous_shuffler")
            )
            driver.send("shuffle", "device" if device else "dealer")
        else:
            key_in(driver)
    return driver


def shoe(first, rules=None, players=1, **parts):
    """A table whose cards come in this order: the burn card is drawn before them."""
    driver = Driver(DOWN_UNDER, rules, source=SeededSource(1), **parts)
    for seat in range(1, players + 1):
        driver.seat_player(seat, f"player {seat}")
    driver.until("shuffling")
    rest = list(pack(rules_of(driver.table)))
    top = ["2c", *first.split()]
    for card in top:
        rest.remove(card)
    size = len(rest) + len(top)
    # the cut brings the last cards to the top: put ours there
    order = (*rest[: size - 20 - 0 - len(top)], *top, *rest[size - 20 - len(top) :])
    driver.send("shuffle", "system", order=order)
    depth = size - 20 - len(top)
    driver.send("cut", "player", seat=1, depth=depth)
    driver.until("betting")
    return driver


def bets(driver, *seats, **more):
    for seat in seats:
        driver.wager(seat, {"bet": "10.00", **more})


def deal_all(driver):
    while driver.table.phase in ("betting", "dealing"):
        driver.send("deal", "dealer")
