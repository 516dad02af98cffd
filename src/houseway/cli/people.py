"""`houseway people`: who is known to a record, what they may do, and their passwords."""

from __future__ import annotations

from typing import Annotated

import msgspec
from cyclopts import App, Parameter

from houseway.cli.record_options import Database, Flag, password, record
from houseway.cli.terminal.output import GOLD, QUIET, console, plain, print_json, print_table

app = App(name="people", help="List and add people, and set their passwords.")
Roles = Annotated[list[str], Parameter(negative="", consume_multiple=True)]


@app.command(name="list")
def list_(*, database: Database = None, json: Flag = False) -> int:
    """List everybody on the record.

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
    if not everybody:
        console().print("no people on this record yet")
        return 0
    print_table(
        ("person", "~name", "~roles"),
        [
            (
                f"[{GOLD}]{person.id}[/]",
                plain(person.name),
                f"[{QUIET}]{', '.join(person.roles)}[/]",
            )
            for person in everybody
        ],
    )
    return 0


@app.command
def add(
    person: str, /, *, roles: Roles, name: str = "", database: Database = None, json: Flag = False
) -> int:
    """Add a person, with a password from HOUSEWAY_PASSWORD or asked for.

    Parameters
    ----------
    person
        The user name: 2 to 32 lowercase letters, digits and hyphens.
    roles
        player, dealer, floorperson, surveillance, investigator, compliance or administrator; several
        may be named.
    name
        The name that others see.
    database
        The record: a file or postgresql://…; houseway.db in your data folder by default.
    json
        As JSON.
    """
    import argon2  # noqa: F401  without it nobody is added who could not sign in

    from houseway.floor.people.directory import People
    from houseway.floor.people.passwords import check_password

    with record(database, readonly=False, new=True) as log:
        people = People(log)
        people.check_new(person, roles)
        secret = password(person, "HOUSEWAY_PASSWORD")
        check_password(secret, person)
        found = people.add(person, name, roles, by="terminal")
        people.set_password(person, secret, by="terminal")
    return _say(msgspec.to_builtins(found), json=json)


@app.command(name="password")
def password_(person: str, /, *, database: Database = None, json: Flag = False) -> int:
    """Set a person's password, from HOUSEWAY_PASSWORD or asked for.

    Parameters
    ----------
    person
        The user name.
    database
        The record: a file or postgresql://…; houseway.db in your data folder by default.
    json
        As JSON.
    """
    import argon2  # noqa: F401

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
        console().print(f"[{GOLD}]{person['id']}[/] can sign in as {', '.join(person['roles'])}")  # type: ignore[arg-type]
    return 0
