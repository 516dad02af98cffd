"""Machines and their faults: shuffler, automated shoe, card reader, progressive system.

A jam is over with the reshuffle that it calls for. A device that cannot be used is covered, signed
or, in Massachusetts, removed, and only then another method takes its place. A broken reader lets
nothing be dealt until it is repaired.

A real device speaks to the table through the same commands, in the role `device`: `shuffle` with
its count and its order or none, `deal` with the cards it read, `read_hole_card` with its light,
`device_jams` and `device_breaks`.
"""

from __future__ import annotations

from collections.abc import Iterable

from houseway.errors import Refused
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.table import commands as c
from houseway.table import events as e
from houseway.table.card_source import remove_deck
from houseway.table.engine import SET_ASIDE, Moment, action
from houseway.table.procedure.opening import opening_goes_on
from houseway.table.procedure.voiding import void
from houseway.table.state import Device

WHO = ("dealer", "device", "floorperson")
SHUFFLERS = ("shuffler", "continuous_shuffler")
#: a round in which an automated shoe that stops leaves hands undealt
IN_THE_SHOE = ("chips", "dealing", "stub")
#: between rounds, with the cards of the next in the shoe
LOADED = ("cutting", "betting")


def _device(now: Moment, id: str) -> Device:
    found = now.table.devices.get(id)
    if found is None:
        there = ", ".join(now.table.devices) or "none"
        raise Refused(
            "no_such_device", f"there is no {id} at this table; there is {there}", field="device"
        )
    return found


def _change(now: Moment, device: str, condition: str, clause: str) -> None:
    now.emit(e.DeviceChanged, clause, device=device, condition=condition)


def _some(now: Moment, devices: Iterable[str], *conditions: str) -> None:
    """Whether one of these devices is here and in one of these conditions."""
    there = (now.table.devices[id].condition for id in devices if id in now.table.devices)
    if not any(condition in conditions for condition in there):
        raise Refused("out_of_turn", "there is no such device here")


@action(c.DeviceJams, WHO, (), lambda now, _: _some(now, (*SHUFFLERS, "automated_shoe"), "working"))
@cites(MD, "13.F", "13.G")
@cites(MA, "14(e)", "14(f)")
@cites(PRIME, "679a.13(e)", "679a.13(f)")
@cites(SAIGON, "680a.13(d)", "680a.13(e)")
@cites(DOWN_UNDER, "685a.12(j)")
def device_jams(now: Moment, command: c.DeviceJams) -> None:
    """A shuffler that jams: reshuffle. An automated shoe that jams in a round: the round is void."""
    device = _device(now, command.device)
    if command.device not in (*SHUFFLERS, "automated_shoe") or device.condition != "working":
        raise Refused("out_of_turn", f"the {command.device} is not running", field="device")
    _stops(now, command.device, "jammed")


def _stops(now: Moment, device: str, condition: str) -> None:
    broke = ("set_device_aside",) if condition == "broken" else ()
    if device == "automated_shoe":
        _change(now, device, condition, now.clause(*broke, "automated_shoe_jams"))
        if now.table.hands and (
            now.table.phase in IN_THE_SHOE or "dealer_stack" in now.table.piles
        ):
            void(now, "the automated shoe stopped", "automated_shoe_jams")
        elif condition == "jammed" and now.table.phase in LOADED:
            clause = now.clause("automated_shoe_jams")
            now.emit(e.ReshuffleOrdered, clause, reason="the automated shoe jammed")
            now.begin("shuffling")
        return
    clause = now.clause("shuffler_jams", "device_jams")
    _change(now, device, condition, now.clause(*broke, "shuffler_jams", "device_jams"))
    waiting = next((id for id in now.table.decks if id != now.table.in_play), "")
    if "shuffler" in now.table.piles:
        # what was in the device is shuffled again
        cards = now.table.piles["shuffler"]
        now.emit(e.CardsMoved, clause, source="shuffler", to=f"deck.{waiting}", count=len(cards))
        now.emit(e.DeckPrepared, clause, deck=waiting, stage="stacked", face_up=False, how="jammed")


@action(c.DeviceBreaks, WHO, (), lambda now, _: _some(now, now.table.devices, "working", "jammed"))
@cites(MD, "13.H")
@cites(SAIGON, "680a.13(f)")
@cites(DOWN_UNDER, "685a.12(i)")
def device_breaks(now: Moment, command: c.DeviceBreaks) -> None:
    """It cannot be used."""
    device = _device(now, command.device)
    if device.condition not in ("working", "jammed"):
        raise Refused("out_of_turn", f"the {command.device} is {device.condition}", field="device")
    if command.device in (*SHUFFLERS, "automated_shoe"):
        _stops(now, command.device, "broken")
    else:
        _change(now, command.device, "broken", now.clause("device_breaks"))


def _broken(now: Moment, _seat: int) -> None:
    if all(device.condition == "working" for device in now.table.devices.values()):
        raise Refused("out_of_turn", "every device works")


@action(
    c.SetDeviceAside,
    ("floorperson", "dealer"),
    (),
    lambda now, _: _some(now, (*SHUFFLERS, "automated_shoe"), "broken"),
)
@cites(MD, "13.H", "13.H(1)", "13.H(2)")
@cites(MA, "14(g)")
@cites(PRIME, "679a.13(g)")
@cites(SAIGON, "680a.13(f)")
@cites(DOWN_UNDER, "685a.12(k)")
def set_device_aside(now: Moment, command: c.SetDeviceAside) -> None:
    """Covered or signed, or removed where the chapter asks for that, before another method."""
    device = _device(now, command.device)
    if device.condition != "broken" or device.id in (*now.game.devices, "progressive"):
        raise now.refuse(
            "out_of_turn", f"the {device.id} is {device.condition}", "set_device_aside"
        )
    allowed = ("removed",) if now.has_step("device_removed") else ("covered", "signed")
    if command.how not in allowed:
        raise now.refuse(
            "not_set_aside",
            f"a device out of order is {' or '.join(allowed)} here, not {command.how}",
            "set_device_aside",
            field="how",
        )
    if now.table.hands:
        raise now.refuse("out_of_turn", "complete the round first", "set_device_aside")
    clause = now.clause("set_device_aside")
    _change(now, device.id, command.how, clause)
    _one_deck(now, clause)
    if now.table.phase in ("opening", "shuffling"):
        # the second deck that was awaited, or was to be shuffled, is not needed any more
        opening_goes_on(now)


@cites(MD, "3.B")
@cites(MA, "2(b)")
def _one_deck(now: Moment, clause: str) -> None:
    """Two decks are played only with an automated shuffler: without it the waiting one goes."""
    if now.options["decks_in_play"] > 1:
        return
    played = now.table.in_play or next(iter(now.table.decks), "")
    for waiting in tuple(now.table.decks):
        if waiting != played:
            remove_deck(now, waiting, "no shuffler for a second deck", clause)


@action(c.RepairDevice, ("floorperson",), (), _broken)
@cites(DOWN_UNDER, "685a.12(i)")
def repair_device(now: Moment, command: c.RepairDevice) -> None:
    """It works again, or another stands in its place."""
    device = _device(now, command.device)
    if device.condition == "working":
        raise Refused("out_of_turn", f"the {device.id} works", field="device")
    if device.condition in SET_ASIDE:
        if now.table.hands:
            raise Refused("out_of_turn", "the method of dealing does not change in a round")
        if now.table.phase in ("cutting", "loading", "burning"):
            raise Refused("out_of_turn", "these cards were shuffled without it: cut them first")
    _change(now, device.id, "working", now.clause("repair_device"))
