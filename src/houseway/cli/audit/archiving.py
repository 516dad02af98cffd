"""`houseway audit archive` and `retention`: the record for years."""

from __future__ import annotations

from pathlib import Path

from houseway.cli.record_options import Database, Flag, GamingDay, record
from houseway.cli.terminal.output import console, plain, print_json
from houseway.errors import Refused


def archive(
    *,
    database: Database = None,
    out: str | None = None,
    day: GamingDay = None,
    who: str = "operator",
    json: Flag = False,
) -> int:
    """Write each closed gaming day that is not archived yet to a file of its own.

    Rounds, chips and meters of the day go into DAY.archive.db: compressed, with the chain from where
    the day before ended, and a signed manifest where this machine has the house's keys. `audit` reads
    it by itself, and as part of the record. Events that the retention no longer wants in the record
    are removed from it afterwards, each compared with its archive.

    Parameters
    ----------
    out
        The folder of archives; by default beside the record's file, or where HOUSEWAY_ARCHIVES says.
    day
        The last gaming day to archive; yesterday by default.
    who
        Who does it, for the record.
    json
        What was written and removed, as JSON.
    """
    from houseway.floor.archiving import archive as archived
    from houseway.floor.archiving import expired, remove_archived
    from houseway.floor.gaming_day import gaming_day
    from houseway.store.archives import Archives
    from houseway.store.open_log import archives_folder, default_path

    upto = gaming_day(day) if day is not None else None
    name = str(database if database is not None else default_path())
    folder = Path(out) if out else archives_folder(database) or Path(f"{name}.archives")
    if not out and "://" in name and archives_folder(database) is None:
        raise Refused("no_folder", "name the folder of archives with --out or in HOUSEWAY_ARCHIVES")
    with record(database, readonly=False) as log:
        archives = log.archives = Archives(folder, log.id)
        done = archived(log, folder, who, upto)
        removed = remove_archived(log, archives, who)
        over = expired(log, archives)
    if json:
        print_json({"archived": done, "removed": removed, "expired": over})
        return 0
    screen = console()
    for one in done:
        screen.print(
            f"{plain(str(folder / one.file))}: {one.events:,} events, {one.bytes:,} bytes",
            soft_wrap=True,
        )
    if not done:
        screen.print("every closed gaming day is archived already")
    if removed:
        screen.print(f"{removed:,} events are in the archives only from now on")
    if over:
        screen.print(f"no longer to be kept: {', '.join(over)}", soft_wrap=True)
    return 0


def retention(
    *,
    database: Database = None,
    live_days: int | None = None,
    keep_years: int | None = None,
    who: str = "operator",
    json: Flag = False,
) -> int:
    """Show how long events stay in the record after they were archived, or set it.

    Parameters
    ----------
    live_days
        Gaming days that stay in the record; until it is set, nothing is removed.
    keep_years
        Years for which archives are to be kept; older ones are listed, never deleted by the program.
    who
        Who sets it, for the record.
    json
        The configuration as JSON.
    """
    from houseway.floor.archiving import Retention, set_retention
    from houseway.floor.archiving import retention as configured

    setting = live_days is not None or keep_years is not None
    with record(database, readonly=not setting) as log:
        now = configured(log)
        if setting:
            now = Retention(live_days or now.live_days, keep_years or now.keep_years)
            if live_days == 0 or keep_years == 0:
                raise Refused("retention", "days and years must be at least 1")
            set_retention(log, now, who)
    if json:
        print_json(now)
    else:
        live = "all gaming days" if now.live_days is None else _count(now.live_days, "gaming day")
        console().print(f"in the record: {live}; archives: {_count(now.keep_years, 'year')}")
    return 0


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
