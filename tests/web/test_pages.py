"""The pages around the tables: they say what the rooms below them say, and refuse what they refuse."""

from __future__ import annotations

import html
import io
import json
import re
import time
import zipfile
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import msgspec
import openpyxl
import pytest
from playing_here import bet, live_table, seated, until

from houseway.floor.demonstration_history import record_history
from houseway.floor.gaming_day import FacilityTime, set_facility_time
from houseway.floor.recorded_table import utc
from houseway.law import CHAPTERS, MD, chapter, choose
from houseway.maths.par import par
from houseway.money import dollars
from houseway.present.teaching import TEACHING
from houseway.table import events, rules_of
from houseway.web.page_support import templates
from houseway.web.pages.practice import asked, played

PAGES = (
    "/", "/sign-in", "/mathematics", "/practice", "/wall", "/progressives", "/submissions",
    *(f"/mathematics/{id}" for id in CHAPTERS[:4]), *(f"/law/{id}" for id in CHAPTERS),
    *(f"/practice/{id}/pay?number=3" for id in CHAPTERS),
    *(f"/practice/{id}/find?number=4" for id in CHAPTERS),
    *(f"/submissions/new/{id}" for id in CHAPTERS[:2]),
)  # fmt: skip


def counted(visitor, path):
    """A page once it has been counted: until then it says so, with 202, and asks for patience."""
    for _ in range(120):
        answer = visitor.get(path)
        if answer.status_code != 202:
            break
        time.sleep(0.5)
    return answer


def test_the_workbook_of_a_par_sheet_is_linked_and_can_be_opened(visitor):
    address = "/mathematics/pa-saigon-5-card"
    assert f'href="{address}/workbook"' in counted(visitor, address).text
    answer = counted(visitor, f"{address}/workbook")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="pa-saigon-5-card.xlsx"'
    assert "Bonus A" in openpyxl.load_workbook(io.BytesIO(answer.content)).sheetnames


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES)
def test_every_public_page_is_there_and_keeps_to_the_policy(visitor, path):
    answer = counted(visitor, path)
    assert answer.status_code == 200
    assert "<h1" in answer.text
    assert "<style" not in answer.text
    assert ' style="' not in answer.text


def test_the_par_page_has_the_edges_of_the_par_sheet(visitor):
    text = counted(visitor, f"/mathematics/{MD}").text
    for entry in par(chapter(MD)).out().wagers:
        if entry.house_edge:
            assert entry.house_edge in text


def test_the_paytable_editor_counts_what_is_typed(visitor):
    visitor.get("/")
    path = f"/mathematics/{MD}/design/pair_plus/A"
    rows = {"straight_flush": "40 to 1", "three_of_a_kind": "25 to 1", "straight": "6 to 1",
            "flush": "4 to 1", "pair": "1 to 1"}  # fmt: skip
    ways = {
        "straight_flush": 48,
        "three_of_a_kind": 52,
        "straight": 720,
        "flush": 1096,
        "pair": 3744,
    }
    pays = {"straight_flush": 40, "three_of_a_kind": 25, "straight": 6, "flush": 4, "pair": 1}
    won = sum(ways[hand] * pays[hand] for hand in ways)
    lost = 22100 - sum(ways.values())
    answer = visitor.post(path, rows=rows)
    assert Fraction(answer.json()["house_edge"]) == Fraction(lost - won, 22100)
    wrong = visitor.post(path, rows={**rows, "pair": "lots"})
    assert wrong.status_code == 422
    assert wrong.json()["error"]["field"] == "paytables.pair_plus.pair"
    # a number alone may be "to 1" or "for 1"
    alone = visitor.post(path, rows={**rows, "pair": "9"})
    assert alone.status_code == 422
    assert "'9' is not a payout; write '35 to 1', '500 for 1'" in alone.json()["error"]["message"]


def test_advice_follows_the_known_strategy():
    from houseway.cards import cards

    rules = choose(MD)
    teaching = TEACHING.of(rules.chapter)
    best = dict(teaching.worth(rules, cards("Qs 6d 4h")))
    worse = dict(teaching.worth(rules, cards("Qs 6d 3h")))
    assert best["play"] > best["fold"] == -1
    assert worse["play"] < worse["fold"]


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_what_can_be_chosen_is_said_in_words(visitor, id):
    text = visitor.enter("compliance").get(f"/submissions/new/{id}").text
    said = re.sub(r"<[^>]*>", " ", html.unescape(text.partition("<main")[2]))
    assert not re.search(r"\b(true|false|\w+_\w+)\b|[{}]", said, re.IGNORECASE), said


def test_a_drill_keeps_score_and_streak_from_hand_to_hand(visitor):
    """Two hands decided the best way, then one the worst way, then one the best way."""
    visitor.get("/")
    path, carried, given_up = f"/practice/{MD}", {}, Fraction(0)
    for number, well, told in (
        (1, True, "<strong>1 of 1</strong> the best way (100%), streak 1, best streak 1"),
        (2, True, "<strong>2 of 2</strong> the best way (100%), streak 2, best streak 2"),
        (3, False, "<strong>2 of 3</strong> the best way (67%), streak 0, best streak 2"),
        (4, True, "<strong>3 of 4</strong> the best way (75%), streak 1, best streak 2"),
    ):
        hands = asked(MD, number)
        choice, worth = (max if well else min)(hands.worth, key=lambda one: one[1])
        given_up += hands.best[1] - worth
        text = visitor.form(path, number=number, choice=choice, **carried).text
        assert f"{told}, {float(given_up):.4f} of a wager given up" in text
        # the next hand is asked with the score above it
        query = re.search(rf'href="{path}\?([^"]+)"', text)[1].replace("&amp;", "&")
        carried = dict(part.split("=") for part in query.split("&"))
        assert told in visitor.get(f"{path}?{query}").text
    assert given_up > 0


@pytest.mark.parametrize("id", CHAPTERS)
def test_a_practice_question_is_the_same_for_the_same_number(id):
    one, same, other = asked(id, 7), asked(id, 7), asked(id, 8)
    assert (one.cards, one.worth) == (same.cards, same.worth)
    assert (one.cards, one.up) != (other.cards, other.up)


def test_a_wrong_decision_is_told_what_it_costs(visitor):
    visitor.get("/")
    question = asked(MD, 11)
    worst = min(question.worth, key=lambda one: one[1])
    answer = visitor.form(f"/practice/{MD}", number="11", choice=worst[0])
    assert str(question.best[1] - worst[1]) in answer.text
    right = visitor.form(f"/practice/{MD}", number="11", choice=question.best[0])
    assert "✓ Right." in right.text


def test_the_dealer_trainer_knows_right_from_wrong(visitor):
    visitor.get("/")
    _, lines = played(MD, 3)
    ways = {"win": "paid", "bonus": "paid", "lose": "collected", "forfeit": "collected"}
    fields = {}
    for at, line in enumerate(lines):
        fields[f"way-{at}"] = ways.get(line.result, "returned")
        fields[f"paid-{at}"] = dollars(line.paid)
    right = visitor.form(f"/practice/{MD}/pay", number="3", **fields)
    assert f"{len(lines)} of {len(lines)} right" in right.text
    fields["way-0"] = "returned" if fields["way-0"] != "returned" else "paid"
    wrong = visitor.form(f"/practice/{MD}/pay", number="3", **fields)
    assert f"{len(lines) - 1} of {len(lines)} right" in wrong.text


def _draft(**changes):
    draft = {
        "rules": {"ante_bonus": "A", "pair_plus": "A", "adjacent_boxes": "1"}, "seats": "6",
        "limits": {"ante": {"min": "10.00", "max": "500.00"}, "pair_plus": {"min": "5.00", "max": "100.00"}},
        "who": {"operator": "Houseway", "facility": "Main floor", "submitted_by": "Carla",
                "reference": "7", "date": "2026-01-02", "in_force": "2026-01-02"},
    }  # fmt: skip
    return {**draft, **changes}


def test_a_submission_goes_from_an_empty_form_to_an_open_table(house, visitor, another):
    clerk = visitor.enter("compliance")
    path = f"/submissions/new/{MD}"
    bad = clerk.post(f"{path}/check", **_draft(seats="9"))
    assert "does not pass" in bad.json()["html"]
    assert chapter(MD).fact("seats").clause in bad.json()["html"]
    assert clerk.post(path, **_draft(seats="9")).status_code == 422
    good = clerk.post(path, **_draft())
    assert good.status_code == 200, good.text
    hash = good.json()["submission"]
    page = f"/submissions/{hash}"
    alone = clerk.form(f"{page}/approve")
    assert alone.status_code == 422
    assert "somebody else must approve it" in alone.text
    floor = another().enter("floorperson")
    early = floor.form(f"{page}/open", name="corner")
    assert early.status_code == 422
    assert another().enter("second compliance").form(f"{page}/approve").status_code == 303
    opened = floor.form(f"{page}/open", name="corner")
    assert opened.status_code == 303, opened.text
    table = house.casino.table("corner").state
    assert table.chapter == MD
    assert table.rules["limits"]["ante"]["min"] == "10.00"
    twice = floor.form(f"{page}/open", name="corner")
    assert twice.status_code == 422


def test_a_form_that_was_corrected_is_filed_as_it_stands_now(house, visitor):
    """A mistake that cannot be read leaves a draft behind; the correction is another one."""
    clerk = visitor.enter("compliance")
    path = f"/submissions/new/{MD}"
    for wrong in (
        {"limits": {**_draft()["limits"], "pair_plus": {"min": "1.00", "max": "ten"}}},
        {"seats": "many"},
        {"seats": "9" * 5000},
    ):
        assert clerk.post(path, **_draft(**wrong)).status_code == 422, wrong
    # a limit on a wager that is not offered is dropped with the wager
    right = _draft()["limits"] | {"six_card_bonus": {"min": "1.00", "max": "10.00"}}
    good = clerk.post(path, **_draft(limits=right))
    assert good.status_code == 200, good.text
    page = visitor.get(f"/submissions/{good.json()['submission']}").text
    assert "&#34;10.00&#34;" in page
    assert "&#34;ten&#34;" not in page


def test_only_whoever_may_look_sees_the_record(visitor, another):
    visitor.enter()
    assert visitor.client.get("/rounds").status_code == 403
    assert another().client.get("/rounds").status_code == 401
    watcher = another().enter("surveillance")
    assert "None has been played yet" in watcher.get("/rounds").text


def test_the_logbook_of_the_floor_is_read_by_whoever_may_look(house, visitor, another):
    seated(house, visitor)
    assert visitor.client.get("/logbook").status_code == 403
    floor = another().enter("floorperson")
    body = floor.get("/logbook").text
    assert "No irregularity is on record." in body
    assert "No device has been out of order." in body
    sent = floor.send("maryland", "device_breaks", device="progressive")
    assert sent.status_code == 200, sent.text
    body = floor.get("/logbook?table=maryland").text
    devices = body[body.index('id="devices"') : body.index('id="decks"')]
    assert re.search(
        r"<th scope=\"row\">Progressive</th><td>broken</td><td class=\"wrong\">still", devices
    )
    # 2.C orders the progressive system; 13.H speaks of shufflers and shoes
    assert 'href="/law/md-three-card-poker#2.C">2.C</a>' in devices
    decks = body[body.index('id="decks"') : body.index('id="meters"')]
    assert "3.C(2)" in decks
    assert "in use" in decks
    assert (
        "No device has been out of order for this table and day."
        in floor.get("/logbook?table=prime").text
    )
    assert "of table prime" in another().enter("investigator").get("/deeds").text
    wrong = floor.client.get("/logbook?day=soon")
    assert wrong.status_code == 422
    assert "is not a day" in wrong.text


def _turned(visitor, path: str, rows: str) -> list[str]:
    """What all pages show, going older; each leads back to the one before."""
    found: list[str] = []
    before = None
    while path:
        page = visitor.get(path).text
        shown = re.findall(rows, page)
        links = re.findall(r'<a href="([^"]+)" rel="\w+">(Newer|Older)</a>', page)
        turns = {name: html.unescape(to) for to, name in links}
        assert (before is None) == ("Newer" not in turns)
        if before is not None:
            assert re.findall(rows, visitor.get(turns["Newer"]).text) == before
        found += shown
        before, path = shown, turns.get("Older", "")
    return found


def test_rounds_and_the_logbook_are_turned_page_by_page(house, another, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parent.parent / "floor")
    from playing import played, record

    # a table with several meters, which were opened and then moved by every round's wagers
    driver = played(1, rounds=3, name="x")
    table = record(house.casino.log, driver, "x")
    watcher = another().enter("surveillance")
    monkeypatch.setattr("houseway.web.pages.records.investigation.MOST", 2)
    monkeypatch.setattr("houseway.web.pages.records.logbook.MOST", 2)
    for books in ("/rounds", "/logbook"):  # a table that is not open is on the record too
        assert re.search(r"<option( selected)?>x</option>", watcher.get(f"{books}?table=x").text)
    rounds = _turned(watcher, "/rounds?table=x", r'<a href="/rounds/([^"]+)">')
    assert rounds == ["x.1.3", "x.1.2", "x.1.1"]
    assert "is not a seat" in watcher.get("/rounds?seat=x").text
    assert watcher.get("/rounds?at=nowhere.1.1").status_code == 422
    # the whole logbook has the latest of each, and leads to all of one
    assert re.search(
        r'href="/logbook\?table=x&amp;book=meters&amp;at=2"', watcher.get("/logbook?table=x").text
    )
    meters = _turned(
        watcher, "/logbook?table=x&book=meters", r'<td>x</td><th scope="row">(.*?)</th>'
    )
    opened = list(table.table.meters)
    moved = [event.meter for event in driver.record if isinstance(event, events.MeterMoved)]
    assert len(opened) == 3
    assert sorted(meters) == sorted(
        rules_of(table.table).chapter.meter_title(name) for name in opened + moved
    )
    assert len(moved) == 3 * len(opened)
    for wrong in ("book=mothers", "book=meters&at=x", "at=4"):
        assert watcher.get(f"/logbook?{wrong}").status_code == 422


@pytest.mark.parametrize(
    ("role", "path"),
    [
        ("guest", "/"),
        ("dealer", "/tables/saigon"),
        ("floorperson", "/floor"),
        ("surveillance", "/floor"),
        ("investigator", "/rounds"),
        ("compliance", "/submissions"),
        ("administrator", "/people"),
    ],
)
def test_each_role_is_led_to_the_page_of_its_next_step_unless_it_asked_for_another(
    visitor, role, path
):
    visitor.get("/sign-in")
    assert visitor.form("/demonstration", role=role).headers["location"] == path
    shown = visitor.get(path).text
    assert "<strong>Next:</strong>" in shown
    # the menu has nothing that would be refused
    menu = re.findall(r'href="(/[^"]*)"', shown.partition("<header")[2].partition("</header>")[0])
    assert len(menu) > 6
    for link in menu:
        assert link == "/mathematics" or visitor.get(link).status_code == 200, link
    visitor.get("/sign-in")
    asked = visitor.form("/demonstration", role=role, next="/mathematics")
    assert asked.headers["location"] == "/mathematics"


def test_whoever_may_approve_a_submission_is_led_to_it(visitor, house):
    """The demonstration has a submission that Carla filed: the second person may approve it."""
    record_history(house.casino.log, 1)
    for role, waits in (("compliance", False), ("second compliance", True)):
        visitor.get("/sign-in")
        visitor.form("/demonstration", role=role)
        shown = visitor.get("/submissions").text
        assert ("waits for your approval" in shown) == waits
        assert "Three Card Poker, Massachusetts</td>" in shown


def test_a_damaged_record_is_searched_as_far_as_it_can_be_read_and_said_to_be(
    house, another, monkeypatch
):
    monkeypatch.syspath_prepend(Path(__file__).parent.parent / "floor")
    from playing import played, record

    log = house.casino.log
    record(log, played(0, rounds=1, name="x"), "x")
    events = log._streams["table/x"]
    broken = next(one.version for one in reversed(events) if one.kind == "round_ended")
    events[broken - 1] = msgspec.structs.replace(events[broken - 1], body="[")
    page = another().enter("surveillance").get("/rounds")
    assert page.status_code == 200
    assert f"table/x cannot be read beyond event {broken - 1}." in page.text


def test_the_pages_count_days_as_the_facility_is_configured(house, visitor, another):
    seated(house, visitor)
    watcher = another().enter("surveillance")
    received = utc(next(iter(live_table(house).state.decks.values())).received)
    # twenty-five hours apart: whatever the time is, their days differ
    east, west = FacilityTime("Pacific/Kiritimati"), FacilityTime("Pacific/Pago_Pago")
    for zone in (east, west):
        set_facility_time(house.casino.log, zone, "the manager", received)
        for day, there in ((zone.day(received), True), ("2001-01-01", False)):
            body = watcher.get(f"/logbook?table=maryland&day={day}").text
            assert ("in use" in body) is there


def test_a_played_round_is_found_stepped_through_proved_and_taken_away(house, visitor, another):
    seated(house, visitor)
    bet(visitor)
    live = live_table(house)
    until(lambda: live.state.phase == "deciding")
    hand, dealer = live.state.piles["seat.3"], live.state.piles["dealer"]
    visitor.send("maryland", "fold", seat=3)
    until(lambda: not live.state.hands and live.state.phase == "betting")
    watcher = another().enter("surveillance")
    found = re.search(r'href="/rounds/([\w.-]+)"', watcher.get("/rounds?table=maryland").text)
    assert found
    id = found[1]
    last = watcher.get(f"/rounds/{id}?step=10").text
    for text in hand:
        assert f'href="#hw-{text}"' in last or f"hw-{text}" in last
    public = watcher.get(f"/rounds/{id}?step=10&eyes=the+public").text
    shown = set(re.findall(r'use href="#hw-([2-9TJQKA][cdhs])"', public))
    assert not shown & {*hand, *dealer}
    assert "✓ Proved" in watcher.form(f"/rounds/{id}/deal").text
    assert "✓ Chain intact" in watcher.form("/rounds/verify").text
    answer = watcher.client.get(f"/rounds/{id}/bundle.zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as whole:
        names = {name.partition("/")[2] for name in whole.namelist()}
        assert {"events.jsonl", "round.json", "deal.json", "check.py"} <= names
        told = json.loads(whole.read(f"{id}/deal.json"))
        assert told["verdict"]["proved"]
    assert watcher.get("/report").status_code == 200


def test_what_is_counted_of_down_under_is_shown_while_the_rest_is_counted(
    house, visitor, monkeypatch
):
    """The side wagers at once, the usual game next, the others as they come."""
    from houseway.web.pages import par_sheets as sheets

    side = sheets.counted_sheet("pa-down-under-blackjack")
    game = msgspec.structs.replace(side[0], wager="bet", house_edge_percent="0.7777")
    done: list[int] = []

    async def counted(function, id, number=None, *, patience):
        if function is sheets.counted_sheet:
            return side
        if number not in done:
            raise sheets.Counting
        return game

    monkeypatch.setattr(sheets, "counted", counted)
    path = "/mathematics/pa-down-under-blackjack"
    for ready, status in (([], 202), ([0], 202), (list(range(8)), 200)):
        done[:] = ready
        answer = visitor.get(path)
        assert answer.status_code == status
        assert ('id="counting"' in answer.text) == (status == 202)
        assert answer.text.count("0.7777%") == len(ready)
        if status == 202:
            assert f"{len(ready)} of 8 games are counted" in answer.text
        assert 'id="match_the_dealer"' in answer.text


def test_the_usual_game_of_down_under_is_counted_first():
    from houseway.law import DOWN_UNDER, choose
    from houseway.web.pages import par_sheets as sheets

    first, rules = sheets.counted_game(DOWN_UNDER, 0), choose(DOWN_UNDER)
    assert (first.decks, first.dealer_soft_22) == (rules["decks"], rules["dealer_soft_22"])


def test_a_payment_is_told_chip_by_chip():
    """What the dealer is told to lay out is the payment, in chips that the tray has."""
    from houseway.cards import SeededSource
    from houseway.table.driver import Driver
    from houseway.web.table.dealer_forms import due_chips

    told = 0
    for seed in range(12):
        driver = Driver(MD, source=SeededSource(seed))
        driver.seat_player(1, "rosa")
        driver.until("betting")
        driver.wager(1, {"ante": "25.00", "pair_plus": "15.00"})
        while driver.table.round == 0 or driver.table.hands:
            if driver.table.phase == "settling" and driver.table.due[0].paid:
                chips = due_chips(driver.table)
                assert sum(count * value for _, count, value in chips) == driver.table.due[0].paid
                assert all(count <= driver.table.tray[value] for _, count, value in chips)
                assert all(drawn == f"hw-c{value}" for drawn, _, value in chips)
                told += 1
            if not driver.house():
                driver.send("play", "player", seat=1)
    assert told


def test_an_amount_has_one_dollar_sign() -> None:
    """The filter writes it, so no template does."""
    for path in (files("houseway.web") / "templates").iterdir():
        assert not re.findall(r"\$\{\{[^}]*\|amount", path.read_text("utf-8")), path.name
    rendered = templates().from_string("{{ 123450|amount }} {{ -500|amount }}").render()
    assert rendered == "$1,234.50 −$5.00"
