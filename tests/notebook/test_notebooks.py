"""Values in a notebook: what they show, their figures for Arrow, and the example notebooks run."""

import json
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import pytest

import houseway
from houseway.games.down_under.maths.strategy_view import removal
from houseway.maths.reconcile import reconcile
from houseway.table.driver import Driver
from houseway.table.state import Table

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def dealt():
    return houseway.deal(
        houseway.choose("md-three-card-poker"),
        dealer="Qh 7d 2c",
        seats={3: {"wagers": {"ante": "10.00"}, "cards": "As Ks Qs", "decision": "play"}},
    )


def words(svg):
    return " ".join("".join(one.itertext()) for one in ET.fromstring(svg).iter())


def test_a_round_shows_the_felt_with_its_cards(dealt):
    assert "royal" in words(dealt._repr_svg_())


def test_rules_and_a_live_table_show_the_felt():
    assert "THREE CARD POKER" in words(houseway.choose("md-three-card-poker")._repr_svg_()).upper()
    driver = Driver("pa-saigon-5-card")
    assert "SAIGON" in words(driver.table._repr_svg_()).upper()
    with pytest.raises(houseway.Refused):
        Table()._repr_svg_()


def test_a_settlement_shows_its_lines_and_gives_them_to_arrow(dealt):
    settled = houseway.settle(dealt)
    page = settled._repr_html_()
    assert "11.D(3)(d)(ii)" in page
    assert "seat 3 +$70" in page
    table = settled.to_arrow().to_pydict()
    assert sum(table["net_cents"]) == settled.seat(3).net == 7000


def test_a_par_sheet_shows_its_entries_and_gives_its_outcomes_to_arrow():
    sheet = houseway.par("pa-saigon-5-card")
    assert "Bonus" in sheet._repr_html_()
    table = sheet.to_arrow().to_pydict()
    rows = [i for i, outcome in enumerate(table["outcome"]) if outcome == "royal_flush"]
    # four royal flushes of all five-card hands from 53 cards
    assert [Fraction(table["probability"][row]) for row in rows] == [Fraction(4, 2869685)]


def test_chapters_strategies_and_simulations_show_themselves():
    assert "Pair Plus" in houseway.chapter("md-three-card-poker")._repr_html_()
    assert "<svg" in houseway.strategy("md-three-card-poker")._repr_html_()
    run = houseway.simulate("pa-saigon-5-card", rounds=1000)
    page = run._repr_html_()
    assert "1,000 rounds" in page
    picture = ET.fromstring(page[page.index("<svg") :])
    assert "Saigon 5 Card: 1,000 rounds" in picture.get("aria-label", "")
    assert run.to_arrow().column("wager").to_pylist()[0] == run["wagers"][0]["wager"]


@pytest.mark.slow
def test_paytables_published_holds_and_card_removal_show_themselves():
    """12.D(1): Pair Plus A pays a straight flush 35 to 1, item (a) of its list."""
    page = houseway.choose("md-three-card-poker").table("pair_plus")._repr_html_()
    assert "35 to 1" in page
    assert "12.D(1)(a)" in page
    for finding in reconcile(houseway.chapter("pa-saigon-5-card")):
        assert f"published {finding.hold.low}" in finding._repr_html_()
    down_under = houseway.choose("pa-down-under-blackjack", {"match_the_dealer": True})
    assert "One card gone" in removal(down_under)._repr_html_()


@pytest.mark.slow
def test_every_table_of_figures_is_an_arrow_table():
    """Of each value all tables have rows and equal columns; a wrong name is refused."""
    law = houseway.chapter("md-three-card-poker")
    rules = houseway.choose(law, {"pair_plus": "B"})
    down_under = houseway.choose("pa-down-under-blackjack", {"match_the_dealer": True})
    values = [
        law,
        rules,
        rules.table("pair_plus"),
        houseway.par(rules),
        houseway.strategy("md-three-card-poker"),
        houseway.strategy("pa-saigon-5-card"),
        houseway.strategy("pa-down-under-blackjack"),
        removal(down_under),
        *reconcile(houseway.chapter("pa-saigon-5-card")),
    ]
    for value in values:
        for name in value.arrow_tables:
            assert value.to_arrow(name).num_rows > 0, (type(value), name)
    assert rules.to_arrow("payouts").equals(rules.to_arrow())
    with pytest.raises(houseway.Refused, match=r"did you mean payouts\? choose from payouts"):
        rules.to_arrow("payout")


def test_the_figures_are_the_exact_ones():
    table = houseway.choose("md-three-card-poker", {"pair_plus": "B"}).to_arrow().to_pydict()
    pays = {
        outcome: pays
        for wager, outcome, pays in zip(
            table["wager"], table["outcome"], table["pays"], strict=True
        )
        if wager == "pair_plus"
    }
    # 12.D(2), table B
    assert (pays["straight_flush"], pays["pair"]) == ("40 to 1", "1 to 1")
    sheet = houseway.par(houseway.choose("md-three-card-poker", {"pair_plus": "B"}))
    wagers = sheet.to_arrow("wagers").to_pydict()
    edge = wagers["house_edge"][wagers["wager"].index("pair_plus")]
    assert Fraction(edge) == sheet.find("pair_plus").house_edge
    net = sheet.to_arrow("distribution").to_pydict()
    of_pair_plus = [at for at, wager in enumerate(net["wager"]) if wager == "pair_plus"]
    assert sum(Fraction(net["probability"][at]) for at in of_pair_plus) == 1
    mean = sum(Fraction(net["net"][at]) * Fraction(net["probability"][at]) for at in of_pair_plus)
    assert mean == -Fraction(edge)
    cost = houseway.strategy("md-three-card-poker").to_arrow("alternatives").to_pydict()
    assert min(map(Fraction, cost["cost"])) > 0


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_an_example_notebook_runs_from_top_to_bottom(path, capsys):
    cells = json.loads(path.read_text())["cells"]
    names = {"__name__": "__main__"}
    shown = None
    for cell in cells:
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            last = source.splitlines()[-1]
            exec(compile(source, str(path), "exec"), names)
            if last.strip().isidentifier():
                shown = names[last.strip()]
                assert not hasattr(shown, "_repr_html_") or shown._repr_html_()
    assert cells
    assert shown is not None or capsys.readouterr().out


def test_there_is_a_notebook_for_each_purpose():
    assert {path.stem for path in NOTEBOOKS} == {
        "price-a-paytable", "reconcile-a-published-hold", "cost-of-mistakes", "risk-of-ruin",
        "a-days-audit",
    }  # fmt: skip
