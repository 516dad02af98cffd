"""The procedure card, over every combination of options that a step asks for."""

from __future__ import annotations

import io
from itertools import product
from typing import Any

import pytest
from drafts import FULL
from procedure_cards import card_of, cited, numbered, read, steps
from pypdf import PdfReader

from houseway.cards import SeededSource
from houseway.drawing.layout.inscriptions import odds_text, tables_in_force
from houseway.errors import Refused
from houseway.law import (
    CHAPTERS,
    DOWN_UNDER,
    MA,
    MD,
    PRIME,
    SAIGON,
    Chapter,
    chapter,
    choose,
    cites,
)
from houseway.present.teaching import rule_of_thumb
from houseway.submission.checks.run_checks import Checked
from houseway.submission.packet.applicability import left_out
from houseway.submission.packet.clause_matrix import matrix
from houseway.submission.packet.packet import packet
from houseway.submission.packet.playthrough import played_through
from houseway.submission.packet.procedure_card import procedure_card
from houseway.table import NextStep, next_steps
from houseway.table.driver import Driver


def combinations(law: Chapter) -> list[dict[str, Any]]:
    """Every valid choice of the options that occur in a step's condition, one value of each kind.

    Values that no condition tells apart are of one kind.
    """
    conditions = [step.when for step in law.procedure]
    conditions += [also.when for step in law.procedure for also in step.also]
    names = dict.fromkeys(name for when in conditions for name in when)
    values = []
    for name in names:
        kinds: dict[tuple[bool, ...], Any] = {}
        for choice in law.options[name].choices:
            answers = (choice.value in when[name] for when in conditions if name in when)
            kinds.setdefault(tuple(answers), choice.value)
        values.append(list(kinds.values()))
    found = []
    for chosen in product(*values):
        rules = dict(zip(names, chosen, strict=True))
        try:
            choose(law, rules)
        except Refused:
            continue
        found.append(rules)
    return found


EVERY = [(id, rules) for id in CHAPTERS for rules in combinations(chapter(id))]
#: a few of each chapter in the short run
SOME = [one for id in CHAPTERS for one in [e for e in EVERY if e[0] == id][::37]]

#: Clauses of numbered steps in the order of the text, where both are on a card.
ORDER: dict[str, list[list[str]]] = {
    MD: [
        ["4.A", "4.B", "4.C", "4.C(2)", "5.A", "5.F", "7.A"],
        ["7.A", "8.C", "8.C(2)(b)", "8.E(1)", "8.E(2)", "8.E(3)", "8.F", "11.B"],
        ["7.A", "9.B", "9.B(2)(b)", "9.C(2)", "9.C(4)", "9.C(5)", "9.D", "11.B"],
        ["7.A", "7.D", "10.A(3)(b)", "10.B(1)", "10.B(2)", "10.B(3)", "10.B(5)", "10.C", "11.B"],
        ["11.B", "11.D(1)", "11.D(2)", "11.D(3)(a)", "11.D(3)", "11.E"],
        ["11.D(3)(a)", "11.D(9)(b)", "11.E"],
    ],
    MA: [
        ["4(a)", "4(b)", "4(c)", "5(a)", "6(b)", "10(b)", "10(c)(1)(i)", "10(c)(1)", "10(c)(1)(iv)"],
        ["6(b)", "7(b)", "13(b)", "7(c)", "7(d)", "7(e)", "10(b)"],
        ["6(b)", "8(b)(3)", "13(b)", "8(c)", "8(d)", "8(e)", "10(b)"],
        ["6(b)", "9(b)(2)", "13(b)", "9(c)", "9(d)", "9(e)", "10(b)"],
        ["10(b)", "10(c)(2)(i)", "10(c)(2)", "10(c)(2)(iii)"],
    ],
    PRIME: [
        ["679a.4(a)", "679a.4(b)", "679a.4(c)", "679a.5(a)", "679a.5(d)", "679a.7(a)"],
        ["679a.8(b)", "679a.8(c)", "679a.8(d)", "679a.8(e)", "679a.11(b)", "679a.11(c)"],
        ["679a.11(c)", "679a.11(c)(1)", "679a.11(c)(3)", "679a.11(d)(2)(ii)", "679a.11(e)"],
    ],
    SAIGON: [
        ["680a.5(a)", "680a.5(d)", "680a.7(a)", "680a.8(b)", "680a.8(c)", "680a.8(d)", "680a.8(e)"],
        ["680a.11(b)", "680a.11(c)", "680a.11(d)(2)(ii)", "680a.11(e)", "680a.11(f)"],
    ],
    DOWN_UNDER: [
        ["685a.5(a)", "685a.5(d)", "685a.7(c)", "685a.6(d)", "685a.7(e)", "685a.7(e)(1)"],
        ["685a.7(e)(1)", "685a.7(e)(2)", "685a.7(e)(3)", "685a.7(e)(4)", "685a.7(f)", "685a.8(a)"],
        ["685a.7(f)", "685a.7(h)", "685a.8(d)", "685a.7(i)(2)", "685a.7(l)", "685a.7(m)"],
        ["685a.8(a)", "685a.8(b)", "685a.7(h)"],
        ["685a.7(m)", "685a.7(r)(1)", "685a.7(s)"],
        ["685a.7(m)", "685a.7(r)(2)", "685a.7(s)"],
    ],
}  # fmt: skip
#: Clauses of which a table has one and not the other.
NEVER_TOGETHER: dict[str, list[set[str]]] = {
    MD: [{"10.B(3)", "10.B(4)"}, {"8.E(1)", "9.C(2)", "10.B(2)"}, {"8.C", "9.B"}, {"13.F", "13.G"}],
    MA: [{"9(c)(1)", "9(c)(2)"}, {"7(c)", "8(c)", "9(c)"}, {"10(c)(1)", "10(c)(2)"}],
    PRIME: [{"679a.10(b)", "679a.10(g)"}, {"679a.8(c)", "679a.9(b)", "679a.10(b)"}],
    SAIGON: [{"680a.8(c)", "680a.9(b)", "680a.10(b)"}],
    DOWN_UNDER: [{"685a.7(r)(1)", "685a.7(r)(2)"}, {"685a.5(d)", "685a.5(h)"}],
}
#: Clauses of a cut, and of counting the stub, that a device takes over.
CUT = {MD: "5.F", PRIME: "679a.5(d)", SAIGON: "680a.5(d)", DOWN_UNDER: "685a.5(d)"}
COUNT = {
    MD: ("8.F", "9.D", "10.C"), MA: ("7(e)", "8(e)", "9(e)"),
    PRIME: ("679a.8(e)", "679a.9(d)", "679a.10(d)"),
    SAIGON: ("680a.8(e)", "680a.9(d)", "680a.10(d)"), DOWN_UNDER: (),
}  # fmt: skip


def _sound(id: str, rules: dict[str, Any]) -> None:
    submission, card = card_of(id, tuple(rules.items()))
    found = numbered(card)
    for chain in ORDER[id]:
        there = [clause for clause in chain if clause in found]
        assert there == sorted(there, key=found.index), (chain, found)
    for pair in NEVER_TOGETHER[id]:
        assert len(pair & set(found)) < 2, pair
    device = submission.rules["shuffler"] != "none" and id != DOWN_UNDER
    if id in CUT:
        reshuffles = submission.rules["shuffler"] == "reshuffling"
        continuous = submission.rules["dealing"] == "continuous_shuffler"
        assert (CUT[id] in found) is not (device or reshuffles or continuous)
    counts = submission.rules["shuffler"] in ("counting", "reshuffling")
    # the stub is put away or counted: one step
    assert not any(clause in found for clause in COUNT[id])
    counted = [step for step in steps(card) for also in step["also"] if also["clause"] in COUNT[id]]
    assert bool(counted) is (not counts and id != DOWN_UNDER)
    assert {step["command"] for step in counted} <= {"remove_stub"}
    # the card and the matrix agree on what applies
    absent = {r["clause"] for r in matrix(submission, card) if r["met"] == "not at this table"}
    assert not absent & cited(card)
    # what is only a name inside the program is on no card
    for step in steps(card):
        for words in (step["says"], *(also["says"] for also in step["also"])):
            assert "_" not in words
            assert "seat 0" not in words
            assert "next wager" not in words


@cites(MD, "5.E(1)", "8.F", "9.D", "10.B(3)", "10.B(4)", "10.C", "11.D")
@cites(MA, "5(b)(1)", "7(f)", "9(c)(1)", "9(c)(2)", "10(c)(1)", "10(c)(2)")
@cites(PRIME, "679a.5(c)(1)", "679a.8(e)", "679a.10(g)")
@cites(SAIGON, "680a.5(c)(1)", "680a.8(e)")
@cites(DOWN_UNDER, "685a.5(h)", "685a.7(e)", "685a.7(f)", "685a.7(r)")
@pytest.mark.slow
def test_order_and_contradiction_for_some_combinations_of_options() -> None:
    assert {id for id, _ in SOME} == set(CHAPTERS)
    for id, rules in SOME:
        _sound(id, rules)


@pytest.mark.full
@pytest.mark.parametrize("id", CHAPTERS)
def test_order_and_contradiction_for_every_combination_of_options(id: str) -> None:
    for other, rules in EVERY:
        if other == id:
            _sound(id, rules)


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_a_live_table_asks_for_the_steps_of_the_card_in_that_order(id: str) -> None:
    """Rounds of another shuffle: what the house does is on the card, and in its order.

    What is done for each player in succession is in that order for each of them (680a.11(d)): a hand
    that is settled unturned comes before the next player's, which may be turned.
    """
    submission, card = card_of(id, tuple(FULL[id].items()))
    places = [(step["command"], step["clause"]) for step in steps(card)]
    once = [one for one in places if places.count(one) == 1]
    beside = {also["clause"] for step in steps(card) for also in step["also"]}
    driver = Driver(id, FULL[id], source=SeededSource(77))
    for seat in (1, 2, 3):
        driver.seat_player(seat, f"player {seat}")
    done: list[tuple[str, str]] = []
    of_seat: list[int] = []  # 0: everybody's
    house = driver.house

    def noted(steps: tuple[NextStep, ...] | None = None) -> bool:
        step = next((s for s in next_steps(driver.table, at=driver.clock.isoformat())
                     if s.kind == "next" and s.role != "player"), None)  # fmt: skip
        if step is not None:
            due = driver.table.due if step.command == "settle_next" else ()
            of_seat.append(due[0].seat if due else step.seat)
            done.append((step.command, step.clause))
        return house(steps)

    driver.house = noted  # type: ignore[method-assign]
    for number in range(6):
        driver.ready()
        for seat in (1, 2, 3):
            driver.wager(seat, {submission.chapter.about.wagers[0].id: "10.00"})
        driver.finish(lambda table, seat, asked: rule_of_thumb(table, seat))
        assert all(one in places or one[1] in beside for one in done), set(done) - set(places)
        if number:  # the opening is done once
            for seat in (1, 2, 3):
                its = [one for one, of in zip(done, of_seat, strict=True) if of in (0, seat)]
                first = [one for one in dict.fromkeys(its) if one in once]
                begun = next(n for n, one in enumerate(first) if one[0] in ("no_more_bets", "deal"))
                assert first[begun:] == sorted(first[begun:], key=once.index)
        done.clear()
        of_seat.clear()


@cites(MD, "11.F", "11.A(1)", "11.A(2)", "11.A(3)", "11.D(3)(a)")
@pytest.mark.parametrize("dealing", ["manual_shoe", "hand", "automated_shoe"])
def test_the_hands_of_the_electronic_version_are_nobody_s_own(dealing: str) -> None:
    """Community cards are not dealt to a player, held, turned or collected."""
    rules = {"electronic": True, "dealing": dealing, "six_card_bonus": "C", "shuffler": "plain"}
    submission, card = card_of(MD, tuple(rules.items()))
    every = [step for part in card for step in (*part["steps"], *part["may"])]
    said = " ".join(one["says"] for step in every for one in (step, *step["also"]))
    for words in ("your cards", "own hand", "your own", "three cards are turned", "their cards",
                  "player's three", "player's best"):  # fmt: skip
        assert words not in said
    for words in ("to each player with", "stacks face down", "Cards with a Six Card Bonus"):
        assert words not in said
    away = left_out(submission)
    owned = ("11.A(1)", "11.A(2)", "11.A(3)", "11.D(3)(a)")
    assert {*owned, "8.E(1)", "9.C(2)", "10.B(1)", "10.B(2)"} <= set(away)
    assert away["11.A(2)"].endswith("is offered")
    assert not set(owned) & set(left_out(read(MD, {"shuffler": "plain"})))
    _, linked = card_of(MD, tuple({**rules, "progressive": "A"}.items()))
    (placing,) = [step for step in steps(linked) if step["command"] == "place_wager"]
    assert not any("player's" in one["says"] for one in placing["also"])


@cites(MD, "7.F(2)", "7.G(1)")
def test_wagers_stand_in_the_order_of_the_text_where_their_clause_is_left_out() -> None:
    rules = {"version": "ante_covers_pair_plus", "ante_bonus": "mini_royal"}
    _, card = card_of(MD, tuple(rules.items()))
    (placing,) = [step for step in steps(card) if step["command"] == "place_wager"]
    said = [line["says"].partition(":")[0] for line in placing["also"]]
    assert said.index("Ante") < said.index("Pair Plus")


@cites(MD, "11.D(3)", "11.D(4)", "11.D(5)", "11.D(8)", "11.D(9)")
@cites(PRIME, "679a.11(d)", "679a.11(d)(1)", "679a.11(d)(2)", "679a.11(d)(3)")
@cites(SAIGON, "680a.11(e)")
@pytest.mark.parametrize(
    ("id", "order"),
    [
        (
            MD,
            ["ante", "play", "pair_plus", "progressive", "six_card_bonus", "five_card_progressive"],
        ),
        (PRIME, ["ante", "play", "prime", "pair_bonus", "all_six"]),
        (SAIGON, ["ante", "bonus"]),
        (DOWN_UNDER, ["match_the_dealer", "bet"]),
    ],
)
def test_wagers_are_settled_in_the_order_of_the_text(id: str, order: list[str]) -> None:
    _, card = card_of(id, tuple(FULL[id].items()))
    settled = [w for s in steps(card) if s["command"] == "settle_next" for w in s["wagers"]]
    assert [wager for wager in settled if wager in order][: len(order)] == order


@cites(MA, "10(c)(1)(ii)", "10(c)(1)(iii)", "12(j)", "13(e)(c)")
@cites(DOWN_UNDER, "685a.7(r)(1)", "685a.7(r)(2)")
def test_losing_wagers_are_collected_first_where_the_submission_says_so() -> None:
    for id, first, by_player in ((MA, "by_procedure", "by_player"),
                                 (DOWN_UNDER, "losers_first", "by_player")):  # fmt: skip
        rules = {**FULL[id], "settlement": first}
        says = [s["says"] for s in steps(card_of(id, tuple(rules.items()))[1])]
        collect = next(
            n for n, one in enumerate(says) if one.startswith("Collect the losing wagers")
        )
        pay = next(n for n, one in enumerate(says) if one.startswith("Pay or return the others"))
        assert collect < pay
        late = [n for n, one in enumerate(says) if "Cover All" in one or "Envy" in one]
        assert all(pay < n for n in late)
        rules = {**FULL[id], "settlement": by_player}
        says = [s["says"] for s in steps(card_of(id, tuple(rules.items()))[1])]
        assert not any(one.startswith("Collect the losing wagers") for one in says)


@cites(MD, "11.D(3)(c)")
@cites(PRIME, "679a.11(c)(3)(i)", "679a.11(c)(3)(iv)")
@cites(SAIGON, "680a.11(d)(1)")
@cites(DOWN_UNDER, "685a.7(n)(1)")
@pytest.mark.parametrize(
    ("id", "clauses"),
    [
        (MD, ["11.D(3)(c)", "11.D(3)(d)(iii)", "12.B(1)", "12.D(1)"]),
        (PRIME, ["679a.11(c)(3)(i)", "679a.11(c)(3)(iv)", "679a.12(c)"]),
        (SAIGON, ["680a.11(d)(1)", "680a.11(d)(2)(ii)(C)"]),
        (DOWN_UNDER, ["685a.7(n)(1)", "685a.7(p)", "685a.11(a)"]),
    ],
)
def test_the_card_says_how_wagers_go(id: str, clauses: list[str]) -> None:
    """Qualification, ties, bonuses, the dealer's 22."""
    assert set(clauses) <= cited(card_of(id, ())[1])


OPTION_SETS: dict[str, list[dict[str, Any]]] = {
    MD: [{}, FULL[MD], {"dealing": "automated_shoe", "dealer_stack": "left_in_shoe"},
         {"electronic": True, "dealing": "automated_shoe"}, {"version": "both_compulsory",
          "ante_bonus": "mini_royal", "shuffler": "reshuffling", "decks_in_play": 2}],
    MA: [{}, FULL[MA], {"settlement": "by_player", "progressive": "2"},
         {"dealing": "hand", "shuffler": "counting", "decks_in_play": 2},
         {"version": "both_compulsory", "ante_bonus": "B", "match_play": True}],
    PRIME: [{}, FULL[PRIME], {"dealing": "automated_shoe", "shuffler": "reshuffling",
            "stacks_of_four": True, "pair_bonus": "B"}, {"dealing": "hand", "shuffler": "plain"},
            {"prime": True, "shuffler": "counting", "decks_in_play": 2}],
    SAIGON: [{}, FULL[SAIGON], {"dealing": "hand", "shuffler": "plain"},
             {"dealing": "automated_shoe"}, {"shuffler": "reshuffling", "bonus": "A"}],
    DOWN_UNDER: [{}, FULL[DOWN_UNDER], {"dealing": "continuous_shuffler", "decks": 8},
                 {"settlement": "by_player", "mid_shoe_entry": False},
                 {"dealer_soft_22": "counts_as_12", "match_the_dealer": True}],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_the_printed_card_for_five_option_sets(id: str) -> None:
    """The PDF has every step in order, and every payout of a wager with one table."""
    for rules in OPTION_SETS[id]:
        submission = read(id, rules)
        checked = Checked(submission, ())
        pdf = PdfReader(io.BytesIO(packet(checked, ["procedure"])["4-procedure.pdf"]))
        text = "".join("".join(page.extract_text().split()) for page in pdf.pages)
        at = 0
        for step in steps(procedure_card(submission)):
            words = "".join(step["says"].split())
            place = text.find(words, at)
            assert place >= 0, (step["says"], rules)
            at = place
        for wager, tables in tables_in_force(submission.rules).items():
            if len(tables) == 1 and wager in submission.chapter.wagers:
                for pay in tables[0].pays.values():
                    assert "".join(odds_text(pay.odds).split()) in text, (wager, rules)


@cites(DOWN_UNDER, "685a.7(r)(2)")
@pytest.mark.parametrize("dealing", ["shoe", "continuous_shuffler"])
def test_a_player_s_wagers_are_settled_in_one_turn(dealing: str) -> None:
    """Whatever hands the cards happened to be dealt: the order of the step does not depend on them."""
    rules = {"settlement": "by_player", "dealing": dealing}
    card = card_of(DOWN_UNDER, tuple(rules.items()))[1]
    (turn,) = [step for step in steps(card) if step["clause"] == "685a.7(r)(2)"]
    assert turn["says"].startswith("Settle Bet, Double Down, Split and Insurance of this player")
    there = [one["clause"] for one in turn["also"] if one["clause"].startswith("685a.7(")]
    assert there == sorted(there)
    (each,) = [part["each"]["says"] for part in card if part["each"]]
    assert each.endswith("in succession, beginning farthest to the dealer's right.")


@cites(DOWN_UNDER, "685a.12(c)", "685a.12(i)")
@pytest.mark.parametrize("rules", [{}, {"dealing": "continuous_shuffler"}])
def test_the_card_says_what_to_do_with_a_broken_reader_and_an_exposed_card(
    rules: dict[str, Any],
) -> None:
    card = card_of(DOWN_UNDER, tuple(rules.items()))[1]
    trouble = {step["command"]: step["says"] for step in card[-1]["may"]}
    assert "reader is out of order: nothing is dealt" in trouble["device_breaks"]
    assert "as your next card, or refuse it" in trouble["refuse_card"]


#: kinds of clauses that say what is done at the table
PROCEDURAL = ("opening", "shuffle", "wager", "dealing", "decision", "settlement", "progressive",
              "irregularity")  # fmt: skip
#: Clauses of these kinds that other exhibits answer: approvals, amounts of meters, and what the words
#: of another step on the card contain.
ELSEWHERE: dict[str, set[str]] = {
    MD: {"4.D", "5.F(1)", "5.I", "7.F(5)(a)", "8.A", "9.A(1)", "9.C(3)", "11.D(7)(d)", "11.D(9)(f)",
         "12.E(3)(b)"},
    MA: {"5(c)(1)(iii)", "5(c)(2)", "6(a)(3)", "8(a)", "8(b)(1)", "9(a)"},
    PRIME: {"679a.9(a)(1)"},
    SAIGON: {"680a.9(a)(1)"},
    DOWN_UNDER: {"685a.6(b)(1)", "685a.6(b)(2)"},
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("id", CHAPTERS)
def test_every_clause_of_the_procedure_that_applies_is_on_the_card(id: str) -> None:
    law = chapter(id)
    printed = {pay.clause for table in law.paytables.values() for pay in table.pays.values()}
    printed |= {table.clause for table in law.paytables.values()}
    for rules in OPTION_SETS[id]:
        submission, card = card_of(id, tuple(rules.items()))
        said = cited(card)
        away = set(left_out(submission)) | printed | ELSEWHERE[id]
        if submission.rules["shuffler"] != "none" and id != DOWN_UNDER:
            # only preshuffled cards are cut there, which the step of the shuffle says
            away |= {c for c in law.clauses if c.startswith(("5.F", "5.G", "5.E", "5(c)", "5(d)"))}
            away |= {
                "679a.5(c)(2)",
                "679a.5(d)",
                "679a.5(e)",
                "680a.5(c)(2)",
                "680a.5(d)",
                "680a.5(e)",
            }
        if submission.rules.options.get("electronic"):
            away |= {"10.B(1)", "10.B(2)", "10.B(3)"}
        if submission.rules["shuffler"] in ("counting", "reshuffling"):
            away |= {"8(e)", "9(e)"}
        for clause in law.clauses.values():
            introduces = any(one.startswith(f"{clause.id}(") for one in said)
            if clause.kind in PROCEDURAL and clause.id not in away and not introduces:
                assert clause.id in said, (clause.id, clause.says, rules)


@cites(MD, "7.G(3)", "7.H", "11.C(1)", "11.C(2)", "11.C(3)", "11.D(2)", "12.B")
def test_the_card_states_what_the_options_change() -> None:
    def lines(id: str, **rules: Any) -> str:
        card = card_of(id, tuple(rules.items()))[1]
        return " ".join(
            " ".join((step["says"], *(also["says"] for also in step["also"])))
            for part in card
            for step in (*part["steps"], *part["may"])
        )

    plain = lines(MD)
    assert "one player may wager in a round: one." in plain
    assert "five times" not in plain
    assert "Six Card Bonus" not in plain
    assert "progressive" not in plain.lower()
    full = lines(MD, version="both_compulsory", ante_bonus="mini_royal", six_card_bonus="A",
                 progressive="C", five_card_progressive="A", adjacent_boxes=4,
                 dealing="automated_shoe", dealer_stack="left_in_shoe")  # fmt: skip
    for words in ("in a round: four.", "neither may be more than five times the other",
                  "The Six Card Bonus is not forfeited, and is settled.", "Take them out of the shuffler first.",
                  "Pair Plus is forfeited as well.", "not the right to an envy bonus",
                  "Envy Bonus (on a $5 wager) pays A-K-Q of spades $500"):  # fmt: skip
        assert words in full


@cites(MA, "6(e)", "11(a)(1)", "12(b)", "12(e)", "12(g)", "13(c)", "13(d)(c)")
@cites(PRIME, '679a.1 "Qualify"', "679a.10(g)(1)", "679a.10(g)(2)", "679a.12(h)")
@cites(DOWN_UNDER, "685a.3(d)#2(1)", "685a.7(h)(1)", "685a.7(n)(1)", "685a.8(d)", "685a.10(e)")
def test_qualification_bonuses_and_lights_are_said_whatever_is_dealt() -> None:
    """What decides the wagers is on every card, whether or not the rounds played brought it about."""
    for id, rules, clauses in (
        (MA, {"cover_all": True, "shuffler": "plain", "progressive": "1"},
         {"6(e)", "11(a)(1)", "12(b)", "12(e)", "12(g)", "13(c)", "13(d)(c)"}),
        (MA, {"settlement": "by_player"}, {"6(e)", "11(a)(1)"}),
        (PRIME, {"dealing": "automated_shoe", "shuffler": "reshuffling", "stacks_of_four": True,
                 "pair_bonus": "B"},
         {'679a.1 "Qualify"', "679a.10(g)(1)", "679a.10(g)(2)"}),
        (DOWN_UNDER, {"dealing": "continuous_shuffler", "settlement": "by_player"},
         {"685a.3(d)#2(1)", "685a.7(h)(1)", "685a.7(n)(1)", "685a.8(d)", "685a.10(e)"}),
    ):  # fmt: skip
        assert clauses <= cited(card_of(id, tuple(rules.items()))[1])
    limit = card_of(PRIME, (("payout_limit", "60000.00"),))[1]
    assert any("$60,000" in also["says"] for step in steps(limit) for also in step["also"])
    assert "679a.12(h)" not in cited(card_of(PRIME, ())[1])


@cites(MD, "11.A(2)", "11.F", "13.D")
def test_the_live_prompts_of_the_electronic_version_name_the_community_cards() -> None:
    """11.F deals nine community cards and none to a player, so nobody is asked for cards of his own."""
    submission = read(MD, {"electronic": True})
    done = played_through(submission.rules).done
    asked = [words for step in done for words in (step.says, *(also.says for also in step.also))]
    assert any("community cards" in step.says for step in done if step.command == "play")
    assert not [words for words in asked if "your cards" in words or "your three" in words]
    trouble = card_of(MD, (("electronic", True),))[1][-1]["may"]
    (wrong,) = [one["says"] for one in trouble if one["clause"] == "13.D"]
    assert wrong.startswith("A community hand or the dealer has a wrong number of cards:")


@cites(MD, "11.C(2)", "11.D(9)(g)")
def test_a_fold_keeps_an_envy_bonus_only_where_there_is_one() -> None:
    """12.E(5) has the three-card amounts; the five-card ones exist only where the rules name them."""
    five = {"five_card_progressive": "A"}
    named = {"royal_flush": {"1.00": "1000.00"}}
    for rules, envy in (({"progressive": "A"}, True), (five, False),
                        ({**five, "five_card_envy": named}, True)):  # fmt: skip
        card = procedure_card(read(MD, rules))
        fold = next(step for step in steps(card) if step["command"] == "fold")
        said = [also["says"] for also in fold["also"] if also["clause"] == "11.C(2)"]
        assert len(said) == 1
        assert ("envy" in said[0]) is envy


@cites(MA, "10(c)(1)(iii)", "6(g)(4)", "13(c)")
@pytest.mark.parametrize("paytable", ["1", "2", "3"])
def test_all_winning_wagers_are_paid_in_one_turn_before_the_progressive(paytable: str) -> None:
    """10(c)(1)(iii) has one turn around the table for them, the 6 Card Bonus among them."""
    rules = {**FULL[MA], "six_card_bonus": "TCP-6B3", "progressive": paytable}
    says = [step["says"] for step in steps(card_of(MA, tuple(rules.items()))[1])]
    paid = [n for n, one in enumerate(says) if one.startswith("Pay or return the others")]
    assert len(paid) == 1
    assert "6 Card Bonus" in says[paid[0]]
    assert paid[0] < says.index("Pay the winning Progressive wagers.")


@cites(MA, "10(c)(1)(ii)", "13(b)", "13(c)")
def test_progressive_chips_are_collected_once() -> None:
    """13(b) has the dealer take them off the table before the deal: none is left to be lost."""
    card = card_of(MA, (("progressive", "1"),))[1]
    assert sum("progressive" in step["says"].lower() and step["says"].startswith("Collect")
               for step in steps(card)) == 0  # fmt: skip
    assert any(step["says"] == "Pay the winning Progressive wagers." for step in steps(card))


@cites(DOWN_UNDER, "685a.7(i)(1)", "685a.11(a)")
def test_the_step_of_a_player_s_blackjack_says_what_that_pays() -> None:
    (paid,) = (
        step for step in steps(card_of(DOWN_UNDER, ())[1]) if step["clause"] == "685a.7(i)(1)"
    )
    assert [line["says"] for line in paid["also"] if " pays " in line["says"]] == [
        "Bet pays 3 to 2 with a blackjack."
    ]


@cites(DOWN_UNDER, "685a.7(r)(1)", "685a.10(a)", "685a.7(q)(1)")
@pytest.mark.parametrize("decks", [4, 5, 6, 8])
def test_the_wagers_that_can_lose_are_collected_whatever_the_shoe(decks: int) -> None:
    """A split makes a second bet, which loses as the first does; insurance is collected before."""
    card = card_of(DOWN_UNDER, (("decks", decks),))[1]
    lost = next(step for step in steps(card) if step["says"].startswith("Collect the losing"))
    assert lost["wagers"] == ["bet", "double", "split"]


@cites(DOWN_UNDER, "685a.5(h)", "685a.12(e)", "685a.12(h)", "685a.12(i)", "685a.12(k)")
@cites(PRIME, "679a.5(f)")
@cites(SAIGON, "680a.3(a)", "680a.5(f)", "680a.12(b)")
def test_words_about_a_device_or_a_cut_stand_only_where_there_is_one() -> None:
    def said(id: str, **rules: Any) -> str:
        card = card_of(id, tuple(rules.items()))[1]
        every = [step for part in card for step in (*part["steps"], *part["may"])]
        return " ".join(f"{one['says']} [{one['clause']}]" for step in every
                        for one in (step, *step["also"]))  # fmt: skip

    assert "Cover the shuffler" not in said(DOWN_UNDER)
    assert "shuffle and cut the discards" in said(DOWN_UNDER)
    free = said(DOWN_UNDER, dealing="continuous_shuffler")
    assert "in the shoe" not in free
    assert "with the nearer hand" in free
    assert "Cover the shuffler" in free
    assert "shuffle and cut the discards" not in free
    for id in (PRIME, SAIGON):
        hand = said(id, dealing="hand", shuffler="plain")
        assert "out of the shoe" not in hand
        assert "shuffled and cut." not in hand
        assert "shuffled and cut." in said(id)
    saigon = said(SAIGON)
    assert "one joker and one cover card. [680a.3(a)]" in saigon
    assert "pays 1 to 1. [680a.12(a)]" in saigon
    assert "pays 1 to 2 with a point count of 5. [680a.12(b)]" in saigon
