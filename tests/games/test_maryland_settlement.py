"""Chapter 11: against the dealer, folded, and in which order, branch by branch."""

import pytest
from maryland_table import (
    FIVE,
    JACK_HIGH,
    QUEEN_HIGH,
    SIX,
    THREE,
    refused,
    seat,
    settled,
)

from houseway.law import MD, cites

EVERYTHING = {
    "ante": "10.00",
    "pair_plus": "5.00",
    "six_card_bonus": "2.00",
    "progressive": "1.00",
    "five_card_progressive": "5.00",
}
OFFERED = {"six_card_bonus": "C", "progressive": "A", "five_card_progressive": "A"}


def results(found, number: int) -> dict[str, tuple[str, str]]:
    return {line["wager"]: (line["result"], line["clause"]) for line in found.lines(number)}


@cites(MD, "11.D(3)(c)", "12.A")
@pytest.mark.parametrize("hand", ["high_card", "pair"])
def test_a_dealer_below_queen_high_pays_the_ante_and_returns_the_play(hand: str) -> None:
    found = settled(seat(1, THREE[hand], "play", ante="10.00"), dealer=JACK_HIGH)
    assert [
        (line["wager"], line["result"], line["paid"], line["clause"]) for line in found.lines(1)
    ] == [
        ("ante", "win", "10.00", "11.D(3)(c)"),
        ("play", "push", "0.00", "11.D(3)(c)"),
    ]
    assert found.net(1) == "10.00"
    assert found.house == "-10.00"


@cites(MD, "11.D(3)(c)", "11.D(3)(d)")
@pytest.mark.parametrize(
    ("dealer", "plays"),
    [
        ("Js Th 8d", False),  # the best hand that does not play
        ("5s 3h 2d", False),
        ("Qs 3h 2d", True),  # the worst that does
        ("Ks 3h 2d", True),
        ("As 4h 2d", True),
        ("2s 2h 3d", True),
        ("5h 3h 2h", True),
        ("4s 3h 2d", True),
        ("2s 2h 2d", True),
    ],
)
def test_from_which_hand_on_the_dealer_plays(dealer: str, plays: bool) -> None:
    found = settled(seat(1, "Ac Kc Qc", "play", ante="10.00"), dealer=dealer)
    assert found.line(1, "play")["result"] == ("win" if plays else "push")
    assert found.line(1, "ante")["result"] == "win"


@cites(MD, "11.D(3)(d)", "11.D(3)(d)(i)", "11.D(3)(d)(ii)", "11.D(3)(d)(iii)", "6.E(2)")
@pytest.mark.parametrize(
    ("mine", "result", "clause", "net"),
    [
        ("Qd 8c 2s", "lose", "11.D(3)(d)(i)", "-20.00"),
        ("Js Th 9s", "win", "11.D(3)(d)(ii)", "30.00"),  # a straight: ten of bonus too
        ("Qd 8c 4s", "win", "11.D(3)(d)(ii)", "20.00"),
        ("Qd 8c 3s", "push", "11.D(3)(d)(iii)", "0.00"),
    ],
)
def test_a_dealer_who_plays_is_compared_with(mine: str, result: str, clause: str, net: str) -> None:
    found = settled(seat(1, mine, "play", ante="10.00"), dealer=QUEEN_HIGH)
    assert results(found, 1)["ante"] == (result, clause)
    assert results(found, 1)["play"] == (result, clause)
    assert found.net(1) == net


@cites(MD, "12.B", "12.C", "11.D(3)(d)(ii)")
@pytest.mark.parametrize(
    ("version", "mine", "dealer", "result", "paid"),
    [
        ("independent", "4c 5d 6s", "Jc 8s 3d", "push", "10.00"),  # the dealer does not play
        ("independent", "4c 5d 6s", "Qc 8s 3d", "win", "10.00"),
        ("independent", "4c 5d 6s", "6c 5s 4h", "push", "10.00"),  # a tie
        ("independent", "4c 5d 6s", "Ks Kd Kh", "lose", "10.00"),
        ("both_compulsory", "7c 7d 7h", "Jc 8s 3d", "push", "60.00"),
        ("both_compulsory", "7c 7d 7h", "Qc 8s 3d", "win", "60.00"),
        ("both_compulsory", "7c 7d 7h", "Ks Kd Kh", "lose", "60.00"),
        ("both_compulsory", "7c 8c 9c", "7d 8d 9d", "push", "80.00"),  # a tie
    ],
)
def test_the_ante_bonus_is_paid_whatever_the_dealer_holds(
    version: str, mine: str, dealer: str, result: str, paid: str
) -> None:
    found = settled(
        seat(1, mine, "play", ante="10.00", pair_plus="5.00"), dealer=dealer, version=version
    )
    assert found.line(1, "play")["result"] == result
    assert found.line(1, "ante_bonus")["paid"] == paid


@cites(MD, "12.B", "11.C")
def test_no_ante_bonus_without_a_play_wager() -> None:
    found = settled(
        seat(1, THREE["straight_flush"], "fold", ante="10.00"),
        seat(2, THREE["three_of_a_kind"], pair_plus="5.00"),
    )
    assert found.lines(1, "ante_bonus") == found.lines(2, "ante_bonus") == []
    assert found.net(1) == "-10.00"


@cites(MD, "11.C", "11.C(1)", "11.C(2)", "11.C(3)")
def test_a_fold_takes_ante_pair_plus_and_progressives_but_not_the_six_card_bonus() -> None:
    mine, community = FIVE["royal_flush"]
    found = settled(
        seat(3, mine, "fold", **EVERYTHING),
        dealer="9s 8s 2d",
        community=community,
        **OFFERED,
    )
    assert results(found, 3) == {
        "ante": ("forfeit", "11.B"),
        "pair_plus": ("forfeit", "11.C(1)"),
        "progressive": ("forfeit", "11.C(2)"),
        "five_card_progressive": ("forfeit", "11.C(2)"),
        "six_card_bonus": ("win", "12.F(3)(e)"),
    }
    assert found.net(3) == "19.00"  # 20 to 1 on two dollars, less 10 + 5 + 1 + 5
    assert all(meter["paid"] == "0.00" for meter in found.meters.values())


@cites(MD, "11.C(3)")
def test_the_six_card_bonus_survives_a_fold_without_pair_plus() -> None:
    mine, dealer = SIX["four_of_a_kind"]
    found = settled(
        seat(3, mine, "fold", ante="10.00", six_card_bonus="2.00"),
        dealer=dealer,
        six_card_bonus="D",
    )
    assert results(found, 3) == {
        "ante": ("forfeit", "11.B"),
        "six_card_bonus": ("win", "12.F(4)(c)"),
    }


@cites(MD, "11.C(3)", "11.D(8)(a)")
def test_a_six_card_bonus_that_survives_a_fold_can_still_lose() -> None:
    found = settled(
        seat(3, "2c 7d Ts", "fold", ante="10.00", six_card_bonus="2.00"), six_card_bonus="D"
    )
    assert found.line(3, "six_card_bonus")["result"] == "lose"
    assert found.net(3) == "-12.00"


@cites(MD, "7.F(2)", "11.D(4)")
@pytest.mark.parametrize(
    ("dealer", "result"), [("Ks Kd Kh", "lose"), (JACK_HIGH, "win"), (QUEEN_HIGH, "win")]
)
def test_pair_plus_is_paid_whatever_happens_against_the_dealer(dealer: str, result: str) -> None:
    found = settled(seat(1, THREE["pair"], "play", ante="10.00", pair_plus="5.00"), dealer=dealer)
    assert found.line(1, "ante")["result"] == result
    assert found.line(1, "pair_plus")["paid"] == "5.00"
    assert found.line(1, "pair_plus")["clause"] == "12.D(1)(e)"


@cites(MD, "11.D(6)", "11.D(8)(a)", "11.D(9)(a)")
def test_side_wagers_are_paid_whatever_happens_to_the_ante() -> None:
    """Three fours lose to three kings and still win every wager that looks at the fours."""
    found = settled(
        seat(1, "4c 4d 4h", "play", **EVERYTHING), dealer="Ks Kd Kh", community="4s 9d", **OFFERED
    )
    assert results(found, 1) == {
        "ante": ("lose", "11.D(3)(d)(i)"),
        "play": ("lose", "11.D(3)(d)(i)"),
        "ante_bonus": ("bonus", "12.B(1)(b)"),
        "pair_plus": ("win", "12.D(1)(b)"),
        "progressive": ("win", "12.E(1)(a)(iv)"),
        "six_card_bonus": ("win", "12.F(3)(d)"),  # two threes of a kind are a full house
        "five_card_progressive": ("win", "12.G(1)(c)"),
    }


@cites(MD, "11.D(3)", "11.D(4)", "11.D(5)", "11.D(8)", "11.D(9)")
def test_a_players_wagers_are_settled_in_the_order_of_the_text() -> None:
    found = settled(
        seat(1, THREE["straight"], "play", **dict(reversed(EVERYTHING.items()))),
        seat(2, THREE["mini_royal"], pair_plus="5.00"),
        community="2c 3c",
        **OFFERED,
    )
    assert [line["wager"] for line in found.lines(1)] == [
        "ante",
        "play",
        "ante_bonus",
        "pair_plus",
        "progressive",
        "envy",
        "six_card_bonus",
        "five_card_progressive",
    ]


@cites(MD, "11.D(8)(b)", "11.D(8)(d)")
def test_the_six_card_bonus_uses_the_dealers_cards_too() -> None:
    """Neither side has a flush of its own."""
    mine, dealer = SIX["flush"]
    found = settled(
        seat(1, mine, pair_plus="5.00", six_card_bonus="1.00"), dealer=dealer, six_card_bonus="A"
    )
    assert found.line(1, "six_card_bonus")["clause"] == "12.F(1)(g)"


@cites(MD, "11.D(9)(c)")
def test_the_five_card_progressive_uses_all_three_of_the_players_cards_and_both_others() -> None:
    """Four to a flush with one card of another suit is none, though the dealer has a fifth."""
    found = settled(
        seat(1, "2h 5h 9c", pair_plus="5.00", five_card_progressive="1.00"),
        dealer="Ah Qd 3c",
        community="Jh Kh",
        five_card_progressive="A",
    )
    assert found.line(1, "five_card_progressive")["result"] == "lose"


@cites(MD, "7.F(1)", "7.F(2)", "7.F(3)")
@pytest.mark.parametrize("wagers", [{"ante"}, {"pair_plus"}, {"ante", "pair_plus"}])
def test_against_the_dealer_the_paytable_or_both(wagers: set[str]) -> None:
    found = settled(
        seat(
            1,
            THREE["pair"],
            "play" if "ante" in wagers else None,
            **dict.fromkeys(wagers, "10.00"),
        )
    )
    follows = {"play"} if "ante" in wagers else set()
    assert {line["wager"] for line in found.lines(1)} == wagers | follows
    assert all(line["result"] == "win" for line in found.lines(1))


@cites(MD, "11.D", "7.F(1)")
def test_every_ante_is_played_or_forfeited_before_anything_is_settled() -> None:
    refusal = refused(
        seat(1, THREE["pair"], "play", ante="10.00"), seat(2, "2c 7d Ts", ante="5.00")
    )
    assert (refusal.code, refusal.seat, refusal.field) == ("decision_missing", 2, "decision")


@cites(MD, "11.D(3)(b)")
def test_the_order_of_cards_in_a_hand_does_not_matter() -> None:
    nets = {
        settled(seat(1, hand, "play", ante="10.00", pair_plus="5.00"), dealer=dealer).net(1)
        for hand in ("4c 5d 6s", "6s 4c 5d", "5d 6s 4c")
        for dealer in ("Qc 8s 3d", "3d 8s Qc")
    }
    assert nets == {"60.00"}  # ante and play 20, bonus 10, Pair Plus 30


class TestElectronic:
    """11.F: nine community cards are three hands that every player may wager on."""

    NINE = "As Ks Qs 9c 9s 4d 2c 7d Ts"  # a mini royal, a pair, ten high

    @staticmethod
    def seat(number: int, *hands: dict, player: str = "") -> dict:
        return {"seat": number, "hands": list(hands), "player": player}

    @staticmethod
    def hand(number: int, decision: str | None = None, **wagers: str) -> dict:
        found = {"hand": number, "wagers": wagers}
        return found if decision is None else {**found, "decision": decision}

    @cites(MD, "11.F", "11.F(1)", "11.F(2)")
    def test_each_hand_is_settled_as_an_ordinary_one(self) -> None:
        found = settled(
            self.seat(
                2,
                self.hand(1, "play", ante="10.00", pair_plus="5.00"),
                self.hand(2, "play", ante="20.00"),
                self.hand(3, "fold", ante="5.00", pair_plus="1.00"),
            ),
            community=self.NINE,
            electronic=True,
        )
        by_hand = {
            number: [
                (line["wager"], line["result"], line["paid"])
                for line in found.lines(2)
                if line["hand"] == number
            ]
            for number in (1, 2, 3)
        }
        assert by_hand == {
            1: [
                ("ante", "win", "10.00"),
                ("play", "win", "10.00"),
                ("ante_bonus", "bonus", "50.00"),
                ("pair_plus", "win", "175.00"),
            ],
            2: [("ante", "win", "20.00"), ("play", "win", "20.00")],
            3: [("ante", "forfeit", "0.00"), ("pair_plus", "forfeit", "0.00")],
        }

    @cites(MD, "11.F(2)")
    def test_players_share_the_hands_and_each_has_the_ordinary_result(self) -> None:
        found = settled(
            self.seat(1, self.hand(2, "play", ante="10.00")),
            self.seat(2, self.hand(2, "play", ante="10.00"), self.hand(3, "play", ante="4.00")),
            community=self.NINE,
            electronic=True,
        )
        ordinary = settled(
            seat(2, "9c 9s 4d", "play", ante="10.00"), seat(1, "2c 7d Ts", "play", ante="4.00")
        )
        assert found.net(1) == ordinary.net(2) == "20.00"
        assert ordinary.net(1) == "-8.00"
        assert found.net(2) == "12.00"

    @cites(MD, "11.F(1)", "11.D(8)(b)")
    def test_the_dealers_hand_is_common_to_all(self) -> None:
        found = settled(
            self.seat(1, self.hand(1, pair_plus="1.00", six_card_bonus="1.00")),
            community="Ah Kh Qh 9c 9s 4d 2c 7d Ts",
            dealer="Jh Th 3c",
            electronic=True,
            six_card_bonus="F",
        )
        assert found.line(1, "six_card_bonus")["clause"] == "12.F(6)(a)"

    @cites(MD, "11.F(2)", "12.E(4)")
    def test_two_players_on_one_hand_take_the_meter_in_turn(self) -> None:
        wagers = {"pair_plus": "1.00", "progressive": "1.00"}
        found = settled(
            self.seat(1, self.hand(1, **wagers)),
            self.seat(2, self.hand(1, **wagers)),
            community=self.NINE,
            electronic=True,
            progressive="A",
            meters={"progressive": "7000.00"},
        )
        assert found.line(2, "progressive")["paid"] == "6999.00"
        assert found.line(1, "progressive")["paid"] == "999.00"
        # it is the hand of both, so neither has an envy bonus
        assert found.lines(1, "envy") == found.lines(2, "envy") == []

    @cites(MD, "11.F(2)", "11.D(7)(e)(i)", "11.D(7)(e)(ii)")
    def test_a_shared_hand_earns_another_player_one_envy_bonus(self) -> None:
        found = settled(
            self.seat(1, self.hand(2, pair_plus="1.00", progressive="1.00")),
            self.seat(2, self.hand(1, pair_plus="1.00")),
            self.seat(3, self.hand(1, pair_plus="1.00")),
            community=self.NINE,
            electronic=True,
            progressive="A",
        )
        assert [line["paid"] for line in found.lines(1, "envy")] == ["100.00"]

    @cites(MD, "11.F", "11.F(1)", "11.F(2)")
    @pytest.mark.parametrize(
        ("change", "code", "field"),
        [
            ({"community": "As Ks Qs 9c 9s 4d 2c 7d"}, "wrong_number_of_cards", "community"),
            ({"community": ""}, "wrong_number_of_cards", "community"),
            ({"dealer": "Qc 8d"}, "wrong_number_of_cards", "dealer"),
            ({"dealer": "Qc 8d 9s"}, "card_twice", "community"),
            ({"electronic": False}, "wrong_number_of_hands", "hands"),
            ({"five_card_progressive": "A"}, "options_do_not_go_together", "rules.electronic"),
        ],
    )
    def test_what_does_not_fit_is_refused(self, change: dict, code: str, field: str) -> None:
        whole = {"community": self.NINE, "electronic": True} | change
        refusal = refused(self.seat(1, self.hand(1, pair_plus="1.00")), **whole)
        assert (refusal.code, refusal.field) == (code, field)

    @cites(MD, "11.F(2)")
    @pytest.mark.parametrize(
        "hands",
        [
            [],
            [{"hand": 4, "wagers": {"pair_plus": "1.00"}}],
            [{"hand": 0, "wagers": {"pair_plus": "1.00"}}],
            [{"hand": 1, "wagers": {"pair_plus": "1.00"}}] * 2,
            [{"hand": 1, "wagers": {"pair_plus": "1.00"}, "cards": ["As", "Ks", "Qs"]}],
            [{"hand": 1, "wagers": {"pair_plus": "1.00"}, "split": True}],
        ],
    )
    def test_hands_are_one_two_and_three_once_each(self, hands: list) -> None:
        refusal = refused(self.seat(1, *hands), community=self.NINE, electronic=True)
        assert (refusal.clause, refusal.seat, refusal.field) == ("11.F(2)", 1, "hands")

    @cites(MD, "11.F(2)", "7.F(1)")
    def test_a_refusal_names_the_hand(self) -> None:
        refusal = refused(
            self.seat(1, self.hand(2, ante="1.00")), community=self.NINE, electronic=True
        )
        assert (refusal.code, refusal.seat, refusal.field) == (
            "decision_missing",
            1,
            "hands.2.decision",
        )
