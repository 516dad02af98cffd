"""Meters paid in turn, shares of a meter, and who envies whom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from maryland_table import FIVE, THREE, in_cents, in_dollars, refused, seat, settled

from houseway.errors import Refused
from houseway.law import MD, choose, cites

SPADES, DIAMONDS, HEARTS = "As Ks Qs", "Ad Kd Qd", "Ah Kh Qh"
NOTHING = THREE["high_card"]
AMOUNTS = st.integers(min_value=100_000, max_value=99_999_999)


def wagering(number: int, hand: str, stake: str = "1.00", **more: str) -> dict:
    return seat(number, hand, pair_plus="5.00", progressive=stake, **more)


@cites(MD, "12.E(1)", "11.D(7)(d)")
@pytest.mark.parametrize("stake", ["1.00", "5.00"])
def test_the_meter_is_paid_whole_whatever_the_stake(stake: str) -> None:
    found = settled(wagering(3, SPADES, stake), progressive="A", meters={"progressive": "23456.78"})
    assert found.meters == {"progressive": {"paid": "23456.78", "shows": "1000.00"}}
    # the wager was dropped before the deal, so the player is up by the meter less the stake
    assert found.line(3, "progressive")["paid"] == in_dollars(2345678 - in_cents(stake))


@cites(MD, "12.E(4)", "11.D(3)")
@given(AMOUNTS, AMOUNTS)
def test_the_second_in_turn_is_paid_what_the_first_left(shows: int, reset: int) -> None:
    """Seat 5 sits nearer the dealer's right than seat 2, so it is paid first."""
    found = settled(
        wagering(2, HEARTS, "5.00"),
        wagering(5, DIAMONDS, "1.00"),
        progressive="C",
        meters={"progressive.major": "8000.00", "progressive.minor": in_dollars(shows)},
        terms={"progressive.minor": {"rate": "5%", "reset": in_dollars(reset)}},
    )
    assert in_cents(found.line(5, "progressive")["paid"]) == shows - 100
    assert in_cents(found.line(2, "progressive")["paid"]) == reset - 500
    assert found.meters["progressive.minor"] == {
        "paid": in_dollars(shows + reset),
        "shows": in_dollars(reset),
    }
    assert found.meters["progressive.major"] == {"paid": "0.00", "shows": "8000.00"}


@cites(MD, "12.E(4)")
def test_a_meter_that_is_not_given_shows_its_reset_amount() -> None:
    seats = [wagering(1, SPADES)]
    assert settled(*seats, progressive="A").line(1, "progressive")["paid"] == "999.00"
    own = {"progressive": {"reset": "2500.00"}}
    found = settled(*seats, progressive="A", terms=own)
    assert found.meters == {"progressive": {"paid": "2500.00", "shows": "2500.00"}}


@cites(MD, "12.E(1)(c)", "12.E(1)(c)(i)", "12.E(1)(c)(ii)", "12.E(2)")
def test_spades_take_the_major_only() -> None:
    found = settled(
        wagering(2, SPADES),
        progressive="C",
        meters={"progressive.major": "8000.00", "progressive.minor": "2000.00"},
    )
    assert found.meters == {
        "progressive.major": {"paid": "8000.00", "shows": "1000.00"},
        "progressive.minor": {"paid": "0.00", "shows": "2000.00"},
    }
    assert len(found.lines(2, "progressive")) == 1


@cites(MD, "12.E(2)", "11.D(5)", "11.D(6)")
@pytest.mark.parametrize("table", "ABC")
def test_a_hand_is_paid_once_for_the_highest_it_is(table: str) -> None:
    """A straight flush is a straight too."""
    found = settled(wagering(2, THREE["straight_flush"]), progressive=table, dealer="Ks Kd Kc")
    assert found.line(2, "progressive")["odds"] == ("100 for 1" if table == "B" else "70 for 1")


@cites(MD, "11.C(2)", "12.E(4)")
def test_a_folded_hand_leaves_the_meter_to_the_next() -> None:
    found = settled(
        seat(6, DIAMONDS, "fold", ante="10.00", progressive="5.00"),
        wagering(1, HEARTS),
        progressive="C",
        meters={"progressive.minor": "3000.00"},
    )
    assert found.line(6, "progressive")["result"] == "forfeit"
    assert found.line(1, "progressive")["paid"] == "2999.00"


@cites(MD, "12.G(1)(b)", "12.G")
@given(AMOUNTS)
def test_ten_percent_is_rounded_down_and_the_rest_stays(shows: int) -> None:
    """Two straight flushes through one community: 3-4-5 and 8-9-T of spades about 6-7."""
    found = settled(
        seat(4, "3s 4s 5s", pair_plus="5.00", five_card_progressive="1.00"),
        seat(2, "8s 9s Ts", pair_plus="5.00", five_card_progressive="1.00"),
        dealer="Qc 8d 3d",
        community="6s 7s",
        five_card_progressive="A",
        meters={"five_card_progressive": in_dollars(shows)},
    )
    first = shows // 10
    second = (shows - first) // 10
    assert in_cents(found.line(4, "five_card_progressive")["paid"]) == first - 100
    assert in_cents(found.line(2, "five_card_progressive")["paid"]) == second - 100
    assert found.meters["five_card_progressive"] == {
        "paid": in_dollars(first + second),
        "shows": in_dollars(shows - first - second),
    }


@cites(MD, "12.G(1)(a)", "12.G(1)(b)", "11.D(3)", "12.E(4)")
@pytest.mark.parametrize(
    ("royal", "other", "royal_paid", "other_paid"),
    [
        (6, 1, 50_000_00, 100_00),  # the royal first: ten percent of the reset amount is left
        (1, 6, 45_000_00, 5_000_00),  # the other first: the royal takes what is left
    ],
)
def test_the_order_of_settlement_decides_over_the_meter(
    royal: int, other: int, royal_paid: int, other_paid: int
) -> None:
    found = settled(
        seat(royal, "As Ks Qs", pair_plus="5.00", five_card_progressive="5.00"),
        seat(other, "7s 8s 9s", pair_plus="5.00", five_card_progressive="1.00"),
        dealer="Qc 8d 3d",
        community="Ts Js",
        five_card_progressive="A",
        meters={"five_card_progressive": "50000.00"},
    )
    assert in_cents(found.line(royal, "five_card_progressive")["paid"]) == royal_paid - 500
    assert in_cents(found.line(other, "five_card_progressive")["paid"]) == other_paid - 100


@cites(MD, "12.G(2)(b)", "12.G(3)(b)")
@pytest.mark.parametrize(("table", "meter"), [("B", "minor"), ("C", "major")])
def test_a_meter_of_the_five_card_progressive_is_emptied_once(table: str, meter: str) -> None:
    found = settled(
        seat(4, "3s 4s 5s", pair_plus="5.00", five_card_progressive="1.00"),
        seat(2, "8s 9s Ts", pair_plus="5.00", five_card_progressive="1.00"),
        dealer="Qc 8d 3d",
        community="6s 7s",
        five_card_progressive=table,
        meters={f"five_card_progressive.{meter}": "9000.00"},
    )
    assert found.line(4, "five_card_progressive")["paid"] == "8999.00"
    assert found.line(2, "five_card_progressive")["paid"] == "999.00"


@cites(MD, "12.E(4)")
def test_both_progressives_keep_meters_of_their_own() -> None:
    found = settled(
        wagering(1, SPADES, "1.00", five_card_progressive="1.00"),
        dealer="Qc 8d 3d",
        community="Js Ts",
        progressive="A",
        five_card_progressive="A",
        meters={"progressive": "2000.00", "five_card_progressive": "3000.00"},
    )
    assert found.meters == {
        "progressive": {"paid": "2000.00", "shows": "1000.00"},
        "five_card_progressive": {"paid": "3000.00", "shows": "1000.00"},
    }


class TestEnvy:
    """Which players are paid for which hands."""

    @cites(MD, "11.D(7)(e)", "11.D(7)(e)(i)", "12.E(5)")
    def test_it_follows_the_stake_of_the_player_who_receives_it(self) -> None:
        found = settled(
            wagering(1, "2c 7d Ts", "1.00"),
            wagering(2, "2d 7c Th", "5.00"),
            wagering(3, SPADES, "5.00"),
            progressive="A",
        )
        assert found.line(1, "envy")["paid"] == "100.00"
        assert found.line(2, "envy")["paid"] == "500.00"

    @cites(MD, "11.D(7)(e)(i)", "1.B(2)")
    def test_only_players_with_the_wager_have_it_but_the_holder_needs_none(self) -> None:
        found = settled(
            wagering(1, NOTHING),
            seat(2, "2d 7c Th", pair_plus="5.00"),
            seat(3, HEARTS, pair_plus="5.00"),
            progressive="A",
        )
        assert found.line(1, "envy")["paid"] == "25.00"
        assert found.lines(2, "envy") == found.lines(3, "envy") == []

    @cites(MD, "11.D(7)(e)(ii)", "11.D(7)(e)(iii)")
    def test_one_for_each_other_holder_and_none_for_ones_own_hand(self) -> None:
        found = settled(
            wagering(1, SPADES),
            wagering(2, HEARTS),
            wagering(3, DIAMONDS),
            wagering(4, NOTHING),
            progressive="B",
        )
        paid = {
            number: sorted(line["paid"] for line in found.lines(number, "envy"))
            for number in (1, 2, 3, 4)
        }
        assert paid == {
            1: ["25.00", "25.00"],
            2: ["100.00", "25.00"],
            3: ["100.00", "25.00"],
            4: ["100.00", "25.00", "25.00"],
        }

    @cites(MD, "11.D(7)(e)(iii)", "1.B(3)")
    def test_none_for_the_dealers_hand(self) -> None:
        found = settled(wagering(1, NOTHING), dealer=SPADES, progressive="A")
        assert found.lines(1, "envy") == []

    @cites(MD, "11.C(2)")
    def test_a_player_who_folds_keeps_it(self) -> None:
        found = settled(
            seat(1, NOTHING, "fold", ante="10.00", progressive="5.00"),
            wagering(2, HEARTS),
            progressive="A",
        )
        assert found.line(1, "progressive")["result"] == "forfeit"
        assert found.line(1, "envy")["paid"] == "125.00"

    @cites(MD, "11.D(7)(e)(i)", "11.D(7)(e)(iii)")
    def test_a_hand_that_was_folded_earns_nobody_anything(self) -> None:
        found = settled(
            wagering(1, NOTHING),
            seat(2, SPADES, "fold", ante="10.00", progressive="1.00"),
            progressive="A",
        )
        assert found.lines(1, "envy") == found.lines(2, "envy") == []

    @cites(MD, "11.D(7)(e)(iii)")
    def test_none_from_a_second_box_of_ones_own(self) -> None:
        found = settled(
            wagering(1, NOTHING, player="Ada"),
            wagering(2, HEARTS, player="Ada"),
            wagering(3, "2d 7c Th", player="Ben"),
            progressive="A",
            adjacent_boxes=2,
        )
        assert found.lines(1, "envy") == found.lines(2, "envy") == []
        assert found.line(3, "envy")["paid"] == "25.00"

    @cites(MD, "11.D(7)(e)(i)")
    def test_two_boxes_with_the_wager_have_one_each(self) -> None:
        found = settled(
            wagering(1, NOTHING, "1.00", player="Ada"),
            wagering(2, "2d 7c Th", "5.00", player="Ada"),
            wagering(3, HEARTS, player="Ben"),
            progressive="A",
            adjacent_boxes=2,
        )
        assert found.line(1, "envy")["paid"] == "25.00"
        assert found.line(2, "envy")["paid"] == "125.00"

    @cites(MD, "1.B(3)", "11.D(7)(e)(i)")
    @pytest.mark.parametrize("hand", ["straight_flush", "three_of_a_kind", "straight"])
    def test_no_lesser_hand_is_envied(self, hand: str) -> None:
        found = settled(wagering(1, NOTHING), wagering(2, THREE[hand]), progressive="A")
        assert found.lines(1, "envy") == []


AWARDS = {
    "royal_flush": {"1.00": "1000.00", "5.00": "5000.00"},
    "straight_flush": {"1.00": "$250"},
}


class TestFiveCardEnvy:
    """11.D(9): its amounts are the operator's, or there are none."""

    @staticmethod
    def seats(hand: str) -> list[dict]:
        def side(number: int, cards: str, stake: str) -> dict:
            return seat(number, cards, pair_plus="5.00", five_card_progressive=stake)

        return [side(1, "2c 7d Th", "1.00"), side(2, "2d 7c Tc", "5.00"), side(4, hand, "1.00")]

    def settled(self, hand: str, *more: dict, **rules):
        mine, community = FIVE[hand]
        return settled(
            *self.seats(mine),
            *more,
            dealer="Qc 3s 3d",
            community=community,
            **{"five_card_progressive": "A", "five_card_envy": AWARDS} | rules,
        )

    @cites(MD, "11.D(9)(g)")
    def test_none_unless_the_rules_name_the_amounts(self) -> None:
        found = self.settled("royal_flush", five_card_envy="none")
        assert [found.lines(number, "envy") for number in (1, 2, 4)] == [[], [], []]

    @cites(MD, "11.D(9)(g)", "11.D(9)(h)", "11.D(9)(j)")
    def test_named_amounts_go_to_the_others_with_the_wager(self) -> None:
        found = self.settled("royal_flush", seat(5, "2h 7h Td", pair_plus="5.00"))
        assert found.line(1, "envy")["paid"] == "1000.00"
        assert found.line(1, "envy")["clause"] == "11.D(9)(g)"
        assert found.line(2, "envy")["paid"] == "5000.00"
        assert found.lines(4, "envy") == found.lines(5, "envy") == []

    @cites(MD, "11.D(9)(g)")
    def test_a_hand_or_a_stake_without_an_amount_has_none(self) -> None:
        found = self.settled("straight_flush")
        assert found.line(1, "envy")["paid"] == "250.00"
        assert found.lines(2, "envy") == []
        assert self.settled("four_of_a_kind").lines(1, "envy") == []

    @cites(MD, "11.D(9)(i)")
    def test_one_for_each_other_holder(self) -> None:
        found = settled(
            seat(1, "2c 7d Th", pair_plus="5.00", five_card_progressive="1.00"),
            seat(2, "3s 4s 5s", pair_plus="5.00"),
            seat(3, "8s 9s Ts", pair_plus="5.00", five_card_progressive="1.00"),
            dealer="Qc 8d 3d",
            community="6s 7s",
            five_card_progressive="A",
            five_card_envy=AWARDS,
        )
        assert [line["paid"] for line in found.lines(1, "envy")] == ["250.00", "250.00"]
        assert [line["paid"] for line in found.lines(3, "envy")] == ["250.00"]

    @cites(MD, "11.D(9)(j)", "11.D(9)(h)")
    def test_none_from_a_second_box_of_ones_own_nor_from_a_folded_hand(self) -> None:
        def boxes(player: str, decision: str) -> object:
            return settled(
                seat(1, "2c 7d Th", pair_plus="5.00", five_card_progressive="1.00", player="Ada"),
                seat(2, "As Ks Qs", decision, ante="5.00", player=player),
                dealer="Qc 8d 3d",
                community="Js Ts",
                five_card_progressive="A",
                five_card_envy=AWARDS,
                adjacent_boxes=2,
            ).lines(1, "envy")

        assert boxes("Ada", "play") == []
        assert boxes("Ben", "fold") == []
        assert len(boxes("Ben", "play")) == 1

    @cites(MD, "11.C(2)")
    def test_a_player_who_folds_keeps_it(self) -> None:
        found = settled(
            seat(1, "2c 7d Th", "fold", ante="5.00", five_card_progressive="1.00"),
            seat(2, "As Ks Qs", pair_plus="5.00"),
            dealer="Qc 8d 3d",
            community="Js Ts",
            five_card_progressive="A",
            five_card_envy=AWARDS,
        )
        assert found.line(1, "envy")["paid"] == "1000.00"

    @cites(MD, "11.D(9)(g)")
    @pytest.mark.parametrize(
        "awards",
        [
            {"royal_flush": "1000.00"},
            {"royal_flush": {}},
            {"royal_flush": {"1.00": "1000 to 1"}},
            {"royal_flush": {"1.00": 1000}},
            {"royal_flush": {"one": "1000.00"}},
            {"royal": {"1.00": "1000.00"}},
            "1000.00",
        ],
    )
    def test_awards_that_are_none_are_refused(self, awards) -> None:
        with pytest.raises(Refused) as caught:
            choose(MD, {"five_card_progressive": "A", "five_card_envy": awards})
        assert caught.value.field.startswith("rules.five_card_envy")


@cites(MD, "7.F(6)", "8.E(2)", "9.C(4)", "10.B(6)")
@pytest.mark.parametrize("community", ["", "Js", "Js Ts", "Js Ts 9s"])
@pytest.mark.parametrize("wagers", [{"five_card_progressive": "1.00"}, {}])
def test_two_community_cards_are_dealt_when_somebody_wagers(wagers: dict, community: str) -> None:
    whole = {"community": community, "five_card_progressive": "A"}
    at = seat(1, NOTHING.replace("Ts", "Th"), pair_plus="5.00", **wagers)
    if len(community.split()) == (2 if wagers else 0):
        assert settled(at, **whole).line(1, "pair_plus")["stake"] == "5.00"
    else:
        refusal = refused(at, **whole)
        assert (refusal.code, refusal.field) == ("wrong_number_of_cards", "community")
