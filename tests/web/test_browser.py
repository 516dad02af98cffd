"""The house in a real browser: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Iterator

import pytest
from browsing import PHONE, decide, enter, leave, settled, sit, visiting, wager
from laid_cards import laid_house
from line import Line
from playwright.sync_api import Page, expect
from served import served

from houseway.law import DOWN_UNDER, cites

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="Debian's chromium is not there"),
]

#: table, wagers to make
GAMES = {
    "maryland": ("ante", "pair_plus", "progressive"),
    "massachusetts": ("ante", "pair_plus", "progressive"),
    "prime": ("ante", "prime", "pair_bonus", "all_six"),
    "saigon": ("ante", "bonus"),
    "down-under": ("bet", "match_the_dealer"),
}


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("browser"), pace=0.15) as one:
        yield one.address


@pytest.mark.parametrize("table", GAMES)
def test_a_whole_round_of_each_game_with_the_system_dealing(browser, address, table):
    with visiting(browser) as page:
        enter(page, address, "guest", f"/tables/{table}")
        sit(page)
        wager(page, *GAMES[table])
        page.locator(".step").get_by_role("button", name="Deal", exact=True).click()
        # a blackjack, or one of the dealer's, ends a hand before it is decided
        mine = page.locator("#panel[data-turn=mine]")
        expect(mine.or_(page.locator("[data-do=again]:enabled")).first).to_be_visible()
        if mine.count():
            decide(page)
        settled(page)
        rows = page.locator("#lines tbody tr")
        assert rows.count() >= len(GAMES[table])
        for at in range(rows.count()):
            assert rows.nth(at).locator("a.clause").inner_text()
        # the hands that were settled stay in sight with the lines, mine and the dealer's
        whose = [one.strip() for one in page.locator(".showdown .whose").all_inner_texts()]
        assert [one for one in whose if one] == ["You", "Dealer"]
        leave(page)


def test_two_players_and_a_dealer_in_three_browsers(browser, address):
    path = "/tables/prime"
    with visiting(browser) as dealer, visiting(browser) as one, visiting(browser) as two:
        enter(dealer, address, "dealer", path)
        dealer.get_by_role("button", name="Take the table over").click()
        for page, seat in ((one, 2), (two, 5)):
            enter(page, address, "guest", path)
            page.get_by_role("button", name=f"Seat {seat}", exact=True).click()
            page.locator(".step").get_by_text("Buy $500 in chips").click()
        lead_until(dealer, one.locator("[data-bet=ante]:enabled").count)
        wager(one, "ante")
        wager(two, "ante")

        def is_over() -> bool:
            for page in (one, two):
                if page.locator("#panel[data-turn=mine]").count():
                    decide(page)
            return all(page.locator("#lines tfoot").count() for page in (one, two))

        lead_until(dealer, is_over)
        for page in (one, two):
            expect(page.locator("#lines tbody tr").first).to_be_visible()
        seen_by_one = one.locator("#lines tfoot").inner_text()
        assert seen_by_one
        # what one holds was never in the other's page while it lay face down: see test_table
        lead_until(dealer, dealer.get_by_text("Place your wagers.").count)
        dealer.get_by_text("Hand the table to the system").click()
        for page in (one, two):
            page.get_by_role("button", name="Leave").click()


def test_a_round_with_the_keyboard_alone(browser, address):
    with visiting(browser) as page:
        enter(page, address, "guest", "/tables/maryland")
        page.get_by_role("button", name="Sit down", exact=True).focus()
        page.keyboard.press("Enter")
        buy = page.locator(".step").get_by_text("Buy $500 in chips")
        expect(buy).to_be_enabled()
        page.evaluate("document.getElementById('how')?.close()")
        buy.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".purse strong")).to_have_text("$500.00")
        seat = page.locator("#panel").get_attribute("data-seat")
        area = page.locator(f"#h-seat-{seat}-ante.can")
        expect(area).to_have_attribute("tabindex", "0")
        page.keyboard.press("4")
        area.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".wagers li").first.locator(".money")).to_have_text("$25.00")
        # the area keeps the focus: nothing has to be found again
        expect(area).to_be_focused()
        page.keyboard.press("Backspace")
        expect(page.locator(".wagers li").first.locator(".money")).to_have_text("–")
        expect(area).to_be_focused()
        page.keyboard.press("Enter")
        deal = page.locator(".step").get_by_role("button", name="Deal", exact=True)
        expect(deal).to_be_enabled()
        deal.focus()
        page.keyboard.press("Enter")
        expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("f")
        settled(page)
        leave(page)


def test_on_a_phone_nothing_is_wider_than_the_screen(browser, address):
    with visiting(browser, viewport=PHONE, has_touch=True, is_mobile=True) as page:
        enter(page, address, "guest", "/tables/saigon")
        sit(page)
        wager(page, "ante")
        page.locator(".step").get_by_role("button", name="Deal", exact=True).tap()
        expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
        expect(page.get_by_role("button", name="Set them the best way")).to_be_in_viewport()
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= PHONE["width"]
        decide(page)
        settled(page)
        leave(page)
        for role, paths in {
            "": ("/", "/mathematics", "/mathematics/md-three-card-poker", "/practice", "/me",
                 "/law/pa-saigon-5-card", "/practice/pa-three-card-prime/pay", "/api",
                 "/mathematics/md-three-card-poker/design/pair_plus/A"),
            "compliance": ("/submissions", "/submissions/new/md-three-card-poker"),
            "floorperson": ("/floor", "/tables/prime/tray", "/tables/prime?as=floorperson"),
            "investigator": ("/rounds", "/report", "/deeds", "/tables/prime"),
            "administrator": ("/people",),
        }.items():  # fmt: skip
            if role:
                enter(page, address, role)
            for path in paths:
                page.goto(address + path)
                wide = page.evaluate("document.documentElement.scrollWidth")
                assert wide <= PHONE["width"], path


def test_saigons_hands_are_set_by_hand_and_refused_where_the_action_was(browser, address):
    with visiting(browser) as page:
        enter(page, address, "guest", "/tables/saigon")
        sit(page)
        wager(page, "ante")
        page.locator(".step").get_by_role("button", name="Deal", exact=True).click()
        expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
        first = page.locator(".lay").first.locator("[data-card]").first
        other = page.locator(".lay").last.locator("[data-card]").first
        before = first.get_attribute("data-card")
        first.click()
        other.click()
        expect(page.locator(".lay").last.locator(f"[data-card='{before}']")).to_be_visible()
        page.locator("[data-set]").click()
        refused = page.locator(".refused-here")
        expect(refused.or_(page.locator("#lines tfoot")).first).to_be_visible()
        if refused.count():
            assert "680a.11(b)" in refused.inner_text()
            page.get_by_role("button", name="Set them the best way").click()
        settled(page)
        leave(page)


def drag(page: Page, one, onto) -> None:
    """With the mouse, in steps, as a hand would."""
    here, there = one.bounding_box(), onto.bounding_box()
    page.mouse.move(here["x"] + here["width"] / 2, here["y"] + here["height"] / 2)
    page.mouse.down()
    to = there["x"] + there["width"] / 2, there["y"] + there["height"] / 2
    page.mouse.move(*to, steps=8)
    page.mouse.up()


def test_chips_and_cards_are_dragged_and_advice_and_motion_are_there_to_ask_for(browser, address):
    with visiting(browser) as page:
        enter(page, address, "guest", "/tables/saigon")
        page.locator("[data-setting=speed]").select_option("instant")
        expect(page.locator("button[data-toggle=sound]")).to_have_text("Sound off")
        sit(page)
        seat = page.locator("#panel").get_attribute("data-seat")
        area = page.locator(f"#h-seat-{seat}-ante.can")
        expect(area).to_be_visible()
        drag(page, page.locator("[data-chip='25.00']"), area)
        ante = page.locator(".wagers li", has=page.locator("[data-bet=ante]"))
        expect(ante.locator(".money")).to_have_text("$25.00")
        page.locator(".step").get_by_role("button", name="Deal", exact=True).click()
        expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
        # nothing moves where motion is off
        assert (
            page.evaluate(
                "document.querySelector('#h-layer-play').getAnimations({subtree: true}).length"
            )
            == 0
        )
        first = page.locator(".lay").first.locator("[data-card]").first
        last = page.locator(".lay").last.locator("[data-card]").last
        moved, other = first.get_attribute("data-card"), last.get_attribute("data-card")
        drag(page, first, last)
        expect(page.locator(".lay").last.locator(f"[data-card='{moved}']")).to_be_visible()
        expect(page.locator(".lay").first.locator(f"[data-card='{other}']")).to_be_visible()
        page.get_by_role("button", name="Set them the best way").click()
        settled(page)
        leave(page)
        page.goto(f"{address}/tables/prime")
        sit(page)
        wager(page, "ante")
        page.locator(".step").get_by_role("button", name="Deal", exact=True).click()
        expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
        page.get_by_text("What are these worth?").click()
        worth = page.locator("#advice tr")
        expect(worth).to_have_count(2)
        expect(page.locator("#advice .best")).to_be_visible()
        page.locator("[data-key-name=fold]").click()
        settled(page)
        leave(page)


def test_the_hint_to_take_a_table_over_goes_once_that_is_done(browser, tmp_path):
    with served(tmp_path) as one, visiting(browser) as dealer:
        enter(dealer, one.address, "dealer", "/tables/saigon")
        hint = dealer.locator(".start")
        hint.wait_for(state="visible")
        dealer.get_by_role("button", name="Take the table over").click()
        hint.wait_for(state="hidden")


def test_a_dealer_keys_in_real_cards(browser, tmp_path):
    """The keypad names the card that is dealt; the same card again is refused where it was keyed."""
    # a house where nothing was shuffled yet: an order that the system knows cannot be keyed in
    with served(tmp_path) as one, visiting(browser) as dealer, visiting(browser) as player:
        enter(dealer, one.address, "dealer", "/tables/prime")
        dealer.get_by_role("button", name="Take the table over").click()
        enter(player, one.address, "guest", "/tables/prime")
        sit(player)
        real = dealer.locator("#step > form input[name=real]")

        def is_open() -> int:
            if real.count() and not real.is_checked():
                real.check()
            return player.locator("[data-bet=ante]:enabled").count()

        lead_until(dealer, is_open)
        wager(player, "ante")
        field = dealer.locator("#step > form input[name=cards]")
        lead_until(dealer, field.count)
        for key in ("As", "Td"):
            field.focus()
            dealer.locator(f".keypad button[aria-label={key}]").click()
            expect(field).to_have_value(key)
            version = dealer.locator("#panel").get_attribute("data-version")
            dealer.locator("#step > form button.next").click()
            expect(dealer.locator("#panel")).not_to_have_attribute("data-version", version)
            # the next card is another one: the field is empty again
            expect(field).to_have_value("")
        field.fill("As")
        dealer.locator("#step > form button.next").click()
        expect(dealer.locator(".refused-here")).to_contain_text("seen already")


@cites(DOWN_UNDER, "685a.9(a)", "685a.10(a)", "685a.10(c)")
def test_a_pair_is_split_and_both_hands_are_doubled_with_the_mouse(browser):
    """Two eights against a six; a three and a two make eleven and ten; the dealer breaks."""
    laid = ["", "8s", "6h", "8d", "Tc", "3h", "Td", "2c", "Kh", "9c"]
    with laid_house({"down-under": laid}) as address, visiting(browser) as page:
        enter(page, address, "guest", "/tables/down-under")
        sit(page)
        page.locator("[data-chip='25.00']").click()
        wager(page, "bet")
        page.locator(".step").get_by_role("button", name="Deal", exact=True).click()
        expect(page.locator("#mine .names")).to_have_text("16")
        page.get_by_role("button", name="Split $25.00").click()
        expect(page.locator("#mine .my-cards")).to_have_count(2)
        double = page.get_by_role("button", name="Double $25.00")
        totals = page.locator("#mine .names")
        expect(totals.first).to_have_text("11")
        double.click()
        expect(totals.first).to_have_text("21")
        expect(totals.last).to_have_text("10")
        expect(double).to_be_enabled()
        double.click()
        settled(page)
        # four wagers of 25 each, every one of them won
        assert page.locator("#lines tbody tr").count() == 4
        expect(page.locator("#lines tfoot .money")).to_have_text("+$100.00")
        expect(page.locator(".purse strong")).to_have_text("$600.00")


def test_a_slow_and_then_cut_connection_is_said_and_made_good(browser, address):
    with Line(address) as line, visiting(browser) as player, visiting(browser) as watcher:
        line.slow = 0.15
        watcher.goto(f"{line.address}/tables/massachusetts")
        expect(watcher.locator("#panel")).to_be_visible()
        line.cut = True
        expect(watcher.locator("#offline")).to_be_visible()
        enter(player, address, "guest", "/tables/massachusetts")
        sit(player)
        wager(player, "ante")
        line.cut = False
        expect(watcher.locator("#offline")).to_be_hidden()
        expect(watcher.locator("#people-here")).to_contain_text("Guest")
        player.get_by_role("button", name="Leave").click()


def test_a_house_restarted_in_the_middle_of_a_round_goes_on_where_it_was(browser, tmp_path):
    with contextlib.ExitStack() as stack:
        page = stack.enter_context(visiting(browser))
        with served(tmp_path, pace=0.15) as one:
            port = one.address.rpartition(":")[2]
            enter(page, one.address, "guest", "/tables/maryland")
            sit(page)
            wager(page, "ante")
            page.locator(".step").get_by_role("button", name="Deal", exact=True).click()
            expect(page.locator("#panel[data-turn=mine]")).to_be_visible()
            hand = page.locator("#mine .names").inner_text()
        expect(page.locator("#offline")).to_be_visible()
        stack.enter_context(served(tmp_path, pace=0.15, port=port))
        expect(page.locator("#offline")).to_be_hidden()
        expect(page.locator("#mine .names")).to_have_text(hand)
        page.locator("[data-key-name=play]").click()
        settled(page)


def chips(page: Page) -> str:
    return page.locator(".purse strong").inner_text()


def lead_until(dealer: Page, so) -> None:
    """The dealer's big button, until something is so."""
    lead, panel = dealer.locator("#step > form button.next"), dealer.locator("#panel")
    for _ in range(80):
        before = panel.get_attribute("data-version")
        if so():
            return
        # what the button is now was looked at before it is pressed
        if lead.count() and panel.get_attribute("data-version") == before:
            with contextlib.suppress(Exception):
                lead.click(timeout=700)
        for _ in range(25):
            if panel.get_attribute("data-version") != before:
                break
            dealer.wait_for_timeout(40)
    raise AssertionError("it did not come to that")


def report(page: Page, label: str, place: str = "#step", **fields: str) -> None:
    """Something from the menu of irregularities, with what it asks for."""
    menu = page.locator(f"{place} details.menu", has_text="Something went wrong")
    if menu.get_attribute("open") is None:
        menu.locator("summary").click()
    form = menu.locator("form", has=page.get_by_role("button", name=label))
    for name, value in fields.items():
        field = form.locator(f"[name={name}]")
        if field.evaluate("one => one.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    form.get_by_role("button", name=label).click()


def test_an_irregularity_is_carried_through_with_the_floor(browser, address):
    """Maryland: a chip too few for the sensor, which the floor decides (8.C(2)(b)); then a wrong
    number of cards, which voids the round (13.D). Every wager is back to the cent, and the next
    round is played.
    """
    path = "/tables/maryland"
    with visiting(browser) as dealer, visiting(browser) as player, visiting(browser) as floor:
        enter(dealer, address, "dealer", path)
        dealer.get_by_role("button", name="Take the table over").click()
        enter(player, address, "guest", path)
        sit(player)
        before = chips(player)
        lead_until(dealer, lambda: player.locator("[data-bet=ante]:enabled").count())
        wager(player, "ante", "pair_plus", "progressive")
        enter(floor, address, "floorperson", "/floor")
        card = floor.locator("#floor-maryland")
        expect(card).to_contain_text("dealer: Dana Dealer")
        # the dealer counts no chip where the system took one
        count = dealer.locator("#step > form input[name=count]")
        lead_until(dealer, count.count)
        count.fill("0")
        dealer.locator("#step > form button.next").click()
        refused = dealer.locator(".refused-here")
        expect(refused).to_contain_text("8.C(2)")
        # at the field that it is about, with the clause as a link
        expect(refused.locator("a.clause")).to_have_attribute("href", re.compile("/law/md-"))
        expect(count).to_have_attribute("aria-invalid", "true")
        count.fill("1")
        expect(refused).to_have_count(0)
        report(floor, "Strike progressive wager", "#floor-maryland", reason="no chip on the sensor")
        row = player.locator(".wagers li", has=player.locator("[data-bet=progressive]"))
        expect(row.locator(".money")).to_have_text("–")
        # the deal begins, and the dealer finds four cards in a hand
        lead_until(dealer, player.locator("#panel[data-phase=dealing]").count)
        # the player sees who the table is waiting for
        expect(player.locator("#step .says")).to_contain_text("The dealer")
        report(dealer, "Wrong number of cards", count="4")
        expect(card.locator(".irregular")).to_contain_text("void")
        void = card.locator(".irregular li", has_text="void")
        expect(void.locator("a.clause")).to_have_text("13.D")
        expect(player.locator(".purse strong")).to_have_text(before)
        # the players are told, with the clause and what came back
        told = player.locator("#step .void")
        expect(told).to_contain_text("is void")
        expect(told.locator("a.clause")).to_have_text("13.D")
        expect(told).to_contain_text("came back to you")
        # and it lies on the felt, inside it
        plate = player.locator(".notice:visible")
        expect(plate).to_have_count(1)
        expect(plate).to_contain_text("is void")
        expect(plate).to_contain_text("came back")
        drawn, felt = (
            plate.bounding_box(),
            player.locator("svg:has(.notice:visible)").bounding_box(),
        )
        assert drawn["x"] >= felt["x"]
        assert drawn["x"] + drawn["width"] <= felt["x"] + felt["width"]
        assert drawn["y"] >= felt["y"]
        assert drawn["y"] + drawn["height"] <= felt["y"] + felt["height"]
        # the next round is played to its end
        lead_until(dealer, lambda: player.locator("[data-bet=ante]:enabled").count())
        wager(player, "ante")
        lead_until(dealer, player.locator("#panel[data-turn=mine]").count)
        decide(player)
        lead_until(dealer, player.locator("#lines tfoot").count)
        lead_until(dealer, dealer.get_by_text("Place your wagers.").count)
        expect(card.locator(".irregular")).to_have_count(0)
        dealer.get_by_text("Hand the table to the system").click()
        leave(player)


def test_a_broken_reader_waits_for_the_floor(browser, address):
    """Down Under: without its reader nothing is dealt (685a.12(i)); a box that was passed over is
    dead and its bet returned (685a.12(f)); the next round is played.
    """
    path = "/tables/down-under"
    with visiting(browser) as dealer, visiting(browser) as player, visiting(browser) as floor:
        enter(dealer, address, "dealer", path)
        dealer.get_by_role("button", name="Take the table over").click()
        enter(player, address, "guest", path)
        sit(player)
        before = chips(player)
        enter(floor, address, "floorperson", "/floor")
        card = floor.locator("#floor-down-under")
        expect(card).to_contain_text("dealer: Dana Dealer")
        lead_until(dealer, lambda: player.locator("[data-bet=bet]:enabled").count())
        wager(player, "bet")
        report(dealer, "Device breaks", device="reader")
        expect(card.locator(".irregular")).to_contain_text("The reader is broken")
        expect(card.locator(".tags .closed")).to_contain_text("reader broken")
        card.locator("details.menu", has_text="What the floor may do").locator("summary").click()
        form = card.locator("form", has=floor.get_by_role("button", name="Repair device"))
        form.locator("[name=device]").select_option("reader")
        form.get_by_role("button", name="Repair device").click()
        expect(card.locator(".tags .closed")).to_have_count(0)
        # the first card of the round is due at the only box, and the dealer passes it over
        lead_until(
            dealer,
            lambda: dealer.locator("#step details.menu", has_text="No card dealt").count(),
        )
        report(dealer, "No card dealt")
        expect(player.locator(".purse strong")).to_have_text(before)
        lead_until(dealer, lambda: player.locator("[data-bet=bet]:enabled").count())
        wager(player, "bet")
        mine = player.locator("#panel[data-turn=mine]")
        lines = player.locator("#lines tfoot")

        def is_over() -> int:
            # insurance first, where an ace lies up, and then the hand
            if mine.count():
                decide(player)
            return lines.count()

        lead_until(dealer, is_over)
        lead_until(dealer, dealer.get_by_text("Place your wagers.").count)
        dealer.get_by_text("Hand the table to the system").click()
        leave(player)


def test_the_table_page_is_light(browser, address):
    with visiting(browser) as page:
        sizes: dict[str, int] = {}
        page.on(
            "response",
            lambda answer: (
                sizes.__setitem__(answer.url, len(answer.body()))
                if answer.request.resource_type in ("script", "stylesheet")
                else None
            ),
        )
        streams: list[str] = []
        page.on("response", lambda answer: streams.append(answer.headers.get("content-encoding", "")) if "/stream" in answer.url else None)  # fmt: skip
        page.goto(f"{address}/tables/maryland")
        page.wait_for_timeout(300)
        assert sizes
        assert sum(sizes.values()) < 150_000
        # page, scripts, style sheets and stream are compressed on their way
        assert streams == ["gzip"]
        for entry in page.evaluate(
            "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
            ".filter((one) => /tables|static|felt/.test(one.name) && !/stream/.test(one.name) && one.decodedBodySize > 2000)"
            ".map((one) => [one.name, one.encodedBodySize, one.decodedBodySize])"
        ):
            assert entry[1] * 2 < entry[2], entry
