"""What holds in every Maryland round, and the plain settlement beside the program's."""

import random
from typing import NamedTuple

import plain_maryland
import plain_poker as plain
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from maryland_table import in_cents, in_dollars, seat, settle_round, settled

from houseway.law import MD, cites

METERS = {
    ("progressive", "A"): ["progressive"],
    ("progressive", "B"): ["progressive"],
    ("progressive", "C"): ["progressive.major", "progressive.minor"],
    ("five_card_progressive", "A"): ["five_card_progressive"],
    ("five_card_progressive", "B"): [
        "five_card_progressive.major",
        "five_card_progressive.minor",
    ],
    ("five_card_progressive", "C"): [
        "five_card_progressive.mega",
        "five_card_progressive.major",
        "five_card_progressive.minor",
    ],
}
SIDES = {
    "six_card_bonus": st.sampled_from(["0.50", "1.00", "25.00"]),
    "progressive": st.sampled_from(["1.00", "5.00"]),
    "five_card_progressive": st.sampled_from(["1.00", "5.00"]),
}


#: cards that make rare hands together, in every suit
RARE_HANDS, RARE_DEALERS, RARE_COMMUNITIES = (
    [[rank + suit for rank in ranks] for ranks in of_ranks for suit in "cdhs"]
    for of_ranks in (("AKQ", "345", "89T"), ("JT9",), ("JT", "67"))
)


class Deal(NamedTuple):
    """Cards for seven seats, the dealer and the community."""

    hands: list[list[str]]
    dealer: list[str]
    community: list[str]


def _deal(seed: int, rare: bool) -> Deal:
    chance = random.Random(seed)
    left = plain.DECK.copy()
    chance.shuffle(left)

    def take(size: int, tricks: list[list[str]]) -> list[str]:
        chosen = left[:size]
        if rare and chance.random() < 0.7:
            open_tricks = [trick for trick in tricks if set(trick) <= set(left)]
            chosen = chance.choice(open_tricks) if open_tricks else chosen
        for card in chosen:
            left.remove(card)
        return chosen

    return Deal(
        community=take(2, RARE_COMMUNITIES),
        dealer=take(3, RARE_DEALERS),
        hands=[take(3, RARE_HANDS) for _ in range(7)],
    )


def deals() -> st.SearchStrategy[Deal]:
    """A shuffled deck dealt, half of the time so that rare hands are common."""
    return st.builds(_deal, st.integers(0, 2**32), st.booleans())


@st.composite
def rounds(draw, *, most_seats: int = 5, players: bool = True) -> dict:
    """A legal round with every option and wager that can go together."""
    version = draw(st.sampled_from(["independent", "both_compulsory"]))
    rules = {
        "version": version,
        "ante_bonus": draw(st.sampled_from("ABC")) if version == "independent" else "mini_royal",
        "pair_plus": draw(st.sampled_from("ABCDE")),
        "six_card_bonus": draw(st.sampled_from("ABCDEF")),
        "progressive": draw(st.sampled_from("ABC")),
        "five_card_progressive": draw(st.sampled_from("ABC")),
        "adjacent_boxes": 7,
    }
    deal = draw(deals())
    numbers = sorted(draw(st.sets(st.integers(1, 7), min_size=1, max_size=most_seats)))
    seats = []
    for number, cards in zip(numbers, deal.hands, strict=False):
        standard = {"ante", "pair_plus"}
        if version == "independent":
            standard = draw(st.sets(st.sampled_from(["ante", "pair_plus"]), min_size=1))
        sides = draw(st.sets(st.sampled_from(list(SIDES))))
        wagers = dict.fromkeys(sorted(standard), draw(st.sampled_from(["0.50", "5.00", "12.50"])))
        wagers |= {side: draw(SIDES[side]) for side in sorted(sides)}
        decision = draw(st.sampled_from(["play", "fold"])) if "ante" in standard else None
        seats.append(
            {
                "seat": number,
                "player": "",
                "wagers": wagers,
                "decision": decision,
                "cards": cards,
            }
        )
    if (
        players
        and len(seats) > 1
        and seats[1]["seat"] - seats[0]["seat"] == 1
        and draw(st.booleans())
    ):
        seats[0]["player"] = seats[1]["player"] = "Ada"
    wanted = any("five_card_progressive" in seat["wagers"] for seat in seats)
    names = [
        name
        for wager in ("progressive", "five_card_progressive")
        for name in METERS[wager, rules[wager]]
    ]
    return {
        "chapter": MD,
        "rules": rules,
        "dealer": deal.dealer,
        "community": deal.community if wanted else [],
        "meters": {name: in_dollars(draw(st.integers(100_000, 10**8))) for name in names},
        "seats": draw(st.permutations(seats)),
    }


@cites(MD, "11.C", "11.C(1)", "11.C(2)", "11.C(3)")
@cites(MD, "11.D", "11.D(3)", "11.D(3)(b)", "11.D(3)(c)", "11.D(3)(d)")
@cites(MD, "11.D(3)(d)(i)", "11.D(3)(d)(ii)", "11.D(3)(d)(iii)", "11.D(4)", "11.D(5)", "11.D(6)")
@cites(MD, "11.D(7)(d)", "11.D(7)(e)", "11.D(7)(e)(i)", "11.D(7)(e)(ii)", "11.D(7)(e)(iii)")
@cites(MD, "11.D(8)", "11.D(8)(a)", "11.D(8)(b)", "11.D(8)(c)", "11.D(8)(d)")
@cites(MD, "11.D(9)", "11.D(9)(a)", "11.D(9)(c)", "11.D(9)(f)")
@cites(MD, "12.A", "12.B", "12.C", "12.D", "12.E", "12.E(2)", "12.E(4)", "12.E(5)", "12.F", "12.G")
@given(rounds())
def test_the_plain_settlement_agrees(round: dict) -> None:
    lines, meters = plain_maryland.settle(round)
    found = settle_round(round)
    for number, plainly in lines.items():
        settled_lines = [
            (line["wager"], line["result"], in_cents(line["paid"])) for line in found.lines(number)
        ]
        # envy bonuses of one seat come in no order that the text prescribes
        assert sorted(settled_lines) == sorted(plainly)
        assert [line[0] for line in settled_lines] == [line[0] for line in plainly]
    assert {
        name: [in_cents(meter["paid"]), in_cents(meter["shows"])]
        for name, meter in found.meters.items()
    } == meters


@cites(MD, "11.D")
@given(rounds())
def test_money_is_conserved(round: dict) -> None:
    """What players are up, the house and the meters are down, counted from the lines."""
    found = settle_round(round)
    house = 0
    from_meters = 0
    for at in found.result["seats"]:
        net = 0
        for line in at["lines"]:
            stake, paid = in_cents(line["stake"]), in_cents(line["paid"])
            if line["result"] in {"lose", "forfeit"}:
                assert paid == 0
                net -= stake
                house += stake
            elif "%" in line.get("odds", ""):
                net += paid
                house += stake
                from_meters += paid + stake
            else:
                assert paid >= 0
                net += paid
                house -= paid
        assert in_cents(at["net"]) == net
    assert in_cents(found.house) == house
    assert sum(in_cents(meter["paid"]) for meter in found.meters.values()) == from_meters
    nets = sum(in_cents(at["net"]) for at in found.result["seats"])
    assert nets + house - from_meters == 0


@pytest.mark.slow
@cites(MD, "11.D(3)")
@given(rounds(), st.randoms(use_true_random=False))
def test_the_order_in_which_seats_are_listed_does_not_matter(round: dict, chance) -> None:
    listed = list(round["seats"])
    chance.shuffle(listed)
    assert settle_round(round | {"seats": listed}).result == settle_round(round).result


@cites(MD, "6.C")
@given(rounds(), st.permutations("cdhs"))
def test_suits_can_be_exchanged_where_they_are_equal(round: dict, suits) -> None:
    """Spades matter to the progressive and diamonds to Six Card Bonus A; nothing else does."""
    rename = dict(zip("cdhs", suits, strict=True))

    def renamed(cards: list[str]) -> list[str]:
        return [card[0] + rename[card[1]] for card in cards]

    plain_rules = round["rules"] | {"six_card_bonus": "B", "progressive": "none"}
    meters = {name: amount for name, amount in round["meters"].items() if name.startswith("five")}
    seats = [
        at | {"wagers": {id: sum_ for id, sum_ in at["wagers"].items() if id != "progressive"}}
        for at in round["seats"]
    ]
    before = round | {"rules": plain_rules, "meters": meters, "seats": seats}
    after = before | {
        "dealer": renamed(round["dealer"]),
        "community": renamed(round["community"]),
        "seats": [at | {"cards": renamed(at["cards"])} for at in seats],
    }
    assert settle_round(after).result == settle_round(before).result


@cites(MD, "11.D(3)(d)", "12.B", "12.C")
@given(deals(), st.sampled_from(["A", "B", "C", "mini_royal"]))
def test_a_better_hand_never_does_worse_with_ante_and_play(deal: Deal, bonus: str) -> None:
    one, other = deal.hands[:2]
    assume(plain.three_card(one) != plain.three_card(other))
    lower, higher = sorted((one, other), key=plain.three_card)
    version = "independent" if bonus in "ABC" else "ante_covers_pair_plus"
    found = settled(
        seat(1, " ".join(lower), "play", ante="10.00"),
        seat(2, " ".join(higher), "play", ante="10.00"),
        dealer=" ".join(deal.dealer),
        version=version,
        ante_bonus=bonus,
    )
    assert in_cents(found.net(1)) <= in_cents(found.net(2))


@cites(MD, "7.F(4)(a)", "7.F(5)(b)")
@given(rounds(most_seats=4))
def test_a_seat_without_progressives_does_not_notice_the_others(round: dict) -> None:
    quiet = [at for at in round["seats"] if not any("progressive" in id for id in at["wagers"])]
    assume(quiet)
    whole = settle_round(round)
    for at in quiet:
        alone = settle_round(round | {"seats": [at], "community": []})
        assert alone.lines(at["seat"]) == whole.lines(at["seat"])


@cites(MD, "11.C(1)", "11.C(2)", "11.C(3)")
@given(rounds())
def test_a_fold_costs_exactly_what_chapter_11_says(round: dict) -> None:
    found = settle_round(round)
    for at in round["seats"]:
        lost = {line["wager"] for line in found.lines(at["seat"]) if line["result"] == "forfeit"}
        takes = {"ante", "pair_plus", "progressive", "five_card_progressive"} & set(at["wagers"])
        assert lost == (takes if at["decision"] == "fold" else set())


@cites(MD, "11.F(2)")
@given(deals(), st.lists(st.sampled_from(["play", "fold"]), min_size=3, max_size=3))
def test_the_electronic_version_settles_each_hand_as_an_ordinary_one(
    deal: Deal, decisions: list[str]
) -> None:
    dealer, nine = deal.dealer, [card for hand in deal.hands[:3] for card in hand]
    rules = {"six_card_bonus": "A", "ante_bonus": "B"}
    wagers = {"ante": "10.00", "pair_plus": "5.00", "six_card_bonus": "1.00"}
    ordinary = settled(
        *(
            seat(number, " ".join(nine[3 * number - 3 : 3 * number]), decision, **wagers)
            for number, decision in enumerate(decisions, 1)
        ),
        dealer=" ".join(dealer),
        **rules,
    )
    hands = [
        {"hand": number, "decision": decision, "wagers": wagers}
        for number, decision in enumerate(decisions, 1)
    ]
    electronic = settled(
        {"seat": 5, "hands": hands},
        dealer=" ".join(dealer),
        community=" ".join(nine),
        electronic=True,
        **rules,
    )
    for number in (1, 2, 3):
        lines = [line for line in electronic.lines(5) if line["hand"] == number]
        assert lines == [line | {"hand": number} for line in ordinary.lines(number)]
    assert electronic.house == ordinary.house
