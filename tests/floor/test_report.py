"""The report: what wagers held beside what they were to hold, every expectation derived here."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from playing import GAMES, played, record

from houseway.cards import Card, SeededSource
from houseway.floor.audit.expected_hold import Played, exact
from houseway.floor.audit.hold_rows import holds
from houseway.floor.audit.projections import Projections
from houseway.floor.audit.report import WagerReport, report, seldom
from houseway.games.three_card import hands as three_card
from houseway.law import DOWN_UNDER, MA, MD, PRIME, choose
from houseway.maths.par import par
from houseway.money import cents
from houseway.simulate.plan import plan_of
from houseway.simulate.results.tally import covariance
from houseway.simulate.runner import Threads, run
from houseway.store.backends.memory import MemoryLog
from houseway.table import events as e
from houseway.table.driver import Driver
from houseway.table.state import Due

DAY = "2026-01-01"


@pytest.fixture
def projected(projections_of):
    """Records the tables of drivers and makes their projections."""

    def made(*drivers: Driver) -> Projections:
        log = MemoryLog()
        for number, driver in enumerate(drivers, 1):
            record(log, driver, str(number))
        return projections_of(log)

    return made


def wagers_of(found: Projections, table: str = "1") -> dict[str, WagerReport]:
    return {one.wager: one for one in report(found, DAY, table)["today"]["wagers"]}


def deviations(line: WagerReport, variance: Fraction) -> float:
    return float(line.win - line.from_meters - Fraction(line.expected)) / float(variance) ** 0.5


@pytest.fixture(scope="module")
def house():
    """Every game at a table of its own, on one record, with its projections."""
    log = MemoryLog()
    for number in range(len(GAMES)):
        name = str(number + 1)
        record(log, played(number, rounds=4, name=name, seed=number), name)
    with Projections(":memory:") as found:
        found.update(log)
        yield log, found


def test_the_edge_is_that_of_the_rules_recorded(house) -> None:
    _, found = house
    row = found.rows("select chapter, edition, file from rules where chapter = ?", MD)[0]
    known = exact(Played(**row, wager="ante_play"))
    assert known is not None
    assert known.edge == Fraction(686689, 20358520)
    # what no paytable knows has no figure
    assert exact(Played(**row, wager="coupon")) is None


def test_expected_and_deviation_come_from_stakes_and_squares(house) -> None:
    _, found = house
    made = report(found, DAY, "1")
    (ante,) = [one for one in made["today"]["wagers"] if one.wager == "ante_play"]
    # four rounds, two seats, ten dollars each
    assert ante.rounds == 8
    assert Fraction(ante.expected) == 8 * 1000 * Fraction(686689, 20358520)
    of = exact(Played(*played_file(choose(MD)), "ante_play"))
    assert of is not None
    assert of.variance == Fraction(1113741108698391, 414469336590400)
    # in each round the two seats meet one dealer: each goes together with the other
    variance = 4 * 1000**2 * (2 * of.variance + 2 * of.covariance)
    assert of.covariance > of.variance / 10
    assert float(ante.deviations) == pytest.approx(deviations(ante, variance), abs=0.005)
    low, high = (round(Fraction(ante.expected) + way * 1.96 * variance**0.5) for way in (-1, 1))
    assert (int(ante.low), int(ante.high)) == (low, high)
    (table,) = made["today"]["tables"]
    assert table.win == sum(one.win for one in made["today"]["wagers"])


def test_a_table_that_holds_too_much_stands_out(house, projections_of) -> None:
    log, _ = house
    found = projections_of(log)
    assert not any(one.unusual for one in report(found, DAY, "1")["today"]["wagers"])
    # ten thousand more rounds in which the players lost every pair plus
    found.sql.execute(
        """update holds set rounds = rounds + 10000, wagered = wagered + 5000000,
        base = base + 5000000, squares = squares + 2500000000, win = win + 5000000
        where "table" = '1' and wager = 'pair_plus'"""
    )
    lines = {one.wager: one for one in report(found, DAY, "1")["today"]["wagers"]}
    assert lines["pair_plus"].unusual
    assert not lines["ante_play"].unusual
    off = float(lines["pair_plus"].deviations)
    assert off > 30
    assert lines["pair_plus"].at_most_once_in == pytest.approx(1 + off**2, abs=1)
    assert lines["ante_play"].at_most_once_in == 0


@given(st.integers(1, 400), st.integers(2, 30_000), st.integers(1, 10**7), st.integers(1, 6))
def test_the_odds_of_a_mark_hold_where_a_rare_hand_pays(wagers, one_in, pays, hits) -> None:
    """The chance of that many hits or more, counted out, is never above the reported odds."""
    p = Fraction(1, one_in)
    off = pays * (hits - wagers * p)
    assume(off > 0)
    fewer = sum(
        comb(wagers, k) * p**k * (1 - p) ** (wagers - k) for k in range(min(hits, wagers + 1))
    )
    assert 1 - fewer <= Fraction(1, seldom(off, pays**2 * wagers * p * (1 - p)))


def test_month_and_year_to_date(house, projections_of) -> None:
    log, _ = house
    found = projections_of(log)
    found.sql.execute("update rounds set day = '2025-12-31' where id = '1.1.1'")
    made = report(found, DAY, "1")
    assert [made[name]["tables"][0].rounds for name in ("today", "month", "year")] == [3, 3, 3]
    found.sql.execute("update rounds set day = '2026-01-31' where id = '1.1.2'")
    found.sql.execute("update rounds set day = '2026-02-03' where id = '1.1.3'")
    made = report(found, "2026-02-03", "1")
    assert [made[name]["tables"][0].rounds for name in ("today", "month", "year")] == [1, 1, 3]


# progressives

#: three-card hands by what progressive table C and the envy bonus call them (12.E(1)(c), 12.E(5))
C_PAYS = {"straight_flush": 70, "three_of_a_kind": 60, "straight": 6}
ENVY = {"mini_royal_spades": 10000, "mini_royal": 2500}


@cache
def hands() -> Counter[str]:
    """Every hand by what it is called."""
    return Counter(
        three_card.outcomes(hand, three_card.value(hand))[0]
        for hand in combinations(map(Card, range(52)), 3)
    )


def moments(stake: int, meters: dict[str, int]) -> tuple[Fraction, Fraction]:
    """What a wager on table C brings the house beside one other hand, and what it adds to the
    variance of a round in which both made it.

    What the two are paid is a sum over the two hands: what each pays its own player, and the envy
    that it pays the other. Two hands of three go together by at most 47 / C(49, 3) of their variance.
    """
    own = squares = envy = Fraction(0)
    for name, ways in hands().items():
        pays = {"mini_royal_spades": meters["major"], "mini_royal": meters["minor"]}.get(
            name, C_PAYS.get(name, 0) * stake
        )
        own += ways * pays
        envy += ways * ENVY.get(name, 0)
        squares += ways * (pays + ENVY.get(name, 0)) ** 2
    count = comb(52, 3)
    variance = squares / count - ((own + envy) / count) ** 2
    return stake - (own + envy) / count, variance * (1 + Fraction(47, comb(49, 3)))


def test_a_progressive_is_figured_at_the_meters_of_each_round_with_its_envy(projected) -> None:
    driver = Driver(
        MD,
        {"shuffler": "counting", "progressive": "C"},
        source=SeededSource(5),
        meters={
            "progressive.major": {"rate": "10%", "seed": "50000.00", "reset": "10000.00"},
            "progressive.minor": {"rate": "5%", "seed": "2000.00", "reset": "1000.00"},
        },
    )
    expected = variance = Fraction(0)
    for seat in (1, 2):
        driver.seat_player(seat, f"player {seat}")
    for number in range(3):
        driver.ready()
        driver.wager(1, {"ante": "10.00", "progressive": "1.00"})
        driver.wager(2, {"ante": "10.00", "progressive": "1.00"} if number else {"ante": "10.00"})
        driver.finish(lambda *_: ("play", {}))
    shown: dict[str, int] = {"major": 5000000, "minor": 200000}
    for number in range(3):
        # a dollar from each who wagered, at ten and at five percent, is in before the deal
        made = 1 if number == 0 else 2
        shown = {"major": shown["major"] + 10 * made, "minor": shown["minor"] + 5 * made}
        mean, spread = moments(100, shown)
        expected += made * mean
        variance += made * spread
    settled = [one for one in driver.record if isinstance(one, e.WagerSettled)]
    line = wagers_of(projected(driver))["progressive"]
    assert (line.rounds, line.wagered) == (5, 500)
    assert Fraction(line.expected) == expected
    assert float(line.deviations) == pytest.approx(deviations(line, variance), abs=0.005)
    received = sum(
        cents(one.stake) + cents(one.paid.removeprefix("-"))
        for one in settled
        if one.wager in ("progressive", "envy") and one.result in ("win", "bonus")
    )
    assert line.win - line.from_meters == 500 - received


@pytest.mark.slow
def test_a_hit_on_the_meter_counts_as_paid_and_the_table_keeps_its_win(projected) -> None:
    found = projected(played(1, rounds=2))
    found.sql.execute("update holds set from_meter = 60000 where wager = 'progressive'")
    lines = wagers_of(found)
    line = lines["progressive"]
    assert line.from_meters == 60000
    assert float(line.hold_percent) == pytest.approx(
        100 * (line.win - 60000) / line.wagered, abs=0.01
    )
    (table,) = report(found, DAY, "1")["today"]["tables"]
    assert table.win == sum(one.win for one in lines.values())


def test_the_sums_of_large_meters_stay_exact(projected) -> None:
    """Ten million dollars squared, in cents, is more than a database counts to after ten rounds."""
    driver = Driver(
        MD,
        {"shuffler": "counting", "progressive": "B"},
        source=SeededSource(3),
        meters={"progressive": {"rate": "20%", "seed": "10000000.00", "reset": "1000.00"}},
    )
    driver.seat_player(1, "ann")
    for _ in range(12):
        driver.ready()
        driver.wager(1, {"ante": "10.00", "progressive": "1.00"})
        driver.finish(lambda *_: ("play", {}))
    shown = [1_000_000_000 + 20 * number for number in range(1, 13)]
    rows = projected(driver).rows("select what, meter, other, amount from meter_sums")
    sums = {(row["what"], row["meter"], row["other"]): int(row["amount"]) for row in rows}
    assert sums == {
        ("mean", "progressive", ""): sum(shown),
        ("spread", "progressive", ""): sum(shown),
        ("spread", "progressive", "progressive"): sum(one * one for one in shown),
    }
    assert sums["spread", "progressive", "progressive"] > 2**63


def test_a_five_card_progressive_is_forfeited_with_a_folded_ante() -> None:
    """Of the hands folded by the best play none is a flush or better, so those rows stay whole."""
    rules = choose(MD, {"five_card_progressive": "B"})
    from houseway.games.three_card.maths.progressives import at_table

    wager = rules.chapter.wagers["five_card_progressive"]
    free = at_table(rules, wager, 500, 0, beside_fold=False)
    beside = at_table(rules, wager, 500, 0, beside_fold=True)
    assert {name: beside.chance(name) for name in beside.hits} == {
        name: free.chance(name) for name in free.hits
    }
    assert beside.fixed_return < free.fixed_return
    # every hand of three different ranks below a queen, without a flush or a straight, is folded:
    # among them those that two community cards make a straight, as 6 7 9 with 5 and 8
    lost = free.fixed_return - beside.fixed_return
    straight = 1 + rules.table("five_card_progressive")["straight"].odds.value
    assert lost > Fraction(1, comb(52, 5)) * straight


def test_five_card_envy_adds_the_variance_of_every_other_hand() -> None:
    awards = {"royal_flush": {"5.00": "$1000"}}
    rules = choose(MD, {"five_card_progressive": "B", "five_card_envy": awards})
    from houseway.games.three_card.maths.progressives import at_table

    wager = rules.chapter.wagers["five_card_progressive"]
    alone, beside = (at_table(rules, wager, 500, others, beside_fold=False) for others in (0, 2))
    meters = dict.fromkeys(alone.hits, 100_000)
    chance = Fraction(4, comb(52, 5))
    one = chance * 200**2 - (chance * 200) ** 2  # a thousand dollars on five are 200 units
    assert beside.variance(meters) - alone.variance(meters) == 2 * one
    assert beside.fixed_return - alone.fixed_return == 2 * chance * 200


# wagers that depend on others, on the stake, on decisions


def test_cover_all_goes_by_the_players_and_one_hand_decides_for_all(projected) -> None:
    driver = Driver(MA, {"shuffler": "counting", "cover_all": True}, source=SeededSource(2))
    rounds = [(1, 2), (1, 2, 3), (1, 2, 3)]
    for seat in (1, 2, 3):
        driver.seat_player(seat, f"player {seat}")
    for seats in rounds:
        driver.ready()
        for seat in seats:
            driver.wager(seat, {"ante": "10.00", "cover_all": f"{seat}.00"})
        driver.finish(lambda *_: ("play", {}))
    sheet = par(MA, players=(2, 3))
    line = wagers_of(projected(driver))["cover_all"]
    expected = variance = Fraction(0)
    for seats in rounds:
        of = sheet.find("cover_all", players=len(seats)).spread
        assert of is not None
        stakes = 100 * sum(seats)
        expected += of.edge * stakes
        # all win or lose by the same hand: their stakes are one stake
        variance += of.variance * stakes**2
    assert line.rounds == 8
    assert Fraction(line.expected) == expected
    assert float(line.deviations) == pytest.approx(deviations(line, variance), abs=0.005)


def test_a_fixed_award_and_a_payout_limit_go_by_the_stake(projected) -> None:
    driver = Driver(MD, {"six_card_bonus": "A"}, source=SeededSource(2))
    driver.seat_player(1, "ann")
    for stake in ("1.00", "5.00"):
        driver.ready()
        driver.wager(1, {"ante": "10.00", "six_card_bonus": stake})
        driver.finish(lambda *_: ("play", {}))
    line = wagers_of(projected(driver))["six_card_bonus"]
    sheet = par(MD, choose(MD, {"six_card_bonus": "A"}), stakes=(100, 500))
    wanted = Fraction(0)
    for stake in (100, 500):
        dollars = f"{stake // 100}.00"
        of = sheet.find("six_card_bonus", stake=dollars).spread
        assert of is not None
        wanted += of.edge * stake
    assert Fraction(line.expected) == wanted
    limited = choose(PRIME, {"all_six": "A", "payout_limit": "50000.00"})
    file = played_file(limited)
    low, high = (exact(Played(*file, "all_six", stake)) for stake in (500, 50000))
    assert low is not None
    assert high is not None
    assert low.edge < high.edge  # the limit cuts what a large stake wins


def played_file(rules) -> tuple[str, str, str]:
    import msgspec

    file = msgspec.json.encode(rules.as_file()).decode()
    return rules.chapter.id, rules.chapter.about.edition, file


@pytest.mark.slow
def test_the_bet_has_the_figures_of_its_decks_and_reading_and_counts_once(projected) -> None:
    driver = Driver(DOWN_UNDER, {"decks": 6}, source=SeededSource(11))
    for seat in (1, 2):
        driver.seat_player(seat, f"player {seat}")

    def boldly(_table, _seat, steps):
        open_now = [step.command for step in steps]
        for choice, fields in (("split", {}), ("double", {"amount": "10.00"}), ("stand", {})):
            if choice in open_now:
                return choice, fields
        return "decline_insurance", {}

    for _ in range(6):
        driver.ready()
        for seat in (1, 2):
            driver.wager(seat, {"bet": "10.00"})
        driver.finish(boldly)
    found = projected(driver)
    line = wagers_of(found)["bet"]
    sheet = par(DOWN_UNDER, choose(DOWN_UNDER, {"decks": 6}))
    of = sheet.find("bet", decks=6, dealer_soft_22="stands").spread
    assert of is not None
    # twelve bets of ten dollars, whatever was put beside them
    assert line.rounds == 12
    assert line.wagered > 12_000
    assert Fraction(line.expected) == 12_000 * of.edge
    together = exact(Played(*played_file(choose(DOWN_UNDER, {"decks": 6})), "bet")).covariance
    variance = 6 * 1000**2 * (2 * of.variance + 2 * together)
    assert float(line.deviations) == pytest.approx(deviations(line, variance), abs=0.005)
    # two other seats, played again with other cards
    plan = plan_of(
        choose(DOWN_UNDER), players=2, wagers={"bet": 1000}, covariance=True, seed="others"
    )
    again = covariance(run(plan, 50_000, workers=Threads(1)), 0, 1) / 1000**2
    assert float(together) == pytest.approx(float(again), abs=0.03)
    (table,) = report(found, DAY, "1")["today"]["tables"]
    assert table.win == sum(one.win for one in wagers_of(found).values())


def test_stakes_on_the_same_cards_are_one_stake_and_others_go_in_pairs() -> None:
    """Each seat has its own cards; insurance hangs on one for all; in the electronic version a hand
    is everybody's who wagers on it."""

    def rows_of(lines: list[Due], id: str = MD, **rules: bool) -> tuple[int, int]:
        table = Driver(id, rules, source=SeededSource(1)).table
        rows = [row.values for row in holds(table, DAY, tuple(lines), {})]
        return sum(row["squares"] for row in rows), sum(row["pairs"] for row in rows)

    def lost(seat: int, stake: int, wager: str = "ante", hand: int = 0) -> Due:
        return Due(seat=seat, wager=wager, stake=stake, result="lose", paid=0, clause="", hand=hand)

    seats = [lost(1, 200), lost(2, 300), lost(3, 500)]
    assert rows_of(seats) == (200**2 + 300**2 + 500**2, 1000**2 - 200**2 - 300**2 - 500**2)
    play = [lost(1, 200, "play"), lost(2, 300, "play")]
    assert rows_of([*seats, *play]) == rows_of(seats)  # the figures are counted on the ante
    insured = [lost(1, 200, "insurance"), lost(2, 300, "insurance")]
    assert rows_of(insured, DOWN_UNDER) == (500**2, 0)
    hands = [lost(1, 200, hand=1), lost(2, 300, hand=1), lost(2, 500, hand=2)]
    assert rows_of(hands, electronic=True) == (500**2 + 500**2, 2 * 500 * 500)


# the tray and the drop box


def value(chips: dict[str, int]) -> int:
    return sum(cents(worth) * count for worth, count in chips.items())


def test_win_is_what_the_tray_the_drop_box_and_the_cage_say(projected) -> None:
    """The count of a table: closing tray + credits + drop - opening tray - fills, and what the count
    was off by apart. Nothing of it is taken from the wagers that the report adds up.
    """
    driver = Driver(MD, source=SeededSource(8))
    driver.seat_player(1, "ann")
    driver.seat_player(2, "bo")
    driver.send("buy_in", "dealer", seat=1, amount="300.00")
    driver.send("buy_in", "dealer", seat=2, amount="125.50")
    for number in range(5):
        driver.ready()
        for seat in (1, 2):
            driver.wager(seat, {"ante": "10.00", "pair_plus": "5.00"})
        driver.finish(lambda *_: ("play", {}))
        if number == 1:
            driver.send("fill", "floorperson", chips={"25.00": 20, "5.00": 10})
            driver.send("tip", "player", seat=1, amount="5.00")
        if number == 2:
            driver.send("credit", "floorperson", chips={"100.00": 3})
            driver.send("buy_in", "dealer", seat=2, amount="40.00")
        if number == 3:
            driver.send(
                "correct_payment", "floorperson", seat=1, amount="7.50", reason="paid short"
            )
    tray = {f"{worth // 100}.{worth % 100:02}": n for worth, n in driver.table.tray.items() if n}
    counted = {**tray, "5.00": tray["5.00"] - 1}
    driver.send("close_table", "floorperson", count=counted)
    found = projected(driver)
    (table,) = report(found, DAY, "1")["today"]["tables"]
    assert (table.rounds, table.drop) == (5, 30_000 + 12_550 + 4_000)
    assert (table.fills, table.credits) == (20 * 2500 + 10 * 500, 30_000)
    assert (table.corrections, table.difference) == (-750, -500)
    by_count = value(counted) + table.credits + table.drop - opening_of(driver) - table.fills
    assert table.win == by_count - table.difference
    assert float(table.hold_percent) == pytest.approx(100 * table.win / 46_550, abs=0.005)
    # a correction belongs to no round: the wagers hold what they held
    wagers = sum(one.win for one in wagers_of(found).values())
    assert table.win == wagers - 750
    rows = found.rows("select what, cents from inventory order by version")
    assert [(row["what"], row["cents"]) for row in rows] == [
        ("drop", 30_000), ("drop", 12_550), ("fill", 55_000), ("credit", 30_000), ("drop", 4_000),
        ("correction", -750), ("difference", -500),
    ]  # fmt: skip


def opening_of(driver: Driver) -> int:
    opened = driver.record[0]
    assert isinstance(opened, e.TableOpened)
    return value(opened.tray)


def test_each_gaming_day_has_its_own_drop_and_fills(projected) -> None:
    driver = Driver(MD, start="2026-01-02T10:30:00", source=SeededSource(8))
    driver.seat_player(1, "ann")
    driver.send("buy_in", "dealer", seat=1, amount="100.00")
    driver.send("fill", "floorperson", chips={"5.00": 4})
    # six in the morning in New York begins the next day
    driver.clock = driver.clock.replace(hour=11, minute=0)
    driver.send("buy_in", "dealer", seat=1, amount="60.00")
    driver.send("credit", "floorperson", chips={"5.00": 2})
    driver.ready()
    driver.wager(1, {"ante": "10.00"})
    driver.finish(lambda *_: ("play", {}))
    found = projected(driver)
    before, after = (report(found, day)["today"]["tables"][0] for day in (DAY, "2026-01-02"))
    assert (before.drop, before.fills, before.credits, before.rounds) == (10_000, 2_000, 0, 0)
    assert (after.drop, after.fills, after.credits, after.rounds) == (6_000, 0, 1_000, 1)
    both = report(found, "2026-01-02")["month"]["tables"][0]
    assert (both.drop, both.fills, both.credits, both.rounds) == (16_000, 2_000, 1_000, 1)
    assert both.win == after.win


def test_a_card_corrected_in_a_round_is_in_its_lines_and_not_counted_twice(projected) -> None:
    """An eight keyed in where a two lay: what was lost has won, and the floor makes it good."""
    driver = Driver(MD, source=SeededSource(8))
    driver.seat_player(1, "ann")
    while driver.table.phase != "betting":
        if driver.table.phase == "shuffling":
            driver.send("shuffle", "dealer")  # nobody knows the order: cards are keyed in
        else:
            driver.house()
    driver.wager(1, {"ante": "10.00", "pair_plus": "5.00"})
    driver.until("deciding")
    driver.send("play", "player", seat=1)
    driver.send("reveal_dealer", "dealer", cards=("Ac", "Kd", "9h"))
    driver.send("turn_hand", "dealer", seat=1, cards=("2c", "3d", "8h"))
    while len([one for one in driver.record if isinstance(one, e.WagerSettled)]) < 2:
        driver.house()
    driver.send(
        "correct_card", "floorperson", place="seat.1", was="8h", card="2d", reason="misread"
    )
    while driver.table.hands:
        driver.house()
    assert any(isinstance(one, e.PaymentCorrected) for one in driver.record)
    found = projected(driver)
    (table,) = report(found, DAY, "1")["today"]["tables"]
    # a pair of twos beats ace high: 10 on the ante, 10 on play, 5 at 1 to 1 on Pair Plus
    assert (table.win, table.corrections) == (-2_500, 0)
    assert found.rows("select net from hands") == [{"net": 2_500}]
    tray = sum(worth * count for worth, count in driver.table.tray.items())
    assert table.win == tray - opening_of(driver)
    lines = found.rows("select wager, result from lines order by number")
    assert {(line["wager"], line["result"]) for line in lines} == {
        ("ante", "win"), ("play", "win"), ("pair_plus", "win"),
    }  # fmt: skip
