"""Casino War in the web casino: its pages, practice, and a war that is fought in a browser."""

from __future__ import annotations

import shutil

import pytest
from browsing import enter, settled, sit, visiting, wager
from casino_war_support import installed
from playing_here import bet, live_table, seated, until
from playwright.sync_api import expect
from served import served_here

from houseway.floor.casino import Casino
from houseway.store import open_log
from houseway.table import rules_of
from houseway.table.card_source import pack
from houseway.web.app import build

#: the table that the demonstration opens for the chapter
TABLE = "casino-war"
#: seat, dealer; three burned cards; seat, dealer
LAID = ["8c", "8d", "2c", "3c", "4c", "Kd", "5h"]


@pytest.fixture(autouse=True, scope="module")
def _installed(tmp_path_factory):
    with installed(tmp_path_factory.mktemp("site")):
        yield


def lay_cards(app):
    """The system's dealer shuffles so that these cards come first."""
    house = app.state.dealer._house
    plain = house.fields

    def fields(table, step):
        if table.name != TABLE or step.command != "shuffle":
            return plain(table, step)
        rest = list(pack(rules_of(table)))
        for card in LAID:
            rest.remove(card)
        return {"order": (*LAID, *rest)}

    house.fields = fields


def test_its_pages_and_practice_are_there(house, visitor):
    for path in (
        "/law/casino-war", "/practice/casino-war?number=2", "/practice/casino-war/pay?number=3",
        "/practice/casino-war/find?number=4", "/submissions/new/casino-war",
        "/mathematics/casino-war",
    ):  # fmt: skip
        answer = visitor.get(path)
        assert answer.status_code == 200, path
        assert "Casino War" in answer.text, path
    question = visitor.get("/practice/casino-war?number=2").text
    assert "Dealer shows" in question
    assert "hole card" not in question


def test_a_war_is_fought_over_the_interface_for_programs(house, visitor):
    lay_cards(house.app)
    seated(house, visitor, table=TABLE)
    assert bet(visitor, TABLE, wager="ante").status_code == 200
    until(lambda: live_table(house, TABLE).state.phase == "deciding")
    page = visitor.get(f"/tables/{TABLE}").text
    assert "Go to war $10.00" in page
    assert "Surrender" in page
    assert visitor.send(TABLE, "go_to_war", seat=3).status_code == 200
    until(lambda: not live_table(house, TABLE).state.hands)
    lines = live_table(house, TABLE).state.settled
    assert [(line.wager, line.result) for line in lines] == [("ante", "push"), ("raise", "win")]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("chromium") is None, reason="Debian's chromium is not there")
def test_a_war_is_fought_in_a_browser(browser):
    casino = Casino(open_log(":memory:"))
    app = build(casino, pace=0.15, database=":memory:")
    lay_cards(app)
    with served_here(app) as address, visiting(browser) as page:
        enter(page, address, "guest", f"/tables/{TABLE}")
        sit(page)
        wager(page, "ante", "tie")
        page.locator(".step").get_by_role("button", name="Deal", exact=True).click()
        expect(page.locator("#mine .names")).to_have_text("Eight")
        page.get_by_role("button", name="Go to war").click()
        settled(page)
        rows = page.locator("#lines tbody tr")
        expect(rows).to_have_count(3)
        expect(page.locator("#lines tbody")).to_contain_text("Raise")
        expect(page.locator("#lines tfoot .money")).to_contain_text("+")
    casino.close()
