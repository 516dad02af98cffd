"""Published holds: what agrees is said to, and what does not is explained by search alone."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter, cites
from houseway.law.chapter import Hold
from houseway.maths.reconcile import (
    Payout,
    Switched,
    agrees,
    compare,
    edges,
    printed,
    reconcile,
)


def found(id):
    return {finding.hold.wager: finding for finding in reconcile(chapter(id))}


@pytest.mark.parametrize(
    ("id", "wager"),
    [(PRIME, "prime"), (PRIME, "pair_bonus"), (PRIME, "all_six"), (DOWN_UNDER, "match_the_dealer")],
)
def test_what_agrees_to_the_digits_published(id, wager):
    finding = found(id)[wager]
    assert finding.agrees
    assert not finding.explanations
    hold = finding.hold
    assert printed(finding.low, hold.low) + "%" == hold.low
    assert printed(finding.high, hold.high) + "%" == hold.high


@cites(PRIME, "679a.11(c)(3)(i)", "679a.12(a)", "679a.12(b)", "679a.12(c)")
def test_the_bad_beat_tables_of_prime():
    finding = found(PRIME)["ante_play"]
    assert not finding.agrees
    (change,) = finding.explanations[0]
    assert isinstance(change, Switched)
    assert change.switch.resettle[0].wager == "play"
    law = finding.chapter
    after = [edge for _, edge in edges(law, "ante_play", [change.switch])]
    assert agrees(finding.hold, after)
    # every explanation that is offered does explain
    for changes in finding.explanations:
        moved = {(c.wager, c.table, c.hand): c.becomes for c in changes if isinstance(c, Payout)}
        thrown = [c.switch for c in changes if isinstance(c, Switched)]
        assert agrees(finding.hold, (e for _, e in edges(law.amended(moved), "ante_play", thrown)))


@cites(SAIGON, "680a.12(c)")
def test_the_bonus_of_saigon():
    finding = found(SAIGON)["bonus"]
    assert not finding.agrees
    (change,) = finding.explanations[0]
    assert (change.hand, change.was, change.becomes) == ("two_pair", "8 to 1", "9 to 1")
    sizes = [sum(c.size[1] for c in changes) for changes in finding.explanations]
    assert sizes == sorted(sizes), "the smallest change comes first"


@pytest.mark.parametrize("id", [MD, MA])
def test_a_chapter_without_published_holds(id):
    assert reconcile(chapter(id)) == []


def test_rounding_is_to_the_digits_of_the_figure():
    assert printed(Fraction(29, 1000), "2.9%") == "2.9"
    assert printed(Fraction(28957, 10**6), "2.9%") == "2.9"
    assert printed(Fraction(1, 200), ".43%") == "0.50"
    assert agrees(
        Hold(wager="x", low=".43%", high=".49%", where=""),
        [Fraction(43, 10_000), Fraction(49, 10_000)],
    )
    assert not agrees(
        Hold(wager="x", low="3.62%", high="3.62%", where=""),
        [Fraction(3615, 100_000) - Fraction(1, 10**9)],
    )


def hold_of(law, wager, places):
    found_ = [edge for _, edge in edges(law, wager)]
    figures = [
        f"{printed(edge, '0.' + '0' * places + '%')}%" for edge in (min(found_), max(found_))
    ]
    return Hold(wager=wager, low=figures[0], high=figures[1], where="a test")


@settings(max_examples=12)
@given(st.data())
def test_a_payout_that_was_printed_wrongly_is_found(data):
    """Publish the hold of a table with one payout moved: the search finds a move at most as large."""
    id, wager = data.draw(
        st.sampled_from([(SAIGON, "bonus"), (PRIME, "prime"), (PRIME, "all_six")])
    )
    law = chapter(id)
    cells = [
        (d.wager, d.id, r.hand, r.pays) for d in law.paytable_data if d.wager == wager for r in d.rows
        if int(r.pays.split()[0]) < 300
    ]  # fmt: skip
    *cell, pays = data.draw(st.sampled_from(cells))
    steps = data.draw(st.integers(-3, 6).filter(bool))
    top = int(pays.split()[0]) + steps
    if top < 0:
        return
    other = law.amended({tuple(cell): f"{top} to 1"})
    hold = hold_of(other, wager, 4)
    finding = compare(law, hold)
    if finding.agrees:  # the extremes are other tables' and did not move
        return
    assert finding.explanations
    smallest = finding.explanations[0]
    assert len(smallest) == 1
    assert smallest[0].size[1] <= abs(steps)
    moved = {(c.wager, c.table, c.hand): c.becomes for c in smallest if isinstance(c, Payout)}
    thrown = [c.switch for c in smallest if isinstance(c, Switched)]
    assert agrees(hold, (e for _, e in edges(law.amended(moved), wager, thrown)))


@pytest.mark.parametrize("switch", [s.id for s in chapter(PRIME).switches])
def test_every_declared_switch_does_something_and_is_found(switch):
    """Publish the holds of the game with a switch thrown: it is among what explains them."""
    law = chapter(PRIME)
    thrown = next(s for s in law.switches if s.id == switch)
    plain = edges(law, "ante_play")
    other = edges(law, "ante_play", [thrown])
    assert plain != other
    figures = [
        f"{printed(e, '0.000000%')}%" for e in (min(x for _, x in other), max(x for _, x in other))
    ]
    if figures[0].startswith("-"):
        return  # a game that loses money has no hold to publish
    hold = Hold(wager="ante_play", low=figures[0], high=figures[1], where="a test")
    finding = compare(law, hold)
    assert any(c == (Switched(thrown),) for c in finding.explanations)


def test_two_changes_where_one_does_not_do():
    """Two payouts moved far enough that no single one explains four digits."""
    law = chapter(PRIME)
    moved = {
        ("prime", "standard", "same_color"): "2 to 1",
        ("prime", "standard", "same_color_both"): "9 to 1",
    }
    hold = hold_of(law.amended(moved), "prime", 6)
    finding = compare(law, hold)
    assert finding.explanations
    assert all(len(changes) == 2 for changes in finding.explanations)
    hands = {(c.hand, c.becomes) for c in finding.explanations[0]}
    assert hands == {("same_color", "2 to 1"), ("same_color_both", "9 to 1")}


def test_a_figure_that_nothing_explains():
    hold = replace(hold_of(chapter(PRIME), "prime", 6), low="77.777777%", high="99.999999%")
    finding = compare(chapter(PRIME), hold)
    assert not finding.agrees
    assert finding.explanations == ()
    assert finding.searched > 0


def test_an_amended_chapter_leaves_the_chapter_alone():
    law = chapter(SAIGON)
    before = law.paytables["bonus", "A"]["two_pair"].odds.text
    other = law.amended({("bonus", "A", "two_pair"): "9 to 1"}, {"seats": 5})
    assert other.paytables["bonus", "A"]["two_pair"].odds.text == "9 to 1"
    assert other.number("seats") == 5
    assert law.paytables["bonus", "A"]["two_pair"].odds.text == before == "8 to 1"
    assert law.number("seats") == 6
