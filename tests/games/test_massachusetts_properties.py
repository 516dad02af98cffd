"""What holds in every round of Massachusetts' game, and its slow twin beside it."""

from collections import Counter

import plain_massachusetts as plain
from hypothesis import given
from hypothesis import strategies as st
from massachusetts_rounds import as_written, rounds, settled
from plain_poker import DECK, three_card

from houseway import dollars
from houseway.law import MA, cites

METER = 1_234_567


@cites(MA, "3*", "6(g)*", "11*", "12(b)", "12(c)", "12(g)", "12(k)")
@cites(MA, "13(c)", "13(d)", "13(d)(a)", "13(d)(b)", "13(e)", "13(e)(a)", "13(e)(c)")
@given(rounds())
def test_every_line_is_what_the_plain_twin_says(dealt) -> None:
    rules, dealer, seats = dealt
    found = settled(rules, " ".join(dealer), as_written(seats), dollars(METER))
    expected = plain.settle(rules, dealer, seats, METER)
    for result in found.seats:
        lines = Counter((line.wager, line.stake, line.result, line.paid) for line in result.lines)
        assert lines == expected[result.seat]


@given(rounds())
def test_money_is_conserved(dealt) -> None:
    rules, dealer, seats = dealt
    found = settled(rules, " ".join(dealer), as_written(seats), dollars(METER))
    meters = sum(meter.paid for meter in found.meters.values())
    assert sum(seat.net for seat in found.seats) + found.house == meters
    staked = Counter()
    for seat in found.seats:
        for line in seat.lines:
            staked[seat.seat, line.wager] += line.stake
    for number, seat in seats.items():
        for wager, amount in seat["wagers"].items():
            assert staked[number, wager] == amount


@given(rounds(), st.randoms())
def test_the_order_in_which_seats_are_listed_does_not_matter(dealt, random) -> None:
    rules, dealer, seats = dealt
    numbers = list(seats)
    random.shuffle(numbers)
    shuffled = {number: seats[number] for number in numbers}
    first = settled(rules, " ".join(dealer), as_written(seats), dollars(METER))
    assert settled(rules, " ".join(dealer), as_written(shuffled), dollars(METER)) == first


@cites(MA, "10(c)", "10(c)(1)", "10(c)(2)")
@given(rounds())
def test_both_orders_of_settlement_pay_the_same(dealt) -> None:
    rules, dealer, seats = dealt
    by_order = [
        settled({**rules, "settlement": order}, " ".join(dealer), as_written(seats), dollars(METER))
        for order in ("by_procedure", "by_player")
    ]
    nets, other_nets = [[seat.net for seat in one.seats] for one in by_order]
    assert nets == other_nets
    assert by_order[0].meters == by_order[1].meters


@cites(MA, "3(a)")
@given(rounds(), st.permutations("cdh"))
def test_suits_other_than_spades_are_interchangeable(dealt, suits) -> None:
    rules, dealer, seats = dealt
    other = dict(zip("cdhs", [*suits, "s"], strict=True))

    def swapped(cards: list[str]) -> list[str]:
        return [card[0] + other[card[1]] for card in cards]

    turned = {n: {**seat, "cards": swapped(seat["cards"])} for n, seat in seats.items()}
    first = settled(rules, " ".join(dealer), as_written(seats), dollars(METER))
    second = settled(rules, " ".join(swapped(dealer)), as_written(turned), dollars(METER))
    assert second == first


@cites(MA, "3(c)", "11(a)(1)")
@given(st.permutations(DECK), st.sampled_from(["independent", "both_compulsory"]))
def test_a_better_hand_never_does_worse_against_the_same_dealer(pack, version) -> None:
    dealer, *hands = [pack[low : low + 3] for low in (0, 3, 6, 9)]
    wagers = {"ante": "10.00", "pair_plus": "5.00"}
    seats = {
        number: {"wagers": wagers, "cards": " ".join(hand), "decision": "play"}
        for number, hand in enumerate(hands, start=1)
    }
    found = settled({"version": version}, " ".join(dealer), seats)
    nets = [found.seat(number).net for number in seats]

    def worth(place: int) -> tuple:
        # spades may pay more than another suit of the same rank
        return three_card(hands[place]), plain.name(hands[place]) == "mini_royal_spades"

    in_order = sorted(range(3), key=worth)
    assert [nets[place] for place in in_order] == sorted(nets)
