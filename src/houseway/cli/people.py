"""`houseway people`: who is known to a record, what they may do, and their passwords."""

from __future__ import annotations

from typing import Annotated

import msgspec
from cyclopts import App, Parameter

from houseway.cli.output import GOLD, QUIET, console, print_json
from houseway.cli.record_options import Database, Flag, password, record

app = App(name="people", help="The people of the house: who they are and what they may do.")
Roles = Annotated[list[str], Parameter(negative="", consume_multiple=True)]


@app.command(name="list")
def list_(*, database: Database = None, json: Flag = False) -> int:
    """Everybody on the record.

    Parameters
    ----------
    database
        The record: a file or postgresql://…; houseway.db in your data folder by default.
    json
        As JSON.
    """
    from houseway.floor.people.directory import People

    with record(database) as log:
        everybody = People(log).everybody()
    if json:
        print_json({"people": everybody})
        return 0
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    if not everybody:
        console().print("nobody is on this record")
        return 0
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("person", style=GOLD, no_wrap=True)
    table.add_column("name")
    table.add_column("may", style=QUIET)
    for person in everybody:
        table.add_row(person.id, escape(person.name), ", ".join(person.roles))
    console().print(table)
    return 0


@app.command
def add(
    person: str, /, *, roles: Roles, name: str = "", database: Database = None, json: Flag = False
) -> int:
    """Add somebody, with a password from HOUSEWAY_PASSWORD or asked for.

    Parameters
    ----------
    person
        The user name: 2 to 32 small letters, digits and hyphens.
    roles
        player, dealer, floorperson, surveillance, compliance or administrator; several may be named.
    name
        The name that others see.
    database
        The record: a file or postgresql://…; houseway.db in your data folder by default.
    json
        As JSON.
    """
    from houseway.floor.people.directory import People, check_length

    with record(database, readonly=False, new=True) as log:
        people = People(log)
        secret = password(person, "HOUSEWAY_PASSWORD")
        check_length(secret)
        found = people.add(person, name, roles, by="terminal")
        people.set_password(person, secret, by="terminal")
    return _say(msgspec.to_builtins(found), json=json)


@app.command(name="password")
def password_(person: str, /, *, database: Database = None, json: Flag = False) -> int:
    """Set somebody's password, from HOUSEWAY_PASSWORD or asked for.

    Parameters
    ----------
    person
        The user name.
    database
        The record: a file or postgresql://…; houseway.db in your data folder by default.
    json
        As JSON.
    """
    from houseway.floor.people.directory import People

    with record(database, readonly=False) as log:
        people = People(log)
        found = people.get(person)
        people.set_password(person, password(person, "HOUSEWAY_PASSWORD"), by="terminal")
    return _say(msgspec.to_builtins(found), json=json)


def _say(person: dict[str, object], *, json: bool) -> int:
    if json:
        print_json(person)
    else:
        console().print(f"[{GOLD}]{person['id']}[/] may be {', '.join(person['roles'])}")  # type: ignore[arg-type]
    return 0
