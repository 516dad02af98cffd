"""What people do in a browser: come in, sit down, wager, decide, leave."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from playwright.sync_api import Browser, Page, expect

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
    page.goto(f"{address}/sign-in?next={path}")
    page.click(f"button[value='{role}']")
    page.wait_for_url(f"**{path}")
    return page


def sit(page: Page, chips: bool = True) -> None:
    page.get_by_role("button", name="Sit down", exact=True).click()
    if chips:
        page.locator(".step").get_by_text("Buy $500 in chips").click()
        expect(page.locator(".purse strong")).to_have_text("$500.00")


def wager(page: Page, *wagers: str) -> None:
    for one in wagers:
        button = page.locator(f"[data-bet={one}]")
        expect(button).to_be_enabled()
        button.click()
        row = page.locator(".wagers li", has=button)
        expect(row.locator(".money")).not_to_have_text("–")


def decide(page: Page) -> None:
    """Whatever is asked, until nothing is."""
    panel, mine = page.locator("#panel"), page.locator("#panel[data-turn=mine]")
    expect(mine).to_be_visible()
    choices = page.locator(
        ", ".join(f"[data-key-name={name}]" for name in ("decline_insurance", "play", "stand"))
    ).or_(page.get_by_text("Set them the best way"))
    for _ in range(8):
        version = panel.get_attribute("data-version")
        choices.first.click()
        expect(panel).not_to_have_attribute("data-version", version)
        if not mine.count():
            return


def settled(page: Page) -> None:
    expect(page.locator("#lines tfoot")).to_be_visible()
    expect(page.get_by_text("Same again")).to_be_visible()


def leave(page: Page) -> None:
    """Nobody stays behind: whoever sits and does not wager is waited for."""
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("button", name="Sit down", exact=True)).to_be_visible()
