"""Rounds of Massachusetts' game for its tests: written by hand, or drawn at random."""

from hypothesis import strategies as st
from plain_poker import DECK, RANKS, SUITS

import houseway
from houseway import Line, Refused, Settlement, dollars
from houseway.law import MA

#: ranks of which 24 cards make pairs, straights and mini royals common
HIGH = [rank + suit for rank in RANKS[-6:] for suit in SUITS]
TIED = ("ante_covers_pair_plus", "ante_covers_half_pair_plus", "both_compulsory")


#: a hand for each name a table may have
HANDS = {
    "mini_royal_spades": "As Ks Qs",
    "mini_royal": "Ah Kh Qh",
    "straight_flush": "9c 8c 7c",
    "three_of_a_kind": "8c 8d 8h",
    "straight": "9c 8d 7h",
    "flush": "Kc 8c 3c",
    "pair": "9c 9d 4h",
    "high_card": "Kc 8d 3h",
}
QUEEN_HIGH = "Qd 5h 2c"
JACK_HIGH = "Jd 5h 2c"


def played(cards: str, decision: str | None = "play", **wagers: str) -> dict:
    return {"wagers": wagers, "cards": cards, "decision": decision}


def settled(rules: dict, dealer: str, seats: dict, meter: str | None = None) -> Settlement:
    """Settle a round with the options and the rest as a rules file has them."""
    return houseway.settle(
        houseway.deal(
            houseway.choose(MA, rules),
            dealer=dealer,
            seats=seats,
            meters={"progressive": meter} if meter else None,
        )
    )


def one(wager: str, lines: tuple[Line, ...]) -> Line:
    """The only line of a wager."""
    (found,) = [line for line in lines if line.wager == wager]
    return found


def place(refusal: Refused) -> tuple[str, str | None, int | None, str | None]:
    """What a refusal says besides its sentence."""
    return refusal.code, refusal.clause, refusal.seat, refusal.field


#: rules that offer every wager, and a position with all of them
EVERYTHING = {
    "six_card_bonus": "TCP-6B1",
    "cover_all": True,
    "shuffler": "counting",
    "progressive": "1",
}
ALL_WAGERS = {
    "ante": "10.00",
    "pair_plus": "5.00",
    "six_card_bonus": "2.00",
    "cover_all": "4.00",
    "progressive": "1.00",
}


@st.composite
def choices(draw) -> dict:
    """Options under which every wager is offered."""
    version = draw(st.sampled_from(["independent", *TIED]))
    return {
        "version": version,
        "ante_bonus": "standard" if version == "independent" else draw(st.sampled_from("ABC")),
        "six_card_bonus": draw(st.sampled_from(["TCP-6B1", "TCP-6B2", "TCP-6B3", "TCP-6B4"])),
        "cover_all": True,
        "shuffler": "counting",
        "progressive": draw(st.sampled_from("123")),
        "folded_hands_win_progressive": draw(st.booleans()),
        "match_play": True,
        "settlement": draw(st.sampled_from(["by_procedure", "by_player"])),
        "adjacent_boxes": 3,
    }


@st.composite
def wagers(draw, version: str) -> dict[str, int]:
    """Wagers of one position in cents, such as the version allows."""
    whole = st.integers(1, 50).map(lambda amount: amount * 100)
    made = {}
    if version == "independent":
        names = draw(st.sampled_from([("ante",), ("pair_plus",), ("ante", "pair_plus")]))
        made = {wager: draw(whole) for wager in names}
    else:
        made["ante"] = draw(whole)
        most = {"ante_covers_pair_plus": 1, "ante_covers_half_pair_plus": 2}.get(version, 5)
        least = -(-made["ante"] // 500) * 100 if version == "both_compulsory" else 100
        if version == "both_compulsory" or draw(st.booleans()):
            made["pair_plus"] = 100 * draw(st.integers(least // 100, most * made["ante"] // 100))
    for wager in ("six_card_bonus", "cover_all", "progressive"):
        if draw(st.booleans()):
            made[wager] = draw(whole)
    return made


@st.composite
def rounds(draw) -> tuple[dict, list[str], dict[int, dict]]:
    """Options, the dealer's cards and the seats, amounts in cents."""
    rules = draw(choices())
    pack = draw(st.permutations(draw(st.sampled_from([HIGH, DECK]))))
    numbers = draw(st.lists(st.integers(1, 7), min_size=1, max_size=7, unique=True))
    seats = {}
    for place, number in enumerate(numbers, start=1):
        made = draw(wagers(rules["version"]))
        coupon = {}
        standard = draw(
            st.sampled_from([wager for wager in made if wager in ("ante", "pair_plus")])
        )
        if draw(st.booleans()):
            coupon[standard] = 100 * draw(st.integers(1, made[standard] // 100))
        seats[number] = {
            "wagers": made,
            "cards": list(pack[3 * place : 3 * place + 3]),
            "decision": draw(st.sampled_from(["play", "fold", "forfeit"]))
            if "ante" in made
            else None,
            "coupon": coupon,
            "player": f"player {number}",
        }
    if 3 in seats and 4 in seats and draw(st.booleans()):
        seats[3]["player"] = seats[4]["player"]
    return rules, list(pack[:3]), seats


def as_written(seats: dict[int, dict]) -> dict[int, dict]:
    """The same seats with amounts as they are written down."""
    return {
        number: {
            **seat,
            "wagers": {wager: dollars(amount) for wager, amount in seat["wagers"].items()},
            "coupon": {wager: dollars(amount) for wager, amount in seat["coupon"].items()},
        }
        for number, seat in seats.items()
    }
