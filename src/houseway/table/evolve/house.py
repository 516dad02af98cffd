"""Events on the house's side: irregularities, devices, the tray, the close."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from houseway.money import Cents, cents
from houseway.table import events as e
from houseway.table.evolve.registry import evolves, moved, with_piles, with_tray
from houseway.table.evolve.seen import with_cards
from houseway.table.state import UNKNOWN, Table, exposed_cards

# irregularities


@evolves(e.FaceUpFound)
def _face_up(table: Table, event: e.FaceUpFound) -> Table:
    # it goes to the rack next
    seen = with_cards(table, table.seen, "", "discard", (event.card,))
    return moved(table, event, face_up=table.face_up + 1, seen=seen)


@evolves(e.DrawnInError)
def _drawn(table: Table, event: e.DrawnInError) -> Table:
    if not event.card:
        return moved(table, event)
    before, shoe = event.behind, table.piles["shoe"]
    lying = (*exposed_cards(table)[:before], event.card)
    return moved(
        table,
        event,
        aside=lying[0],
        aside_behind=lying[1:],
        piles=with_piles(table, shoe=(*shoe[:before], event.card, *shoe[before + 1 :])),
    )


@evolves(e.CardExposed)
def _exposed(table: Table, event: e.CardExposed) -> Table:
    held = table.piles.get(event.place, ())
    seen = table.seen
    if event.card not in seen.get("", {}).get(event.place, ()):
        seen = with_cards(table, seen, "", event.place, (event.card,))
    if UNKNOWN not in held or event.card in held:
        return moved(table, event, seen=seen)
    # nobody knew these cards; from now on, the ones turned up count as seen
    first = held.index(UNKNOWN)
    pile = (*held[:first], event.card, *held[first + 1 :])
    return moved(table, event, piles={**table.piles, event.place: pile}, seen=seen)


@evolves(e.TroubleNoted)
def _trouble(table: Table, event: e.TroubleNoted) -> Table:
    return moved(table, event, trouble=event.trouble)


@evolves(e.DeviceChanged)
def _device(table: Table, event: e.DeviceChanged) -> Table:
    device = table.devices[event.device]
    # what it showed in this round stays a fact of the round, though it breaks or is replaced
    device = replace(device, condition=event.condition, shows=event.shows or device.shows)
    return moved(table, event, devices={**table.devices, event.device: device})


@evolves(e.DeviceInspected)
def _inspected(table: Table, event: e.DeviceInspected) -> Table:
    device = replace(table.devices[event.device], inspected=event.day)
    return moved(table, event, devices={**table.devices, event.device: device})


# the tray


@evolves(e.ChipsSold)
def _sold(table: Table, event: e.ChipsSold) -> Table:
    return moved(
        table, event, tray=with_tray(table, event.tray), drop=table.drop + cents(event.amount)
    )


@evolves(e.TipGiven)
def _tip(table: Table, event: e.TipGiven) -> Table:
    return moved(table, event, tips=table.tips + cents(event.amount))


@evolves(e.TrayFilled)
def _filled(table: Table, event: e.TrayFilled) -> Table:
    return moved(
        table,
        event,
        tray=with_tray(table, event.tray),
        filled=_moved_by(table, event.who, event.tray),
    )


def _moved_by(table: Table, who: str, tray: Mapping[str, int]) -> dict[str, Cents]:
    worth = sum(cents(value) * abs(count) for value, count in tray.items())
    return {**table.filled, who: table.filled.get(who, 0) + worth}


@evolves(e.TrayCredited)
def _credited(table: Table, event: e.TrayCredited) -> Table:
    return moved(
        table,
        event,
        tray=with_tray(table, event.tray),
        filled=_moved_by(table, event.who, event.tray),
    )


@evolves(e.PaymentCorrected)
def _payment(table: Table, event: e.PaymentCorrected) -> Table:
    return moved(table, event, tray=with_tray(table, event.tray))


@evolves(e.TableClosed)
def _table_closed(table: Table, event: e.TableClosed) -> Table:
    return moved(
        table,
        event,
        phase="closed",
        decks={},
        piles={},
        in_play="",
        shown=frozenset(),
        seen={},
        tray={cents(value): count for value, count in event.count.items()},
    )
