"""What people do in a browser: come in, sit down, wager, decide, leave."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from playwright.sync_api import Browser, Error, Page, expect

expect.set_options(timeout=60_000)


PHONE = {"width": 390, "height": 844}


@contextlib.contextmanager
def visiting(browser: Browser, **more) -> Iterator[Page]:
    """A page in a context of its own, which must not complain."""
    context = browser.new_context(**{"viewport": {"width": 1360, "height": 860}, **more})
    page = context.new_page()
    page.set_default_timeout(60_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console",
        lambda message: errors.append(message.text) if "Content Security" in message.text else None,
    )
    try:
        yield page
        assert errors == []
    finally:
        context.close()


def enter(page: Page, address: str, role: str, path: str = "/") -> Page:
    """Come in as somebody, on a page; who asks for none is led to where the role starts."""
    page.goto(f"{address}/sign-in?next={path}")
    page.click(f"button[value='{role}']")
    page.wait_for_url(f"**{path}" if path != "/" else lambda url: "/sign-in" not in url)
    return page


def sit(page: Page, chips: bool = True) -> None:
    page.get_by_role("button", name="Sit down", exact=True).click()
    if chips:
        page.locator(".step").get_by_text("Buy $500 in chips").click()
        close_help(page)
        expect(page.locator(".purse strong")).to_have_text("$500.00")


def close_help(page: Page) -> None:
    """How to play is shown to a player who sits down for the first time."""
    page.evaluate("document.getElementById('how')?.close()")


def wager(page: Page, *wagers: str) -> None:
    for one in wagers:
        button = page.locator(f"[data-bet={one}]")
        expect(button).to_be_enabled()
        button.click()
        row = page.locator(".wagers li", has=button)
        expect(row.locator(".money")).not_to_have_text("–")


MINE = "#panel[data-turn=mine]"
ANSWERS = ("decline_insurance", "play", "stand")


def _answer(page: Page) -> None:
    """Answer what is asked now; a click on a button that has just appeared may not be taken."""
    panel = page.locator("#panel")
    choices = page.locator(", ".join(f"[data-key-name={name}]" for name in ANSWERS)).or_(
        page.get_by_role("button", name="Set them the best way")
    )
    version = panel.get_attribute("data-version")
    with contextlib.suppress(Error, AssertionError):
        choices.first.click(timeout=3000)
        expect(panel).not_to_have_attribute("data-version", version, timeout=3000)


def decide(page: Page) -> None:
    """Whatever is asked, until nothing is."""
    mine = page.locator(MINE)
    expect(mine).to_be_visible()
    for _ in range(40):
        if not mine.count():
            return
        _answer(page)
    raise AssertionError("the table still asks for a decision")


def settled(page: Page) -> None:
    """The round is over; what is still asked on the way is answered."""
    again, mine = page.locator("[data-do=again]:enabled"), page.locator(MINE)
    for _ in range(240):
        if again.count():
            break
        if mine.count():
            _answer(page)
        page.wait_for_timeout(250)
    expect(page.locator("#lines tfoot")).to_be_visible()
    expect(again).to_be_visible()


def leave(page: Page) -> None:
    """Everybody leaves: the table would wait for a seated player who does not wager."""
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("button", name="Sit down", exact=True)).to_be_visible()
