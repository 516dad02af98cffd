"""What can only help the player never hurts him, and the other way round."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from remembering import all_remembered

from houseway.games.down_under.maths.removal import bet_removed
from houseway.games.down_under.maths.solver.exact import exact_value
from houseway.games.down_under.maths.solver.solve import solve
from houseway.games.down_under.maths.solver.split_memory import gain
from houseway.games.down_under.maths.solver.variant import Variant
from houseway.games.down_under.maths.strategy import chart_of

READINGS = ("stands", "counts_as_12")

games = st.builds(
    Variant,
    decks=st.sampled_from([1, 2, 4, 6, 8]),
    dealer_soft_22=st.sampled_from(READINGS),
    soft_17=st.sampled_from(["stands", "hits"]),
    split_hands=st.integers(1, 3),
    double_after_split=st.booleans(),
    reader=st.sampled_from(["shown", "covered"]),
    beats_22=st.sampled_from([frozenset(), frozenset({"21"}), frozenset({"21", "two_large"})]),
)


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(games)
def test_knowing_more_never_loses(game):
    covered = solve(game.but(reader="covered")).value
    assert solve(game.but(reader="shown")).value >= covered


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(games)
def test_a_dealers_22_that_busts_never_hurts_the_player(game):
    assert solve(game.but(dealer_22="busts")).value >= solve(game).value


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(games)
def test_one_more_hand_from_a_split_never_hurts(game):
    values = [solve(game.but(split_hands=hands)).value for hands in (1, 2, 3)]
    assert values == sorted(values)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(games)
def test_a_freedom_of_the_player_never_hurts(game):
    value = solve(game).value
    assert solve(game.but(double_after_split=True)).value >= value
    assert solve(game.but(double_on="ten_eleven")).value <= value
    assert solve(game.but(split_aces="as_others")).value >= value - 1e-15
    assert solve(game.but(beats_22=frozenset({"21", "two_large"}))).value >= value


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(games)
def test_no_chart_is_better_than_the_best_play(game):
    best = solve(game)
    chart = chart_of(best)
    assert chart.on(best.table).value <= best.value + 1e-15


@pytest.mark.slow
@pytest.mark.parametrize("reading", READINGS)
def test_exact_costs_are_costs(reading):
    """As fractions: the chart costs something, being blind costs more, books cost most."""
    game = Variant(decks=4, dealer_soft_22=reading)
    best = solve(game)
    books = chart_of(
        solve(game.but(dealer_soft_22="counts_as_12", dealer_22="busts", reader="covered"))
    )
    values = [
        exact_value(books.on(best.table)),
        exact_value(solve(game.but(reader="covered"))),
        exact_value(chart_of(best).on(best.table)),
        exact_value(best),
    ]
    assert values == sorted(values)
    assert len(set(values)) == 4


@pytest.mark.slow
def test_seeing_a_card_go_is_worth_something_on_average():
    """The average over all cards is what the game is worth with one card seen before the bet is
    played: never less than without.
    """
    game = Variant(decks=1)
    changes = bet_removed(game)
    shoe = game.shoe
    mean = sum(count * change for count, change in zip(shoe, changes, strict=True)) / Fraction(52)
    assert 0 <= mean < Fraction(1, 500)
    # small cards help the dealer, aces and tens the player
    assert changes[0] < 0 < changes[4]
    assert changes[9] < 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "decks", [6, *(pytest.param(n, marks=pytest.mark.full) for n in (4, 5, 8))]
)
@pytest.mark.parametrize("reading", READINGS)
def test_memory_is_worth_less_than_the_par_sheet_says(decks, reading):
    """The note on the PAR sheet: less than 0.0001% of the bet. A wider search finds no more."""
    play = solve(Variant(decks=decks, dealer_soft_22=reading))
    found = gain(play, all_remembered(play, margin=0.05))
    assert 0 < found < 1e-6
    if decks == 8 or (decks, reading) == (4, "stands"):
        assert gain(play, all_remembered(play, margin=0.15)) == pytest.approx(found, abs=1e-12)
