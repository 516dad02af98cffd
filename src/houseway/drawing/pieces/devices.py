"""What the devices on the dealer's side show: cards left, lights, meters, limits."""

from __future__ import annotations

from houseway.drawing.layout.geometry import Box
from houseway.drawing.layout.inscriptions import limits_text
from houseway.drawing.layout.places import Layout, Place
from houseway.drawing.lettering import fitted, line
from houseway.drawing.pieces import furniture
from houseway.drawing.pieces.cards import COVER, HEIGHT, WIDTH
from houseway.drawing.svg import group, num
from houseway.drawing.theme import Theme
from houseway.law import Rules
from houseway.money import spoken
from houseway.present.game import PRESENTATION
from houseway.present.view import TableView

_BACKS = {"red": "#8e1b24", "blue": "#1c3a72"}


def devices(rules: Rules, layout: Layout, view: TableView, prefix: str, theme: Theme) -> str:
    """What stands on the dealer's side, showing what it shows now."""
    return "".join(
        _device(place, rules, view, prefix, theme)
        for place in layout.devices
        if place.id != "inventory_container"
    )


def _device(place: Place, rules: Rules, view: TableView, prefix: str, theme: Theme) -> str:
    box = place.shape
    assert isinstance(box, Box)
    state = view.devices
    decks = int(rules.options.get("decks", 1))
    cards = rules.chapter.number("deck_cards") * decks
    back = _BACKS[state.back]
    says = place.says
    if place.id == "dealing_shoe":
        automatic = rules["dealing"] not in ("manual_shoe", "shoe")
        if automatic:
            drawn = furniture.machine(box, "busy" if state.shuffling else "", theme)
        else:
            drawn = furniture.shoe(box, state.stub, back, cards)
    elif place.id == "stub":
        drawn = _deck_on_table(box, state.stub, cards, back)
    elif place.id == "discard_rack":
        drawn = furniture.rack(box, state.discards, cards, back, theme)
        says = f"{says}: {state.discards} cards"
    elif place.id == "shuffler":
        light = "out" if "shuffler" in state.out_of_order else "busy" if state.shuffling else ""
        drawn = furniture.machine(box, light, theme)
        if state.shown:
            drawn = furniture.screen(box, list(state.shown), theme)
    elif place.id == "card_reader":
        drawn = furniture.reader(
            box, PRESENTATION.of(rules.chapter).lights(rules), state.light, theme, prefix
        )
        says = f"{says}: {state.light or 'no'} light"
    elif place.id == "progressive_control":
        drawn = furniture.keypad(box, state.locked, theme)
    elif place.id == "progressive_meter":
        drawn = furniture.screen(box, meters_shown(rules, view), theme)
    elif place.id == "limits":
        drawn = _limits(box, rules)
    elif place.id == "cover_card":
        drawn = _cover(box, state.cover_card_out)
    else:
        return group(
            furniture.box_on_the_side(box, place.label), id=f"{prefix}{place.id}", cls="device",
            title=f"{place.label}: {says}",
        )  # fmt: skip
    if place.id in state.out_of_order:
        drawn += furniture.out_of_order(box)
    caption = place.label
    if place.id == "discard_rack" and decks > 1:
        caption = f"{decks} decks"
    elif place.id in ("dealing_shoe", "stub") and state.stub is not None:
        caption = f"{state.stub} cards"
    if place.id != "cover_card":
        drawn += furniture.caption(box, caption)
    return group(
        drawn, id=f"{prefix}{place.id}", cls="device", title=f"{place.label}: {says}", whole=False
    )


def meters_shown(rules: Rules, view: TableView) -> list[tuple[str, str]]:
    """Each meter by its name, with what it shows; what it starts with where nothing is known."""
    shown = {meter.name: meter.amount for meter in view.meters}
    several = len({name.partition(".")[0] for name in rules.meter_names}) > 1
    rows = []
    for name in rules.meter_names:
        tier = name.partition(".")[2]
        words = rules.chapter.meter_title(name) if several else tier or "Progressive"
        amount = shown.get(name, rules.meter(name).seed)
        rows.append((words[:1].upper() + words[1:], spoken(amount)))
    return rows


def _limits(box: Box, rules: Rules) -> str:
    """The sign with the least and greatest wagers."""
    rows = limits_text(rules)
    left, top = box.x - box.width / 2, box.y - box.height / 2
    room = min(26.0, (box.height - 34) / max(1, len(rows)))
    drawn = furniture.body(box)
    for at, (name, least, most) in enumerate(rows):
        words = f"{least}–{most}" if least and most else f"from {least}" if least else f"to {most}"
        y = top + 12 + room * at
        size = fitted(words, min(17, room * 0.6), box.width - 16, bold=True)
        small = fitted(name, room * 0.36, box.width - 16)
        drawn += line(name, left + 8, y + room * 0.34, small, cls="dev quiet")
        drawn += line(words, left + 8, y + room * 0.9, size, cls="dev", bold=True)
    return drawn


def _deck_on_table(box: Box, stub: int | None, cards: int, back: str) -> str:
    share = 1.0 if stub is None else stub / cards
    depth = 12 * share
    x, y = box.x - WIDTH / 2, box.y - box.height / 2 + 4
    return (
        f'<rect x="{num(x)}" y="{num(y)}" width="{num(WIDTH)}" height="{num(HEIGHT - 14 + depth)}" '
        f'rx="4" fill="#cfc8b8"/><rect x="{num(x)}" y="{num(y)}" width="{num(WIDTH)}" '
        f'height="{num(HEIGHT - 14)}" rx="4" fill="{back}" stroke="#fdfbf4" stroke-width="3"/>'
        if share > 0
        else ""
    )


def _cover(box: Box, out: bool) -> str:
    """The cover card beside the shoe; its outline while it is in the pack."""
    x, y = box.x - WIDTH / 2, box.y - HEIGHT / 2
    fill = f'fill="{COVER}" stroke="#6b5300"' if out else 'class="place" fill="none"'
    return (
        f'<rect x="{num(x)}" y="{num(y)}" width="{num(WIDTH)}" height="{num(HEIGHT)}" rx="4" {fill} '
        'stroke-width="1.4"/>'
        + furniture.caption(box, "Cover card", up=40, cls="label quiet" if not out else "ink")
    )
