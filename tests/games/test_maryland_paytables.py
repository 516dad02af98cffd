"""Every row of every table of Chapter 12, dealt, settled and paid."""

from fractions import Fraction

import maryland_text as text
import plain_poker as plain
import pytest
from maryland_table import (
    FIVE,
    SIX,
    THREE,
    in_cents,
    in_dollars,
    owed,
    seat,
    settled,
    six_cards,
    three_cards,
)

from houseway.law import MD, chapter, cites

METER = "54321.09"


def ids(row) -> str:
    return f"{row[2]}-{row[3]}"


def rows(*wagers: str):
    return [pytest.param(*row, id=ids(row)) for row in text.rows(*wagers)]


def stakes(wager: str) -> list[str]:
    return ["1.00", "5.00"] if "progressive" in wager else ["0.50", "25.00"]


@cites(MD, "12.B*", "12.C*")
@pytest.mark.parametrize(("wager", "table", "clause", "hand", "pays"), rows("ante_bonus"))
@pytest.mark.parametrize("ante", ["0.50", "25.00"])
def test_the_ante_bonus(ante, wager, table, clause, hand, pays) -> None:
    version = "ante_covers_pair_plus" if table == "mini_royal" else "independent"
    for held in three_cards(wager, table, hand):
        found = settled(seat(4, held, "play", ante=ante), version=version, ante_bonus=table)
        assert found.line(4, wager) == {
            "wager": "ante_bonus",
            "stake": "0.00",
            "result": "bonus",
            "paid": in_dollars(owed(pays, in_cents(ante))),
            "clause": clause,
            "odds": pays,
        }, held


@cites(MD, "12.D*", "12.E", "12.E(1)*", "11.D(7)(d)")
@pytest.mark.parametrize(
    ("wager", "table", "clause", "hand", "pays"), rows("pair_plus", "progressive")
)
@pytest.mark.parametrize("stake", [0, 1])
def test_three_card_tables(stake, wager, table, clause, hand, pays) -> None:
    stake = stakes(wager)[stake]
    wagers = {"pair_plus": "5.00"} | {wager: stake}
    meters = {}
    if wager == "progressive":
        names = ["progressive.major", "progressive.minor"] if table == "C" else ["progressive"]
        meters = dict.fromkeys(names, METER)
    for held in three_cards(wager, table, hand):
        found = settled(seat(4, held, **wagers), **{wager: table}, meters=meters)
        assert found.line(4, wager) == {
            "wager": wager,
            "stake": stake,
            "result": "win",
            "paid": in_dollars(owed(pays, in_cents(stake), in_cents(METER))),
            "clause": clause,
            "odds": pays,
        }, held


@cites(MD, "12.F*", "11.D(8)", "11.D(8)(b)", "11.D(8)(c)")
@pytest.mark.parametrize(("wager", "table", "clause", "hand", "pays"), rows("six_card_bonus"))
@pytest.mark.parametrize("stake", stakes("six_card_bonus"))
def test_six_card_tables(stake, wager, table, clause, hand, pays) -> None:
    for mine, dealer in six_cards(table, hand):
        held = seat(4, mine, pair_plus="5.00", six_card_bonus=stake)
        found = settled(held, dealer=dealer, six_card_bonus=table)
        assert found.line(4, wager) == {
            "wager": wager,
            "stake": stake,
            "result": "win",
            "paid": in_dollars(owed(pays, in_cents(stake))),
            "clause": clause,
            "odds": pays,
        }, (mine, dealer)


@cites(MD, "12.G*", "11.D(9)", "11.D(9)(c)", "11.D(9)(f)")
@pytest.mark.parametrize(
    ("wager", "table", "clause", "hand", "pays"), rows("five_card_progressive")
)
@pytest.mark.parametrize("stake", stakes("five_card_progressive"))
def test_five_card_tables(stake, wager, table, clause, hand, pays) -> None:
    mine, community = FIVE[hand]
    tiers = {"A": [""], "B": [".major", ".minor"], "C": [".mega", ".major", ".minor"]}[table]
    meters = {f"five_card_progressive{tier}": METER for tier in tiers}
    found = settled(
        seat(4, mine, pair_plus="5.00", five_card_progressive=stake),
        dealer="Qc 3s 2d",
        community=community,
        meters=meters,
        five_card_progressive=table,
    )
    assert found.line(4, wager) == {
        "wager": wager,
        "stake": stake,
        "result": "win",
        "paid": in_dollars(owed(pays, in_cents(stake), in_cents(METER))),
        "clause": clause,
        "odds": pays,
    }


@cites(MD, "12.E(5)*")
@pytest.mark.parametrize(("wager", "stake", "clause", "hand", "pays"), rows("envy"))
def test_envy_tables(wager, stake, clause, hand, pays) -> None:
    found = settled(
        seat(2, THREE["high_card"], pair_plus="5.00", progressive=stake),
        seat(5, THREE[hand], pair_plus="5.00"),
        progressive="A",
    )
    assert found.line(2, wager) == {
        "wager": "envy",
        "stake": "0.00",
        "result": "bonus",
        "paid": in_dollars(owed(pays, in_cents(stake))),
        "clause": clause,
        "odds": pays,
    }


@cites(MD, "12.A", "11.D(3)(d)(ii)")
@pytest.mark.parametrize("ante", ["0.50", "25.00"])
def test_ante_and_play_are_paid_even_money(ante: str) -> None:
    found = settled(seat(4, THREE["pair"], "play", ante=ante))
    for wager in ("ante", "play"):
        assert found.line(4, wager) == {
            "wager": wager,
            "stake": ante,
            "result": "win",
            "paid": ante,
            "clause": "11.D(3)(d)(ii)",
            "odds": "1 to 1",
        }


@cites(MD, "12.B", "12.C", "12.D", "12.E(1)", "12.E(5)", "12.F", "12.G")
def test_the_chapter_has_these_tables_and_rows_and_no_others() -> None:
    kept = {
        key: [(hand, str(pay.odds), pay.clause) for hand, pay in table.pays.items()]
        for key, table in chapter(MD).paytables.items()
        if key not in {("ante", "standard"), ("play", "standard")}
    }
    printed: dict = {}
    for wager, table, clause, hand, pays in text.rows(*{wager for wager, _ in text.TABLES}):
        printed.setdefault((wager, table), []).append((hand, pays, clause))
    assert kept == printed


def below(wager: str, hands: dict) -> list:
    """Hands that a table does not name, for each table."""
    return [
        pytest.param(table, hand, id=f"{wager}-{table}-{hand}")
        for (name, table), (_, _, printed) in text.TABLES.items()
        if name == wager
        for hand in list(hands)[list(hands).index(list(printed)[-1]) + 1 :]
    ]


@cites(MD, "12.D", "11.D(4)")
@pytest.mark.parametrize(("table", "hand"), below("pair_plus", THREE))
def test_pair_plus_below_its_table_loses(table: str, hand: str) -> None:
    found = settled(seat(1, THREE[hand], pair_plus="5.00"), pair_plus=table)
    assert found.line(1, "pair_plus")["result"] == "lose"
    assert found.net(1) == "-5.00"


@cites(MD, "12.E(1)", "11.D(5)", "1.B(7)")
@pytest.mark.parametrize(("table", "hand"), below("progressive", THREE))
def test_a_progressive_below_its_table_loses(table: str, hand: str) -> None:
    found = settled(seat(1, THREE[hand], pair_plus="5.00", progressive="1.00"), progressive=table)
    assert found.line(1, "progressive")["result"] == "lose"
    assert all(meter == {"paid": "0.00", "shows": "1000.00"} for meter in found.meters.values())


@cites(MD, "12.F", "11.D(8)(c)", "7.F(5)")
@pytest.mark.parametrize(("table", "hand"), below("six_card_bonus", SIX))
def test_a_six_card_bonus_below_three_of_a_kind_loses(table: str, hand: str) -> None:
    mine, dealer = SIX[hand]
    found = settled(
        seat(1, mine, pair_plus="5.00", six_card_bonus="1.00"), dealer=dealer, six_card_bonus=table
    )
    assert found.line(1, "six_card_bonus")["result"] == "lose"


@cites(MD, "12.G", "11.D(9)", "1.B(8)")
@pytest.mark.parametrize(("table", "hand"), below("five_card_progressive", FIVE))
def test_a_five_card_progressive_below_three_of_a_kind_loses(table: str, hand: str) -> None:
    mine, community = FIVE[hand]
    found = settled(
        seat(1, mine, pair_plus="5.00", five_card_progressive="1.00"),
        dealer="Qc 3s 2d",
        community=community,
        five_card_progressive=table,
    )
    assert found.line(1, "five_card_progressive")["result"] == "lose"


@cites(MD, "12.B", "12.C")
@pytest.mark.parametrize(
    ("version", "table", "hand"),
    [
        *(("independent", table, "flush") for table in "ABC"),
        ("both_compulsory", "mini_royal", "straight"),  # 12.C stops at three of a kind
    ],
)
def test_no_ante_bonus_below_its_table(version: str, table: str, hand: str) -> None:
    found = settled(
        seat(1, THREE[hand], "play", ante="5.00", pair_plus="5.00"),
        version=version,
        ante_bonus=table,
    )
    assert found.lines(1, "ante_bonus") == []


@cites(MD, "12.C(1)")
@pytest.mark.parametrize("suit", "cdhs")
def test_ace_king_queen_of_any_suit_has_the_ante_bonus_of_the_versions(suit: str) -> None:
    found = settled(
        seat(1, f"A{suit} K{suit} Q{suit}", "play", ante="5.00"),
        dealer="Jc 8s 3d",
        version="ante_covers_pair_plus",
    )
    assert found.line(1, "ante_bonus")["odds"] == "50 to 1"


@cites(MD, "6.F(8)", "7.F(5)(a)", "11.D(8)(d)", "12.F(1)(a)", "12.F(1)(b)", "12.F(2)(a)")
@pytest.mark.parametrize("suit", "cdhs")
@pytest.mark.parametrize("table", "ABCDEF")
def test_super_royals_of_every_suit_under_every_table(suit: str, table: str) -> None:
    """The tables decide: A and B have the Super Royal, the others pay the royal flush in it."""
    found = settled(
        seat(1, f"A{suit} J{suit} 9{suit}", pair_plus="5.00", six_card_bonus="3.00"),
        dealer=f"K{suit} Q{suit} T{suit}",
        six_card_bonus=table,
    ).line(1, "six_card_bonus")
    a_million = table == "A" and suit == "d"
    dollars = "1000000.00" if a_million else "100000.00"
    assert found["paid"] == (dollars if table in "AB" else "3000.00")


@cites(MD, "12.F(1)(a)", "12.F(1)(b)")
def test_below_33_cents_six_card_bonus_a_would_return_more_than_it_takes() -> None:
    """The errata say so, for its dollars do not shrink with the stake."""
    counts = plain.six_card_counts()
    counts["royal_flush"] -= 4  # the Super Royals
    odds = {
        hand: int(pays.split()[0])
        for hand, pays in text.TABLES["six_card_bonus", "A"][2].items()
        if " to " in pays
    }
    losing = sum(count for hand, count in counts.items() if hand not in odds)
    kept = losing - sum(counts[hand] * number for hand, number in odds.items())
    break_even = Fraction(1_000_000 + 3 * 100_000, kept)
    assert Fraction(32, 100) < break_even < Fraction(33, 100)
    assert any(
        "33 cents" in erratum.finds and "12.F(1)(a)" in erratum.clauses
        for erratum in chapter(MD).errata
    )
