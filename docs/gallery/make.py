"""Make the gallery: every chapter in every theme, as everybody at the table sees it.

    python docs/gallery/make.py [FOLDER]

Writes the pictures and an index page beside this file, or into FOLDER. The same code gives the same
bytes, so a change of the drawing shows in the diff.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from houseway.cards import cards, deck_with_joker
from houseway.drawing import (
    THEMES,
    Look,
    draw,
    draw_compact,
    signs,
)
from houseway.drawing.phone import mini_card
from houseway.drawing.pieces import chips as chip
from houseway.drawing.pieces.cards import HEIGHT, WIDTH, Deck, back_id
from houseway.drawing.svg import num, picture
from houseway.drawing.theme import style, theme_of
from houseway.game_api.round import Round
from houseway.game_api.round_json import read_round
from houseway.game_api.settle import settle
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, Rules, choose
from houseway.present import (
    CardView,
    ChipsView,
    DevicesView,
    HandView,
    MeterView,
    SeatView,
    TableView,
    round_view,
)

EXAMPLES = Path(__file__).parents[2] / "examples"


@dataclass(frozen=True)
class Picture:
    """One picture of the gallery."""

    name: str
    says: str
    svg: str
    #: how wide the page shows it, in pixels
    wide: int = 1200


def fullest(chapter_id: str) -> Rules:
    """Everything that a chapter can offer on one table, with limits posted."""
    options: dict[str, object] = {
        MD: {"six_card_bonus": "A", "progressive": "A", "five_card_progressive": "C"},
        MA: {
            "six_card_bonus": "TCP-6B1", "cover_all": True, "shuffler": "counting",
            "progressive": "1",
        },
        PRIME: {"prime": True, "pair_bonus": "A", "all_six": "E", "payout_limit": "50000.00"},
        SAIGON: {"bonus": "A", "payout_limit": "50000.00"},
        DOWN_UNDER: {"match_the_dealer": True},
    }[chapter_id]  # fmt: skip
    wager = "bet" if chapter_id == DOWN_UNDER else "ante"
    return choose(chapter_id, options, limits={wager: {"min": "5.00", "max": "500.00"}})


def example(chapter_id: str) -> Round:
    return read_round((EXAMPLES / f"{chapter_id}.json").read_bytes())


def deck_sheet(*, four_color: bool) -> str:
    """Every card, both backs, the cover card and every chip; below them very small."""
    deck = Deck(four_color)
    step_x, step_y = WIDTH + 6, HEIGHT + 6
    parts = []
    for at, card in enumerate(deck_with_joker()):
        column, row = divmod(at, 4)
        parts.append(
            f'<use href="#{deck.symbol_id(card)}" x="{num(6 + column * step_x)}" '
            f'y="{num(6 + row * step_y)}"><title>{card.name}</title></use>'
        )
        parts.append(mini_card(CardView(card), 6 + at * 18, 6 + 4 * step_y, 16, deck))
    for at, back in enumerate(("red", "blue", "cover")):
        parts.append(
            f'<use href="#{back_id(back)}" x="{num(6 + 13 * step_x)}" y="{num(6 + (at + 1) * step_y)}"/>'
        )
    for at, piece in enumerate(chip.CHIPS):
        parts.append(
            f'<use href="#{chip.chip_id(piece)}" x="{30 + at * 48}" y="{num(84 + 4 * step_y)}">'
            f"<title>{piece.name}, {piece.label}</title></use>"
        )
    parts.append(chip.stack(49_550, 460, 104 + 4 * step_y))
    inside = deck.symbols(deck_with_joker(), ("red", "blue", "cover")) + chip.symbols(chip.CHIPS)
    wide, tall = 14 * step_x + 6, 4 * step_y + 136
    felt = f'<rect width="{num(wide)}" height="{num(tall)}" fill="#0d603e"/>'
    return picture(
        wide, tall, f"<style>{style(theme_of('green'))}</style><defs>{inside}</defs>{felt}"
        + "".join(parts), title="The deck and the chips",
    )  # fmt: skip


def _hand(text: str, **more: object) -> HandView:
    return HandView(tuple(CardView(card) for card in cards(text)), **more)  # type: ignore[arg-type]


def betting() -> TableView:
    """Maryland before the deal: chips being placed, areas that glow, a sensor that has seen."""
    return TableView(
        seats=(
            SeatView(2, "Ada", open=("ante", "pair_plus", "six_card_bonus"), active=True),
            SeatView(4, "Bo", chips=(ChipsView("ante", 2500), ChipsView("progressive", 100)),
                     sensed=("progressive",), open=("pair_plus",)),
            SeatView(6, "Cai", chips=(ChipsView("ante", 10_500), ChipsView("pair_plus", 1550))),
        ),
        devices=DevicesView(stub=52, shuffling=True),
        meters=(MeterView("progressive", 1_234_567),),
        notice="Place your bets",
        own=2,
    )  # fmt: skip


def deciding() -> TableView:
    """Maryland while seat 4 decides: a card squeezed, a hand folded, others waiting."""
    down = CardView(back="blue")
    return TableView(
        seats=(
            SeatView(1, "Ada", (HandView((down,) * 3),), (ChipsView("ante", 1000), ChipsView("play", 1000))),
            SeatView(3, "Cai", (HandView((down,) * 3, folded=True, says="Folded"),),
                     (ChipsView("ante", 2500, "collected"),)),
            SeatView(4, "Bo", (HandView((
                CardView(cards("Kh")[0]), CardView(cards("Kd")[0]),
                CardView(cards("9s")[0], back="blue", squeezed=True)), says="Pair of kings"),),
                (ChipsView("ante", 1000), ChipsView("pair_plus", 500)), open=("play",), active=True),
            SeatView(7, "Dee", (HandView((down,) * 3),), (ChipsView("ante", 500),)),
        ),
        table=(HandView((down,) * 3, "dealer_cards"), HandView((down,) * 2, "five_card_community")),
        devices=DevicesView(stub=0, discards=38, back="blue", cover_card_out=True, locked=True),
        notice="No more bets",
        own=4,
    )  # fmt: skip


def reading() -> TableView:
    """Down Under while the hole card's range is known and seat 3 has doubled."""
    return TableView(
        seats=(
            SeatView(1, "Ada", (_hand("Kc 9d", says="19"),), (ChipsView("bet", 2500),)),
            SeatView(3, "Bo", (
                HandView((*_hand("8c 3h").cards, CardView(cards("Td")[0], sideways=True)), says="21"),
                _hand("8s 7c", says="15", active=True)),
                (ChipsView("bet", 1000, hand=1), ChipsView("double", 1000, hand=1),
                 ChipsView("split", 1000, hand=2)), active=True),
            SeatView(6, "Cai", (_hand("Ts 6c 9h", says="25, bust", result="lose"),),
                     (ChipsView("bet", 1000, "collected"), ChipsView("insurance", 500, "collected"))),
        ),
        table=(HandView((CardView(cards("As")[0]), CardView()), "medium"),),
        devices=DevicesView(stub=187, discards=96, light="medium"),
    )  # fmt: skip


def out_of_order() -> TableView:
    """A table whose shuffler carries its sign."""
    return TableView(devices=DevicesView(out_of_order=("shuffler",), stub=52))


def pictures() -> Iterator[tuple[str, list[Picture]]]:
    """The whole gallery, section by section."""
    yield (
        "Cards and chips",
        [
            Picture("deck", "two colors", deck_sheet(four_color=False)),
            Picture("deck-four-colors", "four colors", deck_sheet(four_color=True)),
        ],
    )
    for id in CHAPTERS:
        about = fullest(id).chapter.about
        yield f"{about.game}, {about.jurisdiction}", list(chapter_pictures(id))
    moments = [
        Picture("moment-betting", "before the deal, seen by seat 2", draw(fullest(MD), betting())),
        Picture("moment-deciding", "seat 4 decides", draw(fullest(MD), deciding())),
        Picture("moment-reading", "the reader has shown red, seen by the dealer",
                draw(fullest(DOWN_UNDER), reading())),
        Picture("moment-out-of-order", "the shuffler is out of order",
                draw(fullest(MA), out_of_order())),
        Picture("moment-electronic", "the electronic version",
                draw(choose(MD, {"electronic": True, "six_card_bonus": "B", "progressive": "A"}))),
    ]  # fmt: skip
    phones = [
        Picture(f"moment-{name}-phone", "on a phone", draw_compact(rules, view), 390)
        for name, rules, view in (
            ("betting", fullest(MD), betting()),
            ("deciding", fullest(MD), deciding()),
            ("reading", fullest(DOWN_UNDER), replace(reading(), own=3)),
        )
    ]
    yield "Moments of a round", moments + phones


def chapter_pictures(id: str) -> Iterator[Picture]:
    rules, played = fullest(id), example(id)
    for theme in THEMES:
        key = theme == "paper"
        yield Picture(
            f"{id}-{theme}", f"{theme}, with its clause key" if key else theme,
            draw(rules, look=Look(theme=theme, key=key)),
        )  # fmt: skip
    own = played.seats[1].seat
    for role in ("public", "seat", "dealer", "floor"):
        seat = own if role == "seat" else None
        view = round_view(played, seen_by=role, own=seat)  # type: ignore[arg-type]
        says = f"dealt, seen by seat {own}" if seat else f"dealt, seen by the {role}"
        yield Picture(f"{id}-dealt-{role}", says, draw(played.rules, view))
    settled = settle(played)
    yield Picture(
        f"{id}-settled", "settled", draw(played.rules, round_view(played, settled, seen_by="floor"))
    )
    for theme in ("green", "contrast"):
        view = round_view(played, settled, seen_by="seat", own=own)
        look = Look(theme=theme, four_color=theme == "contrast")
        yield Picture(
            f"{id}-phone-{theme}",
            f"on a phone, {theme}",
            draw_compact(played.rules, view, look),
            390,
        )
    for name, svg in signs(rules).items():
        yield Picture(f"{id}-sign-{name}", f"sign: {name.replace('_', ' ')}", svg, 380)


def index(sections: list[tuple[str, list[Picture]]]) -> str:
    body = "".join(
        f"<section><h2>{escape(title)}</h2><div>"
        + "".join(
            f'<figure><a href="{picture.name}.svg">'
            f'<img src="{picture.name}.svg" alt="{escape(title)}: {escape(picture.says)}" '
            f'width="{picture.wide}" loading="lazy"></a><figcaption>{escape(picture.says)}'
            "</figcaption></figure>"
            for picture in found
        )
        + "</div></section>"
        for title, found in sections
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" '
        'content="width=device-width"><title>Houseway: the felt</title>'
        '<link rel="stylesheet" href="gallery.css">'
        "<h1>The felt</h1><p>Made by <code>docs/gallery/make.py</code>: every chapter, "
        f"theme and role, drawn by <code>houseway.drawing</code>.</p>{body}</html>\n"
    )


def make(folder: Path) -> int:
    """Write the gallery; how many pictures it has."""
    folder.mkdir(parents=True, exist_ok=True)
    sections = list(pictures())
    made = [picture for _, found in sections for picture in found]
    for one in made:
        (folder / f"{one.name}.svg").write_text(one.svg + "\n", encoding="utf-8")
    (folder / "index.html").write_text(index(sections), encoding="utf-8")
    return len(made)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    print(f"{make(target)} pictures in {target}")
