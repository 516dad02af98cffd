"""Chapter 12 as a reader copies it from the page: the numbers, row by row, in the order printed.

Typed from the text and not from the chapter's files, so that a slip in either shows.
"""

_LETTERS = "abcdefghi"
_ROMAN = ["i", "ii", "iii", "iv", "v"]

_BONUS_HANDS = ["straight_flush", "three_of_a_kind", "straight"]
_PAIR_PLUS_HANDS = ["straight_flush", "three_of_a_kind", "straight", "flush", "pair"]
_AKQ = ["mini_royal_spades", "mini_royal"]
_FIVE_CARD_HANDS = [
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
    "three_of_a_kind",
]  # fmt: skip


def _to(hands: list[str], *numbers: int) -> dict[str, str]:
    return {hand: f"{number} to 1" for hand, number in zip(hands, numbers, strict=True)}


def _for(hands: list[str], *numbers: int) -> dict[str, str]:
    return {hand: f"{number} for 1" for hand, number in zip(hands, numbers, strict=True)}


#: by wager and table: the clause above the rows, how they are numbered, and the rows
TABLES = {
    ("ante_bonus", "A"): ("12.B(1)", _LETTERS, _to(_BONUS_HANDS, 5, 4, 1)),
    ("ante_bonus", "B"): ("12.B(2)", _LETTERS, _to(_BONUS_HANDS, 5, 3, 1)),
    ("ante_bonus", "C"): ("12.B(3)", _LETTERS, _to(_BONUS_HANDS, 4, 3, 1)),
    ("ante_bonus", "mini_royal"): (
        "12.C", "123", _to(["mini_royal", "straight_flush", "three_of_a_kind"], 50, 8, 6),
    ),
    ("pair_plus", "A"): ("12.D(1)", _LETTERS, _to(_PAIR_PLUS_HANDS, 35, 25, 6, 4, 1)),
    ("pair_plus", "B"): ("12.D(2)", _LETTERS, _to(_PAIR_PLUS_HANDS, 40, 30, 5, 4, 1)),
    ("pair_plus", "C"): ("12.D(3)", _LETTERS, _to(_PAIR_PLUS_HANDS, 40, 30, 6, 3, 1)),
    ("pair_plus", "D"): ("12.D(4)", _LETTERS, _to(_PAIR_PLUS_HANDS, 40, 30, 6, 4, 1)),
    ("pair_plus", "E"): ("12.D(5)", _LETTERS, _to(_PAIR_PLUS_HANDS, 40, 25, 6, 4, 1)),
    ("progressive", "A"): (
        "12.E(1)(a)", _ROMAN,
        {"mini_royal_spades": "100% of meter", "mini_royal": "500 for 1"}
        | _for(_BONUS_HANDS, 70, 60, 6),
    ),
    ("progressive", "B"): (
        "12.E(1)(b)", _ROMAN,
        {"mini_royal_spades": "100% of meter", "mini_royal": "500 for 1"}
        | _for(_BONUS_HANDS[:2], 100, 90),
    ),
    ("progressive", "C"): (
        "12.E(1)(c)", _ROMAN,
        {"mini_royal_spades": "100% of major", "mini_royal": "100% of minor"}
        | _for(_BONUS_HANDS, 70, 60, 6),
    ),
    ("envy", "1.00"): ("12.E(5)(a)", _ROMAN, dict(zip(_AKQ, ["$100", "$25"], strict=True))),
    ("envy", "5.00"): ("12.E(5)(b)", _ROMAN, dict(zip(_AKQ, ["$500", "$125"], strict=True))),
    ("six_card_bonus", "A"): (
        "12.F(1)", _LETTERS,
        {"super_royal_diamonds": "$1000000", "super_royal": "$100000"}
        | _to(_FIVE_CARD_HANDS, 1000, 200, 50, 20, 15, 10, 5),
    ),
    ("six_card_bonus", "B"): (
        "12.F(2)", _LETTERS,
        {"super_royal": "$100000"} | _to(_FIVE_CARD_HANDS, 1000, 200, 50, 20, 15, 10, 5),
    ),
    ("six_card_bonus", "C"): (
        "12.F(3)", _LETTERS, _to(_FIVE_CARD_HANDS, 1000, 200, 50, 25, 20, 10, 5),
    ),
    ("six_card_bonus", "D"): (
        "12.F(4)", _LETTERS, _to(_FIVE_CARD_HANDS, 1000, 200, 100, 20, 15, 9, 8),
    ),
    ("six_card_bonus", "E"): (
        "12.F(5)", _LETTERS, _to(_FIVE_CARD_HANDS, 1000, 200, 100, 20, 15, 10, 7),
    ),
    ("six_card_bonus", "F"): (
        "12.F(6)", _LETTERS, _to(_FIVE_CARD_HANDS, 1000, 200, 50, 25, 15, 10, 5),
    ),
    ("five_card_progressive", "A"): (
        "12.G(1)", _LETTERS,
        {"royal_flush": "100% of meter", "straight_flush": "10% of meter"}
        | _for(_FIVE_CARD_HANDS[2:], 300, 50, 40, 30, 9),
    ),
    ("five_card_progressive", "B"): (
        "12.G(2)", _LETTERS,
        {"royal_flush": "100% of major", "straight_flush": "100% of minor"}
        | _for(_FIVE_CARD_HANDS[2:], 300, 50, 40, 30, 9),
    ),
    ("five_card_progressive", "C"): (
        "12.G(3)", _LETTERS,
        {
            "royal_flush": "100% of mega",
            "straight_flush": "100% of major",
            "four_of_a_kind": "100% of minor",
        }
        | _for(_FIVE_CARD_HANDS[3:], 50, 40, 30, 9),
    ),
}  # fmt: skip


def rows(*wagers: str) -> list[tuple[str, str, str, str, str]]:
    """Every row of these wagers: wager, table, clause, hand, odds."""
    return [
        (wager, table, f"{above}({number})", hand, pays)
        for (wager, table), (above, numbers, printed) in TABLES.items()
        if wager in wagers
        for number, (hand, pays) in zip(numbers, printed.items(), strict=False)
    ]


def pays(wager: str, table: str, *names: str) -> str | None:
    """What a table pays for a hand that may go by several names, the highest first."""
    printed = TABLES[wager, table][2]
    return next((printed[name] for name in names if name in printed), None)
