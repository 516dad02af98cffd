"""Kernels and the games' own functions: the same cards, the same decisions, the same cents."""

from __future__ import annotations

from random import Random

import numpy as np
import own_strategies
import pytest
from plain_rounds import (
    MARYLAND,
    MASSACHUSETTS,
    OWN,
    THREE_CARD_PRIME,
    by_game,
    by_kernel,
    down_under_round,
    ready,
    saigon_round,
    settle,
    three_card_round,
)

from houseway.cards import Card
from houseway.game_api import poker
from houseway.games.saigon.hands import values
from houseway.games.three_card.simulation.codes import PROGRESSIVE
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, choose, cites

ROUNDS = 60


def three_card_decks(random: Random, cards: int, rounds: int) -> list[list[int]]:
    """Random deals, half of them with few ranks and suits left, so that rare hands come up."""
    decks = []
    for number in range(rounds):
        pack = list(range(52))
        random.shuffle(pack)
        if number % 2:
            suit, low = random.randrange(4), random.randrange(9)
            # the wanted cards first, mixed within the places that are dealt
            pack.sort(key=lambda card: not (card & 3 == suit or low <= card >> 2 < low + 2))
            dealt = pack[:cards]
            random.shuffle(dealt)
            pack = dealt + pack[cards:]
        decks.append(pack[:cards])
    return decks


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chapter", "options"),
    [
        *((MD, options) for options in MARYLAND),
        *((MA, options) for options in MASSACHUSETTS),
        *((PRIME, options) for options in THREE_CARD_PRIME),
    ],
)
@pytest.mark.parametrize("players", [1, 4, 7])
def test_three_card_kernel_pays_what_the_game_pays(chapter, options, players):
    rules = choose(chapter, options)
    players = min(players, rules.chapter.number("seats"))
    decide = own_strategies.any_way if chapter == MA else own_strategies.play_or_fold
    game = ready(rules, players=players, strategy=f"{OWN}:{decide.__name__}")
    decks = three_card_decks(
        Random(f"{chapter} {options} {players}"), game.kernel.table.cards, ROUNDS
    )
    lines = by_kernel(game, decks)
    for deck, found in zip(decks, lines, strict=True):
        expected = by_game(game, settle(three_card_round(game, deck, decide)))
        assert (found == expected).all()


@cites(MA, "6(b)")
@pytest.mark.parametrize("coupon", [{"ante": 1000}, {"ante": 500, "pair_plus": 500}])
def test_coupons_are_paid_as_the_game_pays_them(coupon):
    rules = choose(MA, {"match_play": True, "six_card_bonus": "TCP-6B1"})
    decide = own_strategies.any_way
    game = ready(rules, players=3, coupon=coupon, strategy=f"{OWN}:any_way")
    decks = three_card_decks(Random(8), game.kernel.table.cards, 4 * ROUNDS)
    met = set()
    for deck, found in zip(decks, by_kernel(game, decks), strict=True):
        settled = settle(three_card_round(game, deck, decide))
        assert (found == by_game(game, settled)).all()
        met |= {
            (line.result, line.paid > 0)
            for seat in settled.seats
            for line in seat.lines
            if line.wager == "coupon"
        }
    assert {paid for _, paid in met} == {True, False}


def test_seats_may_wager_differently():
    rules = choose(MD, {"six_card_bonus": "C", "progressive": "A"})
    seats = [
        {"ante": 1000},
        {"pair_plus": 500},
        {"ante": 500, "pair_plus": 2000, "progressive": 500, "six_card_bonus": 100},
        {"pair_plus": 100, "progressive": 100},
    ]
    decide = own_strategies.play_or_fold
    game = ready(rules, seats=seats, strategy=f"{OWN}:play_or_fold")
    decks = three_card_decks(Random(5), game.kernel.table.cards, 4 * ROUNDS)
    for deck, found in zip(decks, by_kernel(game, decks), strict=True):
        round = three_card_round(game, deck, decide)
        assert (found == by_game(game, settle(round))).all()


#: player's and dealer's cards for every three-card hand and every relation between two of them
THREE = [
    "5c 3d 2h", "Jc 9d 7h", "Qc 8d 6h", "Ac Jd 9h", "2c 2d 3h", "9c 9d 4h", "Ac Ad Kh",
    "5c 3c 2c", "Ac Jc 9c", "2c 3d 4h", "Qc Kd Ah", "Ac 2d 3h", "2c 2d 2h", "Ac Ad Ah",
    "2c 3c 4c", "Jc Qc Kc", "Ac Kc Qc", "As Ks Qs", "Ad Kd Qd", "Ks Qs Js", "9h 9s 4s",
]  # fmt: skip
#: six cards, the first three the player's, of every outcome; five-card hands with their community
SIX = [
    "Ad Kd Qd Jd Td 9d", "As Ks Qs Js Ts 9s", "Ac Kc Qc Jc Tc 2d", "9h 8h 7h 6h 5h 2c",
    "5c 5d 5h 5s Kc 2d", "5c 5d 5h Kc Kd 2d", "5c 5d 5h Kc Kd Kh", "2c 5c 9c Jc Kc Ad",
    "5c 6d 7h 8s 9c 9d", "Ac 2d 3h 4s 5c Kd", "5c 5d 5h 8s 9c Jd", "5c 5d 8h 8s 9c Jd",
    "5c 5d 8h 8s 9c 9d", "5c 5d 8h Ts Qc Jd", "2c 5d 8h Ts Qc Jd",
]  # fmt: skip
BY_TEXT = {str(Card(number)): number for number in range(53)}


def numbers(text: str) -> list[int]:
    return [BY_TEXT[part] for part in text.split()]


def filled(cards: list[int], count: int) -> list[int] | None:
    """Cards followed by the lowest others, or None if a card occurs twice."""
    if len(set(cards)) < len(cards):
        return None
    rest = [card for card in range(52) if card not in cards]
    return (cards + rest)[:count]


def tables_of(chapter: str) -> list[tuple[str, str]]:
    law = choose(chapter).chapter
    return [
        (option.id, str(choice.value))
        for option in law.options.values()
        for choice in option.choices
        if any(data.wager == option.id and data.id == choice.value for data in law.paytable_data)
    ]


@pytest.mark.slow
@cites(MD, "12.B", "12.C", "12.D", "12.E", "12.F", "12.G")
@cites(MA, "11(a)(2)", "6(g)(4)", "13(d)")
@cites(PRIME, "679a.12(b)", "679a.12(c)", "679a.12(e)", "679a.12(f)", "679a.12(g)")
@pytest.mark.parametrize(
    ("chapter", "option", "value"),
    [(chapter, *table) for chapter in (MD, MA, PRIME) for table in tables_of(chapter)],
)
def test_every_row_of_every_paytable_is_met_and_paid_alike(chapter, option, value):
    law = choose(chapter).chapter
    choice = next(c for c in law.options[option].choices if str(c.value) == value)
    rules = choose(chapter, {option: value} | {k: v[0] for k, v in choice.needs.items()})
    extra = {"pair_bonus": "fourth", "five_card_progressive": "community"}.get(option)
    wagers = {"ante": 1000, "pair_plus": 500} if chapter != PRIME else {"ante": 1000}
    if option in rules.chapter.wagers:
        wagers[option] = 100
    game = ready(rules, players=1, wagers=wagers, strategy="always_play")
    count = game.kernel.table.cards
    decks = []
    for mine in THREE:
        for dealer in THREE:
            cards = [*numbers(dealer), *numbers(mine)]
            fourths = ("2c", "7d") if extra == "fourth" else ("",)
            decks += [filled([*cards, *numbers(fourth)], count) for fourth in fourths]
    for six in SIX:
        cards = numbers(six)
        if extra == "community":
            others = [card for card in range(52) if card not in cards][-3:]
            decks.append(filled([*others, *cards[:5]], count))
        else:
            decks.append(filled([*cards[3:], *cards[:3]], count))
    decks = [deck for deck in decks if deck is not None]
    seen = set()
    for deck, found in zip(decks, by_kernel(game, decks), strict=True):
        settled = settle(three_card_round(game, deck, lambda _: "play"))
        assert (found == by_game(game, settled)).all()
        seen |= {line.outcome for line in settled.seats[0].lines if line.wager == option}
    rows = {row for table in rules.tables(option) for row in table.pays}
    if option in ("ante", "play"):
        return
    assert rows <= seen


@pytest.mark.parametrize(
    "options", [{"bonus": "A"}, {}, {"bonus": "A", "payout_limit": "50000.00"}]
)
@pytest.mark.parametrize("strategy", ["optimal", "avoid_five", f"{OWN}:set_any_way"])
def test_saigon_kernel_pays_what_the_game_pays(options, strategy):
    rules = choose(SAIGON, options)
    limit = "payout_limit" in options
    wagers = {"ante": 1000, **({"bonus": 10_000 if limit else 500} if "bonus" in options else {})}
    game = ready(rules, players=6, wagers=wagers, strategy=strategy)
    random = Random(f"{options} {strategy}")
    law = values(rules.chapter)
    decks = []
    for number in range(4 * ROUNDS):
        pack = list(range(53))
        random.shuffle(pack)
        if number % 2:  # the joker, an ace or a suit always among the first cards
            suit = random.randrange(4)
            pack.sort(key=lambda card: not (card == 52 or card >> 2 == 12 or card & 3 == suit))
            dealt = pack[:35]
            random.shuffle(dealt)
            pack = dealt + pack[35:]
        decks.append(pack[:35])
    for deck, found in zip(decks, by_kernel(game, decks), strict=True):
        round = saigon_round(game, deck, lambda hand: game.strategy(hand, law.settings(hand)))
        expected = by_game(game, settle(round))
        assert (found == expected).all()


SAIGON_HANDS = [
    "Ac Ad Ah As Jk", "Ac Kc Qc Jc Tc", "Ac Kc Qc Jc Jk", "9c 8c 7c 6c 5c", "9c 8c 7c 6c Jk",
    "5c 5d 5h 5s Kc", "Ac Ad Ah Kc Jk", "5c 5d 5h Kc Kd", "Ac Ad Kh Kc Jk", "2c 5c 9c Jc Kc",
    "2c 5c 9c Jc Jk", "5c 6d 7h 8s 9c", "5c 6d 7h 8s Jk", "2c 3d 4h 5s Jk", "5c 5d 5h 8s 9c",
    "5c 5d 5h 8s Jk", "5c 5d 8h 8s 9c", "5c 5d 8h Ac Jk", "5c 5d 8h 9c Jk", "2c 4d 8h Ts Qc",
    "2c 4d 8h Ts Jk",
]  # fmt: skip


@cites(SAIGON, "680a.12(a)", "680a.12(b)", "680a.12(c)")
def test_every_row_of_saigon_is_met_and_paid_alike():
    rules = choose(SAIGON, {"bonus": "A"})
    game = ready(rules, players=1, wagers={"ante": 100, "bonus": 100})
    law = values(rules.chapter)
    decks = []
    for mine in SAIGON_HANDS:
        for dealer in (*SAIGON_HANDS, "2h 2d 2s 3h 3d", "Th Js Qd 4s 7d"):
            cards = [*numbers(dealer), *numbers(mine)]
            if len(set(cards)) == 10:
                decks.append(cards)
    seen = set()
    for deck, found in zip(decks, by_kernel(game, decks), strict=True):
        settled = settle(
            saigon_round(game, deck, lambda hand: game.strategy(hand, law.settings(hand)))
        )
        assert (found == by_game(game, settled)).all()
        seen |= {line.outcome for line in settled.seats[0].lines}
    assert set(rules.table("bonus").pays) <= seen
    assert set(rules.table("ante").pays) <= seen


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"decks": 6, "match_the_dealer": True},
        {"decks": 8, "match_the_dealer": True, "dealer_soft_22": "counts_as_12"},
        {"decks": 4},
    ],
)
@pytest.mark.parametrize("insures", [False, True])
def test_down_under_kernel_pays_what_the_game_pays(options, insures):
    rules = choose(DOWN_UNDER, options)
    wagers = {"bet": 1000}
    if "match_the_dealer" in options:
        wagers["match_the_dealer"] = 500
    game = ready(
        rules, players=3, wagers=wagers, insures=insures, strategy=f"{OWN}:hit_or_whatever"
    )
    random = Random(f"{options} {insures}")
    shoes = []
    for number in range(5 * ROUNDS):
        shoe = list(range(52)) * options["decks"]
        random.shuffle(shoe)
        if number % 3 == 1:  # aces, tens and pairs
            few = [8, 12, random.randrange(13)]
            shoe.sort(key=lambda card: card >> 2 not in few)
            front = shoe[:24]
            random.shuffle(front)
            shoe = front + shoe[24:]
        shoes.append(shoe)
    met = set()
    for shoe, found in zip(shoes, by_kernel(game, shoes), strict=True):
        round, _ = down_under_round(game, shoe, own_strategies.hit_or_whatever, insures=insures)
        settled = settle(round)
        assert (found == by_game(game, settled)).all()
        met |= {(line.wager, line.result) for seat in settled.seats for line in seat.lines}
    wanted = {("bet", r) for r in ("win", "lose", "push")} | {
        (w, r) for w in ("double", "split") for r in ("win", "lose", "push")
    }
    assert wanted <= met
    if insures:
        assert {("insurance", "win"), ("insurance", "lose"), ("even_money", "bonus")} <= met


def test_best_five_in_bulk_is_the_game_s():
    from houseway.simulate.kernels.five_of_six import ROYAL_SIX, best_of

    random = Random(11)
    for size in (5, 6):
        hands = [random.sample(range(52), size) for _ in range(20_000)]
        hands += [numbers(six)[:size] for six in SIX]
        found = np.zeros(len(hands), np.int8)
        best_of(np.array(hands, np.int8), found)
        for hand, code in zip(hands, found.tolist(), strict=True):
            name = "royal_flush" if code >= ROYAL_SIX else poker.NAMES[code]
            assert name == poker.best_five([Card(card) for card in hand])


def test_ranks_alone_say_what_cards_of_several_suits_are():
    from houseway.simulate.kernels.five_of_six import THREE_RANKS, by_ranks

    random = Random(13)
    sixes, fives = by_ranks()
    for _ in range(4000):
        three = random.choice(THREE_RANKS)
        others = random.choice([random.choice(THREE_RANKS), random.choices(range(13), k=2)])
        ranks = [*three, *others]
        suits = {rank: iter(random.sample(range(4), 4)) for rank in ranks}
        if max(map(ranks.count, ranks)) > 4:
            continue
        hand = [Card(4 * rank + next(suits[rank])) for rank in ranks]
        if max(sum(card.suit == suit for card in hand) for suit in range(4)) > 4:
            continue
        column = THREE_RANKS.index(three)
        if len(others) == 3:
            code = sixes[THREE_RANKS.index(tuple(others)) * len(THREE_RANKS) + column]
        else:
            code = fives[(13 * others[0] + others[1]) * len(THREE_RANKS) + column]
        assert poker.NAMES[code] == poker.best_five(hand)


def test_three_cards_in_bulk_are_the_game_s():
    from houseway.games.three_card.hands import value
    from houseway.games.three_card.simulation.bulk_hands import three_card_values

    random = Random(12)
    hands = [random.sample(range(52), 3) for _ in range(20_000)] + [numbers(text) for text in THREE]
    found = np.zeros(len(hands), np.int16)
    three_card_values(np.array(hands, np.uint8), found)
    assert found.tolist() == [value([Card(card) for card in hand]) for hand in hands]


@cites(MA, "12(k)")
@pytest.mark.parametrize("players", range(1, 8))
def test_every_row_of_cover_all_is_met_and_paid_alike(players):
    rules = choose(MA, {"cover_all": True})
    wagers = {"ante": 1000, "pair_plus": 500, "cover_all": 100}
    game = ready(rules, players=players, wagers=wagers, strategy=f"{OWN}:any_way")
    random, decks = Random(players), []
    for text in THREE * 12:
        mine = numbers(text)
        rest = [card for card in range(52) if card not in mine]
        random.shuffle(rest)
        place = 3 * random.randrange(players + 1)
        decks.append([*rest[:place], *mine, *rest[place:]][: game.kernel.table.cards])
    seen = set()
    for deck, found in zip(decks, by_kernel(game, decks), strict=True):
        settled = settle(three_card_round(game, deck, own_strategies.any_way))
        assert (found == by_game(game, settled)).all()
        seen |= {line.outcome for line in settled.seats[0].lines if line.wager == "cover_all"}
    assert set(rules.table("cover_all", str(players)).pays) <= seen


@cites(MD, "12.E")
def test_a_seat_without_the_progressive_wager_is_not_paid_from_its_meter():
    """A mini royal in spades at each of three seats in turn; the one in the middle made no wager."""
    rules = choose(MD, {"progressive": "A"})
    alone = {"ante": 1000}
    both = alone | {"progressive": 100}
    game = ready(rules, seats=[both, alone, both], strategy="always_play")
    royal, rest = numbers("As Ks Qs"), numbers("2c 3d 5h 7c 8d 9h Jc 2d 4h")
    decks = [[*rest[:place], *royal, *rest[place:]] for place in (3, 6, 9)]
    nets = by_kernel(game, decks)
    for deck, found in zip(decks, nets, strict=True):
        settled = settle(three_card_round(game, deck, lambda _: "play"))
        assert (found == by_game(game, settled)).all()
    shows = game.plan.meters["progressive"]
    assert [int(nets[seat, seat, PROGRESSIVE]) for seat in range(3)] == [
        shows - 100,
        0,
        shows - 100,
    ]


@pytest.mark.slow
@cites(DOWN_UNDER, "685a.11(c)")
def test_every_row_of_match_the_dealer_is_met_and_paid_alike():
    """Each of two cards suited, unsuited or no match, in every pairing; a jack matches no ten."""
    rules = choose(DOWN_UNDER, {"match_the_dealer": True})
    wagers = {"bet": 1000, "match_the_dealer": 500}
    game = ready(rules, players=1, wagers=wagers, strategy=f"{OWN}:hit_or_whatever")
    shoes = []
    for up, suited, unsuited, none in (("7c", "7c", "7d", "8d"), ("Tc", "Tc", "Ts", "Jc")):
        for first in (suited, unsuited, none):
            for second in (suited, unsuited, none):
                dealt = numbers(f"{first} {up} {second} 5h")
                shoe = list(range(52)) * rules["decks"]
                for card in dealt:
                    shoe.remove(card)
                Random(str(dealt)).shuffle(shoe)
                shoes.append([*dealt, *shoe])
    seen, nets = set(), []
    for shoe, found in zip(shoes, by_kernel(game, shoes), strict=True):
        round, _ = down_under_round(game, shoe, own_strategies.hit_or_whatever, insures=False)
        settled = settle(round)
        assert (found == by_game(game, settled)).all()
        seen |= {line.outcome for line in settled.seats[0].lines}
        nets.append(int(found[0, 2]))
    pays = rules.table("match_the_dealer").pays
    assert set(pays) <= seen
    one, other = (pays[name].odds.beside(500) for name in ("suited_match", "unsuited_match"))
    expected = [2 * one, one + other, one, one + other, 2 * other, other, one, other, -500]
    assert nets == expected * 2
