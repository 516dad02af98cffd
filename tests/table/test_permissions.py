"""Who may give which command, and when: every command, role, seat and phase.

The expectations are written here as the chapters give each act to somebody; the clauses stand beside
them. Where a text only says that something is done, it is the dealer's or the floor's, and the choice
of a player (685a.12(f), 12(g)) is entered by the dealer or the floorperson who reports what happened.
A role that is added to a command in the program must be added here too.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tables import EVERY_GAME, bets, deal_all, opened, shoe

from houseway.errors import Refused
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import COMMANDS, Command, Table, run
from houseway.table import commands as c
from houseway.table.driver import Driver

ROLES = {
    "P": "player", "D": "dealer", "F": "floorperson", "V": "device", "S": "system",
    "X": "surveillance",
}  # fmt: skip

BETWEEN = "opening idle shuffling cutting betting"
BEFORE_DEAL = "shuffling cutting loading burning betting"
# an interruption stands where the round goes on after it
DOWN = (
    "dealing stub matching insuring reading insurance deciding collecting revealing trouble cutting"
)
CARDS_OUT = f"{DOWN} drawing"
ALWAYS = ""

#: command: who may give it, and in which phases; ALWAYS: no phase forbids it
PERMISSIONS: dict[str, tuple[str, str]] = {
    # cards come to the table; the dealer inspects them, the floorperson verifies that: MD 4.A,
    # MA 4(a), 679a.4(a), 680a.4(a), 685a.4(a)
    "receive_decks": ("DFS", BETWEEN),
    "change_decks": ("DFS", BETWEEN),
    "inspect_cards": ("D", "opening"),
    "verify_inspection": ("F", "opening"),
    "spread_cards": ("D", "opening"),
    "let_player_inspect": ("D", "opening idle"),
    "wash_cards": ("D", "opening idle"),
    "spread_idle": ("D", BEFORE_DEAL),
    "shuffle": ("DVS", ALWAYS),
    # a player cuts in Down Under only, see below
    "cut": ("PDS", "cutting"),
    "decline_cut": ("PD", "cutting"),
    "place_cover_card": ("DS", "loading"),
    "burn_card": ("DS", "burning"),
    # MD 5.G, MA 5(d), 679a.5(e), 680a.5(e), 685a.5(e); MD 5.A(3), 679a.5(a), 680a.5(a), 685a.5(f)
    "order_recut": ("F", "loading betting chips dealing"),
    "order_reshuffle": ("F", "cutting loading burning betting chips dealing"),
    # people
    "change_dealer": ("DFS", ALWAYS),
    "close_table": ("F", ALWAYS),
    "sit_down": ("PDFS", ALWAYS),
    "leave_seat": ("PDFS", ALWAYS),
    "declare_abandoned": ("F", f"{DOWN} settling"),
    "let_back_in": ("F", ALWAYS),
    # wagers are the player's; a dealer may place what a player says
    "place_wager": ("PD", BEFORE_DEAL),
    "take_back_wager": ("PD", f"opening {BEFORE_DEAL}"),
    "place_coupon": ("PD", BEFORE_DEAL),
    "no_more_bets": ("D", "betting"),
    "count_progressive_chips": ("D", "chips"),
    "start_game": ("D", "chips"),
    "strike_progressive_wager": ("F", "chips"),
    # the deal
    "deal": ("DVS", "betting dealing deciding"),
    "remove_stub": ("D", "stub"),
    "count_stub": ("D", "stub"),
    # decisions
    "play": ("PD", "deciding"),
    "fold": ("PD", "deciding"),
    "forfeit_unseen": ("PD", "deciding"),
    "set_hands": ("PD", "deciding"),
    "insure": ("PD", "insuring"),
    "decline_insurance": ("PD", "insuring"),
    "take_even_money": ("PD", "insuring"),
    "hit": ("PD", "deciding"),
    "stand": ("PD", "deciding"),
    "double": ("PD", "deciding"),
    "split": ("PD", "deciding"),
    "refuse_card": ("PD", "deciding"),
    # the dealer's part of the round
    "close_insurance": ("D", "insuring"),
    "read_hole_card": ("DV", "reading"),
    "dealer_draws": ("DS", "drawing"),
    "collect_forfeited": ("D", "collecting"),
    "reveal_dealer": ("D", "revealing"),
    "turn_hand": ("D", "settling"),
    "expose_community": ("D", "settling"),
    "settle_next": ("D", "settling matching insurance deciding"),
    # the floorperson or supervisor validates a win: MD 11.D(7)(c), MA 13(d)(e), 13(d)(f)
    "validate_progressive": ("F", "settling"),
    "clear_hands": ("D", "settling clearing"),
    "end_game": ("D", "clearing"),
    # mistakes and failures; by 685a.12(h) the dealer chooses between the two ways out
    "card_found_face_up": ("DV", f"burning betting {CARDS_OUT} settling clearing"),
    "card_drawn_in_error": ("DV", f"burning betting {CARDS_OUT} settling clearing"),
    "wrong_number_of_cards": ("DF", f"{CARDS_OUT} settling clearing"),
    "dealer_card_exposed": ("DF", DOWN),
    "no_card_dealt": ("DF", "dealing matching insuring reading insurance deciding trouble"),
    "missed_hit": ("DF", "deciding revealing drawing settling trouble"),
    "dealer_drew_in_error": ("DF", "insurance deciding revealing settling clearing trouble"),
    "wrong_light": ("DF", "insurance deciding revealing drawing settling"),
    "hand_goes_on": ("D", "trouble"),
    "call_hand_dead": ("D", "trouble"),
    "shoe_runs_out": ("DFS", CARDS_OUT),
    "void_round": ("F", CARDS_OUT),
    "device_jams": ("DFV", ALWAYS),
    "device_breaks": ("DFV", ALWAYS),
    "set_device_aside": ("DF", ALWAYS),
    "repair_device": ("F", ALWAYS),
    # 685a.2(d)
    "inspect_reader": ("F", ALWAYS),
    # chips, meters, corrections
    "buy_in": ("PD", ALWAYS),
    "tip": ("PD", ALWAYS),
    "fill": ("F", ALWAYS),
    "credit": ("F", ALWAYS),
    "read_meters": ("S", ALWAYS),
    "correct_card": ("F", ALWAYS),
    "correct_payment": ("F", ALWAYS),
    # a table that is open is not opened
    "open_table": ("FS", "closed"),
}  # fmt: skip

#: what a required field says; whether it makes sense is not the question here
REQUIRED: dict[str, Any] = {
    "seat": 1, "depth": 20, "count": 3, "wager": "ante", "amount": "5.00", "value": "5.00",
    "reason": "x", "player": "player 1", "dealer": "another", "chips": {"5.00": 1},
    "device": "shuffler", "how": "covered", "late_card": True, "place": "dealer", "was": "As",
    "card": "As", "table": "1", "chapter": MD,
}  # fmt: skip


def made(name: str, role: str, who: str, at: str, **fields: Any) -> Command:
    kind = COMMANDS[name]
    required = {
        field.name: REQUIRED[field.name]
        for field in msgspec.structs.fields(kind)
        if field.required and field.name not in ("role", "at")
    }
    if name == "close_table":
        required["count"] = {}
    if "seat" in kind.__struct_fields__:
        required["seat"] = 1
    return kind(role=role, who=who, at=at, **(required | fields))  # type: ignore[arg-type]


def code(table: Table, command: Command) -> str:
    """Why a command is refused; empty: it is not."""
    try:
        run(table, command)
    except Refused as refusal:
        return refusal.code
    return ""


@cache
def phases() -> dict[str, tuple[Table, str]]:
    """A table in each phase, with players at seats 1 and 2, and the time there."""
    found: dict[str, tuple[Table, str]] = {}

    def note(driver: Driver) -> None:
        found.setdefault(driver.table.phase, (driver.table, driver.clock.isoformat()))

    for chapter, rules, wagers in EVERY_GAME:
        driver = Driver(chapter, rules)
        for seat in (1, 2):
            driver.seat_player(seat, f"player {seat}")
        while driver.table.phase != "betting":
            note(driver)
            driver.house()
        note(driver)
        for seat in (1, 2):
            driver.wager(seat, wagers)
        while driver.table.round == 0 or driver.table.hands:
            note(driver)
            if driver.table.phase == "deciding" and "fold" in _asked(driver):
                driver.send("fold", "dealer", seat=_seat(driver))
            elif _asked(driver) and driver.table.phase in ("deciding", "insuring"):
                name = next(n for n in ("stand", "set_hands", "decline_insurance", "play")
                            if n in _asked(driver))  # fmt: skip
                driver.send(name, "dealer", seat=_seat(driver))
            else:
                driver.house()
    idle = opened(MD)
    idle.send("spread_idle", "dealer")
    note(idle)
    # an ace up: insurance; the dealer's hand is no blackjack; then a light that was wrong
    driver = shoe("8c Ad 9d 5s")
    bets(driver, 1)
    deal_all(driver)
    driver.until("insuring")
    note(driver)
    driver.send("insure", "player", seat=1, amount="5.00")
    driver.send("close_insurance", "dealer")
    driver.until("insurance")
    note(driver)
    driver.until("deciding")
    driver.send("wrong_light", "dealer", cause="light")
    note(driver)
    # the dealer draws on 12
    driver = shoe("Tc 7d 9d 5s Tc")
    bets(driver, 1)
    deal_all(driver)
    driver.until("deciding")
    driver.send("stand", "player", seat=1)
    driver.until("drawing")
    note(driver)
    return found


def _steps(driver: Driver) -> list[Any]:
    from houseway.table import next_steps

    if not driver.table.hands:
        return []
    return [
        s for s in next_steps(driver.table) if s.role == "player" and s.kind == "next" and s.seat
    ]


def _asked(driver: Driver) -> list[str]:
    return [step.command for step in _steps(driver)]


def _seat(driver: Driver) -> int:
    return int(_steps(driver)[0].seat)


def test_every_command_and_every_phase_is_in_the_table() -> None:
    assert set(PERMISSIONS) == set(COMMANDS)
    named = {phase for _, spans in PERMISSIONS.values() for phase in spans.split()}
    assert named - {"closed"} <= set(phases())


@pytest.mark.slow
@pytest.mark.parametrize("name", PERMISSIONS)
def test_a_role_without_the_right_is_refused_whatever_the_phase_and_seat(name: str) -> None:
    roles, _ = PERMISSIONS[name]
    for table, at in phases().values():
        for letter, role in ROLES.items():
            if letter in roles:
                continue
            for who in ("player 1", "player 2", "stranger"):
                # a stale version or a bad time does not matter to somebody who may not ask
                command = replace(made(name, role, who, at), version=1)
                assert code(table, command) == "not_your_part", (role, table.phase)


@pytest.mark.parametrize("name", PERMISSIONS)
def test_a_role_with_the_right_has_it_in_its_phases_only(name: str) -> None:
    roles, spans = PERMISSIONS[name]
    for phase, (table, at) in phases().items():
        for letter in roles:
            who = "player 1" if letter == "P" else ROLES[letter]
            # the house cuts for nobody's seat
            fields = {"seat": 0} if name == "cut" and letter != "P" else {}
            heard = code(table, made(name, ROLES[letter], who, at, **fields))
            if spans and phase not in spans.split():
                assert heard, (letter, phase)
            # the cut is a player's only where the chapter offers it
            elif (name, letter) != ("cut", "P"):
                assert heard not in ("not_your_part", "not_your_seat"), (letter, phase)


@pytest.mark.parametrize("name", [name for name, (roles, _) in PERMISSIONS.items() if "P" in roles])
def test_a_player_acts_for_the_own_seat_only(name: str) -> None:
    for table, at in phases().values():
        for who in ("player 2", "stranger", ""):
            command = replace(made(name, "player", who, at), version=1)
            heard = code(table, command)
            assert heard == "not_your_seat", (who, table.phase)
        if name != "sit_down":
            empty = made(name, "player", "stranger", at, seat=4)
            assert code(table, empty) == "nobody_there"
        else:
            other = made(name, "player", "stranger", at, seat=4, player="player 1")
            assert code(table, other) == "not_your_part"


@pytest.mark.parametrize("name", ["shuffle", "shoe_runs_out", "receive_decks", "change_decks"])
def test_only_the_system_supplies_an_order(name: str) -> None:
    for table, at in phases().values():
        for letter in PERMISSIONS[name][0]:
            role = ROLES[letter]
            heard = code(table, made(name, role, role, at, order=("As", "Ks")))
            assert (heard == "not_your_part") == (role != "system"), (role, table.phase)


def test_a_closed_table_is_opened_by_the_floor_or_the_system_only() -> None:
    for letter, role in ROLES.items():
        tray = {"5.00": 100}
        opening = c.OpenTable(
            role=role, who=role, at="2026-01-01T12:00:00", table="1", chapter=MD, tray=tray
        )  # type: ignore[arg-type]
        assert code(Table(), opening) == ("" if letter in "FS" else "not_your_part")
        for name in ("shuffle", "deal", "fill"):
            allowed = letter in PERMISSIONS[name][0]
            sent = made(name, role, role, "2026-01-01T12:00:00")
            assert code(Table(), sent) == ("not_open" if allowed else "not_your_part")


def cutting(chapter: str) -> Driver:
    """A table whose cards wait for the cut."""
    driver = Driver(chapter)
    driver.seat_player(1, "player 1")
    while driver.table.phase != "cutting":
        driver.house()
    return driver


@cites(MD, "5.F")
@cites(MA, "5(c)", "5(c)(1)")
@cites(PRIME, "679a.5(d)")
@cites(SAIGON, "680a.5(d)")
@pytest.mark.parametrize("chapter", [MD, MA, PRIME, SAIGON])
def test_only_the_dealer_cuts_where_the_text_says_the_dealer_shall(chapter: str) -> None:
    driver = cutting(chapter)
    for seat in (0, 1):
        with pytest.raises(Refused) as caught:
            driver.send("cut", "player", seat=seat, depth=20)
        assert caught.value.code == "not_your_part"
    driver.send("cut", "dealer", depth=20)
    assert driver.table.phase != "cutting"


@cites(DOWN_UNDER, "685a.5(b)", "685a.5(c)(1)")
def test_the_cut_is_offered_to_players_in_down_under_before_the_dealer_may_cut() -> None:
    driver = cutting(DOWN_UNDER)
    with pytest.raises(Refused) as caught:
        driver.send("cut", "dealer", depth=60)
    assert caught.value.code == "not_your_turn"
    declined = cutting(DOWN_UNDER)
    driver.send("cut", "player", seat=1, depth=60)
    declined.send("decline_cut", "player", seat=1)
    declined.send("cut", "dealer", depth=60)
    assert driver.table.phase == declined.table.phase == "loading"
