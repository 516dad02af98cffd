"""A game without a kernel of its own is simulated by its rules part, with all that a run has."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from plain_rounds import down_under_round, saigon_round, three_card_round

from houseway.errors import Refused
from houseway.games.down_under.simulation import DownUnderSimulation
from houseway.games.saigon.hands import values
from houseway.games.saigon.simulation import SaigonSimulation
from houseway.games.three_card.simulation import ThreeCardSimulation
from houseway.law import DOWN_UNDER, MD, PRIME, SAIGON, chapter, choose
from houseway.simulate.game import SIMULATION, SimulationGame
from houseway.simulate.kernels import plain_kernel
from houseway.simulate.plan import plan_of
from houseway.simulate.prepared import playing
from houseway.simulate.results.report import limit_takes, result_json
from houseway.simulate.results.tally import of_position, of_wager
from houseway.simulate.runner import Threads, run
from houseway.simulate.scenarios.floor_day import Group, play_days
from houseway.simulate.scenarios.sessions import play_sessions

ROUNDS = 3000
#: no kernel: the body that every game inherits
kernel = SimulationGame.kernel
exact = SimulationGame.exact


class PlainSaigon(SaigonSimulation):
    kernel, exact = kernel, exact

    def cards(self, rules):
        from houseway.cards import deck_with_joker

        return deck_with_joker()

    def play_round(self, plan, rules, strategy, draw):
        deck = [draw() for _ in range(5 + 5 * len(plan.stakes))]

        def setting(hand):
            return strategy(hand, values(rules.chapter).settings(hand))

        return saigon_round(Table(plan, rules), deck, setting)


class PlainThreeCards(ThreeCardSimulation):
    kernel, exact = kernel, exact

    def play_round(self, plan, rules, strategy, draw):
        game = Table(plan, rules)
        five = any("five_card_progressive" in made for made in plan.stakes)
        fourth = len(plan.stakes) if any("pair_bonus" in made for made in plan.stakes) else 0
        deck = [draw() for _ in range(3 + 3 * len(plan.stakes) + 2 * five + fourth)]
        return three_card_round(game, deck, strategy)


class PlainDownUnder(DownUnderSimulation):
    kernel, exact = kernel, exact

    def strategy(self, rules, name):
        return lambda hand, up, range_, open_: "stand"

    def play_round(self, plan, rules, strategy, draw):
        shoe = [draw() for _ in range(60)]
        round, _ = down_under_round(Table(plan, rules), shoe, strategy, insures=plan.insures)
        return round


class Table:
    """As much of a game made ready as the plain twins of rounds look at."""

    def __init__(self, plan, rules):
        self.plan, self.rules, self.positions = plan, rules, len(plan.stakes)
        self.kernel = self
        self.table = self
        self.dealt = len(plan.stakes)


@pytest.fixture(autouse=True)
def no_kernels(monkeypatch):
    loaded = {("saigon", ""): PlainSaigon(), ("down_under", ""): PlainDownUnder()}
    loaded |= {("three_card", name): PlainThreeCards() for name in ("maryland", "prime")}
    monkeypatch.setattr(SIMULATION, "_loaded", loaded)
    monkeypatch.setattr(plain_kernel, "BLOCK", 1 << 10)
    playing.cache_clear()
    yield
    playing.cache_clear()


def test_it_stands_beside_the_exact_figures_of_the_par_sheet():
    plan = plan_of(choose(SAIGON, {"bonus": "A"}), players=2, covariance=True)
    found = result_json(playing(plan.encode()), run(plan, ROUNDS, workers=Threads(1)))
    assert found["verdict"] == "within"
    assert [row["wager"] for row in found["wagers"]] == ["ante_play", "bonus"] * 2
    assert all(row["exact"] for row in found["wagers"])
    # an ante of $10 and a bonus of $5 in every round
    assert {row["staked"] for row in found["seats"]} == {f"{15 * ROUNDS}.00"}


def test_cores_change_nothing_and_seeds_do():
    plan = plan_of(choose(SAIGON), covariance=True)
    one, two = (run(plan, 2500, workers=Threads(cores)) for cores in (1, 2))
    assert one.encode() == two.encode()
    assert run(plan_of(choose(SAIGON), seed=2), 2500, workers=Threads(1)).totals != one.totals


def test_the_kernel_and_the_plain_rounds_agree(monkeypatch):
    """Both estimates of each wager, and of each seat, are within the error of their difference."""
    rules = choose(MD, {"progressive": "A", "six_card_bonus": "A"})
    plan = plan_of(rules, players=3, strategy="always_play")
    plain, plain_tally = playing(plan.encode()), run(plan, ROUNDS, workers=Threads(1))
    monkeypatch.setattr(SIMULATION, "_loaded", {})
    playing.cache_clear()
    game, tally = playing(plan.encode()), run(plan, 300_000, workers=Threads(1))
    columns = dict(game.wagers)
    for name, column in plain.wagers:
        for position in range(3):
            if name == "progressive":
                continue  # the envy bonus is a column of its own in the kernel
            one = of_wager(plain, plain_tally, position, column)
            other = of_wager(game, tally, position, columns[name])
            assert abs(float(one.mean - other.mean)) < 4.5 * sqrt(one.error**2 + other.error**2)
            if name in ("ante_play", "pair_plus"):  # nothing that is too rare to be met here
                assert float(one.variance / other.variance) == pytest.approx(1, rel=0.35)
    nets = sum(plain_tally.more[0])
    assert nets == plain_tally.totals[0]


def test_a_strategy_without_exact_figures_has_none():
    """The PAR sheet is about the best way to decide, so nothing else is judged by it."""
    plan = plan_of(choose(MD), wagers={"ante": 1000}, strategy="always_play")
    game = playing(plan.encode())
    assert game.family.exact(game, 0, "ante_play") is None
    best = playing(plan_of(choose(MD), wagers={"ante": 1000}).encode())
    assert best.family.exact(best, 0, "ante_play") is not None


def test_hits_of_meters_are_counted():
    """Every straight and straight flush takes a tenth of this meter."""
    tenth, whole = "10% of meter", "100% of meter"
    rules = choose(
        MD,
        {"progressive": "A"},
        paytables={
            "progressive": {"straight": tenth, "straight_flush": tenth, "mini_royal_spades": whole}
        },
        hypothetical=True,
    )
    plan = plan_of(
        rules, wagers={"ante": 1000, "progressive": 100}, meters={"progressive": 100_000},
        hypothetical=True, strategy="always_play",
    )  # fmt: skip
    tally = run(plan, ROUNDS, workers=Threads(1))
    tenths = [hit for hit in tally.hits if hit[2] == 10]
    assert {hit[1:] for hit in tenths} == {(0, 10, 0)}
    # straights and straight flushes of three cards, but for the royal of spades
    assert len(tenths) == pytest.approx(ROUNDS * (720 + 47) / 22_100, rel=0.35)
    column = dict(playing(plan.encode()).wagers)["progressive"]
    paid = sum(100_000 * hit[2] // 100 for hit in tally.hits)
    # the text pays a share of the meter in place of the stake
    assert tally.more[0][column] == paid - 100 * ROUNDS


def test_wagers_count_before_a_payout_limit_and_seats_after():
    rules = choose(PRIME, {"pair_bonus": "A", "all_six": "A", "payout_limit": "50000.00"})
    plan = plan_of(rules, wagers={"ante": 1_000_000, "all_six": 1_000_000})
    tally = run(plan, ROUNDS, workers=Threads(1))
    game = playing(plan.encode())
    assert limit_takes(game, tally, 0) > 0
    assert of_position(tally, 0).mean < sum(
        of_wager(game, tally, 0, c).mean for _, c in game.wagers
    )


def test_sessions_and_days_are_played():
    plan = plan_of(choose(SAIGON))
    found = play_sessions(plan, sessions=20, rounds=10, bankroll=5000, workers=Threads(1))
    assert found.count == 20
    assert (found.rows[:, 2] > 0).all()
    days = play_days(Group("one", plan, 2, 30), 3, Threads(1))
    assert days.wins.shape == (3, 2)
    assert days.handle == 30 * 1000


def test_more_than_one_deck_and_a_wager_that_follows():
    """A player who always stands, with six decks and insurance against every ace."""
    plan = plan_of(choose(DOWN_UNDER, {"match_the_dealer": True}), cover=0, insures=True)
    tally = run(plan, ROUNDS, workers=Threads(1))
    game = playing(plan.encode())
    assert [name for name, _ in game.wagers] == ["bet", "insurance", "match_the_dealer"]
    assert len(game.family.cards(game.rules)) == 6 * 52
    staked = [
        int((tally.codes[0, column] * game.staked[0, column]).sum()) for _, column in game.wagers
    ]
    # a bet of $10 in every round, and $5 for insurance under an ace in one of thirteen
    assert staked[0] == 1000 * ROUNDS
    assert staked[1] == pytest.approx(500 * ROUNDS / 13, rel=0.25)
    assert staked[2] == 500 * ROUNDS


def test_every_card_is_equally_likely_at_every_place():
    """Chi-square of each of 52 cards at each of five places, far below what chance allows."""
    seen = np.zeros((5, 52))
    shuffle = plain_kernel._Shuffle(list(PlainThreeCards().cards(choose(MD))))
    from houseway.simulate.kernels.random_streams import start

    stream = start("cards", 0)
    for _ in range(20_000):
        draw = shuffle.dealt(stream)
        hand = [draw() for _ in range(5)]
        assert len(set(hand)) == 5
        seen[np.arange(5), hand] += 1
    expected = 20_000 / 52
    for place in range(5):
        # 51 degrees of freedom: above 100 once in fifty thousand
        assert ((seen[place] - expected) ** 2 / expected).sum() < 100


def test_a_round_that_takes_too_many_cards_says_so():
    shuffle = plain_kernel._Shuffle([0, 1])
    from houseway.simulate.kernels.random_streams import start

    draw = shuffle.dealt(start("x", 0))
    assert {draw(), draw()} == {0, 1}
    with pytest.raises(ValueError, match="more than 2 cards"):
        draw()


def test_stakes_that_cannot_be_added_up_are_refused():
    plan = plan_of(choose(SAIGON), wagers={"ante": 400_000_000_000})
    with pytest.raises(Refused, match="wager less"):
        run(plan, 100, workers=Threads(1))


def test_the_usual_strategy_is_the_first_that_the_game_names(monkeypatch):
    """A family need not have one called `optimal`; a name that it does not have is refused."""
    game = SIMULATION.of(chapter(SAIGON))
    assert plan_of(choose(SAIGON)).strategy == "optimal"
    monkeypatch.setattr(type(game), "strategies", ("avoid_five", "lowest"))
    assert plan_of(choose(SAIGON)).strategy == "avoid_five"
    with pytest.raises(Refused, match="there is no strategy 'highest'"):
        plan_of(choose(SAIGON), strategy="highest")
