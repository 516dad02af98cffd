"""The dealer's questions: every card that decides is in sight, and a mistake is one."""

from __future__ import annotations

import re

import pytest

from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, cites
from houseway.money import dollars
from houseway.web.page_support import amount
from houseway.web.pages.practice import played

WORTH = {"T": 10, "J": 10, "Q": 10, "K": 10} | {str(n): n for n in range(2, 10)}


def points(hand, most):
    """An ace is 11 unless that makes more than this."""
    total = sum(WORTH.get(card[0], 11) for card in hand)
    for _ in [card for card in hand if card[0] == "A"]:
        total -= 10 if total > most else 0
    return total


@pytest.mark.slow
@cites(DOWN_UNDER, "685a.3(d)(3)", "685a.7(n)", "685a.7(q)")
def test_a_blackjack_hand_is_paid_by_the_cards_in_sight():
    """Also what was taken from the table before the dealer's hand was complete."""
    met = set()
    for number in range(40):
        table, lines = played(DOWN_UNDER, number)
        up = table.piles["dealer"]
        dealer = (*up[:1], *table.piles["hole"], *up[1:])
        split = any(line.wager == "split" for line in lines)
        for line in lines:
            met.add((line.wager, line.result))
            if line.wager not in ("bet", "double", "split"):
                continue
            hand = table.piles["seat.4.2" if line.hand == 2 else "seat.4"]
            mine, theirs = points(hand, 21), points(dealer, 22)
            natural = len(hand) == 2 and mine == 21 and not split
            if any(other.wager == "even_money" for other in lines):
                expected = "returned"
            elif mine > 21:
                expected = "lose"
            elif natural:
                expected = "push" if len(dealer) == 2 and theirs == 21 else "win"
            elif theirs == 22:
                large = len(hand) == 2 and not split and all(card[0] in "TJQKA" for card in hand)
                expected = "win" if mine == 21 or large else "push"
            elif theirs > 22 or mine > theirs:
                expected = "win"
            else:
                blackjack = len(dealer) == 2 and theirs == 21
                expected = "push" if mine == theirs and not blackjack else "lose"
            assert line.result == expected, (number, hand, dealer, line)
        assert {name: amount for name, amount in table.boxes[3].layout.items() if amount} == {
            f"{line.wager}@{line.hand}" if line.hand else line.wager: line.stake
            for line in lines
            if line.stake
        }
    assert {wager for wager, _ in met} >= {"bet", "double", "split", "insurance", "even_money"}


@pytest.mark.parametrize(
    ("id", "numbers"),
    # folded hands, bonuses without a stake, a meter's share, hands that were split
    [(MD, (3, 18, 26)), (MA, (18, 183)), (PRIME, (3, 13)), (SAIGON, (7, 65)),
     (DOWN_UNDER, (12, 16, 76))],
)  # fmt: skip
def test_a_mistake_of_the_dealer_can_be_found(visitor, id, numbers):
    for number in numbers:
        address = f"/practice/{id}/find?number={number}"
        page = visitor.get(address)
        assert page.status_code == 200
        _, lines = played(id, number)
        told = re.findall(r'<td class="num">\$([\d,.]+)</td><td>(.*?)</td>', page.text)
        wrong = [
            at
            for at, (line, (_, deed)) in enumerate(zip(lines, told, strict=True))
            if deed != done(line)
        ]
        assert len(wrong) <= 1
        answer = visitor.form(address, number=str(number), line=str(wrong[0] if wrong else -1))
        assert "✓ Right." in answer.text
        other = visitor.form(address, number=str(number), line="-1" if wrong else "0")
        assert "✗ No." in other.text


def done(line):
    if line.result in ("win", "bonus"):
        return f"paid {amount(line.paid)}"
    return "collected it" if line.result in ("lose", "forfeit") else "returned it"


@pytest.mark.parametrize("id", CHAPTERS)
def test_a_hand_is_paid_line_by_line(visitor, id):
    for number in range(3):
        _, lines = played(id, number)
        given = {}
        for at, line in enumerate(lines):
            way = {"p": "paid", "c": "collected", "r": "returned"}[done(line)[0]]
            given |= {f"way-{at}": way, f"paid-{at}": dollars(line.paid)}
        address = f"/practice/{id}/pay"
        page = visitor.get(f"{address}?number={number}").text
        assert len(re.findall(r'class="whose">', page)) >= 2
        right = visitor.form(address, number=str(number), **given).text
        assert f"{len(lines)} of {len(lines)} right" in right
        given["way-0"] = "returned" if given["way-0"] != "returned" else "collected"
        wrong = visitor.form(address, number=str(number), **given).text
        assert f"{len(lines) - 1} of {len(lines)} right" in wrong
