"""A player at a table in a browser: Play now, wagers on the felt, and what the page says of them."""

from __future__ import annotations

import contextlib
import json

from playwright.sync_api import Error, Locator, Page, expect

DESK, TABLET = {"width": 1440, "height": 900}, {"width": 1024, "height": 768}
UPRIGHT = {"width": 820, "height": 1180}


def play_now(page: Page, address: str, table: str) -> None:
    """One click in the lobby: a seat, and chips."""
    page.goto(address)
    page.locator(f"form:has(input[value={table}]) button").click()
    page.wait_for_url(f"**/tables/{table}*")
    expect(page.locator("#panel")).not_to_have_attribute("data-seat", "0")


def laid(page: Page, **wanted: str) -> None:
    """Wait until this and nothing else lies on the layout."""
    expect(page.locator("#panel")).to_have_attribute("data-layout", json.dumps(wanted))


def area(page: Page, wager: str) -> Locator:
    return page.locator(f".can[data-area='{wager}']:visible")


def wagered(page: Page, *wagers: str) -> None:
    """A chip on each of these areas, each waited for."""
    for wager in wagers:
        area(page, wager).click()
        expect(page.locator(f"#panel[data-layout*='\"{wager}\"']")).to_be_attached()


def deal(page: Page) -> None:
    page.locator("#go-deal").click()


def my_turn(page: Page) -> bool:
    """Wait for my decision, or for the end of a round that had none for me."""
    mine = page.locator("#panel[data-turn=mine]")
    expect(mine.or_(page.locator("[data-do=again]:enabled")).first).to_be_visible()
    return bool(mine.count())


def pressed(page: Page, button: Locator) -> None:
    """Press until it counts: a press on a button that has just appeared is not taken."""
    before = page.locator(
        f"#panel[data-version='{page.locator('#panel').get_attribute('data-version')}']"
    )
    for _ in range(40):
        with contextlib.suppress(Error, AssertionError):
            button.click(timeout=2000)
            expect(before).to_have_count(0, timeout=2000)
        if not before.count():
            return
    raise AssertionError("the press is not taken")


def over(page: Page) -> None:
    """The round is over; on a tablet its lines are in the panel, which is folded away."""
    expect(page.locator("[data-do=again]:enabled")).to_be_visible()


def leave(page: Page) -> None:
    """Everybody leaves: the table would wait for a seated player who does not wager."""
    page.evaluate(
        "fetch(document.getElementById('panel').dataset.send, {method: 'POST', headers: {'content-type':"
        " 'application/json', 'x-houseway-token': document.querySelector('meta[name=token]').content},"
        " body: JSON.stringify({command: 'leave_seat', seat: Number(panel.dataset.seat)})})"
    )
    expect(page.locator("#panel")).to_have_attribute("data-seat", "0")
