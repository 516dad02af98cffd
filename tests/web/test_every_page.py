"""Every page of the house, for whoever may see it: no serious fault of access, in Chromium."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator

import pytest
from at_table import DESK, UPRIGHT, deal, leave, play_now, wagered
from browsing import PHONE, close_help, enter, settled, visiting
from faults import faults
from laid_cards import laid_house
from playwright.sync_api import Browser, Page, expect
from starlette.routing import Route

from houseway.floor.casino import Casino
from houseway.store import open_log
from houseway.web.app import build

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="Debian's chromium is not there"),
]

#: pages by role; the rounds that are named are played first
PAGES = {
    "guest": (
        "/", "/tables/maryland", "/tables/maryland/meters", "/mathematics", "/mathematics/pa-saigon-5-card",
        "/mathematics/md-three-card-poker/strategy", "/mathematics/pa-three-card-prime/published",
        "/mathematics/md-three-card-poker/design/pair_plus/A", "/law/pa-saigon-5-card", "/practice",
        "/practice/md-three-card-poker", "/practice/pa-down-under-blackjack?number=4",
        "/practice/pa-three-card-prime/pay?number=5", "/practice/ma-three-card-poker/find?number=3",
        "/submissions", "/wall", "/progressives", "/progressives/chesapeake", "/verify", "/me",
        "/me/game", "/me/rounds/prime.1.1", "/api", "/docs", "/nothing/here",
    ),
    "compliance": ("/submissions/new/pa-saigon-5-card", "/integrity"),
    "floorperson": (
        "/floor", "/tables/prime/tray", "/tables/prime?as=floorperson", "/progressives/chesapeake",
        "/progressives/chesapeake/sums",
    ),
    "dealer": ("/tables/saigon",),
    "surveillance": ("/tables/prime", "/rounds", "/rounds/prime.1.1", "/report", "/deeds"),
    "investigator": ("/logbook",),
    "administrator": ("/people",),
}  # fmt: skip
#: addresses that answer with something else than a page, or that need what a visitor cannot have
NO_PAGE = re.compile(
    r"/api/|/stream$|\.zip$|\.css$|\.py$|/workbook$|/advice$|/coach$|^/(alive|health|metrics|stream)$|/static/"
    r"|^/link/|^/second-factor$|^/submissions/\{hash\}$|^/docs/\{"
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with laid_house({"down-under": ["", "Ts", "Ah", "9d", "Kc"]}, pace=0.1) as one:
        yield one


def test_every_address_that_is_a_page_is_among_them() -> None:
    casino = Casino(open_log(":memory:"))
    routes = build(casino, pace=0, database=":memory:").routes
    casino.close()
    given = [path.partition("?")[0] for paths in PAGES.values() for path in paths] + ["/sign-in"]
    for route in routes:
        if isinstance(route, Route) and "GET" in (route.methods or ()) and not NO_PAGE.search(route.path):  # fmt: skip
            assert any(route.path_regex.match(path) for path in given), route.path


def _a_round(page: Page, address: str) -> None:
    play_now(page, address, "prime")
    close_help(page)
    wagered(page, "ante")
    deal(page)
    expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
    page.locator("[data-key-name=play]").click()
    settled(page)
    leave(page)


def _headings(page: Page) -> list[str]:
    """What is wrong with the order of headings: one title, and no level left out on the way down."""
    seen = page.locator("h1, h2, h3, h4, h5, h6").locator("visible=true")
    levels = [int(tag[1]) for tag in seen.evaluate_all("all => all.map((one) => one.tagName)")]
    wrong = [] if levels.count(1) == 1 else [f"{levels.count(1)} titles"]
    above = [0, *levels]
    return wrong + [f"h{b} after h{a}" for a, b in zip(above, levels, strict=False) if b > a + 1]


@pytest.mark.parametrize("role", PAGES)
def test_no_page_has_a_serious_fault_of_access(browser: Browser, address: str, role: str) -> None:
    with visiting(browser) as page:
        if role in ("guest", "surveillance"):
            _a_round(page, address)
        if role == "guest":
            page.goto(f"{address}/sign-in")
            assert faults(page) == []
        else:
            enter(page, address, role)
        for path in PAGES[role]:
            page.goto(address + path)
            assert faults(page) == [], path
            assert _headings(page) == [], path


@pytest.mark.parametrize(
    "size",
    [DESK, pytest.param(UPRIGHT, marks=pytest.mark.full), PHONE],
    ids=["desktop", "upright", "phone"],
)
def test_no_moment_of_the_table_has_one_either(
    browser: Browser, address: str, size: dict[str, int]
) -> None:
    """How to play, the keys, insurance, a hand that is set, a lost line, a table that is closed."""
    with visiting(browser, viewport=size) as page:
        play_now(page, address, "saigon")
        expect(page.locator("#how")).to_be_visible()
        assert faults(page) == [], "how to play"
        close_help(page)
        wagered(page, "ante")
        assert faults(page) == [], "wagered"
        deal(page)
        expect(page.locator("hw-setter")).to_be_attached()
        assert faults(page) == [], "setting"
        page.get_by_text("What are these worth?").click()
        expect(page.locator("#advice table")).to_be_visible()
        assert faults(page) == [], "advice"
        page.evaluate("document.getElementById('advice').hidden = true")
        page.get_by_role("button", name="Set them the best way").click()
        expect(page.locator("[data-do=again]:enabled")).to_be_visible()
        page.evaluate("document.getElementById('keys').showModal()")
        assert faults(page) == [], "keys"
        page.evaluate("document.getElementById('keys').close()")
        page.evaluate("document.getElementById('offline').hidden = false")
        assert faults(page) == [], "offline"
        leave(page)
        assert faults(page) == [], "not seated"


def test_a_table_that_is_closed_says_so_and_offers_no_seat(browser: Browser, address: str) -> None:
    with visiting(browser) as floor, visiting(browser, viewport=DESK) as page:
        page.goto(f"{address}/tables/massachusetts")
        enter(floor, address, "floorperson", "/tables/massachusetts/tray")
        floor.get_by_role("button", name="Fill in what the record says").click()
        floor.get_by_role("button", name="Close the table with this count").click()
        expect(floor.get_by_text("The table is closed.")).to_be_visible()
        expect(page.locator("#step")).to_contain_text("closed")
        assert faults(page) == []
        page.goto(address)
        card = page.locator(".card-table", has=page.locator("#about-massachusetts"))
        expect(card.locator(".closed")).to_be_visible()
        expect(card.get_by_role("button", name="Play now")).to_have_count(0)
        assert faults(page) == []
