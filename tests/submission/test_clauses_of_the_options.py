"""Every clause that a document cites is one that applies under the options of its table."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from drafts import furnished
from procedure_cards import card_of, read, steps
from pypdf import PdfReader

from houseway.drawing.clause_key import entries
from houseway.drawing.layout.layout import lay_out
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter, choose, cites
from houseway.law.required import required_equipment
from houseway.maths.par import table_entries
from houseway.submission.checks.run_checks import check
from houseway.submission.packet.applicability import left_out
from houseway.submission.packet.checklist import checklist
from houseway.submission.packet.packet import packet

SHUFFLED = {"shuffler": "counting"}
#: every way of dealing, with what depends on it
DEALT: dict[str, list[dict[str, Any]]] = {
    MD: [
        {"five_card_progressive": "A"},
        {"five_card_progressive": "B", "dealing": "hand", **SHUFFLED},
        {"five_card_progressive": "C", "dealing": "automated_shoe"},
        {"dealing": "automated_shoe", "dealer_stack": "left_in_shoe", "progressive": "C"},
        {"electronic": True, "dealing": "automated_shoe", "dealer_stack": "left_in_shoe"},
        {"electronic": True, "version": "both_compulsory", "ante_bonus": "mini_royal"},
        {"version": "ante_covers_pair_plus", "ante_bonus": "mini_royal"},
    ],
    MA: [
        {},
        {"progressive": "1"},
        {"dealing": "hand", **SHUFFLED},
        {"dealing": "hand", "progressive": "2", **SHUFFLED},
        {"dealing": "automated_shoe", "cover_all": True, **SHUFFLED},
        {"dealing": "automated_shoe", "dealer_stack": "left_in_shoe", "progressive": "3"},
        {"version": "both_compulsory", "ante_bonus": "A"},
    ],
    PRIME: [
        {"pair_bonus": "A"},
        {"pair_bonus": "B", "dealing": "hand", **SHUFFLED},
        {"pair_bonus": "C", "dealing": "automated_shoe"},
        {"pair_bonus": "D", "dealing": "automated_shoe", "shuffler": "reshuffling",
         "stacks_of_four": True},
    ],
    SAIGON: [
        {"bonus": "A"},
        {"dealing": "hand", **SHUFFLED},
        {"dealing": "automated_shoe"},
    ],
    DOWN_UNDER: [
        {"match_the_dealer": True},
        {"dealing": "continuous_shuffler"},
        {"shuffler": "reshuffling", "decks_in_play": 2, "settlement": "by_player"},
    ],
}  # fmt: skip
SETS = [(id, rules) for id in CHAPTERS for rules in DEALT[id]]


@cites(MD, "8.E(1)", "8.E(2)", "9.C(2)", "9.C(4)", "10.B(3)", "10.B(4)", "10.B(6)", "11.F(1)")
@cites(MA, "7(c)", "7(d)", "8(b)(2)(ii)", "8(c)", "8(d)", "9(c)(1)", "9(c)(2)", "9(d)", "13(d)(b)")
@cites(PRIME, "679a.8(c)", "679a.9(b)", "679a.10(b)", "679a.10(c)", "679a.10(g)(1)")
@cites(SAIGON, "680a.8(c)", "680a.9(b)", "680a.10(b)")
@cites(DOWN_UNDER, "685a.3(a)", "685a.7(a)")
@pytest.mark.parametrize(("id", "rules"), SETS)
def test_the_layout_cites_only_what_applies(id: str, rules: dict[str, Any]) -> None:
    submission = read(id, rules)
    absent = left_out(submission)
    for entry in entries(submission.rules, lay_out(submission.rules)):
        cited = [one for one in entry.clause.split(", ") if one]
        assert not set(cited) & set(absent), entry
        assert len(cited) == len(set(cited)), entry
    for says, clause in required_equipment(submission.rules).values():
        assert clause not in absent, says


@cites(MD, "7.F(2)", "7.G(1)", "7.G(2)", "7.G(3)")
@pytest.mark.parametrize(("id", "rules"), SETS)
def test_every_line_of_the_card_has_a_clause_that_applies(id: str, rules: dict[str, Any]) -> None:
    submission, card = card_of(id, tuple(rules.items()))
    absent = left_out(submission)
    explained = {law.says for law in submission.chapter.clauses.values()}
    for step in (one for part in card for one in (*part["steps"], *part["may"])):
        for line in (step, *step["also"]):
            assert line["clause"] not in absent, line
            assert line["clause"] or line["says"] in explained, line


def lines(id: str, **rules: Any) -> list[str]:
    card = card_of(id, tuple(rules.items()))[1]
    return [f"{line['says']} [{line['clause']}]" for part in card
            for step in (*part["steps"], *part["may"]) for line in (step, *step["also"])]  # fmt: skip


@cites(MD, "10.B(4)", "11.D(2)", "11.F(1)")
def test_the_dealers_cards_of_the_electronic_version_may_wait_in_the_shuffler() -> None:
    left = lines(MD, electronic=True, dealing="automated_shoe", dealer_stack="left_in_shoe")
    waits = "They stay in the shuffler until all players have acted. [10.B(4)]"
    assert left.index("Deal three cards to the dealer. [11.F(1)]") < left.index(waits)
    assert left.index(waits) < left.index("Take them out of the shuffler first. [11.D(2)]")
    assert waits not in lines(MD, electronic=True, dealing="automated_shoe")


@cites(MA, "10(b)", "12(b)")
def test_the_cards_that_a_wager_is_still_settled_on_do_not_go_to_the_rack() -> None:
    """Pair Plus of a folded hand is checked when the dealer's hand has been seen."""
    plain = lines(MA)
    assert any("stay on the table while another of its wagers" in one for one in plain)
    assert not any("Cover All" in one for one in plain)
    covered = lines(MA, cover_all=True, shuffler="plain")
    assert any("the cards of every folded hand stay. [12(b)]" in one for one in covered)


@cites(PRIME, "679a.13(d)")
def test_a_card_without_optional_wagers_settles_none() -> None:
    assert not any("ptional wager" in one for one in lines(PRIME))
    assert any("optional wagers are settled" in one for one in lines(PRIME, prime=True))


@cites(DOWN_UNDER, "685a.7(g)", "685a.7(h)", "685a.8(d)", "685a.11(b)")
@pytest.mark.parametrize("settlement", ["losers_first", "by_player"])
def test_the_dealer_offers_insurance_and_pays_it_only_on_a_blackjack(settlement: str) -> None:
    said = lines(DOWN_UNDER, settlement=settlement)
    offered = said.index("The dealer offers insurance or even money to each player. [685a.7(g)]")
    assert offered < next(at for at, one in enumerate(said) if "into the reader, unseen" in one)
    assert any("in no other round is insurance paid" in one for one in said)
    card = card_of(DOWN_UNDER, (("settlement", settlement),))[1]
    settled = next(step for step in steps(card) if "insurance" in step["wagers"])
    assert any("Insurance pays 2 to 1" in line["says"] for line in settled["also"])


def test_a_shoe_that_only_dispenses_is_not_said_to_shuffle() -> None:
    rules = choose(MD, {"dealing": "automated_shoe"})
    shoe = next(one for one in entries(rules, lay_out(rules)) if one.device == "dealing_shoe")
    assert shoe.name == "Dealing shoe: dispenses the cards in stacks"
    free = choose(DOWN_UNDER, {"dealing": "continuous_shuffler"})
    names = {one.device: one.name for one in entries(free, lay_out(free))}
    assert names["dealing_shoe"] == "Continuous shuffler: shuffles and deals"
    reader = "Reader: the Masque Card Reader, fixed to the top of the dealer's side"
    assert names["card_reader"] == reader


@cites(PRIME, "679a.12(e)", "679a.12(f)")
@cites(MA, "13(e)(a)")
def test_the_layout_as_filed_cites_each_table_of_a_panel() -> None:
    """Read from the PDF: two tables of the Pair Bonus, by its hand and by the fourth card."""
    for id, rules, clauses in (
        (PRIME, DEALT[PRIME][3], ("679a.12(e)", "679a.12(f)", "679a.10(g)(1)")),
        (MA, DEALT[MA][1], ("13(e)(a)", "13(d)(b)", "7(c)")),
    ):
        filed = packet(check(furnished(id, rules)), only=["layout"])
        text = " ".join(
            page.extract_text() for page in PdfReader(io.BytesIO(filed["2-layout.pdf"])).pages
        )
        for clause in clauses:
            assert clause in text, (id, clause)


@cites(DOWN_UNDER, "685a.3(a)", "685a.5(a)")
def test_the_checklist_says_who_shuffles() -> None:
    for rules, says, clause in (
        ({}, "by the dealer", "685a.5(a)"),
        ({"dealing": "continuous_shuffler"}, "by the continuous shuffler", "685a.3(a)"),
    ):
        rows = {row["option"]: row for row in checklist(read(DOWN_UNDER, rules))["options"]}
        assert (rows["shuffler"]["chosen"], rows["shuffler"]["clause"]) == (says, clause)


@cites(DOWN_UNDER, "685a.7(h)(1)", "685a.7(h)(2)", "685a.7(p)", "685a.7(q)", "685a.10(a)")
def test_a_bet_that_is_not_paid_does_not_cite_the_payout_odds() -> None:
    bet = next(one for one in table_entries(choose(DOWN_UNDER, {})) if one.wager == "bet")
    clauses = {one.outcome: one.clause for one in bet.outcomes}
    assert {clauses[one] for one in ("blackjack", "win", "doubled_win")} == {"685a.11(a)"}
    assert clauses["lose"] == clauses["doubled_lose"] == "685a.7(q)"
    assert clauses["push"] == clauses["doubled_push"] == "685a.7(p)"
    assert (clauses["both_blackjack"], clauses["dealer_blackjack"]) == (
        "685a.7(h)(1)", "685a.7(h)(2)"
    )  # fmt: skip


@cites(PRIME, "679a.12(a)", "679a.12(b)")
def test_odds_are_not_broken_over_two_lines() -> None:
    """In the report as filed no line of a table begins with the end of its odds."""
    filed = packet(check(furnished(PRIME, {"bad_beat": "B"})), only=["mathematics"])
    pages = PdfReader(io.BytesIO(filed["5-mathematics.pdf"])).pages
    text = "\n".join(page.extract_text() for page in pages).replace("\N{NO-BREAK SPACE}", " ")
    assert "play 10 to 1" in text
    assert not re.search(r"(\d to|, play)\s*$", text, re.MULTILINE)


def test_an_alternative_clause_is_a_clause_of_its_chapter() -> None:
    for id in CHAPTERS:
        law = chapter(id)
        chosen = (choice for option in law.options.values() for choice in option.choices)
        entries_of_the_law = (law.about.areas, law.about.equipment, chosen)
        for others in (item.instead for several in entries_of_the_law for item in several):
            for other in others:
                assert not other.clause or other.clause in law.clauses
                assert set(other.when) <= set(law.options)
