"""The stories of the golden playthroughs: whole games by every way of dealing, and each misfortune.

A story is told by a driver: people act where the story needs them, and the house does the rest. All
of them run from the opening of the table to its closing.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

from tables import EVERY_GAME, keyed, shoe

from houseway.cards import SeededSource
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON
from houseway.money import dollars
from houseway.table import NextStep, rules_of
from houseway.table.card_source import pack
from houseway.table.driver import Driver

POKER = (MD, MA, PRIME, SAIGON)

#: whole games, by what is particular about each
GAMES: dict[str, tuple[str, dict[str, Any], dict[str, str]]] = dict(zip(
        (
            f"{MD} manual shoe", f"{MD} counting shuffler, both progressives",
            f"{MD} automated shoe, two decks, dealer's stack waits",
            f"{MD} from the hand, reshuffling device", f"{MA} counting shuffler, Cover All",
            f"{MA} automated shoe, by player", f"{PRIME} manual shoe, every wager",
            f"{PRIME} automated shoe, stacks of four", f"{SAIGON} manual shoe",
            f"{SAIGON} from the hand, two decks", f"{DOWN_UNDER} shoe, Match-the-Dealer",
            f"{DOWN_UNDER} two batches, by player", f"{DOWN_UNDER} continuous shuffler",
        ),
        EVERY_GAME,
        strict=True,
    )) | {
    f"{MD} electronic version": (
        MD, {"electronic": True, "shuffler": "plain"}, {"ante": "10.00", "pair_plus": "5.00"},
    ),
    f"{MA} manual shoe, match play": (
        MA, {"match_play": True}, {"ante": "10.00", "pair_plus": "5.00"},
    ),
    f"{MA} from the hand": (
        MA, {"dealing": "hand", "shuffler": "plain", "six_card_bonus": "TCP-6B2"},
        {"ante": "10.00", "six_card_bonus": "5.00"},
    ),
    f"{PRIME} from the hand": (
        PRIME, {"dealing": "hand", "shuffler": "plain", "pair_bonus": "C"},
        {"ante": "10.00", "pair_bonus": "5.00"},
    ),
    f"{SAIGON} automated shoe": (
        SAIGON, {"dealing": "automated_shoe", "shuffler": "counting", "bonus": "A"},
        {"ante": "10.00", "bonus": "5.00"},
    ),
}  # fmt: skip


def some(_table, seat, steps):
    """A player who folds at seat 2, and otherwise plays, sets or stands."""
    names = [step.command for step in steps if step.seat == seat]
    if seat == 2 and "fold" in names:
        return "fold", {}
    for name in ("stand", "decline_insurance"):
        if name in names:
            return name, {}
    return names[0], {}


def closed(driver: Driver) -> Driver:
    """To the end of the round, if one is played, and the closing count."""
    if driver.table.hands or any(box.layout for box in driver.table.boxes):
        driver.finish(some)
    count = {dollars(value): number for value, number in driver.table.tray.items()}
    driver.send("close_table", "floorperson", count=count)
    return driver


def whole_game(chapter, rules, wagers):
    """From opening to closing: two rounds."""
    driver = Driver(chapter, rules, source=SeededSource(7))
    for seat in (1, 2, 3):
        driver.seat_player(seat, f"player {seat}")
    for _ in range(2):
        driver.until("betting")
        for seat in (1, 2, 3):
            driver.wager(seat, wagers, hand=seat if rules.get("electronic") else 0)
        if rules.get("match_play"):
            driver.send("place_coupon", "player", seat=1, wager="ante", value="10.00")
        driver.finish(some)
    return closed(driver)


def begun(chapter, rules=None, until="dealing", cards=2, **more):
    """Two players with their first wager, up to a phase; in the deal, after a number of cards."""
    driver = Driver(chapter, rules, source=SeededSource(7))
    for seat in (1, 2):
        driver.seat_player(seat, f"player {seat}")
    driver.until("betting")
    wager = "bet" if chapter == DOWN_UNDER else "ante"
    for seat in (1, 2):
        driver.wager(seat, {wager: "10.00", **more})
    if chapter == DOWN_UNDER and until != "betting":
        driver.send("deal", "dealer")
        cards -= 1
    driver.until(until)
    if until == "dealing":
        for _ in range(cards):
            driver.send("deal", "dealer")
    return driver


# what every card game knows


def two_face_up(chapter):
    driver = begun(chapter)
    driver.send("card_found_face_up", "dealer")
    driver.send("deal", "dealer")
    driver.send("card_found_face_up", "dealer")
    return closed(driver)


def drawn_in_error(chapter):
    driver = begun(chapter)
    driver.send("card_drawn_in_error", "dealer")
    return closed(driver)


def wrong_number(chapter):
    driver = begun(chapter, cards=4)
    driver.send("wrong_number_of_cards", "dealer", seat=2, count=2)
    return closed(driver)


def exposed(chapter):
    extra = {"prime": "5.00"} if chapter == PRIME else {}
    rules = {"prime": True} if chapter == PRIME else None
    driver = begun(chapter, rules, until="deciding", **extra)
    driver.send("dealer_card_exposed", "dealer")
    return closed(driver)


def shoe_jams(chapter):
    driver = begun(chapter, {"dealing": "automated_shoe", "shuffler": "plain"}, cards=1)
    driver.send("device_jams", "device", device="automated_shoe")
    driver.until("betting")
    return closed(driver)


def shuffler_jams(chapter):
    driver = begun(chapter, {"shuffler": "plain", "decks_in_play": 2}, until="betting")
    driver.send("device_jams", "device", device="shuffler")
    driver.house()
    return closed(driver)


def miscounted(chapter):
    """The waiting deck is found short in a round: the one in its place has the next turn."""
    driver = begun(chapter, {"shuffler": "counting", "decks_in_play": 2}, until="betting")
    driver.finish(some)
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00"})
    driver.send("no_more_bets", "dealer")
    driver.send("shuffle", "device", count=51)
    driver.finish(some)
    driver.until("betting")
    return closed(driver)


def shuffler_breaks(chapter):
    """Set aside as the chapter says, and the next shuffle is by hand, with its cut."""
    driver = begun(chapter, {"shuffler": "plain"}, until="betting")
    driver.send("device_breaks", "dealer", device="shuffler")
    how = "removed" if chapter == MA else "covered"
    driver.send("set_device_aside", "floorperson", device="shuffler", how=how)
    if driver.table.phase == "betting":
        # of two batches the one in the shoe had left the device
        driver.send("order_reshuffle", "floorperson", reason="by hand from here on")
    driver.until("betting")
    return closed(driver)


def stub(chapter, misdealt):
    driver = begun(chapter, until="stub")
    driver.send("count_stub", "dealer", count=40, misdealt=misdealt)
    return closed(driver)


def recut(chapter):
    driver = begun(chapter, until="betting")
    if chapter == DOWN_UNDER:
        driver.send("order_reshuffle", "floorperson", reason="a doubt")
        driver.until("loading")
    driver.send("order_recut", "floorperson", reason="cut without a cover card")
    driver.until("betting")
    return closed(driver)


def idle(chapter):
    """Nobody plays: the cards are spread, seen, washed and shuffled again."""
    driver = begun(chapter, until="betting")
    wager = "bet" if chapter == DOWN_UNDER else "ante"
    for seat in (1, 2):
        driver.send("take_back_wager", "player", seat=seat, wager=wager)
    driver.send("spread_idle", "dealer")
    driver.until("betting")
    return closed(driver)


def preshuffled(chapter):
    """Cards that come preinspected and preshuffled: what they may skip, and a player who leaves."""
    driver = Driver(chapter, source=SeededSource(7))
    driver.seat_player(1, "player 1")
    if chapter == DOWN_UNDER:
        driver.send("inspect_reader", "floorperson")
    order = driver.fields_of(NextStep("shuffle", "system", "", ""))["order"]
    driver.send("receive_decks", "system", preshuffled=True, order=order)
    driver.until("betting")
    wager = "bet" if chapter == DOWN_UNDER else "ante"
    driver.wager(1, {wager: "10.00"})
    if chapter == DOWN_UNDER:
        driver.finish(some)
        return closed(driver)
    driver.until("deciding")
    if chapter != MA:
        driver.send("leave_seat", "floorperson", seat=1)
        driver.send("declare_abandoned", "floorperson", seat=1)
    return closed(driver)


def deck_overdue(chapter):
    """The hours are up with wagers down: the fresh deck comes first."""
    driver = begun(chapter, until="betting")
    driver.clock += timedelta(hours=25 if chapter == DOWN_UNDER else 9)
    for _ in range(3):
        driver.house()
    driver.until("betting")
    return closed(driver)


def corrected(chapter):
    """A pair read as nothing, found when everything was paid."""
    size = 5 if chapter == SAIGON else 3
    driver = keyed(chapter)
    driver.wager(1, {"ante": "10.00"})
    driver.until("deciding")
    if size == 5:
        driver.send("set_hands", "player", seat=1)
        driver.send("reveal_dealer", "dealer", cards=("2c", "3d", "5h", "9s", "7c"))
        driver.send("turn_hand", "dealer", seat=1, cards=("Kc", "Kd", "9h"))
        driver.send("turn_hand", "dealer", seat=1, cards=("4s", "4c"))
        driver.until("clearing")
        driver.send("correct_card", "floorperson", place="three.1", was="9h", card="Jh",
                    reason="a jack read as a nine")  # fmt: skip
    else:
        driver.send("play", "player", seat=1)
        driver.send("reveal_dealer", "dealer", cards=("Ac", "Kd", "9h"))
        driver.send("turn_hand", "dealer", seat=1, cards=("2c", "3d", "8h"))
        driver.until("clearing")
        driver.send("correct_card", "floorperson", place="seat.1", was="3d", card="2d",
                    reason="a two read as a three")  # fmt: skip
    return closed(driver)


# Down Under's own


def table_of(cards, *seats, rules=None, reads=True, **more):
    driver = shoe(cards, rules, players=len(seats))
    for seat, bet in enumerate(seats, 1):
        driver.wager(seat, {"bet": bet, **more})
    while driver.table.phase in ("betting", "dealing"):
        driver.send("deal", "dealer")
    if reads:
        driver.send("read_hole_card", "dealer")
    return driver


def every_decision():
    """Match-the-Dealer, insurance and even money, a blackjack, a double, a split of aces."""
    rules = {"match_the_dealer": True}
    driver = table_of(
        "Ac 6c As Kc Ad Kd 5c Ah Kh 7h 9c 4d 8s", "10.00", "10.00", "10.00", "10.00",
        rules=rules, reads=False, match_the_dealer="5.00",
    )  # fmt: skip
    driver.until("insuring")
    driver.send("take_even_money", "player", seat=1)
    driver.send("insure", "player", seat=2, amount="5.00")
    for seat in (3, 4):
        driver.send("decline_insurance", "player", seat=seat)
    driver.send("close_insurance", "dealer")
    driver.send("read_hole_card", "dealer")
    driver.until("deciding")
    driver.send("double", "player", seat=2, amount="10.00")
    driver.send("split", "player", seat=3)
    driver.send("deal", "dealer")
    driver.send("deal", "dealer")
    return closed(driver)


def dealer_has_blackjack():
    driver = table_of("Ac 9c As Kc 8c Kd", "10.00", "10.00", reads=False)
    driver.send("decline_insurance", "player", seat=1)
    driver.send("insure", "player", seat=2, amount="5.00")
    driver.send("close_insurance", "dealer")
    driver.send("read_hole_card", "dealer")
    return closed(driver)


def exposed_card():
    """One player will have the exposed card, the one before him would not."""
    driver = table_of("Tc 9c 6d 2d 3c 3h 5h", "10.00", "10.00")
    driver.send("card_drawn_in_error", "dealer", exposed=True)
    driver.send("refuse_card", "player", seat=1)
    driver.send("hit", "player", seat=2)
    return closed(driver)


def exposed_card_unused():
    driver = table_of("Tc 7d 9d Th 5h", "10.00")
    driver.send("card_drawn_in_error", "dealer", exposed=True)
    driver.send("refuse_card", "player", seat=1)
    return closed(driver)


def drawn_to_seventeen():
    driver = table_of("Tc 7d 9d Th 5h", "10.00")
    driver.send("stand", "player", seat=1)
    driver.send("reveal_dealer", "dealer")
    driver.send("dealer_drew_in_error", "dealer")
    return closed(driver)


def shoe_runs_out():
    """Card after card lies face up until none is left: the discards are made a shoe."""
    driver = Driver(DOWN_UNDER, {"decks": 4}, source=SeededSource(7))
    driver.seat_player(1, "player 1")
    driver.until("loading")
    driver.send("place_cover_card", "dealer", depth=len(driver.table.piles["shoe"]) // 4)
    driver.until("betting")
    driver.wager(1, {"bet": "10.00"})
    while driver.table.phase in ("betting", "dealing"):
        driver.send("deal", "dealer")
    while "shoe" in driver.table.piles:
        if driver.table.phase == "deciding":
            driver.send("card_found_face_up", "dealer")
        else:
            driver.house()
    order = driver.fields_of(NextStep("shoe_runs_out", "system", "", ""))["order"]
    driver.send("shoe_runs_out", "system", order=order)
    driver.send("cut", "player", seat=1, depth=20)
    return closed(driver)


def not_dealt():
    """No card to seat 2, which is dead; one card to seat 1, whose second comes last."""
    driver = begun(DOWN_UNDER, until="betting")
    driver.seat_player(3, "player 3")
    driver.wager(3, {"bet": "10.00"})
    driver.send("deal", "dealer")
    driver.send("no_card_dealt", "dealer", seat=2)
    driver.send("deal", "dealer")
    driver.send("deal", "dealer")
    driver.send("no_card_dealt", "dealer", seat=1, second_card=True)
    return closed(driver)


def missed_hit(late):
    driver = table_of("5c 9c 6d 4d 3c 3h Th 2h", "10.00", "10.00")
    driver.send("stand", "dealer", seat=1)
    driver.send("missed_hit", "dealer", seat=1, late_card=late)
    driver.send("stand", "player", seat=2)
    if late:
        driver.send("deal", "dealer")
    return closed(driver)


def missed_at_a_split():
    """Of two hands the one whose card was missed is dead; the other plays on."""
    driver = table_of("8c 5d 8d 9s Th 9h 3c", "10.00")
    driver.send("split", "player", seat=1)
    for _ in range(2):
        driver.send("deal", "dealer")
        driver.send("stand", "player", seat=1)
    driver.send("missed_hit", "dealer", seat=1, hand=2, late_card=False)
    return closed(driver)


def wrong_light():
    """One hand is called dead, bust as it is; the other goes on."""
    driver = table_of("Tc 9c 6d 6c 8c 9h Kh", "10.00", "10.00", reads=False)
    driver.send("read_hole_card", "device", light="blue")
    driver.send("hit", "player", seat=1)
    driver.send("stand", "player", seat=2)
    driver.send("reveal_dealer", "dealer")
    driver.send("call_hand_dead", "dealer", seat=1)
    driver.send("hand_goes_on", "dealer", seat=2)
    return closed(driver)


def wrong_area():
    driver = table_of("Tc 9c 6d 6c 8c 9h Kh", "10.00", "10.00")
    driver.send("wrong_light", "floorperson", cause="area")
    driver.send("hand_goes_on", "dealer", seat=1)
    driver.send("call_hand_dead", "dealer", seat=2)
    return closed(driver)


def reader_breaks():
    driver = begun(DOWN_UNDER, until="betting")
    driver.send("device_breaks", "dealer", device="reader")
    driver.send("repair_device", "floorperson", device="reader")
    return closed(driver)


def new_gaming_day():
    driver = begun(DOWN_UNDER, until="betting")
    driver.clock = driver.clock.replace(day=2, hour=6, minute=0)
    driver.house()
    return closed(driver)


def blackjack_corrected():
    """A seven read as a king: the hand thought bust was 20, and its bet is given back and paid."""
    driver = keyed(DOWN_UNDER)
    driver.wager(1, {"bet": "10.00"})
    for card in ("6c", "9d", "7c"):
        driver.send("deal", "dealer", cards=(card,))
    driver.send("deal", "dealer")
    driver.send("read_hole_card", "device", light="yellow")
    driver.send("hit", "player", seat=1, card="Kh")
    driver.send("reveal_dealer", "dealer", cards=("Th",))
    driver.until("clearing")
    driver.send("correct_card", "floorperson", place="seat.1", was="Kh", card="7h",
                reason="a seven read as a king")  # fmt: skip
    return closed(driver)


# progressives


def progressive(chapter):
    """The meter hit and validated, envy for the others, START and END GAME in Massachusetts."""
    rules = {"progressive": "A" if chapter == MD else "1", "shuffler": "counting"}
    driver = Driver(chapter, rules, source=SeededSource(7),
                    meters={"progressive": {"rate": "14%", "seed": "5000.00"}})  # fmt: skip
    for seat in (1, 2):
        driver.seat_player(seat, f"player {seat}")
    driver.until("shuffling")
    first = ["As", "2c", "3c", "Ks", "5d", "4d", "Qs", "9h", "8h"]
    rest = [card for card in pack(rules_of(driver.table)) if card not in first]
    driver.send("shuffle", "system", order=(*first, *rest))
    driver.until("betting")
    for seat in (1, 2):
        driver.wager(seat, {"ante": "10.00", "progressive": "1.00"})
    driver.until("deciding")
    for seat in (1, 2):
        driver.send("play", "player", seat=seat)
    return closed(driver)


def struck_wager():
    """One chip too few on the sensors: the deal stops until the floor has struck the wager."""
    driver = begun(MD, {"progressive": "A", "shuffler": "counting"}, until="betting",
                   progressive="1.00")  # fmt: skip
    driver.send("no_more_bets", "dealer")
    driver.send("strike_progressive_wager", "floorperson", seat=2, wager="progressive",
                reason="no chip on the sensor")  # fmt: skip
    return closed(driver)


STORIES = {
    **{name: partial(whole_game, *game) for name, game in GAMES.items()},
    **{f"{id} two cards face up": partial(two_face_up, id) for id in (*POKER, DOWN_UNDER)},
    **{f"{id} card drawn in error": partial(drawn_in_error, id) for id in (*POKER, DOWN_UNDER)},
    **{f"{id} wrong number of cards": partial(wrong_number, id) for id in POKER},
    **{f"{id} dealer's card exposed": partial(exposed, id) for id in (*POKER, DOWN_UNDER)},
    **{f"{id} automated shoe jams": partial(shoe_jams, id) for id in POKER},
    **{f"{id} shuffler jams": partial(shuffler_jams, id) for id in (*POKER, DOWN_UNDER)},
    f"{MD} waiting deck miscounted": partial(miscounted, MD),
    **{f"{id} shuffler breaks": partial(shuffler_breaks, id) for id in (*POKER, DOWN_UNDER)},
    **{f"{id} stub wrong": partial(stub, id, misdealt=False) for id in POKER},
    **{f"{id} stub misdealt": partial(stub, id, misdealt=True) for id in POKER},
    **{f"{id} recut": partial(recut, id) for id in (*POKER, DOWN_UNDER)},
    **{f"{id} idle table": partial(idle, id) for id in (*POKER, DOWN_UNDER)},
    **{f"{id} preshuffled": partial(preshuffled, id) for id in (*POKER, DOWN_UNDER)},
    **{f"{id} deck overdue": partial(deck_overdue, id) for id in (MD, PRIME, SAIGON, DOWN_UNDER)},
    **{f"{id} card corrected": partial(corrected, id) for id in POKER},
    **{f"{id} progressive hit": partial(progressive, id) for id in (MD, MA)},
    f"{MD} progressive wager struck": struck_wager,
    f"{DOWN_UNDER} every decision": every_decision,
    f"{DOWN_UNDER} dealer's blackjack": dealer_has_blackjack,
    f"{DOWN_UNDER} exposed card taken": exposed_card,
    f"{DOWN_UNDER} exposed card unused": exposed_card_unused,
    f"{DOWN_UNDER} drawn to seventeen": drawn_to_seventeen,
    f"{DOWN_UNDER} shoe runs out": shoe_runs_out,
    f"{DOWN_UNDER} box passed over": not_dealt,
    f"{DOWN_UNDER} missed card, given late": partial(missed_hit, late=True),
    f"{DOWN_UNDER} missed card, dead hand": partial(missed_hit, late=False),
    f"{DOWN_UNDER} missed card, one hand of a split dead": missed_at_a_split,
    f"{DOWN_UNDER} wrong light": wrong_light,
    f"{DOWN_UNDER} wrong area": wrong_area,
    f"{DOWN_UNDER} reader breaks": reader_breaks,
    f"{DOWN_UNDER} new gaming day": new_gaming_day,
    f"{DOWN_UNDER} card corrected": blackjack_corrected,
}
