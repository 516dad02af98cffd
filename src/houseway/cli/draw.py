"""`houseway draw`: the felt, a round on it, or a sign, as a picture."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from houseway.cli.chapter_choice import ChapterId
from houseway.cli.terminal.output import console, print_json, read_input
from houseway.drawing import Look, draw_compact, export, sign
from houseway.drawing import draw as draw_table
from houseway.drawing.export import size_of
from houseway.errors import Refused, file_problem
from houseway.game_api.round import Round
from houseway.game_api.round_json import parse_round, read_round, round_of
from houseway.game_api.settle import settle
from houseway.law import Rules, choose, read_rules
from houseway.present import TableView, round_view
from houseway.present.view import Role
from houseway.untrusted import LONGEST

Flag = Annotated[bool, Parameter(negative="")]


def draw(
    chapter: ChapterId,
    /,
    *,
    out: Annotated[str, Parameter(name=("--out", "-o"), allow_leading_hyphen=True)],
    rules: str | None = None,
    round: str | None = None,
    theme: str = "green",
    key: Flag = False,
    seats: int | None = None,
    seen_by: str = "public",
    dealt: Flag = False,
    four_color: Annotated[
        bool, Parameter(name=("--four-color", "--four-colour"), negative="")
    ] = False,
    phone: Flag = False,
    sign: str | None = None,
    house: str = "Houseway",
    json: Flag = False,
) -> int:
    """Draw the table of a chapter: its layout, a round on it, or a sign.

    Parameters
    ----------
    chapter
        The chapter.
    out
        The file to write, .svg, .pdf or .png; - for the SVG on standard output.
    rules
        A rules file; the chapter's defaults without one.
    round
        A round as `settle` reads it, drawn as it is settled.
    theme
        green, blue, black, paper or contrast.
    key
        Number what the chapter asks for and list it with its clauses.
    seats
        How many positions the table has.
    seen_by
        Who looks: public, dealer, floor, or the number of a seat.
    dealt
        The round as it was dealt, before anyone acts.
    four_color
        Green clubs and blue diamonds.
    phone
        The layout for a phone held upright.
    sign
        A sign instead of the table: payouts, payout_limit, limits, no_surrender, out_of_order.
    house
        The operator's name.
    json
        What was written, as JSON.
    """
    chosen, view = _table(chapter, rules, round, seen_by, dealt=dealt)
    if sign is not None:
        svg = _sign(chosen, sign, theme, house)
    else:
        look = Look(theme=theme, key=key, seats=seats, house=house, four_color=four_color)
        svg = (draw_compact if phone else draw_table)(chosen, view, look)
    if out == "-":
        if json:
            print_json({"chapter": chapter, "format": "svg", "svg": svg})
        else:
            sys.stdout.write(svg + "\n")
        return 0
    format = Path(out).suffix.removeprefix(".").lower()
    made = export(svg, format)
    try:
        Path(out).write_bytes(made)
    except OSError as error:
        raise Refused("cannot_write", file_problem(out, error), field="out") from None
    width, height = size_of(svg)
    if json:
        print_json(
            {"chapter": chapter, "file": out, "format": format, "bytes": len(made),
             "width_mm": f"{width:.1f}", "height_mm": f"{height:.1f}"}
        )  # fmt: skip
    else:
        console().print(f"{out}: {len(made):,} bytes, {width:.0f} by {height:.0f} mm on paper")
    return 0


def _sign(rules: Rules, name: str, theme: str, house: str) -> str:
    return sign(rules, name, theme="paper" if theme == "green" else theme, house=house)


def _table(
    chapter: str, rules_file: str | None, round_file: str | None, seen_by: str, *, dealt: bool
) -> tuple[Rules, TableView | None]:
    rules = read_rules(rules_file) if rules_file is not None else None
    if rules is None and round_file is None:
        return choose(chapter), None
    if rules is not None:
        _same(chapter, rules, rules_file)
    if round_file is None:
        assert rules is not None
        return rules, None
    with read_input(round_file) as source:
        played = _round(source.read(LONGEST + 1), rules)
    _same(chapter, played.rules, round_file)
    role, own = _reader(seen_by, played)
    settled = None if dealt else settle(played)
    return played.rules, round_view(played, settled, seen_by=role, own=own)


def _same(chapter: str, rules: Rules, file: str | None) -> None:
    if rules.chapter.id != chapter:
        raise Refused(
            "another_chapter", f"{file} is of {rules.chapter.id}, not of {chapter}", field="chapter"
        )


def _round(text: bytes, rules: Rules | None) -> Round:
    """A round by its own rules, or by those of a rules file."""
    if rules is None:
        return read_round(text)
    return round_of(parse_round(text), rules)


def _reader(seen_by: str, played: Round) -> tuple[Role, int | None]:
    roles: dict[str, Role] = {"public": "public", "dealer": "dealer", "floor": "floor"}
    if seen_by in roles:
        return roles[seen_by], None
    if seen_by.isdecimal() and any(seat.seat == int(seen_by) for seat in played.seats):
        return "seat", int(seen_by)
    raise Refused(
        "no_such_reader",
        f"nobody at this table is {seen_by!r}; write public, dealer, floor or a seat of the round",
        field="seen_by",
    )
