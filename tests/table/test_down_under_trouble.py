"""Down Under in trouble: what 685a.12 orders, in every phase in which it can be noticed."""

from __future__ import annotations

import pytest
from random_play import finish
from stories import table_of
from tables import bets, check_all, deal_all, keyed, nets, refused, shoe, since

from houseway.games.down_under.table.events import BoxPassedOver, LightShown, LightWrong
from houseway.games.down_under.table.state import own
from houseway.law import DOWN_UNDER, cites
from houseway.table import events as e
from houseway.table import legal, next_steps
from houseway.table.driver import Driver

#: an ace up, a hole card that makes no blackjack; two players who may insure
INSURED = "9c 8d Ac 7h 6h 5s 4c 3d Kc Td 2h"


def in_phase(phase: str) -> Driver:
    """A round as it stands in one phase after the first cards."""
    if phase == "matching":
        driver = shoe("9c 8d 9s 7h 6h 5s 4c", {"match_the_dealer": True}, players=2)
        bets(driver, 1, 2, match_the_dealer="5.00")
        deal_all(driver)
    elif phase in ("insuring", "insurance"):
        driver = table_of(INSURED, "10.00", "10.00", reads=False)
        driver.send("insure", "player", seat=1, amount="5.00")
        driver.send("decline_insurance", "player", seat=2)
        if phase == "insurance":
            driver.send("close_insurance", "dealer")
            driver.send("read_hole_card", "dealer")
    else:
        driver = table_of("9c 8d 6s 7h 6h Ts 4c 3d", "10.00", "10.00", reads=phase != "reading")
        if phase in ("revealing", "drawing"):
            driver.send("stand", "player", seat=1)
            driver.send("stand", "player", seat=2)
        if phase == "drawing":
            driver.send("reveal_dealer", "dealer")
    assert driver.table.phase == phase
    return driver


AFTER_THE_DEAL = (
    "matching", "insuring", "reading", "insurance", "deciding", "revealing", "drawing",
)  # fmt: skip


@cites(DOWN_UNDER, "685a.12(c)")
@pytest.mark.parametrize("phase", AFTER_THE_DEAL)
def test_a_card_seen_after_the_deal_is_the_next_one_in_every_phase(phase: str) -> None:
    driver = in_phase(phase)
    top = driver.table.piles["shoe"][0]
    driver.send("card_drawn_in_error", "dealer", exposed=True)
    assert driver.table.aside == top
    assert driver.table.phase == phase
    while driver.table.phase not in ("deciding", "drawing", "settling"):
        driver.house()
    if driver.table.phase == "deciding":
        driver.send("hit", "player", seat=1)
        assert driver.table.piles["seat.1"][-1] == top
    else:
        assert driver.send("dealer_draws", "dealer")[0].cards == (top,)  # type: ignore[attr-defined]
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(c)")
@pytest.mark.parametrize("phase", ["revealing", "insurance"])
def test_a_seen_card_that_nobody_can_use_goes_to_the_rack(phase: str) -> None:
    """The dealer stands on 20, both cards Large; everyone has acted or refuses."""
    driver = table_of("9c 8d Kc 7h 6h Ts 4c 3d", "10.00", "10.00")
    if phase == "revealing":
        driver.send("stand", "player", seat=1)
        driver.send("stand", "player", seat=2)
    driver.send("card_drawn_in_error", "dealer", exposed=True)
    if phase == "insurance":
        driver.send("refuse_card", "player", seat=1)
        driver.send("refuse_card", "player", seat=2)
    driver.until("settling")
    assert driver.table.piles["discard"][-1] == "4c"
    assert not driver.table.aside


@cites(DOWN_UNDER, "685a.12(c)")
def test_who_refuses_a_card_gets_none_after_a_split() -> None:
    driver = table_of("8c 9c 6d 8d 3c Th 5h Kh", "10.00", "10.00")
    driver.send("split", "player", seat=1)
    driver.send("card_drawn_in_error", "dealer", exposed=True)
    driver.send("refuse_card", "player", seat=1)
    assert driver.table.piles["seat.1"] == ("8c",)
    assert driver.table.piles["seat.1.2"] == ("8d",)
    assert "hit" in legal(driver.table, "player", 2)
    driver.send("hit", "player", seat=2)
    assert driver.table.piles["seat.2"][-1] == "5h"
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(c)")
def test_who_refuses_a_card_gets_none_at_any_of_his_boxes() -> None:
    driver = shoe("9c 8d 6s 7h 6h Ts 4c", {"adjacent_boxes": 2}, players=1)
    driver.send("sit_down", "player", seat=2, who="player 1", player="player 1")
    bets(driver, 1, 2)
    deal_all(driver)
    driver.send("read_hole_card", "dealer")
    driver.send("card_drawn_in_error", "dealer", exposed=True)
    driver.send("refuse_card", "player", seat=1)
    assert driver.table.phase == "revealing"


@cites(DOWN_UNDER, "685a.12(c)", "685a.12(g)")
def test_a_missed_card_that_was_seen_can_be_refused() -> None:
    driver = in_phase("revealing")
    driver.send("missed_hit", "dealer", seat=1, late_card=True)
    driver.send("card_drawn_in_error", "dealer", exposed=True)
    driver.send("refuse_card", "player", seat=1)
    assert driver.table.phase == "revealing"
    assert len(driver.table.piles["seat.1"]) == 2


@cites(DOWN_UNDER, "685a.12(a)", "685a.12(b)", "685a.6(c)")
def test_the_first_card_of_a_round_may_lie_face_up() -> None:
    driver = shoe("9c 8d 6s 7h 6h Ts 4c")
    driver.send("card_found_face_up", "dealer")
    assert driver.table.piles["discard"][-1] == "9c"
    bets(driver, 1)
    driver.send("card_found_face_up", "dealer")
    assert driver.table.piles["discard"][-1] == "8d"
    driver.send("card_drawn_in_error", "dealer")
    assert driver.table.phase == "betting"
    driver.send("deal", "dealer")
    assert driver.table.piles["seat.1"] == ("6s",)


@cites(DOWN_UNDER, "685a.12(f)")
def test_a_box_passed_over_is_found_one_card_too_late() -> None:
    """The card that the record gave to seat 2 lies at seat 3."""
    driver = shoe("9c 8d 6s 7h 6h Ts 4c 3d", players=3)
    bets(driver, 1, 2, 3)
    driver.send("deal", "dealer")
    driver.send("deal", "dealer")
    driver.send("no_card_dealt", "dealer", seat=2)
    assert since(driver, 0, BoxPassedOver)[0].clause == "685a.12(f)"
    assert driver.table.piles["seat.1"] == ("9c",)
    assert driver.table.piles["seat.3"] == ("8d",)
    assert "seat.2" not in driver.table.piles
    assert nets(driver)[2] == 0
    driver.send("deal", "dealer")
    assert driver.table.piles["dealer"] == ("6s",)
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(f)")
def test_a_second_card_missed_and_found_later_comes_after_the_others() -> None:
    driver = shoe("9c 8d 6s 7h 6h Ts 4c 3d 2c", players=3)
    bets(driver, 1, 2, 3)
    for _ in range(7):  # the record has the second cards of all three
        driver.send("deal", "dealer")
    before = driver.table.piles
    driver.send("no_card_dealt", "dealer", seat=2, second_card=True)
    assert driver.table.piles["seat.2"] == (before["seat.2"][0], before["seat.3"][1])
    assert driver.table.piles["seat.3"] == (before["seat.3"][0], before["seat.2"][1])
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(f)")
@pytest.mark.parametrize("phase", AFTER_THE_DEAL[:5])
def test_a_hand_without_cards_is_dead_until_it_acts(phase: str) -> None:
    driver = in_phase(phase)
    driver.send("no_card_dealt", "floorperson", seat=2)
    assert driver.table.boxes[1].out
    finish(driver)
    assert not driver.table.hands
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(f)", "685a.7(f)")
@pytest.mark.parametrize("phase", AFTER_THE_DEAL[:5])
def test_a_box_with_one_card_gets_its_second_when_all_others_have_theirs(phase: str) -> None:
    """Found at any time before the hand acts: no stake moves, and the round goes on from there."""
    driver = in_phase(phase)
    before = driver.table
    report = [step for step in next_steps(before, irregularities=True) if step.seat == 2]
    choices = next(step.choices for step in report if step.command == "no_card_dealt")
    assert choices == ({"second_card": True}, {"second_card": False})
    driver.send("no_card_dealt", "floorperson", seat=2, second_card=True)
    assert driver.table.piles["seat.2"] == before.piles["seat.2"][:1]
    assert driver.table.piles["seat.1"] == before.piles["seat.1"]
    assert driver.table.piles["hole"] == before.piles["hole"]
    step = next(step for step in driver.steps() if step.command == "deal")
    assert (step.role, step.clause) == ("dealer", "685a.12(f)")
    asked = {s.command for s in driver.steps() if s.role == "player" and s.seat in (1, 2)}
    assert not asked & {"insure", "hit", "stand"}, "nobody decides before it is dealt"
    driver.send("deal", "dealer")
    assert len(driver.table.piles["seat.2"]) == 2
    assert driver.table.phase == phase
    assert [line.key for line in driver.table.due] == [line.key for line in before.due]
    assert not since(driver, before.version, e.WagerReturned)
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(f)", "685a.11(c)", "685a.7(f)")
def test_a_wager_settled_by_a_card_that_was_not_there_is_put_right() -> None:
    """Seat 2 lost Match-the-Dealer by its two recorded cards; the card that comes matches the nine."""
    driver = keyed(DOWN_UNDER, {"match_the_dealer": True}, players=2)
    bets(driver, 1, 2, match_the_dealer="5.00")
    for card in ("8c", "8d", "9s", "7h", "6h"):
        driver.send("deal", "dealer", cards=(card,))
    driver.send("deal", "dealer")
    driver.send("settle_next", "dealer")
    assert nets(driver)[2] == -1500
    driver.send("no_card_dealt", "dealer", seat=2, second_card=True)
    assert refused(driver, "deal", "dealer").code == "cards_not_known"
    driver.send("deal", "dealer", cards=("9s",))
    made_good = since(driver, 0, e.PaymentCorrected)
    # the stake comes back, and 11 to 1 beside it
    assert [(x.seat, x.amount, x.clause) for x in made_good] == [(2, "60.00", "685a.12(f)")]
    assert [(line.seat, line.wager) for line in driver.table.due] == [(1, "match_the_dealer")]
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(f)", "685a.12(h)")
def test_a_second_card_is_found_missing_while_a_wrong_light_is_put_right() -> None:
    driver = in_phase("deciding")
    driver.send("wrong_light", "dealer", cause="area", area="medium")
    driver.send("no_card_dealt", "dealer", seat=2, second_card=True)
    for seat in (1, 2):
        driver.send("hand_goes_on", "dealer", seat=seat)
    assert driver.table.phase == "dealing"
    driver.send("deal", "dealer")
    assert driver.table.phase == "deciding"
    assert "hit" in legal(driver.table, "player", 1)
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(f)")
def test_two_boxes_with_one_card_each_and_one_of_them_declines() -> None:
    driver = in_phase("reading")
    driver.send("no_card_dealt", "dealer", seat=1, second_card=True)
    driver.send("no_card_dealt", "dealer", seat=2, second_card=True)
    assert [len(driver.table.piles[f"seat.{seat}"]) for seat in (1, 2)] == [1, 1]
    driver.send("no_card_dealt", "dealer", seat=1)
    assert nets(driver)[1] == 0
    assert driver.send("deal", "dealer")[0].to == "seat.2"  # type: ignore[attr-defined]
    assert driver.table.phase == "reading"
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(f)", "685a.12(c)")
@pytest.mark.parametrize("takes", [True, False])
@pytest.mark.parametrize("phase", ["matching", "insuring", "reading", "deciding"])
def test_a_missing_second_card_that_was_seen_is_at_the_players_option(
    phase: str, takes: bool
) -> None:
    """It is the next card; who does not want it has a dead hand, as before any second card."""
    driver = in_phase(phase)
    driver.send("card_drawn_in_error", "dealer", exposed=True)
    seen = driver.table.aside
    driver.send("no_card_dealt", "dealer", seat=2, second_card=True)
    assert "refuse_card" not in legal(driver.table, "player", 2)
    if takes:
        driver.send("deal", "dealer")
        assert (driver.table.piles["seat.2"][1], driver.table.aside) == (seen, "")
    else:
        driver.send("no_card_dealt", "dealer", seat=2)
        assert (driver.table.aside, nets(driver)[2]) == (seen, 0)
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(f)")
def test_a_hand_that_drew_a_card_had_its_first_two() -> None:
    """A hand over 21 is not called dead, and its bet not returned, for cards that it had."""
    driver = table_of("9c 8d 6s 7h 6h Ts Kc 3d", "10.00", "10.00")
    driver.send("hit", "player", seat=1)
    for second_card in (False, True):
        error = refused(driver, "no_card_dealt", "dealer", seat=1, second_card=second_card)
        assert (error.code, error.clause) == ("no_wager", "685a.12(f)")
    finish(driver)
    assert nets(driver)[1] == -1000


@cites(DOWN_UNDER, "685a.12(g)")
@pytest.mark.parametrize("phase", ["revealing", "drawing"])
def test_a_missed_card_ends_in_a_dead_hand_even_after_the_hole_card(phase: str) -> None:
    driver = in_phase(phase)
    if phase == "drawing":
        refusal = refused(driver, "missed_hit", "dealer", seat=1, late_card=True)
        assert refusal.clause == "685a.12(g)"
    driver.send("missed_hit", "dealer", seat=1, late_card=False)
    finish(driver)
    assert nets(driver)[1] == 0
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(g)", "685a.7(h)")
def test_a_hole_card_shown_early_does_not_bar_a_late_card() -> None:
    driver = table_of("9c 8d Kc 7h 6h Ts 4c 3d", "10.00", "10.00")
    driver.send("stand", "player", seat=1)
    driver.send("stand", "player", seat=2)
    driver.send("reveal_dealer", "dealer")
    assert driver.table.phase == "settling"
    driver.send("missed_hit", "dealer", seat=1, late_card=True)
    driver.send("deal", "dealer")
    assert driver.table.piles["seat.1"][-1] == "4c"
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(h)", "685a.2(b)(3)")
@pytest.mark.parametrize("phase", ["insurance", "deciding", "revealing", "drawing"])
def test_a_wrong_area_is_found_in_every_phase_after_the_reading(phase: str) -> None:
    driver = in_phase(phase)
    driver.send("wrong_light", "dealer", cause="area", area="medium")
    found = since(driver, 0, LightWrong)[0]
    assert (found.cause, found.area, found.seats) == ("area", "medium", (1, 2))
    driver.send("call_hand_dead", "dealer", seat=1)
    driver.send("hand_goes_on", "dealer", seat=2)
    assert nets(driver)[1] == 0
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(h)")
def test_the_area_is_recorded_and_checked_against_the_light() -> None:
    driver = table_of("9c 8d 6s 7h 6h Ts 4c 3d", "10.00", "10.00", reads=False)
    assert refused(driver, "read_hole_card", "dealer", area="left").code == "no_such_area"
    driver.send("read_hole_card", "dealer", area="small")
    shown = since(driver, 0, LightShown)[0]
    assert (shown.light, shown.range, shown.area) == ("yellow", "large", "small")
    assert own(driver.table).area == "small"
    assert driver.table.phase == "trouble"
    right = table_of("9c 8d 6s 7h 6h Ts 4c 3d", "10.00", "10.00", reads=False)
    right.send("read_hole_card", "dealer", area="large")
    assert right.table.phase == "deciding"
    wrong = refused(right, "wrong_light", "dealer", cause="area", area="large")
    assert (wrong.code, wrong.clause) == ("not_wrong", "685a.12(h)")


@cites(DOWN_UNDER, "685a.12(h)")
def test_a_wrong_area_and_a_wrong_light_in_one_round() -> None:
    """The area is put right; then the hole card shows that the light was wrong as well."""
    driver = table_of("9c 8d 6s 7h 6h Ts 4c 3d", "10.00", "10.00", reads=False)
    driver.send("read_hole_card", "device", light="blue")
    driver.send("wrong_light", "dealer", cause="area", area="medium")
    for seat in (1, 2):
        driver.send("hand_goes_on", "dealer", seat=seat)
    assert driver.table.phase == "deciding"
    driver.send("stand", "player", seat=1)
    driver.send("stand", "player", seat=2)
    driver.send("reveal_dealer", "dealer")
    assert driver.table.phase == "trouble"
    assert [found.cause for found in since(driver, 0, LightWrong)] == ["area", "light"]
    driver.send("call_hand_dead", "dealer", seat=2)
    driver.send("hand_goes_on", "dealer", seat=1)
    finish(driver)
    assert nets(driver)[2] == 0
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(d)")
def test_a_card_drawn_to_a_standing_total_is_found_after_settlement_has_begun() -> None:
    driver = table_of("9c 8d Kc 7h 6h Ts 4c 3d", "10.00", "10.00")
    driver.send("stand", "player", seat=1)
    driver.send("dealer_drew_in_error", "dealer")
    driver.send("stand", "player", seat=2)
    driver.until("settling")
    driver.send("settle_next", "dealer")
    driver.send("dealer_drew_in_error", "dealer")
    driver.until("clearing")
    driver.send("dealer_drew_in_error", "dealer")
    assert len(since(driver, 0, e.DrawnInError)) == 3
    finish(driver)
    check_all(driver)


@cites(DOWN_UNDER, "685a.12(i)")
@pytest.mark.parametrize("phase", ["betting", *AFTER_THE_DEAL])
def test_nothing_is_dealt_while_the_reader_is_broken(phase: str) -> None:
    """Repair, replacement, a void round or a closed table: nothing else brings a card."""
    if phase == "betting":
        driver = shoe("9c 8d 6s 7h")
        bets(driver, 1)
    else:
        driver = in_phase(phase)
    driver.send("device_breaks", "dealer", device="reader")
    cards = ("deal", "hit", "double", "split", "dealer_draws", "read_hole_card")
    for role in ("dealer", "player", "device", "system"):
        for seat in (0, 1, 2):
            assert not set(cards) & set(legal(driver.table, role, seat))
    ways = {step.command for step in next_steps(driver.table, irregularities=True)}
    assert "repair_device" in ways
    if phase == "betting":
        driver.send("take_back_wager", "player", seat=1, wager="bet")
        assert "close_table" in legal(driver.table, "floorperson")
    else:
        assert "void_round" in ways
        driver.send("void_round", "floorperson", reason="no spare reader")
        assert not driver.table.hands
        assert set(nets(driver).values()) <= {0}
        check_all(driver)


@cites(DOWN_UNDER, "685a.10(e)", "685a.10(c)", "685a.7(k)(1)", "685a.7(k)(2)", "685a.10(a)")
@cites(DOWN_UNDER, "685a.9(a)")
def test_a_decision_that_is_closed_is_refused_by_the_clause_that_closes_it() -> None:
    aces = table_of("Ac 9c 6d Ad 3c Th 5h 7h 2d", "10.00", "10.00")
    aces.send("split", "player", seat=1)
    assert refused(aces, "hit", "player", seat=1).clause == "685a.10(e)"
    aces.send("deal", "dealer")
    aces.send("deal", "dealer")
    assert refused(aces, "hit", "player", seat=1).clause == "685a.10(e)"
    again = table_of("8c 9c 6d 8d 3c Th 8h 7h 2d", "10.00", "10.00")
    again.send("split", "player", seat=1)
    again.send("deal", "dealer")
    assert refused(again, "split", "player", seat=1).clause == "685a.10(c)"
    assert refused(again, "split", "player", seat=2).code == "not_your_turn"
    other = table_of("9c 9d 6d 8d 3c Th 4h 7h 2d", "10.00", "10.00")
    assert refused(other, "split", "player", seat=1).clause == "685a.10(a)"
    other.send("hit", "player", seat=1)
    assert refused(other, "double", "player", seat=1, amount="5.00").clause == "685a.7(k)(1)"
    other.send("hit", "player", seat=2)
    assert refused(other, "double", "player", seat=2, amount="5.00").clause == "685a.9(a)"
    doubled = table_of("5c 9c 6d 6h 3c Th 4h 7h 2d", "10.00", "10.00")
    doubled.send("double", "player", seat=1, amount="10.00")
    assert refused(doubled, "hit", "player", seat=1).clause == "685a.7(k)(2)"


@cites(DOWN_UNDER, "685a.7(h)", "685a.12(h)")
def test_a_late_dealers_blackjack_is_called_what_it_is() -> None:
    """A wrong light hid the ten under the ace: lost insurance has won, and no card was corrected."""
    driver = keyed(DOWN_UNDER, players=2)
    bets(driver, 1, 2)
    for card in ("9c", "8d", "Ac", "7h", "6h"):
        driver.send("deal", "dealer", cards=(card,))
    driver.send("deal", "dealer")
    driver.send("insure", "player", seat=1, amount="5.00")
    driver.send("decline_insurance", "player", seat=2)
    driver.send("close_insurance", "dealer")
    driver.send("read_hole_card", "device", light="blue")
    driver.until("deciding")
    driver.send("stand", "player", seat=1)
    driver.send("stand", "player", seat=2)
    driver.send("reveal_dealer", "dealer", cards=("Ks",))
    for seat in (1, 2):
        driver.send("hand_goes_on", "dealer", seat=seat)
    made_good = since(driver, 0, e.PaymentCorrected)
    assert [(one.seat, one.reason, one.clause) for one in made_good] == [
        (1, "the dealer's blackjack was found late", "685a.7(h)")
    ]
    finish(driver)
    assert nets(driver) == {1: 0, 2: -1000}
    check_all(driver)


@cites(DOWN_UNDER, "685a.6(c)")
def test_a_wager_is_taken_back_until_the_first_card_and_not_after() -> None:
    driver = shoe("9c 8d 6s 7h")
    bets(driver, 1)
    driver.send("take_back_wager", "player", seat=1, wager="bet")
    bets(driver, 1)
    driver.send("deal", "dealer")
    assert refused(driver, "take_back_wager", "player", seat=1, wager="bet").clause == "685a.6(c)"
