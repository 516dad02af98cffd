"""`houseway audit verify`, `anchor`, `keys`, `accept`, `backup`, `restore`, `facility`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import Parameter

from houseway.cli.chapter_choice import OUT
from houseway.cli.record_options import Database, Flag, record
from houseway.cli.terminal.output import GOLD, RED, console, plain, print_json, write_text
from houseway.errors import Refused, printable
from houseway.floor import clock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from houseway.store import Log
    from houseway.store.security.anchor import Anchor
    from houseway.store.verify import Fault, Verdict


def verify(
    *,
    database: Database = None,
    anchor: Annotated[list[str] | None, Parameter(negative="")] = None,
    public_key: str | None = None,
    json: Flag = False,
) -> int:
    """Recompute every hash, and report that the chain is intact or which event is wrong.

    Signatures and snapshots are checked too if this machine has the house's keys and anchors. The
    chain needs no key. Projections are rebuilt and compared.

    Parameters
    ----------
    anchor
        An anchor that was kept elsewhere; may be given several times.
    public_key
        The key that anchors must be signed with, PEM.
    json
        The verdict as JSON.
    """
    from houseway.store.verify import verify as verified

    with record(database) as log:
        found = verified(log, _anchors(anchor, public_key))
        if not found.faults:
            faults = tuple(_beside(log, database))
            found = msgspec.structs.replace(found, faults=faults)
        return _say(found, json=json)


def _beside(log: Log, database: str | None) -> Iterator[Fault]:
    """What is wrong beside the chain: anchors, signatures, snapshots and projections kept here."""
    from houseway.floor.audit.projections import projections_path, wrong_projections
    from houseway.store.archives import archive_faults, manifest_of
    from houseway.store.security.saved_tail import elsewhere
    from houseway.store.verify import Fault

    if (manifest := manifest_of(log)) is not None:
        yield from archive_faults(log, manifest)
        return
    if log.archives is not None:
        yield from log.archives.faults()
    elif log.bases():
        return  # what begins in an archive is compared where its archives are
    if log.keys is None:
        yield from elsewhere(log)
    else:
        from houseway.floor.integrity import check_whole

        yield from check_whole(log).faults
    for table in wrong_projections(log, projections_path(log, database)):
        says = f"the projections disagree with the record about {table}; delete their file"
        yield Fault("wrong_projection", says)


def _anchors(paths: list[str] | None, public_key: str | None) -> list[Anchor]:
    if not paths:
        return []
    from houseway.store.security.anchor import read_anchor, read_public_key

    trusted = read_public_key(Path(public_key)) if public_key else None
    return [read_anchor(Path(path), trusted) for path in paths]


def _say(verdict: Verdict, *, json: bool, done: str = "OK: chain intact") -> int:
    if json:
        print_json({"unbroken": verdict.unbroken, **msgspec.to_builtins(verdict)})
    else:
        out = console()
        out.print(f"{verdict.events:,} events in {verdict.streams:,} streams")
        if verdict.archived:
            out.print(f"{verdict.archived:,} events before them are in archives that are not here")
        if verdict.unbroken:
            out.print(f"[{GOLD}]{plain(done)}[/]", soft_wrap=True)
        for fault in verdict.faults:
            event = f", event {fault.version}" if fault.version is not None else ""
            where = f"{plain(fault.stream)}{event}: " if fault.stream else ""
            out.print(f"[{RED}]broken[/] {where}{fault.says} ({fault.reason})", soft_wrap=True)
    return 0 if verdict.unbroken else 1


def anchor(
    *,
    key: str,
    out: Annotated[str, OUT],
    database: Database = None,
    new_key: Flag = False,
    json: Flag = False,
) -> int:
    """Sign the last hash of every stream, to be kept apart from the record.

    Parameters
    ----------
    key
        The house's signing key, Ed25519 in PEM.
    out
        The anchor to write, JSON.
    new_key
        Make the key first; its public half goes beside it, .pub.
    json
        The anchor as JSON.
    """
    from houseway.store.security.anchor import make_anchor, read_key
    from houseway.store.security.anchor import new_key as made_key

    secret = made_key(Path(key)) if new_key else read_key(Path(key))
    with record(database) as log:
        made = make_anchor(log, secret, clock.now())
    text = msgspec.json.format(msgspec.json.encode(made), indent=1).decode() + "\n"
    write_text(out, text, quiet=True)
    if json:
        print_json(made)
    else:
        screen = console()
        screen.print(
            f"{plain(out)}: {len(made.heads):,} streams, signed by the key", soft_wrap=True
        )
        screen.print(made.key, soft_wrap=True)
    return 0


def keys(*, database: Database = None, rotate: Flag = False, json: Flag = False) -> int:
    """Show the house's public key, or make a new key that signs and encrypts from now on.

    Parameters
    ----------
    rotate
        Make a new key; the house must be closed. Older keys are kept beside it, since what they
        signed until now is checked with them; what they sign from now on does not count.
    json
        As JSON.
    """
    from houseway.floor.integrity import rotate_keys
    from houseway.floor.streams import PREFIX
    from houseway.store.one_house import alone, check_closed
    from houseway.store.open_log import keys_folder
    from houseway.store.security.house_keys import make_keys

    with record(database) as log:
        if rotate:
            with alone(database):
                check_closed(log, PREFIX)
                found = rotate_keys(log)
        else:
            found = make_keys(log.id)
    if json:
        print_json({"active": found.active.public, "all": list(found.public)})
    else:
        console().print(f"{found.active.public}\n{plain(str(keys_folder()))}", soft_wrap=True)
    return 0


def accept(*, who: str, reason: str, database: Database = None, json: Flag = False) -> int:
    """Accept a record that differs from its anchors, if you know why.

    For a restored backup that is older than the last anchor, and for a PostgreSQL record of version
    0.4.0 whose house was killed: `serve` refuses to open on either. The chain must be intact. What
    differs goes on record with your name and the reason; the old anchors are kept under another name.

    Parameters
    ----------
    who
        Who accepts it, for the record.
    reason
        Why it differs, for the record.
    json
        What was accepted, as JSON.
    """
    from houseway.floor.integrity import accept as accepted
    from houseway.floor.integrity import in_words

    if not who.strip() or not reason.strip():
        raise Refused("no_reason", "--who and --reason must not be empty")
    with record(database, readonly=False) as log:
        faults = accepted(log, printable(who, 60), printable(reason, 500))
    if json:
        print_json({"accepted": faults})
    elif not faults:
        console().print("nothing to accept: the record agrees with its anchors and signatures")
    else:
        out = console()
        for fault in faults:
            out.print(plain(in_words(fault)), soft_wrap=True)
        out.print(f"[{GOLD}]accepted[/]; `serve` opens this record again", soft_wrap=True)
    return 0


def backup(
    file: str, /, *, database: Database = None, encrypt: Flag = False, json: Flag = False
) -> int:
    """Copy the record while tables play on, and verify the copy.

    Parameters
    ----------
    file
        The backup to write: a record of its own, in SQLite.
    encrypt
        Encrypt it with the house's key; restore decrypts it where that key is.
    json
        The verdict on the copy as JSON.
    """
    from houseway.store.backup import backup as copied

    with record(database) as log:
        key = None
        if encrypt:
            from houseway.store.security.house_keys import make_keys

            key = make_keys(log.id).active
        verdict = copied(log, Path(file), key)
        return _say(verdict, json=json, done=f"{file} is written. OK: chain intact")


def restore(
    file: str,
    /,
    *,
    database: str,
    anchor: Annotated[list[str] | None, Parameter(negative="")] = None,
    public_key: str | None = None,
    json: Flag = False,
) -> int:
    """Fill a new record from a backup that verifies.

    Parameters
    ----------
    file
        The backup.
    database
        The new record: a file that is not there yet, or an empty PostgreSQL database.
    anchor
        An anchor that the backup must continue; may be given several times.
    public_key
        The key that anchors must be signed with, PEM.
    json
        The verdict as JSON.
    """
    from houseway.store.backup import restore as restored

    anchors = _anchors(anchor, public_key)
    if not Path(file).is_file():
        raise Refused("no_such_file", f"{file}: there is no backup")
    with record(database, readonly=False, new=True) as log:
        return _say(
            restored(Path(file), log, anchors), json=json, done="restored. OK: chain intact"
        )


def facility(
    *,
    database: Database = None,
    zone: str | None = None,
    begins: str | None = None,
    who: str = "operator",
    json: Flag = False,
) -> int:
    """Show the facility's time zone and the hour its gaming day begins, or set them.

    Parameters
    ----------
    zone
        The time zone: America/New_York.
    begins
        When the gaming day begins, local time: 06:00.
    who
        Who sets it, for the record.
    json
        The configuration as JSON.
    """
    from houseway.floor.gaming_day import FacilityTime, facility_time, set_facility_time

    setting = zone is not None or begins is not None
    # what is no zone or time is refused before a record is made for it
    FacilityTime(zone or FacilityTime().zone, begins or FacilityTime().begins)
    with record(database, readonly=not setting, new=True) as log:
        now = facility_time(log)
        if setting:
            now = FacilityTime(zone or now.zone, begins or now.begins)
            set_facility_time(log, now, who, clock.now())
    if json:
        print_json(now)
    else:
        console().print(f"{now.zone}; the gaming day begins at {now.begins}")
    return 0
