"""Several wagers of one seat played jointly: decisions hand by hand, and what that gains."""

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from plain_deals import columns_of, deck

from houseway.cards import cards
from houseway.errors import Refused
from houseway.game_api import poker
from houseway.games.three_card import hands as three_card
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, chapter, choose, cites
from houseway.maths.joint.joint_wagers import everything
from houseway.maths.par import par
from houseway.maths.sheet_text import stakes_lines

TABLE = chapter(MD).paytables["five_card_progressive", "A"]


def back_of_five(hand, meter):
    """What one unit on five cards gets back on average with this hand, community by community."""
    left = [card for card in deck() if card not in hand]
    total = Fraction(0)
    for two in combinations(left, 2):
        found = TABLE.pays.get(poker.best_five((*hand, *two)))
        if found is not None:
            odds = found.odds
            total += (
                odds.value * meter if odds.kind == "meter" else odds.value + (odds.kind == "to")
            )
    return total / comb(49, 2)


def worth_of_play(hand):
    """Ante and play against every dealer's hand, 11.D: a hand without any bonus."""
    low_below, low_level, low_above, below, _, above = columns_of(hand, deck())
    wins_ante = low_below + low_level + low_above
    return Fraction(wins_ante + 2 * below - 2 * above, comb(49, 3))


@cites(MD, "11.C(2)", "12.G(1)")
@pytest.mark.slow
@pytest.mark.parametrize(("ante", "five"), [(1, 1), (3, 1), (10, 1)])
def test_each_decision_is_the_best_for_both_wagers(ante, five):
    stakes = {"ante": ante * 100, "five_card_progressive": five * 100}
    out = par(MD, at_stakes=stakes).out().at_stakes
    data = out.jointly.strategy.data
    lowest = data["lowest_hand_played"]
    folded = set(data.get("folded_at_or_above_it", ()))
    for text in ("2c 3d 5h", "2c 3d 7h", "2c 4d 7h", "3c 4d 8h", "9c Td 7h", "Jc 9d 8h", "Qc 6d 3h",
                 "Qc 6d 4h", "Qc 5d 2h"):  # fmt: skip
        hand = cards(text)
        gain = ante * worth_of_play(hand) + five * back_of_five(hand, 1000) + ante
        ranks = "-".join(sorted((str(card)[0] for card in hand), key="AKQJT98765432".index))
        above = three_card.value(hand) >= three_card.value(
            cards([f"{rank}{suit}" for rank, suit in zip(lowest.split("-"), "cdh", strict=True)])
        )
        assert (gain > 0) == (above and ranks not in folded), text


@cites(MD, "11.C(2)")
def test_what_an_independent_program_found():
    """At equal stakes 17,300 hands instead of 14,900, worth 4.58% of the five-card wager."""
    out = par(MD, at_stakes={"ante": 100, "five_card_progressive": 100}).out().at_stakes
    assert out.jointly.strategy.data["hands_played"] == 17_300
    assert "Q-6-4" in out.separately.says
    assert round(float(out.gain_percent["five_card_progressive"]), 2) == 4.58
    ten = par(MD, at_stakes={"ante": 1000, "five_card_progressive": 100}).out().at_stakes
    assert 0 < float(ten.gain_percent["five_card_progressive"]) < 0.02
    # the edges of the wagers alone stay as they are
    assert (
        Fraction(out.separately.wagers["ante_play"]) == par(MD).find("ante_play", "A").spread.edge
    )


@cites(MA, "10(b)")
def test_where_a_fold_forfeits_nothing_else_there_is_nothing_to_gain():
    out = par(MA, at_stakes={"ante": 1000, "pair_plus": 500}).out().at_stakes
    assert out.jointly is None
    assert out.gain == ""
    ante, pair = (par(MA).find(*key).spread.edge for key in (("ante_play",), ("pair_plus",)))
    assert Fraction(out.separately.expected_loss) == 10 * ante + 5 * pair


@cites(MA, "13(c)")
def test_a_progressive_that_no_folded_hand_wins_gains_nothing():
    """A fold forfeits it, or not, as the house chooses; it pays straights and better alone."""
    stakes = {"ante": 1000, "progressive": 100}
    names = {"ante": "Ante and Play", "progressive": "Progressive"}
    chosen = {"progressive": "1", "several_meter_hits": "shared"}
    found = {}
    for settled in (False, True):
        rules = choose(MA, chosen | {"folded_hands_win_progressive": settled})
        found[settled] = par(MA, rules, at_stakes=stakes).out().at_stakes
    assert found[True].jointly is None
    assert "A fold touches none of these wagers." in stakes_lines(found[True], names)
    assert Fraction(found[False].gain) == 0
    assert "That gains nothing: it is also the best play of each wager alone." in stakes_lines(
        found[False], names
    )
    assert found[True].separately == found[False].separately


@pytest.mark.parametrize("id", [one for one in CHAPTERS if one != DOWN_UNDER])
def test_every_chapter_can_be_asked(id):
    rules = everything(chapter(id))
    first, second, *_ = (w for w in rules.chapter.about.wagers if w.made == "before_deal")
    out = par(id, rules, at_stakes={first.id: 1000, second.id: 500}).out().at_stakes
    assert out.wagered == "15.00"
    assert float(out.separately.standard_deviation) > 5


def test_a_bad_stake_is_refused():
    for stakes in ({"nothing": 100}, {"five_card_progressive": 100}, {"ante": 0}):
        with pytest.raises(Refused):
            par(MD, at_stakes=stakes)
    with pytest.raises(Refused, match="other seats"):
        par(MA, everything(chapter(MA)), at_stakes={"ante": 100, "cover_all": 100})
