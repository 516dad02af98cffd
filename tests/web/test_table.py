"""Playing over HTTP: commands up, views down, nothing twice, nothing hidden on the wire."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial
from itertools import combinations

import pytest
from playing_here import TABLE, bet, live_table, seated, until
from visiting import ORIGIN

from houseway.cards import cards, standard_deck
from houseway.floor.audit.projections import Projections
from houseway.floor.audit.rounds import Filters, search
from houseway.floor.bots import dealer as dealers
from houseway.games.three_card import hands as three_card
from houseway.law import MD, choose, cites
from houseway.table.procedure.opening import float_of
from houseway.web.table.page import TableScreen


def test_a_round_is_played_to_its_last_line(house, visitor):
    seated(house, visitor)
    assert bet(visitor).status_code == 200
    live = live_table(house)
    until(lambda: live.state.phase == "deciding")
    assert visitor.send(TABLE, "play", seat=3).status_code == 200
    until(lambda: live.state.settled and not live.state.hands)
    change = sum(
        line.paid - (line.stake if line.result == "lose" else 0) for line in live.state.settled
    )
    assert {line.wager for line in live.state.settled} >= {"ante", "play"}
    assert live.racks[3] == 50000 + change
    page = visitor.get(f"/tables/{TABLE}").text
    for line in live.state.settled:
        assert line.clause in page


def test_the_hands_stay_with_the_lines_for_the_seat_they_were_of(house, visitor, another):
    seated(house, visitor)
    bet(visitor)
    live = live_table(house)
    until(lambda: live.state.phase == "deciding")
    mine = live.state.piles["seat.3"]
    visitor.send(TABLE, "play", seat=3)
    until(lambda: live.state.settled and not live.state.hands)
    page = visitor.get(f"/tables/{TABLE}").text
    shown = re.findall(r'class="whose">(\w*)<.*?</li>', page)
    assert shown == ["You", "Dealer"]
    laid = re.search(r'class="showdown".*?</ul>', page, re.DOTALL)[0]
    cards = re.findall(r'href="#hw-(\w+)"', laid)
    assert tuple(cards[:3]) == mine
    assert len(cards) == 6
    assert "back" not in laid
    assert "showdown" not in another().get(f"/tables/{TABLE}").text
    assert "showdown" not in another().enter().get(f"/tables/{TABLE}").text


def _shown(house, visitor, seat, table=TABLE):
    """Everything that a player is shown of a table: the page, and all that its stream can send."""
    person = house.casino.people.find(live_table(house, table).state.boxes[seat - 1].player)
    sent = TableScreen(house.casino, table, person, "player", "green").parts()
    return visitor.get(f"/tables/{table}").text + "".join(sent.values())


def test_results_belong_to_a_person_and_not_to_a_seat(house, visitor, another):
    seated(house, visitor)
    bet(visitor)
    live = live_table(house)
    until(lambda: live.state.phase == "deciding")
    mine = set(live.state.piles["seat.3"])
    visitor.send(TABLE, "fold", seat=3)
    until(lambda: live.state.settled and not live.state.hands)
    shown = _shown(house, visitor, 3)
    assert 'id="lines"' in shown
    assert "−$10" in shown
    assert mine <= _faces(shown)
    assert visitor.send(TABLE, "leave_seat", seat=3).status_code == 200
    other = seated(house, another(), seat=3)
    shown = _shown(house, other, 3)
    for trace in ('id="lines"', "showdown", ">You<", "−$10", "Same again"):
        assert trace not in shown, trace
    assert not mine & _faces(shown)
    lines = other.client.get(f"/api/tables/{TABLE}").json()["view"]["public"]["settled"]
    me = live.state.boxes[2].player
    assert lines
    assert all(line["player"] not in ("", me) for line in lines)
    # a player who moves to another seat keeps seeing the last hand
    assert visitor.send(TABLE, "sit_down", seat=5).status_code == 200
    shown = _shown(house, visitor, 5)
    assert 'id="lines"' in shown
    assert mine <= _faces(shown)
    bet(other, seat=3)
    until(lambda: live.state.phase == "deciding")
    assert 'id="lines"' not in _shown(house, other, 3) + _shown(house, visitor, 5)


def test_a_hand_left_in_the_middle_of_a_round_stays_its_players(
    house, visitor, another, monkeypatch
):
    monkeypatch.setattr(dealers, "AWAY", 0.05)
    seated(house, visitor)
    bet(visitor)
    live = live_table(house)
    until(lambda: live.state.phase == "deciding")
    who, mine = live.state.boxes[2].player, set(live.state.piles["seat.3"])
    # 7.C(1): a player with cards stays seated; the floor reports one who walked away all the same
    assert visitor.send(TABLE, "leave_seat", seat=3).status_code == 422
    floor = another().enter("floorperson")
    assert floor.send(TABLE, "leave_seat", seat=3).status_code == 200
    until(lambda: live.state.settled and not live.state.hands)
    shown = _shown(house, seated(house, another(), seat=3), 3)
    assert 'id="lines"' not in shown
    assert "−$10" not in shown
    assert not mine & _faces(shown)
    # and on record it is found under the name of who played it
    with Projections(":memory:") as projections:
        projections.update(house.casino.log)
        assert [one["table"] for one in search(projections, Filters(player=who))] == [TABLE]


def test_a_double_click_wagers_once(house, visitor):
    seated(house, visitor)
    first = bet(visitor, key="click-1")
    second = bet(visitor, key="click-1")
    assert first.json()["version"] == second.json()["version"]
    assert second.json()["again"]
    assert live_table(house).racks[3] == 49000


def test_the_key_of_one_person_is_not_anothers(house, visitor, another):
    seated(house, visitor)
    other = seated(house, another(), seat=5)
    for one, seat in ((visitor, 3), (other, 5)):
        answer = one.send(TABLE, "buy_in", seat=seat, amount="25.00", key="k").json()
        assert not answer["again"]
        assert one.send(TABLE, "buy_in", seat=seat, amount="25.00", key="k").json()["again"]
    assert live_table(house).racks == {3: 52_500, 5: 52_500}


def test_what_was_decided_on_an_old_table_is_stale(house, visitor):
    seated(house, visitor)
    old = live_table(house).version
    bet(visitor)
    live = live_table(house)
    until(lambda: live.state.phase == "deciding")
    answer = visitor.send(TABLE, "fold", seat=3, version=old)
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "stale"


def test_chips_that_are_not_there_are_not_wagered(house, visitor):
    seated(house, visitor, chips="20.00")
    answer = bet(visitor, amount="25.00")
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "not_enough_chips"
    assert live_table(house).racks[3] == 2000


def test_nobody_wagers_from_another_seat(house, visitor, another):
    seated(house, visitor)
    other = another().enter(name="Otto")
    answer = bet(other, seat=3)
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "not_your_seat"


def test_leaving_takes_the_chips_back_to_the_purse(house, visitor):
    seated(house, visitor, chips="300.00")
    person = live_table(house).state.boxes[2].player
    assert house.casino.purse_of(person) == 500_000 - 30_000
    assert visitor.send(TABLE, "leave_seat", seat=3).status_code == 200
    assert house.casino.purse_of(person) == 500_000


def test_a_refusal_says_the_clause(house, visitor):
    seated(house, visitor)
    answer = bet(visitor, wager="six_card_bonus", amount="5.00")
    assert answer.status_code == 422
    assert answer.json()["error"]["clause"] == "7.F(5)(b)"


def test_a_page_that_refuses_leads_to_the_clause(house, visitor):
    seated(house, visitor)
    answer = visitor.client.post(
        f"/tables/{TABLE}/commands",
        json={"command": "place_wager", "seat": 3, "wager": "six_card_bonus", "amount": "5.00"},
        headers={"origin": ORIGIN, "x-houseway-token": visitor.token, "accept": "text/html"},
    )
    assert answer.status_code == 422
    law = live_table(house).state.chapter
    found = re.search(r'<p class="refusal".*<a class="clause" href="/law/([\w-]+)#', answer.text)
    assert found, answer.text
    assert found[1] == law


def test_company_comes_plays_and_leaves_with_the_last_person(house, visitor):
    seated(house, visitor)
    assert visitor.post(f"/tables/{TABLE}/company", count=2).json() == {"came": 2}
    live = live_table(house)
    others = [box for box in live.state.boxes if box.player.startswith("system-")]
    assert len(others) == 2
    bet(visitor)
    until(lambda: live.state.phase == "deciding" and visitor.send(TABLE, "fold", seat=3).is_success)
    until(lambda: not live.state.hands and live.state.phase == "betting")
    assert live.state.round >= 1
    visitor.send(TABLE, "leave_seat", seat=3)
    until(lambda: not any(box.player for box in live.state.boxes))
    spent = [house.casino.purse_of(box.player) + 0 for box in others]
    assert all(0 < held <= 500_000 + 100_000 for held in spent)


def _faces(markup):
    """The cards drawn, leaving out the sample hands of "How to play"."""
    dealt = re.sub(r'<dialog id="how".*?</dialog>', "", markup, flags=re.DOTALL)
    return set(re.findall(r'href="#hw-([2-9TJQKA][cdhs])"', dealt))


def test_hidden_cards_are_not_on_the_wire(house, visitor, another):
    seated(house, visitor)
    bet(visitor)
    live = live_table(house)
    until(lambda: live.state.phase == "deciding")
    mine, dealers = set(live.state.piles["seat.3"]), set(live.state.piles["dealer"])
    # the hand in the picture of how to play is nobody's
    page = visitor.get(f"/tables/{TABLE}").text
    assert _faces(page) == mine
    for looker in (
        another(),
        another().enter(name="Otto"),
        another().enter("dealer"),
        another().enter("floorperson"),
    ):
        seen = looker.get(f"/tables/{TABLE}").text
        assert _faces(seen) == set(), looker
        for text in mine | dealers:
            assert f'aria-label="{text}"' not in seen
    lobby = visitor.get("/").text
    assert _faces(lobby) == set()


def test_refusals_and_health_are_told_to_programs(house, visitor):
    assert house.get("/health").json()["well"]
    text = house.get("/metrics").text
    assert 'houseway_tables{phase="' in text
    assert re.search(r"^houseway_commands_total \d+$", text, re.MULTILINE)
    assert visitor.client.get("/tables/nowhere").json()["error"]["code"] == "no_such_table"


@pytest.mark.parametrize("role", ["surveillance", "investigator"])
def test_who_watches_sees_every_table_and_touches_nothing(house, visitor, another, role):
    """Money, steps, devices and decks live; no card before its time, every card on record."""
    seated(house, visitor)
    bet(visitor)
    live = live_table(house)
    until(lambda: live.state.phase == "deciding")
    watcher = another().enter(role)
    page = watcher.get(f"/tables/{TABLE}").text
    for word in ("Tray", "Drop", "Tips", "Deck 1", "Progressive"):
        assert word in page
    assert "data-command" not in page
    assert _faces(page) == set()
    floor = watcher.get("/floor").text
    assert 'id="floor-maryland"' in floor
    assert 'id="floor-down-under"' in floor
    assert "<form data-fields" not in floor
    token = watcher.form("/me/token").text
    bearer = re.search(r'role="status"><code>([\w-]+)</code>', token)[1]
    seen = watcher.client.get(
        f"/api/tables/{TABLE}?role=surveillance", headers={"authorization": f"Bearer {bearer}"}
    )
    assert set(seen.json()["view"]["public"]["dealer"]) == {"??"}
    assert seen.json()["view"]["drop"] == "500.00"
    for command in ("no_more_bets", "play", "change_dealer", "close_table", "fill"):
        for said in (role, "floorperson", "dealer", "player", "system"):
            answer = watcher.send(TABLE, command, role=said, seat=3)
            assert answer.status_code == 403, (command, said)
    hand, dealer = live.state.piles["seat.3"], live.state.piles["dealer"]
    visitor.send(TABLE, "play", seat=3)
    until(lambda: not live.state.hands and live.state.phase == "betting")
    id = re.search(r'href="/rounds/([\w.-]+)"', watcher.get(f"/rounds?table={TABLE}").text)[1]
    assert {*hand, *dealer} <= _faces(watcher.get(f"/rounds/{id}?step=12").text)


def test_the_record_is_not_for_players_and_dealers(house, another):
    for role in ("guest", "dealer"):
        looker = another().enter(role)
        for path in ("/rounds", "/report", "/floor", "/people"):
            assert looker.get(path).status_code == 403, (role, path)


@cites(MD, "11.F")
def test_the_electronic_version_is_played_hand_by_hand(house, visitor):
    """Three hands of community cards; a seat is on the first and the third of them."""
    house.app.state.dealer.pace = 0.001  # players have their time for several wagers
    rules = choose(MD, {"electronic": True, "shuffler": "plain"})
    house.portal.call(partial(house.casino.open, "common", rules, float_of("50000.00"), by=""))
    seated(house, visitor, table="common")
    assert bet(visitor, "common").json()["error"]["field"] == "hand"
    for hand in (1, 3):
        assert bet(visitor, "common", hand=hand).status_code == 200
    page = visitor.get("/tables/common").text
    amounts = re.findall(
        r'<span class="money">(\S+)</span>\s*<button [^>]*data-take=\'ante@(\d)', page
    )
    assert amounts == [("$10.00", "1"), ("–", "2"), ("$10.00", "3")]
    visitor.post("/tables/common/ready")
    live = live_table(house, "common")
    for hand in (1, 3):
        until(lambda: live.state.phase == "deciding")
        page = visitor.get("/tables/common").text
        assert f"Play hand {hand} for $10.00" in page
        cards = live.state.piles["community"][3 * hand - 3 : 3 * hand]
        shown = re.search(r'class="my-cards acts".*?</div>', page, re.DOTALL)[0]
        assert tuple(re.findall(r'href="#hw-(\w+)"', shown)) == cards
        told = visitor.client.get("/tables/common/advice").json()
        worth = {one["choice"]: Fraction(one["value"]) for one in told["choices"]}
        assert worth["fold"] == -1
        assert worth["play"] == against_every_dealer(cards)
        visitor.send("common", "play", seat=3)
    until(lambda: live.state.settled and not live.state.hands)
    assert {(line.wager, line.hand) for line in live.state.settled} >= {("ante", 1), ("play", 3)}
    page = visitor.get("/tables/common").text
    whose = re.findall(r'class="whose">([\w ]*)<', page)
    assert whose == ["Dealer", "Hand 1", "Hand 2", "Hand 3"]
    # the same again is on the same hands
    until(lambda: live.state.phase == "betting")
    assert visitor.post("/tables/common/again", key="more").status_code == 200
    assert live.state.boxes[2].wagers == {"ante@1": 1000, "ante@3": 1000}


def against_every_dealer(held):
    """What ante and play bring with a hand, on average: the plain count over dealers' hands."""
    mine = cards(held)
    value, bonus = three_card.value(mine), {3: 1, 4: 4, 5: 5}.get(_rank(mine), 0)
    total = count = 0
    for dealer in combinations([one for one in standard_deck() if one not in mine], 3):
        other = three_card.value(dealer)
        qualifies = other >= three_card.least("23456789TJQKA".index("Q"))
        won = 1 if not qualifies else 2 * ((value > other) - (value < other))
        total += won + bonus
        count += 1
    return Fraction(total, count)


def _rank(hand):
    """3 for a straight, 4 for three of a kind, 5 for a straight flush; 0 for what is lower."""
    return {"straight": 3, "three_of_a_kind": 4, "straight_flush": 5, "mini_royal": 5}.get(
        three_card.outcomes(hand, three_card.value(hand))[-1], 0
    )
