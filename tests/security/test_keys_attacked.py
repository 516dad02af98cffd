"""Keys in the wrong hands, and writers without them: what they wrote is found, or is not written."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from houseway.cli import main
from houseway.errors import Refused
from houseway.floor.integrity import anchor_next, check_whole, open_checked, rotate_keys
from houseway.store import Log, New, Write, open_log
from houseway.store.one_house import alone
from houseway.store.security.house_keys import HouseKeys, find_keys
from houseway.store.security.signing import signature_faults
from houseway.store.snapshots import Folding, keep, open_at
from houseway.store.verify import verify

NOON = "2026-03-01T12:00:00Z"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record on which a house was open once."""
    monkeypatch.setenv("HOUSEWAY_KEYS", str(tmp_path / "keys"))
    with open_log(tmp_path / "h.db") as log:
        open_checked(log)
        _write(log, "people", {})
    return tmp_path / "h.db"


def _write(log: Log, stream: str, body: dict[str, object]) -> None:
    log.append(Write(stream, log.head(stream).version, (New("added", body, "ada", NOON),)))


def _stolen(path: Path) -> HouseKeys:
    """The key that a thief has, and with it the database, but not the folder of the keys."""
    with open_log(path) as log:
        found = find_keys(log.id)
        assert found is not None
        return HouseKeys(found.active)


def _forge(path: Path, keys: HouseKeys, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_log(path) as log, monkeypatch.context() as there:
        there.setattr(log, "note", lambda _: None)  # the thief's machine has no such folder
        log.keys = keys
        _write(log, "people", {"person": "mallory"})


def test_a_stolen_key_signs_nothing_after_it_was_rotated(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stolen = _stolen(path)
    with open_log(path) as log:
        assert rotate_keys(log).active.id != stolen.active.id
    with open_log(path) as log:
        open_checked(log)
        _write(log, "people", {})
    _forge(path, stolen, monkeypatch)
    with open_log(path) as log:
        assert [one.reason for one in check_whole(log).faults] == ["not_signed"]
        with pytest.raises(Refused, match="did not sign"):
            open_checked(log)


def test_no_keys_are_rotated_on_a_record_with_faults(path: Path) -> None:
    """The new key would vouch for them."""
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("delete from appends")
    with open_log(path) as log, pytest.raises(Refused, match="did not sign"):
        rotate_keys(log)
    assert len(list((path.parent / "keys").glob("*.pem"))) == 1


def _status(*words: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(words))
    return int(left.value.code or 0)


def _count(state: int, _: object) -> int:
    return state + 1


COUNTING = Folding("count", int, _count, lambda state: b"%d" % state, int)


def test_a_snapshot_under_a_rotated_key_is_not_relied_on(path: Path) -> None:
    stolen = _stolen(path)
    with open_log(path) as log:
        rotate_keys(log)
        log.keys = stolen
        keep(log, "people", COUNTING, open_at(log, "people", COUNTING)._replace(state=99))
        assert open_at(log, "people", COUNTING).state == 99
    with open_log(path) as log:
        assert open_at(log, "people", COUNTING).state == 1


def test_keys_are_rotated_while_the_house_is_closed(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rotate = ("audit", "keys", "--rotate", "--database", str(path))
    with alone(str(path)):
        assert _status(*rotate) == 2
    assert "a house is open" in capsys.readouterr().err.replace("another", "a")
    assert _status(*rotate) == 0
    assert _status("audit", "verify", "--database", str(path)) == 0
    with open_log(path) as log:
        open_checked(log)


def test_no_command_writes_without_the_key_what_the_house_would_not_open_on(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("HOUSEWAY_KEYS", str(tmp_path / "other"))
        elsewhere.setenv("HOUSEWAY_PASSWORD", "violet harbor lamp")
        add = ("people", "add", "zed", "--roles", "player", "--database", str(path))
        assert _status(*add) == 2
        assert "HOUSEWAY_KEYS" in capsys.readouterr().err
    with open_log(path) as log:
        assert open_checked(log)[1].well


def test_the_next_anchor_is_not_made_of_what_the_house_did_not_sign(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An append of somebody else's is found within minutes, not at the next full check."""
    with open_log(path) as log:
        keys, _ = open_checked(log)
        with monkeypatch.context() as there:
            there.setattr(log, "keys", None)
            _write(log, "credentials", {"person": "ada", "argon2": "mallory's"})
        with pytest.raises(Refused, match="credentials, event 1: the house did not sign"):
            anchor_next(log, keys)


def test_appends_during_a_check_are_no_fault(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_log(path) as log:
        open_checked(log)

        def after(read: Callable[[], object]) -> Callable[[], Iterator[object]]:
            def reading() -> Iterator[object]:
                _write(log, "people", {})
                found = list(read())  # type: ignore[call-overload]
                _write(log, "people", {})
                return iter(found)

            return reading

        monkeypatch.setattr(log, "signatures", after(log.signatures))
        assert list(signature_faults(log, None)) == []


def test_nothing_hides_behind_the_events_of_a_block(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("drop trigger blocks_are_not_changed")
        file.create_function("more", 1, lambda body: body + b"hidden")
        file.execute("update blocks set body = more(body)")
    with open_log(path, readonly=True) as log:
        assert [one.reason for one in verify(log).faults] == ["changed"]
