"""Every figure that the second program can work out is the sheet's, and is recorded as checked."""

import json
import os
import re
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
import second_counts
import second_hold
import second_together
from second_program import POKER, THREE_NAMES, Worked, work_out

import houseway
from houseway.games.three_card.maths.counting import tallies
from houseway.law import CHAPTERS, DOWN_UNDER, MD, SAIGON, chapter, choose
from houseway.maths.checked import (
    hash_of,
    hashes_of,
    joint_counts,
    parts_of,
    recorded,
    statement,
    together_of,
)
from houseway.maths.joint.joint_wagers import everything
from houseway.maths.par import Asked, entries_of, par, quick_wagers, wager_ids
from houseway.maths.sheet import Sheet

RECORD = Path(houseway.__file__).parent / "maths" / "checked.json"
#: what is worked out in a moment; the rest takes minutes
SHORT = ("three_cards", "colors", "fourth_card", "matched_cards", "dealer_blackjack", "set_hands")


def quick_entries(id):
    law = chapter(id)
    return [entry for one in quick_wagers(law) for entry in entries_of(Asked(law), one)]


def rows_of(entry):
    """The rows by outcome and what comes back: how often."""
    found = {}
    for row in entry.outcomes:
        key = "+".join(sorted(row.outcome.split("+"))), row.back
        found[key] = found.get(key, Fraction(0)) + Fraction(row.ways, entry.deals)
    return {key: chance for key, chance in found.items() if chance}


def compare_meters(entry, found):
    out = entry.progressive.out()
    assert Fraction(out["fixed_return"]) == found["fixed_return"]
    assert Fraction(out["at"].house_edge) == found["edge"]
    for name, meter in out["meters"].items():
        told = Fraction(meter.probability), Fraction(meter.share), Fraction(meter.break_even)
        assert told == found[name]
        assert bool(meter.says) == (found["edge"] + _paid(entry, found, name) < 0)
    assert ("long_run" in out) == ("long_run" in found)
    if "long_run" in out:
        assert Fraction(out["long_run"].long_run_return) == found["long_run"]
    assert ("beside_ante" in out) == ("beside" in found)
    if "beside_ante" in out:
        beside = out["beside_ante"]
        assert Fraction(beside.fixed_return) == found["beside"]["fixed_return"]
        assert Fraction(beside.house_edge) == found["beside"]["edge"]
        for name, meter in beside.meters.items():
            told = Fraction(meter.probability), Fraction(meter.share), Fraction(meter.break_even)
            assert told == found["beside"][name]


def _paid(entry, found, name):
    """What the meter adds to the return."""
    chance, share, _ = found[name]
    return chance * share * entry.progressive.meters[name] / entry.progressive.wager.stake


def agrees(id, entry):
    """Compare every figure; the parts that there was anything to compare of."""
    found: Worked | None = work_out(id, entry)
    if found is None:
        return []
    spread, parts = entry.shown_spread, ["edge"]
    assert found.edge == entry.edge
    assert found.staked == spread.staked
    if found.nets:
        assert found.nets == dict(spread.distribution), (entry.wager, entry.paytable, entry.columns)
        parts.append("spread")
    if found.rows:
        kept = {key: chance for key, chance in found.rows.items() if chance}
        assert kept == rows_of(entry)
        parts += ["rows", "combinations"]
    if entry.strategy is not None:
        told = {one.strategy: Fraction(one.house_edge) for one in entry.strategy.alternatives}
        for name, edge in found.simpler.items():
            assert told[name] == edge
            parts.append(f"strategy {name}")
    if entry.progressive is not None:
        compare_meters(entry, found.meters)
        parts.append("meters")
    # the rows add up to the return to player
    total = sum(Fraction(row.ways, entry.deals) * row.back for row in entry.outcomes)
    assert total == 1 - found.edge
    return parts


def settled_on(id, entry):
    return next(w.settled_on for w in chapter(id).about.wagers if w.entry == entry.wager)


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_figures_that_are_worked_out_in_a_moment(id):
    for entry in quick_entries(id):
        if settled_on(id, entry) in SHORT and entry.columns.get("players", 1) in (1, 2, 7):
            assert agrees(id, entry)


def figures(id):
    """The hash of each part of a chapter's sheet that the second program agrees with."""
    law = chapter(id)
    for wager in wager_ids(law):
        for entry in entries_of(Asked(law), wager):
            hashes = hashes_of(entry)
            yield from (hashes[part] for part in agrees(id, entry))
    sheet = par(id)
    if second_together.agrees(sheet):
        yield hash_of("together", together_of(sheet))


def holds(id):
    """The same of the hold over many rounds, which is figured from the distribution."""
    sheet = par(id)
    for entry, hold in zip(sheet.entries, sheet.holds(), strict=True):
        if second_hold.agrees(dict(entry.shown_spread.distribution), hold):
            yield hashes_of(entry, hold)["hold"]


def at_any_stakes(id):
    """A sheet with a stake on every wager that has joint figures."""
    rules = everything(chapter(id))
    played = [w.id for w in rules.chapter.about.wagers
              if w.made == "before_deal" and w.settled_on != "all_hands"]  # fmt: skip
    return par(id, rules, at_stakes=dict.fromkeys(played, 500))


def counts(id):
    """The counts that figures at any stakes are added up from."""
    hashes = joint_counts(at_any_stakes(id))
    if not hashes:
        return
    queen = tallies.QUEEN_HIGH
    five = tallies.five_cards(queen) if "five_cards" in hashes else None
    colors = tallies.primes(queen) if "primes" in hashes else None
    if second_counts.agrees(tallies.duel(queen), tallies.splits(queen), five, colors):
        yield from hashes.values()


@pytest.mark.full
@pytest.mark.slow
@pytest.mark.parametrize("what", [figures, holds, counts], ids=["figures", "holds", "counts"])
@pytest.mark.parametrize("id", CHAPTERS)
def test_every_figure_and_the_record_of_them(id, what):
    """With HOUSEWAY_WRITE_CHECKED the record is rewritten from what agrees."""
    checked, name = sorted(set(what(id))), f"{id} {what.__name__}"
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    if os.environ.get("HOUSEWAY_WRITE_CHECKED"):
        record[name] = checked
        text = json.dumps(record, indent=0, sort_keys=True)
        RECORD.write_text(f"{text}\n", encoding="utf-8")
    assert checked == record[name]


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_the_hold_of_the_first_entry_of_each_wager(id):
    law = chapter(id)
    entries = [entries_of(Asked(law), one)[0] for one in quick_wagers(law)]
    sheet = Sheet(law, None, entries)
    for entry, hold in zip(entries, sheet.holds((1, 2, 50, 1_000, 10_000)), strict=True):
        assert second_hold.agrees(dict(entry.shown_spread.distribution), hold)


@pytest.mark.parametrize("id", CHAPTERS[:4])
def test_what_is_called_checked_is_what_was_checked(id):
    """A figure that changes has another hash: every part of these sheets is on record today."""
    sheet = par(id)
    for entry, hold in zip(sheet.entries, sheet.holds(), strict=True):
        for part, value in hashes_of(entry, hold).items():
            assert value in recorded(), (entry.wager, entry.paytable, entry.columns, part)
    assert hash_of("together", together_of(sheet)) in recorded()


def test_a_sheet_says_what_was_checked():
    said = statement(par("md-three-card-poker"))
    assert said.startswith("Recomputed by a second program, exactly: house edge")
    assert "hash" in said
    assert not re.search(r"\d of \d", said)
    assert "Not recomputed" not in said
    law = chapter("md-three-card-poker")
    amended = law.amended({("pair_plus", "A", "pair"): "2 to 1"})
    entries = entries_of(Asked(amended), "pair_plus")
    hashes = hashes_of(entries[0])
    assert {part for part in hashes if hashes[part] in recorded()} == {"combinations"}
    assert set(parts_of(entries[0])) == {"edge", "spread", "rows", "combinations"}
    sheet = Sheet(amended, None, entries[:1])
    assert "exactly: combinations of each outcome" in statement(sheet)
    assert statement(sheet, sheet.holds()).endswith(
        "Not recomputed: hold over many rounds (within 1e-9). "
        + statement(sheet).partition("paid here). ")[2]
    )


def test_at_another_meter_the_combinations_are_those_that_were_checked():
    law = chapter(MD)
    meters = {"progressive": 1_234_500, "five_card_progressive": 9_876_500}
    for wager in meters:
        sheet = Sheet(law, None, entries_of(Asked(law, meters=meters), wager))
        one_meter = [entry for entry in sheet.entries if set(entry.progressive.meters) == {wager}]
        hashes = [hashes_of(entry) for entry in one_meter]
        assert hashes
        assert not any(one["rows"] in recorded() for one in hashes)
        assert all(one["combinations"] in recorded() for one in hashes)
        assert "Not recomputed" not in statement(sheet)


@pytest.mark.parametrize("id", [one for one in CHAPTERS if one != DOWN_UNDER])
def test_figures_at_any_stakes_come_from_counts_that_were_checked(id):
    sheet = at_any_stakes(id)
    assert set(joint_counts(sheet).values()) <= recorded()
    said = statement(sheet)
    assert "Not recomputed" not in said
    assert ("added up from" in said) == (id != SAIGON)


def test_joint_figures_of_a_table_s_own_choice_come_from_checked_counts():
    """Whatever the rates are: what a meter adds follows from how often it pays."""
    chosen = {"pair_plus": "E", "six_card_bonus": "F", "five_card_progressive": "A"}
    terms = {"rate": "31%", "seed": "1000.00", "reset": "1000.00"}
    sheet = par(MD, choose(MD, chosen, meters={"five_card_progressive": terms}))
    assert hash_of("together", together_of(sheet)) not in recorded()
    assert "added up from" in statement(sheet)
    assert "the wagers together" not in statement(sheet)
    assert "Not recomputed" not in statement(sheet)


def test_figures_that_a_payout_limit_cuts_are_not_called_checked():
    rules = choose(SAIGON, {"bonus": "A", "payout_limit": "50000.00"})
    sheet = par(SAIGON, rules, at_stakes={"ante": 1000, "bonus": 1000})
    assert "exactly: combinations of each outcome" in statement(sheet)
    assert "the figures at these stakes" in statement(sheet).partition("Not recomputed: ")[2]


def brings(odds, stake, meter=100_000):
    """What comes back of a wager, in cents; a meter shows its reset."""
    if odds.kind == "meter":
        return odds.value * meter
    return (odds.value + (odds.kind == "to")) * stake


@pytest.mark.full
@pytest.mark.slow
@pytest.mark.parametrize(
    ("ante", "pair", "five"), [(100, 0, 100), (1000, 500, 500), (700, 300, 100)]
)
def test_the_loss_at_stakes_by_counts_of_the_second_program(ante, pair, five):
    """Ante and play, Pair Plus and the five-card progressive, which a fold forfeits (11.C)."""
    tables = chapter(MD).paytables
    bonus, plus, cards = (
        tables[key]
        for key in (("ante_bonus", "A"), ("pair_plus", "A"), ("five_card_progressive", "A"))
    )
    hands = played = 0
    alone = jointly = Fraction(0)
    for _, _, category, ways, _, _, duel, _, _, fives in second_counts.counted():
        name = THREE_NAMES[category]
        more = bonus[name].odds.value if name in bonus.pays else Fraction(0)
        low = sum(map(int, duel[:3]))
        won = low * (1 + more) + int(duel[3]) * (2 + more) + int(duel[4]) * more
        won = (won + int(duel[5]) * (more - 2)) * ante / (ways * comb(49, 3))
        back = brings(plus[name].odds, pair) if name in plus.pays else Fraction(0)
        for kind, hand in enumerate(POKER[:7]):
            share = Fraction(int(fives[kind][0]), ways * comb(49, 2))
            back += share * brings(cards[hand].odds, five)
        hands += ways
        for jointly_played in (True, False):
            plays = won + (back if jointly_played else 0) > -ante
            net = (won + back if plays else -ante) - pair - five
            if jointly_played:
                jointly += ways * net
                played += ways * plays
            else:
                alone += ways * net
    stakes = {"ante": ante, "pair_plus": pair, "five_card_progressive": five}
    out = (
        par(MD, at_stakes={name: stake for name, stake in stakes.items() if stake}).out().at_stakes
    )
    assert hands == comb(52, 3)
    assert Fraction(out.separately.expected_loss) == -alone / hands / 100
    assert Fraction(out.jointly.expected_loss) == -jointly / hands / 100
    assert out.jointly.strategy.data["hands_played"] == played
