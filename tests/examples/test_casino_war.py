"""Casino War, a complete game outside the package: settled, figured, simulated, drawn and filed."""

from __future__ import annotations

import json
import re
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from casino_war_support import EXAMPLE, installed

import houseway
from houseway import Refused
from houseway.cli import main
from houseway.game_api.settle import settle, settle_json
from houseway.law import choose, cites
from houseway.maths.par import par
from houseway.simulate.kernels.kernel import CompiledTable
from houseway.simulate.kernels.random_streams import start
from houseway.simulate.plan import plan_of
from houseway.simulate.prepared import playing
from houseway.simulate.runner import Threads, run

DECKS = range(1, 9)


@pytest.fixture(autouse=True, scope="module")
def _installed(tmp_path_factory):
    with installed(tmp_path_factory.mktemp("site")):
        yield
    playing.cache_clear()


def seat_of(cards, decision=None, seat=1, **wagers):
    found = {"seat": seat, "wagers": {"ante": "10.00", **wagers}, "cards": cards.split()}
    return found | ({"decision": decision} if decision else {})


def settled(dealer, *seats, **rules):
    round = {"chapter": "casino-war", "dealer": dealer.split(), "seats": seats, "rules": rules}
    return settle_json(json.dumps(round))


def lines_of(found, seat=0):
    return [(line.wager, line.result, line.paid) for line in found.seats[seat].lines]


def refused(dealer, *seats, **rules):
    with pytest.raises(Refused) as raised:
        settled(dealer, *seats, **rules)
    return raised.value.code, raised.value.clause, raised.value.field


# the rules


@cites("casino-war", "5(b)", "5(c)")
@pytest.mark.parametrize(
    ("mine", "dealer", "result", "net"),
    [
        ("3c", "2s", "win", "10.00"),
        ("2s", "3c", "lose", "-10.00"),
        ("Ac", "Ks", "win", "10.00"),
        ("2c", "As", "lose", "-10.00"),
        ("Tc", "9s", "win", "10.00"),
    ],
)
def test_the_higher_card_wins_even_money(mine, dealer, result, net):
    """5(b): the two is the lowest and the ace the highest; 5(c): even money."""
    found = settled(dealer, seat_of(mine))
    assert [one[1] for one in lines_of(found)] == [result]
    assert found.seats[0].net == net


@cites("casino-war", "4(c)", "5(d)")
@pytest.mark.parametrize(("table", "paid"), [("A", "50.00"), ("B", "55.00")])
def test_the_tie_wager_looks_at_the_first_cards_alone(table, paid):
    """5(d): won by equal first cards whatever the war brings, lost otherwise."""
    tie = settled("8c", seat_of("8d", "surrender", tie="5.00"), tie=table)
    assert lines_of(tie)[0] == ("tie", "win", paid)
    lost_war = settled("8c Ac", seat_of("8d 2c", "war", tie="5.00"), tie=table)
    assert lines_of(lost_war)[0] == ("tie", "win", paid)
    assert lines_of(settled("8c", seat_of("9d", tie="5.00"), tie=table))[0][1] == "lose"


@cites("casino-war", "6(b)")
def test_who_surrenders_loses_half_of_the_ante(tmp_path):
    found = settled("8c", seat_of("8d", "surrender"))
    assert found.seats[0].net == "-5.00"
    assert {line.clause for line in found.seats[0].lines} == {"6(b)"}


@cites("casino-war", "6(c)", "6(e)", "6(f)", "6(g)")
@pytest.mark.parametrize(
    ("mine", "dealer", "bonus", "lines", "net"),
    [
        ("9c", "8h", "none", [("ante", "push"), ("raise", "win")], "10.00"),
        ("8h", "8s", "none", [("ante", "push"), ("raise", "win")], "10.00"),
        (
            "8h", "8s", "bonus_1_to_1",
            [("ante", "push"), ("raise", "win"), ("war_bonus", "bonus")], "20.00",
        ),
        ("9c", "8h", "bonus_1_to_1", [("ante", "push"), ("raise", "win")], "10.00"),
        ("8h", "9c", "none", [("ante", "lose"), ("raise", "lose")], "-20.00"),
    ],
)  # fmt: skip
def test_a_war(mine, dealer, bonus, lines, net):
    """6(c): a raise equal to the ante; 6(e) higher or equal wins it; 6(f) lower loses both."""
    found = settled(f"Kc {dealer}", seat_of(f"Kd {mine}", "war"), war_bonus=bonus)
    assert [(wager, result) for wager, result, _ in lines_of(found)] == lines
    assert found.seats[0].net == net


@cites("casino-war", "7(a)")
def test_seats_that_win_lose_surrender_and_fight_at_one_table():
    """Every seat meets the dealer's first card; those at war share the second."""
    found = settled(
        "8c Jd", seat_of("Kh"), seat_of("8s Qh", "war", 2), seat_of("8d", "surrender", 3),
        seat_of("7h", seat=4), seat_of("8h 2h", "war", 5),
    )  # fmt: skip
    assert [seat.net for seat in found.seats] == ["10.00", "10.00", "-5.00", "-10.00", "-20.00"]
    assert found.house == "15.00"


@cites("casino-war", "6(a)", "6(d)", "5(a)")
def test_a_decision_is_made_after_a_tie_and_only_then():
    assert refused("8c", seat_of("8d")) == ("no_decision", "6(a)", "decision")
    assert refused("8c", seat_of("8d", "fold")) == ("no_decision", "6(a)", "decision")
    assert refused("8c", seat_of("9d", "surrender"))[0] == "decision_not_open"
    # 6(d): a war has one more card for the player and for the dealer; nobody else gets one
    assert refused("8c", seat_of("8d 9d", "war"))[:2] == ("wrong_number_of_cards", "6(d)")
    assert refused("8c 9c", seat_of("8d", "war"))[:2] == ("wrong_number_of_cards", "6(d)")
    assert refused("8c 9c", seat_of("8d", "surrender"))[:2] == ("wrong_number_of_cards", "5(a)")
    assert refused("8c", seat_of("9d 2d"))[:2] == ("wrong_number_of_cards", "5(a)")
    assert refused("8c", seat_of(""))[0] == "wrong_number_of_cards"


@cites("casino-war", "1(a)", "2(a)", "4(a)", "4(b)", "4(c)", "4(d)")
def test_what_could_not_have_been_wagered_or_dealt_is_refused():
    assert refused("8c", seat_of("9d", seat=8))[:2] == ("no_such_seat", "1(a)")
    same = [seat_of("9d", seat=n) for n in (1, 2)]
    assert refused("8c", *same, decks=1)[:2] == ("card_twice", "2(a)")
    assert settled("8c", *same, decks=2).house == "-20.00"
    assert refused("8c", seat_of("Jk"))[0] == "card_not_in_deck"
    # 6(b) pays half of the ante, so the ante is a whole number of pairs of chips
    assert refused("8c", {**seat_of("9d"), "wagers": {"ante": "10.50"}})[0] == "not_payable"
    assert refused("8c", {**seat_of("9d"), "wagers": {"tie": "5.00"}})[:2] == (
        "standard_wager_missing", "4(c)",
    )  # fmt: skip
    assert refused("8c", seat_of("9d", tie="5.00"), tie="none")[:2] == ("wager_not_offered", "4(c)")
    assert refused("8c", seat_of("9d", **{"raise": "10.00"}))[:2] == ("wager_follows", "6(c)")
    two = [{**seat_of(card, seat=n), "player": "ann"} for n, card in ((1, "9d"), (2, "9c"))]
    assert refused("8c", *two)[:2] == ("too_many_boxes", "4(d)")
    assert settled("8c", *two, adjacent_boxes=2).house == "-20.00"
    assert refused("8c", {**seat_of("9d"), "fourth": "2c"})[0] == "not_in_this_game"


# the mathematics


def counted(decks, war, bonus):
    """The mean net of one ante, and how often the first cards tie, by going through all ranks."""
    total = came = ties = 0
    for ranks in product(range(13), repeat=4):
        left, ways = Counter(dict.fromkeys(range(13), 4 * decks)), 1
        for rank in ranks:
            ways *= left[rank]
            left[rank] -= 1
        mine, dealer, mine_again, dealer_again = ranks
        total += ways
        if mine != dealer:
            came += ways * 2 * (1 if mine > dealer else -1)
            continue
        ties += ways
        if not war:
            came -= ways
        elif mine_again >= dealer_again:
            came += ways * 2 * (1 + (bonus and mine_again == dealer_again))
        else:
            came -= ways * 4
    return Fraction(came, 2 * total), Fraction(ties, total)


@cites("casino-war", "5(c)", "5(d)", "6(b)", "6(e)", "6(f)", "6(g)")
@pytest.mark.parametrize("decks", [1, 6, pytest.param(8, marks=pytest.mark.slow)])
def test_the_edges_are_those_of_an_independent_count(decks):
    for bonus in ("none", "bonus_1_to_1"):
        rules = choose("casino-war", {"decks": decks, "war_bonus": bonus})
        sheet = par("casino-war", rules)
        mean, ties = counted(decks, war=True, bonus=bonus != "none")
        entry = sheet.find("ante_war")
        assert entry.spread.mean == mean
        assert entry.spread.staked == 1 + ties
        (other,) = entry.strategy.alternatives
        assert other.strategy == "always_surrender"
        assert Fraction(other.house_edge) == -counted(decks, war=False, bonus=False)[0]
        assert Fraction(other.cost) > 0
        assert sheet.find("tie", "A").spread.mean == ties * 11 - 1
    assert (
        par("casino-war", choose("casino-war", {"tie": "B", "decks": decks}))
        .find("tie", "B")
        .spread.mean
        == ties * 12 - 1
    )


def test_the_sheet_has_every_number_of_decks():
    sheet = par("casino-war")
    assert [(e.columns["decks"], e.columns["war_bonus"]) for e in sheet.entries[:16]] == [
        (decks, bonus) for decks in DECKS for bonus in ("none", "bonus_1_to_1")
    ]
    assert [e.columns["decks"] for e in sheet.entries[16:]] == [d for d in DECKS for _ in "AB"]
    # published: 2.88% without the bonus and 2.33% with it, 18.65% on the tie, for six decks
    edge = {e.columns["war_bonus"]: e.spread.edge for e in sheet.entries[:16]
            if e.columns["decks"] == 6}  # fmt: skip
    assert {bonus: round(float(found) * 100, 2) for bonus, found in edge.items()} == {
        "none": 2.88, "bonus_1_to_1": 2.33,
    }  # fmt: skip
    assert round(float(sheet.find("tie", "A", decks=6).spread.edge) * 100, 2) == 18.65


def test_ante_and_tie_go_together_as_counted():
    rules = choose("casino-war", {"decks": 2})
    found = par("casino-war", rules).together
    both = []
    for ranks in product(range(13), repeat=4):
        left, ways = Counter(dict.fromkeys(range(13), 8)), 1
        for rank in ranks:
            ways *= left[rank]
            left[rank] -= 1
        mine, dealer, again, dealers = ranks
        ante = (1 if mine > dealer else -1) if mine != dealer else (1 if again >= dealers else -2)
        both.append((ways, ante, 10 if mine == dealer else -1))
    total = sum(ways for ways, _, _ in both)
    mean = [Fraction(sum(w * (a, t)[n] for w, a, t in both), total) for n in (0, 1)]
    product_mean = Fraction(sum(w * a * t for w, a, t in both), total)
    assert found.covariances["ante", "tie"] == product_mean - mean[0] * mean[1]


# the simulation


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["optimal", "always_surrender", "by_rank"])
def test_the_kernel_plays_as_the_rules_settle(strategy, tmp_path):
    """Random cards given to the kernel and, round by round, to the game's own `settle`."""
    if strategy == "by_rank":
        file = tmp_path / "mine.py"
        file.write_text("def decide(rank):\n    return 'war' if rank in '23456' else 'surrender'\n")
        strategy = str(file)
    rules = choose("casino-war", {"decks": 1, "war_bonus": "bonus_1_to_1"})
    seats = [{"ante": 1000}, {"ante": 1000, "tie": 500}, {"ante": 400, "tie": 100}]
    plan = plan_of(rules, seats=seats, strategy=strategy)
    game = playing(plan.encode())
    rounds, places = 4000, 2 + 2 * len(seats)
    random = np.random.default_rng(5)
    given = np.array([random.permutation(52)[:places] for _ in range(rounds)])
    nets, lines = np.zeros((rounds, 3), np.int64), np.zeros((rounds, 3, 2), np.int64)
    CompiledTable(game.kernel).rounds(
        rounds, start(1, 0), game.empty(), nets=nets, given=given, lines=lines
    )
    from houseway.cards import Card

    for number in range(rounds):
        dealer, *firsts = given[number, :4].tolist()
        dealers, *seconds = given[number, 4:].tolist()
        # the order in which `play_round` draws: first cards, dealer, burned cards, war cards
        order = [*firsts, dealer]
        tied = [game.strategy[c >> 2] and c >> 2 == dealer >> 2 for c in firsts]
        if any(tied):
            spare = [n for n in range(52) if n not in given[number]]
            order += spare[:3] + [c for c, at in zip(seconds, tied, strict=True) if at] + [dealers]
        cards = iter(map(Card, order))
        round = game.family.play_round(plan, rules, game.strategy, lambda: next(cards))  # noqa: B023
        found = settle(round)
        assert [seat.net for seat in found.seats] == nets[number].tolist()
        for at, seat in enumerate(found.seats):
            ante = sum(line.net for line in seat.lines if line.wager != "tie")
            assert [ante, seat.net - ante] == lines[number, at].tolist()


@pytest.mark.parametrize(
    ("players", "options", "strategy"),
    [(1, {"decks": 8}, "optimal"), (7, {"decks": 1, "tie": "B"}, "always_surrender")],
)
def test_a_run_agrees_with_the_exact_figures(players, options, strategy):
    from houseway.simulate.results.report import result_json

    plan = plan_of(choose("casino-war", options), players=players, strategy=strategy, seed=3)
    found = result_json(playing(plan.encode()), run(plan, 1_500_000, workers=Threads(2)))
    assert found["verdict"] == "within"
    assert {one["wager"] for one in found["wagers"]} == {"ante_war", "tie"}
    assert all(one["exact"] for one in found["wagers"])


# the commands


def houseway_prints(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main([*arguments])
    out, err = capsys.readouterr()
    assert (ended.value.code, err) == (0, "")
    return out


def test_the_commands_know_the_game(capsys, tmp_path):
    told = json.loads(houseway_prints(capsys, "chapters", "--json"))["chapters"]
    assert told[-1]["chapter"] == "casino-war"
    found = json.loads(houseway_prints(capsys, "settle", str(EXAMPLE / "round.json"), "--json"))
    assert [seat["net"] for seat in found["seats"]] == ["10.00", "60.00", "-5.00"]
    assert "always go to war" in houseway_prints(capsys, "strategy", "casino-war")
    assert "offered at 11 to 1" in houseway_prints(capsys, "options", "casino-war")


def test_the_felt_and_a_round_on_it(capsys, tmp_path):
    file = tmp_path / "felt.svg"
    houseway_prints(capsys, "draw", "casino-war", "--out", str(file))
    felt = file.read_text("utf-8")
    for words in ("ANTE", "RAISE", "TIE", "CASINO WAR", "10 to 1"):
        assert words in felt
    houseway_prints(
        capsys, "draw", "casino-war", "--round", str(EXAMPLE / "round.json"), "--out", str(file)
    )
    drawn = file.read_text("utf-8")
    # every card of the round lies open, the dealer's second beside the first
    for name in ("eight of clubs", "jack of diamonds", "king of hearts", "queen of hearts"):
        assert name in drawn
    assert "dealer cards: Eight, jack" in drawn


def test_a_submission_is_written_checked_and_filed(capsys, tmp_path):
    pytest.importorskip("typst")
    file = tmp_path / "submission.toml"
    houseway_prints(capsys, "new", "casino-war", "--out", str(file), "--date", "2026-03-01")
    findings = json.loads(houseway_prints(capsys, "check", str(file), "--json"))
    assert not [one for one in findings["findings"] if one["severity"] == "error"]
    houseway_prints(capsys, "packet", str(file), "--out", str(tmp_path / "packet"))
    names = {path.name for path in (tmp_path / "packet").iterdir()}
    assert {"2-layout.svg", "4-procedure.pdf", "5-mathematics.pdf", "6-clauses.pdf"} <= names


def test_nothing_in_the_package_knows_the_game():
    package = Path(houseway.__file__).parent
    built = package / "web" / "site"  # the documentation, which tells of it
    for path in package.rglob("*"):
        if built not in path.parents and path.suffix in (".py", ".toml", ".html", ".js", ".css"):
            assert not re.search(
                r"casino[-_ ]war\b|surrender_half|go_to_war", path.read_text("utf-8"), re.IGNORECASE
            ), path
