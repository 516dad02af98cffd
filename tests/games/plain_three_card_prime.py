"""Chapter 679a written down a second time, plainly, and rounds to try it on.

Nothing here looks at the program's data: the payouts are typed from the text, the ranking follows
679a.6 clause by clause.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from houseway.cards import standard_deck

RANKS = "23456789TJQKA"
THREE = ("mini_royal", "straight_flush", "three_of_a_kind", "straight", "flush", "pair")
SIX = (
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
    "three_of_a_kind",
)  # fmt: skip

#: 679a.12(b) to (g) as printed; "flush or lower" is one row there
PLAY = {**dict(zip(THREE, (10, 6, 5, 2, 1, 1), strict=True)), "high_card": 1}
BAD_BEAT = {
    "A": {"straight_flush": 12, "three_of_a_kind": 10, "straight": 4},
    "B": {"straight_flush": 6, "three_of_a_kind": 5, "straight": 2},
}
PRIME_PAYS = {"same_color_both": 4, "same_color": 3}
PAIR_NOT_2 = dict(zip(THREE, (50, 40, 30, 6, 3, 1), strict=True))
PAIR_WITH_2 = {
    "A": dict(zip(THREE, (100, 80, 60, 12, 6, 1), strict=True)),
    "B": dict(zip(THREE, (75, 60, 45, 10, 5, 2), strict=True)),
    "C": dict(zip(THREE, (75, 50, 40, 8, 4, 2), strict=True)),
    "D": dict(zip(THREE, (75, 50, 40, 8, 4, 1), strict=True)),
}
ALL_SIX = {
    "A": dict(zip(SIX, (1000, 200, 50, 25, 20, 10, 5), strict=True)),
    "B": dict(zip(SIX, (1000, 200, 50, 25, 15, 10, 5), strict=True)),
    "C": dict(zip(SIX, (1000, 200, 100, 20, 15, 9, 8), strict=True)),
    "D": dict(zip(SIX, (1000, 200, 100, 20, 15, 10, 7), strict=True)),
    "E": {
        "six_card_royal_diamonds": 200_000,
        "six_card_royal": 20_000,
        **dict(zip(SIX, (1000, 200, 50, 20, 15, 10, 5), strict=True)),
    },
}


def ranks(hand: list[str]) -> list[int]:
    return sorted(RANKS.index(card[0]) for card in hand)


def one_suit(hand: list[str]) -> bool:
    return len({card[1] for card in hand}) == 1


def kind(hand: list[str]) -> str:
    """679a.6(b)."""
    low, middle, high = ranks(hand)
    in_a_row = high - middle == middle - low == 1 or (low, middle, high) == (0, 1, 12)
    if one_suit(hand) and in_a_row:
        return "mini_royal" if low == RANKS.index("Q") else "straight_flush"
    if low == high:
        return "three_of_a_kind"
    if in_a_row:
        return "straight"
    if one_suit(hand):
        return "flush"
    return "pair" if middle in (low, high) else "high_card"


def strength(hand: list[str]) -> tuple[int, ...]:
    """679a.6(b) and (c), as the readings apply them: greater is better, equal is a tie."""
    of = kind(hand)
    order = [*reversed(THREE)].index(of) if of in THREE else -1
    low, middle, high = ranks(hand)
    if of in ("straight", "straight_flush", "mini_royal"):
        return order, RANKS.index("3") if (low, high) == (0, 12) else high
    if of == "pair":
        return order, middle, low if middle == high else high
    return order, high, middle, low


def qualifies(dealer: list[str]) -> bool:
    """679a.1 "Qualify"."""
    return kind(dealer) != "high_card" or ranks(dealer)[2] >= RANKS.index("Q")


def color(hand: list[str]) -> set[bool]:
    return {card[1] in "dh" for card in hand}


def six_kind(six: list[str]) -> str:
    """679a.6(d): the best of the six cards."""
    found = []
    for five in map(list, combinations(six, 5)):
        of = ranks(five)
        in_a_row = len(set(of)) == 5 and (of[4] - of[0] == 4 or of == [0, 1, 2, 3, 12])
        counts = sorted(Counter(of).values(), reverse=True)
        if in_a_row and one_suit(five):
            found.append("royal_flush" if of[0] == RANKS.index("T") else "straight_flush")
        elif counts[0] == 4:
            found.append("four_of_a_kind")
        elif counts[:2] == [3, 2]:
            found.append("full_house")
        elif one_suit(five):
            found.append("flush")
        elif in_a_row:
            found.append("straight")
        elif counts[0] == 3:
            found.append("three_of_a_kind")
    best = min(found, key=SIX.index, default="")
    if best == "royal_flush" and one_suit(six) and ranks(six)[0] == RANKS.index("9"):
        return "six_card_royal_diamonds" if six[0][1] == "d" else "six_card_royal"
    return best


Verdict = tuple[str, str, int]  # wager, result, how many times the stake is paid beside it


def verdicts(rules: dict[str, Any], seat: dict[str, Any], dealer: list[str]) -> list[Verdict]:
    """679a.11(c)(3) and (d): what becomes of each wager of a seat, in order."""
    mine, wagers = seat["cards"], seat["wagers"]
    found: list[Verdict] = []
    if seat["decision"] == "fold":
        found = [("ante", "forfeit", 0)]
    elif not qualifies(dealer):
        found = [("ante", "push", 0), ("play", "win", 1)]
    elif strength(mine) >= strength(dealer):
        found = [("ante", "win", 1), ("play", "win", PLAY[kind(mine)])]
    elif kind(mine) in BAD_BEAT["A"]:
        bonus = BAD_BEAT[rules["bad_beat"]][kind(mine)]
        found = [("ante", "lose", 0), ("play", "push", 0), ("bad_beat", "bonus", bonus)]
    else:
        found = [("ante", "lose", 0), ("play", "lose", 0)]
    if "prime" in wagers:
        times = 0
        if len(color(mine)) == 1:
            times = PRIME_PAYS["same_color_both" if color(mine) == color(dealer) else "same_color"]
        found.append(("prime", "win" if times else "lose", times))
    if "pair_bonus" in wagers:
        with_two = seat["fourth"][0] == "2"
        table = PAIR_WITH_2[rules["pair_bonus"]] if with_two else PAIR_NOT_2
        times = table.get(kind(mine), 0)
        found.append(("pair_bonus", "win" if times else "lose", times))
    if "all_six" in wagers:
        of, table = six_kind([*mine, *dealer]), ALL_SIX[rules["all_six"]]
        if of.startswith("six_card") and of not in table:
            of = "royal_flush"
        times = table.get(of, 0)
        found.append(("all_six", "win" if times else "lose", times))
    return found


_DECK = [str(card) for card in standard_deck()]
#: a short pack of hearts, diamonds and high cards makes the good hands common
_SHORT = [card for card in _DECK if card[1] == "h" or card[0] in "AKQJT9" or card in ("2d", "3d")]
_STAKES = ("0.50", "5.00", "12.50", "100.00")
OPTIONAL = ("prime", "pair_bonus", "all_six")


@st.composite
def rounds(draw: st.DrawFn, most: int = 6) -> dict[str, Any]:
    """A round of `settle`'s JSON that could have been dealt."""
    pack = draw(st.sampled_from((_DECK, _SHORT)))
    count = draw(st.integers(1, min(most, (len(pack) - 3) // 4)))
    dealt = draw(
        st.lists(st.sampled_from(pack), min_size=3 + 4 * count, max_size=3 + 4 * count, unique=True)
    )
    numbers = draw(st.lists(st.integers(1, 6), min_size=count, max_size=count, unique=True))
    seats = []
    for place, number in enumerate(numbers):
        four = dealt[3 + 4 * place : 7 + 4 * place]
        made = ["ante", *draw(st.sets(st.sampled_from(OPTIONAL)))]
        seat: dict[str, Any] = {
            "seat": number,
            "wagers": {wager: draw(st.sampled_from(_STAKES)) for wager in made},
            "cards": four[:3],
            "decision": draw(st.sampled_from(("play", "play", "fold"))),
        }
        if "pair_bonus" in made:
            seat["fourth"] = four[3]
        seats.append(seat)
    rules = {
        "bad_beat": draw(st.sampled_from("AB")),
        "prime": True,
        "pair_bonus": draw(st.sampled_from("ABCD")),
        "all_six": draw(st.sampled_from("ABCDE")),
    }
    return {
        "chapter": "pa-three-card-prime",
        "rules": rules,
        "dealer": dealt[:3],
        "seats": seats,
    }
