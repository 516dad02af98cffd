"""Every game with all its options in the windows of tablets and phones: readable, and nothing scrolls."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from at_table import area, laid, leave, play_now, wagered
from browsing import PHONE, close_help, enter, visiting
from laid_cards import laid_house
from playwright.sync_api import Browser, expect

from houseway.floor import demonstration
from houseway.law import MD, choose, cites

sys.path.append(str(Path(__file__).parents[1] / "drawing"))
from every_table import fullest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="Debian's chromium is not there"),
]
TABLES = {"maryland": "ante", "massachusetts": "ante", "prime": "ante", "saigon": "ante", "down-under": "bet"}  # fmt: skip
TABLETS, ACROSS = ((1024, 768), (1180, 820)), ((844, 390), (667, 375))
TERMS = {"rate": "20%", "seed": "1000.00", "reset": "1000.00"}

#: the smallest letters of a row of payouts, in pixels of the screen
SMALLEST = """() => Math.min(...[...document.querySelectorAll('#h-felt .payouts > g > g[font-size]')].map(
  one => Number(one.getAttribute('font-size')) * one.getScreenCTM().a))"""
#: what a player uses and does not see whole
CUT = """() => ['.told', '.chips', '.doings', '.go', '#go-deal', '#h-felt .area', '#h-felt .card-place'].flatMap(
  name => [...document.querySelectorAll(name)].filter(one => { const box = one.getBoundingClientRect();
    return box.width && (box.left < 0 || box.top < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1); }).map(() => name))"""
SCROLLS = "() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A house whose tables offer everything."""

    def tables():
        found = {}
        for name, rules in plain().items():
            full = fullest(rules.chapter.id)
            given = full.as_file()
            meters = dict.fromkeys(full.meter_names, TERMS)
            found[name] = choose(full.chapter.id, given["rules"], limits=given["limits"], meters=meters)  # fmt: skip
        found["electronic"] = choose(MD, {"electronic": True}, limits={"ante": {"min": "5.00"}})
        return found

    plain = demonstration.tables
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demonstration, "tables", tables)
        with laid_house({}, pace=0.1) as one:
            yield one


@pytest.mark.parametrize("table", TABLES)
def test_payouts_are_read_on_a_tablet_and_a_phone_held_across_shows_all(
    browser: Browser, address: str, table: str
) -> None:
    wide, high = TABLETS[0]
    with visiting(
        browser, viewport={"width": wide, "height": high}, reduced_motion="reduce"
    ) as page:
        play_now(page, address, table)
        close_help(page)
        wagered(page, TABLES[table])
        for wide, high in TABLETS:
            page.set_viewport_size({"width": wide, "height": high})
            page.wait_for_timeout(100)
            assert 12 <= page.evaluate(SMALLEST) < 40
            assert page.evaluate(SCROLLS) == [0, 0]
        for wide, high in ACROSS:
            page.set_viewport_size({"width": wide, "height": high})
            page.wait_for_timeout(100)
            assert page.evaluate(SCROLLS) == [0, 0]
            assert page.evaluate(CUT) == []
        leave(page)


@cites(MD, "11.F")
def test_each_hand_of_the_electronic_version_is_wagered_on_where_it_lies(
    browser: Browser, address: str
) -> None:
    with visiting(browser, viewport=PHONE, reduced_motion="reduce") as page:
        play_now(page, address, "electronic")
        close_help(page)
        area(page, "ante@2").click()
        laid(page, **{"ante@2": "5.00"})
        for wide, high in (*ACROSS, (1440, 900)):
            page.set_viewport_size({"width": wide, "height": high})
            page.wait_for_timeout(100)
            assert page.evaluate(SCROLLS) == [0, 0]
            assert page.evaluate(CUT) == []
        area(page, "ante@3").click()
        laid(page, **{"ante@2": "5.00", "ante@3": "5.00"})
        expect(area(page, "ante@3")).to_have_attribute("aria-label", "Ante, hand 3, $5.00 wagered")
        leave(page)


@pytest.mark.parametrize("role", ["guest", "floorperson", "administrator"])
def test_the_whole_menu_is_seen_at_the_width_of_a_tablet(
    browser: Browser, address: str, role: str
) -> None:
    with visiting(browser) as page:
        enter(page, address, role)
        for wide in (768, 820, 1024):
            page.set_viewport_size({"width": wide, "height": 900})
            menu = page.locator(".top nav")
            assert menu.evaluate("one => one.scrollWidth - one.clientWidth") <= 0, wide
            tops = menu.locator("a").evaluate_all("all => all.map(one => one.offsetTop)")
            assert len(set(tops)) == 1, wide
