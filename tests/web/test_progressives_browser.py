"""The wall and the meters in a real browser: rolling up, out of date, signed by keyboard, on a phone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing

import pytest
from browsing import PHONE, enter, visiting
from faults import faults
from line import Line
from linking import contribute, linked
from playwright.sync_api import expect
from served import Served, served

from houseway.store import open_log

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="Debian's chromium is not there"),
]


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("meters"), pace=0.15) as one:
        with closing(open_log(one.database)) as log:
            linked(log)
            contribute(log, 50_000, "2026-03-01T12:30:00Z")
        yield one


def test_a_figure_rolls_up_and_stays_when_the_connection_is_lost(browser, house) -> None:
    with (
        closing(open_log(house.database)) as log,
        Line(house.address) as line,
        visiting(browser) as page,
    ):
        page.clock.install()  # frames at our word: a busy machine paints few of its own
        page.goto(f"{line.address}/wall")
        major = page.locator("#link-high-road-progressive-major hw-roll")
        expect(major).to_have_text("$25,050.00")
        expect(page.locator("#stale")).to_be_hidden()
        # every figure that is shown on the way, as the browser paints it
        page.evaluate(
            """() => { window.seen = [];
            const roll = document.querySelector('#link-high-road-progressive-major hw-roll');
            new MutationObserver(() => window.seen.push(roll.textContent))
              .observe(roll, {childList: true, characterData: true, subtree: true}); }"""
        )
        page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
        contribute(log, 100_000)
        expect(major).to_have_attribute("cents", "2515000")
        page.clock.run_for(1300)
        expect(major).to_have_text("$25,150.00")
        page.clock.resume()
        seen = page.evaluate("window.seen")
        amounts = [float(text.replace("$", "").replace(",", "")) for text in seen]
        between = [amount for amount in amounts if 25_050 < amount < 25_150]
        assert len(between) > 5, "it jumped"
        line.cut = True
        expect(page.locator("#stale")).to_contain_text("Not up to date since")
        expect(major).to_have_text("$25,150.00")
        contribute(log, 1000)
        line.cut = False
        expect(major).to_have_text("$25,151.00")
        expect(page.locator("#stale")).to_be_hidden()


def test_a_wall_on_which_nothing_moves_keeps_its_line(browser, house) -> None:
    with visiting(browser) as page:
        page.goto(f"{house.address}/wall")
        heard = """async () => {
            const live = document.querySelector('hw-live'), source = live.source;
            const said = await new Promise((done) => {
                source.addEventListener('beat', () => done(true));
                setTimeout(() => done(false), 14000);
            });
            return said && live.source === source; }"""
        assert page.evaluate(heard), "a page takes a line that is silent for 12 s for dead"


def test_without_motion_a_figure_is_simply_there(browser, house) -> None:
    with (
        closing(open_log(house.database)) as log,
        visiting(browser, reduced_motion="reduce") as page,
    ):
        page.goto(f"{house.address}/wall")
        minor = page.locator("#link-high-road-progressive-minor hw-roll")
        before = minor.inner_text()
        contribute(log, 250_000)
        expect(minor).not_to_have_text(before)
        assert page.evaluate(
            "document.querySelector('#link-high-road-progressive-minor hw-roll').frame"
        ) is None  # fmt: skip


def test_two_sign_an_adjustment_with_the_keyboard_alone(browser, house) -> None:
    with visiting(browser) as page:
        enter(page, house.address, "dealer", "/progressives/high-road")
        summary = page.get_by_text("Correct a meter")
        summary.focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        for typed in ("", "-12.50", "the display was wrong", "frank"):
            if typed:
                page.keyboard.type(typed)
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        acts = page.locator("table.acts tbody tr").first
        expect(acts).to_contain_text("adjusted by -$12.50: the display was wrong")
        expect(acts).to_contain_text("dealer Dana Dealer, floorperson Frank Floor")


def test_the_meters_fit_a_phone(browser, house) -> None:
    with visiting(browser, viewport=PHONE, has_touch=True, is_mobile=True) as page:
        enter(page, house.address, "floorperson")
        for path in (
            "/wall",
            "/progressives",
            "/progressives/high-road",
            "/progressives/high-road/sums",
        ):
            page.goto(f"{house.address}{path}")
            for details in page.locator("details.act").all():
                details.locator("summary").click()
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path


def test_the_meters_can_be_read_by_everybody(browser, house) -> None:
    with visiting(browser) as page:
        enter(page, house.address, "floorperson")
        for path in (
            "/wall",
            "/progressives",
            "/progressives/high-road",
            "/tables/massachusetts/meters",
        ):
            page.goto(house.address + path)
            for details in page.locator("details").all():
                details.evaluate("one => { one.open = true }")
            assert faults(page) == [], path
