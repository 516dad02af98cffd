"""`houseway drive` and `houseway play`: the table through the command line."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from decimal import Decimal

import pytest
from commands import run_apart
from rich.console import Console
from tables import opened

from houseway.cli.table.terminal_felt import felt
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, choose, cites
from houseway.present import Viewer, table_view
from houseway.table import fold, read_event, rules_of

RULES = 'chapter = "md-three-card-poker"\n'


def call(*arguments, given=""):
    return subprocess.run(
        [sys.executable, "-m", "houseway", *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def rules(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text(RULES, encoding="utf-8")
    return str(path)


def line(command, role, **fields):
    return json.dumps({"command": command, "role": role, "at": "2026-01-01T10:00:00", **fields})


def test_commands_in_events_out(rules):
    given = "\n".join(
        [
            line("sit_down", "player", who="ann", seat=1, player="ann"),
            line("receive_decks", "dealer"),
            line("deal", "dealer"),
            "nonsense",
            line("inspect_cards", "dealer"),
        ]
    )
    done = call("drive", "--rules", rules, given=given)
    assert done.returncode == 2
    assert done.stderr == ""
    out = [json.loads(text) for text in done.stdout.splitlines()]
    kinds = [entry.get("event") or entry["refused"]["code"] for entry in out]
    assert kinds == [
        "table_opened", "player_sat", "decks_received", "out_of_turn", "not_a_command",
        "deck_prepared",
    ]  # fmt: skip
    assert out[3]["refused"]["line"] == 3
    table = fold(read_event(json.dumps(entry)) for entry in out if "event" in entry)
    assert table.decks["1"].stage == "inspected"


@pytest.mark.slow
def test_a_record_is_driven_on(rules, tmp_path):
    first = call(
        "drive", "--rules", rules, given=line("sit_down", "player", who="a", seat=1, player="a")
    )
    assert first.returncode == 0
    record = tmp_path / "record.jsonl"
    record.write_text(first.stdout, encoding="utf-8")
    more = call(
        "drive", "--rules", rules, "--record", str(record), "--next",
        given=line("receive_decks", "dealer", version=2),
    )  # fmt: skip
    event, after = (json.loads(text) for text in more.stdout.splitlines())
    assert (event["event"], event["version"]) == ("decks_received", 3)
    assert after["next"][0]["command"] == "inspect_cards"
    stale = call(
        "drive", "--rules", rules, "--record", str(record),
        given=line("receive_decks", "dealer", version=1),
    )  # fmt: skip
    assert stale.returncode == 1
    assert json.loads(stale.stdout)["refused"]["code"] == "stale"


def said(*words, chapter="md-three-card-poker", seed="3", more=()):
    """What `play` prints to somebody who types these lines."""
    given = "".join(f"{line}\n" for line in words)
    done = call("play", chapter, "--seed", seed, *more, given=given)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_round_in_the_terminal():
    """The dealer's cards lie face down until the hand is played; the chips follow the wagers."""
    text = said("ante 10 pair 5", "advice", "play", "quit")
    before, _, after = text.partition("best")
    assert before.count("░░░") == 3
    assert "( Ante $10 )  ( Pair Plus $5 )" in before
    assert "your chips $485" in before
    assert "░░░" not in after
    net = re.search(r"this round +([+−])\$([\d.]+)  you have \$([\d.]+)", after)
    assert Decimal(net[2]) * (1 if net[1] == "+" else -1) + 500 == Decimal(net[3])


@cites(MD, "11.F(2)")
def test_the_hands_of_the_electronic_version_in_the_terminal(tmp_path):
    """Nine community cards are three hands; each has its wagers and its decision."""
    rules = tmp_path / "electronic.toml"
    rules.write_text(f'{RULES}[rules]\nelectronic = true\nshuffler = "plain"\n', encoding="utf-8")
    more = "--rules", str(rules)
    text = said("ante 10 ante@4 5", "ante 10 ante@2 15 pair@3 5", "play", "fold", "quit", more=more)
    assert "hands here are 1, 2, 3" in text
    felts = text.split("╭─")[1:]
    # the dealer's three lie face down until both hands are decided, the nine face up from the deal
    assert [felt.count("░░░") for felt in felts] == [3, 3, 0]
    assert [len(re.findall("[♣♦♥♠]", felt)) for felt in felts] == [9, 9, 12]
    assert [felt.count("( Play 1 $10 )") for felt in felts[:2]] == [0, 1]
    assert "hand 1: play / fold" in felts[0]
    assert "hand 2: play / fold" in felts[1]
    ends = dict(re.findall(r"^  (\w[\w ]*?)  +(win|lose|push|forfeit) ", felts[2], re.MULTILINE))
    assert ends.pop("Ante 2") == "forfeit"
    assert set(ends) >= {"Ante 1", "Play 1", "Pair Plus 3"}
    alone = call("play", "md-three-card-poker", *more, "--seed", "3", "--rounds", "5", "--json")
    assert len(json.loads(alone.stdout)["rounds"]) == 5


def test_what_is_typed_wrongly_changes_nothing():
    text = said(
        "ante 10 zz 5", "ante", "ante 7.25", "ante 600", "ante lots", "ante 20", "x", "quit"
    )
    assert text.count("Your bet") == 6
    assert "wagers here are Ante, Pair Plus, Six Card Bonus, Three-Card Progressive" in text
    assert "$600 is more than the $500 you have" in text
    assert "choices here are play, fold" in text
    assert "your chips $480" in text  # of five tries only the last one is on the felt


@pytest.mark.slow
@pytest.mark.parametrize(
    "typed",
    ["ante 10 pair_plus 5", "ANTE $10, Pair Plus $5", "ante=10.00 pair=5.0", "10 on ante and 5 on pair plus",
     "a 10 pair plus 5"],
)  # fmt: skip
def test_a_bet_is_read_as_people_write_it(typed):
    text = said(typed, "fold", "exit")
    assert "( Ante $10 )  ( Pair Plus $5 )" in text
    assert re.search(r"this round +−\$15 ", text)
    assert "You leave with $485." in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chapter", "typed", "shown"),
    [
        (MD, "Three-Card Progressive 1, ante 5", "( Ante $5 )  ( Three-Card Progressive"),
        (MD, "bet 10", "( Ante $10 )"),
        (MA, "5 on 6 Card Bonus and 10 on ante", "( Ante $10 )  ( 6 Card Bonus $5 )"),
        (DOWN_UNDER, "bet 10 match-the-dealer 5", "( Bet $10 )  ( Match-the-Dealer $5"),
        (DOWN_UNDER, "match 5 bet 10", "( Bet $10 )  ( Match-the-Dealer $5"),
    ],
)
def test_a_bet_is_read_by_the_names_on_the_felt_in_any_order(chapter, typed, shown):
    """A side wager may be named before the wager that it needs."""
    text = said(typed, "quit", chapter=chapter)
    assert " ".join(shown.split()) in " ".join(text.split())
    assert "_" not in text  # people see names, not ids


def test_other_words_for_help_and_for_the_same_bet_are_known():
    text = said("?", "payouts", "again", "20", "fold", "rebet", "fold", "bye")
    assert "Bet by name and amount" in text
    assert "35 to 1" in text
    assert "name a wager and an amount" in text  # nothing was bet before
    assert len(re.findall(r"this round +−\$20 ", text)) == 2


def test_nothing_typed_is_the_same_again():
    text = said("15", "fold", "", "fold", "quit")
    assert text.count("this round") == 2
    assert len(re.findall(r"this round +−\$15 ", text)) == 2
    assert "you have $470" in text


@cites(MD, "8.C(2)(c)")
def test_chips_taken_by_the_progressive_are_no_longer_the_players():
    """$20 less an ante of $10 and $1 for the progressive is $9: not enough to play for $10."""
    text = said("ante 10 prog 1", "play", "fold", "quit", more=("--chips", "20"))
    assert "your chips $9" in text
    assert "$10 is more than the $9 you have" in text
    assert "−$11  you have $9" in text
    assert "-$" not in text


@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_nobody_ever_owes_chips(chapter):
    """However little a player starts with, what is left is never below zero."""
    done = call("play", chapter, "--auto", "--chips", "25", "--seed", "5", "--rounds", "60")
    assert done.returncode == 0
    assert "-$" not in done.stdout


def test_an_empty_line_before_any_bet_bets_nothing_and_the_limits_are_shown():
    text = said("", "quit")
    assert "name a wager and an amount: ante 10" in text
    assert "Ante $5 to $500" in text
    assert "this round" not in text
    assert "You leave with $500." in text


def test_leaving_during_a_round_says_what_stays_on_the_table():
    text = said("ante 10 pair 5", "q")
    assert "Your wagers of $15 stay on the table; you keep $485." in text


def test_an_empty_line_decides_nothing():
    text = said("10", "", "fold", "quit")
    assert "choices here are play, fold" in text
    assert text.count("this round") == 1
    assert "forfeit" in text


def test_the_best_setting_may_be_asked_for_by_that_word():
    text = said("10", "best", "quit", chapter="pa-saigon-5-card")
    assert "this round" in text
    assert "choices here" not in text


@pytest.mark.parametrize("columns", [60, 80])
def test_the_felt_has_its_middle_in_the_middle_however_narrow_the_terminal(columns):
    driver = opened(MD, players=1)
    driver.wager(1, {"ante": "10.00"})
    driver.until("deciding")
    seen = table_view(driver.table, Viewer("player", 1))
    console = Console(width=columns, file=io.StringIO())
    console.print(felt(rules_of(driver.table), seen, 49000, 1))
    text = console.file.getvalue()
    rows = [line.rstrip() for line in text.splitlines() if "DEALER" in line or "░░░" in line]
    assert len(rows) == 2
    for row in rows:
        assert len(row) == min(columns, 76)
        inside = row[1:-1]
        before, after = len(inside) - len(inside.lstrip()), len(inside) - len(inside.rstrip())
        assert abs(before - after) <= 1


def test_hands_are_set_in_the_terminal():
    """Saigon: three cards named, the two others go together (680a.11(b))."""
    first = said("10", "quit", chapter="pa-saigon-5-card")
    row = re.search(r"│((?: *│(?:\w+[♣♦♥♠] ?|JOK)│){5})", first)[1]
    held = re.findall(r"│(\w+?)([♣♦♥♠])? ?│", row)
    suits = dict(zip("♣♦♥♠", "cdhs", strict=True))
    cards = [rank.replace("10", "T") + suits[suit] for rank, suit in held]
    text = said("10", " ".join(cards[:2]), f"{cards[0]} {cards[1]} {cards[3]}", "quit",
                chapter="pa-saigon-5-card")  # fmt: skip
    assert f"name three of {' '.join(cards)}" in text
    assert "this round" in text


def test_what_is_posted_can_be_asked_for():
    text = said("pays", "quit")
    table = choose(MD).table("pair_plus")
    for hand, pay in table.pays.items():
        if hand != "mini_royal":
            assert pay.odds.text in text


def test_play_by_itself_as_json():
    done = call("play", "pa-down-under-blackjack", "--seed", "3", "--rounds", "2", "--json")
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["rounds"]) == 2
    wrong = call("play", "no-such-game")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("houseway: ")


def test_nothing_that_is_typed_is_taken_for_markup():
    text = said("ante 1[/]", "ante 10 ante 5", "ante 10", "[/b]", "fold", "quit")
    assert "'1[/]' is not an amount" in text
    assert "Ante is named twice" in text
    assert "choices here are play, fold" in text
    # a player alone has no use for a seat's number and a field's name
    assert "seat 3" not in text
    assert "wagers.ante" not in text


@cites(MD, "7.G(3)")
def test_a_player_at_the_terminal_makes_both_wagers_where_both_are_compulsory(tmp_path):
    file = tmp_path / "both.toml"
    file.write_text(f'chapter = "{MD}"\n[rules]\nversion = "both_compulsory"\n')
    alone = run_apart("play", MD, "--rules", str(file), "--auto", "--rounds", "1", "--seed", "1")
    assert (alone.returncode, alone.stderr) == (0, "")
    assert "Pair Plus $10" in alone.stdout
    typed = "ante 10\nante 10 pair_plus 5\nfold\nquit\n"
    asked = run_apart("play", MD, "--rules", str(file), "--seed", "1", stdin=typed)
    assert asked.returncode == 0
    assert "this version asks for both an ante and Pair Plus" in asked.stdout
    assert "You leave with $485." in asked.stdout  # a fold forfeits both, 11.C(1)
