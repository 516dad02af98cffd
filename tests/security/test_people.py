"""People: what gets somebody in, what throws them out, and what nobody does alone."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyotp
import pytest
from starlette.testclient import TestClient

from houseway.errors import Refused
from houseway.floor import clock
from houseway.floor.casino import Casino
from houseway.floor.people import directory, duties
from houseway.floor.people.access import MANY, WRITTEN, Access
from houseway.floor.people.activity_log import activities
from houseway.floor.people.attempts import ATTEMPTS, BY_ADDRESS, BY_NAME, Attempts
from houseway.floor.people.directory import People
from houseway.floor.people.passwords import check_password
from houseway.store import open_log
from houseway.store.backends.memory import MemoryLog
from houseway.store.backends.sqlite import SQLiteLog
from houseway.store.event import Batch
from houseway.store.log import Conflict, Outcome
from houseway.table import Table
from houseway.web.app import build
from houseway.web.server.access_log import AccessLog

sys.path.append(str(Path(__file__).parents[1] / "web"))
from staffed import PASSWORD, StaffedTable, enrolled, sign_in
from visiting import ORIGIN, Visitor

# passwords and attempts


@pytest.mark.parametrize("word", ["short", "1234567890", "password1234", "Password-1234", "aaaaaaaaaaaa",
    "abcabcabcabc", "abcdefghijkl", "0987654321", "qwertyuiop", "casper2026"])  # fmt: skip
def test_passwords_that_anybody_would_try_are_refused(word: str) -> None:
    with pytest.raises(Refused):
        check_password(word, "casper")


def test_good_passwords_pass() -> None:
    for word in ("violet harbor lamp", "correct horse battery", "x9#kd02mmqz", "Grüße aus Köln!"):
        check_password(word, "ada")


def test_attempts_cannot_be_raced(tmp_path: Path) -> None:
    """Twenty threads over two workers at once: no more than five get as far as a password."""
    with open_log(tmp_path / "h.db") as one, open_log(tmp_path / "h.db") as two:
        workers = [Attempts(one), Attempts(two)]
        through: list[int] = []
        gate = threading.Barrier(20)

        def attempt(number: int) -> None:
            gate.wait()
            try:
                workers[number % 2].reserve("ada", f"10.0.0.{number}")
                through.append(number)
            except Refused as refusal:
                assert refusal.code in ("too_many_attempts", "conflict")

        threads = [threading.Thread(target=attempt, args=(n,)) for n in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(through) <= BY_NAME
        # a worker that starts later knows of them
        late = Attempts(one)
        for _ in range(BY_NAME - len(through)):
            late.reserve("ada", "10.9.9.9")
        with pytest.raises(Refused):
            late.reserve("ada", "10.9.9.9")
        assert "ada" not in "".join(event.body for event in one.read(ATTEMPTS))


# the second factor


def test_staff_needs_a_second_factor_before_anything_else(house: Any, visitor: Visitor) -> None:
    answer = sign_in(visitor, "ada")
    assert answer.headers["location"] == "/second-factor"
    for path in ("/people", "/me", "/rounds"):
        assert visitor.get(path, follow_redirects=False).status_code in (303, 401, 403), path
    page = visitor.get("/second-factor").text
    secret = page.split("Key: <code>")[1].split("<")[0]
    wrong = visitor.form("/second-factor", secret=secret, code="000000")
    assert wrong.status_code == 422
    totp = pyotp.TOTP(secret)
    done = visitor.form("/second-factor", secret=secret, code=totp.now())
    assert "recovery codes" in done.text
    assert visitor.get("/people").status_code == 200
    # neither secret nor codes are on record in plain, and an export leaves the stream out
    assert house.casino.people.has_second_factor("ada")


def test_a_code_is_asked_for_and_works_once(house: Any, visitor: Visitor) -> None:
    totp, codes = enrolled(house.casino, "ada")
    assert sign_in(visitor, "ada").status_code == 401
    assert sign_in(visitor, "ada", "123456").status_code == 401
    # the code that proved the authenticator was used with that
    proved = totp.at(house.casino.people._steps["ada"] * 30)
    assert sign_in(visitor, "ada", proved).status_code == 401
    code = totp.at(time.time() + 30)
    assert sign_in(visitor, "ada", code).status_code == 303
    assert visitor.get("/people").status_code == 200
    with pytest.raises(Refused, match="code"):
        house.casino.people.check_second_factor("ada", code)
    house.casino.people.check_second_factor("ada", codes[0])
    with pytest.raises(Refused, match="code"):
        house.casino.people.check_second_factor("ada", codes[0])
    program = TestClient(house.app, base_url=ORIGIN)
    program.portal = house.portal
    answer = program.post("/api/session", json={"person": "ada", "password": PASSWORD})
    assert answer.json()["error"]["code"] == "code_needed"
    body = {"person": "ada", "password": PASSWORD, "code": codes[1]}
    assert program.post("/api/session", json=body).status_code == 200


def test_players_and_the_demonstration_need_none(house: Any, visitor: Visitor) -> None:
    assert sign_in(visitor, "pam").headers["location"] == "/"
    demo = build(house.casino, hosts=("localhost",), pace=0, database=":memory:")
    assert demo.state.demonstration


# sessions


def test_sessions_are_listed_and_ended(house: Any, visitor: Visitor) -> None:
    people = house.casino.people
    sign_in(visitor, "pam")
    token = people.open_session(people.get("pam"), "api")
    assert people.holder(token, "api") is not None
    assert "Where you are signed in" in visitor.get("/me").text
    session = next(one for one in people.sessions_of("pam") if one.kind == "api")
    assert visitor.form("/me/sessions", session=session.id).status_code == 303
    assert people.holder(token, "api") is None


def test_a_disabled_person_is_out_at_once(casino: Casino) -> None:
    people = casino.people
    token = people.open_session(people.get("pam"))
    people.disable("pam", by="ada")
    assert people.holder(token, "browser") is None
    assert People(casino.log).holder(token, "browser") is None
    with pytest.raises(Refused, match="wrong name or password"):
        people.check_password("pam", PASSWORD)
    people.enable("pam", by="ada")
    people.check_password("pam", PASSWORD)
    with pytest.raises(Refused):
        people.disable("ada", by="ada")


@pytest.mark.parametrize(
    ("roles", "longest"),
    [
        (["player"], "player"), (["floorperson"], "floorperson"), (["dealer"], "dealer"),
        (["player", "dealer"], "player"), (["dealer", "administrator"], "administrator"),
    ],
)  # fmt: skip
def test_an_idle_session_of_any_role_ends_but_never_in_a_round(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, roles: list[str], longest: str
) -> None:
    """The shortest time of somebody's roles counts; players have one of their own."""
    people = casino.people
    who = people.add("ira", "Ira", roles, by="ada")
    now = time.monotonic()
    assert not people.is_idle("t", who, busy=lambda _: False)
    monkeypatch.setattr(time, "monotonic", lambda: now + directory.IDLE[longest] - 5)
    assert not people.is_idle("t", who, busy=lambda _: False, used=False)
    monkeypatch.setattr(time, "monotonic", lambda: now + directory.IDLE[longest] + 5)
    assert people.is_idle("t", who, busy=lambda _: False)
    assert not people.is_idle("t", who, busy=lambda _: True)


def test_an_idle_player_is_signed_out_and_the_stream_ends(
    house: Any, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sign_in(visitor, "pam").status_code == 303
    assert "/sign-out" in visitor.get("/").text
    now = time.monotonic()
    later = now + directory.IDLE["player"] + 5
    monkeypatch.setattr(directory.time, "monotonic", lambda: later)
    assert len(house.casino.people.sessions_of("pam")) == 1
    assert "/sign-out" not in visitor.get("/").text
    assert house.casino.people.sessions_of("pam") == []


@pytest.mark.parametrize("role", ["floorperson", "player"])
def test_a_session_that_is_used_at_one_worker_is_not_idle_at_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    with open_log(tmp_path / "h.db") as log, open_log(tmp_path / "h.db") as other:
        here = People(log)
        flo = here.add("flo", "Flo", [role], by="test")
        token = here.open_session(flo)
        there = People(other)
        now, limit = time.monotonic(), directory.IDLE[role]
        for passed in (0.0, limit - 5, 2 * limit - 15):
            monkeypatch.setattr(time, "monotonic", lambda at=now + passed: at)
            assert not here.is_idle(token, flo, busy=lambda _: False)
            if here.use_is_due(token, flo):
                here.note_use(token, flo)
        assert not there.is_idle(token, flo, busy=lambda _: False)
        # a page that nobody is at keeps nothing open, and its stream ends
        monkeypatch.setattr(time, "monotonic", lambda: now + 4 * limit)
        assert there.is_idle(token, flo, busy=lambda _: False, used=False)
        assert here.is_idle(token, flo, busy=lambda _: False, used=False)


def test_an_idle_session_does_not_begin_anew_when_the_house_does(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = casino.people.open_session(casino.people.get("flo"))
    later = clock.later(directory.IDLE["floorperson"] + 60)
    monkeypatch.setattr(clock, "now", lambda: later)
    again = People(casino.log)
    assert again.is_idle(token, again.get("flo"), busy=lambda _: False)


def test_a_stream_ends_when_its_session_does(house: Any, visitor: Visitor) -> None:
    from houseway.web.stream import still_in, waited

    people = house.casino.people
    token = people.open_session(people.get("pam"))

    class Request:
        class app:  # noqa: N801
            class state:  # noqa: N801
                casino = house.casino

        class state:  # noqa: N801
            person, session, bearer = people.get("pam"), token, False

    allowed = still_in(Request)  # type: ignore[arg-type]
    assert allowed()
    people.change_roles("pam", ["player", "dealer"], by="ada")
    assert not allowed()
    people.change_roles("pam", ["player"], by="ada")
    assert not allowed()
    Request.state.session = token = people.open_session(people.get("pam"))
    allowed = still_in(Request)  # type: ignore[arg-type]
    assert allowed()
    people.close_session(token)
    assert not allowed()

    async def ends() -> float:
        import asyncio

        begun = time.monotonic()
        await waited(asyncio.Event(), allowed)
        return time.monotonic() - begun

    assert house.portal.call(ends) < 1.5


# duties


def test_nobody_gives_themselves_roles(casino: Casino) -> None:
    with pytest.raises(Refused, match="own roles"):
        casino.people.change_roles("ada", ["administrator", "player"], by="ada")
    casino.people.change_roles("ada", ["administrator", "player"], by="ben")


def test_a_password_is_reset_by_two_others(casino: Casino) -> None:
    people = casino.people
    token = people.open_session(people.get("pam"))
    enrolled(casino, "pam")
    for by, second in (("ada", ""), ("ada", "ada"), ("ada", "pam"), ("pam", "ada")):
        with pytest.raises(Refused, match="two other people"):
            people.reset("pam", by=by, second=second)
    link = people.reset("pam", by="ada", second="flo")
    assert people.holder(link, "link") == people.get("pam")
    assert people.holder(token, "browser") is None
    assert not people.has_second_factor("pam")


def test_the_page_resets_with_a_second_person_who_proves_it(house: Any, visitor: Visitor) -> None:
    totp, _ = enrolled(house.casino, "ada")
    _, codes = enrolled(house.casino, "flo")
    sign_in(visitor, "ada", totp.at(int(time.time()) + 30))
    visitor.get("/people")
    fields = {"what": "reset", "person": "pam", "second": "flo"}
    for wrong in (
        {},
        {"second_password": PASSWORD},
        {"second_password": "x", "second_code": codes[0]},
    ):
        assert visitor.form("/people", **fields, **wrong).status_code == 422
    done = visitor.form("/people", **fields, second_password=PASSWORD, second_code=codes[0])
    assert "/link/" in done.text


def test_the_table_of_duties_is_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "reference" / "security.md").read_text()
    rows = text.split("<!-- duties -->")[1].split("<!-- duties end -->")[0].strip().splitlines()[2:]
    assert rows == [f"| {one.what} | {one.rule} |" for one in duties.DUTIES]


@pytest.mark.parametrize(
    ("role", "command", "fields", "second"),
    [
        ("floorperson", "correct_payment", {}, True), ("dealer", "buy_in", {}, True),
        ("dealer", "sit_down", {"player": "pam"}, True), ("player", "sit_down", {}, False),
        ("player", "buy_in", {}, False), ("dealer", "shuffle", {"real": True}, True),
        ("dealer", "shuffle", {}, False), ("floorperson", "fill", {"chips": {"100.00": 50}}, False),
        ("floorperson", "fill", {"chips": {"100.00": 51}}, True),
        ("floorperson", "fill", {"chips": "nonsense"}, True), ("dealer", "deal", {}, False),
        ("floorperson", "fill", {"chips": {"100.00": 51, "5.00": -100}}, True),
        ("floorperson", "correct_card", {}, True), ("dealer", "receive_decks", {}, False),
        ("dealer", "receive_decks", {"preshuffled": True}, True),
        ("floorperson", "change_decks", {"preshuffled": True}, True),
    ],
)  # fmt: skip
def test_what_takes_two_people(role: str, command: str, fields: Any, second: bool) -> None:
    assert duties.needs_second(Table(), "flo", role, command, fields) == second


def test_a_second_floorperson_signs_a_correction_over_http(table: StaffedTable) -> None:
    table.enter("flo")
    correction = {"seat": 1, "amount": "5.00", "reason": "paid short", "role": "floorperson"}
    right = table.second()
    for wrong in (
        {},
        {**right, "second": "flo"},
        {**right, "second_password": "violet harbor lamb"},
        {**right, "second_code": "000000"},
        {"second": "pam", "second_password": PASSWORD},
    ):
        answer = table.visitor.send("one", "correct_payment", **correction, **wrong)
        assert answer.status_code in (401, 403, 422), answer.text
        assert table.recorded("payment_corrected") == 0
    answer = table.visitor.send("one", "correct_payment", **correction, **right)
    assert answer.status_code == 200, answer.text
    assert table.recorded("payment_corrected") == 1
    says = [one.says for one in activities(table.casino.log, "fay").activities]
    assert any("correct payment" in one.lower() and "flo" in one.lower() for one in says), says
    # a password of somebody else is never on the record
    assert not any(PASSWORD in one.body for one in table.casino.log.scan())


def test_the_tray_page_keeps_the_same_duties(table: StaffedTable) -> None:
    """The page is no way around the second person, nor a way to any other command."""
    table.enter("flo")
    visitor = table.visitor
    assert "Second floorperson" in visitor.get("/tables/one/tray").text
    correction = {"what": "correct", "seat": "1", "amount": "5.00", "to": "player", "reason": "x"}
    alone = visitor.form("/tables/one/tray", **correction, key="1")
    assert alone.status_code == 422
    assert "second floorperson" in alone.text
    assert (
        visitor.form("/tables/one/tray", what="fill", key="2", **{"chips-10000": "51"}).status_code
        == 422
    )
    assert visitor.form("/tables/one/tray", what="order_reshuffle", key="3").status_code == 422
    assert table.recorded("payment_corrected") == 0
    done = visitor.form("/tables/one/tray", **correction, **table.second(), key="4")
    assert done.status_code == 303, done.text
    assert table.recorded("payment_corrected") == 1
    # a small fill takes one person
    small = visitor.form("/tables/one/tray", what="fill", key="5", **{"chips-10000": "50"})
    assert small.status_code == 303, small.text


def test_who_plays_at_a_table_does_not_correct_payments_there_by_the_tray(
    table: StaffedTable, casino: Casino
) -> None:
    casino.people.change_roles("flo", ["floorperson", "player"], by="ada")
    casino.give(casino.people.get("flo"), 100_000, by="test")
    table.enter("flo")
    assert table.visitor.send("one", "sit_down", seat=2, role="player").status_code == 200
    fields = {"what": "correct", "seat": "2", "amount": "5.00", "to": "player", "reason": "x"}
    answer = table.visitor.form("/tables/one/tray", **fields, **table.second(), key="1")
    assert answer.status_code == 422
    assert table.recorded("payment_corrected") == 0


def test_the_table_page_asks_for_the_second_person(table: StaffedTable, casino: Casino) -> None:
    table.enter("dan")
    visitor = table.visitor
    taken = visitor.send("one", "change_dealer", role="dealer", dealer="me")
    assert taken.status_code == 200, taken.text
    table.enter("flo")
    again = visitor.send("one", "order_reshuffle", role="floorperson", reason="a new shuffle")
    assert again.status_code == 200, again.text
    assert casino.table("one").state.phase == "shuffling"
    table.enter("dan")
    page = visitor.get("/tables/one?as=dealer").text
    assert "Second floorperson, for real cards" in page
    refused = visitor.send("one", "shuffle", role="dealer", real=True)
    assert refused.json()["error"]["code"] == "two_people"
    shuffled = visitor.send("one", "shuffle", role="dealer", real=True, **table.second("flo"))
    assert shuffled.status_code == 200, shuffled.text


def test_the_addresses_of_one_ipv6_network_count_as_one() -> None:
    """One machine has all of them, and would try one password with everybody's name."""
    attempts = Attempts(MemoryLog())
    for number in range(BY_ADDRESS):
        attempts.reserve(f"name-{number}", f"2001:db8:0:1::{number + 1:x}")
    with pytest.raises(Refused, match="too many attempts"):
        attempts.reserve("another", "2001:db8:0:1:ffff::1")
    attempts.reserve("another", "2001:db8:0:2::1")
    attempts.reserve("another", "not an address")


# a clock that was wrong for a while


def test_attempts_of_the_future_lock_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock showed another year while somebody tried; then it was set right, and the house restarted."""
    log = MemoryLog()
    with monkeypatch.context() as wrong:
        wrong.setattr(clock, "now", lambda: "2036-01-01T12:00:00.000Z")
        for _ in range(BY_NAME):
            Attempts(log).reserve("pam", "192.0.2.1")
    soon = datetime.now(UTC) + timedelta(minutes=6)
    attempts = Attempts(log)
    with pytest.raises(Refused, match="too many attempts"):
        attempts.reserve("pam", "192.0.2.1")
    monkeypatch.setattr(clock, "now", lambda: clock.text(soon))
    attempts.reserve("pam", "192.0.2.1")


def test_a_code_of_the_future_shuts_nobody_out(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each code works once all the same."""
    totp, _ = enrolled(casino, "flo")
    now = time.time()
    with monkeypatch.context() as wrong:
        wrong.setattr(time, "time", lambda: now + 10 * 365 * 86400)
        casino.people.check_second_factor("flo", totp.at(int(now) + 10 * 365 * 86400))
    monkeypatch.setattr(time, "time", lambda: now + 90)
    code = totp.at(int(now) + 90)
    casino.people.check_second_factor("flo", code)
    with pytest.raises(Refused, match="code is wrong"):
        casino.people.check_second_factor("flo", code)


# refused commands


def test_refused_commands_are_on_record_bounded_flagged_and_slowed(casino: Casino) -> None:
    access = Access(casino.log)
    waits = [access.refused("pam", "hit", "table 1: out_of_turn") for _ in range(WRITTEN + 30)]
    kinds = [event.kind for event in casino.log.read("access")]
    assert kinds.count("refused") == WRITTEN
    assert kinds.count("probing") == 1
    assert waits[: MANY - 1] == [0.0] * (MANY - 1)
    assert waits[MANY:] == sorted(waits[MANY:])
    assert waits[-1] == 2.0
    assert access.refused("ada", "hit", "table 1: out_of_turn") == 0.0
    says = [one.says for one in activities(casino.log, "pam").activities]
    assert any("refused: hit (table 1: out of turn)" in one for one in says)


def test_refusals_are_counted_over_all_workers(tmp_path: Path) -> None:
    """Whoever spreads the tries over two workers gets no more of them, and is flagged as soon."""
    with SQLiteLog(tmp_path / "a.db") as one, SQLiteLog(tmp_path / "a.db") as two:
        workers = Access(one), Access(two)
        waits = [workers[n % 2].refused("pam", "hit", "table 1") for n in range(WRITTEN + 30)]
        kinds = [event.kind for event in one.read("access")]
    assert kinds.count("refused") == WRITTEN
    assert kinds.count("probing") == 1
    assert waits[MANY - 2] == 0.0 < waits[MANY - 1]


class _Crowded(MemoryLog):
    """A record to which somebody else was quicker ten times over."""

    quicker = 10

    def append_all(self, batches: Sequence[Batch]) -> list[Outcome]:
        if self.quicker:
            self.quicker -= 1
            return [Conflict("access", 0, 1)]
        return super().append_all(batches)


def test_a_refusal_is_on_record_however_many_write_at_once() -> None:
    """It was answered as a conflict, and left no trace, when others at two workers were quicker."""
    log = _Crowded()
    assert Access(log).refused("pam", "hit", "table 1: out_of_turn") == 0.0
    assert [event.kind for event in log.read("access")] == ["refused"]


def test_the_access_log_names_no_secret(tmp_path: Path, casino: Casino) -> None:
    path = tmp_path / "access.log"
    log = AccessLog(str(path))
    app = build(casino, hosts=("localhost",), pace=0, database=":memory:", demonstration=False,
                access_log=log, secure=True)  # fmt: skip
    with TestClient(app, base_url=ORIGIN) as client:
        answer = client.get(
            "/link/very-secret-token?x=also-secret", headers={"cookie": "houseway=c"}
        )
        assert answer.headers["strict-transport-security"].startswith("max-age=")
        client.get("/health")
    log.close()
    text = path.read_text()
    assert "/link/..." in text
    assert "secret" not in text
    assert len(text.splitlines()) == 2
    assert path.stat().st_mode & 0o777 == 0o600
    assert text.startswith(clock.now()[:8])


def test_small_fills_add_up(table: StaffedTable) -> None:
    table.enter("flo")
    small = {"chips": {"100.00": 20}, "role": "floorperson"}
    for number in range(2):
        assert table.visitor.send("one", "fill", key=f"f{number}", **small).status_code == 200
    assert table.visitor.send("one", "credit", key="f2", **small).status_code == 403
    signed = {**small, **table.second()}
    assert table.visitor.send("one", "credit", key="f3", **signed).status_code == 200
    assert table.recorded("tray_filled") + table.recorded("tray_credited") == 3


def test_real_cards_do_not_come_as_a_preshuffled_deck(table: StaffedTable) -> None:
    """Whose order nobody knows: the dealer alone would say which cards are dealt."""
    table.enter("dan")
    table.visitor.send("one", "change_dealer", role="dealer", dealer="dan")
    deck = {"role": "dealer", "deck": "1", "preshuffled": True}
    for name in ("receive_decks", "change_decks"):
        answer = table.visitor.send("one", name, **deck)
        assert answer.json()["error"]["code"] == "two_people"


def test_who_plays_at_a_table_does_not_sign_there(table: StaffedTable, casino: Casino) -> None:
    casino.people.change_roles("fay", ["floorperson", "player"], by="ada")
    casino.give(casino.people.get("fay"), 10_000, by="test")
    table.enter("fay")
    assert table.visitor.send("one", "sit_down", seat=2, role="player").status_code == 200
    table.enter("flo")
    correction = {"seat": 2, "amount": "5.00", "reason": "x", "role": "floorperson"}
    answer = table.visitor.send("one", "correct_payment", **correction, **table.second("fay"))
    assert answer.json()["error"]["code"] == "two_duties"
    assert not table.recorded("payment_corrected")


def test_nobody_makes_the_second_person_themselves(house: Any, visitor: Visitor) -> None:
    """An administrator alone adds players, and nobody of the staff."""
    _, codes = enrolled(house.casino, "ada")
    _, signs = enrolled(house.casino, "flo")
    sign_in(visitor, "ada", codes[0])
    visitor.get("/people")
    puppet = {"what": "add", "person": "puppet", "name": "P"}
    fine = visitor.form("/people", **{**puppet, "person": "guest-1"}, roles="player")
    assert "/link/" in fine.text
    wrong: tuple[dict[str, str], ...] = (
        {}, {"second": "ada", "second_password": PASSWORD, "second_code": codes[1]},
        {"second": "pam", "second_password": PASSWORD},
        {"second": "flo", "second_password": PASSWORD, "second_code": "000000"},
    )  # fmt: skip
    for signed in wrong:
        for form in (
            puppet,
            {"what": "roles", "person": "pam"},
            {"what": "roles", "person": "flo"},
        ):
            roles = ["floorperson", "administrator"]
            assert visitor.form("/people", **form, **signed, roles=roles).status_code == 422
    assert house.casino.people.find("puppet") is None
    second = {"second": "flo", "second_password": PASSWORD, "second_code": signs[0]}
    house.app.state.attempts.forget("flo")
    assert "/link/" in visitor.form("/people", **puppet, **second, roles="dealer").text
    # taking a role away needs nobody else
    assert visitor.form("/people", what="roles", person="puppet", roles="player").status_code == 200


def test_the_first_administrator_adds_the_first_of_the_staff() -> None:
    casino = Casino(open_log(":memory:"))
    casino.people.add("ada", "Ada", ["administrator"], by="test")
    casino.people.set_password("ada", PASSWORD, by="test")
    app = build(casino, hosts=("localhost",), pace=0, database=":memory:", demonstration=False)
    with TestClient(app, base_url=ORIGIN) as client:
        visitor = Visitor(client)
        _, codes = enrolled(casino, "ada")
        sign_in(visitor, "ada", codes[0])
        visitor.get("/people")
        added = visitor.form("/people", what="add", person="flo", name="Flo", roles="floorperson")
        assert "/link/" in added.text
    casino.close()
