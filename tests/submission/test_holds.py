"""Wagers that lose are warned of, and a comparison says what a change does to each hold."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from commands import run_apart
from drafts import changed, draft, furnished, warnings

from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, chapter, choose, cites
from houseway.maths.par import Asked, entries_of, par, wager_ids
from houseway.submission.checks.run_checks import check
from houseway.submission.comparison import changes, clause_of
from houseway.submission.file import Submission
from houseway.submission.packet.holds import hold_changes, holds
from houseway.submission.packet.mathematics import mathematics


def submission(tables: dict) -> Submission:
    found = check(tables)
    assert found.submission is not None
    return found.submission


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_printed_table_that_no_meter_feeds_keeps_something(id: str) -> None:
    """So that `check` need not compute what is known: progressives, own tables and the bet at
    blackjack are open."""
    asked = Asked(chapter(id))
    for wager in wager_ids(chapter(id)):
        for entry in entries_of(asked, wager) if wager != "bet" else ():
            if entry.spread is not None:
                assert entry.spread.edge > 0, (entry.wager, entry.paytable)


@cites(DOWN_UNDER, "685a.3(a)", "685a.3(d)(3)")
@pytest.mark.parametrize("reading", ["stands", "counts_as_12"])
@pytest.mark.parametrize("decks", [4, 6])
def test_the_bet_at_blackjack_is_warned_of_where_it_loses(decks: int, reading: str) -> None:
    chosen = {"decks": decks, "dealer_soft_22": reading}
    rules = choose(DOWN_UNDER, chosen)
    ours = [
        entry.spread.edge
        for entry in entries_of(Asked(rules.chapter, rules), "bet")
        if entry.columns["dealer_soft_22"] == reading and entry.spread is not None
    ]
    assert len(ours) == 1
    found = warnings(changed(DOWN_UNDER, rules=chosen))
    assert ("returns_more_than_it_takes" in found) is (ours[0] <= 0)
    # and the hold of the table is that of its own reading
    assert [hold.edge for hold in holds(rules) if hold.wager == "bet"] == ours


@cites(MA, "13(d)")
def test_massachusetts_third_progressive_table_is_warned_of() -> None:
    """Its fixed return alone, counted here: mini royals of three suits, straight flushes, threes
    of a kind and straights, each with what the table pays for one."""
    of_22100 = {"mini_royal": 3, "straight_flush": 44, "three_of_a_kind": 52, "straight": 720}
    for table in ("1", "2", "3"):
        pays = chapter(MA).paytables["progressive", table].pays
        fixed = sum(
            Fraction(ways, 22100) * pays[hand].odds.value
            for hand, ways in of_22100.items()
            if hand in pays
        )
        terms = {"progressive": {"rate": "1%", "seed": "100.00", "reset": "100.00"}}
        found = warnings(furnished(MA, {"progressive": table}, meters=terms))
        assert ("returns_more_than_it_takes" in found) is (fixed >= 1), table
    assert found["returns_more_than_it_takes"].field == "rules.progressive"


@cites(MD, "12.E(3)(a)")
def test_a_rate_that_gives_all_back_in_the_long_run_is_warned_of() -> None:
    def found(rate: str) -> bool:
        terms = {"progressive": {"rate": rate, "seed": "1000.00", "reset": "1000.00"}}
        tables = furnished(MD, {"progressive": "A"}, meters=terms)
        return "returns_more_than_it_takes" in warnings(tables)

    assert not found("14%")
    assert found("90%")


@cites(MA, "11(a)(2)")
def test_an_own_table_that_returns_more_than_it_takes() -> None:
    least = {
        hand: str(pay.odds)
        for hand, pay in chapter(MA).paytables["pair_plus", "minimum"].pays.items()
    }
    own = {"pair_plus": "own"}
    assert warnings(changed(MA, rules=own, paytables={"pair_plus": least})) == {}
    beside = warnings(changed(MA, paytables={"pair_plus": least}))
    assert set(beside) == {"own_table_counts"}
    rich = {**least, "pair": "2 to 1"}
    found = warnings(changed(MA, paytables={"pair_plus": rich}))
    assert found["returns_more_than_it_takes"].clause == "11(a)(2)"


@cites(MD, "12.D")
def test_a_comparison_says_what_changed_and_what_it_does() -> None:
    old = submission(draft(MD))
    new = submission(changed(MD, rules={"pair_plus": "B"}, submission={"reference": "2"}))
    found = {one.field: one for one in changes(old, new)}
    assert set(found) == {"submission.reference", "rules.pair_plus"}
    assert (found["rules.pair_plus"].old, found["rules.pair_plus"].new) == ("A", "B")
    assert found["rules.pair_plus"].clause == "12.D"
    (move,) = hold_changes(holds(old.rules), holds(new.rules))
    rows = {
        table: sum(
            Fraction(ways, 22100) * chapter(MD).paytables["pair_plus", table][hand].odds.value
            for hand, ways in {
                "straight_flush": 48, "three_of_a_kind": 52, "straight": 720, "flush": 1096,
                "pair": 3744,
            }.items()
        )
        for table in ("A", "B")
    }  # fmt: skip
    assert move.change == rows["A"] - rows["B"]
    assert changes(old, old) == []


def test_a_wager_that_is_new_and_one_that_is_gone() -> None:
    plain, more = submission(draft(PRIME)), submission(changed(PRIME, rules={"prime": True}))
    (came,) = hold_changes(holds(plain.rules), holds(more.rules))
    (went,) = hold_changes(holds(more.rules), holds(plain.rules))
    assert came.old is went.new is None
    assert came.new is not None
    assert came.new.wager == "prime"
    assert came.change is None


@cites(DOWN_UNDER, "685a.3(a)")
def test_another_number_of_decks_is_a_change_of_every_hold() -> None:
    six, eight = (holds(choose(DOWN_UNDER, {"decks": decks})) for decks in (6, 8))
    moves = {move.either.wager: move for move in hold_changes(six, eight)}
    assert set(moves) == {"bet", "insurance"}
    assert all(move.change is not None for move in moves.values())
    # of one deck's 51 other cards 16 are tens; insurance pays 2 to 1
    edges = [1 - Fraction(3 * 16 * decks, 52 * decks - 1) for decks in (6, 8)]
    assert moves["insurance"].change == edges[1] - edges[0]


@pytest.mark.parametrize("id", CHAPTERS)
def test_every_field_of_the_rules_has_its_clause(id: str) -> None:
    law = chapter(id)
    for option in law.options:
        assert clause_of(law, f"rules.{option}") in law.clauses
    for wager in law.wagers:
        assert clause_of(law, f"limits.{wager}.min") in law.clauses
    for approval in law.about.approvals:
        assert clause_of(law, f"approvals.{approval.id}") == approval.clause
    assert clause_of(law, "table.seats") == law.fact("seats").clause


@pytest.mark.slow
def test_the_command_shows_both(tmp_path: Path) -> None:
    files = []
    for name, pair_plus in (("old", "A"), ("new", "C")):
        tables = changed(MD, rules={"pair_plus": pair_plus})
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(submission(tables).as_file()))
        files.append(str(path))
    done = run_apart("diff", *files, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    assert [one["field"] for one in answer["changes"]] == ["rules.pair_plus"]
    (hold,) = answer["holds"]
    edges = [
        next(e.spread.edge for e in par(MD, choose(MD, {"pair_plus": t})).entries
             if e.wager == "pair_plus" and e.spread)
        for t in ("A", "C")
    ]  # fmt: skip
    assert [Fraction(hold["old"]), Fraction(hold["new"])] == edges
    shown = run_apart("diff", *files).stdout
    assert "Pair Plus" in shown
    assert "12.D" in shown
    assert run_apart("diff", files[0], files[0]).stdout.strip() == "nothing changed"
    other = tmp_path / "other.json"
    other.write_text(json.dumps(submission(draft(PRIME)).as_file()))
    assert run_apart("diff", files[0], str(other)).returncode == 2


@cites(MA, "10(b)", "11(a)(1)")
@cites(MD, "11.B", "11.D(3)(c)")
@pytest.mark.parametrize("id", [MA, MD])
def test_two_simple_ways_to_play_that_are_one_stand_in_one_row(id: str) -> None:
    """The dealer qualifies with queen high, so playing as he does is playing every queen."""
    part = next(
        one for one in mathematics(choose(id, {}))["wagers"] if one["name"] == "Ante and Play"
    )
    assert [row[0] for row in part["alternatives"]] == [
        "play every hand",
        "play every hand of queen high or better",
    ]
