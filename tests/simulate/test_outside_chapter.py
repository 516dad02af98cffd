"""A chapter copied outside the package under a new id is simulated like the original."""

from __future__ import annotations

import pytest

from houseway.errors import Refused
from houseway.law import DOWN_UNDER, MA, MD, PRIME, SAIGON, choose
from houseway.simulate import prepared
from houseway.simulate.plan import plan_of
from houseway.simulate.prepared import playing
from houseway.simulate.results.report import result_json
from houseway.simulate.runner import Threads, run
from outside import chapters_from, copied, edit

COPY = "xx-copied"
METERS = {"rate": "10%", "seed": "9000.00", "reset": "5000.00"}
ROW = {"hand": "win", "pays": "1 to 1"}
CASES = [
    (MD, {}, {}),
    (
        MD,
        {
            "progressive": "C", "six_card_bonus": "A", "five_card_progressive": "A",
            "five_card_envy": {"straight": {"1.00": "7.00"}},
            "meters": {"progressive.major": METERS},
        },
        {"players": 3},
    ),
    (MD, {"electronic": True, "progressive": "A"}, {"players": 2}),
    (
        MA,
        {"progressive": "1", "six_card_bonus": "TCP-6B1", "cover_all": True, "match_play": True},
        {"players": 2, "coupon": {"ante": 500}},
    ),
    (PRIME, {"prime": True, "pair_bonus": "A", "all_six": "A", "bad_beat": "B"}, {"players": 2}),
    (SAIGON, {"bonus": "A", "payout_limit": "50000.00"}, {"players": 2, "covariance": True}),
    (DOWN_UNDER, {"match_the_dealer": True}, {"cover": 0, "insures": True}),
    (DOWN_UNDER, {"decks": 8}, {"strategy": "chart", "players": 3}),
]  # fmt: skip


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(prepared, "BLOCK", 1 << 13)
    playing.cache_clear()
    yield
    playing.cache_clear()


def simulated(chapter, options, given):
    plan = plan_of(choose(chapter, options, hypothetical=True), hypothetical=True, **given)
    tally = run(plan, 20_000, workers=Threads(1))
    found = result_json(playing(plan.encode()), tally)
    # the id itself is part of the rules, and so of their hash
    assert {found.pop("chapter"), found["rules"].pop("chapter")} == {chapter}
    del found["rules_hash"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("chapter", "options", "given"), CASES)
def test_a_copy_is_simulated_like_the_original(tmp_path, chapter, options, given):
    original = simulated(chapter, options, given)
    copied(chapter, tmp_path, COPY)
    with chapters_from(tmp_path):
        assert simulated(COPY, options, given) == original


@pytest.mark.parametrize(
    ("chapter", "like", "settled_on"),
    [
        (MD, "pair_plus", "the_weather"),
        (MD, "pair_plus", "three_cards"),
        (SAIGON, "ante", "five_cards"),
        (DOWN_UNDER, "bet", "matched_cards"),
    ],
)
def test_a_wager_that_the_family_cannot_play_is_refused(tmp_path, chapter, like, settled_on):
    """A second wager on the same cards, or one on something else, must not count for nothing."""

    def add(data):
        (wager,) = (one for one in data["wagers"] if one["id"] == like)
        data["wagers"].append(
            {**wager, "id": "another", "settled_on": settled_on, "name": "Another wager"}
        )

    def pays(data):
        data["paytable"].append(
            {"wager": "another", "id": "standard", "clause": "1", "rows": [ROW]}
        )

    folder = copied(chapter, tmp_path, COPY)
    edit(folder / "chapter.toml", add)
    edit(folder / "paytables.toml", pays)
    with chapters_from(tmp_path):
        plan = plan_of(choose(COPY), wagers={like: 1000, "another": 1000})
        with pytest.raises(Refused, match="Another wager cannot be simulated"):
            playing(plan.encode())
