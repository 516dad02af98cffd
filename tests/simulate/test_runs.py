"""A run is a pure function of its plan and its number of rounds; sessions, meters and days as well."""

from __future__ import annotations

import json
from dataclasses import replace as replace_field
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from msgspec.structs import replace

from houseway.errors import Refused
from houseway.games.three_card.simulation import duel
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, choose, cites
from houseway.meters import Meter
from houseway.simulate import prepared as playing_module
from houseway.simulate import runner
from houseway.simulate.kernels.random_streams import start, words
from houseway.simulate.plan import plan_of, read_wagers, usual_wagers
from houseway.simulate.prepared import playing
from houseway.simulate.results.exact import Exact, exact, taken_by_limit
from houseway.simulate.results.report import figures, pooled, result_json
from houseway.simulate.results.tally import covariance, of_position, of_wager
from houseway.simulate.runner import Threads, run
from houseway.simulate.scenarios.progressives import growth

SMALL = 1 << 12
OWN = Path(__file__).parent / "own_strategies.py"


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Blocks of a few thousand rounds, so that runs of many blocks are quick."""
    monkeypatch.setattr(playing_module, "BLOCK", SMALL)
    monkeypatch.setattr(duel, "BLOCK", SMALL)
    playing.cache_clear()
    yield
    playing.cache_clear()


def maryland(**more):
    rules = choose(
        MD,
        {"progressive": "C", "six_card_bonus": "C", "five_card_progressive": "A"},
        meters={"progressive.major": {"rate": "14%", "seed": "9000.00", "reset": "5000.00"}},
    )
    return plan_of(rules, players=3, **more)


class Shuffled(Threads):
    """Workers that answer late and out of order."""

    def __init__(self, order: list[int]) -> None:
        super().__init__(1)
        self.count, self.ahead = 4, 12
        self._order, self._held = order, []
        self.played: list[int] = []

    def submit(self, number, block, *given):
        self._held.append((number, block, given))

    def next(self):
        place = self._order.pop(0) % len(self._held) if self._order else 0
        number, block, given = self._held.pop(place)
        self.played.append(number)
        return number, block(*given)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(order=some.lists(some.integers(0, 50), max_size=12))
def test_the_order_in_which_blocks_are_played_changes_nothing(order):
    plan = maryland()
    rounds = 5 * SMALL + 17
    assert run(plan, rounds, workers=Shuffled(list(order))).encode() == _alone().encode()


def _alone():
    return run(maryland(), 5 * SMALL + 17, workers=Threads(1))


@pytest.mark.parametrize("chapter", [MD, MA, PRIME, SAIGON, DOWN_UNDER])
def test_cores_change_nothing_and_seeds_do(chapter):
    plan = plan_of(choose(chapter), players=2, covariance=True)
    one, two = (run(plan, 3 * SMALL + 5, workers=Threads(cores)) for cores in (1, 2))
    assert one.encode() == two.encode()
    assert one.rounds == 3 * SMALL + 5
    other = run(plan_of(choose(chapter), players=2, seed=2), 3 * SMALL + 5, workers=Threads(1))
    assert other.totals != one.totals


def test_no_two_blocks_share_a_word():
    first, second = np.zeros(1000, np.uint64), np.zeros(1000, np.uint64)
    words(start("s", 0), first)
    words(start("s", 1), second)
    assert not set(first.tolist()) & set(second.tolist())
    assert len(set(first.tolist())) == 1000


class Stops(Exception):
    pass


def test_an_interrupted_run_goes_on_without_losing_or_repeating_a_block(tmp_path):
    plan, rounds = maryland(), 6 * SMALL + 1
    kept = tmp_path / "run.json"

    class Breaks(Shuffled):
        def next(self):
            if len(self.played) == 3:
                raise Stops
            return super().next()

    # the last of four comes first, so a block is there before its turn
    first = Breaks([3, 2, 0])
    with pytest.raises(Stops):
        run(plan, rounds, workers=first, checkpoint=kept)
    data = json.loads(kept.read_text())
    assert data["early"], "a block that came early is kept"
    second = Shuffled([1, 0, 2])
    done = run(plan, rounds, workers=second, checkpoint=kept)
    assert sorted(first.played + second.played) == list(range(7))
    assert done.encode() == run(plan, rounds, workers=Threads(1)).encode()
    # a finished run has nothing left to do
    third = Shuffled([])
    assert run(plan, rounds, workers=third, checkpoint=kept).encode() == done.encode()
    assert third.played == []


def test_a_longer_run_goes_on_from_a_shorter_one(tmp_path):
    kept = tmp_path / "run.json"
    run(maryland(), 2 * SMALL, workers=Threads(1), checkpoint=kept)
    longer = run(maryland(), 4 * SMALL, workers=Threads(1), checkpoint=kept)
    assert longer.encode() == run(maryland(), 4 * SMALL, workers=Threads(1)).encode()


def test_a_checkpoint_of_another_run_is_refused(tmp_path):
    kept = tmp_path / "run.json"
    run(maryland(), SMALL, workers=Threads(1), checkpoint=kept)
    with pytest.raises(Refused) as refusal:
        run(maryland(seed=9), SMALL, workers=Threads(1), checkpoint=kept)
    assert refusal.value.code == "checkpoint_of_another_run"
    kept.write_text("{}")
    with pytest.raises(Refused) as refusal:
        run(maryland(), SMALL, workers=Threads(1), checkpoint=kept)
    assert refusal.value.code == "not_a_checkpoint"


def test_until_se_stops_at_the_first_block_that_is_precise_enough():
    plan = plan_of(choose(MD), players=1)
    whole = run(plan, 8 * SMALL, workers=Threads(1))
    game = playing(plan.encode())
    goal = of_wager(game, run(plan, 3 * SMALL, workers=Threads(1)), 0, 0).error / 1000
    stopped = run(plan, 8 * SMALL, workers=Threads(2), until_se=goal)
    assert stopped.rounds == 3 * SMALL < whole.rounds


def test_a_tally_adds_up_what_its_rounds_won():
    """Sums, squares and covariances against the nets of the single rounds."""
    plan = maryland(covariance=True)
    game = playing(plan.encode(), round_by_round=True)
    nets = np.zeros((SMALL, 3), np.int64)
    counts = game.empty()
    game.new_table().rounds(SMALL, start(plan.seed, 0), counts, nets)
    tally = run(plan, SMALL, workers=Threads(1))
    assert tally.totals == nets.sum(axis=0).tolist()
    for position in range(3):
        mine = [Fraction(net) for net in nets[:, position].tolist()]
        mean = sum(mine) / SMALL
        found = of_position(tally, position)
        assert found.mean == mean
        assert found.variance == sum((net - mean) ** 2 for net in mine) / (SMALL - 1)
        parts = [of_wager(game, tally, position, column).mean for _, column in game.wagers]
        assert sum(parts) == mean
    first, last = (nets[:, position].astype(object) for position in (0, 2))
    product = Fraction(int((first * last).sum()), SMALL)
    assert covariance(tally, 0, 2) == product - Fraction(
        int(first.sum()) * int(last.sum()), SMALL**2
    )


@pytest.mark.slow
def test_meters_replayed_are_meters_played():
    """Every round by itself: contributions first, then the hits in the order of the seats."""
    rules = choose(
        MD, {"progressive": "C"},
        meters={
            "progressive.major": {"rate": "14%", "seed": "9000.00", "reset": "5000.00"},
            "progressive.minor": {"rate": "2.5%", "reserve": "1.5%", "reset": "100.00"},
        },
    )  # fmt: skip
    plan = plan_of(rules, players=7, wagers={"ante": 1000, "progressive": 500})
    tally = run(plan, 4 * SMALL, workers=Threads(1))
    assert len(tally.hits) > 3
    for place, found in enumerate(growth(playing(plan.encode()), tally)):
        terms = rules.meter(rules.meter_names[place])
        meter = Meter(Fraction(terms.seed), terms.reset)
        paid = []
        by_round: dict[int, list[int]] = {}
        for number, which, share, _ in tally.hits:
            if which == place:
                by_round.setdefault(number, []).append(share)
        for number in range(tally.rounds):
            for _ in range(7):
                meter = meter.grown(500, terms)
            for share in by_round.get(number, ()):
                amount, meter = meter.paid(Fraction(share, 100))
                paid.append((number, amount))
        assert list(found.hits) == paid
        assert found.shows == meter.shows
        # what is put in is what is shown and the reserve: 14% of the one, 4% of the other
        assert found.contributed == tally.rounds * 7 * 500 * Fraction((14, 4)[place], 100)


@pytest.mark.slow
@pytest.mark.parametrize("chapter", [MD, MA, PRIME, SAIGON])
@pytest.mark.parametrize("strategy", ["optimal", "other"])
def test_exact_figures_are_within(chapter, strategy):
    """Every wager of every chapter beside its exact mean, all tables offered."""
    options = {
        MD: {
            "six_card_bonus": "C", "progressive": "B", "five_card_progressive": "C",
            "five_card_envy": {"flush": {"1.00": "9.00"}, "three_of_a_kind": {"1.00": "4.00"}},
        },
        MA: {"six_card_bonus": "TCP-6B2", "progressive": "2", "cover_all": True},
        PRIME: {"prime": True, "pair_bonus": "C", "all_six": "A"},
        SAIGON: {"bonus": "A"},
    }[chapter]  # fmt: skip
    name = {"optimal": "optimal", "other": "avoid_five" if chapter == SAIGON else "play_any_queen"}
    plan = plan_of(choose(chapter, options), players=3, strategy=name[strategy], seed="verdict")
    tally = run(plan, 40 * SMALL)
    game = playing(plan.encode())
    found = figures(game, tally)
    assert [figure.wager for figure in found if figure.exact is None] == []
    assert {row.verdict for row in pooled(found)} == {"within"}


def test_coupons_and_hands_given_up_unseen_are_within():
    """A match play coupon is paid once if the wager beside it wins (6(b)); unseen hands lose it."""
    rules = choose(MA, {"match_play": True, "progressive": "2"})
    wagers = {"ante": 1000, "pair_plus": 500, "progressive": 100}
    for coupon in ({"ante": 1000}, {"ante": 500, "pair_plus": 500}):
        for strategy in ("optimal", f"{OWN}:any_way"):
            plan = plan_of(rules, players=2, wagers=wagers, coupon=coupon, strategy=strategy)
            found = figures(playing(plan.encode()), run(plan, 60 * SMALL))
            assert {figure.wager for figure in found} == {
                "ante_play", "pair_plus", "progressive", "coupon", "envy",
            }  # fmt: skip
            assert {figure.verdict for figure in found} == {"within"}


def test_what_a_payout_limit_takes_is_reported_by_seat():
    """680a.12(c): a bonus of $100 on five aces would win more than the limit; wagers are judged
    before it, seats are paid after it.
    """
    rules = choose(SAIGON, {"bonus": "A", "payout_limit": "50000.00"})
    plan = plan_of(
        rules, wagers={"ante": 4_000_000, "bonus": 500_000}, seed="limit", hypothetical=True
    )
    game = playing(plan.encode(), round_by_round=True)
    tally = run(plan, 4 * SMALL, workers=Threads(1))
    nets, counts = np.zeros((SMALL, 1), np.int64), game.empty()
    game.new_table().rounds(SMALL, start(plan.seed, 0), counts, nets)
    assert nets.max() == 5_000_000
    found = result_json(game, tally)
    parts = sum(of_wager(game, tally, 0, column).mean for _, column in game.wagers)
    takes = (parts - of_position(tally, 0).mean) / 100
    assert takes > 0
    assert float(found["payout_limit_takes"][0]) == pytest.approx(float(takes), abs=1e-6)
    assert {row["verdict"] for row in found["wagers"]} == {"within"}


@cites(SAIGON, "680a.12(d)")
def test_what_a_payout_limit_takes_from_a_saigon_player_is_exact():
    """Five aces cannot qualify, since no three of them make 10, 20 or 30, so the Bonus alone is cut:
    what is over the limit, once in C(53, 5). The next best hand stays below it with any ante.
    """
    rules = choose(SAIGON, {"bonus": "A", "payout_limit": "50000.00"})
    stake, limit = 2_000, 5_000_000
    plan = plan_of(rules, wagers={"ante": 1_000, "bonus": stake}, hypothetical=True)
    five_aces, royal = (
        rules.table("bonus")[hand].odds.beside(stake) for hand in ("five_aces", "royal_flush")
    )
    assert royal + 1_000 < limit < five_aces
    chance, over = Fraction(1, comb(53, 5)), five_aces - limit
    mean = chance * over
    assert taken_by_limit(playing(plan.encode()), 0) == Exact(mean, chance * over**2 - mean**2)


@pytest.mark.parametrize("seat", [0, 1])
def test_what_a_limit_takes_from_a_saigon_seat_is_what_it_takes_in_play(seat):
    """Seats with other stakes, cut in one round of three and in one of a thousand."""
    rules = choose(SAIGON, {"bonus": "A", "payout_limit": "50000.00"})
    plan = plan_of(rules, players=2, wagers={"ante": 4_000_000, "bonus": 500_000}, seed="cut",
                   hypothetical=True)  # fmt: skip
    plan = replace(plan, stakes=[plan.stakes[0], {"ante": 1_000, "bonus": 100_000}])
    found = result_json(playing(plan.encode()), run(plan, 40 * SMALL))["payout_limit"][seat]
    assert float(found["takes"]) > 0
    assert found["verdict"] == "within"


@pytest.mark.parametrize("name", ["as_the_dealer", "optimal"])
def test_a_named_way_to_set_is_worth_what_the_par_sheet_says(name):
    from houseway.games.saigon.maths import ante as saigon_ante

    rules = choose(SAIGON)
    pays = saigon_ante.payoffs(rules)
    known = saigon_ante.settings(pays, saigon_ante.highest if name == "as_the_dealer" else None)
    game = playing(plan_of(rules, strategy=name).encode())
    assert exact(game, 0, "ante") == Exact(known.spread.mean, known.spread.variance)


def test_a_way_to_set_may_tell_ranks_of_one_value_apart():
    """Ten to king count alike, so to set badly with any one of them costs the same."""
    rules = choose(SAIGON)
    worth = {}
    for name in ("lowest_with_a_ten", "lowest_with_a_king", "lowest"):
        game = playing(plan_of(rules, strategy=f"{OWN}:{name}").encode())
        worth[name] = exact(game, 0, "ante").mean
    best = exact(playing(plan_of(rules).encode()), 0, "ante").mean
    assert worth["lowest"] < worth["lowest_with_a_ten"] == worth["lowest_with_a_king"] < best


def test_a_block_travels_with_its_hits_and_no_room_for_more():
    from houseway.simulate.prepared import play_block

    counts = play_block(maryland(seed="hits").encode(), 0, 40 * SMALL)
    assert 0 < int(counts.events[0, 0]) == len(counts.events) - 1


@pytest.mark.slow
@cites(PRIME, "679a.12(g)", "679a.12(h)")
def test_what_a_payout_limit_takes_from_a_prime_player_is_exact():
    """A player who always folds wins only All-Six: the limit takes what is over it from every royal flush,
    4 suits of 47 in C(52, 6), and from nothing less.
    """
    rules = choose(PRIME, {"all_six": "A", "payout_limit": "50000.00"})
    stake, limit = 10_000, 5_000_000
    plan = plan_of(
        rules,
        wagers={"ante": 100, "all_six": stake},
        strategy=f"{OWN}:always_fold",
        hypothetical=True,
    )
    game = playing(plan.encode())
    over = rules.table("all_six")["royal_flush"].odds.beside(stake) - limit
    chance = Fraction(4 * 47, comb(52, 6))
    assert taken_by_limit(game, 0) == Exact(chance * over, chance * over**2 - (chance * over) ** 2)
    found = result_json(game, run(plan, 40 * SMALL))
    assert found["payout_limit"][0]["verdict"] == found["verdict"] == "within"


@cites(PRIME, "679a.12(h)")
def test_a_limit_that_cuts_nothing_takes_nothing_and_wagers_are_judged_before_it():
    rules = choose(PRIME, {"all_six": "A", "payout_limit": "50000.00"})
    cut, whole = (
        playing(
            plan_of(rules, wagers={"ante": 100, "all_six": all_six}, hypothetical=True).encode()
        )
        for all_six in (10_000, 100)
    )
    assert taken_by_limit(whole, 0) == Exact(Fraction(0), Fraction(0))
    assert exact(cut, 0, "all_six") == exact(whole, 0, "all_six")


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["optimal", "chart", "mimic_the_dealer", "never_bust"])
def test_down_under_on_fresh_shoes_is_within(strategy):
    rules = choose(DOWN_UNDER, {"match_the_dealer": True})
    plan = plan_of(rules, players=4, cover=0, insures=True, strategy=strategy, seed="verdict")
    found = figures(playing(plan.encode()), run(plan, 40 * SMALL))
    assert {figure.wager for figure in found} == {"bet", "insurance", "match_the_dealer"}
    assert {figure.verdict for figure in found} == {"within"}


@cites(DOWN_UNDER, "685a.8(c)")
def test_insurance_is_reported_per_wager_made():
    """It wins 2 to 1 with the 96 tens among the 311 cards beside the ace of six decks, so one wager
    spreads by 3 * sqrt(p * (1 - p)); all rounds together would spread by less than a third of it.
    """
    plan = plan_of(choose(DOWN_UNDER), cover=0, insures=True, wagers={"bet": 1000})
    (found,) = (
        figure
        for figure in figures(playing(plan.encode()), run(plan, 40 * SMALL, workers=Threads(1)))
        if figure.wager == "insurance"
    )
    ten = Fraction(96, 311)
    assert found.deviation == pytest.approx(3 * float(ten * (1 - ten)) ** 0.5, abs=0.01)
    assert abs(found.mean - float(3 * ten - 1)) < 4 * found.error


@pytest.mark.slow
def test_down_under_results_are_spread_as_the_exact_distribution():
    """Every net result of a bet, not the mean alone."""
    from houseway.games.down_under.maths.solver.distribution import distribution
    from houseway.simulate.rng_tests.statistics import chi_square_above

    plan = plan_of(choose(DOWN_UNDER), wagers={"bet": 1000}, cover=0, seed="distribution")
    game, tally = playing(plan.encode()), run(plan, 100 * SMALL)
    counted: dict[Fraction, int] = {}
    for net, count in zip(game.net[0, 0].tolist(), tally.codes[0, 0].tolist(), strict=True):
        counted[Fraction(net, 1000)] = counted.get(Fraction(net, 1000), 0) + count
    expected = {
        net: float(often) * tally.rounds for net, often in distribution(game.strategy).nets.items()
    }
    assert {net for net, count in counted.items() if count} == set(expected)
    far = sum((counted[net] - often) ** 2 / often for net, often in expected.items())
    assert chi_square_above(far, len(expected) - 1) > 0.001


def test_a_side_wager_does_not_change_the_cards():
    """Match-the-Dealer looks at cards that were dealt anyway: the bets come to the same codes."""
    rules = choose(DOWN_UNDER, {"match_the_dealer": True})
    with_it, without = (
        run(plan_of(rules, players=3, wagers=wagers), 2 * SMALL, workers=Threads(1))
        for wagers in ({"bet": 1000, "match_the_dealer": 500}, {"bet": 1000})
    )
    assert (with_it.codes[:, 0] == without.codes[:, 0]).all()


@pytest.mark.slow
def test_a_wrong_kernel_would_be_found_out():
    """A verdict can be no: the same run beside the figures of another paytable."""
    plan = plan_of(choose(MD, {"pair_plus": "A"}), wagers={"ante": 1000, "pair_plus": 500})
    tally = run(plan, 120 * SMALL)
    other = plan_of(choose(MD, {"pair_plus": "C"}), wagers={"ante": 1000, "pair_plus": 500})
    game = playing(other.encode())
    net = playing(plan.encode()).net
    mixed = replace_field(game, kernel=replace_field(game.kernel, net=net))
    verdicts = {figure.wager: figure.verdict for figure in figures(mixed, tally)}
    assert verdicts == {"ante_play": "within", "pair_plus": "not within"}
    assert result_json(mixed, tally)["verdict"] == "not within"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"players": 8}, "players_out_of_range"),
        ({"wagers": {"ante": 1000, "play": 1000}}, "wager_follows"),
        ({"wagers": {"pair_bonus": 100}}, "wager_not_offered"),
        ({"wagers": {"ante": 7}}, "not_in_chips"),
        ({"meters": {"progressive": 5}}, "no_such_meter"),
        ({"cover": 10}, "not_in_this_game"),
        ({"insures": True}, "not_in_this_game"),
        ({"coupon": {"ante": 500}}, "not_in_this_game"),
    ],
)
def test_a_plan_that_could_not_be_played_is_refused(given, code):
    with pytest.raises(Refused) as refusal:
        plan_of(choose(MD), **given)
    assert refusal.value.code == code


def test_the_cover_card_lies_a_quarter_from_the_bottom():
    """685a.5(d): of 312 cards at least 78 lie below it."""
    assert playing(plan_of(choose(DOWN_UNDER)).encode()).kernel.table.cover == 234
    assert playing(plan_of(choose(DOWN_UNDER), cover=234).encode()).kernel.table.cover == 234
    for cover in (235, -1):
        with pytest.raises(Refused) as refusal:
            plan_of(choose(DOWN_UNDER), cover=cover)
        assert refusal.value.clause == "685a.5(d)"


@pytest.mark.parametrize("strategy", ["nobody", "missing.py:decide", "missing.toml", "json:dumps"])
def test_a_strategy_that_is_none_is_refused(strategy):
    with pytest.raises(Refused) as refusal:
        run(plan_of(choose(MD), strategy=strategy), 10, workers=Threads(1))
    assert refusal.value.field == "strategy"


def test_wagers_are_read_and_usual_ones_can_be_paid():
    assert read_wagers("ante=10.00, pair_plus=5") == {"ante": 1000, "pair_plus": 500}
    with pytest.raises(Refused):
        read_wagers("ante=much")
    with pytest.raises(Refused, match="ante is given twice"):
        read_wagers("ante=10, ante=5")
    for chapter in (MD, MA, PRIME, SAIGON, DOWN_UNDER):
        rules = choose(chapter)
        for wager, amount in usual_wagers(rules).items():
            assert amount % rules.step(wager) == 0


def test_rounds_are_at_least_one():
    with pytest.raises(Refused):
        run(maryland(), 0)
    assert runner.cores() >= 1
