"""A round at the player's table in a browser, with cards that the test lays: its time and its drama."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from at_table import (
    DESK,
    TABLET,
    UPRIGHT,
    area,
    deal,
    laid,
    leave,
    over,
    play_now,
    pressed,
    wagered,
)
from browsing import PHONE, close_help, decide, enter, settled, visiting
from faults import faults
from laid_cards import laid_house
from playwright.sync_api import Browser, Page, expect

from houseway.law import DOWN_UNDER, MD, SAIGON, cites

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="Debian's chromium is not there"),
]
SIZES = {
    "desktop": DESK,
    "laptop": {"width": 1280, "height": 720},
    "tablet": TABLET,
    "upright": UPRIGHT,
    "phone": PHONE,
}
MINE = "#panel[data-turn=mine]"

#: an ace, king and queen of spades against nine high; nineteen before an ace with a king below it
CARDS = {
    "maryland": ["As", "2c", "Ks", "3d", "Qs", "9h"],
    "down-under": ["", "Ts", "Ah", "9d", "Kc"],
}
#: a joker, 8, 6, 5 and 2 against three threes
SET = ["Jk", "3c", "8s", "3d", "6h", "3h", "5d", "Ks", "2c", "Kc"]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with laid_house(CARDS, pace=0.2) as one:
        yield one


#: what is moved, and what is heard, noted as it begins
NOTED = """
window.moves = []; window.heard = 0; window.gains = [];
const gain = AudioContext.prototype.createGain;
AudioContext.prototype.createGain = function () { const one = gain.call(this); window.gains.push(one); return one; };
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  const piece = this.closest(".card, .pile, .total");
  if (piece && Array.isArray(frames)) window.moves.push({
    id: piece.id, card: piece.classList.contains("card"), paid: piece.classList.contains("paid"),
    collected: piece.classList.contains("collected"), turns: /scaleX/.test(JSON.stringify(frames)),
  });
  return animate.call(this, frames, options);
};
for (const name of ["createOscillator", "createBufferSource"]) {
  const plain = AudioContext.prototype[name];
  AudioContext.prototype[name] = function () { window.heard += 1; return plain.call(this); };
}
"""


@cites(DOWN_UNDER, "685a.8(a)", "685a.8(b)", "685a.8(c)")
def test_insurance_is_offered_for_its_time_taken_and_paid(browser: Browser) -> None:
    """An ace up and a king below: the bet of 10 is lost, the insurance of 5 is paid 2 to 1."""
    with (
        laid_house({"down-under": CARDS["down-under"]}, pace=0.1) as address,
        visiting(browser, viewport=DESK) as page,
    ):
        play_now(page, address, "down-under")
        close_help(page)
        wagered(page, "bet")
        area(page, "bet").click()
        laid(page, bet="10.00")
        deal(page)
        insure = page.locator("[data-key-name=insure]")
        expect(insure).to_be_visible()
        # it is not gone in a moment: the clock says how long there is
        expect(page.locator(".told hw-clock b")).to_have_text(re.compile(r"^(4[0-9]|3[0-9]) s$"))
        page.wait_for_timeout(1500)
        expect(insure).to_be_visible()
        assert faults(page) == []
        # the two share the room of four, and nothing of them is cut off
        choices = page.locator(".choice").all()
        assert len(choices) == 2
        for one in choices:
            box = one.bounding_box()
            assert box is not None
            assert box["width"] > 120
            assert one.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
        # a clock that goes on for another question has the time of that one, in whichever order it is told
        clock = page.locator(".told hw-clock")
        clock.evaluate(
            "one => Object.entries({left: 2, of: 45, until: 'other'}).forEach(([name, value]) => one.setAttribute(name, value))"
        )
        clock.evaluate(
            "one => { one.setAttribute('until', 'next'); one.setAttribute('left', 40); }"
        )
        expect(clock.locator("b")).to_have_text("40 s")
        insure.click()
        settled(page)
        lines = page.locator("#lines tbody")
        expect(lines).to_contain_text("Insurance")
        expect(page.locator("#lines tr", has_text="Insurance").locator(".money")).to_have_text(
            "+$10.00"
        )
        expect(page.locator("#lines tfoot .money")).to_have_text("$0.00")


@cites(DOWN_UNDER, "685a.7(h)")
def test_the_readers_light_is_explained_when_it_is_lit(browser: Browser) -> None:
    with (
        laid_house({"down-under": ["", "Ts", "6h", "4d", "Kc"]}, pace=0.1) as address,
        visiting(browser, viewport=DESK) as page,
    ):
        play_now(page, address, "down-under")
        close_help(page)
        wagered(page, "bet")
        deal(page)
        said = page.locator(".light-says")
        expect(said).to_contain_text("light: the hole card is large")
        expect(said).to_contain_text("king")
        expect(page.locator("#h-light-large")).to_be_visible()


@cites(SAIGON, "680a.11(b)(1)")
def test_the_coach_judges_how_a_hand_is_set(browser: Browser) -> None:
    """The text's own hand: a joker, 8, 6, 5 and 2 is best set to ten; a joker, 8 and 6 leave seven."""
    with (
        laid_house({"saigon": SET}, pace=0.1) as address,
        visiting(browser, viewport=DESK) as page,
    ):
        play_now(page, address, "saigon")
        close_help(page)
        page.locator("[data-setting=coach]").check()
        wagered(page, "ante")
        deal(page)
        expect(page.locator("hw-setter")).to_be_attached()
        three, two = page.locator(".lay[data-size='3']"), page.locator(".lay[data-size='2']")
        for wanted in ("5d", "2c"):
            if three.locator(f"[data-card='{wanted}']").count():
                three.locator(f"[data-card='{wanted}']").click()
                two.locator("[data-card]:not([data-card='5d']):not([data-card='2c'])").first.click()
        expect(two.locator("output")).to_have_text("Count 7")
        pressed(page, page.locator("[data-set]"))
        said = page.locator("#coach.wrong")
        expect(said).to_contain_text("point count of 10 was better")
        expect(said).to_contain_text("point count of 7 gives up")


def test_a_worst_mistake_leads_to_the_replay_of_its_round(browser: Browser) -> None:
    """Three spades from the ace are folded: nothing that can be played is better than them."""
    with (
        laid_house({"maryland": CARDS["maryland"]}, pace=0.1) as address,
        visiting(browser, viewport=DESK) as page,
    ):
        play_now(page, address, "maryland")
        close_help(page)
        wagered(page, "ante")
        deal(page)
        expect(page.locator(MINE)).to_be_visible()
        pressed(page, page.locator("[data-key-name=fold]"))
        over(page)
        page.locator("#go-again").click()
        expect(page.locator(MINE)).to_be_visible()
        pressed(page, page.locator("[data-key-name=play]"))
        settled(page)
        page.goto(f"{address}/me/game")
        # one of two decisions was right, and the fold gave up what playing is worth
        lost = 5 * (worth_of_playing("As Ks Qs") + 1)
        facts = page.locator(".my-game .facts")
        expect(facts).to_contain_text(f"2, 50.0% of them the best; the others cost ${lost:.2f}")
        # the ante loses 3.37% of itself, with a deviation of 1.64 antes (Three Card Poker, 5-4-1)
        mean, reach = -0.0337 * 5 * 2, 1.96 * 1.64 * 5 * 2**0.5
        told = re.search(
            r"−\$([\d.]+); 95 of 100 end between −\$([\d.]+) and \$([\d.]+)", facts.inner_text()
        )
        assert told is not None
        expected, low, high = (float(one) for one in told.groups())
        assert -expected == pytest.approx(mean, abs=0.01)
        assert (-low, high) == pytest.approx((mean - reach, mean + reach), abs=0.1)
        # one result of 25 down and up again lies in it, and is drawn
        expect(page.locator("svg.results .band")).to_be_attached()
        row = page.locator("h2:has-text('Worst mistakes') + .scroll tbody tr")
        expect(row).to_have_count(1)
        expect(row).to_contain_text("Fold")
        assert faults(page) == []
        row.get_by_role("link").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(
            re.compile(r"^Round maryland\.1\.\d+$")
        )
        expect(page.locator("#round-felt svg.hero")).to_be_visible()
        expect(page.locator(".timeline")).to_contain_text("fold")


def worth_of_playing(hand: str) -> float:
    """What playing a hand brings in antes, over all hands of the dealer, with 5-4-1 for the ante bonus."""
    ranks, suits = "23456789TJQKA", "shdc"
    held = hand.split()
    deck = [rank + suit for rank in ranks for suit in suits if rank + suit not in held]

    def worth(cards: Sequence[str]) -> tuple[int, list[int]]:
        highs = sorted((ranks.index(card[0]) for card in cards), reverse=True)
        flush = len({card[1] for card in cards}) == 1
        if highs == [12, 1, 0]:
            highs = [1, 0, -1]
        straight = highs[0] - highs[1] == highs[1] - highs[2] == 1
        alike = max(highs.count(one) for one in highs)
        kind = 5 if straight and flush else 4 if alike == 3 else 3 if straight else 2 if flush else alike - 1  # fmt: skip
        return kind, sorted(highs, key=lambda one: (-highs.count(one), -one))

    mine, total, count = worth(held), 0, 0
    for cards in combinations(deck, 3):
        theirs = worth(cards)
        qualifies = theirs >= (0, [10, -1, -1])
        total += (2 if mine > theirs else -2 if mine < theirs else 0) if qualifies else 1
        count += 1
    return total / count + {5: 5, 4: 4, 3: 1}.get(mine[0], 0)


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(
            size, marks=pytest.mark.full if size in ("laptop", "upright", "tablet") else ()
        )
        for size in SIZES
    ],
)
def test_nothing_on_the_rail_moves_during_a_round(
    browser: Browser, address: str, size: str
) -> None:
    """Chips, Deal and the place of the decisions stand still from the first bet to the result."""
    with visiting(browser, viewport=SIZES[size], reduced_motion="reduce") as page:

        def places() -> dict[str, object]:
            return page.evaluate(
                "Object.fromEntries(['#go-deal', '#go-again', '.rail .chips', '.decide', '.doings'].map(one => {"
                " const box = document.querySelector(one).getBoundingClientRect(), from = document.querySelector('.felt-side').getBoundingClientRect();"
                " return [one, [Math.round(box.x), Math.round(box.y - (getComputedStyle(document.getElementById('panel')).position === 'fixed' ? 0 : from.y))]]; }))"
            )

        for table, wagers in (("massachusetts", ("ante", "pair_plus")), ("saigon", ("ante",))):
            play_now(page, address, table)
            close_help(page)
            seen = [places()]
            wagered(page, *wagers)
            seen.append(places())
            deal(page)
            expect(page.locator(MINE)).to_be_visible()
            seen.append(places())
            assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
            if size in ("desktop", "laptop", "tablet"):
                assert page.evaluate("document.documentElement.scrollHeight") <= SIZES[size]["height"]  # fmt: skip
            # no decision lies where Deal or Repeat stands, and none is cut off
            for one in page.locator(".choice").all():
                here, go = one.bounding_box(), page.locator(".go").bounding_box()
                assert here is not None
                assert go is not None
                apart = (
                    here["x"] + here["width"] <= go["x"] or here["y"] + here["height"] <= go["y"]
                )
                assert apart
                assert one.evaluate("one => one.scrollHeight <= one.clientHeight + 1")
                assert one.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
            decide(page)
            over(page)
            seen.append(places())
            assert all(one == seen[0] for one in seen), seen
            leave(page)


@cites(MD, "12.E(1)(a)(i)")
def test_a_meter_win_is_an_event_with_its_amount_and_its_hand(browser: Browser) -> None:
    with (
        laid_house({"maryland": CARDS["maryland"]}, pace=0.1) as address,
        visiting(browser, viewport=DESK) as page,
        visiting(browser, viewport=DESK) as wall,
    ):
        page.add_init_script(NOTED)
        wall.goto(f"{address}/wall")
        play_now(page, address, "maryland")
        close_help(page)
        page.evaluate("localStorage.setItem('sound', 'on')")
        wagered(page, "ante", "progressive")
        chips = page.locator(".rail .chips").bounding_box()
        deal(page)
        expect(page.locator(MINE)).to_be_visible()
        page.locator("[data-key-name=play]").click()
        stage = page.locator("#jackpot")
        expect(stage).to_be_visible()
        expect(stage).to_contain_text("A-K-Q of spades")
        assert stage.locator(".my-cards svg").count() == 3
        # it rolls up to what the meter held: 100% of it, beside the 1 that was wagered
        line = page.locator("#lines tr", has_text="Progressive").locator(".money")
        paid = float(line.inner_text().replace("+$", "").replace(",", ""))
        expect(stage.locator(".amount")).to_have_text(f"${paid + 1:,.2f}")
        assert faults(page) == []
        assert page.evaluate("window.heard") > 8
        page.keyboard.press("Space")
        expect(stage).to_be_hidden()
        expect(page.locator("#h-felt .total")).to_be_visible()
        # the longer amount of my chips moves nothing beside it
        assert page.locator(".rail .chips").bounding_box() == chips
        expect(wall.locator("body")).to_contain_text("A-K-Q of spades")


def test_cards_fly_and_turn_chips_travel_and_a_key_skips_it(browser: Browser, address: str) -> None:
    with visiting(browser, viewport=DESK) as page:
        page.add_init_script(NOTED)
        play_now(page, address, "prime")
        close_help(page)
        page.locator("[data-setting=speed]").select_option("calm")
        wagered(page, "ante", "prime")
        assert [one for one in moves(page) if not one["card"]], "chips go to their areas"
        deal(page)
        expect(page.locator(MINE)).to_be_visible()
        dealt = [one["id"] for one in moves(page) if one["card"]]
        seat = page.locator("#panel").get_attribute("data-seat")
        mine = [id for id in dealt if id.startswith(f"h-seat-{seat}-")]
        assert len(mine) >= 3
        assert len(set(dealt)) >= 6, "the dealer's come from the shoe too"
        turned = {one["id"] for one in moves(page) if one["turns"]}
        assert set(mine) <= turned, "mine come with their backs up and are turned"
        assert not any(id.startswith("h-dealer") for id in turned), "the dealer's stay down"
        # a key puts everything where it ends
        page.keyboard.press("Space")
        running = "document.getElementById('h-felt').getAnimations({subtree: true}).filter(one => one.playState === 'running').length"
        expect_none(page, running)
        expect(page.locator("#h-felt [data-own]")).to_have_count(0)
        page.locator("[data-key-name=play]").click()
        settled(page)
        told = moves(page)
        assert any(one["turns"] for one in told), "the dealer's hand is turned"
        lost = page.locator("#lines tr", has_text="lost").count()
        won = page.locator("#lines tr", has_text="won").count()
        assert bool(lost) == any(one["collected"] for one in told)
        assert bool(won) == any(one["paid"] for one in told)
        leave(page)


def moves(page: Page) -> list[dict[str, object]]:
    return page.evaluate("window.moves")


def expect_none(page: Page, counted: str) -> None:
    page.wait_for_function(f"({counted}) === 0", timeout=2000)


@pytest.mark.parametrize("how", ["instant", "reduced motion"])
def test_nothing_moves_for_who_wants_no_motion(browser: Browser, address: str, how: str) -> None:
    more = {"reduced_motion": "reduce"} if how == "reduced motion" else {}
    with visiting(browser, viewport=DESK, **more) as page:
        page.add_init_script(NOTED)
        play_now(page, address, "prime")
        close_help(page)
        speed = page.locator("[data-setting=speed]")
        if more:
            # the system has decided; the page says so
            expect(speed).to_be_disabled()
            expect(page.locator("#still")).to_be_visible()
        else:
            speed.select_option("instant")
        wagered(page, "ante")
        deal(page)
        expect(page.locator(MINE)).to_be_visible()
        page.locator("[data-key-name=play]").click()
        settled(page)
        assert moves(page) == []
        # nothing was heard either: sound is off until it is switched on
        assert page.evaluate("window.heard") == 0
        page.locator("button[data-toggle=sound]").click()
        expect(page.locator("button[data-toggle=sound]")).to_have_text("Sound on")
        assert page.evaluate("window.heard") > 0
        # everything goes through one volume, which the page keeps
        loud = page.get_by_role("slider", name="Volume")
        for volume in (0.2, 1.0):
            loud.fill(str(volume))
            assert page.evaluate("window.gains[0].gain.value") == pytest.approx(volume)
        heard = page.evaluate("window.heard")
        loud.fill("0")
        assert page.evaluate("window.heard") == heard
        page.reload()
        expect(loud).to_have_value("0")
        leave(page)


def test_the_next_person_in_a_seat_sees_nothing_of_the_last_ones_round(
    browser: Browser, address: str
) -> None:
    with visiting(browser, viewport=DESK) as first, visiting(browser, viewport=DESK) as second:
        play_now(first, address, "prime")
        close_help(first)
        seat = first.locator("#panel").get_attribute("data-seat")
        wagered(first, "ante")
        deal(first)
        expect(first.locator(MINE)).to_be_visible()
        pressed(first, first.locator("[data-key-name=fold]"))
        settled(first)
        expect(first.locator("#h-felt .total")).to_be_visible()
        leave(first)
        enter(second, address, "guest", "/tables/prime")
        second.get_by_role("button", name=f"Seat {seat}", exact=True).click()
        expect(second.locator("#panel")).to_have_attribute("data-seat", seat or "")
        expect(second.locator("#h-felt")).to_be_visible()
        expect(second.locator("#lines")).to_have_count(0)
        expect(second.locator("#h-felt .total")).to_have_count(0)
        assert not second.locator(f"#h-felt [id^=h-seat-{seat}-][id$=-hand]").count()
        leave(second)


def test_how_to_play_is_shown_once_from_its_beginning_and_is_always_there(
    browser: Browser, address: str
) -> None:
    for size in (DESK, PHONE):
        with visiting(browser, viewport=size) as page:
            play_now(page, address, "saigon")
            how = page.locator("#how")
            expect(how).to_be_visible()
            assert how.evaluate("one => one.scrollTop") == 0
            expect(how.get_by_role("heading", name="Wager")).to_be_in_viewport()
            expect(how.get_by_role("button", name="Got it")).to_be_in_viewport()
            # each wager by its name, the cards, the payouts
            expect(how).to_contain_text("Ante")
            expect(how).to_contain_text("5,000 to 1")
            assert how.locator(".my-cards svg").count() == 5
            # Escape closes it; a bet may be made beside it, and closes it too
            if size is DESK:
                page.keyboard.press("Escape")
                expect(how).to_be_hidden()
            expect(area(page, "ante")).to_be_in_viewport()
            area(page, "ante").click()
            expect(how).to_be_hidden()
            page.reload()
            expect(page.locator("#panel")).not_to_have_attribute("data-seat", "0")
            expect(how).to_be_hidden()
            if size is DESK:
                page.get_by_role("button", name="How to play").click()
                expect(how).to_be_visible()
                page.keyboard.press("Escape")
            page.locator("[data-do=clear]").click()
            laid(page)
            leave(page)


def test_who_is_waited_for_is_named_to_everybody(browser: Browser, address: str) -> None:
    with visiting(browser, viewport=DESK) as first, visiting(browser, viewport=DESK) as second:
        play_now(first, address, "massachusetts")
        play_now(second, address, "massachusetts")
        close_help(first)
        other = second.locator("#panel").get_attribute("data-seat")
        wagered(first, "ante")
        told = first.locator(".told")
        expect(told).to_contain_text(f"(seat {other}) may still wager")
        expect(told.locator("hw-clock")).to_be_visible()
        close_help(second)
        wagered(second, "ante")
        deal(first)
        # each has a decision: both are told whose it is, and how long there is
        for page in (first, second):
            expect(page.locator("#people-here .turn").first).to_be_visible()
        for _ in range(2):
            for page in (first, second):
                if page.locator(MINE).count():
                    decide(page)
        settled(first)
        settled(second)
        leave(second)
        leave(first)


def test_what_others_do_undoes_nothing_of_mine(browser: Browser, address: str) -> None:
    """While I set my hand another player sets theirs: my cards stay as I laid them, my clock runs."""
    with visiting(browser, viewport=DESK) as first, visiting(browser, viewport=DESK) as second:
        for page in (first, second):
            play_now(page, address, "saigon")
            close_help(page)
        for page in (first, second):
            wagered(page, "ante")
        deal(first)
        for page in (first, second):
            expect(page.locator("hw-setter")).to_be_attached()
        lays = first.locator(".lay")

        def lie() -> list[str | None]:
            cards = first.locator(".lay [data-card]").all()
            return [card.get_attribute("data-card") for card in cards]

        lays.first.locator("[data-card]").first.click()
        lays.last.locator("[data-card]").first.click()
        mine, version = lie(), first.locator("#panel").get_attribute("data-version")
        pressed(second, second.get_by_role("button", name="Set them the best way"))
        expect(first.locator("#panel")).not_to_have_attribute("data-version", version or "")
        assert lie() == mine
        expect(first.locator(".told hw-clock b")).to_have_text(re.compile(r"^\d+ s$"))
        decide(first)
        settled(first)
        leave(second)
        leave(first)


def test_a_table_that_a_person_deals_says_what_is_awaited(browser: Browser, address: str) -> None:
    with visiting(browser) as dealer, visiting(browser, viewport=DESK) as player:
        enter(dealer, address, "dealer", "/tables/saigon")
        dealer.get_by_role("button", name="Take the table over").click()
        play_now(player, address, "saigon")
        close_help(player)
        expect(player.locator(".told")).to_contain_text(re.compile("The dealer:|Players to wager"))
        expect(player.locator(".go")).to_contain_text("deals")
        # nobody's instruction decides where a person deals
        expect(player.locator("[data-setting=standing]")).to_have_count(0)
        expect(player.locator(".away-told")).to_have_count(0)
        assert faults(player) == []
        leave(player)
        dealer.get_by_role("button", name="Hand the table to the system").click()
        expect(dealer.get_by_role("button", name="Take the table over")).to_be_visible()
        assert faults(dealer) == []
