"""The felt in text: the same view that the drawing shows, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from houseway.cards import Card
from houseway.law import Rules
from houseway.money import Cents, spoken
from houseway.present import PRESENTATION, ChipsView, HandView, SeatView, TableView

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.panel import Panel
    from rich.text import Text

WIDTH = 76
_ROOM = WIDTH - 4
_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_INK, _RED_INK, _BACK = "black on #f7f4ea", "#b3202a on #f7f4ea", "#e9d9a8 on #7a1f2b"
_BAIZE, _LETTERS, _UP, _DOWN = "on #0d5234", "#e3c77a", "bold #9be29b", "#ffb3ab"


def felt(rules: Rules, view: TableView, chips: Cents, round: int) -> Panel:
    """The table as its player sees it, with the chips in front of him."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    mine = next((seat for seat in view.seats if seat.seat == view.own), SeatView(view.own or 0))
    rows: list[RenderableType] = [
        _line(f"{rules.chapter.meter_title(meter.name)}  {spoken(meter.amount)}", _LETTERS)
        for meter in view.meters
    ]
    rows += [
        _line(f"the light says {light.range}: {'-'.join(light.ranks)}", _LETTERS)
        for light in PRESENTATION.of(rules.chapter).lights(rules)
        if light.range == view.devices.light
    ]
    rows.append(_line("DEALER", _LETTERS))
    rows += _hands(view.table) or [Text("")] * 3
    rows.append(Text(""))
    rows.append(_bets(rules, mine))
    rows.append(Text(""))
    rows += _hands(mine.hands)
    rows.append(_line(f"YOU  {mine.note}".rstrip(), _LETTERS))
    about = rules.chapter.about
    return Panel(
        Group(*rows),
        title=f"{about.game}, {about.jurisdiction}",
        title_align="left",
        subtitle=f"round {round} · your chips {spoken(chips)}",
        subtitle_align="right",
        width=WIDTH,
        style=_BAIZE,
        border_style="#8a5a33",
    )


def _line(words: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(words, style=style, justify="center")


def _card(face: Card | None) -> tuple[tuple[str, str], ...]:
    """A card in three lines, with its ink."""
    if face is None:
        return (("┌───┐", _BACK), ("│░░░│", _BACK), ("└───┘", _BACK))
    text = str(face)
    if text == "Jk":
        middle, ink = "JOK", _INK
    else:
        rank = "10" if text[0] == "T" else text[0]
        middle = f"{rank}{_SUITS[text[1]]}".ljust(3)
        ink = _RED_INK if text[1] in "dh" else _INK
    return (("┌───┐", ink), (f"│{middle}│", ink), ("└───┘", ink))


def _hands(hands: Iterable[HandView]) -> list[RenderableType]:
    """Hands side by side, each with its name beneath, in the middle of however wide the felt is.

    Where they do not fit, the first, which is the dealer's, lies above the others.
    """
    from rich.align import Align
    from rich.text import Text

    laid = [hand for hand in hands if hand.cards]
    if not laid:
        return []
    wides = [max(len(hand.cards) * 6 - 1, len(hand.says)) for hand in laid]
    if len(laid) > 2 and sum(wides) + 4 * (len(laid) - 1) > _ROOM:
        return [*_hands(laid[:1]), *_hands(laid[1:])]
    lines = [Text() for _ in range(4)]
    for at, (hand, wide) in enumerate(zip(laid, wides, strict=True)):
        for row in range(3):
            lines[row].append("    " if at else "")
            spare = wide - (len(hand.cards) * 6 - 1)
            lines[row].append(" " * (spare // 2))
            for place, one in enumerate(hand.cards):
                lines[row].append(" " if place else "")
                lines[row].append(*_card(one.face)[row])
            lines[row].append(" " * (spare - spare // 2))
        lines[3].append(("    " if at else "") + hand.says.center(wide), style="bold")
    shown = lines if any(hand.says for hand in laid) else lines[:3]
    block = Text("\n").join(shown)
    block.no_wrap, block.overflow = True, "crop"
    return [Align.center(block)]


def _bets(rules: Rules, seat: SeatView) -> Text:
    """The betting areas with what lies in them, and what was paid or taken.

    A progressive wager is in the tray once it was counted; its light stays on.
    """
    from rich.text import Text

    found, chips = Text(justify="center"), seat.chips
    lit = ((wager, 0) for wager in seat.sensed)
    wagers = list(dict.fromkeys((*((one.id, one.hand) for one in chips), *lit)))
    if not wagers:
        return found.append("no wagers yet", style="dim")
    wide = 0
    for wager, hand in wagers:
        line = Text(" ( ", style=_LETTERS)
        name = rules.chapter.line_name(wager)
        line.append(f"{name}{f' {hand}' if hand else ''} ", style=_LETTERS)
        for one in chips:
            if (one.id, one.hand) == (wager, hand):
                line.append(*_moved(one))
        if wager in seat.sensed:
            line.append("● ", style="#ff6b5e")
        line.append(") ", style=_LETTERS)
        # a wager and its amount stay together
        if wide and wide + line.cell_len > _ROOM:
            found.append("\n")
            wide = 0
        wide += line.cell_len
        found.append(line)
    return found


def _moved(chips: ChipsView) -> tuple[str, str]:
    amount = spoken(chips.amount)
    return {
        "placed": (f"{amount} ", "bold"),
        "paid": (f"+{amount} ", _UP),
        "collected": (f"−{amount} ", _DOWN),
        "returned": (f"{amount} back ", ""),
    }[chips.state]
