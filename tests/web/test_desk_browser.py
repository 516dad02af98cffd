"""Work at a desk, in a real browser: a submission from the empty form to the open table, and an
investigation from the search to the bundle."""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile
from collections.abc import Iterator

import pytest
from browsing import decide, enter, leave, settled, sit, visiting, wager
from playwright.sync_api import Page, expect
from served import served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="Debian's chromium is not there"),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("desk"), pace=0.15) as one:
        yield one.address


def downloaded(page: Page, name: str) -> zipfile.ZipFile:
    with page.expect_download() as got:
        page.get_by_role("link", name=name).click()
    return zipfile.ZipFile(io.BytesIO(got.value.path().read_bytes()))


def test_a_submission_from_the_empty_form_to_an_open_table(browser, address):
    path = "/submissions/new/pa-three-card-prime"
    with visiting(browser) as page:
        enter(page, address, "compliance", path)
        verdict = page.get_by_role("status")
        expect(verdict).to_contain_text("It passes")
        page.get_by_label("Operator, as on the felt").fill("Silver Harbor")
        expect(page.locator("#findings figure svg")).to_contain_text("SILVER HARBOR")
        # what is wrong is said while one types, with its clause, and cannot be filed
        least = page.get_by_label("Ante, least")
        least.fill("20.00")
        page.get_by_label("Ante, most").fill("10.00")
        expect(verdict).to_contain_text("It does not pass")
        expect(page.locator(".finding.error .clause").first).to_be_visible()
        expect(page.get_by_role("button", name="File it")).to_be_disabled()
        page.get_by_label("Ante, most").fill("200.00")
        expect(verdict).to_contain_text("It passes")
        # a choice brings its hold and its area on the felt
        holds = page.locator("#findings table tr")
        before = holds.count()
        page.get_by_role("combobox", name="pair bonus").select_option("B")
        expect(holds).to_have_count(before + 1)
        expect(page.locator("#findings figure svg")).to_contain_text("PAIR")
        page.get_by_role("button", name="File it").click()
        page.wait_for_url(re.compile(r"/submissions/[0-9a-f]{20,}"))
        kept = page.url
        assert any(name.endswith(".pdf") for name in downloaded(page, "The packet").namelist())
        # who filed it is not offered what would be refused
        expect(page.locator("main")).to_contain_text("A second person approves")
        expect(page.get_by_role("button", name="Approve, as the second person")).to_have_count(0)
    with visiting(browser) as page:
        enter(page, address, "second compliance", "/submissions")
        page.goto(kept)
        page.get_by_role("button", name="Approve, as the second person").click()
        expect(page.locator(".facts")).to_contain_text("in force")
    with visiting(browser) as page:
        enter(page, address, "floorperson", "/submissions")
        page.goto(kept)
        page.get_by_label("Name of the table").fill("prime-two")
        page.get_by_role("button", name="Open a table").click()
        page.wait_for_url("**/tables/prime-two*")
    with visiting(browser) as page:
        enter(page, address, "guest", "/tables/prime-two")
        sit(page)
        expect(page.locator("[data-bet=ante]")).to_be_enabled()
        expect(page.locator("[data-bet=pair_bonus]")).to_be_visible()
        expect(page.locator("#beside")).to_contain_text("$20 to $200")
        # the operator's name is on every felt: mine, the whole table's, the replay's, the lobby's
        for felt in ("#h-felt", "#felt"):
            expect(page.locator(felt)).to_contain_text("SILVER HARBOR")
        wager(page, "ante")
        page.locator(".step").get_by_role("button", name="Deal", exact=True).click()
        settled(page)
        leave(page)
        page.goto(f"{address}/me/rounds/prime-two.1.1")
        expect(page.locator("svg.hero")).to_contain_text("SILVER HARBOR")
        page.goto(address)
        card = page.locator(".card-table", has=page.locator("#about-prime-two"))
        expect(card.locator("svg")).to_contain_text("SILVER HARBOR")
    with visiting(browser) as page:
        enter(page, address, "investigator", "/rounds")
        page.goto(f"{address}/rounds/prime-two.1.1")
        expect(page.locator(".wide-felt svg")).to_contain_text("SILVER HARBOR")


def test_an_investigation_from_the_search_to_the_bundle(browser, address):
    with visiting(browser) as page:
        page.goto(f"{address}/sign-in?next=/tables/maryland")
        page.get_by_label("Your name at the table").fill("Rosa Marsh")
        page.get_by_role("button", name="Play as a guest").click()
        sit(page)
        wager(page, "ante", "pair_plus")
        page.locator(".step").get_by_role("button", name="Deal", exact=True).click()
        decide(page)
        settled(page)
        stakes = page.locator("#lines tbody tr").count()
        leave(page)
    with visiting(browser) as page:
        enter(page, address, "investigator", "/rounds")
        # a player is searched by the name that is shown at the table
        search, player = page.get_by_role("button", name="Search"), page.get_by_label("Player")
        player.fill("Somebody Else")
        search.click()
        expect(page.locator(".empty")).to_contain_text("No round matches")
        player.fill("rosa marsh")
        search.click()
        for line in page.locator(".hand-line").all():
            expect(line).to_contain_text("Rosa Marsh")
        assert page.locator(".hand-line").count()
        page.get_by_label("Table").select_option("maryland")
        page.get_by_label("Wager").select_option(label="Pair Plus")
        page.get_by_role("button", name="Search").click()
        page.get_by_role("link", name=re.compile(r"^maryland\.1\.\d+$")).first.click()
        where = page.locator(".now strong")
        expect(where).to_contain_text("1 of ")
        steps = int(where.inner_text().split()[-1])
        # the keys go through it; what a role could not see then is not told to its eyes
        for at in range(2, steps + 1):
            page.wait_for_load_state("load")  # each step is a page, whose script hears the key
            page.keyboard.press("ArrowRight")
            expect(where).to_have_text(f"{at} of {steps}")
        timeline = page.locator(".timeline")
        dealt = timeline.get_by_text(re.compile(r"[2-9TJQKA][cdhs] down to the dealer"))
        page.get_by_role("link", name="public").click()
        expect(where).to_have_text(f"{steps} of {steps}")
        assert dealt.count() == 0
        # the settlement is the player's own, line by line
        assert page.locator("table.sheet tbody tr").count() == stakes
        page.get_by_role("button", name="Prove the deal").click()
        expect(page.locator("main")).to_contain_text(re.compile("sealed|order", re.IGNORECASE))
        page.go_back()
        bundle = downloaded(page, "Dispute bundle")
        events = [
            json.loads(line)
            for name in bundle.namelist()
            if name.endswith("events.jsonl")
            for line in bundle.read(name).decode().splitlines()
        ]
        assert len(events) >= steps
    with visiting(browser) as page:
        enter(page, address, "investigator", "/rounds")
        page.get_by_role("button", name="Verify the whole record").click()
        expect(page.get_by_role("status")).to_contain_text("Chain intact")
