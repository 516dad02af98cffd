"""What `next_steps` offers, held against `decide`: every step, in every way that it names."""

from __future__ import annotations

from typing import Any

from houseway.errors import Refused
from houseway.table import COMMANDS, Command, NextStep, next_steps, run
from houseway.table.driver import BY_SYSTEM, Driver
from houseway.table.moment import rules_of

#: what a sender must still know or have: a wager, an amount, a card that was seen
ABOUT_FIELDS = {
    "place_wager", "place_coupon", "insure", "double", "tip", "buy_in", "fill", "credit", "correct_card",
    "correct_payment", "set_hands", "close_table", "sit_down", "take_back_wager", "read_meters",
}  # fmt: skip


def sensible(driver: Driver, step: NextStep) -> list[dict[str, Any]]:
    """The fields of a step: each way that it names, or what the sender would say."""
    fields = driver.fields_of(step)
    if step.choices:
        return [{**fields, **way} for way in step.choices]
    if step.command == "wrong_number_of_cards":
        return [{"count": 20}]
    if step.command == "change_dealer":
        return [{"dealer": "another"}]
    return [fields]


def command_of(driver: Driver, step: NextStep, fields: dict[str, Any]) -> Command:
    role = "system" if step.command in BY_SYSTEM else step.role
    kind = COMMANDS[step.command]
    if "seat" in kind.__struct_fields__:
        fields = {**fields, "seat": step.seat}
    box = driver.table.boxes[step.seat - 1] if step.seat else None
    who = (box.player if box and role == "player" else role) or "somebody"
    return kind(role=role, who=who, at=driver.clock.isoformat(), **fields)  # type: ignore[arg-type]


def check_offers(driver: Driver) -> None:
    """Whatever is offered is accepted, in every way that the step names."""
    table = driver.table
    for step in next_steps(table, irregularities=True, at=driver.clock.isoformat()):
        if step.command in ABOUT_FIELDS:
            continue
        for fields in sensible(driver, step):
            try:
                run(table, command_of(driver, step, fields))
            except Refused as refusal:
                where = (table.chapter, table.phase, step.command, step.role, step.seat, fields)
                assert refusal.code in ("cards_not_known", "tray_short"), (where, refusal)
        assert step.clause or rules_of(table), step.command


def lead_out(driver: Driver) -> None:
    """Do what is said first, with the fields that are said, until the next round is open."""
    for _ in range(500):
        table = driver.table
        if not table.hands and table.phase == "betting" and not _leads(driver):
            return
        if not any(box.player for box in table.boxes) and not table.hands:
            driver.seat_player(1, "ann")
        steps = _leads(driver)
        assert steps, f"nobody is told what to do in {table.phase} ({table.resume})"
        step = next((one for one in steps if one.command in _SHORTEST), steps[0])
        if step.command == "place_wager":
            return
        try:
            if step.role == "player":
                driver.send(step.command, "player", seat=step.seat, **driver.fields_of(step))
            else:
                driver.house()
        except Refused as refusal:
            assert refusal.code == "tray_short", (table.phase, step.command, refusal)
            driver.send("fill", "floorperson", chips={"5000.00": 100, "1.00": 5000, "0.50": 50})
        if not driver.table.hands and driver.table.phase == "betting":
            return
    raise AssertionError(f"no way out of {driver.table.phase}: {_leads(driver)}")


#: what a player decides who wants the round to be over
_SHORTEST = ("stand", "decline_insurance", "decline_cut", "fold", "set_hands")


def _leads(driver: Driver) -> list[Any]:
    steps = next_steps(driver.table, at=driver.clock.isoformat())
    return [step for step in steps if step.kind == "next"]
