"""Massachusetts' Three Card Poker once more, slowly, straight from the text.

Cards are texts, tables are typed from the clauses, and nothing of the program is used: this is the
judge of `houseway.games.massachusetts`. Section 3 ranks hands as Maryland does.
"""

from collections import Counter
from fractions import Fraction

from plain_poker import RANKS, THREE_CARD, best_five, three_card

#: 11(a)(2): no posted table pays less
PAIR_PLUS = {
    "mini_royal": 35, "straight_flush": 35, "three_of_a_kind": 25, "straight": 5, "flush": 3,
    "pair": 1,
}  # fmt: skip
#: 11(a)(3), and the tables of 11(a)(3)(i); a spade that has no line pays as any other suit
ANTE_BONUS = {
    "standard": {"straight_flush": 5, "three_of_a_kind": 4, "straight": 1},
    "A": {
        "mini_royal_spades": 50, "mini_royal": 5, "straight_flush": 4, "three_of_a_kind": 3,
        "straight": 1,
    },
    "B": {"mini_royal": 50, "straight_flush": 8, "three_of_a_kind": 6},
    "C": {"mini_royal_spades": 50, "mini_royal": 10, "straight_flush": 4, "three_of_a_kind": 3},
}  # fmt: skip
#: 6(g)(4)
SIX_CARD_HANDS = (
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
    "three_of_a_kind",
)  # fmt: skip
SIX_CARD = {
    "TCP-6B1": (1000, 200, 50, 25, 20, 10, 5),
    "TCP-6B2": (1000, 200, 50, 25, 15, 10, 5),
    "TCP-6B3": (1000, 200, 100, 20, 15, 9, 8),
    "TCP-6B4": (1000, 200, 100, 20, 15, 10, 7),
}
#: 12(k): suited ace-king-queen, straight flush, three of a kind, straight
COVER_ALL_HANDS = ("mini_royal", "straight_flush", "three_of_a_kind", "straight")
COVER_ALL = {
    7: (40, 12, 9, 1),
    6: (50, 15, 12, 1),
    5: (60, 20, 15, 1),
    4: (70, 25, 20, Fraction(3, 2)),
    3: (80, 30, 25, 2),
    2: (90, 40, 35, 3),
    1: (100, 60, 50, 5),
}
#: 13: "for 1"; ace-king-queen of spades takes the meter
PROGRESSIVE = {
    "1": {"mini_royal": 500, "straight_flush": 70, "three_of_a_kind": 60, "straight": 6},
    "2": {"mini_royal": 500, "straight_flush": 100, "three_of_a_kind": 90},
    "3": {"mini_royal": 500, "straight_flush": 400, "three_of_a_kind": 30, "straight": 6},
}
ENVY = {"mini_royal_spades": 10_000, "mini_royal": 2_500}


def name(hand: list[str]) -> str:
    """What the tables call a hand, as particular as any of them is."""
    if {card[0] for card in hand} == set("AKQ") and len({card[1] for card in hand}) == 1:
        return "mini_royal_spades" if hand[0][1] == "s" else "mini_royal"
    return THREE_CARD[three_card(hand)[0]]


def line_of(table: dict[str, int], called: str) -> int | None:
    """The line of a table for a hand, or for what it falls under where it has none of its own."""
    falls_under = {"mini_royal_spades": "mini_royal", "mini_royal": "straight_flush"}
    while called not in table and called in falls_under:
        called = falls_under[called]
    return table.get(called)


Lines = Counter[tuple[str, int, str, int]]


def settle(rules: dict, dealer: list[str], seats: dict[int, dict], meter: int) -> dict[int, Lines]:
    """Every line of every seat as (wager, stake, result, paid), in no order; cents throughout."""
    queen_high = three_card(dealer) >= (0, [RANKS.index("Q")])
    shown = [dealer, *(seat["cards"] for seat in seats.values() if seat["decision"] != "forfeit")]
    highest = name(max(shown, key=three_card))
    found: dict[int, Lines] = {}
    for number, seat in seats.items():
        wagers, cards, decision = seat["wagers"], seat["cards"], seat["decision"]
        lines: Lines = Counter()
        result_of = {}

        def line(wager, stake, result, paid=0, lines=lines, result_of=result_of):
            lines[wager, stake, result, int(paid)] += 1
            result_of[wager] = result

        def by_table(wager, pays, stake, line=line):
            line(wager, stake, "win" if pays else "lose", pays * stake if pays else 0)

        in_competition = decision == "play"
        called = name(cards)
        if "ante" in wagers:
            ante = wagers["ante"]
            if not in_competition:
                line("ante", ante, "forfeit")
            elif not queen_high:
                line("ante", ante, "win", ante)
                line("play", ante, "push")
            else:
                mine, theirs = three_card(cards), three_card(dealer)
                for wager in ("ante", "play"):
                    if mine > theirs:
                        line(wager, ante, "win", ante)
                    else:
                        line(wager, ante, "push" if mine == theirs else "lose")
            bonus = line_of(ANTE_BONUS[rules["ante_bonus"]], called)
            if in_competition and bonus:
                line("ante_bonus", 0, "bonus", bonus * ante)
        for wager in ("pair_plus", "six_card_bonus", "progressive"):
            if wager in wagers and decision == "forfeit":
                line(wager, wagers[wager], "forfeit")
            elif wager == "pair_plus" and wager in wagers:
                by_table(wager, line_of(PAIR_PLUS, called), wagers[wager])
            elif wager == "six_card_bonus" and wager in wagers:
                pays = dict(zip(SIX_CARD_HANDS, SIX_CARD[rules[wager]], strict=True))
                by_table(wager, pays.get(best_five([*cards, *dealer])), wagers[wager])
            elif wager in wagers:
                stake = wagers[wager]
                if decision == "fold" and not rules["folded_hands_win_progressive"]:
                    line(wager, stake, "forfeit")
                elif called == "mini_royal_spades":
                    line(wager, stake, "win", meter - stake)
                else:
                    pays = PROGRESSIVE[rules[wager]].get(called)
                    by_table(wager, pays and pays - 1, stake)
        if "cover_all" in wagers:
            pays = dict(zip(COVER_ALL_HANDS, COVER_ALL[len(seats)], strict=True))
            by_table("cover_all", line_of(pays, highest), wagers["cover_all"])
        for wager, value in seat["coupon"].items():
            won = result_of[wager] == "win"
            line("coupon", 0, "bonus" if won else "lose", value if won else 0)
        if "progressive" in wagers:
            for other_number, other in seats.items():
                given_up = "ante" in other["wagers"] and other["decision"] != "play"
                own = other_number == number or other["player"] == seat["player"]
                award = ENVY.get(name(other["cards"]))
                if award and not own and not given_up:
                    line("envy", 0, "bonus", award)
        found[number] = lines
    return found
