"""Gymnasium environments: they pass Gymnasium's own checks, and rewards are what the rules settle."""

import sys
from importlib import util
from pathlib import Path

import gymnasium
import msgspec
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import houseway.environments
from houseway.cards import ACE, Card
from houseway.environments.seat import SEAT
from houseway.environments.vector import DecidingSeats
from houseway.errors import Refused
from houseway.game_api.settle import settle, settle_json
from houseway.games.down_under.hands import (
    dealer_draws,
    is_blackjack,
    open_decisions,
    player_total,
)
from houseway.games.saigon.hands import values
from houseway.games.three_card.maths.ante_play import payoffs, strategy
from houseway.law import CHAPTERS, DOWN_UNDER, MA, MD, PRIME, SAIGON, chapter, choose, cites
from houseway.money import signed
from houseway.simulate.game import SIMULATION
from houseway.table import rules_of
from houseway.table.moment import Moment
from houseway.table.round_building import round_of


def made(chapter, **how):
    return gymnasium.make(f"houseway/{chapter}-v0", disable_env_checker=True, **how).unwrapped


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_gymnasiums_own_checker_passes(chapter):
    check_env(made(chapter), skip_render_check=True)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_rewards_are_what_the_rules_settle_to_the_cent(chapter):
    """Each round is put together from the table before it is cleared, and settled apart."""
    env, rng = made(chapter), np.random.default_rng(5)
    _, info = env.reset(seed=5)
    for _ in range(12):
        done, reward = False, 0.0
        while not done:
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            _, reward, done, _, info = env.step(action)
        seats = settle(round_of(Moment(env._last, "system"))).seats if env._last.hands else ()
        assert round(reward * 100) == sum(seat.net for seat in seats if seat.seat == SEAT)
        _, info = env.reset()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_same_seed_plays_the_same_rounds(chapter):
    def story(seed):
        env, told = made(chapter), []
        seen, info = env.reset(seed=seed)
        for _ in range(8):
            told.append({name: np.array(value).tolist() for name, value in seen.items()})
            seen, reward, done, _, info = env.step(np.flatnonzero(info["action_mask"])[0])
            told.append(reward)
            if done:
                seen, info = env.reset()
        return told

    assert story(7) == story(7)
    assert story(7) != story(8)


def test_an_illegal_move_changes_nothing_and_is_said():
    env = made(MD)
    before, info = env.reset(seed=1)
    assert not info["action_mask"][env.moves.index("continue")]
    after, reward, done, _, info = env.step(env.moves.index("continue"))
    assert (reward, done) == (0.0, False)
    assert info["refused"] == "continue is not legal now; legal: play, fold"
    assert all((before[name] == after[name]).all() for name in before if name != "hint")
    with pytest.raises(gymnasium.error.InvalidAction):
        env.step(99)


def test_wagers_can_be_an_action():
    env = made(MD, wagers=[{"ante": "10.00"}, {"ante": "50.00", "pair_plus": "5.00"}])
    _, info = env.reset(seed=2)
    assert [env.moves[one] for one in np.flatnonzero(info["action_mask"])] == ["wager 0", "wager 1"]
    _, reward, done, _, info = env.step(1)
    assert (reward, done) == (0.0, False)
    _, reward, done, _, _ = env.step(env.moves.index("fold"))
    # a fold forfeits the ante and Pair Plus, 11.C(1)
    assert (reward, done) == (-55.0, True)


@cites(MD, "7.G(3)")
def test_where_two_wagers_are_compulsory_the_seat_makes_both():
    env = made(MD, rules={"version": "both_compulsory"})
    env.reset(seed=2)
    _, reward, done, _, _ = env.step(env.moves.index("fold"))
    assert env.wagers == [{"ante": "10.00", "pair_plus": "10.00"}]
    assert (reward, done) == (-20.0, True)  # a fold forfeits both, 11.C(1)
    lacking = made(MD, rules={"version": "both_compulsory"}, wagers={"ante": "10.00"})
    with pytest.raises(Refused, match="asks for both an ante and Pair Plus"):
        lacking.reset(seed=2)
    with pytest.raises(Refused, match="asks for both an ante and Pair Plus"):
        gymnasium.make_vec(
            f"houseway/{MD}-v0", num_envs=2, rules=lacking.rules, wagers={"ante": "10.00"}
        )


@cites(MD, "11.F", "11.F(2)")
def test_the_electronic_version_is_played_on_one_common_hand_or_several():
    rules = choose(MD, {"electronic": True})
    check_env(made(MD, rules=rules), skip_render_check=True)
    env = made(MD, rules=rules, wagers={"ante": "10.00", "ante@2": "5.00"})
    seen, _ = env.reset(seed=2)
    assert (seen["hand"].sum(), seen["others"].sum()) == (3, 6)  # nine community cards, face up
    fold = env.moves.index("fold")
    assert env.step(fold)[1:3] == (0.0, False)
    assert env.step(fold)[1:3] == (-15.0, True)


def test_a_seat_plays_by_the_paytables_limits_and_meters_of_its_rules():
    pair = {
        **{hand: str(pay.odds) for hand, pay in choose(MA).table("pair_plus").pays.items()},
        "pair": "2 to 1",
    }
    rules = choose(
        MA, {"progressive": "1"}, paytables={"pair_plus": pair}, limits={"ante": {"min": "25.00"}},
        meters={"progressive": {"rate": "20%", "seed": "7000.00", "reset": "2000.00"}},
    )  # fmt: skip
    env = made(MA, rules=rules)
    env.reset(seed=1)
    assert env.wagers == [{"ante": "25.00"}]
    assert rules_of(env._last).as_file() == rules.as_file()


def test_many_seats_choose_among_wagers_one_by_one():
    wagers = [{"ante": "10.00"}, {"ante": "50.00"}]
    many = gymnasium.make_vec(f"houseway/{MD}-v0", num_envs=2, wagers=wagers)
    many.reset(seed=1)
    many.step(np.array([0, 1]))
    fold = made(MD, wagers=wagers).moves.index("fold")
    assert many.step(np.array([fold, fold]))[1].tolist() == [-10.0, -50.0]
    many.close()


def test_the_hidden_cards_of_the_dealer_are_not_seen():
    env = made(MD)
    seen, _ = env.reset(seed=3)
    assert seen["hand"].sum() == 3
    assert seen["dealer"].sum() == 0


def test_in_down_under_the_light_is_a_hint():
    """685a.7: the up card is seen, and the reader's light gives the range of the hole card."""
    env = made("pa-down-under-blackjack")
    seen, _ = env.reset(seed=11)
    while not seen["action_mask"][env.moves.index("hit")]:
        seen, _ = env.reset()
    assert seen["dealer"].sum() == 1
    assert env.hints[seen["hint"]]


def test_rendered_as_text():
    env = made(MD, render_mode="ansi")
    env.reset(seed=1)
    assert "legal: play, fold" in env.render()


# many seats at once


def settled(rules, given, **decided):
    """The net of a round with an ante of ten dollars, in cents."""
    size = rules.chapter.number("hand_cards")
    cards = [str(Card(int(one))) for one in given]
    seat = {"seat": 1, "wagers": {"ante": "10.00"}, "cards": cards[size : 2 * size], **decided}
    given = {"chapter": rules.chapter.id, "dealer": cards[:size], "seats": [seat]}
    return signed(settle_json(msgspec.json.encode(given)).seats[0].net)


@pytest.mark.slow
@pytest.mark.parametrize("chapter", [MD, PRIME])
def test_many_seats_are_settled_as_one_by_one(chapter):
    many = gymnasium.make_vec(f"houseway/{chapter}-v0", num_envs=300)
    rules = choose(chapter)
    hands, _ = many.reset(seed=4)
    given = many._given.copy()
    assert (np.sort(given[:, 3:6], axis=1) == hands).all()
    actions = np.random.default_rng(4).integers(2, size=300)
    _, rewards, ends, _, _ = many.step(actions)
    assert ends.all()
    for row, action, reward in zip(given, actions, rewards, strict=True):
        net = settled(rules, row, decision=many.moves[action])
        assert round(reward * 100) == net
    many.close()


@pytest.mark.slow
def test_many_hands_of_saigon_are_set_as_they_are_aimed():
    many = gymnasium.make_vec(f"houseway/{SAIGON}-v0", num_envs=200)
    one = made(SAIGON)
    many.reset(seed=4)
    assert many.moves == one.moves[1:]
    given = many._given.copy()
    actions = np.random.default_rng(4).integers(len(many.moves), size=200)
    _, rewards, _, _, _ = many.step(actions)
    rules = choose(SAIGON)
    for row, action, reward in zip(given, actions, rewards, strict=True):
        count = int(many.moves[action].rpartition(" ")[2])
        ways = values(rules.chapter).settings([Card(int(card)) for card in row[5:10]])
        wanted = [way for way in ways if way.qualifies and way.point_count == count]
        way = wanted[0] if wanted else max(ways, key=lambda one: one.point_count)
        three, two = ([str(card) for card in part] for part in (way.three, way.two))
        net = settled(rules, row, three=three, two=two)
        assert round(reward * 100) == net
    many.close()


@pytest.mark.slow
def test_every_card_is_dealt_alike_often():
    """60,000 hands of three cards: each card's count within five deviations of the mean."""
    many = gymnasium.make_vec(f"houseway/{MD}-v0", num_envs=60_000)
    hands, _ = many.reset(seed=9)
    counts = np.bincount(hands.ravel(), minlength=52)
    mean = 60_000 * 3 / 52
    assert len(counts) == 52
    assert abs(counts - mean).max() < 5 * (mean * (1 - 3 / 52)) ** 0.5
    many.close()


def test_actions_of_the_wrong_number_are_refused():
    many = gymnasium.make_vec(f"houseway/{MD}-v0", num_envs=4)
    many.reset(seed=1)
    for wrong in ([0, 1, 2, 0], [0, 1], [-1, 0, 0, 0]):
        with pytest.raises(gymnasium.error.InvalidAction):
            many.step(np.array(wrong))
    many.close()


# several decisions in a round: Down Under, replayed card by card


class Replay:
    """A round of Down Under in plain Python: what is open, what a move does, and what is settled.

    `cards` are the cards of the shoe from the first one that the round was dealt.
    """

    def __init__(self, rules, cards):
        self.rules, self.cards = rules, iter(cards)
        first, up, second, hole = (next(self.cards) for _ in range(4))
        self.hands, self.dealer = [[first, second]], [up, hole]
        self.wagers, self.doubled, self.playing = {"bet": "10.00"}, {}, 0
        self.wagers["match_the_dealer"] = "5.00"
        self.even_money = False
        self.asked = up.rank == ACE

    def open(self):
        """The legal moves; `continue` if there is nothing to decide."""
        mine = is_blackjack(self.rules, self.hands[0]) and len(self.hands) == 1
        if self.asked:
            return {"insure", "decline_insurance", *(["take_even_money"] if mine else [])}
        if mine or is_blackjack(self.rules, self.dealer):
            return {"continue"}
        split = len(self.hands) == 2
        while self.playing < len(self.hands):
            hand = self.hands[self.playing]
            if len(hand) == 1:
                hand.append(next(self.cards))
            found = open_decisions(self.rules, hand, from_split=split)
            if found and self.playing not in self.doubled:
                return set(found)
            self.playing += 1
        return {"continue"}

    def move(self, name):
        if name == "insure":
            self.wagers["insurance"] = "5.00"
        self.even_money = name == "take_even_money" or self.even_money
        self.asked = False
        hand = self.hands[min(self.playing, len(self.hands) - 1)]
        if name in ("hit", "double"):
            hand.append(next(self.cards))
        if name == "double":
            self.doubled[self.playing] = "10.00"
        if name == "stand":
            self.playing += 1
        if name == "split":
            self.hands = [[hand[0]], [hand[1]]]

    def net(self):
        live = [hand for hand in self.hands if player_total(self.rules, hand).points <= 21]
        ended = self.even_money or is_blackjack(self.rules, self.dealer) or (
            len(self.hands) == 1 and is_blackjack(self.rules, self.hands[0])
        )  # fmt: skip
        while live and not ended and dealer_draws(self.rules, self.dealer):
            self.dealer.append(next(self.cards))
        hands = [
            {"cards": [str(card) for card in hand], "split": len(self.hands) == 2}
            | ({"doubled": self.doubled[at]} if at in self.doubled else {})
            for at, hand in enumerate(self.hands)
        ]
        seat = {"seat": 1, "wagers": self.wagers, "hands": hands, "even_money": self.even_money}
        file = self.rules.as_file()
        dealer = [str(card) for card in self.dealer]
        given = {**file, "dealer": dealer, "seats": [seat]}
        return signed(settle_json(msgspec.json.encode(given)).seats[0].net)


@pytest.mark.slow
def test_many_seats_of_down_under_decide_and_are_settled_as_the_rules_say():
    """685a.7 to 685a.11: every seat is replayed in plain Python from the cards that it was dealt."""
    seats, rng = 200, np.random.default_rng(6)
    wagers = {"bet": "10.00", "match_the_dealer": "5.00"}
    rules = choose(DOWN_UNDER, {"match_the_dealer": True})
    many = gymnasium.make_vec(
        f"houseway/{DOWN_UNDER}-v0", num_envs=seats, rules=rules, wagers=wagers
    )
    assert isinstance(many, DecidingSeats)
    assert many.moves == made(DOWN_UNDER).moves
    seen, info = many.reset(seed=6)
    assert many.observation_space.contains(seen)
    state, shoe = many._kernel._seats, many._kernel._shoe
    moved, first = [[] for _ in range(seats)], state.drawn[:, :4].copy()
    ended = splits = 0
    for _ in range(20):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        masks = info["action_mask"]
        seen, rewards, ends, _, info = many.step(actions)
        assert many.observation_space.contains(seen)
        for seat in range(seats):
            moved[seat].append((int(actions[seat]), masks[seat].copy()))
            if not ends[seat]:
                assert rewards[seat] == 0
                continue
            # a new deal writes over the first four cards only
            drawn = [*first[seat], *state.drawn[seat, 4:]]
            replay = Replay(rules, [Card(int(shoe.cards[place])) for place in drawn])
            for action, mask in moved[seat]:
                legal = {many.moves[one] for one in np.flatnonzero(mask)}
                assert legal == replay.open()
                replay.move(many.moves[action])
            if not replay.asked and not replay.even_money:
                assert replay.open() == {"continue"}
            assert round(rewards[seat] * 100) == replay.net()
            ended, splits = ended + 1, splits + (len(replay.hands) == 2)
            moved[seat], first[seat] = [], state.drawn[seat, :4]
    assert ended > 1_000
    assert splits > 10
    many.close()


@pytest.mark.slow
def test_an_illegal_move_of_one_seat_changes_nothing_there():
    many = gymnasium.make_vec(f"houseway/{DOWN_UNDER}-v0", num_envs=50)
    before, info = many.reset(seed=2)
    wrong = np.array([np.flatnonzero(mask == 0)[0] for mask in info["action_mask"]])
    after, rewards, ends, _, told = many.step(wrong)
    assert (before == after).all()
    assert (info["action_mask"] == told["action_mask"]).all()
    assert not rewards.any()
    assert not ends.any()
    again, _ = many.reset(seed=2)
    assert (again == before).all()
    many.close()


def test_cards_of_down_under_are_dealt_alike_often():
    """40,000 up cards: each value within five deviations of its share, tens four times as often."""
    many = gymnasium.make_vec(f"houseway/{DOWN_UNDER}-v0", num_envs=40_000)
    seen, _ = many.reset(seed=3)
    counts = np.bincount(seen[:, 10], minlength=10)
    share = np.array([1 / 13] * 9 + [4 / 13])
    assert (abs(counts - 40_000 * share) < 5 * np.sqrt(40_000 * share * (1 - share))).all()
    many.close()


def test_a_game_without_a_kernel_is_played_seat_by_seat(monkeypatch):
    monkeypatch.setattr(
        type(SIMULATION.of(chapter(DOWN_UNDER))), "decision_kernel", lambda *_: None
    )
    many = gymnasium.make_vec(f"houseway/{DOWN_UNDER}-v0", num_envs=2)
    seen, info = many.reset(seed=1)
    assert seen["action_mask"].shape[0] == 2
    many.step(np.array([np.flatnonzero(mask)[0] for mask in info["action_mask"]]))
    many.close()


@pytest.mark.slow
def test_the_example_learns_to_play_within_a_tenth_of_a_point():
    path = Path(__file__).parents[2] / "examples" / "environments" / "train_three_card_poker.py"
    spec = util.spec_from_file_location("train_three_card_poker", path)
    example = util.module_from_spec(spec)
    sys.modules[spec.name] = example
    spec.loader.exec_module(example)
    curve = example.train(stages=2, steps=150)
    best = float(100 * strategy(payoffs(choose(MD))).spread.edge)
    assert best <= curve[-1][1] < best + 0.1


def test_every_chapter_is_registered():
    assert set(houseway.environments.register_environments()) <= set(gymnasium.registry)
