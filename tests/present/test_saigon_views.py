"""Saigon's five cards as people see them: three and two, by everybody who may."""

from __future__ import annotations

from houseway.law import SAIGON, cites
from houseway.present import Viewer, table_view
from houseway.table import rules_of
from houseway.table.card_source import pack
from houseway.table.driver import Driver

#: 1 + 2 + 7 qualify, 3 + 5 count eight; no three of the dealer's total 10, 20 or 30 but the court's
MINE, DEALERS = ("As", "2s", "7s", "3s", "5s"), ("Ts", "Js", "Qs", "2c", "3c")


def lies(driver: Driver, viewer: Viewer) -> list[tuple[str, list[str], str]]:
    """The hands at seat 1: their place, the faces that this reader sees, and what is said."""
    (seat,) = [one for one in table_view(driver.table, viewer).seats if one.seat == 1]
    return [
        (hand.place, [str(card.face) if card.face else "" for card in hand.cards], hand.says)
        for hand in seat.hands
        if hand.cards
    ]


@cites(SAIGON, "680a.11(b)")
def test_five_cards_lie_as_three_and_two_before_and_after_they_are_set() -> None:
    driver = Driver(SAIGON, {"dealing": "automated_shoe", "shuffler": "plain"})
    driver.seat_player(1, "player 1")
    driver.until("shuffling")
    top = (*MINE[::-1], *DEALERS)
    rest = (card for card in pack(rules_of(driver.table)) if card not in top)
    driver.send("shuffle", "system", order=(*top, *rest))
    assert lies(driver, Viewer("player", 1)) == []
    driver.wager(1, {"ante": "10.00"})
    driver.until("deciding")
    mine, public = Viewer("player", 1), Viewer()
    dealt = lies(driver, mine)
    assert [(place, len(faces)) for place, faces, _ in dealt] == [
        ("three_card_hand", 3),
        ("showdown_hand", 2),
    ]
    assert [face for _, faces, _ in dealt for face in faces] == list(MINE[::-1])
    assert [faces for _, faces, _ in lies(driver, public)] == [[""] * 3, [""] * 2]
    (dealers,) = [one for one in table_view(driver.table, public).table if one.cards]
    assert (dealers.place, len(dealers.cards)) == ("dealer_cards", 5)
    driver.send("set_hands", "player", seat=1, three=MINE[:3], two=MINE[3:])
    assert lies(driver, mine) == [
        ("three_card_hand", list(MINE[:3]), "Qualifies"),
        ("showdown_hand", list(MINE[3:]), "Count 8"),
    ]
    # face down nobody else knows what they are
    assert [(faces, says) for _, faces, says in lies(driver, public)] == [
        ([""] * 3, ""),
        ([""] * 2, ""),
    ]
