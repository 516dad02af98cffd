"""`houseway audit devices`, `decks`, `validations`, `irregularities`, `meters`: the floor's logbook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from cyclopts import Parameter

from houseway.cli.audit.search import in_dollars, moment
from houseway.cli.record_options import EVERYWHERE, Flag, Looked, searchable
from houseway.cli.terminal.output import QUIET, RED, amount, console, plain, print_json, print_table

Who = Annotated[str | None, Parameter(help="By this person.")]
Round = Annotated[str | None, Parameter(help="In this round, as `audit rounds` names it.")]


def devices(
    *,
    looked: Looked = EVERYWHERE,
    device: str | None = None,
    condition: str | None = None,
    still: Flag = False,
) -> int:
    """List devices that jammed, broke or were set aside.

    Parameters
    ----------
    device
        This device: shuffler, automated_shoe, reader, progressive, …
    condition
        In this condition: jammed, broken, covered, signed, removed.
    still
        Only those that have not changed since.
    """
    asked = {"device": device, "condition": condition, "next": "" if still else None}
    return _show(
        "devices", looked, asked, "no device has been out of order on this record",
        ("since (UTC)", "table", "device", "is", "until (UTC)", "then", "by", "clause"),
        lambda row: (
            moment(row["time"]), plain(row["table"]), _words(row["device"]), row["condition"],
            moment(row["until"]) or f"[{RED}]still[/]", row["next"], plain(row["who"]),
            _clause(row),
        ),
    )  # fmt: skip


def decks(*, looked: Looked = EVERYWHERE, in_use: Flag = False) -> int:
    """List decks: their age, their rounds, and when they must be changed.

    Parameters
    ----------
    in_use
        Only those on a table now.
    """
    from houseway.floor import clock
    from houseway.floor.audit.logbook import decks as listed

    return _show(
        "decks", looked, {"in use": in_use or None}, "no table has received a deck on this record",
        ("table", "deck", "received (UTC)", ">age", ">rounds", "change by (UTC)", "clause", "~removed"),
        lambda row: (
            plain(row["table"]), f"{row['deck']} {row['back']}", moment(row["received"], 16),
            _age(row["age_minutes"]), f"{row['rounds']:,}",
            moment(row["change_by"], 16), _clause(row),
            (f"[{RED}]overdue[/], " if row["overdue"] else "")
            + (f"{moment(row['removed'], 16)} {plain(row['why'])}" if row["removed"] else "in use"),
        ),
        lambda found, when: listed(found, when, clock.now(), in_use=in_use),
    )  # fmt: skip


def validations(
    *,
    looked: Looked = EVERYWHERE,
    who: Who = None,
    wager: str | None = None,
    seat: int | None = None,
    round: Round = None,
) -> int:
    """List progressive wins that a floorperson validated, and what was paid.

    Parameters
    ----------
    wager
        Of this wager: progressive, five_card_progressive.
    seat
        At this seat.
    """
    from houseway.law import chapter
    from houseway.law.hand_names import hand_words

    return _show(
        "validations", looked, {"who": who, "wager": wager, "seat": seat, "round": round},
        "no floorperson has validated a win on this record",
        ("time (UTC)", "round", ">seat", "~wager", "~for", ">payout", "by", "clause"),
        lambda row: (
            moment(row["time"]), plain(row["round"]), str(row["seat"]), plain(chapter(row["chapter"]).line_name(row["wager"])),
            plain(hand_words(row["outcome"])), amount(row["payout"] or ""), plain(row["who"]), _clause(row),
        ),
    )  # fmt: skip


def irregularities(
    *,
    looked: Looked = EVERYWHERE,
    kind: str | None = None,
    who: Who = None,
    round: Round = None,
) -> int:
    """List irregularities: void rounds, exposed cards, wrong counts, corrections.

    Parameters
    ----------
    kind
        Of this kind, as the record has it: round_voided, card_corrected, …
    """
    return _show(
        "irregularities", looked, {"kind": kind, "who": who, "round": round},
        "no irregularities on this record",
        ("time (UTC)", "table", "round", "by", "clause", "~what happened"),
        lambda row: (
            moment(row["time"]), plain(row["table"]), plain(row["round"]), plain(row["who"]),
            _clause(row), plain(row["says"]),
        ),
    )  # fmt: skip


def meters(
    *,
    looked: Looked = EVERYWHERE,
    meter: str | None = None,
    why: str | None = None,
) -> int:
    """List every change of the tables' progressive meters.

    Parameters
    ----------
    meter
        This meter: progressive, progressive.major, …
    why
        Moved by this: opened, wagers, paid, link, void.
    """
    from houseway.law import chapter

    return _show(
        "meters", looked, {"meter": meter, "why": why}, "no table on this record has a meter",
        ("time (UTC)", "table", "meter", ">shows", ">change", "by"),
        lambda row: (
            moment(row["time"]), plain(row["table"]), plain(chapter(row["chapter"]).meter_title(row["meter"])), amount(row["shows"]),
            amount(row["change"] or "", sign=True), plain(row["why"]),
        ),
    )  # fmt: skip


def _show(
    name: str,
    looked: Looked,
    asked: dict[str, Any],
    nothing: str,
    columns: tuple[str, ...],
    cells: Callable[[dict[str, Any]], tuple[str, ...]],
    look: Callable[..., list[dict[str, Any]]] | None = None,
) -> int:
    """A page of the logbook as it was asked for: JSON, a table, or why there is none."""
    from houseway.floor.audit.logbook import When
    from houseway.floor.audit.logbook import look as looked_up
    from houseway.floor.people.directory import People

    when = When(looked.table, looked.since, looked.until, looked.day, looked.limit)
    with searchable(looked.database) as (log, found):
        rows = look(found, when) if look else looked_up(found, name, when, asked)
        people = People(log)
    rows = [in_dollars(row) for row in rows]
    if looked.json:
        print_json({name: rows})
    elif rows:
        named = ({**row, "who": people.name(row["who"])} if "who" in row else row for row in rows)
        print_table(columns, map(cells, named))
    elif looked.narrowed() or any(value is not None for value in asked.values()):
        console().print(f"no {name} match")
    else:
        console().print(nothing)
    return 0


def _words(id: str) -> str:
    return plain(id.replace("_", " "))


def _clause(row: dict[str, Any]) -> str:
    return f"[{QUIET}]{row['clause']}[/]" if row["clause"] else ""


def _age(minutes: int) -> str:
    hours = minutes // 60
    return f"{hours} h {minutes % 60:02}" if hours < 100 else f"{hours // 24:,} d {hours % 24:02}"
