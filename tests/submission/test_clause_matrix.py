"""The clause matrix: what each clause is met by, and what these options leave out."""

from __future__ import annotations

import re
from typing import Any

from drafts import FULL
from procedure_cards import card_of, cited

from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, cites
from houseway.submission.packet.clause_matrix import matrix


@cites(MD, "4.A", "5.D(1)", "7.C(1)", "7.F(2)", "11.D")
def test_the_matrix_points_to_every_step_of_a_clause() -> None:
    submission, card = card_of(MD, (("shuffler", "reshuffling"), ("version", "both_compulsory"),
                                    ("ante_bonus", "mini_royal")))  # fmt: skip
    rows = {row["clause"]: row for row in matrix(submission, card)}
    assert all(f"Opening {n}." in rows["4.A"]["how"] for n in (1, 2, 3))
    assert rows["7.C(1)"]["how"].endswith("Players stay seated until the round is over")
    assert rows["5.D(1)"]["met"] != "not at this table"  # the device of 5.I counts too
    assert re.fullmatch(r"Procedure card, Settlement 1 to \d+", rows["11.D"]["how"])
    # Pair Plus alone is not offered in this version
    assert rows["7.F(2)"]["met"] == "not at this table"
    assert "7.F(2)" not in cited(card)


def test_the_matrix_says_what_is_not_at_this_table() -> None:
    def away(id: str, **rules: Any) -> set[str]:
        submission, card = card_of(id, tuple(rules.items()))
        return {r["clause"] for r in matrix(submission, card) if r["met"] == "not at this table"}

    plain = away(MD)
    assert {"9.A", "10.A", "7.F(4)", "7.F(5)", "12.D(2)(a)", "12.E(1)(a)(i)", "11.D(8)(a)"} <= plain
    assert {"2.C", "8.C(1)", "5.D", "13.F", "13.H", "11.F(1)", "7.G", "3.B(1)"} <= plain
    assert not {"8.A", "8.E(1)", "8.F", "7.F(1)", "12.D(1)(a)", "2.A", "5.F", "3.A(1)"} & plain
    other = away(MD, progressive="B", pair_plus="B", dealing="automated_shoe")
    assert {"8.A", "9.A", "12.D(1)(a)", "12.E(1)(a)", "11.D(9)"} <= other
    assert not {"10.A", "7.F(4)", "12.D(2)(a)", "12.E(1)(b)", "2.C(1)", "13.G", "12.E"} & other
    # 8(e) counts the stub as 7(e) and (f) say
    hand = away(MA, dealing="hand", shuffler="plain")
    assert {"7(a)", "7(c)", "9(a)", "7(f)", "12(a)", "13(a)"} <= hand
    assert not {"7(e)", "7(e)(1)", "8(e)", "14(e)"} & hand
    assert {"679a.8(f)", "679a.5(d)"} <= away(PRIME, shuffler="reshuffling")
    assert "685a.7(f)" in away(DOWN_UNDER)
    assert "685a.7(f)" not in away(DOWN_UNDER, match_the_dealer=True)


@cites(MA, "13(d)(c)")
def test_an_option_of_a_wager_that_is_not_offered_leaves_its_clause_out() -> None:
    """How several winners share a meter is chosen, but there is no meter."""
    for offered, rules in ((True, {"progressive": "1"}), (False, {"progressive": "none"})):
        submission, card = card_of(MA, tuple(rules.items()))
        rows = {row["clause"]: row for row in matrix(submission, card)}
        assert (rows["13(d)(c)"]["met"] != "not at this table") is offered


@cites(MA, "12(g)", "13(d)(a)", "13(d)(b)")
def test_the_matrix_points_to_the_words_of_the_clause_itself() -> None:
    """From the meter comes a percentage, from the tray the rest; the highest hand alone counts."""
    submission, card = card_of(MA, tuple(FULL[MA].items()))
    how = {row["clause"]: row["how"] for row in matrix(submission, card)}
    assert "paid from what the meter shows" in how["13(d)(a)"]
    assert "chip tray" in how["13(d)(b)"]
    assert "Only the highest hand counts" in how["12(g)"]


@cites(DOWN_UNDER, "685a.5(h)")
def test_a_clause_that_two_choices_share_applies_with_either() -> None:
    """5(h) speaks of any shoe or device that reshuffles: a continuous shuffler is one."""
    for rules, applies in (
        ({"dealing": "continuous_shuffler"}, True),
        ({"shuffler": "reshuffling", "decks_in_play": 2}, True),
        ({"shuffler": "none"}, False),
    ):
        submission, card = card_of(DOWN_UNDER, tuple(rules.items()))
        rows = {row["clause"]: row for row in matrix(submission, card)}
        assert (rows["685a.5(h)"]["met"] != "not at this table") is applies, rules


@cites(MD, "4.C(2)", "8.E(1)")
def test_the_matrix_names_who_keeps_a_clause_at_a_real_table() -> None:
    submission, card = card_of(MD, ())
    how = {row["clause"]: row["how"] for row in matrix(submission, card)}
    assert how["4.C(2)"] == "Procedure card, Opening 6. Dealer: Wash the cards"
    assert how["8.E(1)"].startswith("Procedure card, Dealing 1. Dealer: ")
    for id in CHAPTERS:
        submission, card = card_of(id, tuple(FULL[id].items()))
        for row in matrix(submission, card):
            assert "program" not in row["how"]
            assert "_" not in row["how"], row


@cites(MD, "12.E(1)(a)(i)", "12.E(3)(b)", "12.G(3)(g)")
def test_the_matrix_sends_payouts_and_meters_to_the_rules_submission() -> None:
    submission, card = card_of(MD, tuple(FULL[MD].items()))
    how = {row["clause"]: row["how"] for row in matrix(submission, card)}
    paid = {"12.E(1)(a)(i)": "100% of meter", "12.G(3)(g)": "9 for 1", "12.D(1)(a)": "35 to 1"}
    for clause, odds in paid.items():
        assert how[clause] == f"Paid {odds}; see the paytables in the Rules Submission"
    for clause in ("12.E(3)(a)", "12.E(3)(b)"):
        assert how[clause].startswith("See the progressive meters in the Rules Submission")
