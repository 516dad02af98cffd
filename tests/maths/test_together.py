"""Wagers of one seat together: means of products, against sums over hands by other routes."""

from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest
from plain_deals import QUEEN_HIGH, deck, hands, one_color, twos

from houseway.game_api.payouts import best_pay
from houseway.games.down_under.maths.figures import figures
from houseway.games.down_under.maths.solver.exact import exactly
from houseway.games.down_under.maths.solver.quantities import net_by_matches
from houseway.games.down_under.maths.solver.solve import solve
from houseway.games.down_under.maths.solver.variant import Variant
from houseway.games.saigon.maths import tallies as saigon_tallies
from houseway.games.three_card import hands as three_card
from houseway.games.three_card.maths.counting import tallies
from houseway.games.three_card.maths.outcomes import three_names
from houseway.games.three_card.maths.wager_models import HANDS
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter, choose, cites
from houseway.maths.game import MATHS
from houseway.maths.joint.covariance import together
from houseway.maths.joint.joint_wagers import everything
from houseway.maths.par import par
from houseway.maths.wagers import beside

PACK = deck()


def net(table, hand):
    found = best_pay(table, three_card.outcomes(hand, three_card.value(hand)))
    return Fraction(-1) if found is None else beside(found.odds, 100)


def faces_of(rules, meters):
    return MATHS.of(rules.chapter).models(rules, meters)


@pytest.fixture(scope="module")
def maryland():
    return faces_of(everything(chapter(MD)), {})[0]


@pytest.fixture(scope="module")
def prime():
    return faces_of(everything(chapter(PRIME)), {})[0]


@pytest.mark.parametrize("id", [MD, MA, PRIME, SAIGON])
def test_each_wager_alone_is_as_on_the_sheet(id):
    """Mean and variance of every face are those of its entry; a forfeit makes them smaller."""
    sheet = par(id)
    faces, tables = faces_of(everything(chapter(id)), {})
    for wager, face in faces.items():
        entry = sheet.find(wager, tables[wager])
        spread = entry.spread
        if spread is None or "stake" in entry.columns:
            continue
        assert face.mean() == spread.mean
        assert face.square() == spread.square


def test_pair_plus_and_progressive_hand_by_hand(maryland):
    rules = everything(chapter(MD))
    pair_plus, progressive = rules.table("pair_plus"), rules.table("progressive")
    meter = rules.meter("progressive").reset

    def won(hand):
        found = best_pay(progressive, three_card.outcomes(hand, three_card.value(hand)))
        if found is not None and found.odds.kind == "meter":
            return Fraction(meter, 100) - 1
        return Fraction(-1) if found is None else beside(found.odds, 100)

    total = sum(net(pair_plus, hand) * won(hand) for hand in hands(PACK))
    assert maryland["pair_plus"].product(maryland["progressive"]) == Fraction(total, HANDS)


@cites(PRIME, "679a.11(d)(1)", "679a.11(d)(2)")
def test_colors_and_the_fourth_card_hand_by_hand(prime):
    """Every player's hand; the dealer's color and the fourth card from combinatorics.

    Of the 46 cards left when both hands are known the twos that are not in them may come fourth.
    The dealer of the same color holds on average 3/23 of the twos of that color that are left.
    """
    rules = everything(chapter(PRIME))
    plain, with_two = rules.table("pair_bonus", "not_2"), rules.table("pair_bonus")
    one, both = (
        beside(rules.table("prime")[name].odds, 100) for name in ("same_color", "same_color_both")
    )
    total = Fraction(0)
    for hand in hands(PACK):
        held = twos(hand)
        without, with_it = net(plain, hand), net(with_two, hand)
        left = 4 - held

        def fourth(dealers, dealer_twos, without=without, with_it=with_it, left=left):
            """Net results over all dealers' hands of a kind that hold a given number of twos."""
            chance = Fraction(left * dealers - dealer_twos, 46)
            return without * dealers + (with_it - without) * chance

        everyone = comb(49, 3)
        all_of_them = fourth(everyone, Fraction(3 * left, 49) * everyone)
        if not one_color(hand):
            total -= all_of_them
            continue
        same = comb(23, 3)
        of_color = 2 - held
        alike = fourth(same, Fraction(3 * of_color, 23) * same)
        total += one * (all_of_them - alike) + both * alike
    assert prime["prime"].product(prime["pair_bonus"]) == total / (HANDS * comb(49, 3))


def test_six_cards_and_colors_by_symmetry(prime):
    """What is of one color does not know what the table pays: at even payouts nothing moves.

    If the six-card wager gave every paid outcome its stake and no more, the product would be the
    mean of the colors over the deals that are paid, less its mean: counted here set by set.
    """
    s = tallies.splits(QUEEN_HIGH)
    for deals, one, both in zip(s.deals, s.one_color, s.both_one_color, strict=True):
        assert 0 <= both <= one <= deals
    flushes = {
        six for six, name in enumerate(_six_names()) if name in ("royal_flush", "straight_flush")
    }
    # five of one suit among six: the player's three are of one suit, or of two suits
    suited = sum(n for n, six in zip(s.deals, s.six, strict=True) if six in flushes)
    colored = sum(n for n, six in zip(s.one_color, s.six, strict=True) if six in flushes)
    # the odd card is with the player half of the time; then it is of the color as often as not a
    # card of another suit is: counted for royal and straight flushes set by set
    expected = 0
    for suit in range(4):
        for low in range(-1, 9):
            ranks = [(low + step) % 13 for step in range(5)]
            cards_ = [card for card in PACK if card.suit == suit and card.rank in ranks]
            higher = (low + 5) % 13 if low < 8 else None
            for other in PACK:
                if other in cards_ or (other.suit == suit and other.rank == higher):
                    continue
                six = [*cards_, other]
                if low == 8 and other.suit == suit and other.rank == 7:
                    continue  # a six-card royal has a name of its own
                expected += sum(one_color(three) for three in combinations(six, 3))
    assert colored == expected
    assert colored < suited


def _six_names():
    from houseway.games.three_card.maths.counting.counts import SIX

    return SIX


def test_a_fold_forfeits_what_the_chapter_says():
    """Maryland's fold takes the five-card progressive with it, Massachusetts' leaves Pair Plus."""
    maryland = faces_of(choose(MD, {"five_card_progressive": "B"}), {})[0]
    kept = faces_of(choose(MD, {"five_card_progressive": "B"}), {})[0]["five_card_progressive"]
    alone = par(MD).find("five_card_progressive", "B").progressive.wager
    meters = dict.fromkeys(alone.hits, 100_000)
    assert kept.mean() < -alone.edge(meters)
    assert maryland["pair_plus"].mean() == par(MD).find("pair_plus", "A").spread.mean


@pytest.mark.parametrize("id", [MD, MA, PRIME, SAIGON])
def test_variances_are_variances(id):
    faces, _ = faces_of(everything(chapter(id)), {})
    whole = together(faces)
    for (first, second), covariance in whole.covariances.items():
        assert covariance**2 <= whole.variances[first] * whole.variances[second]
    assert whole.variance > 0
    parts = sum(whole.variances.values()) + 2 * sum(whole.covariances.values())
    assert whole.variance == parts


def test_the_same_wager_twice_is_wholly_correlated(maryland):
    face = maryland["pair_plus"]
    whole = together({"one": face, "two": face})
    assert whole.variance == 4 * whole.variances["one"]


def test_saigon_bonus_and_ante_on_the_values_of_the_cards():
    faces, _ = faces_of(everything(chapter(SAIGON)), {})
    tally = saigon_tallies.kinds()
    ante, bonus = faces["ante_play"], faces["bonus"]
    total = Fraction(0)
    for at, state in enumerate(ante.settings.state):
        mine = sum(
            n * p for n, p in zip(tally.dealer[at], ante.settings.pays.nets[state], strict=True)
        )
        theirs = sum(
            n * Fraction(p, bonus.part) for n, p in zip(tally.bonus[at], bonus.nets, strict=True)
        )
        total += mine * theirs
    assert ante.product(bonus) == total / (comb(53, 5) * comb(48, 5))


@pytest.mark.parametrize("id", [MD, MA])
def test_what_looks_at_other_seats_is_left_out_and_said(id):
    out = par(id).out().together
    assert "cover_all" not in out.wagers
    assert any("envy" in line for line in out.leaves_out)
    assert any("Cover All" in line for line in out.leaves_out) == (id == MA)


def test_names_of_a_three_card_hand():
    assert three_names("mini_royal_spades") == ("mini_royal_spades", "mini_royal", "straight_flush")


def test_products_with_rare_hands_added_up_plainly(maryland, prime):
    """The same sums with fractions and nothing taken off: paid deals, then all the others."""
    s, tally = tallies.splits(QUEEN_HIGH), tallies.duel(QUEEN_HIGH)
    deals = HANDS * comb(49, 3)
    for faces, six in ((maryland, "six_card_bonus"), (prime, "all_six")):
        ante, rare = faces["ante_play"], faces[six]
        paid = Fraction(0)
        paid_ante = 0
        for row, column, outcome, count in zip(s.row, s.column, s.six, s.deals, strict=True):
            mine = count * ante.nets[row][column]
            paid += mine * (Fraction(rare.back[outcome], rare.part) - 1)
            paid_ante += mine
        whole = sum(
            w * sum(n * x for n, x in zip(d, nets, strict=True))
            for w, d, nets in zip(tally.ways, tally.dealer, ante.nets, strict=True)
        )
        expected = (paid - (whole - paid_ante)) / (deals * ante.part)
        assert ante.product(rare) == expected
    five, six = maryland["five_card_progressive"], maryland["six_card_bonus"]
    f = five.tally
    eight = HANDS * comb(49, 2) * comb(47, 3)
    both = sum(
        Fraction(back, five.part) * Fraction(six.back[at], six.part) * n
        for back, counts in zip(five.entry, f.six, strict=True)
        for at, n in enumerate(counts)
    )
    assert six.product(five) == both / eight - six.mean_back() - five.mean_back() + 1
    ante = maryland["ante_play"]
    won = sum(
        Fraction(back, five.part) * Fraction(x, ante.part) * n
        for back, row, dealer in zip(five.entry, f.row, f.dealer, strict=True)
        for n, x in zip(dealer, ante.nets[row], strict=True)
    )
    assert ante.product(five) == won / eight - ante.mean()


@cites(DOWN_UNDER, "685a.11(c)")
@pytest.mark.slow
def test_bet_and_match_the_dealer_card_by_card():
    """Real cards give the matches, values give the bet: every up card with every two cards."""
    game = Variant(decks=2)
    best = solve(game)
    table = best.table
    pack = [(rank, suit) for rank in range(13) for suit in range(4) for _ in range(2)]

    def value(card):
        return 0 if card[0] == 12 else min(card[0] + 1, 9)

    matches = {}
    for up in [(rank, 0) for rank in range(13)]:
        left = list(pack)
        left.remove(up)
        for one, other in combinations(left, 2):
            suited = (one == up) + (other == up)
            ranks = (one[0] == up[0]) + (other[0] == up[0])
            key = value(up), *sorted((value(one), value(other)))
            counted = matches.setdefault(key, [0, 0, 0, 0])
            for place, number in enumerate((suited, ranks - suited, ranks == 0, 1)):
                counted[place] += number
    found = [0.0, 0.0, 0.0]

    def add(up, low, high, brings):
        *sums, ways = matches[up, low, high]
        for place, number in enumerate(sums):
            found[place] += brings * number / ways

    for deal in table.deals:
        up, (low, high) = table.cases[deal.case].up, deal.cards
        hands = best.hands[deal.pair, deal.case] if deal.pair >= 0 else 0
        won = best.splits[deal.pair, deal.case, 0] if hands else best.by_itself(deal)
        add(up, low, high, deal.ways / table.ways * won)
    shoe = game.shoe
    for up, hole, one, other in product(range(10), repeat=4):
        mine, theirs = {one, other} == {0, 9}, {up, hole} == {0, 9}
        if mine != theirs:
            ways, left = 1, list(shoe)
            for card in (up, hole, one, other):
                ways *= left[card]
                left[card] -= 1
            add(up, *sorted((one, other)), ways / table.ways * (1.5 if mine else -1))
    exact = exactly((best, net_by_matches(game)))[0]
    assert [float(one) for one in exact] == pytest.approx(found, abs=1e-12)


@cites(DOWN_UNDER, "685a.11(c)")
def test_down_under_has_its_wagers_together():
    rules = choose(DOWN_UNDER, {"match_the_dealer": True})
    sheet = par(DOWN_UNDER, rules)
    whole = sheet.out().together
    assert list(whole.wagers) == ["bet", "match_the_dealer"]
    known = figures(Variant())
    suited, unsuited, none = map(Fraction, known.by_matches)
    # with payouts of nothing and no loss but where none matches, the parts are the whole
    bet, match = (sheet.find(name).spread for name in whole.wagers)
    table = rules.table("match_the_dealer")
    product_of = (
        table["suited_match"].odds.value * suited
        + table["unsuited_match"].odds.value * unsuited
        - none
    )
    (pair,) = whole.covariances
    assert Fraction(pair.covariance) == product_of - bet.mean * match.mean
    assert Fraction(whole.variance) == bet.variance + match.variance + 2 * Fraction(pair.covariance)


@pytest.mark.parametrize("id", CHAPTERS)
def test_returns_of_every_entry_add_up_to_its_return_to_player(id):
    # of Down Under one number of decks, both readings
    rules = choose(id, {"match_the_dealer": True}) if id == DOWN_UNDER else None
    for entry in par(id, rules).entries:
        out = entry.out()
        assert all(row.back and int(row.combinations) >= 0 for row in out.outcomes)
        edge = Fraction(out.house_edge or out.at.house_edge)
        assert sum(Fraction(row.back) for row in out.outcomes) == 1 - edge, entry.wager
