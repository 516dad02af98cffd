"""The player's table in a browser: the hero view, presses that count, betting, the result, a lost line."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator

import pytest
from at_table import DESK, TABLET, area, deal, laid, leave, my_turn, over, play_now, pressed
from browsing import PHONE, close_help, decide, settled, visiting
from faults import faults
from line import Line
from playwright.sync_api import Browser, Page, expect
from served import served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="Debian's chromium is not there"),
]
#: table, its first wager
GAMES = {"maryland": "ante", "massachusetts": "ante", "prime": "ante", "saigon": "ante",
         "down-under": "bet"}  # fmt: skip


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("player"), pace=0.1) as one:
        yield one.address


@pytest.mark.parametrize("table", GAMES)
def test_from_the_address_to_the_first_wager_in_two_clicks_and_the_result_stays(
    browser: Browser, address: str, table: str
) -> None:
    with visiting(browser, viewport=DESK) as page:
        play_now(page, address, table)  # the first click
        area(page, GAMES[table]).click()  # the second
        expect(page.locator("#panel")).to_have_attribute("data-layout", re.compile(GAMES[table]))
        # the whole of it is on the screen: felt, rail, and nothing to scroll for
        assert page.evaluate("document.documentElement.scrollHeight") <= DESK["height"]
        deal(page)
        decided = my_turn(page)
        if decided:
            # cards that turn are drawn anew, so one found before may be gone
            page.wait_for_function(
                "[...document.querySelectorAll('#h-felt .card')].at(-1)"
                "?.getBoundingClientRect().width >= 110"
            )
            rail = page.locator(".decide").bounding_box()
            felt = page.locator("#h-felt").bounding_box()
            assert rail is not None
            assert felt is not None
            assert rail["y"] - felt["y"] - felt["height"] < 60, "decisions stand by the felt"
            decide(page)
        settled(page)
        # cards up, each wager with its amount, my total: until I wager again
        total = page.locator("#h-felt .total")
        expect(total).to_be_visible()
        words = page.locator("#lines tfoot .money").inner_text().replace(".00", "").replace("$", "")
        shown = total.locator("text").text_content() or ""
        assert shown.replace("$", "") in (words, "even") or "." in words
        # my hand, and the dealer's with its name
        assert page.locator("#h-felt .card").count() >= 4
        area(page, GAMES[table]).click()
        expect(total).to_have_count(0)
        page.locator("[data-do=clear]").click()
        laid(page)
        leave(page)


def test_a_second_press_of_deal_decides_nothing(browser: Browser, address: str) -> None:
    """An impatient hand clicks where Deal is, again and again: no decision is made, no bet laid."""
    with visiting(browser, viewport=DESK) as page:
        play_now(page, address, "maryland")
        area(page, "ante").click()
        expect(page.locator("#go-deal")).to_be_enabled()
        box = page.locator("#go-deal").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for _ in range(40):
            page.mouse.click(x, y)
            page.wait_for_timeout(50)
            if page.locator("#panel[data-turn=mine]").count():
                break
        for _ in range(8):
            page.mouse.click(x, y)
            page.wait_for_timeout(60)
        expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
        # a press that began before the buttons appeared is not theirs
        fold = page.locator("[data-key-name=fold]")
        assert fold.evaluate("one => getComputedStyle(one).backgroundColor") == fold.evaluate(
            "one => { one.dispatchEvent(new MouseEvent('mouseover')); return getComputedStyle(one).backgroundColor; }"
        )
        page.locator("[data-key-name=play]").click()
        settled(page)
        leave(page)


def test_a_press_that_began_before_the_buttons_appeared_is_ignored(
    browser: Browser, address: str
) -> None:
    with visiting(browser, viewport=DESK) as page:
        play_now(page, address, "prime")
        area(page, "ante").click()
        expect(page.get_by_role("button", name="Deal", exact=True)).to_be_enabled()
        zone = page.locator(".decide").bounding_box()
        assert zone is not None
        # the pointer goes down where Fold will stand, and up when it does; a key deals in between
        page.mouse.move(zone["x"] + zone["width"] * 0.75, zone["y"] + zone["height"] / 2 - 12)
        page.mouse.down()
        page.keyboard.press("g")
        expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
        page.wait_for_timeout(300)
        page.mouse.up()
        page.wait_for_timeout(300)
        expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
        page.mouse.down()
        page.mouse.up()
        settled(page)
        expect(page.locator("#lines tbody")).to_contain_text("forfeited")
        leave(page)


def test_bets_are_undone_cleared_doubled_repeated_and_dealt_by_key(
    browser: Browser, address: str
) -> None:
    with visiting(browser, viewport=TABLET) as page:
        play_now(page, address, "maryland")
        close_help(page)
        # on a tablet the panel is folded away and the felt has the room
        expect(page.locator("#side")).to_be_hidden()
        # and fills it, from edge to edge
        for share in (0.01, 0.99):
            assert page.evaluate(
                "share => { const box = document.querySelector('.on-felt').getBoundingClientRect();"
                " return Boolean(document.elementFromPoint(box.left + box.width * share, box.top + box.height / 2)"
                ".closest('#h-layer-ground')); }",
                share,
            )
        page.keyboard.press("3")
        area(page, "ante").focus()
        page.keyboard.press("Enter")
        laid(page, ante="5.00")
        expect(area(page, "ante")).to_be_focused()
        page.keyboard.press("Enter")
        laid(page, ante="10.00")
        expect(area(page, "ante")).to_be_focused()
        area(page, "pair_plus").click()
        laid(page, ante="10.00", pair_plus="5.00")
        page.keyboard.press("u")
        laid(page, ante="10.00")
        page.keyboard.press("x")
        laid(page, ante="20.00")
        page.keyboard.press("c")
        laid(page)
        page.keyboard.press("u")
        laid(page, ante="20.00")
        page.keyboard.press("?")
        expect(page.locator("#keys")).to_be_visible()
        page.keyboard.press("Escape")
        # a second Enter deals nothing: no key of a bet is a key of the deal
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        page.wait_for_timeout(400)
        laid(page, ante="20.00")
        expect(page.locator("#go-deal")).to_be_enabled()
        page.keyboard.press("g")
        expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
        page.wait_for_timeout(100)
        page.keyboard.press("f")
        over(page)
        page.wait_for_timeout(500)
        page.keyboard.press("a")
        expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
        page.keyboard.press("v")
        expect(page.locator("#felt")).to_be_visible()
        expect(page.locator("#h-felt")).to_be_hidden()
        page.keyboard.press("v")
        expect(page.locator("#h-felt")).to_be_visible()
        page.keyboard.press("p")
        over(page)
        leave(page)


def test_a_stalled_line_is_seen_and_a_press_made_meanwhile_counts(
    browser: Browser, address: str
) -> None:
    """The line passes nothing on and closes nothing, as when a train goes into a tunnel."""
    with Line(address) as line, visiting(browser, viewport=DESK) as page:
        play_now(page, line.address, "prime")
        area(page, "ante").click()
        deal(page)
        expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
        choices = page.locator(".decide").bounding_box()
        line.stalled = True
        pressed = time.monotonic()
        page.locator("[data-key-name=play]").click()
        banner = page.locator("#offline")
        expect(banner).to_be_visible(timeout=15_000)
        expect(banner).to_contain_text("sent again")
        # the banner moves nothing that could be pressed
        assert page.locator(".decide").bounding_box() == choices
        assert time.monotonic() - pressed < 15
        line.stalled = False
        settled(page)
        expect(banner).to_be_hidden()
        # it counted, once
        expect(page.locator("#lines tbody")).to_contain_text("Play")
        leave(page)


def test_who_closes_the_page_is_played_for_as_instructed(browser: Browser, address: str) -> None:
    """The default plays by the best strategy; the record says that it was the instruction."""
    with visiting(browser, viewport=DESK) as page:
        play_now(page, address, "maryland")
        expect(page.locator("[data-setting=standing]")).to_have_value("best")
        with page.expect_response("**/me/standing"):
            page.locator("[data-setting=standing]").select_option("plain")
        page.reload()
        expect(page.locator("[data-setting=standing]")).to_have_value("plain")
        area(page, "ante").click()
        laid(page, ante="5.00")
        deal(page)
        expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
        page.goto(f"{address}/practice")
        page.wait_for_timeout(14_000)
        page.goto(f"{address}/tables/maryland")
        settled(page)
        expect(page.locator("#lines tbody")).to_contain_text("forfeited")
        # who signs out and comes back by the same browser has the same chips
        chips = page.locator(".purse strong").inner_text()
        page.get_by_role("button", name="Sign out").click()
        page.goto(f"{address}/tables/maryland")
        play_now(page, address, "maryland")
        expect(page.locator(".purse strong")).to_have_text(chips)
        leave(page)


def test_the_phone_and_the_tablet_hold_everything(browser: Browser, address: str) -> None:
    with visiting(browser, viewport=PHONE, has_touch=True, is_mobile=True) as page:
        play_now(page, address, "saigon")
        close_help(page)
        area(page, "ante").tap()
        expect(page.locator("#go-deal")).to_be_enabled()
        was = [page.locator(one).bounding_box() for one in ("#go-deal", "#go-again")]
        deal(page)
        expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
        # no decision stands where Deal or Repeat stood
        for at in range(page.locator(".choice").count()):
            here = page.locator(".choice").nth(at).bounding_box()
            for there in was:
                assert here is not None
                assert there is not None
                assert (
                    here["y"] + here["height"] <= there["y"]
                    or here["x"] >= there["x"] + there["width"]
                )
        outputs = page.locator(".lay output")
        expect(outputs.first).to_have_text(re.compile("Qualifies|No qualifier"))
        expect(outputs.last).to_have_text(re.compile(r"Count \d+"))
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        decide(page)
        settled(page)
        leave(page)


def test_a_hand_that_is_set_tells_its_count_as_it_lies(browser: Browser, address: str) -> None:
    with visiting(browser, viewport=DESK) as page:
        play_now(page, address, "saigon")
        area(page, "ante").click()
        deal(page)
        expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
        values = {**{str(n): n for n in range(2, 10)}, "A": 1, **dict.fromkeys("TJQK", 10)}

        def shown() -> tuple[list[str], str]:
            two = page.locator(".lay").last
            held = two.locator("[data-card]")
            cards = [held.nth(at).get_attribute("data-card") or "" for at in range(2)]
            return cards, two.locator("output").inner_text()

        for _ in range(2):
            cards, said = shown()
            if "Jk" not in cards:
                # 680a.6(b): the point count is the total, less ten where it is more than ten
                total = sum(values[one[0]] for one in cards)
                assert said == f"Count {total - 10 if total > 10 else total}"
            page.locator(".lay").first.locator("[data-card]").first.click()
            page.locator(".lay").last.locator("[data-card]").first.click()
        page.get_by_role("button", name="Set them the best way").click()
        settled(page)
        leave(page)


def test_my_game_shows_my_rounds_my_results_and_what_a_mistake_cost(
    browser: Browser, address: str
) -> None:
    with visiting(browser, viewport=DESK) as page:
        play_now(page, address, "prime")
        page.locator("[data-setting=coach]").check()
        area(page, "ante").click()
        deal(page)
        for at in range(2):
            expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
            pressed(page, page.locator("[data-key-name=fold]"))
            expect(page.locator("#coach")).to_contain_text(re.compile("best play|was better"))
            settled(page)
            if not at:
                page.locator("#go-again").click()
        leave(page)
        page.get_by_role("navigation", name="The house").get_by_role("link", name="My game").click()
        expect(page.locator(".facts dd").first).to_have_text("2")
        expect(page.locator("svg.results")).to_be_visible()
        assert faults(page) == []
        page.locator("tbody th a").first.click()
        expect(page.locator("#round-felt svg.hero")).to_be_visible()
        # the round before this one is not told as the result of this one
        expect(page.locator("#round-felt svg.hero .bets")).to_be_visible()
        expect(page.locator("#round-felt svg.hero .total")).to_have_count(0)
        page.get_by_role("button", name="Verify this round").click()
        expect(page.get_by_role("status")).to_contain_text("Proved")


def _besides_contrast(page: Page) -> list[str]:
    """What axe finds; the system chooses the colors here, and axe does not know them."""
    return [kind for kind, _ in faults(page) if kind != "color-contrast"]


def test_a_round_in_forced_colors_by_key(browser: Browser, address: str) -> None:
    """Where the system chooses the colors, nothing is told by color alone."""
    with visiting(browser, viewport=DESK, forced_colors="active") as page:
        play_now(page, address, "massachusetts")
        close_help(page)
        assert page.evaluate("matchMedia('(forced-colors: active)').matches")

        def looks(where: str, *names: str, pseudo: str = "") -> list[str]:
            return page.locator(where).first.evaluate(
                "(one, [names, pseudo]) => names.map((name) => getComputedStyle(one, pseudo || null)[name])",
                [list(names), pseudo],
            )

        # the chip that is chosen, and the area that has the focus
        assert looks("[data-chip][aria-pressed=true]", "outlineStyle", "outlineWidth") == ["solid", "3px"]  # fmt: skip
        assert looks("[data-chip][aria-pressed=false]", "outlineStyle") == ["none"]
        ring = ".can[data-area=ante]:visible .bet"
        before = looks(ring, "strokeDasharray")
        area(page, "ante").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#panel")).to_have_attribute("data-layout", re.compile("ante"))
        assert looks(ring, "strokeDasharray") != before
        expect(page.locator("#go-deal:not([aria-disabled])")).to_be_enabled()
        page.keyboard.press("g")
        expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
        assert looks(".choice", "borderTopStyle", "borderTopWidth") == ["solid", "2px"]
        bar, ground = (
            looks(".told hw-clock i", "backgroundColor"),
            looks(".told", "backgroundColor"),
        )
        assert bar != ground
        assert _besides_contrast(page) == []
        page.wait_for_timeout(100)
        page.keyboard.press("f")
        over(page)
        # a loss has a sign of its own on the felt and in the panel
        assert page.locator("#h-felt .bets.lose .tick").count()
        assert looks("#lines tfoot .loss", "content", pseudo="::before") == ['"▼ "']
        assert _besides_contrast(page) == []
        leave(page)


@pytest.mark.parametrize(
    "size",
    [DESK, pytest.param(TABLET, marks=pytest.mark.full), PHONE],
    ids=["desktop", "tablet", "phone"],
)
def test_the_table_has_no_serious_fault_of_access(
    browser: Browser, address: str, size: dict[str, int]
) -> None:
    with visiting(browser, viewport=size) as page:
        play_now(page, address, "prime")
        assert faults(page) == []
        area(page, "ante").click()
        deal(page)
        expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
        assert faults(page) == []
        pressed(page, page.locator("[data-key-name=fold]"))
        over(page)
        assert faults(page) == []
        leave(page)
