"""Separation of duties, attacked: by another door, at the same moment, or with half a signature."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pyotp
import pytest
from commands import run_apart
from staffed import PASSWORD, StaffedTable, enrolled, sign_in

from houseway.errors import Refused
from houseway.floor.bots.dealer import SYSTEM
from houseway.floor.bots.players import PREFIX
from houseway.floor.casino import Casino, command_of
from houseway.floor.people import directory
from houseway.floor.people.directory import People
from houseway.floor.people.duties import FILL_LIMIT
from houseway.money import dollars
from houseway.store import open_log
from houseway.table.commands import COMMANDS

sys.path.append(str(Path(__file__).parents[1] / "web"))
from visiting import ORIGIN, Visitor


def _code(answer: Any) -> str:
    return str(answer.json()["error"]["code"])


def test_the_dealer_of_a_table_does_not_sit_down_by_another_door(table: StaffedTable) -> None:
    """The lobby's button seats somebody too."""
    table.enter("dan")
    sent = table.visitor.send("one", "change_dealer", role="dealer", dealer="dan")
    assert sent.status_code == 200, sent.text
    assert _code(table.visitor.send("one", "sit_down", seat=2, role="player")) == "two_duties"
    assert table.visitor.form("/play", table="one").status_code == 403
    assert table.casino.seat_of("one", "dan") == 0


def test_no_player_is_made_the_dealer(table: StaffedTable) -> None:
    table.enter("dan")
    assert table.visitor.send("one", "sit_down", seat=2, role="player").status_code == 200
    table.enter("flo")
    for dealer, code in (
        ("dan", "two_duties"), ("pam", "not_your_part"), ("ghost", "not_your_part"),
        ("\x1b[2J", "not_your_part"),
    ):  # fmt: skip
        sent = table.visitor.send("one", "change_dealer", role="floorperson", dealer=dealer)
        assert (sent.status_code, _code(sent)) == (403, code), dealer
        assert "\x1b" not in sent.text


@pytest.mark.parametrize("who", ["ghost", "flo", "ada"])
def test_nobody_is_seated_who_is_no_player(table: StaffedTable, who: str) -> None:
    table.enter("flo")
    fields = {"seat": 3, "player": who, "role": "floorperson"}
    sent = table.visitor.send("one", "sit_down", **fields, **table.second())
    assert (sent.status_code, _code(sent)) == (403, "not_your_part")


def test_who_left_in_a_round_does_not_supervise_it() -> None:
    """Wagers that are still in play are somebody's, though the seat is empty."""
    from houseway.cards import SeededSource
    from houseway.floor.people.duties import check_separate
    from houseway.law import MD
    from houseway.table.driver import Driver

    driver = Driver(MD, source=SeededSource(1))
    driver.seat_player(1, "flo")
    driver.seat_player(2, "pam")
    driver.ready()
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00"})
    driver.until("deciding")
    at = driver.commands[-1].at
    driver.send("leave_seat", "floorperson", seat=1)
    assert not any(box.player == "flo" for box in driver.table.boxes)
    void = COMMANDS["void_round"](role="floorperson", who="flo", at=at, reason="x")  # type: ignore[call-arg]
    with pytest.raises(Refused, match="may not deal or supervise"):
        check_separate(driver.table, void)
    paid = COMMANDS["correct_payment"](  # type: ignore[call-arg]
        role="floorperson", who="flo", at=at, seat=1, amount="5.00"
    )
    with pytest.raises(Refused):
        check_separate(driver.table, paid)


def test_two_fills_at_once_are_still_above_the_limit(casino: Casino, table: StaffedTable) -> None:
    """Each alone is within it; what was allowed a moment ago is asked again as it is carried out."""
    table.enter("flo")
    visitor = table.visitor
    chips = {"100.00": FILL_LIMIT // 10_000}
    body = {"command": "fill", "role": "floorperson", "chips": chips}
    headers = [
        (b"host", b"localhost"), (b"origin", ORIGIN.encode()),
        (b"content-type", b"application/json"), (b"x-houseway-token", visitor.token.encode()),
        (b"cookie", "; ".join(f"{k}={v}" for k, v in visitor.client.cookies.items()).encode()),
    ]  # fmt: skip

    async def post() -> int:
        import json

        status, sent = 0, False

        async def receive() -> Any:
            nonlocal sent
            if sent:
                await asyncio.Event().wait()
            sent = True
            return {"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}

        async def send(message: Any) -> None:
            nonlocal status
            status = message.get("status", status)

        path = "/tables/one/commands"
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST",
            "scheme": "http", "path": path, "raw_path": path.encode(), "query_string": b"",
            "headers": headers, "client": ("10.0.0.1", 1), "server": ("localhost", 80), "state": {},
        }  # fmt: skip
        await visitor.client.app(scope, receive, send)  # type: ignore[arg-type]
        return status

    async def attack() -> list[int]:
        return list(await asyncio.gather(*(post() for _ in range(6))))

    found = visitor.client.portal.call(attack)  # type: ignore[union-attr]
    assert sorted(found) == [200, *[403] * 5]
    assert casino.table("one").state.filled["flo"] == FILL_LIMIT
    assert dollars(FILL_LIMIT) == "5000.00"


def test_who_sits_down_and_takes_the_table_over_at_once_does_one_of_them(
    casino: Casino, table: StaffedTable
) -> None:
    async def attack() -> list[object]:
        sit = command_of("sit_down", {"seat": 4, "player": "dan"}, role="player", who="dan")
        deal = command_of("change_dealer", {"dealer": "dan"}, role="dealer", who="dan")
        both = casino.act("one", sit), casino.act("one", deal)
        return list(await asyncio.gather(*both, return_exceptions=True))

    found = table.visitor.client.portal.call(attack)  # type: ignore[union-attr]
    assert sorted(isinstance(one, Refused) for one in found) == [False, True]


# signatures


def test_staff_without_an_authenticator_signs_for_nothing(
    casino: Casino, table: StaffedTable
) -> None:
    """A password alone is half a signature, whoever has not set the other half up yet."""
    casino.people.add("fox", "Fox", ["floorperson"], by="test")
    casino.people.set_password("fox", PASSWORD, by="test")
    table.enter("flo")
    sent = table.visitor.send(
        "one", "correct_payment", seat=1, amount="5.00", role="floorperson",
        second="fox", second_password=PASSWORD,
    )  # fmt: skip
    assert (sent.status_code, _code(sent)) == (403, "no_second_factor")
    assert table.recorded("payment_corrected") == 0


def test_a_password_that_was_reset_lets_nobody_in(casino: Casino) -> None:
    """The second factor ends with it: who knows the old password must not set up another one."""
    people = casino.people
    enrolled(casino, "flo")
    token = people.reset("flo", by="ada", second="ben")
    for known in (people, People(casino.log)):
        with pytest.raises(Refused, match="wrong name or password"):
            known.check_password("flo", PASSWORD)
        assert not known.has_password("flo")
    assert people.use_link(token, "cobalt meadow spoon").id == "flo"
    assert People(casino.log).check_password("flo", "cobalt meadow spoon").id == "flo"


def test_a_reset_is_not_undone_by_a_link_that_is_being_used(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the password of an older link was hashed, the reset came: the link ended with it."""
    people, other = casino.people, People(casino.log)
    link = people.open_session(people.get("flo"), "link")

    def meanwhile(_password: str, _person: str) -> None:
        other.reset("flo", by="ada", second="ben")

    monkeypatch.setattr(directory, "check_password", meanwhile)
    with pytest.raises(Refused, match="already used"):
        people.use_link(link, "cobalt meadow spoon")
    assert not People(casino.log).has_password("flo")


def test_a_token_makes_no_other_way_in(casino: Casino, house: Any) -> None:
    """Whoever finds one has it until it is revoked, and nothing that outlives it."""
    enrolled(casino, "ada")
    for person, path, fields in (
        ("pam", "/me/token", {}),
        ("pam", "/second-factor", {"secret": "JBSWY3DPEHPK3PXP" * 2, "code": "000000"}),
        ("ada", "/people", {"what": "add", "person": "eve", "roles": "player"}),
        ("ada", "/people", {"what": "enable", "person": "pam"}),
    ):
        token = casino.people.open_session(casino.people.get(person), "api")
        before = casino.log.head("people").version
        sent = house.post(path, data=fields, headers={"authorization": f"Bearer {token}"})
        assert sent.status_code == 403, (path, sent.text)
        assert casino.log.head("people").version == before
        assert casino.people.find("eve") is None
    assert sign_in(Visitor(house), "pam").status_code == 303


def test_a_role_is_not_used_by_a_session_from_before_it(casino: Casino, house: Any) -> None:
    """A player's token, and a player's session, were opened without a second factor."""
    people = casino.people
    session = people.open_session(people.get("pam"))
    token = people.open_session(people.get("pam"), "api")
    link = people.open_session(people.get("pam"), "link")
    people.change_roles("pam", ["player", "investigator"], by="ada")
    enrolled(casino, "pam")
    assert house.get("/rounds", headers={"authorization": f"Bearer {token}"}).status_code == 401
    for known in (people, People(casino.log)):
        assert known.holder(session, "browser") is known.holder(token, "api") is None
        assert known.holder(link, "link") is not None
    again = people.open_session(people.get("pam"), "api")
    people.change_roles("pam", ["player", "investigator"], by="ada")  # nothing changes
    assert house.get("/rounds", headers={"authorization": f"Bearer {again}"}).status_code == 200


@pytest.mark.parametrize("what", ["roles", "disabled", "reset"])
def test_who_signs_in_at_that_moment_gets_no_session(casino: Casino, what: str) -> None:
    """The password was right when it was looked at; a slow hash later the account is another."""
    people = casino.people
    who = people.check_password("pam", PASSWORD)
    if what == "roles":
        people.change_roles("pam", ["player", "dealer"], by="ada")
    elif what == "disabled":
        people.disable("pam", by="ada")
    else:
        people.reset("pam", by="ada", second="ben")
    before = casino.log.head("people").version
    for kind in ("browser", "api"):
        with pytest.raises(Refused, match="sign in again"):
            People(casino.log).open_session(who, kind)
    assert casino.log.head("people").version == before


@pytest.mark.parametrize("id", [SYSTEM, f"{PREFIX}one-1", "system", "terminal", "demonstration"])
def test_nobody_is_called_what_the_program_is(casino: Casino, id: str) -> None:
    """What the system did would look like that person's, and the other way round."""
    with pytest.raises(Refused, match="program's own"):
        casino.people.add(id, "Eve", ["dealer"], by="ada")
    with pytest.raises(Refused, match="program's own"):
        casino.people.check_new(id, ["dealer"])


def test_the_demonstrations_people_are_nobody_in_a_house_with_passwords(tmp_path: Path) -> None:
    """Whoever came in there without a password, with a session that lasts or an authenticator."""
    demo, house = People(open_log(":memory:")), People(open_log(":memory:"))
    for people in (demo, house):
        people.check_kind(demonstration=True)
        people.check_kind(demonstration=False)
        people.add("rosa", "Rosa", ["player"], by="terminal")  # before the first start of either
        people.check_kind(demonstration=True)
        people.check_kind(demonstration=False)
    demo.add("guest-1", "Guest", ["player"], by="demonstration")
    demo.check_kind(demonstration=True)
    with pytest.raises(Refused, match="record of a demonstration"):
        demo.check_kind(demonstration=False)
    house.add("admin", "Administrator", ["administrator"], by="system")
    house.check_kind(demonstration=False)
    with pytest.raises(Refused, match="have passwords"):
        house.check_kind(demonstration=True)
    with open_log(tmp_path / "h.db") as log:
        People(log).add("ada", "Ada", ["administrator"], by="demonstration")
    there = ("--database", str(tmp_path / "h.db"))
    done = run_apart("serve", "--no-demo", "--port", "0", "--no-open", *there)
    assert (done.returncode, done.stdout) == (2, "")
    assert "record of a demonstration" in done.stderr
    assert "Traceback" not in done.stderr


def test_nobody_is_alone_by_taking_the_others_roles_away(casino: Casino, house: Any) -> None:
    """Who removed, disabled or reset all others would be the first of the staff again, and exempt."""
    enrolled(casino, "ada")
    visitor = Visitor(house)
    code = pyotp.TOTP(casino.people._factors["ada"]).at((casino.people._steps["ada"] + 1) * 30)
    assert sign_in(visitor, "ada", code).status_code == 303
    for other in ("ben", "flo", "fay", "dan"):
        assert (
            visitor.form("/people", what="roles", person=other, roles="player").status_code == 200
        )
        assert not casino.people.get(other).is_staff
    casino.people.reset("ben", by="ada", second="flo")
    fields = {"what": "add", "person": "eve", "name": "Eve", "roles": "floorperson"}
    answer = visitor.form("/people", **fields)
    assert answer.status_code == 422
    assert "second member of the staff" in answer.text
    assert casino.people.find("eve") is None


def test_whoever_has_an_authenticator_is_asked_for_its_code(
    casino: Casino, visitor: Visitor
) -> None:
    """A player who set one up was let in without it; so was who had been staff before."""
    _, codes = enrolled(casino, "pam")
    assert sign_in(visitor, "pam").status_code == 401
    assert sign_in(visitor, "pam", codes[0]).status_code == 303
