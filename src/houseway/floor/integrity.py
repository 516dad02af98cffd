"""Whether the record and the software are what they were: at the start, on a schedule, on demand.

Anchors lie beside the house's keys, outside the database. The first one, the baseline, says where
the record stood when its keys were made; the last one is compared with the record when a house
opens, so that a stream that was cut off or rewritten, an old copy that was put back and an event
that the house did not sign are found before a table opens. All of it is recomputed once a day.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from houseway.errors import Refused, file_problem
from houseway.floor import clock
from houseway.game_api.registry import places
from houseway.law import chapter, chapters
from houseway.law.library import outside_roots
from houseway.store import NOTHING, Event, Log, New, Write, retrying
from houseway.store.event import check_event
from houseway.store.open_log import anchors_folder
from houseway.store.security.anchor import Anchor, make_anchor, read_anchor
from houseway.store.security.house_keys import HouseKeys, make_keys
from houseway.store.security.private_file import create_private
from houseway.store.security.saved_tail import anchored, elsewhere, lost_since_anchor, place_file
from houseway.store.security.signing import signature_faults
from houseway.store.verify import Fault, verify

STREAM = "integrity"
#: seconds between two anchors, and between two checks of everything
ANCHORS, WHOLE = 300.0, 86_400.0
#: a record with fewer events is checked whole when a house opens: that takes a second at most
_FEW = 100_000
#: faults that are named on record when somebody takes a record as it stands
_MOST_FAULTS = 100


class Checked(msgspec.Struct, frozen=True):
    """The result of a check: when, of what, and the faults found; an empty list is good."""

    time: str
    what: str
    faults: tuple[Fault, ...] = ()

    @property
    def well(self) -> bool:
        return not self.faults

    def __str__(self) -> str:
        return "; ".join(map(in_words, self.faults[:5])) or "chain intact"


def in_words(fault: Fault) -> str:
    event = f", event {fault.version}" if fault.version is not None else ""
    place = f"{fault.stream}{event}: " if fault.stream else ""
    return f"{place}{fault.says}"


def last_anchor(log: Log, name: str = "last") -> Anchor | None:
    """An anchor that this machine keeps; one that the house did not sign is refused."""
    path = anchors_folder(log.id) / f"{name}.json"
    if not path.exists():
        return None
    anchor = read_anchor(path)
    if log.keys is not None and anchor.key not in log.keys.public:
        raise Refused("wrong_key", f"{path} was not signed by this house")
    return anchor


def anchor_next(log: Log, keys: HouseKeys, second: Path | None = None) -> Anchor:
    """The next anchor of an open house; none is made of a record that lost what it had, or that has
    what the house did not sign.
    """
    last = last_anchor(log)
    faults = [*(last.faults(log) if last is not None else ()), *lost_since_anchor(log, log.heads())]
    faults += _unsigned(log, {fault.stream for fault in faults})
    if faults:
        raise _damaged(Checked(clock.now(), "since the last anchor", tuple(faults)))
    return anchor_now(log, keys, second)


def anchor_now(log: Log, keys: HouseKeys, second: Path | None = None) -> Anchor:
    """Sign where every stream stands, and keep that outside the database and in a second place."""
    folder = anchors_folder(log.id)
    with anchored(log.id):
        made = make_anchor(log, keys.active.private, clock.now())
        text = msgspec.json.format(msgspec.json.encode(made), indent=1)
        for name in ("baseline", "last"):
            path = folder / f"{name}.json"
            if name == "last" or not path.exists():
                _written(path, text)
    try:
        if second is not None:
            second.mkdir(parents=True, exist_ok=True)
            stamp = made.made.replace(":", "")
            shutil.copyfile(folder / "last.json", second / f"{log.id}-{stamp}.anchor.json")
    except OSError as error:
        raise Refused("cannot_write", file_problem(error.filename, error)) from None
    return made


def check_tail(log: Log) -> Checked:
    """The quick check: what was anchored is there, and what came since is whole and signed."""
    anchor = last_anchor(log)
    if anchor is None or sum(head.version for head in log.heads().values()) < _FEW:
        return check_events(log)
    faults = [*elsewhere(log), *anchor.faults(log), *lost_since_anchor(log, log.heads())]
    wrong = {fault.stream for fault in faults}
    for name, head in log.heads().items():
        at, hash = anchor.heads.get(name, (0, NOTHING.hex()))
        if head.version > at and name not in wrong:
            faults += _tail(log, name, at, bytes.fromhex(hash))
    faults += _unsigned(log, {fault.stream for fault in faults})
    return Checked(clock.now(), "since the last anchor", tuple(faults))


def _tail(log: Log, stream: str, version: int, link: bytes) -> Iterator[Fault]:
    for event in log.read(stream, version):
        version += 1
        if (event.version, event.previous) != (version, link):
            yield Fault("not_linked", "it does not follow the one before it", stream, version)
            return
        try:
            check_event(event)
        except Refused:
            yield Fault("changed", "the event does not match its own hash: it was changed",
                        stream, version)  # fmt: skip
            return
        link = event.hash


def _unsigned(log: Log, wrong: set[str | None]) -> list[Fault]:
    return [
        one
        for one in signature_faults(log, last_anchor(log, "baseline"))
        if one.stream not in wrong
    ]


def check_events(log: Log) -> Checked:
    """Every hash, every anchor that is kept here, and every signature."""
    anchors = [one for name in ("baseline", "last") if (one := last_anchor(log, name)) is not None]
    faults = [*elsewhere(log), *verify(log, anchors).faults]
    broken = {fault.stream for fault in faults}
    faults += [one for one in lost_since_anchor(log, log.heads()) if one.stream not in broken]
    faults += _unsigned(log, {fault.stream for fault in faults})
    return Checked(clock.now(), "every event", tuple(faults))


def check_whole(log: Log) -> Checked:
    """Everything: the events, and the snapshots that were folded from them."""
    found = check_events(log)
    faults = found.faults or tuple(wrong_snapshots(log))
    return Checked(found.time, "the whole record", faults)


def wrong_snapshots(log: Log) -> list[Fault]:
    """Snapshots that differ from the record. They are ignored when reading; they are a sign of tampering."""
    from houseway.floor.live_table import live_folding
    from houseway.floor.recorded_table import FOLDING
    from houseway.store import snapshots

    says = "a snapshot here is not what the events come to"
    baseline = last_anchor(log, "baseline")
    if baseline is None:
        return []  # no house has been opened with these keys, and nothing was sealed
    before = {name: at for name, (at, _) in baseline.heads.items()}
    wrong = {
        *snapshots.wrong_snapshots(log, FOLDING, before),
        *snapshots.wrong_snapshots(log, live_folding(), before),
    }
    return [Fault("wrong_snapshot", says, stream) for stream in sorted(wrong)]


def open_checked(log: Log) -> tuple[HouseKeys, Checked]:
    """The keys of a record that passes the quick check; made with its baseline where it has none."""
    keys, found = _open_checked(log)
    if log.place:
        _written(place_file(log), log.id.encode())
    return keys, found


def _open_checked(log: Log) -> tuple[HouseKeys, Checked]:
    if log.keys is None:
        # nothing is signed yet: all of it has to hold by itself
        found = check_events(log)
        if not found.well:
            raise _damaged(found)
        log.keys = make_keys(log.id)
        anchor_now(log, log.keys)
        if log.signs:
            _written(_signs(log), b"")
        return log.keys, found
    signs = _signs(log)
    if log.signs and not signs.exists():
        _take_over_unsigned(log)
    found = check_tail(log)
    if not found.well:
        raise _damaged(found)
    if log.signs:
        _written(signs, b"")
    return log.keys, found


def _signs(log: Log) -> Path:
    """The mark that a house which signs its appends has been open on a record."""
    return anchors_folder(log.id) / "signs"


def _take_over_unsigned(log: Log) -> None:
    """Accept a record that an older version, without signed appends, closed properly: its last
    anchor stands for the signatures.

    Only where nothing was ever signed, nothing has come since, and no house that signs has been open
    on it: the mark of that lies beside the anchors, out of reach from the database.
    """
    last = last_anchor(log)
    if last is None or any(True for _ in log.signatures()):
        return
    heads = {name: (head.version, head.hash.hex()) for name, head in log.heads().items()}
    if heads == last.heads:
        folder = anchors_folder(log.id)
        _written(folder / "baseline.json", (folder / "last.json").read_bytes())


def accept(log: Log, who: str, reason: str) -> tuple[Fault, ...]:
    """Take a record as it stands, since somebody knows why it differs from its anchors.

    Its chain must be intact. What was found, who takes it and why go on record; the anchors that it
    differs from are kept under another name, and the next checks begin where it stands now. A record
    that does not differ stays as it is.
    """
    found = verify(log).faults
    if not found:
        log.keys = log.keys or make_keys(log.id)
        found = tuple(signature_faults(log, make_anchor(log, log.keys.active.private, clock.now())))
    if found:
        # nobody can know these to be right: an event was changed, or signed ones are gone
        raise _damaged(Checked(clock.now(), "every event", tuple(found)))
    checked = check_events(log)
    if checked.well:
        return ()
    body = {
        "reason": reason, "faults": [in_words(one) for one in checked.faults[:_MOST_FAULTS]],
        "count": len(checked.faults),
    }  # fmt: skip
    _put(log, "record_accepted", body, who, checked.time)
    assert log.keys is not None
    _anchor_anew(log, log.keys)
    if log.place:
        _written(place_file(log), log.id.encode())
    return checked.faults


def rotate_keys(log: Log) -> HouseKeys:
    """A new key for a closed house. What older keys sign from now on does not count."""
    if log.keys is not None and last_anchor(log) is not None:
        found = check_events(log)
        if not found.well:
            raise _damaged(found)
        log.keys = make_keys(log.id, rotate=True)
        _anchor_anew(log, log.keys)
        return log.keys
    return make_keys(log.id, rotate=True)


def _anchor_anew(log: Log, keys: HouseKeys) -> None:
    """Begin with a new baseline; the anchors before it are kept under other names."""
    folder, stamp = anchors_folder(log.id), clock.now().replace(":", "")
    for name in ("baseline", "last"):
        if (path := folder / f"{name}.json").exists():
            path.rename(folder / f"{name}-until-{stamp}.json")
    anchor_now(log, keys)


def _written(path: Path, data: bytes) -> None:
    """Write a file of the folder of anchors, whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = path.with_suffix(".part")
        create_private(draft)
        draft.write_bytes(data)
        draft.replace(path)
    except OSError as error:
        raise Refused("cannot_write", file_problem(error.filename, error)) from None


def _damaged(found: Checked) -> Refused:
    return Refused(
        "damaged", f"the record is damaged{' at' if found.faults[0].stream else ':'} {found}; the casino does not open on it",
        remedy="see `houseway audit verify`, and restore a backup; where you know why an unbroken "
        "record differs from its anchors, `houseway audit accept`",
    )  # fmt: skip


# the software


def _hashes() -> dict[str, str]:
    """Of the installed package, of its own chapters, and of what was added from outside to either."""
    root = Path(str(files("houseway")))
    own = _contents(root)
    law = {name: hash for name, hash in own.items() if name.startswith("law/chapters/")}
    found = {"software": _whole(own.keys() - law.keys(), own), "law": _whole(law.keys(), law)}
    families = {place for id in chapters() for place in places(chapter(id))}
    more = {
        f"{number}/{name}": hash
        for number, place in enumerate((*outside_roots(), *sorted(map(str, families))))
        for name, hash in _contents(Path(place)).items()
    }
    return found | ({"outside": _whole(more.keys(), more)} if more else {})


def _contents(folder: Path) -> dict[str, bytes]:
    """The hash of a file, or of every file below a folder but what Python compiled from them."""
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).digest()
        for path in ([folder] if folder.is_file() else folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def _whole(names: Iterable[str], hashes: Mapping[str, bytes]) -> str:
    whole = sha256()
    for name in sorted(names, key=lambda one: one.split("/")):
        whole.update(name.encode() + b"\0" + hashes[name])
    return whole.hexdigest()


def check_software(log: Log) -> dict[str, Any]:
    """The hash of the installed software and of the law's data, put on record (GLI-19).

    With it goes which of them `changed` since the last check.
    """
    now = clock.now()
    body: dict[str, Any] = {**_hashes(), "version": version("houseway")}
    before = next((e.data for e in reversed(latest(log)) if e.kind == "software_checked"), body)
    names = ("software", "law", "outside")
    if changed := [name for name in names if before.get(name) != body.get(name)]:
        body["changed"] = changed
    _put(log, "software_checked", body, "system", now)
    return body


def put_on_record(log: Log, found: Checked) -> None:
    """A check of the whole record, and what it found."""
    body = {"what": found.what, "well": found.well, "says": str(found)[:500]}
    _put(log, "record_checked", body, "system", found.time)


def put_trouble(log: Log, what: str, says: str) -> None:
    """What could not be checked or anchored, and why; empty when it is done again."""
    body = {"what": what, "says": says[:500] or "done again", "well": not says}
    _put(log, "check_failed" if says else "check_resumed", body, "system", clock.now())


def put_saved_again(log: Log) -> None:
    """After a failed append, try to write more bytes than most events have, and record that it
    worked.
    """
    log.save_snapshot(STREAM, "trial", 0, b"", bytes(1 << 16))
    log.failed = None
    body = {"what": "appends", "says": "saved again", "well": True}
    _put(log, "check_resumed", body, "system", clock.now())


def latest(log: Log) -> list[Event]:
    """The last entries about checks, the oldest first."""
    return list(log.read(STREAM, max(0, log.head(STREAM).version - 50)))


def last_check(log: Log) -> Checked | None:
    """The last check of the whole record on record."""
    for event in reversed(latest(log)):
        if event.kind == "record_checked":
            faults = () if event.data["well"] else (Fault("damaged", event.data["says"]),)
            return Checked(event.time, event.data["what"], faults)
    return None


def troubles(log: Log) -> dict[str, Refused]:
    """What the house could not do when it last tried, and why."""
    said = {
        event.data["what"]: event.data
        for event in latest(log)
        if event.kind in ("check_failed", "check_resumed")
    }
    return {
        what: Refused("not_checked", one["says"]) for what, one in said.items() if not one["well"]
    }


def _put(log: Log, kind: str, body: dict[str, Any], who: str, time: str) -> None:
    def decide() -> list[Write]:
        at = log.head(STREAM).version
        return [Write(STREAM, at, (New(kind, body, who, time),))]

    retrying(log, decide)
