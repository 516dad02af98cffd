"""The published hold of the bet, and the search for what explains it."""

import pytest

from houseway.games.down_under.maths.reconcile import close_to, search, searched, sets_of, thrown
from houseway.games.down_under.maths.solver.exact import exact_value
from houseway.games.down_under.maths.solver.solve import solve
from houseway.games.down_under.maths.solver.variant import Variant
from houseway.law import DOWN_UNDER, chapter
from houseway.law.chapter import Hold
from houseway.maths.reconcile import agrees, printed

LAW = chapter(DOWN_UNDER)
SWITCHES = LAW.switches
BY_ID = {switch.id: switch for switch in SWITCHES}


def test_every_switch_turns_one_rule_and_changes_the_game():
    base = Variant()
    for switch in SWITCHES:
        assert switch.wager == "bet"
        assert len(switch.variant) == 1
        assert thrown(base, [switch]) != base
        assert LAW.clauses[switch.clause]


def test_no_set_turns_a_rule_twice():
    assert [len(list(sets_of(SWITCHES, size))) for size in (0, 1)] == [1, len(SWITCHES)]
    for chosen in sets_of(SWITCHES, 3):
        turned = [name for switch in chosen for name in switch.variant]
        assert len(turned) == len(set(turned)) == 3


def test_a_figure_is_met_to_its_last_digit():
    assert close_to(0.00425, ".43%")
    assert close_to(0.0043499999, ".43%")
    assert not close_to(0.00435001, ".43%")
    assert not close_to(0.0042499, ".43%")


@pytest.mark.slow
def test_a_hold_that_one_switch_explains_is_explained_by_it():
    """A range made up from the game without doubling after a split is traced back to that."""
    game = Variant(double_after_split=False)
    low, high = (-exact_value(solve(game.but(decks=decks))) for decks in (4, 8))
    hold = Hold(
        wager="bet", low=f"{printed(low, '.1234%')}%", high=f"{printed(high, '.1234%')}%", where=""
    )
    found = search(LAW, hold, most=1)
    assert [(one.switches, one.decks) for one in found.explanations] == [
        (("no_double_after_split",), None)
    ]


@pytest.mark.slow
def test_a_hold_of_some_decks_only_is_traced_to_them():
    low, high = (-exact_value(solve(Variant(decks=decks))) for decks in (5, 6))
    hold = Hold(
        wager="bet", low=f"{printed(low, '.1234%')}%", high=f"{printed(high, '.1234%')}%", where=""
    )
    seen = []
    found = search(LAW, hold, most=1, progress=lambda done, of: seen.append((done, of)))
    assert [(one.switches, one.decks) for one in found.explanations] == [((), (5, 6))]
    assert seen
    assert all(done <= of for done, of in seen)


@pytest.mark.slow
def test_what_explains_the_published_hold_does():
    """The program's own answer, checked by solving the two games it names."""
    hold = next(hold for hold in LAW.about.holds if hold.wager == "bet")
    game = thrown(Variant(), [BY_ID["four_hands"], BY_ID["only_large_beats_22"]])
    assert agrees(hold, [-exact_value(solve(game.but(decks=decks))) for decks in (4, 6)])


@pytest.mark.slow
@pytest.mark.parametrize("look", [searched, pytest.param(search, marks=pytest.mark.full)])
def test_the_search_finds_nothing_smaller(look):
    """What is kept is keyed by the code and the data that it was made from."""
    hold = next(hold for hold in LAW.about.holds if hold.wager == "bet")
    found = look(LAW, hold)
    assert [(set(one.switches), one.decks) for one in found.explanations] == [
        ({"four_hands", "only_large_beats_22"}, (4, 6))
    ]
