"""The floorperson counts the tray by value against the record, fills it, and closes the table."""

from __future__ import annotations

import re
import time

from houseway.floor.casino import command_of
from houseway.money import dollars
from houseway.table.procedure.tray import total

PATH = "/tables/prime/tray"


def _tray(house):
    return dict(house.casino.table("prime").state.tray)


def _fields(chips):
    return {f"chips-{value}": count for value, count in chips.items()}


def test_the_count_is_shown_beside_the_record_by_value(house, visitor):
    visitor.enter("floorperson")
    text = visitor.get(PATH).text
    for value, count in _tray(house).items():
        row = re.search(rf'<tr data-value="{value}" data-held="(\d+)">', text)
        assert row, value
        assert int(row[1]) == count


def test_a_right_count_closes_the_table_without_a_difference(house, visitor):
    visitor.enter("floorperson")
    visitor.get(PATH)
    answer = visitor.form(PATH, what="close", key="1", **_fields(_tray(house)))
    assert answer.status_code == 303
    closed = house.casino.table("prime").said[0]
    assert house.casino.table("prime").state.phase == "closed"
    assert (closed.difference, closed.who) == ("0.00", "frank")
    assert "This table is closed" in visitor.get(PATH).text


def test_a_count_that_differs_is_closed_with_only_when_said_twice(house, visitor):
    visitor.enter("floorperson")
    visitor.get(PATH)
    chips = _tray(house)
    chips[2500] -= 3
    answer = visitor.form(PATH, what="close", key="1", **_fields(chips))
    assert answer.status_code == 422
    assert "$75 under" in answer.text
    assert house.casino.table("prime").state.phase != "closed"
    assert visitor.form(PATH, what="close", key="2", sure="1", **_fields(chips)).status_code == 303
    assert house.casino.table("prime").said[0].difference == "-75.00"


def test_fills_and_credits_change_the_tray_by_what_is_counted(house, visitor):
    visitor.enter("floorperson")
    visitor.get(PATH)
    before = total(_tray(house))
    assert visitor.form(PATH, what="fill", key="1", **{"chips-500": 40}).status_code == 303
    assert total(_tray(house)) == before + 20_000
    # the same form sent twice is one fill
    visitor.form(PATH, what="fill", key="1", **{"chips-500": 40})
    assert total(_tray(house)) == before + 20_000
    assert visitor.form(PATH, what="credit", key="2", **{"chips-500": 10}).status_code == 303
    assert total(_tray(house)) == before + 15_000


def test_rubbish_is_refused_where_it_was_written(house, visitor):
    visitor.enter("floorperson")
    visitor.get(PATH)
    before = _tray(house)
    for what, fields in (
        ("fill", {"chips-500": "-4"}),
        ("fill", {"chips-500": "½"}),
        ("fill", {}),
        ("credit", {"chips-500": "999999"}),
        ("correct", {"seat": "x", "amount": "1.00", "to": "player", "reason": "r"}),
        ("correct", {"seat": "1", "amount": "lots", "to": "player", "reason": "r"}),
        ("nonsense", {}),
    ):
        answer = visitor.form(PATH, what=what, key="1", **fields)
        assert answer.status_code == 422, what
        assert 'role="alert"' in answer.text, what
    assert _tray(house) == before


def test_a_payment_is_corrected_with_its_reason_on_the_record(house, visitor, another):
    player = another().enter()
    player.send("prime", "sit_down", seat=2)
    player.send("prime", "buy_in", seat=2, amount="100.00")
    visitor.enter("floorperson")
    visitor.get(PATH)
    fields = {"seat": "2", "amount": "25.00", "to": "player", "reason": "paid one chip short"}
    assert visitor.form(PATH, what="correct", key="1", **fields).status_code == 303
    live = house.casino.table("prime")
    assert dollars(live.racks[2]) == "125.00"
    assert any(getattr(event, "reason", "") == "paid one chip short" for event in live.said)


def test_the_tray_is_the_floors_alone(another):
    for role in ("guest", "dealer", "surveillance", "investigator", "compliance"):
        assert another().enter(role).get(PATH).status_code == 403, role


def test_a_table_is_not_closed_in_a_round(house, visitor):
    visitor.enter("floorperson")
    visitor.get(PATH)
    made = command_of("sit_down", {"seat": 1, "player": "pat"}, role="player", who="pat")
    house.portal.call(lambda: house.casino.act("prime", made))
    buy = command_of("buy_in", {"seat": 1, "amount": "50.00"}, role="dealer", who="system")
    house.portal.call(lambda: house.casino.act("prime", buy))
    live = house.casino.table("prime")
    until = time.monotonic() + 60
    while live.state.phase != "betting":
        assert time.monotonic() < until
        time.sleep(0.01)
    bet = {"seat": 1, "wager": "ante", "amount": "5.00"}
    house.portal.call(
        lambda: house.casino.act("prime", command_of("place_wager", bet, role="player", who="pat"))
    )
    answer = visitor.form(PATH, what="close", key="9", **_fields(_tray(house)))
    assert answer.status_code == 422
    assert "close between rounds" in answer.text
