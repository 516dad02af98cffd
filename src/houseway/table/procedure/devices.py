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
from houseway.table.actions import Fields, action
from houseway.table.card_source import deck_piles, remove_deck
from houseway.table.moment import SET_ASIDE, Moment
from houseway.table.procedure.opening import opening_goes_on
from houseway.table.procedure.progressive import progressive_stops, to_validate
from houseway.table.procedure.shuffling import reshuffle, spoken_name
from houseway.table.procedure.voiding import void
from houseway.table.spans import DRAWING, SHOE_IN_USE
from houseway.table.state import Device

WHO = ("dealer", "device", "floorperson")
SHUFFLERS = ("shuffler", "continuous_shuffler")
#: the devices that can jam, and whose place another method can take
REPLACEABLE = (*SHUFFLERS, "automated_shoe")
#: between rounds, with the cards of the next one shuffled
PREPARED = ("cutting", "loading", "burning", "betting")


def _device(now: Moment, id: str) -> Device:
    found = now.table.devices.get(id)
    if found is None:
        there = ", ".join(map(spoken_name, now.table.devices)) or "none"
        says = f"there is no {spoken_name(id)} at this table; there is {there}"
        raise Refused("no_such_device", says, field="device")
    return found


def _change(now: Moment, device: str, condition: str, clause: str) -> None:
    now.emit(e.DeviceChanged, clause, device=device, condition=condition)


def _some(now: Moment, step: str, devices: Iterable[str], *conditions: str) -> None:
    """Whether one of these devices is at the table in one of these conditions."""
    if not _in_condition(now, devices, *conditions):
        says = f"no device here is {' or '.join(conditions)}"
        raise now.refuse("out_of_turn", says, step)


def _not_now(now: Moment, device: Device, *steps: str) -> Refused:
    says = f"the {spoken_name(device.id)} is {device.condition}"
    aside = ("set_device_aside",) if device.condition in SET_ASIDE else ()
    return now.refuse("out_of_turn", says, *aside, *steps, field="device")


def _in_condition(now: Moment, devices: Iterable[str], *conditions: str) -> list[str]:
    """Those of these devices that are at the table in one of these conditions."""
    here = now.table.devices
    return [id for id in devices if id in here and here[id].condition in conditions]


def _named(devices: Iterable[str]) -> list[Fields]:
    """Devices as values for a command's field."""
    return [{"device": id} for id in devices]


@action(
    c.DeviceJams,
    WHO,
    (),
    lambda now, _: _some(now, "device_jams", REPLACEABLE, "working"),
    choices=lambda now, _: _named(_in_condition(now, REPLACEABLE, "working")),
    each=lambda fields: ((jammed_by(fields["device"]),),) * 2,
)
@cites(MD, "13.F", "13.G")
@cites(MA, "14(e)", "14(f)")
@cites(PRIME, "679a.13(e)", "679a.13(f)")
@cites(SAIGON, "680a.13(d)", "680a.13(e)")
@cites(DOWN_UNDER, "685a.12(j)")
def device_jams(now: Moment, command: c.DeviceJams) -> None:
    """A shuffler that jams: reshuffle. An automated shoe that jams in a round: the round is void."""
    device = _device(now, command.device)
    if command.device not in REPLACEABLE:
        says = f"the {spoken_name(device.id)} holds no cards that could jam"
        raise now.refuse("out_of_turn", says, *broken_by(device.id), field="device")
    if device.condition != "working":
        raise _not_now(now, device, jammed_by(device.id), "device_jams")
    _stops(now, command.device, "jammed")


def jammed_by(device: str) -> str:
    """The step by which a device that holds cards stops."""
    return "automated_shoe_jams" if device == "automated_shoe" else "shuffler_jams"


def broken_by(device: str) -> tuple[str, ...]:
    """The steps by which a device cannot be used, the nearest first."""
    kind = "shuffler" if device in SHUFFLERS else device
    return (f"{kind}_breaks", "device_breaks")


def _stops(now: Moment, device: str, condition: str) -> None:
    """Stop a device; the cards that it holds or has just shuffled are shuffled again."""
    jam = jammed_by(device)
    clause = now.clause(jam, "device_jams")
    broke = broken_by(device) if condition == "broken" else ()
    _change(now, device, condition, now.clause(*broke, jam, "device_jams"))
    if device == "automated_shoe" and now.table.hands:
        if now.within(SHOE_IN_USE) or "dealer_stack" in now.table.piles:
            void(now, "the automated shoe stopped", jam)
    elif device != "automated_shoe" and "shuffler" in now.table.piles:
        # the deck that waits in the device
        waiting = next(id for id in now.table.decks if "shuffler" in deck_piles(now.table, id))
        count = len(now.table.piles["shuffler"])
        now.emit(e.CardsMoved, clause, source="shuffler", to=f"deck.{waiting}", count=count)
        now.emit(e.DeckPrepared, clause, deck=waiting, stage="stacked", face_up=False, how="jammed")
    elif _holds_the_cards(now, device):
        reshuffle(now, clause, f"the {spoken_name(device)} {_STOPPED[condition]}")
        now.begin("shuffling")


_STOPPED = {"jammed": "jammed", "broken": "cannot be used"}


def _holds_the_cards(now: Moment, device: str) -> bool:
    """Whether the next cards to deal are in this device or were shuffled by it."""
    if "shoe" not in now.table.piles or now.table.decks[now.table.in_play].stage == "stacked":
        return False  # no cards there, or they wait for their shuffle already
    if device == "continuous_shuffler":
        # it deals the round, until no more cards are needed
        return now.within(DRAWING) if now.table.hands else now.table.phase in PREPARED
    if now.table.hands or now.table.phase not in PREPARED:
        return False
    if device == "automated_shoe":
        return True
    # of two decks the one in play was shuffled before the other; and cards that hands shuffled, or
    # that came preshuffled, are cut: the shuffler had no part in them
    deck = now.table.decks[now.table.in_play]
    return len(now.table.decks) == 1 and not (deck.to_cut or deck.was_cut)


@action(
    c.DeviceBreaks,
    WHO,
    (),
    lambda now, _: _some(now, "device_breaks", now.table.devices, "working", "jammed"),
    choices=lambda now, _: _named(_in_condition(now, now.table.devices, "working", "jammed")),
    each=lambda fields: (broken_by(fields["device"]),) * 2,
)
@cites(MD, "13.H", "2.C")
@cites(MA, "14(g)", "13(a)")
@cites(SAIGON, "680a.13(f)")
@cites(DOWN_UNDER, "685a.12(i)")
def device_breaks(now: Moment, command: c.DeviceBreaks) -> None:
    """It cannot be used."""
    device = _device(now, command.device)
    if device.condition not in ("working", "jammed"):
        raise _not_now(now, device, *broken_by(device.id))
    if command.device in REPLACEABLE:
        _stops(now, command.device, "broken")
        now.game.device_stopped(now, command.device)
    else:
        clause = now.clause(*broken_by(command.device))
        _change(now, command.device, "broken", clause)
        if command.device == "progressive":
            progressive_stops(now, clause)


def _in_the_way(now: Moment) -> list[str]:
    """The broken devices that block the next round, or the one being played."""
    broken = _in_condition(now, now.table.devices, "broken")
    if "progressive" in broken:
        broken.remove("progressive")
        if now.table.due and to_validate(now, now.table.due[0]):
            return ["progressive"]
    if now.table.hands:
        needed = (*now.game.devices, "continuous_shuffler")
        if now.table.phase == "shuffling":
            needed += SHUFFLERS
        broken = [id for id in broken if id in needed]
    return broken


def _to_repair(now: Moment) -> list[str]:
    """The devices that may be put back to work now."""
    return [id for id, one in now.table.devices.items() if _repairable(now, one) is None]


def _broken(now: Moment, _seat: int) -> None:
    if not _to_repair(now):
        raise now.refuse("out_of_turn", "no device can be put back to work now", "repair_device")


def _repairable(now: Moment, device: Device) -> str | None:
    """Why a device cannot be put back to work now; None if it can."""
    if device.condition == "working":
        return f"the {spoken_name(device.id)} works"
    if device.condition in SET_ASIDE and now.table.hands:
        return "the method of dealing does not change in a round"
    if device.condition not in SET_ASIDE:
        return None
    if now.table.phase in ("cutting", "loading", "burning"):
        return "these cards were shuffled without it: cut them first"
    if now.table.phase == "betting" and _hand_again(now, device.id):
        return "these cards were shuffled without it, and cannot be dealt from the hand"
    return None


@cites(MD, "9.A(1)")
@cites(MA, "8(b)(1)")
@cites(PRIME, "679a.9(a)(1)")
@cites(SAIGON, "680a.9(a)(1)")
def _hand_again(now: Moment, device: str) -> bool:
    """Whether cards would be dealt from the hand again once the shuffler is back."""
    return device == "shuffler" and now.rules.options["dealing"] == "hand"


def _most_urgent(now: Moment, devices: list[str]) -> list[str]:
    """Devices in order: first those that block the round, then others that are broken."""
    here, first = now.table.devices, _in_the_way(now)
    return sorted(devices, key=lambda one: (one not in first, here[one].condition != "broken"))


def _set_aside_by(now: Moment) -> tuple[str, ...]:
    """What is done with a device out of order in this chapter."""
    return ("removed",) if now.has_step("device_removed") else ("covered", "signed")


def _may_set_aside(now: Moment, _seat: int) -> None:
    _some(now, "set_device_aside", REPLACEABLE, "jammed", "broken")
    stands_still = now.table.phase == "shuffling"
    if now.table.hands and not stands_still:
        raise now.refuse("out_of_turn", "complete the round first", "set_device_aside")


@action(
    c.SetDeviceAside,
    ("floorperson", "dealer"),
    (),
    _may_set_aside,
    pressing=lambda now: any(id in REPLACEABLE for id in _in_the_way(now)),
    choices=lambda now, _: [
        {"device": id, "how": how}
        for id in _most_urgent(now, _in_condition(now, REPLACEABLE, "jammed", "broken"))
        for how in _set_aside_by(now)
    ],
)
@cites(MD, "13.H", "13.H(1)", "13.H(2)")
@cites(MA, "14(g)")
@cites(PRIME, "679a.13(g)")
@cites(SAIGON, "680a.13(f)")
@cites(DOWN_UNDER, "685a.12(k)")
def set_device_aside(now: Moment, command: c.SetDeviceAside) -> None:
    """Covered or signed, or removed where the chapter asks for that, before another method."""
    device = _device(now, command.device)
    if device.id not in REPLACEABLE:
        says = f"nothing takes the place of the {spoken_name(device.id)}: have it repaired"
        raise now.refuse("out_of_turn", says, *broken_by(device.id), field="device")
    if device.condition not in ("jammed", "broken"):
        raise _not_now(now, device, "set_device_aside")
    allowed = _set_aside_by(now)
    if command.how not in allowed:
        raise now.refuse(
            "not_set_aside",
            f"a device out of order is {' or '.join(allowed)} here, not {command.how}",
            "set_device_aside",
            field="how",
        )
    clause = now.clause("set_device_aside")
    _change(now, device.id, command.how, clause)
    now.game.device_stopped(now, device.id)
    _one_deck(now, clause)
    if now.table.phase in ("opening", "shuffling") and not now.table.hands:
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


@action(
    c.RepairDevice,
    ("floorperson",),
    (),
    _broken,
    pressing=lambda now: bool(_in_the_way(now)),
    choices=lambda now, _: _named(_most_urgent(now, _to_repair(now))),
    each=lambda fields: ((f"repair_{fields['device']}",), _repaired_by(fields["device"])),
)
@cites(DOWN_UNDER, "685a.12(i)")
def repair_device(now: Moment, command: c.RepairDevice) -> None:
    """It works again, or another stands in its place."""
    device = _device(now, command.device)
    why = _repairable(now, device)
    if why is not None:
        raise now.refuse("out_of_turn", why, "repair_device", field="device")
    _change(now, device.id, "working", now.clause(*_repaired_by(device.id)))


def _repaired_by(device: str) -> tuple[str, ...]:
    """The steps by whose clause a device is put back to work, the nearest first."""
    aside = ("set_device_aside",) if device in REPLACEABLE else ()
    return (f"repair_{device}", *aside, "repair_device")
