"""A strategy as data to be shown: in a terminal, as a drawing, as a document and as JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import msgspec

from houseway.maths.answers import HighCardHands, RemovalOut, StrategySheet, Worth
from houseway.maths.figures import exact, percent
from houseway.maths.sheet import StrategyOut
from houseway.shown import HasFigures, ShownAsPage

#: kind of hand, hand, dealer's card -> code of what to do
Chart: TypeAlias = dict[str, dict[str, dict[str, str]]]
#: a line of text, and whether it is an aside
Remark: TypeAlias = tuple[str, bool]


class Cell(msgspec.Struct, frozen=True):
    """Hands with these two highest cards: the third cards that are played, and some of the time."""

    high: str
    middle: str
    played: str
    sometimes: str
    folded: str

    @property
    def label(self) -> str:
        """For the picture: play, fold, or the lowest third card that is played."""
        if not self.folded and not self.sometimes:
            return "play"
        if not self.played and not self.sometimes:
            return "fold"
        lowest = (self.sometimes + self.played)[0]
        return f"{lowest}+" + ("*" if self.sometimes else "")


class Code(msgspec.Struct, frozen=True):
    """What a code of a chart means, the color of its cells on paper and its style in a terminal."""

    says: str
    fill: str
    style: str


class Charts(msgspec.Struct, frozen=True):
    """Charts by title, all with the same codes."""

    panels: dict[str, Chart]
    codes: dict[str, Code]


class Picture(msgspec.Struct, frozen=True):
    """A strategy to look at. One of `cells`, `worth` and `charts` is there."""

    title: str
    says: str
    note: str = ""
    #: high-card hands, from the highest
    cells: tuple[Cell, ...] = ()
    #: what each decision brings on average: label and value in units of the stake
    worth: tuple[tuple[str, Fraction], ...] = ()
    charts: Charts | None = None
    #: how to read it, where it stands on a page by itself
    reading: str = ""


class Document(msgspec.Struct, frozen=True):
    """What a printed strategy has besides its picture."""

    subtitle: str
    #: figures by name
    particulars: list[list[str]]
    #: hands whose best play differs from the charts
    rows: list[list[str]]
    notes: list[str]


class StrategyView(msgspec.Struct, ShownAsPage, HasFigures, frozen=True):
    """The best way to play one wager."""

    wager: str
    paytable: str
    strategy: StrategyOut
    picture: Picture
    #: what follows the title in a terminal, and what stands below the picture
    lead: str
    remarks: tuple[Remark, ...]
    #: for a document, where the game has one
    document: Document | None = None

    def out(self, chapter: str) -> StrategySheet:
        """As `strategy --json` has it."""
        picture = self.picture
        return StrategySheet(
            chapter,
            self.wager,
            self.paytable,
            self.strategy,
            [
                HighCardHands(
                    cell.high,
                    cell.middle,
                    list(cell.played),
                    list(cell.sometimes),
                    list(cell.folded),
                )
                for cell in picture.cells
            ],
            [Worth(label, exact(value)) for label, value in picture.worth],
        )


class Removal(msgspec.Struct, ShownAsPage, HasFigures, frozen=True):
    """What each card that leaves the shoe changes."""

    out: RemovalOut
    title: str
    lead: str
    #: what the table below it says, its columns and its rows
    says: str
    columns: tuple[str, ...]
    rows: list[list[str]]
    remarks: tuple[Remark, ...]


def plain_remarks(picture: Picture, strategy: StrategyOut) -> tuple[Remark, ...]:
    """The picture's note, and what simpler strategies cost."""
    costs = (
        f"{other.says}: costs {percent(Fraction(other.cost), 4)}% of the ante"
        for other in strategy.alternatives
    )
    return ((f"\n{picture.note}", True), *((text, True) for text in costs))
