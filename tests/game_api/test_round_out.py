"""A round written as JSON is read back as the same round."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from houseway.game_api.round_json import read_round, round_out

EXAMPLES = Path(__file__).parents[2] / "examples"
MD, MA = "md-three-card-poker", "ma-three-card-poker"
CASES: list[dict[str, Any]] = [
    *(json.loads(path.read_text()) for path in sorted(EXAMPLES.glob("*-*.json"))),
    # the electronic version has hands of community cards
    {"chapter": MD, "rules": {"electronic": True}, "dealer": "",
     "community": "As Ks Qs 2c 3c 4c 9h 8h 7d",
     "seats": [{"seat": 1, "hands": [{"hand": 2, "wagers": {"ante": "5.00"}, "decision": "play"}]}]},
    {"chapter": MA, "rules": {"match_play": True}, "dealer": "Qh 7d 2c",
     "seats": [{"seat": 1, "player": "ann", "wagers": {"ante": "5.00"}, "coupon": "5.00",
                "cards": "As Kd 9h", "decision": "forfeit"}]},
    # a table of the house's own
    {"chapter": MA, "dealer": "Qh 7d 2c",
     "paytables": {"pair_plus": {"mini_royal": "60 to 1", "straight_flush": "45 to 1",
                                 "three_of_a_kind": "35 to 1", "straight": "7 to 1",
                                 "flush": "5 to 1", "pair": "2 to 1"}},
     "seats": [{"seat": 1, "wagers": {"pair_plus": "5.00"}, "cards": "As Ad 9h"}]},
    {"chapter": "pa-down-under-blackjack", "dealer": "9d 7c 5h",
     "seats": [{"seat": 2, "wagers": {"bet": "10.00"},
                "hands": [{"cards": "8s 3d Td", "split": True, "doubled": "7.50"},
                          {"cards": "8h 2c Tc", "split": True}]}]},
    {"chapter": "pa-saigon-5-card", "dealer": "Qh 7d 2c 9s 3h",
     "seats": [{"seat": 1, "wagers": {"ante": "5.00"}, "cards": "As Ad 9h 4c 2d", "two": "As 9h"}]},
    {"chapter": "pa-three-card-prime", "rules": {"pair_bonus": "A"}, "dealer": "Qh 7d 2c",
     "seats": [{"seat": 1, "wagers": {"ante": "5.00", "pair_bonus": "5.00"}, "cards": "As Ad 9h",
                "fourth": "9c", "decision": "fold"}]},
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["chapter"])
def test_a_round_is_read_back_as_it_was(case) -> None:
    round = read_round(case)
    again = read_round(json.dumps(round_out(round)))
    for name in ("dealer", "community", "seats", "meters", "winners"):
        assert getattr(again, name) == getattr(round, name), name
    assert again.rules.as_file() == round.rules.as_file()
