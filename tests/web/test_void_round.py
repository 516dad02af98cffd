"""A void round as its players see it, at every table: in words, with its clause and the money back."""

from __future__ import annotations

import re

import pytest
from playing_here import bet, live_table, seated, until

from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, cites

#: a hand with a card too many; in Down Under a reader that breaks in the middle of a round
MISDEAL = (("wrong_number_of_cards", {"seat": 3, "count": 9}),)
NO_READER = (("device_breaks", {"device": "reader"}), ("void_round", {"reason": "no reader"}))


@pytest.fixture
def laid() -> dict[str, list[str]]:
    """Nineteen before a six: a hand that is decided."""
    return {"down-under": ["", "Ts", "6h", "9d", "Kc"]}


@cites(MD, "13.D")
@cites(MA, "14(c)")
@cites(PRIME, "679a.13(c)")
@cites(SAIGON, "680a.13(c)")
@cites(DOWN_UNDER, "685a.12(i)")
@pytest.mark.parametrize(
    ("table", "wager", "troubles", "clause"),
    [
        ("maryland", "ante", MISDEAL, "13.D"),
        ("massachusetts", "ante", MISDEAL, "14(c)"),
        ("prime", "ante", MISDEAL, "679a.13(c)"),
        ("saigon", "ante", MISDEAL, "680a.13(c)"),
        ("down-under", "bet", NO_READER, "685a.12(i)"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_it_is_told_with_its_clause_and_the_money_that_came_back(
    house, visitor, another, table, wager, troubles, clause
) -> None:
    seated(house, visitor, table=table)
    floor = another().enter("floorperson")
    live = live_table(house, table)
    before = live.racks[3]
    assert bet(visitor, table, wager=wager, amount="10.00").status_code == 200
    assert visitor.post(f"/tables/{table}/ready").status_code == 200
    until(lambda: live.state.phase == "deciding")
    for command, fields in troubles:
        said = floor.send(table, command, **fields)
        assert said.status_code == 200, said.text
    until(lambda: live.void)
    page = visitor.get(f"/tables/{table}").text
    told = re.search(r'<p class="says void">(.*?)</p>', page, re.DOTALL)
    assert told is not None
    words = re.sub(r"<[^>]*>|\s+", " ", told[1])
    assert re.match(r" ?Round \d+ is void: \w[^_{}]*\.", words)
    assert f">{clause}</a>" in told[1]
    assert "$10 came back to you." in words
    assert live.racks[3] == before
    # it lies on the felt too, from my chair and on a phone
    for drawing in (page.partition('class="hero-felt"')[2], page.partition('id="compact"')[2]):
        assert re.search(r"Round \d+ is void: \$10 came back", drawing)
    # the next wager ends it
    until(lambda: live.state.phase == "betting")
    assert bet(visitor, table, wager=wager, amount="10.00").status_code == 200
    assert "is void" not in visitor.get(f"/tables/{table}").text.partition('id="beside"')[0]
